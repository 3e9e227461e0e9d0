//! Conversions between C types and what the layers below take and give.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use filecoin_proofs_api as api;

use super::types::*;
use crate::error::{Error, Result};
use crate::filecoin::post::{PrivateReplica, Replicas, TypedProof};

/// A path from its bytes. One with a NUL inside can name no file.
pub fn path(argument: &'static str, bytes: &[u8]) -> Result<PathBuf> {
    if bytes.contains(&0) {
        return Err(Error::NulInPath { argument });
    }
    Ok(OsStr::from_bytes(bytes).into())
}

/// Shadows path arguments, borrowed before, with `PathBuf`s.
macro_rules! paths {
    ($($argument:ident),+ $(,)?) => {
        $(let $argument = $crate::ffi::convert::path(stringify!($argument), $argument)?;)+
    };
}
pub(super) use paths;

pub fn pieces(pieces: &[PublicPieceInfo]) -> Vec<api::PieceInfo> {
    let convert = |piece: &PublicPieceInfo| api::PieceInfo {
        commitment: piece.comm_p.idx,
        size: api::UnpaddedBytesAmount(piece.num_bytes),
    };
    pieces.iter().map(convert).collect()
}

pub fn byte_strings(list: &[slice_boxed_uint8]) -> Vec<Vec<u8>> {
    list.iter().map(|bytes| bytes.as_slice().to_vec()).collect()
}

pub fn arrays(list: &[uint8_32_array]) -> Vec<[u8; 32]> {
    list.iter().map(|array| array.idx).collect()
}

pub fn private_replica(
    replica: &PrivateReplicaInfo,
) -> Result<(api::RegisteredPoStProof, api::SectorId, PrivateReplica)> {
    let proof_type = post_proof(replica.registered_proof)?;
    let private = PrivateReplica {
        proof_type,
        comm_r: replica.comm_r.idx,
        cache_dir: path("cache_dir_path", replica.cache_dir_path.as_slice())?,
        path: path("replica_path", replica.replica_path.as_slice())?,
    };
    Ok((proof_type, replica.sector_id.into(), private))
}

pub fn private_replicas(replicas: &[PrivateReplicaInfo]) -> Result<Replicas<PrivateReplica>> {
    replicas.iter().map(private_replica).collect()
}

pub fn public_replicas(replicas: &[PublicReplicaInfo]) -> Result<Replicas<api::PublicReplicaInfo>> {
    let convert = |replica: &PublicReplicaInfo| {
        let proof_type = post_proof(replica.registered_proof)?;
        let info = api::PublicReplicaInfo::new(proof_type, replica.comm_r.idx);
        Ok((proof_type, replica.sector_id.into(), info))
    };
    replicas.iter().map(convert).collect()
}

pub fn post_proofs(proofs: Vec<TypedProof>) -> slice_boxed_PoStProof {
    let convert = |(proof_type, proof): TypedProof| PoStProof {
        registered_proof: post_proof_number(proof_type),
        proof: proof.into(),
    };
    proofs.into_iter().map(convert).collect::<Vec<_>>().into()
}
