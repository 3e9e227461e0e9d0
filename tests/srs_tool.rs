//! `filcrypto srs`, on a parameter file with the name of a real one.

mod srs_support;

use std::fs;
use std::path::Path;
use std::process::Command;

use filcrypto::filecoin::local_params::Kind;
use filcrypto::filecoin::srs::Circuit;
use srs_support::{params, File};

fn tool(cache: &Path, arguments: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_filcrypto"))
        .arg("srs")
        .args(arguments)
        .env("FIL_PROOFS_PARAMETER_CACHE", cache)
        .env_remove("FILCRYPTO_SRS_IMAGE_DIR")
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

#[test]
fn images_are_built_shown_loaded_and_removed() {
    let cache = tempfile::tempdir().unwrap();
    let kind = Kind::Winning;
    let name = Circuit {
        kind,
        sector_bytes: 2048,
    }
    .params_path()
    .unwrap();
    let file = File::new(
        cache.path(),
        name.file_stem().unwrap().to_str().unwrap(),
        &params(500, 0),
    );
    let of_winning = ["--sector-size", "2KiB", "--kinds", "winning"];
    let run = |command: &str| tool(cache.path(), &[&[command], &of_winning[..]].concat());
    let says = |command: &str, expected: &str| {
        let (success, text) = run(command);
        assert!(success && text.contains(expected), "{command}: {text}");
    };
    says("status", "winning: no image");
    says("build-image", " bytes made in ");
    says("status", "winning: image of ");
    says("build-image", " bytes found whole in ");
    says("preload", " bytes in memory after ");

    let mut image = fs::read(file.image()).unwrap();
    *image.last_mut().unwrap() ^= 1;
    fs::remove_file(file.image()).unwrap();
    fs::write(file.image(), &image).unwrap();
    says("build-image", " bytes made in ");
    image.pop();
    fs::remove_file(file.image()).unwrap();
    fs::write(file.image(), &image).unwrap();
    says("status", "winning: an image that will be made anew: it is truncated");

    says("evict", "winning: image removed");
    says("evict", "winning: no image");
    says("preload", " bytes in memory after ");
    assert!(file.image().exists());

    let (success, text) = tool(cache.path(), &["status", "--sector-size", "2KiB"]);
    assert!(
        success && text.contains("porep: no parameters, ") && text.contains("update: no parameters"),
        "{text}"
    );
    let (success, text) = tool(cache.path(), &["preload", "--sector-size", "2KiB", "--kinds", "window"]);
    assert!(!success && text.contains(".params: cannot be read"), "{text}");
    let (success, _) = tool(cache.path(), &["status", "--sector-size", "3KiB"]);
    assert!(!success);
}
