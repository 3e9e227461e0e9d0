//! Sector updates (SnapDeals): proving and verification.

use std::fs::File;
use std::io::Seek;
use std::path::PathBuf;

use filecoin_proofs::{as_safe_commitment, with_shape, MerkleTreeTrait, SectorUpdateConfig, TreeRHasher};
use filecoin_proofs_api::{update, PartitionProofBytes, RegisteredUpdateProof};
use storage_proofs_update::{
    EmptySectorUpdate, EmptySectorUpdateCircuit, EmptySectorUpdateCompound, PartitionProof, PublicInputs, PublicParams,
};

use super::is_scalar;
use super::params::{self, Circuit};
use super::proving::{self, Statement};
use crate::error::{Error, Result};

const NODE_BYTES: u64 = 32;

/// The commitments that an update proof is about.
pub struct Commitments {
    pub comm_r_old: [u8; 32],
    pub comm_r_new: [u8; 32],
    pub comm_d_new: [u8; 32],
}

impl Commitments {
    /// A fault of a commitment goes before one of a parameter file; some calls of the proofs crates would panic on it.
    fn check(&self) -> Result<()> {
        let named = [
            ("comm_r_old", &self.comm_r_old),
            ("comm_r_new", &self.comm_r_new),
            ("comm_d_new", &self.comm_d_new),
        ];
        match named.iter().find(|(_, commitment)| !is_scalar(commitment)) {
            None => Ok(()),
            Some((name, _)) => Err(Error::message(format!(
                "argument {name} is no commitment: Bytes could not be converted to Fr"
            ))),
        }
    }
}

/// A part of a sector, in nodes.
pub struct NodeRange {
    pub offset: u64,
    pub count: u64,
}

/// The files of the sealed empty sector and of the replica that replaces it.
pub struct Paths {
    pub sector_key: PathBuf,
    pub sector_key_cache: PathBuf,
    pub replica: PathBuf,
    pub replica_cache: PathBuf,
}

/// Recovers `range` of the new data, in nodes, from a replica and a sector key that stand at its start.
pub fn decode_range(
    proof_type: RegisteredUpdateProof,
    [comm_d, comm_r]: [[u8; 32]; 2],
    range: NodeRange,
    [replica, sector_key, mut output]: [File; 3],
) -> Result<()> {
    let sector_nodes = u64::from(proof_type.sector_size()) / NODE_BYTES;
    let end = range.offset.checked_add(range.count);
    if !end.is_some_and(|end| end <= sector_nodes) {
        return Err(Error::message(format!(
            "nodes_offset {} and num_nodes {} leave the sector, which has {sector_nodes} nodes",
            range.offset, range.count,
        )));
    }
    for (what, file) in [("input_fd", &replica), ("sector_key_fd", &sector_key)] {
        check_remaining(what, file, range.count * NODE_BYTES)?;
    }
    Ok(update::empty_sector_update_decode_from_range(
        proof_type,
        comm_d,
        comm_r,
        replica,
        sector_key,
        &mut output,
        range.offset as usize,
        range.count as usize,
    )?)
}

/// The proofs crates take the end of a file for the end of the range. Only of a regular file is known what is left.
fn check_remaining(what: &str, mut file: &File, needed_bytes: u64) -> Result<()> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Ok(());
    }
    let remaining = metadata.len().saturating_sub(file.stream_position()?);
    if remaining < needed_bytes {
        return Err(Error::message(format!(
            "{what} has {remaining} bytes left, but the range has {needed_bytes}"
        )));
    }
    Ok(())
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
    commitments.check()?;
    // Before the long work on vanilla proofs.
    params::check_proving(&Circuit::update(proof_type))?;
    let vanilla_proofs = partition_proofs(proof_type, commitments, paths)?;
    prove_with_vanilla(proof_type, vanilla_proofs, commitments)
}

pub fn prove_with_vanilla(
    proof_type: RegisteredUpdateProof,
    vanilla_proofs: Vec<Vec<u8>>,
    commitments: &Commitments,
) -> Result<Vec<u8>> {
    commitments.check()?;
    params::check_proving(&Circuit::update(proof_type))?;
    let size = u64::from(proof_type.sector_size());
    with_shape!(size, prove_shape, proof_type, &vanilla_proofs, commitments)
}

fn prove_shape<Tree: 'static + MerkleTreeTrait<Hasher = TreeRHasher>>(
    proof_type: RegisteredUpdateProof,
    vanilla_proofs: &[Vec<u8>],
    commitments: &Commitments,
) -> Result<Vec<u8>> {
    let statement = statement::<Tree>(proof_type, vanilla_proofs, commitments)?;
    proving::prove::<EmptySectorUpdateCompound<Tree>, EmptySectorUpdate<Tree>, EmptySectorUpdateCircuit<Tree>>(
        &statement,
    )
}

/// What [`prove_with_vanilla`] proves.
pub fn statement<Tree: 'static + MerkleTreeTrait<Hasher = TreeRHasher>>(
    proof_type: RegisteredUpdateProof,
    vanilla_proofs: &[Vec<u8>],
    commitments: &Commitments,
) -> Result<Statement<'static, EmptySectorUpdate<Tree>>> {
    let config = SectorUpdateConfig::from_porep_config(&proof_type.as_v1_config());
    let proofs = vanilla_proofs
        .iter()
        .map(|bytes| bincode::deserialize(bytes).map_err(|error| Error::Proofs(error.into())))
        .collect::<Result<Vec<PartitionProof<Tree>>>>()?;
    let partitions = usize::from(config.update_partitions);
    if proofs.len() != partitions {
        return Err(Error::message(format!(
            "{} vanilla proofs were given, but an update of this sector size has {partitions} partitions",
            proofs.len()
        )));
    }
    let public_inputs = PublicInputs {
        k: partitions,
        comm_r_old: as_safe_commitment(&commitments.comm_r_old, "comm_r_old")?,
        comm_d_new: as_safe_commitment(&commitments.comm_d_new, "comm_d_new")?,
        comm_r_new: as_safe_commitment(&commitments.comm_r_new, "comm_r_new")?,
        h: config.h,
    };
    Ok(Statement {
        public_inputs,
        vanilla_proofs: proofs,
        public_params: PublicParams::from_sector_size(u64::from(config.sector_size)),
    })
}

pub fn verify(proof_type: RegisteredUpdateProof, proof: &[u8], commitments: &Commitments) -> Result<bool> {
    commitments.check()?;
    params::check_verifying(&Circuit::update(proof_type))?;
    Ok(update::verify_empty_sector_update_proof(
        proof_type,
        proof,
        commitments.comm_r_old,
        commitments.comm_r_new,
        commitments.comm_d_new,
    )?)
}
