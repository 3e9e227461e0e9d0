//! The log: started by the first guarded call, on stderr, or earlier on a descriptor that the caller hands over.

use std::env;
use std::fs::File;

use flexi_logger::LogSpecification;
use once_cell::sync::OnceCell;

use crate::error::{Error, Result};

/// Filled when a logger runs. A malformed `RUST_LOG` leaves it empty, so that a later call can start the logger.
static STARTED: OnceCell<()> = OnceCell::new();

/// Starts the logger on stderr unless one runs already.
pub fn start() -> Result<()> {
    start_with(fil_logger::init).map(|_| ())
}

/// Starts the logger on `file`, which it keeps; false when a logger runs already.
pub fn start_on_file(file: File) -> Result<bool> {
    start_with(|| fil_logger::init_with_file(file))
}

fn start_with(init: impl FnOnce()) -> Result<bool> {
    let mut started_here = false;
    STARTED.get_or_try_init(|| {
        check_filter()?;
        init();
        started_here = true;
        Ok::<(), Error>(())
    })?;
    Ok(started_here)
}

fn check_filter() -> Result<()> {
    let Some(value) = env::var_os("RUST_LOG") else {
        return Ok(());
    };
    let parsed = match value.to_str() {
        Some(text) => LogSpecification::parse(text).map_err(|error| error.to_string()),
        None => Err("it is not UTF-8".to_owned()),
    };
    parsed.map(|_| ()).map_err(|reason| Error::Setting {
        variable: "RUST_LOG".to_owned(),
        value: value.to_string_lossy().into_owned(),
        reason,
    })
}
