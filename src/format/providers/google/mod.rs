//! Google's formats, the wire structs they share, and how these become the model.

pub mod agent_engine;
pub mod check_grounding;
pub mod discovery_engine;
pub mod gemini;
pub mod lowering;
pub mod wire;
