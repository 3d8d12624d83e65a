//! Boards and reviews as text, SVG and HTML.

mod graph;
mod layout;
mod marks;
mod printable;
mod review;
mod svg;
mod text;

pub use graph::{Ink, graph};
pub use marks::LastMove;
pub use printable::{cleaned, printable, printable_lines};
pub use review::page;
pub use svg::{Kit, svg};
pub use text::{Style, draw};
