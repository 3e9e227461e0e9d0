//! The one error type of the library. Texts are for operators: they name the thing and, where there is one, the remedy.

mod parameters;

use std::sync::Arc;

use bellperson::SynthesisError;
use filecoin_proofs_api::StorageProofsError;

pub use parameters::ParameterFault;

pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("argument {argument} is NULL")]
    NullArgument { argument: &'static str },

    #[error("argument {argument} is a path with a NUL byte in it")]
    NulInPath { argument: &'static str },

    #[error("argument {argument} has a length of {len}, which no memory can hold")]
    SliceTooLong { argument: &'static str, len: usize },

    #[error("{value} is not a {kind}: the known values are 0 to {max}")]
    UnknownEnum { kind: &'static str, value: i64, max: usize },

    #[error("environment variable {variable} is {value:?}: {reason}; correct or unset it")]
    Setting {
        variable: String,
        value: String,
        reason: String,
    },

    #[error("argument {argument}: descriptor {raw} is not usable: {source}")]
    BadDescriptor {
        argument: &'static str,
        raw: i32,
        source: std::io::Error,
    },

    #[error("cannot allocate {bytes} bytes for {purpose}")]
    OutOfMemory { bytes: usize, purpose: &'static str },

    #[error(transparent)]
    Parameters(#[from] ParameterFault),

    #[error("Rust panic: {0}")]
    Panic(String),

    /// From the proofs crates; keeps its chain of causes.
    #[error("{0}")]
    Proofs(anyhow::Error),

    #[error("circuit synthesis: {0}")]
    Synthesis(SynthesisError),

    #[error("{0}")]
    Json(#[from] serde_json::Error),

    #[error("{0}")]
    Io(#[from] std::io::Error),

    /// The failure of work that several callers waited for.
    #[error("{0}")]
    Shared(Arc<Error>),

    /// A failure that one sentence explains.
    #[error("{0}")]
    Message(String),
}

impl Error {
    pub fn message(text: impl Into<String>) -> Self {
        Self::Message(text.into())
    }

    /// The text with its causes, and a backtrace where the proofs crates captured one.
    pub fn full_text(&self) -> String {
        match self {
            Self::Proofs(error) => format!("{error:?}"),
            Self::Shared(error) => error.full_text(),
            other => other.to_string(),
        }
    }

    /// The sectors that made a Window PoSt fail, if that is what happened.
    pub fn faulty_sectors(&self) -> Vec<u64> {
        match self {
            Self::Proofs(error) => match error.downcast_ref::<StorageProofsError>() {
                Some(StorageProofsError::FaultySectors(sectors)) => {
                    sectors.iter().map(|sector| u64::from(*sector)).collect()
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}

impl From<anyhow::Error> for Error {
    fn from(error: anyhow::Error) -> Self {
        // An error of ours that travelled through the proofs crates comes back as itself.
        error.downcast::<Error>().unwrap_or_else(Self::Proofs)
    }
}

impl From<SynthesisError> for Error {
    fn from(error: SynthesisError) -> Self {
        // An error of ours that travelled through a circuit comes back as itself.
        match error {
            SynthesisError::IoError(error) => error.downcast::<Error>().unwrap_or_else(Self::Io),
            error => Self::Synthesis(error),
        }
    }
}

impl From<Error> for SynthesisError {
    fn from(error: Error) -> Self {
        Self::IoError(std::io::Error::other(error))
    }
}
