//! The volume that a command line names: of any format, or raw voxels with options that describe them.

use super::{
    failure::open_failure,
    values::{dims, voxel_type},
};
use crate::{
    failure::Failure,
    input::{FileId, Input},
};
use brickwork_volume::{
    ByteOrder, Dims, Header, OpenOptions, OpenedVolume, RawLayout, VolumeFormat, VoxelStream, VoxelType, open,
};
use std::io::{self, BufReader};

/// Bytes read from standard input at a time.
const BUFFER_BYTES: usize = 1 << 20;

/// What raw voxels do not say about themselves.
#[derive(Default, clap::Args)]
pub struct RawArgs {
    /// Dimensions of raw input: voxels along x, y and z
    #[arg(long, value_name = "XxYxZ", value_parser = dims, help_heading = "Raw input")]
    dims: Option<Dims>,

    /// Voxel type of raw input
    #[arg(long = "type", value_name = "TYPE", value_parser = voxel_type, help_heading = "Raw input")]
    voxel_type: Option<VoxelType>,

    /// Channels of raw input: 1 to 4 interleaved numbers per voxel [default: 1]
    #[arg(long, value_name = "N", help_heading = "Raw input")]
    channels: Option<usize>,

    /// Frames of raw input: volumes one after another in time [default: 1]
    #[arg(long, value_name = "N", help_heading = "Raw input")]
    frames: Option<usize>,

    /// Raw input is big-endian: the most significant byte of each number comes first
    #[arg(long, help_heading = "Raw input")]
    big_endian: bool,

    /// Bytes before the voxels of raw input, such as a header [default: 0]
    #[arg(
        long,
        value_name = "BYTES",
        default_value = "0",
        hide_default_value = true,
        help_heading = "Raw input"
    )]
    offset: u64,
}

impl RawArgs {
    /// Opens `input`.
    ///
    /// # Errors
    /// [`Failure`], named; also if raw voxels are described, but `input` describes itself.
    pub fn open(&self, input: &Input) -> Result<OpenedVolume, Failure> {
        open_as(input, self.layout())
    }

    /// Whether any of the options is given.
    pub fn is_any(&self) -> bool {
        self.layout() != RawLayout::default()
    }

    /// Opens two volumes. If only one is raw voxels, it has the dims and type of the other, unless the
    /// options say otherwise.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_both(&self, a: &Input, b: &Input) -> Result<[OpenedVolume; 2], Failure> {
        match (is_raw(a), is_raw(b)) {
            (true, false) => {
                let b = open_as(b, RawLayout::default())?;
                Ok([open_as(a, self.layout().like(&b.header))?, b])
            }
            (false, true) => {
                let a = open_as(a, RawLayout::default())?;
                let b = open_as(b, self.layout().like(&a.header))?;
                Ok([a, b])
            }
            (true, true) | (false, false) => Ok([self.open(a)?, self.open(b)?]),
        }
    }

    fn layout(&self) -> RawLayout {
        RawLayout {
            dims: self.dims,
            voxel_type: self.voxel_type,
            channels: self.channels,
            frames: self.frames,
            order: if self.big_endian { ByteOrder::Big } else { ByteOrder::Little },
            offset: self.offset,
        }
    }
}

/// Whether an input is taken for raw voxels.
fn is_raw(input: &Input) -> bool {
    match input {
        Input::Stdin => true,
        // What cannot be examined fails when it is opened.
        Input::File(path) => VolumeFormat::detect(path).is_ok_and(|format| format == VolumeFormat::Raw),
    }
}

fn open_as(input: &Input, raw: RawLayout) -> Result<OpenedVolume, Failure> {
    let opened = match input {
        Input::Stdin => {
            let stdin = BufReader::with_capacity(BUFFER_BYTES, io::stdin());
            OpenedVolume::from_raw(VoxelStream::Once(Box::new(stdin)), &raw)
        }
        Input::File(path) => open(path, &OpenOptions { raw, ..OpenOptions::default() }),
    };
    opened.map_err(|error| open_failure(&error, input.name()))
}

/// A volume of a format that describes its voxels.
///
/// # Errors
/// [`Failure`], named.
#[cfg(feature = "gpu")]
pub fn open_described(input: &Input) -> Result<OpenedVolume, Failure> {
    open_as(input, RawLayout::default())
}

/// The files that a volume consists of, which must not be overwritten.
pub fn file_ids(volume: &OpenedVolume) -> Vec<FileId> {
    volume.files.iter().filter_map(|path| FileId::of(path)).collect()
}

/// What a header says of the shape, in words: dims, type, and channels and frames where there are several.
pub fn shape(header: &Header) -> String {
    let mut text = format!("{} {}", header.dims, header.voxel_type);
    if header.channels > 1 {
        text += &format!("×{}", header.channels);
    }
    if header.frames > 1 {
        text += &format!(", {} frames", header.frames);
    }
    text
}
