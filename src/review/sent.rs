//! A record as it was sent: its text, its format, and where things stand in it.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;
use std::sync::{Mutex, OnceLock, PoisonError};

use serde_json::Value;

use super::cut_secrets::mask_pieces;
use super::unsaid::{Extra, LongLists, Said};
use crate::format::secrets::{
    below_secret, cover, mask_addresses, mask_cut_thoughts, mask_json, mask_response, mask_value,
    secret_places,
};
use crate::format::{self, Decoded, Format, FrameGroup, FrameKind, Limits, Map};
use crate::json::scalars::scalars;
use crate::json::scan::mend_surrogates;
use crate::json::{Located, Locator, Noted};
use crate::model::{JsonText, Notice, Origin, Path, Response, Step};
use crate::store::{Container, RecordText};

/// The record that a response was read from; the responses of a record share it.
pub struct Sent {
    /// Its text.
    pub text: RecordText,
    /// The format that read it.
    pub format: &'static Format,
    /// What was mended or passed over while reading.
    pub notices: Vec<Notice>,
    owners: Owners,
    /// No field was sent twice.
    unique: bool,
    secrets: Secrets,
    /// By which it was read, where it is one's own.
    map: Option<Arc<Map>>,
    extras: OnceLock<Vec<Extra>>,
    locators: Mutex<HashMap<u32, Locator>>,
    /// Bytes of a frame that are secret by what stands around them, of the frame that was last asked about.
    secret_places: Mutex<Option<(u32, Vec<Range<usize>>)>>,
    /// Of all frames together, once it is asked for: a record may have very many responses.
    pub(super) interrupted: OnceLock<bool>,
    /// See [`Self::is_whole`].
    whole: OnceLock<bool>,
    /// What its frames say alone, by the numbers of their responses.
    pub(super) texts: OnceLock<HashMap<usize, Vec<Box<str>>>>,
}

/// A place in the input: its path as spelled there, line and column from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputPlace {
    /// Path within the frame.
    pub path: Path,
    /// Line.
    pub line: usize,
    /// Column, in characters.
    pub column: usize,
}

/// Paths of what is not said, each kept once: the frames of a stream are alike.
#[derive(Default)]
struct Paths(HashSet<Path>);

/// How many different ones are remembered.
const REMEMBERED: usize = 4096;

impl Paths {
    fn shared(&mut self, path: Path) -> Path {
        if let Some(known) = self.0.get(&path) {
            return known.clone();
        }
        if self.0.len() < REMEMBERED {
            self.0.insert(path.clone());
        }
        path
    }
}

/// What became of the credentials in a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Secrets {
    /// They are shown.
    Shown,
    /// None was found in the responses; elsewhere in the record they are masked where they are shown.
    None,
    /// They are masked.
    Masked,
}

impl Secrets {
    /// Masks those of responses.
    pub fn mask(responses: &mut [Response]) -> Self {
        let cut = mask_cut_thoughts(responses);
        let found = responses.iter_mut().fold(cut, |found, response| found | mask_response(response));
        if found { Self::Masked } else { Self::None }
    }
}

impl Sent {
    /// Words of the response as they may be told: addresses without their credentials, unless those are
    /// shown.
    pub fn told<'t>(&self, words: &'t str) -> Cow<'t, str> {
        if self.secrets == Secrets::Shown { Cow::Borrowed(words) } else { mask_addresses(words) }
    }

    /// Of a record and the responses that were read from it.
    pub fn new(
        text: RecordText,
        format: &'static Format,
        notices: Vec<Notice>,
        decoded: &Decoded,
        secrets: Secrets,
        map: Option<Arc<Map>>,
    ) -> Self {
        let owners = Owners::of(&decoded.responses);
        let unique = decoded.flaws == 0;
        Self {
            text,
            format,
            notices,
            owners,
            unique,
            secrets,
            map,
            extras: OnceLock::new(),
            locators: Mutex::default(),
            secret_places: Mutex::default(),
            interrupted: OnceLock::new(),
            whole: OnceLock::new(),
            texts: OnceLock::new(),
        }
    }

    /// How many lines of JSON Lines were put together to it, where several were: pieces of one stream.
    pub fn joined_lines(&self) -> Option<usize> {
        Some(self.text.len()).filter(|lines| *lines > 1 && self.text.container() == Container::Lines)
    }

    /// Whether it is one value that is never a piece of a stream: a response as its service sends it whole.
    pub fn is_whole(&self) -> bool {
        // Each of very many responses asks.
        *self.whole.get_or_init(|| {
            let frame = self.text.frames().next().filter(|_| self.text.len() == 1);
            let is_alone = |frame| matches!(format::recognise(frame), FrameKind::Known(_, FrameGroup::Alone));
            frame.is_some_and(|frame| self.map.is_some() || is_alone(frame))
        })
    }

    /// The response that a place belongs to.
    pub fn owner(&self, origin: &Origin) -> usize {
        self.owners.find(origin)
    }

    /// Every field of a response that was sent and has no named place in the model: those that its format
    /// lists, and values that stand nowhere else.
    pub(super) fn extras_of(&self, response: &Response, item: usize) -> Vec<Extra> {
        if self.owners.by_place.is_empty() && self.secrets != Secrets::Masked {
            return self.unsaid(vec![Said::by(response)]);
        }
        // All responses of a record are asked together: what one does not say belongs to the one it lies in.
        // What is masked was said, too.
        let all = self.extras.get_or_init(|| {
            let frames: Vec<&str> = self.text.frames().collect();
            let responses =
                format::decode((self.format, self.map.as_ref()), &frames, Limits::None, |_, _| (0, 0))
                    .unwrap_or_default()
                    .responses;
            self.unsaid_by_owner(responses.into_iter().map(|response| Said::by(&response)).collect())
        });
        let from = all.partition_point(|extra| extra.owner < item);
        let to = all.partition_point(|extra| extra.owner <= item);
        all.get(from..to).unwrap_or_default().to_vec()
    }

    /// Finds those of all responses of the record while they are there: the first one that is asked alone
    /// reads them again.
    pub(super) fn find_extras<'r>(&self, responses: impl Iterator<Item = &'r Response>) {
        if !self.owners.by_place.is_empty() && self.secrets != Secrets::Masked {
            self.extras.get_or_init(|| self.unsaid_by_owner(responses.map(Said::by).collect()));
        }
    }

    fn unsaid_by_owner(&self, said: Vec<Said>) -> Vec<Extra> {
        let mut extras = self.unsaid(said);
        extras.sort_by_key(|extra| extra.owner);
        extras.shrink_to_fit();
        extras
    }

    /// The fields that are not said by the responses they belong to.
    fn unsaid(&self, said: Vec<Said>) -> Vec<Extra> {
        let mut extras = self.unsaid_as_sent(said);
        if self.secrets != Secrets::Shown {
            mask_pieces(&self.text, &mut extras);
            for Extra { origin, value, secret, .. } in &mut extras {
                if *secret
                    || self.is_word_alone(origin, value)
                    || below_secret(&origin.path)
                    || self.is_secret_beside(origin)
                {
                    cover(value)
                } else {
                    mask_value(value)
                };
            }
        }
        extras
    }

    /// Whether a value is a word that is a frame among others: of a line that is no JSON one that stood in
    /// quotes, which has lost what names it.
    fn is_word_alone(&self, origin: &Origin, value: &JsonText) -> bool {
        let is_word = value.as_text().is_some_and(|text| !text.contains(char::is_whitespace));
        is_word && self.text.len() > 1 && origin.path.steps().is_empty()
    }

    /// Whether a value is secret by what stands beside it in its frame: the name of a header, the field that
    /// a fault is of, the option before it in a list.
    fn is_secret_beside(&self, origin: &Origin) -> bool {
        let Some(Range { start, end }) = self.locate(origin).map(|located| located.value) else {
            return false;
        };
        let mut known = self.secret_places.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, places) = match known.take().filter(|(frame, _)| *frame == origin.frame) {
            Some(places) => known.insert(places),
            None => known.insert((origin.frame, secret_places(self.frame(origin)))),
        };
        let at = places.partition_point(|place| place.end < end);
        places.get(at).is_some_and(|place| place.start <= start)
    }

    fn unsaid_as_sent(&self, mut said: Vec<Said>) -> Vec<Extra> {
        let (mut extras, mut paths) = (Vec::new(), Paths::default());
        for (frame, survey) in format::survey(self.format, Noted::Extras, self.text.frames()) {
            extras.reserve(survey.extras.len());
            for (path, value) in survey.extras {
                let origin = Origin { frame, path: paths.shared(path) };
                let owner = self.owner(&origin);
                said.get_mut(owner).into_iter().for_each(|said| said.and(&value));
                extras.push(Extra { origin, value, owner, secret: false });
            }
        }
        if self.format.derives {
            return extras;
        }
        let alone = self.owners.by_place.is_empty();
        for (frame, text) in self.text.frames().enumerate() {
            let origin = |path: &dyn Fn() -> Path| Origin { frame: frame as u32, path: path() };
            let before = extras.len();
            let secret = OnceCell::new();
            let stands_secret = |range: &Range<usize>| {
                let places = secret.get_or_init(|| secret_places(text));
                let at = places.partition_point(|place: &Range<usize>| place.end < range.end);
                places.get(at).is_some_and(|place| place.start <= range.start)
            };
            let mut lists = LongLists::default();
            scalars(text, |path, range| {
                let literal = text.get(range.clone()).unwrap_or_default();
                let owner = if alone { 0 } else { self.owner(&origin(path)) };
                let Some(said) = said.get_mut(owner) else { return };
                if said.has(literal) {
                    return;
                }
                let origin = origin(path);
                if lists.hold(&origin, text, &mut extras) {
                    return;
                }
                let Ok(value) = serde_json::from_str::<Value>(&mend_surrogates(literal)) else { return };
                let value = JsonText::from(value);
                extras.push(Extra {
                    origin: Origin { frame: frame as u32, path: paths.shared(origin.path) },
                    value,
                    owner,
                    secret: self.secrets != Secrets::Shown && stands_secret(&range),
                });
            });
            // Frames of a stream repeat what they say; in one frame a value is said of several things.
            for Extra { value, owner, .. } in extras.iter().skip(before) {
                said.get_mut(*owner).into_iter().for_each(|said| said.and(value));
            }
        }
        extras
    }

    /// JSON of this record as it may be shown: with its credentials masked, unless they were asked for.
    /// `origin` is the place of all of it.
    pub fn shown<'a>(&self, raw: &'a str, origin: &Origin) -> Cow<'a, str> {
        if self.secrets == Secrets::Shown {
            return Cow::Borrowed(raw);
        }
        let all = below_secret(&origin.path) || self.is_secret_beside(origin);
        let is_json = raw.trim_start().starts_with(['{', '[', '"']);
        if all || is_json { mask_json(raw, all) } else { mask_addresses(raw) }
    }

    /// The value at a place: bytes of its frame.
    pub fn locate(&self, origin: &Origin) -> Option<Located> {
        self.with_locator(origin, Locator::locate)
    }

    /// Where a thing stands in the input.
    pub fn place(&self, origin: &Origin) -> Option<InputPlace> {
        let (at, path) = self.with_locator(origin, Locator::find)?;
        let (line, column) = self.text.line_column(origin.frame as usize, at);
        Some(InputPlace { path, line, column })
    }

    fn with_locator<T>(
        &self,
        origin: &Origin,
        ask: impl FnOnce(&mut Locator, &str, &Path) -> Option<T>,
    ) -> Option<T> {
        let mut locators = self.locators.lock().unwrap_or_else(PoisonError::into_inner);
        let text = self.text.frame(origin.frame as usize);
        let begin = if self.unique { Locator::unique } else { Locator::default };
        if let Some(known) = locators.get_mut(&origin.frame) {
            return ask(known, text, &origin.path);
        }
        let mut locator = begin();
        let found = ask(&mut locator, text, &origin.path);
        if !locator.is_empty() {
            locators.insert(origin.frame, locator);
        }
        found
    }

    /// Text of the frame that a place lies in.
    pub fn frame(&self, origin: &Origin) -> &str {
        self.text.frame(origin.frame as usize)
    }

    /// The JSON at a place, as it stands in the input.
    pub fn raw(&self, origin: &Origin) -> Option<&str> {
        let located = self.locate(origin)?;
        self.frame(origin).get(located.value)
    }

    /// A path of this record for people and machines: with the number of the frame where there are several.
    pub fn path(&self, path: &str, frame: u32) -> String {
        match path.strip_prefix('$') {
            Some(rest) if self.text.len() > 1 => format!("$[{frame}]{rest}"),
            _ => path.to_owned(),
        }
    }

    /// The path of a thing in the spelling of the input.
    pub fn spelled(&self, origin: &Origin) -> Path {
        self.with_locator(origin, Locator::find).map_or_else(|| origin.path.clone(), |(_, path)| path)
    }

    /// The path of a field, as it was first read where what is open is citescope's own export.
    pub fn path_of(&self, origin: &Origin) -> String {
        (self.format.first_path)(&origin.path)
            .unwrap_or_else(|| self.path(&self.spelled(origin).to_string(), origin.frame))
    }
}

/// Which response a place belongs to: the one it lies in, also in another frame of the same candidate; else
/// the first.
#[derive(Default)]
struct Owners {
    /// Frame, path and response, ascending.
    by_place: Vec<(u32, Vec<Step>, usize)>,
    by_path: Vec<(Vec<Step>, usize)>,
}

/// Responses whose path is looked for in frames other than their own.
const PATHS: usize = 64;

impl Owners {
    fn of(responses: &[Response]) -> Self {
        let mut out = Self::default();
        // A response alone owns everything.
        if responses.len() < 2 {
            return out;
        }
        for (number, response) in responses.iter().enumerate() {
            let steps = response.origin.path.steps();
            if !steps.is_empty() && out.by_path.len() < PATHS {
                out.by_path.push((steps, number));
            }
            let places =
                std::iter::once(&response.origin).chain(response.traces.iter().map(|trace| &trace.origin));
            for place in places {
                out.by_place.push((place.frame, place.path.steps(), number));
            }
        }
        out.by_place.shrink_to_fit();
        out.by_place.sort();
        out
    }

    fn find(&self, origin: &Origin) -> usize {
        if self.by_place.is_empty() {
            return 0;
        }
        let steps = origin.path.steps();
        let inside = (0..=steps.len()).rev().find_map(|depth| self.at(origin.frame, steps.get(..depth)?));
        let elsewhere =
            || self.by_path.iter().find(|(outer, _)| steps.starts_with(outer)).map(|(_, owner)| *owner);
        inside.or_else(elsewhere).unwrap_or_default()
    }

    /// The last response of a place.
    fn at(&self, frame: u32, steps: &[Step]) -> Option<usize> {
        let behind = self
            .by_place
            .partition_point(|(its_frame, its_steps, _)| (*its_frame, &its_steps[..]) <= (frame, steps));
        let (its_frame, its_steps, owner) = self.by_place.get(behind.checked_sub(1)?)?;
        (*its_frame == frame && *its_steps == steps).then_some(*owner)
    }
}
