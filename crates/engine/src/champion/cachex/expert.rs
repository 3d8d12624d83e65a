//! How Cachex and Hex are judged and their moves ordered: by shortest ways and diamonds.

use yarra_games::cachex::{Bits, Rhombus};
use yarra_games::{Move, Player, Position};

use super::super::{Expert, Moves, Weights};
use super::weights::FITTED;
use crate::{Score, Term};

/// Judges by how many stones each player still needs, and by what can be captured.
#[derive(Clone, Copy, Debug)]
pub struct Paths {
    /// Whether the first stone may be stolen.
    pub steals: bool,
    /// What counts are worth.
    pub weights: &'static Weights<N_FEATURES>,
}

impl Default for Paths {
    fn default() -> Paths {
        Paths { steals: true, weights: &FITTED }
    }
}

/// How many features a player has.
pub const N_FEATURES: usize = 7;

/// The names of all features for people: of the player to move, and of the one who waits.
pub const NAMES: [[&str; 2]; N_FEATURES] = [
    ["stones to set"; 2],
    ["stones"; 2],
    ["neighbors to capture now", "neighbors to capture next"],
    ["bridges to capture"; 2],
    ["open pairs of neighbors"; 2],
    ["stones on own sides"; 2],
    ["stones on the other's sides"; 2],
];

/// How much of each feature a player has.
pub type Counts = [i32; N_FEATURES];

/// What one look shows. Captures are looked for only where they are asked for, since most nodes are leaves.
#[derive(Clone, Copy, Debug)]
pub struct Sight<B> {
    /// The stones that each still needs, the player to move first.
    pub needs: [u32; 2],
    /// The cells on the shortest ways of each, once the moves that capture nothing have been listed.
    ways: Option<[B; 2]>,
}

/// The counts of the player to move and of the one who waits.
#[inline(always)]
pub fn counts<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>, sight: &Sight<B>) -> [Counts; 2] {
    let roles = pos.roles();
    let diamonds = pos.diamonds(roles[0]);
    let frame = pos.frame();
    let side = |player: Player| frame.first[player as usize] | frame.last[player as usize];
    let sides = [side(roles[0]), side(roles[1])];
    let mut counts = [[0; N_FEATURES]; 2];
    let mut role = 0;
    while role < 2 {
        let stones = pos.stones(roles[role]);
        counts[role] = [
            sight.needs[role] as i32,
            stones.count() as i32,
            diamonds.threats[role] as i32,
            diamonds.breaks[role] as i32,
            diamonds.pairs[role] as i32,
            (stones & sides[role]).count() as i32,
            (stones & sides[1 - role]).count() as i32,
        ];
        role += 1;
    }
    counts
}

/// A win that is certain but that the search has not yet looked at.
const CERTAIN: i32 = 1_000_000;
/// What a captured stone counts for.
const GAIN: i32 = 60;

/// Adds the stones on some cells, all with one rank.
#[inline(always)]
fn push_all<B: Bits, const CAPTURES: bool>(
    pos: &Rhombus<B, CAPTURES>,
    cells: B,
    rank: i32,
    moves: &mut Moves,
) {
    for (idx, mut word) in cells.words().into_iter().enumerate() {
        while word != 0 {
            moves.push(pos.move_at(64 * idx + word.trailing_zeros() as usize), rank);
            word &= word - 1;
        }
    }
}

/// The cells where the opponent connects next, in Hex. There a stone on the only one is forced, and two win; in Cachex
/// captures may help, and looking was not worth its time.
#[inline(always)]
fn threats<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>, sight: &Sight<B>) -> B {
    if CAPTURES || sight.needs[1] != 1 { B::NONE } else { pos.winning_cells(pos.turn().opponent()) }
}

impl<B: Bits, const CAPTURES: bool> Expert<Rhombus<B, CAPTURES>> for Paths {
    type Sight = Sight<B>;

    #[inline(always)]
    fn see(&self, pos: &Rhombus<B, CAPTURES>) -> Sight<B> {
        let [red, blue] = pos.distances();
        let needs = match pos.turn() {
            Player::Red => [red, blue],
            Player::Blue => [blue, red],
        };
        Sight { needs, ways: None }
    }

    /// A stone that captures nothing shortens the ways of its player by one if it stands on a shortest one, and
    /// leaves the other's alone unless it stands on a shortest one of his.
    #[inline(always)]
    fn see_after(&self, pos: &Rhombus<B, CAPTURES>, m: Move, before: &Sight<B>) -> Sight<B> {
        let Some([own, others]) = before.ways.filter(|_| !pos.is_steal(m)) else { return self.see(pos) };
        let bit = pos.bit_of(m);
        let [mut own_need, mut others_need] = before.needs;
        own_need -= u32::from(own.has(bit));
        if others.has(bit) {
            others_need = pos.distance(pos.turn());
        }
        Sight { needs: [others_need, own_need], ways: None }
    }

    #[inline(always)]
    fn value(&self, pos: &Rhombus<B, CAPTURES>, sight: &Sight<B>) -> Score {
        if sight.needs[0] == 1 {
            return Score(CERTAIN);
        }
        if 1 < threats(pos, sight).count() {
            return Score(-CERTAIN);
        }
        Score(self.weights.value(&counts(pos, sight)))
    }

    /// A stone that connects counts as a capture of everything, and nothing else is worth a look then.
    #[inline(always)]
    fn captures(&self, pos: &Rhombus<B, CAPTURES>, sight: &Sight<B>, moves: &mut Moves) {
        let mover = pos.turn();
        if sight.needs[0] == 1 {
            moves.push(pos.move_at(pos.winning_cells(mover).lowest()), CERTAIN);
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
    fn quiets(&self, pos: &Rhombus<B, CAPTURES>, sight: &mut Sight<B>, moves: &mut Moves) {
        if sight.needs[0] == 1 {
            return;
        }
        let [mover, other] = pos.roles();
        let captures = pos.capturing_cells(mover);
        let mut cells = pos.open() & !captures;
        let threats = threats(pos, sight);
        if !threats.is_empty() {
            cells &= B::cell(threats.lowest());
        }
        if let Some(steal) = pos.legal_steal().filter(|_| self.steals) {
            moves.push(steal, 0);
        }
        let (own, others) = (pos.shortest_ways(mover).1, pos.shortest_ways(other).1);
        // Ways that are too long to be told count as unknown.
        sight.ways = (!own.is_empty() && !others.is_empty()).then_some([own, others]);
        let threatened = pos.capturing_cells(other);
        // Cells of the same rank together: a quarter less time than looking at each by itself.
        let classes =
            [(own & others, 2700), (others & !own, 1500), (own & !others, 1200), (!(own | others), -1000)];
        for (class, rank) in classes {
            push_all(pos, cells & class & threatened, rank + 600, moves);
            push_all(pos, cells & class & !threatened, rank, moves);
        }
    }

    #[inline(always)]
    fn gain(&self, pos: &Rhombus<B, CAPTURES>, sight: &Sight<B>, m: Move) -> i32 {
        if pos.is_steal(m) {
            return 0;
        }
        let (mover, bit) = (pos.turn(), pos.bit_of(m));
        if sight.needs[0] == 1 && pos.winning_cells(mover).has(bit) {
            return CERTAIN;
        }
        GAIN * pos.captured(mover, bit).count() as i32
    }

    #[inline(always)]
    fn is_legal(&self, pos: &Rhombus<B, CAPTURES>, m: Move) -> bool {
        pos.is_legal(m) && (self.steals || !pos.is_steal(m))
    }

    fn terms(&self, pos: &Rhombus<B, CAPTURES>) -> Vec<Term> {
        self.weights.terms(&NAMES, pos.turn(), &counts(pos, &self.see(pos)))
    }
}
