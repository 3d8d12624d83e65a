//! `yarra ugi`: the real program, driven through pipes as a match runner would.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ExitStatus};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use yarra_games::{Record, start};

use crate::room::Room;

/// No answer takes this long on any machine; a test that waits longer fails.
const TOO_LONG: Duration = Duration::from_secs(120);

/// A running engine.
struct Engine {
    process: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    _room: Room,
}

impl Engine {
    fn new(args: &[&str]) -> Engine {
        let room = Room::new();
        let mut process = room.command(&[&["ugi"], args].concat()).spawn().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let (sender, output) = channel();
        thread::spawn(move || {
            for line in lines {
                if sender.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        let input = process.stdin.take();
        Engine { process, input, output, _room: room }
    }

    #[track_caller]
    fn send(&mut self, line: &str) {
        writeln!(self.input.as_mut().expect("the input is open"), "{line}").unwrap();
    }

    #[track_caller]
    fn receive(&mut self) -> String {
        self.output.recv_timeout(TOO_LONG).expect("an answer")
    }

    /// The lines up to and including one that starts with a word.
    #[track_caller]
    fn receive_until(&mut self, word: &str) -> (Vec<String>, String) {
        let mut before = Vec::new();
        loop {
            let line = self.receive();
            if line.split(' ').next() == Some(word) {
                return (before, line);
            }
            before.push(line);
        }
    }

    #[track_caller]
    fn best_move(&mut self) -> String {
        self.receive_until("bestmove").1["bestmove ".len()..].to_owned()
    }

    /// Closes the input, reads the remaining output, and waits for the exit.
    #[track_caller]
    fn end(mut self) -> (ExitStatus, Vec<String>) {
        drop(self.input.take());
        let mut rest = Vec::new();
        while let Ok(line) = self.output.recv_timeout(TOO_LONG) {
            rest.push(line);
        }
        let deadline = Instant::now() + TOO_LONG;
        loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                return (status, rest);
            }
            assert!(Instant::now() < deadline, "the program goes on");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Asserts that the program exits successfully without more output.
    #[track_caller]
    fn ends_silently(self) {
        let (status, rest) = self.end();
        assert_eq!((status.code(), rest), (Some(0), Vec::new()));
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn position(moves: &[String]) -> String {
    match moves.is_empty() {
        true => "position startpos".to_owned(),
        false => format!("position startpos moves {}", moves.join(" ")),
    }
}

#[test]
fn two_programs_play_a_game_to_its_end() {
    let table = [
        ("infexion", "entourage:depth=1", "mcts:nodes=20"),
        ("tetress", "greedy", "insight-mcts:playouts=5"),
        ("cachex:5", "tbd", "negamax"),
        ("hex:4", "random", "deepening"),
    ];
    for (game, red, blue) in table {
        let mut engines = [Engine::new(&[game, red]), Engine::new(&[game, blue])];
        let mut record = Record::new(start(game).unwrap());
        let mut moves = Vec::new();
        for engine in &mut engines {
            engine.send("ugi");
            engine.receive_until("ugiok");
            engine.send("uginewgame");
            engine.send("isready");
            assert_eq!(engine.receive(), "readyok");
        }
        let result = loop {
            let mover = record.now().turn();
            let engine = &mut engines[mover as usize];
            engine.send(&position(&moves));
            engine.send("query result");
            let result = engine.receive();
            engine.send("query gameover");
            assert_eq!(engine.receive(), format!("response {}", record.outcome().is_some()), "{game}");
            if record.outcome().is_some() {
                break result;
            }
            assert_eq!(result, "response none");
            engine.send("query p1turn");
            assert_eq!(engine.receive(), format!("response {}", mover == yarra_games::Player::Red));
            engine.send("go depth 2");
            let m = record.read_move(&engine.best_move()).unwrap();
            moves.push(record.now().show_move(m));
            record.play(m);
        };
        let winner = record.outcome().unwrap().winner;
        let expected = winner.map_or("draw", |winner| ["p1win", "p2win"][winner as usize]);
        assert_eq!(result, format!("response {expected}"), "{game}");
        for mut engine in engines {
            engine.send("quit");
            engine.ends_silently();
        }
    }
}

#[test]
fn a_running_search_answers_isready_and_stop_only() {
    for (game, agent) in [("infexion", "deepening"), ("cachex", "mcts"), ("infexion", "raccoons")] {
        let mut engine = Engine::new(&[game, agent]);
        engine.send("go infinite");
        for _ in 0..3 {
            engine.send("isready");
            let (before, _) = engine.receive_until("readyok");
            assert!(before.iter().all(|line| line.starts_with("info ")), "{before:?}");
        }
        // Queued until the search is over.
        engine.send("query gameover");
        engine.send("stop");
        let record = Record::new(start(game).unwrap());
        assert!(record.read_move(&engine.best_move()).is_ok());
        assert_eq!(engine.receive(), "response false");
        engine.send("stop");
        engine.ends_silently();
    }
}

#[test]
fn each_stop_is_for_one_search() {
    let mut engine = Engine::new(&["infexion"]);
    for line in ["go infinite", "go infinite", "position startpos moves 3-3", "go infinite"] {
        engine.send(line);
    }
    for _ in 0..3 {
        engine.send("stop");
    }
    let moves: Vec<_> = (0..3).map(|_| engine.best_move()).collect();
    assert_ne!(moves[2], "3-3", "{moves:?}");
    engine.ends_silently();
}

#[test]
fn quit_ends_a_search() {
    let mut engine = Engine::new(&["tetress", "mcts"]);
    engine.send("go infinite");
    engine.send("isready");
    engine.receive_until("readyok");
    engine.send("position startpos");
    engine.send("go infinite");
    engine.send("quit");
    let (status, rest) = engine.end();
    assert_eq!(status.code(), Some(0));
    assert_eq!(rest.iter().filter(|line| line.starts_with("bestmove ")).count(), 1, "{rest:?}");
}

#[test]
fn pending_work_finishes_after_the_end_of_input() {
    let input = "position startpos\ngo depth 3\nposition startpos moves 3-3\ngo nodes 500\ngo infinite";
    let answer = Room::new().yarra(&["ugi", "infexion"], input);
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    let moves: Vec<_> = answer.out.lines().filter(|line| line.starts_with("bestmove ")).collect();
    assert_eq!(moves.len(), 3, "{}", answer.out);
    assert!(answer.out.contains("info depth 3 "), "{}", answer.out);
    assert!(answer.out.lines().all(|line| line.starts_with("info ") || line.starts_with("bestmove ")));
}

#[test]
fn a_long_search_does_not_outlive_its_input_for_long() {
    let answer = Room::new().yarra(&["ugi", "infexion"], "go movetime 100000000\ngo movetime 100000000\n");
    assert_eq!(answer.code, 0);
    assert!(answer.out.lines().last().unwrap().starts_with("bestmove "), "{}", answer.out);
    assert_eq!(answer.out.matches("bestmove").count(), 1, "what had not begun is dropped");
}

#[test]
fn a_closed_output_is_not_an_error() {
    let mut engine = Engine::new(&["infexion"]);
    engine.send("go depth 1");
    engine.best_move();
    drop(std::mem::replace(&mut engine.output, channel().1));
    engine.send("isready");
    engine.send("isready");
    let (status, _) = engine.end();
    assert_eq!(status.code(), Some(0));
}

#[test]
fn valid_options_change_the_agent_and_invalid_ones_do_not() {
    let mut engine = Engine::new(&["infexion", "entourage-shallow", "--seed", "1"]);
    let mut depth_of = |lines: &[&str]| {
        for line in lines {
            engine.send(line);
        }
        engine.send("go");
        let (infos, _) = engine.receive_until("bestmove");
        let notes = infos.iter().filter(|line| line.starts_with("info string ")).count();
        (infos.last().unwrap().split(' ').nth(2).unwrap().to_owned(), notes)
    };
    assert_eq!(depth_of(&["position startpos moves 3-3 2-2"]), ("2".to_owned(), 0));
    assert_eq!(depth_of(&["setoption name depth value 1"]), ("1".to_owned(), 0));
    assert_eq!(depth_of(&["setoption name depth value deep"]), ("1".to_owned(), 1));
    assert_eq!(depth_of(&["setoption name ordering value maybe"]), ("1".to_owned(), 1));
    assert_eq!(depth_of(&["setoption name no such option value 1"]), ("1".to_owned(), 1));
    assert_eq!(depth_of(&["setoption name window value 1,depth=3"]), ("1".to_owned(), 1));
    assert_eq!(depth_of(&["setoption name Depth value <empty>"]), ("2".to_owned(), 0));
    engine.ends_silently();
}

#[test]
fn a_fixed_depth_reproduces_the_answers() {
    let nodes = |line: &String| line.split(" time ").next().unwrap().to_owned();
    let infos = || {
        let mut engine = Engine::new(&["cachex:5", "deepening", "--seed", "3"]);
        let mut all = Vec::new();
        for moves in ["0-2", "0-2 steal 2-2"] {
            engine.send(&format!("position startpos moves {moves}"));
            engine.send("go depth 4");
            all.extend(engine.receive_until("bestmove").0.iter().map(nodes));
        }
        all
    };
    assert_eq!(infos(), infos());
}

#[test]
fn the_history_includes_repetition() {
    let cycle = "0-2 1-0 1-1 1-2 1-0 0-1".split(' ').cycle();
    let moves = |n| cycle.clone().take(n).collect::<Vec<_>>().join(" ");
    let mut engine = Engine::new(&["cachex"]);
    for (n, over, result) in [(35, "false", "none"), (36, "true", "draw")] {
        engine.send(&format!("position fen rb.r/..b./bb.b/.br. r 12 moves {}", moves(n)));
        engine.send("query gameover");
        assert_eq!(engine.receive(), format!("response {over}"));
        engine.send("query result");
        assert_eq!(engine.receive(), format!("response {result}"));
    }
    engine.send("go depth 1");
    let (notes, best) = engine.receive_until("bestmove");
    assert_eq!((notes.len(), best.as_str()), (1, "bestmove none"));
    assert!(notes[0].contains("repetition"), "{notes:?}");
    engine.ends_silently();
}

#[test]
fn garbage_is_reported() {
    let mut engine = Engine::new(&["hex:3"]);
    let input = engine.input.as_mut().unwrap();
    input.write_all(b"\xff\x00\xfe\n\n \t\r\n").unwrap();
    input.write_all(&vec![b'x'; 3 << 20]).unwrap();
    input.write_all(b"\r\nisready\r\n").unwrap();
    assert!(engine.receive().starts_with("info string expected `ugi`"));
    assert_eq!(engine.receive(), "info string expected a line of at most 1048576 bytes");
    assert_eq!(engine.receive(), "readyok");
    engine.ends_silently();
}

/// One example of the documentation: the arguments of `yarra ugi`, and its lines.
fn examples() -> Vec<(Vec<String>, Vec<String>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocol.md");
    let text = fs::read_to_string(path).unwrap();
    let mut examples = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        if let Some(args) = line.strip_prefix("```ugi ") {
            examples.push((args.split(' ').map(str::to_owned).collect(), Vec::new()));
            is_inside = true;
        } else if line == "```" {
            is_inside = false;
        } else if is_inside {
            examples.last_mut().unwrap().1.push(line.to_owned());
        }
    }
    examples
}

/// Whether a line matches, where `...` matches any words.
fn fits(expected: &str, found: &str) -> bool {
    let mut parts = expected.split("...");
    let Some(mut rest) = found.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut last = None;
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
        last = Some(part);
    }
    rest.is_empty() || last == Some("")
}

#[test]
fn the_examples_of_the_protocol_work() {
    assert!(fits("a ... c", "a b c") && fits("a ...", "a b") && fits("a", "a"));
    assert!(!fits("a", "a b") && !fits("a ... c", "a b") && !fits("... c", "c d"));
    let examples = examples();
    assert!(4 <= examples.len());
    for (args, lines) in examples {
        let args: Vec<_> = args.iter().map(String::as_str).collect();
        let mut engine = Engine::new(&args);
        let mut lines = lines.iter();
        while let Some(line) = lines.next() {
            if let Some(command) = line.strip_prefix("> ") {
                engine.send(command);
            } else if line == "..." {
                // Any lines up to the next one that is expected.
                let next = lines.next().unwrap();
                while !fits(next, &engine.receive()) {}
            } else {
                let found = engine.receive();
                assert!(fits(line, &found), "{args:?}: expected {line}\nfound {found}");
            }
        }
        engine.ends_silently();
    }
}
