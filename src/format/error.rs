//! Why a record could not be decoded: the place, what stands there, and what to do.

/// Why a record could not be decoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// Not JSON: the place, and what stands there.
    #[error("not JSON: {what}")]
    NotJson {
        /// Number of the frame.
        frame: usize,
        /// Byte of the frame.
        at: usize,
        /// The parser's words.
        what: String,
    },
    /// More values follow the first: where they begin.
    #[error("more follows after the value")]
    Trailing {
        /// Number of the frame.
        frame: usize,
        /// Byte of the frame.
        at: usize,
    },
    /// It asks for more memory than a record may have.
    #[error(
        "this record takes far more memory than its text: it has too many small values (candidates, events, marks, keys); \
         `--no-limits` reads it all the same"
    )]
    TooLarge {
        /// Number of the frame at which it was too much.
        frame: usize,
    },
    /// JSON, but nothing that is read here.
    #[error("{0}")]
    Unrecognised(String),
    /// The service sent an error instead of a response.
    #[error("{0}")]
    Service(String),
}

impl DecodeError {
    /// The frame and the byte in it that the error is about.
    pub fn place(&self) -> (usize, usize) {
        match self {
            Self::NotJson { frame, at, .. } | Self::Trailing { frame, at } => (*frame, *at),
            Self::TooLarge { frame } => (*frame, 0),
            Self::Unrecognised(_) | Self::Service(_) => (0, 0),
        }
    }
}
