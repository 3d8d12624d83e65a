//! `lab` as a developer runs it, with tiny budgets, in a temporary folder.

mod results;

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Once;
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A folder in which commands run; it is removed with this value.
struct Room(TempDir);

impl Room {
    fn new() -> Room {
        Room(TempDir::new().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
        // Matches are kept below the target folder.
        command.args(args).current_dir(self.0.path()).env("CARGO_TARGET_DIR", self.0.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn lab(&self, args: &[&str]) -> Answer {
        Answer::from(self.command(args).output().unwrap())
    }

    /// The output of a command, which must succeed.
    #[track_caller]
    fn prints(&self, args: &[&str]) -> String {
        let answer = self.lab(args);
        assert_eq!(answer.code, 0, "{args:?}: {}", answer.err);
        answer.out
    }
}

struct Answer {
    code: i32,
    out: String,
    err: String,
}

impl From<Output> for Answer {
    fn from(output: Output) -> Answer {
        Answer {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// The `yarra` next to `lab`, built if it is missing: it belongs to another package.
fn yarra() -> String {
    static BUILD: Once = Once::new();
    let path = Path::new(env!("CARGO_BIN_EXE_lab")).with_file_name("yarra");
    BUILD.call_once(|| {
        if !path.exists() {
            let mut cargo = Command::new(env!("CARGO"));
            cargo.args(["build", "--quiet", "--package", "yarra-cli"]).current_dir(ROOT);
            if path.components().any(|part| part.as_os_str() == "release") {
                cargo.arg("--release");
            }
            assert!(cargo.status().unwrap().success());
        }
    });
    path.to_str().unwrap().to_owned()
}

#[test]
fn every_command_has_help_with_an_example() {
    let room = Room::new();
    let commands = [
        "fit",
        "fit infexion",
        "fit tetress",
        "fit cachex",
        "fit winchance",
        "prove",
        "solve",
        "openings",
        "answers",
        "mine",
        "strength",
        "overruns",
        "threshold",
        "instructions",
    ];
    for command in commands {
        let args: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let help = room.prints(&args);
        assert!(help.contains("Example") && help.contains(&format!("lab {command}")), "{help}");
    }
}

#[test]
fn fits_print_weights_as_rust_code() {
    let room = Room::new();
    for game in ["infexion", "cachex"] {
        let out = room.prints(&["fit", game, "2", "20", "1"]);
        assert!(out.starts_with("// positions fitted and held out: ["), "{out}");
        for part in ["pub const FITTED: Weights<N_FEATURES> = Weights {", "moving: [", "waiting: [", "turn: "]
        {
            assert!(out.contains(part), "{part} in {out}");
        }
        assert_eq!(out, room.prints(&["fit", game, "2", "20", "1"]), "the same arguments, the same weights");
    }
    let out = room.prints(&["fit", "tetress", "1", "200", "1", "table=1"]);
    assert!(out.contains(" positions, loss ") && out.contains("        turn: ["), "{out}");
}

#[test]
fn a_fit_needs_positions() {
    let answer = Room::new().lab(&["fit", "infexion", "1", "10"]);
    assert_eq!((answer.code, &*answer.err), (2, "lab: too few games: nothing to fit\n"));
}

#[test]
fn a_curve_of_winning_chances_is_fitted_to_any_agent() {
    let room = Room::new();
    let out = room.prints(&["fit", "winchance", "infexion", "champion", "8", "100", "7"]);
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("infexion by champion, 100 nodes: "), "{out}");
    assert!(
        out.contains("\nloss with score: ") && out.contains("\npredicted    actual  positions\n"),
        "{out}"
    );
    assert!(lines.last().unwrap().starts_with("    curve(\"infexion\", \"champion\", "), "{out}");
    let answer = room.lab(&["fit", "winchance", "hex:5", "nobody"]);
    assert!(answer.code == 2 && answer.err.contains("no agent \"nobody\" plays hex:5"), "{}", answer.err);
}

#[test]
fn the_solved_4x4_board_matches_the_file_in_data() {
    let room = Room::new();
    let out = room.prints(&["solve", "cachex-4.bin"]);
    let expected = std::fs::read(Path::new(ROOT).join("data/solved/cachex-4.bin")).unwrap();
    assert!(std::fs::read(room.path("cachex-4.bin")).unwrap() == expected, "another table");
    assert_eq!(out, format!("153597 boards in {} bytes\n", expected.len()));
}

#[test]
fn proofs_are_continued_and_lost_boards_kept() {
    let room = Room::new();
    std::fs::copy(Path::new(ROOT).join("data/solved/cachex-5.bin"), room.path("lost.bin")).unwrap();
    let before = std::fs::read(room.path("lost.bin")).unwrap();
    let out = room.prints(&["prove", "0", "proofs.txt", "lost.bin", "table=1"]);
    assert!(out.contains("...../.r.../...../...../..... b 3: "), "{out}");
    assert!(out.ends_with(" boards are known to be lost\n"), "{out}");
    assert!(std::fs::read(room.path("lost.bin")).unwrap() == before, "no time, no new board");
    // Boards that follow from the lost ones count as proven, and an incomplete line is dropped.
    let proofs = room.read("proofs.txt");
    assert!(20_000 < proofs.lines().count());
    std::fs::write(room.path("proofs.txt"), format!("{proofs}...../.r.../...")).unwrap();
    room.prints(&["prove", "0", "proofs.txt", "lost.bin", "table=1"]);
    assert_eq!(room.read("proofs.txt"), proofs);
}

#[test]
fn invalid_files_of_proofs_are_rejected_and_left_alone() {
    let room = Room::new();
    std::fs::write(room.path("text"), "hello\n").unwrap();
    let wrong = [
        (&["prove", "1", "text"][..], "text: expected lines such as"),
        (&["prove", "1", "proofs.txt", "text"], "expected a file of lost boards"),
        (&["prove", "1", "proofs.txt", "table=4"], "expected the file of lost boards before the options"),
        (&["prove", "1", "proofs.txt", "lost.bin", "tabel=4"], "no option \"tabel\""),
    ];
    for (args, message) in wrong {
        let answer = room.lab(args);
        assert_eq!((answer.code, answer.err.lines().count()), (2, 1), "{args:?}: {}", answer.err);
        assert!(answer.err.contains(message), "{args:?}: {}", answer.err);
    }
    assert_eq!(room.read("text"), "hello\n");
}

#[test]
fn ctrl_c_ends_a_proof_cleanly() {
    let room = Room::new();
    let mut child = room.command(&["prove", "60", "proofs.txt", "lost.bin", "table=1"]).spawn().unwrap();
    // A proof or two, if it comes soon.
    let started = Instant::now();
    let n_bytes = || std::fs::metadata(room.path("proofs.txt")).map_or(0, |file| file.len());
    while n_bytes() == 0 && started.elapsed() < Duration::from_secs(3) {
        thread::sleep(Duration::from_millis(50));
    }
    thread::sleep(Duration::from_millis(300));
    send_interrupt(&child.id().to_string());
    let stopped = Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(stopped.elapsed() < Duration::from_secs(10), "{:?}", stopped.elapsed());
    // Boards whose bounds are not settled must not get there.
    assert!(!room.path("lost.bin").exists());
    assert!(room.read("proofs.txt").is_empty() || room.read("proofs.txt").ends_with('\n'));
}

fn send_interrupt(id: &str) {
    assert!(Command::new("kill").args(["-INT", "--", id]).status().unwrap().success());
}

#[test]
fn openings_are_printed_as_a_board_of_percentages() {
    let out = Room::new().prints(&["openings", "3", "2", "50", "1"]);
    let rows: Vec<Vec<&str>> = out.lines().map(|row| row.split_whitespace().collect()).collect();
    assert!(rows.len() == 3 && rows.iter().all(|row| row.len() == 3), "{out}");
    assert_eq!(rows[1][1], "--", "the center cannot be the first stone");
    assert_eq!(rows[0], [rows[2][2], rows[2][1], rows[2][0]], "half a turn changes nothing");
}

#[test]
fn answers_are_sorted_by_their_points() {
    let room = Room::new();
    let args = ["answers", "cachex:4", "0-3 steal", "1-1,2-2", "2", "50", "1", "random", "greedy"];
    let out = room.prints(&args);
    let points: Vec<f64> = out.lines().map(|line| line.split(' ').nth(3).unwrap().parse().unwrap()).collect();
    assert!(points.len() == 2 && points[1] <= points[0] && out.starts_with("0-3 steal "), "{out}");
    let wrong = [
        (["0-3", "all", "random"], "expected moves after which red is to move"),
        (["0-3 steal", "9-9", "random"], "expected `all` or some legal moves"),
        (["0-3 steal", "all", "nobody"], "no agent \"nobody\""),
    ];
    for ([moves, answers, opponent], message) in wrong {
        let answer = room.lab(&["answers", "cachex:4", moves, answers, "1", "1", "1", opponent]);
        assert!(answer.code == 2 && answer.err.contains(message), "{}", answer.err);
    }
}

#[test]
fn mined_traps_have_the_format_of_a_suite() {
    let room = Room::new();
    let out = room.prints(&["mine", "cachex", "30", "1"]);
    let traps: Vec<&str> = out.lines().filter(|line| line.starts_with('{')).collect();
    assert!(!traps.is_empty() && out.starts_with("# good  "), "{out}");
    for trap in traps {
        let mut trap: serde_json::Value = serde_json::from_str(trap).unwrap();
        assert_eq!(trap["why"].take(), "");
        for key in ["id", "kind", "game", "position", "good", "proof", "fools"] {
            assert!(!trap[key].is_null(), "{key} in {trap}");
        }
    }
    let answer = room.lab(&["mine", "hex", "5"]);
    assert_eq!(answer.code, 2);
    assert!(answer.err.contains("a game with traps, one of infexion, tetress, cachex"), "{}", answer.err);
}

#[test]
fn strength_prints_rows_and_continues_its_matches() {
    let (room, yarra) = (Room::new(), yarra());
    let args =
        ["strength", "opponents", "cachex:3", "random:1", "--games", "2", "--jobs", "1", "--yarra", &yarra];
    let out = room.prints(&args);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 6, "five opponents and the time: {out}");
    assert!(lines[0].starts_with("| `champion:movetime=20ms` | `tbd` | "), "{out}");
    assert!(lines.iter().take(5).all(|row| row.matches(" | ").count() == 6 && row.ends_with(") |")), "{out}");
    assert!(lines[5].contains(" s, load "), "{out}");
    let file = "strength/cachex_3_2_champion_movetime=20ms_tbd_--openings_random_1.jsonl";
    let games = room.read(file);
    assert_eq!(games.lines().count(), 2);
    assert_eq!(room.prints(&args).lines().collect::<Vec<_>>()[..5], lines[..5]);
    assert_eq!(room.read(file), games, "games of the same match are not played again");
}

#[test]
fn strength_measures_speed_and_parts() {
    let (room, yarra) = (Room::new(), yarra());
    let out = room.prints(&["strength", "speed", "cachex:3", "--yarra", &yarra]);
    assert!(out.starts_with("threads=1 ply=0: info depth "), "{out}");
    assert_eq!(out.lines().filter(|line| line.starts_with("threads=")).count(), 8);
    let args = ["strength", "parts", "cachex:3", "solved=off", "lmr=0", "--games", "2", "--yarra", &yarra];
    let out = room.prints(&args);
    assert!(out.starts_with("| `champion` | `champion:solved=off` | "), "{out}");
    assert!(out.contains("\n| `champion` | `champion:lmr=0` | "), "{out}");
}

#[test]
fn strength_explains_usage_errors_in_one_sentence() {
    let (room, yarra) = (Room::new(), yarra());
    let wrong = [
        (&["weights", "hex:5"][..], "lab: expected infexion, tetress or cachex:N, found `hex:5`"),
        (&["weights", "chess"], "lab: expected a game, one of infexion"),
        (&["weights", "infexion", "lmr=0"], "lab: expected nothing after `weights infexion`, found `lmr=0`"),
        (&["opponents", "infexion", "two"], "lab: expected `random:K`"),
        (&["parts", "infexion", "lmr"], "lab: expected an option such as `lmr=0`, found `lmr`"),
        (&["parts", "infexion", "nonsense=off"], "yarra: agent \"champion:nonsense=off\": no option"),
    ];
    for (args, message) in wrong {
        let answer = room.lab(&[&["strength"], args, &["--yarra", &yarra]].concat());
        assert_eq!((answer.code, answer.err.lines().count()), (2, 1), "{args:?}: {}", answer.err);
        assert!(answer.err.starts_with(message), "{args:?}: {}", answer.err);
    }
    let answer = room.lab(&["strength", "nothing", "infexion"]);
    assert!(
        answer.code == 2 && answer.err.contains("invalid value 'nothing' for '<PART>'"),
        "{}",
        answer.err
    );
    let answer = room.lab(&["strength", "soak", "infexion", "--yarra", "missing"]);
    assert_eq!(answer.err, "lab: there is no program missing\n");
}

#[test]
fn ctrl_c_stops_a_match_with_its_games_kept() {
    let (room, yarra) = (Room::new(), yarra());
    let mut command = room.command(&["strength", "soak", "cachex:3", "--yarra", &yarra]);
    // As in a terminal, Ctrl-C reaches both programs.
    let mut child = command.process_group(0).spawn().unwrap();
    let file = room.path("strength/cachex_3_1000_champion_champion_table=16_--clock_1s.jsonl");
    let started = Instant::now();
    while !file.exists() && started.elapsed() < Duration::from_secs(10) {
        thread::sleep(Duration::from_millis(5));
    }
    send_interrupt(&format!("-{}", child.id()));
    let code = child.wait().unwrap().code();
    let n_games = std::fs::read_to_string(&file).unwrap().lines().count();
    // A fast machine may have finished.
    assert!(code == Some(130) && n_games < 1000 || code == Some(0) && n_games == 1000, "{code:?}, {n_games}");
}

#[test]
fn overruns_are_one_row_per_agent() {
    let (room, yarra) = (Room::new(), yarra());
    let out = room.prints(&["overruns", "1ms", "--game", "cachex:5", "--yarra", &yarra]);
    assert_eq!(out.lines().count(), 10, "{out}");
    for row in out.lines() {
        let words: Vec<&str> = row.split_whitespace().collect();
        assert!(words.len() == 4 && words[0] == "cachex:5" && words[3] == "ms", "{row}");
        assert!(0.0 < words[2].parse::<f64>().unwrap(), "{row}");
    }
    let answer = room.lab(&["overruns", "--game", "hex"]);
    assert_eq!(answer.code, 2);
    assert!(answer.err.starts_with("lab: expected one of infexion, tetress, cachex:5"), "{}", answer.err);
    let answer = room.lab(&["overruns", "ten"]);
    assert!(answer.code == 2 && answer.err.contains("expected a time like `100ms`"), "{}", answer.err);
}

#[test]
fn the_threshold_is_found_by_games_that_halve_the_field() {
    let (room, yarra) = (Room::new(), yarra());
    let args = ["threshold", "0", "9", "400", "--games", "2", "--think", "1ms", "--yarra", &yarra];
    let out = room.prints(&args);
    let rounds: Vec<&str> = out.lines().filter(|line| line.ends_with("games each")).collect();
    assert_eq!(rounds, ["2 games each", "4 games each"], "{out}");
    // Three thresholds, then two.
    assert_eq!(out.lines().filter(|line| line.ends_with(" %")).count(), 5, "{out}");
    let best = out.lines().last().and_then(|line| line.strip_prefix("best: threshold=")).unwrap();
    assert!(["0", "9", "400"].contains(&best), "{out}");
    let answer = room.lab(&["threshold", "3", "--yarra", &yarra]);
    assert!(answer.code == 2 && answer.err.contains("expected at least two thresholds"), "{}", answer.err);
}

#[test]
fn instructions_are_counted_or_the_error_names_valgrind() {
    let room = Room::new();
    let answer = room.lab(&["instructions", "hex:7"]);
    if answer.err.contains("valgrind is missing") {
        assert_eq!(answer.code, 2);
        return;
    }
    // A build without optimization needs more instructions than the file says.
    assert!(answer.code == 0 || answer.code == 1, "{}", answer.err);
    let rows: Vec<Vec<&str>> = answer.out.lines().map(|row| row.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["game", "verb", "before", "now", "change"]);
    assert_eq!(rows.iter().skip(1).map(|row| row[1]).collect::<Vec<_>>(), ["play", "legal_moves", "outcome"]);
    assert!(rows.iter().skip(1).all(|row| 0.0 < row[3].parse::<f64>().unwrap()), "{}", answer.out);
}

#[test]
fn the_counted_work_also_runs_without_valgrind() {
    let room = Room::new();
    let out = room.prints(&["instructions", "--work", "hex:7", "play", "2"]);
    assert!(0 < out.trim().parse::<u64>().unwrap());
    let answer = room.lab(&["instructions", "chess"]);
    assert!(answer.code == 2 && answer.err.contains("expected one of infexion, tetress"), "{}", answer.err);
    let answer = room.lab(&["instructions", "hex:7", "--update"]);
    assert!(answer.code == 2 && answer.err.contains("cannot be used with"), "{}", answer.err);
}
