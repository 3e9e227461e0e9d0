//! Many multiples of one point, from a table of its windowed multiples.
//!
//! Every addition is affine, and one inversion is shared by a whole batch of them (Montgomery's trick), so that an
//! addition costs six multiplications and the result needs no normalisation.

use blstrs::Scalar;
use rayon::prelude::*;

use super::coordinate::Coordinate;
pub use super::curve::Point;

/// All scalars are below 2^255.
const SCALAR_BITS: usize = 255;
/// A wider window's table falls out of the processor's caches.
const MAX_WINDOW_BITS: usize = 16;
/// Additions that share one inversion.
const BATCH: usize = 1024;

impl<F: Coordinate> Point<F> {
    /// Bytes of the uncompressed encoding.
    pub const BYTES: usize = 2 * F::BYTES;

    /// Writes the uncompressed encoding: x, then y, both big-endian; the second highest bit marks the identity.
    pub fn write_uncompressed(&self, out: &mut [u8]) {
        let (x, y) = out.split_at_mut(F::BYTES);
        self.x.write_be(x);
        self.y.write_be(y);
        if self.is_identity() {
            out[0] |= 0x40;
        }
    }
}

/// The multiples d·2^(w·j)·B of a base B, for every window j and every digit d in 1..=2^(w-1).
pub struct FixedBase<F> {
    window_bits: usize,
    windows: Vec<Vec<Point<F>>>,
}

impl<F: Coordinate> FixedBase<F> {
    /// A table that suits `count` multiplications.
    pub fn new(base: impl Into<Point<F>>, count: usize) -> Self {
        let window_bits = window_bits_for(count);
        let mut bases = vec![base.into()];
        let mut batch = Batch::default();
        while bases.len() < window_count(window_bits) {
            let mut next = [bases[bases.len() - 1]];
            for _ in 0..window_bits {
                let same = next;
                batch.add(&mut next, &same);
            }
            bases.extend(next);
        }
        let windows = bases.into_par_iter().map(|base| multiples(base, window_bits)).collect();
        Self { window_bits, windows }
    }

    /// What `convert` makes of the multiples of the base by `scalars`, batch by batch in order, on all cores.
    pub fn multiply<T: Send>(&self, scalars: &[Scalar], convert: impl Fn(&[Point<F>]) -> T + Sync) -> Vec<T> {
        scalars
            .par_chunks(BATCH)
            .map(|chunk| convert(&self.multiply_batch(chunk)))
            .collect()
    }

    fn multiply_batch(&self, scalars: &[Scalar]) -> Vec<Point<F>> {
        let count = self.windows.len();
        let digits: Vec<i32> = scalars
            .iter()
            .flat_map(|scalar| signed_digits(scalar.to_bytes_le(), self.window_bits, count))
            .collect();
        let mut sums = vec![Point::default(); scalars.len()];
        let mut addends = vec![Point::default(); scalars.len()];
        let mut batch = Batch::default();
        for (j, window) in self.windows.iter().enumerate() {
            for (i, addend) in addends.iter_mut().enumerate() {
                *addend = pick(window, digits[i * count + j]);
            }
            batch.add(&mut sums, &addends);
        }
        sums
    }
}

fn pick<F: Coordinate>(window: &[Point<F>], digit: i32) -> Point<F> {
    match digit {
        0 => Point::default(),
        1.. => window[digit as usize - 1],
        _ => window[digit.unsigned_abs() as usize - 1].with_sign(true),
    }
}

/// 1·B, 2·B, ... 2^(w-1)·B.
fn multiples<F: Coordinate>(base: Point<F>, window_bits: usize) -> Vec<Point<F>> {
    let len = 1 << (window_bits - 1);
    let mut table = Vec::with_capacity(len);
    table.push(base);
    let mut batch = Batch::default();
    while table.len() < len {
        // n more: (1..=n)·B + n·B.
        let step = vec![table[table.len() - 1]; table.len()];
        let mut next = table.clone();
        for (next, step) in next.chunks_mut(BATCH).zip(step.chunks(BATCH)) {
            batch.add(next, step);
        }
        table.extend(next);
    }
    table
}

/// Enough windows that the highest signed digit leaves no carry.
fn window_count(window_bits: usize) -> usize {
    SCALAR_BITS / window_bits + 1
}

/// The window that makes the table and `count` multiplications cheapest together.
fn window_bits_for(count: usize) -> usize {
    let additions = |bits: &usize| window_count(*bits) * (count + (1 << (bits - 1)));
    (2..=MAX_WINDOW_BITS).min_by_key(additions).unwrap_or(MAX_WINDOW_BITS)
}

/// Digits in -2^(w-1)..=2^(w-1) that sum to the little-endian `scalar`, lowest first.
fn signed_digits(scalar: [u8; 32], window_bits: usize, count: usize) -> impl Iterator<Item = i32> {
    let half = 1i32 << (window_bits - 1);
    let mut carry = 0;
    (0..count).map(move |j| {
        let digit = bits_at(&scalar, j * window_bits, window_bits) + carry;
        carry = i32::from(digit > half);
        digit - carry * 2 * half
    })
}

/// The `len` (at most 24) bits of the little-endian `bytes` from bit `start` on; beyond the end they are 0.
fn bits_at(bytes: &[u8; 32], start: usize, len: usize) -> i32 {
    let first = start / 8;
    let mut word = 0;
    for (i, byte) in bytes.iter().skip(first).take(4).enumerate() {
        word |= u32::from(*byte) << (8 * i);
    }
    ((word >> (start % 8)) & ((1 << len) - 1)) as i32
}

/// Scratch space of batched additions.
struct Batch<F> {
    /// What each addition divides by; zero for one that needs no division.
    divisors: Vec<F>,
    /// The product of the divisors before each.
    products: Vec<F>,
}

impl<F> Default for Batch<F> {
    fn default() -> Self {
        Self {
            divisors: Vec::with_capacity(BATCH),
            products: Vec::with_capacity(BATCH),
        }
    }
}

impl<F: Coordinate> Batch<F> {
    /// Adds `addends` to `sums`, one by one; complete: handles the identity, doublings and opposites.
    fn add(&mut self, sums: &mut [Point<F>], addends: &[Point<F>]) {
        self.divisors.clear();
        self.products.clear();
        let mut product = F::ONE;
        for (sum, addend) in sums.iter_mut().zip(addends) {
            let divisor = prepare(sum, addend);
            self.products.push(product);
            if !divisor.is_zero() {
                product = product.mul(&divisor);
            }
            self.divisors.push(divisor);
        }
        let mut inverse = product.inverse();
        for (i, (sum, addend)) in sums.iter_mut().zip(addends).enumerate().rev() {
            let divisor = self.divisors[i];
            if !divisor.is_zero() {
                *sum = finish(sum, addend, &inverse.mul(&self.products[i]));
                inverse = inverse.mul(&divisor);
            }
        }
    }
}

/// What the slope of the line through both points divides by; where there is no slope, `sum` becomes the result and the
/// answer is zero.
fn prepare<F: Coordinate>(sum: &mut Point<F>, addend: &Point<F>) -> F {
    if addend.is_identity() {
        return F::default();
    }
    if sum.is_identity() {
        *sum = *addend;
        return F::default();
    }
    let run = addend.x.sub(&sum.x);
    if !run.is_zero() {
        return run;
    }
    if sum.y == addend.y {
        return sum.y.add(&sum.y);
    }
    *sum = Point::default();
    F::default()
}

/// The sum of two points with a slope, given the inverse of its divisor.
fn finish<F: Coordinate>(sum: &Point<F>, addend: &Point<F>, inverse: &F) -> Point<F> {
    let rise = match sum.x == addend.x {
        true => sum.x.square().triple(),
        false => addend.y.sub(&sum.y),
    };
    let slope = rise.mul(inverse);
    let x = slope.square().sub(&sum.x).sub(&addend.x);
    let y = slope.mul(&sum.x.sub(&x)).sub(&sum.y);
    Point { x, y }
}

#[cfg(test)]
mod tests {
    use blstrs::{G1Affine, G1Projective, G2Affine, G2Projective};
    use ff::Field;
    use group::{prime::PrimeCurveAffine, Curve, Group};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// The smallest and largest scalars, powers of two, and random ones.
    fn scalars() -> Vec<Scalar> {
        let mut scalars = vec![
            Scalar::ZERO,
            Scalar::ONE,
            -Scalar::ONE,
            Scalar::from(2),
            -Scalar::from(2),
        ];
        scalars.extend((0..255).map(|bit| Scalar::from(2).pow_vartime([bit])));
        scalars.extend((0..255).map(|bit| -Scalar::from(2).pow_vartime([bit])));
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        scalars.extend((0..2000).map(|_| Scalar::random(&mut rng)));
        scalars
    }

    fn encodings<F: Coordinate>(points: &[Point<F>]) -> Vec<u8> {
        let mut bytes = vec![0; points.len() * Point::<F>::BYTES];
        for (point, out) in points.iter().zip(bytes.chunks_mut(Point::<F>::BYTES)) {
            point.write_uncompressed(out);
        }
        bytes
    }

    #[test]
    fn multiples_in_g1_equal_those_of_blstrs() {
        let scalars = scalars();
        let naive: Vec<u8> = scalars
            .iter()
            .flat_map(|scalar| (G1Projective::generator() * scalar).to_affine().to_uncompressed())
            .collect();
        for count in [1, 100, 10_000, 1_000_000] {
            let table = FixedBase::new(G1Affine::generator(), count);
            assert_eq!(table.multiply(&scalars, encodings).concat(), naive, "table for {count}");
        }
    }

    #[test]
    fn multiples_in_g2_equal_those_of_blstrs() {
        let scalars = scalars();
        let naive: Vec<u8> = scalars
            .iter()
            .flat_map(|scalar| (G2Projective::generator() * scalar).to_affine().to_uncompressed())
            .collect();
        for count in [1, 10_000] {
            let table = FixedBase::new(G2Affine::generator(), count);
            assert_eq!(table.multiply(&scalars, encodings).concat(), naive, "table for {count}");
        }
    }

    #[test]
    fn additions_are_complete() {
        let one = Point::from(G1Affine::generator());
        let two = Point::from((G1Projective::generator() * Scalar::from(2)).to_affine());
        let three = Point::from((G1Projective::generator() * Scalar::from(3)).to_affine());
        let none = Point::default();
        let mut sums = [none, none, one, one, one, two];
        Batch::default().add(&mut sums, &[none, one, none, one, one.with_sign(true), one]);
        assert!(sums == [none, one, one, two, none, three]);
    }
}
