//! A position of a game, with what led to it.

use std::fmt::Write as _;

use serde_json::{Value, json};
use yarra_draw::{LastMove, Style, draw};
use yarra_files::{SavedFault, SavedGame};
use yarra_games::{Ending, Move, MoveList, Player, Position, Record};

use crate::words::{caption, costs, plural, printable, printable_lines};

/// The number of lines shown of a message or an output.
const N_LINES: usize = 40;

/// A game of a file.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    /// Its number in the file, from 1.
    pub number: usize,
    pub saved: &'a SavedGame,
    pub record: &'a Record,
}

/// A position of a game, with the moves before it.
pub struct Moment<'a> {
    pub pos: Box<dyn Position>,
    /// The game, if the position is from one.
    game: Option<Shown<'a>>,
    last_move: Option<(Box<dyn Position>, Move)>,
    ending: Option<Ending>,
    /// The costs of the last move, if they were measured.
    costs: Option<MoveCosts>,
}

/// The seconds of a move, the total of its player so far, and the player's memory in bytes.
struct MoveCosts {
    time: f64,
    total: f64,
    memory: u64,
}

impl<'a> Moment<'a> {
    /// A position without a game.
    pub fn alone(pos: Box<dyn Position>) -> Moment<'a> {
        Moment { ending: pos.outcome().map(Ending::from), pos, game: None, last_move: None, costs: None }
    }

    /// The start of a game.
    pub fn start(game: Shown<'a>) -> Moment<'a> {
        let mut moment = Moment { game: Some(game), ..Moment::alone(game.record.start().boxed()) };
        moment.note_ending(game);
        moment
    }

    /// The next position of the game.
    pub fn next(&mut self) {
        let Some(game) = self.game else { return };
        let idx = self.n_moves(game);
        let Some(&m) = game.record.moves().get(idx) else { return };
        self.last_move = Some((self.pos.boxed(), m));
        self.pos.play(m);
        self.costs = costs_of(game.saved, idx);
        self.note_ending(game);
    }

    fn n_moves(&self, game: Shown<'_>) -> usize {
        usize::from(self.pos.ply() - game.record.start().ply())
    }

    fn note_ending(&mut self, game: Shown<'_>) {
        let is_last = self.n_moves(game) == game.record.moves().len();
        self.ending = if is_last { game.saved.ending(game.record) } else { None };
    }

    /// The last move, for drawing.
    pub fn last(&self) -> Option<LastMove<'_>> {
        self.last_move.as_ref().map(|(before, m)| (&**before, *m))
    }

    /// What a player did wrong, if that ended the game here.
    fn fault(&self) -> Option<&SavedFault> {
        self.game.filter(|_| self.ending.is_some())?.saved.fault.as_ref()
    }

    /// The board with all that is known about it.
    pub fn text(&self, style: Style) -> String {
        let mut text = String::new();
        if let Some((before, m)) = &self.last_move {
            let _ = writeln!(text, "{}. {} plays {}", before.ply() + 1, before.turn(), before.show_move(*m));
        }
        let _ = writeln!(text, "{}", draw(&*self.pos, self.last(), style));
        let _ = writeln!(text, "{}", caption(&*self.pos, self.ending.as_ref()));
        if let Some(MoveCosts { time, total, memory }) = self.costs {
            let _ = writeln!(text, "{}", costs(time, total, memory));
        }
        text + &self.fault().map(story).unwrap_or_default()
    }

    /// The same as an object.
    pub fn json(&self) -> Value {
        let pos = &self.pos;
        let mut moves = MoveList::new();
        if self.ending.is_none() {
            pos.legal_moves(&mut moves);
        }
        let mut object = json!({
            "spec": pos.spec().to_string(),
            "position": pos.to_string(),
            "turn": pos.turn().name(),
            "ply": pos.ply(),
            "last_move": self.last_move.as_ref().map(|(before, m)| before.show_move(*m)),
            "legal_moves": moves.iter().map(|&m| pos.show_move(m)).collect::<Vec<_>>(),
            "outcome": self.ending.as_ref().map(result),
        });
        if let Some(game) = self.game {
            object["game"] = game.number.into();
            object["move_number"] = self.last_move.as_ref().map(|(before, _)| before.ply() + 1).into();
            object["n_moves"] = game.record.moves().len().into();
            object["players"] = json!({ "red": game.saved.players.red, "blue": game.saved.players.blue });
            object["result"] = game.saved.ending(game.record).as_ref().map(result).into();
        }
        if let Some(MoveCosts { time, total, memory }) = self.costs {
            object["costs"] = json!({ "time": time, "total_time": total, "memory": memory });
        }
        if let Some(fault) = self.fault() {
            object["fault"] = json!(fault);
        }
        object
    }
}

fn result(ending: &Ending) -> Value {
    json!({ "winner": ending.winner.map(Player::name), "reason": ending.cause.name() })
}

/// The costs of a move, and the total of its player's moves (every second one) up to it.
fn costs_of(saved: &SavedGame, idx: usize) -> Option<MoveCosts> {
    let (&time, &memory) = (saved.times.get(idx)?, saved.memory.get(idx)?);
    let total = saved.times[idx % 2..=idx].iter().step_by(2).sum();
    Some(MoveCosts { time, total, memory })
}

/// How a player failed, line by line.
fn story(fault: &SavedFault) -> String {
    let mut text = String::new();
    let mut tell = |title: &str, words: &str| {
        text.push_str(&format!("{title}\n"));
        text.extend(printable_lines(words, N_LINES).into_iter().map(|line| format!("  {line}\n")));
    };
    tell(&format!("{} failed:", fault.player), &fault.message);
    if let Some(said) = &fault.said {
        tell("its move:", said);
    }
    if !fault.output.is_empty() {
        tell("its last output:", &fault.output);
    }
    text
}

/// A line about a game, and one about each external agent.
pub fn header(game: Shown<'_>) -> String {
    let Shown { number, saved, record } = game;
    let name = |player: Player| printable(saved.players[player].as_deref().unwrap_or("unknown"));
    let result = saved.ending(record).map_or("not over".to_owned(), |ending| ending.to_string());
    let mut guests = String::new();
    for (player, guest) in saved.guests.iter() {
        let Some(guest) = guest else { continue };
        let layers =
            if guest.isolation.is_empty() { "nothing".to_owned() } else { guest.isolation.join(", ") };
        guests += &(printable(&format!("{player} within {}, isolated by {layers}", guest.limits)) + "\n");
    }
    format!(
        "game {number}: {}, red: {}, blue: {}, {}, {}\n{guests}",
        record.start().spec(),
        name(Player::Red),
        name(Player::Blue),
        plural(record.moves().len(), "move"),
        printable(&result)
    )
}
