//! The process's resident SRS, by kind of proof and sector size.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use filecoin_proofs_api::{RegisteredPoStProof, RegisteredSealProof, RegisteredUpdateProof};
use once_cell::sync::OnceCell;
use serde::Serialize;
use storage_proofs_core::parameter_cache::parameter_cache_params_path;

use super::local_params::Kind;
use super::params::{self, digest};
use crate::config;
use crate::error::{Error, Result};
use crate::srs::{self, automatic_budget, Lease, Options, Source, Status, Store};
use crate::telemetry::heartbeat::{self, Work};

/// A proof that needs room waits this long for others to end before it is refused.
const LEASE_WAIT: Duration = Duration::from_secs(300);
const STALLED_AFTER: Duration = Duration::from_secs(600);

/// The one store of the process. Its settings and budget are taken when it is first asked for.
pub fn store() -> Result<&'static Store> {
    static STORE: OnceCell<Store> = OnceCell::new();
    STORE.get_or_try_init(|| Ok(Store::new(options()?)))
}

/// What the settings say.
pub fn options() -> Result<Options> {
    config::check()?;
    let library = config::library()?;
    let image_directory = library.srs_image_directory.clone();
    let automatic = || automatic_budget(image_directory.as_deref());
    Ok(Options {
        budget_bytes: library.srs_budget_bytes.unwrap_or_else(automatic),
        check_subgroup: library.srs_subgroup_check,
        threads: thread::available_parallelism().map_or(1, usize::from),
        lease_wait: LEASE_WAIT,
        stalled_after: STALLED_AFTER,
        image_directory,
    })
}

/// A circuit with an SRS of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Circuit {
    pub kind: Kind,
    pub sector_bytes: u64,
}

impl Circuit {
    /// The `.params` file in the parameter cache.
    pub fn params_path(self) -> Result<PathBuf> {
        use {RegisteredPoStProof as Post, RegisteredSealProof as Seal, RegisteredUpdateProof as Update};
        config::check()?;
        let (seal, winning, window, update) = match self.sector_bytes {
            0x800 => (
                Seal::StackedDrg2KiBV1_1,
                Post::StackedDrgWinning2KiBV1,
                Post::StackedDrgWindow2KiBV1_2,
                Update::StackedDrg2KiBV1,
            ),
            0x80_0000 => (
                Seal::StackedDrg8MiBV1_1,
                Post::StackedDrgWinning8MiBV1,
                Post::StackedDrgWindow8MiBV1_2,
                Update::StackedDrg8MiBV1,
            ),
            0x2000_0000 => (
                Seal::StackedDrg512MiBV1_1,
                Post::StackedDrgWinning512MiBV1,
                Post::StackedDrgWindow512MiBV1_2,
                Update::StackedDrg512MiBV1,
            ),
            0x8_0000_0000 => (
                Seal::StackedDrg32GiBV1_1,
                Post::StackedDrgWinning32GiBV1,
                Post::StackedDrgWindow32GiBV1_2,
                Update::StackedDrg32GiBV1,
            ),
            0x10_0000_0000 => (
                Seal::StackedDrg64GiBV1_1,
                Post::StackedDrgWinning64GiBV1,
                Post::StackedDrgWindow64GiBV1_2,
                Update::StackedDrg64GiBV1,
            ),
            bytes => {
                return Err(Error::message(format!(
                    "there are no sectors of {bytes} bytes: sizes are 2 KiB, 8 MiB, 512 MiB, 32 GiB and 64 GiB"
                )));
            }
        };
        Ok(match self.kind {
            Kind::Porep => seal.cache_params_path()?,
            Kind::Winning => winning.cache_params_path()?,
            Kind::Window => window.cache_params_path()?,
            Kind::Update => parameter_cache_params_path(&params::Circuit::update(update).id),
        })
    }
}

/// Calls `body` with the source that a `.params` file is.
pub fn with_source<T>(path: &Path, body: impl FnOnce(&Source<'_>) -> Result<T>) -> Result<T> {
    let id = path.file_stem().unwrap_or_default().to_string_lossy();
    let digest = || digest(path);
    body(&Source {
        id: &id,
        path,
        digest: &digest,
    })
}

/// The proving key in a `.params` file, resident for as long as the lease lives.
pub fn lease(path: &Path) -> Result<Lease> {
    let store = store()?;
    with_source(path, |source| store.lease(source))
}

/// Loads the SRS of a circuit, with all its pages.
pub fn preload(circuit: Circuit) -> Result<()> {
    lease(&circuit.params_path()?)?.read_in();
    Ok(())
}

/// Gives the memory of a circuit's SRS back; false when it was not resident.
pub fn evict(circuit: Circuit) -> Result<bool> {
    let path = circuit.params_path()?;
    let store = store()?;
    with_source(&path, |source| store.evict(source.id))
}

/// What the process holds and does.
#[derive(Serialize)]
pub struct Report {
    pub budget_bytes: u64,
    pub used_bytes: u64,
    pub srs: Vec<Status>,
    /// Long work that runs now.
    pub work: Vec<Work>,
}

pub fn report() -> Result<Report> {
    let store = store()?;
    Ok(Report {
        budget_bytes: store.options().budget_bytes,
        used_bytes: store.used_bytes(),
        srs: store.status(),
        work: heartbeat::working(),
    })
}

/// Computed once, and remembered.
fn digest(path: &Path) -> Result<String> {
    let unreadable = |error| Error::message(format!("{}: cannot be read: {error}", path.display()));
    let file = File::open(path).map_err(unreadable)?;
    let metadata = file.metadata().map_err(unreadable)?;
    digest::of(path, &file, &digest::Stamp::new(&metadata))
}

/// Makes sure that a circuit has an image whose every byte is good.
pub fn build_image(circuit: Circuit) -> Result<(srs::ProvingKey, srs::Built)> {
    let options = options()?;
    with_source(&circuit.params_path()?, |source| srs::build_image(source, &options))
}

#[cfg(test)]
mod tests {
    use super::super::local_params::{ParameterSet, SectorSize};
    use super::*;

    #[test]
    fn circuits_have_the_files_of_the_parameter_sets() {
        for (size, sector_bytes) in [(SectorSize::KiB2, 2 << 10), (SectorSize::MiB8, 8 << 20)] {
            for kind in [Kind::Porep, Kind::Winning, Kind::Window, Kind::Update] {
                let path = Circuit { kind, sector_bytes }.params_path().unwrap();
                let set = ParameterSet {
                    sector_size: size,
                    kind,
                };
                assert_eq!(path.file_stem().unwrap().to_str(), Some(&set.file_stem().unwrap()[..]));
            }
        }
        let none = Circuit {
            kind: Kind::Porep,
            sector_bytes: 4096,
        };
        let text = none.params_path().unwrap_err().to_string();
        assert!(text.contains("4096"), "{text}");
    }

    #[test]
    fn every_size_has_published_parameters() {
        use storage_proofs_core::parameter_cache::get_parameter_data_from_id;
        for sector_bytes in [2 << 10, 8 << 20, 512 << 20, 32 << 30, 64 << 30] {
            for kind in [Kind::Porep, Kind::Winning, Kind::Window, Kind::Update] {
                let path = Circuit { kind, sector_bytes }.params_path().unwrap();
                let data = get_parameter_data_from_id(path.file_name().unwrap().to_str().unwrap());
                assert_eq!(
                    data.map(|data| data.sector_size),
                    Some(sector_bytes),
                    "{kind} {sector_bytes}"
                );
            }
        }
    }
}
