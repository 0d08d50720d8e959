//! What responses take in memory with all that is worked out of them, by what they list: of whatever format
//! they came, and however that counted what it read.

use crate::model::{Response, Source, Support, Trace};

// Bytes of one that says next to nothing, its text in the input included: what the program took more of
// 20,000 in one record, for the command that takes most.
const RESPONSE: usize = 1920;
const SOURCE: usize = 352;
const CHUNK: usize = 448;
const SUPPORT: usize = 576;
const TRACE: usize = 448;
const RESULT: usize = 640;
const REMARK: usize = 512;
/// A query, a part of the content, a citation.
const SMALL: usize = 64;

/// Bytes that responses take.
pub fn weight(responses: &[Response]) -> usize {
    responses.iter().map(one).sum()
}

fn one(response: &Response) -> usize {
    let Response { sources, supports, traces, remarks, queries, parts, .. } = response;
    let chunks: usize = sources.iter().map(|Source { chunks, .. }| chunks.len()).sum();
    let citations: usize = supports.iter().map(|Support { citations, .. }| citations.len()).sum();
    let results: usize = traces.iter().map(|Trace { results, .. }| results.len()).sum();
    RESPONSE
        + sources.len() * SOURCE
        + chunks * CHUNK
        + supports.len() * SUPPORT
        + traces.len() * TRACE
        + results * RESULT
        + remarks.len() * REMARK
        + (queries.len() + parts.len() + citations) * SMALL
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Chunk, Remark, SearchResult};

    #[test]
    fn everything_that_a_response_lists_has_its_weight() {
        let bare = weight(&[Response::default()]);
        let mut full = Response::default();
        let mut last = bare;
        let grow: [fn(&mut Response); 6] = [
            |response| response.sources.push(Source::default()),
            |response| response.sources[0].chunks.push(Chunk::default()),
            |response| response.supports.push(Support::default()),
            |response| response.traces.push(Trace::default()),
            |response| response.traces[0].results.push(SearchResult::default()),
            |response| {
                let origin = response.origin.clone();
                response.remarks.push(Remark::new(crate::model::RemarkKind::Retry, origin, "again"));
            },
        ];
        for add in grow {
            add(&mut full);
            let now = weight(std::slice::from_ref(&full));
            assert!(now >= last + 300, "{last} to {now}");
            last = now;
        }
        assert_eq!(weight(&[full, Response::default()]), last + bare);
    }
}
