//! What the production manifest, embedded in the proofs crates, says of a file.

use storage_proofs_core::parameter_cache::{ParameterData, PARAMETERS, SRS_PARAMETERS};

fn entry(name: &str) -> Option<&'static ParameterData> {
    PARAMETERS.get(name).or_else(|| SRS_PARAMETERS.get(name))
}

pub fn digest(name: &str) -> Option<&'static str> {
    entry(name).map(|entry| entry.digest.as_str())
}

/// The production file with that digest.
pub fn name_of(digest: &str) -> Option<&'static str> {
    let mut entries = PARAMETERS.iter().chain(SRS_PARAMETERS.iter());
    entries
        .find(|(_, entry)| entry.digest == digest)
        .map(|(name, _)| name.as_str())
}

/// How an operator gets a file, as the end of an error text.
pub fn how_to_get(name: &str) -> String {
    let size = entry(name).map_or(0, |entry| entry.sector_size);
    let label = match size {
        0 => "32GiB".to_owned(),
        _ if size < 1 << 20 => format!("{}KiB", size >> 10),
        _ if size < 1 << 30 => format!("{}MiB", size >> 20),
        _ => format!("{}GiB", size >> 30),
    };
    let fetch = format!("`lotus fetch-params {label}` or `curio fetch-params {label}`");
    match size {
        0 => format!("{fetch}, or for testing `filcrypto params --srs`"),
        _ if size <= 8 << 20 => format!("{fetch}, or for testing `filcrypto params --sector-size {label}`"),
        _ => fetch,
    }
}
