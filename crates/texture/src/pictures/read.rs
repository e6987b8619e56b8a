//! Pictures of any image file.

use super::{astc, dds, ktx2, part};
use crate::{Task, container::ContainerFormat};
use brickwork_base::task_io::TaskReader;
use brickwork_image::image_file::{
    self, FileFormat, ImageReadError, ImageReadOptions, Picture,
    decoder::{first_of, picture_by},
};
use std::io::{BufRead, Seek, SeekFrom};

/// Reads the picture in a file, like [`image_file::read`], from the first byte of the stream. For a DDS or
/// KTX2 file, it is the largest mip level of the first layer, face or slice; `KTXorientation` and
/// `KTXswizzle` are applied.
///
/// # Errors
/// [`ImageReadError`].
pub fn read<R: BufRead + Seek>(
    mut reader: R,
    extension: Option<&str>,
    options: &ImageReadOptions,
    task: &Task<'_>,
) -> Result<Picture, ImageReadError> {
    task.check()?;
    reader.seek(SeekFrom::Start(0))?;
    let Some(container) = ContainerFormat::detect_in(&mut reader)? else {
        return image_file::read(reader, extension, options, task);
    };
    let mut reader = TaskReader::new(reader, task)?;
    let (format, singles) = (FileFormat::from(container), options.single_floats);
    let picture = picture_by(&mut reader, format, options, task, &mut |source, budget| match container {
        ContainerFormat::Dds => dds::decode(source, options.dds_ten_bit_masks, singles, budget),
        ContainerFormat::Ktx2 => ktx2::decode(source, singles, budget),
        ContainerFormat::Astc => astc::decode(source, budget),
    });
    task.check()?;
    let mut picture = picture?;
    let counts = match container {
        ContainerFormat::Dds => part::dds_images(&mut reader),
        ContainerFormat::Ktx2 => part::ktx2_images(&mut reader),
        ContainerFormat::Astc => return Ok(picture),
    };
    picture.part = counts.ok().and_then(|counts| first_of(&counts));
    // An error of the reader counts as damage there.
    task.check()?;
    Ok(picture)
}

impl From<ContainerFormat> for FileFormat {
    fn from(format: ContainerFormat) -> Self {
        match format {
            ContainerFormat::Dds => Self::Dds,
            ContainerFormat::Ktx2 => Self::Ktx2,
            ContainerFormat::Astc => Self::Astc,
        }
    }
}
