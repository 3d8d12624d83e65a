//! Hot loops compiled twice: for any CPU, and for CPUs with bit manipulation and AVX2. Two kinds are compiled a third time
//! for 512-bit vectors: loops over floats, where multiplying and adding at once doubles the speed and wider vectors
//! double it again, and the search of Tetress, which counts bits in vectors (1.55 times as fast).
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

macro_rules! cpu {
    ($(#[$doc:meta])* $name:ident, $features:literal, $($feature:tt),+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(());

        impl $name {
            /// The proof, if this CPU qualifies.
            #[inline]
            pub fn detect() -> Option<$name> {
                #[cfg(target_arch = "x86_64")]
                if $(is_x86_feature_detected!($feature))&&+ {
                    return Some($name(()));
                }
                None
            }
        }

        impl Cpu for $name {
            #[inline(always)]
            fn run<R>(self, work: impl FnOnce() -> R) -> R {
                #[cfg(target_arch = "x86_64")]
                {
                    #[target_feature(enable = $features)]
                    fn compiled<R>(work: impl FnOnce() -> R) -> R {
                        work()
                    }
                    // SAFETY: the only constructor has detected all of these features.
                    #[expect(unsafe_code, reason = "calls code for features detected at run time")]
                    unsafe {
                        compiled(work)
                    }
                }
                #[cfg(not(target_arch = "x86_64"))]
                work()
            }
        }
    };
}

cpu! {
    /// A CPU with bit counting, bit manipulation and 256-bit vectors (on x86: since 2013).
    ModernCpu, "avx2,bmi1,bmi2,lzcnt,popcnt", "avx2", "bmi1", "bmi2", "lzcnt", "popcnt"
}

cpu! {
    /// A modern CPU that also combines three words in one instruction, on 512-bit vectors, and counts the bits of
    /// their words.
    BitVectorCpu, "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq",
    "avx2", "bmi1", "bmi2", "lzcnt", "popcnt", "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512vpopcntdq"
}

/// Runs `work`, an `#[inline(always)]` closure, with the best instructions of this CPU.
#[inline]
pub fn fastest<R>(work: impl FnOnce() -> R) -> R {
    match ModernCpu::detect() {
        Some(cpu) => cpu.run(work),
        None => work(),
    }
}

/// A CPU for loops over floats.
///
/// The results of such loops are the same on all CPUs that fuse, whatever the width of their vectors.
pub trait FloatCpu: Cpu {
    /// Whether one instruction multiplies and adds, which rounds once instead of twice. Without it, asking for one
    /// rounding would be a slow function call.
    const FUSED: bool;
    /// Whether vectors have 512 bits, and there are 32 of them.
    const WIDE: bool;

    /// `a * b + c`.
    #[inline(always)]
    fn mul_add(a: f32, b: f32, c: f32) -> f32 {
        if Self::FUSED { a.mul_add(b, c) } else { a * b + c }
    }
}

impl FloatCpu for AnyCpu {
    const FUSED: bool = cfg!(target_feature = "fma") || cfg!(target_arch = "aarch64");
    const WIDE: bool = false;
}

cpu! {
    /// A CPU with 256-bit vectors that fuse multiplication and addition (on x86: since 2013).
    FusedCpu, "avx2,fma", "avx2", "fma"
}

impl FloatCpu for FusedCpu {
    const FUSED: bool = true;
    const WIDE: bool = false;
}

cpu! {
    /// A CPU with 512-bit vectors.
    WideCpu, "avx2,fma,avx512f,avx512bw,avx512dq,avx512vl",
    "avx2", "fma", "avx512f", "avx512bw", "avx512dq", "avx512vl"
}

impl FloatCpu for WideCpu {
    const FUSED: bool = true;
    const WIDE: bool = true;
}

/// Work over floats that is compiled for each kind of CPU. `run` must be `#[inline(always)]`.
pub trait FloatWork {
    /// The result.
    type Output;

    /// Does the work on a CPU.
    fn run<C: FloatCpu>(self) -> Self::Output;
}

/// Runs `work` with the best instructions of this CPU.
#[inline]
pub fn fastest_float<W: FloatWork>(work: W) -> W::Output {
    if let Some(cpu) = WideCpu::detect() {
        cpu.run(
            #[inline(always)]
            || work.run::<WideCpu>(),
        )
    } else if let Some(cpu) = FusedCpu::detect() {
        cpu.run(
            #[inline(always)]
            || work.run::<FusedCpu>(),
        )
    } else {
        work.run::<AnyCpu>()
    }
}
