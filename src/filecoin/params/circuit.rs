//! Which circuit a proof type uses: its name in file names, and how many public inputs its key must have.

use filecoin_proofs::parameters::{setup_params, window_post_setup_params, winning_post_setup_params};
use filecoin_proofs::{with_shape, MerkleTreeTrait, PoStType, DRG_DEGREE, EXP_DEGREE};
use filecoin_proofs_api::{RegisteredPoStProof, RegisteredSealProof, RegisteredUpdateProof};
use storage_proofs_core::parameter_cache::CacheableParameters;
use storage_proofs_update::constants::TreeRHasher;
use storage_proofs_update::{EmptySectorUpdateCircuit, EmptySectorUpdateCompound, PublicParams};

use crate::error::Result;

/// CommD, CommR and the replica's id.
const SEAL_INPUTS: usize = 3;
/// Each challenge opens its parents, and one path in each of tree D, tree C and tree R, and names its node.
const SEAL_CHALLENGE_INPUTS: usize = DRG_DEGREE + EXP_DEGREE + 4;
/// The old CommR, the new CommR and CommD, and the partition with the choice of h.
const UPDATE_INPUTS: usize = 4;
/// Every circuit has the constant one as its first input.
const ONE: usize = 1;

#[derive(Clone, Debug)]
pub struct Circuit {
    /// File names are `v28-<id>.params` and `.vk`.
    pub id: String,
    /// Points of the verifying key's `ic`: the public inputs and one.
    pub inputs: usize,
}

impl Circuit {
    pub fn seal(proof: RegisteredSealProof) -> Result<Self> {
        let challenges = setup_params(&proof.as_v1_config())?.challenges;
        let inputs = challenges.num_challenges_per_partition() * SEAL_CHALLENGE_INPUTS;
        Ok(Self {
            id: proof.circuit_identifier()?,
            inputs: inputs + SEAL_INPUTS + ONE,
        })
    }

    pub fn post(proof: RegisteredPoStProof) -> Result<Self> {
        let config = proof.as_v1_config();
        let setup = match proof.typ() {
            PoStType::Winning => winning_post_setup_params(&config)?,
            PoStType::Window => window_post_setup_params(&config),
        };
        // A sector has its CommR and one path a challenge.
        let inputs = setup.sector_count * (1 + setup.challenge_count);
        Ok(Self {
            id: proof.circuit_identifier()?,
            inputs: inputs + ONE,
        })
    }

    pub fn update(proof: RegisteredUpdateProof) -> Self {
        let sector_bytes = u64::from(proof.sector_size());
        Self {
            id: with_shape!(sector_bytes, update_identifier, sector_bytes),
            inputs: UPDATE_INPUTS + ONE,
        }
    }
}

/// What an update proof type itself names as its circuit is the PoRep of the same size.
fn update_identifier<Tree: 'static + MerkleTreeTrait<Hasher = TreeRHasher>>(sector_bytes: u64) -> String {
    type Compound<Tree> = EmptySectorUpdateCompound<Tree>;
    let public = PublicParams::from_sector_size(sector_bytes);
    <Compound<Tree> as CacheableParameters<EmptySectorUpdateCircuit<Tree>, PublicParams>>::cache_identifier(&public)
}

#[cfg(test)]
mod tests {
    use super::*;
    use filecoin_proofs_api::RegisteredUpdateProof::*;
    use storage_proofs_core::parameter_cache::PARAMETERS;

    #[test]
    fn update_circuits_are_those_of_the_published_files() {
        for proof in [
            StackedDrg2KiBV1,
            StackedDrg8MiBV1,
            StackedDrg512MiBV1,
            StackedDrg32GiBV1,
            StackedDrg64GiBV1,
        ] {
            let id = Circuit::update(proof).id;
            assert!(id.starts_with("empty-sector-update-"), "{proof:?}: {id}");
            assert!(PARAMETERS.contains_key(&format!("v28-{id}.params")), "{proof:?}: {id}");
        }
    }
}
