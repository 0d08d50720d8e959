//! What the wrapper has to know of a character, in one byte: its width if it is simple, and how lines break beside it.
//!
//! A *simple* character is a cluster of its own beside any other simple one, has a fixed width, and needs no stand-in.
//! A *mark* joins any simple character before it and adds no width. The tests hold both against the Unicode crates.

/// The bits for the width in cells of a simple character; zero for all others.
pub const WIDTH: u8 = 3;
/// Chinese, Japanese, Korean and Yi: lines break on either side.
pub const EAST_ASIAN: u8 = 4;
/// No break before it beside an East Asian neighbour.
pub const CLOSE: u8 = 8;
/// No break after it beside an East Asian neighbour.
pub const OPEN: u8 = 16;
/// A blank that lines break after.
pub const BLANK: u8 = 32;
/// A hyphen or dash that lines break after, between letters.
pub const HYPHEN: u8 = 64;
/// Joins the simple character before it, without width.
pub const MARK: u8 = 128;

/// One byte of facts about a character.
pub fn class(c: char) -> u8 {
    match LOW.get(c as usize) {
        Some(class) => *class,
        None => high(c as u32),
    }
}

/// Where the table of low characters ends: CJK Extension A, from where on whole blocks are alike.
const TABLE: usize = 0x3400;

static LOW: [u8; TABLE] = low();

const fn low() -> [u8; TABLE] {
    let mut table = [0; TABLE];
    let mut rest: &mut [u8] = &mut table;
    let mut code = 0;
    while let Some((first, others)) = rest.split_first_mut() {
        *first = narrow(code) | wide(code) | mark(code) | breaks(code);
        rest = others;
        code += 1;
    }
    table
}

const fn high(code: u32) -> u8 {
    const ONE: u8 = EAST_ASIAN | 1;
    const TWO: u8 = EAST_ASIAN | 2;
    match code {
        0x3400..=0x4DBF | 0x4E00..=0xA48C | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF => TWO,
        0xFF01..=0xFF60 => TWO | breaks(code),
        0xFF61..=0xFF9D => ONE | breaks(code),
        0xFF9E..=0xFF9F => EAST_ASIAN | CLOSE,
        0xA960..=0xA97C | 0xD7B0..=0xD7FB | 0x1_AFF0..=0x1_B16F => EAST_ASIAN,
        0x2_0000..=0x2_FFFD | 0x3_0000..=0x3_FFFD => TWO,
        _ => 0,
    }
}

/// Simple characters of one cell: the letters, digits and punctuation of scripts written without clusters.
const fn narrow(code: u32) -> u8 {
    match code {
        // Latin, Greek, Cyrillic, Armenian
        0x20..=0x7E | 0xA0..=0xAC | 0xAE..=0x2FF | 0x370..=0x482 | 0x48A..=0x58F => 1,
        // Hebrew, Arabic, Syriac
        0x5BE | 0x5C0 | 0x5C3 | 0x5C6 | 0x5D0..=0x5F4 => 1,
        0x606..=0x60F | 0x61B | 0x61D..=0x64A | 0x660..=0x66F | 0x671..=0x6D5 => 1,
        0x6E5..=0x6E6 | 0x6E9 | 0x6EE..=0x70D | 0x710 | 0x712..=0x72F => 1,
        // Thai, Georgian, Ethiopic, Cherokee, Canadian syllables, runes
        0xE01..=0xE30 | 0xE32 | 0xE3F..=0xE46 | 0xE4F..=0xE5B | 0x10A0..=0x10FF => 1,
        0x1200..=0x135A | 0x1360..=0x1711 | 0x1D00..=0x1DBF | 0x1E00..=0x1FFF => 1,
        // Punctuation, symbols, arrows, mathematics, boxes
        0x2000..=0x200A | 0x2010..=0x2027 | 0x202F..=0x205F | 0x2070..=0x20CF => 1,
        0x2100..=0x2319 | 0x231C..=0x2328 | 0x232B..=0x23E8 | 0x23F4..=0x25FC => 1,
        0x25FF | 0x2701..=0x2704 | 0x2706..=0x2709 | 0x270C..=0x2727 | 0x2762..=0x2794 => 1,
        0x2798..=0x27AF | 0x27C0..=0x2B1A | 0x2B1D..=0x2B4F | 0x2B56..=0x2BFF => 1,
        _ => 0,
    }
}

/// Simple characters of two cells: CJK punctuation, kana, bopomofo, Hangul letters for show.
const fn wide(code: u32) -> u8 {
    match code {
        0x3000..=0x3029 | 0x3030..=0x303E => 2,
        0x2E80..=0x2E99 | 0x2E9B..=0x2EF3 | 0x2F00..=0x2FD5 | 0x2FF0..=0x2FFF => EAST_ASIAN | 2,
        0x3041..=0x3096 | 0x309B..=0x30FF | 0x3105..=0x312F | 0x3131..=0x3163 => EAST_ASIAN | 2,
        0x3165..=0x318E | 0x3190..=0x31E5 | 0x31EF..=0x321E | 0x3220..=0x3247 => EAST_ASIAN | 2,
        0x3250..=0x33FF => EAST_ASIAN | 2,
        0x3248..=0x324F => EAST_ASIAN | 1,
        0x1100..=0x11FF => EAST_ASIAN,
        _ => 0,
    }
}

const fn mark(code: u32) -> u8 {
    match code {
        0x300..=0x34E | 0x350..=0x36F | 0x483..=0x489 | 0x591..=0x5BD | 0x5BF => MARK,
        0x5C1..=0x5C2 | 0x5C4..=0x5C5 | 0x5C7 | 0x610..=0x61A | 0x64B..=0x65F | 0x670 => MARK,
        0x6D6..=0x6DC | 0x6DF..=0x6E4 | 0x6E7..=0x6E8 | 0x6EA..=0x6ED | 0x711 => MARK,
        0x730..=0x74A | 0xE31 | 0xE34..=0xE3A | 0xE47..=0xE4E | 0x135D..=0x135F => MARK,
        0x1AB0..=0x1ACE | 0x1DC0..=0x1DFF | 0x3099..=0x309A => MARK,
        _ => 0,
    }
}

/// Blanks, hyphens, and the punctuation which must not open or end a row of East Asian text (the core of JIS X 4051).
const fn breaks(code: u32) -> u8 {
    match code {
        0x09 | 0x20 | 0x1680 | 0x2000..=0x2006 | 0x2008..=0x200A | 0x205F | 0x3000 => BLANK,
        // - ‐ ‒ – —
        0x2D | 0x2010 | 0x2012..=0x2014 => HYPHEN,
        // ! % ) , . : ; ? ] } ° · » ’ ” † ‡ • ‥ … ‰ › ℃
        0x21 | 0x25 | 0x29 | 0x2C | 0x2E | 0x3A | 0x3B | 0x3F | 0x5D | 0x7D | 0xB0 | 0xB7 | 0xBB => CLOSE,
        0x2019 | 0x201D | 0x2020..=0x2022 | 0x2025..=0x2026 | 0x2030 | 0x203A | 0x2103 => CLOSE,
        // ( [ { « ‘ “ ‹ $ £ ¥ €
        0x28 | 0x5B | 0x7B | 0xAB | 0x2018 | 0x201C | 0x2039 | 0x24 | 0xA3 | 0xA5 | 0x20AC => OPEN,
        // 、 。 々 〉 》 」 』 】 〕 〗 〙 〛 〞 〟 ゝ ゞ ・ ー ヽ ヾ 〜 〻
        0x3001..=0x3002 | 0x3005 | 0x303B | 0x301C | 0x309D..=0x309E | 0x30FB..=0x30FE => EAST_ASIAN | CLOSE,
        0x3009 | 0x300B | 0x300D | 0x300F | 0x3011 | 0x3015 | 0x3017 | 0x3019 | 0x301B | 0x301E..=0x301F => {
            EAST_ASIAN | CLOSE
        }
        // small kana
        0x3041 | 0x3043 | 0x3045 | 0x3047 | 0x3049 | 0x3063 | 0x3083 | 0x3085 | 0x3087 | 0x308E => CLOSE,
        0x3095..=0x3096 | 0x30A1 | 0x30A3 | 0x30A5 | 0x30A7 | 0x30A9 | 0x30C3 | 0x30E3 | 0x30E5 => CLOSE,
        0x30E7 | 0x30EE | 0x30F5..=0x30F6 | 0x31F0..=0x31FF => CLOSE,
        // 〈 《 「 『 【 〔 〖 〘 〚 〝
        0x3008 | 0x300A | 0x300C | 0x300E | 0x3010 | 0x3014 | 0x3016 | 0x3018 | 0x301A | 0x301D => EAST_ASIAN | OPEN,
        // full and half width: ！ ％ ） ， ． ： ； ？ ］ ｝ ｠ ｡ ｣ ､ ･ ｧ–ｰ, then （ ［ ｛ ｟ ｢ ＄
        0xFF01 | 0xFF05 | 0xFF09 | 0xFF0C | 0xFF0E | 0xFF1A | 0xFF1B | 0xFF1F | 0xFF3D | 0xFF5D => CLOSE,
        0xFF60 | 0xFF61 | 0xFF63..=0xFF65 | 0xFF67..=0xFF70 => CLOSE,
        0xFF04 | 0xFF08 | 0xFF3B | 0xFF5B | 0xFF5F | 0xFF62 => OPEN,
        _ => 0,
    }
}
