//! The list of parameter files that `filcrypto params` made in a directory: insecure ones, for testing.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::{ParameterFault, Result};

pub const LOCAL_MANIFEST: &str = "filcrypto-local-parameters.json";

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct LocalManifest {
    pub insecure: bool,
    pub made_by: String,
    /// By file name.
    pub files: BTreeMap<String, LocalFile>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LocalFile {
    /// As in the production manifest: blake2b-512, the first 32 hexadecimal digits.
    pub digest: String,
    pub bytes: u64,
}

impl LocalManifest {
    /// The directory's list; an empty one where there is none.
    pub fn read(directory: &Path) -> Result<Self> {
        let file = directory.join(LOCAL_MANIFEST);
        match fs::read(&file) {
            Ok(bytes) => {
                serde_json::from_slice(&bytes).map_err(|source| ParameterFault::Manifest { file, source }.into())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(source) => Err(ParameterFault::Unreadable { file, source }.into()),
        }
    }
}
