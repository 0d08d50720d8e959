//! What things look like. Views name roles; only this page knows colours: the terminal's own 16, so that light and
//! dark schemes both work, and modifiers that carry the meaning without colour.

use ratatui::style::{Color, Modifier, Style};

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Ordinary text.
    Plain,
    /// Secondary text.
    Dim,
    /// Names and headings.
    Strong,
    /// A number in brackets, a key that works now.
    Key,
    /// An address.
    Address,
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
    /// Every other span, so that neighbours can be told apart.
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

/// A set of styles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// The terminal's colours.
    #[default]
    Colour,
    /// Modifiers only (`NO_COLOR`).
    Mono,
}

impl Theme {
    /// The style of a role.
    pub fn style(self, role: Role) -> Style {
        let style = modifiers(role);
        match (self, colour(role)) {
            (Self::Colour, Some(colour)) => style.fg(colour),
            _ => style,
        }
    }
}

fn modifiers(role: Role) -> Style {
    let plain = Style::new();
    match role {
        Role::Plain | Role::Good | Role::Address => plain,
        Role::Dim | Role::Faded | Role::SpanBare => plain.add_modifier(Modifier::DIM),
        Role::Strong | Role::Key | Role::Warning | Role::Window => plain.add_modifier(Modifier::BOLD),
        Role::Absent => plain.add_modifier(Modifier::REVERSED | Modifier::UNDERLINED | Modifier::ITALIC),
        Role::Further => plain.add_modifier(Modifier::ITALIC),
        Role::SharedFurther => plain.add_modifier(Modifier::ITALIC | Modifier::UNDERLINED),
        Role::Shared => plain.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
        Role::Focus | Role::Error => plain.add_modifier(Modifier::BOLD | Modifier::REVERSED),
        // Told from the selection around it without colour, too.
        Role::AbsentNumber => plain.add_modifier(Modifier::BOLD | Modifier::REVERSED | Modifier::ITALIC),
        Role::Span | Role::SpanOther => plain.add_modifier(Modifier::UNDERLINED),
        Role::SpanMoved => plain.add_modifier(Modifier::UNDERLINED | Modifier::ITALIC),
        Role::Selected => plain.add_modifier(Modifier::REVERSED | Modifier::BOLD),
        Role::Match => plain.add_modifier(Modifier::REVERSED | Modifier::UNDERLINED),
    }
}

fn colour(role: Role) -> Option<Color> {
    match role {
        // One look for every selection, whatever lies under it.
        Role::Selected => Some(Color::Reset),
        Role::Key | Role::Span | Role::Address => Some(Color::Cyan),
        Role::Warning | Role::SpanMoved | Role::Match | Role::Absent => Some(Color::Magenta),
        Role::Error | Role::AbsentNumber => Some(Color::Red),
        Role::Good | Role::Shared | Role::SharedFurther => Some(Color::Green),
        _ => None,
    }
}
