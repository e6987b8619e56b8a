//! The fit, from simulated read-backs.

use crate::Task;
use crate::direct::tiling::{
    MacroTile, Probe, TileOrder, Tiling, TilingError, Unfit,
    simulated::{Layout, layouts},
};
use proptest::prelude::*;

/// Several of the largest known macro tiles (64 KiB: 128×64 blocks of 8 bytes) and one block more, which
/// shows how far rows are padded.
const SIZE: (u32, u32) = (385, 193);

/// Returns the slots that a probe of this layout reads back, by way of its memory.
fn read_back(layout: &Layout, width: u32, height: u32) -> Vec<u32> {
    let probe = Probe { width, height, bytes_per_block: layout.bytes_per_block(), salt: 7 };
    probe.slots(&layout.memory(width, height, &probe.blocks(), 0xcd), &Task::new()).unwrap()
}

/// Asserts that both directions agree with the slots, and that every other slot is padding.
fn assert_both_ways(tiling: &Tiling, slots: &[u32], name: &str) {
    let mut blocks = vec![None; tiling.slot_count() as usize];
    for (i, &slot) in (0..).zip(slots) {
        let block = (i % tiling.width(), i / tiling.width());
        assert_eq!(tiling.slot(block.0, block.1), slot, "{name}: {block:?} of {tiling}");
        blocks[slot as usize] = Some(block);
    }
    for (slot, block) in (0..).zip(blocks) {
        assert_eq!(tiling.block(slot), block, "{name}: slot {slot} of {tiling}");
    }
    for slot in [tiling.slot_count(), tiling.slot_count() + 1, u32::MAX / 2, u32::MAX] {
        assert_eq!(tiling.block(slot), None, "{name}: slot {slot}");
    }
}

#[test]
fn every_layout_is_recovered_from_its_read_back() {
    for layout in layouts() {
        for (width, height) in
            [SIZE, (389, 203), (64, 64), (260, 132), (33, 31), (1, 1), (1, 37), (41, 1), (5, 3)]
        {
            let slots = read_back(&layout, width, height);
            let tiling = Tiling::fit(width, height, &slots)
                .unwrap_or_else(|error| panic!("{} of {width}×{height}: {error}", layout.name()));
            assert_both_ways(&tiling, &slots, layout.name());
        }
    }
}

#[test]
fn orders_have_their_names() {
    let named = |start: &str, order: TileOrder| {
        let mut count = 0;
        for layout in layouts().iter().filter(|layout| layout.name().starts_with(start)) {
            let fitted = Tiling::fit(SIZE.0, SIZE.1, &layout.slots(SIZE.0, SIZE.1)).unwrap();
            assert_eq!(fitted.tile().order(), order, "{}", layout.name());
            count += 1;
        }
        assert!(count > 0, "{start}");
    };
    named("linear", TileOrder::Linear);
    named("Morton, X first, 8×8", TileOrder::MortonXFirst);
    named("Morton, X first, 32×32", TileOrder::MortonXFirst);
    named("Morton, Y first, 16×16", TileOrder::MortonYFirst);
    named("Apple", TileOrder::MortonXFirst);
    named("NVIDIA Orin manual, 1 GOBs", TileOrder::BlockLinear { gob_count: 1 });
    named("NVIDIA since Turing, 16 GOBs", TileOrder::BlockLinear { gob_count: 16 });
    named("AMD", TileOrder::BitMatrix);
    named("Intel", TileOrder::BitMatrix);
    named("Adreno", TileOrder::BitMatrix);
}

#[test]
fn the_smallest_macro_tile_is_found() {
    let tile_of = |start: &str| {
        let layout = layouts().into_iter().find(|layout| layout.name().starts_with(start)).unwrap();
        let fitted = Tiling::fit(SIZE.0, SIZE.1, &layout.slots(SIZE.0, SIZE.1)).unwrap();
        [fitted.tile().width(), fitted.tile().height(), fitted.tile().slot_count(), fitted.pitch]
    };
    assert_eq!(tile_of("linear, 8 bytes per block, rows of 32"), [1, 1, 1, 416]);
    assert_eq!(tile_of("Morton, Y first, 16×16"), [16, 16, 256, 25]);
    assert_eq!(tile_of("NVIDIA since Turing, 8 GOBs"), [8, 64, 512, 49]);
    assert_eq!(tile_of("AMD GFX11 64KB_R_X"), [128, 64, 8192, 4]);
    assert_eq!(tile_of("Intel Tile 4"), [16, 32, 512, 25]);
    assert_eq!(tile_of("Apple"), [64, 32, 2048, 7]);
}

#[test]
fn a_base_is_found() {
    for (layout, base) in layouts().iter().zip([3, 16, 8192 * 5].into_iter().cycle()) {
        let slots: Vec<u32> = layout.slots(SIZE.0, SIZE.1).iter().map(|slot| slot + base).collect();
        let tiling = Tiling::fit(SIZE.0, SIZE.1, &slots).unwrap();
        assert_eq!(tiling.base(), base, "{}", layout.name());
        assert_both_ways(&tiling, &slots, layout.name());
    }
}

#[test]
fn a_swapped_pair_is_refused_and_named() {
    for layout in layouts() {
        let (width, height) = SIZE;
        let mut slots = layout.slots(width, height);
        // The matrix is not read from either block.
        let [a, b] = [(3 + 5 * width) as usize, (200 + 99 * width) as usize];
        slots.swap(a, b);
        let expected = Unfit::Disagrees {
            block: (3, 5),
            found: slots[a],
            expected: slots[b],
            count: 2,
            of: width * height,
        };
        assert_eq!(Tiling::fit(width, height, &slots).unwrap_err(), expected, "{}", layout.name());
        // The matrix is read from block (1, 0). The swap is noticed nevertheless.
        let mut slots = layout.slots(width, height);
        slots.swap(1, b);
        assert!(
            matches!(Tiling::fit(width, height, &slots), Err(Unfit::Disagrees { .. })),
            "{}",
            layout.name()
        );
    }
}

/// Tests one block in a slot far from the others.
#[test]
fn a_single_stray_block_is_refused() {
    let (width, height) = SIZE;
    for layout in layouts() {
        let mut slots = layout.slots(width, height);
        let stray = slots.iter().max().expect("blocks") + 7;
        slots[(3 + 5 * width) as usize] = stray;
        let fitted = Tiling::fit(width, height, &slots);
        let is_refused = matches!(fitted, Err(Unfit::Disagrees { count: 1, .. }));
        assert!(is_refused, "{}: {fitted:?}", layout.name());
    }
}

#[test]
fn slots_that_are_no_permutation_are_refused() {
    let size = TilingError::Size { width: 0, height: 4 };
    assert_eq!(Tiling::fit(0, 4, &[]), Err(Unfit::Tiling(size)));
    assert_eq!(Tiling::fit(2, 2, &[0, 1, 2]), Err(Unfit::Count { width: 2, height: 2, given: 3 }));
    let same = Unfit::SameSlot { slot: 1, first: (1, 0), second: (1, 1) };
    assert_eq!(Tiling::fit(2, 2, &[0, 1, 2, 1]), Err(same));
    let beyond = Tiling::fit(2, 1, &[u32::MAX, 0]);
    assert!(matches!(beyond, Err(Unfit::Tiling(TilingError::Memory { .. }))), "{beyond:?}");
}

#[test]
fn tilings_that_cannot_be_are_refused() {
    let tile = |bits, x: &[u32], y: &[u32]| MacroTile::new(bits, 0, x, y);
    let morton = || tile([1, 1, 2], &[1], &[2]).unwrap();
    assert!(Tiling::new(5, 5, 0, 3, morton()).is_ok());
    assert_eq!(Tiling::new(5, 5, 0, 2, morton()), Err(TilingError::Pitch { pitch: 2, across: 3 }));
    assert_eq!(Tiling::new(65536, 5, 0, 2, morton()), Err(TilingError::Size { width: 65536, height: 5 }));
    let end = 4 * 3 * 3 + u64::from(u32::MAX);
    assert_eq!(Tiling::new(5, 5, u32::MAX, 3, morton()), Err(TilingError::Memory { end }));
    for wrong in [
        tile([1, 1, 2], &[1], &[1]),
        tile([1, 1, 2], &[1], &[4]),
        tile([1, 1, 2], &[1], &[6]),
        tile([1, 1, 2], &[1, 4], &[2]),
        MacroTile::new([1, 1, 2], 4, &[1], &[2]),
        tile([1, 1, 1], &[1], &[0]),
        tile([0, 0, 25], &[], &[]),
        tile([40, 40, 20], &[1], &[2]),
        tile([1, 1, 2], &[1; 17], &[2]),
    ] {
        assert_eq!(wrong, Err(TilingError::Matrix));
    }
}

/// Returns pseudo-random bits, good enough for matrices.
fn bits(state: &mut u64) -> u32 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*state >> 32) as u32
}

proptest! {
    #[test]
    fn random_matrices_are_recovered(
        (width_log2, height_log2) in (0u32..6, 0u32..6),
        spare in 0u32..2,
        seed in any::<u64>(),
        (width, height) in (1u32..150, 1u32..150),
        more in 0u32..3,
    ) {
        let slots_log2 = width_log2 + height_log2 + spare;
        let mut state = seed;
        let mut column = |_| bits(&mut state) & ((1 << slots_log2) - 1);
        let x: Vec<u32> = (0..8).map(&mut column).collect();
        let y: Vec<u32> = (0..8).map(&mut column).collect();
        let constant = column(0);
        let bits = [width_log2, height_log2, slots_log2];
        let Ok(tile) = MacroTile::new(bits, constant, &x, &y) else { return Ok(()) };
        let pitch = width.div_ceil(1 << width_log2) + more;
        let tiling = Tiling::new(width, height, 0, pitch, tile).unwrap();
        let blocks = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let slots: Vec<u32> = blocks.map(|(x, y)| tiling.slot(x, y)).collect();
        assert_both_ways(&tiling, &slots, "given");
        let fitted = Tiling::fit(width, height, &slots).unwrap();
        for (i, &slot) in (0..).zip(&slots) {
            let block = (i % width, i / width);
            prop_assert_eq!(fitted.slot(block.0, block.1), slot);
            prop_assert_eq!(fitted.block(slot), Some(block));
        }
        prop_assert_eq!(Tiling::from_text(&fitted.to_text()).unwrap(), fitted);
    }

    #[test]
    fn random_permutations_are_refused(
        (width, height) in (4u32..60, 4u32..60),
        seed in any::<u64>(),
    ) {
        let mut slots: Vec<u32> = (0..width * height).collect();
        let mut state = seed;
        for i in (1..slots.len()).rev() {
            slots.swap(i, bits(&mut state) as usize % (i + 1));
        }
        let error = Tiling::fit(width, height, &slots);
        let is_refused = matches!(error, Err(Unfit::Disagrees { .. }));
        prop_assert!(is_refused, "{:?}", error);
    }
}
