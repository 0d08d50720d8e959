//! Keys, how they are written on the screen and in settings.

use crossterm::event::{KeyCode, KeyModifiers};

/// A key with what is held down.
pub(super) type Key = (KeyCode, KeyModifiers);

/// Keys with a name.
const NAMED: &[(KeyCode, &str, &str)] = &[
    (KeyCode::Right, "→", "Right"),
    (KeyCode::Left, "←", "Left"),
    (KeyCode::Up, "↑", "Up"),
    (KeyCode::Down, "↓", "Down"),
    (KeyCode::Home, "Home", "Home"),
    (KeyCode::End, "End", "End"),
    (KeyCode::PageDown, "PgDn", "PgDn"),
    (KeyCode::PageUp, "PgUp", "PgUp"),
    (KeyCode::Tab, "Tab", "Tab"),
    (KeyCode::BackTab, "Shift-Tab", "Shift-Tab"),
    (KeyCode::Enter, "Enter", "Enter"),
    (KeyCode::Esc, "Esc", "Esc"),
    (KeyCode::Backspace, "Backspace", "Backspace"),
    (KeyCode::Delete, "Delete", "Delete"),
    (KeyCode::Char(' '), "Space", "Space"),
];

/// How a key is written.
pub(super) fn written((code, modifiers): Key) -> String {
    let control = if modifiers.contains(KeyModifiers::CONTROL) { "Ctrl-" } else { "" };
    let alt = if modifiers.contains(KeyModifiers::ALT) { "Alt-" } else { "" };
    let named = NAMED.iter().find(|(known, ..)| *known == code).map(|(_, sign, _)| (*sign).to_owned());
    let key = named.unwrap_or_else(|| match code {
        KeyCode::Char(c) if modifiers.contains(KeyModifiers::CONTROL) => c.to_ascii_uppercase().to_string(),
        KeyCode::Char(c) => c.to_string(),
        KeyCode::F(number) => format!("F{number}"),
        other => format!("{other:?}"),
    });
    format!("{control}{alt}{key}")
}

/// A key by its name in settings: `l`, `Right`, `Ctrl-D`, `F5`.
pub(super) fn named_key(name: &str) -> Option<Key> {
    let mut modifiers = KeyModifiers::NONE;
    let mut rest = name;
    for (prefix, modifier) in [("Ctrl-", KeyModifiers::CONTROL), ("Alt-", KeyModifiers::ALT)] {
        if let Some(without) = rest.strip_prefix(prefix).filter(|without| !without.is_empty()) {
            (rest, modifiers) = (without, modifiers | modifier);
        }
    }
    if let Some((code, ..)) = NAMED.iter().find(|(_, sign, own)| *own == rest || *sign == rest) {
        return Some((*code, modifiers));
    }
    let mut chars = rest.chars();
    match (chars.next()?, chars.as_str()) {
        (c, "") if modifiers.contains(KeyModifiers::CONTROL) => {
            Some((KeyCode::Char(c.to_ascii_lowercase()), modifiers))
        }
        (c, "") => Some((KeyCode::Char(c), modifiers)),
        ('F', number) => {
            number.parse().ok().filter(|number| *number <= 12).map(|number| (KeyCode::F(number), modifiers))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let all = [
            ("l", (KeyCode::Char('l'), KeyModifiers::NONE)),
            ("L", (KeyCode::Char('L'), KeyModifiers::NONE)),
            ("→", (KeyCode::Right, KeyModifiers::NONE)),
            ("Ctrl-D", (KeyCode::Char('d'), KeyModifiers::CONTROL)),
            ("Alt-x", (KeyCode::Char('x'), KeyModifiers::ALT)),
            ("F5", (KeyCode::F(5), KeyModifiers::NONE)),
            ("Space", (KeyCode::Char(' '), KeyModifiers::NONE)),
            ("-", (KeyCode::Char('-'), KeyModifiers::NONE)),
        ];
        for (name, key) in all {
            assert_eq!((named_key(name), written(key)), (Some(key), name.to_owned()));
        }
        assert_eq!(named_key("Right"), Some((KeyCode::Right, KeyModifiers::NONE)));
        assert_eq!(named_key("Rihgt"), None);
        assert_eq!(named_key(""), None);
        assert_eq!(named_key("F13"), None);
    }
}
