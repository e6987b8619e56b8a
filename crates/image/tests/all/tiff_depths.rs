//! TIFF colours of any number of bits, which share bytes: in strips, tiles and planes, in both byte orders.

use brickwork_image::{
    Task,
    image_file::{ImageReadOptions, Picture, Texels, read},
};
use std::io::Cursor;

/// A TIFF of strips or tiles of channels of any depth, whose fields have any number of values.
struct DeepTiff<'a> {
    is_little: bool,
    size: [u16; 2],
    bits: &'a [u16],
    photometric: u16,
    more: &'a [(u16, u16)],
    /// Strips, or tiles of 16×16.
    chunks: Vec<Vec<u8>>,
    has_tiles: bool,
}

impl DeepTiff<'_> {
    fn texels(&self) -> Result<Texels, String> {
        self.picture().map(|picture| picture.texels)
    }

    fn picture(&self) -> Result<Picture, String> {
        let count = self.chunks.len();
        let lengths = self.chunks.iter().map(|chunk| chunk.len() as u16).collect::<Vec<_>>();
        let mut fields = vec![
            (256, vec![self.size[0]]),
            (257, vec![self.size[1]]),
            (258, self.bits.to_vec()),
            (262, vec![self.photometric]),
            (if self.has_tiles { 324 } else { 273 }, vec![0; count]),
            (277, vec![self.bits.len() as u16]),
            (if self.has_tiles { 325 } else { 279 }, lengths),
        ];
        let sides = if self.has_tiles { [(322, 16), (323, 16)] } else { [(278, self.size[1]), (254, 0)] };
        fields.extend(sides.iter().chain(self.more).map(|&(tag, value)| (tag, vec![value])));
        if self.photometric == 3 {
            // A palette of greys.
            fields.push((320, (0..3).flat_map(|_| (0..256).map(|grey| grey << 8)).collect()));
        }
        fields.sort_unstable();
        let short = |value: u16| if self.is_little { value.to_le_bytes() } else { value.to_be_bytes() };
        let long = |value: u32| if self.is_little { value.to_le_bytes() } else { value.to_be_bytes() };
        let mut after = 8 + 2 + 12 * fields.len() + 4;
        let start = after + fields.iter().map(|(_, values)| 2 * values.len()).sum::<usize>();
        let mut at = start as u16;
        for values in fields.iter_mut().filter(|field| matches!(field.0, 273 | 324)).map(|field| &mut field.1)
        {
            for (place, chunk) in values.iter_mut().zip(&self.chunks) {
                (*place, at) = (at, at + chunk.len() as u16);
            }
        }
        let mut file = if self.is_little { b"II*\0".to_vec() } else { b"MM\0*".to_vec() };
        file.extend(long(8));
        file.extend(short(fields.len() as u16));
        for (tag, values) in &fields {
            file.extend([short(*tag), short(3)].concat());
            file.extend(long(values.len() as u32));
            let mut value: Vec<u8> = values.iter().flat_map(|&value| short(value)).collect();
            if value.len() > 4 {
                value = long(after as u32).to_vec();
            }
            value.resize(4, 0);
            file.extend(value);
            after += 2 * values.len();
        }
        file.extend(long(0));
        file.extend(fields.iter().flat_map(|(_, values)| values).flat_map(|&value| short(value)));
        file.extend(self.chunks.iter().flatten());
        let picture = read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new());
        picture.map_err(|error| error.to_string())
    }
}

/// Packs rows of numbers, the highest bit first. Each row starts at a byte.
fn packed_rows(numbers: &[u16], width: usize, bits: usize) -> Vec<u8> {
    let row = |row: &[u16]| {
        let mut bytes = vec![0u8; (row.len() * bits).div_ceil(8)];
        for (i, bit) in (0..row.len() * bits).map(|i| (i, row[i / bits] >> (bits - 1 - i % bits) & 1)) {
            bytes[i / 8] |= (bit as u8) << (7 - i % 8);
        }
        bytes
    };
    numbers.chunks(width).flat_map(row).collect()
}

#[test]
fn tiff_colours_of_any_depth_are_read() {
    for (bits, channels, size) in
        [(12, 3, [3, 2]), (12, 4, [5, 3]), (10, 3, [7, 2]), (4, 3, [3, 2]), (1, 3, [5, 2])]
    {
        let [width, height] = size.map(usize::from);
        let max = (1u32 << bits) - 1;
        let number = |i: usize| (i as u32 * 2741 % (max + 1)) as u16;
        let numbers: Vec<u16> = (0..width * height * channels).map(number).collect();
        let scaled = |to: u32| move |&v: &u16| (u32::from(v) * to + max / 2) / max;
        let want = match (bits > 8, channels) {
            (true, 3) => {
                let numbers: Vec<u16> = numbers.iter().map(scaled(65535)).map(|v| v as u16).collect();
                Texels::Rgb16(numbers.as_chunks().0.to_vec())
            }
            (true, _) => {
                let numbers: Vec<u16> = numbers.iter().map(scaled(65535)).map(|v| v as u16).collect();
                Texels::Rgba16(numbers.as_chunks().0.to_vec())
            }
            (false, _) => {
                let numbers: Vec<u8> = numbers.iter().map(scaled(255)).map(|v| v as u8).collect();
                Texels::Rgb8(numbers.as_chunks().0.to_vec())
            }
        };
        let plane = |channel| {
            let numbers: Vec<u16> = numbers.iter().skip(channel).step_by(channels).copied().collect();
            packed_rows(&numbers, width, bits)
        };
        let (all, depths) =
            (vec![packed_rows(&numbers, width * channels, bits)], vec![bits as u16; channels]);
        for (is_little, planar, chunks) in
            [(true, 1, all.clone()), (false, 1, all), (true, 2, (0..channels).map(plane).collect())]
        {
            let alpha = (338, 2);
            let more = [(284, planar), alpha];
            let more = &more[..channels - 2];
            let file =
                DeepTiff { is_little, size, bits: &depths, photometric: 2, more, chunks, has_tiles: false };
            assert!(file.texels().as_ref() == Ok(&want), "{bits} {channels} {is_little} {planar}");
        }
    }
}

#[test]
fn tiff_colours_of_twelve_bits_may_be_in_tiles() {
    let number = |x: usize, y: usize, c: usize| (x * 397 + y * 41 + c * 1000) as u16 % 4096;
    let tile = |left: usize| {
        let numbers =
            (0..16).flat_map(|y| (0..16).flat_map(move |x| (0..3).map(move |c| number(left + x, y, c))));
        packed_rows(&numbers.collect::<Vec<_>>(), 48, 12)
    };
    let chunks = vec![tile(0), tile(16)];
    let (size, bits) = ([18, 3], &[12; 3][..]);
    let file = DeepTiff { is_little: true, size, bits, photometric: 2, more: &[], chunks, has_tiles: true };
    let Ok(Texels::Rgb16(texels)) = file.texels() else { panic!("{:?}", file.texels()) };
    for (i, texel) in texels.iter().enumerate() {
        let want = [0, 1, 2].map(|c| (u32::from(number(i % 18, i / 18, c)) * 65535 + 2047) / 4095);
        assert_eq!(texel.map(u32::from), want, "{i}");
    }
    // The header of a JPEG image of 3×2 texels, which is read before the depth is refused.
    let strip = || vec![vec![0xff, 0xd8, 0xff, 0xc0, 0, 11, 12, 0, 2, 0, 3, 1, 1, 0x11, 0, 0xff, 0xd9]];
    // Depths that differ, a predictor, JPEG, CMYK, and a sample without a meaning.
    for (bits, photometric, more) in [
        (&[5, 6, 5][..], 2, &[][..]),
        (&[12; 3], 2, &[(317, 2)]),
        (&[12; 3], 2, &[(259, 7)]),
        (&[12; 4], 5, &[]),
        (&[12; 4], 2, &[(338, 0)]),
    ] {
        let chunks = strip();
        let file =
            DeepTiff { is_little: false, size: [3, 2], bits, photometric, more, chunks, has_tiles: false };
        let error = file.texels().expect_err("texels like these");
        assert!(error.contains("bits like these are not supported"), "{bits:?} {more:?}: {error}");
    }
}

/// Returns LZW data of codes for single bytes. A clear code before each 200 keeps them at 9 bits.
fn lzw(bytes: &[u8]) -> Vec<u8> {
    let mut codes = Vec::new();
    for bytes in bytes.chunks(200) {
        codes.push(256);
        codes.extend(bytes.iter().map(|&byte| u16::from(byte)));
    }
    codes.push(257);
    packed_rows(&codes, codes.len(), 9)
}

/// The last read of a tile skips the two texels that are outside. At the end of the data, weezl 0.1 reports
/// no progress for such a read.
#[test]
fn tiff_tiles_of_lzw_may_end_outside_the_picture() {
    let number = |x: usize, y: usize, c: usize| (x * 7 + y * 31 + c * 90) as u8;
    let size = [30, 16];
    let texel = |i: usize, c| number(i % 30, i / 30, c);
    for (photometric, channels) in [(1, 1), (3, 1), (2, 3), (2, 4)] {
        let tile = |left: usize| {
            let row = |y| (0..16).flat_map(move |x| (0..channels).map(move |c| number(left + x, y, c)));
            lzw(&(0..16).flat_map(row).collect::<Vec<_>>())
        };
        let want = match (photometric, channels) {
            (1, _) => Texels::Grey8((0..480).map(|i| texel(i, 0)).collect()),
            (3, _) => Texels::Rgb8((0..480).map(|i| [texel(i, 0); 3]).collect()),
            (_, 3) => Texels::Rgb8((0..480).map(|i| [0, 1, 2].map(|c| texel(i, c))).collect()),
            _ => Texels::Rgba8((0..480).map(|i| [0, 1, 2, 3].map(|c| texel(i, c))).collect()),
        };
        for is_little in [true, false] {
            let (bits, chunks, more) = (vec![8; channels], vec![tile(0), tile(16)], [(259, 5), (338, 2)]);
            let more = &more[..if channels == 4 { 2 } else { 1 }];
            let file = DeepTiff { is_little, size, bits: &bits, photometric, more, chunks, has_tiles: true };
            assert!(file.texels().as_ref() == Ok(&want), "{photometric} {channels}: {:?}", file.texels());
        }
    }
}

#[test]
fn tiff_tiles_of_cmyk_in_lzw_that_end_outside_the_picture_are_refused() {
    let tile = || lzw(&[9; 16 * 16 * 4]);
    let chunks = vec![tile(), tile()];
    let (size, bits, more) = ([31, 16], &[8; 4][..], &[(259, 5)][..]);
    let file = DeepTiff { is_little: true, size, bits, photometric: 5, more, chunks, has_tiles: true };
    let error = file.texels().expect_err("a fault of the decoder");
    assert!(error.contains("CMYK in LZW tiles"), "{error}");
}

/// Image editors store masks beside RGB.
#[test]
fn tiff_channels_that_are_neither_colour_nor_alpha_are_left_out() {
    let number = |x: usize, y: usize, c: usize| (x * 7 + y * 31 + c * 90) as u8;
    let size = [18, 3];
    // RGB with one other channel, and RGBA with one.
    for (channels, extra) in [(4, 0), (5, 2)] {
        let bytes = |left: usize, width: usize, rows: usize| -> Vec<u8> {
            let row = |y| (0..width).flat_map(move |x| (0..channels).map(move |c| number(left + x, y, c)));
            (0..rows).flat_map(row).collect()
        };
        let plain = bytes(0, 18, 3);
        // Predictor 2: each number minus that of the channel before.
        let predicted = (0..plain.len()).map(|i| match i % (18 * channels) < channels {
            true => plain[i],
            false => plain[i].wrapping_sub(plain[i - channels]),
        });
        let predicted = predicted.collect();
        let texel = |i: usize, c| number(i % 18, i / 18, c);
        let want = match extra {
            0 => Texels::Rgb8((0..54).map(|i| [0, 1, 2].map(|c| texel(i, c))).collect()),
            _ => Texels::Rgba8((0..54).map(|i| [0, 1, 2, 3].map(|c| texel(i, c))).collect()),
        };
        let tiles = vec![bytes(0, 16, 16), bytes(16, 16, 16)];
        for (chunks, has_tiles, predictor) in
            [(vec![plain.clone()], false, 1), (vec![predicted], false, 2), (tiles, true, 1)]
        {
            let more = &[(338, extra), (317, predictor)];
            let bits = vec![8; channels];
            let file =
                DeepTiff { is_little: false, size, bits: &bits, photometric: 2, more, chunks, has_tiles };
            let picture = file.picture().expect("a picture");
            assert!(picture.texels == want, "{channels} {has_tiles} {predictor}: {:?}", picture.texels);
            let note = "a channel that is neither colour nor alpha is left out";
            assert!(picture.notes.iter().any(|found| found == note), "{:?}", picture.notes);
        }
    }
}

#[test]
fn tiff_cmyk_beside_other_channels_is_refused_if_the_decoder_would_mix_them_up() {
    let (size, bits, chunks) = ([2, 1], &[8; 5][..], || vec![vec![9; 10]]);
    let file = |more: &'static [(u16, u16)]| DeepTiff {
        is_little: true,
        size,
        bits,
        photometric: 5,
        more,
        chunks: chunks(),
        has_tiles: false,
    };
    assert!(matches!(file(&[(338, 0)]).texels(), Ok(Texels::Rgb8(_))));
    for more in [&[(338, 0), (317, 2)][..], &[(338, 2), (317, 1)]] {
        let error = file(more).texels().expect_err("channels in the wrong places");
        assert!(error.contains("5 channels are not supported"), "{error}");
    }
}
