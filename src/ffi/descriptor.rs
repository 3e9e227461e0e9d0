//! Descriptors that callers lend. The library works on a duplicate, which shares the offset, and so never closes theirs.

use std::fs::File;
use std::os::fd::{BorrowedFd, RawFd};
use std::path::PathBuf;

use crate::error::{Error, Result};

/// A file over a duplicate of the caller's descriptor; reading and writing moves the caller's offset too.
pub fn duplicate(argument: &'static str, raw: RawFd) -> Result<File> {
    if raw < 0 {
        return Err(Error::BadDescriptor {
            argument,
            raw,
            source: std::io::Error::from_raw_os_error(libc::EBADF),
        });
    }
    // SAFETY: not negative; the borrow ends in this statement, and a descriptor that is not open only makes dup fail.
    let duplicate = unsafe { BorrowedFd::borrow_raw(raw) }.try_clone_to_owned();
    duplicate
        .map(File::from)
        .map_err(|source| Error::BadDescriptor { argument, raw, source })
}

/// The path behind the caller's descriptor.
pub fn path(argument: &'static str, raw: RawFd) -> Result<PathBuf> {
    let link = std::fs::read_link(format!("/proc/self/fd/{raw}"));
    link.map_err(|source| Error::BadDescriptor { argument, raw, source })
}
