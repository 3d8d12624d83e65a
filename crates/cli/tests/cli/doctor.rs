//! `yarra doctor`, on small course agents.

use std::fs;
use std::io::Read;
use std::process::Command;

use serde_json::Value;

use crate::room::{Answer, Room};

/// An agent that spawns as long as there is an empty cell, then spreads.
const SPAWNER: &str = "
from referee.game import Board, HexDir, HexPos, SpawnAction, SpreadAction

CELLS = [HexPos(r, q) for r in range(7) for q in range(7)]


class Agent:
    def __init__(self, color, **referee):
        self.color, self.board = color, Board()

    def action(self, **referee):
        CHOOSE
        power = sum(self.board[cell].power for cell in CELLS)
        empty = [cell for cell in CELLS if self.board[cell].player is None]
        if empty and power < 49:
            return SpawnAction(empty[0])
        own = [cell for cell in CELLS if self.board[cell].player == self.color]
        return SpreadAction(own[0], HexDir.Up)

    def turn(self, color, action, **referee):
        TURN
        self.board.apply_action(action)
";

/// A room with an agent in the package `agent` of the folder `my agent`, with some lines replaced.
fn room(changes: &[(&str, &str)]) -> Room {
    let mut text = SPAWNER.to_owned();
    for (line, new_line) in changes.iter().chain(&[("CHOOSE", "pass"), ("TURN", "pass")]) {
        text = text.replace(line, new_line);
    }
    let room = Room::new();
    fs::create_dir_all(room.path().join("my agent/agent")).unwrap();
    room.write("my agent/agent/__init__.py", "from .program import Agent\n");
    room.write("my agent/agent/program.py", &text);
    room
}

/// The report with the given numbers of games and of positions in addition to the special ones.
fn examine(room: &Room, n_games: u32, n_positions: u32, more: &[&str]) -> Answer {
    let (n_games, n_positions) = (n_games.to_string(), n_positions.to_string());
    let args = ["doctor", "infexion", "python:my agent", "--games", &n_games, "--positions", &n_positions];
    room.yarra(&[&args, more].concat(), "")
}

fn json(answer: &Answer) -> Value {
    assert_eq!(answer.out.lines().count(), 1, "{} {}", answer.out, answer.err);
    serde_json::from_str(&answer.out).unwrap()
}

/// The check with a name.
fn check<'a>(report: &'a Value, name: &str) -> &'a Value {
    let checks = report["checks"].as_array().unwrap();
    checks.iter().find(|check| check["name"] == name).unwrap_or_else(|| panic!("no {name:?} in {report:#}"))
}

fn failed(report: &Value) -> Vec<&str> {
    let checks = report["checks"].as_array().unwrap().iter();
    checks.filter(|check| check["status"] == "failed").map(|check| check["name"].as_str().unwrap()).collect()
}

/// Whether the command that reproduces a failure does so: whether it prints these words.
fn reproduces(room: &Room, replay: &str, words: &str) -> bool {
    let bin = std::path::Path::new(env!("CARGO_BIN_EXE_yarra")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let answer = Command::new("sh").args(["-c", replay]).current_dir(room.path()).env("PATH", path).output();
    let answer = answer.unwrap();
    let text = String::from_utf8_lossy(&answer.stdout) + String::from_utf8_lossy(&answer.stderr);
    text.contains(words) || text.contains(&words.replace(' ', "_"))
}

const FULL: &str = "with a total power of 49, where no spawn is legal";

#[test]
fn the_layers_of_the_machine_are_listed() {
    let room = Room::new();
    let answer = room.yarra(&["doctor", "--json"], "");
    let machine = json(&answer);
    assert_eq!(machine["layers"].as_array().unwrap().len(), 6);
    assert_eq!(answer.code, i32::from(machine["isolated"] != true));
    assert!(machine["python"]["version"].as_str().unwrap().starts_with("3."), "{machine}");
    assert!(0 < machine["cores"].as_u64().unwrap());
    let text = room.yarra(&["doctor"], "");
    assert_eq!(text.code, answer.code);
    for layer in ["user", "network", "files", "landlock", "processes", "seccomp", "isolated: ", "python "] {
        assert!(text.out.contains(layer), "{layer:?} is missing in {}", text.out);
    }
}

#[test]
fn a_good_agent_is_ready() {
    let room = room(&[]);
    let answer = examine(&room, 1, 3, &["--json"]);
    let report = json(&answer);
    assert_eq!((answer.code, &report["ready"]), (0, &Value::Bool(true)), "{report:#}");
    assert_eq!(failed(&report), [""; 0]);
    for name in
        ["import", "first turn of red", "first turn of blue", "without limits", FULL, "against random"]
    {
        assert_eq!(check(&report, name)["status"], "ok", "{report:#}");
    }
    for name in ["with one stack left", "near the turn limit", "with little time", "memory", "determinism"] {
        assert_eq!(check(&report, name)["status"], "ok", "{report:#}");
    }
    let determinism = check(&report, "determinism")["found"].as_str().unwrap();
    assert!(determinism.starts_with("it moves the same way when asked again"), "{determinism}");
    let course = check(&report, "time in the course")["found"].as_str().unwrap();
    assert!(course.starts_with("the official classes "), "{course}");
    let text = examine(&room, 0, 0, &[]);
    assert_eq!(text.code, 0);
    assert!(text.out.starts_with("package\n  ok       import: agent.program:Agent in "), "{}", text.out);
    assert!(text.out.lines().last().unwrap().starts_with("ready: "), "{}", text.out);
}

#[test]
fn an_illegal_move_is_found_where_no_spawn_is_legal() {
    let room = room(&[("empty and power < 49", "empty")]);
    let answer = examine(&room, 1, 3, &["--json"]);
    let report = json(&answer);
    assert_eq!((answer.code, &report["ready"]), (1, &Value::Bool(false)));
    assert!(failed(&report).contains(&FULL), "{report:#}");
    assert!(!failed(&report).contains(&"early in random games"), "{report:#}");
    let evidence = &check(&report, FULL)["evidence"];
    assert_eq!(evidence["failure"], "illegal_move");
    let replay = evidence["replay"].as_str().unwrap();
    assert!(replay.contains("yarra play infexion --red 'python:my agent'"), "{replay}");

    assert!(reproduces(&room, replay, "illegal move"), "{replay}");

    let text = examine(&room, 0, 0, &[]).out;
    for words in ["fix: ", "it returned:\n", "SPAWN(", "red to move", "to reproduce:\n", "not ready: "] {
        assert!(text.contains(words), "{words:?} is missing in {text}");
    }
}

#[test]
fn a_crash_comes_with_its_trace() {
    let room = room(&[("TURN", "assert not isinstance(action, SpreadAction), 'no spreads'")]);
    let answer = examine(&room, 1, 0, &[]);
    assert_eq!(answer.code, 1);
    let own_path = "my agent/agent/program.py\", line ";
    for words in
        ["it crashed in `turn` as ", "AssertionError: no spreads", own_path, "as in `", "not ready: "]
    {
        assert!(answer.out.contains(words), "{words:?} is missing in {}", answer.out);
    }
    assert_eq!(answer.out.matches("Traceback").count(), 1, "{}", answer.out);
}

#[test]
fn a_slow_agent_runs_out_of_time() {
    let room = room(&[("CHOOSE", "sum(range(20_000_000))")]);
    let answer = examine(&room, 1, 0, &["--json", "--time", "1s"]);
    let report = json(&answer);
    assert_eq!(answer.code, 1, "{report:#}");
    let checks = report["checks"].as_array().unwrap();
    let late = checks.iter().find(|check| check["evidence"]["failure"] == "time");
    let replay = late.unwrap()["evidence"]["replay"].as_str().unwrap();
    assert!(replay.ends_with(" --time 1000ms"), "{replay}");
    assert!(failed(&report).contains(&"time of the longest game"), "{report:#}");
}

#[test]
fn an_agent_that_cannot_be_imported_is_not_checked_further() {
    let room = room(&[("class Agent:", "print('hello')\n\n\nclass Agent:")]);
    let answer = examine(&room, 0, 0, &["--json"]);
    let report = json(&answer);
    assert_eq!((answer.code, &check(&report, "import")["status"]), (0, &"warning".into()), "{report:#}");

    room.write("my agent/agent/program.py", "import nothing_of_that_name\n");
    let answer = examine(&room, 0, 0, &[]);
    assert_eq!(answer.code, 1);
    for words in
        ["ModuleNotFoundError", "my agent/agent/program.py\", line 1", "not ready: 1 of 1 check failed"]
    {
        assert!(answer.out.contains(words), "{words:?} is missing in {}", answer.out);
    }

    fs::remove_file(room.path().join("my agent/agent/__init__.py")).unwrap();
    let answer = examine(&room, 0, 0, &[]);
    assert_eq!(answer.code, 1);
    assert!(answer.out.contains("failed   package: expected a package"), "{}", answer.out);
}

#[test]
fn a_spec_that_is_not_an_agent_is_an_error() {
    let room = room(&[]);
    for args in [
        ["doctor", "infexion", "random"],
        ["doctor", "infexion", "python:nowhere"],
        ["doctor", "hex", "python:my agent"],
        ["doctor", "chess", "python:my agent"],
    ] {
        let answer = room.yarra(&args, "");
        assert_eq!((answer.code, answer.err.lines().count()), (2, 1), "{args:?}: {}", answer.err);
    }
    assert_eq!(room.yarra(&["doctor", "infexion"], "").code, 2);
}

#[test]
fn an_interrupt_ends_it_cleanly() {
    let room = room(&[("self.color, self.board = color, Board()", "while True: pass")]);
    let mut child = room.command(&["doctor", "infexion", "python:my agent"]).spawn().unwrap();
    // It reports its start.
    let mut first = [0; 1];
    child.stderr.as_mut().unwrap().read_exact(&mut first).unwrap();
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.ends_with("stopped: the checks are not complete\n"), "{err}");
}

#[test]
fn modules_of_the_current_folder_are_not_run() {
    let room = Room::new();
    for module in ["platform", "site", "sysconfig", "numpy", "json"] {
        room.write(&format!("{module}.py"), "open('was_run', 'w').close()\n");
    }
    let answer = room.yarra(&["doctor"], "");
    assert!(answer.out.contains("python "), "{}", answer.out);
    assert!(!room.path().join("was_run").exists(), "code of the current folder was run");
}

/// Random numbers of an agent follow from the seed, so that what they lead to can be repeated.
#[test]
fn a_random_failure_can_be_reproduced() {
    let random = "import random\n        if random.random() < 0.05: return None";
    let room = room(&[("CHOOSE", random)]);
    let report = json(&examine(&room, 4, 12, &["--json"]));
    let checks = report["checks"].as_array().unwrap();
    let failures: Vec<&Value> = checks.iter().filter(|check| check["evidence"] != Value::Null).collect();
    assert!(!failures.is_empty(), "{report:#}");
    for check in failures {
        let replay = check["evidence"]["replay"].as_str().unwrap();
        assert!(replay.contains(" --seed 0"), "{replay}");
        assert!(reproduces(&room, replay, "illegal move"), "{replay}");
    }
}

/// The text has the whole command, however long the game was.
#[test]
fn a_crash_late_in_a_game_can_be_reproduced() {
    let room = room(&[("TURN", "assert self.board.turn_count < 100")]);
    room.write("game.json", "mine\n");
    let text = examine(&room, 0, 3, &[]).out;
    let (_, after) = text.split_once("to reproduce:\n").unwrap_or_else(|| panic!("{text}"));
    let replay = after.lines().next().unwrap().trim();
    assert!(500 < replay.len() && !replay.contains('…'), "{replay}");
    assert!(reproduces(&room, replay, "AssertionError"), "{replay}");
    assert_eq!(fs::read_to_string(room.path().join("game.json")).unwrap(), "mine\n");
}

/// An agent that fails when it is told its own move has to make that move again.
#[test]
fn a_crash_after_its_own_move_can_be_reproduced() {
    let told = "assert not hasattr(self, 'planned'), 'own move'";
    let room = room(&[("CHOOSE", "self.planned = True"), ("TURN", told)]);
    let report = json(&examine(&room, 0, 3, &["--json"]));
    let checks = report["checks"].as_array().unwrap();
    let failures: Vec<&Value> = checks.iter().filter(|check| check["evidence"] != Value::Null).collect();
    assert!(!failures.is_empty(), "{report:#}");
    for check in failures {
        let replay = check["evidence"]["replay"].as_str().unwrap();
        assert!(reproduces(&room, replay, "own move"), "{replay}");
    }
}

/// The same line with other values is the same mistake.
#[test]
fn one_mistake_is_shown_once() {
    let room = room(&[("CHOOSE", "if 5 < self.board.turn_count: {}[self.board.turn_count]")]);
    let text = examine(&room, 0, 3, &[]).out;
    assert!(1 < text.matches("KeyError: ").count(), "{text}");
    assert_eq!(text.matches("Traceback").count(), 1, "{text}");
}

#[test]
fn a_random_agent_is_not_deterministic() {
    let random = "import random\n        random.shuffle(CELLS)";
    let seeded = room(&[("CHOOSE", random)]);
    let report = json(&examine(&seeded, 0, 3, &["--json"]));
    let found = check(&report, "determinism")["found"].as_str().unwrap();
    assert!(found.contains("not deterministic: with another seed"), "{found}");
    let unsteady = room(&[("CHOOSE", "import random\n        random.SystemRandom().shuffle(CELLS)")]);
    let report = json(&examine(&unsteady, 0, 3, &["--json"]));
    let found = check(&report, "determinism")["found"].as_str().unwrap();
    assert!(found.contains("even with the same seed"), "{found}");
}

#[test]
fn the_time_in_the_course_is_projected() {
    let sums = "sum((HexPos(3, 3) + HexDir.Up).r for _ in range(5_000))";
    let room = room(&[("CHOOSE", sums)]);
    let report = json(&examine(&room, 1, 0, &["--json"]));
    let course = &check(&report, "time in the course")["found"];
    let found = course.as_str().unwrap();
    assert!(found.contains(" times the CPU time of ours here, estimated from its calls"), "{found}");

    // A copy of the official package beside the agent is measured instead.
    let python = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../guests/python");
    let copy = room.path().join("my agent");
    for layer in ["common", "infexion"] {
        let status = Command::new("cp").arg("-r").arg(python.join(layer).join("referee")).arg(&copy).status();
        assert!(status.unwrap().success());
    }
    let report = json(&examine(&room, 1, 0, &["--json"]));
    let found = check(&report, "time in the course")["found"].as_str().unwrap();
    assert!(found.contains("measured with the copy in its folder; its slowest game: "), "{found}");
}

#[test]
fn training_scripts_are_not_an_agent() {
    let room = Room::new();
    fs::create_dir_all(room.path().join("my agent/train")).unwrap();
    room.write("my agent/train/__init__.py", "def train():\n    pass\n");
    let answer = examine(&room, 0, 0, &[]);
    assert_eq!(answer.code, 1);
    assert!(answer.out.contains("found only train; "), "{}", answer.out);
}
