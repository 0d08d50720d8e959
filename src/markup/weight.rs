//! How much memory Markdown takes when it is parsed: a tree with a node for every sign that may mean
//! something.

/// Signs up to which a text is parsed whatever its length.
const FREE: usize = 200_000;
/// A line may begin an item of a list with a paragraph in it.
const LINE: usize = 3;
/// Of longer ones a sign for so many bytes: prose with links and tables has fewer.
const BYTES_A_SIGN: usize = 16;

/// The signs of a text that may be Markdown, where there are so many that parsing them would take out of
/// proportion to it: 100 to 140 bytes each.
pub fn too_dense(text: &str) -> Option<usize> {
    let most = FREE + text.len() / BYTES_A_SIGN;
    let lines = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    let signs = text.bytes().filter(|byte| is_sign(*byte)).count() + LINE * lines + turns(text);
    (signs > most).then_some(signs)
}

fn is_sign(byte: u8) -> bool {
    matches!(byte, b'*' | b'_' | b'~' | b'|' | b'&' | b'\\' | b'[' | b']' | b'<' | b'!' | b'`')
}

/// Signs that turn the direction of writing: each is shown by a stand-in.
fn turns(text: &str) -> usize {
    let lead = memchr::memmem::find_iter(text.as_bytes(), "\u{202a}".as_bytes().split_at(2).0);
    lead.filter(|at| text.as_bytes().get(at + 2).is_some_and(|last| (0xAA..=0xAE).contains(last))).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_for_people_is_never_too_dense() {
        let table = "| year | height |\n|---|---|\n| 1932 | 41 m |\n".repeat(10_000);
        for text in ["# A\n\n* one [1](https://a.example)\n* two\n", &table, &"[".repeat(200_000)] {
            assert_eq!(too_dense(text), None, "{} bytes", text.len());
        }
        assert_eq!(too_dense(&"[".repeat(500_000)), Some(500_000));
        assert_eq!(too_dense(&"\u{202e}".repeat(600_000)), Some(600_000));
        assert_eq!(too_dense(&"long prose without a sign ".repeat(1_000_000)), None);
    }
}
