//! The shared image across processes: this program runs itself again as the other process.

mod srs_support;

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use filcrypto::srs::{build_image, image_state, remove_image, ImageState, Store};
use srs_support::process::{command, expected_sum, files_with, report, run, sum, this_program, warnings, Report};
use srs_support::{options, params, private_options, File};

const POINTS: usize = 20_000;
const NOBODY: u32 = 65534;

/// The other process; run with the tests it has nothing to do.
#[test]
fn child() {
    srs_support::process::child();
}

/// The real file if it is there, as after `make params`; else a made one.
fn large_file(directory: &Path) -> File {
    let winning = "v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-3ea05428c9d11689f23529cde32fd30aabd50f7d2c93657c1d3650bca3e8ea9e.params";
    let real = env::var_os("FIL_PROOFS_PARAMETER_CACHE").map(|cache| Path::new(&cache).join(winning));
    match real.filter(|path| path.exists()) {
        Some(real) => {
            let path = directory.join(winning);
            fs::copy(real, &path).unwrap();
            File::at(&path)
        }
        None => {
            println!("made points, because FIL_PROOFS_PARAMETER_CACHE has no 2 KiB parameters");
            File::new(directory, "c", &params(60_000, 0))
        }
    }
}

#[test]
fn a_second_process_maps_the_image_20_times_faster_than_decoding() {
    let directory = tempfile::tempdir().unwrap();
    let file = large_file(directory.path());
    let mut decode = Vec::new();
    let mut map = Vec::new();
    for _ in 0..5 {
        remove_image(&file.path, None).unwrap();
        let first = run(command(&this_program(), "lease", &file));
        assert!(first.shared && first.decodings == 1, "{first:?}");
        let second = run(command(&this_program(), "lease", &file));
        assert!(second.shared && second.decodings == 0, "{second:?}");
        assert_eq!(first.sum, second.sum);
        // Its first page, and what /proc tells.
        assert!(second.read < 64 << 10, "it read {} bytes", second.read);
        decode.push(first.seconds);
        map.push(second.seconds);
    }
    let bytes = fs::metadata(&file.path).unwrap().len();
    let (decode, map) = (median(&mut decode), median(&mut map));
    let times = decode.1 / map.1;
    println!(
        "{bytes} bytes of .params: first process (decodes, writes the image) {:.3} s ({:.3} to {:.3}), second process (maps \
         it) {:.6} s ({:.6} to {:.6}): {times:.0} times faster",
        decode.1, decode.0, decode.2, map.1, map.0, map.2
    );
    assert!(times >= 20.0, "only {times:.1} times");

    // Against decoding alone, without an image to write.
    let mut private: Vec<f64> = (0..5)
        .map(|_| {
            let start = Instant::now();
            let lease = file
                .with_source(|source| Store::new(private_options()).lease(source))
                .unwrap();
            assert!(!lease.is_shared());
            start.elapsed().as_secs_f64()
        })
        .collect();
    let private = median(&mut private);
    let times = private.1 / map.1;
    println!(
        "decoding into private memory: {:.3} s ({:.3} to {:.3}): {times:.0} times",
        private.1, private.0, private.2
    );
    assert!(times >= 20.0, "only {times:.1} times");
}

fn median(seconds: &mut [f64]) -> (f64, f64, f64) {
    seconds.sort_by(f64::total_cmp);
    (seconds[0], seconds[seconds.len() / 2], seconds[seconds.len() - 1])
}

#[test]
fn processes_that_build_at_once_decode_once() {
    let directory = tempfile::tempdir().unwrap();
    let file = File::new(directory.path(), "c", &params(POINTS, 0));
    let expected = expected_sum(&file);
    let mut children: Vec<Child> = (0..4)
        .map(|_| command(&this_program(), "wait", &file).spawn().unwrap())
        .collect();
    // All are ready before any goes on.
    let mut outputs: Vec<_> = children
        .iter_mut()
        .map(|child| BufReader::new(child.stdout.take().unwrap()))
        .collect();
    for output in &mut outputs {
        let mut line = String::new();
        while !line.contains("ready") {
            line.clear();
            assert!(output.read_line(&mut line).unwrap() > 0, "a child ended early");
        }
    }
    for child in &mut children {
        child.stdin.take().unwrap().write_all(b"go\n").unwrap();
    }
    let mut decodings = 0;
    for (child, mut stdout) in children.into_iter().zip(outputs) {
        let mut text = String::new();
        std::io::Read::read_to_string(&mut stdout, &mut text).unwrap();
        let mut output = child.wait_with_output().unwrap();
        output.stdout = text.into_bytes();
        let report = report(output);
        assert!(report.shared && report.sum == expected, "{report:?}");
        decodings += report.decodings;
    }
    assert_eq!(decodings, 1);
    assert!(files_with(directory.path(), ".tmp").is_empty());
}

#[test]
fn a_process_killed_at_any_moment_leaves_nothing_that_is_used() {
    let directory = tempfile::tempdir().unwrap();
    let file = File::new(directory.path(), "c", &params(POINTS, 0));
    let expected = expected_sum(&file);
    let (mut absent, mut complete, mut unfinished) = (0, 0, 0);
    for round in 0..20 {
        let mut child = command(&this_program(), "again", &file).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while !line.contains("LEASE") {
            line.clear();
            assert!(output.read_line(&mut line).unwrap() > 0, "the child ended early");
        }
        std::thread::sleep(Duration::from_millis(round * 7));
        child.kill().unwrap();
        child.wait().unwrap();
        unfinished += files_with(directory.path(), ".tmp").len();
        match image_state(&file.path, None).unwrap() {
            ImageState::Absent => absent += 1,
            ImageState::Complete { .. } => complete += 1,
            ImageState::Unusable(reason) => panic!("what has the name of an image is none: {reason}"),
        }
        // The lock went with its process; what is there is whole, and what is not is made.
        let (key, _) = file.with_source(|source| build_image(source, &options())).unwrap();
        assert_eq!(sum(&key), expected);
        assert!(files_with(directory.path(), ".tmp").is_empty());
    }
    println!(
        "killed 20 times: image absent {absent}, complete {complete}; unfinished files left {unfinished}, all replaced"
    );
    assert!(
        absent > 0 && unfinished > 0,
        "no kill struck a build: the delays do not fit this machine"
    );
}

fn assert_private_with_one_warning(report: &Report, expected: &str, reason: &str) {
    assert!(!report.shared && report.decodings <= 2, "{report:?}");
    assert_eq!(report.sum, expected);
    let warnings = warnings(report);
    assert!(warnings.len() == 1 && warnings[0].contains(reason), "{warnings:?}");
    assert!(warnings[0].contains("FILCRYPTO_SRS_IMAGE_DIR"), "{warnings:?}");
}

#[test]
fn a_full_disk_means_private_memory_and_one_warning() {
    let directory = tempfile::tempdir().unwrap();
    let file = File::new(directory.path(), "c", &params(POINTS, 0));
    let expected = expected_sum(&file);
    let small = directory.path().join("small");
    fs::create_dir(&small).unwrap();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"])
        .arg(&small)
        .output();
    match mounted {
        Ok(output) if output.status.success() => {
            let mut child = command(&this_program(), "lease", &file);
            child.env("FILCRYPTO_TEST_IMAGES", &small);
            let report = run(child);
            let left = [files_with(&small, ".tmp"), files_with(&small, ".srs-image")].concat();
            assert!(Command::new("umount").arg(&small).status().unwrap().success());
            assert_private_with_one_warning(&report, &expected, "No space left on device");
            assert!(left.is_empty(), "{left:?}");
        }
        other => println!("no small file system can be mounted here ({other:?}): only the file size limit is tested"),
    }

    // Beyond this limit a write would end the process by a signal.
    let mut limited = Command::new("sh");
    limited.args([
        "-c",
        "ulimit -f 100 && exec \"$0\" --exact child --nocapture --test-threads=1",
    ]);
    limited.arg(this_program());
    let whole = command(&this_program(), "lease", &file);
    limited.envs(whole.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let report = report(limited.stdin(Stdio::null()).output().unwrap());
    assert_private_with_one_warning(&report, &expected, "file size limit");
    assert!(files_with(directory.path(), ".tmp").is_empty());
}

#[test]
fn a_read_only_cache_means_private_memory_and_one_warning() {
    let directory = tempfile::tempdir().unwrap();
    let cache = directory.path().join("cache");
    fs::create_dir(&cache).unwrap();
    let file = File::new(&cache, "c", &params(POINTS, 0));
    let expected = expected_sum(&file);
    // Root may write anywhere, so the child is somebody else, who must be able to run this program.
    let program = directory.path().join("program");
    fs::copy(this_program(), &program).unwrap();
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    mode(directory.path(), 0o755);
    mode(&program, 0o755);
    mode(&cache, 0o555);
    let am_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    let child = || {
        let mut child = command(&program, "lease", &file);
        child.current_dir("/");
        if am_root {
            child.uid(NOBODY).gid(NOBODY);
        }
        child
    };
    let report = run(child());
    assert_private_with_one_warning(&report, &expected, "Permission denied");

    // An image that is there already is used: reading needs no lock.
    mode(&cache, 0o755);
    file.with_source(|source| Store::new(options()).lease(source)).unwrap();
    fs::remove_file(file.path.with_extension("srs-image.lock")).unwrap();
    mode(&cache, 0o555);
    let report = run(child());
    assert!(
        report.shared && report.decodings == 0 && warnings(&report).is_empty(),
        "{report:?}"
    );
    mode(&cache, 0o755);
}
