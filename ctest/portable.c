/*
 * BLS and verification, for run.sh to repeat on an emulated x86-64 of 2008: without ADX, BMI2 and AVX an instruction
 * that was not asked for ends the program. The proofs were made before, natively.
 */
#include "fixture.h"

static void signs_verifies_and_aggregates(void) {
  static const size_t LENS[] = {3, 3};
  uint8_t keys[96], signatures[192];
  for (size_t i = 0; i < 2; i++) {
    uint8_32_array_t *key = private_key_generate();
    uint8_48_array_t *public = private_key_public_key(bytes(key, 32));
    uint8_96_array_t *signature = private_key_sign(bytes(key, 32), bytes("onetwo" + 3 * i, 3));
    memcpy(keys + 48 * i, public, 48);
    memcpy(signatures + 96 * i, signature, 96);
    destroy_box_bls_private_key(key);
    destroy_box_bls_public_key(public);
    destroy_box_bls_signature(signature);
  }
  uint8_96_array_t *sum = aggregate(bytes(signatures, 192));
  CHECK(hash_verify(bytes(sum, 96), text("onetwo"), LIST(slice_ref_size_t, LENS), bytes(keys, 96)));
  CHECK(!hash_verify(bytes(sum, 96), text("onetoo"), LIST(slice_ref_size_t, LENS), bytes(keys, 96)));
  destroy_box_bls_signature(sum);
}

static void verifies_a_seal(void) {
  struct sector s = sealed_sector(SEAL_2K, 42);
  slice_boxed_uint8_t proof = seal_proof_of(&s);
  VERDICT(SUCCESS, true, verify_seal(SEAL_2K, &s.comm_r, &s.comm_d, &s.prover, &s.ticket, &s.seed, s.id, whole(proof)));
  VERDICT(SUCCESS, false,
          verify_seal(SEAL_2K, &s.comm_r, &s.comm_d, &s.prover, &s.ticket, &s.seed, s.id + 1, whole(proof)));
  destroy_boxed_slice(proof);
}

static void verifies_a_post(void) {
  struct sector s = sealed_sector(SEAL_2K, 42);
  uint8_32_array_t randomness = post_randomness(), other = filled_32(1);
  PublicReplicaInfo_t replica = public_replica(&s, WINNING_2K);
  PoStProof_t proof = {WINNING_2K, post_proof_of(&s, WINNING_2K)};
  const slice_ref_PublicReplicaInfo_t replicas = {&replica, 1};
  const slice_ref_PoStProof_t proofs = {&proof, 1};
  VERDICT(SUCCESS, true, verify_winning_post(&randomness, replicas, proofs, &s.prover));
  VERDICT(SUCCESS, false, verify_winning_post(&other, replicas, proofs, &s.prover));
  destroy_boxed_slice(proof.proof);
}

static const struct check_case CASES[] = {
    {"signs, verifies and aggregates", signs_verifies_and_aggregates},
    {"verifies a seal", verifies_a_seal},
    {"verifies a PoSt", verifies_a_post},
};
CHECK_MAIN("portable", CASES)
