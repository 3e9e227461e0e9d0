//! A recorded timeline as an SVG picture: a band for each thread, a bar for each span, nested spans below those that hold
//! them.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Deserialize;

use crate::error::{Error, Result};

const WIDTH: f64 = 1400.0;
const LEFT: f64 = 190.0;
const TOP: f64 = 34.0;
const BAR: f64 = 18.0;
const GAP: f64 = 10.0;
/// Narrower bars have no text.
const TEXT_FROM: f64 = 34.0;
const LETTER: f64 = 6.2;
const MARKS: u32 = 10;
const COLOURS: [&str; 10] = [
    "#8ecae6", "#ffb703", "#a7c957", "#f4978e", "#cdb4db", "#90dbf4", "#f9c74f", "#b5e48c", "#ffafcc", "#adb5bd",
];

#[derive(Deserialize)]
struct Trace {
    #[serde(rename = "traceEvents")]
    events: Vec<Event>,
}

/// An event of the kinds that a timeline has.
#[derive(Deserialize)]
struct Event {
    ph: String,
    name: String,
    #[serde(default)]
    tid: u32,
    #[serde(default)]
    ts: f64,
    #[serde(default)]
    dur: f64,
    #[serde(default)]
    args: BTreeMap<String, String>,
}

struct Band {
    name: String,
    /// Events with their depths.
    bars: Vec<(Event, usize)>,
    depth: usize,
}

/// Draws the JSON of a timeline.
pub fn svg(json: &[u8]) -> Result<String> {
    let trace: Trace =
        serde_json::from_slice(json).map_err(|error| Error::message(format!("it is not a timeline: {error}")))?;
    let bands = bands(trace);
    let spans = || bands.iter().flat_map(|band| &band.bars).map(|(event, _)| event);
    let start = spans().map(|event| event.ts).fold(f64::INFINITY, f64::min);
    let end = spans().map(|event| event.ts + event.dur).fold(start, f64::max);
    if !start.is_finite() {
        return Err(Error::message("the timeline has no spans: record one around some work"));
    }
    let scale = (WIDTH - LEFT - GAP) / (end - start).max(1.0);
    let mut body = String::new();
    let mut top = TOP;
    let mut colours = BTreeMap::new();
    for band in &bands {
        put(
            &mut body,
            format_args!("<text x=\"6\" y=\"{:.1}\">{}</text>", top + 13.0, escape(&band.name)),
        );
        for (event, depth) in &band.bars {
            let next = COLOURS[colours.len() % COLOURS.len()];
            let colour = *colours.entry(event.name.clone()).or_insert(next);
            let left = LEFT + (event.ts - start) * scale;
            bar(
                &mut body,
                event,
                colour,
                (left, top + *depth as f64 * BAR),
                event.dur * scale,
            );
        }
        top += band.depth as f64 * BAR + GAP;
    }
    Ok(frame(&body, top, (end - start) / 1e6))
}

/// The spans of each thread, in order; a span lies below those that have not ended when it begins.
fn bands(trace: Trace) -> Vec<Band> {
    let mut names = BTreeMap::new();
    let mut threads: BTreeMap<u32, Vec<Event>> = BTreeMap::new();
    for event in trace.events {
        match event.ph.as_str() {
            "X" => threads.entry(event.tid).or_default().push(event),
            "M" if event.name == "thread_name" => {
                names.insert(event.tid, event.args.get("name").cloned().unwrap_or_default());
            }
            _ => {}
        }
    }
    let band = |(tid, mut events): (u32, Vec<Event>)| {
        events.sort_by(|a, b| a.ts.total_cmp(&b.ts).then(b.dur.total_cmp(&a.dur)));
        let mut open: Vec<f64> = Vec::new();
        let mut depth = 0;
        let place = |event: Event| {
            open.retain(|end| *end > event.ts);
            let at = open.len();
            open.push(event.ts + event.dur);
            depth = depth.max(open.len());
            (event, at)
        };
        let bars: Vec<_> = events.into_iter().map(place).collect();
        let name = names.get(&tid).cloned().unwrap_or_else(|| format!("thread {tid}"));
        Band { name, bars, depth }
    };
    threads.into_iter().map(band).collect()
}

fn bar(body: &mut String, event: &Event, colour: &str, (left, top): (f64, f64), width: f64) {
    let detail = event.args.values().cloned().collect::<Vec<_>>().join(", ");
    let title = format!("{} {detail} {:.3} ms", event.name, event.dur / 1000.0);
    put(
        body,
        format_args!(
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{colour}\"><title>{}</title></rect>",
            width.max(0.5),
            BAR - 2.0,
            escape(&title)
        ),
    );
    if width >= TEXT_FROM {
        let letters = (width / LETTER) as usize;
        let text: String = event.name.chars().take(letters).collect();
        put(
            body,
            format_args!(
                "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                left + 3.0,
                top + 12.0,
                escape(&text)
            ),
        );
    }
}

/// The picture around the bars, with marks of time.
fn frame(body: &str, bottom: f64, seconds: f64) -> String {
    let mut svg = String::new();
    let height = bottom + GAP;
    put(
        &mut svg,
        format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" font-family=\"sans-serif\" \
             font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
        ),
    );
    for mark in 0..=MARKS {
        let part = f64::from(mark) / f64::from(MARKS);
        let at = LEFT + (WIDTH - LEFT - GAP) * part;
        put(
            &mut svg,
            format_args!(
                "<line x1=\"{at:.1}\" y1=\"{:.1}\" x2=\"{at:.1}\" y2=\"{bottom:.1}\" stroke=\"#dddddd\"/>\
                 <text x=\"{at:.1}\" y=\"16\" text-anchor=\"middle\" fill=\"#666666\">{:.3} s</text>",
                TOP - 10.0,
                seconds * part
            ),
        );
    }
    svg.push_str(body);
    svg.push_str("</svg>\n");
    svg
}

fn put(out: &mut String, content: std::fmt::Arguments<'_>) {
    // Writing into a String does not fail.
    let _ = writeln!(out, "{content}");
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    const JSON: &str = r#"{"traceEvents":[
        {"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"worker <1>"}},
        {"ph":"X","pid":1,"tid":1,"name":"prove","ts":100.0,"dur":1000.0},
        {"ph":"X","pid":1,"tid":1,"name":"msm","ts":200.0,"dur":300.0,"args":{"of":"h"}},
        {"ph":"X","pid":1,"tid":2,"name":"load","ts":1100.0,"dur":1000.0}]}"#;

    #[test]
    fn spans_are_nested_in_the_band_of_their_thread() {
        let trace = serde_json::from_str(JSON).unwrap();
        let bands = bands(trace);
        let depths = |band: &Band| {
            band.bars
                .iter()
                .map(|(event, depth)| (event.name.clone(), *depth))
                .collect::<Vec<_>>()
        };
        assert_eq!(depths(&bands[0]), [("prove".to_owned(), 0), ("msm".to_owned(), 1)]);
        assert_eq!((bands[0].depth, bands[1].depth), (2, 1));
        let svg = svg(JSON.as_bytes()).unwrap();
        assert!(svg.contains("worker &lt;1&gt;") && svg.contains(">thread 2<"), "{svg}");
        // Half of the time, half of the width.
        assert!(svg.contains("x=\"790.0\" y=\"80.0\" width=\"600.0\""), "{svg}");
    }

    #[test]
    fn what_is_no_timeline_is_an_error() {
        assert!(svg(b"{}").unwrap_err().to_string().contains("not a timeline"));
        assert!(svg(b"{\"traceEvents\":[]}")
            .unwrap_err()
            .to_string()
            .contains("no spans"));
    }
}
