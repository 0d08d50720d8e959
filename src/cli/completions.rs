//! Completions of shells: those of clap, with the ids of rules and the names of commands, and with zsh told
//! that files and commands stand in the same place.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory as _};
use clap_complete::Shell;

use super::args::Cli;
use crate::check::RULES;

/// The script of a shell.
pub(super) fn of(shell: Shell) -> Vec<u8> {
    let mut command = with_names(Cli::command());
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut command, "citescope", &mut out);
    if shell == Shell::Zsh { zsh(&String::from_utf8_lossy(&out)).into_bytes() } else { out }
}

/// The command line with what its words may be, which the parser leaves to the commands.
fn with_names(command: Command) -> Command {
    let commands: Vec<String> =
        command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let rules = || PossibleValuesParser::new(RULES.iter().map(|rule| rule.id));
    let selected = || {
        PossibleValuesParser::new(
            ["error", "warning", "note", "never"].into_iter().chain(RULES.iter().map(|rule| rule.id)),
        )
    };
    command
        .mut_subcommand("rules", |rules_of| rules_of.mut_arg("rule", |arg: Arg| arg.value_parser(rules())))
        .mut_subcommand("check", |check| {
            check
                .mut_arg("ignore", |arg| arg.value_parser(rules()))
                .mut_arg("fail_on", |arg| arg.value_parser(selected()))
        })
        .mut_subcommand("man", |man| {
            man.mut_arg("command", |arg| arg.value_parser(PossibleValuesParser::new(commands)))
        })
}

/// The first word is a command or a file. clap makes two words of them, so that everything behind a command
/// is looked for one word too late.
fn zsh(script: &str) -> String {
    let mut out = String::with_capacity(script.len() + 400);
    for line in script.lines() {
        if line.starts_with("'::files -- ") {
            continue;
        }
        // Options may stand behind files: `*::` would take all that follows for files.
        let line = if line.starts_with("'*::") { line.replacen("'*::", "'*:", 1) } else { line.to_owned() };
        // Several ids stand in one word, with commas between them.
        let line = if line.starts_with("'*--ignore=") || line.starts_with("'*--fail-on=") {
            line.replacen(":RULE:(", ":RULE:_sequence compadd - ", 1)
                .replacen(":WHAT:(", ":WHAT:_sequence compadd - ", 1)
                .replacen(")' \\", "' \\", 1)
        } else {
            line
        };
        let line = line
            .replace("\":: :_citescope_commands\" \\", "\":: :_citescope_first\" \\")
            .replace("words=($line[2] \"${words[@]}\")", "words=($line[1] \"${words[@]}\")")
            .replace("citescope-command-$line[2]:", "citescope-command-$line[1]:")
            .replace("        case $line[2] in", "        case $line[1] in");
        out.push_str(&line);
        out.push('\n');
    }
    let first = "(( $+functions[_citescope_first] )) ||\n_citescope_first() {\n    _alternative \
        'commands:command:_citescope_commands' 'files:file:_files'\n}\n\n";
    // Behind a file come further files.
    let files = "(*)\n_files\n;;\n        esac\n    ;;\nesac\n}\n";
    let out = out.replacen("        esac\n    ;;\nesac\n}\n", files, 1);
    match out.find("(( $+functions[_citescope_commands] ))") {
        Some(at) => {
            format!("{}{first}{}", out.get(..at).unwrap_or_default(), out.get(at..).unwrap_or_default())
        }
        None => out,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(shell: Shell) -> String {
        String::from_utf8(of(shell)).unwrap()
    }

    #[test]
    fn zsh_finds_what_stands_behind_a_command() {
        let zsh = script(Shell::Zsh);
        assert!(zsh.contains("\":: :_citescope_first\" \\\n\"*::: :->citescope\" \\\n"), "{zsh}");
        assert!(zsh.contains("        case $line[1] in\n"), "{zsh}");
        assert!(!zsh.contains("line[2]"), "{zsh}");
        assert!(zsh.contains("(*)\n_files\n;;\n        esac\n    ;;\nesac\n}\n"), "{zsh}");
        assert!(zsh.contains("_citescope_first() {"), "{zsh}");
        assert!(zsh.contains("\n'*:files -- ") && !zsh.contains("'*::files"), "{zsh}");
        for option in ["--ignore=", "--fail-on="] {
            let line = zsh.lines().find(|line| line.starts_with(&format!("'*{option}"))).unwrap();
            assert!(
                line.contains(":_sequence compadd - ") && line.ends_with("' \\") && !line.ends_with(")' \\"),
                "{line}"
            );
        }
    }

    #[test]
    fn ids_of_rules_and_names_of_commands_are_completed() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let script = script(shell);
            assert!(script.contains("offset-unit") && script.contains("trace-mismatch"), "{shell}");
        }
    }
}
