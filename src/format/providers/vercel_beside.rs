//! What a provider says of a part, which Vercel's AI SDK hands on beside it: annotations of a text as
//! OpenAI sends them (`providerMetadata.openai`), the passage of a source that Anthropic cites.

use super::openai_responses_wire::Annotation;
use crate::json::values::Whole;
use crate::json::wire::wire;
use crate::model::Origin;

wire! {
    pub struct Beside {
        openai: Option<Annotated> = "openai";
        azure: Option<Annotated> = "azure";
        anthropic: Option<Quoted> = "anthropic";
    }

    pub struct Annotated {
        annotations: Vec<Annotation> = "annotations";
        file: Option<String> = "fileId";
    }

    pub struct Quoted {
        quote: Option<String> = "citedText";
    }
}

impl Beside {
    /// Whether something marks the text.
    pub fn is_annotated(&self) -> bool {
        let mut lists = [&self.openai, &self.azure].into_iter().flatten();
        lists.any(|list| !list.annotations.is_empty())
    }

    /// What marks the text, each with its place.
    pub fn annotations(self, part: &Origin) -> Vec<(Annotation, Origin)> {
        let base = part.key("providerMetadata");
        let each = [("openai", self.openai), ("azure", self.azure)].into_iter();
        let lists = each.filter_map(|(name, list)| Some((base.key(name).key("annotations"), list?)));
        let placed = |(base, list): (Origin, Annotated)| {
            list.annotations.into_iter().enumerate().map(move |(index, one)| (one, base.item(index)))
        };
        lists.flat_map(placed).collect()
    }

    /// The id of the file that a source is, as annotations have it.
    pub fn file(&self) -> Option<&str> {
        [&self.openai, &self.azure].into_iter().flatten().find_map(|said| said.file.as_deref())
    }

    /// The words of the source that are cited.
    pub fn quote(&self) -> Option<&str> {
        self.anthropic.as_ref()?.quote.as_deref().filter(|quote| !quote.is_empty())
    }
}

/// Where annotations stand in their text, in characters.
pub fn ranges(annotations: &[(Annotation, Origin)]) -> Vec<(usize, usize)> {
    let range = |(one, _): &(Annotation, Origin)| Whole::range(one.start.as_ref(), one.end.as_ref());
    annotations.iter().filter_map(range).collect()
}
