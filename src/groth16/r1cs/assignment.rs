//! The values of all variables. Auxiliary ones are mostly bits, so they are kept as two planes of bits (is it one, is it
//! neither zero nor one) and the full-width values in order. An MSM wants precisely this split.

use ff::Field;

use super::bits::{reserve, Bits};
use super::Fr;
use crate::error::{Error, Result};

/// One bound for each kind of variable, so that a column and its kind fit 32 bits.
pub(super) const MAX_VARIABLES: usize = (1 << 31) - 1;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    /// `inputs[0]` is one.
    pub inputs: Vec<Fr>,
    pub aux: AuxAssignment,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuxAssignment {
    ones: Bits,
    others: Bits,
    /// For each word of `others`: how many values the words before it have.
    ranks: Vec<u32>,
    values: Vec<Fr>,
}

/// What a variable holds.
pub(super) enum Class {
    Zero,
    One,
    Other(Fr),
}

impl AuxAssignment {
    pub fn len(&self) -> usize {
        self.ones.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ones.is_empty()
    }

    /// The value of variable `index`.
    #[inline]
    pub fn get(&self, index: usize) -> Fr {
        match self.class(index) {
            Class::Zero => Fr::ZERO,
            Class::One => Fr::ONE,
            Class::Other(value) => value,
        }
    }

    #[inline]
    pub(super) fn class(&self, index: usize) -> Class {
        if self.ones.get(index) {
            Class::One
        } else if self.others.get(index) {
            Class::Other(self.values[self.rank(index)])
        } else {
            Class::Zero
        }
    }

    /// Bit `i % 64` of word `i / 64` says whether variable `i` is one. Bits past the length are zero.
    pub fn ones(&self) -> &[u64] {
        self.ones.words()
    }

    /// Likewise: is variable `i` neither zero nor one?
    pub fn others(&self) -> &[u64] {
        self.others.words()
    }

    /// The values that are neither zero nor one, in the order of their variables.
    pub fn values(&self) -> &[Fr] {
        &self.values
    }

    /// How many of [`AuxAssignment::values`] belong to variables before `index`.
    #[inline]
    pub fn rank(&self, index: usize) -> usize {
        let (word, below) = (index / 64, (1u64 << (index % 64)) - 1);
        self.ranks[word] as usize + (self.others.words()[word] & below).count_ones() as usize
    }

    #[inline]
    pub fn push(&mut self, value: Fr) -> Result<()> {
        if self.len() % 64 == 0 {
            self.check_room(1)?;
            reserve(&mut self.ranks, 1)?;
            self.ranks.push(self.values.len() as u32);
        }
        let is_one = value == Fr::ONE;
        let is_other = !is_one && value != Fr::ZERO;
        if is_other {
            reserve(&mut self.values, 1)?;
            self.values.push(value);
        }
        self.ones.push(is_one)?;
        self.others.push(is_other)
    }

    pub fn append(&mut self, other: &Self) -> Result<()> {
        self.check_room(other.len())?;
        let first_new = self.others.words().len();
        self.ones.append(&other.ones)?;
        self.others.append(&other.others)?;
        reserve(&mut self.values, other.values.len())?;
        self.values.extend_from_slice(&other.values);

        let words = self.others.words();
        reserve(&mut self.ranks, words.len() - first_new)?;
        for index in first_new..words.len() {
            let before = index
                .checked_sub(1)
                .map_or(0, |last| self.ranks[last] + words[last].count_ones());
            self.ranks.push(before);
        }
        Ok(())
    }

    fn check_room(&self, additional: usize) -> Result<()> {
        if self.len() + additional > MAX_VARIABLES {
            return Err(too_many_variables());
        }
        Ok(())
    }
}

pub(super) fn too_many_variables() -> Error {
    Error::message(format!(
        "a circuit may have at most {MAX_VARIABLES} variables of a kind"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(len: u64, seed: u64) -> Vec<Fr> {
        let value = |index: u64| match (index * 7 + seed) % 5 {
            0 | 1 => Fr::ZERO,
            2 => Fr::ONE,
            3 => -Fr::ONE,
            _ => Fr::from(index + 2),
        };
        (0..len).map(value).collect()
    }

    fn compress(values: &[Fr]) -> AuxAssignment {
        let mut aux = AuxAssignment::default();
        values.iter().for_each(|value| aux.push(*value).unwrap());
        aux
    }

    fn check(aux: &AuxAssignment, values: &[Fr]) {
        assert_eq!(aux.len(), values.len());
        for (index, value) in values.iter().enumerate() {
            assert_eq!(aux.get(index), *value, "{index} of {}", values.len());
        }
        let others = values.iter().filter(|value| **value != Fr::ZERO && **value != Fr::ONE);
        assert!(others.eq(aux.values()));
    }

    #[test]
    fn compression_keeps_every_value() {
        for len in [0, 1, 2, 63, 64, 65, 128, 1000] {
            let values = sample(len, 3);
            check(&compress(&values), &values);
        }
        check(&compress(&[Fr::ZERO; 130]), &[Fr::ZERO; 130]);
        check(&compress(&[Fr::from(9); 130]), &[Fr::from(9); 130]);
    }

    #[test]
    fn append_is_concatenation() {
        for head in [0, 1, 63, 64, 100] {
            for tail in [0, 1, 63, 64, 65, 300] {
                let (front, back) = (sample(head, 0), sample(tail, 1));
                let mut aux = compress(&front);
                aux.append(&compress(&back)).unwrap();
                check(&aux, &[front, back].concat());
                // A value pushed after an append lands behind it.
                aux.push(Fr::from(77)).unwrap();
                assert_eq!(aux.get(aux.len() - 1), Fr::from(77));
            }
        }
    }
}
