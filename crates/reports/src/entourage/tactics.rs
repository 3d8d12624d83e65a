//! Which moves the agents of report 000 search, and in which order.

use yarra_engine::profile::{Part, Quantity, note, time};
use yarra_engine::{OptionInfo, Settings, Tactics};
use yarra_games::cpu::fastest;
use yarra_games::infexion::cells::{ALL_CELLS, FIRST_SPREAD, each, neighbors, spread, stepped_back};
use yarra_games::infexion::{Direction, Infexion, MAX_TOTAL_POWER};
use yarra_games::{Move, MoveList, Player, Position};

use super::endgame::Endgame;
use super::judge::n_clusters;

/// The thresholds of move reduction.
pub const OPTIONS: [OptionInfo; 5] = [
    OptionInfo::number(
        "overwhelmed_share",
        "3",
        "minimum ratio of the opponent's power to one's own to be overwhelmed",
    ),
    OptionInfo::count("overwhelmed_total", "12", "minimum total power to be overwhelmed"),
    OptionInfo::choice(
        "overwhelmed_at",
        &["every-node", "root"],
        "every-node",
        "where an overwhelmed player's moves are not reduced: at `every-node`, or at the `root` alone",
    ),
    OptionInfo::count("populated_total", "23", "minimum total power of a highly populated board"),
    OptionInfo::count("populated_gap", "2", "maximum difference in power on a highly populated board"),
];

/// Report 000, Move Reduction: when moves are not reduced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reduction {
    /// The overwhelmed player's opponent has at least this many times its power.
    pub overwhelmed_share: f64,
    /// Nobody is overwhelmed while both together have less power.
    pub overwhelmed_total: u32,
    /// Whether only the root asks who is overwhelmed, as the team's program did.
    pub overwhelmed_at_root: bool,
    /// A highly populated board holds at least this much power.
    pub populated_total: u32,
    /// On a highly populated board the powers differ by at most this much.
    pub populated_gap: u32,
}

impl Reduction {
    /// The numbers that settings give.
    pub fn read(settings: &Settings) -> Reduction {
        Reduction {
            overwhelmed_share: settings.get("overwhelmed_share"),
            overwhelmed_total: settings.get("overwhelmed_total"),
            overwhelmed_at_root: settings.get::<&str>("overwhelmed_at") == "root",
            populated_total: settings.get("populated_total"),
            populated_gap: settings.get("populated_gap"),
        }
    }

    /// Report 000, Move Reduction, "overwhelmed detection": the player to move is far behind.
    #[inline(always)]
    pub fn is_overwhelmed(&self, pos: &Infexion) -> bool {
        let [own, other] = powers(pos);
        self.overwhelmed_total <= own + other && f64::from(own) * self.overwhelmed_share <= f64::from(other)
    }

    /// Report 000, Move Reduction, "highly populated": much power on the board, and evenly shared.
    #[inline(always)]
    pub fn is_populated(&self, pos: &Infexion) -> bool {
        let [own, other] = powers(pos);
        self.populated_total <= own + other && own.abs_diff(other) <= self.populated_gap
    }

    /// Report 000, Move Reduction: appends the moves that are left, in ascending order. No spawn away from
    /// own stacks, and no spread of a single that captures nothing; but on a highly populated board a
    /// single may join its neighbor, and an overwhelmed player may do anything. Where nothing would be left,
    /// as on an empty board, nothing is reduced.
    #[inline(always)]
    pub fn moves(&self, pos: &Infexion, is_root: bool, moves: &mut MoveList) {
        if (is_root || !self.overwhelmed_at_root) && self.is_overwhelmed(pos) {
            return pos.legal_moves(moves);
        }
        let mover = pos.turn();
        let (own, other) = (pos.cells_of(mover), pos.cells_of(mover.opponent()));
        let has_room = pos.power_on(ALL_CELLS) < MAX_TOTAL_POWER;
        let spawns = if has_room { neighbors(own) & !own & !other } else { 0 };
        moves.extend(each(spawns).map(|cell| Move(cell as u16)));
        let singles = own & pos.cells_of_power(1);
        let worth_a_single = if self.is_populated(pos) { other | own } else { other };
        for direction in Direction::ALL {
            let sources = own & !singles | singles & stepped_back(worth_a_single, direction);
            moves.extend(each(sources).map(|cell| spread(cell, direction)));
        }
        if moves.is_empty() {
            pos.legal_moves(moves);
        }
    }
}

impl Default for Reduction {
    /// The report's.
    fn default() -> Reduction {
        Reduction::read(&Settings::defaults(&OPTIONS))
    }
}

#[inline(always)]
fn powers(pos: &Infexion) -> [u32; 2] {
    let mover = pos.turn();
    [mover, mover.opponent()].map(|player| pos.power_of(player))
}

/// Report 000, Optimization Functions: endgame play, else the reduced moves, each in the report's order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Habits {
    /// Endgame play, if it is on.
    pub endgame: Option<Endgame>,
    /// Move reduction, if it is on.
    pub reduction: Option<Reduction>,
    /// Whether moves are sorted.
    pub has_order: bool,
}

impl Habits {
    /// The habits that settings give.
    pub fn read(settings: &Settings) -> Habits {
        Habits {
            endgame: settings.get::<bool>("endgame").then(|| Endgame::read(settings)),
            reduction: settings.get::<bool>("reduction").then(|| Reduction::read(settings)),
            has_order: settings.get("ordering"),
        }
    }

    #[inline(always)]
    fn list(&self, pos: &Infexion, is_root: bool, moves: &mut MoveList) {
        moves.clear();
        if let Some(endgame) = &self.endgame {
            time(
                Part::Endgame,
                #[inline(always)]
                || endgame.moves(pos, moves),
            );
        }
        if moves.is_empty() {
            match &self.reduction {
                Some(reduction) => time(
                    Part::Reduction,
                    #[inline(always)]
                    || reduction.moves(pos, is_root, moves),
                ),
                None => time(
                    Part::Moves,
                    #[inline(always)]
                    || pos.legal_moves(moves),
                ),
            }
        }
        if self.has_order {
            time(
                Part::Ordering,
                #[inline(always)]
                || sort(pos, moves),
            );
        }
    }
}

impl Tactics<Infexion> for Habits {
    fn moves(&mut self, pos: &Infexion, moves: &mut MoveList) {
        fastest(
            #[inline(always)]
            || self.list(pos, false, moves),
        );
    }

    fn root_moves(&mut self, pos: &Infexion, moves: &mut MoveList) {
        self.list(pos, true, moves);
    }

    /// The quantities of report 000's Asymptotic Analysis.
    fn measure(&self, pos: &Infexion, is_leaf: bool) {
        if is_leaf {
            let occupied = Player::BOTH.map(|player| pos.cells_of(player).count_ones()).iter().sum::<u32>();
            note(Quantity::Occupied, occupied.into());
            note(Quantity::Clusters, n_clusters(pos).iter().sum::<u32>().into());
            return;
        }
        note(Quantity::LegalMoves, pos.n_legal_moves() as f64);
        let own = pos.cells_of(pos.turn());
        if own != 0 {
            note(Quantity::Power, f64::from(pos.power_on(own)) / f64::from(own.count_ones()));
        }
    }
}

/// Report 000, Move Ordering: most captured power first, then fewest captured stacks, then the highest
/// stack deployed; a spawn deploys none. Takes moves in the order of their numbers, and leaves equals so.
#[inline(always)]
pub fn sort(pos: &Infexion, moves: &mut [Move]) {
    // Spawns come last, as they are: only spreads need keys.
    let n_spawns = moves.partition_point(|&m| m < FIRST_SPREAD);
    moves.rotate_left(n_spawns);
    let n_spreads = moves.len() - n_spawns;
    let spreads = &mut moves[..n_spreads];
    let mut keys = [0_u32; MAX_SPREADS];
    let keys = &mut keys[..n_spreads];
    let other = pos.cells_of(pos.turn().opponent());
    for (key, &m) in keys.iter_mut().zip(&*spreads) {
        let captured = pos.reach(m) & other;
        let deployed = u32::from(pos.power_at(usize::from(m.0 % FIRST_SPREAD.0)));
        // Six bits of captured power, three of captured stacks and three of power, turned round so that
        // the best is the smallest, and the move itself.
        let worth = pos.power_on(captured) << 6 | (7 - captured.count_ones()) << 3 | deployed;
        *key = (0xfff - worth) << 16 | u32::from(m.0);
    }
    keys.sort_unstable();
    for (m, key) in spreads.iter_mut().zip(keys) {
        *m = Move(*key as u16);
    }
}

/// As many as if all stacks were the mover's.
const MAX_SPREADS: usize = 6 * 49;
