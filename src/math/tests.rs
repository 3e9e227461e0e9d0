//! The fast paths against the references, on every odd size and pattern.

use blstrs::{G1Affine, G1Projective, G2Affine};
use ff::Field;
use group::{Curve, Group as _};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::curve::Group;
use super::msm::{msm, sum_selected, Pairing};
use super::ntt::{bit_reverse, Domain};
use super::scalar::SignedScalar;
use super::{reference, Fr};

/// Multiples of the generator, with what additions must not stumble over: neighbours that are equal, opposite, or
/// infinity.
fn points<G: Group>(len: usize) -> Vec<G> {
    let mut point = G::Curve::generator();
    let mut points = Vec::with_capacity(len);
    for index in 0..len {
        let previous = points.last().copied().unwrap_or(G::generator());
        points.push(match index % 11 {
            3 => previous,
            5 => -previous,
            7 => G::identity(),
            _ => point.to_affine(),
        });
        point += if index % 3 == 0 { point } else { G::Curve::generator() };
    }
    points
}

fn patterns(len: usize, rng: &mut ChaCha8Rng) -> Vec<(&'static str, Vec<Fr>)> {
    let mut fill = |value: &mut dyn FnMut(&mut ChaCha8Rng) -> Fr| (0..len).map(|_| value(rng)).collect::<Vec<_>>();
    let same = Fr::from(0x1234_5678_9abc_def1).square();
    vec![
        ("random", fill(&mut |rng| Fr::random(rng))),
        ("zero", fill(&mut |_| Fr::ZERO)),
        ("one", fill(&mut |_| Fr::ONE)),
        ("r - 1", fill(&mut |_| -Fr::ONE)),
        ("equal", fill(&mut |_| same)),
        ("small", fill(&mut |rng| Fr::from(rng.gen_range(0..5)))),
        (
            "mostly bits",
            fill(&mut |rng| match rng.gen_range(0..50) {
                0 => Fr::random(rng),
                pick => Fr::from(pick % 2),
            }),
        ),
    ]
}

fn signed(scalars: &[Fr]) -> Vec<SignedScalar> {
    scalars.iter().map(SignedScalar::from).collect()
}

fn compare_msm<G: Group>(lens: &[usize]) {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let points = points::<G>(lens.iter().copied().max().unwrap_or(0));
    for len in lens {
        for (name, scalars) in patterns(*len, &mut rng) {
            let points = &points[..*len];
            let expected = reference::msm(points, &scalars);
            let signed = signed(&scalars);
            let whole = msm(points, &signed, Pairing::InOrder).unwrap();
            assert_eq!(whole, expected, "{name}, {len} terms");

            // Every other term, backwards.
            let picked: Vec<(u32, u32)> = (0..*len as u32).rev().step_by(2).map(|term| (term, term)).collect();
            let expected = picked
                .iter()
                .map(|(point, scalar)| points[*point as usize] * scalars[*scalar as usize]);
            let sum = msm(points, &signed, Pairing::Picked(&picked)).unwrap();
            assert_eq!(sum, expected.sum::<G::Curve>(), "{name}, half of {len} terms");
        }
    }
}

#[test]
fn msm_g1_equals_the_reference() {
    compare_msm::<G1Affine>(&[0, 1, 2, 3, 4, 5, 7, 8, 31, 32, 33, 100, 1500]);
}

/// Buckets that fill more than a tile.
#[test]
fn msm_of_equal_scalars_is_the_scalar_times_the_sum() {
    let points = points::<G1Affine>(10_001);
    let scalar = Fr::from(0xfeed_5eed).square();
    let sum: G1Projective = points.iter().map(G1Projective::from).sum();
    assert_eq!(
        msm(&points, &signed(&vec![scalar; points.len()]), Pairing::InOrder).unwrap(),
        sum * scalar
    );
}

#[test]
fn msm_g2_equals_the_reference() {
    compare_msm::<G2Affine>(&[0, 1, 2, 3, 33, 600]);
}

#[test]
fn more_points_than_scalars_are_ignored() {
    let points = points::<G1Affine>(20);
    let scalars = [Fr::from(5); 7];
    let sum = msm(&points, &signed(&scalars), Pairing::InOrder).unwrap();
    assert_eq!(sum, reference::msm(&points[..7], &scalars));
}

fn compare_sum<G: Group>(lens: &[usize]) {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for len in lens {
        for (selected_share, density_share) in
            [(0.5, 1.0), (0.5, 0.25), (1.0, 1.0), (1.0, 0.5), (0.0, 1.0), (0.01, 0.9)]
        {
            let mut plane = |share| {
                let mut words = vec![0u64; len.div_ceil(64)];
                (0..*len)
                    .filter(|_| rng.gen_bool(share))
                    .for_each(|bit| words[bit / 64] |= 1 << (bit % 64));
                words
            };
            let (selected, density) = (plane(selected_share), plane(density_share));
            let bit = |words: &[u64], bit: usize| words[bit / 64] >> (bit % 64) & 1 == 1;
            let dense: Vec<usize> = (0..*len).filter(|index| bit(&density, *index)).collect();
            let points = points::<G>(dense.len());
            let expected: G::Curve = dense
                .iter()
                .zip(&points)
                .filter(|(index, _)| bit(&selected, **index))
                .fold(G::Curve::identity(), |sum, (_, point)| sum + *point);
            assert_eq!(
                sum_selected(&points, &selected, &density).unwrap(),
                expected,
                "{len} variables"
            );
        }
    }
}

#[test]
fn sums_of_selected_points_equal_the_reference() {
    compare_sum::<G1Affine>(&[0, 1, 63, 64, 65, 1000, 20_000]);
    compare_sum::<G2Affine>(&[0, 1, 65, 9_000]);
}

#[test]
fn too_few_points_are_an_error() {
    let error = sum_selected(&points::<G1Affine>(2), &[7], &[7]).unwrap_err();
    assert_eq!(error.to_string(), "2 points for 3 variables");
}

#[test]
fn transforms_equal_the_reference() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let shift = Fr::from(7);
    for log_n in 0..=9 {
        let n = 1usize << log_n;
        let domain = Domain::new(n).unwrap();
        let coefficients: Vec<Fr> = (0..n).map(|_| Fr::random(&mut rng)).collect();
        let mut x = coefficients.clone();
        bit_reverse(&mut x);

        let mut values = x.clone();
        domain.forward(&mut values);
        assert_eq!(
            values,
            reference::evaluations(&coefficients, Fr::ONE),
            "forward, 2^{log_n}"
        );

        domain.inverse(&mut values);
        let factor = Fr::from(n as u64).invert().unwrap();
        domain.scale(&mut values, Fr::ONE, factor);
        assert!(values == x, "inverse, 2^{log_n}");

        domain.scale(&mut values, shift, Fr::ONE);
        domain.forward(&mut values);
        assert_eq!(values, reference::evaluations(&coefficients, shift), "coset, 2^{log_n}");
    }
}

/// Sizes at which blocks are shared between threads, by the values of a sparse polynomial.
#[test]
fn large_transforms_are_right() {
    for log_n in [14, 15, 16, 17] {
        let n = 1usize << log_n;
        let domain = Domain::new(n).unwrap();
        let mut x = vec![Fr::ZERO; n];
        (x[0], x[1], x[5], x[n - 1]) = (Fr::from(3), Fr::from(4), Fr::from(5), Fr::from(6));
        let coefficients = x.clone();
        bit_reverse(&mut x);
        let reversed = x.clone();
        domain.forward(&mut x);
        let root = reference::root_of_unity(log_n);
        let mut at = Fr::ONE;
        for value in &x {
            let expected = coefficients[0]
                + at * coefficients[1]
                + at.pow_vartime([5]) * coefficients[5]
                + at.pow_vartime([n as u64 - 1]) * coefficients[n - 1];
            assert_eq!(*value, expected);
            at *= root;
        }
        domain.inverse(&mut x);
        domain.scale(&mut x, Fr::ONE, Fr::from(n as u64).invert().unwrap());
        assert!(x == reversed);
    }
}

#[test]
fn domains_are_the_next_power_of_two() {
    for (len, n) in [(0, 1), (1, 1), (2, 2), (3, 4), (4, 4), (5, 8)] {
        assert_eq!(Domain::new(len).unwrap().n(), n);
    }
    assert!(Domain::new(1 << 32).is_err());
}
