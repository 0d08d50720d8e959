//! Passwords as databases are given them: `IDENTIFIED BY 'abc'`, `WITH PASSWORD 'abc'`,
//! `scott/abc@//host/service`, `bob:abc@tcp(host)/db`.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use regex::{Match, Regex};

use super::placed::is_place;
use super::ranges::{Pattern, again, mask_ranges};

// The patterns are right: a test matches each of their branches. Letters of any case only among ASCII: other
// cases are not built in.
static STATEMENT: Pattern = Pattern::new(|| {
    let begun = r"(?i-u:\bidentified[\s+]+(?:with\s+[!-~]{1,64}\s+)?(?:by|as)[\s+]+(?:password\s+)?)";
    // Within a text that is quoted itself two quotes are one.
    let value = r#"(?:\\"([^"\\\r\n]+)|"((?:[^"\\\r\n]|\\[^\r\n])+)|'\\''([^'\\\r\n]+)|'"'"'([^'"\r\n]+)|''([^\s'",;)\\][^'\\\r\n]*)|\\'([^'\\\r\n]+)|'((?:[^'\\\r\n]|\\[^\r\n])+))"#;
    Regex::new(&[begun, value].concat()).ok()
});
// Without quotes it is a word of a sentence, too: `identified by Darwin`.
static BARE: Pattern = Pattern::new(|| {
    let made = r"(?i-u:\b(?:(?:create|alter)\s+(?:user|role)|grant)\s[ -:<-~]{1,128}?\bidentified)";
    let by = r"(?i-u:[\s+]+(?:with\s+[!-~]{1,64}\s+)?(?:by|as)[\s+]+(?:password\s+)?)";
    let value = r#"([^\s"'\\;,)&][^\s"'\\;,)]*)"#;
    Regex::new(&format!(r"(?:\bIDENTIFIED|{made}){by}{value}")).ok()
});
static REPLACED: Pattern = Pattern::new(|| {
    let begun = r"(?i-u:\bidentified\s+by\s+[!-~]{1,128}\s+replace\s+)";
    Regex::new(&[begun, r#"(?:\\?"([^"\\\r\n]+)|([^\s"'\\;,)]+))"#].concat()).ok()
});
static QUOTED: Pattern = Pattern::new(|| {
    let begun = r"(?i-u:\b(?:password|secret)\s*[\s(]\s*|\bpassword\s*=\s*|\bset\s+password\s+for\s+[!-~]{1,128}\s*=\s*)";
    // Within another text of a shell, and with what databases write before a text.
    let value = r#"(?:'\\''([^'\\\r\n]+)|'"'"'([^'"\r\n]+)|[NnEe]?''([^\s'",;)\\][^'\\\r\n]*)|[NnEe]?\\'([^'\\\r\n]+)|[NnEe]?'((?:[^'\\\r\n]|\\[^\r\n])+))"#;
    Regex::new(&[begun, value].concat()).ok()
});
// As PowerShell is given one.
static CONVERTED: Pattern = Pattern::new(|| {
    let begun = r"(?i-u:\bconvertto-securestring(?:\s+-(?:asplaintext|force|string))*\s+)";
    Regex::new(&[begun, r#"(?:\\?"([^"\\\r\n]+)|\\?'([^'\\\r\n]+)|([^\s"'\\;)$-][^\s"'\\;)]*))"#].concat())
        .ok()
});
static LOGON: Pattern = Pattern::new(|| {
    let address = r#"jdbc:oracle:[a-z0-9]{1,16}:[^\s/"'@]{0,64}/("[^"\r\n]+"|[^\s"'@]+)@"#;
    let command = r#"[A-Za-z0-9_$#.]{1,64}/("[^"\r\n]+"|[^\s"'@/]+)@//"#;
    // As the drivers of Go are told.
    let network = r#"[A-Za-z0-9_$#.%-]{0,64}:([^\s"'`/]+)@(?:tcp|unix)\("#;
    Regex::new(&[address, "|", command, "|", network].concat()).ok()
});

/// Words of these, as they are written, large or small: most texts have none.
static STATING: LazyLock<[Finder; 2]> = LazyLock::new(|| ["DENTIFIED", "dentified"].map(Finder::new));
static QUOTING: LazyLock<[Finder; 4]> =
    LazyLock::new(|| ["ASSWORD", "assword", "ECRET", "ecret"].map(Finder::new));
static CONVERTING: LazyLock<[Finder; 2]> = LazyLock::new(|| ["ecureString", "ecurestring"].map(Finder::new));
static LOGGING_ON: LazyLock<[Finder; 4]> =
    LazyLock::new(|| ["@//", "oracle:", "@tcp(", "@unix("].map(Finder::new));

/// Whether a text may have a statement that says how a user is known.
pub(super) fn may_identify(text: &str) -> bool {
    STATING.iter().any(|word| word.find(text.as_bytes()).is_some())
}

/// A text without the passwords of statements that make a user.
pub(super) fn mask_statements<'t>(text: &'t str, is_masked: &impl Fn(&str) -> bool) -> Cow<'t, str> {
    let has = |words: &[Finder]| words.iter().any(|word| word.find(text.as_bytes()).is_some());
    let may_state = may_identify(text);
    let stated = |value: &Match| is_masked(value.as_str()) && !is_prose(text, value);
    let masked = if may_state { mask_found(text, &STATEMENT, stated) } else { Cow::Borrowed(text) };
    // Before what stands in quotes it is a word of the statement.
    let is_masked = &|value: &str| !value.eq_ignore_ascii_case("password") && is_masked(value);
    let further = [&BARE, &REPLACED].into_iter().filter(|_| may_state);
    let masked =
        further.fold(masked, |masked, pattern| again(masked, |text| mask_groups(text, pattern, is_masked)));
    let masked = if CONVERTING.iter().any(|word| word.find(text.as_bytes()).is_some()) {
        again(masked, |text| mask_groups(text, &CONVERTED, is_masked))
    } else {
        masked
    };
    let may_quote = memchr::memchr(b'\'', text.as_bytes()).is_some() && has(&*QUOTING);
    let is_masked = &|value: &str| !is_joint(value) && !is_place(value) && is_masked(value);
    if !may_quote {
        return masked;
    }
    again(masked, |text| {
        mask_found(text, &QUOTED, |value| is_masked(value.as_str()) && !is_reference(text, value))
    })
}

/// Whether a value is the name of a secret, as Kubernetes refers to it, or what Ruby misses a method in:
/// `<set to the key 'a' in secret 'b'>`, ``undefined method `password=' for nil``.
fn is_reference(text: &str, value: &Match) -> bool {
    let is_object =
        || [" for nil", " for #<", " for an instance"].iter().any(|begun| value.as_str().starts_with(begun));
    text.get(..value.start()).is_some_and(|before| before.ends_with("' in secret '")) || is_object()
}

/// Whether what stands between two quotes joins a text to the next one: `'password=' + 'abc'`.
fn is_joint(between: &str) -> bool {
    let own = between.trim();
    let signs = own.trim_start_matches(['+', '.', '&', '|']);
    signs.len() < own.len() && (signs.is_empty() || between.starts_with(' '))
}

/// A text without the passwords that Oracle and the drivers of Go are given before a host.
pub(super) fn mask_logons(text: &str) -> Cow<'_, str> {
    // Few texts have one, and looking for it takes long.
    if LOGGING_ON.iter().any(|sign| sign.find(text.as_bytes()).is_some()) {
        mask_groups(text, &LOGON, &|_| true)
    } else {
        Cow::Borrowed(text)
    }
}

/// Whether the quote before a byte ends a text that began before it in its line, as a label's does:
/// `'password=', `.
fn closes_label(text: &str, value: usize) -> bool {
    let near =
        text.get(text.floor_char_boundary(value.saturating_sub(LABEL_MOST))..value).unwrap_or_default();
    let line = near.rsplit('\n').next().unwrap_or_default();
    let behind = text.get(value..).and_then(|behind| behind.chars().next());
    let closes = behind.is_none_or(|c| c.is_whitespace() || ",;)]+.&|/".contains(c));
    closes && line.matches('\'').count().is_multiple_of(2)
}

/// Bytes of the line of a label that are looked back over.
const LABEL_MOST: usize = 256;

/// Whether what somebody or something was identified by is told in a sentence: a statement makes a user, or
/// is written in capitals.
fn is_prose(text: &str, value: &Match) -> bool {
    let before = text.get(text.floor_char_boundary(value.start().saturating_sub(PROSE_MOST))..value.start());
    let near = before.unwrap_or_default();
    let Some(lead) = near.rfind("identified").and_then(|at| near.get(..at)) else { return false };
    let lead = lead.to_ascii_lowercase();
    let makes = ["user", "role", "grant", "alter", "create", "account", "login"];
    let is_verb = ["is", "are", "was", "were", "been"]
        .iter()
        .any(|verb| lead.trim_end().ends_with(&format!(" {verb}")));
    let has_digit = value.as_str().contains(|c: char| c.is_ascii_digit());
    !lead.is_empty() && (is_verb && !has_digit || !makes.iter().any(|word| lead.contains(word)))
}

/// Bytes before a value in which its statement begins.
const PROSE_MOST: usize = 128;

fn mask_groups<'t>(text: &'t str, pattern: &Pattern, is_masked: &impl Fn(&str) -> bool) -> Cow<'t, str> {
    mask_found(text, pattern, |secret| is_masked(secret.as_str()))
}

fn mask_found<'t>(text: &'t str, pattern: &Pattern, is_masked: impl Fn(&Match) -> bool) -> Cow<'t, str> {
    let Some(pattern) = pattern.as_ref() else { return Cow::Borrowed(text) };
    let groups = pattern.captures_iter(text).filter_map(|found| found.iter().skip(1).flatten().next());
    let secrets: Vec<Range<usize>> = groups
        .filter(|secret| is_masked(secret) && !closes_label(text, secret.start()))
        .map(|secret| secret.range())
        .collect();
    mask_ranges(text, secrets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_are_made_without_their_passwords() {
        for (text, masked) in [
            ("CREATE USER 'bob' IDENTIFIED BY 'abc';", "CREATE USER 'bob' IDENTIFIED BY 'masked';"),
            ("create user bob identified by abc;", "create user bob identified by masked;"),
            (r#"ALTER USER b IDENTIFIED BY "a b" x"#, r#"ALTER USER b IDENTIFIED BY "masked" x"#),
            (r"IDENTIFIED BY 'a\'b\\c' x", "IDENTIFIED BY 'masked' x"),
            (
                "ALTER USER u IDENTIFIED BY \"ab\" REPLACE \"c\"",
                "ALTER USER u IDENTIFIED BY \"masked\" REPLACE \"masked\"",
            ),
            (r#"IDENTIFIED BY \"abc\" x"#, r#"IDENTIFIED BY \"masked\" x"#),
            ("IDENTIFIED WITH caching_sha2 BY 'abc'", "IDENTIFIED WITH caching_sha2 BY 'masked'"),
            ("IDENTIFIED BY PASSWORD '*2AB'", "IDENTIFIED BY PASSWORD 'masked'"),
            ("CREATE USER bob WITH PASSWORD 'abc'", "CREATE USER bob WITH PASSWORD 'masked'"),
            (r"OPTIONS (user 'bob', password \'abc\')", r"OPTIONS (user 'bob', password \'masked\')"),
            ("SET PASSWORD FOR bob = 'abc'", "SET PASSWORD FOR bob = 'masked'"),
            ("SET PASSWORD FOR b@h = PASSWORD('abc')", "SET PASSWORD FOR b@h = PASSWORD('masked')"),
            ("(TYPE S3, SECRET 'abc')", "(TYPE S3, SECRET 'masked')"),
            (
                "ConvertTo-SecureString -String \"abc\" -Force",
                "ConvertTo-SecureString -String \"masked\" -Force",
            ),
            ("(convertto-securestring -AsPlainText abc)", "(convertto-securestring -AsPlainText masked)"),
        ] {
            assert_eq!(mask_statements(text, &|_| true), masked);
            assert_eq!(mask_statements(masked, &|_| true), masked);
        }
        for text in [
            "ConvertTo-SecureString $x -AsPlainText",
            "the password is 'old' now",
            "['--password', 'abc']",
            "passwords 'a'",
            "a secret's 'b'",
            "The species was identified by Darwin in 1835.",
        ] {
            assert_eq!(mask_statements(text, &|_| true), text);
        }
        assert_eq!(mask_statements("identified by name", &|value| value.len() > 4), "identified by name");
    }

    #[test]
    fn logons_are_told_of_without_their_passwords() {
        for (text, masked) in [
            ("jdbc:oracle:thin:scott/abc@//h:1521/x", "jdbc:oracle:thin:scott/masked@//h:1521/x"),
            ("jdbc:oracle:thin:scott/a/c@h:1521:x", "jdbc:oracle:thin:scott/masked@h:1521:x"),
            ("jdbc:oracle:oci:/abc@tns", "jdbc:oracle:oci:/masked@tns"),
            (r#"sqlplus scott/"a c"@//h/x"#, r"sqlplus scott/masked@//h/x"),
            (
                "dial root:a@c@tcp(127.0.0.1:3306)/app: refused",
                "dial root:masked@tcp(127.0.0.1:3306)/app: refused",
            ),
            (
                "sql.Open(\"mysql\", \"b:abc@unix(/tmp/x)/d\")",
                "sql.Open(\"mysql\", \"b:masked@unix(/tmp/x)/d\")",
            ),
        ] {
            assert_eq!(mask_logons(text), masked);
            assert_eq!(mask_logons(masked), masked);
        }
        for text in [
            "jdbc:oracle:thin:@//h:1521/x",
            "https://a.example/@b",
            "see a/b@c.example",
            "root@tcp(h:1)/x, at: @tcp(b)",
        ] {
            assert_eq!(mask_logons(text), text);
        }
    }
}
