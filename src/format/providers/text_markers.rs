//! Plain text or Markdown whose own list of links is what `[n]` counts. It is no JSON: the store wraps it.

use crate::format::building;
use crate::format::interface::{self, Format, FrameGroup, begin, read};
use crate::format::lists::{is_listed, text_markers};
use crate::format::markers::Charge;
use crate::json::Peek;
use crate::json::wire::{Cx, wire};
use crate::model::Response;

/// Under this key the text stands in the JSON made of it.
const KEY: &str = "$text";

pub const FORMAT: Format = Format {
    id: "text-markers",
    short: "text",
    name: "text with `[n]` and a numbered list of links",
    reads: "plain text or Markdown with marks and the list that they count",
    offsets: "none: `[n]` in the text",
    decisive: &[KEY],
    recognise: |peek| peek.has(KEY),
    group: |_: &Peek| FrameGroup::Alone,
    fold: begin::<Text>,
    samples: &[sample!(
        "text-markers.md",
        "Markdown",
        "`[n]` over the text's own list of links; `[5]` names nothing"
    )],
    ..Format::PLAIN
};

wire! {
    struct Frame {
        text: Option<String> = "$text";
    }
}

/// A text as the JSON that is read here, where it has marks and a list; nothing of any other text.
pub fn wrapped(text: &str) -> Option<String> {
    (!is_torn_json(text) && is_listed(text)).then(|| serde_json::json!({ KEY: text }).to_string())
}

/// Of so many lines of JSON that has lost its first ones all but one are members, brackets and values.
const OF_JSON: usize = 16;

/// Whether a text is JSON over many lines that has lost its first ones: its lists of numbers are no marks.
pub fn is_torn_json(text: &str) -> bool {
    let (mut all, mut torn, mut code) = (0_usize, 0_usize, false);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        code ^= line.starts_with("```") || line.starts_with("~~~");
        if !code {
            all += 1;
            torn += usize::from(is_line_of_json(line));
        }
    }
    torn > 0 && torn * OF_JSON >= all * (OF_JSON - 1)
}

fn is_line_of_json(line: &str) -> bool {
    let value = line.trim_end_matches([',', '{', '[']).trim_end();
    let is_scalar = |value: &str| {
        let text = value.len() > 1 && value.starts_with('"') && value.ends_with('"');
        text || matches!(value, "true" | "false" | "null") || value.parse::<f64>().is_ok()
    };
    let is_member = || {
        let (key, value) = value.strip_prefix('"')?.split_once("\":")?;
        let value = value.trim();
        Some(!key.contains('"') && (value.is_empty() || is_scalar(value) || value.starts_with(['{', '['])))
    };
    value.chars().all(|c| "{}[],".contains(c)) || is_scalar(value) || is_member() == Some(true)
}

#[derive(Default, Clone)]
struct Text(Response);

impl interface::FoldState for Text {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        let wire: Frame = read(text, cx)?;
        self.0.origin = building::root(frame);
        let place = self.0.origin.key(KEY);
        let text = wire.text.unwrap_or_default();
        Charge::default().take(&text, cx);
        building::answer_text(&mut self.0, &text, false);
        if !cx.is_overdrawn() {
            text_markers(&mut self.0, &place);
        }
        Ok(())
    }

    fn finish(self) -> Vec<Response> {
        vec![self.0]
    }
}
