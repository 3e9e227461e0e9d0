//! Aggregation of seal proofs with SnarkPack.

use super::boundary::respond;
use super::convert;
use super::types::*;
use crate::filecoin::seal::{self, SealInputs};

/// Aggregates seal proofs. Needs the inner-product SRS.
///
/// @param registered_proof        the `RegisteredSealProof` of all proofs
/// @param registered_aggregation  a `RegisteredAggregationProof`
/// @param comm_rs                 CommR of each sector; borrowed
/// @param seeds                   seed of each sector; borrowed
/// @param seal_commit_responses   proof of each sector, from seal_commit_phase2; borrowed
/// @return the aggregate. Free with destroy_aggregate_proof. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn aggregate_seal_proofs(
    registered_proof: RegisteredSealProof_t,
    registered_aggregation: RegisteredAggregationProof_t,
    comm_rs: slice_ref_uint8_32_array_t,
    seeds: slice_ref_uint8_32_array_t,
    seal_commit_responses: slice_ref_slice_boxed_uint8_t,
) -> *mut Result_slice_boxed_uint8_t {
    respond("aggregate_seal_proofs", || {
        borrow!(comm_rs, seeds, seal_commit_responses);
        let aggregate = seal::aggregate(
            seal_proof(registered_proof)?,
            aggregation_proof(registered_aggregation)?,
            &convert::arrays(comm_rs),
            &convert::arrays(seeds),
            convert::byte_strings(seal_commit_responses),
        )?;
        Ok(aggregate.into())
    })
}

/// Verifies an aggregate. Needs the inner-product SRS and the verifying key.
///
/// @param registered_proof        the `RegisteredSealProof` of all proofs
/// @param registered_aggregation  the `RegisteredAggregationProof` that made the aggregate
/// @param prover_id               the miner's id; borrowed
/// @param proof                   the aggregate; borrowed
/// @param commit_inputs           what is known of each sector, in the order of aggregation; borrowed
/// @return true when valid; false or status 1 otherwise. Free with destroy_verify_aggregate_seal_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn verify_aggregate_seal_proof(
    registered_proof: RegisteredSealProof_t,
    registered_aggregation: RegisteredAggregationProof_t,
    prover_id: *const uint8_32_array_t,
    proof: slice_ref_uint8_t,
    commit_inputs: slice_ref_AggregationInputs_t,
) -> *mut Result_bool_t {
    respond("verify_aggregate_seal_proof", || {
        borrow!(prover_id, proof, commit_inputs);
        let sector = |input: &AggregationInputs| SealInputs {
            comm_r: input.comm_r.idx,
            comm_d: input.comm_d.idx,
            prover_id: *prover_id,
            sector_id: input.sector_id,
            ticket: input.ticket.idx,
            seed: input.seed.idx,
        };
        let inputs: Vec<_> = commit_inputs.iter().map(sector).collect();
        seal::verify_aggregate(
            seal_proof(registered_proof)?,
            aggregation_proof(registered_aggregation)?,
            proof,
            &inputs,
        )
    })
}
