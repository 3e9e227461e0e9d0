//! FVM 4: network versions 21 to 29.

use cid::Cid;
use fvm4::call_manager::DefaultCallManager;
use fvm4::engine::MultiEngine;
use fvm4::executor::{ApplyKind, DefaultExecutor, Executor as _};
use fvm4::kernel::filecoin::DefaultFilecoinKernel;
use fvm4::machine::{DefaultMachine, NetworkConfig};
use fvm4_shared::econ::TokenAmount;
use fvm4_shared::message::Message;

use super::{encode_events, receipt, Executor};
use crate::fvm::blockstore::HostBlockstore;
use crate::fvm::externs::HostExterns;
use crate::fvm::machine::{Config, Kind};
use crate::fvm::receipt::Receipt;
use crate::fvm::trace;

type Machine = DefaultMachine<HostBlockstore, HostExterns>;
type Fvm = DefaultExecutor<DefaultFilecoinKernel<DefaultCallManager<Machine>>>;

pub fn executor(
    engines: &MultiEngine,
    config: Config,
    redirect: Vec<(Cid, Cid)>,
    (blockstore, externs): (HostBlockstore, HostExterns),
) -> anyhow::Result<Box<dyn Executor>> {
    let mut network = NetworkConfig::new(config.network_version.into());
    network.chain_id(config.chain_id.into());
    network.redirect_actors(redirect);
    if config.actor_debugging {
        network.enable_actor_debugging();
    }
    let mut context = network.for_epoch(config.epoch, config.timestamp, config.state_root);
    context.set_base_fee(TokenAmount::from_atto(config.base_fee));
    context.set_circulating_supply(TokenAmount::from_atto(config.circulating_supply));
    if config.tracing {
        context.enable_tracing();
    }
    if config.flush_all_blocks {
        context.enable_flush_all_blocks();
    }
    let machine = Machine::new(&context, blockstore, externs)?;
    Ok(Box::new(Fvm::new(engines.get(&network)?, machine)?))
}

impl Executor for Fvm {
    fn execute(&mut self, message: Message, kind: Kind, chain_len: usize) -> anyhow::Result<Receipt> {
        let kind = match kind {
            Kind::Explicit => ApplyKind::Explicit,
            Kind::Implicit => ApplyKind::Implicit,
        };
        let applied = self.execute_message(message, kind, chain_len)?;
        Ok(receipt!(applied, {
            gas_used: applied.msg_receipt.gas_used,
            gas_refund: applied.gas_refund,
            gas_burned: applied.gas_burned,
            exec_trace: trace::encode(Ok(applied.exec_trace)),
            events: encode_events(&applied.events),
            events_root: applied.msg_receipt.events_root.map(|root| root.to_bytes()),
        }))
    }

    fn flush(&mut self) -> anyhow::Result<Cid> {
        fvm4::executor::Executor::flush(self)
    }
}
