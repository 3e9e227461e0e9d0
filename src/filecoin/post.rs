//! Winning and Window PoSt: proving and verification.

use std::collections::BTreeMap;

use filecoin_proofs_api::{post, PoStType, PrivateReplicaInfo, PublicReplicaInfo, RegisteredPoStProof, SectorId};

use super::is_scalar;
use super::params::{self, Circuit};
use crate::error::Result;

/// A proof with the type that it is of.
pub type TypedProof = (RegisteredPoStProof, Vec<u8>);

/// The sectors that a proof is about.
pub struct Replicas<R> {
    /// The type that all of them have; None when there are none or they differ.
    proof_type: Option<RegisteredPoStProof>,
    by_id: BTreeMap<SectorId, R>,
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
    replicas: &Replicas<PrivateReplicaInfo>,
    prover_id: [u8; 32],
) -> Result<Vec<TypedProof>> {
    if let Some(circuit) = circuit(PoStType::Winning, replicas.proof_type, [randomness, &prover_id])? {
        params::check_proving(&circuit)?;
    }
    Ok(post::generate_winning_post(randomness, &replicas.by_id, prover_id)?)
}

pub fn winning_with_vanilla(
    proof_type: RegisteredPoStProof,
    randomness: &[u8; 32],
    prover_id: [u8; 32],
    vanilla_proofs: &[Vec<u8>],
) -> Result<Vec<TypedProof>> {
    let used_type = vanilla_proofs.first().map(|_| proof_type);
    if let Some(circuit) = circuit(PoStType::Winning, used_type, [randomness, &prover_id])? {
        params::check_proving(&circuit)?;
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
    if let Some(circuit) = circuit(PoStType::Winning, replicas.proof_type, [randomness, &prover_id])? {
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
    replicas: &Replicas<PrivateReplicaInfo>,
    prover_id: [u8; 32],
) -> Result<Vec<TypedProof>> {
    if let Some(circuit) = circuit(PoStType::Window, replicas.proof_type, [randomness, &prover_id])? {
        params::check_proving(&circuit)?;
    }
    Ok(post::generate_window_post(randomness, &replicas.by_id, prover_id)?)
}

pub fn window_with_vanilla(
    proof_type: RegisteredPoStProof,
    randomness: &[u8; 32],
    prover_id: [u8; 32],
    vanilla_proofs: &[Vec<u8>],
) -> Result<Vec<TypedProof>> {
    let used_type = vanilla_proofs.first().map(|_| proof_type);
    if let Some(circuit) = circuit(PoStType::Window, used_type, [randomness, &prover_id])? {
        params::check_proving(&circuit)?;
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
    let used_type = vanilla_proofs.first().map(|_| proof_type);
    if let Some(circuit) = circuit(PoStType::Window, used_type, [randomness, &prover_id])? {
        params::check_proving(&circuit)?;
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
    if let Some(circuit) = circuit(PoStType::Window, proof_type, [randomness, &prover_id])? {
        params::check_verifying(&circuit)?;
    }
    Ok(post::verify_window_post(
        randomness,
        proofs,
        &replicas.by_id,
        prover_id,
    )?)
}

/// The circuit whose files a call needs; None where the proofs crates fault an argument before they read a file.
fn circuit(
    kind: PoStType,
    proof_type: Option<RegisteredPoStProof>,
    scalars: [&[u8; 32]; 2],
) -> Result<Option<Circuit>> {
    let in_order = |proof_type: &RegisteredPoStProof| proof_type.typ() == kind && scalars.iter().all(|s| is_scalar(s));
    proof_type.filter(in_order).map(Circuit::post).transpose()
}
