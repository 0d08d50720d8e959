//! What the state is made of: cursors, overlays, filters, prompts, notices, wants.

use std::ops::Range;

use super::super::copy_target::CopyTarget;
use super::super::pane::Pane;
use super::super::table::Search;
use crate::check::Rule;
use crate::export::ExportTarget;
use crate::model::Origin;

/// Where a pane or an overlay stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cursor {
    /// The entry that is selected.
    pub entry: usize,
    /// First line shown.
    pub top: usize,
    /// It was moved by hand; until then it follows the selection.
    pub moved: bool,
}

/// What lies over the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Overlay {
    /// Keys.
    Help,
    /// What to copy.
    Copy,
    /// Which spans to walk.
    Filter,
    /// A source in full.
    Source(usize),
    /// A trace in full.
    Trace(usize),
    /// A finding with its rule.
    Finding(usize),
    /// For a support, the cited passage beside the one that holds more of it.
    Better(usize),
    /// A support read in each unit.
    Readings(usize),
    /// JSON as sent.
    Raw(Origin),
    /// All sources.
    Sources,
    /// All responses.
    Responses,
    /// What is counted of them.
    Summary,
    /// Open this address in the browser?
    Browse(String),
    /// Claims against sources.
    Matrix,
    /// What a repair would change.
    Repair,
    /// To what an export can be written.
    Write,
    /// What a command said.
    Output(String),
}

/// Where an overlay wants to stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placing {
    /// Over all.
    Page,
    /// As wide as the screen, and clear of the selection.
    Wide,
    /// Beside the answer where there is room, else as wide as the screen and clear of the selection.
    Menu,
    /// Beside the answer where there is room, else below the selection.
    Beside,
}

impl Overlay {
    /// Where it wants to stand.
    pub fn placing(&self) -> Placing {
        match self {
            Self::Help | Self::Responses | Self::Summary => Placing::Page,
            Self::Better(_) | Self::Readings(_) | Self::Matrix | Self::Repair | Self::Output(_) => {
                Placing::Wide
            }
            Self::Copy | Self::Write => Placing::Menu,
            _ => Placing::Beside,
        }
    }

    /// Whether a cursor stands on its entries.
    pub fn is_listed(&self) -> bool {
        !matches!(self, Self::Help | Self::Browse(_) | Self::Repair | Self::Output(_))
    }
}

/// What is typed, and for what.
#[derive(Debug, Clone)]
pub struct Typing {
    /// What is asked.
    pub prompt: Prompt,
    /// What is typed so far.
    pub text: String,
    /// Where the list of what can be chosen stands.
    pub cursor: Cursor,
}

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub enum Prompt {
    /// Words to look for.
    Search,
    /// A command, or the number of a support.
    Palette,
    /// A command of the shell that gets the JSON of the selection.
    Pipe,
    /// The text of a source, or the file that holds it.
    Attach(usize),
    /// Why a claim was decided so.
    Note,
    /// The name of the file to write an export to.
    Write(&'static ExportTarget),
}

impl Prompt {
    /// What stands before what is typed.
    pub const fn lead(self) -> &'static str {
        match self {
            Self::Search => "/",
            Self::Palette => ":",
            Self::Pipe => "!",
            Self::Attach(_) => "text of the source: ",
            Self::Note => "note: ",
            Self::Write(_) => "write to: ",
        }
    }
}

/// Where everything stood before a search.
#[derive(Debug, Clone)]
pub struct Before {
    /// The selected span.
    pub span: usize,
    /// The selected sentence.
    pub sentence: Option<usize>,
    /// Cursors of the panes.
    pub cursors: [Cursor; Pane::COUNT],
    /// What was searched for.
    pub needle: String,
}

/// Where a search found something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// Bytes of the answer.
    Answer(Range<usize>),
    /// A source, by its name, address or text.
    Source(usize),
    /// A query.
    Query(usize),
    /// A trace.
    Trace(usize),
    /// A finding.
    Finding(usize),
    /// The question.
    Question,
    /// A line of what lies over the screen.
    Line(usize),
    /// A line of the pane of the response as a whole.
    Response(usize),
}

/// Where one has been.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visited {
    /// The row of the list.
    pub row: usize,
    /// The selected span.
    pub span: usize,
    /// The selected sentence.
    pub sentence: Option<usize>,
}

/// Which spans are walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Filter {
    /// All.
    #[default]
    All,
    /// Those with a finding.
    Findings,
    /// Those with a finding of a rule.
    Rule(&'static Rule),
    /// Those that cite a source.
    Source(usize),
    /// Those with a score below one half.
    LowScore,
    /// Those that cite nothing.
    Uncited,
}

impl Filter {
    /// In words; empty for all.
    pub fn words(self) -> String {
        match self {
            Self::All => String::new(),
            Self::Findings => "only claims with findings".to_owned(),
            Self::Rule(rule) => format!("only claims with {}", rule.id),
            Self::Source(source) => format!("only claims that cite [{}]", source + 1),
            Self::LowScore => "only claims scored below 0.5".to_owned(),
            Self::Uncited => "only what cites nothing".to_owned(),
        }
    }
}

/// A line in the footer about what just happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What.
    pub text: String,
    /// Of what sort.
    pub kind: NoticeKind,
}

/// What a notice is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeKind {
    /// Something was done.
    Done,
    /// Something is said.
    Said,
    /// Something could not be done.
    Failed,
}

/// The beginning of what a row of the copy menu would copy.
#[derive(Debug, Clone)]
pub struct Preview {
    /// The row.
    pub target: CopyTarget,
    /// The revision of the state that it was made from.
    pub revision: u64,
    /// The text, or why there is none.
    pub text: Result<String, String>,
}

/// What the shell should do outside of the state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Want {
    /// Put this text on the clipboard; the second names it.
    Copy(String, String),
    /// Open this address.
    Browse(String),
    /// Switch mouse reports.
    Mouse(bool),
    /// Look for responses that have to be read to know.
    Find(Search),
    /// Stop the check in the background, or let it go on.
    Pause(bool),
    /// Give a source the text that is in a file.
    Attach(usize, String),
    /// Keep what was decided of the claims of this input.
    SaveMarks(String),
    /// Repair the file of the shown response: in it, or in a copy beside it.
    Repair(bool),
    /// Show a place of a file in the user's editor: line and column.
    Edit(String, usize, usize),
    /// Give a text to a command of the shell.
    Pipe(String, String),
    /// Propose another name for a file where that one is taken.
    FreeName,
    /// Write a text to a new file.
    Write(String, String),
    /// Read everything again.
    Reload,
    /// Stop the program until it is continued.
    Suspend,
    /// End.
    Quit,
}
