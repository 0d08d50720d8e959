//! What a pass of the tolerant layer notes, and what can be read in one.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::sync::Arc;

use serde_json::Value;

use super::reader::{Reader, Unreadable};
use crate::memory;
use crate::model::{JsonText, Path, Step};

/// What the second pass finds.
#[derive(Debug, Default, Clone)]
pub struct Survey {
    /// Path and what does not fit there.
    pub flaws: Vec<(Path, Arc<str>)>,
    /// Path and value of each field that the neutral model has no place for.
    pub extras: Vec<(Path, JsonText)>,
}

/// One of the two that a second pass finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noted {
    /// What does not fit.
    Flaws,
    /// What the neutral model has no place for.
    Extras,
}

/// State of one pass.
#[derive(Default)]
pub struct Cx {
    flaws: Cell<usize>,
    survey: Option<RefCell<Survey>>,
    /// What a recording pass keeps, where not both.
    noted: Option<Noted>,
    path: RefCell<Vec<Step>>,
    /// Memory that lists may still take, where that is bounded.
    room: Option<Cell<usize>>,
    overdrawn: Cell<bool>,
    /// Objects in lists of this frame so far.
    listed: Cell<usize>,
    /// Objects of the record so far that stay when their frame is read.
    stays: Cell<usize>,
    /// Words of unions that were listed.
    kinds: RefCell<HashSet<String>>,
    muted: Cell<bool>,
    /// What is read is for the notes alone.
    passes: Cell<bool>,
    /// Words of flaws: a hundred thousand may have one.
    words: RefCell<HashSet<Arc<str>>>,
    /// The lists on the way to the last place that was noted, from the outermost on, with their paths: a
    /// hundred thousand may lie in one.
    lists: RefCell<Vec<(Vec<Step>, Path)>>,
}

/// Bytes that a value takes that does not fit: a remark, and what it says beside it.
const FLAW: usize = 384;

/// Elements of a list, keys of an object or values that do not fit, behind which that counts.
pub(super) const FEW: usize = 1024;

/// What something takes beside so many bytes of its text, which count four times in the room of its record:
/// half of what it takes without text is not in there.
pub(super) fn beside_text(takes: usize, bytes: usize) -> usize {
    takes.saturating_sub(4 * bytes).max(takes / 2)
}

/// Different words of flaws that are kept to be found again.
const WORDS: usize = 256;

impl Cx {
    /// A pass that records paths.
    pub fn surveying() -> Self {
        Self { survey: Some(RefCell::default()), ..Self::default() }
    }

    /// A pass that records one of the two.
    pub fn noting(noted: Noted) -> Self {
        Self { noted: Some(noted), ..Self::surveying() }
    }

    /// A pass whose lists may take no more memory than [`Self::grant`] gives.
    pub fn bounded() -> Self {
        Self { room: Some(Cell::new(0)), ..Self::default() }
    }

    /// A pass over the same once more, of which nothing is kept. It has no bound: it takes what this one
    /// took.
    pub(super) fn again(&self) -> Self {
        Self {
            survey: self.survey.as_ref().map(|_| RefCell::default()),
            noted: self.noted,
            muted: self.muted.clone(),
            passes: self.passes.clone(),
            ..Self::default()
        }
    }

    /// Gives a bounded pass more room, for one more frame.
    pub fn grant(&self, bytes: usize) {
        self.listed.set(0);
        if let Some(room) = &self.room {
            room.set(room.get().saturating_add(bytes));
        }
    }

    /// Takes room for something; false where there is none left.
    pub fn take(&self, bytes: usize) -> bool {
        match self.room.as_ref().map(|room| (room, room.get().checked_sub(bytes))) {
            Some((room, Some(left))) => room.set(left),
            Some((_, None)) => self.overdrawn.set(true),
            None => {}
        }
        if !memory::has_room(0) {
            self.overdrawn.set(true);
        }
        !self.overdrawn.get()
    }

    /// Counts an object in a list; whether its frame has very many of them.
    pub(super) fn lists_many(&self) -> bool {
        self.listed.replace(self.listed.get() + 1) >= FEW
    }

    /// Takes room for an object of so many bytes that stays, where a record has very many of them.
    pub(super) fn take_staying(&self, takes: usize, bytes: usize) -> bool {
        let is_many = self.stays.replace(self.stays.get() + 1) >= FEW;
        !is_many || self.take(beside_text(takes, bytes))
    }

    /// Whether there was not room enough.
    pub fn is_overdrawn(&self) -> bool {
        self.overdrawn.get()
    }

    /// How many values did not fit.
    pub fn flaws(&self) -> usize {
        self.flaws.get()
    }

    /// What a recording pass found.
    pub fn into_survey(self) -> Survey {
        self.survey.map(RefCell::into_inner).unwrap_or_default()
    }

    /// Whether this pass records what the model has no place for.
    pub fn surveys(&self) -> bool {
        self.survey.is_some() && !self.muted.get()
    }

    /// Reads what repeats or announces other frames: nothing of it is recorded.
    pub fn muted<T>(&self, read: impl FnOnce() -> T) -> T {
        let before = self.muted.replace(true);
        let out = read();
        self.muted.set(before);
        out
    }

    /// Reads for the notes alone: lists keep nothing of what is read.
    pub fn passing<T>(&self, read: impl FnOnce() -> T) -> T {
        let before = self.passes.replace(true);
        let out = read();
        self.passes.set(before);
        out
    }

    /// Whether lists keep what is read.
    pub(super) fn keeps_lists(&self) -> bool {
        !self.passes.get()
    }

    /// Lists the word at hand, unless the same one was listed before.
    pub fn extra_once(&self, word: &str) {
        if self.surveys() && self.kinds.borrow_mut().insert(word.to_owned()) {
            self.extra(Value::from(word).into());
        }
    }

    /// Where one of the two is kept, if it is.
    fn recording(&self, what: Noted) -> Option<&RefCell<Survey>> {
        let is_kept = !self.muted.get() && self.noted.is_none_or(|noted| noted == what);
        self.survey.as_ref().filter(|_| is_kept)
    }

    /// Counts what does not fit; a recording pass keeps it with its path.
    pub fn flaw(&self, what: impl FnOnce() -> String) {
        if let Some(survey) = self.count_flaw() {
            self.keep_flaw(survey, what());
        }
    }

    fn count_flaw(&self) -> Option<&RefCell<Survey>> {
        self.flaws.set(self.flaws.get() + 1);
        if self.flaws.get() > FEW {
            self.take(FLAW);
        }
        self.recording(Noted::Flaws)
    }

    fn keep_flaw(&self, survey: &RefCell<Survey>, what: String) {
        let mut words = self.words.borrow_mut();
        let what = words.get(what.as_str()).cloned().unwrap_or_else(|| {
            let new = Arc::<str>::from(what);
            if words.len() < WORDS {
                words.insert(Arc::clone(&new));
            }
            new
        });
        survey.borrow_mut().flaws.push((self.here(), what));
    }

    /// Lists a value that a format reads but the model has no named place for.
    pub fn list(&self, path: Path, value: JsonText) {
        if let Some(survey) = self.recording(Noted::Extras) {
            survey.borrow_mut().extras.push((path, value));
        }
    }

    /// Lists the value at hand.
    pub fn extra(&self, value: JsonText) {
        if let Some(survey) = self.recording(Noted::Extras) {
            survey.borrow_mut().extras.push((self.here(), value));
        }
    }

    /// Lists a value below the place at hand, by its key.
    pub fn extra_below(&self, key: String, value: JsonText) {
        let below = self.enter(|| Step::Key(key));
        self.extra(value);
        self.leave(below);
    }

    fn here(&self) -> Path {
        let (steps, mut lists) = (self.path.borrow(), self.lists.borrow_mut());
        let (mut path, mut rest, mut level) = (Path::default(), steps.as_slice(), 0);
        let is_element = |step: &Step| matches!(step, Step::Index(_));
        while let Some((below, [element, behind @ ..])) =
            rest.iter().position(is_element).and_then(|at| rest.split_at_checked(at))
        {
            let list = steps.get(..steps.len() - behind.len() - 1).unwrap_or_default();
            if lists.get(level).is_none_or(|(known, _)| known != list) {
                lists.truncate(level);
                lists.push((list.to_vec(), path.below(below)));
            }
            let known = lists.get(level).map(|(_, path)| path.clone()).unwrap_or_default();
            path = known.below(std::slice::from_ref(element));
            (rest, level) = (behind, level + 1);
        }
        path.below(rest)
    }

    /// Reads what stands below some steps.
    pub fn below<T>(&self, steps: &[Step], read: impl FnOnce() -> T) -> T {
        if !self.surveys() {
            return read();
        }
        let before = self.path.borrow().len();
        self.path.borrow_mut().extend_from_slice(steps);
        let out = read();
        self.path.borrow_mut().truncate(before);
        out
    }

    /// Goes below a step in a recording pass; whether there is a way back.
    pub(super) fn enter(&self, step: impl FnOnce() -> Step) -> bool {
        let surveys = self.surveys();
        if surveys {
            self.path.borrow_mut().push(step());
        }
        surveys
    }

    /// Goes back from below a step.
    pub(super) fn leave(&self, entered: bool) {
        if entered {
            self.path.borrow_mut().pop();
        }
    }
}

/// A kind of value.
pub trait Wire: Sized {
    /// Bytes that an element of a long list takes at least, with what is made of it: an index becomes a
    /// citation.
    const LEAST: usize = 128;
    /// The same of one without text, which counts four times.
    const EMPTY: usize = 0;
    /// Whether it is counted over all lists of a frame.
    const IS_OBJECT: bool = false;

    /// Reads it; `None` for `null` and for what does not fit.
    fn read(reader: &mut Reader<'_>, cx: &Cx) -> Result<Option<Self>, Unreadable>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_lists_of_lists_keep_their_paths_whatever_was_noted_before() {
        let cx = Cx::surveying();
        let key = |key: &str| Step::Key(key.to_owned());
        let note = |steps: &[Step]| cx.below(steps, || cx.extra(Value::Null.into()));
        for (list, outer, inner) in [("a", 0, 0), ("a", 0, 1), ("a", 1, 0), ("b", 1, 0), ("a", 0, 0)] {
            note(&[key(list), Step::Index(outer), key("x"), Step::Index(inner), key("y"), key("z")]);
        }
        note(&[Step::Index(2), Step::Index(3)]);
        note(&[key("a"), Step::Index(4)]);
        note(&[key("a")]);
        note(&[]);
        let paths: Vec<String> = cx.into_survey().extras.iter().map(|(path, _)| path.to_string()).collect();
        assert_eq!(
            paths,
            [
                "$.a[0].x[0].y.z",
                "$.a[0].x[1].y.z",
                "$.a[1].x[0].y.z",
                "$.b[1].x[0].y.z",
                "$.a[0].x[0].y.z",
                "$[2][3]",
                "$.a[4]",
                "$.a",
                "$"
            ]
        );
    }
}
