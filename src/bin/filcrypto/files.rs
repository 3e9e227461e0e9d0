//! Files that appear under their name only when they are whole, and never replace another.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use blake2b_simd::State;
use filcrypto::error::{Error, Result};

/// Marks the files being written; what carries it outside a run is left over from one that was killed.
const UNFINISHED: &str = ".filcrypto-unfinished";
const BUFFER_BYTES: usize = 1 << 20;

/// A directory that no other run works in.
pub struct Directory {
    path: PathBuf,
    /// Holds the lock.
    _handle: File,
}

impl Directory {
    /// Makes the directory if need be, locks it and clears what killed runs left behind.
    pub fn lock(path: &Path) -> Result<Self> {
        fs::create_dir_all(path).map_err(|error| unusable("make directory", path, error))?;
        let handle = File::open(path).map_err(|error| failed("open", path, error))?;
        match handle.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::message(format!(
                    "another run is making parameters in {}: wait for it to end",
                    path.display()
                )))
            }
            Err(TryLockError::Error(error)) => return Err(failed("lock", path, error)),
        }
        let directory = Self {
            path: path.to_owned(),
            _handle: handle,
        };
        directory.clear()?;
        Ok(directory)
    }

    fn clear(&self) -> Result<()> {
        for entry in fs::read_dir(&self.path).map_err(|error| failed("list", &self.path, error))? {
            let path = entry.map_err(|error| failed("list", &self.path, error))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with('.') && name.ends_with(UNFINISHED) {
                // In a directory that allows no change there may still be nothing to do.
                let _ = fs::remove_file(&path);
            }
        }
        Ok(())
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The size of a file, None where there is none.
    pub fn size(&self, name: &str) -> Result<Option<u64>> {
        let path = self.path.join(name);
        match fs::metadata(&path) {
            Ok(found) => Ok(Some(found.len())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed("look at", &path, error)),
        }
    }

    pub fn require_space(&self, bytes: u64) -> Result<()> {
        let available = fs2::available_space(&self.path).map_err(|error| failed("look at", &self.path, error))?;
        if available < bytes {
            return Err(Error::message(format!(
                "{} has {available} bytes left, {bytes} are needed: free some, or choose another directory with --dir",
                self.path.display()
            )));
        }
        Ok(())
    }

    /// Starts a file that will be called `name`.
    pub fn begin(&self, name: &str) -> Result<NewFile> {
        let path = self.path.join(name);
        let unfinished = self.path.join(format!(".{name}{UNFINISHED}"));
        let file = File::create(&unfinished).map_err(|error| unusable("write", &path, error))?;
        Ok(NewFile {
            path,
            unfinished,
            out: BufWriter::with_capacity(BUFFER_BYTES, file),
            hash: State::new(),
            bytes: 0,
        })
    }
}

/// Like [`failed`], for what another directory would cure.
fn unusable(verb: &str, path: &Path, error: io::Error) -> Error {
    Error::message(format!(
        "cannot {verb} {}: {error}; choose another directory with --dir or FIL_PROOFS_PARAMETER_CACHE",
        path.display()
    ))
}

fn failed(verb: &str, path: &Path, error: io::Error) -> Error {
    Error::message(format!("cannot {verb} {}: {error}", path.display()))
}

/// A file being written. Dropped before [`WholeFile::appear`], it is gone.
pub struct NewFile {
    path: PathBuf,
    unfinished: PathBuf,
    out: BufWriter<File>,
    hash: State,
    bytes: u64,
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl NewFile {
    /// Fills the file and brings it to the disk.
    pub fn fill(mut self, write: impl FnOnce(&mut Self) -> io::Result<()>) -> Result<WholeFile> {
        let filled = write(&mut self)
            .and_then(|()| self.out.flush())
            .and_then(|()| self.out.get_ref().sync_all());
        filled.map_err(|error| failed("write", &self.path, error))?;
        let digest = self.hash.finalize().to_hex()[..32].to_owned();
        Ok(WholeFile {
            digest,
            bytes: self.bytes,
            file: self,
        })
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // A file that cannot be removed now is cleared by the next run.
        let _ = fs::remove_file(&self.unfinished);
    }
}

/// A file that is on the disk, but not yet under its name.
pub struct WholeFile {
    /// As the published lists have it: the first 32 hexadecimal digits of BLAKE2b-512.
    pub digest: String,
    pub bytes: u64,
    file: NewFile,
}

impl WholeFile {
    /// Gives the file its name; an error if there is one of that name by now.
    pub fn appear(self) -> Result<()> {
        let NewFile { path, unfinished, .. } = &self.file;
        fs::hard_link(unfinished, path).map_err(|error| failed("make", path, error))?;
        let directory = path.parent().unwrap_or(Path::new("."));
        let synced = File::open(directory).and_then(|directory| directory.sync_all());
        synced.map_err(|error| failed("write", directory, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_is_too_small_is_named_with_what_is_needed() {
        let home = tempfile::tempdir().unwrap();
        let directory = Directory::lock(home.path()).unwrap();
        directory.require_space(1).unwrap();
        let text = directory.require_space(u64::MAX).unwrap_err().to_string();
        assert!(text.contains(home.path().to_str().unwrap()), "{text}");
        assert!(
            text.contains(&format!("{} are needed", u64::MAX)) && text.contains("--dir"),
            "{text}"
        );
    }

    #[test]
    fn a_file_that_appeared_meanwhile_is_not_replaced() {
        let home = tempfile::tempdir().unwrap();
        let directory = Directory::lock(home.path()).unwrap();
        let whole = directory
            .begin("name")
            .unwrap()
            .fill(|out| out.write_all(b"ours"))
            .unwrap();
        fs::write(home.path().join("name"), "theirs").unwrap();
        let text = whole.appear().unwrap_err().to_string();
        assert!(text.contains("name") && text.contains("exists"), "{text}");
        assert_eq!(fs::read(home.path().join("name")).unwrap(), b"theirs");
        assert_eq!(
            fs::read_dir(home.path()).unwrap().count(),
            1,
            "the unfinished file is gone"
        );
    }

    #[test]
    fn a_failed_write_leaves_nothing() {
        let home = tempfile::tempdir().unwrap();
        let directory = Directory::lock(home.path()).unwrap();
        let full = |_: &mut NewFile| Err(io::Error::from(io::ErrorKind::StorageFull));
        assert!(directory.begin("name").unwrap().fill(full).is_err());
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
    }
}
