//! The one table of what things look like: severities, outcomes and roles to signs, colours, SGR sequences
//! and CSS classes. The screen, ANSI text and HTML take their looks from here. It knows no terminal: a theme
//! of the screen has a colour for each hue.

use crate::check::Severity;
use crate::evidence::Outcome;

/// How good news is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
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
    pub const fn sign(self) -> &'static str {
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

    /// The worse of two.
    pub fn worse(one: Self, other: Self) -> Self {
        if one as u8 >= other as u8 { one } else { other }
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
#[non_exhaustive]
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
    /// What Markdown sets off by slanting.
    Emphasis,
    /// What Markdown strikes out.
    Struck,
    /// Code.
    Code,
    /// A claim whose offset or index is wrong.
    Fault,
    /// A claim that another source fits better, or with a number that is missing.
    Doubt,
    /// A claim of which part of the wording was found.
    Partly,
    /// A sentence that cites nothing.
    Uncited,
    /// A claim that nothing could be compared with.
    Unchecked,
    /// A span of the answer.
    Span,
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

/// What a colour says. Hue says state and nothing else; one accent says where the keys go; search hits have a
/// ground of their own, and so has the selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hue {
    /// Ordinary text where a ground lies under it.
    Text,
    /// What is there to be passed over: addresses, rules, labels.
    Quiet,
    /// Keys, numbers, the cursor, the pane that has the keys.
    Accent,
    /// The wording was found; all is as it should be.
    Good,
    /// Something is probably not what was meant.
    Doubt,
    /// Something is wrong, or failed.
    Fault,
    /// The ground of the selection.
    Selection,
    /// The ground of what a search found.
    Match,
    /// Text on that ground.
    MatchText,
}

impl Hue {
    /// All of them, with their names in a theme.
    pub const ALL: [(Self, &'static str); 9] = [
        (Self::Text, "text"),
        (Self::Quiet, "quiet"),
        (Self::Accent, "accent"),
        (Self::Good, "good"),
        (Self::Doubt, "doubt"),
        (Self::Fault, "fault"),
        (Self::Selection, "selection"),
        (Self::Match, "match"),
        (Self::MatchText, "match-text"),
    ];
}

/// What carries a meaning without colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effect {
    /// Heavier.
    Bold,
    /// Fainter.
    Dim,
    /// Slanted.
    Italic,
    /// Underlined.
    Underlined,
    /// Struck out.
    Struck,
    /// Text and background exchanged.
    Reversed,
}

/// The look of a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Of the text on the screen.
    pub hue: Option<Hue>,
    /// Under the text.
    pub ground: Option<Hue>,
    /// On the screen, with colour or without.
    pub effects: &'static [Effect],
    /// On the screen, where a theme has no colour for the ground, or else for the hue.
    pub instead: &'static [Effect],
    /// In text for a terminal; empty for what occurs on the screen only.
    pub sgr: &'static str,
}

impl Role {
    /// Its row in the table.
    pub const fn look(self) -> Look {
        use Effect::{Bold, Dim, Italic, Reversed, Struck, Underlined};
        use Hue::{Accent, Doubt, Fault, Good, Quiet};
        match self {
            Self::Plain | Self::Code | Self::Partly => look(None, &[], ""),
            Self::Dim => of(Quiet, &[], &[Dim], "2"),
            Self::Strong => look(None, &[Bold], "1"),
            Self::Emphasis => look(None, &[Italic], "3"),
            Self::Struck => look(None, &[Struck], "9"),
            Self::Key => look(Some(Accent), &[Bold], "1;36"),
            Self::Address => of(Quiet, &[], &[Dim], "36"),
            Self::Frame => look(Some(Accent), &[Bold], "1;34"),
            Self::Focus => look(Some(Accent), &[Bold, Reversed], ""),
            Self::Error => of(Fault, &[Bold], &[Bold, Reversed], "1;31"),
            Self::Warning => look(Some(Doubt), &[Bold], "1;35"),
            Self::Good => look(Some(Good), &[], "32"),
            Self::Fault => of(Fault, &[Bold], &[Bold, Reversed], ""),
            Self::Doubt => look(Some(Doubt), &[Bold], ""),
            Self::Span => look(None, &[Underlined], "4"),
            Self::Uncited | Self::Unchecked | Self::SpanBare | Self::Faded => of(Quiet, &[], &[Dim], ""),
            Self::SpanMoved => look(Some(Doubt), &[Underlined, Italic], ""),
            Self::Selected => ground(Hue::Selection, Hue::Text, &[], &[Reversed, Bold]),
            Self::Match => ground(Hue::Match, Hue::MatchText, &[Underlined], &[Reversed, Underlined]),
            Self::Absent => of(Doubt, &[Underlined, Italic], &[Underlined, Italic], ""),
            // Differs from the selection around it without colour, too.
            Self::AbsentNumber => of(Fault, &[Bold, Underlined, Italic], &[Bold, Reversed, Italic], ""),
            Self::Window => look(None, &[Bold], ""),
            Self::Shared => look(Some(Good), &[Bold, Underlined], ""),
            Self::Further => look(None, &[Italic], ""),
            Self::SharedFurther => look(Some(Good), &[Italic, Underlined], ""),
        }
    }
}

const fn look(hue: Option<Hue>, effects: &'static [Effect], sgr: &'static str) -> Look {
    Look { hue, ground: None, effects, instead: effects, sgr }
}

/// A look that needs another effect where its hue is not there.
const fn of(hue: Hue, effects: &'static [Effect], instead: &'static [Effect], sgr: &'static str) -> Look {
    Look { hue: Some(hue), ground: None, effects, instead, sgr }
}

const fn ground(ground: Hue, hue: Hue, effects: &'static [Effect], instead: &'static [Effect]) -> Look {
    Look { hue: Some(hue), ground: Some(ground), effects, instead, sgr: "" }
}

/// Whether text for a terminal is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
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
        assert_eq!(Role::Warning.look().hue, Some(Hue::Doubt));
    }

    #[test]
    fn what_is_drawn_in_tones_has_a_look_in_text() {
        for tone in [Tone::Good, Tone::Quiet, Tone::Warning, Tone::Error] {
            assert!(!tone.role().look().sgr.is_empty() && !tone.heading().look().sgr.is_empty(), "{tone:?}");
        }
    }
}
