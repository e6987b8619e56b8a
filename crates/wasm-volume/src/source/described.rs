//! A volume that the host reads, such as OME-Zarr: the host describes its mip levels, and supplies the voxels
//! of a part before each call that needs them.

use super::Part;
use crate::{
    failure::{Failure, Status},
    request::{Request, whole},
};
use brickwork_toolkit::volume::LoadedVolume;
use brickwork_volume::{
    AnyVoxels, ByteOrder, Dims, Header, ResidentOptions, Spacing, Task, VoxelKind, VoxelStream,
    VoxelStreamError, VoxelType, read_frame,
};
use std::io::Cursor;

/// One frame and channel of a volume, in mip levels of any dims.
pub struct Described {
    format: String,
    notes: Vec<String>,
    /// Headers of the mip levels, the volume itself first. Each has one frame and channel.
    levels: Vec<Header>,
    /// Voxels of the next part, in little-endian order.
    voxels: Vec<u8>,
}

impl Described {
    /// Reads the description: `format`, `voxelType`, `labels` (true for labels), `orientation`, `metadata`
    /// (an object), `notes`, and for each mip level nine numbers in `levels`: dims, spacing and origin.
    pub fn new(request: &Request) -> Result<Self, Failure> {
        let types: Vec<_> = VoxelType::ALL.iter().map(|&kind| (kind.name(), kind)).collect();
        let absent = |name: &str| Failure::argument(format!("{name} is missing"));
        let voxel_type = request.choice("voxelType", &types)?.ok_or_else(|| absent("voxelType"))?;
        let kind = if request.flag("labels")? { VoxelKind::Labels } else { VoxelKind::Intensity };
        let orientation = request.numbers::<9>("orientation")?;
        let metadata = request.object_text("metadata")?;
        let level = |numbers: Vec<f64>| -> Result<Header, Failure> {
            let [x, y, z, dx, dy, dz, ox, oy, oz] = numbers[..] else {
                return Err(Failure::argument("a mip level is not nine numbers"));
            };
            let side = |side: f64| {
                let wrong =
                    || Failure::argument(format!("a side in levels is {side}, which is not a whole number"));
                whole(side).and_then(|side| usize::try_from(side).ok()).ok_or_else(wrong)
            };
            let dims = Dims::new(side(x)?, side(y)?, side(z)?);
            let header = Header::new(voxel_type, dims).with(|header| {
                (header.kind, header.origin) = (kind, [ox, oy, oz]);
                header.spacing = Spacing { x: dx, y: dy, z: dz };
                header.orientation = orientation.unwrap_or(header.orientation);
                header.metadata.clone_from(&metadata);
            });
            header.raw_bytes()?;
            Ok(header)
        };
        let levels = request.lists("levels")?.unwrap_or_default();
        let levels = levels.into_iter().map(level).collect::<Result<Vec<_>, _>>()?;
        if levels.is_empty() {
            return Err(absent("levels"));
        }
        let format = request.text("format")?.unwrap_or_default().to_owned();
        Ok(Self { format, notes: request.texts("notes")?, levels, voxels: Vec::new() })
    }

    /// Returns the name of the file's format.
    pub fn format(&self) -> &str {
        &self.format
    }

    /// Returns remarks on the file.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns the headers of the mip levels, the volume itself first.
    pub fn levels(&self) -> &[Header] {
        &self.levels
    }

    /// Supplies the voxels of the next part: x is the fastest axis.
    pub fn supply(&mut self, voxels: Vec<u8>) {
        self.voxels = voxels;
    }

    /// Returns the supplied voxels of a part. `header` is that of its region.
    pub fn voxels(&self, header: &Header, task: &Task<'_>) -> Result<AnyVoxels, Failure> {
        voxels_of(&self.voxels, header, task)
    }

    /// Loads the supplied voxels, which are then dropped. `header` is that of the part.
    pub fn load(
        &mut self,
        header: Header,
        part: &Part,
        options: &ResidentOptions,
        task: &Task<'_>,
    ) -> Result<LoadedVolume, Failure> {
        let voxels = std::mem::take(&mut self.voxels);
        check(&voxels, &header)?;
        let whole = &self.levels[part.level];
        let stream = VoxelStream::Once(Box::new(Cursor::new(voxels)));
        Ok(LoadedVolume::from_stream((stream, ByteOrder::Little), whole, header, options, true, task)?)
    }
}

/// Returns voxels in little-endian order of a volume with this header.
pub fn voxels_of(voxels: &[u8], header: &Header, task: &Task<'_>) -> Result<AnyVoxels, Failure> {
    check(voxels, header)?;
    let internal = |error: VoxelStreamError| Failure { status: Status::Internal, text: error.to_string() };
    read_frame(voxels, ByteOrder::Little, header, 0, task).map_err(internal)
}

fn check(voxels: &[u8], header: &Header) -> Result<(), Failure> {
    let (need, have) = (header.raw_bytes()?, voxels.len());
    if need == have as u64 {
        return Ok(());
    }
    Err(Failure::argument(format!("the part takes {need} bytes, and {have} were supplied")))
}
