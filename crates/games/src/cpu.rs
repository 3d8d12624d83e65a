//! Hot loops compiled twice: for any CPU, and for CPUs with bit manipulation and AVX2.
//!
//! The rules mostly count, find and shift bits. The baseline x86-64 instruction set lacks the instructions
//! for that; Tetress mobility runs 2.2 times as fast with them. A program built for a recent CPU would crash
//! on older ones, so the choice is made at run time, once at the top of a loop. Functions called below must
//! be `#[inline(always)]` or go through [`Cpu::run`] again, or they are compiled for the baseline. That
//! includes closures: one passed to `array::map` made Infexion's perft three times as slow.

/// A proof that this CPU has certain instructions.
pub trait Cpu: Copy {
    /// Runs `work` compiled for this CPU; pass an `#[inline(always)]` closure.
    fn run<R>(self, work: impl FnOnce() -> R) -> R;
}

/// Any CPU.
#[derive(Clone, Copy, Debug)]
pub struct AnyCpu;

impl Cpu for AnyCpu {
    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }
}

/// A CPU with bit counting, bit manipulation and 256-bit vectors (on x86: since 2013).
#[derive(Clone, Copy, Debug)]
pub struct ModernCpu(());

impl ModernCpu {
    /// The proof, if this CPU qualifies.
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
            // SAFETY: the only constructor of `ModernCpu` has detected all of these features.
            #[expect(unsafe_code, reason = "calls code for features detected at run time")]
            unsafe {
                modern(work)
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        work()
    }
}

/// Runs `work`, an `#[inline(always)]` closure, with the best instructions of this CPU.
#[inline]
pub fn fastest<R>(work: impl FnOnce() -> R) -> R {
    match ModernCpu::detect() {
        Some(cpu) => cpu.run(work),
        None => work(),
    }
}
