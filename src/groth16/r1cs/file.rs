//! The bytes of a recording: a magic number, the key, the counts, each array with its length, and a digest over all before.

use std::io::Write;

use super::store::Store;
use super::template::{Move, Segment, Shift, Source, Template};
use super::{Bits, Counts, Densities, Fr};
use crate::error::Result;

const MAGIC: &[u8; 8] = b"filr1cs\n";
const DIGEST_LEN: usize = 32;
/// Elements that are converted at a time.
const BATCH: usize = 1 << 12;

pub(super) fn encode(out: &mut impl Write, key: &[u8], template: &Template) -> Result<()> {
    let mut out = Writer { out, state: hasher() };
    out.bytes(MAGIC)?;
    out.array(key)?;
    let Counts { inputs, aux, rows } = template.counts;
    for count in [inputs, aux, rows] {
        out.bytes(&(count as u64).to_le_bytes())?;
    }
    let Store {
        dictionary,
        shapes,
        row_shapes,
        coefficients,
        columns,
        rare_coefficients,
        rare_shapes,
        ..
    } = &template.store;
    out.array(dictionary)?;
    out.array(shapes)?;
    out.array(row_shapes)?;
    out.array(coefficients)?;
    out.array(columns)?;
    out.array(rare_coefficients)?;
    out.array(rare_shapes)?;
    out.array(&template.segments)?;
    let Densities { a_aux, b_input, b_aux } = &template.densities;
    for bits in [a_aux, b_input, b_aux] {
        out.array(bits.words())?;
    }
    let digest = out.state.finalize();
    Ok(out.out.write_all(digest.as_bytes())?)
}

/// Nothing unless the bytes are whole, were written under this key, and make sense.
pub(super) fn decode(bytes: &[u8], key: &[u8]) -> Option<Template> {
    let (body, digest) = bytes.split_at_checked(bytes.len().checked_sub(DIGEST_LEN)?)?;
    if hasher().update(body).finalize().as_bytes() != digest {
        return None;
    }
    let mut body = Reader(body);
    if body.take(MAGIC.len())? != MAGIC || body.array::<u8>()? != key {
        return None;
    }
    let mut count = || usize::try_from(u64::get(body.take(8)?)?).ok();
    let counts = Counts {
        inputs: count()?,
        aux: count()?,
        rows: count()?,
    };
    let mut store = Store {
        dictionary: body.array()?,
        shapes: body.array()?,
        row_shapes: body.array()?,
        coefficients: body.array()?,
        columns: body.array()?,
        rare_coefficients: body.array()?,
        rare_shapes: body.array()?,
        ..Store::default()
    };
    let segments: Vec<Segment> = body.array()?;
    let mut bits = |len| Bits::from_words(body.array()?, len).ok();
    let densities = Densities {
        a_aux: bits(counts.aux)?,
        b_input: bits(counts.inputs)?,
        b_aux: bits(counts.aux)?,
    };
    let sound = store.restore_marks().ok()? && segments_fit(&segments, counts.rows, store.rows());
    (sound && body.0.is_empty()).then_some(Template {
        counts,
        store,
        segments,
        densities,
    })
}

/// Do the segments cover all rows, and lean only on what comes before them?
fn segments_fit(segments: &[Segment], rows: usize, stored: usize) -> bool {
    let mut next = 0;
    segments.iter().all(|segment| {
        let fits = segment.start == next
            && segment.end > segment.start
            && match segment.source {
                Source::Stored { first } => first + (segment.end - segment.start) <= stored,
                Source::Repeat { period, .. } => (1..=segment.start).contains(&period),
            };
        next = segment.end;
        fits
    }) && next == rows
}

fn hasher() -> blake2b_simd::State {
    blake2b_simd::Params::new().hash_length(DIGEST_LEN).to_state()
}

struct Writer<'a, W> {
    out: &'a mut W,
    state: blake2b_simd::State,
}

impl<W: Write> Writer<'_, W> {
    fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.state.update(bytes);
        Ok(self.out.write_all(bytes)?)
    }

    fn array<T: Plain>(&mut self, elements: &[T]) -> Result<()> {
        self.bytes(&(elements.len() as u64).to_le_bytes())?;
        let mut batch = Vec::new();
        for elements in elements.chunks(BATCH) {
            batch.clear();
            elements.iter().for_each(|element| element.put(&mut batch));
            self.bytes(&batch)?;
        }
        Ok(())
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<T: Plain>(&mut self) -> Option<Vec<T>> {
        let len = usize::try_from(u64::get(self.take(8)?)?).ok()?;
        let bytes = self.take(len.checked_mul(T::BYTES)?)?;
        let mut elements = Vec::new();
        elements.try_reserve_exact(len).ok()?;
        for element in bytes.chunks_exact(T::BYTES) {
            elements.push(T::get(element)?);
        }
        Some(elements)
    }
}

/// An element of an array; little-endian.
trait Plain: Sized {
    const BYTES: usize;
    fn put(&self, out: &mut Vec<u8>);
    fn get(bytes: &[u8]) -> Option<Self>;
}

macro_rules! plain_integer {
    ($($integer:ty),*) => {$(
        impl Plain for $integer {
            const BYTES: usize = size_of::<$integer>();

            fn put(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            fn get(bytes: &[u8]) -> Option<Self> {
                Some(Self::from_le_bytes(bytes.try_into().ok()?))
            }
        }
    )*};
}

plain_integer!(u8, u16, u32, u64);

impl Plain for Fr {
    const BYTES: usize = 32;

    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_bytes_le());
    }

    fn get(bytes: &[u8]) -> Option<Self> {
        Fr::from_bytes_le(bytes.try_into().ok()?).into()
    }
}

impl<T: Plain> Plain for [T; 3] {
    const BYTES: usize = 3 * T::BYTES;

    fn put(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|element| element.put(out));
    }

    fn get(bytes: &[u8]) -> Option<Self> {
        let mut elements = bytes.chunks_exact(T::BYTES).map(T::get);
        Some([elements.next()??, elements.next()??, elements.next()??])
    }
}

impl<T: Plain> Plain for (u64, T) {
    const BYTES: usize = 8 + T::BYTES;

    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }

    fn get(bytes: &[u8]) -> Option<Self> {
        let (key, value) = bytes.split_at_checked(8)?;
        Some((u64::get(key)?, T::get(value)?))
    }
}

impl Plain for Segment {
    const BYTES: usize = 24 + 6 * 4;

    /// The top bit of the end tells repetitions from stored rows.
    fn put(&self, out: &mut Vec<u8>) {
        let (place, shift) = match self.source {
            Source::Stored { first } => (first as u64, None),
            Source::Repeat { period, shift } => (period as u64, Some(shift)),
        };
        let bound = self.end as u64 | u64::from(shift.is_some()) << 63;
        [self.start as u64, bound, place].put(out);
        let Shift { aux, inputs } = shift.unwrap_or(Shift::NONE);
        for kind in [aux, inputs] {
            [kind.by, kind.from, kind.stay_below].put(out);
        }
    }

    fn get(bytes: &[u8]) -> Option<Self> {
        let (places, moves) = bytes.split_at_checked(24)?;
        let [start, bound, place] = <[u64; 3]>::get(places)?;
        let (aux, inputs) = moves.split_at_checked(12)?;
        let read = |bytes| {
            let [by, from, stay_below] = <[u32; 3]>::get(bytes)?;
            Some(Move { by, from, stay_below })
        };
        let shift = Shift {
            aux: read(aux)?,
            inputs: read(inputs)?,
        };
        let place = place as usize;
        Some(Self {
            start: start as usize,
            end: (bound & !(1 << 63)) as usize,
            source: if bound >> 63 == 1 {
                Source::Repeat { period: place, shift }
            } else {
                Source::Stored { first: place }
            },
        })
    }
}
