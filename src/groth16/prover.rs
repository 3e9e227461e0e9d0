//! The Groth16 prover: from an assignment and a proving key to a proof.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bellperson::groth16::{Proof, VerifyingKey};
use blstrs::{Bls12, G1Projective, G2Projective};
use ff::Field;
use group::prime::PrimeCurveAffine;
use group::Curve;
use rayon::ThreadPool;

use super::pool::{Slab, Slabs};
use super::qap;
use super::r1cs::{Assignment, Bits, Densities, Evaluate};
use crate::error::{Error, Result};
use crate::math::curve::Group;
use crate::math::msm::{msm, pairs, sum_selected, Pairing};
use crate::math::ntt::Domain;
use crate::math::scalar::SignedScalar;
use crate::math::Fr;
use crate::srs::ProvingKeyView;
use crate::telemetry::timeline;

/// The two numbers that blind a proof.
#[derive(Clone, Copy)]
pub struct Blinding {
    pub r: Fr,
    pub s: Fr,
}

impl Blinding {
    /// From the operating system.
    pub fn random() -> Self {
        let mut rng = rand::rngs::OsRng;
        Self {
            r: Fr::random(&mut rng),
            s: Fr::random(&mut rng),
        }
    }
}

/// How long each stage of a proof took, in order.
#[derive(Debug, Default)]
pub struct Stages(Vec<(&'static str, Duration)>);

impl Stages {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn time<T>(&mut self, stage: &'static str, work: impl FnOnce() -> T) -> T {
        let _span = timeline::span(stage);
        let start = Instant::now();
        let result = work();
        let duration = start.elapsed();
        metrics::histogram!("filcrypto_stage_seconds", "stage" => stage).record(duration.as_secs_f64());
        self.0.push((stage, duration));
        result
    }

    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Duration)> + '_ {
        self.0.iter().copied()
    }
}

impl fmt::Display for Stages {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (stage, duration)) in self.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(out, "{comma}{stage} {:.2} s", duration.as_secs_f64())?;
        }
        Ok(())
    }
}

/// Workers and buffers that proofs share. Everything runs on the workers; calling threads only wait.
pub struct Prover {
    workers: ThreadPool,
    slabs: Arc<dyn Slabs>,
    domains: Mutex<BTreeMap<u32, Arc<Domain>>>,
}

/// An assignment with the values that it gives the rows: `a∘b = c` on the domain.
pub struct Evaluations<'a> {
    assignment: &'a Assignment,
    densities: &'a Densities,
    rows: usize,
    pub a: Slab,
    pub b: Slab,
    pub c: Slab,
}

impl Evaluations<'_> {
    /// Of A, B and C, without what fills the domain.
    pub fn values(&self) -> [&[Fr]; 3] {
        [&self.a[..self.rows], &self.b[..self.rows], &self.c[..self.rows]]
    }
}

impl Prover {
    pub fn new(workers: ThreadPool, slabs: Arc<dyn Slabs>) -> Self {
        Self {
            workers,
            slabs,
            domains: Mutex::default(),
        }
    }

    pub fn workers(&self) -> &ThreadPool {
        &self.workers
    }

    /// The proof for an assignment that satisfies the circuit. It is not verified here.
    pub fn prove(
        &self,
        key: &ProvingKeyView<'_>,
        assignment: &Assignment,
        circuit: &dyn Evaluate,
        blinding: Blinding,
    ) -> Result<Proof<Bls12>> {
        let mut stages = Stages::new();
        let evaluations = self.evaluate(assignment, circuit, &mut stages)?;
        self.finish(key, evaluations, blinding, &mut stages)
    }

    /// Takes the buffers, which may mean to wait, and fills them.
    pub fn evaluate<'a>(
        &self,
        assignment: &'a Assignment,
        circuit: &'a dyn Evaluate,
        stages: &mut Stages,
    ) -> Result<Evaluations<'a>> {
        let rows = circuit.rows();
        let n = rows.next_power_of_two();
        let mut slabs = stages.time("wait for buffers", || self.slabs.take(3, n))?.into_iter();
        let (Some(mut a), Some(mut b), Some(mut c)) = (slabs.next(), slabs.next(), slabs.next()) else {
            return Err(Error::message("the pool gave fewer buffers than asked for"));
        };
        stages.time("evaluate", || {
            let parts = (&mut a[..rows], &mut b[..rows], &mut c[..rows]);
            circuit.evaluate(assignment, parts.0, parts.1, parts.2, &self.workers)
        })?;
        for slab in [&mut a, &mut b, &mut c] {
            slab[rows..].fill(Fr::ZERO);
        }
        Ok(Evaluations {
            assignment,
            densities: circuit.densities(),
            rows,
            a,
            b,
            c,
        })
    }

    /// From the rows' values to the proof.
    pub fn finish(
        &self,
        key: &ProvingKeyView<'_>,
        evaluations: Evaluations<'_>,
        blinding: Blinding,
        stages: &mut Stages,
    ) -> Result<Proof<Bls12>> {
        let (assignment, densities) = (evaluations.assignment, evaluations.densities);
        check_key(key, assignment, densities, evaluations.a.len())?;
        let domain = self.domain(evaluations.a.len())?;
        self.workers.install(|| {
            let h = stages.time("ntt", || quotient(&domain, evaluations));
            let sums = Sums::compute(key, assignment, densities, h, stages)?;
            Ok(assemble(key.vk, sums, blinding))
        })
    }

    fn domain(&self, n: usize) -> Result<Arc<Domain>> {
        let mut domains = self.domains.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(domain) = domains.get(&n.ilog2()) {
            return Ok(domain.clone());
        }
        let domain = Arc::new(Domain::new(n)?);
        domains.insert(n.ilog2(), domain.clone());
        Ok(domain)
    }
}

/// An error unless the key's lists have the lengths that this circuit needs: with others the proof would be wrong.
fn check_key(key: &ProvingKeyView<'_>, assignment: &Assignment, densities: &Densities, n: usize) -> Result<()> {
    let (inputs, aux) = (assignment.inputs.len(), assignment.aux.len());
    let b = densities.b_input.count_ones() + densities.b_aux.count_ones();
    let expected = [
        ("ic", key.vk.ic.len(), inputs),
        ("h", key.h.len().min(n - 1), n - 1),
        ("l", key.l.len(), aux),
        ("a", key.a.len(), inputs + densities.a_aux.count_ones()),
        ("b_g1", key.b_g1.len(), b),
        ("b_g2", key.b_g2.len(), b),
    ];
    for (list, found, expected) in expected {
        if found != expected {
            return Err(Error::message(format!(
                "the proving key has {found} points in {list}, but the circuit needs {expected}: the key belongs to \
                 another circuit"
            )));
        }
    }
    if bool::from(key.vk.delta_g1.is_identity() | key.vk.delta_g2.is_identity()) {
        return Err(Error::message(
            "the proving key's delta is zero: it was made to forge proofs",
        ));
    }
    Ok(())
}

/// The coefficients of H. Buffers return to the pool as soon as they are no longer needed.
fn quotient(domain: &Domain, evaluations: Evaluations<'_>) -> Slab {
    let Evaluations {
        mut a, mut b, mut c, ..
    } = evaluations;
    qap::to_coset(domain, &mut a);
    qap::to_coset(domain, &mut b);
    qap::multiply(&mut a, &b);
    drop(b);
    qap::quotient(domain, &mut a, &mut c);
    a
}

/// The sums over the proving key's points, with the names of their lists.
struct Sums {
    h: G1Projective,
    l: G1Projective,
    a: G1Projective,
    b_g1: G1Projective,
    b_g2: G2Projective,
}

impl Sums {
    fn compute(
        key: &ProvingKeyView<'_>,
        assignment: &Assignment,
        densities: &Densities,
        mut h: Slab,
        stages: &mut Stages,
    ) -> Result<Self> {
        let h_len = h.len() - 1;
        let h_sum = stages.time("msm h", || {
            let scalars = SignedScalar::convert(&mut h[..h_len]);
            msm(&key.h[..h_len], scalars, Pairing::InOrder)
        })?;
        drop(h);

        let aux = Scalars::new(assignment)?;
        let all = full(assignment.aux.len())?;
        let (a_inputs, a_aux) = key.a.split_at(assignment.inputs.len());
        let b_inputs = densities.b_input.count_ones();
        Ok(Self {
            h: h_sum,
            l: stages.time("msm l", || aux.sum(key.l, &all))?,
            a: stages.time("msm a", || {
                Ok::<_, Error>(aux.inputs_in_order(a_inputs)? + aux.sum(a_aux, &densities.a_aux)?)
            })?,
            b_g1: stages.time("msm b_g1", || aux.sum_with_inputs(key.b_g1, b_inputs, densities))?,
            b_g2: stages.time("msm b_g2", || aux.sum_with_inputs(key.b_g2, b_inputs, densities))?,
        })
    }
}

/// The assignment in the form that sums need.
struct Scalars<'a> {
    assignment: &'a Assignment,
    inputs: Vec<SignedScalar>,
    /// Of the auxiliary values that are neither zero nor one.
    others: Vec<SignedScalar>,
}

impl<'a> Scalars<'a> {
    fn new(assignment: &'a Assignment) -> Result<Self> {
        let inputs = SignedScalar::convert_all(&assignment.inputs)?;
        let others = SignedScalar::convert_all(assignment.aux.values())?;
        Ok(Self {
            assignment,
            inputs,
            others,
        })
    }

    fn inputs_in_order<G: Group>(&self, points: &[G]) -> Result<G::Curve> {
        msm(points, &self.inputs, Pairing::InOrder)
    }

    /// The sum over the auxiliary variables that have a point.
    fn sum<G: Group>(&self, points: &[G], density: &Bits) -> Result<G::Curve> {
        let aux = &self.assignment.aux;
        let ones = sum_selected(points, aux.ones(), density.words())?;
        let pairs = pairs(aux.others(), density.words())?;
        Ok(ones + msm(points, &self.others, Pairing::Picked(&pairs))?)
    }

    /// The sum for B, whose first points are those of the inputs that it names.
    fn sum_with_inputs<G: Group>(&self, points: &[G], inputs: usize, densities: &Densities) -> Result<G::Curve> {
        let (input_points, aux_points) = points.split_at(inputs);
        let named = (0..densities.b_input.len()).filter(|input| densities.b_input.get(*input));
        let pairs: Vec<(u32, u32)> = named
            .enumerate()
            .map(|(point, input)| (point as u32, input as u32))
            .collect();
        let inputs = msm(input_points, &self.inputs, Pairing::Picked(&pairs))?;
        Ok(inputs + self.sum(aux_points, &densities.b_aux)?)
    }
}

/// `len` bits that are set.
fn full(len: usize) -> Result<Bits> {
    let words = (0..len.div_ceil(64)).map(|word| match len - 64 * word {
        bits @ 0..64 => (1 << bits) - 1,
        _ => u64::MAX,
    });
    Bits::from_words(words.collect(), len)
}

/// The proof's three elements: A = alpha + a + r·delta; B = beta + b + s·delta, in G2; and
/// C = h + l + s·A + r·B - r·s·delta with the B of G1.
fn assemble(vk: &VerifyingKey<Bls12>, sums: Sums, Blinding { r, s }: Blinding) -> Proof<Bls12> {
    let a = sums.a + vk.alpha_g1 + vk.delta_g1 * r;
    let b_g1 = sums.b_g1 + vk.beta_g1 + vk.delta_g1 * s;
    let b = sums.b_g2 + vk.beta_g2 + vk.delta_g2 * s;
    let c = sums.h + sums.l + a * s + b_g1 * r - vk.delta_g1 * (r * s);
    Proof {
        a: a.to_affine(),
        b: b.to_affine(),
        c: c.to_affine(),
    }
}
