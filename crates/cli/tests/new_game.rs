//! A game that is only a folder and a line in the list works in all commands: `cargo test --features tictactoe`.

#[expect(dead_code, reason = "these tests need no files")]
#[path = "cli/room.rs"]
mod room;

use room::{Room, prints};

#[test]
fn it_is_listed_and_drawn() {
    assert!(prints(&["games"]).contains("tictactoe three stones in a row win (3 x 3)"));
    let board = prints(&["show", "tictactoe", "r../.b./..r b 3"]);
    assert!(board.contains(" 0  r  .  .\n 1  .  b  .\n 2  .  .  r\n"), "{board}");
    assert!(board.contains("ply 3, blue to move, 6 legal moves"), "{board}");
    assert!(prints(&["show", "tictactoe", "--svg"]).contains("<polygon"));
    let won = prints(&["show", "tictactoe", "rrr/bb./... b 5"]);
    assert!(won.contains("game over: red wins (connection)"), "{won}");
}

#[test]
fn its_perft_counts_match_the_literature() {
    for (depth, n_nodes) in [(1, 9), (5, 15_120), (6, 54_720), (7, 148_176), (8, 200_448), (9, 127_872)] {
        let out = prints(&["perft", "tictactoe", &depth.to_string()]);
        assert!(out.ends_with(&format!("nodes: {n_nodes}\n")), "{depth}: {out}");
    }
}

#[test]
fn general_agents_play_matches_that_can_be_shown_and_reviewed() {
    let room = Room::new();
    let args = [
        "match",
        "tictactoe",
        "minimax:depth=9",
        "random",
        "--games",
        "6",
        "--json",
        "--save",
        "games.jsonl",
    ];
    let answer = room.yarra(&args, "");
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert!(answer.out.contains(r#""losses":0"#), "perfect play never loses: {}", answer.out);
    let shown = room.yarra(&["show", "games.jsonl", "--game", "1", "--last"], "");
    assert!(shown.out.contains("game 1: tictactoe, red: minimax:depth=9, blue: random"), "{}", shown.out);
    let review =
        room.yarra(&["analyze", "games.jsonl", "--game", "1", "--depth", "9", "--html", "r.html"], "");
    assert_eq!(review.code, 0, "{}", review.err);
    assert!(review.out.contains("accuracy"), "{}", review.out);
}

#[test]
fn every_general_agent_speaks_ugi() {
    for agent in ["random", "greedy", "minimax", "negamax", "negascout", "deepening", "mcts"] {
        let commands = "ugi\nposition startpos moves 1-1\ngo depth 2 nodes 50\nquery gameover\nquit\n";
        let answer = Room::new().yarra(&["ugi", "tictactoe", agent], commands);
        assert_eq!(answer.code, 0, "{agent}: {}", answer.err);
        assert!(answer.out.contains("ugiok"), "{agent}: {}", answer.out);
        // `quit` may end the search before its answer.
        let answer = Room::new()
            .yarra(&["ugi", "tictactoe", agent], "position startpos moves 1-1\ngo depth 2 nodes 50\n");
        assert!(answer.out.contains("bestmove "), "{agent}: {}", answer.out);
    }
}

#[test]
fn commands_for_the_courses_games_explain_why_they_fail() {
    let table: &[(&[&str], &str)] = &[
        (&["traps", "tictactoe", "random"], "a game with traps"),
        (&["export-agent", "tictactoe", "random", "agent"], "a game with an official referee"),
        (&["match", "tictactoe", "python:.", "random"], "course agents play infexion, tetress, cachex"),
        (&["explain", "tictactoe", "champion"], "no agent \"champion\" plays tictactoe"),
    ];
    for (args, words) in table {
        let answer = Room::new().yarra(args, "");
        assert_eq!(answer.code, 2, "{args:?}: {}", answer.err);
        assert!(answer.err.contains(words) && answer.err.lines().count() == 1, "{args:?}: {}", answer.err);
    }
}
