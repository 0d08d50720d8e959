//! Words that have no offsets: claims in the order of the answer, each looked for behind the one before.

use memchr::memmem;

/// Bytes of an answer that are searched far from the one before, over all claims.
const SEARCHED: usize = 64 << 20;
/// Bytes behind the one before in which most stand.
const NEAR: usize = 16 * 1024;

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
    /// Where words stand: behind those before, else anywhere. Many that are nowhere near are looked for no
    /// further.
    pub fn next(&mut self, text: &str, words: &str) -> Option<usize> {
        let rest = text.as_bytes().get(self.end..)?;
        let near = rest.get(..rest.len().min(NEAR.saturating_add(words.len())))?;
        let behind = memmem::find(near, words.as_bytes()).map(|at| self.end + at);
        let at = behind.or_else(|| self.far(text, words))?;
        self.end = at + words.len();
        Some(at)
    }

    fn far(&mut self, text: &str, words: &str) -> Option<usize> {
        self.budget = self.budget.checked_sub(2 * text.len())?;
        let behind = text.get(self.end..).and_then(|rest| memmem::find(rest.as_bytes(), words.as_bytes()));
        behind.map(|at| self.end + at).or_else(|| memmem::find(text.as_bytes(), words.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::{NEAR, Sought};

    #[test]
    fn words_are_found_behind_those_before_else_anywhere() {
        let text = format!("one two one {}three", "x".repeat(2 * NEAR));
        let mut sought = Sought::default();
        assert_eq!(sought.next(&text, "one"), Some(0));
        assert_eq!(sought.next(&text, "one"), Some(8));
        assert_eq!(sought.next(&text, "three"), Some(12 + 2 * NEAR));
        assert_eq!(sought.next(&text, "two"), Some(4));
        assert_eq!(sought.next(&text, "four"), None);
        assert_eq!(sought.next(&text, "one"), Some(8));
    }
}
