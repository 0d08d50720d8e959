//! The catalogue of rules: ids are stable, a change of meaning needs a new id.

use super::Severity::{self, Error, Note, Warning};

/// A rule.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Stable id.
    pub id: &'static str,
    /// What it looks at.
    pub group: Group,
    /// How bad its findings are.
    pub severity: Severity,
    /// What it finds, in one line.
    pub summary: &'static str,
    /// Why it matters and what to do, in one line.
    pub help: &'static str,
    /// Offsets that it finds wrong can be put right where their place is certain.
    pub repairable: bool,
    /// It compares wording: never more than a warning, and no severity selects it to fail a run.
    pub content: bool,
    /// What it means, how it is known, and an example before and after: Markdown that reads well as it is.
    pub explain: &'static str,
}

/// What rules look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Where supports lie in the answer.
    Offsets,
    /// What is cited.
    Sources,
    /// What the provider holds of its citations.
    Scores,
    /// Steps and searches.
    Traces,
    /// How the response was sent.
    Stream,
    /// The answer as a whole.
    Answer,
    /// Words of claims against words of chunks.
    Content,
    /// What could deceive a reader.
    Safety,
}

impl Group {
    /// The word of the lists.
    pub fn word(self) -> &'static str {
        match self {
            Self::Offsets => "offsets",
            Self::Sources => "sources",
            Self::Scores => "scores",
            Self::Traces => "traces",
            Self::Stream => "stream",
            Self::Answer => "answer",
            Self::Content => "content",
            Self::Safety => "safety",
        }
    }
}

/// The rule of an id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id)
}

pub(super) static UNNAMED: Rule = Rule {
    id: "unnamed",
    group: Group::Answer,
    severity: Note,
    summary: "a finding without a rule",
    help: "",
    repairable: false,
    content: false,
    explain: "",
};

/// A rule with its explanation from the file of its name.
macro_rules! rule {
    (repairable $($rule:tt)+) => {
        Rule { repairable: true, ..rule!($($rule)+) }
    };
    ($group:ident $severity:ident $id:literal: $summary:literal, $help:literal) => {
        Rule {
            id: $id,
            group: Group::$group,
            severity: $severity,
            summary: $summary,
            help: $help,
            repairable: false,
            content: matches!(Group::$group, Group::Content),
            explain: include_str!(concat!("explain/", $id, ".md")),
        }
    };
}

/// All rules, group by group.
pub static RULES: &[Rule] = &[
    rule!(repairable Offsets Error "offset-unit":
        "offsets count another unit than documented",
        "convert them, or tell the producer: the spans are shown where they fit"),
    rule!(repairable Offsets Error "offset-base":
        "offsets count over another text than documented",
        "over one part, or with the thoughts in it; the spans are shown where they fit"),
    rule!(repairable Offsets Error "offset-inclusive":
        "ends are inclusive where they are documented as exclusive",
        "add one to each end"),
    rule!(repairable Offsets Error "offset-shift":
        "all offsets are off by one constant",
        "characters were added or dropped before the first segment, often a leading line break"),
    rule!(repairable Offsets Error "offset-drift":
        "the text was changed after the offsets were counted",
        "normalised quotes, dashes or accents; offsets behind the change are off, more with each change"),
    rule!(Offsets Error "offset-range":
        "offsets lie outside the answer",
        "they count over a longer text, or in another unit"),
    rule!(Offsets Error "offset-split":
        "an offset falls inside a character",
        "offsets of this format count UTF-8 bytes, unless documented otherwise"),
    rule!(Offsets Warning "offset-midword":
        "a segment begins or ends inside a word",
        "compare it with the words it should hold; a mark set there parts the word"),
    rule!(repairable Offsets Warning "quote-mismatch":
        "the quote stands elsewhere than its offsets say",
        "the span is shown where its quote occurs; offsets were counted in another unit, or over another text"),
    rule!(Offsets Error "quote-gone":
        "the quote occurs nowhere in the answer",
        "the answer was edited or translated after the call, or the metadata belongs to another text"),
    rule!(Offsets Warning "quote-ambiguous":
        "the quote is not at its offsets and occurs several times",
        "the nearest occurrence is shown; compare the others"),
    rule!(Offsets Note "quote-elided":
        "the quote was shortened with an ellipsis",
        "the span is placed by the beginning of its quote and ends at a sentence end"),
    rule!(Offsets Note "segment-missing":
        "a support names no segment",
        "it speaks of the whole answer"),
    rule!(Offsets Note "segment-empty":
        "a segment holds no text",
        "start and end are the same place"),
    rule!(Offsets Note "segment-markup":
        "a segment holds only markup",
        "it backs no words; searching the answer for it would mark every place it occurs"),
    rule!(Offsets Note "segment-nested":
        "a segment begins where another does and goes on",
        "its own sources back what it adds: the tail behind the shorter one"),
    rule!(Offsets Note "support-repeated":
        "the same words with the same sources, sent twice",
        "a mark for each would cite twice"),
    rule!(Offsets Error "text-other-event":
        "the quotes stand in the text of another response of the record",
        "the metadata was attached to the wrong event: read it with the text it belongs to"),
    rule!(Sources Error "source-index":
        "a citation points at a source that is not there",
        "indices count from 0; URL context counts pages that could not be fetched too"),
    rule!(Sources Note "source-unused":
        "sources that nothing cites",
        "retrieved, but no words of the answer rest on them"),
    rule!(Sources Note "source-duplicate":
        "a source that was sent before",
        "numbers by provider count it again; footnotes and source lists merge it"),
    rule!(Sources Warning "source-empty":
        "a source without title, address and text",
        "nothing can be shown or checked of it"),
    rule!(Sources Warning "source-kind":
        "a source of no documented kind, or of two",
        "it is kept in its place and shown raw"),
    rule!(Sources Warning "source-address":
        "an address that is no http or https address",
        "it is shown, never opened or linked"),
    rule!(Sources Note "source-redirect":
        "addresses are opaque redirects that expire",
        "the title holds the domain; citescope never resolves them"),
    rule!(Sources Note "page-unfetched":
        "a page that was to be read could not be fetched",
        "the answer may lack what stands there; indices may count it all the same"),
    rule!(Scores Error "score-count":
        "as many scores as citations were not sent",
        "scores are matched to citations in order; the rest has none"),
    rule!(Scores Warning "score-range":
        "a score outside 0 to 1",
        "documented scores lie between 0 and 1"),
    rule!(Scores Warning "score-low":
        "a confidence below 0.5",
        "the provider itself holds the citation for weak; look at the source"),
    rule!(Traces Warning "trace-missing":
        "an audit id matches no trace",
        "the step that found the source is not in the response"),
    rule!(Traces Note "trace-inferred":
        "traces were joined by something other than their id",
        "audit ids are often opaque; the rule that joined is shown beside the citation"),
    rule!(Traces Note "trace-late":
        "a reference came before the step that found its source",
        "documented the other way round; whoever reads the stream in order finds no step"),
    rule!(Traces Note "query-idle":
        "searches ran, and nothing was cited",
        "the model searched and used nothing of it"),
    rule!(Traces Note "step-failed":
        "a step or a tool failed",
        "the answer may lack what it would have found"),
    rule!(Stream Error "stream-truncated":
        "the input ends before the answer does",
        "what came is shown; fetch the rest"),
    rule!(Stream Error "stream-error":
        "the stream ended with an error",
        "the service gave up; its message is shown"),
    rule!(Stream Note "stream-retry":
        "the model was asked again",
        "informational"),
    rule!(Stream Note "stream-cumulative":
        "each chunk repeats the whole text so far",
        "a proxy joined the chunks; the last one is shown"),
    rule!(Stream Note "stream-resent":
        "grounding metadata was sent more than once",
        "what was repeated counts once"),
    rule!(Stream Warning "text-edited":
        "the final text differs from the pieces sent before",
        "offsets of the pieces may not fit it"),
    rule!(Stream Note "time-order":
        "completed before it was created",
        "one of the two times is wrong"),
    rule!(Stream Note "value-type":
        "a value of another type than documented, or a key that comes twice",
        "read as far as it makes sense; see the raw view"),
    rule!(Stream Note "field-missing":
        "a required field is missing",
        "documented as required"),
    rule!(Stream Warning "input-mended":
        "the input had to be mended to be read",
        "offsets behind the place may not fit"),
    rule!(Stream Note "metadata-misplaced":
        "grounding metadata stands beside the candidates, not in one",
        "readers that look in the candidate find none; here it counts"),
    rule!(Stream Note "fragment":
        "a piece of a response",
        "give the whole response, or the answer text with --answer"),
    rule!(Answer Warning "answer-skipped":
        "the service chose not to answer",
        "the reasons are the service's"),
    rule!(Answer Error "answer-failed":
        "the answer could not be generated",
        "the service reports a failure"),
    rule!(Answer Warning "answer-unfinished":
        "the answer was still being generated",
        "ask for the final state"),
    rule!(Answer Warning "answer-blocked":
        "the answer was blocked",
        "a safety filter or a policy stepped in"),
    rule!(Answer Warning "answer-cut":
        "the model ran out of tokens",
        "ask for more tokens: the text breaks off, and citations of the end may be missing"),
    rule!(Answer Note "ungrounded":
        "no grounding metadata: the model answered without search",
        "there is nothing to cite"),
    rule!(Answer Note "searched-unattributed":
        "searched, but nothing was attributed",
        "queries ran, and no chunk or support came back"),
    rule!(Answer Note "coverage-low":
        "less than half of the answer rests on a source",
        "read the sentences without a source with care"),
    rule!(Answer Note "sentence-uncited":
        "sentences that rest on no source",
        "read them with care; headings, questions and lead-ins are not counted"),
    rule!(Answer Note "slot-empty":
        "a blank was kept for a reference, and none came",
        "the service held the sentence for citable; the blank before the full stop is left over"),
    rule!(Answer Warning "draft-repeated":
        "the answer says again what it said before",
        "two drafts were joined; quotes that occur in both may be placed in the wrong one"),
    rule!(Answer Warning "marker-orphan":
        "a citation marker in the answer names no source",
        "the model wrote it, or the metadata was lost on the way"),
    rule!(Answer Note "address-foreign":
        "an address in the answer is in no source",
        "the model wrote it from memory; check it before it is followed"),
    rule!(Answer Warning "encoding-mojibake":
        "UTF-8 was read as Latin-1 on the way",
        "decode it as UTF-8 where it is fetched; offsets count the right text"),
    rule!(Answer Warning "encoding-replaced":
        "characters were lost and replaced",
        "a stream was cut inside a character and each piece decoded alone"),
    rule!(Answer Warning "check-contradiction":
        "said to need no check, yet it has sources or a score",
        "the two fields contradict each other"),
    rule!(Answer Note "flag-orphan":
        "a flagging address for no place and no review of the response",
        "it joins to nothing"),
    rule!(Answer Note "entry-point-broken":
        "the search entry point cannot be decoded, or is missing",
        "products must show search suggestions with Google Search grounding"),
    rule!(Content Warning "other-chunk":
        "a chunk that is not cited holds clearly more of the wording",
        "compare the two; words were compared, not meaning"),
    rule!(Content Warning "number-missing":
        "a number of the claim is in none of the cited chunks",
        "compared as digits, words and rounded; look at the chunk"),
    rule!(Content Note "wording-little":
        "the cited chunks hold little of the wording",
        "often a paraphrase; words were compared, not meaning"),
    rule!(Content Warning "index-shift":
        "the whole response cites as if its indices were one off",
        "compare a citation with the source before and after it"),
    rule!(Safety Warning "text-control":
        "characters that steer, reorder or hide text",
        "they are shown as stand-ins and taken out of copies; do not print the raw text"),
    rule!(Safety Warning "address-deceptive":
        "an address that may lead elsewhere than it seems",
        "read the host before it is opened"),
];
