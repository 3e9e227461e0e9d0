//! BLS signatures as Filecoin uses them: public keys in G1, signatures and digests in G2, the NUL ciphersuite.

use bls_signatures::{PrivateKey, PublicKey, Serialize, Signature};
use blstrs::{G2Affine, G2Projective};
use group::prime::PrimeCurveAffine;
use group::GroupEncoding;
use rand::rngs::OsRng;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

pub const PRIVATE_KEY_BYTES: usize = 32;
pub const PUBLIC_KEY_BYTES: usize = 48;
pub const SIGNATURE_BYTES: usize = 96;
pub const DIGEST_BYTES: usize = 96;

/// Maps a message to its point in G2, compressed.
pub fn hash(message: &[u8]) -> [u8; DIGEST_BYTES] {
    bls_signatures::hash(message)
        .to_bytes()
        .as_ref()
        .try_into()
        .expect("a compressed G2 point has 96 bytes")
}

/// Adds signatures up; None when there are none or one is malformed.
pub fn aggregate(signatures: &[u8]) -> Option<[u8; SIGNATURE_BYTES]> {
    let signatures = decode_all(signatures, SIGNATURE_BYTES, |bytes| Signature::from_bytes(bytes).ok())?;
    bls_signatures::aggregate(&signatures)
        .ok()
        .map(|sum| signature_bytes(&sum))
}

/// Whether `signature` is the aggregate of the keys' signatures over the digests, pairwise.
pub fn verify(signature: &[u8], digests: &[u8], public_keys: &[u8]) -> bool {
    let checked = || {
        let signature = Signature::from_bytes(signature).ok()?;
        let digests = decode_all(digests, DIGEST_BYTES, decode_digest)?;
        let keys = decode_public_keys(public_keys)?;
        Some(digests.len() == keys.len() && bls_signatures::verify(&signature, &digests, &keys))
    };
    checked().unwrap_or(false)
}

/// Like [`verify`], from the messages: `message_lens` cuts `messages` up in order, and what is left over is ignored.
pub fn verify_messages(signature: &[u8], messages: &[u8], message_lens: &[usize], public_keys: &[u8]) -> bool {
    let checked = || {
        let signature = Signature::from_bytes(signature).ok()?;
        let messages = cut(messages, message_lens)?;
        let keys = decode_public_keys(public_keys)?;
        Some(bls_signatures::verify_messages(&signature, &messages, &keys))
    };
    checked().unwrap_or(false)
}

/// A fresh secret key from the operating system's randomness: a little-endian scalar.
pub fn generate_private_key() -> [u8; PRIVATE_KEY_BYTES] {
    private_key_bytes(&PrivateKey::generate(&mut OsRng))
}

/// The secret key that a seed determines.
pub fn private_key_from_seed(seed: [u8; 32]) -> [u8; PRIVATE_KEY_BYTES] {
    private_key_bytes(&PrivateKey::generate(&mut ChaCha20Rng::from_seed(seed)))
}

/// Signs a message; None when the key is not a canonical 32-byte scalar.
pub fn sign(private_key: &[u8], message: &[u8]) -> Option<[u8; SIGNATURE_BYTES]> {
    let key = PrivateKey::from_bytes(private_key).ok()?;
    Some(signature_bytes(&key.sign(message)))
}

/// The public key of a secret key; None when that is not a canonical 32-byte scalar.
pub fn public_key(private_key: &[u8]) -> Option<[u8; PUBLIC_KEY_BYTES]> {
    let key = PrivateKey::from_bytes(private_key).ok()?.public_key();
    Some(key.as_bytes().try_into().expect("a compressed G1 point has 48 bytes"))
}

/// The point at infinity, which Filecoin uses where no signature is needed.
pub fn zero_signature() -> [u8; SIGNATURE_BYTES] {
    signature_bytes(&Signature::from(G2Affine::identity()))
}

/// Cuts `bytes` into items of `item_len` bytes and decodes each; None when one is malformed or bytes are left over.
fn decode_all<T>(bytes: &[u8], item_len: usize, decode: impl Fn(&[u8]) -> Option<T>) -> Option<Vec<T>> {
    let items = bytes.chunks_exact(item_len);
    if !items.remainder().is_empty() {
        return None;
    }
    items.map(decode).collect()
}

fn decode_digest(bytes: &[u8]) -> Option<G2Projective> {
    let point: Option<G2Affine> = G2Affine::from_compressed(bytes.try_into().ok()?).into();
    point.map(Into::into)
}

fn decode_public_keys(bytes: &[u8]) -> Option<Vec<PublicKey>> {
    decode_all(bytes, PUBLIC_KEY_BYTES, |key| PublicKey::from_bytes(key).ok())
}

/// None when the lengths add up to more than there is.
fn cut<'a>(messages: &'a [u8], lens: &[usize]) -> Option<Vec<&'a [u8]>> {
    let mut rest = messages;
    lens.iter()
        .map(|len| {
            let (message, after) = rest.split_at_checked(*len)?;
            rest = after;
            Some(message)
        })
        .collect()
}

fn signature_bytes(signature: &Signature) -> [u8; SIGNATURE_BYTES] {
    signature
        .as_bytes()
        .try_into()
        .expect("a compressed G2 point has 96 bytes")
}

fn private_key_bytes(key: &PrivateKey) -> [u8; PRIVATE_KEY_BYTES] {
    key.as_bytes().try_into().expect("a scalar has 32 bytes")
}
