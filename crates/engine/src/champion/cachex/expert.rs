//! How the search by depth judges and orders: by shortest ways, captures and forced moves.

use yarra_games::cachex::{BLOCKED, Bits, Rhombus};
use yarra_games::{Move, Player, Position};

use super::super::{Expert, Moves};
use crate::{Score, Term};

/// Judges by how many stones each player still needs.
#[derive(Clone, Copy, Debug)]
pub struct Paths {
    /// What things are worth, in hundredths.
    pub weights: Weights,
    /// Whether moves that lose at once are left out. Not where a board may soon stand for the seventh time: such
    /// a move may end the game before it is lost.
    pub must_play: bool,
}

/// What things are worth, in hundredths.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// A stone less to set, for the player to move and for the one who waits.
    pub distance: [i32; 2],
    /// A cell to capture on.
    pub captures: [i32; 2],
    /// A stone on the board.
    pub stones: [i32; 2],
    /// The turn.
    pub turn: i32,
}

impl Weights {
    /// Set by hand.
    pub const HAND: Weights =
        Weights { distance: [100, 100], captures: [10, 5], stones: [5, 5], turn: 50 };
}

/// What one look shows. The player to move comes first.
#[derive(Clone, Copy, Debug)]
pub struct Sight<B> {
    /// Stones that each still needs.
    pub distances: [u32; 2],
    /// Where each captures.
    pub captures: [B; 2],
}

/// A win at the next ply that the search has not yet looked at.
const WIN: i32 = 1_000_000;

impl<B: Bits, const CAPTURES: bool> Expert<Rhombus<B, CAPTURES>> for Paths {
    type Sight = Sight<B>;

    #[inline(always)]
    fn see(&self, pos: &Rhombus<B, CAPTURES>) -> Sight<B> {
        let [mover, other] = pos.roles();
        Sight {
            distances: [pos.distance(mover), pos.distance(other)],
            captures: [pos.capturing_cells(mover), pos.capturing_cells(other)],
        }
    }

    #[inline(always)]
    fn value(&self, pos: &Rhombus<B, CAPTURES>, sight: &Sight<B>) -> Score {
        let [own, others] = sight.distances;
        if own == 1 {
            return Score(WIN);
        }
        if others == 1
            && sight.captures[0].is_empty()
            && !pos.winning_cells(pos.roles()[1]).without_lowest().is_empty()
        {
            return Score(-WIN);
        }
        let weights = &self.weights;
        let [moving, waiting] = weights.distance;
        let mut sum = weights.turn + waiting * others as i32 - moving * own as i32;
        if CAPTURES {
            let [n_own, n_others] = [sight.captures[0].count() as i32, sight.captures[1].count() as i32];
            sum += weights.captures[0] * n_own - weights.captures[1] * n_others;
            let [mover, other] = pos.roles();
            sum += weights.stones[0] * pos.material(mover) as i32;
            sum -= weights.stones[1] * pos.material(other) as i32;
        }
        Score(sum)
    }

    /// A stone that wins counts as a capture of everything, and nothing else is worth a look then.
    #[inline(always)]
    fn captures(&self, pos: &Rhombus<B, CAPTURES>, moves: &mut Moves) {
        let mover = pos.turn();
        let wins = pos.winning_cells(mover) & pos.open();
        if !wins.is_empty() {
            moves.push(pos.move_at(wins.lowest()), WIN);
            return;
        }
        let mut cells = pos.capturing_cells(mover);
        while !cells.is_empty() {
            let bit = cells.lowest();
            cells = cells.without_lowest();
            moves.push(pos.move_at(bit), GAIN * pos.captured(mover, bit).count() as i32);
        }
    }

    #[inline(always)]
    fn quiets(&self, pos: &Rhombus<B, CAPTURES>, sight: &Sight<B>, moves: &mut Moves) {
        let [mover, other] = pos.roles();
        if sight.distances[0] == 1 {
            return;
        }
        let mut cells = pos.open() & !sight.captures[0];
        if sight.distances[1] == 1 && self.must_play && pos.ply() + 2 <= pos.turn_limit() {
            let threats = pos.winning_cells(other);
            let is_hopeless = !threats.without_lowest().is_empty();
            if is_hopeless && !sight.captures[0].is_empty() {
                return;
            }
            let first = B::cell(threats.lowest()) & cells;
            cells = first;
        }
        if let Some(steal) = pos.legal_steal() {
            moves.push(steal, 500);
        }
        let (_, own) = pos.shortest_ways(mover);
        let (_, others) = pos.shortest_ways(other);
        let near = others | own;
        while !cells.is_empty() {
            let bit = cells.lowest();
            let cell = B::cell(bit);
            cells = cells.without_lowest();
            let mut rank = 0;
            if !(cell & own).is_empty() {
                rank += 1200;
            }
            if !(cell & others).is_empty() {
                rank += 1500;
            }
            if (cell & near).is_empty() {
                rank -= 1000;
            }
            if !(cell & sight.captures[1]).is_empty() {
                rank += 600;
            }
            moves.push(pos.move_at(bit), rank);
        }
    }

    #[inline(always)]
    fn gain(&self, pos: &Rhombus<B, CAPTURES>, m: Move) -> i32 {
        if pos.is_steal(m) {
            return 0;
        }
        let (mover, bit) = (pos.turn(), pos.bit_of(m));
        if pos.winning_cells(mover).has(bit) {
            return WIN;
        }
        GAIN * pos.captured(mover, bit).count() as i32
    }

    #[inline(always)]
    fn is_legal(&self, pos: &Rhombus<B, CAPTURES>, m: Move) -> bool {
        pos.is_legal(m)
    }

    #[inline(always)]
    fn passed(&self, pos: &Rhombus<B, CAPTURES>) -> Option<Rhombus<B, CAPTURES>> {
        (2 <= pos.ply() && pos.ply() + 2 < pos.turn_limit()).then(|| pos.passed())
    }

    fn terms(&self, pos: &Rhombus<B, CAPTURES>) -> Vec<Term> {
        let _ = (pos, BLOCKED, Player::BOTH);
        Vec::new()
    }
}

/// What a captured stone counts for.
const GAIN: i32 = 60;
