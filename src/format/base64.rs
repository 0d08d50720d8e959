//! Base64 as services write it: with and without padding, with the signs of addresses.

use base64::prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE};
use base64::{DecodeError, Engine as _};

/// The bytes that a text stands for; the error is that of the standard spelling without padding.
pub fn decoded(text: &str) -> Result<Vec<u8>, DecodeError> {
    let text = text.trim();
    BASE64_STANDARD
        .decode(text)
        .or_else(|_| BASE64_URL_SAFE.decode(text))
        .or_else(|_| BASE64_STANDARD_NO_PAD.decode(text))
}

/// Bytes in the standard spelling.
pub fn encoded(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(bytes)
}
