//! Descriptions of a TIFF file's pages by programs of microscopy: ImageJ (<https://imagej.net/formats/tiff>)
//! and OME-TIFF (<https://docs.openmicroscopy.org/ome-model/latest/ome-tiff/specification.html>).
//!
//! Both write text into the ImageDescription of the first page. It states the slice, channel and time of each
//! page, and the distances between voxels.

use crate::{
    FormatError, Note, PageStackFeature, XmlFault,
    header::{
        geometry::Field,
        header_text::short,
        units::{self, Scale, Unit},
        xml::{geometry as xml_geometry, number, text},
    },
};
use brickwork_volume::ShapeError;
use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};

/// Contents of the text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pages {
    /// Number of slices along z.
    pub slices: usize,
    pub channels: usize,
    /// Number of frames in time.
    pub frames: usize,
    pub order: PageOrder,
    /// The distance between voxels along x, y and z in millimetres, or without a unit where none is said.
    pub spacing: [Option<f64>; 3],
    /// Position along x, y and z of the world's origin, in voxels from the first.
    pub origin: [f64; 3],
    /// Scales from the units of the resolution along x and y to millimetres; `None` if the text names no
    /// units.
    pub units: Option<[Scale; 2]>,
    /// True if the file's tags state the spacing along x and y.
    pub uses_resolution: bool,
    /// Seconds between frames.
    pub frame_spacing: Option<f64>,
    /// The images of each page, if it has several.
    pub parts: Option<PageParts>,
    /// Function from stored numbers to physical values.
    pub calibration: Option<Calibration>,
    /// Names of the channels; empty if none is said.
    pub channel_names: Vec<String>,
    pub notes: Vec<Note>,
}

/// Several images of grey in a page that states colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageParts {
    /// Number of images.
    pub count: usize,
    /// Columns and rows of an image.
    pub size: [usize; 2],
    /// True if each sample is an image. Else the rows are images, whose rows are voxels of the page.
    pub are_samples: bool,
}

impl PageParts {
    /// Returns an image of a page of whole voxels, whose numbers have `number_bytes`.
    pub fn copy(&self, index: usize, page: &[u8], number_bytes: usize, image: &mut Vec<u8>) {
        image.clear();
        if self.are_samples {
            let voxels = page.chunks_exact(number_bytes * self.count);
            image.extend(voxels.flat_map(|voxel| &voxel[index * number_bytes..][..number_bytes]));
        } else {
            let byte_count = page.len() / self.count;
            image.extend_from_slice(&page[index * byte_count..][..byte_count]);
        }
    }
}

/// ImageJ's calibration function (`ij.measure.Calibration`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Calibration {
    /// Intercept and slope.
    Line([f64; 2]),
    /// Number of another function.
    Other(u32),
}

/// The page of each plane. Planes are counted with channels fastest, then slices, then frames.
#[derive(Clone, Debug, PartialEq)]
pub enum PageOrder {
    /// Distances between the pages of channels, slices and frames.
    Steps([usize; 3]),
    /// Index of each plane's page.
    List(Vec<usize>),
}

impl Default for PageOrder {
    fn default() -> Self {
        Self::Steps([0; 3])
    }
}

impl Pages {
    /// Returns the number of planes, which is that of pages; `None` beyond all numbers.
    pub fn plane_count(&self) -> Option<usize> {
        self.channels.checked_mul(self.slices)?.checked_mul(self.frames)
    }

    /// Returns the pages of one channel.
    ///
    /// # Errors
    /// [`ShapeError::Selected`] if there is no such channel.
    pub fn with_channel(self, index: usize) -> Result<Self, ShapeError> {
        let count = self.channels;
        if index >= count {
            return Err(ShapeError::Selected { what: "channel", index, count });
        }
        let places = 0..self.slices * self.frames;
        let pages = places.map(|place| self.page(place * count + index)).collect();
        let channel_names = self.channel_names.get(index).cloned().into_iter().collect();
        Ok(Self { channels: 1, order: PageOrder::List(pages), channel_names, ..self })
    }

    /// Returns the page of a plane.
    pub fn page(&self, plane: usize) -> usize {
        match &self.order {
            PageOrder::List(pages) => pages[plane],
            PageOrder::Steps([channel, slice, frame]) => {
                let place = plane / self.channels;
                plane % self.channels * channel + place % self.slices * slice + place / self.slices * frame
            }
        }
    }
}

/// Parses ImageJ's text for a file of `page_count` pages; returns `None` if the text is not ImageJ's.
pub fn of_imagej(text: &str, page_count: usize) -> Option<Result<Pages, FormatError>> {
    text.strip_prefix("ImageJ=")?;
    let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
    let count = |name: &str| field(name).and_then(|text| text.trim().parse::<usize>().ok());
    let images = count("images").unwrap_or(1);
    // A file of one page may contain all images, one after the other.
    if images != page_count && page_count > 1 {
        return Some(Err(PageStackFeature::Images { images, pages: page_count }.into()));
    }
    let [channels, frames] = ["channels", "frames"].map(|name| count(name).unwrap_or(1).max(1));
    let slices = count("slices").unwrap_or(images.checked_div(channels.saturating_mul(frames)).unwrap_or(0));
    let planes = channels.checked_mul(slices).and_then(|planes| planes.checked_mul(frames));
    if planes != Some(images) {
        let pages = page_count;
        return Some(Err(PageStackFeature::ImageJHyperstack { channels, slices, frames, pages }.into()));
    }
    let place = imagej_place(|name| field(name).map(str::to_owned));
    let order = PageOrder::Steps([1, channels, channels * slices]);
    Some(place.and_then(|place| {
        let calibration = imagej_calibration(field)?;
        Ok(Pages { slices, channels, frames, order, calibration, ..place })
    }))
}

/// Number of ImageJ's function of a straight line, and of none.
const STRAIGHT_LINE: u32 = 0;
const NO_FUNCTION: u32 = 20;

/// Parses the calibration function: its number, and its coefficients.
fn imagej_calibration<'a>(
    field: impl Fn(&str) -> Option<&'a str>,
) -> Result<Option<Calibration>, FormatError> {
    let Some(function) = field("cf").and_then(|text| text.trim().parse::<f64>().ok()) else {
        return Ok(None);
    };
    match function as u32 {
        NO_FUNCTION => Ok(None),
        STRAIGHT_LINE => {
            let number = |name: &'static str, otherwise: f64| {
                let Some(text) = field(name) else { return Ok((Field { name, text: "" }, otherwise)) };
                let field = Field { name, text };
                Ok::<_, FormatError>((field, field.finite_numbers(1, ' ')?[0]))
            };
            let ((_, intercept), (field, slope)) = (number("c0", 0.0)?, number("c1", 1.0)?);
            Ok(Some(Calibration::Line([intercept, field.slope(slope)?])))
        }
        other => Ok(Some(Calibration::Other(other))),
    }
}

/// Replaces unknown distances by a known one, with a note unless there is a single slice.
pub fn filled(spacing: [Option<f64>; 3], slices: usize, notes: &mut Vec<Note>) -> [Option<f64>; 3] {
    let Some(&known) = spacing.iter().flatten().next() else { return spacing };
    let unknown = ["x", "y", "z"].into_iter().zip(spacing).filter(|(_, length)| length.is_none());
    let axes: Vec<&str> = unknown.map(|(axis, _)| axis).filter(|&axis| axis != "z" || slices > 1).collect();
    if !axes.is_empty() {
        notes.push(Note::AssumedSpacing { axes: axes.join(" and "), millimetres: known.to_string() });
    }
    spacing.map(|length| Some(length.unwrap_or(known)))
}

/// Parses spacing and time in ImageJ's fields, which omit lengths of one unit.
pub fn imagej_place(field: impl Fn(&str) -> Option<String>) -> Result<Pages, FormatError> {
    let mut notes = Vec::new();
    let mut unit = |name: &'static str, of: fn(&str) -> Unit| {
        let text = units::unescaped(field(name)?.trim());
        let unit = of(&text);
        if unit == Unit::Unknown {
            notes.push(Note::UnknownUnit { field: name, unit: short(&text) });
        }
        Some(unit)
    };
    let x = unit("unit", units::length);
    let (y, z) = (unit("yunit", units::length).or(x), unit("zunit", units::length).or(x));
    let seconds = unit("tunit", units::time).map_or(Scale::ONE, Unit::scale);
    let number = |name: &'static str| {
        let Some(text) = field(name) else { return Ok(None) };
        // Negative where the stack is shown from its end.
        let number = Field { name, text: &text }.finite_numbers(1, ' ')?[0].abs();
        Ok::<_, FormatError>(Some((text, number)))
    };
    let depth = match (number("spacing")?, z) {
        (Some((text, depth)), z) => {
            let field = Field { name: "spacing", text: &text };
            Some(field.length(z.map_or(Scale::ONE, Unit::scale).of(depth))?)
        }
        (None, Some(Unit::Known(scale))) => Some(scale.of(1.0)),
        (None, _) => None,
    };
    let origin = |name: &'static str| {
        let Some(text) = field(name) else { return Ok(0.0) };
        Ok::<_, FormatError>(Field { name, text: &text }.finite_numbers(1, ' ')?[0])
    };
    let frame_spacing = number("finterval")?
        .map(|(text, step)| Field { name: "finterval", text: &text }.duration(seconds.of(step)));
    Ok(Pages {
        spacing: [None, None, depth],
        origin: [origin("xorigin")?, origin("yorigin")?, origin("zorigin")?],
        units: x.zip(y).map(|(x, y)| [x.scale(), y.scale()]),
        frame_spacing: frame_spacing.transpose()?,
        uses_resolution: true,
        notes,
        ..Pages::default()
    })
}

/// Parses OME's text for a file of `page_count` pages with `samples` samples each; returns `None` if the text
/// is not OME's.
pub fn of_ome(text: &str, page_count: usize, samples: usize) -> Option<Result<Pages, FormatError>> {
    let start = text.trim_start();
    let is_ome = start.starts_with('<') && (start.contains("<OME") || start.contains(":OME"));
    is_ome.then(|| Ome::read(text).and_then(|ome| ome.pages(page_count, samples)))
}

/// First image of an OME file.
#[derive(Default)]
struct Ome {
    order: String,
    /// SizeC, SizeZ, SizeT.
    sizes: [usize; 3],
    spacing: [Option<f64>; 3],
    frame_spacing: Option<f64>,
    runs: Vec<Run>,
    channel_names: Vec<String>,
    notes: Vec<Note>,
    /// Name of the file that contains the pages, by the text.
    file: Option<String>,
    images: usize,
}

/// Run of consecutive pages: the first page, the plane it contains, and the number of pages.
struct Run {
    page: Option<usize>,
    /// FirstC, FirstZ, FirstT.
    first: [usize; 3],
    count: Option<usize>,
}

impl Ome {
    fn read(xml: &str) -> Result<Self, FormatError> {
        let mut reader = Reader::from_str(xml);
        let mut ome = Self::default();
        loop {
            let at = reader.buffer_position();
            let event = reader.read_event();
            let event = event.map_err(|error| XmlFault::Syntax(error.to_string()).at(at))?;
            match event {
                Event::Eof => return Ok(ome),
                Event::Start(tag) | Event::Empty(tag) => match tag.local_name().as_ref() {
                    "Pixels" => {
                        ome.images += 1;
                        if ome.images == 1 {
                            ome.pixels(&tag)?;
                        }
                    }
                    "Channel" if ome.images == 1 => {
                        ome.channel_names.push(text(&tag, "Name")?.unwrap_or_default());
                    }
                    "TiffData" if ome.images == 1 => {
                        let first = |name| Ok::<_, FormatError>(number(&tag, name)?.unwrap_or(0));
                        ome.runs.push(Run {
                            page: number(&tag, "IFD")?,
                            first: [first("FirstC")?, first("FirstZ")?, first("FirstT")?],
                            count: number(&tag, "PlaneCount")?,
                        });
                    }
                    "UUID" => {
                        let file = text(&tag, "FileName")?.unwrap_or_default();
                        if ome.file.get_or_insert(file.clone()) != &file {
                            return Err(PageStackFeature::OmeFiles.into());
                        }
                    }
                    "BinaryOnly" => return Err(PageStackFeature::OmeDescription.into()),
                    _ => {}
                },
                _ => {}
            }
        }
    }

    fn pixels(&mut self, tag: &BytesStart<'_>) -> Result<(), FormatError> {
        self.order = text(tag, "DimensionOrder")?.unwrap_or_else(|| "XYZCT".to_owned());
        let size = |name| Ok::<_, FormatError>(number(tag, name)?.unwrap_or(1));
        self.sizes = [size("SizeC")?, size("SizeZ")?, size("SizeT")?];
        for (axis, [name, unit]) in [
            ["PhysicalSizeX", "PhysicalSizeXUnit"],
            ["PhysicalSizeY", "PhysicalSizeYUnit"],
            ["PhysicalSizeZ", "PhysicalSizeZUnit"],
        ]
        .into_iter()
        .enumerate()
        {
            let unit = self.unit(tag, unit, "µm", units::length)?;
            if let Some((text, [size])) = xml_geometry(tag, name)? {
                self.spacing[axis] = Some(Field { name, text: &text }.length(unit.of(size))?);
            }
        }
        let unit = self.unit(tag, "TimeIncrementUnit", "s", units::time)?;
        let name = "TimeIncrement";
        if let Some((text, [step])) = xml_geometry(tag, name)? {
            self.frame_spacing = Some(Field { name, text: &text }.duration(unit.of(step))?);
        }
        Ok(())
    }

    /// Returns the unit that an attribute names.
    fn unit(
        &mut self,
        tag: &BytesStart<'_>,
        name: &'static str,
        otherwise: &str,
        of: fn(&str) -> Unit,
    ) -> Result<Scale, FormatError> {
        let text = text(tag, name)?.unwrap_or_else(|| otherwise.to_owned());
        let unit = of(&text);
        if unit == Unit::Unknown {
            self.notes.push(Note::UnknownUnit { field: name, unit: short(&text) });
        }
        Ok(unit.scale())
    }

    fn pages(self, page_count: usize, samples: usize) -> Result<Pages, FormatError> {
        let unsupported = |feature: PageStackFeature| Err(feature.into());
        if self.images != 1 {
            return unsupported(PageStackFeature::OmeImages(self.images));
        }
        let [mut channels, slices, frames] = self.sizes;
        // The samples of a page are channels.
        if samples > 1 && channels % samples == 0 {
            channels /= samples;
        }
        let planes = channels.checked_mul(slices).and_then(|planes| planes.checked_mul(frames));
        if planes != Some(page_count) {
            let pages = page_count;
            return unsupported(PageStackFeature::OmePlanes { channels, slices, frames, pages });
        }
        // Distance between neighbouring planes along each axis, in planes of the file's order.
        let mut steps = [0; 3];
        let mut step = 1;
        for axis in self.order.chars().skip(2) {
            let (at, size) = match axis {
                'C' => (0, channels),
                'Z' => (1, slices),
                'T' => (2, frames),
                _ => break,
            };
            if steps[at] != 0 {
                break;
            }
            steps[at] = step;
            step *= size;
        }
        if steps.contains(&0) || self.order.len() != 5 || !self.order.starts_with("XY") {
            return unsupported(PageStackFeature::DimensionOrder(short(&self.order)));
        }
        // Page of each plane, in the file's order of planes.
        let mut page_of: Vec<Option<usize>> = vec![None; page_count];
        let whole = [Run { page: Some(0), first: [0; 3], count: Some(page_count) }];
        let runs = if self.runs.is_empty() { whole.as_slice() } else { self.runs.as_slice() };
        let mut named = 0;
        for run in runs {
            let start: usize = run
                .first
                .iter()
                .zip(steps)
                .map(|(first, step)| first.saturating_mul(step))
                .fold(0, usize::saturating_add);
            // Without a count, a run has one plane if it names a page, else all planes.
            let count = run.count.unwrap_or(if run.page.is_some() { 1 } else { page_count }).min(page_count);
            named += count;
            if named > page_count {
                return unsupported(PageStackFeature::OmeTwice);
            }
            for i in 0..count {
                if let Some(page) = page_of.get_mut(start.saturating_add(i)) {
                    *page = Some(run.page.unwrap_or(0).saturating_add(i));
                }
            }
        }
        let mut order = Vec::new();
        for frame in 0..frames {
            for slice in 0..slices {
                for channel in 0..channels {
                    let plane = channel * steps[0] + slice * steps[1] + frame * steps[2];
                    match page_of[plane] {
                        Some(page) if page < page_count => order.push(page),
                        _ => return unsupported(PageStackFeature::OmeMissing { channel, slice, frame }),
                    }
                }
            }
        }
        let Self { spacing, frame_spacing, channel_names, mut notes, .. } = self;
        let spacing = filled(spacing, slices, &mut notes);
        Ok(Pages {
            slices,
            channels,
            frames,
            order: PageOrder::List(order),
            spacing,
            frame_spacing,
            channel_names,
            notes,
            ..Pages::default()
        })
    }
}
