//! Slices in colour.

use super::Mailbox;
use crate::{state::ChannelSettings, volume::Volume};
use brickwork_toolkit::volume::{SliceColors, SlicePlane, SliceValues};
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

/// The slices of a request.
pub struct ColoredSlices {
    pub slices: [(Arc<SliceValues>, Vec<[u8; 4]>); 3],
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
        let values = match last {
            Some(last) if last.request.indices[plane] == index => Arc::clone(&last.slices[plane].0),
            _ => {
                let read = planes[plane].read(&**request.volume.loaded.bricks(), index, &Task::new());
                Arc::new(read.expect("no token cancels it"))
            }
        };
        let colors = match &request.coloring {
            Coloring::One(colors) => {
                let colors = values.colors(&request.volume.display(), *colors, &Task::new());
                colors.expect("no token cancels it")
            }
            Coloring::Added(channels) => added(&request.volume, channels, &planes[plane], index),
        };
        (values, colors)
    });
    ColoredSlices { slices, request }
}

/// Returns the sum of the colours of channels, each from black to its colour over its window.
fn added(
    volume: &Volume,
    channels: &[(usize, ChannelSettings)],
    plane: &SlicePlane,
    index: usize,
) -> Vec<[u8; 4]> {
    let mut sums: Vec<[f32; 3]> = Vec::new();
    for (number, channel) in channels {
        let loaded = &volume.channels[*number].loaded;
        let read = plane.read(&**loaded.bricks(), index, &Task::new()).expect("no token cancels it");
        let greys = read.colors(&loaded.display(), SliceColors::Window(channel.window), &Task::new());
        let greys = greys.expect("no token cancels it");
        sums.resize(greys.len(), [0.0; 3]);
        for (sum, [grey, ..]) in sums.iter_mut().zip(greys) {
            let grey = f32::from(if channel.is_inverted { 255 - grey } else { grey });
            for (sum, color) in sum.iter_mut().zip(channel.color) {
                *sum += grey * color;
            }
        }
    }
    sums.into_iter()
        .map(|[red, green, blue]| [red, green, blue, 255.0].map(|sum| (sum + 0.5) as u8))
        .collect()
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
        let found = added(&volume, &channels, &SlicePlane::stored(2), 0);
        // Shares ¼, ½, ¾, 1 and 0, ¼, ½, ¾ (greys 64, 128, 191, 255 and 0, 64, 127, 191).
        let want = [[64, 0, 13], [160, 32, 58], [255, 64, 102], [255, 96, 147]];
        for (found, want) in found.iter().zip(want) {
            assert!(found[..3].iter().zip(want).all(|(a, b)| a.abs_diff(b) <= 1), "{found:?} {want:?}");
        }
    }
}
