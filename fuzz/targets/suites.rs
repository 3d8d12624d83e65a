//! Parsing and checking a perft suite never panics.

#![no_main]

use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use yarra_files::trace::PerftSuite;

fuzz_target!(|text: &str| {
    let Ok(suite) = PerftSuite::read(text) else { return };
    let mut n_steps = 0;
    // A suite may ask for any depth, so the counting stops after a few steps.
    suite.check(1000, |progress| {
        n_steps += 1;
        if 2 < progress.depth || 500 < n_steps { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
});
