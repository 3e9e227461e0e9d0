//! Every odd shape of circuit against the textbook.

use super::samples::{self, Sample, Shape, Textbook};
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
        let summary = template.summary();
        assert_eq!(
            summary.non_zeros,
            Direct::record(sample.blank()).unwrap().non_zeros(),
            "{}",
            sample.name
        );
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

fn blocks(blocks: usize, rows: usize, broken: Option<usize>) -> Sample {
    Sample {
        name: "blocks",
        values: true,
        shape: Shape::Blocks { blocks, rows, broken },
    }
}

#[test]
fn blocks_of_every_length_are_found_and_stored_once() {
    for rows in [1, 2, 7, 100, 255, 256, 257, 400] {
        let sample = blocks(60, rows, None);
        let textbook = Textbook::run(sample.clone());
        let template = record(sample.blank()).unwrap();
        check("blocks", &template, &synthesize(sample).unwrap(), &textbook);
        let summary = template.summary();
        // The prologue, and what it takes to be sure of a period.
        let most = 1000 + 3 * rows;
        if summary.counts.rows > 2 * most {
            assert!(summary.stored_rows < most, "{rows} rows a block: {summary:?}");
        }
    }
}

#[test]
fn a_circuit_without_repetition_takes_seven_bytes_a_non_zero() {
    let shape = Shape::Random { rows: 60_000, seed: 3 };
    let sample = Sample {
        name: "random",
        values: true,
        shape,
    };
    let summary = record(sample.blank()).unwrap().summary();
    let non_zeros: usize = summary.non_zeros.iter().sum();
    assert!(summary.stored_bytes <= 7 * non_zeros, "{summary:?}");
}

#[test]
fn a_known_circuit_is_stopped_and_completed() {
    let whole = blocks(20, 3_000, None);
    let known = record(whole.blank()).unwrap().counts();
    // An odd row near the end is never seen, since the recorder is sure long before.
    let odd = blocks(20, 3_000, Some(15));
    let template = record_known(odd.blank(), known).unwrap();
    let assignment = synthesize(whole.clone()).unwrap();
    check("known", &template, &assignment, &Textbook::run(whole.clone()));

    // Only the comparison can tell, and it does.
    let [a, b, c] = evaluate(&template, &assignment);
    template.compare(whole.blank(), &assignment, [&a, &b, &c]).unwrap();
    let error = template.compare(odd.blank(), &assignment, [&a, &b, &c]).unwrap_err();
    assert!(error.to_string().contains("does not agree"), "{error}");

    // An odd row early on is seen, and then the counts are not those that were announced.
    let error = record_known(blocks(20, 3_000, Some(1)).blank(), known).unwrap_err();
    assert!(error.to_string().contains("were expected"), "{error}");
}

#[test]
fn the_comparison_finds_any_wrong_part_of_a_recording() {
    let sample = blocks(6, 2_000, None);
    let assignment = synthesize(sample.clone()).unwrap();
    let right = record(sample.blank()).unwrap();
    let [a, b, c] = evaluate(&right, &assignment);
    let wrongs: [fn(&mut Template); 4] = [
        |template| *template.store.columns.last_mut().unwrap() += 1,
        |template| template.store.coefficients[700] = u16::from(template.store.coefficients[700] == 0),
        |template| template.store.dictionary[1] += Fr::from(1),
        |template| template.densities.b_aux = Bits::zeros(template.counts.aux).unwrap(),
    ];
    for (number, wrong) in wrongs.iter().enumerate() {
        let mut template = record(sample.blank()).unwrap();
        template.compare(sample.blank(), &assignment, [&a, &b, &c]).unwrap();
        wrong(&mut template);
        let outcome = template.compare(sample.blank(), &assignment, [&a, &b, &c]);
        assert!(outcome.is_err(), "wrong part {number}");
    }
    let mut elsewhere = c.clone();
    elsewhere[4_321] += Fr::from(1);
    let error = right
        .compare(sample.blank(), &assignment, [&a, &b, &elsewhere])
        .unwrap_err();
    assert!(error.to_string().contains("row 4321 "), "{error}");
}
