//! Winning and Window PoSt by our own prover.

use std::collections::BTreeMap;

use filecoin_hashers::Hasher;
use filecoin_proofs::parameters::{window_post_public_params, winning_post_public_params};
use filecoin_proofs::{
    as_safe_commitment, partition_vanilla_proofs, single_partition_vanilla_proofs, with_shape, FallbackPoStSectorProof,
    MerkleTreeTrait, PoStConfig, PrivateReplicaInfo,
};
use filecoin_proofs_api::{PoStType, RegisteredPoStProof, SectorId};
use storage_proofs_core::proof::ProofScheme;
use storage_proofs_post::fallback::{
    self, FallbackPoSt, FallbackPoStCircuit, FallbackPoStCompound, PrivateSector, PublicSector,
};

use super::post::PrivateReplica;
use super::proving::{self, Statement};
use crate::error::{Error, Result};

/// Which partitions to prove.
#[derive(Clone, Copy)]
pub enum Partitions {
    All,
    /// The sectors are those of this one.
    One(usize),
}

/// The proof over vanilla proofs, one a sector, of a sector's own challenges.
pub fn prove(
    proof_type: RegisteredPoStProof,
    randomness: &[u8; 32],
    prover_id: [u8; 32],
    vanilla_proofs: &[Vec<u8>],
    partitions: Partitions,
) -> Result<Vec<u8>> {
    let config = proof_type.as_v1_config();
    let size = u64::from(proof_type.sector_size());
    with_shape!(
        size,
        prove_shape,
        &config,
        randomness,
        prover_id,
        vanilla_proofs,
        partitions
    )
}

fn prove_shape<Tree: 'static + MerkleTreeTrait>(
    config: &PoStConfig,
    randomness: &[u8; 32],
    prover_id: [u8; 32],
    vanilla_proofs: &[Vec<u8>],
    partitions: Partitions,
) -> Result<Vec<u8>> {
    prove_statement::<Tree>(&statement::<Tree>(
        config,
        randomness,
        prover_id,
        vanilla_proofs,
        partitions,
    )?)
}

/// What [`prove`] proves.
pub fn statement<Tree: 'static + MerkleTreeTrait>(
    config: &PoStConfig,
    randomness: &[u8; 32],
    prover_id: [u8; 32],
    vanilla_proofs: &[Vec<u8>],
    partitions: Partitions,
) -> Result<Statement<'static, FallbackPoSt<'static, Tree>>> {
    let proofs = vanilla_proofs
        .iter()
        .map(|bytes| bincode::deserialize(bytes).map_err(|error| Error::Proofs(error.into())))
        .collect::<Result<Vec<FallbackPoStSectorProof<Tree>>>>()?;
    let public_params = public_params::<Tree>(config)?;
    check_sectors(config, proofs.len())?;
    let sector = |proof: &FallbackPoStSectorProof<Tree>| PublicSector {
        id: proof.sector_id,
        comm_r: proof.comm_r,
    };
    let k = match partitions {
        Partitions::All => None,
        Partitions::One(index) => Some(index),
    };
    let sectors = proofs.iter().map(sector).collect();
    let public_inputs = public_inputs::<Tree>(randomness, prover_id, sectors, k)?;
    let vanilla_proofs = match partitions {
        Partitions::All => {
            let count = proofs.len().div_ceil(config.sector_count);
            partition_vanilla_proofs(config, &public_params, &public_inputs, count, &proofs)?
        }
        Partitions::One(_) => {
            vec![single_partition_vanilla_proofs(
                config,
                &public_params,
                &public_inputs,
                &proofs,
            )?]
        }
    };
    Ok(Statement {
        public_inputs,
        vanilla_proofs,
        public_params,
    })
}

/// The proof over replicas. Fails with the ids of all sectors that cannot be proved.
pub fn prove_replicas(
    proof_type: RegisteredPoStProof,
    randomness: &[u8; 32],
    prover_id: [u8; 32],
    replicas: &BTreeMap<SectorId, PrivateReplica>,
) -> Result<Vec<u8>> {
    let config = proof_type.as_v1_config();
    let size = u64::from(proof_type.sector_size());
    with_shape!(size, prove_replicas_shape, &config, randomness, prover_id, replicas)
}

fn prove_replicas_shape<Tree: 'static + MerkleTreeTrait>(
    config: &PoStConfig,
    randomness: &[u8; 32],
    prover_id: [u8; 32],
    replicas: &BTreeMap<SectorId, PrivateReplica>,
) -> Result<Vec<u8>> {
    let params = public_params::<Tree>(config)?;
    check_sectors(config, replicas.len())?;
    let infos = replicas
        .values()
        .map(|replica| PrivateReplicaInfo::<Tree>::new(replica.path.clone(), replica.comm_r, replica.cache_dir.clone()))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let trees = infos
        .iter()
        .map(|info| info.merkle_tree(config.sector_size))
        .collect::<anyhow::Result<Vec<_>>>()?;
    // Winning's circuit has one challenge a sector, and the one sector again and again.
    let times = match config.typ {
        PoStType::Winning => params.sector_count,
        PoStType::Window => 1,
    };
    let (mut public, mut private) = (Vec::new(), Vec::new());
    let sectors = replicas.keys().zip(&infos).zip(&trees);
    for ((id, info), tree) in sectors.cycle().take(times * replicas.len()) {
        public.push(PublicSector {
            id: *id,
            comm_r: info.safe_comm_r()?,
        });
        private.push(PrivateSector {
            tree,
            comm_c: info.safe_comm_c(),
            comm_r_last: info.safe_comm_r_last(),
        });
    }
    let inputs = public_inputs::<Tree>(randomness, prover_id, public, None)?;
    let count = inputs.sectors.len().div_ceil(params.sector_count);
    let private = fallback::PrivateInputs { sectors: &private };
    let proofs = FallbackPoSt::<Tree>::prove_all_partitions(&params, &inputs, &private, count)?;
    if !FallbackPoSt::<Tree>::verify_all_partitions(&params, &inputs, &proofs)? {
        return Err(Error::message("the vanilla proofs of the replicas do not verify"));
    }
    prove_statement::<Tree>(&Statement {
        public_inputs: inputs,
        vanilla_proofs: proofs,
        public_params: params,
    })
}

fn public_params<Tree: 'static + MerkleTreeTrait>(config: &PoStConfig) -> Result<fallback::PublicParams> {
    Ok(match config.typ {
        PoStType::Winning => winning_post_public_params::<Tree>(config)?,
        PoStType::Window => window_post_public_params::<Tree>(config)?,
    })
}

fn check_sectors(config: &PoStConfig, sectors: usize) -> Result<()> {
    match config.typ == PoStType::Winning && sectors != config.sector_count {
        false => Ok(()),
        true => Err(Error::message(format!(
            "a Winning PoSt is about {} sector, not {sectors}",
            config.sector_count
        ))),
    }
}

type TreeDomain<Tree> = <<Tree as MerkleTreeTrait>::Hasher as Hasher>::Domain;

fn public_inputs<Tree: 'static + MerkleTreeTrait>(
    randomness: &[u8; 32],
    prover_id: [u8; 32],
    sectors: Vec<PublicSector<TreeDomain<Tree>>>,
    k: Option<usize>,
) -> Result<fallback::PublicInputs<TreeDomain<Tree>>> {
    Ok(fallback::PublicInputs {
        randomness: as_safe_commitment(randomness, "randomness")?,
        prover_id: as_safe_commitment(&prover_id, "prover_id")?,
        sectors,
        k,
    })
}

fn prove_statement<Tree: 'static + MerkleTreeTrait>(
    statement: &Statement<'static, FallbackPoSt<'static, Tree>>,
) -> Result<Vec<u8>> {
    proving::prove::<FallbackPoStCompound<Tree>, FallbackPoSt<'_, Tree>, FallbackPoStCircuit<Tree>>(statement)
}
