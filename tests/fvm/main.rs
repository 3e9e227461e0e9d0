//! FVM machines through the C interface, on a host and a chain state made here. Value transfers with the network's own
//! actors are tested from Go.

mod client;
mod host;
mod state;

use cid::Cid;
use filcrypto::ffi::destroy::*;
use filcrypto::ffi::fvm::*;
use filcrypto::ffi::types::*;
use fvm4_shared::address::Address;
use fvm4_shared::econ::TokenAmount;
use fvm_ipld_encoding::{from_slice, to_vec};
use serde::de::IgnoredAny;

use client::*;
use host::Host;
use state::{put_cbor, ASKER, BURNT_FUNDS, RECEIVER, REWARD, SENDER, WEALTH};

/// One network version for each FVM, and the newest.
const NETWORKS: [u32; 4] = [16, 18, 21, 29];

#[test]
fn a_transfer_moves_value_and_pays_for_gas() {
    for network_version in NETWORKS {
        let chain = Chain::new(network_version);
        let machine = chain.machine();
        let value = (1u128 << 70) + 5;
        let receipt = execute(machine.0, &message(RECEIVER, value, 0, 0), 0).expect("an executed message");
        assert_eq!(receipt.exit_code, 0, "{:?}", receipt.failure_info);
        assert!(receipt.gas_used > 0 && receipt.base_fee_burn == u128::from(receipt.gas_used) * 100);
        assert_eq!(receipt.miner_tip, 3 * 1_000_000_000);
        assert!(receipt.return_val.is_none() && receipt.failure_info.is_none() && receipt.exec_trace.is_none());
        assert!(receipt.events.is_none() && receipt.events_root.is_none());

        let before = chain.host.blocks();
        let root = flush(machine.0).expect("a flushed state");
        assert_ne!(root, chain.root);
        assert!(chain.host.blocks() > before && chain.host.calls("cgo_blockstore_put_many") == 1);
        assert!(chain.host.calls("cgo_blockstore_has") > 0 && chain.host.calls("cgo_blockstore_get") > 0);

        let burn = receipt.base_fee_burn + receipt.over_estimation_burn;
        assert_eq!(
            receipt.refund + burn + receipt.miner_tip,
            200 * 1_000_000_000,
            "all gas is accounted for"
        );
        assert_eq!(chain.balance(&root, RECEIVER), value + 1);
        assert_eq!(chain.balance(&root, BURNT_FUNDS), burn);
        assert_eq!(chain.balance(&root, REWARD), receipt.miner_tip);
        assert_eq!(chain.balance(&root, SENDER), WEALTH - value - burn - receipt.miner_tip);
        assert_eq!(chain.balance(&chain.root, SENDER), WEALTH, "the old state stays");
    }
}

#[test]
fn amounts_beyond_64_bits_keep_both_halves_and_beyond_128_are_errors() {
    for network_version in NETWORKS {
        let chain = Chain::new(network_version);
        let base_fee = (1u128 << 65) + 1;
        let machine = chain
            .create(|settings| settings.base_fee = base_fee)
            .expect("a machine");
        // The sender offers 200 for a unit of gas; the block's miner pays the rest.
        let receipt = execute(machine.0, &message(RECEIVER, 1, 0, 0), 0).expect("a receipt");
        assert_eq!(receipt.exit_code, 0, "{:?}", receipt.failure_info);
        let gas = u128::from(receipt.gas_used + receipt.gas_burned);
        assert_eq!(receipt.base_fee_burn, u128::from(receipt.gas_used) * 200);
        assert_eq!(receipt.penalty, (base_fee - 200) * gas);

        let machine = chain
            .create(|settings| settings.base_fee = u128::MAX)
            .expect("a machine");
        let error = execute(machine.0, &message(RECEIVER, 1, 0, 0), 0).expect_err("no receipt");
        assert!(error.contains("penalty exceeds u128 attoFIL"), "{error}");
    }
}

#[test]
fn failed_messages_have_receipts() {
    for network_version in NETWORKS {
        let chain = Chain::new(network_version);
        let machine = chain.machine();

        let receipt = execute(machine.0, &message(RECEIVER, 1, 0, 7), 0).expect("a receipt");
        assert_eq!(
            receipt.exit_code, 2,
            "a wrong sequence number makes the sender's state invalid"
        );
        let info = receipt.failure_info.expect("a reason");
        assert!(info.starts_with("pre-validation failed: "), "{info}");

        let receipt = execute(machine.0, &message(RECEIVER, WEALTH, 0, 0), 0).expect("a receipt");
        assert_eq!(receipt.exit_code, 6, "insufficient funds");
        let info = receipt.failure_info.expect("a reason");
        assert!(info.starts_with("message failed with backtrace:\n"), "{info}");
    }
}

#[test]
fn implicit_messages_pay_nothing() {
    for network_version in NETWORKS {
        let chain = Chain::new(network_version);
        let machine = chain.machine();
        let receipt = execute(machine.0, &message(RECEIVER, 9, 0, 0), 1).expect("an executed message");
        assert_eq!((receipt.exit_code, receipt.base_fee_burn, receipt.miner_tip), (0, 0, 0));
        let root = flush(machine.0).expect("a flushed state");
        assert_eq!(chain.balance(&root, SENDER), WEALTH - 9);
    }
}

#[test]
fn actors_reach_the_chain_through_the_host() {
    for network_version in NETWORKS {
        let chain = Chain::new(network_version);
        *chain.host.fault.lock().unwrap() = (2, 1234, 8);
        let machine = chain.create(|settings| settings.tracing = true).expect("a machine");
        let receipt = execute(machine.0, &message(ASKER, 0, 2, 0), 0).expect("an executed message");
        assert_eq!(receipt.exit_code, 0, "nv{network_version}: {:?}", receipt.failure_info);

        let data = receipt.return_val.expect("return data");
        let (head, rest) = data.split_at(2);
        let (randomness, rest) = rest.split_at(64);
        let (fault, tipset) = rest.split_at(20);
        assert_eq!(head[0], 0x58);
        assert_ne!(randomness[..32], randomness[32..]);
        if network_version >= 21 {
            assert_eq!(
                randomness,
                [[9; 32], [!9; 32]].concat(),
                "undrawn randomness is the host's own"
            );
        }
        assert_eq!(
            fault,
            [&8u64.to_le_bytes()[..], &1234u64.to_le_bytes(), &2u32.to_le_bytes()].concat()
        );
        if network_version >= 18 {
            assert_eq!(tipset, Host::tipset_cid().to_bytes());
        }
        let asked = |function| chain.host.calls(function);
        assert_eq!(asked("cgo_extern_get_chain_randomness"), 1);
        assert_eq!(asked("cgo_extern_get_beacon_randomness"), 1);
        assert_eq!(asked("cgo_extern_verify_consensus_fault"), 1);
        assert_eq!(asked("cgo_extern_get_tipset_cid"), usize::from(network_version >= 18));
        check_trace(&receipt.exec_trace.expect("a trace"), &data);
    }
}

/// Decodes a trace as Lotus does: a tuple of message, return, actor, gas charges, subcalls, logs and block accesses.
fn check_trace(trace: &[u8], data: &[u8]) {
    type Call = (Address, Address, TokenAmount, u64, Bytes, u64, u64, bool);
    type Return = (u32, Bytes, u64);
    type Charge = (String, u64, u64, u64, u64);
    type Trace = (
        Call,
        Return,
        Option<IgnoredAny>,
        Vec<Charge>,
        Vec<IgnoredAny>,
        Vec<String>,
        Vec<(u64, Cid, u64)>,
    );

    let (call, result, _, charges, subcalls, _, _): Trace = from_slice(trace).expect("a trace decodes");
    assert_eq!(
        (call.0, call.1, call.3, call.7),
        (Address::new_id(SENDER), Address::new_id(ASKER), 2, false)
    );
    assert_eq!((result.0, result.1 .0.as_slice(), result.2), (0, data, 0x71));
    assert!(
        charges
            .iter()
            .any(|charge| charge.0 == "OnChainMessage" && charge.1 > 0),
        "{charges:?}"
    );
    assert!(charges.len() > 5 && subcalls.is_empty());
}

#[derive(serde::Deserialize)]
struct Bytes(#[serde(with = "fvm_ipld_encoding::strict_bytes")] Vec<u8>);

#[test]
fn errors_of_the_chain_reach_the_actor_and_bugs_of_the_host_end_the_call() {
    const RANDOMNESS: &str = "cgo_extern_get_chain_randomness";
    for network_version in NETWORKS {
        let chain = Chain::new(network_version);
        let machine = chain.machine();
        // The actor traps when a syscall fails. That is the message's failure, recorded on chain.
        chain.host.fail(RANDOMNESS, -3);
        let receipt = execute(machine.0, &message(ASKER, 0, 2, 0), 0).expect("a receipt");
        assert_ne!(receipt.exit_code, 0);
        let info = receipt.failure_info.expect("a reason");
        assert!(info.contains("input or output failed in the host"), "{info}");

        // An unknown handle or a meaningless code is no syscall's failure: the actor must not go on with it.
        let trapped = receipt.exit_code;
        for (sequence, code) in [(1, -1), (2, 7)] {
            chain.host.fail(RANDOMNESS, code);
            let receipt = execute(machine.0, &message(ASKER, 0, 2, sequence), 0).expect("a receipt");
            let info = receipt.failure_info.expect("a reason");
            assert!(receipt.exit_code != trapped && info.contains("fatal error"), "{info}");
        }
        chain.host.fail(RANDOMNESS, 0);
        let receipt = execute(chain.machine().0, &message(ASKER, 0, 2, 0), 0).expect("a new machine works");
        assert_eq!(receipt.exit_code, 0, "{:?}", receipt.failure_info);

        let unknown = chain
            .create(|settings| settings.externs = u64::MAX)
            .expect("externs are not asked yet");
        let receipt = execute(unknown.0, &message(ASKER, 0, 2, 0), 0).expect("a receipt");
        assert!(receipt.failure_info.expect("a reason").contains("fatal error"));
    }
}

#[test]
fn unknown_consensus_faults_are_errors_of_the_syscall() {
    for network_version in NETWORKS {
        let chain = Chain::new(network_version);
        *chain.host.fault.lock().unwrap() = (9, 1234, 8);
        let receipt = execute(chain.machine().0, &message(ASKER, 0, 2, 0), 0).expect("a receipt");
        let info = receipt.failure_info.expect("a reason");
        assert!(
            receipt.exit_code != 0 && info.contains("consensus fault 9, which is unknown"),
            "{info}"
        );
    }
}

#[test]
fn blockstore_failures_at_creation_are_errors() {
    const CODES: [(i32, &str); 6] = [
        (-1, "the host knows no such handle"),
        (-3, "input or output failed in the host"),
        (-4, "an argument is invalid"),
        (-5, "the host panicked"),
        (-6, "this code has no meaning"),
        (2, "this code has no meaning"),
    ];
    for network_version in NETWORKS {
        let chain = Chain::new(network_version);
        for function in ["cgo_blockstore_has", "cgo_blockstore_get"] {
            for (code, reason) in CODES {
                chain.host.fail(function, code);
                let error = chain.create(|_| ()).err().expect("no machine");
                let expected = format!(
                    "{function} failed with error code {code} on handle {}",
                    chain.host.handle
                );
                assert!(
                    error.contains(&expected) && error.contains(reason),
                    "nv{network_version}: {error}"
                );
                assert_eq!(error.starts_with("Rust panic: "), code == -1 || code > 0, "{error}");
            }
            chain.host.fail(function, -2);
            let error = chain.create(|_| ()).err().expect("no machine without its state");
            assert!(!error.contains("panic"), "{error}");
            chain.host.fail(function, 0);
        }
        chain.machine();
        let error = chain
            .create(|settings| settings.blockstore = u64::MAX)
            .err()
            .expect("no such handle");
        assert!(error.contains("the host knows no such handle"), "{error}");
    }
}

#[test]
fn blocks_of_impossible_size_are_errors() {
    let chain = Chain::new(18);
    *chain.host.lie.lock().unwrap() = Some(-7);
    let error = chain.create(|_| ()).err().expect("no machine");
    assert!(error.contains("as a block of -7 bytes"), "{error}");
    *chain.host.lie.lock().unwrap() = Some(0);
    let error = chain.create(|_| ()).err().expect("no machine on an empty block");
    assert!(!error.contains("panic"), "{error}");
}

#[test]
fn a_failed_flush_is_an_error_and_retires_the_machine() {
    for network_version in NETWORKS {
        for (code, reason) in [
            (-3, "input or output failed"),
            (-2, "not found"),
            (-5, "the host panicked"),
        ] {
            let chain = Chain::new(network_version);
            let machine = chain.machine();
            execute(machine.0, &message(RECEIVER, 1, 0, 0), 0).expect("an executed message");
            chain.host.fail("cgo_blockstore_put_many", code);
            let error = flush(machine.0).expect_err("the host fails");
            assert!(
                error.contains("cgo_blockstore_put_many") && error.contains(reason),
                "{error}"
            );
            chain.host.fail("cgo_blockstore_put_many", 0);
            for error in [
                flush(machine.0).expect_err("the state is lost"),
                execute(machine.0, &message(RECEIVER, 1, 0, 1), 0).expect_err("the state is lost"),
            ] {
                assert!(error.starts_with("missing executor: "), "{error}");
            }
        }
    }
}

#[test]
fn a_panic_retires_the_machine_alone() {
    let chain = Chain::new(18);
    let machine = chain.machine();
    execute(machine.0, &message(RECEIVER, 1, 0, 0), 0).expect("an executed message");
    chain.host.fail("cgo_blockstore_put_many", 5);
    let error = flush(machine.0).expect_err("the host misbehaves");
    assert!(
        error.starts_with("Rust panic: cgo_blockstore_put_many failed with error code 5"),
        "{error}"
    );
    chain.host.fail("cgo_blockstore_put_many", 0);
    for error in [
        flush(machine.0).expect_err("retired"),
        execute(machine.0, &message(RECEIVER, 1, 0, 1), 0).expect_err("retired"),
    ] {
        assert!(error.starts_with("executor lock poisoned: "), "{error}");
    }
    execute(chain.machine().0, &message(RECEIVER, 1, 0, 0), 0).expect("other machines work");
}

#[test]
fn malformed_creation_arguments_are_errors() {
    let chain = Chain::new(29);
    let root = chain.root.to_bytes();
    let create = |network_version, root: &[u8]| {
        let settings = Settings::new(network_version, root, &chain.host);
        settings.create().err().expect("no machine")
    };
    for network_version in [0, 15, 30, u32::MAX] {
        let error = create(network_version, &root);
        assert!(error.starts_with("network version not supported: "), "{error}");
    }
    for bytes in [&root[..20], &[0xff; 40], &[9], b"", b"not a CID at all"] {
        let error = create(29, bytes);
        assert!(error.starts_with("invalid state root: "), "{error}");
    }
    let missing = Host::tipset_cid();
    let error = create(29, &missing.to_bytes());
    assert!(
        error.contains(&format!("blockstore doesn't have the initial state-root {missing}")),
        "{error}"
    );

    let null = slice_ref_uint8 {
        ptr: std::ptr::null(),
        len: 3,
    };
    // SAFETY: the NULL slice is what is tested; the responses are freed once.
    unsafe {
        let response = create_fvm_machine(0, 0, 0, 0, 0, 0, 0, 0, 29, null, false, false, 1, 1);
        assert_eq!(text(&(*response).error_msg), "argument state_root is NULL");
        assert!((*response).value.is_null());
        destroy_create_fvm_machine_response(response);
        let response = create_fvm_machine(1, 0, 0, 0, 0, 0, 0, 0, 29, borrowed(&root), false, false, 1, 1);
        assert!(text(&(*response).error_msg).starts_with("1 is not a FvmRegisteredVersion"));
        destroy_create_fvm_machine_response(response);
    }
}

#[test]
fn debug_machines_redirect_actor_code() {
    for network_version in NETWORKS {
        let chain = Chain::new(network_version);
        let none = chain
            .create(|settings| settings.redirect = Some(Vec::new()))
            .expect("an empty redirect is none");
        assert_eq!(
            execute(none.0, &message(ASKER, 0, 2, 0), 0)
                .expect("a receipt")
                .exit_code,
            0
        );

        let error = chain
            .create(|settings| settings.redirect = Some(vec![1, 2]))
            .err()
            .expect("no machine");
        assert!(error.starts_with("invalid redirect CID: "), "{error}");
        let missing = Host::tipset_cid().to_bytes();
        let error = chain
            .create(|settings| settings.redirect = Some(missing))
            .err()
            .expect("no machine");
        assert!(error.contains("the blockstore has no actor redirects"), "{error}");
        let malformed = put_cbor(&chain.host, &"text").to_bytes();
        let error = chain
            .create(|settings| settings.redirect = Some(malformed))
            .err()
            .expect("no machine");
        assert!(
            error.contains("blockstore error when looking up actor redirects"),
            "{error}"
        );

        let redirect = state::redirect_asker_to_trap(&chain.host, network_version).to_bytes();
        let machine = chain
            .create(|settings| settings.redirect = Some(redirect))
            .expect("a machine");
        let receipt = execute(machine.0, &message(ASKER, 0, 2, 0), 0).expect("a receipt");
        assert_eq!(receipt.exit_code, 4, "the code that runs instead traps");
    }
}

#[test]
fn malformed_messages_are_errors() {
    for network_version in NETWORKS {
        let chain = Chain::new(network_version);
        let machine = chain.machine();
        let whole = message(RECEIVER, 1, 0, 0);
        let longer = [whole.as_slice(), &[0]].concat();
        for bytes in [&whole[..10], &longer, b"", &[0xff; 9], &to_vec(&7).expect("CBOR")] {
            let error = execute(machine.0, bytes, 0).expect_err("no message");
            assert!(error.starts_with("the message does not decode"), "{error}");
        }
        execute(machine.0, &whole, 0).expect("the machine still works");
    }
}

#[test]
fn null_machines_are_errors() {
    let null = std::ptr::null();
    assert_eq!(flush(null).expect_err("no machine"), "argument executor is NULL");
    assert_eq!(
        execute(null, &message(RECEIVER, 1, 0, 0), 0).expect_err("no machine"),
        "argument executor is NULL"
    );
    dummy(-1);
    // SAFETY: NULL is what is tested.
    unsafe {
        drop_fvm_machine(std::ptr::null_mut());
        destroy_create_fvm_machine_response(std::ptr::null_mut());
    }
}

#[test]
fn machines_work_at_once_and_one_machine_takes_turns() {
    std::thread::scope(|scope| {
        for network_version in NETWORKS.into_iter().cycle().take(16) {
            scope.spawn(move || {
                let chain = Chain::new(network_version);
                let machine = &chain.machine();
                std::thread::scope(|scope| {
                    for _ in 0..4 {
                        scope.spawn(move || execute(machine.0, &message(RECEIVER, 3, 0, 0), 1).expect("a receipt"));
                    }
                });
                let root = flush(machine.0).expect("a flushed state");
                assert_eq!(chain.balance(&root, RECEIVER), 13);
            });
        }
    });
}

#[test]
fn a_response_that_keeps_its_machine_drops_it() {
    let chain = Chain::new(18);
    let root = chain.root.to_bytes();
    let handle = chain.host.handle;
    // SAFETY: the slice outlives the call; the response is freed once, with the machine in it.
    unsafe {
        let response = create_fvm_machine(
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            18,
            borrowed(&root),
            false,
            false,
            handle,
            handle,
        );
        assert!(!(*response).value.is_null());
        destroy_create_fvm_machine_response(response);
    }
}
