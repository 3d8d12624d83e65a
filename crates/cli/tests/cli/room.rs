//! Running the real command in a temporary folder.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// The result of a command.
pub struct Answer {
    /// The exit code.
    pub code: i32,
    /// Its standard output.
    pub out: String,
    /// Its standard error.
    pub err: String,
}

/// A folder in which commands run; it is removed with this value.
pub struct Room(TempDir);

impl Room {
    /// An empty folder.
    pub fn new() -> Room {
        Room(TempDir::new().unwrap())
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The contents of a file in it.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// Writes a file into it.
    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(name), text).unwrap();
    }

    /// The command, ready to run.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_yarra"));
        command.args(args).current_dir(self.path()).env_remove("NO_COLOR");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs `yarra ARGS` with a standard input.
    pub fn yarra(&self, args: &[&str], input: &str) -> Answer {
        let mut child = self.command(args).spawn().unwrap();
        // A command that does not read its input may have closed it.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        Answer {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// The output of `yarra ARGS`, which must succeed.
#[track_caller]
pub fn prints(args: &[&str]) -> String {
    let answer = Room::new().yarra(args, "");
    assert_eq!((answer.code, answer.err.as_str()), (0, ""), "{args:?}");
    answer.out
}
