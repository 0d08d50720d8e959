//! Keys under which the name of a value stands beside it, and the value beside its name, as headers,
//! parameters, cells of a row, faults of forms and what is typed into a page are written as JSON.

use super::names::is_secret;

/// Keys of a name, as they are spelled; an underscore makes no difference.
const NAMES: [&str; 50] = [
    "jsonPath",
    "json_path",
    "name",
    "Name",
    "NAME",
    "key",
    "Key",
    "KEY",
    "columnName",
    "column",
    "header",
    "Header",
    "HEADER",
    "headerName",
    "HeaderName",
    "parameter",
    "Parameter",
    "parameterKey",
    "parameter_key",
    "ParameterKey",
    "parameterName",
    "parameter_name",
    "ParameterName",
    "optionName",
    "OptionName",
    "outputKey",
    "OutputKey",
    "attribute",
    "property",
    "propertyName",
    "PropertyName",
    "propertyPath",
    "variable",
    "variableName",
    "envVar",
    "param",
    "field",
    "Field",
    "fieldName",
    "flag",
    "selector",
    "label",
    "Label",
    "location",
    "title",
    "id",
    "Id",
    "ID",
    "k",
    "K",
];

/// Keys of its value.
const VALUES: [&str; 34] = [
    "stringValue",
    "value",
    "values",
    "val",
    "v",
    "columnValue",
    "content",
    "contents",
    "headerValue",
    "parameterValue",
    "optionValue",
    "variableValue",
    "newValue",
    "fieldValue",
    "invalidValue",
    "rejectedValue",
    "attemptedValue",
    "propertyValue",
    "outputValue",
    "rawValue",
    "default",
    // Of a change, as audits log it.
    "old",
    "new",
    "oldValue",
    "before",
    "after",
    "from",
    "to",
    "lhs",
    "rhs",
    "previous",
    "current",
    "original",
    "originalValue",
];

/// Headers that say of a list that it is one of headers, in small letters.
const COMMON: [&str; 9] = [
    "host",
    "accept",
    "accept-encoding",
    "accept-language",
    "connection",
    "content-length",
    "content-type",
    "origin",
    "user-agent",
];

/// Whether something has its value below a key.
pub(super) fn is_value(key: &str) -> bool {
    is_one_of(key, &VALUES)
}

/// Whether a member of an object says that its value is secret.
pub(super) fn names_secret(key: &str, name: &str) -> bool {
    match key {
        "path" => is_secret(last_word(name)),
        "type" => name.eq_ignore_ascii_case("password"),
        _ => is_one_of(key, &NAMES) && (is_secret(name) || key == "selector" && is_secret(last_word(name))),
    }
}

/// The last word of a path or a selector: `#password` of a page, `/password` of a patch,
/// `//input[@id='password']`.
fn last_word(name: &str) -> &str {
    let parts = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'));
    name.rsplit(parts).find(|word| !word.is_empty()).unwrap_or_default()
}

/// Whether what was refused stands below a key, beside a path: of pydantic, Zod, AJV, `ArkType`, jsonschema.
pub(super) fn is_refused(key: &str) -> bool {
    matches!(key, "input" | "received" | "data" | "instance")
}

/// Whether a path of what was refused stands below a key, as a list or as a text.
pub(super) fn is_path_of(path: &str, refused: &str, is_list: bool) -> bool {
    match refused {
        "data" if !is_list => matches!(path, "instancePath" | "dataPath"),
        "data" | "instance" => path == "path",
        _ => matches!(path, "loc" | "path"),
    }
}

/// Keys of the field of a page into which a text is typed: in words, or as it is found.
const FIELDS: [&str; 17] = [
    "element",
    "selector",
    "locator",
    "placeholder",
    "ariaLabel",
    "elementId",
    "fieldId",
    "fieldLabel",
    "fieldName",
    "inputName",
    "inputId",
    "label",
    "field",
    "xpath",
    "css",
    "cssSelector",
    "target",
];

/// Those of them that are words for people.
const WORDS: [&str; 5] = ["element", "placeholder", "ariaLabel", "fieldLabel", "label"];

/// Keys below which such names may stand one deeper, as pages have them.
const HOLDERS: [&str; 6] = ["attributes", "attrs", "props", "element", "target", "locator"];

/// Whether an object below a key may have the name of a field.
pub(super) fn may_hold_name(key: &str) -> bool {
    HOLDERS.contains(&key) || is_one_of(key, &["name"])
}

/// Whether a key is one of a field of a page.
pub(super) fn is_field(key: &str) -> bool {
    is_one_of(key, &FIELDS)
}

/// Whether a text that is typed into a field stands below a key.
pub(super) fn is_typed(key: &str) -> bool {
    matches!(key, "text" | "value")
}

/// Whether a member of an object names the field of a page into which a credential is typed.
pub(super) fn is_field_of_secret(key: &str, name: &str) -> bool {
    is_field(key) && (is_one_of(key, &WORDS) && describes_secret(name) || is_secret(last_word(name)))
}

/// Whether words describe a field for a credential: `Password`, `API key input`.
pub(super) fn describes_secret(words: &str) -> bool {
    let ends = words.match_indices(' ').map(|(at, _)| at).chain([words.len()]);
    words.len() <= ELEMENT_MOST && ends.into_iter().any(|end| words.get(..end).is_some_and(is_secret))
}

/// Bytes of such a description.
const ELEMENT_MOST: usize = 80;

/// Whether a word is a header that many requests have.
pub(super) fn is_common_header(word: &str) -> bool {
    COMMON.iter().any(|header| word.eq_ignore_ascii_case(header))
}

fn is_one_of(key: &str, names: &[&str]) -> bool {
    let is = |key: &str| names.iter().any(|name| name.eq_ignore_ascii_case(key));
    is(key) || key.contains(['_', '-']) && is(&key.replace(['_', '-'], ""))
}
