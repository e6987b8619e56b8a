//! Labels to bits.

use super::{MASK_BITS, PAIR_BITS, PAIRS, SINGLE_BITS, SLICES, VOXELS, marks, votes::codes};
use crate::{
    bits::{BitWriter, width},
    brick::{
        dictionary::{dictionary_bits, distinct, put_start},
        limits::{GROUP, MAX_DICTIONARY, MAX_LABEL},
        order::to_morton,
        predict,
        shape::BrickBox,
    },
    simd::{Bits, Portable, SimdKernel},
};

/// Replaces the brick of `values` (0..=`range`, as for [`encode::brick`](super::super::encode::brick)) from
/// byte `start` of `out` on by a label brick if that takes fewer bytes.
pub(in crate::brick) struct Smaller<'a> {
    values: &'a [u32; VOXELS],
    range: u32,
    part: BrickBox,
    start: usize,
    out: &'a mut Vec<u8>,
}

impl<'a> Smaller<'a> {
    #[inline(always)]
    pub fn new(values: &'a [u32], range: u32, part: BrickBox, start: usize, out: &'a mut Vec<u8>) -> Self {
        let values = values.try_into().expect("the values of a whole brick");
        Self { values, range, part, start, out }
    }
}

impl SimdKernel for Smaller<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) {
        let Self { values, range, part, start, out } = self;
        let mut entries = [0; MAX_DICTIONARY];
        let count = distinct(values, range, &mut entries);
        if count == 0 {
            return;
        }
        let entries = &entries[..count];
        // Fewer bits than these make fewer bytes.
        let most = 8 * (out.len() - start) as u32 - 7;
        let mut best: Option<LabelBrick> = None;
        let mut labels = [0; VOXELS];
        if range <= MAX_LABEL {
            for (label, &value) in labels.iter_mut().zip(values) {
                *label = value as u8;
            }
            let labels = &labels;
            bits.call(FindBest {
                labels,
                largest: range,
                range,
                part,
                dictionary: None,
                most,
                best: &mut best,
            });
        }
        if (count as u32) <= range {
            for (label, value) in labels.iter_mut().zip(values) {
                *label = entries.iter().map(|entry| u8::from(entry < value)).sum();
            }
            let (labels, largest, dictionary) = (&labels, count as u32 - 1, Some(&entries[1..count - 1]));
            let most = best.as_ref().map_or(most, |best| best.bits);
            bits.call(FindBest { labels, largest, range, part, dictionary, most, best: &mut best });
        }
        if let Some(best) = best {
            out.truncate(start);
            best.write(range, part, out);
            debug_assert_eq!(out.len() - start, best.bits.div_ceil(8) as usize, "{part:?}");
        }
    }
}

/// A label brick that is not yet written.
struct LabelBrick<'a> {
    /// Size in bits.
    bits: u32,
    predictor: usize,
    largest: u32,
    dictionary: Option<&'a [u32]>,
    first: u8,
    /// Codes in Morton order, then zeros.
    codes: [u8; VOXELS],
}

/// Takes the predictor with which labels take the fewest bits, if they take fewer than `most`.
struct FindBest<'a, 'b, 'c> {
    labels: &'a [u8; VOXELS],
    largest: u32,
    range: u32,
    part: BrickBox,
    dictionary: Option<&'b [u32]>,
    most: u32,
    best: &'c mut Option<LabelBrick<'b>>,
}

impl SimdKernel for FindBest<'_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) {
        let Self { labels, largest, range, part, dictionary, mut most, best } = self;
        let count = part.count();
        let places = (!part.is_whole()).then(|| part.places(false));
        let in_order = |codes: &[u8; VOXELS]| {
            let mut ordered = match &places {
                None => to_morton(codes),
                Some(places) => {
                    let mut ordered = [0; VOXELS];
                    for (ordered, &place) in ordered.iter_mut().zip(&places[..count]) {
                        *ordered = codes[usize::from(place)];
                    }
                    ordered
                }
            };
            ordered[0] = 0;
            ordered
        };
        let header_bits = 4
            + u32::from(range > 1)
            + dictionary.map_or(0, |inner| dictionary_bits(range, inner.len() + 2))
            + marks(largest).map(|(_, bits)| bits).iter().sum::<u32>()
            + width(largest);
        // No predictor takes fewer bits.
        if header_bits + code_bits(&in_order(&least_codes(labels)), count, largest) >= most {
            return;
        }
        let mut slices = [bits.fill_quarters([0; 4]); SLICES];
        for (slice, labels) in slices.iter_mut().zip(labels.as_chunks::<64>().0) {
            *slice = bits.bytes(labels);
        }
        // Predictor 15 differs from predictor 2 only by an order that label bricks do not have.
        for predictor in 0..predict::SORTED {
            let mut all = [[0; 64]; SLICES];
            for (all, codes) in all.iter_mut().zip(codes(bits, &slices, predictor, largest)) {
                bits.store(codes, all);
            }
            let codes = in_order(all.as_flattened().first_chunk().expect("the codes of a brick"));
            let bits = header_bits + code_bits(&codes, count, largest);
            if bits < most {
                most = bits;
                *best = Some(LabelBrick { bits, predictor, largest, dictionary, first: labels[0], codes });
            }
        }
    }
}

/// Returns the least code that each label has with any predictor, which elects one of W, N and U: 0 if the
/// label is one of them. Otherwise the code is the label, or one more below the elected one.
#[inline(always)]
fn least_codes(labels: &[u8; VOXELS]) -> [u8; VOXELS] {
    const BEFORE: usize = VOXELS / SLICES;
    /// A neighbour that does not exist: it is no label, and above all of them.
    const ABSENT: u8 = u8::MAX;
    let mut padded = [ABSENT; BEFORE + VOXELS];
    padded[BEFORE..].copy_from_slice(labels);
    let mut least = [0; VOXELS];
    for (i, least) in least.iter_mut().enumerate() {
        let (label, at) = (labels[i], BEFORE + i);
        let w = if i % 8 > 0 { padded[at - 1] } else { ABSENT };
        let n = if i / 8 % 8 > 0 { padded[at - 8] } else { ABSENT };
        let u = padded[at - BEFORE];
        let is_new = (label != w) & (label != n) & (label != u);
        *least = if is_new { label + u8::from(label < w.min(n).min(u)) } else { 0 };
    }
    least
}

/// Turns labels up to `largest` into their codes, except for the first, in the order of voxels.
pub(in crate::brick) fn to_codes(predictor: usize, largest: u32, values: &mut [u32]) {
    let mut slices = [[0; 64]; SLICES];
    for (label, &value) in slices.as_flattened_mut().iter_mut().zip(&*values) {
        *label = value as u8;
    }
    let codes = codes(Portable, &slices, predictor, largest);
    for (value, &code) in values.iter_mut().zip(codes.as_flattened()).skip(1) {
        *value = code.into();
    }
}

/// Returns the number of bits after the first value, without padding. Codes are in Morton order, then zeros.
#[inline(always)]
fn code_bits(codes: &[u8; VOXELS], count: usize, largest: u32) -> u32 {
    // The bits of a group's mark and field by its number of codes above 0.
    const GROUP_BITS: [u8; GROUP + 1] = {
        let mut bits = [2 + MASK_BITS as u8; GROUP + 1];
        [bits[0], bits[1], bits[2]] = [0, 1 + SINGLE_BITS as u8, 2 + PAIR_BITS as u8];
        bits
    };
    // Codes are at most MAX_LABEL: the top bit of a byte is free.
    const ALL_BUT_TOP: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let runs = if count > 64 { count.div_ceil(64) as u32 } else { 0 };
    let mut total = runs;
    for run in codes.as_chunks::<64>().0 {
        let mut of_run = 0;
        for &group in run.as_chunks::<GROUP>().0 {
            let above_zero = ((u64::from_le_bytes(group) + ALL_BUT_TOP) & !ALL_BUT_TOP).count_ones();
            of_run += u32::from(GROUP_BITS[above_zero as usize]);
        }
        total += of_run + if of_run > 0 { 8 } else { 0 };
    }
    if runs == 0 && total == 0 {
        total = 8;
    }
    let in_planes = largest as u8 - 1;
    total + codes.iter().map(|&code| u32::from(code.min(in_planes))).sum::<u32>()
}

impl LabelBrick<'_> {
    /// Appends the bytes.
    fn write(&self, range: u32, part: BrickBox, out: &mut Vec<u8>) {
        let mut writer = BitWriter::append(out);
        put_start(&mut writer, self.predictor, range, self.dictionary);
        for (mark, bits) in marks(self.largest) {
            writer.put(mark, bits);
        }
        writer.put(self.first, width(self.largest));
        let groups = self.codes.as_chunks::<GROUP>().0;
        let above_zero =
            |group: &[u8; GROUP]| (0..GROUP).filter(|&i| group[i] > 0).fold(0u8, |mask, i| mask | 1 << i);
        let masks: Vec<u8> = groups.iter().map(above_zero).collect();
        let runs = masks.as_chunks::<8>().0;
        let count = part.count();
        let is_marked = |run: &&[u8; 8]| count <= 64 || **run != [0; 8];
        if count > 64 {
            for run in &runs[..count.div_ceil(64)] {
                writer.put(u32::from(is_marked(&run)), 1);
            }
        }
        for run in runs[..count.div_ceil(64)].iter().filter(is_marked) {
            for &mask in run {
                writer.put(u32::from(mask > 0), 1);
            }
        }
        let marked = || masks.iter().copied().filter(|&mask| mask > 0);
        let of_ones =
            |is_counted: fn(u32) -> bool| marked().filter(move |mask| is_counted(mask.count_ones()));
        for mask in marked() {
            writer.put(u32::from(mask.count_ones() > 1), 1);
        }
        for mask in of_ones(|ones| ones > 1) {
            writer.put(u32::from(mask.count_ones() > 2), 1);
        }
        for mask in of_ones(|ones| ones == 1) {
            writer.put(mask.trailing_zeros(), SINGLE_BITS);
        }
        for mask in of_ones(|ones| ones == 2) {
            let number = PAIRS.iter().position(|&pair| pair == mask).expect("two ones") as u32;
            writer.put(number, PAIR_BITS);
        }
        for mask in of_ones(|ones| ones > 2) {
            writer.put(mask, MASK_BITS);
        }
        for plane in 2..=self.largest as u8 {
            for &code in self.codes.iter().filter(|&&code| code > 0 && code >= plane - 1) {
                writer.put(u32::from(code >= plane), 1);
            }
        }
        writer.align();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No predictor has a smaller code, and a voxel whose neighbours agree has this one.
    #[test]
    fn least_codes_are_bounds() {
        let mut state = 1u32;
        let mut random = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % below
        };
        for largest in 1..=MAX_LABEL {
            let block = 1 + largest as usize % 3;
            let of_block: Vec<u8> = (0..512).map(|_| random(largest + 1) as u8).collect();
            let mut labels = [0; VOXELS];
            for (i, label) in labels.iter_mut().enumerate() {
                let (x, y, z) = (i % 8 / block, i / 8 % 8 / block, i / 64 / block);
                *label =
                    if random(20) == 0 { random(largest + 1) as u8 } else { of_block[x + 8 * (y + 8 * z)] };
            }
            let least = least_codes(&labels);
            let slices: [[u8; 64]; SLICES] = bytemuck::cast(labels);
            for predictor in 0..predict::COUNT {
                let all = codes(Portable, &slices, predictor, largest);
                for (i, (&code, &least)) in all.as_flattened().iter().zip(&least).enumerate().skip(1) {
                    assert!(code >= least, "voxel {i} of labels up to {largest}, predictor {predictor}");
                    let neighbours = [(i % 8 > 0, 1), (i / 8 % 8 > 0, 8), (i >= 64, 64)];
                    let mut there = neighbours.iter().filter(|(is_there, _)| *is_there);
                    let elected = labels[i - there.next().expect("a neighbour").1];
                    if there.all(|(_, back)| labels[i - back] == elected) {
                        assert_eq!(code, least, "voxel {i}");
                    }
                }
            }
        }
    }
}
