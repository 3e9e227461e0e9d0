//! Rank-1 constraint systems: `(A w) * (B w) = C w`, row by row, for an assignment `w` of inputs and auxiliary variables.
//!
//! Proving takes a circuit apart into two jobs. The *witness* ([`synthesize`]) differs for each proof and is kept in
//! compressed form ([`Assignment`]). The *matrices* are the same for each proof of a kind: they are recorded once and then
//! only evaluated ([`Evaluate`]), in parallel. [`Direct`] is the plain recording: large, obvious, and the judge of others.

mod anchors;
mod assignment;
mod bits;
mod cache;
mod compare;
mod cursor;
mod density;
mod direct;
mod evaluate;
mod file;
mod record;
mod rows;
#[cfg(test)]
pub(crate) mod samples;
mod store;
mod template;
#[cfg(test)]
mod tests;
mod witness;

use rayon::ThreadPool;

use crate::error::{Error, Result};

pub use assignment::{Assignment, AuxAssignment};
pub use bits::Bits;
pub use cache::Recording;
pub use density::Densities;
pub use direct::Direct;
pub use record::{record, record_known};
pub use template::{Summary, Template};
pub use witness::synthesize;

/// The scalar field; in Montgomery form in memory, 32 bytes.
pub type Fr = blstrs::Scalar;

/// The recorded matrices of one circuit, with the rows `input_i * 0 = 0` that follow the circuit's own.
pub trait Evaluate: Send + Sync {
    fn rows(&self) -> usize;

    /// Which variables have a base in the queries `a`, `b_g1` and `b_g2`.
    fn densities(&self) -> &Densities;

    /// Writes A w, B w and C w; each slice has [`Evaluate::rows`] places. The work is done on `pool`.
    fn evaluate(
        &self,
        assignment: &Assignment,
        a: &mut [Fr],
        b: &mut [Fr],
        c: &mut [Fr],
        pool: &ThreadPool,
    ) -> Result<()>;
}

/// How many variables and rows there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub inputs: usize,
    pub aux: usize,
    pub rows: usize,
}

impl Counts {
    /// An error unless an evaluation over these counts fits the assignment and the slices.
    fn check(&self, assignment: &Assignment, slices: [&[Fr]; 3]) -> Result<()> {
        let (inputs, aux) = (assignment.inputs.len(), assignment.aux.len());
        if (inputs, aux) != (self.inputs, self.aux) {
            return Err(Error::message(format!(
                "the assignment has {inputs} inputs and {aux} auxiliary variables, but the recorded circuit has {} and \
                 {}: it belongs to another circuit",
                self.inputs, self.aux
            )));
        }
        if let Some(slice) = slices.iter().find(|slice| slice.len() != self.rows) {
            return Err(Error::message(format!(
                "a buffer for {} rows was given for a circuit of {}",
                slice.len(),
                self.rows
            )));
        }
        Ok(())
    }
}
