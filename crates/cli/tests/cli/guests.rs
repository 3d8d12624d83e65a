//! External agents through the real command.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::room::Room;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn example(name: &str) -> String {
    format!("python:{}", root().join("examples/agents").join(name).display())
}

fn bad(name: &str) -> String {
    format!("python:{}:{name}", root().join("crates/guests/tests/agents/bad").display())
}

/// A shell script that answers commands.
fn engine(room: &Room, name: &str, script: &str) -> String {
    let path = room.path().join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    format!("ugi:{}", path.display())
}

#[test]
fn a_match_continues_where_it_stopped_unless_the_limits_changed() {
    let room = Room::new();
    let agent = example("infexion/random");
    let played = |games: &str, more: &[&str]| {
        let args = [&["match", "infexion", &agent, "greedy", "--games", games, "--save", "g"], more].concat();
        let answer = room.yarra(&args, "");
        assert_eq!(answer.code, 0, "{}", answer.err);
        answer.out
    };
    played("1", &[]);
    assert!(played("2", &[]).contains("1 game of this match from g"));
    assert!(!played("2", &["--time", "9s"]).contains("of this match"));
    let line = room.read("g");
    assert!(
        line.contains(
            r#""guests":[{"player":"red","limits":"time=180s,memory=250MB,call=60s","isolation":["#
        )
    );
    assert!(line.contains("\"limits\":\"time=9s,memory=250MB,call=60s\""), "{line}");
    assert_eq!(line.lines().count(), 4);
}

#[test]
fn a_fault_is_reported_saved_and_shown() {
    let room = Room::new();
    let answer =
        room.yarra(&["match", "infexion", &bad("crash_action"), "greedy", "--games", "1", "--save", "g"], "");
    assert!(answer.out.contains("crash: red: "), "{}", answer.out);
    let shown = room.yarra(&["show", "g", "--last"], "");
    assert!(shown.out.contains("blue wins (crash)"), "{}", shown.out);
    assert!(shown.out.contains("red failed:\n  Traceback"), "{}", shown.out);
    assert!(shown.out.contains("red within time=180s,memory=250MB,call=60s, isolated by "), "{}", shown.out);
    let shown = room.yarra(&["show", "g", "--last", "--json"], "");
    let value: serde_json::Value = serde_json::from_str(&shown.out).unwrap();
    assert_eq!(value["fault"]["player"], "red");
    assert_eq!(value["outcome"]["reason"], "crash");
}

#[test]
fn faults_of_engines_are_classified() {
    let room = Room::new();
    let hello = "read line; echo ugiok; while read line; do case $line in isready) echo readyok;; go*) ";
    let table = [
        ("illegal", format!("{hello} echo bestmove 9-9;; esac; done"), "illegal_move"),
        ("nonsense", format!("{hello} echo hello;; esac; done"), "protocol"),
        ("leaves", format!("{hello} exit 3;; esac; done"), "exit"),
        ("loops", format!("{hello} while :; do :; done;; esac; done"), "time"),
        ("sleeps", format!("{hello} sleep 100;; esac; done"), "silence"),
        ("floods", format!("{hello} yes >&2;; esac; done"), "flood"),
        ("dies", format!("{hello} kill -SEGV $$;; esac; done"), "crash"),
        ("mute", "sleep 100".to_owned(), "silence"),
    ];
    for (name, script, verdict) in table {
        let spec = engine(&room, name, &script);
        let limits = ["--games", "1", "--save", "saved", "--time", "1s", "--call-time", "2s"];
        let answer = room.yarra(&[&["match", "infexion", &spec, "greedy"], &limits[..]].concat(), "");
        assert_eq!(answer.code, 0, "{name}: {}", answer.err);
        let saved = room.read("saved");
        assert!(saved.contains(&format!("\"winner\":\"blue\",\"reason\":\"{verdict}\"")), "{name}: {saved}");
        fs::remove_file(room.path().join("saved")).unwrap();
    }
}

#[test]
fn many_idle_processes_take_no_files_from_the_referee() {
    let room = Room::new();
    let crowd = "n=0; while [ $n -lt 50 ]; do sleep 1000 & n=$((n+1)); done; read line; echo ugiok";
    let rest =
        "while read line; do case $line in isready) echo readyok;; go*) echo bestmove 9-9;; esac; done";
    let spec = engine(&room, "crowd", &format!("{crowd}\n{rest}"));
    let mut command = Command::new("sh");
    command.args([
        "-c",
        "ulimit -n 128; exec \"$0\" \"$@\"",
        env!("CARGO_BIN_EXE_yarra"),
        "match",
        "infexion",
    ]);
    command.args([&spec, "random", "--games", "8", "--jobs", "4", "--json"]);
    let output = command.stdin(Stdio::null()).output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(output.status.code(), Some(0), "{err}");
    let result: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(result["faults"]["a"]["kinds"]["illegal_move"], 8, "{out}");
    assert_eq!(result["faults"]["b"]["total"], 0, "{out}");
}

#[test]
fn a_referee_that_inherits_an_ignored_signal_still_waits_for_its_agents() {
    let room = Room::new();
    let spec = bad("crash_action");
    let ignore = "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])";
    let mut command = Command::new("python3");
    command.args(["-c", ignore, env!("CARGO_BIN_EXE_yarra")]);
    command.args(["match", "infexion", &spec, "random", "--games", "1"]).current_dir(room.path());
    let output = command.stdin(Stdio::null()).output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(out.contains("1 crash"), "{out}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn our_own_engine_works_as_an_external_agent() {
    let room = Room::new();
    for (game, agent) in [("infexion", "entourage:depth=2"), ("cachex:4", "mcts"), ("hex:4", "deepening")] {
        let spec = format!("ugi:{} ugi {game} {agent}", env!("CARGO_BIN_EXE_yarra"));
        let limits = ["--games", "2", "--move-time", "20ms", "--save", "saved"];
        let answer = room.yarra(&[&["match", game, &spec, "random"], &limits[..]].concat(), "");
        assert_eq!(answer.code, 0, "{}", answer.err);
        assert!(!room.read("saved").contains("\"fault\""), "{}", room.read("saved"));
        fs::remove_file(room.path().join("saved")).unwrap();
    }
}

/// Nothing but the engine itself holds on to the interpreter.
#[test]
fn an_engine_can_be_a_script_of_an_interpreter_on_the_path() {
    let room = Room::new();
    let script = "import sys
for line in sys.stdin:
    answers = {'ugi': 'ugiok', 'isready': 'readyok', 'go': 'bestmove 9-9'}
    print(answers.get(line.split()[0], ''), flush=True)
";
    room.write("engine.py", script);
    let match_of = ["match", "infexion", "ugi:python3 ./engine.py", "random", "--games", "1"];
    let answer = room.yarra(&match_of, "");
    assert!(answer.code == 0 && answer.out.contains("illegal move: red"), "{}{}", answer.out, answer.err);
}

/// A shell ignores signals in what it starts in the background. Agents do not inherit that.
#[test]
fn agents_start_with_the_usual_signals() {
    let room = Room::new();
    let hello = "read line; echo ugiok; while read line; do case $line in isready) echo readyok;; go*) ";
    let spec = engine(&room, "quits", &format!("{hello} kill -QUIT $$; echo bestmove 3-3;; esac; done"));
    let yarra = env!("CARGO_BIN_EXE_yarra");
    let script = format!("trap '' INT QUIT HUP; exec {yarra} match infexion '{spec}' random --games 1");
    let answer = Command::new("sh").args(["-c", &script]).current_dir(room.path()).output().unwrap();
    let out = String::from_utf8_lossy(&answer.stdout);
    assert!(out.contains("crash: red: the program was killed by SIGQUIT"), "{out}");
}

#[test]
fn errors_in_specs_say_what_was_expected() {
    let room = Room::new();
    for (spec, words) in [
        ("python:", "expected python:DIR"),
        ("python:nowhere", "expected a folder at nowhere"),
        ("python:.", "expected a package"),
        ("ugi:", "expected ugi:COMMAND"),
        ("ugi:no-such-program", "there is no program no-such-program"),
    ] {
        let answer = room.yarra(&["match", "infexion", spec, "random"], "");
        assert_eq!(answer.code, 2, "{spec}");
        assert!(answer.err.contains(words), "{spec}: {}", answer.err);
    }
    let answer = room.yarra(&["match", "hex:5", &example("cachex/random"), "random"], "");
    assert!(answer.err.contains("not hex:5"), "{}", answer.err);
    let answer =
        room.yarra(&["match", "infexion", &example("infexion/random"), "random", "--python", "cat"], "");
    assert!(answer.err.contains("expected a Python interpreter"), "{}", answer.err);
    let answer = room.yarra(&["traps", "infexion", &example("infexion/random")], "");
    assert!(answer.code == 2 && answer.err.contains("only told moves"), "{}", answer.err);
    let answer = room.yarra(&["match", "infexion", "random", "random", "--memory", "lots"], "");
    assert!(answer.err.contains("250MB"), "{}", answer.err);
}

#[test]
fn a_killed_referee_leaves_no_processes_behind() {
    let room = Room::new();
    let spec = bad("infinite_loop");
    let mut child = room.command(&["match", "infexion", &spec, "random"]).spawn().unwrap();
    let agents = || {
        let lines = fs::read_dir("/proc").unwrap().flatten();
        let lines = lines.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
        let is_ours =
            |line: &Vec<u8>| String::from_utf8_lossy(line).contains("\"package\":\"infinite_loop\"");
        lines.filter(is_ours).count()
    };
    let until = |n_agents| {
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
        while agents() != n_agents {
            assert!(std::time::Instant::now() < deadline, "{} processes of the agent", agents());
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    };
    until(1);
    child.kill().unwrap();
    child.wait().unwrap();
    until(0);
}

/// The first game never ends, the second at once: it must not wait for the first.
#[test]
fn a_game_is_saved_as_soon_as_it_is_over() {
    let room = Room::new();
    let hello = "read line; echo ugiok; while read line; do case $line in isready) echo readyok;; ";
    let script = format!("{hello} *moves*) m=1;; go*) test $m || sleep 1000; echo bestmove 9-9;; esac; done");
    let spec = engine(&room, "slow-as-red", &script);
    let args = ["match", "infexion", &spec, "random", "--games", "2", "--jobs", "2", "--save", "saved"];
    let args = [&args[..], &["--openings", "random:0", "--call-time", "5s"]].concat();
    let mut child = room.command(&args).spawn().unwrap();
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let saved = || fs::read_to_string(room.path().join("saved")).unwrap_or_default();
    while !saved().ends_with('\n') {
        assert!(std::time::Instant::now() < deadline, "no game is saved");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(saved().contains("\"round\":1"), "{}", saved());
    let answer = room.yarra(&args, "");
    assert!(answer.code == 0 && answer.out.contains(" of this match from saved"), "{}", answer.out);
    assert_eq!(saved().lines().count(), 2);
}

/// A referee that may open almost no files cannot start any agent.
#[test]
fn an_error_of_the_referee_is_no_lost_game() {
    let room = Room::new();
    let spec = engine(&room, "fine", "while read line; do :; done");
    let yarra = env!("CARGO_BIN_EXE_yarra");
    let script = format!("ulimit -n 9; exec {yarra} match infexion '{spec}' random --games 2 --save saved");
    let answer = Command::new("sh").args(["-c", &script]).current_dir(room.path()).output().unwrap();
    let err = String::from_utf8_lossy(&answer.stderr);
    assert_eq!(answer.status.code(), Some(1), "{err}");
    assert!(err.contains("yarra: the referee could not start the engine"), "{err}");
    assert!(err.contains("Too many open files") && err.contains("2 games not played"), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
    assert_eq!(fs::read_to_string(room.path().join("saved")).unwrap_or_default(), "");
}

/// A limit on the size of files stands for a full disk.
#[test]
fn a_full_folder_for_temporary_files_is_named() {
    let room = Room::new();
    let (yarra, spec) = (env!("CARGO_BIN_EXE_yarra"), example("infexion/random"));
    let script = format!("trap '' XFSZ; ulimit -f 1; exec {yarra} match infexion '{spec}' random");
    let mut command = Command::new("sh");
    let answer = command.args(["-c", &script]).env("TMPDIR", room.path()).output().unwrap();
    let err = String::from_utf8_lossy(&answer.stderr);
    let place = format!("expected a writable folder for temporary files at {}", room.path().display());
    assert_eq!(answer.status.code(), Some(2), "{err}");
    assert!(err.contains(&place) && err.contains("File too large"), "{err}");
    assert_eq!(fs::read_dir(room.path()).unwrap().count(), 0);
}

/// Run as an ordinary user: the binary and an agent in a folder that everybody can read.
#[test]
fn an_ordinary_user_can_isolate_agents_too() {
    if !is_root() {
        // Then all other tests cover it.
        return;
    }
    let room = Room::new();
    fs::set_permissions(room.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let binary = room.path().join("yarra");
    fs::copy(env!("CARGO_BIN_EXE_yarra"), &binary).unwrap();
    merge(&root().join("examples/agents/infexion/random"), &room.path().join("mine"));
    merge(&root().join("crates/guests/tests/agents/bad"), &room.path().join("bad"));
    // Root's interpreter may be in its home; the system's is accessible to all.
    let python = "/usr/bin/python3";
    if !Path::new(python).exists() {
        return;
    }
    for agent in ["python:mine", "python:bad:daemon"] {
        let mut command = Command::new(&binary);
        command.args(["match", "infexion", agent, "greedy", "--games", "1", "--python", python]);
        command.args(["--save", "saved", "--require-isolation"]);
        command.current_dir(room.path()).uid(65534).gid(65534).stdin(Stdio::null());
        let answer = command.output().unwrap();
        assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    }
    let saved = room.read("saved");
    assert!(!saved.contains("\"fault\""), "{saved}");
    assert!(saved.contains("\"files\""), "{saved}");
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|meta| meta.uid() == 0)
}

/// The exported package, the referee packages and `yarra ugi` together.
#[test]
fn exported_agents_play_in_the_courses_referee() {
    let python = root().join("crates/guests/python");
    for (game, layers, args) in [
        ("infexion", &["common", "infexion"][..], &["a", "b", "-v", "0"][..]),
        ("tetress", &["common", "tetress"], &["a", "b", "-v", "0"]),
        ("cachex", &["cachex"], &["7", "a", "b", "-v", "1"]),
    ] {
        let room = Room::new();
        for layer in layers {
            merge(&python.join(layer).join("referee"), &room.path().join("referee"));
        }
        // An agent that does not lose to random moves.
        for (agent, dir) in [("champion:nodes=2000", "a"), ("random", "b")] {
            let answer = room.yarra(&["export-agent", game, agent, dir], "");
            assert_eq!(answer.code, 0, "{}", answer.err);
        }
        let mut referee = Command::new("python3");
        let played = referee.args(["-m", "referee"]).args(args).current_dir(room.path()).output().unwrap();
        let out = String::from_utf8_lossy(&played.stdout).into_owned();
        let last = out.lines().last().unwrap_or_default();
        let is_won = last.contains("player 1 [a:Agent]") || last.contains("winner: red");
        assert!(is_won, "{game}: {out}{}", String::from_utf8_lossy(&played.stderr));
    }
}

fn merge(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let (path, place) = (entry.path(), to.join(entry.file_name()));
        match path.is_dir() {
            true => merge(&path, &place),
            false => assert!(fs::copy(&path, &place).is_ok()),
        }
    }
}
