//! A place for a game against a hostile program.

use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tempfile::TempDir;
use yarra_arena::{Side, play};
use yarra_engine::{Agent, AgentError, Choice, Limits, Watch};
use yarra_files::SavedGame;
use yarra_games::{ByPlayer, Move, Record, start};
use yarra_guests::jail::Layers;
use yarra_guests::{Host, HostOptions};

/// A folder for a program, and the limits under which it plays.
pub struct Desk {
    folder: TempDir,
    pub options: HostOptions,
    /// The limits for a move.
    pub limits: Limits,
}

impl Desk {
    /// Short limits: a second of CPU time in a game, two seconds of wall-clock time for a call.
    pub fn new() -> Desk {
        let options = HostOptions {
            time: Some(Some(Duration::from_secs(1))),
            call: Some(Duration::from_secs(2)),
            ..HostOptions::default()
        };
        Desk { folder: tempfile::tempdir().unwrap(), options, limits: Limits::default() }
    }

    /// The same without control groups, as for an ordinary user.
    pub fn without_groups(mut self) -> Desk {
        self.options.layers = Some(Layers::of_this_machine().without_groups());
        self
    }

    /// Adds a file to the folder of the agent.
    pub fn add(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Plays an engine, given as a script with its `#!` line.
    pub fn engine(&self, script: &str) -> SavedGame {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        // The name is in the command line of its processes.
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("hostile-{}-{count}", std::process::id());
        let path = self.folder.path().join(&name);
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        fs::set_permissions(self.folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let saved = self.play(&format!("ugi:{}", path.display()));
        assert_eq!(n_processes(&name), 0, "processes are left of\n{script}");
        saved
    }

    /// Plays a course agent, given as the body of its class, which is indented by four spaces.
    pub fn agent(&self, body: &str) -> SavedGame {
        let package = self.folder.path().join("agent");
        fs::create_dir(&package).unwrap();
        let base = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/agents/bad/base.py");
        fs::copy(base, package.join("base.py")).unwrap();
        let text = format!("{PRELUDE}\nclass Agent(Base):\n{body}");
        fs::write(package.join("__init__.py"), text).unwrap();
        fs::set_permissions(self.folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        self.play(&format!("python:{}", self.folder.path().display()))
    }

    fn play(&self, spec: &str) -> SavedGame {
        let host = Host::new(self.options.clone());
        let pos = start("infexion").unwrap();
        let agent = host.guest(&spec.parse().unwrap(), &*pos).unwrap().seat(0);
        let red = Ok(Side::new(agent, self.limits));
        let blue = Ok(Side::new(Box::new(Lowest), Limits::default()));
        let played = play(Record::new(pos), ByPlayer { red, blue }, &mut |_| ControlFlow::Continue(()));
        played.expect("the referee can work").expect("nobody cancels").saved
    }
}

/// Spawns on the last free cell and leaves the first ones to its opponent.
struct Lowest;

impl Agent for Lowest {
    fn choose(&mut self, game: &Record, _: Limits, _: &mut Watch<'_>) -> Result<Choice, AgentError> {
        let name = |&m: &Move| game.now().show_move(m);
        let is_spawn = |m: &Move| !name(m).ends_with(|c: char| c.is_ascii_alphabetic());
        let moves = game.legal_moves();
        let last = moves.iter().copied().filter(is_spawn).max_by_key(name);
        Ok(last.unwrap_or(moves[0]).into())
    }
}

/// What the bodies of agents use.
const PRELUDE: &str = r#"
import fcntl, gc, os, signal, stat, sys, time
from .base import Base

START = time.process_time()

def think(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass

def pipes():
    """The pipes beyond the standard ones: requests and replies."""
    for number in range(3, 64):
        try:
            if stat.S_ISFIFO(os.fstat(number).st_mode):
                yield number, fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE
        except OSError:
            pass

def forge(line):
    for number, mode in pipes():
        if mode == os.O_WRONLY:
            os.write(number, line + b"\n")
"#;

/// The verdict on red, if it lost by a fault.
pub fn verdict(saved: &SavedGame) -> Option<&str> {
    saved.fault.as_ref()?;
    Some(saved.ending.as_ref()?.cause.name())
}

/// The message of the fault.
pub fn message(saved: &SavedGame) -> &str {
    saved.fault.as_ref().map_or("", |fault| &fault.message)
}

/// The number of processes whose command line contains a name.
fn n_processes(name: &str) -> usize {
    let lines = fs::read_dir("/proc").unwrap().flatten();
    let lines = lines.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(name)).count()
}
