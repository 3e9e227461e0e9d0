//! Sealing: PC1, PC2, C1, C2, their parts, verification and unsealing.

use filecoin_proofs_api::seal::{self, SealPreCommitPhase2Output};

use super::boundary::respond;
use super::convert::{self, paths};
use super::descriptor;
use super::types::*;
use crate::filecoin::seal::{self as proving, SealInputs};
use crate::filecoin::unseal::{self, SealedSector};

/// PC1: builds tree D and labels the layers (SDR).
///
/// @param registered_proof    a `RegisteredSealProof`
/// @param cache_dir_path      existing directory; receives tree D and the layers; borrowed
/// @param staged_sector_path  the padded pieces, filled up to the sector size; borrowed
/// @param sealed_sector_path  existing file; receives a copy of the staged sector; borrowed
/// @param sector_id           the sector's number
/// @param prover_id           the miner's id; borrowed
/// @param ticket              sealing randomness; borrowed
/// @param pieces              all pieces of the sector in order; borrowed
/// @return a JSON document for seal_pre_commit_phase2. Free with destroy_seal_pre_commit_phase1_response. Threads: any, one
///         at a time for one sector.
#[no_mangle]
pub unsafe extern "C" fn seal_pre_commit_phase1(
    registered_proof: RegisteredSealProof_t,
    cache_dir_path: slice_ref_uint8_t,
    staged_sector_path: slice_ref_uint8_t,
    sealed_sector_path: slice_ref_uint8_t,
    sector_id: u64,
    prover_id: *const uint8_32_array_t,
    ticket: *const uint8_32_array_t,
    pieces: slice_ref_PublicPieceInfo_t,
) -> *mut Result_slice_boxed_uint8_t {
    respond("seal_pre_commit_phase1", || {
        borrow!(
            cache_dir_path,
            staged_sector_path,
            sealed_sector_path,
            prover_id,
            ticket,
            pieces
        );
        paths!(cache_dir_path, staged_sector_path, sealed_sector_path);
        let output = seal::seal_pre_commit_phase1(
            seal_proof(registered_proof)?,
            cache_dir_path,
            staged_sector_path,
            sealed_sector_path,
            *prover_id,
            sector_id.into(),
            *ticket,
            &convert::pieces(pieces),
        )?;
        Ok(serde_json::to_vec(&output)?.into())
    })
}

/// Labels the layers (SDR) for a replica id, as PC1 does.
///
/// @param registered_proof  a `RegisteredSealProof`
/// @param output_dir        existing directory; receives the layers; borrowed
/// @param replica_id        makes the labels unique; borrowed
/// @return nothing. Free with destroy_generate_sdr_response. Threads: any, one at a time for one directory.
#[no_mangle]
pub unsafe extern "C" fn generate_sdr(
    registered_proof: RegisteredSealProof_t,
    output_dir: slice_ref_uint8_t,
    replica_id: *const uint8_32_array_t,
) -> *mut Result_void_t {
    respond("generate_sdr", || {
        borrow!(output_dir, replica_id);
        paths!(output_dir);
        Ok(seal::sdr(
            seal_proof(registered_proof)?,
            output_dir,
            (*replica_id).into(),
        )?)
    })
}

/// PC2: builds trees C and R-last, encodes the replica, writes p_aux and t_aux.
///
/// @param seal_pre_commit_phase1_output  the JSON document of seal_pre_commit_phase1; borrowed
/// @param cache_dir_path                 the directory that PC1 used; borrowed
/// @param sealed_sector_path             the file that PC1 filled; borrowed
/// @return CommR and CommD. Free with destroy_seal_pre_commit_phase2_response. Threads: any, one at a time for one sector.
#[no_mangle]
pub unsafe extern "C" fn seal_pre_commit_phase2(
    seal_pre_commit_phase1_output: slice_ref_uint8_t,
    cache_dir_path: slice_ref_uint8_t,
    sealed_sector_path: slice_ref_uint8_t,
) -> *mut Result_SealPreCommitPhase2_t {
    respond("seal_pre_commit_phase2", || {
        borrow!(seal_pre_commit_phase1_output, cache_dir_path, sealed_sector_path);
        paths!(cache_dir_path, sealed_sector_path);
        let phase1_output = serde_json::from_slice(seal_pre_commit_phase1_output)?;
        let output = seal::seal_pre_commit_phase2(phase1_output, cache_dir_path, sealed_sector_path)?;
        Ok(SealPreCommitPhase2 {
            registered_proof: seal_proof_number(output.registered_proof),
            comm_d: uint8_32_array { idx: output.comm_d },
            comm_r: uint8_32_array { idx: output.comm_r },
        })
    })
}

/// Builds tree R-last of a sealed file, as PC2 does.
///
/// @param registered_proof  a `RegisteredSealProof`; only its sector size matters
/// @param replica_path      the sealed file; borrowed
/// @param output_dir        existing directory; receives the tree, in one or more files; borrowed
/// @return CommRLast. Free with destroy_generate_tree_r_last_response. Threads: any, one at a time for one directory.
#[no_mangle]
pub unsafe extern "C" fn generate_tree_r_last(
    registered_proof: RegisteredSealProof_t,
    replica_path: slice_ref_uint8_t,
    output_dir: slice_ref_uint8_t,
) -> *mut Result_uint8_32_array_t {
    respond("generate_tree_r_last", || {
        borrow!(replica_path, output_dir);
        paths!(replica_path, output_dir);
        let idx = seal::generate_tree_r_last(seal_proof(registered_proof)?, replica_path, output_dir)?;
        Ok(uint8_32_array { idx })
    })
}

/// Builds tree C of stored layers, as PC2 does.
///
/// @param registered_proof  a `RegisteredSealProof`; only its sector size matters
/// @param input_dir         directory of the layers; borrowed
/// @param output_dir        existing directory, may be the same; receives the tree, in one or more files; borrowed
/// @return CommC. Free with destroy_generate_tree_c_response. Threads: any, one at a time for one directory.
#[no_mangle]
pub unsafe extern "C" fn generate_tree_c(
    registered_proof: RegisteredSealProof_t,
    input_dir: slice_ref_uint8_t,
    output_dir: slice_ref_uint8_t,
) -> *mut Result_uint8_32_array_t {
    respond("generate_tree_c", || {
        borrow!(input_dir, output_dir);
        paths!(input_dir, output_dir);
        let idx = seal::generate_tree_c(seal_proof(registered_proof)?, input_dir, output_dir)?;
        Ok(uint8_32_array { idx })
    })
}

/// Computes all vanilla proofs that a synthetic PoRep may be asked for, and stores them in the cache directory.
///
/// @param registered_proof  a synthetic `RegisteredSealProof`
/// @param comm_r, comm_d    from seal_pre_commit_phase2; borrowed
/// @param cache_dir_path    the directory that PC2 used; borrowed
/// @param replica_path      the sealed file; borrowed
/// @param sector_id         the sector's number
/// @param prover_id         the miner's id; borrowed
/// @param ticket            sealing randomness; borrowed
/// @param pieces            all pieces of the sector in order; borrowed
/// @return nothing. Free with destroy_generate_synth_proofs_response. Threads: any, one at a time for one sector.
#[no_mangle]
pub unsafe extern "C" fn generate_synth_proofs(
    registered_proof: RegisteredSealProof_t,
    comm_r: *const uint8_32_array_t,
    comm_d: *const uint8_32_array_t,
    cache_dir_path: slice_ref_uint8_t,
    replica_path: slice_ref_uint8_t,
    sector_id: u64,
    prover_id: *const uint8_32_array_t,
    ticket: *const uint8_32_array_t,
    pieces: slice_ref_PublicPieceInfo_t,
) -> *mut Result_void_t {
    respond("generate_synth_proofs", || {
        borrow!(comm_r, comm_d, cache_dir_path, replica_path, prover_id, ticket, pieces);
        paths!(cache_dir_path, replica_path);
        let pre_commit = SealPreCommitPhase2Output {
            registered_proof: seal_proof(registered_proof)?,
            comm_r: *comm_r,
            comm_d: *comm_d,
        };
        Ok(seal::generate_synth_proofs(
            cache_dir_path,
            replica_path,
            *prover_id,
            sector_id.into(),
            *ticket,
            pre_commit,
            &convert::pieces(pieces),
        )?)
    })
}

/// C1: derives the challenges and collects their vanilla proofs.
///
/// @param registered_proof  a `RegisteredSealProof`
/// @param comm_r, comm_d    from seal_pre_commit_phase2; borrowed
/// @param cache_dir_path    the directory that PC2 used; borrowed
/// @param replica_path      the sealed file; borrowed
/// @param sector_id         the sector's number
/// @param prover_id         the miner's id; borrowed
/// @param ticket            sealing randomness; borrowed
/// @param seed              interactive randomness; borrowed
/// @param pieces            all pieces of the sector in order; borrowed
/// @return a JSON document for seal_commit_phase2. Free with destroy_seal_commit_phase1_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn seal_commit_phase1(
    registered_proof: RegisteredSealProof_t,
    comm_r: *const uint8_32_array_t,
    comm_d: *const uint8_32_array_t,
    cache_dir_path: slice_ref_uint8_t,
    replica_path: slice_ref_uint8_t,
    sector_id: u64,
    prover_id: *const uint8_32_array_t,
    ticket: *const uint8_32_array_t,
    seed: *const uint8_32_array_t,
    pieces: slice_ref_PublicPieceInfo_t,
) -> *mut Result_slice_boxed_uint8_t {
    respond("seal_commit_phase1", || {
        borrow!(
            comm_r,
            comm_d,
            cache_dir_path,
            replica_path,
            prover_id,
            ticket,
            seed,
            pieces
        );
        paths!(cache_dir_path, replica_path);
        let pre_commit = SealPreCommitPhase2Output {
            registered_proof: seal_proof(registered_proof)?,
            comm_r: *comm_r,
            comm_d: *comm_d,
        };
        let output = seal::seal_commit_phase1(
            cache_dir_path,
            replica_path,
            *prover_id,
            sector_id.into(),
            *ticket,
            *seed,
            pre_commit,
            &convert::pieces(pieces),
        )?;
        Ok(serde_json::to_vec(&output)?.into())
    })
}

/// C2: proves a C1 document with Groth16 and verifies the result. Needs the parameter files of the circuit.
///
/// @param seal_commit_phase1_output  the JSON document of seal_commit_phase1; borrowed
/// @param sector_id                  the sector's number
/// @param prover_id                  the miner's id; borrowed
/// @return 192 bytes a partition (1 up to 512 MiB, 10 for 32 and 64 GiB), or an aggregate for non-interactive PoRep. Free
///         with destroy_seal_commit_phase2_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn seal_commit_phase2(
    seal_commit_phase1_output: slice_ref_uint8_t,
    sector_id: u64,
    prover_id: *const uint8_32_array_t,
) -> *mut Result_slice_boxed_uint8_t {
    respond("seal_commit_phase2", || {
        borrow!(seal_commit_phase1_output, prover_id);
        Ok(proving::commit_phase2(seal_commit_phase1_output, *prover_id, sector_id)?.into())
    })
}

/// C2 for non-interactive PoRep whose proofs are aggregated later: neither aggregates nor verifies.
///
/// @param seal_commit_phase1_output  the JSON document of seal_commit_phase1; borrowed
/// @param sector_id                  the sector's number
/// @return the partitions' proofs, 192 bytes each, concatenated. Free with destroy_seal_commit_phase2_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn seal_commit_phase2_circuit_proofs(
    seal_commit_phase1_output: slice_ref_uint8_t,
    sector_id: u64,
) -> *mut Result_slice_boxed_uint8_t {
    respond("seal_commit_phase2_circuit_proofs", || {
        borrow!(seal_commit_phase1_output);
        Ok(proving::commit_phase2_circuit_proofs(seal_commit_phase1_output, sector_id)?.into())
    })
}

/// Verifies a seal proof. Needs the verifying key of the circuit.
///
/// @param registered_proof  a `RegisteredSealProof`
/// @param comm_r, comm_d    the sector's commitments; borrowed
/// @param prover_id         the miner's id; borrowed
/// @param ticket, seed      sealing and interactive randomness; borrowed
/// @param sector_id         the sector's number
/// @param proof             from seal_commit_phase2; borrowed
/// @return true when valid; false when well-formed and wrong; status 1 when malformed. Free with
///         destroy_verify_seal_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn verify_seal(
    registered_proof: RegisteredSealProof_t,
    comm_r: *const uint8_32_array_t,
    comm_d: *const uint8_32_array_t,
    prover_id: *const uint8_32_array_t,
    ticket: *const uint8_32_array_t,
    seed: *const uint8_32_array_t,
    sector_id: u64,
    proof: slice_ref_uint8_t,
) -> *mut Result_bool_t {
    respond("verify_seal", || {
        borrow!(comm_r, comm_d, prover_id, ticket, seed, proof);
        let inputs = SealInputs {
            comm_r: *comm_r,
            comm_d: *comm_d,
            prover_id: *prover_id,
            sector_id,
            ticket: *ticket,
            seed: *seed,
        };
        proving::verify(seal_proof(registered_proof)?, &inputs, proof)
    })
}

/// Decodes a range of a sealed sector and writes the user's bytes.
///
/// @param registered_proof       a `RegisteredSealProof`
/// @param cache_dir_path         existing directory for scratch files; tree D of a sealed sector in it is overwritten; borrowed
/// @param sealed_sector_fd_raw   the sealed file; it is opened again by its path, which must be writable; stays open
/// @param unseal_output_fd_raw   writable; written at its offset, which moves; stays open
/// @param sector_id              the sector's number
/// @param prover_id              the miner's id; borrowed
/// @param ticket                 sealing randomness; borrowed
/// @param comm_d                 the sector's data commitment; borrowed
/// @param unpadded_byte_index    first byte of the range, unpadded
/// @param unpadded_bytes_amount  length of the range, unpadded
/// @return nothing. Free with destroy_unseal_range_response. Threads: any, one at a time for one cache directory.
#[no_mangle]
pub unsafe extern "C" fn unseal_range(
    registered_proof: RegisteredSealProof_t,
    cache_dir_path: slice_ref_uint8_t,
    sealed_sector_fd_raw: i32,
    unseal_output_fd_raw: i32,
    sector_id: u64,
    prover_id: *const uint8_32_array_t,
    ticket: *const uint8_32_array_t,
    comm_d: *const uint8_32_array_t,
    unpadded_byte_index: u64,
    unpadded_bytes_amount: u64,
) -> *mut Result_void_t {
    respond("unseal_range", || {
        borrow!(cache_dir_path, prover_id, ticket, comm_d);
        paths!(cache_dir_path);
        let sealed_sector_path = descriptor::path("sealed_sector_fd_raw", sealed_sector_fd_raw)?;
        let output = descriptor::duplicate("unseal_output_fd_raw", unseal_output_fd_raw)?;
        let sector = SealedSector {
            cache_dir: cache_dir_path,
            path: sealed_sector_path,
            prover_id: *prover_id,
            sector_id,
            comm_d: *comm_d,
            ticket: *ticket,
        };
        let proof_type = seal_proof(registered_proof)?;
        unseal::unseal_range(proof_type, sector, unpadded_byte_index, unpadded_bytes_amount, output)
    })
}
