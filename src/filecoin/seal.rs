//! PoRep: C2, its verification, and aggregation.

use bellperson::groth16::aggregate::AggregateProof;
use blstrs::Bls12;
use filecoin_proofs::parameters::public_params;
use filecoin_proofs::{as_safe_commitment, with_shape, DefaultPieceHasher, MerkleTreeTrait, VanillaSealProof};
use filecoin_proofs_api::seal::{
    self, SealCommitPhase1Output, SealCommitPhase2Output, VanillaSealProof as AnyVanillaProofs,
};
use filecoin_proofs_api::{ApiFeature, RegisteredAggregationProof, RegisteredSealProof};
use storage_proofs_porep::stacked::{self, StackedCircuit, StackedCompound, StackedDrg};

use super::is_scalar;
use super::params::{self, Circuit};
use super::proving::{self, Statement};
use crate::error::{Error, Result};
use crate::math::Fr;

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
    let proof_type = phase1_output.registered_proof;
    if !is_provable(&phase1_output) {
        return Ok(seal::seal_commit_phase2(phase1_output, prover_id, sector_id.into())?.proof);
    }
    check_prover_files(proof_type)?;
    if is_aggregate(proof_type) {
        check_srs(padded(proof_type, 1))?;
    }
    let inputs = SealInputs {
        comm_r: phase1_output.comm_r,
        comm_d: phase1_output.comm_d,
        prover_id,
        sector_id,
        ticket: phase1_output.ticket,
        seed: phase1_output.seed,
    };
    let mut proof = prove(phase1_output)?;
    if is_aggregate(proof_type) {
        let aggregation = RegisteredAggregationProof::SnarkPackV2;
        proof = aggregate(proof_type, aggregation, &[inputs.comm_r], &[inputs.seed], vec![proof])?;
    }
    match verify(proof_type, &inputs, &proof)? {
        true => Ok(proof),
        false => Err(Error::message(format!(
            "the proof of sector {sector_id} does not verify for its miner: the C1 document was made for another prover id, \
             sector number or ticket"
        ))),
    }
}

/// C2 without verification against the miner's ids and, for NI-PoRep, without aggregation: the partitions' proofs,
/// concatenated.
pub fn commit_phase2_circuit_proofs(phase1_output: &[u8], sector_id: u64) -> Result<Vec<u8>> {
    let phase1_output: SealCommitPhase1Output = serde_json::from_slice(phase1_output)?;
    if !is_provable(&phase1_output) {
        return Ok(seal::seal_commit_phase2_circuit_proofs(phase1_output, sector_id.into())?.proof);
    }
    check_prover_files(phase1_output.registered_proof)?;
    prove(phase1_output)
}

/// The partitions' proofs, each verified.
fn prove(phase1_output: SealCommitPhase1Output) -> Result<Vec<u8>> {
    let size = u64::from(phase1_output.registered_proof.sector_size());
    with_shape!(size, prove_shape, phase1_output)
}

fn prove_shape<Tree: 'static + MerkleTreeTrait>(phase1_output: SealCommitPhase1Output) -> Result<Vec<u8>> {
    let statement = statement::<Tree>(phase1_output)?;
    proving::prove::<
        StackedCompound<Tree, DefaultPieceHasher>,
        StackedDrg<'_, Tree, DefaultPieceHasher>,
        StackedCircuit<Tree, DefaultPieceHasher>,
    >(&statement)
}

/// What C2 proves.
pub fn statement<Tree: 'static + MerkleTreeTrait>(
    phase1_output: SealCommitPhase1Output,
) -> Result<Statement<'static, StackedDrg<'static, Tree, DefaultPieceHasher>>> {
    let config = phase1_output.registered_proof.as_v1_config();
    let replica_id: Fr = phase1_output.replica_id.into();
    let public_inputs = stacked::PublicInputs {
        replica_id: replica_id.into(),
        seed: Some(phase1_output.seed),
        tau: Some(stacked::Tau {
            comm_d: as_safe_commitment(&phase1_output.comm_d, "comm_d")?,
            comm_r: as_safe_commitment(&phase1_output.comm_r, "comm_r")?,
        }),
        k: None,
    };
    let vanilla_proofs: Vec<Vec<VanillaSealProof<Tree>>> = phase1_output.vanilla_proofs.try_into()?;
    Ok(Statement {
        public_inputs,
        vanilla_proofs,
        public_params: public_params::<Tree>(&config)?,
    })
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
    if comm_rs.len() != proofs.len() || seeds.len() != proofs.len() {
        return Err(Error::message(format!(
            "comm_rs, seeds and seal_commit_responses have {}, {} and {} entries: a sector has one in each",
            comm_rs.len(),
            seeds.len(),
            proofs.len(),
        )));
    }
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

/// Whether a C1 document is in order; where it is not the proofs crates are called to say so, before any file is read.
fn is_provable(phase1_output: &SealCommitPhase1Output) -> bool {
    let comms = [&phase1_output.comm_r, &phase1_output.comm_d];
    phase1_output.seed != [0; 32]
        && comms.iter().all(|comm| is_commitment(comm))
        && has_proofs(&phase1_output.vanilla_proofs)
}

fn has_proofs(vanilla_proofs: &AnyVanillaProofs) -> bool {
    use AnyVanillaProofs::*;
    match vanilla_proofs {
        StackedDrg2KiBV1(proofs) | StackedDrg8MiBV1(proofs) | StackedDrg512MiBV1(proofs) => all_have_some(proofs),
        StackedDrg32GiBV1(proofs) => all_have_some(proofs),
        StackedDrg64GiBV1(proofs) => all_have_some(proofs),
    }
}

fn all_have_some<T>(partitions: &[Vec<T>]) -> bool {
    !partitions.is_empty() && partitions.iter().all(|proofs| !proofs.is_empty())
}

fn check_prover_files(proof_type: RegisteredSealProof) -> Result<()> {
    let circuit = Circuit::seal(proof_type)?;
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
