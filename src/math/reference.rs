//! Slow and obvious: what the fast paths of this layer are compared with.

use ff::{Field, PrimeField};
use group::prime::PrimeCurveAffine;
use group::Group as _;

use super::Fr;

/// The sum of the points times their scalars, one by one.
pub fn msm<G: PrimeCurveAffine<Scalar = Fr>>(points: &[G], scalars: &[Fr]) -> G::Curve {
    points
        .iter()
        .zip(scalars)
        .fold(G::Curve::identity(), |sum, (point, scalar)| sum + *point * scalar)
}

/// The primitive root of unity of order 2^log_n that bellperson's domains use.
pub fn root_of_unity(log_n: u32) -> Fr {
    let mut root = Fr::ROOT_OF_UNITY;
    for _ in log_n..Fr::S {
        root = root.square();
    }
    root
}

/// The values of a polynomial at `shift` times each power of the root, from its coefficients.
pub fn evaluations(coefficients: &[Fr], shift: Fr) -> Vec<Fr> {
    let root = root_of_unity(coefficients.len().ilog2());
    let mut x = shift;
    let mut values = Vec::with_capacity(coefficients.len());
    for _ in coefficients {
        values.push(
            coefficients
                .iter()
                .rev()
                .fold(Fr::ZERO, |value, coefficient| value * x + coefficient),
        );
        x *= root;
    }
    values
}
