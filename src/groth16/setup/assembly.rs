//! Two constraint systems that store no constraint: one counts, one evaluates polynomials as constraints go by.

use bellpepper_core::{ConstraintSystem, Index, LinearCombination, SynthesisError, Variable};
use blstrs::Scalar;
use ff::Field;

use crate::error::Error;
use crate::telemetry::progress::Progress;

/// Progress is told once in so many constraints.
const STEP: usize = 1 << 14;

/// What a circuit consists of.
#[derive(Clone, Copy, PartialEq)]
pub struct Size {
    pub inputs: usize,
    pub aux: usize,
    pub constraints: usize,
}

/// Before synthesis there is one variable: input 0, the constant one.
const START: Size = Size {
    inputs: 1,
    aux: 0,
    constraints: 0,
};

/// The methods of [`ConstraintSystem`] that both systems have in common: no names, no values, no extension.
macro_rules! shared_methods {
    () => {
        type Root = Self;

        fn push_namespace<NR, N>(&mut self, _name: N)
        where
            NR: Into<String>,
            N: FnOnce() -> NR,
        {
        }

        fn pop_namespace(&mut self) {}

        fn get_root(&mut self) -> &mut Self {
            self
        }

        fn alloc<F, A, AR>(&mut self, _name: A, _value: F) -> Result<Variable, SynthesisError>
        where
            F: FnOnce() -> Result<Scalar, SynthesisError>,
            A: FnOnce() -> AR,
            AR: Into<String>,
        {
            let index = self.allocated.aux;
            self.allocated.aux += 1;
            Ok(Variable::new_unchecked(Index::Aux(index)))
        }

        fn alloc_input<F, A, AR>(&mut self, _name: A, _value: F) -> Result<Variable, SynthesisError>
        where
            F: FnOnce() -> Result<Scalar, SynthesisError>,
            A: FnOnce() -> AR,
            AR: Into<String>,
        {
            let index = self.allocated.inputs;
            self.allocated.inputs += 1;
            Ok(Variable::new_unchecked(Index::Input(index)))
        }
    };
}

/// Counts.
pub struct Counter<'a> {
    allocated: Size,
    progress: &'a dyn Progress,
}

impl<'a> Counter<'a> {
    pub fn new(progress: &'a dyn Progress) -> Self {
        Self {
            allocated: START,
            progress,
        }
    }

    /// Includes a constraint for each input, input · 0 = 0, after the circuit's own: thanks to it no input's polynomials
    /// are all zero.
    pub fn finish(self) -> Size {
        let mut size = self.allocated;
        size.constraints += size.inputs;
        size
    }
}

impl ConstraintSystem<Scalar> for Counter<'_> {
    shared_methods!();

    fn enforce<A, AR, LA, LB, LC>(&mut self, _name: A, _a: LA, _b: LB, _c: LC)
    where
        A: FnOnce() -> AR,
        AR: Into<String>,
        LA: FnOnce(LinearCombination<Scalar>) -> LinearCombination<Scalar>,
        LB: FnOnce(LinearCombination<Scalar>) -> LinearCombination<Scalar>,
        LC: FnOnce(LinearCombination<Scalar>) -> LinearCombination<Scalar>,
    {
        self.allocated.constraints += 1;
        if self.allocated.constraints % STEP == 0 {
            self.progress.advance(STEP as u64);
        }
    }
}

/// The polynomials of every variable at tau, inputs first: u, v and w are how the variable appears on the left, on the
/// right and in the product.
pub struct Polynomials {
    pub u: Vec<Scalar>,
    pub v: Vec<Scalar>,
    pub w: Vec<Scalar>,
}

/// Evaluates [`Polynomials`].
pub struct Evaluator<'a> {
    expected: Size,
    allocated: Size,
    /// The Lagrange polynomial of each constraint at tau.
    lagrange: &'a [Scalar],
    polynomials: Polynomials,
    progress: &'a dyn Progress,
}

impl<'a> Evaluator<'a> {
    /// `expected` is what a [`Counter`] counted for the same circuit.
    pub fn new(expected: Size, lagrange: &'a [Scalar], progress: &'a dyn Progress) -> Self {
        let zeros = || vec![Scalar::ZERO; expected.inputs + expected.aux];
        Self {
            expected,
            allocated: START,
            lagrange,
            polynomials: Polynomials {
                u: zeros(),
                v: zeros(),
                w: zeros(),
            },
            progress,
        }
    }

    pub fn finish(mut self) -> Result<Polynomials, Error> {
        for input in 0..self.allocated.inputs {
            let variable = Variable::new_unchecked(Index::Input(input));
            self.enforce(|| "", |lc| lc + variable, |lc| lc, |lc| lc);
        }
        if self.allocated != self.expected {
            return Err(Error::message("the circuit differs from one synthesis to the next"));
        }
        Ok(self.polynomials)
    }
}

/// Adds what a constraint's `combination` contributes to the polynomials of its variables.
fn accumulate(polynomials: &mut [Scalar], inputs: usize, combination: &LinearCombination<Scalar>, lagrange: &Scalar) {
    for (variable, coefficient) in combination.iter() {
        let position = match variable.get_unchecked() {
            Index::Input(index) => index,
            Index::Aux(index) => inputs + index,
        };
        if *coefficient == Scalar::ONE {
            polynomials[position] += lagrange;
        } else {
            polynomials[position] += coefficient * lagrange;
        }
    }
}

impl ConstraintSystem<Scalar> for Evaluator<'_> {
    shared_methods!();

    fn enforce<A, AR, LA, LB, LC>(&mut self, _name: A, a: LA, b: LB, c: LC)
    where
        A: FnOnce() -> AR,
        AR: Into<String>,
        LA: FnOnce(LinearCombination<Scalar>) -> LinearCombination<Scalar>,
        LB: FnOnce(LinearCombination<Scalar>) -> LinearCombination<Scalar>,
        LC: FnOnce(LinearCombination<Scalar>) -> LinearCombination<Scalar>,
    {
        let inputs = self.expected.inputs;
        let lagrange = &self.lagrange[self.allocated.constraints];
        let Polynomials { u, v, w } = &mut self.polynomials;
        accumulate(u, inputs, &a(LinearCombination::zero()), lagrange);
        accumulate(v, inputs, &b(LinearCombination::zero()), lagrange);
        accumulate(w, inputs, &c(LinearCombination::zero()), lagrange);
        self.allocated.constraints += 1;
        if self.allocated.constraints % STEP == 0 {
            self.progress.advance(STEP as u64);
        }
    }
}
