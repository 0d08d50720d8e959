//! A map as a file.

use super::{Map, MapPath, Spans};
use crate::text::stand_in;

/// A text in quotes as TOML has it; what steers terminals or hides itself as an escape.
fn quoted(text: &str) -> String {
    let of = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        _ if c.is_control() || stand_in(c).is_some() => format!("\\U{:08X}", u32::from(c)),
        _ => c.to_string(),
    };
    format!("\"{}\"", text.chars().map(of).collect::<String>())
}

fn path(path: &MapPath) -> String {
    quoted(&path.0.to_string())
}

/// A line: a key with its path, or how it is written where there is none, and what it is.
fn line(key: &str, place: Option<&MapPath>, about: &str) -> String {
    match place {
        Some(place) => format!("{:<37} # {about}\n", format!("{key} = {}", path(place))),
        None => format!("{:<37} # {about}\n", format!("# {key} = \"…\"")),
    }
}

impl Map {
    /// The map as a file, with a line on each part.
    pub fn to_toml(&self) -> String {
        let mut out = String::from(
            "# Where things stand in this JSON. Paths begin at the record; those below a list at an element of it.\n",
        );
        out += &line("answer", self.answer.as_ref(), "the text of the answer");
        out += &line("question", self.question.as_ref(), "the question");
        out += &line("id", self.id.as_ref(), "id of the response");
        out += &line("model", self.model.as_ref(), "the model");
        out += &line("queries", self.queries.as_ref(), "searches that were run");
        if let Some(spans) = &self.spans {
            out += &self.spans_to_toml(spans);
        }
        if let Some(markers) = &self.markers {
            out += "\n[markers] # marks in the text\n";
            if let Some(pattern) = &markers.pattern {
                // A literal of TOML ends at its quote: one that holds quotes stands between three.
                let pattern = match pattern.regex.as_str() {
                    odd if odd.chars().any(|c| stand_in(c).is_some()) => quoted(odd),
                    own if own.contains('\'') => format!("'''{own}'''"),
                    own => format!("'{own}'"),
                };
                out += &format!("pattern = {pattern} # the group names the sources\n");
            } else {
                out += "# pattern = '\\[source:([^\\]]+)\\]'  # without one: [n] and links; around claims:\n";
                out += "# pattern = '<cite id=\"([^\"]+)\">(?<claim>[^<]*)</cite>'\n";
            }
            if markers.list.is_some() {
                out += &line("list", markers.list.as_ref(), "says which source each number names");
                out += &line("number", markers.number.as_ref(), "the number; its key or place without one");
                out += &line("source", markers.source.as_ref(), "what it names");
            }
        }
        if let Some(sources) = &self.sources {
            out += &format!("\n[sources]\nlist = {}\n", path(&sources.list));
            out += &line("id", sources.id.as_ref(), "what spans and marks call it");
            out += &line("title", sources.title.as_ref(), "title");
            out += &line("url", sources.url.as_ref(), "address");
            out += &line("text", sources.text.as_ref(), "its words, which claims are compared with");
            out += &line("date", sources.date.as_ref(), "date");
            out += &line("score", sources.score.as_ref(), "relevance");
        }
        out
    }

    fn spans_to_toml(&self, spans: &Spans) -> String {
        let whole =
            if spans.list.0.keys().is_some() { " # no list: the answer as a whole is one" } else { "" };
        let mut out = format!("\n[spans]\nlist = {}{whole}\n", path(&spans.list));
        out += &line("start", spans.start.as_ref(), "first unit of the claim");
        out += &line("end", spans.end.as_ref(), "first unit after it");
        if spans.length.is_some() {
            out += &line("length", spans.length.as_ref(), "how many units, in place of an end");
        }
        let unit = format!("{:?}", spans.unit).to_lowercase();
        out += &format!("{:<37} # bytes, characters or utf16\n", format!("unit = {unit:?}"));
        let inclusive = format!("inclusive = {}", spans.inclusive);
        out += &format!("{inclusive:<37} # the end is the last unit, not the first after it\n");
        out += &line("quote", spans.quote.as_ref(), "the words of the claim");
        let about = "ids, numbers or indices of its sources";
        out += &match &spans.source[..] {
            [] => line("source", None, about),
            [one] => line("source", Some(one), about),
            more => {
                let paths: Vec<String> = more.iter().map(path).collect();
                format!("{:<37} # {about}\n", format!("source = [{}]", paths.join(", ")))
            }
        };
        if self.sources.as_ref().is_some_and(|sources| sources.id.is_none()) {
            let from = spans
                .count_from
                .map_or("# count_from = 1".to_owned(), |from| format!("count_from = {}", from.0));
            out += &format!("{from:<37} # where sources have no ids; 0 or 1\n");
        }
        out += &line("score", spans.score.as_ref(), "confidence, 0 to 1");
        out
    }
}
