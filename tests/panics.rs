//! After a panic in any exported function the same call works as before, and the caller is told.

mod support;

use std::collections::BTreeSet;
use std::panic;
use std::sync::Mutex;

use filcrypto::ffi::boundary::inject_panic;
use filcrypto::ffi::types::*;
use filcrypto::ffi::*;
use support::borrowed;

/// The least that a parameter's type allows: NULL, nothing, or a number that is no value of any enumeration.
trait Least {
    fn least() -> Self;
}

macro_rules! least {
    ($($type:ty: $value:expr),+ $(,)?) => {
        $(impl Least for $type {
            fn least() -> Self {
                $value
            }
        })+
    };
}

least! {
    bool: false,
    u8: 0,
    i32: -1,
    u32: 0,
    u64: 0,
    usize: 0,
    slice_boxed_uint8: Default::default(),
    PrivateReplicaInfo: PrivateReplicaInfo {
        registered_proof: -1,
        cache_dir_path: Default::default(),
        comm_r: Default::default(),
        replica_path: Default::default(),
        sector_id: 0,
    },
}

impl<T> Least for *const T {
    fn least() -> Self {
        std::ptr::null()
    }
}

impl<T> Least for *mut T {
    fn least() -> Self {
        std::ptr::null_mut()
    }
}

macro_rules! least_slices {
    ($($slice:ident),+ $(,)?) => {
        $(impl Least for $slice {
            fn least() -> Self {
                Self { ptr: std::ptr::null(), len: 0 }
            }
        })+
    };
}

least_slices!(
    slice_ref_uint8,
    slice_ref_uint64,
    slice_ref_size,
    slice_ref_uint8_32_array,
    slice_ref_slice_boxed_uint8,
    slice_ref_PublicPieceInfo,
    slice_ref_PoStProof,
    slice_ref_PrivateReplicaInfo,
    slice_ref_PublicReplicaInfo,
    slice_ref_AggregationInputs,
);

/// What a caller sees of an answer.
#[derive(Clone, Debug, PartialEq)]
enum Seen {
    Nothing,
    Bool(bool),
    Number(u64),
    Pointer { null: bool },
    Bytes(usize),
    Response { status: i32, text: String },
}

/// Looks at an answer and frees it.
trait Look {
    fn look(self) -> Seen;
    /// What stands for a panic.
    fn of_panic(_name: &str) -> Seen;
}

macro_rules! look {
    ($($type:ty: |$value:ident| $seen:expr, $panic:expr);+ $(;)?) => {
        $(impl Look for $type {
            fn look(self) -> Seen {
                let $value = self;
                $seen
            }
            fn of_panic(_name: &str) -> Seen {
                $panic
            }
        })+
    };
}

look! {
    (): |_value| Seen::Nothing, Seen::Nothing;
    bool: |value| Seen::Bool(value), Seen::Bool(false);
    u64: |value| Seen::Number(value), Seen::Number(0);
    slice_boxed_uint8: |value| Seen::Bytes(value.len), Seen::Bytes(0);
    *mut uint8_32_array: |value| array(value), Seen::Pointer { null: true };
    *mut uint8_48_array: |value| array(value), Seen::Pointer { null: true };
    *mut uint8_96_array: |value| array(value), Seen::Pointer { null: true };
}

fn array<T>(value: *mut T) -> Seen {
    let null = value.is_null();
    if !null {
        // SAFETY: the library made the array for the caller to free.
        drop(unsafe { Box::from_raw(value) });
    }
    Seen::Pointer { null }
}

macro_rules! look_at_responses {
    ($($response:ident),+ $(,)?) => {
        $(impl Look for *mut $response {
            fn look(self) -> Seen {
                assert!(!self.is_null(), "a response is never NULL");
                // SAFETY: the library made the response for the caller to free.
                let response = unsafe { Box::from_raw(self) };
                let text = String::from_utf8(response.error_msg.as_slice().to_vec()).expect("UTF-8");
                Seen::Response { status: response.status_code, text }
            }
            fn of_panic(name: &str) -> Seen {
                let text = format!("Rust panic: injected into {name}");
                Seen::Response { status: 1, text }
            }
        })+
    };
}

look_at_responses!(
    Result_EmptySectorUpdateEncodeInto,
    Result_FvmMachineExecuteResponse,
    Result_GenerateFallbackSectorChallenges,
    Result_GeneratePieceCommitment,
    Result_GenerateSingleWindowPoStWithVanilla,
    Result_GenerateWindowPoSt,
    Result_InnerFvmMachine_ptr,
    Result_PoStProof,
    Result_SealPreCommitPhase2,
    Result_WriteWithAlignment,
    Result_WriteWithoutAlignment,
    Result_bool,
    Result_size,
    Result_slice_boxed_PoStProof,
    Result_slice_boxed_slice_boxed_uint8,
    Result_slice_boxed_uint64,
    Result_slice_boxed_uint8,
    Result_uint8_32_array,
    Result_void,
);

/// One exported function, ready to be called.
struct Call {
    name: &'static str,
    run: Box<dyn Fn() -> Seen>,
    of_panic: Seen,
}

fn call<T: Look>(name: &'static str, run: impl Fn() -> T + 'static) -> Call {
    Call {
        name,
        run: Box::new(move || run().look()),
        of_panic: T::of_panic(name),
    }
}

/// `_` is the least argument of its type.
macro_rules! argument {
    (_) => {
        Least::least()
    };
    (nowhere) => {
        borrowed(b"/nonexistent")
    };
    ($value:literal) => {
        $value
    };
}

macro_rules! calls {
    ($($module:ident::$name:ident($($argument:tt),*)),+ $(,)?) => {
        vec![$({
            // Some of the functions are safe.
            #[allow(unused_unsafe)]
            // SAFETY: every argument is NULL, empty, or valid for ever.
            let run = || unsafe { $module::$name($(argument!($argument)),*) };
            call(stringify!($name), run)
        }),+]
    };
}

fn accessors_calls() -> Vec<Call> {
    calls![
        accessors::get_seal_params_cid(0),
        accessors::get_seal_verifying_key_cid(0),
        accessors::get_seal_params_path(0),
        accessors::get_seal_verifying_key_path(0),
        accessors::get_seal_circuit_identifier(0),
        accessors::get_seal_version(0),
        accessors::get_post_params_cid(0),
        accessors::get_post_verifying_key_cid(0),
        accessors::get_post_params_path(0),
        accessors::get_post_verifying_key_path(0),
        accessors::get_post_circuit_identifier(0),
        accessors::get_post_version(0),
    ]
}

fn aggregate_calls() -> Vec<Call> {
    calls![
        aggregate::aggregate_seal_proofs(_, _, _, _, _),
        aggregate::verify_aggregate_seal_proof(_, _, _, _, _),
    ]
}

fn bls_calls() -> Vec<Call> {
    calls![
        bls::hash(_),
        bls::aggregate(_),
        bls::verify(_, _, _),
        bls::hash_verify(_, _, _, _),
        bls::private_key_generate(),
        bls::private_key_generate_with_seed(_),
        bls::private_key_sign(_, _),
        bls::private_key_public_key(_),
        bls::create_zero_signature(),
    ]
}

fn cache_calls() -> Vec<Call> {
    calls![
        cache::clear_cache(nowhere),
        cache::clear_synthetic_proofs(nowhere),
        cache::fauxrep(_, _, _),
        cache::fauxrep2(_, _, _),
    ]
}

fn destroy_calls() -> Vec<Call> {
    calls![
        destroy::destroy_boxed_slice(_),
        destroy::drop_fvm_machine(_),
        destroy::destroy_empty_sector_update_encode_into_response(_),
        destroy::destroy_fvm_machine_execute_response(_),
        destroy::destroy_generate_fallback_sector_challenges_response(_),
        destroy::destroy_generate_piece_commitment_response(_),
        destroy::destroy_generate_single_window_post_with_vanilla_response(_),
        destroy::destroy_generate_window_post_response(_),
        destroy::destroy_create_fvm_machine_response(_),
        destroy::destroy_merge_window_post_partition_proofs_response(_),
        destroy::destroy_seal_pre_commit_phase2_response(_),
        destroy::destroy_write_with_alignment_response(_),
        destroy::destroy_write_without_alignment_response(_),
        destroy::destroy_empty_sector_update_verify_proof_response(_),
        destroy::destroy_verify_aggregate_seal_response(_),
        destroy::destroy_verify_empty_sector_update_partition_proof_response(_),
        destroy::destroy_verify_seal_response(_),
        destroy::destroy_verify_window_post_response(_),
        destroy::destroy_verify_winning_post_response(_),
        destroy::destroy_get_num_partition_for_fallback_post_response(_),
        destroy::destroy_generate_winning_post_response(_),
        destroy::destroy_generate_empty_sector_update_partition_proof_response(_),
        destroy::destroy_gpu_device_response(_),
        destroy::destroy_generate_winning_post_sector_challenge(_),
        destroy::destroy_aggregate_proof(_),
        destroy::destroy_empty_sector_update_generate_proof_response(_),
        destroy::destroy_fvm_machine_flush_response(_),
        destroy::destroy_generate_single_vanilla_proof_response(_),
        destroy::destroy_seal_commit_phase1_response(_),
        destroy::destroy_seal_commit_phase2_response(_),
        destroy::destroy_seal_pre_commit_phase1_response(_),
        destroy::destroy_string_response(_),
        destroy::destroy_fauxrep_response(_),
        destroy::destroy_finalize_ticket_response(_),
        destroy::destroy_generate_data_commitment_response(_),
        destroy::destroy_generate_tree_c_response(_),
        destroy::destroy_generate_tree_r_last_response(_),
        destroy::destroy_clear_cache_response(_),
        destroy::destroy_empty_sector_update_decode_from_range_response(_),
        destroy::destroy_empty_sector_update_decode_from_response(_),
        destroy::destroy_empty_sector_update_remove_encoded_data_response(_),
        destroy::destroy_generate_sdr_response(_),
        destroy::destroy_generate_synth_proofs_response(_),
        destroy::destroy_init_log_fd_response(_),
        destroy::destroy_unseal_range_response(_),
        destroy::destroy_box_bls_private_key(_),
        destroy::destroy_box_bls_public_key(_),
        destroy::destroy_box_bls_digest(_),
        destroy::destroy_box_bls_signature(_),
    ]
}

fn fvm_calls() -> Vec<Call> {
    calls![
        fvm::create_fvm_machine(_, _, _, _, _, _, _, _, _, _, _, _, _, _),
        fvm::create_fvm_debug_machine(_, _, _, _, _, _, _, _, _, _, _, _, _, _, _),
        fvm::fvm_machine_execute_message(_, _, _, _),
        fvm::fvm_machine_flush(_),
        fvm::dummy(_),
    ]
}

fn pieces_calls() -> Vec<Call> {
    calls![
        pieces::write_with_alignment(_, _, _, _, _),
        pieces::write_without_alignment(_, _, _, _),
        pieces::generate_piece_commitment(_, _, _),
        pieces::generate_data_commitment(0, _),
        pieces::get_max_user_bytes_per_staged_sector(0),
    ]
}

fn post_calls() -> Vec<Call> {
    calls![
        post::generate_winning_post_sector_challenge(_, _, _, _),
        post::generate_fallback_sector_challenges(_, _, _, _),
        post::generate_single_vanilla_proof(_, _),
        post::generate_winning_post_with_vanilla(_, _, _, _),
        post::generate_winning_post(_, _, _),
        post::verify_winning_post(_, _, _, _),
        post::generate_window_post(_, _, _),
        post::generate_window_post_with_vanilla(_, _, _, _),
        post::generate_single_window_post_with_vanilla(_, _, _, _, _),
        post::merge_window_post_partition_proofs(5, _),
        post::verify_window_post(_, _, _, _),
        post::get_num_partition_for_fallback_post(5, 1),
    ]
}

fn resident_calls() -> Vec<Call> {
    calls![
        resident::filcrypto_version(),
        resident::filcrypto_settings(),
        resident::filcrypto_srs_preload(_, _),
        resident::filcrypto_srs_evict(_, _),
        resident::filcrypto_srs_status(),
        resident::filcrypto_metrics(),
        resident::filcrypto_timeline_start(_),
        resident::filcrypto_timeline_stop(),
        resident::filcrypto_destroy_text(_),
        resident::filcrypto_destroy_void(_),
        resident::filcrypto_destroy_bool(_),
    ]
}

fn seal_calls() -> Vec<Call> {
    calls![
        seal::seal_pre_commit_phase1(_, _, _, _, _, _, _, _),
        seal::generate_sdr(_, _, _),
        seal::seal_pre_commit_phase2(_, _, _),
        seal::generate_tree_r_last(_, _, _),
        seal::generate_tree_c(_, _, _),
        seal::generate_synth_proofs(_, _, _, _, _, _, _, _, _),
        seal::seal_commit_phase1(_, _, _, _, _, _, _, _, _, _),
        seal::seal_commit_phase2(_, _, _),
        seal::seal_commit_phase2_circuit_proofs(_, _),
        seal::verify_seal(_, _, _, _, _, _, _, _),
        seal::unseal_range(_, _, _, _, _, _, _, _, _, _),
    ]
}

fn update_calls() -> Vec<Call> {
    calls![
        update::empty_sector_update_encode_into(_, _, _, _, _, _, _),
        update::empty_sector_update_decode_from(_, _, _, _, _, _),
        update::empty_sector_update_decode_from_range(_, _, _, _, _, _, _, _),
        update::empty_sector_update_remove_encoded_data(_, _, _, _, _, _, _),
        update::generate_empty_sector_update_partition_proofs(_, _, _, _, _, _, _, _),
        update::verify_empty_sector_update_partition_proofs(_, _, _, _, _),
        update::generate_empty_sector_update_proof(_, _, _, _, _, _, _, _),
        update::generate_empty_sector_update_proof_with_vanilla(_, _, _, _, _),
        update::verify_empty_sector_update_proof(_, _, _, _, _),
    ]
}

fn util_calls() -> Vec<Call> {
    calls![
        util::alloc_boxed_slice(8),
        util::get_gpu_devices(),
        util::init_log_fd(_),
    ]
}

/// What panics said, in the order in which they happened.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn record_panics() {
    panic::set_hook(Box::new(|info| {
        let text = info.payload().downcast_ref::<String>().cloned().unwrap_or_default();
        PANICS.lock().expect("no panic while it is held").push(text);
    }));
}

fn survives_a_panic(call: &Call) -> Result<(), String> {
    let name = call.name;
    let before = (call.run)();
    PANICS.lock().expect("no panic while it is held").clear();
    inject_panic(name);
    let during = (call.run)();
    let said = std::mem::take(&mut *PANICS.lock().expect("no panic while it is held"));
    let after = (call.run)();
    if said != [format!("injected into {name}")] {
        return Err(format!("{name}: no panic was injected: {said:?}"));
    }
    if during != call.of_panic {
        return Err(format!("{name}: on a panic {during:?}, not {:?}", call.of_panic));
    }
    if after != before {
        return Err(format!("{name}: {before:?} before the panic, {after:?} after it"));
    }
    Ok(())
}

#[test]
fn every_exported_function_survives_a_panic() {
    let calls: Vec<Call> = [
        accessors_calls(),
        aggregate_calls(),
        bls_calls(),
        cache_calls(),
        destroy_calls(),
        fvm_calls(),
        pieces_calls(),
        post_calls(),
        resident_calls(),
        seal_calls(),
        update_calls(),
        util_calls(),
    ]
    .into_iter()
    .flatten()
    .collect();
    let named: BTreeSet<_> = calls.iter().map(|call| call.name).collect();
    let lists = [include_str!("symbols.txt"), include_str!("additions.txt")];
    let exported: BTreeSet<_> = lists.iter().flat_map(|list| list.lines()).collect();
    assert_eq!(named, exported, "the calls are those that are exported");

    record_panics();
    let failures: Vec<String> = calls.iter().filter_map(|call| survives_a_panic(call).err()).collect();
    let _ = panic::take_hook();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
