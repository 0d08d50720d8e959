//! Themes: a colour for each hue of [`crate::look`], of the terminal's sixteen or of its own.

use ratatui::style::{Color, Modifier, Style};

use crate::look::{Effect, Hue, Role};

/// A theme: what each hue is drawn in. A hue without a colour is told by effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    colours: [Option<Color>; Hue::ALL.len()],
}

/// The ground that a theme is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// Light text on dark.
    Dark,
    /// Dark text on light.
    Light,
}

/// A theme that comes with the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Builtin {
    /// The terminal's own sixteen colours: good on any ground.
    Terminal,
    /// For dark grounds.
    Dark,
    /// For light grounds.
    Light,
    /// Blue, orange and pink on dark grounds.
    ColourBlindDark,
    /// Blue, orange and purple on light grounds.
    ColourBlindLight,
    /// Effects only.
    Mono,
}

impl Builtin {
    /// All of them, with their names.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Terminal, "terminal"),
        (Self::Dark, "dark"),
        (Self::Light, "light"),
        (Self::ColourBlindDark, "colour-blind-dark"),
        (Self::ColourBlindLight, "colour-blind-light"),
        (Self::Mono, "mono"),
    ];

    /// The theme for a ground, if that is known: the terminal's own colours else.
    pub fn for_ground(ground: Option<Ground>) -> Self {
        match ground {
            Some(Ground::Dark) => Self::Dark,
            Some(Ground::Light) => Self::Light,
            None => Self::Terminal,
        }
    }

    /// The one for people who do not tell red from green.
    pub fn colour_blind(ground: Option<Ground>) -> Self {
        if ground == Some(Ground::Light) { Self::ColourBlindLight } else { Self::ColourBlindDark }
    }

    /// Its colours.
    pub fn theme(self) -> Theme {
        let of = |codes: &str| {
            let mut colours = codes.split(' ').map(|code| code.parse().ok());
            Theme { colours: [(); Hue::ALL.len()].map(|()| colours.next().flatten()) }
        };
        match self {
            Self::Terminal => Theme::terminal(),
            Self::Mono => Theme { colours: [None; Hue::ALL.len()] },
            // Text, quiet, accent, good, doubt, fault, selection, match, text of matches.
            Self::Dark => of("#f4f4f4 #a6a6a6 #7fc8f8 #8ccb90 #e9bc6b #ff8a8a \
                 #2a3550 #e6d04c #000000"),
            Self::Light => of("#101010 #595959 #00549a #17662c #804b00 #ab0019 \
                 #d6e4f5 #f5d90a #000000"),
            Self::ColourBlindDark => of("#f4f4f4 #a6a6a6 #d8d8d8 #74bbf5 #f2b443 #ff9bdd \
                 #2a3550 #e6d04c #000000"),
            Self::ColourBlindLight => of("#101010 #595959 #303030 #00549a #804b00 #9a0076 \
                 #d6e4f5 #f5d90a #000000"),
        }
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self::terminal()
    }
}

impl Theme {
    /// Yellow is not among them: on white it cannot be read.
    const fn terminal() -> Self {
        let colours = [
            None,
            None,
            Some(Color::Cyan),
            Some(Color::Green),
            Some(Color::Magenta),
            Some(Color::Red),
            None,
            None,
            None,
        ];
        Self { colours }
    }

    /// The colour of a hue.
    pub fn colour(&self, hue: Hue) -> Option<Color> {
        self.colours.get(hue as usize).copied().flatten()
    }

    /// With another colour for a hue.
    pub fn with(mut self, hue: Hue, colour: Color) -> Self {
        if let Some(slot) = self.colours.get_mut(hue as usize) {
            *slot = Some(colour);
        }
        self
    }

    /// The style of a role.
    pub fn style(&self, role: Role) -> Style {
        let look = role.look();
        let ground = look.ground.map(|hue| self.colour(hue));
        let hue = look.hue.and_then(|hue| self.colour(hue));
        let told = ground.map_or(hue.is_some() || look.hue.is_none(), |ground| ground.is_some());
        let effects = if told { look.effects } else { look.instead };
        let mut style =
            effects.iter().fold(Style::new(), |style, &effect| style.add_modifier(modifier(effect)));
        if let Some(hue) = hue {
            style = style.fg(hue);
        }
        match ground {
            Some(Some(ground)) => style.bg(ground),
            // What lies under it shows by its effects alone.
            Some(None) => style.fg(Color::Reset),
            None => style,
        }
    }
}

fn modifier(effect: Effect) -> Modifier {
    match effect {
        Effect::Bold => Modifier::BOLD,
        Effect::Dim => Modifier::DIM,
        Effect::Italic => Modifier::ITALIC,
        Effect::Underlined => Modifier::UNDERLINED,
        Effect::Struck => Modifier::CROSSED_OUT,
        Effect::Reversed => Modifier::REVERSED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance and contrast, as WCAG 2 has them.
    fn luminance(colour: Color) -> f64 {
        let Color::Rgb(red, green, blue) = colour else { panic!("{colour:?}") };
        let linear = |byte: u8| {
            let share = f64::from(byte) / 255.0;
            if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    fn contrast(one: Color, other: Color) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn everything_can_be_read_on_every_ground_that_a_theme_is_made_for() {
        let colour = |code: &str| code.parse::<Color>().unwrap();
        assert!((contrast(colour("#ffffff"), colour("#000000")) - 21.0).abs() < 1e-9);
        let themes = [
            (Builtin::Dark, ["#000000", "#2b2b2b"]),
            (Builtin::ColourBlindDark, ["#000000", "#2b2b2b"]),
            (Builtin::Light, ["#ffffff", "#eeeeee"]),
            (Builtin::ColourBlindLight, ["#ffffff", "#eeeeee"]),
        ];
        for (builtin, grounds) in themes {
            let theme = builtin.theme();
            let hue = |hue| theme.colour(hue).unwrap();
            let selection = hue(Hue::Selection);
            for text in [Hue::Text, Hue::Quiet, Hue::Accent, Hue::Good, Hue::Doubt, Hue::Fault] {
                for ground in grounds.map(colour).into_iter().chain([selection]) {
                    let found = contrast(hue(text), ground);
                    assert!(found >= 4.5, "{builtin:?} {text:?} on {ground:?}: {found:.2}");
                }
            }
            assert!(contrast(hue(Hue::MatchText), hue(Hue::Match)) >= 4.5);
        }
    }

    #[test]
    fn without_colour_the_selection_is_reversed_and_with_it_only_its_ground_differs() {
        let mono = Builtin::Mono.theme().style(Role::Selected);
        assert!(mono.add_modifier.contains(Modifier::REVERSED) && mono.bg.is_none());
        let dark = Builtin::Dark.theme().style(Role::Selected);
        assert!(dark.add_modifier.is_empty() && dark.bg == Some(Color::Rgb(0x2A, 0x35, 0x50)));
        let terminal = Builtin::Terminal.theme().style(Role::Selected);
        assert!(terminal.add_modifier.contains(Modifier::REVERSED));
    }

    #[test]
    fn what_states_look_like_differs_without_colour() {
        let mono = Builtin::Mono.theme();
        let styles = [Role::Fault, Role::Doubt, Role::Partly, Role::Unchecked].map(|role| mono.style(role));
        for (number, style) in styles.iter().enumerate() {
            assert!(!styles[..number].contains(style), "{style:?}");
        }
    }
}
