//! Every way in which a parameter file can be wrong is an error of its own, and harms nothing that comes after.

mod support;

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use bellperson::groth16::aggregate::setup_fake_srs;
use bellperson::groth16::generate_random_parameters;
use bellperson::{Circuit as Gadget, ConstraintSystem, SynthesisError};
use blstrs::{Bls12, Scalar};
use ff::Field;
use filcrypto::error::{Error, ParameterFault};
use filcrypto::filecoin::params::{Circuit, Directory, LocalFile, LocalManifest, LOCAL_MANIFEST};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use support::WINNING_2KIB;

/// Multiplies a secret by itself and publishes each square.
struct Squares {
    count: usize,
}

impl Gadget<Scalar> for Squares {
    fn synthesize<CS: ConstraintSystem<Scalar>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        let mut value = Scalar::from(3);
        let mut root = cs.alloc(|| "root", || Ok(value))?;
        for index in 0..self.count {
            value = value.square();
            let square = cs.alloc(|| format!("square {index}"), || Ok(value))?;
            let public = cs.alloc_input(|| format!("public {index}"), || Ok(value))?;
            cs.enforce(|| format!("{index}"), |lc| lc + root, |lc| lc + root, |lc| lc + square);
            cs.enforce(
                || format!("{index} shown"),
                |lc| lc + square,
                |lc| lc + CS::one(),
                |lc| lc + public,
            );
            root = square;
        }
        Ok(())
    }
}

const PUBLIC: usize = 5;

/// A directory with good files of a small circuit, under the name of a real one.
struct Fixture {
    directory: tempfile::TempDir,
    params: Vec<u8>,
    key: Vec<u8>,
    srs: Vec<u8>,
    other_params: Vec<u8>,
}

impl Fixture {
    fn new() -> Self {
        let mut rng = ChaCha20Rng::from_seed([7; 32]);
        let mut make = |count| {
            let params = generate_random_parameters::<Bls12, _, _>(Squares { count }, &mut rng).expect("parameters");
            let (mut whole, mut key) = (Vec::new(), Vec::new());
            params.write(&mut whole).expect("to memory");
            params.vk.write(&mut key).expect("to memory");
            (whole, key)
        };
        let (params, key) = make(PUBLIC);
        let (other_params, _) = make(PUBLIC + 1);
        let mut srs = Vec::new();
        setup_fake_srs::<Bls12, _>(&mut rng, 8)
            .write(&mut srs)
            .expect("to memory");
        let fixture = Self {
            directory: tempfile::tempdir().expect("a temporary directory"),
            params,
            key,
            srs,
            other_params,
        };
        fs::set_permissions(fixture.path(), Permissions::from_mode(0o755)).expect("own directory");
        fixture.repair();
        fixture
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    fn file(&self, extension: &str) -> PathBuf {
        match extension {
            "srs" => self.path().join("v28-fil-inner-product-v1.srs"),
            _ => self.path().join(format!("v28-{WINNING_2KIB}.{extension}")),
        }
    }

    fn good(&self, extension: &str) -> &[u8] {
        match extension {
            "params" => &self.params,
            "vk" => &self.key,
            _ => &self.srs,
        }
    }

    /// Puts good files back, in place of whatever stands there.
    fn repair(&self) {
        for extension in ["params", "vk", "srs"] {
            remove(&self.file(extension));
            self.write(extension, self.good(extension));
        }
    }

    /// Writes a file that is older than the steps in which file systems count time.
    fn write(&self, extension: &str, bytes: &[u8]) {
        let path = self.file(extension);
        fs::write(&path, bytes).expect("own directory");
        age(&path);
    }

    fn open(&self) -> Directory {
        Directory::at(self.path(), false)
    }

    fn check(&self, extension: &str) -> Result<(), Error> {
        match extension {
            "params" => self.open().check_proving(&circuit()),
            "vk" => self.open().check_verifying(&circuit()),
            _ => self.open().check_srs(8),
        }
    }

    /// Checks that a damaged file is found out, and that a good one in its place is good again.
    fn expect(&self, extension: &str, damage: &str, expected: &str, fits: impl Fn(&ParameterFault) -> bool) {
        let found = self.check(extension).expect_err(damage);
        let text = found.to_string();
        let Error::Parameters(fault) = &found else {
            panic!("{damage}: {text}")
        };
        assert!(fits(fault), "{damage}, .{extension}: {fault:?}");
        assert!(text.contains(expected), "{damage}, .{extension}: {text}");
        let name = self.file(extension);
        assert!(
            text.contains(&name.display().to_string()),
            "{damage} names its file: {text}"
        );
        assert_eq!(
            self.check(extension).expect_err("again").to_string(),
            text,
            "{damage}: the same error again"
        );
        self.repair();
        self.check(extension)
            .unwrap_or_else(|error| panic!("after {damage} was repaired: {error}"));
    }

    /// Lists the files that are there as made here.
    fn list(&self) {
        let mut manifest = LocalManifest {
            insecure: true,
            made_by: "a test".to_owned(),
            ..Default::default()
        };
        for extension in ["params", "vk", "srs"] {
            let bytes = self.good(extension);
            let name = self
                .file(extension)
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            let digest = digest(bytes);
            let bytes = bytes.len() as u64;
            manifest.files.insert(name, LocalFile { digest, bytes });
        }
        let text = serde_json::to_vec(&manifest).expect("JSON");
        fs::write(self.path().join(LOCAL_MANIFEST), text).expect("own directory");
        age(&self.path().join(LOCAL_MANIFEST));
    }
}

fn circuit() -> Circuit {
    Circuit {
        id: WINNING_2KIB.to_owned(),
        inputs: PUBLIC + 1,
    }
}

fn digest(bytes: &[u8]) -> String {
    blake2b_simd::blake2b(bytes).to_hex()[..32].to_owned()
}

fn age(path: &Path) {
    let past = SystemTime::now() - Duration::from_secs(60);
    let file = File::options().append(true).open(path).expect("own file");
    file.set_modified(past).expect("own file");
}

fn remove(path: &Path) {
    if path.is_dir() && !path.is_symlink() {
        fs::remove_dir_all(path).expect("own directory");
    } else if fs::symlink_metadata(path).is_ok() {
        fs::remove_file(path).expect("own directory");
    }
}

fn flipped(bytes: &[u8], at: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at] ^= 1;
    bytes
}

/// Where the last query of the parameters begins to hold points.
fn last_point(fixture: &Fixture) -> usize {
    fixture.params.len() - 192
}

#[test]
fn every_damage_has_its_own_error() {
    let fixture = Fixture::new();
    for extension in ["params", "vk", "srs"] {
        fixture.check(extension).expect("a good file");
        let good = fixture.good(extension);

        fixture.write(extension, b"");
        fixture.expect(extension, "an empty file", "found an empty file", |fault| {
            matches!(fault, ParameterFault::Empty { .. })
        });

        let page = b"<!DOCTYPE html>\n<html lang=\"zh\"><title>\xe9\x94\x99\xe8\xaf\xaf</title>".repeat(40);
        fixture.write(extension, &page);
        fixture.expect(
            extension,
            "a web page",
            "an HTML or XML page (it begins with \"<!DOCTYPE html>",
            |fault| matches!(fault, ParameterFault::NotAKey { .. }),
        );
        fixture.write(extension, br#"{"error": "no such object"}"#);
        fixture.expect(extension, "JSON", "found JSON (it begins with \"{", |fault| {
            matches!(fault, ParameterFault::NotAKey { .. })
        });
        fixture.write(
            extension,
            b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n",
        );
        fixture.expect(extension, "text", "found text (it begins with \"version", |fault| {
            matches!(fault, ParameterFault::NotAKey { .. })
        });

        fixture.write(extension, &good[..good.len() - 1]);
        let expected = format!("truncated: expected {} bytes, found {}", good.len(), good.len() - 1);
        fixture.expect(extension, "a file cut short", &expected, |fault| {
            matches!(fault, ParameterFault::Truncated { .. })
        });
        fixture.write(extension, &good[..2]);
        fixture.expect(extension, "a stump", "truncated: expected at least ", |fault| {
            matches!(fault, ParameterFault::Truncated { .. })
        });
        fixture.write(extension, &[good, &[0]].concat());
        fixture.expect(extension, "bytes too many", "bytes follow the end", |fault| {
            matches!(fault, ParameterFault::TrailingBytes { .. })
        });

        let first_point = if extension == "srs" { 4 + 10 } else { 10 };
        fixture.write(extension, &flipped(good, first_point));
        fixture.expect(
            extension,
            "a flipped bit at the start",
            "expected a point of G1",
            |fault| matches!(fault, ParameterFault::BadPoint { .. }),
        );
        fixture.write(extension, &flipped(good, good.len() - 20));
        fixture.expect(extension, "a flipped bit at the end", "expected a point of", |fault| {
            matches!(fault, ParameterFault::BadPoint { .. })
        });

        remove(&fixture.file(extension));
        fs::create_dir(fixture.file(extension)).expect("own directory");
        fixture.expect(
            extension,
            "a directory",
            "expected a regular file, found a directory",
            |fault| matches!(fault, ParameterFault::NotAFile { .. }),
        );
        remove(&fixture.file(extension));
        let path = std::ffi::CString::new(fixture.file(extension).to_str().expect("UTF-8")).expect("no NUL");
        // SAFETY: the path is a C string.
        assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o600) }, 0);
        fixture.expect(extension, "a pipe without a writer", "found a pipe", |fault| {
            matches!(fault, ParameterFault::NotAFile { .. })
        });
    }
}

#[test]
fn what_belongs_to_another_circuit_is_found_out() {
    let fixture = Fixture::new();
    fixture.write("params", &fixture.other_params);
    fixture.expect(
        "params",
        "parameters of another circuit",
        "wrong circuit: expected 6 points in ic",
        |fault| matches!(fault, ParameterFault::WrongCircuit { .. }),
    );
    let other_key = &fixture.other_params[..fixture.key.len() + 96];
    fixture.write("vk", other_key);
    fixture.expect("vk", "the key of another circuit", "found 7; ", |fault| {
        matches!(fault, ParameterFault::WrongCircuit { .. })
    });

    // A key of the same shape that the parameters do not begin with: two points of it exchanged.
    let mut exchanged = fixture.key.clone();
    let (front, back) = exchanged.split_at_mut(96);
    front.swap_with_slice(&mut back[..96]);
    fixture.write("vk", &exchanged);
    fixture.expect("vk", "a foreign key", "they differ from byte ", |fault| {
        matches!(fault, ParameterFault::KeysDiffer { .. })
    });
    fixture.write("vk", &exchanged);
    assert!(matches!(
        fixture.check("params"),
        Err(Error::Parameters(ParameterFault::KeysDiffer { .. }))
    ));

    // Counts that no circuit has, in a file whose length they fit: a point of h moved to l.
    let mut moved = fixture.params.clone();
    let counts = fixture.key.len();
    let h = u32::from_be_bytes(moved[counts..counts + 4].try_into().expect("4 bytes")) as usize;
    let l_count = counts + 4 + h * 96;
    let l = u32::from_be_bytes(moved[l_count..l_count + 4].try_into().expect("4 bytes"));
    moved[counts..counts + 4].copy_from_slice(&(h as u32 - 1).to_be_bytes());
    moved.copy_within(l_count - 96..l_count, l_count - 92);
    moved[l_count - 96..l_count - 92].copy_from_slice(&(l + 1).to_be_bytes());
    fixture.repair();
    fixture.write("params", &moved);
    fixture.expect(
        "params",
        "counts that contradict each other",
        "one less than a power of two",
        |fault| matches!(fault, ParameterFault::Counts { .. }),
    );
    let found = fixture.open().check_srs(16).expect_err("an SRS for 8");
    assert!(
        found
            .to_string()
            .contains("expected powers for 16 aggregated proofs, found powers for 8"),
        "{found}"
    );
}

#[test]
fn missing_files_are_told_in_known_words() {
    let fixture = Fixture::new();
    remove(&fixture.file("params"));
    remove(&fixture.file("vk"));
    for extension in ["params", "vk"] {
        let text = fixture.check(extension).expect_err("no file").to_string();
        let path = fixture.file("params");
        let known = format!(
            "No cached parameters found for {WINNING_2KIB} [failure finding {}]; ",
            path.display()
        );
        assert!(text.starts_with(&known), "{text}");
        assert!(
            text.contains("`lotus fetch-params 2KiB`") && text.contains("`filcrypto params"),
            "{text}"
        );
        assert!(text.contains("FIL_PROOFS_PARAMETER_CACHE"), "{text}");
    }
    remove(&fixture.file("srs"));
    let text = fixture.check("srs").expect_err("no file").to_string();
    assert!(
        text.starts_with("No cached srs key found for fil-inner-product-v1 [failure finding "),
        "{text}"
    );
    assert_eq!(files(fixture.path()), Vec::<String>::new(), "nothing is made");
    fixture.repair();
    for extension in ["params", "vk", "srs"] {
        fixture.check(extension).expect("good files");
        remove(&fixture.file(extension));
        fixture
            .check(extension)
            .expect("what was read once is not needed again");
    }
}

/// Names of key files in a directory, and of anything that was left half written.
fn files(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("own directory");
    let names = entries.map(|entry| entry.expect("own directory").file_name().to_string_lossy().into_owned());
    let mut names: Vec<_> = names.filter(|name| !name.ends_with(".json")).collect();
    names.sort();
    names
}

#[test]
fn a_missing_verifying_key_is_written_whole_from_good_parameters_alone() {
    let fixture = Fixture::new();
    remove(&fixture.file("srs"));
    remove(&fixture.file("vk"));
    fixture.write("params", &fixture.params[..fixture.params.len() - 1]);
    fixture.check("vk").expect_err("truncated parameters");
    fixture.write("params", &flipped(&fixture.params, 500));
    fixture.check("vk").expect_err("a damaged key in the parameters");
    assert_eq!(files(fixture.path()), [format!("v28-{WINNING_2KIB}.params")]);

    fixture.write("params", &fixture.params);
    fixture
        .check("params")
        .expect("the proofs crates need no verifying key to prove");
    fixture.check("vk").expect("good parameters");
    assert_eq!(fs::read(fixture.file("vk")).expect("it was written"), fixture.key);
    let expected = [format!("v28-{WINNING_2KIB}.params"), format!("v28-{WINNING_2KIB}.vk")];
    assert_eq!(files(fixture.path()), expected);
}

#[test]
fn local_files_must_be_as_they_were_made() {
    let fixture = Fixture::new();
    fixture.list();
    for extension in ["params", "vk", "srs"] {
        fixture.check(extension).expect("a good file");
        let last = fixture.good(extension).len() - 1;
        fixture.write(extension, &flipped(fixture.good(extension), last));
        fixture.expect(extension, "a flipped bit", "expected the digest", |fault| {
            matches!(fault, ParameterFault::NotAsMade { .. })
        });
    }
    // A query's point that was exchanged for another one is a valid point.
    let mut exchanged = fixture.params.clone();
    let at = last_point(&fixture);
    exchanged.copy_within(at - 192..at, at);
    fixture.write("params", &exchanged);
    fixture.expect(
        "params",
        "an exchanged point",
        "filcrypto-local-parameters.json",
        |fault| matches!(fault, ParameterFault::NotAsMade { .. }),
    );
    fs::write(fixture.path().join(LOCAL_MANIFEST), "{").expect("own directory");
    let text = fixture.check("params").expect_err("a broken list").to_string();
    assert!(text.contains("expected a list of local parameter files"), "{text}");
}

#[test]
fn with_checking_on_only_production_files_pass() {
    let fixture = Fixture::new();
    fixture.list();
    let strict = Directory::at(fixture.path(), true);
    let checks = [
        strict.check_proving(&circuit()),
        strict.check_verifying(&circuit()),
        strict.check_srs(8),
    ];
    for (check, extension) in checks.into_iter().zip(["params", "vk", "srs"]) {
        let text = check.expect_err("a local file").to_string();
        let found = format!("found {}", digest(fixture.good(extension)));
        assert!(text.contains("not the production file: expected the digest "), "{text}");
        assert!(text.contains(&found) && text.contains("fetch-params"), "{text}");
        fixture.check(extension).expect("with checking off it serves");
    }
}

#[test]
fn a_digest_is_remembered_beside_the_files_and_trusted_for_the_same_file_alone() {
    let fixture = Fixture::new();
    fixture.list();
    fixture.check("params").expect("good files");
    let records = fixture.path().join("filcrypto-digests.json");
    let text = fs::read_to_string(&records).expect("the digests");
    assert!(text.contains(&digest(&fixture.params)), "{text}");

    let directory = fixture.path().as_os_str();
    let lie = text.replace(&digest(&fixture.params), &"0".repeat(32));
    fs::write(&records, &lie).expect("own directory");
    // Another process believes a record that fits the file: that is how it saves itself the hashing.
    let told = support::pass_in_child("reports_a_check", &[("FILCRYPTO_TEST_DIRECTORY", directory)]);
    assert!(told.contains(&format!("found {}", "0".repeat(32))), "{told}");
    // A file that was written anew has a new time, so the record no longer fits.
    fs::write(fixture.file("params"), &fixture.params).expect("own directory");
    let told = support::pass_in_child("reports_a_check", &[("FILCRYPTO_TEST_DIRECTORY", directory)]);
    assert!(told.contains("CHECK: good"), "{told}");
    fs::write(&records, "\0garbage").expect("own directory");
    let told = support::pass_in_child("reports_a_check", &[("FILCRYPTO_TEST_DIRECTORY", directory)]);
    assert!(told.contains("CHECK: good"), "{told}");
}

/// The child's part of the test above: checks proving parameters and tells the outcome on stderr.
#[test]
fn reports_a_check() {
    let Some(directory) = std::env::var_os("FILCRYPTO_TEST_DIRECTORY") else {
        assert!(!support::is_child(), "the parent names a directory");
        return;
    };
    match Directory::at(directory, false).check_proving(&circuit()) {
        Ok(()) => eprintln!("CHECK: good"),
        Err(error) => eprintln!("CHECK: {error}"),
    }
}

/// Makes this thread, and it alone, somebody whom file modes bind, even where root runs the tests.
fn become_nobody() {
    // SAFETY: takes a number; it changes the calling thread's file access and nothing else.
    unsafe {
        libc::setfsgid(65534);
        libc::setfsuid(65534);
    }
}

#[test]
fn read_only_directories_serve() {
    if !support::is_child() {
        let cache = tempfile::tempdir().expect("a temporary directory");
        fs::set_permissions(cache.path(), Permissions::from_mode(0o777)).expect("own directory");
        support::pass_in_child(
            "read_only_directories_serve",
            &[("XDG_CACHE_HOME", cache.path().as_os_str())],
        );
        let of_user: Vec<_> = fs::read_dir(cache.path().join("filcrypto")).expect("digests").collect();
        assert!(!of_user.is_empty(), "the digests went to the user's cache");
        return;
    }
    let fixture = Fixture::new();
    fixture.list();
    for extension in ["params", "vk", "srs"] {
        fs::set_permissions(fixture.file(extension), Permissions::from_mode(0o444)).expect("own file");
    }
    fs::set_permissions(fixture.path(), Permissions::from_mode(0o555)).expect("own directory");
    let bound = std::thread::scope(|scope| {
        let checks = scope.spawn(|| {
            become_nobody();
            assert!(
                File::create(fixture.path().join("probe")).is_err(),
                "the directory is read-only"
            );
            ["params", "vk", "srs"].map(|extension| fixture.check(extension))
        });
        checks.join().expect("no panic")
    });
    for check in bound {
        check.expect("a read-only directory");
    }

    // Without the verifying key it would have to be written.
    fs::set_permissions(fixture.path(), Permissions::from_mode(0o755)).expect("own directory");
    let elsewhere = Fixture::new();
    remove(&elsewhere.file("vk"));
    fs::set_permissions(elsewhere.path(), Permissions::from_mode(0o555)).expect("own directory");
    let text = std::thread::scope(|scope| {
        let check = scope.spawn(|| {
            become_nobody();
            elsewhere.check("vk").expect_err("no key").to_string()
        });
        check.join().expect("no panic")
    });
    assert!(
        text.contains("the verifying key is missing, and it cannot be written"),
        "{text}"
    );
    fs::set_permissions(elsewhere.path(), Permissions::from_mode(0o755)).expect("own directory");
}

#[test]
fn an_unreadable_file_is_no_missing_one() {
    let fixture = Fixture::new();
    for extension in ["params", "vk", "srs"] {
        fs::set_permissions(fixture.file(extension), Permissions::from_mode(0o000)).expect("own file");
    }
    let texts = std::thread::scope(|scope| {
        let checks = scope.spawn(|| {
            become_nobody();
            ["params", "vk", "srs"].map(|extension| fixture.check(extension).expect_err("mode 000").to_string())
        });
        checks.join().expect("no panic")
    });
    for (text, extension) in texts.iter().zip(["params", "vk", "srs"]) {
        assert!(text.contains(&fixture.file(extension).display().to_string()), "{text}");
        assert!(text.contains("may read, found: Permission denied"), "{text}");
        assert!(text.contains("correct its owner or mode"), "{text}");
    }
    fixture.repair();
    for extension in ["params", "vk", "srs"] {
        fixture.check(extension).expect("readable again");

        let fixture = Fixture::new();
        remove(&fixture.file(extension));
        std::os::unix::fs::symlink(fixture.file(extension), fixture.file(extension)).expect("own directory");
        fixture.expect(
            extension,
            "a link to itself",
            "may read, found: Too many levels",
            |fault| matches!(fault, ParameterFault::Unreadable { .. }),
        );
    }
}
