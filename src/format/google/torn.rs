//! A part that breaks off: Google tells behind its text whether it is a thought.

use crate::json::scan::{Members, skip_space, skip_value};

/// How deep parts are looked for: as deep as JSON is read. Each level is gone through to its end.
const DEPTH: usize = 128;

/// Whether a text ends inside of a part, of which nothing told before whether it is a thought.
pub fn ends_in_part(text: &str) -> bool {
    let (mut at, mut list) = (skip_space(text.as_bytes(), 0), String::new());
    for _ in 0..DEPTH {
        let Some(members) = Members::of(text, at) else { return false };
        let of_object = members.of_object();
        let (mut speaks, mut told, mut ending) = (false, false, None);
        // What the text ends with may go on, also where it looks whole.
        let is_whole = |value| skip_value(text.as_bytes(), value).is_some_and(|end| end < text.len());
        for (key, value) in members {
            speaks |= key == "text";
            told |= (key == "thought" || key == "type") && is_whole(value);
            ending = Some((key, value));
        }
        let Some((key, value)) = ending else { return false };
        let is_open = skip_value(text.as_bytes(), value).is_none();
        if is_open && matches!(text.as_bytes().get(value), Some(b'{' | b'[')) {
            at = value;
            // An element stands in the list of that name.
            if of_object {
                list = key.into_owned();
            }
            continue;
        }
        return list == "parts" && of_object && speaks && !told;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_torn_until_its_kind_is_told() {
        for (text, torn) in [
            (r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"half of"#, true),
            (r#"{"candidates":[{"content":{"parts":[{"text":"whole","thought":true},{"text":"half\"#, true),
            (r#"{"candidates":[{"content":{"parts":[{"text":"whole""#, true),
            (r#"{"candidates":[{"content":{"parts":[{"text":"whole","thoughtSig"#, true),
            (r#"{"content":{"parts":[{"text":"whole","thought":tr"#, true),
            (r#"{"content":{"parts":[{"text":"whole","thought":true"#, true),
            (r#"{"content":{"parts":[{"text":"whole","thought":true,"thoughtSig"#, false),
            (r#"{"content":{"parts":[{"thought":true,"text":"half"#, false),
            (r#"{"content":{"parts":[{"text":"whole"}"#, false),
            (r#"{"content":{"parts":[{"text":"whole"}]},"finish"#, false),
            (r#"{"parts":[{"type":"text","text":"half"#, false),
            (r#"{"content":[{"text":"half"#, false),
            (r#"{"text":"half"#, false),
            ("", false),
            ("[", false),
        ] {
            assert_eq!(ends_in_part(text), torn, "{text}");
        }
    }
}
