//! Cancellation: one flag that ends work on any thread.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A shared flag. Clones are the same flag; once raised it stays raised.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A flag that is not raised.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Raises the flag and returns whether it was raised before.
    pub fn raise(&self) -> bool {
        self.0.swap(true, Ordering::Relaxed)
    }

    /// Whether the flag is raised.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// `Break` once the flag is raised, as callbacks such as [`Watch`](crate::Watch) return it.
    pub fn flow(&self) -> ControlFlow<()> {
        if self.is_raised() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_are_one_flag() {
        let stop = Stop::new();
        let other = stop.clone();
        assert_eq!(other.flow(), ControlFlow::Continue(()));
        assert!(!stop.raise());
        assert!(other.is_raised() && other.raise());
        assert_eq!(other.flow(), ControlFlow::Break(()));
    }
}
