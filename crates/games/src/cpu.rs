//! Hot loops compiled twice: for any machine, and for one with the instructions of the last ten years.
//!
//! The rules live on counting, finding and shifting bits, for which the oldest 64-bit machines have no
//! instructions: Tetress mobility runs 2.2 times as fast with them. A program built for the newest
//! machine would crash on the others, so the choice is made at run time, once at the top of a loop. What
//! runs below must be marked `#[inline(always)]` or go through [`Cpu::run`] again, or it is compiled
//! for the oldest machine. That holds for closures too: one handed to `array::map` made Infexion's perft
//! three times as slow.

/// A proof that this machine has certain instructions.
pub trait Cpu: Copy {
    /// Runs `work` with what this machine has; pass an `#[inline(always)]` closure.
    fn run<R>(self, work: impl FnOnce() -> R) -> R;
}

/// Any machine.
#[derive(Clone, Copy, Debug)]
pub struct AnyCpu;

impl Cpu for AnyCpu {
    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }
}

/// A machine with bit counting, bit manipulation and 256-bit vectors (on x86: from 2013 on).
#[derive(Clone, Copy, Debug)]
pub struct ModernCpu(());

impl ModernCpu {
    /// The proof, if this machine is one.
    #[inline]
    pub fn detect() -> Option<ModernCpu> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
        {
            return Some(ModernCpu(()));
        }
        None
    }
}

impl Cpu for ModernCpu {
    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn modern<R>(work: impl FnOnce() -> R) -> R {
                work()
            }
            // SAFETY: the only constructor of `ModernCpu` has seen all of these features.
            #[expect(unsafe_code, reason = "calling code for features found at run time")]
            unsafe {
                modern(work)
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        work()
    }
}

/// Runs `work`, an `#[inline(always)]` closure, with the best that this machine has.
#[inline]
pub fn fastest<R>(work: impl FnOnce() -> R) -> R {
    match ModernCpu::detect() {
        Some(cpu) => cpu.run(work),
        None => work(),
    }
}
