//! Which audited step a reference of a Bigdata run means.

use std::collections::HashMap;

use crate::model::{Chunk, Join, Label, Response, Source, Target, Trace};

/// The steps of a run by what they are known by, in the order sent.
struct Steps<'a> {
    traces: &'a [Trace],
    by_id: HashMap<&'a str, Vec<usize>>,
    by_stripped: HashMap<&'a str, Vec<usize>>,
    by_source: HashMap<usize, Vec<usize>>,
}

/// A tool's name without `_tool`.
fn stripped(name: &str) -> &str {
    name.strip_suffix("_tool").unwrap_or(name)
}

/// A reference as far as the join goes.
struct Asked<'a> {
    /// The frame it came in.
    frame: u32,
    source: Option<usize>,
    audit: Option<&'a str>,
    tool: Option<&'a str>,
}

impl<'a> Steps<'a> {
    fn of(traces: &'a [Trace]) -> Self {
        let mut out =
            Self { traces, by_id: HashMap::new(), by_stripped: HashMap::new(), by_source: HashMap::new() };
        for (number, trace) in traces.iter().enumerate() {
            if let Some(id) = trace.id.as_deref() {
                out.by_id.entry(id).or_default().push(number);
                out.by_stripped.entry(stripped(id)).or_default().push(number);
            }
            for source in trace.results.iter().filter_map(|result| result.source) {
                let steps = out.by_source.entry(source).or_default();
                if steps.last() != Some(&number) {
                    steps.push(number);
                }
            }
        }
        out
    }

    /// By id; by the tool's name, since `audit_id` is often opaque while the trace's `tool_id` is the tool's
    /// name; with `_tool` stripped; by the document that the trace found.
    fn join(&self, asked: &Asked) -> (Option<usize>, Option<Join>) {
        if let Some((step, joined)) = asked.audit.and_then(|id| self.nearest(self.by_id.get(id)?, asked)) {
            return (Some(step), joined);
        }
        let named = |name: &str| self.likely(self.by_id.get(name)?, asked);
        let alike = |name: &str| self.likely(self.by_stripped.get(stripped(name))?, asked);
        if let Some(step) = asked.tool.and_then(named) {
            return (Some(step), Some(Join::ToolName));
        }
        if let Some(step) = asked.tool.and_then(alike).or_else(|| asked.audit.and_then(alike)) {
            return (Some(step), Some(Join::ToolNameStripped));
        }
        let found = self.by_source.get(&asked.source.unwrap_or(usize::MAX));
        found.and_then(|steps| steps.first()).map_or((None, None), |&step| (Some(step), Some(Join::Document)))
    }

    /// Of several steps with one id the nearest before the reference is meant (002), whatever it returned.
    /// Where none comes before it, the first. Also which it is of several.
    fn nearest(&self, steps: &[usize], asked: &Asked) -> Option<(usize, Option<Join>)> {
        let early = self.before(steps, asked);
        match early.last() {
            Some(&step) => Some((step, (early.len() > 1).then_some(Join::Nearest))),
            None => Some((*steps.first()?, (steps.len() > 1).then_some(Join::First))),
        }
    }

    /// Of several steps of one tool the nearest before the reference that returned its document, or else one
    /// that comes late and did; where none did, the nearest before it, or the first.
    fn likely(&self, steps: &[usize], asked: &Asked) -> Option<usize> {
        let early = self.before(steps, asked);
        let found = asked.source.and_then(|source| self.by_source.get(&source));
        let returned = |step: &&usize| found.is_some_and(|found| found.binary_search(step).is_ok());
        let step = early.iter().rfind(returned).or_else(|| steps.iter().find(returned));
        step.or(early.last()).or(steps.first()).copied()
    }

    /// The steps that came before a reference.
    fn before<'s>(&self, steps: &'s [usize], asked: &Asked) -> &'s [usize] {
        let frame = |step: usize| self.traces.get(step).map_or(0, |trace| trace.origin.frame);
        steps.get(..steps.partition_point(|&step| frame(step) <= asked.frame)).unwrap_or_default()
    }
}

/// Joins each reference to its step, and gives tools the name and the text of theirs.
pub fn join_traces(response: &mut Response) {
    let steps = Steps::of(&response.traces);
    let mut titles = Vec::new();
    for support in &mut response.supports {
        let frame = support.origin.frame;
        for citation in &mut support.citations {
            let source = citation.target.source();
            let asked = Asked { frame, source, audit: citation.audit(), tool: citation.tool() };
            let (trace, joined) = steps.join(&asked);
            if let Some(link) = &mut citation.link {
                (link.trace, link.joined) = (trace, joined);
            }
            if let (Target::Tool(source), Some(trace)) = (&citation.target, trace) {
                titles.push((*source, trace));
            }
        }
    }
    for (source, trace) in titles {
        if let Some((source, trace)) = response.sources.get_mut(source).zip(response.traces.get(trace)) {
            describe(source, trace);
        }
    }
}

/// What a tool is called, and what it returned.
fn describe(source: &mut Source, trace: &Trace) {
    source.title = trace.title.clone().or(source.title.take());
    if source.chunks.is_empty() {
        let texts = trace.results.iter().filter(|result| result.source.is_none());
        let label = Some(Label::ToolResult);
        source.chunks = texts
            .filter_map(|result| Some(Chunk { text: result.text.clone()?, label, ..Chunk::default() }))
            .collect();
    }
}
