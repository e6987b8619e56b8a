//! Volumes that can be read only once, such as from standard input.

use super::{
    detect::SNIFFED_BYTES,
    packed::{open_mgh, open_mrc, vectors_come_once},
    source::open_source,
    voxels::{check_axes, check_level, check_slices, unpacked_if_packed, with_channel, with_voxels},
};
use crate::{
    FormatError, OpenError, OpenedVolume, RawLayout, StorageOrder, UnsupportedFeature, VolumeFormat,
    VolumeOpenOptions, VoxelEncoding, VoxelLocation, metaimage, nifti, npy, nrrd,
    opened::{opened_volume::BUFFER_BYTES, source::Source},
    streams::unpacked::encoding_of,
};
use brickwork_volume::{Task, VoxelStream};
use std::{
    fmt,
    io::{self, BufRead, BufReader, Cursor, Read},
    path::Path,
};

/// Number of bytes with a whole block of Zstandard and the headers before it: it is decoded as a whole.
const ZSTD_BLOCK_BYTES: u64 = (1 << 17) + 64;

/// Volume of any format that can be read only once. Its first bytes were read to recognize the format.
pub struct VolumePipe {
    format: VolumeFormat,
    bytes: Box<dyn BufRead + Send>,
}

impl VolumePipe {
    /// Reads enough bytes of `pipe` to recognize the format, also if they are packed. An unrecognized format
    /// counts as raw voxels; in gzip or Zstandard, as NIfTI.
    ///
    /// # Errors
    /// Errors of `pipe`.
    pub fn new(pipe: impl Read + Send + 'static) -> io::Result<Self> {
        let mut pipe = BufReader::with_capacity(BUFFER_BYTES, pipe);
        let mut start = Vec::new();
        pipe.by_ref().take(SNIFFED_BYTES as u64).read_to_end(&mut start)?;
        let encoding = encoding_of(&start);
        if encoding == VoxelEncoding::Zstd {
            pipe.by_ref().take(ZSTD_BLOCK_BYTES).read_to_end(&mut start)?;
        }
        let packed = match encoding {
            VoxelEncoding::Gzip => Some(VolumeFormat::NiftiGz),
            VoxelEncoding::Zstd => Some(VolumeFormat::NiftiZst),
            _ => None,
        };
        let known = VolumeFormat::of_content(&start)
            .or_else(|| VolumeFormat::of_packed(Box::new(Cursor::new(start.clone())), encoding))
            .or(packed);
        let bytes = Box::new(Cursor::new(start).chain(pipe));
        Ok(Self { format: known.unwrap_or(VolumeFormat::Raw), bytes })
    }

    /// Returns the format of the first bytes.
    pub const fn format(&self) -> VolumeFormat {
        self.format
    }

    /// Returns all bytes, from the first on.
    pub fn into_bytes(self) -> Box<dyn BufRead + Send> {
        self.bytes
    }

    /// Opens the volume. Raw voxels, NRRD, MetaImage, NIfTI, MRC, MGH and NumPy arrays are read as they come;
    /// a file of another format, or with its axes in another order, is held in memory first.
    /// [`VolumeOpenOptions::format`] and a description of raw voxels take precedence over the first bytes.
    ///
    /// # Errors
    /// [`OpenError`], also for headers whose voxels are in another file.
    pub fn open(self, options: &VolumeOpenOptions, task: &Task<'_>) -> Result<OpenedVolume, OpenError> {
        let is_described = options.raw != RawLayout::default();
        let format = match options.format {
            Some(format) => format,
            None if is_described => VolumeFormat::Raw,
            None => self.format,
        };
        if is_described && format != VolumeFormat::Raw {
            return Err(OpenError::Described);
        }
        check_axes(format, options)?;
        if options.array.is_some() && format != VolumeFormat::Vti {
            return Err(OpenError::Arrays(format));
        }
        let mut voxels = VoxelStream::Once(self.bytes).stopped_by(task);
        let alone = |_: &Path| Err(io::Error::new(io::ErrorKind::Unsupported, "comes from a pipe"));
        let mut volume = match format {
            VolumeFormat::Raw => OpenedVolume::from_raw(voxels, &options.raw)?,
            VolumeFormat::Mrc => open_mrc(voxels, "", options.max_memory, task)?,
            VolumeFormat::Mgh => open_mgh(voxels)?,
            VolumeFormat::Nrrd
            | VolumeFormat::MetaImage
            | VolumeFormat::Nifti
            | VolumeFormat::NiftiGz
            | VolumeFormat::NiftiZst
            | VolumeFormat::Npy => {
                if matches!(format, VolumeFormat::Nifti | VolumeFormat::NiftiGz | VolumeFormat::NiftiZst) {
                    (voxels, _) = unpacked_if_packed(voxels)?;
                }
                let header = match format {
                    VolumeFormat::Nrrd => nrrd::read_header(&mut voxels)?,
                    VolumeFormat::MetaImage => metaimage::read_header(&mut voxels)?,
                    VolumeFormat::Npy => npy::read_header(&mut voxels, options.axes)?,
                    _ => nifti::read_header(&mut voxels, "")?,
                };
                if header.storage_order == StorageOrder::ChannelsLast {
                    return Err(vectors_come_once().into());
                }
                if header.voxels != VoxelLocation::Attached {
                    return Err(FormatError::from(UnsupportedFeature::VoxelFileOfPipe).into());
                }
                let voxels = match format {
                    VolumeFormat::Npy => npy::rewindable(voxels, &header, options.max_memory, task)?,
                    _ => voxels,
                };
                let is_held = matches!(voxels, VoxelStream::Rewindable(_));
                with_voxels(format, Path::new(""), (voxels, !is_held), header, alone)?
            }
            _ => {
                let source = Source::of_stream(&mut voxels, options.max_memory, task)?;
                open_source(format, source, options, task)?
            }
        };
        volume.files.clear();
        volume.voxels = volume.voxels.stopped_by(task);
        check_slices(&volume, options)?;
        check_level(&volume, options)?;
        with_channel(volume, options.channel)
    }
}

impl VolumePipe {
    /// Opens the volume as [`open`](Self::open) does, and the smaller mip levels of an archive of Zarr. Other
    /// formats have none here.
    ///
    /// # Errors
    /// The errors of [`open`](Self::open).
    pub fn open_levels(
        self,
        options: &VolumeOpenOptions,
        task: &Task<'_>,
    ) -> Result<(OpenedVolume, Vec<OpenedVolume>), OpenError> {
        #[cfg(feature = "zarr")]
        if options.format.unwrap_or(self.format) == VolumeFormat::Zarr && options.raw == RawLayout::default()
        {
            let mut pipe = VoxelStream::Once(self.bytes).stopped_by(task);
            if let Source::Memory(bytes) = Source::of_stream(&mut pipe, options.max_memory, task)? {
                return crate::zarr::open_levels_of_bytes(bytes, options, task);
            }
            return Err(FormatError::from(io::Error::from(io::ErrorKind::Unsupported)).into());
        }
        Ok((self.open(options, task)?, Vec::new()))
    }
}

impl fmt::Debug for VolumePipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VolumePipe").field("format", &self.format).finish_non_exhaustive()
    }
}
