//! Tests that a picture reports if its file contains more: frames, pages, mip levels, layers.

use crate::corpus::{Ktx2, file, png, png_chunk};
use brickwork_image::image_file::ImageReadOptions;
use brickwork_texture::{
    BlockFormat, Task, Texture, TextureDesc,
    container::{ContainerFormat, DdsHeader, TextureWriteOptions},
    pictures::read,
};
use image::ImageFormat;
use std::{io::Cursor, path::Path};

fn part(bytes: &[u8]) -> Option<String> {
    read(Cursor::new(bytes), None, &ImageReadOptions::default(), &Task::new()).unwrap().part
}

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/image_file").join(name)).unwrap()
}

#[test]
fn a_picture_alone_is_no_part() {
    use ImageFormat::{Bmp, Gif, Jpeg, Png, Pnm, Tiff, WebP};
    for format in [Png, Jpeg, Bmp, Tiff, WebP, Gif, Pnm] {
        assert_eq!(part(&file(format)), None, "{format:?}");
    }
    for name in ["cmyk.tif", "deflate.tif", "palette.png", "palette.tif", "lossy-alpha.webp", "lossless.webp"]
    {
        assert_eq!(part(&fixture(name)), None, "{name}");
    }
}

#[test]
fn frames_are_counted() {
    assert_eq!(part(&fixture("animated.gif")).unwrap(), "the first of 2 frames");
    assert_eq!(part(&fixture("animated.webp")).unwrap(), "the first of 2 frames");
    // An animation of three frames, after IHDR.
    let still = png(|_| {});
    let control = png_chunk(b"acTL", &[0, 0, 0, 3, 0, 0, 0, 0]);
    let animated = [&still[..33], &control, &still[33..]].concat();
    assert_eq!(part(&animated).unwrap(), "the first of 3 frames");
    // If the end is damaged, the undamaged frames are counted.
    let gif = fixture("animated.gif");
    assert_eq!(part(&gif[..gif.len() - 1]).unwrap(), "the first of 2 frames");
}

/// A copy of a page's directory is appended to the file, and linked from the first.
#[test]
fn pages_are_counted() {
    let mut tiff = file(ImageFormat::Tiff);
    assert_eq!(&tiff[..4], b"II*\0");
    let u32_at = |tiff: &[u8], at: usize| u32::from_le_bytes(*tiff[at..].first_chunk().unwrap()) as usize;
    let first = u32_at(&tiff, 4);
    let next = first + 2 + 12 * usize::from(tiff[first]);
    assert_eq!(u32_at(&tiff, next), 0);
    let directory = tiff[first..next + 4].to_vec();
    let second = tiff.len() + tiff.len() % 2;
    tiff.resize(second, 0);
    tiff.extend(directory);
    tiff[next..next + 4].copy_from_slice(&(second as u32).to_le_bytes());
    assert_eq!(part(&tiff).unwrap(), "the first of 2 pages");
    // Directories in a circle are counted once.
    let last = tiff.len() - 4;
    tiff[last..].copy_from_slice(&(first as u32).to_le_bytes());
    assert_eq!(part(&tiff).unwrap(), "the first of 2 pages");
    // A link to a position outside the file is not a page.
    tiff[last..].copy_from_slice(&0x7fff_ffff_u32.to_le_bytes());
    assert_eq!(part(&tiff).unwrap(), "the first of 2 pages");
}

#[test]
fn images_of_textures_are_counted() {
    let format = BlockFormat::Bc3;
    let shapes = [
        (TextureDesc::new_2d(format, 8, 8), None),
        (TextureDesc::new_2d(format, 8, 8).with_mip_levels(4), Some("the first of 4 mip levels")),
        (TextureDesc::new_2d(format, 8, 8).with_layers(3), Some("the first of 3 layers")),
        (
            TextureDesc::new_cube(format, 8).with_layers(2).with_mip_levels(2),
            Some("the first of 2 layers, 6 faces, 2 mip levels"),
        ),
        (TextureDesc::new_3d(format, 8, 8, 5), Some("the first of 5 slices")),
    ];
    for (desc, expected) in shapes {
        let texture = Texture::new(desc, vec![0; desc.data_bytes() as usize]).unwrap();
        for (container, header) in [
            (ContainerFormat::Dds, DdsHeader::Dx10),
            (ContainerFormat::Dds, DdsHeader::Auto),
            (ContainerFormat::Ktx2, DdsHeader::Auto),
        ] {
            let mut options = TextureWriteOptions::default();
            options.dds_header = header;
            let mut file = Vec::new();
            texture.write(&mut file, container, &options, &Task::new()).unwrap();
            assert_eq!(part(&file).as_deref(), expected, "{container:?} {header:?}");
        }
    }
    let level: &[u8] = &[7; 4];
    assert_eq!(part(&Ktx2 { levels: &[level], ..Ktx2::new(9, 2, 2) }.bytes()), None);
}
