//! Every command of the README, run as written.

use std::fs;
use std::path::{Path, PathBuf};

use crate::room::Room;

const NAMES: [&str; 2] = ["yarra ", "cargo run --release -- "];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn commands() -> Vec<String> {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let mut commands = Vec::new();
    let mut is_shell = false;
    for line in readme.lines() {
        match line {
            "```sh" => is_shell = true,
            "```" => is_shell = false,
            _ if is_shell => commands.push(line.to_owned()),
            _ => {}
        }
    }
    commands
}

/// The arguments of a command as a shell would split them: at spaces outside double quotes.
fn arguments(command: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    for (n, part) in command.split('"').enumerate() {
        if n % 2 == 1 {
            arguments.push(part.to_owned());
        } else {
            arguments.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    arguments
}

#[test]
fn every_command_of_the_readme_works() {
    let commands = commands();
    assert!(5 < commands.len(), "{commands:?}");
    // One after the other in one folder, as a reader would: some use files that others have saved.
    let room = Room::new();
    for folder in ["data", "examples"] {
        std::os::unix::fs::symlink(root().join(folder), room.path().join(folder)).unwrap();
    }
    for command in commands {
        let Some(rest) = NAMES.iter().find_map(|name| command.strip_prefix(name)) else {
            // The test command runs this test, so it cannot be run here. It installs the program as the README says.
            let test = fs::read_to_string(root().join("test")).unwrap();
            assert!(command == "./test" || test.contains(&format!("run {command} ")), "{command}");
            continue;
        };
        let args = arguments(rest);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let answer = room.yarra(&args, "help\nquit\n");
        assert_eq!(answer.code, 0, "{command}: {}{}", answer.out, answer.err);
        assert!(!answer.out.is_empty(), "{command}");
    }
}
