//! Edits to bytes: the numbers that a repair replaces in the input, or inserts, spelled as their neighbours are.

use std::collections::HashMap;
use std::ops::Range;

use super::Analysed;
use crate::json::{self, Located, scan};
use crate::model::{Origin, Path, Step};
use crate::review::repair::Edit;
use crate::store::Container;

/// A text to put in place of some bytes of the input; in front of them where the range is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    /// Bytes of the input's text.
    pub range: Range<usize>,
    /// What belongs there.
    pub text: String,
    /// The path of the value, as spelled in the input.
    pub path: Path,
}

/// The splices of edits of one record, parallel to them; `None` where the input has no place for a number.
pub fn splices(analysed: &Analysed, edits: &[&Edit]) -> Vec<Option<Splice>> {
    let mut by_frame: HashMap<u32, Vec<usize>> = HashMap::new();
    for (index, edit) in edits.iter().enumerate() {
        by_frame.entry(edit.place.frame).or_default().push(index);
    }
    let mut out = vec![None; edits.len()];
    let events = analysed.input.container == Container::Events;
    for (frame, indices) in by_frame {
        let Some((from, text)) = analysed.frame(&Origin { frame, path: Path::default() }) else { continue };
        let pieces: Vec<(&Edit, Vec<Step>)> =
            indices.iter().filter_map(|&index| edits.get(index)).map(|&edit| (edit, edit.place.path.steps())).collect();
        let holder = |(_, steps): &(&Edit, Vec<Step>)| Path::from_steps(steps.split_last().map_or(&[][..], |(_, above)| above));
        let paths: Vec<Path> = pieces.iter().map(|(edit, _)| edit.place.path.clone()).chain(pieces.iter().map(holder)).collect();
        let found = json::locate(text, 0, &paths);
        let mut filled: Option<usize> = None;
        for (number, (&index, (edit, steps))) in indices.iter().zip(&pieces).enumerate() {
            let value = found.get(number).and_then(Option::as_ref);
            let holder = found.get(pieces.len() + number).and_then(Option::as_ref);
            let splice = match value {
                Some(value) => replaced(text, value, edit),
                None => holder.and_then(|holder| inserted(text, holder, edit, steps, events, &mut filled)),
            };
            if let Some(slot) = out.get_mut(index) {
                *slot = splice.map(|splice| Splice { range: splice.range.start + from..splice.range.end + from, ..splice });
            }
        }
    }
    out
}

/// A number stays a number, a string a string.
fn replaced(text: &str, value: &Located, edit: &Edit) -> Option<Splice> {
    let sent = text.get(value.value.clone())?;
    let quoted = match sent.bytes().next()? {
        b'"' if sent.trim_matches('"').trim().parse::<f64>().is_ok() => true,
        b'-' | b'0'..=b'9' => false,
        b'n' => edit.text,
        _ => return None,
    };
    Some(Splice { range: value.value.clone(), text: number(edit.new, quoted), path: value.path.clone() })
}

fn number(new: i64, quoted: bool) -> String {
    if quoted { format!("\"{new}\"") } else { new.to_string() }
}

/// A member in front of the others of its object, with their spelling and their white space.
fn inserted(text: &str, holder: &Located, edit: &Edit, steps: &[Step], events: bool, filled: &mut Option<usize>) -> Option<Splice> {
    let Some(Step::Key(key)) = steps.last() else { return None };
    let object = text.get(holder.value.clone())?.strip_prefix('{')?;
    let open = holder.value.start + 1;
    let members: Vec<(String, usize)> = scan::Members::of(text, holder.value.start)?.map(|(key, at)| (key.into_owned(), at)).collect();
    let key = if members.iter().any(|(key, _)| key.contains('_')) { snake(key) } else { key.clone() };
    let path = holder.path.key(&key);
    let Some((_, value)) = members.first() else {
        // The second number of an empty object needs a comma.
        let comma = if filled.replace(open) == Some(open) { ", " } else { "" };
        return Some(Splice { range: open..open, text: format!("{comma}\"{key}\": {}", number(edit.new, edit.text)), path });
    };
    // A line of an event stream needs its prefix, so that no line is begun there.
    let blank = object.len() - object.trim_start().len();
    let blank = if events && text.get(open..open + blank)?.contains('\n') { 0 } else { blank };
    let space = text.get(open..open + blank)?;
    let colon = if text.get(..*value)?.ends_with(char::is_whitespace) { ": " } else { ":" };
    let between = if space.is_empty() && colon == ": " && !events { " " } else { space };
    let at = open + blank;
    Some(Splice { range: at..at, text: format!("\"{key}\"{colon}{},{between}", number(edit.new, edit.text)), path })
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
