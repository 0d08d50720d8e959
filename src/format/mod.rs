//! formats
mod wire;
