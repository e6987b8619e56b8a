//! Small files of every format.
#![allow(dead_code, reason = "shared by two test programs, which use different parts")]

use image::{DynamicImage, GrayImage, ImageFormat};
use std::{io::Cursor, path::Path};

/// Returns one small image of each colour type, with a pattern.
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

/// Returns a file of 7×5 texels of RGB.
pub fn file(format: ImageFormat) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    patterned(7, 5)[2].write_to(&mut file, format).unwrap();
    file.into_inner()
}

/// Returns a PNG of 4×4 grey texels with the settings of `setup`.
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

/// Returns a PNG chunk with its length and checksum.
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

/// A KTX2 file, built byte by byte from the specification (KTX 2.0) rather than by a crate.
#[derive(Clone)]
pub struct Ktx2<'a> {
    /// Number of the `VkFormat`.
    pub format: u32,
    /// Width, height and depth as in the header: 0 for a missing one.
    pub size: [u32; 3],
    pub layers: u32,
    pub faces: u32,
    /// Zstandard's compression level.
    pub zstd: Option<i32>,
    /// The descriptor's `colorModel`, `colorPrimaries`, `transferFunction`, `flags`.
    pub descriptor: [u8; 4],
    pub keys: &'a [(&'a str, &'a [u8])],
    /// Mip levels, largest first.
    pub levels: &'a [&'a [u8]],
}

impl Ktx2<'static> {
    /// Returns a linear file with one image, without keys.
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

/// A TIFF with one strip of indices into a colour map, built byte by byte as in TIFF 6.0 (sections 2, 5, 9,
/// 13).
#[derive(Clone)]
pub struct PaletteTiff<'a> {
    pub big_endian: bool,
    /// True for BigTIFF, which has offsets and counts of 64 bits.
    pub big: bool,
    pub size: [u32; 2],
    /// Bits of an index.
    pub bits: u16,
    /// 1: none, 5: LZW, 8: deflate, 32773: PackBits.
    pub compression: u16,
    pub orientation: u16,
    pub indices: &'a [u16],
    /// All reds, then all greens, then all blues.
    pub map: &'a [u16],
}

impl<'a> PaletteTiff<'a> {
    /// Returns uncompressed 8-bit indices, little-endian, with a black colour map.
    pub fn new(size: [u32; 2], indices: &'a [u16]) -> Self {
        let (bits, compression, orientation) = (8, 1, 1);
        Self { big_endian: false, big: false, size, bits, compression, orientation, indices, map: &[0; 768] }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let strip = self.compressed(&self.packed());
        let number = |value: u64, length: usize| {
            let bytes = value.to_be_bytes()[8 - length..].to_vec();
            if self.big_endian { bytes } else { bytes.into_iter().rev().collect() }
        };
        let field_bytes = if self.big { 8 } else { 4 };
        let mut file = if self.big_endian { b"MM".to_vec() } else { b"II".to_vec() };
        if self.big {
            file.extend([number(43, 2), number(8, 2), number(0, 2)].concat());
        } else {
            file.extend(number(42, 2));
        }
        let strip_at = file.len() + field_bytes;
        let map_at = strip_at + strip.len().next_multiple_of(2);
        let directory_at = map_at + 2 * self.map.len();
        file.extend(number(directory_at as u64, field_bytes));
        file.extend(&strip);
        file.resize(map_at, 0);
        file.extend(self.map.iter().flat_map(|&value| number(value.into(), 2)));
        let [width, height] = self.size.map(u64::from);
        // Tag, type (3: 16 bits, 4: 32 bits), count, value or its position.
        let entries = [
            (256, 4, 1, width),
            (257, 4, 1, height),
            (258, 3, 1, self.bits.into()),
            (259, 3, 1, self.compression.into()),
            (262, 3, 1, 3),
            (273, 4, 1, strip_at as u64),
            (274, 3, 1, self.orientation.into()),
            (277, 3, 1, 1),
            (278, 4, 1, height),
            (279, 4, 1, strip.len() as u64),
            (320, 3, self.map.len() as u64, map_at as u64),
        ];
        file.extend(number(entries.len() as u64, if self.big { 8 } else { 2 }));
        for (tag, kind, count, value) in entries {
            file.extend([number(tag, 2), number(kind, 2), number(count, field_bytes)].concat());
            let value_bytes = match (kind, count) {
                (3, 1) => 2,
                (4, 1) => 4,
                _ => field_bytes,
            };
            let mut field = number(value, value_bytes);
            field.resize(field_bytes, 0);
            file.extend(field);
        }
        file.extend(number(0, field_bytes));
        file
    }

    /// Returns the indices. Each row starts at a byte boundary.
    fn packed(&self) -> Vec<u8> {
        let bits = usize::from(self.bits);
        let mut bytes = Vec::new();
        for row in self.indices.chunks(self.size[0].max(1) as usize) {
            if bits == 16 {
                let pair =
                    |index: &u16| if self.big_endian { index.to_be_bytes() } else { index.to_le_bytes() };
                bytes.extend(row.iter().flat_map(pair));
                continue;
            }
            let start = bytes.len();
            bytes.resize(start + (row.len() * bits).div_ceil(8), 0);
            for (x, &index) in row.iter().enumerate() {
                bytes[start + x * bits / 8] |= (index as u8) << (8 - bits - x * bits % 8);
            }
        }
        bytes
    }

    fn compressed(&self, bytes: &[u8]) -> Vec<u8> {
        match self.compression {
            1 => bytes.to_vec(),
            // Codes of 9 bits: a code that clears the table before it needs longer ones, one code per byte,
            // and the end.
            5 => {
                let runs =
                    bytes.chunks(100).flat_map(|run| [256].into_iter().chain(run.iter().map(|&b| b.into())));
                let codes: Vec<u16> = runs.chain([257]).collect();
                let mut packed = vec![0; (codes.len() * 9).div_ceil(8)];
                for bit in 0..codes.len() * 9 {
                    packed[bit / 8] |= ((codes[bit / 9] >> (8 - bit % 9) & 1) as u8) << (7 - bit % 8);
                }
                packed
            }
            // A zlib stream of stored blocks.
            8 => {
                let mut stream = vec![0x78, 1];
                let count = bytes.chunks(0xffff).count();
                for (i, block) in bytes.chunks(0xffff).enumerate() {
                    let length = block.len() as u16;
                    stream.push((i + 1 == count).into());
                    stream.extend([length.to_le_bytes(), (!length).to_le_bytes()].concat());
                    stream.extend(block);
                }
                let (a, b) = bytes.iter().fold((1u32, 0u32), |(a, b), &byte| {
                    let a = (a + u32::from(byte)) % 65521;
                    (a, (a + b) % 65521)
                });
                stream.extend((b << 16 | a).to_be_bytes());
                stream
            }
            // Runs of literal bytes, each preceded by its count less one.
            32773 => {
                let run = |run: &[u8]| [&[run.len() as u8 - 1], run].concat();
                bytes.chunks(128).flat_map(run).collect()
            }
            other => panic!("{other}"),
        }
    }
}

/// Returns a colour map of `1 << bits` entries. Like libtiff's tools, it has 8-bit values times 257.
pub fn color_map(bits: u16) -> Vec<u16> {
    let count = 1u32 << bits;
    let channel = |shift: u32| (0..count).map(move |i| ((i * 37 + 11) >> shift & 255) as u16 * 257);
    [0, 1, 3].into_iter().flat_map(channel).collect()
}

/// Returns files of every format, compression and colour type, each a few hundred bytes.
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
    for (bits, big) in [(1, false), (4, true)] {
        let map = color_map(bits);
        let tiff = PaletteTiff { bits, big, map: &map, ..PaletteTiff::new([7, 5], &[1; 35]) };
        corpus.push((format!("Tiff palette {bits}"), tiff.bytes()));
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/image_file");
    let mut names: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    for path in names.into_iter().filter(|path| path.extension().is_some_and(|extension| extension != "md")) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        corpus.push((name, std::fs::read(path).unwrap()));
    }
    corpus
}

/// Returns 4×2 texels of BI_RLE8: a run of four, the end of the line, four literal values, the end.
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

/// Returns one file of each format that claims to be `side` texels wide and high, as far as its fields allow.
/// Files that would remain small are omitted.
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
            // The length that the size requires, within 64 bits.
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
        // Width and height come first, as longs.
        let at = directory + 2 + 12 * entry;
        assert_eq!(tiff[at..at + 2], (256 + entry as u16).to_le_bytes());
        tiff[at + 2..at + 8].copy_from_slice(&[4, 0, 1, 0, 0, 0]);
        tiff[at + 8..at + 12].copy_from_slice(&le);
    }
    push("TIFF", tiff);
    for bits in [1, 8, 16] {
        let (map, size) = (color_map(bits), [side; 2]);
        push(
            &format!("TIFF palette {bits}"),
            PaletteTiff { bits, map: &map, size, ..PaletteTiff::new([1; 2], &[1]) }.bytes(),
        );
    }
    if fits16 {
        let (le, be) = ([le[0], le[1]], [be[2], be[3]]);
        let mut tga = file(ImageFormat::Tga);
        tga[12..14].copy_from_slice(&le);
        tga[14..16].copy_from_slice(&le);
        // A TGA header cannot have a side of zero.
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
