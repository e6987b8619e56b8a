//! The codecs that are compared, and those of them that are written in Rust, each behind one closure.
//!
//! All codecs run on the caller's thread, from memory to memory. The decoded voxels are compared with the
//! original ones.

use super::volume::Sample;
use crate::peers::package;
use anyhow::{Context as _, Result, ensure};
use brickwork_papers::guthe2016::decode;
use brickwork_volume::{
    BrickSize, BwvOptions, Dims, Header, Region, Task, VolumeFile, VolumeView, VoxelKind, encode,
    guthe2016::Compressed,
};
use cpu_time::ThreadTime;

/// CPU seconds that a codec encodes and decodes for in a round, at least.
pub const ROUND_SECONDS: f64 = 0.05;

/// A codec with its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Brickwork(BrickSize),
    /// The scheme of Guthe & Goesele 2016, without its second level.
    Paper,
    /// Zstandard of the whole volume, at a level.
    Zstd(i32),
    Pco,
    /// Sides of chunks and blocks.
    Blosc2(usize, usize),
    JpegLs,
    /// The effort.
    JpegXl(u8),
}

/// Returns a short name of a size of bricks.
pub const fn short(brick: BrickSize) -> &'static str {
    match brick {
        BrickSize::Four => "4³",
        BrickSize::Eight => "8³",
        BrickSize::Flat => "16×16",
        _ => "another size",
    }
}

impl Kind {
    /// Every codec, in the order of the tables.
    pub const ALL: [Self; 13] = [
        Self::Brickwork(BrickSize::Four),
        Self::Brickwork(BrickSize::Eight),
        Self::Paper,
        Self::Zstd(3),
        Self::Zstd(9),
        Self::Zstd(19),
        Self::Pco,
        Self::Blosc2(16, 16),
        Self::Blosc2(64, 16),
        Self::Blosc2(64, 64),
        Self::JpegLs,
        Self::JpegXl(3),
        Self::JpegXl(7),
    ];

    /// Returns the name in the tables.
    pub fn name(self) -> String {
        match self {
            Self::Brickwork(brick) => format!("**Brickwork {}**", short(brick)),
            Self::Paper => "Guthe & Goesele 2016".into(),
            Self::Zstd(level) => format!("zstd -{level}"),
            Self::Pco => package("pco"),
            Self::Blosc2(chunk, block) if chunk == block => format!("Blosc2, chunks of {chunk}³"),
            Self::Blosc2(chunk, block) => format!("Blosc2, chunks of {chunk}³, blocks of {block}³"),
            Self::JpegLs => "JPEG-LS slices".into(),
            Self::JpegXl(effort) => format!("JPEG XL slices, effort {effort}"),
        }
    }

    /// Returns the smallest part that can be decoded separately.
    pub fn unit(self) -> String {
        match self {
            Self::Brickwork(brick) => short(brick).into(),
            Self::Paper => "4³".into(),
            Self::Zstd(_) => "all".into(),
            Self::Pco => "2¹⁸ voxels".into(),
            Self::Blosc2(_, block) => format!("{block}³"),
            Self::JpegLs | Self::JpegXl(_) => "slice".into(),
        }
    }
}

/// The result of encoding and decoding once.
pub struct Pass {
    pub byte_count: u64,
    /// Number of coded voxels: fewer than the volume has if `note` gives a reason.
    pub voxel_count: u64,
    pub encode_seconds: f64,
    pub decode_seconds: f64,
    /// A note for readers of the table.
    pub note: Option<String>,
}

pub enum Outcome {
    Measured(Pass),
    /// Not measured, and why.
    Missing(String),
}

/// Returns the CPU seconds of this thread for one call of `work`, which is called for at least
/// [`ROUND_SECONDS`].
pub fn timed(mut work: impl FnMut() -> Result<()>) -> Result<f64> {
    let start = ThreadTime::try_now()?;
    let mut count = 0.0;
    loop {
        work()?;
        count += 1.0;
        let seconds = start.try_elapsed()?.as_secs_f64();
        if seconds >= ROUND_SECONDS {
            return Ok(seconds / count);
        }
    }
}

/// A codec at work on one volume.
pub struct Codec<'a> {
    pub kind: Kind,
    /// Encodes and decodes everything, and compares.
    pub run: Box<dyn FnMut() -> Result<Outcome> + 'a>,
}

/// Returns the codec of `kind`, if it is written in Rust. `voxel_kind` is for Brickwork.
pub fn codec<T: Sample>(
    kind: Kind,
    voxels: &[T],
    dims: Dims,
    voxel_kind: VoxelKind,
) -> Result<Option<Codec<'_>>> {
    let view = VolumeView::new(voxels, dims)?;
    let run = match kind {
        Kind::Brickwork(brick) => brickwork(view, brick, voxel_kind),
        Kind::Paper => of(
            voxels,
            move |packed: &mut Option<Compressed>| {
                *packed = Some(Compressed::encode(view, false, &Task::new())?);
                Ok(())
            },
            |packed| packed.as_ref().map_or(0, |packed| packed.payload_bytes() + packed.offset_bytes()),
            |packed, back| {
                *back = decode(packed.as_ref().context("nothing was encoded")?, &Task::new())?;
                Ok(())
            },
        ),
        Kind::Zstd(level) => {
            let raw: &[u8] = bytemuck::cast_slice(voxels);
            let mut encoder = zstd::bulk::Compressor::new(level)?;
            let mut decoder = zstd::bulk::Decompressor::new()?;
            let encode = move |packed: &mut Vec<u8>| {
                packed.clear();
                packed.reserve(zstd::zstd_safe::compress_bound(raw.len()));
                Ok(encoder.compress_to_buffer(raw, packed).map(drop)?)
            };
            let decode = move |packed: &Vec<u8>, back: &mut Vec<T>| {
                let back: &mut [u8] = bytemuck::cast_slice_mut(back);
                Ok(decoder.decompress_to_buffer(packed, back).map(drop)?)
            };
            of(voxels, encode, length, decode)
        }
        Kind::Pco => {
            // The default level; voxels of 8 bits must be requested.
            let options = pco::ChunkConfig::default().with_enable_8_bit(true);
            let encode = move |packed: &mut Vec<u8>| {
                packed.clear();
                Ok(pco::standalone::simple_compress_into(voxels, &options, packed).map(drop)?)
            };
            of(voxels, encode, length, |packed, back| {
                Ok(pco::standalone::simple_decompress_into(packed, back).map(drop)?)
            })
        }
        Kind::Blosc2(..) | Kind::JpegLs | Kind::JpegXl(_) => return Ok(None),
    };
    Ok(Some(Codec { kind, run }))
}

fn brickwork<T: Sample>(view: VolumeView<'_, T>, brick: BrickSize, kind: VoxelKind) -> Run<'_> {
    let header = Header::new(T::TYPE, view.dims()).with(|header| (header.brick, header.kind) = (brick, kind));
    let options = BwvOptions::default();
    let encode = move |file: &mut Vec<u8>| {
        file.clear();
        Ok(encode(view, &header, &options, file, &Task::new())?)
    };
    let everything = Region::all(view.dims());
    let decode = move |file: &Vec<u8>, back: &mut Vec<T>| {
        Ok(VolumeFile::new(file.as_slice())?.read_into(&everything, back, &Task::new())?)
    };
    of(view.voxels(), encode, length, decode)
}

#[expect(clippy::ptr_arg, reason = "it represents the size of a codec's output")]
fn length(bytes: &Vec<u8>) -> u64 {
    bytes.len() as u64
}

type Run<'a> = Box<dyn FnMut() -> Result<Outcome> + 'a>;

/// Returns a codec that encodes `voxels` into a `P` of `size` bytes, which is kept between passes, and
/// decodes it into preallocated memory.
fn of<'a, T: Sample, P: Default + 'a>(
    voxels: &'a [T],
    mut encode: impl FnMut(&mut P) -> Result<()> + 'a,
    size: impl Fn(&P) -> u64 + 'a,
    mut decode: impl FnMut(&P, &mut Vec<T>) -> Result<()> + 'a,
) -> Run<'a> {
    let mut packed = P::default();
    Box::new(move || {
        let encode_seconds = timed(|| encode(&mut packed))?;
        // Not zero, so that the memory is touched, and missing parts are noticed.
        let mut back = vec![T::from_ordinal(1); voxels.len()];
        let decode_seconds = timed(|| decode(&packed, &mut back))?;
        let (raw, back): (&[u8], &[u8]) = (bytemuck::cast_slice(voxels), bytemuck::cast_slice(&back));
        ensure!(raw == back, "decodes to other voxels");
        Ok(Outcome::Measured(Pass {
            byte_count: size(&packed),
            voxel_count: voxels.len() as u64,
            encode_seconds,
            decode_seconds,
            note: None,
        }))
    })
}
