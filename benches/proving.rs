//! Whole proofs of real 2 KiB sectors beside bellperson's, warm, in one process and on the same keys.
//!
//! `cargo bench --bench proving -- [rounds]`, with 2 KiB parameters in FIL_PROOFS_PARAMETER_CACHE. A round is A B B A; the
//! medians and the spread are over all runs of each. Time of processors stands beside time of the clock: it says what the
//! work cost where other programs run too.

#[path = "../tests/sectors/mod.rs"]
mod sectors;

use std::fs::File;
use std::io::BufReader;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use bellperson::groth16::{create_proof, Parameters};
use bellperson::Circuit;
use blstrs::{Bls12, Scalar};
use ff::Field;
use filcrypto::filecoin::proving::Statement;
use filcrypto::filecoin::{seal, srs, update};
use filcrypto::groth16::pool::SlabPool;
use filcrypto::groth16::prover::{Blinding, Prover, Stages};
use filcrypto::groth16::r1cs::{record, synthesize, Evaluate};
use filecoin_proofs::constants::{DefaultPieceHasher, SectorShape2KiB};
use filecoin_proofs_api::RegisteredSealProof;
use sectors::*;
use storage_proofs_core::compound_proof::{CircuitComponent, CompoundProof};
use storage_proofs_core::parameter_cache::{parameter_cache_params_path, ParameterSetMetadata};
use storage_proofs_core::proof::ProofScheme;
use storage_proofs_porep::stacked::{StackedCircuit, StackedCompound, StackedDrg};
use storage_proofs_update::{EmptySectorUpdate, EmptySectorUpdateCircuit, EmptySectorUpdateCompound};

type Tree = SectorShape2KiB;
type Porep = StackedCompound<Tree, DefaultPieceHasher>;
type PorepScheme = StackedDrg<'static, Tree, DefaultPieceHasher>;
type PorepCircuit = StackedCircuit<Tree, DefaultPieceHasher>;
type Update = EmptySectorUpdateCompound<Tree>;
type UpdateScheme = EmptySectorUpdate<Tree>;
type UpdateCircuit = EmptySectorUpdateCircuit<Tree>;

const BUFFER_BYTES: usize = 4 << 30;

fn main() {
    let rounds = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(1);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    println!("{threads} threads, {rounds} rounds of A B B A");
    let workers = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("threads");
    let prover = Prover::new(workers, Arc::new(SlabPool::new(BUFFER_BYTES)));
    let sector = Sector::seal(RegisteredSealProof::StackedDrg2KiBV1_1, 1);
    let (commitments, _) = sector.update();
    let vanilla = sector.update_vanilla_proofs(&commitments);
    let statement = update::statement::<Tree>(UPDATE, &vanilla, &commitments).expect("an update");
    compare::<Update, UpdateScheme, UpdateCircuit>("update", &statement, &prover, rounds);
    let statement = seal::statement::<Tree>(sector.phase1()).expect("a seal");
    compare::<Porep, PorepScheme, PorepCircuit>("porep", &statement, &prover, rounds);
}

fn compare<P, S, C>(name: &str, statement: &Statement<'static, S>, prover: &Prover, rounds: usize)
where
    P: CompoundProof<'static, S, C>,
    S: ProofScheme<'static>,
    C: Circuit<Scalar> + CircuitComponent + Send,
    S::Proof: Sync + Send,
    S::PublicParams: ParameterSetMetadata + Sync + Send,
    S::PublicInputs: Clone + Sync,
{
    let params = &statement.public_params;
    let circuit = || {
        let private = C::ComponentPrivateInputs::default();
        let vanilla = &statement.vanilla_proofs[0];
        P::circuit(&statement.public_inputs, private, vanilla, params, Some(0)).expect("a circuit")
    };
    let path = parameter_cache_params_path(&P::cache_identifier(params));
    let rows = record(P::blank_circuit(params)).expect("a recording");
    let lease = srs::lease(&path).expect("a proving key");
    let file = File::open(&path).expect("a parameter file");
    let key = Parameters::<Bls12>::read(BufReader::new(file), false).expect("parameters");
    let (r, s) = (Scalar::random(rand::rngs::OsRng), Scalar::random(rand::rngs::OsRng));

    let mut stages = Vec::new();
    let mut ours = || {
        let mut run = Stages::new();
        let proof = prove(prover, &lease.view(), &rows, &circuit, Blinding { r, s }, &mut run);
        stages.push(run);
        proof
    };
    let theirs = || create_proof::<Bls12, _, _>(circuit(), &key, r, s).expect("a proof");
    assert!(ours() == theirs(), "{name}: the proofs differ");
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        a.push(timed(&mut ours));
        b.push(timed(theirs));
        b.push(timed(theirs));
        a.push(timed(&mut ours));
    }
    println!("\n{name}: {} rows", rows.rows());
    let (ours, theirs) = (report("filcrypto", &a), report("bellperson", &b));
    println!(
        "  faster by {:.2} (clock), {:.2} (processor)",
        theirs.0 / ours.0,
        theirs.1 / ours.1
    );
    // The first run was not warm.
    for (index, (stage, _)) in stages[0].iter().enumerate() {
        let mut times: Vec<f64> = stages[1..]
            .iter()
            .filter_map(|run| run.iter().nth(index))
            .map(|(_, time)| time.as_secs_f64())
            .collect();
        println!("    {stage:<18} {:>8.3} s", median(&mut times));
    }
}

fn prove<C: Circuit<Scalar>>(
    prover: &Prover,
    key: &filcrypto::srs::ProvingKeyView<'_>,
    rows: &dyn Evaluate,
    circuit: &(impl Fn() -> C + Sync),
    blinding: Blinding,
    stages: &mut Stages,
) -> bellperson::groth16::Proof<Bls12> {
    let witness = || prover.workers().install(|| synthesize(circuit()));
    let assignment = stages.time("witness", witness).expect("a witness");
    let evaluations = prover.evaluate(&assignment, rows, stages).expect("evaluations");
    prover.finish(key, evaluations, blinding, stages).expect("a proof")
}

/// Of the clock and of the processors.
fn timed<T>(run: impl FnOnce() -> T) -> (f64, f64) {
    let (clock, processor) = (Instant::now(), processor_time());
    run();
    (
        clock.elapsed().as_secs_f64(),
        (processor_time() - processor).as_secs_f64(),
    )
}

/// Of all threads, those that have ended too.
fn processor_time() -> Duration {
    const TICKS_A_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the name, which may hold spaces: the 14th and 15th field of the line are user and system time.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields
        .skip(11)
        .take(2)
        .filter_map(|ticks| ticks.parse::<u64>().ok())
        .sum();
    Duration::from_secs_f64(ticks as f64 / TICKS_A_SECOND)
}

fn report(name: &str, runs: &[(f64, f64)]) -> (f64, f64) {
    let mut clock: Vec<f64> = runs.iter().map(|run| run.0).collect();
    let mut processor: Vec<f64> = runs.iter().map(|run| run.1).collect();
    let (clock_median, processor_median) = (median(&mut clock), median(&mut processor));
    println!(
        "  {name:<11} clock {clock_median:>7.2} s ({:.2} to {:.2}), processor {processor_median:>7.2} s ({:.2} to {:.2})",
        clock[0],
        clock[clock.len() - 1],
        processor[0],
        processor[processor.len() - 1],
    );
    (clock_median, processor_median)
}

/// Sorts the values.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        len if len % 2 == 1 => values[len / 2],
        len => (values[len / 2 - 1] + values[len / 2]) / 2.0,
    }
}
