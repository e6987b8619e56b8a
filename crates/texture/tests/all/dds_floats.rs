//! Floats of DDS files as pictures: nothing is clamped.

use brickwork_image::image_file::{ImageReadError, ImageReadOptions, Picture, Texels};
use brickwork_texture::{ColorSpace, Task, half::f16, pictures::read};
use std::io::Cursor;

fn read_bytes(bytes: &[u8]) -> Result<Picture, ImageReadError> {
    read(Cursor::new(bytes), None, &ImageReadOptions::default(), &Task::new())
}

/// Red, green and blue of every texel.
fn colors(picture: &Picture) -> Vec<[f16; 3]> {
    match &picture.texels {
        Texels::RgbF16(texels) => texels.clone(),
        Texels::RgbaF16(texels) => texels.iter().map(|&[r, g, b, _]| [r, g, b]).collect(),
        other => panic!("not half floats: {other:?}"),
    }
}

/// Numbers that half floats round, clamp or lose.
const SINGLES: [f32; 6] = [1.0 / 3.0, 1e-10, 123_456.79, -3e38, f32::INFINITY, 1e9];

fn read_singles(bytes: &[u8]) -> Picture {
    let options = ImageReadOptions::default().with(|o| o.single_floats = true);
    let picture = read(Cursor::new(bytes), None, &options, &Task::new()).unwrap();
    assert!(picture.notes.is_empty() && picture.overflow_count == 0, "{:?}", picture.notes);
    picture
}

/// Tests that readers keep every bit on request.
#[test]
fn single_floats_are_kept_on_request() {
    let rgb = SINGLES.as_chunks::<3>().0.to_vec();
    let rgba: Vec<[f32; 4]> = rgb.iter().map(|&[r, g, b]| [r, g, b, 1.0]).collect();
    let bytes = |numbers: &[f32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let grey = SINGLES.map(|number| [number; 3]).to_vec();
    let two: Vec<_> = SINGLES.as_chunks::<2>().0.iter().map(|&[r, g]| [r, g, 0.0]).collect();
    for (file, expected) in [
        (dds(2, 16, &bytes(rgba.as_flattened())), Texels::RgbaF32(rgba)),
        (dds(6, 12, &bytes(&SINGLES)), Texels::RgbF32(rgb)),
        (dds(16, 8, &bytes(&SINGLES)), Texels::RgbF32(two)),
        (dds(41, 4, &bytes(&SINGLES)), Texels::RgbF32(grey)),
    ] {
        assert_eq!(read_singles(&file).texels, expected);
        assert!(!matches!(read_bytes(&file).unwrap().texels, Texels::RgbF32(_) | Texels::RgbaF32(_)));
    }
    // Other floats stay half floats.
    let halves = dds(10, 8, &[0x00u8, 0x3c].repeat(4));
    assert!(matches!(read_singles(&halves).texels, Texels::RgbaF16(_)));
}

/// A file of floats in the format of a DXGI number.
fn dds(dxgi: u32, texel_bytes: u32, texels: &[u8]) -> Vec<u8> {
    let mut file = vec![0; 148];
    let width = texels.len() as u32 / texel_bytes;
    let words = [(4, 124), (8, 0x1007), (12, 1), (16, width), (76, 32), (80, 4), (108, 0x1000)];
    for (at, word) in words.into_iter().chain([(128, dxgi), (132, 3), (140, 1)]) {
        file[at..at + 4].copy_from_slice(&u32::to_le_bytes(word));
    }
    file[..4].copy_from_slice(b"DDS ");
    file[84..88].copy_from_slice(b"DX10");
    file.extend(texels);
    file
}

#[test]
fn floats_of_dds_files_are_not_clamped() {
    let halves =
        |values: &[f32]| -> Vec<u8> { values.iter().flat_map(|&v| f16::from_f32(v).to_le_bytes()).collect() };
    let singles = |values: &[f32]| -> Vec<u8> { values.iter().flat_map(|v| v.to_le_bytes()).collect() };
    let light = [[-2.5, 0.25, 300.0], [1e9, 0.0, -1e9]];
    let rgba: Vec<f32> = light.iter().flat_map(|&[r, g, b]| [r, g, b, 1.0]).collect();
    for (dxgi, texel_bytes, texels) in [
        (10, 8, halves(&rgba)),                 // R16G16B16A16_FLOAT
        (2, 16, singles(&rgba)),                // R32G32B32A32_FLOAT
        (6, 12, singles(light.as_flattened())), // R32G32B32_FLOAT
    ] {
        let picture = read_bytes(&dds(dxgi, texel_bytes, &texels)).unwrap();
        let max = if dxgi == 10 { f32::INFINITY } else { 65504.0 };
        let found: Vec<[f32; 3]> = colors(&picture).iter().map(|color| color.map(f16::to_f32)).collect();
        assert_eq!(found, [light[0], [max, 0.0, -max]], "{dxgi}");
        let noted = ["2 numbers are beyond half floats and became ±65504"];
        assert_eq!(picture.notes, if dxgi == 10 { [].map_owned() } else { noted.map_owned() }, "{dxgi}");
        assert_eq!(picture.overflow_count, if dxgi == 10 { 0 } else { 2 }, "{dxgi}");
        assert_eq!(picture.color_space, ColorSpace::Linear);
    }
    // R11G11B10_FLOAT: 2, 1, 0.5 (exponents of 5 bits after mantissas of 6, 6 and 5 bits).
    let packed = 0x400u32 | 0x3c0 << 11 | 0x1c0 << 22;
    let picture = read_bytes(&dds(26, 4, &packed.to_le_bytes())).unwrap();
    assert_eq!(colors(&picture)[0].map(f16::to_f32), [2.0, 1.0, 0.5]);
    // R9G9B9E5: mantissas 256, 128, 1 and an exponent of 20 - 15 - 9.
    let packed = 256u32 | 128 << 9 | 1 << 18 | 20 << 27;
    let picture = read_bytes(&dds(67, 4, &packed.to_le_bytes())).unwrap();
    assert_eq!(colors(&picture)[0].map(f16::to_f32), [16.0, 8.0, 0.0625]);
    // R16_FLOAT is grey. A block of BC6H, mode 11, is 65504 in red.
    let picture = read_bytes(&dds(54, 2, &halves(&[7.5]))).unwrap();
    assert_eq!(colors(&picture)[0].map(f16::to_f32), [7.5; 3]);
}

trait MapOwned {
    fn map_owned(&self) -> Vec<String>;
}

impl MapOwned for [&str] {
    fn map_owned(&self) -> Vec<String> {
        self.iter().map(|text| (*text).to_owned()).collect()
    }
}
