//! A circuit seen as a stream of rows: values are never asked for, so a blank circuit will do.

use std::ops::{ControlFlow, Range};

use bellperson::{Circuit, ConstraintSystem, Index, LinearCombination, SynthesisError, Variable};
use blst::blst_fr;
use ff::Field;

use super::assignment::{too_many_variables, MAX_VARIABLES};
use super::{Counts, Fr};
use crate::error::Result;

/// A variable in 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Input(usize),
    Aux(usize),
}

const INPUT: u32 = 1 << 31;

impl Column {
    /// Packed inputs come after packed auxiliary variables.
    pub const FIRST_INPUT: u32 = INPUT;

    #[inline]
    pub fn pack(self) -> u32 {
        match self {
            Self::Input(index) => index as u32 | INPUT,
            Self::Aux(index) => index as u32,
        }
    }

    #[inline]
    pub fn unpack(packed: u32) -> Self {
        let index = (packed & !INPUT) as usize;
        if packed & INPUT != 0 {
            Self::Input(index)
        } else {
            Self::Aux(index)
        }
    }
}

/// One constraint: the terms of A, B and C behind one another, without those whose coefficient is zero. In each part the
/// inputs come first, and either kind ascends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub columns: Vec<u32>,
    pub coefficients: Vec<Fr>,
    pub ends: [usize; 3],
}

impl Row {
    /// How long the three parts are.
    pub fn shape(&self) -> [u32; 3] {
        let [a, b, c] = self.ends;
        [a, b - a, c - b].map(|len| len as u32)
    }

    pub fn part(&self, part: usize) -> Range<usize> {
        let start = part.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[part]
    }

    pub fn terms(&self, part: usize) -> impl Iterator<Item = (Column, Fr)> + '_ {
        self.part(part)
            .map(|term| (Column::unpack(self.columns[term]), self.coefficients[term]))
    }

    /// A digest of all that stays the same when variables move.
    pub fn kind(&self) -> u64 {
        let shape = self.shape().map(u64::from);
        let coefficients = self
            .coefficients
            .iter()
            .map(|coefficient| blst_fr::from(*coefficient).l[0]);
        shape
            .into_iter()
            .chain(coefficients)
            .fold(0, |kind, value| mix(kind ^ value))
    }

    /// The row that makes an input part of A: `input * 0 = 0`.
    pub fn of_input(input: usize) -> Self {
        Self {
            columns: vec![Column::Input(input).pack()],
            coefficients: vec![Fr::ONE],
            ends: [1; 3],
        }
    }

    fn set(&mut self, parts: [&LinearCombination<Fr>; 3]) {
        self.columns.clear();
        self.coefficients.clear();
        for (end, terms) in self.ends.iter_mut().zip(parts) {
            let inputs = terms
                .iter_inputs()
                .map(|(index, coefficient)| (Column::Input(*index), coefficient));
            let aux = terms
                .iter_aux()
                .map(|(index, coefficient)| (Column::Aux(*index), coefficient));
            for (column, coefficient) in inputs.chain(aux).filter(|(_, coefficient)| **coefficient != Fr::ZERO) {
                self.columns.push(column.pack());
                self.coefficients.push(*coefficient);
            }
            *end = self.columns.len();
        }
    }
}

/// Spreads a word over all bits.
#[inline]
pub(super) fn mix(word: u64) -> u64 {
    let product = word
        .wrapping_add(0x9e37_79b9_7f4a_7c15)
        .wrapping_mul(0xbf58_476d_1ce4_e5b9);
    product ^ (product >> 29)
}

/// Receives rows in order, until it has seen enough. `counts` are the variables that exist at that moment, and the rows
/// before this one.
pub(super) trait Sink: Send {
    fn row(&mut self, row: &Row, counts: Counts) -> Result<ControlFlow<()>>;
}

/// Streams the circuit's rows, then one `input_i * 0 = 0` for each input, into `sink`; returns what there was in all, or
/// nothing if the sink had seen enough before the end.
pub(super) fn stream<C: Circuit<Fr>>(circuit: C, sink: &mut impl Sink) -> Result<Option<Counts>> {
    let mut system = RowSystem {
        counts: Counts::default(),
        row: Row::default(),
        sink,
        ended: None,
    };
    system.alloc_input(|| "", || Ok(Fr::ONE))?;
    let outcome = circuit.synthesize(&mut system);
    if system.ended.is_none() {
        outcome?;
    }
    for input in 0..system.counts.inputs {
        system.row = Row::of_input(input);
        system.pass_on();
    }
    match system.ended {
        None => Ok(Some(system.counts)),
        Some(Ok(())) => Ok(None),
        Some(Err(error)) => Err(error),
    }
}

struct RowSystem<'a, S> {
    counts: Counts,
    row: Row,
    sink: &'a mut S,
    /// Set when the sink wants no more rows. A constraint cannot fail, so the next allocation stops the circuit.
    ended: Option<Result<()>>,
}

impl<S: Sink> RowSystem<'_, S> {
    fn pass_on(&mut self) {
        if self.ended.is_some() {
            return;
        }
        match self.sink.row(&self.row, self.counts) {
            Ok(ControlFlow::Continue(())) => self.counts.rows += 1,
            Ok(ControlFlow::Break(())) => self.ended = Some(Ok(())),
            Err(error) => self.ended = Some(Err(error)),
        }
    }
}

impl<S> RowSystem<'_, S> {
    fn next(&mut self, of_kind: fn(&mut Counts) -> &mut usize) -> Result<usize, SynthesisError> {
        if self.ended.is_some() {
            return Err(SynthesisError::Unsatisfiable);
        }
        let count = of_kind(&mut self.counts);
        if *count == MAX_VARIABLES {
            return Err(too_many_variables().into());
        }
        *count += 1;
        Ok(*count - 1)
    }
}

impl<S: Sink> ConstraintSystem<Fr> for RowSystem<'_, S> {
    type Root = Self;

    fn alloc<F, A, AR>(&mut self, _: A, _: F) -> Result<Variable, SynthesisError>
    where
        F: FnOnce() -> Result<Fr, SynthesisError>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        let index = self.next(|counts| &mut counts.aux)?;
        Ok(Variable::new_unchecked(Index::Aux(index)))
    }

    fn alloc_input<F, A, AR>(&mut self, _: A, _: F) -> Result<Variable, SynthesisError>
    where
        F: FnOnce() -> Result<Fr, SynthesisError>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        let index = self.next(|counts| &mut counts.inputs)?;
        Ok(Variable::new_unchecked(Index::Input(index)))
    }

    fn enforce<A, AR, LA, LB, LC>(&mut self, _: A, a: LA, b: LB, c: LC)
    where
        A: FnOnce() -> AR,
        AR: Into<String>,
        LA: FnOnce(LinearCombination<Fr>) -> LinearCombination<Fr>,
        LB: FnOnce(LinearCombination<Fr>) -> LinearCombination<Fr>,
        LC: FnOnce(LinearCombination<Fr>) -> LinearCombination<Fr>,
    {
        if self.ended.is_some() {
            return;
        }
        let zero = LinearCombination::zero;
        self.row.set([&a(zero()), &b(zero()), &c(zero())]);
        self.pass_on();
    }

    fn push_namespace<NR, N>(&mut self, _: N)
    where
        NR: Into<String>,
        N: FnOnce() -> NR,
    {
    }

    fn pop_namespace(&mut self) {}

    fn get_root(&mut self) -> &mut Self::Root {
        self
    }
}
