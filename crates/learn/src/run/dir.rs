//! The directory of a run.
//!
//! `run.json` is the plan, `checkpoint.safetensors` the state after the last whole round, `net.safetensors` the net to
//! play with, `log.jsonl` a line for each round, and `shards` holds the games by round. The checkpoint is the truth:
//! what is newer was left by a round that was killed.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use yarra_engine::net::NetFile;
use yarra_engine::net::file::NET_NAME;
use yarra_files::Draft;

use super::{Logged, Plan};
use crate::RunError;

/// The directory of a run.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    /// Locked while the run goes on; `None` for readers.
    _lock: Option<File>,
}

/// What a run has saved, to go on with.
pub struct Saved<'a> {
    /// The recipe's state.
    pub state: NetFile,
    /// The number of rounds that are done.
    pub n_rounds: u64,
    /// Where the shards are.
    pub dir: &'a RunDir,
}

const PLAN: &str = "run.json";
const CHECKPOINT: &str = "checkpoint.safetensors";
const LOG: &str = "log.jsonl";
const SHARDS: &str = "shards";
const LOCK: &str = "lock";
/// The checkpoint's metadata that counts the rounds.
const ROUNDS: &str = "rounds";

impl RunDir {
    /// A run's directory to go on in: made if it is not there, with the plan.
    ///
    /// # Errors
    /// If it contains something else or another run, or another program is using it.
    pub fn begin(path: &Path, plan: &Plan) -> Result<RunDir, RunError> {
        let cannot = |error: io::Error| RunError::new(format!("{}: {error}", path.display()));
        let is_ours = path.join(PLAN).is_file();
        if path.exists() && !is_ours && !is_unused(path) {
            let found = "expected a run or an empty directory; choose another";
            return Err(RunError::new(format!("{}: {found}", path.display())));
        }
        fs::create_dir_all(path.join(SHARDS)).map_err(cannot)?;
        let lock = File::create(path.join(LOCK)).map_err(cannot)?;
        // On a file system without locks this check is skipped.
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            return Err(RunError::new(format!("{}: another program is training here", path.display())));
        }
        let dir = RunDir { path: path.to_owned(), _lock: Some(lock) };
        if is_ours {
            let old = dir.plan()?;
            old.check_same(plan).map_err(|error| RunError::new(format!("{}: {error}", path.display())))?;
        }
        dir.remove_drafts().map_err(cannot)?;
        let text = serde_json::to_string_pretty(plan).expect("a plan is JSON");
        dir.replace(PLAN, (text + "\n").as_bytes())?;
        Ok(dir)
    }

    /// A run's directory to read.
    ///
    /// # Errors
    /// If it is none.
    pub fn open(path: &Path) -> Result<RunDir, RunError> {
        let dir = RunDir { path: path.to_owned(), _lock: None };
        dir.plan()?;
        Ok(dir)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The plan.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn plan(&self) -> Result<Plan, RunError> {
        let path = self.path.join(PLAN);
        let wrong = |error: &dyn std::fmt::Display| {
            RunError::new(format!("{}: expected the plan of a run: {error}", path.display()))
        };
        let text = fs::read_to_string(&path).map_err(|error| wrong(&error))?;
        serde_json::from_str(&text).map_err(|error| wrong(&error))
    }

    /// The log, up to the last round that is done.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn log(&self) -> Result<Vec<Logged>, RunError> {
        let path = self.path.join(LOG);
        let n_rounds = self.saved()?.map_or(0, |saved| saved.n_rounds);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            read => read.map_err(|error| RunError::new(format!("{}: {error}", path.display())))?,
        };
        let line = |text| {
            serde_json::from_str(text).map_err(|error| RunError::new(format!("{}: {error}", path.display())))
        };
        let lines: Result<Vec<Logged>, _> = text.lines().map(line).collect();
        Ok(lines?.into_iter().filter(|line| line.round < n_rounds).collect())
    }

    /// The state after the last round that is done; `None` before the first.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn saved(&self) -> Result<Option<Saved<'_>>, RunError> {
        let path = self.path.join(CHECKPOINT);
        if !path.exists() {
            return Ok(None);
        }
        let state = NetFile::open(&path)?;
        let n_rounds = state.told(ROUNDS)?;
        Ok(Some(Saved { state, n_rounds, dir: self }))
    }

    /// Saves a round: the log first, then the state, which makes the round count, then the net.
    pub(super) fn save(
        &self,
        log: &[Logged],
        n_rounds: u64,
        mut state: NetFile,
        net: &NetFile,
    ) -> Result<(), RunError> {
        let line = |line: &Logged| serde_json::to_string(line).expect("an entry is JSON") + "\n";
        self.replace(LOG, log.iter().map(line).collect::<String>().as_bytes())?;
        state.tell(ROUNDS, n_rounds);
        self.replace(CHECKPOINT, &state.to_bytes())?;
        self.write_net(net)
    }

    pub(super) fn write_net(&self, net: &NetFile) -> Result<(), RunError> {
        self.replace(NET_NAME, &net.to_bytes())
    }

    fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        Ok(Draft::begin(&self.path.join(name))?.finish(bytes)?)
    }

    fn shard(&self, round: u64) -> PathBuf {
        self.path.join(SHARDS).join(format!("{round:06}.bin"))
    }

    /// Writes what a round has played.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn write_shard(&self, round: u64, bytes: &[u8]) -> Result<(), RunError> {
        Ok(Draft::begin(&self.shard(round))?.finish(bytes)?)
    }

    /// What a round has played.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read_shard(&self, round: u64) -> Result<Vec<u8>, RunError> {
        let path = self.shard(round);
        fs::read(&path).map_err(|error| RunError::new(format!("{}: {error}", path.display())))
    }

    /// Removes the shard of a round that no later round reads.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn remove_shard(&self, round: u64) -> Result<(), RunError> {
        match fs::remove_file(self.shard(round)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(RunError::new(format!("{}: {error}", self.shard(round).display())))
            }
            _ => Ok(()),
        }
    }

    /// Removes drafts that a killed program has left.
    fn remove_drafts(&self) -> io::Result<()> {
        for folder in [self.path.clone(), self.path.join(SHARDS)] {
            for file in fs::read_dir(folder)? {
                let path = file?.path();
                if path.extension().is_some_and(|extension| extension == "tmp") {
                    fs::remove_file(path)?;
                }
            }
        }
        Ok(())
    }
}

/// Whether a directory is empty, or holds only what a run that was killed before its plan was written has left.
fn is_unused(path: &Path) -> bool {
    let is_left = |file: io::Result<fs::DirEntry>| {
        let Ok(file) = file else { return false };
        let name = file.file_name();
        let is_shards = || fs::read_dir(file.path()).is_ok_and(|mut files| files.next().is_none());
        let is_draft = || name.to_str().is_some_and(|name| name.starts_with(PLAN) && name.ends_with(".tmp"));
        name == LOCK || name == SHARDS && is_shards() || is_draft()
    };
    fs::read_dir(path).is_ok_and(|mut files| files.all(is_left))
}
