//! Validation against JSON Schemas.

use boon::{Compiler, Draft, SchemaIndex, Schemas};
use serde_json::Value;

pub struct Validator {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Validator {
    /// A schema that is valid itself; of draft 2020-12 where it names none.
    pub fn new(schema: Value) -> Self {
        let mut compiler = Compiler::new();
        compiler.set_default_draft(Draft::V2020_12);
        compiler.enable_format_assertions();
        compiler.add_resource("schema.json", schema).unwrap();
        let mut schemas = Schemas::new();
        let index = compiler.compile("schema.json", &mut schemas).unwrap_or_else(|error| panic!("{error:#}"));
        Self { schemas, index }
    }

    pub fn is_valid(&self, value: &Value) -> bool {
        self.schemas.validate(value, self.index).is_ok()
    }

    #[track_caller]
    pub fn assert_valid(&self, name: &str, value: &Value) {
        if let Err(error) = self.schemas.validate(value, self.index) {
            let report: String = format!("{error:#}").chars().take(2000).collect();
            panic!("{name}: {report}");
        }
    }
}
