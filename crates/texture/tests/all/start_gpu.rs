//! Tests of whole images that are started and polled. No call waits or reads a clock, and the bytes are the
//! same.

use crate::common::gpu_encoder;
use brickwork_texture::{
    BlockFormat, EncodeOptions, Image, ImageView, Quality, Task,
    gpu::{Encoding, GpuEncoder},
};
use std::{
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Duration,
};

const SIDES: [u32; 2] = [1024, 512];

fn texels([width, height]: [u32; 2]) -> Vec<[u8; 4]> {
    let texel = |i: u32| [(i % width / 4) as u8, (i / width / 2) as u8, (i * 7 % 251) as u8, 255];
    (0..width * height).map(texel).collect()
}

fn options() -> EncodeOptions {
    EncodeOptions::default().with(|o| o.quality = Quality::Ultrafast)
}

/// Polls until all bands are done, and returns the number of polls before that.
fn finish(mut encoding: Encoding<'_>) -> u32 {
    let mut polls = 0;
    while !encoding.poll().unwrap() {
        polls += 1;
        thread::sleep(Duration::from_micros(100));
    }
    polls
}

fn expected(gpu: &GpuEncoder, image: &dyn Image) -> Vec<u8> {
    let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(SIDES[0], SIDES[1]) as usize];
    gpu.encode_into(image, BlockFormat::Bc1, &options(), &mut blocks, &Task::new()).unwrap();
    blocks
}

#[test]
fn a_poll_does_not_wait_for_the_gpu() {
    let Some(gpu) = gpu_encoder() else { return };
    let texels = texels(SIDES);
    let image = ImageView::new(&texels, SIDES[0], SIDES[1]).unwrap();
    let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(SIDES[0], SIDES[1]) as usize];
    let encoding = gpu.start(&image, BlockFormat::Bc1, &options(), None, &mut blocks).unwrap();
    let is_software = gpu.context().info().is_some_and(|info| info.is_software());
    let polls = finish(encoding);
    // On a GPU, all bands are in progress at the first poll. If that poll waited, it would be the only one.
    // Software adapters have more bands than one poll takes, so their count has no meaning.
    assert!(is_software || polls > 0);
    assert!(blocks == expected(&gpu, &image));
}

/// Returns the number of bands and the blocks of an encoding whose clock advances by `step` at each reading.
fn bands_by(step: Option<Duration>) -> Option<(u64, Vec<u8>)> {
    // A new encoder, which has not yet determined the size of bands.
    let gpu = gpu_encoder()?;
    let is_software = gpu.context().info().is_some_and(|info| info.is_software());
    // GPUs start with larger bands.
    let sides = if is_software { SIDES } else { [2048, 1024] };
    let texels = texels(sides);
    let image = ImageView::new(&texels, sides[0], sides[1]).unwrap();
    let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(sides[0], sides[1]) as usize];
    let readings = AtomicU64::new(0);
    let mut encoding = gpu.start(&image, BlockFormat::Bc1, &options(), None, &mut blocks).unwrap();
    if let Some(step) = step {
        let readings = &readings;
        let clock = move || step * (readings.fetch_add(1, Ordering::Relaxed) as u32);
        encoding = encoding.with_clock(clock);
    }
    finish(encoding);
    // One reading at the start, then two per band.
    Some((readings.into_inner() / 2, blocks))
}

#[test]
fn bands_are_sized_by_the_callers_clock() {
    let Some((slow, slow_blocks)) = bands_by(Some(Duration::from_secs(1))) else { return };
    let (quick, quick_blocks) = bands_by(Some(Duration::from_nanos(1))).unwrap();
    let (none, blocks) = bands_by(None).unwrap();
    assert_eq!(none, 0);
    assert!(quick > 1 && slow > 4 * quick, "{slow} bands where each takes a second, {quick} where none does");
    assert!(blocks == slow_blocks && blocks == quick_blocks);
}
