//! Parsing and checking a trace never panics.

#![no_main]

use libfuzzer_sys::fuzz_target;
use yarra_files::trace::Trace;

fuzz_target!(|text: &str| {
    let Ok(trace) = Trace::read(text) else { return };
    let checked = trace.check();
    if trace.record().is_err() {
        assert!(!checked.disagreements.is_empty(), "an illegal move is a disagreement");
    }
});
