//! Small circuits of every odd shape, and the textbook constraint system that judges what is made of them.

use bellperson::{Circuit, ConstraintSystem, Index, LinearCombination, SynthesisError, Variable};
use ff::Field;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::Fr;

type Outcome = Result<(), SynthesisError>;

/// A circuit for tests; without values it is blank.
#[derive(Clone, Debug)]
pub struct Sample {
    pub name: &'static str,
    pub values: bool,
    pub shape: Shape,
}

#[derive(Clone, Debug)]
pub enum Shape {
    /// No variables, no constraints.
    Empty,
    /// `one * one = one`, and no auxiliary variable.
    NoAux,
    OneConstraint,
    /// Variables that no row names.
    NoRows {
        aux: usize,
    },
    /// Rows of which some or all parts are empty.
    EmptyParts,
    /// Variables named twice, coefficients of zero, and terms that cancel.
    Cancelling,
    /// Inputs, auxiliary variables and rows in turns.
    Interleaved {
        rounds: usize,
    },
    AllZero {
        aux: usize,
    },
    /// Random rows of random lengths without any repetition.
    Random {
        rows: usize,
        seed: u64,
    },
    /// One block again and again, with a prologue that all blocks refer to; each also refers to the one before.
    Blocks {
        blocks: usize,
        rows: usize,
        broken: Option<usize>,
    },
    /// Blocks within blocks.
    Nested {
        blocks: usize,
        inner: usize,
        rows: usize,
    },
    /// Parts that are made on their own and joined, as Window PoSt does.
    Extensible {
        parts: usize,
        rows: usize,
    },
    /// More distinct coefficients than 16 bits can number.
    ManyCoefficients {
        rows: usize,
    },
}

pub fn all() -> Vec<Sample> {
    let shapes = [
        ("empty", Shape::Empty),
        ("no aux", Shape::NoAux),
        ("one constraint", Shape::OneConstraint),
        ("no rows", Shape::NoRows { aux: 100 }),
        ("empty parts", Shape::EmptyParts),
        ("cancelling", Shape::Cancelling),
        ("interleaved", Shape::Interleaved { rounds: 77 }),
        ("all zero", Shape::AllZero { aux: 300 }),
        ("random", Shape::Random { rows: 9_000, seed: 1 }),
        (
            "blocks",
            Shape::Blocks {
                blocks: 9,
                rows: 5_000,
                broken: None,
            },
        ),
        (
            "broken blocks",
            Shape::Blocks {
                blocks: 6,
                rows: 3_000,
                broken: Some(4),
            },
        ),
        (
            "nested",
            Shape::Nested {
                blocks: 4,
                inner: 5,
                rows: 2_500,
            },
        ),
        ("extensible", Shape::Extensible { parts: 7, rows: 1_500 }),
        ("many coefficients", Shape::ManyCoefficients { rows: 70_000 }),
    ];
    let sample = |(name, shape)| Sample {
        name,
        values: true,
        shape,
    };
    shapes.into_iter().map(sample).collect()
}

impl Sample {
    pub fn blank(&self) -> Self {
        Self {
            values: false,
            ..self.clone()
        }
    }

    fn aux<CS: ConstraintSystem<Fr>>(&self, cs: &mut CS, value: Fr) -> Result<Variable, SynthesisError> {
        cs.alloc(
            || "aux",
            || self.values.then_some(value).ok_or(SynthesisError::AssignmentMissing),
        )
    }

    fn input<CS: ConstraintSystem<Fr>>(&self, cs: &mut CS, value: Fr) -> Result<Variable, SynthesisError> {
        cs.alloc_input(
            || "input",
            || self.values.then_some(value).ok_or(SynthesisError::AssignmentMissing),
        )
    }

    fn cancelling<CS: ConstraintSystem<Fr>>(&self, cs: &mut CS) -> Outcome {
        let one = CS::one();
        let x = self.aux(cs, Fr::from(5))?;
        let y = self.aux(cs, Fr::from(7))?;
        let unused = self.aux(cs, Fr::from(11))?;
        let input = self.input(cs, Fr::from(13))?;
        let two = Fr::from(2);
        cs.enforce(
            || "twice",
            |lc| lc + x + y + x + (two, x),
            |lc| lc + one,
            |lc| lc + (two, x) + (two, x) + y,
        );
        cs.enforce(
            || "zero",
            |lc| lc + (Fr::ZERO, unused) + y,
            |lc| lc + (Fr::ZERO, unused),
            |lc| lc,
        );
        cs.enforce(
            || "cancel",
            |lc| lc + x - x + y,
            |lc| lc + input - input + x - x,
            |lc| lc + unused - unused,
        );
        cs.enforce(
            || "descending",
            |lc| lc + y + x + input + one,
            |lc| lc - y - input,
            |lc| lc + one - y + x,
        );
        Ok(())
    }

    fn interleaved<CS: ConstraintSystem<Fr>>(&self, cs: &mut CS, rounds: usize) -> Outcome {
        let mut last = CS::one();
        for round in 0..rounds as u64 {
            let input = self.input(cs, Fr::from(round % 3))?;
            let bit = self.aux(cs, Fr::from(round % 2))?;
            cs.enforce(
                || "",
                |lc| lc + input + last,
                |lc| lc + bit,
                |lc| lc - (Fr::from(round), last) + input,
            );
            last = self.aux(cs, Fr::from(round * round))?;
        }
        Ok(())
    }

    /// `rows` rows over a few shared and many local variables; the same for the same `seed`.
    fn block<CS: ConstraintSystem<Fr>>(&self, cs: &mut CS, rows: usize, seed: u64, shared: &[Variable]) -> Outcome {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut known = shared.to_vec();
        for _ in 0..rows {
            if rng.gen_bool(0.9) {
                let value = if rng.gen_bool(0.9) {
                    Fr::from(rng.gen_range(0..2))
                } else {
                    Fr::random(&mut rng)
                };
                known.push(self.aux(cs, value)?);
            }
            if rng.gen_bool(0.01) {
                known.push(self.input(cs, Fr::from(rng.gen_range(0..9)))?);
            }
            let mut parts = [0; 3].map(|_| LinearCombination::zero());
            for part in &mut parts {
                for _ in 0..rng.gen_range(0..4) {
                    let recent = known.len().saturating_sub(64);
                    let from = if rng.gen_bool(0.1) { 0 } else { recent };
                    let variable = known[rng.gen_range(from..known.len())];
                    *part = std::mem::take(part) + (Fr::from(1 << rng.gen_range(0..20)), variable);
                }
            }
            let [a, b, c] = parts;
            cs.enforce(|| "", |_| a, |_| b, |_| c);
        }
        Ok(())
    }

    fn blocks<CS: ConstraintSystem<Fr>>(
        &self,
        cs: &mut CS,
        blocks: usize,
        rows: usize,
        broken: Option<usize>,
    ) -> Outcome {
        let mut shared = vec![CS::one()];
        for value in 0..20 {
            shared.push(self.aux(cs, Fr::from(value))?);
        }
        self.block(cs, 130, 99, &shared)?;
        let mut before = shared[3];
        for block in 0..blocks {
            let first = self.aux(cs, Fr::from(block as u64))?;
            cs.enforce(|| "chain", |lc| lc + before, |lc| lc + first, |lc| lc);
            before = first;
            self.block(cs, rows, 7, &shared)?;
            if broken == Some(block) {
                cs.enforce(|| "odd one", |lc| lc + before, |lc| lc + before, |lc| lc + before);
            }
        }
        Ok(())
    }

    fn extensible<CS: ConstraintSystem<Fr>>(&self, cs: &mut CS, parts: usize, rows: usize) -> Outcome {
        if !CS::is_extensible() {
            return (0..parts).try_for_each(|_| self.block(cs, rows, 5, &[CS::one()]));
        }
        let made = (0..parts).into_par_iter().map(|_| {
            let mut part = CS::new();
            part.alloc_input(|| "one", || Ok(Fr::ONE))?;
            self.block(&mut part, rows, 5, &[CS::one()])?;
            Ok(part)
        });
        let made: Vec<CS> = made.collect::<Result<_, SynthesisError>>()?;
        made.iter().for_each(|part| cs.extend(part));
        Ok(())
    }
}

impl Circuit<Fr> for Sample {
    fn synthesize<CS: ConstraintSystem<Fr>>(self, cs: &mut CS) -> Outcome {
        let one = CS::one();
        match self.shape {
            Shape::Empty => {}
            Shape::NoAux => cs.enforce(|| "", |lc| lc + one, |lc| lc + one, |lc| lc + one),
            Shape::OneConstraint => {
                let x = self.aux(cs, Fr::from(3))?;
                let product = self.input(cs, Fr::from(9))?;
                cs.enforce(|| "", |lc| lc + x, |lc| lc + x, |lc| lc + product);
            }
            Shape::NoRows { aux } => {
                for index in 0..aux as u64 {
                    self.aux(cs, Fr::from(index % 4))?;
                }
            }
            Shape::EmptyParts => {
                let x = self.aux(cs, Fr::ONE)?;
                cs.enforce(|| "", |lc| lc, |lc| lc, |lc| lc);
                cs.enforce(|| "", |lc| lc + x, |lc| lc, |lc| lc);
                cs.enforce(|| "", |lc| lc, |lc| lc + x, |lc| lc);
                cs.enforce(|| "", |lc| lc, |lc| lc, |lc| lc + x - one);
                cs.enforce(|| "", |lc| lc, |lc| lc, |lc| lc);
            }
            Shape::Cancelling => self.cancelling(cs)?,
            Shape::Interleaved { rounds } => self.interleaved(cs, rounds)?,
            Shape::AllZero { aux } => {
                for _ in 0..aux {
                    let zero = self.aux(cs, Fr::ZERO)?;
                    cs.enforce(|| "", |lc| lc + zero, |lc| lc + one - zero, |lc| lc);
                }
            }
            Shape::Random { rows, seed } => self.block(cs, rows, seed, &[one])?,
            Shape::Blocks { blocks, rows, broken } => self.blocks(cs, blocks, rows, broken)?,
            Shape::Nested { blocks, inner, rows } => {
                for _ in 0..blocks {
                    self.block(cs, 700, 1, &[one])?;
                    self.blocks(cs, inner, rows, None)?;
                }
            }
            Shape::Extensible { parts, rows } => self.extensible(cs, parts, rows)?,
            Shape::ManyCoefficients { rows } => {
                let x = self.aux(cs, Fr::from(2))?;
                for row in 0..rows as u64 {
                    cs.enforce(
                        || "",
                        |lc| lc + (Fr::from(row), x),
                        |lc| lc + one,
                        |lc| lc + (Fr::from(2 * row), one),
                    );
                }
            }
        }
        Ok(())
    }
}

/// Evaluates each row at once from plain vectors; densities are plain vectors of flags.
#[derive(Default)]
pub struct Textbook {
    pub inputs: Vec<Fr>,
    pub aux: Vec<Fr>,
    pub rows: [Vec<Fr>; 3],
    pub a_aux: Vec<bool>,
    pub b_input: Vec<bool>,
    pub b_aux: Vec<bool>,
}

impl Textbook {
    pub fn run<C: Circuit<Fr>>(circuit: C) -> Self {
        let mut system = Self::default();
        system.alloc_input(|| "", || Ok(Fr::ONE)).unwrap();
        circuit.synthesize(&mut system).unwrap();
        for input in 0..system.inputs.len() {
            let variable = Variable::new_unchecked(Index::Input(input));
            system.enforce(|| "", |lc| lc + variable, |lc| lc, |lc| lc);
        }
        system
    }
}

impl ConstraintSystem<Fr> for Textbook {
    type Root = Self;

    fn alloc<F, A, AR>(&mut self, _: A, value: F) -> Result<Variable, SynthesisError>
    where
        F: FnOnce() -> Result<Fr, SynthesisError>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        self.aux.push(value()?);
        self.a_aux.push(false);
        self.b_aux.push(false);
        Ok(Variable::new_unchecked(Index::Aux(self.aux.len() - 1)))
    }

    fn alloc_input<F, A, AR>(&mut self, _: A, value: F) -> Result<Variable, SynthesisError>
    where
        F: FnOnce() -> Result<Fr, SynthesisError>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        self.inputs.push(value()?);
        self.b_input.push(false);
        Ok(Variable::new_unchecked(Index::Input(self.inputs.len() - 1)))
    }

    fn enforce<A, AR, LA, LB, LC>(&mut self, _: A, a: LA, b: LB, c: LC)
    where
        A: FnOnce() -> AR,
        AR: Into<String>,
        LA: FnOnce(LinearCombination<Fr>) -> LinearCombination<Fr>,
        LB: FnOnce(LinearCombination<Fr>) -> LinearCombination<Fr>,
        LC: FnOnce(LinearCombination<Fr>) -> LinearCombination<Fr>,
    {
        let zero = LinearCombination::zero;
        let parts = [a(zero()), b(zero()), c(zero())];
        for (rows, part) in self.rows.iter_mut().zip(&parts) {
            rows.push(part.eval(&self.inputs, &self.aux));
        }
        let marks = [
            (0, Some(&mut self.a_aux), None),
            (1, Some(&mut self.b_aux), Some(&mut self.b_input)),
        ];
        for (part, mut aux, mut input) in marks {
            for (variable, coefficient) in parts[part].iter() {
                let (marks, index) = match variable.get_unchecked() {
                    Index::Aux(index) => (&mut aux, index),
                    Index::Input(index) => (&mut input, index),
                };
                if let Some(marks) = marks {
                    marks[index] |= *coefficient != Fr::ZERO;
                }
            }
        }
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
