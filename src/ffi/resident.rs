//! The library's own additions: the resident SRS, metrics, the timeline and the effective settings.

use serde_json::json;

use super::boundary::{destroy, respond};
use super::convert::paths;
use super::types::*;
use crate::config;
use crate::error::{Error, Result};
use crate::filecoin::local_params::Kind;
use crate::filecoin::srs::{self, Circuit};
use crate::telemetry::{metrics, timeline};

/// Kinds of proofs, each with an SRS of its own: sealing in all its forms.
pub const FILCRYPTO_KIND_POREP: i32 = 0;
/// Winning PoSt.
pub const FILCRYPTO_KIND_WINNING: i32 = 1;
/// Window PoSt.
pub const FILCRYPTO_KIND_WINDOW: i32 = 2;
/// Sector update.
pub const FILCRYPTO_KIND_UPDATE: i32 = 3;

fn circuit(kind: i32, sector_size: u64) -> Result<Circuit> {
    const KINDS: [Kind; 4] = [Kind::Porep, Kind::Winning, Kind::Window, Kind::Update];
    let found = usize::try_from(kind).ok().and_then(|index| KINDS.get(index));
    Ok(Circuit {
        kind: *found.ok_or(Error::UnknownEnum {
            kind: "FILCRYPTO_KIND",
            value: kind.into(),
            max: KINDS.len() - 1,
        })?,
        sector_bytes: sector_size,
    })
}

fn text(name: &'static str, text: impl FnOnce() -> Result<String>) -> *mut Result_slice_boxed_uint8 {
    respond(name, || Ok(text()?.into_bytes().into()))
}

/// Version and build of the library.
///
/// @return a JSON object: `version`, `drop_in_for`, `allocator`, `target`. Free with filcrypto_destroy_text.
///         Threads: any.
#[no_mangle]
pub extern "C" fn filcrypto_version() -> *mut Result_slice_boxed_uint8_t {
    text("filcrypto_version", || {
        let allocator = if cfg!(feature = "jemalloc") {
            "jemalloc"
        } else {
            "system"
        };
        let version = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "drop_in_for": "filecoin-ffi v1.36.1",
            "allocator": allocator,
            "target": format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
        });
        Ok(version.to_string())
    })
}

/// Every setting with the value that holds and where it comes from.
///
/// @return a JSON array of objects: `name`, `value`, `source`. Free with filcrypto_destroy_text. Threads: any.
#[no_mangle]
pub extern "C" fn filcrypto_settings() -> *mut Result_slice_boxed_uint8_t {
    text("filcrypto_settings", || {
        let row = |setting: config::Setting| {
            json!({
                "name": setting.name,
                "value": setting.value,
                "source": setting.source.to_string(),
            })
        };
        let rows: Vec<_> = config::settings()?.into_iter().map(row).collect();
        Ok(serde_json::to_string(&rows)?)
    })
}

/// Loads the SRS of a kind of proof, so that the first proof does not wait for it: maps the shared image, or decodes the
/// parameter file and writes the image. Returns when all of it is in memory, at once if it is already.
///
/// @param kind         a FILCRYPTO_KIND_*
/// @param sector_size  bytes: 2 KiB, 8 MiB, 512 MiB, 32 GiB or 64 GiB
/// @return nothing; status 1 when the parameter file is missing or damaged, or the SRS is larger than the budget. Free with
///         filcrypto_destroy_void. Threads: any; loads of one SRS at once are one load.
#[no_mangle]
pub extern "C" fn filcrypto_srs_preload(kind: i32, sector_size: u64) -> *mut Result_void_t {
    respond("filcrypto_srs_preload", || srs::preload(circuit(kind, sector_size)?))
}

/// Gives the memory of an SRS back. Its shared image stays, so that the next load is quick.
///
/// @param kind         a FILCRYPTO_KIND_*
/// @param sector_size  bytes
/// @return true when it was resident; status 1 when proofs use it or it is being loaded. Free with filcrypto_destroy_bool.
///         Threads: any.
#[no_mangle]
pub extern "C" fn filcrypto_srs_evict(kind: i32, sector_size: u64) -> *mut Result_bool_t {
    respond("filcrypto_srs_evict", || srs::evict(circuit(kind, sector_size)?))
}

/// What this process holds and does.
///
/// @return a JSON object: `budget_bytes`, `used_bytes`; `srs`, an array of `id`, `state` (cold, loading, resident or
///         evicting), `bytes`, `leases`, `shared`; `work`, an array of `subject`, `phase`, `done`, `total`, `seconds`,
///         `seconds_left`. Free with filcrypto_destroy_text. Threads: any, at any time.
#[no_mangle]
pub extern "C" fn filcrypto_srs_status() -> *mut Result_slice_boxed_uint8_t {
    text("filcrypto_srs_status", || Ok(serde_json::to_string(&srs::report()?)?))
}

/// All counters, gauges and histograms.
///
/// @return text in the exposition format of Prometheus. Free with filcrypto_destroy_text. Threads: any, at any time.
#[no_mangle]
pub extern "C" fn filcrypto_metrics() -> *mut Result_slice_boxed_uint8_t {
    text("filcrypto_metrics", || Ok(metrics::render()))
}

/// Starts to record a timeline of what the library does on each thread. One recording runs at a time.
///
/// @param path  the file to write when the recording stops; made now, replaced if it exists; borrowed
/// @return nothing; status 1 when the file cannot be made or a recording runs. Free with filcrypto_destroy_void. Threads: any.
#[no_mangle]
pub unsafe extern "C" fn filcrypto_timeline_start(path: slice_ref_uint8_t) -> *mut Result_void_t {
    respond("filcrypto_timeline_start", || {
        borrow!(path);
        paths!(path);
        timeline::start(&path)
    })
}

/// Stops the recording and writes its file: JSON that Perfetto and Chrome open.
///
/// @return nothing; status 1 when no recording runs or the file cannot be written. Free with filcrypto_destroy_void.
///         Threads: any.
#[no_mangle]
pub extern "C" fn filcrypto_timeline_stop() -> *mut Result_void_t {
    respond("filcrypto_timeline_stop", || timeline::stop().map(|_| ()))
}

/// Frees a response with a text. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn filcrypto_destroy_text(ptr: *mut Result_slice_boxed_uint8_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("filcrypto_destroy_text", ptr) }
}

/// Frees a response without a value. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn filcrypto_destroy_void(ptr: *mut Result_void_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("filcrypto_destroy_void", ptr) }
}

/// Frees a response with a truth value. NULL is accepted.
#[no_mangle]
pub unsafe extern "C" fn filcrypto_destroy_bool(ptr: *mut Result_bool_t) {
    // SAFETY: the caller owns the pointer and gives it up.
    unsafe { destroy("filcrypto_destroy_bool", ptr) }
}
