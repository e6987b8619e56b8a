//! Folders of slices: each slice is a PNG or TIFF file of grey or colour. The slices are in the natural order
//! of their names, `slice9` before `slice10`. A folder may also be a DICOM series.

use super::{
    FormatError, OpenedVolume, PngFeature, SliceShape, SlicesError, VolumeFormat, VolumeOpenOptions,
    reopening_reader::ReopeningReader,
    slice::{name_of, named, resize},
    slice_files::SliceFormat,
    slice_names, tiff_stack,
};
use crate::{ByteOrder, Stage, Task, VoxelType};
use std::{
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
};

/// Opens a folder. A folder without PNG and TIFF files is read as DICOM, subfolders included, with the
/// feature `dicom`. Reads the header of each file, but no slice yet. Hidden files, and files with other
/// extensions, are left out. Slices whose names do not belong to the others are left out with a note. Reports
/// the number of files examined.
///
/// # Errors
/// [`FormatError`].
pub fn open(path: &Path, options: &VolumeOpenOptions, task: &Task<'_>) -> Result<OpenedVolume, FormatError> {
    let mut volume = open_files(path, &files(path)?, options, task)?;
    volume.format = VolumeFormat::Folder;
    volume.files.insert(0, path.to_owned());
    Ok(volume)
}

fn open_files(
    folder: &Path,
    files: &[PathBuf],
    options: &VolumeOpenOptions,
    task: &Task<'_>,
) -> Result<OpenedVolume, FormatError> {
    let slices: Vec<(PathBuf, SliceFormat)> =
        files.iter().filter_map(|file| Some((file.clone(), format_of(file)?))).collect();
    let Some((first_path, format)) = slices.first().cloned() else {
        #[cfg(feature = "dicom")]
        return super::dicom::open_folder(folder, options, task);
        #[cfg(not(feature = "dicom"))]
        {
            let _ = folder;
            return Err(SlicesError::None.into());
        }
    };
    if let Some((other, _)) = slices.iter().find(|slice| slice.1 != format) {
        return Err(SlicesError::Formats(name_of(&first_path), name_of(other)).into());
    }
    let (paths, notes) = slice_names::select(slices.into_iter().map(|slice| slice.0).collect(), options)?;
    let first_path = paths[0].clone();
    let first = read(&first_path, format, None).map_err(named(name_of(&first_path)))?;
    for (number, path) in paths.iter().enumerate().skip(1) {
        task.check()?;
        task.report(Stage::Reading, number as u64, paths.len() as u64);
        let shape = read(path, format, None).and_then(|shape| shape.check(first));
        shape.map_err(named(name_of(path)))?;
    }
    let header = first.header(paths.len())?;
    let slice_bytes = first.header(1)?.raw_bytes()? as usize;
    let order = match format {
        SliceFormat::Png => ByteOrder::Big,
        SliceFormat::Tiff => ByteOrder::NATIVE,
    };
    let files = paths.clone();
    let voxels = ReopeningReader::of_slices(paths.len(), slice_bytes, move || {
        let paths = paths.clone();
        move |index, bytes| {
            let path = &paths[index];
            read(path, format, Some(bytes)).and_then(|shape| shape.check(first)).map_err(named(name_of(path)))
        }
    });
    let volume = OpenedVolume::from_files(VolumeFormat::Folder, header, order, voxels, files);
    Ok(OpenedVolume { notes, ..volume })
}

/// Returns the files of a folder that are not hidden, sorted by name.
pub(super) fn files(path: &Path) -> Result<Vec<PathBuf>, FormatError> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let path = entry?.path();
        if !name_of(&path).starts_with('.') && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn format_of(path: &Path) -> Option<SliceFormat> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "png" => Some(SliceFormat::Png),
        "tif" | "tiff" => Some(SliceFormat::Tiff),
        _ => None,
    }
}

/// Returns the shape of a slice; reads its voxels into `bytes`, if given.
fn read(path: &Path, format: SliceFormat, bytes: Option<&mut Vec<u8>>) -> Result<SliceShape, FormatError> {
    match format {
        SliceFormat::Png => read_png(path, bytes),
        SliceFormat::Tiff => tiff_stack::read_single(path, bytes),
    }
}

fn read_png(path: &Path, bytes: Option<&mut Vec<u8>>) -> Result<SliceShape, FormatError> {
    let file = File::open(path)?;
    let file_bytes = file.metadata()?.len();
    let mut reader = png::Decoder::new(BufReader::new(file)).read_info()?;
    let info = reader.info();
    let (color, depth) = (info.color_type, info.bit_depth);
    let voxel_type = match depth {
        _ if color == png::ColorType::Indexed => None,
        png::BitDepth::Eight => Some(VoxelType::U8),
        png::BitDepth::Sixteen => Some(VoxelType::U16),
        _ => None,
    };
    let Some(voxel_type) = voxel_type else {
        return Err(match color {
            png::ColorType::Indexed => PngFeature::Palette.into(),
            _ => PngFeature::Bits(depth as u8).into(),
        });
    };
    let (width, height) = (info.width as usize, info.height as usize);
    let shape = SliceShape { width, height, voxel_type, channels: color.samples() };
    if let Some(bytes) = bytes {
        resize(bytes, shape.byte_count(file_bytes)?)?;
        reader.next_frame(bytes)?;
    }
    Ok(shape)
}

impl From<png::DecodingError> for FormatError {
    fn from(error: png::DecodingError) -> Self {
        match error {
            png::DecodingError::IoError(error) => Self::Io(error),
            error => Self::Decoder(error.into()),
        }
    }
}
