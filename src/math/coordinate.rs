//! The fields of the curves' coordinates, Fp for G1 and Fp2 for G2: blst's functions behind safe ones.
#![allow(unsafe_code)]

use blst::{blst_fp, blst_fp2};

use super::limbs::{add_mod, sub_mod};

/// A field element in blst's Montgomery form, always fully reduced.
pub trait Coordinate: Copy + Default + PartialEq + Send + Sync {
    /// Bytes of the big-endian encoding.
    const BYTES: usize;

    const ONE: Self;

    fn add(&self, other: &Self) -> Self;
    fn sub(&self, other: &Self) -> Self;
    fn mul(&self, other: &Self) -> Self;
    fn square(&self) -> Self;
    /// The inverse of zero is zero.
    fn inverse(&self) -> Self;
    /// Writes the big-endian encoding; `out` is [`Self::BYTES`] long.
    fn write_be(&self, out: &mut [u8]);

    /// `second` if the condition holds, else `first`; without a branch.
    fn select(first: &Self, second: &Self, condition: bool) -> Self;

    fn is_zero(&self) -> bool;

    #[inline(always)]
    fn neg(&self) -> Self {
        Self::default().sub(self)
    }

    fn triple(&self) -> Self {
        self.add(self).add(self)
    }
}

const FP_BYTES: usize = 48;

/// The modulus of Fp, little-endian.
const MODULUS: [u64; 6] = [
    0xb9fe_ffff_ffff_aaab,
    0x1eab_fffe_b153_ffff,
    0x6730_d2a0_f6b0_f624,
    0x6477_4b84_f385_12bf,
    0x4b1b_a7b6_434b_acd7,
    0x1a01_11ea_397f_e69a,
];

/// 2^384 modulo the modulus: one in Montgomery form.
const ONE: blst_fp = blst_fp {
    l: [
        0x7609_0000_0002_fffd,
        0xebf4_000b_c40c_0002,
        0x5f48_9857_53c7_58ba,
        0x77ce_5853_7052_5745,
        0x5c07_1a97_a256_ec6d,
        0x15f6_5ec3_fa80_e493,
    ],
};

/// Wraps a blst function of the form `f(out, operands...)`.
macro_rules! blst_call {
    ($function:ident, $($operand:expr),+) => {{
        let mut out = Default::default();
        // SAFETY: `out` and the operands are initialised values of the types that blst's prototype names, alive for the
        // call; blst allows no operand to be NULL and none is, being a reference.
        unsafe { blst::$function(&mut out, $($operand),+) };
        out
    }};
}

impl Coordinate for blst_fp {
    const BYTES: usize = FP_BYTES;

    const ONE: Self = ONE;

    #[inline(always)]
    fn select(first: &Self, second: &Self, condition: bool) -> Self {
        let mask = u64::from(condition).wrapping_neg();
        let mut out = *first;
        for (limb, other) in out.l.iter_mut().zip(&second.l) {
            *limb ^= mask & (*limb ^ other);
        }
        out
    }

    #[inline(always)]
    fn is_zero(&self) -> bool {
        self.l.iter().fold(0, |all, limb| all | limb) == 0
    }

    #[inline(always)]
    fn add(&self, other: &Self) -> Self {
        blst_fp {
            l: add_mod(&self.l, &other.l, &MODULUS),
        }
    }

    #[inline(always)]
    fn sub(&self, other: &Self) -> Self {
        blst_fp {
            l: sub_mod(&self.l, &other.l, &MODULUS),
        }
    }

    #[inline(always)]
    fn mul(&self, other: &Self) -> Self {
        blst_call!(blst_fp_mul, self, other)
    }

    #[inline(always)]
    fn square(&self) -> Self {
        blst_call!(blst_fp_sqr, self)
    }

    fn inverse(&self) -> Self {
        blst_call!(blst_fp_inverse, self)
    }

    fn write_be(&self, out: &mut [u8]) {
        let out: &mut [u8; FP_BYTES] = out.try_into().expect("an encoding of Fp has 48 bytes");
        // SAFETY: blst writes exactly 48 bytes, and `out` is an array of 48.
        unsafe { blst::blst_bendian_from_fp(out.as_mut_ptr(), self) };
    }
}

impl Coordinate for blst_fp2 {
    const BYTES: usize = 2 * FP_BYTES;

    const ONE: Self = blst_fp2 {
        fp: [ONE, blst_fp { l: [0; 6] }],
    };

    #[inline(always)]
    fn select(first: &Self, second: &Self, condition: bool) -> Self {
        blst_fp2 {
            fp: [0, 1].map(|part| blst_fp::select(&first.fp[part], &second.fp[part], condition)),
        }
    }

    #[inline(always)]
    fn is_zero(&self) -> bool {
        self.fp[0].is_zero() && self.fp[1].is_zero()
    }

    #[inline(always)]
    fn add(&self, other: &Self) -> Self {
        blst_fp2 {
            fp: [0, 1].map(|part| self.fp[part].add(&other.fp[part])),
        }
    }

    #[inline(always)]
    fn sub(&self, other: &Self) -> Self {
        blst_fp2 {
            fp: [0, 1].map(|part| self.fp[part].sub(&other.fp[part])),
        }
    }

    #[inline(always)]
    fn mul(&self, other: &Self) -> Self {
        blst_call!(blst_fp2_mul, self, other)
    }

    #[inline(always)]
    fn square(&self) -> Self {
        blst_call!(blst_fp2_sqr, self)
    }

    fn inverse(&self) -> Self {
        blst_call!(blst_fp2_inverse, self)
    }

    fn write_be(&self, out: &mut [u8]) {
        // The encoding of c0 + c1·u starts with c1.
        let (c1, c0) = out.split_at_mut(FP_BYTES);
        self.fp[1].write_be(c1);
        self.fp[0].write_be(c0);
    }
}

#[cfg(test)]
mod tests {
    use blstrs::Fp;
    use ff::Field;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn inlined_operations_agree_with_blstrs() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut values: Vec<Fp> = (0..40).map(|_| Fp::random(&mut rng)).collect();
        values.extend([Fp::ZERO, Fp::ONE, -Fp::ONE]);
        assert_eq!(blst_fp::from(Fp::ONE), ONE);
        for a in &values {
            for b in &values {
                let (x, y) = (blst_fp::from(*a), blst_fp::from(*b));
                assert_eq!(Fp::from(x.add(&y)), *a + b);
                assert_eq!(Fp::from(x.sub(&y)), *a - b);
                assert_eq!(Fp::from(x.mul(&y)), *a * b);
                assert_eq!(Fp::from(x.neg()), -*a);
            }
        }
    }
}
