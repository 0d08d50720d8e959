//! What of a response no rule reads and no finding tells.

use memchr::memmem;

use crate::model::{BlobContent, Response, SearchResult, SearchSuggestions};

/// Lets go of it: of what tools gave back all but addresses, where the answer has any that may stand there;
/// of suggestions all but whether there are any that can be read. It need not be looked through for
/// credentials then, and cannot be shown.
pub(crate) fn leave_unread(response: &mut Response) {
    if let Some(SearchSuggestions { html, blob, links }) = &mut response.about.suggestions {
        (*html, *blob) = (None, None);
        if let Some(Ok(links)) = links {
            *links = BlobContent::Links(Vec::new());
        }
    }
    let has_address = |text: &str| memmem::find(text.as_bytes(), b"http").is_some();
    // An answer that was not sent may be given beside it.
    let is_compared = response.text().is_empty() || has_address(response.text());
    for result in response.traces.iter_mut().flat_map(|trace| &mut trace.results) {
        let SearchResult { title, document, chunk, text, status, struct_data, .. } = result;
        text.take_if(|text| !(is_compared && has_address(text)));
        for text in [title, document, chunk, status] {
            *text = None;
        }
        *struct_data = None;
    }
}
