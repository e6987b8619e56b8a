//! Compares decoders: blocks to 8-bit RGBA on one thread.
//!
//! All decode the same blocks, our encoder's. A round runs every decoder after the other over all pictures,
//! so that a change in the machine's speed affects all alike, and ratios are taken within a round.

use crate::{
    measure::{median, pin},
    peers::package,
    picture::Picture,
    report::three_digits,
    table::{Column, Table},
};
use anyhow::{Context, Result, ensure};
use brickwork_texture::{
    BlockFormat, CpuEncoder, EncodeOptions, ImageView, ImageViewMut, Quality, RoundingRule, Task, decode_into,
};
use cpu_time::ThreadTime;

/// CPU seconds that a decoder runs in a round at least.
const ROUND_SECONDS: f64 = 0.15;
/// Largest difference between two decoders' channels: roundings differ by 2, wrong calls by far more.
const MAX_DIFFERENCE: u8 = 3;

/// The cases: a format, and true if the texels have alpha.
const CASES: [(BlockFormat, bool); 8] = [
    (BlockFormat::Bc1, false),
    (BlockFormat::Bc2, true),
    (BlockFormat::Bc3, false),
    (BlockFormat::Bc3, true),
    (BlockFormat::Bc4Unorm, false),
    (BlockFormat::Bc5Unorm, false),
    (BlockFormat::Bc7, false),
    (BlockFormat::Bc7, true),
];

/// Decodes blocks of an image with this width in texels.
type Decode = fn(BlockFormat, &[u8], usize, &mut [[u8; 4]]) -> Result<()>;

/// A decoder, and the channel in each byte of its texels.
struct Contestant {
    name: String,
    decode: Decode,
    order: [usize; 4],
}

fn contestants() -> [Contestant; 3] {
    [
        Contestant { name: "Brickwork".to_owned(), decode: ours, order: [0, 1, 2, 3] },
        Contestant { name: package("bcdec_rs"), decode: bcdec, order: [0, 1, 2, 3] },
        Contestant { name: package("texture2ddecoder"), decode: texture2d, order: [2, 1, 0, 3] },
    ]
}

fn ours(format: BlockFormat, blocks: &[u8], width: usize, texels: &mut [[u8; 4]]) -> Result<()> {
    let height = texels.len() / width;
    let mut image = ImageViewMut::new(texels, width as u32, height as u32)?;
    Ok(decode_into(format, blocks, RoundingRule::Exact, &mut image, &Task::new())?)
}

/// Decodes with bcdec, block by block. It returns one and two channels as such, so they are spread to RGBA
/// here.
fn bcdec(format: BlockFormat, blocks: &[u8], width: usize, texels: &mut [[u8; 4]]) -> Result<()> {
    match format {
        BlockFormat::Bc1 => by_block(blocks, width, texels, bcdec_rs::bc1 as BlockFn, 8),
        BlockFormat::Bc2 => by_block(blocks, width, texels, bcdec_rs::bc2, 16),
        BlockFormat::Bc3 => by_block(blocks, width, texels, bcdec_rs::bc3, 16),
        BlockFormat::Bc7 => by_block(blocks, width, texels, bcdec_rs::bc7, 16),
        BlockFormat::Bc4Unorm => spread::<8, 1>(blocks, width, texels, bcdec_rs::bc4),
        BlockFormat::Bc5Unorm => spread::<16, 2>(blocks, width, texels, bcdec_rs::bc5),
        _ => anyhow::bail!("{format} is not compared"),
    }
    Ok(())
}

type BlockFn = fn(&[u8], &mut [u8], usize);

#[inline(always)]
fn by_block(
    blocks: &[u8],
    width: usize,
    texels: &mut [[u8; 4]],
    decode: impl Fn(&[u8], &mut [u8], usize),
    block_bytes: usize,
) {
    let rows = blocks.chunks_exact(width / 4 * block_bytes).zip(texels.chunks_exact_mut(4 * width));
    for (blocks, texels) in rows {
        let texels = texels.as_flattened_mut();
        for (column, block) in blocks.chunks_exact(block_bytes).enumerate() {
            decode(block, &mut texels[16 * column..], 4 * width);
        }
    }
}

#[inline(always)]
fn spread<const BYTES: usize, const CHANNELS: usize>(
    blocks: &[u8],
    width: usize,
    texels: &mut [[u8; 4]],
    decode: impl Fn(&[u8], &mut [u8], usize, bool),
) {
    let rows = blocks.chunks_exact(width / 4 * BYTES).zip(texels.chunks_exact_mut(4 * width));
    for (blocks, texels) in rows {
        for (column, block) in blocks.as_chunks::<BYTES>().0.iter().enumerate() {
            let mut values = [[0; CHANNELS]; 16];
            decode(block, values.as_flattened_mut(), 4 * CHANNELS, false);
            for (row, values) in texels.chunks_exact_mut(width).zip(values.as_chunks::<4>().0) {
                for (texel, values) in row[4 * column..][..4].iter_mut().zip(values) {
                    *texel = [0, 0, 0, 255];
                    texel[..CHANNELS].copy_from_slice(values);
                }
            }
        }
    }
}

/// Decodes with texture2ddecoder: whole images to words, blue in the lowest byte.
fn texture2d(format: BlockFormat, blocks: &[u8], width: usize, texels: &mut [[u8; 4]]) -> Result<()> {
    let height = texels.len() / width;
    let decode = match format {
        BlockFormat::Bc1 => texture2ddecoder::decode_bc1a,
        BlockFormat::Bc2 => texture2ddecoder::decode_bc2,
        BlockFormat::Bc3 => texture2ddecoder::decode_bc3,
        BlockFormat::Bc4Unorm => texture2ddecoder::decode_bc4,
        BlockFormat::Bc5Unorm => texture2ddecoder::decode_bc5,
        BlockFormat::Bc7 => texture2ddecoder::decode_bc7,
        _ => anyhow::bail!("{format} is not compared"),
    };
    decode(blocks, width, height, bytemuck::cast_slice_mut(texels)).map_err(anyhow::Error::msg)
}

/// An image's blocks, and the texels that a decoder makes of them.
struct Image {
    width: usize,
    blocks: Vec<u8>,
    texels: Vec<[u8; 4]>,
}

/// One case with the speed of each decoder in each round, in millions of texels per CPU second.
pub struct Case {
    format: BlockFormat,
    has_alpha: bool,
    mpix_s: Vec<Vec<f64>>,
}

/// Measures all cases in `round_count` rounds on this thread, which it pins to one CPU.
pub fn run(pictures: &[Picture], round_count: usize) -> Result<Vec<Case>> {
    let images = CASES.map(|(format, has_alpha)| {
        eprintln!("blocks: {format}{}", if has_alpha { " with alpha" } else { "" });
        pictures.iter().map(|picture| encode(picture, format, has_alpha)).collect::<Result<Vec<_>>>()
    });
    pin()?;
    // Our decoder gives rows of blocks to Rayon's threads: here, to this one.
    let _pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build()?;
    CASES.into_iter().zip(images).map(|(case, images)| measure(case, images?, round_count)).collect()
}

fn measure((format, has_alpha): (BlockFormat, bool), mut images: Vec<Image>, rounds: usize) -> Result<Case> {
    eprintln!("speed: {format}{}", if has_alpha { " with alpha" } else { "" });
    let contestants = contestants();
    check(format, &contestants, &mut images)?;
    let texel_count: usize = images.iter().map(|image| image.texels.len()).sum();
    let mut mpix_s = vec![Vec::new(); contestants.len()];
    for _ in 0..rounds {
        for (contestant, mpix_s) in contestants.iter().zip(&mut mpix_s) {
            let (mut seconds, mut passes) = (0.0, 0);
            while seconds < ROUND_SECONDS {
                seconds += pass(contestant, format, &mut images)?;
                passes += 1;
            }
            mpix_s.push((texel_count * passes) as f64 / 1e6 / seconds);
        }
    }
    Ok(Case { format, has_alpha, mpix_s })
}

/// Decodes every image once. Returns the CPU time of this thread in seconds.
fn pass(contestant: &Contestant, format: BlockFormat, images: &mut [Image]) -> Result<f64> {
    let start = ThreadTime::try_now()?;
    for image in images {
        (contestant.decode)(format, &image.blocks, image.width, &mut image.texels)?;
    }
    Ok(start.try_elapsed()?.as_secs_f64())
}

/// Checks that all decode the same in the channels of the format, except for roundings.
fn check(format: BlockFormat, contestants: &[Contestant], images: &mut [Image]) -> Result<()> {
    let mut expected: Vec<Vec<[u8; 4]>> = Vec::new();
    for contestant in contestants {
        pass(contestant, format, images)?;
        let rgba = |texel: &[u8; 4]| contestant.order.map(|channel| texel[channel]);
        let found: Vec<Vec<_>> = images.iter().map(|image| image.texels.iter().map(rgba).collect()).collect();
        if expected.is_empty() {
            expected = found;
            continue;
        }
        let channels = format.channels().len();
        for (expected, found) in expected.iter().flatten().zip(found.iter().flatten()) {
            let mut differences = expected.iter().zip(found).take(channels).map(|(a, b)| a.abs_diff(*b));
            ensure!(
                differences.all(|difference| difference <= MAX_DIFFERENCE),
                "{} decodes {format} to {found:?}, not to {expected:?}",
                contestant.name
            );
        }
    }
    Ok(())
}

/// Returns a picture's blocks at normal quality. Its alpha, if any, is the red of the picture upside down.
fn encode(picture: &Picture, format: BlockFormat, has_alpha: bool) -> Result<Image> {
    let mut texels = picture.texels.clone();
    for (texel, opposite) in texels.iter_mut().zip(picture.texels.iter().rev()) {
        texel[3] = if has_alpha { opposite[0] } else { 255 };
    }
    let options = EncodeOptions::default().with(|o| o.quality = Quality::Normal);
    let mut blocks = vec![0; picture.block_bytes(format)];
    let image = ImageView::new(&texels, picture.width, picture.height)?;
    CpuEncoder::new()
        .encode_into(&image, format, &options, &mut blocks, &Task::new())
        .context("cannot encode")?;
    Ok(Image { width: picture.width as usize, blocks, texels })
}

/// Returns the speeds, and ours as multiples of the others'.
pub fn table(cases: &[Case]) -> Table {
    use Column::{Number, Text};
    let contestants = contestants();
    let titles: Vec<_> =
        contestants[1..].iter().map(|contestant| format!("speed ÷ {}", contestant.name)).collect();
    let columns = [Text("format")].into_iter().chain(titles.iter().map(|title| Number(title)));
    let mut table = Table::new(&columns.collect::<Vec<_>>());
    for Case { format, has_alpha, mpix_s } in cases {
        let mut row = vec![format!("{format}{}", if *has_alpha { ", with alpha" } else { "" })];
        row.extend(mpix_s[1..].iter().map(|theirs| {
            three_digits(median(mpix_s[0].iter().zip(theirs).map(|(ours, theirs)| ours / theirs).collect()))
        }));
        table.push(row);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_peer_decodes_every_case() {
        let texels: Vec<_> = (0..64u8).map(|t| [4 * t, 255 - 3 * t, t % 8 * 31, 255]).collect();
        let picture = Picture { width: 8, height: 8, texels };
        for (format, has_alpha) in CASES {
            let mut images = [encode(&picture, format, has_alpha).unwrap()];
            check(format, &contestants(), &mut images).unwrap();
            // A decoder whose red and blue are exchanged is found out.
            let mut wrong = contestants();
            wrong[1].order = [2, 3, 0, 1];
            assert!(check(format, &wrong, &mut images).is_err(), "{format}");
        }
    }

    #[test]
    fn ratios_are_taken_within_a_round() {
        let mpix_s = vec![vec![40.0, 20.0, 44.0], vec![20.0, 10.0, 11.0], vec![4.0; 3]];
        let text = table(&[Case { format: BlockFormat::Bc3, has_alpha: true, mpix_s }]).to_markdown();
        let row: Vec<_> = text.lines().nth(2).unwrap().split('|').map(str::trim).collect();
        assert_eq!(row[1..4], ["bc3, with alpha", "2.00", "10.0"], "{text}");
    }
}
