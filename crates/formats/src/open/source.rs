//! Formats that are read more than once: `.bwv`, VTI, TIFF, DICOM, archives of Zarr.

#[cfg(feature = "dicom")]
use crate::dicom;
#[cfg(feature = "zarr")]
use crate::zarr;
use crate::{
    FormatError, OpenError, OpenedVolume, UnsupportedFeature, VolumeFormat, VolumeOpenOptions,
    opened::source::Source,
};
#[cfg(feature = "io")]
use crate::{tiff_stack, vti};
use brickwork_volume::{Region, Selection, ShapeError, Task, VolumeFile};

/// Opens a file that is read more than once.
pub fn open_source(
    format: VolumeFormat,
    source: Source,
    options: &VolumeOpenOptions,
    task: &Task<'_>,
) -> Result<OpenedVolume, OpenError> {
    Ok(match format {
        VolumeFormat::Bwv => match source {
            Source::File(path) => of_bwv(VolumeFile::new(std::fs::File::open(path)?)?, options, task)?,
            Source::Memory(bytes) => of_bwv(VolumeFile::new(bytes)?, options, task)?,
        },
        #[cfg(feature = "io")]
        VolumeFormat::Vti => vti::open_source(source, options.array.as_deref(), task)?,
        #[cfg(feature = "io")]
        VolumeFormat::Tiff => tiff_stack::open_source(source, options.channel, task)?,
        #[cfg(feature = "dicom")]
        VolumeFormat::Dicom => dicom::open_source(source, options, task)?,
        #[cfg(feature = "zarr")]
        VolumeFormat::Zarr => match source {
            Source::File(path) => zarr::open_level(&path, options, task)?,
            Source::Memory(bytes) => zarr::open_level_of_bytes(bytes, options, task)?,
        },
        _ => {
            let feature = match format {
                VolumeFormat::Dicom => "dicom",
                VolumeFormat::Zarr => "zarr",
                _ => "io",
            };
            return Err(FormatError::from(UnsupportedFeature::Build { format, feature }).into());
        }
    })
}

fn of_bwv<S: brickwork_volume::ReadAt + 'static>(
    file: VolumeFile<S>,
    options: &VolumeOpenOptions,
    task: &Task<'_>,
) -> Result<OpenedVolume, OpenError> {
    let (mip_level, count) = (options.mip_level, file.header().mip_levels);
    if mip_level >= count {
        return Err(ShapeError::Selected { what: "level", index: mip_level, count }.into());
    }
    let region = Region::all(file.header().mip_level_dims(mip_level));
    let selection = Selection { mip_level, channel: options.channel, ..Selection::default() };
    Ok(OpenedVolume::from_region(file, selection, region, task)?)
}
