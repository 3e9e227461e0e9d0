//! Parameter files made of multiples of the generators: as good as any for reading, and quickly made.
#![allow(dead_code)] // Each test program uses a part.

pub mod process;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use blstrs::{G1Affine, G1Projective, G2Affine, G2Projective};
use filcrypto::error::Result;
use filcrypto::srs::{Options, Source};
use group::{Curve, Group};

/// Offset of the count of `ic`.
pub const HEAD_BYTES: usize = 3 * 96 + 3 * 192;
pub const IC: usize = 3;

/// The bytes of a `.params` file whose longest lists have `points` points, from the multiple `first` of the generators on.
pub fn params(points: usize, first: u64) -> Vec<u8> {
    let fewer = points / 4 + 1;
    let g1 = multiples::<G1Projective>(points + IC + 3, first);
    let g2 = multiples::<G2Projective>(fewer + 3, first);
    let put_g1 =
        |bytes: &mut Vec<u8>, points: &[G1Affine]| points.iter().for_each(|p| bytes.extend(p.to_uncompressed()));
    let put_g2 =
        |bytes: &mut Vec<u8>, points: &[G2Affine]| points.iter().for_each(|p| bytes.extend(p.to_uncompressed()));

    let mut bytes = Vec::new();
    put_g1(&mut bytes, &g1[0..2]);
    put_g2(&mut bytes, &g2[0..2]);
    put_g1(&mut bytes, &g1[2..3]);
    put_g2(&mut bytes, &g2[2..3]);
    // ic, h, l, a, b_g1, b_g2
    let lists = [
        &g1[3..3 + IC],
        &g1[3..3 + points - 1],
        &g1[4..4 + points],
        &g1[5..4 + points],
        &g1[2..2 + fewer],
    ];
    for list in lists {
        bytes.extend((list.len() as u32).to_be_bytes());
        put_g1(&mut bytes, list);
    }
    bytes.extend((fewer as u32).to_be_bytes());
    put_g2(&mut bytes, &g2[3..3 + fewer]);
    bytes
}

fn multiples<G: Group + Curve>(count: usize, first: u64) -> Vec<G::AffineRepr>
where
    G::AffineRepr: Clone,
{
    let generator = G::generator();
    let mut next = generator * G::Scalar::from(first + 1);
    let mut points = Vec::with_capacity(count);
    for _ in 0..count {
        points.push(next);
        next += generator;
    }
    let mut affine = vec![generator.to_affine(); count];
    G::batch_normalize(&points, &mut affine);
    affine
}

/// A parameter file in a directory of its own, with a digest that counts how often it is computed: once for each decoding.
pub struct File {
    pub id: String,
    pub path: PathBuf,
    pub decodings: AtomicUsize,
}

impl File {
    pub fn new(directory: &Path, id: &str, bytes: &[u8]) -> Self {
        let path = directory.join(format!("{id}.params"));
        fs::write(&path, bytes).unwrap();
        Self::at(&path)
    }

    pub fn at(path: &Path) -> Self {
        Self {
            id: path.file_stem().unwrap().to_str().unwrap().to_owned(),
            path: path.to_owned(),
            decodings: AtomicUsize::new(0),
        }
    }

    pub fn with_source<T>(&self, body: impl FnOnce(&Source<'_>) -> T) -> T {
        let digest = || -> Result<String> {
            self.decodings.fetch_add(1, Ordering::SeqCst);
            let hash = blake2b_simd::blake2b(&fs::read(&self.path)?);
            Ok(hash.to_hex()[..32].to_owned())
        };
        body(&Source {
            id: &self.id,
            path: &self.path,
            digest: &digest,
        })
    }

    pub fn decodings(&self) -> usize {
        self.decodings.load(Ordering::SeqCst)
    }

    pub fn image(&self) -> PathBuf {
        self.path.with_extension("srs-image")
    }
}

pub fn options() -> Options {
    Options {
        budget_bytes: u64::MAX,
        image_directory: None,
        check_subgroup: false,
        threads: 2,
        lease_wait: Duration::from_millis(200),
        stalled_after: Duration::from_secs(60),
    }
}

/// Images cannot be written here, so that a store uses private memory.
pub fn private_options() -> Options {
    Options {
        image_directory: Some(PathBuf::from("/proc/no-such-directory")),
        ..options()
    }
}
