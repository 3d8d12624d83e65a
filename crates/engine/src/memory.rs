//! Two hints to the machine about memory with random access. Nothing depends on whether it follows them.
//!
//! Without them a third of a champion's time went into waiting for its table: each probe missed both the cache and the
//! TLB.

/// Asks for huge pages for memory that has not been written to.
pub fn ask_for_large_pages<T>(items: &mut Vec<T>) {
    #[cfg(target_os = "linux")]
    {
        use nix::sys::mman::{MmapAdvise, madvise};
        let n_bytes = items.capacity() * size_of::<T>();
        let start = items.as_mut_ptr().cast::<u8>();
        // The advice must start at a page, and a vector may start anywhere.
        let skipped = start.align_offset(PAGE);
        if n_bytes < 2 * PAGE || n_bytes <= skipped {
            return;
        }
        #[expect(unsafe_code, reason = "no safe call covers part of a vector")]
        // SAFETY: the advice changes no bytes, and the range lies within the vector's own memory.
        unsafe {
            if let Some(start) = std::ptr::NonNull::new(start.add(skipped).cast()) {
                // Refused where huge pages are switched off: then pages stay small.
                let _ = madvise(start, n_bytes - skipped, MmapAdvise::MADV_HUGEPAGE);
            }
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = items;
}

#[cfg(target_os = "linux")]
const PAGE: usize = 4096;

/// Starts to fetch something.
#[inline(always)]
pub fn prefetch<T>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        #[expect(unsafe_code, reason = "no safe call prefetches")]
        // SAFETY: a prefetch changes nothing, and every x86-64 CPU has the instruction.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = item;
}
