//! The operator's tool, run as a program: local parameters that are whole, correct and never replaced, and `info`.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::io::Cursor;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use bellperson::groth16::aggregate::GenericSRS;
use bellperson::groth16::{Parameters, VerifyingKey};
use blstrs::Bls12;
use filcrypto::filecoin::local_params::{srs_file_name, Kind, ParameterSet, SectorSize};
use filcrypto::filecoin::post;
use filecoin_proofs_api::seal::fauxrep;
use filecoin_proofs_api::{PublicReplicaInfo, RegisteredPoStProof, RegisteredSealProof};
use once_cell::sync::Lazy;
use serde_json::Value;
use tempfile::TempDir;

const TOOL: &str = env!("CARGO_BIN_EXE_filcrypto");
const MANIFEST: &str = "filcrypto-local-parameters.json";
/// Far longer than any wait here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// The Window PoSt parameters for 2 KiB, the smallest set, and an SRS for two proofs; made once, for tests to look at and to
/// copy.
static MADE: Lazy<TempDir> = Lazy::new(|| {
    let directory = tempfile::tempdir().unwrap();
    let made = params(directory.path(), &["--srs", "2"]);
    assert!(made.status.success(), "{}", text(&made));
    directory
});

/// Names of the Window PoSt set.
fn names() -> [String; 2] {
    let set = ParameterSet {
        sector_size: SectorSize::KiB2,
        kind: Kind::Window,
    };
    let stem = set.file_stem().unwrap();
    [format!("{stem}.params"), format!("{stem}.vk")]
}

fn tool() -> Command {
    let mut command = Command::new(TOOL);
    command.env_remove("RUST_BACKTRACE");
    command
}

fn params_command(directory: &Path) -> Command {
    let mut command = tool();
    command.args(["params", "--sector-size", "2KiB", "--kinds", "window", "--dir"]);
    command.arg(directory);
    command
}

fn params(directory: &Path, more: &[&str]) -> Output {
    params_command(directory).args(more).output().unwrap()
}

/// Both streams.
fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// A failed run's text; it must not be a panic.
fn failure(output: &Output) -> String {
    let text = text(output);
    assert!(!output.status.success(), "{text}");
    assert!(!text.contains("panicked"), "{text}");
    text
}

fn copy_of_made() -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(MADE.path()).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
    }
    copy
}

fn listing(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn manifest(directory: &Path) -> Value {
    serde_json::from_slice(&fs::read(directory.join(MANIFEST)).unwrap()).unwrap()
}

fn digest(path: &Path) -> String {
    blake2b_simd::blake2b(&fs::read(path).unwrap()).to_hex()[..32].to_owned()
}

/// Waits for a file in the directory that is being written and holds at least `bytes`.
fn wait_for_unfinished(directory: &Path, bytes: u64) {
    let start = Instant::now();
    let found = || {
        let Ok(entries) = fs::read_dir(directory) else {
            return false;
        };
        entries
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().ends_with("unfinished"))
            .any(|entry| entry.metadata().is_ok_and(|metadata| metadata.len() >= bytes))
    };
    while !found() {
        assert!(start.elapsed() < PATIENCE, "the tool writes nothing");
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn the_manifest_lists_every_file_as_insecure() {
    let manifest = manifest(MADE.path());
    assert_eq!(manifest["insecure"], true);
    assert_eq!(manifest["made_by"], format!("filcrypto {}", env!("CARGO_PKG_VERSION")));
    let [parameters, verifying_key] = names();
    let srs = srs_file_name();
    let mut expected = vec![MANIFEST.to_owned(), srs, parameters.clone(), verifying_key];
    expected.sort();
    assert_eq!(listing(MADE.path()), expected, "nothing else is left");
    for name in expected.iter().filter(|name| *name != MANIFEST) {
        let path = MADE.path().join(name);
        let entry = &manifest["files"][name];
        assert_eq!(entry["bytes"], fs::metadata(&path).unwrap().len(), "{name}");
        assert_eq!(entry["digest"], digest(&path), "{name}");
    }
    assert_eq!(manifest["files"][&parameters]["kind"], "window");
    assert_eq!(manifest["files"][&parameters]["sector_size"], 2048);
}

#[test]
fn insecurity_is_stated() {
    let copy = copy_of_made();
    let run = params(copy.path(), &[]);
    assert!(
        String::from_utf8_lossy(&run.stderr).contains("INSECURE"),
        "{}",
        text(&run)
    );
    let help = tool().args(["params", "--help"]).output().unwrap();
    assert!(text(&help).contains("INSECURE"), "{}", text(&help));
}

#[test]
fn bellperson_reads_the_files_with_all_its_checks() {
    let [parameters, verifying_key] = names();
    let bytes = fs::read(MADE.path().join(parameters)).unwrap();
    let mut cursor = Cursor::new(&bytes[..]);
    let read = Parameters::<Bls12>::read(&mut cursor, true).unwrap();
    assert_eq!(cursor.position(), bytes.len() as u64, "nothing follows the parameters");
    let key = VerifyingKey::<Bls12>::read(&fs::read(MADE.path().join(verifying_key)).unwrap()[..]).unwrap();
    assert!(read.vk == key);
    let srs = fs::read(MADE.path().join(srs_file_name())).unwrap();
    GenericSRS::<Bls12>::read(&mut &srs[..]).unwrap().specialize(2);
}

#[test]
fn a_real_proof_verifies() {
    // The library notes the digests that it computes beside the files.
    let copy = copy_of_made();
    std::env::set_var("FIL_PROOFS_PARAMETER_CACHE", copy.path());
    let sector = tempfile::tempdir().unwrap();
    let (replica, cache) = (sector.path().join("replica"), sector.path().join("cache"));
    fs::create_dir(&cache).unwrap();
    let comm_r = fauxrep(RegisteredSealProof::StackedDrg2KiBV1_1, &cache, &replica).unwrap();
    let proof_type = RegisteredPoStProof::StackedDrgWindow2KiBV1_2;
    let (randomness, prover_id) = ([7; 32], [1; 32]);
    let private = post::PrivateReplica {
        proof_type,
        comm_r,
        cache_dir: cache,
        path: replica,
    };
    let public = BTreeMap::from([(3.into(), PublicReplicaInfo::new(proof_type, comm_r))]);
    let proofs = post::window(
        &randomness,
        &[(proof_type, 3.into(), private)].into_iter().collect(),
        prover_id,
    )
    .unwrap();
    let verify = |randomness, proof| {
        filecoin_proofs_api::post::verify_window_post(randomness, &[(proof_type, proof)], &public, prover_id)
    };
    let proof = &proofs[0].1[..];
    assert!(verify(&randomness, proof).unwrap());
    assert!(
        !verify(&[8; 32], proof).unwrap(),
        "a proof for other randomness must not verify"
    );
}

#[test]
fn a_second_run_keeps_everything() {
    let copy = copy_of_made();
    let state = || -> Vec<_> {
        let names = listing(copy.path());
        let metadata = names.iter().map(|name| fs::metadata(copy.path().join(name)).unwrap());
        metadata.map(|m| (m.ino(), m.len(), m.modified().unwrap())).collect()
    };
    let before = state();
    let run = params(copy.path(), &["--srs", "2"]);
    assert!(run.status.success(), "{}", text(&run));
    assert_eq!(text(&run).matches("kept ").count(), 3, "{}", text(&run));
    assert!(!text(&run).contains("made v28"), "{}", text(&run));
    assert!(before == state(), "a kept file was touched");
}

#[test]
fn a_killed_run_leaves_no_half_file_and_is_taken_up_again() {
    let directory = tempfile::tempdir().unwrap();
    // Once before the first byte, once in the middle of the points.
    for bytes in [0, 1 << 20] {
        let mut child = params_command(directory.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait_for_unfinished(directory.path(), bytes);
        child.kill().unwrap();
        let status = child.wait().unwrap();
        assert!(!status.success(), "the run ended before it was killed");
        let left = listing(directory.path());
        assert!(
            !left.is_empty() && left.iter().all(|name| name.ends_with("unfinished")),
            "{left:?}"
        );
    }
    let run = params(directory.path(), &[]);
    assert!(run.status.success(), "{}", text(&run));
    let [parameters, verifying_key] = names();
    let mut expected = vec![MANIFEST.to_owned(), parameters, verifying_key];
    expected.sort();
    assert_eq!(listing(directory.path()), expected);
}

#[test]
fn a_missing_verifying_key_is_restored_from_its_parameters() {
    let copy = copy_of_made();
    let [parameters, verifying_key] = names();
    let path = copy.path().join(&verifying_key);
    let before = (digest(&path), digest(&copy.path().join(&parameters)));
    fs::remove_file(&path).unwrap();
    let run = params(copy.path(), &[]);
    assert!(run.status.success(), "{}", text(&run));
    assert_eq!((digest(&path), digest(&copy.path().join(&parameters))), before);
}

#[test]
fn nothing_is_overwritten() {
    let directory = tempfile::tempdir().unwrap();
    let [parameters, verifying_key] = names();
    let (parameters, verifying_key) = (directory.path().join(parameters), directory.path().join(verifying_key));
    fs::write(&verifying_key, "somebody's key").unwrap();
    let text_alone = failure(&params(directory.path(), &[]));
    assert!(
        text_alone.contains("without its parameters") && text_alone.contains(".vk"),
        "{text_alone}"
    );
    fs::write(&parameters, "somebody's parameters").unwrap();
    let run = params(directory.path(), &[]);
    assert!(run.status.success(), "{}", text(&run));
    assert!(text(&run).contains("not made by this tool"), "{}", text(&run));
    assert_eq!(fs::read(&verifying_key).unwrap(), b"somebody's key");
    assert_eq!(fs::read(&parameters).unwrap(), b"somebody's parameters");
}

#[test]
fn a_truncated_file_is_an_error_with_a_remedy() {
    let copy = copy_of_made();
    let path = copy.path().join(&names()[0]);
    fs::write(&path, b"short").unwrap();
    let text = failure(&params(copy.path(), &[]));
    assert!(
        text.contains(path.to_str().unwrap()) && text.contains("5 bytes"),
        "{text}"
    );
    assert!(text.contains("remove it"), "{text}");
}

#[test]
fn a_damaged_manifest_is_an_error_with_a_remedy() {
    let copy = copy_of_made();
    fs::write(copy.path().join(MANIFEST), "{").unwrap();
    let text = failure(&params(copy.path(), &[]));
    assert!(text.contains(MANIFEST) && text.contains("remove it"), "{text}");
}

#[test]
fn an_srs_that_is_too_small_is_an_error_with_a_remedy() {
    let copy = copy_of_made();
    let text = failure(&params(copy.path(), &["--srs", "3"]));
    assert!(
        text.contains("too small for aggregating 4 proofs") && text.contains("remove it"),
        "{text}"
    );
}

#[test]
fn two_runs_do_not_work_in_one_directory() {
    let directory = tempfile::tempdir().unwrap();
    let mut first = params_command(directory.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_for_unfinished(directory.path(), 0);
    let text = failure(&params(directory.path(), &[]));
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(text.contains("another run"), "{text}");
}

/// The tool as a user who may not write everywhere: root may, so the tests run as root give that up.
fn as_ordinary_user(home: &Path) -> Command {
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    if !is_root {
        return tool();
    }
    // The build directory may be out of that user's reach.
    let copy: PathBuf = home.join("filcrypto");
    fs::copy(TOOL, &copy).unwrap();
    fs::set_permissions(home, Permissions::from_mode(0o755)).unwrap();
    let mut command = Command::new(copy);
    command
        .uid(65534)
        .gid(65534)
        .current_dir("/")
        .env_remove("RUST_BACKTRACE");
    command
}

#[test]
fn directories_that_cannot_be_written_are_an_error_with_a_remedy() {
    let home = tempfile::tempdir().unwrap();
    let closed = home.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, Permissions::from_mode(0o555)).unwrap();
    for directory in [closed.clone(), closed.join("new")] {
        let run = as_ordinary_user(home.path())
            .args(["params", "--sector-size", "2KiB", "--kinds", "window", "--dir"])
            .arg(&directory)
            .output()
            .unwrap();
        let text = failure(&run);
        assert!(text.contains(directory.to_str().unwrap()), "{text}");
        assert!(text.contains("Permission denied") && text.contains("--dir"), "{text}");
    }
    assert!(listing(&closed).is_empty());
}

#[test]
fn info_tells_settings_with_their_source_and_files_with_their_origin() {
    let copy = copy_of_made();
    let [parameters, verifying_key] = names();
    fs::write(copy.path().join(&verifying_key), "short").unwrap();
    fs::write(copy.path().join("v27-old.params"), "old").unwrap();
    fs::write(copy.path().join("rust-fil-proofs.config.toml"), "rows_to_discard = 3\n").unwrap();
    let run = tool()
        .args(["info", "--json"])
        .current_dir(copy.path())
        .env("FIL_PROOFS_PARAMETER_CACHE", copy.path())
        .env("FIL_PROOFS_CACHE_DIR", "/tmp/elsewhere/")
        .env("LOTUS_FVM_CONCURRENCY", "3")
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", text(&run));
    let info: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(info["version"], env!("CARGO_PKG_VERSION"));
    let find = |list: &str, name: &str| -> Value {
        let items = info[list].as_array().unwrap();
        items
            .iter()
            .find(|item| item["name"] == name)
            .unwrap_or_else(|| panic!("{name}"))
            .clone()
    };
    let source = |name: &str| find("settings", name)["source"].as_str().unwrap().to_owned();
    assert_eq!(
        source("parameter_cache"),
        "environment variable FIL_PROOFS_PARAMETER_CACHE"
    );
    assert_eq!(source("parent_cache"), "environment variable FIL_PROOFS_CACHE_DIR");
    assert_eq!(source("rows_to_discard"), "file ./rust-fil-proofs.config.toml");
    assert_eq!(find("settings", "rows_to_discard")["value"], "3");
    assert_eq!(source("verify_cache"), "default");
    assert_eq!(
        source("LOTUS_FVM_CONCURRENCY"),
        "environment variable LOTUS_FVM_CONCURRENCY"
    );
    let origin = |name: &str| find("parameter_files", name)["origin"].as_str().unwrap().to_owned();
    assert_eq!(origin(&parameters), "local_insecure");
    assert_eq!(origin(&verifying_key), "local_damaged");
    assert_eq!(origin("v27-old.params"), "unknown");
}

#[test]
fn info_names_a_malformed_setting() {
    let run = tool()
        .arg("info")
        .env("FIL_PROOFS_ROWS_TO_DISCARD", "many")
        .output()
        .unwrap();
    let text = failure(&run);
    assert!(
        text.contains("FIL_PROOFS_ROWS_TO_DISCARD") && text.contains("many"),
        "{text}"
    );
}
