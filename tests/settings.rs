//! A malformed setting is an error that names it, and once it is corrected the same call works in the same process.
//!
//! Settings are frozen once they are right, so each test runs in a process of its own.

mod support;

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStringExt;

use filcrypto::ffi::accessors::get_seal_params_path;
use filcrypto::ffi::post::get_num_partition_for_fallback_post;

const WINDOW_2KIB: i32 = 5;

/// Settings of every kind, with values that do not parse.
const MALFORMED: [(&str, &str); 8] = [
    ("FIL_PROOFS_ROWS_TO_DISCARD", "two"),
    ("FIL_PROOFS_SDR_PARENTS_CACHE_SIZE", "-1"),
    ("FIL_PROOFS_MAX_GPU_TREE_BATCH_SIZE", "700 000"),
    ("FIL_PROOFS_WINDOW_POST_SYNTHESIS_NUM_CPUS", ""),
    ("FIL_PROOFS_USE_MULTICORE_SDR", "perhaps"),
    ("FIL_PROOFS_VERIFY_PRODUCTION_PARAMS", "yes please"),
    ("FIL_PROOFS_VERIFY_CACHE", "2x"),
    ("FIL_PROOFS_MULTICORE_SDR_LOOKAHEAD", "99999999999999999999999"),
];

/// A guarded call that needs nothing but settings: its number, or the error's text.
fn guarded() -> Result<usize, String> {
    // SAFETY: the library made the response for the caller to free.
    let response = unsafe { Box::from_raw(get_num_partition_for_fallback_post(WINDOW_2KIB, 3)) };
    match response.status_code {
        0 => Ok(response.value),
        _ => Err(String::from_utf8(response.error_msg.as_slice().to_vec()).expect("UTF-8")),
    }
}

/// A path accessor: these neither log nor are guarded.
fn path() -> Result<String, String> {
    // SAFETY: the library made the response for the caller to free.
    let response = unsafe { Box::from_raw(get_seal_params_path(0)) };
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    match response.status_code {
        0 => Ok(text(response.value.as_slice())),
        _ => Err(text(response.error_msg.as_slice())),
    }
}

#[test]
fn a_malformed_variable_is_named_and_can_be_corrected() {
    if !support::is_child() {
        support::pass_in_child("a_malformed_variable_is_named_and_can_be_corrected", &[]);
        return;
    }
    for (variable, value) in MALFORMED {
        env::set_var(variable, value);
        for text in [guarded().expect_err(variable), path().expect_err(variable)] {
            assert!(text.contains(variable), "{variable} is named: {text}");
            assert!(text.contains(&format!("{value:?}")), "its value is shown: {text}");
            assert!(text.contains("correct or unset it"), "the remedy is told: {text}");
        }
        env::remove_var(variable);
    }
    env::set_var("FIL_PROOFS_PARAMETER_CACHE", OsString::from_vec(vec![b'/', 0xff]));
    let text = guarded().expect_err("no UTF-8");
    assert!(
        text.contains("FIL_PROOFS_PARAMETER_CACHE") && text.contains("UTF-8"),
        "{text}"
    );

    env::set_var("FIL_PROOFS_PARAMETER_CACHE", "/somewhere");
    env::set_var("FIL_PROOFS_USE_MULTICORE_SDR", "Yes");
    assert_eq!(guarded(), Ok(2), "corrected");
    assert!(path()
        .expect("corrected")
        .starts_with("/somewhere/v28-stacked-proof-of-replication"));
    // What has been read stays: a value that is set later, right or wrong, changes nothing.
    env::set_var("FIL_PROOFS_ROWS_TO_DISCARD", "two");
    assert_eq!(guarded(), Ok(2));
}

#[test]
fn a_path_accessor_may_be_the_first_call() {
    if !support::is_child() {
        support::pass_in_child("a_path_accessor_may_be_the_first_call", &[]);
        return;
    }
    env::set_var("FIL_PROOFS_ROWS_TO_DISCARD", "two");
    assert!(path().expect_err("malformed").contains("FIL_PROOFS_ROWS_TO_DISCARD"));
    env::remove_var("FIL_PROOFS_ROWS_TO_DISCARD");
    path().expect("corrected");
}

#[test]
fn a_malformed_filter_of_the_log_is_named_and_can_be_corrected() {
    if !support::is_child() {
        let malformed = [("RUST_LOG", OsStr::new("filcrypto=loud"))];
        let log = support::pass_in_child(
            "a_malformed_filter_of_the_log_is_named_and_can_be_corrected",
            &malformed,
        );
        assert!(
            log.contains("get_num_partition_for_fallback_post: start"),
            "the log runs: {log}"
        );
        return;
    }
    for _ in 0..2 {
        let text = guarded().expect_err("malformed");
        assert!(text.contains("RUST_LOG") && text.contains("filcrypto=loud"), "{text}");
    }
    env::set_var("RUST_LOG", "debug");
    assert_eq!(guarded(), Ok(2), "corrected");
}

#[test]
fn a_malformed_settings_file_is_named_and_can_be_corrected() {
    if !support::is_child() {
        support::pass_in_child("a_malformed_settings_file_is_named_and_can_be_corrected", &[]);
        return;
    }
    let directory = tempfile::tempdir().expect("a temporary directory");
    env::set_current_dir(directory.path()).expect("own directory");
    for content in ["rows_to_discard = \"two\"", "= nothing", "verify_cache = [1]"] {
        fs::write("rust-fil-proofs.config.toml", content).expect("own directory");
        let text = guarded().expect_err(content);
        assert!(text.contains("rust-fil-proofs.config.toml"), "{content}: {text}");
    }
    fs::write("rust-fil-proofs.config.toml", "parameter_cache = \"/from-the-file\"").expect("own directory");
    assert_eq!(guarded(), Ok(2), "corrected");
    assert!(path().expect("corrected").starts_with("/from-the-file/"));
}
