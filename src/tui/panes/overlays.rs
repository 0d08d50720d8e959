//! What lies over the screen: the document of each overlay, and its title.

use super::super::doc::Doc;
use super::super::state::{Overlay, State};
use super::{compared, findings, help, lists, matrix, raw, readings, repair, source, table, traces};

/// The document of an overlay, and its title.
pub fn overlay(state: &State, overlay: &Overlay, width: usize) -> (String, Doc) {
    let mut doc = Doc::new(width);
    let title = match overlay {
        Overlay::Help => {
            help::help(&mut doc);
            "Keys".to_owned()
        }
        Overlay::Copy => {
            lists::copy_menu(state, &mut doc);
            "Copy".to_owned()
        }
        Overlay::Filter => {
            lists::filter_menu(state, &mut doc);
            "Walk only …".to_owned()
        }
        Overlay::Source(index) => {
            source::detail(state, *index, &mut doc);
            format!("Source [{}]", index + 1)
        }
        Overlay::Trace(index) => {
            traces::detail(state, *index, &mut doc);
            format!("Trace {}", index + 1)
        }
        Overlay::Finding(index) => {
            findings::detail(state, *index, &mut doc);
            format!("Finding {}", index + 1)
        }
        Overlay::Better(support) => {
            compared::better(state, *support, &mut doc);
            "Another chunk holds more of the claim".to_owned()
        }
        Overlay::Readings(support) => {
            readings::readings(state, *support, &mut doc);
            format!("Support {} read in each unit", support + 1)
        }
        Overlay::Raw(origin) => {
            raw::raw(state, origin, &mut doc);
            raw::title(state, origin, width)
        }
        Overlay::Sources => {
            lists::sources(state, &mut doc);
            "All sources".to_owned()
        }
        // Made for the rows in view: see `list`.
        Overlay::Responses => table::title(state, width),
        Overlay::Summary => {
            table::summary(state, &mut doc);
            "What the responses have".to_owned()
        }
        Overlay::Matrix => {
            matrix::matrix(state, &mut doc);
            "Claims × sources".to_owned()
        }
        Overlay::Repair => {
            repair::repair(state, &mut doc);
            "Repair".to_owned()
        }
        Overlay::Write => {
            lists::write_menu(state, &mut doc);
            "Write to a file".to_owned()
        }
        Overlay::Output(text) => {
            doc.text(0, text, crate::look::Role::Plain, usize::MAX);
            "What the command said".to_owned()
        }
        Overlay::Browse(address) => {
            lists::browse(address, &mut doc);
            "Open in the browser?".to_owned()
        }
    };
    (title, doc)
}
