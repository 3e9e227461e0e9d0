//! The domain of a circuit's polynomials: the roots of unity of a power of two that holds all constraints.

use blstrs::Scalar;
use ff::{BatchInvert, Field, PrimeField};
use rayon::prelude::*;

use crate::error::{Error, Result};

const CHUNK: usize = 1 << 12;

pub struct Domain {
    log_len: u32,
    /// A primitive root of unity of order 2^log_len.
    omega: Scalar,
}

impl Domain {
    /// The smallest domain for `constraints`.
    pub fn new(constraints: usize) -> Result<Self> {
        let log_len = constraints.max(1).next_power_of_two().trailing_zeros();
        if log_len >= Scalar::S {
            return Err(Error::message(format!(
                "{constraints} constraints exceed the scalar field's roots of unity"
            )));
        }
        let omega = (log_len..Scalar::S).fold(Scalar::ROOT_OF_UNITY, |root, _| root.square());
        Ok(Self { log_len, omega })
    }

    pub fn len(&self) -> usize {
        1 << self.log_len
    }

    /// The polynomial that vanishes on the domain: x^m - 1.
    pub fn vanishing(&self, x: &Scalar) -> Scalar {
        x.pow_vartime([self.len() as u64]) - Scalar::ONE
    }

    /// The first `count` Lagrange polynomials at `x`: (x^m - 1) / m · omega^j / (x - omega^j).
    pub fn lagrange(&self, x: &Scalar, count: usize) -> Result<Vec<Scalar>> {
        let vanishing = self.vanishing(x);
        if bool::from(vanishing.is_zero()) {
            return Err(Error::message("the trapdoor's tau is a root of unity of the domain"));
        }
        let len: Option<Scalar> = Scalar::from(self.len() as u64).invert().into();
        let scale = vanishing * len.expect("a power of two is not zero in a field of odd order");
        let mut values = vec![Scalar::ZERO; count];
        values.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, values)| {
            let mut root = self.omega.pow_vartime([(chunk * CHUNK) as u64]);
            let roots: Vec<Scalar> = values
                .iter_mut()
                .map(|value| {
                    let this = root;
                    *value = x - this;
                    root *= self.omega;
                    this
                })
                .collect();
            values.iter_mut().batch_invert();
            for (value, root) in values.iter_mut().zip(roots) {
                *value *= scale * root;
            }
        });
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lagrange_polynomials_interpolate() {
        // The sum of all is 1, and the sum of omega^j times the j-th is x.
        let x = Scalar::from(5);
        for constraints in [1, 2, 3, 8, 9, CHUNK + 1] {
            let domain = Domain::new(constraints).unwrap();
            let values = domain.lagrange(&x, domain.len()).unwrap();
            assert_eq!(values.iter().sum::<Scalar>(), Scalar::ONE);
            if domain.len() > 1 {
                let mut root = Scalar::ONE;
                let mut sum = Scalar::ZERO;
                for value in values {
                    sum += value * root;
                    root *= domain.omega;
                }
                assert_eq!(sum, x);
            }
        }
    }

    #[test]
    fn a_root_of_unity_is_refused() {
        let domain = Domain::new(8).unwrap();
        assert!(domain.lagrange(&domain.omega, 8).is_err());
    }
}
