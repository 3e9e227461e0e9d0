//! Enumerations. C passes and stores them as plain integers, so every parameter is checked before use.

use filecoin_proofs_api as api;

use crate::error::{Error, Result};

/// How a call ended. Only 0 and 1 are ever returned; 2 and 3 are reserved.
#[repr(C)]
pub enum FCPResponseStatus {
    F_C_P_RESPONSE_STATUS_NO_ERROR = 0,
    F_C_P_RESPONSE_STATUS_UNCLASSIFIED_ERROR = 1,
    F_C_P_RESPONSE_STATUS_CALLER_ERROR = 2,
    F_C_P_RESPONSE_STATUS_RECEIVER_ERROR = 3,
}
/// A value of `enum FCPResponseStatus`.
pub type FCPResponseStatus_t = i32;

/// Seal proof types: sector size, version and features of a PoRep.
#[repr(C)]
pub enum RegisteredSealProof {
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
}
/// A value of `enum RegisteredSealProof`.
pub type RegisteredSealProof_t = i32;

/// Proof-of-Spacetime types. Window V1_1 is the proofs library's Window V1_2, and prints under that name.
#[repr(C)]
pub enum RegisteredPoStProof {
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
}
/// A value of `enum RegisteredPoStProof`.
pub type RegisteredPoStProof_t = i32;

/// Aggregation proof types: the transcript that SnarkPack uses.
#[repr(C)]
pub enum RegisteredAggregationProof {
    REGISTERED_AGGREGATION_PROOF_SNARK_PACK_V1 = 0,
    REGISTERED_AGGREGATION_PROOF_SNARK_PACK_V2 = 1,
}
/// A value of `enum RegisteredAggregationProof`.
pub type RegisteredAggregationProof_t = i32;

/// Sector update (SnapDeals) proof types.
#[repr(C)]
pub enum RegisteredUpdateProof {
    REGISTERED_UPDATE_PROOF_STACKED_DRG2_KI_B_V1 = 0,
    REGISTERED_UPDATE_PROOF_STACKED_DRG8_MI_B_V1 = 1,
    REGISTERED_UPDATE_PROOF_STACKED_DRG512_MI_B_V1 = 2,
    REGISTERED_UPDATE_PROOF_STACKED_DRG32_GI_B_V1 = 3,
    REGISTERED_UPDATE_PROOF_STACKED_DRG64_GI_B_V1 = 4,
}
/// A value of `enum RegisteredUpdateProof`.
pub type RegisteredUpdateProof_t = i32;

/// FVM interface versions. There is one; the network version chooses the machine.
#[repr(C)]
pub enum FvmRegisteredVersion {
    FVM_REGISTERED_VERSION_V1 = 0,
}
/// A value of `enum FvmRegisteredVersion`.
pub type FvmRegisteredVersion_t = u8;

/// What the `cgo_*` functions that the host provides return on failure.
#[repr(C)]
pub enum FvmError {
    FVM_ERROR_INVALID_HANDLE = -1,
    FVM_ERROR_NOT_FOUND = -2,
    FVM_ERROR_IO = -3,
    FVM_ERROR_INVALID_ARGUMENT = -4,
    FVM_ERROR_PANIC = -5,
}
/// A value of `enum FvmError`.
pub type FvmError_t = i32;

/// The proofs library's type of every `RegisteredSealProof`, in numerical order.
const SEAL_PROOFS: [api::RegisteredSealProof; 20] = {
    use api::RegisteredSealProof::*;
    [
        StackedDrg2KiBV1,
        StackedDrg8MiBV1,
        StackedDrg512MiBV1,
        StackedDrg32GiBV1,
        StackedDrg64GiBV1,
        StackedDrg2KiBV1_1,
        StackedDrg8MiBV1_1,
        StackedDrg512MiBV1_1,
        StackedDrg32GiBV1_1,
        StackedDrg64GiBV1_1,
        StackedDrg2KiBV1_1_Feat_SyntheticPoRep,
        StackedDrg8MiBV1_1_Feat_SyntheticPoRep,
        StackedDrg512MiBV1_1_Feat_SyntheticPoRep,
        StackedDrg32GiBV1_1_Feat_SyntheticPoRep,
        StackedDrg64GiBV1_1_Feat_SyntheticPoRep,
        StackedDrg2KiBV1_2_Feat_NonInteractivePoRep,
        StackedDrg8MiBV1_2_Feat_NonInteractivePoRep,
        StackedDrg512MiBV1_2_Feat_NonInteractivePoRep,
        StackedDrg32GiBV1_2_Feat_NonInteractivePoRep,
        StackedDrg64GiBV1_2_Feat_NonInteractivePoRep,
    ]
};

/// The proofs library's type of every `RegisteredPoStProof`, in numerical order.
const POST_PROOFS: [api::RegisteredPoStProof; 15] = {
    use api::RegisteredPoStProof::*;
    [
        StackedDrgWinning2KiBV1,
        StackedDrgWinning8MiBV1,
        StackedDrgWinning512MiBV1,
        StackedDrgWinning32GiBV1,
        StackedDrgWinning64GiBV1,
        StackedDrgWindow2KiBV1,
        StackedDrgWindow8MiBV1,
        StackedDrgWindow512MiBV1,
        StackedDrgWindow32GiBV1,
        StackedDrgWindow64GiBV1,
        StackedDrgWindow2KiBV1_2,
        StackedDrgWindow8MiBV1_2,
        StackedDrgWindow512MiBV1_2,
        StackedDrgWindow32GiBV1_2,
        StackedDrgWindow64GiBV1_2,
    ]
};

const UPDATE_PROOFS: [api::RegisteredUpdateProof; 5] = {
    use api::RegisteredUpdateProof::*;
    [
        StackedDrg2KiBV1,
        StackedDrg8MiBV1,
        StackedDrg512MiBV1,
        StackedDrg32GiBV1,
        StackedDrg64GiBV1,
    ]
};

const AGGREGATION_PROOFS: [api::RegisteredAggregationProof; 2] = [
    api::RegisteredAggregationProof::SnarkPackV1,
    api::RegisteredAggregationProof::SnarkPackV2,
];

fn lookup<T: Copy>(table: &[T], value: i32, kind: &'static str) -> Result<T> {
    usize::try_from(value)
        .ok()
        .and_then(|index| table.get(index).copied())
        .ok_or(Error::UnknownEnum {
            kind,
            value: value.into(),
            max: table.len() - 1,
        })
}

pub fn seal_proof(value: RegisteredSealProof_t) -> Result<api::RegisteredSealProof> {
    lookup(&SEAL_PROOFS, value, "RegisteredSealProof")
}

pub fn post_proof(value: RegisteredPoStProof_t) -> Result<api::RegisteredPoStProof> {
    lookup(&POST_PROOFS, value, "RegisteredPoStProof")
}

pub fn update_proof(value: RegisteredUpdateProof_t) -> Result<api::RegisteredUpdateProof> {
    lookup(&UPDATE_PROOFS, value, "RegisteredUpdateProof")
}

pub fn aggregation_proof(value: RegisteredAggregationProof_t) -> Result<api::RegisteredAggregationProof> {
    lookup(&AGGREGATION_PROOFS, value, "RegisteredAggregationProof")
}

pub fn fvm_version(value: FvmRegisteredVersion_t) -> Result<()> {
    lookup(&[()], value.into(), "FvmRegisteredVersion")
}

/// The number of a seal proof type, for results.
pub fn seal_proof_number(proof: api::RegisteredSealProof) -> RegisteredSealProof_t {
    number(&SEAL_PROOFS, proof)
}

/// The number of a PoSt proof type, for results.
pub fn post_proof_number(proof: api::RegisteredPoStProof) -> RegisteredPoStProof_t {
    number(&POST_PROOFS, proof)
}

fn number<T: PartialEq + Copy>(table: &[T], proof: T) -> i32 {
    let index = table.iter().position(|known| *known == proof);
    // The tables list every variant of the proofs library; tests below hold that.
    index.expect("a proof type without a number") as i32
}
