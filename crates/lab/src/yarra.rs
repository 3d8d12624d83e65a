//! The `yarra` program, run as a user would: it saves and continues its own matches.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, bail, ensure};
use serde_json::Value;

use crate::ERROR;
use crate::interrupt::INTERRUPTED;

/// A failure of `yarra` that it has already reported. `lab` exits with the same code.
#[derive(Debug)]
pub struct Ended(pub u8);

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "yarra ended with {}", self.0)
    }
}

impl std::error::Error for Ended {}

/// The program.
pub struct Yarra(PathBuf);

impl Yarra {
    /// The program at a path or, by default, next to `lab`.
    pub fn find(path: Option<&Path>) -> anyhow::Result<Yarra> {
        if let Some(path) = path {
            ensure!(path.is_file(), "there is no program {}", path.display());
            return Ok(Yarra(path.to_owned()));
        }
        let path = std::env::current_exe()?.with_file_name(format!("yarra{}", std::env::consts::EXE_SUFFIX));
        let build = if cfg!(debug_assertions) { "cargo build" } else { "cargo build --release" };
        ensure!(
            path.is_file(),
            "{} is missing: run `{build}`, or name a program with --yarra",
            path.display()
        );
        Ok(Yarra(path))
    }

    /// Runs `yarra match` into a file of games, with progress on the standard error, and returns its result.
    pub fn play(&self, args: &[impl AsRef<OsStr>], save: &Path) -> anyhow::Result<Value> {
        let mut command = Command::new(&self.0);
        command.arg("match").args(args).arg("--save").arg(save).arg("--json");
        let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
        let output = output.with_context(|| format!("cannot run {}", self.0.display()))?;
        self.check(output.status)?;
        serde_json::from_slice(&output.stdout).context("expected one JSON object from `yarra match --json`")
    }

    /// The last `info` line of a search by `yarra ugi`.
    pub fn last_info(&self, game: &str, agent: &str, commands: &str) -> anyhow::Result<String> {
        let mut command = Command::new(&self.0);
        command.args(["ugi", game, agent]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("cannot run {}", self.0.display()))?;
        let mut input = child.stdin.take().context("no standard input of yarra")?;
        let output = child.stdout.take().context("no standard output of yarra")?;
        // If it has exited already, its exit code says why.
        let _ = input.write_all(commands.as_bytes());
        let mut last = String::new();
        for line in BufReader::new(output).lines() {
            let line = line?;
            if line.starts_with("bestmove") {
                break;
            }
            last = line;
        }
        drop(input);
        self.check(child.wait()?)?;
        Ok(last)
    }

    fn check(&self, status: ExitStatus) -> anyhow::Result<()> {
        match status.code() {
            Some(0) => Ok(()),
            Some(code) if code == i32::from(ERROR) || code == i32::from(INTERRUPTED) => {
                Err(Ended(code as u8).into())
            }
            _ => bail!("{} failed: {status}", self.0.display()),
        }
    }
}

/// The games of a file, as JSON.
pub fn saved_games(path: &Path) -> anyhow::Result<Vec<Value>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let games = text.lines().map(serde_json::from_str).collect::<Result<Vec<Value>, _>>();
    games.with_context(|| format!("expected one game per line in {}", path.display()))
}

/// The target folder of the build, where measurements are kept too.
pub fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(path) => path.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"),
    }
}

/// The load average of the last minute, if it is known.
pub fn load() -> String {
    let loads = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let first = loads.split(' ').next().and_then(|load| load.parse::<f64>().ok());
    first.map_or_else(|| "unknown".to_owned(), |load| format!("{load:.1}"))
}
