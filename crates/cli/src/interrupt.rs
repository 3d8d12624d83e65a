//! Handling of Ctrl-C: it raises a flag that long work checks, or ends the program.

use std::io::{self, Write};
use std::process;
use std::sync::{Mutex, OnceLock, PoisonError};

use anyhow::Context;
use yarra_engine::Stop;

/// The exit code that a shell expects after Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// The flag that Ctrl-C raises; `None` if it ends the program.
static RAISED: Mutex<Option<Stop>> = Mutex::new(None);

/// A flag that Ctrl-C raises. A second Ctrl-C ends the program at once.
pub fn flag() -> anyhow::Result<Stop> {
    let flag = Stop::new();
    listen(Some(flag.clone()))?;
    Ok(flag)
}

/// Lets Ctrl-C end the program cleanly, for a program that is blocked reading a line and cannot check a flag.
pub fn leave_at_once() -> anyhow::Result<()> {
    listen(None)
}

/// Changes what Ctrl-C does: `play` is left at once at its prompt, but not while it analyzes.
fn listen(flag: Option<Stop>) -> anyhow::Result<()> {
    static INSTALLED: OnceLock<Result<(), ctrlc::Error>> = OnceLock::new();
    *RAISED.lock().unwrap_or_else(PoisonError::into_inner) = flag;
    let installed = INSTALLED.get_or_init(|| {
        ctrlc::set_handler(|| match &*RAISED.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(flag) if !flag.raise() => {}
            Some(_) => process::exit(INTERRUPTED.into()),
            None => {
                // The shell's prompt belongs on a new line.
                let _ = writeln!(io::stderr());
                process::exit(INTERRUPTED.into());
            }
        })
    });
    installed.as_ref().map_err(|error| anyhow::anyhow!("{error}")).context("cannot listen to Ctrl-C")?;
    Ok(())
}
