//! What the background of the terminal is: said by `COLORFGBG`, or asked of the terminal before the screen is
//! taken.

use std::time::Duration;

use terminal_colorsaurus::{QueryOptions, ThemeMode, theme_mode};

use super::super::config::Settings;
use super::super::theme::Ground;

/// How long a terminal may take to answer; every one answers something, so that this is for those far away.
const PATIENCE: Duration = Duration::from_millis(400);

/// The ground, where the settings go by it and it can be known.
pub(super) fn of_terminal(settings: &Settings) -> Option<Ground> {
    if !settings.asks_for_ground() {
        return None;
    }
    let said = std::env::var("COLORFGBG").ok();
    said.as_deref().and_then(of_environment).or_else(asked)
}

/// `15;0`: the numbers of the text's colour and of the background's among the sixteen.
fn of_environment(said: &str) -> Option<Ground> {
    match said.rsplit(';').next()?.parse().ok()? {
        7 | 9..=15 => Some(Ground::Light),
        0..=8 => Some(Ground::Dark),
        _ => None::<Ground>,
    }
}

fn asked() -> Option<Ground> {
    // A terminal that knows no colours need not be asked.
    if std::env::var("TERM").is_ok_and(|name| name == "dumb" || name == "linux") {
        return None;
    }
    let mut options = QueryOptions::default();
    options.timeout = PATIENCE;
    #[cfg(unix)]
    let _asked = super::input::Asked::begin();
    match theme_mode(options).ok()? {
        ThemeMode::Dark => Some(Ground::Dark),
        ThemeMode::Light => Some(Ground::Light),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_says_what_the_ground_is() {
        assert_eq!(of_environment("15;0"), Some(Ground::Dark));
        assert_eq!(of_environment("0;15"), Some(Ground::Light));
        assert_eq!(of_environment("0;default;15"), Some(Ground::Light));
        assert_eq!(of_environment("default;default"), None);
    }
}
