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
 * 96 bytes: a compressed BLS signature or digest.
 */
struct uint8_96_array {
  uint8_t idx[96];
};

typedef struct uint8_96_array uint8_96_array_t;

/**
 * Borrowed bytes. A length of 0 is an empty slice, whatever `ptr` is. The library keeps no borrowed slice after it returns.
 */
struct slice_ref_uint8 {
  const uint8_t *ptr;
  size_t len;
};

typedef struct slice_ref_uint8 slice_ref_uint8_t;

/**
 * Borrowed sizes.
 */
struct slice_ref_size {
  const size_t *ptr;
  size_t len;
};

typedef struct slice_ref_size slice_ref_size_t;

/**
 * 32 bytes: a commitment, ticket, seed, randomness, prover id, replica id or BLS secret key.
 */
struct uint8_32_array {
  uint8_t idx[32];
};

typedef struct uint8_32_array uint8_32_array_t;

/**
 * 48 bytes: a compressed BLS public key.
 */
struct uint8_48_array {
  uint8_t idx[48];
};

typedef struct uint8_48_array uint8_48_array_t;

/**
 * Bytes that the library allocated. `ptr` is never NULL in a result unless the field's text says so; `len` counts bytes.
 * Freed with the response that holds it, or with `destroy_boxed_slice` when it came from `alloc_boxed_slice`.
 */
struct slice_boxed_uint8 {
  uint8_t *ptr;
  size_t len;
};

typedef struct slice_boxed_uint8 slice_boxed_uint8_t;

typedef struct InnerFvmMachine InnerFvmMachine_t;

/**
 * A value of `enum FCPResponseStatus`.
 */
typedef int32_t FCPResponseStatus_t;

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
 * A value of `enum RegisteredPoStProof`.
 */
typedef int32_t RegisteredPoStProof_t;

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
 * A value of `enum RegisteredSealProof`.
 */
typedef int32_t RegisteredSealProof_t;

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
 * Bytes: a proof, a JSON document or a text without a terminating NUL.
 */
struct Result_slice_boxed_uint8 {
  FCPResponseStatus_t status_code;
  slice_boxed_uint8_t error_msg;
  slice_boxed_uint8_t value;
};

typedef struct Result_slice_boxed_uint8 Result_slice_boxed_uint8_t;

/**
 * A 32-byte commitment.
 */
struct Result_uint8_32_array {
  FCPResponseStatus_t status_code;
  slice_boxed_uint8_t error_msg;
  uint8_32_array_t value;
};

typedef struct Result_uint8_32_array Result_uint8_32_array_t;

/**
 * A response without a value.
 */
struct Result_void {
  FCPResponseStatus_t status_code;
  slice_boxed_uint8_t error_msg;
};

typedef struct Result_void Result_void_t;

/**
 * A value of `enum FvmRegisteredVersion`.
 */
typedef uint8_t FvmRegisteredVersion_t;

/**
 * A value of `enum FvmError`.
 */
typedef int32_t FvmError_t;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

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
