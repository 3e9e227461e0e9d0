//! The shared image across processes: this program runs itself again as the other process.

mod srs_support;

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{chown, MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use filcrypto::srs::{build_image, image_state, remove_image, Built, ImageState, Options, ProvingKey, Store};
use filcrypto::telemetry;
use srs_support::{options, params, private_options, File};

const CHILD: &str = "FILCRYPTO_TEST_CHILD";
const POINTS: usize = 20_000;
const NOBODY: u32 = 65534;

/// Run by the tests below as another process; run with them it has nothing to do.
#[test]
fn child() {
    let Ok(task) = env::var(CHILD) else { return };
    telemetry::log::start().unwrap();
    let path = PathBuf::from(env::var_os("FILCRYPTO_TEST_PARAMS").unwrap());
    let file = File::at(&path);
    let image_directory = env::var_os("FILCRYPTO_TEST_IMAGES").map(PathBuf::from);
    let store = Store::new(Options {
        image_directory,
        ..options()
    });
    if task == "wait" {
        println!("ready");
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).unwrap();
    }
    let read_before = bytes_read();
    let start = Instant::now();
    let lease = file.with_source(|source| store.lease(source)).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "LEASE shared={} decodings={} read={} seconds={seconds} sum={}",
        lease.is_shared(),
        file.decodings(),
        bytes_read() - read_before,
        sum(&lease)
    );
    if task == "again" {
        // Until it is killed.
        loop {
            remove_image(&path, None).unwrap();
            assert!(store.evict(&file.id).is_err());
            let other = Store::new(options());
            drop(file.with_source(|source| other.lease(source)).unwrap());
        }
    }
}

/// By the process, from files.
fn bytes_read() -> u64 {
    let text = fs::read_to_string("/proc/self/io").unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap();
    line.parse().unwrap()
}

/// Of all points of a key.
fn sum(key: &ProvingKey) -> String {
    let view = key.view();
    let mut state = blake2b_simd::State::new();
    for list in [view.h, view.l, view.a, view.b_g1, &view.vk.ic] {
        for point in list {
            state.update(&point.to_uncompressed());
        }
    }
    for point in view.b_g2 {
        state.update(&point.to_uncompressed());
    }
    state.finalize().to_hex()[..16].to_owned()
}

fn command(program: &Path, task: &str, file: &File) -> Command {
    let mut command = Command::new(program);
    command
        .args(["--exact", "child", "--nocapture", "--test-threads=1"])
        .env(CHILD, task)
        .env("FILCRYPTO_TEST_PARAMS", &file.path)
        .env("RUST_LOG", "warn")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn this_program() -> PathBuf {
    env::current_exe().unwrap()
}

/// What a child printed of its lease.
#[derive(Debug)]
struct Report {
    shared: bool,
    decodings: usize,
    read: u64,
    seconds: f64,
    sum: String,
    log: String,
}

fn report(output: Output) -> Report {
    let (stdout, log) = (
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    );
    let line = stdout
        .lines()
        .find_map(|line| line.split_once("LEASE ").map(|(_, rest)| rest));
    let line = line.unwrap_or_else(|| panic!("no lease in\n{stdout}\n{log}"));
    let field = |name: &str| {
        let found = line
            .split(' ')
            .find_map(|field| field.strip_prefix(name)?.strip_prefix('='));
        found.unwrap_or_else(|| panic!("no {name} in {line}"))
    };
    Report {
        shared: field("shared").parse().unwrap(),
        decodings: field("decodings").parse().unwrap(),
        read: field("read").parse().unwrap(),
        seconds: field("seconds").parse().unwrap(),
        sum: field("sum").to_owned(),
        log,
    }
}

fn run(mut command: Command) -> Report {
    report(command.output().unwrap())
}

fn expected_sum(file: &File) -> String {
    let lease = file
        .with_source(|source| Store::new(private_options()).lease(source))
        .unwrap();
    sum(&lease)
}

fn warnings(report: &Report) -> Vec<&str> {
    report.log.lines().filter(|line| line.contains("WARN")).collect()
}

fn files_with(directory: &Path, end: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.to_str().unwrap().ends_with(end)).collect()
}

/// The real file if it is there, as after `make params`; else a made one.
fn large_file(directory: &Path) -> File {
    let winning = "v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0.params";
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
