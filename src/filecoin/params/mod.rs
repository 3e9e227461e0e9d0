//! Checks of parameter files, made before the proofs crates read them.
//!
//! Those crates trust what they read: a short file makes them panic, an unreadable one is reported as missing, and a
//! damaged one can give a proof that nobody accepts. Here every fault is an error of its own. A file is examined once and
//! then only looked at, until its inode, size or time of modification changes. Nothing here makes parameters or takes a
//! lock; the one file of a key that is ever written is a verifying key that is missing beside its proving parameters.

mod circuit;
pub(super) mod digest;
mod layout;
mod production;

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, FileTypeExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use once_cell::sync::Lazy;
use storage_proofs_core::parameter_cache::{
    parameter_cache_dir, parameter_id, verify_production_entry, verifying_key_id, ParameterData, GROTH_PARAMETER_EXT,
    PARAMETERS, SRS_KEY_EXT, SRS_SHARED_KEY_NAME, VERIFYING_KEY_EXT, VERSION,
};
use storage_proofs_core::settings::SETTINGS;

use super::manifest::{self, Entry, Manifest};
use crate::error::{ParameterFault, Result};

pub use circuit::Circuit;
use digest::{lock, Stamp};
use layout::{Kind, LayoutFault, Section};

/// Where nothing but a warning can come of it, a larger file is hashed beside the proof and not before it.
const INLINE_BYTES: u64 = 1 << 30;
/// As much of a file's start as tells text from a key.
const START_BYTES: u64 = 64;

/// The proving parameters of a circuit, and the verifying key beside them.
pub fn check_proving(circuit: &Circuit) -> Result<()> {
    Directory::configured().check_proving(circuit)
}

/// The verifying key of a circuit.
pub fn check_verifying(circuit: &Circuit) -> Result<()> {
    Directory::configured().check_verifying(circuit)
}

/// The SRS, which must serve to aggregate that many proofs.
pub fn check_srs(proofs: usize) -> Result<()> {
    Directory::configured().check_srs(proofs)
}

/// A parameter directory.
pub struct Directory {
    path: PathBuf,
    /// Files must be those of the production manifest.
    production_only: bool,
}

/// What was examined and found good, with the state of its files at that time.
static CHECKED: Lazy<Mutex<BTreeMap<(PathBuf, String), Vec<Option<Stamp>>>>> = Lazy::new(Mutex::default);
static WARNED: Lazy<Mutex<HashSet<Stamp>>> = Lazy::new(Mutex::default);

impl Directory {
    /// The one that the settings name.
    pub fn configured() -> Self {
        Self::at(parameter_cache_dir(), SETTINGS.verify_production_params)
    }

    pub fn at(path: impl Into<PathBuf>, production_only: bool) -> Self {
        Self {
            path: path.into(),
            production_only,
        }
    }

    pub fn check_proving(&self, circuit: &Circuit) -> Result<()> {
        let params_name = parameter_id(&circuit.id);
        let key_name = verifying_key_id(&circuit.id);
        self.once("proving", &[&params_name, &key_name, manifest::FILE_NAME], || {
            let params = self.examine_params(circuit)?;
            params.check_points(INLINE_BYTES)?;
            if is_missing(&self.path.join(&key_name)) {
                // The proofs crates take the verifying key from the parameters.
                return Ok(());
            }
            let key = self.open(&key_name, Kind::Verifying)?.examined(circuit)?;
            key.check_points(INLINE_BYTES)?;
            key.check_same_key(&params)?;
            self.vouch_for(&params_name);
            Ok(())
        })
    }

    pub fn check_verifying(&self, circuit: &Circuit) -> Result<()> {
        let key_name = verifying_key_id(&circuit.id);
        self.once("verifying", &[&key_name, manifest::FILE_NAME], || {
            if is_missing(&self.path.join(&key_name)) {
                self.write_key(circuit, &key_name)?;
            }
            let key = self.open(&key_name, Kind::Verifying)?.examined(circuit)?;
            key.check_points(INLINE_BYTES)?;
            if !key.trusted {
                // Parameters that are missing or damaged do not concern a verifier.
                if let Ok(params) = self.open(&parameter_id(&circuit.id), Kind::Proving) {
                    key.check_same_key(&params)?;
                }
            }
            Ok(())
        })
    }

    pub fn check_srs(&self, proofs: usize) -> Result<()> {
        let name = format!("v{VERSION}-{SRS_SHARED_KEY_NAME}.{SRS_KEY_EXT}");
        let what = format!("srs for {proofs}");
        self.once(&what, &[&name, manifest::FILE_NAME], || {
            let missing = |file, remedy| ParameterFault::MissingSrs {
                name: SRS_SHARED_KEY_NAME.to_owned(),
                file,
                remedy,
            };
            let mut srs = self.open_or(&name, Kind::Srs, missing)?;
            srs.walk()?;
            // Two powers a proof.
            let found = layout::count(&srs.sections, "g_alpha") / 2;
            if found < proofs {
                return Err(ParameterFault::SrsTooSmall {
                    file: srs.path.clone(),
                    expected: proofs,
                    found,
                    remedy: srs.remedy(),
                }
                .into());
            }
            srs.trust()?;
            srs.check_points(INLINE_BYTES)
        })
    }

    /// Runs `examine` unless it succeeded before on files that have not changed since. A file that has disappeared since
    /// then does no harm: the proofs crates keep what they have read.
    fn once(&self, what: &str, names: &[&str], examine: impl FnOnce() -> Result<()>) -> Result<()> {
        let stamps: Vec<_> = names.iter().map(|name| Stamp::of(&self.path.join(name))).collect();
        let key = (
            self.path.clone(),
            format!("{what}, {} only: {names:?}", self.production_only),
        );
        if let Some(before) = lock(&CHECKED).get(&key) {
            let pairs = || before.iter().zip(&stamps);
            if pairs().all(|(before, now)| now == before || now.is_none()) {
                return Ok(());
            }
        }
        examine()?;
        if stamps.iter().flatten().all(Stamp::is_settled) {
            lock(&CHECKED).insert(key, stamps);
        }
        Ok(())
    }

    fn examine_params(&self, circuit: &Circuit) -> Result<KeyFile<'_>> {
        let missing = |file, remedy| ParameterFault::Missing {
            circuit: circuit.id.clone(),
            file,
            remedy,
        };
        self.open_or(&parameter_id(&circuit.id), Kind::Proving, missing)?
            .examined(circuit)
    }

    /// Writes a missing verifying key from the head of the proving parameters, as the proofs crates would, but whole.
    fn write_key(&self, circuit: &Circuit, key_name: &str) -> Result<()> {
        let params = self.examine_params(circuit)?;
        params.check_points(0)?;
        let file = self.path.join(key_name);
        digest::write_whole(&file, &params.key()?).map_err(|source| ParameterFault::KeyNotWritten {
            file,
            source,
            remedy: format!("fetch it with {}", production::how_to_get(key_name)),
        })?;
        Ok(())
    }

    fn open(&self, name: &str, kind: Kind) -> Result<KeyFile<'_>> {
        let missing = |file, _| ParameterFault::Unreadable {
            file,
            source: io::ErrorKind::NotFound.into(),
        };
        self.open_or(name, kind, missing)
    }

    /// Opens a file that begins as a key may begin; `missing` is the fault when there is none.
    fn open_or(
        &self,
        name: &str,
        kind: Kind,
        missing: impl FnOnce(PathBuf, String) -> ParameterFault,
    ) -> Result<KeyFile<'_>> {
        let path = self.path.join(name);
        // A pipe must not make the call wait for its writer.
        let opened = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(&path);
        let looked_at = opened.and_then(|file| Ok((file.metadata()?, file)));
        let (metadata, file) = match looked_at {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let remedy = format!(
                    "get it with {}, or set FIL_PROOFS_PARAMETER_CACHE to a directory that has it",
                    production::how_to_get(name)
                );
                return Err(missing(path, remedy).into());
            }
            Err(source) => return Err(ParameterFault::Unreadable { file: path, source }.into()),
        };
        let key_file = KeyFile {
            directory: self,
            name: name.to_owned(),
            kind,
            stamp: Stamp::new(&metadata),
            path,
            file,
            sections: Vec::new(),
            trusted: false,
        };
        key_file.check_start(&metadata)?;
        Ok(key_file)
    }

    /// Tells the proofs crates that proving parameters were checked against the production manifest, so that they do not
    /// hash tens of gigabytes again in every process, under an exclusive lock. They take that from their own check of the
    /// verifying key, which is small.
    fn vouch_for(&self, params_name: &str) {
        fn key_data(params_name: &str) -> Option<&ParameterData> {
            let stem = params_name.strip_suffix(GROTH_PARAMETER_EXT)?;
            PARAMETERS.get(&format!("{stem}{VERIFYING_KEY_EXT}"))
        }
        if !self.production_only {
            return;
        }
        let key_file = self.path.join(params_name).with_extension(VERIFYING_KEY_EXT);
        if let Err(error) = verify_production_entry(&key_file, params_name.to_owned(), key_data) {
            log::debug!("{params_name}: the proofs crates will hash it again: {error}");
        }
    }
}

/// A parameter file under examination.
struct KeyFile<'a> {
    directory: &'a Directory,
    path: PathBuf,
    name: String,
    kind: Kind,
    file: File,
    stamp: Stamp,
    sections: Vec<Section>,
    /// Its digest is the one that the production manifest or the local one lists.
    trusted: bool,
}

impl KeyFile<'_> {
    fn check_start(&self, metadata: &fs::Metadata) -> Result<()> {
        let kind = metadata.file_type();
        if !kind.is_file() {
            let found = match () {
                _ if kind.is_dir() => "a directory",
                _ if kind.is_fifo() => "a pipe",
                _ => "a device",
            };
            return Err(ParameterFault::NotAFile {
                file: self.path.clone(),
                found,
                remedy: self.remedy(),
            }
            .into());
        }
        if self.stamp.bytes == 0 {
            return Err(ParameterFault::Empty {
                file: self.path.clone(),
                expected: self.kind.expected(),
                remedy: self.remedy(),
            }
            .into());
        }
        let start = self.read(self.stamp.bytes.min(START_BYTES) as usize)?;
        match layout::foreign(&start) {
            None => Ok(()),
            Some(found) => Err(ParameterFault::NotAKey {
                file: self.path.clone(),
                expected: self.kind.expected(),
                found,
                start: String::from_utf8_lossy(&start).chars().take(32).collect(),
                remedy: self.remedy(),
            }
            .into()),
        }
    }

    /// Checks layout, circuit and digest.
    fn examined(mut self, circuit: &Circuit) -> Result<Self> {
        self.walk()?;
        let found = layout::count(&self.sections, "ic");
        if found != circuit.inputs {
            return Err(self.wrong_circuit(
                format!("{} points in ic, one for each public input", circuit.inputs),
                found.to_string(),
            ));
        }
        self.trust()?;
        Ok(self)
    }

    fn walk(&mut self) -> Result<()> {
        let (file, remedy, found) = (self.path.clone(), self.remedy(), self.stamp.bytes);
        let fault = match layout::walk(&self.file, found, self.kind) {
            Ok(sections) => {
                self.sections = sections;
                return Ok(());
            }
            Err(fault) => fault,
        };
        Err(match fault {
            LayoutFault::Truncated { at_least, expected } => ParameterFault::Truncated {
                file,
                at_least,
                expected,
                found,
                remedy,
            },
            LayoutFault::Trailing { expected } => ParameterFault::TrailingBytes {
                file,
                expected,
                found,
                remedy,
            },
            LayoutFault::Counts { expected, found } => ParameterFault::Counts {
                file,
                expected,
                found,
                remedy,
            },
            LayoutFault::Io(source) => ParameterFault::Unreadable { file, source },
        }
        .into())
    }

    /// Compares the digest with what the manifests list.
    fn trust(&mut self) -> Result<()> {
        let local = Manifest::load(&self.directory.path)?.files.remove(&self.name);
        let may_fail = self.directory.production_only || local.is_some();
        let found = match digest::known(&self.path, &self.stamp) {
            Some(digest) => digest,
            None if !may_fail && self.stamp.bytes > INLINE_BYTES => {
                self.hash_meanwhile();
                return Ok(());
            }
            None => digest::of(&self.path, &self.file, &self.stamp)?,
        };
        self.judge(&found, local)
    }

    fn judge(&mut self, found: &str, local: Option<Entry>) -> Result<()> {
        let expected = production::digest(&self.name);
        if expected == Some(found) {
            self.trusted = true;
            return Ok(());
        }
        if let Some(other) = production::name_of(found) {
            return Err(self.wrong_circuit(self.name.clone(), format!("the production file {other}")));
        }
        if self.directory.production_only {
            return Err(ParameterFault::NotProduction {
                file: self.path.clone(),
                expected: expected.unwrap_or("of a file that the manifest lists").to_owned(),
                found: found.to_owned(),
                remedy: self.remedy(),
            }
            .into());
        }
        self.trusted = local.is_some();
        if let Some(listed) = local.filter(|listed| listed.digest != found) {
            return Err(ParameterFault::NotAsMade {
                file: self.path.clone(),
                manifest: self.directory.path.join(manifest::FILE_NAME),
                expected: listed.digest,
                found: found.to_owned(),
                remedy: self.remedy(),
            }
            .into());
        }
        warn_once(&self.path, &self.stamp, expected, found);
        Ok(())
    }

    /// Hashes on a thread of its own, where the digest will be there for the next process.
    fn hash_meanwhile(&self) {
        if !digest::can_remember(&self.path) {
            log::info!(
                "{}: not hashed, because FIL_PROOFS_VERIFY_PRODUCTION_PARAMS is off and no directory can be written where \
                 the digest would be remembered",
                self.path.display()
            );
            return;
        }
        let (path, stamp, name) = (self.path.clone(), self.stamp, self.name.clone());
        let hash = move || {
            let digest = File::open(&path)
                .map_err(Into::into)
                .and_then(|file| digest::of(&path, &file, &stamp));
            match digest {
                Ok(found) if production::digest(&name) == Some(&found) => {
                    log::info!("{}: is the production file", path.display())
                }
                Ok(found) => warn_once(&path, &stamp, production::digest(&name), &found),
                Err(error) => log::warn!("{error}"),
            }
        };
        let thread = std::thread::Builder::new().name("parameter digest".to_owned());
        if let Err(error) = thread.spawn(hash) {
            log::warn!("{}: not hashed: no thread can be started: {error}", self.path.display());
        }
    }

    /// Decodes the points of a file that no manifest vouches for: its key, and the rest if it has at most `rest` bytes.
    fn check_points(&self, rest: u64) -> Result<()> {
        if self.trusted {
            return Ok(());
        }
        let all = self.stamp.bytes <= rest;
        let found =
            layout::find_bad_point(&self.file, &self.sections, all).map_err(|source| self.unreadable(source))?;
        match found {
            None => Ok(()),
            Some(bad) => Err(ParameterFault::BadPoint {
                file: self.path.clone(),
                group: bad.group,
                point: bad.point,
                offset: bad.offset,
                remedy: self.remedy(),
            }
            .into()),
        }
    }

    /// Proving parameters begin with their verifying key.
    fn check_same_key(&self, params: &KeyFile<'_>) -> Result<()> {
        let key = self.key()?;
        let head = params.read((params.stamp.bytes as usize).min(key.len()))?;
        if key == head {
            return Ok(());
        }
        let same = key.iter().zip(&head).take_while(|(a, b)| a == b).count();
        Err(ParameterFault::KeysDiffer {
            file: self.path.clone(),
            params: params.path.clone(),
            offset: same,
            remedy: format!("remove both and get them with {}", production::how_to_get(&self.name)),
        }
        .into())
    }

    /// The bytes of the verifying key.
    fn key(&self) -> Result<Vec<u8>> {
        self.read(layout::key_bytes(&self.sections))
    }

    fn read(&self, bytes: usize) -> Result<Vec<u8>> {
        let mut start = vec![0; bytes];
        self.file
            .read_exact_at(&mut start, 0)
            .map_err(|source| self.unreadable(source))?;
        Ok(start)
    }

    fn unreadable(&self, source: io::Error) -> ParameterFault {
        let file = self.path.clone();
        ParameterFault::Unreadable { file, source }
    }

    fn wrong_circuit(&self, expected: String, found: String) -> crate::error::Error {
        ParameterFault::WrongCircuit {
            file: self.path.clone(),
            expected,
            found,
            remedy: self.remedy(),
        }
        .into()
    }

    fn remedy(&self) -> String {
        format!("remove it and get it with {}", production::how_to_get(&self.name))
    }
}

fn is_missing(path: &Path) -> bool {
    fs::metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// Once for each state of a file.
fn warn_once(path: &Path, stamp: &Stamp, expected: Option<&str>, found: &str) {
    if lock(&WARNED).insert(*stamp) {
        log::warn!(
            "{}: not the production file (expected the digest {}, found {found}): proofs made with it count for nothing on \
             a real network",
            path.display(),
            expected.unwrap_or("of a file that the manifest lists"),
        );
    }
}
