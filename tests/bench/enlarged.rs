//! Every list and every text of every sample, enlarged: opened and checked, then exported by each target, and
//! the exponent of time (1 is linear). The lists that nobody thought of. `cargo bench --bench enlarged`, with
//! a word behind `--` only the cases whose name holds it; it fails where an exponent is above 1.3.

mod shapes;

use std::collections::BTreeSet;
use std::hint::black_box;
use std::process::ExitCode;

use citescope::cli::SAMPLES;
use citescope::export::{ExportOptions, Make, TARGETS};
use citescope::format::Limits;
use citescope::session::{Session, Supplied};
use serde_json::Value;
use shapes::{Document, kind_of_place, walk};

/// As in the program: what is asked of the system costs by itself.
#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Above this an exponent fails, of a last step that takes longer than so many seconds.
const EXPONENT: f64 = 1.3;
const COUNTS: f64 = 0.25;
/// Elements of the smallest size; each further one has four times as many.
const SMALL: usize = 1000;
/// An input is enlarged until it takes so many seconds, or is of so many bytes.
const LONG: f64 = 0.7;
const LARGE: usize = 4_000_000;

/// What a text is filled with: words, and what costs more than words where something is looked for.
const FILLINGS: [&str; 9] = [
    "The tower was built in 1932. ",
    "[1]",
    "\n- ",
    "https://e.example/a?b=c ",
    "\"a\": ",
    "<b>",
    "`",
    "Authorization: ",
    "क\u{94d}",
];

/// How the elements of a list are made.
#[derive(Debug, Clone, Copy)]
enum Elements {
    /// Copies of those that are there.
    Alike,
    /// With ids, addresses, words and offsets of their own.
    Numbered,
    /// The same, over an answer as long.
    Spread,
}

/// What of a document is enlarged.
#[derive(Debug, Clone)]
enum Case {
    Frames(Elements),
    List { frame: usize, pointer: String, elements: Elements },
    Text { frame: usize, pointer: String, filling: &'static str },
}

impl Case {
    fn name(&self) -> String {
        match self {
            Self::Frames(elements) => format!("frames {elements:?}"),
            Self::List { pointer, elements, .. } => format!("{pointer} {elements:?}"),
            Self::Text { pointer, filling, .. } => format!("{pointer} {filling:?}"),
        }
    }

    fn enlarge(&self, document: &Document, count: usize) -> String {
        let Document { name, events, .. } = *document;
        let mut frames = document.frames.clone();
        match self {
            Self::Frames(elements) => repeat(&mut frames, count, *elements),
            Self::List { frame, pointer, elements } => {
                if matches!(elements, Elements::Spread) {
                    lengthen(&mut frames[*frame], count);
                }
                if let Some(Value::Array(list)) = frames[*frame].pointer_mut(pointer) {
                    repeat(list, count, *elements);
                }
            }
            Self::Text { frame, pointer, filling } => {
                if let Some(Value::String(text)) = frames[*frame].pointer_mut(pointer) {
                    text.push_str(&filling.repeat(count));
                }
            }
        }
        Document { name, frames, events }.text()
    }
}

/// The longest text of a frame, which most often is its answer, so many sentences longer.
fn lengthen(frame: &mut Value, count: usize) {
    fn longest(value: &mut Value) -> Option<&mut String> {
        match value {
            Value::String(text) => Some(text),
            Value::Array(list) => list.iter_mut().filter_map(longest).max_by_key(|text| text.len()),
            Value::Object(object) => object.values_mut().filter_map(longest).max_by_key(|text| text.len()),
            _ => None,
        }
    }
    if let Some(text) = longest(frame) {
        text.extend((0..count).map(|number| format!(" Tower {number} stands.")));
    }
}

fn repeat(list: &mut Vec<Value>, count: usize, elements: Elements) {
    let own = std::mem::take(list);
    list.extend(own.iter().cycle().take(count.max(own.len())).cloned());
    if !matches!(elements, Elements::Alike) {
        for (number, element) in list.iter_mut().enumerate().skip(own.len()) {
            set_apart(element, "", number);
        }
    }
}

/// Gives an element values of its own: words that are ids, addresses or sentences, numbers that are offsets.
fn set_apart(value: &mut Value, key: &str, number: usize) {
    match value {
        Value::String(text) => {
            let is_own = text.contains([' ', '/', '.', '-']) || key.to_lowercase().ends_with("id");
            if is_own || key.is_empty() {
                text.push_str(&format!("{number}"));
            }
        }
        Value::Number(sent) => {
            let offset = ["start", "end", "index", "offset", "pos"];
            let key = key.to_lowercase();
            if let Some(sent) = sent.as_u64().filter(|_| offset.iter().any(|word| key.contains(word))) {
                *value = (sent + 20 * number as u64).into();
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|value| set_apart(value, key, number)),
        Value::Object(object) => {
            object.iter_mut().for_each(|(key, value)| set_apart(value, &key.clone(), number));
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// What there is to enlarge in a document: each kind of place once, in all documents.
fn cases(document: &Document, seen: &mut BTreeSet<String>) -> Vec<Case> {
    let mut out: Vec<Case> = [Elements::Alike, Elements::Numbered].map(Case::Frames).into();
    for (frame, value) in document.frames.iter().enumerate() {
        let (mut lists, mut texts) = Default::default();
        walk(value, "", &mut lists, &mut texts);
        let mut is_new = |pointer: &String| seen.insert(kind_of_place(pointer));
        lists.retain(&mut is_new);
        for pointer in lists {
            let all = [Elements::Alike, Elements::Numbered, Elements::Spread];
            out.extend(all.map(|elements| Case::List { frame, pointer: pointer.clone(), elements }));
        }
        texts.retain(is_new);
        for pointer in texts {
            out.extend(FILLINGS.map(|filling| Case::Text { frame, pointer: pointer.clone(), filling }));
        }
    }
    out
}

/// Processor time of the program itself so far, seconds: neither what else runs on the machine counts nor how
/// long the system takes to hand out memory. `/proc` counts in hundredths.
fn now() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    fields
        .split_whitespace()
        .nth(11)
        .and_then(|ticks| ticks.parse().ok())
        .map_or(0.0, |ticks: f64| ticks / 100.0)
}

/// Seconds that opening and checking takes, and each export.
fn run(text: &str) -> Vec<(&'static str, f64)> {
    let bytes = text.as_bytes().to_vec();
    let start = now();
    let session =
        Session::from_bytes("f", bytes).with(Supplied { limits: Limits::None, ..Supplied::default() });
    let reviews: Vec<_> = session.reviews().flatten().collect();
    for review in &reviews {
        black_box(review.findings());
    }
    let mut out = vec![("check", now() - start)];
    for target in TARGETS {
        let start = now();
        match target.make {
            Make::One(_) | Make::Page(_) => {
                for review in reviews.iter().take(1) {
                    black_box(target.text(review, &ExportOptions::default()).text.len());
                }
            }
            Make::All(make) => {
                let _ = make(&mut reviews.iter().cloned(), &ExportOptions::default(), &mut std::io::sink());
            }
        }
        out.push((target.id, now() - start));
    }
    out
}

/// What of a case grows faster than it may, with its exponent and seconds.
fn steep(document: &Document, case: &Case) -> Vec<(&'static str, f64, f64)> {
    let mut count = SMALL;
    let mut text = case.enlarge(document, count);
    let mut before = run(&text);
    loop {
        let larger = case.enlarge(document, count * 4);
        // An empty place is not enlarged.
        if larger.len() < text.len() * 2 {
            count *= 4;
            text = larger;
            if count > LARGE {
                return Vec::new();
            }
            continue;
        }
        let times = run(&larger);
        let total: f64 = times.iter().map(|(_, time)| time).sum();
        if total > LONG || larger.len() > LARGE {
            let ratio = larger.len() as f64 / text.len() as f64;
            // What is less than the clock tells is no base for it.
            let exponent = |(now, then): (f64, f64)| (now / then.max(0.02)).ln() / ratio.ln();
            let pairs =
                times.iter().zip(&before).map(|(now, then)| (now.0, exponent((now.1, then.1)), now.1));
            return pairs.filter(|(_, exponent, time)| *exponent > EXPONENT && *time > COUNTS).collect();
        }
        (count, text, before) = (count * 4, larger, times);
    }
}

fn main() -> ExitCode {
    let word = std::env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or_default();
    let (mut run, mut failed) = (0, 0);
    let mut seen = BTreeSet::new();
    for (name, text) in SAMPLES.iter() {
        let Some(document) = Document::of(name, text) else { continue };
        for case in cases(&document, &mut seen) {
            let title = format!("{name} {}", case.name());
            if !title.contains(&word) {
                continue;
            }
            run += 1;
            // Once more, before it is said.
            let found = steep(&document, &case);
            let again = if found.is_empty() { Vec::new() } else { steep(&document, &case) };
            let twice = found.iter().filter(|(what, ..)| again.iter().any(|(other, ..)| what == other));
            for (what, exponent, time) in twice {
                println!("{title}: {what} {exponent:.2}, {time:.2} s");
                failed += 1;
            }
        }
    }
    println!("{run} cases, {failed} figures above {EXPONENT}");
    ExitCode::from(u8::from(failed > 0))
}
