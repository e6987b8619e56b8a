//! A slice of an open volume as an image.
//!
//! | file | contents |
//! |---|---|
//! | `options.rs` | options |
//! | `window.rs`, `added.rs`, `marks.rs` | greys; channels in colours; letters at the edges |

mod added;
mod marks;
mod options;
mod window;

pub use added::ChannelSum;
pub use options::{SliceOptions, SliceOrientation};

use super::{
    Overlay, ShownChannel, SlicePixels, SlicePlane, VolumeError, VolumePart,
    channels::no_numbers,
    encode_slice,
    label_check::check_region,
    label_color_of, labels_of_part,
    slice::picture::{Picture, true_size},
};
use brickwork_base::Task;
use brickwork_formats::{FormatError, OpenError};
use brickwork_image::image_file::ImageWriteError;
use brickwork_volume::{Region, VoxelKind};
use std::io::Write;

/// A slice as an image.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SliceImage {
    /// Pixels per row.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Pixels.
    pub pixels: SlicePixels,
    /// Axis of the volume perpendicular to the slice: 0 is x, 1 is y, 2 is z.
    pub axis: usize,
    /// Index of the slice along its axis.
    pub index: usize,
    /// Values that became black and white; if small values are white, those that became white and black.
    /// `None` for labels and channels in colours, or if no value is finite.
    pub window: Option<[f64; 2]>,
    /// Channels in colours, with their windows, `None` without a finite value; none for a slice in grey.
    pub channels: Vec<ShownChannel>,
    /// Unit of physical values, if it is known.
    pub unit: Option<String>,
    /// Width and height of a pixel in millimetres, if they are known.
    pub pixel_millimetres: Option<[f64; 2]>,
    /// Notes on channels without a finite number.
    pub notes: Vec<String>,
    /// Notes on the overlay, such as on chosen labels that the slice does not have.
    pub overlay_notes: Vec<String>,
}

impl SliceImage {
    /// Encodes the pixels as a PNG file, as [`encode_slice`] does.
    ///
    /// # Errors
    /// As [`encode_slice`].
    pub fn write_png(&self, sink: &mut dyn Write, task: &Task<'_>) -> Result<(), ImageWriteError> {
        encode_slice(sink, [self.width, self.height], &self.pixels, self.pixel_millimetres, task)
    }
}

/// Returns the indices of voxels that were measured: those outside the range of padding.
fn measured(stored: &[f64], padding: Option<[f64; 2]>) -> Vec<usize> {
    let Some([low, high]) = padding else { return Vec::new() };
    let is_measured = |value: f64| !(low..=high).contains(&value);
    (0..stored.len()).filter(|&index| is_measured(stored[index])).collect()
}

/// Bytes per voxel of a slice: its number, as stored and as f64, and its pixel.
const VOXEL_BYTES: u64 = 8 + 8 + 3;

/// Bytes per voxel of the values of a channel, and of the sums of colours.
const VALUE_BYTES: u64 = 8 + 3 * 8;

/// Maximum bytes per pixel of the image.
const PIXEL_BYTES: u64 = 3;

/// Bytes per voxel of an overlay: its number, as stored and as f64, and its label.
const LABEL_BYTES: u64 = 8 + 8 + 8;

/// Bytes per pixel of an overlay: the label, those of its row, and the label that is drawn.
const LABEL_PIXEL_BYTES: u64 = 8 + 16 + 8;

/// Reads a slice. For a `.bwv` file, only the chunks that it intersects are read; for other formats, all
/// slices up to it. The labels of an overlay are drawn over the pixels.
///
/// # Errors
/// [`VolumeError`] if the slice does not exist, the mip level has no physical values, the voxels cannot
/// be read, a label is negative or no integer, the slice takes more memory than allowed, or the image is too
/// large in true proportions.
pub fn read_slice(
    part: VolumePart,
    overlay: Option<Overlay>,
    options: &SliceOptions,
    task: &Task<'_>,
) -> Result<SliceImage, VolumeError> {
    let (index, plane) = (options.index(part.header())?, options.plane(part.header()));
    let mut region = Region::all(part.header().dims);
    *[&mut region.x, &mut region.y, &mut region.z][plane.normal] = index..index + 1;
    if !options.stored_values {
        part.check_physical_values()?;
    }
    let (header, mip_level) = (part.header().clone(), part.mip_level());
    let (frame, channel, has_spacing) = (part.frame(), part.channel(), part.has_spacing());
    let size = plane.size(header.dims);
    let spacing = plane.spacing(header.spacing);
    // Size in true proportions.
    let wanted = if options.stored_pixels {
        size
    } else {
        true_size(size, spacing).map_err(|[width, height]| VolumeError::LargeSlice { width, height })?
    };
    let mut channels = options.shown_channels(&part)?;
    check_memory(&part, channels.len(), overlay.is_some(), &region, wanted)?;
    let (rescaling, whole) = (header.rescaling(), part.whole_header().clone());
    let indices = match &channels[..] {
        [] => vec![channel],
        channels => channels.iter().map(|channel| channel.index).collect(),
    };
    let mut numbers = part.read_channels(&indices, &region, task)?;
    if header.kind == VoxelKind::Labels {
        check_region(&numbers[0], &region)?;
    }
    let stored_size = SlicePlane::stored(plane.normal).size(header.dims);
    let stored = |numbers: Vec<f64>| Picture::of_plane(numbers, stored_size, plane);
    let values = |numbers: Vec<f64>| {
        let mut values = stored(numbers);
        let measured = measured(&values.pixels, whole.padding());
        if let Some(rescaling) = rescaling.as_ref().filter(|_| !options.stored_values) {
            values.map_places(|[x, y], value| {
                let z = plane.voxel(header.dims, index, [x, y])[2];
                rescaling.at(0, z).of(value)
            });
        }
        (values, measured)
    };
    let is_labels = header.kind == VoxelKind::Labels;
    let (mut pixels, window) = if !channels.is_empty() {
        let colors = added::colors(numbers.into_iter().map(values), &mut channels, wanted);
        (SlicePixels::Colors(colors), None)
    } else if is_labels {
        let labels = labels_of_part(&whole, frame, channel);
        let colors =
            stored(numbers.swap_remove(0)).map(|value| label_color_of(&labels, value)).repeated(wanted);
        (SlicePixels::Colors(colors.pixels), None)
    } else {
        let (values, measured) = values(numbers.swap_remove(0));
        let stated = || {
            let slice = if plane.normal == 2 { index << mip_level } else { 0 };
            window::stated(&whole, frame, slice).filter(|_| !options.stored_values)
        };
        let stated = if options.window.is_some() { None } else { stated() };
        let window = options.window.or(stated.map(|stated| stated.ends));
        let window = window.or_else(|| {
            let known = measured.iter().map(|&index| values.pixels[index]).collect::<Vec<_>>();
            window::suited_to(if known.is_empty() { &values.pixels } else { &known })
        });
        let [low, high] = window.unwrap_or_default();
        let scale = if high > low { 255.0 / (high - low) } else { 0.0 };
        let is_inverted = window::is_inverted(&whole);
        let is_sigmoid = stated.is_some_and(|stated| stated.is_sigmoid);
        // NaN is shown like values at the dark end.
        let grey = values.map(|value| {
            if is_sigmoid {
                let grey = window::sigmoid([low, high], value);
                return (255.0 * if is_inverted { 1.0 - grey } else { grey }).round() as u8;
            }
            let dark = if is_inverted { high - value } else { value - low };
            (dark * scale).round() as u8
        });
        (SlicePixels::Grey(grey.mixed(wanted).pixels), window)
    };
    let without = channels.iter().filter(|channel| channel.window.is_none());
    let notes = without.map(|channel| no_numbers(channel.index)).collect();
    let mut overlay_notes = Vec::new();
    if let Some(overlay) = overlay {
        (pixels, overlay_notes) = overlay.over_slice(&pixels, &region, plane, wanted, task)?;
    }
    if options.marks {
        let letters = marks::letters(&header, plane);
        match &mut pixels {
            SlicePixels::Grey(pixels) => marks::draw(pixels, wanted, letters, [255, 0]),
            SlicePixels::Colors(pixels) => marks::draw(pixels, wanted, letters, [[255; 3], [0; 3]]),
        }
    }
    let [width, height] = wanted;
    let millimetres =
        [spacing[0] * size[0] as f64 / width as f64, spacing[1] * size[1] as f64 / height as f64];
    let has_spacing = has_spacing || header.is_anatomical();
    let has_size = has_spacing && millimetres.iter().all(|side| side.is_normal() && *side > 0.0);
    let unit = rescaling.as_ref().filter(|_| !options.stored_values);
    let unit = unit.and_then(|rescaling| rescaling.unit().map(str::to_owned));
    let axis = plane.normal;
    let pixel_millimetres = has_size.then_some(millimetres);
    Ok(SliceImage {
        width,
        height,
        pixels,
        axis,
        index,
        window,
        channels,
        unit,
        pixel_millimetres,
        notes,
        overlay_notes,
    })
}

/// Checks that the voxels of a region and the pixels of their image fit the memory limit.
fn check_memory(
    part: &VolumePart,
    channel_count: usize,
    has_overlay: bool,
    region: &Region,
    image: [usize; 2],
) -> Result<(), VolumeError> {
    let Some(limit) = part.max_memory() else { return Ok(()) };
    let count = [&region.x, &region.y, &region.z].map(|side| side.len() as u64);
    let [voxel, pixel] = if has_overlay {
        [VOXEL_BYTES + LABEL_BYTES, 2 * PIXEL_BYTES + LABEL_PIXEL_BYTES]
    } else {
        [VOXEL_BYTES, PIXEL_BYTES]
    };
    // Each channel has its numbers; all have one sum of three numbers.
    let voxel = if channel_count > 0 { 8 * channel_count as u64 + VALUE_BYTES + voxel } else { voxel };
    let voxel_bytes = count.into_iter().fold(voxel, u64::saturating_mul);
    let need = image.map(|side| side as u64).into_iter().fold(pixel, u64::saturating_mul);
    let need = need.saturating_add(voxel_bytes);
    if need <= limit {
        return Ok(());
    }
    Err(OpenError::from(FormatError::OverLimit { need, limit }).into())
}
