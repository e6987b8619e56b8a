//! The open volume, and all that is set for it.

use super::{curve_editor::Editor, style};
use crate::{
    args::Args,
    state::{Curve, LookSettings, Mode, Orbit},
    text,
    volume::Volume,
    work::{ChannelSlices, Coloring, Frame, Scene, SliceRequest},
};
use brickwork_toolkit::volume::{LoadedVolume, SliceColors, SlicePlane};
use brickwork_volume::{VoxelKind, render::Up};
use eframe::egui::{self, Color32, ColorImage, TextureHandle, TextureOptions};
use std::{path::PathBuf, sync::Arc};

/// The open volume.
pub struct Scan {
    pub path: PathBuf,
    pub volume: Arc<Volume>,
    pub orbit: Orbit,
    pub look: LookSettings,
    pub background: [f32; 3],
    pub editor: Editor,
    /// Index of the slice in each plane.
    pub indices: [usize; 3],
    /// Black and white of the slices.
    pub slice_window: [f64; 2],
    pub planes: [SlicePlane; 3],
    /// Width and height of the rendering in pixels, as soon as its area is known.
    pub size: [u32; 2],
    pub picture: ShownPicture,
    pub slices: [Option<ShownSlice>; 3],
    /// The slices on display.
    pub slices_shown: Option<SliceRequest>,
    pub slices_asked: Option<SliceRequest>,
    /// True after the pointer has moved the volume: the hint is no longer needed.
    pub is_moved: bool,
    /// The voxel under the pointer, and its numbers: that of each channel that shows, with its name among
    /// several.
    pub pointed: Option<([usize; 3], String)>,
}

/// The rendering in the window.
#[derive(Default)]
pub struct ShownPicture {
    pub texture: Option<TextureHandle>,
    /// Last complete rendering, with its cost.
    pub whole: Option<Frame>,
    /// Time in seconds of a reduced rendering, and the side of its pixels.
    pub moving: Option<(f64, f32)>,
    /// Reason why there is none.
    pub error: Option<String>,
    /// Reason why the CPU replaces the GPU.
    pub fallback: Option<String>,
    /// The last request's number, and whether its whole rendering is there.
    pub number: u64,
    pub is_whole: bool,
    /// The last number of renderings of the volume before this one.
    before: u64,
}

/// A slice in the window.
pub struct ShownSlice {
    pub texture: TextureHandle,
    /// Values of the channels, in the order of [`Volume::all`].
    pub values: ChannelSlices,
}

impl Scan {
    /// Chooses defaults that suit the volume; options of the command line override them. `last_number` is the
    /// number of the last requested rendering.
    pub fn new(path: PathBuf, volume: Volume, args: Option<&Args>, up: Option<Up>, last_number: u64) -> Self {
        let volume = Arc::new(volume);
        let mut look = LookSettings::suited_to(&volume);
        let mut orbit = Orbit { up: up.unwrap_or(volume.up()), ..Orbit::new(volume.home) };
        if let Some(args) = args {
            let curve = args.preset.map(|preset| Curve::of_preset(preset, &volume.values));
            if let Some(Ok(curve)) = curve {
                look.dvr = curve;
            }
            if let Some(value) = args.iso {
                (look.mode, look.surface) = (Mode::Iso, value);
            }
            look.mode = args.mode.unwrap_or(look.mode);
            if let Some(view) = args.view {
                orbit.look_from(view);
            }
        }
        let planes = SlicePlane::anatomical(volume.header());
        let dims = volume.dims();
        let sides = [dims.x, dims.y, dims.z];
        Self {
            path,
            orbit,
            background: style::BACKGROUND,
            editor: Editor::new(&volume.values),
            indices: planes.map(|plane| sides[plane.normal] / 2),
            slice_window: volume.values.window(),
            planes,
            size: [0, 0],
            picture: ShownPicture { number: last_number, before: last_number, ..ShownPicture::default() },
            slices: [None, None, None],
            slices_shown: None,
            slices_asked: None,
            is_moved: false,
            pointed: None,
            volume,
            look,
        }
    }

    /// Shows another frame or channel in the same way.
    pub fn replace(&mut self, volume: Volume) {
        self.look.set_channels(&volume);
        self.volume = Arc::new(volume);
    }

    /// Returns the file's or folder's name.
    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// Returns the scene to render; `None` until the rendering has a place.
    pub fn scene(&self) -> Option<Scene> {
        let [width, height] = self.size;
        (width > 0 && height > 0).then(|| Scene {
            camera: self.orbit.camera(),
            look: self.look.clone(),
            background: self.background,
            size: self.size,
        })
    }

    /// Returns true if the voxels are shown as labels.
    pub fn are_labels(&self) -> bool {
        self.look.mode == Mode::Labels || self.volume.header().kind == VoxelKind::Labels
    }

    /// Returns the slices to show.
    pub fn slice_request(&self) -> SliceRequest {
        let added = self.look.added();
        let coloring = if self.are_labels() {
            Coloring::One(SliceColors::Labels)
        } else if added.is_empty() {
            Coloring::One(SliceColors::Window(self.slice_window))
        } else {
            Coloring::Added(added.into_iter().map(|(index, channel)| (index, channel.clone())).collect())
        };
        SliceRequest { volume: Arc::clone(&self.volume), indices: self.indices, coloring }
    }

    /// Returns the numbers of a pixel of a slice in words.
    pub fn numbers(&self, slices: &ChannelSlices, [x, y]: [usize; 2]) -> String {
        let number = |place: usize, loaded: &LoadedVolume| {
            let slice = slices.get(place)?.as_ref()?;
            let value = *slice.values.get(y * slice.width + x)?;
            let display = loaded.display();
            Some(text::number(display.value(f64::from(value)), display.number_step()))
        };
        let added = self.look.added();
        if added.is_empty() {
            return number(0, &self.volume.loaded).unwrap_or_default();
        }
        let of_channel = |(place, _): (usize, _)| {
            let channel = &self.volume.channels[place];
            Some(format!("{} {}", channel.name(), number(place, &channel.loaded)?))
        };
        added.into_iter().filter_map(of_channel).collect::<Vec<_>>().join(", ")
    }
}

impl ShownPicture {
    /// Shows a frame.
    pub fn show(&mut self, ctx: &egui::Context, frame: Frame, width: u32) {
        if frame.number <= self.before {
            return;
        }
        self.fallback.clone_from(&frame.fallback);
        self.error.clone_from(&frame.error);
        if frame.error.is_some() {
            self.is_whole = frame.number == self.number;
            (self.texture, self.whole, self.moving) = (None, None, None);
            return;
        }
        set(
            &mut self.texture,
            ctx,
            "picture",
            [frame.width, frame.height].map(|side| side as usize),
            &frame.pixels,
        );
        if frame.is_final {
            self.is_whole = frame.number == self.number;
            self.whole = Some(frame);
        } else if frame.width < width {
            self.moving = Some((frame.seconds, width as f32 / frame.width as f32));
        }
    }
}

/// Puts pixels into a texture, a new one if there is none.
pub fn set(
    texture: &mut Option<TextureHandle>,
    ctx: &egui::Context,
    name: &str,
    size: [usize; 2],
    pixels: &[[u8; 4]],
) {
    let color = |&[red, green, blue, _]: &[u8; 4]| Color32::from_rgb(red, green, blue);
    let image = ColorImage::new(size, pixels.iter().map(color).collect());
    match texture {
        Some(texture) => texture.set(image, TextureOptions::LINEAR),
        None => *texture = Some(ctx.load_texture(name, image, TextureOptions::LINEAR)),
    }
}
