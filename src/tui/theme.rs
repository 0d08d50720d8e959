//! Styles of the screen. What things look like stands in [`crate::look`]; here its colours and effects become
//! the terminal's.

use ratatui::style::{Color, Modifier, Style};

use crate::look::{Colour, Effect, Role};

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
        let look = role.look();
        let style =
            look.effects.iter().fold(Style::new(), |style, &effect| style.add_modifier(modifier(effect)));
        match (self, look.colour) {
            (Self::Colour, Some(own)) => style.fg(colour(own)),
            _ => style,
        }
    }
}

fn modifier(effect: Effect) -> Modifier {
    match effect {
        Effect::Bold => Modifier::BOLD,
        Effect::Dim => Modifier::DIM,
        Effect::Italic => Modifier::ITALIC,
        Effect::Underlined => Modifier::UNDERLINED,
        Effect::Reversed => Modifier::REVERSED,
    }
}

fn colour(colour: Colour) -> Color {
    match colour {
        Colour::Ordinary => Color::Reset,
        Colour::Red => Color::Red,
        Colour::Green => Color::Green,
        Colour::Blue => Color::Blue,
        Colour::Magenta => Color::Magenta,
        Colour::Cyan => Color::Cyan,
    }
}
