//! A small chain state: the actors without which no message executes, two accounts and an actor that asks for all that the
//! chain can tell.

use cid::multihash::Multihash;
use cid::Cid;
use fvm_ipld_blockstore::Blockstore;
use fvm_ipld_encoding::{to_vec, DAG_CBOR};
use serde::Serialize;

use crate::host::Host;

pub const REWARD: u64 = 2;
pub const BURNT_FUNDS: u64 = 99;
pub const SENDER: u64 = 100;
pub const RECEIVER: u64 = 101;
pub const ASKER: u64 = 102;

/// What the sender has at first, in attoFIL: more than 64 bits can hold.
pub const WEALTH: u128 = 1 << 80;

const BLAKE2B_256: u64 = 0xb220;
const RAW: u64 = 0x55;
const ASKER_NAME: &str = "storagemarket";
const ACTORS: [&str; 11] = [
    "system",
    "init",
    "cron",
    "account",
    "reward",
    "storagepower",
    ASKER_NAME,
    "verifiedregistry",
    "placeholder",
    "eam",
    "ethaccount",
];

pub fn put(host: &Host, codec: u64, block: &[u8]) -> Cid {
    let digest = blake2b_simd::Params::new().hash_length(32).hash(block);
    let cid = Cid::new_v1(
        codec,
        Multihash::wrap(BLAKE2B_256, digest.as_bytes()).expect("32 bytes"),
    );
    Blockstore::put_keyed(&host, &cid, block).expect("memory takes every block");
    cid
}

pub fn put_cbor(host: &Host, value: &impl Serialize) -> Cid {
    put(host, DAG_CBOR, &to_vec(value).expect("it encodes"))
}

/// Wasm that does nothing, and differs by name.
fn idle_code(name: &str) -> Vec<u8> {
    let text = format!(
        r#"(module
            (memory (export "memory") 1)
            (data (i32.const 0) "{name}")
            (func (export "invoke") (param i32) (result i32) (i32.const 0)))"#
    );
    wat::parse_str(text).expect("valid WAT")
}

/// Wasm that returns 32 bytes of the tickets' and 32 of the beacon's randomness, the fault that two headers prove, and
/// (where there is a syscall for it) the previous tipset's CID.
fn asking_code(network_version: u32) -> Vec<u8> {
    let draws = network_version < 21;
    let (types, arguments) = match draws {
        true => (
            "i32 i64 i64 i32 i32",
            "(i64.const 1) (i64.const 9) (i32.const 1000) (i32.const 0)",
        ),
        false => ("i32 i64", "(i64.const 9)"),
    };
    let has_tipsets = network_version >= 18;
    let (import, ask, length) = match has_tipsets {
        true => (
            r#"(import "network" "tipset_cid" (func $tipset (param i32 i64 i32 i32) (result i32)))"#,
            "(call $check (call $tipset (i32.const 900) (i64.const 9) (i32.const 86) (i32.const 100)))",
            84 + 38,
        ),
        false => ("", "", 84),
    };
    wat::parse_str(format!(
        r#"(module
            (import "rand" "get_chain_randomness" (func $chain (param {types}) (result i32)))
            (import "rand" "get_beacon_randomness" (func $beacon (param {types}) (result i32)))
            (import "crypto" "verify_consensus_fault"
                (func $fault (param i32 i32 i32 i32 i32 i32 i32) (result i32)))
            (import "ipld" "block_create" (func $create (param i32 i64 i32 i32) (result i32)))
            {import}
            (memory (export "memory") 1)
            (data (i32.const 0) "\58\{length:02x}")
            (data (i32.const 800) "firstsecond")
            (func $check (param i32) (if (local.get 0) (then (unreachable))))
            (func (export "invoke") (param i32) (result i32)
                (call $check (call $chain (i32.const 2) {arguments}))
                (call $check (call $beacon (i32.const 34) {arguments}))
                (call $check (call $fault (i32.const 66)
                    (i32.const 800) (i32.const 5) (i32.const 805) (i32.const 6) (i32.const 0) (i32.const 0)))
                {ask}
                (call $check (call $create (i32.const 904) (i64.const 0x71) (i32.const 0) (i32.const {whole})))
                (i32.load (i32.const 904))))"#,
        whole = length + 2,
    ))
    .expect("valid WAT")
}

/// A redirect list under which calls of the asking actor reach code that traps.
pub fn redirect_asker_to_trap(host: &Host, network_version: u32) -> Cid {
    let trap = r#"(module (memory (export "memory") 1) (func (export "invoke") (param i32) (result i32) unreachable))"#;
    let asking = put(host, RAW, &asking_code(network_version));
    let trapping = put(host, RAW, &wat::parse_str(trap).expect("valid WAT"));
    put_cbor(host, &[(asking, trapping)])
}

macro_rules! state_tree {
    ($fvm:ident, $shared:ident, $version:ident, $set:expr, $get:ident, $actor:expr) => {
        pub mod $fvm {
            use super::*;
            use ::$fvm::state_tree::{ActorState, StateTree};
            use ::$shared::econ::TokenAmount;
            use ::$shared::state::StateTreeVersion;

            pub fn build(host: &Host, network_version: u32) -> Cid {
                // The oldest FVM runs the code of listed actors only, so the asking actor passes for a listed one.
                let code = |name: &str| match name {
                    ASKER_NAME => put(host, RAW, &asking_code(network_version)),
                    name => put(host, RAW, &idle_code(name)),
                };
                let manifest: Vec<_> = ACTORS.iter().map(|name| (*name, code(name))).collect();
                let system = put_cbor(host, &(put_cbor(host, &manifest),));
                let empty = put_cbor(host, &Vec::<u64>::new());

                let mut tree = StateTree::new(host, StateTreeVersion::$version).expect("an empty tree");
                let mut set = |id, code, state, balance| {
                    let state: ActorState = $actor(code, state, TokenAmount::from_atto(balance));
                    $set(&mut tree, id, state);
                };
                set(0, code("system"), system, 0u128);
                set(1, code("init"), empty, 0);
                set(REWARD, code("reward"), empty, 0);
                set(BURNT_FUNDS, code("account"), empty, 0);
                set(SENDER, code("account"), empty, WEALTH);
                set(RECEIVER, code("account"), empty, 1);
                set(ASKER, code(ASKER_NAME), empty, 0);
                tree.flush().expect("memory takes every block")
            }

            pub fn balance(host: &Host, root: &Cid, id: u64) -> u128 {
                let tree = StateTree::new_from_root(host, root).expect("a state tree");
                let actor = tree.$get(id).expect("a readable tree").expect("the actor");
                actor.balance.atto().try_into().expect("128 bits")
            }
        }
    };
}

state_tree!(
    fvm2,
    fvm2_shared,
    V4,
    |tree: &mut StateTree<_>, id, state| tree.set_actor_id(id, state).expect("a writable tree"),
    get_actor_id,
    |code, state, balance| ActorState::new(code, state, balance, 0)
);
state_tree!(
    fvm3,
    fvm3_shared,
    V5,
    |tree: &mut StateTree<_>, id, state| tree.set_actor(id, state),
    get_actor,
    |code, state, balance| ActorState::new(code, state, balance, 0, None)
);
state_tree!(
    fvm4,
    fvm4_shared,
    V5,
    |tree: &mut StateTree<_>, id, state| tree.set_actor(id, state),
    get_actor,
    |code, state, balance| fvm4_shared::state::ActorState::new(code, state, balance, 0, None)
);
