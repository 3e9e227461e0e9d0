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
    /// None after a failed flush: FVM versions keep no block that they once gave to the blockstore, so a second flush would
    /// return a root without its blocks.
    executor: Mutex<Option<Box<dyn Executor>>>,
    threads: &'static Pool,
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
            executor: Mutex::new(Some(executor)),
            threads: &runtime.threads,
        })
    }

    /// Executes a CBOR message. After a panic in the executor, the machine only gives errors.
    pub fn execute(&self, message: &[u8], kind: Kind, chain_len: usize) -> Result<Receipt> {
        let message = fvm_ipld_encoding::from_slice(message).context("the message does not decode")?;
        let mut slot = self.lock()?;
        let executor = usable(&mut slot)?;
        Ok(on_large_stack(self.threads, || {
            executor.execute(message, kind, chain_len)
        })?)
    }

    /// Writes the state to the blockstore and returns its new root. After a failure, the machine only gives errors.
    pub fn flush(&self) -> Result<Cid> {
        let mut slot = self.lock()?;
        let flushed = usable(&mut slot)?.flush();
        if flushed.is_err() {
            *slot = None;
        }
        Ok(flushed?)
    }

    fn lock(&self) -> Result<MutexGuard<'_, Option<Box<dyn Executor>>>> {
        self.executor.lock().map_err(|poisoned| {
            Error::message(format!(
                "executor lock poisoned: {poisoned}: an earlier call panicked in this machine; create a new one"
            ))
        })
    }
}

fn usable(slot: &mut Option<Box<dyn Executor>>) -> Result<&mut Box<dyn Executor>> {
    slot.as_mut().ok_or_else(|| {
        Error::message(
            "missing executor: an earlier flush of this machine failed and its state is lost; create a new one",
        )
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use fvm4_shared::address::Address;
    use fvm4_shared::econ::TokenAmount;
    use fvm4_shared::message::Message;

    struct Panicking;

    impl Executor for Panicking {
        fn execute(&mut self, message: Message, _: Kind, _: usize) -> anyhow::Result<Receipt> {
            panic!("no actor {}", message.to)
        }

        fn flush(&mut self) -> anyhow::Result<Cid> {
            Ok(Cid::default())
        }
    }

    fn panicking_machine() -> Machine {
        let threads = ThreadConfig::new().prefix("fvm-test").stack_size(STACK_BYTES);
        Machine {
            executor: Mutex::new(Some(Box::new(Panicking))),
            threads: Box::leak(Box::new(Pool::with_config(1, threads))),
        }
    }

    fn message() -> Vec<u8> {
        let message = Message {
            version: 0,
            from: Address::new_id(100),
            to: Address::new_id(101),
            sequence: 0,
            value: TokenAmount::default(),
            method_num: 0,
            params: Default::default(),
            gas_limit: 1,
            gas_fee_cap: TokenAmount::default(),
            gas_premium: TokenAmount::default(),
        };
        fvm_ipld_encoding::to_vec(&message).expect("a message encodes")
    }

    #[test]
    fn a_panic_reaches_the_caller_and_retires_the_machine() {
        let machine = panicking_machine();
        machine.flush().expect("not yet retired");

        let panic = catch_unwind(AssertUnwindSafe(|| machine.execute(&message(), Kind::Explicit, 0)));
        let payload = panic.expect_err("the executor panics");
        assert_eq!(payload.downcast_ref::<String>().expect("a text"), "no actor f0101");

        for error in [
            machine.execute(&message(), Kind::Explicit, 0).expect_err("retired"),
            machine.flush().expect_err("retired"),
        ] {
            let text = error.to_string();
            assert!(
                text.starts_with("executor lock poisoned: ") && text.contains("create a new one"),
                "{text}"
            );
        }
    }

    #[test]
    fn work_runs_on_a_large_stack_and_the_pool_survives_panics() {
        let machine = panicking_machine();
        let panic = catch_unwind(|| on_large_stack(machine.threads, || panic!("first")));
        assert!(panic.is_err());

        #[inline(never)]
        fn deep(levels: usize) -> usize {
            let frame = std::hint::black_box([levels; 128]);
            match levels {
                0 => 0,
                _ => 1 + deep(levels - 1) + std::hint::black_box(frame[0] - levels),
            }
        }
        // Some 40 MiB of frames.
        assert_eq!(on_large_stack(machine.threads, || deep(40_000)), 40_000);
    }
}
