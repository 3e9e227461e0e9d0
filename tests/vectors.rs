//! Real data: signatures of Filecoin's suite, 32 GiB proofs of the network with the keys that verified them, an aggregate.
//! Each has tampered twins that must be rejected.
//!
//! The data lies beside the repository, in `../shared/vectors` or where FILCRYPTO_VECTORS says.

mod support;

use std::fs;
use std::path::PathBuf;

use bellperson::groth16::aggregate::AggregateProof;
use blstrs::{Bls12, Scalar};
use ff::{Field, PrimeField};
use filcrypto::ffi::aggregate::verify_aggregate_seal_proof;
use filcrypto::ffi::bls;
use filcrypto::ffi::types::*;
use filcrypto::groth16::proof::{Verifier, PROOF_BYTES};
use serde_json::Value;
use support::borrowed;

const SUITE: &str = "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_";

/// A file's content, or a loud line and None where the data is absent.
fn vector(name: &str) -> Option<Vec<u8>> {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/vectors");
    let directory = std::env::var_os("FILCRYPTO_VECTORS").map_or_else(default, PathBuf::from);
    let path = directory.join(name);
    if !path.exists() {
        eprintln!("NOT RUN: there is no {}", path.display());
        return None;
    }
    Some(fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

fn json(name: &str) -> Option<Value> {
    Some(serde_json::from_slice(&vector(name)?).expect("JSON"))
}

fn unhex(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().expect("a hexadecimal text")).expect("hexadecimal")
}

fn base64(text: &str) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text.bytes().filter(|letter| *letter != b'=');
    let mut bits = (0_u32, 0);
    let mut bytes = Vec::new();
    for letter in digits {
        let value = LETTERS.iter().position(|known| *known == letter).expect("base64");
        bits = (bits.0 << 6 | value as u32, bits.1 + 6);
        if bits.1 >= 8 {
            bits.1 -= 8;
            bytes.push((bits.0 >> bits.1) as u8);
            bits.0 &= (1 << bits.1) - 1;
        }
    }
    bytes
}

/// A decimal number as a little-endian scalar.
fn scalar_bytes(decimal: &str) -> [u8; 32] {
    Scalar::from_str_vartime(decimal).expect("a scalar").to_repr()
}

fn text<'a>(case: &'a Value, field: &str) -> &'a str {
    case[field].as_str().unwrap_or_default()
}

fn taken<T: Copy>(array: *mut T) -> T {
    assert!(!array.is_null());
    // SAFETY: the library made the array for the caller to free.
    *unsafe { Box::from_raw(array) }
}

fn hash_verify(signature: &[u8], message: &[u8], key: &[u8]) -> bool {
    let sizes = [message.len()];
    let sizes = slice_ref_size {
        ptr: sizes.as_ptr(),
        len: 1,
    };
    // SAFETY: every slice outlives the call.
    unsafe { bls::hash_verify(borrowed(signature), borrowed(message), sizes, borrowed(key)) }
}

fn flipped(bytes: &[u8], at: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at] ^= 1;
    bytes
}

#[test]
fn bls_signatures_of_the_suite() {
    let Some(vectors) = json("bls-nul.json") else { return };
    let cases = vectors["cases"].as_array().expect("cases");
    let mut of_suite = 0;
    for case in cases {
        let message = text(case, "Msg").as_bytes();
        let point = base64(text(case, "G2Compressed"));
        // SAFETY: the slice outlives the call.
        let hashed = taken(unsafe { bls::hash(borrowed(message)) }).idx;
        if text(case, "Ciphersuite") != SUITE {
            assert_ne!(hashed[..], point[..], "another suite gives another point");
            continue;
        }
        of_suite += 1;
        assert_eq!(hashed[..], point[..], "{case}");
        let secret = scalar_bytes(text(case, "BLSPrivKey"));
        let key = base64(text(case, "BLSPubKey"));
        let signature = base64(text(case, "BLSSigG2"));
        // SAFETY: every slice outlives its call.
        unsafe {
            let made = taken(bls::private_key_public_key(borrowed(&secret)));
            assert_eq!(made.idx[..], key[..], "{case}");
            let made = taken(bls::private_key_sign(borrowed(&secret), borrowed(message)));
            assert_eq!(made.idx[..], signature[..], "{case}");
            assert!(bls::verify(borrowed(&signature), borrowed(&hashed), borrowed(&key)));
            let other = taken(bls::hash(borrowed(b"another message"))).idx;
            assert!(!bls::verify(borrowed(&signature), borrowed(&other), borrowed(&key)));
        }
        assert!(hash_verify(&signature, message, &key), "{case}");
        let longer = [&message[..], &[0]].concat();
        assert!(!hash_verify(&signature, &longer, &key), "another message");
        for at in [0, 40, signature.len() - 1] {
            assert!(
                !hash_verify(&flipped(&signature, at), message, &key),
                "a flipped bit at {at}"
            );
        }
        for at in [0, 20, key.len() - 1] {
            assert!(
                !hash_verify(&signature, message, &flipped(&key, at)),
                "a flipped bit at {at}"
            );
        }
        assert!(!hash_verify(&signature[1..], message, &key), "a short signature");
    }
    assert_eq!(of_suite, 59);
}

/// Checks the proofs of one file, each with tampered twins.
fn verify_proofs(name: &str, inputs_expected: usize, cases_expected: usize) {
    let Some(vectors) = json(name) else { return };
    let key = unhex(&vectors["vk"]);
    let digest = blake2b_simd::blake2b(&key).to_hex();
    assert_eq!(&digest[..32], vectors["vk_blake2b_128"].as_str().expect("a digest"));
    let verifier = Verifier::from_bytes(&key).expect("a real key");
    assert_eq!(verifier.inputs(), inputs_expected);

    let cases = vectors["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), cases_expected);
    for case in cases {
        let proof = unhex(&case["proof"]);
        assert_eq!(proof.len(), PROOF_BYTES);
        let inputs: Vec<Scalar> = case["inputs"].as_array().expect("inputs").iter().map(scalar).collect();
        assert!(verifier.verify(&proof, &inputs).expect("a real proof"));
        reject_twins(&verifier, &proof, &inputs);
    }
    let other = Verifier::from_bytes(&flipped_gamma(&key)).expect("well-formed");
    let first = unhex(&cases[0]["proof"]);
    let inputs: Vec<Scalar> = cases[0]["inputs"]
        .as_array()
        .expect("inputs")
        .iter()
        .map(scalar)
        .collect();
    assert!(!other.verify(&first, &inputs).expect("well-formed"), "another key");

    for at in [5, 200, 400, 900, key.len() - 50] {
        assert!(
            Verifier::from_bytes(&flipped(&key, at)).is_err(),
            "a flipped bit of the key at {at}"
        );
    }
    assert!(Verifier::from_bytes(&key[..key.len() - 1]).is_err(), "a key cut short");
    assert!(
        Verifier::from_bytes(&[&key[..], &[0]].concat()).is_err(),
        "a byte after the key"
    );
}

/// Big-endian, as the file says.
fn scalar(value: &Value) -> Scalar {
    let mut bytes: [u8; 32] = unhex(value).try_into().expect("32 bytes");
    bytes.reverse();
    Scalar::from_repr_vartime(bytes).expect("canonical")
}

/// The key with its gamma replaced by its delta: valid points, another key.
fn flipped_gamma(key: &[u8]) -> Vec<u8> {
    let (gamma, delta) = (384, 384 + 192 + 96);
    let mut key = key.to_vec();
    key.copy_within(delta..delta + 192, gamma);
    key
}

fn reject_twins(verifier: &Verifier, proof: &[u8], inputs: &[Scalar]) {
    for at in [0, inputs.len() / 2, inputs.len() - 1] {
        let mut twin = inputs.to_vec();
        twin[at] += Scalar::ONE;
        assert!(
            !verifier.verify(proof, &twin).expect("well-formed"),
            "input {at} is another"
        );
    }
    let (a, b, c) = (&proof[..48], &proof[48..144], &proof[144..]);
    let exchanged = [c, b, a].concat();
    assert!(
        !verifier.verify(&exchanged, inputs).expect("well-formed"),
        "A and C exchanged"
    );
    // The compressed form's sign bit: the negative of a valid point.
    for at in [0, 48, 144] {
        let mut negated = proof.to_vec();
        negated[at] ^= 0x20;
        assert!(
            !verifier.verify(&negated, inputs).expect("well-formed"),
            "the point at {at} negated"
        );
    }
    for at in 0..proof.len() {
        let verdict = verifier.verify(&flipped(proof, at), inputs);
        assert!(!matches!(verdict, Ok(true)), "a flipped bit at byte {at}");
    }
    verifier.verify(&proof[..191], inputs).expect_err("a proof cut short");
    verifier
        .verify(&[proof, &[0]].concat(), inputs)
        .expect_err("a byte too many");
    verifier
        .verify(&[0; PROOF_BYTES], inputs)
        .expect_err("zeros are no points");
    verifier.verify(proof, &inputs[1..]).expect_err("an input too few");
}

#[test]
fn seal_proofs_of_32_gib() {
    verify_proofs("groth16-porep-32gib-v27.json", 327, 5);
}

#[test]
fn a_winning_post_of_32_gib() {
    verify_proofs("groth16-winning-post-32gib-v27.json", 132, 1);
}

#[test]
fn an_aggregate_is_read_and_written_back() {
    let Some(bytes) = vector("aggregate_proof_bytes") else {
        return;
    };
    let read = |bytes: &[u8]| AggregateProof::<Bls12>::read(bytes);
    let aggregate = read(&bytes).expect("a real aggregate");
    let mut written = Vec::new();
    aggregate.write(&mut written).expect("to memory");
    assert_eq!(written, bytes, "what was read is written back");
    let proofs = aggregate.tmipp.gipa.nproofs;
    assert!(proofs.is_power_of_two() && proofs > 1, "{proofs}");
    assert!(read(&bytes[..bytes.len() - 1]).is_err(), "cut short");
    assert!(read(&flipped(&bytes, 30)).is_err(), "a flipped bit in a point");

    for twin in [&bytes[..bytes.len() - 1], &flipped(&bytes, 30), b""] {
        verify_aggregate(twin).expect_err("malformed");
    }
    assert_ne!(verify_aggregate(&bytes), Ok(true), "an aggregate about other sectors");
}

/// The verdict of the C function about made-up sectors.
fn verify_aggregate(aggregate: &[u8]) -> Result<bool, String> {
    let array = |byte| uint8_32_array { idx: [byte; 32] };
    let sectors = [AggregationInputs {
        comm_r: array(1),
        comm_d: array(2),
        sector_id: 1,
        ticket: array(3),
        seed: array(4),
    }];
    let sectors = slice_ref_AggregationInputs {
        ptr: sectors.as_ptr(),
        len: 1,
    };
    // SAFETY: every argument outlives the call.
    support::verdict(unsafe { verify_aggregate_seal_proof(0, 0, &array(5), borrowed(aggregate), sectors) })
}
