//! The functions that the host program provides, and all `unsafe` code of this module tree.
//!
//! They are looked up by name when the first machine is created, so that a program without them can load the library.

use std::ffi::{c_void, CString};

use anyhow::{anyhow, ensure};

use crate::error::{Error, Result};

const INVALID_HANDLE: i32 = -1;
const NOT_FOUND: i32 = -2;
/// How many bytes the host may write for a tipset's CID.
const TIPSET_CID_BYTES: usize = fvm4_shared::MAX_CID_LEN;

macro_rules! host_functions {
    ($($name:ident($($argument:ty),* $(,)?);)*) => {
        /// The host's functions, under their C names. All return 0 on success and a negative code on failure, except
        /// `cgo_blockstore_has`, which returns 1 for yes.
        pub struct Host {
            $($name: unsafe extern "C" fn($($argument),*) -> i32,)*
        }

        impl Host {
            pub fn find() -> Result<Self> {
                Ok(Self {
                    $($name: {
                        let address = address(stringify!($name))?;
                        // SAFETY: the address is not NULL, and the name belongs to filecoin-ffi's interface, which
                        // defines a function with these parameters under it.
                        unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($argument),*) -> i32>(address) }
                    },)*
                })
            }
        }
    };
}

host_functions! {
    cgo_blockstore_get(u64, *const u8, i32, *mut *mut u8, *mut i32);
    cgo_blockstore_put(u64, *const u8, i32, *const u8, i32);
    cgo_blockstore_put_many(u64, *const i32, i32, *const u8);
    cgo_blockstore_has(u64, *const u8, i32);
    cgo_extern_get_chain_randomness(u64, i64, *mut u8);
    cgo_extern_get_beacon_randomness(u64, i64, *mut u8);
    cgo_extern_verify_consensus_fault(
        u64, *const u8, i32, *const u8, i32, *const u8, i32, *mut u64, *mut i64, *mut i64, *mut i64,
    );
    cgo_extern_get_tipset_cid(u64, i64, *mut u8, i32);
}

/// A consensus fault as the host reports it.
pub struct Fault {
    pub miner: u64,
    pub epoch: i64,
    pub number: i64,
}

impl Host {
    pub fn get(&self, store: u64, key: &[u8]) -> anyhow::Result<Option<Vec<u8>>> {
        let mut block = std::ptr::null_mut();
        let mut size = 0;
        // SAFETY: pointer and length describe `key`; the two outputs are live variables of the pointed-to types.
        let code = unsafe { (self.cgo_blockstore_get)(store, pointer(key), len(key)?, &mut block, &mut size) };
        match code {
            0 => {
                let block = HostBlock(block);
                block.copy(size).map(Some)
            }
            NOT_FOUND => Ok(None),
            code => Err(failure("cgo_blockstore_get", store, code)),
        }
    }

    pub fn put(&self, store: u64, key: &[u8], block: &[u8]) -> anyhow::Result<()> {
        // SAFETY: pointers and lengths describe `key` and `block`.
        let code = unsafe { (self.cgo_blockstore_put)(store, pointer(key), len(key)?, pointer(block), len(block)?) };
        success("cgo_blockstore_put", store, code)
    }

    /// `blocks` holds as many runs of CID and block as there are lengths, back to back.
    pub fn put_many(&self, store: u64, lengths: &[i32], blocks: &[u8]) -> anyhow::Result<()> {
        let total = lengths.iter().map(|length| *length as usize).sum::<usize>();
        ensure!(
            total == blocks.len(),
            "block lengths add up to {total}, not to {}",
            blocks.len()
        );
        let count = i32::try_from(lengths.len())?;
        // SAFETY: pointer and count describe `lengths`, whose sum is the length of `blocks`.
        let code = unsafe { (self.cgo_blockstore_put_many)(store, lengths.as_ptr(), count, pointer(blocks)) };
        success("cgo_blockstore_put_many", store, code)
    }

    pub fn has(&self, store: u64, key: &[u8]) -> anyhow::Result<bool> {
        // SAFETY: pointer and length describe `key`.
        match unsafe { (self.cgo_blockstore_has)(store, pointer(key), len(key)?) } {
            0 | NOT_FOUND => Ok(false),
            1 => Ok(true),
            code => Err(failure("cgo_blockstore_has", store, code)),
        }
    }

    pub fn chain_randomness(&self, externs: u64, epoch: i64) -> anyhow::Result<[u8; 32]> {
        let mut randomness = [0; 32];
        // SAFETY: the host writes 32 bytes, the size of the array.
        let code = unsafe { (self.cgo_extern_get_chain_randomness)(externs, epoch, randomness.as_mut_ptr()) };
        success("cgo_extern_get_chain_randomness", externs, code).map(|()| randomness)
    }

    pub fn beacon_randomness(&self, externs: u64, epoch: i64) -> anyhow::Result<[u8; 32]> {
        let mut randomness = [0; 32];
        // SAFETY: the host writes 32 bytes, the size of the array.
        let code = unsafe { (self.cgo_extern_get_beacon_randomness)(externs, epoch, randomness.as_mut_ptr()) };
        success("cgo_extern_get_beacon_randomness", externs, code).map(|()| randomness)
    }

    /// The fault that two block headers prove, if any, and the gas that finding out used.
    pub fn consensus_fault(&self, externs: u64, headers: [&[u8]; 3]) -> anyhow::Result<(Option<Fault>, i64)> {
        let [first, second, extra] = headers;
        let (mut miner, mut epoch, mut number, mut gas) = (0, 0, 0, 0);
        // SAFETY: pointers and lengths describe the headers; the outputs are live variables of the pointed-to types.
        let code = unsafe {
            (self.cgo_extern_verify_consensus_fault)(
                externs,
                pointer(first),
                len(first)?,
                pointer(second),
                len(second)?,
                pointer(extra),
                len(extra)?,
                &mut miner,
                &mut epoch,
                &mut number,
                &mut gas,
            )
        };
        success("cgo_extern_verify_consensus_fault", externs, code)?;
        let fault = (number != 0).then_some(Fault { miner, epoch, number });
        Ok((fault, gas))
    }

    /// The CID in front, zeros behind it.
    pub fn tipset_cid(&self, externs: u64, epoch: i64) -> anyhow::Result<[u8; TIPSET_CID_BYTES]> {
        let mut cid = [0; TIPSET_CID_BYTES];
        // SAFETY: the host writes at most as many bytes as it is told the array has.
        let code =
            unsafe { (self.cgo_extern_get_tipset_cid)(externs, epoch, cid.as_mut_ptr(), TIPSET_CID_BYTES as i32) };
        success("cgo_extern_get_tipset_cid", externs, code).map(|()| cid)
    }
}

/// A block that the host allocated with `malloc`: copied, then given back to the C library, never to our allocator.
struct HostBlock(*mut u8);

impl HostBlock {
    fn copy(&self, size: i32) -> anyhow::Result<Vec<u8>> {
        let bytes = match usize::try_from(size) {
            Ok(bytes) if bytes == 0 || !self.0.is_null() => bytes,
            _ => misbehaves(&format!(
                "cgo_blockstore_get gave {:?} as a block of {size} bytes",
                self.0
            )),
        };
        let mut copy = Vec::new();
        copy.try_reserve_exact(bytes).map_err(|_| Error::OutOfMemory {
            bytes,
            purpose: "a block of the state",
        })?;
        if bytes > 0 {
            // SAFETY: the pointer is not NULL, and the host says that it wrote so many bytes there.
            copy.extend_from_slice(unsafe { std::slice::from_raw_parts(self.0, bytes) });
        }
        Ok(copy)
    }
}

impl Drop for HostBlock {
    fn drop(&mut self) {
        // SAFETY: the pointer is NULL or came from the host's malloc, and this is its only owner.
        unsafe { libc::free(self.0.cast()) }
    }
}

fn address(name: &str) -> Result<*mut c_void> {
    let symbol = CString::new(name).map_err(|error| Error::message(error.to_string()))?;
    // SAFETY: the name is a NUL-terminated string, and RTLD_DEFAULT needs no handle.
    let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, symbol.as_ptr()) };
    if address.is_null() {
        return Err(Error::message(format!(
            "the program does not export the function {name}, through which an FVM machine reaches its state: use \
             filecoin-ffi's Go package, or define the cgo_* functions and link the program with -rdynamic"
        )));
    }
    Ok(address)
}

/// NULL for an empty slice: a Go function must not see Rust's dangling pointer, which its stack check takes for corruption.
fn pointer(bytes: &[u8]) -> *const u8 {
    if bytes.is_empty() {
        std::ptr::null()
    } else {
        bytes.as_ptr()
    }
}

fn len(bytes: &[u8]) -> anyhow::Result<i32> {
    i32::try_from(bytes.len()).map_err(|_| anyhow!("{} bytes are more than the host can take", bytes.len()))
}

fn success(function: &str, handle: u64, code: i32) -> anyhow::Result<()> {
    match code {
        0 => Ok(()),
        code => Err(failure(function, handle, code)),
    }
}

/// Why a function failed, for the FVM to deal with. Some errors it hands to the actor, which may go on, as on any other node
/// where the chain has the same answer. A failure that can only be a bug of this program must not pass for one of those.
fn failure(function: &str, handle: u64, code: i32) -> anyhow::Error {
    let reason = match code {
        INVALID_HANDLE => "the host knows no such handle",
        NOT_FOUND => "not found",
        -3 => "input or output failed in the host",
        -4 => "an argument is invalid",
        -5 => "the host panicked, its log says why",
        _ => "this code has no meaning",
    };
    let text = format!("{function} failed with error code {code} on handle {handle}: {reason}");
    if code == INVALID_HANDLE || code > 0 {
        misbehaves(&text);
    }
    anyhow!(text)
}

/// Ends the call with a panic, which the FVM treats as fatal and the C boundary turns into an error.
fn misbehaves(text: &str) -> ! {
    log::error!("{text}");
    panic!("{text}")
}
