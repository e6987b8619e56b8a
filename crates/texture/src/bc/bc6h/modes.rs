//! Fields of the fourteen modes.

/// Layout of one mode.
pub(crate) struct Mode {
    /// Lowest bits of a block of this mode.
    pub prefix: u32,
    /// Number of these bits: 2 or 5.
    pub prefix_bits: u32,
    /// Number of subsets, 1 or 2. With two, the 5 bits of the partition follow the endpoints.
    pub subsets: usize,
    /// Bits of each channel of the first endpoint, and of all endpoints after decoding.
    pub endpoint_bits: u32,
    /// Bits of red, green and blue of the other endpoints, as they are stored.
    pub stored_bits: [u32; 3],
    /// True if the other endpoints are stored as differences from the first, modulo 2^`endpoint_bits`.
    pub has_deltas: bool,
    /// Bits of the endpoints in the order of the block, which starts after the prefix.
    pub fields: &'static [Field],
}

/// Adjacent bits of a block that belong to one channel of one endpoint.
#[derive(Clone, Copy)]
pub(crate) struct Field {
    /// Channel: 0 is red, 1 green, 2 blue.
    pub channel: usize,
    /// Endpoint: 0 and 1 belong to the first subset, 2 and 3 to the second.
    pub endpoint: usize,
    /// Index of the lowest bit in the channel's number.
    pub first: u32,
    /// Number of bits.
    pub count: u32,
}

impl Mode {
    /// Returns the number of bits of an index: 3 with two subsets, else 4. Anchors have one less.
    pub const fn index_bits(&self) -> u32 {
        if self.subsets == 2 { 3 } else { 4 }
    }
}

const fn mode(
    [prefix, prefix_bits]: [u32; 2],
    subsets: usize,
    [endpoint_bits, red, green, blue]: [u32; 4],
    has_deltas: bool,
    fields: &'static [Field],
) -> Mode {
    let stored_bits = [red, green, blue];
    Mode { prefix, prefix_bits, subsets, endpoint_bits, stored_bits, has_deltas, fields }
}

const fn r(endpoint: usize, first: u32, count: u32) -> Field {
    Field { channel: 0, endpoint, first, count }
}

const fn g(endpoint: usize, first: u32, count: u32) -> Field {
    Field { channel: 1, endpoint, first, count }
}

const fn b(endpoint: usize, first: u32, count: u32) -> Field {
    Field { channel: 2, endpoint, first, count }
}

/// Modes in Microsoft's order, starting with mode 1. The specification names them by their prefixes.
#[rustfmt::skip]
pub(crate) static MODES: [Mode; 14] = [
    mode([0, 2], 2, [10, 5, 5, 5], true, &[
        g(2, 4, 1), b(2, 4, 1), b(3, 4, 1), r(0, 0, 10), g(0, 0, 10), b(0, 0, 10), r(1, 0, 5), g(3, 4, 1),
        g(2, 0, 4), g(1, 0, 5), b(3, 0, 1), g(3, 0, 4), b(1, 0, 5), b(3, 1, 1), b(2, 0, 4), r(2, 0, 5),
        b(3, 2, 1), r(3, 0, 5), b(3, 3, 1),
    ]),
    mode([1, 2], 2, [7, 6, 6, 6], true, &[
        g(2, 5, 1), g(3, 4, 1), g(3, 5, 1), r(0, 0, 7), b(3, 0, 1), b(3, 1, 1), b(2, 4, 1), g(0, 0, 7),
        b(2, 5, 1), b(3, 2, 1), g(2, 4, 1), b(0, 0, 7), b(3, 3, 1), b(3, 5, 1), b(3, 4, 1), r(1, 0, 6),
        g(2, 0, 4), g(1, 0, 6), g(3, 0, 4), b(1, 0, 6), b(2, 0, 4), r(2, 0, 6), r(3, 0, 6),
    ]),
    mode([2, 5], 2, [11, 5, 4, 4], true, &[
        r(0, 0, 10), g(0, 0, 10), b(0, 0, 10), r(1, 0, 5), r(0, 10, 1), g(2, 0, 4), g(1, 0, 4), g(0, 10, 1),
        b(3, 0, 1), g(3, 0, 4), b(1, 0, 4), b(0, 10, 1), b(3, 1, 1), b(2, 0, 4), r(2, 0, 5), b(3, 2, 1),
        r(3, 0, 5), b(3, 3, 1),
    ]),
    mode([6, 5], 2, [11, 4, 5, 4], true, &[
        r(0, 0, 10), g(0, 0, 10), b(0, 0, 10), r(1, 0, 4), r(0, 10, 1), g(3, 4, 1), g(2, 0, 4), g(1, 0, 5),
        g(0, 10, 1), g(3, 0, 4), b(1, 0, 4), b(0, 10, 1), b(3, 1, 1), b(2, 0, 4), r(2, 0, 4), b(3, 0, 1),
        b(3, 2, 1), r(3, 0, 4), g(2, 4, 1), b(3, 3, 1),
    ]),
    mode([10, 5], 2, [11, 4, 4, 5], true, &[
        r(0, 0, 10), g(0, 0, 10), b(0, 0, 10), r(1, 0, 4), r(0, 10, 1), b(2, 4, 1), g(2, 0, 4), g(1, 0, 4),
        g(0, 10, 1), b(3, 0, 1), g(3, 0, 4), b(1, 0, 5), b(0, 10, 1), b(2, 0, 4), r(2, 0, 4), b(3, 1, 1),
        b(3, 2, 1), r(3, 0, 4), b(3, 4, 1), b(3, 3, 1),
    ]),
    mode([14, 5], 2, [9, 5, 5, 5], true, &[
        r(0, 0, 9), b(2, 4, 1), g(0, 0, 9), g(2, 4, 1), b(0, 0, 9), b(3, 4, 1), r(1, 0, 5), g(3, 4, 1),
        g(2, 0, 4), g(1, 0, 5), b(3, 0, 1), g(3, 0, 4), b(1, 0, 5), b(3, 1, 1), b(2, 0, 4), r(2, 0, 5),
        b(3, 2, 1), r(3, 0, 5), b(3, 3, 1),
    ]),
    mode([18, 5], 2, [8, 6, 5, 5], true, &[
        r(0, 0, 8), g(3, 4, 1), b(2, 4, 1), g(0, 0, 8), b(3, 2, 1), g(2, 4, 1), b(0, 0, 8), b(3, 3, 1),
        b(3, 4, 1), r(1, 0, 6), g(2, 0, 4), g(1, 0, 5), b(3, 0, 1), g(3, 0, 4), b(1, 0, 5), b(3, 1, 1),
        b(2, 0, 4), r(2, 0, 6), r(3, 0, 6),
    ]),
    mode([22, 5], 2, [8, 5, 6, 5], true, &[
        r(0, 0, 8), b(3, 0, 1), b(2, 4, 1), g(0, 0, 8), g(2, 5, 1), g(2, 4, 1), b(0, 0, 8), g(3, 5, 1),
        b(3, 4, 1), r(1, 0, 5), g(3, 4, 1), g(2, 0, 4), g(1, 0, 6), g(3, 0, 4), b(1, 0, 5), b(3, 1, 1),
        b(2, 0, 4), r(2, 0, 5), b(3, 2, 1), r(3, 0, 5), b(3, 3, 1),
    ]),
    mode([26, 5], 2, [8, 5, 5, 6], true, &[
        r(0, 0, 8), b(3, 1, 1), b(2, 4, 1), g(0, 0, 8), b(2, 5, 1), g(2, 4, 1), b(0, 0, 8), b(3, 5, 1),
        b(3, 4, 1), r(1, 0, 5), g(3, 4, 1), g(2, 0, 4), g(1, 0, 5), b(3, 0, 1), g(3, 0, 4), b(1, 0, 6),
        b(2, 0, 4), r(2, 0, 5), b(3, 2, 1), r(3, 0, 5), b(3, 3, 1),
    ]),
    mode([30, 5], 2, [6, 6, 6, 6], false, &[
        r(0, 0, 6), g(3, 4, 1), b(3, 0, 1), b(3, 1, 1), b(2, 4, 1), g(0, 0, 6), g(2, 5, 1), b(2, 5, 1),
        b(3, 2, 1), g(2, 4, 1), b(0, 0, 6), g(3, 5, 1), b(3, 3, 1), b(3, 5, 1), b(3, 4, 1), r(1, 0, 6),
        g(2, 0, 4), g(1, 0, 6), g(3, 0, 4), b(1, 0, 6), b(2, 0, 4), r(2, 0, 6), r(3, 0, 6),
    ]),
    mode([3, 5], 1, [10, 10, 10, 10], false, &[
        r(0, 0, 10), g(0, 0, 10), b(0, 0, 10), r(1, 0, 10), g(1, 0, 10), b(1, 0, 10),
    ]),
    mode([7, 5], 1, [11, 9, 9, 9], true, &[
        r(0, 0, 10), g(0, 0, 10), b(0, 0, 10), r(1, 0, 9), r(0, 10, 1), g(1, 0, 9), g(0, 10, 1), b(1, 0, 9),
        b(0, 10, 1),
    ]),
    mode([11, 5], 1, [12, 8, 8, 8], true, &[
        r(0, 0, 10), g(0, 0, 10), b(0, 0, 10), r(1, 0, 8), r(0, 11, 1), r(0, 10, 1), g(1, 0, 8), g(0, 11, 1),
        g(0, 10, 1), b(1, 0, 8), b(0, 11, 1), b(0, 10, 1),
    ]),
    mode([15, 5], 1, [16, 4, 4, 4], true, &[
        r(0, 0, 10), g(0, 0, 10), b(0, 0, 10), r(1, 0, 4), r(0, 15, 1), r(0, 14, 1), r(0, 13, 1), r(0, 12, 1),
        r(0, 11, 1), r(0, 10, 1), g(1, 0, 4), g(0, 15, 1), g(0, 14, 1), g(0, 13, 1), g(0, 12, 1), g(0, 11, 1),
        g(0, 10, 1), b(1, 0, 4), b(0, 15, 1), b(0, 14, 1), b(0, 13, 1), b(0, 12, 1), b(0, 11, 1), b(0, 10, 1),
    ]),
];

/// Returns the index in [`MODES`] of a block's mode; `None` for one of the four reserved modes.
#[inline]
pub(crate) const fn mode_index(block: u128) -> Option<usize> {
    /// Index in [`MODES`] for the lowest five bits; 14 if they are reserved.
    const INDICES: [u8; 32] = {
        let mut indices = [14; 32];
        let mut prefix = 0;
        while prefix < 32 {
            let mut index = 0;
            while index < 14 {
                let mode = &MODES[index];
                if prefix & ((1 << mode.prefix_bits) - 1) == mode.prefix {
                    indices[prefix as usize] = index as u8;
                }
                index += 1;
            }
            prefix += 1;
        }
        indices
    };
    match INDICES[block as usize & 31] {
        14 => None,
        index => Some(index as usize),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_fills_a_block_and_every_endpoint() {
        for (index, mode) in MODES.iter().enumerate() {
            let stored: u32 = mode.fields.iter().map(|field| field.count).sum();
            let partition = if mode.subsets == 2 { 5 } else { 0 };
            let indices = 16 * mode.index_bits() - mode.subsets as u32;
            assert_eq!(mode.prefix_bits + stored + partition + indices, 128, "mode {}", index + 1);
            for endpoint in 0..2 * mode.subsets {
                for (channel, &stored_bits) in mode.stored_bits.iter().enumerate() {
                    let mut found = 0u32;
                    for field in mode.fields {
                        if (field.channel, field.endpoint) == (channel, endpoint) {
                            let bits = ((1 << field.count) - 1) << field.first;
                            assert_eq!(found & bits, 0, "mode {}, endpoint {endpoint}", index + 1);
                            found |= bits;
                        }
                    }
                    let bits = if endpoint == 0 { mode.endpoint_bits } else { stored_bits };
                    assert_eq!(found, (1 << bits) - 1, "mode {}, endpoint {endpoint}", index + 1);
                }
            }
            assert_eq!(mode_index(mode.prefix.into()), Some(index));
        }
        for reserved in [19, 23, 27, 31] {
            assert_eq!(mode_index(reserved), None);
        }
    }
}
