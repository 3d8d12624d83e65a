//! Boards, reviews and reports of training as text, SVG and HTML.

mod graph;
mod layout;
mod marks;
mod printable;
mod review;
mod svg;
mod text;
mod training;

pub use graph::{Ink, graph};
pub use marks::LastMove;
pub use printable::{cleaned, printable, printable_lines};
pub use review::page;
pub use svg::{Kit, svg};
pub use text::{Style, draw};
pub use training::{Chart, Curve, Sample, Table, Training, training_page};
