//! Slices in colour.

use super::Mailbox;
use crate::{state::ChannelSettings, volume::Volume};
use brickwork_toolkit::volume::{ChannelSum, LoadedVolume, SliceColors, SlicePlane, SliceValues};
use brickwork_volume::Task;
use std::{sync::Arc, thread};

/// Request for slices.
#[derive(Clone)]
pub struct SliceRequest {
    pub volume: Arc<Volume>,
    /// Index of the slice in each plane.
    pub indices: [usize; 3],
    pub coloring: Coloring,
}

/// Colours of slices.
#[derive(Clone, PartialEq)]
pub enum Coloring {
    /// Those of one channel.
    One(SliceColors),
    /// The sum of channels, each with its index.
    Added(Vec<(usize, ChannelSettings)>),
}

impl PartialEq for SliceRequest {
    fn eq(&self, other: &Self) -> bool {
        let is_alike = self.indices == other.indices && self.coloring == other.coloring;
        is_alike && Arc::ptr_eq(&self.volume, &other.volume)
    }
}

/// Values of a slice of each channel, in the order of [`Volume::all`]; `None` for channels that do not show.
pub type ChannelSlices = Vec<Option<Arc<SliceValues>>>;

/// The slices of a request.
pub struct ColoredSlices {
    pub slices: [(ChannelSlices, Vec<[u8; 4]>); 3],
    pub request: SliceRequest,
}

/// The thread that makes slices.
pub struct Slices {
    requests: Arc<Mailbox<SliceRequest>>,
    done: Arc<Mailbox<ColoredSlices>>,
}

impl Slices {
    /// Starts the thread. `wake` is called when there are slices.
    pub fn start(wake: impl Fn() + Send + 'static) -> Self {
        let slices = Self { requests: Arc::default(), done: Arc::default() };
        let (requests, done) = (Arc::clone(&slices.requests), Arc::clone(&slices.done));
        thread::spawn(move || {
            let mut last: Option<ColoredSlices> = None;
            while let Some(request) = requests.take() {
                let found = color(request, last.as_ref());
                last = Some(ColoredSlices { slices: found.slices.clone(), request: found.request.clone() });
                done.put(found);
                wake();
            }
        });
        slices
    }

    /// Requests slices in place of the previous request.
    pub fn request(&self, request: SliceRequest) {
        self.requests.put(request);
    }

    /// Returns the newest slices, once.
    pub fn take(&self) -> Option<ColoredSlices> {
        self.done.try_take()
    }
}

impl Drop for Slices {
    fn drop(&mut self) {
        self.requests.close();
    }
}

/// Colours the requested slices. Slices of the last request are not decoded again.
fn color(request: SliceRequest, last: Option<&ColoredSlices>) -> ColoredSlices {
    let last = last.filter(|last| Arc::ptr_eq(&last.request.volume, &request.volume));
    let planes = SlicePlane::anatomical(request.volume.header());
    let slices = [0, 1, 2].map(|plane| {
        let index = request.indices[plane];
        let known = last.filter(|last| last.request.indices[plane] == index);
        let mut values = known.map_or_else(Vec::new, |last| last.slices[plane].0.clone());
        let read = |loaded: &LoadedVolume| {
            let read = planes[plane].read(&**loaded.bricks(), index, &Task::new());
            Arc::new(read.expect("no token cancels it"))
        };
        let colors = colors(&request.volume, &request.coloring, &mut values, read);
        (values, colors)
    });
    ColoredSlices { slices, request }
}

/// Returns the colours of a slice. `read` reads the values of channels that are not in `values`.
fn colors(
    volume: &Volume,
    coloring: &Coloring,
    values: &mut ChannelSlices,
    read: impl Fn(&LoadedVolume) -> Arc<SliceValues>,
) -> Vec<[u8; 4]> {
    values.resize(volume.all().count(), None);
    let mut of =
        |number: usize, loaded: &LoadedVolume| Arc::clone(values[number].get_or_insert_with(|| read(loaded)));
    match coloring {
        Coloring::One(colors) => {
            let colors = of(0, &volume.loaded).colors(&volume.display(), *colors, &Task::new());
            colors.expect("no token cancels it")
        }
        Coloring::Added(channels) => {
            let mut sum = ChannelSum::default();
            for (number, channel) in channels {
                let loaded = &volume.channels[*number].loaded;
                let (slice, display) = (of(*number, loaded), loaded.display());
                let numbers = slice.values.iter().map(|&value| display.value(f64::from(value)));
                let color = channel.color.map(|part| 255.0 * f64::from(part));
                sum.add(numbers, channel.window, color, channel.is_inverted);
            }
            sum.pixels().map(|[red, green, blue]| [red, green, blue, 255]).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::of_channels;
    use brickwork_volume::Dims;

    #[test]
    fn channels_are_added() {
        // Channels with 10, 20, … and 40, 39, ….
        let volume =
            of_channels(&[[10, 20, 30, 40], [40, 39, 38, 37]], Dims::new(4, 1, 1)).expect("a volume");
        let channel =
            |color, window, is_inverted| ChannelSettings { is_shown: true, color, window, is_inverted };
        let channels =
            [(0, channel([1.0, 0.0, 0.2], [0.0, 40.0], false)), (1, channel([0.5; 3], [36.0, 40.0], true))];
        let coloring = Coloring::Added(channels.to_vec());
        let reads = std::cell::Cell::new(0);
        let read = |loaded: &LoadedVolume| {
            reads.set(reads.get() + 1);
            Arc::new(SlicePlane::stored(2).read(&**loaded.bricks(), 0, &Task::new()).expect("a slice"))
        };
        let mut values = Vec::new();
        let found = colors(&volume, &coloring, &mut values, read);
        // Shares ¼, ½, ¾, 1 and 0, ¼, ½, ¾.
        let want = [[64, 0, 13], [159, 32, 57], [255, 64, 102], [255, 96, 147]];
        for (found, want) in found.iter().zip(want) {
            assert!(found[..3].iter().zip(want).all(|(a, b)| a.abs_diff(b) <= 1), "{found:?} {want:?}");
        }
        // Another window does not decode a slice again, another channel decodes its own.
        colors(&volume, &Coloring::Added(channels[1..].to_vec()), &mut values, read);
        assert_eq!(reads.get(), 2);
        values[0] = None;
        colors(&volume, &coloring, &mut values, read);
        assert_eq!(reads.get(), 3);
    }
}
