//! Winning and Window PoSt: challenges, vanilla proofs, proving and verification.

use filecoin_proofs_api::{post, PartitionSnarkProof as Partition};

use super::boundary::{respond, respond_with_faults};
use super::convert;
use super::types::*;
use crate::filecoin::post as proving;

/// Derives which sectors a Winning PoSt must prove.
///
/// @param registered_proof  a Winning `RegisteredPoStProof`
/// @param randomness        a canonical little-endian scalar; borrowed
/// @param sector_set_len    number of eligible sectors, at least 1
/// @param prover_id         the miner's id; borrowed
/// @return indices below sector_set_len. Free with destroy_generate_winning_post_sector_challenge. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn generate_winning_post_sector_challenge(
    registered_proof: RegisteredPoStProof_t,
    randomness: *const uint8_32_array_t,
    sector_set_len: u64,
    prover_id: *const uint8_32_array_t,
) -> *mut Result_slice_boxed_uint64_t {
    respond("generate_winning_post_sector_challenge", || {
        borrow!(randomness, prover_id);
        let proof_type = post_proof(registered_proof)?;
        Ok(post::generate_winning_post_sector_challenge(proof_type, randomness, sector_set_len, *prover_id)?.into())
    })
}

/// Derives the leaf challenges of each sector.
///
/// @param registered_proof  a `RegisteredPoStProof`
/// @param randomness        a canonical little-endian scalar; borrowed
/// @param sector_ids        in any order, repetitions are merged; borrowed
/// @param prover_id         the miner's id; borrowed
/// @return ids ascending, with their challenges. Free with destroy_generate_fallback_sector_challenges_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn generate_fallback_sector_challenges(
    registered_proof: RegisteredPoStProof_t,
    randomness: *const uint8_32_array_t,
    sector_ids: slice_ref_uint64_t,
    prover_id: *const uint8_32_array_t,
) -> *mut Result_GenerateFallbackSectorChallenges_t {
    respond("generate_fallback_sector_challenges", || {
        borrow!(randomness, sector_ids, prover_id);
        let proof_type = post_proof(registered_proof)?;
        let sectors: Vec<_> = sector_ids.iter().copied().map(Into::into).collect();
        let challenges = post::generate_fallback_sector_challenges(proof_type, randomness, &sectors, *prover_id)?;
        let (ids, challenges): (Vec<u64>, Vec<slice_boxed_uint64>) = challenges
            .into_iter()
            .map(|(id, list)| (u64::from(id), list.into()))
            .unzip();
        Ok(GenerateFallbackSectorChallenges {
            ids: ids.into(),
            challenges: challenges.into(),
        })
    })
}

/// Collects the vanilla proof of one sector.
///
/// @param replica     the sector; TAKEN OVER: the call frees its two paths, also when it fails
/// @param challenges  from generate_fallback_sector_challenges; borrowed
/// @return the serialized vanilla proof. Free with destroy_generate_single_vanilla_proof_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn generate_single_vanilla_proof(
    replica: PrivateReplicaInfo_t,
    challenges: slice_ref_uint64_t,
) -> *mut Result_slice_boxed_uint8_t {
    respond("generate_single_vanilla_proof", move || {
        // Owned here, and so freed on every way out.
        let replica = replica;
        borrow!(challenges);
        let (proof_type, sector_id, replica) = convert::private_replica(&replica)?;
        let info = replica.info();
        Ok(post::generate_single_vanilla_proof(proof_type, sector_id, &info, challenges)?.into())
    })
}

/// Proves a Winning PoSt from vanilla proofs. Needs the parameter files of the circuit.
///
/// @param registered_proof  a Winning `RegisteredPoStProof`
/// @param randomness        a canonical little-endian scalar; borrowed
/// @param prover_id         the miner's id; borrowed
/// @param vanilla_proofs    of the challenged sectors, in order; borrowed
/// @return the proofs. Free with destroy_generate_winning_post_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn generate_winning_post_with_vanilla(
    registered_proof: RegisteredPoStProof_t,
    randomness: *const uint8_32_array_t,
    prover_id: *const uint8_32_array_t,
    vanilla_proofs: slice_ref_slice_boxed_uint8_t,
) -> *mut Result_slice_boxed_PoStProof_t {
    respond("generate_winning_post_with_vanilla", || {
        borrow!(randomness, prover_id, vanilla_proofs);
        let proof_type = post_proof(registered_proof)?;
        let vanilla_proofs = convert::byte_strings(vanilla_proofs);
        let proofs = proving::winning_with_vanilla(proof_type, randomness, *prover_id, &vanilla_proofs)?;
        Ok(convert::post_proofs(proofs))
    })
}

/// Proves a Winning PoSt from sealed files. Needs the parameter files of the circuit.
///
/// @param randomness  a canonical little-endian scalar; borrowed
/// @param replicas    the challenged sectors; borrowed
/// @param prover_id   the miner's id; borrowed
/// @return the proofs. Free with destroy_generate_winning_post_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn generate_winning_post(
    randomness: *const uint8_32_array_t,
    replicas: slice_ref_PrivateReplicaInfo_t,
    prover_id: *const uint8_32_array_t,
) -> *mut Result_slice_boxed_PoStProof_t {
    respond("generate_winning_post", || {
        borrow!(randomness, replicas, prover_id);
        let replicas = convert::private_replicas(replicas)?;
        Ok(convert::post_proofs(proving::winning(
            randomness, &replicas, *prover_id,
        )?))
    })
}

/// Verifies a Winning PoSt. Needs the verifying key of the circuit.
///
/// @param randomness  a canonical little-endian scalar; borrowed
/// @param replicas    the challenged sectors; borrowed
/// @param proofs      taken as one proof, concatenated; borrowed
/// @param prover_id   the miner's id; borrowed
/// @return true when valid; false when well-formed and wrong; status 1 when malformed. Free with
///         destroy_verify_winning_post_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn verify_winning_post(
    randomness: *const uint8_32_array_t,
    replicas: slice_ref_PublicReplicaInfo_t,
    proofs: slice_ref_PoStProof_t,
    prover_id: *const uint8_32_array_t,
) -> *mut Result_bool_t {
    respond("verify_winning_post", || {
        borrow!(randomness, replicas, proofs, prover_id);
        let replicas = convert::public_replicas(replicas)?;
        let proof: Vec<u8> = proofs
            .iter()
            .flat_map(|proof| proof.proof.as_slice())
            .copied()
            .collect();
        proving::verify_winning(randomness, &proof, &replicas, *prover_id)
    })
}

fn window_faults(error: &crate::error::Error) -> GenerateWindowPoSt {
    GenerateWindowPoSt {
        faulty_sectors: error.faulty_sectors().into(),
        ..Default::default()
    }
}

fn window_proofs(proofs: Vec<proving::TypedProof>) -> GenerateWindowPoSt {
    GenerateWindowPoSt {
        proofs: convert::post_proofs(proofs),
        ..Default::default()
    }
}

/// Proves a Window PoSt from sealed files. Needs the parameter files of the circuit.
///
/// @param randomness  a canonical little-endian scalar; borrowed
/// @param replicas    the sectors to prove, all partitions; borrowed
/// @param prover_id   the miner's id; borrowed
/// @return the proofs; with status 1 the faulty sectors, when those are the reason. Free with
///         destroy_generate_window_post_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn generate_window_post(
    randomness: *const uint8_32_array_t,
    replicas: slice_ref_PrivateReplicaInfo_t,
    prover_id: *const uint8_32_array_t,
) -> *mut Result_GenerateWindowPoSt_t {
    let body = || {
        borrow!(randomness, replicas, prover_id);
        let replicas = convert::private_replicas(replicas)?;
        Ok(window_proofs(proving::window(randomness, &replicas, *prover_id)?))
    };
    respond_with_faults("generate_window_post", body, window_faults)
}

/// Proves a Window PoSt from vanilla proofs. Needs the parameter files of the circuit.
///
/// @param registered_proof  a Window `RegisteredPoStProof`
/// @param randomness        a canonical little-endian scalar; borrowed
/// @param prover_id         the miner's id; borrowed
/// @param vanilla_proofs    of all sectors, in order of sector id; borrowed
/// @return as generate_window_post. Free with destroy_generate_window_post_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn generate_window_post_with_vanilla(
    registered_proof: RegisteredPoStProof_t,
    randomness: *const uint8_32_array_t,
    prover_id: *const uint8_32_array_t,
    vanilla_proofs: slice_ref_slice_boxed_uint8_t,
) -> *mut Result_GenerateWindowPoSt_t {
    let body = || {
        borrow!(randomness, prover_id, vanilla_proofs);
        let proof_type = post_proof(registered_proof)?;
        let vanilla_proofs = convert::byte_strings(vanilla_proofs);
        let proofs = proving::window_with_vanilla(proof_type, randomness, *prover_id, &vanilla_proofs)?;
        Ok(window_proofs(proofs))
    };
    respond_with_faults("generate_window_post_with_vanilla", body, window_faults)
}

/// Proves one Window PoSt partition from vanilla proofs. Needs the parameter files of the circuit.
///
/// @param registered_proof  a Window `RegisteredPoStProof`
/// @param randomness        a canonical little-endian scalar; borrowed
/// @param prover_id         the miner's id; borrowed
/// @param vanilla_proofs    of the partition's sectors, in order of sector id; borrowed
/// @param partition_index   which partition, from 0
/// @return the partition's proof; with status 1 the faulty sectors, when those are the reason. Free with
///         destroy_generate_single_window_post_with_vanilla_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn generate_single_window_post_with_vanilla(
    registered_proof: RegisteredPoStProof_t,
    randomness: *const uint8_32_array_t,
    prover_id: *const uint8_32_array_t,
    vanilla_proofs: slice_ref_slice_boxed_uint8_t,
    partition_index: usize,
) -> *mut Result_GenerateSingleWindowPoStWithVanilla_t {
    let body = || {
        borrow!(randomness, prover_id, vanilla_proofs);
        let proof_type = post_proof(registered_proof)?;
        let vanilla_proofs = convert::byte_strings(vanilla_proofs);
        let proof = proving::window_partition(proof_type, randomness, *prover_id, &vanilla_proofs, partition_index)?;
        Ok(GenerateSingleWindowPoStWithVanilla {
            partition_proof: PartitionSnarkProof {
                registered_proof,
                proof: proof.into(),
            },
            ..Default::default()
        })
    };
    respond_with_faults("generate_single_window_post_with_vanilla", body, |error| {
        GenerateSingleWindowPoStWithVanilla {
            faulty_sectors: error.faulty_sectors().into(),
            ..Default::default()
        }
    })
}

/// Joins the proofs of all partitions of a Window PoSt.
///
/// @param registered_proof  a Window `RegisteredPoStProof`
/// @param partition_proofs  in order of partition; none gives an empty proof; borrowed
/// @return the proof. Free with destroy_merge_window_post_partition_proofs_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn merge_window_post_partition_proofs(
    registered_proof: RegisteredPoStProof_t,
    partition_proofs: slice_ref_slice_boxed_uint8_t,
) -> *mut Result_PoStProof_t {
    respond("merge_window_post_partition_proofs", || {
        borrow!(partition_proofs);
        let proof_type = post_proof(registered_proof)?;
        let partitions = convert::byte_strings(partition_proofs)
            .into_iter()
            .map(Partition)
            .collect();
        let proof = post::merge_window_post_partition_proofs(proof_type, partitions)?;
        Ok(PoStProof {
            registered_proof,
            proof: proof.into(),
        })
    })
}

/// Verifies a Window PoSt. Needs the verifying key of the circuit.
///
/// @param randomness  a canonical little-endian scalar; borrowed
/// @param replicas    the sectors that were proved; borrowed
/// @param proofs      exactly one proof, of the type of the replicas; borrowed
/// @param prover_id   the miner's id; borrowed
/// @return true when valid; false when well-formed and wrong; status 1 when malformed. Free with
///         destroy_verify_window_post_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn verify_window_post(
    randomness: *const uint8_32_array_t,
    replicas: slice_ref_PublicReplicaInfo_t,
    proofs: slice_ref_PoStProof_t,
    prover_id: *const uint8_32_array_t,
) -> *mut Result_bool_t {
    respond("verify_window_post", || {
        borrow!(randomness, replicas, proofs, prover_id);
        let replicas = convert::public_replicas(replicas)?;
        let mut typed_proofs = Vec::with_capacity(proofs.len());
        for proof in proofs {
            typed_proofs.push((post_proof(proof.registered_proof)?, proof.proof.as_slice()));
        }
        proving::verify_window(randomness, &typed_proofs, &replicas, *prover_id)
    })
}

/// Returns how many partitions a Window PoSt over a number of sectors has.
///
/// @param registered_proof  a Window `RegisteredPoStProof`
/// @param num_sectors       sectors to prove
/// @return at least 1. Free with destroy_get_num_partition_for_fallback_post_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn get_num_partition_for_fallback_post(
    registered_proof: RegisteredPoStProof_t,
    num_sectors: usize,
) -> *mut Result_size_t {
    respond("get_num_partition_for_fallback_post", || {
        let proof_type = post_proof(registered_proof)?;
        Ok(post::get_num_partition_for_fallback_post(proof_type, num_sectors)?)
    })
}
