//! Boards and reviews as text, SVG and HTML.

mod graph;
mod layout;
mod review;
mod svg;
mod text;

pub use graph::{Ink, graph};
pub use review::page;
pub use svg::{Kit, svg};
pub use text::{Style, draw};
