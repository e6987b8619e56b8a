//! A lower bound of a block's error, by best-first search over its layouts.

use super::{
    layout::{Layout, Partitions, layouts},
    part::Part,
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
}

/// A layout that the search has not excluded.
struct Candidate {
    /// Error that no endpoint changes.
    error: u32,
    parts: Vec<Part>,
}

impl Candidate {
    /// Returns a candidate; `None` if its error is not below `known`.
    fn new(layout: &Layout, known: u32, boxes: &mut u64) -> Option<Self> {
        let mut candidate = Self { error: layout.error, parts: Vec::new() };
        for (texels, coding) in &layout.parts {
            if candidate.bound() >= known {
                return None;
            }
            candidate.parts.push(Part::new(texels, *coding));
            *boxes += candidate.parts.last().map_or(0, |part| part.boxes);
        }
        (candidate.bound() < known).then_some(candidate)
    }

    fn bound(&self) -> u32 {
        self.error + self.parts.iter().map(Part::bound).sum::<u32>()
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
}

/// Returns a lower bound of the error of `block` over the layouts of some modes; a block with the error
/// `known` exists. The search ends after about `budget` boxes.
pub fn bound(block: &Block, partitions: &Partitions, known: u32, budget: u64) -> Bound {
    over(&layouts(block, partitions), known, budget)
}

/// Returns a lower bound of the error over some layouts of a block.
fn over(layouts: &[Layout], known: u32, budget: u64) -> Bound {
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
            return Bound { error: bound, is_reached: false };
        }
        match candidates[at].refine(known) {
            Some(more) => boxes += more,
            None => return Bound { error: bound, is_reached: true },
        }
        let bound = candidates[at].bound();
        if bound < known {
            open.push(Reverse((bound, at)));
        }
    }
    Bound { error: known, is_reached: true }
}
