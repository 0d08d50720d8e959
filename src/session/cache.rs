//! What was decoded not long ago.

use std::collections::VecDeque;

use std::sync::Arc;

use super::error::RecordError;
use crate::review::Review;

/// The responses of a record, in order.
pub type RecordReviews = Arc<[Arc<Review>]>;

/// Records that are kept at most.
const RECORDS: usize = 32;
/// Bytes that they take at most, or their text; one record is kept whatever its size.
const BYTES: u64 = 16 << 20;

/// Decoded records, those used last in front.
#[derive(Default)]
pub(super) struct Cache {
    records: VecDeque<Kept>,
}

struct Kept {
    index: usize,
    size: u64,
    reviews: Result<RecordReviews, RecordError>,
}

impl Cache {
    /// What was made of a record, if it is still there.
    pub fn get(&mut self, index: usize) -> Option<Result<RecordReviews, RecordError>> {
        let place = self.records.iter().position(|kept| kept.index == index)?;
        let kept = self.records.remove(place)?;
        let reviews = kept.reviews.clone();
        self.records.push_front(kept);
        Some(reviews)
    }

    /// The same for whoever asks in passing: it does not count as used.
    pub fn peek(&self, index: usize) -> Option<Result<RecordReviews, RecordError>> {
        self.records.iter().find(|kept| kept.index == index).map(|kept| kept.reviews.clone())
    }

    /// Keeps what was made of a record, which takes so many bytes, and lets the oldest go.
    pub fn keep(&mut self, index: usize, reviews: Result<RecordReviews, RecordError>, size: u64) {
        self.records.retain(|kept| kept.index != index);
        self.records.push_front(Kept { index, size, reviews });
        let mut bytes = 0;
        let mut fits = |kept: &Kept| {
            bytes += kept.size;
            bytes <= BYTES
        };
        let room = self.records.iter().take(RECORDS).take_while(|kept| fits(kept)).count();
        self.records.truncate(room.max(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn none() -> Result<RecordReviews, RecordError> {
        Err(RecordError::missing())
    }

    #[test]
    fn the_oldest_goes_first_and_one_is_always_kept() {
        let mut cache = Cache::default();
        for index in 0..=RECORDS {
            cache.keep(index, none(), 10);
        }
        assert!(cache.get(0).is_none());
        assert!(cache.get(1).is_some());
        cache.keep(100, none(), 10);
        assert!(cache.get(1).is_some() && cache.get(2).is_none());
        cache.keep(200, none(), BYTES + 1);
        assert!(cache.get(200).is_some() && cache.get(100).is_none());
        cache.keep(201, none(), BYTES - 1);
        assert!(cache.get(201).is_some() && cache.get(200).is_none());
        cache.keep(202, none(), 1);
        assert!(cache.peek(201).is_some() && cache.peek(200).is_none());
        cache.keep(203, none(), BYTES - 1);
        assert!(cache.peek(201).is_none() && cache.peek(202).is_some(), "looked at in passing");
    }
}
