//! Scalars in the form that the digits of a multi-scalar multiplication are read from.
#![allow(unsafe_code)]

use blst::blst_fr;
use ff::PrimeField;
use rayon::prelude::*;

use super::Fr;
use crate::error::{Error, Result};

/// A scalar as sign and magnitude: `k` or, where that is smaller, `-(r - k)`. The magnitude is under 2^254, so bit 255
/// is free for the sign.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(transparent)]
pub struct SignedScalar([u64; 4]);

/// Bits of a magnitude, and one for the carry of signed digits.
pub const SIGNED_BITS: usize = 255;

const SIGN: u64 = 1 << 63;

/// r, little-endian.
const MODULUS: [u64; 4] = [
    0xffff_ffff_0000_0001,
    0x53bd_a402_fffe_5bfe,
    0x3339_d808_09a1_d805,
    0x73ed_a753_299d_7d48,
];

/// (r - 1) / 2, little-endian.
const HALF: [u64; 4] = [
    0x7fff_ffff_8000_0000,
    0xa9de_d201_7fff_2dff,
    0x199c_ec04_04d0_ec02,
    0x39f6_d3a9_94ce_bea4,
];

impl From<&Fr> for SignedScalar {
    fn from(scalar: &Fr) -> Self {
        let bytes = scalar.to_repr();
        let mut limbs = [0; 4];
        for (limb, bytes) in limbs.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *limb = u64::from_le_bytes(*bytes);
        }
        if limbs.iter().rev().gt(HALF.iter().rev()) {
            let mut negated = super::limbs::sub_mod(&MODULUS, &limbs, &MODULUS);
            negated[3] |= SIGN;
            return Self(negated);
        }
        Self(limbs)
    }
}

const _: () = assert!(size_of::<SignedScalar>() == size_of::<Fr>() && align_of::<SignedScalar>() == align_of::<Fr>());

impl SignedScalar {
    /// Converts scalars where they stand. What is left in `scalars` afterwards are no field elements.
    pub fn convert(scalars: &mut [Fr]) -> &[Self] {
        scalars.par_iter_mut().with_min_len(1 << 12).for_each(|scalar| {
            *scalar = blst_fr {
                l: Self::from(&*scalar).0,
            }
            .into()
        });
        // SAFETY: a scalar is a transparent wrapper of four words, as is this type; size and alignment are asserted.
        unsafe { std::slice::from_raw_parts(scalars.as_ptr().cast(), scalars.len()) }
    }

    pub fn convert_all(scalars: &[Fr]) -> Result<Vec<Self>> {
        let mut converted = Vec::new();
        let bytes = size_of_val(scalars);
        converted
            .try_reserve_exact(scalars.len())
            .map_err(|_| Error::OutOfMemory {
                bytes,
                purpose: "scalars",
            })?;
        scalars
            .par_iter()
            .with_min_len(1 << 12)
            .map(Self::from)
            .collect_into_vec(&mut converted);
        Ok(converted)
    }

    /// The digit of `bits` (at most 30) bits from bit `low` on, in [-2^(bits-1), 2^(bits-1)]. The digits of a scalar,
    /// each times 2^low, add up to it.
    #[inline(always)]
    pub fn digit(&self, low: usize, bits: usize) -> i32 {
        let mut limbs = self.0;
        limbs[3] &= !SIGN;
        // The digit's bits, and under them the bit before, which is this digit's carry.
        let window = match low.checked_sub(1) {
            None => limbs[0] << 1,
            Some(from) => {
                let (limb, shift) = (from / 64, from % 64);
                let above = limbs.get(limb + 1).copied().unwrap_or(0);
                limbs.get(limb).map_or(0, |limb| limb >> shift) | (above << 1) << (63 - shift)
            }
        };
        let window = (window & ((2 << bits) - 1)) as i32;
        let digit = ((window + 1) >> 1) - ((window >> bits) << bits);
        if self.0[3] & SIGN == 0 {
            digit
        } else {
            -digit
        }
    }
}

#[cfg(test)]
mod tests {
    use ff::Field;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn conversion_in_place_is_conversion() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut scalars: Vec<Fr> = (0..99).map(|_| Fr::random(&mut rng)).collect();
        let expected: Vec<SignedScalar> = scalars.iter().map(SignedScalar::from).collect();
        assert_eq!(SignedScalar::convert(&mut scalars), expected);
    }

    #[test]
    fn digits_add_up() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let mut scalars: Vec<Fr> = (0..50).map(|_| Fr::random(&mut rng)).collect();
        let half = -Fr::ONE * Fr::from(2).invert().unwrap();
        scalars.extend([
            Fr::ZERO,
            Fr::ONE,
            -Fr::ONE,
            Fr::from(2),
            half,
            half + Fr::ONE,
            half - Fr::ONE,
        ]);
        scalars.extend((0..255).map(|bit| Fr::from(2).pow_vartime([bit])));
        for scalar in scalars {
            let signed = SignedScalar::from(&scalar);
            for bits in 1..=24 {
                let mut sum = Fr::ZERO;
                for window in (0..SIGNED_BITS.div_ceil(bits)).rev() {
                    let digit = signed.digit(window * bits, bits);
                    assert!(digit.unsigned_abs() <= 1 << (bits - 1));
                    let magnitude = Fr::from(u64::from(digit.unsigned_abs()));
                    sum = sum * Fr::from(1 << bits) + if digit < 0 { -magnitude } else { magnitude };
                }
                assert_eq!(sum, scalar, "{bits} bits a digit");
            }
        }
    }
}
