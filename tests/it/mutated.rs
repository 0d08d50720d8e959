//! Whatever is done to a response, what is left of it is shown: samples and recordings with members removed,
//! reordered, doubled and retyped. Every scalar that is left stands in `export --to json`.
//!
//! `PROPTEST_CASES` sets how many are tried.

use std::collections::HashSet;
use std::sync::OnceLock;

use citescope::cli::SAMPLES;
use citescope::export::json;
use proptest::prelude::*;
use serde_json::{Map, Value};

use super::contradictions::denied;
use crate::common::library::{open, open_bare, recordings};

/// JSON that keeps keys that come twice.
#[derive(Debug, Clone)]
enum Tree {
    Scalar(Value),
    List(Vec<Tree>),
    Object(Vec<(String, Tree)>),
}

impl Tree {
    fn of(value: Value) -> Self {
        match value {
            Value::Array(list) => Self::List(list.into_iter().map(Self::of).collect()),
            Value::Object(object) => {
                Self::Object(object.into_iter().map(|(key, inner)| (key, Self::of(inner))).collect())
            }
            scalar => Self::Scalar(scalar),
        }
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Scalar(value) => out.push_str(&value.to_string()),
            Self::List(list) => {
                out.push('[');
                for (number, inner) in list.iter().enumerate() {
                    out.push_str(if number > 0 { "," } else { "" });
                    inner.write(out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (number, (key, inner)) in members.iter().enumerate() {
                    out.push_str(if number > 0 { "," } else { "" });
                    out.push_str(&format!("{}:", Value::from(key.as_str())));
                    inner.write(out);
                }
                out.push('}');
            }
        }
    }

    /// All nodes below it that have children, it first.
    fn branches(&mut self, visit: &mut dyn FnMut(&mut Self)) {
        visit(self);
        match self {
            Self::Scalar(_) => {}
            Self::List(list) => list.iter_mut().for_each(|inner| inner.branches(visit)),
            Self::Object(members) => members.iter_mut().for_each(|(_, inner)| inner.branches(visit)),
        }
    }

    /// Whether a key comes twice somewhere: then the last one counts.
    fn repeats(&self) -> bool {
        match self {
            Self::Scalar(_) => false,
            Self::List(list) => list.iter().any(Self::repeats),
            Self::Object(members) => {
                let keys: HashSet<&str> = members.iter().map(|(key, _)| key.as_str()).collect();
                keys.len() < members.len() || members.iter().any(|(_, inner)| inner.repeats())
            }
        }
    }

    fn scalars<'t>(&'t self, path: &str, out: &mut Vec<(String, &'t Value)>) {
        match self {
            Self::Scalar(value) => out.push((path.to_owned(), value)),
            Self::List(list) => {
                list.iter().enumerate().for_each(|(n, inner)| inner.scalars(&format!("{path}[{n}]"), out));
            }
            Self::Object(members) => {
                for (key, inner) in members {
                    inner.scalars(&format!("{path}.{key}"), out);
                }
            }
        }
    }
}

/// An input as frames, with what stands before and behind each.
#[derive(Debug, Clone)]
struct Sent {
    name: String,
    frames: Vec<Tree>,
    events: bool,
}

impl Sent {
    fn of(name: &str, text: &str) -> Option<Self> {
        let named = |frames: Vec<Value>, events| {
            let frames = frames.into_iter().map(Tree::of).collect();
            Some(Self { name: name.to_owned(), frames, events })
        };
        if let Ok(value) = serde_json::from_str::<Value>(text) {
            return match value {
                Value::Array(list) if list.iter().all(Value::is_object) => named(list, false),
                other => named(vec![other], false),
            };
        }
        let data = |line: &str| line.strip_prefix("data:").map(|rest| rest.trim().to_owned());
        let events = text.lines().any(|line| line.starts_with("data:"));
        let lines: Vec<String> = if events {
            text.lines().filter_map(data).filter(|line| line.starts_with('{')).collect()
        } else {
            text.lines().map(str::to_owned).filter(|line| !line.trim().is_empty()).collect()
        };
        let frames: Option<Vec<Value>> = lines.iter().map(|line| serde_json::from_str(line).ok()).collect();
        named(frames.filter(|frames| !frames.is_empty())?, events)
    }

    fn text(&self) -> String {
        let mut out = String::new();
        for frame in &self.frames {
            out.push_str(if self.events { "data: " } else { "" });
            frame.write(&mut out);
            out.push_str(if self.events { "\n\n" } else { "\n" });
        }
        out
    }
}

fn inputs() -> &'static [Sent] {
    static INPUTS: OnceLock<Vec<Sent>> = OnceLock::new();
    INPUTS.get_or_init(|| {
        // Our own form is written anew, not kept.
        let samples = SAMPLES.iter().filter(|(name, _)| *name != "neutral.jsonl");
        let mut all: Vec<Sent> = samples.filter_map(|(name, text)| Sent::of(name, text)).collect();
        for path in recordings().unwrap_or_default() {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let name = path.display().to_string();
            all.extend(Some(text).filter(|text| text.len() < 60_000).and_then(|text| Sent::of(&name, &text)));
        }
        all
    })
}

/// What is done to a branch of the tree.
#[derive(Debug, Clone, Copy)]
enum Change {
    Remove,
    Reverse,
    Double,
    Retype,
    Empty,
    Union,
}

const CHANGES: &[Change] =
    &[Change::Remove, Change::Reverse, Change::Double, Change::Retype, Change::Empty, Change::Union];

type Step = (Change, prop::sample::Index, prop::sample::Index, u8);

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = (
        prop::sample::select(CHANGES),
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
        any::<u8>(),
    );
    prop::collection::vec(step, 1..6)
}

fn change(frames: &mut Sent, &(change, branch, child, kind): &Step, number: usize) {
    let mut count = 0;
    for frame in &mut frames.frames {
        frame.branches(&mut |tree| count += usize::from(!matches!(tree, Tree::Scalar(_))));
    }
    let (chosen, mut at) = (branch.index(count.max(1)), 0);
    for frame in &mut frames.frames {
        frame.branches(&mut |tree| {
            if matches!(tree, Tree::Scalar(_)) {
                return;
            }
            if at == chosen {
                apply(tree, change, child, kind, number);
            }
            at += 1;
        });
    }
}

fn apply(tree: &mut Tree, change: Change, child: prop::sample::Index, kind: u8, number: usize) {
    match tree {
        Tree::List(list) if !list.is_empty() => {
            let at = child.index(list.len());
            match change {
                Change::Remove => drop(list.remove(at)),
                Change::Reverse => list.reverse(),
                Change::Double | Change::Union => list.insert(at, marked(list[at].clone(), number)),
                Change::Retype => list[at] = retyped(kind, number),
                Change::Empty => list.clear(),
            }
        }
        Tree::Object(members) if !members.is_empty() => {
            let at = child.index(members.len());
            match change {
                Change::Remove => drop(members.remove(at)),
                Change::Reverse => members.reverse(),
                Change::Double => {
                    let (key, inner) = members[at].clone();
                    members.push((key, marked(inner, number)));
                }
                Change::Retype => members[at].1 = retyped(kind, number),
                Change::Empty => members.clear(),
                Change::Union => {
                    let (key, inner) = further(kind, number);
                    // Of keys that come twice the last one counts: the first would be lost.
                    if members.iter().all(|(known, _)| *known != key) {
                        members.push((key, inner));
                    }
                }
            }
        }
        _ => {}
    }
}

/// The same with texts of its own.
fn marked(mut tree: Tree, number: usize) -> Tree {
    tree.branches(&mut |inner| {
        if let Tree::Scalar(Value::String(text)) = inner
            && !text.is_empty()
            && !text.chars().all(|c| c.is_ascii_uppercase() || c == '_')
        {
            *text = format!("{text} again{number}");
        }
    });
    tree
}

fn retyped(kind: u8, number: usize) -> Tree {
    let text = || Value::from(format!("retyped{number}"));
    let mut object = Map::new();
    object.insert("retyped".into(), text());
    Tree::of(match kind % 6 {
        0 => text(),
        1 => Value::from(7_000_001 + number),
        2 => Value::Null,
        3 => Value::from(vec![text()]),
        4 => Value::Object(object),
        _ => Value::from(0.625 + number as f64),
    })
}

/// A further member beside one of a union.
fn further(kind: u8, number: usize) -> (String, Tree) {
    let keys =
        ["web", "retrievedContext", "maps", "chunkInfo", "unstructuredDocumentInfo", "text", "newField"];
    let key = keys[usize::from(kind) % keys.len()];
    let text = |name: &str| Value::from(format!("{name}-of-{number}"));
    let mut object = Map::new();
    for name in ["uri", "title", "text", "content", "document"] {
        object.insert(name.into(), text(name));
    }
    let value = if key == "text" { text("text") } else { Value::Object(object) };
    (key.to_owned(), Tree::of(value))
}

/// All that an export says.
#[derive(Default)]
struct Said {
    texts: HashSet<String>,
    all: String,
    /// What may be a number in a text.
    words: HashSet<String>,
    numbers: HashSet<u64>,
}

impl Said {
    fn take(&mut self, value: &Value) {
        match value {
            Value::String(text) => {
                self.all.push_str(text);
                self.all.push('\u{1}');
                self.texts.insert(text.clone());
                let words = text.split(|c: char| !c.is_ascii_digit() && c != '.');
                self.words.extend(words.map(str::to_owned));
            }
            Value::Number(number) => {
                self.numbers.insert(number.as_f64().unwrap_or_default().to_bits());
            }
            Value::Array(list) => list.iter().for_each(|inner| self.take(inner)),
            Value::Object(object) => object.values().for_each(|inner| self.take(inner)),
            Value::Bool(_) | Value::Null => {}
        }
    }

    fn has(&self, path: &str, value: &Value) -> bool {
        match value {
            Value::String(text) => {
                // An int64 is text in JSON, and a number for us.
                let number = text.parse::<f64>().is_ok_and(|number| self.numbers.contains(&number.to_bits()));
                let there = || self.texts.contains(text) || self.all.contains(text.as_str());
                text.trim().is_empty() || number || there()
            }
            // ADK's seconds become a time.
            Value::Number(_) if path.ends_with("timestamp") => true,
            Value::Number(number) => {
                let bits = number.as_f64().unwrap_or_default().to_bits();
                self.numbers.contains(&bits) || self.words.contains(&number.to_string())
            }
            _ => true,
        }
    }
}

/// What of an input is nowhere in its export; nothing of one that is refused as a whole, or holds no
/// response.
fn lost(frames: &Sent) -> Vec<String> {
    let text = frames.text();
    let session = open_bare("f", text.as_str());
    if !session.failures().is_empty() {
        return Vec::new();
    }
    let mut said = Said::default();
    for review in session.reviews() {
        let Ok(review) = review else { return Vec::new() };
        if review.notices().iter().any(|notice| notice.to_string().contains("passed over")) {
            return Vec::new();
        }
        said.take(&json::response(&review));
    }
    if session.reviews().next().is_none() {
        return Vec::new();
    }
    let mut scalars = Vec::new();
    for (number, frame) in frames.frames.iter().enumerate() {
        frame.scalars(&format!("${number}"), &mut scalars);
    }
    let missing = scalars.into_iter().filter(|(path, value)| !said.has(path, value));
    missing.map(|(path, value)| format!("{path} = {value}")).collect()
}

/// What findings say that the input contradicts.
fn untrue(sent: &Sent) -> Vec<String> {
    let text = sent.text();
    let session = open("f", text.as_str());
    let mut scalars = Vec::new();
    sent.frames.iter().for_each(|frame| frame.scalars("$", &mut scalars));
    let metadata = scalars.iter().any(|(path, value)| path.contains("groundingMetadata") && !value.is_null());
    let lines = text.lines().count();
    let mut out = Vec::new();
    for review in session.reviews().filter_map(Result::ok) {
        let response = &review.response;
        let alone = session.reviews().count() == 1 && !sent.frames.iter().any(Tree::repeats);
        for finding in review.findings() {
            let said = format!("{} {}", finding.rule.id, finding.message);
            let place = review.place(finding);
            let placed =
                place.as_ref().is_none_or(|place| (1..=lines).contains(&place.line) && place.column > 0);
            let no_metadata =
                finding.message.starts_with("no grounding metadata") && response.answer.is_some();
            let absent = !(no_metadata && alone && metadata && response.format_id() == "gemini");
            let denied = match (denied(&review, finding), placed, absent) {
                (None, true, true) => continue,
                (Some(why), ..) => why,
                (None, false, _) => "it stands nowhere in the input",
                (None, true, false) => "there is grounding metadata",
            };
            out.push(format!("{said}: {denied}"));
        }
    }
    out
}

#[test]
fn as_sent_nothing_is_lost() {
    for frames in inputs() {
        assert_eq!(lost(frames), [""; 0], "{}", frames.name);
        assert_eq!(untrue(frames), [""; 0], "{}", frames.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if std::env::var("PROPTEST_CASES").is_ok() { ProptestConfig::default().cases } else { 400 }))]

    #[test]
    fn whatever_is_done_to_it_nothing_is_lost(which in any::<prop::sample::Index>(), steps in steps()) {
        let mut frames = inputs()[which.index(inputs().len())].clone();
        for (number, step) in steps.iter().enumerate() {
            change(&mut frames, step, number);
        }
        prop_assert_eq!(lost(&frames), [""; 0], "{}\n{}", frames.name, frames.text());
        prop_assert_eq!(untrue(&frames), [""; 0], "{}\n{}", frames.name, frames.text());
    }
}
