//! The resident store in one process: decoding, single flight, leases, eviction and the budget.

mod srs_support;

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use bellperson::groth16::Parameters;
use blstrs::{Bls12, G1Affine, G2Affine};
use filcrypto::srs::{Options, ProvingKeyView, Source, Store};
use srs_support::{options, params, private_options, File, HEAD_BYTES, IC};

/// Lists of more than one block, with a short last one.
const LARGE: usize = 20_000;
const SMALL: usize = 40;

fn assert_same(view: ProvingKeyView<'_>, bytes: &[u8], what: &str) {
    let theirs = Parameters::<Bls12>::read(bytes, false).unwrap();
    assert_eq!(*view.vk, theirs.vk, "{what}: verifying key");
    assert!(view.h == &theirs.h[..], "{what}: h");
    assert!(view.l == &theirs.l[..], "{what}: l");
    assert!(view.a == &theirs.a[..], "{what}: a");
    assert!(view.b_g1 == &theirs.b_g1[..], "{what}: b_g1");
    assert!(view.b_g2 == &theirs.b_g2[..], "{what}: b_g2");
}

#[test]
fn decoded_keys_are_those_that_bellperson_reads() {
    let directory = tempfile::tempdir().unwrap();
    for points in [1, SMALL, LARGE] {
        let bytes = params(points, 0);
        let file = File::new(directory.path(), &format!("c{points}"), &bytes);
        let digest = blake2b_simd::blake2b(&bytes).to_hex()[..32].to_owned();
        for (options, shared) in [(private_options(), false), (options(), true), (options(), true)] {
            let what = format!("{points} points, shared {shared}");
            let lease = file.with_source(|source| Store::new(options).lease(source)).unwrap();
            assert_eq!(lease.is_shared(), shared, "{what}");
            assert_eq!(lease.digest(), digest, "{what}");
            assert_same(lease.view(), &bytes, &what);
        }
        assert_eq!(file.decodings(), 2, "the third lease maps the image");
    }
}

fn failure(directory: &Path, bytes: &[u8], options: Options) -> String {
    let file = File::new(directory, "broken", bytes);
    let store = Store::new(options);
    let error = file
        .with_source(|source| store.lease(source))
        .err()
        .expect("a broken file gives no key");
    let left: Vec<_> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert!(
        !left.iter().any(|name| name.to_str().unwrap().ends_with(".tmp")),
        "{left:?}"
    );
    assert!(!file.image().exists(), "a broken file gave an image");
    let text = error.to_string();
    assert!(text.contains("broken.params"), "{text}");
    text
}

#[test]
fn a_bad_length_names_the_file_and_the_offset() {
    let directory = tempfile::tempdir().unwrap();
    let good = params(SMALL, 0);
    let broken = |bytes: &[u8]| failure(directory.path(), bytes, options());
    for (length, expected) in [
        (0, "1 points of alpha_g1 at offset 0 need 96 bytes, and the file has 0"),
        (
            HEAD_BYTES + 2,
            "the number of points of ic belongs at offset 864, and the file has 866",
        ),
        (
            HEAD_BYTES + 4 + 95,
            "3 points of ic at offset 868 need 1156 bytes, and the file has 963",
        ),
        (good.len() - 1, "11 points of b_g2 at offset "),
    ] {
        let text = broken(&good[..length]);
        assert!(text.contains(expected), "{text}");
    }
    let longer = [&good[..], &[0]].concat();
    let text = broken(&longer);
    assert!(
        text.contains(&format!(
            "ends at offset {}, and the file has {}",
            good.len(),
            longer.len()
        )),
        "{text}"
    );
    let mut counted = good.clone();
    counted[HEAD_BYTES..HEAD_BYTES + 4].copy_from_slice(&u32::MAX.to_be_bytes());
    let text = broken(&counted);
    assert!(text.contains("4294967295 points of ic at offset 868 need"), "{text}");
    let missing = File::at(&directory.path().join("missing.params"));
    let error = missing
        .with_source(|source| Store::new(options()).lease(source))
        .err()
        .unwrap();
    assert!(error.to_string().contains("missing.params: cannot be read"), "{error}");
}

#[test]
fn a_bad_point_names_the_file_and_the_offset() {
    let directory = tempfile::tempdir().unwrap();
    let good = params(SMALL, 0);
    let h = HEAD_BYTES + 4 + IC * 96 + 4;
    let last = good.len() - 192;
    let with = |offset: usize, point: &[u8]| {
        let mut bytes = good.clone();
        bytes[offset..offset + point.len()].copy_from_slice(point);
        bytes
    };
    let flipped = |offset: usize| with(offset, &[good[offset] ^ 1]);
    let mut infinity = [0; 192];
    infinity[0] = 0x40;
    let compressed = G1Affine::default().to_compressed();
    let cases = [
        (flipped(95), "point 0 of alpha_g1, at offset 0, is not"),
        (flipped(96 + 96 + 191), "point 0 of beta_g2, at offset 192, is not"),
        (
            flipped(h + 2 * 96 + 40),
            &format!("point 2 of h, at offset {}, is not", h + 2 * 96)[..],
        ),
        (
            flipped(last + 191),
            &format!("point 10 of b_g2, at offset {last}, is not"),
        ),
        (
            with(h, &infinity[..96]),
            &format!("point 0 of h, at offset {h}, is the point at infinity"),
        ),
        (
            with(last, &infinity),
            &format!("offset {last}, is the point at infinity"),
        ),
        (with(h, &compressed), &format!("offset {h}, is in compressed form")),
        (
            with(h, &[0x20 | good[h]]),
            &format!("offset {h}, is not an uncompressed point"),
        ),
        (with(h, &[0x1f; 96]), &format!("offset {h}, is not")),
        (with(h, &[0; 96]), &format!("offset {h}, is not")),
    ];
    for (bytes, expected) in &cases {
        for options in [options(), private_options()] {
            let text = failure(directory.path(), bytes, options);
            assert!(text.contains(expected), "{expected} is not in {text}");
        }
    }
    // The first of several is told.
    let mut two = flipped(h + 40);
    two[last + 191] ^= 1;
    assert!(failure(directory.path(), &two, options()).contains(&format!("offset {h},")));
}

#[test]
fn the_subgroup_is_checked_by_setting() {
    let directory = tempfile::tempdir().unwrap();
    let offset = HEAD_BYTES + 4 + IC * 96 + 4;
    let mut bytes = params(SMALL, 0);
    bytes[offset..offset + 96].copy_from_slice(&outside_the_subgroup().to_uncompressed());
    let with_check = Options {
        check_subgroup: true,
        ..options()
    };
    let text = failure(directory.path(), &bytes, with_check.clone());
    assert!(
        text.contains(&format!("offset {offset}, is not in the prime-order subgroup")),
        "{text}"
    );
    let file = File::new(directory.path(), "unchecked", &bytes);
    file.with_source(|source| Store::new(options()).lease(source)).unwrap();
    let file = File::new(directory.path(), "good", &params(SMALL, 0));
    file.with_source(|source| Store::new(with_check).lease(source)).unwrap();
}

/// A point of the curve with a small x; almost none of them is in the subgroup.
fn outside_the_subgroup() -> G1Affine {
    (3..=255_u8)
        .filter_map(|x| {
            let mut compressed = [0; 48];
            (compressed[0], compressed[47]) = (0x80, x);
            Option::<G1Affine>::from(G1Affine::from_compressed_unchecked(&compressed))
        })
        .find(|point| !bool::from(point.is_torsion_free()))
        .unwrap()
}

#[test]
fn threads_that_ask_at_once_share_one_load() {
    let directory = tempfile::tempdir().unwrap();
    let file = File::new(directory.path(), "c", &params(LARGE, 0));
    let store = Store::new(private_options());
    let barrier = Barrier::new(16);
    let addresses: Vec<usize> = thread::scope(|scope| {
        let ask = || {
            barrier.wait();
            let lease = file.with_source(|source| store.lease(source)).unwrap();
            barrier.wait();
            lease.view().h.as_ptr() as usize
        };
        let threads: Vec<_> = (0..16).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(addresses.iter().all(|address| *address == addresses[0]));
    assert_eq!(file.decodings(), 1);
    let status = store.status();
    assert_eq!((status[0].state, status[0].leases), ("resident", 0));
}

#[test]
fn a_failed_load_wakes_all_waiters_and_poisons_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let good = params(LARGE, 0);
    let mut bad = good.clone();
    let last = bad.len() - 1;
    bad[last] ^= 1;
    let file = File::new(directory.path(), "c", &bad);
    let store = Store::new(options());
    let texts: Vec<String> = thread::scope(|scope| {
        let ask = || {
            file.with_source(|source| store.lease(source))
                .err()
                .unwrap()
                .to_string()
        };
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(
        texts.iter().all(|text| text.contains("of b_g2, at offset")),
        "{texts:?}"
    );
    fs::write(&file.path, &good).unwrap();
    let lease = file.with_source(|source| store.lease(source)).unwrap();
    assert_same(lease.view(), &good, "after the failure");
}

#[test]
fn a_panic_in_a_load_is_an_error_for_all_and_poisons_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let file = File::new(directory.path(), "c", &params(SMALL, 0));
    let store = Store::new(private_options());
    let ask = || {
        let digest = || panic!("in the digest");
        store.lease(&Source {
            id: &file.id,
            path: &file.path,
            digest: &digest,
        })
    };
    let texts: Vec<String> = thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| ask().err().unwrap().to_string()))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(texts.iter().all(|text| text.contains("panic")), "{texts:?}");
    assert_eq!(store.used_bytes(), 0);
    file.with_source(|source| store.lease(source)).unwrap();
}

/// A store with room for `room` keys of the files' size, and the files.
fn crowded(directory: &Path, room: u64, wait: Duration) -> (Store, Vec<File>) {
    let files: Vec<File> = (0..4)
        .map(|n| File::new(directory, &format!("c{n}"), &params(SMALL, n * 1000)))
        .collect();
    let measure = Store::new(private_options());
    let bytes = files[0].with_source(|source| measure.lease(source)).unwrap().bytes();
    let store = Store::new(Options {
        budget_bytes: room * bytes + bytes / 2,
        lease_wait: wait,
        ..private_options()
    });
    (store, files)
}

fn states(store: &Store) -> Vec<(String, &'static str, usize)> {
    store
        .status()
        .into_iter()
        .map(|status| (status.id, status.state, status.leases))
        .collect()
}

#[test]
fn the_least_recently_used_key_goes() {
    let directory = tempfile::tempdir().unwrap();
    let (store, files) = crowded(directory.path(), 2, Duration::ZERO);
    let touch = |n: usize| drop(files[n].with_source(|source| store.lease(source)).unwrap());
    touch(0);
    touch(1);
    touch(0);
    touch(2);
    let expect = |id: &str, state| (id.to_owned(), state, 0);
    assert_eq!(
        states(&store),
        [expect("c0", "resident"), expect("c1", "cold"), expect("c2", "resident")]
    );
    assert!(store.used_bytes() <= store.options().budget_bytes);
    touch(1);
    assert_eq!(
        states(&store),
        [expect("c0", "cold"), expect("c1", "resident"), expect("c2", "resident")]
    );
}

#[test]
fn more_than_the_budget_is_an_error_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let (store, files) = crowded(directory.path(), 0, Duration::from_secs(3600));
    let start = Instant::now();
    let text = files[0]
        .with_source(|source| store.lease(source))
        .err()
        .unwrap()
        .to_string();
    assert!(
        text.contains("SRS c0 takes ") && text.contains("FILCRYPTO_SRS_BUDGET"),
        "{text}"
    );
    assert!(start.elapsed() < Duration::from_secs(60));
    assert_eq!(store.used_bytes(), 0);
}

#[test]
fn when_all_room_is_leased_a_load_waits_and_then_says_who_has_it() {
    let directory = tempfile::tempdir().unwrap();
    let (store, files) = crowded(directory.path(), 1, Duration::from_millis(300));
    let held = files[0].with_source(|source| store.lease(source)).unwrap();
    let start = Instant::now();
    let text = files[1]
        .with_source(|source| store.lease(source))
        .err()
        .unwrap()
        .to_string();
    assert!(start.elapsed() >= Duration::from_millis(300));
    assert!(
        text.contains("still in use: c0 (resident, ") && text.contains("1 leases"),
        "{text}"
    );
    // The key in use is whole, and cannot be evicted.
    assert_same(held.view(), &fs::read(&files[0].path).unwrap(), "held");
    let text = store.evict("c0").err().unwrap().to_string();
    assert!(text.contains("in use by 1 proofs"), "{text}");

    thread::scope(|scope| {
        let patient = Store::clone(&store);
        let second = &files[1];
        let waiter = scope.spawn(move || {
            let deadline = Instant::now() + Duration::from_secs(60);
            loop {
                match second.with_source(|source| patient.lease(source)) {
                    Ok(lease) => break lease,
                    Err(_) if Instant::now() < deadline => {}
                    Err(error) => panic!("{error}"),
                }
            }
        });
        thread::sleep(Duration::from_millis(50));
        drop(held);
        let lease = waiter.join().unwrap();
        assert_same(lease.view(), &fs::read(&files[1].path).unwrap(), "after the wait");
    });
    assert!(store.evict("c1").unwrap());
    assert!(!store.evict("c1").unwrap(), "it is gone");
    assert!(!store.evict("never asked for").unwrap());
    assert_eq!(store.used_bytes(), 0);
}

#[test]
fn a_load_can_be_seen_and_is_not_evicted() {
    let directory = tempfile::tempdir().unwrap();
    let file = File::new(directory.path(), "c", &params(SMALL, 0));
    let store = Store::new(private_options());
    let (started, go_on) = (AtomicBool::new(false), AtomicBool::new(false));
    let until = |flag: &AtomicBool| {
        let deadline = Instant::now() + Duration::from_secs(60);
        while !flag.load(Ordering::SeqCst) {
            assert!(Instant::now() < deadline);
            thread::sleep(Duration::from_millis(1));
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| {
            let digest = || {
                started.store(true, Ordering::SeqCst);
                until(&go_on);
                Ok("0".repeat(32))
            };
            let source = Source {
                id: &file.id,
                path: &file.path,
                digest: &digest,
            };
            store.lease(&source).unwrap();
        });
        until(&started);
        assert_eq!(states(&store), [("c".to_owned(), "loading", 0)]);
        assert!(store.used_bytes() > 0);
        let text = store.evict("c").err().unwrap().to_string();
        assert!(text.contains("is being loaded"), "{text}");
        let work = filcrypto::telemetry::heartbeat::working();
        assert!(
            work.iter()
                .any(|work| work.subject == "SRS c" && work.phase == "decode"),
            "{work:?}"
        );
        go_on.store(true, Ordering::SeqCst);
    });
    assert_eq!(states(&store), [("c".to_owned(), "resident", 0)]);
}

#[test]
fn a_source_that_changes_while_it_is_read_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let file = File::new(directory.path(), "c", &params(SMALL, 0));
    let store = Store::new(options());
    let digest = || {
        thread::sleep(Duration::from_millis(50));
        fs::write(&file.path, params(SMALL, 7)).unwrap();
        Ok("0".repeat(32))
    };
    let source = Source {
        id: &file.id,
        path: &file.path,
        digest: &digest,
    };
    let text = store.lease(&source).err().unwrap().to_string();
    assert!(text.contains("changed while it was read"), "{text}");
    let lease = file.with_source(|source| store.lease(source)).unwrap();
    assert_same(lease.view(), &params(SMALL, 7), "the new file");
    let _: Option<&G2Affine> = lease.view().b_g2.first();
}
