//! Evaluation of a template: parallel over the rows of the circuit, each read from where the template has it.
//!
//! Nearly all variables are bits and nearly all coefficients small integers, so a row is summed up in machine integers, and
//! field arithmetic is left for what remains.

use std::ops::Range;

use rayon::prelude::*;
use rayon::ThreadPool;

use super::rows::Column;
use super::template::{visit, Shifts, Template};
use super::{Assignment, Densities, Evaluate, Fr};
use crate::error::Result;

/// Rows that one task evaluates.
const CHUNK: usize = 1 << 12;
/// Sums up to this have their field element at hand.
const AT_HAND: i64 = 512;
/// Stands for a coefficient that is no small integer.
const LARGE: i32 = i32::MIN;

/// The dictionary as integers, and integers as field elements.
struct Integers {
    of_number: Vec<i32>,
    elements: Vec<Fr>,
}

impl Integers {
    fn new(dictionary: &[Fr]) -> Self {
        Self {
            of_number: dictionary.iter().map(small).collect(),
            elements: (-AT_HAND..=AT_HAND).map(element).collect(),
        }
    }

    #[inline]
    fn element(&self, integer: i64) -> Fr {
        match self.elements.get((integer + AT_HAND) as usize) {
            Some(element) => *element,
            None => element(integer),
        }
    }
}

fn small(coefficient: &Fr) -> i32 {
    let positive = |value: &Fr| {
        let bytes = value.to_bytes_le();
        let low = i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        (low >= 0 && bytes[4..].iter().all(|byte| *byte == 0)).then_some(low)
    };
    positive(coefficient).unwrap_or_else(|| positive(&-coefficient).map_or(LARGE, |value| -value))
}

fn element(integer: i64) -> Fr {
    let magnitude = Fr::from(integer.unsigned_abs());
    if integer < 0 {
        -magnitude
    } else {
        magnitude
    }
}

struct Evaluation<'a> {
    template: &'a Template,
    integers: Integers,
    inputs: &'a [Fr],
    assignment: &'a Assignment,
    ones: &'a [u64],
    others: &'a [u64],
}

impl Evaluation<'_> {
    fn part(&self, terms: Range<usize>, shifts: &Shifts) -> Fr {
        let store = &self.template.store;
        let (mut whole, mut sum) = (0i64, None);
        let mut add = |value: Fr| sum = Some(sum.map_or(value, |sum: Fr| sum + value));
        let columns = store.columns[terms.clone()].iter();
        let numbers = store.coefficients[terms.clone()].iter();
        for (term, (column, number)) in terms.zip(columns.zip(numbers)) {
            let integer = self.integers.of_number.get(usize::from(*number));
            let integer = integer.copied().unwrap_or(LARGE);
            match Column::unpack(shifts.apply(*column)) {
                Column::Input(0) if integer != LARGE => whole += i64::from(integer),
                Column::Input(index) => add(store.coefficient(term) * self.inputs[index]),
                Column::Aux(index) => {
                    let (word, bit) = (index / 64, index % 64);
                    let is_one = self.ones[word] >> bit & 1;
                    if self.others[word] >> bit & 1 == 1 {
                        let value = self.assignment.aux.values()[self.assignment.aux.rank(index)];
                        add(store.coefficient(term) * value);
                    } else if integer != LARGE {
                        // No branch on the bit: nobody could predict it.
                        whole += i64::from(integer) & -(is_one as i64);
                    } else if is_one == 1 {
                        add(store.coefficient(term));
                    }
                }
            }
        }
        match sum {
            None => self.integers.element(whole),
            Some(sum) if whole == 0 => sum,
            Some(sum) => sum + self.integers.element(whole),
        }
    }

    fn chunk(&self, first: usize, [a, b, c]: [&mut [Fr]; 3]) {
        let rows = first..first + a.len();
        let store = &self.template.store;
        let mut places = a.iter_mut().zip(b).zip(c);
        visit(&self.template.segments, rows, |rows, shifts| {
            let mut term = store.start(rows.start);
            for (row, ((a, b), c)) in rows.zip(&mut places) {
                [*a, *b, *c] = store.shape(row).map(|len| {
                    let terms = term..term + len as usize;
                    term = terms.end;
                    self.part(terms, shifts)
                });
            }
        });
    }
}

impl Evaluate for Template {
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
        let evaluation = Evaluation {
            template: self,
            integers: Integers::new(&self.store.dictionary),
            inputs: &assignment.inputs,
            assignment,
            ones: assignment.aux.ones(),
            others: assignment.aux.others(),
        };
        let chunks = a
            .par_chunks_mut(CHUNK)
            .zip(b.par_chunks_mut(CHUNK))
            .zip(c.par_chunks_mut(CHUNK));
        let chunks = chunks.enumerate();
        pool.install(|| {
            chunks.for_each(|(chunk, ((a, b), c))| evaluation.chunk(chunk * CHUNK, [a, b, c]));
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ff::Field;

    #[test]
    fn integers_and_elements_match() {
        let large = Fr::from(1 << 31);
        let dictionary = [
            Fr::ONE,
            -Fr::ONE,
            Fr::from(i32::MAX as u64),
            large,
            -large,
            Fr::from(77).invert().unwrap(),
        ];
        let integers = Integers::new(&dictionary);
        assert_eq!(integers.of_number, [1, -1, i32::MAX, LARGE, LARGE, LARGE]);
        for integer in [
            0,
            1,
            -1,
            AT_HAND,
            -AT_HAND,
            AT_HAND + 1,
            -AT_HAND - 1,
            1 << 40,
            -(1 << 40),
        ] {
            let direct = if integer < 0 {
                -Fr::from(-integer as u64)
            } else {
                Fr::from(integer as u64)
            };
            assert_eq!(integers.element(integer), direct, "{integer}");
        }
    }
}
