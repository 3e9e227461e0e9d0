//! Every odd shape of circuit against the textbook.

use super::samples::{self, Textbook};
use super::*;

pub(super) fn pool() -> ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap()
}

/// The three evaluations, in buffers that held something else before.
pub(super) fn evaluate(matrices: &dyn Evaluate, assignment: &Assignment) -> [Vec<Fr>; 3] {
    let mut rows = [0; 3].map(|_| vec![Fr::from(42); matrices.rows()]);
    let [a, b, c] = &mut rows;
    matrices.evaluate(assignment, a, b, c, &pool()).unwrap();
    rows
}

pub(super) fn check(name: &str, matrices: &dyn Evaluate, assignment: &Assignment, textbook: &Textbook) {
    assert_eq!(matrices.rows(), textbook.rows[0].len(), "{name}: rows");
    for (part, (ours, theirs)) in evaluate(matrices, assignment).iter().zip(&textbook.rows).enumerate() {
        let differs = ours.iter().zip(theirs).position(|(ours, theirs)| ours != theirs);
        assert_eq!(differs, None, "{name}: part {part} differs at this row");
    }
    let Densities { a_aux, b_input, b_aux } = matrices.densities();
    for (bits, flags) in [
        (a_aux, &textbook.a_aux),
        (b_input, &textbook.b_input),
        (b_aux, &textbook.b_aux),
    ] {
        let bits: Vec<bool> = (0..bits.len()).map(|index| bits.get(index)).collect();
        assert_eq!(bits, *flags, "{name}: density");
    }
}

#[test]
fn witness_and_direct_evaluation_agree_with_the_textbook() {
    for sample in samples::all() {
        let textbook = Textbook::run(sample.clone());
        let assignment = pool().install(|| synthesize(sample.clone())).unwrap();
        assert_eq!(assignment.inputs, textbook.inputs, "{}", sample.name);
        assert_eq!(assignment.aux.len(), textbook.aux.len(), "{}", sample.name);
        for (index, value) in textbook.aux.iter().enumerate() {
            assert_eq!(assignment.aux.get(index), *value, "{}: aux {index}", sample.name);
        }
        // A recording needs no values.
        let direct = Direct::record(sample.blank()).unwrap();
        check(sample.name, &direct, &assignment, &textbook);
    }
}

#[test]
fn a_recording_agrees_with_the_textbook() {
    for sample in samples::all() {
        let textbook = Textbook::run(sample.clone());
        let assignment = pool().install(|| synthesize(sample.clone())).unwrap();
        let template = record(sample.blank()).unwrap();
        eprintln!("{}: {:?}", sample.name, template.summary());
        check(sample.name, &template, &assignment, &textbook);
    }
}

#[test]
fn a_missing_value_is_an_error_and_stops_nothing_else() {
    let sample = &samples::all()[2];
    let error = synthesize(sample.blank()).unwrap_err();
    assert!(error.to_string().contains("assignment"), "{error}");
    assert!(synthesize(sample.clone()).is_ok());
}

#[test]
fn evaluation_refuses_what_does_not_fit() {
    let samples = samples::all();
    let matrices = Direct::record(samples[2].blank()).unwrap();
    let mut rows = [0; 3].map(|_| vec![Fr::from(0); matrices.rows()]);
    let [a, b, c] = &mut rows;
    let foreign = synthesize(samples[6].clone()).unwrap();
    let error = matrices.evaluate(&foreign, a, b, c, &pool()).unwrap_err();
    assert!(error.to_string().contains("another circuit"), "{error}");
    let own = synthesize(samples[2].clone()).unwrap();
    let error = matrices.evaluate(&own, &mut a[1..], b, c, &pool()).unwrap_err();
    assert!(error.to_string().contains("a buffer for"), "{error}");
}
