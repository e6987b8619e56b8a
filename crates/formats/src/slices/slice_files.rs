//! Writes a volume as a folder of slices.

use crate::{OpenedVolume, UnwritableFeature, WriteError};
use brickwork_volume::{Header, Task, VolumeWriteError, VoxelType, copy_voxels};
use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};
use tiff::{
    TiffResult,
    encoder::{Rational, TiffEncoder},
    tags::{CompressionMethod, PhotometricInterpretation, Predictor, ResolutionUnit, SampleFormat, Tag},
};

/// File format of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SliceFormat {
    /// PNG: u8 and u16, with 1 to 4 channels.
    Png,
    /// TIFF, uncompressed: all types, with 1, 3 or 4 channels.
    Tiff,
}

impl SliceFormat {
    /// All formats.
    pub const ALL: &[Self] = &[Self::Png, Self::Tiff];

    /// Returns the name, which is also the extension of the files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Tiff => "tif",
        }
    }

    /// Returns PNG if it supports this type of numbers, else TIFF.
    pub const fn of_type(voxel_type: VoxelType) -> Self {
        match voxel_type {
            VoxelType::U8 | VoxelType::U16 => Self::Png,
            _ => Self::Tiff,
        }
    }

    fn check(self, header: &Header) -> Result<(), WriteError> {
        let fits = match self {
            Self::Png => header.channels <= 4 && Self::of_type(header.voxel_type) == Self::Png,
            Self::Tiff => {
                matches!(header.channels, 1 | 3 | 4) && is_tiff_color(header.voxel_type, header.channels)
            }
        };
        if header.frames > 1 {
            return Err(WriteError::Unsupported {
                format: "a folder of slices",
                what: UnwritableFeature::Frames(header.frames),
                instead: "take one of them",
            });
        }
        if fits {
            return Ok(());
        }
        let (format, instead) = match self {
            Self::Png if header.channels <= 4 => ("PNG", "TIFF does"),
            Self::Png => ("PNG", "OME-TIFF does"),
            Self::Tiff if header.channels > 4 => ("TIFF of one slice", "OME-TIFF does"),
            Self::Tiff => ("TIFF", "NRRD and MetaImage do"),
        };
        let what = UnwritableFeature::Voxels { voxel_type: header.voxel_type, channels: header.channels };
        Err(WriteError::Unsupported { format, what, instead })
    }
}

/// True if the encoder supports such colours.
const fn is_tiff_color(voxel_type: VoxelType, channels: usize) -> bool {
    channels == 1 || !matches!(voxel_type, VoxelType::I8 | VoxelType::I16 | VoxelType::I32 | VoxelType::I64)
}

/// Writes each slice of `volume` to a separate file in `folder`, which must exist. The files are
/// `slice_0000.png` and so on, with at least four digits, or as many as the last slice needs. Returns the
/// number of bytes written. Memory: one slice, and the memory of its encoder. Spacing, origin and directions
/// are not written. Reports the bytes of voxels done.
///
/// # Errors
/// [`VolumeWriteError::Voxels`] if the voxels cannot be read. [`VolumeWriteError::Io`] from the files.
/// [`WriteError::Unsupported`] for several frames, or if the format does not support such voxels.
pub fn write_slices(
    volume: OpenedVolume,
    folder: &Path,
    format: SliceFormat,
    task: &Task<'_>,
) -> Result<u64, WriteError> {
    let OpenedVolume { header, order, voxels, .. } = volume;
    format.check(&header)?;
    let slice_bytes = header.raw_bytes()? / header.dims.z as u64;
    let slice_bytes = usize::try_from(slice_bytes).map_err(|_| VolumeWriteError::Memory(slice_bytes))?;
    let digits = (header.dims.z - 1).to_string().len().max(4);
    let mut slice = Vec::new();
    slice.try_reserve_exact(slice_bytes).map_err(|_| VolumeWriteError::Memory(slice_bytes as u64))?;
    let mut slices = Slices {
        folder: folder.to_owned(),
        format,
        header: &header,
        slice_bytes,
        digits,
        slice,
        index: 0,
        file_bytes: 0,
    };
    copy_voxels(voxels, order, &header, &mut slices, task)?;
    Ok(slices.file_bytes)
}

/// Writer of voxels to the files; it takes the least significant byte first.
struct Slices<'a> {
    folder: PathBuf,
    format: SliceFormat,
    header: &'a Header,
    slice_bytes: usize,
    digits: usize,
    slice: Vec<u8>,
    index: usize,
    file_bytes: u64,
}

impl Write for Slices<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(self.slice_bytes - self.slice.len());
        self.slice.extend_from_slice(&bytes[..count]);
        if self.slice.len() == self.slice_bytes {
            self.write_slice()?;
            self.slice.clear();
            self.index += 1;
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Slices<'_> {
    fn write_slice(&mut self) -> io::Result<()> {
        let (index, digits) = (self.index, self.digits);
        let name = format!("slice_{index:0digits$}.{}", self.format.name());
        let path = self.folder.join(name);
        let mut file = BufWriter::new(File::create_new(&path)?);
        match self.format {
            SliceFormat::Png => self.write_png(&mut file)?,
            SliceFormat::Tiff => {
                // The encoder takes numbers in the machine's byte order.
                let number_bytes = self.header.voxel_type.byte_count();
                if cfg!(target_endian = "big") {
                    self.slice.chunks_exact_mut(number_bytes).for_each(<[u8]>::reverse);
                }
                self.write_tiff(&mut file)?;
            }
        }
        file.into_inner().map_err(io::IntoInnerError::into_error)?;
        self.file_bytes += std::fs::metadata(&path)?.len();
        Ok(())
    }

    fn sides(&self) -> io::Result<(u32, u32)> {
        let side = |side: usize| u32::try_from(side).map_err(io::Error::other);
        Ok((side(self.header.dims.x)?, side(self.header.dims.y)?))
    }

    fn write_png(&mut self, file: &mut BufWriter<File>) -> io::Result<()> {
        let (width, height) = self.sides()?;
        let mut encoder = png::Encoder::new(file, width, height);
        encoder.set_color(match self.header.channels {
            1 => png::ColorType::Grayscale,
            2 => png::ColorType::GrayscaleAlpha,
            3 => png::ColorType::Rgb,
            _ => png::ColorType::Rgba,
        });
        if self.header.voxel_type == VoxelType::U16 {
            encoder.set_depth(png::BitDepth::Sixteen);
            // The most significant byte comes first.
            self.slice.as_chunks_mut::<2>().0.iter_mut().for_each(|word| word.swap(0, 1));
        }
        let mut writer = encoder.write_header().map_err(io::Error::other)?;
        writer.write_image_data(&self.slice).map_err(io::Error::other)?;
        writer.finish().map_err(io::Error::other)
    }

    fn write_tiff(&self, file: &mut BufWriter<File>) -> io::Result<()> {
        let (width, height) = self.sides()?;
        // Classic TIFF is limited to 4 GiB.
        if self.slice_bytes as u64 > u64::from(u32::MAX) - (1 << 20) {
            return Err(io::Error::other("a slice is too large for a TIFF file"));
        }
        let shape = (self.header.voxel_type, self.header.channels);
        write_tiff(file, width, height, shape, &self.slice).map_err(io::Error::other)
    }
}

/// Bytes of a strip, at least, if there is more than one.
const STRIP_BYTES: usize = 1_000_000;

/// Writes a file of one page with the fields, in the order, of [`TiffEncoder::write_image`]. That function is
/// compiled for each type of colour.
fn write_tiff(
    file: &mut BufWriter<File>,
    width: u32,
    height: u32,
    (voxel_type, channels): (VoxelType, usize),
    bytes: &[u8],
) -> TiffResult<()> {
    let row_bytes = width as usize * channels * voxel_type.byte_count();
    let rows_per_strip = STRIP_BYTES.div_ceil(row_bytes);
    let (color, format) = (
        if channels == 1 { PhotometricInterpretation::BlackIsZero } else { PhotometricInterpretation::RGB },
        match voxel_type {
            VoxelType::U8 | VoxelType::U16 | VoxelType::U32 | VoxelType::U64 => SampleFormat::Uint,
            VoxelType::I8 | VoxelType::I16 | VoxelType::I32 | VoxelType::I64 => SampleFormat::Int,
            VoxelType::F16 | VoxelType::F32 | VoxelType::F64 => SampleFormat::IEEEFP,
        },
    );
    let mut encoder = TiffEncoder::new(file)?;
    let mut page = encoder.image_directory()?;
    page.write_tag(Tag::ImageWidth, width)?;
    page.write_tag(Tag::ImageLength, height)?;
    page.write_tag(Tag::Compression, CompressionMethod::None.to_u16())?;
    page.write_tag(Tag::Predictor, Predictor::None.to_u16())?;
    page.write_tag(Tag::PhotometricInterpretation, color.to_u16())?;
    page.write_tag(Tag::RowsPerStrip, u32::try_from(rows_per_strip)?)?;
    page.write_tag(Tag::SamplesPerPixel, channels as u16)?;
    page.write_tag(Tag::XResolution, Rational { n: 1, d: 1 })?;
    page.write_tag(Tag::YResolution, Rational { n: 1, d: 1 })?;
    page.write_tag(Tag::ResolutionUnit, ResolutionUnit::None)?;
    let (mut offsets, mut byte_counts) = (Vec::new(), Vec::new());
    for strip in bytes.chunks(rows_per_strip * row_bytes) {
        offsets.push(u32::try_from(page.write_data(strip)?)?);
        byte_counts.push(u32::try_from(strip.len())?);
    }
    page.write_tag(Tag::BitsPerSample, &vec![voxel_type.bit_count() as u16; channels][..])?;
    page.write_tag(Tag::SampleFormat, &vec![format.to_u16(); channels][..])?;
    page.write_tag(Tag::StripOffsets, &offsets[..])?;
    page.write_tag(Tag::StripByteCounts, &byte_counts[..])?;
    page.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{VolumeFormat, VolumeOpenOptions, folder};
    use brickwork_volume::{ByteOrder, Dims, Task, VoxelStream};
    use std::io::{Cursor, Read as _};

    fn volume(header: &Header, order: ByteOrder) -> (OpenedVolume, Vec<u8>) {
        let count = header.raw_bytes().expect("a shape");
        let bytes: Vec<u8> = (0..count).map(|i| (i * i / 3) as u8).collect();
        let mut little = bytes.clone();
        if order == ByteOrder::Big {
            little.chunks_exact_mut(header.voxel_type.byte_count()).for_each(<[u8]>::reverse);
        }
        let voxels = VoxelStream::Once(Box::new(Cursor::new(bytes)));
        let header = header.clone();
        let (format, files, notes) = (VolumeFormat::Raw, Vec::new(), Vec::new());
        (OpenedVolume { format, header, order, voxels, files, notes }, little)
    }

    #[test]
    fn slices_come_back() {
        for &voxel_type in VoxelType::ALL {
            for channels in 1..=4 {
                for &format in SliceFormat::ALL {
                    let folder = tempfile::tempdir().expect("a folder");
                    let header = Header::new(voxel_type, Dims::new(5, 3, 12))
                        .with(|header| header.channels = channels);
                    let (volume, voxels) = volume(&header, ByteOrder::Big);
                    let written = write_slices(volume, folder.path(), format, &Task::new());
                    if format.check(&header).is_err() {
                        let error = written.expect_err("no such slices");
                        assert!(matches!(error, WriteError::Unsupported { .. }), "{error}");
                        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
                        continue;
                    }
                    let written = written.expect("slices");
                    let first = folder.path().join(format!("slice_0000.{}", format.name()));
                    let first = std::fs::metadata(first).expect("the first slice").len();
                    assert!(written >= first && written < 14 * first, "{written} bytes, {first} of one");
                    let mut back = folder::open(folder.path(), &VolumeOpenOptions::default(), &Task::new())
                        .expect("slices");
                    let header = &back.header;
                    assert_eq!(
                        (header.dims, header.voxel_type, header.channels),
                        (Dims::new(5, 3, 12), voxel_type, channels)
                    );
                    let mut bytes = Vec::new();
                    back.voxels.read_to_end(&mut bytes).expect("slices");
                    if back.order == ByteOrder::Big {
                        bytes.chunks_exact_mut(voxel_type.byte_count()).for_each(<[u8]>::reverse);
                    }
                    assert!(bytes == voxels, "{voxel_type} of {channels}, {format:?}");
                }
            }
        }
    }

    #[test]
    fn tiff_files_are_those_of_the_encoder() {
        use tiff::encoder::colortype::{Gray8, Gray64Float, GrayI16, RGB16, RGBA32Float};
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.tif");
        // (Files of several strips, with a short one at the end.)
        let (width, height) = (700u32, 900u32);
        macro_rules! compare {
            ($color:ident, $number:ty, $voxel_type:ident, $channels:expr) => {{
                let count = (width * height) as usize * $channels;
                let numbers: Vec<$number> = (0..count).map(|i| (i % 251) as $number).collect();
                let mut expected = Cursor::new(Vec::new());
                let mut encoder = TiffEncoder::new(&mut expected).expect("memory");
                encoder.write_image::<$color>(width, height, &numbers).expect("memory");
                let mut file = BufWriter::new(File::create(&path).expect("a file"));
                let shape = (VoxelType::$voxel_type, $channels);
                write_tiff(&mut file, width, height, shape, bytemuck::cast_slice(&numbers)).expect("a file");
                file.flush().expect("a file");
                assert!(std::fs::read(&path).expect("a file") == expected.into_inner(), "{shape:?}");
            }};
        }
        compare!(Gray8, u8, U8, 1);
        compare!(GrayI16, i16, I16, 1);
        compare!(Gray64Float, f64, F64, 1);
        compare!(RGB16, u16, U16, 3);
        compare!(RGBA32Float, f32, F32, 4);
    }

    #[test]
    fn frames_are_refused_and_so_are_files_that_are_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let header = Header::new(VoxelType::U8, Dims::new(2, 2, 2)).with(|header| header.frames = 2);
        let written =
            write_slices(volume(&header, ByteOrder::Little).0, folder.path(), SliceFormat::Png, &Task::new());
        let error = written.expect_err("two frames").to_string();
        assert_eq!(error, "a folder of slices does not hold 2 frames; take one of them");
        let header = header.with(|header| header.frames = 1);
        let write = || {
            write_slices(volume(&header, ByteOrder::Little).0, folder.path(), SliceFormat::Tiff, &Task::new())
        };
        write().expect("slices");
        assert!(matches!(write(), Err(WriteError::Volume(VolumeWriteError::Io(_)))));
    }
}
