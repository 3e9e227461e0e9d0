//! Proofs byte for byte against bellperson's, for circuits of every odd shape.

use std::sync::Arc;

use bellperson::groth16::{create_proof, Parameters, Proof, VerifyingKey};
use blstrs::{Bls12, G1Affine, G1Projective, G2Affine, G2Projective};
use ff::Field;
use group::prime::PrimeCurveAffine;
use group::{Curve, Group};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::ThreadPoolBuilder;

use super::pool::SlabPool;
use super::prover::{Blinding, Prover};
use super::r1cs::samples::{self, Sample, Shape};
use super::r1cs::{synthesize, Assignment, Direct, Evaluate, Fr};
use crate::srs::ProvingKeyView;

fn prover() -> Prover {
    let workers = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    Prover::new(workers, Arc::new(SlabPool::new(64 << 20)))
}

pub(crate) fn view(parameters: &Parameters<Bls12>) -> ProvingKeyView<'_> {
    ProvingKeyView {
        vk: &parameters.vk,
        h: &parameters.h,
        l: &parameters.l,
        a: &parameters.a,
        b_g1: &parameters.b_g1,
        b_g2: &parameters.b_g2,
    }
}

/// Points of no meaning: a prover does not care, and equality with another shows all the more.
fn arbitrary_key(assignment: &Assignment, circuit: &dyn Evaluate, rng: &mut ChaCha8Rng) -> Parameters<Bls12> {
    let mut point = G1Projective::random(&mut *rng);
    let mut point_g2 = G2Projective::random(&mut *rng);
    let mut g1 = |len: usize| {
        // Now and then the same point twice, or the opposite one.
        let mut points = Vec::with_capacity(len);
        for index in 0..len {
            point = match index % 6 {
                0 => point.double(),
                1 => point,
                2 => -point,
                _ => point + G1Affine::generator(),
            };
            points.push(point.to_affine());
        }
        points
    };
    let mut g2 = |len: usize| {
        let mut points = Vec::with_capacity(len);
        for _ in 0..len {
            point_g2 += G2Affine::generator();
            points.push(point_g2.to_affine());
        }
        points
    };
    let densities = circuit.densities();
    let (inputs, aux) = (assignment.inputs.len(), assignment.aux.len());
    let b = densities.b_input.count_ones() + densities.b_aux.count_ones();
    let single = G1Projective::random(&mut *rng).to_affine();
    let single_g2 = G2Projective::random(&mut *rng).to_affine();
    Parameters {
        vk: VerifyingKey {
            alpha_g1: single,
            beta_g1: (single * Fr::from(2)).to_affine(),
            beta_g2: single_g2,
            gamma_g2: (single_g2 * Fr::from(3)).to_affine(),
            delta_g1: (single * Fr::from(4)).to_affine(),
            delta_g2: (single_g2 * Fr::from(5)).to_affine(),
            ic: g1(inputs),
        },
        h: Arc::new(g1(circuit.rows().next_power_of_two() - 1)),
        l: Arc::new(g1(aux)),
        a: Arc::new(g1(inputs + densities.a_aux.count_ones())),
        b_g1: Arc::new(g1(b)),
        b_g2: Arc::new(g2(b)),
    }
}

fn bytes(proof: &Proof<Bls12>) -> Vec<u8> {
    let mut bytes = Vec::new();
    proof.write(&mut bytes).unwrap();
    bytes
}

fn random(rows: usize) -> Sample {
    Sample {
        name: "random",
        values: true,
        shape: Shape::Random { rows, seed: 3 },
    }
}

/// Circuits whose rows, with those of the inputs, fill a domain exactly or need one more, or one less.
fn around_a_full_domain() -> Vec<Sample> {
    let rows = |sample: &Sample| Direct::record(sample.blank()).unwrap().rows();
    let with_rows = |target: usize| {
        (1..target)
            .rev()
            .map(random)
            .find(|sample| rows(sample) == target)
            .unwrap()
    };
    [255, 256, 257].map(with_rows).into()
}

#[test]
fn proofs_equal_bellpersons() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let prover = prover();
    println!(
        "{:<20} {:>8} {:>8} {:>8} {:>8}  proofs",
        "circuit", "rows", "domain", "inputs", "aux"
    );
    for sample in samples::all().into_iter().chain(around_a_full_domain()) {
        let assignment = synthesize(sample.clone()).unwrap();
        let circuit = Direct::record(sample.blank()).unwrap();
        let key = arbitrary_key(&assignment, &circuit, &mut rng);
        let blindings = [
            (Fr::random(&mut rng), Fr::random(&mut rng)),
            (Fr::ZERO, Fr::ZERO),
            (Fr::ONE, -Fr::ONE),
        ];
        // One blinding is enough where bellperson takes long.
        let tries = if circuit.rows() < 1000 { blindings.len() } else { 1 };
        for (r, s) in blindings.into_iter().take(tries) {
            let expected = create_proof::<Bls12, _, _>(sample.clone(), &key, r, s).unwrap();
            let proof = prover
                .prove(&view(&key), &assignment, &circuit, Blinding { r, s })
                .unwrap();
            assert_eq!(bytes(&proof), bytes(&expected), "{}", sample.name);
        }
        let rows = circuit.rows();
        let (inputs, aux) = (assignment.inputs.len(), assignment.aux.len());
        println!(
            "{:<20} {rows:>8} {:>8} {inputs:>8} {aux:>8}  equal",
            sample.name,
            rows.next_power_of_two()
        );
    }
}

#[test]
fn a_key_of_another_circuit_is_an_error() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let prover = prover();
    let (assignment, circuit) = (
        synthesize(random(50)).unwrap(),
        Direct::record(random(50).blank()).unwrap(),
    );
    let blinding = Blinding::random();
    let key = arbitrary_key(&assignment, &circuit, &mut rng);
    for list in 0..6 {
        let mut key = key.clone();
        let name = match list {
            0 => key.vk.ic.pop().map(|_| "ic"),
            1 => Arc::make_mut(&mut key.h).pop().map(|_| "h"),
            2 => Arc::make_mut(&mut key.l).pop().map(|_| "l"),
            3 => Arc::make_mut(&mut key.a).pop().map(|_| "a"),
            4 => Arc::make_mut(&mut key.b_g1).pop().map(|_| "b_g1"),
            _ => Arc::make_mut(&mut key.b_g2).pop().map(|_| "b_g2"),
        };
        let error = prover
            .prove(&view(&key), &assignment, &circuit, blinding)
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains(&format!("points in {}, but", name.unwrap())), "{error}");
    }
    let mut forged = key.clone();
    forged.vk.delta_g1 = G1Affine::identity();
    assert!(prover.prove(&view(&forged), &assignment, &circuit, blinding).is_err());
    assert!(prover.prove(&view(&key), &assignment, &circuit, blinding).is_ok());
}

#[test]
fn a_proof_over_the_buffer_budget_is_an_error() {
    let workers = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let prover = Prover::new(workers, Arc::new(SlabPool::new(4 << 20)));
    let mut rng = ChaCha8Rng::seed_from_u64(10);
    let (assignment, circuit) = (
        synthesize(random(50)).unwrap(),
        Direct::record(random(50).blank()).unwrap(),
    );
    let key = arbitrary_key(&assignment, &circuit, &mut rng);
    let error = prover
        .prove(&view(&key), &assignment, &circuit, Blinding::random())
        .err()
        .unwrap();
    assert!(error.to_string().contains("budget is 4194304 bytes"), "{error}");
}
