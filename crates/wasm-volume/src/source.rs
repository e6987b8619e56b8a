//! Open files: their facts, and parts of them.

use crate::{
    facts::object,
    failure::{Failure, Status},
    request::Request,
    slice::{self, Slice},
};
use brickwork_toolkit::volume::{LoadedVolume, VolumeError, labels, physical_voxels};
use brickwork_volume::{
    AnyVoxels, Dims, Header, Region, SuppliedBytes, Task, VolumeFile, VoxelKind,
    export::{StreamedBricks, StreamedVolume},
    render::RawBricks,
};
use serde_json::Value;
use std::{ops::Range, sync::Arc};

mod described;
mod part;
#[cfg(not(feature = "full"))]
#[path = "source/no_whole.rs"]
mod whole;
#[cfg(feature = "full")]
mod whole;

pub use described::{Described, voxels_of};
pub use part::Part;
use part::selection;
pub use whole::{Whole, format_of};

/// Number of labels in the facts.
const MAX_LABELS: usize = 1000;

/// Bytes of the mip level whose values choose the look of a part that is read on demand: enough for about a
/// million voxels.
const SURVEY_BYTES: u64 = 1 << 20;

/// A file.
#[expect(clippy::large_enum_variant, reason = "a module has one")]
pub enum Source {
    /// A `.bwv` file whose header and index are not supplied yet.
    Unopened(SuppliedBytes),
    /// A `.bwv` file.
    Bwv(VolumeFile<SuppliedBytes>),
    /// A volume that the host reads.
    Described(Described),
    /// A file of another format.
    #[cfg_attr(not(feature = "full"), expect(dead_code, reason = "only the full module reads these"))]
    Whole(Whole),
}

impl Source {
    /// Returns a `.bwv` file of this size.
    pub fn of_ranges(byte_count: u64) -> Self {
        Self::Unopened(SuppliedBytes::new(byte_count))
    }

    /// Returns the ranges to be supplied before the file is open, and opens it if there is none.
    pub fn needed(&mut self) -> Result<Vec<Range<u64>>, Failure> {
        let Self::Unopened(supplied) = self else { return Ok(Vec::new()) };
        let needed = supplied.needed_to_open();
        if needed.is_empty() {
            let supplied = std::mem::replace(supplied, SuppliedBytes::new(0));
            *self = Self::Bwv(VolumeFile::new(supplied)?);
        }
        Ok(needed)
    }

    /// Supplies bytes.
    pub fn supply(&self, offset: u64, bytes: Vec<u8>) -> Result<(), Failure> {
        match self {
            Self::Unopened(supplied) => Ok(supplied.supply(offset, bytes)?),
            Self::Bwv(file) => Ok(file.source().supply(offset, bytes)?),
            Self::Described(_) | Self::Whole(_) => Err(Failure::argument("the file needs no bytes")),
        }
    }

    /// Supplies the voxels of the next part.
    pub fn supply_voxels(&mut self, voxels: Vec<u8>) -> Result<(), Failure> {
        match self {
            Self::Described(described) => {
                described.supply(voxels);
                Ok(())
            }
            _ => Err(Failure::argument("only a described volume is supplied with voxels")),
        }
    }

    /// Drops supplied bytes of chunks, or supplied voxels.
    pub fn drop_bytes(&mut self) {
        match self {
            Self::Bwv(file) => file.source().clear(),
            Self::Described(described) => described.supply(Vec::new()),
            Self::Unopened(_) | Self::Whole(_) => {}
        }
    }

    /// Returns the open `.bwv` file.
    pub fn file(&self) -> Result<&VolumeFile<SuppliedBytes>, Failure> {
        match self {
            Self::Unopened(_) => Err(not_open()),
            Self::Bwv(file) => Ok(file),
            Self::Described(_) | Self::Whole(_) => {
                Err(Failure::argument("onDemand needs a .bwv file: of others, whole mip levels are read"))
            }
        }
    }

    fn header(&self) -> Result<&Header, Failure> {
        match self {
            Self::Unopened(_) => Err(not_open()),
            Self::Bwv(file) => Ok(file.header()),
            Self::Described(described) => Ok(&described.levels()[0]),
            Self::Whole(whole) => Ok(whole.header()),
        }
    }

    fn mip_levels(&self, header: &Header) -> usize {
        match self {
            Self::Bwv(_) => header.mip_levels,
            Self::Described(described) => described.levels().len(),
            Self::Unopened(_) | Self::Whole(_) => 1,
        }
    }

    fn level_dims(&self, level: usize) -> Result<Dims, Failure> {
        match self {
            Self::Described(described) => Ok(described.levels()[level].dims),
            _ => Ok(self.header()?.mip_level_dims(level)),
        }
    }

    /// Returns the facts of the file.
    pub fn facts(&self) -> Result<Value, Failure> {
        let header = self.header()?;
        let level = |level: usize| -> Result<Value, Failure> {
            let dims = self.level_dims(level)?;
            let (selection, all) = (selection(level, 0, Some(0)), Region::all(dims));
            let bytes: u64 = match self {
                Self::Bwv(file) => {
                    let ranges = file.ranges(&selection, &all)?;
                    ranges.iter().map(|range| range.end - range.start).sum()
                }
                _ => header.of_part(&selection, &all).raw_bytes()?,
            };
            Ok(object([("dims", sides(dims).into()), ("bytes", bytes.into())]))
        };
        let levels = (0..self.mip_levels(header)).map(level).collect::<Result<Vec<_>, _>>()?;
        let (format, notes) = match self {
            Self::Described(described) => (described.format(), described.notes()),
            Self::Whole(whole) => (whole.format(), whole.notes()),
            Self::Unopened(_) | Self::Bwv(_) => ("bwv", &[][..]),
        };
        let rescaling = header.rescaling();
        let rescale = rescaling.as_ref().and_then(|rescaling| rescaling.uniform());
        let rescale =
            rescale.map(|line| object([("slope", line.slope.into()), ("intercept", line.intercept.into())]));
        let names = labels(header).into_iter().take(MAX_LABELS).map(|label| {
            object([
                ("layer", label.layer.into()),
                ("value", label.value.into()),
                ("name", label.name.into()),
                ("color", label.color.into()),
            ])
        });
        let channel_names = header.channel_names();
        let channel_names = if channel_names.is_empty() { Value::Null } else { channel_names.into() };
        let kind = if header.kind == VoxelKind::Labels { "labels" } else { "intensities" };
        Ok(object([
            ("format", format.into()),
            ("dims", sides(header.dims).into()),
            ("voxelType", header.voxel_type.name().into()),
            ("kind", kind.into()),
            ("channels", header.channels.into()),
            ("channelNames", channel_names),
            ("frames", header.frames.into()),
            ("frameSeconds", header.frame_spacing.into()),
            ("spacing", [header.spacing.x, header.spacing.y, header.spacing.z].into()),
            ("origin", header.origin.into()),
            ("directions", header.orientation.into()),
            ("isAnatomical", header.is_anatomical().into()),
            ("levels", levels.into()),
            ("rescale", rescale.into()),
            ("unit", rescaling.as_ref().and_then(|rescaling| rescaling.unit()).into()),
            ("labels", names.collect::<Vec<_>>().into()),
            ("notes", notes.into()),
        ]))
    }

    /// Returns the byte ranges that a part needs and that are not supplied.
    pub fn missing(&self, part: &Part) -> Result<Vec<Range<u64>>, Failure> {
        if part.is_on_demand && !matches!(self, Self::Described(_)) {
            let file = self.file()?;
            let mut ranges = StreamedVolume::table_ranges(file, &part.options())?;
            let survey = survey_part(file, part)?;
            ranges.extend(file.ranges(&survey.selection, &survey.region)?);
            return Ok(file.source().missing(&ranges));
        }
        match self {
            Self::Bwv(file) => Ok(file.source().missing(&file.ranges(&part.selection, &part.region)?)),
            Self::Unopened(_) | Self::Described(_) | Self::Whole(_) => Ok(Vec::new()),
        }
    }

    /// Returns the voxels of a part's region.
    pub fn read(&self, part: &Part) -> Result<Vec<u8>, Failure> {
        Ok(self.voxels(part)?.bytes().to_vec())
    }

    fn voxels(&self, part: &Part) -> Result<AnyVoxels, Failure> {
        let task = Task::new();
        match self {
            Self::Bwv(file) => {
                let mut voxels = AnyVoxels::new(file.header().voxel_type);
                file.read_any(&part.selection, &part.region, &mut voxels, &task)?;
                Ok(voxels)
            }
            Self::Described(described) => described.voxels(&self.header_of(part, &part.region)?, &task),
            Self::Whole(whole) => whole.voxels(part, &task),
            Self::Unopened(_) => Err(not_open()),
        }
    }

    /// Returns the byte ranges that a slice needs and that are not supplied.
    pub fn missing_slice(&self, request: &Request) -> Result<Vec<Range<u64>>, Failure> {
        let (_, _, part) = self.find_slice(request)?;
        self.missing(&part)
    }

    /// Returns the voxels of a slice along each axis, which a described volume needs.
    pub fn slice_region(&self, request: &Request) -> Result<Vec<Range<u64>>, Failure> {
        let (_, _, Part { region, .. }) = self.find_slice(request)?;
        let along = |range: Range<usize>| range.start as u64..range.end as u64;
        Ok([region.x, region.y, region.z].map(along).to_vec())
    }

    /// Returns a slice of a mip level: `level`, `frame`, `channel`, `labels`; `axis`, `index`, `window`
    /// (default: `window`).
    pub fn slice(
        &self,
        request: &Request,
        window: impl FnOnce() -> Result<[f64; 2], Failure>,
    ) -> Result<Vec<u8>, Failure> {
        let (slice, header, part) = self.find_slice(request)?;
        let colors = slice::colors(request, header.kind, window)?;
        let (mut voxels, dims) = (self.voxels(&part)?, part.region.dims());
        if header.is_rescaled_by_slice() {
            let of_slice = self.header_of(&part, &part.region)?;
            (voxels, _) = physical_voxels(voxels, of_slice, &Task::new()).map_err(VolumeError::from)?;
        }
        let bricks = RawBricks::new(voxels, dims, 1, 0, header.kind, &Task::new())?;
        slice.image(&bricks, 0, &header, colors)
    }

    /// Returns a slice, the header of its mip level, frame and channel, and its part of the file.
    fn find_slice(&self, request: &Request) -> Result<(Slice, Header, Part), Failure> {
        let part = Part::new(request, self)?;
        let dims = self.level_dims(part.level)?;
        let header = self.header_of(&part, &Region::all(dims))?;
        let slice = Slice::new(request, &header)?;
        Ok((slice, header, Part { region: slice.region(dims), ..part }))
    }

    /// Returns the header of a region of a part's mip level, frame and channel.
    fn header_of(&self, part: &Part, region: &Region) -> Result<Header, Failure> {
        if part.selection.channel.is_none() {
            return Err(Failure::argument(
                "allChannels is true, but only voxels of one channel can be shown",
            ));
        }
        let whole = self.header()?;
        let header = match self {
            // (Its levels have their own dims, spacing and origin.)
            Self::Described(described) => {
                described.levels()[part.level].of_part(&selection(0, 0, Some(0)), region)
            }
            _ => whole.of_part(&part.selection, region),
        };
        let header = header.with(|header| {
            if part.is_labels {
                header.kind = VoxelKind::Labels;
            }
        });
        if header.kind == VoxelKind::Intensity && whole.has_mixed_level(part.level) {
            // The text of `VolumeError` is not part of the small module.
            let text =
                "this level has means of stored numbers whose slopes or intercepts differ: use level 0";
            return Err(Failure { status: Status::File, text: text.to_owned() });
        }
        Ok(header)
    }

    /// Loads a part for rendering.
    pub fn load(&mut self, part: &Part, task: &Task<'_>) -> Result<LoadedVolume, Failure> {
        let header = self.header_of(part, &Region::all(self.level_dims(part.level)?))?;
        let options = part.options();
        match self {
            Self::Bwv(file) => Ok(LoadedVolume::from_file(file, header, &options, true, task)?),
            Self::Described(described) => described.load(header, part, &options, task),
            Self::Whole(whole) => whole.load(header, &options, task),
            Self::Unopened(_) => Err(not_open()),
        }
    }

    /// Prepares a part whose chunks are read when rays need them. Its look is chosen by the values of a
    /// smaller mip level.
    pub fn stream(
        &mut self,
        part: &Part,
        task: &Task<'_>,
    ) -> Result<(LoadedVolume, StreamedVolume), Failure> {
        if let Self::Described(_) = self {
            return self.stream_boxes(part, task);
        }
        let file = self.file()?;
        let header = self.header_of(part, &Region::all(file.header().mip_level_dims(part.level)))?;
        if header.is_rescaled_by_slice() {
            return Err(Failure::argument(
                "slopes or intercepts differ from slice to slice: load this volume without onDemand",
            ));
        }
        let volume = StreamedVolume::new(file, &part.options(), task)?;
        let bricks = StreamedBricks::new(&volume, header.kind)?;
        let survey = survey_part(file, part)?;
        let survey = self.load(&survey, task)?.survey(task)?.clone();
        Ok((LoadedVolume::of_bricks(header, Arc::new(bricks), survey), volume))
    }
}

impl Source {
    /// Prepares a part of a described volume, whose pages are boxes of voxels that are supplied when rays
    /// need them. The voxels of its survey level are supplied.
    fn stream_boxes(
        &mut self,
        part: &Part,
        task: &Task<'_>,
    ) -> Result<(LoadedVolume, StreamedVolume), Failure> {
        let header = self.header_of(part, &Region::all(self.level_dims(part.level)?))?;
        let shape = (header.dims, header.voxel_type, header.kind);
        let volume = StreamedVolume::of_boxes(shape, part.page_side)?;
        let level = part.survey_level;
        let region = Region::all(self.level_dims(level)?);
        let survey = self.load(&Part { level, region, is_on_demand: false, ..part.clone() }, task)?;
        let bricks = StreamedBricks::of_boxes(&volume, survey.display());
        Ok((LoadedVolume::of_bricks(header, Arc::new(bricks), survey.survey(task)?.clone()), volume))
    }
}

/// Returns the largest mip level below that of a part that takes at most [`SURVEY_BYTES`], or the smallest.
fn survey_part(file: &VolumeFile<SuppliedBytes>, part: &Part) -> Result<Part, Failure> {
    let last = file.header().mip_levels - 1;
    let mut level = last.min(part.level + 1);
    loop {
        let selection = selection(level, part.frame, part.channel);
        let region = Region::all(file.header().mip_level_dims(level));
        let ranges = file.ranges(&selection, &region)?;
        let bytes: u64 = ranges.iter().map(|range| range.end - range.start).sum();
        if level == last || bytes <= SURVEY_BYTES {
            return Ok(Part { selection, level, region, is_on_demand: false, ..part.clone() });
        }
        level += 1;
    }
}

fn not_open() -> Failure {
    Failure::argument("the file is not open yet")
}

/// Returns ranges as pairs of doubles.
pub fn range_bytes(ranges: &[Range<u64>]) -> Vec<u8> {
    ranges
        .iter()
        .flat_map(|range| [range.start, range.end])
        .flat_map(|at| (at as f64).to_le_bytes())
        .collect()
}

fn sides(dims: Dims) -> [usize; 3] {
    [dims.x, dims.y, dims.z]
}
