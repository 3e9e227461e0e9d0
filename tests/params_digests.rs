//! Digests of parameter files: whom they must match, where they are remembered; and files that cannot be written or read.

mod support;

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;

use filcrypto::error::ParameterFault;
use filcrypto::filecoin::manifest;
use filcrypto::filecoin::params::Directory;
use support::key_files::{circuit, digest, flipped, remove, Fixture};

#[test]
fn local_files_must_be_as_they_were_made() {
    let fixture = Fixture::new();
    fixture.list();
    for extension in ["params", "vk", "srs"] {
        fixture.check(extension).expect("a good file");
        let last = fixture.good(extension).len() - 1;
        fixture.write(extension, &flipped(fixture.good(extension), last));
        fixture.expect(extension, "a flipped bit", "expected the digest", |fault| {
            matches!(fault, ParameterFault::NotAsMade { .. })
        });
    }
    // A query's point that was exchanged for another one is a valid point.
    let mut exchanged = fixture.params.clone();
    let at = fixture.params.len() - 192;
    exchanged.copy_within(at - 192..at, at);
    fixture.write("params", &exchanged);
    fixture.expect(
        "params",
        "an exchanged point",
        "filcrypto-local-parameters.json",
        |fault| matches!(fault, ParameterFault::NotAsMade { .. }),
    );
    fs::write(fixture.path().join(manifest::FILE_NAME), "{").expect("own directory");
    let text = fixture.check("params").expect_err("a broken list").to_string();
    assert!(text.contains("is damaged"), "{text}");
}

#[test]
fn with_checking_on_only_production_files_pass() {
    let fixture = Fixture::new();
    fixture.list();
    let strict = Directory::at(fixture.path(), true);
    let checks = [
        strict.check_proving(&circuit()),
        strict.check_verifying(&circuit()),
        strict.check_srs(8),
    ];
    for (check, extension) in checks.into_iter().zip(["params", "vk", "srs"]) {
        let text = check.expect_err("a local file").to_string();
        let found = format!("found {}", digest(fixture.good(extension)));
        assert!(text.contains("not the production file: expected the digest "), "{text}");
        assert!(text.contains(&found) && text.contains("fetch-params"), "{text}");
        fixture.check(extension).expect("with checking off it serves");
    }
}

#[test]
fn a_file_that_was_examined_is_only_looked_at() {
    let fixture = Fixture::new();
    for extension in ["params", "vk", "srs"] {
        fixture.check(extension).expect("a good file");
        let file = fixture.file(extension);
        let before = fs::metadata(&file).expect("own file");
        fixture.write(extension, &flipped(fixture.good(extension), 40));
        let same = File::options().append(true).open(&file).expect("own file");
        same.set_modified(before.modified().expect("a time")).expect("own file");
        // Nothing that a look at the file shows has changed, so it was not read again.
        fixture.check(extension).expect("remembered by inode, size and time");
        fixture.write(extension, &flipped(fixture.good(extension), 40));
        fixture.check(extension).expect_err("written at another time");
        fixture.repair();
    }
}

#[test]
fn a_digest_is_remembered_beside_the_files_and_trusted_for_the_same_file_alone() {
    let fixture = Fixture::new();
    fixture.list();
    fixture.check("params").expect("good files");
    let records = fixture.path().join("filcrypto-digests.json");
    let text = fs::read_to_string(&records).expect("the digests");
    assert!(text.contains(&digest(&fixture.params)), "{text}");

    let directory = fixture.path().as_os_str();
    let lie = text.replace(&digest(&fixture.params), &"0".repeat(32));
    fs::write(&records, &lie).expect("own directory");
    // Another process believes a record that fits the file: that is how it saves itself the hashing.
    let told = support::pass_in_child("reports_a_check", &[("FILCRYPTO_TEST_DIRECTORY", directory)]);
    assert!(told.contains(&format!("found {}", "0".repeat(32))), "{told}");
    // A file that was written anew has a new time, so the record no longer fits.
    fs::write(fixture.file("params"), &fixture.params).expect("own directory");
    let told = support::pass_in_child("reports_a_check", &[("FILCRYPTO_TEST_DIRECTORY", directory)]);
    assert!(told.contains("CHECK: good"), "{told}");
    fs::write(&records, "\0garbage").expect("own directory");
    let told = support::pass_in_child("reports_a_check", &[("FILCRYPTO_TEST_DIRECTORY", directory)]);
    assert!(told.contains("CHECK: good"), "{told}");
}

/// The child's part of the test above: checks proving parameters and tells the outcome on stderr.
#[test]
fn reports_a_check() {
    let Some(directory) = std::env::var_os("FILCRYPTO_TEST_DIRECTORY") else {
        assert!(!support::is_child(), "the parent names a directory");
        return;
    };
    match Directory::at(directory, false).check_proving(&circuit()) {
        Ok(()) => eprintln!("CHECK: good"),
        Err(error) => eprintln!("CHECK: {error}"),
    }
}

/// Makes this thread, and it alone, somebody whom file modes bind, even where root runs the tests.
fn become_nobody() {
    // SAFETY: takes a number; it changes the calling thread's file access and nothing else.
    unsafe {
        libc::setfsgid(65534);
        libc::setfsuid(65534);
    }
}

#[test]
fn read_only_directories_serve() {
    if !support::is_child() {
        let cache = tempfile::tempdir().expect("a temporary directory");
        fs::set_permissions(cache.path(), Permissions::from_mode(0o777)).expect("own directory");
        support::pass_in_child(
            "read_only_directories_serve",
            &[("XDG_CACHE_HOME", cache.path().as_os_str())],
        );
        let of_user: Vec<_> = fs::read_dir(cache.path().join("filcrypto")).expect("digests").collect();
        assert!(!of_user.is_empty(), "the digests went to the user's cache");
        return;
    }
    let fixture = Fixture::new();
    fixture.list();
    for extension in ["params", "vk", "srs"] {
        fs::set_permissions(fixture.file(extension), Permissions::from_mode(0o444)).expect("own file");
    }
    fs::set_permissions(fixture.path(), Permissions::from_mode(0o555)).expect("own directory");
    let bound = std::thread::scope(|scope| {
        let checks = scope.spawn(|| {
            become_nobody();
            assert!(
                File::create(fixture.path().join("probe")).is_err(),
                "the directory is read-only"
            );
            ["params", "vk", "srs"].map(|extension| fixture.check(extension))
        });
        checks.join().expect("no panic")
    });
    for check in bound {
        check.expect("a read-only directory");
    }

    // Without the verifying key it would have to be written.
    fs::set_permissions(fixture.path(), Permissions::from_mode(0o755)).expect("own directory");
    let elsewhere = Fixture::new();
    remove(&elsewhere.file("vk"));
    fs::set_permissions(elsewhere.path(), Permissions::from_mode(0o555)).expect("own directory");
    let text = std::thread::scope(|scope| {
        let check = scope.spawn(|| {
            become_nobody();
            elsewhere.check("vk").expect_err("no key").to_string()
        });
        check.join().expect("no panic")
    });
    assert!(
        text.contains("the verifying key is missing, and it cannot be written"),
        "{text}"
    );
    fs::set_permissions(elsewhere.path(), Permissions::from_mode(0o755)).expect("own directory");
}

#[test]
fn an_unreadable_file_is_no_missing_one() {
    let fixture = Fixture::new();
    for extension in ["params", "vk", "srs"] {
        fs::set_permissions(fixture.file(extension), Permissions::from_mode(0o000)).expect("own file");
    }
    let texts = std::thread::scope(|scope| {
        let checks = scope.spawn(|| {
            become_nobody();
            ["params", "vk", "srs"].map(|extension| fixture.check(extension).expect_err("mode 000").to_string())
        });
        checks.join().expect("no panic")
    });
    for (text, extension) in texts.iter().zip(["params", "vk", "srs"]) {
        assert!(text.contains(&fixture.file(extension).display().to_string()), "{text}");
        assert!(text.contains("may read, found: Permission denied"), "{text}");
        assert!(text.contains("correct its owner or mode"), "{text}");
    }
    fixture.repair();
    for extension in ["params", "vk", "srs"] {
        fixture.check(extension).expect("readable again");

        let fixture = Fixture::new();
        remove(&fixture.file(extension));
        std::os::unix::fs::symlink(fixture.file(extension), fixture.file(extension)).expect("own directory");
        fixture.expect(
            extension,
            "a link to itself",
            "may read, found: Too many levels",
            |fault| matches!(fault, ParameterFault::Unreadable { .. }),
        );
    }
}
