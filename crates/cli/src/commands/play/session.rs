//! A game in progress, and the prompt that drives it.

use std::fmt::Write as _;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use yarra_arena::{Fault, Side, Turn};
use yarra_engine::agent::unwatched;
use yarra_games::{Move, MoveList, Player, Record, SavedGame};

use super::help;
use super::table::Table;
use crate::draw::draw;
use crate::files::{read_games, write_game};
use crate::verdict::Verdict;
use crate::words::{caption, plural, printable};

/// A game between the people and agents at a table.
pub struct Session {
    record: Record,
    /// An end that the rules do not know, such as a resignation.
    verdict: Option<Verdict>,
    table: Table,
    agents: [Option<Side>; 2],
    kept_in: Option<PathBuf>,
}

/// Whether the prompt comes again.
#[derive(PartialEq, Eq)]
enum Next {
    Prompt,
    Quit,
}

impl Session {
    /// A game that begins, or goes on from where it stands.
    pub fn new(record: Record, table: Table) -> anyhow::Result<Session> {
        let agents = table.agents(&record)?;
        Ok(Session { record, verdict: None, table, agents, kept_in: None })
    }

    /// The game that is played.
    pub fn spec(&self) -> String {
        self.record.start().spec()
    }

    /// Replaces the game by the last one of a file, and says what it is.
    pub fn load(&mut self, path: &Path) -> anyhow::Result<String> {
        let mut games = read_games(path)?;
        let n_games = games.len();
        let (_, saved, record) = games.pop().expect("a file without games is an error");
        self.agents = self.table.agents(&record)?;
        self.verdict = Verdict::of(&saved, &record);
        self.record = record;
        let which = if n_games == 1 { String::new() } else { format!(", the last of {n_games} games") };
        Ok(format!("loaded {} after {}{which}", self.spec(), plural(self.record.moves().len(), "move")))
    }

    /// From now on the file holds the game as it stands.
    pub fn keep_in(&mut self, path: &Path) -> anyhow::Result<()> {
        self.kept_in = Some(path.to_owned());
        write_game(path, &self.saved())
    }

    /// Plays until the input ends or the user leaves; without a person, until the game is over.
    pub fn run(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
        if let Some(seed) = self.table.seed {
            writeln!(out, "agents play from seed {seed}")?;
        }
        self.show_board(out)?;
        loop {
            self.play_agents_moves(out)?;
            if Player::BOTH.into_iter().all(|player| !self.table.is_human(player)) {
                return Ok(());
            }
            let prompt = if self.result().is_some() { "over" } else { self.record.now().turn().name() };
            write!(out, "{prompt}> ")?;
            out.flush()?;
            let mut line = Vec::new();
            if input.read_until(b'\n', &mut line)? == 0 {
                writeln!(out)?;
                return Ok(());
            }
            if self.obey(String::from_utf8_lossy(&line).trim(), out)? == Next::Quit {
                return Ok(());
            }
        }
    }

    fn obey(&mut self, line: &str, out: &mut impl Write) -> anyhow::Result<Next> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word, rest.trim()) {
            ("", _) => {}
            ("quit", "") => return Ok(Next::Quit),
            ("help", "") => writeln!(out, "{}\n\n{}", help::notation(&self.spec()), help::COMMANDS)?,
            ("board", "") => self.show_board(out)?,
            ("moves", cell) => write!(out, "{}", self.list_moves(cell))?,
            ("undo", "") => self.undo(out)?,
            ("resign", "") => self.resign(out)?,
            ("save" | "load", "") => writeln!(out, "expected a file, as in `{word} game.json`")?,
            ("save", file) => match write_game(Path::new(file), &self.saved()) {
                Ok(()) => writeln!(out, "saved to {file}")?,
                Err(error) => writeln!(out, "{error:#}")?,
            },
            ("load", file) => match self.load(Path::new(file)) {
                Ok(news) => {
                    writeln!(out, "{news}")?;
                    self.keep(out)?;
                    self.show_board(out)?;
                }
                Err(error) => writeln!(out, "{error:#}")?,
            },
            _ => self.read_and_play(line, out)?,
        }
        Ok(Next::Prompt)
    }

    fn read_and_play(&mut self, text: &str, out: &mut impl Write) -> anyhow::Result<()> {
        if let Some(verdict) = self.result() {
            writeln!(out, "the game is over: {verdict}; `undo` goes back, `quit` leaves")?;
            return Ok(());
        }
        match self.record.read_move(text) {
            Ok(m) => self.play(m, out),
            Err(error) => {
                writeln!(out, "{error}")?;
                writeln!(out, "`moves` lists the legal moves, `help` explains how they are written")?;
                Ok(())
            }
        }
    }

    fn play_agents_moves(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        while self.result().is_none() {
            let mover = self.record.now().turn();
            let Some(side) = &mut self.agents[mover as usize] else { break };
            // A person should see the board while the agent thinks.
            out.flush()?;
            match side.choose(&self.record, &mut unwatched) {
                Ok(turn) => {
                    if self.table.thinks_aloud {
                        writeln!(out, "{}", thoughts(&self.record, &turn))?;
                    }
                    self.play(turn.choice.mv, out)?;
                }
                Err(fault) => self.lose(mover, &fault, out)?,
            }
        }
        Ok(())
    }

    fn lose(&mut self, player: Player, fault: &Fault, out: &mut impl Write) -> anyhow::Result<()> {
        let verdict = Verdict { winner: Some(player.opponent()), reason: fault.failure.to_string() };
        writeln!(out, "game over: {verdict}: {}", printable(&fault.message))?;
        self.verdict = Some(verdict);
        self.keep(out)
    }

    fn play(&mut self, m: Move, out: &mut impl Write) -> anyhow::Result<()> {
        let pos = self.record.now();
        writeln!(out, "{}. {} plays {}", pos.ply() + 1, pos.turn(), pos.show_move(m))?;
        self.record.play(m);
        self.keep(out)?;
        self.show_board(out)?;
        for player in Player::BOTH {
            let side = self.agents[player as usize].as_mut();
            let heard = side.map_or(Ok(()), |side| side.played(&self.record, &m.into()));
            if let Err(fault) = heard
                && self.result().is_none()
            {
                self.lose(player, &fault, out)?;
            }
        }
        Ok(())
    }

    /// Goes back to where a person was to move: agents would only move again.
    fn undo(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        if self.verdict.is_none() || self.record.outcome().is_some() {
            let ply = self.record.now().ply();
            let n_moves = self.record.moves().len() as u16;
            let is_human = |n_back: &u16| self.table.is_human(Player::at_ply(ply - n_back));
            let Some(n_back) = (1..=n_moves).find(is_human) else {
                writeln!(out, "there is no move to take back")?;
                return Ok(());
            };
            for _ in 0..n_back {
                self.record.undo();
            }
        }
        self.verdict = None;
        // They have not heard of the undo: others take their seats.
        self.agents = self.table.agents(&self.record)?;
        self.keep(out)?;
        self.show_board(out)
    }

    fn resign(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        if let Some(verdict) = self.result() {
            writeln!(out, "the game is over: {verdict}")?;
            return Ok(());
        }
        let winner = self.record.now().turn().opponent();
        let verdict = Verdict { winner: Some(winner), reason: "resignation".to_owned() };
        writeln!(out, "game over: {verdict}")?;
        self.verdict = Some(verdict);
        self.keep(out)
    }

    fn show_board(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let positions = self.record.positions();
        let before = positions.iter().rev().nth(1).map(|pos| &**pos);
        let board = draw(self.record.now(), before, self.table.style);
        writeln!(out, "\n{board}\n{}", caption(self.record.now(), self.result().as_ref()))?;
        Ok(())
    }

    fn list_moves(&self, cell: &str) -> String {
        const WIDTH: usize = 80;
        const MOST: usize = 100;
        let names = self.legal_moves().into_iter().map(|m| self.record.now().show_move(m));
        let names: Vec<String> = names.filter(|name| names_cell(name, cell)).collect();
        let column = 2 + names.iter().map(String::len).max().unwrap_or_default();
        let mut text = format!("{}\n", plural(names.len(), "legal move"));
        for row in names[..names.len().min(MOST)].chunks(WIDTH / column) {
            let row: String = row.iter().map(|name| format!("{name:<column$}")).collect();
            let _ = writeln!(text, "  {}", row.trim_end());
        }
        if MOST < names.len() {
            let _ = writeln!(
                text,
                "  … and {} more; `moves 3-4` lists those that name a cell",
                names.len() - MOST
            );
        }
        text
    }

    fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        if self.result().is_none() {
            self.record.now().legal_moves(&mut moves);
        }
        moves
    }

    fn result(&self) -> Option<Verdict> {
        self.record.outcome().map(Verdict::from).or_else(|| self.verdict.clone())
    }

    fn saved(&self) -> SavedGame {
        let [red, blue] = self.table.seats.each_ref().map(|spec| Some(spec.to_string()));
        let result = self.result();
        SavedGame {
            winner: result.as_ref().and_then(|verdict| verdict.winner).map(|winner| winner.to_string()),
            reason: result.map(|verdict| verdict.reason),
            red,
            blue,
            seed: self.table.seed,
            ..SavedGame::new(&self.record)
        }
    }

    /// A full disk should not end the game.
    fn keep(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let Some(path) = &self.kept_in else { return Ok(()) };
        if let Err(error) = write_game(path, &self.saved()) {
            writeln!(out, "not saved: {error:#}")?;
        }
        Ok(())
    }
}

/// What an agent thinks of the move that it is about to make.
fn thoughts(game: &Record, turn: &Turn) -> String {
    let (choice, stats) = (&turn.choice, &turn.choice.stats);
    let score = choice.score.map_or("no score".to_owned(), |score| score.to_string());
    let line: Vec<String> = choice.line.iter().map(|&m| game.now().show_move(m)).collect();
    format!(
        "{} thinks: {score}, depth {}, {}, {:.3} s; {}",
        game.now().turn(),
        stats.depth(),
        plural(stats.nodes as usize, "node"),
        turn.time.as_secs_f64(),
        line.join(" ")
    )
}

/// Whether a move's notation holds a cell, with or without a direction behind it; the empty text is in all.
fn names_cell(name: &str, cell: &str) -> bool {
    let is_direction = |rest: &str| rest.chars().all(|c| c.is_ascii_alphabetic());
    cell.is_empty() || name.split(',').any(|part| part.strip_prefix(cell).is_some_and(is_direction))
}
