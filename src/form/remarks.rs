//! Parts of the content, and remarks on the way a response was sent.

use super::values::Text;
use super::{Count, Must, Only, Reader, Said, form};
use crate::model::{self, NoticeKind, Origin, Path, RemarkKind, words};

words! {
    /// Kinds of part.
    pub enum PartKind {
        /// Text of the answer.
        Text = "text",
        /// A thought: its text stands in a trace.
        Thought = "thought",
        /// Anything without text.
        Other = "other",
    }
}

form! {
    /// A piece of the content, in order; only its share in the offsets
    pub struct Part<'a> {
        /// `text` of the answer; a `thought`, whose text stands in a trace; `other`: a call, its response,
        /// code, data
        kind: Must<Said<'a, PartKind>> = "kind";
        /// Of text: first byte of `answer`
        start: Only<Count> = "start";
        /// Of text: first byte of `answer` after the part
        end: Only<Count> = "end";
        /// Of a thought: index into `traces`
        trace: Only<Count> = "trace";
    }

    /// A fact about the way the response was sent, from which findings are made
    pub struct Remark<'a> {
        /// Which fact
        kind: Must<Said<'a, RemarkKind>> = "kind";
        /// Number of the frame (a document, a line, a message of the stream) in which it stood when first
        /// read; null
        /// where it speaks of the input
        frame: Option<Count> = "frame";
        /// JSON path within that frame; null where it speaks of the input
        path: Option<Text<'a>> = "path";
        /// The particulars, for people
        text: Must<Text<'a>> = "text";
        /// Only where mended: what was mended, where it is known
        notice: Only<Said<'a, NoticeKind>> = "notice";
    }
}

impl Part<'_> {
    pub fn of(part: &model::Part) -> Self {
        match part {
            model::Part::Text(range) => Self {
                kind: PartKind::Text.into(),
                start: Count::of(range.start).into(),
                end: Count::of(range.end).into(),
                ..Self::default()
            },
            model::Part::Thought(trace) => {
                Self { kind: PartKind::Thought.into(), trace: Count::of(*trace).into(), ..Self::default() }
            }
            model::Part::Other => Self { kind: PartKind::Other.into(), ..Self::default() },
        }
    }

    /// A part; one that lies outside of the answer counts as one without text.
    pub fn read(self, answer: &str, traces: usize) -> model::Part {
        let index = |sent: Only<Count>| sent.0.unwrap_or_default().index();
        let (start, end, trace) = (index(self.start), index(self.end), index(self.trace));
        match self.kind.0.and_then(|kind| kind.member()) {
            Some(PartKind::Text) if answer.get(start..end).is_some() => model::Part::Text(start..end),
            Some(PartKind::Thought) if trace < traces => model::Part::Thought(trace),
            _ => model::Part::Other,
        }
    }
}

impl<'a> Remark<'a> {
    /// A remark as it is written.
    pub fn of(remark: &'a model::Remark) -> Self {
        if remark.kind == RemarkKind::Mended {
            return Self::mended(remark.notice, Text::from(&*remark.text));
        }
        Self {
            kind: remark.kind.into(),
            frame: Some(Count::of(remark.origin.frame as usize)),
            path: Some(remark.origin.path.to_string().into()),
            text: Text::from(&*remark.text).into(),
            notice: Only::default(),
        }
    }

    /// What was mended of the input.
    pub fn mended(notice: Option<NoticeKind>, text: Text<'a>) -> Self {
        let notice = Only(notice.map(Said::of));
        Self { kind: RemarkKind::Mended.into(), text: text.into(), notice, ..Self::default() }
    }

    /// A remark with the place at which it was first made.
    pub fn read(self, reader: &mut Reader) -> Option<model::Remark> {
        let text = self.text.or_empty();
        let Some(kind) = self.kind.0 else { return reader.unknown("kind of remark", "", None) };
        let kind = reader.word("kind of remark", Some(kind))?;
        let frame = self.frame.unwrap_or_default().index() as u32;
        let first = self.path.map(|path| {
            let path = path.strip_prefix('$').unwrap_or(&path);
            Origin { frame, path: Path::new(path.strip_prefix('.').unwrap_or(path)) }
        });
        let named = reader.word("notice", self.notice.0);
        let notice = named.or_else(|| notice_of(&text)).filter(|_| kind == RemarkKind::Mended);
        let origin = first.unwrap_or_else(|| reader.origin.clone());
        Some(model::Remark { kind, origin, text: text.into(), notice })
    }
}

/// The kind of a notice by its text: citescope 0.1.0 wrote no word for it beside the text.
fn notice_of(text: &str) -> Option<NoticeKind> {
    let begins = [
        ("the input is UTF-16", NoticeKind::Utf16),
        ("not UTF-8 at", NoticeKind::NotUtf8),
        ("the input ends inside its array", NoticeKind::ArrayOpen),
        ("the input ends in the middle", NoticeKind::CutInValue),
        ("half a surrogate pair", NoticeKind::LoneSurrogates),
    ];
    let ends = [
        (": passed over", NoticeKind::StrayLines),
        ("; this frame was passed over", NoticeKind::FramePassedOver),
    ];
    let begun = begins.into_iter().find(|(words, _)| text.starts_with(words));
    begun.or_else(|| ends.into_iter().find(|(words, _)| text.ends_with(words))).map(|(_, kind)| kind)
}
