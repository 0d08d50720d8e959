//! What is open.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::cache::{Cache, RecordReviews};
use super::error::RecordError;
use super::inputs::Inputs;
use super::source_texts::SourceTexts;
use crate::check;
use crate::format::{self, Decoded, Format, Limits, Map, Requested};
use crate::memory;
use crate::review::{Review, ReviewOptions};
use crate::store::{Container, Input, InputError, Pieces, RecordText, Spool, Windows};

/// What is open: the records of one or more inputs.
#[derive(Default)]
pub struct Session {
    inputs: Inputs,
    /// Inputs that could not be read.
    failures: Vec<InputError>,
    supplied: Supplied,
    cache: Arc<Mutex<Cache>>,
    windows: Arc<Windows>,
}

/// What the user has of responses beside the inputs, and how they are to be read.
#[derive(Debug, Clone, Default)]
pub struct Supplied {
    /// Text for responses that carry none.
    pub answer: Option<String>,
    /// Texts for sources that carry none.
    pub source_texts: Option<Arc<SourceTexts>>,
    /// Credentials are not masked.
    pub show_secrets: bool,
    /// How much memory a record may take.
    pub limits: Limits,
    /// What the request of the responses held.
    pub request: Option<Arc<Requested>>,
    /// Where things stand in a JSON of one's own.
    pub map: Option<Arc<Map>>,
    /// Whether the map was asked for: then it reads what a format would claim, where it finds an answer.
    pub map_asked: bool,
    /// Whether nothing but findings is asked for: what no rule reads is let go of.
    pub findings_only: bool,
}

/// What a text takes that is given to a source, as a multiple of itself: it stands there, in the index of its
/// words and in what is written.
const GIVEN: usize = 4;

impl Session {
    /// Of inputs; what cannot be read is kept among the failures.
    pub fn new(inputs: impl IntoIterator<Item = Result<Input, InputError>>, supplied: Supplied) -> Self {
        let mut session = Self { supplied, ..Self::default() };
        session.extend(inputs);
        session
    }

    fn extend(&mut self, inputs: impl IntoIterator<Item = Result<Input, InputError>>) {
        let mut is_first = self.is_empty();
        let mut more = Vec::new();
        for input in inputs {
            match input {
                Ok(input) => {
                    // What is shown first is read once; of all others only the places are kept.
                    if !is_first {
                        input.forget_text();
                    }
                    is_first &= input.is_empty();
                    more.push(input);
                }
                Err(error) => self.failures.push(error),
            }
        }
        self.inputs.extend(more);
    }

    /// The same with more behind it; what was decoded of it is kept.
    #[must_use]
    pub fn with_more(&self, inputs: Vec<Result<Input, InputError>>) -> Self {
        let mut session = Self {
            inputs: self.inputs.clone(),
            failures: self.failures.clone(),
            supplied: self.supplied.clone(),
            cache: Arc::clone(&self.cache),
            windows: Arc::clone(&self.windows),
        };
        session.extend(inputs);
        session
    }

    /// Of bytes, under a name.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Self {
        Self::new([Input::from_bytes(name, bytes)], Supplied::default())
    }

    /// Of a file.
    pub fn open_file(path: &Path) -> Self {
        Self::new(Pieces::of(Some(path), &Spool::new(Limits::Usual.longest())), Supplied::default())
    }

    /// The same with what the user has beside it.
    #[must_use]
    pub fn with(self, supplied: Supplied) -> Self {
        Self { supplied, cache: Arc::default(), ..self }
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.inputs.records()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The inputs that could be read.
    pub fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.inputs.iter()
    }

    /// Why the others could not.
    pub fn failures(&self) -> &[InputError] {
        &self.failures
    }

    /// What the user has beside the inputs.
    pub fn supplied(&self) -> &Supplied {
        &self.supplied
    }

    /// Whether a format reads any of the records.
    pub fn is_read(&self) -> bool {
        self.supplied.map.is_some() || self.inputs.iter().any(Input::is_read)
    }

    /// Whether an input is worth a word where it was found in a directory; with a map anything is.
    pub fn is_told(&self) -> bool {
        self.supplied.map.is_some() || self.inputs.iter().any(Input::is_told)
    }

    /// The input of a record, and its number there.
    pub fn record(&self, index: usize) -> Option<(&Input, usize)> {
        self.inputs.of_record(index).map(|(_, input, record)| (input, record))
    }

    /// The text of a record, where it can be read.
    pub fn text(&self, index: usize) -> Option<RecordText> {
        let (input, record) = self.record(index)?;
        input.record_by(record, &self.windows).ok()
    }

    /// Number of the input of a record.
    pub fn input_of(&self, index: usize) -> Option<usize> {
        self.inputs.of_record(index).map(|(number, ..)| number)
    }

    /// Whether the inputs are of several names: one long file is opened in pieces.
    pub fn has_several_names(&self) -> bool {
        let mut names = self.inputs().map(Input::name);
        let first = names.next();
        names.any(|name| Some(name) != first)
    }

    /// Bytes of a record.
    pub fn size(&self, index: usize) -> u64 {
        self.record(index).map_or(0, |(input, record)| input.size(record))
    }

    /// Number of a record as counted in its whole input, of which this may be a piece.
    pub fn number(&self, index: usize) -> usize {
        self.record(index).map_or(index, |(input, record)| input.number(record))
    }

    /// A record without the others that were read with it, where they need not be kept for it.
    pub fn alone(&self, index: usize) -> Option<Self> {
        let (input, record) = self.record(index)?;
        Some(Self::new([Ok(input.alone(record)?)], self.supplied.clone()))
    }

    /// Decodes and reviews a record, or gives what was made of it not long ago.
    pub fn decode(&self, index: usize) -> Result<RecordReviews, RecordError> {
        let known = self.cache.lock().unwrap_or_else(PoisonError::into_inner).get(index);
        if let Some(known) = known {
            return known;
        }
        let (decoded, took) = memory::taken_by(|| self.decode_anew(index));
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.keep(index, decoded.clone(), self.size(index).max(took));
        decoded
    }

    /// The same for whoever goes through all records: what is shown is not made twice, and nothing is kept.
    pub(super) fn decode_in_passing(&self, index: usize) -> Result<RecordReviews, RecordError> {
        let known = self.cache.lock().unwrap_or_else(PoisonError::into_inner).peek(index);
        known.unwrap_or_else(|| self.decode_anew(index))
    }

    /// All responses, in order; a record that cannot be read gives its error in their place.
    pub fn reviews(&self) -> impl Iterator<Item = Result<Arc<Review>, RecordError>> + '_ {
        (0..self.len()).flat_map(|index| match self.decode(index) {
            Ok(reviews) => reviews.iter().cloned().map(Ok).collect::<Vec<_>>(),
            Err(error) => vec![Err(error)],
        })
    }

    /// Decodes and reviews a record without keeping it: for whoever goes through all of them.
    pub fn decode_anew(&self, index: usize) -> Result<RecordReviews, RecordError> {
        let Some((input, record)) = self.record(index) else { return Err(RecordError::missing()) };
        let (bytes, line) = (input.size(record), || input.line(record));
        if let Some(error) = RecordError::too_long(input.name(), line, bytes, self.supplied.limits) {
            return Err(error);
        }
        let text = input
            .record_by(record, &self.windows)
            .map_err(|error| RecordError::unreadable(&error, line()))?;
        let map = self.supplied.map.as_ref();
        let own = || map.map(|_| format::own());
        // A map that was asked for is meant, whatever else the record looks like.
        let asked = map.filter(|map| {
            self.supplied.map_asked
                && text.frames().count() == 1
                && map.answers(text.frame(0), self.supplied.limits.values(bytes as usize))
        });
        let format = asked.and_then(|_| own()).or_else(|| input.format(record)).or_else(own);
        let Some(format) = format else {
            return Err(RecordError::of(&text, &format::refuse(text.frame(0))));
        };
        let given = self.supplied.source_texts.as_deref().map_or(0, SourceTexts::bytes);
        let most = self.supplied.limits.made_of(bytes as usize + given);
        let reviews = memory::within(most, || {
            let reviews = self.respond(text, format)?;
            Ok(memory::has_room(0).then_some(reviews))
        })?;
        reviews.ok_or_else(|| RecordError::too_large(input.name(), line()))
    }

    /// Decodes and reviews a record of a format.
    fn respond(&self, text: RecordText, format: &'static Format) -> Result<RecordReviews, RecordError> {
        let map = self.supplied.map.as_ref();
        let frames: Vec<&str> = text.frames().collect();
        let decoded = format::decode((format, map), &frames, self.supplied.limits, |frame, byte| {
            text.line_column(frame, byte)
        });
        let mut decoded = decoded.map_err(|error| RecordError::of(&text, &error))?;
        let is_events = text.container() == Container::Events;
        let named = |frame| if is_events { text.event(frame) } else { None };
        format::note_failed_events(&mut decoded.responses, &frames, named);
        if is_events {
            format::note_cut_stream(format, &mut decoded.responses, &frames);
        }
        drop(frames);
        if let Some(texts) = &self.supplied.source_texts {
            let bytes: usize = text.frames().map(str::len).sum();
            let most = self.supplied.limits.room(bytes + texts.bytes());
            if !texts.fill(text.number(), &mut decoded.responses, most / GIVEN) {
                return Err(RecordError::of_texts(&text, most));
            }
        }
        Ok(self.review(text, format, decoded))
    }

    fn review(&self, text: RecordText, format: &'static Format, mut decoded: Decoded) -> RecordReviews {
        if let Some(request) = &self.supplied.request {
            decoded.responses.iter_mut().for_each(|response| request.fill(response));
        }
        if self.supplied.findings_only {
            decoded.responses.iter_mut().for_each(check::leave_unread);
        }
        let reviews = ReviewOptions {
            answer: self.supplied.answer.as_deref(),
            map: self.supplied.map.clone(),
            show_secrets: self.supplied.show_secrets,
        }
        .reviews(text, format, decoded);
        check::compare_siblings(&reviews);
        reviews.into()
    }
}
