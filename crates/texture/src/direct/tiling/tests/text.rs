//! Tilings as text.

use crate::direct::tiling::{Tiling, TilingTextError, simulated::layouts};

fn tilings() -> impl Iterator<Item = (String, Tiling)> {
    let fitted = |slots: Vec<u32>| Tiling::fit(150, 90, &slots).unwrap();
    layouts().into_iter().map(move |layout| (layout.name().to_owned(), fitted(layout.slots(150, 90))))
}

#[test]
fn a_line_gives_the_tiling_back() {
    for (name, tiling) in tilings() {
        let tiling = tiling.with_base(77).unwrap();
        let line = tiling.to_text();
        assert!(line.is_ascii() && !line.contains('\n'), "{line}");
        assert_eq!(Tiling::from_text(&line), Ok(tiling), "{name}: {line}");
    }
}

#[test]
fn a_damaged_line_is_refused() {
    for (name, tiling) in tilings() {
        let line = tiling.to_text();
        for i in 0..line.len() {
            let refused = |damaged: String| {
                let read = Tiling::from_text(&damaged);
                assert_eq!(read, Err(TilingTextError::Text), "{name}: {damaged}");
            };
            refused(line[..i].to_owned());
            refused(format!("{}{}", &line[..i], &line[i + 1..]));
            for byte in ['0', '9', 'x', ' ', '^', '~'] {
                let damaged = format!("{}{byte}{}", &line[..i], &line[i + 1..]);
                if damaged != line {
                    refused(damaged);
                }
            }
        }
    }
}

/// Returns a line with the right checksum.
fn signed(content: &str) -> String {
    format!("{content} check {:08x}", crate::direct::tiling::text::checksum(content))
}

#[test]
fn a_line_with_a_checksum_is_still_checked() {
    let good = "tiling-1 blocks 5x3 base 0 pitch 3 tile 2x2 bits x0 y0";
    assert_eq!(Tiling::from_text(&signed(good)).unwrap().to_text(), signed(good));
    for bad in [
        "tiling-2 blocks 5x3 base 0 pitch 3 tile 2x2 bits x0 y0",
        "tiling-1 blocks 5x3 base 0 pitch 3 tile 2x2 bits x0  y0",
        "tiling-1 blocks 5x3 base 0 pitch 3 tile 2x2 bits x0 z0",
        "tiling-1 blocks 5x3 base 0 pitch 3 tile 2x2 bits x0 x99",
        "tiling-1 blocks 5x3 base 0 pitch 3 tile 2x2 bits x0 y",
        "tiling-1 blocks 5x3 base 0 pitch 3 tile 2x2 bits x0 ",
        "tiling-1 blocks 5x3 base 0 pitch 3 tile 2x2 bits x0 é",
        "tiling-1 blocks 5x3 base 0 pitch 3 tile 2x2 bits x+0 y0",
        "tiling-1 blocks 05x3 base 0 pitch 3 tile 2x2 bits x0 y0",
        "tiling-1 blocks 5x3 base 0 pitch 3 tile 3x2 bits x0 y0",
        "tiling-1 blocks 5x3 base 0 pitch 3 tile 0x2 bits x0 y0",
        "tiling-1 blocks 5x3 base -1 pitch 3 tile 2x2 bits x0 y0",
        "tiling-1 blocks 5x3 base 4294967296 pitch 3 tile 2x2 bits x0 y0",
        "tiling-1 blocks 5x3 base 0 pitch 3 tile 2x2 bits 0^x0 y0",
        "tiling-1 blocks 5x3 base 0 pitch 3 tile 2x2 bits y0^x0 y0",
        "tiling-1 blocks 5x3 base 0 pitch 3 tile 2x2",
    ] {
        assert_eq!(Tiling::from_text(&signed(bad)), Err(TilingTextError::Text), "{bad}");
    }
    for impossible in [
        "tiling-1 blocks 5x3 base 0 pitch 2 tile 2x2 bits x0 y0",
        "tiling-1 blocks 5x3 base 0 pitch 3 tile 2x2 bits x0 x0",
        "tiling-1 blocks 5x3 base 4294967295 pitch 3 tile 2x2 bits x0 y0",
        "tiling-1 blocks 5x3 base 0 pitch 3 tile 2147483648x2 bits x0 y0",
        "tiling-1 blocks 0x3 base 0 pitch 3 tile 2x2 bits x0 y0",
    ] {
        let read = Tiling::from_text(&signed(impossible));
        assert!(matches!(read, Err(TilingTextError::Tiling(_))), "{impossible}: {read:?}");
    }
}

#[test]
fn a_line_for_people_says_what_it_is() {
    let shown = |start: &str| tilings().find(|(name, _)| name.starts_with(start)).unwrap().1;
    assert_eq!(shown("linear").to_string(), "linear, 150 slots per row");
    let morton = "Morton, X first; macro tiles of 32×32 blocks, 5 per row";
    assert_eq!(shown("Morton, X first, 32×32").to_string(), morton);
    assert_eq!(
        shown("Intel Tile Y").with_base(8).unwrap().to_string(),
        "bit matrix; macro tiles of 16×32 blocks, 10 per row; \
        slot bits x0 y0 y1 y2 y3 y4 x1 x2 x3; from slot 8 on"
    );
    let description = shown("NVIDIA since Turing, 2 GOBs").description();
    assert_eq!(
        (description.order.as_str(), description.tile, description.pitch),
        ("block-linear, 2 GOBs", [8, 16], 19)
    );
    assert_eq!(description.slot_bits.join(" "), "x0 y0 y1 x1 y2 x2 y3");
    assert_eq!(
        (description.blocks, description.tile_slots, description.slot_count),
        ([150, 90], 128, 19 * 6 * 128)
    );
}
