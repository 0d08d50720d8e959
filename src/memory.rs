//! Memory that a record takes with what is made of it, as it is measured. Formats reckon what the things that
//! they read take, with all that will be worked out of them ([`crate::json::Cx::take`]); what was reckoned
//! wrong ends here.

use std::cell::Cell;
use std::sync::OnceLock;

static HELD: OnceLock<fn() -> i64> = OnceLock::new();

/// No bound.
const ENDLESS: i64 = i64::MAX;
/// Nothing fits any more.
const SPENT: i64 = i64::MIN;

thread_local! {
    /// What the thread may hold while it reads a record.
    static MOST: Cell<i64> = const { Cell::new(ENDLESS) };
}

/// Says how many bytes the thread at hand has allocated and not given back, below 0 where it gave back what
/// others had allocated: told once, by a program whose allocator counts them. Without it what formats reckon
/// is the only bound.
pub fn measured_by(held: fn() -> i64) {
    // The first one stays.
    _ = HELD.set(held);
}

fn held() -> i64 {
    HELD.get().map_or(0, |held| held())
}

/// Runs something that may take so many bytes on this thread, and asks meanwhile whether there is room.
pub(crate) fn within<T>(bytes: usize, run: impl FnOnce() -> T) -> T {
    let most = i64::try_from(bytes).map_or(ENDLESS, |bytes| held().saturating_add(bytes));
    let before = MOST.replace(most);
    let out = run();
    MOST.set(before);
    out
}

/// What something gives, and the bytes that it took on this thread and has not given back; 0 where nobody
/// measures.
pub(crate) fn taken_by<T>(run: impl FnOnce() -> T) -> (T, u64) {
    let before = held();
    let out = run();
    (out, u64::try_from(held().saturating_sub(before)).unwrap_or_default())
}

/// Whether there is room for so many bytes more. Where there was none once, there is none until the end: what
/// was read so far may have been let go of.
pub(crate) fn has_room(bytes: usize) -> bool {
    let most = MOST.get();
    if most == ENDLESS {
        return true;
    }
    let fits = held().saturating_add(i64::try_from(bytes).unwrap_or(ENDLESS)) <= most;
    if !fits {
        MOST.set(SPENT);
    }
    fits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_found_no_room_once_finds_none_until_the_end() {
        // The tests are run by a program that does not measure: only what is asked for counts.
        let asked = within(1000, || [has_room(1000), has_room(1001), has_room(0)]);
        assert_eq!(asked, [true, false, false]);
        assert!(within(usize::MAX, || has_room(usize::MAX)));
        let inner = within(10, || (within(20, || has_room(20)), has_room(20)));
        assert_eq!((inner, has_room(usize::MAX)), ((true, false), true));
    }
}
