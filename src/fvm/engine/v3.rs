//! FVM 3: network versions 18 to 20.

use cid::Cid;
use fvm3::call_manager::DefaultCallManager;
use fvm3::engine::MultiEngine;
use fvm3::executor::{ApplyKind, DefaultExecutor, Executor as _};
use fvm3::machine::{DefaultMachine, NetworkConfig};
use fvm3::trace::ExecutionEvent;
use fvm3::DefaultKernel;
use fvm3_shared::econ::TokenAmount;
use fvm4::gas::{Gas, GasCharge, GasDuration};
use fvm4::kernel::SyscallError;
use fvm4::trace::ExecutionEvent as NewEvent;
use fvm4_shared::address::Address;
use fvm4_shared::econ::TokenAmount as NewAmount;
use fvm4_shared::error::{ErrorNumber, ExitCode};
use fvm4_shared::message::Message;
use fvm4_shared::state::ActorState;
use num_traits::FromPrimitive;

use super::{encode_events, older_message, receipt, Executor};
use crate::fvm::blockstore::HostBlockstore;
use crate::fvm::externs::HostExterns;
use crate::fvm::machine::{Config, Kind};
use crate::fvm::receipt::Receipt;
use crate::fvm::trace;

type Machine = DefaultMachine<HostBlockstore, HostExterns>;
type Fvm = DefaultExecutor<DefaultKernel<DefaultCallManager<Machine>>>;

/// `config.flush_all_blocks` is a matter of later versions.
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
    let machine = Machine::new(&context, blockstore, externs)?;
    Ok(Box::new(Fvm::new(engines.get(&network)?, machine)?))
}

impl Executor for Fvm {
    fn execute(&mut self, message: Message, kind: Kind, chain_len: usize) -> anyhow::Result<Receipt> {
        let kind = match kind {
            Kind::Explicit => ApplyKind::Explicit,
            Kind::Implicit => ApplyKind::Implicit,
        };
        let applied = self.execute_message(older_message!(fvm3_shared, message), kind, chain_len)?;
        Ok(receipt!(applied, {
            gas_used: applied.msg_receipt.gas_used,
            gas_refund: applied.gas_refund,
            gas_burned: applied.gas_burned,
            exec_trace: trace::encode(applied.exec_trace.into_iter().filter_map(|e| event(e).transpose()).collect()),
            // Both versions encode events alike.
            events: encode_events(&applied.events),
            events_root: applied.msg_receipt.events_root.map(|root| root.to_bytes()),
        }))
    }

    fn flush(&mut self) -> anyhow::Result<Cid> {
        fvm3::executor::Executor::flush(self)
    }
}

fn event(event: ExecutionEvent) -> anyhow::Result<Option<NewEvent>> {
    Ok(Some(match event {
        ExecutionEvent::GasCharge(charge) => NewEvent::GasCharge(GasCharge {
            name: charge.name,
            compute_gas: Gas::from_milligas(charge.compute_gas.as_milligas()),
            other_gas: Gas::from_milligas(charge.other_gas.as_milligas()),
            elapsed: charge
                .elapsed
                .get()
                .map_or_else(GasDuration::default, |elapsed| (*elapsed).into()),
        }),
        ExecutionEvent::Call {
            from,
            to,
            method,
            params,
            value,
            gas_limit,
            read_only,
        } => NewEvent::Call {
            from,
            to: Address::from_bytes(&to.to_bytes())?,
            method,
            params,
            value: amount(value),
            gas_limit,
            read_only,
        },
        ExecutionEvent::CallReturn(code, data) => NewEvent::CallReturn(ExitCode::new(code.value()), data),
        ExecutionEvent::CallError(error) => {
            let number = ErrorNumber::from_u32(error.1 as u32).unwrap_or(ErrorNumber::AssertionFailed);
            NewEvent::CallError(SyscallError(error.0, number))
        }
        ExecutionEvent::InvokeActor { id, state } => NewEvent::InvokeActor {
            id,
            state: ActorState {
                code: state.code,
                state: state.state,
                sequence: state.sequence,
                balance: amount(state.balance),
                delegated_address: match state.delegated_address {
                    Some(address) => Some(Address::from_bytes(&address.to_bytes())?),
                    None => None,
                },
            },
        },
        _ => return Ok(None),
    }))
}

fn amount(amount: TokenAmount) -> NewAmount {
    NewAmount::from_atto(amount.atto().clone())
}
