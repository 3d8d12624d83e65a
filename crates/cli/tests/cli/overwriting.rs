//! Nothing of a user's is overwritten unasked, and what is asked for is all that changes.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::process::{Command, Stdio};

use crate::room::{Answer, Room};

const GAME: &str = r#"{"game":"hex:3","moves":["0-0"],"winner":null,"reason":null}"#;

fn room_with_a_game() -> Room {
    let room = Room::new();
    room.write("g.jsonl", GAME);
    room.write("notes.txt", "one line");
    room
}

fn review(room: &Room, page: &str, more: &[&str]) -> Answer {
    room.yarra(&[&["analyze", "g.jsonl", "--nodes", "50", "--html", page], more].concat(), "")
}

#[test]
fn files_of_users_are_not_overwritten_unasked() {
    let room = room_with_a_game();
    let answer = review(&room, "notes.txt", &[]);
    assert_eq!(answer.code, 2, "{}", answer.out);
    assert!(answer.err.contains(" exists; "), "{}", answer.err);
    let out = room.yarra(&["play", "hex:3"], "0-0\nsave notes.txt\nanalyze notes.txt\nquit\n").out;
    for words in
        ["notes.txt exists; `save! notes.txt` overwrites it", "notes.txt exists; choose another file\n"]
    {
        assert!(out.contains(words), "{out}");
    }
    assert_eq!(room.read("notes.txt"), "one line");

    let answer = review(&room, "notes.txt", &["--force"]);
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert!(room.read("notes.txt").starts_with("<!doctype html>"));
    room.yarra(&["play", "hex:3"], "0-1\nsave! g.jsonl\nquit\n");
    assert!(room.read("g.jsonl").contains(r#""moves":["0-1"]"#));
}

#[test]
fn a_review_never_replaces_its_games() {
    let room = room_with_a_game();
    for (page, more) in [("g.jsonl", &[][..]), ("g.jsonl", &["--force"]), ("./g.jsonl", &["--force"])] {
        let answer = review(&room, page, more);
        assert_eq!(answer.code, 2, "{}", answer.out);
        assert_eq!(answer.err, "yarra: g.jsonl contains the games: choose another file for the page\n");
        assert_eq!(room.read("g.jsonl"), GAME);
    }
}

#[test]
fn files_with_the_name_of_a_draft_are_left_alone() {
    let room = room_with_a_game();
    let drafts = ["page.html.tmp", "page.html.0.tmp", "game.json.tmp", "game.json.0.tmp"];
    for draft in drafts {
        room.write(draft, "mine");
    }
    assert_eq!(review(&room, "page.html", &[]).code, 0);
    room.yarra(&["play", "hex:3", "--save", "game.json"], "0-0\nquit\n");
    assert!(room.read("game.json").contains(r#""moves":["0-0"]"#));
    for draft in drafts {
        assert_eq!(room.read(draft), "mine");
    }
    assert_eq!(fs::read_dir(room.path()).unwrap().count(), drafts.len() + 4);
}

#[cfg(unix)]
#[test]
fn links_stay_links_and_permissions_stay() {
    let room = room_with_a_game();
    let notes = room.path().join("notes.txt");
    fs::set_permissions(&notes, fs::Permissions::from_mode(0o600)).unwrap();
    symlink("notes.txt", room.path().join("link.html")).unwrap();
    assert_eq!(review(&room, "link.html", &["--force"]).code, 0);
    assert!(fs::symlink_metadata(room.path().join("link.html")).unwrap().is_symlink());
    assert!(room.read("notes.txt").starts_with("<!doctype html>"));
    assert_eq!(fs::metadata(&notes).unwrap().permissions().mode() & 0o777, 0o600);
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_written_and_not_replaced() {
    let room = room_with_a_game();
    let pipe = room.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = Command::new("cat").arg(&pipe).stdout(Stdio::piped()).spawn().unwrap();
    assert_eq!(review(&room, "pipe", &[]).code, 0);
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    let page = reader.wait_with_output().unwrap().stdout;
    assert!(page.starts_with(b"<!doctype html>") && page.ends_with(b"</html>\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    let room = room_with_a_game();
    for args in [
        &["match", "hex:3", "random", "random", "--save", "/dev/full"][..],
        &["play", "hex:3", "--save", "/dev/full"],
    ] {
        let answer = room.yarra(args, "0-0\nquit\n");
        assert_eq!(answer.code, 2, "{}", answer.out);
        assert!(answer.err.starts_with("yarra: cannot write /dev/full: No space left"), "{}", answer.err);
    }
}
