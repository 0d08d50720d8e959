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

/// A list of a frame whose scalars are not said, as far as it was gone through.
#[derive(Default)]
pub struct LongList {
    list: Option<Path>,
    /// How many extras there were before its first one.
    from: usize,
    /// Whether it is listed as one, once it had very many: what breaks off is not.
    whole: Option<bool>,
}

impl LongList {
    /// Whether a scalar is in a list that is listed as one, which it is from here on where it has very many.
    pub fn holds(&mut self, origin: &Origin, text: &str, extras: &mut Vec<Extra>) -> bool {
        let steps = origin.path.steps();
        let Some((Step::Index(_), above)) = steps.split_last() else {
            *self = Self::default();
            return false;
        };
        let list = Path::from_steps(above);
        if self.list.as_ref() != Some(&list) {
            *self = Self { list: Some(list.clone()), from: extras.len(), whole: None };
        }
        if self.whole.is_some() || extras.len() - self.from < MANY {
            return self.whole.unwrap_or_default();
        }
        let start = Locator::default().find(text, &list).map(|(start, _)| start);
        let end = start.and_then(|start| Some(start..skip_value(text.as_bytes(), start)?));
        let value = end.and_then(|range| JsonText::parsed(text.get(range)?));
        let found = value.zip(extras.last().map(|extra| extra.owner));
        self.whole = Some(found.is_some());
        let Some((value, owner)) = found else { return false };
        let secret = extras.drain(self.from..).fold(false, |secret, extra| secret | extra.secret);
        let origin = Origin { frame: origin.frame, path: list };
        extras.push(Extra { origin, value, owner, secret });
        true
    }
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
