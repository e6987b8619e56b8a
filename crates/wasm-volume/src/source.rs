//! Open files: their facts, and parts of them.

use crate::{
    facts::object,
    failure::{Failure, Status},
    request::Request,
    slice::{self, Slice},
};
use brickwork_toolkit::volume::{LoadedVolume, VolumeError, labels, physical_voxels};
use brickwork_volume::{
    AnyVoxels, Dims, Header, Region, ResidentOptions, Selection, SuppliedBytes, Task, VolumeFile, VoxelKind,
    export::{StreamedBricks, StreamedVolume},
    render::RawBricks,
};
use serde_json::Value;
use std::{ops::Range, sync::Arc};

#[cfg(not(feature = "full"))]
#[path = "source/no_whole.rs"]
mod whole;
#[cfg(feature = "full")]
mod whole;

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
    /// A file of another format.
    #[cfg_attr(not(feature = "full"), expect(dead_code, reason = "only the full module reads these"))]
    Whole(Whole),
}

/// A part of a file.
#[derive(Clone, Debug)]
pub struct Part {
    selection: Selection,
    level: usize,
    frame: usize,
    /// `None` means all channels, which can be read but not loaded.
    channel: Option<usize>,
    region: Region,
    is_labels: bool,
    page_bytes: usize,
    /// True if its chunks are read when rays need them.
    pub is_on_demand: bool,
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
            Self::Whole(_) => Err(Failure::argument("the file has all its bytes")),
        }
    }

    /// Drops supplied bytes of chunks.
    pub fn drop_bytes(&self) {
        if let Self::Bwv(file) = self {
            file.source().clear();
        }
    }

    /// Returns the open `.bwv` file.
    pub fn file(&self) -> Result<&VolumeFile<SuppliedBytes>, Failure> {
        match self {
            Self::Unopened(_) => Err(not_open()),
            Self::Bwv(file) => Ok(file),
            Self::Whole(_) => {
                Err(Failure::argument("onDemand needs a .bwv file: others are read as a whole"))
            }
        }
    }

    fn header(&self) -> Result<&Header, Failure> {
        match self {
            Self::Unopened(_) => Err(not_open()),
            Self::Bwv(file) => Ok(file.header()),
            Self::Whole(whole) => Ok(whole.header()),
        }
    }

    fn mip_levels(&self, header: &Header) -> usize {
        if matches!(self, Self::Bwv(_)) { header.mip_levels } else { 1 }
    }

    /// Returns the facts of the file.
    pub fn facts(&self) -> Result<Value, Failure> {
        let header = self.header()?;
        let level = |level: usize| -> Result<Value, Failure> {
            let dims = header.mip_level_dims(level);
            let (selection, all) = (selection(level, 0, Some(0)), Region::all(dims));
            let bytes: u64 = match self {
                Self::Bwv(file) => {
                    let ranges = file.ranges(&selection, &all)?;
                    ranges.iter().map(|range| range.end - range.start).sum()
                }
                Self::Unopened(_) | Self::Whole(_) => header.of_part(&selection, &all).raw_bytes()?,
            };
            Ok(object([("dims", sides(dims).into()), ("bytes", bytes.into())]))
        };
        let levels = (0..self.mip_levels(header)).map(level).collect::<Result<Vec<_>, _>>()?;
        let (format, notes) = match self {
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
        let mut metadata: Value = serde_json::from_str(&header.metadata).unwrap_or_default();
        let channel_names = metadata.get_mut("channels").map(Value::take);
        let kind = if header.kind == VoxelKind::Labels { "labels" } else { "intensities" };
        Ok(object([
            ("format", format.into()),
            ("dims", sides(header.dims).into()),
            ("voxelType", header.voxel_type.name().into()),
            ("kind", kind.into()),
            ("channels", header.channels.into()),
            ("channelNames", channel_names.into()),
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
        if part.is_on_demand {
            let file = self.file()?;
            let mut ranges = StreamedVolume::table_ranges(file, &part.options())?;
            let survey = survey_part(file, part)?;
            ranges.extend(file.ranges(&survey.selection, &survey.region)?);
            return Ok(file.source().missing(&ranges));
        }
        match self {
            Self::Bwv(file) => Ok(file.source().missing(&file.ranges(&part.selection, &part.region)?)),
            Self::Unopened(_) | Self::Whole(_) => Ok(Vec::new()),
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
            Self::Whole(whole) => whole.voxels(part, &task),
            Self::Unopened(_) => Err(not_open()),
        }
    }

    /// Returns the byte ranges that a slice needs and that are not supplied.
    pub fn missing_slice(&self, request: &Request) -> Result<Vec<Range<u64>>, Failure> {
        let (_, _, part) = self.find_slice(request)?;
        self.missing(&part)
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
        let dims = self.header()?.mip_level_dims(part.level);
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
        let header = whole.of_part(&part.selection, region).with(|header| {
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
    pub fn load(&self, part: &Part, task: &Task<'_>) -> Result<LoadedVolume, Failure> {
        let header = self.header_of(part, &Region::all(self.header()?.mip_level_dims(part.level)))?;
        let options = part.options();
        match self {
            Self::Bwv(file) => Ok(LoadedVolume::from_file(file, header, &options, true, task)?),
            Self::Whole(whole) => whole.load(header, &options, task),
            Self::Unopened(_) => Err(not_open()),
        }
    }

    /// Prepares a part whose chunks are read when rays need them. Its look is chosen by the values of a
    /// smaller mip level.
    pub fn stream(&self, part: &Part, task: &Task<'_>) -> Result<(LoadedVolume, StreamedVolume), Failure> {
        let file = self.file()?;
        let header = self.header_of(part, &Region::all(file.header().mip_level_dims(part.level)))?;
        if header.is_rescaled_by_slice() {
            return Err(Failure::argument(
                "slopes or intercepts differ from slice to slice: load this volume without onDemand",
            ));
        }
        let volume = StreamedVolume::new(file, &part.options(), task)?;
        let bricks = StreamedBricks::new(&volume, header.kind)?;
        let survey = self.load(&survey_part(file, part)?, task)?.survey(task)?.clone();
        Ok((LoadedVolume::of_bricks(header, Arc::new(bricks), survey), volume))
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

impl Part {
    /// Returns the part that a request names: `level`, `frame`, `channel` (default 0; `allChannels`),
    /// `region` (from and to along x, y and z; default: all), `labels`, `pageBytes`, `onDemand`.
    pub fn new(request: &Request, source: &Source) -> Result<Self, Failure> {
        let header = source.header()?;
        let index = |name: &str, count: usize| -> Result<usize, Failure> {
            let index = request.count(name)?.unwrap_or(0);
            if index < count as u64 {
                return Ok(index as usize);
            }
            Err(Failure::argument(format!("{name} is {index}; there are {count}, counted from 0")))
        };
        let level = index("level", source.mip_levels(header))?;
        let frame = index("frame", header.frames)?;
        let channel = index("channel", header.channels)?;
        let channel = (!request.flag("allChannels")?).then_some(channel);
        let dims = header.mip_level_dims(level);
        let region = match request.counts("region", u32::MAX.into())?.as_deref() {
            None => Region::all(dims),
            Some(&[x0, x1, y0, y1, z0, z1]) => {
                let range = |from: u64, to: u64| from as usize..to as usize;
                let region = Region { x: range(x0, x1), y: range(y0, y1), z: range(z0, z1) };
                region.check(dims)?;
                region
            }
            Some(sides) => {
                let count = sides.len();
                return Err(Failure::argument(format!(
                    "region has {count} numbers, not 6: from and to along x, y and z"
                )));
            }
        };
        let page_bytes = ResidentOptions::default().page_bytes;
        let page_bytes = request.size("pageBytes")?.map_or(page_bytes, |bytes| bytes as usize);
        let selection = selection(level, frame, channel);
        let [is_labels, is_on_demand] = [request.flag("labels")?, request.flag("onDemand")?];
        Ok(Self { selection, level, frame, channel, region, is_labels, page_bytes, is_on_demand })
    }

    /// Returns the options of the part in memory.
    fn options(&self) -> ResidentOptions {
        let mut options = ResidentOptions::default();
        options.mip_level = self.level;
        options.frame = self.frame;
        options.channel = self.channel.unwrap_or_default();
        options.page_bytes = self.page_bytes;
        options
    }
}

fn not_open() -> Failure {
    Failure::argument("the file is not open yet")
}

fn selection(mip_level: usize, frame: usize, channel: Option<usize>) -> Selection {
    Selection { mip_level, frames: Some(frame..frame + 1), channel }
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
