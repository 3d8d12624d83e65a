//! Programs that hide what they use, with control groups, if this machine has them, and without.

use std::time::Duration;

use yarra_files::SavedGame;

use crate::desk::{Desk, message, verdict};

/// Desks with a second of CPU time, and more wall-clock time than a busy machine needs for that.
fn desks() -> [Desk; 2] {
    [Desk::new(), Desk::new().without_groups()].map(|mut desk| {
        desk.options.call = Some(Duration::from_secs(60));
        desk.options.game = Some(Duration::from_secs(120));
        desk
    })
}

#[track_caller]
fn check(saved: &SavedGame, expected: &str) {
    assert_eq!(verdict(saved), Some(expected), "{}", message(saved));
}

#[test]
fn children_that_nobody_waits_for_are_charged() {
    for (seconds, pause) in [("0.005", "0.003"), ("0.3", "0.2")] {
        let body = format!(
            r#"
    def action(self, **referee):
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        while True:
            if os.fork() == 0:
                think({seconds})
                os._exit(0)
            time.sleep({pause})
"#
        );
        for desk in desks() {
            check(&desk.agent(&body), "time");
        }
    }
}

#[test]
fn children_that_the_kernel_reaps_are_charged() {
    // Nothing in `/proc` shows the flag SA_NOCLDWAIT (2); the structure is that of the C library.
    let body = r#"
    def action(self, **referee):
        import ctypes
        action = bytes(8 + 128) + (2).to_bytes(4, "little") + bytes(12)
        assert ctypes.CDLL(None).sigaction(17, action, None) == 0
        while True:
            if os.fork() == 0:
                think(0.1)
                os._exit(0)
            time.sleep(0.07)
"#;
    for desk in desks() {
        check(&desk.agent(body), "time");
    }
}

#[test]
fn children_that_are_waited_for_are_charged_once() {
    let body = r#"
    def action(self, **referee):
        for _ in range(3):
            child = os.fork()
            if child == 0:
                think(0.25)
                os._exit(0)
            os.waitpid(child, 0)
        raise ValueError("done")
"#;
    for desk in desks() {
        check(&desk.agent(body), "crash");
    }
}

#[test]
fn orphans_are_charged() {
    let body = r#"
    def action(self, **referee):
        while True:
            if os.fork() == 0:
                if os.fork() == 0:
                    think(0.2)
                os._exit(0)
            os.wait()
            time.sleep(0.15)
"#;
    for desk in desks() {
        check(&desk.agent(body), "time");
    }
}

#[test]
fn a_numpy_of_the_agents_own_is_its_memory() {
    for mut desk in desks() {
        desk.options.memory = Some(Some(50 << 20));
        desk.add("numpy/__init__.py", "hoard = bytearray(80 << 20)\n");
        check(&desk.agent("    import numpy\n"), "memory");
    }
}

#[test]
fn memory_without_a_mapping_is_refused() {
    let body = r#"
    def action(self, **referee):
        os.memfd_create("hoard")
"#;
    for desk in desks() {
        let saved = desk.agent(body);
        check(&saved, "crash");
        assert!(message(&saved).contains("Function not implemented"), "{}", message(&saved));
    }
}

#[test]
fn many_processes_share_a_limit() {
    let body = r#"
    def action(self, **referee):
        hoard = bytearray(18 << 20)
        for _ in range(8):
            if os.fork() == 0:
                for place in range(0, len(hoard), 4096):
                    hoard[place] = 1
                signal.pause()
        signal.pause()
"#;
    for mut desk in desks() {
        desk.options.memory = Some(Some(30 << 20));
        check(&desk.agent(body), "memory");
    }
}

#[test]
fn an_engines_memory_counts_from_its_start() {
    let script = r#"#!/usr/bin/env python3
hoard = bytearray(120 << 20)
for line in __import__("sys").stdin:
    if line.strip() in ("ugi", "isready"):
        print({"ugi": "ugiok", "isready": "readyok"}[line.strip()], flush=True)
"#;
    for mut desk in desks() {
        desk.options.memory = Some(Some(100 << 20));
        check(&desk.engine(script), "memory");
    }
}
