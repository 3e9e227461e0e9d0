//! Sector updates (SnapDeals): proving and verification.

use std::path::PathBuf;

use filecoin_proofs_api::{update, PartitionProofBytes, RegisteredUpdateProof};

use super::is_scalar;
use super::params::{self, Circuit};
use crate::error::Result;

/// The commitments that an update proof is about.
pub struct Commitments {
    pub comm_r_old: [u8; 32],
    pub comm_r_new: [u8; 32],
    pub comm_d_new: [u8; 32],
}

impl Commitments {
    /// A fault of a commitment goes before one of a parameter file.
    fn are_plausible(&self) -> bool {
        [&self.comm_r_old, &self.comm_r_new, &self.comm_d_new]
            .iter()
            .all(|comm| is_scalar(comm))
    }
}

/// The files of the sealed empty sector and of the replica that replaces it.
pub struct Paths {
    pub sector_key: PathBuf,
    pub sector_key_cache: PathBuf,
    pub replica: PathBuf,
    pub replica_cache: PathBuf,
}

/// Vanilla proofs, one a partition.
pub fn partition_proofs(
    proof_type: RegisteredUpdateProof,
    commitments: &Commitments,
    paths: Paths,
) -> Result<Vec<Vec<u8>>> {
    let proofs = update::generate_partition_proofs(
        proof_type,
        commitments.comm_r_old,
        commitments.comm_r_new,
        commitments.comm_d_new,
        paths.sector_key,
        paths.sector_key_cache,
        paths.replica,
        paths.replica_cache,
    )?;
    Ok(proofs.into_iter().map(|proof| proof.0).collect())
}

pub fn verify_partition_proofs(
    proof_type: RegisteredUpdateProof,
    proofs: Vec<Vec<u8>>,
    commitments: &Commitments,
) -> Result<bool> {
    let proofs: Vec<_> = proofs.into_iter().map(PartitionProofBytes).collect();
    Ok(update::verify_partition_proofs(
        proof_type,
        &proofs,
        commitments.comm_r_old,
        commitments.comm_r_new,
        commitments.comm_d_new,
    )?)
}

pub fn prove(proof_type: RegisteredUpdateProof, commitments: &Commitments, paths: Paths) -> Result<Vec<u8>> {
    if commitments.are_plausible() {
        params::check_proving(&Circuit::update(proof_type)?)?;
    }
    let proof = update::generate_empty_sector_update_proof(
        proof_type,
        commitments.comm_r_old,
        commitments.comm_r_new,
        commitments.comm_d_new,
        paths.sector_key,
        paths.sector_key_cache,
        paths.replica,
        paths.replica_cache,
    )?;
    Ok(proof.0)
}

pub fn prove_with_vanilla(
    proof_type: RegisteredUpdateProof,
    vanilla_proofs: Vec<Vec<u8>>,
    commitments: &Commitments,
) -> Result<Vec<u8>> {
    if commitments.are_plausible() {
        params::check_proving(&Circuit::update(proof_type)?)?;
    }
    let proof = update::generate_empty_sector_update_proof_with_vanilla(
        proof_type,
        vanilla_proofs.into_iter().map(PartitionProofBytes).collect(),
        commitments.comm_r_old,
        commitments.comm_r_new,
        commitments.comm_d_new,
    )?;
    Ok(proof.0)
}

pub fn verify(proof_type: RegisteredUpdateProof, proof: &[u8], commitments: &Commitments) -> Result<bool> {
    if commitments.are_plausible() {
        params::check_verifying(&Circuit::update(proof_type)?)?;
    }
    Ok(update::verify_empty_sector_update_proof(
        proof_type,
        proof,
        commitments.comm_r_old,
        commitments.comm_r_new,
        commitments.comm_d_new,
    )?)
}
