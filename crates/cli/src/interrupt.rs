//! Handling of Ctrl-C: it raises a flag that long work checks, or ends the program.

use std::io::{self, Write};
use std::process;

use anyhow::Context;
use yarra_engine::Stop;

/// The exit code that a shell expects after Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// A flag that Ctrl-C raises. A second Ctrl-C ends the program at once.
pub fn flag() -> anyhow::Result<Stop> {
    let flag = Stop::new();
    let raised = flag.clone();
    ctrlc::set_handler(move || {
        if raised.raise() {
            process::exit(INTERRUPTED.into());
        }
    })
    .context("cannot listen to Ctrl-C")?;
    Ok(flag)
}

/// Lets Ctrl-C end the program cleanly, for a program that is blocked reading a line and cannot check a flag.
pub fn leave_at_once() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        // The shell's prompt belongs on a new line.
        let _ = writeln!(io::stderr());
        process::exit(INTERRUPTED.into());
    })
    .context("cannot listen to Ctrl-C")
}
