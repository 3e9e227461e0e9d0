//! Settings: where each comes from, and a check that a malformed one is an error and not a panic deep in a dependency.
//!
//! The proofs crates read `FIL_PROOFS_*` once, on first use, and panic for ever after if a value does not parse. So the
//! same sources are parsed here first, until they are right once; from then on the proofs crates hold them.

use std::collections::HashMap;
use std::env;
use std::ffi::OsStr;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use config::{Config, ConfigError, Environment, File, Value};
use once_cell::sync::OnceCell;
use serde_json::Value as Json;
use storage_proofs_core::settings::{Settings, SETTINGS};

use crate::error::{Error, Result};

const PREFIX: &str = "FIL_PROOFS";
const FILE: &str = "./rust-fil-proofs.config.toml";
/// Moves the parent cache, unless that is set itself.
const CACHE_DIR: &str = "FIL_PROOFS_CACHE_DIR";

mod library;

pub use library::{library, Library};

static FROZEN: OnceCell<()> = OnceCell::new();

/// Parses the settings of the proofs crates; an error names the variable or file at fault. Once this has succeeded the
/// settings are frozen for the life of the process.
pub fn check() -> Result<()> {
    let frozen = FROZEN.get_or_try_init(|| {
        check_file()?;
        check_environment()?;
        library()?;
        // Makes the proofs crates read what was just parsed.
        log::debug!("parameter cache: {}", SETTINGS.parameter_cache);
        Ok(())
    });
    frozen.copied()
}

fn check_file() -> Result<()> {
    let source = File::with_name(FILE).required(false);
    let parsed = Config::builder().add_source(source).build();
    match parsed.and_then(Config::try_deserialize::<Settings>) {
        Ok(_) => Ok(()),
        Err(error) => Err(Error::message(format!(
            "settings file {FILE} in the current directory: {error}; correct or remove it"
        ))),
    }
}

fn check_environment() -> Result<()> {
    for (name, value) in env::vars_os() {
        let Some(name) = name.to_str().filter(|name| is_proofs_variable(name)) else {
            continue;
        };
        let Some(value) = value.to_str() else {
            return Err(Error::Setting {
                variable: name.to_owned(),
                value: value.to_string_lossy().into_owned(),
                reason: "it is not UTF-8".to_owned(),
            });
        };
        let alone = HashMap::from([(name.to_owned(), value.to_owned())]);
        let source = Environment::with_prefix(PREFIX).source(Some(alone));
        let parsed = Config::builder().add_source(source).build();
        if let Err(error) = parsed.and_then(Config::try_deserialize::<Settings>) {
            return Err(Error::Setting {
                variable: name.to_owned(),
                value: value.to_owned(),
                reason: error.to_string(),
            });
        }
    }
    Ok(())
}

/// Where a setting's value comes from.
pub enum Source {
    Default,
    Variable(String),
    File,
}

impl fmt::Display for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => out.write_str("default"),
            Self::Variable(name) => write!(out, "environment variable {name}"),
            Self::File => write!(out, "file {FILE}"),
        }
    }
}

/// Variables that are read elsewhere, and what holds without them.
const OTHER_VARIABLES: [(&str, &str); 6] = [
    ("BELLMAN_NO_GPU", "unset"),
    ("GOLOG_LOG_FMT", "text"),
    (FVM_CONCURRENCY, "number of processors"),
    ("RAYON_NUM_THREADS", "number of processors"),
    ("RUST_BACKTRACE", "off"),
    ("RUST_LOG", "nothing logged"),
];

pub struct Setting {
    /// As in the settings file, or a variable that is in no file.
    pub name: String,
    pub value: String,
    pub source: Source,
}

/// Every setting of the proofs crates and of the library, with the value that holds. Freezes them as [`check`] does.
pub fn settings() -> Result<Vec<Setting>> {
    check()?;
    let Json::Object(values) = serde_json::to_value(&*SETTINGS)? else {
        return Err(Error::message("the settings of the proofs crates are not a table"));
    };
    let in_file = names_in_file().map_err(|error| Error::message(format!("settings file {FILE}: {error}")))?;
    let settings = values.into_iter().map(|(name, value)| {
        let source = source(&name, &in_file);
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Setting { name, value, source }
    });
    let others = OTHER_VARIABLES.map(|(name, default)| match env::var_os(name) {
        Some(value) => Setting {
            name: name.to_owned(),
            value: value.to_string_lossy().into_owned(),
            source: Source::Variable(name.to_owned()),
        },
        None => Setting {
            name: name.to_owned(),
            value: default.to_owned(),
            source: Source::Default,
        },
    });
    Ok(settings.chain(others).chain(library::settings()?).collect())
}

fn source(name: &str, in_file: &HashMap<String, Value>) -> Source {
    let full_name = format!("{PREFIX}_{name}");
    let variable = env::vars_os()
        .filter_map(|(variable, _)| variable.into_string().ok())
        .find(|variable| variable.eq_ignore_ascii_case(&full_name));
    match variable {
        Some(variable) => Source::Variable(variable),
        None if in_file.contains_key(name) => Source::File,
        None if name == "parent_cache" && env::var_os(CACHE_DIR).is_some() => Source::Variable(CACHE_DIR.to_owned()),
        None => Source::Default,
    }
}

fn names_in_file() -> std::result::Result<HashMap<String, Value>, ConfigError> {
    let source = File::with_name(FILE).required(false);
    Config::builder().add_source(source).build()?.try_deserialize()
}

fn is_proofs_variable(name: &str) -> bool {
    let prefix = name.get(..PREFIX.len());
    prefix.is_some_and(|prefix| prefix.eq_ignore_ascii_case(PREFIX))
}

const FVM_CONCURRENCY: &str = "LOTUS_FVM_CONCURRENCY";
const FVM_CONCURRENCIES: RangeInclusive<u32> = 1..=256;

/// How many messages the FVM executes at once: LOTUS_FVM_CONCURRENCY, or as many as there are processors. A bad value is
/// logged and not used.
pub fn fvm_concurrency() -> u32 {
    let processors = || std::thread::available_parallelism().map_or(8, |count| count.get() as u32);
    let Some(value) = env::var_os(FVM_CONCURRENCY) else {
        return processors();
    };
    parse_fvm_concurrency(&value).unwrap_or_else(|| {
        let (low, high) = FVM_CONCURRENCIES.into_inner();
        let processors = processors();
        log::error!("{FVM_CONCURRENCY} is {value:?}, not a number from {low} to {high}: using {processors}");
        processors
    })
}

fn parse_fvm_concurrency(value: &OsStr) -> Option<u32> {
    let number = value.to_str()?.parse().ok()?;
    FVM_CONCURRENCIES.contains(&number).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fvm_concurrency_is_a_number_from_1_to_256() {
        let parse = |text: &str| parse_fvm_concurrency(OsStr::new(text));
        assert_eq!([parse("1"), parse("256")], [Some(1), Some(256)]);
        for bad in ["", "0", "257", "-1", "four", " 4", "4294967297"] {
            assert_eq!(parse(bad), None, "{bad:?}");
        }
    }
}

/// Where the user's caches go: `XDG_CACHE_HOME`, else `~/.cache`.
pub fn user_cache() -> Option<PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))
}
