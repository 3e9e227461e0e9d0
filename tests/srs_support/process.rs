//! Other processes: the test program runs itself again, as its test named `child`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use filcrypto::srs::{remove_image, Options, ProvingKey, Store};
use filcrypto::telemetry;

use super::{options, private_options, File};

const CHILD: &str = "FILCRYPTO_TEST_CHILD";

/// What the other process does; where there is no task, nothing.
pub fn child() {
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
pub fn sum(key: &ProvingKey) -> String {
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

pub fn command(program: &Path, task: &str, file: &File) -> Command {
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

pub fn this_program() -> PathBuf {
    env::current_exe().unwrap()
}

/// What a child printed of its lease.
#[derive(Debug)]
pub struct Report {
    pub shared: bool,
    pub decodings: usize,
    pub read: u64,
    pub seconds: f64,
    pub sum: String,
    pub log: String,
}

pub fn report(output: Output) -> Report {
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

pub fn run(mut command: Command) -> Report {
    report(command.output().unwrap())
}

pub fn expected_sum(file: &File) -> String {
    let lease = file
        .with_source(|source| Store::new(private_options()).lease(source))
        .unwrap();
    sum(&lease)
}

pub fn warnings(report: &Report) -> Vec<&str> {
    report.log.lines().filter(|line| line.contains("WARN")).collect()
}

pub fn files_with(directory: &Path, end: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.to_str().unwrap().ends_with(end)).collect()
}
