//! The circuits whose parameters can be made locally for testing, and what their files are called.
//!
//! Such parameters are insecure: whoever made them can forge proofs. They serve the two smallest sector sizes, on networks
//! of one's own.

use std::fmt;
use std::io::{self, Write};

use bellpepper_core::Circuit;
use bellperson::groth16::aggregate::setup_fake_srs;
use blstrs::{Bls12, Scalar};
use filecoin_proofs::constants::{DefaultPieceHasher, SectorShapeBase};
use filecoin_proofs::parameters::{public_params, window_post_public_params, winning_post_public_params};
use filecoin_proofs_api::{RegisteredPoStProof, RegisteredSealProof};
use rand::rngs::OsRng;
use storage_proofs_core::compound_proof::CompoundProof;
use storage_proofs_core::parameter_cache::{
    CacheableParameters, ParameterSetMetadata, SRS_KEY_EXT, SRS_SHARED_KEY_NAME, VERSION,
};
use storage_proofs_porep::stacked::{self, StackedCircuit, StackedCompound, StackedDrg};
use storage_proofs_post::fallback::{self, FallbackPoSt, FallbackPoStCircuit, FallbackPoStCompound};
use storage_proofs_update::{self as update, EmptySectorUpdate, EmptySectorUpdateCircuit, EmptySectorUpdateCompound};

use crate::error::Result;
use crate::groth16::setup::{Exponents, Trapdoor};
use crate::telemetry::progress::Progress;

/// Sectors of both sizes have a tree of this shape.
type Tree = SectorShapeBase;
type Porep = StackedCompound<Tree, DefaultPieceHasher>;
type PorepScheme<'a> = StackedDrg<'a, Tree, DefaultPieceHasher>;
type PorepCircuit = StackedCircuit<Tree, DefaultPieceHasher>;
type Post = FallbackPoStCompound<Tree>;
type PostScheme<'a> = FallbackPoSt<'a, Tree>;
type PostCircuit = FallbackPoStCircuit<Tree>;
type Update = EmptySectorUpdateCompound<Tree>;
type UpdateScheme = EmptySectorUpdate<Tree>;
type UpdateCircuit = EmptySectorUpdateCircuit<Tree>;

/// The proofs crates read no more of an SRS than aggregating this many proofs takes.
pub const MAX_SRS_PROOFS: u32 = 1 << 14;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectorSize {
    KiB2,
    MiB8,
}

impl SectorSize {
    pub fn bytes(self) -> u64 {
        match self {
            Self::KiB2 => 2 << 10,
            Self::MiB8 => 8 << 20,
        }
    }
}

impl fmt::Display for SectorSize {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::KiB2 => "2KiB",
            Self::MiB8 => "8MiB",
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Sealing, in all its forms: synthetic and non-interactive PoRep use the same circuit.
    Porep,
    Winning,
    Window,
    Update,
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Porep => "porep",
            Self::Winning => "winning",
            Self::Window => "window",
            Self::Update => "update",
        })
    }
}

/// What can be done with any circuit.
pub trait CircuitTask {
    type Output;

    /// `circuit` makes the circuit, without values, as often as it is called.
    fn run<C: Circuit<Scalar>>(self, circuit: impl Fn() -> C) -> Self::Output;
}

struct Setup<'a> {
    trapdoor: Trapdoor,
    progress: &'a dyn Progress,
}

impl CircuitTask for Setup<'_> {
    type Output = Result<Exponents>;

    fn run<C: Circuit<Scalar>>(self, circuit: impl Fn() -> C) -> Self::Output {
        Exponents::new(circuit, self.trapdoor, self.progress)
    }
}

/// One circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParameterSet {
    pub sector_size: SectorSize,
    pub kind: Kind,
}

impl ParameterSet {
    /// The names of the set's files in the parameter directory, without their extensions `.params` and `.vk`.
    pub fn file_stem(self) -> Result<String> {
        let identifier = match self.kind {
            Kind::Porep => identifier::<Porep, PorepCircuit, _>(&self.porep()?),
            Kind::Winning => identifier::<Post, PostCircuit, _>(&self.winning()?),
            Kind::Window => identifier::<Post, PostCircuit, _>(&self.window()?),
            Kind::Update => identifier::<Update, UpdateCircuit, _>(&self.update()),
        };
        Ok(format!("v{VERSION}-{identifier}"))
    }

    /// Sets the circuit up.
    pub fn exponents(self, trapdoor: Trapdoor, progress: &dyn Progress) -> Result<Exponents> {
        self.with_circuit(Setup { trapdoor, progress })?
    }

    /// Hands the set's circuit to `task`.
    pub fn with_circuit<T: CircuitTask>(self, task: T) -> Result<T::Output> {
        Ok(match self.kind {
            Kind::Porep => {
                let public = self.porep()?;
                task.run(|| <Porep as CompoundProof<PorepScheme, PorepCircuit>>::blank_circuit(&public))
            }
            Kind::Winning | Kind::Window => {
                let public = if self.kind == Kind::Winning {
                    self.winning()?
                } else {
                    self.window()?
                };
                task.run(|| <Post as CompoundProof<PostScheme, PostCircuit>>::blank_circuit(&public))
            }
            Kind::Update => {
                let public = self.update();
                task.run(|| <Update as CompoundProof<UpdateScheme, UpdateCircuit>>::blank_circuit(&public))
            }
        })
    }

    fn porep(self) -> Result<stacked::PublicParams<Tree>> {
        let proof = match self.sector_size {
            SectorSize::KiB2 => RegisteredSealProof::StackedDrg2KiBV1_1,
            SectorSize::MiB8 => RegisteredSealProof::StackedDrg8MiBV1_1,
        };
        Ok(public_params(&proof.as_v1_config())?)
    }

    fn winning(self) -> Result<fallback::PublicParams> {
        let proof = match self.sector_size {
            SectorSize::KiB2 => RegisteredPoStProof::StackedDrgWinning2KiBV1,
            SectorSize::MiB8 => RegisteredPoStProof::StackedDrgWinning8MiBV1,
        };
        Ok(winning_post_public_params::<Tree>(&proof.as_v1_config())?)
    }

    fn window(self) -> Result<fallback::PublicParams> {
        let proof = match self.sector_size {
            SectorSize::KiB2 => RegisteredPoStProof::StackedDrgWindow2KiBV1_2,
            SectorSize::MiB8 => RegisteredPoStProof::StackedDrgWindow8MiBV1_2,
        };
        Ok(window_post_public_params::<Tree>(&proof.as_v1_config())?)
    }

    fn update(self) -> update::PublicParams {
        update::PublicParams::from_sector_size(self.sector_size.bytes())
    }
}

impl fmt::Display for ParameterSet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.sector_size, self.kind)
    }
}

fn identifier<K, C, P>(public: &P) -> String
where
    K: CacheableParameters<C, P>,
    C: Circuit<Scalar>,
    P: ParameterSetMetadata,
{
    K::cache_identifier(public)
}

/// The name of the file with the structured reference string of aggregation, one for all sector sizes.
pub fn srs_file_name() -> String {
    format!("v{VERSION}-{SRS_SHARED_KEY_NAME}.{SRS_KEY_EXT}")
}

/// Bytes of an SRS that aggregates up to `proofs` proofs.
pub fn srs_bytes(proofs: u32) -> u64 {
    // Two trapdoors, their powers in G1 and in G2, compressed.
    let powers = 2 * u64::from(proofs);
    2 * (4 + powers * 48) + 2 * (4 + powers * 96)
}

/// Writes an insecure SRS that aggregates up to `proofs` proofs, a power of two.
pub fn write_srs(proofs: u32, out: &mut impl Write) -> io::Result<()> {
    setup_fake_srs::<Bls12, _>(&mut OsRng, proofs as usize).write(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The registered proofs name their files themselves; the sets must serve all of them.
    #[test]
    fn sets_serve_every_registered_proof() {
        use RegisteredPoStProof::*;
        use RegisteredSealProof::*;
        let set = |sector_size, kind| ParameterSet { sector_size, kind }.file_stem().unwrap();
        let (kib2, mib8) = (SectorSize::KiB2, SectorSize::MiB8);
        for (size, proof) in [
            (kib2, StackedDrg2KiBV1),
            (kib2, StackedDrg2KiBV1_1),
            (kib2, StackedDrg2KiBV1_1_Feat_SyntheticPoRep),
            (kib2, StackedDrg2KiBV1_2_Feat_NonInteractivePoRep),
            (mib8, StackedDrg8MiBV1),
            (mib8, StackedDrg8MiBV1_1),
            (mib8, StackedDrg8MiBV1_1_Feat_SyntheticPoRep),
            (mib8, StackedDrg8MiBV1_2_Feat_NonInteractivePoRep),
        ] {
            let path = proof.cache_params_path().unwrap();
            assert_eq!(
                path.file_stem().unwrap().to_str().unwrap(),
                set(size, Kind::Porep),
                "{proof:?}"
            );
        }
        for (size, kind, proof) in [
            (kib2, Kind::Winning, StackedDrgWinning2KiBV1),
            (mib8, Kind::Winning, StackedDrgWinning8MiBV1),
            (kib2, Kind::Window, StackedDrgWindow2KiBV1),
            (kib2, Kind::Window, StackedDrgWindow2KiBV1_2),
            (mib8, Kind::Window, StackedDrgWindow8MiBV1),
            (mib8, Kind::Window, StackedDrgWindow8MiBV1_2),
        ] {
            let path = proof.cache_params_path().unwrap();
            assert_eq!(
                path.file_stem().unwrap().to_str().unwrap(),
                set(size, kind),
                "{proof:?}"
            );
        }
    }

    /// The names are those of the published files for these sizes.
    #[test]
    fn names_are_the_published_ones() {
        use storage_proofs_core::parameter_cache::{get_parameter_data_from_id, get_srs_parameter_data_from_id};
        for sector_size in [SectorSize::KiB2, SectorSize::MiB8] {
            for kind in [Kind::Porep, Kind::Winning, Kind::Window, Kind::Update] {
                let stem = ParameterSet { sector_size, kind }.file_stem().unwrap();
                for extension in ["params", "vk"] {
                    let name = format!("{stem}.{extension}");
                    let published = get_parameter_data_from_id(&name);
                    assert_eq!(
                        published.map(|data| data.sector_size),
                        Some(sector_size.bytes()),
                        "{stem}"
                    );
                }
            }
        }
        assert!(get_srs_parameter_data_from_id(&srs_file_name()).is_some());
    }

    #[test]
    fn an_srs_has_the_announced_size() {
        for proofs in [1, 2, 16] {
            let mut bytes = Vec::new();
            write_srs(proofs, &mut bytes).unwrap();
            assert_eq!(bytes.len() as u64, srs_bytes(proofs));
        }
    }
}
