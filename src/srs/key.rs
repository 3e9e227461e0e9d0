//! A decoded proving key and Groth16's view of it.

use bellperson::groth16::VerifyingKey;
use blstrs::{Bls12, G1Affine, G2Affine};

use super::layout::{Group, Run, IC};
use crate::math::region::Region;

const PAGE_BYTES: u64 = 4096;

/// Where a run lies in the memory of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    pub group: Group,
    pub offset: u64,
    pub count: u64,
}

impl Placed {
    /// The same points as a run of the memory that they lie in.
    pub fn run_there(&self) -> Run {
        Run {
            name: "",
            group: self.group,
            offset: self.offset,
            count: self.count,
        }
    }
}

/// Each run starts on a page, behind a first page that holds none; the second value is the end of the last run.
pub fn place(runs: &[Run]) -> (Vec<Placed>, u64) {
    let mut offset = PAGE_BYTES;
    let mut end = offset;
    let placed = runs
        .iter()
        .map(|run| {
            let placed = Placed {
                group: run.group,
                offset,
                count: run.count,
            };
            end = offset + run.bytes();
            offset = end.next_multiple_of(PAGE_BYTES);
            placed
        })
        .collect();
    (placed, end)
}

/// A decoded proving key, in an image that other processes map too or in private memory.
#[derive(Debug)]
pub struct ProvingKey {
    region: Region,
    runs: Vec<Placed>,
    verifying_key: VerifyingKey<Bls12>,
    digest: String,
}

/// What a proof reads: affine points in Montgomery form, in the order of `.params`.
#[derive(Clone, Copy, Debug)]
pub struct ProvingKeyView<'a> {
    pub vk: &'a VerifyingKey<Bls12>,
    pub h: &'a [G1Affine],
    pub l: &'a [G1Affine],
    pub a: &'a [G1Affine],
    pub b_g1: &'a [G1Affine],
    pub b_g2: &'a [G2Affine],
}

impl ProvingKey {
    pub(super) fn new(region: Region, runs: Vec<Placed>, digest: String) -> Self {
        let (g1, g2) = (|run| slice_g1(&region, &runs, run), |run| slice_g2(&region, &runs, run));
        let verifying_key = VerifyingKey {
            alpha_g1: g1(0)[0],
            beta_g1: g1(1)[0],
            beta_g2: g2(2)[0],
            gamma_g2: g2(3)[0],
            delta_g1: g1(4)[0],
            delta_g2: g2(5)[0],
            ic: g1(IC).to_vec(),
        };
        Self {
            region,
            runs,
            verifying_key,
            digest,
        }
    }

    pub fn view(&self) -> ProvingKeyView<'_> {
        let g1 = |run| slice_g1(&self.region, &self.runs, run);
        ProvingKeyView {
            vk: &self.verifying_key,
            h: g1(IC + 1),
            l: g1(IC + 2),
            a: g1(IC + 3),
            b_g1: g1(IC + 4),
            b_g2: slice_g2(&self.region, &self.runs, IC + 5),
        }
    }

    /// The first 32 hexadecimal digits of the BLAKE2b-512 of the `.params` file.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Of memory, including what rounds each list up to pages.
    pub fn bytes(&self) -> u64 {
        self.region.bytes().len() as u64
    }

    /// Whether other processes can use the same memory.
    pub fn is_shared(&self) -> bool {
        matches!(self.region, Region::Shared(_))
    }

    /// Brings all pages of a shared key into memory, so that no later reader waits for a disk.
    pub fn read_in(&self) {
        self.region.will_need();
        let words = self.region.bytes().iter().step_by(PAGE_BYTES as usize);
        std::hint::black_box(words.fold(0_u8, |sum, byte| sum ^ byte));
    }
}

fn slice_g1<'a>(region: &'a Region, runs: &[Placed], run: usize) -> &'a [G1Affine] {
    region.g1(runs[run].offset as usize, runs[run].count as usize)
}

fn slice_g2<'a>(region: &'a Region, runs: &[Placed], run: usize) -> &'a [G2Affine] {
    region.g2(runs[run].offset as usize, runs[run].count as usize)
}
