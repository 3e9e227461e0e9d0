//! One partition's journey: its turn, the witness, the rows' values, the proof, and its verification.
//!
//! Work runs on the prover's own workers. Calling threads wait for their turn and for buffers, and never on a worker, so
//! that a worker always has work that can go on: whoever holds a turn waits only for buffers, and whoever holds buffers
//! waits for nothing.

mod partition;
mod turns;

#[cfg(test)]
mod tests;

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use bellperson::groth16::Proof;
use bellperson::Circuit;
use blstrs::Bls12;
use rayon::ThreadPoolBuilder;

use crate::error::{Error, Result};
use crate::groth16::pool::SlabPool;
use crate::groth16::prover::{Evaluations, Prover};
use crate::groth16::r1cs::{Fr, Recording};
use crate::srs::ProvingKeyView;
use turns::Turns;

/// More partitions at once than this only hold memory: one is in each stage.
const MOST_AT_ONCE: usize = 16;

/// A worker that waits for others takes up other work meanwhile, at most as deep as there are turns.
const STACK_BYTES: usize = 32 << 20;

pub struct Pipeline {
    prover: Prover,
    turns: Turns,
}

/// What all partitions of a proof have in common.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    pub key: ProvingKeyView<'a>,
    pub recording: &'a Recording,
}

impl Pipeline {
    /// With so many workers, and so much memory for buffers.
    pub fn new(threads: usize, buffer_budget_bytes: usize) -> Result<Self> {
        let workers = ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|index| format!("filcrypto {index}"))
            .stack_size(STACK_BYTES)
            .build()
            .map_err(|error| Error::message(format!("cannot start {threads} threads for proving: {error}")))?;
        let slabs = Arc::new(SlabPool::new(buffer_budget_bytes));
        Ok(Self {
            prover: Prover::new(workers, slabs),
            turns: Turns::new(threads.clamp(1, MOST_AT_ONCE)),
        })
    }

    /// Runs other work on the workers; it must not wait for anything but them.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.prover.workers().install(work)
    }

    /// The proofs of `partitions` partitions, in order. `circuit` makes a partition's circuit, again if its first proof is
    /// bad.
    pub fn prove<C, F>(&self, job: Job<'_>, partitions: usize, circuit: F) -> Result<Vec<Proof<Bls12>>>
    where
        C: Circuit<Fr>,
        F: Fn(usize) -> Result<C> + Sync,
    {
        self.prove_touched(job, partitions, circuit, |_, _| {})
    }

    /// Like [`Pipeline::prove`]; `touch` sees the rows' values of each attempt, which tests spoil.
    fn prove_touched<C, F, T>(&self, job: Job<'_>, partitions: usize, circuit: F, touch: T) -> Result<Vec<Proof<Bls12>>>
    where
        C: Circuit<Fr>,
        F: Fn(usize) -> Result<C> + Sync,
        T: Fn(usize, &mut Evaluations<'_>) + Sync,
    {
        let prove = |partition| {
            let circuit = || circuit(partition);
            self.prove_partition(job, &circuit, &touch)
        };
        side_by_side(partitions, self.turns.count(), prove)
    }
}

/// The results of `work` for 0 to `count`, on up to `threads` threads of which the caller is one. After an error nothing
/// more is begun.
fn side_by_side<T: Send>(count: usize, threads: usize, work: impl Fn(usize) -> Result<T> + Sync) -> Result<Vec<T>> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(count));
    let run = || loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        if index >= count {
            return;
        }
        let result = work(index);
        if result.is_err() {
            next.store(count, Ordering::Relaxed);
        }
        results
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push((index, result));
    };
    thread::scope(|scope| {
        let spawn = |_| {
            let thread = thread::Builder::new().name("filcrypto partition".to_owned());
            let spawned = thread.spawn_scoped(scope, run);
            spawned
                .inspect_err(|error| log::debug!("partitions are proved on fewer threads: {error}"))
                .ok()
        };
        let helpers: Vec<_> = (1..threads.min(count)).map_while(spawn).collect();
        run();
        for helper in helpers {
            if let Err(panic) = helper.join() {
                // With its own text, which the scope would drop.
                resume_unwind(panic);
            }
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}
