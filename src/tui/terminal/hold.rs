//! Who may write to the terminal and change its modes.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Whether the terminal is ours. Who writes to it holds this: signals end the program from another thread,
/// and half a frame on the screen of the shell is nobody's wish.
pub(super) static OURS: Mutex<bool> = Mutex::new(false);

pub(super) fn ours() -> MutexGuard<'static, bool> {
    OURS.lock().unwrap_or_else(PoisonError::into_inner)
}
