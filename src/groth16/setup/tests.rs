//! The keys of circuits of odd shapes, byte for byte against bellperson's for the same trapdoor.

use std::fmt::Write as _;

use bellpepper_core::ConstraintSystem;
use bellperson::groth16::generate_parameters;
use blstrs::Bls12;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::telemetry::progress::Silent;

/// What each shape adds to a circuit.
#[derive(Clone, Copy, Default)]
struct Shape {
    inputs: usize,
    /// Constraints of the form aux · aux' = input or aux.
    products: usize,
    /// Long constraints with coefficients other than one, on the right or in the product only.
    sums: usize,
    /// An input that no constraint of the circuit mentions, between the others.
    unused_input: bool,
    /// A variable that cancels to zero on the left.
    cancelled: bool,
    /// A variable that nothing constrains.
    unconstrained: bool,
}

impl Circuit<Scalar> for Shape {
    fn synthesize<CS: ConstraintSystem<Scalar>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        let unknown = || Err(SynthesisError::AssignmentMissing);
        let one = CS::one();
        let mut variables = vec![one];
        for i in 0..self.inputs {
            variables.push(cs.alloc_input(|| format!("input {i}"), unknown)?);
            if self.unused_input && i == 0 {
                cs.alloc_input(|| "unused", unknown)?;
            }
        }
        for i in 0..self.products {
            let mut cs = cs.namespace(|| format!("product {i}"));
            let (a, b) = (variables[i % variables.len()], variables[i / 2 % variables.len()]);
            let c = cs.alloc(|| "c", unknown)?;
            cs.enforce(|| "a · b = c", |lc| lc + a, |lc| lc + b + one, |lc| lc + c);
            variables.push(c);
        }
        for i in 0..self.sums {
            let minus_three = -Scalar::from(3);
            let all = |lc| {
                variables
                    .iter()
                    .rev()
                    .fold(lc, |lc, v| lc + (minus_three, *v) + (Scalar::from(i as u64), *v))
            };
            cs.enforce(|| format!("sum {i}"), |lc| lc, all, |lc| all(lc) - one);
        }
        if self.cancelled {
            let x = cs.alloc(|| "x", unknown)?;
            cs.enforce(|| "0 · 1 = x", |lc| lc + x - x, |lc| lc + one, |lc| lc + x);
        }
        if self.unconstrained {
            cs.alloc(|| "lost", unknown)?;
        }
        Ok(())
    }
}

fn trapdoor(seed: u64) -> Trapdoor {
    Trapdoor::random(&mut ChaCha8Rng::seed_from_u64(seed))
}

fn ours(shape: Shape, trapdoor: Trapdoor) -> Result<(Vec<u8>, Vec<u8>)> {
    let exponents = Exponents::new(|| shape, trapdoor, &Silent)?;
    let (mut parameters, mut verifying_key) = (Vec::new(), Vec::new());
    exponents.write_parameters(&mut parameters, &Silent)?;
    exponents.write_verifying_key(&mut verifying_key)?;
    assert_eq!(parameters.len() as u64, exponents.parameters_bytes());
    assert_eq!(verifying_key.len() as u64, exponents.verifying_key_bytes());
    Ok((parameters, verifying_key))
}

fn bellpersons(shape: Shape, t: &Trapdoor) -> Result<(Vec<u8>, Vec<u8>), SynthesisError> {
    let (g1, g2) = (G1Projective::generator(), G2Projective::generator());
    let key = generate_parameters::<Bls12, _>(shape, g1, g2, t.alpha, t.beta, t.gamma, t.delta, t.tau)?;
    let (mut parameters, mut verifying_key) = (Vec::new(), Vec::new());
    key.write(&mut parameters)?;
    key.vk.write(&mut verifying_key)?;
    Ok((parameters, verifying_key))
}

fn assert_same(name: &str, shape: Shape) {
    for seed in 0..2 {
        let expected = bellpersons(shape, &trapdoor(seed)).unwrap();
        let found = ours(shape, trapdoor(seed)).unwrap();
        assert!(found.0 == expected.0, "{name}: the parameters differ");
        assert!(found.1 == expected.1, "{name}: the verifying keys differ");
    }
}

#[test]
fn odd_shapes_give_bellpersons_bytes() {
    let none = Shape::default();
    assert_same("no variable, no constraint", none);
    assert_same("inputs alone", Shape { inputs: 3, ..none });
    assert_same(
        "no auxiliary variable",
        Shape {
            inputs: 2,
            sums: 3,
            ..none
        },
    );
    assert_same("one constraint", Shape { products: 1, ..none });
    assert_same(
        "unused input",
        Shape {
            inputs: 3,
            products: 5,
            unused_input: true,
            ..none
        },
    );
    assert_same(
        "cancelled variable",
        Shape {
            inputs: 1,
            products: 2,
            cancelled: true,
            ..none
        },
    );
    assert_same(
        "all at once",
        Shape {
            inputs: 5,
            products: 40,
            sums: 7,
            unused_input: true,
            cancelled: true,
            ..none
        },
    );
}

#[test]
fn full_and_overfull_domains_give_bellpersons_bytes() {
    // Each circuit has one constraint per product, and one for each of its three inputs with the constant.
    for products in [1, 2, 60, 61, 62, 1020, 1021, 1022] {
        let shape = Shape {
            inputs: 2,
            products,
            ..Shape::default()
        };
        assert_same(&format!("{} constraints", products + 3), shape);
    }
}

#[test]
fn an_unconstrained_variable_is_refused_as_bellperson_does() {
    let shape = Shape {
        products: 3,
        unconstrained: true,
        ..Shape::default()
    };
    assert!(matches!(
        bellpersons(shape, &trapdoor(0)),
        Err(SynthesisError::UnconstrainedVariable)
    ));
    let error = ours(shape, trapdoor(0)).unwrap_err().to_string();
    assert!(error.contains("unconstrained"), "{error}");
}

#[test]
fn a_degenerate_trapdoor_is_refused() {
    let shape = Shape {
        products: 3,
        ..Shape::default()
    };
    let mut texts = String::new();
    for spoil in [
        |t: &mut Trapdoor| t.gamma = Scalar::ZERO,
        |t: &mut Trapdoor| t.delta = Scalar::ZERO,
        |t: &mut Trapdoor| t.tau = Scalar::ONE,
    ] {
        let mut t = trapdoor(0);
        spoil(&mut t);
        writeln!(texts, "{}", ours(shape, t).unwrap_err()).unwrap();
    }
    assert!(
        texts.contains("gamma") && texts.contains("delta") && texts.contains("tau"),
        "{texts}"
    );
}
