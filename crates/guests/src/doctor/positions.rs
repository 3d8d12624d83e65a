//! Positions in which agents tend to fail, each with a game that leads there: course agents are told moves, not
//! positions.

use yarra_games::{Move, MoveList, Player, Position, Record, cachex, infexion, tetress};

/// A game up to a position in which the agent is to move.
#[derive(Clone, Debug)]
pub struct TestPosition {
    /// What is special about it, as the end of a phrase that begins with "positions".
    pub about: &'static str,
    /// The moves so far.
    pub game: Record,
}

/// A kind of position that random games rarely reach.
struct Goal {
    about: &'static str,
    /// The value of a position on the way there; the candidate with the highest is played.
    steer: fn(&dyn Position, Player) -> i32,
    /// Whether a position with the player to move is of this kind.
    is_reached: fn(&dyn Position, Player) -> bool,
}

/// The number of random candidate moves at each ply of a steered game.
const N_CANDIDATES: usize = 8;
/// The number of games that are tried for a goal; a small board may have no such position.
const N_TRIES: u64 = 50;
/// How many plies before the turn limit count as near it.
const NEAR_THE_END: u16 = 3;

const INFEXION: &[Goal] = &[
    Goal {
        about: "with a total power of 49, where no spawn is legal",
        steer: |pos, _| total(pos),
        is_reached: |pos, _| total(pos) == 49,
    },
    Goal {
        about: "with one stack left",
        steer: |pos, player| -n_cells(pos, player),
        is_reached: |pos, player| 8 <= pos.ply() && n_cells(pos, player) == 1,
    },
    Goal { about: "near the turn limit", steer: |_, _| 0, is_reached: is_near_the_end },
];

const TETRESS: &[Goal] = &[
    Goal {
        about: "nearly blocked, with at most 5 legal moves",
        steer: |pos, player| match pos.turn() == player {
            true => -(pos.n_legal_moves() as i32),
            false => total(pos),
        },
        is_reached: |pos, _| pos.n_legal_moves() <= 5,
    },
    Goal {
        about: "near the turn limit",
        steer: |pos, _| pos.n_legal_moves() as i32,
        is_reached: is_near_the_end,
    },
];

const CACHEX: &[Goal] = &[
    Goal {
        about: "with few empty cells",
        steer: |pos, _| total(pos),
        is_reached: |pos, _| 6 * n_empty(pos) <= pos.cells().len() as i32,
    },
    Goal {
        about: "after many captures",
        steer: |pos, _| -total(pos),
        is_reached: |pos, _| pos.cells().len() as i32 <= 3 * n_captured(pos),
    },
    Goal { about: "near the turn limit", steer: |pos, _| -total(pos), is_reached: is_near_the_end },
];

/// Positions of all phases and both colors from `n_sampled` random games, and the special ones of the game.
pub fn test_positions(start: &dyn Position, n_sampled: usize, seed: u64) -> Vec<TestPosition> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut positions: Vec<TestPosition> = (0..n_sampled).map(|idx| sampled(start, idx, &mut rng)).collect();
    if start.info().name == cachex::CACHEX.name {
        positions.extend(after_steal(start, &mut rng));
    }
    let all = [(infexion::INFO.name, INFEXION), (tetress::INFO.name, TETRESS), (cachex::CACHEX.name, CACHEX)];
    let goals =
        all.into_iter().find(|(name, _)| *name == start.info().name).map_or(&[][..], |(_, goals)| goals);
    for goal in goals {
        for player in Player::BOTH {
            let seed = rng.u64(..);
            let game = (0..N_TRIES).find_map(|n| steered(start, goal, player, seed.wrapping_add(n)));
            positions.extend(game.map(|game| TestPosition { about: goal.about, game }));
        }
    }
    positions
}

/// The first turn of a player; for blue, after a random move.
pub fn first_turn(start: &dyn Position, player: Player, seed: u64) -> Record {
    let mut game = Record::new(start.boxed());
    if player == Player::Blue {
        let m = random_move(&game, &mut fastrand::Rng::with_seed(seed)).expect("games have a first move");
        game.play(m);
    }
    game
}

/// A random game up to an early, middle or late position. Phases and colors alternate with the index.
fn sampled(start: &dyn Position, idx: usize, rng: &mut fastrand::Rng) -> TestPosition {
    let mut game = Record::new(start.boxed());
    while let Some(m) = random_move(&game, rng) {
        game.play(m);
    }
    let player = Player::BOTH[idx / 3 % 2];
    let last = game.moves().len() - 1;
    let (about, ply) = match idx % 3 {
        0 => ("early in random games", last / 16 + 2),
        1 => ("in the middle of random games", last / 2),
        _ => ("late in random games", last),
    };
    let is_turn = |ply: &usize| Player::at_ply(start.ply() + *ply as u16) == player;
    let ply = (0..=ply).rev().find(is_turn).unwrap_or(player as usize);
    TestPosition { about, game: cut(&game, ply) }
}

/// Cachex: positions after a steal, which also reflects the stone unless it is on the long diagonal.
fn after_steal(start: &dyn Position, rng: &mut fastrand::Rng) -> Vec<TestPosition> {
    let mut game = first_turn(start, Player::Blue, rng.u64(..));
    let Ok(steal) = game.read_move("steal") else { return Vec::new() };
    game.play(steal);
    let red = game.clone();
    let m = random_move(&game, rng).expect("two moves end no game");
    game.play(m);
    [red, game].map(|game| TestPosition { about: "after a steal", game }).to_vec()
}

/// A random game steered to a goal, up to the player's turn there; `None` if it ends before that.
fn steered(start: &dyn Position, goal: &Goal, player: Player, seed: u64) -> Option<Record> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut game = Record::new(start.boxed());
    loop {
        let mut moves = game.legal_moves();
        rng.shuffle(&mut moves);
        let going_on = moves.into_iter().filter_map(|m| {
            let mut next = game.now().boxed();
            next.play(m);
            next.outcome().is_none().then(|| ((goal.steer)(&*next, player), m))
        });
        let (_, m) = going_on.take(N_CANDIDATES).max_by_key(|(value, _)| *value)?;
        game.play(m);
        let pos = game.now();
        if game.outcome().is_none() && pos.turn() == player && (goal.is_reached)(pos, player) {
            return Some(game);
        }
    }
}

fn cut(game: &Record, n_moves: usize) -> Record {
    let mut start = Record::new(game.start().boxed());
    game.moves()[..n_moves].iter().for_each(|&m| start.play(m));
    start
}

fn random_move(game: &Record, rng: &mut fastrand::Rng) -> Option<Move> {
    let moves: MoveList = game.legal_moves();
    rng.choice(moves)
}

fn total(pos: &dyn Position) -> i32 {
    Player::BOTH.into_iter().map(|player| pos.material(player) as i32).sum()
}

fn n_cells(pos: &dyn Position, player: Player) -> i32 {
    pos.cells().iter().filter(|cell| cell.owner == Some(player)).count() as i32
}

fn n_empty(pos: &dyn Position) -> i32 {
    pos.cells().iter().filter(|cell| cell.owner.is_none()).count() as i32
}

/// The number of stones that were placed and captured.
fn n_captured(pos: &dyn Position) -> i32 {
    i32::from(pos.ply()) - total(pos)
}

fn is_near_the_end(pos: &dyn Position, _: Player) -> bool {
    pos.turn_limit() <= pos.ply() + NEAR_THE_END
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test positions of a game: kind, player to move and ply.
    fn found(spec: &str) -> Vec<(&'static str, Player, u16)> {
        let start = yarra_games::start(spec).unwrap();
        let all = test_positions(&*start, 12, 0);
        assert!(all.iter().all(|test| test.game.outcome().is_none()));
        all.iter().map(|test| (test.about, test.game.now().turn(), test.game.now().ply())).collect()
    }

    #[test]
    fn all_phases_and_goals_are_found_for_both_colors() {
        for (spec, goals) in [
            ("infexion", INFEXION),
            ("tetress", TETRESS),
            ("cachex:7", CACHEX),
            ("cachex:8", CACHEX),
            ("cachex:9", CACHEX),
        ] {
            let found = found(spec);
            let phases = ["early in random games", "in the middle of random games", "late in random games"];
            for about in goals.iter().map(|goal| goal.about).chain(phases) {
                for player in Player::BOTH {
                    assert!(found.iter().any(|test| (test.0, test.1) == (about, player)), "{spec} {about}");
                }
            }
        }
    }

    #[test]
    fn the_seed_determines_the_positions() {
        let start = yarra_games::start("tetress").unwrap();
        let moves = |seed| {
            test_positions(&*start, 3, seed).iter().map(|test| test.game.moves().to_vec()).collect::<Vec<_>>()
        };
        assert_eq!(moves(1), moves(1));
        assert_ne!(moves(1), moves(2));
    }

    #[test]
    fn small_boards_have_some_positions() {
        for spec in ["cachex:3", "cachex:4", "cachex:15"] {
            assert!(!found(spec).is_empty());
        }
    }
}
