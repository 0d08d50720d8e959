//! What is typed to find responses among many: words, and `rule:`, `source:`, `file:`, `format:`, `is:`,
//! `cited<50`.

use crate::check::{RULES, Severity};
use crate::format::FORMATS;
use crate::review::Review;

use super::marks::Decision;

/// A filter over responses; all of its terms hold of what passes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListFilter {
    terms: Vec<Term>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Term {
    /// A rule with such an id found something.
    Rule(String),
    /// The name of the format.
    Format(String),
    /// The name of the input.
    File(String),
    /// Fewer (or more) hundredths are cited.
    Cited { below: bool, percent: u8 },
    /// What it is.
    Is(Is),
    /// A source stands on such a site, or, in quotes, on this one.
    Source(String),
    /// A word of question, answer or quotes, in small letters.
    Word(String),
}

/// What a response may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Is {
    Error,
    Warning,
    Fault,
    Marked,
    Question,
    Unread,
    Decided(Decision),
}

/// What a query looks at that is known without the text.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// How bad the worst finding is.
    pub worst: Option<Severity>,
    /// Index of the format.
    pub format: Option<u8>,
    /// Hundredths that are cited.
    pub cited: Option<u8>,
    /// Rules that found something.
    pub rules: &'a [u8],
    /// Marked by the user.
    pub marked: bool,
    /// A question.
    pub question: bool,
    /// Could not be read.
    pub unread: bool,
    /// How many of its claims were decided to be right, wrong, unsure.
    pub decided: [usize; 3],
}

impl ListFilter {
    /// Of what was typed. What is no known key is a word.
    pub fn parse(typed: &str) -> Self {
        Self { terms: typed.split_whitespace().filter_map(term).collect() }
    }

    /// Whether everything passes.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether it asks for nothing but what could not be read.
    pub fn is_of_unread(&self) -> bool {
        matches!(self.terms.as_slice(), [Term::Is(Is::Unread)])
    }

    /// Whether a response has to be read to know.
    pub fn reads(&self) -> bool {
        self.terms.iter().any(|term| matches!(term, Term::Word(_) | Term::Source(_)))
    }

    /// The same without what needs no reading: what a search has to look for.
    #[must_use]
    pub fn reading_terms(&self) -> Self {
        let read = |term: &&Term| matches!(term, Term::Word(_) | Term::Source(_));
        Self { terms: self.terms.iter().filter(read).cloned().collect() }
    }

    /// Whether it asks for questions.
    pub fn asks_questions(&self) -> bool {
        self.terms.contains(&Term::Is(Is::Question))
    }

    /// Whether it asks what was decided of claims.
    pub fn asks_decisions(&self) -> bool {
        self.terms.iter().any(|term| matches!(term, Term::Is(Is::Decided(_))))
    }

    /// What looks like a key and is none, as `site:a.example`: it is looked for as a word.
    pub fn unknown_key(&self) -> Option<&str> {
        self.terms.iter().find_map(|term| {
            let Term::Word(word) = term else { return None };
            if ["cited<", "cited>"].iter().any(|key| word.starts_with(key)) {
                return Some(word.as_str());
            }
            let (key, value) = word.split_once(':')?;
            let is_key = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_lowercase());
            match key {
                "is" => Some(word.as_str()),
                _ if is_key && !value.starts_with("//") => Some(key),
                _ => None,
            }
        })
    }

    /// Whether a file of this name passes; asked once a file.
    pub fn passes_file(&self, name: &str) -> bool {
        self.terms.iter().all(|term| match term {
            Term::File(wanted) => name.to_lowercase().contains(wanted),
            _ => true,
        })
    }

    /// Whether what is known of a response passes; terms that need reading are left out.
    pub fn passes(&self, known: &Known) -> bool {
        self.terms.iter().all(|term| match term {
            Term::Rule(id) => known
                .rules
                .iter()
                .any(|&rule| RULES.get(usize::from(rule)).is_some_and(|rule| rule.id.contains(id.as_str()))),
            // A question is no response of it, unless one asks for questions.
            Term::Format(_) if known.question && !self.asks_questions() => false,
            Term::Format(id) => known
                .format
                .and_then(|at| FORMATS.get(usize::from(at)))
                .is_some_and(|format| format.id.contains(id.as_str())),
            Term::Cited { below: true, percent } => known.cited.is_some_and(|cited| cited < *percent),
            Term::Cited { below: false, percent } => known.cited.is_some_and(|cited| cited > *percent),
            Term::Is(Is::Error) => known.worst == Some(Severity::Error),
            Term::Is(Is::Warning) => known.worst == Some(Severity::Warning),
            Term::Is(Is::Fault) => known.worst.is_some_and(|worst| worst < Severity::Note),
            Term::Is(Is::Marked) => known.marked,
            Term::Is(Is::Question) => known.question,
            Term::Is(Is::Unread) => known.unread,
            Term::Is(Is::Decided(label)) => {
                known.decided.get(*label as usize).is_some_and(|count| *count > 0)
            }
            Term::File(_) | Term::Source(_) | Term::Word(_) => true,
        })
    }

    /// Whether the text of a frame may hold what is looked for: letters and digits of ASCII stand there as
    /// they are, whatever is escaped. A word may stand in two parts of an answer: then half of it is whole in
    /// one.
    pub fn may_pass(&self, raw: &str) -> bool {
        let holds = |piece: &[u8]| holds(raw.as_bytes(), piece);
        let plain = |word: &'_ str| -> Vec<u8> {
            let pieces = word.split(|c: char| !c.is_ascii_alphanumeric());
            pieces.max_by_key(|piece| piece.len()).unwrap_or_default().bytes().collect()
        };
        self.terms.iter().all(|term| match term {
            Term::Word(word) => {
                let plain = plain(word);
                let (begin, end) = plain.split_at(plain.len() / 2);
                holds(begin) || holds(end)
            }
            // A name of other letters is sent in these or in its own.
            Term::Source(site) => site.contains("xn--") || holds(&plain(site)),
            _ => true,
        })
    }

    /// Whether all that is read for stands in what is known of a response besides: `told` in small letters.
    pub fn names(&self, told: &str) -> bool {
        self.terms.iter().all(|term| match term {
            Term::Word(word) => told.contains(word.as_str()),
            Term::Source(_) => false,
            _ => true,
        })
    }

    /// Whether a response holds what is looked for.
    pub fn passes_read(&self, review: &Review) -> bool {
        self.terms.iter().all(|term| match term {
            Term::Word(word) => texts(review).any(|text| text.to_lowercase().contains(word.as_str())),
            Term::Source(wanted) => {
                let sites = review.response.sources.iter().filter_map(crate::model::Source::site);
                sites.into_iter().any(|site| stands_on(&site.to_lowercase(), wanted))
            }
            _ => true,
        })
    }
}

/// Whether a site is meant: in quotes itself, with a dot in it or below it, else where its name holds it.
fn stands_on(site: &str, wanted: &str) -> bool {
    if let Some(exact) = wanted.strip_prefix('"') {
        return site == exact.trim_end_matches('"');
    }
    let below = || site.strip_suffix(wanted).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    if wanted.contains('.') { below() || site.starts_with(wanted) } else { site.contains(wanted) }
}

/// What people read of a response.
fn texts(review: &Review) -> impl Iterator<Item = &str> {
    let response = &review.response;
    let quotes = response.supports.iter().filter_map(|support| support.segment.as_ref()?.quote.as_deref());
    let error = response.about.error.as_ref().and_then(|error| error.message.as_deref());
    [response.about.question.as_deref(), response.answer.as_deref(), response.id.as_deref(), error]
        .into_iter()
        .flatten()
        .chain(quotes)
}

/// Whether bytes hold a piece of small ASCII letters and digits, in letters of either size.
fn holds(bytes: &[u8], piece: &[u8]) -> bool {
    let Some(&first) = piece.first() else { return true };
    let starts = memchr::memchr2_iter(first, first.to_ascii_uppercase(), bytes);
    starts
        .into_iter()
        .any(|at| bytes.get(at..at + piece.len()).is_some_and(|here| here.eq_ignore_ascii_case(piece)))
}

fn term(word: &str) -> Option<Term> {
    let word = word.to_lowercase();
    if let Some((key, value)) = word.split_once(':') {
        let value = value.to_owned();
        match key {
            // Still being typed.
            "rule" | "source" | "file" | "format" | "is" if value.is_empty() => return None,
            "rule" => return Some(Term::Rule(value)),
            "source" => return Some(Term::Source(value)),
            "file" => return Some(Term::File(value)),
            "format" => return Some(Term::Format(value)),
            // What is no such word is looked for as it stands.
            "is" => return Some(is(&value).map_or(Term::Word(word), Term::Is)),
            _ => {}
        }
    }
    if let Some(compared) = word.strip_prefix("cited").filter(|rest| rest.starts_with(['<', '>'])) {
        let below = compared.starts_with('<');
        let number = compared.trim_start_matches(['<', '>']);
        let (number, equal) = number.strip_prefix('=').map_or((number, 0), |number| (number, 1));
        if number.is_empty() {
            // Still being typed.
            return None;
        }
        if let Ok(percent) = number.trim_end_matches('%').parse::<u8>() {
            let percent = if below { percent.saturating_add(equal) } else { percent.saturating_sub(equal) };
            return Some(Term::Cited { below, percent });
        }
    }
    // A whole id of a rule is meant as that.
    if RULES.iter().any(|rule| rule.id == word) {
        return Some(Term::Rule(word));
    }
    Some(Term::Word(word))
}

fn is(value: &str) -> Option<Is> {
    let words = [
        ("error", Is::Error),
        ("warning", Is::Warning),
        ("fault", Is::Fault),
        ("marked", Is::Marked),
        ("question", Is::Question),
        ("unread", Is::Unread),
        ("right", Is::Decided(Decision::Right)),
        ("wrong", Is::Decided(Decision::Wrong)),
        ("unsure", Is::Decided(Decision::Unsure)),
    ];
    words.into_iter().find(|(word, _)| word.starts_with(value)).map(|(_, is)| is)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(worst: Option<Severity>, cited: Option<u8>, rules: &[u8]) -> Known<'_> {
        Known {
            worst,
            format: Some(0),
            cited,
            rules,
            marked: false,
            question: false,
            unread: false,
            decided: [0; 3],
        }
    }

    #[test]
    fn terms_are_told_apart_and_what_is_still_typed_lets_everything_pass() {
        for typed in ["", "  ", "rule:", "cited<", "cited>=", "source:"] {
            assert!(ListFilter::parse(typed).is_empty(), "{typed}");
        }
        let drift = RULES.iter().position(|rule| rule.id == "offset-drift").unwrap() as u8;
        let rules = [drift];
        let (bad, good) = (known(Some(Severity::Error), Some(49), &rules), known(None, Some(50), &[]));
        for typed in ["rule:drift", "cited<50", "is:err", "is:fault", "format:gemini cited<50"] {
            let query = ListFilter::parse(typed);
            let expected = (true, false, false);
            assert_eq!((query.passes(&bad), query.passes(&good), query.reads()), expected, "{typed}");
        }
        assert!(ListFilter::parse("cited>=50").passes(&good) && ListFilter::parse("cited<=49").passes(&bad));
        assert!(ListFilter::parse("cited>49%").passes(&good) && !ListFilter::parse("cited>49%").passes(&bad));
        assert!(
            ListFilter::parse("file:log").passes_file("a/LOG.jsonl")
                && !ListFilter::parse("file:x").passes_file("log")
        );
    }

    #[test]
    fn what_was_decided_is_asked_for_by_its_word() {
        let decided = Known { decided: [0, 2, 0], ..known(None, None, &[]) };
        for (typed, passes) in [("is:wrong", true), ("is:wr", true), ("is:right", false), ("is:uns", false)] {
            let query = ListFilter::parse(typed);
            assert_eq!((query.passes(&decided), query.asks_decisions()), (passes, true), "{typed}");
        }
    }

    #[test]
    fn what_looks_like_a_key_and_is_none_is_named() {
        for (typed, unknown) in [
            ("park site:a.example", Some("site")),
            ("is:bogus", Some("is:bogus")),
            ("https://a.example", None),
            ("10:30", None),
            ("rule:drift source:a.example", None),
        ] {
            assert_eq!(ListFilter::parse(typed).unknown_key(), unknown, "{typed}");
        }
    }

    #[test]
    fn words_and_sources_are_looked_for_in_the_text() {
        assert_eq!(ListFilter::parse("is:bogus cited<x").terms.len(), 2, "words like any other");
        for (site, wanted, expected) in [
            ("nasa.gov", "sa.gov", false),
            ("ai.google.dev", "google.dev", true),
            ("ai.google.dev", "\"google.dev\"", false),
            ("google.dev", "\"google.dev\"", true),
            ("ai.google.dev", "google", true),
            ("google.com", "google.c", true),
        ] {
            assert_eq!(stands_on(site, wanted), expected, "{site} {wanted}");
        }
        let query = ListFilter::parse("Größe source:a.example is:error");
        assert!(query.reads() && query.reading_terms() == ListFilter::parse("größe source:a.example"));
        assert!(query.may_pass(r#"{"text": "Gr\u00f6\u00dfe", "uri": "https://A.EXAMPLE/"}"#));
        assert!(!query.may_pass(r#"{"text": "Größe"}"#), "no source of that name");
        assert!(ListFilter::parse("日本").may_pass("anything"), "only its text shows");
    }
}
