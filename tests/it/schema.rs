//! The JSON Schemas in `assets/`: every export is valid, and what is broken is not.

use std::fs;

use citescope::cli::SAMPLES;
use citescope::model::{AnswerState, Grounding, Layer, Proof, QueryKind, RemarkKind, Unit};
use serde_json::{Value, json};

use crate::common::library::{export, open, recordings, sample};
use crate::common::program::output;
use crate::common::schema::Validator;

fn schema(name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(format!("assets/{name}.schema.json")).unwrap()).unwrap()
}

fn validator(name: &str) -> Validator {
    Validator::new(schema(name))
}

/// The document of an input and its lines, as they are written.
fn exports(name: &str, bytes: impl Into<Vec<u8>>) -> Vec<Value> {
    let (document, lines) = export(open(name, bytes), false);
    serde_json::Deserializer::from_str(&(lines + &document)).into_iter().map(Result::unwrap).collect()
}

#[test]
fn every_sample_is_valid() {
    let validator = validator("citescope-1");
    for (name, text) in SAMPLES.iter() {
        let exports = exports(name, *text);
        assert!(exports.len() > 1, "{name}");
        for value in &exports {
            validator.assert_valid(name, value);
        }
    }
}

/// A document that 0.1.0 wrote.
#[test]
fn documents_of_before_stay_valid_and_open_again() {
    let text = include_str!("neutral-0.1.0.jsonl");
    let validator = validator("citescope-1");
    for line in text.lines() {
        validator.assert_valid("0.1.0", &serde_json::from_str(line).unwrap());
    }
    let answers: Vec<String> =
        open("f", text).reviews().map(|review| review.unwrap().text().to_owned()).collect();
    let sent: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let sent: Vec<&str> = sent.iter().map(|line| line["answer"].as_str().unwrap_or_default()).collect();
    assert!(!sent.is_empty());
    assert_eq!(answers, sent);
}

#[test]
fn every_recording_is_valid() {
    let Some(recordings) = recordings() else { return };
    let validator = validator("citescope-1");
    for file in recordings {
        let name = file.to_string_lossy();
        for value in &exports(&name, fs::read(&file).unwrap()) {
            validator.assert_valid(&name, value);
        }
    }
}

/// A document with one value changed.
fn changed(document: &Value, pointer: &str, change: impl Fn(&mut Value)) -> Value {
    let mut out = document.clone();
    change(out.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")));
    out
}

#[test]
fn broken_documents_are_not() {
    let validator = validator("citescope-1");
    let text = sample("gemini-dangling.json");
    let all = exports("f", text);
    let (line, document) = (&all[0], &all[1]);
    assert!(validator.is_valid(document) && validator.is_valid(line));
    let set = |to: Value| move |value: &mut Value| *value = to.clone();
    let add = |value: &mut Value| drop(value.as_object_mut().unwrap().insert("new".to_owned(), json!(1)));
    let remove = |key: &'static str| {
        move |value: &mut Value| drop(value.as_object_mut().unwrap().shift_remove(key).unwrap())
    };
    let one = "/responses/0";
    let broken = [
        ("another version", changed(document, "/schema", set(json!("citescope/2")))),
        ("no schema", changed(document, "", remove("schema"))),
        ("a field too many", changed(document, "", add)),
        ("a field too many in a response", changed(document, one, add)),
        ("a field too many in a support", changed(document, "/responses/0/supports/0", add)),
        ("a field too many in an anchor", changed(document, "/responses/0/supports/0/anchor", add)),
        ("a field too many in a source", changed(document, "/responses/0/sources/0", add)),
        ("a field too many in a line", changed(line, "", add)),
        (
            "a schema inside a document",
            changed(document, one, |value| value["schema"] = json!("citescope/1")),
        ),
        ("no answer", changed(document, one, remove("answer"))),
        ("no evidence", changed(document, "/responses/0/supports/0", remove("evidence"))),
        ("a negative start", changed(document, "/responses/0/supports/0/start", set(json!(-1)))),
        ("a start in text", changed(document, "/responses/0/supports/0/start", set(json!("0")))),
        (
            "a verdict of no kind",
            changed(document, "/responses/0/supports/0/anchor/verdict", set(json!("fine"))),
        ),
        ("a state of no kind", changed(document, "/responses/0/state", set(json!("done")))),
        (
            "a score in words",
            changed(document, "/responses/0/supports/0/citations/0/score", set(json!("high"))),
        ),
        (
            "a source that dangles",
            changed(document, "/responses/0/supports/0/citations/0/kind", set(json!("dangling"))),
        ),
        ("a finding without a severity", changed(document, "/responses/0/findings/0", remove("severity"))),
        ("a line 0", changed(document, "/responses/0/findings/0/line", set(json!(0)))),
        ("an index of a float", changed(document, "/responses/0/sources/0/index", set(json!(0.5)))),
    ];
    for (what, value) in broken {
        assert!(!validator.is_valid(&value), "{what} should be refused");
    }
    let free = [
        changed(document, "/responses/0/extra", add),
        changed(document, "/responses/0/actions", set(json!({"any": [1, null]}))),
        changed(document, "/responses/0/sources/0/struct_data", set(json!(["any"]))),
    ];
    for value in free {
        validator.assert_valid("free", &value);
    }
}

#[test]
fn the_check_document_is_strict_too() {
    let validator = validator("citescope-check-1");
    let text = sample("gemini-broken-offsets.json");
    let response = &exports("f", text)[0];
    let of = |key: &str| (key.to_owned(), response[key].clone());
    let checked: serde_json::Map<_, _> =
        ["record", "item", "id", "format", "fit", "coverage", "findings"].into_iter().map(of).collect();
    let checked = Value::Object(checked);
    let error = json!({"line": 3, "column": 1, "path": null, "message": "not JSON"});
    let document = json!({
        "schema": "citescope-check/1",
        "files": [{"file": "f", "responses": [checked], "error": null}, {"file": "g", "responses": [], "error": error}],
        "summary": {"responses": 1, "errors": 1, "warnings": 0, "notes": 2},
    });
    validator.assert_valid("document", &document);
    let mut line = json!({"schema": "citescope-check/1", "file": "f"});
    line.as_object_mut().unwrap().extend(checked.as_object().unwrap().clone());
    validator.assert_valid("line", &line);
    let failed = json!({"schema": "citescope-check/1", "file": "f", "record": 2, "error": error});
    validator.assert_valid("failed", &failed);
    let fixed = changed(&document, "/files/0/responses/0/findings/0/fix", |fix| {
        *fix = json!([{"path": "$.a", "old": "85", "new": "56"}]);
    });
    validator.assert_valid("fixed", &fixed);
    let broken = [
        changed(&document, "/files/0/responses/0", |value| value["extra"] = json!({})),
        changed(&document, "/files/0/error", |value| *value = json!("broken")),
        changed(&document, "/summary/errors", |value| *value = json!(-1)),
        changed(&fixed, "/files/0/responses/0/findings/0/fix/0/old", |value| *value = json!(85)),
        changed(&failed, "", |value| value["record"] = json!("2")),
        changed(&line, "", |value| drop(value.as_object_mut().unwrap().shift_remove("file"))),
    ];
    for value in broken {
        assert!(!validator.is_valid(&value), "{value}");
    }
}

/// Fields that came after the schema was first published: always written, and not required of documents of
/// before.
const ADDED: [&str; 10] = [
    "response/properties/documented/inclusive",
    "support/kind",
    "support/properties/sent/index",
    "citation/quote",
    "citation/chunks",
    "citation/location",
    "citation/title",
    "source/number",
    "source/retrieved",
    "source/score",
];

/// Properties without a description, by their path.
fn undescribed(value: &Value, path: &str, out: &mut Vec<String>) {
    for (name, property) in value["properties"].as_object().into_iter().flatten() {
        let described =
            property.get("description").or(property.get("const")).or(property.get("$ref")).is_some();
        let required = value["required"].as_array().is_some_and(|list| list.iter().any(|key| key == name));
        let required = required || ADDED.contains(&format!("{path}/{name}").trim_start_matches("/$defs/"));
        if value["type"] == "object"
            && !(described
                && (required
                    || [
                        "sent_index",
                        "notice",
                        "unreadable",
                        "further_flag_uris",
                        "further",
                        "mark",
                        "earlier",
                        "began",
                        "ended",
                    ]
                    .contains(&name.as_str())))
        {
            out.push(format!("{path}/{name}"));
        }
    }
    match value {
        Value::Object(object) => {
            object.iter().for_each(|(key, inner)| undescribed(inner, &format!("{path}/{key}"), out));
        }
        Value::Array(list) => list.iter().for_each(|inner| undescribed(inner, path, out)),
        _ => {}
    }
}

#[test]
fn every_field_is_required_and_described_and_the_words_are_those_of_the_program() {
    for name in ["citescope-1", "citescope-check-1"] {
        let mut missing = Vec::new();
        undescribed(&schema(name), "", &mut missing);
        assert!(missing.is_empty(), "{missing:#?}");
    }
    let schema = schema("citescope-1");
    let response = &schema["$defs"]["response"]["properties"];
    let words = |place: &Value| {
        place["enum"]
            .as_array()
            .unwrap()
            .iter()
            .map(|word| word.as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(words(&response["state"]), AnswerState::ALL.map(AnswerState::word));
    assert_eq!(words(&response["grounding"]), Grounding::ALL.map(Grounding::word));
    assert_eq!(words(&response["documented"]["properties"]["unit"]), Unit::ALL.map(Unit::word));
    assert_eq!(words(&response["documented"]["properties"]["proof"]), Proof::ALL.map(Proof::word));
    assert_eq!(
        words(&schema["$defs"]["remark"]["properties"]["kind"]),
        RemarkKind::ALL.map(RemarkKind::word)
    );
    assert_eq!(words(&schema["$defs"]["support"]["properties"]["origin"]), Layer::ALL.map(Layer::word));
    assert_eq!(words(&schema["$defs"]["query"]["properties"]["origin"]), QueryKind::ALL.map(QueryKind::word));
    let rule = Validator::new(schema["$defs"]["finding"]["properties"]["rule"].clone());
    assert!(citescope::check::RULES.iter().all(|known| rule.is_valid(&json!(known.id))));
    let format = Validator::new(response["format"].clone());
    assert!(citescope::format::FORMATS.iter().all(|known| format.is_valid(&json!(known.id))));
}

#[test]
fn what_check_writes_is_valid() {
    let validator = validator("citescope-check-1");
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.jsonl");
    let batch = sample("gemini-batch.jsonl");
    fs::write(&broken, format!("{batch}{{broken\n")).unwrap();
    for format in ["json", "jsonl"] {
        let args = ["check", "--format", format, "samples", "no-such-file", broken.to_str().unwrap()];
        let output = output(args, "");
        let values: Vec<Value> =
            serde_json::Deserializer::from_slice(&output.stdout).into_iter().map(Result::unwrap).collect();
        assert!(!values.is_empty(), "{format}: {}", String::from_utf8_lossy(&output.stderr));
        for value in &values {
            validator.assert_valid(format, value);
        }
    }
}
