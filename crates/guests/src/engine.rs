//! An engine: a program in any language that speaks UGI.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use nix::errno::Errno;
use yarra_arena::ugi::{Client, Lines};
use yarra_engine::{Agent, AgentError, Choice, Failure, Limits, RefereeError, Watch};
use yarra_games::{Player, Record};

use crate::jail::{Folder, Jail, Layers, View};
use crate::process::{MemoryMeasure, Process};
use crate::{Allowance, Interpreter};

/// An engine's command, and the folders that it needs.
#[derive(Clone)]
pub struct EngineProgram {
    program: PathBuf,
    args: Vec<String>,
    /// The folder of the file that the command names, if it names one.
    folder: Option<PathBuf>,
    /// What else the sandbox must show: the folders of an interpreter, or of a program on the `PATH`.
    other_folders: Vec<PathBuf>,
}

impl EngineProgram {
    /// Resolves a command. The first word that names a file and contains a `/` determines the engine's folder, in
    /// which the command runs: `./engine`, `python3 engines/mine/run.py --fast`.
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
        let mut other_folders = Vec::new();
        let program = match () {
            () if file_idx == Some(0) => PathBuf::from(name),
            // `python` on the `PATH` may be a script that searches the user's home for the interpreter.
            () if name.starts_with("python") => {
                let found = interpreter()?;
                other_folders.clone_from(&found.folders);
                found.program.clone()
            }
            () => {
                let found = on_path(&name).ok_or_else(|| format!("there is no program {name}"))?;
                other_folders.extend(found.parent().map(Path::to_owned));
                found
            }
        };
        Ok(EngineProgram { program, args: words.clone(), folder, other_folders })
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

/// An engine in its own process, which lives for one game.
pub struct EngineAgent {
    program: EngineProgram,
    allowance: Allowance,
    layers: Layers,
    client: Option<Client<Process>>,
}

/// Wall-clock time for a reply that needs no search, as the process counts it.
const REPLY_TIMEOUT: Duration = Duration::from_secs(10);
/// More than the process ever waits.
const NO_TIMEOUT: Duration = Duration::from_hours(24);

impl EngineAgent {
    /// An engine that is started when a game begins.
    pub fn new(program: EngineProgram, allowance: Allowance, layers: Layers) -> EngineAgent {
        EngineAgent { program, allowance, layers, client: None }
    }

    fn start(&self) -> io::Result<Process> {
        let EngineProgram { program, args, folder, other_folders } = &self.program;
        let empty = Folder::new()?;
        let view = View::new(folder.as_deref().unwrap_or(empty.path()), other_folders)?;
        let jail = Jail::new(self.layers.clone(), view);
        let mut process = Process::start(&jail, program, args, self.allowance, MemoryMeasure::Resident)?;
        if let Some(folder) = folder {
            process.set_home(&jail.home(), folder);
        }
        Ok(process)
    }
}

/// Why an engine did not start. A file that is no program is the engine's own fault.
fn start_error(engine: &EngineProgram, error: &io::Error) -> AgentError {
    let program = engine.program.display();
    let is_no_program = [Errno::ENOENT, Errno::EACCES, Errno::ENOEXEC].map(|errno| Some(errno as i32));
    match is_no_program.contains(&error.raw_os_error()) {
        true => AgentError::new(Failure::Crash, format!("{program} is not a program: {error}")),
        false => RefereeError::new(format!("start the engine {program}"), error).into(),
    }
}

impl Agent for EngineAgent {
    fn begin(&mut self, side: Player, game: &Record, limits: Limits) -> Result<(), AgentError> {
        let mut process = self.start().map_err(|error| start_error(&self.program, &error))?;
        process.set_patience(REPLY_TIMEOUT);
        let client = self.client.insert(Client::connect(process, &[], NO_TIMEOUT)?);
        client.begin(side, game, limits)?;
        let process = client.lines();
        process.suspend();
        process.stop_clock()?;
        process.set_patience(self.allowance.call);
        Ok(())
    }

    fn choose(&mut self, game: &Record, limits: Limits, watch: &mut Watch<'_>) -> Result<Choice, AgentError> {
        let client = self.client.as_mut().expect("a game has begun");
        let process = client.lines();
        // Without limits for a move, the time that is left for the game is sent as the clock.
        let has_no_limits = limits == Limits::default();
        let limits = if has_no_limits { Limits { clock: process.left(), ..limits } } else { limits };
        let before = process.used();
        if !has_no_limits {
            // What the machine owed it before does not count.
            process.waited()?;
        }
        process.start_clock();
        process.resume();
        let mut choice = client.choose(game, limits, watch)?;
        let process = client.lines();
        // Limits for a move are in wall-clock time; otherwise CPU time is charged.
        let waited = if has_no_limits { None } else { Some(process.waited()?) };
        process.suspend();
        process.stop_clock()?;
        choice.stats.charged = waited.or_else(|| Some(process.used().saturating_sub(before)));
        choice.stats.memory = process.peak() as usize;
        Ok(choice)
    }

    fn end(&mut self, _game: &Record) {
        self.client = None;
    }
}

impl Lines for Process {
    fn send(&mut self, line: &str) -> Result<(), AgentError> {
        Process::send(self, line);
        Ok(())
    }

    fn send_all(&mut self, lines: &[&str]) -> Result<(), AgentError> {
        Process::send_all(self, lines);
        Ok(())
    }

    fn receive(&mut self, wait: Duration) -> Result<Option<String>, AgentError> {
        self.receive_within(wait)
    }

    fn waited(&self) -> Option<Duration> {
        Some(self.waited_so_far())
    }
}
