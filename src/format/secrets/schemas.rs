//! Schemas and lists of names: what describes a credential is none.

use crate::json::scan;

/// Members of a schema that are looked at.
const MEMBERS_MOST: usize = 16;

/// What a schema says of a value that holds none: not `default`, `example`, `enum`, `const`.
const KEYS: [&str; 15] = [
    "type",
    "description",
    "title",
    "format",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "pattern",
    "writeOnly",
    "readOnly",
    "nullable",
    "deprecated",
    "required",
    "order",
];

/// Types of JSON Schema.
const TYPES: [&str; 12] = [
    "string", "number", "integer", "boolean", "object", "array", "null", "STRING", "NUMBER", "INTEGER",
    "BOOLEAN", "OBJECT",
];

/// Whether an object of JSON at a byte says what a value has to be, and holds none itself:
/// `{"type": "string", "description": "…"}`.
pub(super) fn is_schema(json: &str, pos: usize) -> bool {
    let bytes = json.as_bytes();
    let Some(members) = scan::Members::of(json, pos).filter(|_| bytes.get(pos) == Some(&b'{')) else {
        return false;
    };
    let members: Vec<_> = members.take(MEMBERS_MOST + 1).collect();
    let is_typed = members.iter().any(|(key, at)| {
        let value = scan::skip_value(bytes, *at).and_then(|end| json.get(*at..end));
        key == "type" && value.is_some_and(|value| TYPES.contains(&value.trim_matches('"')))
    });
    is_typed && members.len() <= MEMBERS_MOST && members.iter().all(|(key, _)| KEYS.contains(&&**key))
}

/// Whether a word is a name itself, as in lists of headers and of kinds of grants: `X-Requested-With`,
/// `refresh_token`.
pub(super) fn is_name_itself(word: &str) -> bool {
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_uppercase())
            && part.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    let is_header = word.contains('-') && word.split('-').all(is_part);
    is_header || KINDS.contains(&word) || FIELDS.contains(&word)
}

/// Fields and headers that stand beside a credential in lists of names.
const FIELDS: [&str; 32] = [
    "email",
    "username",
    "user_name",
    "user",
    "name",
    "login",
    "phone",
    "user_id",
    "host",
    "port",
    "remember_me",
    "confirm_password",
    "Accept",
    "Origin",
    "Range",
    "ETag",
    "Host",
    "Cookie",
    "Date",
    "Link",
    "Vary",
    "Location",
    "Connection",
    "Upgrade",
    "Referer",
    "Expires",
    "te",
    "trailers",
    "upgrade",
    "connection",
    "accept",
    "origin",
];

/// What OAuth calls its grants and what they give.
const KINDS: [&str; 6] =
    ["authorization_code", "client_credentials", "refresh_token", "access_token", "id_token", "device_code"];

/// What else descriptions of services, actions and templates say so in YAML.
const YAML_KEYS: [&str; 9] =
    ["in", "scheme", "bearerFormat", "sensitive", "optional", "help", "label", "deprecationMessage", "name"];
const YAML_TYPES: [&str; 6] = ["str", "int", "bool", "apiKey", "http", "oauth2"];

/// Whether fields that YAML draws in below a name say what a value is to be, and none:
/// `password:\n  type: string`.
pub(super) fn is_schema_of_yaml(fields: &str) -> bool {
    let mut lines = fields.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_said = |line: &str| {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.trim().trim_matches(['"', '\'']);
        match name {
            "type" => TYPES.contains(&value) || YAML_TYPES.contains(&value),
            name => KEYS.contains(&name) || YAML_KEYS.contains(&name),
        }
    };
    let first = fields.trim_start();
    (first.starts_with("type:") || first.starts_with("description:")) && lines.all(is_said)
}

#[cfg(test)]
mod tests {
    use super::super::mask_message;
    use super::super::names::MASK;

    #[test]
    fn schemas_and_lists_of_names_hold_no_credential() {
        for text in [
            r#"{"properties":{"password":{"type":"string","description":"Of the user"},"api_key":{"type":"string"}}}"#,
            r#"{"grant_types": ["authorization_code", "refresh_token"]}"#,
            r#"{"allowed_headers": ["Content-Type","Authorization","X-Requested-With"]}"#,
            r#"{"headers": ["Authorization", "Content-Type"]}"#,
            r#"{"required": ["password", "email"]}"#,
            r#"{"h": ["Content-Type", "Authorization", "Accept"]}"#,
            "hop = ['connection', 'proxy-authorization', 'te', 'trailers']",
        ] {
            assert_eq!(mask_message(text), text);
        }
        for (text, masked) in [
            (
                r#"{"password":{"type":"string","default":"abc"}}"#,
                r#"{"password":{"type":"MASK","default":"MASK"}}"#,
            ),
            (
                r#"{"password":{"type":"plain","description":"abc"}}"#,
                r#"{"password":{"type":"MASK","description":"MASK"}}"#,
            ),
            (r#"["Authorization", "abc-def"]"#, r#"["Authorization", "MASK"]"#),
            (r#"["X-Api-Key", "abc1"]"#, r#"["X-Api-Key", "MASK"]"#),
        ] {
            let masked = masked.replace("MASK", MASK);
            assert_eq!(mask_message(text), masked);
        }
    }
}
