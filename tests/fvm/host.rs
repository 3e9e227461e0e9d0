//! A host program: the eight functions that a machine calls, over blockstores in memory.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex};

use cid::Cid;
use fvm_ipld_blockstore::Blockstore;

/// The length of the machine's buffer for a tipset's CID.
const CID_CAPACITY: i32 = 100;
const INVALID_HANDLE: i32 = -1;
const NOT_FOUND: i32 = -2;

static HOSTS: LazyLock<Mutex<HashMap<u64, Arc<Host>>>> = LazyLock::new(Default::default);
static NEXT: AtomicU64 = AtomicU64::new(1);

/// One machine's blocks and chain.
#[derive(Default)]
pub struct Host {
    pub handle: u64,
    blocks: Mutex<HashMap<Vec<u8>, Vec<u8>>>,
    calls: Mutex<HashMap<&'static str, usize>>,
    failures: Mutex<HashMap<&'static str, i32>>,
    /// Number, miner and epoch of the consensus fault to report.
    pub fault: Mutex<(i64, u64, i64)>,
    /// The host gives this instead of the size of a block.
    pub lie: Mutex<Option<i32>>,
}

impl Host {
    pub fn new() -> Arc<Self> {
        let handle = NEXT.fetch_add(1, Ordering::Relaxed);
        let host = Arc::new(Self {
            handle,
            ..Self::default()
        });
        HOSTS.lock().unwrap().insert(handle, host.clone());
        host
    }

    /// Makes a function return a code; 0 makes it work again.
    pub fn fail(&self, function: &'static str, code: i32) {
        self.failures.lock().unwrap().insert(function, code);
    }

    pub fn calls(&self, function: &str) -> usize {
        self.calls.lock().unwrap().get(function).copied().unwrap_or(0)
    }

    pub fn blocks(&self) -> usize {
        self.blocks.lock().unwrap().len()
    }

    pub fn tipset_cid() -> Cid {
        Cid::try_from("bafy2bzacecnamqgqmifpluoeldx7zzglxcljo6oja4vrmtj7432rphldpdmm2").expect("a CID")
    }
}

impl Blockstore for &Host {
    fn get(&self, k: &Cid) -> anyhow::Result<Option<Vec<u8>>> {
        Ok(self.blocks.lock().unwrap().get(&k.to_bytes()).cloned())
    }

    fn put_keyed(&self, k: &Cid, block: &[u8]) -> anyhow::Result<()> {
        self.blocks.lock().unwrap().insert(k.to_bytes(), block.to_vec());
        Ok(())
    }
}

/// Counts a call, and fails it when the host is not there or was told to.
fn called(handle: u64, function: &'static str) -> Result<Arc<Host>, i32> {
    let host = HOSTS.lock().unwrap().get(&handle).cloned().ok_or(INVALID_HANDLE)?;
    *host.calls.lock().unwrap().entry(function).or_default() += 1;
    let code = host.failures.lock().unwrap().get(function).copied().unwrap_or(0);
    match code {
        0 => Ok(host),
        code => Err(code),
    }
}

fn answer(result: Result<i32, i32>) -> i32 {
    result.unwrap_or_else(|code| code)
}

unsafe fn bytes(pointer: *const u8, len: i32) -> Vec<u8> {
    assert!(
        len >= 0 && (len > 0) == !pointer.is_null(),
        "empty slices are NULL, others are not"
    );
    if len == 0 {
        return Vec::new();
    }
    unsafe { std::slice::from_raw_parts(pointer, len as usize) }.to_vec()
}

#[no_mangle]
unsafe extern "C" fn cgo_blockstore_get(
    handle: u64,
    key: *const u8,
    key_len: i32,
    block: *mut *mut u8,
    size: *mut i32,
) -> i32 {
    answer(called(handle, "cgo_blockstore_get").and_then(|host| {
        let blocks = host.blocks.lock().unwrap();
        let found = blocks.get(&unsafe { bytes(key, key_len) }).ok_or(NOT_FOUND)?;
        unsafe {
            *block = libc::malloc(found.len()).cast();
            std::ptr::copy_nonoverlapping(found.as_ptr(), *block, found.len());
            *size = host.lie.lock().unwrap().unwrap_or(found.len() as i32);
        }
        Ok(0)
    }))
}

#[no_mangle]
unsafe extern "C" fn cgo_blockstore_put(handle: u64, key: *const u8, key_len: i32, block: *const u8, len: i32) -> i32 {
    answer(called(handle, "cgo_blockstore_put").map(|host| {
        let (key, block) = unsafe { (bytes(key, key_len), bytes(block, len)) };
        host.blocks.lock().unwrap().insert(key, block);
        0
    }))
}

#[no_mangle]
unsafe extern "C" fn cgo_blockstore_put_many(handle: u64, lengths: *const i32, count: i32, blocks: *const u8) -> i32 {
    answer(called(handle, "cgo_blockstore_put_many").map(|host| {
        let lengths = unsafe { std::slice::from_raw_parts(lengths, count as usize) };
        let total = lengths.iter().sum();
        let all = unsafe { bytes(blocks, total) };
        let mut rest = all.as_slice();
        for length in lengths {
            let (mut run, after) = rest.split_at(*length as usize);
            let key = Cid::read_bytes(&mut run).expect("a run starts with its CID");
            host.blocks.lock().unwrap().insert(key.to_bytes(), run.to_vec());
            rest = after;
        }
        0
    }))
}

#[no_mangle]
unsafe extern "C" fn cgo_blockstore_has(handle: u64, key: *const u8, key_len: i32) -> i32 {
    answer(called(handle, "cgo_blockstore_has").map(|host| {
        let blocks = host.blocks.lock().unwrap();
        blocks.contains_key(&unsafe { bytes(key, key_len) }).into()
    }))
}

#[no_mangle]
unsafe extern "C" fn cgo_extern_get_chain_randomness(handle: u64, epoch: i64, output: *mut u8) -> i32 {
    answer(called(handle, "cgo_extern_get_chain_randomness").map(|_| {
        unsafe { std::slice::from_raw_parts_mut(output, 32) }.fill(epoch as u8);
        0
    }))
}

#[no_mangle]
unsafe extern "C" fn cgo_extern_get_beacon_randomness(handle: u64, epoch: i64, output: *mut u8) -> i32 {
    answer(called(handle, "cgo_extern_get_beacon_randomness").map(|_| {
        unsafe { std::slice::from_raw_parts_mut(output, 32) }.fill(!epoch as u8);
        0
    }))
}

#[no_mangle]
unsafe extern "C" fn cgo_extern_verify_consensus_fault(
    handle: u64,
    h1: *const u8,
    h1_len: i32,
    h2: *const u8,
    h2_len: i32,
    extra: *const u8,
    extra_len: i32,
    miner: *mut u64,
    epoch: *mut i64,
    fault: *mut i64,
    gas: *mut i64,
) -> i32 {
    answer(called(handle, "cgo_extern_verify_consensus_fault").map(|host| {
        let headers = unsafe { (bytes(h1, h1_len), bytes(h2, h2_len), bytes(extra, extra_len)) };
        assert_eq!(headers, (b"first".to_vec(), b"second".to_vec(), Vec::new()));
        let reported = *host.fault.lock().unwrap();
        unsafe { (*fault, *miner, *epoch, *gas) = (reported.0, reported.1, reported.2, 1000) };
        0
    }))
}

#[no_mangle]
unsafe extern "C" fn cgo_extern_get_tipset_cid(handle: u64, _epoch: i64, output: *mut u8, capacity: i32) -> i32 {
    answer(called(handle, "cgo_extern_get_tipset_cid").map(|_| {
        let cid = Host::tipset_cid().to_bytes();
        assert_eq!(capacity, CID_CAPACITY);
        unsafe { std::ptr::copy_nonoverlapping(cid.as_ptr(), output, cid.len()) };
        0
    }))
}
