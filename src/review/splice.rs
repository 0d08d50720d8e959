//! Edits to bytes: the numbers that a repair replaces in the input, or inserts, spelled as their neighbours
//! are.

use std::ops::Range;

use super::repair::Edit;
use super::sent::Sent;
use crate::json::{Located, scan};
use crate::model::{Path, Response};
use crate::store::Container;

/// A text to put in place of some bytes of the input; in front of them where the range is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    /// Bytes of the input's text.
    pub range: Range<usize>,
    /// Line and column at which it begins.
    pub start: (usize, usize),
    /// What belongs there.
    pub text: String,
    /// The path of the value, as spelled in the input.
    pub path: Path,
}

/// The same with bytes of a frame.
struct Edited {
    range: Range<usize>,
    text: String,
    path: Path,
}

/// Finds the bytes of edits of one response. Those of a support are asked for one behind the other.
pub(super) struct Splicer<'a> {
    sent: &'a Sent,
    response: &'a Response,
    /// The object without members that the last number was inserted in.
    filled: Option<(u32, usize)>,
}

impl<'a> Splicer<'a> {
    pub(super) fn new(sent: &'a Sent, response: &'a Response) -> Self {
        Self { sent, response, filled: None }
    }

    /// The splice of an edit; `None` where the input has no place for a number.
    pub(super) fn splice(&mut self, edit: &Edit) -> Option<Splice> {
        let holder = edit.holder(self.response)?;
        let key = edit.key(self.response)?;
        let frame = holder.frame as usize;
        let text = self.sent.text.frame(frame);
        let edited = if let Some(value) = self.sent.locate(&holder.key(key)) {
            replaced(text, &value, edit)
        } else {
            let object = self.sent.locate(&holder)?;
            self.inserted((text, holder.frame), &object, edit, key)
        }?;
        let Edited { range, text, path } = edited;
        let start = self.sent.text.line_column(frame, range.start);
        let range = self.sent.text.place(frame, range.start)..self.sent.text.place(frame, range.end);
        Some(Splice { range, start, text, path })
    }

    /// A member in front of the others of its object, with their spelling and their white space.
    fn inserted(
        &mut self,
        (text, frame): (&str, u32),
        holder: &Located,
        edit: &Edit,
        key: &str,
    ) -> Option<Edited> {
        let events = self.sent.text.container() == Container::Events;
        let object = text.get(holder.value.clone())?.strip_prefix('{')?;
        let open = holder.value.start + 1;
        let members: Vec<(String, usize)> =
            scan::Members::of(text, holder.value.start)?.map(|(key, at)| (key.into_owned(), at)).collect();
        let key = if members.iter().any(|(key, _)| key.contains('_')) { snake(key) } else { key.to_owned() };
        let path = holder.path.key(&key);
        let Some((_, value)) = members.first() else {
            // The second number of an empty object needs a comma.
            let comma = if self.filled.replace((frame, open)) == Some((frame, open)) { ", " } else { "" };
            return Some(Edited {
                range: open..open,
                text: format!("{comma}\"{key}\": {}", number(edit.new, edit.text)),
                path,
            });
        };
        // A line of an event stream needs its prefix, so that no line is begun there.
        let blank = object.len() - object.trim_start().len();
        let blank = if events && text.get(open..open + blank)?.contains('\n') { 0 } else { blank };
        let space = text.get(open..open + blank)?;
        let colon = if text.get(..*value)?.ends_with(char::is_whitespace) { ": " } else { ":" };
        let between = if space.is_empty() && colon == ": " && !events { " " } else { space };
        let at = open + blank;
        Some(Edited {
            range: at..at,
            text: format!("\"{key}\"{colon}{},{between}", number(edit.new, edit.text)),
            path,
        })
    }
}

/// A number stays a number, a string a string.
fn replaced(text: &str, value: &Located, edit: &Edit) -> Option<Edited> {
    let sent = text.get(value.value.clone())?;
    let quoted = match sent.bytes().next()? {
        b'"' if sent.trim_matches('"').trim().parse::<f64>().is_ok() => true,
        b'-' | b'0'..=b'9' => false,
        b'n' => edit.text,
        _ => return None,
    };
    Some(Edited { range: value.value.clone(), text: number(edit.new, quoted), path: value.path.clone() })
}

fn number(new: i64, quoted: bool) -> String {
    if quoted { format!("\"{new}\"") } else { new.to_string() }
}

/// `startIndex` as `start_index`.
fn snake(key: &str) -> String {
    let mut out = String::with_capacity(key.len() + 2);
    for c in key.chars() {
        if c.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}
