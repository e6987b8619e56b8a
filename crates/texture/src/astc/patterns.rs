//! Distinct partition patterns of 4×4 blocks, the most useful first.

use super::partition::Pattern;
use std::sync::LazyLock;

/// Texels of each part under a seed, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    pub seed: u16,
    pub texels: [u16; 3],
    /// Positions of the texels of each part: [`order`].
    pub orders: [u64; 3],
}

impl Parts {
    fn new(count: usize, seed: u16) -> Self {
        let pattern = Pattern::new((4, 4), count, u32::from(seed));
        let mut texels = [0; 3];
        for t in 0..16 {
            texels[pattern.part(t % 4, t / 4)] |= 1 << t;
        }
        Self { seed, texels, orders: texels.map(order) }
    }
}

/// The pattern of one part.
pub(crate) static WHOLE: Parts =
    Parts { seed: 0, texels: [0xffff, 0, 0], orders: [0xfedc_ba98_7654_3210, 0, 0] };

/// Patterns of two parts, and of three.
pub(crate) static PATTERNS: LazyLock<[Vec<Parts>; 2]> = LazyLock::new(|| {
    [2, 3].map(|count| {
        let mut found: Vec<(Vec<u16>, Parts)> = Vec::new();
        for seed in 0..1024 {
            let parts = Parts::new(count, seed);
            let mut key = parts.texels[..count].to_vec();
            key.sort_unstable();
            if key[0] != 0 && !found.iter().any(|(other, _)| *other == key) {
                found.push((key, parts));
            }
        }
        found.into_iter().map(|(_, parts)| parts).collect()
    })
});

/// Returns the positions of a set's texels, four bits each, padded with the last one.
fn order(texels: u16) -> u64 {
    let (mut order, mut last, mut rest) = (0, 0, texels);
    for place in 0..16 {
        if rest != 0 {
            last = u64::from(rest.trailing_zeros());
            rest &= rest - 1;
        }
        order |= last << (4 * place);
    }
    order
}
