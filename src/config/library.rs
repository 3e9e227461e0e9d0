//! The library's own settings: environment variables that begin with `FILCRYPTO_`, read once.

use std::env;
use std::path::PathBuf;

use once_cell::sync::OnceCell;

use super::{Setting, Source};
use crate::error::{Error, Result};

const SRS_BUDGET: &str = "FILCRYPTO_SRS_BUDGET";
const SRS_IMAGE_DIR: &str = "FILCRYPTO_SRS_IMAGE_DIR";
const SRS_SUBGROUP_CHECK: &str = "FILCRYPTO_SRS_SUBGROUP_CHECK";
const THREADS: &str = "FILCRYPTO_THREADS";
const BUFFER_BUDGET: &str = "FILCRYPTO_BUFFER_BUDGET";

/// More threads than this are a mistake.
const MOST_THREADS: u64 = 4096;

/// What holds until the process ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// Of memory for all resident SRS; None follows from the memory that is there.
    pub srs_budget_bytes: Option<u64>,
    /// Where decoded SRS are shared; None is beside the parameter files.
    pub srs_image_directory: Option<PathBuf>,
    /// Whether decoding also checks that points are in the prime-order subgroup.
    pub srs_subgroup_check: bool,
    /// That prove; None is one a processor.
    pub threads: Option<u64>,
    /// Of memory for buffers of all proofs that are being made; None follows from the memory that is there.
    pub buffer_budget_bytes: Option<u64>,
}

/// The settings; an error names the variable at fault, and a later call reads them anew.
pub fn library() -> Result<&'static Library> {
    static LIBRARY: OnceCell<Library> = OnceCell::new();
    LIBRARY.get_or_try_init(|| Library::read(variable))
}

/// All of them, with the values that hold.
pub fn settings() -> Result<Vec<Setting>> {
    let library = library()?;
    let budget = library.srs_budget_bytes.map(|bytes| bytes.to_string());
    let directory = library.srs_image_directory.as_ref();
    let auto = |value: Option<u64>| value.map_or("auto".to_owned(), |value| value.to_string());
    let values = [
        (SRS_BUDGET, budget.unwrap_or_else(|| "auto".to_owned())),
        (
            SRS_IMAGE_DIR,
            directory.map_or("beside the parameters".to_owned(), |path| path.display().to_string()),
        ),
        (SRS_SUBGROUP_CHECK, library.srs_subgroup_check.to_string()),
        (THREADS, auto(library.threads)),
        (BUFFER_BUDGET, auto(library.buffer_budget_bytes)),
    ];
    let setting = |(name, value): (&str, String)| Setting {
        name: name.to_owned(),
        value,
        source: match env::var_os(name) {
            Some(_) => Source::Variable(name.to_owned()),
            None => Source::Default,
        },
    };
    Ok(values.into_iter().map(setting).collect())
}

/// The value of a variable; one that is set but empty counts as unset.
fn variable(name: &str) -> Result<Option<String>> {
    match env::var_os(name).filter(|value| !value.is_empty()) {
        None => Ok(None),
        Some(value) => value
            .into_string()
            .map(Some)
            .map_err(|value| bad(name, &value.to_string_lossy(), "it is not UTF-8")),
    }
}

fn bad(name: &str, value: &str, reason: &str) -> Error {
    Error::Setting {
        variable: name.to_owned(),
        value: value.to_owned(),
        reason: reason.to_owned(),
    }
}

impl Library {
    fn read(variable: impl Fn(&str) -> Result<Option<String>>) -> Result<Self> {
        let parsed = |name, parse: fn(&str) -> Result<Option<u64>, &'static str>| -> Result<Option<u64>> {
            let Some(value) = variable(name)? else { return Ok(None) };
            parse(&value).map_err(|reason| bad(name, &value, reason))
        };
        Ok(Self {
            srs_budget_bytes: parsed(SRS_BUDGET, budget)?,
            srs_image_directory: variable(SRS_IMAGE_DIR)?.map(PathBuf::from),
            srs_subgroup_check: parsed(SRS_SUBGROUP_CHECK, switch)? == Some(1),
            threads: parsed(THREADS, threads)?,
            buffer_budget_bytes: parsed(BUFFER_BUDGET, budget)?,
        })
    }
}

fn budget(value: &str) -> Result<Option<u64>, &'static str> {
    const REASON: &str = "it is neither auto nor a number of bytes, KiB, MiB, GiB or TiB, as in 48GiB";
    if value == "auto" {
        return Ok(None);
    }
    let units = [("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40), ("", 0)];
    let unit = units.into_iter().find(|(unit, _)| value.ends_with(unit));
    let (number, shift) = unit
        .map(|(unit, shift)| (value.trim_end_matches(unit).trim_end(), shift))
        .ok_or(REASON)?;
    let number: u64 = number.parse().map_err(|_| REASON)?;
    number.checked_mul(1 << shift).map(Some).ok_or(REASON)
}

fn threads(value: &str) -> Result<Option<u64>, &'static str> {
    match value.parse() {
        _ if value == "auto" => Ok(None),
        Ok(count) if (1..=MOST_THREADS).contains(&count) => Ok(Some(count)),
        _ => Err("it is neither auto nor a number from 1 to 4096"),
    }
}

fn switch(value: &str) -> Result<Option<u64>, &'static str> {
    match value {
        "1" | "true" => Ok(Some(1)),
        "0" | "false" => Ok(Some(0)),
        _ => Err("it is none of 1, true, 0 and false"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &'static str, value: &'static str) -> Result<Library> {
        Library::read(|asked| Ok((asked == name).then(|| value.to_owned())))
    }

    #[test]
    fn values_are_parsed() {
        let bytes = |value| read(SRS_BUDGET, value).unwrap().srs_budget_bytes;
        assert_eq!(bytes("auto"), None);
        assert_eq!(bytes("123"), Some(123));
        assert_eq!(bytes("48GiB"), Some(48 << 30));
        assert_eq!(bytes("5 MiB"), Some(5 << 20));
        let check = |value| read(SRS_SUBGROUP_CHECK, value).unwrap().srs_subgroup_check;
        assert!(check("1") && check("true") && !check("0") && !check("false"));
        let threads = |value| read(THREADS, value).unwrap().threads;
        assert_eq!(
            (threads("auto"), threads("1"), threads("4096")),
            (None, Some(1), Some(4096))
        );
        assert_eq!(read(BUFFER_BUDGET, "2GiB").unwrap().buffer_budget_bytes, Some(2 << 30));
        let none = read("", "").unwrap();
        assert_eq!(
            (none.srs_budget_bytes, none.srs_image_directory, none.srs_subgroup_check),
            (None, None, false)
        );
    }

    #[test]
    fn a_malformed_value_names_its_variable() {
        for (name, value) in [
            (SRS_BUDGET, "much"),
            (SRS_BUDGET, "-1"),
            (SRS_BUDGET, "GiB"),
            (SRS_BUDGET, "99999999999TiB"),
            (SRS_SUBGROUP_CHECK, "maybe"),
            (THREADS, "0"),
            (THREADS, "many"),
            (THREADS, "5000"),
            (BUFFER_BUDGET, "some"),
        ] {
            let text = read(name, value).unwrap_err().to_string();
            assert!(text.contains(name) && text.contains(value), "{text}");
        }
    }
}
