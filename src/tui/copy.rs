//! What can be copied. The same functions as `export`, so that the clipboard and the command line agree.

use super::copy_target::CopyTarget;
use super::pane::Pane;
use super::state::{Overlay, Preview, State};
use crate::export::label::{self, DateStyle};
use crate::export::{ExportOptions, ExportPart, markdown};
use crate::review::Review;
use crate::text::escaped_in_json;

/// Bytes of answer and passages up to which a preview of all of it is made with each move of the cursor.
const PREVIEW: usize = 200_000;
/// Supports up to which it is.
const PREVIEW_SUPPORTS: usize = 1_000;

/// Makes the preview that the copy menu shows, where it is not made yet. The shell does so between keys: a
/// layout shows what is there.
pub fn make_preview(state: &mut State) {
    let Some(target) = state.copy_target().filter(|_| state.made_preview().is_none()) else { return };
    let text = target.preview(state);
    state.revision += 1;
    state.preview = Some(Preview { target, revision: state.revision, text });
}

impl CopyTarget {
    /// Whether there is something to copy, without making it; `Err` says why not.
    pub fn ready(self, state: &State) -> Result<(), String> {
        let review = state.review().ok_or("there is no response to copy from")?;
        let need = |there: bool, why: &str| if there { Ok(()) } else { Err(why.to_owned()) };
        match self {
            Self::Link | Self::Footnote => need(state.source().is_some(), "the claim cites no source"),
            Self::Quote | Self::Span => {
                need(words(state, review).is_some(), "the claim has no place in the answer")
            }
            Self::Whole(target, _) => target.given_by(review, state.session.supplied().limits),
            Self::Json => need(state.selected_origin().is_some(), "nothing is selected"),
        }
    }

    /// The beginning of the text, or why there is none.
    fn preview(self, state: &State) -> Result<String, String> {
        self.ready(state)?;
        let big = |review: &Review| {
            let response = &review.response;
            let passages = response
                .sources
                .iter()
                .flat_map(|source| &source.chunks)
                .map(|chunk| chunk.text.len())
                .sum::<usize>();
            response.text().len() + passages > PREVIEW || response.supports.len() > PREVIEW_SUPPORTS
        };
        if matches!(self, Self::Whole(..)) && state.review().is_some_and(|review| big(review)) {
            return Ok("(long: made when it is copied)".to_owned());
        }
        let text = self.text(state)?;
        Ok(text.get(..text.floor_char_boundary(4_000)).unwrap_or_default().to_owned())
    }

    /// The text; `Err` says why there is none.
    pub fn text(self, state: &State) -> Result<String, String> {
        self.ready(state)?;
        let review = state.review().ok_or("there is no response to copy from")?;
        match self {
            Self::Whole(target, _) => Ok(target.text(review, &ExportOptions::default()).text),
            Self::Link => {
                let links = picked(state)?.into_iter().filter_map(|index| review.source(index));
                let links = links.map(|source| label::link(source.sent(), DateStyle::Brand));
                Ok(links.collect::<Vec<_>>().join(", "))
            }
            Self::Footnote => {
                let notes = picked(state)?.into_iter().filter_map(|index| review.source(index));
                let notes: Vec<usize> = notes.map(|source| source.index).collect();
                Ok(markdown::footnote(review, &notes, DateStyle::Iso))
            }
            Self::Span => {
                state.selected().first().ok_or("nothing is selected")?;
                let options =
                    ExportOptions { part: ExportPart::Span(state.span), ..ExportOptions::default() };
                Ok(markdown::inline(review, &options).text)
            }
            Self::Json => {
                let origin = state.selected_origin().ok_or("nothing is selected")?;
                let raw = review.sent.raw(&origin).ok_or("this has no place of its own in the input")?;
                Ok(escaped_in_json(&review.sent.shown(raw, &origin)).into_owned())
            }
            Self::Quote => Ok(crate::text::sanitize(words(state, review).unwrap_or_default()).into_owned()),
        }
    }

    /// What the footer says was copied.
    pub fn copied(self, state: &State) -> String {
        match self {
            Self::Link | Self::Footnote => {
                let one = if matches!(self, Self::Footnote) { "footnote" } else { "citation" };
                let picked = picked(state).unwrap_or_default();
                if let [index] = picked[..] {
                    let source = state.review().and_then(|review| review.source(index));
                    return source.map_or_else(String::new, |source| {
                        format!("{one} [{}] {}", index + 1, source.name())
                    });
                }
                let numbers: Vec<String> = picked.iter().map(|index| format!("[{}]", index + 1)).collect();
                format!("{one}s {}", numbers.join(", "))
            }
            Self::Json if matches!(state.overlays.first(), Some((Overlay::Raw(_), _))) => {
                "raw JSON".to_owned()
            }
            Self::Json => "raw JSON of the selection".to_owned(),
            other => other.title().to_owned(),
        }
    }
}

/// The sources that a citation is copied of: the one under the cursor of its pane, else all of the span.
fn picked(state: &State) -> Result<Vec<usize>, &'static str> {
    let one = state.source().ok_or("the claim cites no source")?;
    let all = state.cited();
    let open = state.overlays.iter().any(|(overlay, _)| *overlay != Overlay::Copy);
    Ok(if open || state.focus == Pane::Sources || all.is_empty() { vec![one] } else { all })
}

/// The words of the selected span, or what was sent for them.
fn words<'a>(state: &State, review: &'a Review) -> Option<&'a str> {
    review.of_span(state.span).next()?.words().filter(|words| !words.trim().is_empty())
}
