//! The unit of offsets without quotes, told from where they fall: texts written for this, in nine scripts and
//! languages.

use citescope::check::causes::offset_midword::OFFSET_MIDWORD;
use citescope::check::causes::offset_range::OFFSET_RANGE;
use citescope::check::causes::offset_split::OFFSET_SPLIT;
use citescope::model::Unit;
use serde_json::json;

use crate::common::library::open;

/// Language and sentences.
const TEXTS: [(&str, [&str; 8]); 9] = [
    (
        "German",
        [
            "Die Brücke über den Fluss wurde im März für Fußgänger geöffnet.",
            "Früher fuhren hier nur Fähren zwischen den Höfen.",
            "Der Gemeinderat hatte zwölf Jahre über die Kosten gestritten!",
            "Läuft alles nach Plan, kommen nächstes Jahr Bäume dazu.",
            "Wer zahlt die Pflege der Grünflächen?",
            "Müllers Bäckerei am Südufer öffnet schon um fünf.",
            "An Sonntagen gehört die Straße den Kindern.",
            "Über die Beleuchtung wird noch beraten.",
        ],
    ),
    (
        "Spanish",
        [
            "El año pasado llegó más agua al embalse de la montaña.",
            "Según el alcalde, la sequía terminó en mayo.",
            "¿Cuántos niños volverán a la escuela del pueblo?",
            "La señora Muñoz plantó almendros junto al río.",
            "Después de la inundación, el camino quedó cerrado.",
            "¡Qué rápido creció el jardín!",
            "El médico atendió a cien pacientes en un día.",
            "Nadie sabía por qué el reloj se paró.",
        ],
    ),
    (
        "Turkish",
        [
            "Köyün çeşmesi geçen yıl yeniden açıldı.",
            "Öğretmen çocuklara gökyüzünü anlattı.",
            "Işıklar sönünce şehir sessizliğe büründü.",
            "Balıkçılar güneş doğmadan denize çıktı!",
            "Neden üç gün boyunca yağmur yağdı?",
            "Müzenin girişi artık ücretsiz.",
            "Yaşlı ağaç fırtınada devrildi.",
            "Çarşıda taze ekmek kokusu vardı.",
        ],
    ),
    (
        "Russian",
        [
            "Мост через реку открыли весной.",
            "Раньше здесь ходил только паром.",
            "Сколько людей живёт в этой деревне?",
            "Учитель показал детям старую карту!",
            "Зимой дорога закрыта из-за снега.",
            "Музей работает до шести часов.",
            "Старый маяк всё ещё светит.",
            "Никто не знал имени художника.",
        ],
    ),
    (
        "Greek",
        [
            "Η γέφυρα άνοιξε την άνοιξη.",
            "Παλιά υπήρχε μόνο ένα μικρό πλοίο.",
            "Ο δάσκαλος έδειξε τον χάρτη στα παιδιά!",
            "Το μουσείο κλείνει στις έξι.",
            "Ο φάρος φωτίζει ακόμη τη θάλασσα.",
            "Κανείς δεν ήξερε το όνομα του ζωγράφου.",
            "Τον χειμώνα ο δρόμος είναι κλειστός.",
            "Τα δέντρα φυτεύτηκαν πέρυσι.",
        ],
    ),
    (
        "Arabic",
        [
            "افتتح الجسر فوق النهر في الربيع.",
            "كانت العبارة وحدها تعمل هنا من قبل.",
            "كم شخصا يعيش في هذه القرية؟",
            "عرض المعلم الخريطة القديمة على الأطفال!",
            "يغلق الطريق في الشتاء بسبب الثلج.",
            "يعمل المتحف حتى السادسة مساء.",
            "ما زالت المنارة القديمة تضيء.",
            "لم يعرف أحد اسم الرسام.",
        ],
    ),
    (
        "Hindi",
        [
            "नदी पर पुल वसंत में खुला।",
            "पहले यहाँ केवल नाव चलती थी।",
            "इस गाँव में कितने लोग रहते हैं?",
            "शिक्षक ने बच्चों को पुराना नक्शा दिखाया!",
            "सर्दी में बर्फ के कारण सड़क बंद रहती है।",
            "संग्रहालय छह बजे तक खुला है।",
            "पुराना दीपस्तंभ अब भी जलता है।",
            "चित्रकार का नाम कोई नहीं जानता था।",
        ],
    ),
    (
        "Thai",
        [
            "สะพานข้ามแม่น้ำเปิดในฤดูใบไม้ผลิ",
            "เมื่อก่อนที่นี่มีเพียงเรือข้ามฟาก",
            "หมู่บ้านนี้มีคนอาศัยอยู่กี่คน",
            "ครูให้เด็กดูแผนที่เก่า",
            "ฤดูหนาวถนนปิดเพราะหิมะ",
            "พิพิธภัณฑ์เปิดถึงหกโมงเย็น",
            "ประภาคารเก่ายังส่องแสงอยู่",
            "ไม่มีใครรู้ชื่อจิตรกร",
        ],
    ),
    (
        "Chinese",
        [
            "河上的桥在春天开放了。",
            "以前这里只有渡船。",
            "这个村子住着多少人？",
            "老师给孩子们看了旧地图！",
            "冬天道路因雪封闭。",
            "博物馆开到六点。",
            "旧灯塔仍然亮着。",
            "没有人知道画家的名字。",
        ],
    ),
];

/// A small generator, so that every run sees the same cases.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % most
    }
}

/// Of how many responses with so many spans the places came out right, and of how many wrong though they were
/// claimed.
fn outcomes(sentences: &[&str; 8], spans: usize, emoji: bool, seed: u64) -> (usize, usize) {
    const CASES: usize = 300;
    let mut numbers = Numbers(seed);
    let (mut right, mut wrong) = (0, 0);
    for _ in 0..CASES {
        let mut words: Vec<String> = sentences.iter().map(|&sentence| sentence.to_owned()).collect();
        let (a, b) = (numbers.below(8), numbers.below(8));
        words.swap(a, b);
        if emoji {
            words[0] = words[0].replacen(' ', " 😀 ", 1);
        }
        let answer = words.join(if sentences[0].ends_with('。') { "" } else { " " });
        let unit = Unit::ALL[numbers.below(3)];
        let count = |byte: usize| match unit {
            Unit::Bytes => byte,
            Unit::Characters => answer[..byte].chars().count(),
            Unit::Utf16 => answer[..byte].encode_utf16().count(),
        };
        let mut chosen: Vec<usize> = (0..8).collect();
        while chosen.len() > spans {
            chosen.remove(numbers.below(chosen.len()));
        }
        let places: Vec<(usize, usize)> = chosen
            .iter()
            .map(|&k| answer.find(&words[k]).map(|at| (at, at + words[k].len())).unwrap())
            .collect();
        let citations: Vec<_> = places
            .iter()
            .map(|&(start, end)| json!({"startIndex": count(start).to_string(), "endIndex": count(end).to_string(), "sources": [{"referenceId": "0"}]}))
            .collect();
        let sent = json!({"answer": {"state": "SUCCEEDED", "answerText": answer, "citations": citations, "references": [{"unstructuredDocumentInfo": {"uri": "https://a.example", "title": "a"}}]}});
        let reviews = open("f", sent.to_string()).decode(0).unwrap();
        let review = &reviews[0];
        let same = review
            .supports()
            .zip(&places)
            .all(|(support, &(start, end))| support.anchor().range == Some(start..end));
        let misplaced = [&OFFSET_SPLIT, &OFFSET_RANGE, &OFFSET_MIDWORD];
        let claimed = !review.structural_findings().iter().any(|finding| misplaced.contains(&finding.rule));
        right += usize::from(same);
        wrong += usize::from(!same && claimed);
    }
    (right * 1000 / CASES, wrong * 1000 / CASES)
}

#[test]
fn five_sentence_spans_tell_the_unit_in_nine_scripts() {
    for (language, sentences) in &TEXTS {
        for emoji in [false, true] {
            let (right, wrong) = outcomes(sentences, 5, emoji, 7);
            println!("{language} (emoji: {emoji}): {right} ‰ right, {wrong} ‰ wrong");
            let (alone, astray) = outcomes(sentences, 1, emoji, 11);
            // One span says less: its figures are shown (`--nocapture`), no bar is set.
            println!("{language} (emoji: {emoji}), one span: {alone} ‰ right, {astray} ‰ wrong");
            assert!(
                right >= 970 && wrong <= 10,
                "{language} (emoji: {emoji}): {right} ‰ right, {wrong} ‰ wrong"
            );
        }
    }
}
