//! Boards as text, readable with and without color.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anstyle::{AnsiColor, Effects, Style as Ansi};
use yarra_games::{Board, Cell, Player, Position};

use crate::marks::{LastMove, marks};

/// How boards are drawn on a terminal.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Whether to write escape codes.
    pub color: bool,
    /// The width of the terminal. Boards that are wider are drawn without the sides of their hexagons.
    pub columns: usize,
    /// Whether to write coordinates into empty hexagons that have room for them.
    pub has_coordinates: bool,
}

impl Style {
    /// Without color, on a terminal of any width.
    pub const PLAIN: Style = Style { color: false, columns: usize::MAX, has_coordinates: false };
}

/// Draws the board. Cells that the last move changed are in brackets.
pub fn draw(pos: &dyn Position, last: Option<LastMove<'_>>, style: Style) -> String {
    let marked = pos.cells().into_iter().zip(marks(pos, last));
    let stacks: Vec<Stack> = marked.map(|(cell, mark)| Stack { cell, is_new: mark.is_some() }).collect();
    let has_coordinates = style.has_coordinates && pos.size() <= 10;
    let drawings: [fn(&mut Picture, &[Stack]); 2] = match pos.info().board {
        Board::Diamond => [draw_diamond, draw_narrow_diamond],
        Board::Square => [draw_grid, draw_grid],
        Board::Rhombus => [draw_rhombus, draw_narrow_rhombus],
    };
    let [usual, narrow] = drawings.map(|draw| {
        let mut picture = Picture { has_coordinates, ..Picture::default() };
        draw(&mut picture, &stacks);
        picture
    });
    if usual.width() <= style.columns { usual.text(style) } else { narrow.text(style) }
}

/// A cell as it is drawn.
struct Stack {
    cell: Cell,
    is_new: bool,
}

impl Stack {
    fn coordinates(&self) -> (i32, i32) {
        (self.cell.row.into(), self.cell.col.into())
    }

    fn draw(&self, picture: &mut Picture, line: i32, x: i32, label: &str) {
        let ink = self.cell.owner.map_or(Ink::Faint, Ink::from);
        let width = label.chars().count() as i32;
        picture.put(line, x, label, ink);
        if self.is_new {
            picture.put(line, x - 1, "[", Ink::Plain);
            picture.put(line, x + width, "]", Ink::Plain);
        }
    }

    fn letter(&self) -> String {
        self.cell.owner.map_or('.', Player::letter).to_string()
    }

    fn name(&self) -> String {
        format!("{}-{}", self.cell.row, self.cell.col)
    }

    fn letter_and_power(&self) -> String {
        let power = self.cell.owner.map_or(" ".to_owned(), |_| self.cell.power.to_string());
        self.letter() + &power
    }
}

/// Flat-topped hexagons, r to the upper right and q to the lower right.
fn draw_diamond(picture: &mut Picture, stacks: &[Stack]) {
    // A hexagon's upper left corner. The next one in either direction shares a side with it.
    let corner = |r: i32, q: i32| (q - r, 5 * (q + r));
    for stack in stacks {
        let (r, q) = stack.coordinates();
        let (line, x) = corner(r, q);
        picture.put(line, x + 1, "____", Ink::Faint);
        picture.put(line + 1, x, "/", Ink::Faint);
        picture.put(line + 1, x + 5, "\\", Ink::Faint);
        picture.put(line + 2, x, "\\____/", Ink::Faint);
        match stack.cell.owner {
            None if picture.has_coordinates => stack.draw(picture, line + 1, x + 1, &stack.name()),
            _ => stack.draw(picture, line + 1, x + 2, &stack.letter_and_power()),
        }
        // The labels are where the next hexagons beyond the edge would be.
        if q == 0 {
            let (line, x) = corner(r, -1);
            picture.put(line + 1, x + 1, &format!("r={r}"), Ink::Plain);
        }
        if r == 0 {
            let (line, x) = corner(-1, q);
            picture.put(line + 1, x + 1, &format!("q={q}"), Ink::Plain);
        }
    }
}

/// The cells of a diamond without their sides.
fn draw_narrow_diamond(picture: &mut Picture, stacks: &[Stack]) {
    let place = |r: i32, q: i32| (q - r, 2 * (q + r));
    for stack in stacks {
        let (r, q) = stack.coordinates();
        let (line, x) = place(r, q);
        stack.draw(picture, line, x, &stack.letter_and_power());
        if q == 0 {
            let (line, x) = place(r, -1);
            picture.put(line, x - 1, &format!("r={r}"), Ink::Plain);
        }
        if r == 0 {
            let (line, x) = place(-1, q);
            picture.put(line, x - 1, &format!("q={q}"), Ink::Plain);
        }
    }
}

/// The cells of a rhombus without their sides.
fn draw_narrow_rhombus(picture: &mut Picture, stacks: &[Stack]) {
    let last = stacks.iter().map(|stack| stack.coordinates().0).max().unwrap_or(0);
    for stack in stacks {
        let (r, q) = stack.coordinates();
        let (line, x) = (-r, 2 * q + r);
        stack.draw(picture, line, x, &stack.letter());
        if r == 0 && q % 2 == 0 {
            let label = if q == 0 { "q=0".to_owned() } else { q.to_string() };
            picture.put(line + 1, x - label.len() as i32, &label, Ink::Plain);
        }
        if q == 0 {
            let label = format!("r={r}");
            picture.put(line, x - 2 - label.len() as i32, &label, Ink::Plain);
        }
    }
    picture.put(-last - 1, 2 * last, Player::Red.name(), Ink::Red);
    picture.put(2, last - 2, Player::Red.name(), Ink::Red);
    let (line, x) = (-last / 2, last / 2);
    picture.put(line, x - 11, Player::Blue.name(), Ink::Blue);
    picture.put(line, x + 2 * last + 3, Player::Blue.name(), Ink::Blue);
}

/// Pointy-topped hexagons, row 0 at the bottom, each row half a cell right of the one below.
fn draw_rhombus(picture: &mut Picture, stacks: &[Stack]) {
    let last = stacks.iter().map(|stack| stack.coordinates().0).max().unwrap_or(0);
    let corner = |r: i32, q: i32| (-2 * r, 4 * q + 2 * r);
    for stack in stacks {
        let (r, q) = stack.coordinates();
        let (line, x) = corner(r, q);
        picture.put(line - 1, x + 1, "/", side(r == last, Player::Red));
        picture.put(line - 1, x + 3, "\\", side(r == last, Player::Red));
        picture.put(line, x, "|", side(q == 0, Player::Blue));
        match stack.cell.owner {
            None if picture.has_coordinates => stack.draw(picture, line, x + 1, &stack.name()),
            _ => stack.draw(picture, line, x + 2, &stack.letter()),
        }
        if q == last {
            picture.put(line, x + 4, "|", Ink::Blue);
            // All other lower sides are upper sides of the row below.
            picture.put(line + 1, x + 3, "/", Ink::Faint);
        }
        if r == 0 {
            picture.put(line + 1, x + 1, "\\", Ink::Red);
            picture.put(line + 1, x + 3, "/", Ink::Red);
            let label = if q == 0 { "q=0".to_owned() } else { q.to_string() };
            picture.put(line + 2, x + 1 - label.len() as i32, &label, Ink::Plain);
        }
        if q == 0 {
            let label = format!("r={r}");
            picture.put(line, x - 1 - label.len() as i32, &label, Ink::Plain);
        }
    }
    let (top, bottom) = (corner(last, 0), corner(0, 0));
    picture.put(top.0 - 2, top.1 + 2 * last + 1, Player::Red.name(), Ink::Red);
    picture.put(bottom.0 + 3, bottom.1 + 2 * last - 1, Player::Red.name(), Ink::Red);
    let (line, x) = corner(last / 2, 0);
    picture.put(line, x - 10, Player::Blue.name(), Ink::Blue);
    picture.put(line, x + 4 * last + 7, Player::Blue.name(), Ink::Blue);
}

/// The ink of a line that is part of a player's side of the board, if it is.
fn side(is_side: bool, player: Player) -> Ink {
    if is_side { player.into() } else { Ink::Faint }
}

/// Squares, row 0 on top.
fn draw_grid(picture: &mut Picture, stacks: &[Stack]) {
    for stack in stacks {
        let (row, col) = stack.coordinates();
        let x = 3 * col;
        stack.draw(picture, row, x, &stack.letter());
        if row == 0 {
            let label = col.to_string();
            picture.put(-1, x + 1 - label.len() as i32, &label, Ink::Plain);
        }
        if col == 0 {
            picture.put(row, -4, &format!("{row:>2}"), Ink::Plain);
        }
    }
}

/// The color of a character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ink {
    Plain,
    Faint,
    Red,
    Blue,
}

impl From<Player> for Ink {
    fn from(player: Player) -> Ink {
        match player {
            Player::Red => Ink::Red,
            Player::Blue => Ink::Blue,
        }
    }
}

impl Ink {
    fn ansi(self) -> Ansi {
        match self {
            Ink::Plain => Ansi::new(),
            Ink::Faint => Ansi::new().effects(Effects::DIMMED),
            Ink::Red => AnsiColor::BrightRed.on_default().effects(Effects::BOLD),
            Ink::Blue => AnsiColor::BrightBlue.on_default().effects(Effects::BOLD),
        }
    }
}

/// Characters by line and column. Both may be negative, so no drawing needs to know its size.
#[derive(Default)]
struct Picture {
    has_coordinates: bool,
    lines: BTreeMap<i32, BTreeMap<i32, (char, Ink)>>,
}

impl Picture {
    fn put(&mut self, line: i32, x: i32, text: &str, ink: Ink) {
        let line = self.lines.entry(line).or_default();
        for (x, letter) in (x..).zip(text.chars()) {
            // Neighbors share their sides: a side that a player owns is drawn over one that nobody owns.
            let old = line.entry(x).or_insert((letter, ink));
            if old.1 == Ink::Faint {
                *old = (letter, ink);
            }
        }
    }

    fn left(&self) -> i32 {
        self.lines.values().filter_map(|line| line.keys().next()).min().copied().unwrap_or(0)
    }

    fn width(&self) -> usize {
        let right = self.lines.values().filter_map(|line| line.keys().last()).max().copied().unwrap_or(0);
        (right + 1 - self.left()) as usize
    }

    fn text(&self, style: Style) -> String {
        let left = self.left();
        let mut text = String::new();
        for line in self.lines.values() {
            let mut next = left;
            for (&x, &(letter, ink)) in line {
                text.extend((next..x).map(|_| ' '));
                next = x + 1;
                let ansi = ink.ansi();
                if style.color && letter != ' ' {
                    let _ = write!(text, "{ansi}{letter}{ansi:#}");
                } else {
                    text.push(letter);
                }
            }
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yarra_games::read;

    fn within(columns: usize) -> Style {
        Style { columns, ..Style::PLAIN }
    }

    #[test]
    fn a_narrow_board_has_no_sides() {
        let pos = read("hex", "rb./.r./..b b 3").expect("a position");
        let usual = draw(&*pos, None, Style::PLAIN);
        let width = usual.lines().map(|line| line.chars().count()).max().expect("lines");
        assert_eq!(draw(&*pos, None, within(width)), usual);
        let narrow = [
            "              red",
            "       r=2  . . b",
            "blue  r=1  . r .  blue",
            "     r=0  r b .",
            "       q=0   2",
            "          red",
        ];
        assert_eq!(draw(&*pos, None, within(width - 1)).lines().collect::<Vec<_>>(), narrow);
    }

    #[test]
    fn coordinates_stand_in_empty_hexagons_of_small_boards() {
        let with = Style { has_coordinates: true, ..Style::PLAIN };
        let pos = read("hex", "rb./.r./..b b 3").expect("a position");
        let drawn = draw(&*pos, None, with);
        assert!(drawn.contains("r=0 | r | b |0-2|") && drawn.contains("|1-0| r |1-2|"), "{drawn}");
        let pos = read("infexion", "......./......./......./...r3.../......./......./....... b 1")
            .expect("a position");
        let drawn = draw(&*pos, None, with);
        assert!(drawn.contains("/2-2 \\____/ r3 \\____/4-4 \\"), "{drawn}");
        for game in ["tetress", "cachex:15"] {
            let pos = yarra_games::start(game).expect("a game");
            assert_eq!(draw(&*pos, None, with), draw(&*pos, None, Style::PLAIN));
        }
    }

    #[test]
    fn every_narrow_board_fits_into_64_columns() {
        for game in ["infexion", "tetress", "cachex:15", "hex:15"] {
            let pos = yarra_games::start(game).expect("a game");
            let narrow = draw(&*pos, None, within(64));
            let width = narrow.lines().map(|line| line.chars().count()).max().expect("lines");
            assert!(width <= 64, "{game}: {width}\n{narrow}");
        }
    }
}
