//! Exact order statistics in bounded memory: radix selection from the most significant digit on.
//!
//! Pseudo-code for one group of values and one rank:
//!
//! ```text
//! prefix = nothing
//! for each digit of 16 bits, from the most significant on, a pass:
//!     count the digits of the values that start with prefix
//!     digit = the one in whose count the rank falls
//!     rank -= the counts of smaller digits;  append digit to prefix
//! ```
//!
//! Departures: 1. Ranks with the same prefix share their counts. 2. Counts are sorted lists, because most
//! digits are rare. 3. Units of few percentiles take turns if all their counts could exceed [`MAX_COUNTS`].

use super::{interpolated, numbers::Numbers, rank};
use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

/// Maximum number of counts in a pass: 128 MiB. Tests have few, so that units take turns.
const MAX_COUNTS: u64 = if cfg!(test) { 1 << 15 } else { 1 << 23 };

/// Number of new counts after which equal codes are added up: 32 MiB.
const NEW_COUNTS: usize = MAX_COUNTS as usize / 4;

/// Maximum number of percentiles of a unit.
const UNIT_PERCENTILES: usize = 16;

/// Bits of a digit.
const DIGIT_BITS: u32 = 16;

/// Index of a part, and of a label of it; `None` for all values of the part.
pub type GroupKey = (usize, Option<usize>);

/// Values whose percentiles are sought.
#[derive(Debug)]
pub struct Group {
    pub key: GroupKey,
    count: u64,
    bits: u32,
    /// For each percentile: the ranks of the two keys around it, the share of the second, and the keys.
    ranks: Vec<([u64; 2], f64)>,
    found: Vec<[u64; 2]>,
}

impl Group {
    /// Returns a group of `count` finite values with keys of so many bits; `None` if there are none. Values
    /// are in the order of their keys, or reversed.
    pub fn new(
        key: GroupKey,
        count: u64,
        (bits, is_reversed): (u32, bool),
        percentiles: &[f64],
    ) -> Option<Self> {
        if count == 0 {
            return None;
        }
        let of = |&percent: &f64| {
            let (below, share) = rank(percent, count);
            let ranks = [below, (below + 1).min(count - 1)];
            (if is_reversed { ranks.map(|rank| count - 1 - rank) } else { ranks }, share)
        };
        let found = vec![[0; 2]; percentiles.len()];
        Some(Self { key, count, bits, ranks: percentiles.iter().map(of).collect(), found })
    }

    /// Returns the percentiles, if `value` is the value of a key.
    pub fn percentiles(&self, value: impl Fn(u64) -> f64) -> Vec<f64> {
        let pairs = self.found.iter().zip(&self.ranks);
        pairs.map(|(keys, (_, share))| interpolated(keys.map(&value), *share)).collect()
    }
}

/// Some percentiles of a group.
#[derive(Debug)]
struct Unit {
    group: usize,
    bits: u32,
    /// Number of digits that are known.
    digits: u32,
    targets: Vec<Target>,
    /// Known digits of the targets, sorted.
    prefixes: Vec<u64>,
    /// Number of the counts of the first prefix.
    first_slot: u64,
}

/// A key that is sought.
#[derive(Debug)]
struct Target {
    percentile: usize,
    side: usize,
    prefix: u64,
    /// Rank among the keys with the prefix.
    rank: u64,
}

impl Unit {
    const fn is_done(&self) -> bool {
        self.digits * DIGIT_BITS >= self.bits
    }

    const fn passes_left(&self) -> u32 {
        self.bits.div_ceil(DIGIT_BITS) - self.digits
    }

    /// Returns the number of the counts, and the digit of a key with a known prefix.
    fn code(&self, key: u64) -> Option<u64> {
        let key = key << (64 - self.bits);
        let known = self.digits * DIGIT_BITS;
        let prefix = key.checked_shr(64 - known).unwrap_or(0);
        let slot = self.first_slot + self.prefixes.binary_search(&prefix).ok()? as u64;
        let digit = key << known >> (64 - DIGIT_BITS);
        Some(slot << DIGIT_BITS | digit)
    }
}

/// Number of codes, sorted by code.
type Counted = Vec<(u64, u64)>;

/// Returns the number of each code.
pub fn counted(mut codes: Vec<u64>) -> Counted {
    codes.sort_unstable();
    codes.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u64)).collect()
}

/// State of the selection of all groups.
pub struct Selection {
    groups: Vec<Group>,
    /// Units that wait: group and percentiles.
    waiting: Vec<(usize, Range<usize>)>,
    active: Vec<Unit>,
    /// Active units of each group.
    places: HashMap<GroupKey, Vec<usize>>,
    /// Parts with active labels.
    with_labels: HashSet<usize>,
    counts: Counted,
    /// Number of counts after the last addition of equal codes.
    compact_len: usize,
}

impl Selection {
    pub fn new(groups: Vec<Group>) -> Self {
        let units = |(index, group): (usize, &Group)| {
            let count = group.ranks.len();
            let starts = (0..count).step_by(UNIT_PERCENTILES);
            starts.map(move |start| (index, start..count.min(start + UNIT_PERCENTILES))).collect::<Vec<_>>()
        };
        let mut waiting: Vec<_> = groups.iter().enumerate().flat_map(units).collect();
        waiting.reverse();
        let (active, places, with_labels) = (Vec::new(), HashMap::new(), HashSet::new());
        Self { groups, waiting, active, places, with_labels, counts: Vec::new(), compact_len: 0 }
    }

    /// True if all keys are known.
    pub fn is_done(&self) -> bool {
        self.active.is_empty() && self.waiting.is_empty()
    }

    /// Returns the maximum number of counts of a unit in a pass.
    fn cost(&self, (group, percentiles): &(usize, Range<usize>)) -> u64 {
        self.groups[*group].count.min(2 * percentiles.len() as u64 * (1 << DIGIT_BITS))
    }

    /// Estimates the number of passes that are left.
    pub fn passes_left(&self) -> usize {
        let active = self.active.iter().map(Unit::passes_left).max().unwrap_or(0);
        let cost: u64 = self.waiting.iter().map(|unit| self.cost(unit)).sum();
        let bits = self.waiting.iter().map(|(group, _)| self.groups[*group].bits).max().unwrap_or(0);
        active as usize + cost.div_ceil(MAX_COUNTS) as usize * bits.div_ceil(DIGIT_BITS) as usize
    }

    /// Prepares a pass: continues with the active units, or takes some that wait.
    pub fn start(&mut self) {
        let mut cost = 0;
        if self.active.is_empty() {
            while let Some(next) = self.waiting.last() {
                cost += self.cost(next);
                if cost > MAX_COUNTS && !self.active.is_empty() {
                    break;
                }
                let (group, percentiles) = (next.0, next.1.clone());
                self.waiting.pop();
                let Group { bits, ranks, .. } = &self.groups[group];
                let targets = percentiles.flat_map(|percentile| {
                    let target = move |side, rank| Target { percentile, side, prefix: 0, rank };
                    let [below, above] = ranks[percentile].0;
                    [target(0, below), target(1, above)]
                });
                let (targets, bits) = (targets.collect(), *bits);
                self.active.push(Unit { group, bits, digits: 0, targets, prefixes: vec![0], first_slot: 0 });
            }
        }
        let mut slot = 0;
        self.places.clear();
        self.with_labels.clear();
        for (place, unit) in self.active.iter_mut().enumerate() {
            unit.prefixes = unit.targets.iter().map(|target| target.prefix).collect();
            unit.prefixes.sort_unstable();
            unit.prefixes.dedup();
            unit.first_slot = slot;
            slot += unit.prefixes.len() as u64;
            let key = self.groups[unit.group].key;
            self.places.entry(key).or_default().push(place);
            if key.1.is_some() {
                self.with_labels.insert(key.0);
            }
        }
    }

    /// Returns the active units of a part.
    pub fn of_part(&self, part: usize) -> PartUnits<'_> {
        PartUnits { selection: self, part }
    }

    /// Adds the codes of a piece.
    pub fn merge(&mut self, counted: Counted) {
        self.counts.extend(counted);
        if self.counts.len() - self.compact_len >= NEW_COUNTS {
            self.compact();
        }
    }

    /// Adds up the counts of equal codes.
    fn compact(&mut self) {
        // (This sort is fast on sorted runs.)
        self.counts.sort_by_key(|(code, _)| *code);
        self.counts.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 += next.1;
            }
            is_same
        });
        self.compact_len = self.counts.len();
    }

    /// Adds a digit to each key.
    pub fn finish_pass(&mut self) {
        self.compact();
        for unit in &mut self.active {
            for target in &mut unit.targets {
                let place = unit.prefixes.binary_search(&target.prefix).unwrap_or(0);
                let slot = unit.first_slot + place as u64;
                let start = self.counts.partition_point(|(code, _)| code >> DIGIT_BITS < slot);
                for (code, count) in &self.counts[start..] {
                    if target.rank < *count {
                        let digit = code & ((1 << DIGIT_BITS) - 1);
                        target.prefix = unit.prefixes[place] << DIGIT_BITS | digit;
                        break;
                    }
                    target.rank -= count;
                }
            }
            unit.digits += 1;
        }
        self.counts.clear();
        self.compact_len = 0;
        for unit in self.active.extract_if(.., |unit| unit.is_done()) {
            let surplus = unit.digits * DIGIT_BITS - unit.bits;
            for target in unit.targets {
                self.groups[unit.group].found[target.percentile][target.side] = target.prefix >> surplus;
            }
        }
    }

    /// Returns the groups with their keys.
    pub fn into_groups(self) -> Vec<Group> {
        self.groups
    }
}

/// The active units of a part.
pub struct PartUnits<'a> {
    selection: &'a Selection,
    part: usize,
}

impl PartUnits<'_> {
    /// True if any unit is of a label.
    pub fn has_labels(&self) -> bool {
        self.selection.with_labels.contains(&self.part)
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        !self.has_labels() && !self.selection.places.contains_key(&(self.part, None))
    }

    /// Adds the codes of the numbers of a label, or of all.
    pub fn add(&self, label: Option<usize>, numbers: &Numbers, range: Range<usize>, codes: &mut Vec<u64>) {
        let Some(places) = self.selection.places.get(&(self.part, label)) else { return };
        for unit in places.iter().map(|&place| &self.selection.active[place]) {
            let pairs = numbers.keys[range.clone()].iter().zip(&numbers.values[range.clone()]);
            let finite = pairs.filter(|(_, value)| value.is_finite());
            codes.extend(finite.filter_map(|(&key, _)| unit.code(key)));
        }
    }
}
