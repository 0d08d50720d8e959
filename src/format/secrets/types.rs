//! Types with others in brackets behind a name: `api_key: Optional[str] = "abc"`, `token: Option<String>`.

use super::functions::Known;
use super::names::is_secret;
use super::values::{BLANKS, value_after};

/// Types that hold others.
const HOLDING: [&str; 29] = [
    "Optional",
    "Union",
    "List",
    "Dict",
    "Annotated",
    "Sequence",
    "Iterable",
    "Literal",
    "Final",
    "ClassVar",
    "Mapped",
    "Tuple",
    "Set",
    "NotRequired",
    "Required",
    "list",
    "dict",
    "tuple",
    "set",
    "Option",
    "Vec",
    "Box",
    "Arc",
    "Cow",
    "HashMap",
    "Promise",
    "Record",
    "Array",
    "Partial",
];

/// Whether a value is the name of a variable that holds one: `getenv("OPENAI_API_KEY")`.
pub(super) fn is_variable(value: &str) -> bool {
    let of_name = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    let value = value
        .strip_prefix("process.env.")
        .or_else(|| value.strip_prefix("import.meta.env."))
        .unwrap_or(value);
    value.contains('_') && value.bytes().all(of_name) && is_secret(value)
}

/// Bytes of such a type.
const TYPE_MOST: usize = 200;

/// What stands behind a type that a text begins with, where that holds others.
pub(super) fn typed(text: &str) -> Option<Known> {
    let own = text.trim_start_matches(BLANKS).trim_start_matches('&');
    let near = own.get(..own.floor_char_boundary(TYPE_MOST)).unwrap_or_default();
    let of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':');
    let brackets = near.trim_start_matches(of_name);
    let name = near.get(..near.len() - brackets.len())?.rsplit(['.', ':']).next()?;
    if !HOLDING.contains(&name) || !brackets.starts_with(['[', '<']) {
        return None;
    }
    let mut depth = 0_usize;
    let end = brackets.char_indices().find_map(|(at, c)| {
        match c {
            '[' | '<' => depth += 1,
            ']' | '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth == 0).then_some(at + 1)
    })?;
    let rest = own.get(near.len() - brackets.len() + end..)?.trim_start_matches(BLANKS);
    let rest = rest.strip_prefix("| None").map_or(rest, |rest| rest.trim_start_matches(BLANKS));
    let Some(value) = rest.strip_prefix('=').filter(|value| !value.starts_with(['=', '>'])) else {
        return Some(Known::Other);
    };
    let value = value.trim_start_matches(BLANKS);
    let line = value.get(..value.floor_char_boundary(TYPE_MOST)).unwrap_or_default();
    let has_text = line.split(['\n', '\r']).next().is_some_and(|line| line.contains(['"', '\'', '`']));
    Some(if has_text {
        Known::Value(value_after(value)).moved(text.len() - value.len())
    } else {
        Known::Other
    })
}

#[cfg(test)]
mod tests {
    use super::super::mask_message;

    #[test]
    fn a_type_with_others_is_no_value() {
        for text in [
            "def f(api_key: Optional[str] = None, x: int = 3):",
            "password: Option<String>,",
            "api_key: typing.Optional[str] = None",
            "tokens: List[str] = []",
            "credentials: Dict[str, str]",
        ] {
            assert_eq!(mask_message(text), text);
        }
        for (text, masked) in [
            ("api_key: Optional[str] = \"abc\"", "api_key: Optional[str] = \"masked\""),
            ("password: Option<&str> = Some(\"abc\");", "password: Option<&str> = Some(\"masked\");"),
            ("api_key: Annotated[str, Field()] = 'abc'", "api_key: Annotated[str, Field()] = 'masked'"),
            ("password: Optional[str] | None = \"abc\"", "password: Optional[str] | None = \"masked\""),
        ] {
            assert_eq!(mask_message(text), masked);
        }
    }

    #[test]
    fn the_name_of_a_variable_is_no_value() {
        for text in ["api_key = os.getenv(\"OPENAI_API_KEY\")", "apiKey: process.env.OPENAI_API_KEY,"] {
            assert_eq!(mask_message(text), text);
        }
        assert_eq!(mask_message("api_key = \"ABC_123\""), "api_key = \"masked\"");
        assert_eq!(mask_message("api_key = os.getenv(\"OPENAI_API_KEY\", \"abc\")"), "api_key = masked");
    }
}
