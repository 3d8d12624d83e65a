//! Progress of long work on the standard error: a bar on a terminal, lines elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use yarra_draw::cleaned;

use crate::clean::stderr;
use crate::words::printable;

/// Work that takes less than this reports nothing.
const PATIENCE: Duration = Duration::from_secs(2);
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// The resolution of the bar. Progress is a fraction, because the total is rarely known in advance.
const N_STEPS: u64 = 10_000;

/// The progress of one piece of work. Dropping it clears the bar.
pub struct Progress {
    what: &'static str,
    started: Instant,
    /// What was done before, from 0 to 1.
    done_before: f64,
    next_line: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Work that starts now.
    pub fn new(what: &'static str) -> Progress {
        Progress::resumed(what, 0.0)
    }

    /// Work that goes on now, after a part of it was done, from 0 to 1.
    pub fn resumed(what: &'static str, done_before: f64) -> Progress {
        let started = Instant::now();
        Progress { what, started, done_before, next_line: started + PATIENCE, bar: None }
    }

    /// How long the work has taken so far.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Shows the progress, from 0 to 1, with a note such as the speed. Call it often.
    pub fn show(&mut self, fraction: f64, note: impl FnOnce() -> String) {
        let now = Instant::now();
        if now < self.next_line {
            return;
        }
        if io::stderr().is_terminal() {
            self.next_line = now + Duration::from_millis(100);
            let bar = self.bar.get_or_insert_with(|| new_bar(self.what, self.started.elapsed()));
            bar.set_position((fraction * N_STEPS as f64) as u64);
            let left = time_left(self.started.elapsed(), self.done_before, fraction);
            bar.set_message(format!("{}, {left}", printable(&note())));
            return;
        }
        self.next_line = now + BETWEEN_LINES;
        let left = time_left(self.started.elapsed(), self.done_before, fraction);
        // A closed standard error does not stop the work.
        let note = printable(&note());
        let _ = writeln!(stderr(), "{}: {:.1} %, {note}, {left}", self.what, 100.0 * fraction);
    }
}

impl Progress {
    /// Redraws lines in place on a terminal. Call it often, instead of `show`.
    pub fn picture(&mut self, text: impl FnOnce() -> String) {
        let now = Instant::now();
        if !is_live() || self.bar.is_some() && now < self.next_line {
            return;
        }
        self.next_line = now + Duration::from_millis(100);
        let style = || ProgressStyle::with_template("{msg}").expect("the template is right");
        let bar = self.bar.get_or_insert_with(|| ProgressBar::new_spinner().with_style(style()));
        bar.set_message(cleaned(&text()).into_owned());
        bar.tick();
    }

    /// Prints permanent text above the redrawn lines.
    pub fn aside(&self, print: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

/// Whether lines can be redrawn: the standard error is a terminal.
pub fn is_live() -> bool {
    io::stderr().is_terminal()
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A rate in readable form, such as `12.3 M/s`.
pub fn rate(n: u64, time: Duration) -> String {
    let per_second = n as f64 / time.as_secs_f64().max(1e-9);
    match per_second {
        0.0..1e3 => format!("{per_second:.0}/s"),
        1e3..1e6 => format!("{:.1} k/s", per_second / 1e3),
        1e6..1e9 => format!("{:.1} M/s", per_second / 1e6),
        _ => format!("{:.1} G/s", per_second / 1e9),
    }
}

fn new_bar(what: &'static str, elapsed: Duration) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix} [{bar:30}] {percent} % {elapsed} {msg}")
        .expect("the template is right")
        .progress_chars("=> ");
    let bar = ProgressBar::new(N_STEPS).with_style(style).with_prefix(what).with_elapsed(elapsed);
    // Keeps the elapsed time running between reports.
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

fn time_left(elapsed: Duration, done_before: f64, fraction: f64) -> String {
    let seconds = elapsed.as_secs_f64() * (1.0 - fraction) / (fraction - done_before).max(0.0);
    match seconds {
        0.0..120.0 => format!("{seconds:.0} s left"),
        120.0..7200.0 => format!("{:.0} min left", seconds / 60.0),
        7200.0..360_000.0 => format!("{:.0} h left", seconds / 3600.0),
        _ if !seconds.is_finite() => "time left unknown".to_owned(),
        _ => "days left".to_owned(),
    }
}
