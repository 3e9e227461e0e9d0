//! Facts about proof types: names, circuits and parameter files. Error texts are one line, without causes.

use std::path::PathBuf;

use filecoin_proofs_api::{RegisteredPoStProof, RegisteredSealProof};

use super::boundary::respond_quietly;
use super::types::*;
use crate::config;
use crate::error::{Error, Result};

type Text = Result_slice_boxed_uint8;

fn seal_text(
    name: &'static str,
    number: RegisteredSealProof_t,
    text: impl FnOnce(RegisteredSealProof) -> anyhow::Result<String>,
) -> *mut Text {
    accessor(name, || Ok(text(seal_proof(number)?)?))
}

fn post_text(
    name: &'static str,
    number: RegisteredPoStProof_t,
    text: impl FnOnce(RegisteredPoStProof) -> anyhow::Result<String>,
) -> *mut Text {
    accessor(name, || Ok(text(post_proof(number)?)?))
}

/// Checks the settings, since paths depend on them, but starts no log.
fn accessor(name: &'static str, text: impl FnOnce() -> Result<String>) -> *mut Text {
    respond_quietly(name, || {
        config::check()?;
        let text = text().map_err(|error| Error::message(error.to_string()))?;
        Ok(text.into_bytes().into())
    })
}

fn lossy(path: PathBuf) -> String {
    path.to_string_lossy().into_owned()
}

/// Returns the IPFS CID of the proving parameters, from the embedded manifest.
///
/// @param registered_proof  a `RegisteredSealProof`
/// @return the CID, UTF-8; status 1 for an unknown type. Free with destroy_string_response. Threads: any.
#[no_mangle]
pub extern "C" fn get_seal_params_cid(registered_proof: RegisteredSealProof_t) -> *mut Result_slice_boxed_uint8_t {
    seal_text("get_seal_params_cid", registered_proof, RegisteredSealProof::params_cid)
}

/// Returns the IPFS CID of the verifying key, from the embedded manifest.
///
/// @param registered_proof  a `RegisteredSealProof`
/// @return the CID, UTF-8; status 1 for an unknown type. Free with destroy_string_response. Threads: any.
#[no_mangle]
pub extern "C" fn get_seal_verifying_key_cid(
    registered_proof: RegisteredSealProof_t,
) -> *mut Result_slice_boxed_uint8_t {
    seal_text(
        "get_seal_verifying_key_cid",
        registered_proof,
        RegisteredSealProof::verifying_key_cid,
    )
}

/// Returns where the proving parameters are expected.
///
/// @param registered_proof  a `RegisteredSealProof`
/// @return the path, UTF-8; status 1 for an unknown type. Free with destroy_string_response. Threads: any.
#[no_mangle]
pub extern "C" fn get_seal_params_path(registered_proof: RegisteredSealProof_t) -> *mut Result_slice_boxed_uint8_t {
    seal_text("get_seal_params_path", registered_proof, |proof| {
        proof.cache_params_path().map(lossy)
    })
}

/// Returns where the verifying key is expected.
///
/// @param registered_proof  a `RegisteredSealProof`
/// @return the path, UTF-8; status 1 for an unknown type. Free with destroy_string_response. Threads: any.
#[no_mangle]
pub extern "C" fn get_seal_verifying_key_path(
    registered_proof: RegisteredSealProof_t,
) -> *mut Result_slice_boxed_uint8_t {
    seal_text("get_seal_verifying_key_path", registered_proof, |proof| {
        proof.cache_verifying_key_path().map(lossy)
    })
}

/// Returns the identifier of the circuit, which names its parameter files.
///
/// @param registered_proof  a `RegisteredSealProof`
/// @return the identifier, UTF-8; status 1 for an unknown type. Free with destroy_string_response. Threads: any.
#[no_mangle]
pub extern "C" fn get_seal_circuit_identifier(
    registered_proof: RegisteredSealProof_t,
) -> *mut Result_slice_boxed_uint8_t {
    seal_text(
        "get_seal_circuit_identifier",
        registered_proof,
        RegisteredSealProof::circuit_identifier,
    )
}

/// Returns the name of the proof type.
///
/// @param registered_proof  a `RegisteredSealProof`
/// @return the name, UTF-8; status 1 for an unknown type. Free with destroy_string_response. Threads: any.
#[no_mangle]
pub extern "C" fn get_seal_version(registered_proof: RegisteredSealProof_t) -> *mut Result_slice_boxed_uint8_t {
    seal_text("get_seal_version", registered_proof, |proof| Ok(format!("{proof:?}")))
}

/// Returns the IPFS CID of the proving parameters, from the embedded manifest.
///
/// @param registered_proof  a `RegisteredPoStProof`
/// @return the CID, UTF-8; status 1 for an unknown type. Free with destroy_string_response. Threads: any.
#[no_mangle]
pub extern "C" fn get_post_params_cid(registered_proof: RegisteredPoStProof_t) -> *mut Result_slice_boxed_uint8_t {
    post_text("get_post_params_cid", registered_proof, RegisteredPoStProof::params_cid)
}

/// Returns the IPFS CID of the verifying key, from the embedded manifest.
///
/// @param registered_proof  a `RegisteredPoStProof`
/// @return the CID, UTF-8; status 1 for an unknown type. Free with destroy_string_response. Threads: any.
#[no_mangle]
pub extern "C" fn get_post_verifying_key_cid(
    registered_proof: RegisteredPoStProof_t,
) -> *mut Result_slice_boxed_uint8_t {
    post_text(
        "get_post_verifying_key_cid",
        registered_proof,
        RegisteredPoStProof::verifying_key_cid,
    )
}

/// Returns where the proving parameters are expected.
///
/// @param registered_proof  a `RegisteredPoStProof`
/// @return the path, UTF-8; status 1 for an unknown type. Free with destroy_string_response. Threads: any.
#[no_mangle]
pub extern "C" fn get_post_params_path(registered_proof: RegisteredPoStProof_t) -> *mut Result_slice_boxed_uint8_t {
    post_text("get_post_params_path", registered_proof, |proof| {
        proof.cache_params_path().map(lossy)
    })
}

/// Returns where the verifying key is expected.
///
/// @param registered_proof  a `RegisteredPoStProof`
/// @return the path, UTF-8; status 1 for an unknown type. Free with destroy_string_response. Threads: any.
#[no_mangle]
pub extern "C" fn get_post_verifying_key_path(
    registered_proof: RegisteredPoStProof_t,
) -> *mut Result_slice_boxed_uint8_t {
    post_text("get_post_verifying_key_path", registered_proof, |proof| {
        proof.cache_verifying_key_path().map(lossy)
    })
}

/// Returns the identifier of the circuit, which names its parameter files.
///
/// @param registered_proof  a `RegisteredPoStProof`
/// @return the identifier, UTF-8; status 1 for an unknown type. Free with destroy_string_response. Threads: any.
#[no_mangle]
pub extern "C" fn get_post_circuit_identifier(
    registered_proof: RegisteredPoStProof_t,
) -> *mut Result_slice_boxed_uint8_t {
    post_text(
        "get_post_circuit_identifier",
        registered_proof,
        RegisteredPoStProof::circuit_identifier,
    )
}

/// Returns the name of the proof type. Window V1_1 is called V1_2, as in the proofs library.
///
/// @param registered_proof  a `RegisteredPoStProof`
/// @return the name, UTF-8; status 1 for an unknown type. Free with destroy_string_response. Threads: any.
#[no_mangle]
pub extern "C" fn get_post_version(registered_proof: RegisteredPoStProof_t) -> *mut Result_slice_boxed_uint8_t {
    post_text("get_post_version", registered_proof, |proof| Ok(format!("{proof:?}")))
}
