//! Winning and Window PoSt: proving and verification.

use std::collections::BTreeMap;

use filecoin_proofs_api::{post, PrivateReplicaInfo, PublicReplicaInfo, RegisteredPoStProof, SectorId};

use crate::error::Result;

/// A proof with the type that it is of.
pub type TypedProof = (RegisteredPoStProof, Vec<u8>);

pub fn winning(
    randomness: &[u8; 32],
    replicas: &BTreeMap<SectorId, PrivateReplicaInfo>,
    prover_id: [u8; 32],
) -> Result<Vec<TypedProof>> {
    Ok(post::generate_winning_post(randomness, replicas, prover_id)?)
}

pub fn winning_with_vanilla(
    proof_type: RegisteredPoStProof,
    randomness: &[u8; 32],
    prover_id: [u8; 32],
    vanilla_proofs: &[Vec<u8>],
) -> Result<Vec<TypedProof>> {
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
    replicas: &BTreeMap<SectorId, PublicReplicaInfo>,
    prover_id: [u8; 32],
) -> Result<bool> {
    Ok(post::verify_winning_post(randomness, proof, replicas, prover_id)?)
}

/// Fails with the faulty sectors' ids when replicas cannot be read.
pub fn window(
    randomness: &[u8; 32],
    replicas: &BTreeMap<SectorId, PrivateReplicaInfo>,
    prover_id: [u8; 32],
) -> Result<Vec<TypedProof>> {
    Ok(post::generate_window_post(randomness, replicas, prover_id)?)
}

pub fn window_with_vanilla(
    proof_type: RegisteredPoStProof,
    randomness: &[u8; 32],
    prover_id: [u8; 32],
    vanilla_proofs: &[Vec<u8>],
) -> Result<Vec<TypedProof>> {
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
    replicas: &BTreeMap<SectorId, PublicReplicaInfo>,
    prover_id: [u8; 32],
) -> Result<bool> {
    Ok(post::verify_window_post(randomness, proofs, replicas, prover_id)?)
}
