/* Sector updates (SnapDeals): encoding new data over a sealed sector, decoding it in three ways, proving it. */
#include "fixture.h"

#include <fcntl.h>
#include <unistd.h>

/* A sealed sector ("sector key") and the replica that holds another sector's data over it. */
struct update {
  struct sector key, data;
  struct path dir, replica, cache, record;
  EmptySectorUpdateEncodeInto_t commitments;
};

static struct path sized_file(const struct path *dir, const char *name) {
  static const uint8_t ZEROS[SECTOR_BYTES];
  struct path file = inside(dir, name);
  write_file(&file, ZEROS, SECTOR_BYTES);
  return file;
}

static struct update prepared(void) {
  struct update u = {.key = sealed_sector(SEAL_2K, 42), .data = sealed_sector(SEAL_2K, 43)};
  u.dir = work_path("update");
  u.replica = inside(&u.dir, "replica");
  u.cache = work_path("update-cache");
  u.record = inside(&u.dir, "record");
  return u;
}

/* Encodes once a run. */
static struct update encoded(void) {
  struct update u = prepared();
  if (exists(&u.record)) {
    slice_boxed_uint8_t record = read_file(&u.record);
    memcpy(&u.commitments, record.ptr, sizeof u.commitments);
    destroy_boxed_slice(record);
    return u;
  }
  fresh_dir("update");
  fresh_dir("update-cache");
  sized_file(&u.dir, "replica");
  Result_EmptySectorUpdateEncodeInto_t *done = WORKS(empty_sector_update_encode_into(
      UPDATE_2K, path_bytes(&u.replica), path_bytes(&u.cache), path_bytes(&u.key.sealed), path_bytes(&u.key.cache),
      path_bytes(&u.data.staged), pieces_of(&u.data)));
  u.commitments = done->value;
  TRY(SUCCESS, destroy_empty_sector_update_encode_into_response(done));
  write_file(&u.record, &u.commitments, sizeof u.commitments);
  return u;
}

static bool same_files(const struct path *a, const struct path *b) {
  slice_boxed_uint8_t left = read_file(a), right = read_file(b);
  bool same = same_bytes(left, right.ptr, right.len);
  destroy_boxed_slice(left);
  destroy_boxed_slice(right);
  return same;
}

static void encodes_new_data(void) {
  struct update u = encoded();
  CHECK(same_32(&u.commitments.comm_d_new, &u.data.comm_d));
  CHECK(!same_32(&u.commitments.comm_r_new, &u.key.comm_r));
  CHECK(!same_files(&u.replica, &u.key.sealed));
}

static void refuses_to_encode_nonsense(void) {
  struct update u = prepared();
  struct path dir = fresh_dir("update-nonsense"), replica = sized_file(&dir, "replica"),
              cache = fresh_dir("update-scratch");
  struct path nowhere = work_path("missing");
  const slice_ref_uint8_t new = path_bytes(&replica), new_cache = path_bytes(&cache), key = path_bytes(&u.key.sealed),
                          key_cache = path_bytes(&u.key.cache), data = path_bytes(&u.data.staged),
                          none = path_bytes(&nowhere);
  const slice_ref_PublicPieceInfo_t pieces = pieces_of(&u.data);
#define ENCODE empty_sector_update_encode_into
  FAILS(EMPTY, ENCODE(UPDATE_2K, NULL_BYTES, new_cache, key, key_cache, data, pieces), "new_replica_path is NULL");
  FAILS(EMPTY, ENCODE(UPDATE_2K, new, NO_BYTES, key, key_cache, data, pieces), "");
  FAILS(EMPTY, ENCODE(UPDATE_2K, new, new_cache, key, key_cache, data, NULL_LIST(slice_ref_PublicPieceInfo_t)),
        "pieces is NULL");
  FAILS(MALFORMED, ENCODE(UPDATE_2K, none, new_cache, key, key_cache, data, pieces), "");
  FAILS(MALFORMED, ENCODE(UPDATE_2K, new, none, key, key_cache, data, pieces), "");
  FAILS(MALFORMED, ENCODE(UPDATE_2K, new, new_cache, none, key_cache, data, pieces), "");
  FAILS(MALFORMED, ENCODE(UPDATE_2K, new, new_cache, key, none, data, pieces), "");
  FAILS(MALFORMED, ENCODE(UPDATE_2K, new, new_cache, key, key_cache, none, pieces), "");
  FAILS(MALFORMED, ENCODE(UPDATE_2K, new, new_cache, key, key_cache, NUL_INSIDE, pieces), "NUL");
  FAILS(MALFORMED, ENCODE(UPDATE_2K, new, new_cache, key, key_cache, data, pieces_of(&u.key)),
        "pieces and comm_d do not match");
  WITH_UNKNOWN_ENUMS(
      type, UPDATE_PROOFS,
      FAILS(BAD_ENUM, ENCODE(type, new, new_cache, key, key_cache, data, pieces), "RegisteredUpdateProof"));
#undef ENCODE
}

static void decodes_the_data(void) {
  struct update u = encoded();
  struct path dir = fresh_dir("decoded"), out = sized_file(&dir, "data"), nowhere = work_path("missing");
  const slice_ref_uint8_t data = path_bytes(&out), replica = path_bytes(&u.replica), key = path_bytes(&u.key.sealed),
                          cache = path_bytes(&u.key.cache), none = path_bytes(&nowhere);
  const uint8_32_array_t *comm_d = &u.commitments.comm_d_new;
  Result_void_t *done = WORKS(empty_sector_update_decode_from(UPDATE_2K, data, replica, key, cache, comm_d));
  TRY(SUCCESS, destroy_empty_sector_update_decode_from_response(done));
  CHECK(same_files(&out, &u.data.staged));
#define DECODE empty_sector_update_decode_from
  FAILS(EMPTY, DECODE(UPDATE_2K, data, replica, key, cache, NULL), "comm_d_new is NULL");
  FAILS(EMPTY, DECODE(UPDATE_2K, NULL_BYTES, replica, key, cache, comm_d), "out_data_path is NULL");
  FAILS(MALFORMED, DECODE(UPDATE_2K, none, replica, key, cache, comm_d), "");
  FAILS(MALFORMED, DECODE(UPDATE_2K, data, none, key, cache, comm_d), "");
  FAILS(MALFORMED, DECODE(UPDATE_2K, data, replica, none, cache, comm_d), "");
  FAILS(MALFORMED, DECODE(UPDATE_2K, data, replica, key, none, comm_d), "");
  WITH_UNKNOWN_ENUMS(type, UPDATE_PROOFS,
                     FAILS(BAD_ENUM, DECODE(type, data, replica, key, cache, comm_d), "RegisteredUpdateProof"));
#undef DECODE
}

static void decodes_a_range(void) {
  enum { OFFSET = 16, NODES = 8 };
  struct update u = encoded();
  struct path dir = fresh_dir("range"), out = inside(&dir, "data");
  int replica = open_file(&u.replica, O_RDONLY), key = open_file(&u.key.sealed, O_RDONLY);
  int output = open_file(&out, O_RDWR | O_CREAT);
  lseek(replica, OFFSET * 32, SEEK_SET);
  lseek(key, OFFSET * 32, SEEK_SET);
#define RANGE empty_sector_update_decode_from_range
  const uint8_32_array_t *comm_d = &u.commitments.comm_d_new, *comm_r = &u.key.comm_r;
  Result_void_t *done =
      WORKS(empty_sector_update_decode_from_range(UPDATE_2K, comm_d, comm_r, replica, key, output, OFFSET, NODES));
  TRY(SUCCESS, destroy_empty_sector_update_decode_from_range_response(done));
  slice_boxed_uint8_t staged = read_file(&u.data.staged), data = read_file(&out);
  CHECK(same_bytes(data, staged.ptr + OFFSET * 32, NODES * 32));
  destroy_boxed_slice(staged);
  destroy_boxed_slice(data);

  FAILS(EMPTY, RANGE(UPDATE_2K, NULL, comm_r, replica, key, output, 0, 1), "comm_d is NULL");
  FAILS(EMPTY, RANGE(UPDATE_2K, comm_d, NULL, replica, key, output, 0, 1), "comm_r is NULL");
  FAILS(MALFORMED, RANGE(UPDATE_2K, comm_d, comm_r, -1, key, output, 0, 1), "input_fd");
  FAILS(MALFORMED, RANGE(UPDATE_2K, comm_d, comm_r, replica, 9999, output, 0, 1), "sector_key_fd");
  FAILS(MALFORMED, RANGE(UPDATE_2K, comm_d, comm_r, replica, key, INT32_MIN, 0, 1), "output_fd");
  lseek(replica, 0, SEEK_SET);
  lseek(key, 0, SEEK_SET);
  FAILS(MALFORMED, RANGE(UPDATE_2K, comm_d, comm_r, replica, key, output, 0, UINT64_MAX), "leave the sector");
  FAILS(MALFORMED, RANGE(UPDATE_2K, comm_d, comm_r, replica, key, output, UINT64_MAX, 1), "leave the sector");
  FAILS(MALFORMED, RANGE(UPDATE_2K, comm_d, comm_r, replica, key, output, 0, SECTOR_BYTES / 32 + 1),
        "leave the sector");
  lseek(key, 32, SEEK_SET);
  FAILS(MALFORMED, RANGE(UPDATE_2K, comm_d, comm_r, replica, key, output, 0, SECTOR_BYTES / 32),
        "sector_key_fd has 2016 bytes left, but the range has 2048");
  WITH_UNKNOWN_ENUMS(type, UPDATE_PROOFS,
                     FAILS(BAD_ENUM, RANGE(type, comm_d, comm_r, replica, key, output, 0, 1), "RegisteredUpdateProof"));
#undef RANGE
  CHECK(is_open(replica) && is_open(key) && is_open(output));
  close(replica);
  close(key);
  close(output);
}

static void removes_the_data(void) {
  struct update u = encoded();
  struct path dir = fresh_dir("removed"), key = sized_file(&dir, "key"), key_cache = fresh_dir("removed-cache");
  struct path nowhere = work_path("missing");
  const slice_ref_uint8_t out = path_bytes(&key), out_cache = path_bytes(&key_cache), replica = path_bytes(&u.replica),
                          cache = path_bytes(&u.key.cache), data = path_bytes(&u.data.staged),
                          none = path_bytes(&nowhere);
  const uint8_32_array_t *comm_d = &u.commitments.comm_d_new;
#define REMOVE empty_sector_update_remove_encoded_data
  Result_void_t *done =
      WORKS(empty_sector_update_remove_encoded_data(UPDATE_2K, out, out_cache, replica, cache, data, comm_d));
  TRY(SUCCESS, destroy_empty_sector_update_remove_encoded_data_response(done));
  CHECK(same_files(&key, &u.key.sealed));
  FAILS(EMPTY, REMOVE(UPDATE_2K, out, out_cache, replica, cache, data, NULL), "comm_d_new is NULL");
  FAILS(EMPTY, REMOVE(UPDATE_2K, NULL_BYTES, out_cache, replica, cache, data, comm_d), "sector_key_path is NULL");
  FAILS(MALFORMED, REMOVE(UPDATE_2K, none, out_cache, replica, cache, data, comm_d), "");
  FAILS(MALFORMED, REMOVE(UPDATE_2K, out, none, replica, cache, data, comm_d), "");
  FAILS(MALFORMED, REMOVE(UPDATE_2K, out, out_cache, none, cache, data, comm_d), "");
  FAILS(MALFORMED, REMOVE(UPDATE_2K, out, out_cache, replica, none, data, comm_d), "");
  FAILS(MALFORMED, REMOVE(UPDATE_2K, out, out_cache, replica, cache, none, comm_d), "");
  WITH_UNKNOWN_ENUMS(
      type, UPDATE_PROOFS,
      FAILS(BAD_ENUM, REMOVE(type, out, out_cache, replica, cache, data, comm_d), "RegisteredUpdateProof"));
#undef REMOVE
}

/* The two calls that read the sector's files share their arguments, and most refusals. */
static void refuses_to_prove_nonsense(void) {
  struct update u = encoded();
  struct path nowhere = work_path("missing");
  const slice_ref_uint8_t key = path_bytes(&u.key.sealed), key_cache = path_bytes(&u.key.cache),
                          replica = path_bytes(&u.replica), cache = path_bytes(&u.cache), none = path_bytes(&nowhere);
  const uint8_32_array_t *old = &u.key.comm_r, *new = &u.commitments.comm_r_new, *comm_d = &u.commitments.comm_d_new;
#define VANILLA generate_empty_sector_update_partition_proofs
#define PROVE generate_empty_sector_update_proof
  FAILS(EMPTY, VANILLA(UPDATE_2K, NULL, new, comm_d, key, key_cache, replica, cache), "comm_r_old is NULL");
  FAILS(EMPTY, VANILLA(UPDATE_2K, old, NULL, comm_d, key, key_cache, replica, cache), "comm_r_new is NULL");
  FAILS(EMPTY, VANILLA(UPDATE_2K, old, new, NULL, key, key_cache, replica, cache), "comm_d_new is NULL");
  FAILS(EMPTY, VANILLA(UPDATE_2K, old, new, comm_d, NULL_BYTES, key_cache, replica, cache), "sector_key_path is NULL");
  FAILS(EMPTY, PROVE(UPDATE_2K, NULL, new, comm_d, key, key_cache, replica, cache), "comm_r_old is NULL");
  FAILS(EMPTY, PROVE(UPDATE_2K, old, NULL, comm_d, key, key_cache, replica, cache), "comm_r_new is NULL");
  FAILS(EMPTY, PROVE(UPDATE_2K, old, new, NULL, key, key_cache, replica, cache), "comm_d_new is NULL");
  FAILS(EMPTY, PROVE(UPDATE_2K, old, new, comm_d, key, key_cache, NULL_BYTES, cache), "replica_path is NULL");
  FAILS(MALFORMED, VANILLA(UPDATE_2K, old, new, comm_d, none, key_cache, replica, cache), "");
  FAILS(MALFORMED, VANILLA(UPDATE_2K, old, new, comm_d, key, none, replica, cache), "");
  FAILS(MALFORMED, VANILLA(UPDATE_2K, old, new, comm_d, key, key_cache, none, cache), "");
  FAILS(MALFORMED, VANILLA(UPDATE_2K, old, new, comm_d, key, key_cache, replica, none), "");
  FAILS(MALFORMED, PROVE(UPDATE_2K, old, new, comm_d, key, none, replica, cache), "");
  FAILS(MALFORMED, PROVE(UPDATE_2K, old, new, comm_d, key, key_cache, none, cache), "");
  WITH_UNKNOWN_ENUMS(type, UPDATE_PROOFS, {
    FAILS(BAD_ENUM, VANILLA(type, old, new, comm_d, key, key_cache, replica, cache), "RegisteredUpdateProof");
    FAILS(BAD_ENUM, PROVE(type, old, new, comm_d, key, key_cache, replica, cache), "RegisteredUpdateProof");
  });
#undef VANILLA
#undef PROVE
}

/* Verifies a proof with each argument right, wrong and malformed. */
static void check_proof(const struct update *u, slice_ref_uint8_t proof) {
  const uint8_32_array_t *old = &u->key.comm_r, *new = &u->commitments.comm_r_new, *comm_d = &u->commitments.comm_d_new;
  const uint8_32_array_t other = filled_32(1);
  uint8_32_array_t large;
  memset(&large, 0xff, sizeof large);
  uint8_t exchanged[PROOF_BYTES]; /* the points A and C of the first partition, both of G1 */
  CHECK(proof.len == PROOF_BYTES);
  memcpy(exchanged, proof.ptr + 144, 48);
  memcpy(exchanged + 48, proof.ptr + 48, 96);
  memcpy(exchanged + 144, proof.ptr, 48);
#define VERIFY verify_empty_sector_update_proof
  VERDICT(SUCCESS, true, verify_empty_sector_update_proof(UPDATE_2K, proof, old, new, comm_d));
  VERDICT(SUCCESS, false, VERIFY(UPDATE_2K, proof, &other, new, comm_d));
  VERDICT(SUCCESS, false, VERIFY(UPDATE_2K, proof, old, &other, comm_d));
  VERDICT(SUCCESS, false, VERIFY(UPDATE_2K, proof, old, new, &other));
  VERDICT(SUCCESS, false, VERIFY(UPDATE_2K, bytes(exchanged, PROOF_BYTES), old, new, comm_d));
  FAILS(EMPTY, VERIFY(UPDATE_2K, NO_BYTES, old, new, comm_d), "");
  FAILS(EMPTY, VERIFY(UPDATE_2K, NULL_BYTES, old, new, comm_d), "proof is NULL");
  FAILS(EMPTY, VERIFY(UPDATE_2K, proof, NULL, new, comm_d), "comm_r_old is NULL");
  FAILS(EMPTY, VERIFY(UPDATE_2K, proof, old, NULL, comm_d), "comm_r_new is NULL");
  FAILS(EMPTY, VERIFY(UPDATE_2K, proof, old, new, NULL), "comm_d_new is NULL");
  FAILS(MALFORMED, VERIFY(UPDATE_2K, bytes(proof.ptr, proof.len - 1), old, new, comm_d), "");
  FAILS(MALFORMED, VERIFY(UPDATE_2K, proof, &large, new, comm_d), "");
  memset(exchanged, 0xff, 48);
  FAILS(MALFORMED, VERIFY(UPDATE_2K, bytes(exchanged, PROOF_BYTES), old, new, comm_d), "");
  WITH_UNKNOWN_ENUMS(type, UPDATE_PROOFS,
                     FAILS(BAD_ENUM, VERIFY(type, proof, old, new, comm_d), "RegisteredUpdateProof"));
#undef VERIFY
}

static void check_vanilla(const struct update *u, slice_ref_slice_boxed_uint8_t vanilla) {
  const uint8_32_array_t *old = &u->key.comm_r, *new = &u->commitments.comm_r_new, *comm_d = &u->commitments.comm_d_new;
  const uint8_32_array_t other = filled_32(1);
  slice_boxed_uint8_t cut = {vanilla.ptr[0].ptr, 5};
  const slice_ref_slice_boxed_uint8_t torn = {&cut, 1};
#define VERIFY verify_empty_sector_update_partition_proofs
#define PROVE generate_empty_sector_update_proof_with_vanilla
  VERDICT(SUCCESS, true, verify_empty_sector_update_partition_proofs(UPDATE_2K, vanilla, old, new, comm_d));
  VERDICT(SUCCESS, false, VERIFY(UPDATE_2K, vanilla, old, &other, comm_d));
  FAILS(EMPTY, VERIFY(UPDATE_2K, NO_LIST(slice_ref_slice_boxed_uint8_t), old, new, comm_d), "");
  FAILS(EMPTY, VERIFY(UPDATE_2K, NULL_LIST(slice_ref_slice_boxed_uint8_t), old, new, comm_d), "proofs is NULL");
  FAILS(EMPTY, VERIFY(UPDATE_2K, vanilla, NULL, new, comm_d), "comm_r_old is NULL");
  FAILS(EMPTY, VERIFY(UPDATE_2K, vanilla, old, NULL, comm_d), "comm_r_new is NULL");
  FAILS(EMPTY, VERIFY(UPDATE_2K, vanilla, old, new, NULL), "comm_d_new is NULL");
  FAILS(MALFORMED, VERIFY(UPDATE_2K, torn, old, new, comm_d), "");
  FAILS(EMPTY, PROVE(UPDATE_2K, NO_LIST(slice_ref_slice_boxed_uint8_t), old, new, comm_d), "");
  FAILS(EMPTY, PROVE(UPDATE_2K, NULL_LIST(slice_ref_slice_boxed_uint8_t), old, new, comm_d), "vanilla_proofs is NULL");
  FAILS(EMPTY, PROVE(UPDATE_2K, vanilla, NULL, new, comm_d), "comm_r_old is NULL");
  FAILS(MALFORMED, PROVE(UPDATE_2K, torn, old, new, comm_d), "");
  WITH_UNKNOWN_ENUMS(type, UPDATE_PROOFS, {
    FAILS(BAD_ENUM, VERIFY(type, vanilla, old, new, comm_d), "RegisteredUpdateProof");
    FAILS(BAD_ENUM, PROVE(type, vanilla, old, new, comm_d), "RegisteredUpdateProof");
  });
#undef VERIFY
#undef PROVE
}

static void proves_from_vanilla(void) {
  struct update u = encoded();
  const uint8_32_array_t *old = &u.key.comm_r, *new = &u.commitments.comm_r_new, *comm_d = &u.commitments.comm_d_new;
  Result_slice_boxed_slice_boxed_uint8_t *vanilla = WORKS(generate_empty_sector_update_partition_proofs(
      UPDATE_2K, old, new, comm_d, path_bytes(&u.key.sealed), path_bytes(&u.key.cache), path_bytes(&u.replica),
      path_bytes(&u.cache)));
  CHECK(vanilla->value.len == 1);
  const slice_ref_slice_boxed_uint8_t proofs = {vanilla->value.ptr, vanilla->value.len};
  check_vanilla(&u, proofs);
  Result_slice_boxed_uint8_t *proof =
      WORKS(generate_empty_sector_update_proof_with_vanilla(UPDATE_2K, proofs, old, new, comm_d));
  check_proof(&u, whole(proof->value));
  TRY(SUCCESS, destroy_empty_sector_update_generate_proof_response(proof));
  TRY(SUCCESS, destroy_generate_empty_sector_update_partition_proof_response(vanilla));
}

static void proves_from_files(void) {
  struct update u = encoded();
  const uint8_32_array_t *old = &u.key.comm_r, *new = &u.commitments.comm_r_new, *comm_d = &u.commitments.comm_d_new;
  Result_slice_boxed_uint8_t *proof =
      WORKS(generate_empty_sector_update_proof(UPDATE_2K, old, new, comm_d, path_bytes(&u.key.sealed),
                                               path_bytes(&u.key.cache), path_bytes(&u.replica), path_bytes(&u.cache)));
  VERDICT(SUCCESS, true, verify_empty_sector_update_proof(UPDATE_2K, whole(proof->value), old, new, comm_d));
  DESTROY(proof);
}

static const struct check_case CASES[] = {
    {"encodes new data", encodes_new_data},       {"refuses to encode nonsense", refuses_to_encode_nonsense},
    {"decodes the data", decodes_the_data},       {"decodes a range", decodes_a_range},
    {"removes the data", removes_the_data},       {"refuses to prove nonsense", refuses_to_prove_nonsense},
    {"proves from vanilla", proves_from_vanilla}, {"proves from files", proves_from_files},
};
CHECK_MAIN("update", CASES)
