//! The working memory of the search for the best chunk that is not cited.

/// Lists by chunk, kept from one search to the next.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// For every chunk the weight of the claim that it holds.
    pub(crate) weights: Vec<f64>,
    /// The chunks that hold any of it.
    pub(crate) touched: Vec<u32>,
    /// Chunks that may be the best, with the most that their cover can be.
    pub(crate) bounds: Vec<(f64, u32)>,
}
