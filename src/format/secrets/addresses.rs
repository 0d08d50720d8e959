//! What addresses carry of credentials: users with passwords, tokens, parameters.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::databases::mask_logons;
use super::names::{MASK_IN_ADDRESS, is_secret_parameter, may_be_secret};
use super::placed::is_place;
use super::private_keys::mask_keys;
use super::ranges::{again, mask_ranges};
use super::shapes::mask_hooks;
use super::shapes::mask_shapes;
use super::values::CUT;

/// A text in which no address carries a password, a key or a token.
pub fn mask_addresses(text: &str) -> Cow<'_, str> {
    // Most texts have nowhere to carry one, nor a path.
    let (carries, has_path) = (may_carry(text), memchr::memchr(b'/', text.as_bytes()).is_some());
    let masked = if carries { mask_carried(text) } else { Cow::Borrowed(text) };
    let masked = if carries && has_path { again(masked, mask_logons) } else { masked };
    let masked = if has_path { again(masked, mask_hooks) } else { masked };
    if carries && is_address(text) { again(masked, mask_whole) } else { masked }
}

/// Whether a text may be one address all of it, with blanks that were not escaped.
fn is_address(text: &str) -> bool {
    let has = |bytes: [u8; 2]| memchr::memchr2(bytes[0], bytes[1], text.as_bytes()).is_some();
    if text.len() > LONGEST || !has([b' ', b'\t']) || has([b'\n', b'\r']) {
        return false;
    }
    // A sentence goes on behind an address that it begins with.
    let is_word =
        |word: &&str| word.trim_end_matches(['.', ',', ':', ';', '!', '?']).chars().all(char::is_alphabetic);
    if text.split_whitespace().skip(1).filter(is_word).count() >= WORDS {
        return false;
    }
    let scheme = SCHEME_END.find(text.as_bytes()).and_then(|end| text.get(..end)).unwrap_or_default();
    let of_scheme = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    !scheme.is_empty() && scheme.bytes().all(of_scheme)
}

/// Words behind an address that make a sentence of it.
const WORDS: usize = 4;

/// Bytes of a text that is taken for an address alone, at most.
const LONGEST: usize = 2048;

/// The same of a field that is an address, whatever stands in it: blanks that were not escaped, or neither
/// scheme nor host.
pub(super) fn mask_address(text: &str) -> Cow<'_, str> {
    again(again(again(again(mask_keys(text), mask_addresses), mask_whole), mask_cut_address), mask_shapes)
}

/// What an address carries that is all of a text.
fn mask_whole(text: &str) -> Cow<'_, str> {
    if !may_carry(text) {
        return Cow::Borrowed(text);
    }
    let query = text.find(['?', '#']).unwrap_or(text.len());
    let before = text.get(..query).unwrap_or_default();
    let scheme = before.split_once(':').map(|(scheme, _)| scheme);
    let begin = match before.find("//") {
        Some(slashes) => slashes + 2,
        None if scheme.is_some_and(|scheme| OPAQUE.contains(&scheme)) => query,
        None => 0,
    };
    let secrets = secrets_of(text.get(begin..).unwrap_or_default());
    mask_ranges(text, secrets.into_iter().map(|(start, stop)| begin + start..begin + stop))
}

/// Schemes behind which no host stands, and no password before an `@`.
const OPAQUE: [&str; 8] = ["mailto", "acct", "sip", "sips", "xmpp", "urn", "tel", "data"];

/// Passwords and parameters of the addresses in a text.
fn mask_carried(text: &str) -> Cow<'_, str> {
    let mut secrets: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    while let Some(begin) = slashes_end(text.as_bytes(), from) {
        let more = text.bytes().skip(begin).take_while(|byte| matches!(byte, b'/' | b'\\')).count();
        let begin = begin + more;
        let rest = text.get(begin..).unwrap_or_default();
        let escaped = text.get(..begin).is_some_and(|before| before.ends_with("\\/"));
        let user = user_end(rest).unwrap_or_default();
        let own = rest.get(user..).unwrap_or_default();
        let length = length(own, escaped);
        let own = own.get(..length).unwrap_or_default();
        from = begin + user + enclosed(own, text.get(..begin).unwrap_or_default());
        let address = text.get(begin..from).unwrap_or_default();
        if may_carry(address) {
            secrets.extend(secrets_of(address).into_iter().map(|(start, stop)| begin + start..begin + stop));
        }
    }
    mask_ranges(text, secrets)
}

fn may_carry(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr3(b'?', b'#', b'@', bytes).or_else(|| memchr::memchr(b';', bytes)).is_some()
}

/// A message without the password of an address that it ends within: what stands behind it is cut off.
pub(super) fn mask_cut_address(text: &str) -> Cow<'_, str> {
    let cut = memchr::memrchr(b':', text.as_bytes()).and_then(|colon| text.split_at_checked(colon + 1));
    let Some((before, behind)) = cut else { return Cow::Borrowed(text) };
    let user = before.rsplit_once("//").and_then(|(_, user)| user.strip_suffix(':'));
    let is_user =
        |user: &str| !user.is_empty() && !user.contains(|c: char| c.is_whitespace() || "/?#@[:".contains(c));
    if !user.is_some_and(is_user) {
        return Cow::Borrowed(text);
    }
    let told = CUT.iter().filter_map(|sign| behind.find(sign)).min().unwrap_or(behind.len());
    let password = behind.get(..told).unwrap_or_default().trim_end();
    // No port has letters; a sentence may end behind one.
    let is_begun = password.contains(char::is_alphanumeric)
        && !password.contains(|c: char| c.is_whitespace() || "/?#@;".contains(c))
        && !password
            .trim_end_matches(|c: char| !c.is_alphanumeric())
            .bytes()
            .all(|byte| byte.is_ascii_digit());
    if !is_begun || password == MASK_IN_ADDRESS {
        return Cow::Borrowed(text);
    }
    let rest = behind.get(password.len()..).unwrap_or_default();
    Cow::Owned([before, MASK_IN_ADDRESS, rest].concat())
}

/// Bytes of the address that a text begins with. Escaped slashes belong to one that began with them.
fn length(text: &str, escaped: bool) -> usize {
    let ends = |byte: u8| byte <= b' ' || matches!(byte, b'"' | b'<' | b'>' | b'\\' | 0x7F..);
    let mut at = 0;
    while let Some(more) = text.bytes().skip(at).position(ends) {
        at += more;
        let rest = text.get(at..).unwrap_or_default();
        let next = rest.chars().next().filter(|c| !c.is_ascii() && !c.is_whitespace() && !c.is_control());
        at += match next {
            Some(letter) => letter.len_utf8(),
            None if escaped && rest.starts_with("\\/") => 1,
            None => return at,
        };
    }
    text.len()
}

/// Bytes of an address up to what closes the bracket, quote or backtick that was opened for it:
/// `[docs](https://a.example/)`.
fn enclosed(address: &str, before: &str) -> usize {
    let of_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, ':' | '/' | '+' | '.' | '-');
    let open = before.trim_end_matches(of_scheme).chars().next_back();
    match open {
        Some('(') => {
            let mut depth = 0_usize;
            let close = address.bytes().position(|byte| {
                let closes = byte == b')' && depth == 0;
                match byte {
                    b'(' => depth += 1,
                    b')' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                closes
            });
            close.unwrap_or(address.len())
        }
        Some(quote @ ('\'' | '`')) => address.find(quote).unwrap_or(address.len()),
        Some('\u{2039}') => address.find('\u{203a}').unwrap_or(address.len()),
        _ => address.len(),
    }
}

/// Where the `@` stands behind a user whose password holds signs that end addresses: `u:a#b@host`. No port is
/// of letters.
fn user_end(address: &str) -> Option<usize> {
    let near = address.get(..address.floor_char_boundary(USER_MOST)).unwrap_or_default();
    let of_name = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '+' | '%' | '$');
    let (user, behind) = near.split_at_checked(near.find(|c| !of_name(c))?)?;
    let behind = behind.strip_prefix(':').filter(|password| !password.starts_with('/'))?;
    let password = behind.split(|c: char| c.is_whitespace() || c.is_control()).next().unwrap_or_default();
    let digits = password.find(|c: char| !c.is_ascii_digit())?;
    if digits > 0 && password.get(digits..)?.starts_with(['/', '?', '#', '"', '<', '\\']) {
        return None;
    }
    let of_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '[' | ']' | ':');
    let is_host =
        |host: &str| host.starts_with(of_host) && !host.trim_start_matches(of_host).starts_with('@');
    let mut signs = password.match_indices('@').map(|(at, _)| at);
    let end = signs.find(|at| password.get(at + 1..).is_some_and(is_host))?;
    let is_one = !password.get(..end)?.contains("://");
    is_one.then_some(user.len() + 1 + end)
}

/// Bytes of a user with a password, at most.
const USER_MOST: usize = 256;

static SCHEME_END: LazyLock<Finder> = LazyLock::new(|| Finder::new("://"));

/// Where the first slashes at or behind a byte end that an address may begin with. Some have no scheme:
/// `//user:password@host`. In JSON within a text they may be escaped. Browsers take backslashes for slashes.
fn slashes_end(text: &[u8], from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let ends = |&last: &usize| {
        let known = rest.get(..=last).unwrap_or_default();
        let is_only = || !matches!(rest.get(last + 1), Some(b'/' | b'\\'));
        // What joins paths leaves one of two slashes: `https:/user:password@host`. A drive has one letter.
        let of_scheme = |before: &[u8]| matches!(before, [.., a, b] if a.is_ascii_alphabetic() && b.is_ascii_alphanumeric());
        SLASHES.iter().any(|slashes| known.ends_with(slashes))
            || is_only() && known.strip_suffix(b":/").is_some_and(of_scheme)
    };
    memchr::memchr2_iter(b'/', b'\\', rest).find(ends).map(|last| from + last + 1)
}

const SLASHES: [&[u8]; 4] = [b"//", b"\\/\\/", b":\\", b":/\\"];

/// The name of a parameter without its escapes.
fn unescaped(name: &str) -> Cow<'_, str> {
    let Some((before, rest)) = name.split_once('%') else { return Cow::Borrowed(name) };
    let mut out = before.to_owned();
    for piece in rest.split('%') {
        let code = piece.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(u8::is_ascii);
        match code {
            Some(code) => out.extend([char::from(code)].into_iter().chain(piece.chars().skip(2))),
            None => out.push_str(piece),
        }
    }
    Cow::Owned(out)
}

/// Letters from which on a user or a value of an address may be a token.
const TOKEN: usize = 16;

fn looks_like_token(value: &str) -> bool {
    let has = |of: fn(char) -> bool| value.contains(of);
    value.len() >= TOKEN && has(|c| c.is_ascii_digit()) && has(|c| c.is_ascii_alphabetic())
}

/// Whether the value of a parameter is secret: by its name, or by its looks where the name may say so.
fn is_secret_value(name: &str, value: &str) -> bool {
    !is_place(value) && (is_secret_parameter(name) || looks_like_token(value) && may_be_secret(name))
}

/// Where the user of an address is a token, and its password.
fn secrets_of_user(address: &str) -> impl Iterator<Item = (usize, usize)> {
    let authority = address.find(['/', '?', '#']).unwrap_or(address.len());
    let user = address.get(..authority).and_then(|authority| authority.rfind('@'));
    // A password may hold a slash that is not escaped: no port is of letters.
    let user = user.or_else(|| {
        let (_, behind) = address.get(..authority)?.split_once(':')?;
        let is_port = behind.bytes().all(|byte| byte.is_ascii_digit());
        let path = address.find(['?', '#']).unwrap_or(address.len());
        address.get(..path)?.rfind('@').filter(|_| !is_port)
    });
    let user = user.or_else(|| user_end(address));
    let named = user.and_then(|user| Some((user, address.get(..user)?)));
    let secrets = named.map(|(user, name)| {
        let colon = name.find(':');
        let password = colon.map(|colon| (colon + 1, user)).filter(|(start, _)| *start < user);
        // A user that looks like a token is one: so code hosts take them.
        let own = colon.map_or(name, |colon| name.get(..colon).unwrap_or_default());
        let token = Some((0, own.len())).filter(|_| looks_like_token(own));
        token.into_iter().chain(password)
    });
    let stays = |&(start, stop): &(usize, usize)| address.get(start..stop) == Some(MASK_IN_ADDRESS);
    secrets.into_iter().flatten().filter(move |range| !stays(range))
}

/// Where an address, without its scheme, carries a password and parameters that are secret.
fn secrets_of(address: &str) -> Vec<(usize, usize)> {
    let bytes = address.as_bytes();
    let mut out = Vec::new();
    if memchr::memchr(b'@', bytes).is_some() {
        out = passwords_of_further(address);
        out.extend(secrets_of_user(address));
    }
    let mut at = memchr::memchr3(b'?', b'#', b';', bytes).map_or(address.len(), |at| at + 1);
    while let Some(rest) = address.get(at..).filter(|rest| !rest.is_empty()) {
        let parts = |byte| matches!(byte, b'&' | b';' | b'#' | b'?');
        let stop = at + rest.bytes().position(parts).unwrap_or(rest.len());
        if let Some((name, value)) = address.get(at..stop).and_then(|parameter| parameter.split_once('='))
            && !matches!(value, "" | MASK_IN_ADDRESS)
            && is_secret_value(&unescaped(name), value)
        {
            out.push((at + name.len() + 1, stop));
        }
        at = stop + 1;
    }
    out.sort_unstable();
    // One may stand in another.
    let mut end = 0;
    out.retain(|&(start, stop)| {
        start >= end && {
            end = stop;
            true
        }
    });
    out
}

/// Passwords of the addresses that are glued to one, or stand in its parameters.
fn passwords_of_further(address: &str) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut from = 0;
    let next = |from: usize| Some(from + SCHEME_END.find(address.as_bytes().get(from..)?)? + "://".len());
    while let Some(begin) = next(from) {
        let rest = address.get(begin..).unwrap_or_default();
        let authority =
            rest.get(..rest.find(['/', '?', '#', '&', ',']).unwrap_or(rest.len())).unwrap_or_default();
        let password =
            authority.rfind('@').and_then(|user| Some((authority.get(..user)?.find(':')? + 1, user)));
        out.extend(password.map(|(start, stop)| (begin + start, begin + stop)));
        from = begin;
    }
    out.retain(|&(start, stop)| !matches!(address.get(start..stop), Some("" | MASK_IN_ADDRESS)));
    out
}

#[cfg(test)]
mod tests {
    use super::mask_addresses;

    /// What closed the link, and the words behind it, were masked with it.
    #[test]
    fn an_address_ends_with_what_was_opened_for_it() {
        for (text, masked) in [
            ("see [docs](https://h/x?token=abc) for more", "see [docs](https://h/x?token=masked) for more"),
            // What is put there is looked for.
            ("f\"https://h/x?token={t}\"", "f\"https://h/x?token={t}\""),
            ("(https://h/a_(b)?token=abc) x", "(https://h/a_(b)?token=masked) x"),
            ("'https://h/x?token=abc', 'b'", "'https://h/x?token=masked', 'b'"),
            ("`https://h/x?token=abc` b", "`https://h/x?token=masked` b"),
            ("at https://h/x?token=a'b) and so on", "at https://h/x?token=masked and so on"),
            ("('https://u:a)b@h/')", "('https://u:masked@h/')"),
        ] {
            assert_eq!(mask_addresses(text), masked);
        }
    }
}
