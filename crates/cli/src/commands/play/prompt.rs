//! The prompt of a game at the terminal.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use yarra_arena::session::{AgentFault, Session};
use yarra_draw::Style;
use yarra_engine::Progress as Thinking;
use yarra_files::{FileError, SavedGame, check_is_new, write_game};
use yarra_games::{ByPlayer, Move, Player};

use super::input::{Input, Line};
use super::show::Used;
use super::{help, hint, show};
use crate::commands::analyze;
use crate::games::read_games;
use crate::interrupt::{self, INTERRUPTED};
use crate::progress::Progress;
use crate::words::{file_name, plural, printable, printable_lines};

/// The most lines of a fault that are shown. The last ones of a traceback say the most.
const N_FAULT_LINES: usize = 30;

/// A game with its prompt.
pub struct Prompt<'a> {
    pub session: Session<'a>,
    /// The players as specs.
    pub players: ByPlayer<String>,
    /// Whether to show the agents' scores, lines and costs.
    pub thinks_aloud: bool,
    pub style: Style,
    /// The file to which the game is saved.
    pub file: Option<PathBuf>,
    pub input: Input,
    /// What the agents have used.
    pub used: ByPlayer<Used>,
    /// Whether the board was drawn since the last change.
    pub is_drawn: bool,
}

/// What to do after a line.
enum Next {
    Prompt,
    Quit,
}

impl<'a> Prompt<'a> {
    /// A game that is not saved to a file.
    pub fn new(session: Session<'a>, players: ByPlayer<String>, style: Style) -> anyhow::Result<Prompt<'a>> {
        let (input, used) = (Input::new()?, ByPlayer::default());
        Ok(Prompt { session, players, thinks_aloud: false, style, file: None, input, used, is_drawn: false })
    }

    /// Plays until the input ends or the user quits; without a person, until the game is over.
    pub fn run(&mut self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        self.greet(out)?;
        loop {
            self.play_agents_moves(out)?;
            self.show_board_if_new(out)?;
            if self.n_people() == 0 {
                return Ok(ExitCode::SUCCESS);
            }
            let turn = self.session.record().now().turn().name();
            let prompt = if self.session.ending().is_some() { "over> " } else { &format!("{turn}> ") };
            let session = &self.session;
            match self.input.read(prompt, || words(session), out)? {
                Line::End => return Ok(ExitCode::SUCCESS),
                Line::Interrupt => return Ok(ExitCode::from(INTERRUPTED)),
                Line::Text(line) => match self.obey(line.trim(), out)? {
                    Next::Prompt => {}
                    Next::Quit => return Ok(ExitCode::SUCCESS),
                },
            }
        }
    }

    fn greet(&self, out: &mut impl Write) -> anyhow::Result<()> {
        if let Some(seed) = self.seed() {
            writeln!(out, "agents play from seed {seed}")?;
        }
        if let Some(example) = help::examples(self.session.record()).first()
            && 0 < self.n_people()
        {
            writeln!(out, "type a move such as {example}, `hint`, or `help` for the rules and all commands")?;
        }
        Ok(())
    }

    fn obey(&mut self, line: &str, out: &mut impl Write) -> anyhow::Result<Next> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let word = word.to_lowercase();
        match (word.as_str(), rest.trim()) {
            ("", _) => {}
            ("quit" | "exit", "") => return Ok(Next::Quit),
            ("help" | "?", "") => write!(out, "{}", help::text(self.session.record()))?,
            ("board", "") => self.show_coordinates(out)?,
            ("moves", cell) => write!(out, "{}", self.list_moves(cell))?,
            ("hint", "") => self.hint(out)?,
            ("undo", "") => self.undo(out)?,
            ("resign", "") => self.resign(out)?,
            ("new", color) => self.restart(color, out)?,
            ("analyze", file) => self.analyze(file, out)?,
            ("save" | "save!" | "load", "") => writeln!(out, "expected a file, as in `{word} game.json`")?,
            ("save" | "save!", file) => match self.save(Path::new(file), word == "save!") {
                Ok(()) => writeln!(out, "saved to {}", printable(file))?,
                Err(error) => writeln!(out, "{}", printable(&error.to_string()))?,
            },
            ("load", file) => match self.load(Path::new(file)) {
                Ok(news) => {
                    writeln!(out, "{news}")?;
                    self.leave_file(Some(Path::new(file)), out)?;
                }
                Err(error) => writeln!(out, "{}", printable(&format!("{error:#}")))?,
            },
            _ => self.read_and_play(line, out)?,
        }
        Ok(Next::Prompt)
    }

    fn read_and_play(&mut self, text: &str, out: &mut impl Write) -> anyhow::Result<()> {
        if let Some(ending) = self.session.ending() {
            writeln!(out, "the game is over: {ending}; `undo` takes back, `new` starts another")?;
            return Ok(());
        }
        match self.session.record().read_typed(text) {
            Ok(m) => return self.play(m, out),
            Err(words) => writeln!(out, "{}", printable(&words))?,
        }
        if !text.contains(|letter: char| letter.is_ascii_digit()) {
            writeln!(out, "`moves` lists the legal moves, `help` explains the game and all commands")?;
        }
        Ok(())
    }

    fn play_agents_moves(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        loop {
            // A person sees the moves so far while the agent searches.
            out.flush()?;
            let player = self.session.record().now().turn();
            let mut progress = Progress::new("play");
            let mut show = || progress.picture(|| format!("{player} is thinking …"));
            if !self.session.is_human(player) && self.session.ending().is_none() {
                show();
            }
            let thought = self.session.think(&mut |_: &Thinking<'_>| {
                show();
                std::ops::ControlFlow::Continue(())
            });
            drop(progress);
            match thought? {
                None => return Ok(()),
                Some(Ok(turn)) => {
                    if self.thinks_aloud {
                        let used = &mut self.used[player];
                        writeln!(out, "{}", show::thoughts(self.session.record(), &turn, used))?;
                    }
                    self.play(turn.choice.mv, out)?;
                }
                Some(Err(fault)) => self.tell_fault(&fault, out)?,
            }
            if self.n_people() == 0 {
                self.show_board_if_new(out)?;
            }
        }
    }

    fn tell_fault(&mut self, fault: &AgentFault, out: &mut impl Write) -> anyhow::Result<()> {
        write!(out, "{}", told(fault))?;
        self.is_drawn = false;
        self.keep(out)
    }

    fn play(&mut self, m: Move, out: &mut impl Write) -> anyhow::Result<()> {
        let pos = self.session.record().now();
        writeln!(out, "{}. {} plays {}", pos.ply() + 1, pos.turn(), pos.show_move(m))?;
        self.session.play(m);
        self.is_drawn = false;
        self.keep(out)?;
        match self.session.tell_agents()? {
            None => Ok(()),
            Some(fault) => self.tell_fault(&fault, out),
        }
    }

    fn hint(&self, out: &mut impl Write) -> anyhow::Result<()> {
        if let Some(ending) = self.session.ending() {
            writeln!(out, "the game is over: {ending}")?;
            return Ok(());
        }
        let stop = interrupt::flag()?;
        let words = hint::hint(self.session.record(), &stop);
        interrupt::leave_at_once()?;
        writeln!(out, "{}", words?)?;
        Ok(())
    }

    fn undo(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        if !self.session.undo()? {
            writeln!(out, "there is no move to take back")?;
            return Ok(());
        }
        self.is_drawn = false;
        self.keep(out)
    }

    fn resign(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        if let Some(ending) = self.session.ending() {
            writeln!(out, "the game is over: {ending}")?;
            return Ok(());
        }
        self.session.resign();
        self.keep(out)?;
        self.show_caption(out)
    }

    /// A new game. A person that plays against an agent changes colors, unless another color is asked for.
    fn restart(&mut self, color: &str, out: &mut impl Write) -> anyhow::Result<()> {
        let person = Player::BOTH.into_iter().find(|&player| self.session.is_human(player));
        let color = match (color.to_lowercase().as_str(), person) {
            ("", Some(person)) if self.n_people() == 1 => person.opponent(),
            ("", _) => Player::Red,
            (name, _) => match name.parse() {
                Ok(color) => color,
                Err(error) => {
                    writeln!(out, "{error}")?;
                    return Ok(());
                }
            },
        };
        let swaps = self.n_people() == 1 && person != Some(color);
        if let Err(error) = self.session.restart(swaps) {
            writeln!(out, "{}", printable(&error.to_string()))?;
            return Ok(());
        }
        if swaps {
            let ByPlayer { red, blue } = &mut self.players;
            std::mem::swap(red, blue);
        }
        let you = if self.n_people() == 1 { format!("; you play {color}") } else { String::new() };
        writeln!(out, "a new game{you}")?;
        self.used = ByPlayer::default();
        self.is_drawn = false;
        self.leave_file(None, out)
    }

    fn analyze(&mut self, file: &str, out: &mut impl Write) -> anyhow::Result<()> {
        let page = (!file.is_empty()).then(|| Path::new(file));
        let reviewed = analyze::review(&self.saved(), self.session.record(), page, self.style, out);
        interrupt::leave_at_once()?;
        if let Err(error) = reviewed {
            writeln!(out, "{}", printable(&format!("{error:#}")))?;
        }
        Ok(())
    }

    /// Replaces the game with the last one of a file and returns a message about it.
    pub fn load(&mut self, path: &Path) -> anyhow::Result<String> {
        let games = read_games(path)?;
        let last = games.last().expect("a file without games is an error");
        let record = last.record()?;
        let loaded =
            format!("loaded {} after {}", record.start().spec(), plural(record.moves().len(), "move"));
        let ending = last.saved.ending(&record);
        self.session.replace(record, ending)?;
        self.is_drawn = false;
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

    /// Another game does not replace the one that its file contains, unless it was loaded from there.
    fn leave_file(&mut self, loaded: Option<&Path>, out: &mut impl Write) -> anyhow::Result<()> {
        if let Some(file) = self.file.take_if(|file| loaded != Some(file)) {
            writeln!(out, "{} keeps the game before; `save FILE` saves this one", file_name(&file))?;
        }
        Ok(())
    }

    /// Writes the game to a file that is new, or that may be overwritten.
    fn save(&self, path: &Path, is_forced: bool) -> Result<(), FileError> {
        if !is_forced && self.file.as_deref() != Some(path) {
            check_is_new(path, &format!("`save! {}` overwrites it", path.display()))?;
        }
        write_game(path, &self.saved())
    }

    /// A failure to save does not end the game.
    fn keep(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let Some(path) = &self.file else { return Ok(()) };
        if let Err(error) = write_game(path, &self.saved()) {
            writeln!(out, "not saved: {error:#}")?;
        }
        Ok(())
    }

    fn saved(&self) -> SavedGame {
        SavedGame { players: self.players.clone().map(Some), seed: self.seed(), ..self.session.saved() }
    }

    /// The seed of the agents' randomness, if there are any.
    fn seed(&self) -> Option<u64> {
        (self.n_people() < 2).then(|| self.session.seed())
    }

    fn n_people(&self) -> usize {
        Player::BOTH.into_iter().filter(|&player| self.session.is_human(player)).count()
    }

    fn show_board_if_new(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        if std::mem::replace(&mut self.is_drawn, true) {
            return Ok(());
        }
        // The first board explains how cells are named.
        let has_coordinates = 0 < self.n_people() && self.session.record().moves().is_empty();
        self.show_board(Style { has_coordinates, ..self.style }, out)
    }

    fn show_board(&self, style: Style, out: &mut impl Write) -> anyhow::Result<()> {
        writeln!(out, "\n{}", show::board(self.session.record(), style))?;
        self.show_caption(out)
    }

    fn show_coordinates(&self, out: &mut impl Write) -> anyhow::Result<()> {
        self.show_board(Style { has_coordinates: true, ..self.style }, out)?;
        let pos = self.session.record().now();
        writeln!(out, "position: {} \"{pos}\"", pos.spec())?;
        Ok(())
    }

    fn show_caption(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let ending = self.session.ending();
        writeln!(out, "{}", show::caption(self.session.record(), ending.as_ref()))?;
        let file = self.file.as_deref().map(file_name);
        match (ending, file, self.n_people()) {
            (None, ..) | (_, None, 0) => {}
            (_, Some(file), 0) => writeln!(out, "`yarra analyze {file}` reviews the game")?,
            (_, None, _) => {
                writeln!(out, "`analyze` reviews the game, `new` starts another, `save FILE` saves it")?
            }
            (_, Some(file), _) => {
                writeln!(out, "`analyze` reviews the game, `new` starts another; it is saved in {file}")?;
            }
        }
        Ok(())
    }

    fn list_moves(&self, cell: &str) -> String {
        match self.session.ending() {
            Some(ending) => format!("the game is over: {ending}\n"),
            None => show::moves(self.session.record(), cell),
        }
    }
}

/// The commands and the legal moves, for Tab.
fn words(session: &Session<'_>) -> Vec<String> {
    let game = session.record();
    let moves = if session.ending().is_none() { game.legal_moves() } else { Vec::new() };
    let commands = help::COMMANDS.iter().map(|(name, ..)| (*name).to_owned());
    commands.chain(moves.into_iter().map(|m| game.now().show_move(m))).collect()
}

/// An agent's fault, with the lines of its traceback.
pub fn told(AgentFault { player, fault }: &AgentFault) -> String {
    let lines = printable_lines(fault.message.trim_end(), N_FAULT_LINES);
    let lines =
        if lines.len() == 1 { format!(" {}\n", lines[0]) } else { format!("\n  {}\n", lines.join("\n  ")) };
    format!("{player} has failed ({}):{lines}", fault.failure)
}
