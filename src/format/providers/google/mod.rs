//! What Google's formats share: wire structs, and how these become the model.

pub mod lowering;
pub mod wire;
