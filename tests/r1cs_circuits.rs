//! Recordings of Filecoin's own circuits: the four of 2 KiB sectors against direct evaluation, and the shape of a 32 GiB
//! PoRep, of which the recorder sees the first blocks only. `--nocapture` shows what was found.

use std::fs::File;
use std::time::Instant;

use bellperson::Circuit;
use ff::Field;
use filcrypto::groth16::r1cs::{record, record_known, synthesize, Assignment, Counts, Direct, Evaluate, Fr, Template};
use filecoin_proofs::constants::{DefaultPieceHasher, SectorShape2KiB, SectorShape32GiB};
use filecoin_proofs::parameters::{public_params, window_post_public_params, winning_post_public_params};
use filecoin_proofs::types::{MerkleTreeTrait, SealCommitPhase1Output, SealPreCommitPhase1Output, UnpaddedBytesAmount};
use filecoin_proofs::{add_piece, seal_commit_phase1, seal_pre_commit_phase1, seal_pre_commit_phase2};
use filecoin_proofs_api::{RegisteredPoStProof, RegisteredSealProof, SectorId};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::ThreadPool;
use storage_proofs_core::compound_proof::CompoundProof;
use storage_proofs_porep::stacked::{self, StackedCircuit, StackedCompound, StackedDrg};
use storage_proofs_post::fallback::{self, FallbackPoSt, FallbackPoStCircuit, FallbackPoStCompound};
use storage_proofs_update::{EmptySectorUpdate, EmptySectorUpdateCircuit, EmptySectorUpdateCompound, PublicParams};

fn porep<Tree: MerkleTreeTrait + 'static>(proof: RegisteredSealProof) -> StackedCircuit<Tree, DefaultPieceHasher> {
    type Compound<Tree> = StackedCompound<Tree, DefaultPieceHasher>;
    let public = public_params::<Tree>(&proof.as_v1_config()).expect("public parameters");
    <Compound<Tree> as CompoundProof<StackedDrg<Tree, DefaultPieceHasher>, _>>::blank_circuit(&public)
}

fn post(public: fallback::PublicParams) -> FallbackPoStCircuit<SectorShape2KiB> {
    type Compound = FallbackPoStCompound<SectorShape2KiB>;
    <Compound as CompoundProof<FallbackPoSt<SectorShape2KiB>, _>>::blank_circuit(&public)
}

fn update() -> EmptySectorUpdateCircuit<SectorShape2KiB> {
    type Compound = EmptySectorUpdateCompound<SectorShape2KiB>;
    let public = PublicParams::from_sector_size(2048);
    <Compound as CompoundProof<EmptySectorUpdate<SectorShape2KiB>, _>>::blank_circuit(&public)
}

/// The circuit of a freshly sealed sector's first partition, with all its values.
fn sealed() -> StackedCircuit<SectorShape2KiB, DefaultPieceHasher> {
    let directory = tempfile::tempdir().expect("a directory");
    let [staged, replica, cache] = ["staged", "replica", "cache"].map(|name| directory.path().join(name));
    std::env::set_var("FIL_PROOFS_PARENT_CACHE", directory.path().join("parents"));
    std::fs::create_dir(&cache).expect("the cache");
    let config = RegisteredSealProof::StackedDrg2KiBV1_1.as_v1_config();
    let data: Vec<u8> = (0..2032).map(|index| (index % 251) as u8).collect();
    let file = File::create(&staged).expect("the staged sector");
    let (piece, _) = add_piece(&data[..], file, UnpaddedBytesAmount(2032), &[]).expect("a piece");
    File::create(&replica).expect("the replica");

    let (prover, sector, ticket, seed) = ([7; 32], SectorId::from(1), [3; 32], [9; 32]);
    let pieces = [piece];
    let phase1: SealPreCommitPhase1Output<SectorShape2KiB> =
        seal_pre_commit_phase1(&config, &cache, &staged, &replica, prover, sector, ticket, &pieces).expect("PC1");
    let phase2 = seal_pre_commit_phase2(&config, phase1, &cache, &replica).expect("PC2");
    let commit: SealCommitPhase1Output<SectorShape2KiB> =
        seal_commit_phase1(&config, &cache, &replica, prover, sector, ticket, seed, phase2, &pieces).expect("C1");

    let inputs = stacked::PublicInputs {
        replica_id: commit.replica_id,
        tau: Some(stacked::Tau {
            comm_d: commit.comm_d.into(),
            comm_r: commit.comm_r.into(),
        }),
        k: None,
        seed: Some(commit.seed),
    };
    let public = public_params::<SectorShape2KiB>(&config).expect("public parameters");
    let circuit = <StackedCompound<SectorShape2KiB, DefaultPieceHasher> as CompoundProof<
        StackedDrg<SectorShape2KiB, DefaultPieceHasher>,
        _,
    >>::circuit(&inputs, (), &commit.vanilla_proofs[0], &public, Some(0));
    circuit.expect("a circuit")
}

/// Values in the proportions of a real witness; they need not satisfy anything to be evaluated.
fn assignment(counts: Counts) -> Assignment {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut assignment = Assignment::default();
    assignment.inputs.push(Fr::ONE);
    assignment
        .inputs
        .extend((1..counts.inputs).map(|_| Fr::random(&mut rng)));
    for _ in 0..counts.aux {
        let value = match rng.gen_range(0..1000) {
            0..513 => Fr::ZERO,
            513..984 => Fr::ONE,
            _ => Fr::random(&mut rng),
        };
        assignment.aux.push(value).expect("room");
    }
    assignment
}

fn evaluate(matrices: &dyn Evaluate, assignment: &Assignment, pool: &ThreadPool) -> [Vec<Fr>; 3] {
    let mut rows = [0; 3].map(|_| vec![Fr::ZERO; matrices.rows()]);
    let [a, b, c] = &mut rows;
    matrices.evaluate(assignment, a, b, c, pool).expect("evaluation");
    rows
}

fn check<C: Circuit<Fr>>(name: &str, blank: impl Fn() -> C) -> Template {
    let started = Instant::now();
    let template = record(blank()).expect("a recording");
    let summary = template.summary();
    println!(
        "{name}: recorded in {:.2} s: {summary:?}",
        started.elapsed().as_secs_f64()
    );

    let direct = Direct::record(blank()).expect("a direct recording");
    assert_eq!(summary.counts, direct.counts(), "{name}");
    assert_eq!(summary.non_zeros, direct.non_zeros(), "{name}");
    assert!(template.densities() == direct.densities(), "{name}: densities");

    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("a pool");
    let assignment = assignment(summary.counts);
    let expected = evaluate(&direct, &assignment, &pool);
    drop(direct);
    let started = Instant::now();
    let [a, b, c] = evaluate(&template, &assignment, &pool);
    println!(
        "{name}: evaluated in {:.3} s on two threads",
        started.elapsed().as_secs_f64()
    );
    for (part, (ours, theirs)) in [&a, &b, &c].into_iter().zip(&expected).enumerate() {
        let differs = ours.iter().zip(theirs).position(|(ours, theirs)| ours != theirs);
        assert_eq!(differs, None, "{name}: part {part} differs at this row");
    }

    let evaluated = [&a[..], &b[..], &c[..]];
    template
        .compare(blank(), &assignment, evaluated)
        .expect("the first use's comparison");
    let mut wrong = b.clone();
    let row = wrong.len() / 3;
    wrong[row] += Fr::ONE;
    let error = template
        .compare(blank(), &assignment, [&a, &wrong, &c])
        .expect_err("a wrong row");
    assert!(error.to_string().contains(&format!("row {row} ")), "{error}");
    template
}

#[test]
fn porep_of_2_kib() {
    let template = check("porep", || {
        porep::<SectorShape2KiB>(RegisteredSealProof::StackedDrg2KiBV1_1)
    });
    let summary = template.summary();
    // The circuit's own rows, and one for each input.
    assert_eq!(
        summary.counts,
        Counts {
            inputs: 40,
            aux: 2_685_673,
            rows: 2_687_921 + 40
        }
    );
    assert_eq!(summary.distinct_coefficients, 1526);
    // The second challenge repeats the first.
    assert_eq!(summary.block.map(|(rows, _)| rows), Some(1_343_675));
    assert!(summary.stored_rows < 1_343_675 / 4, "{summary:?}");

    let circuit = sealed();
    let started = Instant::now();
    let assignment = synthesize(circuit.clone()).expect("a witness");
    println!("porep: witness in {:.2} s", started.elapsed().as_secs_f64());
    let count = |words: &[u64]| words.iter().map(|word| word.count_ones() as usize).sum::<usize>();
    let (ones, others) = (count(assignment.aux.ones()), count(assignment.aux.others()));
    let share = |part: usize| 100.0 * part as f64 / assignment.aux.len() as f64;
    let zeros = assignment.aux.len() - ones - others;
    println!(
        "porep: {:.2} % zeros, {:.2} % ones, {:.2} % others",
        share(zeros),
        share(ones),
        share(others)
    );

    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("a pool");
    let [a, b, c] = evaluate(&template, &assignment, &pool);
    let unsatisfied = a.iter().zip(&b).zip(&c).position(|((a, b), c)| a * b != *c);
    assert_eq!(unsatisfied, None, "a sealed sector does not satisfy this row");
    // Compared with the circuit of the proof itself, not with a blank one.
    template
        .compare(circuit, &assignment, [&a, &b, &c])
        .expect("the first use's comparison");
}

#[test]
fn winning_post_of_2_kib() {
    let config = RegisteredPoStProof::StackedDrgWinning2KiBV1.as_v1_config();
    check("winning", || {
        post(winning_post_public_params::<SectorShape2KiB>(&config).expect("public parameters"))
    });
}

#[test]
fn window_post_of_2_kib() {
    let config = RegisteredPoStProof::StackedDrgWindow2KiBV1_2.as_v1_config();
    check("window", || {
        post(window_post_public_params::<SectorShape2KiB>(&config).expect("public parameters"))
    });
}

#[test]
fn update_of_2_kib() {
    check("update", update);
}

/// Seconds that this thread has computed.
fn thread_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid timespec to write to.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(status, 0);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

#[test]
fn porep_of_32_gib_is_recorded_from_its_first_blocks() {
    // As published for this circuit.
    let known = Counts {
        inputs: 328,
        aux: 130_169_893,
        rows: 130_278_869,
    };
    let before = thread_seconds();
    let circuit = porep::<SectorShape32GiB>(RegisteredSealProof::StackedDrg32GiBV1_1);
    let template = record_known(circuit, known).expect("a recording");
    let seconds = thread_seconds() - before;
    let summary = template.summary();
    println!("porep of 32 GiB: recorded in {seconds:.1} s of one core: {summary:?}");

    assert_eq!(summary.counts, known);
    assert_eq!(summary.non_zeros, [309_405_051, 130_327_340, 282_656_500]);
    assert_eq!(summary.block.map(|(rows, _)| rows), Some(7_237_665));
    let densities = template.densities();
    let dense = [&densities.a_aux, &densities.b_aux, &densities.b_input].map(|bits| bits.count_ones());
    assert_eq!(dense, [129_753_292, 33_112_281, 1]);
    assert!(summary.stored_bytes < 400_000_000, "{summary:?}");
    assert!(seconds < 15.0, "{seconds} s");
}
