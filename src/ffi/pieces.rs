//! Pieces: writing them into a staged sector, and their commitments.

use filecoin_proofs_api::{seal, RegisteredSealProof, UnpaddedBytesAmount};

use super::boundary::{guard, respond};
use super::types::*;
use super::{convert, descriptor};
use crate::filecoin::pieces::check_fit;

/// Bit-pads a piece and appends it to a staged sector, after the zero padding that aligns it behind the pieces already there.
///
/// @param registered_proof       a `RegisteredSealProof`
/// @param src_fd                 readable, at the start of the piece; its offset moves; stays open
/// @param src_size               unpadded bytes of the piece: 127 * 2^k, at least 127
/// @param dst_fd                 readable and writable, at the end of what is staged; its offset moves; stays open
/// @param existing_piece_sizes   unpadded sizes of the pieces already written, in order; borrowed
/// @return CommP, inserted padding and bytes written, unpadded. Free with destroy_write_with_alignment_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn write_with_alignment(
    registered_proof: RegisteredSealProof_t,
    src_fd: i32,
    src_size: u64,
    dst_fd: i32,
    existing_piece_sizes: slice_ref_uint64_t,
) -> *mut Result_WriteWithAlignment_t {
    respond("write_with_alignment", || {
        borrow!(existing_piece_sizes);
        let proof_type = seal_proof(registered_proof)?;
        let source = descriptor::duplicate("src_fd", src_fd)?;
        let target = descriptor::duplicate("dst_fd", dst_fd)?;
        let size = UnpaddedBytesAmount(src_size);
        let existing: Vec<_> = existing_piece_sizes.iter().copied().map(UnpaddedBytesAmount).collect();
        check_fit(proof_type, &existing, size)?;
        let (piece, written) = seal::add_piece(proof_type, source, target, size, &existing)?;
        Ok(WriteWithAlignment {
            comm_p: uint8_32_array { idx: piece.commitment },
            left_alignment_unpadded: (written - size).into(),
            total_write_unpadded: written.into(),
        })
    })
}

/// Bit-pads the first piece of a staged sector.
///
/// @param registered_proof  a `RegisteredSealProof`
/// @param src_fd            readable, at the start of the piece; its offset moves; stays open
/// @param src_size          unpadded bytes of the piece: 127 * 2^k, at least 127
/// @param dst_fd            readable and writable; its offset moves; stays open
/// @return CommP and bytes written, unpadded. Free with destroy_write_without_alignment_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn write_without_alignment(
    registered_proof: RegisteredSealProof_t,
    src_fd: i32,
    src_size: u64,
    dst_fd: i32,
) -> *mut Result_WriteWithoutAlignment_t {
    respond("write_without_alignment", || {
        let proof_type = seal_proof(registered_proof)?;
        let source = descriptor::duplicate("src_fd", src_fd)?;
        let target = descriptor::duplicate("dst_fd", dst_fd)?;
        let size = UnpaddedBytesAmount(src_size);
        let (piece, written) = seal::write_and_preprocess(proof_type, source, target, size)?;
        Ok(WriteWithoutAlignment {
            comm_p: uint8_32_array { idx: piece.commitment },
            total_write_unpadded: written.into(),
        })
    })
}

/// Computes CommP of an unpadded piece.
///
/// @param registered_proof     a `RegisteredSealProof`
/// @param piece_fd_raw         readable, at the start of the piece; its offset moves; stays open
/// @param unpadded_piece_size  bytes to read: 127 * 2^k, at least 127
/// @return CommP and the unpadded size with alignment. Free with destroy_generate_piece_commitment_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn generate_piece_commitment(
    registered_proof: RegisteredSealProof_t,
    piece_fd_raw: i32,
    unpadded_piece_size: u64,
) -> *mut Result_GeneratePieceCommitment_t {
    respond("generate_piece_commitment", || {
        let proof_type = seal_proof(registered_proof)?;
        let piece = descriptor::duplicate("piece_fd_raw", piece_fd_raw)?;
        let info = seal::generate_piece_commitment(proof_type, piece, UnpaddedBytesAmount(unpadded_piece_size))?;
        Ok(GeneratePieceCommitment {
            comm_p: uint8_32_array { idx: info.commitment },
            num_bytes_aligned: info.size.into(),
        })
    })
}

/// Computes CommD of a sector from its pieces; what they leave free is zeros.
///
/// @param registered_proof  a `RegisteredSealProof`
/// @param pieces            in order; none gives the commitment of an empty sector; borrowed
/// @return CommD. Free with destroy_generate_data_commitment_response. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn generate_data_commitment(
    registered_proof: RegisteredSealProof_t,
    pieces: slice_ref_PublicPieceInfo_t,
) -> *mut Result_uint8_32_array_t {
    respond("generate_data_commitment", || {
        borrow!(pieces);
        let idx = seal::compute_comm_d(seal_proof(registered_proof)?, &convert::pieces(pieces))?;
        Ok(uint8_32_array { idx })
    })
}

/// Returns how many bytes of user data fit into a sector.
///
/// @param registered_proof  a `RegisteredSealProof`
/// @return unpadded bytes: 127/128 of the sector size; 0 for an unknown type. Threads: any.
#[no_mangle]
pub extern "C" fn get_max_user_bytes_per_staged_sector(registered_proof: RegisteredSealProof_t) -> u64 {
    guard("get_max_user_bytes_per_staged_sector", 0, || {
        let size = RegisteredSealProof::sector_size(seal_proof(registered_proof)?);
        Ok(UnpaddedBytesAmount::from(size).into())
    })
}
