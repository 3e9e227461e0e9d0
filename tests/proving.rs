//! Every proving call on real 2 KiB sectors: what our prover makes is what the network's verification accepts, and at fixed
//! blinding it is byte for byte what bellperson makes.

mod sectors;
mod support;

use std::thread;

use bellperson::groth16::{create_proof, Parameters};
use bellperson::Circuit;
use blstrs::{Bls12, Scalar};
use ff::Field;
use filcrypto::filecoin::fallback::{self, Partitions};
use filcrypto::filecoin::proving::Statement;
use filcrypto::filecoin::{post, seal, srs, update};
use filcrypto::groth16::pool::SlabPool;
use filcrypto::groth16::prover::{Blinding, Prover};
use filcrypto::groth16::r1cs::{record, synthesize, Evaluate};
use filecoin_proofs::constants::{DefaultPieceHasher, SectorShape2KiB};
use filecoin_proofs_api::RegisteredSealProof;
use sectors::*;
use storage_proofs_core::compound_proof::{CircuitComponent, CompoundProof};
use storage_proofs_core::parameter_cache::{parameter_cache_params_path, ParameterSetMetadata};
use storage_proofs_core::proof::ProofScheme;
use storage_proofs_porep::stacked::{StackedCircuit, StackedCompound, StackedDrg};
use storage_proofs_post::fallback::{FallbackPoSt, FallbackPoStCircuit, FallbackPoStCompound};
use storage_proofs_update::{EmptySectorUpdate, EmptySectorUpdateCircuit, EmptySectorUpdateCompound};

type Tree = SectorShape2KiB;
type Porep = StackedCompound<Tree, DefaultPieceHasher>;
type PorepScheme = StackedDrg<'static, Tree, DefaultPieceHasher>;
type Post = FallbackPoStCompound<Tree>;
type PostScheme = FallbackPoSt<'static, Tree>;
type Update = EmptySectorUpdateCompound<Tree>;
type UpdateScheme = EmptySectorUpdate<Tree>;

const SEAL: RegisteredSealProof = RegisteredSealProof::StackedDrg2KiBV1_1;
const NON_INTERACTIVE: RegisteredSealProof = RegisteredSealProof::StackedDrg2KiBV1_2_Feat_NonInteractivePoRep;

fn seal_inputs(sector: &Sector) -> seal::SealInputs {
    seal::SealInputs {
        comm_r: sector.pre_commit.comm_r,
        comm_d: sector.pre_commit.comm_d,
        prover_id: PROVER_ID,
        sector_id: sector.id,
        ticket: TICKET,
        seed: SEED,
    }
}

/// Proves the first partition with both provers at the same blinding; prints a row of the table.
fn compare<P, S, C>(name: &str, statement: &Statement<'static, S>, prover: &Prover)
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
        P::circuit(
            &statement.public_inputs,
            private,
            &statement.vanilla_proofs[0],
            params,
            Some(0),
        )
        .unwrap()
    };
    let path = parameter_cache_params_path(&P::cache_identifier(params));
    let (r, s) = (Scalar::random(rand::rngs::OsRng), Scalar::random(rand::rngs::OsRng));

    let rows = record(P::blank_circuit(params)).unwrap();
    let assignment = prover.workers().install(|| synthesize(circuit())).unwrap();
    let lease = srs::lease(&path).unwrap();
    let proof = prover
        .prove(&lease.view(), &assignment, &rows, Blinding { r, s })
        .unwrap();

    let file = std::fs::File::open(&path).unwrap();
    let key = Parameters::<Bls12>::read(std::io::BufReader::new(file), false).unwrap();
    let expected = create_proof::<Bls12, _, _>(circuit(), &key, r, s).unwrap();
    let bytes = |proof: &bellperson::groth16::Proof<Bls12>| {
        let mut bytes = Vec::new();
        proof.write(&mut bytes).unwrap();
        bytes
    };
    assert_eq!(bytes(&proof), bytes(&expected), "{name}");
    let (inputs, aux) = (assignment.inputs.len(), assignment.aux.len());
    let full = assignment.aux.values().len() as f64 * 100.0 / aux as f64;
    println!(
        "{name:<12} {:>9} {inputs:>7} {aux:>9} {full:>6.2} %  equal",
        rows.rows()
    );
}

#[test]
fn proofs_of_each_kind_equal_bellpersons() {
    if support::local_parameters().is_none() {
        return;
    }
    let workers = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let prover = Prover::new(workers, std::sync::Arc::new(SlabPool::new(1 << 30)));
    println!(
        "{:<12} {:>9} {:>7} {:>9} {:>8}  proofs",
        "circuit", "rows", "inputs", "aux", "not 0, 1"
    );

    let sectors = [Sector::seal(SEAL, 1)];
    let winning = vanilla_proofs(&sectors, WINNING);
    let config = WINNING.as_v1_config();
    let statement = fallback::statement::<Tree>(&config, &RANDOMNESS, PROVER_ID, &winning, Partitions::All).unwrap();
    compare::<Post, PostScheme, FallbackPoStCircuit<Tree>>("winning", &statement, &prover);

    let window = vanilla_proofs(&sectors, WINDOW);
    let config = WINDOW.as_v1_config();
    let statement = fallback::statement::<Tree>(&config, &RANDOMNESS, PROVER_ID, &window, Partitions::All).unwrap();
    compare::<Post, PostScheme, FallbackPoStCircuit<Tree>>("window", &statement, &prover);

    let (commitments, _) = sectors[0].update();
    let vanilla = sectors[0].update_vanilla_proofs(&commitments);
    let statement = update::statement::<Tree>(UPDATE, &vanilla, &commitments).unwrap();
    compare::<Update, UpdateScheme, EmptySectorUpdateCircuit<Tree>>("update", &statement, &prover);

    let statement = seal::statement::<Tree>(sectors[0].phase1()).unwrap();
    compare::<Porep, PorepScheme, StackedCircuit<Tree, DefaultPieceHasher>>("porep", &statement, &prover);
}

#[test]
fn post_proofs_verify() {
    if support::local_parameters().is_none() {
        return;
    }
    let sectors = [Sector::seal(SEAL, 11), Sector::seal(SEAL, 12), Sector::seal(SEAL, 13)];

    let one = &sectors[..1];
    let verify = |proof: &[u8]| post::verify_winning(&RANDOMNESS, proof, &public(one, WINNING), PROVER_ID);
    let from_replicas = post::winning(&RANDOMNESS, &private(one, WINNING), PROVER_ID).unwrap();
    let from_vanilla =
        post::winning_with_vanilla(WINNING, &RANDOMNESS, PROVER_ID, &vanilla_proofs(one, WINNING)).unwrap();
    for proofs in [from_replicas, from_vanilla] {
        assert_eq!((proofs.len(), proofs[0].0), (1, WINNING));
        assert!(verify(&proofs[0].1).unwrap());
        assert!(!verify(&tampered(&proofs[0].1)).unwrap_or(false));
    }
    // One sector only.
    assert!(post::winning(&RANDOMNESS, &private(&sectors, WINNING), PROVER_ID).is_err());

    let public = public(&sectors, WINDOW);
    let verify = |proof: &[u8]| post::verify_window(&RANDOMNESS, &[(WINDOW, proof)], &public, PROVER_ID);
    let vanilla = vanilla_proofs(&sectors, WINDOW);
    let from_replicas = post::window(&RANDOMNESS, &private(&sectors, WINDOW), PROVER_ID).unwrap();
    let from_vanilla = post::window_with_vanilla(WINDOW, &RANDOMNESS, PROVER_ID, &vanilla).unwrap();
    // Two sectors a partition at this size.
    let partitions: Vec<u8> = vanilla
        .chunks(2)
        .enumerate()
        .flat_map(|(k, vanilla)| post::window_partition(WINDOW, &RANDOMNESS, PROVER_ID, vanilla, k).unwrap())
        .collect();
    for proof in [&from_replicas[0].1, &from_vanilla[0].1, &partitions] {
        assert_eq!(proof.len(), 2 * 192);
        assert!(verify(proof).unwrap());
        assert!(!verify(&tampered(proof)).unwrap_or(false));
    }
}

#[test]
fn window_post_names_the_faulty_sectors() {
    if support::local_parameters().is_none() {
        return;
    }
    let sectors = [Sector::seal(SEAL, 21), Sector::seal(SEAL, 22), Sector::seal(SEAL, 23)];
    for faulty in [0, 2] {
        std::fs::write(sectors[faulty].path("sealed"), [0; 2048]).unwrap();
    }
    let error = post::window(&RANDOMNESS, &private(&sectors, WINDOW), PROVER_ID).unwrap_err();
    assert_eq!(error.faulty_sectors(), [21, 23]);
}

#[test]
fn update_proofs_verify() {
    if support::local_parameters().is_none() {
        return;
    }
    let sector = Sector::seal(SEAL, 31);
    let (commitments, paths) = sector.update();
    let vanilla = sector.update_vanilla_proofs(&commitments);
    let from_files = update::prove(UPDATE, &commitments, paths).unwrap();
    let from_vanilla = update::prove_with_vanilla(UPDATE, vanilla.clone(), &commitments).unwrap();
    for proof in [from_files, from_vanilla] {
        assert!(update::verify(UPDATE, &proof, &commitments).unwrap());
        assert!(!update::verify(UPDATE, &tampered(&proof), &commitments).unwrap_or(false));
    }
    let error = update::prove_with_vanilla(UPDATE, Vec::new(), &commitments).unwrap_err();
    assert!(error.to_string().starts_with("0 vanilla proofs were given"), "{error}");
}

#[test]
fn seal_proofs_verify() {
    if support::local_parameters().is_none() {
        return;
    }
    let sector = Sector::seal(SEAL, 41);
    let phase1 = serde_json::to_vec(&sector.phase1()).unwrap();
    let proof = seal::commit_phase2(&phase1, PROVER_ID, sector.id).unwrap();
    assert!(seal::verify(SEAL, &seal_inputs(&sector), &proof).unwrap());
    assert!(!seal::verify(SEAL, &seal_inputs(&sector), &tampered(&proof)).unwrap_or(false));
    let proof = seal::commit_phase2_circuit_proofs(&phase1, sector.id).unwrap();
    assert!(seal::verify(SEAL, &seal_inputs(&sector), &proof).unwrap());
    // The C1 document of another miner.
    let error = seal::commit_phase2(&phase1, [1; 32], sector.id).unwrap_err();
    assert!(error.to_string().contains("does not verify for its miner"), "{error}");
}

#[test]
fn mixed_kinds_from_many_threads() {
    if support::local_parameters().is_none() {
        return;
    }
    let sectors = [Sector::seal(SEAL, 51)];
    let (commitments, _) = sectors[0].update();
    let update_vanilla = sectors[0].update_vanilla_proofs(&commitments);
    let winning_vanilla = vanilla_proofs(&sectors, WINNING);
    let window_vanilla = vanilla_proofs(&sectors, WINDOW);
    thread::scope(|scope| {
        for caller in 0..16 {
            let (sectors, commitments, update_vanilla) = (&sectors, &commitments, &update_vanilla);
            let (winning_vanilla, window_vanilla) = (&winning_vanilla, &window_vanilla);
            scope.spawn(move || match caller % 8 {
                0 => {
                    let proof = update::prove_with_vanilla(UPDATE, update_vanilla.clone(), commitments).unwrap();
                    assert!(update::verify(UPDATE, &proof, commitments).unwrap());
                }
                1..=3 => {
                    let proof = post::window_with_vanilla(WINDOW, &RANDOMNESS, PROVER_ID, window_vanilla).unwrap();
                    let proofs = [(WINDOW, &proof[0].1[..])];
                    assert!(post::verify_window(&RANDOMNESS, &proofs, &public(sectors, WINDOW), PROVER_ID).unwrap());
                }
                _ => {
                    let proof = post::winning_with_vanilla(WINNING, &RANDOMNESS, PROVER_ID, winning_vanilla).unwrap();
                    let public = public(sectors, WINNING);
                    assert!(post::verify_winning(&RANDOMNESS, &proof[0].1, &public, PROVER_ID).unwrap());
                }
            });
        }
    });
}

#[test]
fn non_interactive_proofs_verify() {
    if support::local_parameters().is_none() {
        return;
    }
    let sector = Sector::seal(NON_INTERACTIVE, 61);
    let phase1 = serde_json::to_vec(&sector.phase1()).unwrap();
    let proof = seal::commit_phase2(&phase1, PROVER_ID, sector.id).unwrap();
    assert!(seal::verify(NON_INTERACTIVE, &seal_inputs(&sector), &proof).unwrap());
}

fn resident_bytes() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: u64 = statm.split_whitespace().nth(1).unwrap().parse().unwrap();
    pages * 4096
}

/// In a process of its own, since it counts.
#[test]
fn first_proofs_share_one_load_and_memory_does_not_grow() {
    const NAME: &str = "first_proofs_share_one_load_and_memory_does_not_grow";
    let Some(parameters) = support::local_parameters() else {
        return;
    };
    if !support::is_child() {
        support::pass_in_child(NAME, &[("FIL_PROOFS_PARAMETER_CACHE", parameters.as_os_str())]);
        return;
    }
    filcrypto::telemetry::metrics::start();
    let sectors = [Sector::seal(SEAL, 71)];
    let vanilla = vanilla_proofs(&sectors, WINNING);
    let prove = || post::winning_with_vanilla(WINNING, &RANDOMNESS, PROVER_ID, &vanilla).unwrap();
    thread::scope(|scope| {
        let first: Vec<_> = (0..2).map(|_| scope.spawn(prove)).collect();
        first.into_iter().for_each(|proof| drop(proof.join().unwrap()));
    });
    let text = filcrypto::telemetry::metrics::render();
    let loads = text
        .lines()
        .filter(|line| line.starts_with("filcrypto_srs_loads_total"));
    let loads: f64 = loads
        .map(|line| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap())
        .sum();
    assert_eq!(loads, 1.0, "{text}");

    (0..10).for_each(|_| drop(prove()));
    let before = resident_bytes();
    (0..50).for_each(|_| drop(prove()));
    let growth = resident_bytes().saturating_sub(before);
    assert!(growth < 50 << 20, "{growth} bytes more after 50 proofs");
}
