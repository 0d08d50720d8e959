//! Words that have no offsets: claims in the order of the answer, each looked for behind the one before.

/// Bytes of an answer that are searched, over all claims.
const SEARCHED: usize = 64 << 20;

/// Where the search stands.
pub struct Sought {
    /// Where those before ended.
    end: usize,
    /// Bytes that may still be searched.
    budget: usize,
}

impl Default for Sought {
    fn default() -> Self {
        Self { end: 0, budget: SEARCHED }
    }
}

impl Sought {
    /// Where words stand: behind those before, else anywhere.
    pub fn next(&mut self, text: &str, words: &str) -> Option<usize> {
        let behind = text.get(self.end..).and_then(|rest| rest.find(words)).map(|at| self.end + at);
        self.budget =
            self.budget.checked_sub(behind.map_or(2 * text.len(), |at| at - self.end + words.len()))?;
        let at = behind.or_else(|| text.find(words))?;
        self.end = at + words.len();
        Some(at)
    }
}
