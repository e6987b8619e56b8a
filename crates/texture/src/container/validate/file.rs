//! The container of a file.

use super::{Validation, astc, dds, finding::Findings, ktx2};
use crate::{
    Task,
    container::{
        ContainerError, ContainerFormat, TextureReadOptions, byte_source::ByteSource, format::DETECT_BYTES,
    },
};
use brickwork_base::task_io::TaskReader;
use std::io::{Read, Seek};

/// Checks a DDS, KTX2 or `.astc` file against its specification. The first bytes determine the container. If
/// they are unknown, `claimed` does, and the wrong bytes are a finding. Damaged and truncated files have
/// findings, not errors. Formats need not be those that this crate decodes. Progress is the position in the
/// file.
///
/// Level data is read if Zstandard compresses it: it is then decompressed, and its length compared. It is
/// also read if it has blocks of ASTC: illegal ones are counted. Contents of Basis Universal, ZLIB and
/// vendors' schemes are not examined, which a warning states.
///
/// # Errors
/// [`ContainerError::UnknownContainer`] if the first bytes are unknown and `claimed` is `None`.
/// [`ContainerError::TooLarge`] if the header, the level index, the key/value data or the compressed bytes of
/// one mip level exceed [`TextureReadOptions::max_memory`]. [`ContainerError::Io`] if the reader fails.
/// [`ContainerError::Cancelled`].
///
/// ```
/// use brickwork_texture::container::{ContainerFormat, TextureReadOptions, validate};
/// use brickwork_texture::Task;
///
/// let file = std::io::Cursor::new(b"DDS ?");
/// let validation = validate(file, None, &TextureReadOptions::default(), &Task::new())?;
/// assert_eq!(validation.container, ContainerFormat::Dds);
/// assert_eq!(validation.findings[0].rule.id, "DDS-102");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate<R: Read + Seek>(
    reader: R,
    claimed: Option<ContainerFormat>,
    options: &TextureReadOptions,
    task: &Task<'_>,
) -> Result<Validation, ContainerError> {
    let mut reader = TaskReader::new(reader, task)?;
    let mut source = ByteSource::new(&mut reader, options.max_memory)?;
    let first_bytes = source.bytes(0, source.len().min(DETECT_BYTES as u64))?;
    let container = ContainerFormat::detect(&first_bytes).or(claimed);
    let Some(container) = container else { return Err(ContainerError::UnknownContainer { first_bytes }) };
    let mut findings = Findings::default();
    match container {
        ContainerFormat::Dds => dds::check(&mut source, &mut findings)?,
        ContainerFormat::Ktx2 => ktx2::check(&mut source, &mut findings, task)?,
        ContainerFormat::Astc => astc::check(&mut source, &mut findings)?,
    }
    Ok(Validation { container, findings: findings.into_all() })
}
