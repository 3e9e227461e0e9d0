//! Records a circuit as it streams by, and finds by itself where it repeats.
//!
//! As in Lempel and Ziv's compression, the recorder looks for an earlier place whose last rows had the same lengths and
//! coefficients as the last rows now (an *anchor*), and from then on compares each new row with the one a *period* before
//! it: the same coefficients, and each variable either the same or moved by one distance. That comparison is the proof: a
//! row is left out of the store only after it has been found equal to what the template says in its stead. A repetition
//! may go on into itself, so that a block which recurs a hundred times is one segment.

use std::ops::ControlFlow;

use bellperson::Circuit;

use super::anchors::{Anchors, Window};
use super::cursor::Cursor;
use super::rows::{stream, Column, Row, Sink};
use super::store::Numbering;
use super::template::{flatten, Place, Segment, Shift, Source, Template, MAX_DEPTH};
use super::{Counts, Fr};
use crate::error::{Error, Result};

/// Repetitions of fewer rows are not worth a segment.
const MIN_RUN: usize = 256;
/// Shorter periods are taken several times, so that evaluation has long stretches.
const MIN_PERIOD: usize = 256;
/// How many rows may differ at a known period before another is looked for.
const PATIENCE: usize = 16;

/// Records all rows of a circuit; a blank one will do.
pub fn record<C: Circuit<Fr>>(circuit: C) -> Result<Template> {
    Recorder::new(None).run(circuit)
}

/// Records a circuit of which the counts are known. As soon as every row of a block has recurred and the rest can be
/// nothing but a whole number of such blocks, the circuit is stopped: the rest is taken for granted, so the recording
/// must pass [`Template::compare`] before it is relied on.
pub fn record_known<C: Circuit<Fr>>(circuit: C, known: Counts) -> Result<Template> {
    let template = Recorder::new(Some(known)).run(circuit)?;
    if template.counts != known {
        return Err(Error::message(format!(
            "the circuit has {:?}, but {known:?} were expected: parameters and circuit are of different versions",
            template.counts
        )));
    }
    Ok(template)
}

struct Recorder {
    known: Option<Counts>,
    template: Template,
    numbering: Numbering,
    /// The kind of each stored row.
    kinds: Vec<u64>,
    window: Window,
    anchors: Anchors,
    cursor: Cursor,
    candidate: Option<Candidate>,
}

/// A period that the rows may have now.
struct Candidate {
    period: usize,
    misses: usize,
    run: Run,
}

/// Rows that were found equal, one after another, to those a period before.
#[derive(Clone)]
struct Run {
    start: usize,
    shift: Shift,
    /// It is long enough and has become the last segment.
    segment: bool,
}

impl Run {
    fn new(start: usize) -> Self {
        Self {
            start,
            shift: Shift::NONE,
            segment: false,
        }
    }
}

impl Recorder {
    fn new(known: Option<Counts>) -> Self {
        Self {
            known,
            template: Template::default(),
            numbering: Numbering::default(),
            kinds: Vec::new(),
            window: Window::default(),
            anchors: Anchors::default(),
            cursor: Cursor::default(),
            candidate: None,
        }
    }

    fn run<C: Circuit<Fr>>(mut self, circuit: C) -> Result<Template> {
        self.template.counts = match (stream(circuit, &mut self)?, self.known) {
            (Some(counts), _) => counts,
            (None, known) => self.complete(known.unwrap_or_default())?,
        };
        self.template.densities = self.template.count_densities()?;
        Ok(self.template)
    }

    /// Fills up to the known counts: the last segment goes on until the inputs' own rows.
    fn complete(&mut self, known: Counts) -> Result<Counts> {
        if let Some(last) = self.template.segments.last_mut() {
            last.end = known.rows - known.inputs;
        }
        self.candidate = None;
        for input in 0..known.inputs {
            self.store(&Row::of_input(input))?;
        }
        Ok(known)
    }

    fn rows(&self) -> usize {
        self.template.segments.last().map_or(0, |segment| segment.end)
    }

    /// Is `row` what a period before it says? If so the candidate has taken note of it.
    fn follows(&mut self, row: &Row) -> bool {
        let at = self.rows();
        let Some(candidate) = &mut self.candidate else {
            return false;
        };
        let source = at - candidate.period;
        if follows(&mut self.cursor, &self.template, source, row, &mut candidate.run) {
            return true;
        }
        if candidate.run.segment {
            candidate.misses = 0;
            if let Some((last, earlier)) = self.template.segments.split_last_mut() {
                flatten(earlier, last);
            }
        } else {
            candidate.misses += 1;
        }
        // At the same period another run may begin with this very row.
        candidate.run = Run::new(at);
        if follows(&mut self.cursor, &self.template, source, row, &mut candidate.run) {
            return true;
        }
        candidate.run = Run::new(at + 1);
        false
    }

    /// Puts the row into the store, as the last segment's or as a new one's.
    fn store(&mut self, row: &Row) -> Result<()> {
        let stored = self.template.store.rows();
        self.numbering.push(row, &mut self.template.store)?;
        let kind = row.kind();
        self.kinds.push(kind);
        self.window.push(kind);
        let start = self.rows();
        match self.template.segments.last_mut() {
            Some(Segment {
                end,
                source: Source::Stored { .. },
                ..
            }) => *end += 1,
            _ => self.template.segments.push(Segment {
                start,
                end: start + 1,
                source: Source::Stored { first: stored },
            }),
        }
        Ok(())
    }

    /// Makes the candidate's run a segment if it is long enough: its rows leave the store.
    fn commit(&mut self) {
        let end = self.rows();
        let Some(candidate) = &mut self.candidate else { return };
        let factor = MIN_PERIOD.div_ceil(candidate.period);
        let added = candidate.period * (factor - 1);
        if end < candidate.run.start + added + MIN_RUN {
            return;
        }
        reach_back(&mut self.cursor, &self.template, candidate);
        let start = candidate.run.start + added;
        candidate.period *= factor;
        candidate.misses = 0;
        candidate.run.segment = true;
        candidate.run.shift = candidate.run.shift.times(factor);

        let segments = &mut self.template.segments;
        if let Some(Segment {
            start: stored_start,
            end: stored_end,
            source: Source::Stored { first },
        }) = segments.last_mut()
        {
            *stored_end = start;
            let keep = *first + start - *stored_start;
            if *stored_start == start {
                segments.pop();
            }
            self.template.store.truncate(keep);
            self.kinds.truncate(keep);
        }
        let period = candidate.period;
        let shift = candidate.run.shift;
        let source = Source::Repeat { period, shift };
        segments.push(Segment { start, end, source });
        self.cursor = Cursor::default();
    }

    /// Lets the last segment, which is the candidate's, have one row more.
    fn extend(&mut self) {
        if let (Some(last), Some(candidate)) = (self.template.segments.last_mut(), &self.candidate) {
            last.end += 1;
            let period = candidate.period;
            let shift = candidate.run.shift;
            last.source = Source::Repeat { period, shift };
        }
        if let Some(stored) = self.cursor.stored() {
            self.window.push(self.kinds[stored]);
        }
    }

    /// Looks for an earlier place like this one.
    fn look_up(&mut self) {
        let next = self.rows();
        let keep = |candidate: &Candidate| candidate.misses <= PATIENCE || candidate.run.start + 1 < next;
        if self.candidate.as_ref().is_some_and(keep) {
            return;
        }
        let found = self.window.hash().and_then(|hash| self.anchors.find(hash));
        let Some(period) = found.map(|place| next - place) else {
            return;
        };
        if self
            .candidate
            .as_ref()
            .is_some_and(|candidate| candidate.period == period)
        {
            return;
        }
        self.candidate = Some(Candidate {
            period,
            misses: PATIENCE,
            run: Run::new(next),
        });
    }

    /// Can what is known to be left be nothing but whole blocks of the last segment, all of whose rows have recurred?
    fn rest_is_blocks(&self, counts: Counts) -> bool {
        let (Some(known), Some(last)) = (self.known, self.template.segments.last()) else {
            return false;
        };
        let Source::Repeat { period, shift } = last.source else {
            return false;
        };
        let Some(rows) = known.rows.checked_sub(known.inputs + last.end) else {
            return false;
        };
        if last.end - last.start < period || rows == 0 || rows % period != 0 {
            return false;
        }
        let blocks = rows / period;
        known.aux == counts.aux + blocks * shift.aux.by as usize
            && known.inputs == counts.inputs + blocks * shift.inputs.by as usize
    }
}

impl Sink for Recorder {
    fn row(&mut self, row: &Row, counts: Counts) -> Result<ControlFlow<()>> {
        let follows = self.follows(row);
        if follows && self.candidate.as_ref().is_some_and(|candidate| candidate.run.segment) {
            self.extend();
            return Ok(if self.rest_is_blocks(counts) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            });
        }
        self.store(row)?;
        if follows {
            self.commit();
        }
        self.look_up();
        if let Some(hash) = self.window.hash() {
            self.anchors.insert(hash, self.rows());
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Rows before the run, stored because nothing was known of it yet, may belong to it as well.
fn reach_back(cursor: &mut Cursor, template: &Template, candidate: &mut Candidate) {
    let Some(Segment {
        start,
        source: Source::Stored { first },
        ..
    }) = template.segments.last()
    else {
        return;
    };
    while candidate.run.start > candidate.period.max(*start) {
        let at = candidate.run.start - 1;
        let row = template.store.row(first + at - start);
        let mut run = Run {
            start: at,
            ..candidate.run.clone()
        };
        if !follows(cursor, template, at - candidate.period, &row, &mut run) {
            return;
        }
        candidate.run = run;
    }
}

/// Is `row` equal to row `source` of the template but for variables that move as those of the run do?
fn follows(cursor: &mut Cursor, template: &Template, source: usize, row: &Row, run: &mut Run) -> bool {
    let Place { stored, shifts, .. } = cursor.seek(template, source);
    let store = &template.store;
    let own = template
        .segments
        .last()
        .is_some_and(|last| run.segment && source >= last.start);
    let too_deep = shifts.len() >= MAX_DEPTH && !own;
    if too_deep || store.shape(stored) != row.shape() {
        return false;
    }
    let terms = row.columns.iter().zip(&row.coefficients);
    (cursor.term()..).zip(terms).all(|(term, (column, coefficient))| {
        let before = shifts.apply(store.columns[term]);
        let is_input = *column >= Column::FIRST_INPUT;
        let kind = if is_input {
            &mut run.shift.inputs
        } else {
            &mut run.shift.aux
        };
        is_input == (before >= Column::FIRST_INPUT)
            && store.coefficient(term) == *coefficient
            && kind.note(before, *column)
    })
}
