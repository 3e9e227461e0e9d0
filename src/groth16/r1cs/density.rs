//! Which variables a query has bases for. A variable counts when some row names it with a coefficient that is not zero;
//! inputs are all in A, since each has a row of its own there, and C has no query.

use super::bits::Bits;
use super::rows::Column;
use crate::error::Result;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Densities {
    pub a_aux: Bits,
    pub b_input: Bits,
    pub b_aux: Bits,
}

impl Densities {
    /// Makes room for the variables that exist so far.
    pub(super) fn grow(&mut self, inputs: usize, aux: usize) -> Result<()> {
        for bits in [&mut self.a_aux, &mut self.b_aux] {
            bits.extend_zeros(aux - bits.len())?;
        }
        self.b_input.extend_zeros(inputs - self.b_input.len())
    }

    /// A row has this variable in its A part.
    #[inline]
    pub(super) fn count_a(&mut self, column: Column) {
        if let Column::Aux(index) = column {
            self.a_aux.set(index);
        }
    }

    #[inline]
    pub(super) fn count_b(&mut self, column: Column) {
        match column {
            Column::Input(index) => self.b_input.set(index),
            Column::Aux(index) => self.b_aux.set(index),
        }
    }
}
