//! Weights and masks of the lanes in each step.

use crate::{
    Dims,
    brick::predict::{self, COUNT, WEIGHTS},
    simd::{PairWeights, pair_place},
};

/// Declares a table. In WebAssembly, the table is made when it is first used: the tables of this file have
/// 295 KB, which browsers would load with the module.
macro_rules! table {
    (pub(super) static $name:ident: $type:ty = $value:expr;) => {
        #[cfg(not(target_arch = "wasm32"))]
        pub(super) static $name: $type = $value;

        #[cfg(target_arch = "wasm32")]
        pub(super) static $name: std::sync::LazyLock<$type> = std::sync::LazyLock::new(|| $value);
    };
}

/// Weights by lane: those of W, N, NW and the range in each of the steps in which some lane has z = 0, and
/// from then on; those of U, UW, UN and UNW, whose neighbours are zeros where there are none.
pub(super) struct Lanes<const AREA: usize, const STEPS: usize> {
    pub flat: [[[i8; AREA]; 4]; STEPS],
    pub above: [[i8; AREA]; 4],
}

/// The places of these in [`predict::Weights`].
const FLAT: [usize; 4] = [0, 1, 3, 7];
const ABOVE: [usize; 4] = [2, 4, 5, 6];

const fn lanes<const SIDE: usize, const AREA: usize, const STEPS: usize>() -> [Lanes<AREA, STEPS>; COUNT] {
    let mut table = [const { Lanes { flat: [[[0; AREA]; 4]; STEPS], above: [[0; AREA]; 4] } }; COUNT];
    let mut predictor = 0;
    while predictor < COUNT {
        let weights = &WEIGHTS[predictor];
        let mut lane = 0;
        while lane < AREA {
            let (x, y, _) = Dims::cube(SIDE).position(lane);
            let class = (x > 0) as usize | ((y > 0) as usize) << 1;
            let mut i = 0;
            while i < 4 {
                table[predictor].above[i][lane] = weights[class | 4][ABOVE[i]];
                let mut step = 0;
                while step < STEPS {
                    let class = if step == x + y { class } else { class | 4 };
                    table[predictor].flat[step][i][lane] = weights[class][FLAT[i]];
                    step += 1;
                }
                i += 1;
            }
            lane += 1;
        }
        predictor += 1;
    }
    table
}

table! {
    pub(super) static LANES_4: [Lanes<16, 8>; COUNT] = lanes::<4, 16, 8>();
}
table! {
    pub(super) static LANES_8: [Lanes<64, 16>; COUNT] = lanes::<8, 64, 16>();
}

/// Weights of slices by lane, which is a row: those of W, N, WW, NW, NN and the range in each of the steps in
/// which some row has x < 2, and from then on.
pub(super) type Rows = [[[i8; 16]; 6]; ROW_STEPS];

pub(super) const ROW_STEPS: usize = 18;

/// The places of these in [`predict::Weights`].
const IN_ROWS: [usize; 6] = [0, 1, 2, 3, 4, 7];

table! {
    pub(super) static ROWS: [Rows; COUNT] = {
        let mut table = [[[[0; 16]; 6]; ROW_STEPS]; COUNT];
        let mut i = 0;
        while i < COUNT * ROW_STEPS * 16 {
            let (predictor, step, y) = (i / (ROW_STEPS * 16), i / 16 % ROW_STEPS, i % 16);
            // Rows that have not begun hold zeros.
            let weights = predict::flat_weights(predictor, step.saturating_sub(y), y);
            let mut weight = 0;
            while weight < 6 {
                table[predictor][step][weight][y] = weights[IN_ROWS[weight]];
                weight += 1;
            }
            i += 1;
        }
        table
    };
}

/// The weights of bricks of 4³ by predictor and step: of W and N, U and NW, UW and UN, UNW and the range.
#[repr(align(64))]
pub(super) struct Pairs(pub [[PairWeights; 8]; COUNT]);

table! {
    pub(super) static PAIRS: Pairs = {
        let mut table = [[[[[0; 16]; 2]; 4]; 8]; COUNT];
        let mut i = 0;
        while i < COUNT * 8 * 16 {
            let (predictor, step, lane) = (i / 128, i / 16 % 8, i % 16);
            let (x, y, _) = Dims::cube(4).position(lane);
            let class = (x > 0) as usize | ((y > 0) as usize) << 1 | ((step != x + y) as usize) << 2;
            let (half, at) = pair_place(lane);
            let mut weight = 0;
            while weight < 8 {
                table[predictor][step][weight / 2][half][at + weight % 2] =
                    WEIGHTS[predictor][class][weight] as i16;
                weight += 1;
            }
            i += 1;
        }
        Pairs(table)
    };
}

/// Masks: all ones in the lanes of a slice of 4×4 with x + y = distance.
pub(super) static AT_DISTANCE: [[i16; 16]; 7] = {
    let mut table = [[0; 16]; 7];
    let mut lane = 0;
    while lane < 16 {
        table[lane % 4 + lane / 4][lane] = -1;
        lane += 1;
    }
    table
};

/// Masks: all ones if such a lane has reached z = 0; before that, its voxels do not exist.
pub(super) static STARTED: [[i16; 16]; 10] = {
    let mut table = [[0; 16]; 10];
    let mut i = 0;
    while i < 160 {
        let (step, lane) = (i / 16, i % 16);
        table[step][lane] = -((step >= lane % 4 + lane / 4) as i16);
        i += 1;
    }
    table
};

/// The weights of bricks of 8³ for 16 lanes, two rows, by predictor, by whether the first row has y > 0, and
/// by how many steps ago the first lane of these began; after nine all have z > 0.
#[repr(align(64))]
pub(super) struct RowPairs(pub [[[PairWeights; 10]; 2]; COUNT]);

table! {
    pub(super) static ROW_PAIRS: RowPairs = {
        let mut table = [[[[[[0; 16]; 2]; 4]; 10]; 2]; COUNT];
        let mut i = 0;
        while i < COUNT * 2 * 10 * 16 {
            let (predictor, below, step, lane) = (i / 320, i / 160 % 2, i / 16 % 10, i % 16);
            let (x, y) = (lane % 8, lane / 8);
            let class = (x > 0) as usize | ((below + y > 0) as usize) << 1 | ((step != x + y) as usize) << 2;
            let (half, at) = pair_place(lane);
            let mut weight = 0;
            while weight < 8 {
                let weights = WEIGHTS[predictor][class];
                table[predictor][below][step][weight / 2][half][at + weight % 2] = weights[weight] as i16;
                weight += 1;
            }
            i += 1;
        }
        RowPairs(table)
    };
}

/// Masks: all ones in those of 16 lanes, two rows, that began at most this number of steps after the first
/// lane.
pub(super) static BEGUN: [[i16; 16]; 9] = {
    let mut table = [[0; 16]; 9];
    let mut i = 0;
    while i < 9 * 16 {
        table[i / 16][i % 16] = -((i / 16 >= i % 8 + i / 8 % 2) as i16);
        i += 1;
    }
    table
};

/// The weights of slices by predictor and step, of W and N, WW and NW, NN, the range; lanes are rows.
#[repr(align(64))]
pub(super) struct SlicePairs(pub [[PairWeights; ROW_STEPS]; COUNT]);

table! {
    pub(super) static SLICE_PAIRS: SlicePairs = {
        let mut table = [[[[[0; 16]; 2]; 4]; ROW_STEPS]; COUNT];
        let mut i = 0;
        while i < COUNT * ROW_STEPS * 16 {
            let (predictor, step, y) = (i / (ROW_STEPS * 16), i / 16 % ROW_STEPS, i % 16);
            let (half, at) = pair_place(y);
            let mut weight = 0;
            while weight < 8 {
                let weights = predict::flat_weights(predictor, step.saturating_sub(y), y);
                table[predictor][step][weight / 2][half][at + weight % 2] = weights[weight] as i16;
                weight += 1;
            }
            i += 1;
        }
        SlicePairs(table)
    };
}

/// Masks: all ones in the rows of a slice that have begun.
pub(super) static ROWS_BEGUN: [[i16; 16]; 16] = {
    let mut table = [[0; 16]; 16];
    let mut i = 0;
    while i < 16 * 16 {
        table[i / 16][i % 16] = -((i % 16 <= i / 16) as i16);
        i += 1;
    }
    table
};
