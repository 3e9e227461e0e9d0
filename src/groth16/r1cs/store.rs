//! Rows in little room: six bytes a non-zero (a 16-bit number for the coefficient, a 32-bit column) and two a row (a 16-bit
//! number for the lengths of its parts). What 16 bits cannot number is kept beside, so that any circuit can be stored.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::ops::Range;

use blst::blst_fr;

use super::bits::reserve;
use super::rows::{mix, Row};
use super::Fr;
use crate::error::Result;

/// The number that says "look beside".
const BESIDE: u16 = u16::MAX;
/// The start of every so-many-th row is remembered.
const MARK: usize = 128;

#[derive(Debug, Default, PartialEq)]
pub(super) struct Store {
    pub dictionary: Vec<Fr>,
    pub shapes: Vec<[u32; 3]>,
    pub row_shapes: Vec<u16>,
    pub coefficients: Vec<u16>,
    pub columns: Vec<u32>,
    /// Coefficients without a number, by term; ascending.
    pub rare_coefficients: Vec<(u64, Fr)>,
    /// Lengths without a number, by row; ascending.
    pub rare_shapes: Vec<(u64, [u32; 3])>,
    /// Where the terms of each [`MARK`]-th row begin.
    pub marks: Vec<u64>,
}

impl Store {
    pub fn rows(&self) -> usize {
        self.row_shapes.len()
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&self.dictionary[..])
            + size_of_val(&self.shapes[..])
            + size_of_val(&self.row_shapes[..])
            + size_of_val(&self.coefficients[..])
            + size_of_val(&self.columns[..])
            + size_of_val(&self.rare_coefficients[..])
            + size_of_val(&self.rare_shapes[..])
            + size_of_val(&self.marks[..])
    }

    /// How long the three parts of a row are.
    #[inline]
    pub fn shape(&self, row: usize) -> [u32; 3] {
        match self.row_shapes[row] {
            BESIDE => beside(&self.rare_shapes, row),
            number => self.shapes[usize::from(number)],
        }
    }

    #[inline]
    pub fn coefficient(&self, term: usize) -> Fr {
        match self.coefficients[term] {
            BESIDE => beside(&self.rare_coefficients, term),
            number => self.dictionary[usize::from(number)],
        }
    }

    /// Where the terms of a row begin.
    pub fn start(&self, row: usize) -> usize {
        let marked = row / MARK * MARK;
        let lengths = (marked..row).map(|row| length(self.shape(row)));
        self.marks[row / MARK] as usize + lengths.sum::<usize>()
    }

    pub fn row(&self, row: usize) -> Row {
        let start = self.start(row);
        let [a, b, c] = self.shape(row).map(|len| len as usize);
        let terms = start..start + a + b + c;
        Row {
            columns: self.columns[terms.clone()].to_vec(),
            coefficients: terms.map(|term| self.coefficient(term)).collect(),
            ends: [a, a + b, a + b + c],
        }
    }

    /// How many terms the rows have, for each part.
    pub fn non_zeros(&self, rows: Range<usize>) -> [usize; 3] {
        rows.fold([0; 3], |mut totals, row| {
            for (total, len) in totals.iter_mut().zip(self.shape(row)) {
                *total += len as usize;
            }
            totals
        })
    }

    pub fn truncate(&mut self, rows: usize) {
        if rows >= self.rows() {
            return;
        }
        let terms = self.start(rows);
        self.row_shapes.truncate(rows);
        self.columns.truncate(terms);
        self.coefficients.truncate(terms);
        self.marks.truncate(rows.div_ceil(MARK));
        self.rare_shapes
            .truncate(self.rare_shapes.partition_point(|(row, _)| (*row as usize) < rows));
        self.rare_coefficients.truncate(
            self.rare_coefficients
                .partition_point(|(term, _)| (*term as usize) < terms),
        );
    }

    /// Recomputes what is not kept on disk; false if the parts do not fit each other.
    pub fn restore_marks(&mut self) -> Result<bool> {
        self.marks.clear();
        let marks = self.rows().div_ceil(MARK);
        reserve(&mut self.marks, marks)?;
        let mut terms = 0;
        for (row, number) in self.row_shapes.iter().enumerate() {
            let known = match *number {
                BESIDE => self
                    .rare_shapes
                    .binary_search_by_key(&(row as u64), |(row, _)| *row)
                    .is_ok(),
                number => usize::from(number) < self.shapes.len(),
            };
            if !known {
                return Ok(false);
            }
            if row % MARK == 0 {
                self.marks.push(terms as u64);
            }
            terms += length(self.shape(row));
        }
        let known = self
            .coefficients
            .iter()
            .enumerate()
            .all(|(term, number)| match *number {
                BESIDE => self
                    .rare_coefficients
                    .binary_search_by_key(&(term as u64), |(term, _)| *term)
                    .is_ok(),
                number => usize::from(number) < self.dictionary.len(),
            });
        Ok(known && terms == self.columns.len() && terms == self.coefficients.len())
    }
}

fn beside<T: Copy>(list: &[(u64, T)], key: usize) -> T {
    let index = list.partition_point(|(at, _)| *at < key as u64);
    list[index].1
}

pub(super) fn length(shape: [u32; 3]) -> usize {
    shape.iter().map(|len| *len as usize).sum()
}

type Numbers<K> = HashMap<K, u16, BuildHasherDefault<Mixer>>;

/// A short hash for keys that nobody chooses to collide.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = mix(self.0 ^ u64::from_le_bytes(word));
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Gives numbers to coefficients and shapes while rows are stored.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    coefficients: Numbers<[u64; 4]>,
    shapes: Numbers<[u32; 3]>,
}

impl Numbering {
    pub fn push(&mut self, row: &Row, store: &mut Store) -> Result<()> {
        reserve(&mut store.row_shapes, 1)?;
        reserve(&mut store.columns, row.columns.len())?;
        reserve(&mut store.coefficients, row.columns.len())?;
        if store.rows() % MARK == 0 {
            reserve(&mut store.marks, 1)?;
            store.marks.push(store.columns.len() as u64);
        }

        let shape = row.shape();
        let number = number(&mut self.shapes, shape, || store.shapes.push(shape));
        if number == BESIDE {
            store.rare_shapes.push((store.rows() as u64, shape));
        }
        store.row_shapes.push(number);

        for coefficient in &row.coefficients {
            let key = blst_fr::from(*coefficient).l;
            let number = self::number(&mut self.coefficients, key, || store.dictionary.push(*coefficient));
            if number == BESIDE {
                store
                    .rare_coefficients
                    .push((store.coefficients.len() as u64, *coefficient));
            }
            store.coefficients.push(number);
        }
        store.columns.extend_from_slice(&row.columns);
        Ok(())
    }
}

/// The number of `key`; a new one gets the next, as long as there are any.
fn number<K: Hash + Eq>(known: &mut Numbers<K>, key: K, add: impl FnOnce()) -> u16 {
    if let Some(number) = known.get(&key) {
        return *number;
    }
    let next = known.len();
    if next >= usize::from(BESIDE) {
        return BESIDE;
    }
    add();
    known.insert(key, next as u16);
    next as u16
}
