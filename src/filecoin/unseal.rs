//! Unsealing: the user's bytes out of a sealed sector.

use std::io::{self, Write};
use std::path::PathBuf;

use filecoin_proofs_api::{seal, RegisteredSealProof, UnpaddedByteIndex, UnpaddedBytesAmount};

use crate::error::{Error, Result};

/// Bit-padding turns as many bytes into 128. The proofs crates decode whole groups only, and of any other range they give
/// wrong bytes.
const GROUP_BYTES: u64 = 127;

/// A sealed sector: its files, and what its encoding depends on.
pub struct SealedSector {
    pub cache_dir: PathBuf,
    pub path: PathBuf,
    pub prover_id: [u8; 32],
    pub sector_id: u64,
    pub comm_d: [u8; 32],
    pub ticket: [u8; 32],
}

/// Decodes `len` unpadded bytes from `first` on, and writes them.
pub fn unseal_range(
    proof_type: RegisteredSealProof,
    sector: SealedSector,
    first: u64,
    len: u64,
    output: impl Write,
) -> Result<()> {
    let capacity = u64::from(UnpaddedBytesAmount::from(proof_type.sector_size()));
    let Some(end) = first.checked_add(len).filter(|end| *end <= capacity) else {
        return Err(Error::message(format!(
            "unpadded_byte_index {first} and unpadded_bytes_amount {len} leave the sector, which holds {capacity} bytes"
        )));
    };
    let start_of_groups = first / GROUP_BYTES * GROUP_BYTES;
    let end_of_groups = end.div_ceil(GROUP_BYTES) * GROUP_BYTES;
    seal::get_unsealed_range_mapped(
        proof_type,
        sector.cache_dir,
        sector.path,
        Cut {
            skip: first - start_of_groups,
            take: len,
            output,
        },
        sector.prover_id,
        sector.sector_id.into(),
        sector.comm_d,
        sector.ticket,
        UnpaddedByteIndex(start_of_groups),
        UnpaddedBytesAmount(end_of_groups - start_of_groups),
    )?;
    Ok(())
}

/// Passes on `take` bytes after the first `skip`, and drops the others.
struct Cut<W> {
    skip: u64,
    take: u64,
    output: W,
}

impl<W: Write> Write for Cut<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let skipped = self.skip.min(bytes.len() as u64);
        let taken = self.take.min(bytes.len() as u64 - skipped);
        self.output
            .write_all(&bytes[skipped as usize..(skipped + taken) as usize])?;
        self.skip -= skipped;
        self.take -= taken;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_across_writes() {
        for chunk in 1..=10 {
            let mut cut = Cut {
                skip: 3,
                take: 5,
                output: Vec::new(),
            };
            for bytes in b"0123456789".chunks(chunk) {
                cut.write_all(bytes).unwrap();
            }
            assert_eq!(cut.output, b"34567", "in writes of {chunk}");
        }
    }
}
