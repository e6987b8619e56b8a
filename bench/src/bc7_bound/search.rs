//! A lower bound of a block's error, by best-first search over its layouts.

use super::{
    layout::{Layout, Partitions, layouts},
    part::Part,
    write,
};
use crate::sample::Block;
use std::{cmp::Reverse, collections::BinaryHeap};

/// Result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// No block has a smaller error.
    pub error: u32,
    /// True if a block has this error.
    pub is_reached: bool,
    /// A block with this error, if it is smaller than that of the known block.
    pub better: Option<[u8; 16]>,
}

/// A layout that the search has not excluded.
struct Candidate<'a> {
    layout: &'a Layout,
    parts: Vec<Part>,
}

impl<'a> Candidate<'a> {
    /// Returns a candidate; `None` if its error is not below `known`.
    fn new(layout: &'a Layout, known: u32, boxes: &mut u64) -> Option<Self> {
        let mut candidate = Self { layout, parts: Vec::new() };
        for part in &layout.parts {
            let bound = candidate.bound();
            if bound >= known {
                return None;
            }
            let alpha = part.channels.iter().position(|&c| c == 3);
            candidate.parts.push(Part::new(&part.texels, alpha, part.coding, known - bound));
            *boxes += candidate.parts.last().map_or(0, |part| part.boxes);
        }
        (candidate.bound() < known).then_some(candidate)
    }

    fn bound(&self) -> u32 {
        self.layout.error + self.parts.iter().map(Part::bound).sum::<u32>()
    }

    /// Refines the part without an exact error that has had the least work. Returns the number of boxes whose
    /// error was calculated; `None` if all parts have their exact error.
    fn refine(&mut self, known: u32) -> Option<u64> {
        let bound = self.bound();
        let part = self.parts.iter_mut().filter(|part| !part.is_exact()).min_by_key(|part| part.boxes)?;
        let before = part.boxes;
        part.refine(known - (bound - part.bound()));
        Some(part.boxes - before)
    }

    /// Returns the block with the error [`Self::bound`]; `None` if that is not exact.
    fn bytes(&mut self) -> Option<[u8; 16]> {
        let endpoints: Option<Vec<_>> = self.parts.iter_mut().map(Part::endpoints).collect();
        endpoints.map(|endpoints| write::bytes(self.layout, endpoints))
    }
}

/// Returns a lower bound of the error of `block` over all layouts; a block with the error `known` exists. The
/// search ends after about `budget` boxes.
pub fn bound(block: &Block, partitions: &Partitions, known: u32, budget: u64) -> Bound {
    over(&layouts(block, partitions), known, budget)
}

/// Returns the same over these layouts of a block.
pub fn over(layouts: &[Layout], known: u32, budget: u64) -> Bound {
    let mut boxes = 0;
    let mut candidates: Vec<_> =
        layouts.iter().filter_map(|layout| Candidate::new(layout, known, &mut boxes)).collect();
    let mut open: BinaryHeap<_> =
        candidates.iter().enumerate().map(|(at, candidate)| Reverse((candidate.bound(), at))).collect();
    while let Some(Reverse((bound, at))) = open.pop() {
        if bound >= known {
            break;
        }
        if boxes >= budget {
            return Bound { error: bound, is_reached: false, better: None };
        }
        match candidates[at].refine(known) {
            Some(more) => boxes += more,
            None => {
                let better = candidates[at].bytes();
                return Bound { error: bound, is_reached: true, better };
            }
        }
        let bound = candidates[at].bound();
        if bound < known {
            open.push(Reverse((bound, at)));
        }
    }
    Bound { error: known, is_reached: true, better: None }
}
