//! What lies over the screen: the document of each overlay, and its title.

use super::super::doc::Doc;
use super::super::state::{Overlay, State};
use super::{compared, findings, help, lists, matrix, raw, readings, repair, source, table, traces};

/// The document of an overlay, and its title.
pub fn overlay(state: &State, overlay: &Overlay, width: usize) -> (String, Doc) {
    let mut doc = Doc::new(width);
    body(state, overlay, &mut doc);
    (title(state, overlay, width), doc)
}

fn title(state: &State, overlay: &Overlay, width: usize) -> String {
    let fixed = match overlay {
        Overlay::Source(index) => return format!("Source [{}]", index + 1),
        Overlay::Trace(index) => return format!("Trace {}", index + 1),
        Overlay::Finding(index) => return format!("Finding {}", index + 1),
        Overlay::Readings(support) => return format!("Support {} read in each unit", support + 1),
        Overlay::Raw(origin) => return raw::title(state, origin, width),
        Overlay::Responses => return table::title(state, width),
        Overlay::Help => "Keys",
        Overlay::Copy => "Copy",
        Overlay::Filter => "Walk only …",
        Overlay::Better(_) => "Another passage holds more of the claim",
        Overlay::Sources => "All sources",
        Overlay::Summary => "What the responses have",
        Overlay::Matrix => "Claims × sources",
        Overlay::Repair => "Repair",
        Overlay::Write => "Write to a file",
        Overlay::Output(_) => "What the command said",
        Overlay::Browse(_) => "Open in the browser?",
    };
    fixed.to_owned()
}

fn body(state: &State, overlay: &Overlay, doc: &mut Doc) {
    match overlay {
        Overlay::Help => help::help(doc),
        Overlay::Copy => lists::copy_menu(state, doc),
        Overlay::Filter => lists::filter_menu(state, doc),
        Overlay::Source(index) => source::detail(state, *index, doc),
        Overlay::Trace(index) => traces::detail(state, *index, doc),
        Overlay::Finding(index) => findings::detail(state, *index, doc),
        Overlay::Better(support) => compared::better(state, *support, doc),
        Overlay::Readings(support) => readings::readings(state, *support, doc),
        Overlay::Raw(origin) => raw::raw(state, origin, doc),
        Overlay::Sources => lists::sources(state, doc),
        // Made for the rows in view: see `list`.
        Overlay::Responses => {}
        Overlay::Summary => table::summary(state, doc),
        Overlay::Matrix => matrix::matrix(state, doc),
        Overlay::Repair => repair::repair(state, doc),
        Overlay::Write => lists::write_menu(state, doc),
        Overlay::Output(text) => {
            doc.text(0, text, crate::look::Role::Plain, usize::MAX);
        }
        Overlay::Browse(address) => lists::browse(address, doc),
    }
}
