//! Small files of every format.
#![allow(dead_code, reason = "shared by two test programs, which use different parts")]

use image::{DynamicImage, GrayImage, ImageFormat};
use std::{io::Cursor, path::Path};

/// One small image of each colour type, with a pattern.
pub fn patterned(width: u32, height: u32) -> Vec<DynamicImage> {
    let mut state = 12345u32;
    let count = (width * height * 4) as usize;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    let wide: Vec<u16> = (0..count).map(|_| noise() as u16).collect();
    let rgba = image::ImageBuffer::from_raw(width, height, wide).unwrap();
    let image = DynamicImage::ImageRgba16(rgba);
    vec![
        DynamicImage::ImageLuma8(image.to_luma8()),
        DynamicImage::ImageLumaA8(image.to_luma_alpha8()),
        DynamicImage::ImageRgb8(image.to_rgb8()),
        DynamicImage::ImageRgba8(image.to_rgba8()),
        DynamicImage::ImageLuma16(image.to_luma16()),
        DynamicImage::ImageLumaA16(image.to_luma_alpha16()),
        DynamicImage::ImageRgb16(image.to_rgb16()),
        image,
    ]
}

/// A file of 7×5 texels of RGB.
pub fn file(format: ImageFormat) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    patterned(7, 5)[2].write_to(&mut file, format).unwrap();
    file.into_inner()
}

/// A PNG of 4×4 grey texels with what `setup` sets.
pub fn png(setup: fn(&mut ::png::Encoder<'_, &mut Vec<u8>>)) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut file, 4, 4);
    encoder.set_color(::png::ColorType::Grayscale);
    setup(&mut encoder);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[7; 16]).unwrap();
    writer.finish().unwrap();
    file
}

/// A PNG chunk with its length and check sum.
pub fn png_chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let body = [&kind[..], data].concat();
    let crc = !body.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    });
    [&(data.len() as u32).to_be_bytes()[..], &body, &crc.to_be_bytes()].concat()
}

pub fn dds(width: u32, height: u32, format: dds::Format, texels: &[[u8; 4]]) -> Vec<u8> {
    let mut file = Vec::new();
    let header = dds::header::Header::new_image(width, height, format);
    let mut encoder = dds::Encoder::new(&mut file, format, &header).unwrap();
    let size = dds::Size::new(width, height);
    let view = dds::ImageView::new(texels.as_flattened(), size, dds::ColorFormat::RGBA_U8).unwrap();
    encoder.write_surface(view).unwrap();
    encoder.finish().unwrap();
    file
}

/// A KTX2 file, byte by byte as the specification (KTX 2.0) lays it down and not through any crate.
#[derive(Clone)]
pub struct Ktx2<'a> {
    /// Number of the `VkFormat`.
    pub format: u32,
    /// Width, height and depth as the header has them: 0 where there is none.
    pub size: [u32; 3],
    pub layers: u32,
    pub faces: u32,
    /// Level with which Zstandard compresses.
    pub zstd: Option<i32>,
    /// Of the descriptor: `colorModel`, `colorPrimaries`, `transferFunction`, `flags`.
    pub descriptor: [u8; 4],
    pub keys: &'a [(&'a str, &'a [u8])],
    /// The largest first.
    pub levels: &'a [&'a [u8]],
}

impl Ktx2<'static> {
    /// One image; linear, without keys.
    pub fn new(format: u32, width: u32, height: u32) -> Self {
        let size = [width, height, 0];
        let descriptor = [1, 1, 1, 0];
        Self { format, size, layers: 0, faces: 1, zstd: None, descriptor, keys: &[], levels: &[] }
    }
}

impl Ktx2<'_> {
    pub fn bytes(&self) -> Vec<u8> {
        let mut descriptor = [28u32, 0, 2 | 24 << 16].map(u32::to_le_bytes).concat();
        descriptor.extend(self.descriptor);
        descriptor.extend([0; 12]);
        let mut pairs = Vec::new();
        for (key, value) in self.keys {
            pairs.extend((key.len() as u32 + 1 + value.len() as u32).to_le_bytes());
            pairs.extend([key.as_bytes(), &[0], value].concat());
            pairs.resize(pairs.len().next_multiple_of(4), 0);
        }
        let (level_count, [width, height, depth]) = (self.levels.len() as u32, self.size);
        let descriptor_at = 80 + 24 * level_count;
        let pairs_at = descriptor_at + descriptor.len() as u32;
        let mut file = b"\xabKTX 20\xbb\r\n\x1a\n".to_vec();
        for field in [self.format, 1, width, height, depth, self.layers, self.faces, level_count]
            .into_iter()
            .chain([if self.zstd.is_some() { 2 } else { 0 }, descriptor_at, descriptor.len() as u32])
            .chain([pairs_at, pairs.len() as u32, 0, 0, 0, 0])
        {
            file.extend(field.to_le_bytes());
        }
        let (mut index, mut data) = (Vec::new(), Vec::new());
        let data_at = (pairs_at as usize + pairs.len()).next_multiple_of(16);
        for level in self.levels.iter().rev() {
            let stored = match self.zstd {
                Some(effort) => zstd::bulk::compress(level, effort).unwrap(),
                None => level.to_vec(),
            };
            data.resize(data.len().next_multiple_of(16), 0);
            let entry = [data_at + data.len(), stored.len(), level.len()];
            index.splice(0..0, entry.map(|field| (field as u64).to_le_bytes()).concat());
            data.extend(stored);
        }
        file.extend([index, descriptor, pairs].concat());
        file.resize(data_at, 0);
        file.extend(data);
        file
    }
}

/// Files of every format, compression and colour type, each a few hundred bytes.
pub fn corpus() -> Vec<(String, Vec<u8>)> {
    let mut corpus = Vec::new();
    let formats = [
        ImageFormat::Png,
        ImageFormat::Jpeg,
        ImageFormat::Tga,
        ImageFormat::Bmp,
        ImageFormat::Tiff,
        ImageFormat::WebP,
        ImageFormat::Gif,
        ImageFormat::Pnm,
    ];
    for image in patterned(7, 5) {
        for format in formats {
            let mut file = Cursor::new(Vec::new());
            if image.write_to(&mut file, format).is_ok() {
                corpus.push((format!("{format:?} {:?}", image.color()), file.into_inner()));
            }
        }
    }
    let texels = [[1, 2, 3, 255]; 64];
    for format in [dds::Format::B8G8R8A8_UNORM, dds::Format::BC1_UNORM, dds::Format::BC7_UNORM] {
        corpus.push((format!("Dds {format:?}"), dds(8, 8, format, &texels)));
    }
    let keys: &[(&str, &[u8])] = &[("KTXorientation", b"ru\0")];
    let levels: &[&[u8]] = &[&[7; 8 * 8 * 4], &[9; 4 * 4 * 4]];
    for (name, zstd) in [("Ktx2", None), ("Ktx2 zstd", Some(3))] {
        corpus.push((name.into(), Ktx2 { zstd, keys, levels, ..Ktx2::new(37, 8, 8) }.bytes()));
        let levels: &[&[u8]] = &[b"a block of BC7 !"];
        corpus.push((format!("{name} BC7"), Ktx2 { zstd, levels, ..Ktx2::new(145, 4, 4) }.bytes()));
        let levels: &[&[u8]] = &[b"BC1 is 8"];
        corpus.push((format!("{name} BC1"), Ktx2 { zstd, levels, ..Ktx2::new(133, 3, 4) }.bytes()));
    }
    corpus.push((
        "Pnm ascii".into(),
        b"P3 # text\n3 2\n255\n 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18".to_vec(),
    ));
    corpus.push(("Pnm bits".into(), b"P4 9 2 \xaa\x80\x55\x00".to_vec()));
    corpus.push(("Bmp run lengths".into(), bmp_run_lengths()));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/image_file");
    let mut names: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    for path in names.into_iter().filter(|path| path.extension().is_some_and(|extension| extension != "md")) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        corpus.push((name, std::fs::read(path).unwrap()));
    }
    corpus
}

/// 4×2 texels of BI_RLE8: a run of four, the end of the line, four values as they are, the end.
fn bmp_run_lengths() -> Vec<u8> {
    let pixels = [4u8, 1, 0, 0, 0, 4, 0, 1, 1, 0, 0, 1];
    let mut file = b"BM".to_vec();
    let offset = 14 + 40 + 8;
    for value in
        [offset + pixels.len() as u32, 0, offset, 40, 4, 2, 1 | 8 << 16, 1, pixels.len() as u32, 0, 0, 2, 2]
    {
        file.extend(value.to_le_bytes());
    }
    file.extend([0, 0, 0, 0, 255, 128, 64, 0]);
    file.extend(pixels);
    file
}

/// One file of each format that claims to be `side` texels wide and high, as far as its fields go; those that
/// would be small after all are left out.
pub fn with_sides(side: u32) -> Vec<(String, Vec<u8>)> {
    let fits16 = side <= 0xffff;
    let (le, be) = (side.to_le_bytes(), side.to_be_bytes());
    let mut files = Vec::new();
    let mut push = |name: &str, file: Vec<u8>| files.push((name.to_owned(), file));

    for depth in [1u8, 8, 16] {
        let header = [&be[..], &be, &[depth, 0, 0, 0, 0]].concat();
        let start = [b"\x89PNG\r\n\x1a\n".to_vec(), png_chunk(b"IHDR", &header)].concat();
        push("PNG", [start, png_chunk(b"IDAT", &[0x78, 0x9c, 3, 0]), png_chunk(b"IEND", &[])].concat());
    }
    let mut bmp = file(ImageFormat::Bmp);
    bmp[18..22].copy_from_slice(&le);
    bmp[22..26].copy_from_slice(&le);
    push("BMP", bmp);
    let mut bmp = bmp_run_lengths();
    bmp[18..22].copy_from_slice(&le);
    bmp[22..26].copy_from_slice(&le);
    push("BMP run lengths", bmp);
    push("PNM", format!("P6 {side} {side} 255 abc").into_bytes());
    push("PNM bits", format!("P4 {side} {side} abc").into_bytes());
    push(
        "PAM",
        format!("P7\nWIDTH {side}\nHEIGHT {side}\nDEPTH 4\nMAXVAL 65535\nTUPLTYPE RGB_ALPHA\nENDHDR\nabc")
            .into_bytes(),
    );
    let mut dds_file = dds(8, 8, dds::Format::BC1_UNORM, &[[1, 2, 3, 255]; 64]);
    dds_file[12..16].copy_from_slice(&le);
    dds_file[16..20].copy_from_slice(&le);
    push("DDS BC1", dds_file);
    let mut dds_file = dds(8, 8, dds::Format::B8G8R8A8_UNORM, &[[1, 2, 3, 255]; 64]);
    dds_file[12..16].copy_from_slice(&le);
    dds_file[16..20].copy_from_slice(&le);
    push("DDS", dds_file);
    for (name, format, texel_bytes) in [("KTX2", 37, 32), ("KTX2 BC1", 133, 4), ("KTX2 BC7", 145, 8)] {
        for zstd in [None, Some(3)] {
            let mut ktx2 = Ktx2 { zstd, levels: &[&[0; 64]], ..Ktx2::new(format, side, side) }.bytes();
            // As long as the size demands, as far as 64 bits go.
            let length = (u128::from(side) * u128::from(side) * texel_bytes / 8) as u64;
            ktx2[96..104].copy_from_slice(&length.to_le_bytes());
            if zstd.is_none() {
                ktx2[88..96].copy_from_slice(&length.to_le_bytes());
            }
            push(&format!("{name} {zstd:?}"), ktx2);
        }
    }
    let mut tiff = Cursor::new(Vec::new());
    DynamicImage::from(GrayImage::new(7, 5)).write_to(&mut tiff, ImageFormat::Tiff).unwrap();
    let mut tiff = tiff.into_inner();
    let directory = u32::from_le_bytes(*tiff[4..].first_chunk().unwrap()) as usize;
    for entry in 0..2 {
        // Width and height come first; as longs.
        let at = directory + 2 + 12 * entry;
        assert_eq!(tiff[at..at + 2], (256 + entry as u16).to_le_bytes());
        tiff[at + 2..at + 8].copy_from_slice(&[4, 0, 1, 0, 0, 0]);
        tiff[at + 8..at + 12].copy_from_slice(&le);
    }
    push("TIFF", tiff);
    if fits16 {
        let (le, be) = ([le[0], le[1]], [be[2], be[3]]);
        let mut tga = file(ImageFormat::Tga);
        tga[12..14].copy_from_slice(&le);
        tga[14..16].copy_from_slice(&le);
        // (Zero sides are no TGA header.)
        push("TGA", tga);
        let mut gif = file(ImageFormat::Gif);
        gif[6..8].copy_from_slice(&le);
        gif[8..10].copy_from_slice(&le);
        push("GIF", gif);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/image_file");
        for name in ["progressive.jpg", "subsampled.jpg", "grey.jpg"] {
            let mut jpeg = std::fs::read(folder.join(name)).unwrap();
            let frame = jpeg.windows(2).position(|m| m == [0xff, 0xc0] || m == [0xff, 0xc2]).unwrap();
            jpeg[frame + 5..frame + 7].copy_from_slice(&be);
            jpeg[frame + 7..frame + 9].copy_from_slice(&be);
            push(name, jpeg);
        }
    }
    files
}
