//! Credentials that a stream sent in pieces, in what its response does not say: none of the pieces need have
//! the whole name.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::unsaid::Extra;
use crate::format::secrets::{block_of, cover, is_piece_of_text, mask_message};
use crate::json::scalars::scalars;
use crate::json::scan::lenient_string;
use crate::model::{Path, Step};
use crate::store::RecordText;

/// A place in all frames, its keys in one spelling.
type Place = Vec<Step>;

/// A place in the frames of a stream, and the block whose pieces stand there.
type Block = (Place, Option<String>);

/// Texts of frames.
type Texts = HashSet<(u32, String)>;

/// Masks the pieces of a text that a stream sent one by one where they hold a credential together, and what
/// repeats them in their frames. Pieces of one block belong together, also those said elsewhere.
pub(super) fn mask_pieces(record: &RecordText, extras: &mut [Extra]) {
    if record.len() < 2 {
        return;
    }
    let wanted = wanted(record, extras);
    if wanted.is_empty() {
        return;
    }
    let (mut secret, mut copied): (HashSet<(Place, u32)>, Texts) = Default::default();
    for ((place, _), pieces) in sent(record, &wanted).into_iter().filter(|(_, pieces)| pieces.len() > 1) {
        let whole: String = pieces.iter().map(|(_, piece)| piece.as_str()).collect();
        // Ids and other words in a row are no text.
        let blanks = || pieces.iter().any(|(_, piece)| piece.contains(char::is_whitespace));
        let is_text = is_piece_of_text(&place) || whole.trim_start().starts_with(['{', '[', '"']) || blanks();
        if is_text && matches!(mask_message(&whole), Cow::Owned(_)) {
            secret.extend(pieces.iter().map(|(frame, _)| (place.clone(), *frame)));
            copied.extend(pieces.into_iter().filter(|(_, piece)| !piece.is_empty()));
        }
    }
    for Extra { origin, value, .. } in extras.iter_mut().filter(|_| !secret.is_empty()) {
        each_text(value, &mut origin.path.steps(), &mut |steps, value| {
            let is_copy =
                || value.as_str().is_some_and(|text| copied.contains(&(origin.frame, text.to_owned())));
            if is_copy() || secret.contains(&(spelled(steps), origin.frame)) {
                cover(value);
            }
        });
    }
}

/// The places of the texts that are not said, and of what repeats one of them in its frame: not all pieces of
/// a text need be repeated.
fn wanted(record: &RecordText, extras: &mut [Extra]) -> HashSet<Place> {
    let (mut wanted, mut unsaid): (HashSet<Place>, Texts) = Default::default();
    for Extra { origin, value, .. } in extras {
        each_text(value, &mut origin.path.steps(), &mut |steps, text| {
            wanted.insert(spelled(steps));
            unsaid.extend(text.as_str().map(|text| (origin.frame, text.to_owned())));
        });
    }
    if !unsaid.is_empty() {
        each_piece(record, |frame, place, piece| {
            if unsaid.contains(&(frame, lenient_string(piece).into())) {
                wanted.insert(spelled(&place().steps()));
            }
        });
    }
    wanted
}

/// What stands at some places, frame by frame, by the blocks that it belongs to.
fn sent(record: &RecordText, wanted: &HashSet<Place>) -> HashMap<Block, Vec<(u32, String)>> {
    let mut sent: HashMap<Block, Vec<(u32, String)>> = HashMap::new();
    let mut blocks: HashMap<u32, Option<String>> = HashMap::new();
    let frames: Vec<&str> = record.frames().collect();
    each_piece(record, |frame, place, piece| {
        let place = spelled(&place().steps());
        if !wanted.contains(&place) {
            return;
        }
        let block = blocks
            .entry(frame)
            .or_insert_with(|| block_of(frames.get(frame as usize).copied().unwrap_or_default()));
        let piece: String = lenient_string(piece).into();
        // A name of their own for each piece does not part them.
        if block.is_some() {
            sent.entry((place.clone(), None)).or_default().push((frame, piece.clone()));
        }
        sent.entry((place, block.clone())).or_default().push((frame, piece));
    });
    sent
}

/// Calls `see` with every text of a record: its frame, its place, and how it is written.
fn each_piece(record: &RecordText, mut see: impl FnMut(u32, &dyn Fn() -> Path, &str)) {
    for (frame, text) in record.frames().enumerate() {
        scalars(text, |place, range| {
            if let Some(literal) = text.get(range).filter(|literal| literal.starts_with('"')) {
                see(frame as u32, place, literal);
            }
        });
    }
}

/// Calls `see` with every text of a value and its place.
fn each_text(value: &mut Value, steps: &mut Vec<Step>, see: &mut impl FnMut(&[Step], &mut Value)) {
    match value {
        Value::String(_) => see(steps, value),
        Value::Object(members) => {
            for (key, value) in members {
                steps.push(Step::Key(key.clone()));
                each_text(value, steps, see);
                steps.pop();
            }
        }
        Value::Array(list) => {
            for (number, value) in list.iter_mut().enumerate() {
                steps.push(Step::Index(number));
                each_text(value, steps, see);
                steps.pop();
            }
        }
        _ => {}
    }
}

/// The same place with its keys in one spelling: a field of the model has that of its documents.
fn spelled(steps: &[Step]) -> Vec<Step> {
    let key =
        |key: &str| key.chars().filter(|c| !matches!(c, '_' | '-')).map(|c| c.to_ascii_lowercase()).collect();
    let one = |step: &Step| if let Step::Key(name) = step { Step::Key(key(name)) } else { step.clone() };
    steps.iter().map(one).collect()
}
