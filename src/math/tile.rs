//! A tile: as many points as fit a core's second-level cache, sorted into runs of one bucket each, and added up by
//! affine additions that share one inversion a level.
//!
//! An affine addition costs 5 products and a square, against 8 and 5 for a mixed one; the inversion is paid once for
//! all pairs of a level.

use std::mem::size_of;

use group::Group as _;

use super::coordinate::Coordinate;
use super::curve::{Group, Point};
use crate::error::{Error, Result};

/// What a tile's points may take.
const TILE_BYTES: usize = 384 * 1024;

/// Under this many pairs an inversion costs more than it saves.
const FEWEST_PAIRS: usize = 20;

struct Run {
    bucket: u32,
    len: usize,
}

pub struct Tile<G: Group> {
    /// The runs' points one after the other; those before `first` are spent.
    points: Vec<Point<G::Field>>,
    first: usize,
    runs: Vec<Run>,
    denominators: Vec<G::Field>,
    products: Vec<G::Field>,
}

impl<G: Group> Tile<G> {
    pub const CAPACITY: usize = TILE_BYTES / size_of::<Point<G::Field>>();

    pub fn new() -> Result<Self> {
        Ok(Self {
            points: reserved(Self::CAPACITY)?,
            first: 0,
            runs: reserved(Self::CAPACITY)?,
            denominators: reserved(Self::CAPACITY / 2)?,
            products: reserved(Self::CAPACITY / 2)?,
        })
    }

    pub fn is_full(&self) -> bool {
        self.points.len() == Self::CAPACITY
    }

    pub fn clear(&mut self) {
        self.points.clear();
        self.runs.clear();
        self.first = 0;
    }

    /// Adds a point to a bucket. Buckets come in ascending order.
    #[inline(always)]
    pub fn push(&mut self, bucket: u32, point: Point<G::Field>) {
        self.points.push(point);
        match self.runs.last_mut() {
            Some(run) if run.bucket == bucket => run.len += 1,
            _ => self.runs.push(Run { bucket, len: 1 }),
        }
    }

    /// The sum of all points, each times its bucket's number.
    pub fn weighted_sum(&mut self) -> G::Curve {
        self.reduce();
        let mut sum = G::Curve::identity();
        let mut running = G::Curve::identity();
        let mut end = self.points.len();
        let mut previous = 0;
        for run in self.runs.iter().rev() {
            sum += times::<G>(running, previous - run.bucket.min(previous));
            previous = run.bucket;
            for point in &self.points[end - run.len..end] {
                running += G::from_point(point);
            }
            end -= run.len;
        }
        sum + times::<G>(running, previous)
    }

    /// The sum of all points.
    pub fn plain_sum(&mut self) -> G::Curve {
        self.reduce();
        let mut sum = G::Curve::identity();
        for point in &self.points[self.first..] {
            sum += G::from_point(point);
        }
        sum
    }

    /// Adds neighbours in each run until few are left.
    fn reduce(&mut self) {
        loop {
            let pairs: usize = self.runs.iter().map(|run| run.len / 2).sum();
            if pairs < FEWEST_PAIRS {
                return;
            }
            self.invert_denominators(pairs);
            self.add_pairs(pairs);
        }
    }

    /// Fills `denominators`, and `products` with the products of all before; then turns the last product, which no
    /// pair needs, into the inverse of all.
    fn invert_denominators(&mut self, pairs: usize) {
        self.denominators.clear();
        self.products.clear();
        let mut product = G::Field::ONE;
        let mut start = self.first;
        for run in &self.runs {
            for pair in self.points[start..start + run.len].chunks_exact(2) {
                let denominator = denominator(&pair[0], &pair[1]);
                self.products.push(product);
                product = product.mul(&denominator);
                self.denominators.push(denominator);
            }
            start += run.len;
        }
        debug_assert_eq!(self.denominators.len(), pairs);
        self.products.push(product.inverse());
    }

    /// Goes through the pairs from the last to the first and packs the sums at the end of the points.
    fn add_pairs(&mut self, pairs: usize) {
        let mut inverse = self.products[pairs];
        let mut pair = pairs;
        let mut end = self.points.len();
        let mut into = end;
        for run in self.runs.iter_mut().rev() {
            let start = end - run.len;
            if run.len % 2 == 1 {
                into -= 1;
                self.points[into] = self.points[end - 1];
            }
            for left in (start..start + run.len / 2 * 2).step_by(2).rev() {
                pair -= 1;
                let one = inverse.mul(&self.products[pair]);
                inverse = inverse.mul(&self.denominators[pair]);
                into -= 1;
                self.points[into] = add(&self.points[left], &self.points[left + 1], &one);
            }
            run.len = run.len.div_ceil(2);
            end = start;
        }
        self.first = into;
    }
}

fn reserved<T>(len: usize) -> Result<Vec<T>> {
    let mut vec = Vec::new();
    let bytes = len * size_of::<T>();
    vec.try_reserve_exact(len).map_err(|_| Error::OutOfMemory {
        bytes,
        purpose: "a tile of points",
    })?;
    Ok(vec)
}

/// What the slope of the line through two points is divided by; one where the sum needs no slope.
#[inline(always)]
fn denominator<F: Coordinate>(p: &Point<F>, q: &Point<F>) -> F {
    let difference = q.x.sub(&p.x);
    if difference.is_zero() {
        return if p.y == q.y && !p.y.is_zero() {
            p.y.add(&p.y)
        } else {
            F::ONE
        };
    }
    if p.is_identity() || q.is_identity() {
        return F::ONE;
    }
    difference
}

/// `p + q`, with the inverse of their `denominator`.
#[inline(always)]
fn add<F: Coordinate>(p: &Point<F>, q: &Point<F>, inverse: &F) -> Point<F> {
    let slope = if p.x == q.x {
        if p.y != q.y || p.y.is_zero() {
            // Opposite points, or infinity twice.
            return Point::default();
        }
        let square = p.x.square();
        square.add(&square).add(&square).mul(inverse)
    } else if p.is_identity() {
        return *q;
    } else if q.is_identity() {
        return *p;
    } else {
        q.y.sub(&p.y).mul(inverse)
    };
    let x = slope.square().sub(&p.x).sub(&q.x);
    let y = slope.mul(&p.x.sub(&x)).sub(&p.y);
    Point { x, y }
}

/// `point` times a small number.
fn times<G: Group>(point: G::Curve, factor: u32) -> G::Curve {
    let mut sum = G::Curve::identity();
    for bit in (0..32 - factor.leading_zeros()).rev() {
        sum = sum.double();
        if factor >> bit & 1 == 1 {
            sum += point;
        }
    }
    sum
}
