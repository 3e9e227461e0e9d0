//! PoRep: C2, its verification, and aggregation.

use filecoin_proofs_api::seal::{self, SealCommitPhase1Output, SealCommitPhase2Output};
use filecoin_proofs_api::{RegisteredAggregationProof, RegisteredSealProof};

use crate::error::Result;

/// What a seal proof commits to.
pub struct SealInputs {
    pub comm_r: [u8; 32],
    pub comm_d: [u8; 32],
    pub prover_id: [u8; 32],
    pub sector_id: u64,
    pub ticket: [u8; 32],
    pub seed: [u8; 32],
}

/// C2: proves a C1 document (JSON) and verifies the result; 192 bytes a partition, or an aggregate for NI-PoRep.
pub fn commit_phase2(phase1_output: &[u8], prover_id: [u8; 32], sector_id: u64) -> Result<Vec<u8>> {
    let phase1_output: SealCommitPhase1Output = serde_json::from_slice(phase1_output)?;
    Ok(seal::seal_commit_phase2(phase1_output, prover_id, sector_id.into())?.proof)
}

/// C2 without self-verification and, for NI-PoRep, without aggregation: the partitions' proofs, concatenated.
pub fn commit_phase2_circuit_proofs(phase1_output: &[u8], sector_id: u64) -> Result<Vec<u8>> {
    let phase1_output: SealCommitPhase1Output = serde_json::from_slice(phase1_output)?;
    Ok(seal::seal_commit_phase2_circuit_proofs(phase1_output, sector_id.into())?.proof)
}

pub fn verify(proof_type: RegisteredSealProof, inputs: &SealInputs, proof: &[u8]) -> Result<bool> {
    Ok(seal::verify_seal(
        proof_type,
        inputs.comm_r,
        inputs.comm_d,
        inputs.prover_id,
        inputs.sector_id.into(),
        inputs.ticket,
        inputs.seed,
        proof,
    )?)
}

/// Aggregates seal proofs with SnarkPack; commitments, seeds and proofs are in the same order.
pub fn aggregate(
    proof_type: RegisteredSealProof,
    aggregation: RegisteredAggregationProof,
    comm_rs: &[[u8; 32]],
    seeds: &[[u8; 32]],
    proofs: Vec<Vec<u8>>,
) -> Result<Vec<u8>> {
    let outputs: Vec<_> = proofs
        .into_iter()
        .map(|proof| SealCommitPhase2Output { proof })
        .collect();
    Ok(seal::aggregate_seal_commit_proofs(
        proof_type,
        aggregation,
        comm_rs,
        seeds,
        &outputs,
    )?)
}

/// Verifies an aggregate against the inputs of its proofs, in the order of aggregation.
pub fn verify_aggregate(
    proof_type: RegisteredSealProof,
    aggregation: RegisteredAggregationProof,
    proof: &[u8],
    inputs: &[SealInputs],
) -> Result<bool> {
    let mut public_inputs = Vec::new();
    for sector in inputs {
        public_inputs.extend(seal::get_seal_inputs(
            proof_type,
            sector.comm_r,
            sector.comm_d,
            sector.prover_id,
            sector.sector_id.into(),
            sector.ticket,
            sector.seed,
        )?);
    }
    let comm_rs: Vec<_> = inputs.iter().map(|sector| sector.comm_r).collect();
    let seeds: Vec<_> = inputs.iter().map(|sector| sector.seed).collect();
    let proof = proof.to_vec();
    Ok(seal::verify_aggregate_seal_commit_proofs(
        proof_type,
        aggregation,
        proof,
        &comm_rs,
        &seeds,
        public_inputs,
    )?)
}
