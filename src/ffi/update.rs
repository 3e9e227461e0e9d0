//! Sector updates (SnapDeals): encoding, decoding, proving and verification.

use filecoin_proofs_api::update;

use super::boundary::respond;
use super::convert::{self, paths};
use super::descriptor;
use super::types::*;
use crate::filecoin::update::{self as proving, Commitments, NodeRange, Paths};

/// Encodes new data over a sealed empty sector.
///
/// @param registered_proof           a `RegisteredUpdateProof`
/// @param new_replica_path           existing file of the sector's size; receives the updated replica; borrowed
/// @param new_cache_dir_path         existing directory; receives the new trees and p_aux; borrowed
/// @param sector_key_path            the sealed empty sector; borrowed
/// @param sector_key_cache_dir_path  its cache directory; borrowed
/// @param staged_data_path           the padded new pieces; borrowed
/// @param pieces                     all new pieces in order; borrowed
/// @return the new CommR, CommRLast and CommD. Free with destroy_empty_sector_update_encode_into_response. Threads: any, one at
///         a time for one sector.
#[no_mangle]
pub unsafe extern "C" fn empty_sector_update_encode_into(
    registered_proof: RegisteredUpdateProof_t,
    new_replica_path: slice_ref_uint8_t,
    new_cache_dir_path: slice_ref_uint8_t,
    sector_key_path: slice_ref_uint8_t,
    sector_key_cache_dir_path: slice_ref_uint8_t,
    staged_data_path: slice_ref_uint8_t,
    pieces: slice_ref_PublicPieceInfo_t,
) -> *mut Result_EmptySectorUpdateEncodeInto_t {
    respond("empty_sector_update_encode_into", || {
        borrow!(
            new_replica_path,
            new_cache_dir_path,
            sector_key_path,
            sector_key_cache_dir_path,
            staged_data_path,
            pieces
        );
        paths!(
            new_replica_path,
            new_cache_dir_path,
            sector_key_path,
            sector_key_cache_dir_path,
            staged_data_path
        );
        let output = update::empty_sector_update_encode_into(
            update_proof(registered_proof)?,
            new_replica_path,
            new_cache_dir_path,
            sector_key_path,
            sector_key_cache_dir_path,
            staged_data_path,
            &convert::pieces(pieces),
        )?;
        Ok(EmptySectorUpdateEncodeInto {
            comm_r_new: uint8_32_array { idx: output.comm_r_new },
            comm_r_last_new: uint8_32_array {
                idx: output.comm_r_last_new,
            },
            comm_d_new: uint8_32_array { idx: output.comm_d_new },
        })
    })
}

/// Recovers the data of an updated sector.
///
/// @param registered_proof           a `RegisteredUpdateProof`
/// @param out_data_path              existing file of the sector's size; receives the padded data; borrowed
/// @param replica_path               the updated replica; borrowed
/// @param sector_key_path            the sealed empty sector; borrowed
/// @param sector_key_cache_dir_path  its cache directory; borrowed
/// @param comm_d_new                 CommD of the new data; borrowed
/// @return nothing. Free with destroy_empty_sector_update_decode_from_response. Threads: any, one at a time for one output.
#[no_mangle]
pub unsafe extern "C" fn empty_sector_update_decode_from(
    registered_proof: RegisteredUpdateProof_t,
    out_data_path: slice_ref_uint8_t,
    replica_path: slice_ref_uint8_t,
    sector_key_path: slice_ref_uint8_t,
    sector_key_cache_dir_path: slice_ref_uint8_t,
    comm_d_new: *const uint8_32_array_t,
) -> *mut Result_void_t {
    respond("empty_sector_update_decode_from", || {
        borrow!(
            out_data_path,
            replica_path,
            sector_key_path,
            sector_key_cache_dir_path,
            comm_d_new
        );
        paths!(out_data_path, replica_path, sector_key_path, sector_key_cache_dir_path);
        Ok(update::empty_sector_update_decode_from(
            update_proof(registered_proof)?,
            out_data_path,
            replica_path,
            sector_key_path,
            sector_key_cache_dir_path,
            *comm_d_new,
        )?)
    })
}

/// Recovers a range of the data of an updated sector, between descriptors.
///
/// @param registered_proof  a `RegisteredUpdateProof`
/// @param comm_d            CommD of the new data; borrowed
/// @param comm_r            CommR of the sealed empty sector; borrowed
/// @param input_fd          the updated replica, at the start of the range; its offset moves; stays open
/// @param sector_key_fd     the sealed empty sector, at the start of the range; its offset moves; stays open
/// @param output_fd         writable; written at its offset, which moves; stays open
/// @param nodes_offset      start of the range in nodes of 32 bytes
/// @param num_nodes         length of the range in nodes of 32 bytes
/// @return nothing. Free with destroy_empty_sector_update_decode_from_range_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn empty_sector_update_decode_from_range(
    registered_proof: RegisteredUpdateProof_t,
    comm_d: *const uint8_32_array_t,
    comm_r: *const uint8_32_array_t,
    input_fd: i32,
    sector_key_fd: i32,
    output_fd: i32,
    nodes_offset: u64,
    num_nodes: u64,
) -> *mut Result_void_t {
    respond("empty_sector_update_decode_from_range", || {
        borrow!(comm_d, comm_r);
        let files = [
            descriptor::duplicate("input_fd", input_fd)?,
            descriptor::duplicate("sector_key_fd", sector_key_fd)?,
            descriptor::duplicate("output_fd", output_fd)?,
        ];
        let range = NodeRange {
            offset: nodes_offset,
            count: num_nodes,
        };
        proving::decode_range(update_proof(registered_proof)?, [*comm_d, *comm_r], range, files)
    })
}

/// Recovers the sealed empty sector from an updated replica and its data.
///
/// @param registered_proof           a `RegisteredUpdateProof`
/// @param sector_key_path            existing file of the sector's size; receives the sealed empty sector; borrowed
/// @param sector_key_cache_dir_path  existing directory; receives its tree R-last and p_aux; borrowed
/// @param replica_path               the updated replica; borrowed
/// @param replica_cache_path         the cache directory that the sealed empty sector had, for its p_aux; borrowed
/// @param data_path                  the padded data; borrowed
/// @param comm_d_new                 CommD of the data; borrowed
/// @return nothing. Free with destroy_empty_sector_update_remove_encoded_data_response. Threads: any, one at a time for one
///         output.
#[no_mangle]
pub unsafe extern "C" fn empty_sector_update_remove_encoded_data(
    registered_proof: RegisteredUpdateProof_t,
    sector_key_path: slice_ref_uint8_t,
    sector_key_cache_dir_path: slice_ref_uint8_t,
    replica_path: slice_ref_uint8_t,
    replica_cache_path: slice_ref_uint8_t,
    data_path: slice_ref_uint8_t,
    comm_d_new: *const uint8_32_array_t,
) -> *mut Result_void_t {
    respond("empty_sector_update_remove_encoded_data", || {
        borrow!(
            sector_key_path,
            sector_key_cache_dir_path,
            replica_path,
            replica_cache_path,
            data_path,
            comm_d_new
        );
        paths!(
            sector_key_path,
            sector_key_cache_dir_path,
            replica_path,
            replica_cache_path,
            data_path
        );
        Ok(update::empty_sector_update_remove_encoded_data(
            update_proof(registered_proof)?,
            sector_key_path,
            sector_key_cache_dir_path,
            replica_path,
            replica_cache_path,
            data_path,
            *comm_d_new,
        )?)
    })
}

fn commitments(comm_r_old: &[u8; 32], comm_r_new: &[u8; 32], comm_d_new: &[u8; 32]) -> Commitments {
    Commitments {
        comm_r_old: *comm_r_old,
        comm_r_new: *comm_r_new,
        comm_d_new: *comm_d_new,
    }
}

/// Collects the vanilla proofs of an update.
///
/// @param registered_proof           a `RegisteredUpdateProof`
/// @param comm_r_old, comm_r_new     CommR before and after the update; borrowed
/// @param comm_d_new                 CommD of the new data; borrowed
/// @param sector_key_path            the sealed empty sector; borrowed
/// @param sector_key_cache_dir_path  its cache directory; borrowed
/// @param replica_path               the updated replica; borrowed
/// @param replica_cache_path         its cache directory; borrowed
/// @return one byte string a partition. Free with destroy_generate_empty_sector_update_partition_proof_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn generate_empty_sector_update_partition_proofs(
    registered_proof: RegisteredUpdateProof_t,
    comm_r_old: *const uint8_32_array_t,
    comm_r_new: *const uint8_32_array_t,
    comm_d_new: *const uint8_32_array_t,
    sector_key_path: slice_ref_uint8_t,
    sector_key_cache_dir_path: slice_ref_uint8_t,
    replica_path: slice_ref_uint8_t,
    replica_cache_path: slice_ref_uint8_t,
) -> *mut Result_slice_boxed_slice_boxed_uint8_t {
    respond("generate_empty_sector_update_partition_proofs", || {
        borrow!(
            comm_r_old,
            comm_r_new,
            comm_d_new,
            sector_key_path,
            sector_key_cache_dir_path,
            replica_path,
            replica_cache_path
        );
        paths!(
            sector_key_path,
            sector_key_cache_dir_path,
            replica_path,
            replica_cache_path
        );
        let paths = Paths {
            sector_key: sector_key_path,
            sector_key_cache: sector_key_cache_dir_path,
            replica: replica_path,
            replica_cache: replica_cache_path,
        };
        let commitments = commitments(comm_r_old, comm_r_new, comm_d_new);
        let proof_type = update_proof(registered_proof)?;
        let proofs = proving::partition_proofs(proof_type, &commitments, paths)?;
        let proofs: Vec<slice_boxed_uint8> = proofs.into_iter().map(Into::into).collect();
        Ok(proofs.into())
    })
}

/// Verifies the vanilla proofs of an update.
///
/// @param registered_proof           a `RegisteredUpdateProof`
/// @param proofs                     from generate_empty_sector_update_partition_proofs; borrowed
/// @param comm_r_old, comm_r_new     CommR before and after the update; borrowed
/// @param comm_d_new                 CommD of the new data; borrowed
/// @return true when valid; false when well-formed and wrong; status 1 when malformed. Free with
///         destroy_verify_empty_sector_update_partition_proof_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn verify_empty_sector_update_partition_proofs(
    registered_proof: RegisteredUpdateProof_t,
    proofs: slice_ref_slice_boxed_uint8_t,
    comm_r_old: *const uint8_32_array_t,
    comm_r_new: *const uint8_32_array_t,
    comm_d_new: *const uint8_32_array_t,
) -> *mut Result_bool_t {
    respond("verify_empty_sector_update_partition_proofs", || {
        borrow!(proofs, comm_r_old, comm_r_new, comm_d_new);
        let commitments = commitments(comm_r_old, comm_r_new, comm_d_new);
        let proof_type = update_proof(registered_proof)?;
        proving::verify_partition_proofs(proof_type, convert::byte_strings(proofs), &commitments)
    })
}

/// Proves an update from the sector's files. Needs the parameter files of the circuit.
///
/// @param registered_proof           a `RegisteredUpdateProof`
/// @param comm_r_old, comm_r_new     CommR before and after the update; borrowed
/// @param comm_d_new                 CommD of the new data; borrowed
/// @param sector_key_path            the sealed empty sector; borrowed
/// @param sector_key_cache_dir_path  its cache directory; borrowed
/// @param replica_path               the updated replica; borrowed
/// @param replica_cache_path         its cache directory; borrowed
/// @return 192 bytes a partition. Free with destroy_empty_sector_update_generate_proof_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn generate_empty_sector_update_proof(
    registered_proof: RegisteredUpdateProof_t,
    comm_r_old: *const uint8_32_array_t,
    comm_r_new: *const uint8_32_array_t,
    comm_d_new: *const uint8_32_array_t,
    sector_key_path: slice_ref_uint8_t,
    sector_key_cache_dir_path: slice_ref_uint8_t,
    replica_path: slice_ref_uint8_t,
    replica_cache_path: slice_ref_uint8_t,
) -> *mut Result_slice_boxed_uint8_t {
    respond("generate_empty_sector_update_proof", || {
        borrow!(
            comm_r_old,
            comm_r_new,
            comm_d_new,
            sector_key_path,
            sector_key_cache_dir_path,
            replica_path,
            replica_cache_path
        );
        paths!(
            sector_key_path,
            sector_key_cache_dir_path,
            replica_path,
            replica_cache_path
        );
        let paths = Paths {
            sector_key: sector_key_path,
            sector_key_cache: sector_key_cache_dir_path,
            replica: replica_path,
            replica_cache: replica_cache_path,
        };
        let commitments = commitments(comm_r_old, comm_r_new, comm_d_new);
        let proof_type = update_proof(registered_proof)?;
        Ok(proving::prove(proof_type, &commitments, paths)?.into())
    })
}

/// Proves an update from its vanilla proofs. Needs the parameter files of the circuit.
///
/// @param registered_proof           a `RegisteredUpdateProof`
/// @param vanilla_proofs             from generate_empty_sector_update_partition_proofs; borrowed
/// @param comm_r_old, comm_r_new     CommR before and after the update; borrowed
/// @param comm_d_new                 CommD of the new data; borrowed
/// @return 192 bytes a partition. Free with destroy_empty_sector_update_generate_proof_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn generate_empty_sector_update_proof_with_vanilla(
    registered_proof: RegisteredUpdateProof_t,
    vanilla_proofs: slice_ref_slice_boxed_uint8_t,
    comm_r_old: *const uint8_32_array_t,
    comm_r_new: *const uint8_32_array_t,
    comm_d_new: *const uint8_32_array_t,
) -> *mut Result_slice_boxed_uint8_t {
    respond("generate_empty_sector_update_proof_with_vanilla", || {
        borrow!(vanilla_proofs, comm_r_old, comm_r_new, comm_d_new);
        let commitments = commitments(comm_r_old, comm_r_new, comm_d_new);
        let proof_type = update_proof(registered_proof)?;
        let vanilla_proofs = convert::byte_strings(vanilla_proofs);
        Ok(proving::prove_with_vanilla(proof_type, vanilla_proofs, &commitments)?.into())
    })
}

/// Verifies an update proof. Needs the verifying key of the circuit.
///
/// @param registered_proof           a `RegisteredUpdateProof`
/// @param proof                      from generate_empty_sector_update_proof; borrowed
/// @param comm_r_old, comm_r_new     CommR before and after the update; borrowed
/// @param comm_d_new                 CommD of the new data; borrowed
/// @return true when valid; false when well-formed and wrong; status 1 when malformed. Free with
///         destroy_empty_sector_update_verify_proof_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn verify_empty_sector_update_proof(
    registered_proof: RegisteredUpdateProof_t,
    proof: slice_ref_uint8_t,
    comm_r_old: *const uint8_32_array_t,
    comm_r_new: *const uint8_32_array_t,
    comm_d_new: *const uint8_32_array_t,
) -> *mut Result_bool_t {
    respond("verify_empty_sector_update_proof", || {
        borrow!(proof, comm_r_old, comm_r_new, comm_d_new);
        let commitments = commitments(comm_r_old, comm_r_new, comm_d_new);
        let proof_type = update_proof(registered_proof)?;
        proving::verify(proof_type, proof, &commitments)
    })
}
