//! A template against the circuit that it stands for: each row's terms, each row's evaluation by definition, the densities.

use std::ops::ControlFlow;

use bellperson::Circuit;

use super::cursor::Cursor;
use super::direct::value;
use super::rows::{stream, Row, Sink};
use super::template::{Place, Template};
use super::{Assignment, Counts, Densities, Fr};
use crate::error::{Error, Result};

impl Template {
    /// Streams the circuit (a blank one will do) and compares each row with the template's, and its value for `assignment`
    /// with what was evaluated. An error names the first row that differs.
    pub fn compare<C: Circuit<Fr>>(&self, circuit: C, assignment: &Assignment, evaluated: [&[Fr]; 3]) -> Result<()> {
        self.counts.check(assignment, evaluated)?;
        let mut densities = Densities::default();
        densities.grow(self.counts.inputs, self.counts.aux)?;
        let mut comparison = Comparison {
            template: self,
            cursor: Cursor::default(),
            assignment,
            evaluated,
            densities,
        };
        let counts = stream(circuit, &mut comparison)?.unwrap_or_default();
        if counts != self.counts {
            return Err(differs(format!(
                "it has {counts:?} where {:?} were recorded",
                self.counts
            )));
        }
        if comparison.densities != self.densities {
            return Err(differs("its densities are not the recorded ones".to_owned()));
        }
        Ok(())
    }
}

struct Comparison<'a> {
    template: &'a Template,
    cursor: Cursor,
    assignment: &'a Assignment,
    evaluated: [&'a [Fr]; 3],
    densities: Densities,
}

impl Comparison<'_> {
    fn terms_are_equal(&mut self, number: usize, row: &Row) -> bool {
        let Place { stored, shifts, .. } = self.cursor.seek(self.template, number);
        let store = &self.template.store;
        let terms = row.columns.iter().zip(&row.coefficients);
        store.shape(stored) == row.shape()
            && (self.cursor.term()..).zip(terms).all(|(term, (column, coefficient))| {
                shifts.apply(store.columns[term]) == *column && store.coefficient(term) == *coefficient
            })
    }
}

impl Sink for Comparison<'_> {
    fn row(&mut self, row: &Row, counts: Counts) -> Result<ControlFlow<()>> {
        let known = self.template.counts;
        let number = counts.rows;
        if counts.inputs > known.inputs || counts.aux > known.aux || number >= known.rows {
            return Err(differs(format!("it is larger than the recorded {known:?}")));
        }
        if !self.terms_are_equal(number, row) {
            return Err(differs(format!("row {number} has other terms")));
        }
        for (part, evaluated) in self.evaluated.iter().enumerate() {
            let terms = row.part(part);
            let terms = terms.map(|term| row.coefficients[term] * value(self.assignment, row.columns[term]));
            if terms.sum::<Fr>() != evaluated[number] {
                return Err(differs(format!("row {number} has another value")));
            }
        }
        row.terms(0).for_each(|(column, _)| self.densities.count_a(column));
        row.terms(1).for_each(|(column, _)| self.densities.count_b(column));
        Ok(ControlFlow::Continue(()))
    }
}

fn differs(what: String) -> Error {
    Error::message(format!("a recording does not agree with its circuit: {what}"))
}
