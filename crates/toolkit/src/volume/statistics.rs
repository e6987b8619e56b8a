//! Statistics of an open volume, and of the values inside labels.

use super::{BwvBytes, Label, VolumeError, VolumeInput, input::Content, labels_of_part};
use brickwork_base::Task;
use brickwork_formats::OpenedVolume;
use brickwork_volume::{
    BufReadSeek, ByteOrder, Header, PartStatistics, ReadAt, Region, RegionReader, Selection, ShapeError,
    ValueStatisticsOptions, VolumeFile, VoxelKind, VoxelSource, VoxelStream, value_statistics,
};
use std::{
    fmt,
    io::{BufReader, Cursor},
    sync::Arc,
};

/// Bytes that are read at a time.
const BUFFER_BYTES: usize = 1 << 20;

/// Statistics of a volume.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct VolumeStatistics {
    /// Header of the mip level.
    pub header: Header,
    /// Unit of the values, if they are physical and it is known.
    pub unit: Option<String>,
    /// Statistics of each frame and channel, frame by frame.
    pub parts: Vec<PartStatistics>,
    /// Header of the labels; `None` if there are none.
    pub labels: Option<Header>,
    is_own: bool,
}

impl VolumeStatistics {
    /// Returns the names that the labels' file states for a part's labels.
    pub fn names(&self, part: &PartStatistics) -> Vec<Label> {
        let Some(header) = &self.labels else { return Vec::new() };
        if self.is_own {
            return labels_of_part(header, part.frame, part.channel);
        }
        labels_of_part(header, if header.frames > 1 { part.frame } else { 0 }, 0)
    }
}

/// Returns the statistics of a mip level of an open volume, and of the values inside the labels of another
/// one of the same dims. Nothing is kept in memory, except a pipe that must be read more than once, in
/// compressed form. Reports the bytes read.
///
/// # Errors
/// [`VolumeError`] if the mip level does not exist or has no physical values, the options or labels do not
/// fit the volume, the voxels cannot be read, memory runs out, or the call is cancelled.
pub fn volume_statistics(
    input: VolumeInput,
    labels: Option<VolumeInput>,
    mip_level: usize,
    options: &ValueStatisticsOptions,
    task: &Task<'_>,
) -> Result<VolumeStatistics, VolumeError> {
    let mut voxels = Source::of(input, mip_level, options, labels.is_some(), task)?;
    let (voxels, header) = voxels.open(task)?;
    let mut labels = match labels {
        Some(labels) => Some(Source::of_labels(labels, task)?),
        None => None,
    };
    let labels = labels.as_mut().map(|labels| labels.open(task)).transpose()?;
    measure((voxels, header), labels, options, task)
}

/// Returns the statistics of a mip level of a `.bwv` file, as [`volume_statistics`] does.
///
/// # Errors
/// As [`volume_statistics`].
pub fn file_statistics<S: ReadAt>(
    file: &VolumeFile<S>,
    labels: Option<LabelVoxels<'_>>,
    mip_level: usize,
    options: &ValueStatisticsOptions,
    task: &Task<'_>,
) -> Result<VolumeStatistics, VolumeError> {
    check_level(file.header(), file.header().mip_levels, mip_level, options)?;
    measure(open_file(file, mip_level, task)?, labels.map(|labels| labels.0), options, task)
}

/// Voxels of a volume of labels, with their header.
pub struct LabelVoxels<'a>(Opened<'a>);

impl fmt::Debug for LabelVoxels<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LabelVoxels").field(&self.0.1).finish()
    }
}

impl<'a> LabelVoxels<'a> {
    /// Returns the voxels of a mip level of a `.bwv` file.
    ///
    /// # Errors
    /// [`VolumeError`] if there is no such level, or the file cannot be read.
    pub fn of_file<S: ReadAt>(
        file: &'a VolumeFile<S>,
        mip_level: usize,
        task: &Task<'_>,
    ) -> Result<Self, VolumeError> {
        open_file(file, mip_level, task).map(Self)
    }

    /// Returns voxels in memory, in this machine's byte order.
    pub fn of_bytes(bytes: &'a [u8], header: Header) -> Self {
        Self(((Box::new(Cursor::new(bytes)), ByteOrder::NATIVE), header))
    }
}

/// Raw voxels in a byte order, with their header.
type Opened<'a> = ((Box<dyn BufReadSeek + 'a>, ByteOrder), Header);

fn measure(
    ((mut voxels, order), header): Opened<'_>,
    labels: Option<Opened<'_>>,
    options: &ValueStatisticsOptions,
    task: &Task<'_>,
) -> Result<VolumeStatistics, VolumeError> {
    let is_own = labels.is_none() && header.kind == VoxelKind::Labels;
    let (mut of_labels, label_header) = labels.unzip();
    let source = of_labels.as_mut().zip(label_header.as_ref());
    let source = source.map(|((labels, order), header)| VoxelSource::new(labels, *order, header));
    let parts = value_statistics(VoxelSource::new(&mut voxels, order, &header), source, options, task)?;
    let is_physical = !options.stored_values && header.kind == VoxelKind::Intensity;
    let rescaling = header.rescaling().filter(|_| is_physical);
    let unit = rescaling.and_then(|rescaling| rescaling.unit().map(str::to_owned));
    let labels = if is_own { Some(header.clone()) } else { label_header };
    Ok(VolumeStatistics { header, unit, parts, labels, is_own })
}

/// Voxels that can be read as often as they need to be.
enum Source {
    File(Arc<VolumeFile<BwvBytes>>, usize),
    Stream(Box<OpenedVolume>),
}

impl Source {
    fn of(
        input: VolumeInput,
        mip_level: usize,
        options: &ValueStatisticsOptions,
        has_labels: bool,
        task: &Task<'_>,
    ) -> Result<Self, VolumeError> {
        check_level(input.header(), input.mip_level_count(), mip_level, options)?;
        let (input, mip_level) = input.at_level(mip_level);
        options.check(input.header()).map_err(VolumeError::Statistics)?;
        let is_read_once = options.needs_one_pass(input.header(), has_labels);
        Self::new(input, mip_level, is_read_once, task)
    }

    fn of_labels(labels: VolumeInput, task: &Task<'_>) -> Result<Self, VolumeError> {
        Self::new(labels, 0, false, task)
    }

    fn new(
        input: VolumeInput,
        mip_level: usize,
        is_read_once: bool,
        task: &Task<'_>,
    ) -> Result<Self, VolumeError> {
        let is_pipe = match input.content() {
            Content::Bwv(_) => false,
            Content::Stream(volume) => matches!(volume.voxels, VoxelStream::Once(_)),
        };
        let input = if is_pipe && !is_read_once { input.compressed(task)?.input() } else { input };
        Ok(match input.into_content() {
            Content::Bwv(file) => Self::File(file, mip_level),
            Content::Stream(volume) => Self::Stream(volume),
        })
    }

    fn open(&mut self, task: &Task<'_>) -> Result<Opened<'_>, VolumeError> {
        match self {
            Self::File(file, mip_level) => open_file(file, *mip_level, task),
            Self::Stream(volume) => {
                let OpenedVolume { voxels, order, header, .. } = &mut **volume;
                Ok(((Box::new(voxels), *order), header.clone()))
            }
        }
    }
}

/// Returns the voxels of a mip level of a `.bwv` file.
fn open_file<'a, S: ReadAt>(
    file: &'a VolumeFile<S>,
    mip_level: usize,
    task: &Task<'_>,
) -> Result<Opened<'a>, VolumeError> {
    let selection = Selection { mip_level, ..Selection::default() };
    let region = Region::all(file.header().mip_level_dims(mip_level));
    let header = file.header().of_part(&selection, &region);
    let again = VolumeFile::new(file.source())?;
    let reader = RegionReader::new(again, selection, region, task)?;
    let reader = BufReader::with_capacity(BUFFER_BYTES, reader);
    Ok(((Box::new(reader), ByteOrder::Little), header))
}

/// Checks that a mip level exists and has the values.
fn check_level(
    header: &Header,
    count: usize,
    mip_level: usize,
    options: &ValueStatisticsOptions,
) -> Result<(), VolumeError> {
    if mip_level >= count {
        return Err(ShapeError::Selected { what: "level", index: mip_level, count }.into());
    }
    if !options.stored_values && header.has_mixed_level(mip_level) {
        return Err(VolumeError::MixedLevel(mip_level));
    }
    Ok(())
}
