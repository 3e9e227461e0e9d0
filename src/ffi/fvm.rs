//! FVM machines: creation, execution of messages, flush.
//!
//! A machine reaches state and chain through the eight `cgo_*` functions that the host program exports.

use cid::Cid;

use super::boundary::{guard, respond};
use super::types::*;
use crate::error::{Error, Result};
use crate::fvm::{Config, Kind, Machine, Receipt};

impl<'a> BorrowPointer<'a> for *const InnerFvmMachine {
    type Borrowed = &'a Machine;
    unsafe fn borrow(self, argument: &'static str) -> Result<&'a Machine> {
        // SAFETY: promised by the caller of this function; NULL gives None.
        match unsafe { self.as_ref() } {
            Some(machine) => Ok(&machine.0),
            None => Err(Error::NullArgument { argument }),
        }
    }
}

/// Creates a machine for one network version on one state root. The program must export the `cgo_*` functions of
/// filecoin-ffi; the first machine looks them up.
///
/// @param fvm_version            FVM_REGISTERED_VERSION_V1
/// @param chain_epoch            the epoch in which messages execute
/// @param chain_timestamp        the tipset's time, in seconds since 1970
/// @param chain_id               the network's EIP-155 id
/// @param base_fee_hi            the base fee in attoFIL, upper 64 bits
/// @param base_fee_lo            lower 64 bits
/// @param circulating_supply_hi  the circulating supply in attoFIL, upper 64 bits
/// @param circulating_supply_lo  lower 64 bits
/// @param network_version        16 to 29
/// @param state_root             the binary CID of the state tree, which the blockstore must hold; borrowed
/// @param tracing                whether receipts carry execution traces
/// @param flush_all_blocks       whether flushing also writes blocks that the new state does not reach (from network
///                               version 21)
/// @param blockstore_id          handle for the host's `cgo_blockstore_*` functions
/// @param externs_id             handle for the host's `cgo_extern_*` functions
/// @return the machine, or NULL on failure. Take it out of the response by writing NULL to `value`, and free it with
///         drop_fvm_machine while both handles are still valid. Free the response with
///         destroy_create_fvm_machine_response. Threads: any; the `cgo_*` functions are called on this one.
#[no_mangle]
pub unsafe extern "C" fn create_fvm_machine(
    fvm_version: FvmRegisteredVersion_t,
    chain_epoch: u64,
    chain_timestamp: u64,
    chain_id: u64,
    base_fee_hi: u64,
    base_fee_lo: u64,
    circulating_supply_hi: u64,
    circulating_supply_lo: u64,
    network_version: u32,
    state_root: slice_ref_uint8_t,
    tracing: bool,
    flush_all_blocks: bool,
    blockstore_id: u64,
    externs_id: u64,
) -> *mut Result_InnerFvmMachine_ptr_t {
    respond("create_fvm_machine", || {
        super::types::fvm_version(fvm_version)?;
        borrow!(state_root);
        new_machine(Config {
            network_version,
            chain_id,
            epoch: chain_epoch as i64,
            timestamp: chain_timestamp,
            base_fee: joined(base_fee_hi, base_fee_lo),
            circulating_supply: joined(circulating_supply_hi, circulating_supply_lo),
            state_root: cid("state root", state_root)?,
            tracing,
            actor_debugging: false,
            actor_redirect: None,
            flush_all_blocks,
            blockstore: blockstore_id,
            externs: externs_id,
        })
    })
}

/// Creates a machine like create_fvm_machine, with actor debugging on. Results differ from the network's: for debugging
/// only.
///
/// @param fvm_version            FVM_REGISTERED_VERSION_V1
/// @param chain_epoch            the epoch in which messages execute
/// @param chain_timestamp        the tipset's time, in seconds since 1970
/// @param chain_id               the network's EIP-155 id
/// @param base_fee_hi            the base fee in attoFIL, upper 64 bits
/// @param base_fee_lo            lower 64 bits
/// @param circulating_supply_hi  the circulating supply in attoFIL, upper 64 bits
/// @param circulating_supply_lo  lower 64 bits
/// @param network_version        16 to 29
/// @param state_root             the binary CID of the state tree, which the blockstore must hold; borrowed
/// @param actor_redirect         the binary CID of a CBOR list of pairs of CIDs: the second code runs in place of the
///                               first. Empty for none; borrowed
/// @param tracing                whether receipts carry execution traces
/// @param flush_all_blocks       whether flushing also writes blocks that the new state does not reach (from network
///                               version 21)
/// @param blockstore_id          handle for the host's `cgo_blockstore_*` functions
/// @param externs_id             handle for the host's `cgo_extern_*` functions
/// @return as create_fvm_machine. Threads: any; the `cgo_*` functions are called on this one.
#[no_mangle]
pub unsafe extern "C" fn create_fvm_debug_machine(
    fvm_version: FvmRegisteredVersion_t,
    chain_epoch: u64,
    chain_timestamp: u64,
    chain_id: u64,
    base_fee_hi: u64,
    base_fee_lo: u64,
    circulating_supply_hi: u64,
    circulating_supply_lo: u64,
    network_version: u32,
    state_root: slice_ref_uint8_t,
    actor_redirect: slice_ref_uint8_t,
    tracing: bool,
    flush_all_blocks: bool,
    blockstore_id: u64,
    externs_id: u64,
) -> *mut Result_InnerFvmMachine_ptr_t {
    respond("create_fvm_debug_machine", || {
        super::types::fvm_version(fvm_version)?;
        borrow!(state_root, actor_redirect);
        let actor_redirect = match actor_redirect {
            [] => None,
            bytes => Some(cid("redirect CID", bytes)?),
        };
        new_machine(Config {
            network_version,
            chain_id,
            epoch: chain_epoch as i64,
            timestamp: chain_timestamp,
            base_fee: joined(base_fee_hi, base_fee_lo),
            circulating_supply: joined(circulating_supply_hi, circulating_supply_lo),
            state_root: cid("state root", state_root)?,
            tracing,
            actor_debugging: true,
            actor_redirect,
            flush_all_blocks,
            blockstore: blockstore_id,
            externs: externs_id,
        })
    })
}

/// Executes one message on a machine.
///
/// @param executor    the machine; borrowed
/// @param message     the message, CBOR; borrowed
/// @param chain_len   the message's length on chain in bytes, by which inclusion is charged
/// @param apply_kind  0 for a message on chain, which pays for its gas; anything else for an implicit one
/// @return the receipt; a message that fails has status 0 and an exit code that is not 0. `return_val`, `exec_trace`,
///         `failure_info`, `events` and `events_root` are NULL where there is none. Status 1 means that the message could
///         not be executed at all; after a panic the machine gives only errors. Free with
///         destroy_fvm_machine_execute_response. Threads: any; calls on one machine take turns, and run on threads of
///         the library, which also call the `cgo_*` functions. The environment variable LOTUS_FVM_CONCURRENCY (1 to 256)
///         says how many messages execute at once.
#[no_mangle]
pub unsafe extern "C" fn fvm_machine_execute_message(
    executor: *const InnerFvmMachine_t,
    message: slice_ref_uint8_t,
    chain_len: u64,
    apply_kind: u64,
) -> *mut Result_FvmMachineExecuteResponse_t {
    respond("fvm_machine_execute_message", || {
        borrow!(executor, message);
        let kind = match apply_kind {
            0 => Kind::Explicit,
            _ => Kind::Implicit,
        };
        executor.execute(message, kind, chain_len as usize).map(Into::into)
    })
}

/// Writes a machine's state to the blockstore.
///
/// @param executor  the machine; borrowed
/// @return the binary CID of the new state root. Free with destroy_fvm_machine_flush_response. Threads: any; the `cgo_*`
///         functions are called on this one.
#[no_mangle]
pub unsafe extern "C" fn fvm_machine_flush(executor: *const InnerFvmMachine_t) -> *mut Result_slice_boxed_uint8_t {
    respond("fvm_machine_flush", || {
        borrow!(executor);
        Ok(executor.flush()?.to_bytes().into())
    })
}

/// Does nothing. It names FvmError_t, whose values the host's `cgo_*` functions return.
///
/// @param _error  any value
#[no_mangle]
pub extern "C" fn dummy(_error: FvmError_t) {
    guard("dummy", (), || Ok(()))
}

fn new_machine(config: Config) -> Result<*mut InnerFvmMachine> {
    let machine = Machine::new(config)?;
    Ok(Box::into_raw(Box::new(InnerFvmMachine(machine))))
}

fn cid(what: &str, bytes: &[u8]) -> Result<Cid> {
    Cid::try_from(bytes).map_err(|error| Error::message(format!("invalid {what}: {error}")))
}

fn joined(hi: u64, lo: u64) -> u128 {
    u128::from(hi) << u64::BITS | u128::from(lo)
}

fn split(amount: u128) -> (u64, u64) {
    ((amount >> u64::BITS) as u64, amount as u64)
}

impl From<Receipt> for FvmMachineExecuteResponse {
    fn from(receipt: Receipt) -> Self {
        let (penalty_hi, penalty_lo) = split(receipt.penalty);
        let (miner_tip_hi, miner_tip_lo) = split(receipt.miner_tip);
        let (base_fee_burn_hi, base_fee_burn_lo) = split(receipt.base_fee_burn);
        let (over_estimation_burn_hi, over_estimation_burn_lo) = split(receipt.over_estimation_burn);
        let (refund_hi, refund_lo) = split(receipt.refund);
        Self {
            exit_code: receipt.exit_code.into(),
            gas_used: receipt.gas_used,
            penalty_hi,
            penalty_lo,
            miner_tip_hi,
            miner_tip_lo,
            base_fee_burn_hi,
            base_fee_burn_lo,
            over_estimation_burn_hi,
            over_estimation_burn_lo,
            refund_hi,
            refund_lo,
            gas_refund: receipt.gas_refund,
            gas_burned: receipt.gas_burned,
            return_val: nullable(Some(receipt.return_data)),
            exec_trace: nullable(receipt.exec_trace),
            failure_info: nullable(receipt.failure_info.map(String::into_bytes)),
            events: nullable(receipt.events),
            events_root: nullable(receipt.events_root),
        }
    }
}

/// NULL for nothing, where other slices have a pointer.
fn nullable(bytes: Option<Vec<u8>>) -> slice_boxed_uint8 {
    match bytes {
        Some(bytes) if !bytes.is_empty() => bytes.into(),
        _ => slice_boxed_uint8 {
            ptr: std::ptr::null_mut(),
            len: 0,
        },
    }
}
