//! Every command of docs/results.md, run as written but with few games and little time.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::room::Room;

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results.md");
/// The lab is another program: its own tests run these commands.
const LAB: &str = "cargo run --release -p yarra-lab -- ";

/// The commands of the document: code in the text that begins with `yarra`, and all lines of shell blocks.
fn commands() -> Vec<String> {
    let document = fs::read_to_string(DOCUMENT).unwrap();
    let (mut commands, mut text) = (Vec::new(), String::new());
    let mut is_shell = false;
    for line in document.lines() {
        match line {
            "```sh" => is_shell = true,
            "```" => is_shell = false,
            _ if is_shell => commands.push(line.to_owned()),
            // Code may go on in the next line.
            _ => text += &format!("{line} "),
        }
    }
    let code = text.split('`').skip(1).step_by(2);
    commands.extend(code.filter(|code| code.starts_with("yarra ")).map(str::to_owned));
    commands.retain(|command| !command.starts_with(LAB));
    commands
}

/// What makes a command take long, and what it is replaced by: all cuts are here.
const CUTS: [(&str, &str); 6] = [
    ("--games ", "2"),
    ("--clock ", "20ms"),
    ("--move-time ", "1ms"),
    ("--depth ", "1"),
    ("think=", "1ms"),
    ("--rounds ", "1 --set games=1 --set simulations=1 --set match_games=1 --set ladder_games=0"),
];

/// The command with its numbers of games and its times cut.
fn cut(command: &str) -> String {
    let mut command = command.to_owned();
    for (option, value) in CUTS {
        let mut parts = command.split(option);
        let mut shorter = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let rest = part.find([' ', ',', ';']).map_or("", |end| &part[end..]);
            shorter = format!("{shorter}{option}{value}{rest}");
        }
        command = shorter;
    }
    command
}

/// Runs a command by a shell, in whose path the real program comes first.
fn run(room: &Room, command: &str) -> Result<(), String> {
    let program = Path::new(env!("CARGO_BIN_EXE_yarra")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", &cut(command)]).current_dir(room.path()).env("PATH", path);
    let output = shell.output().unwrap();
    match output.status.success() && !output.stdout.is_empty() {
        true => Ok(()),
        false => {
            Err(format!("{command}, cut to {}: {}", cut(command), String::from_utf8_lossy(&output.stderr)))
        }
    }
}

#[test]
fn every_command_of_the_results_runs_as_written() {
    let commands = commands();
    assert!(40 < commands.len(), "{commands:#?}");
    let room = Room::new();
    let root = Path::new(DOCUMENT).parent().unwrap().parent().unwrap();
    std::os::unix::fs::symlink(root.join("data"), room.path().join("data")).unwrap();
    let (next, errors) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(command) = commands.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let error = run(&room, command).err();
                    errors.lock().unwrap().extend(error);
                }
            });
        }
    });
    let errors = errors.into_inner().unwrap();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn a_command_is_cut_in_its_games_and_times_only() {
    let command =
        "yarra match infexion entourage-mcts:think=20ms,queue=off a --games 40 --clock 180s --seed 1";
    let cut_command =
        "yarra match infexion entourage-mcts:think=1ms,queue=off a --games 2 --clock 20ms --seed 1";
    assert_eq!(cut(command), cut_command);
}
