//! All that is tested from outside, in one binary: every further one would have to be linked anew.

mod boundaries;
mod cli;
mod cli_check;
mod cli_collections;
mod cli_export;
mod cli_fix;
mod cli_machine;
mod cli_score;
mod cli_source_text;
mod collections;
mod common;
mod corners;
mod corpus;
mod docs;
mod doctor;
mod evidence;
mod evidence_props;
mod evidence_reference;
mod evidence_screens;
mod evidence_vectors;
mod explain;
mod fields;
mod following;
mod formats;
mod hostile;
mod marks;
mod mutated;
mod neutral;
mod props;
#[cfg(unix)]
mod pty;
mod renderers;
mod schema;
mod screens;
mod vendor_function;
mod wire;
