//! The command line: arguments to pipeline calls, results to standard output, everything else to standard
//! error. Exit codes: 0 done, 2 could not do all of the job. A closed pipe is no error.

mod acts;
pub mod args;
mod bounded;
mod check;
mod completions;
mod config;
mod each_line;
pub mod explain;
mod export;
mod failure;
mod fix;
mod in_place;
mod inputs;
mod map;
mod plain;
mod progress;
mod review;
mod samples;
mod score;
mod source_texts;
mod waiting;
mod written;

pub use samples::SAMPLES;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{CommandFactory, Parser};

use crate::check::{self as checks, RULES, Rule};
use crate::format::{FORMATS, Format};
use crate::session::Session;
use crate::tui;
use args::{Cli, Command};
use failure::{Failure, Many, on_one_line, tell};
use inputs::{Given, mono, open, refuse_unrecognised, report_failures, supplied};
use waiting::Waiting;

/// Runs the program.
pub fn main() -> ExitCode {
    let mut out = io::stdout().lock();
    let done = match Cli::try_parse() {
        Ok(cli) => run(&cli, &mut out),
        Err(refused) => answer(&refused, &mut out),
    };
    let flushed = out.flush().map_err(Failure::from);
    let (code, failure) = match (done, flushed) {
        (Ok(code), Ok(()) | Err(Failure::Pipe)) => return code,
        (Err(Failure::Pipe), _) => return ExitCode::SUCCESS,
        (Ok(_), Err(failure)) | (Err(failure), _) => (ExitCode::from(2), failure),
    };
    if let Failure::Because(why) = failure {
        tell(&why);
    }
    code
}

/// What the parser of arguments has to say: help and version to standard output, else what is wrong with
/// them.
fn answer(refused: &clap::Error, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let styled = |refused: &clap::Error, terminal: bool| {
        let styled = refused.render();
        if terminal && !mono(args::When::Auto) { styled.ansi().to_string() } else { styled.to_string() }
    };
    if !refused.use_stderr() {
        out.write_all(styled(refused, io::stdout().is_terminal()).as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    // An argument that has lines of its own must not look like ours: of such ones the escaped are refused.
    let arguments: Vec<String> =
        std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
    let escaped: Vec<String> = arguments.iter().map(|argument| on_one_line(argument)).collect();
    let text = if escaped == arguments {
        styled(refused, io::stderr().is_terminal())
    } else {
        let again = Cli::try_parse_from(escaped).err().filter(clap::Error::use_stderr);
        let text = again.map_or_else(|| refused.kind().to_string(), |refused| styled(&refused, false));
        text.lines().map(|line| on_one_line(line) + "\n").collect()
    };
    let _ = io::stderr().write_all(text.as_bytes());
    Ok(ExitCode::from(2))
}

fn run(cli: &Cli, out: &mut impl Write) -> Result<ExitCode, Failure> {
    match &cli.command {
        None => explore(cli, out),
        Some(Command::Export(export)) => export::run(export, &cli.common, out),
        Some(Command::Check(check)) => check::run(check, &cli.common, out),
        Some(Command::Fix(fix)) => fix::run(fix, &cli.common, out),
        Some(Command::Score(score)) => score::run(score, out),
        Some(Command::Map(command)) => map::run(command, &cli.common, out),
        Some(Command::Review(command)) => review::run(command, out),
        Some(Command::Config(command)) => config::run(command, out),
        Some(Command::Formats) => {
            for format in FORMATS {
                let Format { id, name, reads, offsets, .. } = format;
                writeln!(out, "{id:<19} {name}\n{:<19} {reads}\n{:<19} offsets: {offsets}", "", "")?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Rules { rule }) => rules(rule.as_deref(), out),
        Some(Command::Completions { shell }) => {
            out.write_all(&completions::of(*shell))?;
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
    for binding in tui::keymap::BINDINGS.iter() {
        writeln!(
            page,
            ".TP\n\\fB{}\\fR\n{}",
            binding.written().join(" ").replace('\\', "\\\\"),
            binding.doc
        )?;
    }
    writeln!(
        page,
        ".SH EXIT STATUS\n0: done. 1: check found what fails the run, fix left something. 2: could not do \
         all of the job."
    )?;
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
    clap_mangen::Man::new(command.clone().display_name(title.replace(' ', "-")).bin_name(title))
        .render(&mut page)?;
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
    let rule = checks::rule(id)
        .ok_or_else(|| Failure::Because(format!("there is no rule {id:?}; `citescope rules` lists them")))?;
    let Rule { id, group, severity, summary, help, explain, .. } = rule;
    let fix = if rule.repairable { ", repaired by `citescope fix` where it is certain" } else { "" };
    writeln!(
        out,
        "{id} ({}, {}{fix})\n\n{}.\n{}.\n\n{explain}",
        severity.word(),
        group.word(),
        capital(summary),
        capital(help)
    )?;
    Ok(ExitCode::SUCCESS)
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// How long a short input is waited for, so that its first frame is complete.
const MOMENT: Duration = Duration::from_millis(60);

/// The screen, or the plain view where standard output is no terminal.
fn explore(cli: &Cli, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let screen = io::stdout().is_terminal() && io::stderr().is_terminal();
    let samples = cli.files.is_empty() && io::stdin().is_terminal();
    if screen {
        return show(cli, samples);
    }
    let session = if samples {
        samples::session(supplied(&cli.common, &cli.files)?)
    } else {
        open(&cli.files, &cli.common)?
    };
    let failed = report_failures(&session);
    refuse_empty(&session)?;
    let bad = plain::run(&session, !cli.common.no_limits, out)?;
    let is_unused = Given::of(session.supplied()).report_unused(&cli.common);
    Ok(if bad || failed || is_unused { ExitCode::from(2) } else { ExitCode::SUCCESS })
}

/// Where there is nothing to show, why.
fn refuse_empty(session: &Session) -> Result<(), Failure> {
    if session.is_empty() {
        return Err(if session.failures().is_empty() {
            Failure::Because("no response in the input".to_owned())
        } else {
            Failure::Told
        });
    }
    refuse_unrecognised(session)
}

/// The screen, as soon as there is something to show.
fn show(cli: &Cli, samples: bool) -> Result<ExitCode, Failure> {
    let settings = config::settings()?;
    let acts = acts::OfCommandLine { common: cli.common.clone(), files: cli.files.clone(), samples };
    let begun = Instant::now();
    let opening = acts.open()?;
    let (session, opened) = {
        let _waiting = Waiting::begin();
        opening.first(MOMENT.saturating_sub(begun.elapsed()))
    };
    let told = session.failures().len();
    report_failures(&session);
    refuse_empty(&session)?;
    if opened && session.len() == 1 {
        session.decode(0).map_err(|error| Failure::Because(error.to_string()))?;
    }
    let given = Given::of(session.supplied());
    let session = tui::run(
        opening,
        session,
        &settings,
        &(Arc::new(acts) as Arc<dyn tui::acts::Acts>),
        tui::ScreenOptions { mono: mono(cli.common.color), watch: cli.watch },
    )?;
    let mut unread = Many::default();
    session.failures().iter().skip(told).for_each(|failure| unread.tell(&failure.to_string()));
    unread.end("input", "could not be read");
    given.report_unused(&cli.common);
    Ok(if session.failures().is_empty() { ExitCode::SUCCESS } else { ExitCode::from(2) })
}
