//! A program that speaks UGI, in any language.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use yarra_engine::{Agent, AgentError, Choice, Failure, Limits, Watch};
use yarra_games::{Player, Record};

use crate::Memory;
use crate::jail::{Jail, Layers, View};
use crate::{Allowance, Interpreter, Process};
use yarra_arena::ugi::{Client, Lines};

/// A command, and the folders that it needs.
#[derive(Clone)]
pub(super) struct EngineProgram {
    program: PathBuf,
    args: Vec<String>,
    /// The folder of the file that the command names; an empty one if it names none.
    folder: Option<PathBuf>,
    others: Vec<PathBuf>,
}

impl EngineProgram {
    /// Finds the program of a command. The first word that is a file tells the engine's folder, in which the
    /// command is run: `./engine`, `python3 engines/mine/run.py --fast`.
    pub fn find(
        command: &str,
        interpreter: impl FnOnce() -> Result<Arc<Interpreter>, String>,
    ) -> Result<EngineProgram, String> {
        let mut words = shlex::split(command).filter(|words| !words.is_empty());
        let words = words.as_mut().ok_or("expected ugi:COMMAND, a program with its arguments")?;
        let file_idx = words.iter().position(|word| word.contains('/') && Path::new(word).is_file());
        let mut folder = None;
        if let Some(idx) = file_idx {
            let file = Path::new(&words[idx]).canonicalize().map_err(|error| error.to_string())?;
            folder = file.parent().map(Path::to_owned);
            words[idx] = format!("./{}", file.file_name().unwrap_or_default().display());
        }
        let name = words.remove(0);
        let mut others = Vec::new();
        let program = match () {
            () if file_idx == Some(0) => PathBuf::from(name),
            // What is on the path may be a script that looks for the interpreter in the user's home.
            () if name.starts_with("python") => {
                let found = interpreter()?;
                others.clone_from(&found.folders);
                found.program.clone()
            }
            () => {
                let found = on_path(&name).ok_or_else(|| format!("there is no program {name}"))?;
                others.extend(found.parent().map(Path::to_owned));
                found
            }
        };
        Ok(EngineProgram { program, args: words.clone(), folder, others })
    }
}

fn on_path(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())?
        .canonicalize()
        .ok()
}

/// An engine in a process of its own, which lasts for one game.
pub struct EngineAgent {
    program: EngineProgram,
    allowance: Allowance,
    layers: Layers,
    client: Option<Client<Process>>,
}

/// Time for an answer that needs no thinking.
const PATIENCE: Duration = Duration::from_secs(10);

impl EngineAgent {
    pub(super) fn new(program: EngineProgram, allowance: Allowance, layers: Layers) -> EngineAgent {
        EngineAgent { program, allowance, layers, client: None }
    }

    fn start(&self) -> io::Result<Process> {
        let EngineProgram { program, args, folder, others } = &self.program;
        let empty = tempfile::tempdir()?;
        let view = View::new(folder.as_deref().unwrap_or(empty.path()), others)?;
        let jail = Jail::new(self.layers.clone(), view);
        Process::start(&jail, program, args, self.allowance, Memory::Held)
    }
}

impl Agent for EngineAgent {
    fn begin(&mut self, side: Player, game: &Record, limits: Limits) -> Result<(), AgentError> {
        let process = self.start().map_err(|error| AgentError::new(Failure::Crash, error.to_string()))?;
        let client = self.client.insert(Client::connect(process, &[], PATIENCE)?);
        client.begin(side, game, limits)?;
        client.lines().set_baseline();
        client.lines().stop_clock()?;
        client.lines().hold();
        Ok(())
    }

    fn choose(&mut self, game: &Record, limits: Limits, watch: &mut Watch<'_>) -> Result<Choice, AgentError> {
        let client = self.client.as_mut().expect("a game has begun");
        let process = client.lines();
        // Without limits for a move, what is left for the game is the clock.
        let has_none = limits == Limits::default();
        let limits = if has_none { Limits { clock: process.left(), ..limits } } else { limits };
        let before = process.used();
        process.start_clock();
        process.release();
        let mut choice = client.choose(game, limits, watch)?;
        let process = client.lines();
        process.stop_clock()?;
        process.hold();
        // Whoever was given a time for a move was given one on the wall's clock.
        if has_none {
            choice.stats.charged = Some(process.used().saturating_sub(before));
        }
        choice.stats.memory = process.peak() as usize;
        Ok(choice)
    }

    fn end(&mut self, _game: &Record) {
        self.client = None;
    }
}

impl Lines for Process {
    fn send(&mut self, line: &str) -> Result<(), AgentError> {
        Process::send(self, line)
    }

    fn send_all(&mut self, lines: &[&str]) -> Result<(), AgentError> {
        Process::send_all(self, lines)
    }

    fn receive(&mut self, wait: Duration) -> Result<Option<String>, AgentError> {
        self.receive_within(wait)
    }
}
