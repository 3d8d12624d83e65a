//! The commands of docs/results.md that are the lab's, as written but with few games and little time. Those of `yarra`
//! are tested with it.

use std::path::Path;

use crate::{ROOT, Room, yarra};

/// The words after `lab` of every command.
fn commands() -> Vec<Vec<String>> {
    let document = std::fs::read_to_string(Path::new(ROOT).join("docs/results.md")).unwrap();
    let lines = document.lines().filter_map(|line| line.strip_prefix("cargo run --release -p yarra-lab -- "));
    lines.map(|line| line.split(' ').map(str::to_owned).collect()).collect()
}

#[test]
fn every_command_of_the_results_runs_as_written() {
    let (room, yarra, commands) = (Room::new(), yarra(), commands());
    assert!(!commands.is_empty());
    for command in commands {
        // All cuts are here: the time for a move, and the number of games or of agents.
        let is_time = |word: &str| word.strip_suffix("ms").is_some_and(|n| n.parse::<u32>().is_ok());
        let mut args: Vec<&str> =
            command.iter().map(|word| if is_time(word) { "1ms" } else { word }).collect();
        match args[0] {
            "threshold" => args.extend(["--games", "2"]),
            "overruns" => args.extend(["--game", "cachex:5"]),
            other => panic!("how is `lab {other}` cut short?"),
        }
        args.extend(["--yarra", &yarra]);
        assert!(!room.prints(&args).is_empty(), "{command:?}");
    }
}
