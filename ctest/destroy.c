/*
 * Destructors. All of one type are the same operation: each frees a success and a failure of its type, and NULL. A leak
 * checker sees what is forgotten, and AddressSanitizer what is freed twice.
 */
#include "fixture.h"

/* A success and a failure of the types that have several destructors. */
static Result_bool_t *verdict(bool good) {
  struct sector s = sealed_sector(SEAL_2K, 42);
  slice_boxed_uint8_t proof = seal_proof_of(&s);
  Result_bool_t *response =
      verify_seal(good ? SEAL_2K : -1, &s.comm_r, &s.comm_d, &s.prover, &s.ticket, &s.seed, s.id, whole(proof));
  destroy_boxed_slice(proof);
  return response;
}

static Result_void_t *nothing(bool good) {
  struct path missing = work_path("missing");
  return clear_cache(good ? path_bytes(&missing) : NULL_BYTES);
}

static Result_uint8_32_array_t *commitment(bool good) {
  return generate_data_commitment(good ? SEAL_2K : -1, NO_LIST(slice_ref_PublicPieceInfo_t));
}

static Result_slice_boxed_uint8_t *some_bytes(bool good) { return get_seal_version(good ? SEAL_2K : -1); }

static Result_slice_boxed_slice_boxed_uint8_t *lists(bool good) {
  static const uint8_32_array_t ZERO;
  return good ? get_gpu_devices()
              : generate_empty_sector_update_partition_proofs(-1, &ZERO, &ZERO, &ZERO, NO_BYTES, NO_BYTES, NO_BYTES,
                                                              NO_BYTES);
}

#define FREES(destructor, make)                                                                                        \
  do {                                                                                                                 \
    TRY(EMPTY, destructor(NULL));                                                                                      \
    TRY(SUCCESS, destructor(checked(make(true), 0)));                                                                  \
    TRY(SUCCESS, destructor(checked(make(false), 1)));                                                                 \
  } while (0)

static void *checked(const void *response, FCPResponseStatus_t status) {
  CHECK(response != NULL);
  FCPResponseStatus_t found;
  memcpy(&found, response, sizeof found);
  CHECK(found == status);
  return (void *)response;
}

static void frees_verdicts(void) {
  FREES(destroy_verify_seal_response, verdict);
  FREES(destroy_verify_winning_post_response, verdict);
  FREES(destroy_verify_window_post_response, verdict);
  FREES(destroy_verify_aggregate_seal_response, verdict);
  FREES(destroy_verify_empty_sector_update_partition_proof_response, verdict);
  FREES(destroy_empty_sector_update_verify_proof_response, verdict);
}

static void frees_nothings(void) {
  FREES(destroy_unseal_range_response, nothing);
  FREES(destroy_clear_cache_response, nothing);
  FREES(destroy_generate_sdr_response, nothing);
  FREES(destroy_generate_synth_proofs_response, nothing);
  FREES(destroy_init_log_fd_response, nothing);
  FREES(destroy_empty_sector_update_decode_from_response, nothing);
  FREES(destroy_empty_sector_update_decode_from_range_response, nothing);
  FREES(destroy_empty_sector_update_remove_encoded_data_response, nothing);
}

static void frees_commitments(void) {
  FREES(destroy_generate_data_commitment_response, commitment);
  FREES(destroy_fauxrep_response, commitment);
  FREES(destroy_finalize_ticket_response, commitment);
  FREES(destroy_generate_tree_c_response, commitment);
  FREES(destroy_generate_tree_r_last_response, commitment);
}

static void frees_bytes(void) {
  FREES(destroy_seal_pre_commit_phase1_response, some_bytes);
  FREES(destroy_seal_commit_phase1_response, some_bytes);
  FREES(destroy_seal_commit_phase2_response, some_bytes);
  FREES(destroy_generate_single_vanilla_proof_response, some_bytes);
  FREES(destroy_aggregate_proof, some_bytes);
  FREES(destroy_empty_sector_update_generate_proof_response, some_bytes);
  FREES(destroy_fvm_machine_flush_response, some_bytes);
  FREES(destroy_string_response, some_bytes);
}

static void frees_lists(void) {
  FREES(destroy_gpu_device_response, lists);
  FREES(destroy_generate_empty_sector_update_partition_proof_response, lists);
}

/* Their successes are freed where they are made: in pieces.c, seal.c, post.c, update.c and fvm.c. */
static void frees_null_of_types_with_one_destructor(void) {
  TRY(EMPTY, destroy_write_with_alignment_response(NULL));
  TRY(EMPTY, destroy_write_without_alignment_response(NULL));
  TRY(EMPTY, destroy_generate_piece_commitment_response(NULL));
  TRY(EMPTY, destroy_seal_pre_commit_phase2_response(NULL));
  TRY(EMPTY, destroy_generate_winning_post_sector_challenge(NULL));
  TRY(EMPTY, destroy_generate_fallback_sector_challenges_response(NULL));
  TRY(EMPTY, destroy_generate_winning_post_response(NULL));
  TRY(EMPTY, destroy_generate_window_post_response(NULL));
  TRY(EMPTY, destroy_generate_single_window_post_with_vanilla_response(NULL));
  TRY(EMPTY, destroy_merge_window_post_partition_proofs_response(NULL));
  TRY(EMPTY, destroy_get_num_partition_for_fallback_post_response(NULL));
  TRY(EMPTY, destroy_empty_sector_update_encode_into_response(NULL));
  TRY(EMPTY, destroy_create_fvm_machine_response(NULL));
  TRY(EMPTY, destroy_fvm_machine_execute_response(NULL));
  TRY(EMPTY, drop_fvm_machine(NULL));
}

static void frees_bls_arrays(void) {
  TRY(EMPTY, destroy_box_bls_private_key(NULL));
  TRY(EMPTY, destroy_box_bls_public_key(NULL));
  TRY(EMPTY, destroy_box_bls_digest(NULL));
  TRY(EMPTY, destroy_box_bls_signature(NULL));
  uint8_32_array_t *key = private_key_generate();
  uint8_48_array_t *public = private_key_public_key(bytes(key, 32));
  TRY(SUCCESS, destroy_box_bls_public_key(public));
  TRY(SUCCESS, destroy_box_bls_private_key(key));
  /* Signatures and digests are the same type. */
  TRY(SUCCESS, destroy_box_bls_digest(create_zero_signature()));
  TRY(SUCCESS, destroy_box_bls_signature(hash(text("message"))));
}

static const struct check_case CASES[] = {
    {"frees verdicts", frees_verdicts},
    {"frees nothings", frees_nothings},
    {"frees commitments", frees_commitments},
    {"frees bytes", frees_bytes},
    {"frees lists", frees_lists},
    {"frees NULL of types with one destructor", frees_null_of_types_with_one_destructor},
    {"frees BLS arrays", frees_bls_arrays},
};
CHECK_MAIN("destroy", CASES)
