//! One look at a text, before all that know credentials by their names: most texts name none.

use std::sync::LazyLock;

/// Stems of which each name of a credential has one, and each other word that announces one: tests match all
/// of them. A sign may part a name where its words meet, and then not within a stem. With each stem the place
/// of the [sign](SIGN) that it is seen by: the one that ordinary words have most seldom.
const STEMS: [(&[u8], usize); 40] = [
    (b"key", 0),
    (b"token", 0),
    (b"secret", 1),
    (b"pass", 0),
    (b"pw", 0),
    (b"auth", 0),
    (b"cookie", 3),
    (b"cred", 0),
    (b"jwt", 0),
    (b"otp", 0),
    (b"psk", 0),
    (b"dsn", 0),
    (b"sess", 0),
    (b"bearer", 3),
    (b"basic", 2),
    (b"assertion", 1),
    (b"saml", 1),
    (b"conn", 1),
    (b"encrypt", 3),
    (b"principal", 4),
    (b"sig", 0),
    (b"sas", 0),
    (b"hmac", 0),
    (b"github", 3),
    (b"verifier", 2),
    (b"oidc", 1),
    (b"jfrog", 0),
    (b"kennwort", 2),
    (b"contrase", 4),
    (b"senha", 2),
    (b"wachtwoord", 3),
    (b"recovery", 2),
    (b"seed", 1),
    // A command, or a statement, that is given one.
    (b"\"-u", 0),
    (b"'-u", 0),
    (b"curl", 1),
    (b"wget", 0),
    (b"temp:adk", 4),
    (b"dentified", 3),
    (b"securestring", 2),
];

/// Bytes of a sign.
const SIGN: usize = 3;
/// Signs that are looked at together, of one word of the machine.
const AT_ONCE: usize = size_of::<u64>() - SIGN + 1;
/// Letters in small, of a word; others with this bit stay what they are.
const SMALL: u64 = u64::from_ne_bytes([b' '; 8]);
/// Slots that signs are sorted into.
const SLOTS: usize = 1 << 13;

/// How stems are seen.
struct Signs {
    /// The sign of each, and the bits that count of it: behind a stem of two letters anything stands.
    own: [(u32, u32); STEMS.len()],
    /// Of each slot whether one falls into it.
    slots: [bool; SLOTS],
}

static SIGNS: LazyLock<Signs> = LazyLock::new(|| {
    let own = STEMS.map(|(stem, place)| {
        let bits = if place + SIGN > stem.len() { 0xFFFF } else { 0xFF_FFFF };
        (word_at(stem, place) as u32 & bits, bits)
    });
    let mut slots = [false; SLOTS];
    for (sign, bits) in own {
        for behind in 0..=u32::from(u8::MAX) {
            let sign = sign | (behind << 16 | SMALL as u32) & !bits;
            if let Some(slot) = slots.get_mut(slot(sign)) {
                *slot = true;
            }
        }
    }
    Signs { own, slots }
});

/// The slot of a sign; the byte behind it does not count.
fn slot(sign: u32) -> usize {
    (sign.wrapping_mul(0x3779_B100) >> (u32::BITS - SLOTS.ilog2())) as usize
}

/// Whether a text may name a credential, or a command or a statement that is given one.
pub(super) fn may_name(text: &str) -> bool {
    let (bytes, signs) = (text.as_bytes(), &*SIGNS);
    (0..bytes.len()).step_by(AT_ONCE).any(|at| {
        let word = word_at(bytes, at) | SMALL;
        let sign = |number: usize| (word >> (8 * number)) as u32;
        let is_seen = |number: usize| signs.slots.get(slot(sign(number))).is_some_and(|seen| *seen);
        (0..AT_ONCE).fold(false, |seen, number| seen | is_seen(number))
            && (0..AT_ONCE).any(|number| is_seen(number) && signs.stands(bytes, at + number, sign(number)))
    })
}

impl Signs {
    /// Whether a stem stands where its sign is at a byte.
    fn stands(&self, bytes: &[u8], at: usize, sign: u32) -> bool {
        STEMS.iter().zip(&self.own).any(|((stem, place), (own, bits))| {
            let begin = (sign & bits == *own).then(|| at.checked_sub(*place)).flatten();
            let there = begin.and_then(|begin| bytes.get(begin..begin + stem.len()));
            there.is_some_and(|there| there.eq_ignore_ascii_case(stem))
        })
    }
}

/// The bytes of a text from one on; behind its end zeros.
fn word_at(bytes: &[u8], at: usize) -> u64 {
    let rest = bytes.get(at..).unwrap_or_default();
    if let Some(word) = rest.first_chunk() {
        return u64::from_le_bytes(*word);
    }
    rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::names::every_name;
    use super::super::options::every_option;
    use super::super::values::SCHEMES;
    use super::*;

    #[test]
    fn every_name_of_a_credential_is_seen() {
        let commands = ["curl -u", "wget", "temp:adk_oauth2_1", "IDENTIFIED BY", "ConvertTo-SecureString"];
        let words = every_name().chain(every_option()).chain(SCHEMES).chain(commands);
        assert!(words.clone().count() > 200);
        for word in words {
            assert!(may_name(word) && may_name(&word.to_uppercase()), "{word}");
        }
        for text in ["", "The tower was lit in 1932: see page 4.", "{\"answer\": \"-p 8 = x\"}", "user=bob"] {
            assert!(!may_name(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_text_names_one_where_a_stem_stands_in_it(
            text in "([a-zA-Z]{1,4}|tok|en|secr|ret|PaS|s|p|W|coo|kie|seed|[\"' :_-]|-u|é){0,24}"
        ) {
            let small = text.to_ascii_lowercase();
            let stands = STEMS.iter().any(|(stem, _)| memchr::memmem::find(small.as_bytes(), stem).is_some());
            prop_assert_eq!(may_name(&text), stands);
        }
    }

    #[test]
    fn a_stem_is_seen_wherever_it_stands() {
        for (stem, _) in STEMS {
            let stem = std::str::from_utf8(stem).unwrap();
            for before in 0..20 {
                for behind in 0..10 {
                    let text = [" ".repeat(before).as_str(), stem, &".".repeat(behind)].concat();
                    assert!(may_name(&text) && may_name(&text.to_uppercase()), "{text}");
                    assert!(!may_name(&text.replace(stem, &stem[1..])) || stem == "temp:adk", "{text}");
                }
            }
        }
    }
}
