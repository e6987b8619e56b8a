//! Slices in colour.

use super::Mailbox;
use crate::volume::Volume;
use brickwork_toolkit::volume::{SliceColors, SlicePlane, SliceValues};
use brickwork_volume::Task;
use std::{sync::Arc, thread};

/// Request for slices.
#[derive(Clone)]
pub struct SliceRequest {
    pub volume: Arc<Volume>,
    /// Index of the slice in each plane.
    pub indices: [usize; 3],
    pub coloring: SliceColors,
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
        let colors = values.colors(&request.volume.display(), request.coloring, &Task::new());
        let colors = colors.expect("no token cancels it");
        (values, colors)
    });
    ColoredSlices { slices, request }
}
