//! `filcrypto info`: what this build and this machine are, and which settings hold.

use std::fs;
use std::io;
use std::path::Path;

use filcrypto::config;
use filcrypto::error::{Error, Result};
use filcrypto::ffi::util::glibc_version;
use filcrypto::filecoin::devices;
use filcrypto::filecoin::manifest::Manifest;
use serde::Serialize;
use storage_proofs_core::parameter_cache::{parameter_cache_dir, PARAMETERS, SRS_PARAMETERS};

/// Show the version, the machine, the settings and the parameter files.
#[derive(clap::Args)]
pub struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Info {
    version: &'static str,
    drop_in_for: &'static str,
    allocator: &'static str,
    glibc: String,
    processors: usize,
    processor_features: Vec<&'static str>,
    devices: Vec<String>,
    settings: Vec<Setting>,
    parameter_directory: String,
    parameter_files: Vec<ParameterFile>,
}

#[derive(Serialize)]
struct Setting {
    name: String,
    value: String,
    source: String,
}

#[derive(Serialize)]
struct ParameterFile {
    name: String,
    bytes: u64,
    origin: Origin,
}

/// By lists and sizes alone: the contents are checked when the file is used.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum Origin {
    /// Listed as made by `filcrypto params`.
    LocalInsecure,
    /// Listed as made by `filcrypto params`, with another size.
    LocalDamaged,
    /// Has the name of a published file.
    PublishedName,
    Unknown,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let info = Info::gather()?;
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&info)?);
    } else {
        info.print();
    }
    Ok(())
}

impl Info {
    fn gather() -> Result<Self> {
        let settings = config::settings()?.into_iter().map(|setting| Setting {
            name: setting.name,
            value: setting.value,
            source: setting.source.to_string(),
        });
        let settings = settings.collect();
        let directory = parameter_cache_dir();
        Ok(Self {
            version: env!("CARGO_PKG_VERSION"),
            drop_in_for: "filecoin-ffi v1.36.1",
            allocator: if cfg!(feature = "jemalloc") {
                "jemalloc"
            } else {
                "system"
            },
            glibc: glibc_version(),
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            processor_features: processor_features(),
            devices: devices::names(),
            settings,
            parameter_files: parameter_files(&directory)?,
            parameter_directory: directory.display().to_string(),
        })
    }

    fn print(&self) {
        println!("filcrypto {}, a drop-in for {}", self.version, self.drop_in_for);
        println!("allocator: {}", self.allocator);
        println!("glibc: {}", self.glibc);
        println!("processors: {}, {}", self.processors, list(&self.processor_features));
        println!("devices: {}", list(&self.devices));
        println!("\nsettings:");
        for setting in &self.settings {
            println!("  {:<34} {:<40} {}", setting.name, setting.value, setting.source);
        }
        println!("\nparameters in {}:", self.parameter_directory);
        for file in &self.parameter_files {
            let origin = match file.origin {
                Origin::LocalInsecure => "local, insecure",
                Origin::LocalDamaged => "local, damaged",
                Origin::PublishedName => "published name",
                Origin::Unknown => "unknown",
            };
            println!("  {:>15} {origin:<16} {}", file.bytes, file.name);
        }
        if self.parameter_files.is_empty() {
            println!("  none");
        }
    }
}

fn list<T: AsRef<str>>(items: &[T]) -> String {
    match items {
        [] => "none".to_owned(),
        _ => items.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(" "),
    }
}

/// Those that the field arithmetic, the hash functions and the graph have code for.
fn processor_features() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    let features = [
        ("adx", std::is_x86_feature_detected!("adx")),
        ("bmi2", std::is_x86_feature_detected!("bmi2")),
        ("avx2", std::is_x86_feature_detected!("avx2")),
        ("avx512f", std::is_x86_feature_detected!("avx512f")),
        ("sha", std::is_x86_feature_detected!("sha")),
    ];
    #[cfg(not(target_arch = "x86_64"))]
    let features = [];
    features
        .into_iter()
        .filter_map(|(name, found)| found.then_some(name))
        .collect()
}

/// The parameter, key and SRS files of a directory; none if there is no such directory.
fn parameter_files(directory: &Path) -> Result<Vec<ParameterFile>> {
    let unreadable = |error: io::Error| Error::message(format!("cannot list {}: {error}", directory.display()));
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(error)),
    };
    let manifest = Manifest::load(directory)?;
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let extension = Path::new(&name).extension().and_then(|extension| extension.to_str());
        if name.starts_with('.') || !matches!(extension, Some("params" | "vk" | "srs")) {
            continue;
        }
        let bytes = fs::metadata(entry.path()).map_err(unreadable)?.len();
        let origin = origin(&manifest, &name, bytes);
        files.push(ParameterFile { name, bytes, origin });
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

fn origin(manifest: &Manifest, name: &str, bytes: u64) -> Origin {
    match manifest.files.get(name) {
        Some(entry) if entry.bytes == bytes => Origin::LocalInsecure,
        Some(_) => Origin::LocalDamaged,
        None if PARAMETERS.contains_key(name) || SRS_PARAMETERS.contains_key(name) => Origin::PublishedName,
        None => Origin::Unknown,
    }
}
