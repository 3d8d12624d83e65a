use yarra_engine::agent::unwatched;
use yarra_engine::eval::Judge;
use yarra_engine::{Limits, Score, Tactics};
use yarra_games::{Position, Record};
use yarra_reports::raccoons::{SpreadsFirst, Weights};

use crate::{EMPTY, board, make, shown};

const DUEL: [&str; 7] = ["r3b1.b1...", EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY];

#[test]
fn power_and_cells_weigh_the_same() {
    let cases = [
        (DUEL, 0.0),                                                         // 3 + 1 : 2 + 2
        (["r3r1.....", EMPTY, EMPTY, "b2......", EMPTY, EMPTY, EMPTY], 3.0), // 4 + 2 : 2 + 1
        (["r1......", EMPTY, EMPTY, "b6......", EMPTY, EMPTY, EMPTY], -5.0), // 1 + 1 : 6 + 1
    ];
    for (rows, red_value) in cases {
        let judge = Weights::default();
        assert_eq!(judge.value(&board(rows, "r 8")), Score::from_units(red_value));
        assert_eq!(judge.value(&board(rows, "b 9")), Score::from_units(-red_value));
    }
}

#[test]
fn each_term_counts_what_it_says() {
    let all =
        Weights { power: 1.0, cells: 1.0, average_power: 1.0, enemy_attacked: 1.0, empty_attacked: 1.0 };
    let terms = all.terms(&board(DUEL, "r 8"));
    let found: Vec<_> = terms.iter().map(|term| (term.name, term.red, term.blue)).collect();
    let expected = [
        ("power", 3.0, 2.0),
        ("cells", 1.0, 2.0),
        ("average power", 3.0, 1.0),
        // Red's spread along the row takes both; a blue single takes one.
        ("enemy cells under attack", 2.0, 1.0),
        // Three cells in six directions without the two blue ones; five and six around the blue ones,
        // with 0-2 between them.
        ("empty cells under attack", 16.0, 10.0),
    ];
    assert_eq!(found, expected);
}

#[test]
fn dropped_terms_weigh_nothing_by_default() {
    let Weights { average_power, enemy_attacked, empty_attacked, .. } = Weights::default();
    assert_eq!([average_power, enemy_attacked, empty_attacked], [0.0; 3]);
    assert_eq!(Weights::default().terms(&board(DUEL, "r 8")).len(), 2);
}

#[test]
fn spreads_come_before_spawns() {
    let pos = board(DUEL, "r 8");
    let mut moves = Vec::new();
    SpreadsFirst.moves(&pos, &mut moves);
    assert_eq!(shown(&pos, &moves[..8]), "0-0dr 0-0d 0-0dl 0-0ul 0-0u 0-0ur 0-2 0-4");
    assert_eq!(moves.len(), pos.n_legal_moves());
}

#[test]
fn evaluations_are_remembered_within_the_cache() {
    let game = Record::new(board(DUEL, "r 8").boxed());
    let stats = |options: &str| {
        make("raccoons", options).choose(&game, Limits::default(), &mut unwatched).expect("a move").stats
    };
    let (cached, plain) = (stats("depth=3"), stats("depth=3,cache=0"));
    assert_eq!(cached.nodes, plain.nodes);
    assert_eq!(cached.evaluations + cached.cache_hits, plain.evaluations);
    assert!(0 < cached.cache_hits);
    assert_eq!(plain.cache_hits, 0);
    assert_eq!(stats("").depth(), 2);
}

#[test]
fn the_agent_takes_what_it_can() {
    let game = Record::new(board(DUEL, "r 8").boxed());
    let choice = make("raccoons", "").choose(&game, Limits::default(), &mut unwatched).expect("a move");
    assert_eq!(game.now().show_move(choice.mv), "0-0dr");
    assert_eq!(choice.score, Some(Score::win_in(1)));
}
