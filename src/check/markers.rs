//! Rules on what the model wrote into the answer itself: citation markers and addresses without a source.

use std::collections::HashSet;
use std::ops::Range;

use super::{Finding, counted};
use crate::check::is_redirect;
use crate::reviewed::Reviewed;

pub(super) fn check(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    let response = &reviewed.response;
    let text = response.text();
    if response.is_question() || response.partial || text.is_empty() {
        return;
    }
    let code = code(text);
    // In JSON a bracket is a list.
    if !text.trim_start().starts_with(['{', '[']) || text.starts_with("[cite") {
        orphans(reviewed, &code, found);
    }
    addresses(reviewed, &code, found);
}

/// Stretches of Markdown code, in order.
fn code(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut from = 0;
    while let Some(open) = memchr::memchr(b'`', bytes.get(from..).unwrap_or_default()).map(|at| from + at) {
        let run = ticks(bytes, open);
        let inside = open + run;
        let rest = bytes.get(inside..).unwrap_or_default();
        // A block goes on to the next fence or the end, a piece of code ends on its line.
        let reach = if run >= 3 { rest.len() } else { memchr::memchr(b'\n', rest).unwrap_or(rest.len()) };
        let mut at = inside;
        let mut close = None;
        while let Some(next) = memchr::memchr(b'`', bytes.get(at..inside + reach).unwrap_or_default()).map(|next| at + next) {
            let length = ticks(bytes, next);
            at = next + length;
            if length == run || run >= 3 && length >= 3 {
                close = Some(at);
                break;
            }
        }
        let end = close.or((run >= 3).then_some(text.len()));
        out.extend(end.map(|end| open..end));
        from = end.unwrap_or(inside);
    }
    out
}

fn ticks(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..).unwrap_or_default().iter().take_while(|&&byte| byte == b'`').count()
}

fn is_inside(ranges: &[Range<usize>], at: usize) -> bool {
    let next = ranges.partition_point(|range| range.start <= at);
    next.checked_sub(1).and_then(|last| ranges.get(last)).is_some_and(|range| at < range.end)
}

/// A marker as models write them.
struct Marker {
    range: Range<usize>,
    /// Numbers it names; none where it can name no source.
    numbers: Vec<usize>,
}

fn orphans(reviewed: &Reviewed, code: &[Range<usize>], found: &mut Vec<Finding>) {
    let text = reviewed.response.text();
    let sources = reviewed.response.sources.len();
    let markers = markers(text, code);
    // A list that the model wrote itself: `[3] Some title`, a line each.
    let at_line_start = |range: &Range<usize>| text.get(..range.start).is_some_and(|before| before.is_empty() || before.ends_with('\n'));
    let own: HashSet<usize> =
        markers.iter().filter(|marker| at_line_start(&marker.range)).flat_map(|marker| marker.numbers.iter().copied()).collect();
    let missing = |marker: &&Marker| {
        marker.numbers.is_empty()
            || marker.numbers.iter().any(|number| (*number == 0 && sources == 0 || *number > sources) && !own.contains(number))
    };
    let places: Vec<Range<usize>> = markers.iter().filter(missing).map(|marker| marker.range.clone()).collect();
    let mut shown: Vec<&str> = Vec::new();
    for words in places.iter().filter_map(|range| text.get(range.clone())) {
        if shown.len() < 6 && !shown.contains(&words) {
            shown.push(words);
        }
    }
    if places.is_empty() {
        return;
    }
    let verb = if places.len() == 1 { "names" } else { "name" };
    let there = if sources == 0 { "the response has none".to_owned() } else { format!("the response has {sources}") };
    let message = format!("{} in the answer {verb} no source: {} ({there})", counted(places.len(), "marker"), shown.join(" "));
    found.push(Finding::new("marker-orphan", &reviewed.response.origin, message).places(places));
}

fn markers(text: &str, code: &[Range<usize>]) -> Vec<Marker> {
    let mut out: Vec<Marker> = Vec::new();
    for at in memchr::memchr2_iter(b'[', 0xE3, text.as_bytes()) {
        let Some(rest) = text.get(at..) else { continue };
        if is_inside(code, at) {
            continue;
        }
        let previous = out.last().map_or(0, |marker| marker.range.end);
        let (length, numbers) = match marker(rest) {
            Some(found) if rest.starts_with('[') => {
                // A link, a footnote, the second half of `[text][1]`, an element of a list in prose.
                let after = rest.get(found.0..).unwrap_or_default();
                let linked = after.starts_with(['(', ':'])
                    || text.get(..at).is_some_and(|before| before.ends_with('[') || before.ends_with(']') && previous != at);
                let listed = found.1.len() > 1 && !rest.starts_with("[cite") && !ends_clause(after);
                if linked || listed {
                    continue;
                }
                found
            }
            Some(found) => found,
            None => continue,
        };
        out.push(Marker { range: at..at + length, numbers });
    }
    out
}

/// Whether a clause may end before `after`, as it does where a marker stands.
fn ends_clause(after: &str) -> bool {
    let next = after.trim_start_matches(' ').chars().next();
    next.is_none_or(|c| {
        matches!(c, '\n' | '\r' | '.' | ',' | ';' | ':' | '!' | '?' | ')' | '[' | '。' | '、') || after.starts_with(' ') && c.is_uppercase()
    })
}

/// Length and numbers of a marker at the beginning: `[9]`, `[9, 16]`, `[cite: 5, 7]`, `[cite_start]`, `【4†source】`.
fn marker(text: &str) -> Option<(usize, Vec<usize>)> {
    if let Some(rest) = text.strip_prefix('【') {
        let end = rest.char_indices().take(40).find(|&(_, c)| c == '】')?.0;
        let inner = rest.get(..end)?;
        let named = inner.contains('†') && inner.starts_with(|c: char| c.is_ascii_digit());
        return named.then(|| ('【'.len_utf8() + end + '】'.len_utf8(), Vec::new()));
    }
    let rest = text.strip_prefix('[')?;
    let end = rest.bytes().take(64).position(|byte| byte == b']')?;
    let inner = rest.get(..end)?;
    let length = end + 2;
    if matches!(inner, "cite_start" | "cite_end") {
        return Some((length, Vec::new()));
    }
    let list = inner.strip_prefix("cite:").unwrap_or(inner);
    let number = |word: &str| {
        let word = word.trim();
        let digits = (1..=3).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit());
        word.parse().ok().filter(|_| digits)
    };
    list.split(',').map(number).collect::<Option<Vec<usize>>>().map(|numbers| (length, numbers))
}

/// Addresses that the model wrote and that stand nowhere in what it was given.
fn addresses(reviewed: &Reviewed, code: &[Range<usize>], found: &mut Vec<Finding>) {
    let response = &reviewed.response;
    let text = response.text();
    let has_addresses = response.sources.iter().any(|source| source.uri.is_some() || source.domain.is_some());
    let written: Vec<(Range<usize>, Key)> = written(text).filter(|(range, _)| !is_inside(code, range.start)).collect();
    if !has_addresses || written.is_empty() {
        return;
    }
    let known = Known::of(reviewed);
    let mut told: HashSet<String> = HashSet::new();
    let mut places = Vec::new();
    let mut shown = Vec::new();
    for (range, key) in written.into_iter().filter(|(_, key)| !known.holds(key)) {
        if told.insert(format!("{}{}", key.host, key.rest)) && shown.len() < 4 {
            shown.extend(text.get(range.clone()).map(str::to_owned));
        }
        places.push(range);
    }
    if places.is_empty() {
        return;
    }
    let verb = if told.len() == 1 { "is" } else { "are" };
    let noun = if told.len() == 1 { "1 address".to_owned() } else { format!("{} addresses", told.len()) };
    let more = told.len().saturating_sub(shown.len());
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let message = format!("{noun} in the answer {verb} in no source: {}{more}", shown.join(", "));
    found.push(Finding::new("address-foreign", &response.origin, message).places(places));
}

/// An address without what does not tell pages apart: scheme, `www.`, tracking, fragment, the last slash.
struct Key {
    host: String,
    rest: String,
}

fn key(address: &str) -> Option<Key> {
    let url = url::Url::parse(address.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let host = url.host_str()?;
    let tracking = |name: &str| name.starts_with("utm_");
    let query: Vec<String> = url.query_pairs().filter(|(name, _)| !tracking(name)).map(|(name, value)| format!("{name}={value}")).collect();
    let rest = format!("{}?{}", url.path().trim_end_matches('/'), query.join("&"));
    Some(Key { host: host.strip_prefix("www.").unwrap_or(host).to_owned(), rest: rest.trim_end_matches('?').to_owned() })
}

/// The http addresses of a text with their places.
fn written(text: &str) -> impl Iterator<Item = (Range<usize>, Key)> + '_ {
    memchr::memmem::find_iter(text.as_bytes(), "http").filter_map(move |at| {
        let rest = text.get(at..)?;
        if !rest.starts_with("http://") && !rest.starts_with("https://") {
            return None;
        }
        let ends = |c: char| c.is_whitespace() || c.is_control() || "<>\"'`|\\^{}[]（）。、，；：！？「」【】”’“‘*".contains(c);
        let end = rest.char_indices().take(2048).find(|&(_, c)| ends(c)).map_or_else(|| rest.len().min(2048), |(end, _)| end);
        let mut address = rest.get(..rest.floor_char_boundary(end))?;
        loop {
            let open = address.bytes().filter(|&byte| byte == b'(').count();
            let shorter = address.trim_end_matches(['.', ',', ';', ':', '!', '?', '_', '~']);
            let shorter =
                shorter.strip_suffix(')').filter(|_| open < shorter.bytes().filter(|&byte| byte == b')').count()).unwrap_or(shorter);
            if shorter.len() == address.len() {
                break;
            }
            address = shorter;
        }
        // `](https://a.example)text`: the bracket of a link ends it.
        let linked = text.get(..at).is_some_and(|before| before.ends_with("]("));
        let address = if linked { address.split(')').next().filter(|inner| !inner.contains('(')).unwrap_or(address) } else { address };
        Some((at..at + address.len(), key(address)?))
    })
}

/// What the model was given: addresses of sources, results, pages and the question, and those in the passages.
struct Known {
    pages: HashSet<String>,
    hosts: HashSet<String>,
    /// Hosts of which only the name is known, since their addresses are redirects.
    veiled: HashSet<String>,
}

impl Known {
    fn of(reviewed: &Reviewed) -> Self {
        let response = &reviewed.response;
        let mut known = Self { pages: HashSet::new(), hosts: HashSet::new(), veiled: HashSet::new() };
        for source in &response.sources {
            let veiled = source.uri.as_deref().is_none_or(is_redirect);
            let names = source.title.iter().chain(&source.domain).filter(|_| veiled);
            known.veiled.extend(names.map(|name| name.trim().strip_prefix("www.").unwrap_or(name.trim()).to_lowercase()));
            let addresses = source.uri.iter().chain(&source.flag_uri).chain(source.reviews.iter().filter_map(|review| review.uri.as_ref()));
            addresses.for_each(|address| known.add(key(address)));
            let texts =
                source.chunks.iter().map(|chunk| &chunk.text).chain(source.reviews.iter().filter_map(|review| review.text.as_ref()));
            texts.for_each(|text| known.read(text));
        }
        for result in response.traces.iter().flat_map(|trace| &trace.results) {
            known.add(result.uri.as_deref().and_then(key));
            result.text.iter().for_each(|text| known.read(text));
        }
        response.about.fetched.iter().for_each(|page| known.add(key(&page.uri)));
        response.about.recitations.iter().filter_map(|recitation| recitation.uri.as_deref()).for_each(|uri| known.add(key(uri)));
        let asked = response.about.question.iter().chain(response.queries.iter().map(|query| &query.text));
        asked.for_each(|text| known.read(text));
        known
    }

    fn add(&mut self, key: Option<Key>) {
        if let Some(Key { host, rest }) = key {
            self.pages.insert(format!("{host}{rest}"));
            self.hosts.insert(host);
        }
    }

    fn read(&mut self, text: &str) {
        written(text).for_each(|(_, key)| self.add(Some(key)));
    }

    fn holds(&self, key: &Key) -> bool {
        let home = key.rest.is_empty() && self.hosts.contains(&key.host);
        home || self.pages.contains(&format!("{}{}", key.host, key.rest)) || self.veiled.contains(&key.host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_told_from_links_lists_and_code() {
        let shown = |text: &str| -> Vec<String> {
            let code = code(text);
            markers(text, &code).into_iter().map(|marker| text[marker.range].to_owned()).collect()
        };
        assert_eq!(shown("Ruby is a language.[1][3] It is old [9, 16]."), ["[1]", "[3]", "[9, 16]"]);
        assert_eq!(
            shown("[cite_start]It rose.[cite: 5] 【4†source】 [cite: 1, 2]x"),
            ["[cite_start]", "[cite: 5]", "【4†source】", "[cite: 1, 2]"]
        );
        assert_eq!(shown("see [1](https://a.example), [the list][2], [^3], [2024], [0.5], `a[0]`, [x], [[1]](u)"), [""; 0]);
        assert_eq!(shown("the list [1, 2, 3] is sorted"), [""; 0]);
        assert_eq!(shown("```\na[1]\n"), [""; 0]);
    }

    #[test]
    fn addresses_are_cut_where_they_end() {
        let shown = |text: &str| -> Vec<String> { written(text).map(|(range, _)| text[range].to_owned()).collect() };
        assert_eq!(
            shown("See https://a.example/x_(y). Or (http://b.example/z), <https://c.example>"),
            ["https://a.example/x_(y)", "http://b.example/z", "https://c.example"]
        );
        assert_eq!(shown("[a](https://a.example/x)b and **https://d.example/**"), ["https://a.example/x", "https://d.example/"]);
        assert_eq!(shown("参照 https://a.example/橋。次 httpx http"), ["https://a.example/橋"]);
    }

    #[test]
    fn code_ends_with_its_own_ticks() {
        assert_eq!(code("a `b` c ``d ` e`` f"), [2..5, 8..17]);
        assert_eq!(code("a ` b\n`c` `d`"), [6..9, 10..13]);
        assert_eq!(code("```\nx\n``` `y`"), [0..9, 10..13]);
        assert_eq!(code("`a` ````\nx"), [0..3, 4..10]);
    }
}
