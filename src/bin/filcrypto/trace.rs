//! `filcrypto trace`: pictures of recorded timelines.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use filcrypto::error::{Error, Result};
use filcrypto::telemetry::drawing;

/// Work with recorded timelines.
///
/// A timeline is recorded between filcrypto_timeline_start and filcrypto_timeline_stop; Perfetto and Chrome open it too.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Draw a timeline as an SVG picture
    Render {
        /// The recorded JSON
        timeline: PathBuf,
        /// The picture to write [default: the timeline's name with .svg]
        #[arg(long, short)]
        output: Option<PathBuf>,
    },
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let Command::Render { timeline, output } = &arguments.command;
    let named = |path: &Path, what: String| Error::message(format!("{}: {what}", path.display()));
    let json = fs::read(timeline).map_err(|error| named(timeline, format!("cannot be read: {error}")))?;
    let svg = drawing::svg(&json).map_err(|error| named(timeline, error.to_string()))?;
    let output = output.clone().unwrap_or_else(|| timeline.with_extension("svg"));
    fs::write(&output, svg).map_err(|error| named(&output, format!("cannot be written: {error}")))?;
    println!("{}", output.display());
    Ok(())
}
