/*
 * filcrypto: the C interface of filecoin-ffi v1.36.1.
 *
 * Generated from src/ffi by cbindgen; `make header` writes it anew.
 *
 * Arguments
 *   slice_ref_*, T const*   borrowed until the call returns; never kept, never written. A slice of length 0 may have a NULL
 *                           pointer. A NULL array pointer is an error that names the argument.
 *   slice_boxed_*           by value: given to the library, which frees it. Inside a borrowed list: stays the caller's.
 *   paths                   bytes without a terminating NUL.
 *   descriptors             borrowed; the library never closes them.
 *
 * Results
 *   Result_*                never NULL. status_code is 0 on success; otherwise error_msg says why, in UTF-8 without a
 *                           terminating NUL. Freed once, by any destructor of its type, which also frees all it owns.
 *   empty owned slices      have length 0 and a pointer that is neither NULL nor to be read.
 *
 * Threads: every function may be called from any thread, concurrently. No call aborts the process or unwinds into the caller.
 */

#ifndef FILCRYPTO_H
#define FILCRYPTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * How a call ended. Only 0 and 1 are ever returned; 2 and 3 are reserved.
 */
enum FCPResponseStatus {
  F_C_P_RESPONSE_STATUS_NO_ERROR = 0,
  F_C_P_RESPONSE_STATUS_UNCLASSIFIED_ERROR = 1,
  F_C_P_RESPONSE_STATUS_CALLER_ERROR = 2,
  F_C_P_RESPONSE_STATUS_RECEIVER_ERROR = 3,
};

/**
 * Seal proof types: sector size, version and features of a PoRep.
 */
enum RegisteredSealProof {
  REGISTERED_SEAL_PROOF_STACKED_DRG2_KI_B_V1 = 0,
  REGISTERED_SEAL_PROOF_STACKED_DRG8_MI_B_V1 = 1,
  REGISTERED_SEAL_PROOF_STACKED_DRG512_MI_B_V1 = 2,
  REGISTERED_SEAL_PROOF_STACKED_DRG32_GI_B_V1 = 3,
  REGISTERED_SEAL_PROOF_STACKED_DRG64_GI_B_V1 = 4,
  REGISTERED_SEAL_PROOF_STACKED_DRG2_KI_B_V1_1 = 5,
  REGISTERED_SEAL_PROOF_STACKED_DRG8_MI_B_V1_1 = 6,
  REGISTERED_SEAL_PROOF_STACKED_DRG512_MI_B_V1_1 = 7,
  REGISTERED_SEAL_PROOF_STACKED_DRG32_GI_B_V1_1 = 8,
  REGISTERED_SEAL_PROOF_STACKED_DRG64_GI_B_V1_1 = 9,
  REGISTERED_SEAL_PROOF_STACKED_DRG2_KI_B_V1_1__FEAT__SYNTHETIC_PO_REP = 10,
  REGISTERED_SEAL_PROOF_STACKED_DRG8_MI_B_V1_1__FEAT__SYNTHETIC_PO_REP = 11,
  REGISTERED_SEAL_PROOF_STACKED_DRG512_MI_B_V1_1__FEAT__SYNTHETIC_PO_REP = 12,
  REGISTERED_SEAL_PROOF_STACKED_DRG32_GI_B_V1_1__FEAT__SYNTHETIC_PO_REP = 13,
  REGISTERED_SEAL_PROOF_STACKED_DRG64_GI_B_V1_1__FEAT__SYNTHETIC_PO_REP = 14,
  REGISTERED_SEAL_PROOF_STACKED_DRG2_KI_B_V1_2__FEAT__NON_INTERACTIVE_PO_REP = 15,
  REGISTERED_SEAL_PROOF_STACKED_DRG8_MI_B_V1_2__FEAT__NON_INTERACTIVE_PO_REP = 16,
  REGISTERED_SEAL_PROOF_STACKED_DRG512_MI_B_V1_2__FEAT__NON_INTERACTIVE_PO_REP = 17,
  REGISTERED_SEAL_PROOF_STACKED_DRG32_GI_B_V1_2__FEAT__NON_INTERACTIVE_PO_REP = 18,
  REGISTERED_SEAL_PROOF_STACKED_DRG64_GI_B_V1_2__FEAT__NON_INTERACTIVE_PO_REP = 19,
};

/**
 * Proof-of-Spacetime types. Window V1_1 is the proofs library's Window V1_2, and prints under that name.
 */
enum RegisteredPoStProof {
  REGISTERED_PO_ST_PROOF_STACKED_DRG_WINNING2_KI_B_V1 = 0,
  REGISTERED_PO_ST_PROOF_STACKED_DRG_WINNING8_MI_B_V1 = 1,
  REGISTERED_PO_ST_PROOF_STACKED_DRG_WINNING512_MI_B_V1 = 2,
  REGISTERED_PO_ST_PROOF_STACKED_DRG_WINNING32_GI_B_V1 = 3,
  REGISTERED_PO_ST_PROOF_STACKED_DRG_WINNING64_GI_B_V1 = 4,
  REGISTERED_PO_ST_PROOF_STACKED_DRG_WINDOW2_KI_B_V1 = 5,
  REGISTERED_PO_ST_PROOF_STACKED_DRG_WINDOW8_MI_B_V1 = 6,
  REGISTERED_PO_ST_PROOF_STACKED_DRG_WINDOW512_MI_B_V1 = 7,
  REGISTERED_PO_ST_PROOF_STACKED_DRG_WINDOW32_GI_B_V1 = 8,
  REGISTERED_PO_ST_PROOF_STACKED_DRG_WINDOW64_GI_B_V1 = 9,
  REGISTERED_PO_ST_PROOF_STACKED_DRG_WINDOW2_KI_B_V1_1 = 10,
  REGISTERED_PO_ST_PROOF_STACKED_DRG_WINDOW8_MI_B_V1_1 = 11,
  REGISTERED_PO_ST_PROOF_STACKED_DRG_WINDOW512_MI_B_V1_1 = 12,
  REGISTERED_PO_ST_PROOF_STACKED_DRG_WINDOW32_GI_B_V1_1 = 13,
  REGISTERED_PO_ST_PROOF_STACKED_DRG_WINDOW64_GI_B_V1_1 = 14,
};

/**
 * Aggregation proof types: the transcript that SnarkPack uses.
 */
enum RegisteredAggregationProof {
  REGISTERED_AGGREGATION_PROOF_SNARK_PACK_V1 = 0,
  REGISTERED_AGGREGATION_PROOF_SNARK_PACK_V2 = 1,
};

/**
 * Sector update (SnapDeals) proof types.
 */
enum RegisteredUpdateProof {
  REGISTERED_UPDATE_PROOF_STACKED_DRG2_KI_B_V1 = 0,
  REGISTERED_UPDATE_PROOF_STACKED_DRG8_MI_B_V1 = 1,
  REGISTERED_UPDATE_PROOF_STACKED_DRG512_MI_B_V1 = 2,
  REGISTERED_UPDATE_PROOF_STACKED_DRG32_GI_B_V1 = 3,
  REGISTERED_UPDATE_PROOF_STACKED_DRG64_GI_B_V1 = 4,
};

/**
 * FVM interface versions. There is one; the network version chooses the machine.
 */
enum FvmRegisteredVersion {
  FVM_REGISTERED_VERSION_V1 = 0,
};

/**
 * What the `cgo_*` functions that the host provides return on failure.
 */
enum FvmError {
  FVM_ERROR_INVALID_HANDLE = -1,
  FVM_ERROR_NOT_FOUND = -2,
  FVM_ERROR_IO = -3,
  FVM_ERROR_INVALID_ARGUMENT = -4,
  FVM_ERROR_PANIC = -5,
};

/**
 * An FVM machine: an executor over one state root. Any thread may use or drop it.
 */
struct InnerFvmMachine;

/**
 * A value of `enum FCPResponseStatus`.
 */
typedef int32_t FCPResponseStatus_t;

/**
 * Bytes that the library allocated. `ptr` is never NULL in a result unless the field's text says so; `len` counts bytes.
 * Freed with the response that holds it, or with `destroy_boxed_slice` when it came from `alloc_boxed_slice`.
 */
struct slice_boxed_uint8 {
  uint8_t *ptr;
  size_t len;
};

typedef struct slice_boxed_uint8 slice_boxed_uint8_t;

/**
 * Bytes: a proof, a JSON document or a text without a terminating NUL.
 */
struct Result_slice_boxed_uint8 {
  FCPResponseStatus_t status_code;
  slice_boxed_uint8_t error_msg;
  slice_boxed_uint8_t value;
};

typedef struct Result_slice_boxed_uint8 Result_slice_boxed_uint8_t;

/**
 * A value of `enum RegisteredSealProof`.
 */
typedef int32_t RegisteredSealProof_t;

/**
 * A value of `enum RegisteredPoStProof`.
 */
typedef int32_t RegisteredPoStProof_t;

/**
 * A value of `enum RegisteredAggregationProof`.
 */
typedef int32_t RegisteredAggregationProof_t;

/**
 * 32 bytes: a commitment, ticket, seed, randomness, prover id, replica id or BLS secret key.
 */
struct uint8_32_array {
  uint8_t idx[32];
};

typedef struct uint8_32_array uint8_32_array_t;

/**
 * Borrowed 32-byte arrays.
 */
struct slice_ref_uint8_32_array {
  const uint8_32_array_t *ptr;
  size_t len;
};

typedef struct slice_ref_uint8_32_array slice_ref_uint8_32_array_t;

/**
 * A borrowed list of byte strings; the strings stay the caller's.
 */
struct slice_ref_slice_boxed_uint8 {
  const slice_boxed_uint8_t *ptr;
  size_t len;
};

typedef struct slice_ref_slice_boxed_uint8 slice_ref_slice_boxed_uint8_t;

/**
 * A verdict: true when the proof is valid. `status_code` is 0 on success and 1 on failure; `error_msg` is then UTF-8 text without a terminating NUL.
 * Every `Result_*` begins with these two fields.
 */
struct Result_bool {
  FCPResponseStatus_t status_code;
  slice_boxed_uint8_t error_msg;
  bool value;
};

typedef struct Result_bool Result_bool_t;

/**
 * Borrowed bytes. A length of 0 is an empty slice, whatever `ptr` is. The library keeps no borrowed slice after it returns.
 */
struct slice_ref_uint8 {
  const uint8_t *ptr;
  size_t len;
};

typedef struct slice_ref_uint8 slice_ref_uint8_t;

/**
 * What a verifier knows of one sector of an aggregate.
 */
struct AggregationInputs {
  uint8_32_array_t comm_r;
  uint8_32_array_t comm_d;
  uint64_t sector_id;
  uint8_32_array_t ticket;
  uint8_32_array_t seed;
};

typedef struct AggregationInputs AggregationInputs_t;

/**
 * Borrowed inputs of an aggregate, in the order of the aggregated proofs.
 */
struct slice_ref_AggregationInputs {
  const AggregationInputs_t *ptr;
  size_t len;
};

typedef struct slice_ref_AggregationInputs slice_ref_AggregationInputs_t;

/**
 * 96 bytes: a compressed BLS signature or digest.
 */
struct uint8_96_array {
  uint8_t idx[96];
};

typedef struct uint8_96_array uint8_96_array_t;

/**
 * Borrowed sizes.
 */
struct slice_ref_size {
  const size_t *ptr;
  size_t len;
};

typedef struct slice_ref_size slice_ref_size_t;

/**
 * 48 bytes: a compressed BLS public key.
 */
struct uint8_48_array {
  uint8_t idx[48];
};

typedef struct uint8_48_array uint8_48_array_t;

/**
 * A response without a value.
 */
struct Result_void {
  FCPResponseStatus_t status_code;
  slice_boxed_uint8_t error_msg;
};

typedef struct Result_void Result_void_t;

/**
 * A 32-byte commitment.
 */
struct Result_uint8_32_array {
  FCPResponseStatus_t status_code;
  slice_boxed_uint8_t error_msg;
  uint8_32_array_t value;
};

typedef struct Result_uint8_32_array Result_uint8_32_array_t;

typedef struct InnerFvmMachine InnerFvmMachine_t;

/**
 * The commitments of an updated sector.
 */
struct EmptySectorUpdateEncodeInto {
  uint8_32_array_t comm_r_new;
  uint8_32_array_t comm_r_last_new;
  uint8_32_array_t comm_d_new;
};

typedef struct EmptySectorUpdateEncodeInto EmptySectorUpdateEncodeInto_t;

/**
 * The commitments of an updated sector.
 */
struct Result_EmptySectorUpdateEncodeInto {
  FCPResponseStatus_t status_code;
  slice_boxed_uint8_t error_msg;
  EmptySectorUpdateEncodeInto_t value;
};

typedef struct Result_EmptySectorUpdateEncodeInto Result_EmptySectorUpdateEncodeInto_t;

/**
 * A message's receipt and its cost. Amounts of attoFIL are 128-bit numbers split into `_hi` and `_lo`.
 *
 * The five slices may be absent: then `ptr` is NULL and `len` is 0.
 */
struct FvmMachineExecuteResponse {
  uint64_t exit_code;
  slice_boxed_uint8_t return_val;
  uint64_t gas_used;
  uint64_t penalty_hi;
  uint64_t penalty_lo;
  uint64_t miner_tip_hi;
  uint64_t miner_tip_lo;
  uint64_t base_fee_burn_hi;
  uint64_t base_fee_burn_lo;
  uint64_t over_estimation_burn_hi;
  uint64_t over_estimation_burn_lo;
  uint64_t refund_hi;
  uint64_t refund_lo;
  uint64_t gas_refund;
  uint64_t gas_burned;
  /**
   * The execution trace as CBOR, when tracing is on.
   */
  slice_boxed_uint8_t exec_trace;
  /**
   * Why the message failed, as UTF-8 text.
   */
  slice_boxed_uint8_t failure_info;
  /**
   * The emitted events as CBOR.
   */
  slice_boxed_uint8_t events;
  /**
   * The CID of the events' AMT.
   */
  slice_boxed_uint8_t events_root;
};

typedef struct FvmMachineExecuteResponse FvmMachineExecuteResponse_t;

/**
 * A message's receipt.
 */
struct Result_FvmMachineExecuteResponse {
  FCPResponseStatus_t status_code;
  slice_boxed_uint8_t error_msg;
  FvmMachineExecuteResponse_t value;
};

typedef struct Result_FvmMachineExecuteResponse Result_FvmMachineExecuteResponse_t;

/**
 * 64-bit numbers that the library allocated.
 */
struct slice_boxed_uint64 {
  uint64_t *ptr;
  size_t len;
};

typedef struct slice_boxed_uint64 slice_boxed_uint64_t;

/**
 * A list of lists of numbers, all owned by the outer list.
 */
struct slice_boxed_slice_boxed_uint64 {
  slice_boxed_uint64_t *ptr;
  size_t len;
};

typedef struct slice_boxed_slice_boxed_uint64 slice_boxed_slice_boxed_uint64_t;

/**
 * Leaf challenges of Window PoSt; `challenges[i]` belongs to sector `ids[i]`. Ids ascend and are unique.
 */
struct GenerateFallbackSectorChallenges {
  slice_boxed_uint64_t ids;
  slice_boxed_slice_boxed_uint64_t challenges;
};

typedef struct GenerateFallbackSectorChallenges GenerateFallbackSectorChallenges_t;

/**
 * Window PoSt challenges.
 */
struct Result_GenerateFallbackSectorChallenges {
  FCPResponseStatus_t status_code;
  slice_boxed_uint8_t error_msg;
  GenerateFallbackSectorChallenges_t value;
};

typedef struct Result_GenerateFallbackSectorChallenges Result_GenerateFallbackSectorChallenges_t;

/**
 * A piece's commitment.
 */
struct GeneratePieceCommitment {
  uint8_32_array_t comm_p;
  /**
   * Unpadded bytes of the piece together with its alignment.
   */
  uint64_t num_bytes_aligned;
};

typedef struct GeneratePieceCommitment GeneratePieceCommitment_t;

/**
 * A piece's commitment.
 */
struct Result_GeneratePieceCommitment {
  FCPResponseStatus_t status_code;
  slice_boxed_uint8_t error_msg;
  GeneratePieceCommitment_t value;
};

typedef struct Result_GeneratePieceCommitment Result_GeneratePieceCommitment_t;

/**
 * The proof of one Window PoSt partition.
 */
struct PartitionSnarkProof {
  RegisteredPoStProof_t registered_proof;
  /**
   * 192 bytes.
   */
  slice_boxed_uint8_t proof;
};

typedef struct PartitionSnarkProof PartitionSnarkProof_t;

/**
 * One Window PoSt partition's proof, or, with status 1, the sectors that could not be proved.
 */
struct GenerateSingleWindowPoStWithVanilla {
  PartitionSnarkProof_t partition_proof;
  /**
   * Sector ids; filled only when faulty sectors are the reason of the failure.
   */
  slice_boxed_uint64_t faulty_sectors;
};

typedef struct GenerateSingleWindowPoStWithVanilla GenerateSingleWindowPoStWithVanilla_t;

/**
 * One Window PoSt partition's proof or faulty sectors.
 */
struct Result_GenerateSingleWindowPoStWithVanilla {
  FCPResponseStatus_t status_code;
  slice_boxed_uint8_t error_msg;
  GenerateSingleWindowPoStWithVanilla_t value;
};

typedef struct Result_GenerateSingleWindowPoStWithVanilla Result_GenerateSingleWindowPoStWithVanilla_t;

/**
 * A Proof-of-Spacetime.
 */
struct PoStProof {
  RegisteredPoStProof_t registered_proof;
  /**
   * 192 bytes a partition.
   */
  slice_boxed_uint8_t proof;
};

typedef struct PoStProof PoStProof_t;

/**
 * PoSt proofs, owned by the list.
 */
struct slice_boxed_PoStProof {
  PoStProof_t *ptr;
  size_t len;
};

typedef struct slice_boxed_PoStProof slice_boxed_PoStProof_t;

/**
 * Window PoSt proofs, or, with status 1, the sectors that could not be proved.
 */
struct GenerateWindowPoSt {
  slice_boxed_PoStProof_t proofs;
  /**
   * Sector ids; filled only when faulty sectors are the reason of the failure.
   */
  slice_boxed_uint64_t faulty_sectors;
};

typedef struct GenerateWindowPoSt GenerateWindowPoSt_t;

/**
 * Window PoSt proofs or faulty sectors.
 */
struct Result_GenerateWindowPoSt {
  FCPResponseStatus_t status_code;
  slice_boxed_uint8_t error_msg;
  GenerateWindowPoSt_t value;
};

typedef struct Result_GenerateWindowPoSt Result_GenerateWindowPoSt_t;

/**
 * A new machine. `value` is NULL on failure. Take the machine out by overwriting `value` with NULL; else the response's
 * destructor drops it.
 */
struct Result_InnerFvmMachine_ptr {
  FCPResponseStatus_t status_code;
  slice_boxed_uint8_t error_msg;
  InnerFvmMachine_t *value;
};

typedef struct Result_InnerFvmMachine_ptr Result_InnerFvmMachine_ptr_t;

/**
 * One PoSt proof.
 */
struct Result_PoStProof {
  FCPResponseStatus_t status_code;
  slice_boxed_uint8_t error_msg;
  PoStProof_t value;
};

typedef struct Result_PoStProof Result_PoStProof_t;

/**
 * The commitments of a sealed sector.
 */
struct SealPreCommitPhase2 {
  RegisteredSealProof_t registered_proof;
  uint8_32_array_t comm_d;
  uint8_32_array_t comm_r;
};

typedef struct SealPreCommitPhase2 SealPreCommitPhase2_t;

/**
 * The commitments of a sealed sector.
 */
struct Result_SealPreCommitPhase2 {
  FCPResponseStatus_t status_code;
  slice_boxed_uint8_t error_msg;
  SealPreCommitPhase2_t value;
};

typedef struct Result_SealPreCommitPhase2 Result_SealPreCommitPhase2_t;

/**
 * What `write_with_alignment` wrote.
 */
struct WriteWithAlignment {
  uint8_32_array_t comm_p;
  /**
   * Zero bytes, unpadded, inserted before the piece.
   */
  uint64_t left_alignment_unpadded;
  /**
   * Alignment and piece together, unpadded bytes.
   */
  uint64_t total_write_unpadded;
};

typedef struct WriteWithAlignment WriteWithAlignment_t;

/**
 * What was written.
 */
struct Result_WriteWithAlignment {
  FCPResponseStatus_t status_code;
  slice_boxed_uint8_t error_msg;
  WriteWithAlignment_t value;
};

typedef struct Result_WriteWithAlignment Result_WriteWithAlignment_t;

/**
 * What `write_without_alignment` wrote.
 */
struct WriteWithoutAlignment {
  uint8_32_array_t comm_p;
  /**
   * Unpadded bytes.
   */
  uint64_t total_write_unpadded;
};

typedef struct WriteWithoutAlignment WriteWithoutAlignment_t;

/**
 * What was written.
 */
struct Result_WriteWithoutAlignment {
  FCPResponseStatus_t status_code;
  slice_boxed_uint8_t error_msg;
  WriteWithoutAlignment_t value;
};

typedef struct Result_WriteWithoutAlignment Result_WriteWithoutAlignment_t;

/**
 * A count.
 */
struct Result_size {
  FCPResponseStatus_t status_code;
  slice_boxed_uint8_t error_msg;
  size_t value;
};

typedef struct Result_size Result_size_t;

/**
 * PoSt proofs.
 */
struct Result_slice_boxed_PoStProof {
  FCPResponseStatus_t status_code;
  slice_boxed_uint8_t error_msg;
  slice_boxed_PoStProof_t value;
};

typedef struct Result_slice_boxed_PoStProof Result_slice_boxed_PoStProof_t;

/**
 * A list of byte strings, all owned by the list.
 */
struct slice_boxed_slice_boxed_uint8 {
  slice_boxed_uint8_t *ptr;
  size_t len;
};

typedef struct slice_boxed_slice_boxed_uint8 slice_boxed_slice_boxed_uint8_t;

/**
 * A list of byte strings.
 */
struct Result_slice_boxed_slice_boxed_uint8 {
  FCPResponseStatus_t status_code;
  slice_boxed_uint8_t error_msg;
  slice_boxed_slice_boxed_uint8_t value;
};

typedef struct Result_slice_boxed_slice_boxed_uint8 Result_slice_boxed_slice_boxed_uint8_t;

/**
 * Numbers.
 */
struct Result_slice_boxed_uint64 {
  FCPResponseStatus_t status_code;
  slice_boxed_uint8_t error_msg;
  slice_boxed_uint64_t value;
};

typedef struct Result_slice_boxed_uint64 Result_slice_boxed_uint64_t;

/**
 * A value of `enum FvmRegisteredVersion`.
 */
typedef uint8_t FvmRegisteredVersion_t;

/**
 * A value of `enum FvmError`.
 */
typedef int32_t FvmError_t;

/**
 * Borrowed 64-bit numbers.
 */
struct slice_ref_uint64 {
  const uint64_t *ptr;
  size_t len;
};

typedef struct slice_ref_uint64 slice_ref_uint64_t;

/**
 * A piece of a sector.
 */
struct PublicPieceInfo {
  /**
   * Unpadded size in bytes: 127 * 2^k.
   */
  uint64_t num_bytes;
  /**
   * The piece commitment, CommP.
   */
  uint8_32_array_t comm_p;
};

typedef struct PublicPieceInfo PublicPieceInfo_t;

/**
 * Borrowed piece descriptions.
 */
struct slice_ref_PublicPieceInfo {
  const PublicPieceInfo_t *ptr;
  size_t len;
};

typedef struct slice_ref_PublicPieceInfo slice_ref_PublicPieceInfo_t;

/**
 * A replica that this host holds.
 */
struct PrivateReplicaInfo {
  RegisteredPoStProof_t registered_proof;
  /**
   * Path of the sector's cache directory, without a terminating NUL.
   */
  slice_boxed_uint8_t cache_dir_path;
  uint8_32_array_t comm_r;
  /**
   * Path of the sealed file, without a terminating NUL.
   */
  slice_boxed_uint8_t replica_path;
  uint64_t sector_id;
};

typedef struct PrivateReplicaInfo PrivateReplicaInfo_t;

/**
 * Borrowed descriptions of replicas to prove; their paths stay the caller's.
 */
struct slice_ref_PrivateReplicaInfo {
  const PrivateReplicaInfo_t *ptr;
  size_t len;
};

typedef struct slice_ref_PrivateReplicaInfo slice_ref_PrivateReplicaInfo_t;

/**
 * A replica as the chain knows it.
 */
struct PublicReplicaInfo {
  RegisteredPoStProof_t registered_proof;
  uint8_32_array_t comm_r;
  uint64_t sector_id;
};

typedef struct PublicReplicaInfo PublicReplicaInfo_t;

/**
 * Borrowed descriptions of replicas to verify.
 */
struct slice_ref_PublicReplicaInfo {
  const PublicReplicaInfo_t *ptr;
  size_t len;
};

typedef struct slice_ref_PublicReplicaInfo slice_ref_PublicReplicaInfo_t;

/**
 * Borrowed PoSt proofs.
 */
struct slice_ref_PoStProof {
  const PoStProof_t *ptr;
  size_t len;
};

typedef struct slice_ref_PoStProof slice_ref_PoStProof_t;

/**
 * A value of `enum RegisteredUpdateProof`.
 */
typedef int32_t RegisteredUpdateProof_t;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Returns the IPFS CID of the proving parameters, from the embedded manifest.
 *
 * @param registered_proof  a `RegisteredSealProof`
 * @return the CID, UTF-8; status 1 for an unknown type. Free with destroy_string_response. Threads: any.
 */
Result_slice_boxed_uint8_t *get_seal_params_cid(RegisteredSealProof_t registered_proof);

/**
 * Returns the IPFS CID of the verifying key, from the embedded manifest.
 *
 * @param registered_proof  a `RegisteredSealProof`
 * @return the CID, UTF-8; status 1 for an unknown type. Free with destroy_string_response. Threads: any.
 */
Result_slice_boxed_uint8_t *get_seal_verifying_key_cid(RegisteredSealProof_t registered_proof);

/**
 * Returns where the proving parameters are expected.
 *
 * @param registered_proof  a `RegisteredSealProof`
 * @return the path, UTF-8; status 1 for an unknown type. Free with destroy_string_response. Threads: any.
 */
Result_slice_boxed_uint8_t *get_seal_params_path(RegisteredSealProof_t registered_proof);

/**
 * Returns where the verifying key is expected.
 *
 * @param registered_proof  a `RegisteredSealProof`
 * @return the path, UTF-8; status 1 for an unknown type. Free with destroy_string_response. Threads: any.
 */
Result_slice_boxed_uint8_t *get_seal_verifying_key_path(RegisteredSealProof_t registered_proof);

/**
 * Returns the identifier of the circuit, which names its parameter files.
 *
 * @param registered_proof  a `RegisteredSealProof`
 * @return the identifier, UTF-8; status 1 for an unknown type. Free with destroy_string_response. Threads: any.
 */
Result_slice_boxed_uint8_t *get_seal_circuit_identifier(RegisteredSealProof_t registered_proof);

/**
 * Returns the name of the proof type.
 *
 * @param registered_proof  a `RegisteredSealProof`
 * @return the name, UTF-8; status 1 for an unknown type. Free with destroy_string_response. Threads: any.
 */
Result_slice_boxed_uint8_t *get_seal_version(RegisteredSealProof_t registered_proof);

/**
 * Returns the IPFS CID of the proving parameters, from the embedded manifest.
 *
 * @param registered_proof  a `RegisteredPoStProof`
 * @return the CID, UTF-8; status 1 for an unknown type. Free with destroy_string_response. Threads: any.
 */
Result_slice_boxed_uint8_t *get_post_params_cid(RegisteredPoStProof_t registered_proof);

/**
 * Returns the IPFS CID of the verifying key, from the embedded manifest.
 *
 * @param registered_proof  a `RegisteredPoStProof`
 * @return the CID, UTF-8; status 1 for an unknown type. Free with destroy_string_response. Threads: any.
 */
Result_slice_boxed_uint8_t *get_post_verifying_key_cid(RegisteredPoStProof_t registered_proof);

/**
 * Returns where the proving parameters are expected.
 *
 * @param registered_proof  a `RegisteredPoStProof`
 * @return the path, UTF-8; status 1 for an unknown type. Free with destroy_string_response. Threads: any.
 */
Result_slice_boxed_uint8_t *get_post_params_path(RegisteredPoStProof_t registered_proof);

/**
 * Returns where the verifying key is expected.
 *
 * @param registered_proof  a `RegisteredPoStProof`
 * @return the path, UTF-8; status 1 for an unknown type. Free with destroy_string_response. Threads: any.
 */
Result_slice_boxed_uint8_t *get_post_verifying_key_path(RegisteredPoStProof_t registered_proof);

/**
 * Returns the identifier of the circuit, which names its parameter files.
 *
 * @param registered_proof  a `RegisteredPoStProof`
 * @return the identifier, UTF-8; status 1 for an unknown type. Free with destroy_string_response. Threads: any.
 */
Result_slice_boxed_uint8_t *get_post_circuit_identifier(RegisteredPoStProof_t registered_proof);

/**
 * Returns the name of the proof type. Window V1_1 is called V1_2, as in the proofs library.
 *
 * @param registered_proof  a `RegisteredPoStProof`
 * @return the name, UTF-8; status 1 for an unknown type. Free with destroy_string_response. Threads: any.
 */
Result_slice_boxed_uint8_t *get_post_version(RegisteredPoStProof_t registered_proof);

/**
 * Aggregates seal proofs. Needs the inner-product SRS.
 *
 * @param registered_proof        the `RegisteredSealProof` of all proofs
 * @param registered_aggregation  a `RegisteredAggregationProof`
 * @param comm_rs                 CommR of each sector; borrowed
 * @param seeds                   seed of each sector; borrowed
 * @param seal_commit_responses   proof of each sector, from seal_commit_phase2; borrowed
 * @return the aggregate. Free with destroy_aggregate_proof. Threads: any.
 */
Result_slice_boxed_uint8_t *aggregate_seal_proofs(RegisteredSealProof_t registered_proof,
                                                  RegisteredAggregationProof_t registered_aggregation,
                                                  slice_ref_uint8_32_array_t comm_rs,
                                                  slice_ref_uint8_32_array_t seeds,
                                                  slice_ref_slice_boxed_uint8_t seal_commit_responses);

/**
 * Verifies an aggregate. Needs the inner-product SRS and the verifying key.
 *
 * @param registered_proof        the `RegisteredSealProof` of all proofs
 * @param registered_aggregation  the `RegisteredAggregationProof` that made the aggregate
 * @param prover_id               the miner's id; borrowed
 * @param proof                   the aggregate; borrowed
 * @param commit_inputs           what is known of each sector, in the order of aggregation; borrowed
 * @return true when valid; false or status 1 otherwise. Free with destroy_verify_aggregate_seal_response. Threads: any.
 */
Result_bool_t *verify_aggregate_seal_proof(RegisteredSealProof_t registered_proof,
                                           RegisteredAggregationProof_t registered_aggregation,
                                           const uint8_32_array_t *prover_id,
                                           slice_ref_uint8_t proof,
                                           slice_ref_AggregationInputs_t commit_inputs);

/**
 * Hashes a message to a point of G2: the digest that is signed.
 *
 * @param message  any bytes, also none; borrowed
 * @return the compressed point, 96 bytes; NULL only when `message` is invalid (NULL with a length). Free with
 *         destroy_box_bls_digest. Threads: any.
 */
uint8_96_array_t *hash(slice_ref_uint8_t message);

/**
 * Aggregates signatures into one.
 *
 * @param flattened_signatures  compressed signatures of 96 bytes, one after the other; borrowed
 * @return the sum, 96 bytes; NULL when there is none, the length is no multiple of 96 or one is not a valid point. Free
 *         with destroy_box_bls_signature. Threads: any.
 */
uint8_96_array_t *aggregate(slice_ref_uint8_t flattened_signatures);

/**
 * Verifies an aggregate signature against digests.
 *
 * @param signature              96 bytes; borrowed
 * @param flattened_digests      digests from `hash`, 96 bytes each; borrowed
 * @param flattened_public_keys  compressed public keys, 48 bytes each, as many as digests; borrowed
 * @return true when the signature is valid. False for a wrong signature and for anything malformed, empty, repeated or
 *         mismatched, and for a public key at infinity. Threads: any.
 */
bool verify(slice_ref_uint8_t signature, slice_ref_uint8_t flattened_digests, slice_ref_uint8_t flattened_public_keys);

/**
 * Verifies an aggregate signature against messages.
 *
 * @param signature              96 bytes; borrowed
 * @param flattened_messages     the messages, one after the other; bytes after the last one are ignored; borrowed
 * @param message_sizes          length of each message in bytes; borrowed
 * @param flattened_public_keys  compressed public keys, 48 bytes each, as many as messages; borrowed
 * @return as `verify`; also false when the lengths exceed the buffer. Threads: any.
 */
bool hash_verify(slice_ref_uint8_t signature,
                 slice_ref_uint8_t flattened_messages,
                 slice_ref_size_t message_sizes,
                 slice_ref_uint8_t flattened_public_keys);

/**
 * Makes a secret key from the operating system's randomness.
 *
 * @return a little-endian scalar, 32 bytes; NULL only when no randomness can be had. Free with
 *         destroy_box_bls_private_key. Threads: any.
 */
uint8_32_array_t *private_key_generate(void);

/**
 * Makes the secret key that a seed determines. For tests, or with a seed that is as secret as a key.
 *
 * @param raw_seed  32 bytes; borrowed
 * @return a little-endian scalar, 32 bytes; NULL only when `raw_seed` is NULL. Free with destroy_box_bls_private_key.
 *         Threads: any.
 */
uint8_32_array_t *private_key_generate_with_seed(const uint8_32_array_t *raw_seed);

/**
 * Signs a message.
 *
 * @param raw_private_key  a canonical little-endian scalar, 32 bytes; borrowed
 * @param message          any bytes; borrowed
 * @return the compressed signature, 96 bytes; NULL when the key is malformed. Free with destroy_box_bls_signature.
 *         Threads: any.
 */
uint8_96_array_t *private_key_sign(slice_ref_uint8_t raw_private_key, slice_ref_uint8_t message);

/**
 * Derives the public key of a secret key.
 *
 * @param raw_private_key  a canonical little-endian scalar, 32 bytes; zero gives the point at infinity; borrowed
 * @return the compressed public key, 48 bytes; NULL when the key is malformed. Free with destroy_box_bls_public_key.
 *         Threads: any.
 */
uint8_48_array_t *private_key_public_key(slice_ref_uint8_t raw_private_key);

/**
 * Returns the signature that stands where none is needed: the compressed point at infinity.
 *
 * @return 96 bytes, 0xc0 and then zeros. Free with destroy_box_bls_signature. Threads: any.
 */
uint8_96_array_t *create_zero_signature(void);

/**
 * Deletes tree D, tree C and the layers from a sector's cache directory; p_aux, t_aux and tree R-last stay.
 *
 * @param cache_dir_path  succeeds also when the directory or the files are missing; borrowed
 * @return nothing. Free with destroy_clear_cache_response. Threads: any, one at a time for one sector.
 */
Result_void_t *clear_cache(slice_ref_uint8_t cache_dir_path);

/**
 * Deletes the stored vanilla proofs of a synthetic PoRep.
 *
 * @param cache_dir_path  succeeds also when there are none; borrowed
 * @return nothing. Free with destroy_clear_cache_response. Threads: any, one at a time for one sector.
 */
Result_void_t *clear_synthetic_proofs(slice_ref_uint8_t cache_dir_path);

/**
 * Writes a fake sealed sector of zeros with its tree R-last and p_aux. For tests and genesis sectors: it cannot be proved.
 *
 * @param registered_proof    a `RegisteredSealProof`
 * @param cache_dir_path      existing directory; receives the tree and p_aux; borrowed
 * @param sealed_sector_path  the file to write; borrowed
 * @return CommR. Free with destroy_fauxrep_response. Threads: any, one at a time for one sector.
 */
Result_uint8_32_array_t *fauxrep(RegisteredSealProof_t registered_proof,
                                 slice_ref_uint8_t cache_dir_path,
                                 slice_ref_uint8_t sealed_sector_path);

/**
 * Writes a p_aux with the CommRLast of an existing one and a random CommC. For tests and genesis sectors.
 *
 * @param registered_proof     a `RegisteredSealProof`
 * @param cache_dir_path       existing directory; receives p_aux; borrowed
 * @param existing_p_aux_path  a file of at least 64 bytes; borrowed
 * @return CommR. Free with destroy_fauxrep_response. Threads: any, one at a time for one sector.
 */
Result_uint8_32_array_t *fauxrep2(RegisteredSealProof_t registered_proof,
                                  slice_ref_uint8_t cache_dir_path,
                                  slice_ref_uint8_t existing_p_aux_path);

/**
 * Frees a slice that `alloc_boxed_slice` made, or any owned slice that the caller took out of a response. A NULL or empty
 * slice is accepted.
 */
void destroy_boxed_slice(slice_boxed_uint8_t ptr);

/**
 * Frees a machine that the caller took out of its creation response. NULL is accepted; any thread may call it.
 */
void drop_fvm_machine(InnerFvmMachine_t *ptr);

/**
 * Frees a `Result_EmptySectorUpdateEncodeInto_t` and everything it owns. NULL is accepted.
 */
void destroy_empty_sector_update_encode_into_response(Result_EmptySectorUpdateEncodeInto_t *ptr);

/**
 * Frees a `Result_FvmMachineExecuteResponse_t` and everything it owns. NULL is accepted.
 */
void destroy_fvm_machine_execute_response(Result_FvmMachineExecuteResponse_t *ptr);

/**
 * Frees a `Result_GenerateFallbackSectorChallenges_t` and everything it owns. NULL is accepted.
 */
void destroy_generate_fallback_sector_challenges_response(Result_GenerateFallbackSectorChallenges_t *ptr);

/**
 * Frees a `Result_GeneratePieceCommitment_t` and everything it owns. NULL is accepted.
 */
void destroy_generate_piece_commitment_response(Result_GeneratePieceCommitment_t *ptr);

/**
 * Frees a `Result_GenerateSingleWindowPoStWithVanilla_t` and everything it owns. NULL is accepted.
 */
void destroy_generate_single_window_post_with_vanilla_response(Result_GenerateSingleWindowPoStWithVanilla_t *ptr);

/**
 * Frees a `Result_GenerateWindowPoSt_t` and everything it owns. NULL is accepted.
 */
void destroy_generate_window_post_response(Result_GenerateWindowPoSt_t *ptr);

/**
 * Frees a `Result_InnerFvmMachine_ptr_t`, and its machine unless the caller has overwritten `value` with NULL. NULL is accepted.
 */
void destroy_create_fvm_machine_response(Result_InnerFvmMachine_ptr_t *ptr);

/**
 * Frees a `Result_PoStProof_t` and everything it owns. NULL is accepted.
 */
void destroy_merge_window_post_partition_proofs_response(Result_PoStProof_t *ptr);

/**
 * Frees a `Result_SealPreCommitPhase2_t` and everything it owns. NULL is accepted.
 */
void destroy_seal_pre_commit_phase2_response(Result_SealPreCommitPhase2_t *ptr);

/**
 * Frees a `Result_WriteWithAlignment_t` and everything it owns. NULL is accepted.
 */
void destroy_write_with_alignment_response(Result_WriteWithAlignment_t *ptr);

/**
 * Frees a `Result_WriteWithoutAlignment_t` and everything it owns. NULL is accepted.
 */
void destroy_write_without_alignment_response(Result_WriteWithoutAlignment_t *ptr);

/**
 * Frees a `Result_bool_t` and everything it owns. NULL is accepted.
 */
void destroy_empty_sector_update_verify_proof_response(Result_bool_t *ptr);

/**
 * Frees a `Result_bool_t` and everything it owns. NULL is accepted.
 */
void destroy_verify_aggregate_seal_response(Result_bool_t *ptr);

/**
 * Frees a `Result_bool_t` and everything it owns. NULL is accepted.
 */
void destroy_verify_empty_sector_update_partition_proof_response(Result_bool_t *ptr);

/**
 * Frees a `Result_bool_t` and everything it owns. NULL is accepted.
 */
void destroy_verify_seal_response(Result_bool_t *ptr);

/**
 * Frees a `Result_bool_t` and everything it owns. NULL is accepted.
 */
void destroy_verify_window_post_response(Result_bool_t *ptr);

/**
 * Frees a `Result_bool_t` and everything it owns. NULL is accepted.
 */
void destroy_verify_winning_post_response(Result_bool_t *ptr);

/**
 * Frees a `Result_size_t` and everything it owns. NULL is accepted.
 */
void destroy_get_num_partition_for_fallback_post_response(Result_size_t *ptr);

/**
 * Frees a `Result_slice_boxed_PoStProof_t` and everything it owns. NULL is accepted.
 */
void destroy_generate_winning_post_response(Result_slice_boxed_PoStProof_t *ptr);

/**
 * Frees a `Result_slice_boxed_slice_boxed_uint8_t` and everything it owns. NULL is accepted.
 */
void destroy_generate_empty_sector_update_partition_proof_response(Result_slice_boxed_slice_boxed_uint8_t *ptr);

/**
 * Frees a `Result_slice_boxed_slice_boxed_uint8_t` and everything it owns. NULL is accepted.
 */
void destroy_gpu_device_response(Result_slice_boxed_slice_boxed_uint8_t *ptr);

/**
 * Frees a `Result_slice_boxed_uint64_t` and everything it owns. NULL is accepted.
 */
void destroy_generate_winning_post_sector_challenge(Result_slice_boxed_uint64_t *ptr);

/**
 * Frees a `Result_slice_boxed_uint8_t` and everything it owns. NULL is accepted.
 */
void destroy_aggregate_proof(Result_slice_boxed_uint8_t *ptr);

/**
 * Frees a `Result_slice_boxed_uint8_t` and everything it owns. NULL is accepted.
 */
void destroy_empty_sector_update_generate_proof_response(Result_slice_boxed_uint8_t *ptr);

/**
 * Frees a `Result_slice_boxed_uint8_t` and everything it owns. NULL is accepted.
 */
void destroy_fvm_machine_flush_response(Result_slice_boxed_uint8_t *ptr);

/**
 * Frees a `Result_slice_boxed_uint8_t` and everything it owns. NULL is accepted.
 */
void destroy_generate_single_vanilla_proof_response(Result_slice_boxed_uint8_t *ptr);

/**
 * Frees a `Result_slice_boxed_uint8_t` and everything it owns. NULL is accepted.
 */
void destroy_seal_commit_phase1_response(Result_slice_boxed_uint8_t *ptr);

/**
 * Frees a `Result_slice_boxed_uint8_t` and everything it owns. NULL is accepted.
 */
void destroy_seal_commit_phase2_response(Result_slice_boxed_uint8_t *ptr);

/**
 * Frees a `Result_slice_boxed_uint8_t` and everything it owns. NULL is accepted.
 */
void destroy_seal_pre_commit_phase1_response(Result_slice_boxed_uint8_t *ptr);

/**
 * Frees a `Result_slice_boxed_uint8_t` and everything it owns. NULL is accepted.
 */
void destroy_string_response(Result_slice_boxed_uint8_t *ptr);

/**
 * Frees a `Result_uint8_32_array_t` and everything it owns. NULL is accepted.
 */
void destroy_fauxrep_response(Result_uint8_32_array_t *ptr);

/**
 * Frees a `Result_uint8_32_array_t` and everything it owns. NULL is accepted.
 */
void destroy_finalize_ticket_response(Result_uint8_32_array_t *ptr);

/**
 * Frees a `Result_uint8_32_array_t` and everything it owns. NULL is accepted.
 */
void destroy_generate_data_commitment_response(Result_uint8_32_array_t *ptr);

/**
 * Frees a `Result_uint8_32_array_t` and everything it owns. NULL is accepted.
 */
void destroy_generate_tree_c_response(Result_uint8_32_array_t *ptr);

/**
 * Frees a `Result_uint8_32_array_t` and everything it owns. NULL is accepted.
 */
void destroy_generate_tree_r_last_response(Result_uint8_32_array_t *ptr);

/**
 * Frees a `Result_void_t` and everything it owns. NULL is accepted.
 */
void destroy_clear_cache_response(Result_void_t *ptr);

/**
 * Frees a `Result_void_t` and everything it owns. NULL is accepted.
 */
void destroy_empty_sector_update_decode_from_range_response(Result_void_t *ptr);

/**
 * Frees a `Result_void_t` and everything it owns. NULL is accepted.
 */
void destroy_empty_sector_update_decode_from_response(Result_void_t *ptr);

/**
 * Frees a `Result_void_t` and everything it owns. NULL is accepted.
 */
void destroy_empty_sector_update_remove_encoded_data_response(Result_void_t *ptr);

/**
 * Frees a `Result_void_t` and everything it owns. NULL is accepted.
 */
void destroy_generate_sdr_response(Result_void_t *ptr);

/**
 * Frees a `Result_void_t` and everything it owns. NULL is accepted.
 */
void destroy_generate_synth_proofs_response(Result_void_t *ptr);

/**
 * Frees a `Result_void_t` and everything it owns. NULL is accepted.
 */
void destroy_init_log_fd_response(Result_void_t *ptr);

/**
 * Frees a `Result_void_t` and everything it owns. NULL is accepted.
 */
void destroy_unseal_range_response(Result_void_t *ptr);

/**
 * Frees a `uint8_32_array_t`. NULL is accepted.
 */
void destroy_box_bls_private_key(uint8_32_array_t *ptr);

/**
 * Frees a `uint8_48_array_t`. NULL is accepted.
 */
void destroy_box_bls_public_key(uint8_48_array_t *ptr);

/**
 * Frees a `uint8_96_array_t`. NULL is accepted.
 */
void destroy_box_bls_digest(uint8_96_array_t *ptr);

/**
 * Frees a `uint8_96_array_t`. NULL is accepted.
 */
void destroy_box_bls_signature(uint8_96_array_t *ptr);

/**
 * Creates a machine for one network version on one state root. The program must export the `cgo_*` functions of
 * filecoin-ffi; the first machine looks them up.
 *
 * @param fvm_version            FVM_REGISTERED_VERSION_V1
 * @param chain_epoch            the epoch in which messages execute
 * @param chain_timestamp        the tipset's time, in seconds since 1970
 * @param chain_id               the network's EIP-155 id
 * @param base_fee_hi            the base fee in attoFIL, upper 64 bits
 * @param base_fee_lo            lower 64 bits
 * @param circulating_supply_hi  the circulating supply in attoFIL, upper 64 bits
 * @param circulating_supply_lo  lower 64 bits
 * @param network_version        16 to 29
 * @param state_root             the binary CID of the state tree, which the blockstore must hold; borrowed
 * @param tracing                whether receipts carry execution traces
 * @param flush_all_blocks       whether flushing also writes blocks that the new state does not reach (from network
 *                               version 21)
 * @param blockstore_id          handle for the host's `cgo_blockstore_*` functions
 * @param externs_id             handle for the host's `cgo_extern_*` functions
 * @return the machine, or NULL on failure. Take it out of the response by writing NULL to `value`, and free it with
 *         drop_fvm_machine while both handles are still valid. Free the response with
 *         destroy_create_fvm_machine_response. Threads: any; the `cgo_*` functions are called on this one.
 */
Result_InnerFvmMachine_ptr_t *create_fvm_machine(FvmRegisteredVersion_t fvm_version,
                                                 uint64_t chain_epoch,
                                                 uint64_t chain_timestamp,
                                                 uint64_t chain_id,
                                                 uint64_t base_fee_hi,
                                                 uint64_t base_fee_lo,
                                                 uint64_t circulating_supply_hi,
                                                 uint64_t circulating_supply_lo,
                                                 uint32_t network_version,
                                                 slice_ref_uint8_t state_root,
                                                 bool tracing,
                                                 bool flush_all_blocks,
                                                 uint64_t blockstore_id,
                                                 uint64_t externs_id);

/**
 * Creates a machine like create_fvm_machine, with actor debugging on. Results differ from the network's: for debugging
 * only.
 *
 * @param fvm_version            FVM_REGISTERED_VERSION_V1
 * @param chain_epoch            the epoch in which messages execute
 * @param chain_timestamp        the tipset's time, in seconds since 1970
 * @param chain_id               the network's EIP-155 id
 * @param base_fee_hi            the base fee in attoFIL, upper 64 bits
 * @param base_fee_lo            lower 64 bits
 * @param circulating_supply_hi  the circulating supply in attoFIL, upper 64 bits
 * @param circulating_supply_lo  lower 64 bits
 * @param network_version        16 to 29
 * @param state_root             the binary CID of the state tree, which the blockstore must hold; borrowed
 * @param actor_redirect         the binary CID of a CBOR list of pairs of CIDs: the second code runs in place of the
 *                               first. Empty for none; borrowed
 * @param tracing                whether receipts carry execution traces
 * @param flush_all_blocks       whether flushing also writes blocks that the new state does not reach (from network
 *                               version 21)
 * @param blockstore_id          handle for the host's `cgo_blockstore_*` functions
 * @param externs_id             handle for the host's `cgo_extern_*` functions
 * @return as create_fvm_machine. Threads: any; the `cgo_*` functions are called on this one.
 */
Result_InnerFvmMachine_ptr_t *create_fvm_debug_machine(FvmRegisteredVersion_t fvm_version,
                                                       uint64_t chain_epoch,
                                                       uint64_t chain_timestamp,
                                                       uint64_t chain_id,
                                                       uint64_t base_fee_hi,
                                                       uint64_t base_fee_lo,
                                                       uint64_t circulating_supply_hi,
                                                       uint64_t circulating_supply_lo,
                                                       uint32_t network_version,
                                                       slice_ref_uint8_t state_root,
                                                       slice_ref_uint8_t actor_redirect,
                                                       bool tracing,
                                                       bool flush_all_blocks,
                                                       uint64_t blockstore_id,
                                                       uint64_t externs_id);

/**
 * Executes one message on a machine.
 *
 * @param executor    the machine; borrowed
 * @param message     the message, CBOR; borrowed
 * @param chain_len   the message's length on chain in bytes, by which inclusion is charged
 * @param apply_kind  0 for a message on chain, which pays for its gas; anything else for an implicit one
 * @return the receipt; a message that fails has status 0 and an exit code that is not 0. `return_val`, `exec_trace`,
 *         `failure_info`, `events` and `events_root` are NULL where there is none. Status 1 means that the message could
 *         not be executed at all; after a panic the machine gives only errors. Free with
 *         destroy_fvm_machine_execute_response. Threads: any; calls on one machine take turns, and run on threads of
 *         the library, which also call the `cgo_*` functions. The environment variable LOTUS_FVM_CONCURRENCY (1 to 256)
 *         says how many messages execute at once.
 */
Result_FvmMachineExecuteResponse_t *fvm_machine_execute_message(const InnerFvmMachine_t *executor,
                                                                slice_ref_uint8_t message,
                                                                uint64_t chain_len,
                                                                uint64_t apply_kind);

/**
 * Writes a machine's state to the blockstore.
 *
 * @param executor  the machine; borrowed
 * @return the binary CID of the new state root. Free with destroy_fvm_machine_flush_response. Threads: any; the `cgo_*`
 *         functions are called on this one.
 */
Result_slice_boxed_uint8_t *fvm_machine_flush(const InnerFvmMachine_t *executor);

/**
 * Does nothing. It names FvmError_t, whose values the host's `cgo_*` functions return.
 *
 * @param _error  any value
 */
void dummy(FvmError_t _error);

/**
 * Bit-pads a piece and appends it to a staged sector, after the zero padding that aligns it behind the pieces already there.
 *
 * @param registered_proof       a `RegisteredSealProof`
 * @param src_fd                 readable, at the start of the piece; its offset moves; stays open
 * @param src_size               unpadded bytes of the piece: 127 * 2^k, at least 127
 * @param dst_fd                 readable and writable, at the end of what is staged; its offset moves; stays open
 * @param existing_piece_sizes   unpadded sizes of the pieces already written, in order; borrowed
 * @return CommP, inserted padding and bytes written, unpadded. Free with destroy_write_with_alignment_response. Threads: any.
 */
Result_WriteWithAlignment_t *write_with_alignment(RegisteredSealProof_t registered_proof,
                                                  int32_t src_fd,
                                                  uint64_t src_size,
                                                  int32_t dst_fd,
                                                  slice_ref_uint64_t existing_piece_sizes);

/**
 * Bit-pads the first piece of a staged sector.
 *
 * @param registered_proof  a `RegisteredSealProof`
 * @param src_fd            readable, at the start of the piece; its offset moves; stays open
 * @param src_size          unpadded bytes of the piece: 127 * 2^k, at least 127
 * @param dst_fd            readable and writable; its offset moves; stays open
 * @return CommP and bytes written, unpadded. Free with destroy_write_without_alignment_response. Threads: any.
 */
Result_WriteWithoutAlignment_t *write_without_alignment(RegisteredSealProof_t registered_proof,
                                                        int32_t src_fd,
                                                        uint64_t src_size,
                                                        int32_t dst_fd);

/**
 * Computes CommP of an unpadded piece.
 *
 * @param registered_proof     a `RegisteredSealProof`
 * @param piece_fd_raw         readable, at the start of the piece; its offset moves; stays open
 * @param unpadded_piece_size  bytes to read: 127 * 2^k, at least 127
 * @return CommP and the unpadded size with alignment. Free with destroy_generate_piece_commitment_response. Threads: any.
 */
Result_GeneratePieceCommitment_t *generate_piece_commitment(RegisteredSealProof_t registered_proof,
                                                            int32_t piece_fd_raw,
                                                            uint64_t unpadded_piece_size);

/**
 * Computes CommD of a sector from its pieces; what they leave free is zeros.
 *
 * @param registered_proof  a `RegisteredSealProof`
 * @param pieces            in order; none gives the commitment of an empty sector; borrowed
 * @return CommD. Free with destroy_generate_data_commitment_response. Threads: any.
 */
Result_uint8_32_array_t *generate_data_commitment(RegisteredSealProof_t registered_proof,
                                                  slice_ref_PublicPieceInfo_t pieces);

/**
 * Returns how many bytes of user data fit into a sector.
 *
 * @param registered_proof  a `RegisteredSealProof`
 * @return unpadded bytes: 127/128 of the sector size; 0 for an unknown type. Threads: any.
 */
uint64_t get_max_user_bytes_per_staged_sector(RegisteredSealProof_t registered_proof);

/**
 * Derives which sectors a Winning PoSt must prove.
 *
 * @param registered_proof  a Winning `RegisteredPoStProof`
 * @param randomness        a canonical little-endian scalar; borrowed
 * @param sector_set_len    number of eligible sectors, at least 1
 * @param prover_id         the miner's id; borrowed
 * @return indices below sector_set_len. Free with destroy_generate_winning_post_sector_challenge. Threads: any.
 */
Result_slice_boxed_uint64_t *generate_winning_post_sector_challenge(RegisteredPoStProof_t registered_proof,
                                                                    const uint8_32_array_t *randomness,
                                                                    uint64_t sector_set_len,
                                                                    const uint8_32_array_t *prover_id);

/**
 * Derives the leaf challenges of each sector.
 *
 * @param registered_proof  a `RegisteredPoStProof`
 * @param randomness        a canonical little-endian scalar; borrowed
 * @param sector_ids        in any order, repetitions are merged; borrowed
 * @param prover_id         the miner's id; borrowed
 * @return ids ascending, with their challenges. Free with destroy_generate_fallback_sector_challenges_response. Threads: any.
 */
Result_GenerateFallbackSectorChallenges_t *generate_fallback_sector_challenges(RegisteredPoStProof_t registered_proof,
                                                                               const uint8_32_array_t *randomness,
                                                                               slice_ref_uint64_t sector_ids,
                                                                               const uint8_32_array_t *prover_id);

/**
 * Collects the vanilla proof of one sector.
 *
 * @param replica     the sector; TAKEN OVER: the call frees its two paths, also when it fails
 * @param challenges  from generate_fallback_sector_challenges; borrowed
 * @return the serialized vanilla proof. Free with destroy_generate_single_vanilla_proof_response. Threads: any.
 */
Result_slice_boxed_uint8_t *generate_single_vanilla_proof(PrivateReplicaInfo_t replica, slice_ref_uint64_t challenges);

/**
 * Proves a Winning PoSt from vanilla proofs. Needs the parameter files of the circuit.
 *
 * @param registered_proof  a Winning `RegisteredPoStProof`
 * @param randomness        a canonical little-endian scalar; borrowed
 * @param prover_id         the miner's id; borrowed
 * @param vanilla_proofs    of the challenged sectors, in order; borrowed
 * @return the proofs. Free with destroy_generate_winning_post_response. Threads: any.
 */
Result_slice_boxed_PoStProof_t *generate_winning_post_with_vanilla(RegisteredPoStProof_t registered_proof,
                                                                   const uint8_32_array_t *randomness,
                                                                   const uint8_32_array_t *prover_id,
                                                                   slice_ref_slice_boxed_uint8_t vanilla_proofs);

/**
 * Proves a Winning PoSt from sealed files. Needs the parameter files of the circuit.
 *
 * @param randomness  a canonical little-endian scalar; borrowed
 * @param replicas    the challenged sectors; borrowed
 * @param prover_id   the miner's id; borrowed
 * @return the proofs. Free with destroy_generate_winning_post_response. Threads: any.
 */
Result_slice_boxed_PoStProof_t *generate_winning_post(const uint8_32_array_t *randomness,
                                                      slice_ref_PrivateReplicaInfo_t replicas,
                                                      const uint8_32_array_t *prover_id);

/**
 * Verifies a Winning PoSt. Needs the verifying key of the circuit.
 *
 * @param randomness  a canonical little-endian scalar; borrowed
 * @param replicas    the challenged sectors; borrowed
 * @param proofs      taken as one proof, concatenated; borrowed
 * @param prover_id   the miner's id; borrowed
 * @return true when valid; false when well-formed and wrong; status 1 when malformed. Free with
 *         destroy_verify_winning_post_response. Threads: any.
 */
Result_bool_t *verify_winning_post(const uint8_32_array_t *randomness,
                                   slice_ref_PublicReplicaInfo_t replicas,
                                   slice_ref_PoStProof_t proofs,
                                   const uint8_32_array_t *prover_id);

/**
 * Proves a Window PoSt from sealed files. Needs the parameter files of the circuit.
 *
 * @param randomness  a canonical little-endian scalar; borrowed
 * @param replicas    the sectors to prove, all partitions; borrowed
 * @param prover_id   the miner's id; borrowed
 * @return the proofs; with status 1 the faulty sectors, when those are the reason. Free with
 *         destroy_generate_window_post_response. Threads: any.
 */
Result_GenerateWindowPoSt_t *generate_window_post(const uint8_32_array_t *randomness,
                                                  slice_ref_PrivateReplicaInfo_t replicas,
                                                  const uint8_32_array_t *prover_id);

/**
 * Proves a Window PoSt from vanilla proofs. Needs the parameter files of the circuit.
 *
 * @param registered_proof  a Window `RegisteredPoStProof`
 * @param randomness        a canonical little-endian scalar; borrowed
 * @param prover_id         the miner's id; borrowed
 * @param vanilla_proofs    of all sectors, in order of sector id; borrowed
 * @return as generate_window_post. Free with destroy_generate_window_post_response. Threads: any.
 */
Result_GenerateWindowPoSt_t *generate_window_post_with_vanilla(RegisteredPoStProof_t registered_proof,
                                                               const uint8_32_array_t *randomness,
                                                               const uint8_32_array_t *prover_id,
                                                               slice_ref_slice_boxed_uint8_t vanilla_proofs);

/**
 * Proves one Window PoSt partition from vanilla proofs. Needs the parameter files of the circuit.
 *
 * @param registered_proof  a Window `RegisteredPoStProof`
 * @param randomness        a canonical little-endian scalar; borrowed
 * @param prover_id         the miner's id; borrowed
 * @param vanilla_proofs    of the partition's sectors, in order of sector id; borrowed
 * @param partition_index   which partition, from 0
 * @return the partition's proof; with status 1 the faulty sectors, when those are the reason. Free with
 *         destroy_generate_single_window_post_with_vanilla_response. Threads: any.
 */
Result_GenerateSingleWindowPoStWithVanilla_t *generate_single_window_post_with_vanilla(RegisteredPoStProof_t registered_proof,
                                                                                       const uint8_32_array_t *randomness,
                                                                                       const uint8_32_array_t *prover_id,
                                                                                       slice_ref_slice_boxed_uint8_t vanilla_proofs,
                                                                                       size_t partition_index);

/**
 * Joins the proofs of all partitions of a Window PoSt.
 *
 * @param registered_proof  a Window `RegisteredPoStProof`
 * @param partition_proofs  in order of partition; none gives an empty proof; borrowed
 * @return the proof. Free with destroy_merge_window_post_partition_proofs_response. Threads: any.
 */
Result_PoStProof_t *merge_window_post_partition_proofs(RegisteredPoStProof_t registered_proof,
                                                       slice_ref_slice_boxed_uint8_t partition_proofs);

/**
 * Verifies a Window PoSt. Needs the verifying key of the circuit.
 *
 * @param randomness  a canonical little-endian scalar; borrowed
 * @param replicas    the sectors that were proved; borrowed
 * @param proofs      exactly one proof, of the type of the replicas; borrowed
 * @param prover_id   the miner's id; borrowed
 * @return true when valid; false when well-formed and wrong; status 1 when malformed. Free with
 *         destroy_verify_window_post_response. Threads: any.
 */
Result_bool_t *verify_window_post(const uint8_32_array_t *randomness,
                                  slice_ref_PublicReplicaInfo_t replicas,
                                  slice_ref_PoStProof_t proofs,
                                  const uint8_32_array_t *prover_id);

/**
 * Returns how many partitions a Window PoSt over a number of sectors has.
 *
 * @param registered_proof  a Window `RegisteredPoStProof`
 * @param num_sectors       sectors to prove
 * @return at least 1. Free with destroy_get_num_partition_for_fallback_post_response. Threads: any.
 */
Result_size_t *get_num_partition_for_fallback_post(RegisteredPoStProof_t registered_proof, size_t num_sectors);

/**
 * PC1: builds tree D and labels the layers (SDR).
 *
 * @param registered_proof    a `RegisteredSealProof`
 * @param cache_dir_path      existing directory; receives tree D and the layers; borrowed
 * @param staged_sector_path  the padded pieces, filled up to the sector size; borrowed
 * @param sealed_sector_path  existing file; receives a copy of the staged sector; borrowed
 * @param sector_id           the sector's number
 * @param prover_id           the miner's id; borrowed
 * @param ticket              sealing randomness; borrowed
 * @param pieces              all pieces of the sector in order; borrowed
 * @return a JSON document for seal_pre_commit_phase2. Free with destroy_seal_pre_commit_phase1_response. Threads: any, one
 *         at a time for one sector.
 */
Result_slice_boxed_uint8_t *seal_pre_commit_phase1(RegisteredSealProof_t registered_proof,
                                                   slice_ref_uint8_t cache_dir_path,
                                                   slice_ref_uint8_t staged_sector_path,
                                                   slice_ref_uint8_t sealed_sector_path,
                                                   uint64_t sector_id,
                                                   const uint8_32_array_t *prover_id,
                                                   const uint8_32_array_t *ticket,
                                                   slice_ref_PublicPieceInfo_t pieces);

/**
 * Labels the layers (SDR) for a replica id, as PC1 does.
 *
 * @param registered_proof  a `RegisteredSealProof`
 * @param output_dir        existing directory; receives the layers; borrowed
 * @param replica_id        makes the labels unique; borrowed
 * @return nothing. Free with destroy_generate_sdr_response. Threads: any, one at a time for one directory.
 */
Result_void_t *generate_sdr(RegisteredSealProof_t registered_proof,
                            slice_ref_uint8_t output_dir,
                            const uint8_32_array_t *replica_id);

/**
 * PC2: builds trees C and R-last, encodes the replica, writes p_aux and t_aux.
 *
 * @param seal_pre_commit_phase1_output  the JSON document of seal_pre_commit_phase1; borrowed
 * @param cache_dir_path                 the directory that PC1 used; borrowed
 * @param sealed_sector_path             the file that PC1 filled; borrowed
 * @return CommR and CommD. Free with destroy_seal_pre_commit_phase2_response. Threads: any, one at a time for one sector.
 */
Result_SealPreCommitPhase2_t *seal_pre_commit_phase2(slice_ref_uint8_t seal_pre_commit_phase1_output,
                                                     slice_ref_uint8_t cache_dir_path,
                                                     slice_ref_uint8_t sealed_sector_path);

/**
 * Builds tree R-last of a sealed file, as PC2 does.
 *
 * @param registered_proof  a `RegisteredSealProof`; only its sector size matters
 * @param replica_path      the sealed file; borrowed
 * @param output_dir        existing directory; receives the tree, in one or more files; borrowed
 * @return CommRLast. Free with destroy_generate_tree_r_last_response. Threads: any, one at a time for one directory.
 */
Result_uint8_32_array_t *generate_tree_r_last(RegisteredSealProof_t registered_proof,
                                              slice_ref_uint8_t replica_path,
                                              slice_ref_uint8_t output_dir);

/**
 * Builds tree C of stored layers, as PC2 does.
 *
 * @param registered_proof  a `RegisteredSealProof`; only its sector size matters
 * @param input_dir         directory of the layers; borrowed
 * @param output_dir        existing directory, may be the same; receives the tree, in one or more files; borrowed
 * @return CommC. Free with destroy_generate_tree_c_response. Threads: any, one at a time for one directory.
 */
Result_uint8_32_array_t *generate_tree_c(RegisteredSealProof_t registered_proof,
                                         slice_ref_uint8_t input_dir,
                                         slice_ref_uint8_t output_dir);

/**
 * Computes all vanilla proofs that a synthetic PoRep may be asked for, and stores them in the cache directory.
 *
 * @param registered_proof  a synthetic `RegisteredSealProof`
 * @param comm_r, comm_d    from seal_pre_commit_phase2; borrowed
 * @param cache_dir_path    the directory that PC2 used; borrowed
 * @param replica_path      the sealed file; borrowed
 * @param sector_id         the sector's number
 * @param prover_id         the miner's id; borrowed
 * @param ticket            sealing randomness; borrowed
 * @param pieces            all pieces of the sector in order; borrowed
 * @return nothing. Free with destroy_generate_synth_proofs_response. Threads: any, one at a time for one sector.
 */
Result_void_t *generate_synth_proofs(RegisteredSealProof_t registered_proof,
                                     const uint8_32_array_t *comm_r,
                                     const uint8_32_array_t *comm_d,
                                     slice_ref_uint8_t cache_dir_path,
                                     slice_ref_uint8_t replica_path,
                                     uint64_t sector_id,
                                     const uint8_32_array_t *prover_id,
                                     const uint8_32_array_t *ticket,
                                     slice_ref_PublicPieceInfo_t pieces);

/**
 * C1: derives the challenges and collects their vanilla proofs.
 *
 * @param registered_proof  a `RegisteredSealProof`
 * @param comm_r, comm_d    from seal_pre_commit_phase2; borrowed
 * @param cache_dir_path    the directory that PC2 used; borrowed
 * @param replica_path      the sealed file; borrowed
 * @param sector_id         the sector's number
 * @param prover_id         the miner's id; borrowed
 * @param ticket            sealing randomness; borrowed
 * @param seed              interactive randomness; borrowed
 * @param pieces            all pieces of the sector in order; borrowed
 * @return a JSON document for seal_commit_phase2. Free with destroy_seal_commit_phase1_response. Threads: any.
 */
Result_slice_boxed_uint8_t *seal_commit_phase1(RegisteredSealProof_t registered_proof,
                                               const uint8_32_array_t *comm_r,
                                               const uint8_32_array_t *comm_d,
                                               slice_ref_uint8_t cache_dir_path,
                                               slice_ref_uint8_t replica_path,
                                               uint64_t sector_id,
                                               const uint8_32_array_t *prover_id,
                                               const uint8_32_array_t *ticket,
                                               const uint8_32_array_t *seed,
                                               slice_ref_PublicPieceInfo_t pieces);

/**
 * C2: proves a C1 document with Groth16 and verifies the result. Needs the parameter files of the circuit.
 *
 * @param seal_commit_phase1_output  the JSON document of seal_commit_phase1; borrowed
 * @param sector_id                  the sector's number
 * @param prover_id                  the miner's id; borrowed
 * @return 192 bytes a partition (1 up to 512 MiB, 10 for 32 and 64 GiB), or an aggregate for non-interactive PoRep. Free
 *         with destroy_seal_commit_phase2_response. Threads: any.
 */
Result_slice_boxed_uint8_t *seal_commit_phase2(slice_ref_uint8_t seal_commit_phase1_output,
                                               uint64_t sector_id,
                                               const uint8_32_array_t *prover_id);

/**
 * C2 for non-interactive PoRep whose proofs are aggregated later: neither aggregates nor verifies.
 *
 * @param seal_commit_phase1_output  the JSON document of seal_commit_phase1; borrowed
 * @param sector_id                  the sector's number
 * @return the partitions' proofs, 192 bytes each, concatenated. Free with destroy_seal_commit_phase2_response. Threads: any.
 */
Result_slice_boxed_uint8_t *seal_commit_phase2_circuit_proofs(slice_ref_uint8_t seal_commit_phase1_output,
                                                              uint64_t sector_id);

/**
 * Verifies a seal proof. Needs the verifying key of the circuit.
 *
 * @param registered_proof  a `RegisteredSealProof`
 * @param comm_r, comm_d    the sector's commitments; borrowed
 * @param prover_id         the miner's id; borrowed
 * @param ticket, seed      sealing and interactive randomness; borrowed
 * @param sector_id         the sector's number
 * @param proof             from seal_commit_phase2; borrowed
 * @return true when valid; false when well-formed and wrong; status 1 when malformed. Free with
 *         destroy_verify_seal_response. Threads: any.
 */
Result_bool_t *verify_seal(RegisteredSealProof_t registered_proof,
                           const uint8_32_array_t *comm_r,
                           const uint8_32_array_t *comm_d,
                           const uint8_32_array_t *prover_id,
                           const uint8_32_array_t *ticket,
                           const uint8_32_array_t *seed,
                           uint64_t sector_id,
                           slice_ref_uint8_t proof);

/**
 * Decodes a range of a sealed sector and writes the user's bytes.
 *
 * @param registered_proof       a `RegisteredSealProof`
 * @param cache_dir_path         existing directory for scratch files; tree D of a sealed sector in it is overwritten; borrowed
 * @param sealed_sector_fd_raw   the sealed file; it is opened again by its path, which must be writable; stays open
 * @param unseal_output_fd_raw   writable; written at its offset, which moves; stays open
 * @param sector_id              the sector's number
 * @param prover_id              the miner's id; borrowed
 * @param ticket                 sealing randomness; borrowed
 * @param comm_d                 the sector's data commitment; borrowed
 * @param unpadded_byte_index    first byte of the range, unpadded
 * @param unpadded_bytes_amount  length of the range, unpadded
 * @return nothing. Free with destroy_unseal_range_response. Threads: any, one at a time for one cache directory.
 */
Result_void_t *unseal_range(RegisteredSealProof_t registered_proof,
                            slice_ref_uint8_t cache_dir_path,
                            int32_t sealed_sector_fd_raw,
                            int32_t unseal_output_fd_raw,
                            uint64_t sector_id,
                            const uint8_32_array_t *prover_id,
                            const uint8_32_array_t *ticket,
                            const uint8_32_array_t *comm_d,
                            uint64_t unpadded_byte_index,
                            uint64_t unpadded_bytes_amount);

/**
 * Encodes new data over a sealed empty sector.
 *
 * @param registered_proof           a `RegisteredUpdateProof`
 * @param new_replica_path           existing file of the sector's size; receives the updated replica; borrowed
 * @param new_cache_dir_path         existing directory; receives the new trees and p_aux; borrowed
 * @param sector_key_path            the sealed empty sector; borrowed
 * @param sector_key_cache_dir_path  its cache directory; borrowed
 * @param staged_data_path           the padded new pieces; borrowed
 * @param pieces                     all new pieces in order; borrowed
 * @return the new CommR, CommRLast and CommD. Free with destroy_empty_sector_update_encode_into_response. Threads: any, one at
 *         a time for one sector.
 */
Result_EmptySectorUpdateEncodeInto_t *empty_sector_update_encode_into(RegisteredUpdateProof_t registered_proof,
                                                                      slice_ref_uint8_t new_replica_path,
                                                                      slice_ref_uint8_t new_cache_dir_path,
                                                                      slice_ref_uint8_t sector_key_path,
                                                                      slice_ref_uint8_t sector_key_cache_dir_path,
                                                                      slice_ref_uint8_t staged_data_path,
                                                                      slice_ref_PublicPieceInfo_t pieces);

/**
 * Recovers the data of an updated sector.
 *
 * @param registered_proof           a `RegisteredUpdateProof`
 * @param out_data_path              existing file of the sector's size; receives the padded data; borrowed
 * @param replica_path               the updated replica; borrowed
 * @param sector_key_path            the sealed empty sector; borrowed
 * @param sector_key_cache_dir_path  its cache directory; borrowed
 * @param comm_d_new                 CommD of the new data; borrowed
 * @return nothing. Free with destroy_empty_sector_update_decode_from_response. Threads: any, one at a time for one output.
 */
Result_void_t *empty_sector_update_decode_from(RegisteredUpdateProof_t registered_proof,
                                               slice_ref_uint8_t out_data_path,
                                               slice_ref_uint8_t replica_path,
                                               slice_ref_uint8_t sector_key_path,
                                               slice_ref_uint8_t sector_key_cache_dir_path,
                                               const uint8_32_array_t *comm_d_new);

/**
 * Recovers a range of the data of an updated sector, between descriptors.
 *
 * @param registered_proof  a `RegisteredUpdateProof`
 * @param comm_d            CommD of the new data; borrowed
 * @param comm_r            CommR of the sealed empty sector; borrowed
 * @param input_fd          the updated replica, at the start of the range; its offset moves; stays open
 * @param sector_key_fd     the sealed empty sector, at the start of the range; its offset moves; stays open
 * @param output_fd         writable; written at its offset, which moves; stays open
 * @param nodes_offset      start of the range in nodes of 32 bytes
 * @param num_nodes         length of the range in nodes of 32 bytes
 * @return nothing. Free with destroy_empty_sector_update_decode_from_range_response. Threads: any.
 */
Result_void_t *empty_sector_update_decode_from_range(RegisteredUpdateProof_t registered_proof,
                                                     const uint8_32_array_t *comm_d,
                                                     const uint8_32_array_t *comm_r,
                                                     int32_t input_fd,
                                                     int32_t sector_key_fd,
                                                     int32_t output_fd,
                                                     uint64_t nodes_offset,
                                                     uint64_t num_nodes);

/**
 * Recovers the sealed empty sector from an updated replica and its data.
 *
 * @param registered_proof           a `RegisteredUpdateProof`
 * @param sector_key_path            existing file of the sector's size; receives the sealed empty sector; borrowed
 * @param sector_key_cache_dir_path  existing directory; receives its tree R-last and p_aux; borrowed
 * @param replica_path               the updated replica; borrowed
 * @param replica_cache_path         the cache directory that the sealed empty sector had, for its p_aux; borrowed
 * @param data_path                  the padded data; borrowed
 * @param comm_d_new                 CommD of the data; borrowed
 * @return nothing. Free with destroy_empty_sector_update_remove_encoded_data_response. Threads: any, one at a time for one
 *         output.
 */
Result_void_t *empty_sector_update_remove_encoded_data(RegisteredUpdateProof_t registered_proof,
                                                       slice_ref_uint8_t sector_key_path,
                                                       slice_ref_uint8_t sector_key_cache_dir_path,
                                                       slice_ref_uint8_t replica_path,
                                                       slice_ref_uint8_t replica_cache_path,
                                                       slice_ref_uint8_t data_path,
                                                       const uint8_32_array_t *comm_d_new);

/**
 * Collects the vanilla proofs of an update.
 *
 * @param registered_proof           a `RegisteredUpdateProof`
 * @param comm_r_old, comm_r_new     CommR before and after the update; borrowed
 * @param comm_d_new                 CommD of the new data; borrowed
 * @param sector_key_path            the sealed empty sector; borrowed
 * @param sector_key_cache_dir_path  its cache directory; borrowed
 * @param replica_path               the updated replica; borrowed
 * @param replica_cache_path         its cache directory; borrowed
 * @return one byte string a partition. Free with destroy_generate_empty_sector_update_partition_proof_response. Threads: any.
 */
Result_slice_boxed_slice_boxed_uint8_t *generate_empty_sector_update_partition_proofs(RegisteredUpdateProof_t registered_proof,
                                                                                      const uint8_32_array_t *comm_r_old,
                                                                                      const uint8_32_array_t *comm_r_new,
                                                                                      const uint8_32_array_t *comm_d_new,
                                                                                      slice_ref_uint8_t sector_key_path,
                                                                                      slice_ref_uint8_t sector_key_cache_dir_path,
                                                                                      slice_ref_uint8_t replica_path,
                                                                                      slice_ref_uint8_t replica_cache_path);

/**
 * Verifies the vanilla proofs of an update.
 *
 * @param registered_proof           a `RegisteredUpdateProof`
 * @param proofs                     from generate_empty_sector_update_partition_proofs; borrowed
 * @param comm_r_old, comm_r_new     CommR before and after the update; borrowed
 * @param comm_d_new                 CommD of the new data; borrowed
 * @return true when valid; false when well-formed and wrong; status 1 when malformed. Free with
 *         destroy_verify_empty_sector_update_partition_proof_response. Threads: any.
 */
Result_bool_t *verify_empty_sector_update_partition_proofs(RegisteredUpdateProof_t registered_proof,
                                                           slice_ref_slice_boxed_uint8_t proofs,
                                                           const uint8_32_array_t *comm_r_old,
                                                           const uint8_32_array_t *comm_r_new,
                                                           const uint8_32_array_t *comm_d_new);

/**
 * Proves an update from the sector's files. Needs the parameter files of the circuit.
 *
 * @param registered_proof           a `RegisteredUpdateProof`
 * @param comm_r_old, comm_r_new     CommR before and after the update; borrowed
 * @param comm_d_new                 CommD of the new data; borrowed
 * @param sector_key_path            the sealed empty sector; borrowed
 * @param sector_key_cache_dir_path  its cache directory; borrowed
 * @param replica_path               the updated replica; borrowed
 * @param replica_cache_path         its cache directory; borrowed
 * @return 192 bytes a partition. Free with destroy_empty_sector_update_generate_proof_response. Threads: any.
 */
Result_slice_boxed_uint8_t *generate_empty_sector_update_proof(RegisteredUpdateProof_t registered_proof,
                                                               const uint8_32_array_t *comm_r_old,
                                                               const uint8_32_array_t *comm_r_new,
                                                               const uint8_32_array_t *comm_d_new,
                                                               slice_ref_uint8_t sector_key_path,
                                                               slice_ref_uint8_t sector_key_cache_dir_path,
                                                               slice_ref_uint8_t replica_path,
                                                               slice_ref_uint8_t replica_cache_path);

/**
 * Proves an update from its vanilla proofs. Needs the parameter files of the circuit.
 *
 * @param registered_proof           a `RegisteredUpdateProof`
 * @param vanilla_proofs             from generate_empty_sector_update_partition_proofs; borrowed
 * @param comm_r_old, comm_r_new     CommR before and after the update; borrowed
 * @param comm_d_new                 CommD of the new data; borrowed
 * @return 192 bytes a partition. Free with destroy_empty_sector_update_generate_proof_response. Threads: any.
 */
Result_slice_boxed_uint8_t *generate_empty_sector_update_proof_with_vanilla(RegisteredUpdateProof_t registered_proof,
                                                                            slice_ref_slice_boxed_uint8_t vanilla_proofs,
                                                                            const uint8_32_array_t *comm_r_old,
                                                                            const uint8_32_array_t *comm_r_new,
                                                                            const uint8_32_array_t *comm_d_new);

/**
 * Verifies an update proof. Needs the verifying key of the circuit.
 *
 * @param registered_proof           a `RegisteredUpdateProof`
 * @param proof                      from generate_empty_sector_update_proof; borrowed
 * @param comm_r_old, comm_r_new     CommR before and after the update; borrowed
 * @param comm_d_new                 CommD of the new data; borrowed
 * @return true when valid; false when well-formed and wrong; status 1 when malformed. Free with
 *         destroy_empty_sector_update_verify_proof_response. Threads: any.
 */
Result_bool_t *verify_empty_sector_update_proof(RegisteredUpdateProof_t registered_proof,
                                                slice_ref_uint8_t proof,
                                                const uint8_32_array_t *comm_r_old,
                                                const uint8_32_array_t *comm_r_new,
                                                const uint8_32_array_t *comm_d_new);

/**
 * Allocates a zero-filled byte slice of `size` bytes, for the caller to fill and to pass back in.
 *
 * @param size  bytes; 0 gives an empty slice
 * @return the slice, owned by the caller: free it with destroy_boxed_slice. When the memory cannot be had, `ptr` is NULL and
 *         `len` 0. Threads: any.
 */
slice_boxed_uint8_t alloc_boxed_slice(size_t size);

/**
 * Lists the devices that proving will use, by name.
 *
 * @return one UTF-8 name a device, in the order of use; an empty list when proving runs on the CPU. Free with
 *         destroy_gpu_device_response. Threads: any.
 */
Result_slice_boxed_slice_boxed_uint8_t *get_gpu_devices(void);

/**
 * Sends all log lines of the library to a descriptor instead of stderr. Call it before anything else: the first other call
 * starts the log on stderr. The filter comes from the environment variable RUST_LOG.
 *
 * @param log_fd  an open, writable descriptor. The library duplicates it and keeps the duplicate for the life of the
 *                process; log_fd itself stays the caller's and is never closed.
 * @return nothing; status 1 when a log runs already or log_fd is not open. Free with destroy_init_log_fd_response.
 *         Threads: any.
 */
Result_void_t *init_log_fd(int32_t log_fd);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* FILCRYPTO_H */
