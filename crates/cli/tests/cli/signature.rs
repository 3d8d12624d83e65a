//! `yarra bench search`: searches play as the signature says.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::room::{Room, prints};

const FILE: &str = "data/signatures/search.txt";

fn expected() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(FILE)).unwrap()
}

#[test]
fn every_search_matches_its_signature() {
    let answer = Room::new().yarra(&["bench", "search"], "");
    let is_news = |line: &&str| line.starts_with("changed: ") || line.starts_with("if this is meant");
    let news: Vec<&str> = answer.out.lines().filter(is_news).collect();
    assert_eq!(answer.code, 0, "{}", news.join("\n"));
    assert_eq!(answer.out, expected());
}

#[test]
fn json_and_text_agree() {
    let answer: Value = serde_json::from_str(&prints(&["bench", "search", "--json"])).unwrap();
    let last = expected().lines().last().unwrap().to_owned();
    assert_eq!(last, format!("signature {}", answer["signature"].as_str().unwrap()));
    assert_eq!(answer["searches"].as_array().unwrap().len(), expected().lines().count() - 2);
    assert_eq!(answer["differences"], Value::Array(Vec::new()));
}

#[test]
fn an_update_only_replaces_an_existing_file() {
    let room = Room::new();
    let answer = room.yarra(&["bench", "search", "--update"], "");
    assert_eq!((answer.code, answer.out.as_str()), (2, ""));
    assert!(answer.err.contains("the root of the repository"), "{}", answer.err);
    fs::create_dir_all(room.path().join("data/signatures")).unwrap();
    room.write(FILE, "");
    assert_eq!(room.yarra(&["bench", "search", "--update"], "").code, 0);
    assert_eq!(room.read(FILE), expected());
}
