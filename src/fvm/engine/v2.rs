//! FVM 2: network versions 16 and 17.

use anyhow::anyhow;
use cid::Cid;
use fvm2::call_manager::DefaultCallManager;
use fvm2::executor::{ApplyKind, DefaultExecutor, Executor as _};
use fvm2::machine::{DefaultMachine, MultiEngine, NetworkConfig};
use fvm2::trace::ExecutionEvent;
use fvm2::DefaultKernel;
use fvm2_shared::econ::TokenAmount;
use fvm4::gas::{Gas, GasCharge};
use fvm4::kernel::SyscallError;
use fvm4::trace::ExecutionEvent as NewEvent;
use fvm4_shared::address::Address;
use fvm4_shared::econ::TokenAmount as NewAmount;
use fvm4_shared::error::{ErrorNumber, ExitCode};
use fvm4_shared::message::Message;
use fvm_ipld_encoding::ipld_block::IpldBlock;
use fvm_ipld_encoding::{RawBytes, DAG_CBOR};
use num_traits::FromPrimitive;

use super::{older_message, receipt, Executor};
use crate::fvm::blockstore::HostBlockstore;
use crate::fvm::externs::HostExterns;
use crate::fvm::machine::{Config, Kind};
use crate::fvm::receipt::{gas, Receipt};
use crate::fvm::trace;

type Machine = DefaultMachine<HostBlockstore, HostExterns>;
type Fvm = DefaultExecutor<DefaultKernel<DefaultCallManager<Machine>>>;

/// `config.flush_all_blocks`, the chain's id and the timestamp are matters of later versions.
pub fn executor(
    engines: &MultiEngine,
    config: Config,
    redirect: Vec<(Cid, Cid)>,
    (blockstore, externs): (HostBlockstore, HostExterns),
) -> anyhow::Result<Box<dyn Executor>> {
    let version = config.network_version.try_into();
    let mut network = NetworkConfig::new(version.map_err(|version| anyhow!("unknown network version {version}"))?);
    network.redirect_actors(redirect);
    if config.actor_debugging {
        network.enable_actor_debugging();
    }
    let mut context = network.for_epoch(config.epoch, config.state_root);
    context.set_base_fee(TokenAmount::from_atto(config.base_fee));
    context.set_circulating_supply(TokenAmount::from_atto(config.circulating_supply));
    if config.tracing {
        context.enable_tracing();
    }
    let machine = Machine::new(&engines.get(&network)?, &context, blockstore, externs)?;
    Ok(Box::new(Fvm::new(machine)))
}

impl Executor for Fvm {
    fn execute(&mut self, message: Message, kind: Kind, chain_len: usize) -> anyhow::Result<Receipt> {
        let kind = match kind {
            Kind::Explicit => ApplyKind::Explicit,
            Kind::Implicit => ApplyKind::Implicit,
        };
        let gas_limit = message.gas_limit;
        let applied = self.execute_message(older_message!(fvm2_shared, message), kind, chain_len)?;
        let events = applied
            .exec_trace
            .into_iter()
            .filter_map(|e| event(e, gas_limit).transpose());
        Ok(receipt!(applied, {
            gas_used: gas("gas used", applied.msg_receipt.gas_used)?,
            gas_refund: gas("gas refund", applied.gas_refund)?,
            gas_burned: gas("gas burned", applied.gas_burned)?,
            exec_trace: trace::encode(events.collect()),
            events: None,
            events_root: None,
        }))
    }

    fn flush(&mut self) -> anyhow::Result<Cid> {
        fvm2::executor::Executor::flush(self)
    }
}

/// This version's calls carry no gas limit of their own: the message's stands in.
fn event(event: ExecutionEvent, gas_limit: u64) -> anyhow::Result<Option<NewEvent>> {
    Ok(Some(match event {
        ExecutionEvent::GasCharge(charge) => NewEvent::GasCharge(GasCharge {
            name: charge.name,
            // Some charges are negative here, which later versions cannot express. A trace's charges need not add up.
            compute_gas: Gas::from_milligas(charge.compute_gas.as_milligas().try_into().unwrap_or(0)),
            other_gas: Gas::from_milligas(charge.storage_gas.as_milligas().try_into().unwrap_or(0)),
            elapsed: Default::default(),
        }),
        ExecutionEvent::Call {
            from,
            to,
            method,
            params,
            value,
        } => NewEvent::Call {
            from,
            to: Address::from_bytes(&to.to_bytes())?,
            method,
            params: block(params),
            value: NewAmount::from_atto(value.atto().clone()),
            gas_limit,
            read_only: false,
        },
        ExecutionEvent::CallReturn(data) => NewEvent::CallReturn(ExitCode::OK, block(data)),
        ExecutionEvent::CallAbort(code) => NewEvent::CallReturn(ExitCode::new(code.value()), None),
        ExecutionEvent::CallError(error) => {
            let number = ErrorNumber::from_u32(error.1 as u32).unwrap_or(ErrorNumber::AssertionFailed);
            NewEvent::CallError(SyscallError(error.0, number))
        }
        _ => return Ok(None),
    }))
}

fn block(bytes: RawBytes) -> Option<IpldBlock> {
    (!bytes.is_empty()).then(|| IpldBlock {
        codec: DAG_CBOR,
        data: bytes.into(),
    })
}
