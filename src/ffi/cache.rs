//! Sector caches: clearing them, and making fake sealed sectors for genesis blocks and tests.

use filecoin_proofs_api::seal;

use super::boundary::respond;
use super::convert::paths;
use super::types::*;

/// Deletes tree D, tree C and the layers from a sector's cache directory; p_aux, t_aux and tree R-last stay.
///
/// @param cache_dir_path  succeeds also when the directory or the files are missing; borrowed
/// @return nothing. Free with destroy_clear_cache_response. Threads: any, one at a time for one sector.
#[no_mangle]
pub unsafe extern "C" fn clear_cache(cache_dir_path: slice_ref_uint8_t) -> *mut Result_void_t {
    respond("clear_cache", || {
        borrow!(cache_dir_path);
        paths!(cache_dir_path);
        Ok(seal::clear_cache(&cache_dir_path)?)
    })
}

/// Deletes the stored vanilla proofs of a synthetic PoRep.
///
/// @param cache_dir_path  succeeds also when there are none; borrowed
/// @return nothing. Free with destroy_clear_cache_response. Threads: any, one at a time for one sector.
#[no_mangle]
pub unsafe extern "C" fn clear_synthetic_proofs(cache_dir_path: slice_ref_uint8_t) -> *mut Result_void_t {
    respond("clear_synthetic_proofs", || {
        borrow!(cache_dir_path);
        paths!(cache_dir_path);
        Ok(seal::clear_synthetic_proofs(&cache_dir_path)?)
    })
}

/// Writes a fake sealed sector of zeros with its tree R-last and p_aux. For tests and genesis sectors: it cannot be proved.
///
/// @param registered_proof    a `RegisteredSealProof`
/// @param cache_dir_path      existing directory; receives the tree and p_aux; borrowed
/// @param sealed_sector_path  the file to write; borrowed
/// @return CommR. Free with destroy_fauxrep_response. Threads: any, one at a time for one sector.
#[no_mangle]
pub unsafe extern "C" fn fauxrep(
    registered_proof: RegisteredSealProof_t,
    cache_dir_path: slice_ref_uint8_t,
    sealed_sector_path: slice_ref_uint8_t,
) -> *mut Result_uint8_32_array_t {
    respond("fauxrep", || {
        borrow!(cache_dir_path, sealed_sector_path);
        paths!(cache_dir_path, sealed_sector_path);
        let idx = seal::fauxrep(seal_proof(registered_proof)?, cache_dir_path, sealed_sector_path)?;
        Ok(uint8_32_array { idx })
    })
}

/// Writes a p_aux with the CommRLast of an existing one and a random CommC. For tests and genesis sectors.
///
/// @param registered_proof     a `RegisteredSealProof`
/// @param cache_dir_path       existing directory; receives p_aux; borrowed
/// @param existing_p_aux_path  a file of at least 64 bytes; borrowed
/// @return CommR. Free with destroy_fauxrep_response. Threads: any, one at a time for one sector.
#[no_mangle]
pub unsafe extern "C" fn fauxrep2(
    registered_proof: RegisteredSealProof_t,
    cache_dir_path: slice_ref_uint8_t,
    existing_p_aux_path: slice_ref_uint8_t,
) -> *mut Result_uint8_32_array_t {
    respond("fauxrep2", || {
        borrow!(cache_dir_path, existing_p_aux_path);
        paths!(cache_dir_path, existing_p_aux_path);
        let idx = seal::fauxrep2(seal_proof(registered_proof)?, cache_dir_path, existing_p_aux_path)?;
        Ok(uint8_32_array { idx })
    })
}
