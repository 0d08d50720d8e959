//! Everything that one comparison rests on, for a reader who wants to check it by hand.

use super::cited::Cited;
use super::claim::Claim;
use super::cover::{Scorer, Window, combine};
use super::tokens::TokenKind;
use super::verdict::{Backing, THRESHOLDS};

/// A token of the claim and where it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedToken {
    /// The form that is compared.
    pub text: String,
    /// What it is.
    pub kind: TokenKind,
    /// How much it counts.
    pub weight: f64,
    /// Whether it stands in the best window of a cited chunk, or in its title.
    pub in_window: bool,
    /// Whether it stands anywhere in a cited chunk.
    pub in_chunk: bool,
}

/// A comparison laid open. `cover = 0.7 × in_window / weight + 0.3 × in_chunk / weight`.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The tokens of the claim in the order of first occurrence.
    pub tokens: Vec<ExplainedToken>,
    /// The weight of all tokens.
    pub weight: f64,
    /// The weight of those in the best windows.
    pub in_window: f64,
    /// The weight of those anywhere in the cited chunks.
    pub in_chunk: f64,
    /// For every cited chunk its best window and further ones worth showing.
    pub windows: Vec<Vec<Window>>,
    /// What it comes to.
    pub verdict: Backing,
    /// Every figure that decides.
    pub thresholds: &'static [(&'static str, f64)],
}

impl Explanation {
    /// The cover worked out from the weights shown.
    #[must_use]
    pub fn cover(&self) -> Option<f64> {
        let shares = (self.in_window / self.weight, self.in_chunk / self.weight);
        (self.weight > 0.0).then(|| combine(shares.0, shares.1))
    }
}

impl Scorer<'_> {
    /// Lays a comparison open, with at most `windows` windows a chunk.
    pub fn explain(&mut self, claim: &Claim, cited: impl Into<Cited>, windows: usize) -> Explanation {
        let verdict = self.compare(claim, cited);
        let best: Vec<Window> = verdict.fits.iter().map(|fit| fit.window).collect();
        let tokens: Vec<_> = (0..)
            .zip(&claim.terms)
            .map(|(id, term)| ExplainedToken {
                text: claim.words.get(id).to_owned(),
                kind: term.kind,
                weight: term.weight,
                in_window: best.iter().any(|window| window.holds(self.index, term.token)),
                in_chunk: best
                    .iter()
                    .any(|window| term.token.is_some_and(|token| self.index.holds(window.chunk, token))),
            })
            .collect();
        let sum = |fits: fn(&ExplainedToken) -> bool| {
            tokens.iter().filter(|token| fits(token)).fold(0.0, |sum, token| sum + token.weight)
        };
        Explanation {
            weight: sum(|_| true),
            in_window: sum(|token| token.in_window),
            in_chunk: sum(|token| token.in_chunk),
            windows: best.iter().map(|best| self.windows(claim, best.chunk, windows)).collect(),
            tokens,
            verdict,
            thresholds: &THRESHOLDS,
        }
    }
}
