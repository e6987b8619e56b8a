use super::*;
use crate::dicom::test_images::{assert_error, assert_no_panic, assert_refused, unpacked};
use brickwork_volume::VoxelType;

/// Settings of the packer.
#[derive(Clone, Copy)]
struct Options {
    precision: u8,
    predictor: u8,
    shift: u8,
    /// Rows from one restart to the next; 0 for none.
    restart_rows: usize,
    /// True if each component has a separate scan.
    apart: bool,
}

const PLAIN: Options = Options { precision: 16, predictor: 1, shift: 0, restart_rows: 0, apart: false };

/// Sink of bits, the most significant first, with a zero byte after each byte of ones.
#[derive(Default)]
struct Sink {
    bytes: Vec<u8>,
    bits: Vec<bool>,
}

impl Sink {
    fn put(&mut self, value: u32, count: u32) {
        self.bits.extend((0..count).rev().map(|i| value >> i & 1 == 1));
        while self.bits.len() >= 8 {
            let byte = self.bits.drain(..8).fold(0, |byte, bit| byte << 1 | u8::from(bit));
            self.bytes.push(byte);
            if byte == 0xff {
                self.bytes.push(0);
            }
        }
    }

    /// Fills the last byte with ones.
    fn align(&mut self) {
        while !self.bits.is_empty() {
            self.put(1, 1);
        }
    }
}

/// Writes a difference with the table of [`packed`]: 15 codes of 4 bits, two of 5.
fn difference(sink: &mut Sink, difference: i32) {
    let difference = i32::from(difference as i16);
    let width = 32 - difference.unsigned_abs().leading_zeros();
    match width {
        ..15 => sink.put(width, 4),
        _ => sink.put(15 + width, 5),
    }
    if width < 16 {
        let bits = if difference < 0 { difference - 1 } else { difference };
        sink.put(bits as u32 & ((1 << width) - 1), width);
    }
}

/// Returns `samples` as a lossless JPEG image, by the definitions of Annex H.
fn packed(samples: &[u16], shape: SliceShape, options: Options) -> Vec<u8> {
    let SliceShape { width, height, channels, .. } = shape;
    let Options { precision, predictor, shift, restart_rows, apart } = options;
    let mut out = vec![0xff, 0xd8, 0xff, 0xfe, 0, 4, b'h', b'i'];
    let mut counts = [0; 16];
    (counts[3], counts[4]) = (15, 2);
    out.extend_from_slice(&[0xff, 0xc4, 0, 19 + 17, 2]);
    out.extend_from_slice(&counts);
    out.extend(0..17);
    out.extend_from_slice(&[0xff, 0xdd, 0, 4]);
    out.extend_from_slice(&((restart_rows * width) as u16).to_be_bytes());
    out.extend_from_slice(&[0xff, 0xff, 0xc3, 0, (8 + 3 * channels) as u8, precision]);
    out.extend_from_slice(&(height as u16).to_be_bytes());
    out.extend_from_slice(&(width as u16).to_be_bytes());
    out.push(channels as u8);
    (0..channels).for_each(|i| out.extend_from_slice(&[i as u8 + 7, 0x11, 0]));
    let all: Vec<usize> = (0..channels).collect();
    let scans: Vec<&[usize]> = if apart { all.chunks(1).collect() } else { vec![&all] };
    for places in scans {
        out.extend_from_slice(&[0xff, 0xda, 0, (6 + 2 * places.len()) as u8, places.len() as u8]);
        places.iter().for_each(|&place| out.extend_from_slice(&[place as u8 + 7, 0x20]));
        out.extend_from_slice(&[predictor, 0, shift]);
        let mut sink = Sink::default();
        for y in 0..height {
            let starts = y == 0 || restart_rows > 0 && y % restart_rows == 0;
            if starts && y > 0 {
                sink.align();
                sink.bytes.extend_from_slice(&[0xff, 0xd0 + ((y / restart_rows - 1) % 8) as u8]);
            }
            for x in 0..width {
                for place in places {
                    let at =
                        |x: usize, y: usize| i32::from(samples[(y * width + x) * channels + place] >> shift);
                    let predicted = match (x, y) {
                        (0, _) if starts => 1 << (precision - shift - 1),
                        _ if starts => at(x - 1, y),
                        (0, _) => at(0, y - 1),
                        _ => {
                            let (a, b, c) = (at(x - 1, y), at(x, y - 1), at(x - 1, y - 1));
                            [a, b, c, a + b - c, a + ((b - c) >> 1), b + ((a - c) >> 1), (a + b) >> 1]
                                [usize::from(predictor) - 1]
                        }
                    };
                    difference(&mut sink, at(x, y) - predicted);
                }
            }
        }
        sink.align();
        out.extend(sink.bytes);
    }
    out.extend_from_slice(&[0xff, 0xd9]);
    out
}

fn samples(shape: SliceShape, precision: u8, shift: u8) -> Vec<u16> {
    let count = shape.width * shape.height * shape.channels;
    let mut state = 1u32;
    (0..count)
        .map(|i| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Smooth values, with occasional extremes.
            let value = if state >> 28 == 0 { state >> 12 } else { 40 + (i as u32 % 7) + (state >> 30) };
            ((value << shift) & ((1 << precision) - 1)) as u16
        })
        .collect()
}

const GREY: SliceShape = SliceShape { width: 13, height: 9, voxel_type: VoxelType::U16, channels: 1 };

#[test]
fn every_predictor_is_undone() {
    for predictor in 1..=7 {
        for (voxel_type, channels, precision, shift, restart_rows, apart) in [
            (VoxelType::U16, 1, 16, 0, 0, false),
            (VoxelType::I16, 1, 12, 0, 0, false),
            (VoxelType::U16, 1, 16, 3, 2, false),
            (VoxelType::U8, 1, 8, 0, 1, false),
            (VoxelType::U8, 3, 8, 0, 0, false),
            (VoxelType::U8, 3, 8, 1, 4, true),
            (VoxelType::U16, 3, 10, 0, 0, true),
            (VoxelType::U8, 1, 2, 0, 0, false),
        ] {
            let shape = SliceShape { voxel_type, channels, ..GREY };
            let options = Options { precision, predictor, shift, restart_rows, apart };
            let samples = samples(shape, precision, shift);
            let want: Vec<u8> = samples
                .iter()
                .flat_map(|sample| sample.to_le_bytes()[..voxel_type.byte_count()].to_vec())
                .collect();
            let have = unpacked(unpack, &packed(&samples, shape, options), shape).expect("sound");
            assert!(have == want, "{predictor} {shape} {precision} {shift} {restart_rows} {apart}");
        }
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let good = packed(&samples(GREY, 16, 0), GREY, PLAIN);
    let frame = good.windows(2).position(|pair| pair == [0xff, 0xc3]).expect("a frame");
    let scan = good.windows(2).position(|pair| pair == [0xff, 0xda]).expect("a scan");
    let changes = [
        (1, 0xd9, "does not start with a JPEG image"),
        (frame + 1, 0xc0, "JPEG of process SOF0, not lossless with Huffman codes, is not supported"),
        (frame + 1, 0xfe, "a JPEG scan comes before the frame header"),
        (frame + 4, 17, "JPEG of 17 bits for u16 is not supported"),
        (frame + 4, 1, "JPEG of 1 bits for u16 is not supported"),
        (frame + 6, 200, "a JPEG image of 13x200 in a slice of 13x9 u16 is not supported"),
        (frame + 9, 3, "JPEG of 3 components for 1 is not supported"),
        (scan + 5, 8, "a JPEG scan names what is not there"),
        (scan + 6, 0x30, "a JPEG scan names what is not there"),
        (scan + 7, 0, "a JPEG scan's header is invalid"),
        (scan + 7, 8, "a JPEG scan's header is invalid"),
        (scan + 9, 15, "a JPEG sample has more bits than it may"),
        (frame - 4, 5, "the JPEG image's restart interval is invalid"),
        (frame - 2, 5, "the JPEG image restarts within a row"),
        (frame - 2, 13, "the JPEG image lacks a restart"),
    ];
    assert_refused(unpack, &good, GREY, &changes);
    // A component that is named often would take two rows of memory each time.
    let header =
        [&[0xff, 0xda, 1, 0x96, 200][..], &good[scan + 5..scan + 7].repeat(200), &[1, 0, 0]].concat();
    let often = [&good[..scan], &header, &good[scan + 10..]].concat();
    assert_error(unpack, &often, GREY, "a JPEG scan's header is invalid");
    assert!(unpacked(unpack, &good, SliceShape { voxel_type: VoxelType::F32, ..GREY }).is_err());
}

const COLOR: SliceShape = SliceShape { channels: 3, voxel_type: VoxelType::U8, ..GREY };

/// Returns an image whose components have separate scans.
fn planes() -> Vec<u8> {
    let options = Options { precision: 8, predictor: 6, shift: 1, restart_rows: 3, apart: true };
    packed(&samples(COLOR, 8, 1), COLOR, options)
}

#[test]
fn a_component_is_scanned_once() {
    let good = planes();
    let mut scans = (0..good.len()).filter(|&at| good[at..].starts_with(&[0xff, 0xda]));
    let (first, second) = (scans.next().expect("a scan"), scans.next().expect("another"));
    let twice = [&good[..second], &good[first..]].concat();
    assert_error(unpack, &twice, COLOR, "a JPEG scan names what is not there");
}

#[test]
fn a_damaged_image_is_an_error_or_another_never_a_panic() {
    assert_no_panic(unpack, &planes(), COLOR, 8, 2);
}
