//! Where have the last rows been seen before? Kinds of rows are digested over a window, and a table of fixed size remembers
//! the latest place of each digest. A wrong answer costs time only: whatever is found is compared row by row.

use super::rows::mix;

/// Rows in a window.
const WINDOW: usize = 64;
const LOG_SLOTS: u32 = 20;
/// Odd, so that its powers never vanish.
const BASE: u64 = 0x2545_f491_4f6c_dd1d;

/// The kinds of the last rows, and their polynomial digest.
pub(super) struct Window {
    kinds: [u64; WINDOW],
    pushed: usize,
    hash: u64,
    /// `BASE` to the power of the window's length.
    oldest: u64,
}

impl Default for Window {
    fn default() -> Self {
        Self {
            kinds: [0; WINDOW],
            pushed: 0,
            hash: 0,
            oldest: BASE.wrapping_pow(WINDOW as u32),
        }
    }
}

impl Window {
    pub fn push(&mut self, kind: u64) {
        let place = &mut self.kinds[self.pushed % WINDOW];
        let leaving = std::mem::replace(place, kind).wrapping_mul(self.oldest);
        self.hash = self.hash.wrapping_mul(BASE).wrapping_add(kind).wrapping_sub(leaving);
        self.pushed += 1;
    }

    /// Nothing before the window is full.
    pub fn hash(&self) -> Option<u64> {
        (self.pushed >= WINDOW).then(|| mix(self.hash))
    }
}

/// The table. A slot holds a digest and the row that followed the window.
pub(super) struct Anchors {
    slots: Vec<(u64, usize)>,
}

impl Default for Anchors {
    fn default() -> Self {
        Self {
            slots: vec![(0, 0); 1 << LOG_SLOTS],
        }
    }
}

impl Anchors {
    pub fn find(&self, hash: u64) -> Option<usize> {
        let (known, row) = self.slots[slot(hash)];
        (known == hash && row > 0).then_some(row)
    }

    pub fn insert(&mut self, hash: u64, row: usize) {
        let place = &mut self.slots[slot(hash)];
        if place.0 != hash {
            *place = (hash, row);
        }
    }
}

fn slot(hash: u64) -> usize {
    (mix(hash) >> (64 - LOG_SLOTS)) as usize
}
