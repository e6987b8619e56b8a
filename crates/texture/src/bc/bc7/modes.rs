//! Fields of the eight modes.

/// Widths of one mode's fields in bits.
pub(crate) struct Mode {
    pub subsets: usize,
    /// Number of the partition.
    pub partition: u32,
    /// Channel that is exchanged with alpha.
    pub rotation: u32,
    /// Flag for colours taking the second indices and alpha the first.
    pub index_selection: u32,
    /// Each of an endpoint's red, green and blue.
    pub color: u32,
    /// Alpha of an endpoint; 0 if it is always 255.
    pub alpha: u32,
    /// True if each endpoint has a p-bit, a lowest bit of all its channels.
    pub own_p_bits: bool,
    /// True if both endpoints of a subset share one.
    pub shared_p_bits: bool,
    /// One index.
    pub index: u32,
    /// One index for alpha; 0 if there are none.
    pub second_index: u32,
}

const fn mode(
    [subsets, partition, rotation, index_selection]: [u32; 4],
    [color, alpha]: [u32; 2],
    [own_p_bits, shared_p_bits]: [bool; 2],
    [index, second_index]: [u32; 2],
) -> Mode {
    Mode {
        subsets: subsets as usize,
        partition,
        rotation,
        index_selection,
        color,
        alpha,
        own_p_bits,
        shared_p_bits,
        index,
        second_index,
    }
}

/// Modes 0 to 7.
pub(crate) const MODES: [Mode; 8] = [
    mode([3, 4, 0, 0], [4, 0], [true, false], [3, 0]),
    mode([2, 6, 0, 0], [6, 0], [false, true], [3, 0]),
    mode([3, 6, 0, 0], [5, 0], [false, false], [2, 0]),
    mode([2, 6, 0, 0], [7, 0], [true, false], [2, 0]),
    mode([1, 0, 2, 1], [5, 6], [false, false], [2, 3]),
    mode([1, 0, 2, 0], [7, 8], [false, false], [2, 2]),
    mode([1, 0, 0, 0], [7, 7], [true, false], [4, 0]),
    mode([2, 6, 0, 0], [5, 5], [true, false], [2, 0]),
];

/// Returns the weights of the second endpoint in 64ths, for indices of 2, 3 and 4 bits.
pub(crate) const fn weights(index_bits: u32) -> &'static [u16] {
    match index_bits {
        2 => &[0, 21, 43, 64],
        3 => &[0, 9, 18, 27, 37, 46, 55, 64],
        _ => &[0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_fills_a_block() {
        for (number, mode) in MODES.iter().enumerate() {
            let endpoints = 2 * mode.subsets as u32;
            let p_bits = match (mode.own_p_bits, mode.shared_p_bits) {
                (true, _) => endpoints,
                (_, true) => endpoints / 2,
                _ => 0,
            };
            let first = 16 * mode.index - mode.subsets as u32;
            let second = if mode.second_index > 0 { 16 * mode.second_index - 1 } else { 0 };
            let head = number as u32 + 1 + mode.partition + mode.rotation + mode.index_selection;
            let bits = head + endpoints * (3 * mode.color + mode.alpha) + p_bits + first + second;
            assert_eq!(bits, 128, "mode {number}");
        }
    }
}
