//! The least error of a part, by best-first search with bounds.
//!
//! A *box* has single codes for the first channels, ranges of codes for one more, and all codes for the
//! others. Over it, each palette entry's value in a channel is within an interval, because it never falls as
//! a code rises. e(k, t) is the squared distance of texel t from the intervals of index k, summed over the
//! channels with codes or ranges. f(c, k, t) is the squared error in another channel c for some codes. With m
//! other channels, every encoding in the box has at least the error
//!
//! ```text
//! Σt mink (e + Σc f(c))  ≥  Σc Σt mink (e/m + f(c))  ≥  1/m · Σc min over codes Σt mink (e + m·f(c))
//! ```
//!
//! because a minimum of sums is not less than the sum of the minima: each channel may select its own index,
//! and its own codes. The last minimum, over the codes of one channel, is found exactly (`channel.rs`). For
//! m ≤ 1 and single codes, the bound is the smallest error in the box.
//!
//! The box with the smallest bound is divided next, so this bound holds for the part.

use super::channel::{Codes, Lanes, Minimum, Ranges, Texels};
use std::{cmp::Reverse, collections::BinaryHeap};

/// The p-bits of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PBits {
    None,
    /// One for both endpoints.
    Shared,
    /// One for each endpoint.
    Own,
}

impl PBits {
    /// Returns the choices. Endpoints with different p-bits are needed in one order only.
    fn choices(self) -> &'static [Option<[u8; 2]>] {
        match self {
            Self::None => &[None],
            Self::Shared => &[Some([0, 0]), Some([1, 1])],
            Self::Own => &[Some([0, 0]), Some([1, 1]), Some([0, 1])],
        }
    }
}

/// Form in which a part is stored.
#[derive(Clone, Copy, Debug)]
pub struct Coding {
    /// Bits of an endpoint's code in each channel, without the p-bit.
    pub bits: u32,
    pub p_bits: PBits,
    /// Weights of the second endpoint in 64ths, by index.
    pub weights: &'static [u16],
}

/// A box. The channels before `depth` have single codes.
#[derive(Debug, PartialEq, Eq)]
struct Node {
    bound: u32,
    choice: usize,
    depth: usize,
    single: [[usize; 2]; 3],
    /// Codes of the channel `depth`.
    ranges: Ranges,
    /// True if an encoding in the box has the error `bound`.
    is_exact: bool,
}

impl Ord for Node {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let key = |node: &Self| (Reverse(node.bound), node.is_exact, node.depth, node.ranges.level);
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Endpoints of a part.
#[derive(Debug)]
pub struct Endpoints {
    pub p_bits: Option<[u8; 2]>,
    /// Codes of both endpoints in each channel.
    pub codes: Vec<[usize; 2]>,
}

/// A part and the boxes that are not excluded.
pub struct Part {
    coding: Coding,
    /// The part's channels in the order in which they are searched.
    order: Vec<usize>,
    /// Texels with their channels in this order.
    texels: Texels,
    /// By choice of p-bits.
    codes: Vec<Codes>,
    open: BinaryHeap<Node>,
    /// All boxes that are no longer open have at least this error.
    excluded: u32,
    /// By choice of p-bits and channel: codes near which to start the search for a minimum.
    near: Vec<Vec<[usize; 2]>>,
    /// Number of boxes, in all channels, whose error was calculated.
    pub boxes: u64,
}

impl Part {
    /// Returns a part with one box for each choice of p-bits. `texels` has the part's channels of each texel.
    /// `alpha` is the number of the alpha channel: if all texels are opaque, they must stay so. Errors from
    /// `limit` on do not matter.
    pub fn new(texels: &[Vec<u8>], alpha: Option<usize>, coding: Coding, limit: u32) -> Self {
        let order = by_variance(texels);
        let ordered: Vec<_> = texels.iter().map(|texel| order.iter().map(|&c| texel[c]).collect()).collect();
        let alpha = alpha.and_then(|alpha| order.iter().position(|&c| c == alpha));
        let mut part = Self {
            coding,
            order,
            texels: Texels::new(&ordered, alpha, coding.weights),
            codes: coding.p_bits.choices().iter().map(|&p_bits| Codes::new(coding.bits, p_bits)).collect(),
            open: BinaryHeap::new(),
            excluded: u32::MAX,
            near: Vec::new(),
            boxes: 0,
        };
        let channels = part.texels.channels.len();
        part.near = vec![vec![[0; 2]; channels]; part.codes.len()];
        let errors = part.texels.no_errors();
        for choice in 0..part.codes.len() {
            let mut sum = 0.0;
            for channel in 0..channels {
                sum += part.minimum(choice, channel, &errors, 1.0, limit as f32 - sum);
            }
            part.keep(
                Node {
                    bound: sum as u32,
                    choice,
                    depth: 0,
                    single: [[0; 2]; 3],
                    ranges: Ranges::ALL,
                    is_exact: channels == 1,
                },
                limit,
            );
        }
        part
    }

    /// Keeps a box unless its bound is at least `limit`.
    fn keep(&mut self, node: Node, limit: u32) {
        if node.bound < limit {
            self.open.push(node);
        } else {
            self.excluded = self.excluded.min(node.bound);
        }
    }

    /// Returns a lower bound of the part's error.
    pub fn bound(&self) -> u32 {
        self.open.peek().map_or(self.excluded, |node| node.bound.min(self.excluded))
    }

    /// True if an encoding of the part has the error [`Self::bound`].
    pub fn is_exact(&self) -> bool {
        self.open.peek().is_some_and(|node| node.is_exact && node.bound <= self.excluded)
    }

    /// Divides the box with the smallest bound. Errors from `limit` on do not matter.
    pub fn refine(&mut self, limit: u32) {
        let Some(node) = self.open.pop() else { return };
        if node.bound >= limit {
            self.excluded = self.excluded.min(node.bound);
            return;
        }
        if node.is_exact {
            self.open.push(node);
            return;
        }
        let Node { choice, mut depth, mut single, mut ranges, .. } = node;
        if self.codes[choice].is_single(ranges) {
            single[depth] = [ranges.a, ranges.b];
            (depth, ranges) = (depth + 1, Ranges::ALL);
        }
        let errors = self.errors(choice, &single[..depth]);
        for ranges in ranges.halves() {
            let codes = &self.codes[choice];
            if depth == 0 && codes.is_symmetric && ranges.a > ranges.b {
                continue;
            }
            let mut errors = errors.clone();
            self.texels.add(&mut errors, depth, codes, ranges);
            let is_exact = codes.is_single(ranges) && depth + 2 >= self.texels.channels.len();
            let bound = self.least(choice, depth, &errors, limit).max(node.bound);
            self.keep(Node { bound, choice, depth, single, ranges, is_exact }, limit);
        }
    }

    /// Returns endpoints with the error [`Self::bound`]; `None` if that is not exact.
    pub fn endpoints(&mut self) -> Option<Endpoints> {
        let &Node { choice, depth, single, ranges, .. } = self.open.peek().filter(|_| self.is_exact())?;
        let mut codes = single[..depth].to_vec();
        if self.codes[choice].is_single(ranges) {
            codes.push([ranges.a, ranges.b]);
        }
        let channel = codes.len();
        if channel < self.order.len() {
            let errors = self.errors(choice, &codes);
            self.minimum(choice, channel, &errors, 1.0, f32::MAX);
            codes.push(self.near[choice][channel]);
        }
        let mut of_channels = vec![[0; 2]; codes.len()];
        self.order.iter().zip(codes).for_each(|(&channel, codes)| of_channels[channel] = codes);
        Some(Endpoints { p_bits: self.coding.p_bits.choices()[choice], codes: of_channels })
    }

    /// Returns the errors in the first channels, with these codes.
    fn errors(&self, choice: usize, codes: &[[usize; 2]]) -> Vec<Lanes> {
        let mut errors = self.texels.no_errors();
        let level = self.codes[choice].bits;
        for (channel, &[a, b]) in codes.iter().enumerate() {
            self.texels.add(&mut errors, channel, &self.codes[choice], Ranges { level, a, b });
        }
        errors
    }

    /// Returns the bound of a box with these errors in the channels up to `depth`; at least `limit` if the
    /// bound is not below it.
    fn least(&mut self, choice: usize, depth: usize, errors: &[Lanes], limit: u32) -> u32 {
        let least = self.texels.sum(errors);
        self.boxes += 1;
        let others = depth + 1..self.texels.channels.len();
        if others.is_empty() || least >= limit as f32 {
            return least as u32;
        }
        let factor = others.len() as f32;
        // Each channel's sum is at least `least`.
        let (mut sum, limit) = (factor * least, factor * limit as f32);
        for c in others {
            sum += self.minimum(choice, c, errors, factor, limit - sum + least) - least;
            if sum >= limit {
                break;
            }
        }
        (sum / factor).ceil() as u32
    }

    /// Returns the smallest sum of `errors` plus `factor` times the errors of a channel, at most `limit`.
    fn minimum(&mut self, choice: usize, channel: usize, errors: &[Lanes], factor: f32, limit: f32) -> f32 {
        let near = &mut self.near[choice][channel];
        let mut search = Minimum {
            texels: &self.texels,
            codes: &self.codes[choice],
            channel,
            errors,
            factor,
            least: limit,
            at: None,
            boxes: 0,
        };
        search.find(*near);
        self.boxes += search.boxes;
        *near = search.at.unwrap_or(*near);
        search.least
    }
}

/// Returns the channels in the order of their variance. The largest is first: that channel restricts the
/// indices most.
fn by_variance(texels: &[Vec<u8>]) -> Vec<usize> {
    let channel_count = texels.first().map_or(0, Vec::len);
    let variance = |&c: &usize| {
        let values = || texels.iter().map(|texel| u64::from(texel[c]));
        Reverse(texels.len() as u64 * values().map(|v| v * v).sum::<u64>() - values().sum::<u64>().pow(2))
    };
    let mut order: Vec<_> = (0..channel_count).collect();
    order.sort_by_key(variance);
    order
}
