//! What the arguments name: inputs, texts beside them, colours.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::{Common, When};
use super::failure::{Failure, Many, tell};
use super::source_texts;
use crate::format::secrets::mask_quoted;
use crate::format::{Limits, Map, Requested};
use crate::session::{self, Session, SourceTexts, Supplied};
use crate::store::{Input, InputError, Spool};

/// Opens files, directories and standard input; what is no response in a directory is skipped and counted.
pub(super) fn open(files: &[PathBuf], common: &Common) -> Result<Session, Failure> {
    let mut inputs: Vec<Result<Input, InputError>> = Vec::new();
    let mut skipped: Vec<(PathBuf, usize)> = Vec::new();
    let supplied = supplied(common, files)?;
    let spool = Spool::new(supplied.limits.longest());
    for named in session::named(files).map_err(|error| Failure::Because(error.to_string()))? {
        let before = inputs.len();
        for input in named.open(supplied.map.is_some(), &spool) {
            // Of all but the first only the places are kept.
            input.iter().filter(|_| !inputs.is_empty()).for_each(Input::forget_text);
            inputs.push(input);
        }
        if let Some(directory) = named.directory().filter(|_| inputs.len() == before) {
            match skipped.iter_mut().find(|(known, _)| known == directory) {
                Some((_, count)) => *count += 1,
                None => skipped.push((directory.to_owned(), 1)),
            }
        }
    }
    for (directory, count) in skipped {
        tell(&format!("{count} files in {} hold no grounded response and were skipped", directory.display()));
    }
    Ok(Session::new(inputs, supplied))
}

/// The texts that the options name.
pub(super) fn supplied(common: &Common, files: &[PathBuf]) -> Result<Supplied, Failure> {
    let (answer, source_texts) = (answer(common)?, source_texts::texts(common)?);
    let request = request(common)?;
    Ok(Supplied {
        answer,
        source_texts,
        show_secrets: common.show_secrets,
        limits: limits(common),
        request,
        map: map_of(common, files)?,
        map_asked: common.map.is_some(),
        findings_only: false,
    })
}

/// Bytes of an answer that is given beside a response, at most.
const MOST_ANSWER: u64 = 256 << 20;

/// Line and column of a byte of a text, from 1; columns in characters.
pub(super) fn line_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or_default();
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (before.matches('\n').count() + 1, column)
}

/// The text of a file that holds no more than so many bytes, without the mark of its encoding.
pub(super) fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let mut text = String::new();
    let read = fs::File::open(path)?.take(most + 1).read_to_string(&mut text)? as u64;
    if read > most {
        return Err(io::Error::other(format!("more than {} MB", most >> 20)));
    }
    let mark = '\u{FEFF}';
    Ok(text.strip_prefix(mark).map(str::to_owned).unwrap_or(text))
}

/// The text that `--answer` names.
fn answer(common: &Common) -> Result<Option<String>, Failure> {
    let Some(path) = &common.answer else { return Ok(None) };
    read_text(path, MOST_ANSWER).map(Some).map_err(|error| {
        Failure::Because(format!("{}: the answer text cannot be read: {error}", path.display()))
    })
}

/// The name under which a map is found beside or above an input.
const MAP_NAME: &str = "citescope.toml";

/// Bytes of a map, at most.
const MOST_MAP: u64 = 1 << 20;

/// The map that `--map` names, or that stands beside or above the first input.
fn map_of(common: &Common, files: &[PathBuf]) -> Result<Option<Arc<Map>>, Failure> {
    let found = || files.iter().find_map(|file| map_beside(file));
    let Some(path) = common.map.clone().or_else(found) else { return Ok(None) };
    read_map(&path).map(|map| Some(Arc::new(map)))
}

/// The map beside an input, or above it.
fn map_beside(file: &Path) -> Option<PathBuf> {
    let file = file.canonicalize().ok()?;
    file.ancestors()
        .skip(usize::from(file.is_file()))
        .map(|folder| folder.join(MAP_NAME))
        .find(|path| path.is_file())
}

fn read_map(path: &Path) -> Result<Map, Failure> {
    let text = read_text(path, MOST_MAP);
    let text = text
        .map_err(|error| Failure::Because(format!("{}: the map cannot be read: {error}", path.display())))?;
    let map: Map = toml::from_str(&text).map_err(|error| {
        let (line, column) = line_column(&text, error.span().map_or(0, |span| span.start));
        let what = mask_quoted(&error.message().replace('\n', " ")).into_owned();
        Failure::Because(format!("{}:{line}:{column}: {what}", path.display()))
    })?;
    if map.answer.is_none() {
        let what = "this map says not where the answer is (`answer = \"…\"`); `citescope map --init FILE` proposes one";
        return Err(Failure::Because(format!("{}: {what}", path.display())));
    }
    Ok(map)
}

/// What a record may take.
fn limits(common: &Common) -> Limits {
    if common.no_limits { Limits::None } else { Limits::Usual }
}

/// What the request that `--request` names held.
fn request(common: &Common) -> Result<Option<Arc<Requested>>, Failure> {
    let Some(path) = &common.request else { return Ok(None) };
    let because =
        |what: String| Failure::Because(format!("{}: the request cannot be read: {what}", path.display()));
    let text = read_text(path, MOST_ANSWER).map_err(|error| because(error.to_string()))?;
    let request = Requested::read(&text, limits(common).values(text.len()))
        .map_err(|error| because(error.to_string()))?;
    Ok(Some(Arc::new(request)))
}

/// What was given beside the inputs, kept to tell in the end what of it was of no use.
pub(super) struct Given {
    texts: Option<Arc<SourceTexts>>,
    map: Option<Arc<Map>>,
}

impl Given {
    pub(super) fn of(supplied: &Supplied) -> Self {
        let map = supplied.map.clone().filter(|_| supplied.map_asked);
        Self { texts: supplied.source_texts.clone(), map }
    }

    /// Tells how many texts no source was found for, and whether the map that was asked for led to nothing:
    /// true if so, since then nothing was read as it was asked to be.
    pub(super) fn report_unused(&self, common: &Common) -> bool {
        let texts = self.texts.as_ref().zip(common.source_text.as_ref());
        if let Some((texts, path)) = texts.filter(|(texts, _)| texts.unused() > 0) {
            let (unused, all) = (texts.unused(), texts.len());
            tell(&format!(
                "{}: {unused} of {all} texts match no source of the responses that were opened",
                path.display()
            ));
        }
        let unfit = self.unfit(common);
        if let Some(why) = &unfit {
            tell(why);
        }
        unfit.is_some()
    }

    /// That the map that was asked for led to nothing.
    pub(super) fn unfit(&self, common: &Common) -> Option<String> {
        let (_, path) = self.map.as_ref().zip(common.map.as_ref()).filter(|(map, _)| !map.has_found())?;
        Some(format!(
            "{}: the map finds neither an answer nor sources in what was opened; `citescope map --check` tells \
             what is not read",
            path.display()
        ))
    }
}

/// Tells what could not be read; true if anything.
pub(super) fn report_failures(session: &Session) -> bool {
    let mut unread = Many::default();
    session.failures().iter().for_each(|failure| unread.tell(&failure.to_string()));
    unread.end("input", "could not be read");
    unread.count() > 0
}

/// Where nothing in the input is a response, the first reason stands for all.
pub(super) fn refuse_unrecognised(session: &Session) -> Result<(), Failure> {
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
pub(super) fn mono(when: When) -> bool {
    match when {
        When::Always => false,
        When::Never => true,
        When::Auto => {
            std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
                || std::env::var_os("TERM").is_some_and(|term| term == "dumb")
        }
    }
}
