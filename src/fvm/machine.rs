//! Machines, and what all machines of the process share.

use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::sync::{Mutex, MutexGuard};

use anyhow::{anyhow, Context};
use cid::Cid;
use fvm_ipld_encoding::CborStore;
use once_cell::sync::OnceCell;
use yastl::{Pool, ThreadConfig};

use super::blockstore::HostBlockstore;
use super::engine::{Engines, Executor, Version};
use super::externs::HostExterns;
use super::host::Host;
use super::receipt::Receipt;
use crate::config;
use crate::error::{Error, Result};

/// Deep call chains need this much; a caller's thread has less.
const STACK_BYTES: usize = 64 << 20;

/// The network, the tipset and the handles that a machine is for.
pub struct Config {
    pub network_version: u32,
    pub chain_id: u64,
    pub epoch: i64,
    /// In seconds since 1970.
    pub timestamp: u64,
    /// In attoFIL, as the circulating supply.
    pub base_fee: u128,
    pub circulating_supply: u128,
    pub state_root: Cid,
    pub tracing: bool,
    pub actor_debugging: bool,
    /// The block that lists which actor code runs in place of which.
    pub actor_redirect: Option<Cid>,
    /// Flushing writes every block that execution made, not only those under the new root.
    pub flush_all_blocks: bool,
    pub blockstore: u64,
    pub externs: u64,
}

/// Explicit messages are on chain and pay for their gas; implicit ones are the system's.
#[derive(Clone, Copy)]
pub enum Kind {
    Explicit,
    Implicit,
}

struct Runtime {
    host: Host,
    engines: Engines,
    threads: Pool,
}

static RUNTIME: OnceCell<Runtime> = OnceCell::new();

fn runtime() -> Result<&'static Runtime> {
    RUNTIME.get_or_try_init(|| {
        let host = Host::find()?;
        let concurrency = config::fvm_concurrency();
        let threads = ThreadConfig::new().prefix("fvm").stack_size(STACK_BYTES);
        Ok(Runtime {
            host,
            engines: Engines::new(concurrency),
            threads: Pool::with_config(concurrency as usize, threads),
        })
    })
}

/// An executor over one state root. Any thread may use or drop it; uses take turns.
pub struct Machine {
    executor: Mutex<Box<dyn Executor>>,
}

impl Machine {
    pub fn new(config: Config) -> Result<Self> {
        let version = Version::of_network(config.network_version).ok_or_else(|| {
            Error::message(format!(
                "network version not supported: {}, the FVM runs network versions 16 to 29",
                config.network_version
            ))
        })?;
        let runtime = runtime()?;
        let blockstore = HostBlockstore::new(&runtime.host, config.blockstore);
        let externs = HostExterns::new(&runtime.host, config.externs);
        let redirect = match config.actor_redirect {
            Some(list) => redirects(&blockstore, &list)?,
            None => Vec::new(),
        };
        let executor = runtime
            .engines
            .executor(version, config, redirect, (blockstore, externs))?;
        Ok(Self {
            executor: Mutex::new(executor),
        })
    }

    /// Executes a CBOR message. After a panic in the executor, the machine only gives errors.
    pub fn execute(&self, message: &[u8], kind: Kind, chain_len: usize) -> Result<Receipt> {
        let message = fvm_ipld_encoding::from_slice(message).context("the message does not decode")?;
        let mut executor = self.lock()?;
        let executor = &mut **executor;
        Ok(on_large_stack(&runtime()?.threads, || {
            executor.execute(message, kind, chain_len)
        })?)
    }

    /// Writes the state to the blockstore and returns its new root.
    pub fn flush(&self) -> Result<Cid> {
        Ok(self.lock()?.flush()?)
    }

    fn lock(&self) -> Result<MutexGuard<'_, Box<dyn Executor>>> {
        self.executor.lock().map_err(|poisoned| {
            Error::message(format!(
                "executor lock poisoned: {poisoned}: an earlier call panicked in this machine; create a new one"
            ))
        })
    }
}

fn redirects(blockstore: &HostBlockstore, list: &Cid) -> anyhow::Result<Vec<(Cid, Cid)>> {
    blockstore
        .get_cbor(list)
        .context("blockstore error when looking up actor redirects")?
        .ok_or_else(|| anyhow!("the blockstore has no actor redirects {list}"))
}

/// Runs `work` on one of the pool's threads and waits for it. A panic goes on in the caller.
fn on_large_stack<T: Send>(threads: &Pool, work: impl FnOnce() -> T + Send) -> T {
    let mut outcome = None;
    // Unwind safety: the panic is only carried to the caller, not stopped here.
    threads.scoped(|scope| scope.execute(|| outcome = Some(catch_unwind(AssertUnwindSafe(work)))));
    match outcome.expect("a scope waits for its work") {
        Ok(result) => result,
        Err(panic) => resume_unwind(panic),
    }
}
