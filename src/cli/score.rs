//! `citescope score`: claims compared with texts that the caller has, a line each, for pipelines and
//! evaluations.

use std::borrow::Cow;
use std::fmt;
use std::io::Write;
use std::process::ExitCode;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

use super::args::Score;
use super::failure::{Failure, Many, tell};
use crate::evidence::{Backing, ChunkId, ChunkText, Claim, Covered, Indexer, Reason, Scorer};
use crate::json::scan::{Members, skip_space, skip_value};
use crate::json::write;
use crate::session::parallel;
use crate::store::{Line, LineError, lines_of};

/// What a line asks.
#[derive(Deserialize)]
struct Question<'a> {
    #[serde(default)]
    id: Value,
    #[serde(borrow)]
    claim: Cow<'a, str>,
    #[serde(borrow)]
    evidence: Texts<'a>,
    #[serde(borrow, default)]
    others: Option<Texts<'a>>,
}

/// Texts of a line, as many as their length has room for.
struct Texts<'a>(Vec<Text<'a>>);

/// A text to compare with: a string, or an object with a title.
struct Text<'a> {
    title: Cow<'a, str>,
    text: Cow<'a, str>,
}

/// What came of it, rounded to six places.
#[derive(Serialize)]
struct Answer<'a> {
    id: &'a Value,
    cover: Option<f64>,
    windows: Vec<Value>,
    missing_numbers: &'a [String],
    missing_names: &'a [String],
    outcome: &'static str,
    margin: Option<f64>,
    better: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
}

/// A line of output, and what was wrong with the line of input.
struct Scored {
    out: Vec<u8>,
    error: Option<(usize, LineError)>,
}

/// Bytes of a claim up to which it is compared: each stands on a line of its own.
const CLAIM_MOST: usize = 16 * 1024;

/// Lines none of which could be scored, and no more are tried.
const HOPELESS: usize = 10_000;

pub(super) fn run(score: &Score, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let file = score.file.as_deref().filter(|path| path.as_os_str() != "-");
    let lines = lines_of(file).map_err(|error| Failure::Because(error.to_string()))?;
    let name = file.map_or_else(|| "stdin".to_owned(), |path| path.display().to_string());
    let size = |line: &Line| line.text.as_ref().map_or(0, String::len);
    let workshop = || {
        let mut indexer = Indexer::default();
        move |line: Line| scored(&mut indexer, &line)
    };
    let (mut done, mut bad) = (0, Many::default());
    let mut text = Vec::new();
    parallel::ordered(lines, size, workshop, |results| {
        text.clear();
        for result in results {
            done += 1;
            text.extend(result.out);
            let Some((line, LineError { column, what })) = result.error else { continue };
            bad.tell(&format!("{name}:{line}:{column}: {what}"));
        }
        out.write_all(&text)?;
        out.flush()?;
        // What never ends and is something else is not read for ever.
        if done >= HOPELESS && bad.count() == done {
            let what =
                format!("{name}: none of the first {done} lines can be scored: is it JSON Lines of claims?");
            return Err(Failure::Because(what));
        }
        Ok(())
    })?;
    if bad.count() == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    tell(&format!(
        "{} of {done} lines could not be scored, the others were; a line is {{\"id\": …, \"claim\": \
         \"…\", \"evidence\": [\"…\"]}}, see `citescope score --help`",
        bad.count()
    ));
    Ok(ExitCode::from(2))
}

/// A line scored, or said why not.
fn scored(indexer: &mut Indexer, line: &Line) -> Scored {
    let mut out = Vec::new();
    let answered = line.text.as_deref().map_err(Clone::clone).and_then(|text| {
        // The parser would take an array for the fields in order.
        if text.trim_start().starts_with('[') {
            return Err(LineError { column: 1, what: "this is an array, expected an object".to_owned() });
        }
        if text.len() > ID_MOST {
            check_id(text)?;
        }
        let question = serde_json::from_str(text).map_err(|error| LineError::of_json(text, &error))?;
        answer(indexer, &question, &mut out)
    });
    let error = answered.err().map(|error| {
        out.clear();
        let told = json!({"line": line.number, "error": format!("{} (column {})", error.what, error.column)});
        // Writing to memory does not fail.
        let _ = write::compact(&mut out, &told);
        (line.number, error)
    });
    out.push(b'\n');
    Scored { out, error }
}

/// Bytes of an id that is a list or an object, at most: as values they take many times as much.
const ID_MOST: usize = 64 << 10;

/// Refuses a line whose id is one that is too large.
fn check_id(text: &str) -> Result<(), LineError> {
    let id = Members::of(text, skip_space(text.as_bytes(), 0))
        .and_then(|mut members| members.find(|(key, _)| key == "id"));
    let Some((_, at)) = id.filter(|&(_, at)| text.get(at..).is_some_and(|id| id.starts_with(['[', '{'])))
    else {
        return Ok(());
    };
    let length = skip_value(text.as_bytes(), at).map_or(0, |end| end - at);
    if length <= ID_MOST {
        return Ok(());
    }
    let what = format!("an id of {length} bytes; of a list or an object at most {ID_MOST} are given back");
    Err(LineError { column: text.get(..at).unwrap_or_default().chars().count() + 1, what })
}

fn answer(indexer: &mut Indexer, question: &Question<'_>, out: &mut Vec<u8>) -> Result<(), LineError> {
    let refuse = |what: String| LineError { column: 1, what };
    let Question { id, claim, evidence, others } = question;
    if claim.len() > CLAIM_MOST {
        return Err(refuse(format!(
            "a claim of {} bytes; at most {CLAIM_MOST} are compared, split it into sentences",
            claim.len()
        )));
    }
    let texts = evidence.0.iter().chain(others.iter().flat_map(|others| &others.0));
    let index = indexer.index((0..).zip(texts).map(|(source, chunk)| ChunkText {
        source,
        chunk: 0,
        title: &chunk.title,
        text: &chunk.text,
    }));
    let cited: Vec<ChunkId> = index.ids().take(evidence.0.len()).collect();
    let verdict = Scorer::new(index).compare(&Claim::new(index, claim), &cited);
    let answer = Answer {
        id,
        cover: verdict.cover.map(rounded),
        windows: verdict.fits.iter().map(window).collect(),
        missing_numbers: &verdict.missing_numbers,
        missing_names: &verdict.missing_names,
        outcome: verdict.outcome.word(),
        margin: verdict.margin.map(rounded),
        better: better(&verdict, evidence.0.len()),
        why: verdict.outcome.reason().map(Reason::text),
    };
    write::compact(out, &answer).map_err(|error| refuse(error.to_string()))
}

fn window(fit: &Covered) -> Value {
    let window = &fit.window;
    json!({"text": window.chunk.0, "start": window.start, "end": window.end, "cover": rounded(fit.cover)})
}

/// The other text that fits better; its number counts in `others`.
fn better(verdict: &Backing, cited: usize) -> Option<Value> {
    let other = verdict.better()?;
    Some(json!({"text": (other.chunk.0 as usize).checked_sub(cited)?, "cover": rounded(other.cover)}))
}

/// To six places; −0 is 0.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6 + 0.0
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Texts<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(TextsVisitor)
    }
}

struct TextsVisitor;

/// Bytes that the texts of a list may take beside four times their length, and what one takes.
const ROOM: usize = 16 << 20;
const ONE: usize = 384;
/// What a line of a text takes: it is a sentence of its own.
const LINE: usize = 64;

impl<'de> Visitor<'de> for TextsVisitor {
    type Value = Texts<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a sequence")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<Texts<'de>, S::Error> {
        let (mut out, mut room): (Vec<Text>, _) = (Vec::new(), ROOM);
        while let Some(text) = list.next_element::<Text>()? {
            room += 4 * (text.title.len() + text.text.len());
            let lines = memchr::memchr_iter(b'\n', text.text.as_bytes()).count();
            room = room.checked_sub(ONE + LINE * lines).ok_or_else(|| {
                S::Error::custom("far more memory than text: too many small texts or lines; split the line")
            })?;
            out.push(text);
        }
        Ok(Texts(out))
    }
}

struct TextVisitor;

/// A text with its title, as an object.
#[derive(Deserialize)]
struct Titled<'a> {
    #[serde(borrow, default)]
    title: Option<Cow<'a, str>>,
    #[serde(borrow)]
    text: Cow<'a, str>,
}

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a text or {\"title\": …, \"text\": …}")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
        Ok(Text { title: Cow::Borrowed(""), text: Cow::Borrowed(text) })
    }

    fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
        Ok(Text { title: Cow::Borrowed(""), text: Cow::Owned(text.to_owned()) })
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Text<'de>, M::Error> {
        let Titled { title, text } = Titled::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Text { title: title.unwrap_or_default(), text })
    }
}
