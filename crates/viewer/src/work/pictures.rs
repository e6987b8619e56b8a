//! Renderings of the volume: small ones while it moves, full-size ones when it stops.

use super::Mailbox;
use crate::{state::LookSettings, volume::Volume};
use brickwork_toolkit::{
    device::Device,
    volume::{self, LoadedVolume, LookOptions, Painter},
};
use brickwork_volume::{
    Task,
    render::{Camera, RenderError, RenderStatistics},
};
use std::{
    f64::consts::SQRT_2,
    panic::{self, AssertUnwindSafe},
    sync::Arc,
    thread,
    time::Instant,
};

/// Seconds that a rendering may take while the volume is moved.
const MOVING: f64 = 0.06;

/// Seconds that a whole rendering may take without a smaller one before it.
const AT_ONCE: f64 = 0.2;

/// Seconds of work after which a newer request is looked for.
const BAND: f64 = 0.08;

/// Seconds after which the part that is done is shown.
const SHOWN: f64 = 0.35;

/// Divisor of the smallest renderings' sides.
const MAX_REDUCTION: u32 = 8;

/// Divisor from which every second sample along a ray is also left out.
const COARSE: u32 = 4;

/// Content of a rendering.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    pub camera: Camera,
    pub look: LookSettings,
    pub background: [f32; 3],
    /// Width and height in pixels.
    pub size: [u32; 2],
}

/// Request for a rendering.
#[derive(Clone)]
pub struct PictureRequest {
    pub volume: Arc<Volume>,
    pub device: Device,
    pub scene: Scene,
    /// True if the next request follows soon.
    pub is_moving: bool,
    /// Value that is returned with the rendering.
    pub number: u64,
}

/// A rendering.
pub struct Frame {
    pub width: u32,
    pub height: u32,
    pub pixels: Vec<[u8; 4]>,
    /// True if this is the whole rendering that was requested.
    pub is_final: bool,
    /// Number of the request.
    pub number: u64,
    /// Statistics of the rendering.
    pub statistics: RenderStatistics,
    pub seconds: f64,
    /// Reason why the CPU replaces the GPU.
    pub fallback: Option<String>,
    /// Reason why there is no rendering; there are then no pixels.
    pub error: Option<String>,
}

/// The thread that renders.
pub struct Pictures {
    requests: Arc<Mailbox<PictureRequest>>,
    frames: Arc<Mailbox<Frame>>,
}

impl Pictures {
    /// Starts the thread. `wake` is called when a rendering is complete.
    pub fn start(wake: impl Fn() + Send + 'static) -> Self {
        let pictures = Self { requests: Arc::default(), frames: Arc::default() };
        let requests = Arc::clone(&pictures.requests);
        let frames = Arc::clone(&pictures.frames);
        thread::spawn(move || {
            let publish = |frame| {
                frames.put(frame);
                wake();
            };
            let mut next = requests.take();
            while let Some(request) = next {
                let number = request.number;
                let result = panic::catch_unwind(AssertUnwindSafe(|| serve(request, &requests, &publish)));
                next = result.unwrap_or_else(|_| {
                    publish(failed(number, "a bug in Brickwork, please report it".to_owned()));
                    requests.take()
                });
            }
        });
        pictures
    }

    /// Requests a rendering instead of the previous request.
    pub fn request(&self, request: PictureRequest) {
        self.requests.put(request);
    }

    /// Returns the newest rendering, once.
    pub fn take(&self) -> Option<Frame> {
        self.frames.try_take()
    }
}

impl Drop for Pictures {
    fn drop(&mut self) {
        self.requests.close();
    }
}

fn failed(number: u64, error: String) -> Frame {
    Frame {
        width: 0,
        height: 0,
        pixels: Vec::new(),
        is_final: true,
        number,
        statistics: RenderStatistics::default(),
        seconds: 0.0,
        fallback: None,
        error: Some(error),
    }
}

/// Serves requests for the volume and device of the first one, and returns the first for others.
fn serve(
    first: PictureRequest,
    requests: &Mailbox<PictureRequest>,
    publish: &dyn Fn(Frame),
) -> Option<PictureRequest> {
    let (volume, device) = (Arc::clone(&first.volume), first.device.clone());
    // The painter keeps the volume on the GPU, and scenes the ranges of bricks; seconds are those of a pixel.
    let (mut painter, mut seconds) = (None, None);
    let mut scenes: Vec<Option<volume::Scene>> = volume.all().map(|_| None).collect();
    let mut request = first;
    loop {
        let prepared = match prepare(&request, &mut painter, &mut scenes) {
            Ok(prepared) => prepared,
            Err(error) => {
                publish(failed(request.number, error.to_string()));
                request = requests.take()?;
                if !is_same(&request, &volume, &device) {
                    return Some(request);
                }
                continue;
            }
        };
        let mut artist = Artist { painter: prepared, seconds, requests, publish };
        let shown = (request.scene.look.clone(), request.scene.background);
        loop {
            artist.draw(&request);
            request = requests.take()?;
            let is_other = !is_same(&request, &volume, &device);
            if is_other {
                return Some(request);
            }
            if shown != (request.scene.look.clone(), request.scene.background) {
                break;
            }
        }
        seconds = artist.seconds;
    }
}

/// Prepares the painter for the look and background of a request.
fn prepare<'p>(
    request: &PictureRequest,
    painter: &'p mut Option<Painter>,
    scenes: &mut [Option<volume::Scene>],
) -> Result<&'p mut Painter, RenderError> {
    let task = Task::new();
    let [red, green, blue] = request.scene.background;
    let scene = scene(request, scenes)?.with_background([red, green, blue, 1.0]);
    match painter {
        Some(painter) => {
            painter.set_scene(scene, &task)?;
            Ok(painter)
        }
        None => Ok(painter.insert(Painter::new(scene, request.device.clone(), None, &task)?)),
    }
}

/// Returns the scene of a request: one channel, or several in colours. `scenes` keeps one of each channel.
fn scene(
    request: &PictureRequest,
    scenes: &mut [Option<volume::Scene>],
) -> Result<volume::Scene, RenderError> {
    let (look, task) = (&request.scene.look, Task::new());
    let mut prepared = |index: usize, loaded: &Arc<LoadedVolume>, options: &LookOptions| {
        if scenes[index].is_none() {
            scenes[index] = Some(volume::Scene::new(Arc::clone(loaded), options, &task)?);
        }
        scenes[index].as_ref().expect("it is prepared").with_look(options, &task)
    };
    let mut added = Vec::new();
    for (index, channel) in look.added() {
        let loaded = &request.volume.channels[index].loaded;
        added.push(prepared(index, loaded, &look.channel_options(channel))?);
    }
    if added.is_empty() {
        return prepared(0, &request.volume.loaded, &look.options()?);
    }
    let others = added.split_off(1);
    Ok(added.swap_remove(0).with_channels(others))
}

fn is_same(request: &PictureRequest, volume: &Arc<Volume>, device: &Device) -> bool {
    Arc::ptr_eq(&request.volume, volume) && request.device.name() == device.name()
}

/// Renderer of one look.
struct Artist<'a> {
    painter: &'a mut Painter,
    /// That a pixel took.
    seconds: Option<f64>,
    requests: &'a Mailbox<PictureRequest>,
    publish: &'a dyn Fn(Frame),
}

impl Artist<'_> {
    fn draw(&mut self, request: &PictureRequest) {
        let [width, height] = request.scene.size;
        let pixel_count = f64::from(width) * f64::from(height);
        let expected = self.seconds.map(|seconds| seconds * pixel_count);
        let reduced = expected.map_or(6, |seconds| {
            let reduced = (seconds / MOVING).sqrt();
            let reduced = if reduced > f64::from(COARSE) { reduced / SQRT_2 } else { reduced };
            (reduced.ceil() as u32).clamp(1, MAX_REDUCTION)
        });
        let is_quick = expected.is_some_and(|seconds| seconds < AT_ONCE);
        let mut preview = None;
        if reduced > 1 && (request.is_moving || !is_quick) {
            let size = [width, height].map(|side| side.div_ceil(reduced).max(1));
            let step = if reduced >= COARSE { 2.0 } else { 1.0 };
            match self.picture(request, size, step, None) {
                Some(frame) => preview = Some(frame),
                None => return,
            }
        }
        match preview {
            Some(preview) if request.is_moving => (self.publish)(preview),
            Some(preview) => {
                let enlarged = enlarged(&preview, [width, height]);
                (self.publish)(preview);
                if let Some(frame) = self.picture(request, [width, height], 1.0, Some(enlarged)) {
                    (self.publish)(frame);
                }
            }
            None => {
                if let Some(frame) = self.picture(request, [width, height], 1.0, None) {
                    (self.publish)(Frame { is_final: true, ..frame });
                }
            }
        }
    }

    /// Renders with this size and distance between samples. Returns the final rendering if `pixels`, those
    /// shown until then, are given. Returns `None` if a newer request came first, or there is an error.
    fn picture(
        &mut self,
        request: &PictureRequest,
        [width, height]: [u32; 2],
        step: f64,
        pixels: Option<Vec<[u8; 4]>>,
    ) -> Option<Frame> {
        let scene = &request.scene;
        let camera = Camera { step, ..scene.camera.clone() };
        let view = match camera.view(request.volume.header(), width, height) {
            Ok(view) => view,
            Err(error) => {
                (self.publish)(failed(request.number, error.to_string()));
                return None;
            }
        };
        let is_final = pixels.is_some();
        let mut frame = Frame {
            width,
            height,
            pixels: pixels.unwrap_or_else(|| vec![[0; 4]; (width * height) as usize]),
            is_final: false,
            number: request.number,
            statistics: RenderStatistics::default(),
            seconds: 0.0,
            fallback: None,
            error: None,
        };
        let mut row = 0;
        let mut last_shown = Instant::now();
        while row < height {
            let start = Instant::now();
            let rows = self.rows(width).min(height - row);
            let part =
                match view.rows(row..row + rows).and_then(|view| self.painter.render(&view, &Task::new())) {
                    Ok(part) => part,
                    Err(error) => {
                        (self.publish)(failed(request.number, error.to_string()));
                        return None;
                    }
                };
            let at = (row * width) as usize;
            frame.pixels[at..at + part.pixels.len()].copy_from_slice(&part.pixels);
            frame.statistics += part.statistics;
            let seconds = start.elapsed().as_secs_f64();
            frame.seconds += seconds;
            row += rows;
            if is_final && row < height {
                if self.requests.has_news() {
                    return None;
                }
                if last_shown.elapsed().as_secs_f64() > SHOWN {
                    last_shown = Instant::now();
                    (self.publish)(Frame {
                        pixels: frame.pixels.clone(),
                        fallback: self.fallback(request),
                        error: None,
                        ..frame
                    });
                }
            }
        }
        // Coarse renderings take about half as long.
        let of_pixel = frame.seconds * step / (f64::from(width) * f64::from(height));
        self.seconds = Some(self.seconds.map_or(of_pixel, |seconds| 0.5 * (seconds + of_pixel)));
        frame.is_final = is_final;
        frame.fallback = self.fallback(request);
        Some(frame)
    }

    /// Returns the number of rows of a band.
    fn rows(&self, width: u32) -> u32 {
        let rows = self.seconds.map_or(64.0, |seconds| BAND / (seconds * f64::from(width)));
        // Whole tiles.
        (rows as u32 / 16 * 16).clamp(16, 1 << 14)
    }

    /// Returns the reason why the CPU replaces the requested GPU.
    fn fallback(&self, request: &PictureRequest) -> Option<String> {
        let reason = self.painter.device().fallback().filter(|_| request.device.gpu().is_some());
        reason.map(ToString::to_string)
    }
}

/// Returns the pixels of a rendering in another size: the nearest ones.
fn enlarged(frame: &Frame, [width, height]: [u32; 2]) -> Vec<[u8; 4]> {
    let row = |y: u32| {
        let from = (y * frame.height / height * frame.width) as usize;
        (0..width).map(move |x| frame.pixels[from + (x * frame.width / width) as usize])
    };
    (0..height).flat_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{state::Orbit, volume::of_voxels};
    use brickwork_volume::{Dims, Header, VoxelType};
    use std::{sync::mpsc, time::Duration};

    fn request() -> PictureRequest {
        let dims = Dims::cube(24);
        let ball = |i| {
            let (x, y, z) = dims.position(i);
            let far = [x, y, z].map(|at| (at as f64 - 11.5).powi(2)).iter().sum::<f64>().sqrt();
            (240.0 - 20.0 * far).max(0.0) as u8
        };
        let voxels: Vec<u8> = (0..24 * 24 * 24).map(ball).collect();
        let volume = Arc::new(of_voxels(&voxels, Header::new(VoxelType::U8, dims)).expect("a volume"));
        let scene = Scene {
            camera: Orbit::new([[0.0, 24.0]; 3]).camera(),
            look: LookSettings::suited_to(&volume),
            background: [0.1, 0.2, 0.3],
            size: [70, 50],
        };
        PictureRequest { volume, device: Device::cpu(), scene, is_moving: false, number: 7 }
    }

    #[test]
    fn still_pictures_become_whole() {
        let (sender, receiver) = mpsc::channel();
        let pictures = Pictures::start(move || {
            // At the end, nothing receives it.
            let _ = sender.send(());
        });
        let newest = || {
            receiver.recv_timeout(Duration::from_secs(60)).expect("a picture");
            pictures.take()
        };
        pictures.request(request());
        let frame = loop {
            match newest() {
                Some(frame) if frame.is_final => break frame,
                _ => {}
            }
        };
        assert_eq!((frame.width, frame.height, frame.number, frame.error), (70, 50, 7, None));
        assert_eq!(frame.pixels[0], [26, 51, 77, 255]);
        assert!(frame.statistics.samples > 0);
        // An empty scene is reported.
        let mut empty = request();
        let points = empty.scene.look.dvr.points().len();
        for index in 0..points {
            let value = empty.scene.look.dvr.points()[index].value;
            empty.scene.look.dvr.move_to(index, value, 0.0);
        }
        pictures.request(empty);
        let error = loop {
            if let Some(Frame { error: Some(error), .. }) = newest() {
                break error;
            }
        };
        assert!(error.contains("transparent"), "{error}");
    }

    #[test]
    fn small_pictures_are_enlarged() {
        let mut frame = failed(0, String::new());
        (frame.width, frame.height) = (2, 1);
        frame.pixels = vec![[1; 4], [2; 4]];
        assert_eq!(enlarged(&frame, [3, 2]), [[1; 4], [1; 4], [2; 4], [1; 4], [1; 4], [2; 4]]);
    }
}
