//! Answers in a JSON of one's own: read by a map, or by what their keys are called.

use std::cell::Cell;
use std::collections::HashSet;
use std::sync::Arc;

use regex::Captures;
use serde_json::Value;

use super::discovery_engine;
use super::generic_names::{Called, Counting, Names, named_in, page};
use super::generic_source::{is_one, source};
use super::generic_table::Table;
use super::generic_values::{all, numbered, origin_key, texts, told};
use crate::format::building::{self, Bounded};
use crate::format::interface::{self, Fold, Format, FrameGroup, begin};
use crate::format::map::{
    CLAIM, Count, CountFrom, Map, MapPath, Pattern, ReadBy, Route, Sources, Spans, looks_like_one, shape,
};
use crate::format::markers::{self, Name, Notation};
use crate::format::service;
use crate::format::shelf::Shelf;
use crate::format::sought::Sought;
use crate::format::steps;
use crate::json::values::{named, quoted, whole};
use crate::json::wire::Cx;
use crate::json::{Peek, plain};
use crate::model::{
    AnchorKind, AnswerState, Citation, Cited, Facts, Grade, Layer, Origin, OwnPlace, Place, RemarkKind,
    Response, Segment, SegmentKeys, Source, Support, Target, Trace, Unit,
};
use crate::text::counted;

pub const FORMAT: Format = Format {
    id: "generic",
    short: "own format",
    name: "one's own JSON: an answer, spans or marks, sources",
    reads: "objects by a map (--map FILE, citescope.toml), or by the names of their keys",
    offsets: "as the map says; quotes prove them",
    recognise,
    group: |_: &Peek| FrameGroup::Alone,
    fold: begin::<Own>,
    facts: Facts { counts_as_mapped: true, ..Facts::NONE },
    samples: &[sample!(
        "generic.json",
        "a JSON of one's own",
        "read by the names of its keys; a wrong year, a span whose source is not there"
    )],
    ..Format::PLAIN
};

/// What no provider's answer has beside text and sources.
const OTHERS: &[&str] =
    &["schema", "choices", "object", "candidates", "type", "role", "generationId", "delta", "chatId"];

fn recognise(peek: &Peek) -> bool {
    let beside = peek.below("metadata");
    let keys = beside.iter().flat_map(Peek::kinds).filter(|(_, kind)| *kind == Some('['));
    !peek.has_any(OTHERS)
        && looks_like_one(peek.kinds().chain(keys))
        && !(peek.has("answerText") && discovery_engine::recognise(peek))
}

/// A fold that reads by a map.
pub fn by(map: Arc<Map>) -> Box<dyn Fold> {
    Box::new(Own { map: Some(map), ..Own::default() })
}

/// The map that leads to more: one by the names of the keys, or one by what the values look like.
pub fn propose(value: &Value) -> Option<Map> {
    let cx = Cx::default();
    let yields = |map: &Map| {
        let keys = map.spans.as_ref().and_then(Spans::keys);
        let response = Reading {
            map,
            keys,
            value,
            origin: Origin::default(),
            cx: &cx,
            guessed: true,
            counted: Cell::default(),
        }
        .response();
        let cited = response.supports.iter().filter(|support| support.resolves()).count();
        (cited, response.sources.iter().filter(|source| source.has_text()).count())
    };
    // What says of each claim or mark what it rests on is read, also where that leads nowhere.
    let says = |map: &Map| {
        map.spans.as_ref().is_some_and(|spans| !spans.source.is_empty())
            || map.markers.as_ref().is_some_and(|markers| markers.list.is_some())
    };
    let by_shape = shape(value).filter(|map| yields(map).0 > 0);
    match (Map::guess(value), by_shape) {
        (Some(named), Some(mut shaped)) if !says(&named) && yields(&shaped) > yields(&named) => {
            shaped.question = named.question;
            shaped.id = named.id;
            shaped.model = named.model;
            shaped.queries = named.queries;
            Some(shaped)
        }
        (Some(named), Some(_)) => Some(named),
        (named, shaped) => named.or(shaped),
    }
}

#[derive(Default, Clone)]
struct Own {
    map: Option<Arc<Map>>,
    done: Vec<Response>,
}

impl interface::FoldState for Own {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        // It notes nothing of what it reads.
        if cx.surveys() {
            return Ok(());
        }
        let value: Value = interface::read(text, cx)?;
        let root = building::root(frame);
        let given = self.map.as_ref().filter(|map| map.finds(&value));
        let guess = match (given, &self.map) {
            (Some(_), _) => None,
            // What was meant for the map may be no answer at all.
            (None, Some(_)) => Map::guess(&value),
            (None, None) => Map::guess_at_least(&value),
        };
        let guessed = guess.is_some();
        let map = match (given, guess) {
            (Some(map), _) => Arc::clone(map),
            (None, guess) => Arc::new(guess.unwrap_or_default()),
        };
        let whole = vec![(&value, root.clone())];
        let items = map.each.as_ref().map_or(whole, |each| each.0.find(&value, &root));
        let keys = map.spans.as_ref().and_then(Spans::keys);
        for (value, origin) in items {
            if !cx.take(building::RESPONSE) {
                break;
            }
            let reading = Reading { map: &map, keys, value, origin, cx, guessed, counted: Cell::default() };
            let mut response = reading.response();
            let cites = response.supports.iter().any(|support| !support.citations.is_empty());
            for (at, words) in map.overlooks(value, &reading.origin, ReadBy { cites, guessed }) {
                building::remark(&mut response, RemarkKind::Unread, &at, &words);
            }
            if guessed {
                let counted = reading.counted.get().map(|first| format!(", references counted from {first}"));
                let words = format!("guessed without a map: {}{}", map.words(), counted.unwrap_or_default());
                building::remark(&mut response, RemarkKind::Guessed, &root, &words);
            }
            if self.map.is_some() && given.is_none() && !guessed {
                response.state = AnswerState::Error;
                building::remark(&mut response, RemarkKind::Error, &root, &unfit(text));
            }
            if let Some(path) =
                given.and_then(|map| map.answer.as_ref()).filter(|_| response.answer.is_none())
            {
                response.state = AnswerState::Error;
                let words = format!("the map's answer, {:?}, names nothing here", path.0.to_string());
                building::remark(&mut response, RemarkKind::Error, &root, &words);
            }
            response.item = self.done.len();
            self.done.push(response);
        }
        Ok(())
    }

    fn finish(self) -> Vec<Response> {
        self.done
    }
}

/// Why a map finds nothing in a frame.
fn unfit(frame: &str) -> String {
    if service::is_error_alone(frame) {
        return service::service_error(frame);
    }
    "the map finds neither an answer nor sources here; `citescope map --check` tells more".to_owned()
}

/// A value as a map reads it.
struct Reading<'m> {
    map: &'m Map,
    keys: Option<&'static SegmentKeys>,
    value: &'m Value,
    origin: Origin,
    cx: &'m Cx,
    /// The map was guessed.
    guessed: bool,
    /// From where references without an id were counted.
    counted: Cell<Option<usize>>,
}

impl Reading<'_> {
    fn text(&self, path: Option<&MapPath>) -> Option<String> {
        Some(plain(told(path?, self.value)?).into_owned())
    }

    fn response(&self) -> Response {
        let map = self.map;
        let mut response = Response {
            origin: self.origin.clone(),
            id: self.text(map.id.as_ref()),
            model: self.text(map.model.as_ref()),
            unit: map.spans.as_ref().map_or(Unit::Characters, |spans| spans.unit.into()),
            inclusive: map.spans.as_ref().is_some_and(|spans| spans.inclusive),
            ..Response::default()
        };
        response.about.question = self.text(map.question.as_ref()).map(Into::into);
        let names =
            map.sources.as_ref().map(|sources| self.sources(&mut response, sources)).unwrap_or_default();
        let pattern = map.markers.as_ref().and_then(|markers| markers.pattern.as_ref());
        let around = pattern.filter(|pattern| pattern.encloses());
        let pieces = map.answer.iter().flat_map(|path| path.0.find(self.value, &self.origin));
        let pieces = texts(&mut response, pieces);
        let marked: Vec<String> = if map.markers.is_some() {
            let texts: String = pieces.iter().map(|(text, _)| text.as_ref()).collect();
            named_in(&texts, pattern, self.cx)
        } else {
            Vec::new()
        };
        let table = map.markers.as_ref();
        let table = table.and_then(|markers| Table::of(markers, &names, self.value, &self.origin));
        let by = table.as_ref().map_or(&names, |table| &table.numbers);
        let called = by.called(marked.iter().map(String::as_str), Counting::Marks);
        for (piece, origin) in pieces {
            match around {
                Some(pattern) => {
                    let finder = Finder { pattern, called, cx: self.cx };
                    finder.enclosed(&mut response, &piece, &origin);
                }
                None => building::answer_text(&mut response, &piece, true),
            }
        }
        if let Some(spans) = &map.spans {
            self.spans(&mut response, spans, &names);
            if are_marks(&response, spans.unit) {
                response.supports.iter_mut().for_each(as_mark);
            }
        }
        if let Some(found) = map.markers.as_ref().filter(|_| around.is_none()) {
            self.marks(&mut response, found.pattern.as_ref(), called);
        }
        if let Some(table) = &table {
            if table.unclear {
                self.uncounted(&mut response, "mark", names.count);
            }
            table.spread(&mut response, self.cx);
        }
        self.queries(&mut response);
        response
    }

    /// Marks behind their claims: what a pattern finds, or numbers and links.
    fn marks(&self, response: &mut Response, pattern: Option<&Pattern>, called: Called) {
        if let Some(pattern) = pattern {
            Finder { pattern, called, cx: self.cx }.marked(response, &self.origin);
            return;
        }
        if self.cx.is_overdrawn() {
            return;
        }
        markers::add(response, &self.origin, Notation::NUMBERS, &[], |name, _| match name {
            Name::Number(number) => called.find(&number.to_string()),
            Name::Address(address, number) => {
                called.by_address(address).or_else(|| called.find(&number?.to_string()))
            }
        });
    }

    fn queries(&self, response: &mut Response) {
        let queries = self.map.queries.iter().flat_map(|path| path.0.find(self.value, &self.origin));
        let queries: Vec<(&Value, Origin)> = queries.collect();
        if let Some((_, origin)) = queries.first() {
            let trace =
                Trace { origin: origin.clone(), title: Some("search".to_owned()), ..Trace::default() };
            let trace = steps::trace(response, trace);
            for (query, origin) in &queries {
                steps::query(response, trace, &plain(query), origin);
            }
        }
    }

    /// The path from a claim to the sources that it brings along.
    fn brought(&self) -> Option<Route> {
        let (spans, sources) = (self.map.spans.as_ref()?, self.map.sources.as_ref()?);
        let below = sources.list.0.below(&spans.list.0)?;
        (below == Route::default() || spans.source.is_empty()).then_some(below)
    }

    fn sources(&self, response: &mut Response, map: &Sources) -> Names {
        let mut names = Names::default();
        let (mut merged, own) = (Shelf::default(), self.brought().is_some());
        let cited = if own { HashSet::new() } else { self.cited() };
        let list = map.list.0.find(self.value, &self.origin);
        for (value, origin) in list.into_iter().take_while(|_| self.cx.take(THING)) {
            let mut source = source(map, value, origin);
            if own {
                names.own.push(brought(response, &mut merged, source));
                continue;
            }
            // Passages of one document that claims call by its id.
            let id = source.number.as_ref().filter(|id| cited.contains(*id));
            let known =
                id.and_then(|id| names.by_id.get(id)).and_then(|known| response.sources.get_mut(*known));
            if let Some(known) = known.filter(|known| is_one(known, &source)) {
                known.chunks.append(&mut source.chunks);
                continue;
            }
            let index = response.sources.len();
            if let Some(alone) = value.as_str() {
                names.by_id.entry(alone.to_owned()).or_insert(index);
            }
            // Of an object of sources each key is the id.
            if map.id.is_none() && source.number.is_none() {
                source.number = origin_key(&source.origin);
            }
            if let Some(id) = source.number.as_mut() {
                names.by_id.entry(id.clone()).or_insert(index);
                // Some keep the mark itself, `[2]`, in place of its number.
                if let Some(number) = numbered(id) {
                    names.by_id.entry(number.to_owned()).or_insert(index);
                    *id = number.to_owned();
                }
            }
            if let Some(file) = &source.document {
                names.by_id.entry(file.clone()).or_insert(index);
            }
            if let Some(uri) = &source.uri {
                names.by_address.entry(uri.clone()).or_insert(index);
                names.by_path.entry(page(uri)).or_insert(index);
            }
            response.sources.add(source);
        }
        names.count = response.sources.len();
        let keyed = response.sources.first().is_some_and(|source| origin_key(&source.origin).is_some());
        names.told = (map.id.is_some() || keyed) && !self.guessed;
        let ids = response.sources.iter().map(|source| source.number.as_deref()?.parse::<usize>().ok());
        let in_order = |first: usize| ids.clone().enumerate().all(|(place, id)| id == Some(place + first));
        names.counted = in_order(0) || in_order(1);
        names
    }

    /// What claims call their sources, but for numbers, which may be places.
    fn cited(&self) -> HashSet<String> {
        let spans = self.map.spans.iter();
        let claims = spans.flat_map(|spans| {
            let list = spans.list.0.find(self.value, &self.origin);
            list.into_iter().flat_map(|(value, origin)| referred(spans, value, &origin))
        });
        claims.filter(|name| name.parse::<usize>().is_err()).collect()
    }

    /// How spans call sources; where that does not show it is said.
    fn called<'n>(
        &self,
        response: &mut Response,
        names: &'n Names,
        sent: &[String],
        (count_from, own): (Option<CountFrom>, bool),
    ) -> Called<'n> {
        let from = count_from.map_or(Counting::Spans, |CountFrom(first)| Counting::Told(first));
        let called = names.called(sent.iter().map(String::as_str), from);
        if called.unclear && !own {
            self.uncounted(response, "span", names.count);
        }
        if names.by_id.is_empty() && !own && sent.iter().any(|name| name.parse::<usize>().is_ok()) {
            self.counted.set(called.first);
        }
        called
    }

    /// The place and the words of a span as they were sent.
    fn segment(&self, map: &Spans, value: &Value) -> Segment {
        let mut segment = Segment { keys: self.keys, ..Segment::default() };
        let mut odd = Vec::new();
        let mut length = None;
        let offsets =
            [(&map.start, &mut segment.start), (&map.end, &mut segment.end), (&map.length, &mut length)];
        for (path, slot) in offsets {
            let Some(sent) = path.as_ref().and_then(|path| told(path, value)) else { continue };
            *slot = whole(sent);
            if slot.is_none() {
                odd.push(sent.as_str().map_or_else(|| sent.to_string(), quoted));
            }
        }
        let end = length.and_then(|length: i64| {
            let end = segment.start.unwrap_or_default().checked_add(length)?;
            end.checked_sub(i64::from(map.inclusive))
        });
        segment.end = segment.end.or(end);
        segment.unreadable = (!odd.is_empty()).then(|| odd.join(", ").into());
        let quote = map.quote.as_ref().and_then(|path| path.0.first(value)).and_then(Value::as_str);
        segment.quote = quote.map(str::to_owned);
        segment
    }

    /// Says that it does not show from where numbers count.
    fn uncounted(&self, response: &mut Response, who: &str, count: usize) {
        let sources = counted(count, "source");
        let words = format!(
            "no {who} names 0 or {count} of {sources}: whether the numbers count from 0 or from 1 does not show, and \
             they are read as from 0"
        );
        building::remark(response, RemarkKind::Uncounted, &self.origin, &words);
    }

    fn spans(&self, response: &mut Response, map: &Spans, names: &Names) {
        // A span may bring its own source along.
        let own = self.brought();
        let mut brought = names.own.iter();
        let mut found = Sought::default();
        let list = map.list.0.find(self.value, &self.origin);
        let sent: Vec<String> =
            list.iter().flat_map(|(value, origin)| referred(map, value, origin)).collect();
        let called = self.called(response, names, &sent, (map.count_from, own.is_some()));
        for (value, origin) in list.into_iter().take_while(|_| self.cx.take(THING)) {
            let segment = self.segment(map, value);
            let placed = map.start.is_none() && map.end.is_none();
            // A span that is no element of a list is the whole answer.
            let whole = placed && map.quote.is_none() && map.list.0.keys().is_some();
            let citation = |name: String| {
                let target = called.find(&name).map_or_else(|| Target::Dangling(name.into()), Target::Source);
                Citation::of(target, Place::default())
            };
            // Without offsets the words alone say where: behind those before, if they stand there.
            let range = segment.quote.as_deref().filter(|_| placed).and_then(|quote| {
                let at = found.next(response.text(), quote)?;
                Some(at..at + quote.len())
            });
            let range =
                range.or_else(|| (whole && !response.text().is_empty()).then_some(0..response.text().len()));
            response.supports.add(Support {
                layer: Layer::Span,
                kind: if range.is_some() { AnchorKind::Block } else { AnchorKind::Span },
                segment: Some(segment).filter(|_| range.is_none()),
                own: OwnPlace::placed(range),
                grade: Grade::new(map.score.as_ref().and_then(|path| path.0.first(value)?.as_f64()), None),
                citations: match &own {
                    Some(below) => {
                        let own = brought.by_ref().take(below.find(value, &origin).len());
                        own.map(|(source, chunks)| cites(*source, chunks)).collect()
                    }
                    None => referred(map, value, &origin).into_iter().map(citation).collect(),
                },
                origin,
                ..Support::default()
            });
        }
    }
}

/// Bytes that a source or a span takes beside its tree, with what is worked out of it.
const THING: usize = 1024;

/// Supports that are looked at for marks: each place is counted from the beginning.
const MARKS_MOST: usize = 64;

/// Makes what was taken for a claim the mark behind it.
fn as_mark(support: &mut Support) {
    support.own.mark = support.own.placed.take();
    support.kind = if support.own.mark.is_some() { AnchorKind::TextMarker } else { AnchorKind::Marker };
}

/// Whether what stands in the places of all supports is the mark of a citation, and not the claim.
fn are_marks(response: &Response, unit: Count) -> bool {
    let words = |support: &Support| {
        if let Some(placed) = &support.own.placed {
            return response.text().get(placed.clone());
        }
        let segment = support.segment.as_ref()?;
        let place = |offset: Option<i64>| usize::try_from(offset?).ok();
        unit.slice(response.text(), place(segment.start)?..place(segment.end)?)
    };
    let is_mark = |words: &str| {
        let words = words.trim();
        let inner = words.strip_prefix(['[', '【']).and_then(|rest| rest.strip_suffix([']', '】']));
        inner.is_some_and(|inner| (1..=40).contains(&inner.len()) && !inner.contains(['[', ']', '\n']))
    };
    let supports = &response.supports;
    !supports.is_empty()
        && supports.iter().take(MARKS_MOST).all(|support| words(support).is_some_and(is_mark))
}

/// A source that a claim brings along, as often as it does: its index, and those of its passages.
fn brought(response: &mut Response, shelf: &mut Shelf, mut source: Source) -> (usize, Vec<usize>) {
    let chunks = std::mem::take(&mut source.chunks);
    // Claims may count their sources each from 1: an address says more.
    let named = source.number.clone().or_else(|| source.document.clone());
    source.id = named.filter(|_| source.uri.is_none());
    let index = shelf.put(response, source);
    (index, chunks.into_iter().map(|chunk| shelf.passage(response, index, chunk)).collect())
}

fn cites(source: usize, chunks: &[usize]) -> Citation {
    let cited = Cited { chunks: chunks.to_vec(), ..Cited::default() };
    let cited = (!chunks.is_empty()).then(|| Box::new(cited));
    Citation { cited, ..Citation::of(Target::Source(source), Place::default()) }
}

/// What a span refers to.
fn referred(map: &Spans, value: &Value, origin: &Origin) -> Vec<String> {
    let named = |path| all(Some(path), value, origin).map(|one| named(one).into_owned()).collect::<Vec<_>>();
    map.source.iter().map(named).find(|names| !names.is_empty()).unwrap_or_default()
}

/// What a mark names, with commas between the names, each of which may repeat what leads the first.
fn citations(listed: &str, lead: &str, called: Called) -> Vec<Citation> {
    let list = listed.split([',', ';']).map(str::trim);
    let list =
        list.map(|name| name.strip_prefix(lead).map_or(name, str::trim)).filter(|name| !name.is_empty());
    let citation = |name: &str| {
        let target = called.find(name).map_or_else(|| Target::Dangling(name.into()), Target::Source);
        Citation::of(target, Place::default())
    };
    list.map(citation).collect()
}

/// What a pattern finds in a text.
struct Finder<'m> {
    pattern: &'m Pattern,
    called: Called<'m>,
    cx: &'m Cx,
}

impl<'m> Finder<'m> {
    /// What there is room for: it was taken where their names were asked for.
    fn found<'t>(&self, text: &'t str) -> impl Iterator<Item = Captures<'t>> + use<'t, 'm> {
        let cx = self.cx;
        self.pattern.regex.captures_iter(text).take_while(move |_| !cx.is_overdrawn())
    }

    /// A piece of the answer in which marks stand around their claims: the text without them, a support for
    /// each.
    fn enclosed(&self, response: &mut Response, text: &str, origin: &Origin) {
        let mut done = 0;
        for found in self.found(text) {
            let (Some(whole), Some(group), Some(claim)) =
                (found.get(0), self.pattern.named(&found), found.name(CLAIM))
            else {
                continue;
            };
            building::answer_text(response, text.get(done..whole.start()).unwrap_or_default(), true);
            let from = response.text().len();
            building::answer_text(response, claim.as_str(), true);
            done = whole.end();
            response.supports.add(Support {
                origin: origin.clone(),
                layer: Layer::Marker,
                kind: AnchorKind::Block,
                own: OwnPlace::placed(Some(from..response.text().len())),
                citations: citations(group.as_str(), "", self.called),
                ..Support::default()
            });
        }
        building::answer_text(response, text.get(done..).unwrap_or_default(), true);
    }

    /// Marks that a pattern finds; those side by side are one support.
    fn marked(&self, response: &mut Response, origin: &Origin) {
        let text = response.text().to_owned();
        for found in self.found(&text) {
            let (Some(whole), Some(group)) = (found.get(0), self.pattern.named(&found)) else { continue };
            let lead = text
                .get(whole.start()..group.start())
                .unwrap_or_default()
                .trim_start_matches(['[', '<', '{']);
            let last = response
                .supports
                .last_mut()
                .and_then(|last| Some((last.own.mark.as_mut()?, &mut last.citations)));
            let mark =
                last.filter(|(mark, _)| text.get(mark.end..whole.start()).is_some_and(markers::is_gap));
            if let Some((mark, all)) = mark {
                mark.end = whole.end();
                all.extend(citations(group.as_str(), lead, self.called));
                continue;
            }
            response.supports.add(Support {
                origin: origin.clone(),
                layer: Layer::Marker,
                kind: AnchorKind::TextMarker,
                own: OwnPlace::mark(whole.range()),
                citations: citations(group.as_str(), lead, self.called),
                ..Support::default()
            });
        }
    }
}
