//! Walks through the rows of a template.

use super::store::length;
use super::template::{locate, Place, Template};

#[derive(Default)]
pub(super) struct Cursor {
    row: usize,
    place: Option<Place>,
    term: usize,
}

impl Cursor {
    /// The place in the store of the row that it stands at.
    pub fn stored(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.stored)
    }

    /// Where that row's terms begin.
    pub fn term(&self) -> usize {
        self.term
    }

    /// Moves to a row; cheap for the one after the last.
    pub fn seek(&mut self, template: &Template, row: usize) -> Place {
        let mut next_term = None;
        if let Some(place) = &mut self.place {
            if row == self.row {
                return *place;
            }
            let after = (place.stored + 1, self.term + length(template.store.shape(place.stored)));
            if row == self.row + 1 && place.rows > 1 {
                (place.stored, self.term) = after;
                place.rows -= 1;
                self.row = row;
                return *place;
            }
            next_term = Some(after);
        }
        let place = locate(&template.segments, row);
        self.term = match next_term {
            Some((stored, term)) if stored == place.stored => term,
            _ => template.store.start(place.stored),
        };
        self.row = row;
        *self.place.insert(place)
    }
}
