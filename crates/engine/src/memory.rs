//! Two hints to the machine about memory that is read here and there. Nothing depends on whether it takes them.
//!
//! A third of a champion's time went into waiting for its table before there were any: each look at a position
//! missed the cache, and the map of pages as well.

/// Asks for pages of a few megabytes for memory that nothing was written to yet.
pub fn ask_for_large_pages<T>(items: &mut Vec<T>) {
    #[cfg(target_os = "linux")]
    {
        use nix::sys::mman::{MmapAdvise, madvise};
        let n_bytes = items.capacity() * size_of::<T>();
        let start = items.as_mut_ptr().cast::<u8>();
        // The system knows pages only by their beginnings, and a vector may lie anywhere.
        let skipped = start.align_offset(PAGE);
        if n_bytes < 2 * PAGE || n_bytes <= skipped {
            return;
        }
        #[expect(unsafe_code, reason = "no safe call takes part of a vector")]
        // SAFETY: the advice changes no bytes, and the range lies within the vector's own memory.
        unsafe {
            if let Some(start) = std::ptr::NonNull::new(start.add(skipped).cast()) {
                // Refused where such pages are switched off: then there are small ones.
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
        #[expect(unsafe_code, reason = "only the instruction itself fetches without waiting")]
        // SAFETY: a prefetch changes nothing, and every such machine has the instruction.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = item;
}
