//! Infexion's champion: power, cells, and who reaches whose stacks.

use yarra_games::infexion::{Infexion, MAX_CELL_POWER};
use yarra_games::{Move, Player, Position};

use super::{Champion, Expert, Moves, OPTIONS, Options};
use crate::info::expect_game;
use crate::{Agent, AgentInfo, Score, Settings, SpecError, Term};

/// The champion by name.
pub const AGENTS: &[AgentInfo] = &[AgentInfo {
    name: "champion",
    about: "deep search of captures, threats and quiet moves; 1 s unless a limit says otherwise",
    source: "",
    options: OPTIONS,
    make,
}];

fn make(pos: &dyn Position, settings: &Settings) -> Result<Box<dyn Agent>, SpecError> {
    expect_game::<Infexion>("champion", pos)?;
    Ok(Box::new(Champion::<Infexion, _>::new(Reach, Options::read(settings)?)))
}

/// Judges by reach: what a player's stacks can spread to is attacked if it is the opponent's, and defended if
/// it is his own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reach;

/// The cells that the stacks of one player reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// By at least one stack.
    pub once: u64,
    /// By at least two.
    pub twice: u64,
}

impl Reached {
    #[inline(always)]
    fn by(pos: &Infexion, mut stacks: u64) -> Reached {
        let (mut once, mut twice) = (0, 0);
        while stacks != 0 {
            let reach = pos.reach_from(stacks.trailing_zeros() as usize);
            twice |= once & reach;
            once |= reach;
            stacks &= stacks - 1;
        }
        Reached { once, twice }
    }
}

/// A count of something that a player has, and what one more is worth in hundredths.
#[derive(Clone, Copy, Debug)]
pub struct Feature {
    /// Its names for people: of the player to move, and of the one who waits.
    pub names: [&'static str; 2],
    /// Its worth to the player to move and to the one who waits: an attack on the latter can be carried out.
    pub weights: [i32; 2],
}

macro_rules! feature {
    ($name:literal, $moving:literal, $waiting:literal) => {
        Feature {
            names: [concat!($name, ", to move"), concat!($name, ", waiting")],
            weights: [$moving, $waiting],
        }
    };
}

/// How many features a player has.
pub const N_FEATURES: usize = 14;

/// All features, in the order of [`Counts`].
pub const FEATURES: [Feature; N_FEATURES] = [
    feature!("power", 105, 95),
    feature!("cells", -65, -69),
    feature!("attacked but defended cells", -28, -3),
    feature!("attacked but defended power", 20, -9),
    feature!("attacked cells", -15, -8),
    feature!("attacked power", 6, -33),
    feature!("twice attacked cells", -9, -29),
    feature!("twice attacked power", -8, 0),
    feature!("high stacks", -18, -16),
    feature!("attacked high stacks", -75, -186),
    feature!("defended cells", 6, 9),
    feature!("cells in reach", 3, 3),
    feature!("cells in reach twice", 3, 9),
    feature!("cells in reach alone", -4, -6),
];

/// What the turn is worth.
pub const TURN: i32 = -16;

/// How much of each feature a player has.
pub type Counts = [i32; N_FEATURES];

#[inline(always)]
fn count(pos: &Infexion, cells: u64, own: Reached, others: Reached) -> Counts {
    let attacked = cells & others.once;
    let (defended, undefended) = (attacked & own.once, attacked & !own.once);
    let twice = cells & others.twice;
    let [p0, p1, p2] = pos.planes();
    let high = cells & (p2 | p0 & p1);
    [
        pos.power_on(cells) as i32,
        cells.count_ones() as i32,
        defended.count_ones() as i32,
        pos.power_on(defended) as i32,
        undefended.count_ones() as i32,
        pos.power_on(undefended) as i32,
        twice.count_ones() as i32,
        pos.power_on(twice) as i32,
        high.count_ones() as i32,
        (high & others.once).count_ones() as i32,
        (cells & own.once).count_ones() as i32,
        own.once.count_ones() as i32,
        own.twice.count_ones() as i32,
        (own.once & !others.once).count_ones() as i32,
    ]
}

/// The counts of the player to move and of the one who waits.
#[inline(always)]
pub fn counts(pos: &Infexion, [mover, other]: [Reached; 2]) -> [Counts; 2] {
    let sides = pos.sides();
    [count(pos, sides[0], mover, other), count(pos, sides[1], other, mover)]
}

const N_CELLS: u16 = 49;

impl Expert<Infexion> for Reach {
    type Sight = [Reached; 2];

    #[inline(always)]
    fn see(&self, pos: &Infexion) -> [Reached; 2] {
        let sides = pos.sides();
        [Reached::by(pos, sides[0]), Reached::by(pos, sides[1])]
    }

    #[inline(always)]
    fn value(&self, pos: &Infexion, sight: &[Reached; 2]) -> Score {
        let [mover, other] = counts(pos, *sight);
        let mut sum = TURN;
        let mut idx = 0;
        while idx < N_FEATURES {
            let [moving, waiting] = FEATURES[idx].weights;
            sum += moving * mover[idx] - waiting * other[idx];
            idx += 1;
        }
        Score(sum)
    }

    #[inline(always)]
    fn captures(&self, pos: &Infexion, moves: &mut Moves) {
        let [mut stacks, others] = pos.sides();
        while stacks != 0 {
            let cell = stacks.trailing_zeros() as u16;
            stacks &= stacks - 1;
            if pos.reach_from(cell.into()) & others == 0 {
                continue;
            }
            let mut m = cell + N_CELLS;
            while m < 7 * N_CELLS {
                if pos.reach(Move(m)) & others != 0 {
                    moves.push(Move(m), self.gain(pos, Move(m)));
                }
                m += N_CELLS;
            }
        }
    }

    #[inline(always)]
    fn quiets(&self, pos: &Infexion, sight: &[Reached; 2], moves: &mut Moves) {
        let [own, others] = [sight[0].once, sight[1].once];
        let mut spawns = pos.spawns();
        while spawns != 0 {
            let cell = spawns & spawns.wrapping_neg();
            let is_attacked = cell & others != 0;
            let is_defended = cell & own != 0;
            let rank = match (is_attacked, is_defended) {
                (false, false) => 1000,
                (false, true) => 1500,
                (true, true) => 0,
                (true, false) => -2000,
            };
            moves.push(Move(spawns.trailing_zeros() as u16), rank);
            spawns ^= cell;
        }
        let [mut stacks, enemies] = pos.sides();
        while stacks != 0 {
            let cell = stacks.trailing_zeros() as u16;
            let is_attacked = others >> cell & 1 == 1;
            stacks &= stacks - 1;
            let mut m = cell + N_CELLS;
            while m < 7 * N_CELLS {
                let reach = pos.reach(Move(m));
                if reach & enemies == 0 {
                    let n_safe = (reach & !others).count_ones() as i32;
                    let n_unsafe = (reach & others).count_ones() as i32;
                    let rank = if is_attacked { 500 * n_safe - 200 } else { -1000 } - 300 * n_unsafe;
                    moves.push(Move(m), rank);
                }
                m += N_CELLS;
            }
        }
    }

    /// A captured stack changes sides; one of full power vanishes, together with the token that reached it.
    #[inline(always)]
    fn gain(&self, pos: &Infexion, m: Move) -> i32 {
        let reach = pos.reach(m);
        let [own, others] = pos.sides();
        let taken = reach & others;
        if taken == 0 {
            return 0;
        }
        let full = reach & pos.cells_of_power(MAX_CELL_POWER);
        let power = 2 * pos.power_on(taken & !full) as i32;
        let vanishing = 5 * (full & others).count_ones() as i32 - 7 * (full & own).count_ones() as i32;
        100 * (power + vanishing)
    }

    #[inline(always)]
    fn is_legal(&self, pos: &Infexion, m: Move) -> bool {
        pos.is_legal(m)
    }

    /// While there is room to spawn, a move is never worse than none.
    #[inline(always)]
    fn passed(&self, pos: &Infexion) -> Option<Infexion> {
        (2 <= pos.ply() && pos.spawns() != 0).then(|| pos.passed())
    }

    fn terms(&self, pos: &Infexion) -> Vec<Term> {
        let counts = counts(pos, self.see(pos));
        let turn = pos.turn();
        let term = |name, player, count: i32, weight: i32| {
            let count_of = |color| if color == player { f64::from(count) } else { 0.0 };
            let [red, blue] = Player::BOTH.map(count_of);
            Term { name, red, blue, weight: f64::from(weight) / 100.0 }
        };
        let both = [turn, turn.opponent()];
        let of_feature = |(idx, feature): (usize, &Feature)| {
            [0, 1].map(|role| term(feature.names[role], both[role], counts[role][idx], feature.weights[role]))
        };
        let terms = FEATURES.iter().enumerate().flat_map(of_feature);
        terms.chain([term("the turn", turn, 1, TURN)]).collect()
    }
}
