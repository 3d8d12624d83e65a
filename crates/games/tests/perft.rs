//! Counts of move sequences, each confirmed by another program.

use yarra_games::perft::{Leaves, perft};
use yarra_games::{Record, start};

#[track_caller]
fn check_perft(spec: &str, depth: u32, n_expected: u64) {
    let record = Record::new(start(spec).unwrap());
    assert_eq!(perft(&record, depth, Leaves::Counted), n_expected);
}

#[test]
fn counts_from_the_start_match_the_known_ones() {
    check_perft("infexion", 0, 1);
    check_perft("infexion", 4, 6_480_642);
    check_perft("tetress", 2, 4_808_298);
    check_perft("cachex:5", 5, 6_412_624);
    check_perft("hex:7", 4, 5_085_024);
    check_perft("hex:11", 3, 1_727_880);
}

#[test]
fn counting_leaves_matches_making_them() {
    let mut cases = vec![("infexion".to_owned(), 3), ("tetress".to_owned(), 2)];
    for game in ["cachex", "hex"] {
        cases.push((format!("{game}:3"), 7));
        for size in [8, 9, 11, 12, 15] {
            cases.push((format!("{game}:{size}"), if size < 12 { 3 } else { 2 }));
        }
    }
    for (spec, depth) in cases {
        let record = Record::new(start(&spec).unwrap());
        for depth in 1..=depth {
            let counted = perft(&record, depth, Leaves::Counted);
            assert_eq!(counted, perft(&record, depth, Leaves::Made), "{spec} at depth {depth}");
        }
    }
}

#[test]
fn counts_in_mid_game_match_either_way() {
    for (spec, n_plies, depth) in [
        ("infexion", 40, 3),
        ("infexion", 120, 3),
        ("tetress", 12, 2),
        ("cachex:4", 30, 4),
        ("cachex:9", 50, 3),
    ] {
        for seed in 0..3 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut record = Record::new(start(spec).unwrap());
            while record.moves().len() < n_plies && record.outcome().is_none() {
                let mut moves = Vec::new();
                record.now().legal_moves(&mut moves);
                record.play(moves[rng.usize(..moves.len())]);
            }
            let counted = perft(&record, depth, Leaves::Counted);
            assert_eq!(counted, perft(&record, depth, Leaves::Made), "at {}", record.now());
        }
    }
}

#[test]
fn the_seventh_occurrence_ends_a_count_too() {
    let opening = "3-0 2-1 2-3 0-2 1-2 2-2 2-0";
    let cycle = "3-2 3-1 2-2 1-1 2-1 1-2";
    let moves = opening.split(' ').chain([cycle; 6].into_iter().flat_map(|cycle| cycle.split(' ')));
    let record = Record::read("cachex:4", None, moves.take(42)).unwrap();
    let counts = (1..=4).map(|depth| perft(&record, depth, Leaves::Counted)).collect::<Vec<_>>();
    assert_eq!(counts, [10, 81, 654, 4395]);
    let without_history = Record::new(record.now().boxed());
    assert_eq!(perft(&without_history, 4, Leaves::Counted), 5019);
}
