//! Recordings on disk. A file holds a template that has passed its comparison with the circuit, its key and a digest over
//! all of it; whatever is foreign, stale or damaged counts as absent and is made anew.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bellperson::Circuit;
use rayon::ThreadPool;

use super::bits::reserve;
use super::file::{decode, encode};
use super::template::Template;
use super::{Assignment, Densities, Evaluate, Fr};
use crate::error::Result;

/// Goes up whenever a recording of the same circuit would be another one, or would be written in another form.
const FORMAT: u32 = 1;
/// Circuits are made by dependencies, so a recording is good for one exact set of them.
const DEPENDENCIES: &str = include_str!("../../../Cargo.lock");

/// A template that is on disk, or will be once it has been compared with its circuit.
pub struct Recording {
    template: Template,
    key: Vec<u8>,
    file: Option<PathBuf>,
    compared: AtomicBool,
}

impl Recording {
    /// Takes the recording of circuit `id` from `directory`, or makes it with `record`. Without a directory nothing is kept.
    pub fn load_or_record(
        directory: Option<&Path>,
        id: &str,
        record: impl FnOnce() -> Result<Template>,
    ) -> Result<Self> {
        let key = key(id);
        let file = directory.map(|directory| directory.join(file_name(id, &key)));
        let loaded = file.as_deref().and_then(|file| load(file, &key));
        let compared = AtomicBool::new(loaded.is_some());
        let template = match loaded {
            Some(template) => template,
            None => record()?,
        };
        Ok(Self {
            template,
            key,
            file,
            compared,
        })
    }

    pub fn template(&self) -> &Template {
        &self.template
    }

    /// Whether this recording has been compared with its circuit, now or before it was written to disk.
    pub fn is_compared(&self) -> bool {
        self.compared.load(Ordering::Acquire)
    }

    /// The comparison that a recording must pass at its first use: see [`Template::compare`]. Afterwards it is written to
    /// disk; a failure of that is logged and does no harm.
    pub fn compare<C: Circuit<Fr>>(&self, circuit: C, assignment: &Assignment, evaluated: [&[Fr]; 3]) -> Result<()> {
        self.template.compare(circuit, assignment, evaluated)?;
        if !self.compared.swap(true, Ordering::AcqRel) {
            if let Some(file) = &self.file {
                save(file, &self.key, &self.template).unwrap_or_else(|error| {
                    log::warn!("the recording {} cannot be kept: {error}", file.display());
                });
            }
        }
        Ok(())
    }
}

impl Evaluate for Recording {
    fn rows(&self) -> usize {
        self.template.rows()
    }

    fn densities(&self) -> &Densities {
        self.template.densities()
    }

    fn evaluate(
        &self,
        assignment: &Assignment,
        a: &mut [Fr],
        b: &mut [Fr],
        c: &mut [Fr],
        pool: &ThreadPool,
    ) -> Result<()> {
        self.template.evaluate(assignment, a, b, c, pool)
    }
}

fn key(id: &str) -> Vec<u8> {
    let dependencies = blake2b_simd::blake2b(DEPENDENCIES.as_bytes());
    format!("{id}\nformat {FORMAT}\ndependencies {}\n", dependencies.to_hex()).into_bytes()
}

fn file_name(id: &str, key: &[u8]) -> String {
    let readable: String = id
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' })
        .take(100)
        .collect();
    let digest = blake2b_simd::Params::new().hash_length(8).hash(key).to_hex();
    format!("{readable}-{digest}.r1cs")
}

/// The template in a file, if there is one and it is whole and ours.
fn load(file: &Path, key: &[u8]) -> Option<Template> {
    match read(file) {
        Ok(None) => None,
        Ok(Some(bytes)) => {
            let template = decode(&bytes, key);
            if template.is_none() {
                log::warn!(
                    "the recording {} is damaged or of another version: made anew",
                    file.display()
                );
            }
            template
        }
        Err(error) => {
            log::warn!("the recording {} cannot be read: {error}; made anew", file.display());
            None
        }
    }
}

fn read(file: &Path) -> Result<Option<Vec<u8>>> {
    let mut opened = match File::open(file) {
        Ok(opened) => opened,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let mut bytes = Vec::new();
    reserve(&mut bytes, opened.metadata()?.len() as usize)?;
    std::io::Read::read_to_end(&mut opened, &mut bytes)?;
    Ok(Some(bytes))
}

/// Writes a file that appears whole or not at all.
fn save(file: &Path, key: &[u8], template: &Template) -> Result<()> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    if let Some(directory) = file.parent() {
        fs::create_dir_all(directory)?;
    }
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let temporary = file.with_extension(format!("{}-{number}.tmp", std::process::id()));
    let written = write(&temporary, key, template).and_then(|()| Ok(fs::rename(&temporary, file)?));
    if written.is_err() {
        // What is left of the attempt; that it cannot be removed either changes nothing.
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn write(file: &Path, key: &[u8], template: &Template) -> Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    encode(&mut out, key, template)?;
    out.flush()?;
    Ok(out.get_ref().sync_all()?)
}

#[cfg(test)]
mod tests {
    use super::super::samples::{self, Sample};
    use super::super::tests::evaluate;
    use super::super::{record, synthesize};
    use super::*;

    fn sample() -> Sample {
        samples::all()
            .into_iter()
            .find(|sample| sample.name == "nested")
            .expect("the sample")
    }

    fn open(directory: &Path, id: &str) -> Recording {
        Recording::load_or_record(Some(directory), id, || record(sample().blank())).unwrap()
    }

    fn compare(recording: &Recording) {
        let assignment = synthesize(sample()).unwrap();
        let [a, b, c] = evaluate(recording, &assignment);
        recording.compare(sample().blank(), &assignment, [&a, &b, &c]).unwrap();
    }

    fn files(directory: &Path) -> Vec<PathBuf> {
        fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect()
    }

    #[test]
    fn a_recording_is_kept_once_it_has_been_compared() {
        let directory = tempfile::tempdir().unwrap();
        let first = open(directory.path(), "circuit/one");
        assert!(!first.is_compared());
        assert_eq!(files(directory.path()).len(), 0);
        compare(&first);
        assert!(first.is_compared());
        assert_eq!(files(directory.path()).len(), 1);

        let again =
            Recording::load_or_record(Some(directory.path()), "circuit/one", || panic!("it is on disk")).unwrap();
        assert!(again.is_compared());
        assert!(again.template() == first.template());
        // Another circuit has a file of its own.
        assert!(!open(directory.path(), "circuit/two").is_compared());
    }

    #[test]
    fn a_damaged_file_is_never_used() {
        let directory = tempfile::tempdir().unwrap();
        compare(&open(directory.path(), "circuit"));
        let file = files(directory.path()).remove(0);
        let whole = fs::read(&file).unwrap();
        let mut damaged = vec![Vec::new(), whole[..7].to_vec(), whole[..whole.len() - 1].to_vec()];
        damaged.push([&whole[..], &[0]].concat());
        for place in [0, 9, 40, whole.len() / 2, whole.len() - 1] {
            let mut flipped = whole.clone();
            flipped[place] ^= 0x10;
            damaged.push(flipped);
        }
        for bytes in damaged {
            fs::write(&file, bytes).unwrap();
            assert!(!open(directory.path(), "circuit").is_compared());
        }
        // The next comparison mends it.
        compare(&open(directory.path(), "circuit"));
        assert_eq!(fs::read(&file).unwrap(), whole);
    }

    #[test]
    fn a_foreign_file_is_never_used() {
        let directory = tempfile::tempdir().unwrap();
        compare(&open(directory.path(), "mine"));
        let mine = files(directory.path()).remove(0);
        let foreign = directory.path().join(file_name("other", &key("other")));
        fs::rename(mine, foreign).unwrap();
        assert!(!open(directory.path(), "other").is_compared());
    }

    #[test]
    fn a_directory_that_cannot_be_written_does_no_harm() {
        let directory = tempfile::tempdir().unwrap();
        let blocked = directory.path().join("a file");
        fs::write(&blocked, "").unwrap();
        let recording = open(&blocked.join("below"), "circuit");
        compare(&recording);
        assert!(recording.is_compared());
    }
}
