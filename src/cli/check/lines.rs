//! Formats of `check` for other tools: SARIF results and annotations of GitHub Actions.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Component, PathBuf};
use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Value, json};

use super::checked::Checked;
use crate::check::{Finding, RULES, Severity};
use crate::cli::args::CheckFormat;
use crate::export::json;
use crate::json::write;
use crate::review::Splice;
use crate::store::InputError;
use crate::text::{one_line, without_commands};

/// Edits of a finding that are proposed one by one; `citescope fix` makes any number of them.
const EDITS: usize = 100;

/// Results of a response, joined by commas.
pub(super) fn sarif(checked: &Checked, out: &mut impl Write) -> io::Result<()> {
    checked.findings.iter().enumerate().try_for_each(|(number, finding)| {
        let comma: &[u8] = if number == 0 { b"" } else { b",\n" };
        out.write_all(comma)?;
        write::compact(&mut *out, &result(checked, finding))
    })
}

fn compact(value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    // Writing to memory does not fail.
    let _ = write::compact(&mut out, value);
    out
}

fn result(checked: &Checked, finding: &Finding) -> Value {
    let place = checked.review.place(finding);
    let path = json::path_of(checked.review, finding, place.as_ref());
    let artifact = json!({"uri": uri(checked.review.file())});
    let mut physical = json!({"artifactLocation": artifact});
    if let (Some(place), Some(fields)) = (place, physical.as_object_mut()) {
        fields.insert("region".to_owned(), json!({"startLine": place.line, "startColumn": place.column}));
    }
    let help = finding.help();
    let mut result = json!({
        "ruleId": finding.rule.id,
        "ruleIndex": RULES.iter().position(|rule| *rule == finding.rule),
        "level": finding.rule.severity.word(),
        "message": {"text": plain_message(&format!("{} ({help})", finding.message))},
        "partialFingerprints": {"citescope/v1": fingerprint(checked, finding)},
        "locations": [{"physicalLocation": physical, "logicalLocations": [{"fullyQualifiedName": path}]}],
        "properties": {
            "record": checked.review.record(),
            "item": checked.review.response.item,
            "supports": finding.supports,
            "sources": finding.sources,
            "answer": json::answer_of(checked.review, finding),
        },
    });
    let replacements = replacements(checked, finding);
    if let Some(fields) = result.as_object_mut().filter(|_| !replacements.is_empty()) {
        let change = json!({"artifactLocation": artifact, "replacements": replacements});
        fields.insert(
            "fixes".to_owned(),
            json!([{"description": {"text": "the offsets of the text as it is"}, "artifactChanges": [change]}]),
        );
    }
    result
}

/// The text of a message in which foreign words make no link (SARIF 2.1.0, 3.11.6) and name no argument
/// (3.11.5).
fn plain_message(text: &str) -> Cow<'_, str> {
    // The pattern is right: a test matches it.
    static ARGUMENT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\{([0-9]+)\}").ok());
    let text = if text.contains("](") {
        Cow::Owned(text.replace('[', "\\[").replace(']', "\\]"))
    } else {
        Cow::Borrowed(text)
    };
    match ARGUMENT.as_ref().filter(|argument| argument.is_match(&text)) {
        Some(argument) => Cow::Owned(argument.replace_all(&text, "{{${1}}}").into_owned()),
        None => text,
    }
}

fn replacements(checked: &Checked, finding: &Finding) -> Vec<Value> {
    if checked.review.edits(finding).nth(EDITS).is_some() {
        return Vec::new();
    }
    let replacement = |splice: Splice| {
        let (line, column) = splice.start;
        let end = column + splice.range.len();
        json!({
            "deletedRegion": {"startLine": line, "startColumn": column, "endColumn": end},
            "insertedContent": {"text": splice.text},
        })
    };
    checked.review.spliced(finding).filter_map(|(_, splice)| splice.map(replacement)).collect()
}

/// A notification: what could not be read.
pub(super) fn sarif_error(name: &str, place: Option<(usize, usize)>, what: &str) -> Vec<u8> {
    let mut physical = json!({"artifactLocation": {"uri": uri(name)}});
    if let (Some((line, column)), Some(fields)) = (place, physical.as_object_mut()) {
        fields.insert("region".to_owned(), json!({"startLine": line, "startColumn": column}));
    }
    compact(
        &json!({"level": "error", "message": {"text": plain_message(what)}, "locations": [{"physicalLocation": physical}]}),
    )
}

/// A file name as a URI reference: relative to the working directory where it lies below it, without `.` and
/// `..`, else absolute.
fn uri(name: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let mut whole = PathBuf::new();
    for part in here.join(name).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                whole.pop();
            }
            other => whole.push(other),
        }
    }
    let (lead, path) = match whole.strip_prefix(&here) {
        Ok(below) => ("", below),
        Err(_) => ("file://", whole.as_path()),
    };
    let mut out = String::from(lead);
    for byte in path.to_string_lossy().replace('\\', "/").bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(byte.into());
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// What tells a finding from others also when lines move: its rule, its response and what it says.
fn fingerprint(checked: &Checked, finding: &Finding) -> String {
    let response = &checked.review.response;
    let of = format!(
        "{}\n{}\n{}\n{}",
        finding.rule.id,
        response.id.clone().unwrap_or_else(|| format!("record {}", checked.review.record())),
        response.item,
        finding.message
    );
    // FNV-1a: the same in every release and on every machine.
    let hash = of.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    format!("{hash:016x}")
}

/// Annotations of a response, a line each.
pub(super) fn github(checked: &Checked, out: &mut impl Write) -> io::Result<()> {
    checked.findings.iter().try_for_each(|finding| {
        let command = match finding.rule.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let place = checked.review.place(finding).map(|place| (place.line, place.column));
        let help = finding.help();
        let message = format!("{} ({help})", finding.message);
        let line = annotation(command, checked.review.file(), place, finding.rule.id, &message);
        out.write_all(line.as_bytes())
    })
}

/// An annotation: what could not be read.
pub(super) fn github_error(name: &str, place: Option<(usize, usize)>, what: &str) -> Vec<u8> {
    annotation("error", name, place, "not read", what).into_bytes()
}

fn annotation(
    command: &str,
    file: &str,
    place: Option<(usize, usize)>,
    title: &str,
    message: &str,
) -> String {
    let place = place.map_or(String::new(), |(line, column)| format!(",line={line},col={column}"));
    let line = |text: &str| without_commands(&one_line(text)).into_owned();
    let message = line(message).replace('%', "%25");
    let property = |text: &str| line(text).replace('%', "%25").replace(':', "%3A").replace(',', "%2C");
    format!(
        "::{command} file={}{place},title={}::{message}\n",
        property(file),
        property(&format!("citescope: {title}"))
    )
}

/// An input that could not be read at all.
pub(super) fn unreadable(error: &InputError, format: CheckFormat) -> Vec<u8> {
    let (name, place, what) = error.parts();
    match format {
        CheckFormat::Text => Vec::new(),
        CheckFormat::Github => github_error(name, place, &what),
        CheckFormat::Sarif => sarif_error(name, place, &what),
        CheckFormat::Json | CheckFormat::Jsonl => super::json::unreadable(name, place, &what, format),
    }
}
