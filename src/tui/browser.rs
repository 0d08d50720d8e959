//! Opening an address: by `$BROWSER` where it is set, else by the system. Over ssh without a display there is
//! no browser here, and none is said to have opened.

use std::process::{Command, Stdio};

/// What decides about the way.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Setting {
    /// `BROWSER`: commands by colons, `%s` for the address.
    pub browser: Option<String>,
    /// There is no screen here that a browser could show on.
    pub remote: bool,
}

impl Setting {
    /// Of this process.
    pub fn of_process() -> Self {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let display = set("DISPLAY").is_some() || set("WAYLAND_DISPLAY").is_some();
        let own_screen = cfg!(any(windows, target_os = "macos"));
        let remote = set("SSH_CONNECTION").is_some() && !display && !own_screen;
        Self { browser: set("BROWSER"), remote }
    }

    /// The commands to try, each with its arguments.
    fn commands(&self, address: &str) -> Vec<Vec<String>> {
        let commands = self.browser.iter().flat_map(|list| list.split(':'));
        let words = |command: &str| {
            let mut words: Vec<String> =
                command.split_whitespace().map(|word| word.replace("%s", address)).collect();
            if !command.contains("%s") {
                words.push(address.to_owned());
            }
            words
        };
        commands.filter(|command| !command.trim().is_empty()).map(words).collect()
    }
}

/// Opens an address; the words say what was done, or why nothing was.
pub fn open(address: &str, setting: &Setting) -> Result<String, String> {
    for command in setting.commands(address) {
        let [program, arguments @ ..] = command.as_slice() else { continue };
        let started = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        if started.is_ok() {
            return Ok(format!("handed to {program}"));
        }
    }
    if setting.remote {
        return Err(format!("no browser here (ssh): open it where you are, {address}"));
    }
    if setting.browser.is_some() {
        return Err("no command of $BROWSER could be started".to_owned());
    }
    match open::that_detached(address) {
        Ok(()) => Ok("handed to the browser".to_owned()),
        Err(error) => Err(format!("no browser could be started: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_browser_comes_first_and_ssh_has_none() {
        let setting = Setting { browser: Some("no-such-browser:w3m -o x=%s:lynx".to_owned()), remote: false };
        assert_eq!(
            setting.commands("https://a.example"),
            [
                vec!["no-such-browser", "https://a.example"],
                vec!["w3m", "-o", "x=https://a.example"],
                vec!["lynx", "https://a.example"]
            ]
        );
        let remote = Setting { browser: None, remote: true };
        assert_eq!(
            open("https://a.example", &remote),
            Err("no browser here (ssh): open it where you are, https://a.example".to_owned())
        );
        let broken = Setting { browser: Some("/no/such/browser".to_owned()), remote: false };
        assert_eq!(
            open("https://a.example", &broken),
            Err("no command of $BROWSER could be started".to_owned())
        );
    }
}
