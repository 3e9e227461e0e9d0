//! A recorded timeline, and the tool's picture of it.

mod srs_support;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use filcrypto::srs::Store;
use filcrypto::telemetry::timeline;
use serde_json::Value;
use srs_support::{options, params, File};

/// One test, because one recording runs at a time.
#[test]
fn a_timeline_shows_the_work_of_each_thread() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("timeline.json");
    assert!(timeline::stop().is_err(), "nothing is recorded");
    assert!(timeline::start(&directory.path().join("no/such/directory")).is_err());
    drop(timeline::span("before the recording"));
    let across_the_start = timeline::span("across the start");

    timeline::start(&path).unwrap();
    drop(across_the_start);
    let text = timeline::start(&path).unwrap_err().to_string();
    assert!(text.contains("stop it first"), "{text}");
    let file = File::new(directory.path(), "circuit", &params(20_000, 0));
    thread::scope(|scope| {
        let worker = thread::Builder::new().name("prover".to_owned());
        let load = || {
            let _outer = timeline::span_of("prove", || "with \"quotes\"".to_owned());
            drop(file.with_source(|source| Store::new(options()).lease(source)).unwrap());
            thread::sleep(Duration::from_millis(5));
        };
        worker.spawn_scoped(scope, load).unwrap();
    });
    let unfinished = timeline::span("not finished");
    let spans = timeline::stop().unwrap();
    drop(unfinished);

    let trace: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let of = |phase: &str| events.iter().filter(|event| event["ph"] == phase).collect::<Vec<_>>();
    assert_eq!(of("X").len(), spans);
    let names: BTreeSet<&str> = of("X").iter().map(|event| event["name"].as_str().unwrap()).collect();
    assert_eq!(names, BTreeSet::from(["decode points", "digest", "load SRS", "prove"]));
    let find = |name: &str| of("X").into_iter().find(|event| event["name"] == name).unwrap();
    let (prove, load) = (find("prove"), find("load SRS"));
    assert_eq!(prove["args"]["of"], "with \"quotes\"");
    assert_eq!(
        (&load["args"]["of"], &load["tid"]),
        (&Value::from("circuit"), &prove["tid"])
    );
    let end = |event: &Value| event["ts"].as_f64().unwrap() + event["dur"].as_f64().unwrap();
    assert!(prove["ts"].as_f64() <= load["ts"].as_f64() && end(load) + 5000.0 <= end(prove) + 1.0);
    assert_ne!(find("digest")["tid"], prove["tid"]);
    let tracks: BTreeSet<&str> = of("M")
        .iter()
        .filter_map(|event| event["args"]["name"].as_str())
        .collect();
    assert!(tracks.iter().any(|name| name.starts_with("prover ")), "{tracks:?}");
    assert_drawn(&path);
}

fn assert_drawn(path: &Path) {
    let render = || {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_filcrypto"));
        tool.args(["trace", "render"]).arg(path).output().unwrap()
    };
    let drawn = render();
    assert!(drawn.status.success(), "{drawn:?}");
    let svg = fs::read_to_string(path.with_extension("svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(
        svg.contains("with &quot;quotes&quot;") && svg.contains(">prove</text>"),
        "{svg}"
    );
    fs::write(path, "no timeline").unwrap();
    let refused = render();
    let text = String::from_utf8(refused.stderr).unwrap();
    assert!(
        !refused.status.success() && text.contains("timeline.json: it is not a timeline"),
        "{text}"
    );
}
