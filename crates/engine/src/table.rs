//! The transposition table: what a search has found out about positions.

use yarra_games::Move;

use crate::Score;

/// What a stored score says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Bound {
    /// It is the value.
    #[default]
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entry {
    key: u64,
    score: Score,
    mv: u16,
    depth: u8,
    bound: Bound,
}

const _: () = assert!(size_of::<Entry>() == 16);
const NO_MOVE: u16 = u16::MAX;

impl Entry {
    /// The move that was best or good enough.
    pub fn mv(&self) -> Option<Move> {
        (self.mv != NO_MOVE).then_some(Move(self.mv))
    }

    /// The score as seen from `ply` plies below the root.
    pub fn score(&self, ply: u32) -> Score {
        shifted(self.score, -(ply as i32))
    }

    /// How deep it was searched.
    pub fn depth(&self) -> u32 {
        self.depth.into()
    }

    /// The score, if it settles a search to `depth` with this window.
    pub fn cutoff(&self, depth: u32, ply: u32, window: (Score, Score)) -> Option<Score> {
        let (alpha, beta) = window;
        let score = self.score(ply);
        let settles = match self.bound {
            Bound::Exact => true,
            Bound::Lower => beta <= score,
            Bound::Upper => score <= alpha,
        };
        (depth <= self.depth() && settles).then_some(score)
    }
}

/// Wins and losses are counted from the root, but stored as counted from the position.
fn shifted(score: Score, n_plies: i32) -> Score {
    match score.plies_to_end() {
        None => score,
        Some(_) if 0 < score.0 => Score(score.0 + n_plies),
        Some(_) => Score(score.0 - n_plies),
    }
}

/// A fixed number of entries, each position in its one place.
#[derive(Clone, Debug, Default)]
pub struct Table {
    entries: Vec<Entry>,
}

impl Table {
    /// A table of about so many bytes, a power of two of entries; none if that is 0.
    pub fn new(n_bytes: usize) -> Table {
        let n_entries = n_bytes / size_of::<Entry>();
        let n_entries = if n_entries == 0 { 0 } else { 1 << n_entries.ilog2() };
        Table { entries: vec![Entry::default(); n_entries] }
    }

    /// Whether it keeps anything at all.
    pub fn is_on(&self) -> bool {
        !self.entries.is_empty()
    }

    /// What is known of a position.
    pub fn get(&self, key: u64) -> Option<&Entry> {
        let mask = self.entries.len().checked_sub(1)?;
        let entry = &self.entries[key as usize & mask];
        // A key of 0 is an empty place; one position in 2⁶⁴ is never found.
        (entry.key == key && key != 0).then_some(entry)
    }

    /// Notes what a search found, in place of whatever stood there.
    pub fn insert(&mut self, key: u64, found: (Score, Bound), mv: Option<Move>, depth: u32, ply: u32) {
        let Some(mask) = self.entries.len().checked_sub(1) else { return };
        let (score, bound) = found;
        self.entries[key as usize & mask] = Entry {
            key,
            score: shifted(score, ply as i32),
            mv: mv.map_or(NO_MOVE, |m| m.0),
            depth: depth.min(u8::MAX.into()) as u8,
            bound,
        };
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill(Entry::default());
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }
}
