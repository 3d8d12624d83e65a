//! Retrograde analysis of small boards: who wins every position, and how soon.
//!
//! A board is stored from the view of the player to move, as if that player were red: for blue it is transposed and the
//! colors are swapped. A move leads to another such board, so that one table holds the positions of both players.
//! Captures remove stones, so that play may go on forever: a position that neither player can win by force is a draw.

/// No win can be forced.
pub const DRAW: u8 = u8::MAX;

/// A board from the view of the player to move; cell n · row + column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// Stones of the player to move, who connects the first row to the last.
    pub own: u16,
    /// Stones of the opponent.
    pub other: u16,
}

/// The rules of Cachex on a board of 3 × 3 or 4 × 4 cells, in tables.
pub struct Rules {
    size: usize,
    /// For each cell, the pairs that can be captured from it, each with the opposite corner, which must be own.
    diamonds: Vec<Vec<(u16, u16)>>,
    /// For each set of cells, whether it connects the first row to the last.
    joins: Vec<bool>,
    /// For each set of cells, its transpose.
    transposed: Vec<u16>,
    /// For each set of cells, the sum of their powers of three.
    powers: Vec<u32>,
}

/// What a move leads to.
pub enum Next {
    /// The mover has connected both sides.
    Won,
    /// The board from the opponent's view.
    Board(Board),
}

const STEPS: [(i32, i32); 6] = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)];

impl Rules {
    /// The rules for a size of 3 or 4.
    ///
    /// # Panics
    /// For any other size.
    pub fn new(size: usize) -> Rules {
        assert!(size == 3 || size == 4, "{size} is too large to be solved like this");
        let n_cells = size * size;
        let at = |row: i32, col: i32| {
            let is_on = |place: i32| 0 <= place && place < size as i32;
            (is_on(row) && is_on(col)).then(|| 1_u16 << (row as usize * size + col as usize))
        };
        let diamonds_of = |cell: usize| {
            let (row, col) = ((cell / size) as i32, (cell % size) as i32);
            let mut diamonds = Vec::new();
            for step in 0..6 {
                for turn in [1, 2] {
                    let (a, b) = (STEPS[step], STEPS[(step + turn) % 6]);
                    let corners = [a, b, (a.0 + b.0, a.1 + b.1)].map(|(r, q)| at(row + r, col + q));
                    if let [Some(left), Some(right), Some(far)] = corners {
                        diamonds.push((left | right, far));
                    }
                }
            }
            diamonds
        };
        let n_sets = 1_usize << n_cells;
        let cells = |set: usize| (0..n_cells).filter(move |cell| set >> cell & 1 == 1);
        let transposed = |cell: usize| cell % size * size + cell / size;
        Rules {
            size,
            diamonds: (0..n_cells).map(diamonds_of).collect(),
            joins: (0..n_sets).map(|set| joins(set as u16, size)).collect(),
            transposed: (0..n_sets).map(|set| cells(set).map(|cell| 1 << transposed(cell)).sum()).collect(),
            powers: (0..n_sets).map(|set| cells(set).map(|cell| 3_u32.pow(cell as u32)).sum()).collect(),
        }
    }

    /// The number of boards, including those that no game reaches.
    pub fn n_boards(&self) -> usize {
        3_usize.pow((self.size * self.size) as u32)
    }

    /// The index of a board.
    #[inline(always)]
    pub fn index(&self, board: Board) -> usize {
        (self.powers[usize::from(board.own)] + 2 * self.powers[usize::from(board.other)]) as usize
    }

    /// The index of a board or of its rotation by 180°, whichever is lower: both end alike.
    pub fn canonical_index(&self, board: Board) -> usize {
        let unused = 16 - self.size * self.size;
        let turned = |set: u16| set.reverse_bits() >> unused;
        let image = Board { own: turned(board.own), other: turned(board.other) };
        self.index(board).min(self.index(image))
    }

    /// The cells without a stone.
    #[inline(always)]
    pub fn empty(&self, board: Board) -> u16 {
        !(board.own | board.other) & ((1_u32 << (self.size * self.size)) - 1) as u16
    }

    /// Places a stone on an empty cell.
    #[inline(always)]
    pub fn play(&self, board: Board, cell: usize) -> Next {
        let own = board.own | 1 << cell;
        if self.joins[usize::from(own)] {
            return Next::Won;
        }
        let mut captured = 0;
        for &(pair, far) in &self.diamonds[cell] {
            if board.other & pair == pair && board.own & far != 0 {
                captured |= pair;
            }
        }
        let other = board.other & !captured;
        let seen = |set: u16| self.transposed[usize::from(set)];
        Next::Board(Board { own: seen(other), other: seen(own) })
    }

    /// Whether a game can reach a board: neither side is connected, and no capture was missed.
    pub fn is_possible(&self, board: Board) -> bool {
        let has_joined = self.joins[usize::from(board.own)]
            || self.joins[usize::from(self.transposed[usize::from(board.other)])];
        let is_taken = |cell: usize| {
            let is_own = board.own >> cell & 1 == 1;
            let pairs = self.diamonds[cell].iter();
            is_own && pairs.clone().any(|&(pair, far)| board.other & pair == pair && board.own & far != 0)
        };
        !has_joined && !(0..self.size * self.size).any(is_taken)
    }
}

fn joins(set: u16, size: usize) -> bool {
    let is_in = |row: i32, col: i32| {
        let is_on = |place: i32| 0 <= place && place < size as i32;
        is_on(row) && is_on(col) && set >> (row as usize * size + col as usize) & 1 == 1
    };
    let mut open: Vec<(i32, i32)> = (0..size as i32).map(|col| (0, col)).collect();
    let mut seen = vec![false; size * size];
    while let Some((row, col)) = open.pop() {
        if !is_in(row, col) || std::mem::replace(&mut seen[row as usize * size + col as usize], true) {
            continue;
        }
        if row as usize == size - 1 {
            return true;
        }
        open.extend(STEPS.map(|(down, right)| (row + down, col + right)));
    }
    false
}

/// The result of every possible board, by its index: an odd number of plies to a win for the player to move, an even
/// number to a loss, or [`DRAW`]. Boards that no game reaches count as draws.
pub fn solve(rules: &Rules) -> Vec<u8> {
    let mut values = vec![DRAW; rules.n_boards()];
    let mut open = Vec::new();
    let n_sets = 1_u32 << (rules.size * rules.size);
    for own in 0..n_sets {
        let rest = (n_sets - 1) & !own;
        let mut other = rest;
        loop {
            let board = Board { own: own as u16, other: other as u16 };
            if rules.is_possible(board) {
                open.push(board);
            }
            if other == 0 {
                break;
            }
            other = (other - 1) & rest;
        }
    }
    for n_plies in 1..DRAW {
        let n_open = open.len();
        let mut settled = Vec::new();
        open.retain(|&board| {
            let is_settled = if n_plies % 2 == 1 {
                wins_in(rules, &values, board, n_plies)
            } else {
                has_lost_in(rules, &values, board, n_plies)
            };
            if is_settled {
                settled.push(rules.index(board));
            }
            !is_settled
        });
        for idx in settled {
            values[idx] = n_plies;
        }
        // An idle round after the first two: nothing new follows from the last results.
        if open.len() == n_open && 2 < n_plies {
            break;
        }
    }
    values
}

fn moves(rules: &Rules, board: Board) -> impl Iterator<Item = Next> + '_ {
    let empty = rules.empty(board);
    (0..rules.size * rules.size)
        .filter(move |cell| empty >> cell & 1 == 1)
        .map(move |cell| rules.play(board, cell))
}

fn wins_in(rules: &Rules, values: &[u8], board: Board, n_plies: u8) -> bool {
    moves(rules, board).any(|next| match next {
        Next::Won => true,
        Next::Board(next) => values[rules.index(next)] == n_plies - 1,
    })
}

fn has_lost_in(rules: &Rules, values: &[u8], board: Board, n_plies: u8) -> bool {
    moves(rules, board).all(|next| match next {
        Next::Won => false,
        Next::Board(next) => {
            let value = values[rules.index(next)];
            value % 2 == 1 && value < n_plies
        }
    })
}
