//! Boards as SVG.

use std::fmt::Write as _;

use yarra_games::{Board, Cell, Player, Position};

use crate::layout::{Layout, RADIUS};
use crate::marks::{LastMove, Mark, marks};

const MARGIN: f64 = 36.0;

/// Draws the board. Cells that the last move changed have a thick rim, or a dot if it emptied them.
pub fn svg(pos: &dyn Position, last: Option<LastMove<'_>>) -> String {
    picture(Layout::of(pos), &pos.cells(), &marks(pos, last), &format!("{} {pos}", pos.spec()))
}

fn picture(layout: Layout, cells: &[Cell], marks: &[Option<Mark>], title: &str) -> String {
    let mut shapes = String::new();
    let mut box_ = Extent::default();
    for (cell, mark) in cells.iter().zip(marks) {
        let center = layout.center(cell);
        box_.include(center);
        draw_cell(&mut shapes, layout, cell, *mark);
    }
    for (text, center) in labels(layout, cells) {
        let _ = writeln!(
            shapes,
            r##"<text x="{:.1}" y="{:.1}" fill="#777">{text}</text>"##,
            center.0,
            center.1 + 5.0
        );
    }
    let (x, y, width, height) = box_.with_margin();
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x:.1} {y:.1} {width:.1} {height:.1}" font-family="sans-serif" font-size="15" text-anchor="middle">
<title>{title}</title>
{shapes}</svg>"#
    )
}

fn draw_cell(shapes: &mut String, layout: Layout, cell: &Cell, mark: Option<Mark>) {
    draw_ground(shapes, layout, cell);
    let center = layout.center(cell);
    match (cell.owner, mark) {
        (Some(owner), _) => {
            draw_stone(shapes, layout, center, (owner, cell.power), if mark.is_some() { 4 } else { 0 });
        }
        (None, Some(Mark::Placed)) => draw_ring(shapes, center),
        (None, Some(Mark::Emptied)) => draw_gap(shapes, center),
        (None, None) => {}
    }
}

fn draw_ground(shapes: &mut String, layout: Layout, cell: &Cell) {
    let (x, y) = layout.center(cell);
    let corner = |(angle, distance): (f64, f64)| {
        let (sin, cos) = angle.to_radians().sin_cos();
        format!("{:.1},{:.1}", x + distance * cos, y + distance * sin)
    };
    let points = layout.corners().into_iter().map(corner).collect::<Vec<_>>().join(" ");
    let ground = match layout.side(cell) {
        Some(Player::Red) => "#fbe6e3",
        Some(Player::Blue) => "#e3ebfa",
        None => "#f6f4ee",
    };
    let _ = writeln!(shapes, r##"<polygon points="{points}" fill="{ground}" stroke="#b9b4a7"/>"##);
}

/// A cell whose stone went with the move that put it there.
fn draw_ring(shapes: &mut String, (x, y): (f64, f64)) {
    let _ = writeln!(
        shapes,
        r##"<circle cx="{x:.1}" cy="{y:.1}" r="15" fill="none" stroke="#222" stroke-width="4"/>"##
    );
}

/// A cell that has lost its stone.
fn draw_gap(shapes: &mut String, (x, y): (f64, f64)) {
    let _ = writeln!(shapes, r##"<circle cx="{x:.1}" cy="{y:.1}" r="4" fill="#333"/>"##);
}

fn draw_stone(
    shapes: &mut String,
    layout: Layout,
    (x, y): (f64, f64),
    (owner, power): (Player, u8),
    rim: u8,
) {
    let color = match owner {
        Player::Red => "#c8432f",
        Player::Blue => "#2f62c8",
    };
    let _ = writeln!(
        shapes,
        r##"<circle cx="{x:.1}" cy="{y:.1}" r="15" fill="{color}" stroke="#222" stroke-width="{rim}"/>"##
    );
    if layout.shows_power() {
        let _ = writeln!(
            shapes,
            r##"<text x="{x:.1}" y="{:.1}" fill="#fff" font-weight="bold">{power}</text>"##,
            y + 5.0
        );
    }
}

/// The parts of a board, for a page that shows many positions of one game.
pub struct Kit {
    /// The empty board as an SVG element.
    pub board: String,
    /// The center of each cell, row by row.
    pub centers: Vec<(f64, f64)>,
    /// The name of each stone, such as `r3`, and its SVG around the origin.
    pub stones: Vec<(String, String)>,
}

impl Kit {
    /// The parts for a position's game.
    pub fn new(pos: &dyn Position) -> Kit {
        let empty = |cell: Cell| Cell { owner: None, power: 0, ..cell };
        let cells: Vec<Cell> = pos.cells().into_iter().map(empty).collect();
        let layout = Layout::of(pos);
        let highest = pos.info().max_power;
        let stones =
            Player::BOTH.into_iter().flat_map(|player| (1..=highest).map(move |power| (player, power)));
        let draw = |(player, power): (Player, u8)| {
            let mut shapes = String::new();
            draw_stone(&mut shapes, layout, (0.0, 0.0), (player, power), 0);
            (format!("{}{power}", player.letter()), shapes)
        };
        Kit {
            board: picture(layout, &cells, &vec![None; cells.len()], "the board"),
            centers: cells.iter().map(|cell| layout.center(cell)).collect(),
            stones: stones.map(draw).collect(),
        }
    }
}

/// The coordinates, each beside the first cell of its row or column.
fn labels(layout: Layout, cells: &[Cell]) -> Vec<(String, (f64, f64))> {
    let names = if layout.board == Board::Square { ["", ""] } else { ["r", "q"] };
    let mut labels = Vec::new();
    for cell in cells {
        let (row, col) = (f64::from(cell.row), f64::from(cell.col));
        if cell.col == 0 {
            labels.push((format!("{}{}", names[0], cell.row), layout.center_of(row, -1.0)));
        }
        if cell.row == 0 {
            labels.push((format!("{}{}", names[1], cell.col), layout.center_of(-1.0, col)));
        }
    }
    labels
}

/// The bounding box of the drawing.
#[derive(Clone, Copy)]
struct Extent {
    min: (f64, f64),
    max: (f64, f64),
}

impl Default for Extent {
    fn default() -> Extent {
        Extent { min: (f64::MAX, f64::MAX), max: (f64::MIN, f64::MIN) }
    }
}

impl Extent {
    fn include(&mut self, (x, y): (f64, f64)) {
        self.min = (self.min.0.min(x), self.min.1.min(y));
        self.max = (self.max.0.max(x), self.max.1.max(y));
    }

    /// Left, top, width and height, with room for rims and labels.
    fn with_margin(self) -> (f64, f64, f64, f64) {
        let room = MARGIN + RADIUS;
        let (width, height) = (self.max.0 - self.min.0, self.max.1 - self.min.1);
        (self.min.0 - room, self.min.1 - room, width + 2.0 * room, height + 2.0 * room)
    }
}
