//! Names beside their values as other languages write objects: `{'name': 'X-Api-Key', 'value': 'abc'}`,
//! `{ name: "DB_PASSWORD", value: "abc" }`, attributes of XML, lines of YAML.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use regex::{Captures, Regex};

use super::behind::is_joined;
use super::beside::describes_secret;
use super::names::is_secret;
use super::options::announces_next;
use super::placed::ends_label;
use super::ranges::{Pattern, mask_ranges};

// The patterns are right: a test matches each of their branches.
static NAME_FIRST: Pattern = Pattern::new(|| Regex::new(&pair(&[NAME, VALUE])).ok());
static VALUE_FIRST: Pattern = Pattern::new(|| Regex::new(&pair(&[VALUE, NAME])).ok());
static FIELD_FIRST: Pattern = Pattern::new(|| Regex::new(&pair(&[FIELD, TYPED])).ok());
static TEXT_FIRST: Pattern = Pattern::new(|| Regex::new(&pair(&[TYPED, FIELD])).ok());
static CHANGED: Pattern = Pattern::new(|| Regex::new(&pair(&[NAME, OLD])).ok());
static WAS_FIRST: Pattern = Pattern::new(|| Regex::new(&pair(&[OLD, NAME])).ok());
static NEW_FIRST: Pattern = Pattern::new(|| Regex::new(&pair(&[NEW, NAME])).ok());
static CHANGED_TO: Pattern = Pattern::new(|| {
    let new = NEW.replace("QUOTE", r#"\\*["']?"#).replace("TEXT", TEXT);
    Regex::new(&format!(r#"{}\s*,\s*\\*["']?(?i-u:{new})"#, pair(&[NAME, WAS]))).ok()
});
static LINES: Pattern = Pattern::new(|| {
    Regex::new(
        r#"(?i-u:\b(?:name|key):[ \t]*(?P<name>[!-~]{1,128})[ \t]*\r?\n(?:[ \t]*[!-~][ -~]{0,120}\r?\n){0,2}?(?:[-+>#*]|//|[ \t]*(?:[a-z0-9_./-]{1,80}:)?[0-9]{1,6}(?:\t|:|[ \t]*\||(?u:\u{2192})))?[ \t]*value:[ \t]*(?:\\*"(?P<quoted>(?u:[^"\\\r\n])+)|'(?P<single>(?u:[^'\r\n])+)|(?P<value>(?u:[^\s"'])+)))"#,
    )
    .ok()
});
static BARE: Pattern = Pattern::new(|| {
    let kinds = "(?:parameter|option|header|env|column)?_?";
    let name = format!(r#"\b{kinds}(?:name|key)\s*[:=]\s*["']?(?P<name>[\w.-]{{1,128}})["']?"#);
    let value = format!(r#"["']?{kinds}value["']?\s*[:=]\s*["']?(?P<value>(?u:[^\s"',;)\}}\]])+)"#);
    Regex::new(&format!(r"(?i-u:{name}(?:\s*[,&]\s*|\s+)(?:[ -%'-;=?-z|~]{{1,96}}?,\s*)?{value})")).ok()
});
static ELEMENTS: Pattern = Pattern::new(|| {
    let name = r"<(?:param-)?(?:name|key)>\s*(?P<name>[!-;=-~]{1,128})\s*</(?:param-)?(?:name|key)>";
    let between = r"\s*(?:<[a-z]{1,20}>[ -;=?-~]{0,64}</[a-z]{1,20}>\s*)?";
    let value = r"<(?:(?:param-)?value|string)>\s*(?:<string>\s*)?(?P<value>(?u:[^<])+)";
    Regex::new(&format!("(?i-u:{name}{between}{value})")).ok()
});
static ATTRIBUTES: Pattern = Pattern::new(|| {
    let name =
        r#"<[a-z][a-z.:-]{0,40}\s[ -;=?-~]{0,80}?\b(?:name|key)=["'](?P<name>[!#-&(-;=?-~]{1,128})["']"#;
    let value =
        r#"(?:[ -;=?-~]{0,80}>\s*<value>\s*(?P<value>(?u:[^<])+)|\s+content=["'](?P<quoted>(?u:[^"'<>])+))"#;
    Regex::new(&format!("(?i-u:{name}{value})")).ok()
});

/// What is looked for in both orders, each with what stands in its quotes.
const NAME: &str = r#"(?:(?:header|parameter|option|column|env(?:_?var)?)?_?(?:name|key)|(?:field|property|variable)_?name|header|parameter|param|field|variable|attribute|property|(?:json_?|instance_?)?path|flag|selector|label|id)QUOTE\s*(?:=>|[:=])\s*(?:b?\\*["'](?P<name>[!#-&(-\[\]-~]{1,128})\\*["']|"[$a-z0-9_.]{1,40}\['(?P<path>[!#-&(-\[\]-~]{1,64})'\]")"#;
const VALUE: &str = r#"(?:(?:header|parameter|option|column|variable|rejected|attempted|new)?_?value|val|contents)QUOTE\s*(?:=>|[:=]|\{\s*string_value:)\s*b?TEXT(?:\\*["']|[\r\n]|$)"#;

/// What was changed, as audits log it.
const OLD: &str = r#"(?:old|before|previous|from)QUOTE\s*(?:=>|[:=])\s*TEXT\\*["']"#;
const WAS: &str =
    r#"(?:old|before|previous|from)QUOTE\s*[:=]\s*(?:\\*["'](?u:[^"'\\\r\n])*\\*["']|[a-z0-9.]{1,16})"#;
const NEW: &str = r#"(?:new|after|current|to)QUOTE\s*(?:=>|[:=])\s*TEXT\\*["']"#;

/// The same of what is typed into a field of a page.
const FIELD: &str = r#"(?:element|selector|locator|placeholder)QUOTE\s*[:=]\s*\\*["'](?P<name>[ -!#-&(-\[\]-~]{1,80})\\*["']"#;
const TYPED: &str = r#"(?:text|value)QUOTE\s*[:=]\s*TEXT(?:\\*["']|[\r\n]|$)"#;

/// A text in quotes, behind backslashes where it stands in one that is quoted itself.
pub(super) const TEXT: &str = r#"(?:\\+(?:"(?P<value>(?u:[^"\\\r\n])+)|'(?P<single>(?u:[^'\\\r\n])+))|"(?P<double>(?u:[^"\\\r\n]|\\[^\r\n])+)|'(?P<bare>(?u:[^'\\\r\n]|\\[^\r\n])+))"#;

fn pair(members: &[&str; 2]) -> String {
    let [first, second] = members.map(|member| member.replace("QUOTE", r#"\\*["']?"#).replace("TEXT", TEXT));
    // Other fields may stand between.
    let between = r"(?:\s*,\s*|\s+)(?:[ -;=?-z|~]{1,96}?(?:,\s*|\s+))?";
    format!(r#"(?i-u:\b{first}{between}\\*["']?{second})"#)
}

/// Words of which one names a value, before a sign; in small letters.
const VALUES: [&str; 5] = ["value", "val", "content", "contents", "<string"];

/// Words behind which a change has what was.
static OLDS: LazyLock<[Finder; 14]> = LazyLock::new(|| {
    [
        "old\"", "old'", "old\\", "old:", "old=", "before\"", "before'", "before\\", "before:", "previous",
        "from\"", "from'", "from:", "from=",
    ]
    .map(Finder::new)
});

/// Words of which one names a field of a page, likewise.
const FIELDS: [&str; 4] = ["element", "selector", "locator", "placeholder"];

/// A text without values whose name stands beside them.
pub(super) fn mask_objects<'t>(text: &'t str, is_masked: &impl Fn(&str) -> bool) -> Cow<'t, str> {
    let has = |words: &[Finder]| words.iter().any(|word| word.find(text.as_bytes()).is_some());
    let mut secrets: Vec<Range<usize>> = Vec::new();
    if is_joined(text, &VALUES) {
        let is_named = |name: &str| is_secret(name) || announces_next(name);
        let patterns = [&NAME_FIRST, &VALUE_FIRST, &LINES, &BARE, &ELEMENTS, &ATTRIBUTES].into_iter();
        secrets.extend(patterns.flat_map(|pattern| secrets_of(text, pattern, &is_named, is_masked)));
    }
    if has(&*OLDS) {
        let patterns = [&CHANGED, &CHANGED_TO, &WAS_FIRST, &NEW_FIRST].into_iter();
        secrets.extend(patterns.flat_map(|pattern| secrets_of(text, pattern, &is_secret, is_masked)));
    }
    if is_joined(text, &FIELDS) {
        let patterns = [&FIELD_FIRST, &TEXT_FIRST].into_iter();
        secrets.extend(patterns.flat_map(|pattern| secrets_of(text, pattern, &describes_secret, is_masked)));
    }
    secrets.sort_unstable_by_key(|secret| secret.start);
    mask_ranges(text, secrets)
}

/// Values that a pattern finds with a name of a credential.
pub(super) fn secrets_of(
    text: &str,
    pattern: &Pattern,
    is_named: &impl Fn(&str) -> bool,
    is_masked: &impl Fn(&str) -> bool,
) -> Vec<Range<usize>> {
    let found = pattern.as_ref().into_iter().flat_map(|pattern| pattern.captures_iter(text));
    let of = |found: &Captures, names: &[&str]| {
        names.iter().find_map(|name| found.name(name)).map(|found| found.range())
    };
    let secret = |found: Captures| {
        let (name, value) = (
            of(&found, &["name", "path"])?,
            of(&found, &["value", "quoted", "single", "double", "bare", "plain"])?,
        );
        let is_secret =
            is_named(text.get(name)?) && is_masked(text.get(value.clone())?) && !ends_label(text, &value);
        is_secret.then_some(value)
    };
    found.filter_map(secret).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn where_a_pattern_finds_something_its_word_stands_before_a_sign(
            text in "((['\"]?(name|key|path|element|selector)[\\\\]{0,2}['\"]?[ \n]?(:|=|=>)[ ]?[\\\\]{0,2}['\"]?(abc|x9)[\\\\]{0,2}['\"]?|<name>x</name>|<a name='x'|<a b key=\"x\")(, ?|,? ?x1, |[ \n]|\n x\n|><b>x</b>|>)|['\"]?(Value|val|CONTENTS|text|content|new_value)[\\\\]{0,2}['\"]?[ \n\u{b}]?(:|=|=>|[{] string_value:)[ ]?b?[\\\\]{0,2}['\"]?(abc|x9)[\\\\]{0,2}['\"]?[, \n]?|(<value>|<string>| ?content=)['\"]?x){1,3}"
        ) {
            for (words, patterns) in [
                (&VALUES[..], &[&NAME_FIRST, &VALUE_FIRST, &LINES, &BARE, &ELEMENTS, &ATTRIBUTES][..]),
                (&FIELDS[..], &[&FIELD_FIRST, &TEXT_FIRST][..]),
            ] {
                for pattern in patterns.iter().filter_map(|pattern| pattern.as_ref()) {
                    prop_assert!(is_joined(&text, words) || !pattern.is_match(&text), "{}", pattern);
                }
            }
        }
    }

    #[test]
    fn a_value_beside_its_name_is_masked_in_files_of_settings() {
        for (text, masked) in [
            (
                "<init-param><param-name>apiKey</param-name><param-value>abc</param-value>",
                "<init-param><param-name>apiKey</param-name><param-value>masked</param-value>",
            ),
            (
                "<name>password</name><value><string>abc</string></value>",
                "<name>password</name><value><string>masked</string></value>",
            ),
            (
                "<setting name=\"Password\" as=\"String\"><value>abc</value>",
                "<setting name=\"Password\" as=\"String\"><value>masked</value>",
            ),
            (
                "{'field': 'password', 'old': 'abc', 'new': 'd'}",
                "{'field': 'password', 'old': 'masked', 'new': 'masked'}",
            ),
            (
                r#"{\"field\": \"password\", \"old\": \"abc\", \"new\": \"d\"}"#,
                r#"{\"field\": \"password\", \"old\": \"masked\", \"new\": \"masked\"}"#,
            ),
            (
                "[{'field': 'password', 'old': None, 'new': 'abc'}]",
                "[{'field': 'password', 'old': None, 'new': 'masked'}]",
            ),
            ("{'label': 'Password', 'value': 'abc'}", "{'label': 'Password', 'value': 'masked'}"),
            ("{'jsonPath': '$.password', 'value': 'abc'}", "{'jsonPath': '$.password', 'value': 'masked'}"),
            (
                r#"{'jsonPath': "$['password']", 'value': 'abc'}"#,
                r#"{'jsonPath': "$['password']", 'value': 'masked'}"#,
            ),
            (
                "{ field: 'password', old: 'abc', new: 'd' }",
                "{ field: 'password', old: 'masked', new: 'masked' }",
            ),
            (
                "Change(field='password', old='abc', new='d')",
                "Change(field='password', old='masked', new='masked')",
            ),
            (
                "{'from': 'abc', 'to': 'd', 'field': 'password'}",
                "{'from': 'masked', 'to': 'masked', 'field': 'password'}",
            ),
            (
                "key: \"password\" value { string_value: \"abc\" }",
                "key: \"password\" value { string_value: \"masked\" }",
            ),
            ("<meta name='csrf-token' content='abc'>", "<meta name='csrf-token' content='masked'>"),
            (r#"{"name"=>"X-Api-Key", "value"=>"abc"}"#, r#"{"name"=>"X-Api-Key", "value"=>"masked"}"#),
            ("['name' => 'password', 'contents' => 'abc']", "['name' => 'password', 'contents' => 'masked']"),
            (r#"<add key="password" value="a'bc"/>"#, r#"<add key="password" value="masked"/>"#),
            ("{Name:DB_PASSWORD Value:abc}", "{Name:DB_PASSWORD Value:masked}"),
        ] {
            assert_eq!(mask_objects(text, &|_| true), masked);
            assert_eq!(mask_objects(masked, &|_| true), masked);
        }
        let text = "<property name='colour'><value>red</value><meta name='author' content='Bob'>";
        assert_eq!(mask_objects(text, &|_| true), text);
    }

    #[test]
    fn lines_may_have_signs_of_a_diff_or_their_numbers_before_them() {
        for (text, masked) in [
            ("-  - name: PASSWORD\n-    value: abc", "-  - name: PASSWORD\n-    value: masked"),
            (
                "12\u{2192}- name: PASSWORD\n 13\u{2192}  value: abc",
                "12\u{2192}- name: PASSWORD\n 13\u{2192}  value: masked",
            ),
            (
                "a.py:1:- name: PASSWORD\na.py:2:  value: abc",
                "a.py:1:- name: PASSWORD\na.py:2:  value: masked",
            ),
        ] {
            assert_eq!(mask_objects(text, &|_| true), masked);
            assert_eq!(mask_objects(masked, &|_| true), masked);
        }
    }

    #[test]
    fn faults_of_forms_and_what_is_typed_into_a_page_are_masked_in_any_language() {
        for (text, masked) in [
            (
                "{'field': 'password', 'rejectedValue': 'abc'}",
                "{'field': 'password', 'rejectedValue': 'masked'}",
            ),
            (
                r#"{\"path\": \"/password\", \"value\": \"abc\"}"#,
                r#"{\"path\": \"/password\", \"value\": \"masked\"}"#,
            ),
            ("{'element': 'API key input', 'text': 'abc'}", "{'element': 'API key input', 'text': 'masked'}"),
            (
                r#"{\"text\":\"abc\",\"element\":\"Password\"}"#,
                r#"{\"text\":\"masked\",\"element\":\"Password\"}"#,
            ),
        ] {
            assert_eq!(mask_objects(text, &|_| true), masked);
            assert_eq!(mask_objects(masked, &|_| true), masked);
        }
        let text = "{'element': 'Name', 'text': 'red'}";
        assert_eq!(mask_objects(text, &|_| true), text);
    }

    #[test]
    fn a_value_beside_its_name_is_masked_in_any_language() {
        for (text, masked) in [
            ("{'name': 'X-Api-Key', 'value': 'a b'}", "{'name': 'X-Api-Key', 'value': 'masked'}"),
            ("{'Value': 'abc', 'Name': 'DB_PASSWORD'}", "{'Value': 'masked', 'Name': 'DB_PASSWORD'}"),
            ("{ name: \"API_KEY\", value: \"é\" }", "{ name: \"API_KEY\", value: \"masked\" }"),
            (
                r#"{\"name\": \"Cookie\", \"value\": \"abc\"}"#,
                r#"{\"name\": \"Cookie\", \"value\": \"masked\"}"#,
            ),
            (
                "Header(name='Authorization', value='Bearer abc')",
                "Header(name='Authorization', value='masked')",
            ),
            (
                "ParameterKey='DbPassword', ParameterValue='abc'",
                "ParameterKey='DbPassword', ParameterValue='masked'",
            ),
            ("- name: API_KEY\n  value: \"a b\"", "- name: API_KEY\n  value: \"masked\""),
            ("- {name: API_KEY, value: abc}", "- {name: API_KEY, value: masked}"),
            ("ParameterKey=DBPassword,ParameterValue=abc", "ParameterKey=DBPassword,ParameterValue=masked"),
            (
                "{'name': 'X-Api-Key', 'enabled': True, 'value': 'abc'}",
                "{'name': 'X-Api-Key', 'enabled': True, 'value': 'masked'}",
            ),
            (
                "<input name=\"password\" type=\"password\" value=\"abc\">",
                "<input name=\"password\" type=\"password\" value=\"masked\">",
            ),
            ("- name: PASSWORD\n  note: a\n  value: abc", "- name: PASSWORD\n  note: a\n  value: masked"),
            ("{name: PASSWORD, note: a, value: abc}", "{name: PASSWORD, note: a, value: masked}"),
            ("name=PASSWORD&value=abc", "name=PASSWORD&value=masked"),
            ("<name>password</name><value>abc</value>", "<name>password</name><value>masked</value>"),
            ("<key>api_key</key>\n<string>abc</string>", "<key>api_key</key>\n<string>masked</string>"),
            (
                "{'name': 'Cookie', 'value': 'abc [truncated]\nmore",
                "{'name': 'Cookie', 'value': 'masked\nmore",
            ),
            ("{'key': b'x-api-key', 'val': b'abc'}", "{'key': b'x-api-key', 'val': b'masked'}"),
        ] {
            assert_eq!(mask_objects(text, &|_| true), masked);
            assert_eq!(mask_objects(masked, &|_| true), masked);
        }
        for text in [
            "{'element': 'Name', 'text': 'red'}",
            "{'name': 'colour', 'value': 'red'}",
            "the value of a name: 'password'",
            "name='a', values='b'",
        ] {
            assert_eq!(mask_objects(text, &|_| true), text);
        }
        assert_eq!(
            mask_objects("{'name': 'token_key', 'value': 'red'}", &|_| false),
            "{'name': 'token_key', 'value': 'red'}"
        );
    }
}
