//! The JSON Schemas in `assets/`, generated from the declarations of the form. `CITESCOPE_UPDATE=1 cargo test
//! --lib schema` writes them anew.

use std::fs;

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::check::Severity;
use crate::form;
use crate::model::SCHEMA;

const ABOUT: &str = "The neutral form of grounded answers: the document of `citescope export --to json`, or \
    one line of `--to jsonl`. \
    Everything counts from 0 but lines and columns; offsets are UTF-8 bytes of `answer`, ends exclusive; \
    null and [] mean not sent. \
    Fields are only ever added; a change of meaning changes the version.";

/// The definitions that the declarations give, by name.
fn definitions() -> Map<String, Value> {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    generator.subschema_for::<form::Document>();
    let mut definitions = generator.take_definitions(true);
    definitions.values_mut().for_each(without_widths);
    for (pointer, more) in constraints() {
        let (definition, rest) = pointer.split_once('/').unwrap_or((pointer, ""));
        let place = definitions.get_mut(definition).unwrap_or_else(|| panic!("no definition {definition}"));
        let place = rest.split('/').filter(|key| !key.is_empty()).fold(place, |place, key| &mut place[key]);
        place
            .as_object_mut()
            .unwrap_or_else(|| panic!("nothing at {pointer}"))
            .extend(more.as_object().unwrap().clone());
    }
    let part = definitions.get_mut("part").unwrap();
    *part = one_of_kinds(part, &[("text", &["start", "end"]), ("thought", &["trace"]), ("other", &[])]);
    definitions
}

/// An object that has other keys with each of its kinds.
fn one_of_kinds(object: &Value, kinds: &[(&str, &[&str])]) -> Value {
    let kind = |(kind, keys): &(&str, &[&str])| {
        let mut properties = Map::from_iter([("kind".to_owned(), json!({"const": kind}))]);
        properties.extend(keys.iter().map(|key| ((*key).to_owned(), object["properties"][key].clone())));
        let required: Vec<&String> = properties.keys().collect();
        json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false})
    };
    let kinds: Vec<Value> = kinds.iter().map(kind).collect();
    json!({"description": object["description"], "oneOf": kinds})
}

/// JSON knows no widths of numbers.
fn without_widths(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            if object.get("format").is_some_and(Value::is_string) {
                object.shift_remove("format");
            }
            object.values_mut().for_each(without_widths);
        }
        Value::Array(list) => list.iter_mut().for_each(without_widths),
        _ => {}
    }
}

/// What the type of a field does not say.
fn constraints() -> [(&'static str, Value); 7] {
    let id = json!({"pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"});
    let path = json!({"pattern": "^\\$"});
    let severities = [Severity::Error, Severity::Warning, Severity::Note].map(Severity::word);
    [
        ("response/properties/format", id.clone()),
        ("finding/properties/rule", id),
        ("finding/properties/severity", json!({"enum": severities})),
        ("finding/properties/path", path.clone()),
        ("finding/properties/fix/items/properties/path", path),
        ("support/properties/anchor/properties/occurrences", json!({"maximum": 100})),
        (
            "citation",
            json!({
                "if": {"properties": {"kind": {"const": "dangling"}}},
                "then": {"required": ["sent_index"], "properties": {"source": {"type": "null"}}},
                "else": {"properties": {"source": {"type": "integer"}, "sent_index": false}},
            }),
        ),
    ]
}

/// The schema of the neutral form. A response stands in a document without the name of the layout, on a line
/// with it.
fn neutral() -> Value {
    let mut definitions = definitions();
    let response = definitions.get_mut("response").and_then(Value::as_object_mut).unwrap();
    response.shift_remove("additionalProperties");
    response["properties"].as_object_mut().unwrap().shift_remove("schema");
    let mut document = definitions.shift_remove("document").unwrap();
    document["properties"]["schema"] = json!({"const": SCHEMA});
    document["properties"]["responses"]["items"] =
        json!({"$ref": "#/$defs/response", "unevaluatedProperties": false});
    let line = json!({
        "description": "One response on a line of its own",
        "$ref": "#/$defs/response",
        "properties": {"schema": {"const": SCHEMA}},
        "required": ["schema"],
        "unevaluatedProperties": false,
    });
    let mut all = Map::from_iter([("document".to_owned(), document), ("line".to_owned(), line)]);
    all.extend(definitions);
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:citescope:schema:citescope-1",
        "title": SCHEMA,
        "description": ABOUT,
        "oneOf": [{"$ref": "#/$defs/document"}, {"$ref": "#/$defs/line"}],
        "$defs": all,
    })
}

/// The schema of what `check` writes: by hand, but for what it shares with the neutral form.
fn check(today: &str) -> Value {
    let mut schema: Value = serde_json::from_str(today).unwrap();
    let definitions = definitions();
    for shared in ["fit", "finding"] {
        schema["$defs"][shared] = definitions[shared].clone();
    }
    schema
}

fn assert_current(name: &str, schema: impl Fn(&str) -> Value) {
    let path = format!("{}/assets/{name}.schema.json", env!("CARGO_MANIFEST_DIR"));
    let today = fs::read_to_string(&path).unwrap();
    let current = serde_json::to_string_pretty(&schema(&today)).unwrap() + "\n";
    if std::env::var_os("CITESCOPE_UPDATE").is_some() {
        fs::write(&path, current).unwrap();
    } else {
        assert!(
            today == current,
            "{path} is stale: CITESCOPE_UPDATE=1 cargo test --lib schema writes it anew"
        );
    }
}

#[test]
fn the_schema_of_the_neutral_form_is_current() {
    assert_current("citescope-1", |_| neutral());
}

#[test]
fn the_schema_of_the_check_document_is_current() {
    assert_current("citescope-check-1", check);
}
