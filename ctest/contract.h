/*
 * Every function of filecoin-ffi v1.36.1 as callers know it. layout.c includes this after filcrypto.h: the compiler
 * then refuses any declaration of the header that differs. run.sh holds the exported names of the library against it.
 */
uint8_96_array_t *aggregate(slice_ref_uint8_t flattened_signatures);
uint8_96_array_t *create_zero_signature(void);
uint8_96_array_t *hash(slice_ref_uint8_t message);
bool hash_verify(slice_ref_uint8_t signature, slice_ref_uint8_t flattened_messages, slice_ref_size_t message_sizes,
                 slice_ref_uint8_t flattened_public_keys);
uint8_32_array_t *private_key_generate(void);
uint8_32_array_t *private_key_generate_with_seed(const uint8_32_array_t *raw_seed);
uint8_48_array_t *private_key_public_key(slice_ref_uint8_t raw_private_key);
uint8_96_array_t *private_key_sign(slice_ref_uint8_t raw_private_key, slice_ref_uint8_t message);
bool verify(slice_ref_uint8_t signature, slice_ref_uint8_t flattened_digests, slice_ref_uint8_t flattened_public_keys);
Result_slice_boxed_uint8_t *aggregate_seal_proofs(RegisteredSealProof_t registered_proof,
                                                  RegisteredAggregationProof_t registered_aggregation,
                                                  slice_ref_uint8_32_array_t comm_rs, slice_ref_uint8_32_array_t seeds,
                                                  slice_ref_slice_boxed_uint8_t seal_commit_responses);
Result_void_t *clear_cache(slice_ref_uint8_t cache_dir_path);
Result_void_t *clear_synthetic_proofs(slice_ref_uint8_t cache_dir_path);
Result_void_t *empty_sector_update_decode_from(RegisteredUpdateProof_t registered_proof,
                                               slice_ref_uint8_t out_data_path, slice_ref_uint8_t replica_path,
                                               slice_ref_uint8_t sector_key_path,
                                               slice_ref_uint8_t sector_key_cache_dir_path,
                                               const uint8_32_array_t *comm_d_new);
Result_void_t *empty_sector_update_decode_from_range(RegisteredUpdateProof_t registered_proof,
                                                     const uint8_32_array_t *comm_d, const uint8_32_array_t *comm_r,
                                                     int32_t input_fd, int32_t sector_key_fd, int32_t output_fd,
                                                     uint64_t nodes_offset, uint64_t num_nodes);
Result_EmptySectorUpdateEncodeInto_t *
empty_sector_update_encode_into(RegisteredUpdateProof_t registered_proof, slice_ref_uint8_t new_replica_path,
                                slice_ref_uint8_t new_cache_dir_path, slice_ref_uint8_t sector_key_path,
                                slice_ref_uint8_t sector_key_cache_dir_path, slice_ref_uint8_t staged_data_path,
                                slice_ref_PublicPieceInfo_t pieces);
Result_void_t *empty_sector_update_remove_encoded_data(RegisteredUpdateProof_t registered_proof,
                                                       slice_ref_uint8_t sector_key_path,
                                                       slice_ref_uint8_t sector_key_cache_dir_path,
                                                       slice_ref_uint8_t replica_path,
                                                       slice_ref_uint8_t replica_cache_path,
                                                       slice_ref_uint8_t data_path, const uint8_32_array_t *comm_d_new);
Result_uint8_32_array_t *fauxrep(RegisteredSealProof_t registered_proof, slice_ref_uint8_t cache_dir_path,
                                 slice_ref_uint8_t sealed_sector_path);
Result_uint8_32_array_t *fauxrep2(RegisteredSealProof_t registered_proof, slice_ref_uint8_t cache_dir_path,
                                  slice_ref_uint8_t existing_p_aux_path);
Result_uint8_32_array_t *generate_data_commitment(RegisteredSealProof_t registered_proof,
                                                  slice_ref_PublicPieceInfo_t pieces);
Result_slice_boxed_slice_boxed_uint8_t *generate_empty_sector_update_partition_proofs(
    RegisteredUpdateProof_t registered_proof, const uint8_32_array_t *comm_r_old, const uint8_32_array_t *comm_r_new,
    const uint8_32_array_t *comm_d_new, slice_ref_uint8_t sector_key_path, slice_ref_uint8_t sector_key_cache_dir_path,
    slice_ref_uint8_t replica_path, slice_ref_uint8_t replica_cache_path);
Result_slice_boxed_uint8_t *
generate_empty_sector_update_proof(RegisteredUpdateProof_t registered_proof, const uint8_32_array_t *comm_r_old,
                                   const uint8_32_array_t *comm_r_new, const uint8_32_array_t *comm_d_new,
                                   slice_ref_uint8_t sector_key_path, slice_ref_uint8_t sector_key_cache_dir_path,
                                   slice_ref_uint8_t replica_path, slice_ref_uint8_t replica_cache_path);
Result_slice_boxed_uint8_t *generate_empty_sector_update_proof_with_vanilla(
    RegisteredUpdateProof_t registered_proof, slice_ref_slice_boxed_uint8_t vanilla_proofs,
    const uint8_32_array_t *comm_r_old, const uint8_32_array_t *comm_r_new, const uint8_32_array_t *comm_d_new);
Result_GenerateFallbackSectorChallenges_t *generate_fallback_sector_challenges(RegisteredPoStProof_t registered_proof,
                                                                               const uint8_32_array_t *randomness,
                                                                               slice_ref_uint64_t sector_ids,
                                                                               const uint8_32_array_t *prover_id);
Result_GeneratePieceCommitment_t *generate_piece_commitment(RegisteredSealProof_t registered_proof,
                                                            int32_t piece_fd_raw, uint64_t unpadded_piece_size);
Result_void_t *generate_sdr(RegisteredSealProof_t registered_proof, slice_ref_uint8_t output_dir,
                            const uint8_32_array_t *replica_id);
Result_slice_boxed_uint8_t *generate_single_vanilla_proof(PrivateReplicaInfo_t replica, slice_ref_uint64_t challenges);
Result_GenerateSingleWindowPoStWithVanilla_t *
generate_single_window_post_with_vanilla(RegisteredPoStProof_t registered_proof, const uint8_32_array_t *randomness,
                                         const uint8_32_array_t *prover_id,
                                         slice_ref_slice_boxed_uint8_t vanilla_proofs, size_t partition_index);
Result_void_t *generate_synth_proofs(RegisteredSealProof_t registered_proof, const uint8_32_array_t *comm_r,
                                     const uint8_32_array_t *comm_d, slice_ref_uint8_t cache_dir_path,
                                     slice_ref_uint8_t replica_path, uint64_t sector_id,
                                     const uint8_32_array_t *prover_id, const uint8_32_array_t *ticket,
                                     slice_ref_PublicPieceInfo_t pieces);
Result_uint8_32_array_t *generate_tree_c(RegisteredSealProof_t registered_proof, slice_ref_uint8_t input_dir,
                                         slice_ref_uint8_t output_dir);
Result_uint8_32_array_t *generate_tree_r_last(RegisteredSealProof_t registered_proof, slice_ref_uint8_t replica_path,
                                              slice_ref_uint8_t output_dir);
Result_GenerateWindowPoSt_t *generate_window_post(const uint8_32_array_t *randomness,
                                                  slice_ref_PrivateReplicaInfo_t replicas,
                                                  const uint8_32_array_t *prover_id);
Result_GenerateWindowPoSt_t *generate_window_post_with_vanilla(RegisteredPoStProof_t registered_proof,
                                                               const uint8_32_array_t *randomness,
                                                               const uint8_32_array_t *prover_id,
                                                               slice_ref_slice_boxed_uint8_t vanilla_proofs);
Result_slice_boxed_PoStProof_t *generate_winning_post(const uint8_32_array_t *randomness,
                                                      slice_ref_PrivateReplicaInfo_t replicas,
                                                      const uint8_32_array_t *prover_id);
Result_slice_boxed_uint64_t *generate_winning_post_sector_challenge(RegisteredPoStProof_t registered_proof,
                                                                    const uint8_32_array_t *randomness,
                                                                    uint64_t sector_set_len,
                                                                    const uint8_32_array_t *prover_id);
Result_slice_boxed_PoStProof_t *generate_winning_post_with_vanilla(RegisteredPoStProof_t registered_proof,
                                                                   const uint8_32_array_t *randomness,
                                                                   const uint8_32_array_t *prover_id,
                                                                   slice_ref_slice_boxed_uint8_t vanilla_proofs);
uint64_t get_max_user_bytes_per_staged_sector(RegisteredSealProof_t registered_proof);
Result_size_t *get_num_partition_for_fallback_post(RegisteredPoStProof_t registered_proof, size_t num_sectors);
Result_slice_boxed_uint8_t *get_post_circuit_identifier(RegisteredPoStProof_t registered_proof);
Result_slice_boxed_uint8_t *get_post_params_cid(RegisteredPoStProof_t registered_proof);
Result_slice_boxed_uint8_t *get_post_params_path(RegisteredPoStProof_t registered_proof);
Result_slice_boxed_uint8_t *get_post_verifying_key_cid(RegisteredPoStProof_t registered_proof);
Result_slice_boxed_uint8_t *get_post_verifying_key_path(RegisteredPoStProof_t registered_proof);
Result_slice_boxed_uint8_t *get_post_version(RegisteredPoStProof_t registered_proof);
Result_slice_boxed_uint8_t *get_seal_circuit_identifier(RegisteredSealProof_t registered_proof);
Result_slice_boxed_uint8_t *get_seal_params_cid(RegisteredSealProof_t registered_proof);
Result_slice_boxed_uint8_t *get_seal_params_path(RegisteredSealProof_t registered_proof);
Result_slice_boxed_uint8_t *get_seal_verifying_key_cid(RegisteredSealProof_t registered_proof);
Result_slice_boxed_uint8_t *get_seal_verifying_key_path(RegisteredSealProof_t registered_proof);
Result_slice_boxed_uint8_t *get_seal_version(RegisteredSealProof_t registered_proof);
Result_PoStProof_t *merge_window_post_partition_proofs(RegisteredPoStProof_t registered_proof,
                                                       slice_ref_slice_boxed_uint8_t partition_proofs);
Result_slice_boxed_uint8_t *seal_commit_phase1(RegisteredSealProof_t registered_proof, const uint8_32_array_t *comm_r,
                                               const uint8_32_array_t *comm_d, slice_ref_uint8_t cache_dir_path,
                                               slice_ref_uint8_t replica_path, uint64_t sector_id,
                                               const uint8_32_array_t *prover_id, const uint8_32_array_t *ticket,
                                               const uint8_32_array_t *seed, slice_ref_PublicPieceInfo_t pieces);
Result_slice_boxed_uint8_t *seal_commit_phase2(slice_ref_uint8_t seal_commit_phase1_output, uint64_t sector_id,
                                               const uint8_32_array_t *prover_id);
Result_slice_boxed_uint8_t *seal_commit_phase2_circuit_proofs(slice_ref_uint8_t seal_commit_phase1_output,
                                                              uint64_t sector_id);
Result_slice_boxed_uint8_t *seal_pre_commit_phase1(RegisteredSealProof_t registered_proof,
                                                   slice_ref_uint8_t cache_dir_path,
                                                   slice_ref_uint8_t staged_sector_path,
                                                   slice_ref_uint8_t sealed_sector_path, uint64_t sector_id,
                                                   const uint8_32_array_t *prover_id, const uint8_32_array_t *ticket,
                                                   slice_ref_PublicPieceInfo_t pieces);
Result_SealPreCommitPhase2_t *seal_pre_commit_phase2(slice_ref_uint8_t seal_pre_commit_phase1_output,
                                                     slice_ref_uint8_t cache_dir_path,
                                                     slice_ref_uint8_t sealed_sector_path);
Result_void_t *unseal_range(RegisteredSealProof_t registered_proof, slice_ref_uint8_t cache_dir_path,
                            int32_t sealed_sector_fd_raw, int32_t unseal_output_fd_raw, uint64_t sector_id,
                            const uint8_32_array_t *prover_id, const uint8_32_array_t *ticket,
                            const uint8_32_array_t *comm_d, uint64_t unpadded_byte_index,
                            uint64_t unpadded_bytes_amount);
Result_bool_t *verify_aggregate_seal_proof(RegisteredSealProof_t registered_proof,
                                           RegisteredAggregationProof_t registered_aggregation,
                                           const uint8_32_array_t *prover_id, slice_ref_uint8_t proof,
                                           slice_ref_AggregationInputs_t commit_inputs);
Result_bool_t *verify_empty_sector_update_partition_proofs(RegisteredUpdateProof_t registered_proof,
                                                           slice_ref_slice_boxed_uint8_t proofs,
                                                           const uint8_32_array_t *comm_r_old,
                                                           const uint8_32_array_t *comm_r_new,
                                                           const uint8_32_array_t *comm_d_new);
Result_bool_t *verify_empty_sector_update_proof(RegisteredUpdateProof_t registered_proof, slice_ref_uint8_t proof,
                                                const uint8_32_array_t *comm_r_old, const uint8_32_array_t *comm_r_new,
                                                const uint8_32_array_t *comm_d_new);
Result_bool_t *verify_seal(RegisteredSealProof_t registered_proof, const uint8_32_array_t *comm_r,
                           const uint8_32_array_t *comm_d, const uint8_32_array_t *prover_id,
                           const uint8_32_array_t *ticket, const uint8_32_array_t *seed, uint64_t sector_id,
                           slice_ref_uint8_t proof);
Result_bool_t *verify_window_post(const uint8_32_array_t *randomness, slice_ref_PublicReplicaInfo_t replicas,
                                  slice_ref_PoStProof_t proofs, const uint8_32_array_t *prover_id);
Result_bool_t *verify_winning_post(const uint8_32_array_t *randomness, slice_ref_PublicReplicaInfo_t replicas,
                                   slice_ref_PoStProof_t proofs, const uint8_32_array_t *prover_id);
Result_WriteWithAlignment_t *write_with_alignment(RegisteredSealProof_t registered_proof, int32_t src_fd,
                                                  uint64_t src_size, int32_t dst_fd,
                                                  slice_ref_uint64_t existing_piece_sizes);
Result_WriteWithoutAlignment_t *write_without_alignment(RegisteredSealProof_t registered_proof, int32_t src_fd,
                                                        uint64_t src_size, int32_t dst_fd);
slice_boxed_uint8_t alloc_boxed_slice(size_t size);
Result_slice_boxed_slice_boxed_uint8_t *get_gpu_devices(void);
Result_void_t *init_log_fd(int32_t log_fd);
Result_InnerFvmMachine_ptr_t *
create_fvm_debug_machine(FvmRegisteredVersion_t fvm_version, uint64_t chain_epoch, uint64_t chain_timestamp,
                         uint64_t chain_id, uint64_t base_fee_hi, uint64_t base_fee_lo, uint64_t circulating_supply_hi,
                         uint64_t circulating_supply_lo, uint32_t network_version, slice_ref_uint8_t state_root,
                         slice_ref_uint8_t actor_redirect, bool tracing, bool flush_all_blocks, uint64_t blockstore_id,
                         uint64_t externs_id);
Result_InnerFvmMachine_ptr_t *create_fvm_machine(FvmRegisteredVersion_t fvm_version, uint64_t chain_epoch,
                                                 uint64_t chain_timestamp, uint64_t chain_id, uint64_t base_fee_hi,
                                                 uint64_t base_fee_lo, uint64_t circulating_supply_hi,
                                                 uint64_t circulating_supply_lo, uint32_t network_version,
                                                 slice_ref_uint8_t state_root, bool tracing, bool flush_all_blocks,
                                                 uint64_t blockstore_id, uint64_t externs_id);
void dummy(FvmError_t _error);
Result_FvmMachineExecuteResponse_t *fvm_machine_execute_message(const InnerFvmMachine_t *executor,
                                                                slice_ref_uint8_t message, uint64_t chain_len,
                                                                uint64_t apply_kind);
Result_slice_boxed_uint8_t *fvm_machine_flush(const InnerFvmMachine_t *executor);
void destroy_aggregate_proof(Result_slice_boxed_uint8_t *ptr);
void destroy_box_bls_digest(uint8_96_array_t *ptr);
void destroy_box_bls_private_key(uint8_32_array_t *ptr);
void destroy_box_bls_public_key(uint8_48_array_t *ptr);
void destroy_box_bls_signature(uint8_96_array_t *ptr);
void destroy_boxed_slice(slice_boxed_uint8_t ptr);
void destroy_clear_cache_response(Result_void_t *ptr);
void destroy_create_fvm_machine_response(Result_InnerFvmMachine_ptr_t *ptr);
void destroy_empty_sector_update_decode_from_range_response(Result_void_t *ptr);
void destroy_empty_sector_update_decode_from_response(Result_void_t *ptr);
void destroy_empty_sector_update_encode_into_response(Result_EmptySectorUpdateEncodeInto_t *ptr);
void destroy_empty_sector_update_generate_proof_response(Result_slice_boxed_uint8_t *ptr);
void destroy_empty_sector_update_remove_encoded_data_response(Result_void_t *ptr);
void destroy_empty_sector_update_verify_proof_response(Result_bool_t *ptr);
void destroy_fauxrep_response(Result_uint8_32_array_t *ptr);
void destroy_finalize_ticket_response(Result_uint8_32_array_t *ptr);
void destroy_fvm_machine_execute_response(Result_FvmMachineExecuteResponse_t *ptr);
void destroy_fvm_machine_flush_response(Result_slice_boxed_uint8_t *ptr);
void destroy_generate_data_commitment_response(Result_uint8_32_array_t *ptr);
void destroy_generate_empty_sector_update_partition_proof_response(Result_slice_boxed_slice_boxed_uint8_t *ptr);
void destroy_generate_fallback_sector_challenges_response(Result_GenerateFallbackSectorChallenges_t *ptr);
void destroy_generate_piece_commitment_response(Result_GeneratePieceCommitment_t *ptr);
void destroy_generate_sdr_response(Result_void_t *ptr);
void destroy_generate_single_vanilla_proof_response(Result_slice_boxed_uint8_t *ptr);
void destroy_generate_single_window_post_with_vanilla_response(Result_GenerateSingleWindowPoStWithVanilla_t *ptr);
void destroy_generate_synth_proofs_response(Result_void_t *ptr);
void destroy_generate_tree_c_response(Result_uint8_32_array_t *ptr);
void destroy_generate_tree_r_last_response(Result_uint8_32_array_t *ptr);
void destroy_generate_window_post_response(Result_GenerateWindowPoSt_t *ptr);
void destroy_generate_winning_post_response(Result_slice_boxed_PoStProof_t *ptr);
void destroy_generate_winning_post_sector_challenge(Result_slice_boxed_uint64_t *ptr);
void destroy_get_num_partition_for_fallback_post_response(Result_size_t *ptr);
void destroy_gpu_device_response(Result_slice_boxed_slice_boxed_uint8_t *ptr);
void destroy_init_log_fd_response(Result_void_t *ptr);
void destroy_merge_window_post_partition_proofs_response(Result_PoStProof_t *ptr);
void destroy_seal_commit_phase1_response(Result_slice_boxed_uint8_t *ptr);
void destroy_seal_commit_phase2_response(Result_slice_boxed_uint8_t *ptr);
void destroy_seal_pre_commit_phase1_response(Result_slice_boxed_uint8_t *ptr);
void destroy_seal_pre_commit_phase2_response(Result_SealPreCommitPhase2_t *ptr);
void destroy_string_response(Result_slice_boxed_uint8_t *ptr);
void destroy_unseal_range_response(Result_void_t *ptr);
void destroy_verify_aggregate_seal_response(Result_bool_t *ptr);
void destroy_verify_empty_sector_update_partition_proof_response(Result_bool_t *ptr);
void destroy_verify_seal_response(Result_bool_t *ptr);
void destroy_verify_window_post_response(Result_bool_t *ptr);
void destroy_verify_winning_post_response(Result_bool_t *ptr);
void destroy_write_with_alignment_response(Result_WriteWithAlignment_t *ptr);
void destroy_write_without_alignment_response(Result_WriteWithoutAlignment_t *ptr);
void drop_fvm_machine(InnerFvmMachine_t *ptr);
