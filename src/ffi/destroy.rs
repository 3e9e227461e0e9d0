//! Destructors. Each frees one response or array with everything it owns, takes NULL, and must be called once. The ones
//! of the same type are interchangeable: callers use whichever they like.

use super::boundary::{destroy, guard};
use super::types::*;

/// Frees a slice that `alloc_boxed_slice` made, or any owned slice that the caller took out of a response. A NULL or empty
/// slice is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_boxed_slice(ptr: slice_boxed_uint8_t) {
    guard("destroy_boxed_slice", (), || {
        drop(ptr);
        Ok(())
    })
}

/// Frees a machine that the caller took out of its creation response. NULL is accepted; any thread may call it.
#[no_mangle]
pub unsafe extern "C" fn drop_fvm_machine(ptr: *mut InnerFvmMachine_t) {
    // SAFETY: the caller owns the machine and gives it up.
    unsafe { destroy("drop_fvm_machine", ptr) }
}

/// Frees a `Result_EmptySectorUpdateEncodeInto_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_empty_sector_update_encode_into_response(
    ptr: *mut Result_EmptySectorUpdateEncodeInto_t,
) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_empty_sector_update_encode_into_response", ptr) }
}

/// Frees a `Result_FvmMachineExecuteResponse_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_fvm_machine_execute_response(ptr: *mut Result_FvmMachineExecuteResponse_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_fvm_machine_execute_response", ptr) }
}

/// Frees a `Result_GenerateFallbackSectorChallenges_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_generate_fallback_sector_challenges_response(
    ptr: *mut Result_GenerateFallbackSectorChallenges_t,
) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_generate_fallback_sector_challenges_response", ptr) }
}

/// Frees a `Result_GeneratePieceCommitment_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_generate_piece_commitment_response(ptr: *mut Result_GeneratePieceCommitment_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_generate_piece_commitment_response", ptr) }
}

/// Frees a `Result_GenerateSingleWindowPoStWithVanilla_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_generate_single_window_post_with_vanilla_response(
    ptr: *mut Result_GenerateSingleWindowPoStWithVanilla_t,
) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_generate_single_window_post_with_vanilla_response", ptr) }
}

/// Frees a `Result_GenerateWindowPoSt_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_generate_window_post_response(ptr: *mut Result_GenerateWindowPoSt_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_generate_window_post_response", ptr) }
}

/// Frees a `Result_InnerFvmMachine_ptr_t`, and its machine unless the caller has overwritten `value` with NULL. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_create_fvm_machine_response(ptr: *mut Result_InnerFvmMachine_ptr_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_create_fvm_machine_response", ptr) }
}

/// Frees a `Result_PoStProof_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_merge_window_post_partition_proofs_response(ptr: *mut Result_PoStProof_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_merge_window_post_partition_proofs_response", ptr) }
}

/// Frees a `Result_SealPreCommitPhase2_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_seal_pre_commit_phase2_response(ptr: *mut Result_SealPreCommitPhase2_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_seal_pre_commit_phase2_response", ptr) }
}

/// Frees a `Result_WriteWithAlignment_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_write_with_alignment_response(ptr: *mut Result_WriteWithAlignment_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_write_with_alignment_response", ptr) }
}

/// Frees a `Result_WriteWithoutAlignment_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_write_without_alignment_response(ptr: *mut Result_WriteWithoutAlignment_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_write_without_alignment_response", ptr) }
}

/// Frees a `Result_bool_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_empty_sector_update_verify_proof_response(ptr: *mut Result_bool_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_empty_sector_update_verify_proof_response", ptr) }
}

/// Frees a `Result_bool_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_verify_aggregate_seal_response(ptr: *mut Result_bool_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_verify_aggregate_seal_response", ptr) }
}

/// Frees a `Result_bool_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_verify_empty_sector_update_partition_proof_response(ptr: *mut Result_bool_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_verify_empty_sector_update_partition_proof_response", ptr) }
}

/// Frees a `Result_bool_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_verify_seal_response(ptr: *mut Result_bool_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_verify_seal_response", ptr) }
}

/// Frees a `Result_bool_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_verify_window_post_response(ptr: *mut Result_bool_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_verify_window_post_response", ptr) }
}

/// Frees a `Result_bool_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_verify_winning_post_response(ptr: *mut Result_bool_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_verify_winning_post_response", ptr) }
}

/// Frees a `Result_size_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_get_num_partition_for_fallback_post_response(ptr: *mut Result_size_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_get_num_partition_for_fallback_post_response", ptr) }
}

/// Frees a `Result_slice_boxed_PoStProof_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_generate_winning_post_response(ptr: *mut Result_slice_boxed_PoStProof_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_generate_winning_post_response", ptr) }
}

/// Frees a `Result_slice_boxed_slice_boxed_uint8_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_generate_empty_sector_update_partition_proof_response(
    ptr: *mut Result_slice_boxed_slice_boxed_uint8_t,
) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_generate_empty_sector_update_partition_proof_response", ptr) }
}

/// Frees a `Result_slice_boxed_slice_boxed_uint8_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_gpu_device_response(ptr: *mut Result_slice_boxed_slice_boxed_uint8_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_gpu_device_response", ptr) }
}

/// Frees a `Result_slice_boxed_uint64_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_generate_winning_post_sector_challenge(ptr: *mut Result_slice_boxed_uint64_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_generate_winning_post_sector_challenge", ptr) }
}

/// Frees a `Result_slice_boxed_uint8_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_aggregate_proof(ptr: *mut Result_slice_boxed_uint8_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_aggregate_proof", ptr) }
}

/// Frees a `Result_slice_boxed_uint8_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_empty_sector_update_generate_proof_response(ptr: *mut Result_slice_boxed_uint8_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_empty_sector_update_generate_proof_response", ptr) }
}

/// Frees a `Result_slice_boxed_uint8_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_fvm_machine_flush_response(ptr: *mut Result_slice_boxed_uint8_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_fvm_machine_flush_response", ptr) }
}

/// Frees a `Result_slice_boxed_uint8_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_generate_single_vanilla_proof_response(ptr: *mut Result_slice_boxed_uint8_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_generate_single_vanilla_proof_response", ptr) }
}

/// Frees a `Result_slice_boxed_uint8_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_seal_commit_phase1_response(ptr: *mut Result_slice_boxed_uint8_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_seal_commit_phase1_response", ptr) }
}

/// Frees a `Result_slice_boxed_uint8_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_seal_commit_phase2_response(ptr: *mut Result_slice_boxed_uint8_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_seal_commit_phase2_response", ptr) }
}

/// Frees a `Result_slice_boxed_uint8_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_seal_pre_commit_phase1_response(ptr: *mut Result_slice_boxed_uint8_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_seal_pre_commit_phase1_response", ptr) }
}

/// Frees a `Result_slice_boxed_uint8_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_string_response(ptr: *mut Result_slice_boxed_uint8_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_string_response", ptr) }
}

/// Frees a `Result_uint8_32_array_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_fauxrep_response(ptr: *mut Result_uint8_32_array_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_fauxrep_response", ptr) }
}

/// Frees a `Result_uint8_32_array_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_finalize_ticket_response(ptr: *mut Result_uint8_32_array_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_finalize_ticket_response", ptr) }
}

/// Frees a `Result_uint8_32_array_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_generate_data_commitment_response(ptr: *mut Result_uint8_32_array_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_generate_data_commitment_response", ptr) }
}

/// Frees a `Result_uint8_32_array_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_generate_tree_c_response(ptr: *mut Result_uint8_32_array_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_generate_tree_c_response", ptr) }
}

/// Frees a `Result_uint8_32_array_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_generate_tree_r_last_response(ptr: *mut Result_uint8_32_array_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_generate_tree_r_last_response", ptr) }
}

/// Frees a `Result_void_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_clear_cache_response(ptr: *mut Result_void_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_clear_cache_response", ptr) }
}

/// Frees a `Result_void_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_empty_sector_update_decode_from_range_response(ptr: *mut Result_void_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_empty_sector_update_decode_from_range_response", ptr) }
}

/// Frees a `Result_void_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_empty_sector_update_decode_from_response(ptr: *mut Result_void_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_empty_sector_update_decode_from_response", ptr) }
}

/// Frees a `Result_void_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_empty_sector_update_remove_encoded_data_response(ptr: *mut Result_void_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_empty_sector_update_remove_encoded_data_response", ptr) }
}

/// Frees a `Result_void_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_generate_sdr_response(ptr: *mut Result_void_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_generate_sdr_response", ptr) }
}

/// Frees a `Result_void_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_generate_synth_proofs_response(ptr: *mut Result_void_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_generate_synth_proofs_response", ptr) }
}

/// Frees a `Result_void_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_init_log_fd_response(ptr: *mut Result_void_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_init_log_fd_response", ptr) }
}

/// Frees a `Result_void_t` and everything it owns. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_unseal_range_response(ptr: *mut Result_void_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_unseal_range_response", ptr) }
}

/// Frees a `uint8_32_array_t`. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_box_bls_private_key(ptr: *mut uint8_32_array_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_box_bls_private_key", ptr) }
}

/// Frees a `uint8_48_array_t`. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_box_bls_public_key(ptr: *mut uint8_48_array_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_box_bls_public_key", ptr) }
}

/// Frees a `uint8_96_array_t`. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_box_bls_digest(ptr: *mut uint8_96_array_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_box_bls_digest", ptr) }
}

/// Frees a `uint8_96_array_t`. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn destroy_box_bls_signature(ptr: *mut uint8_96_array_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("destroy_box_bls_signature", ptr) }
}
