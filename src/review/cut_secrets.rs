//! Credentials that a stream sent in pieces, in what its response does not say: none of the pieces need have
//! the whole name.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

use serde_json::Value;

use super::unsaid::Extra;
use crate::format::secrets::{MASK, block_of, is_piece_of_text, mask_message};
use crate::json::scalars::{scalars, scalars_and_torn};
use crate::json::scan::lenient_string;
use crate::model::{JsonText, Path, Step};
use crate::store::RecordText;

/// Hashes of places and of texts of frames: a record may have a hundred thousand that are not said.
type Hashes = HashSet<u64>;

/// A text of a frame.
struct Piece {
    /// Hash of its place and of the block whose pieces stand there, if it is told by one.
    block: u64,
    /// Hash of its place in its frame.
    place: u64,
    frame: u32,
    /// Bytes of its frame, with its quotes.
    at: Range<u32>,
    /// A text may stand in pieces there.
    is_text: bool,
}

/// What is looked for in the frames of a record.
struct Pieces<'r> {
    record: &'r RecordText,
    hashed: RandomState,
}

/// Masks the pieces of a text that a stream sent one by one where they hold a credential together, and what
/// repeats them in their frames. Pieces of one block belong together, also those said elsewhere.
pub(super) fn mask_pieces(record: &RecordText, extras: &mut [Extra]) {
    if record.len() < 2 {
        return;
    }
    let pieces = Pieces { record, hashed: RandomState::new() };
    let sent = pieces.sent(&pieces.wanted(extras));
    let (mut secret, mut copied) = (Hashes::new(), Hashes::new());
    for block in sent.chunk_by(|one, next| one.block == next.block).filter(|block| block.len() > 1) {
        if pieces.hold_credential(block) {
            secret.extend(block.iter().map(|piece| piece.place));
            let texts = block.iter().map(|piece| (piece.frame, pieces.text(piece)));
            let texts = texts.filter(|(_, text)| !text.is_empty());
            copied.extend(texts.map(|(frame, text)| pieces.hash_of_text(frame, &text)));
        }
    }
    for extra in extras.iter_mut().filter(|_| !secret.is_empty()) {
        let frame = extra.origin.frame;
        let mut covered: Vec<Range<usize>> = Vec::new();
        each_text(extra, |place, at, text| {
            let place = pieces.hash_of_place(frame, &place());
            if secret.contains(&place) || copied.contains(&pieces.hash_of_text(frame, text)) {
                covered.push(at);
            }
        });
        cover_some(&mut extra.value, &covered);
    }
}

/// Whether a place lies behind so many others of a list that no stream sends its pieces there.
fn is_far(place: &[Step]) -> bool {
    place.iter().any(|step| matches!(step, Step::Index(FAR..)))
}

/// See there.
const FAR: usize = 1024;

impl Pieces<'_> {
    /// The places of the texts that are not said, and of what repeats one of them in its frame: not all
    /// pieces of a text need be repeated.
    fn wanted(&self, extras: &[Extra]) -> Hashes {
        let (mut wanted, mut unsaid) = (Hashes::new(), Hashes::new());
        for extra in extras {
            each_text(extra, |place, _, text| {
                let place = place();
                if is_far(&place) {
                    return;
                }
                wanted.insert(self.hashed.hash_one(place));
                unsaid.insert(self.hash_of_text(extra.origin.frame, text));
            });
        }
        if !unsaid.is_empty() {
            self.each(|frame, place, _, piece| {
                if unsaid.contains(&self.hash_of_text(frame, &lenient_string(piece))) {
                    let place = spelled(&place().steps());
                    if !is_far(&place) {
                        wanted.insert(self.hashed.hash_one(place));
                    }
                }
            });
        }
        wanted
    }

    /// What stands at some places, the pieces of a block one behind the other.
    fn sent(&self, wanted: &Hashes) -> Vec<Piece> {
        let mut sent: Vec<Piece> = Vec::new();
        if wanted.is_empty() {
            return sent;
        }
        let mut block: Option<(u32, Option<String>)> = None;
        self.each(|frame, place, at, _| {
            let place = spelled(&place().steps());
            if !wanted.contains(&self.hashed.hash_one(&place)) {
                return;
            }
            if block.as_ref().is_none_or(|(of, _)| *of != frame) {
                block = Some((frame, block_of(self.record.frame(frame as usize))));
            }
            let block = block.as_ref().and_then(|(_, block)| block.as_deref());
            // A name of their own for each piece does not part them.
            for block in [None, block].into_iter().take(1 + usize::from(block.is_some())) {
                sent.push(Piece {
                    block: self.hashed.hash_one((&place, block)),
                    place: self.hash_of_place(frame, &place),
                    frame,
                    at: at.start as u32..at.end as u32,
                    is_text: is_piece_of_text(&place),
                });
            }
        });
        sent.sort_by_key(|piece| piece.block);
        sent
    }

    /// Whether the pieces of a block are a text, and hold a credential together.
    fn hold_credential(&self, block: &[Piece]) -> bool {
        let whole: String = block.iter().map(|piece| self.text(piece)).collect();
        // Ids and other words in a row are no text.
        let blanks = || block.iter().any(|piece| self.text(piece).contains(char::is_whitespace));
        let is_text = block.first().is_some_and(|piece| piece.is_text)
            || whole.trim_start().starts_with(['{', '[', '"'])
            || whole.contains("://")
            || blanks();
        is_text && matches!(mask_message(&whole), Cow::Owned(_))
    }

    /// What a piece says.
    fn text(&self, piece: &Piece) -> Cow<'_, str> {
        let at = piece.at.start as usize..piece.at.end as usize;
        lenient_string(self.record.frame(piece.frame as usize).get(at).unwrap_or_default())
    }

    fn hash_of_text(&self, frame: u32, text: &str) -> u64 {
        self.hashed.hash_one((frame, text))
    }

    fn hash_of_place(&self, frame: u32, place: &[Step]) -> u64 {
        self.hashed.hash_one((frame, place))
    }

    /// Calls `see` with every text of the record: its frame, its place, its bytes there, how it is written.
    fn each(&self, mut see: impl FnMut(u32, &dyn Fn() -> Path, Range<usize>, &str)) {
        for (frame, text) in self.record.frames().enumerate() {
            scalars_and_torn(text, |place, range| {
                if let Some(literal) = text.get(range.clone()).filter(|literal| literal.starts_with('"')) {
                    see(frame as u32, place, range, literal);
                }
            });
        }
    }
}

/// Calls `see` with every text of what is not said: its place in the frame, its bytes in the value, itself.
fn each_text(extra: &Extra, mut see: impl FnMut(&dyn Fn() -> Vec<Step>, Range<usize>, &str)) {
    let json = extra.value.as_json();
    let above = extra.origin.path.steps();
    scalars(json, |place, at| {
        if let Some(literal) = json.get(at.clone()).filter(|literal| literal.starts_with('"')) {
            let whole = || spelled(&[above.as_slice(), &place().steps()].concat());
            see(&whole, at, &lenient_string(literal));
        }
    });
}

/// Masks some texts of a value, ascending.
fn cover_some(value: &mut JsonText, texts: &[Range<usize>]) {
    let (json, mut out, mut from) = (value.as_json(), String::new(), 0);
    for text in texts {
        out.push_str(json.get(from..text.start).unwrap_or_default());
        out.push_str(&Value::from(MASK).to_string());
        from = text.end;
    }
    out.push_str(json.get(from..).unwrap_or_default());
    if !texts.is_empty() {
        *value = JsonText::new(out);
    }
}

/// The same place with its keys in one spelling: a field of the model has that of its documents.
fn spelled(steps: &[Step]) -> Vec<Step> {
    let key =
        |key: &str| key.chars().filter(|c| !matches!(c, '_' | '-')).map(|c| c.to_ascii_lowercase()).collect();
    let one = |step: &Step| if let Step::Key(name) = step { Step::Key(key(name)) } else { step.clone() };
    steps.iter().map(one).collect()
}
