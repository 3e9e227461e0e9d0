//! What executing a message gave.

use anyhow::Context;

/// A message's receipt and what it cost. The trace and the events are CBOR, as Lotus decodes them.
#[derive(Debug)]
pub struct Receipt {
    pub exit_code: u32,
    pub return_data: Vec<u8>,
    pub gas_used: u64,
    pub gas_refund: u64,
    pub gas_burned: u64,
    /// In attoFIL, as the four amounts below.
    pub penalty: u128,
    pub miner_tip: u128,
    pub base_fee_burn: u128,
    pub over_estimation_burn: u128,
    pub refund: u128,
    /// None unless the machine traces.
    pub exec_trace: Option<Vec<u8>>,
    pub failure_info: Option<String>,
    /// None when the message emitted none.
    pub events: Option<Vec<u8>>,
    pub events_root: Option<Vec<u8>>,
}

pub fn amount<T>(what: &'static str, atto: T) -> anyhow::Result<u128>
where
    u128: TryFrom<T>,
    <u128 as TryFrom<T>>::Error: std::error::Error + Send + Sync + 'static,
{
    u128::try_from(atto).with_context(|| format!("{what} exceeds u128 attoFIL"))
}

pub fn gas(what: &'static str, gas: i64) -> anyhow::Result<u64> {
    u64::try_from(gas).with_context(|| format!("negative {what}"))
}
