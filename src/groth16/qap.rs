//! From the rows' values to the quotient polynomial H = (A·B - C) / Z, where A, B and C are the polynomials with those
//! values on the domain D, and Z = X^n - 1 vanishes there.
//!
//! Write A·B = L + X^n·U with L and U of degree under n. The interpolation of a∘b on the coset g·D has the coefficients
//! of A·B modulo X^n - g^n, which are L + g^n·U. For any C, then, A·B - C modulo X^n - g^n is H·(g^n - 1), so H is the
//! difference of that interpolation and C over g^n - 1: C never goes to the coset.

use ff::{Field, PrimeField};
use rayon::prelude::*;

use crate::math::ntt::{bit_reverse, Domain};
use crate::math::Fr;

/// Elements that one task goes over.
const CHUNK: usize = 1 << 12;

/// Turns values on the domain, in natural order, into values on the coset.
pub fn to_coset(domain: &Domain, values: &mut [Fr]) {
    domain.inverse(values);
    domain.scale(values, Fr::MULTIPLICATIVE_GENERATOR, n_inverse(domain));
    domain.forward(values);
}

pub fn multiply(a: &mut [Fr], b: &[Fr]) {
    let chunks = a.par_chunks_mut(CHUNK).zip(b.par_chunks(CHUNK));
    chunks.for_each(|(a, b)| a.iter_mut().zip(b).for_each(|(a, b)| *a *= b));
}

/// From A·B on the coset and C on the domain to the coefficients of H in natural order, in place of A·B. Leaves nothing
/// of use in `c`.
pub fn quotient(domain: &Domain, ab: &mut [Fr], c: &mut [Fr]) {
    let generator = Fr::MULTIPLICATIVE_GENERATOR;
    let z = generator.pow_vartime([domain.n() as u64]) - Fr::ONE;
    // The generator's order is r - 1, so no power of two below takes it to one, and it is not zero.
    let factor = n_inverse(domain) * z.invert().unwrap_or(Fr::ZERO);
    let generator_inverse = generator.invert().unwrap_or(Fr::ZERO);

    domain.inverse(ab);
    domain.scale(ab, generator_inverse, factor);
    domain.inverse(c);
    let chunks = ab.par_chunks_mut(CHUNK).zip(c.par_chunks(CHUNK));
    chunks.for_each(|(ab, c)| ab.iter_mut().zip(c).for_each(|(ab, c)| *ab -= *c * factor));
    bit_reverse(ab);
}

fn n_inverse(domain: &Domain) -> Fr {
    // n is a power of two, and two is invertible.
    Fr::TWO_INV.pow_vartime([u64::from(domain.n().ilog2())])
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::math::reference;

    /// A·B - C = H·Z at points outside the domain, where c = a∘b; and for a c that does not fit, the same on the coset.
    #[test]
    fn the_quotient_satisfies_its_equation() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        for log_n in 0..8 {
            let n = 1usize << log_n;
            let domain = Domain::new(n).unwrap();
            let mut polynomial = || (0..n).map(|_| Fr::random(&mut rng)).collect::<Vec<Fr>>();
            let (a, b) = (polynomial(), polynomial());
            let on_domain = |x: &[Fr]| reference::evaluations(x, Fr::ONE);
            let (mut x, mut y) = (on_domain(&a), on_domain(&b));
            let mut z: Vec<Fr> = x.iter().zip(&y).map(|(x, y)| *x * y).collect();
            let c = interpolate(&domain, &z);
            to_coset(&domain, &mut x);
            to_coset(&domain, &mut y);
            multiply(&mut x, &y);
            quotient(&domain, &mut x, &mut z);
            assert_eq!(x[n - 1], Fr::ZERO, "the degree is at most n - 2");
            for point in [Fr::from(5), Fr::from(11), Fr::MULTIPLICATIVE_GENERATOR] {
                let at = |p: &[Fr]| p.iter().rev().fold(Fr::ZERO, |value, c| value * point + c);
                let vanishing = point.pow_vartime([n as u64]) - Fr::ONE;
                assert_eq!(at(&a) * at(&b) - at(&c), at(&x) * vanishing, "2^{log_n}");
            }
        }
    }

    fn interpolate(domain: &Domain, values: &[Fr]) -> Vec<Fr> {
        let mut x = values.to_vec();
        domain.inverse(&mut x);
        domain.scale(&mut x, Fr::ONE, n_inverse(domain));
        bit_reverse(&mut x);
        x
    }
}
