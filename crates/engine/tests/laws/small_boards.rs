//! Cachex on small boards: solved tables, proven wins and the opening book.

use std::collections::HashSet;

use yarra_engine::champion::cachex::retrograde::DRAW;
use yarra_engine::champion::cachex::{end_of, is_stolen, proven};
use yarra_engine::{Agent, Score};
use yarra_games::{Game, Move, Player, Position, Record};

use crate::cachex::{Small, champion};
use crate::{at_ply, choose, nodes, random_positions, record_at};

/// The end of a position is what follows from those of the positions after it.
fn check_end(pos: &Small) {
    let mut legal = Vec::new();
    pos.legal_moves(&mut legal);
    let ends: Vec<u8> = legal
        .iter()
        .map(|&m| match pos.after(m).outcome() {
            Some(_) => 0,
            None => end_of(&pos.after(m)).expect("a solved size"),
        })
        .collect();
    let soonest_win = ends.iter().filter(|&&end| end % 2 == 0).min();
    let latest_loss = ends.iter().max().expect("a move");
    let expected = match (soonest_win, *latest_loss) {
        (Some(end), _) => end + 1,
        (None, DRAW) => DRAW,
        (None, end) => end + 1,
    };
    assert_eq!(end_of(pos), Some(expected), "{pos}");
}

/// The positions of a size that some game reaches from the third ply on, by their boards and players to move.
fn reachable(size: u8) -> Vec<Small> {
    let mut seen = HashSet::new();
    let mut positions = vec![Small::start(size).expect("a size")];
    let mut next = 0;
    while next < positions.len() {
        let pos = positions[next];
        next += 1;
        let mut legal = Vec::new();
        pos.legal_moves(&mut legal);
        for m in legal {
            let after = pos.after(m);
            // The ply makes no difference but for its parity and the first two.
            let after = if 4 <= after.ply() { at_ply(&after, 2 + after.ply() % 2) } else { after };
            if after.outcome().is_none() && seen.insert(after.key()) {
                positions.push(after);
            }
        }
    }
    positions.retain(|pos| 2 <= pos.ply());
    positions
}

#[test]
fn the_board_of_three_is_solved_by_its_own_rules() {
    let positions = reachable(3);
    assert!(10_000 < positions.len(), "{}", positions.len());
    for pos in &positions {
        check_end(pos);
        assert_ne!(end_of(pos), Some(DRAW), "{pos}");
    }
    // Blue wins every game, by a steal of these four.
    let start = Small::start(3).expect("a size");
    let mut agent = champion(&start, "");
    for cell in (0..9).filter(|&cell| cell != 4) {
        let choice = choose(&mut *agent, &record_at(&start.after(Move(cell))), nodes(1));
        assert!(choice.score > Some(Score::MAX_EVALUATION), "{cell}");
        assert_eq!(choice.mv == Move(9), [1, 2, 6, 7].contains(&cell), "{cell}");
    }
}

#[test]
fn the_board_of_four_is_solved_wherever_one_looks() {
    let positions = random_positions::<Small>(4, 60, 16);
    for pos in positions.iter().filter(|pos| 2 <= pos.ply()) {
        check_end(pos);
    }
    let drawn = Small::read("..../.rb./.rb./.... r 4").expect("a position");
    check_end(&drawn);
}

#[test]
fn an_end_that_the_search_sees_is_true() {
    let mut n_seen = 0;
    for pos in random_positions::<Small>(4, 150, 21).iter().filter(|pos| 2 <= pos.ply()) {
        let mut agent = champion(pos, "solved=off,table=1");
        let score = choose(&mut *agent, &record_at(pos), nodes(5000)).score;
        let Some(plies) = score.and_then(Score::plies_to_end) else { continue };
        let end = end_of(pos).expect("a solved size");
        assert!(end != DRAW && (end % 2 == 1) == (0 < plies), "{plies} instead of {end} at {pos}");
        // It may not be the shortest line.
        assert!(u32::from(end) <= plies.unsigned_abs(), "{plies} instead of {end} at {pos}");
        n_seen += 1;
    }
    assert!(50 < n_seen, "only {n_seen} ends were seen");
}

#[test]
fn a_won_position_of_a_solved_board_is_won_in_time() {
    let mut rng = fastrand::Rng::with_seed(17);
    for size in [3, 4] {
        let positions = random_positions::<Small>(size, 40, 18);
        for pos in positions.iter().filter(|pos| 2 <= pos.ply()) {
            let end = end_of(pos).expect("a solved size");
            if end == DRAW || end % 2 == 0 {
                continue;
            }
            let (mut record, winner) = (record_at(pos), pos.turn());
            let mut agent = champion(pos, "");
            while record.outcome().is_none() {
                let m = if record.now().turn() == winner {
                    choose(&mut *agent, &record, nodes(1)).mv
                } else {
                    *rng.choice(&record.legal_moves()).expect("a move while the game lasts")
                };
                record.play(m);
            }
            assert_eq!(record.outcome().and_then(|outcome| outcome.winner), Some(winner), "{pos}");
            assert!(record.moves().len() <= usize::from(end), "{pos}");
        }
    }
}

#[test]
fn boards_that_are_known_to_be_lost_are_lost_whatever_one_answers() {
    let mut rng = fastrand::Rng::with_seed(22);
    let mut agent = champion(&Small::start(5).expect("a size"), "table=1");
    for _ in 0..8 {
        let board = *rng.choice(proven::all()).expect("boards");
        let pos = proven::numbered(board).expect("a board");
        assert_eq!(proven::number(&pos), board, "{pos}");
        assert_eq!(proven::loss(&pos), proven::loss(&pos.image(3)), "{pos}");
        assert!(proven::loss(&pos).is_some_and(|plies| plies % 2 == 0), "{pos}");
        let mut legal = Vec::new();
        pos.legal_moves(&mut legal);
        for m in legal {
            assert_is_won_after(&pos, m, &mut *agent);
        }
    }
}

/// What the table does not know, a short search sees.
fn assert_is_won_after(pos: &Small, m: Move, agent: &mut dyn Agent) {
    let mut record = record_at(pos);
    record.play(m);
    assert_eq!(record.outcome(), None, "{m:?} at {pos}");
    agent.begin(Player::Blue, &record, nodes(1)).expect("a game of its own");
    let choice = choose(agent, &record, nodes(50_000));
    assert!(choice.score > Some(Score::MAX_EVALUATION), "{m:?} at {pos}");
}

#[test]
fn known_boards_come_nearer_with_every_move_of_the_winner() {
    let legal = |pos: &Small| {
        let mut legal = Vec::new();
        pos.legal_moves(&mut legal);
        legal
    };
    let (mut n_steps, mut searched) = (0, Vec::new());
    for &board in proven::all() {
        let pos = proven::numbered(board).expect("a board");
        let plies = proven::loss(&pos).expect("a known board");
        for answer in legal(&pos) {
            let after = pos.after(answer);
            let Some(choice) = proven::choice(&after, Some(&pos)) else {
                // Boards that are known but no nearer.
                if proven::choice(&after, None).is_some() {
                    searched.push((pos, answer));
                }
                continue;
            };
            let left = proven::loss(&after.after(choice.mv)).expect("a known board");
            assert!(left + 2 <= plies, "{answer:?} at {pos}: {left} of {plies}");
            n_steps += 1;
        }
    }
    assert!(proven::all().len() < n_steps);
    assert!(!searched.is_empty() && searched.len() < n_steps / 4, "{} of {n_steps}", searched.len());
    let mut rng = fastrand::Rng::with_seed(23);
    let mut agent = champion(&Small::start(5).expect("a size"), "table=1");
    for _ in 0..12 {
        let &(pos, answer) = rng.choice(&searched).expect("some");
        assert_is_won_after(&pos, answer, &mut *agent);
    }
}

#[test]
fn first_stones_of_five_are_known_and_answered_by_proven_wins() {
    let start = Small::start(5).expect("a size");
    let mut agent = champion(&start, "table=1");
    assert_eq!(choose(&mut *agent, &record_at(&start), nodes(1)).mv, Move(11));
    for cell in (0..25).filter(|&cell| cell != 12) {
        let choice = choose(&mut *agent, &record_at(&start.after(Move(cell))), nodes(1));
        // 0-2 and 1-2 are open, and so are their half turns.
        let is_open = [2, 7, 17, 22].contains(&cell);
        assert_eq!(choice.score > Some(Score::MAX_EVALUATION), !is_open, "{cell}");
        assert_eq!(choice.mv == Move(25), is_stolen(Move(cell)), "{cell}");
        // Half a turn of the board changes nothing.
        assert_eq!(is_stolen(Move(cell)), is_stolen(Move(24 - cell)), "{cell}");
    }
}

#[test]
fn a_stolen_stone_is_answered_at_once_by_a_win_or_from_the_table() {
    let mut agent = champion(&Small::start(5).expect("a size"), "table=1");
    let mut answer = |cell: u16| {
        let mut record = Record::new(yarra_games::start("cachex:5").expect("a size"));
        record.play(Move(cell));
        record.play(Move(25));
        choose(&mut *agent, &record, nodes(1))
    };
    for cell in (0..25).filter(|&cell| cell != 12) {
        let choice = answer(cell);
        let is_won = choice.score > Some(Score::MAX_EVALUATION);
        assert_eq!(is_stolen(Move(cell)), !is_won, "{cell}");
        assert_eq!(choice.stats.nodes, 0, "{cell} was searched");
        // Half a turn of the board changes nothing.
        assert!(is_won || answer(24 - cell).mv == Move(24 - choice.mv.0), "{cell}");
    }
}
