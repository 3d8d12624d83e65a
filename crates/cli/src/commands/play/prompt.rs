//! The prompt of a game at the terminal.

use std::fmt::Write as _;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use yarra_arena::Turn;
use yarra_arena::session::{AgentFault, Session};
use yarra_draw::{Style, draw};
use yarra_engine::agent::unwatched;
use yarra_files::{FileError, SavedGame, check_is_new, write_game};
use yarra_games::{ByPlayer, Move, MoveList, Player, Record};

use super::help;
use crate::games::read_games;
use crate::words::{caption, plural, printable};

/// A game with its prompt.
pub struct Prompt<'a> {
    pub session: Session<'a>,
    /// The players as specs.
    pub players: ByPlayer<String>,
    /// Seed of the agents' randomness, if there are any.
    pub seed: Option<u64>,
    /// Whether to show the agents' scores and lines.
    pub thinks_aloud: bool,
    pub style: Style,
    /// The file to which the game is saved.
    pub file: Option<PathBuf>,
}

/// Whether to prompt again.
#[derive(PartialEq, Eq)]
enum Next {
    Prompt,
    Quit,
}

impl Prompt<'_> {
    /// Replaces the game with the last one of a file and returns a message about it.
    pub fn load(&mut self, path: &Path) -> anyhow::Result<String> {
        let games = read_games(path)?;
        let last = games.last().expect("a file without games is an error");
        let record = last.record()?;
        let loaded =
            format!("loaded {} after {}", record.start().spec(), plural(record.moves().len(), "move"));
        let ending = last.saved.ending(&record);
        self.session.replace(record, ending)?;
        let which = match games.len() {
            1 => String::new(),
            n_games => format!(", the last of {n_games} games"),
        };
        Ok(loaded + &which)
    }

    /// Saves the game to a file, now and after each move.
    pub fn keep_in(&mut self, path: &Path) -> anyhow::Result<()> {
        self.file = Some(path.to_owned());
        Ok(write_game(path, &self.saved())?)
    }

    /// Plays until the input ends or the user quits; without a person, until the game is over.
    pub fn run(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
        if let Some(seed) = self.seed {
            writeln!(out, "agents play from seed {seed}")?;
        }
        self.show_board(out)?;
        loop {
            self.play_agents_moves(out)?;
            if Player::BOTH.into_iter().all(|player| !self.session.is_human(player)) {
                return Ok(());
            }
            let turn = self.session.record().now().turn().name();
            let prompt = if self.session.ending().is_some() { "over" } else { turn };
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
            ("help", "") => {
                let notation = self.session.record().start().info().notation;
                writeln!(out, "{notation}\n\n{}", help::COMMANDS)?;
            }
            ("board", "") => self.show_board(out)?,
            ("moves", cell) => write!(out, "{}", self.list_moves(cell))?,
            ("undo", "") => self.undo(out)?,
            ("resign", "") => self.resign(out)?,
            ("save" | "save!" | "load", "") => writeln!(out, "expected a file, as in `{word} game.json`")?,
            ("save" | "save!", file) => match self.save(Path::new(file), word == "save!") {
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

    /// Writes the game to a file that is new, or that may be overwritten.
    fn save(&mut self, path: &Path, is_forced: bool) -> Result<(), FileError> {
        if !is_forced && self.file.as_deref() != Some(path) {
            check_is_new(path, &format!("`save! {}` overwrites it", path.display()))?;
        }
        write_game(path, &self.saved())
    }

    fn read_and_play(&mut self, text: &str, out: &mut impl Write) -> anyhow::Result<()> {
        if let Some(ending) = self.session.ending() {
            writeln!(out, "the game is over: {ending}; `undo` takes back, `quit` quits")?;
            return Ok(());
        }
        match self.session.record().read_move(text) {
            Ok(m) => self.play(m, out),
            Err(error) => {
                writeln!(out, "{error}")?;
                writeln!(out, "`moves` lists the legal moves, `help` explains how they are written")?;
                Ok(())
            }
        }
    }

    fn play_agents_moves(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        loop {
            // Shows the board to a person while the agent searches.
            out.flush()?;
            match self.session.think(&mut unwatched) {
                None => return Ok(()),
                Some(Ok(turn)) => {
                    if self.thinks_aloud {
                        writeln!(out, "{}", thoughts(self.session.record(), &turn))?;
                    }
                    self.play(turn.choice.mv, out)?;
                }
                Some(Err(fault)) => self.tell_fault(&fault, out)?,
            }
        }
    }

    fn tell_fault(&mut self, fault: &AgentFault, out: &mut impl Write) -> anyhow::Result<()> {
        if let Some(ending) = self.session.ending() {
            writeln!(out, "game over: {ending}: {}", printable(&fault.fault.message))?;
        }
        self.keep(out)
    }

    fn play(&mut self, m: Move, out: &mut impl Write) -> anyhow::Result<()> {
        let pos = self.session.record().now();
        writeln!(out, "{}. {} plays {}", pos.ply() + 1, pos.turn(), pos.show_move(m))?;
        self.session.play(m);
        self.keep(out)?;
        self.show_board(out)?;
        match self.session.tell_agents() {
            None => Ok(()),
            Some(fault) => self.tell_fault(&fault, out),
        }
    }

    fn undo(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        if !self.session.undo()? {
            writeln!(out, "there is no move to take back")?;
            return Ok(());
        }
        self.keep(out)?;
        self.show_board(out)
    }

    fn resign(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        if let Some(ending) = self.session.ending() {
            writeln!(out, "the game is over: {ending}")?;
            return Ok(());
        }
        writeln!(out, "game over: {}", self.session.resign())?;
        self.keep(out)
    }

    fn show_board(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let record = self.session.record();
        let positions = record.positions();
        let before = positions.iter().rev().nth(1).map(|pos| &**pos);
        let board = draw(record.now(), before, self.style);
        writeln!(out, "\n{board}\n{}", caption(record.now(), self.session.ending().as_ref()))?;
        Ok(())
    }

    fn list_moves(&self, cell: &str) -> String {
        const WIDTH: usize = 80;
        const MOST: usize = 100;
        let record = self.session.record();
        let names = self.legal_moves().into_iter().map(|m| record.now().show_move(m));
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
                "  … and {} more; `moves 3-4` lists those that contain a cell",
                names.len() - MOST
            );
        }
        text
    }

    fn legal_moves(&self) -> MoveList {
        match self.session.ending() {
            Some(_) => MoveList::new(),
            None => self.session.record().legal_moves(),
        }
    }

    fn saved(&self) -> SavedGame {
        SavedGame { players: self.players.clone().map(Some), seed: self.seed, ..self.session.saved() }
    }

    /// A failure to save does not end the game.
    fn keep(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let Some(path) = &self.file else { return Ok(()) };
        if let Err(error) = write_game(path, &self.saved()) {
            writeln!(out, "not saved: {error:#}")?;
        }
        Ok(())
    }
}

/// An agent's score and expected line for its move.
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

/// Whether a move's notation contains a cell, with or without a direction after it; every move contains the empty text.
fn names_cell(name: &str, cell: &str) -> bool {
    let is_direction = |rest: &str| rest.chars().all(|c| c.is_ascii_alphabetic());
    cell.is_empty() || name.split(',').any(|part| part.strip_prefix(cell).is_some_and(is_direction))
}
