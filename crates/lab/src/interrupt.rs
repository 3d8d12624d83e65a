//! Ctrl-C raises a flag: resumable work stops at the next opportunity.

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
    .context("cannot handle Ctrl-C")?;
    Ok(flag)
}
