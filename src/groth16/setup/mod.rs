//! The setup of Groth16 by one party: proving and verifying key of a circuit, from a trapdoor that this process knows.
//!
//! Insecure by nature: whoever knows the trapdoor can prove false statements, and nobody can show that they forgot it. Keys
//! made here are for testing. Filecoin's own come from a ceremony of many parties.
//!
//! Knowing the trapdoor makes the setup cheap. Every element of the key is a known multiple of a generator, so first all
//! the multipliers are found (the circuit is synthesised twice: once to count, once to evaluate each variable's
//! polynomials at tau as the constraints go by, so that no constraint is ever stored), and then the points are written
//! block by block from two fixed-base tables.
//!
//! The bytes equal those that bellperson's `generate_parameters` and `Parameters::write` give for the same trapdoor.

mod assembly;
mod domain;

use std::io::{self, Write};

use bellpepper_core::{Circuit, SynthesisError};
use blst::{blst_fp, blst_fp2};
use blstrs::{G1Affine, G1Projective, G2Affine, G2Projective, Scalar};
use ff::Field;
use group::{prime::PrimeCurveAffine, Curve, Group};
use rand::RngCore;
use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::math::coordinate::Coordinate;
use crate::math::fixed_base::{FixedBase, Point};
use crate::telemetry::progress::Progress;

use assembly::{Counter, Evaluator, Polynomials};
use domain::Domain;

/// Points computed before they are written.
const BLOCK: usize = 1 << 16;
const LENGTH_BYTES: u64 = 4;
const G1_BYTES: u64 = Point::<blst_fp>::BYTES as u64;
const G2_BYTES: u64 = Point::<blst_fp2>::BYTES as u64;

/// The secrets of a setup. Overwritten when dropped.
pub struct Trapdoor {
    pub alpha: Scalar,
    pub beta: Scalar,
    pub gamma: Scalar,
    pub delta: Scalar,
    pub tau: Scalar,
}

impl Trapdoor {
    pub fn random(rng: &mut impl RngCore) -> Self {
        Self {
            alpha: Scalar::random(&mut *rng),
            beta: Scalar::random(&mut *rng),
            gamma: Scalar::random(&mut *rng),
            delta: Scalar::random(&mut *rng),
            tau: Scalar::random(&mut *rng),
        }
    }
}

impl Drop for Trapdoor {
    fn drop(&mut self) {
        for secret in [
            &mut self.alpha,
            &mut self.beta,
            &mut self.gamma,
            &mut self.delta,
            &mut self.tau,
        ] {
            *secret = Scalar::ZERO;
            // The write must happen although nobody reads it.
            std::hint::black_box(secret);
        }
    }
}

/// The discrete logarithm of every element of a circuit's keys.
pub struct Exponents {
    trapdoor: Trapdoor,
    domain: Domain,
    /// The inverse of delta.
    delta_inverse: Scalar,
    /// For every input: (beta·u + alpha·v + w) / gamma.
    ic: Vec<Scalar>,
    /// For every auxiliary variable: (beta·u + alpha·v + w) / delta.
    l: Vec<Scalar>,
    /// The polynomials u and v of every variable at tau, inputs first, without those that are zero.
    a: Vec<Scalar>,
    b: Vec<Scalar>,
}

impl Exponents {
    /// Synthesises the circuit, which `circuit` makes as often as it is called.
    pub fn new<C, F>(circuit: F, trapdoor: Trapdoor, progress: &dyn Progress) -> Result<Self>
    where
        C: Circuit<Scalar>,
        F: Fn() -> C,
    {
        let gamma_inverse = invert("gamma", trapdoor.gamma)?;
        let delta_inverse = invert("delta", trapdoor.delta)?;

        progress.begin("counting constraints", None);
        let mut counter = Counter::new(progress);
        circuit().synthesize(&mut counter).map_err(synthesis)?;
        let size = counter.finish();

        let domain = Domain::new(size.constraints)?;
        let lagrange = domain.lagrange(&trapdoor.tau, size.constraints)?;

        progress.begin("evaluating constraints", Some(size.constraints as u64));
        let mut evaluator = Evaluator::new(size, &lagrange, progress);
        circuit().synthesize(&mut evaluator).map_err(synthesis)?;
        let Polynomials {
            u: mut a,
            v: mut b,
            w: mut ic,
        } = evaluator.finish()?;
        drop(lagrange);

        let (alpha, beta) = (trapdoor.alpha, trapdoor.beta);
        ic.par_iter_mut()
            .zip(&a)
            .zip(&b)
            .enumerate()
            .for_each(|(i, ((w, u), v))| {
                let inverse = if i < size.inputs { gamma_inverse } else { delta_inverse };
                *w = (beta * u + alpha * v + *w) * inverse;
            });
        let l = ic.split_off(size.inputs);
        if l.par_iter().any(|exponent| bool::from(exponent.is_zero())) {
            return Err(synthesis(SynthesisError::UnconstrainedVariable));
        }
        for polynomials in [&mut a, &mut b] {
            polynomials.retain(|exponent| !bool::from(exponent.is_zero()));
        }
        Ok(Self {
            trapdoor,
            domain,
            delta_inverse,
            ic,
            l,
            a,
            b,
        })
    }

    /// The size of the verifying key's file.
    pub fn verifying_key_bytes(&self) -> u64 {
        3 * G1_BYTES + 3 * G2_BYTES + LENGTH_BYTES + self.ic.len() as u64 * G1_BYTES
    }

    /// The size of the parameters' file.
    pub fn parameters_bytes(&self) -> u64 {
        let in_g1 = self.h_len() + self.l.len() + self.a.len() + self.b.len();
        self.verifying_key_bytes() + 5 * LENGTH_BYTES + in_g1 as u64 * G1_BYTES + self.b.len() as u64 * G2_BYTES
    }

    pub fn write_verifying_key(&self, out: &mut impl Write) -> io::Result<()> {
        let (g1, g2) = (G1Projective::generator(), G2Projective::generator());
        let Trapdoor {
            alpha,
            beta,
            gamma,
            delta,
            ..
        } = &self.trapdoor;
        let in_g1 = |exponent: &Scalar| (g1 * exponent).to_affine().to_uncompressed();
        let in_g2 = |exponent: &Scalar| (g2 * exponent).to_affine().to_uncompressed();
        out.write_all(&in_g1(alpha))?;
        out.write_all(&in_g1(beta))?;
        out.write_all(&in_g2(beta))?;
        out.write_all(&in_g2(gamma))?;
        out.write_all(&in_g1(delta))?;
        out.write_all(&in_g2(delta))?;
        write_len(out, self.ic.len())?;
        for exponent in &self.ic {
            out.write_all(&in_g1(exponent))?;
        }
        Ok(())
    }

    /// The verifying key, then h, l, a and b in G1, and b in G2.
    pub fn write_parameters(&self, out: &mut impl Write, progress: &dyn Progress) -> io::Result<()> {
        self.write_verifying_key(out)?;
        let in_g1 = self.h_len() + self.l.len() + self.a.len() + self.b.len();
        let g1 = FixedBase::new(G1Affine::generator(), in_g1);
        self.write_h(out, &g1, progress)?;
        write_section(out, &g1, &self.l, "l", progress)?;
        write_section(out, &g1, &self.a, "a", progress)?;
        write_section(out, &g1, &self.b, "b in G1", progress)?;
        drop(g1);
        let g2 = FixedBase::new(G2Affine::generator(), self.b.len());
        write_section(out, &g2, &self.b, "b in G2", progress)
    }

    fn h_len(&self) -> usize {
        self.domain.len() - 1
    }

    /// tau^i·(tau^m - 1) / delta for every i below m - 1.
    fn write_h(&self, out: &mut impl Write, g1: &FixedBase<blst_fp>, progress: &dyn Progress) -> io::Result<()> {
        let tau = self.trapdoor.tau;
        let factor = self.domain.vanishing(&tau) * self.delta_inverse;
        progress.begin("h", Some(self.h_len() as u64));
        write_len(out, self.h_len())?;
        let mut exponent = factor;
        for start in (0..self.h_len()).step_by(BLOCK) {
            let len = BLOCK.min(self.h_len() - start);
            let block: Vec<Scalar> = std::iter::repeat_with(|| {
                let this = exponent;
                exponent *= tau;
                this
            })
            .take(len)
            .collect();
            write_block(out, g1, &block, progress)?;
        }
        Ok(())
    }
}

fn write_section<F: Coordinate>(
    out: &mut impl Write,
    table: &FixedBase<F>,
    exponents: &[Scalar],
    name: &str,
    progress: &dyn Progress,
) -> io::Result<()> {
    progress.begin(name, Some(exponents.len() as u64));
    write_len(out, exponents.len())?;
    for block in exponents.chunks(BLOCK) {
        write_block(out, table, block, progress)?;
    }
    Ok(())
}

fn write_block<F: Coordinate>(
    out: &mut impl Write,
    table: &FixedBase<F>,
    exponents: &[Scalar],
    progress: &dyn Progress,
) -> io::Result<()> {
    let encodings = table.multiply(exponents, |points| {
        let mut bytes = vec![0; points.len() * Point::<F>::BYTES];
        for (point, out) in points.iter().zip(bytes.chunks_exact_mut(Point::<F>::BYTES)) {
            point.write_uncompressed(out);
        }
        progress.advance(points.len() as u64);
        bytes
    });
    encodings.iter().try_for_each(|bytes| out.write_all(bytes))
}

fn write_len(out: &mut impl Write, len: usize) -> io::Result<()> {
    let len = u32::try_from(len).map_err(|_| io::Error::other(format!("{len} points exceed the file format")))?;
    out.write_all(&len.to_be_bytes())
}

fn invert(name: &str, secret: Scalar) -> Result<Scalar> {
    Option::from(secret.invert()).ok_or_else(|| Error::message(format!("the trapdoor's {name} is zero")))
}

fn synthesis(error: SynthesisError) -> Error {
    Error::message(format!("cannot synthesise the circuit: {error}"))
}

#[cfg(test)]
mod tests;
