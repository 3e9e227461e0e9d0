//! The list of locally made parameter files in a directory. Their digests are in no published list, so this one is what a
//! damaged file is found by.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

pub const FILE_NAME: &str = "filcrypto-local-parameters.json";
const TEMPORARY_NAME: &str = ".filcrypto-local-parameters.json.tmp";

#[derive(Serialize, Deserialize)]
pub struct Manifest {
    /// Always true: the maker of these files can forge proofs.
    pub insecure: bool,
    pub made_by: String,
    pub files: BTreeMap<String, Entry>,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Entry {
    /// The first 32 hexadecimal digits of BLAKE2b-512, as in the published lists.
    pub digest: String,
    pub bytes: u64,
    pub kind: String,
    /// None for the SRS, which serves all sizes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sector_size: Option<u64>,
}

impl Default for Manifest {
    fn default() -> Self {
        Self {
            insecure: true,
            made_by: concat!("filcrypto ", env!("CARGO_PKG_VERSION")).to_owned(),
            files: BTreeMap::new(),
        }
    }
}

impl Manifest {
    /// The manifest of a directory; an empty one where there is none.
    pub fn load(directory: &Path) -> Result<Self> {
        let path = directory.join(FILE_NAME);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(Error::message(format!("cannot read {}: {error}", path.display()))),
        };
        serde_json::from_slice(&text).map_err(|error| {
            let path = path.display();
            Error::message(format!(
                "{path} is damaged ({error}): remove it together with the parameter files beside it, and make them again"
            ))
        })
    }

    /// Replaces the directory's manifest, at once or not at all.
    pub fn store(&self, directory: &Path) -> Result<()> {
        let temporary = directory.join(TEMPORARY_NAME);
        let path = directory.join(FILE_NAME);
        let write = || -> io::Result<()> {
            let mut file = File::create(&temporary)?;
            serde_json::to_writer_pretty(&mut file, self)?;
            file.write_all(b"\n")?;
            file.sync_all()?;
            fs::rename(&temporary, &path)?;
            File::open(directory)?.sync_all()
        };
        write().map_err(|error| Error::message(format!("cannot write {}: {error}", path.display())))
    }
}
