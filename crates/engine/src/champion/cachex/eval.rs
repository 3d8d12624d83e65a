//! The evaluation and move ordering of Cachex and Hex: by shortest paths and diamonds.

use std::sync::Arc;

use yarra_games::cachex::{Bits, Rhombus};
use yarra_games::{Move, Player, Position};

use super::super::Weights;
use super::super::net::{Extra, NoNet};
use super::weights::FITTED;
use crate::eval::{Evaluator, MoveSource};
use crate::net::nnue::Nnue;
use crate::search::ScoredMoves;
use crate::{Score, Term};

/// Evaluates by the number of stones that each player still needs, and by what can be captured.
#[derive(Clone, Debug)]
pub struct Paths<X = NoNet> {
    /// Whether the first stone may be stolen.
    pub steals: bool,
    weights: Weights<N_FEATURES>,
    extra: X,
}

impl Paths {
    /// With some weights alone.
    pub fn new(weights: Weights<N_FEATURES>) -> Paths {
        Paths { steals: true, weights, extra: NoNet }
    }
}

impl Paths<Arc<Nnue>> {
    /// With some weights and a net beside them.
    pub fn with_net(weights: Weights<N_FEATURES>, net: Arc<Nnue>) -> Paths<Arc<Nnue>> {
        Paths { steals: true, weights, extra: net }
    }
}

impl Default for Paths {
    fn default() -> Paths {
        Paths::new(FITTED)
    }
}

/// The number of features of a player.
pub const N_FEATURES: usize = 7;

/// The names of all features for people: for the player to move, and for the other.
pub const NAMES: [[&str; 2]; N_FEATURES] = [
    ["stones to set"; 2],
    ["stones"; 2],
    ["neighbors to capture now", "neighbors to capture next"],
    ["bridges to capture"; 2],
    ["open pairs of neighbors"; 2],
    ["stones on own sides"; 2],
    ["stones on the other's sides"; 2],
];

/// The features of a player.
pub type Features = [i32; N_FEATURES];

/// The lengths of the shortest paths. Captures are found only where they are needed, since most nodes are leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distances<B, S = ()> {
    /// The stones that each player still needs, the player to move first.
    pub needs: [u32; 2],
    /// The cells on the shortest paths of each player, once the quiet moves have been listed.
    paths: Option<[B; 2]>,
    /// Of the net, if there is one.
    extra: S,
}

/// The stones that each player still needs, the player to move first.
#[inline(always)]
fn needs<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>) -> [u32; 2] {
    let [red, blue] = pos.distances();
    match pos.turn() {
        Player::Red => [red, blue],
        Player::Blue => [blue, red],
    }
}

/// The features of both players, the player to move first.
#[inline(always)]
pub fn features<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>, needs: [u32; 2]) -> [Features; 2] {
    let roles = pos.roles();
    let diamonds = pos.diamonds(roles[0]);
    let frame = pos.frame();
    let side = |player: Player| frame.first[player as usize] | frame.last[player as usize];
    let sides = [side(roles[0]), side(roles[1])];
    let mut features = [[0; N_FEATURES]; 2];
    let mut role = 0;
    while role < 2 {
        let stones = pos.stones(roles[role]);
        features[role] = [
            needs[role] as i32,
            stones.count() as i32,
            diamonds.threats[role] as i32,
            diamonds.breaks[role] as i32,
            diamonds.pairs[role] as i32,
            (stones & sides[role]).count() as i32,
            (stones & sides[1 - role]).count() as i32,
        ];
        role += 1;
    }
    features
}

/// The value of a win at the next ply, which the search has not seen.
const CERTAIN: i32 = 1_000_000;
/// The gain of a captured stone.
const GAIN: i32 = 60;

/// Adds the stones on a set of cells, all with one score.
#[inline(always)]
fn push_all<B: Bits, const CAPTURES: bool>(
    pos: &Rhombus<B, CAPTURES>,
    cells: B,
    score: i32,
    moves: &mut ScoredMoves,
) {
    for (idx, mut word) in cells.words().into_iter().enumerate() {
        while word != 0 {
            moves.push(pos.move_at(64 * idx + word.trailing_zeros() as usize), score);
            word &= word - 1;
        }
    }
}

/// In Hex, the cells where the opponent connects next. A single one forces the reply, and two win. In Cachex captures may
/// help, and finding the cells was not worth its time.
#[inline(always)]
fn threats<B: Bits, const CAPTURES: bool>(pos: &Rhombus<B, CAPTURES>, needs: [u32; 2]) -> B {
    if CAPTURES || needs[1] != 1 { B::NONE } else { pos.winning_cells(pos.turn().opponent()) }
}

impl<B: Bits, const CAPTURES: bool, X: Extra<Rhombus<B, CAPTURES>>> Evaluator<Rhombus<B, CAPTURES>>
    for Paths<X>
{
    type State = Distances<B, X::State>;

    #[inline(always)]
    fn root(&self, pos: &Rhombus<B, CAPTURES>) -> Self::State {
        Distances { needs: needs(pos), paths: None, extra: self.extra.root(pos) }
    }

    /// A quiet stone on a shortest path of its player shortens it by one. The opponent's paths change only if it stands
    /// on a shortest one of them.
    #[inline(always)]
    fn child(
        &self,
        state: &Self::State,
        before: &Rhombus<B, CAPTURES>,
        m: Move,
        after: &Rhombus<B, CAPTURES>,
    ) -> Self::State {
        let opponent = after.turn();
        let is_quiet = !after.is_steal(m) && after.stones(opponent) == before.stones(opponent);
        let needs = match state.paths.filter(|_| is_quiet) {
            None => needs(after),
            Some([own, others]) => {
                let bit = after.bit_of(m);
                let [own_need, others_need] = state.needs;
                let others_need = if others.has(bit) { after.distance(opponent) } else { others_need };
                [others_need, own_need - u32::from(own.has(bit))]
            }
        };
        Distances { needs, paths: None, extra: self.extra.child(&state.extra, before, after) }
    }

    #[inline(always)]
    fn value(&self, state: &Self::State, pos: &Rhombus<B, CAPTURES>) -> Score {
        if state.needs[0] == 1 {
            return Score(CERTAIN);
        }
        if 1 < threats(pos, state.needs).count() {
            return Score(-CERTAIN);
        }
        Score(self.weights.value(&features(pos, state.needs)) + self.extra.value(&state.extra, pos))
    }

    fn terms(&self, pos: &Rhombus<B, CAPTURES>) -> Vec<Term> {
        let state = self.root(pos);
        let mut terms = self.weights.terms(&NAMES, pos.turn(), &features(pos, state.needs));
        terms.extend(self.extra.term(&state.extra, pos));
        terms
    }
}

impl<B: Bits, const CAPTURES: bool, X: Extra<Rhombus<B, CAPTURES>>> MoveSource<Rhombus<B, CAPTURES>>
    for Paths<X>
{
    /// A stone that connects counts as a capture of everything, and then no other move is listed.
    #[inline(always)]
    fn captures(&self, state: &Self::State, pos: &Rhombus<B, CAPTURES>, moves: &mut ScoredMoves) {
        let mover = pos.turn();
        if state.needs[0] == 1 {
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
    fn quiets(&self, state: &mut Self::State, pos: &Rhombus<B, CAPTURES>, moves: &mut ScoredMoves) {
        if state.needs[0] == 1 {
            return;
        }
        let [mover, other] = pos.roles();
        let captures = pos.capturing_cells(mover);
        let mut cells = pos.open() & !captures;
        let threats = threats(pos, state.needs);
        if !threats.is_empty() {
            cells &= B::cell(threats.lowest());
        }
        if let Some(steal) = pos.legal_steal().filter(|_| self.steals) {
            moves.push(steal, 0);
        }
        let (own, others) = (pos.shortest_paths(mover).1, pos.shortest_paths(other).1);
        // Paths that are too long to be measured count as unknown.
        state.paths = (!own.is_empty() && !others.is_empty()).then_some([own, others]);
        let threatened = pos.capturing_cells(other);
        // Cells of the same score together: a quarter less time than cell by cell.
        let classes =
            [(own & others, 2700), (others & !own, 1500), (own & !others, 1200), (!(own | others), -1000)];
        for (class, score) in classes {
            push_all(pos, cells & class & threatened, score + 600, moves);
            push_all(pos, cells & class & !threatened, score, moves);
        }
    }

    #[inline(always)]
    fn gain(&self, state: &Self::State, pos: &Rhombus<B, CAPTURES>, m: Move) -> i32 {
        if pos.is_steal(m) {
            return 0;
        }
        let (mover, bit) = (pos.turn(), pos.bit_of(m));
        if state.needs[0] == 1 && pos.winning_cells(mover).has(bit) {
            return CERTAIN;
        }
        GAIN * pos.captured(mover, bit).count() as i32
    }

    #[inline(always)]
    fn is_legal(&self, pos: &Rhombus<B, CAPTURES>, m: Move) -> bool {
        pos.is_legal(m) && (self.steals || !pos.is_steal(m))
    }
}
