//! Laws that hold at every position of every game, checked at random positions of all phases.

mod random;

use std::collections::{HashMap, HashSet};

use fastrand::Rng;
use random::{Mood, choose, crowded_infexion, late};
use yarra_games::infexion::Infexion;
use yarra_games::tetress::Tetress;
use yarra_games::{Game, Move, MoveList, Outcome, Player, Position, Record, Work, read, start, with_game};

/// With the feature, only the fifth game: the others are tested without it.
#[cfg(feature = "tictactoe")]
const SPECS: [&str; 1] = ["tictactoe"];
#[cfg(not(feature = "tictactoe"))]
const SPECS: [&str; 16] = [
    "infexion",
    "tetress",
    "cachex:3",
    "cachex:5",
    "cachex:8",
    "cachex:9",
    "cachex:11",
    "cachex:12",
    "cachex:15",
    "hex:3",
    "hex:5",
    "hex:8",
    "hex:9",
    "hex:11",
    "hex:12",
    "hex:15",
];

/// A test that runs its body at many positions of every game.
macro_rules! law {
    ($name:ident<$game:ident>($pos:ident, $rng:ident) $body:block) => {
        #[test]
        fn $name() {
            struct Law<'a>(&'a mut Rng);
            impl Work for Law<'_> {
                type Output = ();
                fn run<$game: Game>(self, $pos: &$game) {
                    let $rng = self.0;
                    $body
                }
            }
            for spec in SPECS {
                let mut rng = Rng::with_seed(7);
                for pos in positions(spec, 10) {
                    with_game(&*pos, Law(&mut rng));
                }
            }
        }
    };
}

/// Positions of random games: a few of each and its last, some of them moved close to the turn limit, plus
/// crowded boards.
fn positions(spec: &str, n_games: u64) -> Vec<Box<dyn Position>> {
    let mut positions = Vec::new();
    if spec == "infexion" {
        let mut rng = Rng::with_seed(1);
        positions.extend((0..20).map(|_| crowded_infexion(&mut rng)));
    }
    for seed in 0..n_games {
        let mut rng = Rng::with_seed(seed);
        let all = game(spec, &mut rng).positions();
        for pos in &all {
            let is_taken = pos.outcome().is_some() || rng.usize(..all.len()) < 6;
            if is_taken {
                positions.push(pos.boxed());
            }
            if is_taken && 2 <= pos.ply() && rng.bool() {
                positions.push(late(&**pos, &mut rng));
            }
        }
    }
    positions
}

/// A random game in a random mood.
fn game(spec: &str, rng: &mut Rng) -> Record {
    let mood = Mood::random(rng);
    let mut record = Record::new(start(spec).unwrap());
    while record.outcome().is_none() {
        let moves = legal_moves(record.now());
        record.play(choose(record.now(), &moves, mood, rng));
    }
    record
}

fn legal_moves(pos: &dyn Position) -> MoveList {
    let mut moves = MoveList::new();
    pos.legal_moves(&mut moves);
    moves
}

fn played<G: Game>(pos: &G, m: Move) -> G {
    let mut next = *pos;
    next.play(m);
    next
}

law!(a_number_is_a_legal_move_iff_its_text_is_accepted<G>(pos, _rng) {
    let moves = legal_moves(pos);
    for m in (0..G::MOVES as u16).map(Move) {
        let found = pos.read_move(&pos.show_move(m));
        assert_eq!(found.ok(), moves.binary_search(&m).is_ok().then_some(m), "{m:?} at {pos}");
    }
});

law!(legal_moves_are_listed_in_ascending_order_without_repeats<G>(pos, _rng) {
    let moves = legal_moves(pos);
    assert!(moves.is_sorted_by(|a, b| a < b), "at {pos}");
    assert!(moves.iter().all(|m| usize::from(m.0) < G::MOVES), "at {pos}");
});

law!(a_move_list_keeps_its_previous_moves<G>(pos, _rng) {
    let mut moves = vec![Move(9999)];
    pos.legal_moves(&mut moves);
    assert_eq!(moves[0], Move(9999));
    assert_eq!(moves[1..], legal_moves(pos));
});

law!(the_number_of_legal_moves_is_the_length_of_their_list<G>(pos, _rng) {
    assert_eq!(pos.n_legal_moves(), legal_moves(pos).len(), "at {pos}");
});

law!(there_are_no_moves_exactly_when_the_game_is_over<G>(pos, rng) {
    let is_over = pos.outcome().is_some();
    assert_eq!(pos.n_legal_moves() == 0, is_over, "at {pos}");
    assert_eq!(pos.random_move(rng).is_none(), is_over, "at {pos}");
    if pos.turn_limit() <= pos.ply() {
        assert!(is_over, "at {pos}");
    }
});

law!(a_random_move_is_legal<G>(pos, rng) {
    let moves = legal_moves(pos);
    for _ in 0..moves.len().min(50) {
        let m = pos.random_move(rng).unwrap();
        assert!(moves.binary_search(&m).is_ok(), "{m:?} at {pos}");
    }
});

law!(parsing_a_position_inverts_printing_it<G>(pos, _rng) {
    let text = pos.to_string();
    let again = G::read(&text).unwrap();
    assert_eq!(again, *pos);
    assert_eq!(again.to_string(), text);
    assert_eq!(read(&pos.spec().to_string(), &text).unwrap().to_string(), text);
});

law!(keys_do_not_depend_on_the_path<G>(pos, _rng) {
    for m in legal_moves(pos) {
        let next = played(pos, m);
        let again = G::read(&next.to_string()).unwrap();
        assert_eq!((again.key(), again.repetition()), (next.key(), next.repetition()), "at {next}");
    }
});

law!(a_move_takes_one_ply_and_changes_the_side_to_move<G>(pos, _rng) {
    assert_eq!(pos.turn(), Player::at_ply(pos.ply()));
    for m in legal_moves(pos) {
        let next = played(pos, m);
        assert_eq!((next.ply(), next.turn()), (pos.ply() + 1, pos.turn().opponent()));
    }
});

law!(cells_are_listed_row_by_row<G>(pos, _rng) {
    let cells = pos.cells();
    let n = cells.iter().map(|cell| cell.row + 1).max().unwrap();
    for (idx, cell) in (0..u16::from(n) * u16::from(n)).zip(&cells) {
        assert_eq!((u16::from(cell.row), u16::from(cell.col)), (idx / u16::from(n), idx % u16::from(n)));
        assert_eq!(cell.owner.is_some(), 0 < cell.power);
    }
    assert_eq!(cells.len(), usize::from(n) * usize::from(n));
});

law!(a_box_contains_the_same_position<G>(pos, _rng) {
    let boxed = pos.boxed();
    assert_eq!((boxed.to_string(), boxed.key()), (pos.to_string(), pos.key()));
    assert!(size_of::<G>() <= 128, "copies of {} should stay free", G::NAME);
});

law!(symmetries_commute_with_play<G>(pos, rng) {
    assert_eq!(pos.image(0), *pos);
    let n_tries = pos.n_symmetries().min(12);
    for n in 0..n_tries {
        let symmetry = if n_tries < 12 { n } else { rng.usize(..pos.n_symmetries()) };
        check_symmetry(pos, symmetry, 10, rng);
    }
});

/// Asserts that an image is a valid position, that its moves are the images of the moves, and that play commutes.
#[track_caller]
fn check_symmetry<G: Game>(pos: &G, symmetry: usize, n_moves: usize, rng: &mut Rng) {
    let image = pos.image(symmetry);
    assert_eq!(G::read(&image.to_string()).as_ref(), Ok(&image), "symmetry {symmetry} of {pos}");
    let is_swapped = image.turn() != pos.turn();
    let seen = |outcome: Outcome| Outcome {
        winner: outcome.winner.map(|winner| if is_swapped { winner.opponent() } else { winner }),
        ..outcome
    };
    assert_eq!(image.outcome(), pos.outcome().map(seen), "symmetry {symmetry} of {pos}");
    let moves = legal_moves(pos);
    let mut images = moves.iter().map(|&m| pos.image_move(symmetry, m)).collect::<Vec<_>>();
    images.sort_unstable();
    assert_eq!(images, legal_moves(&image), "symmetry {symmetry} of {pos}");
    for _ in 0..n_moves.min(moves.len()) {
        let m = moves[rng.usize(..moves.len())];
        let then_seen = played(pos, m).image(symmetry);
        let seen_then = played(&image, pos.image_move(symmetry, m));
        assert_eq!(seen_then, then_seen, "{m:?} and symmetry {symmetry} of {pos}");
    }
}

/// Checks every symmetry of some positions, and that no two symmetries are the same.
#[track_caller]
fn check_all_symmetries<G: Game>(spec: &str, n_symmetries: usize) {
    let mut n_asymmetric = 0;
    for seed in 0..4 {
        let mut rng = Rng::with_seed(seed);
        let positions = game(spec, &mut rng).positions();
        let pos = G::read(&positions[positions.len() / 2].to_string()).unwrap();
        assert_eq!(pos.n_symmetries(), n_symmetries);
        for symmetry in 0..n_symmetries {
            check_symmetry(&pos, symmetry, 3, &mut rng);
        }
        let images = (0..n_symmetries).map(|symmetry| pos.image(symmetry).to_string());
        n_asymmetric += u32::from(images.collect::<HashSet<_>>().len() == n_symmetries);
    }
    assert!(0 < n_asymmetric, "no two symmetries are the same");
}

#[test]
fn infexion_has_588_symmetries() {
    check_all_symmetries::<Infexion>("infexion", 588);
}

#[test]
fn tetress_has_968_symmetries() {
    check_all_symmetries::<Tetress>("tetress", 968);
}

law!(the_transposition_of_a_rhombus_swaps_sides_and_colors<G>(pos, _rng) {
    let has_transposition = pos.n_symmetries() == 4;
    if has_transposition {
        let image = pos.image(2);
        assert_eq!((image.turn(), image.ply()), (pos.turn().opponent(), pos.ply() + 1));
        let winner = pos.outcome().and_then(|outcome| outcome.winner);
        let winner_of_image = image.outcome().and_then(|outcome| outcome.winner);
        assert_eq!(winner_of_image, winner.map(Player::opponent), "at {pos}");
    }
});

/// The board and everything else that affects the rest of the game, except the turn limit and repetition.
fn without_ply(pos: &dyn Position) -> String {
    let text = pos.to_string();
    let is_opening = pos.ply() < 2;
    format!("{} {is_opening}", text.rsplit_once(' ').unwrap().0)
}

#[test]
fn different_positions_have_different_keys() {
    for spec in SPECS {
        let mut seen = HashMap::new();
        let mut boards = HashMap::new();
        for seed in 0..60 {
            for pos in game(spec, &mut Rng::with_seed(seed)).positions() {
                let text = without_ply(&*pos);
                let board = text.split(' ').next().unwrap().to_owned();
                assert_eq!(seen.entry(pos.key()).or_insert_with(|| text.clone()), &text, "{spec}");
                if let Some(rule) = pos.repetition() {
                    assert_eq!(boards.entry(rule.key).or_insert_with(|| board.clone()), &board, "{spec}");
                }
            }
        }
    }
}

#[test]
fn keys_distinguish_the_opening_from_later_plies_where_the_rules_do() {
    let keys = |spec: &str, plies: [u16; 2]| {
        let rows = start(spec).unwrap().to_string();
        let rows = rows.split(' ').next().unwrap();
        plies.map(|ply| {
            let side = Player::at_ply(ply).letter();
            read(spec, &format!("{rows} {side} {ply}")).unwrap().key()
        })
    };
    for (spec, plies) in
        [("tetress", [0, 2]), ("tetress", [1, 3]), ("cachex:5", [0, 2]), ("cachex:9", [1, 3])]
    {
        let [early, late] = keys(spec, plies);
        assert_ne!(early, late, "{spec} at {plies:?}");
    }
    for (spec, plies) in
        [("tetress", [2, 148]), ("cachex:12", [3, 341]), ("hex:5", [0, 2]), ("infexion", [2, 4])]
    {
        let [early, late] = keys(spec, plies);
        assert_eq!(early, late, "{spec} at {plies:?}");
    }
}

#[test]
fn the_repetition_key_ignores_the_side_to_move() {
    for spec in SPECS.into_iter().filter(|spec| spec.starts_with("cachex")) {
        for pos in positions(spec, 5) {
            if pos.ply() < 2 {
                continue;
            }
            let board = pos.to_string().split(' ').next().unwrap().to_owned();
            let [red, blue] = ["r 200", "b 201"].map(|rest| read(spec, &format!("{board} {rest}")).unwrap());
            assert_eq!(red.repetition(), blue.repetition());
            assert_ne!(red.key(), blue.key());
        }
    }
}

#[test]
fn undoing_restores_everything() {
    for spec in SPECS {
        let mut record = game(spec, &mut Rng::with_seed(3));
        let moves = record.moves().to_vec();
        let positions = record.positions();
        let boards = record.boards().to_vec();
        let n_undone = moves.len().min(40);
        for n in 0..n_undone {
            let ply = moves.len() - 1 - n;
            assert_eq!(record.undo(), Some(moves[ply]));
            assert_eq!(record.moves(), &moves[..ply]);
            assert_eq!(record.now().to_string(), positions[ply].to_string());
            assert_eq!(record.boards(), &boards[..boards.len().min(ply + 1)]);
            assert_eq!(record.outcome(), None);
        }
        for &m in &moves[moves.len() - n_undone..] {
            record.play(m);
        }
        assert_eq!(record.now().to_string(), positions[moves.len()].to_string());
        assert_eq!(record.boards(), boards);
    }
    let mut fresh = Record::new(start("cachex:4").unwrap());
    assert_eq!((fresh.undo(), fresh.n_repeats()), (None, 1));
}

/// Samples many moves and compares their frequencies with a uniform distribution.
#[track_caller]
fn check_even_chances<G: Game>(pos: &G) {
    let moves = legal_moves(pos);
    let n_draws = 200 * moves.len();
    let mut rng = Rng::with_seed(5);
    let mut n_times = HashMap::<Move, u32>::new();
    for _ in 0..n_draws {
        *n_times.entry(pos.random_move(&mut rng).unwrap()).or_default() += 1;
    }
    let chi_square = moves.iter().map(|m| {
        let n = n_times.get(m).copied().unwrap_or(0);
        assert!(0 < n, "{m:?} is never drawn at {pos}");
        (f64::from(n) - 200.0).powi(2) / 200.0
    });
    let freedom = moves.len() as f64 - 1.0;
    let deviations = (chi_square.sum::<f64>() - freedom) / (2.0 * freedom).sqrt().max(1.0);
    assert!(deviations < 5.0, "{deviations} standard deviations at {pos}");
}

law!(random_moves_are_all_equally_likely<G>(pos, rng) {
    if pos.outcome().is_none() && rng.u8(..4) == 0 {
        check_even_chances(pos);
    }
});
