//! What Ctrl-C does: it raises a flag that long work looks at, or it ends the program.

use std::io::{self, Write};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

/// What a shell expects of a program that Ctrl-C has ended.
pub const INTERRUPTED: u8 = 130;

/// A flag that Ctrl-C raises. Whoever presses it again does not want to wait.
pub fn flag() -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::Relaxed) {
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
