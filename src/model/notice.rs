//! Notices: what was mended of an input, or passed over, while it was read.

use std::fmt;

use super::words::words;

words! {
    /// Kinds of [`Notice`].
    #[non_exhaustive]
    pub enum NoticeKind {
        /// UTF-16.
        Utf16 = "utf16",
        /// Bytes that are no character.
        NotUtf8 = "not-utf8",
        /// Lines of a stream that carry nothing.
        StrayLines = "stray-lines",
        /// An array without its end.
        ArrayOpen = "array-open",
        /// A value without its end; reported as a truncated stream.
        CutInValue = "cut-in-value",
        /// Half a surrogate pair.
        LoneSurrogates = "lone-surrogates",
        /// A frame that could not be read.
        FramePassedOver = "frame-passed-over",
    }
}

/// What was mended or passed over. Its text is for people: `Display`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// The input is UTF-16.
    Utf16,
    /// Bytes that are no character; the first.
    NotUtf8 {
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// Byte of the line, from 0.
        byte: usize,
    },
    /// Lines of a stream that are neither a field nor a comment.
    StrayLines {
        /// How many.
        count: usize,
        /// The beginning of the first one.
        first: String,
    },
    /// The input ends inside its array.
    ArrayOpen,
    /// The input ends in the middle of a value.
    CutInValue,
    /// Escapes of half a surrogate pair.
    LoneSurrogates,
    /// A frame that could not be read.
    FramePassedOver {
        /// Its number in the record, from 0.
        frame: u32,
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// Why, in words.
        what: String,
    },
}

impl Notice {
    /// Which kind.
    pub fn kind(&self) -> NoticeKind {
        match self {
            Self::Utf16 => NoticeKind::Utf16,
            Self::NotUtf8 { .. } => NoticeKind::NotUtf8,
            Self::StrayLines { .. } => NoticeKind::StrayLines,
            Self::ArrayOpen => NoticeKind::ArrayOpen,
            Self::CutInValue => NoticeKind::CutInValue,
            Self::LoneSurrogates => NoticeKind::LoneSurrogates,
            Self::FramePassedOver { .. } => NoticeKind::FramePassedOver,
        }
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Utf16 => f.write_str("the input is UTF-16; it was read as UTF-8, places count in that"),
            Self::NotUtf8 { line, column, byte } => write!(
                f,
                "not UTF-8 at {line}:{column} (byte {byte}): bytes that are no character read as U+FFFD; \
                 offsets behind them may not fit"
            ),
            Self::StrayLines { count, first } => {
                let lines = if *count == 1 { "line is" } else { "lines are" };
                let what = if *count == 1 { "" } else { "first " };
                write!(
                    f,
                    "{count} {lines} neither an event field nor a comment ({what}{first:?}): passed over"
                )
            }
            Self::ArrayOpen => f.write_str("the input ends inside its array: what follows is missing"),
            Self::CutInValue => {
                f.write_str("the input ends in the middle of a value: what came before is shown")
            }
            Self::LoneSurrogates => {
                f.write_str("half a surrogate pair (\\ud83d without its other half) read as U+FFFD")
            }
            Self::FramePassedOver { line, column, what, .. } => {
                write!(f, "{line}:{column}: {what}; this frame was passed over")
            }
        }
    }
}
