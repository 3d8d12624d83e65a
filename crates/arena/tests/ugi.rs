//! Engines as agents: complete games with our own server, and scripted engines that misbehave.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, BufReader, PipeWriter, Write};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use yarra_arena::ugi::{Client, EngineOption, LONGEST_LINE, Line, Lines, Program, read_line, serve};
use yarra_arena::{Event, Side, play};
use yarra_engine::agent::unwatched;
use yarra_engine::simple::Random;
use yarra_engine::{Agent, AgentError, Choice, Failure, Limits, Progress, Score, SpecError, Watch};
use yarra_games::{ByPlayer, Move, Player, Position, Record, start};

const PATIENCE: Duration = Duration::from_secs(60);

/// A scripted engine: the answers to each command by its first word.
struct Script {
    answers: VecDeque<(&'static str, &'static str)>,
    waiting: VecDeque<String>,
    sent: Arc<Mutex<Vec<String>>>,
}

impl Script {
    fn new(answers: &[(&'static str, &'static str)]) -> Script {
        let polite =
            [("ugi", "id name Script\noption name level type spin default 1\nugiok"), ("isready", "readyok")];
        let answers = answers.iter().chain(&polite).copied().collect();
        Script { answers, waiting: VecDeque::new(), sent: Arc::default() }
    }
}

impl Lines for Script {
    fn send(&mut self, line: &str) -> Result<(), AgentError> {
        self.sent.lock().unwrap().push(line.to_owned());
        let answer = self.answers.iter().find(|(word, _)| line.split(' ').next() == Some(word));
        self.waiting.extend(answer.iter().flat_map(|(_, answer)| answer.split('\n')).map(str::to_owned));
        Ok(())
    }

    fn receive(&mut self, wait: Duration) -> Result<Option<String>, AgentError> {
        match self.waiting.pop_front() {
            Some(line) if line == "(end)" => Err(AgentError::new(Failure::Crash, "ended")),
            Some(line) => Ok(Some(line)),
            None => {
                thread::sleep(wait);
                Ok(None)
            }
        }
    }
}

fn no_options() -> Vec<(String, String)> {
    Vec::new()
}

#[track_caller]
fn connect(script: Script) -> Client<Script> {
    Client::connect(script, &no_options(), PATIENCE).unwrap()
}

fn game(moves: &str) -> Record {
    Record::read("hex:3", None, moves.split_whitespace()).unwrap()
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

#[track_caller]
fn failure_of(error: &AgentError) -> Failure {
    error.fault().unwrap().failure
}

/// The result of a move with this answer to `go`.
fn choose(answer: &'static str) -> Result<Choice, AgentError> {
    connect(Script::new(&[("go", answer)])).choose(&game("0-0 0-1"), depth(2), &mut unwatched)
}

#[test]
fn commands_are_sent_in_order() {
    let script = Script::new(&[("go", "bestmove 1-0")]);
    let sent = Arc::clone(&script.sent);
    let chosen = [("level".to_owned(), "3".to_owned())];
    let mut client = Client::connect(script, &chosen, PATIENCE).unwrap();
    assert_eq!((client.name(), client.options()[0].default.as_str()), ("Script", "1"));
    client.begin(Player::Red, &game(""), depth(2)).unwrap();
    client.choose(&game(""), depth(2), &mut unwatched).unwrap();
    let clock = Limits { clock: Some(Duration::from_millis(1500)), nodes: Some(7), ..Limits::default() };
    client.choose(&game("0-0 0-1"), clock, &mut unwatched).unwrap();
    let elsewhere = Record::read("hex:3", Some("r../.../... b 1"), ["2-2", "0-1", "0-2"]).unwrap();
    client.choose(&elsewhere, Limits::default(), &mut unwatched).unwrap();
    drop(client);
    let expected = [
        "ugi",
        "setoption name level value 3",
        "isready",
        "uginewgame",
        "isready",
        "position startpos",
        "isready",
        "go depth 2",
        "position startpos moves 0-0 0-1",
        "isready",
        "go p1time 1500 p2time 1500 p1inc 0 p2inc 0 nodes 7",
        "position fen r../.../... b 1 moves 2-2 0-1 0-2",
        "isready",
        "go movetime 1000",
        "quit",
    ];
    assert_eq!(*sent.lock().unwrap(), expected);
}

#[test]
fn infos_of_an_engine_come_with_its_move() {
    let answer = "info depth 1 score cp 20 nodes 9 time 1 pv 2-2\n\
                  info string thinking\n\
                  \n\
                  info depth 2 score mate 3 nodes 30 time 2 pv 1-0 1-1 2-0 9-9\n\
                  info depth 2 multipv 2 score cp 5 pv 2-2\n\
                  bestmove 1-0 ponder 1-1";
    let mut client = connect(Script::new(&[("go", answer)]));
    let mut heard = Vec::new();
    let choice = client.choose(&game("0-0 0-1"), depth(2), &mut |progress: &Progress<'_>| {
        heard.push((progress.depth, progress.nodes, progress.line.len()));
        ControlFlow::Continue(())
    });
    let choice = choice.unwrap();
    assert_eq!((choice.mv, choice.line.len(), choice.score), (Move(3), 3, Some(Score::win_in(3))));
    assert_eq!((choice.stats.nodes, choice.stats.depth()), (30, 2));
    assert_eq!(choice.stats.iterations.iter().map(|iteration| iteration.nodes).collect::<Vec<_>>(), [9, 21]);
    assert_eq!((heard[0], *heard.last().unwrap()), ((1, 9, 1), (2, 30, 3)));
}

#[test]
fn a_move_outside_the_reported_line_starts_a_new_line() {
    let choice = choose("info depth 1 score cp 20 nodes 9 pv 2-2 1-1\nbestmove 1-0").unwrap();
    assert_eq!(choice.line, [choice.mv]);
}

#[test]
fn engines_that_break_the_protocol_fail() {
    let table = [
        ("info depth 1\nhello", "protocol", "invalid line"),
        ("bestmove", "protocol", "invalid line"),
        ("readyok", "protocol", "\"readyok\" where `bestmove`"),
        ("response true", "protocol", "where `bestmove`"),
        ("bestmove 0-0", "illegal_move", "\"0-0\""),
        ("bestmove none", "illegal_move", "\"none\""),
        ("bestmove 9-9", "illegal_move", "\"9-9\""),
        ("info depth 1\n(end)", "crash", "ended"),
    ];
    for (answer, reason, words) in table {
        let error = choose(answer).unwrap_err();
        assert_eq!(failure_of(&error).to_string(), reason, "{answer}: {error}");
        assert!(error.to_string().contains(words), "{answer}: {error}");
    }
    let mut client = connect(Script::new(&[("go", "bestmove 1-0\nbestmove 1-1")]));
    client.choose(&game("0-0 0-1"), depth(2), &mut unwatched).unwrap();
    let error = client.choose(&game("0-0 0-1 1-0 2-2"), depth(2), &mut unwatched).unwrap_err();
    assert_eq!(failure_of(&error), Failure::Protocol, "an answer before the question: {error}");
    let mut early = connect(Script::new(&[("position", "bestmove 1-0")]));
    let error = early.choose(&game("0-0 0-1"), depth(2), &mut unwatched).unwrap_err();
    assert!(error.to_string().contains("where `readyok` was expected"), "{error}");
    let long: &'static str = "x".repeat(LONGEST_LINE + 1).leak();
    assert_eq!(failure_of(&choose(long).unwrap_err()), Failure::Protocol);
}

#[test]
fn programs_that_are_not_engines_are_detected_at_once() {
    let connect = |answers: &[(&'static str, &'static str)], patience| {
        let error = Client::connect(Script::new(answers), &no_options(), patience).err();
        error.map(|error| (failure_of(&error).to_string(), error.to_string()))
    };
    assert_eq!(connect(&[("ugi", "Welcome!\n\nid name x\nugiok")], PATIENCE), None, "greetings are fine");
    let (reason, message) = connect(&[("ugi", "bestmove 1-1")], PATIENCE).unwrap();
    assert!(reason == "protocol" && message.contains("ugiok"), "{message}");
    let (reason, message) = connect(&[("ugi", "id name x")], Duration::from_millis(20)).unwrap();
    assert!(reason == "silence" && message.contains("did not send `ugiok`"), "{message}");
    let (reason, message) = connect(&[("isready", "ugiok")], PATIENCE).unwrap();
    assert!(reason == "protocol" && message.contains("where `readyok`"), "{message}");
    let wrong = [("levle".to_owned(), "3".to_owned())];
    let error = Client::connect(Script::new(&[]), &wrong, PATIENCE).err().unwrap();
    assert!(error.to_string().contains("there are level"), "{error}");
}

#[test]
fn a_break_stops_the_engine_and_takes_its_move() {
    let script = Script::new(&[("go", "info depth 1"), ("stop", "info depth 2\nbestmove 2-2")]);
    let mut client = connect(script);
    let mut stop = |progress: &Progress<'_>| match progress.depth {
        0 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let choice = client.choose(&game(""), depth(2), &mut stop).unwrap();
    assert_eq!(choice.mv, Move(8));
    assert_eq!(client.lines().sent.lock().unwrap().iter().filter(|line| *line == "stop").count(), 1);
}

#[test]
fn nobody_waits_for_ever() {
    let mut client = connect(Script::new(&[]));
    let limits = Limits { move_time: Some(Duration::from_millis(1)), ..Limits::default() };
    assert_eq!(failure_of(&client.choose(&game(""), limits, &mut unwatched).unwrap_err()), Failure::Time);
    let mut client = Client::connect(Script::new(&[]), &no_options(), Duration::from_millis(50)).unwrap();
    let stopped = client.choose(&game(""), depth(1), &mut |_: &Progress<'_>| ControlFlow::Break(()));
    assert_eq!(failure_of(&stopped.unwrap_err()), Failure::Time);
}

type Made = Result<(Box<dyn Agent>, Limits), SpecError>;

/// Our own server on a thread, through real pipes.
struct Threaded {
    input: PipeWriter,
    output: Receiver<String>,
}

impl Threaded {
    fn new(spec: &str, seed: u64) -> Threaded {
        let (from_us, input) = io::pipe().unwrap();
        let (from_engine, output) = io::pipe().unwrap();
        let game = spec.parse().unwrap();
        thread::spawn(move || {
            let make = |_: &dyn Position, _: &BTreeMap<String, String>| -> Made {
                Ok((Box::new(Random::new(seed)), Limits::default()))
            };
            let option = EngineOption { name: "x".into(), kind: "string".into(), default: String::new() };
            let (name, author) = ("random".to_owned(), "us".to_owned());
            let program = Program { name, author, game, options: vec![option], make: &make };
            serve(&program, BufReader::new(from_us), output).unwrap();
        });
        let (sender, output) = channel();
        thread::spawn(move || {
            let mut input = BufReader::new(from_engine);
            while let Some(Line::Text(line)) = read_line(&mut input).unwrap() {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Threaded { input, output }
    }
}

impl Lines for Threaded {
    fn send(&mut self, line: &str) -> Result<(), AgentError> {
        writeln!(self.input, "{line}").map_err(|error| AgentError::new(Failure::Crash, error.to_string()))
    }

    fn receive(&mut self, wait: Duration) -> Result<Option<String>, AgentError> {
        match self.output.recv_timeout(wait) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(AgentError::new(Failure::Crash, "ended")),
        }
    }
}

#[test]
fn client_and_server_play_whole_games() {
    for spec in ["infexion", "tetress", "cachex:5", "hex:4"] {
        let sides = ByPlayer::from_fn(|player| {
            let client = Client::connect(Threaded::new(spec, player as u64 + 1), &no_options(), PATIENCE)?;
            Ok(Side::new(Box::new(client), depth(1)))
        });
        let game = Record::new(start(spec).unwrap());
        let go_on = &mut |_: Event<'_>| ControlFlow::Continue(());
        let played = play(game, sides, go_on).unwrap().unwrap().saved;
        let record = played.record().unwrap();
        assert!(record.outcome().is_some(), "{spec}: {:?} {:?}", played.ending, played.note);
        assert_eq!(played.note, None);
    }
}

#[test]
fn an_agent_that_fails_ends_its_engine() {
    struct Fails;
    impl Agent for Fails {
        fn choose(&mut self, _: &Record, _: Limits, _: &mut Watch<'_>) -> Result<Choice, AgentError> {
            Err(AgentError::new(Failure::Crash, "out of ideas"))
        }
    }
    let make =
        |_: &dyn Position, _: &BTreeMap<String, String>| -> Made { Ok((Box::new(Fails), Limits::default())) };
    let (name, author, game) = ("fails".to_owned(), "us".to_owned(), "hex:3".parse().unwrap());
    let program = Program { name, author, game, options: Vec::new(), make: &make };
    let mut out = Vec::new();
    let error = serve(&program, &b"isready\ngo\nisready\n"[..], &mut out).unwrap_err();
    assert_eq!(error.to_string(), "the agent failed: out of ideas");
    assert!(!String::from_utf8(out).unwrap().contains("bestmove"));
}
