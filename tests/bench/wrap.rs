//! Measures wrapping 10 MB at width 118 against graphemes and width alone, in one run: milliseconds and
//! ratios.

use std::hint::black_box;
use std::time::Instant;

use citescope::text::{Rows, one_line, sanitize};
use ratatui::buffer::CellWidth;
use unicode_segmentation::UnicodeSegmentation;

const SIZE: usize = 10_000_000;
const ROUNDS: usize = 7;
const WORDS: [(&str, &str); 20] = [
    ("ASCII", "the quick answer cites a well-known source of 2024 (page 7) and names it,"),
    (
        "Latin 4 %",
        "the café in Zürich cites a naïve source – of “great” wörth – and says it is sound as written there,",
    ),
    ("Greek", "η γρήγορη απάντηση παραπέμπει σε μια πηγή και την ονομάζει, όπως πρέπει."),
    ("Cyrillic", "быстрый ответ ссылается на источник и называет его, как и следует."),
    ("Chinese", "这个回答引用了来源,并且说出了它的名字。 第二句话比较长一些,没有空格。"),
    ("Japanese", "この回答は「情報源」を引用しています。カタカナとひらがな、漢字も混ざります。"),
    ("Korean", "이 답변은 출처를 인용하고 그 이름을 말합니다. 두 번째 문장은 조금 더 깁니다."),
    ("Arabic", "هذه الإجابة تستشهد بمصدر وتذكر اسمه كما يجب أن يكون في النص العربي،"),
    ("Arabic, marked", "هٰذِهِ الإِجَابَةُ تَسْتَشْهِدُ بِمَصْدَرٍ وَتَذْكُرُ اسْمَهُ كَمَا يَجِبُ"),
    ("Hebrew", "התשובה הזאת מצטטת מקור ומזכירה את שמו כפי שצריך להיות בטקסט,"),
    ("Thai", "คำตอบนี้อ้างอิงแหล่งที่มาและระบุชื่อของมันตามที่ควรจะเป็น ประโยคที่สองยาวกว่านี้เล็กน้อย"),
    ("Hindi", "यह उत्तर एक स्रोत का हवाला देता है और उसका नाम बताता है। दूसरा वाक्य थोड़ा लंबा है।"),
    ("Bengali", "এই উত্তরটি একটি উৎসের উদ্ধৃতি দেয় এবং তার নাম বলে। দ্বিতীয় বাক্যটি একটু দীর্ঘ।"),
    ("Emoji", "👩‍🔬 ❤️ 🇩🇪 👍🏽 ok 🎉🎉🎉 1️⃣ 👨‍👩‍👧‍👦"),
    ("Emoji in words", "the answer 🎉 is good 👍🏽 and cites ❤️ a source of 🇩🇪 2024 ✅ here"),
    ("hostile: marks", "a\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{fe0f}"),
    ("hostile: hyphens", "-----------------------------------------------------------------------"),
    ("hostile: joiners", "\u{200d}\u{200d}\u{200d}\u{200c}"),
    ("hostile: flags", "🇩🇪🇫🇷🇮🇹🇪🇸🇩🇪🇫🇷🇮🇹🇪🇸🇩🇪🇫🇷🇮🇹🇪🇸🇩🇪🇫🇷🇮🇹🇪🇸"),
    ("hostile: tabs", "\t\t\t\t\u{1b}[0m\u{202e}"),
];

fn main() {
    println!(
        "{:<16} {:>8} {:>10} {:>7} {:>8} {:>9} {:>9}",
        "10 MB of", "wrap ms", "alone ms", "ratio", "rows", "sanitize", "one_line"
    );
    for (name, words) in WORDS {
        let text = text(words);
        let mut rows = 0;
        let [wrap, alone, sanitize, one_line] = best([
            &mut || rows = Rows::wrap(black_box(&text), 118).len(),
            &mut || _ = black_box(alone(black_box(&text))),
            &mut || _ = black_box(sanitize(black_box(&text))),
            &mut || _ = black_box(one_line(black_box(&text))),
        ]);
        let ratio = wrap / alone;
        println!(
            "{name:<16} {wrap:>8.1} {alone:>10.1} {ratio:>7.2} {rows:>8} {sanitize:>9.1} {one_line:>9.1}"
        );
    }
}

/// Words again and again, with a paragraph every 500 to 1,500 bytes.
fn text(words: &str) -> String {
    let mut text = String::with_capacity(SIZE + 1000);
    let mut paragraph = 0;
    let mut length = 500;
    while text.len() < SIZE {
        text.push_str(words);
        paragraph += words.len() + 1;
        let ends = paragraph > length;
        text.push(if ends { '\n' } else { ' ' });
        if ends {
            length = 500 + (length * 7 + paragraph) % 1000;
            paragraph = 0;
        }
    }
    text
}

fn alone(text: &str) -> usize {
    text.graphemes(true)
        .map(|cluster| if cluster == "\n" { 0 } else { usize::from(cluster.cell_width()) })
        .sum()
}

/// The best times of works done in turn, in milliseconds: the least disturbed by whatever else the machine
/// does.
fn best<const N: usize>(mut works: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut best = [f64::INFINITY; N];
    for _ in 0..ROUNDS {
        for (work, best) in works.iter_mut().zip(&mut best) {
            let start = Instant::now();
            work();
            *best = best.min(start.elapsed().as_secs_f64() * 1000.0);
        }
    }
    best
}
