//! External agents through the real command as different users, with and without namespaces: nothing gets out, nothing
//! is left behind, and ordinary things work everywhere.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::process::Stdio;
use std::time::{Duration, Instant};

use nix::libc;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::machines::{Machine, Refused, World, filter};
use crate::room::Room;

/// Memory is another test's business.
const PATIENT: [&str; 3] = ["--memory", "2GB", "--require-isolation"];

#[test]
fn ordinary_things_work_on_every_machine() {
    for machine in Machine::all() {
        let (reason, fault) = World::new(machine).verdict("python:sandbox:ordinary", &PATIENT);
        assert_eq!(fault, "null", "{machine:?}: {reason}");
    }
}

#[test]
fn nothing_outside_can_be_reached_on_any_machine() {
    for machine in Machine::all() {
        let world = World::new(machine);
        let _listener = UnixListener::bind(world.room.path().join("outside/socket")).unwrap();
        if machine.is_ordinary {
            world.give_to_user(&world.room.path().join("outside/socket"));
        }
        let outside = |name: &str| {
            let meta = fs::metadata(world.room.path().join("outside").join(name)).unwrap();
            (meta.mode(), meta.mtime(), meta.mtime_nsec(), meta.gid(), meta.len())
        };
        let before = ["", "file"].map(outside);
        let (reason, fault) = world.verdict("python:sandbox:hostile", &PATIENT);
        assert_eq!(fault, "null", "{machine:?}: {reason}");
        assert_eq!(["", "file"].map(outside), before, "{machine:?}");
    }
}

#[test]
fn nothing_is_left_behind_on_any_machine() {
    for machine in Machine::all() {
        let world = World::new(machine);
        for agent in ["lingers", "fills"] {
            let (reason, fault) = world.verdict(&format!("python:sandbox:{agent}"), &PATIENT);
            assert_eq!(fault, "null", "{agent} {machine:?}: {reason}");
        }
    }
}

#[test]
fn verdicts_are_the_same_on_every_machine() {
    for machine in Machine::all() {
        let world = World::new(machine);
        for (agent, more, expected) in [
            ("python:bad:crash_action", &[][..], "crash"),
            ("python:bad:os_exit", &[], "exit"),
            ("python:bad:infinite_loop", &["--time", "1s"], "time"),
            ("python:bad:sleep", &["--call-time", "2s"], "silence"),
            ("python:bad:segfault", &[], "crash"),
            ("python:sandbox:bomb", &["--time", "1s"], "time"),
            ("python:sandbox:crowd", &[], "crash"),
        ] {
            let (reason, fault) = world.verdict(agent, more);
            assert_eq!(reason, expected, "{agent} {machine:?}: {fault}");
        }
    }
}

#[test]
fn engines_play_and_fail_on_every_machine() {
    for machine in Machine::all() {
        let world = World::new(machine);
        let hello = "read line; echo ugiok; while read line; do case $line in isready) echo readyok;; go*) ";
        for (script, expected) in
            [("echo bestmove 9-9", "illegal_move"), ("exit 3", "exit"), ("kill -SEGV $$", "crash")]
        {
            let path = world.room.path().join("engine");
            fs::write(&path, format!("#!/bin/sh\n{hello} {script};; esac; done")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            let (reason, fault) = world.verdict("ugi:./engine", &[]);
            assert_eq!(reason, expected, "{script} {machine:?}: {fault}");
        }
        // Its folder holds gigabytes of build products, which must not be copied.
        let ours = format!("ugi:{} ugi infexion greedy", env!("CARGO_BIN_EXE_yarra"));
        if !machine.is_ordinary {
            let (reason, fault) = world.verdict(&ours, &["--depth", "1"]);
            assert_eq!(fault, "null", "{machine:?}: {reason}");
        }
    }
}

/// What only its owner can read, links in a circle, and pipes that nobody writes to.
#[test]
fn folders_of_all_kinds_can_be_played_on_every_machine() {
    for machine in Machine::all() {
        let world = World::new(machine);
        let agents = world.room.path().join("sandbox");
        symlink(".", agents.join("circle")).unwrap();
        symlink("/usr", agents.join("large")).unwrap();
        nix::unistd::mkfifo(&agents.join("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        fs::set_permissions(agents.join("ordinary.py"), fs::Permissions::from_mode(0o600)).unwrap();
        fs::set_permissions(agents.join("base.py"), fs::Permissions::from_mode(0o400)).unwrap();
        fs::set_permissions(&agents, fs::Permissions::from_mode(0o500)).unwrap();
        let (reason, fault) = world.verdict("python:sandbox:ordinary", &PATIENT);
        assert_eq!(fault, "null", "{machine:?}: {reason}");
        fs::set_permissions(&agents, fs::Permissions::from_mode(0o700)).unwrap();
    }
}

#[test]
fn a_killed_referee_leaves_no_process_and_the_next_one_no_folder() {
    for machine in Machine::all() {
        let world = World::new(machine);
        let args = world.game("python:sandbox:waits", &[]);
        let mut child = machine.within(|| world.command(&args).stdin(Stdio::null()).spawn().unwrap());
        let until = |what: &str, done: &dyn Fn() -> bool| {
            let deadline = Instant::now() + Duration::from_secs(60);
            while !done() {
                assert!(Instant::now() < deadline, "{what} {machine:?}: {:?}", world.processes());
                std::thread::sleep(Duration::from_millis(10));
            }
        };
        // The agent and its daemons: a fork has the command line of its parent.
        let is_agent = |line: &&String| line.contains("\"package\"");
        until("start", &|| world.processes().iter().filter(is_agent).count() >= 3);
        kill(Pid::from_raw(child.id() as i32), Signal::SIGKILL).unwrap();
        child.wait().unwrap();
        until("end", &|| world.processes().is_empty());
        assert_eq!(world.temporary().len(), 1, "{machine:?}");
        let (_, fault) = world.verdict("python:bad:prints", &[]);
        assert_eq!(fault, "null", "{machine:?}");
    }
}

#[test]
fn doctor_says_what_is_missing_and_what_would_help() {
    for machine in Machine::all() {
        let world = World::new(machine);
        let answer = world.yarra(&["doctor"]);
        let has_namespaces = machine.refused == Refused::Nothing
            || machine.refused == Refused::UserNamespaces
                && !machine.is_ordinary
                && nix::unistd::geteuid().is_root();
        assert_eq!(!answer.out.contains("MISSING   files"), has_namespaces, "{machine:?}: {}", answer.out);
        assert_eq!(!answer.out.contains("to get "), has_namespaces, "{machine:?}: {}", answer.out);
        assert_eq!(
            answer.code,
            i32::from(!answer.out.contains("\nisolated: ")),
            "{machine:?}: {}",
            answer.out
        );
        world.check_nothing_is_left("doctor");
    }
}

#[test]
fn a_missing_folder_for_temporary_files_is_named() {
    let room = Room::new();
    for args in [&["doctor"][..], &["match", "infexion", "ugi:cat", "random", "--require-isolation"]] {
        let answer = room.command(args).env("TMPDIR", "/nonexistent").output().unwrap();
        let error = String::from_utf8(answer.stderr).unwrap();
        assert_eq!(answer.status.code(), Some(2), "{error}");
        assert!(error.contains("temporary files at /nonexistent, as TMPDIR says"), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

/// A machine without Landlock cannot isolate agents in a container.
#[test]
fn isolation_that_is_required_and_missing_is_an_error() {
    let machine = Machine { refused: Refused::Namespaces, is_ordinary: false };
    let world = World::new(machine);
    let without_landlock = || {
        let refused = filter(vec![(libc::SYS_landlock_create_ruleset, Vec::new())], libc::ENOSYS);
        seccompiler::apply_filter(&refused).unwrap();
        let run = |args: &[&str]| world.command(args).stdin(Stdio::null()).output().unwrap();
        (run(&world.game("python:bad:prints", &["--require-isolation"])), run(&["doctor"]))
    };
    let (played, doctor) = machine.within(without_landlock);
    let error = String::from_utf8(played.stderr).unwrap();
    assert_eq!(played.status.code(), Some(2), "{error}");
    assert!(error.contains("they could ") && error.contains("read and write all files"), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(!world.room.path().join("saved").exists());
    let text = String::from_utf8(doctor.stdout).unwrap();
    assert_eq!(doctor.status.code(), Some(1), "{text}");
    assert!(
        text.contains("\nnot isolated: agents could ") && text.contains("a kernel with Landlock"),
        "{text}"
    );
}
