//! The loaded volume: compressed in memory, with the frequencies of its values.

mod load;
mod values;

pub use load::{Input, Loading};
pub use values::Values;

use brickwork_toolkit::volume::{CompressedInput, LoadedVolume, LookOptions, Scene, ShownChannel};
use brickwork_volume::{
    Dims, ErrorKind, Header, Task,
    render::{Display, RenderError, Up},
};
use std::sync::Arc;

/// One frame and channel of a volume.
pub struct Volume {
    /// The voxels.
    pub loaded: Arc<LoadedVolume>,
    /// The frame and the channel.
    pub part: [usize; 2],
    /// Channels that are shown together in colours, the one of `loaded` first; none for a single one.
    pub channels: Vec<Channel>,
    /// The file, if it has other frames and channels, or a look of its only channel.
    pub source: Option<CompressedInput>,
    /// True if the file states looks of channels that are shown in colours.
    pub has_looks: bool,
    /// Notes on channels that are not shown as the file states.
    pub notes: Vec<String>,
    /// The box in which something shows at first, from each axis' first to its last position in voxels.
    pub home: [[f64; 2]; 3],
    /// The frequencies of values.
    pub values: Values,
}

/// A channel among others.
pub struct Channel {
    /// Its name, and the look that the file states.
    pub shown: ShownChannel,
    pub loaded: Arc<LoadedVolume>,
    /// Stored numbers that are black and bright.
    pub window: [f64; 2],
}

impl Channel {
    /// Returns its name, or its index.
    pub fn name(&self) -> String {
        match &*self.shown.name {
            "" => format!("Channel {}", self.shown.index),
            name => name.to_owned(),
        }
    }

    fn new(shown: ShownChannel, loaded: LoadedVolume, task: &Task<'_>) -> Result<Self, RenderError> {
        let [low, high] = match shown.window {
            Some(window) => window,
            None => loaded.survey(task)?.window(),
        };
        let window = [low, if high > low { high } else { low + 1.0 }];
        Ok(Self { shown, loaded: Arc::new(loaded), window })
    }
}

impl Volume {
    /// Looks at every brick of the channels.
    fn new(
        loaded: Arc<LoadedVolume>,
        part: [usize; 2],
        channels: Vec<Channel>,
        source: Option<CompressedInput>,
        task: &Task<'_>,
    ) -> Result<Self, RenderError> {
        let values = Values::new(&loaded, task)?;
        let Dims { x, y, z } = loaded.dims();
        let whole = [x, y, z].map(|side| [0.0, side as f64]);
        let mut looks = vec![(&loaded, LookOptions::default())];
        if !channels.is_empty() {
            let stored = LookOptions::default().with(|o| o.stored_values = true);
            let look =
                |channel: &Channel| channel.shown.look(&stored).with(|o| o.window = Some(channel.window));
            looks = channels.iter().map(|channel| (&channel.loaded, look(channel))).collect();
        }
        let mut home = None;
        for (loaded, look) in looks {
            home = joined(home, occupied(loaded, &look, task)?);
        }
        let (home, has_looks, notes) = (home.unwrap_or(whole), !channels.is_empty(), Vec::new());
        Ok(Self { loaded, part, channels, source, has_looks, notes, home, values })
    }

    /// Returns the header of the frame and channel.
    pub fn header(&self) -> &Header {
        self.loaded.header()
    }

    /// Returns the axis that is up, unless the user chooses another one.
    pub fn up(&self) -> Up {
        self.loaded.up()
    }

    /// Returns the voxels along each axis.
    pub fn dims(&self) -> Dims {
        self.loaded.dims()
    }

    /// Returns the conversion from display values to numbers.
    pub fn display(&self) -> Display {
        self.loaded.display()
    }

    /// Returns the voxels of the channels, at least one.
    pub fn all(&self) -> impl Iterator<Item = &Arc<LoadedVolume>> {
        let single = self.channels.is_empty().then_some(&self.loaded);
        single.into_iter().chain(self.channels.iter().map(|channel| &channel.loaded))
    }

    /// Returns the number of bytes of memory of the compressed volume.
    pub fn byte_count(&self) -> usize {
        self.all().map(|loaded| loaded.resident().map_or(0, |volume| volume.byte_count())).sum()
    }

    /// Returns the number of bytes of the voxels shown, uncompressed.
    pub fn raw_bytes(&self) -> u64 {
        let Dims { x, y, z } = self.dims();
        (self.all().count() * x * y * z * self.header().voxel_type.byte_count()) as u64
    }
}

/// Box from each axis' first to its last position in voxels.
type Extent = [[f64; 2]; 3];

/// Returns the box of both, or the only one.
fn joined(a: Option<Extent>, b: Option<Extent>) -> Option<Extent> {
    let (Some(a), Some(b)) = (a, b) else { return a.or(b) };
    Some([0, 1, 2].map(|axis| [a[axis][0].min(b[axis][0]), a[axis][1].max(b[axis][1])]))
}

/// Returns the box of everything visible with a look.
fn occupied(
    volume: &Arc<LoadedVolume>,
    look: &LookOptions,
    task: &Task<'_>,
) -> Result<Option<Extent>, RenderError> {
    let scene = match Scene::new(Arc::clone(volume), look, task) {
        Ok(scene) => scene,
        // Nothing suits a volume of one value.
        Err(error) if error.kind() == ErrorKind::Argument => return Ok(None),
        Err(error) => return Err(error),
    };
    let Some(focus) = scene.camera(task)?.focus else { return Ok(None) };
    let ends = |axis: usize| {
        let along = || focus.points().iter().map(|point| point[axis]);
        [along().fold(f64::INFINITY, f64::min), along().fold(f64::NEG_INFINITY, f64::max)]
    };
    Ok(Some([ends(0), ends(1), ends(2)]))
}

/// Returns the voxels in memory as a volume, for tests.
#[cfg(test)]
pub fn of_voxels<T: brickwork_volume::Voxel>(
    voxels: &[T],
    header: Header,
) -> Result<Volume, Box<dyn std::error::Error>> {
    let (view, task) = (brickwork_volume::VolumeView::new(voxels, header.dims)?, Task::new());
    let resident =
        brickwork_volume::ResidentVolume::from_voxels(view, header.kind, &Default::default(), &task)?;
    let loaded = LoadedVolume::of_resident(header, Up::default(), resident, &task)?;
    Ok(Volume::new(Arc::new(loaded), [0, 0], Vec::new(), None, &task)?)
}

/// Returns channels of voxels in memory as a volume, for tests.
#[cfg(test)]
pub fn of_channels<const COUNT: usize>(
    voxels: &[[u8; COUNT]],
    dims: Dims,
) -> Result<Volume, Box<dyn std::error::Error>> {
    let looks = vec![brickwork_volume::ChannelLook::default(); voxels.len()];
    let header =
        Header::new(brickwork_volume::VoxelType::U8, dims).with(|header| header.channels = voxels.len());
    let header = header.with_channels("zarr", &[], &looks);
    let mut channels = Vec::new();
    let shown = brickwork_toolkit::volume::shown_channels(None, &header, None, true)?;
    for (shown, voxels) in shown.into_iter().zip(voxels) {
        let one = of_voxels(voxels, Header::new(brickwork_volume::VoxelType::U8, dims))?;
        let loaded = Arc::into_inner(one.loaded).ok_or("the voxels are shared")?;
        channels.push(Channel::new(shown, loaded, &Task::new())?);
    }
    Ok(Volume::new(Arc::clone(&channels[0].loaded), [0, 0], channels, None, &Task::new())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_view_shows_all_channels() {
        let dims = Dims::new(24, 4, 4);
        let only = |range: std::ops::Range<usize>| {
            std::array::from_fn::<u8, 384, _>(|i| if range.contains(&(i % 24)) { 200 } else { 0 })
        };
        let home = |channels: &[_]| of_channels(channels, dims).expect("a volume").home[0];
        let [[a, b], [c, d]] = [home(&[only(2..4), only(2..4)]), home(&[only(18..20), only(18..20)])];
        assert!(a < 3.0 && b < 12.0 && c > 12.0 && d > 19.0, "{a} {b} {c} {d}");
        assert_eq!(home(&[only(2..4), only(18..20)]), [a, d]);
    }
}
