//! What Google's formats share: each file has the structs of the wire and how they become the model. Source:
//! the references of `GroundingMetadata` of Vertex AI and of the Gemini API; spellings and misspellings as
//! seen in recordings.

mod calls;
mod chunks;
mod content;
mod metadata;
mod outcome;
mod suggestions;
mod torn;

pub use calls::join_calls;
pub use chunks::{GroundingChunk, KnownChunk, SourceFlaggingUri, join_flags, source};
pub use content::{Content, content, question};
pub use metadata::{
    GroundingAttribution, GroundingMetadata, GroundingSupport, RetrievalMetadata, SUPPORTS, Sent,
    attributions, claims, ends_of_supports, grounding, has_supports, metadata, says, stands_alone, support,
};
pub use outcome::{
    CitationMetadata, REDIRECTS, RatingSent, UrlContextMetadata, blocked, end, finish, has_ended,
    recitations, safety, score_notes,
};
pub use suggestions::{SearchEntryPoint, suggestions};
pub use torn::ends_in_part;
