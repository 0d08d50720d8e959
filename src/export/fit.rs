//! How the supports of a response fit, in a sentence.

use crate::anchor::{Anchor, FitProof, Verdict};
use crate::check::causes::answer_empty::ANSWER_EMPTY;
use crate::check::{Finding, Severity};
use crate::evidence::Outcome;
use crate::look::Tone;
use crate::model::{AnchorKind, AnswerState, Group, Proof, RemarkKind, Unit};
use crate::review::comparison::Compared;
use crate::review::{Review, SupportRef};
use crate::text::{counted, one_line, plural};

/// Sign and sentence on how a response holds together: why its answer is not whole, else how the supports
/// fit.
pub fn fit_sentence(review: &Review) -> (&'static str, Tone, String) {
    let fit = || {
        let (sign, tone, words) = supports_fit(review);
        let more = guess(review).map(|words| format!(" · {words}")).unwrap_or_default();
        (sign, tone, format!("{words}{more}"))
    };
    cause(review)
        .map_or_else(fit, |cause| (Tone::Error.sign(), Tone::Error, one_line(&cause.message).into_owned()))
}

/// Why the answer is not whole: what is missing follows from that.
pub fn cause(review: &Review) -> Option<&Finding> {
    review.findings_so_far().iter().find(|finding| {
        finding.rule.severity == Severity::Error
            && matches!(finding.rule.group, Group::Stream | Group::Answer)
    })
}

/// What was guessed of the response's own shape.
pub fn guess(review: &Review) -> Option<String> {
    let guessed = review.response.remarks.iter().find(|remark| remark.kind == RemarkKind::Guessed);
    guessed.map(|remark| one_line(&remark.text).into_owned())
}

/// Sign and sentence on how the supports fit.
fn supports_fit(review: &Review) -> (&'static str, Tone, String) {
    let fit = &review.fit;
    let about = &review.response.about;
    if let Some(error) = &about.error {
        let words: Vec<&str> =
            [error.code.as_deref(), error.message.as_deref()].into_iter().flatten().collect();
        return (Tone::Error.sign(), Tone::Error, format!("error: {}", one_line(&words.join(": "))));
    }
    let unit = fit.reading.unit.name();
    let all = fit.fitting == fit.of && fit.fitting == fit.documented;
    let tone = if all { Tone::Good } else { Tone::Warning };
    let quiet = |words: &str| ("·", Tone::Quiet, words.to_owned());
    let said = |words: String| (tone.sign(), tone, words);
    let (partial, state) = (review.response.partial, review.response.state);
    match (fit.of, fit.proof) {
        (0, _) if partial && state != AnswerState::Truncated => {
            quiet("a partial piece of a streamed turn; the whole answer is an event of its own")
        }
        (0, _) if partial => {
            let words = "the session breaks off in the middle of this turn";
            (Tone::Warning.sign(), Tone::Warning, words.to_owned())
        }
        _ if review.response.is_question() => quiet("the question of a user"),
        (0, _) if review.response.supports.is_empty() => quiet(&no_supports(review)),
        (_, FitProof::Structure) => quiet(&by_structure(review)),
        (0, _) => quiet("supports are placed by markers in the text, or speak of the whole answer"),
        (_, FitProof::None) if review.response.answer.is_none() => {
            let words = "no answer text in this response: its claims are listed instead \
                (--answer FILE supplies the text)";
            ("·", Tone::Warning, words.to_owned())
        }
        (_, proof) => said(by_proof(review, proof, unit)),
    }
}

/// How the offsets were shown to be right, and how many are.
fn by_proof(review: &Review, proof: FitProof, unit: &str) -> String {
    let fit = &review.fit;
    let counts = format!("{} of {}", fit.fitting, fit.of);
    match proof {
        FitProof::Structure => by_structure(review),
        FitProof::Boundaries => format!(
            "read as {unit}: the ends of the segments fall at ends of sentences so; no quotes to compare with"
        ),
        FitProof::None => format!("{counts} offsets lie in the answer as {unit}; no quotes to compare with"),
        FitProof::Markers => {
            let (marks, read) = (marks(review), reading_words(review, unit));
            format!("{counts} {marks} stand where their offsets say, read {read}")
        }
        FitProof::Slots if review.response.proof != Proof::Slots => {
            format!("{counts} points lie before punctuation or a line end, read as {unit}")
        }
        FitProof::Slots => format!("{counts} offsets end at a reserved blank, read as {unit}"),
        FitProof::Quotes => by_quotes(review, unit),
    }
}

/// The same where quotes show it, with what became of the others.
fn by_quotes(review: &Review, unit: &str) -> String {
    let fit = &review.fit;
    let moved = |anchor: &&Anchor| {
        matches!(anchor.verdict, Verdict::Reanchored | Verdict::Ambiguous | Verdict::Drifted)
            && anchor.range.is_some()
    };
    let moved = review.supports().map(SupportRef::anchor).filter(moved).count();
    let gone = |quoted: bool| {
        let gone = review.supports().filter(|support| support.anchor().verdict == Verdict::Gone);
        gone.filter(|support| support.quote().is_some() == quoted).count()
    };
    let counts = [
        (moved, "shown where the quote occurs"),
        (gone(true), "nowhere in the answer"),
        (gone(false), "without a place"),
    ];
    let told = counts.iter().filter(|(count, _)| *count > 0);
    let told: Vec<String> = told.map(|(count, words)| format!("{count} {words}")).collect();
    let rest = if told.is_empty() { String::new() } else { format!("; {}", told.join(", ")) };
    let quoted = review.supports().filter(|support| support.quote().is_some()).count();
    let what = if quoted == fit.of { "quotes fit" } else { "segments fit" };
    format!("{} of {} {what} their offsets {}{rest}", fit.fitting, fit.of, reading_words(review, unit))
}

/// What stands at offsets that are proven by marks.
fn marks(review: &Review) -> &'static str {
    let points = review.response.supports.iter().any(|support| support.kind == AnchorKind::Point);
    if points { "marks and points" } else { "marks" }
}

/// What places supports that come without offsets.
fn by_structure(review: &Review) -> String {
    let of = |kind| review.response.supports.iter().filter(|support| support.kind == kind).count();
    let kinds = [
        (AnchorKind::Block, "cited block", "cited blocks"),
        (AnchorKind::Point, "reference behind its text", "references behind their text"),
        (AnchorKind::TextMarker, "marker in the text", "markers in the text"),
        (AnchorKind::Marker, "mark", "marks"),
    ];
    let counts = kinds.into_iter().map(|(kind, one, many)| (of(kind), one, many));
    let words: Vec<String> =
        counts.filter(|(count, ..)| *count > 0).map(|(count, one, many)| plural(count, one, many)).collect();
    format!("{}; no offsets into the answer were sent", words.join(", "))
}

/// `1 error, 2 warnings`, and the worst severity; notes do not count.
pub fn tally(findings: &[Finding]) -> (String, Option<Severity>) {
    let count = |severity| findings.iter().filter(|finding| finding.rule.severity == severity).count();
    let found = [Severity::Error, Severity::Warning].into_iter().filter(|&severity| count(severity) > 0);
    let words: Vec<String> =
        found.clone().map(|severity| counted(count(severity), severity.word())).collect();
    (words.join(", "), found.min())
}

/// Sign and sentence for a whole response: what was found, and how the supports fit; where the answer is not
/// whole, that instead of what follows from it.
pub fn headline(review: &Review) -> (&'static str, Tone, String) {
    let (sign, tone, sentence) = fit_sentence(review);
    let (words, worst) = tally(review.findings());
    match worst {
        Some(worst) => (Tone::from(worst).sign(), worst.into(), format!("{words} · {sentence}")),
        None => (sign, tone, sentence),
    }
}

/// `as UTF-8 bytes`, or what differs from the documented reading and how many fit in that.
fn reading_words(review: &Review, unit: &str) -> String {
    let fit = &review.fit;
    let mut words = format!("as {unit}");
    let reading = fit.reading;
    match reading.base {
        crate::anchor::Base::Answer => {}
        crate::anchor::Base::Part => words.push_str(" of their part"),
        crate::anchor::Base::WithThoughts => words.push_str(" counted with the thoughts"),
    }
    if reading.inclusive {
        words.push_str(" with inclusive ends");
    }
    if reading.shift != 0 {
        words.push_str(&format!(" when shifted by {:+}", reading.shift.saturating_neg()));
    }
    let other_unit = reading.unit != review.response.unit;
    if let Some(votes) = review.votes().filter(|_| other_unit) {
        let others = votes.into_iter().zip(Unit::ALL).filter(|(_, unit)| *unit != reading.unit);
        let others: Vec<String> =
            others.map(|(fitting, unit)| format!("{fitting} as {}", unit.name())).collect();
        words.push_str(&format!(" ({})", others.join(", ")));
    } else if fit.fitting > fit.documented {
        words.push_str(&format!(" ({} as documented)", fit.documented));
    }
    words
}

fn no_supports(review: &Review) -> String {
    use crate::model::Grounding;
    // That the answer is empty is the cause of all else.
    let empty = review.findings_so_far().iter().find(|finding| finding.rule == &ANSWER_EMPTY);
    if let Some(empty) = empty {
        return empty.rule.summary.to_owned();
    }
    match review.response.grounding {
        Grounding::Absent => "no grounding metadata: the model answered without search",
        Grounding::Empty => "the grounding metadata is empty",
        Grounding::Unattributed => "searched, but nothing was attributed",
        Grounding::Given if !review.response.about.skipped.is_empty() => "the service chose not to answer",
        Grounding::Given => "no supports: no words of the answer are tied to a source",
    }
    .to_owned()
}

/// What was compared for a span, and what came of it.
pub fn wording(review: &Review, judged: &Compared) -> (Tone, String) {
    let verdict = &judged.backing;
    let percent = verdict.cover.map_or(0.0, |cover| cover * 100.0);
    let words = match verdict.outcome {
        Outcome::Unchecked(reason) => format!("unchecked: {}", reason.text()),
        Outcome::OtherChunk => better_words(review, judged),
        Outcome::NumberMissing => {
            let numbers = verdict.missing_numbers.join(", ");
            let (noun, verb) =
                if verdict.missing_numbers.len() == 1 { ("number", "is") } else { ("numbers", "are") };
            format!("the {noun} {numbers} {verb} in none of the cited chunks")
        }
        Outcome::Found => {
            format!("wording found: {percent:.0} % of the claim's words are in the cited chunks")
        }
        Outcome::Partly => {
            format!("wording partly found: {percent:.0} % of the claim's words are in the cited chunks")
        }
        Outcome::Little => {
            format!(
                "little of the wording found: {percent:.0} % of the claim's words are in the cited chunks"
            )
        }
    };
    (verdict.outcome.into(), words)
}

/// Which source holds more of a span than those cited for it; empty where none does.
pub fn better_words(review: &Review, judged: &Compared) -> String {
    let better = judged.backing.better().zip(review.comparison().better(&judged.backing));
    let Some((other, (_, source))) = better else { return String::new() };
    let own = judged.backing.fits.first().map_or(0.0, |fit| fit.cover);
    let (more, own) = (other.cover * 100.0, own * 100.0);
    format!("{source} holds more of its words: {more:.0} % against {own:.0} %")
}
