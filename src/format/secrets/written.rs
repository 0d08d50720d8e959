//! Signs that programs write out: blanks and line ends, quotes and signs behind a name, as escapes of Python,
//! C, JSON, syslog, HTML and addresses.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use regex::{Captures, Regex};

use super::ranges::Pattern;

/// Blanks, and signs that nobody sees.
const BLANKS: &str = r"\\{1,4}(?:[ntrfv]|0?1[1-5]|x(?:[01][0-9a-f]|7f|a0)|u(?:00[01][0-9a-f]|00a0|feff|20[026][0-9a-f]))|#01[1-5]|\^[ijm]|%(?:25)?0[9ad]|&(?:amp;)?(?:nbsp|#(?:9|10|13|160|x[9ad]|xa0));";

// The pattern is right: a test matches each of its branches. Digits and letters stay as they are.
static SIGN: Pattern = Pattern::new(|| Regex::new(&every_sign()).ok());
// With quotes of a text within another, which have a backslash, and those of the other.
static SIGN_OR_QUOTE: Pattern = Pattern::new(|| {
    Regex::new(&[&every_sign(), r"|\\{1,7}(?P<quote>[\x22'])|(?P<outer>[\x22'])"].concat()).ok()
});

fn every_sign() -> String {
    let code = "2[0-9a-f]|3[a-f]|40|5[b-e]|60|7[b-e]";
    let number = "3[2-9]|4[0-7]|5[89]|6[0-4]|9[1-6]|12[3-6]";
    let html = format!(
        "&(?:amp;)?(?:(?P<name>quot|apos|lt|gt)|#x0{{0,4}}(?P<code>{code})|#0{{0,4}}(?P<number>{number}));"
    );
    let escape = format!(r"(?:\\{{1,4}}(?:x|u00)|%(?:25)?)(?P<escape>{code})");
    format!(
        r"(?i-u)(?P<blank>{BLANKS})|{html}|{escape}|\\{{1,4}}(?P<arrow>u2192)|\^(?P<caret>[\\^{{}}\x22:])|(?P<wide>(?u:[：＝]))|(?P<space>(?u:[\u{{a0}}\u{{2000}}-\u{{200a}}\u{{202f}}\u{{205f}}\u{{3000}}]))|(?P<unseen>(?u:[\u{{ad}}\u{{200b}}-\u{{200d}}\u{{2060}}\u{{feff}}]))|(?P<dash>(?u:[\u{{2010}}\u{{2011}}]))|(?P<plus>\+)"
    )
}

/// A text with signs in the place of those that are written out; as it is where there are none.
pub(super) fn with_signs(text: &str) -> Cow<'_, str> {
    with(&SIGN, text, 0)
}

/// The same, and with quotes in the place of those that have so many backslashes.
pub(super) fn with_quotes(text: &str, depth: usize) -> Cow<'_, str> {
    with(&SIGN_OR_QUOTE, text, depth)
}

/// How many backslashes quotes of a text have, the fewest first.
pub(super) fn depths(text: &str) -> Vec<usize> {
    let mut found = [false; DEPTH_MOST + 1];
    for at in memchr::memchr2_iter(b'"', b'\'', text.as_bytes()) {
        found.get_mut(backslashes(text, at)).into_iter().for_each(|found| *found = true);
    }
    (1..=DEPTH_MOST).filter(|depth| found.get(*depth) == Some(&true)).take(DEPTHS_MOST).collect()
}

/// Depths that are looked at.
const DEPTHS_MOST: usize = 3;

fn with<'t>(pattern: &Pattern, text: &'t str, depth: usize) -> Cow<'t, str> {
    let Some(sign) = pattern.as_ref() else { return Cow::Borrowed(text) };
    let ways = Ways::of(text, depth);
    let plain =
        sign.replace_all(text, |found: &Captures| sign_of(found, ways).map(String::from).unwrap_or_default());
    // Plus signs may be all there was.
    if plain == text { Cow::Borrowed(text) } else { plain }
}

/// How a text has signs written out.
#[derive(Clone, Copy)]
struct Ways {
    /// A form has plus signs for blanks, beside escapes in percent.
    is_form: bool,
    /// Backslashes before the quotes that count: those of a text in others.
    depth: usize,
    /// It has such quotes.
    double: bool,
    single: bool,
}

impl Ways {
    fn of(text: &str, depth: usize) -> Self {
        let has = |quote: u8| {
            let mut quotes = memchr::memchr_iter(quote, text.as_bytes());
            depth > 0 && quotes.any(|at| backslashes(text, at) == depth)
        };
        let is_form = memchr::memchr(b'%', text.as_bytes()).is_some();
        Self { is_form, depth, double: has(b'"'), single: has(b'\'') }
    }
}

/// Backslashes before a byte, as far as they are counted.
fn backslashes(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(at.saturating_sub(DEPTH_MOST)..at).unwrap_or_default();
    before.iter().rev().take_while(|byte| **byte == b'\\').count()
}

/// Backslashes of a quote three texts deep.
const DEPTH_MOST: usize = 7;

/// The sign that is written out; none where nobody sees it.
fn sign_of(found: &Captures, ways: Ways) -> Option<char> {
    let of = |name: &str| found.name(name).map(|found| found.as_str());
    let coded = |code: &str, radix: u32| u8::from_str_radix(code, radix).ok().map(char::from);
    match () {
        () if of("blank").is_some_and(ends_line) => Some('\n'),
        () if of("blank").is_some() => Some(' '),
        // As Chinese and Japanese write them.
        () if of("wide").is_some() => Some(if of("wide") == Some("：") { ':' } else { '=' }),
        // Blanks and dashes of print, as models write them, and what nobody sees.
        () if of("space").is_some() => Some(' '),
        () if of("unseen").is_some() => None,
        () if of("dash").is_some() => Some('-'),
        () if of("plus").is_some() => Some(if ways.is_form { ' ' } else { '+' }),
        () if of("arrow").is_some() => Some('\u{2192}'),
        () if of("quote").or_else(|| of("outer")).is_some() => Some(quote_of(found, ways)),
        // A caret stands before each sign on Windows.
        () if of("caret").is_some() => of("caret").and_then(|sign| sign.chars().next()),
        () => of("name").and_then(named).or_else(|| {
            let code = of("code").or_else(|| of("escape"));
            code.and_then(|code| coded(code, 16)).or_else(|| coded(of("number")?, 10))
        }),
    }
}

/// A quote, where it has as many backslashes as those that count; around such texts it is none of theirs.
fn quote_of(found: &Captures, ways: Ways) -> char {
    let of = |name: &str| found.name(name).map(|found| found.as_str());
    let length = found.get(0).map_or(0, |whole| whole.len());
    let (quote, has) = match of("quote").or_else(|| of("outer")) {
        Some("'") => ('\'', ways.single),
        _ => ('"', ways.double),
    };
    if has && length != ways.depth + 1 { ' ' } else { quote }
}

/// A text with what was masked in it with its signs in place, and all else as it stands there: a sign that is
/// written out far from a credential is none of its.
pub(super) fn as_written(text: &str, masked: &str) -> String {
    put_back((&SIGN, 0), text, masked)
}

/// The same of one that was masked with its quotes in place, too.
pub(super) fn as_quoted(text: &str, masked: &str, depth: usize) -> String {
    put_back((&SIGN_OR_QUOTE, depth), text, masked)
}

fn put_back((pattern, depth): (&Pattern, usize), text: &str, masked: &str) -> String {
    let plain = with(pattern, text, depth);
    let (mut out, mut written) = (String::new(), 0);
    let mut signs = Signs::of((pattern, depth), text);
    for (range, shown) in changes(&plain, masked) {
        let (begin, end) = (signs.own(range.start, false), signs.own(range.end, true));
        out.push_str(text.get(written..begin).unwrap_or_default());
        out.push_str(shown);
        written = end.max(written);
    }
    out.push_str(text.get(written..).unwrap_or_default());
    out
}

/// Where bytes of a text with its signs in place stand in it as it is written; asked for in order.
struct Signs {
    /// Where each stands as it is written, and where its sign does.
    places: std::iter::Peekable<std::vec::IntoIter<(Range<usize>, Range<usize>)>>,
    /// How far it is ahead of the other behind the last one.
    own: usize,
    plain: usize,
}

impl Signs {
    fn of((pattern, depth): (&Pattern, usize), text: &str) -> Self {
        let (ways, mut ahead, mut places) = (Ways::of(text, depth), 0, Vec::new());
        for found in pattern.as_ref().into_iter().flat_map(|sign| sign.captures_iter(text)) {
            let own = found.get(0).map(|whole| whole.range()).unwrap_or_default();
            let length = sign_of(&found, ways).map_or(0, char::len_utf8);
            let plain = own.start - ahead..own.start - ahead + length;
            ahead = own.end - plain.end;
            places.push((own, plain));
        }
        Self { places: places.into_iter().peekable(), own: 0, plain: 0 }
    }

    /// The byte where one of the other begins, or behind it; of an unseen sign there also behind that.
    fn own(&mut self, plain: usize, behind: bool) -> usize {
        while let Some((own, sign)) = self
            .places
            .next_if(|(_, sign)| sign.end < plain || sign.end == plain && (behind || !sign.is_empty()))
        {
            (self.own, self.plain) = (own.end, sign.end);
        }
        self.own + (plain - self.plain)
    }
}

/// The parts of a text that stand otherwise in another, with what they are there; line by line where both
/// have as many.
fn changes<'m>(text: &str, other: &'m str) -> Vec<(Range<usize>, &'m str)> {
    let count = |text: &str| memchr::memchr_iter(b'\n', text.as_bytes()).count();
    if count(text) != count(other) {
        return changed(text, other).into_iter().collect();
    }
    let mut at = 0;
    let pairs = text.split_inclusive('\n').zip(other.split_inclusive('\n'));
    let found = pairs.filter_map(|(line, shown)| {
        let begin = at;
        at += line.len();
        changed(line, shown).map(|(range, shown)| (begin + range.start..begin + range.end, shown))
    });
    found.collect()
}

/// The part of a text that stands otherwise in another, with what it is there.
fn changed<'m>(text: &str, other: &'m str) -> Option<(Range<usize>, &'m str)> {
    if text == other {
        return None;
    }
    let begin = text.bytes().zip(other.bytes()).take_while(|(one, two)| one == two).count();
    let begin = text.floor_char_boundary(begin);
    let (rest, shown) = (text.get(begin..)?, other.get(begin..)?);
    let behind = rest.bytes().rev().zip(shown.bytes().rev()).take_while(|(one, two)| one == two).count();
    let end = rest.ceil_char_boundary(rest.len() - behind);
    Some((begin..begin + end, shown.get(..shown.len() - (rest.len() - end))?))
}

/// A text with its own quotes, where it is quoted as in a table or for a shell: `"{""name"": ""a""}"`,
/// `'f('\''a'\'')'`.
pub(super) fn with_single_quotes(text: &str) -> Cow<'_, str> {
    if !is_quoted_within(text) {
        return Cow::Borrowed(text);
    }
    let (table, shell) = (is_within_quotes(text, &TABLE), is_within_quotes(text, &SHELL));
    let text = if table { text.replace("\"\"", "\"") } else { text.to_owned() };
    Cow::Owned(if shell { text.replace("'\\''", "'") } else { text })
}

/// Whether a text is quoted so.
pub(super) fn is_quoted_within(text: &str) -> bool {
    is_within_quotes(text, &TABLE) || is_within_quotes(text, &SHELL)
}

static TABLE: LazyLock<Finder> = LazyLock::new(|| Finder::new("\"\""));
static SHELL: LazyLock<Finder> = LazyLock::new(|| Finder::new("'\\''"));

/// Whether a sign stands around words, as a quote does.
fn is_within_quotes(text: &str, quote: &Finder) -> bool {
    let mut begins = false;
    quote.find_iter(text.as_bytes()).any(|at| {
        let (before, behind) =
            (text.get(..at).unwrap_or_default(), text.get(at + quote.needle().len()..).unwrap_or_default());
        let ends = begins && before.ends_with(|c: char| c.is_alphanumeric());
        begins |= behind.starts_with(|c: char| c.is_alphanumeric() || c == '-');
        ends
    })
}

fn ends_line(blank: &str) -> bool {
    let is_nbsp = ["nbsp;", "NBSP;", "160;", "a0;", "A0;"].iter().any(|end| blank.ends_with(end));
    !is_nbsp && blank.ends_with(['n', 'r', 'a', 'A', 'd', 'D', 'J', 'j', 'M', 'm', '2', '5', ';'])
}

/// A sign by the name that HTML has for it.
fn named(name: &str) -> Option<char> {
    let names = [("quot", '"'), ("apos", '\''), ("lt", '<'), ("gt", '>')];
    names.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|&(_, sign)| sign)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::mask_message;
    use super::super::names::MASK_IN_ADDRESS;
    use super::*;

    #[test]
    fn signs_that_are_written_out_are_signs() {
        for (text, plain) in [
            (r"a\nb\tc\\r\\nd", "a\nb c\n\nd"),
            (r"\x07a\xa0b\ufeffc", " a b c"),
            ("a#012b#011c^Jd", "a\nb c\nd"),
            (r"a\012b\11c", "a\nb c"),
            ("a&#10;b&amp;#xA;c%250Ad", "a\nb\nc\nd"),
            ("a%0Ab%09c%20d", "a\nb c d"),
            ("&quot;a&#39;&amp;#x3D;b&LT;&gt;", "\"a'=b<>"),
            (r"a\u003db\\x22c\u003ed \u2192", "a=b\"c>d \u{2192}"),
            ("a%3Db%2527c%3a", "a=b'c:"),
            ("a%3A+b", "a: b"),
            ("a + b&lt;", "a + b<"),
            ("a\u{202f}b\u{2011}c\u{200b}d\u{a0}e\u{3000}f", "a b-cd e f"),
            (
                r"C:\docs [1] 5% a=b &amp; <b> &auml; %41 \x41",
                r"C:\docs [1] 5% a=b &amp; <b> &auml; %41 \x41",
            ),
        ] {
            assert_eq!(with_signs(text), plain, "{text}");
        }
    }

    /// All of such a text was shown decoded.
    #[test]
    fn what_is_written_out_beside_a_credential_stays_so() {
        for (text, masked) in [
            (
                "redirect=%2Flogin%3Fpassword%3Dabc\n1 + 2 = 3 in C:\\new",
                "redirect=%2Flogin%3Fpassword%3Dmasked\n1 + 2 = 3 in C:\\new",
            ),
            ("the body was password%3Dx1 and a + b", "the body was password%3Dmasked and a + b"),
            (
                r"&quot;password&quot;: &quot;abc&quot; in C:\new",
                r"&quot;password&quot;: &quot;masked&quot; in C:\new",
            ),
            ("a\u{200b}b password\u{ff1a}abc1 c\u{200b}d", "a\u{200b}b password\u{ff1a}masked c\u{200b}d"),
            ("x%20y api_key%3Dabc1%26b%3D2 z%20w", "x%20y api_key%3Dmasked%26b%3D2 z%20w"),
        ] {
            assert_eq!(mask_message(text), masked);
            assert_eq!(mask_message(masked), masked);
        }
    }

    proptest! {
        #[test]
        fn a_text_that_is_put_back_holds_what_was_put_in(
            before in "(%3D|\\\\n|&lt;|\u{200b}|[a-z+ \n]){0,8}",
            value in "(%3D|\\\\n|&lt;|\u{200b}|[a-z+ \n]){1,8}",
            behind in "(%3D|\\\\n|&lt;|\u{200b}|[a-z+ \n]){0,8}",
        ) {
            let text = format!("%{before}[{value}]{behind}");
            let plain = with_signs(&text);
            let (open, close) = (plain.find('[').unwrap(), plain.find(']').unwrap());
            let masked = format!("{}[{MASK_IN_ADDRESS}{}", &plain[..open], &plain[close..]);
            let shown = as_written(&text, &masked);
            prop_assert_eq!(with_signs(&shown), masked.as_str());
            let lead = format!("%{before}");
            prop_assert!(value.contains('\n') || value.contains("\\n") || shown.starts_with(&lead));
        }
    }

    /// The quote alone was masked, or nothing.
    #[test]
    fn a_quote_with_a_backslash_is_one_of_a_text_within_another() {
        for (text, masked) in [
            (r"'- name: API_KEY\n  value: \'abc1\''", r"'- name: API_KEY\n  value: \'masked\''"),
            (r#"sh -c "print(\"password:\", \"abc1\")""#, r#"sh -c "print(\"password:\", \"masked\")""#),
            (r#"node -e "let password = () => \"abc1\"""#, r#"node -e "let password = () => \"masked\"""#),
            (
                r#"-d "<property name=\"password\"><value>abc1</value></property>" x"#,
                r#"-d "<property name=\"password\"><value>masked</value></property>" x"#,
            ),
            (r#"msg="password = lambda: \"abc1\"""#, r#"msg="password = lambda: \"masked\"""#),
            // Two texts deep, as JSON and as Python have it.
            (
                r#""a": "{\"b\": \"print(\\\"password:\\\", \\\"abc1\\\")\"}""#,
                r#""a": "{\"b\": \"print(\\\"password:\\\", \\\"masked\\\")\"}""#,
            ),
            (
                r#"F(a='{"b":"info(\\"password: %s\\", \\"abc1\\")"}')"#,
                r#"F(a='{"b":"info(\\"password: %s\\", \\"masked\\")"}')"#,
            ),
        ] {
            assert_eq!(mask_message(text), masked);
        }
        for text in [r#"He wrote \"the password is long\", 'it\'s old'"#, r#"{\"a\": \"password\"}"#] {
            assert_eq!(mask_message(text), text);
        }
    }

    #[test]
    fn no_sign_that_is_written_out_hides_a_credential() {
        for text in [
            "x password=&quot;S3cr3t1&quot;",
            "x password=&#39;S3cr3t1&#39; y",
            "&quot;password&quot;: &quot;S3cr3t1&quot;",
            "&lt;password&gt;S3cr3t1&lt;/password&gt;",
            "X-Api-Key&#58; S3cr3t1",
            "x password%3DS3cr3t1",
            r"password\u003dS3cr3t1",
            r#"password = "a1" -\u003e "S3cr3t1""#,
            r#"password = "a1" \u2192 "S3cr3t1""#,
            r"-password: old1\n+password: S3cr3t1",
            r"password=QWxhZGRp\nS3cr3t1==",
            "IDENTIFIED BY &#39;S3cr3t1&#39;",
            "IDENTIFIED BY &quot;S3cr3t1&quot;",
            "IDENTIFIED+BY+%27S3cr3t1%27",
            "Password:&nbsp;S3cr3t1",
            "Password:&#160;S3cr3t1",
            "run --password%20S3cr3t1",
            "user%5Bpassword%5D=S3cr3t1",
            "API_KEY：S3cr3t1",
            "密码 password＝S3cr3t1",
            "password = os.getenv(&quot;PW&quot;, &quot;S3cr3t1&quot;)",
            r"X-Api-Key: [\u0022ab\u0022, \u0022S3cr3t1\u0022]",
            "1,\"{\"\"name\"\": \"\"X-Api-Key\"\", \"\"value\"\": \"\"S3cr3t1\"\"}\"",
            "[\"\"--password\"\", \"\"S3cr3t1\"\"]",
            "setPassword(\"\"S3cr3t1\"\")",
            r"sh -c 'x {'\''name'\'': '\''X-Api-Key'\'', '\''value'\'': '\''S3cr3t1'\''}'",
            "password=SecretStr(&quot;S3cr3t1&quot;)",
            "Password\u{202f}: S3cr3t1",
            "Password:\u{202f}S3cr3t1",
            "API\u{a0}key:\u{2009}S3cr3t1",
            "X\u{2011}Api\u{2011}Key: S3cr3t1",
            "--password\u{202f}S3cr3t1",
            "password is\u{a0}\"S3cr3t1\"",
            "password\u{200b}: S3cr3t1",
            r#"--data-raw ^"^{^\^"password^\^":^\^"S3cr3t1^\^"^}^""#,
        ] {
            let masked = mask_message(text);
            assert!(!masked.contains("S3cr3t1"), "{text}\n{masked}");
        }
    }
}
