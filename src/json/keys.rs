//! Keys in both spellings.

use std::borrow::Cow;

/// The camelCase form of a `snake_case` key; `groundingMetadata` and `grounding_metadata` are one key.
pub fn camel(key: &str) -> Cow<'_, str> {
    if !key.contains('_') {
        return Cow::Borrowed(key);
    }
    let mut out = String::with_capacity(key.len());
    let mut upper = false;
    for c in key.chars() {
        if c == '_' && !out.is_empty() {
            upper = true;
        } else if upper {
            out.extend(c.to_uppercase());
            upper = false;
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_of_a_key_are_one() {
        assert_eq!(camel("grounding_metadata"), "groundingMetadata");
        assert_eq!(camel("groundingMetadata"), "groundingMetadata");
        assert_eq!(camel("_private"), "_private");
    }
}
