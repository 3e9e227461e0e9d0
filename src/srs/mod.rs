//! The SRS that stays: proving keys decoded once, kept resident under a byte budget, and shared between processes.
//!
//! [`Store::lease`] gives a [`Lease`], and the key stays in memory for as long as one lives. A key that nobody leases stays
//! until its bytes are needed for another. Decoded keys are written to an image file that every process maps, so that the
//! host holds one copy and only its first process decodes.

mod budget;
mod crew;
mod decode;
mod image;
mod key;
mod layout;
mod load;
mod store;

pub use budget::automatic as automatic_budget;
pub use key::{ProvingKey, ProvingKeyView};
pub use load::{build_image, image_state, remove_image, Built, ImageState, Source};
pub use store::{Lease, Options, Status, Store};
