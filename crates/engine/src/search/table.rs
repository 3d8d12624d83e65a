//! The transposition table.
//!
//! Threads share it without locks. A slot holds two words, the entry and the key XORed with it. If two threads write at
//! the same time, the words may not match; such a slot counts as empty.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use yarra_games::{Game, Move};

use super::Window;
use crate::{Score, memory};

/// What a stored score says about the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Bound {
    /// It is exact.
    #[default]
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

impl Bound {
    /// What the score of a search says that began with this window.
    #[inline(always)]
    pub fn of(score: Score, (alpha, beta): Window) -> Bound {
        match score {
            score if score <= alpha => Bound::Upper,
            score if beta <= score => Bound::Lower,
            _ => Bound::Exact,
        }
    }
}

/// The keys under which a search stores positions.
///
/// A value that depends on the turn limit holds at one ply only. So once the limit is in reach, the ply is part of the
/// key.
#[derive(Clone, Copy, Debug)]
pub struct TableKeys {
    /// From this ply on the key includes the ply.
    with_ply_from: u16,
}

impl TableKeys {
    /// The ply is part of every key: for evaluations that depend on it.
    pub const WITH_PLY: TableKeys = TableKeys { with_ply_from: 0 };

    /// For searches of at most `max_plies`, whatever the depth of this one: later searches, at later plies, find the
    /// same entries.
    pub fn new(turn_limit: u16, max_plies: u32) -> TableKeys {
        TableKeys { with_ply_from: turn_limit.saturating_sub(max_plies as u16) }
    }

    /// The key of a position.
    #[inline(always)]
    pub fn key(self, pos: &impl Game) -> u64 {
        let ply = u64::from(pos.ply());
        pos.key() ^ if self.with_ply_from <= pos.ply() { ply << 48 | ply } else { 0 }
    }
}

/// What is known of a position: 32 bits of score, 16 of move, 8 of depth, 2 of bound, 6 of age.
#[derive(Clone, Copy, Debug)]
pub struct Entry(u64);

const NO_MOVE: u16 = u16::MAX;
/// Ages wrap around after this many searches.
const N_AGES: u8 = 64;
/// An entry that is one search older is worth this many plies less.
const PLIES_AN_AGE: i32 = 3;

impl Entry {
    #[inline(always)]
    fn new(score: Score, bound: Bound, mv: u16, depth: u8, age: u8) -> Entry {
        let kind = u64::from(age << 2 | bound as u8);
        Entry(u64::from(score.0 as u32) << 32 | u64::from(mv) << 16 | u64::from(depth) << 8 | kind)
    }

    /// The best move, or the one that caused a cutoff.
    #[inline(always)]
    pub fn mv(&self) -> Option<Move> {
        let mv = (self.0 >> 16) as u16;
        (mv != NO_MOVE).then_some(Move(mv))
    }

    /// The score for a node `ply` plies below the root.
    #[inline(always)]
    pub fn score(&self, ply: u32) -> Score {
        shifted(Score((self.0 >> 32) as i32), -(ply as i32))
    }

    /// The depth of the search.
    #[inline(always)]
    pub fn depth(&self) -> u32 {
        u32::from((self.0 >> 8) as u8)
    }

    /// What the score says.
    #[inline(always)]
    pub fn bound(&self) -> Bound {
        match self.0 & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        }
    }

    #[inline(always)]
    fn age(&self) -> u8 {
        self.0 as u8 >> 2
    }

    /// The score, if it suffices for a search to `depth` with this window.
    #[inline(always)]
    pub fn cutoff(&self, depth: u32, ply: u32, window: Window) -> Option<Score> {
        let (alpha, beta) = window;
        let score = self.score(ply);
        let settles = match self.bound() {
            Bound::Exact => true,
            Bound::Lower => beta <= score,
            Bound::Upper => score <= alpha,
        };
        (depth <= self.depth() && settles).then_some(score)
    }
}

/// Searches count the plies to a win or loss from the root; entries count them from the position.
#[inline(always)]
fn shifted(score: Score, n_plies: i32) -> Score {
    match score.plies_to_end() {
        None => score,
        Some(_) if 0 < score.0 => Score(score.0 + n_plies),
        Some(_) => Score(score.0 - n_plies),
    }
}

#[derive(Debug, Default)]
struct Slot {
    /// The key XOR the entry.
    check: AtomicU64,
    entry: AtomicU64,
}

impl Slot {
    #[inline(always)]
    fn read(&self) -> (u64, Entry) {
        let entry = self.entry.load(Relaxed);
        (self.check.load(Relaxed) ^ entry, Entry(entry))
    }

    #[inline(always)]
    fn write(&self, key: u64, entry: Entry) {
        self.entry.store(entry.0, Relaxed);
        self.check.store(key ^ entry.0, Relaxed);
    }
}

/// The slots that a position can be in: one cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

const _: () = assert!(size_of::<Bucket>() == 64);

/// A fixed number of entries, for any number of threads.
#[derive(Debug, Default)]
pub struct Table {
    buckets: Vec<Bucket>,
    age: AtomicU8,
}

impl Table {
    /// A table of at most this many bytes, with a power of two of entries; none if that is 0.
    pub fn new(n_bytes: usize) -> Table {
        let n_buckets = n_bytes / size_of::<Bucket>();
        let n_buckets = if n_buckets == 0 { 0 } else { 1 << n_buckets.ilog2() };
        let mut buckets = Vec::with_capacity(n_buckets);
        memory::ask_for_large_pages(&mut buckets);
        buckets.resize_with(n_buckets, Bucket::default);
        Table { buckets, age: AtomicU8::new(0) }
    }

    /// Whether it keeps anything at all.
    pub fn is_on(&self) -> bool {
        !self.buckets.is_empty()
    }

    #[inline(always)]
    fn slots(&self, key: u64) -> Option<&[Slot; 4]> {
        let mask = self.buckets.len().checked_sub(1)?;
        Some(&self.buckets[key as usize & mask].0)
    }

    /// Starts to fetch the entry of a position that will be read soon.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        if let Some(slots) = self.slots(key) {
            memory::prefetch(slots);
        }
    }

    /// What is known of a position.
    #[inline(always)]
    pub fn get(&self, key: u64) -> Option<Entry> {
        for slot in self.slots(key)? {
            let (found, entry) = slot.read();
            // A key of 0 is an empty slot; one position in 2⁶⁴ is never found.
            if found == key && key != 0 {
                return Some(entry);
            }
        }
        None
    }

    /// Stores what a search found, replacing what was known of the position, or the least valuable entry of its bucket.
    #[inline(always)]
    pub fn insert(&self, key: u64, found: (Score, Bound), mv: Option<Move>, depth: u32, ply: u32) {
        let Some(slots) = self.slots(key) else { return };
        let age = self.age.load(Relaxed);
        let mut chosen = (i32::MAX, &slots[0]);
        for slot in slots {
            let (other, entry) = slot.read();
            if other == key || other == 0 {
                chosen.1 = slot;
                break;
            }
            let n_ages = age.wrapping_sub(entry.age()) % N_AGES;
            let worth = entry.depth() as i32 - PLIES_AN_AGE * i32::from(n_ages);
            if worth < chosen.0 {
                chosen = (worth, slot);
            }
        }
        let (score, bound) = found;
        let mv = mv.map_or(NO_MOVE, |m| m.0);
        let depth = depth.min(u8::MAX.into()) as u8;
        chosen.1.write(key, Entry::new(shifted(score, ply as i32), bound, mv, depth, age));
    }

    /// A new search begins: entries of older ones are replaced first.
    pub fn grow_older(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % N_AGES, Relaxed);
    }

    /// Removes all entries.
    pub fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.write(0, Entry(0));
        }
        self.age.store(0, Relaxed);
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        self.buckets.capacity() * size_of::<Bucket>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOUND: (Score, Bound) = (Score(-7), Bound::Lower);

    #[test]
    fn what_was_noted_is_found_as_it_was() {
        let table = Table::new(1 << 12);
        table.insert(9, FOUND, Some(Move(2298)), 31, 3);
        let entry = table.get(9).expect("an entry");
        assert_eq!((entry.score(3), entry.bound()), FOUND);
        assert_eq!((entry.mv(), entry.depth()), (Some(Move(2298)), 31));
        assert!(table.get(10).is_none());
        table.insert(9, (-Score::win_in(10), Bound::Exact), None, 1, 4);
        let entry = table.get(9).expect("an entry");
        assert_eq!(entry.score(0), -Score::win_in(6), "counted from the position");
        assert_eq!(entry.mv(), None);
        table.clear();
        assert!(table.get(9).is_none());
    }

    #[test]
    fn a_full_bucket_gives_up_what_is_old_and_shallow() {
        let table = Table::new(64);
        for (key, depth) in [(1, 5), (2, 3), (3, 9), (4, 4)] {
            table.insert(key, FOUND, None, depth, 0);
        }
        table.insert(5, FOUND, None, 1, 0);
        assert!(table.get(2).is_none() && table.get(5).is_some(), "the shallowest goes");
        for _ in 0..3 {
            table.grow_older();
        }
        table.insert(6, FOUND, None, 1, 0);
        table.insert(7, FOUND, None, 1, 0);
        table.insert(8, FOUND, None, 1, 0);
        let left = [1, 3, 4, 5, 6, 7, 8].map(|key| table.get(key).is_some());
        assert_eq!(left, [false, true, false, false, true, true, true], "the deepest of the old ones stays");
    }

    #[test]
    fn halves_of_two_writers_do_not_fit_together() {
        let table = Table::new(64);
        table.insert(1, FOUND, None, 5, 0);
        let slot = &table.buckets[0].0[0];
        slot.entry.store(Entry::new(Score(3), Bound::Exact, 1, 5, 0).0, Relaxed);
        assert!(table.get(1).is_none());
    }
}
