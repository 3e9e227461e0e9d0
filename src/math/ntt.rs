//! Number-theoretic transforms over a domain of 2^log_n roots of unity, in place, two levels a pass.
//!
//! The inverse transform takes values in natural order and leaves coefficients bit-reversed, the forward one goes back,
//! so between the two nothing is permuted. Twiddles are stored bit-reversed: then each block has one twiddle for all
//! its butterflies, blocks read the table from the front, and the inverse of a twiddle is the negative of its mirror
//! image in the table. Depth first, so that a block that fits a cache is finished there.

use blst::blst_fr;
use ff::{Field, PrimeField};
use rayon::prelude::*;

use super::limbs::{add_mod, sub_mod};
use super::Fr;
use crate::error::{Error, Result};

/// r, little-endian.
const MODULUS: [u64; 4] = [
    0xffff_ffff_0000_0001,
    0x53bd_a402_fffe_5bfe,
    0x3339_d808_09a1_d805,
    0x73ed_a753_299d_7d48,
];

/// Blocks up to this length are done by one thread.
const SERIAL_LEN: usize = 1 << 14;

/// Elements of a quarter that are one task in blocks above that.
const PASS_LEN: usize = 1 << 12;

/// Low bits of a position whose powers are tabulated when a coset is scaled.
const LOW_BITS: u32 = 10;

pub struct Domain {
    log_n: u32,
    /// Powers of the root's inverse, the exponents bit-reversed.
    twiddles: Vec<Fr>,
}

impl Domain {
    /// The smallest domain with room for `len` values.
    pub fn new(len: usize) -> Result<Self> {
        let log_n = len.next_power_of_two().ilog2();
        if log_n >= Fr::S {
            return Err(Error::message(format!(
                "{len} constraints: more than the field has roots of unity for"
            )));
        }
        let n = 1usize << log_n;
        let mut twiddles = Vec::new();
        let bytes = n / 2 * size_of::<Fr>();
        twiddles
            .try_reserve_exact((n / 2).max(1))
            .map_err(|_| Error::OutOfMemory {
                bytes,
                purpose: "twiddles",
            })?;
        twiddles.push(Fr::ONE);
        let mut root = Fr::ROOT_OF_UNITY_INV;
        let mut roots = vec![root];
        for _ in 1..Fr::S {
            root = root.square();
            roots.push(root);
        }
        // roots[Fr::S - k] has order 2^k; entry 2^k + j is entry j times the root of order 2^(k + 2).
        let mut order = 2;
        while twiddles.len() < n / 2 {
            let root = roots[(Fr::S - order) as usize];
            let len = twiddles.len();
            twiddles.extend_from_within(..);
            twiddles[len..]
                .par_iter_mut()
                .with_min_len(PASS_LEN)
                .for_each(|twiddle| *twiddle *= root);
            order += 1;
        }
        Ok(Self { log_n, twiddles })
    }

    pub fn n(&self) -> usize {
        1 << self.log_n
    }

    /// Values in natural order become coefficients in bit-reversed order, each times n.
    pub fn inverse(&self, values: &mut [Fr]) {
        assert_eq!(values.len(), self.n());
        self.inverse_block(values, 0);
    }

    /// Coefficients in bit-reversed order become values in natural order.
    pub fn forward(&self, coefficients: &mut [Fr]) {
        assert_eq!(coefficients.len(), self.n());
        self.forward_block(coefficients, 0);
    }

    /// Multiplies the coefficient of X^i, where they stand bit-reversed, by `factor` times `shift`^i.
    pub fn scale(&self, coefficients: &mut [Fr], shift: Fr, factor: Fr) {
        assert_eq!(coefficients.len(), self.n());
        let low_bits = LOW_BITS.min(self.log_n);
        let high_bits = self.log_n - low_bits;
        let step = shift.pow_vartime([1 << high_bits]);
        let low: Vec<Fr> = (0..1usize << low_bits)
            .map(|low| step.pow_vartime([reverse(low, low_bits) as u64]))
            .collect();
        coefficients
            .par_chunks_mut(low.len())
            .enumerate()
            .for_each(|(high, chunk)| {
                let base = factor * shift.pow_vartime([reverse(high, high_bits) as u64]);
                for (coefficient, low) in chunk.iter_mut().zip(&low) {
                    *coefficient *= base * low;
                }
            });
    }

    #[inline(always)]
    fn inverse_twiddle(&self, block: usize) -> Fr {
        match block.checked_ilog2() {
            None => Fr::ONE,
            Some(log) => sub(&Fr::ZERO, &self.twiddles[(3 << log) - 1 - block]),
        }
    }

    fn inverse_block(&self, x: &mut [Fr], block: usize) {
        match x {
            [] | [_] => {}
            [x0, x1] => (*x0, *x1) = split(x0, x1, &self.twiddles[block]),
            _ => {
                let twiddles = [
                    self.twiddles[block],
                    self.twiddles[2 * block],
                    self.twiddles[2 * block + 1],
                ];
                for_each_four(x, |x0, x1, x2, x3| {
                    let (y0, y2) = split(x0, x2, &twiddles[0]);
                    let (y1, y3) = split(x1, x3, &twiddles[0]);
                    (*x0, *x1) = split(&y0, &y1, &twiddles[1]);
                    (*x2, *x3) = split(&y2, &y3, &twiddles[2]);
                });
                for_each_quarter(x, |quarter, x| self.inverse_block(x, 4 * block + quarter));
            }
        }
    }

    fn forward_block(&self, x: &mut [Fr], block: usize) {
        match x {
            [] | [_] => {}
            [x0, x1] => (*x0, *x1) = join(x0, x1, &self.inverse_twiddle(block)),
            _ => {
                for_each_quarter(x, |quarter, x| self.forward_block(x, 4 * block + quarter));
                let twiddles = [block, 2 * block, 2 * block + 1].map(|block| self.inverse_twiddle(block));
                for_each_four(x, |x0, x1, x2, x3| {
                    let (y0, y1) = join(x0, x1, &twiddles[1]);
                    let (y2, y3) = join(x2, x3, &twiddles[2]);
                    (*x0, *x2) = join(&y0, &y2, &twiddles[0]);
                    (*x1, *x3) = join(&y1, &y3, &twiddles[0]);
                });
            }
        }
    }
}

/// Puts bit-reversed elements into natural order, or back.
pub fn bit_reverse(x: &mut [Fr]) {
    let log_n = x.len().ilog2();
    for i in 0..x.len() {
        let j = reverse(i, log_n);
        if i < j {
            x.swap(i, j);
        }
    }
}

fn reverse(index: usize, bits: u32) -> usize {
    index.reverse_bits().checked_shr(usize::BITS - bits).unwrap_or(0)
}

/// A butterfly of the inverse transform.
#[inline(always)]
fn split(x0: &Fr, x1: &Fr, twiddle: &Fr) -> (Fr, Fr) {
    let product = *x1 * twiddle;
    (add(x0, &product), sub(x0, &product))
}

/// A butterfly of the forward transform.
#[inline(always)]
fn join(x0: &Fr, x1: &Fr, twiddle: &Fr) -> (Fr, Fr) {
    (add(x0, x1), sub(x0, x1) * twiddle)
}

#[inline(always)]
fn add(a: &Fr, b: &Fr) -> Fr {
    blst_fr {
        l: add_mod(&blst_fr::from(*a).l, &blst_fr::from(*b).l, &MODULUS),
    }
    .into()
}

#[inline(always)]
fn sub(a: &Fr, b: &Fr) -> Fr {
    blst_fr {
        l: sub_mod(&blst_fr::from(*a).l, &blst_fr::from(*b).l, &MODULUS),
    }
    .into()
}

/// Calls `each` with the elements that stand alike in the four quarters.
fn for_each_four(x: &mut [Fr], each: impl Fn(&mut Fr, &mut Fr, &mut Fr, &mut Fr) + Sync) {
    let parallel = x.len() > SERIAL_LEN;
    let (lower, upper) = x.split_at_mut(x.len() / 2);
    let (x0, x1) = lower.split_at_mut(lower.len() / 2);
    let (x2, x3) = upper.split_at_mut(upper.len() / 2);
    let pass = |x0: &mut [Fr], x1: &mut [Fr], x2: &mut [Fr], x3: &mut [Fr]| {
        for (((x0, x1), x2), x3) in x0.iter_mut().zip(x1).zip(x2).zip(x3) {
            each(x0, x1, x2, x3);
        }
    };
    if parallel {
        let lower = x0.par_chunks_mut(PASS_LEN).zip(x1.par_chunks_mut(PASS_LEN));
        let upper = x2.par_chunks_mut(PASS_LEN).zip(x3.par_chunks_mut(PASS_LEN));
        lower.zip(upper).for_each(|((x0, x1), (x2, x3))| pass(x0, x1, x2, x3));
    } else {
        pass(x0, x1, x2, x3);
    }
}

fn for_each_quarter(x: &mut [Fr], each: impl Fn(usize, &mut [Fr]) + Sync) {
    let quarter_len = x.len() / 4;
    if x.len() > SERIAL_LEN {
        x.par_chunks_mut(quarter_len)
            .enumerate()
            .for_each(|(quarter, x)| each(quarter, x));
    } else {
        x.chunks_mut(quarter_len)
            .enumerate()
            .for_each(|(quarter, x)| each(quarter, x));
    }
}
