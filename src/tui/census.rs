//! What the claims of a response come to: where each stands, how many of each, and the headline in words.

use std::fmt::Write as _;

use super::standing::{self, Standing, sentences};
use super::state::State;
use crate::anchor::FitProof;
use crate::check::causes::index_shift::INDEX_SHIFT;
use crate::check::causes::marker_orphan::MARKER_ORPHAN;
use crate::check::causes::source_index::SOURCE_INDEX;
use crate::check::{Finding, Severity};
use crate::evidence::Outcome;
use crate::export::fit::{cause, fit_sentence};
use crate::look::Tone;
use crate::model::{Group, Source, Support};
use crate::review::{Review, SupportRef};
use crate::text::{counted, one_line, plural};

/// Claims by where they stand.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Census {
    /// Where each span stands.
    pub standings: Vec<Standing>,
    /// Claims that are not where they were sent.
    moved: usize,
    /// Claims that cite what is not there.
    dangling: usize,
    /// Claims that another source, or another passage of their own, fits better.
    other: usize,
    /// Those of which it is a passage of their own.
    passages: usize,
    /// What all indices are off by, from which that follows; 0 where they are not.
    shift: i8,
    /// Claims with a number that their sources lack.
    numbers: usize,
    /// Claims of whose wording the sources hold little.
    little: usize,
    /// Claims whose wording the sources hold, whatever else is wrong with them.
    found: usize,
    /// A source was sent with text.
    texts: bool,
    /// Sentences that cite nothing.
    pub sentences: usize,
}

impl Census {
    /// Of the response that is shown.
    pub fn of(state: &State) -> Self {
        let Some(review) = state.review() else { return Self::default() };
        let spans = 0..review.spans.len();
        let mut out = Self {
            standings: spans.clone().map(|span| standing::of_span(review, span, state.compare)).collect(),
            sentences: sentences(state).len(),
            texts: review.response.sources.iter().any(Source::has_text),
            ..Self::default()
        };
        if state.compare && review.findings_so_far().iter().any(|finding| finding.rule == &INDEX_SHIFT) {
            out.shift = review.index_shift();
        }
        for span in spans {
            let any = |of: &dyn Fn(SupportRef) -> bool| review.of_span(span).any(of);
            out.moved += usize::from(any(&|support| support.is_misfit()));
            out.dangling += usize::from(any(&|support| support.dangles()));
            if !state.compare {
                continue;
            }
            let verdict = |support: SupportRef| review.known_backing(support.index);
            let other = any(&|support| {
                let by_words = verdict(support).is_some_and(|found| found.outcome == Outcome::OtherChunk);
                by_words || review.better_source(support.index).is_some()
            });
            let own = any(&|support| {
                let found = verdict(support).and_then(|found| review.comparison().better(found));
                let cited = review.response.supports.get(support.index).map(Support::cited);
                found.zip(cited).is_some_and(|((source, _), cited)| cited.contains(&source))
            });
            let missing =
                any(&|support| verdict(support).is_some_and(|found| !found.missing_numbers.is_empty()));
            let little =
                any(&|support| verdict(support).is_some_and(|found| found.outcome == Outcome::Little));
            let found =
                |support: SupportRef| verdict(support).is_some_and(|found| found.outcome == Outcome::Found);
            out.found += usize::from(!other && review.of_span(span).all(found));
            out.other += usize::from(other);
            out.passages += usize::from(other && own);
            out.little += usize::from(little && out.standings.get(span) == Some(&Standing::Partly));
            out.numbers += usize::from(missing && !other);
        }
        out
    }

    fn count(&self, standing: Standing) -> usize {
        self.standings.iter().filter(|own| **own == standing).count()
    }

    /// Whether a claim has something to look at.
    pub fn is_faulty(&self) -> bool {
        self.standings.iter().any(|standing| *standing <= Standing::Doubt)
    }

    /// The headline: its sign, and what it says, the worst first; what follows from another cause is not
    /// told.
    pub fn headline(&self, review: &Review, state_compares: bool) -> (Tone, Vec<String>) {
        if let Some(cause) = cause(review) {
            return (cause.rule.severity.into(), vec![one_line(&cause.message).into_owned()]);
        }
        if self.standings.is_empty() || review.response.is_question() || review.response.about.error.is_some()
        {
            let (_, tone, words) = fit_sentence(review);
            let (mut told, worst) = others(review, false);
            let Some(worst) = worst.filter(|_| review.response.about.error.is_none()) else {
                return (tone, vec![words]);
            };
            if !told.contains(&words) {
                told.push(words);
            }
            return (worst.into(), told);
        }
        let mut tone = self.tone();
        let mut words = self.faults();
        let others = others(review, self.dangling > 0);
        if let Some(worst) = others.1 {
            words.extend(others.0);
            tone = Tone::worse(tone, worst.into());
        }
        words.extend(if state_compares { self.wording() } else { Some("comparison hidden".to_owned()) });
        if self.sentences > 0 {
            words.push(format!(
                "{} cite{} nothing",
                counted(self.sentences, "sentence"),
                if self.sentences == 1 { "s" } else { "" }
            ));
        }
        words.extend(self.fits(review));
        words.extend(crate::export::fit::guess(review));
        (tone, words)
    }

    fn tone(&self) -> Tone {
        let worst = self.standings.iter().min();
        match worst {
            Some(Standing::Fault) => Tone::Error,
            Some(Standing::Doubt) => Tone::Warning,
            Some(Standing::Partly | Standing::Uncited | Standing::Unchecked) | None => Tone::Quiet,
            Some(Standing::Found) => Tone::Good,
        }
    }

    fn faults(&self) -> Vec<String> {
        let all = self.standings.len();
        let of = |count: usize| {
            if count == all && all > 1 { format!("all {all} claims") } else { counted(count, "claim") }
        };
        let is =
            |count: usize, one: &str, many: &str| if count == 1 { one.to_owned() } else { many.to_owned() };
        let mut words = Vec::new();
        // What follows from it is not told beside it.
        let shifted = self.shift != 0;
        if shifted {
            words.push(format!("the citations fit with every index moved by {:+}", self.shift));
        }
        if self.moved > 0 {
            words.push(if self.moved == all && all > 1 {
                format!("none of the {all} claims is where its offsets say")
            } else {
                format!(
                    "{} {} not where {} offsets say",
                    counted(self.moved, "claim"),
                    is(self.moved, "is", "are"),
                    is(self.moved, "its", "their")
                )
            });
        }
        if self.dangling > 0 && !shifted {
            words.push(format!("{} cite{} what is not there", of(self.dangling), is(self.dangling, "s", "")));
        }
        if self.other > 0 && !shifted {
            let what = if self.passages == self.other { "passage" } else { "source" };
            words.push(format!("{} fit{} another {what}", of(self.other), is(self.other, "s", "")));
        }
        if self.numbers > 0 {
            words.push(plural(self.numbers, "number missing", "numbers missing"));
        }
        words
    }

    /// What came of comparing words.
    fn wording(&self) -> Option<String> {
        let (found, partly) = (self.found, self.count(Standing::Partly) - self.little);
        // What cites nothing is told as a sentence.
        let all = self.standings.len() - self.count(Standing::Uncited);
        let untold = self.count(Standing::Unchecked);
        let mut little = if self.little > 0 { format!(", little of {}", self.little) } else { String::new() };
        if untold > 0 {
            let _ = write!(little, ", {untold} not compared");
        }
        match (found, partly) {
            (0, 0) if self.little == 0 => {
                let why =
                    if self.texts { "no claim could be compared" } else { "no source text to compare with" };
                (all > 0 && self.count(Standing::Unchecked) == all).then(|| why.to_owned())
            }
            (found, 0) if found == all => Some("wording found in the sources".to_owned()),
            (found, 0) => Some(format!("wording of {found} of {all} found{little}")),
            (found, partly) => {
                Some(format!("wording of {found} of {all} found, of {partly} in part{little}"))
            }
        }
    }

    /// That the offsets fit, where that was proven.
    fn fits(&self, review: &Review) -> Option<String> {
        let fit = &review.fit;
        let proven = !matches!(fit.proof, FitProof::None | FitProof::Structure) && fit.of > 0;
        (self.moved == 0 && proven && fit.fitting == fit.of).then(|| "all offsets fit".to_owned())
    }
}

/// Claims of a finding that are looked at for each frame.
const LOOKED_AT: usize = 64;

/// Errors and warnings that are not told with the claims, the worst in its own words, and how bad it is.
fn others(review: &Review, dangling: bool) -> (Vec<String>, Option<Severity>) {
    let misfit = |support: &usize| review.support(*support).is_some_and(SupportRef::is_misfit);
    let told = |finding: &Finding| match finding.rule.group {
        Group::Content => true,
        Group::Offsets => finding.supports.is_empty() || finding.supports.iter().take(LOOKED_AT).any(misfit),
        _ => finding.rule == &SOURCE_INDEX || dangling && finding.rule == &MARKER_ORPHAN,
    };
    let found = review.findings_so_far().iter();
    let found = found.filter(|finding| finding.rule.severity < Severity::Note && !told(finding));
    let Some(worst) = found.clone().min_by_key(|finding| finding.rule.severity) else {
        return (Vec::new(), None);
    };
    let mut words = vec![worst.rule.summary.to_owned()];
    let more = found.count() - 1;
    if more > 0 {
        let noun = if worst.rule.severity == Severity::Error { "fault" } else { "warning" };
        words.push(counted(more, &format!("more {noun}")));
    }
    (words, Some(worst.rule.severity))
}
