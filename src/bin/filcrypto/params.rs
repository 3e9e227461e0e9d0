//! `filcrypto params`: makes local parameters for testing.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::time::Instant;

use bellperson::groth16::VerifyingKey;
use blstrs::Bls12;
use clap::ValueEnum;
use filcrypto::config;
use filcrypto::error::{Error, Result};
use filcrypto::filecoin::local_params::{self, ParameterSet, MAX_SRS_PROOFS};
use filcrypto::filecoin::manifest::{self, Entry, Manifest};
use filcrypto::groth16::setup::Trapdoor;
use filcrypto::telemetry::progress::Progress;
use rand::rngs::OsRng;
use storage_proofs_core::parameter_cache::{parameter_cache_dir, GROTH_PARAMETER_EXT, VERIFYING_KEY_EXT};

use crate::files::{Directory, WholeFile};
use crate::progress::Reporter;

const WARNING: &str = "\
WARNING: locally made parameters are INSECURE. Whoever made them can forge proofs. Use them for testing only, never on a \
network that holds value.";

/// Space that a run leaves free beyond its own files.
const RESERVE_BYTES: u64 = 16 << 20;

/// Make local proof parameters for testing: INSECURE, never for a real network.
///
/// Every file appears under its name only when it is whole, and no file is ever replaced: a run that was interrupted is
/// taken up again by the same command. A list of what was made is kept beside the files, as filcrypto-local-parameters.json.
///
/// INSECURE: the maker of parameters can forge proofs, and nobody can show that they did not. Real networks use parameters
/// that many parties made together.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// Sector size to make parameters for
    #[arg(long, required_unless_present = "srs")]
    sector_size: Option<SectorSize>,

    /// What to make parameters for
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "porep,winning,window,update",
        requires = "sector_size"
    )]
    kinds: Vec<Kind>,

    /// Also make an SRS, for aggregating up to N proofs (rounded up to a power of two)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SRS_PROOFS)))]
    srs: Option<u32>,

    /// Where to put the files [default: the parameter cache, FIL_PROOFS_PARAMETER_CACHE]
    #[arg(long)]
    dir: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum SectorSize {
    #[value(name = "2KiB")]
    KiB2,
    #[value(name = "8MiB")]
    MiB8,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    Porep,
    Winning,
    Window,
    Update,
}

impl Arguments {
    fn sets(&self) -> Vec<ParameterSet> {
        let Some(sector_size) = self.sector_size else {
            return Vec::new();
        };
        let sector_size = match sector_size {
            SectorSize::KiB2 => local_params::SectorSize::KiB2,
            SectorSize::MiB8 => local_params::SectorSize::MiB8,
        };
        let kinds = self.kinds.iter().map(|kind| match kind {
            Kind::Porep => local_params::Kind::Porep,
            Kind::Winning => local_params::Kind::Winning,
            Kind::Window => local_params::Kind::Window,
            Kind::Update => local_params::Kind::Update,
        });
        kinds.map(|kind| ParameterSet { sector_size, kind }).collect()
    }
}

pub fn run(arguments: &Arguments) -> Result<()> {
    config::check()?;
    eprintln!("{WARNING}");
    let path = arguments.dir.clone().unwrap_or_else(parameter_cache_dir);
    let directory = Directory::lock(&path)?;
    let mut maker = Maker {
        manifest: Manifest::load(directory.path())?,
        directory,
    };
    println!("{} (insecure, for testing)", maker.directory.path().display());
    for set in arguments.sets() {
        maker.set(set)?;
    }
    arguments
        .srs
        .map_or(Ok(()), |proofs| maker.srs(proofs.next_power_of_two()))
}

struct Maker {
    directory: Directory,
    manifest: Manifest,
}

impl Maker {
    fn set(&mut self, set: ParameterSet) -> Result<()> {
        let stem = set.file_stem()?;
        let parameters = format!("{stem}.{GROTH_PARAMETER_EXT}");
        let verifying_key = format!("{stem}.{VERIFYING_KEY_EXT}");
        match (self.exists(&parameters)?, self.exists(&verifying_key)?) {
            (true, true) => self.report_kept(&[&parameters, &verifying_key]),
            (true, false) => self.extract_verifying_key(set, &parameters, &verifying_key)?,
            (false, false) => self.generate(set, &parameters, &verifying_key)?,
            (false, true) => {
                let path = self.directory.path().join(verifying_key);
                return Err(Error::message(format!(
                    "{} is there without its parameters, and new ones would not match it: remove it",
                    path.display()
                )));
            }
        }
        Ok(())
    }

    fn generate(&mut self, set: ParameterSet, parameters: &str, verifying_key: &str) -> Result<()> {
        let start = Instant::now();
        let reporter = Reporter::new(set);
        // Before the work, so that a directory where nothing can be written is known at once.
        let new_parameters = self.directory.begin(parameters)?;
        let new_verifying_key = self.directory.begin(verifying_key)?;

        let exponents = set.exponents(Trapdoor::random(&mut OsRng), &reporter)?;
        let needed = exponents.parameters_bytes() + exponents.verifying_key_bytes();
        self.directory.require_space(needed + RESERVE_BYTES)?;
        let new_parameters = new_parameters.fill(|out| exponents.write_parameters(out, &reporter))?;
        let new_verifying_key = new_verifying_key.fill(|out| exponents.write_verifying_key(out))?;
        drop(reporter);

        // The parameters first: from them alone, a later run can restore the verifying key.
        self.publish(
            vec![(parameters, new_parameters), (verifying_key, new_verifying_key)],
            set.into(),
        )?;
        eprintln!("{set}: done in {:.1} s", start.elapsed().as_secs_f64());
        Ok(())
    }

    /// The parameters begin with the verifying key.
    fn extract_verifying_key(&mut self, set: ParameterSet, parameters: &str, verifying_key: &str) -> Result<()> {
        self.report_kept(&[parameters]);
        let path = self.directory.path().join(parameters);
        let key = File::open(&path).and_then(|file| VerifyingKey::<Bls12>::read(BufReader::new(file)));
        let key = key.map_err(|error| {
            let path = path.display();
            Error::message(format!(
                "cannot read the verifying key that {path} begins with ({error}): remove the file"
            ))
        })?;
        let whole = self.directory.begin(verifying_key)?.fill(|out| key.write(out))?;
        self.publish(vec![(verifying_key, whole)], set.into())
    }

    fn srs(&mut self, proofs: u32) -> Result<()> {
        let name = local_params::srs_file_name();
        let needed = local_params::srs_bytes(proofs);
        if self.exists(&name)? {
            self.report_kept(&[&name]);
            return self.require_srs(&name, proofs, needed);
        }
        let reporter = Reporter::new("aggregation");
        let file = self.directory.begin(&name)?;
        self.directory
            .require_space(local_params::srs_bytes(proofs) + RESERVE_BYTES)?;
        reporter.begin("structured reference string", None);
        let whole = file.fill(|out| local_params::write_srs(proofs, out))?;
        drop(reporter);
        self.publish(
            vec![(&name, whole)],
            Subject {
                kind: "srs".to_owned(),
                sector_size: None,
            },
        )
    }

    /// An error if the SRS that is there serves fewer proofs.
    fn require_srs(&self, name: &str, proofs: u32, needed: u64) -> Result<()> {
        if self.directory.size(name)?.is_some_and(|found| found >= needed) {
            return Ok(());
        }
        let path = self.directory.path().join(name);
        let path = path.display();
        Err(Error::message(format!(
            "{path} is too small for aggregating {proofs} proofs: remove it and run this again"
        )))
    }

    /// Whether there is such a file. One that the manifest lists with another size is an error.
    fn exists(&self, name: &str) -> Result<bool> {
        let Some(found) = self.directory.size(name)? else {
            return Ok(false);
        };
        match self.manifest.files.get(name) {
            Some(entry) if entry.bytes != found => {
                let path = self.directory.path().join(name);
                Err(Error::message(format!(
                    "{} has {found} bytes, {} lists it with {}: remove it and run this again",
                    path.display(),
                    manifest::FILE_NAME,
                    entry.bytes
                )))
            }
            _ => Ok(true),
        }
    }

    fn report_kept(&self, names: &[&str]) {
        for name in names {
            let origin = match self.manifest.files.contains_key(*name) {
                true => "made before",
                false => "not made by this tool",
            };
            println!("kept {name} ({origin})");
        }
    }

    /// Lists the files, then lets them appear: whatever has its name is listed.
    fn publish(&mut self, files: Vec<(&str, WholeFile)>, subject: Subject) -> Result<()> {
        for (name, file) in &files {
            let entry = Entry {
                digest: file.digest.clone(),
                bytes: file.bytes,
                kind: subject.kind.clone(),
                sector_size: subject.sector_size,
            };
            self.manifest.files.insert((*name).to_owned(), entry);
        }
        self.manifest.store(self.directory.path())?;
        for (name, file) in files {
            let bytes = file.bytes;
            file.appear()?;
            println!("made {name} ({bytes} bytes)");
        }
        Ok(())
    }
}

/// What a file is for.
struct Subject {
    kind: String,
    sector_size: Option<u64>,
}

impl From<ParameterSet> for Subject {
    fn from(set: ParameterSet) -> Self {
        Self {
            kind: set.kind.to_string(),
            sector_size: Some(set.sector_size.bytes()),
        }
    }
}
