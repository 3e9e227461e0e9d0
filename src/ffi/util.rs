//! Memory for callers, the device list and the log.

use std::ffi::CStr;

use super::boundary::{guard, respond, respond_quietly};
use super::descriptor;
use super::types::*;
use crate::error::{Error, Result};
use crate::filecoin::devices;
use crate::telemetry;

/// Allocates a zero-filled byte slice of `size` bytes, for the caller to fill and to pass back in.
///
/// @param size  bytes; 0 gives an empty slice
/// @return the slice, owned by the caller: free it with destroy_boxed_slice. When the memory cannot be had, `ptr` is NULL and
///         `len` 0. Threads: any.
#[no_mangle]
pub extern "C" fn alloc_boxed_slice(size: usize) -> slice_boxed_uint8_t {
    let none = slice_boxed_uint8 {
        ptr: std::ptr::null_mut(),
        len: 0,
    };
    guard("alloc_boxed_slice", none, || zeroed(size).map(Into::into))
}

fn zeroed(bytes: usize) -> Result<Vec<u8>> {
    let mut buffer = Vec::new();
    buffer.try_reserve_exact(bytes).map_err(|_| Error::OutOfMemory {
        bytes,
        purpose: "alloc_boxed_slice",
    })?;
    buffer.resize(bytes, 0);
    Ok(buffer)
}

/// Lists the devices that proving will use, by name.
///
/// @return one UTF-8 name a device, in the order of use; an empty list when proving runs on the CPU. Free with
///         destroy_gpu_device_response. Threads: any.
#[no_mangle]
pub extern "C" fn get_gpu_devices() -> *mut Result_slice_boxed_slice_boxed_uint8_t {
    respond("get_gpu_devices", || {
        let names: Vec<slice_boxed_uint8> = devices::names()
            .into_iter()
            .map(|name| name.into_bytes().into())
            .collect();
        Ok(names.into())
    })
}

/// Sends all log lines of the library to a descriptor instead of stderr. Call it before anything else: the first other call
/// starts the log on stderr. The filter comes from the environment variable RUST_LOG.
///
/// @param log_fd  an open, writable descriptor. The library duplicates it and keeps the duplicate for the life of the
///                process; log_fd itself stays the caller's and is never closed.
/// @return nothing; status 1 when a log runs already or log_fd is not open. Free with destroy_init_log_fd_response.
///         Threads: any.
#[no_mangle]
pub extern "C" fn init_log_fd(log_fd: i32) -> *mut Result_void_t {
    respond_quietly("init_log_fd", || {
        if telemetry::log::start_on_file(descriptor::duplicate("log_fd", log_fd)?)? {
            Ok(())
        } else {
            Err(Error::message(
                "There is already an active logger. `init_log_fd()` needs to be called before any other call.",
            ))
        }
    })
}

/// The C library that this process runs with.
pub fn glibc_version() -> String {
    // SAFETY: takes nothing and returns a string constant of the C library.
    let version = unsafe { CStr::from_ptr(libc::gnu_get_libc_version()) };
    version.to_string_lossy().into_owned()
}
