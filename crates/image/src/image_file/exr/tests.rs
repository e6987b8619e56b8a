//! Files with several parts, with stored mip levels and with subsampled channels.

use super::super::{ImageReadError, ImageReadOptions, Picture, Texels, read};
use crate::Task;
use exr::{
    block::{UncompressedBlock, enumerate_ordered_header_block_indices, writer::ChunksWriter},
    compression::Compression,
    math::{RoundingMode, Vec2},
    meta::{
        BlockDescription,
        attribute::{ChannelDescription, LevelMode, LineOrder, SampleType, Text, TileDescription},
        header::Header,
    },
};
use half::f16;
use std::io::Cursor;

/// A part of 40×20 texels with these channels, in tiles of 16×16 with these levels, or in scanlines.
fn part(name: &str, channels: &[&str], levels: Option<(LevelMode, RoundingMode)>) -> Header {
    let channel = |name: &&str| ChannelDescription::new(Text::from(*name), SampleType::F16, false);
    let blocks = levels.map_or(BlockDescription::ScanLines, |(level_mode, rounding_mode)| {
        BlockDescription::Tiles(TileDescription { tile_size: Vec2(16, 16), level_mode, rounding_mode })
    });
    Header::new(Text::from(name), (40, 20), channels.iter().map(channel).collect()).with_encoding(
        Compression::ZIP1,
        blocks,
        LineOrder::Increasing,
    )
}

/// A file of these parts. Samples are 10,000 × part + 1,000 × channel + 300 × level + 10 × row + column.
fn file(parts: &[Header]) -> Vec<u8> {
    file_with(parts, |part, channel, level, [x, y]| {
        (10_000 * part + 1_000 * channel + 300 * level + 10 * y + x) as f64
    })
}

/// A file of these parts. `sample` returns the sample of a part, a channel, a level, a column and a row.
fn file_with(parts: &[Header], sample: impl Fn(usize, usize, usize, [usize; 2]) -> f64) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    exr::block::write(&mut file, parts.iter().cloned().collect(), true, |meta, chunks| {
        for (index, block) in enumerate_ordered_header_block_indices(&meta.headers) {
            let channels = &meta.headers[block.layer].channels;
            let block = UncompressedBlock::from_lines(channels, block, |line| {
                let place = line.location;
                let (level, y) = (place.level.0 + place.level.1, place.position.1);
                for (x, bytes) in line.value.as_chunks_mut().0.iter_mut().enumerate() {
                    let number = sample(place.layer, place.channel, level, [place.position.0 + x, y]);
                    *bytes = f16::from_f32(number as f32).to_ne_bytes();
                }
            });
            chunks.write_chunk(index, block.compress_to_chunk(&meta.headers)?)?;
        }
        Ok(())
    })
    .unwrap();
    file.into_inner()
}

fn read_file(file: &[u8]) -> Result<Picture, ImageReadError> {
    read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new())
}

/// Red of the texels in the corners, of a picture of 40×20 texels.
fn corners(picture: &Picture) -> [f64; 4] {
    assert_eq!([picture.width, picture.height], [40, 20]);
    let Texels::RgbF16(texels) = &picture.texels else { panic!("not RGB in half floats") };
    [0, 39, 40 * 19, 40 * 20 - 1].map(|texel| texels[texel][0].to_f64())
}

/// Corners of the channel with this number, of level 0.
fn expected(part: u16, channel: u16) -> [f64; 4] {
    let start = 10_000 * part + 1_000 * channel;
    [0, 39, 190, 190 + 39].map(|rest| f16::from_f32(f32::from(start + rest)).to_f64())
}

#[test]
fn a_layer_is_read_by_its_name() {
    let view = ["View.AO.B", "View.AO.G", "View.AO.R", "View.Depth.Z", "View.ao.B", "View.ao.G", "View.ao.R"];
    let one = file(&[part("", &view, None)]);
    let all = file(&[
        part("beauty", &["A", "B", "G", "R", "spec.B", "spec.G", "spec.R"], None),
        part("depth", &["Z"], None),
        part("uv", &["U", "V"], None),
    ]);
    let of = |file: &[u8], layer: &str| {
        let options = ImageReadOptions::default().with(|o| o.exr_layer = Some(layer.to_owned()));
        read(Cursor::new(file), None, &options, &Task::new())
    };
    let red = |picture: &Picture| match &picture.texels {
        Texels::RgbF16(texels) => texels[0][0].to_f64(),
        Texels::RgbaF16(texels) => texels[0][0].to_f64(),
        texels => panic!("{texels:?}"),
    };
    let cases: [(&[u8], &str, f64, &[&str]); 11] = [
        (&one, "View.AO", 2_000.0, &["the layer View.AO is read"]),
        (&one, "View.ao", 6_000.0, &["the layer View.ao is read"]),
        (&one, "ao", 6_000.0, &["the layer View.ao is read"]),
        (&one, "view.Depth", 3_000.0, &["channel View.Depth.Z is read as grey"]),
        (&one, "Depth.Z", 3_000.0, &["channel View.Depth.Z is read as grey"]),
        (
            &one,
            "AO.G",
            1_000.0,
            &["channel View.AO.G is read as grey", "channels are not read: View.AO.B, View.AO.R"],
        ),
        (
            &all,
            "beauty",
            3_000.0,
            &["the part beauty is read", "channels are not read: spec.B, spec.G, spec.R"],
        ),
        (&all, "spec", 6_000.0, &["the part beauty is read", "the layer spec is read"]),
        (
            &all,
            "beauty.spec.G",
            5_000.0,
            &[
                "the part beauty is read",
                "channel spec.G is read as grey",
                "channels are not read: spec.B, spec.R",
            ],
        ),
        (&all, "depth", 10_000.0, &["the part depth is read", "channel Z is read as grey"]),
        (
            &all,
            "V",
            21_000.0,
            &["the part uv is read", "channel V is read as grey", "channels are not read: U"],
        ),
    ];
    for (file, layer, expected, notes) in cases {
        let picture = of(file, layer).unwrap();
        assert_eq!(red(&picture), f16::from_f32(expected as f32).to_f64(), "{layer}");
        assert_eq!(picture.notes, notes, "{layer}");
    }
    assert_eq!(of(&all, "depth").unwrap().part.as_deref(), Some("part 2 of 3"));
    let none = "EXR: there is no layer";
    for (file, layer, names) in [
        (&one, "Combined", "\"Combined\", only View.AO, View.Depth, View.ao"),
        (&all, "pec", "\"pec\", only beauty, depth, uv, spec, Z, U, V"),
        (&all, "", "\"\", only beauty, depth, uv, spec, Z, U, V"),
    ] {
        let error = of(file, layer).unwrap_err();
        assert_eq!(error.kind(), crate::ErrorKind::Unsupported);
        assert_eq!(error.to_string(), format!("{none} {names}"));
    }
    let error = of(&all, "uv").unwrap_err().to_string();
    assert_eq!(error, "EXR: no channels R, G, B or Y, only U, V");
    let many = file(&[part("", &["B", "G", "R", "View.UV.U", "View.UV.V"], None)]);
    let error = of(&many, "uv").unwrap_err().to_string();
    assert_eq!(error, "EXR: no channels R, G, B or Y, only View.UV.U, View.UV.V");
    // Other formats have no layers.
    assert!(of(b"P3 1 1 255 1 2 3", "depth").is_ok());
}

#[test]
fn the_largest_level_is_read() {
    let rgb = ["B", "G", "R"];
    for (levels, said) in [
        ((LevelMode::Singular, RoundingMode::Down), None),
        ((LevelMode::MipMap, RoundingMode::Down), Some("the first of 6 mip levels")),
        ((LevelMode::MipMap, RoundingMode::Up), Some("the first of 7 mip levels")),
        ((LevelMode::RipMap, RoundingMode::Down), Some("the first of 30 ripmap levels")),
    ] {
        let picture = read_file(&file(&[part("image", &rgb, Some(levels))])).unwrap();
        assert_eq!(corners(&picture), expected(0, 2), "{levels:?}");
        assert_eq!(picture.part.as_deref(), said, "{levels:?}");
    }
}

#[test]
fn the_first_part_with_colours_is_read() {
    let rgb = ["B", "G", "R"];
    let mips = Some((LevelMode::MipMap, RoundingMode::Down));
    let [left, right] = [("left", mips), ("right", None)].map(|(name, levels)| part(name, &rgb, levels));
    let picture = read_file(&file(&[left.clone(), right.clone()])).unwrap();
    assert_eq!(corners(&picture), expected(0, 2));
    assert_eq!(picture.part.as_deref(), Some("the first of 2 parts, 6 mip levels"));
    // Two channels without a colour are no picture. The levels are those of the part that is read.
    let motion = part("motion", &["u", "v"], None);
    let picture = read_file(&file(&[motion.clone(), left.clone()])).unwrap();
    assert_eq!(corners(&picture), expected(1, 2));
    assert_eq!(picture.part.as_deref(), Some("part 2 of 2, the first of 6 mip levels"));
    let picture = read_file(&file(&[motion.clone(), right, left])).unwrap();
    assert_eq!(picture.part.as_deref(), Some("part 2 of 3"));
    let error = read_file(&file(&[motion.clone(), part("more", &["u", "v"], None)])).unwrap_err();
    assert_eq!(error.to_string(), "EXR: no channels R, G, B or Y, only u, v");
}

#[test]
fn subsampled_channels_are_named() {
    // The crate does not write subsampled channels: the numbers are changed in the file.
    let mut file = file(&[part("image", &["B", "G", "R"], None)]);
    assert!(read_file(&file).is_ok());
    let name = file.windows(2).position(|bytes| bytes == b"G\0").unwrap();
    // After the name: type, linearity with padding, then the sampling of x and y.
    (file[name + 10], file[name + 14]) = (2, 4);
    let error = read_file(&file).unwrap_err();
    assert_eq!(error.to_string(), "EXR: subsampled channels are not supported: G (2×4)");
    // A factor of 0 is invalid, not subsampled.
    (file[name + 10], file[name + 14]) = (0, 1);
    let error = read_file(&file).unwrap_err();
    assert!(error.to_string().contains("zero sampling factor"), "{error}");
}

#[test]
fn colours_are_divided_by_alpha_unless_stored_ones_are_requested() {
    // In the order of the alphabet: alpha, blue, green, red.
    let parts = [part("art", &["A", "B", "G", "R"], None)];
    let file = file_with(&parts, |_, channel, _, _| [0.5, 0.125, 0.25, 0.375][channel]);
    let texel = |is_stored: bool| {
        let options = ImageReadOptions::default().with(|o| o.stored_alpha = is_stored);
        let picture = read(Cursor::new(&file), None, &options, &Task::new()).unwrap();
        assert!(picture.is_premultiplied && picture.is_divided != is_stored);
        let Texels::RgbaF16(texels) = picture.texels else { panic!("not RGBA in half floats") };
        texels[0].map(f16::to_f64)
    };
    assert_eq!(texel(false), [0.75, 0.5, 0.25, 0.5]);
    assert_eq!(texel(true), [0.375, 0.25, 0.125, 0.5]);
}
