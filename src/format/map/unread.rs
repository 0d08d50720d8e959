//! What of a record a map does not read.

use std::collections::HashSet;

use serde_json::Value;

use super::{Map, MapPath};
use crate::model::Origin;

impl Map {
    /// The places of a record's values to which no path of the map leads, in order.
    pub fn unread(&self, record: &Value) -> Vec<Origin> {
        let root = Origin::default();
        let items = self
            .each
            .as_ref()
            .map_or_else(|| vec![(record, root.clone())], |each| each.0.find(record, &root));
        let mut read = HashSet::new();
        for (item, at) in items {
            self.read(item, &at, &mut read);
        }
        let mut unread = Vec::new();
        leaves(record, root, &read, &mut unread);
        unread
    }

    /// Notes the places that the paths of the map lead to in a response.
    fn read(&self, item: &Value, at: &Origin, read: &mut HashSet<String>) {
        let mut note = |path: Option<&MapPath>, value: &Value, at: &Origin| {
            let found = path.into_iter().flat_map(|path| path.0.find(value, at));
            read.extend(found.map(|(_, at)| at.path.to_string()));
        };
        for path in [&self.answer, &self.question, &self.id, &self.model, &self.queries] {
            note(path.as_ref(), item, at);
        }
        if let Some(spans) = &self.spans {
            for (span, at) in spans.list.0.find(item, at) {
                for path in [&spans.start, &spans.end, &spans.length, &spans.quote, &spans.score] {
                    note(path.as_ref(), span, &at);
                }
                spans.source.iter().for_each(|path| note(Some(path), span, &at));
            }
        }
        let table = self.markers.as_ref().and_then(|markers| Some((markers, markers.list.as_ref()?)));
        if let Some((markers, list)) = table {
            for (entry, at) in list.0.find(item, at) {
                for path in [&markers.number, &markers.source] {
                    note(path.as_ref(), entry, &at);
                }
            }
        }
        if let Some(sources) = &self.sources {
            let of =
                [&sources.id, &sources.title, &sources.url, &sources.text, &sources.date, &sources.score];
            for (source, at) in sources.list.0.find(item, at) {
                for path in of {
                    note(path.as_ref(), source, &at);
                }
                // An address or a text instead of an object.
                if !source.is_object() {
                    note(Some(&MapPath::default()), source, &at);
                }
            }
        }
    }
}

/// The scalars below a value that lie in nothing that was read.
fn leaves(value: &Value, at: Origin, read: &HashSet<String>, out: &mut Vec<Origin>) {
    if read.contains(&at.path.to_string()) {
        return;
    }
    match value {
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(index, inner)| leaves(inner, at.item(index), read, out));
        }
        Value::Object(members) => {
            members.iter().for_each(|(key, inner)| leaves(inner, at.key(key), read, out));
        }
        Value::Null => {}
        _ => out.push(at),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_that_stand_elsewhere_too_are_unread_where_no_path_leads() {
        let map = json!({"answer": "text", "sources": {"list": "sources[*]", "id": "id"}});
        let map: Map = serde_json::from_value(map).unwrap();
        let record = json!({"text": "Red", "took": 3, "sources": [{"id": "a", "title": "Red", "more": {"x": null, "y": [1]}}]});
        let unread: Vec<String> = map.unread(&record).iter().map(|at| at.path.to_string()).collect();
        assert_eq!(unread, ["$.took", "$.sources[0].title", "$.sources[0].more.y[0]"]);
    }
}
