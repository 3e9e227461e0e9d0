//! The host's view of the chain as the FVM's externs.

use anyhow::anyhow;
use cid::Cid;
use num_traits::FromPrimitive;

use super::host::Host;

pub struct HostExterns {
    host: &'static Host,
    handle: u64,
}

impl HostExterns {
    pub fn new(host: &'static Host, handle: u64) -> Self {
        Self { host, handle }
    }

    fn tipset_cid(&self, epoch: i64) -> anyhow::Result<Cid> {
        Ok(Cid::read_bytes(self.host.tipset_cid(self.handle, epoch)?.as_slice())?)
    }
}

macro_rules! externs {
    ($fvm:ident, $shared:ident) => {
        impl $fvm::externs::Rand for HostExterns {
            fn get_chain_randomness(&self, epoch: i64) -> anyhow::Result<[u8; 32]> {
                self.host.chain_randomness(self.handle, epoch)
            }

            fn get_beacon_randomness(&self, epoch: i64) -> anyhow::Result<[u8; 32]> {
                self.host.beacon_randomness(self.handle, epoch)
            }
        }

        impl $fvm::externs::Consensus for HostExterns {
            fn verify_consensus_fault(
                &self,
                h1: &[u8],
                h2: &[u8],
                extra: &[u8],
            ) -> anyhow::Result<(Option<$shared::consensus::ConsensusFault>, i64)> {
                let (fault, gas) = self.host.consensus_fault(self.handle, [h1, h2, extra])?;
                let Some(fault) = fault else {
                    return Ok((None, gas));
                };
                let fault_type = FromPrimitive::from_i64(fault.number).ok_or_else(|| {
                    anyhow!(
                        "the host reported consensus fault {}, which is unknown",
                        fault.number
                    )
                })?;
                let fault = $shared::consensus::ConsensusFault {
                    target: $shared::address::Address::new_id(fault.miner),
                    epoch: fault.epoch,
                    fault_type,
                };
                Ok((Some(fault), gas))
            }
        }

        impl $fvm::externs::Externs for HostExterns {}
    };
}
externs!(fvm2, fvm2_shared);
externs!(fvm3, fvm3_shared);
externs!(fvm4, fvm4_shared);

impl fvm3::externs::Chain for HostExterns {
    fn get_tipset_cid(&self, epoch: i64) -> anyhow::Result<Cid> {
        self.tipset_cid(epoch)
    }
}

impl fvm4::externs::Chain for HostExterns {
    fn get_tipset_cid(&self, epoch: i64) -> anyhow::Result<Cid> {
        self.tipset_cid(epoch)
    }
}
