//! The command line: arguments to pipeline calls, results to standard output, everything else to standard error.
//! Exit codes: 0 done, 2 could not do all of the job. A closed pipe is no error.

pub mod args;
mod check;
pub mod explain;
mod export;
mod fix;
mod plain;
mod samples;
mod score;
mod source_texts;

pub use samples::SAMPLES;

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::check::{self as checks, RULES, Rule};
use crate::format::FORMATS;
use crate::session::{self, Session, Supplied};
use crate::store::{Input, InputError};
use crate::tui;
use args::{Cli, Command, Common, When};

/// Runs the program.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut out = io::stdout().lock();
    let result = run(&cli, &mut out).and_then(|code| out.flush().map(|()| code).map_err(Failure::from));
    match result {
        Ok(code) => code,
        Err(Failure::Pipe) => ExitCode::SUCCESS,
        Err(Failure::Told) => ExitCode::from(2),
        Err(Failure::Because(why)) => {
            tell(&why);
            ExitCode::from(2)
        }
    }
}

/// A line on standard error. What comes from files and responses is made harmless first; nobody may be listening.
fn tell(line: &str) {
    let line = line.split('\n').map(crate::text::sanitize).collect::<Vec<_>>().join("\n");
    let _ = writeln!(io::stderr(), "citescope: {line}");
}

/// Why a command ends early.
enum Failure {
    /// Whoever reads our output has gone.
    Pipe,
    /// Already told.
    Told,
    /// This.
    Because(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::Pipe } else { Self::Because(error.to_string()) }
    }
}

fn run(cli: &Cli, out: &mut impl Write) -> Result<ExitCode, Failure> {
    match &cli.command {
        None => explore(cli, out),
        Some(Command::Export(export)) => export::run(export, &cli.common, out),
        Some(Command::Check(check)) => check::run(check, &cli.common, out),
        Some(Command::Fix(fix)) => fix::run(fix, &cli.common, out),
        Some(Command::Score(score)) => score::run(score, out),
        Some(Command::Formats) => {
            for format in FORMATS {
                writeln!(out, "{:<17} {}\n{:<17} {}", format.id, format.name, "", format.reads)?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Rules { rule }) => rules(rule.as_deref(), out),
        Some(Command::Completions { shell }) => {
            clap_complete::generate(*shell, &mut Cli::command(), "citescope", out);
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Man { command }) => {
            let page = match command {
                None => man()?,
                Some(name) => man_of(name)?,
            };
            out.write_all(&page)?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// The man page: the command line, then the keys of the screen.
fn man() -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let man = clap_mangen::Man::new(Cli::command());
    man.render(&mut page)?;
    writeln!(page, ".SH KEYS")?;
    for binding in tui::keymap::BINDINGS {
        writeln!(page, ".TP\n\\fB{}\\fR\n{}", binding.label.replace('\\', "\\\\"), binding.doc)?;
    }
    writeln!(page, ".SH EXIT STATUS\n0: done. 1: check found what fails the run, fix left something. 2: could not do all of the job.")?;
    Ok(page)
}

/// The man page of a command.
fn man_of(name: &str) -> Result<Vec<u8>, Failure> {
    let cli = Cli::command();
    let Some(command) = cli.find_subcommand(name) else {
        return Err(Failure::Because(format!("there is no command {name:?}; `citescope --help` lists them")));
    };
    let mut page = Vec::new();
    let title = format!("citescope {name}");
    clap_mangen::Man::new(command.clone().display_name(title.replace(' ', "-")).bin_name(title)).render(&mut page)?;
    Ok(page)
}

fn rules(id: Option<&str>, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let Some(id) = id else {
        let mut group = None;
        for rule in RULES {
            if group.replace(rule.group) != Some(rule.group) {
                writeln!(out, "{}", rule.group.word())?;
            }
            writeln!(out, "  {:<22} {:<8} {}", rule.id, rule.severity.word(), rule.summary)?;
        }
        return Ok(ExitCode::SUCCESS);
    };
    let rule = checks::rule(id).ok_or_else(|| Failure::Because(format!("there is no rule {id:?}; `citescope rules` lists them")))?;
    let Rule { id, group, severity, summary, help, explain, .. } = rule;
    let fix = if rule.repairable { ", repaired by `citescope fix` where it is certain" } else { "" };
    writeln!(out, "{id} ({}, {}{fix})\n\n{}.\n{}.\n\n{explain}", severity.word(), group.word(), capital(summary), capital(help))?;
    Ok(ExitCode::SUCCESS)
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The screen, or the plain view where standard output is no terminal.
fn explore(cli: &Cli, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let screen = io::stdout().is_terminal() && io::stderr().is_terminal();
    let samples = cli.files.is_empty() && io::stdin().is_terminal();
    let session = if samples { samples::session(supplied(&cli.common)?) } else { open(&cli.files, &cli.common)? };
    let failed = report_failures(&session);
    if session.is_empty() {
        return Err(if failed { Failure::Told } else { Failure::Because("no response in the input".to_owned()) });
    }
    refuse_unrecognised(&session)?;
    let texts = session.supplied().source_texts.clone();
    if !screen {
        let bad = plain::run(&session, out)?;
        source_texts::report_unused(texts.as_deref(), &cli.common);
        return Ok(if bad || failed { ExitCode::from(2) } else { ExitCode::SUCCESS });
    }
    if session.len() == 1 {
        session.decode(0).map_err(|error| Failure::Because(error.to_string()))?;
    }
    let options = tui::terminal::Options { mono: mono(cli.common.color), show_secrets: cli.common.show_secrets };
    tui::run(session, options)?;
    source_texts::report_unused(texts.as_deref(), &cli.common);
    Ok(if failed { ExitCode::from(2) } else { ExitCode::SUCCESS })
}

/// Where nothing in the input is a response, the first reason stands for all.
fn refuse_unrecognised(session: &Session) -> Result<(), Failure> {
    if session.is_read() {
        return Ok(());
    }
    let Err(error) = session.decode(0) else { return Ok(()) };
    let more = match session.len() - 1 {
        0 => String::new(),
        1 => " (and one more value like it)".to_owned(),
        more => format!(" (and {more} more values like it)"),
    };
    Err(Failure::Because(format!("{error}{more}")))
}

/// Whether to do without colours.
fn mono(when: When) -> bool {
    match when {
        When::Always => false,
        When::Never => true,
        When::Auto => {
            std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
                || std::env::var_os("TERM").is_some_and(|term| term == "dumb")
        }
    }
}

/// Opens files, directories and standard input; what is no response in a directory is skipped and counted.
fn open(files: &[PathBuf], common: &Common) -> Result<Session, Failure> {
    let mut inputs: Vec<Result<Input, InputError>> = Vec::new();
    let mut skipped: Vec<(PathBuf, usize)> = Vec::new();
    for named in session::named(files).map_err(|error| Failure::Because(error.to_string()))? {
        match (named.open(), named.directory()) {
            (Some(input), _) => inputs.push(input),
            (None, directory) => match skipped.iter_mut().find(|(known, _)| Some(known.as_path()) == directory) {
                Some((_, count)) => *count += 1,
                None => skipped.extend(directory.map(|directory| (directory.to_owned(), 1))),
            },
        }
    }
    for (directory, count) in skipped {
        tell(&format!("{count} files in {} hold no grounded response and were skipped", directory.display()));
    }
    Ok(Session::new(inputs, supplied(common)?))
}

/// The texts that the options name.
fn supplied(common: &Common) -> Result<Supplied, Failure> {
    Ok(Supplied { answer: answer(common)?, source_texts: source_texts::texts(common)? })
}

/// The text that `--answer` names.
fn answer(common: &Common) -> Result<Option<String>, Failure> {
    let Some(path) = &common.answer else { return Ok(None) };
    let read = fs::read_to_string(path);
    read.map(Some).map_err(|error| Failure::Because(format!("{}: the answer text cannot be read: {error}", path.display())))
}

/// Tells what could not be read; true if anything.
fn report_failures(session: &Session) -> bool {
    for failure in session.failures() {
        tell(&failure.to_string());
    }
    !session.failures().is_empty()
}
