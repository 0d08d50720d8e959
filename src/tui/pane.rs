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

/// Where a pane stands on a wide screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// At the left, over the whole height.
    Main,
    /// At the right, in what the others leave.
    Rest,
    /// At the right, in at most so many hundredths of the height.
    Side(u16),
    /// At the right, in the place that these share: whichever was asked for last is shown.
    Shared,
}

/// What is known of a pane.
struct Row {
    title: &'static str,
    key: &'static str,
    doc: &'static str,
    place: Place,
}

impl Pane {
    /// All of them, in the order of Tab.
    pub const ALL: [Self; 6] =
        [Self::Answer, Self::Sources, Self::Queries, Self::Trace, Self::Findings, Self::Response];

    /// How many there are.
    pub const COUNT: usize = Self::ALL.len();

    const fn row(self) -> Row {
        match self {
            Self::Answer => Row { title: "Answer", key: "1", doc: "answer", place: Place::Main },
            Self::Sources => {
                Row { title: "Sources", key: "2", doc: "sources of the selected span", place: Place::Rest }
            }
            Self::Queries => Row { title: "Queries", key: "3", doc: "queries", place: Place::Side(18) },
            Self::Trace => Row { title: "Trace", key: "4", doc: "trace", place: Place::Side(22) },
            Self::Findings => Row { title: "Findings", key: "5", doc: "findings", place: Place::Shared },
            Self::Response => {
                Row { title: "Response", key: "6", doc: "the response as a whole", place: Place::Shared }
            }
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

    /// Where it stands on a wide screen.
    pub const fn place(self) -> Place {
        self.row().place
    }

    /// Its place in [`Self::ALL`].
    pub fn index(self) -> usize {
        Self::ALL.iter().position(|&pane| pane == self).unwrap_or_default()
    }

    /// Those that share a place on wide screens.
    pub fn shared() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|pane| pane.place() == Place::Shared)
    }
}
