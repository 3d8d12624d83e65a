//! Independent work on several threads, with results in a fixed order.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use yarra_engine::Stop;

use crate::RunError;

/// Does `n` pieces of work on `n_jobs` threads and returns the results in the order of their numbers.
///
/// # Errors
/// If the flag was raised before all were done, or the first error of a piece.
pub fn map<T: Send>(
    n_jobs: usize,
    n: usize,
    stop: &Stop,
    work: impl Fn(usize) -> Result<T, RunError> + Sync,
) -> Result<Vec<T>, RunError> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<T>>> = Mutex::new((0..n).map(|_| None).collect());
    let failed = Mutex::new(None);
    let worker = || {
        loop {
            let idx = next.fetch_add(1, Ordering::Relaxed);
            if n <= idx || stop.is_raised() {
                return;
            }
            match work(idx) {
                Ok(result) => done.lock().unwrap_or_else(PoisonError::into_inner)[idx] = Some(result),
                Err(error) => {
                    failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    next.store(n, Ordering::Relaxed);
                    return;
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..n_jobs.clamp(1, n.max(1)) {
            scope.spawn(worker);
        }
        worker();
    });
    if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.into_iter().map(|result| result.ok_or(RunError::Stopped)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_whatever_the_number_of_threads() {
        let expected: Vec<_> = (0..100).map(|n| n * n).collect();
        for n_jobs in [0, 1, 3, 200] {
            assert_eq!(map(n_jobs, 100, &Stop::new(), |n| Ok(n * n)).expect("no piece fails"), expected);
        }
        assert!(map(2, 0, &Stop::new(), |_| Ok(())).expect("nothing to do").is_empty());
    }

    #[test]
    fn an_error_or_the_flag_ends_the_work() {
        let fail = |n: usize| if n == 7 { Err(RunError::new("seven")) } else { Ok(n) };
        assert_eq!(map(2, 100, &Stop::new(), fail).expect_err("a piece fails").to_string(), "seven");
        let stop = Stop::new();
        let raise = |n: usize| {
            if n == 5 {
                stop.raise();
            }
            Ok(n)
        };
        assert!(matches!(map(2, 100, &stop, raise), Err(RunError::Stopped)));
    }
}
