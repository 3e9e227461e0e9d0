//! Sealed 2 KiB sectors, and everything that can be proved about them.
#![allow(dead_code)] // Each test uses its part.

use std::fs::{self, File};
use std::io::Cursor;
use std::path::{Path, PathBuf};

use filcrypto::filecoin::post::{PrivateReplica, Replicas};
use filcrypto::filecoin::update::{self, Commitments, Paths};
use filecoin_proofs_api::seal::{self, SealCommitPhase1Output, SealPreCommitPhase2Output};
use filecoin_proofs_api::{
    post, update as update_api, PieceInfo, PublicReplicaInfo, RegisteredPoStProof, RegisteredSealProof,
    RegisteredUpdateProof, SectorId, UnpaddedBytesAmount,
};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tempfile::TempDir;

pub const PROVER_ID: [u8; 32] = [3; 32];
pub const RANDOMNESS: [u8; 32] = [5; 32];
pub const TICKET: [u8; 32] = [7; 32];
pub const SEED: [u8; 32] = [9; 32];
pub const WINNING: RegisteredPoStProof = RegisteredPoStProof::StackedDrgWinning2KiBV1;
pub const WINDOW: RegisteredPoStProof = RegisteredPoStProof::StackedDrgWindow2KiBV1_2;
pub const UPDATE: RegisteredUpdateProof = RegisteredUpdateProof::StackedDrg2KiBV1;
const SECTOR_BYTES: usize = 2048;
const PIECE_BYTES: u64 = 2032;

pub struct Sector {
    directory: TempDir,
    pub id: u64,
    pub proof_type: RegisteredSealProof,
    pub pre_commit: SealPreCommitPhase2Output,
    pieces: Vec<PieceInfo>,
}

impl Sector {
    /// Sealed with random content.
    pub fn seal(proof_type: RegisteredSealProof, id: u64) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        fs::create_dir(at("cache")).unwrap();
        let (content, pieces) = piece(proof_type, id);
        fs::write(at("staged"), content).unwrap();
        File::create(at("sealed")).unwrap();
        let (cache, staged, sealed) = (at("cache"), at("staged"), at("sealed"));
        let phase1 = seal::seal_pre_commit_phase1(
            proof_type,
            &cache,
            staged,
            &sealed,
            PROVER_ID,
            id.into(),
            TICKET,
            &pieces,
        );
        let pre_commit = seal::seal_pre_commit_phase2(phase1.unwrap(), &cache, &sealed).unwrap();
        Self {
            directory,
            id,
            proof_type,
            pre_commit,
            pieces,
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn phase1(&self) -> SealCommitPhase1Output {
        let (cache, sealed) = (self.path("cache"), self.path("sealed"));
        let pre_commit = self.pre_commit.clone();
        seal::seal_commit_phase1(
            cache,
            sealed,
            PROVER_ID,
            self.id.into(),
            TICKET,
            SEED,
            pre_commit,
            &self.pieces,
        )
        .unwrap()
    }

    fn replica(&self, proof_type: RegisteredPoStProof) -> PrivateReplica {
        PrivateReplica {
            proof_type,
            comm_r: self.pre_commit.comm_r,
            cache_dir: self.path("cache"),
            path: self.path("sealed"),
        }
    }

    /// Puts other content into the sector; gives what an update proof is about and its files.
    pub fn update(&self) -> (Commitments, Paths) {
        let at = |name: &str| self.path(name);
        fs::create_dir(at("new cache")).unwrap();
        let (content, pieces) = piece(self.proof_type, self.id + 1000);
        fs::write(at("new staged"), content).unwrap();
        fs::write(at("new"), [0; SECTOR_BYTES]).unwrap();
        let encoded = update_api::empty_sector_update_encode_into(
            UPDATE,
            at("new"),
            at("new cache"),
            at("sealed"),
            at("cache"),
            at("new staged"),
            &pieces,
        );
        let encoded = encoded.unwrap();
        let commitments = Commitments {
            comm_r_old: self.pre_commit.comm_r,
            comm_r_new: encoded.comm_r_new,
            comm_d_new: encoded.comm_d_new,
        };
        (commitments, self.update_paths())
    }

    pub fn update_paths(&self) -> Paths {
        Paths {
            sector_key: self.path("sealed"),
            sector_key_cache: self.path("cache"),
            replica: self.path("new"),
            replica_cache: self.path("new cache"),
        }
    }

    pub fn update_vanilla_proofs(&self, commitments: &Commitments) -> Vec<Vec<u8>> {
        update::partition_proofs(UPDATE, commitments, self.update_paths()).unwrap()
    }
}

fn piece(proof_type: RegisteredSealProof, seed: u64) -> (Vec<u8>, Vec<PieceInfo>) {
    let mut content = vec![0; PIECE_BYTES as usize];
    ChaCha8Rng::seed_from_u64(seed).fill_bytes(&mut content);
    let mut staged = Cursor::new(Vec::new());
    let size = UnpaddedBytesAmount(PIECE_BYTES);
    let (info, _) = seal::add_piece(proof_type, Cursor::new(content), &mut staged, size, &[]).unwrap();
    (staged.into_inner(), vec![info])
}

pub fn private(sectors: &[Sector], proof_type: RegisteredPoStProof) -> Replicas<PrivateReplica> {
    sectors
        .iter()
        .map(|sector| (proof_type, sector.id.into(), sector.replica(proof_type)))
        .collect()
}

pub fn public(sectors: &[Sector], proof_type: RegisteredPoStProof) -> Replicas<PublicReplicaInfo> {
    let info = |sector: &Sector| PublicReplicaInfo::new(proof_type, sector.pre_commit.comm_r);
    sectors
        .iter()
        .map(|sector| (proof_type, sector.id.into(), info(sector)))
        .collect()
}

/// As a storage provider's workers make them, one a sector.
pub fn vanilla_proofs(sectors: &[Sector], proof_type: RegisteredPoStProof) -> Vec<Vec<u8>> {
    let ids: Vec<SectorId> = sectors.iter().map(|sector| sector.id.into()).collect();
    let challenges = post::generate_fallback_sector_challenges(proof_type, &RANDOMNESS, &ids, PROVER_ID).unwrap();
    let vanilla = |sector: &Sector| {
        let info = sector.replica(proof_type).info();
        let id = sector.id.into();
        post::generate_single_vanilla_proof(proof_type, id, &info, &challenges[&id]).unwrap()
    };
    sectors.iter().map(vanilla).collect()
}

/// Flips a bit of a proof.
pub fn tampered(proof: &[u8]) -> Vec<u8> {
    let mut proof = proof.to_vec();
    // Of the first element's x coordinate: still a number below the modulus, but another point or none.
    proof[47] ^= 1;
    proof
}

pub fn exists(path: &Path) -> bool {
    path.exists()
}
