//! Damaged parameter files seen through the C functions, with the files that `make params` makes.
//!
//! The directory is a setting, so each test runs in a process of its own.

mod support;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use blstrs::{G1Affine, G2Affine};
use filcrypto::ffi::post::{generate_winning_post, verify_winning_post};
use filcrypto::ffi::types::*;
use filcrypto::filecoin::params::{Circuit, Directory};
use filecoin_proofs_api::{RegisteredPoStProof, RegisteredSealProof, RegisteredUpdateProof};
use group::prime::PrimeCurveAffine;
use support::{verdict, WINNING_2KIB};

const WINNING_2KIB_NUMBER: i32 = 0;
const SCALAR: uint8_32_array = uint8_32_array { idx: [1; 32] };

/// Asks whether a well-formed and wrong proof is valid.
fn verify() -> Result<bool, String> {
    let replica = PublicReplicaInfo {
        registered_proof: WINNING_2KIB_NUMBER,
        comm_r: SCALAR,
        sector_id: 1,
    };
    let (a, b) = (
        G1Affine::generator().to_compressed(),
        G2Affine::generator().to_compressed(),
    );
    let proof = PoStProof {
        registered_proof: WINNING_2KIB_NUMBER,
        proof: [&a[..], &b[..], &a[..]].concat().into(),
    };
    let (replicas, proofs) = ([replica], [proof]);
    let replicas = slice_ref_PublicReplicaInfo {
        ptr: replicas.as_ptr(),
        len: 1,
    };
    let proofs = slice_ref_PoStProof {
        ptr: proofs.as_ptr(),
        len: 1,
    };
    // SAFETY: all arguments are valid until the call returns.
    verdict(unsafe { verify_winning_post(&SCALAR, replicas, proofs, &SCALAR) })
}

/// Asks for a proof of a sector that does not exist; gives the error's text.
fn prove() -> String {
    let replica = PrivateReplicaInfo {
        registered_proof: WINNING_2KIB_NUMBER,
        cache_dir_path: b"/nonexistent/cache".to_vec().into(),
        comm_r: SCALAR,
        replica_path: b"/nonexistent/sealed".to_vec().into(),
        sector_id: 1,
    };
    let replicas = [replica];
    let replicas = slice_ref_PrivateReplicaInfo {
        ptr: replicas.as_ptr(),
        len: 1,
    };
    // SAFETY: all arguments are valid until the call returns; the response is the caller's.
    let response = unsafe { Box::from_raw(generate_winning_post(&SCALAR, replicas, &SCALAR)) };
    assert_eq!(response.status_code, 1);
    String::from_utf8(response.error_msg.as_slice().to_vec()).expect("UTF-8")
}

/// A copy of the Winning PoSt files in a directory of the test's own.
fn copy_of(parameters: &Path) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for extension in ["params", "vk"] {
        let name = format!("v28-{WINNING_2KIB}.{extension}");
        fs::copy(parameters.join(&name), directory.path().join(&name)).expect("a copy");
    }
    let manifest = "filcrypto-local-parameters.json";
    if parameters.join(manifest).exists() {
        fs::copy(parameters.join(manifest), directory.path().join(manifest)).expect("a copy");
    }
    directory
}

/// In the parent: runs `test` with a directory of its own. None in the child.
fn in_child(test: &str, variables: &[(&str, &OsStr)], value: impl Fn(&Path) -> OsString) -> Option<String> {
    if support::is_child() {
        return None;
    }
    let Some(parameters) = support::local_parameters() else {
        return Some(String::new());
    };
    let directory = copy_of(&parameters);
    let value = value(directory.path());
    let mut all = vec![
        ("FIL_PROOFS_PARAMETER_CACHE", value.as_os_str()),
        ("FILCRYPTO_TEST_DIRECTORY", directory.path().as_os_str()),
    ];
    all.extend_from_slice(variables);
    Some(support::pass_in_child(test, &all))
}

fn plain(directory: &Path) -> OsString {
    directory.into()
}

fn own_directory() -> PathBuf {
    std::env::var_os("FILCRYPTO_TEST_DIRECTORY")
        .expect("set by the parent")
        .into()
}

fn own_file(extension: &str) -> PathBuf {
    own_directory().join(format!("v28-{WINNING_2KIB}.{extension}"))
}

#[test]
fn a_call_fails_on_a_damaged_key_and_works_once_it_is_replaced() {
    let test = "a_call_fails_on_a_damaged_key_and_works_once_it_is_replaced";
    if in_child(test, &[], plain).is_some() {
        return;
    }
    let file = own_file("vk");
    let good = fs::read(&file).expect("a key");
    let mut flipped = good.clone();
    flipped[100] ^= 4;
    let damages: [(&[u8], &str); 5] = [
        (b"", "found an empty file"),
        (b"<html><body>404</body></html>", "an HTML or XML page"),
        (&good[..good.len() / 2], "truncated"),
        (&[&good[..], b"\n"].concat(), "bytes follow the end"),
        (&flipped, "expected"),
    ];
    for (bytes, expected) in damages {
        fs::write(&file, bytes).expect("own file");
        let text = verify().expect_err(expected);
        assert!(
            text.contains(expected) && text.contains(&file.display().to_string()),
            "{text}"
        );
        assert!(text.contains("remove it and get it with"), "{text}");
    }
    fs::write(&file, &good).expect("own file");
    assert_eq!(verify(), Ok(false), "a wrong proof against a good key");
}

#[test]
fn proving_fails_on_damaged_parameters_and_goes_on_once_they_are_replaced() {
    let test = "proving_fails_on_damaged_parameters_and_goes_on_once_they_are_replaced";
    if in_child(test, &[], plain).is_some() {
        return;
    }
    let file = own_file("params");
    let good = fs::read(&file).expect("parameters");
    fs::write(&file, &good[..good.len() - 96]).expect("own file");
    assert!(prove().contains(&format!("truncated: expected {} bytes", good.len())));
    let mut flipped = good.clone();
    flipped[good.len() - 1000] ^= 16;
    fs::write(&file, &flipped).expect("own file");
    let text = prove();
    assert!(
        text.contains("damaged: ") || text.contains("expected the digest"),
        "{text}"
    );
    fs::write(&file, &good).expect("own file");
    let text = prove();
    assert!(
        text.contains("/nonexistent/cache") || text.contains("No such file"),
        "past the parameters: {text}"
    );
    assert!(!text.contains("v28-"), "past the parameters: {text}");
}

#[test]
fn files_as_they_are_made_fit_their_circuits() {
    let Some(parameters) = support::local_parameters() else {
        return;
    };
    let directory = Directory::at(parameters, false);
    let circuits = [
        Circuit::post(RegisteredPoStProof::StackedDrgWinning2KiBV1),
        Circuit::post(RegisteredPoStProof::StackedDrgWindow2KiBV1_2),
        Circuit::seal(RegisteredSealProof::StackedDrg2KiBV1_1),
        Circuit::seal(RegisteredSealProof::StackedDrg2KiBV1_2_Feat_NonInteractivePoRep),
        Ok(Circuit::update(RegisteredUpdateProof::StackedDrg2KiBV1)),
    ];
    for circuit in circuits {
        let circuit = circuit.expect("a known circuit");
        directory.check_proving(&circuit).expect("good parameters");
        directory.check_verifying(&circuit).expect("a good key");
    }
    directory.check_srs(32).expect("a good SRS");
}

#[test]
fn a_missing_file_keeps_the_known_words() {
    let test = "a_missing_file_keeps_the_known_words";
    if in_child(test, &[], plain).is_some() {
        return;
    }
    for extension in ["params", "vk"] {
        fs::remove_file(own_file(extension)).expect("own file");
    }
    let path = own_file("params");
    let known = format!(
        "No cached parameters found for {WINNING_2KIB} [failure finding {}]",
        path.display()
    );
    for text in [verify().expect_err("no key"), prove()] {
        assert!(text.starts_with(&known), "{text}");
    }
}

#[test]
fn with_checking_on_a_local_key_is_refused() {
    let test = "with_checking_on_a_local_key_is_refused";
    let on = OsStr::new("true");
    if in_child(test, &[("FIL_PROOFS_VERIFY_PRODUCTION_PARAMS", on)], plain).is_some() {
        return;
    }
    let expected = "not the production file: expected the digest ffd79788d614d27919ae5bd2d94eacb6, found ";
    let text = verify().expect_err("a local key");
    assert!(text.contains(expected), "{text}");
    let expected = "not the production file: expected the digest 82c88066be968bb550a05e30ff6c2413, found ";
    assert!(prove().contains(expected));
}

#[test]
fn with_checking_off_a_local_key_is_one_warning() {
    let test = "with_checking_off_a_local_key_is_one_warning";
    if let Some(log) = in_child(test, &[("RUST_LOG", OsStr::new("warn"))], plain) {
        if !log.is_empty() {
            assert_eq!(log.matches("not the production file").count(), 1, "{log}");
            assert!(log.contains("count for nothing on a real network"), "{log}");
        }
        return;
    }
    for _ in 0..3 {
        assert_eq!(verify(), Ok(false));
    }
}

#[test]
fn a_directory_may_end_in_a_slash() {
    let with_slash = |directory: &Path| format!("{}/", directory.display()).into();
    if in_child("a_directory_may_end_in_a_slash", &[], with_slash).is_none() {
        assert_eq!(verify(), Ok(false));
    }
}

#[test]
fn a_directory_may_be_a_link() {
    let link = |directory: &Path| {
        let link = directory.join("link");
        symlink(directory, &link).expect("own directory");
        link.into()
    };
    if in_child("a_directory_may_be_a_link", &[], link).is_none() {
        assert_eq!(verify(), Ok(false));
    }
}

#[test]
fn a_directory_may_be_relative() {
    if in_child("a_directory_may_be_relative", &[], |_| ".".into()).is_none() {
        std::env::set_current_dir(own_directory()).expect("own directory");
        assert_eq!(verify(), Ok(false));
    }
}
