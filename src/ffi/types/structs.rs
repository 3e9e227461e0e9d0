//! Plain structs that cross the boundary, inside responses or behind slices.

use super::enums::*;
use super::slices::*;

/// 32 bytes: a commitment, ticket, seed, randomness, prover id, replica id or BLS secret key.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct uint8_32_array {
    pub idx: [u8; 32],
}
pub type uint8_32_array_t = uint8_32_array;

/// 48 bytes: a compressed BLS public key.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct uint8_48_array {
    pub idx: [u8; 48],
}
pub type uint8_48_array_t = uint8_48_array;

/// 96 bytes: a compressed BLS signature or digest.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct uint8_96_array {
    pub idx: [u8; 96],
}
pub type uint8_96_array_t = uint8_96_array;

/// A piece of a sector.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PublicPieceInfo {
    /// Unpadded size in bytes: 127 * 2^k.
    pub num_bytes: u64,
    /// The piece commitment, CommP.
    pub comm_p: uint8_32_array_t,
}
pub type PublicPieceInfo_t = PublicPieceInfo;

/// A Proof-of-Spacetime.
#[repr(C)]
pub struct PoStProof {
    pub registered_proof: RegisteredPoStProof_t,
    /// 192 bytes a partition.
    pub proof: slice_boxed_uint8_t,
}
pub type PoStProof_t = PoStProof;

/// The proof of one Window PoSt partition.
#[repr(C)]
pub struct PartitionSnarkProof {
    pub registered_proof: RegisteredPoStProof_t,
    /// 192 bytes.
    pub proof: slice_boxed_uint8_t,
}
pub type PartitionSnarkProof_t = PartitionSnarkProof;

/// A replica that this host holds.
#[repr(C)]
pub struct PrivateReplicaInfo {
    pub registered_proof: RegisteredPoStProof_t,
    /// Path of the sector's cache directory, without a terminating NUL.
    pub cache_dir_path: slice_boxed_uint8_t,
    pub comm_r: uint8_32_array_t,
    /// Path of the sealed file, without a terminating NUL.
    pub replica_path: slice_boxed_uint8_t,
    pub sector_id: u64,
}
pub type PrivateReplicaInfo_t = PrivateReplicaInfo;

/// A replica as the chain knows it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PublicReplicaInfo {
    pub registered_proof: RegisteredPoStProof_t,
    pub comm_r: uint8_32_array_t,
    pub sector_id: u64,
}
pub type PublicReplicaInfo_t = PublicReplicaInfo;

/// What a verifier knows of one sector of an aggregate.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AggregationInputs {
    pub comm_r: uint8_32_array_t,
    pub comm_d: uint8_32_array_t,
    pub sector_id: u64,
    pub ticket: uint8_32_array_t,
    pub seed: uint8_32_array_t,
}
pub type AggregationInputs_t = AggregationInputs;

/// Leaf challenges of Window PoSt; `challenges[i]` belongs to sector `ids[i]`. Ids ascend and are unique.
#[repr(C)]
#[derive(Default)]
pub struct GenerateFallbackSectorChallenges {
    pub ids: slice_boxed_uint64_t,
    pub challenges: slice_boxed_slice_boxed_uint64_t,
}
pub type GenerateFallbackSectorChallenges_t = GenerateFallbackSectorChallenges;

/// Window PoSt proofs, or, with status 1, the sectors that could not be proved.
#[repr(C)]
#[derive(Default)]
pub struct GenerateWindowPoSt {
    pub proofs: slice_boxed_PoStProof_t,
    /// Sector ids; filled only when faulty sectors are the reason of the failure.
    pub faulty_sectors: slice_boxed_uint64_t,
}
pub type GenerateWindowPoSt_t = GenerateWindowPoSt;

/// One Window PoSt partition's proof, or, with status 1, the sectors that could not be proved.
#[repr(C)]
#[derive(Default)]
pub struct GenerateSingleWindowPoStWithVanilla {
    pub partition_proof: PartitionSnarkProof_t,
    /// Sector ids; filled only when faulty sectors are the reason of the failure.
    pub faulty_sectors: slice_boxed_uint64_t,
}
pub type GenerateSingleWindowPoStWithVanilla_t = GenerateSingleWindowPoStWithVanilla;

/// What `write_with_alignment` wrote.
#[repr(C)]
#[derive(Default)]
pub struct WriteWithAlignment {
    pub comm_p: uint8_32_array_t,
    /// Zero bytes, unpadded, inserted before the piece.
    pub left_alignment_unpadded: u64,
    /// Alignment and piece together, unpadded bytes.
    pub total_write_unpadded: u64,
}
pub type WriteWithAlignment_t = WriteWithAlignment;

/// What `write_without_alignment` wrote.
#[repr(C)]
#[derive(Default)]
pub struct WriteWithoutAlignment {
    pub comm_p: uint8_32_array_t,
    /// Unpadded bytes.
    pub total_write_unpadded: u64,
}
pub type WriteWithoutAlignment_t = WriteWithoutAlignment;

/// The commitments of a sealed sector.
#[repr(C)]
pub struct SealPreCommitPhase2 {
    pub registered_proof: RegisteredSealProof_t,
    pub comm_d: uint8_32_array_t,
    pub comm_r: uint8_32_array_t,
}
pub type SealPreCommitPhase2_t = SealPreCommitPhase2;

/// A piece's commitment.
#[repr(C)]
#[derive(Default)]
pub struct GeneratePieceCommitment {
    pub comm_p: uint8_32_array_t,
    /// Unpadded bytes of the piece together with its alignment.
    pub num_bytes_aligned: u64,
}
pub type GeneratePieceCommitment_t = GeneratePieceCommitment;

/// The commitments of an updated sector.
#[repr(C)]
#[derive(Default)]
pub struct EmptySectorUpdateEncodeInto {
    pub comm_r_new: uint8_32_array_t,
    pub comm_r_last_new: uint8_32_array_t,
    pub comm_d_new: uint8_32_array_t,
}
pub type EmptySectorUpdateEncodeInto_t = EmptySectorUpdateEncodeInto;

/// A message's receipt and its cost. Amounts of attoFIL are 128-bit numbers split into `_hi` and `_lo`.
///
/// The five slices may be absent: then `ptr` is NULL and `len` is 0.
#[repr(C)]
pub struct FvmMachineExecuteResponse {
    pub exit_code: u64,
    pub return_val: slice_boxed_uint8_t,
    pub gas_used: u64,
    pub penalty_hi: u64,
    pub penalty_lo: u64,
    pub miner_tip_hi: u64,
    pub miner_tip_lo: u64,
    pub base_fee_burn_hi: u64,
    pub base_fee_burn_lo: u64,
    pub over_estimation_burn_hi: u64,
    pub over_estimation_burn_lo: u64,
    pub refund_hi: u64,
    pub refund_lo: u64,
    pub gas_refund: u64,
    pub gas_burned: u64,
    /// The execution trace as CBOR, when tracing is on.
    pub exec_trace: slice_boxed_uint8_t,
    /// Why the message failed, as UTF-8 text.
    pub failure_info: slice_boxed_uint8_t,
    /// The emitted events as CBOR.
    pub events: slice_boxed_uint8_t,
    /// The CID of the events' AMT.
    pub events_root: slice_boxed_uint8_t,
}
pub type FvmMachineExecuteResponse_t = FvmMachineExecuteResponse;

/// The proof type in a failed response: a valid number that means nothing.
const FAILED_POST_PROOF: RegisteredPoStProof_t = 8;
const FAILED_SEAL_PROOF: RegisteredSealProof_t = 5;

impl Default for PoStProof {
    fn default() -> Self {
        Self {
            registered_proof: FAILED_POST_PROOF,
            proof: Default::default(),
        }
    }
}

impl Default for PartitionSnarkProof {
    fn default() -> Self {
        Self {
            registered_proof: FAILED_POST_PROOF,
            proof: Default::default(),
        }
    }
}

impl Default for SealPreCommitPhase2 {
    fn default() -> Self {
        Self {
            registered_proof: FAILED_SEAL_PROOF,
            comm_d: Default::default(),
            comm_r: Default::default(),
        }
    }
}
