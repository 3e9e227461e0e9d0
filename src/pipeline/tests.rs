//! No bad proof leaves the pipeline, and no caller waits for ever.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use bellperson::groth16::{generate_random_parameters, prepare_verifying_key, verify_proof, Parameters};
use bellperson::{ConstraintSystem, SynthesisError};
use blst::blst_fr;
use ff::Field;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::*;
use crate::groth16::r1cs::{record, Recording};
use crate::groth16::tests::view;

const BUDGET_BYTES: usize = 64 << 20;

/// y = x^(2^rounds), in parts that are made in parallel on whatever pool the circuit runs in.
#[derive(Clone, Copy)]
struct Power {
    x: Option<Fr>,
    rounds: usize,
}

impl Power {
    fn new(x: u64, rounds: usize) -> Self {
        Self {
            x: Some(Fr::from(x)),
            rounds,
        }
    }

    fn y(&self) -> Vec<Fr> {
        let x = self.x.unwrap();
        vec![(0..self.rounds).fold(x, |x, _| x.square())]
    }
}

impl Circuit<Fr> for Power {
    fn synthesize<CS: ConstraintSystem<Fr>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        // Circuits of PoSt use rayon too.
        let busy: u64 = (0..1000u64).into_par_iter().sum();
        assert_eq!(busy, 499_500);
        let value = |value: Option<Fr>| move || value.ok_or(SynthesisError::AssignmentMissing);
        let mut x = self.x;
        let mut variable = cs.alloc(|| "x", value(x))?;
        for round in 0..self.rounds {
            let square = x.map(|x| x.square());
            let name = || format!("square {round}");
            let next = match round + 1 == self.rounds {
                true => cs.alloc_input(name, value(square))?,
                false => cs.alloc(name, value(square))?,
            };
            cs.enforce(name, |lc| lc + variable, |lc| lc + variable, |lc| lc + next);
            (x, variable) = (square, next);
        }
        Ok(())
    }
}

struct Setup {
    rounds: usize,
    parameters: Parameters<Bls12>,
    recording: Recording,
}

impl Setup {
    fn new(rounds: usize) -> Self {
        let blank = Power { x: None, rounds };
        let rng = &mut ChaCha8Rng::seed_from_u64(rounds as u64);
        let parameters = generate_random_parameters::<Bls12, _, _>(blank, rng).unwrap();
        Self {
            rounds,
            parameters,
            recording: Recording::load_or_record(None, "power", || record(blank)).unwrap(),
        }
    }

    fn job(&self) -> Job<'_> {
        Job {
            key: view(&self.parameters),
            recording: &self.recording,
        }
    }

    fn circuit(&self, x: u64) -> Power {
        Power::new(x, self.rounds)
    }

    fn check(&self, x: u64, proof: &Proof<Bls12>) {
        let key = prepare_verifying_key(&self.parameters.vk);
        assert!(verify_proof(&key, proof, &self.circuit(x).y()).unwrap());
        assert!(!verify_proof(&key, proof, &self.circuit(x + 1).y()).unwrap());
    }
}

fn flip(element: &mut Fr, bit: usize) {
    let mut raw = blst_fr::from(*element);
    raw.l[bit / 64] ^= 1 << (bit % 64);
    *element = raw.into();
}

#[test]
fn partitions_come_in_order() {
    let setup = Setup::new(50);
    let pipeline = Pipeline::new(2, BUDGET_BYTES).unwrap();
    let proofs = pipeline
        .prove(setup.job(), 7, |k| Ok(setup.circuit(10 + k as u64)))
        .unwrap();
    assert_eq!(proofs.len(), 7);
    for (k, proof) in proofs.iter().enumerate() {
        setup.check(10 + k as u64, proof);
    }
    assert!(pipeline
        .prove(setup.job(), 0, |_| Ok(setup.circuit(1)))
        .unwrap()
        .is_empty());
}

#[test]
fn a_flipped_bit_never_reaches_the_caller() {
    let setup = Setup::new(50);
    let pipeline = Pipeline::new(2, BUDGET_BYTES).unwrap();
    let spoil = |buffer: usize, row: usize, bit: usize, evaluations: &mut Evaluations<'_>| {
        let Evaluations { a, b, c, .. } = evaluations;
        flip(&mut [a, b, c][buffer][row], bit);
    };
    for (buffer, row, bit) in [(0, 0, 0), (1, 17, 100), (2, 49, 250), (0, 50, 3), (2, 63, 64)] {
        // Once: the second attempt is good.
        let attempts = AtomicUsize::new(0);
        let once = |attempt: usize, evaluations: &mut Evaluations<'_>| {
            attempts.store(attempt, Ordering::Relaxed);
            if attempt == 1 {
                spoil(buffer, row, bit, evaluations);
            }
        };
        let proofs = pipeline
            .prove_touched(setup.job(), 1, |_| Ok(setup.circuit(5)), once)
            .unwrap();
        setup.check(5, &proofs[0]);
        assert_eq!(attempts.into_inner(), 2, "buffer {buffer}, row {row}, bit {bit}");

        // Always: an error.
        let always = |_: usize, evaluations: &mut Evaluations<'_>| spoil(buffer, row, bit, evaluations);
        let error = pipeline
            .prove_touched(setup.job(), 1, |_| Ok(setup.circuit(5)), always)
            .unwrap_err();
        assert!(
            error.to_string().starts_with("a proof did not verify in 2 attempts"),
            "{error}"
        );
    }
    setup.check(6, &pipeline.prove(setup.job(), 1, |_| Ok(setup.circuit(6))).unwrap()[0]);
}

#[test]
fn a_key_for_another_trapdoor_is_an_error() {
    let (setup, other) = (Setup::new(30), Setup::new(31));
    let mut parameters = setup.parameters.clone();
    parameters.vk.alpha_g1 = other.parameters.vk.alpha_g1;
    let pipeline = Pipeline::new(1, BUDGET_BYTES).unwrap();
    let job = Job {
        key: view(&parameters),
        recording: &setup.recording,
    };
    assert!(pipeline.prove(job, 1, |_| Ok(setup.circuit(5))).is_err());
}

#[test]
fn failing_and_panicking_circuits_leave_the_pipeline_usable() {
    let setup = Setup::new(40);
    let pipeline = Pipeline::new(2, BUDGET_BYTES).unwrap();
    let failing = |k: usize| match k {
        2 => Err(Error::message("no such sector")),
        _ => Ok(setup.circuit(5)),
    };
    let error = pipeline.prove(setup.job(), 5, failing).unwrap_err();
    assert_eq!(error.to_string(), "no such sector");
    let blank = Power { x: None, rounds: 40 };
    assert!(pipeline.prove(setup.job(), 1, |_| Ok(blank)).is_err());
    let panicking = |_: usize| -> Result<Power> { panic!("on purpose") };
    assert!(catch_unwind(AssertUnwindSafe(|| pipeline.prove(setup.job(), 3, panicking))).is_err());
    setup.check(6, &pipeline.prove(setup.job(), 1, |_| Ok(setup.circuit(6))).unwrap()[0]);
}

#[test]
fn sixty_four_threads_with_two_workers() {
    let setups = [Setup::new(1), Setup::new(20), Setup::new(300), Setup::new(3000)];
    let pipeline = Pipeline::new(2, BUDGET_BYTES).unwrap();
    thread::scope(|scope| {
        for caller in 0..64u64 {
            let setup = &setups[caller as usize % setups.len()];
            let pipeline = &pipeline;
            scope.spawn(move || {
                let partitions = 1 + caller as usize % 2;
                let x = |k| 3 + 2 * caller + k as u64;
                let proofs = pipeline
                    .prove(setup.job(), partitions, |k| Ok(setup.circuit(x(k))))
                    .unwrap();
                proofs
                    .iter()
                    .enumerate()
                    .for_each(|(k, proof)| setup.check(x(k), proof));
            });
        }
    });
}
