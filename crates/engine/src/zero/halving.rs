//! Sequential halving: simulations go to ever fewer moves of the root.

/// How often the move of each simulation must have been simulated before, so that `n_considered` moves get equal shares
/// of the simulations, then the better half of them, and so on down to two.
pub fn considered_visits(n_considered: usize, n_simulations: usize) -> Vec<u32> {
    let mut schedule = Vec::with_capacity(n_simulations);
    let mut n_considered = n_considered.min(n_simulations).max(1);
    let n_phases = n_considered.next_power_of_two().ilog2().max(1) as usize;
    let mut n_visits = 0;
    while schedule.len() < n_simulations {
        let n_each = (n_simulations / (n_phases * n_considered)).max(1);
        for _ in 0..n_each {
            schedule.extend(std::iter::repeat_n(n_visits, n_considered));
            n_visits += 1;
        }
        n_considered = (n_considered / 2).max(2.min(n_considered));
    }
    schedule.truncate(n_simulations);
    schedule
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_share_the_simulations() {
        assert_eq!(considered_visits(4, 8), [0, 0, 0, 0, 1, 1, 2, 2]);
        assert_eq!(considered_visits(4, 10), [0, 0, 0, 0, 1, 1, 2, 2, 3, 3]);
        assert_eq!(considered_visits(16, 1), [0]);
        assert_eq!(considered_visits(1, 3), [0, 1, 2]);
        assert_eq!(considered_visits(16, 3), [0, 0, 0]);
        let schedule = considered_visits(16, 64);
        let n_with = |n| schedule.iter().filter(|&&visits| visits == n).count();
        assert_eq!((schedule.len(), n_with(0), n_with(1), n_with(2), n_with(3)), (64, 16, 8, 8, 4));
    }
}
