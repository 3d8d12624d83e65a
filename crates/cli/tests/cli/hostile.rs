//! Names and words that try to control the terminal or to read as something else.

use std::fs;

use serde_json::{Value, json};

use crate::room::{Answer, Room};

/// Clears the screen, sets its title, turns the rest of the line around, hides, and starts a new line.
const WORDS: &str =
    "\u{1b}[2J\u{1b}]0;x\u{7}\u{9b}3J\u{202e}\u{2066}\u{200b}\u{200f}\u{61c}\u{feff}\u{ad}\r\nyarra: fine";
/// The same as far as the name of a folder can have it.
const NAME: &str = "a\u{1b}[2J\u{1b}]0;x\u{7}\u{202e}\u{200b}b\nyarra fine";

/// Fails at its first move, and says so in its own way.
const AGENT: &str = r#"
import sys
WORDS = "\x1b[2J\x1b]0;x\x07\x9b3J\u202e\u2066\u200b\u200f\u061c\ufeff\u00ad\r\nyarra: fine"

class Move:
    def __str__(self):
        return WORDS

class Agent:
    def __init__(self, color, **referee):
        print(WORDS)

    def action(self, **referee):
        print(WORDS, file=sys.stderr)
        if HOW == "raises":
            raise ValueError(WORDS * 1000)
        return Move()

    def turn(self, color, action, **referee):
        pass
"#;

/// A folder with a hostile name that contains an agent, which fails in one of two ways.
fn agent(room: &Room, how: &str) -> String {
    let folder = format!("{how}{NAME}");
    fs::create_dir_all(room.path().join(&folder).join("agent")).unwrap();
    room.write(&format!("{folder}/agent/__init__.py"), &format!("HOW = {how:?}\n{AGENT}"));
    format!("python:{folder}")
}

fn is_harmless(letter: char) -> bool {
    let is_format = matches!(letter,
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    letter == '\n' || !letter.is_control() && !is_format
}

#[track_caller]
fn check(what: &str, text: &str) {
    let found = text.chars().find(|&letter| !is_harmless(letter));
    assert_eq!(found, None, "{what}: {text:?}");
    assert!(
        !text.lines().any(|line| ["yarra: fine", "yarra fine"].iter().any(|&begin| line.starts_with(begin))),
        "{what}: a line of its own: {text}"
    );
}

/// Runs a command whose output must be harmless, with lines of bounded length unless they are JSON.
#[track_caller]
fn runs(room: &Room, args: &[&str]) -> Answer {
    let answer = room.yarra(args, "quit\n");
    for text in [&answer.out, &answer.err] {
        check(&format!("{args:?}"), text);
        let is_short = |line: &str| line.starts_with('{') || line.chars().count() < 4000;
        assert!(text.lines().all(is_short), "{args:?}: {text}");
    }
    answer
}

#[test]
fn agents_cannot_control_the_terminal() {
    let room = Room::new();
    for how in ["raises", "returns"] {
        let agent = agent(&room, how);
        let contest = ["match", "infexion", &agent, "random", "--games", "2", "--save", how];
        let answer = runs(&room, &contest);
        assert!(answer.code == 0 && answer.out.contains("\\u001b[2J"), "{}", answer.out);
        let answer = runs(&room, &[&contest[..], &["--json", "--profile"]].concat());
        let result: Value = serde_json::from_str(&answer.out).unwrap();
        assert_eq!(result["a"], agent.as_str(), "JSON is only escaped");
        for options in [&[][..], &["--all"], &["--game", "1"], &["--json"], &["--last", "--json"]] {
            assert_eq!(runs(&room, &[&["show", how], options].concat()).code, 0);
        }
        let play = ["play", "infexion", "--red", &agent, "--seed", "1"];
        runs(&room, &play);
        let doctor = ["doctor", "infexion", &agent, "--games", "0", "--positions", "0"];
        assert_eq!(runs(&room, &doctor).code, 1);
        assert_eq!(runs(&room, &[&doctor[..], &["--json"]].concat()).code, 1);
        for command in ["analyze", "explain"] {
            assert_eq!(runs(&room, &[command, "infexion", "--agent", &agent]).code, 2);
        }
        runs(&room, &["ugi", "infexion", &agent]);
        assert_eq!(runs(&room, &["export-agent", "infexion", &agent, "out"]).code, 2);
    }
}

#[test]
fn errors_cannot_control_the_terminal() {
    let room = Room::new();
    let python = format!("python:{NAME}");
    let table: &[&[&str]] = &[
        &["match", NAME, "random", "random"],
        &["match", "hex:3", NAME, "random"],
        &["match", "hex:3", &format!("random:{NAME}"), "random"],
        &["match", "infexion", &python, "random"],
        &["match", "hex:3", &format!("ugi:./{NAME}"), "random"],
        &["match", "hex:3", "random", "random", "--save", &format!("{NAME}/none")],
        &["show", NAME],
        &["show", "hex:3", NAME],
        &["analyze", NAME],
        &["analyze", "hex:3", "--moves", NAME],
        &["play", NAME],
        &["play", "hex:3", "--load", NAME],
        &["play", "hex:3", "--red", NAME],
        &["perft", NAME, "1"],
        &["verify", NAME],
        &["doctor", "infexion", &python],
        &["explain", "hex:3", "--agent", NAME],
    ];
    for args in table {
        assert_eq!(runs(&room, args).code, 2, "{args:?}");
    }
    // Packages are named when there is a choice.
    for package in ["one", "two"] {
        let folder = room.path().join("two").join(format!("{package}{NAME}"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("__init__.py"), AGENT).unwrap();
    }
    assert_eq!(runs(&room, &["match", "infexion", "python:two", "random"]).code, 2);
    assert_ne!(runs(&room, &["doctor", "infexion", "python:two"]).code, 0);
}

#[test]
fn files_cannot_control_the_terminal_or_the_page() {
    let room = Room::new();
    let fault = json!({
        "player": "red", "position": WORDS, "message": WORDS.repeat(10_000), "move": WORDS, "output": WORDS,
    });
    let game = json!({
        "game": "hex:3", "moves": ["0-0", "1-1"], "winner": "blue", "reason": "illegal_move", "red": WORDS,
        "blue": WORDS.repeat(10_000), "fault": fault, "note": WORDS, "limits": WORDS,
        "guests": [{ "player": "red", "limits": WORDS, "isolation": [WORDS] }],
    });
    let other = json!({ "game": "hex:3", "moves": ["0-0"], "winner": "blue", "reason": WORDS });
    room.write(NAME, &format!("{game}\n{other}\n{{\"game\":"));
    for options in [&[][..], &["--all"], &["--game", "1", "--last"], &["--json"]] {
        assert_eq!(runs(&room, &[&["show", NAME], options].concat()).code, 0);
    }
    let page = format!("page{NAME}");
    for options in [&["--html", page.as_str()][..], &["--json"], &["--ply", "1"]] {
        let args = ["analyze", NAME, "--game", "1", "--nodes", "50"];
        assert_eq!(runs(&room, &[&args[..], options].concat()).code, 0);
    }
    assert_eq!(runs(&room, &["analyze", NAME, "--game", "2", "--nodes", "50"]).code, 0);
    assert_eq!(runs(&room, &["analyze", NAME]).code, 2);
    runs(&room, &["play", "hex:3", "--load", NAME]);
    let page = room.read(&page);
    let (before, rest) = page.split_once(r#"id="data">"#).unwrap();
    let (data, after) = rest.split_once("</script>").unwrap();
    let without = |text: &str| text.replace(['\u{2190}', '\u{2191}', '\u{2192}', '\u{2193}'], "");
    check("page", &without(&format!("{before}{after}")));
    let data: Value = serde_json::from_str(data).unwrap();
    check_strings(&data);
}

/// Checks the texts that the page's script shows.
fn check_strings(value: &Value) {
    match value {
        Value::String(text) => assert!(text.chars().all(is_harmless), "{text:?}"),
        Value::Array(values) => values.iter().for_each(check_strings),
        Value::Object(fields) => fields.values().for_each(check_strings),
        _ => {}
    }
}
