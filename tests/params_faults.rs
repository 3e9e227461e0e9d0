//! Every way in which a parameter file can be wrong is an error of its own, and harms nothing that comes after.

mod support;

use std::fs;
use std::path::Path;

use filcrypto::error::{Error, ParameterFault};
use support::key_files::{flipped, remove, Fixture};
use support::WINNING_2KIB;

#[test]
fn every_wrong_content_has_its_own_error() {
    let fixture = Fixture::new();
    for extension in ["params", "vk", "srs"] {
        fixture.check(extension).expect("a good file");
        let good = fixture.good(extension);

        fixture.write(extension, b"");
        fixture.expect(extension, "an empty file", "found an empty file", |fault| {
            matches!(fault, ParameterFault::Empty { .. })
        });

        let page = b"<!DOCTYPE html>\n<html lang=\"zh\"><title>\xe9\x94\x99\xe8\xaf\xaf</title>".repeat(40);
        fixture.write(extension, &page);
        fixture.expect(
            extension,
            "a web page",
            "an HTML or XML page (it begins with \"<!DOCTYPE html>",
            |fault| matches!(fault, ParameterFault::NotAKey { .. }),
        );
        fixture.write(extension, br#"{"error": "no such object"}"#);
        fixture.expect(extension, "JSON", "found JSON (it begins with \"{", |fault| {
            matches!(fault, ParameterFault::NotAKey { .. })
        });
        fixture.write(
            extension,
            b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n",
        );
        fixture.expect(extension, "text", "found text (it begins with \"version", |fault| {
            matches!(fault, ParameterFault::NotAKey { .. })
        });

        fixture.write(extension, &good[..good.len() - 1]);
        let expected = format!("truncated: expected {} bytes, found {}", good.len(), good.len() - 1);
        fixture.expect(extension, "a file cut short", &expected, |fault| {
            matches!(fault, ParameterFault::Truncated { .. })
        });
        fixture.write(extension, &good[..2]);
        fixture.expect(extension, "a stump", "truncated: expected at least ", |fault| {
            matches!(fault, ParameterFault::Truncated { .. })
        });
        fixture.write(extension, &[good, &[0]].concat());
        fixture.expect(extension, "bytes too many", "bytes follow the end", |fault| {
            matches!(fault, ParameterFault::TrailingBytes { .. })
        });
    }
}

#[test]
fn every_flipped_bit_in_a_point_is_found() {
    let fixture = Fixture::new();
    for extension in ["params", "vk", "srs"] {
        let good = fixture.good(extension);
        let first_point = if extension == "srs" { 4 + 10 } else { 10 };
        fixture.write(extension, &flipped(good, first_point));
        fixture.expect(
            extension,
            "a flipped bit at the start",
            "expected a point of G1",
            |fault| matches!(fault, ParameterFault::BadPoint { .. }),
        );
        fixture.write(extension, &flipped(good, good.len() - 20));
        fixture.expect(extension, "a flipped bit at the end", "expected a point of", |fault| {
            matches!(fault, ParameterFault::BadPoint { .. })
        });
    }
}

#[test]
fn what_is_no_file_is_named_and_not_waited_for() {
    let fixture = Fixture::new();
    for extension in ["params", "vk", "srs"] {
        remove(&fixture.file(extension));
        fs::create_dir(fixture.file(extension)).expect("own directory");
        fixture.expect(
            extension,
            "a directory",
            "expected a regular file, found a directory",
            |fault| matches!(fault, ParameterFault::NotAFile { .. }),
        );
        remove(&fixture.file(extension));
        let path = std::ffi::CString::new(fixture.file(extension).to_str().expect("UTF-8")).expect("no NUL");
        // SAFETY: the path is a C string.
        assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o600) }, 0);
        fixture.expect(extension, "a pipe without a writer", "found a pipe", |fault| {
            matches!(fault, ParameterFault::NotAFile { .. })
        });
    }
}

#[test]
fn what_belongs_to_another_circuit_is_found_out() {
    let fixture = Fixture::new();
    fixture.write("params", &fixture.other_params);
    fixture.expect(
        "params",
        "parameters of another circuit",
        "wrong circuit: expected 6 points in ic",
        |fault| matches!(fault, ParameterFault::WrongCircuit { .. }),
    );
    let other_key = &fixture.other_params[..fixture.key.len() + 96];
    fixture.write("vk", other_key);
    fixture.expect("vk", "the key of another circuit", "found 7; ", |fault| {
        matches!(fault, ParameterFault::WrongCircuit { .. })
    });

    // A key of the same shape that the parameters do not begin with: two points of it exchanged.
    let mut exchanged = fixture.key.clone();
    let (front, back) = exchanged.split_at_mut(96);
    front.swap_with_slice(&mut back[..96]);
    fixture.write("vk", &exchanged);
    fixture.expect("vk", "a foreign key", "they differ from byte ", |fault| {
        matches!(fault, ParameterFault::KeysDiffer { .. })
    });
    fixture.write("vk", &exchanged);
    assert!(matches!(
        fixture.check("params"),
        Err(Error::Parameters(ParameterFault::KeysDiffer { .. }))
    ));

    // Counts that no circuit has, in a file whose length they fit: a point of h moved to l.
    let mut moved = fixture.params.clone();
    let counts = fixture.key.len();
    let h = u32::from_be_bytes(moved[counts..counts + 4].try_into().expect("4 bytes")) as usize;
    let l_count = counts + 4 + h * 96;
    let l = u32::from_be_bytes(moved[l_count..l_count + 4].try_into().expect("4 bytes"));
    moved[counts..counts + 4].copy_from_slice(&(h as u32 - 1).to_be_bytes());
    moved.copy_within(l_count - 96..l_count, l_count - 92);
    moved[l_count - 96..l_count - 92].copy_from_slice(&(l + 1).to_be_bytes());
    fixture.repair();
    fixture.write("params", &moved);
    fixture.expect(
        "params",
        "counts that contradict each other",
        "one less than a power of two",
        |fault| matches!(fault, ParameterFault::Counts { .. }),
    );
    let found = fixture.open().check_srs(16).expect_err("an SRS for 8");
    assert!(
        found
            .to_string()
            .contains("expected powers for 16 aggregated proofs, found powers for 8"),
        "{found}"
    );
}

#[test]
fn missing_files_are_told_in_known_words() {
    let fixture = Fixture::new();
    remove(&fixture.file("params"));
    remove(&fixture.file("vk"));
    for extension in ["params", "vk"] {
        let text = fixture.check(extension).expect_err("no file").to_string();
        let path = fixture.file("params");
        let known = format!(
            "No cached parameters found for {WINNING_2KIB} [failure finding {}]; ",
            path.display()
        );
        assert!(text.starts_with(&known), "{text}");
        assert!(
            text.contains("`lotus fetch-params 2KiB`") && text.contains("`filcrypto params"),
            "{text}"
        );
        assert!(text.contains("FIL_PROOFS_PARAMETER_CACHE"), "{text}");
    }
    remove(&fixture.file("srs"));
    let text = fixture.check("srs").expect_err("no file").to_string();
    assert!(
        text.starts_with("No cached srs key found for fil-inner-product-v1 [failure finding "),
        "{text}"
    );
    assert_eq!(files(fixture.path()), Vec::<String>::new(), "nothing is made");
    fixture.repair();
    for extension in ["params", "vk", "srs"] {
        fixture.check(extension).expect("good files");
        remove(&fixture.file(extension));
        fixture
            .check(extension)
            .expect("what was read once is not needed again");
    }
}

/// Names of key files in a directory, and of anything that was left half written.
fn files(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("own directory");
    let names = entries.map(|entry| entry.expect("own directory").file_name().to_string_lossy().into_owned());
    let mut names: Vec<_> = names.filter(|name| !name.ends_with(".json")).collect();
    names.sort();
    names
}

#[test]
fn a_missing_verifying_key_is_written_whole_from_good_parameters_alone() {
    let fixture = Fixture::new();
    remove(&fixture.file("srs"));
    remove(&fixture.file("vk"));
    fixture.write("params", &fixture.params[..fixture.params.len() - 1]);
    fixture.check("vk").expect_err("truncated parameters");
    fixture.write("params", &flipped(&fixture.params, 500));
    fixture.check("vk").expect_err("a damaged key in the parameters");
    assert_eq!(files(fixture.path()), [format!("v28-{WINNING_2KIB}.params")]);

    fixture.write("params", &fixture.params);
    fixture
        .check("params")
        .expect("the proofs crates need no verifying key to prove");
    fixture.check("vk").expect("good parameters");
    assert_eq!(fs::read(fixture.file("vk")).expect("it was written"), fixture.key);
    let expected = [format!("v28-{WINNING_2KIB}.params"), format!("v28-{WINNING_2KIB}.vk")];
    assert_eq!(files(fixture.path()), expected);
}
