//! Images of orders.

use crate::direct::tiling::{OrderMap, Tiling, simulated::layouts};

fn fitted(start: &str, width: u32, height: u32) -> Tiling {
    let layout = layouts().into_iter().find(|layout| layout.name().starts_with(start)).unwrap();
    Tiling::fit(width, height, &layout.slots(width, height)).unwrap()
}

#[test]
fn a_map_has_a_square_per_block() {
    let map = OrderMap::new(&fitted("Morton, X first, 8×8", 24, 16), 600);
    assert_eq!((map.width, map.height, map.texels.len()), (600, 400, 240_000));
    assert!(map.texels.iter().all(|texel| texel[3] == 255));
    // Later blocks are lighter.
    let light = |x: u32, y: u32| map.texels[((y * 25 + 3) * 600 + x * 25 + 3) as usize].map(u32::from)[1];
    assert!(light(0, 0) < light(4, 0) && light(4, 0) < light(0, 4) && light(0, 4) < light(7, 7));
    assert_eq!(light(0, 0), light(8, 8), "the next tile starts again");
}

#[test]
fn of_a_large_texture_the_upper_left_is_shown() {
    let map = OrderMap::new(&fitted("linear", 700, 3), 100);
    assert_eq!((map.width, map.height, map.texels.len()), (100, 3, 300));
}

#[cfg(feature = "io")]
#[test]
fn maps_are_written_on_request() {
    use crate::{ColorSpace, Task};
    use brickwork_image::image_file::{PngTexels, write_png};
    let Some(folder) = std::env::var_os("BRICKWORK_ORDER_MAPS") else { return };
    for (start, width, height) in [
        ("linear", 24, 16),
        ("Morton, X first, 8×8", 24, 16),
        ("Morton, Y first, 16×16", 32, 32),
        ("NVIDIA since Turing, 2 GOBs", 32, 32),
        ("AMD GFX11 64KB_R_X", 256, 192),
        ("AMD GFX9 64KB_S_X", 60, 40),
        ("Intel Tile 4", 48, 64),
        ("Apple", 64, 64),
        ("Adreno, 8 channels, highest bank bit 14", 64, 64),
    ] {
        let map = OrderMap::new(&fitted(start, width, height), 1000);
        let name = format!("{}.png", start.replace([' ', ','], "-"));
        let file = std::fs::File::create(std::path::Path::new(&folder).join(name)).unwrap();
        let texels = PngTexels::Rgba8(&map.texels);
        let file = std::io::BufWriter::new(file);
        write_png(file, map.width, map.height, texels, ColorSpace::Srgb, &Task::new()).unwrap();
    }
}
