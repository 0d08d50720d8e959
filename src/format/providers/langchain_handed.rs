//! What LangChain's messages hand on beside their content, as the provider called it: Google's grounding
//! metadata, Perplexity's and xAI's list of addresses, citations of Cohere, annotations of OpenAI.

use serde_json::Value;

use super::cohere::{self, Cite};
use super::langchain_wire::{Listed, Message};
use crate::format::building;
use crate::format::chat::{self, Annotation, Found};
use crate::format::google::{self, GroundingMetadata};
use crate::model::{Grounding, Origin, RemarkKind, Response, Unit};

/// All of it, each with its place.
#[derive(Default, Clone)]
pub struct Handed {
    grounding: Vec<(GroundingMetadata, Origin)>,
    addresses: Vec<(String, Origin)>,
    results: Vec<(Found, Origin)>,
    annotations: Vec<(Annotation, Origin)>,
    cites: Vec<(Cite, Origin)>,
    documents: Vec<(Value, Origin)>,
}

fn placed<T>(list: &mut Vec<T>, at: Origin) -> impl Iterator<Item = (T, Origin)> + use<T> {
    std::mem::take(list).into_iter().enumerate().map(move |(number, one)| (one, at.item(number)))
}

impl Handed {
    /// That of a message, whose fields stand at `base`.
    pub fn of(message: &mut Message, base: &Origin) -> Self {
        let mut out = Self::default();
        let (made, beside) = (message.made.as_mut(), message.beside.as_mut());
        let metadata = [
            (made.and_then(|made| made.grounding.take()), "responseMetadata"),
            (beside.and_then(|beside| beside.grounding.take()), "additionalKwargs"),
        ];
        for (metadata, holder) in metadata {
            let at = base.key(holder).key("groundingMetadata");
            out.grounding.extend(metadata.map(|metadata| (metadata, at)));
        }
        let Some(beside) = &mut message.beside else { return out };
        let base = base.key("additionalKwargs");
        for (Listed { address, cite }, at) in placed(&mut beside.citations, base.key("citations")) {
            match address {
                Some(address) => out.addresses.push((address, at)),
                None => out.cites.push((cite, at)),
            }
        }
        let results = placed(&mut beside.results, base.key("searchResults"));
        // Cohere has a list of this name without addresses.
        out.results = results.filter(|(found, _)| found.url.is_some()).collect();
        out.annotations = placed(&mut beside.annotations, base.key("annotations")).collect();
        out.documents = placed(&mut beside.documents, base.key("documents")).collect();
        out
    }

    /// That of a further chunk of the message: of lists that each chunk repeats the first one counts.
    pub fn push(&mut self, next: Self) {
        fn add<T>(list: &mut Vec<T>, next: Vec<T>) {
            if list.is_empty() {
                *list = next;
            }
        }
        self.grounding.extend(next.grounding);
        add(&mut self.addresses, next.addresses);
        add(&mut self.results, next.results);
        add(&mut self.annotations, next.annotations);
        add(&mut self.cites, next.cites);
        add(&mut self.documents, next.documents);
    }

    /// Adds its sources and supports to a response which has none of its content.
    pub fn lower(self, response: &mut Response, content: &Origin) {
        if !response.supports.is_empty() || !response.sources.is_empty() {
            return;
        }
        let mut sent = google::Sent::default();
        for (metadata, origin) in self.grounding {
            google::metadata(response, &mut sent, metadata, &origin);
        }
        let grounding = google::grounding(response, true);
        if grounding != Grounding::Empty {
            google::join_flags(response);
            (response.grounding, response.unit) = (grounding, Unit::Bytes);
            return;
        }
        if !self.cites.is_empty() {
            cohere::cite(response, &self.cites, &self.documents);
            if let Some((_, origin)) = self.cites.iter().find(|(cite, _)| !cite.names_sources()) {
                let words = "a citation names no source by `sources` or `document_ids`, as a service would";
                building::remark(response, RemarkKind::Unread, origin, words);
            }
            return;
        }
        chat::handed(response, content, &self.addresses, &self.results, self.annotations);
    }
}
