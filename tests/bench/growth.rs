//! How the time of a check grows with what there is much of: each case at 10, 100 and 1,000 times its size, and
//! the exponent of the last step (1 is linear). `cargo bench --bench growth`.

use std::hint::black_box;
use std::time::Instant;

use citescope::session::Session;
use serde_json::{Value, json};

/// Smallest size of a case; the largest is a thousand times that.
const SMALL: usize = 100;

fn gemini(text: &str, chunks: Vec<Value>, supports: Vec<Value>) -> String {
    json!({"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP",
        "groundingMetadata": {"groundingChunks": chunks, "groundingSupports": supports}}]})
    .to_string()
}

fn chunk(number: usize) -> Value {
    json!({"retrievedContext": {"uri": format!("https://e{number}.example/"), "title": format!("T{number}"),
        "text": format!("The tower number {number} was finished in {} and stands 41 metres high.", 1000 + number % 900)}})
}

fn support(start: usize, end: usize, quote: Option<&str>, source: usize) -> Value {
    json!({"segment": {"startIndex": start, "endIndex": end, "text": quote}, "groundingChunkIndices": [source]})
}

/// So many sentences, and the bytes of each.
fn sentences(count: usize) -> (String, Vec<(usize, usize)>) {
    let (mut text, mut places) = (String::new(), Vec::new());
    for number in 0..count {
        let start = text.len();
        text.push_str(&format!("The tower number {number} was finished in {}.", 1000 + number % 900));
        places.push((start, text.len()));
        text.push(' ');
    }
    (text, places)
}

/// Supports of the sentences, each made by a function of its number and place.
fn supported(count: usize, support: impl Fn(usize, (usize, usize), &str) -> Value) -> String {
    let (text, places) = sentences(count);
    let supports = places.iter().enumerate().map(|(number, &place)| support(number, place, &text)).collect();
    gemini(&text, (0..50).map(chunk).collect(), supports)
}

type Case = (&'static str, fn(usize) -> String);

const CASES: [Case; 10] = [
    ("supports that fit", |n| supported(n, |k, (a, b), text| support(a, b, text.get(a..b), k % 50))),
    ("all shifted", |n| supported(n, |k, (a, b), text| support(a + 3, b + 3, text.get(a..b), k % 50))),
    ("quotes that are gone", |n| {
        supported(n, |k, (a, b), _| support(a, b, Some(&format!("nowhere {k}")), k % 50))
    }),
    ("nested, no quotes", |n| supported(n, |k, (_, b), _| support(0, b, None, k % 50))),
    ("all of one range", |n| supported(n, |k, _, text| support(0, 20, text.get(0..20), k % 50))),
    ("dangling indices", |n| supported(n, |k, (a, b), text| support(a, b, text.get(a..b), 1000 + k))),
    ("sources", |n| {
        gemini("One sentence.", (0..n).map(chunk).collect(), vec![support(0, 13, Some("One sentence."), 0)])
    }),
    ("sources of one support", |n| {
        let indices: Vec<usize> = (0..n).collect();
        let support =
            json!({"segment": {"endIndex": 13, "text": "One sentence."}, "groundingChunkIndices": indices});
        gemini("One sentence.", (0..n).map(chunk).collect(), vec![support])
    }),
    ("candidates", |n| {
        let candidate = |index| json!({"content": {"parts": [{"text": "One sentence."}]}, "index": index});
        json!({"candidates": (0..n).map(candidate).collect::<Vec<_>>()}).to_string()
    }),
    ("lines", |n| (0..n).map(|k| gemini(&format!("Sentence {k}."), vec![chunk(k)], vec![]) + "\n").collect()),
];

/// Seconds that opening and checking takes.
fn check(text: &str) -> f64 {
    let bytes = text.as_bytes().to_vec();
    let start = Instant::now();
    let session = Session::from_bytes("f", bytes);
    for review in session.reviews().flatten() {
        black_box(review.findings());
    }
    start.elapsed().as_secs_f64()
}

fn main() {
    println!(
        "{:<24} {:>10} {:>10} {:>10} {:>10}  exponent",
        "ms, of so many",
        SMALL,
        SMALL * 10,
        SMALL * 100,
        SMALL * 1000
    );
    for (name, make) in CASES {
        let times = [1, 10, 100, 1000].map(|times| {
            let text = make(SMALL * times);
            (0..3).map(|_| check(&text)).fold(f64::INFINITY, f64::min)
        });
        let shown: String = times.iter().map(|time| format!(" {:>10.2}", time * 1e3)).collect();
        println!("{name:<24}{shown}  {:>8.2}", (times[3] / times[2]).log10());
    }
}
