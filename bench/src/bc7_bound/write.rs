//! Bytes of a block with given endpoints and the best indices.

use super::{
    channel::Codes,
    layout::Layout,
    part::{Endpoints, PBits},
};

/// Bits of a block, written from the lowest on.
struct Bits {
    value: u128,
    count: u32,
}

impl Bits {
    fn put(&mut self, value: usize, width: u32) {
        self.value |= (value as u128) << self.count;
        self.count += width;
    }
}

/// Returns the block of a layout with these endpoints of its parts.
pub fn bytes(layout: &Layout, mut endpoints: Vec<Endpoints>) -> [u8; 16] {
    let mut bits = Bits { value: 0, count: 0 };
    bits.put(1 << layout.mode, u32::from(layout.mode) + 1);
    layout.head.iter().for_each(|&(value, width)| bits.put(value, width));
    // By width and texel: index and number of bits.
    let mut indices: Vec<((usize, usize), usize, u32)> = Vec::new();
    for (part, endpoints) in layout.parts.iter().zip(&mut endpoints) {
        let weights = part.coding.weights;
        let codes = Codes::new(part.coding.bits, endpoints.p_bits);
        let mut of_part: Vec<_> =
            part.texels.iter().map(|texel| nearest(texel, &codes, &endpoints.codes, weights)).collect();
        if of_part[part.anchor] >= weights.len() / 2 {
            of_part.iter_mut().for_each(|index| *index = weights.len() - 1 - *index);
            endpoints.codes.iter_mut().for_each(|[a, b]| std::mem::swap(a, b));
            endpoints.p_bits = endpoints.p_bits.map(|[a, b]| [b, a]);
        }
        for (at, (&place, index)) in part.places.iter().zip(of_part).enumerate() {
            let width = weights.len().ilog2() - u32::from(at == part.anchor);
            indices.push(((weights.len(), place), index, width));
        }
    }
    for channel in &layout.channels {
        for (part, endpoints) in layout.parts.iter().zip(&endpoints) {
            if let Some(c) = part.channels.iter().position(|c| c == channel) {
                endpoints.codes[c].iter().for_each(|&code| bits.put(code, part.coding.bits));
            }
        }
    }
    for (part, endpoints) in layout.parts.iter().zip(&endpoints) {
        let count = match part.coding.p_bits {
            PBits::None => 0,
            PBits::Shared => 1,
            PBits::Own => 2,
        };
        let p_bits = endpoints.p_bits.unwrap_or_default();
        p_bits[..count].iter().for_each(|&p_bit| bits.put(usize::from(p_bit), 1));
    }
    // The sort is stable: in mode 5, the three channels are first.
    match layout.parts.iter().all(|part| part.places.len() == 16) {
        true => indices.sort_by_key(|&((width, _), ..)| width),
        false => indices.sort_by_key(|&(key, ..)| key),
    }
    indices.iter().for_each(|&(_, index, width)| bits.put(index, width));
    bits.value.to_le_bytes()
}

/// Returns the index of the palette entry with the smallest error.
fn nearest(texel: &[u8], codes: &Codes, of_channels: &[[usize; 2]], weights: &[u16]) -> usize {
    let error = |&index: &usize| -> u32 {
        let square = |(&value, &[a, b]): (&u8, &[usize; 2])| {
            let [a, b] = [codes.values[0][a], codes.values[1][b]].map(u16::from);
            let entry = (a * (64 - weights[index]) + b * weights[index] + 32) >> 6;
            u32::from(entry.abs_diff(u16::from(value))).pow(2)
        };
        texel.iter().zip(of_channels).map(square).sum()
    };
    (0..weights.len()).min_by_key(error).unwrap_or(0)
}
