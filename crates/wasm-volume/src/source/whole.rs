//! Files of formats other than `.bwv`.

use super::Part;
use crate::failure::{Failure, Status};
use brickwork_formats::{OpenedVolume, VolumeFormat, VolumeOpenOptions, VolumePipe};
use brickwork_toolkit::volume::{LoadedVolume, VolumeError};
use brickwork_volume::{AnyVoxels, ByteOrder, Header, Region, ResidentOptions, Task, read_frame};
use std::{io::Cursor, sync::Arc};

/// All bytes of a file, which is read from the start each time.
pub struct Whole {
    bytes: Arc<[u8]>,
    format: VolumeFormat,
    header: Box<Header>,
    notes: Vec<String>,
}

impl Whole {
    /// Opens a file of any format that describes itself.
    pub fn new(bytes: Vec<u8>) -> Result<Self, Failure> {
        let bytes: Arc<[u8]> = bytes.into();
        let OpenedVolume { format, header, notes, .. } = opened(&bytes)?;
        let notes = notes.iter().map(ToString::to_string).collect();
        Ok(Self { bytes, format, header: Box::new(header), notes })
    }

    /// Returns the header of the volume.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the name of the file's format.
    pub const fn format(&self) -> &'static str {
        self.format.name()
    }

    /// Returns remarks on the file.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns the voxels of a part's region.
    pub fn voxels(&self, part: &Part, task: &Task<'_>) -> Result<AnyVoxels, Failure> {
        let volume = opened(&self.bytes)?;
        let frame = read_frame(volume.voxels, volume.order, &self.header, part.frame, task);
        let voxels = cut(frame.map_err(VolumeError::from)?.bytes(), &self.header, part);
        let header = self.header.of_part(&part.selection, &part.region);
        let voxels = read_frame(&voxels[..], ByteOrder::NATIVE, &header, 0, task);
        Ok(voxels.map_err(VolumeError::from)?)
    }

    /// Loads the frame and channel of the options for rendering. `header` is that of the part.
    pub fn load(
        &self,
        header: Header,
        options: &ResidentOptions,
        task: &Task<'_>,
    ) -> Result<LoadedVolume, Failure> {
        let OpenedVolume { header: whole, order, voxels, .. } = opened(&self.bytes)?;
        Ok(LoadedVolume::from_stream((voxels, order), &whole, header, options, true, task)?)
    }
}

/// Returns the name of the format of a file with these first bytes, or nothing if it is unknown. gzip counts
/// as NIfTI.
pub fn format_of(start: &[u8]) -> &'static str {
    match VolumePipe::new(Cursor::new(start.to_vec())).map(|pipe| pipe.format()) {
        Ok(VolumeFormat::Raw) | Err(_) => "",
        Ok(format) => format.name(),
    }
}

/// Opens a file.
fn opened(bytes: &Arc<[u8]>) -> Result<OpenedVolume, Failure> {
    let pipe = VolumePipe::new(Cursor::new(Arc::clone(bytes)))?;
    if pipe.format() == VolumeFormat::Raw {
        return Err(Failure {
            status: Status::File,
            text: "the file's format is not known: it is not one of .bwv, NRRD, MetaImage, NIfTI, MRC, MGH \
                   and NumPy"
                .to_owned(),
        });
    }
    Ok(pipe.open(&VolumeOpenOptions::default(), &Task::new())?)
}

/// Returns the numbers of a part's region and channels from those of a whole frame.
fn cut(voxels: &[u8], header: &Header, part: &Part) -> Vec<u8> {
    let (dims, number_bytes) = (header.dims, header.voxel_type.byte_count());
    let voxel_bytes = number_bytes * header.channels;
    let channels = part.channel.map_or(0..header.channels, |channel| channel..channel + 1);
    let channels = channels.start * number_bytes..channels.end * number_bytes;
    let Region { x, y, z } = &part.region;
    let mut found = Vec::new();
    for z in z.clone() {
        for y in y.clone() {
            let start = dims.index(0, y, z) * voxel_bytes;
            let row = &voxels[start + x.start * voxel_bytes..start + x.end * voxel_bytes];
            for voxel in row.chunks_exact(voxel_bytes) {
                found.extend_from_slice(&voxel[channels.clone()]);
            }
        }
    }
    found
}
