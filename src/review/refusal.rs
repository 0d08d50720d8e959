//! Why a support is left as it is by repairs.

/// Why a support is left as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The quote was shortened.
    Elided,
    /// What the offsets name begins with the quote and goes on: it may have been cut short.
    Cut,
    /// The quote occurs several times.
    Ambiguous,
    /// The quote occurs nowhere, or there is nothing at its offsets.
    Gone,
    /// The quote occurs only with other white space, or letters composed otherwise.
    Folded,
    /// Offsets outside the text or inside a character, and no quote.
    Clamped,
    /// No quote and no reserved blank proves the reading.
    Unproven,
    /// It counts in a part that is not there, or an offset is no number: more than offsets would have to
    /// change.
    Unnumbered,
    /// Its mark stands in another part than the one that it was sent with.
    Elsewhere,
    /// Characters before it were lost on the way: its offsets count the text that was sent.
    Damaged,
    /// The input has no place for its numbers.
    Placeless,
    /// Its numbers stand in several messages of a stream, all of which would have to change.
    Streamed,
    /// Its offsets fit the line in which it stands alone: that the lines are one stream is not certain.
    OfItsLine,
    /// It came with a piece of a turn, and may count over what was said before.
    OfAPiece,
    /// Nothing of a stream fits as it was sent, and all counts on alike from something before.
    NoBeginning,
    /// The response before it in the input has no end: this may be the rest of it.
    AfterAPiece,
    /// Its offsets fit the text from a later piece on: what stands before it may be another response.
    OfALaterPiece,
    /// The quotes of its stream stand in another order than their offsets: pieces may be missing or out of
    /// order.
    Disordered,
    /// It is off by as much as pieces of its stream are long: some may have come twice, or in another order.
    OfAPieceMore,
    /// It counts on from a piece that may be missing before it.
    OfAPieceLess,
    /// Its end is the last one of its quote, as the format documents ends, and its start is not the first.
    OfAnEnd,
    /// Its quote stands elsewhere only where another support has it, as it was sent or moved less far.
    Taken,
    /// The words at its offsets are its quote but for case, accents or signs.
    Alike,
    /// A mark with its address stands elsewhere, and is not as long as what its offsets name.
    OtherLength,
    /// Its offsets end before the mark with its address, or soon behind its beginning.
    BeforeItsMark,
    /// A piece of its stream could not be read, or what others quote is missing: its offsets may fit the text
    /// that was sent.
    Interrupted,
    /// Read again, the result is not what was meant: the same numbers were sent more than once, for instance.
    Resent,
}

impl Refusal {
    /// The reason in words, after "support 3 is left: ".
    pub fn words(self) -> &'static str {
        match self {
            Self::Elided => "its quote was shortened, so that its end is not certain",
            Self::Cut => {
                "what its offsets name begins with its quote and goes on: the quote may have been cut short"
            }
            Self::Ambiguous => "its quote occurs several times",
            Self::Gone => "its quote is nowhere in the answer",
            Self::Folded => "its quote occurs only with other white space, or letters composed otherwise",
            Self::Clamped => "its offsets name no place, and it has no quote to look for",
            Self::Unproven => "it has no quote that proves where it belongs",
            Self::Unnumbered => "its part or its offsets cannot be read, which new offsets do not mend",
            Self::Elsewhere => "its mark stands in another part of the content, which offsets cannot name",
            Self::Damaged => {
                "characters before it were lost (U+FFFD): its offsets may fit the text that was sent"
            }
            Self::Streamed => "its numbers stand in several messages of a stream",
            Self::OfItsLine => {
                "its offsets fit the text of its own line: the lines around it may be other responses"
            }
            Self::OfAPiece => {
                "it came with a piece of a turn: its offsets may count over what was said before"
            }
            Self::NoBeginning => {
                "no offset of the stream fits and all are off alike: its beginning may be missing"
            }
            Self::AfterAPiece => "the response before it has no end: this may be the rest of it",
            Self::OfALaterPiece => {
                "its offsets fit the text from a later piece on: what stands before that may be another response"
            }
            Self::Disordered => {
                "the quotes of the stream stand in another order than their offsets: pieces of it may be missing"
            }
            Self::OfAPieceMore => {
                "it is off by as much as pieces of the stream are long: some may have come twice or out of order"
            }
            Self::OfAnEnd => "its end is right as the format documents it, and only by its start it is off",
            Self::Taken => "its quote stands only where another support has it",
            Self::Alike => "the words at its offsets are its quote but for case, accents or signs",
            Self::OfAPieceLess => "its offsets count on from where a piece of the stream may be missing",
            Self::OtherLength => {
                "the mark with its address is of another length than what its offsets name: these may name the claim"
            }
            Self::BeforeItsMark => {
                "its offsets end before the mark with its address: they may name the claim"
            }
            Self::Interrupted => {
                "a piece of the text is missing or could not be read: its offsets may fit what was sent"
            }
            Self::Placeless => "its segment has no place for both offsets",
            Self::Resent => {
                "its repair did not hold when it was read again (was the same metadata sent more than once?)"
            }
        }
    }
}
