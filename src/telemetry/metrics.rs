//! Counters, gauges and histograms. Code counts through the `metrics` facade; this module keeps the numbers and renders them
//! as Prometheus text. Every number is an atomic of fixed size, so that counting costs no memory however long it goes on.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use metrics::{
    Counter, CounterFn, Gauge, GaugeFn, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder, SharedString, Unit,
};
use once_cell::sync::Lazy;

/// Upper bounds of the buckets of all histograms, which are of seconds.
const BUCKETS: [f64; 15] = [
    0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0,
];

static NUMBERS: Lazy<Numbers> = Lazy::new(Numbers::default);

/// What is counted; the texts are those of the rendering.
const HELP: &[(&str, &str)] = &[
    ("filcrypto_srs_loads_total", "SRS loads, by where the key came from"),
    ("filcrypto_srs_load_failures_total", "SRS loads that failed"),
    ("filcrypto_srs_load_seconds", "Time that an SRS load took"),
    (
        "filcrypto_srs_evictions_total",
        "SRS given back to make room or by request",
    ),
    (
        "filcrypto_srs_used_bytes",
        "Memory of all resident SRS, with those being loaded",
    ),
    ("filcrypto_srs_leases", "Leases of resident SRS"),
    (
        "filcrypto_proofs_total",
        "Proofs of partitions that were made and verified",
    ),
    ("filcrypto_bad_proofs_total", "Proofs of partitions that did not verify"),
    (
        "filcrypto_stage_seconds",
        "Time that a stage of a partition's proof took",
    ),
];

/// Makes the facade count here; where the program has a recorder of its own, the numbers go there.
pub fn start() {
    static STARTED: Lazy<()> = Lazy::new(|| {
        if metrics::set_global_recorder(&*NUMBERS).is_err() {
            log::info!("metrics go to the recorder of this program");
        }
    });
    Lazy::force(&STARTED);
}

/// All numbers, in the text format of Prometheus.
pub fn render() -> String {
    NUMBERS.render()
}

#[derive(Default)]
struct Numbers(Mutex<BTreeMap<String, Family>>);

/// All series of one name.
struct Family {
    kind: Kind,
    series: BTreeMap<String, Arc<Cell>>,
}

#[derive(Clone, Copy)]
enum Kind {
    Counter,
    Gauge,
    Histogram,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
        }
    }
}

/// One series. Counters count in `count`; gauges hold a float's bits in `value`; histograms use all.
#[derive(Default)]
struct Cell {
    count: AtomicU64,
    value: AtomicU64,
    /// Of observations up to each bound, not summed up.
    buckets: [AtomicU64; BUCKETS.len()],
}

impl Cell {
    fn change(&self, change: impl Fn(f64) -> f64) {
        let changed = |bits| Some(change(f64::from_bits(bits)).to_bits());
        // The closure never declines.
        let _ = self.value.fetch_update(Ordering::Relaxed, Ordering::Relaxed, changed);
    }
}

impl CounterFn for Cell {
    fn increment(&self, by: u64) {
        self.count.fetch_add(by, Ordering::Relaxed);
    }

    fn absolute(&self, value: u64) {
        self.count.fetch_max(value, Ordering::Relaxed);
    }
}

impl GaugeFn for Cell {
    fn increment(&self, by: f64) {
        self.change(|value| value + by);
    }

    fn decrement(&self, by: f64) {
        self.change(|value| value - by);
    }

    fn set(&self, value: f64) {
        self.change(|_| value);
    }
}

impl HistogramFn for Cell {
    fn record(&self, value: f64) {
        self.count.fetch_add(1, Ordering::Relaxed);
        self.change(|sum| sum + value);
        if let Some(bucket) = BUCKETS.iter().position(|bound| value <= *bound) {
            self.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Recorder for &'static Numbers {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(self.cell(key, Kind::Counter))
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(self.cell(key, Kind::Gauge))
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::from_arc(self.cell(key, Kind::Histogram))
    }
}

impl Numbers {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Family>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn cell(&self, key: &Key, kind: Kind) -> Arc<Cell> {
        let mut families = self.lock();
        let family = families.entry(key.name().to_owned()).or_insert_with(|| Family {
            kind,
            series: BTreeMap::new(),
        });
        family.series.entry(labels(key)).or_default().clone()
    }

    fn render(&self) -> String {
        let mut text = String::new();
        for (name, family) in &*self.lock() {
            if let Some((_, help)) = HELP.iter().find(|(known, _)| known == name) {
                line(&mut text, format_args!("# HELP {name} {help}"));
            }
            line(&mut text, format_args!("# TYPE {name} {}", family.kind.name()));
            for (labels, cell) in &family.series {
                render_series(&mut text, name, labels, family.kind, cell);
            }
        }
        text
    }
}

fn render_series(text: &mut String, name: &str, labels: &str, kind: Kind, cell: &Cell) {
    let braced = |labels: &str| match labels {
        "" => String::new(),
        labels => format!("{{{labels}}}"),
    };
    let count = cell.count.load(Ordering::Relaxed);
    let value = f64::from_bits(cell.value.load(Ordering::Relaxed));
    match kind {
        Kind::Counter => line(text, format_args!("{name}{} {count}", braced(labels))),
        Kind::Gauge => line(text, format_args!("{name}{} {value}", braced(labels))),
        Kind::Histogram => {
            let comma = if labels.is_empty() { "" } else { "," };
            let mut up_to = 0;
            for (bound, bucket) in BUCKETS.iter().zip(&cell.buckets) {
                up_to += bucket.load(Ordering::Relaxed);
                line(
                    text,
                    format_args!("{name}_bucket{{{labels}{comma}le=\"{bound}\"}} {up_to}"),
                );
            }
            line(
                text,
                format_args!("{name}_bucket{{{labels}{comma}le=\"+Inf\"}} {count}"),
            );
            line(text, format_args!("{name}_sum{} {value}", braced(labels)));
            line(text, format_args!("{name}_count{} {count}", braced(labels)));
        }
    }
}

fn line(text: &mut String, content: std::fmt::Arguments<'_>) {
    // Writing into a String does not fail.
    let _ = writeln!(text, "{content}");
}

fn labels(key: &Key) -> String {
    let escaped = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let labels: Vec<String> = key
        .labels()
        .map(|label| format!("{}=\"{}\"", label.key(), escaped(label.value())))
        .collect();
    labels.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rendered_as_prometheus_text() {
        let numbers: &'static Numbers = Box::leak(Box::default());
        metrics::with_local_recorder(&numbers, || {
            metrics::counter!("loads_total", "origin" => "im\"age").increment(2);
            metrics::counter!("loads_total", "origin" => "im\"age").increment(1);
            metrics::gauge!("used_bytes").set(5.5);
            metrics::gauge!("used_bytes").decrement(1.0);
            metrics::histogram!("load_seconds", "kind" => "a").record(0.02);
            metrics::histogram!("load_seconds", "kind" => "a").record(700.0);
        });
        let text = numbers.render();
        for expected in [
            "# TYPE loads_total counter\nloads_total{origin=\"im\\\"age\"} 3\n",
            "# TYPE used_bytes gauge\nused_bytes 4.5\n",
            "# TYPE load_seconds histogram\nload_seconds_bucket{kind=\"a\",le=\"0.001\"} 0\n",
            "load_seconds_bucket{kind=\"a\",le=\"0.05\"} 1\n",
            "load_seconds_bucket{kind=\"a\",le=\"600\"} 1\nload_seconds_bucket{kind=\"a\",le=\"+Inf\"} 2\n",
            "load_seconds_sum{kind=\"a\"} 700.02\nload_seconds_count{kind=\"a\"} 2\n",
        ] {
            assert!(text.contains(expected), "{expected} is not in\n{text}");
        }
    }
}
