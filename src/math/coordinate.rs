//! The fields of the curves' coordinates, Fp for G1 and Fp2 for G2: blst's functions behind safe ones.

use blst::{blst_fp, blst_fp2};

/// A field element in blst's Montgomery form, always fully reduced.
pub trait Coordinate: Copy + Default + PartialEq + Send + Sync {
    /// Bytes of the big-endian encoding.
    const BYTES: usize;

    fn one() -> Self;
    fn add(&self, other: &Self) -> Self;
    fn sub(&self, other: &Self) -> Self;
    fn mul(&self, other: &Self) -> Self;
    fn square(&self) -> Self;
    fn neg(&self) -> Self;
    /// The inverse of zero is zero.
    fn inverse(&self) -> Self;
    /// Writes the big-endian encoding; `out` is [`Self::BYTES`] long.
    fn write_be(&self, out: &mut [u8]);

    fn is_zero(&self) -> bool {
        *self == Self::default()
    }

    fn triple(&self) -> Self {
        self.add(self).add(self)
    }
}

const FP_BYTES: usize = 48;

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

    fn one() -> Self {
        const ONE: [u64; 6] = [1, 0, 0, 0, 0, 0];
        blst_call!(blst_fp_from_uint64, ONE.as_ptr())
    }

    fn add(&self, other: &Self) -> Self {
        blst_call!(blst_fp_add, self, other)
    }

    fn sub(&self, other: &Self) -> Self {
        blst_call!(blst_fp_sub, self, other)
    }

    fn mul(&self, other: &Self) -> Self {
        blst_call!(blst_fp_mul, self, other)
    }

    fn square(&self) -> Self {
        blst_call!(blst_fp_sqr, self)
    }

    fn neg(&self) -> Self {
        blst_call!(blst_fp_cneg, self, true)
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

    fn one() -> Self {
        let zero = blst_fp::default();
        Self {
            fp: [blst_fp::one(), zero],
        }
    }

    fn add(&self, other: &Self) -> Self {
        blst_call!(blst_fp2_add, self, other)
    }

    fn sub(&self, other: &Self) -> Self {
        blst_call!(blst_fp2_sub, self, other)
    }

    fn mul(&self, other: &Self) -> Self {
        blst_call!(blst_fp2_mul, self, other)
    }

    fn square(&self) -> Self {
        blst_call!(blst_fp2_sqr, self)
    }

    fn neg(&self) -> Self {
        blst_call!(blst_fp2_cneg, self, true)
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
