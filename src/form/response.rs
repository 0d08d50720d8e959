//! A response: what is true of it as a whole, around its lists. To add a field of `About`: a line in the
//! struct, and one in each of the two ways below.

use super::about::{Chart, Flag, Flags, Page, QueryClass, Rating, Recitation, Reported, Suggestions};
use super::reader::{Reader, owned};
use super::remarks::{Part, Remark};
use super::results::{Finding, Fit};
use super::values::{Text, text};
use super::{Count, Derived, Extra, Json, List, Must, Only, Query, Said, Source, Support, Trace, form};
use crate::model::{self, About, AnswerState, Ending, Grounding, Proof, Unit};

form! {
    /// All responses of the input
    pub struct Document<'a> {
        /// Name of the layout
        schema: Must<Text<'a>> = "schema";
        /// In input order
        responses: List<'a, Response<'a>> = "responses";
    }

    /// One grounded answer
    pub struct Response<'a> {
        /// Name of the layout, on a line of its own
        schema: Only<Text<'a>> = "schema";
        /// Id of the format the response was sent in; `citescope formats` lists them
        format: Must<Text<'a>> = "format";
        /// Name of the input
        file: Must<Text<'a>> = "file";
        /// Number of the record within the input
        record: Must<Count> = "record";
        /// Where the response was first read, if the input is itself a document of this schema; null
        /// elsewhere
        first_read: Option<FirstRead<'a>> = "first_read";
        /// Number of the candidate or event within its record
        item: Must<Count> = "item";
        /// Response id, event name or chat id; null where not sent
        id: Option<Text<'a>> = "id";
        /// Model version; null where not sent
        model: Option<Text<'a>> = "model";
        /// `model` or `user`; other words as sent
        role: Must<Text<'a>> = "role";
        /// An unfinished piece of a streamed turn
        partial: Must<bool> = "partial";
        /// How far the answer came
        state: Must<Said<'a, AnswerState>> = "state";
        /// Text of the answer, untouched; null where the response carries none
        answer: Option<Text<'a>> = "answer";
        /// Pieces of the content, in order
        parts: List<'a, Part<'a>> = "parts";
        /// What the format documents of its offsets
        documented: Must<Documented<'a>> = "documented";
        /// The reading in which most segments fit, and how many do
        fit: Derived<Fit<'a>> = "fit";
        /// Share of the answer's bytes that rest on a source, 0 to 1, blanks left out; null for an empty
        /// answer or none
        coverage: Derived<Option<f64>> = "coverage";
        /// In the order sent
        supports: List<'a, Support<'a>> = "supports";
        /// Under the provider's index
        sources: List<'a, Source<'a>> = "sources";
        /// In the order sent
        queries: List<'a, Query<'a>> = "queries";
        /// In order
        traces: List<'a, Trace<'a>> = "traces";
        /// The question that was answered; null where not sent
        question: Option<Text<'a>> = "question";
        /// Who wrote the event; null where not sent
        author: Option<Text<'a>> = "author";
        /// Invocation of the event; null where not sent
        invocation: Option<Text<'a>> = "invocation";
        /// Branch of agents; null where not sent
        branch: Option<Text<'a>> = "branch";
        /// Flags of an event; null where not sent
        flags: Must<Flags<'a>> = "flags";
        /// Time of creation, RFC 3339 where it could be read; null where not sent
        created: Option<Text<'a>> = "created";
        /// Time of completion; null where not sent
        completed: Option<Text<'a>> = "completed";
        /// Grounding of the whole answer, 0 to 1; null where not sent
        grounding_score: Option<f64> = "grounding_score";
        /// How likely a search helps the prompt, 0 to 1; null where not sent
        retrieval_score: Option<f64> = "retrieval_score";
        /// The threshold that the request set for it; null where not sent
        retrieval_threshold: Option<f64> = "retrieval_threshold";
        /// What the response says of grounding: `given` also where the format has no such distinction;
        /// `absent`: no
        /// metadata; `empty`: an empty object; `unattributed`: searched, nothing attributed
        grounding: Must<Said<'a, Grounding>> = "grounding";
        /// Why the model stopped, in the provider's words; null where not sent
        finish: Option<Text<'a>> = "finish";
        /// What the reason to stop means: own (by itself, or nothing is said), cut (out of tokens), blocked
        /// (a filter stepped in)
        ending: Must<Said<'a, Ending>> = "ending";
        /// Why prompt or answer was blocked; null where not
        blocked: Option<Text<'a>> = "blocked";
        /// Why there is no answer, in the provider's words
        skipped: List<'a, Text<'a>> = "skipped";
        /// Classes of the query
        query_classes: List<'a, QueryClass<'a>> = "query_classes";
        /// Safety ratings; each field null where not sent
        safety: List<'a, Rating<'a>> = "safety";
        /// Suggested further questions
        related: List<'a, Text<'a>> = "related";
        /// Search suggestions that products must show; null where not sent
        suggestions: Option<Suggestions<'a>> = "search_suggestions";
        /// Token that draws a Maps widget; null where not sent
        maps_token: Option<Text<'a>> = "maps_token";
        /// Pages that the URL context tool fetched
        fetched: List<'a, Page<'a>> = "fetched";
        /// Charts of the answer
        charts: List<'a, Chart<'a>> = "charts";
        /// Answer in a schema beside the text, as JSON text; null where not sent
        structured: Option<Text<'a>> = "structured";
        /// Recited passages: licence and copyright, not grounding; each field null where not sent
        recitations: List<'a, Recitation<'a>> = "recitations";
        /// Flagging addresses that join to no place and no review
        unmatched_flags: List<'a, Flag<'a>> = "unmatched_flags";
        /// What the event did, as sent; null where not sent
        actions: Option<Json<'a>> = "actions";
        /// The error that the service reported; null where none
        error: Option<Reported<'a>> = "error";
        /// On the way it was sent
        remarks: List<'a, Remark<'a>> = "remarks";
        /// Every field that was sent and has no place above, by the JSON path under which it was first read
        extra: Extra<'a> = "extra";
        /// Worst first
        findings: Derived<List<'a, Finding<'a>>> = "findings";
    }

    /// Where a response was first read
    @inline pub struct FirstRead<'a> {
        /// Name of that input
        file: Must<Text<'a>> = "file";
        /// Number of the record within it
        record: Must<Count> = "record";
    }

    /// What the format documents of its offsets
    @inline pub struct Documented<'a> {
        /// What they count
        unit: Must<Said<'a, Unit>> = "unit";
        /// What beside a quote can prove an offset: `slots` are blanks reserved before closing punctuation
        proof: Must<Said<'a, Proof>> = "proof";
        /// An end is the last unit of its segment, not the first after it
        inclusive: Must<bool> = "inclusive", added;
    }
}

impl<'a> Response<'a> {
    /// A response as it is written, without its input, its lists and what was worked out of it.
    pub fn of(response: &'a model::Response) -> Self {
        let role =
            response.role.as_deref().or((!response.is_question()).then_some("model")).unwrap_or("user");
        Self {
            format: Text::from(response.format_id()).into(),
            item: response.item.into(),
            id: text(&response.id),
            model: text(&response.model),
            role: Text::from(role).into(),
            partial: response.partial.into(),
            state: response.state.into(),
            answer: text(&response.answer),
            parts: List::of(|| response.parts.iter().map(Part::of)),
            documented: Documented {
                unit: response.unit.into(),
                proof: response.proof.into(),
                inclusive: response.inclusive.into(),
            }
            .into(),
            sources: List::default(),
            queries: List::of(|| response.queries.iter().map(|query| Query::of(query, response))),
            traces: List::of(move || response.traces.iter().map(move |trace| Trace::of(trace, response))),
            finish: text(&response.finish),
            ending: response.ending.into(),
            grounding: response.grounding.into(),
            ..Self::of_about(&response.about)
        }
    }

    fn of_about(about: &'a About) -> Self {
        let first = about.first_read.as_ref();
        Self {
            first_read: first
                .map(|(file, record)| FirstRead { file: Text::from(file).into(), record: (*record).into() }),
            question: about.question.as_deref().map(Text::from),
            author: text(&about.author),
            invocation: text(&about.invocation),
            branch: text(&about.branch),
            flags: Flags {
                turn_complete: about.turn_complete,
                interrupted: about.interrupted,
                long_running: texts(&about.long_running),
            }
            .into(),
            created: text(&about.created),
            completed: text(&about.completed),
            grounding_score: about.grounding_score,
            retrieval_score: about.retrieval_score,
            retrieval_threshold: about.retrieval_threshold,
            blocked: text(&about.blocked),
            skipped: texts(&about.skipped),
            query_classes: List::of(|| about.query_classes.iter().map(QueryClass::of)),
            safety: List::of(|| about.safety.iter().map(Rating::of)),
            related: texts(&about.related),
            suggestions: about.suggestions.as_ref().map(Suggestions::of),
            maps_token: text(&about.maps_token),
            fetched: List::of(|| about.fetched.iter().map(Page::of)),
            charts: List::of(|| about.charts.iter().map(Chart::of)),
            structured: text(&about.structured),
            recitations: List::of(|| about.recitations.iter().map(Recitation::of)),
            unmatched_flags: List::of(|| about.flags_unmatched.iter().map(Flag::of)),
            actions: about.actions.as_ref().map(Json::of),
            error: about.error.as_ref().map(Reported::of),
            ..Self::default()
        }
    }

    /// The response in the model, without what only its format knows: the format itself, what scores mean,
    /// the links
    /// of suggestions.
    pub fn read(mut self, mut reader: Reader<'_>) -> model::Response {
        let documented = self.documented.0.take().unwrap_or_default();
        let queries = std::mem::take(&mut self.queries).into_vec();
        let mut out = model::Response {
            origin: reader.origin.clone(),
            item: self.item.index(),
            id: owned(self.id.take()),
            model: owned(self.model.take()),
            role: owned(self.role.0.take()),
            partial: self.partial.0.unwrap_or_default(),
            state: reader.word("state", self.state.0.take()).unwrap_or_default(),
            finish: owned(self.finish.take()),
            ending: reader.word("ending", self.ending.0.take()).unwrap_or_default(),
            grounding: reader.word("grounding", self.grounding.0.take()).unwrap_or_default(),
            unit: reader.word("unit", documented.unit.0).unwrap_or_default(),
            proof: reader.word("proof", documented.proof.0).unwrap_or_default(),
            inclusive: documented.inclusive.0.unwrap_or_default(),
            answer: owned(self.answer.take()),
            sources: reader.sources(std::mem::take(&mut self.sources)),
            ..model::Response::default()
        };
        out.traces = reader.traces(std::mem::take(&mut self.traces), queries.len(), out.sources.len());
        out.queries = reader.queries(queries, out.traces.len());
        let parts = std::mem::take(&mut self.parts).into_vec();
        out.parts = parts.into_iter().map(|part| part.read(out.text(), out.traces.len())).collect();
        out.supports = reader.supports(std::mem::take(&mut self.supports), out.text(), out.sources.len());
        let remarks = std::mem::take(&mut self.remarks).into_vec();
        out.remarks = remarks.into_iter().filter_map(|remark| remark.read(&mut reader)).collect();
        out.about = self.read_about().into();
        out.remarks.append(&mut reader.remarks);
        out
    }

    fn read_about(self) -> About {
        let flags = self.flags.0.unwrap_or_default();
        let first = self.first_read.and_then(|first| Some((owned(first.file.0)?, first.record.index())));
        About {
            question: self.question.as_deref().map(Into::into),
            author: owned(self.author),
            invocation: owned(self.invocation),
            branch: owned(self.branch),
            turn_complete: flags.turn_complete,
            interrupted: flags.interrupted,
            long_running: strings(flags.long_running),
            created: owned(self.created),
            completed: owned(self.completed),
            grounding_score: self.grounding_score,
            retrieval_score: self.retrieval_score,
            retrieval_threshold: self.retrieval_threshold,
            skipped: strings(self.skipped),
            query_classes: self
                .query_classes
                .into_vec()
                .into_iter()
                .map(|class| (class.name.or_empty(), class.positive))
                .collect(),
            safety: self.safety.into_vec().into_iter().map(Rating::read).collect(),
            related: strings(self.related),
            suggestions: self.suggestions.map(Suggestions::read),
            maps_token: owned(self.maps_token),
            flags_unmatched: self
                .unmatched_flags
                .into_vec()
                .into_iter()
                .map(|flag| (flag.id.or_empty(), flag.uri.or_empty()))
                .collect(),
            fetched: self.fetched.into_vec().into_iter().map(Page::read).collect(),
            recitations: self.recitations.into_vec().into_iter().map(Recitation::read).collect(),
            actions: self.actions.map(Json::into_text),
            error: self.error.map(Reported::read),
            blocked: owned(self.blocked),
            charts: self
                .charts
                .into_vec()
                .into_iter()
                .map(|chart| (chart.id.or_empty(), chart.title.or_empty()))
                .collect(),
            structured: owned(self.structured),
            first_read: first.or_else(|| Some((owned(self.file.0)?, self.record.index()))),
        }
    }
}

fn texts(list: &[String]) -> List<'_, Text<'_>> {
    List::of(|| list.iter().map(Text::from))
}

fn strings(list: List<'_, Text<'_>>) -> Vec<String> {
    list.into_vec().into_iter().map(Text::into_owned).collect()
}
