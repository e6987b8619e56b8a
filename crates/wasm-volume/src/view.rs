//! A part of a volume in memory: its look, its camera, its slices, and what kernels read.

use crate::{
    facts::object,
    failure::Failure,
    request::Request,
    slice::{self, Slice},
    source::{Source, voxels_of},
};
use brickwork_toolkit::volume::{LoadedVolume, LookOptions, RenderMode, Scene, Transfer};
use brickwork_volume::{
    Header, Region, ResidentVolume, Task, VoxelKind, bytemuck,
    export::{
        FIRST_TILE, IS_FIRST, LookInputs, MAX_PAGES, Paging, RenderingInputs, SlotShape, Slots,
        StreamedVolume, VolumeInputs, bound_pages, pages,
    },
    render::{Camera, Preset, Projection, RenderError, TransferFunction, TransferPoint, Up, View},
};
use serde_json::Value;
use std::{num::NonZeroU32, ops::Range, sync::Arc};

/// A part of a volume, with its look and the view that is rendered.
pub struct VolumeView {
    scene: Scene,
    pages: Pages,
    camera: Camera,
    inputs: VolumeInputs,
    look: LookInputs,
    slots: Option<(SlotShape, Slots)>,
    view: Option<(View, RenderingInputs)>,
    /// Pages of boxes that are laid out and not copied yet, by their numbers.
    laid_out: Vec<(usize, Vec<u8>)>,
}

/// Superblocks of a part: in memory, or read from the file when rays need them.
enum Pages {
    Loaded(Arc<ResidentVolume>),
    OnDemand(Box<StreamedVolume>),
}

impl Pages {
    fn count(&self) -> usize {
        match self {
            Self::Loaded(volume) => pages(volume).len(),
            Self::OnDemand(volume) => volume.page_count(),
        }
    }

    /// True if all pages are in memory and fit into `byte_count` bytes, in as many buffers of at most `most`
    /// bytes as kernels bind.
    fn fit(&self, byte_count: u64, most: u64) -> bool {
        let Self::Loaded(volume) = self else { return false };
        let sum: u64 = pages(volume).iter().map(|page| page.len() as u64).sum();
        sum <= byte_count && VolumeInputs::new(volume, most).buffers.len() <= MAX_PAGES
    }

    /// Returns slots of at most `byte_count` bytes in buffers of at most `most` bytes.
    fn slots(&self, byte_count: u64, most: u64) -> Result<SlotShape, Failure> {
        let shape = match self {
            Self::Loaded(volume) => SlotShape::new(pages(volume), byte_count, MAX_PAGES, most),
            Self::OnDemand(volume) => {
                let (count, bytes) = (volume.page_count(), volume.page_bytes());
                SlotShape::of_pages(count, bytes, byte_count, MAX_PAGES, most)
            }
        };
        let shape = shape.map_err(|needed| {
            Failure::limit(format!(
                "a buffer with pages takes at least {needed} bytes, and the device's limit is {most}"
            ))
        })?;
        let needed = shape.buffer_bytes() * MAX_PAGES as u64;
        if needed > byte_count {
            let (count, page_bytes) = (shape.slot_count, 4 * u64::from(shape.page_words));
            return Err(Failure::limit(format!(
                "gpuBytes is {byte_count}, but rays need at least {count} pages of {page_bytes} bytes at the \
                 same time, which are {needed} bytes"
            )));
        }
        Ok(shape)
    }

    /// Returns shape, records and tables. Without slots, a buffer with pages has at most `most` bytes.
    fn inputs(&self, has_slots: bool, most: u64) -> Result<VolumeInputs, Failure> {
        match self {
            Self::Loaded(volume) if has_slots => Ok(VolumeInputs::paged(volume)),
            Self::Loaded(volume) => Ok(VolumeInputs::new(volume, most)),
            Self::OnDemand(volume) if has_slots => Ok(VolumeInputs::streamed(volume)),
            Self::OnDemand(_) => Err(Failure::argument("poolBytes is missing, which onDemand needs")),
        }
    }
}

impl VolumeView {
    /// Prepares a volume with the look that suits it. `on_demand` has the pages of a volume that is not in
    /// memory.
    pub fn new(
        volume: LoadedVolume,
        on_demand: Option<StreamedVolume>,
        request: &Request,
        task: &Task<'_>,
    ) -> Result<Self, Failure> {
        let pages = match on_demand {
            Some(volume) => Pages::OnDemand(Box::new(volume)),
            None => Pages::Loaded(resident(&volume)?),
        };
        let most = request.count("bufferBytes")?.unwrap_or(128 << 20);
        let slots = match request.count("poolBytes")? {
            Some(bytes) if !pages.fit(bytes, most) => {
                let shape = pages.slots(bytes, most)?;
                Some((shape, Slots::new(shape, pages.count())))
            }
            _ => None,
        };
        let inputs = pages.inputs(slots.is_some(), most)?;
        let volume = Arc::new(volume);
        // All voxels may have one value, for which there is no preset.
        let scene = match Scene::new(Arc::clone(&volume), &LookOptions::default(), task) {
            Err(RenderError::Constant) => {
                Scene::new(volume, &LookOptions::default().with(|o| o.mode = Some(RenderMode::Mip)), task)?
            }
            scene => scene?,
        };
        let camera = scene.camera(task)?;
        let look = LookInputs::new(scene.renderer());
        Ok(Self { scene, pages, camera, inputs, look, slots, view: None, laid_out: Vec::new() })
    }

    /// Returns sizes of the inputs, and the look.
    pub fn facts(&self) -> Value {
        let (sizes, byte_count): (Vec<usize>, usize) = match &self.pages {
            Pages::Loaded(volume) => (pages(volume).iter().map(Vec::len).collect(), volume.byte_count()),
            Pages::OnDemand(volume) => (Vec::new(), volume.byte_count()),
        };
        let header = self.scene.volume().header();
        let slots = self.slots.as_ref().map(|(shape, _)| {
            object([
                ("buffers", MAX_PAGES.into()),
                ("bufferBytes", shape.buffer_bytes().into()),
                ("count", shape.slot_count.into()),
            ])
        });
        let presets: Vec<_> = Preset::ALL.iter().map(|preset| preset.name()).collect();
        object([
            ("dims", [header.dims.x, header.dims.y, header.dims.z].into()),
            ("spacing", [header.spacing.x, header.spacing.y, header.spacing.z].into()),
            ("residentBytes", byte_count.into()),
            ("isOnDemand", matches!(self.pages, Pages::OnDemand(_)).into()),
            ("pages", sizes.into()),
            ("buffers", self.inputs.buffers.as_slice().into()),
            ("boundBuffers", bound_pages(self.inputs.buffers.len()).into()),
            ("slots", slots.into()),
            ("presets", presets.into()),
            ("look", self.look_facts()),
        ])
    }

    fn look_facts(&self) -> Value {
        let look = self.scene.look();
        let Camera { azimuth, elevation, .. } = self.camera;
        object([
            ("mode", self.look.mode.name().into()),
            ("preset", look.preset.map(Preset::name).into()),
            ("iso", look.iso.into()),
            ("background", self.scene.renderer().background().into()),
            ("camera", object([("azimuth", azimuth.into()), ("elevation", elevation.into())])),
        ])
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
            Some(points) => Some(Transfer::Function { function: function(&points)?, values: None }),
        };
        let mut options = LookOptions::default();
        options.mode = mode;
        options.transfer = transfer;
        options.window = request.numbers("window")?;
        options.iso = request.number("iso")?;
        options.stored_values = request.flag("storedValues")?;
        if let Some(color) = request.numbers::<3>("isoColor")? {
            options.iso_color = color.map(|channel| channel as f32);
        }
        if let Some(hidden) = request.counts("hiddenLabels", u16::MAX.into())? {
            // `collect` would link a stable sort.
            options.hidden_labels.extend(hidden.iter().map(|&label| label as u16));
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
        let inputs =
            self.look.rendering(&view, dims, NonZeroU32::MIN, request.flag("statistics")?, false, paging)?;
        let RenderingInputs { words, tiles, .. } = inputs;
        let facts = object([
            ("words", words.into()),
            ("tiles", tiles.into()),
            ("firstTile", FIRST_TILE.into()),
            ("isFirst", IS_FIRST.into()),
            ("paging", paging.map(|_| inputs.paging_words()).into()),
        ]);
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
    pub fn buffer(&mut self, kind: u32, number: usize, source: &Source) -> Result<Vec<u8>, Failure> {
        let missing = || Failure::argument(format!("there is no input {kind}, {number} of the kernels"));
        Ok(match kind {
            0 => self.inputs.shape.clone(),
            1 => match &self.pages {
                Pages::Loaded(_) => self.inputs.records.clone(),
                Pages::OnDemand(volume) => VolumeInputs::streamed(volume).records,
            },
            2 => self.inputs.tables.clone(),
            3 => bytemuck::cast_slice(&self.look.words).to_vec(),
            4 if number >= self.pages.count() => return Err(missing()),
            4 => match &mut self.pages {
                Pages::Loaded(volume) => pages(volume)[number].clone(),
                Pages::OnDemand(volume) => match self.laid_out.iter().position(|(page, _)| *page == number) {
                    Some(place) => self.laid_out.swap_remove(place).1,
                    None if matches!(source, Source::Described(_)) => {
                        let text = format!("the voxels of page {number} were not supplied");
                        return Err(Failure::argument(text));
                    }
                    None => volume.load(source.file()?, number)?,
                },
            },
            5 => self.view.as_ref().ok_or_else(missing)?.1.param_bytes().to_vec(),
            6 => bytemuck::cast_slice(&self.slots.as_ref().ok_or_else(missing)?.1.of_page).to_vec(),
            7 => match &mut self.pages {
                Pages::Loaded(_) => Vec::new(),
                Pages::OnDemand(volume) => volume.take_changes().map_or(Vec::new(), |(start, records)| {
                    [&(start as u32).to_le_bytes()[..], records].concat()
                }),
            },
            _ => return Err(missing()),
        })
    }

    /// Lays out a page of a described volume on demand from its voxels.
    pub fn supply_page(&mut self, number: usize, voxels: &[u8]) -> Result<(), Failure> {
        let none = || Failure::argument(format!("there is no page {number} of boxes"));
        let Pages::OnDemand(volume) = &mut self.pages else { return Err(none()) };
        let region = volume.page_box(number).ok_or_else(none)?;
        let header = Header::new(volume.voxel_type(), region.dims());
        let voxels = voxels_of(voxels, &header, &Task::new())?;
        let bytes = volume.put_box(number, &voxels)?;
        self.laid_out.retain(|(page, _)| *page != number);
        self.laid_out.push((number, bytes));
        Ok(())
    }

    /// Returns the boxes of pages that are supplied next: from and to along x, y and z. `numbers` are words.
    pub fn page_boxes(&mut self, numbers: &[u8]) -> Result<Vec<Range<u64>>, Failure> {
        // Pages of calls that were aborted, or that have no slot, were not copied.
        self.laid_out.clear();
        let mut sides = Vec::new();
        for number in words(numbers) {
            let none = || Failure::argument(format!("there is no page {number} of boxes"));
            let Pages::OnDemand(volume) = &self.pages else { return Err(none()) };
            let Region { x, y, z } = volume.page_box(number as usize).ok_or_else(none)?;
            sides.extend([x, y, z].map(|side| side.start as u64..side.end as u64));
        }
        Ok(sides)
    }

    /// Returns the byte ranges of pages that are not supplied. `numbers` are words.
    pub fn missing_pages(&self, numbers: &[u8], source: &Source) -> Result<Vec<Range<u64>>, Failure> {
        let Pages::OnDemand(volume) = &self.pages else { return Ok(Vec::new()) };
        let ranges: Vec<_> = words(numbers).flat_map(|page| volume.ranges(page as usize)).collect();
        Ok(source.file()?.source().missing(&ranges))
    }

    /// Assigns slots to pages.
    pub fn assign(&mut self, bits: &[u8]) -> Result<Vec<u8>, Failure> {
        let none = || Failure::argument("the volume is not loaded into slots");
        let (_, slots) = self.slots.as_mut().ok_or_else(none)?;
        let words: Vec<u32> = words(bits).collect();
        let count = slots.of_page.len().div_ceil(32);
        if words.len() != 2 * count {
            return Err(Failure::argument(format!("{} words of bits, not {}", words.len(), 2 * count)));
        }
        let (missing, asked) = words.split_at(count);
        let loads = slots.assign(missing, asked);
        // A buffer has less than 4 GiB.
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
    #[cfg(feature = "full")]
    pub fn render(&self) -> Result<Vec<u8>, Failure> {
        self.check_is_loaded("the CPU renders")?;
        let (view, _) = self.view.as_ref().ok_or_else(|| Failure::argument("no view is prepared"))?;
        Ok(self.scene.renderer().render(view, &Task::new())?.pixels.into_flattened())
    }

    /// Returns a slice: `axis`, `index`, `window` (default: that of the volume).
    pub fn slice(&self, request: &Request) -> Result<Vec<u8>, Failure> {
        self.check_is_loaded("without a level, slices show")?;
        let volume = self.scene.volume();
        let header = volume.header();
        let slice = Slice::new(request, header)?;
        let colors = slice::colors(request, header.kind, || self.window())?;
        slice.image(&**volume.bricks(), slice.index, header, colors)
    }

    fn check_is_loaded(&self, what: &str) -> Result<(), Failure> {
        match self.pages {
            Pages::Loaded(_) => Ok(()),
            Pages::OnDemand(_) => Err(Failure::argument(format!(
                "{what} only parts that are loaded as a whole; this one is read on demand"
            ))),
        }
    }

    /// Returns the values that are black and white in slices.
    pub fn window(&self) -> Result<[f64; 2], Failure> {
        Ok(self.scene.volume().survey(&Task::new())?.window())
    }
}

/// Returns words in little-endian order.
fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word))
}

/// Returns the compressed volume.
fn resident(volume: &LoadedVolume) -> Result<Arc<ResidentVolume>, Failure> {
    // `Source::load` compresses all volumes.
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
