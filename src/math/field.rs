//! The coordinate fields of G1 and G2, with the few operations that point additions need.
//!
//! Products and inverses are blst's assembly; additions are inlined, where a call would cost as much as the work.
#![allow(unsafe_code)]

use blst::{blst_fp, blst_fp2};

/// An element of a coordinate field, in blst's Montgomery form, always reduced.
pub trait Coordinate: Copy + Default + PartialEq + Send + Sync {
    const ONE: Self;

    fn is_zero(&self) -> bool;
    fn add(&self, other: &Self) -> Self;
    fn sub(&self, other: &Self) -> Self;
    fn mul(&self, other: &Self) -> Self;
    fn square(&self) -> Self;
    /// The inverse, of a value that is not zero.
    fn invert(&self) -> Self;

    /// `second` if the condition holds, else `first`; without a branch.
    fn select(first: &Self, second: &Self, condition: bool) -> Self;

    #[inline(always)]
    fn neg(&self) -> Self {
        Self::default().sub(self)
    }
}

/// Asks for a value's cache lines before they are needed.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    for offset in (0..size_of::<T>()).step_by(64) {
        use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
        // SAFETY: a prefetch reads nothing, and the address lies in `value`.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast::<i8>().add(offset)) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// The field's modulus.
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

#[inline(always)]
fn sub_limbs<const N: usize>(a: &[u64; N], b: &[u64; N]) -> ([u64; N], bool) {
    let mut out = [0; N];
    let mut borrow = false;
    for i in 0..N {
        let (limb, first) = a[i].overflowing_sub(b[i]);
        let (limb, second) = limb.overflowing_sub(u64::from(borrow));
        out[i] = limb;
        borrow = first | second;
    }
    (out, borrow)
}

#[inline(always)]
fn add_limbs<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let mut out = [0; N];
    let mut carry = false;
    for i in 0..N {
        let (limb, first) = a[i].overflowing_add(b[i]);
        let (limb, second) = limb.overflowing_add(u64::from(carry));
        out[i] = limb;
        carry = first | second;
    }
    out
}

/// `a + b` for reduced values of a field whose modulus leaves the top bit free.
#[inline(always)]
pub fn add_mod<const N: usize>(a: &[u64; N], b: &[u64; N], modulus: &[u64; N]) -> [u64; N] {
    let sum = add_limbs(a, b);
    let (reduced, borrow) = sub_limbs(&sum, modulus);
    if borrow {
        sum
    } else {
        reduced
    }
}

/// `a - b` for reduced values.
#[inline(always)]
pub fn sub_mod<const N: usize>(a: &[u64; N], b: &[u64; N], modulus: &[u64; N]) -> [u64; N] {
    let (difference, borrow) = sub_limbs(a, b);
    let mask = u64::from(borrow).wrapping_neg();
    let mut correction = *modulus;
    for limb in &mut correction {
        *limb &= mask;
    }
    add_limbs(&difference, &correction)
}

impl Coordinate for blst_fp {
    const ONE: Self = ONE;

    #[inline(always)]
    fn is_zero(&self) -> bool {
        self.l.iter().fold(0, |all, limb| all | limb) == 0
    }

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
        let mut out = blst_fp::default();
        // SAFETY: the three references are valid for the call, and the result is a place of its own.
        unsafe { blst::blst_fp_mul(&mut out, self, other) };
        out
    }

    #[inline(always)]
    fn square(&self) -> Self {
        let mut out = blst_fp::default();
        // SAFETY: both references are valid for the call, and the result is a place of its own.
        unsafe { blst::blst_fp_sqr(&mut out, self) };
        out
    }

    fn invert(&self) -> Self {
        let mut out = blst_fp::default();
        // SAFETY: both references are valid for the call, and the result is a place of its own.
        unsafe { blst::blst_fp_eucl_inverse(&mut out, self) };
        out
    }
}

impl Coordinate for blst_fp2 {
    const ONE: Self = blst_fp2 {
        fp: [ONE, blst_fp { l: [0; 6] }],
    };

    #[inline(always)]
    fn is_zero(&self) -> bool {
        self.fp[0].is_zero() && self.fp[1].is_zero()
    }

    #[inline(always)]
    fn select(first: &Self, second: &Self, condition: bool) -> Self {
        blst_fp2 {
            fp: [0, 1].map(|part| blst_fp::select(&first.fp[part], &second.fp[part], condition)),
        }
    }

    #[inline(always)]
    fn add(&self, other: &Self) -> Self {
        blst_fp2 {
            fp: [self.fp[0].add(&other.fp[0]), self.fp[1].add(&other.fp[1])],
        }
    }

    #[inline(always)]
    fn sub(&self, other: &Self) -> Self {
        blst_fp2 {
            fp: [self.fp[0].sub(&other.fp[0]), self.fp[1].sub(&other.fp[1])],
        }
    }

    #[inline(always)]
    fn mul(&self, other: &Self) -> Self {
        let mut out = blst_fp2::default();
        // SAFETY: the three references are valid for the call, and the result is a place of its own.
        unsafe { blst::blst_fp2_mul(&mut out, self, other) };
        out
    }

    #[inline(always)]
    fn square(&self) -> Self {
        let mut out = blst_fp2::default();
        // SAFETY: both references are valid for the call, and the result is a place of its own.
        unsafe { blst::blst_fp2_sqr(&mut out, self) };
        out
    }

    fn invert(&self) -> Self {
        let mut out = blst_fp2::default();
        // SAFETY: both references are valid for the call, and the result is a place of its own.
        unsafe { blst::blst_fp2_eucl_inverse(&mut out, self) };
        out
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
