//! The shared image: what is used, and what is made anew.

mod srs_support;

use std::fs;
use std::os::unix::fs::{chown, PermissionsExt};
use std::time::{Duration, Instant};

use filcrypto::srs::{build_image, image_state, remove_image, Built, ImageState, Options, Store};
use srs_support::process::{expected_sum, files_with, sum};
use srs_support::{options, params, File};

const POINTS: usize = 20_000;
const NOBODY: u32 = 65534;

/// Each damages or replaces the image or its source; none may be used.
#[test]
fn an_image_that_is_not_the_whole_image_of_the_source_is_rebuilt() {
    let directory = tempfile::tempdir().unwrap();
    let file = File::new(directory.path(), "c", &params(POINTS, 0));
    let other = File::new(directory.path(), "other", &params(POINTS, 5000));
    for file in [&file, &other] {
        file.with_source(|source| Store::new(options()).lease(source)).unwrap();
    }
    let (good, foreign) = (fs::read(file.image()).unwrap(), fs::read(other.image()).unwrap());
    let flipped = |offset: usize| {
        let mut bytes = good.clone();
        bytes[offset] ^= 0x10;
        bytes
    };
    let cases = [
        ("empty", Vec::new()),
        ("truncated", good[..good.len() - 1].to_vec()),
        ("longer", [&good[..], &[0]].concat()),
        ("torn before the first page", [&[0; 4096], &good[4096..]].concat()),
        ("cut within the first page", good[..1000].to_vec()),
        ("another version", flipped(14)),
        ("damaged first page", flipped(200)),
        ("damaged checksum", flipped(30)),
        ("damaged verifying key", flipped(4096 + 10)),
        ("of another file", foreign),
    ];
    for (what, bytes) in &cases {
        let before = file.decodings();
        fs::remove_file(file.image()).unwrap();
        fs::write(file.image(), bytes).unwrap();
        let lease = file.with_source(|source| Store::new(options()).lease(source)).unwrap();
        assert_eq!(file.decodings() - before, 1, "{what}: it was used");
        assert!(lease.is_shared(), "{what}");
        assert!(fs::read(file.image()).unwrap() == good, "{what}: not rebuilt");
    }

    // A damaged point is found by a full check.
    let last = good.len() - 1;
    fs::remove_file(file.image()).unwrap();
    fs::write(file.image(), flipped(last)).unwrap();
    let (_, built) = file.with_source(|source| build_image(source, &options())).unwrap();
    assert_eq!(built, Built::Now);
    let (_, built) = file.with_source(|source| build_image(source, &options())).unwrap();
    assert_eq!(built, Built::Before);

    // The source is another file of the same size.
    let before = file.decodings();
    let replacement = directory.path().join("new");
    fs::copy(&other.path, &replacement).unwrap();
    fs::rename(&replacement, &file.path).unwrap();
    let lease = file.with_source(|source| Store::new(options()).lease(source)).unwrap();
    assert_eq!(file.decodings() - before, 1, "the image of the old file was used");
    assert_eq!(sum(&lease), expected_sum(&other));
}

#[test]
fn a_key_in_use_survives_the_removal_and_the_rebuilding_of_its_image() {
    let directory = tempfile::tempdir().unwrap();
    let file = File::new(directory.path(), "c", &params(POINTS, 0));
    let lease = file.with_source(|source| Store::new(options()).lease(source)).unwrap();
    let before = sum(&lease);
    assert!(remove_image(&file.path, None).unwrap());
    let again = file.with_source(|source| Store::new(options()).lease(source)).unwrap();
    assert_eq!((sum(&lease), sum(&again)), (before.clone(), before));
}

#[test]
fn a_writer_without_progress_is_not_waited_for() {
    let directory = tempfile::tempdir().unwrap();
    let file = File::new(directory.path(), "c", &params(POINTS, 0));
    let lock = fs::File::create(file.path.with_extension("srs-image.lock")).unwrap();
    lock.lock().unwrap();
    let store = Store::new(Options {
        stalled_after: Duration::from_millis(300),
        ..options()
    });
    let start = Instant::now();
    let lease = file.with_source(|source| store.lease(source)).unwrap();
    assert!(!lease.is_shared());
    assert!(start.elapsed() >= Duration::from_millis(300));
}

#[test]
fn an_image_that_another_user_could_change_is_not_used() {
    let directory = tempfile::tempdir().unwrap();
    let file = File::new(directory.path(), "c", &params(POINTS, 0));
    file.with_source(|source| Store::new(options()).lease(source)).unwrap();
    fs::set_permissions(file.image(), fs::Permissions::from_mode(0o666)).unwrap();
    let unusable = || matches!(image_state(&file.path, None).unwrap(), ImageState::Unusable(_));
    assert!(unusable());
    fs::set_permissions(file.image(), fs::Permissions::from_mode(0o444)).unwrap();
    assert!(!unusable());
    match chown(file.image(), Some(NOBODY), None) {
        Ok(()) => assert!(unusable()),
        Err(error) => println!("the owner of a file cannot be changed here ({error}): only its mode is tested"),
    }
}

#[test]
fn images_of_several_caches_stand_side_by_side_in_one_directory() {
    let directory = tempfile::tempdir().unwrap();
    let images = directory.path().join("images");
    fs::create_dir(&images).unwrap();
    let in_images = || Options {
        image_directory: Some(images.clone()),
        ..options()
    };
    let files: Vec<File> = (0..2)
        .map(|n| {
            let cache = directory.path().join(format!("cache{n}"));
            fs::create_dir(&cache).unwrap();
            File::new(&cache, "c", &params(100, n * 777))
        })
        .collect();
    for _ in 0..2 {
        for file in &files {
            let lease = file
                .with_source(|source| Store::new(in_images()).lease(source))
                .unwrap();
            assert!(lease.is_shared() && file.decodings() == 1);
        }
    }
    assert_eq!(files_with(&images, ".srs-image").len(), 2);
}
