use yarra_engine::Score;
use yarra_engine::eval::{Judge, sum_of};
use yarra_games::infexion::Infexion;
use yarra_games::{Game, Position};
use yarra_reports::entourage::judge::Weights;
use yarra_reports::judges::judges;

use crate::{EMPTY, at_random_positions, board};

/// Red's and blue's stacks, power, dominating clusters by quantity and by power, and the sum for red.
type Expected = ([[u32; 2]; 4], f64);

#[track_caller]
fn check([row_0, row_1, row_2, row_3]: [&str; 4], expected: Expected) {
    check_seven([row_0, row_1, row_2, row_3, EMPTY, EMPTY, EMPTY], expected);
}

#[track_caller]
fn check_seven(rows: [&str; 7], (counts, red_value): Expected) {
    let judge = Weights::default();
    let pos = board(rows, "r 8");
    let terms = judge.terms(&pos);
    let found: Vec<[u32; 2]> = terms.iter().map(|term| [term.red as u32, term.blue as u32]).collect();
    assert_eq!(found, counts, "{pos}");
    assert_eq!(judge.value(&pos), Score::from_units(red_value), "{pos}");
    assert_eq!(judge.value(&board(rows, "b 9")), Score::from_units(-red_value), "{pos}");
}

#[test]
fn the_weights_are_those_of_the_report() {
    let Weights { quantity, power, quantity_dominance, power_dominance, clusters } = Weights::default();
    assert_eq!([quantity, power, quantity_dominance, power_dominance, clusters], [2.0, 1.6, 1.55, 0.85, 0.0]);
}

#[test]
fn stacks_and_power_count_wherever_they_stand() {
    check(["r1......", EMPTY, EMPTY, "...b1..."], ([[1, 1], [1, 1], [0, 0], [0, 0]], 0.0));
    check(["r1r1.....", EMPTY, EMPTY, "...b1..."], ([[2, 1], [2, 1], [0, 0], [0, 0]], 3.6));
    check(["r4......", EMPTY, EMPTY, "...b1..."], ([[1, 1], [4, 1], [0, 0], [0, 0]], 4.8));
}

#[test]
fn clusters_that_touch_are_compared_by_stacks_and_by_power() {
    // Two against one, which touch in two places but are one pair: 2 + 1.6 + 1.55 + 0.85.
    check(["r1r1.....", "b1......", EMPTY, EMPTY], ([[2, 1], [2, 1], [1, 0], [1, 0]], 6.0));
    // More stacks for red, more power for blue: 2 - 1.6 + 1.55 - 0.85.
    check(["r1r1.....", "b3......", EMPTY, EMPTY], ([[2, 1], [2, 3], [1, 0], [0, 1]], 1.1));
    // Equals dominate nobody.
    check(["r1b1.....", EMPTY, EMPTY, EMPTY], ([[1, 1], [1, 1], [0, 0], [0, 0]], 0.0));
    check(["r1r1.....", "b2......", EMPTY, EMPTY], ([[2, 1], [2, 2], [1, 0], [0, 0]], 3.55));
}

#[test]
fn each_pair_of_clusters_counts() {
    // Blue stones on both sides of a row of three: two pairs.
    let rows = [EMPTY, EMPTY, "....b1..", "..r1r1r1..", "..b1....", EMPTY, EMPTY];
    check_seven(rows, ([[3, 2], [3, 2], [2, 0], [2, 0]], 8.4));
    // Two red stones on both sides of a blue row.
    let rows = [EMPTY, EMPTY, "....r1..", "..b1b1b1..", "..r1....", EMPTY, EMPTY];
    check_seven(rows, ([[2, 3], [2, 3], [0, 2], [0, 2]], -8.4));
}

#[test]
fn clusters_reach_around_the_edges() {
    // 0-6, 0-0 and 6-0 are neighbors of each other on the torus.
    let rows = ["r1.....r1", EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, "b2......"];
    check_seven(rows, ([[2, 1], [2, 2], [1, 0], [0, 0]], 3.55));
}

#[test]
fn weights_can_be_chosen() {
    let judge =
        Weights { quantity: 0.0, power: 0.0, quantity_dominance: 10.0, power_dominance: 1.0, clusters: 0.0 };
    let pos = board(["r1r1.....", "b3......", EMPTY, EMPTY, EMPTY, EMPTY, EMPTY], "r 4");
    assert_eq!(judge.value(&pos), Score::from_units(9.0));
}

#[test]
fn terms_add_up_to_the_value() {
    for info in judges::<Infexion>() {
        let judge = (info.make)();
        at_random_positions(|pos| {
            let sum = sum_of(&judge.terms(pos), pos.turn());
            assert_eq!(judge.value(pos), sum, "{} at {pos}", info.name);
        });
    }
}

#[test]
fn a_position_is_worth_as_much_as_its_images() {
    let judge = Weights::default();
    at_random_positions(|pos| {
        let symmetry = usize::from(pos.ply()) * 13 % pos.n_symmetries();
        assert_eq!(judge.value(pos), judge.value(&pos.image(symmetry)), "{pos}, symmetry {symmetry}");
    });
}

#[test]
fn clusters_count_only_where_they_weigh_something() {
    let rows = ["r1r1.....", EMPTY, "..r1....", "....b1..", EMPTY, EMPTY, EMPTY];
    let pos = board(rows, "r 8");
    let names = |judge: Weights| judge.terms(&pos).iter().map(|term| term.name).collect::<Vec<_>>();
    assert!(!names(Weights::default()).contains(&"clusters"));
    let program = Weights { clusters: 0.8, power_dominance: 0.65, ..Weights::default() };
    let last = program.terms(&pos).pop().expect("a term");
    assert_eq!((last.name, last.red, last.blue, last.weight), ("clusters", 2.0, 1.0, 0.8));
    assert_eq!(program.value(&pos), sum_of(&program.terms(&pos), pos.turn()));
}
