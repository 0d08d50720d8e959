//! What of a response no rule reads and no finding tells.

use crate::model::{BlobContent, Response, SearchResult, SearchSuggestions};

/// Lets go of it: of what tools gave back all but its address, and of suggestions all but whether there are
/// any that can be read. It need not be looked through for credentials then, and cannot be shown.
pub(crate) fn leave_unread(response: &mut Response) {
    if let Some(SearchSuggestions { html, blob, links }) = &mut response.about.suggestions {
        (*html, *blob) = (None, None);
        if let Some(Ok(links)) = links {
            *links = BlobContent::Links(Vec::new());
        }
    }
    for result in response.traces.iter_mut().flat_map(|trace| &mut trace.results) {
        let SearchResult { title, document, chunk, text, status, struct_data, .. } = result;
        for text in [title, document, chunk, text, status] {
            *text = None;
        }
        *struct_data = None;
    }
}
