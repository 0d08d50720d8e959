//! The working memory of the search for the best chunk that is not cited.

use super::index::ChunkId;

/// Lists by chunk, kept from one search to the next.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// For every chunk the weight of the claim that it holds.
    pub(crate) weights: Vec<f64>,
    /// The chunks that hold any of it.
    pub(crate) touched: Vec<u32>,
    /// For every chunk whether it is cited.
    pub(crate) cited: Vec<bool>,
    /// Chunks that may be the best, with the most that their cover can be.
    pub(crate) bounds: Vec<(f64, u32)>,
}

impl Scratch {
    /// Notes that chunks are cited, or are so no longer.
    pub(crate) fn flag(&mut self, chunks: &[ChunkId], cited: bool) {
        for id in chunks {
            if let Some(flag) = self.cited.get_mut(id.0 as usize) {
                *flag = cited;
            }
        }
    }
}
