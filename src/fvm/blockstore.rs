//! The host's blockstore as the FVM's.

use cid::Cid;
use fvm4_shared::MAX_CID_LEN;
use fvm_ipld_blockstore::Blockstore;

use super::host::Host;

/// Blocks are written in batches of at most this many bytes, unless a single block is larger.
const BATCH_BYTES: usize = 64 << 20;
const BATCH_BLOCKS: usize = 64 << 10;

pub struct HostBlockstore {
    host: &'static Host,
    handle: u64,
}

impl HostBlockstore {
    pub fn new(host: &'static Host, handle: u64) -> Self {
        Self { host, handle }
    }

    fn write(&self, batch: &mut Batch) -> anyhow::Result<()> {
        if batch.lengths.is_empty() {
            return Ok(());
        }
        let written = self.host.put_many(self.handle, &batch.lengths, &batch.bytes);
        batch.lengths.clear();
        batch.bytes.clear();
        written
    }
}

impl Blockstore for HostBlockstore {
    fn get(&self, k: &Cid) -> anyhow::Result<Option<Vec<u8>>> {
        self.host.get(self.handle, &k.to_bytes())
    }

    fn put_keyed(&self, k: &Cid, block: &[u8]) -> anyhow::Result<()> {
        self.host.put(self.handle, &k.to_bytes(), block)
    }

    fn has(&self, k: &Cid) -> anyhow::Result<bool> {
        self.host.has(self.handle, &k.to_bytes())
    }

    fn put_many_keyed<D, I>(&self, blocks: I) -> anyhow::Result<()>
    where
        D: AsRef<[u8]>,
        I: IntoIterator<Item = (Cid, D)>,
    {
        let mut batch = Batch::default();
        for (key, block) in blocks {
            let block = block.as_ref();
            if !batch.has_room(block.len()) {
                self.write(&mut batch)?;
            }
            batch.push(&key, block)?;
        }
        self.write(&mut batch)
    }
}

/// Runs of CID and block, and the length of each run.
#[derive(Default)]
struct Batch {
    lengths: Vec<i32>,
    bytes: Vec<u8>,
}

impl Batch {
    fn has_room(&self, block_bytes: usize) -> bool {
        self.lengths.len() < BATCH_BLOCKS && self.bytes.len() + MAX_CID_LEN + block_bytes <= BATCH_BYTES
    }

    fn push(&mut self, key: &Cid, block: &[u8]) -> anyhow::Result<()> {
        let start = self.bytes.len();
        key.write_bytes(&mut self.bytes)?;
        self.bytes.extend_from_slice(block);
        self.lengths.push(i32::try_from(self.bytes.len() - start)?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> Cid {
        Cid::try_from("bafkqaaa").expect("the identity CID of nothing")
    }

    #[test]
    fn a_batch_is_limited_in_blocks_and_bytes() {
        let mut batch = Batch::default();
        for _ in 0..BATCH_BLOCKS {
            assert!(batch.has_room(1));
            batch.push(&key(), &[7]).expect("a small block");
        }
        assert!(!batch.has_room(0));

        let batch = Batch::default();
        assert!(batch.has_room(BATCH_BYTES - MAX_CID_LEN));
        assert!(!batch.has_room(BATCH_BYTES - MAX_CID_LEN + 1));
    }

    #[test]
    fn a_run_is_the_cid_and_the_block() {
        let mut batch = Batch::default();
        batch.push(&key(), &[1, 2, 3]).expect("a small block");
        batch.push(&key(), &[]).expect("an empty block");
        let cid = key().to_bytes();
        assert_eq!(batch.lengths, [cid.len() as i32 + 3, cid.len() as i32]);
        assert_eq!(batch.bytes, [cid.clone(), vec![1, 2, 3], cid].concat());
    }
}
