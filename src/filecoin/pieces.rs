//! Pieces: whether one fits into its sector.

use filecoin_proofs::pieces::{get_piece_alignment, sum_piece_bytes_with_alignment};
use filecoin_proofs_api::{RegisteredSealProof, UnpaddedBytesAmount};

use crate::error::{Error, Result};

/// Refuses a piece that, aligned behind the existing ones, would leave the sector. The proofs crates write any amount of
/// padding, and never end for the largest sizes.
pub fn check_fit(
    proof_type: RegisteredSealProof,
    existing: &[UnpaddedBytesAmount],
    size: UnpaddedBytesAmount,
) -> Result<()> {
    let capacity = UnpaddedBytesAmount::from(proof_type.sector_size());
    if let Some(piece) = existing.iter().chain([&size]).find(|piece| **piece > capacity) {
        return Err(Error::message(format!(
            "a piece of {} bytes is larger than the sector, which holds {} unpadded bytes",
            u64::from(*piece),
            u64::from(capacity),
        )));
    }
    let written = sum_piece_bytes_with_alignment(existing);
    let needed = written + get_piece_alignment(written, size).sum(size);
    if needed > capacity {
        return Err(Error::message(format!(
            "a piece of {} bytes behind existing_piece_sizes needs {} bytes with its alignment, but the sector holds {} \
             unpadded bytes",
            u64::from(size),
            u64::from(needed),
            u64::from(capacity),
        )));
    }
    Ok(())
}
