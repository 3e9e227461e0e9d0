/* BLS signatures. These calls return bare values: NULL or false stands for every failure. */
#include "check.h"

static const uint8_t MESSAGE[] = "a message";

/* Two signers and what they sign. */
struct signers {
  uint8_32_array_t *secret[2];
  uint8_48_array_t *public[2];
  uint8_96_array_t *digest[2];
  uint8_96_array_t *signature[2];
  uint8_t keys[96];
  uint8_t digests[192];
  uint8_t signatures[192];
  uint8_96_array_t *sum;
};

static const char *const SIGNED[2] = {"first message", "the second message"};
static const char *const SIGNED_TOGETHER = "first messagethe second message";
static const size_t SIGNED_LENS[2] = {13, 18};

static struct signers sign_two(void) {
  struct signers s;
  for (int i = 0; i < 2; i++) {
    uint8_32_array_t seed = filled_32((uint8_t)(i + 1));
    s.secret[i] = private_key_generate_with_seed(&seed);
    slice_ref_uint8_t secret = bytes(s.secret[i]->idx, 32);
    s.public[i] = private_key_public_key(secret);
    s.digest[i] = hash(text(SIGNED[i]));
    s.signature[i] = private_key_sign(secret, text(SIGNED[i]));
    memcpy(s.keys + 48 * i, s.public[i], 48);
    memcpy(s.digests + 96 * i, s.digest[i], 96);
    memcpy(s.signatures + 96 * i, s.signature[i], 96);
  }
  s.sum = aggregate(bytes(s.signatures, 192));
  CHECK(s.sum != NULL);
  return s;
}

static void release(struct signers *s) {
  for (int i = 0; i < 2; i++) {
    destroy_box_bls_private_key(s->secret[i]);
    destroy_box_bls_public_key(s->public[i]);
    destroy_box_bls_digest(s->digest[i]);
    destroy_box_bls_signature(s->signature[i]);
  }
  destroy_box_bls_signature(s->sum);
}

static slice_ref_size_t lens(const size_t *ptr, size_t len) { return (slice_ref_size_t){.ptr = ptr, .len = len}; }

static void hashes_any_message(void) {
  uint8_96_array_t *one = TRY(SUCCESS, hash(bytes(MESSAGE, sizeof MESSAGE)));
  uint8_96_array_t *again = hash(bytes(MESSAGE, sizeof MESSAGE));
  uint8_96_array_t *empty = TRY(EMPTY, hash(NO_BYTES));
  CHECK(one != NULL && again != NULL && empty != NULL);
  CHECK(memcmp(one, again, 96) == 0);
  CHECK(memcmp(one, empty, 96) != 0);
  CHECK((one->idx[0] & 0x80) != 0);
  CHECK(TRY(EMPTY, hash(NULL_BYTES)) == NULL);
  CHECK(TRY(MALFORMED, hash(bytes(MESSAGE, SIZE_MAX))) == NULL);
  destroy_box_bls_digest(one);
  destroy_box_bls_signature(again);
  destroy_box_bls_digest(empty);
}

static void derives_the_known_key(void) {
  static const uint8_t KNOWN[32] = {0x38, 0x0d, 0xb5, 0x9f, 0x25, 0x01, 0x0c, 0x60, 0x2d, 0x4d, 0xfe,
                                    0x76, 0x67, 0xeb, 0xda, 0xb0, 0xdc, 0xf1, 0x8e, 0x77, 0xce, 0xe9,
                                    0x53, 0x23, 0x1a, 0x0f, 0x76, 0xc6, 0xc0, 0x78, 0xb3, 0x34};
  uint8_32_array_t seed;
  memset(&seed, 5, sizeof seed);
  uint8_32_array_t *key = TRY(SUCCESS, private_key_generate_with_seed(&seed));
  CHECK(key != NULL && memcmp(key->idx, KNOWN, 32) == 0);
  destroy_box_bls_private_key(key);
  CHECK(TRY(EMPTY, private_key_generate_with_seed(NULL)) == NULL);
}

static void generates_different_keys(void) {
  uint8_32_array_t *one = TRY(SUCCESS, private_key_generate());
  uint8_32_array_t *other = private_key_generate();
  CHECK(one != NULL && other != NULL && !same_32(one, other));
  uint8_48_array_t *public = TRY(SUCCESS, private_key_public_key(bytes(one->idx, 32)));
  CHECK(public != NULL && (public->idx[0] & 0x80) != 0);
  destroy_box_bls_public_key(public);
  destroy_box_bls_private_key(one);
  destroy_box_bls_private_key(other);
}

static void refuses_malformed_keys(void) {
  uint8_t too_large[33];
  memset(too_large, 0xff, sizeof too_large);
  const struct {
    enum way way;
    slice_ref_uint8_t key;
  } rows[] = {
      {EMPTY, NO_BYTES},
      {EMPTY, NULL_BYTES},
      {MALFORMED, bytes(MESSAGE, 31)},
      {MALFORMED, bytes(too_large, 33)},
      {MALFORMED, bytes(too_large, 32)}, /* not below the group order */
      {MALFORMED, bytes(too_large, SIZE_MAX)},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    CHECK(TRY(rows[i].way, private_key_public_key(rows[i].key)) == NULL);
    CHECK(TRY(rows[i].way, private_key_sign(rows[i].key, text("message"))) == NULL);
  }
}

static void accepts_the_zero_key(void) {
  static const uint8_t ZERO[32];
  uint8_48_array_t *public = private_key_public_key(bytes(ZERO, 32));
  CHECK(public != NULL && public->idx[0] == 0xc0);
  destroy_box_bls_public_key(public);
}

static void signs_an_empty_message(void) {
  uint8_32_array_t seed = filled_32(9);
  uint8_32_array_t *key = private_key_generate_with_seed(&seed);
  uint8_48_array_t *public = private_key_public_key(bytes(key->idx, 32));
  uint8_96_array_t *signature = TRY(SUCCESS, private_key_sign(bytes(key->idx, 32), NO_BYTES));
  const size_t none = 0;
  CHECK(signature != NULL);
  CHECK(hash_verify(bytes(signature->idx, 96), NO_BYTES, lens(&none, 1), bytes(public->idx, 48)));
  CHECK(private_key_sign(bytes(key->idx, 32), NULL_BYTES) == NULL);
  destroy_box_bls_signature(signature);
  destroy_box_bls_public_key(public);
  destroy_box_bls_private_key(key);
}

static void zero_signature_is_the_point_at_infinity(void) {
  static const uint8_t REST[95];
  uint8_96_array_t *zero = TRY(SUCCESS, create_zero_signature());
  CHECK(zero != NULL && zero->idx[0] == 0xc0 && memcmp(zero->idx + 1, REST, 95) == 0);
  destroy_box_bls_signature(zero);
}

static void aggregates_what_are_points(void) {
  struct signers s = sign_two();
  uint8_96_array_t *sum = TRY(SUCCESS, aggregate(bytes(s.signatures, 192)));
  CHECK(sum != NULL && memcmp(sum, s.sum, 96) == 0);
  uint8_96_array_t *same = aggregate(bytes(s.signatures, 96));
  CHECK(same != NULL && memcmp(same, s.signature[0], 96) == 0);
  destroy_box_bls_digest(sum);
  destroy_box_bls_digest(same);

  CHECK(TRY(EMPTY, aggregate(NO_BYTES)) == NULL);
  CHECK(TRY(EMPTY, aggregate(NULL_BYTES)) == NULL);
  CHECK(TRY(MALFORMED, aggregate(bytes(s.signatures, 95))) == NULL);
  CHECK(TRY(MALFORMED, aggregate(bytes(s.signatures, 191))) == NULL);
  s.signatures[100] ^= 1;
  CHECK(TRY(MALFORMED, aggregate(bytes(s.signatures, 192))) == NULL);
  release(&s);
}

/* One row changes one argument of a verification that succeeds. */
static void verifies_digests(void) {
  struct signers s = sign_two();
  static const uint8_t INFINITY_KEY[48] = {0xc0};
  uint8_t flipped_signature[96], flipped_digests[192], flipped_keys[96], repeated[192], infinity[96];
  memcpy(flipped_signature, s.sum, 96);
  memcpy(flipped_digests, s.digests, 192);
  memcpy(flipped_keys, s.keys, 96);
  flipped_signature[50] ^= 1;
  flipped_digests[150] ^= 1;
  flipped_keys[30] ^= 1;
  memcpy(repeated, s.digests, 96);
  memcpy(repeated + 96, s.digests, 96);
  memcpy(infinity, s.keys, 48);
  memcpy(infinity + 48, INFINITY_KEY, 48);
  const slice_ref_uint8_t sum = bytes(s.sum, 96), digests = bytes(s.digests, 192), keys = bytes(s.keys, 96);

  const struct {
    enum way way;
    bool valid;
    slice_ref_uint8_t signature, digests, keys;
  } rows[] = {
      {SUCCESS, true, sum, digests, keys},
      {SUCCESS, true, bytes(s.signature[0], 96), bytes(s.digests, 96), bytes(s.keys, 48)},
      {SUCCESS, false, bytes(s.signature[1], 96), bytes(s.digests, 96), bytes(s.keys, 48)},
      {EMPTY, false, NO_BYTES, digests, keys},
      {EMPTY, false, sum, NO_BYTES, keys},
      {EMPTY, false, sum, digests, NO_BYTES},
      {EMPTY, false, sum, NO_BYTES, NO_BYTES},
      {EMPTY, false, NULL_BYTES, NULL_BYTES, NULL_BYTES},
      {MALFORMED, false, bytes(s.sum, 95), digests, keys},
      {MALFORMED, false, sum, bytes(s.digests, 191), keys},
      {MALFORMED, false, sum, digests, bytes(s.keys, 95)},
      {MALFORMED, false, sum, bytes(s.digests, 96), keys},
      {MALFORMED, false, sum, digests, bytes(s.keys, 48)},
      {MALFORMED, false, bytes(flipped_signature, 96), digests, keys},
      {MALFORMED, false, sum, bytes(flipped_digests, 192), keys},
      {MALFORMED, false, sum, digests, bytes(flipped_keys, 96)},
      {MALFORMED, false, sum, bytes(repeated, 192), keys},
      {MALFORMED, false, sum, digests, bytes(infinity, 96)},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    CHECK(TRY(rows[i].way, verify(rows[i].signature, rows[i].digests, rows[i].keys)) == rows[i].valid);
  }
  release(&s);
}

static void verifies_messages(void) {
  struct signers s = sign_two();
  static const size_t TOO_LONG[2] = {13, 19}, OVERFLOWING[2] = {SIZE_MAX, 32}, SWAPPED[2] = {18, 13},
                      TWICE[2] = {13, 13};
  uint8_t longer[40] = {0};
  memcpy(longer, SIGNED_TOGETHER, 31);
  const slice_ref_uint8_t sum = bytes(s.sum, 96), messages = text(SIGNED_TOGETHER), keys = bytes(s.keys, 96);
  const slice_ref_size_t both = lens(SIGNED_LENS, 2), none = lens(NULL, 0);

  const struct {
    enum way way;
    bool valid;
    slice_ref_uint8_t signature, messages;
    slice_ref_size_t lens;
    slice_ref_uint8_t keys;
  } rows[] = {
      {SUCCESS, true, sum, messages, both, keys},
      {SUCCESS, true, sum, bytes(longer, 40), both, keys}, /* what follows the last message is ignored */
      {SUCCESS, false, bytes(s.signature[0], 96), messages, both, keys},
      {EMPTY, false, NO_BYTES, messages, both, keys},
      {EMPTY, false, sum, NO_BYTES, both, keys},
      {EMPTY, false, sum, messages, none, keys},
      {EMPTY, false, sum, messages, both, NO_BYTES},
      {EMPTY, false, sum, NO_BYTES, none, NO_BYTES},
      {EMPTY, false, sum, messages, lens(NULL, 2), keys},
      {MALFORMED, false, sum, messages, lens(TOO_LONG, 2), keys},
      {MALFORMED, false, sum, messages, lens(OVERFLOWING, 2), keys},
      {MALFORMED, false, sum, messages, lens(SWAPPED, 2), keys},
      {MALFORMED, false, sum, text("first messagefirst message"), lens(TWICE, 2), keys},
      {MALFORMED, false, sum, messages, lens(SIGNED_LENS, 1), keys},
      {MALFORMED, false, sum, messages, both, bytes(s.keys, 48)},
      {MALFORMED, false, sum, messages, both, bytes(s.keys, 95)},
      {MALFORMED, false, bytes(s.sum, 12), messages, both, keys},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const bool valid = TRY(rows[i].way, hash_verify(rows[i].signature, rows[i].messages, rows[i].lens, rows[i].keys));
    CHECK(valid == rows[i].valid);
  }
  release(&s);
}

static const struct check_case CASES[] = {
    {"hashes any message", hashes_any_message},
    {"derives the known key", derives_the_known_key},
    {"generates different keys", generates_different_keys},
    {"refuses malformed keys", refuses_malformed_keys},
    {"accepts the zero key", accepts_the_zero_key},
    {"signs an empty message", signs_an_empty_message},
    {"the zero signature is the point at infinity", zero_signature_is_the_point_at_infinity},
    {"aggregates what are points", aggregates_what_are_points},
    {"verifies digests", verifies_digests},
    {"verifies messages", verifies_messages},
};
CHECK_MAIN("bls", CASES)
