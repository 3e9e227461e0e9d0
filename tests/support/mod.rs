//! What several tests share: child processes, C responses, and the parameter files that `make test` makes.
#![allow(dead_code)] // Each test uses its part.

pub mod key_files;

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Output};

use filcrypto::ffi::types::*;

const IN_CHILD: &str = "FILCRYPTO_TEST_CHILD";

/// Whether this is the process that [`run_in_child`] started.
pub fn is_child() -> bool {
    std::env::var_os(IN_CHILD).is_some()
}

/// Runs one test of this program again, in a process of its own: settings are read once a process.
pub fn run_in_child(test: &str, variables: &[(&str, &OsStr)]) -> Output {
    let program = std::env::current_exe().expect("the path of this program");
    let mut command = Command::new(program);
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]);
    // The child starts from the settings' defaults.
    let settings = std::env::vars_os().map(|(name, _)| name);
    for name in settings.filter(|name| name.to_string_lossy().starts_with("FIL_PROOFS_")) {
        command.env_remove(name);
    }
    command
        .env(IN_CHILD, "1")
        .env_remove("RUST_BACKTRACE")
        .env_remove("RUST_LOG");
    command.envs(variables.iter().copied());
    command.output().expect("this program starts again")
}

/// As [`run_in_child`], for a test that must pass there; gives what it wrote to stderr.
pub fn pass_in_child(test: &str, variables: &[(&str, &OsStr)]) -> String {
    let output = run_in_child(test, variables);
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{test} in a process of its own:\n{stdout}\n{stderr}"
    );
    assert!(stdout.contains("1 passed"), "{test} did not run:\n{stdout}\n{stderr}");
    stderr.into_owned()
}

/// A directory with 2 KiB parameters, or a loud line and None.
pub fn local_parameters() -> Option<PathBuf> {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/params");
    let directory = std::env::var_os("FIL_PROOFS_PARAMETER_CACHE").map_or_else(default, PathBuf::from);
    let found = directory.join(format!("v28-{WINNING_2KIB}.vk")).exists();
    if !found {
        eprintln!(
            "NOT RUN: {} has no 2 KiB parameters; `make params` makes them",
            directory.display()
        );
    }
    found.then_some(directory)
}

/// The circuit of 2 KiB Winning PoSt.
pub const WINNING_2KIB: &str = "proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-\
                                3ea05428c9d11689f23529cde32fd30aabd50f7d2c93657c1d3650bca3e8ea9e";

pub fn borrowed(bytes: &[u8]) -> slice_ref_uint8 {
    slice_ref_uint8 {
        ptr: bytes.as_ptr(),
        len: bytes.len(),
    }
}

/// A response as a test looks at it: the value, or the error's text.
pub fn verdict(response: *mut Result_bool) -> Result<bool, String> {
    assert!(!response.is_null(), "a response is never NULL");
    // SAFETY: the library made the response for the caller to free.
    let response = unsafe { Box::from_raw(response) };
    match response.status_code {
        0 => Ok(response.value),
        _ => Err(String::from_utf8(response.error_msg.as_slice().to_vec()).expect("error texts are UTF-8")),
    }
}
