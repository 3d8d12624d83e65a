//! Moves as people type them: what is understood, and what is said otherwise.

use fastrand::Rng;
use yarra_games::{GAMES, MoveList, Position, Record, read, start};

/// The move that is read, in its notation, or what the player is told.
fn typed(pos: &dyn Position, text: &str) -> String {
    match pos.read_typed(text) {
        Ok(m) => pos.show_move(m),
        Err(words) => words,
    }
}

#[track_caller]
fn check(pos: &dyn Position, table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(typed(pos, text), *expected, "{text:?}");
    }
}

fn infexion() -> Box<dyn Position> {
    read("infexion", "......./......./......./...r1b1../......./......./....... r 2").unwrap()
}

#[test]
fn cells_and_directions_are_read_leniently() {
    let spawns = ["1-2", " 1 2 ", "1,2", "(1, 2)", "[1,2]", "1 - 2", "1/2", "1.2", "01-02", "1\t2", "1, 2."];
    for text in spawns.into_iter().chain(["SPAWN(1-2)", "spawn 1 2", "put 1-2"]) {
        assert_eq!(typed(&*infexion(), text), "1-2", "{text:?}");
    }
    let spreads =
        ["3-3ur", "3-3 ur", "3-3UR", "3,3 Up Right", "(3, 3) up-right", "3-3 ↗", "↗ 3-3", "3 3 right up"];
    for text in spreads.into_iter().chain([
        "ur 3-3",
        "3-3 NE",
        "3-3 north-east",
        "SPREAD(3-3, ↗)",
        "spread 3 3 up right",
    ]) {
        assert_eq!(typed(&*infexion(), text), "3-3ur", "{text:?}");
    }
    check(
        &*infexion(),
        &[
            ("3-3 ↑", "3-3u"),
            ("3-3 down", "3-3d"),
            ("3-3 s", "3-3d"),
            ("3-3 ↘", "3-3dr"),
            ("3-3 left down", "3-3dl"),
            ("3-3 NW", "3-3ul"),
        ],
    );
}

#[test]
fn a_move_of_infexion_that_cannot_be_played_is_explained() {
    let unclear =
        |text: &str| format!("expected a spawn like `3-4` or a spread like `3-4 ur`, found {text:?}");
    for text in [
        "foo",
        "",
        "3,-1",
        "-1-3",
        "3--3",
        "1-2 1-3",
        "3-3 sideways",
        "3-3 é",
        "3=3",
        "99999999 1",
        "spread 1-2",
        "spawn 3-3 ur",
    ] {
        assert_eq!(typed(&*infexion(), text), unclear(text));
    }
    check(
        &*infexion(),
        &[
            ("3-3", "3-3 is your own stack: add a direction to spread it, as in `3-3 ur`"),
            ("3-4", "3-4 is taken by blue"),
            ("3-4 u", "3-4 is blue's stack: only a stack of yours can spread"),
            ("0-0 u", "0-0 is empty: only a stack of yours can spread"),
            ("3-3 right", "a stack spreads up or down: add `ur` or `dr` to the cell"),
            ("3", "a cell has two numbers, as in `3-4`"),
            ("7-0", "7-0 is off the board: numbers go from 0 to 6"),
        ],
    );
    let full =
        ["r6r6r6r6r6r6r6", "b6b1.....", ".......", ".......", ".......", ".......", "......."].join("/");
    let full = read("infexion", &format!("{full} r 60")).unwrap();
    assert!(typed(&*full, "6-6").starts_with("the total power is 49"), "{}", typed(&*full, "6-6"));
}

#[test]
fn pieces_of_tetress_are_read_leniently_and_explained() {
    let row = "...........";
    let rows = [row, row, row, row, row, "....rrrr...", "....bbbb...", row, row, row, row].join("/");
    let pos = read("tetress", &format!("{rows} r 2")).unwrap();
    check(
        &*pos,
        &[
            ("4-4 4-5 4-6 4-7", "4-4,4-5,4-6,4-7"),
            ("4,4 4,5 3,5 3,6", "3-5,3-6,4-4,4-5"),
            ("(4, 4), (4, 5), (3, 5), (3, 6)", "3-5,3-6,4-4,4-5"),
            ("4-4,4-5, 3-5,3-6", "3-5,3-6,4-4,4-5"),
            ("PLACE(4-4, 4-5, 3-5, 3-6)", "3-5,3-6,4-4,4-5"),
            ("4-4 4-5 4-6", "a piece has four cells, found 3"),
            ("4-4 4-5 4-6 4-7 4-8", "a piece has four cells, found 5"),
            ("4-4 4-5 4-6 4-4", "a piece has four different cells, found 4-4 twice"),
            ("4-4 4-5 4-6 5-6", "5-6 is already yours"),
            ("6-4 7-4 8-4 9-4", "6-4 is taken by blue"),
            ("4-4 4-5 3-7 3-8", "these four cells are not one piece: their sides must join them"),
            ("7-4 7-5 7-6 7-7", "this piece is not beside a token of yours: one of its cells must be"),
            ("4-4 4-5 4-6 4-11", "4-11 is off the board: numbers go from 0 to 10"),
            ("4-4 4-5 4-6 4", "a cell has two numbers, as in `3-4`"),
            ("i", "expected four cells like `3-3 3-4 4-3 4-4`, found \"i\""),
        ],
    );
}

#[test]
fn stones_and_steals_are_read_leniently_and_explained() {
    let mut pos = start("cachex:5").unwrap();
    check(
        &*pos,
        &[
            ("2,2", "the first stone must not be in the center"),
            ("steal", "only blue's first move can be a steal"),
            ("5-0", "5-0 is off the board: numbers go from 0 to 4"),
            ("1-2 up", "expected a cell like `3-4` or `steal`, found \"1-2 up\""),
        ],
    );
    pos.play(pos.read_typed("(0, 1)").unwrap());
    check(
        &*pos,
        &[
            ("STEAL", "steal"),
            ("swap", "steal"),
            ("1 1 steal", "expected a cell like `3-4` or `steal`, found \"1 1 steal\""),
            ("0 1", "0-1 is taken by red"),
            ("2 2", "2-2"),
            ("PLACE(2, 2)", "2-2"),
        ],
    );
    let mut hex = start("hex:3").unwrap();
    hex.play(hex.read_typed("1 1").unwrap());
    check(&*hex, &[("steal", "expected a cell like `3-4`, found \"steal\""), ("1-1", "1-1 is taken by red")]);
}

#[test]
fn the_strict_notation_is_read_too_and_only_legal_moves_are() {
    let mut rng = Rng::with_seed(5);
    for info in GAMES {
        for _ in 0..10 {
            let mut game = Record::new(start(info.name).unwrap());
            for _ in 0..rng.usize(..30) {
                let moves = game.legal_moves();
                let Some(&m) = (!moves.is_empty()).then(|| &moves[rng.usize(..moves.len())]) else { break };
                game.play(m);
            }
            if game.outcome().is_some() {
                assert!(game.read_typed("0-0").is_err());
                continue;
            }
            let pos = game.now();
            let mut moves = MoveList::new();
            pos.legal_moves(&mut moves);
            for &m in &moves {
                assert_eq!(pos.read_typed(&pos.show_move(m)), Ok(m), "{pos}");
            }
            for _ in 0..200 {
                let n_numbers = if info.name == "tetress" { 8 } else { 2 };
                let numbers: Vec<String> = (0..n_numbers).map(|_| rng.u8(..pos.size()).to_string()).collect();
                let text = numbers.join(" ") + rng.choice(["", "u", " dl", " steal"]).unwrap_or_default();
                if let Ok(m) = pos.read_typed(&text) {
                    assert!(moves.contains(&m), "{text} at {pos}");
                }
            }
        }
    }
}
