//! The order of a brick's codes: Morton's, in which each eight are a block of 2×2×2 voxels (4×2 in a slice),
//! and its sorted form, in which voxels with neighbours along fewer axes come first.
//!
//! Neighbouring voxels have errors of similar size, and share a Rice level.

use super::{
    predict,
    shape::{BrickBox, BrickSize, MAX_VOXELS, dims_of_count},
};
use crate::simd::Bits;

/// The voxel of each code of a whole brick.
struct Orders<const COUNT: usize> {
    morton: [u16; COUNT],
    sorted: [u16; COUNT],
}

const fn orders<const COUNT: usize>() -> Orders<COUNT> {
    let dims = dims_of_count(COUNT);
    let mut orders = Orders { morton: [0; COUNT], sorted: [0; COUNT] };
    let mut i = 0;
    while i < COUNT {
        // From the lowest on, bits go to x, y and z in turn, as far as these have any left.
        let (mut place, mut rest, mut bit) = ([0; 3], i, 0);
        while bit < 4 {
            let (mut axis, sides) = (0, [dims.x, dims.y, dims.z]);
            while axis < 3 {
                if 1 << bit < sides[axis] {
                    place[axis] |= (rest & 1) << bit;
                    rest >>= 1;
                }
                axis += 1;
            }
            bit += 1;
        }
        orders.morton[i] = dims.index(place[0], place[1], place[2]) as u16;
        i += 1;
    }
    let (mut next, mut axes) = (0, 0);
    while axes <= 3 {
        let mut i = 0;
        while i < COUNT {
            if predict::class(orders.morton[i] as usize, dims).count_ones() == axes {
                orders.sorted[next] = orders.morton[i];
                next += 1;
            }
            i += 1;
        }
        axes += 1;
    }
    orders
}

static FOUR: Orders<64> = orders();
static EIGHT: Orders<512> = orders();
static FLAT: Orders<256> = orders();

/// Returns the [`order`] of bricks of 4³ voxels.
pub(super) const fn order_of_four(is_sorted: bool) -> [u16; 64] {
    let orders = orders();
    if is_sorted { orders.sorted } else { orders.morton }
}

/// Returns the voxel of each code of a whole brick.
#[inline(always)]
pub(super) fn order(size: BrickSize, is_sorted: bool) -> &'static [u16] {
    let (morton, sorted): (&[u16], &[u16]) = match size {
        BrickSize::Four => (&FOUR.morton, &FOUR.sorted),
        BrickSize::Eight => (&EIGHT.morton, &EIGHT.sorted),
        BrickSize::Flat => (&FLAT.morton, &FLAT.sorted),
    };
    if is_sorted { sorted } else { morton }
}

/// Returns the codes of a whole brick's voxels in Morton order.
#[inline(always)]
pub(super) fn to_morton<C: Copy + Default, const COUNT: usize>(codes: &[C; COUNT]) -> [C; COUNT] {
    let order = order(BrickSize::of_count(COUNT), false);
    let mut ordered = [C::default(); COUNT];
    // Two neighbours along x are adjacent in either order.
    for (pair, places) in ordered.as_chunks_mut::<2>().0.iter_mut().zip(order.as_chunks::<2>().0) {
        let place = usize::from(places[0]) & (COUNT - 2);
        *pair = [codes[place], codes[place + 1]];
    }
    ordered
}

/// Undoes [`to_morton`].
#[inline(always)]
pub(super) fn from_morton<C: Copy, const RUNS: usize>(
    ordered: &[[C; 64]; RUNS],
    codes: &mut [[C; 64]; RUNS],
) {
    let order = order(BrickSize::of_count(64 * RUNS), false);
    let (ordered, codes) = (ordered.as_flattened(), codes.as_flattened_mut());
    match RUNS {
        1 => put_blocks::<_, 22>(ordered, [0, 4, 16, 20], order, codes),
        4 => put_blocks::<_, 20>(ordered, [0, 16, 2, 18], order, codes),
        _ => put_blocks::<_, 74>(ordered, [0, 8, 64, 72], order, codes),
    }
}

/// Puts blocks of eight codes where `order` has the first of them: pairs of neighbours along x, at these
/// places after it. Blocks end `SPAN` places after their first code.
#[inline(always)]
fn put_blocks<C: Copy, const SPAN: usize>(ordered: &[C], places: [usize; 4], order: &[u16], codes: &mut [C]) {
    for (eight, order) in ordered.as_chunks::<8>().0.iter().zip(order.as_chunks::<8>().0) {
        let block: &mut [C; SPAN] = codes[order[0].into()..].first_chunk_mut().expect("a block of the brick");
        for (pair, place) in eight.as_chunks::<2>().0.iter().zip(places) {
            [block[place], block[place + 1]] = *pair;
        }
    }
}

impl BrickBox {
    /// Returns the positions, in a whole brick, of the voxels inside, in the order of their codes; the rest
    /// are zeros.
    pub fn places(self, is_sorted: bool) -> [u16; MAX_VOXELS] {
        let mut places = [0; MAX_VOXELS];
        let dims = self.size.dims();
        let all = order(self.size, is_sorted).iter();
        let inside = all.filter(|&&place| self.inside().contains(dims.position(place.into())));
        for (place, &inside) in places.iter_mut().zip(inside) {
            *place = inside;
        }
        places
    }
}

/// Puts codes in order into their voxels' places; those of voxels outside are 0.
#[inline(never)]
pub(super) fn spread<C: Copy + Default>(part: BrickBox, is_sorted: bool, ordered: &[C], codes: &mut [C]) {
    let inside;
    let places = if part.is_whole() {
        order(part.size, is_sorted)
    } else {
        codes.fill(C::default());
        inside = part.places(is_sorted);
        &inside[..part.count()]
    };
    for (&code, &place) in ordered.iter().zip(places) {
        codes[usize::from(place)] = code;
    }
}

/// Returns the slices of an 8³ brick from its codes in Morton order.
#[inline(always)]
pub(super) fn slices_of_runs<B: Bits>(bits: B, runs: &[B::Bytes; 8]) -> [B::Bytes; 8] {
    let mut slices = *runs;
    for (slices, runs) in slices.as_chunks_mut::<4>().0.iter_mut().zip(runs.as_chunks::<4>().0) {
        // Runs are cubes of 4³. In each half of the brick there are two by two.
        let [a, b, c, d] = *runs;
        let [ab_first, ab_last] = bits.interleave_fours(bits.cube(a), bits.cube(b));
        let [cd_first, cd_last] = bits.interleave_fours(bits.cube(c), bits.cube(d));
        *slices = bits.transpose([ab_first, ab_last, cd_first, cd_last]);
    }
    slices
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_eight_stand_together() {
        assert_eq!(FOUR.morton[..10], [0, 1, 4, 5, 16, 17, 20, 21, 2, 3]);
        assert_eq!(FLAT.morton[..10], [0, 1, 16, 17, 2, 3, 18, 19, 32, 33]);
        assert_eq!(EIGHT.morton[7..10], [64 + 8 + 1, 2, 3]);
        assert_eq!(EIGHT.morton[62..66], [3 * 64 + 3 * 8 + 2, 3 * 64 + 3 * 8 + 3, 4, 5]);
    }

    #[test]
    fn every_voxel_has_a_code() {
        for &size in BrickSize::ALL {
            for is_sorted in [false, true] {
                let mut all = order(size, is_sorted).to_vec();
                assert_eq!(all[0], 0);
                let axes = |i: &u16| predict::class((*i).into(), size.dims()).count_ones();
                assert!(!is_sorted || all.is_sorted_by_key(axes));
                all.sort_unstable();
                assert!(all.into_iter().map(usize::from).eq(0..size.voxel_count()));
            }
        }
    }

    #[test]
    fn orders_are_undone() {
        let codes: [[u32; 64]; 4] = std::array::from_fn(|run| std::array::from_fn(|i| (64 * run + i) as u32));
        let ordered: [u32; 256] = to_morton(codes.as_flattened().try_into().expect("256 codes"));
        assert!(ordered.iter().zip(&FLAT.morton).all(|(&code, &place)| code == u32::from(place)));
        let mut back = [[0; 64]; 4];
        from_morton(ordered.as_chunks::<64>().0.try_into().expect("four runs"), &mut back);
        assert_eq!(back, codes);
    }
}
