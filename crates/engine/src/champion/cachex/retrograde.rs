//! Small boards solved from the end: who wins every position, and how soon.
//!
//! A board is seen by the player to move as if he joined rows: for blue it is transposed and the colors are
//! swapped. What follows a move is then again such a board, and one table holds both players' positions. Only
//! captures lead to fewer stones, so that play may go on for ever: what neither can force is a draw.

/// No win can be forced.
pub const DRAW: u8 = u8::MAX;

/// A board of one size, as the player to move sees it: his stones and the opponent's, cell n · row + column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// Stones of the player to move, who joins the first row to the last.
    pub own: u16,
    /// Stones of the other.
    pub other: u16,
}

/// The rules of Cachex on a board of 3 × 3 or 4 × 4 cells, in tables.
pub struct Rules {
    size: usize,
    /// For each cell the stones that may be captured from it, each pair with the corner that must be own.
    diamonds: Vec<Vec<(u16, u16)>>,
    /// For each set of cells, whether it joins the first row to the last.
    joins: Vec<bool>,
    /// For each set of cells, the one with rows and columns exchanged.
    transposed: Vec<u16>,
    /// For each set of cells, the sum of their powers of three.
    powers: Vec<u32>,
}

/// What a move leads to.
pub enum Next {
    /// The mover has joined his sides.
    Won,
    /// The board as the opponent sees it.
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

    /// How many boards there are, those among them that no game reaches.
    pub fn n_boards(&self) -> usize {
        3_usize.pow((self.size * self.size) as u32)
    }

    /// The number of a board.
    #[inline(always)]
    pub fn index(&self, board: Board) -> usize {
        (self.powers[usize::from(board.own)] + 2 * self.powers[usize::from(board.other)]) as usize
    }

    /// The number of a board or of its half turn, whichever is lower: both end alike.
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

    /// A stone on an empty cell.
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
        let [own, other] = [other, own].map(|set| self.transposed[usize::from(set)]);
        Next::Board(Board { own, other })
    }

    /// Whether a game can reach a board: nobody has joined his sides, and no diamond is left to be captured.
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

/// How every possible board ends, by its number: an odd number of plies is the time to a win for the player to
/// move, an even one that to a loss, and [`DRAW`] is neither. Boards that no game reaches count as draws.
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
        // Two idle rounds: neither wins nor losses follow from anything new.
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
