//! `filcrypto info`: what this build and this machine are, and which settings hold.

use filcrypto::error::Result;

/// Show the version, the machine, the settings and the parameter files.
#[derive(clap::Args)]
pub struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let _ = arguments.json;
    Ok(())
}
