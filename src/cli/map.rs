//! `--map FILE` and `citescope map`: a TOML file that says where things stand in a JSON of one's own.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use serde::de::IgnoredAny;

use super::args::{Common, MapCommand};
use super::failure::{Failure, tell};
use super::inputs::{Given, open, read_text};
use crate::format::{self, Limits, Map};
use crate::memory;
use crate::model::{Origin, Path as ModelPath};
use crate::review::{Review, find_extras};
use crate::text::counted;

/// `citescope map`.
pub(super) fn run(command: &MapCommand, common: &Common, out: &mut impl Write) -> Result<ExitCode, Failure> {
    if let Some(file) = &command.init {
        return propose(file, out);
    }
    let session = open(&command.files, common)?;
    let mut bad = super::inputs::report_failures(&session);
    for index in 0..session.len() {
        match session.decode_anew(index) {
            Ok(reviews) => {
                find_extras(&reviews);
                reviews
                    .iter()
                    .try_for_each(|review| tell_of(review, session.supplied().map.as_deref(), out))?;
                if let Some(review) = reviews.iter().find(|review| review.response.answer.is_none()) {
                    let (file, record) = (review.file(), review.record() + 1);
                    tell(&format!(
                        "{file} record {record}: no answer is read; see `not read` for where it may stand"
                    ));
                    bad = true;
                }
            }
            Err(error) => {
                tell(&error.to_string());
                bad = true;
            }
        }
    }
    bad |= Given::of(session.supplied()).report_unused(common);
    Ok(if bad || session.is_empty() { ExitCode::from(2) } else { ExitCode::SUCCESS })
}

/// A map for a file, from its first record.
fn propose(file: &Path, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let because = |what: String| Failure::Because(format!("{}: {what}", file.display()));
    let text = read_text(file, 64 << 20).map_err(|error| because(error.to_string()))?;
    let mut values = serde_json::Deserializer::from_str(&text).into_iter::<IgnoredAny>();
    let first = values.next().ok_or_else(|| because("the file is empty".to_owned()))?;
    first.map_err(|error| because(format!("not JSON: {error}")))?;
    let first = text.get(..values.byte_offset()).unwrap_or_default();
    let (list, map) = memory::within(Limits::Usual.made_of(text.len()), || {
        let first = format::read_within(first, Limits::Usual.values(first.len()))?;
        let (list, value) = match first.get(0) {
            Some(element) => (true, element),
            None => (false, &first),
        };
        Ok((list, format::propose(value)))
    })
    .map_err(|error: serde_json::Error| because(error.to_string()))?;
    let map = map.ok_or_else(|| {
        because("no key looks like an answer beside a list of spans or sources; write the map by hand, `citescope map --help` shows one".to_owned())
    })?;
    if list {
        writeln!(out, "# The file is a list: each element of it is a record.")?;
    }
    out.write_all(map.to_toml().as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Where of the input nothing was read: by the paths of the map where it was read by one, else by what the
/// response does not say. The first response of a record answers for all of it.
fn unread(review: &Review, map: Option<&Map>) -> Vec<Origin> {
    let response = &review.response;
    let frame = response.origin.frame;
    if response.format_id() == format::own().id {
        if response.item > 0 {
            return Vec::new();
        }
        let value = serde_json::from_str(review.sent.text.frame(frame as usize)).ok();
        let guessed = value.as_ref().filter(|_| map.is_none()).and_then(Map::guess);
        if let (Some(map), Some(value)) = (map.or(guessed.as_ref()), value) {
            return map.unread(&value).into_iter().map(|at| Origin { frame, ..at }).collect();
        }
    }
    // A text whose marks were taken out was read.
    let read: HashSet<(u32, &ModelPath)> =
        response.supports.iter().map(|support| (support.origin.frame, &support.origin.path)).collect();
    let extras = review.extras().iter().map(|extra| &extra.origin);
    extras.filter(|origin| !read.contains(&(origin.frame, &origin.path))).cloned().collect()
}

/// What was read of a response, and what not.
fn tell_of(review: &Review, map: Option<&Map>, out: &mut impl Write) -> std::io::Result<()> {
    let response = &review.response;
    let dangling = response.supports.iter().flat_map(|support| &support.citations);
    let dangling = dangling.filter(|citation| citation.target.source().is_none()).count();
    let silent = response.supports.iter().filter(|support| support.citations.is_empty()).count();
    let passages: usize = response.sources.iter().map(|source| source.passages().count()).sum();
    writeln!(
        out,
        "{} record {} · {}: answer {}, {}, {} ({}), {}, {}",
        crate::text::without_commands(&crate::text::one_line(review.file())),
        review.record() + 1,
        response.format_id(),
        response
            .answer
            .as_ref()
            .map_or_else(|| "missing".to_owned(), |text| counted(text.chars().count(), "character")),
        counted(response.supports.len(), "support"),
        counted(response.sources.len(), "source"),
        counted(passages, "passage"),
        crate::text::plural(response.queries.len(), "query", "queries"),
        match dangling {
            0 if silent > 0 => crate::text::plural(silent, "support cites nothing", "supports cite nothing"),
            0 => "every reference resolves".to_owned(),
            some => crate::text::plural(some, "reference names no source", "references name no source"),
        }
    )?;
    let unread = unread(review, map);
    for origin in unread.iter().take(20) {
        let path = crate::text::one_line(&review.sent.spelled(origin).to_string()).into_owned();
        writeln!(out, "  not read: {}", crate::text::without_commands(&crate::text::sanitize(&path)))?;
    }
    if unread.len() > 20 {
        writeln!(out, "  and {} more", unread.len() - 20)?;
    }
    Ok(())
}
