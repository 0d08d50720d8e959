//! Values that a word or a sign of their own joins to a name: `env["KEY"] || "abc"`, `password to "abc"`,
//! `Dim password As String = "abc"`, `variable "password" { default = "abc" }`, `setPassword("abc")`.

use std::borrow::Cow;
use std::ops::Range;

use regex::Regex;

use super::names::is_secret;
use super::objects::secrets_of;
use super::options::is_secret_option;
use super::ranges::{Pattern, mask_ranges};

/// A name with what closes the quotes and brackets around it.
const NAME: &str =
    r#"(?P<name>[A-Za-z][A-Za-z0-9_.-]{1,64}(?: (?:key|token|secret))?)\*{0,3}\\*["'`]?[)\]]{0,2}"#;
/// A text in quotes, with what languages write before them.
const QUOTED: &str = r#"[NEbrufL$@]?(?:\\+(?:"(?P<value>(?u:[^"\\\r\n])+)|'(?P<single>(?u:[^'\\\r\n])+))|"(?P<double>(?u:[^"\\\r\n]|\\[^\r\n])+)|'(?P<bare>(?u:[^'\\\r\n]|\\[^\r\n])+)TICKS)"#;
/// The same of JavaScript and Go.
const TICKS: &str = r"|`(?P<quoted>(?u:[^`\\\r\n])+)";

fn built(pattern: &str) -> Option<Regex> {
    let text = QUOTED.replace("TICKS", TICKS);
    let pattern = pattern.replace("NAME", NAME).replace("TEXT", &text);
    Regex::new(&format!("(?i-u:{})", pattern.replace("QUOTED", &QUOTED.replace("TICKS", "")))).ok()
}

// The patterns are right: a test matches each of their branches.
static JOINED: Pattern = Pattern::new(|| built(r"\bNAME\s*(?:\|\|=?|\?\?=?|<-|->)\s*TEXT"));
// In prose a word in backticks is one of code, unless it is said of the name.
static SAID: Pattern = Pattern::new(|| built(r"\bNAME\s+(?:is|was|to):?\s*`(?P<value>(?u:[^`\\\r\n:(])+)`"));
static WORDED: Pattern = Pattern::new(|| {
    built(
        r"\bNAME\s+(?:for\s+[!-~]{1,64}\s+)?(?:or|to|is|with\s+value|(?:was|is)(?:\s+set)?(?:\s+to)?|should\s+be|set\s+to|as\s+[a-z]{1,20}\s*=|[a-z]{1,20}(?:\([0-9]{1,6}\))?\s+default):?\s*\*{0,3}QUOTED",
    )
});
static INDEXED: Pattern = Pattern::new(|| built(r"\bNAME\[[!-Z^-~]{1,64}\]\s*[:=]\s*TEXT"));
static BLOCK: Pattern = Pattern::new(|| built(r"\bNAME\s*\{\s*(?:[ -z|~\s]{0,160}?\bdefault\s*=\s*)?TEXT"));
static DEFAULT: Pattern = Pattern::new(|| {
    built(r"(?P<name>--[a-z][a-z0-9_-]{1,64})[\x22']\s*,[ -'*-~\s]{0,120}?\bdefault\s*=\s*TEXT")
});
static ATTRIBUTE: Pattern =
    Pattern::new(|| built(r"<(?P<name>[a-z][a-z0-9_.:-]{1,64})\s[ -;=?-~]{0,120}?\bvalue\s*=\s*TEXT"));
static TYPED: Pattern = Pattern::new(|| {
    built(
        r"\btype\\*[\x22']?\s*[=:]\s*\\*[\x22']?(?P<name>password)\b[ -;=?-~]{0,120}?\bvalue\\*[\x22']?\s*[=:]\s*(?:TEXT|(?P<plain>(?u:[^\s\x22'<>`&])+))",
    )
});
static BY_ID: Pattern = Pattern::new(|| {
    built(
        r"\bid\s*=\s*\\*[\x22']?(?P<name>[a-z][a-z0-9_.-]{1,64})\b[ -;=?-~]{0,120}?\bvalue\s*=\s*(?:TEXT|(?P<plain>(?u:[^\s\x22'<>`&])+))",
    )
});
static REJECTED: Pattern = Pattern::new(|| {
    built(r"\bfield '(?P<name>[A-Za-z0-9_.\[\]-]{2,64})': rejected value \[(?P<value>(?u:[^\]\r\n])+)\]")
});
static SHORTER: Pattern = Pattern::new(|| {
    built(r"\bPath \x60(?P<name>[a-z0-9_.]{2,64})\x60 \(\x60(?P<value>(?u:[^\x60\r\n])+)\x60\)")
});
static TAKEN: Pattern =
    Pattern::new(|| built(r"\bKey \((?P<name>[a-z0-9_, ]{2,80})\)=\((?P<value>(?u:[^)\r\n])+)\)"));
static SETTER: Pattern = Pattern::new(|| {
    built(
        r"(?:\b(?:set|with|change|update|reset)_?|\.|\b(?:q?w?string(?:_view)?|auto)[ \t]+)(?P<name>[a-z][a-z0-9_]{1,64})\(\s*(?:[a-z_][a-z0-9_.]{0,40}\s*,\s*){0,2}TEXT",
    )
});
static NAMED_CALL: Pattern = Pattern::new(|| {
    built(
        r"\b(?P<name>(?:store|key|trust_?store|db|user|admin)?_?(?:password|passphrase|passwd|api_?key))\(\s*TEXT",
    )
});
static CALLED: Pattern = Pattern::new(|| {
    built(
        r"(?P<name>\b[A-Za-z0-9_]{0,40}(?:(?:api|private|secret|access)[ _-]?key|password|passphrase|passcode|pwd|(?:access|refresh|auth|bearer|id)[ _-]?token|(?:client|webhook|shared)[ _-]?secret))\*{0,3}\s+\\*[\x22'`](?P<value>(?u:[^\s\x22'`\\]|\\[^\s\x22'`])+)\\*[\x22'`]",
    )
});
static REFUSED: Pattern = Pattern::new(|| {
    built(r"(?:^|\n)[ \t]*(?P<name>[a-z][a-z0-9_.-]{1,64})\r?\n[ \t]+[ -~]{0,240}?\binput_value=TEXT")
});
static LOCATED: Pattern = Pattern::new(|| {
    built(
        r"[\x22'](?:loc|path)\\*[\x22']\s*:\s*[(\[][ -'*-Z\\^-~]{0,80}[\x22'](?P<name>[A-Za-z0-9_]{2,64})\\*[\x22'],?\s*[)\]][ -z|~]{0,240}?[\x22'](?:input|received|data)\\*[\x22']\s*:\s*TEXT",
    )
});
static LINES: Pattern = Pattern::new(|| {
    built(
        r"\bvalue:[ \t]*[\x22']?(?P<value>(?u:[^\s\x22',])+)[\x22']?(?:[ \t]*,[ \t]*|[ \t]*\r?\n(?:[ \t]*[!-~][ -~]{0,120}\r?\n){0,2}?[ \t]*)(?:name|key):[ \t]*[\x22']?(?P<name>[!-&(-~]{1,64})",
    )
});

/// How names of what is done with a credential begin that is not told to it.
const ASKING: [&str; 12] = [
    "get", "fetch", "read", "load", "check", "validate", "verify", "hash", "find", "has_", "parse", "delete",
];

/// A text without values that are joined so.
pub(super) fn mask_stated<'t>(text: &'t str, is_masked: &impl Fn(&str) -> bool) -> Cow<'t, str> {
    let has_quote = memchr::memchr3(b'"', b'\'', b'`', text.as_bytes()).is_some();
    let quoting = [
        &JOINED,
        &SAID,
        &WORDED,
        &INDEXED,
        &BLOCK,
        &DEFAULT,
        &ATTRIBUTE,
        &REJECTED,
        &SHORTER,
        &SETTER,
        &NAMED_CALL,
        &CALLED,
        &REFUSED,
        &LOCATED,
    ];
    let patterns = quoting.into_iter().filter(|_| has_quote).chain([&LINES, &TAKEN, &TYPED, &BY_ID]);
    let is_named = |name: &str| {
        let asks = ASKING
            .iter()
            .any(|word| name.get(..word.len()).is_some_and(|begun| begun.eq_ignore_ascii_case(word)));
        !asks && (is_secret(name) || is_secret_option(name))
    };
    // `password or "passphrase"`.
    let is_value = |value: &str| is_masked(value) && !is_secret(value);
    let mut secrets: Vec<Range<usize>> =
        patterns.flat_map(|pattern| secrets_of(text, pattern, &is_named, &is_value)).collect();
    let further: Vec<Range<usize>> =
        secrets.iter().flat_map(|secret| arguments_behind(text, secret)).collect();
    secrets.extend(further);
    secrets.sort_unstable_by_key(|secret| secret.start);
    mask_ranges(text, secrets)
}

/// The texts that stand behind one in a call: of several any may be the credential.
fn arguments_behind(text: &str, first: &Range<usize>) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let before = text.get(..first.start).unwrap_or_default();
    let Some(quote) = before.chars().next_back().filter(|c| matches!(c, '"' | '\'')) else { return out };
    let called = before.get(..before.len() - 1).unwrap_or_default().trim_end_matches(['\\', ' ']);
    if !called.ends_with(['(', ',']) {
        return out;
    }
    let mut end = first.end;
    while out.len() < ARGUMENTS {
        let rest = text.get(end..).unwrap_or_default();
        let behind = rest.trim_start_matches('\\').strip_prefix(quote).map(str::trim_start);
        let next = behind
            .and_then(|behind| behind.strip_prefix(','))
            .map(|next| next.trim_start_matches([' ', '\\']));
        let Some(next) = next.and_then(|next| next.strip_prefix(quote)) else { break };
        let begin = text.len() - next.len();
        let near = next.get(..next.floor_char_boundary(ARGUMENT_MOST)).unwrap_or_default();
        let Some(length) = near.find([quote, '\n']).filter(|&length| length > 0) else { break };
        let length = near.get(..length).map_or(length, |inner| inner.trim_end_matches('\\').len());
        end = begin + length;
        out.push(begin..end);
    }
    out
}

/// Arguments of a call that are looked at, and bytes of one.
const ARGUMENTS: usize = 4;
const ARGUMENT_MOST: usize = 256;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_behind_a_backslash_ends_no_value() {
        for (text, masked) in [
            (r#"setPassword("abc\def")"#, r#"setPassword("masked")"#),
            (r#"password is "abc\"def""#, r#"password is "masked""#),
            (r#"<password value="CORP\abc"/>"#, r#"<password value="masked"/>"#),
            (r#"password "ab\c" x"#, r#"password "masked" x"#),
            (r#"f(\"setPassword(\\\"abc\\\")\")"#, r#"f(\"setPassword(\\\"masked\\\")\")"#),
            ("storePassword(\"abc\")", "storePassword(\"masked\")"),
            (
                "The **password** is \"abc\", **API key** 'd'",
                "The **password** is \"masked\", **API key** 'masked'",
            ),
            (
                "<input id=\"password\" class=x value=\"abc\">",
                "<input id=\"password\" class=x value=\"masked\">",
            ),
            (
                "on field 'password': rejected value [abc]; codes",
                "on field 'password': rejected value [masked]; codes",
            ),
            (
                "keyring.set_password(\"svc\", \"bob\", \"abc\")",
                "keyring.set_password(\"masked\", \"masked\", \"masked\")",
            ),
            ("c.setPassword(user, \"abc\")", "c.setPassword(user, \"masked\")"),
            (
                "the password is: \"abc\", **API key** is \"d\"",
                "the password is: \"masked\", **API key** is \"masked\"",
            ),
            ("Key (api_key)=(abc) already exists.", "Key (api_key)=(masked) already exists."),
            ("[5]<input type=password value=abc />", "[5]<input type=password value=masked />"),
            ("\"password\" with value \"abc\" fails", "\"password\" with value \"masked\" fails"),
            ("Path `password` (`abc`) is shorter", "Path `password` (`masked`) is shorter"),
            ("changePassword(\"abc\")", "changePassword(\"masked\")"),
            (
                "{'path': ['body', 'password'], 'input': 'abc'}",
                "{'path': ['body', 'password'], 'input': 'masked'}",
            ),
            (
                "{'attributes': {'type': 'password'}, 'value': 'abc'}",
                "{'attributes': {'type': 'password'}, 'value': 'masked'}",
            ),
            ("access token 'abc' has expired", "access token 'masked' has expired"),
            ("the password for bob is \"abc\"", "the password for bob is \"masked\""),
            ("password was set to 'abc'", "password was set to 'masked'"),
            ("password should be \"abc\"", "password should be \"masked\""),
        ] {
            assert_eq!(mask_stated(text, &|_| true), masked);
            assert_eq!(mask_stated(masked, &|_| true), masked);
        }
        for text in ["checkPassword('abc')", "a token \"abc\" of it", "the passwords are \"weak\""] {
            assert_eq!(mask_stated(text, &|_| true), text);
        }
    }

    #[test]
    fn what_a_word_joins_to_a_name_is_masked() {
        for (text, masked) in [
            (
                "const k = process.env.OPENAI_API_KEY || 'abc'",
                "const k = process.env.OPENAI_API_KEY || 'masked'",
            ),
            ("env[\"API_KEY\"] || \"abc\"", "env[\"API_KEY\"] || \"masked\""),
            ("os.environ.get('OPENAI_API_KEY') or 'abc'", "os.environ.get('OPENAI_API_KEY') or 'masked'"),
            ("password ||= 'abc'; apiKey ??= \"d\"", "password ||= 'masked'; apiKey ??= \"masked\""),
            (
                "password <- \"abc\", \"password\" -> \"d\"",
                "password <- \"masked\", \"password\" -> \"masked\"",
            ),
            ("\"X-Api-Key\" to \"abc\"", "\"X-Api-Key\" to \"masked\""),
            ("the password is 'abc'.", "the password is 'masked'."),
            ("Dim password As String = \"abc\"", "Dim password As String = \"masked\""),
            ("password varchar(20) DEFAULT 'abc'", "password varchar(20) DEFAULT 'masked'"),
            ("passwords[\"bob\"] = \"abc\"", "passwords[\"bob\"] = \"masked\""),
            ("ENV.fetch(\"PASSWORD\") { \"abc\" }", "ENV.fetch(\"PASSWORD\") { \"masked\" }"),
            (
                "variable \"db_password\" {\n  type = string\n  default = \"abc\"\n}",
                "variable \"db_password\" {\n  type = string\n  default = \"masked\"\n}",
            ),
            (
                "add_argument('--password', type=str, default='abc')",
                "add_argument('--password', type=str, default='masked')",
            ),
            (
                "const std::string password(\"abc\"); auto api_key(\"d\");",
                "const std::string password(\"masked\"); auto api_key(\"masked\");",
            ),
            ("<password value=\"abc\"/>", "<password value=\"masked\"/>"),
            (
                "<input type=\"password\" id=\"x\" value=\"abc\">",
                "<input type=\"password\" id=\"x\" value=\"masked\">",
            ),
        ] {
            assert_eq!(mask_stated(text, &|_| true), masked);
            assert_eq!(mask_stated(masked, &|_| true), masked);
        }
    }

    #[test]
    fn what_is_called_or_said_with_a_name_is_masked() {
        for (text, masked) in [
            ("c.setPassword(\"abc\").apiKey('d')", "c.setPassword(\"masked\").apiKey('masked')"),
            ("Invalid API key 'abc'", "Invalid API key 'masked'"),
            (
                "The API key is \"abc\", set the access token to 'd'",
                "The API key is \"masked\", set the access token to 'masked'",
            ),
            (
                "The password is `abc`, set `OPENAI_API_KEY` to `d`",
                "The password is `masked`, set `OPENAI_API_KEY` to `masked`",
            ),
            ("#define DB_PASSWORD \"abc\"", "#define DB_PASSWORD \"masked\""),
            (
                "{'loc': ('body', 'password'), 'input': 'abc'}",
                "{'loc': ('body', 'password'), 'input': 'masked'}",
            ),
            (
                r#"{\"loc\":[\"body\",\"password\"],\"input\":\"abc\"}"#,
                r#"{\"loc\":[\"body\",\"password\"],\"input\":\"masked\"}"#,
            ),
            (
                "1 error for S\napi_key\n  Extra [type=x, input_value='abc', input_type=str]",
                "1 error for S\napi_key\n  Extra [type=x, input_value='masked', input_type=str]",
            ),
            ("- value: abc\n  name: PASSWORD", "- value: masked\n  name: PASSWORD"),
            ("{value: abc, name: PASSWORD}", "{value: masked, name: PASSWORD}"),
        ] {
            assert_eq!(mask_stated(text, &|_| true), masked);
            assert_eq!(mask_stated(masked, &|_| true), masked);
        }
        for text in [
            "client.get_secret(\"name\")",
            "`SO_COOKIE` to `nix::sys`, password or \"passphrase\"",
            "the token 'else' is not expected",
            "secret \"regcred\" not found",
            "[\"password\", \"user\"]",
            "if \"password\" in form: f(\"x\")",
            "add_argument('--city', default='Rio')",
        ] {
            assert_eq!(mask_stated(text, &|_| true), text);
        }
    }
}
