//! A map of bounded size that drops its oldest entries.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

/// Values by the key of a position; once full, each new entry replaces the oldest.
#[derive(Clone, Debug)]
pub struct Cache<V> {
    values: HashMap<u64, V, BuildHasherDefault<KeyHasher>>,
    order: VecDeque<u64>,
    capacity: usize,
}

/// Keys of positions are hashes already.
#[derive(Clone, Copy, Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

impl<V> Cache<V> {
    /// A cache of at most `capacity` entries; it stores nothing if that is 0.
    pub fn new(capacity: usize) -> Cache<V> {
        Cache { values: HashMap::default(), order: VecDeque::new(), capacity }
    }

    /// Whether it stores anything.
    pub fn is_on(&self) -> bool {
        0 < self.capacity
    }

    /// The value of a key.
    pub fn get(&self, key: u64) -> Option<&V> {
        self.values.get(&key)
    }

    /// Stores a value. Returns the one that it replaces, if any.
    pub fn insert(&mut self, key: u64, value: V) -> Option<V> {
        if self.capacity == 0 {
            return None;
        }
        if let Some(old) = self.values.insert(key, value) {
            return Some(old);
        }
        self.order.push_back(key);
        let oldest = if self.capacity < self.order.len() { self.order.pop_front() } else { None };
        self.values.remove(&oldest?)
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.values.clear();
        self.order.clear();
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Bytes held, without what the values own.
    pub fn memory(&self) -> usize {
        self.values.capacity() * (size_of::<(u64, V)>() + 1) + self.order.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_entry_goes_first() {
        let mut cache = Cache::new(2);
        cache.insert(1, 'a');
        cache.insert(2, 'b');
        cache.insert(1, 'c');
        cache.insert(3, 'd');
        assert_eq!([1, 2, 3].map(|key| cache.get(key).copied()), [None, Some('b'), Some('d')]);
    }

    #[test]
    fn a_cache_of_no_size_keeps_nothing() {
        let mut cache = Cache::new(0);
        cache.insert(1, 'a');
        assert!(cache.is_empty());
    }
}
