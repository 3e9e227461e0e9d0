//! Proofs by our own prover: from a proof scheme's public inputs and vanilla proofs to the bytes of its partitions' proofs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use bellperson::Circuit;
use once_cell::sync::OnceCell;
use storage_proofs_core::compound_proof::{CircuitComponent, CompoundProof};
use storage_proofs_core::parameter_cache::{parameter_cache_params_path, ParameterSetMetadata};
use storage_proofs_core::proof::ProofScheme;

use super::srs;
use crate::config;
use crate::error::Result;
use crate::groth16::r1cs::{record, Fr, Recording, Template};
use crate::pipeline::{Job, Pipeline};
use crate::telemetry::heartbeat::watch;
use crate::telemetry::timeline;

/// What is to be proved: the arguments of a proof scheme.
pub struct Statement<'a, S: ProofScheme<'a>> {
    pub public_inputs: S::PublicInputs,
    /// One a partition.
    pub vanilla_proofs: Vec<S::Proof>,
    pub public_params: S::PublicParams,
}

/// 192 bytes a partition. The bounds are those of the trait.
pub fn prove<'a, P, S, C>(statement: &Statement<'a, S>) -> Result<Vec<u8>>
where
    P: CompoundProof<'a, S, C>,
    S: ProofScheme<'a>,
    C: Circuit<Fr> + CircuitComponent + Send,
    S::Proof: Sync + Send,
    S::PublicParams: ParameterSetMetadata + Sync + Send,
    S::PublicInputs: Clone + Sync,
{
    let Statement {
        public_inputs,
        vanilla_proofs,
        public_params,
    } = statement;
    let id = P::cache_identifier(public_params);
    let _watch = watch(format!("proving {} partitions of {id}", vanilla_proofs.len()));
    let pipeline = pipeline()?;
    let recording = recording(&id, || pipeline.run(|| record(P::blank_circuit(public_params))))?;
    let lease = srs::lease(&parameter_cache_params_path(&id))?;
    let job = Job {
        key: lease.view(),
        recording: &recording,
    };
    let circuit = |partition: usize| {
        let private = C::ComponentPrivateInputs::default();
        let vanilla_proof = &vanilla_proofs[partition];
        Ok(P::circuit(
            public_inputs,
            private,
            vanilla_proof,
            public_params,
            Some(partition),
        )?)
    };
    let proofs = pipeline.prove(job, vanilla_proofs.len(), circuit)?;
    let mut bytes = Vec::new();
    for proof in proofs {
        proof.write(&mut bytes)?;
    }
    Ok(bytes)
}

/// The one pipeline of the process. Its settings are taken when it is first asked for.
fn pipeline() -> Result<&'static Pipeline> {
    static PIPELINE: OnceCell<Pipeline> = OnceCell::new();
    PIPELINE.get_or_try_init(|| {
        let library = config::library()?;
        let processors = || thread::available_parallelism().map_or(1, usize::from);
        let threads = library.threads.map_or_else(processors, |threads| threads as usize);
        // What the host has room for; resident SRS share it, and their own budget is the larger part.
        let automatic = || crate::srs::automatic_budget(None) / 2;
        Pipeline::new(threads, library.buffer_budget_bytes.unwrap_or_else(automatic) as usize)
    })
}

/// The recording of a circuit: remembered, from disk, or made now. Threads that need the same one wait for it.
fn recording(id: &str, record: impl FnOnce() -> Result<Template>) -> Result<Arc<Recording>> {
    type Slot = Arc<OnceCell<Arc<Recording>>>;
    static SLOTS: Mutex<Option<HashMap<String, Slot>>> = Mutex::new(None);
    let slot = {
        let mut slots = SLOTS.lock().unwrap_or_else(PoisonError::into_inner);
        slots.get_or_insert_default().entry(id.to_owned()).or_default().clone()
    };
    let recording = slot.get_or_try_init(|| {
        let _span = timeline::span_of("record", || id.to_owned());
        let directory = config::user_cache().map(|cache| cache.join("filcrypto"));
        Recording::load_or_record(directory.as_deref(), id, record).map(Arc::new)
    });
    recording.cloned()
}
