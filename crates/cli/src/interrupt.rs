//! What Ctrl-C does: it raises a flag that long work looks at, or it ends the program.

use std::io::{self, Write};
use std::process;

use anyhow::Context;
use yarra_engine::Stop;

/// What a shell expects of a program that Ctrl-C has ended.
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

/// Lets Ctrl-C end the program in good order: for one that waits for a line, where no flag can be seen.
pub fn leave_at_once() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        // The shell's prompt should not stand behind ours.
        let _ = writeln!(io::stderr());
        process::exit(INTERRUPTED.into());
    })
    .context("cannot listen to Ctrl-C")
}
