//! How much is gone through for one claim. Where claims and passages both come by the thousand, comparing all
//! with all takes time with their product: each claim gets a share of one sum, and never less than what an
//! ordinary answer needs.

/// Places of words that are gone through for all claims of a response: some tenth of a second.
const SUM: usize = 8 * 1024 * 1024;

/// Places of words that are gone through in one chunk, whatever the share.
const PLACES_LEAST: usize = 512;

/// Chunks that are looked at for each word of a claim: of a word that more have the first ones. What tells
/// chunks apart are words that few have.
pub(crate) const HOLDERS_MOST: usize = 4096;

/// The same, whatever the share.
const HOLDERS_LEAST: usize = 64;

/// Cited chunks that are kept for all claims of a response, each with how well it fits, and for one claim at
/// least: thousands of claims that cite dozens would take more than all else.
const FITS: usize = 128 * 1024;
const FITS_LEAST: usize = 16;

/// What may be gone through for one claim: places of its words in chunks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// In all chunks together.
    pub(crate) share: usize,
    /// In one chunk.
    pub(crate) places: usize,
    /// Cited chunks that are kept.
    pub(crate) fits: usize,
}

impl Effort {
    /// Each of so many claims gets the same.
    pub(crate) fn of_claims(claims: usize) -> Self {
        let share = SUM / claims.max(1);
        let fits = (FITS / claims.max(1)).max(FITS_LEAST);
        Self { share, places: (share / 2).max(PLACES_LEAST), fits }
    }

    /// Chunks that are looked at for each of so many words.
    pub(crate) fn holders(self, words: usize) -> usize {
        (self.share.saturating_mul(4) / words.max(1)).clamp(HOLDERS_LEAST, HOLDERS_MOST)
    }
}
