//! What the prompt shows: the board with the score, lists of moves, and an agent's thoughts.

use std::fmt::Write as _;

use yarra_arena::Turn;
use yarra_draw::{Style, draw};
use yarra_games::{Ending, Position, Record, read_typed_cell};

use crate::args::columns;
use crate::words::{costs_and_peak, plural, printable};

/// Longer lines are hard to read.
const WIDEST_LIST: usize = 80;

/// The board, with brackets around what the last move changed.
pub fn board(game: &Record, style: Style) -> String {
    let last = game.last();
    let last = last.as_ref().map(|(before, m)| (&**before, *m));
    // The window may have changed since the last board.
    draw(game.now(), last, Style { columns: columns(), ..style })
}

/// What is below the board: the turn or the result, and the score.
pub fn caption(game: &Record, ending: Option<&Ending>) -> String {
    let pos = game.now();
    let state = match ending {
        Some(ending) => printable(&format!("game over after {}: {ending}", plural(pos.ply().into(), "move"))),
        None => format!("move {}: {} to move", pos.ply() + 1, pos.turn()),
    };
    match standing(pos) {
        Some(score) if columns() < state.len() + score.len() + 2 => format!("{state}\n{score}"),
        Some(score) => format!("{state}; {score}"),
        None => state,
    }
}

/// The score: `power: red 4, blue 3`.
pub fn standing(pos: &dyn Position) -> Option<String> {
    let (what, score) = pos.standing()?;
    Some(format!("{what}: red {}, blue {}", score.red, score.blue))
}

/// The legal moves, all or those that contain a cell.
pub fn moves(game: &Record, text: &str) -> String {
    const MOST: usize = 100;
    let pos = game.now();
    let legal = game.legal_moves();
    if legal.is_empty() {
        return "the game is over: there are no legal moves\n".to_owned();
    }
    let cell = match text {
        "" => None,
        _ => match read_typed_cell(text, pos.size()) {
            Ok((row, col)) => Some(format!("{row}-{col}")),
            Err(words) => return words + "\n",
        },
    };
    let names = legal.into_iter().map(|m| pos.show_move(m));
    let names: Vec<String> =
        names.filter(|name| cell.as_ref().is_none_or(|cell| names_cell(name, cell))).collect();
    let containing = cell.map(|cell| format!(" with {cell}")).unwrap_or_default();
    let mut text = format!("{}{containing}\n", plural(names.len(), "legal move"));
    let column = 2 + names.iter().map(String::len).max().unwrap_or_default();
    let width = WIDEST_LIST.min(columns()).saturating_sub(2);
    for row in names[..names.len().min(MOST)].chunks((width / column).max(1)) {
        let row: String = row.iter().map(|name| format!("{name:<column$}")).collect();
        let _ = writeln!(text, "  {}", row.trim_end());
    }
    if MOST < names.len() {
        let n_more = names.len() - MOST;
        let _ = writeln!(text, "  … and {n_more} more; `moves 3-4` lists those that contain a cell");
    }
    text
}

/// Whether a move's notation contains a cell, with or without a direction after it.
fn names_cell(name: &str, cell: &str) -> bool {
    let is_direction = |rest: &str| rest.chars().all(|c| c.is_ascii_alphabetic());
    name.split(',').any(|part| part.strip_prefix(cell).is_some_and(is_direction))
}

/// What an agent has used in the game so far.
#[derive(Clone, Copy, Default)]
pub struct Used {
    seconds: f64,
    peak: u64,
}

impl Used {
    /// Adds a move and tells its costs: its time and memory, the total time and the peak so far.
    fn add(&mut self, turn: &Turn) -> String {
        let (seconds, stats) = (turn.time.as_secs_f64(), &turn.choice.stats);
        self.seconds += seconds;
        self.peak = self.peak.max(stats.peak_memory() as u64);
        // The memory of an external agent, which is charged by its process, is already the peak.
        let peak = stats.charged.is_none().then_some(self.peak);
        costs_and_peak(seconds, self.seconds, stats.memory as u64, peak)
    }
}

/// An agent's score and expected line for its move, and what the move cost.
pub fn thoughts(game: &Record, turn: &Turn, used: &mut Used) -> String {
    let (choice, stats) = (&turn.choice, &turn.choice.stats);
    let search = match choice.score {
        None => "no score".to_owned(),
        Some(score) => {
            let line: Vec<String> = choice.line.iter().map(|&m| game.now().show_move(m)).collect();
            let nodes = plural(stats.nodes as usize, "node");
            format!("{score}, depth {}, {nodes}; {}", stats.depth(), line.join(" "))
        }
    };
    format!("{} thinks: {search}\n  {}", game.now().turn(), used.add(turn))
}
