//! Hostile engines.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use yarra_engine::Limits;

use crate::desk::{Desk, message, verdict};

/// A shell script that is a proper engine up to its answer to `go`.
fn shell(answer: &str) -> String {
    format!(
        "#!/bin/sh\nread line; echo ugiok\nwhile read line; do case $line in\nisready) echo readyok;;\ngo*) {answer};;\nesac; done"
    )
}

/// A Python script that is a proper engine up to its answer to `go`.
fn python(answer: &str) -> String {
    format!(
        r#"#!/usr/bin/env python3
import os, sys, time

def say(text):
    data = text.encode() + b"\n"
    while data:
        data = data[os.write(1, data):]

for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if word == "ugi":
        say("ugiok")
    elif word == "isready":
        say("readyok")
    elif word == "go":
        {answer}
"#
    )
}

#[track_caller]
fn check(script: &str, expected: &str) {
    let saved = Desk::new().engine(script);
    assert_eq!(verdict(&saved), Some(expected), "{}\n{script}", message(&saved));
}

#[test]
fn an_engine_that_does_not_read_is_silent() {
    // All its answers at once, and an input that takes only a page: after some moves nothing more fits in.
    let blind = r#"#!/usr/bin/env python3
import fcntl, time
fcntl.fcntl(0, 1031, 4096)
print("ugiok\nreadyok\nreadyok")
for n in range(21):
    print("readyok\nbestmove %d-%d" % (n // 7, n % 7))
print("readyok", flush=True)
time.sleep(100)
"#;
    let saved = Desk::new().engine(blind);
    assert_eq!((verdict(&saved), saved.moves.len()), (Some("silence"), 42), "{}", message(&saved));
    check("#!/bin/sh\nsleep 100", "silence");
    check("#!/bin/sh\nread line; echo ugiok; sleep 100", "silence");
}

#[test]
fn an_engine_that_closes_its_pipes_has_left() {
    check(&shell("echo bestmove 3-3; exec <&-; sleep 100"), "exit");
    check(&shell("exec >&-; sleep 100"), "exit");
    check("#!/bin/sh\nexec <&-\necho ugiok; sleep 100", "exit");
    check(&shell("exec <&-; sleep 100"), "exit");
}

#[test]
fn an_engine_that_ends_between_commands_has_left() {
    check(&shell("echo bestmove 3-3; exit 0"), "exit");
    check(&shell("echo bestmove 3-3; exit 3"), "exit");
    check(&shell("echo bestmove 3-3; kill -SEGV $$"), "crash");
    check("#!/bin/sh\nexit 0", "exit");
    // Its child keeps the pipes open.
    check(&shell("sleep 100 & exit 0"), "exit");
    check("#!/no/such/interpreter\n", "crash");
}

#[test]
fn broken_lines_are_judged() {
    check(&shell("printf 'bestmove 3-3'; sleep 100"), "silence");
    check(&shell("printf 'bestm\\000ove 3-3\\n'"), "protocol");
    check(&shell("printf 'bestmove \\377\\376\\n'"), "illegal_move");
    check(&shell("printf '\\377\\376\\n'"), "protocol");
    check(&shell("printf '\\n\\n\\r\\n'; sleep 100"), "silence");
    check(&python("say('info string ' + 'x' * 1_100_000)"), "protocol");
    check(&python("os.write(1, b'x' * 2_000_000)"), "protocol");
}

#[test]
fn answers_out_of_place_are_protocol_faults() {
    check(&shell("echo bestmove 3-3; echo bestmove 3-4"), "protocol");
    let early = "#!/bin/sh\nread line; echo ugiok\nwhile read line; do case $line in\nisready) echo bestmove 3-3; echo readyok;;\nesac; done";
    check(early, "protocol");
    check(&shell("echo readyok; echo bestmove 3-3"), "protocol");
    check(&shell("echo ugiok"), "protocol");
}

#[test]
fn floods_end_soon() {
    check(&python("while True: os.write(2, b'x' * 65536)"), "flood");
    for line in ["info depth %d score cp 1 nodes 9", "info pv 3-3 3-4 3-5", "info string x", "info", ""] {
        // Rising depths, in large pieces: the referee is the one with the work.
        let flood = format!(
            "depth = 0\n        while True:\n            lines = []\n            for _ in range(5000):\n                \
             depth += 1\n                lines.append({line:?}.replace('%d', str(depth)))\n            \
             say('\\n'.join(lines))"
        );
        let saved = Desk::new().engine(&python(&flood));
        let found = verdict(&saved);
        // Making the lines costs time too, and reading them takes the referee some.
        assert!(matches!(found, Some("flood" | "time" | "silence")), "{line}: {found:?}");
    }
    // Five million lines, which cost the engine next to nothing.
    let mut desk = Desk::new();
    desk.options.call = Some(Duration::from_secs(20));
    let saved = desk.engine("#!/bin/sh\nexec yes");
    assert_eq!(verdict(&saved), Some("flood"), "{}", message(&saved));
    let options = "#!/usr/bin/env python3\nimport os\nwhile True: os.write(1, b'option name x type string default y\\n' * 1000)";
    let saved = Desk::new().engine(options);
    assert!(matches!(verdict(&saved), Some("flood" | "silence")), "{}", message(&saved));
}

#[test]
fn what_is_recorded_of_a_fault_is_short() {
    for answer in ["say('bestmove ' + 'x' * 900_000)", "say('y' * 900_000)"] {
        let saved = Desk::new().engine(&python(answer));
        let size = saved.to_line().len();
        assert!(saved.fault.is_some() && size < 30_000, "{size} bytes");
    }
}

#[test]
fn an_engine_that_stops_itself_is_silent() {
    check(&shell("kill -STOP $$"), "silence");
}

#[test]
fn an_engine_that_only_waits_loses_the_game_at_last() {
    let mut desk = Desk::new();
    desk.options.game = Some(Duration::from_millis(1500));
    let play = r#"
        if "n" not in globals(): n = 0
        time.sleep(0.4)
        say("bestmove %s" % ["3-3", "0-0", "0-6", "6-0", "6-6", "3-0", "0-3"][n])
        n += 1"#;
    let saved = desk.engine(&python(play.trim_start()));
    assert_eq!(verdict(&saved), Some("silence"), "{}", message(&saved));
    assert!(message(&saved).contains("in this game"), "{}", message(&saved));
}

/// Processes that keep all CPUs busy.
struct Load(Vec<Child>);

impl Load {
    fn new(n_processes: usize) -> Load {
        let busy = || {
            let mut shell = Command::new("sh");
            shell.args(["-c", "while :; do :; done"]).stdin(Stdio::null()).spawn().unwrap()
        };
        Load((0..n_processes).map(|_| busy()).collect())
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[test]
fn waiting_for_a_cpu_is_not_silence() {
    let _load = Load::new(8);
    check(&shell("while :; do :; done"), "time");
    check(&shell("(while :; do :; done) & (while :; do :; done) & wait"), "time");
    check(&shell("sleep 100"), "silence");
}

#[test]
fn an_engine_that_computes_for_too_long_is_silent_too() {
    let mut desk = Desk::new();
    desk.options.time = Some(Some(Duration::from_secs(180)));
    let saved = desk.engine(&shell("while :; do :; done"));
    assert_eq!(verdict(&saved), Some("silence"));
    // Its own threads delay each other, which is no excuse.
    let saved = desk.engine(&shell("for n in 1 2 3 4 5 6; do (while :; do :; done) & done; wait"));
    assert_eq!(verdict(&saved), Some("silence"));
}

#[test]
fn limits_for_a_move_are_kept() {
    let mut desk = Desk::new();
    desk.limits = Limits { move_time: Some(Duration::from_millis(100)), ..Limits::default() };
    let saved = desk.engine(&shell("sleep 0.5; echo bestmove 3-3"));
    assert_eq!(verdict(&saved), Some("time"), "{}", message(&saved));
    let saved = desk.engine(&shell("sleep 100"));
    assert_eq!(verdict(&saved), Some("time"), "{}", message(&saved));
}
