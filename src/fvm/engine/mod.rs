//! One module for each version of the FVM, all behind [`Executor`].
//!
//! Messages and traces are spoken of in the newest version's types; the older versions translate.

mod v2;
mod v3;
mod v4;

use cid::Cid;
use fvm4_shared::message::Message;

use super::blockstore::HostBlockstore;
use super::externs::HostExterns;
use super::machine::{Config, Kind};
use super::receipt::Receipt;

/// An executor of any version.
pub trait Executor: Send {
    /// `chain_len` is the message's length on chain, in bytes: inclusion is charged by it.
    fn execute(&mut self, message: Message, kind: Kind, chain_len: usize) -> anyhow::Result<Receipt>;

    /// Writes the state to the blockstore and returns its new root.
    fn flush(&mut self) -> anyhow::Result<Cid>;
}

/// What machines of one version share, above all compiled actors.
pub struct Engines {
    v2: fvm2::machine::MultiEngine,
    v3: fvm3::engine::MultiEngine,
    v4: fvm4::engine::MultiEngine,
}

impl Engines {
    /// Each configuration of an engine executes at most `concurrency` messages at once.
    pub fn new(concurrency: u32) -> Self {
        Self {
            v2: fvm2::machine::MultiEngine::new(),
            v3: fvm3::engine::MultiEngine::new(concurrency),
            v4: fvm4::engine::MultiEngine::new(concurrency),
        }
    }

    pub fn executor(
        &self,
        version: Version,
        config: Config,
        redirect: Vec<(Cid, Cid)>,
        host: (HostBlockstore, HostExterns),
    ) -> anyhow::Result<Box<dyn Executor>> {
        match version {
            Version::V2 => v2::executor(&self.v2, config, redirect, host),
            Version::V3 => v3::executor(&self.v3, config, redirect, host),
            Version::V4 => v4::executor(&self.v4, config, redirect, host),
        }
    }
}

/// The FVM's versions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Version {
    V2,
    V3,
    V4,
}

impl Version {
    /// The FVM that a network version prescribes.
    pub fn of_network(network_version: u32) -> Option<Self> {
        match network_version {
            16..=17 => Some(Self::V2),
            18..=20 => Some(Self::V3),
            21..=29 => Some(Self::V4),
            _ => None,
        }
    }
}

/// The message in an older version's types.
macro_rules! older_message {
    ($shared:ident, $message:expr) => {{
        use anyhow::Context as _;
        let message: fvm4_shared::message::Message = $message;
        let address = |address: fvm4_shared::address::Address| {
            $shared::address::Address::from_bytes(&address.to_bytes())
                .with_context(|| format!("address {address} is unknown to this network version"))
        };
        let amount =
            |amount: fvm4_shared::econ::TokenAmount| $shared::econ::TokenAmount::from_atto(amount.atto().clone());
        $shared::message::Message {
            #[allow(clippy::useless_conversion)]
            version: message.version.try_into().context("invalid message version")?,
            from: address(message.from)?,
            to: address(message.to)?,
            sequence: message.sequence,
            value: amount(message.value),
            method_num: message.method_num,
            params: message.params,
            #[allow(clippy::useless_conversion)]
            gas_limit: message.gas_limit.try_into().context("invalid gas limit")?,
            gas_fee_cap: amount(message.gas_fee_cap),
            gas_premium: amount(message.gas_premium),
        }
    }};
}
use older_message;

/// The receipt's fields that all versions have, filled from a version's result; the others are given.
macro_rules! receipt {
    ($applied:ident, { $($field:ident: $value:expr,)* }) => {{
        use $crate::fvm::receipt::{amount, Receipt};
        Receipt {
            $($field: $value,)*
            exit_code: $applied.msg_receipt.exit_code.value(),
            return_data: $applied.msg_receipt.return_data.into(),
            penalty: amount("penalty", $applied.penalty.atto())?,
            miner_tip: amount("miner tip", $applied.miner_tip.atto())?,
            base_fee_burn: amount("base fee burn", $applied.base_fee_burn.atto())?,
            over_estimation_burn: amount("overestimation burn", $applied.over_estimation_burn.atto())?,
            refund: amount("refund", $applied.refund.atto())?,
            failure_info: $applied.failure_info.map(|failure| failure.to_string()),
        }
    }};
}
use receipt;

/// Events are informational: what consensus needs is their root, in the receipt.
fn encode_events<T: serde::Serialize>(events: &[T]) -> Option<Vec<u8>> {
    if events.is_empty() {
        return None;
    }
    fvm_ipld_encoding::to_vec(&events)
        .inspect_err(|error| log::warn!("events left out: {error}"))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn network_versions_choose_the_fvm() {
        let of = Version::of_network;
        assert_eq!([of(15), of(30), of(0), of(u32::MAX)], [None; 4]);
        assert_eq!([of(16), of(17)], [Some(Version::V2); 2]);
        assert_eq!([of(18), of(20)], [Some(Version::V3); 2]);
        assert_eq!([of(21), of(29)], [Some(Version::V4); 2]);
    }
}
