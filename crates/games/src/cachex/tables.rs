//! Tables of cells and boards, made at compile time.
//!
//! The same functions make them for all widths, in four words, and cut them to each width.

use super::bits::{Frame, Near};

/// A set of cells in the widest form, lowest word first.
pub type Words = [u64; 4];

pub const fn lowest_word(words: Words) -> u64 {
    words[0]
}

pub const fn lower_half(words: Words) -> u128 {
    words[0] as u128 | (words[1] as u128) << 64
}

const fn add(words: &mut Words, bit: usize) {
    words[bit / 64] |= 1 << (bit % 64);
}

/// The six steps to a neighbor, in order around the cell.
const STEPS: [(i32, i32); 6] = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)];

pub const fn near_words(bit: usize, stride: usize, size: usize) -> Near<Words> {
    let mut near = Near { ring: [0; 4], opposite: [0; 4] };
    let (row, col) = ((bit / stride) as i32, (bit % stride) as i32);
    if size as i32 <= row || size as i32 <= col {
        return near;
    }
    let mut n = 0;
    while n < 6 {
        let (before, here, after) = (STEPS[(n + 5) % 6], STEPS[n], STEPS[(n + 1) % 6]);
        let side = cell_at((row + here.0, col + here.1), stride, size);
        let next = cell_at((row + after.0, col + after.1), stride, size);
        let previous = cell_at((row + before.0, col + before.1), stride, size);
        let beyond = cell_at((row + here.0 + after.0, col + here.1 + after.1), stride, size);
        if let Some(side) = side {
            add(&mut near.ring, side);
            // A capture needs the diamond's two other corners on the board.
            if next.is_some() && previous.is_some() {
                add(&mut near.opposite, side);
            }
            if let Some(beyond) = beyond
                && next.is_some()
            {
                add(&mut near.opposite, beyond);
            }
        }
        n += 1;
    }
    near
}

const fn cell_at((row, col): (i32, i32), stride: usize, size: usize) -> Option<usize> {
    let size = size as i32;
    if 0 <= row && row < size && 0 <= col && col < size {
        Some(row as usize * stride + col as usize)
    } else {
        None
    }
}

pub const fn not_edges(stride: usize) -> [Words; 2] {
    let mut not_edges = [[!0; 4]; 2];
    let mut bit = 0;
    while bit < 256 {
        let edge = match bit % stride {
            0 => Some(0),
            col if col == stride - 1 => Some(1),
            _ => None,
        };
        if let Some(edge) = edge {
            not_edges[edge][bit / 64] &= !(1 << (bit % 64));
        }
        bit += 1;
    }
    not_edges
}

pub const fn frame_words(size: usize, stride: usize) -> Frame<Words> {
    let mut frame = Frame { all: [0; 4], first: [[0; 4]; 2], last: [[0; 4]; 2] };
    let mut row = 0;
    while row < size {
        let mut col = 0;
        while col < size {
            add(&mut frame.all, row * stride + col);
            col += 1;
        }
        add(&mut frame.first[0], row);
        add(&mut frame.last[0], (size - 1) * stride + row);
        add(&mut frame.first[1], row * stride);
        add(&mut frame.last[1], row * stride + size - 1);
        row += 1;
    }
    frame
}

/// The constant tables of a [`Bits`](super::Bits) type; `$cut` cuts four words to its width.
macro_rules! tables {
    ($cut:path, $n_bits:expr) => {
        const NEAR: &'static [Near<Self>] = &{
            let mut near = [Near { ring: Self::NONE, opposite: Self::NONE }; $n_bits];
            let mut bit = 0;
            while bit < near.len() {
                let words = $crate::cachex::tables::near_words(bit, Self::STRIDE, Self::MAX_SIZE as usize);
                near[bit] = Near { ring: $cut(words.ring), opposite: $cut(words.opposite) };
                bit += 1;
            }
            near
        };
        const NOT_EDGES: [Self; 2] = {
            let [first, last] = $crate::cachex::tables::not_edges(Self::STRIDE);
            [$cut(first), $cut(last)]
        };
        const FRAMES: &'static [Frame<Self>] = &{
            let none = Frame { all: Self::NONE, first: [Self::NONE; 2], last: [Self::NONE; 2] };
            let mut frames = [none; Self::MAX_SIZE as usize + 1];
            let mut size = 0;
            while size < frames.len() {
                let Frame { all, first, last } = $crate::cachex::tables::frame_words(size, Self::STRIDE);
                frames[size] = Frame {
                    all: $cut(all),
                    first: [$cut(first[0]), $cut(first[1])],
                    last: [$cut(last[0]), $cut(last[1])],
                };
                size += 1;
            }
            frames
        };
    };
}

pub(super) use tables;
