//! What Ctrl-C does to work that can be continued: it raises a flag.

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
