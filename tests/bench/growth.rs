//! How time grows with what there is much of: each case at 10, 100 and 1,000 times its size, opened and
//! checked, then exported, then reported by `citescope check`, then repaired by `citescope fix`, then drawn,
//! and the exponent of the last step (1 is linear). `cargo bench --bench growth`, or with words of the names
//! of some cases behind `--`; it fails where one is above 1.3, of what takes long enough to be measured.

use std::hint::black_box;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use citescope::export::{ExportOptions, Make, TARGETS};
use citescope::format::Limits;
use citescope::session::{Session, Supplied};
use citescope::tui::layout::{Cache, layout};
use citescope::tui::state::State;
use ratatui::layout::Size;
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

/// Messages of a research run.
fn research(messages: impl IntoIterator<Item = Value>) -> String {
    let frame = |message: Value| format!("data: {}\n\n", json!({"chatId": "c", "message": message}));
    messages.into_iter().chain([json!({"type": "COMPLETE"})]).map(frame).collect()
}

fn answer() -> Value {
    json!({"type": "ANSWER", "content": "Claim one here ."})
}

/// So many times a text, with a support over each that has no quote.
fn marks(unit: &str, count: usize) -> String {
    let size = unit.len();
    let supports = (0..count).map(|k| support(k * size, (k + 1) * size, None, k % 50)).collect();
    gemini(&unit.repeat(count), (0..50).map(chunk).collect(), supports)
}

/// Parts of a candidate beside a text.
fn parts(parts: impl Iterator<Item = Value>) -> String {
    let parts: Vec<Value> = [json!({"text": "Hello world. "})].into_iter().chain(parts).collect();
    json!({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]}).to_string()
}

type Case = (&'static str, fn(usize) -> String);

const SUPPORTS: &[Case] = &[
    ("supports that fit", |n| supported(n, |k, (a, b), text| support(a, b, text.get(a..b), k % 50))),
    ("characters, not bytes", |n| {
        let (text, places) = sentences(n);
        let supports =
            places.iter().enumerate().map(|(k, &(a, b))| support(a + 3, b + 3, text.get(a..b), k % 50));
        gemini(&format!("é. {text}"), (0..50).map(chunk).collect(), supports.collect())
    }),
    ("all shifted", |n| supported(n, |k, (a, b), text| support(a + 3, b + 3, text.get(a..b), k % 50))),
    ("all drifting", |n| supported(n, |k, (a, b), text| support(a + k, b + k, text.get(a..b), k % 50))),
    ("quotes that are gone", |n| {
        supported(n, |k, (a, b), _| support(a, b, Some(&format!("nowhere {k}")), k % 50))
    }),
    ("quotes alike, far away", |n| supported(n, |k, (a, _), _| support(a, a + 9, Some("The tower"), k % 50))),
    ("nested, no quotes", |n| supported(n, |k, (_, b), _| support(0, b, None, k % 50))),
    ("all of one range", |n| supported(n, |k, _, text| support(0, 20, text.get(0..20), k % 50))),
    ("dangling indices", |n| supported(n, |k, (a, b), text| support(a, b, text.get(a..b), 1000 + k))),
    ("offsets that are words", |n| {
        let odd = json!({"segment": {"startIndex": "x", "endIndex": []}, "groundingChunkIndices": "y"});
        gemini("Hello.", vec![chunk(0)], vec![odd; n])
    }),
    ("marks in one word", |n| marks("é", n)),
    ("marks in one run of flags", |n| marks("🇩🇪", n)),
    ("marks in one conjunct", |n| marks("क\u{94d}", n)),
    ("nested in one conjunct", |n| {
        let supports = (0..n).map(|k| support(0, 6 * (k + 1) - 3, None, k % 50)).collect();
        gemini(&"क\u{94d}".repeat(n), (0..50).map(chunk).collect(), supports)
    }),
];

/// A message of OpenAI's, each annotation made of its number.
fn openai(text: &str, annotations: impl Iterator<Item = Value>) -> String {
    let annotations: Vec<Value> = annotations.collect();
    let content = json!([{"type": "output_text", "text": text, "annotations": annotations}]);
    json!({"object": "response", "output": [{"type": "message", "content": content}]}).to_string()
}

/// A text of so many claims with a mark each, and a citation of each mark, moved by a function of its number.
fn marked(count: usize, moved: impl Fn(usize) -> usize) -> String {
    let (mut text, mut places) = (String::new(), Vec::new());
    for number in 0..count {
        text.push_str(&format!("Tower {number} stands. "));
        let start = text.len();
        text.push_str(&format!("([e](https://e{number}.example/)) "));
        places.push((start, text.len() - 1));
    }
    let citation = |(number, (start, end)): (usize, &(usize, usize))| {
        json!({"type": "url_citation", "start_index": start + moved(number), "end_index": end + moved(number),
            "url": format!("https://e{number}.example/")})
    };
    openai(&text, places.iter().enumerate().map(citation))
}

fn perplexity(sources: usize, text: &str) -> String {
    let citations: Vec<String> = (0..sources).map(|number| format!("https://e{number}.example/")).collect();
    json!({"citations": citations, "choices": [{"message": {"content": text}}]}).to_string()
}

const PROVIDERS: &[Case] = &[
    ("marks that fit", |n| marked(n, |_| 0)),
    ("marks that are elsewhere", |n| marked(n, |number| number % 7 + 1)),
    ("marks of one range", |n| {
        let url = |number| format!("https://e{number}.example/");
        openai("Fact. ([e](https://e0.example/))", (0..n).map(|number| json!({"type": "url_citation", "start_index": 6, "end_index": 32, "url": url(number)})))
    }),
    ("nested marks", |n| {
        let citation = |number| json!({"type": "url_citation", "start_index": number, "end_index": 2 * n, "url": "https://e.example/"});
        openai(&"x ".repeat(n), (0..n).map(citation))
    }),
    ("overlapping marks", |n| {
        let citation = |number| json!({"type": "url_citation", "start_index": 5 * number, "end_index": 5 * number + 9, "url": format!("https://e{number}.example/")});
        openai(&"word abcd ".repeat(n / 2 + 9), (0..n).map(citation))
    }),
    ("points", |n| {
        let point = |number| json!({"type": "file_citation", "index": 5 * number + 4, "file_id": format!("f{number}")});
        openai(&"Fact.".repeat(n), (0..n).map(point))
    }),
    ("brackets", |n| {
        openai(&"[".repeat(n), std::iter::once(json!({"type": "url_citation", "url": "https://e.example/"})))
    }),
    ("brackets behind a marker", |n| perplexity(3, &format!("Old [1]. {}", "[".repeat(n)))),
    ("half links", |n| {
        openai(
            &"[a](".repeat(n),
            std::iter::once(json!({"type": "url_citation", "url": "https://e.example/"})),
        )
    }),
    ("markers, a line each", |n| {
        perplexity(900, &(0..n).map(|k| format!("Tower {k} stands.[{}]\n", k % 900 + 1)).collect::<String>())
    }),
    ("markers in one line", |n| perplexity(900, &"Fact [1] ".repeat(n))),
    ("markers in bold", |n| perplexity(900, &"It is lit **[1]** and red. ".repeat(n))),
    ("markers in brackets with words", |n| {
        perplexity(900, &"It is lit *(see [1] and [2])*. It is red. *Sources: [1], [2]* ".repeat(n))
    }),
    ("links in brackets", |n| {
        perplexity(900, &"It is lit ([o](https://o.example/x) and [t](https://t.example/y)). ".repeat(n))
    }),
    ("quotes of one's own that are gone", |n| {
        let text: String = (0..n).map(|k| format!("Tower {k} stands on the cliff. ")).collect();
        let gone = |k| json!({"text": format!("Tower {k} stands on the clifz."), "source_id": "a"});
        json!({
            "answer": text,
            "sources": [{"id": "a", "url": "https://a.example/"}],
            "citations": (0..n).map(gone).collect::<Vec<_>>(),
        })
        .to_string()
    }),
    ("links that are words", |n| {
        perplexity(900, &"It is lit. [One](https://o.example/x), [Two](https://t.example/y) is. ".repeat(n))
    }),
    ("markers that name nothing", |n| perplexity(3, &"[99]".repeat(n))),
    ("markers in one group", |n| perplexity(900, &"[1]".repeat(n))),
    ("links to sources", |n| {
        let sources = (0..n)
            .map(|k| json!({"type": "source-url", "sourceId": "s", "url": format!("https://e{k}.example/")}));
        let texts = (0..n).map(
            |k| json!({"type": "text", "text": format!("Tower {k} stands [e](https://e{k}.example/). ")}),
        );
        json!({"role": "assistant", "parts": sources.chain(texts).collect::<Vec<_>>()}).to_string()
    }),
    ("quotes of one page", |n| {
        let block = |k| {
            let words = format!("Tower {k} stands {} metres high beside the harbour wall. ", 20 + k % 900);
            json!({"type": "text", "text": words, "citations": [{"type": "web_search_result_location",
                "url": "https://e.example/", "title": "Towers", "cited_text": words}]})
        };
        json!({"type": "message", "role": "assistant", "content": (0..n).map(block).collect::<Vec<_>>()})
            .to_string()
    }),
    ("points by structure", |n| {
        let block = |k| {
            let cited = json!({"citationsContent": {"citations": [{"location": {"web": {"url": format!("https://e{k}.example/")}}}]}});
            [json!({"text": format!("Tower {k} stands. ")}), cited]
        };
        json!({"output": {"message": {"content": (0..n).flat_map(block).collect::<Vec<_>>()}}}).to_string()
    }),
];

/// So many claims of the same words, each citing one of some sources by its number.
fn alike(count: usize, words: &str, sources: &[String]) -> String {
    let text = format!("{words} ").repeat(count);
    let size = words.len() + 1;
    let supports = (0..count).map(|k| support(k * size, (k + 1) * size - 1, None, k % sources.len()));
    let passage = |(number, text): (usize, &String)| json!({"retrievedContext": {"uri": format!("https://e{number}.example/"), "title": "T", "text": text}});
    gemini(&text, sources.iter().enumerate().map(passage).collect(), supports.collect())
}

const COMPARED: &[Case] = &[
    ("claims that a long source fits", |n| {
        alike(n, "Alpha beta gamma delta.", &["Alpha beta gamma delta. ".repeat(n)])
    }),
    ("claims that all sources fit", |n| {
        let sources: Vec<String> = (0..n).map(|k| format!("Alpha beta gamma delta {k}.")).collect();
        alike(n, "Alpha beta gamma delta.", &sources)
    }),
    ("claims with a source each", |n| {
        let (text, places) = sentences(n);
        let supports = places.iter().enumerate().map(|(k, &(a, b))| support(a, b, text.get(a..b), k));
        gemini(&text, (0..n).map(chunk).collect(), supports.collect())
    }),
];

const LISTS: &[Case] = &[
    ("sources", |n| {
        gemini("One sentence.", (0..n).map(chunk).collect(), vec![support(0, 13, Some("One sentence."), 0)])
    }),
    ("sources of one support", |n| {
        let indices: Vec<usize> = (0..n).collect();
        let support =
            json!({"segment": {"endIndex": 13, "text": "One sentence."}, "groundingChunkIndices": indices});
        gemini("One sentence.", (0..n).map(chunk).collect(), vec![support])
    }),
    ("flags of one place", |n| {
        let place = |k| json!({"maps": {"uri": format!("https://m.example/{k}"), "title": "t", "placeId": "places/A"}});
        let flag = |k| json!({"sourceId": "places/A", "flagContentUri": format!("https://f.example/{k}")});
        let metadata = json!({"groundingChunks": (0..n).map(place).collect::<Vec<_>>(), "sourceFlaggingUris": (0..n).map(flag).collect::<Vec<_>>()});
        json!({"candidates": [{"content": {"parts": [{"text": "Hello."}]}, "groundingMetadata": metadata}]})
            .to_string()
    }),
    ("candidates", |n| {
        let text =
            "One sentence, as long as an answer is when it says something of what was asked. ".repeat(6);
        let candidate = |index| json!({"content": {"parts": [{"text": text}]}, "index": index});
        json!({"candidates": (0..n).map(candidate).collect::<Vec<_>>()}).to_string()
    }),
    ("parts", |n| parts((0..n).map(|k| json!({"text": format!("word {k} ")})))),
    ("blanks in an argument", |n| {
        parts(std::iter::once(
            json!({"functionCall": {"name": "f", "args": {"q": format!("r{}", " ".repeat(n))}}}),
        ))
    }),
    ("signs in an address", |n| {
        let uri = format!("https://e.example/?{}", "&a".repeat(n));
        gemini(
            "Fact.",
            vec![json!({"web": {"uri": uri, "title": "T"}})],
            vec![json!({"segment": {"endIndex": 5, "text": "Fact."}, "groundingChunkIndices": [0]})],
        )
    }),
    ("signs in an argument", |n| {
        parts(std::iter::once(json!({"functionCall": {"name": "f", "args": {"q": "=:".repeat(n)}}})))
    }),
    ("elements without an end in an argument", |n| {
        let text = "<password><![CDATA[".repeat(n);
        parts(std::iter::once(json!({"functionCall": {"name": "f", "args": {"q": text}}})))
    }),
    ("a list behind the name of a credential", |n| {
        let text = format!("passwords={}", "a1,".repeat(n));
        parts(std::iter::once(json!({"functionCall": {"name": "f", "args": {"q": text}}})))
    }),
    ("values in JSON in an argument", |n| {
        let text = format!("{{{}\"password\": 1}}", "\"value\": 1, ".repeat(n));
        parts(std::iter::once(json!({"functionCall": {"name": "f", "args": {"q": text}}})))
    }),
    ("calls and others' responses", |n| {
        let call = |k| json!({"functionCall": {"name": format!("f{k}"), "args": {}}});
        let response = |k| json!({"functionResponse": {"name": format!("g{k}"), "response": {"r": 1}}});
        parts((0..n).map(call).chain((0..n).map(response)))
    }),
    ("events", |n| {
        let event = |k| json!({"id": k, "author": "a", "invocationId": format!("i{}", k / 4), "content": {"role": "model", "parts": [{"text": "Hello."}]}});
        json!({"sessionEvents": (0..n).map(event).collect::<Vec<_>>()}).to_string()
    }),
    ("events that failed", |n| {
        let event = |k| json!({"id": k, "author": "a", "invocationId": "i", "timestamp": 1, "errorCode": "429", "errorMessage": format!("m{k}")});
        (0..n).map(|k| format!("{}\n", event(k))).collect()
    }),
    ("events with metadata and no text", |n| {
        let event = |k| json!({"id": k, "author": "a", "invocationId": "i", "timestamp": 1, "groundingMetadata": {"groundingChunks": [chunk(k)]}});
        (0..n).map(|k| format!("{}\n", event(k))).collect()
    }),
    ("events that ask for credentials", |n| {
        let event = |k| {
            json!({"id": k, "author": "a", "invocationId": "i", "timestamp": 1, "content": {"role": "model", "parts": [{"text": "Hello."}]},
            "actions": {"requestedAuthConfigs": {(format!("c{k}")): {}}}})
        };
        (0..n).map(|k| format!("{}\n", event(k))).collect()
    }),
    ("errors behind an answer", |n| {
        let answer = json!({"candidates": [{"content": {"parts": [{"text": "Hello."}]}}], "responseId": "r"});
        let error = |k| format!("data: {}\n\n", json!({"error": {"message": format!("m{k}"), "code": 500}}));
        format!("data: {answer}\n\n") + &(0..n).map(error).collect::<String>()
    }),
    ("runs with offsets to repair", |n| {
        // Runs of an agent are one record; each support is off by one.
        let event = |k| {
            json!({"id": k, "author": "a", "invocationId": format!("i{k}"), "content": {"role": "model", "parts": [{"text": "Hello there. More."}]},
            "groundingMetadata": {"groundingChunks": [chunk(k)], "groundingSupports": [support(1, 13, Some("Hello there."), 0)]}})
        };
        (0..n).map(|k| format!("{}\n", event(k))).collect()
    }),
    ("frames with metadata", |n| {
        let frame = |k: usize| {
            json!({"responseId": "r", "candidates": [{"content": {"parts": [{"text": "Hello. "}]}, "groundingMetadata": {
            "webSearchQueries": [format!("q{k}")], "groundingChunks": [chunk(k)], "groundingSupports": [support(7 * k, 7 * k + 6, Some("Hello."), k)]}}]})
        };
        (0..n).map(|k| format!("data: {}\n\n", frame(k))).collect()
    }),
    ("audits and references", |n| {
        let audit = |k| json!({"auditType": "X", "toolId": format!("a{}", k % 7), "title": "t", "results": [{"type": "DOC", "values": [{"id": format!("D{k}"), "hd": "h"}]}]});
        let reference = |k| json!({"start": 0, "end": 15, "auditId": format!("a{}", k % 7), "source": {"id": format!("D{k}")}});
        research([
            answer(),
            json!({"type": "AUDIT", "auditTraces": (0..n).map(audit).collect::<Vec<_>>()}),
            json!({"type": "GROUNDING", "references": (0..n).map(reference).collect::<Vec<_>>()}),
        ])
    }),
    ("passages of one document", |n| {
        let chunks: Vec<Value> = (0..n).map(|k| json!({"cnum": k, "text": format!("t{k}")})).collect();
        let reference = json!({"start": 0, "end": 15, "source": {"id": "D", "chunks": chunks}});
        research([answer(), json!({"type": "GROUNDING", "references": [reference]})])
    }),
    ("references that the end replaces", |n| {
        let cite =
            |k: usize| json!({"startIndex": 0, "endIndex": 15, "sources": [{"referenceId": format!("{k}")}]});
        let many = json!({"answer": {"state": "STREAMING", "answerText": "Claim one here.", "citations": (0..n).map(cite).collect::<Vec<_>>()}});
        let last = json!({"answer": {"state": "SUCCEEDED", "name": "n", "answerText": "Claim one here."}});
        json!([many, last]).to_string()
    }),
    ("passages cited by one block", |n| {
        let cite = |k: usize| json!({"title": "D", "sourceContent": [{"text": format!("The light of tower {k} was lit.")}], "location": {"documentChar": {"documentIndex": 0, "start": k, "end": k + 9}}});
        let block = json!({"citationsContent": {"content": [{"text": "The light was lit."}], "citations": (0..n).map(cite).collect::<Vec<_>>()}});
        json!({"output": {"message": {"role": "assistant", "content": [block]}}, "stopReason": "end_turn"})
            .to_string()
    }),
    ("actions", |n| {
        let action =
            |k| json!({"type": "ACTION", "toolName": "s", "toolArguments": {"query": format!("text {k}")}});
        research((0..n).map(action).chain([answer()]))
    }),
    ("markers of a chat", |n| {
        let text: String = (0..n).map(|k| format!("Claim {k} `:ref[LIST:[CQS:D{k}-1]]`. ")).collect();
        let next = json!({"requestId": "r", "type": "NEXT", "content": text});
        let origins: Vec<Value> = (0..n).map(|k| json!({"id": format!("D{k}")})).collect();
        format!("{next}\n{}\n", json!({"requestId": "r", "type": "COMPLETE", "originSources": origins}))
    }),
    ("results that match nothing", |n| {
        let reference = |k| json!({"chunkInfo": {"chunk": format!("c{k}"), "content": "x", "documentMetadata": {"document": format!("d{k}")}}});
        let result = |k| json!({"document": format!("z{k}"), "chunkInfo": [{"chunk": format!("q{k}"), "content": "y"}]});
        let action = json!({"searchAction": {"query": "q"}, "observation": {"searchResults": (0..n).map(result).collect::<Vec<_>>()}});
        json!({"name": "projects/p/answers/a", "state": "SUCCEEDED", "answerText": "Claim one here.",
            "references": (0..n).map(reference).collect::<Vec<_>>(), "steps": [{"state": "SUCCEEDED", "actions": [action]}]})
        .to_string()
    }),
    ("claims of an answer to check", |n| {
        let claim = |k: usize| json!({"startPos": 7 * k, "endPos": 7 * k + 6, "claimText": "Hello.", "citationIndices": [k % 50]});
        let cited = |k| json!({"chunkText": format!("Hello {k}."), "source": k});
        json!({"supportScore": 0.9, "citedChunks": (0..50).map(cited).collect::<Vec<_>>(), "claims": (0..n).map(claim).collect::<Vec<_>>()}).to_string()
    }),
    ("turns of a session, all off by some", |n| {
        let answer = "It rose. And then it fell in winter.";
        let turn = |k| {
            json!({"author": "a", "invocationId": format!("e{k}"), "content": {"parts": [{"text": answer}]},
            "groundingMetadata": {"groundingChunks": [chunk(k)], "groundingSupports": [{"segment":
                {"startIndex": 12, "endIndex": 39, "text": "And then it fell in winter."}, "groundingChunkIndices": [0]}]}})
        };
        json!({"id": "s", "appName": "a", "userId": "u", "events": (0..n).map(turn).collect::<Vec<_>>()})
            .to_string()
    }),
    ("supports whose ranges are wrong and wide, with quotes that are there", |n| {
        let sentences: Vec<String> = (0..n).map(|k| format!("Sentence {k} rose.")).collect();
        let text = sentences.join(" ");
        let half = text.len() / 2;
        let wide = |k: usize| {
            support(k * 7919 % half, text.len() - k * 104_729 % half, Some(sentences[k].as_str()), 0)
        };
        gemini(&text, vec![chunk(0)], (0..n).map(wide).collect())
    }),
    ("annotations that end behind the answer", |n| {
        let text = "The café rose. ".repeat(n);
        let end = text.chars().count() + 1;
        let annotation = |k| json!({"type": "url_citation", "start_index": 15 * k, "end_index": end + k, "url": "https://e.example/"});
        let part = json!({"type": "output_text", "text": text, "annotations": (0..n).map(annotation).collect::<Vec<_>>()});
        json!({"object": "response", "id": "r", "status": "completed", "output": [{"type": "message", "role": "assistant", "content": [part]}]})
            .to_string()
    }),
    ("names of credentials joined by colons", |n| {
        json!({"candidates": [{"content": {"parts": [{"thought": true, "text": "password:".repeat(n)}, {"text": "Hi."}]}}]})
            .to_string()
    }),
    ("lines", |n| (0..n).map(|k| gemini(&format!("Sentence {k}."), vec![chunk(k)], vec![]) + "\n").collect()),
    ("lines of nothing", |n| "{}\n".repeat(n)),
    ("lists that are begun line by line", |n| "[{\"a\": 1},\n".repeat(n)),
    ("a list of numbers", |n| format!("[{}0]", "0,".repeat(n))),
    ("an array of something else", |n| {
        json!((0..n).map(|k| json!({"id": k, "name": "of another program"})).collect::<Vec<_>>()).to_string()
    }),
];

/// Seconds that a command of the program takes.
fn program(command: &str, file: &std::path::Path) -> f64 {
    let start = Instant::now();
    let mut program = Command::new(env!("CARGO_BIN_EXE_citescope"));
    let run = program.args([command, "--no-limits"]).arg(file).stdout(Stdio::null()).stderr(Stdio::null());
    run.status().expect("the program runs");
    start.elapsed().as_secs_f64()
}

/// Seconds that laying out a first frame takes once its response is read and compared.
fn frame(text: &str) -> f64 {
    let session = Session::from_bytes("f", text.as_bytes().to_vec());
    let state = State::new(Arc::new(session.with(Supplied { limits: Limits::None, ..Supplied::default() })));
    if let Some(review) = state.review() {
        black_box(review.comparison());
        black_box(review.findings());
    }
    let start = Instant::now();
    black_box(layout(&state, Size { width: 120, height: 36 }, &mut Cache::default()));
    start.elapsed().as_secs_f64()
}

/// Seconds that opening and checking takes, then every export, the report, repairs, and then a frame of the
/// screen.
fn run(text: &str) -> [f64; COLUMNS] {
    let bytes = text.as_bytes().to_vec();
    let start = Instant::now();
    let session =
        Session::from_bytes("f", bytes).with(Supplied { limits: Limits::None, ..Supplied::default() });
    let reviews: Vec<_> = session.reviews().flatten().collect();
    for review in &reviews {
        black_box(review.findings());
    }
    let checked = start.elapsed().as_secs_f64();
    let start = Instant::now();
    for target in TARGETS {
        match target.make {
            // Of many responses one is exported.
            Make::One(_) | Make::Page(_) => {
                for review in reviews.iter().take(1) {
                    black_box(target.text(review, &ExportOptions::default()).text.len());
                }
            }
            Make::All(make) => {
                let _ = make(&mut reviews.iter().cloned(), &ExportOptions::default(), &mut std::io::sink());
            }
        }
    }
    let exported = start.elapsed().as_secs_f64();
    let mut file = tempfile::NamedTempFile::new().expect("there is room for it");
    file.write_all(text.as_bytes()).expect("there is room for it");
    [checked, exported, program("check", file.path()), program("fix", file.path()), frame(text)]
}

/// What is measured of each shape.
const COLUMNS: usize = 5;

/// Above this an exponent fails, of a last step that takes longer than so many seconds.
const EXPONENT: f64 = 1.3;
const COUNTS: f64 = 0.2;

fn main() -> std::process::ExitCode {
    let sizes = [SMALL, SMALL * 10, SMALL * 100, SMALL * 1000].map(|size| format!("{size:>9}")).concat();
    println!(
        "{:<30}{}",
        "ms: check, all exports, report, fix, frame",
        format!("{sizes}  exponent").repeat(COLUMNS)
    );
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let mut failed = 0;
    let cases = SUPPORTS.iter().chain(PROVIDERS).chain(COMPARED).chain(LISTS);
    for (name, make) in
        cases.filter(|(name, _)| words.is_empty() || words.iter().any(|word| name.contains(word.as_str())))
    {
        let times = [1, 10, 100, 1000].map(|times| {
            let text = make(SMALL * times);
            let runs = if times < 1000 { 3 } else { 1 };
            let least =
                |a: [f64; COLUMNS], b: [f64; COLUMNS]| std::array::from_fn(|what| a[what].min(b[what]));
            (0..runs).map(|_| run(&text)).reduce(least).unwrap_or_default()
        });
        print!("{name:<30}");
        for what in 0..COLUMNS {
            let shown: String = times.iter().map(|time| format!("{:>9.2}", time[what] * 1e3)).collect();
            let exponent = (times[3][what] / times[2][what]).log10();
            let fails = exponent > EXPONENT && times[3][what] > COUNTS;
            failed += usize::from(fails);
            print!("{shown}  {exponent:>7.2}{}", if fails { "!" } else { " " });
        }
        println!();
    }
    println!("{failed} above {EXPONENT}");
    std::process::ExitCode::from(u8::from(failed > 0))
}
