//! What is worked out of a response: its fit, the places of its supports, their evidence, findings. Written,
//! never read.

use super::values::{Ordinal, Text};
use super::{Count, List, Pair, Said, form};
use crate::anchor::{self, Base, FitProof, Verdict};
use crate::evidence::{Outcome, Reason};
use crate::model::{Unit, Words, words};

words! {
    /// What the end of a segment is.
    pub enum End {
        /// The first unit after it.
        Exclusive = "exclusive",
        /// Its last unit.
        Inclusive = "inclusive",
    }
}

impl Words for Outcome {
    const EVERY: &'static [Self] = &[
        Self::Unchecked(Reason::NoChunkText),
        Self::OtherChunk,
        Self::NumberMissing,
        Self::Found,
        Self::Partly,
        Self::Little,
    ];

    fn as_word(self) -> &'static str {
        self.word()
    }
}

form! {
    written

    /// The reading in which most segments fit, and how many do
    pub struct Fit<'a> {
        /// What the offsets count; null where none were sent, as the next three
        unit: Option<Said<'a, Unit>> = "unit";
        /// What they count over: the joined answer, one part, or the answer with the thoughts in it
        base: Option<Said<'a, Base>> = "base";
        /// Whether an end is the first unit after the segment or its last one
        end: Option<Said<'a, End>> = "end";
        /// Sent offset less right offset, in the unit; 0 where nothing is shifted
        shift: Option<i64> = "shift";
        /// Supports that fit in this reading
        fitting: Count = "fitting";
        /// Supports with a segment
        of: Count = "of";
        /// What proves the reading: quotes, marks that name their sources, reserved blanks or points before
        /// punctuation, where the ends fall, the structure of the content (no offsets were sent), or nothing
        proof: Said<'a, FitProof> = "proof";
    }

    /// How it came to its place
    @inline pub struct Anchor<'a> {
        /// `exact`: quote and range agree; `as-sent`: nothing to compare with; `unit`, `base`, `inclusive`,
        /// `shifted`:
        /// fits in another reading; `drifted`: the text was changed; `reanchored`: found by its quote;
        /// `ambiguous`: the
        /// nearest of several; `clamped`: cut to the text; `gone`: nowhere; `no-text`: no answer; `whole`: no
        /// segment
        verdict: Said<'a, Verdict> = "verdict";
        /// Bytes of `answer` of the provider's own mark: start, end; null where it has none
        mark: Pair = "mark", added;
        /// Unit in which the offsets were read
        unit: Said<'a, Unit> = "unit";
        /// What they count over
        base: Said<'a, Base> = "base";
        /// Sent start less right start, in the unit; 0 where they agree or one is unknown
        delta: i64 = "delta";
        /// How often the quote occurs, counted to 100; 0 where it was not looked for
        occurrences: Count = "occurrences";
    }

    /// What was compared
    pub struct Evidence<'a> {
        /// The outcome; words were compared, not truth
        outcome: Said<'a, Outcome> = "outcome";
        /// Share of the claim's weighted words that the cited chunks hold together, 0 to 1; null where
        /// unchecked
        cover: Option<f64> = "cover";
        /// Cover of the best chunk that is not cited less the cover of those cited; null where there is no
        /// other
        margin: Option<f64> = "margin";
        /// The best stretches, one for each cited chunk, best first
        windows: Vec<Window> = "windows";
        /// Numbers of the claim that no cited chunk holds
        missing_numbers: Vec<String> = "missing_numbers";
        /// Names of the claim that no cited chunk holds
        missing_names: Vec<String> = "missing_names";
        /// A chunk that is not cited and holds clearly more; null where there is none
        better: Option<Better> = "better";
        /// Why it is unchecked; null where it is not
        why: Option<Text<'a>> = "why";
    }

    /// The best stretch of one cited chunk
    pub struct Window {
        /// Index into `sources`
        source: Count = "source";
        /// Index into the `chunks` of the source; those of structured data and reviews follow
        chunk: Count = "chunk";
        /// First byte in the text of the chunk
        start: Count = "start";
        /// First byte after the stretch
        end: Count = "end";
        /// Share of the claim's weighted words that it holds, 0 to 1
        cover: f64 = "cover";
    }

    /// A chunk that is not cited and holds clearly more
    @inline pub struct Better {
        /// Index into `sources`
        source: Count = "source";
        /// Index of the chunk
        chunk: Count = "chunk";
        /// Its cover, 0 to 1
        cover: f64 = "cover";
    }

    /// What a check found: one cause
    pub struct Finding<'a> {
        /// Stable id; `citescope rules` lists them
        rule: Text<'a> = "rule";
        /// How bad
        severity: Text<'a> = "severity";
        /// Indices of the supports it touches
        supports: List<'a, Count> = "supports";
        /// Indices of the sources it touches
        sources: List<'a, Count> = "sources";
        /// Index of the trace it touches; null where none
        trace: Option<Count> = "trace";
        /// Bytes of `answer` of the first support it touches: start, end; null where it has no place
        answer: Pair = "answer";
        /// JSON path in the input, as spelled there; in a record of several frames it begins with the number
        /// of the frame
        path: String = "path";
        /// Line in the input, from 1; null where the path leads nowhere in it
        line: Option<Ordinal> = "line";
        /// Column in characters, from 1; null where the path leads nowhere
        column: Option<Ordinal> = "column";
        /// What was found
        message: Text<'a> = "message";
        /// What to do
        help: String = "help";
        /// Edits of the input where a repair is certain; empty elsewhere
        fix: Vec<Fix> = "fix";
    }

    /// One value to replace
    @inline pub struct Fix {
        /// JSON path of the value
        path: String = "path";
        /// JSON text as it stands
        old: Option<String> = "old";
        /// JSON text to put there
        new: String = "new";
    }
}

impl Fit<'_> {
    /// How the supports fit as a whole.
    pub fn of(fit: &anchor::Fit) -> Self {
        let given = fit.proof != FitProof::Structure;
        let end = if fit.reading.inclusive { End::Inclusive } else { End::Exclusive };
        Self {
            unit: given.then(|| Said::of(fit.reading.unit)),
            base: given.then(|| Said::of(fit.reading.base)),
            end: given.then(|| Said::of(end)),
            shift: given.then_some(fit.reading.shift),
            fitting: Count::of(fit.fitting),
            of: Count::of(fit.of),
            proof: Said::of(fit.proof),
        }
    }
}

impl Anchor<'_> {
    /// How a support came to its place.
    pub fn of(anchor: &anchor::Anchor) -> Self {
        Self {
            verdict: Said::of(anchor.verdict),
            mark: Pair::of(anchor.mark.as_ref()),
            unit: Said::of(anchor.unit),
            base: Said::of(anchor.base),
            delta: anchor.delta,
            occurrences: Count::of(anchor.occurrences as usize),
        }
    }
}
