//! The `.params` format: six elements of the verifying key, then six lists of points, each behind a 32-bit count. All is
//! big-endian, points are in the uncompressed form of zcash, and nothing else is in the file.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::math::region::{G1_BYTES, G2_BYTES};

const COUNT_BYTES: u64 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Group {
    G1,
    G2,
}

impl Group {
    /// Of one point, in the file as in memory.
    pub fn point_bytes(self) -> usize {
        match self {
            Self::G1 => G1_BYTES,
            Self::G2 => G2_BYTES,
        }
    }
}

/// The runs of points in the order of the file. Those before `IC` are single points.
pub const NAMES: [(&str, Group); 12] = [
    ("alpha_g1", Group::G1),
    ("beta_g1", Group::G1),
    ("beta_g2", Group::G2),
    ("gamma_g2", Group::G2),
    ("delta_g1", Group::G1),
    ("delta_g2", Group::G2),
    ("ic", Group::G1),
    ("h", Group::G1),
    ("l", Group::G1),
    ("a", Group::G1),
    ("b_g1", Group::G1),
    ("b_g2", Group::G2),
];
pub const IC: usize = 6;
/// The runs up to and with `ic` are the verifying key.
pub const KEY_RUNS: usize = IC + 1;

/// Points of one kind, one after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub name: &'static str,
    pub group: Group,
    /// Of the first point, in the file.
    pub offset: u64,
    pub count: u64,
}

impl Run {
    pub fn bytes(&self) -> u64 {
        self.count * self.group.point_bytes() as u64
    }
}

/// Reads the counts and checks that they account for every byte of the file.
pub fn read(path: &Path, file: &File, file_bytes: u64) -> Result<Vec<Run>> {
    let mut runs = Vec::with_capacity(NAMES.len());
    let mut offset = 0;
    for (index, (name, group)) in NAMES.into_iter().enumerate() {
        let count = match index {
            0..IC => 1,
            _ => {
                let count = read_count(path, file, name, offset, file_bytes)?;
                offset += COUNT_BYTES;
                count
            }
        };
        let run = Run {
            name,
            group,
            offset,
            count,
        };
        offset += run.bytes();
        if offset > file_bytes {
            return Err(Error::message(format!(
                "{}: {count} points of {name} at offset {} need {offset} bytes, and the file has {file_bytes}: fetch it again",
                path.display(),
                run.offset,
            )));
        }
        runs.push(run);
    }
    if offset != file_bytes {
        return Err(Error::message(format!(
            "{}: the last point ends at offset {offset}, and the file has {file_bytes} bytes: fetch it again",
            path.display()
        )));
    }
    Ok(runs)
}

fn read_count(path: &Path, file: &File, name: &str, offset: u64, file_bytes: u64) -> Result<u64> {
    let mut count = [0; COUNT_BYTES as usize];
    match file.read_exact_at(&mut count, offset) {
        Ok(()) => Ok(u32::from_be_bytes(count).into()),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(Error::message(format!(
            "{}: the number of points of {name} belongs at offset {offset}, and the file has {file_bytes} bytes: fetch it again",
            path.display()
        ))),
        Err(error) => Err(unreadable(path, offset, &error)),
    }
}

pub fn unreadable(path: &Path, offset: u64, error: &io::Error) -> Error {
    Error::message(format!(
        "{}: cannot be read at offset {offset}: {error}",
        path.display()
    ))
}
