//! What several tests need: the program as a user runs it, the library, the screen, schemas.

pub mod dice;
pub mod library;
pub mod program;
pub mod schema;
pub mod screen;
pub mod secrets;
#[cfg(unix)]
pub mod terminal;
