//! The panes, a row each: title, key, place on the screen. What each shows stands in [`super::panes`].

/// Panes that can have the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pane {
    /// The answer.
    Answer,
    /// Sources of the selected span.
    Sources,
    /// Queries.
    Queries,
    /// Traces.
    Trace,
    /// Findings.
    Findings,
    /// The response as a whole.
    Response,
}

/// How many columns the screen has room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Columns {
    /// The answer above, one pane below.
    One,
    /// The answer, and two panes beside it.
    Two,
    /// The answer, its sources, and two panes beside them.
    Three,
}

impl Columns {
    /// Panes that share a place beside the answer or below it: of each place whichever was asked for last is
    /// shown.
    pub const fn places(self) -> &'static [&'static [Pane]] {
        use Pane::{Findings, Queries, Response, Sources, Trace};
        match self {
            Self::One => &[&[Sources, Queries, Trace, Findings, Response]],
            Self::Two => &[&[Sources], &[Queries, Trace, Findings, Response]],
            Self::Three => &[&[Sources], &[Queries, Trace], &[Findings, Response]],
        }
    }
}

/// What is known of a pane.
struct Row {
    title: &'static str,
    key: &'static str,
    doc: &'static str,
}

impl Pane {
    /// All of them, in the order of Tab.
    pub const ALL: [Self; 6] =
        [Self::Answer, Self::Sources, Self::Queries, Self::Trace, Self::Findings, Self::Response];

    /// How many there are.
    pub const COUNT: usize = Self::ALL.len();

    const fn row(self) -> Row {
        match self {
            Self::Answer => Row { title: "Answer", key: "1", doc: "answer" },
            Self::Sources => Row { title: "Sources", key: "2", doc: "sources of the selected claim" },
            Self::Queries => Row { title: "Queries", key: "3", doc: "queries" },
            Self::Trace => Row { title: "Trace", key: "4", doc: "trace" },
            Self::Findings => Row { title: "Findings", key: "5", doc: "findings" },
            Self::Response => Row { title: "Response", key: "6", doc: "the response as a whole" },
        }
    }

    /// Its title.
    pub const fn title(self) -> &'static str {
        self.row().title
    }

    /// The key that gives it the keys.
    pub const fn key(self) -> &'static str {
        self.row().key
    }

    /// What the help says of that key.
    pub const fn doc(self) -> &'static str {
        self.row().doc
    }

    /// Its place in [`Self::ALL`].
    pub fn index(self) -> usize {
        Self::ALL.iter().position(|&pane| pane == self).unwrap_or_default()
    }
}
