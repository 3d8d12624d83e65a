//! Shortest paths and threats on Cachex and Hex boards, compared with a naive search cell by cell.

use yarra_games::cachex::{BLOCKED, Bits, Cachex, Diamonds, Hex, Rhombus, U256};
use yarra_games::{Game, Move, Player, Position};

/// The six steps to a neighbor, in order around the cell.
const STEPS: [(i32, i32); 6] = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)];

type Board = Vec<Vec<Option<Player>>>;

fn board_of(pos: &dyn Position, size: usize) -> Board {
    let owners: Vec<_> = pos.cells().iter().map(|cell| cell.owner).collect();
    owners.chunks(size).map(<[_]>::to_vec).collect()
}

/// The owner of a cell; `None` beyond the edges.
fn at(board: &Board, row: i32, col: i32) -> Option<Option<Player>> {
    board.get(usize::try_from(row).ok()?)?.get(usize::try_from(col).ok()?).copied()
}

/// The cost to reach the last side from the first, relaxed until nothing changes.
fn distance(board: &Board, player: Player) -> u32 {
    let size = board.len() as i32;
    let cells: Vec<(i32, i32)> = (0..size).flat_map(|row| (0..size).map(move |col| (row, col))).collect();
    let along = |(row, col): (i32, i32)| if player == Player::Red { row } else { col };
    let mut costs = vec![BLOCKED; cells.len()];
    loop {
        let before = costs.clone();
        for (idx, &(row, col)) in cells.iter().enumerate() {
            let own_cost = match board[row as usize][col as usize] {
                None => 1,
                Some(owner) if owner == player => 0,
                Some(_) => continue,
            };
            let is_first = along((row, col)) == 0;
            let beside = STEPS.iter().filter(|(r, q)| at(board, row + r, col + q).is_some());
            let costs_beside = beside.map(|(r, q)| costs[((row + r) * size + col + q) as usize]);
            let best = costs_beside.chain(is_first.then_some(0)).min().expect("a neighbor");
            costs[idx] = costs[idx].min(best.saturating_add(own_cost)).min(BLOCKED);
        }
        if costs == before {
            break;
        }
    }
    let ends = cells.iter().zip(costs).filter(|&(&cell, _)| along(cell) == size - 1);
    ends.map(|(_, cost)| cost).min().expect("a last side")
}

fn diamonds(board: &Board, viewer: Player) -> Diamonds {
    let size = board.len() as i32;
    let mut counts = Diamonds::default();
    for (row, col) in (0..size).flat_map(|row| (0..size).map(move |col| (row, col))) {
        for step in 0..3 {
            let (a, b) = (STEPS[step], STEPS[step + 1]);
            let corners = [(0, 0), (a.0 + b.0, a.1 + b.1), a, b].map(|(r, q)| at(board, row + r, col + q));
            let [Some(near), Some(far), Some(left), Some(right)] = corners else { continue };
            for (idx, own) in [viewer, viewer.opponent()].into_iter().enumerate() {
                let (own, other) = (Some(own), Some(own.opponent()));
                let is_half = |x: Option<Player>, y: Option<Player>| {
                    (x == own && y.is_none()) || (x.is_none() && y == own)
                };
                counts.threats[idx] += u32::from(is_half(near, far) && left == other && right == other);
                counts.breaks[idx] += u32::from(is_half(left, right) && near == other && far == other);
                let is_open = near.is_none() && far.is_none();
                counts.pairs[idx] += u32::from(is_open && left == own && right == own);
            }
        }
    }
    counts
}

/// The board with the other player to move.
fn passed<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>) -> Rhombus<B, CAPTURES> {
    let text = pos.to_string();
    let board = text.split(' ').next().expect("a board");
    let turn = pos.turn().opponent().letter();
    Rhombus::read(&format!("{board} {turn} {}", pos.ply() + 1)).expect("a position")
}

fn check<B: Bits, const CAPTURES: bool>(size: u8, seed: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut pos = Rhombus::<B, CAPTURES>::start(size).expect("a size of the type");
    while pos.outcome().is_none() {
        let mut legal = Vec::new();
        pos.legal_moves(&mut legal);
        for m in (0..Rhombus::<B, CAPTURES>::MOVES as u16).map(Move) {
            assert_eq!(pos.is_legal(m), legal.contains(&m), "{m:?} at {pos}");
        }
        let board = board_of(&pos, usize::from(size));
        assert_eq!(pos.diamonds(pos.turn()), diamonds(&board, pos.turn()), "{pos}");
        for player in Player::BOTH {
            let n_stones = distance(&board, player);
            assert_eq!(pos.distance(player), n_stones, "{player} at {pos}");
            let (found, paths) = pos.shortest_paths(player);
            assert_eq!(found, n_stones, "{player} at {pos}");
            let wins = pos.winning_cells(player);
            let captures = pos.capturing_cells(player);
            let to_move = if pos.turn() == player { pos } else { passed(&pos) };
            for &m in legal.iter().filter(|&&m| !pos.is_steal(m)) {
                let bit = pos.bit_of(m);
                assert_eq!(pos.move_at(bit), m);
                let mut with = board.clone();
                let cell = usize::from(m.0);
                with[cell / usize::from(size)][cell % usize::from(size)] = Some(player);
                let is_nearer = distance(&with, player) < n_stones;
                assert_eq!(paths.has(bit), is_nearer, "{player} {m:?} at {pos}");
                assert_eq!(wins.has(bit), is_nearer && n_stones == 1, "{player} {m:?} at {pos}");
                // Captures are compared with playing the move, except at the first plies and the last.
                if to_move.ply() < 2 || to_move.outcome().is_some() {
                    continue;
                }
                let other = player.opponent();
                let n_taken = to_move.material(other) - to_move.after(m).material(other);
                assert_eq!(captures.has(bit), 0 < n_taken, "{player} {m:?} at {pos}");
                assert_eq!(pos.captured(player, bit).count(), n_taken, "{player} {m:?} at {pos}");
            }
        }
        pos.play(*rng.choice(&legal).expect("a move while the game lasts"));
    }
}

#[test]
fn paths_and_threats_match_a_naive_search() {
    for size in [3, 4, 5, 8] {
        for seed in 0..3 {
            check::<u64, true>(size, seed);
        }
    }
    check::<u64, false>(6, 1);
    for size in [9, 11] {
        check::<u128, true>(size, 1);
    }
    check::<U256, true>(12, 1);
    check::<U256, true>(15, 2);
}

#[test]
fn a_blocked_player_has_no_path() {
    let pos = Hex::<u64>::read("rb./rb./rb. r 6").expect("a position");
    assert_eq!(pos.distance(Player::Red), 0);
    assert_eq!(pos.distance(Player::Blue), BLOCKED);
    assert_eq!(pos.shortest_paths(Player::Blue).0, BLOCKED);
    let pos = Cachex::<u64>::read("rb./rb./... r 4").expect("a position");
    assert_eq!(pos.winning_cells(Player::Red).count(), 1);
}
