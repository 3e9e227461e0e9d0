//! Execution traces in the form that Lotus decodes: nested calls, each a CBOR tuple.
//!
//! A trace is for people to read; consensus does not depend on it. So one that cannot be built is left out.

use std::borrow::Cow;

use anyhow::anyhow;
use cid::Cid;
use fvm4::gas::GasCharge;
use fvm4::trace::ExecutionEvent;
use fvm4_shared::address::Address;
use fvm4_shared::econ::TokenAmount;
use fvm4_shared::error::{ErrorNumber, ExitCode};
use fvm4_shared::state::ActorState;
use fvm_ipld_encoding::ipld_block::IpldBlock;
use fvm_ipld_encoding::tuple::*;
use fvm_ipld_encoding::{strict_bytes, to_vec};

#[derive(Serialize_tuple)]
struct Call {
    message: Message,
    result: Outcome,
    invoked: Option<Invoked>,
    gas_charges: Vec<Charge>,
    subcalls: Vec<Call>,
    logs: Vec<String>,
    ipld: Vec<BlockAccess>,
}

#[derive(Serialize_tuple)]
struct Message {
    from: Address,
    to: Address,
    value: TokenAmount,
    method: u64,
    #[serde(with = "strict_bytes")]
    params: Vec<u8>,
    codec: u64,
    gas_limit: u64,
    read_only: bool,
}

#[derive(Serialize_tuple)]
struct Outcome {
    exit_code: ExitCode,
    #[serde(with = "strict_bytes")]
    data: Vec<u8>,
    codec: u64,
}

#[derive(Serialize_tuple)]
struct Invoked {
    id: u64,
    state: ActorState,
}

#[derive(Serialize_tuple)]
struct Charge {
    name: Cow<'static, str>,
    total_gas: u64,
    compute_gas: u64,
    other_gas: u64,
    duration_nanos: u64,
}

#[derive(Serialize_tuple)]
struct BlockAccess {
    operation: u64,
    cid: Cid,
    size: usize,
}

/// The trace's bytes. None without events, or when the events do not make up a whole call.
pub fn encode(events: anyhow::Result<Vec<ExecutionEvent>>) -> Option<Vec<u8>> {
    let nested = events.and_then(|events| match events.is_empty() {
        true => Ok(None),
        false => outermost(&mut events.into_iter()).map(Some),
    });
    match nested.and_then(|call| Ok(call.map(|call| to_vec(&call)).transpose()?)) {
        Ok(bytes) => bytes,
        Err(error) => {
            log::warn!("no execution trace: {error:#}");
            None
        }
    }
}

/// The message's own call. What was charged before it belongs to it.
fn outermost(events: &mut dyn Iterator<Item = ExecutionEvent>) -> anyhow::Result<Call> {
    let mut charges = Vec::new();
    while let Some(event) = events.next() {
        match event {
            ExecutionEvent::GasCharge(gas) => charges.push(charge(gas)),
            call @ ExecutionEvent::Call { .. } => {
                let mut call = begin(call).ok_or_else(|| anyhow!("no call"))?;
                call.gas_charges = charges;
                return follow(call, events);
            }
            _ => {}
        }
    }
    Err(anyhow!("the events hold no call"))
}

fn begin(event: ExecutionEvent) -> Option<Call> {
    let ExecutionEvent::Call {
        from,
        to,
        method,
        params,
        value,
        gas_limit,
        read_only,
    } = event
    else {
        return None;
    };
    let params = params.unwrap_or_default();
    Some(Call {
        message: Message {
            from: Address::new_id(from),
            to,
            value,
            method,
            params: params.data,
            codec: params.codec,
            gas_limit,
            read_only,
        },
        result: outcome(ExitCode::OK, None),
        invoked: None,
        gas_charges: Vec::new(),
        subcalls: Vec::new(),
        logs: Vec::new(),
        ipld: Vec::new(),
    })
}

/// Adds events to a call until it returns. Calls nest at most as deep as the FVM allows, on its large stack.
fn follow(mut call: Call, events: &mut dyn Iterator<Item = ExecutionEvent>) -> anyhow::Result<Call> {
    while let Some(event) = events.next() {
        match event {
            ExecutionEvent::CallReturn(exit_code, data) => {
                call.result = outcome(exit_code, data);
                return Ok(call);
            }
            ExecutionEvent::CallError(error) => {
                call.result = outcome(undelivered(error.1), None);
                return Ok(call);
            }
            ExecutionEvent::InvokeActor { id, state } => call.invoked = Some(Invoked { id, state }),
            ExecutionEvent::GasCharge(gas) => call.gas_charges.push(charge(gas)),
            ExecutionEvent::Log(line) => call.logs.push(line),
            ExecutionEvent::Ipld { op, cid, size } => call.ipld.push(BlockAccess {
                operation: op as u64,
                cid,
                size,
            }),
            other => {
                if let Some(subcall) = begin(other) {
                    call.subcalls.push(follow(subcall, events)?);
                }
            }
        }
    }
    Err(anyhow!("a call without a return"))
}

fn outcome(exit_code: ExitCode, data: Option<IpldBlock>) -> Outcome {
    let block = data.unwrap_or_default();
    Outcome {
        exit_code,
        data: block.data,
        codec: block.codec,
    }
}

/// The exit code that stands on chain for a message that could not be delivered.
fn undelivered(error: ErrorNumber) -> ExitCode {
    match error {
        ErrorNumber::InsufficientFunds => ExitCode::SYS_INSUFFICIENT_FUNDS,
        ErrorNumber::NotFound => ExitCode::SYS_INVALID_RECEIVER,
        _ => ExitCode::SYS_ASSERTION_FAILED,
    }
}

fn charge(gas: GasCharge) -> Charge {
    let elapsed = gas.elapsed.get().copied().unwrap_or_default();
    Charge {
        total_gas: gas.total().round_up(),
        compute_gas: gas.compute_gas.round_up(),
        other_gas: gas.other_gas.round_up(),
        duration_nanos: u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX),
        name: gas.name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fvm4::gas::Gas;
    use fvm4::kernel::SyscallError;

    fn call(to: u64) -> ExecutionEvent {
        ExecutionEvent::Call {
            from: 7,
            to: Address::new_id(to),
            method: 2,
            params: None,
            value: TokenAmount::from_atto(5),
            gas_limit: 1000,
            read_only: false,
        }
    }

    fn gas(name: &'static str) -> ExecutionEvent {
        ExecutionEvent::GasCharge(GasCharge::new(name, Gas::from_milligas(1500), Gas::from_milligas(700)))
    }

    fn failed(number: ErrorNumber) -> ExecutionEvent {
        ExecutionEvent::CallError(SyscallError::new(number, "failed"))
    }

    fn nest(events: Vec<ExecutionEvent>) -> anyhow::Result<Call> {
        outermost(&mut events.into_iter())
    }

    #[test]
    fn calls_nest_and_keep_what_belongs_to_them() {
        let outer = nest(vec![
            gas("inclusion"),
            call(1),
            gas("invocation"),
            call(2),
            ExecutionEvent::Log("inside".into()),
            ExecutionEvent::CallReturn(ExitCode::OK, None),
            call(3),
            call(4),
            failed(ErrorNumber::NotFound),
            failed(ErrorNumber::InsufficientFunds),
            ExecutionEvent::Log("outside".into()),
            failed(ErrorNumber::IllegalArgument),
            call(5),
        ])
        .expect("a whole call");
        let names: Vec<_> = outer.gas_charges.iter().map(|charge| charge.name.as_ref()).collect();
        assert_eq!(names, ["inclusion", "invocation"]);
        assert_eq!(outer.gas_charges[0].total_gas, 3);
        assert_eq!(outer.gas_charges[0].compute_gas, 2);
        assert_eq!(outer.gas_charges[0].other_gas, 1);
        assert_eq!(outer.logs, ["outside"]);
        assert_eq!(outer.result.exit_code, ExitCode::SYS_ASSERTION_FAILED);

        let [second, third] = outer.subcalls.as_slice() else {
            panic!("two subcalls");
        };
        assert_eq!(second.logs, ["inside"]);
        assert_eq!(second.result.exit_code, ExitCode::OK);
        assert_eq!(third.result.exit_code, ExitCode::SYS_INSUFFICIENT_FUNDS);
        assert_eq!(third.subcalls[0].message.to, Address::new_id(4));
        assert_eq!(third.subcalls[0].result.exit_code, ExitCode::SYS_INVALID_RECEIVER);
    }

    #[test]
    fn incomplete_events_give_no_trace() {
        assert!(encode(Ok(vec![])).is_none());
        assert!(encode(Ok(vec![gas("inclusion")])).is_none());
        assert!(encode(Ok(vec![call(1)])).is_none());
        assert!(encode(Err(anyhow!("an event that does not translate"))).is_none());
    }

    #[test]
    fn the_encoding_is_the_tuples_that_lotus_decodes() {
        let bytes =
            encode(Ok(vec![call(1), ExecutionEvent::CallReturn(ExitCode::new(16), None)])).expect("a whole call");
        // [[f07, f01, 5, 2, "", 0, 1000, false], [16, "", 0], null, [], [], [], []]
        let expected = hex::decode(concat!(
            "87", "88", "420007", "420001", "420005", "02", "40", "00", "1903e8", "f4"
        ))
        .expect("hex");
        assert_eq!(bytes[..expected.len()], expected);
        assert_eq!(bytes[expected.len()..], hex::decode("83104000f680808080").expect("hex"));
    }
}
