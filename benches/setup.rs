//! Our setup against bellperson's `generate_random_parameters`, on the same circuit in one run: A B B A.
//!
//! `cargo bench --bench setup -- [winning|window|update|porep]...` (2 KiB circuits; window unless told otherwise). Prints each
//! run's wall time and processor time, and their ratios.

use std::fs;
use std::io::Write;
use std::time::Instant;

use bellpepper_core::Circuit;
use bellperson::groth16::generate_random_parameters;
use blstrs::{Bls12, Scalar};
use filcrypto::filecoin::local_params::{CircuitTask, Kind, ParameterSet, SectorSize};
use filcrypto::groth16::setup::{Exponents, Trapdoor};
use filcrypto::telemetry::progress::Silent;
use rand::rngs::OsRng;

/// Seconds.
#[derive(Clone, Copy)]
struct Cost {
    wall: f64,
    processor: f64,
}

/// Counts bytes, so that no disk is measured.
struct Sink(u64);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Seconds of processor time that this process has used, in all its threads.
fn processor_seconds() -> f64 {
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").expect("/proc is mounted");
    let after_name = stat.rsplit_once(')').expect("the name is in brackets").1;
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let ticks = |index: usize| fields[index].parse::<f64>().expect("a number of ticks");
    (ticks(11) + ticks(12)) / TICKS_PER_SECOND
}

fn measure(work: impl FnOnce() -> u64) -> (Cost, u64) {
    let (start, used) = (Instant::now(), processor_seconds());
    let bytes = work();
    let cost = Cost {
        wall: start.elapsed().as_secs_f64(),
        processor: processor_seconds() - used,
    };
    (cost, bytes)
}

fn ours<C: Circuit<Scalar>>(circuit: impl Fn() -> C) -> u64 {
    let exponents = Exponents::new(circuit, Trapdoor::random(&mut OsRng), &Silent).expect("the circuit is sound");
    let mut sink = Sink(0);
    exponents
        .write_parameters(&mut sink, &Silent)
        .expect("a sink takes all");
    sink.0
}

fn bellpersons<C: Circuit<Scalar>>(circuit: impl Fn() -> C) -> u64 {
    let key = generate_random_parameters::<Bls12, _, _>(circuit(), &mut OsRng).expect("the circuit is sound");
    let mut sink = Sink(0);
    key.write(&mut sink).expect("a sink takes all");
    sink.0
}

/// Compares on the circuit of a set.
struct Comparison(String);

impl CircuitTask for Comparison {
    type Output = ();

    fn run<C: Circuit<Scalar>>(self, circuit: impl Fn() -> C) {
        compare(&self.0, circuit);
    }
}

fn compare<C: Circuit<Scalar>>(name: &str, circuit: impl Fn() -> C) {
    let runs = [
        ("ours", true),
        ("bellperson", false),
        ("bellperson", false),
        ("ours", true),
    ];
    let mut sizes = Vec::new();
    let costs = runs.map(|(who, is_ours)| {
        let (cost, bytes) = measure(|| if is_ours { ours(&circuit) } else { bellpersons(&circuit) });
        println!(
            "{name}: {who:<10} {:8.2} s wall {:8.2} s processor, {bytes} bytes",
            cost.wall, cost.processor
        );
        sizes.push(bytes);
        cost
    });
    assert!(
        sizes.iter().all(|size| *size == sizes[0]),
        "both must make the same keys"
    );
    let ratio = |of: fn(&Cost) -> f64| (of(&costs[1]) + of(&costs[2])) / (of(&costs[0]) + of(&costs[3]));
    let (wall, processor) = (ratio(|cost| cost.wall), ratio(|cost| cost.processor));
    println!("{name}: faster by {wall:.1} in wall time, by {processor:.1} in processor time");
}

fn main() {
    // Cargo adds flags of its own.
    let mut names: Vec<String> = std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    if names.is_empty() {
        names.push(Kind::Window.to_string());
    }
    let kinds = [Kind::Porep, Kind::Winning, Kind::Window, Kind::Update];
    for name in names {
        let kind = kinds.into_iter().find(|kind| kind.to_string() == name);
        let kind = kind.unwrap_or_else(|| panic!("{name} is none of porep, winning, window, update"));
        let sector_size = SectorSize::KiB2;
        let set = ParameterSet { sector_size, kind };
        set.with_circuit(Comparison(set.to_string()))
            .expect("2 KiB circuits exist");
    }
}
