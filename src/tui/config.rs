//! The user's settings: one TOML file for the theme and the keys.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::PathBuf;

use ratatui::style::Color;
use serde::Deserialize;
use toml::Spanned;

use super::keymap::{BINDINGS, Binding, with_keys};
use super::theme::{Builtin, Ground, Theme};
use crate::look::Hue;

/// The settings.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    theme: Wanted,
    colours: Vec<(Hue, Color)>,
    keys: Vec<(String, Vec<String>)>,
}

/// The theme that is wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Wanted {
    /// By the background.
    #[default]
    Auto,
    /// By the background, for people who do not tell red from green.
    ColourBlind,
    /// This one.
    One(Builtin),
}

/// What is wrong with settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// Bytes of the text.
    pub at: Range<usize>,
    /// What.
    pub what: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    theme: Option<Spanned<String>>,
    #[serde(default)]
    colours: BTreeMap<Spanned<String>, Spanned<String>>,
    #[serde(default)]
    keys: BTreeMap<Spanned<String>, Keys>,
}

/// One key, or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum Keys {
    One(String),
    Several(Vec<String>),
}

impl Settings {
    /// Of a text.
    ///
    /// # Errors
    ///
    /// Everything that is wrong, with its place; of what is no TOML the first thing.
    pub fn read(text: &str) -> Result<Self, Vec<Wrong>> {
        let file: File = toml::from_str(text).map_err(|error| {
            vec![Wrong { at: error.span().unwrap_or_default(), what: error.message().replace('\n', " ") }]
        })?;
        let (mut out, mut wrong) = (Self::default(), Vec::new());
        if let Some(name) = file.theme {
            match wanted(name.get_ref()) {
                Some(theme) => out.theme = theme,
                None => wrong.push(Wrong {
                    at: name.span(),
                    what: format!("there is no theme {:?}; there are {}", name.get_ref(), themes()),
                }),
            }
        }
        for (hue, code) in &file.colours {
            match (hue_of(hue), colour_of(code)) {
                (Ok(hue), Ok(code)) => out.colours.push((hue, code)),
                (hue, code) => wrong.extend(hue.err().into_iter().chain(code.err())),
            }
        }
        out.read_keys(file.keys, &mut wrong);
        wrong.sort_by_key(|wrong| wrong.at.start);
        if wrong.is_empty() { Ok(out) } else { Err(wrong) }
    }

    fn read_keys(&mut self, keys: BTreeMap<Spanned<String>, Keys>, wrong: &mut Vec<Wrong>) {
        let mut places: Vec<(String, Range<usize>)> = Vec::new();
        for (command, keys) in keys {
            let (at, own) = (command.span(), (command.into_inner(), Vec::from(keys)));
            let single: Vec<&str> = own.1.iter().map(String::as_str).collect();
            // One after the other, so that what is wrong has its place; all together for keys bound twice.
            let alone = with_keys(&[(&own.0, single)]).err().filter(|what| !what.contains("bound twice"));
            if let Some(what) = alone {
                wrong.push(Wrong { at, what });
                continue;
            }
            places.push((own.0.clone(), at));
            self.keys.push(own);
        }
        if let Err(what) = self.bindings() {
            let named = places
                .iter()
                .find(|(name, _)| what.ends_with(name.as_str()) || what.contains(&format!(": {name} and")));
            wrong.push(Wrong { at: named.map(|(_, at)| at.clone()).unwrap_or_default(), what });
        }
    }

    /// The table of keys with the user's own.
    ///
    /// # Errors
    ///
    /// Where a key would be bound twice.
    pub fn bindings(&self) -> Result<Vec<Binding>, String> {
        let changes: Vec<(&str, Vec<&str>)> = self
            .keys
            .iter()
            .map(|(name, keys)| (name.as_str(), keys.iter().map(String::as_str).collect()))
            .collect();
        with_keys(&changes)
    }

    /// Whether the theme goes by the background.
    pub fn asks_for_ground(&self) -> bool {
        !matches!(self.theme, Wanted::One(_))
    }

    /// The theme on a ground.
    pub fn theme(&self, ground: Option<Ground>) -> Theme {
        let builtin = match self.theme {
            Wanted::Auto => Builtin::for_ground(ground),
            Wanted::ColourBlind => Builtin::colour_blind(ground),
            Wanted::One(builtin) => builtin,
        };
        self.colours.iter().fold(builtin.theme(), |theme, (hue, colour)| theme.with(*hue, *colour))
    }
}

impl From<Keys> for Vec<String> {
    fn from(keys: Keys) -> Self {
        match keys {
            Keys::One(key) => vec![key],
            Keys::Several(keys) => keys,
        }
    }
}

fn wanted(name: &str) -> Option<Wanted> {
    match name {
        "auto" => Some(Wanted::Auto),
        "colour-blind" => Some(Wanted::ColourBlind),
        _ => Builtin::ALL.iter().find(|(_, own)| *own == name).map(|(builtin, _)| Wanted::One(*builtin)),
    }
}

fn themes() -> String {
    let names: Vec<&str> = Builtin::ALL.iter().map(|(_, name)| *name).collect();
    format!("auto, colour-blind, {}", names.join(", "))
}

fn hue_of(name: &Spanned<String>) -> Result<Hue, Wrong> {
    let found = Hue::ALL.iter().find(|(_, own)| own == name.get_ref()).map(|(hue, _)| *hue);
    found.ok_or_else(|| {
        let names: Vec<&str> = Hue::ALL.iter().map(|(_, name)| *name).collect();
        let what = format!("there is no colour {:?} to set; there are {}", name.get_ref(), names.join(", "));
        Wrong { at: name.span(), what }
    })
}

fn colour_of(code: &Spanned<String>) -> Result<Color, Wrong> {
    code.get_ref().parse().map_err(|_| Wrong {
        at: code.span(),
        what: format!(
            "{:?} is no colour: write #7fc8f8, or a name such as green or light-blue",
            code.get_ref()
        ),
    })
}

/// Where the settings are: `$CITESCOPE_CONFIG`, else among the user's settings.
pub fn path() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(path) = set("CITESCOPE_CONFIG") {
        return Some(path);
    }
    let folder = if cfg!(windows) {
        set("APPDATA")?
    } else {
        set("XDG_CONFIG_HOME").or_else(|| Some(set("HOME")?.join(".config")))?
    };
    Some(folder.join("citescope").join("config.toml"))
}

/// Settings as they are without a file, with a word on each.
pub fn commented() -> String {
    let mut out = format!(
        "# Settings of citescope. What is commented out is as it is anyway.\n\n\
         # {}.\n\
         # auto and colour-blind go by the background of the terminal.\n\
         # theme = \"auto\"\n\n\
         # Colours over those of the theme: #7fc8f8, or a name of the terminal's sixteen.\n[colours]\n",
        themes()
    );
    let dark = Builtin::Dark.theme();
    for (hue, name) in Hue::ALL {
        if let Some(colour) = dark.colour(hue) {
            let _ = writeln!(out, "# {name} = \"{}\"", colour.to_string().to_lowercase());
        }
    }
    out.push_str("\n# Keys: l, Right, Ctrl-D, F5.\n[keys]\n");
    for binding in BINDINGS.iter() {
        let keys: Vec<String> = binding.written().iter().map(|key| format!("{key:?}")).collect();
        let _ = writeln!(out, "# {} = [{}]  # {}", binding.name(), keys.join(", "), binding.doc);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::look::Role;

    #[test]
    fn what_is_written_for_the_user_is_read_with_and_without_its_comments() {
        let text = commented();
        assert!(Settings::read(&text).is_ok());
        let bare: String = text
            .lines()
            .map(|line| line.strip_prefix("# ").filter(|rest| rest.contains(" = ")).unwrap_or(line))
            .map(|line| format!("{line}\n"))
            .collect();
        let settings = Settings::read(&bare).unwrap_or_else(|wrong| panic!("{wrong:?}\n{bare}"));
        assert_eq!(settings.keys.len(), BINDINGS.len());
    }

    #[test]
    fn what_is_wrong_has_its_place() {
        let wrong = |text: &str| {
            let wrong = Settings::read(text).unwrap_err();
            let [Wrong { at, what }] = &wrong[..] else { panic!("{wrong:?}") };
            (text.get(at.clone()).unwrap().to_owned(), what.clone())
        };
        assert_eq!(wrong("theme = \"drak\"").0, "\"drak\"");
        assert_eq!(wrong("[colours]\ngood = \"grün\"").0, "\"grün\"");
        assert_eq!(wrong("[colours]\ngod = \"green\"").0, "god");
        assert_eq!(wrong("[keys]\nnext-clam = [\"l\"]").0, "next-clam");
        assert!(wrong("[keys]\nquit = [\"Rihgt\"]").1.starts_with("there is no key \"Rihgt\""));
        assert_eq!(
            wrong("[keys]\nquit = \"l\""),
            ("quit".to_owned(), "l is bound twice: next-claim and quit".to_owned())
        );
        assert!(wrong("them = \"dark\"").1.contains("unknown field"));
    }

    #[test]
    fn a_colour_of_ones_own_lies_over_the_theme() {
        let settings = Settings::read("theme = \"light\"\n[colours]\ngood = \"#123456\"\n").unwrap();
        let theme = settings.theme(Some(Ground::Dark));
        assert_eq!(theme.style(Role::Good).fg, Some(Color::Rgb(0x12, 0x34, 0x56)));
        assert_eq!(theme.colour(Hue::Fault), Builtin::Light.theme().colour(Hue::Fault));
    }
}
