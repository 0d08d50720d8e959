//! What the kinds of value are in the JSON Schema.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::values::{Code, Count, Extra, Json, List, Ordinal, Pair, Said, Sent};
use crate::model::Words;

/// An object that has its fields and no others.
pub fn object(about: &[&str], fields: Vec<(&str, Vec<&str>, bool, Schema)>) -> Schema {
    let text = |lines: &[&str]| lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
    // What a field says of itself counts more than what its kind says.
    let described = |lines: &[&str], schema: Schema| {
        let mut out = Map::from_iter([("description".to_owned(), json!(text(lines).trim_end_matches('.')))]);
        if let Value::Object(mut rest) = schema.to_value() {
            rest.shift_remove("description");
            out.extend(rest);
        }
        Value::Object(out)
    };
    let required: Vec<&str> =
        fields.iter().filter(|(_, _, required, _)| *required).map(|(key, ..)| *key).collect();
    let properties: Map<String, Value> = fields
        .iter()
        .map(|(key, doc, _, schema)| ((*key).to_owned(), described(doc, schema.clone())))
        .collect();
    json_schema!({
        "description": text(about).trim_end_matches('.'),
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

macro_rules! kinds {
    ($($type:ty, $generator:ident => $schema:expr;)*) => {$(
        impl JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    )*};
}

kinds! {
    Count, _generator => json_schema!({"type": "integer", "minimum": 0});
    Ordinal, _generator => json_schema!({"type": "integer", "minimum": 1});
    Code<'_>, _generator => json_schema!({"type": "string"});
    Sent<'_>, _generator => json_schema!({"type": ["integer", "string"]});
    Json<'_>, _generator => json_schema!({});
    Extra<'_>, _generator => json_schema!({"type": "object"});
    Pair, generator => {
        let items = generator.subschema_for::<Count>();
        json_schema!({"type": ["array", "null"], "items": items, "minItems": 2, "maxItems": 2})
    };
}

impl<T: JsonSchema> JsonSchema for List<'_, T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("list of {}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let items = generator.subschema_for::<T>();
        json_schema!({"type": "array", "items": items})
    }
}

impl<T: Words> JsonSchema for Said<'_, T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        std::any::type_name::<T>().into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let words: Vec<&str> = T::EVERY.iter().map(|member| member.as_word()).collect();
        json_schema!({"enum": words})
    }
}
