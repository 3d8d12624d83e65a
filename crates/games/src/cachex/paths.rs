//! Ways and threats: how far each player is from joining his sides, who connects or captures with one stone.
//!
//! All of it is asked at every node of a search, so it works on whole sets of cells.

use super::{Bits, Rhombus, captures};
use crate::{Move, Player, Position};

/// The distance of a player whose every way is blocked; his opponent has crossed the board.
pub const BLOCKED: u32 = u8::MAX as u32;

impl<B: Bits, const CAPTURES: bool> Rhombus<B, CAPTURES> {
    /// The bit of the cell where a move sets its stone; the move must not be a steal.
    #[inline(always)]
    pub fn bit_of(&self, m: Move) -> usize {
        self.bit(m)
    }

    /// The move that sets a stone on the cell of a bit.
    #[inline(always)]
    pub fn move_at(&self, bit: usize) -> Move {
        self.stone_move(bit)
    }

    /// Whether a move takes the first stone instead of setting one.
    #[inline(always)]
    pub fn is_steal(&self, m: Move) -> bool {
        CAPTURES && m == self.steal_move()
    }

    /// The steal, where it is legal.
    #[inline(always)]
    pub fn legal_steal(&self) -> Option<Move> {
        self.can_steal().then(|| self.steal_move())
    }

    /// The cells on which the player to move may set a stone. The game is not over.
    #[inline(always)]
    pub fn open(&self) -> B {
        self.open_cells()
    }

    /// Whether a number is that of a legal move. The game is not over.
    #[inline(always)]
    pub fn is_legal(&self, m: Move) -> bool {
        if self.is_steal(m) {
            return self.can_steal();
        }
        m.0 < self.steal_move().0 && self.open_cells().has(self.bit(m))
    }

    /// How many stones red and blue must still set to join their sides if the opponent sets none.
    ///
    /// Both are sought step by step in one loop without branches: a processor then works on both at once and has
    /// nothing to guess.
    #[inline(always)]
    pub fn distances(&self) -> [u32; 2] {
        let frame = self.frame();
        let empty = self.empty();
        let [red, blue] = self.stones;
        let (mut by_red, mut by_blue) = (red & self.linked, blue & self.linked);
        let mut costs = [0, 0];
        // Every step adds a cell for a player who has a way.
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

    /// How many stones a player must still set to join his sides if the opponent sets none.
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

    /// The distance of a player, and the empty cells that lie on his shortest ways.
    #[inline(always)]
    pub fn shortest_ways(&self, player: Player) -> (u32, B) {
        let frame = self.frame();
        let (first, last) = (frame.first[player as usize], frame.last[player as usize]);
        let own = self.stones[player as usize];
        let empty = self.empty();
        // The cells within each cost from the first side, own stones among them.
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
        // Back from the last side, only through cells that are one nearer to the first at each step.
        let mut ways = B::NONE;
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
            ways |= step;
            behind = step.grow();
            level -= 1;
        }
        (cost as u32, ways)
    }

    /// The empty cells where one stone joins a player's sides.
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
        // The cells whose neighbor in each direction is the opponent's, and those whose is the player's.
        let (others, owns) = (all_beside(other), all_beside(own));
        let mut cells = B::NONE;
        let mut step = 0;
        while step < 6 {
            let (next, second) = ((step + 1) % 6, (step + 2) % 6);
            // Both of a long diamond's middle cells, and the far corner, a step and the next one away.
            cells |= others[step] & others[next] & beside(owns[next], step);
            // The tips of a diamond whose short diagonal leads to the player's stone between them.
            cells |= others[step] & others[second] & owns[next];
            step += 1;
        }
        cells & self.empty()
    }

    /// Diamonds of a player's view that tell who may capture and what is joined.
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

    /// The stones that a player's stone on an empty cell would take.
    #[inline(always)]
    pub fn captured(&self, player: Player, bit: usize) -> B {
        if !CAPTURES {
            return B::NONE;
        }
        captures(self.stones[player as usize], self.stones[1 - player as usize], &B::NEAR[bit])
    }

    /// Whose turn it is and who waits.
    #[inline(always)]
    pub fn roles(&self) -> [Player; 2] {
        [self.turn(), self.turn().opponent()]
    }
}

/// How many diamonds of some kinds there are, those of the viewer first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Diamonds {
    /// Two neighbors of the opponent can be captured.
    pub threats: [u32; 2],
    /// Two ends of the opponent's bridge can be captured.
    pub breaks: [u32; 2],
    /// Two own neighbors with nobody at the ends of their diamond.
    pub pairs: [u32; 2],
}

/// Only boards that nobody plays have shortest ways of so many empty cells: their cells are not told.
const MAX_LEVELS: usize = 40;

/// No way takes more steps: the cells of the largest board.
const MAX_STEPS: u32 = 225;

/// Adds to what is reached the own stones beside it or, if there are none, the empty cells; says whether it was the
/// latter, which costs a stone.
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

/// The cells whose neighbor in a direction is in the set. Some may lie beyond the board.
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
