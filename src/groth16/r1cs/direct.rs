//! Every row as it came: the reference. 36 bytes a non-zero, so meant for small circuits.

use std::ops::ControlFlow;

use bellperson::Circuit;
use rayon::prelude::*;
use rayon::ThreadPool;

use super::bits::reserve;
use super::rows::{stream, Column, Row, Sink};
use super::{Assignment, Counts, Densities, Evaluate, Fr};
use crate::error::Result;

/// Rows that one task evaluates.
const CHUNK: usize = 1 << 12;

#[derive(Debug, Default)]
pub struct Direct {
    counts: Counts,
    /// Where the three parts of each row end in the terms.
    ends: Vec<[usize; 3]>,
    columns: Vec<u32>,
    coefficients: Vec<Fr>,
    densities: Densities,
}

impl Direct {
    pub fn record<C: Circuit<Fr>>(circuit: C) -> Result<Self> {
        let mut direct = Self::default();
        direct.counts = stream(circuit, &mut direct)?.unwrap_or_default();
        direct.densities.grow(direct.counts.inputs, direct.counts.aux)?;
        Ok(direct)
    }

    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Non-zero coefficients of A, B and C.
    pub fn non_zeros(&self) -> [usize; 3] {
        let mut totals = [0; 3];
        let mut start = 0;
        for ends in &self.ends {
            for (total, end) in totals.iter_mut().zip(ends) {
                *total += end - start;
                start = *end;
            }
        }
        totals
    }

    fn evaluate_row(&self, row: usize, assignment: &Assignment) -> [Fr; 3] {
        let mut start = row.checked_sub(1).map_or(0, |before| self.ends[before][2]);
        self.ends[row].map(|end| {
            let terms = start..end;
            start = end;
            terms
                .map(|term| self.coefficients[term] * value(assignment, self.columns[term]))
                .sum()
        })
    }
}

/// The value of a packed column.
pub(super) fn value(assignment: &Assignment, column: u32) -> Fr {
    match Column::unpack(column) {
        Column::Input(index) => assignment.inputs[index],
        Column::Aux(index) => assignment.aux.get(index),
    }
}

impl Sink for Direct {
    fn row(&mut self, row: &Row, counts: Counts) -> Result<ControlFlow<()>> {
        reserve(&mut self.ends, 1)?;
        reserve(&mut self.columns, row.columns.len())?;
        reserve(&mut self.coefficients, row.columns.len())?;
        let start = self.columns.len();
        self.ends.push(row.ends.map(|end| start + end));
        self.columns.extend_from_slice(&row.columns);
        self.coefficients.extend_from_slice(&row.coefficients);
        self.densities.grow(counts.inputs, counts.aux)?;
        row.terms(0).for_each(|(column, _)| self.densities.count_a(column));
        row.terms(1).for_each(|(column, _)| self.densities.count_b(column));
        Ok(ControlFlow::Continue(()))
    }
}

impl Evaluate for Direct {
    fn rows(&self) -> usize {
        self.counts.rows
    }

    fn densities(&self) -> &Densities {
        &self.densities
    }

    fn evaluate(
        &self,
        assignment: &Assignment,
        a: &mut [Fr],
        b: &mut [Fr],
        c: &mut [Fr],
        pool: &ThreadPool,
    ) -> Result<()> {
        self.counts.check(assignment, [a, b, c])?;
        let chunks = a
            .par_chunks_mut(CHUNK)
            .zip(b.par_chunks_mut(CHUNK))
            .zip(c.par_chunks_mut(CHUNK));
        let chunks = chunks.enumerate();
        pool.install(|| {
            chunks.for_each(|(chunk, ((a, b), c))| {
                for (offset, ((a, b), c)) in a.iter_mut().zip(b).zip(c).enumerate() {
                    [*a, *b, *c] = self.evaluate_row(chunk * CHUNK + offset, assignment);
                }
            });
        });
        Ok(())
    }
}
