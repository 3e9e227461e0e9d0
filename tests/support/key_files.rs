//! A directory with the parameter files of a small circuit, to be damaged.

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
use filcrypto::filecoin::manifest::{self, Entry, Manifest};
use filcrypto::filecoin::params::{Circuit, Directory};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::WINNING_2KIB;

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
pub struct Fixture {
    directory: tempfile::TempDir,
    pub params: Vec<u8>,
    pub key: Vec<u8>,
    pub srs: Vec<u8>,
    pub other_params: Vec<u8>,
}

impl Fixture {
    pub fn new() -> Self {
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

    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    pub fn file(&self, extension: &str) -> PathBuf {
        match extension {
            "srs" => self.path().join("v28-fil-inner-product-v1.srs"),
            _ => self.path().join(format!("v28-{WINNING_2KIB}.{extension}")),
        }
    }

    pub fn good(&self, extension: &str) -> &[u8] {
        match extension {
            "params" => &self.params,
            "vk" => &self.key,
            _ => &self.srs,
        }
    }

    /// Puts good files back, in place of whatever stands there.
    pub fn repair(&self) {
        for extension in ["params", "vk", "srs"] {
            remove(&self.file(extension));
            self.write(extension, self.good(extension));
        }
    }

    /// Writes a file that is older than the steps in which file systems count time.
    pub fn write(&self, extension: &str, bytes: &[u8]) {
        let path = self.file(extension);
        fs::write(&path, bytes).expect("own directory");
        age(&path);
    }

    pub fn open(&self) -> Directory {
        Directory::at(self.path(), false)
    }

    pub fn check(&self, extension: &str) -> Result<(), Error> {
        match extension {
            "params" => self.open().check_proving(&circuit()),
            "vk" => self.open().check_verifying(&circuit()),
            _ => self.open().check_srs(8),
        }
    }

    /// Checks that a damaged file is found out, and that a good one in its place is good again.
    pub fn expect(&self, extension: &str, damage: &str, expected: &str, fits: impl Fn(&ParameterFault) -> bool) {
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
    pub fn list(&self) {
        let mut manifest = Manifest::default();
        for extension in ["params", "vk", "srs"] {
            let bytes = self.good(extension);
            let name = self
                .file(extension)
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            let entry = Entry {
                digest: digest(bytes),
                bytes: bytes.len() as u64,
                kind: "test".to_owned(),
                sector_size: None,
            };
            manifest.files.insert(name, entry);
        }
        manifest.store(self.path()).expect("own directory");
        age(&self.path().join(manifest::FILE_NAME));
    }
}

pub fn circuit() -> Circuit {
    Circuit {
        id: WINNING_2KIB.to_owned(),
        inputs: PUBLIC + 1,
    }
}

pub fn digest(bytes: &[u8]) -> String {
    blake2b_simd::blake2b(bytes).to_hex()[..32].to_owned()
}

pub fn age(path: &Path) {
    let past = SystemTime::now() - Duration::from_secs(60);
    let file = File::options().append(true).open(path).expect("own file");
    file.set_modified(past).expect("own file");
}

pub fn remove(path: &Path) {
    if path.is_dir() && !path.is_symlink() {
        fs::remove_dir_all(path).expect("own directory");
    } else if fs::symlink_metadata(path).is_ok() {
        fs::remove_file(path).expect("own directory");
    }
}

pub fn flipped(bytes: &[u8], at: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at] ^= 1;
    bytes
}
