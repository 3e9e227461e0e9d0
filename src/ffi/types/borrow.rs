//! Borrowed pointers to fixed arrays, and the `borrow!` shorthand that entry points use.

use super::structs::uint8_32_array;
use crate::error::{Error, Result};

/// A pointer argument that must not be NULL.
pub trait BorrowPointer<'a> {
    type Borrowed;
    /// # Safety
    /// Unless NULL, the pointer must point to an initialised value that stays valid and unchanged for `'a`.
    unsafe fn borrow(self, argument: &'static str) -> Result<Self::Borrowed>;
}

impl<'a> BorrowPointer<'a> for *const uint8_32_array {
    type Borrowed = &'a [u8; 32];
    unsafe fn borrow(self, argument: &'static str) -> Result<&'a [u8; 32]> {
        // SAFETY: promised by the caller of this function; NULL gives None.
        match unsafe { self.as_ref() } {
            Some(array) => Ok(&array.idx),
            None => Err(Error::NullArgument { argument }),
        }
    }
}

/// Borrows arguments by name inside an entry point's boundary call: `borrow!(a, b)` shadows `a` and `b` with what they
/// point to, or returns an error that names the argument.
macro_rules! borrow {
    ($($argument:ident),+ $(,)?) => {
        #[allow(unused_imports)]
        use $crate::ffi::types::BorrowPointer as _;
        $(
            // SAFETY: the header's contract for every borrowed argument: NULL, or valid and unchanged until the call returns.
            let $argument = unsafe { $argument.borrow(stringify!($argument)) }?;
        )+
    };
}
pub(crate) use borrow;
