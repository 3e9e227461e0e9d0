//! A growing sequence of bits, 64 a word.

use crate::error::{Error, Result};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    /// `len` zeros.
    pub fn zeros(len: usize) -> Result<Self> {
        let mut bits = Self::default();
        bits.extend_zeros(len)?;
        Ok(bits)
    }

    /// Takes words of which those bits that lie past `len` are zero.
    pub fn from_words(words: Vec<u64>, len: usize) -> Result<Self> {
        let tail = words.last().map_or(0, |last| last >> (len % 64));
        if words.len() != len.div_ceil(64) || (len % 64 != 0 && tail != 0) {
            return Err(Error::message(format!("{} words do not hold {len} bits", words.len())));
        }
        Ok(Self { words, len })
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn words(&self) -> &[u64] {
        &self.words
    }

    #[inline]
    pub fn get(&self, index: usize) -> bool {
        assert!(index < self.len, "bit {index} of {}", self.len);
        self.words[index / 64] >> (index % 64) & 1 == 1
    }

    #[inline]
    pub fn set(&mut self, index: usize) {
        assert!(index < self.len, "bit {index} of {}", self.len);
        self.words[index / 64] |= 1 << (index % 64);
    }

    pub fn count_ones(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline]
    pub fn push(&mut self, bit: bool) -> Result<()> {
        let offset = self.len % 64;
        if offset == 0 {
            reserve(&mut self.words, 1)?;
            self.words.push(0);
        }
        let last = self.words.len() - 1;
        self.words[last] |= u64::from(bit) << offset;
        self.len += 1;
        Ok(())
    }

    pub fn extend_zeros(&mut self, count: usize) -> Result<()> {
        let len = self.len + count;
        let words = len.div_ceil(64);
        let additional = words - self.words.len();
        reserve(&mut self.words, additional)?;
        self.words.resize(words, 0);
        self.len = len;
        Ok(())
    }

    pub fn append(&mut self, other: &Self) -> Result<()> {
        let (first, offset) = (self.len / 64, self.len % 64);
        self.extend_zeros(other.len)?;
        for (index, &word) in other.words.iter().enumerate() {
            self.words[first + index] |= word << offset;
            let carried = if offset == 0 { 0 } else { word >> (64 - offset) };
            if carried != 0 {
                self.words[first + index + 1] |= carried;
            }
        }
        Ok(())
    }
}

/// Room for `additional` more elements, or an error.
pub(super) fn reserve<T>(vec: &mut Vec<T>, additional: usize) -> Result<()> {
    vec.try_reserve(additional).map_err(|_| Error::OutOfMemory {
        bytes: (vec.len() + additional).saturating_mul(size_of::<T>()),
        purpose: "a constraint system",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(len: usize, step: usize) -> Bits {
        let mut bits = Bits::default();
        for index in 0..len {
            bits.push(index % step == 0).unwrap();
        }
        bits
    }

    #[test]
    fn append_is_concatenation() {
        for head in [0, 1, 63, 64, 65, 130] {
            for tail in [0, 1, 63, 64, 65, 200] {
                let (front, back) = (pattern(head, 3), pattern(tail, 2));
                let mut joined = front.clone();
                joined.append(&back).unwrap();
                assert_eq!(joined.len(), head + tail);
                for index in 0..head + tail {
                    let expected = if index < head {
                        front.get(index)
                    } else {
                        back.get(index - head)
                    };
                    assert_eq!(joined.get(index), expected, "{head} + {tail} at {index}");
                }
                assert_eq!(joined.count_ones(), front.count_ones() + back.count_ones());
            }
        }
    }

    #[test]
    fn words_past_the_length_are_refused() {
        assert!(Bits::from_words(vec![0b111], 3).is_ok());
        assert!(Bits::from_words(vec![0b1111], 3).is_err());
        assert!(Bits::from_words(vec![u64::MAX], 64).is_ok());
        assert!(Bits::from_words(vec![0, 0], 64).is_err());
        assert!(Bits::from_words(vec![], 0).is_ok());
    }
}
