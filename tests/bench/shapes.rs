//! Samples taken apart: their frames, and the places in them.

use serde_json::Value;

/// A sample as its frames, and how they are strung together.
pub struct Document {
    pub name: &'static str,
    pub frames: Vec<Value>,
    pub events: bool,
}

impl Document {
    pub fn of(name: &'static str, text: &str) -> Option<Self> {
        let events = text.lines().any(|line| line.starts_with("data:"));
        let frames = |lines: &mut dyn Iterator<Item = &str>| {
            lines.map(serde_json::from_str).collect::<Result<Vec<Value>, _>>().ok()
        };
        let frames = if events {
            frames(&mut text.lines().filter_map(|line| line.strip_prefix("data:").map(str::trim)))
        } else {
            serde_json::from_str(text).ok().map(|value| vec![value]).or_else(|| frames(&mut text.lines()))
        };
        Some(Self { name, frames: frames?, events })
    }

    pub fn text(&self) -> String {
        let event =
            |frame: &Value| if self.events { format!("data: {frame}\n\n") } else { format!("{frame}\n") };
        self.frames.iter().map(event).collect()
    }
}

/// The lists and texts of a value, by their pointers.
pub fn walk(value: &Value, pointer: &str, lists: &mut Vec<String>, texts: &mut Vec<String>) {
    match value {
        Value::Array(list) => {
            if !list.is_empty() {
                lists.push(pointer.to_owned());
            }
            for (index, value) in list.iter().enumerate() {
                walk(value, &format!("{pointer}/{index}"), lists, texts);
            }
        }
        Value::Object(object) => {
            for (key, value) in object {
                let key = key.replace('~', "~0").replace('/', "~1");
                walk(value, &format!("{pointer}/{key}"), lists, texts);
            }
        }
        Value::String(_) => texts.push(pointer.to_owned()),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The keys on the way to a place: places that differ in the numbers of elements alone are of one kind.
pub fn kind_of_place(pointer: &str) -> String {
    let keys = pointer.split('/').filter(|step| !step.bytes().all(|byte| byte.is_ascii_digit()));
    keys.collect::<Vec<_>>().join("/")
}
