//! Responses: every `Result_X` starts with a status and an error text, and holds its value inline.
//!
//! All `destroy_*` functions of one response type are the same operation.

use super::enums::*;
use super::slices::*;
use super::structs::*;
use crate::fvm::Machine;

/// What the panic boundary needs to build a response of any type.
pub trait Response {
    type Value;
    fn new(status_code: FCPResponseStatus_t, error_msg: slice_boxed_uint8, value: Self::Value) -> Self;
    /// The value of a failed response.
    fn failed_value() -> Self::Value;
}

macro_rules! response {
    ($name:ident, $value:ty, $failed:expr) => {
        impl Response for $name {
            type Value = $value;
            fn new(status_code: FCPResponseStatus_t, error_msg: slice_boxed_uint8, value: $value) -> Self {
                Self {
                    status_code,
                    error_msg,
                    value,
                }
            }
            fn failed_value() -> $value {
                $failed
            }
        }
    };
}

/// A verdict: true when the proof is valid. `status_code` is 0 on success and 1 on failure; `error_msg` is then UTF-8 text without a terminating NUL.
/// Every `Result_*` begins with these two fields.
#[repr(C)]
pub struct Result_bool {
    pub status_code: FCPResponseStatus_t,
    pub error_msg: slice_boxed_uint8_t,
    pub value: bool,
}
pub type Result_bool_t = Result_bool;
response!(Result_bool, bool, Default::default());

/// A response without a value.
#[repr(C)]
pub struct Result_void {
    pub status_code: FCPResponseStatus_t,
    pub error_msg: slice_boxed_uint8_t,
}
pub type Result_void_t = Result_void;

impl Response for Result_void {
    type Value = ();
    fn new(status_code: FCPResponseStatus_t, error_msg: slice_boxed_uint8, (): ()) -> Self {
        Self { status_code, error_msg }
    }
    fn failed_value() {}
}

/// A count.
#[repr(C)]
pub struct Result_size {
    pub status_code: FCPResponseStatus_t,
    pub error_msg: slice_boxed_uint8_t,
    pub value: usize,
}
pub type Result_size_t = Result_size;
response!(Result_size, usize, Default::default());

/// A 32-byte commitment.
#[repr(C)]
pub struct Result_uint8_32_array {
    pub status_code: FCPResponseStatus_t,
    pub error_msg: slice_boxed_uint8_t,
    pub value: uint8_32_array_t,
}
pub type Result_uint8_32_array_t = Result_uint8_32_array;
response!(Result_uint8_32_array, uint8_32_array, Default::default());

/// Bytes: a proof, a JSON document or a text without a terminating NUL.
#[repr(C)]
pub struct Result_slice_boxed_uint8 {
    pub status_code: FCPResponseStatus_t,
    pub error_msg: slice_boxed_uint8_t,
    pub value: slice_boxed_uint8_t,
}
pub type Result_slice_boxed_uint8_t = Result_slice_boxed_uint8;
response!(Result_slice_boxed_uint8, slice_boxed_uint8, Default::default());

/// Numbers.
#[repr(C)]
pub struct Result_slice_boxed_uint64 {
    pub status_code: FCPResponseStatus_t,
    pub error_msg: slice_boxed_uint8_t,
    pub value: slice_boxed_uint64_t,
}
pub type Result_slice_boxed_uint64_t = Result_slice_boxed_uint64;
response!(Result_slice_boxed_uint64, slice_boxed_uint64, Default::default());

/// PoSt proofs.
#[repr(C)]
pub struct Result_slice_boxed_PoStProof {
    pub status_code: FCPResponseStatus_t,
    pub error_msg: slice_boxed_uint8_t,
    pub value: slice_boxed_PoStProof_t,
}
pub type Result_slice_boxed_PoStProof_t = Result_slice_boxed_PoStProof;
response!(Result_slice_boxed_PoStProof, slice_boxed_PoStProof, Default::default());

/// A list of byte strings.
#[repr(C)]
pub struct Result_slice_boxed_slice_boxed_uint8 {
    pub status_code: FCPResponseStatus_t,
    pub error_msg: slice_boxed_uint8_t,
    pub value: slice_boxed_slice_boxed_uint8_t,
}
pub type Result_slice_boxed_slice_boxed_uint8_t = Result_slice_boxed_slice_boxed_uint8;
response!(
    Result_slice_boxed_slice_boxed_uint8,
    slice_boxed_slice_boxed_uint8,
    Default::default()
);

/// One PoSt proof.
#[repr(C)]
pub struct Result_PoStProof {
    pub status_code: FCPResponseStatus_t,
    pub error_msg: slice_boxed_uint8_t,
    pub value: PoStProof_t,
}
pub type Result_PoStProof_t = Result_PoStProof;
response!(Result_PoStProof, PoStProof, Default::default());

/// Window PoSt challenges.
#[repr(C)]
pub struct Result_GenerateFallbackSectorChallenges {
    pub status_code: FCPResponseStatus_t,
    pub error_msg: slice_boxed_uint8_t,
    pub value: GenerateFallbackSectorChallenges_t,
}
pub type Result_GenerateFallbackSectorChallenges_t = Result_GenerateFallbackSectorChallenges;
response!(
    Result_GenerateFallbackSectorChallenges,
    GenerateFallbackSectorChallenges,
    Default::default()
);

/// Window PoSt proofs or faulty sectors.
#[repr(C)]
pub struct Result_GenerateWindowPoSt {
    pub status_code: FCPResponseStatus_t,
    pub error_msg: slice_boxed_uint8_t,
    pub value: GenerateWindowPoSt_t,
}
pub type Result_GenerateWindowPoSt_t = Result_GenerateWindowPoSt;
response!(Result_GenerateWindowPoSt, GenerateWindowPoSt, Default::default());

/// One Window PoSt partition's proof or faulty sectors.
#[repr(C)]
pub struct Result_GenerateSingleWindowPoStWithVanilla {
    pub status_code: FCPResponseStatus_t,
    pub error_msg: slice_boxed_uint8_t,
    pub value: GenerateSingleWindowPoStWithVanilla_t,
}
pub type Result_GenerateSingleWindowPoStWithVanilla_t = Result_GenerateSingleWindowPoStWithVanilla;
response!(
    Result_GenerateSingleWindowPoStWithVanilla,
    GenerateSingleWindowPoStWithVanilla,
    Default::default()
);

/// What was written.
#[repr(C)]
pub struct Result_WriteWithAlignment {
    pub status_code: FCPResponseStatus_t,
    pub error_msg: slice_boxed_uint8_t,
    pub value: WriteWithAlignment_t,
}
pub type Result_WriteWithAlignment_t = Result_WriteWithAlignment;
response!(Result_WriteWithAlignment, WriteWithAlignment, Default::default());

/// What was written.
#[repr(C)]
pub struct Result_WriteWithoutAlignment {
    pub status_code: FCPResponseStatus_t,
    pub error_msg: slice_boxed_uint8_t,
    pub value: WriteWithoutAlignment_t,
}
pub type Result_WriteWithoutAlignment_t = Result_WriteWithoutAlignment;
response!(Result_WriteWithoutAlignment, WriteWithoutAlignment, Default::default());

/// The commitments of a sealed sector.
#[repr(C)]
pub struct Result_SealPreCommitPhase2 {
    pub status_code: FCPResponseStatus_t,
    pub error_msg: slice_boxed_uint8_t,
    pub value: SealPreCommitPhase2_t,
}
pub type Result_SealPreCommitPhase2_t = Result_SealPreCommitPhase2;
response!(Result_SealPreCommitPhase2, SealPreCommitPhase2, Default::default());

/// A piece's commitment.
#[repr(C)]
pub struct Result_GeneratePieceCommitment {
    pub status_code: FCPResponseStatus_t,
    pub error_msg: slice_boxed_uint8_t,
    pub value: GeneratePieceCommitment_t,
}
pub type Result_GeneratePieceCommitment_t = Result_GeneratePieceCommitment;
response!(
    Result_GeneratePieceCommitment,
    GeneratePieceCommitment,
    Default::default()
);

/// The commitments of an updated sector.
#[repr(C)]
pub struct Result_EmptySectorUpdateEncodeInto {
    pub status_code: FCPResponseStatus_t,
    pub error_msg: slice_boxed_uint8_t,
    pub value: EmptySectorUpdateEncodeInto_t,
}
pub type Result_EmptySectorUpdateEncodeInto_t = Result_EmptySectorUpdateEncodeInto;
response!(
    Result_EmptySectorUpdateEncodeInto,
    EmptySectorUpdateEncodeInto,
    Default::default()
);

/// A message's receipt.
#[repr(C)]
pub struct Result_FvmMachineExecuteResponse {
    pub status_code: FCPResponseStatus_t,
    pub error_msg: slice_boxed_uint8_t,
    pub value: FvmMachineExecuteResponse_t,
}
pub type Result_FvmMachineExecuteResponse_t = Result_FvmMachineExecuteResponse;
response!(
    Result_FvmMachineExecuteResponse,
    FvmMachineExecuteResponse,
    FvmMachineExecuteResponse::absent()
);

/// A new machine. `value` is NULL on failure. Take the machine out by overwriting `value` with NULL; else the response's
/// destructor drops it.
#[repr(C)]
pub struct Result_InnerFvmMachine_ptr {
    pub status_code: FCPResponseStatus_t,
    pub error_msg: slice_boxed_uint8_t,
    pub value: *mut InnerFvmMachine_t,
}
pub type Result_InnerFvmMachine_ptr_t = Result_InnerFvmMachine_ptr;
response!(Result_InnerFvmMachine_ptr, *mut InnerFvmMachine, std::ptr::null_mut());

impl Drop for Result_InnerFvmMachine_ptr {
    fn drop(&mut self) {
        if !self.value.is_null() {
            // SAFETY: a non-NULL value is the box that create_fvm_machine made; a caller that took it wrote NULL.
            drop(unsafe { Box::from_raw(self.value) });
        }
    }
}

/// An FVM machine: an executor over one state root. Any thread may use or drop it.
pub struct InnerFvmMachine(pub Machine);
pub type InnerFvmMachine_t = InnerFvmMachine;

impl FvmMachineExecuteResponse {
    /// All zero, every slice absent.
    pub fn absent() -> Self {
        let none = || slice_boxed_uint8 {
            ptr: std::ptr::null_mut(),
            len: 0,
        };
        Self {
            exit_code: 0,
            return_val: none(),
            gas_used: 0,
            penalty_hi: 0,
            penalty_lo: 0,
            miner_tip_hi: 0,
            miner_tip_lo: 0,
            base_fee_burn_hi: 0,
            base_fee_burn_lo: 0,
            over_estimation_burn_hi: 0,
            over_estimation_burn_lo: 0,
            refund_hi: 0,
            refund_lo: 0,
            gas_refund: 0,
            gas_burned: 0,
            exec_trace: none(),
            failure_info: none(),
            events: none(),
            events_root: none(),
        }
    }
}
