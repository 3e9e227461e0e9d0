//! The stages of one partition, and what happens when its proof turns out bad.

use bellperson::groth16::{prepare_verifying_key, verify_proof, Proof};
use bellperson::Circuit;
use blstrs::Bls12;

use super::{Job, Pipeline};
use crate::error::{Error, Result};
use crate::groth16::prover::{Blinding, Evaluations, Stages};
use crate::groth16::r1cs::{synthesize, Fr};
use crate::telemetry::timeline;

/// A fault that passes, of memory say, is not met twice; one that does not would never end.
const ATTEMPTS: usize = 2;

impl Pipeline {
    /// A verified proof.
    pub(super) fn prove_partition<C: Circuit<Fr>>(
        &self,
        job: Job<'_>,
        circuit: &(impl Fn() -> Result<C> + Sync),
        touch: &impl Fn(usize, &mut Evaluations<'_>),
    ) -> Result<Proof<Bls12>> {
        let waiting = timeline::span("wait for a turn");
        let _turn = self.turns.take();
        drop(waiting);
        for attempt in 1..=ATTEMPTS {
            if let Some(proof) = self.attempt(job, circuit, |evaluations| touch(attempt, evaluations))? {
                metrics::counter!("filcrypto_proofs_total").increment(1);
                return Ok(proof);
            }
            metrics::counter!("filcrypto_bad_proofs_total").increment(1);
            log::error!("a proof did not verify (attempt {attempt} of {ATTEMPTS})");
        }
        Err(Error::message(format!(
            "a proof did not verify in {ATTEMPTS} attempts: the vanilla proof does not fit its commitments, the parameter \
             file is another circuit's, or this machine computes wrongly"
        )))
    }

    /// None if the proof does not verify.
    fn attempt<C: Circuit<Fr>>(
        &self,
        job: Job<'_>,
        circuit: &(impl Fn() -> Result<C> + Sync),
        touch: impl FnOnce(&mut Evaluations<'_>),
    ) -> Result<Option<Proof<Bls12>>> {
        let mut stages = Stages::new();
        let workers = self.prover.workers();
        let assignment = stages.time("witness", || workers.install(|| synthesize(circuit()?)))?;
        let mut evaluations = self.prover.evaluate(&assignment, job.recording, &mut stages)?;
        if !job.recording.is_compared() {
            let compare = || job.recording.compare(circuit()?, &assignment, evaluations.values());
            stages.time("compare", || workers.install(compare))?;
        }
        touch(&mut evaluations);
        let proof = self
            .prover
            .finish(&job.key, evaluations, Blinding::random(), &mut stages)?;
        let good = stages.time("verify", || {
            let key = prepare_verifying_key(job.key.vk);
            workers.install(|| verify_proof(&key, &proof, &assignment.inputs[1..]))
        })?;
        log::info!("partition: {stages}");
        Ok(good.then_some(proof))
    }
}
