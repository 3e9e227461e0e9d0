//! G1 and G2 seen alike: affine points by their coordinates.

use std::iter::Sum;

use blst::{blst_fp, blst_fp2};
use blstrs::{G1Affine, G2Affine};
use group::prime::PrimeCurveAffine;

use super::coordinate::Coordinate;
use super::Fr;

/// An affine point as blst holds it; (0, 0), which is on neither curve, stands for infinity.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct Point<F> {
    pub x: F,
    pub y: F,
}

impl<F: Coordinate> Point<F> {
    #[inline(always)]
    pub fn is_identity(&self) -> bool {
        self.x.is_zero() && self.y.is_zero()
    }

    /// The opposite point if `negative`; without a branch, since signs are as good as random.
    #[inline(always)]
    pub fn with_sign(&self, negative: bool) -> Self {
        Self {
            x: self.x,
            y: F::select(&self.y, &self.y.neg(), negative),
        }
    }
}

impl From<G1Affine> for Point<blst_fp> {
    fn from(point: G1Affine) -> Self {
        point.point()
    }
}

impl From<G2Affine> for Point<blst_fp2> {
    fn from(point: G2Affine) -> Self {
        point.point()
    }
}

/// One of the two groups, by its affine points.
pub trait Group: PrimeCurveAffine<Scalar = Fr, Curve: Sum> {
    type Field: Coordinate;

    fn point(&self) -> Point<Self::Field>;
    fn from_point(point: &Point<Self::Field>) -> Self;
}

impl Group for G1Affine {
    type Field = blst_fp;

    #[inline(always)]
    fn point(&self) -> Point<blst_fp> {
        let raw = self.as_ref();
        Point { x: raw.x, y: raw.y }
    }

    fn from_point(point: &Point<blst_fp>) -> Self {
        let mut affine = Self::identity();
        affine.as_mut().x = point.x;
        affine.as_mut().y = point.y;
        affine
    }
}

impl Group for G2Affine {
    type Field = blst_fp2;

    #[inline(always)]
    fn point(&self) -> Point<blst_fp2> {
        let raw = self.as_ref();
        Point { x: raw.x, y: raw.y }
    }

    fn from_point(point: &Point<blst_fp2>) -> Self {
        let mut affine = Self::identity();
        affine.as_mut().x = point.x;
        affine.as_mut().y = point.y;
        affine
    }
}
