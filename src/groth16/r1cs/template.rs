//! A recorded circuit: stored rows, and the statement that other rows are those again with their variables moved.
//!
//! The rows come in segments. A segment either lies in the store, or repeats the `period` rows before it: its row `r` is
//! row `r - period` after a [`Shift`]. The rows that it repeats may themselves lie in repeating segments.

use std::ops::Range;

use super::rows::Column;
use super::store::{length, Store};
use super::{Counts, Densities};
use crate::error::Result;

/// How deep repetitions may nest.
pub(super) const MAX_DEPTH: usize = 6;

/// How variables of one kind move: those from a bound on by a distance. Columns are packed ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub by: u32,
    /// All that move are at least this.
    pub from: u32,
    /// All that stay are below this; at most `from`.
    pub stay_below: u32,
}

impl Move {
    pub const NONE: Self = Self {
        by: 0,
        from: u32::MAX,
        stay_below: 0,
    };

    /// Takes note that variable `before` became `after`; false if that contradicts what was noted earlier.
    #[inline]
    pub fn note(&mut self, before: u32, after: u32) -> bool {
        if before == after {
            self.stay_below = self.stay_below.max(before + 1);
        } else {
            if self.by == 0 {
                self.by = after.wrapping_sub(before);
            }
            if after < before || after - before != self.by {
                return false;
            }
            self.from = self.from.min(before);
        }
        self.stay_below <= self.from
    }

    /// The two moves as one, if every variable either moves in both or stays in both.
    fn then(&self, next: &Self) -> Option<Self> {
        if self.by == 0 {
            return Some(*next);
        }
        if next.by == 0 {
            return Some(*self);
        }
        let fits = next.stay_below <= self.from + self.by && next.from >= self.stay_below;
        fits.then(|| Self {
            by: self.by + next.by,
            ..*self
        })
    }

    fn times(&self, factor: u32) -> Self {
        Self {
            by: self.by * factor,
            ..*self
        }
    }
}

/// How all variables move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shift {
    pub aux: Move,
    pub inputs: Move,
}

impl Shift {
    pub const NONE: Self = Self {
        aux: Move::NONE,
        inputs: Move::NONE,
    };

    #[inline]
    fn apply(&self, column: u32) -> u32 {
        let is_input = column >= Column::FIRST_INPUT;
        let Move { by, from, .. } = if is_input { self.inputs } else { self.aux };
        column + if column >= from { by } else { 0 }
    }

    pub fn then(&self, next: &Self) -> Option<Self> {
        let (aux, inputs) = (self.aux.then(&next.aux)?, self.inputs.then(&next.inputs)?);
        Some(Self { aux, inputs })
    }

    pub fn times(&self, factor: usize) -> Self {
        Self {
            aux: self.aux.times(factor as u32),
            inputs: self.inputs.times(factor as u32),
        }
    }
}

/// Shifts one after another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shifts {
    /// The last one is applied first.
    list: [Shift; MAX_DEPTH],
    len: usize,
}

impl Shifts {
    pub const NONE: Self = Self {
        list: [Shift::NONE; MAX_DEPTH],
        len: 0,
    };

    pub fn len(&self) -> usize {
        self.len
    }

    fn after(&self, shift: Shift) -> Self {
        let mut shifts = *self;
        shifts.list[shifts.len] = shift;
        shifts.len += 1;
        shifts
    }

    #[inline]
    pub fn apply(&self, column: u32) -> u32 {
        self.list[..self.len]
            .iter()
            .rev()
            .fold(column, |column, shift| shift.apply(column))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The segment's rows lie in the store, from this one on.
    Stored {
        first: usize,
    },
    Repeat {
        period: usize,
        shift: Shift,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub start: usize,
    pub end: usize,
    pub source: Source,
}

/// Points a segment, the one after `earlier`, at what its source repeats in turn, as far as one shift can say that.
pub(super) fn flatten(earlier: &[Segment], segment: &mut Segment) {
    while let Source::Repeat { period, shift } = segment.source {
        let base = segment.start - period..segment.end - period;
        let below = earlier[earlier.partition_point(|other| other.end <= base.start)];
        let Source::Repeat {
            period: step,
            shift: inner,
        } = below.source
        else {
            return;
        };
        let turn = (base.start - below.start) / step;
        // The source must be one stretch of one segment, and not overlap with the segment itself.
        let one_turn = below.start + (turn + 1) * step;
        if base.end > segment.start || base.end > below.end || base.end > one_turn {
            return;
        }
        let Some(shift) = inner.times(turn + 1).then(&shift) else {
            return;
        };
        segment.source = Source::Repeat {
            period: period + step * (turn + 1),
            shift,
        };
    }
}

/// Where rows lie in the store.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub stored: usize,
    /// For so many rows the store and the shifts go on alike.
    pub rows: usize,
    pub shifts: Shifts,
}

/// Finds a row of the circuit in the store.
pub(super) fn locate(segments: &[Segment], mut row: usize) -> Place {
    let mut shifts = Shifts::NONE;
    let mut rows = usize::MAX;
    loop {
        let Segment { start, end, source } = segments[segments.partition_point(|segment| segment.end <= row)];
        rows = rows.min(end - row);
        match source {
            Source::Stored { first } => {
                let stored = first + row - start;
                return Place { stored, rows, shifts };
            }
            Source::Repeat { period, shift } => {
                let (turn, offset) = ((row - start) / period, (row - start) % period);
                rows = rows.min(period - offset);
                shifts = shifts.after(shift.times(turn + 1));
                row = start - period + offset;
            }
        }
    }
}

/// Calls `use_rows` with ranges of stored rows and their shifts; together they are `rows`, in order.
pub(super) fn visit(segments: &[Segment], rows: Range<usize>, mut use_rows: impl FnMut(Range<usize>, &Shifts)) {
    let mut at = rows.start;
    while at < rows.end {
        let place = locate(segments, at);
        let count = place.rows.min(rows.end - at);
        use_rows(place.stored..place.stored + count, &place.shifts);
        at += count;
    }
}

/// A recording. It is made by [`super::record`] or read from disk by [`super::cache`].
#[derive(Debug, Default, PartialEq)]
pub struct Template {
    pub(super) counts: Counts,
    pub(super) store: Store,
    pub(super) segments: Vec<Segment>,
    pub(super) densities: Densities,
}

/// What a recording holds, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    pub counts: Counts,
    /// Non-zero coefficients of A, B and C, in all rows.
    pub non_zeros: [usize; 3],
    pub distinct_coefficients: usize,
    pub stored_rows: usize,
    pub stored_non_zeros: usize,
    pub stored_bytes: usize,
    pub segments: usize,
    /// The repetition that stands for most rows: how many rows its block has, and how many rows are repeats of it.
    pub block: Option<(usize, usize)>,
}

impl Template {
    pub fn counts(&self) -> Counts {
        self.counts
    }

    pub fn summary(&self) -> Summary {
        let mut non_zeros = [0; 3];
        visit(&self.segments, 0..self.counts.rows, |rows, _| {
            for (total, more) in non_zeros.iter_mut().zip(self.store.non_zeros(rows)) {
                *total += more;
            }
        });
        let repeats = self.segments.iter().filter_map(|segment| match segment.source {
            Source::Repeat { period, .. } => Some((segment.end - segment.start, period)),
            Source::Stored { .. } => None,
        });
        Summary {
            counts: self.counts,
            non_zeros,
            distinct_coefficients: self.store.dictionary.len() + self.store.rare_coefficients.len(),
            stored_rows: self.store.rows(),
            stored_non_zeros: self.store.columns.len(),
            stored_bytes: self.store.bytes() + size_of_val(&self.segments[..]),
            segments: self.segments.len(),
            block: repeats.max().map(|(rows, period)| (period, rows)),
        }
    }

    /// The densities of all rows.
    pub(super) fn count_densities(&self) -> Result<Densities> {
        let mut densities = Densities::default();
        densities.grow(self.counts.inputs, self.counts.aux)?;
        visit(&self.segments, 0..self.counts.rows, |rows, shifts| {
            let mut term = self.store.start(rows.start);
            for row in rows {
                let shape = self.store.shape(row);
                let (a, b) = (term + shape[0] as usize, term + shape[0] as usize + shape[1] as usize);
                for column in &self.store.columns[term..a] {
                    densities.count_a(Column::unpack(shifts.apply(*column)));
                }
                for column in &self.store.columns[a..b] {
                    densities.count_b(Column::unpack(shifts.apply(*column)));
                }
                term += length(shape);
            }
        });
        Ok(densities)
    }
}
