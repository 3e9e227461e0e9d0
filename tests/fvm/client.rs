//! The C interface for tests: responses copied and freed, and a chain for each network version.

use std::sync::Arc;

use cid::Cid;
use filcrypto::ffi::destroy::*;
use filcrypto::ffi::fvm::*;
use filcrypto::ffi::types::*;
use fvm4_shared::address::Address;
use fvm4_shared::econ::TokenAmount;
use fvm4_shared::message::Message;
use fvm_ipld_encoding::to_vec;

use crate::host::Host;
use crate::state::{self, SENDER};

/// The epoch of every machine.
const EPOCH: i64 = 10;

pub fn borrowed(bytes: &[u8]) -> slice_ref_uint8_t {
    slice_ref_uint8 {
        ptr: bytes.as_ptr(),
        len: bytes.len(),
    }
}

pub fn text(message: &slice_boxed_uint8) -> String {
    String::from_utf8(message.as_slice().to_vec()).expect("UTF-8")
}

pub struct Settings<'a> {
    pub network_version: u32,
    pub state_root: &'a [u8],
    pub redirect: Option<Vec<u8>>,
    pub tracing: bool,
    pub base_fee: u128,
    pub blockstore: u64,
    pub externs: u64,
}

impl<'a> Settings<'a> {
    pub fn new(network_version: u32, state_root: &'a [u8], host: &Host) -> Self {
        Self {
            network_version,
            state_root,
            redirect: None,
            tracing: false,
            base_fee: 100,
            blockstore: host.handle,
            externs: host.handle,
        }
    }

    pub fn create(&self) -> Result<Machine, String> {
        let (version, hi, lo) = (self.network_version, (self.base_fee >> 64) as u64, self.base_fee as u64);
        let (root, tracing) = (borrowed(self.state_root), self.tracing);
        let (store, externs) = (self.blockstore, self.externs);
        let epoch = EPOCH as u64;
        // SAFETY: the slices outlive the calls; the response is freed once, after the machine was taken out.
        unsafe {
            let response = match &self.redirect {
                None => create_fvm_machine(
                    0,
                    epoch,
                    1,
                    314,
                    hi,
                    lo,
                    0,
                    1 << 60,
                    version,
                    root,
                    tracing,
                    false,
                    store,
                    externs,
                ),
                Some(redirect) => {
                    let redirect = borrowed(redirect);
                    create_fvm_debug_machine(
                        0,
                        epoch,
                        1,
                        314,
                        hi,
                        lo,
                        0,
                        1 << 60,
                        version,
                        root,
                        redirect,
                        tracing,
                        true,
                        store,
                        externs,
                    )
                }
            };
            let machine = std::mem::replace(&mut (*response).value, std::ptr::null_mut());
            let error = text(&(*response).error_msg);
            let status = (*response).status_code;
            destroy_create_fvm_machine_response(response);
            assert_eq!(status == 0, error.is_empty());
            assert_eq!(status == 0, !machine.is_null());
            match status {
                0 => Ok(Machine(machine)),
                _ => Err(error),
            }
        }
    }
}

pub struct Machine(pub *mut InnerFvmMachine_t);

// SAFETY: the header lets any thread use a machine.
unsafe impl Send for Machine {}
unsafe impl Sync for Machine {}

impl Drop for Machine {
    fn drop(&mut self) {
        // SAFETY: the machine was taken out of its response, and is dropped once.
        unsafe { drop_fvm_machine(self.0) }
    }
}

/// A receipt of one message, copied.
#[derive(Debug)]
pub struct Receipt {
    pub exit_code: u64,
    pub return_val: Option<Vec<u8>>,
    pub gas_used: u64,
    pub gas_burned: u64,
    pub penalty: u128,
    pub miner_tip: u128,
    pub base_fee_burn: u128,
    pub over_estimation_burn: u128,
    pub refund: u128,
    pub exec_trace: Option<Vec<u8>>,
    pub failure_info: Option<String>,
    pub events: Option<Vec<u8>>,
    pub events_root: Option<Vec<u8>>,
}

pub fn nullable(slice: &slice_boxed_uint8) -> Option<Vec<u8>> {
    if slice.ptr.is_null() {
        assert_eq!(slice.len, 0);
        return None;
    }
    Some(slice.as_slice().to_vec())
}

pub fn amount(hi: u64, lo: u64) -> u128 {
    u128::from(hi) << 64 | u128::from(lo)
}

pub fn execute(machine: *const InnerFvmMachine_t, message: &[u8], kind: u64) -> Result<Receipt, String> {
    // SAFETY: machine and slice outlive the call; the response is freed once, after the last use.
    unsafe {
        let response = fvm_machine_execute_message(machine, borrowed(message), message.len() as u64, kind);
        let (value, status) = (&(*response).value, (*response).status_code);
        let receipt = Receipt {
            exit_code: value.exit_code,
            return_val: nullable(&value.return_val),
            gas_used: value.gas_used,
            gas_burned: value.gas_burned,
            penalty: amount(value.penalty_hi, value.penalty_lo),
            miner_tip: amount(value.miner_tip_hi, value.miner_tip_lo),
            base_fee_burn: amount(value.base_fee_burn_hi, value.base_fee_burn_lo),
            over_estimation_burn: amount(value.over_estimation_burn_hi, value.over_estimation_burn_lo),
            refund: amount(value.refund_hi, value.refund_lo),
            exec_trace: nullable(&value.exec_trace),
            failure_info: nullable(&value.failure_info).map(|info| String::from_utf8(info).expect("UTF-8")),
            events: nullable(&value.events),
            events_root: nullable(&value.events_root),
        };
        let error = text(&(*response).error_msg);
        destroy_fvm_machine_execute_response(response);
        match status {
            0 => Ok(receipt),
            _ => {
                let empty = [
                    &receipt.return_val,
                    &receipt.exec_trace,
                    &receipt.events,
                    &receipt.events_root,
                ];
                assert!(empty.iter().all(|slice| slice.is_none()) && receipt.failure_info.is_none());
                Err(error)
            }
        }
    }
}

pub fn flush(machine: *const InnerFvmMachine_t) -> Result<Cid, String> {
    // SAFETY: the machine outlives the call; the response is freed once, after the last use.
    unsafe {
        let response = fvm_machine_flush(machine);
        let root = (*response).value.as_slice().to_vec();
        let error = text(&(*response).error_msg);
        let status = (*response).status_code;
        destroy_fvm_machine_flush_response(response);
        match status {
            0 => Ok(Cid::try_from(root).expect("a CID")),
            _ => Err(error),
        }
    }
}

pub fn state_root(host: &Host, network_version: u32) -> Cid {
    match network_version {
        16..=17 => state::fvm2::build(host, network_version),
        18..=20 => state::fvm3::build(host, network_version),
        _ => state::fvm4::build(host, network_version),
    }
}

pub fn balance(host: &Host, network_version: u32, root: &Cid, id: u64) -> u128 {
    match network_version {
        16..=17 => state::fvm2::balance(host, root, id),
        18..=20 => state::fvm3::balance(host, root, id),
        _ => state::fvm4::balance(host, root, id),
    }
}

pub fn message(to: u64, value: u128, method: u64, sequence: u64) -> Vec<u8> {
    let message = Message {
        version: 0,
        from: Address::new_id(SENDER),
        to: Address::new_id(to),
        sequence,
        value: TokenAmount::from_atto(value),
        method_num: method,
        params: Default::default(),
        gas_limit: 1_000_000_000,
        gas_fee_cap: TokenAmount::from_atto(200),
        gas_premium: TokenAmount::from_atto(3),
    };
    to_vec(&message).expect("a message encodes")
}

pub struct Chain {
    pub host: Arc<Host>,
    pub network_version: u32,
    pub root: Cid,
}

impl Chain {
    pub fn new(network_version: u32) -> Self {
        let host = Host::new();
        let root = state_root(&host, network_version);
        Self {
            host,
            network_version,
            root,
        }
    }

    pub fn create(&self, adjust: impl FnOnce(&mut Settings)) -> Result<Machine, String> {
        let root = self.root.to_bytes();
        let mut settings = Settings::new(self.network_version, &root, &self.host);
        adjust(&mut settings);
        settings.create()
    }

    pub fn machine(&self) -> Machine {
        self.create(|_| ()).expect("a machine")
    }

    pub fn balance(&self, root: &Cid, id: u64) -> u128 {
        balance(&self.host, self.network_version, root, id)
    }
}
