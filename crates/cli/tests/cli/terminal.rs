//! `yarra play` at a real pseudo-terminal: line editing, history, completion, Ctrl-C, Ctrl-D, narrow windows.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use nix::pty::{Winsize, openpty};
use nix::sys::termios::{LocalFlags, tcgetattr};

use crate::room::Room;

/// Long enough for a busy machine. Only a failing test waits for it.
const PATIENCE: Duration = Duration::from_secs(120);

/// A program at a terminal, and what it has printed.
struct Terminal {
    child: Child,
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    /// What was printed after the last text that was waited for.
    rest: String,
    slave: OwnedFd,
}

impl Terminal {
    fn new(room: &Room, columns: u16, args: &[&str]) -> Terminal {
        let size = Winsize { ws_row: 50, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let pty = openpty(&size, None).unwrap();
        let stdio = || Stdio::from(pty.slave.try_clone().unwrap());
        let mut command = room.command(args);
        command.stdin(stdio()).stdout(stdio()).stderr(stdio()).env("TERM", "xterm").env("NO_COLOR", "1");
        let child = command.spawn().unwrap();
        let keyboard = File::from(pty.master);
        let mut output = keyboard.try_clone().unwrap();
        let (sender, screen) = channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            // The terminal reports an error once nobody else has it open.
            while let Ok(n @ 1..) = output.read(&mut buffer)
                && sender.send(buffer[..n].to_vec()).is_ok()
            {}
        });
        Terminal { child, keyboard, screen, rest: String::new(), slave: pty.slave }
    }

    /// Presses keys.
    fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until a text is printed, and returns all that was printed before it.
    #[track_caller]
    fn wait_for(&mut self, text: &str) -> String {
        loop {
            if let Some(at) = self.rest.find(text) {
                let before = self.rest[..at].to_owned();
                self.rest.drain(..at + text.len());
                return before;
            }
            match self.screen.recv_timeout(PATIENCE) {
                Ok(bytes) => self.rest += &String::from_utf8_lossy(&bytes),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    let _ = self.child.kill();
                    panic!("{text:?} was not printed after {:?}", self.rest);
                }
            }
        }
    }

    /// Waits until a line can be typed, and types it.
    #[track_caller]
    fn answer(&mut self, prompt: &str, keys: &str) -> String {
        let before = self.wait_for(prompt);
        self.press(keys);
        before
    }

    /// Waits for the end, and whether the terminal was left as it had been.
    #[track_caller]
    fn end(mut self) -> ExitStatus {
        let status = self.child.wait().unwrap();
        let modes = tcgetattr(&self.slave).unwrap().local_flags;
        assert!(modes.contains(LocalFlags::ICANON | LocalFlags::ECHO), "the terminal is still raw");
        status
    }
}

#[test]
fn lines_are_edited_remembered_and_completed() {
    let room = Room::new();
    let mut terminal = Terminal::new(&room, 100, &["play", "hex:3", "--save", "g.json"]);
    terminal.answer("red> ", "moves 1-1\r");
    terminal.wait_for("1 legal move with 1-1");
    // Arrow up.
    terminal.answer("red> ", "\u{1b}[A\r");
    terminal.wait_for("1 legal move with 1-1");
    // Home, a missing digit, End, backspace.
    terminal.answer("red> ", "-01\u{1b}[H0\u{1b}[F\u{7f}\r");
    terminal.wait_for("1. red plays 0-0");
    // Arrow left.
    terminal.answer("blue> ", "1-2\u{1b}[D\u{1b}[3~1\r");
    terminal.wait_for("2. blue plays 1-1");
    // Tab completes a command, and a move.
    terminal.answer("red> ", "und\t\r");
    terminal.wait_for("move 2: blue to move");
    terminal.answer("blue> ", "2-\t\t");
    for cell in ["2-0", "2-1", "2-2"] {
        terminal.wait_for(cell);
    }
    terminal.press("2\r");
    terminal.wait_for("2. blue plays 2-2");
    // Ctrl-D.
    terminal.answer("red> ", "\u{4}");
    assert_eq!(terminal.end().code(), Some(0));
    assert!(room.read("g.json").contains(r#"["0-0","2-2"]"#));
}

#[test]
fn ctrl_c_leaves_the_prompt_with_the_game_saved() {
    let room = Room::new();
    let mut terminal = Terminal::new(&room, 100, &["play", "hex:3", "--save", "g.json"]);
    terminal.answer("red> ", "0-0\r");
    terminal.answer("blue> ", "half a li\u{3}");
    assert_eq!(terminal.end().code(), Some(130));
    assert!(room.read("g.json").contains(r#"["0-0"]"#));
}

#[test]
fn boards_lists_and_help_fit_into_narrow_windows() {
    for (game, columns) in [("infexion", 40), ("hex", 60), ("cachex:15", 80), ("tetress", 40)] {
        let room = Room::new();
        let mut terminal = Terminal::new(&room, columns, &["play", game]);
        let board = terminal.answer("red> ", "moves\r");
        let list = terminal.wait_for("red> ");
        let drawn = board.split("commands").nth(1).expect("a board");
        for line in drawn.lines().chain(list.lines()) {
            let width = line.trim_end().chars().count();
            // A list that is cut off ends with a sentence.
            assert!(
                width <= columns.into() || line.contains('…') || line.contains("to move"),
                "{game}: {line:?}"
            );
        }
        terminal.press("help\r");
        let help = terminal.wait_for("Commands");
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
        terminal.answer("red> ", "quit\r");
        assert_eq!(terminal.end().code(), Some(0));
    }
}

#[test]
fn an_agent_that_thinks_is_announced_and_the_announcement_removed() {
    let room = Room::new();
    let args = ["play", "hex:3", "--blue", "negamax:depth=2", "--seed", "1"];
    let mut terminal = Terminal::new(&room, 100, &args);
    terminal.answer("red> ", "1-1\r");
    terminal.wait_for("blue is thinking");
    terminal.wait_for("2. blue plays");
    terminal.answer("red> ", "resign\r");
    terminal.wait_for("`analyze` reviews the game");
    terminal.answer("over> ", "quit\r");
    assert_eq!(terminal.end().code(), Some(0));
}
