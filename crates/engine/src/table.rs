//! The transposition table: what searches have found out about positions.
//!
//! Threads share it without locks. A place holds two words, what is known and the key mixed with it: two
//! halves of different writers do not fit together, and such a place counts as empty.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use yarra_games::Move;

use crate::{Score, memory};

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

/// What is known of a position: 32 bits of score, 16 of move, 8 of depth, 2 of bound, 6 of age.
#[derive(Clone, Copy, Debug)]
pub struct Entry(u64);

const NO_MOVE: u16 = u16::MAX;
/// Ages begin anew after so many searches.
const N_AGES: u8 = 64;
/// A search ago is as bad as so many plies less.
const PLIES_AN_AGE: i32 = 3;

impl Entry {
    #[inline(always)]
    fn new(score: Score, bound: Bound, mv: u16, depth: u8, age: u8) -> Entry {
        let kind = u64::from(age << 2 | bound as u8);
        Entry(u64::from(score.0 as u32) << 32 | u64::from(mv) << 16 | u64::from(depth) << 8 | kind)
    }

    /// The move that was best or good enough.
    #[inline(always)]
    pub fn mv(&self) -> Option<Move> {
        let mv = (self.0 >> 16) as u16;
        (mv != NO_MOVE).then_some(Move(mv))
    }

    /// The score as seen from `ply` plies below the root.
    #[inline(always)]
    pub fn score(&self, ply: u32) -> Score {
        shifted(Score((self.0 >> 32) as i32), -(ply as i32))
    }

    /// How deep it was searched.
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

    /// The score, if it settles a search to `depth` with this window.
    #[inline(always)]
    pub fn cutoff(&self, depth: u32, ply: u32, window: (Score, Score)) -> Option<Score> {
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

/// Wins and losses are counted from the root, but stored as counted from the position.
#[inline(always)]
fn shifted(score: Score, n_plies: i32) -> Score {
    match score.plies_to_end() {
        None => score,
        Some(_) if 0 < score.0 => Score(score.0 + n_plies),
        Some(_) => Score(score.0 - n_plies),
    }
}

#[derive(Debug, Default)]
struct Place {
    /// The key, mixed with the entry.
    check: AtomicU64,
    entry: AtomicU64,
}

impl Place {
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

/// The places that a position can be in: what one fetch from memory brings.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Place; 4]);

const _: () = assert!(size_of::<Bucket>() == 64);

/// A fixed number of entries, for any number of threads.
#[derive(Debug, Default)]
pub struct Table {
    buckets: Vec<Bucket>,
    age: AtomicU8,
}

impl Table {
    /// A table of about so many bytes, a power of two of entries; none if that is 0.
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
    fn places(&self, key: u64) -> Option<&[Place; 4]> {
        let mask = self.buckets.len().checked_sub(1)?;
        Some(&self.buckets[key as usize & mask].0)
    }

    /// Says that a position will be asked for soon, so that it is on its way from memory while other work goes on.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        if let Some(places) = self.places(key) {
            memory::prefetch(places);
        }
    }

    /// What is known of a position.
    #[inline(always)]
    pub fn get(&self, key: u64) -> Option<Entry> {
        for place in self.places(key)? {
            let (found, entry) = place.read();
            // A key of 0 is an empty place; one position in 2⁶⁴ is never found.
            if found == key && key != 0 {
                return Some(entry);
            }
        }
        None
    }

    /// Notes what a search found, in place of what was known of the position or of what matters least.
    #[inline(always)]
    pub fn insert(&self, key: u64, found: (Score, Bound), mv: Option<Move>, depth: u32, ply: u32) {
        let Some(places) = self.places(key) else { return };
        let age = self.age.load(Relaxed);
        let mut chosen = (i32::MAX, &places[0]);
        for place in places {
            let (other, entry) = place.read();
            if other == key || other == 0 {
                chosen.1 = place;
                break;
            }
            let n_ages = age.wrapping_sub(entry.age()) % N_AGES;
            let worth = entry.depth() as i32 - PLIES_AN_AGE * i32::from(n_ages);
            if worth < chosen.0 {
                chosen = (worth, place);
            }
        }
        let (score, bound) = found;
        let mv = mv.map_or(NO_MOVE, |m| m.0);
        let depth = depth.min(u8::MAX.into()) as u8;
        chosen.1.write(key, Entry::new(shifted(score, ply as i32), bound, mv, depth, age));
    }

    /// A new search begins: what older ones found is the first to go.
    pub fn grow_older(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % N_AGES, Relaxed);
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for place in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            place.write(0, Entry(0));
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
        let place = &table.buckets[0].0[0];
        place.entry.store(Entry::new(Score(3), Bound::Exact, 1, 5, 0).0, Relaxed);
        assert!(table.get(1).is_none());
    }
}
