//! Boards as text, readable with and without color.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anstyle::{AnsiColor, Effects, Style as Ansi};
use yarra_games::{Board, Cell, Player, Position};

/// How boards are drawn on a terminal.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Whether to write escape codes.
    pub color: bool,
}

/// Draws the board. Cells that differ from the position `before` are in brackets.
pub fn draw(pos: &dyn Position, before: Option<&dyn Position>, style: Style) -> String {
    let cells = pos.cells();
    let old_cells = before.map_or_else(|| cells.clone(), |before| before.cells());
    let stacks: Vec<Stack> =
        cells.iter().zip(&old_cells).map(|(&cell, old)| Stack { cell, is_new: cell != *old }).collect();
    let mut picture = Picture::default();
    match pos.info().board {
        Board::Diamond => draw_diamond(&mut picture, &stacks),
        Board::Square => draw_grid(&mut picture, &stacks),
        Board::Rhombus => draw_rhombus(&mut picture, &stacks),
    }
    picture.text(style)
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
            None => stack.draw(picture, line + 1, x + 2, ". "),
            Some(player) => {
                stack.draw(picture, line + 1, x + 2, &format!("{}{}", player.letter(), stack.cell.power));
            }
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
        stack.draw(picture, line, x + 2, &stack.letter());
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

    fn text(&self, style: Style) -> String {
        let left = self.lines.values().filter_map(|line| line.keys().next()).min().copied().unwrap_or(0);
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
