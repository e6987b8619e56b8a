//! The tables that decoders of kernels read from a buffer: weights of predictors, and orders of codes.

use super::{BrickBox, BrickSize, predict};

/// Classes of voxels of a brick by the weights that they have: by which neighbours there are.
pub const fn classes(size: BrickSize) -> usize {
    match size {
        BrickSize::Flat => 9,
        _ => 8,
    }
}

/// Returns the start of wide bricks' weights in [`weights`], in units of eight bytes.
#[cfg(feature = "gpu")]
pub const fn wide_weights(size: BrickSize) -> usize {
    classes(size) * predict::COUNT
}

/// Returns the start of the orders of codes in [`weights`], in units of eight bytes.
#[cfg(feature = "gpu")]
pub const fn orders(size: BrickSize) -> usize {
    2 * wide_weights(size)
}

/// Returns the start in [`weights`] of the places of codes of whole bricks of 4³, in units of eight bytes.
#[cfg(feature = "gpu")]
pub const fn places(size: BrickSize) -> usize {
    orders(size) + 2 * size.voxel_count()
}

/// Returns the tables for bricks of this size as kernels read them: the predictors' weights, eight signed
/// bytes by predictor and class; those of wide bricks; and tables for codes in Morton order, then for sorted
/// ones. For 4³, such a table has the voxels whose codes precede each voxel's, a bit each, x fastest; for
/// larger bricks, the voxel of each code, in 16 bits. For 4³, a byte for each voxel of a whole brick follows,
/// again for both orders: the place of its code.
pub fn weights(size: BrickSize) -> Vec<u8> {
    let dims = size.dims();
    // A voxel of each class.
    let first_of = |class: usize| match size {
        BrickSize::Flat => class % 3 + dims.x * (class / 3),
        _ => dims.index(class & 1, class >> 1 & 1, class >> 2),
    };
    let all = |weights_of: &dyn Fn(usize, usize) -> predict::Weights| {
        let classes = 0..predict::COUNT * classes(size);
        let of = classes.flat_map(|i| weights_of(i / self::classes(size), first_of(i % self::classes(size))));
        of.map(|weight| weight as u8).collect::<Vec<u8>>()
    };
    let mut bytes = all(&|predictor, voxel| predict::weights(predictor, voxel, dims));
    bytes.extend(all(&|predictor, voxel| predict::wide_weights(predictor, predict::class(voxel, dims))));
    let mut places_of_whole = Vec::new();
    for is_sorted in [false, true] {
        let places = BrickBox::whole(size).places(is_sorted);
        let places = &places[..size.voxel_count()];
        if size != BrickSize::Four {
            bytes.extend(places.iter().flat_map(|place| place.to_le_bytes()));
            continue;
        }
        let (mut before, mut of_voxel) = (0u64, [0; 64]);
        for &voxel in places {
            of_voxel[usize::from(voxel)] = before;
            before |= 1 << voxel;
        }
        bytes.extend(of_voxel.iter().flat_map(|before| before.to_le_bytes()));
        places_of_whole.extend(of_voxel.map(|before| before.count_ones() as u8));
    }
    bytes.extend(places_of_whole);
    bytes
}
