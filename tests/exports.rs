//! What the shared object shows to the loader: names, dependencies, the age of glibc that serves, and what runs at load.

use std::path::PathBuf;
use std::process::Command;

/// README states it.
const GLIBC_FLOOR: (u32, u32) = (2, 34);
const LIBC_FAMILY: [&str; 9] = [
    "libc.so.6",
    "libm.so.6",
    "libgcc_s.so.1",
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
    "libpthread.so.0",
    "libdl.so.2",
    "librt.so.1",
    "libutil.so.1",
];
/// Constructors that start no thread, take no signal and open no file: the compiler's, std's copy of argv, the heap's
/// initialisation, and a look at the processor's features.
const CONSTRUCTORS: [&str; 4] = ["frame_dummy", "ARGV_INIT_ARRAY", "jemalloc_constructor", "__blst_cpuid"];

/// The object that was built with this test.
fn library() -> PathBuf {
    let program = std::env::current_exe().expect("the path of this program");
    let library = program.with_file_name("libfilcrypto.so");
    assert!(library.exists(), "{} was not built", library.display());
    library
}

/// What one of binutils prints about the object.
fn ask(tool: &str, arguments: &[&str]) -> String {
    let output = Command::new(tool).args(arguments).arg(library()).output();
    let output = output.unwrap_or_else(|error| panic!("{tool} (of binutils): {error}"));
    assert!(
        output.status.success(),
        "{tool}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn dynamic(tag: &str) -> Vec<String> {
    let text = ask("readelf", &["--dynamic", "--wide"]);
    let of_tag = text.lines().filter(|line| line.contains(&format!("({tag})")));
    let values = of_tag.filter_map(|line| line.split(['[', ']']).nth(1).map(str::to_owned));
    values.collect()
}

#[test]
fn the_exported_names_are_those_of_the_drop_in_and_the_additions() {
    let text = ask("nm", &["--dynamic", "--defined-only"]);
    let mut exported: Vec<_> = text.lines().filter_map(|line| line.split_whitespace().nth(2)).collect();
    exported.sort_unstable();
    let expected: Vec<_> = include_str!("symbols.txt").lines().collect();
    assert_eq!(expected.len(), 121);
    let (additions, drop_in): (Vec<_>, Vec<_>) = exported.into_iter().partition(|name| name.starts_with("filcrypto_"));
    assert_eq!(drop_in, expected);
    assert_eq!(additions, include_str!("additions.txt").lines().collect::<Vec<_>>());
}

#[test]
fn executables_record_its_name_and_it_needs_libc_alone() {
    assert_eq!(dynamic("SONAME"), ["libfilcrypto.so"]);
    let needed = dynamic("NEEDED");
    assert!(needed.iter().any(|name| name == "libc.so.6"), "{needed:?}");
    let foreign: Vec<_> = needed
        .iter()
        .filter(|name| !LIBC_FAMILY.contains(&name.as_str()))
        .collect();
    assert!(foreign.is_empty(), "{foreign:?}");
}

#[test]
fn calls_inside_stay_inside_and_it_may_be_loaded_at_any_time() {
    let text = ask("readelf", &["--dynamic", "--wide"]);
    assert!(
        text.contains("SYMBOLIC"),
        "its own calls to generic names cannot be captured:\n{text}"
    );
    assert!(!text.contains("STATIC_TLS"), "dlopen finds room for it:\n{text}");
}

#[test]
fn nothing_is_imported_but_from_libc_and_no_version_is_too_new() {
    let text = ask("nm", &["--dynamic", "--undefined-only"]);
    let mut names = 0;
    for line in text.lines() {
        let (kind, name) = line.trim().split_once(' ').expect("a kind and a name");
        names += 1;
        let Some((_, version)) = name.split_once('@') else {
            assert_eq!(kind, "w", "{name} must be found at load, in no library that is named");
            assert!(!name.starts_with("cgo_"), "{name} is looked up at its first use");
            continue;
        };
        let version = version.trim_start_matches('@');
        let Some(number) = version.strip_prefix("GLIBC_") else {
            assert!(version.starts_with("GCC_"), "{name}");
            continue;
        };
        let mut parts = number.split('.').map(|part| part.parse::<u32>().expect("a number"));
        let version = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
        assert!(
            version <= GLIBC_FLOOR,
            "{name} is newer than the stated floor {GLIBC_FLOOR:?}"
        );
    }
    assert!(names > 50, "only {names} imports: the reader is broken");
}

/// A section's address and size.
fn section(name: &str) -> (u64, u64) {
    let text = ask("readelf", &["--sections", "--wide"]);
    let line = text
        .lines()
        .find(|line| line.contains(&format!(" {name} ")))
        .expect("the section");
    let fields: Vec<_> = line.rsplit(']').next().unwrap_or_default().split_whitespace().collect();
    let number = |at: usize| u64::from_str_radix(fields[at], 16).expect("hexadecimal");
    (number(2), number(4))
}

#[test]
fn no_constructor_does_work() {
    let (start, bytes) = section(".init_array");
    let relocations = ask("readelf", &["--relocs", "--wide"]);
    let symbols = ask("nm", &[]);
    let mut found = Vec::new();
    for line in relocations.lines() {
        let fields: Vec<_> = line.split_whitespace().collect();
        let Some(Ok(place)) = fields.first().map(|place| u64::from_str_radix(place, 16)) else {
            continue;
        };
        if !(start..start + bytes).contains(&place) {
            continue;
        }
        let target = format!("{:0>16}", fields.last().expect("a target"));
        let symbol = symbols.lines().find(|symbol| symbol.starts_with(&target));
        found.push(symbol.expect("a constructor has a name").to_owned());
    }
    assert_eq!(found.len() as u64, bytes / 8, "{found:?}");
    let unknown = |symbol: &&String| !CONSTRUCTORS.iter().any(|known| symbol.contains(known));
    let unknown: Vec<_> = found.iter().filter(unknown).collect();
    assert!(unknown.is_empty(), "what do these do? {unknown:?}");
}
