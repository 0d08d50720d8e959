//! Where a claim stands: one word for all that is known of it, and its sign on the rail.

use std::ops::Range;

use super::state::State;
use crate::check::Severity;
use crate::evidence::{Backing, Outcome};
use crate::look::{Role, Tone};
use crate::review::{Review, SupportRef};

/// Where a claim stands, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// An error touches it: an offset or an index is wrong.
    Fault,
    /// A warning does: another source fits better, a number is missing, its quote stands elsewhere.
    Doubt,
    /// The cited passages hold part of the wording, or little.
    Partly,
    /// A sentence that cites nothing.
    Uncited,
    /// The offsets fit, and there is nothing to compare with.
    Unchecked,
    /// The wording was found.
    Found,
}

impl Standing {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Fault, Self::Doubt, Self::Partly, Self::Uncited, Self::Unchecked, Self::Found];

    /// Its sign.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Fault => Tone::Error.sign(),
            Self::Doubt => Tone::Warning.sign(),
            Self::Partly => "~",
            Self::Uncited => "○",
            Self::Unchecked => Tone::Quiet.sign(),
            Self::Found => Tone::Good.sign(),
        }
    }

    /// What it is drawn as.
    pub const fn role(self) -> Role {
        match self {
            Self::Fault => Role::Fault,
            Self::Doubt => Role::Doubt,
            Self::Partly => Role::Partly,
            Self::Uncited => Role::Uncited,
            Self::Unchecked => Role::Unchecked,
            Self::Found => Role::Good,
        }
    }

    /// What it says, for the help.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Fault => "an error: its offsets name other words, or it cites what is not there",
            Self::Doubt => {
                "a warning: another source fits clearly better, a number is in no cited source, a mark names no source, its quote stands elsewhere"
            }
            Self::Partly => "the cited sources hold part of the wording, or little: often a paraphrase",
            Self::Uncited => "a sentence that cites nothing",
            Self::Unchecked => {
                "not compared, the pane of sources says why; where offsets were sent, they fit"
            }
            Self::Found => "the cited sources hold the wording; that is not to say that it is true",
        }
    }
}

fn of_verdict(verdict: &Backing) -> Standing {
    match verdict.outcome {
        Outcome::OtherChunk | Outcome::NumberMissing => Standing::Doubt,
        Outcome::Unchecked(_) if !verdict.missing_numbers.is_empty() => Standing::Doubt,
        Outcome::Partly | Outcome::Little => Standing::Partly,
        Outcome::Found => Standing::Found,
        Outcome::Unchecked(_) => Standing::Unchecked,
    }
}

/// Where a support stands. `compare`: what was compared counts.
pub fn of_support(review: &Review, support: SupportRef, compare: bool) -> Standing {
    let worst = review.structural_worst().get(support.index).copied().flatten();
    if support.is_misfit() || support.dangles() {
        // As bad as the rule that says so: the list goes by that, too.
        return if worst == Some(Severity::Error) { Standing::Fault } else { Standing::Doubt };
    }
    if !support.resolves() {
        let exempt = support.grade.check_required == Some(false);
        return if exempt { Standing::Unchecked } else { Standing::Uncited };
    }
    let verdict = review.known_backing(support.index).filter(|_| compare);
    let own = verdict.map_or(Standing::Unchecked, of_verdict);
    let other = compare && review.better_source(support.index).is_some();
    // What no offset and no word says: a citation of the request, a score, a mark.
    let told = worst.is_some_and(|worst| worst < Severity::Note);
    if told || other { own.min(Standing::Doubt) } else { own }
}

/// Where a span stands: the worst of its supports.
pub fn of_span(review: &Review, span: usize, compare: bool) -> Standing {
    let each = review.of_span(span).map(|support| of_support(review, support, compare));
    each.min().unwrap_or(Standing::Unchecked)
}

/// Sentences of the answer that cite nothing, in order.
pub fn sentences(state: &State) -> &[Range<usize>] {
    state.review().map_or(&[], |review| review.bare_sentences())
}
