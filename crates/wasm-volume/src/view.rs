//! A part of a volume in memory: its look, its camera, its slices, and what kernels read.

use crate::{
    failure::Failure,
    request::Request,
    slice::{self, Slice},
};
use brickwork_toolkit::volume::{LoadedVolume, LookOptions, RenderMode, Scene, Transfer};
use brickwork_volume::{
    ResidentVolume, Task, VoxelKind, bytemuck,
    export::{
        FIRST_TILE, IS_FIRST, LookInputs, MOST_PAGES, Paging, RenderingInputs, SlotShape, Slots,
        VolumeInputs, bound_pages, pages,
    },
    render::{Camera, Preset, Projection, RenderError, TransferFunction, TransferPoint, Up, View},
};
use serde_json::{Value, json};
use std::sync::Arc;

/// A part of a volume, with its look and the view that is rendered.
pub struct VolumeView {
    scene: Scene,
    camera: Camera,
    inputs: VolumeInputs,
    look: LookInputs,
    slots: Option<(SlotShape, Slots)>,
    view: Option<(View, RenderingInputs)>,
}

impl VolumeView {
    /// Prepares a loaded volume with the look that suits it.
    pub fn new(volume: LoadedVolume, request: &Request) -> Result<Self, Failure> {
        let task = Task::new();
        let resident = resident(&volume)?;
        let most = request.count("bufferBytes")?.unwrap_or(128 << 20);
        let slots = match request.count("poolBytes")? {
            None => None,
            Some(bytes) => {
                let shape = SlotShape::new(pages(&resident), bytes, MOST_PAGES, most);
                let shape = shape.map_err(|needed| {
                    Failure::argument(format!("a buffer has {most} bytes; {needed} are needed"))
                })?;
                Some((shape, Slots::new(shape, pages(&resident).len())))
            }
        };
        let inputs = match slots {
            None => VolumeInputs::new(&resident, most),
            Some(_) => VolumeInputs::paged(&resident),
        };
        let volume = Arc::new(volume);
        // All voxels may have one value, for which there is no preset.
        let scene = match Scene::new(Arc::clone(&volume), &LookOptions::new(), &task) {
            Err(RenderError::Window { .. }) => {
                Scene::new(volume, &LookOptions::new().with_mode(Some(RenderMode::Mip)), &task)?
            }
            scene => scene?,
        };
        let camera = scene.camera(&task)?;
        let look = LookInputs::new(scene.renderer());
        Ok(Self { scene, camera, inputs, look, slots, view: None })
    }

    /// Returns sizes of the inputs, and the look.
    pub fn facts(&self) -> Value {
        let volume = self.scene.volume();
        let resident = volume.resident();
        let sizes: Vec<usize> =
            resident.map_or(Vec::new(), |volume| pages(volume).iter().map(Vec::len).collect());
        let header = volume.header();
        json!({
            "dims": [header.dims.x, header.dims.y, header.dims.z],
            "spacing": [header.spacing.x, header.spacing.y, header.spacing.z],
            "residentBytes": resident.map_or(0, |volume| volume.byte_count()),
            "pages": sizes,
            "buffers": self.inputs.buffers,
            "boundBuffers": bound_pages(self.inputs.buffers.len()),
            "slots": self.slots.as_ref().map(|(shape, _)| json!({
                "buffers": MOST_PAGES,
                "bufferBytes": shape.buffer_bytes(),
                "count": shape.slot_count,
            })),
            "presets": Preset::ALL.iter().map(|preset| preset.name()).collect::<Vec<_>>(),
            "look": self.look_facts(),
        })
    }

    fn look_facts(&self) -> Value {
        let look = self.scene.look();
        json!({
            "mode": self.look.mode.name(),
            "preset": look.preset.map(Preset::name),
            "iso": look.iso,
            "background": self.scene.renderer().background(),
            "camera": { "azimuth": self.camera.azimuth, "elevation": self.camera.elevation },
        })
    }

    /// Chooses the look: `mode`, `preset` or `points` (value, red, green, blue, opacity), `window`, `iso`,
    /// `isoColor`, `storedValues`, `hiddenLabels`, `background`.
    pub fn set_look(&mut self, request: &Request) -> Result<Value, Failure> {
        let modes = [
            ("mip", RenderMode::Mip),
            ("dvr", RenderMode::Dvr),
            ("iso", RenderMode::Iso),
            ("labels", RenderMode::Labels),
        ];
        let mode = request.choice("mode", &modes)?;
        let is_labels = self.scene.volume().header().kind == VoxelKind::Labels;
        if mode == Some(RenderMode::Labels) && !is_labels {
            return Err(Failure::argument("mode labels needs a volume that was loaded as labels"));
        }
        let names: Vec<_> = Preset::ALL.iter().map(|preset| (preset.name(), *preset)).collect();
        let preset = request.choice("preset", &names)?.map(Transfer::Preset);
        let transfer = match request.lists("points")? {
            None => preset,
            Some(points) => Some(Transfer::Function(function(&points)?)),
        };
        let mut options = LookOptions::new()
            .with_mode(mode)
            .with_transfer(transfer)
            .with_window(request.numbers("window")?)
            .with_iso(request.number("iso")?)
            .with_stored_values(request.flag("storedValues")?);
        if let Some(color) = request.numbers::<3>("isoColor")? {
            options = options.with_iso_color(color.map(|channel| channel as f32));
        }
        if let Some(hidden) = request.counts("hiddenLabels", u16::MAX.into())? {
            options = options.with_hidden_labels(hidden.iter().map(|&label| label as u16).collect());
        }
        let task = Task::new();
        let scene = self.scene.with_look(&options, &task)?;
        let background = match request.numbers::<4>("background")? {
            Some(color) => color.map(|channel| channel.clamp(0.0, 1.0) as f32),
            None => scene.look().mode.background(),
        };
        self.scene = scene.with_background(background);
        self.camera = self.scene.camera(&task)?;
        self.look = LookInputs::new(self.scene.renderer());
        self.view = None;
        Ok(self.look_facts())
    }

    /// Prepares a rendering: `width`, `height`, `azimuth`, `elevation`, `roll`, `zoom`, `orthographic`,
    /// `fieldOfView`, `up`, `step`, `orbiting`, `statistics`.
    pub fn set_view(&mut self, request: &Request) -> Result<Value, Failure> {
        let camera = self.camera(request)?;
        let side = |name: &str| Ok::<_, Failure>(request.size(name)?.unwrap_or(0));
        let view = self.scene.view(&camera, side("width")?, side("height")?)?;
        let paging = self.slots.as_ref().map(|(slots, table)| {
            let page_count = table.of_page.len();
            Paging { slots: *slots, page_count }
        });
        let dims = self.scene.volume().dims();
        let inputs = self.look.rendering(&view, dims, 1, request.flag("statistics")?, paging)?;
        let RenderingInputs { words, tiles, .. } = inputs;
        let facts = json!({
            "words": words,
            "tiles": tiles,
            "firstTile": FIRST_TILE,
            "isFirst": IS_FIRST,
            "paging": paging.map(|_| inputs.paging_words()),
        });
        self.view = Some((view, inputs));
        Ok(facts)
    }

    fn camera(&self, request: &Request) -> Result<Camera, Failure> {
        let default = &self.camera;
        let projection = match (request.flag("orthographic")?, request.number("fieldOfView")?) {
            (true, _) => Projection::Orthographic,
            (false, Some(field_of_view)) => Projection::Perspective { field_of_view },
            (false, None) => default.projection,
        };
        let up = match request.text("up")? {
            None => default.up,
            Some(axis) => {
                axis.parse::<Up>().map_err(|text| Failure::argument(format!("up is \"{axis}\": {text}")))?
            }
        };
        Ok(Camera {
            azimuth: request.number("azimuth")?.unwrap_or(default.azimuth),
            elevation: request.number("elevation")?.unwrap_or(default.elevation),
            roll: request.number("roll")?.unwrap_or(default.roll),
            zoom: request.number("zoom")?.unwrap_or(default.zoom),
            step: request.number("step")?.unwrap_or(default.step),
            is_orbiting: request.flag("orbiting")?,
            projection,
            up,
            focus: default.focus.clone(),
        })
    }

    /// Returns an input of the kernels.
    pub fn buffer(&self, kind: u32, number: usize) -> Result<Vec<u8>, Failure> {
        let missing = || Failure::argument(format!("there is no input {kind}, {number} of the kernels"));
        Ok(match kind {
            0 => self.inputs.shape.clone(),
            1 => self.inputs.records.clone(),
            2 => self.inputs.tables.clone(),
            3 => bytemuck::cast_slice(&self.look.words).to_vec(),
            4 => pages(&*resident(self.scene.volume())?).get(number).ok_or_else(missing)?.clone(),
            5 => self.view.as_ref().ok_or_else(missing)?.1.param_bytes().to_vec(),
            6 => bytemuck::cast_slice(&self.slots.as_ref().ok_or_else(missing)?.1.of_page).to_vec(),
            _ => return Err(missing()),
        })
    }

    /// Assigns slots to pages.
    pub fn assign(&mut self, bits: &[u8]) -> Result<Vec<u8>, Failure> {
        let none = || Failure::argument("the volume is not loaded into slots");
        let (_, slots) = self.slots.as_mut().ok_or_else(none)?;
        let words: Vec<u32> = bits.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let count = slots.of_page.len().div_ceil(32);
        if words.len() != 2 * count {
            return Err(Failure::argument(format!("{} words of bits, not {}", words.len(), 2 * count)));
        }
        let (missing, asked) = words.split_at(count);
        let loads = slots.assign(missing, asked);
        // (A buffer has less than 4 GiB.)
        let loads =
            loads.into_iter().flat_map(|load| [load.page as u32, load.buffer as u32, load.offset as u32]);
        Ok(loads.flat_map(u32::to_le_bytes).collect())
    }

    /// Empties all slots.
    pub fn empty_slots(&mut self) {
        if let Some((shape, slots)) = &mut self.slots {
            *slots = Slots::new(*shape, slots.of_page.len());
        }
    }

    /// Renders the view on the CPU.
    pub fn render(&self) -> Result<Vec<u8>, Failure> {
        let (view, _) = self.view.as_ref().ok_or_else(|| Failure::argument("no view is prepared"))?;
        Ok(self.scene.renderer().render(view, &Task::new())?.pixels.into_flattened())
    }

    /// Returns a slice: `axis`, `index`, `window` (default: that of the volume).
    pub fn slice(&self, request: &Request) -> Result<Vec<u8>, Failure> {
        let volume = self.scene.volume();
        let header = volume.header();
        let slice = Slice::new(request, header)?;
        let colors = slice::colors(request, header.kind, || self.window())?;
        slice.image(&**volume.bricks(), slice.index, header, colors)
    }

    /// Returns the values that are black and white in slices.
    pub fn window(&self) -> Result<[f64; 2], Failure> {
        Ok(self.scene.volume().survey(&Task::new())?.window())
    }
}

/// Returns the compressed volume.
fn resident(volume: &LoadedVolume) -> Result<Arc<ResidentVolume>, Failure> {
    // (`Source::load` compresses all volumes.)
    volume.resident().cloned().ok_or_else(|| Failure::argument("the volume is not compressed"))
}

/// Returns the transfer function through points of value, red, green, blue and opacity.
fn function(points: &[Vec<f64>]) -> Result<TransferFunction, Failure> {
    let point = |point: &Vec<f64>| match point[..] {
        [value, red, green, blue, opacity] => Ok(TransferPoint { value, color: [red, green, blue], opacity }),
        _ => Err(Failure::argument("a point is not value, red, green, blue and opacity")),
    };
    Ok(TransferFunction::new(points.iter().map(point).collect::<Result<_, _>>()?)?)
}
