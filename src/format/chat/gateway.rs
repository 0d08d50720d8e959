//! What `LiteLLM` hands on beside a message that was not OpenAI's: the citations of Anthropic's blocks, each
//! with the words of its block, and Gemini's grounding.

use super::wire::Fields;
use crate::format::building::Bounded;
use crate::format::cites::{Block, Cite, cited};
use crate::format::google::{self, GroundingMetadata};
use crate::format::shelf::Shelf;
use crate::format::sought::Sought;
use crate::model::{AnchorKind, Citation, Layer, Origin, OwnPlace, Place, Response, Support, Target, Unit};

/// Blocks with citations; the words of each are what they back.
pub(super) fn blocks(response: &mut Response, shelf: &mut Shelf, fields: Fields, origin: &Origin) {
    let list = origin.key("citations");
    let mut sought = Sought::default();
    for (number, Block(block)) in fields.citations.into_iter().enumerate() {
        let origin = list.item(number);
        let words = block.iter().find_map(|cite| cite.supported.clone()).unwrap_or_default();
        let start = Some(words.as_str()).filter(|words| !words.is_empty());
        let start = start.and_then(|words| sought.next(response.text(), words));
        let placed = start.map(|start| start..start + words.len());
        let mut citation = |(index, cite): (usize, Cite)| {
            let (source, cited) = cited(response, shelf, cite, None, origin.item(index));
            let place = Place { list: None, index: index as u32 };
            Citation { cited: Some(Box::new(cited)), ..Citation::of(Target::Source(source), place) }
        };
        let citations: Vec<Citation> = block.into_iter().enumerate().map(&mut citation).collect();
        response.supports.add(Support {
            origin,
            layer: Layer::Block,
            // In a stream nobody says which words: they speak of the whole answer.
            kind: if words.is_empty() { AnchorKind::Span } else { AnchorKind::Block },
            own: OwnPlace::placed(placed),
            citations,
            ..Support::default()
        });
    }
}

/// Gemini's grounding; its offsets stay bytes.
pub(super) fn grounded(response: &mut Response, sent: GroundingMetadata, origin: &Origin) {
    google::metadata(response, &mut google::Sent::default(), sent, origin);
    response.unit = Unit::Bytes;
}
