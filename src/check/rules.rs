//! The catalogue of rules: ids are stable, a change of meaning needs a new id.

use super::Severity::{self, Error, Note, Warning};

/// A rule.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Stable id.
    pub id: &'static str,
    /// How bad its findings are.
    pub severity: Severity,
    /// What it finds, in one line.
    pub summary: &'static str,
    /// Why it matters and what to do.
    pub help: &'static str,
    /// Offsets that it finds wrong can be put right where their place is certain.
    pub repairable: bool,
    /// It compares wording: never more than a warning, and no severity selects it to fail a run.
    pub content: bool,
}

const fn rule_of(id: &'static str, severity: Severity, summary: &'static str, help: &'static str) -> Rule {
    Rule { id, severity, summary, help, repairable: false, content: false }
}

/// A rule on offsets that may be repaired.
const fn repairable(id: &'static str, severity: Severity, summary: &'static str, help: &'static str) -> Rule {
    Rule { repairable: true, ..rule_of(id, severity, summary, help) }
}

/// A rule on what claims and chunks say.
const fn content(id: &'static str, severity: Severity, summary: &'static str, help: &'static str) -> Rule {
    Rule { content: true, ..rule_of(id, severity, summary, help) }
}

pub(super) static UNNAMED: Rule = rule_of("unnamed", Note, "a finding without a rule", "");

/// The rule of an id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id)
}

/// All rules.
pub static RULES: &[Rule] = &[
    repairable(
        "offset-unit",
        Error,
        "offsets count another unit than documented",
        "convert them, or tell the producer: the spans are shown where they fit",
    ),
    repairable(
        "offset-base",
        Error,
        "offsets count over another text than documented",
        "over one part, or with the thoughts in it; the spans are shown where they fit",
    ),
    repairable("offset-inclusive", Error, "ends are inclusive where they are documented as exclusive", "add one to each end"),
    repairable(
        "offset-shift",
        Error,
        "all offsets are off by one constant",
        "characters were added or dropped before the first segment, often a leading line break",
    ),
    repairable(
        "offset-drift",
        Error,
        "the text was changed after the offsets were counted",
        "normalised quotes, dashes or accents; offsets behind the change are off, more with each change",
    ),
    repairable(
        "quote-mismatch",
        Warning,
        "the quote stands elsewhere than its offsets say",
        "the span is shown where its quote occurs; offsets were counted in another unit, or over another text",
    ),
    rule_of(
        "quote-gone",
        Error,
        "the quote occurs nowhere in the answer",
        "the answer was edited or translated after the call, or the metadata belongs to another text",
    ),
    rule_of(
        "quote-ambiguous",
        Warning,
        "the quote is not at its offsets and occurs several times",
        "the nearest occurrence is shown; compare the others",
    ),
    rule_of(
        "quote-elided",
        Note,
        "the quote was shortened with an ellipsis",
        "the span is placed by the beginning of its quote and ends at a sentence end",
    ),
    rule_of("offset-range", Error, "offsets lie outside the answer", "they count over a longer text, or in another unit"),
    rule_of(
        "offset-split",
        Error,
        "an offset falls inside a character",
        "offsets of this format count UTF-8 bytes, unless documented otherwise",
    ),
    rule_of("segment-missing", Note, "a support names no segment", "it speaks of the whole answer"),
    rule_of("segment-empty", Note, "a segment holds no text", "start and end are the same place"),
    rule_of(
        "source-index",
        Error,
        "a citation points at a source that is not there",
        "indices count from 0; URL context counts pages that could not be fetched too",
    ),
    rule_of("source-unused", Note, "sources that nothing cites", "retrieved, but no words of the answer rest on them"),
    rule_of("source-empty", Warning, "a source without title, address and text", "nothing can be shown or checked of it"),
    rule_of("source-kind", Warning, "a source of no documented kind, or of two", "it is kept in its place and shown raw"),
    rule_of("source-address", Warning, "an address that is no http or https address", "it is shown, never opened or linked"),
    rule_of(
        "source-redirect",
        Note,
        "addresses are opaque redirects that expire",
        "the title holds the domain; citescope never resolves them",
    ),
    rule_of(
        "score-count",
        Error,
        "as many scores as citations were not sent",
        "scores are matched to citations in order; the rest has none",
    ),
    rule_of("score-range", Warning, "a score outside 0 to 1", "documented scores lie between 0 and 1"),
    rule_of("trace-missing", Warning, "an audit id matches no trace", "the step that found the source is not in the response"),
    rule_of(
        "trace-inferred",
        Note,
        "traces were joined by something other than their id",
        "audit ids are often opaque; the rule that joined is shown beside the citation",
    ),
    rule_of("query-idle", Note, "searches ran, and nothing was cited", "the model searched and used nothing of it"),
    rule_of("stream-truncated", Error, "the input ends before the answer does", "what came is shown; fetch the rest"),
    rule_of("stream-error", Error, "the stream ended with an error", "the service gave up; its message is shown"),
    rule_of("stream-retry", Note, "the model was asked again", "informational"),
    rule_of("stream-cumulative", Note, "each chunk repeats the whole text so far", "a proxy joined the chunks; the last one is shown"),
    rule_of("text-edited", Warning, "the final text differs from the pieces sent before", "offsets of the pieces may not fit it"),
    rule_of("time-order", Note, "completed before it was created", "one of the two times is wrong"),
    rule_of("stream-resent", Note, "grounding metadata was sent more than once", "what was repeated counts once"),
    rule_of(
        "value-type",
        Note,
        "a value of another type than documented, or a key that comes twice",
        "read as far as it makes sense; see the raw view",
    ),
    rule_of("field-missing", Note, "a required field is missing", "documented as required"),
    rule_of("input-mended", Warning, "the input had to be mended to be read", "offsets behind the place may not fit"),
    rule_of(
        "metadata-misplaced",
        Note,
        "grounding metadata stands beside the candidates, not in one",
        "readers that look in the candidate find none; here it counts",
    ),
    rule_of("fragment", Note, "a piece of a response", "give the whole response, or the answer text with --answer"),
    rule_of("answer-skipped", Warning, "the service chose not to answer", "the reasons are the service's"),
    rule_of("answer-failed", Error, "the answer could not be generated", "the service reports a failure"),
    rule_of("answer-unfinished", Warning, "the answer was still being generated", "ask for the final state"),
    rule_of("answer-blocked", Warning, "the answer was blocked", "a safety filter or a policy stepped in"),
    rule_of("step-failed", Note, "a step or a tool failed", "the answer may lack what it would have found"),
    rule_of("ungrounded", Note, "no grounding metadata: the model answered without search", "there is nothing to cite"),
    rule_of("searched-unattributed", Note, "searched, but nothing was attributed", "queries ran, and no chunk or support came back"),
    rule_of("check-contradiction", Warning, "said to need no check, yet it has sources or a score", "the two fields contradict each other"),
    rule_of("flag-orphan", Note, "a flagging address for no place and no review of the response", "it joins to nothing"),
    rule_of(
        "entry-point-broken",
        Note,
        "the search entry point cannot be decoded, or is missing",
        "products must show search suggestions with Google Search grounding",
    ),
    content(
        "other-chunk",
        Warning,
        "a chunk that is not cited holds clearly more of the wording",
        "compare the two; words were compared, not meaning",
    ),
    content(
        "number-missing",
        Warning,
        "a number of the claim is in none of the cited chunks",
        "compared as digits, words and rounded; look at the chunk",
    ),
    content("wording-little", Note, "the cited chunks hold little of the wording", "often a paraphrase; words were compared, not meaning"),
    content(
        "index-shift",
        Warning,
        "the whole response cites as if its indices were one off",
        "compare a citation with the source before and after it",
    ),
];
