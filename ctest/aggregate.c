/* SnarkPack: aggregating seal proofs and verifying aggregates. */
#include "fixture.h"

enum { PROOFS = 2, V1 = REGISTERED_AGGREGATION_PROOF_SNARK_PACK_V1, V2 = REGISTERED_AGGREGATION_PROOF_SNARK_PACK_V2 };

/* One sector's proof, aggregated with itself: what is proved twice is as good as two proofs. */
struct batch {
  struct sector sector;
  uint8_32_array_t comm_rs[PROOFS], seeds[PROOFS];
  slice_boxed_uint8_t proofs[PROOFS];
  AggregationInputs_t inputs[PROOFS];
};

static struct batch batch_of_two(void) {
  struct batch batch = {.sector = sealed_sector(SEAL_2K, 42)};
  const struct sector *s = &batch.sector;
  for (size_t i = 0; i < PROOFS; i++) {
    batch.comm_rs[i] = s->comm_r;
    batch.seeds[i] = s->seed;
    batch.proofs[i] = seal_proof_of(s);
    batch.inputs[i] = (AggregationInputs_t){
        .comm_r = s->comm_r, .comm_d = s->comm_d, .sector_id = s->id, .ticket = s->ticket, .seed = s->seed};
  }
  return batch;
}

static void release(struct batch *batch) {
  for (size_t i = 0; i < PROOFS; i++) {
    destroy_boxed_slice(batch->proofs[i]);
  }
}

#define ARRAYS(array) LIST(slice_ref_uint8_32_array_t, array)
#define BLOBS(array) LIST(slice_ref_slice_boxed_uint8_t, array)
#define INPUTS(array) LIST(slice_ref_AggregationInputs_t, array)

static void aggregates_and_verifies(void) {
  struct batch b = batch_of_two();
  const uint8_32_array_t *prover = &b.sector.prover;
  for (int32_t transcript = V1; transcript <= V2; transcript++) {
    Result_slice_boxed_uint8_t *aggregate =
        WORKS(aggregate_seal_proofs(SEAL_2K, transcript, ARRAYS(b.comm_rs), ARRAYS(b.seeds), BLOBS(b.proofs)));
    const slice_ref_uint8_t proof = whole(aggregate->value);
    VERDICT(SUCCESS, true, verify_aggregate_seal_proof(SEAL_2K, transcript, prover, proof, INPUTS(b.inputs)));

    AggregationInputs_t other[PROOFS] = {b.inputs[0], b.inputs[1]};
    other[1].sector_id++;
    VERDICT(SUCCESS, false, verify_aggregate_seal_proof(SEAL_2K, transcript, prover, proof, INPUTS(other)));
    other[1] = b.inputs[1];
    other[0].seed = filled_32(1);
    VERDICT(SUCCESS, false, verify_aggregate_seal_proof(SEAL_2K, transcript, prover, proof, INPUTS(other)));
    const uint8_32_array_t stranger = filled_32(1);
    VERDICT(SUCCESS, false, verify_aggregate_seal_proof(SEAL_2K, transcript, &stranger, proof, INPUTS(b.inputs)));

    FAILS(MALFORMED,
          verify_aggregate_seal_proof(SEAL_2K, transcript, prover, bytes(proof.ptr, proof.len - 1), INPUTS(b.inputs)),
          "");
    FAILS(EMPTY, verify_aggregate_seal_proof(SEAL_2K, transcript, NULL, proof, INPUTS(b.inputs)), "prover_id is NULL");
    FAILS(EMPTY, verify_aggregate_seal_proof(SEAL_2K, transcript, prover, NULL_BYTES, INPUTS(b.inputs)),
          "proof is NULL");
    FAILS(EMPTY,
          verify_aggregate_seal_proof(SEAL_2K, transcript, prover, proof, NULL_LIST(slice_ref_AggregationInputs_t)),
          "commit_inputs is NULL");
    FAILS(EMPTY,
          verify_aggregate_seal_proof(SEAL_2K, transcript, prover, proof, NO_LIST(slice_ref_AggregationInputs_t)), "");
    FAILS(EMPTY, verify_aggregate_seal_proof(SEAL_2K, transcript, prover, NO_BYTES, INPUTS(b.inputs)), "");
    TRY(SUCCESS, destroy_aggregate_proof(aggregate));
  }
  release(&b);
}

/* The two versions draw their challenges differently. */
static void does_not_mix_the_transcripts(void) {
  struct batch b = batch_of_two();
  Result_slice_boxed_uint8_t *aggregate =
      WORKS(aggregate_seal_proofs(SEAL_2K, V1, ARRAYS(b.comm_rs), ARRAYS(b.seeds), BLOBS(b.proofs)));
  Result_bool_t *verdict =
      verify_aggregate_seal_proof(SEAL_2K, V2, &b.sector.prover, whole(aggregate->value), INPUTS(b.inputs));
  CHECK(verdict != NULL && (verdict->status_code == 1 || !verdict->value));
  DESTROY(verdict);
  DESTROY(aggregate);
  release(&b);
}

static void refuses_what_cannot_be_aggregated(void) {
  struct batch b = batch_of_two();
  slice_boxed_uint8_t cut[] = {{b.proofs[0].ptr, PROOF_BYTES - 1}, b.proofs[1]};
  uint8_t noise[PROOF_BYTES];
  memset(noise, 0xff, sizeof noise);
  slice_boxed_uint8_t undecodable[] = {{noise, sizeof noise}, b.proofs[1]};
  const slice_ref_uint8_32_array_t none = NO_LIST(slice_ref_uint8_32_array_t), one = {b.comm_rs, 1};
  const slice_ref_slice_boxed_uint8_t nothing = NO_LIST(slice_ref_slice_boxed_uint8_t);
  FAILS(EMPTY, aggregate_seal_proofs(SEAL_2K, V2, none, none, nothing), "cannot aggregate with empty outputs");
  FAILS(EMPTY, aggregate_seal_proofs(SEAL_2K, V2, ARRAYS(b.comm_rs), ARRAYS(b.seeds), nothing),
        "a sector has one in each");
  FAILS(EMPTY,
        aggregate_seal_proofs(SEAL_2K, V2, NULL_LIST(slice_ref_uint8_32_array_t), ARRAYS(b.seeds), BLOBS(b.proofs)),
        "comm_rs is NULL");
  FAILS(EMPTY,
        aggregate_seal_proofs(SEAL_2K, V2, ARRAYS(b.comm_rs), NULL_LIST(slice_ref_uint8_32_array_t), BLOBS(b.proofs)),
        "seeds is NULL");
  FAILS(
      EMPTY,
      aggregate_seal_proofs(SEAL_2K, V2, ARRAYS(b.comm_rs), ARRAYS(b.seeds), NULL_LIST(slice_ref_slice_boxed_uint8_t)),
      "seal_commit_responses is NULL");
  FAILS(MALFORMED, aggregate_seal_proofs(SEAL_2K, V2, one, ARRAYS(b.seeds), BLOBS(b.proofs)),
        "have 1, 2 and 2 entries");
  FAILS(MALFORMED, aggregate_seal_proofs(SEAL_2K, V2, ARRAYS(b.comm_rs), one, BLOBS(b.proofs)),
        "have 2, 1 and 2 entries");
  FAILS(MALFORMED, aggregate_seal_proofs(SEAL_2K, V2, ARRAYS(b.comm_rs), ARRAYS(b.seeds), BLOBS(cut)), "");
  FAILS(MALFORMED, aggregate_seal_proofs(SEAL_2K, V2, ARRAYS(b.comm_rs), ARRAYS(b.seeds), BLOBS(undecodable)), "");
  release(&b);
}

static void refuses_unknown_types(void) {
  struct batch b = batch_of_two();
  const slice_ref_uint8_t proof = whole(b.proofs[0]);
  const uint8_32_array_t *prover = &b.sector.prover;
  WITH_UNKNOWN_ENUMS(type, SEAL_PROOFS, {
    FAILS(BAD_ENUM, aggregate_seal_proofs(type, V1, ARRAYS(b.comm_rs), ARRAYS(b.seeds), BLOBS(b.proofs)),
          "RegisteredSealProof");
    FAILS(BAD_ENUM, verify_aggregate_seal_proof(type, V1, prover, proof, INPUTS(b.inputs)), "RegisteredSealProof");
  });
  WITH_UNKNOWN_ENUMS(type, AGGREGATION_PROOFS, {
    FAILS(BAD_ENUM, aggregate_seal_proofs(SEAL_2K, type, ARRAYS(b.comm_rs), ARRAYS(b.seeds), BLOBS(b.proofs)),
          "RegisteredAggregationProof");
    FAILS(BAD_ENUM, verify_aggregate_seal_proof(SEAL_2K, type, prover, proof, INPUTS(b.inputs)),
          "RegisteredAggregationProof");
  });
  release(&b);
}

static const struct check_case CASES[] = {
    {"aggregates and verifies", aggregates_and_verifies},
    {"does not mix the transcripts", does_not_mix_the_transcripts},
    {"refuses what cannot be aggregated", refuses_what_cannot_be_aggregated},
    {"refuses unknown types", refuses_unknown_types},
};
CHECK_MAIN("aggregate", CASES)
