//! The layout of parameter files, walked and checked before anything decodes them.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use blstrs::{G1Affine, G2Affine};
use group::prime::PrimeCurveAffine;
use rayon::prelude::*;

/// The proofs crates read no more powers of an SRS than these from each of its sections.
const SRS_POWERS_READ: u64 = (2 << 14) + 1;
const COUNT_BYTES: u64 = 4;
const POINTS_AT_ONCE: u64 = 1 << 15;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Proving,
    Verifying,
    Srs,
}

#[derive(Clone, Copy, Debug)]
enum Point {
    G1,
    G2,
    CompressedG1,
    CompressedG2,
}

/// A run of points; a counted one has its count before it, a u32 in big-endian order.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    pub name: &'static str,
    pub count: u64,
    offset: u64,
    point: Point,
    /// Points of the verifying key enter pairings, so they must lie in the subgroup as well as on the curve.
    in_key: bool,
}

#[derive(Debug)]
pub enum LayoutFault {
    Truncated { at_least: &'static str, expected: u64 },
    Trailing { expected: u64 },
    Counts { expected: String, found: String },
    Io(io::Error),
}

impl From<io::Error> for LayoutFault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

pub struct BadPoint {
    pub group: &'static str,
    pub point: String,
    pub offset: u64,
}

type Row = (&'static str, Point, bool);

const KEY: [Row; 7] = [
    ("alpha_g1", Point::G1, false),
    ("beta_g1", Point::G1, false),
    ("beta_g2", Point::G2, false),
    ("gamma_g2", Point::G2, false),
    ("delta_g1", Point::G1, false),
    ("delta_g2", Point::G2, false),
    ("ic", Point::G1, true),
];

const QUERIES: [Row; 5] = [
    ("h", Point::G1, true),
    ("l", Point::G1, true),
    ("a", Point::G1, true),
    ("b_g1", Point::G1, true),
    ("b_g2", Point::G2, true),
];

const SRS: [Row; 4] = [
    ("g_alpha", Point::CompressedG1, true),
    ("g_beta", Point::CompressedG1, true),
    ("h_alpha", Point::CompressedG2, true),
    ("h_beta", Point::CompressedG2, true),
];

impl Kind {
    pub fn expected(self) -> &'static str {
        match self {
            Self::Proving => "proving parameters",
            Self::Verifying => "a verifying key",
            Self::Srs => "an SRS for aggregation",
        }
    }

    fn rows(self) -> Vec<Row> {
        match self {
            Self::Proving => [KEY.as_slice(), &QUERIES].concat(),
            Self::Verifying => KEY.to_vec(),
            Self::Srs => SRS.to_vec(),
        }
    }
}

impl Point {
    fn bytes(self) -> u64 {
        match self {
            Self::CompressedG1 => 48,
            Self::G1 | Self::CompressedG2 => 96,
            Self::G2 => 192,
        }
    }

    fn group(self) -> &'static str {
        match self {
            Self::G1 | Self::CompressedG1 => "G1",
            Self::G2 | Self::CompressedG2 => "G2",
        }
    }

    /// Whether `bytes` encode a point other than infinity; queries are checked for the curve alone.
    fn is_valid(self, bytes: &[u8], in_key: bool) -> bool {
        match self {
            Self::G1 => valid_g1(bytes, in_key),
            Self::G2 => valid_g2(bytes, in_key),
            Self::CompressedG1 => {
                let point = bytes.try_into().ok().and_then(|b| G1Affine::from_compressed(b).into());
                point.is_some_and(|point: G1Affine| !bool::from(point.is_identity()))
            }
            Self::CompressedG2 => {
                let point = bytes.try_into().ok().and_then(|b| G2Affine::from_compressed(b).into());
                point.is_some_and(|point: G2Affine| !bool::from(point.is_identity()))
            }
        }
    }
}

fn valid_g1(bytes: &[u8], in_subgroup: bool) -> bool {
    let Ok(bytes) = bytes.try_into() else { return false };
    let point: Option<G1Affine> = G1Affine::from_uncompressed_unchecked(bytes).into();
    point.is_some_and(|point| {
        let on_curve = bool::from(point.is_on_curve() & !point.is_identity());
        on_curve && (!in_subgroup || bool::from(point.is_torsion_free()))
    })
}

fn valid_g2(bytes: &[u8], in_subgroup: bool) -> bool {
    let Ok(bytes) = bytes.try_into() else { return false };
    let point: Option<G2Affine> = G2Affine::from_uncompressed_unchecked(bytes).into();
    point.is_some_and(|point| {
        let on_curve = bool::from(point.is_on_curve() & !point.is_identity());
        on_curve && (!in_subgroup || bool::from(point.is_torsion_free()))
    })
}

/// What a file is that cannot be a key, going by how it starts: a download page, an error message.
pub fn foreign(start: &[u8]) -> Option<&'static str> {
    let text = match std::str::from_utf8(start) {
        Ok(text) => text,
        // The last character may be cut.
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&start[..error.valid_up_to()]).ok()?,
        Err(_) => return None,
    };
    let is_binary = |letter: char| letter.is_control() && !matches!(letter, '\t' | '\n' | '\r');
    if text.chars().any(is_binary) {
        return None;
    }
    match text.trim_start_matches('\u{feff}').trim_start().chars().next() {
        Some('<') => Some("an HTML or XML page"),
        Some('{' | '[') => Some("JSON"),
        _ => Some("text"),
    }
}

/// Finds the sections; the file's length must be exactly what their counts say.
pub fn walk(file: &File, bytes: u64, kind: Kind) -> Result<Vec<Section>, LayoutFault> {
    let mut offset = 0;
    let mut sections = Vec::new();
    for (name, point, counted) in kind.rows() {
        let mut count = 1;
        if counted {
            let after = offset + COUNT_BYTES;
            if after > bytes {
                return Err(LayoutFault::Truncated {
                    at_least: "at least ",
                    expected: after,
                });
            }
            let mut raw = [0; COUNT_BYTES as usize];
            file.read_exact_at(&mut raw, offset)?;
            count = u64::from(u32::from_be_bytes(raw));
            offset = after;
        }
        sections.push(Section {
            name,
            count,
            offset,
            point,
            in_key: KEY.iter().any(|row| row.0 == name),
        });
        offset += count * point.bytes();
    }
    match bytes {
        _ if bytes < offset => Err(LayoutFault::Truncated {
            at_least: "",
            expected: offset,
        }),
        _ if bytes > offset => Err(LayoutFault::Trailing { expected: offset }),
        _ => check_counts(&sections, kind).map(|()| sections),
    }
}

/// How many points the section of that name has.
pub fn count(sections: &[Section], name: &str) -> usize {
    let section = sections.iter().find(|section| section.name == name);
    section.map_or(0, |section| section.count as usize)
}

/// Where the verifying key ends, with which proving parameters begin.
pub fn key_bytes(sections: &[Section]) -> usize {
    let key = sections.iter().filter(|section| section.in_key);
    let end = key
        .map(|section| section.offset + section.count * section.point.bytes())
        .max();
    end.unwrap_or(0) as usize
}

/// The relations that hold between the counts of any key.
fn check_counts(sections: &[Section], kind: Kind) -> Result<(), LayoutFault> {
    let of = |name| count(sections, name);
    let wrong = |expected: &str, found: String| {
        let expected = expected.to_owned();
        Err(LayoutFault::Counts { expected, found })
    };
    if kind == Kind::Srs {
        let counts = [of("g_alpha"), of("g_beta"), of("h_alpha"), of("h_beta")];
        let same = counts.iter().all(|count| *count == counts[0]);
        return match same && counts[0] > 1 {
            true => Ok(()),
            false => wrong("four equal counts above 1", format!("{counts:?}")),
        };
    }
    if of("ic") == 0 {
        return wrong("ic to have a point for each public input", "none".to_owned());
    }
    if kind == Kind::Verifying {
        return Ok(());
    }
    if !(of("h") + 1).is_power_of_two() {
        return wrong("h to have one less than a power of two", of("h").to_string());
    }
    if of("b_g1") != of("b_g2") {
        return wrong(
            "as many points in b_g1 as in b_g2",
            format!("{} and {}", of("b_g1"), of("b_g2")),
        );
    }
    let variables = of("ic") + of("l");
    if of("a") > variables || of("b_g1") > variables {
        return wrong(
            &format!("at most {variables} points in a and b, one for each variable"),
            format!("{} and {}", of("a"), of("b_g1")),
        );
    }
    Ok(())
}

/// Decodes the points of the verifying key and, where `all` says so, of everything behind it.
pub fn find_bad_point(file: &File, sections: &[Section], all: bool) -> io::Result<Option<BadPoint>> {
    for section in sections.iter().filter(|section| all || section.in_key) {
        if let Some(index) = first_bad(file, section)? {
            let one = section.count == 1 && section.in_key;
            return Ok(Some(BadPoint {
                group: section.point.group(),
                point: if one {
                    section.name.to_owned()
                } else {
                    format!("{}[{index}]", section.name)
                },
                offset: section.offset + index * section.point.bytes(),
            }));
        }
    }
    Ok(None)
}

fn first_bad(file: &File, section: &Section) -> io::Result<Option<u64>> {
    let point_bytes = section.point.bytes();
    let end = match section.point {
        Point::CompressedG1 | Point::CompressedG2 => section.count.min(SRS_POWERS_READ),
        Point::G1 | Point::G2 => section.count,
    };
    let mut start = 0;
    while start < end {
        let count = (end - start).min(POINTS_AT_ONCE);
        let mut buffer = vec![0; (count * point_bytes) as usize];
        file.read_exact_at(&mut buffer, section.offset + start * point_bytes)?;
        let bad = buffer
            .par_chunks_exact(point_bytes as usize)
            .position_first(|bytes| !section.point.is_valid(bytes, section.in_key));
        if let Some(bad) = bad {
            return Ok(Some(start + bad as u64));
        }
        start += count;
    }
    Ok(None)
}
