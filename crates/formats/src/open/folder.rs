//! Folders of slices: each a PNG, TIFF, BMP or JPEG file of grey or colour, in the order of their names,
//! `slice9` before `slice10`, or a DICOM series.

#[cfg(feature = "dicom")]
use crate::dicom;
use crate::{
    FormatError, OpenedVolume, VolumeFormat, VolumeOpenOptions,
    slices::{image_stack::open_images, slice::files_in, slice_image::ImageFormat},
};
use brickwork_volume::Task;
use std::path::{Path, PathBuf};

/// Opens a folder. Without PNG and TIFF files it is read as DICOM, with its subfolders, with the feature
/// `dicom`; without these, as BMP or JPEG. Every file's header is read, no slice yet. Hidden files, and those
/// with other extensions, are left out; slices whose names do not belong to the others are left out with a
/// note. Reports the files examined.
///
/// # Errors
/// [`FormatError`].
pub fn open(path: &Path, options: &VolumeOpenOptions, task: &Task<'_>) -> Result<OpenedVolume, FormatError> {
    let mut volume = open_files(path, &files_in(path)?, options, task)?;
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
    let of = |formats: [ImageFormat; 2]| -> Vec<(PathBuf, ImageFormat)> {
        let known = files.iter().filter_map(|file| Some((file.clone(), ImageFormat::of(file)?)));
        known.filter(|(_, format)| formats.contains(format)).collect()
    };
    let slices = of([ImageFormat::Png, ImageFormat::Tiff]);
    if !slices.is_empty() {
        return open_images(slices, options, task);
    }
    // Previews are often beside DICOM files.
    let previews = of([ImageFormat::Bmp, ImageFormat::Jpeg]);
    #[cfg(feature = "dicom")]
    match dicom::open_folder(folder, options, task) {
        Err(FormatError::Slices(crate::SlicesError::None)) if !previews.is_empty() => {}
        opened => return opened,
    }
    let _ = folder;
    open_images(previews, options, task)
}
