//! Texels along a side that a texel of the next mip level covers.

/// Texels along one side that a target texel covers: `weights.len()` texels, starting with `first`.
#[derive(Clone, Copy)]
pub(crate) struct Taps {
    pub first: u32,
    pub count: u32,
    /// Shares of the target texel; their sum is the same for every target texel along a side.
    weights: [u64; 3],
}

impl Taps {
    /// Returns the taps of target texel `index` of a side of `side` texels that is halved.
    ///
    /// On an odd side of 2m + 1 texels, target i of m covers i·(2 + 1/m) to (i + 1)·(2 + 1/m): in m-ths of a
    /// source texel, m − i of texel 2i, all m of the next and i + 1 of the third.
    pub fn new(index: u32, side: u32) -> Self {
        let (i, half) = (u64::from(index), u64::from(side / 2));
        match side {
            1 => Self { first: 0, count: 1, weights: [1, 0, 0] },
            _ if side.is_multiple_of(2) => Self { first: 2 * index, count: 2, weights: [1, 1, 0] },
            _ => Self { first: 2 * index, count: 3, weights: [half - i, half, i + 1] },
        }
    }

    /// Returns the covered texels, counted from the first, and their weights.
    pub fn iter(self) -> impl Iterator<Item = (u32, u64)> {
        (0..self.count).map(move |k| (k, self.weights[k as usize]))
    }
}
