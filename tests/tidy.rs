//! House rules that a machine can check: layering, module documentation, sizes, SAFETY notes and forbidden words.
//!
//! Works on the text that rustfmt leaves, so it needs no parser: a function ends at the first line that closes it at its own
//! indentation.

use std::fs;
use std::path::{Path, PathBuf};

const MAX_FILE_LINES: usize = 500;
const MAX_FUNCTION_LINES: usize = 60;
const MAX_PARAMETERS: usize = 6;
/// Columns of indentation inside a function's body that make four levels.
const MAX_LEVELS: usize = 5;

/// From the top down; a module may use those in later rows, and what stands in its own row only when it is itself. The last
/// row's modules may use each other.
const LAYERS: &[&[&str]] = &[
    &["ffi"],
    &["filecoin", "bls", "fvm"],
    &["pipeline"],
    &["groth16"],
    &["srs"],
    &["interlock"],
    &["gpu"],
    &["math"],
    &["error", "config", "telemetry"],
];

/// Modules that may hold `unsafe`: callers' pointers, the driver, blst's edge, the host's functions and mapped memory.
const UNSAFE_HOMES: &[&str] = &["src/ffi", "src/gpu", "src/math", "src/fvm/host.rs"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Files below `directory` with one of the extensions, relative to the root.
fn files(directory: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![root().join(directory)];
    while let Some(directory) = pending.pop() {
        let Ok(entries) = fs::read_dir(&directory) else {
            continue;
        };
        for path in entries.map(|entry| entry.expect("a directory entry").path()) {
            let extension = path.extension().and_then(|extension| extension.to_str());
            if path.is_dir() {
                pending.push(path);
            } else if extension.is_some_and(|extension| extensions.contains(&extension)) {
                found.push(path.strip_prefix(root()).expect("below the root").to_path_buf());
            }
        }
    }
    found.sort();
    found
}

fn read(file: &Path) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn rust_files() -> Vec<PathBuf> {
    let found: Vec<_> = ["src", "tests", "benches"]
        .iter()
        .flat_map(|directory| files(directory, &["rs"]))
        .collect();
    assert!(found.len() > 10, "the source tree was not found");
    found
}

fn report(rule: &str, violations: Vec<String>) {
    assert!(violations.is_empty(), "{rule}:\n{}", violations.join("\n"));
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|row| row.contains(&module))
}

#[test]
fn imports_point_down() {
    let mut violations = Vec::new();
    for file in files("src", &["rs"]) {
        let relative = file.strip_prefix("src").expect("below src");
        let first = relative
            .iter()
            .next()
            .and_then(|part| part.to_str())
            .unwrap_or_default();
        let module = first.trim_end_matches(".rs");
        if matches!(module, "lib" | "bin") {
            continue;
        }
        let Some(own) = layer(module) else {
            violations.push(format!("{}: module {module} has no layer", file.display()));
            continue;
        };
        let bottom = own == LAYERS.len() - 1;
        for (number, line) in read(&file).lines().enumerate() {
            for rest in line.split("crate::").skip(1) {
                let used: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let Some(theirs) = layer(&used) else { continue };
                if used != module && theirs <= own && !bottom {
                    violations.push(format!("{}:{}: {module} uses {used}", file.display(), number + 1));
                }
            }
        }
    }
    report("a module uses one that is not below it", violations);
}

#[test]
fn every_file_says_what_it_is() {
    let undocumented = rust_files().into_iter().filter(|file| !read(file).starts_with("//!"));
    report(
        "a file does not start with //!",
        undocumented.map(|file| file.display().to_string()).collect(),
    );
}

#[test]
fn files_are_short() {
    let mut violations = Vec::new();
    for file in rust_files() {
        // The C surface documents every parameter: its text counts for the header and not here.
        let lines = read(&file)
            .lines()
            .filter(|line| !line.trim_start().starts_with("///"))
            .count();
        if lines > MAX_FILE_LINES {
            violations.push(format!("{}: {lines} lines", file.display()));
        }
    }
    report("a file is longer than 500 lines", violations);
}

/// A function's first line, its text and its line number.
struct Function {
    place: String,
    signature: String,
    body: Vec<String>,
    indent: usize,
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn starts_function(line: &str) -> bool {
    const BEFORE: [&str; 7] = ["pub", "pub(crate)", "pub(super)", "const", "unsafe", "extern", "\"C\""];
    let mut words = line.split_whitespace().skip_while(|word| BEFORE.contains(word));
    words.next() == Some("fn")
}

fn functions(file: &Path) -> Vec<Function> {
    let text = read(file);
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate().filter(|(_, line)| starts_function(line)) {
        let indent = indentation(line);
        let closes = |line: &&str| indentation(line) == indent && (line.trim() == "}" || line.ends_with(';'));
        let one_line = line.ends_with('}') || line.ends_with(';');
        let len = if one_line {
            0
        } else {
            lines[start + 1..].iter().position(closes).map_or(0, |len| len + 1)
        };
        let signature_end = lines[start..]
            .iter()
            .position(|line| line.ends_with('{') || line.ends_with(';'))
            .unwrap_or(0);
        found.push(Function {
            place: format!("{}:{}", file.display(), start + 1),
            signature: lines[start..=start + signature_end].join(" "),
            body: lines[start..=start + len].iter().map(|line| line.to_string()).collect(),
            indent,
        });
    }
    found
}

fn all_functions() -> Vec<Function> {
    let found: Vec<_> = rust_files().iter().flat_map(|file| functions(file)).collect();
    assert!(
        found.len() > 100,
        "only {} functions found: the reader is broken",
        found.len()
    );
    found
}

fn is_entry_point(function: &Function) -> bool {
    function.signature.contains("extern \"C\"")
}

#[test]
fn functions_are_short_and_flat() {
    let mut violations = Vec::new();
    for function in all_functions() {
        let lines = function.body.len();
        if lines > MAX_FUNCTION_LINES {
            violations.push(format!("{}: {lines} lines", function.place));
        }
        let deepest = function
            .body
            .iter()
            .filter(|line| line.trim_end().ends_with('{'))
            .map(|line| indentation(line));
        let levels = deepest.max().unwrap_or(0).saturating_sub(function.indent) / 4;
        if levels > MAX_LEVELS {
            violations.push(format!("{}: {levels} levels", function.place));
        }
    }
    report("a function is longer than 60 lines or nested too deeply", violations);
}

#[test]
fn functions_take_few_parameters() {
    let mut violations = Vec::new();
    for function in all_functions().iter().filter(|function| !is_entry_point(function)) {
        let count = parameter_count(&function.signature);
        if count > MAX_PARAMETERS {
            violations.push(format!("{}: {count} parameters", function.place));
        }
    }
    report(
        "a function has more than 6 parameters (C entry points excepted)",
        violations,
    );
}

/// Counts `name: type` pairs at the first level of the parameter list.
fn parameter_count(signature: &str) -> usize {
    let after_name = signature.split_once("fn ").map_or("", |(_, rest)| rest);
    let mut depth = 0_i32;
    let mut angle = 0_i32;
    let mut count = 0;
    let mut previous = ' ';
    for (position, character) in after_name.char_indices() {
        match character {
            '<' if depth == 0 => angle += 1,
            '>' if depth == 0 && previous != '-' => angle -= 1,
            '(' if angle == 0 || depth > 0 => depth += 1,
            ')' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
            ':' if depth == 1 && previous != ':' && !after_name[position + 1..].starts_with(':') => count += 1,
            _ => {}
        }
        previous = character;
    }
    count
}

#[test]
fn unsafe_has_its_homes_and_its_notes() {
    let mut violations = Vec::new();
    for file in files("src", &["rs"]) {
        let home = UNSAFE_HOMES.iter().any(|home| file.starts_with(home));
        let text = read(&file);
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            let block = code.contains("unsafe {") || code.contains("unsafe impl");
            if !block {
                continue;
            }
            if !home {
                violations.push(format!("{}:{}: unsafe outside its homes", file.display(), number + 1));
            }
            let above = &lines[number.saturating_sub(4)..number];
            if !above.iter().any(|line| line.trim_start().starts_with("// SAFETY:")) {
                violations.push(format!("{}:{}: no SAFETY note above", file.display(), number + 1));
            }
        }
    }
    report("unsafe code breaks the house rules", violations);
}

#[test]
fn no_unfinished_marks() {
    // Put together from halves, so that this file does not find itself.
    let halves = [("TO", "DO"), ("FIX", "ME"), ("unimplem", "ented!("), ("to", "do!(")];
    let marks = halves.map(|(start, end)| format!("{start}{end}"));
    let mut violations = Vec::new();
    let directories = [
        "src", "tests", "benches", "ctest", "cgo-test", "kernels", "include", "scripts",
    ];
    for file in directories
        .iter()
        .flat_map(|directory| files(directory, &["rs", "c", "h", "go", "cu", "cuh", "sh"]))
    {
        if file.starts_with("cgo-test/work") {
            continue;
        }
        for (number, line) in read(&file).lines().enumerate() {
            if marks.iter().any(|mark| line.contains(mark.as_str())) {
                violations.push(format!("{}:{}: {}", file.display(), number + 1, line.trim()));
            }
        }
    }
    report("unfinished work is marked in the source", violations);
}

#[test]
fn the_reader_reads() {
    assert_eq!(
        parameter_count("fn f(a: u8, b: &[(u8, u8)], c: impl Fn(u8) -> u8) -> u8 {"),
        3
    );
    assert_eq!(parameter_count("pub fn g<T: Copy, F: Fn(T)>(self, value: T) {"), 1);
    assert_eq!(parameter_count("fn h(path: std::path::PathBuf) {"), 1);
    assert!(starts_function("    pub(crate) unsafe fn x() {"));
    assert!(!starts_function("    let f = |fn_name| 1;"));
    assert!(!starts_function("// the fn keyword"));
}
