//! Stretches of files that were read last.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::error::InputError;
use super::places::Places;
use super::text::Text;

/// Bytes that are read at once from a file, and how many such stretches are kept: workers take neighbours.
const WINDOW: u64 = 256 << 10;
const WINDOWS: usize = 4;

/// Stretches that were read last, the oldest first, of whichever inputs: of very many files none keeps its
/// own.
#[derive(Debug, Default)]
pub struct Windows(Mutex<VecDeque<(Arc<Places>, Arc<Text>)>>);

impl Windows {
    /// A text that holds a stretch of an input: one that was read before, else the stretch with some of what
    /// follows, which whoever goes through the records wants next. A record alone has no neighbours.
    pub(super) fn holding(&self, places: &Arc<Places>, bytes: &Range<u64>) -> Result<Arc<Text>, InputError> {
        let end = places.index.end();
        let read = |to: u64| {
            let text = places.read_text(bytes.start..to, bytes.end)?;
            Ok(Arc::new(Text::at(text, bytes.start)))
        };
        if places.index.len() == 1 {
            return read(bytes.end);
        }
        let mut windows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = windows.iter().find(|(of, text)| Arc::ptr_eq(of, places) && text.holds(bytes));
        if let Some((_, text)) = known {
            return Ok(Arc::clone(text));
        }
        let text = read(bytes.end.max(end.min(bytes.start + WINDOW)))?;
        if windows.len() == WINDOWS {
            windows.pop_front();
        }
        windows.push_back((Arc::clone(places), Arc::clone(&text)));
        Ok(text)
    }
}
