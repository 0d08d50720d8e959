//! What the comparison comes to: one of six outcomes, and everything a reader needs to judge it.

use super::cited::Cited;
use super::claim::Claim;
use super::cover::{Covered, Scorer};
use super::index::{ChunkId, Index};
use super::search::Other;
use super::{language, profile};

/// Another chunk fits better when its cover is higher by more than this…
pub const MARGIN: f64 = 0.15;
/// …and reaches at least this.
pub const OTHER_COVER: f64 = 0.50;
/// From this cover on the wording is found.
pub const FOUND: f64 = 0.80;
/// From this cover on it is partly found.
pub const PARTLY: f64 = 0.50;
/// A claim of less weight has too few words to compare.
pub const CLAIM_WEIGHT: f64 = 1.5;

/// Every figure that decides, by name.
pub const THRESHOLDS: [(&str, f64); 18] = [
    ("whole-share", super::cover::WHOLE_SHARE),
    ("window-sentences", 3.0),
    ("sentence-cost", super::windows::SENTENCE_COST),
    ("window-worth", super::cover::WINDOW_WORTH),
    ("cited-chunks", super::cited::MOST_CITED as f64),
    ("claim-weight", CLAIM_WEIGHT),
    ("margin", MARGIN),
    ("other-cover", OTHER_COVER),
    ("found", FOUND),
    ("partly", PARTLY),
    ("script-share", language::SCRIPT_SHARE),
    ("short-word-share", language::SHORT_WORD_SHARE),
    ("short-word-share-english", language::SHORT_WORD_SHARE_ENGLISH),
    ("english", profile::ENGLISH),
    ("not-english", profile::NOT_ENGLISH),
    ("language-words", 100.0),
    ("shift-prior", super::shift::SHIFT_PRIOR),
    ("shift-least", 3.0),
];

/// Why nothing was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// No cited chunk carries text.
    NoChunkText,
    /// The claim has too few words to compare.
    ShortClaim,
    /// The cited chunks are in another language: only numbers and names can be compared.
    OtherLanguage,
}

impl Reason {
    /// The reason in words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::NoChunkText => "no chunk text",
            Self::ShortClaim => "claim too short",
            Self::OtherLanguage => "different language: only numbers and names compared",
        }
    }
}

/// What was found about a claim and its cited chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// Nothing was decided.
    Unchecked(Reason),
    /// A chunk that is not cited fits clearly better.
    OtherChunk,
    /// A number of the claim is in none of the cited chunks.
    NumberMissing,
    /// The cited chunks hold the wording.
    Found,
    /// They hold part of it.
    Partly,
    /// They hold little of it.
    Little,
}

impl Outcome {
    /// The word used in machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Unchecked(_) => "unchecked",
            Self::OtherChunk => "other-chunk",
            Self::NumberMissing => "number-missing",
            Self::Found => "found",
            Self::Partly => "partly",
            Self::Little => "little",
        }
    }

    /// Why nothing was decided, where that is so.
    #[must_use]
    pub fn reason(self) -> Option<Reason> {
        match self {
            Self::Unchecked(reason) => Some(reason),
            _ => None,
        }
    }
}

/// The result for one claim and its cited chunks.
#[derive(Clone, Debug, PartialEq)]
pub struct Backing {
    /// What it comes to.
    pub outcome: Outcome,
    /// The joint cover of the cited chunks; `None` where there was nothing to compare.
    pub cover: Option<f64>,
    /// The best cover of a chunk not cited less the best of a cited one; `None` where either is missing.
    pub margin: Option<f64>,
    /// Every cited chunk with text, best first; of very many, or where there are very many claims, those that
    /// hold most of the claim.
    pub fits: Vec<Covered>,
    /// Numbers of the claim that no cited chunk has, in the order of the claim.
    pub missing_numbers: Vec<String>,
    /// Names of the claim of which the cited chunks lack a word.
    pub missing_names: Vec<String>,
    /// The best chunk that is not cited.
    pub best_other: Option<Other>,
}

impl Backing {
    /// Of a claim whose cited chunks carry no text.
    #[must_use]
    pub fn of_nothing() -> Self {
        Self {
            outcome: Outcome::Unchecked(Reason::NoChunkText),
            cover: None,
            margin: None,
            fits: Vec::new(),
            missing_numbers: Vec::new(),
            missing_names: Vec::new(),
            best_other: None,
        }
    }

    /// The chunk that fits better, when that is the outcome.
    #[must_use]
    pub fn better(&self) -> Option<Other> {
        self.best_other.filter(|_| self.outcome == Outcome::OtherChunk)
    }
}

impl Scorer<'_> {
    /// Compares a claim with its cited chunks and with all others.
    pub fn compare(&mut self, claim: &Claim, cited: impl Into<Cited>) -> Backing {
        let index = self.index;
        let all = cited.into().with_text(index);
        let mut verdict = Backing::of_nothing();
        if all.len() == 0 {
            return verdict;
        }
        let cited = self.closest(claim, &all);
        // Of a long answer there are very many verdicts: none of their lists has room to spare.
        verdict.fits.reserve_exact(cited.len());
        verdict.fits.extend(cited.iter().filter_map(|id| self.cover(claim, *id)));
        verdict.cover = match verdict.fits.as_slice() {
            [only] => Some(only.cover),
            fits => self.joint_of(claim, fits),
        };
        verdict.fits.sort_by(|a, b| b.cover.total_cmp(&a.cover));
        let owned = |text: &str| text.to_owned();
        verdict.missing_numbers.extend(claim.missing_numbers(index, all.clone()).map(owned));
        verdict.missing_names.extend(claim.missing_names(index, all.clone()).map(owned));
        verdict.missing_numbers.shrink_to_fit();
        verdict.missing_names.shrink_to_fit();
        verdict.best_other = self.other_than(claim, &all);
        let best = verdict.fits.first();
        verdict.margin = verdict.best_other.zip(best).map(|(other, best)| other.cover - best.cover);
        verdict.outcome = decide(index, claim, &cited, &verdict);
        if verdict.fits.len() > self.effort.fits {
            verdict.fits.truncate(self.effort.fits);
            verdict.fits.shrink_to_fit();
        }
        verdict
    }
}

/// The first outcome that applies.
fn decide(index: &Index, claim: &Claim, cited: &[ChunkId], verdict: &Backing) -> Outcome {
    let Some(cover) = verdict.cover.filter(|_| claim.weight() >= CLAIM_WEIGHT) else {
        return Outcome::Unchecked(Reason::ShortClaim);
    };
    if language::differs(index, claim, cited) {
        return Outcome::Unchecked(Reason::OtherLanguage);
    }
    let leads = verdict.margin.is_some_and(|margin| margin > MARGIN);
    if leads && verdict.best_other.is_some_and(|other| other.cover >= OTHER_COVER) {
        return Outcome::OtherChunk;
    }
    if !verdict.missing_numbers.is_empty() {
        return Outcome::NumberMissing;
    }
    match cover {
        FOUND.. => Outcome::Found,
        PARTLY.. => Outcome::Partly,
        _ => Outcome::Little,
    }
}
