//! Winning and Window PoSt: proving and verification.

use std::collections::BTreeMap;
use std::path::PathBuf;

use filecoin_proofs_api::{post, PoStType, PrivateReplicaInfo, PublicReplicaInfo, RegisteredPoStProof, SectorId};

use super::fallback::{self, Partitions};
use super::is_scalar;
use super::params::{self, Circuit};
use crate::error::{Error, Result};

/// A proof with the type that it is of.
pub type TypedProof = (RegisteredPoStProof, Vec<u8>);

/// The sectors that a proof is about.
pub struct Replicas<R> {
    /// The type that all of them have; None when there are none or they differ.
    proof_type: Option<RegisteredPoStProof>,
    by_id: BTreeMap<SectorId, R>,
}

/// A sealed sector: its commitment and its files.
pub struct PrivateReplica {
    pub proof_type: RegisteredPoStProof,
    pub comm_r: [u8; 32],
    pub cache_dir: PathBuf,
    pub path: PathBuf,
}

impl PrivateReplica {
    /// The same for the proofs crates.
    pub fn info(&self) -> PrivateReplicaInfo {
        PrivateReplicaInfo::new(self.proof_type, self.comm_r, self.cache_dir.clone(), self.path.clone())
    }
}

impl Replicas<PrivateReplica> {
    fn infos(&self) -> BTreeMap<SectorId, PrivateReplicaInfo> {
        self.by_id.iter().map(|(id, replica)| (*id, replica.info())).collect()
    }
}

/// Of several replicas with the same id the last one counts.
impl<R> FromIterator<(RegisteredPoStProof, SectorId, R)> for Replicas<R> {
    fn from_iter<I: IntoIterator<Item = (RegisteredPoStProof, SectorId, R)>>(replicas: I) -> Self {
        let mut types = Vec::new();
        let mut by_id = BTreeMap::new();
        for (proof_type, id, replica) in replicas {
            types.push(proof_type);
            by_id.insert(id, replica);
        }
        let first = types.first().copied();
        Self {
            proof_type: first.filter(|first| types.iter().all(|other| other == first)),
            by_id,
        }
    }
}

pub fn winning(
    randomness: &[u8; 32],
    replicas: &Replicas<PrivateReplica>,
    prover_id: [u8; 32],
) -> Result<Vec<TypedProof>> {
    let scalars = [randomness, &prover_id];
    if let Some((proof_type, circuit)) = circuit(PoStType::Winning, replicas.proof_type, scalars)? {
        params::check_proving(&circuit)?;
        let proof = fallback::prove_replicas(proof_type, randomness, prover_id, &replicas.by_id)?;
        return Ok(vec![(proof_type, proof)]);
    }
    Ok(post::generate_winning_post(randomness, &replicas.infos(), prover_id)?)
}

pub fn winning_with_vanilla(
    proof_type: RegisteredPoStProof,
    randomness: &[u8; 32],
    prover_id: [u8; 32],
    vanilla_proofs: &[Vec<u8>],
) -> Result<Vec<TypedProof>> {
    let used_type = vanilla_proofs.first().map(|_| proof_type);
    if let Some((_, circuit)) = circuit(PoStType::Winning, used_type, [randomness, &prover_id])? {
        params::check_proving(&circuit)?;
        let proof = fallback::prove(proof_type, randomness, prover_id, vanilla_proofs, Partitions::All)?;
        return Ok(vec![(proof_type, proof)]);
    }
    Ok(post::generate_winning_post_with_vanilla(
        proof_type,
        randomness,
        prover_id,
        vanilla_proofs,
    )?)
}

/// `proof` is the concatenation of all proofs of the ticket.
pub fn verify_winning(
    randomness: &[u8; 32],
    proof: &[u8],
    replicas: &Replicas<PublicReplicaInfo>,
    prover_id: [u8; 32],
) -> Result<bool> {
    if let Some((_, circuit)) = circuit(PoStType::Winning, replicas.proof_type, [randomness, &prover_id])? {
        params::check_verifying(&circuit)?;
    }
    Ok(post::verify_winning_post(
        randomness,
        proof,
        &replicas.by_id,
        prover_id,
    )?)
}

/// Fails with the faulty sectors' ids when replicas cannot be read.
pub fn window(
    randomness: &[u8; 32],
    replicas: &Replicas<PrivateReplica>,
    prover_id: [u8; 32],
) -> Result<Vec<TypedProof>> {
    let scalars = [randomness, &prover_id];
    if let Some((proof_type, circuit)) = circuit(PoStType::Window, replicas.proof_type, scalars)? {
        params::check_proving(&circuit)?;
        let proof = fallback::prove_replicas(proof_type, randomness, prover_id, &replicas.by_id)?;
        return Ok(vec![(proof_type, proof)]);
    }
    Ok(post::generate_window_post(randomness, &replicas.infos(), prover_id)?)
}

pub fn window_with_vanilla(
    proof_type: RegisteredPoStProof,
    randomness: &[u8; 32],
    prover_id: [u8; 32],
    vanilla_proofs: &[Vec<u8>],
) -> Result<Vec<TypedProof>> {
    let used_type = vanilla_proofs.first().map(|_| proof_type);
    if let Some((_, circuit)) = circuit(PoStType::Window, used_type, [randomness, &prover_id])? {
        params::check_proving(&circuit)?;
        let proof = fallback::prove(proof_type, randomness, prover_id, vanilla_proofs, Partitions::All)?;
        return Ok(vec![(proof_type, proof)]);
    }
    Ok(post::generate_window_post_with_vanilla(
        proof_type,
        randomness,
        prover_id,
        vanilla_proofs,
    )?)
}

/// Proves one partition; `vanilla_proofs` are those of the partition's sectors.
pub fn window_partition(
    proof_type: RegisteredPoStProof,
    randomness: &[u8; 32],
    prover_id: [u8; 32],
    vanilla_proofs: &[Vec<u8>],
    partition_index: usize,
) -> Result<Vec<u8>> {
    if vanilla_proofs.is_empty() {
        return Err(Error::message("vanilla_proofs cannot be an empty list"));
    }
    if let Some((_, circuit)) = circuit(PoStType::Window, Some(proof_type), [randomness, &prover_id])? {
        params::check_proving(&circuit)?;
        let partition = Partitions::One(partition_index);
        return fallback::prove(proof_type, randomness, prover_id, vanilla_proofs, partition);
    }
    let proof = post::generate_single_window_post_with_vanilla(
        proof_type,
        randomness,
        prover_id,
        vanilla_proofs,
        partition_index,
    )?;
    Ok(proof.0)
}

pub fn verify_window(
    randomness: &[u8; 32],
    proofs: &[(RegisteredPoStProof, &[u8])],
    replicas: &Replicas<PublicReplicaInfo>,
    prover_id: [u8; 32],
) -> Result<bool> {
    let agreed = |proof_type: &RegisteredPoStProof| proofs.len() == 1 && proofs[0].0 == *proof_type;
    let proof_type = replicas.proof_type.filter(agreed);
    if let Some((_, circuit)) = circuit(PoStType::Window, proof_type, [randomness, &prover_id])? {
        params::check_verifying(&circuit)?;
    }
    Ok(post::verify_window_post(
        randomness,
        proofs,
        &replicas.by_id,
        prover_id,
    )?)
}

/// The proof type and the circuit whose files a call needs; None where the proofs crates fault an argument before they
/// read a file: then they are called to say so.
fn circuit(
    kind: PoStType,
    proof_type: Option<RegisteredPoStProof>,
    scalars: [&[u8; 32]; 2],
) -> Result<Option<(RegisteredPoStProof, Circuit)>> {
    let in_order = |proof_type: &RegisteredPoStProof| proof_type.typ() == kind && scalars.iter().all(|s| is_scalar(s));
    let with_circuit = |proof_type| Ok((proof_type, Circuit::post(proof_type)?));
    proof_type.filter(in_order).map(with_circuit).transpose()
}
