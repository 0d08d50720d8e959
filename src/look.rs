//! The one table of what things look like: severities, outcomes and roles to signs, colours, SGR sequences
//! and CSS classes. The screen, ANSI text and HTML take their looks from here. It knows no terminal: the
//! screen's theme maps its colours and effects.

use crate::check::Severity;
use crate::evidence::Outcome;

/// How good news is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// All is as it should be.
    Good,
    /// Neither good nor bad.
    Plain,
    /// There is nothing to say, or it is only worth knowing.
    Quiet,
    /// Something is probably not what was meant.
    Warning,
    /// Something is wrong, or failed.
    Error,
}

impl Tone {
    /// The sign before a sentence: tones differ without colour, too.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Good => "✓",
            Self::Plain | Self::Quiet => "·",
            Self::Warning => "!",
            Self::Error => "✗",
        }
    }

    /// What a sentence in this tone is drawn as.
    pub fn role(self) -> Role {
        match self {
            Self::Good => Role::Good,
            Self::Plain => Role::Plain,
            Self::Quiet => Role::Dim,
            Self::Warning => Role::Warning,
            Self::Error => Role::Error,
        }
    }

    /// What a heading in this tone is drawn as: a note that heads a paragraph is not dimmed.
    pub fn heading(self) -> Role {
        if self == Self::Quiet { Role::Key } else { self.role() }
    }

    /// The class in the HTML page.
    pub fn class(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Plain | Self::Quiet => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl From<Severity> for Tone {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Error => Self::Error,
            Severity::Warning => Self::Warning,
            Severity::Note => Self::Quiet,
        }
    }
}

impl From<Outcome> for Tone {
    /// Less wording than expected is no fault: models paraphrase.
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Found => Self::Good,
            Outcome::Partly | Outcome::Little => Self::Plain,
            Outcome::OtherChunk | Outcome::NumberMissing => Self::Warning,
            Outcome::Unchecked(_) => Self::Quiet,
        }
    }
}

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Ordinary text.
    Plain,
    /// Secondary text.
    Dim,
    /// Names and headings.
    Strong,
    /// A number in brackets, a mark in the answer, a key that works now.
    Key,
    /// An address.
    Address,
    /// The lines round an excerpt of a report.
    Frame,
    /// The title of the pane that has the keys.
    Focus,
    /// An error.
    Error,
    /// A warning.
    Warning,
    /// Something good.
    Good,
    /// A span of the answer.
    Span,
    /// Every other span, so that neighbours differ.
    SpanOther,
    /// A span that rests on nothing: it cites no source that is there.
    SpanBare,
    /// A span whose place is not the one sent.
    SpanMoved,
    /// The selected span.
    Selected,
    /// What a search found.
    Match,
    /// A word of the claim that no cited chunk has.
    Absent,
    /// A number of the claim that no cited chunk has.
    AbsentNumber,
    /// The passage that fits the claim best.
    Window,
    /// A word of the claim in that passage.
    Shared,
    /// A further passage that is worth a look.
    Further,
    /// A word of the claim in that one.
    SharedFurther,
    /// Text that a filter leaves out.
    Faded,
}

/// Colours: the terminal's own, so that light and dark schemes both work. Yellow is not among them: on white
/// it cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// That of ordinary text, whatever lies under it.
    Ordinary,
    /// Red.
    Red,
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// Magenta.
    Magenta,
    /// Cyan.
    Cyan,
}

/// What carries a meaning without colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Heavier.
    Bold,
    /// Fainter.
    Dim,
    /// Slanted.
    Italic,
    /// Underlined.
    Underlined,
    /// Text and background exchanged.
    Reversed,
}

/// The look of a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// On the screen.
    pub colour: Option<Colour>,
    /// On the screen, with colour or without.
    pub effects: &'static [Effect],
    /// In text for a terminal; empty for what occurs on the screen only.
    pub sgr: &'static str,
}

impl Role {
    /// Its row in the table.
    pub const fn look(self) -> Look {
        use Colour::{Blue, Cyan, Green, Magenta, Ordinary, Red};
        use Effect::{Bold, Dim, Italic, Reversed, Underlined};
        match self {
            Self::Plain => look(None, &[], ""),
            Self::Dim => look(None, &[Dim], "2"),
            Self::Strong => look(None, &[Bold], "1"),
            Self::Key => look(Some(Cyan), &[Bold], "1;36"),
            Self::Address => look(Some(Cyan), &[], "36"),
            Self::Frame => look(Some(Blue), &[Bold], "1;34"),
            Self::Focus => look(None, &[Bold, Reversed], ""),
            Self::Error => look(Some(Red), &[Bold, Reversed], "1;31"),
            Self::Warning => look(Some(Magenta), &[Bold], "1;35"),
            Self::Good => look(Some(Green), &[], "32"),
            Self::Span => look(Some(Cyan), &[Underlined], "4"),
            Self::SpanOther => look(None, &[Underlined], ""),
            Self::SpanBare | Self::Faded => look(None, &[Dim], ""),
            Self::SpanMoved => look(Some(Magenta), &[Underlined, Italic], ""),
            Self::Selected => look(Some(Ordinary), &[Reversed, Bold], ""),
            Self::Match => look(Some(Magenta), &[Reversed, Underlined], ""),
            Self::Absent => look(Some(Magenta), &[Reversed, Underlined, Italic], ""),
            // Differs from the selection around it without colour, too.
            Self::AbsentNumber => look(Some(Red), &[Bold, Reversed, Italic], ""),
            Self::Window => look(None, &[Bold], ""),
            Self::Shared => look(Some(Green), &[Bold, Underlined], ""),
            Self::Further => look(None, &[Italic], ""),
            Self::SharedFurther => look(Some(Green), &[Italic, Underlined], ""),
        }
    }
}

const fn look(colour: Option<Colour>, effects: &'static [Effect], sgr: &'static str) -> Look {
    Look { colour, effects, sgr }
}

/// Whether text for a terminal is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    /// No escape sequences.
    Plain,
    /// SGR sequences, closed at each end of a line.
    Sgr,
}

impl Paint {
    /// A piece of one line as what it is.
    pub fn piece(self, role: Role, text: &str) -> String {
        let sgr = role.look().sgr;
        if self == Self::Plain || text.is_empty() || sgr.is_empty() {
            text.to_owned()
        } else {
            format!("\u{1b}[{sgr}m{text}\u{1b}[0m")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_has_one_look() {
        let warning = Tone::from(Severity::Warning);
        assert_eq!((warning.sign(), warning.class()), ("!", "warning"));
        assert_eq!((warning.role(), warning.heading()), (Role::Warning, Role::Warning));
        assert_eq!(Paint::Sgr.piece(Role::Warning, "warning"), "\u{1b}[1;35mwarning\u{1b}[0m");
        assert_eq!(Role::Warning.look().colour, Some(Colour::Magenta));
    }

    #[test]
    fn what_is_drawn_in_tones_has_a_look_in_text() {
        for tone in [Tone::Good, Tone::Quiet, Tone::Warning, Tone::Error] {
            assert!(!tone.role().look().sgr.is_empty() && !tone.heading().look().sgr.is_empty(), "{tone:?}");
        }
    }
}
