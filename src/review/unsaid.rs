//! What was sent and stands nowhere in the model: read but not used, replaced by what came later in a stream,
//! or sent twice. It is found by comparing the scalars of the input with those of the neutral form, so that
//! nothing is lost whatever a format does.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use memchr::memmem;
use serde_json::Value;

use crate::form::{self, List};
use crate::json::Locator;
use crate::json::scalars::{scalars, written};
use crate::json::scan::{mend_surrogates, skip_value};
use crate::model::{JsonText, Origin, Path, Response, Step};

/// A field that was sent and has no named place in the model.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Extra {
    /// Where.
    pub origin: Origin,
    /// Its value.
    pub value: JsonText,
    /// The response it belongs to.
    pub(super) owner: usize,
    /// It is a credential by what stands around it in its frame.
    pub(super) secret: bool,
}

/// Scalars of one list that are listed one by one; of more the list is.
const MANY: usize = 1024;

/// The lists of a frame, as far as its scalars were gone through in order.
#[derive(Default)]
pub struct LongLists {
    /// The one that the last scalar stood in, and how many extras there were before it.
    last: Option<(Vec<Step>, usize)>,
    /// The last one that is listed as one.
    whole: Option<Vec<Step>>,
    /// Those that were looked for: once each, also where they break off.
    tried: HashSet<Vec<Step>>,
}

impl LongLists {
    /// Whether a scalar is in a list that is listed as one, which it is from here on where it has very many.
    pub fn hold(&mut self, origin: &Origin, text: &str, extras: &mut Vec<Extra>) -> bool {
        let steps = origin.path.steps();
        if self.whole.as_ref().is_some_and(|list| steps.starts_with(list)) {
            return true;
        }
        let Some((Step::Index(_), list)) = steps.split_last() else {
            self.last = None;
            return false;
        };
        let known = self.last.take().filter(|(last, _)| last == list);
        let (list, from) = known.unwrap_or_else(|| (list.to_vec(), extras.len()));
        let is_long = extras.len() - from >= MANY && self.tried.insert(list.clone());
        let is_whole = is_long && list_as_one(origin.frame, &list, text, extras);
        if is_whole {
            self.whole = Some(list);
        } else {
            self.last = Some((list, from));
        }
        is_whole
    }
}

/// Lists a list in place of all that is listed below it; false where it breaks off.
fn list_as_one(frame: u32, list: &[Step], text: &str, extras: &mut Vec<Extra>) -> bool {
    let path = Path::from_steps(list);
    let start = Locator::default().find(text, &path).map(|(start, _)| start);
    let end = start.and_then(|start| Some(start..skip_value(text.as_bytes(), start)?));
    let value = end.and_then(|range| JsonText::parsed(text.get(range)?));
    let Some((value, owner)) = value.zip(extras.last().map(|extra| extra.owner)) else { return false };
    let is_below = |extra: &mut Extra| {
        let Origin { frame: own, path } = &extra.origin;
        extra.owner == owner && *own == frame && path.steps().starts_with(list)
    };
    let mut secret = false;
    while let Some(below) = extras.pop_if(is_below) {
        secret |= below.secret;
    }
    extras.push(Extra { origin: Origin { frame, path }, value, owner, secret });
    true
}

/// Bytes that may be searched for texts that are part of a longer one, as a multiple of what is said.
const SEARCHES: usize = 64;

/// Texts of up to so many bytes are kept only once: words such as those for kinds stand in each citation.
const WORD: usize = 32;

/// All that the neutral form of a response says.
pub struct Said {
    /// The texts of the form, as JSON spells them, a line each.
    text: String,
    /// Hashes of its texts, as they are spelled there.
    texts: HashSet<u64>,
    /// Its numbers.
    numbers: HashSet<u64>,
    /// Where the last text was found: pieces of a stream come in order.
    cursor: usize,
    /// Bytes that may still be searched.
    budget: usize,
}

impl Said {
    /// By a response.
    pub fn by(response: &Response) -> Self {
        let sent = form::Response {
            supports: List::of(|| {
                let supports = response.supports.iter().enumerate();
                supports.map(|(number, support)| form::Support::of(number, support, response))
            }),
            sources: List::of(|| {
                let sources = response.sources.iter().enumerate();
                sources.map(|(number, source)| form::Source::of(number, source, &[]))
            }),
            ..form::Response::of(response)
        };
        let mut out = Self {
            texts: HashSet::new(),
            numbers: HashSet::new(),
            cursor: 0,
            budget: 0,
            text: String::new(),
        };
        written(&sent, |literal| {
            if !literal.starts_with('"') {
                out.numbers.extend(bits(literal));
            } else if out.texts.insert(hash(literal)) || literal.len() > WORD {
                out.text.push_str(literal);
                out.text.push('\n');
            }
        });
        out.text.shrink_to_fit();
        out.budget = out.text.len().saturating_mul(SEARCHES);
        out
    }

    /// Adds what else is listed.
    pub fn and(&mut self, value: &JsonText) {
        let json = value.as_json();
        scalars(json, |_, range| {
            let literal = json.get(range).unwrap_or_default();
            if literal.starts_with('"') {
                self.texts.insert(hash(literal));
            } else {
                self.numbers.extend(bits(literal));
            }
        });
    }

    /// Whether a scalar is among it, as text, number, or part of a longer text.
    pub fn has(&mut self, literal: &str) -> bool {
        if literal.starts_with('"') {
            return self.has_text(literal);
        }
        bits(literal).is_none_or(|bits| self.numbers.contains(&bits)) || self.finds_number(literal)
    }

    /// Looks for a number in a text, such as a range of pages.
    fn finds_number(&mut self, literal: &str) -> bool {
        if self.budget == 0 {
            return false;
        }
        let bytes = self.text.as_bytes();
        let of_number = |at: Option<&u8>| at.is_some_and(|c| c.is_ascii_digit() || *c == b'.');
        let mut hits = memmem::find_iter(bytes, literal.as_bytes());
        let found = hits.find(|&at| {
            let before = at.checked_sub(1).and_then(|at| bytes.get(at));
            !of_number(before) && !of_number(bytes.get(at + literal.len()))
        });
        self.budget = self.budget.saturating_sub(found.unwrap_or(bytes.len()));
        found.is_some()
    }

    fn has_text(&mut self, literal: &str) -> bool {
        let spelled = if literal.contains('\\') {
            let mended = mend_surrogates(literal);
            let Ok(text) = serde_json::from_str::<String>(&mended) else { return false };
            std::borrow::Cow::Owned(Value::from(text).to_string())
        } else {
            std::borrow::Cow::Borrowed(literal)
        };
        let inner = spelled.get(1..spelled.len() - 1).unwrap_or_default();
        // An int64 is text in JSON, and a number here.
        inner.trim().is_empty()
            || self.texts.contains(&hash(&spelled))
            || bits(inner).is_some_and(|bits| self.numbers.contains(&bits))
            || self.finds(inner)
    }

    /// Looks for a piece of a longer text: behind the last one first.
    fn finds(&mut self, piece: &str) -> bool {
        let rest = self.text.as_bytes().get(self.cursor..).unwrap_or_default();
        let near = rest.get(..piece.len().saturating_add(64).min(rest.len())).unwrap_or_default();
        let mut found = memmem::find(near, piece.as_bytes()).map(|at| self.cursor + at);
        if found.is_none() && self.budget > 0 {
            found = memmem::find(self.text.as_bytes(), piece.as_bytes());
            self.budget = self.budget.saturating_sub(found.unwrap_or(self.text.len()));
        }
        self.cursor = found.map_or(self.cursor, |at| at + piece.len());
        found.is_some()
    }
}

fn hash(literal: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    literal.hash(&mut hasher);
    hasher.finish()
}

/// A number's value, whatever its spelling.
fn bits(literal: &str) -> Option<u64> {
    literal.trim().parse::<f64>().ok().map(|number| (number + 0.0).to_bits())
}
