//! The published vectors: tokens, sentences, windows, cover, missing numbers and names of texts in twelve
//! scripts.

use citescope::evidence::{ChunkId, ChunkText, Claim, Index, Scorer, TokenKind};
use serde_json::{Value, json};
use std::path::Path;
use std::{env, fs};

#[test]
fn every_vector_is_equal() {
    let Some(corpus) = env::var_os("CITESCOPE_CORPUS") else {
        println!("skipped: CITESCOPE_CORPUS is not set");
        return;
    };
    let path = Path::new(&corpus).join("evidence-vectors.jsonl");
    let lines = fs::read_to_string(&path).unwrap();
    let mut count = 0;
    for line in lines.lines() {
        check(&serde_json::from_str(line).unwrap());
        count += 1;
    }
    assert!(count >= 27, "{count} vectors");
}

fn check(vector: &Value) {
    let name = vector["name"].as_str().unwrap();
    let text = vector["chunk"].as_str().unwrap();
    let title = vector["title"].as_str().unwrap();
    let index = Index::new([ChunkText { title, text, ..ChunkText::default() }]);
    let claim = Claim::new(&index, vector["claim"].as_str().unwrap());
    check_tokens(name, &index, &claim, &vector["claim_tokens"]);
    check_sentences(name, &index, text, &vector["chunk_sentences"]);

    let fit = Scorer::new(&index).cover(&claim, ChunkId(0));
    match (fit.map(|fit| fit.cover), vector["cover"].as_f64()) {
        (Some(made), Some(expected)) => assert!((made - expected).abs() < 0.0005, "{name}: {made}"),
        (made, expected) => assert_eq!(made, expected, "{name}"),
    }
    let window = fit.map_or([0, 0], |fit| [fit.window.first, fit.window.sentences]);
    assert_eq!(json!(window), vector["window"], "{name}");
    let cited = [ChunkId(0)];
    let numbers: Vec<&str> = claim.missing_numbers(&index, &cited).collect();
    assert_eq!(json!(numbers), vector["missing_numbers"], "{name}");
    let names: Vec<&str> = claim.missing_names(&index, &cited).collect();
    assert_eq!(json!(names), vector["missing_names"], "{name}");
}

fn check_tokens(name: &str, index: &Index, claim: &Claim, expected: &Value) {
    let made = Scorer::new(index).explain(claim, &[ChunkId(0)], 1).tokens;
    let expected = expected.as_array().unwrap();
    assert_eq!(made.len(), expected.len(), "{name}");
    for (token, expected) in made.iter().zip(expected) {
        let kind = match token.kind {
            TokenKind::Word => "w",
            TokenKind::Number => "n",
            TokenKind::Gram => "g",
        };
        assert_eq!(json!([token.text, kind]), json!([expected[0], expected[1]]), "{name}");
        let weight = expected[2].as_f64().unwrap();
        assert!((token.weight - weight).abs() < 1e-9, "{name}: {}", token.text);
    }
}

/// The vectors count characters.
fn check_sentences(name: &str, index: &Index, text: &str, expected: &Value) {
    let characters = |at: usize| text.get(..at).unwrap().chars().count();
    let spans = index.sentences(ChunkId(0));
    let made: Vec<[usize; 2]> = spans.map(|(a, b)| [characters(a), characters(b)]).collect();
    assert_eq!(json!(made), *expected, "{name}");
}
