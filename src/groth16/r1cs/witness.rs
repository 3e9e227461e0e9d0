//! The witness alone: runs a circuit for the values of its variables and never builds a constraint.

use bellperson::{Circuit, ConstraintSystem, Index, LinearCombination, SynthesisError, Variable};
use ff::Field;

use super::assignment::{too_many_variables, MAX_VARIABLES};
use super::bits::reserve;
use super::{Assignment, Fr};
use crate::error::{Error, Result};

/// Runs the circuit for its values. A circuit that works in parallel does so on the rayon pool that the caller runs in.
pub fn synthesize<C: Circuit<Fr>>(circuit: C) -> Result<Assignment> {
    let mut system = WitnessSystem::new();
    system.alloc_input(|| "", || Ok(Fr::ONE))?;
    circuit.synthesize(&mut system)?;
    match system.failure {
        Some(failure) => Err(failure),
        None => Ok(system.assignment),
    }
}

struct WitnessSystem {
    assignment: Assignment,
    /// Extending cannot fail, so its error waits here.
    failure: Option<Error>,
}

impl WitnessSystem {
    fn append(&mut self, other: &Self) -> Result<()> {
        if let Some(failure) = &other.failure {
            return Err(Error::message(failure.to_string()));
        }
        // The first input of the other is its own one.
        let inputs = other.assignment.inputs.get(1..).unwrap_or_default();
        reserve(&mut self.assignment.inputs, inputs.len())?;
        self.assignment.inputs.extend_from_slice(inputs);
        self.assignment.aux.append(&other.assignment.aux)
    }
}

impl ConstraintSystem<Fr> for WitnessSystem {
    type Root = Self;

    /// Empty: who makes a part of an extensible system allocates that part's one itself.
    fn new() -> Self {
        Self {
            assignment: Assignment::default(),
            failure: None,
        }
    }

    fn alloc<F, A, AR>(&mut self, _: A, value: F) -> Result<Variable, SynthesisError>
    where
        F: FnOnce() -> Result<Fr, SynthesisError>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        let aux = &mut self.assignment.aux;
        aux.push(value()?)?;
        Ok(Variable::new_unchecked(Index::Aux(aux.len() - 1)))
    }

    fn alloc_input<F, A, AR>(&mut self, _: A, value: F) -> Result<Variable, SynthesisError>
    where
        F: FnOnce() -> Result<Fr, SynthesisError>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        let inputs = &mut self.assignment.inputs;
        if inputs.len() == MAX_VARIABLES {
            return Err(too_many_variables().into());
        }
        reserve(inputs, 1)?;
        inputs.push(value()?);
        Ok(Variable::new_unchecked(Index::Input(inputs.len() - 1)))
    }

    fn enforce<A, AR, LA, LB, LC>(&mut self, _: A, _: LA, _: LB, _: LC)
    where
        A: FnOnce() -> AR,
        AR: Into<String>,
        LA: FnOnce(LinearCombination<Fr>) -> LinearCombination<Fr>,
        LB: FnOnce(LinearCombination<Fr>) -> LinearCombination<Fr>,
        LC: FnOnce(LinearCombination<Fr>) -> LinearCombination<Fr>,
    {
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

    fn is_extensible() -> bool {
        true
    }

    fn extend(&mut self, other: &Self) {
        if let Err(error) = self.append(other) {
            self.failure.get_or_insert(error);
        }
    }
}
