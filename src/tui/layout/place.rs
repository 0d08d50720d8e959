//! What a layout is made of, and what is kept of it between frames.

use std::sync::Arc;

use ratatui::layout::{Rect, Size};

use super::super::census::Census;
use super::super::doc::Doc;
use super::super::keymap::Command;
use super::super::page::Page;
use super::super::pane::Columns;
use super::super::standing::Standing;
use super::super::state::{Cursor, Overlay, Pane, State};
use crate::review::Review;

/// Smallest size that shows everything.
pub const SMALLEST: Size = Size { width: 40, height: 10 };
/// From here on panes stand beside the answer.
pub const WIDE: Size = Size { width: 110, height: 16 };
/// From here on they stand in two columns.
pub const WIDEST: Size = Size { width: 160, height: 20 };
/// Signs of claims that a row has at most.
pub const SIGNS: usize = 2;
/// Columns before the answer's text: the selection, the signs, what was decided, a blank.
pub const GUTTER: u16 = 3 + SIGNS as u16;
/// Columns of prose: longer lines are hard to follow.
pub(super) const PROSE: u16 = 90;
/// Rows of the question from which on it takes two, if it needs them.
pub(super) const ROOMY: u16 = 18;

/// A pane on the screen.
#[derive(Debug, Clone)]
pub struct PanePlace {
    /// Which.
    pub pane: Pane,
    /// Its title line.
    pub title: Rect,
    /// Its content.
    pub body: Rect,
    /// What it shows.
    pub doc: Arc<Doc>,
    /// Where it stands.
    pub cursor: Cursor,
    /// It shares its place with others, whose titles stand beside its own.
    pub shared: bool,
}

/// The geometry of a frame.
#[derive(Debug, Clone)]
pub struct Layout {
    /// Size of the screen.
    pub size: Size,
    /// Everything fits; else only a sentence is shown.
    pub enough: bool,
    /// Columns of panes.
    pub columns: Columns,
    /// Header lines.
    pub header: Rect,
    /// The words that lead to what the headline tells, and what a click on them does.
    pub lead: Option<(Rect, String, Command)>,
    /// Title of the answer.
    pub answer_title: Rect,
    /// The question, above the answer.
    pub question: Rect,
    /// Gutter, text and scroll bar of the answer.
    pub answer: Rect,
    /// Rows of the answer.
    pub page: Arc<Page>,
    /// The first row of the answer that is shown.
    pub top: usize,
    /// Where the claims stand.
    pub census: Arc<Census>,
    /// The worst claim of each line of the scroll bar.
    pub map: Arc<Vec<Option<Standing>>>,
    /// Below it the claims that have no place in it.
    pub placeless: Option<(Rect, Doc)>,
    /// Side panes.
    pub panes: Vec<PanePlace>,
    /// Titles that can be clicked to change a tab.
    pub tabs: Vec<Tab>,
    /// Columns that part the panes.
    pub rules: Vec<u16>,
    /// Footer line.
    pub footer: Rect,
    /// What lies on top: frame, content, title, document.
    pub overlay: Option<OverlayPlace>,
    /// Beside the list the response at its cursor.
    pub preview: Option<OverlayPlace>,
    /// The command palette, over all.
    pub palette: Option<OverlayPlace>,
}

/// A title that can be clicked.
#[derive(Debug, Clone)]
pub struct Tab {
    /// The pane it is of.
    pub pane: Pane,
    /// Where it stands.
    pub area: Rect,
    /// What it says.
    pub words: String,
}

/// An overlay on the screen.
#[derive(Debug, Clone)]
pub struct OverlayPlace {
    /// With its frame.
    pub frame: Rect,
    /// The lines that are not scrolled, below the title.
    pub head: Rect,
    /// Inside of the frame, below them.
    pub body: Rect,
    /// Title.
    pub title: String,
    /// What it shows.
    pub doc: Arc<Doc>,
    /// Where it stands.
    pub cursor: Cursor,
}

/// An overlay and a width, with the title and document made for them.
pub(super) type Made = ((Overlay, u16), (String, Arc<Doc>));

/// What the claims of a response are known by: the response, how far it was compared, whether that counts.
#[derive(Clone, Default)]
pub(super) struct Known {
    /// Held, so that its address cannot be that of another one.
    pub(super) review: Option<Arc<Review>>,
    pub(super) compared: bool,
    pub(super) compare: bool,
}

impl Known {
    pub(super) fn of(state: &State) -> Self {
        let review = state.review().cloned();
        let compared = review.as_ref().is_some_and(|review| review.is_compared());
        Self { review, compared, compare: state.compare }
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        let same = match (&self.review, &other.review) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        };
        same && self.compared == other.compared && self.compare == other.compare
    }
}

/// The lines of a scroll bar, with the page and the height they were made for.
pub(super) type Mapped = (Arc<Page>, usize, Arc<Vec<Option<Standing>>>);

/// What is worth keeping between frames, by what it was made from.
#[derive(Default)]
pub struct Cache {
    pub(super) page: Option<(Known, bool, u16, Arc<Page>)>,
    pub(super) census: Option<(Known, Arc<Census>)>,
    pub(super) map: Option<Mapped>,
    pub(super) revision: u64,
    pub(super) docs: Vec<((Pane, u16), Arc<Doc>)>,
    pub(super) overlay: Option<Made>,
    /// Rows that the lowest pane of a response needs, the most so far: it is as high whichever claim is
    /// selected.
    pub(super) low: Option<((usize, Pane, u16), usize)>,
}
