//! `filcrypto`: the operator's tool.

mod files;
mod info;
mod params;
mod progress;
mod srs;
mod trace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The operator's tool of libfilcrypto, the proving library for Filecoin storage providers.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Info(info::Arguments),
    Params(params::Arguments),
    Srs(srs::Arguments),
    Trace(trace::Arguments),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Info(arguments) => info::run(&arguments),
        Command::Params(arguments) => params::run(&arguments),
        Command::Srs(arguments) => srs::run(&arguments),
        Command::Trace(arguments) => trace::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("filcrypto: {}", error.full_text());
            ExitCode::FAILURE
        }
    }
}
