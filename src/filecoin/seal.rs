//! PoRep: C2, its verification, and aggregation.

use bellperson::groth16::aggregate::AggregateProof;
use blstrs::Bls12;
use filecoin_proofs_api::seal::{self, SealCommitPhase1Output, SealCommitPhase2Output};
use filecoin_proofs_api::{ApiFeature, RegisteredAggregationProof, RegisteredSealProof};

use super::is_scalar;
use super::params::{self, Circuit};
use crate::error::Result;

/// The proofs crates aggregate as many proofs as these, and powers of two between.
const AGGREGATED_PROOFS: std::ops::RangeInclusive<usize> = 2..=16384;

/// What a seal proof commits to.
pub struct SealInputs {
    pub comm_r: [u8; 32],
    pub comm_d: [u8; 32],
    pub prover_id: [u8; 32],
    pub sector_id: u64,
    pub ticket: [u8; 32],
    pub seed: [u8; 32],
}

impl SealInputs {
    fn are_plausible(&self) -> bool {
        [self.comm_r, self.comm_d].iter().all(|comm| is_commitment(comm))
    }
}

/// C2: proves a C1 document (JSON) and verifies the result; 192 bytes a partition, or an aggregate for NI-PoRep.
pub fn commit_phase2(phase1_output: &[u8], prover_id: [u8; 32], sector_id: u64) -> Result<Vec<u8>> {
    let phase1_output: SealCommitPhase1Output = serde_json::from_slice(phase1_output)?;
    check_prover_files(&phase1_output)?;
    if is_aggregate(phase1_output.registered_proof) {
        check_srs(padded(phase1_output.registered_proof, 1))?;
    }
    Ok(seal::seal_commit_phase2(phase1_output, prover_id, sector_id.into())?.proof)
}

/// C2 without self-verification and, for NI-PoRep, without aggregation: the partitions' proofs, concatenated.
pub fn commit_phase2_circuit_proofs(phase1_output: &[u8], sector_id: u64) -> Result<Vec<u8>> {
    let phase1_output: SealCommitPhase1Output = serde_json::from_slice(phase1_output)?;
    check_prover_files(&phase1_output)?;
    Ok(seal::seal_commit_phase2_circuit_proofs(phase1_output, sector_id.into())?.proof)
}

pub fn verify(proof_type: RegisteredSealProof, inputs: &SealInputs, proof: &[u8]) -> Result<bool> {
    if inputs.are_plausible() && !proof.is_empty() {
        match is_aggregate(proof_type) {
            true => check_aggregate_verifier_files(proof_type, proof)?,
            false => params::check_verifying(&Circuit::seal(proof_type)?)?,
        }
    }
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
    if !proofs.is_empty() {
        params::check_verifying(&Circuit::seal(proof_type)?)?;
        check_srs(padded(proof_type, proofs.len()))?;
    }
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
    if !inputs.is_empty() {
        check_aggregate_verifier_files(proof_type, proof)?;
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

/// Files are checked only where the proofs crates would come to read them: a fault of an argument goes first.
fn check_prover_files(phase1_output: &SealCommitPhase1Output) -> Result<()> {
    let comms = [&phase1_output.comm_r, &phase1_output.comm_d];
    if phase1_output.seed == [0; 32] || !comms.iter().all(|comm| is_commitment(comm)) {
        return Ok(());
    }
    let circuit = Circuit::seal(phase1_output.registered_proof)?;
    params::check_proving(&circuit)?;
    params::check_verifying(&circuit)
}

fn check_aggregate_verifier_files(proof_type: RegisteredSealProof, aggregate: &[u8]) -> Result<()> {
    let Ok(aggregate) = AggregateProof::<Bls12>::read(aggregate) else {
        return Ok(());
    };
    params::check_verifying(&Circuit::seal(proof_type)?)?;
    check_srs(aggregate.tmipp.gipa.nproofs as usize)
}

fn check_srs(proofs: usize) -> Result<()> {
    match proofs.is_power_of_two() && AGGREGATED_PROOFS.contains(&proofs) {
        true => params::check_srs(proofs),
        false => Ok(()),
    }
}

/// Proofs in an aggregate over that many sectors.
fn padded(proof_type: RegisteredSealProof, sectors: usize) -> usize {
    let proofs = sectors * usize::from(proof_type.partitions());
    proofs.max(2).next_power_of_two()
}

/// NI-PoRep's proof of one sector is an aggregate.
fn is_aggregate(proof_type: RegisteredSealProof) -> bool {
    proof_type.feature_enabled(ApiFeature::NonInteractivePoRep)
}

fn is_commitment(bytes: &[u8; 32]) -> bool {
    *bytes != [0; 32] && is_scalar(bytes)
}
