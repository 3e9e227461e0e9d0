//! `filcrypto srs`: the shared images of decoded SRS.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use clap::{Subcommand, ValueEnum};
use filcrypto::error::Result;
use filcrypto::filecoin::local_params::Kind;
use filcrypto::filecoin::srs::{self, Circuit};
use filcrypto::srs::{image_state, remove_image, Built, ImageState};
use filcrypto::telemetry::heartbeat::{self, Work};
use filcrypto::telemetry::progress::Progress;

use crate::progress::Reporter;

const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Show, make, load and remove the shared images of decoded SRS.
///
/// An image holds the points of a parameter file as the processor reads them, so that a process maps it instead of decoding
/// the file; all processes share one copy in memory. Images are beside the parameter files, or where FILCRYPTO_SRS_IMAGE_DIR
/// says. Proofs make missing images by themselves.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show which parameter files have an image
    Status(Circuits),
    /// Make missing images, and read all of them into memory
    Preload(Circuits),
    /// Remove images; processes that use one keep it until they are done
    Evict(Circuits),
    /// Make missing images, and check every byte of those that are there
    BuildImage(Circuits),
}

#[derive(clap::Args)]
struct Circuits {
    /// Sector size that the parameters are for
    #[arg(long)]
    sector_size: SectorSize,

    /// Kinds of proofs
    #[arg(long, value_delimiter = ',', default_value = "porep,winning,window,update")]
    kinds: Vec<ProofKind>,
}

#[derive(Clone, Copy, ValueEnum)]
enum SectorSize {
    #[value(name = "2KiB")]
    KiB2,
    #[value(name = "8MiB")]
    MiB8,
    #[value(name = "512MiB")]
    MiB512,
    #[value(name = "32GiB")]
    GiB32,
    #[value(name = "64GiB")]
    GiB64,
}

#[derive(Clone, Copy, ValueEnum)]
enum ProofKind {
    Porep,
    Winning,
    Window,
    Update,
}

impl Circuits {
    fn all(&self) -> impl Iterator<Item = Circuit> + '_ {
        let sector_bytes = match self.sector_size {
            SectorSize::KiB2 => 2 << 10,
            SectorSize::MiB8 => 8 << 20,
            SectorSize::MiB512 => 512 << 20,
            SectorSize::GiB32 => 32 << 30,
            SectorSize::GiB64 => 64 << 30,
        };
        self.kinds.iter().map(move |kind| Circuit {
            kind: match kind {
                ProofKind::Porep => Kind::Porep,
                ProofKind::Winning => Kind::Winning,
                ProofKind::Window => Kind::Window,
                ProofKind::Update => Kind::Update,
            },
            sector_bytes,
        })
    }
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let (circuits, act): (_, fn(Circuit) -> Result<String>) = match &arguments.command {
        Command::Status(circuits) => (circuits, status),
        Command::Preload(circuits) => (circuits, preload),
        Command::Evict(circuits) => (circuits, evict),
        Command::BuildImage(circuits) => (circuits, build_image),
    };
    for circuit in circuits.all() {
        let told = with_progress(circuit.kind, || act(circuit))?;
        println!("{}: {told}", circuit.kind);
    }
    Ok(())
}

/// Shows the library's long work while `act` runs.
fn with_progress<T>(kind: Kind, act: impl FnOnce() -> T) -> T {
    let (ended, wait) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            let reporter = Reporter::new(kind);
            let mut shown: Option<Work> = None;
            while wait.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
                let Some(work) = heartbeat::working().into_iter().next() else {
                    continue;
                };
                let before = shown.as_ref().filter(|shown| shown.phase == work.phase);
                if before.is_none() {
                    reporter.begin(&work.phase, work.total);
                }
                reporter.advance(work.done.saturating_sub(before.map_or(0, |before| before.done)));
                shown = Some(work);
            }
        });
        let outcome = act();
        drop(ended);
        outcome
    })
}

fn status(circuit: Circuit) -> Result<String> {
    let path = circuit.params_path()?;
    if !path.exists() {
        return Ok(format!("no parameters, {} is missing", path.display()));
    }
    let options = srs::options()?;
    Ok(match image_state(&path, options.image_directory.as_deref())? {
        ImageState::Absent => "no image".to_owned(),
        ImageState::Complete { bytes } => format!("image of {bytes} bytes"),
        ImageState::Unusable(reason) => format!("an image that will be made anew: {reason}"),
    })
}

fn preload(circuit: Circuit) -> Result<String> {
    let start = Instant::now();
    let lease = srs::lease(&circuit.params_path()?)?;
    lease.read_in();
    let (bytes, seconds) = (lease.bytes(), start.elapsed().as_secs_f64());
    Ok(match lease.is_shared() {
        true => format!("{bytes} bytes in memory after {seconds:.3} s"),
        false => format!("no image can be written: nothing of {bytes} bytes stays in memory"),
    })
}

fn evict(circuit: Circuit) -> Result<String> {
    let options = srs::options()?;
    let removed = remove_image(&circuit.params_path()?, options.image_directory.as_deref())?;
    Ok(if removed { "image removed" } else { "no image" }.to_owned())
}

fn build_image(circuit: Circuit) -> Result<String> {
    let start = Instant::now();
    let (key, built) = srs::build_image(circuit)?;
    let (bytes, seconds) = (key.bytes(), start.elapsed().as_secs_f64());
    Ok(match built {
        Built::Now => format!("image of {bytes} bytes made in {seconds:.3} s"),
        Built::Before => format!("image of {bytes} bytes found whole in {seconds:.3} s"),
    })
}
