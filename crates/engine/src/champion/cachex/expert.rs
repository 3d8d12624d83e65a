//! How Cachex and Hex are judged and their moves ordered: by shortest ways, diamonds and forced moves.

use yarra_games::cachex::{Bits, Rhombus};
use yarra_games::{Move, Player, Position};

use super::super::{Expert, Moves};
use crate::{Score, Term};

/// Judges by how many stones each player still needs, and by what can be captured.
#[derive(Clone, Copy, Debug)]
pub struct Paths {
    /// Whether moves are left out that let the opponent connect at once. Not where a board may soon stand for
    /// the seventh time: such a move may end the game before it is lost.
    pub must_play: bool,
    /// Whether the first stone may be stolen.
    pub steals: bool,
}

impl Default for Paths {
    fn default() -> Paths {
        Paths { must_play: true, steals: true }
    }
}

/// A count of something that a player has, and what one more is worth in hundredths.
#[derive(Clone, Copy, Debug)]
pub struct Feature {
    /// Its names for people: of the player to move, and of the one who waits; the same if both weigh it alike.
    pub names: [&'static str; 2],
    /// Its worth to the player to move and to the one who waits.
    pub weights: [i32; 2],
}

/// How many features a player has.
pub const N_FEATURES: usize = 7;

/// All features, in the order of [`Counts`].
pub const FEATURES: [Feature; N_FEATURES] = [
    alike("stones to set", -100),
    alike("stones", 30),
    Feature { names: ["neighbors to capture now", "neighbors to capture next"], weights: [60, 40] },
    alike("bridges to capture", 20),
    alike("open pairs of neighbors", -10),
    alike("stones on own sides", 10),
    alike("stones on the other's sides", 10),
];

const fn alike(name: &'static str, weight: i32) -> Feature {
    Feature { names: [name; 2], weights: [weight; 2] }
}

/// What the turn is worth.
pub const TURN: i32 = 50;

/// How much of each feature a player has.
pub type Counts = [i32; N_FEATURES];

/// What one look shows: the stones that each still needs, the player to move first. Captures are looked for only
/// where they are asked for, since most nodes are leaves.
pub type Sight = [u32; 2];

/// The counts of the player to move and of the one who waits.
#[inline(always)]
pub fn counts<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>, sight: &Sight) -> [Counts; 2] {
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
            sight[role] as i32,
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

impl Paths {
    /// Whether the opponent connects next unless he is stopped, and the search may count on it.
    #[inline(always)]
    fn is_forced<B: Bits, const CAPTURES: bool>(&self, pos: &Rhombus<B, CAPTURES>, sight: &Sight) -> bool {
        sight[1] == 1 && self.must_play && pos.ply() + 2 <= pos.turn_limit()
    }
}

impl<B: Bits, const CAPTURES: bool> Expert<Rhombus<B, CAPTURES>> for Paths {
    type Sight = Sight;

    #[inline(always)]
    fn see(&self, pos: &Rhombus<B, CAPTURES>) -> Sight {
        let [red, blue] = pos.distances();
        match pos.turn() {
            Player::Red => [red, blue],
            Player::Blue => [blue, red],
        }
    }

    #[inline(always)]
    fn value(&self, pos: &Rhombus<B, CAPTURES>, sight: &Sight) -> Score {
        if sight[0] == 1 {
            return Score(CERTAIN);
        }
        if self.is_forced(pos, sight) && pos.capturing_cells(pos.turn()).is_empty() {
            let threats = pos.winning_cells(pos.turn().opponent());
            if !threats.without_lowest().is_empty() {
                return Score(-CERTAIN);
            }
        }
        let [mover, other] = counts(pos, sight);
        let mut sum = TURN;
        let mut idx = 0;
        while idx < N_FEATURES {
            let [moving, waiting] = FEATURES[idx].weights;
            sum += moving * mover[idx] - waiting * other[idx];
            idx += 1;
        }
        Score(sum)
    }

    /// A stone that connects counts as a capture of everything, and nothing else is worth a look then.
    #[inline(always)]
    fn captures(&self, pos: &Rhombus<B, CAPTURES>, moves: &mut Moves) {
        let mover = pos.turn();
        let wins = pos.winning_cells(mover);
        if !wins.is_empty() {
            moves.push(pos.move_at(wins.lowest()), CERTAIN);
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
    fn quiets(&self, pos: &Rhombus<B, CAPTURES>, sight: &Sight, moves: &mut Moves) {
        if sight[0] == 1 {
            return;
        }
        let [mover, other] = pos.roles();
        let captures = pos.capturing_cells(mover);
        let mut cells = pos.open() & !captures;
        if self.is_forced(pos, sight) {
            // One stone stops one threat; against two only a capture helps, and without one all is lost.
            let threats = pos.winning_cells(other);
            let is_double = !threats.without_lowest().is_empty();
            if is_double && !captures.is_empty() {
                return;
            }
            cells &= B::cell(threats.lowest());
        }
        if let Some(steal) = pos.legal_steal().filter(|_| self.steals) {
            moves.push(steal, 0);
        }
        let (own, others) = (pos.shortest_ways(mover).1, pos.shortest_ways(other).1);
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
    fn gain(&self, pos: &Rhombus<B, CAPTURES>, m: Move) -> i32 {
        if pos.is_steal(m) {
            return 0;
        }
        let (mover, bit) = (pos.turn(), pos.bit_of(m));
        if pos.winning_cells(mover).has(bit) {
            return CERTAIN;
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
        let sight = self.see(pos);
        let roles = pos.roles();
        let counts = counts(pos, &sight);
        let of = |player, role: usize, count: i32| if player == roles[role] { f64::from(count) } else { 0.0 };
        let term = |name, role, count, weight: i32| {
            let [red, blue] = Player::BOTH.map(|player| of(player, role, count));
            Term { name, red, blue, weight: f64::from(weight) / 100.0 }
        };
        let mut terms = Vec::new();
        for (idx, feature) in FEATURES.iter().enumerate() {
            let [moving, waiting] =
                [0, 1].map(|role| term(feature.names[role], role, counts[role][idx], feature.weights[role]));
            if moving.weight == waiting.weight {
                let (red, blue) = (moving.red + waiting.red, moving.blue + waiting.blue);
                terms.push(Term { red, blue, ..moving });
            } else {
                terms.extend([moving, waiting]);
            }
        }
        terms.push(term("the turn", 0, 1, TURN));
        terms
    }
}
