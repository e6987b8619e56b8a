//! The savings and the cost of rate–distortion optimisation.

use crate::{
    picture::Picture,
    quality,
    table::{Column, Table},
};
use anyhow::Result;
use brickwork_texture::{
    BlockFormat, CpuEncoder, EncodeOptions, ImageView, Quality, RdoLambda, RoundingRule, Task,
};
use std::{io::Write as _, num::NonZeroUsize, time::Duration};

/// Each format with the λ that are measured.
const FORMATS: [(BlockFormat, &[f32]); 3] = [
    (BlockFormat::Bc1, &[1.0, 2.0, 4.0, 6.0, 8.0, 12.0, 16.0]),
    (BlockFormat::Bc3, &[1.0, 2.0, 4.0, 6.0, 8.0, 12.0, 16.0]),
    (BlockFormat::Bc7, &[0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0]),
];

/// Levels of Zstandard: the program's default, and a slow one for archives.
const ZSTD_LEVELS: [i32; 2] = [9, 19];

/// All pictures' blocks with one λ.
struct Measured {
    /// With Zstandard, level by level, and with deflate, in bytes.
    sizes: [usize; 3],
    /// The mean of the pictures' PSNR.
    psnr_db: f64,
    time: Duration,
}

fn deflated(blocks: &[u8]) -> Result<usize> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(blocks)?;
    Ok(encoder.finish()?.len())
}

fn measure(pictures: &[Picture], format: BlockFormat, lambda: f32) -> Result<Measured> {
    let encoder = CpuEncoder::new().with_threads(NonZeroUsize::MIN);
    let rdo = RdoLambda::new(lambda).expect("in the range");
    let options = EncodeOptions::new().with_quality(Quality::Normal).with_rdo(rdo);
    let mut measured = Measured { sizes: [0; 3], psnr_db: 0.0, time: Duration::ZERO };
    for picture in pictures {
        let image = ImageView::new(&picture.texels, picture.width, picture.height)?;
        let mut blocks = vec![0; picture.block_bytes(format)];
        let start = cpu_time::ThreadTime::now();
        encoder.encode_into(&image, format, &options, &mut blocks, &Task::new())?;
        measured.time += start.elapsed();
        for (size, level) in measured.sizes.iter_mut().zip(ZSTD_LEVELS) {
            *size += zstd::bulk::compress(&blocks, level)?.len();
        }
        measured.sizes[2] += deflated(&blocks)?;
        let psnr_db = quality::decode(picture, format, &blocks, RoundingRule::Exact)?.psnr_db;
        measured.psnr_db += psnr_db / pictures.len() as f64;
    }
    Ok(measured)
}

/// Returns a table for each format.
pub fn run(pictures: &[Picture]) -> Result<String> {
    let mut text = String::new();
    for (format, lambdas) in FORMATS {
        let plain = measure(pictures, format, 0.0)?;
        let channels = quality::channels(format);
        let mut table = Table::new(&[
            Column::Number("λ"),
            Column::Number("zstd -9"),
            Column::Number("zstd -19"),
            Column::Number("deflate -9"),
            Column::Number(&format!("PSNR {channels} (dB)")),
            Column::Number("lost (dB)"),
            Column::Number("time ÷ that of normal"),
        ]);
        for lambda in [&[0.0], lambdas].concat() {
            let measured = if lambda > 0.0 { &measure(pictures, format, lambda)? } else { &plain };
            let mut row = vec![lambda.to_string()];
            for (size, plain) in measured.sizes.iter().zip(plain.sizes) {
                row.push(match lambda {
                    0.0 => format!("{:.2} MiB", plain as f64 / f64::from(1 << 20)),
                    _ => format!("−{:.1} %", 100.0 - 100.0 * *size as f64 / plain as f64),
                });
            }
            row.push(format!("{:.2}", measured.psnr_db));
            row.push(format!("{:.2}", plain.psnr_db - measured.psnr_db));
            row.push(format!("{:.1}", measured.time.as_secs_f64() / plain.time.as_secs_f64()));
            table.push(row);
        }
        let raw: usize = pictures.iter().map(|picture| picture.block_bytes(format)).sum();
        let raw = raw as f64 / f64::from(1 << 20);
        text += &format!("{} ({raw:.2} MiB of blocks):\n\n{}\n", format.name(), table.to_markdown());
    }
    Ok(text)
}
