//! BLS signatures. None of these calls starts the log or reads a setting.
//!
//! The results are fixed-size arrays in boxes of their own.

use super::boundary::guard;
use super::types::*;
use crate::bls;
use crate::error::Result;

/// Boxes an array for the caller; None becomes NULL.
fn boxed<T>(array: Option<T>) -> *mut T {
    array.map_or(std::ptr::null_mut(), |array| Box::into_raw(Box::new(array)))
}

fn boxed_96(array: Option<[u8; 96]>) -> Result<*mut uint8_96_array> {
    Ok(boxed(array.map(|idx| uint8_96_array { idx })))
}

fn boxed_32(idx: [u8; 32]) -> Result<*mut uint8_32_array> {
    Ok(boxed(Some(uint8_32_array { idx })))
}

/// Hashes a message to a point of G2: the digest that is signed.
///
/// @param message  any bytes, also none; borrowed
/// @return the compressed point, 96 bytes; NULL only when `message` is invalid (NULL with a length). Free with
///         destroy_box_bls_digest. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn hash(message: slice_ref_uint8_t) -> *mut uint8_96_array_t {
    guard("hash", std::ptr::null_mut(), || {
        borrow!(message);
        boxed_96(Some(bls::hash(message)))
    })
}

/// Aggregates signatures into one.
///
/// @param flattened_signatures  compressed signatures of 96 bytes, one after the other; borrowed
/// @return the sum, 96 bytes; NULL when there is none, the length is no multiple of 96 or one is not a valid point. Free
///         with destroy_box_bls_signature. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn aggregate(flattened_signatures: slice_ref_uint8_t) -> *mut uint8_96_array_t {
    guard("aggregate", std::ptr::null_mut(), || {
        borrow!(flattened_signatures);
        boxed_96(bls::aggregate(flattened_signatures))
    })
}

/// Verifies an aggregate signature against digests.
///
/// @param signature              96 bytes; borrowed
/// @param flattened_digests      digests from `hash`, 96 bytes each; borrowed
/// @param flattened_public_keys  compressed public keys, 48 bytes each, as many as digests; borrowed
/// @return true when the signature is valid. False for a wrong signature and for anything malformed, empty, repeated or
///         mismatched, and for a public key at infinity. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn verify(
    signature: slice_ref_uint8_t,
    flattened_digests: slice_ref_uint8_t,
    flattened_public_keys: slice_ref_uint8_t,
) -> bool {
    guard("verify", false, || {
        borrow!(signature, flattened_digests, flattened_public_keys);
        Ok(bls::verify(signature, flattened_digests, flattened_public_keys))
    })
}

/// Verifies an aggregate signature against messages.
///
/// @param signature              96 bytes; borrowed
/// @param flattened_messages     the messages, one after the other; bytes after the last one are ignored; borrowed
/// @param message_sizes          length of each message in bytes; borrowed
/// @param flattened_public_keys  compressed public keys, 48 bytes each, as many as messages; borrowed
/// @return as `verify`; also false when the lengths exceed the buffer. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn hash_verify(
    signature: slice_ref_uint8_t,
    flattened_messages: slice_ref_uint8_t,
    message_sizes: slice_ref_size_t,
    flattened_public_keys: slice_ref_uint8_t,
) -> bool {
    guard("hash_verify", false, || {
        borrow!(signature, flattened_messages, message_sizes, flattened_public_keys);
        Ok(bls::verify_messages(
            signature,
            flattened_messages,
            message_sizes,
            flattened_public_keys,
        ))
    })
}

/// Makes a secret key from the operating system's randomness.
///
/// @return a little-endian scalar, 32 bytes; NULL only when no randomness can be had. Free with
///         destroy_box_bls_private_key. Threads: any.
#[no_mangle]
pub extern "C" fn private_key_generate() -> *mut uint8_32_array_t {
    guard("private_key_generate", std::ptr::null_mut(), || {
        boxed_32(bls::generate_private_key())
    })
}

/// Makes the secret key that a seed determines. For tests, or with a seed that is as secret as a key.
///
/// @param raw_seed  32 bytes; borrowed
/// @return a little-endian scalar, 32 bytes; NULL only when `raw_seed` is NULL. Free with destroy_box_bls_private_key.
///         Threads: any.
#[no_mangle]
pub unsafe extern "C" fn private_key_generate_with_seed(raw_seed: *const uint8_32_array_t) -> *mut uint8_32_array_t {
    guard("private_key_generate_with_seed", std::ptr::null_mut(), || {
        borrow!(raw_seed);
        boxed_32(bls::private_key_from_seed(*raw_seed))
    })
}

/// Signs a message.
///
/// @param raw_private_key  a canonical little-endian scalar, 32 bytes; borrowed
/// @param message          any bytes; borrowed
/// @return the compressed signature, 96 bytes; NULL when the key is malformed. Free with destroy_box_bls_signature.
///         Threads: any.
#[no_mangle]
pub unsafe extern "C" fn private_key_sign(
    raw_private_key: slice_ref_uint8_t,
    message: slice_ref_uint8_t,
) -> *mut uint8_96_array_t {
    guard("private_key_sign", std::ptr::null_mut(), || {
        borrow!(raw_private_key, message);
        boxed_96(bls::sign(raw_private_key, message))
    })
}

/// Derives the public key of a secret key.
///
/// @param raw_private_key  a canonical little-endian scalar, 32 bytes; zero gives the point at infinity; borrowed
/// @return the compressed public key, 48 bytes; NULL when the key is malformed. Free with destroy_box_bls_public_key.
///         Threads: any.
#[no_mangle]
pub unsafe extern "C" fn private_key_public_key(raw_private_key: slice_ref_uint8_t) -> *mut uint8_48_array_t {
    guard("private_key_public_key", std::ptr::null_mut(), || {
        borrow!(raw_private_key);
        Ok(boxed(
            bls::public_key(raw_private_key).map(|idx| uint8_48_array { idx }),
        ))
    })
}

/// Returns the signature that stands where none is needed: the compressed point at infinity.
///
/// @return 96 bytes, 0xc0 and then zeros. Free with destroy_box_bls_signature. Threads: any.
#[no_mangle]
pub extern "C" fn create_zero_signature() -> *mut uint8_96_array_t {
    guard("create_zero_signature", std::ptr::null_mut(), || {
        boxed_96(Some(bls::zero_signature()))
    })
}
