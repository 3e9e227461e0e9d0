/* Winning and Window PoSt: challenges, vanilla proofs, proving in all forms, verification, faulty sectors. */
#include "fixture.h"

static const uint64_t ID = 42;

static slice_ref_PoStProof_t one_proof(PoStProof_t *proof) { return (slice_ref_PoStProof_t){proof, 1}; }

static slice_ref_PublicReplicaInfo_t one_public(PublicReplicaInfo_t *replica) {
  return (slice_ref_PublicReplicaInfo_t){replica, 1};
}

static slice_ref_PrivateReplicaInfo_t one_private(PrivateReplicaInfo_t *replica) {
  return (slice_ref_PrivateReplicaInfo_t){replica, 1};
}

static slice_ref_slice_boxed_uint8_t one_blob(slice_boxed_uint8_t *blob) {
  return (slice_ref_slice_boxed_uint8_t){blob, 1};
}

/* Not a field element: above the modulus. */
static uint8_32_array_t too_large(void) {
  uint8_32_array_t value;
  memset(&value, 0xff, sizeof value);
  return value;
}

static void challenges_winning_sectors(void) {
  uint8_32_array_t randomness = post_randomness(), prover = filled_32(9), large = too_large();
  for (uint64_t sectors = 1; sectors < 1000; sectors += 37) {
    Result_slice_boxed_uint64_t *challenged =
        WORKS(generate_winning_post_sector_challenge(WINNING_2K, &randomness, sectors, &prover));
    CHECK(challenged->value.len == 1 && challenged->value.ptr[0] < sectors);
    TRY(SUCCESS, destroy_generate_winning_post_sector_challenge(challenged));
  }
  FAILS(EMPTY, generate_winning_post_sector_challenge(WINNING_2K, NULL, 1, &prover), "argument randomness is NULL");
  FAILS(EMPTY, generate_winning_post_sector_challenge(WINNING_2K, &randomness, 1, NULL), "argument prover_id is NULL");
  FAILS(MALFORMED, generate_winning_post_sector_challenge(WINNING_2K, &randomness, 0, &prover), "");
  FAILS(MALFORMED, generate_winning_post_sector_challenge(WINDOW_2K, &randomness, 1, &prover), "invalid post type");
  FAILS(MALFORMED, generate_winning_post_sector_challenge(WINNING_2K, &large, 1, &prover),
        "could not be converted to Fr");
  WITH_UNKNOWN_ENUMS(
      type, POST_PROOFS,
      FAILS(BAD_ENUM, generate_winning_post_sector_challenge(type, &randomness, 1, &prover), "RegisteredPoStProof"));
}

static void challenges_leaves_by_ascending_id(void) {
  static const uint64_t IDS[] = {7, 3, 7, UINT32_MAX, 1};
  static const uint64_t SORTED[] = {1, 3, 7, UINT32_MAX};
  uint8_32_array_t randomness = post_randomness(), prover = filled_32(9), large = too_large();
  const slice_ref_uint64_t ids = LIST(slice_ref_uint64_t, IDS);
  Result_GenerateFallbackSectorChallenges_t *all =
      WORKS(generate_fallback_sector_challenges(WINDOW_2K, &randomness, ids, &prover));
  CHECK(all->value.ids.len == 4 && memcmp(all->value.ids.ptr, SORTED, sizeof SORTED) == 0);
  CHECK(all->value.challenges.len == 4);
  for (size_t i = 0; i < 4; i++) {
    CHECK(all->value.challenges.ptr[i].len == 10);
    for (size_t j = 0; j < 10; j++) {
      CHECK(all->value.challenges.ptr[i].ptr[j] < SECTOR_BYTES / 32);
    }
  }
  TRY(SUCCESS, destroy_generate_fallback_sector_challenges_response(all));

  FAILS(EMPTY, generate_fallback_sector_challenges(WINDOW_2K, NULL, ids, &prover), "argument randomness is NULL");
  FAILS(EMPTY, generate_fallback_sector_challenges(WINDOW_2K, &randomness, ids, NULL), "argument prover_id is NULL");
  FAILS(EMPTY, generate_fallback_sector_challenges(WINDOW_2K, &randomness, NO_LIST(slice_ref_uint64_t), &prover),
        "no sectors supplied");
  FAILS(EMPTY, generate_fallback_sector_challenges(WINDOW_2K, &randomness, NULL_LIST(slice_ref_uint64_t), &prover),
        "argument sector_ids is NULL");
  FAILS(MALFORMED, generate_fallback_sector_challenges(WINDOW_2K, &large, ids, &prover),
        "could not be converted to Fr");
  WITH_UNKNOWN_ENUMS(
      type, POST_PROOFS,
      FAILS(BAD_ENUM, generate_fallback_sector_challenges(type, &randomness, ids, &prover), "RegisteredPoStProof"));
}

/* The vanilla proof of the sector's own challenges; destroy it. */
static Result_slice_boxed_uint8_t *vanilla_proof(const struct sector *sector, RegisteredPoStProof_t type) {
  uint8_32_array_t randomness = post_randomness();
  Result_GenerateFallbackSectorChallenges_t *all = WORKS(
      generate_fallback_sector_challenges(type, &randomness, (slice_ref_uint64_t){&sector->id, 1}, &sector->prover));
  const slice_boxed_uint64_t own = all->value.challenges.ptr[0];
  Result_slice_boxed_uint8_t *proof =
      WORKS(generate_single_vanilla_proof(private_replica(sector, type), (slice_ref_uint64_t){own.ptr, own.len}));
  CHECK(proof->value.len > 0);
  DESTROY(all);
  return proof;
}

/* The call frees the two paths of the replica on every way out; a leak checker would see the ones it forgot. */
static void takes_over_the_replica(void) {
  struct sector sector = sealed_sector(SEAL_2K, ID), elsewhere = sector, other = sector;
  elsewhere.cache = elsewhere.sealed = work_path("missing");
  other.comm_r = filled_32(0);
  static const uint64_t CHALLENGES[] = {1, 2, 3}, OUT_OF_RANGE[] = {UINT64_MAX};
  const slice_ref_uint64_t challenges = LIST(slice_ref_uint64_t, CHALLENGES);
  Result_slice_boxed_uint8_t *proof =
      WORKS(generate_single_vanilla_proof(private_replica(&sector, WINDOW_2K), challenges));
  TRY(SUCCESS, destroy_generate_single_vanilla_proof_response(proof));

  FAILS(EMPTY, generate_single_vanilla_proof(private_replica(&sector, WINDOW_2K), NO_LIST(slice_ref_uint64_t)),
        "no challenges supplied");
  FAILS(EMPTY, generate_single_vanilla_proof(private_replica(&sector, WINDOW_2K), NULL_LIST(slice_ref_uint64_t)),
        "argument challenges is NULL");
  PrivateReplicaInfo_t no_paths = {.registered_proof = WINDOW_2K, .comm_r = sector.comm_r};
  FAILS(EMPTY, generate_single_vanilla_proof(no_paths, challenges), "");
  FAILS(MALFORMED, generate_single_vanilla_proof(private_replica(&elsewhere, WINDOW_2K), challenges), "");
  FAILS(MALFORMED, generate_single_vanilla_proof(private_replica(&other, WINDOW_2K), challenges),
        "Invalid all zero commitment (comm_r)");
  FAILS(MALFORMED,
        generate_single_vanilla_proof(private_replica(&sector, WINDOW_2K), LIST(slice_ref_uint64_t, OUT_OF_RANGE)), "");
  WITH_UNKNOWN_ENUMS(type, POST_PROOFS,
                     FAILS(BAD_ENUM, generate_single_vanilla_proof(private_replica(&sector, type), challenges),
                           "RegisteredPoStProof"));
}

struct post {
  uint8_32_array_t randomness, prover, other, large;
  PublicReplicaInfo_t replica, other_replica, other_id;
  PoStProof_t proof, short_proof, flipped_proof, undecodable;
};

static struct post post_of(RegisteredPoStProof_t type) {
  struct sector sector = sealed_sector(SEAL_2K, ID);
  struct post post = {.randomness = post_randomness(), .prover = sector.prover, .other = filled_32(1)};
  post.large = too_large();
  post.replica = post.other_replica = post.other_id = public_replica(&sector, type);
  post.other_replica.comm_r = filled_32(4);
  post.other_id.sector_id++;
  post.proof = (PoStProof_t){type, post_proof_of(&sector, type)};
  CHECK(post.proof.proof.len == PROOF_BYTES);
  post.short_proof = (PoStProof_t){type, boxed(post.proof.proof.ptr, PROOF_BYTES - 1)};
  post.flipped_proof = (PoStProof_t){type, boxed(post.proof.proof.ptr, PROOF_BYTES)};
  post.undecodable = (PoStProof_t){type, boxed(post.proof.proof.ptr, PROOF_BYTES)};
  memset(post.undecodable.proof.ptr, 0xff, 48);
  /* The proof's points A and C both lie in G1: exchanged, they still decode. */
  memcpy(post.flipped_proof.proof.ptr, post.proof.proof.ptr + 144, 48);
  memcpy(post.flipped_proof.proof.ptr + 144, post.proof.proof.ptr, 48);
  return post;
}

static void release(struct post *post) {
  destroy_boxed_slice(post->proof.proof);
  destroy_boxed_slice(post->short_proof.proof);
  destroy_boxed_slice(post->flipped_proof.proof);
  destroy_boxed_slice(post->undecodable.proof);
}

static void verifies_winning(void) {
  struct post p = post_of(WINNING_2K);
  const slice_ref_PoStProof_t proof = one_proof(&p.proof);
  const slice_ref_PublicReplicaInfo_t replica = one_public(&p.replica);
  PublicReplicaInfo_t window = p.replica, unknown = p.replica;
  window.registered_proof = WINDOW_2K;
  VERDICT(SUCCESS, true, verify_winning_post(&p.randomness, replica, proof, &p.prover));
  VERDICT(SUCCESS, false, verify_winning_post(&p.other, replica, proof, &p.prover));
  VERDICT(SUCCESS, false, verify_winning_post(&p.randomness, one_public(&p.other_replica), proof, &p.prover));
  VERDICT(SUCCESS, false, verify_winning_post(&p.randomness, one_public(&p.other_id), proof, &p.prover));
  VERDICT(SUCCESS, false, verify_winning_post(&p.randomness, replica, one_proof(&p.flipped_proof), &p.prover));

  FAILS(EMPTY, verify_winning_post(NULL, replica, proof, &p.prover), "argument randomness is NULL");
  FAILS(EMPTY, verify_winning_post(&p.randomness, replica, proof, NULL), "argument prover_id is NULL");
  FAILS(EMPTY, verify_winning_post(&p.randomness, NO_LIST(slice_ref_PublicReplicaInfo_t), proof, &p.prover),
        "no replicas supplied");
  FAILS(EMPTY, verify_winning_post(&p.randomness, NULL_LIST(slice_ref_PublicReplicaInfo_t), proof, &p.prover),
        "argument replicas is NULL");
  FAILS(EMPTY, verify_winning_post(&p.randomness, replica, NO_LIST(slice_ref_PoStProof_t), &p.prover), "");
  FAILS(EMPTY, verify_winning_post(&p.randomness, replica, NULL_LIST(slice_ref_PoStProof_t), &p.prover),
        "argument proofs is NULL");
  FAILS(MALFORMED, verify_winning_post(&p.large, replica, proof, &p.prover), "could not be converted to Fr");
  FAILS(MALFORMED, verify_winning_post(&p.randomness, one_public(&window), proof, &p.prover), "invalid post type");
  FAILS(MALFORMED, verify_winning_post(&p.randomness, replica, one_proof(&p.short_proof), &p.prover), "");
  FAILS(MALFORMED, verify_winning_post(&p.randomness, replica, one_proof(&p.undecodable), &p.prover), "");
  WITH_UNKNOWN_ENUMS(type, POST_PROOFS, {
    unknown.registered_proof = type;
    FAILS(BAD_ENUM, verify_winning_post(&p.randomness, one_public(&unknown), proof, &p.prover), "RegisteredPoStProof");
  });
  release(&p);
}

static void verifies_window(void) {
  struct post p = post_of(WINDOW_2K);
  const slice_ref_PoStProof_t proof = one_proof(&p.proof);
  const slice_ref_PublicReplicaInfo_t replica = one_public(&p.replica);
  PoStProof_t twice[] = {p.proof, p.proof}, older = p.proof, unknown_proof = p.proof;
  PublicReplicaInfo_t winning = p.replica, unknown = p.replica, older_replica = p.replica;
  winning.registered_proof = WINNING_2K;
  older.registered_proof = older_replica.registered_proof = REGISTERED_PO_ST_PROOF_STACKED_DRG_WINDOW2_KI_B_V1;
  VERDICT(SUCCESS, true, verify_window_post(&p.randomness, replica, proof, &p.prover));
  VERDICT(SUCCESS, false, verify_window_post(&p.other, replica, proof, &p.prover));
  VERDICT(SUCCESS, false, verify_window_post(&p.randomness, one_public(&p.other_replica), proof, &p.prover));
  VERDICT(SUCCESS, false, verify_window_post(&p.randomness, one_public(&p.other_id), proof, &p.prover));
  VERDICT(SUCCESS, false, verify_window_post(&p.randomness, replica, one_proof(&p.flipped_proof), &p.prover));
  FAILS(MALFORMED, verify_window_post(&p.randomness, one_public(&older_replica), proof, &p.prover), "");
  FAILS(MALFORMED, verify_window_post(&p.randomness, replica, one_proof(&older), &p.prover), "");

  FAILS(EMPTY, verify_window_post(NULL, replica, proof, &p.prover), "argument randomness is NULL");
  FAILS(EMPTY, verify_window_post(&p.randomness, replica, proof, NULL), "argument prover_id is NULL");
  FAILS(EMPTY, verify_window_post(&p.randomness, NO_LIST(slice_ref_PublicReplicaInfo_t), proof, &p.prover),
        "no replicas supplied");
  FAILS(EMPTY, verify_window_post(&p.randomness, NULL_LIST(slice_ref_PublicReplicaInfo_t), proof, &p.prover),
        "argument replicas is NULL");
  FAILS(EMPTY, verify_window_post(&p.randomness, replica, NO_LIST(slice_ref_PoStProof_t), &p.prover), "");
  FAILS(EMPTY, verify_window_post(&p.randomness, replica, NULL_LIST(slice_ref_PoStProof_t), &p.prover),
        "argument proofs is NULL");
  FAILS(MALFORMED, verify_window_post(&p.large, replica, proof, &p.prover), "could not be converted to Fr");
  FAILS(MALFORMED, verify_window_post(&p.randomness, one_public(&winning), proof, &p.prover), "");
  FAILS(MALFORMED, verify_window_post(&p.randomness, replica, LIST(slice_ref_PoStProof_t, twice), &p.prover), "");
  FAILS(MALFORMED, verify_window_post(&p.randomness, replica, one_proof(&p.short_proof), &p.prover), "");
  FAILS(MALFORMED, verify_window_post(&p.randomness, replica, one_proof(&p.undecodable), &p.prover), "");
  WITH_UNKNOWN_ENUMS(type, POST_PROOFS, {
    unknown.registered_proof = type;
    unknown_proof.registered_proof = type;
    FAILS(BAD_ENUM, verify_window_post(&p.randomness, one_public(&unknown), proof, &p.prover), "RegisteredPoStProof");
    FAILS(BAD_ENUM, verify_window_post(&p.randomness, replica, one_proof(&unknown_proof), &p.prover),
          "RegisteredPoStProof");
  });
  release(&p);
}

/* The same refusals from both calls that prove from sealed files. */
static void refuses_to_prove_nonsense(void) {
  struct sector sector = sealed_sector(SEAL_2K, ID);
  uint8_32_array_t randomness = post_randomness(), prover = sector.prover, large = too_large();
  PrivateReplicaInfo_t winning = private_replica(&sector, WINNING_2K), window = private_replica(&sector, WINDOW_2K);
  const slice_ref_PrivateReplicaInfo_t none = NO_LIST(slice_ref_PrivateReplicaInfo_t);
  const slice_ref_PrivateReplicaInfo_t absent = NULL_LIST(slice_ref_PrivateReplicaInfo_t);
  FAILS(EMPTY, generate_winning_post(NULL, one_private(&winning), &prover), "argument randomness is NULL");
  FAILS(EMPTY, generate_winning_post(&randomness, one_private(&winning), NULL), "argument prover_id is NULL");
  FAILS(EMPTY, generate_winning_post(&randomness, none, &prover), "no replicas supplied");
  FAILS(EMPTY, generate_winning_post(&randomness, absent, &prover), "argument replicas is NULL");
  FAILS(EMPTY, generate_window_post(NULL, one_private(&window), &prover), "argument randomness is NULL");
  FAILS(EMPTY, generate_window_post(&randomness, one_private(&window), NULL), "argument prover_id is NULL");
  FAILS(EMPTY, generate_window_post(&randomness, none, &prover), "no replicas supplied");
  FAILS(EMPTY, generate_window_post(&randomness, absent, &prover), "argument replicas is NULL");
  FAILS(MALFORMED, generate_winning_post(&randomness, one_private(&window), &prover), "invalid post type provided");
  FAILS(MALFORMED, generate_window_post(&randomness, one_private(&winning), &prover), "invalid post type provided");
  FAILS(MALFORMED, generate_winning_post(&large, one_private(&winning), &prover), "could not be converted to Fr");
  FAILS(MALFORMED, generate_window_post(&large, one_private(&window), &prover), "");
  WITH_UNKNOWN_ENUMS(type, POST_PROOFS, {
    winning.registered_proof = window.registered_proof = type;
    FAILS(BAD_ENUM, generate_winning_post(&randomness, one_private(&winning), &prover), "RegisteredPoStProof");
    FAILS(BAD_ENUM, generate_window_post(&randomness, one_private(&window), &prover), "RegisteredPoStProof");
  });
  release_replica(&winning);
  release_replica(&window);
}

static void proves_winning_from_vanilla(void) {
  struct sector sector = sealed_sector(SEAL_2K, ID);
  uint8_32_array_t randomness = post_randomness(), large = too_large();
  Result_slice_boxed_uint8_t *vanilla = vanilla_proof(&sector, WINNING_2K);
  const slice_ref_slice_boxed_uint8_t proofs = one_blob(&vanilla->value);
  slice_boxed_uint8_t cut = {vanilla->value.ptr, vanilla->value.len / 2};
  const slice_ref_slice_boxed_uint8_t none = NO_LIST(slice_ref_slice_boxed_uint8_t),
                                      absent = NULL_LIST(slice_ref_slice_boxed_uint8_t);
  Result_slice_boxed_PoStProof_t *post =
      WORKS(generate_winning_post_with_vanilla(WINNING_2K, &randomness, &sector.prover, proofs));
  CHECK(post->value.len == 1 && post->value.ptr[0].proof.len == PROOF_BYTES);
  PublicReplicaInfo_t replica = public_replica(&sector, WINNING_2K);
  VERDICT(SUCCESS, true,
          verify_winning_post(&randomness, one_public(&replica), one_proof(post->value.ptr), &sector.prover));
  TRY(SUCCESS, destroy_generate_winning_post_response(post));

  FAILS(EMPTY, generate_winning_post_with_vanilla(WINNING_2K, NULL, &sector.prover, proofs), "randomness is NULL");
  FAILS(EMPTY, generate_winning_post_with_vanilla(WINNING_2K, &randomness, NULL, proofs), "prover_id is NULL");
  FAILS(EMPTY, generate_winning_post_with_vanilla(WINNING_2K, &randomness, &sector.prover, none),
        "vanilla_proofs cannot be an empty list");
  FAILS(EMPTY, generate_winning_post_with_vanilla(WINNING_2K, &randomness, &sector.prover, absent),
        "argument vanilla_proofs is NULL");
  FAILS(MALFORMED, generate_winning_post_with_vanilla(WINNING_2K, &randomness, &sector.prover, one_blob(&cut)), "");
  FAILS(MALFORMED, generate_winning_post_with_vanilla(WINNING_2K, &large, &sector.prover, proofs), "");
  WITH_UNKNOWN_ENUMS(type, POST_PROOFS,
                     FAILS(BAD_ENUM, generate_winning_post_with_vanilla(type, &randomness, &sector.prover, proofs),
                           "RegisteredPoStProof"));
  DESTROY(vanilla);
}

static void proves_window_from_vanilla(void) {
  struct sector sector = sealed_sector(SEAL_2K, ID);
  uint8_32_array_t randomness = post_randomness(), large = too_large();
  Result_slice_boxed_uint8_t *vanilla = vanilla_proof(&sector, WINDOW_2K);
  const slice_ref_slice_boxed_uint8_t proofs = one_blob(&vanilla->value);
  slice_boxed_uint8_t cut = {vanilla->value.ptr, vanilla->value.len / 2};
  const slice_ref_slice_boxed_uint8_t none = NO_LIST(slice_ref_slice_boxed_uint8_t),
                                      absent = NULL_LIST(slice_ref_slice_boxed_uint8_t);
  Result_GenerateWindowPoSt_t *post =
      WORKS(generate_window_post_with_vanilla(WINDOW_2K, &randomness, &sector.prover, proofs));
  CHECK(post->value.proofs.len == 1 && post->value.proofs.ptr[0].proof.len == PROOF_BYTES);
  PublicReplicaInfo_t replica = public_replica(&sector, WINDOW_2K);
  VERDICT(SUCCESS, true,
          verify_window_post(&randomness, one_public(&replica), one_proof(post->value.proofs.ptr), &sector.prover));
  TRY(SUCCESS, destroy_generate_window_post_response(post));

  FAILS(EMPTY, generate_window_post_with_vanilla(WINDOW_2K, NULL, &sector.prover, proofs), "randomness is NULL");
  FAILS(EMPTY, generate_window_post_with_vanilla(WINDOW_2K, &randomness, NULL, proofs), "prover_id is NULL");
  FAILS(EMPTY, generate_window_post_with_vanilla(WINDOW_2K, &randomness, &sector.prover, none),
        "vanilla_proofs cannot be an empty list");
  FAILS(EMPTY, generate_window_post_with_vanilla(WINDOW_2K, &randomness, &sector.prover, absent),
        "argument vanilla_proofs is NULL");
  FAILS(MALFORMED, generate_window_post_with_vanilla(WINDOW_2K, &randomness, &sector.prover, one_blob(&cut)), "");
  FAILS(MALFORMED, generate_window_post_with_vanilla(WINDOW_2K, &large, &sector.prover, proofs), "");
  WITH_UNKNOWN_ENUMS(type, POST_PROOFS,
                     FAILS(BAD_ENUM, generate_window_post_with_vanilla(type, &randomness, &sector.prover, proofs),
                           "RegisteredPoStProof"));
  DESTROY(vanilla);
}

static void proves_and_merges_partitions(void) {
  struct sector sector = sealed_sector(SEAL_2K, ID);
  uint8_32_array_t randomness = post_randomness(), large = too_large();
  const uint8_32_array_t *prover = &sector.prover;
  Result_slice_boxed_uint8_t *vanilla = vanilla_proof(&sector, WINDOW_2K);
  const slice_ref_slice_boxed_uint8_t proofs = one_blob(&vanilla->value);
  slice_boxed_uint8_t cut = {vanilla->value.ptr, 3};
  const slice_ref_slice_boxed_uint8_t none = NO_LIST(slice_ref_slice_boxed_uint8_t),
                                      absent = NULL_LIST(slice_ref_slice_boxed_uint8_t);
  Result_GenerateSingleWindowPoStWithVanilla_t *part =
      WORKS(generate_single_window_post_with_vanilla(WINDOW_2K, &randomness, prover, proofs, 0));
  CHECK(part->value.partition_proof.registered_proof == WINDOW_2K && part->value.faulty_sectors.len == 0);
  Result_PoStProof_t *merged =
      WORKS(merge_window_post_partition_proofs(WINDOW_2K, one_blob(&part->value.partition_proof.proof)));
  PublicReplicaInfo_t replica = public_replica(&sector, WINDOW_2K);
  VERDICT(SUCCESS, true, verify_window_post(&randomness, one_public(&replica), one_proof(&merged->value), prover));
  TRY(SUCCESS, destroy_generate_single_window_post_with_vanilla_response(part));
  TRY(SUCCESS, destroy_merge_window_post_partition_proofs_response(merged));

  FAILS(EMPTY, generate_single_window_post_with_vanilla(WINDOW_2K, NULL, prover, proofs, 0), "randomness is NULL");
  FAILS(EMPTY, generate_single_window_post_with_vanilla(WINDOW_2K, &randomness, NULL, proofs, 0), "prover_id is NULL");
  FAILS(EMPTY, generate_single_window_post_with_vanilla(WINDOW_2K, &randomness, prover, none, 0),
        "vanilla_proofs cannot be an empty list");
  FAILS(EMPTY, generate_single_window_post_with_vanilla(WINDOW_2K, &randomness, prover, absent, 0),
        "argument vanilla_proofs is NULL");
  FAILS(MALFORMED, generate_single_window_post_with_vanilla(WINDOW_2K, &randomness, prover, one_blob(&cut), 0), "");
  FAILS(MALFORMED, generate_single_window_post_with_vanilla(WINDOW_2K, &large, prover, proofs, 0), "");
  WITH_UNKNOWN_ENUMS(type, POST_PROOFS,
                     FAILS(BAD_ENUM, generate_single_window_post_with_vanilla(type, &randomness, prover, proofs, 0),
                           "RegisteredPoStProof"));
  DESTROY(vanilla);
}

static void merges_by_concatenation(void) {
  slice_boxed_uint8_t parts[] = {boxed("first", 5), boxed("", 0), boxed("second", 6)};
  Result_PoStProof_t *merged =
      WORKS(merge_window_post_partition_proofs(WINDOW_2K, LIST(slice_ref_slice_boxed_uint8_t, parts)));
  CHECK(merged->value.registered_proof == WINDOW_2K && same_bytes(merged->value.proof, "firstsecond", 11));
  DESTROY(merged);
  Result_PoStProof_t *nothing =
      TRY(EMPTY, merge_window_post_partition_proofs(WINDOW_2K, NO_LIST(slice_ref_slice_boxed_uint8_t)));
  CHECK(nothing->status_code == 0 && nothing->value.proof.len == 0 && (uintptr_t)nothing->value.proof.ptr >= 4096);
  DESTROY(nothing);
  FAILS(EMPTY, merge_window_post_partition_proofs(WINDOW_2K, NULL_LIST(slice_ref_slice_boxed_uint8_t)),
        "argument partition_proofs is NULL");
  slice_boxed_uint8_t absent = {NULL, 5}; /* what has no pointer has no bytes */
  Result_PoStProof_t *still_nothing = TRY(MALFORMED, merge_window_post_partition_proofs(WINDOW_2K, one_blob(&absent)));
  CHECK(still_nothing->status_code == 0 && still_nothing->value.proof.len == 0);
  DESTROY(still_nothing);
  WITH_UNKNOWN_ENUMS(type, POST_PROOFS,
                     FAILS(BAD_ENUM,
                           merge_window_post_partition_proofs(type, LIST(slice_ref_slice_boxed_uint8_t, parts)),
                           "RegisteredPoStProof"));
  for (size_t i = 0; i < 3; i++) {
    destroy_boxed_slice(parts[i]);
  }
}

/* Faulty sectors travel with an error. */
static void names_faulty_sectors(void) {
  struct sector sector = sealed_sector(SEAL_2K, ID), faulty = sealed_sector(SEAL_2K, ID + 1);
  struct path dir = fresh_dir("faulty");
  faulty.sealed = inside(&dir, "sealed");
  write_file(&faulty.sealed, "", 0);
  uint8_32_array_t randomness = post_randomness();
  PrivateReplicaInfo_t replicas[] = {private_replica(&sector, WINDOW_2K), private_replica(&faulty, WINDOW_2K)};
  Result_GenerateWindowPoSt_t *post =
      TRY(MALFORMED, generate_window_post(&randomness, LIST(slice_ref_PrivateReplicaInfo_t, replicas), &sector.prover));
  CHECK(post->status_code == 1 && post->value.proofs.len == 0);
  CHECK(post->value.faulty_sectors.len == 1 && post->value.faulty_sectors.ptr[0] == faulty.id);
  check_fails(post, "faulty sectors", "generate_window_post", __FILE__, __LINE__);
  DESTROY(post);
  release_replica(&replicas[0]);
  release_replica(&replicas[1]);
}

static void counts_partitions(void) {
  static const struct {
    RegisteredPoStProof_t type;
    size_t sectors, partitions;
  } ROWS[] = {{WINDOW_2K, 0, 1}, {WINDOW_2K, 1, 1}, {WINDOW_2K, 2, 1}, {WINDOW_2K, 3, 2},
              {13, 2349, 1},     {13, 2350, 2},     {14, 2300, 1},     {14, 2301, 2}};
  for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
    Result_size_t *count = WORKS(get_num_partition_for_fallback_post(ROWS[i].type, ROWS[i].sectors));
    CHECK(count->value == ROWS[i].partitions);
    TRY(SUCCESS, destroy_get_num_partition_for_fallback_post_response(count));
  }
  FAILS(MALFORMED, get_num_partition_for_fallback_post(WINNING_2K, 1), "");
  WITH_UNKNOWN_ENUMS(type, POST_PROOFS,
                     FAILS(BAD_ENUM, get_num_partition_for_fallback_post(type, 1), "RegisteredPoStProof"));
}

static const struct check_case CASES[] = {
    {"challenges winning sectors", challenges_winning_sectors},
    {"challenges leaves by ascending id", challenges_leaves_by_ascending_id},
    {"takes over the replica", takes_over_the_replica},
    {"verifies winning", verifies_winning},
    {"verifies window", verifies_window},
    {"refuses to prove nonsense", refuses_to_prove_nonsense},
    {"proves winning from vanilla", proves_winning_from_vanilla},
    {"proves window from vanilla", proves_window_from_vanilla},
    {"proves and merges partitions", proves_and_merges_partitions},
    {"merges by concatenation", merges_by_concatenation},
    {"names faulty sectors", names_faulty_sectors},
    {"counts partitions", counts_partitions},
};
CHECK_MAIN("post", CASES)
