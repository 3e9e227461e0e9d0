//! Additions of field elements, inlined: a call into blst would cost as much as the work. And a cache hint.
#![allow(unsafe_code)]

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
