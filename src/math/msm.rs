//! Multi-scalar multiplication: buckets of signed digits, filled by affine additions with shared inversions.
//!
//! A window of digits is one task: its terms are sorted by bucket, cut into tiles without regard to the buckets'
//! borders, and each tile yields the sum of its points times their buckets. So no two tasks share a bucket, and a
//! bucket with many points (equal scalars) is as good as many with few.

use std::mem::size_of;

use group::Group as _;
use rayon::prelude::*;

use super::curve::{Group, Point};
use super::limbs::prefetch;
use super::scalar::{SignedScalar, SIGNED_BITS};
use super::tile::Tile;
use crate::error::{Error, Result};

/// Terms that are sorted at once: it bounds what a task allocates.
const MOST_TERMS: usize = 1 << 22;

/// The digits' sizes that are considered; 2^(largest - 1) buckets bound what a task allocates.
const DIGIT_BITS: std::ops::RangeInclusive<usize> = 3..=18;

/// Cost of an affine addition with its share of an inversion, and of taking a bucket into the sum, in products.
const ADD_COST: usize = 7;
const BUCKET_COST: usize = 28;

/// How many points ahead of their use are asked for: about what a trip to memory takes.
const PREFETCH_AHEAD: usize = 16;

const NEGATIVE: u32 = 1 << 31;

/// Which points go with which scalars.
#[derive(Clone, Copy)]
pub enum Pairing<'a> {
    /// The first point with the first scalar, and so on.
    InOrder,
    /// (point, scalar) by index.
    Picked(&'a [(u32, u32)]),
}

/// The sum of the paired points, each times its scalar.
pub fn msm<G: Group>(points: &[G], scalars: &[SignedScalar], pairing: Pairing) -> Result<G::Curve> {
    let len = match pairing {
        Pairing::InOrder => points.len().min(scalars.len()),
        Pairing::Picked(pairs) => pairs.len(),
    };
    if len == 0 {
        return Ok(G::Curve::identity());
    }
    if points.len() >= NEGATIVE as usize {
        return Err(Error::message(format!(
            "{} points: more than a multi-scalar multiplication takes",
            points.len()
        )));
    }
    let terms = Terms {
        points,
        scalars,
        pairing,
    };
    let chunks = len.div_ceil(MOST_TERMS);
    let bits = digit_bits(len.div_ceil(chunks));
    let windows = SIGNED_BITS.div_ceil(bits);
    let sums = (0..windows * chunks)
        .into_par_iter()
        .map(|task| {
            let (window, chunk) = (task / chunks, task % chunks);
            let range = len * chunk / chunks..len * (chunk + 1) / chunks;
            window_sum(&terms, range, window * bits, bits)
        })
        .collect::<Result<Vec<_>>>()?;
    let mut total = G::Curve::identity();
    for sums in sums.chunks(chunks).rev() {
        for _ in 0..bits {
            total = total.double();
        }
        total += sums.iter().copied().sum::<G::Curve>();
    }
    Ok(total)
}

/// The digit size that needs the fewest products for so many terms.
fn digit_bits(terms: usize) -> usize {
    let cost = |bits: &usize| {
        let buckets = terms.min(1 << (bits - 1));
        SIGNED_BITS.div_ceil(*bits) * (terms * ADD_COST + buckets * BUCKET_COST)
    };
    DIGIT_BITS.min_by_key(cost).unwrap_or(*DIGIT_BITS.start())
}

struct Terms<'a, G> {
    points: &'a [G],
    scalars: &'a [SignedScalar],
    pairing: Pairing<'a>,
}

impl<G: Group> Terms<'_, G> {
    #[inline(always)]
    fn indices(&self, term: usize) -> (u32, usize) {
        match self.pairing {
            Pairing::InOrder => (term as u32, term),
            Pairing::Picked(pairs) => (pairs[term].0, pairs[term].1 as usize),
        }
    }

    #[inline(always)]
    fn signed_point(&self, entry: u32) -> Point<G::Field> {
        let point = self.points[(entry & !NEGATIVE) as usize].point();
        point.with_sign(entry & NEGATIVE != 0)
    }
}

/// The sum of the terms' points times one digit of their scalars.
fn window_sum<G: Group>(terms: &Terms<G>, range: std::ops::Range<usize>, low: usize, bits: usize) -> Result<G::Curve> {
    let sorted = sort(terms, range, low, bits)?;
    sorted
        .entries
        .par_chunks(Tile::<G>::CAPACITY)
        .enumerate()
        .map_init(Tile::<G>::new, |tile, (index, entries)| {
            let tile = usable(tile)?;
            tile.clear();
            let mut ahead = entries.iter().skip(PREFETCH_AHEAD);
            sorted.for_each_bucket(index * Tile::<G>::CAPACITY, entries, |bucket, entries| {
                for entry in entries {
                    if let Some(ahead) = ahead.next() {
                        prefetch(&terms.points[(*ahead & !NEGATIVE) as usize]);
                    }
                    tile.push(bucket, terms.signed_point(*entry));
                }
            });
            Ok(tile.weighted_sum())
        })
        .try_reduce(G::Curve::identity, |a, b| Ok(a + b))
}

/// Terms sorted by the magnitude of their digit; those with digit 0 are left out.
struct Sorted {
    /// A point's index, and the digit's sign.
    entries: Vec<u32>,
    /// Where the entries of bucket b, counted from 1, end: `ends[b]`.
    ends: Vec<u32>,
}

fn sort<G: Group>(terms: &Terms<G>, range: std::ops::Range<usize>, low: usize, bits: usize) -> Result<Sorted> {
    let mut digits = zeroed::<i32>(range.len())?;
    let mut ends = zeroed::<u32>((1 << (bits - 1)) + 2)?;
    // Counted one place up, so that the sums over the counts are the buckets' starts, which become their ends below.
    for (digit, term) in digits.iter_mut().zip(range.clone()) {
        *digit = terms.scalars[terms.indices(term).1].digit(low, bits);
        ends[digit.unsigned_abs() as usize + 1] += 1;
    }
    let zeros = std::mem::take(&mut ends[1]);
    let mut sum = 0;
    for end in &mut ends {
        sum += *end;
        *end = sum;
    }
    let mut entries = zeroed::<u32>(range.len() - zeros as usize)?;
    for (digit, term) in digits.iter().zip(range) {
        if *digit != 0 {
            let place = &mut ends[digit.unsigned_abs() as usize];
            entries[*place as usize] = terms.indices(term).0 | if *digit < 0 { NEGATIVE } else { 0 };
            *place += 1;
        }
    }
    Ok(Sorted { entries, ends })
}

impl Sorted {
    /// Calls `each` with the buckets, and their entries, that entries from place `start` on belong to.
    fn for_each_bucket(&self, start: usize, entries: &[u32], mut each: impl FnMut(u32, &[u32])) {
        let mut bucket = self.ends.partition_point(|end| *end as usize <= start);
        let mut done = 0;
        while done < entries.len() {
            let end = (self.ends[bucket] as usize - start).min(entries.len());
            if end > done {
                each(bucket as u32, &entries[done..end]);
                done = end;
            }
            bucket += 1;
        }
    }
}

fn zeroed<T: Clone + Default>(len: usize) -> Result<Vec<T>> {
    let mut vec = Vec::new();
    let bytes = len * size_of::<T>();
    vec.try_reserve_exact(len).map_err(|_| Error::OutOfMemory {
        bytes,
        purpose: "the digits of scalars",
    })?;
    vec.resize(len, T::default());
    Ok(vec)
}

/// Words of a bit plane that are one task of a sum.
const SUM_WORDS: usize = 256;

/// The sum of the points of the variables that `selected` names. `density` says which variables have a point; their
/// points stand in `points` without gaps.
pub fn sum_selected<G: Group>(points: &[G], selected: &[u64], density: &[u64]) -> Result<G::Curve> {
    let mut starts = Vec::with_capacity(density.len().div_ceil(SUM_WORDS));
    let mut count = 0;
    for words in density.chunks(SUM_WORDS) {
        starts.push(count);
        count += words.iter().map(|word| word.count_ones() as usize).sum::<usize>();
    }
    if count > points.len() || selected.len() != density.len() {
        return Err(Error::message(format!("{} points for {count} variables", points.len())));
    }
    selected
        .par_chunks(SUM_WORDS)
        .zip(density.par_chunks(SUM_WORDS))
        .zip(starts.par_iter())
        .map_init(Tile::<G>::new, |tile, ((selected, density), start)| {
            Ok(words_sum(usable(tile)?, &points[*start..], selected, density))
        })
        .try_reduce(G::Curve::identity, |a, b| Ok(a + b))
}

fn words_sum<G: Group>(tile: &mut Tile<G>, points: &[G], selected: &[u64], density: &[u64]) -> G::Curve {
    let mut sum = G::Curve::identity();
    tile.clear();
    for_each_selected(selected, density, |point, _| {
        if tile.is_full() {
            sum += tile.plain_sum();
            tile.clear();
        }
        tile.push(0, points[point].point());
    });
    sum + tile.plain_sum()
}

/// The pairs of point and scalar for the variables that `selected` names. Both the points of the variables in `density`
/// and the scalars of those in `selected` stand without gaps.
pub fn pairs(selected: &[u64], density: &[u64]) -> Result<Vec<(u32, u32)>> {
    let len = selected
        .iter()
        .zip(density)
        .map(|(selected, density)| (selected & density).count_ones() as usize)
        .sum();
    let mut pairs = Vec::new();
    let bytes = len * size_of::<(u32, u32)>();
    pairs.try_reserve_exact(len).map_err(|_| Error::OutOfMemory {
        bytes,
        purpose: "pairs of point and scalar",
    })?;
    for_each_selected(selected, density, |point, scalar| {
        pairs.push((point as u32, scalar as u32))
    });
    Ok(pairs)
}

/// Calls `each` with the ranks, among those in `density` and among those in `selected`, of the variables in both.
#[inline(always)]
fn for_each_selected(selected: &[u64], density: &[u64], mut each: impl FnMut(usize, usize)) {
    let (mut dense_before, mut selected_before) = (0, 0);
    for (selected, density) in selected.iter().zip(density) {
        let mut left = selected & density;
        while left != 0 {
            let below = (left & left.wrapping_neg()) - 1;
            let rank = |word: &u64| (word & below).count_ones() as usize;
            each(dense_before + rank(density), selected_before + rank(selected));
            left &= left - 1;
        }
        dense_before += density.count_ones() as usize;
        selected_before += selected.count_ones() as usize;
    }
}

/// A worker's tile, if there was memory for it.
fn usable<G: Group>(tile: &mut Result<Tile<G>>) -> Result<&mut Tile<G>> {
    tile.as_mut().map_err(|_| Error::OutOfMemory {
        bytes: Tile::<G>::CAPACITY * size_of::<G>(),
        purpose: "a tile of points",
    })
}
