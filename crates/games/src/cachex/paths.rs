//! Shortest paths and threats: how many stones a player needs to connect, and where one stone connects or captures.
//!
//! A search asks for these at every node, so all of it works on whole sets of cells.

use super::{Bits, Rhombus, captures};
use crate::{Move, Player, Position};

/// The distance of a player with no path left: the opponent has connected.
pub const BLOCKED: u32 = u8::MAX as u32;

impl<B: Bits, const CAPTURES: bool> Rhombus<B, CAPTURES> {
    /// The bit of the cell where a move places its stone; the move must not be a steal.
    #[inline(always)]
    pub fn bit_of(&self, m: Move) -> usize {
        self.bit(m)
    }

    /// The move that places a stone on the cell of a bit.
    #[inline(always)]
    pub fn move_at(&self, bit: usize) -> Move {
        self.stone_move(bit)
    }

    /// Whether a move steals the first stone instead of placing one.
    #[inline(always)]
    pub fn is_steal(&self, m: Move) -> bool {
        CAPTURES && m == self.steal_move()
    }

    /// The steal, if it is legal.
    #[inline(always)]
    pub fn legal_steal(&self) -> Option<Move> {
        self.can_steal().then(|| self.steal_move())
    }

    /// The cells on which the player to move may place a stone. The game must not be over.
    #[inline(always)]
    pub fn open(&self) -> B {
        self.open_cells()
    }

    /// Whether a move is legal. The game must not be over.
    #[inline(always)]
    pub fn is_legal(&self, m: Move) -> bool {
        if self.is_steal(m) {
            return self.can_steal();
        }
        m.0 < self.steal_move().0 && self.open_cells().has(self.bit(m))
    }

    /// How many more stones red and blue need to connect if the opponent places none.
    ///
    /// One loop without branches advances both at once: the CPU overlaps them and has nothing to mispredict.
    #[inline(always)]
    pub fn distances(&self) -> [u32; 2] {
        let frame = self.frame();
        let empty = self.empty();
        let [red, blue] = self.stones;
        let (mut by_red, mut by_blue) = (red & self.linked, blue & self.linked);
        let mut costs = [0, 0];
        // Every step adds a cell for a player that has a path.
        let mut n_left = MAX_STEPS;
        loop {
            let is_red_open = (by_red & frame.last[0]).is_empty();
            let is_blue_open = (by_blue & frame.last[1]).is_empty();
            if !(is_red_open | is_blue_open) {
                return costs;
            }
            if n_left == 0 {
                let blocked = |cost, is_open| if is_open { BLOCKED } else { cost };
                return [blocked(costs[0], is_red_open), blocked(costs[1], is_blue_open)];
            }
            n_left -= 1;
            costs[0] += u32::from(advance(&mut by_red, red, empty, frame.first[0]) & is_red_open);
            costs[1] += u32::from(advance(&mut by_blue, blue, empty, frame.first[1]) & is_blue_open);
        }
    }

    /// How many more stones a player needs to connect if the opponent places none.
    #[inline(always)]
    pub fn distance(&self, player: Player) -> u32 {
        let frame = self.frame();
        let (first, last) = (frame.first[player as usize], frame.last[player as usize]);
        let own = self.stones[player as usize];
        let empty = self.empty();
        let mut reached = own & self.linked;
        let mut cost = 0;
        for _ in 0..MAX_STEPS {
            if !(reached & last).is_empty() {
                return cost;
            }
            cost += u32::from(advance(&mut reached, own, empty, first));
        }
        BLOCKED
    }

    /// The distance of a player, and the empty cells on its shortest paths.
    #[inline(always)]
    pub fn shortest_paths(&self, player: Player) -> (u32, B) {
        let frame = self.frame();
        let (first, last) = (frame.first[player as usize], frame.last[player as usize]);
        let own = self.stones[player as usize];
        let empty = self.empty();
        // The cells within each cost from the first side, including own stones.
        let mut levels = [B::NONE; MAX_LEVELS];
        let mut reached = own & self.linked;
        let mut cost = 0;
        loop {
            let mut beside = reached.grow() | first;
            loop {
                let joined = beside & own & !reached;
                if joined.is_empty() {
                    break;
                }
                reached |= joined;
                beside |= joined.grow();
            }
            levels[cost] = reached;
            if !(reached & last).is_empty() {
                break;
            }
            let entered = reached | beside & empty;
            if entered == reached || cost + 1 == MAX_LEVELS {
                return (self.distance(player), B::NONE);
            }
            reached = entered;
            cost += 1;
        }
        // Back from the last side, at each step only through cells that are one closer to the first.
        let mut paths = B::NONE;
        let mut behind = last;
        let mut level = cost;
        loop {
            let within = levels[level];
            let mut stones = behind & own & within;
            loop {
                behind |= stones.grow();
                let joined = behind & own & within & !stones;
                if joined.is_empty() {
                    break;
                }
                stones |= joined;
            }
            if level == 0 {
                break;
            }
            let step = behind & empty & within & !levels[level - 1];
            paths |= step;
            behind = step.grow();
            level -= 1;
        }
        (cost as u32, paths)
    }

    /// The empty cells where one stone connects a player's sides.
    #[inline(always)]
    pub fn winning_cells(&self, player: Player) -> B {
        let frame = self.frame();
        let (first, last) = (frame.first[player as usize], frame.last[player as usize]);
        let own = self.stones[player as usize];
        let from_first = (own & self.linked).grow() | first;
        let from_last = (last & own).flood(own).grow() | last;
        from_first & from_last & self.empty()
    }

    /// The empty cells where a stone of a player would capture.
    #[inline(always)]
    pub fn capturing_cells(&self, player: Player) -> B {
        if !CAPTURES {
            return B::NONE;
        }
        let (own, other) = (self.stones[player as usize], self.stones[1 - player as usize]);
        // The cells whose neighbor in each direction is the opponent's, and those whose neighbor is the player's.
        let (others, owns) = (all_beside(other), all_beside(own));
        let mut cells = B::NONE;
        let mut step = 0;
        while step < 6 {
            let (next, second) = ((step + 1) % 6, (step + 2) % 6);
            // Both middle cells of a long diamond, and its far corner, one step and the next away.
            cells |= others[step] & others[next] & beside(owns[next], step);
            // The tips of a diamond whose short diagonal ends at the player's stone between them.
            cells |= others[step] & others[second] & owns[next];
            step += 1;
        }
        cells & self.empty()
    }

    /// Diamonds that show who can capture and what is connected, from a player's view.
    #[inline(always)]
    pub fn diamonds(&self, player: Player) -> Diamonds {
        let sets = [self.stones[player as usize], self.stones[1 - player as usize], self.empty()];
        let mut counts = Diamonds::default();
        let mut step = 0;
        while step < 3 {
            let next = step + 1;
            let short = [
                [beside(sets[0], step), beside(sets[0], next)],
                [beside(sets[1], step), beside(sets[1], next)],
                [beside(sets[2], step), beside(sets[2], next)],
            ];
            let far = [beside(short[0][1], step), beside(short[1][1], step), beside(short[2][1], step)];
            let half_own = sets[0] & far[2] | sets[2] & far[0];
            let half_other = sets[1] & far[2] | sets[2] & far[1];
            counts.threats[0] += (half_own & short[1][0] & short[1][1]).count();
            counts.threats[1] += (half_other & short[0][0] & short[0][1]).count();
            let half_own = short[0][0] & short[2][1] | short[2][0] & short[0][1];
            let half_other = short[1][0] & short[2][1] | short[2][0] & short[1][1];
            counts.breaks[0] += (half_own & sets[1] & far[1]).count();
            counts.breaks[1] += (half_other & sets[0] & far[0]).count();
            let open = sets[2] & far[2];
            counts.pairs[0] += (short[0][0] & short[0][1] & open).count();
            counts.pairs[1] += (short[1][0] & short[1][1] & open).count();
            step += 1;
        }
        counts
    }

    /// The stones that a player's stone on an empty cell would capture.
    #[inline(always)]
    pub fn captured(&self, player: Player, bit: usize) -> B {
        if !CAPTURES {
            return B::NONE;
        }
        captures(self.stones[player as usize], self.stones[1 - player as usize], &B::NEAR[bit])
    }

    /// The player to move and the opponent.
    #[inline(always)]
    pub fn roles(&self) -> [Player; 2] {
        [self.turn(), self.turn().opponent()]
    }
}

/// The number of diamonds of each kind, the viewing player's first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Diamonds {
    /// Two adjacent stones of the opponent can be captured.
    pub threats: [u32; 2],
    /// The two ends of an opponent's bridge can be captured.
    pub breaks: [u32; 2],
    /// Two adjacent own stones with empty cells at the ends of their diamond.
    pub pairs: [u32; 2],
}

/// Longer shortest paths occur only on constructed boards; their cells are not reported.
const MAX_LEVELS: usize = 40;

/// No path takes more steps than the largest board has cells.
const MAX_STEPS: u32 = 225;

/// Extends the reached cells by adjacent own stones or, if there are none, by adjacent empty cells. Returns whether
/// it was the latter, which costs a stone.
#[inline(always)]
fn advance<B: Bits>(reached: &mut B, own: B, empty: B, first: B) -> bool {
    let beside = reached.grow() | first;
    let joined = beside & own & !*reached;
    let has_joined = !joined.is_empty();
    *reached |= if has_joined { joined } else { beside & empty };
    !has_joined
}

/// The cells whose neighbor is in the set, for each direction.
#[inline(always)]
fn all_beside<B: Bits>(cells: B) -> [B; 6] {
    [
        beside(cells, 0),
        beside(cells, 1),
        beside(cells, 2),
        beside(cells, 3),
        beside(cells, 4),
        beside(cells, 5),
    ]
}

/// The cells whose neighbor in a direction is in the set, which may include cells beyond the board.
#[inline(always)]
fn beside<B: Bits>(cells: B, direction: usize) -> B {
    let [not_first, not_last] = B::NOT_EDGES;
    let stride = B::STRIDE as u32;
    match direction {
        0 => ((cells << 1) & not_first) >> stride,
        1 => cells >> stride,
        2 => (cells >> 1) & not_last,
        3 => ((cells >> 1) & not_last) << stride,
        4 => cells << stride,
        _ => (cells << 1) & not_first,
    }
}
