//! `yarra verify` as a user runs it.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Exit code, standard output and standard error of `yarra verify`, with a text as standard input.
fn verify(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yarra"));
    command.arg("verify").args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn data(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data/conformance").join(name);
    path.to_str().unwrap().to_owned()
}

/// Asserts that a file cannot be checked: one line on stderr, and no output.
#[track_caller]
fn check_error(input: &str, expected: &str) {
    let (code, out, err) = verify(&["-"], input);
    assert_eq!((code, out.as_str(), err.lines().count()), (Some(2), "", 1), "{err}");
    assert!(err.contains(expected), "{err}");
}

const GAME: &str = r#"{"game":"cachex","id":"short","size":3,"moves":[{"place":[0,1]}],"positions":[{"ply":1,"turn":"blue","cells":[[0,1,"r"]],"legal":9,"legal_sample":[{"steal":true}],"sha":"SHA"}],"result":{"over":false,"winner":null,"reason":"unfinished"}}"#;
const SHA: &str = "90eaa1fa1b6629f6e91cbafc1f229e07f7c404b7a10694c07912acc17a2d5aa6";

#[test]
fn agreement_is_one_line_per_file_and_a_summary() {
    let files = ["cachex.jsonl", "tetress.perft.json"].map(data);
    let (code, out, err) = verify(&[&files[0], &files[1], "--max-nodes", "100000"], "");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let lines = out.lines().collect::<Vec<_>>();
    assert!(lines[0].ends_with("cachex.jsonl: 197 games, 1589 positions, 0 disagreements"), "{out}");
    assert!(lines[1].ends_with("tetress.perft.json: 9 perft counts, 13 skipped, 0 disagreements"), "{out}");
    assert_eq!(lines[2], "9 perft counts: all agree; 13 above 100000 nodes skipped");
    assert_eq!(lines[3], "197 games, 1589 positions: all agree");
    assert_eq!(lines.len(), 4);
}

#[test]
fn a_disagreement_shows_the_place_the_difference_and_the_board() {
    let (code, out, _) = verify(&["-"], &GAME.replace(r#""legal":9"#, r#""legal":8"#).replace("SHA", SHA));
    assert_eq!(code, Some(1));
    let lines = out.lines().collect::<Vec<_>>();
    assert_eq!(lines[0], "-:1: short, ply 1: expected the number of legal moves to be 8, found 9");
    assert!(lines.iter().any(|line| line.contains("/ \\")), "{out}");
    let ends =
        [".r./.../... b 1", "-: 1 game, 1 position, 1 disagreement", "1 game, 1 position: 1 disagreement"];
    assert_eq!(lines[lines.len() - 3..], ends);
}

#[test]
fn json_is_one_object_per_file() {
    let input = GAME.replace(r#""legal":9"#, r#""legal":8"#).replace("SHA", SHA);
    let (code, out, _) = verify(&["-", "--json"], &input);
    assert_eq!((code, out.lines().count()), (Some(1), 1));
    let report = serde_json::from_str::<serde_json::Value>(&out).unwrap();
    assert_eq!(report["n_games"], 1);
    assert_eq!(report["disagreements"][0]["line"], 1);
    assert_eq!(report["disagreements"][0]["position"], ".r./.../... b 1");
}

#[test]
fn files_that_cannot_be_checked_are_errors() {
    check_error("", "found an empty file");
    check_error("\n \n", "found an empty file");
    check_error("nonsense", "-:1: expected a trace");
    check_error(&format!("{GAME}\n{}", GAME.replace("moves", "movez")), "-:2: expected a trace");
    check_error(&GAME.replace("cachex", "chess"), "-:1: expected a game, one of infexion");
    check_error(
        r#"{"game":"hex","positions":[{"size":3,"moves":[{"place":[3,3]}],"perft":[8]}]}"#,
        "from 0 to 2",
    );
    let (code, _, err) = verify(&["no/such/file"], "");
    assert_eq!((code, err.lines().count()), (Some(2), 1), "{err}");
}
