//! Labels of another volume over slices and renderings.

use super::{
    Label, LoadOptions, LoadedVolume, LookOptions, Painter, PartOptions, RenderMode, Scene, SlicePixels,
    SlicePlane, VolumeError, VolumeInput, VolumePart, geometry_difference, label_check::check_region,
    label_color_of, labels_of_part, slice::picture::Picture, values,
};
use crate::device::Device;
use brickwork_base::Task;
use brickwork_volume::{
    Dims, Region, VoxelKind, VoxelType,
    render::{Display, Focus, RenderError, Rendering, View, label_display},
};
use std::{collections::BTreeSet, fmt, ops::RangeInclusive, str::FromStr};

/// Maximum number of labels of more than 16 bits that a rendering can show.
const MAX_WIDE_LABELS: u64 = 1 << 20;

/// Chosen labels: numbers and ranges, such as `1,3,7-9`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelSet(Vec<RangeInclusive<u64>>);

impl LabelSet {
    /// True if a label is chosen.
    pub fn contains(&self, label: u64) -> bool {
        self.0.iter().any(|range| range.contains(&label))
    }

    /// Returns the numbers and ranges of which no label is in a volume or slice, of which `has` knows.
    fn without(&self, has: impl Fn(&RangeInclusive<u64>) -> bool) -> Self {
        Self(self.0.iter().filter(|range| !has(range)).cloned().collect())
    }

    /// Returns a note on absent labels, unless there are none.
    fn note(&self, place: &str) -> Option<String> {
        let is_one = matches!(&self.0[..], [range] if range.start() == range.end());
        let words = if is_one { "label" } else { "labels" };
        let verb = if is_one { "is" } else { "are" };
        (!self.0.is_empty()).then(|| format!("{words} {self} {verb} not in {place} of the overlay"))
    }
}

impl fmt::Display for LabelSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, range) in self.0.iter().enumerate() {
            let comma = if place > 0 { ", " } else { "" };
            match (range.start(), range.end()) {
                (first, last) if first == last => write!(f, "{comma}{first}")?,
                (first, last) => write!(f, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

impl FromStr for LabelSet {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
            (first >= 1 && first <= last).then_some(first..=last)
        };
        let ranges: Option<Vec<_>> = text.split(',').map(range).collect();
        ranges.map(Self).ok_or_else(|| "expected labels from 1 and ranges, such as 1,3,7-9".to_owned())
    }
}

/// Options of labels over slices and renderings.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OverlayOptions {
    /// Opacity of the labels' colours, 0 to 1. Default: 0.5.
    pub opacity: f64,
    /// Width in pixels of outlines, which slices then show instead of areas, 1 to 64. Default: `None`.
    pub outline: Option<usize>,
    /// Labels that are shown. Default: `None`, all except 0.
    pub labels: Option<LabelSet>,
}

impl Default for OverlayOptions {
    fn default() -> Self {
        Self { opacity: 0.5, outline: None, labels: None }
    }
}

impl OverlayOptions {
    /// Returns the options after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Sets an option by its name and a value, both as on the command line.
    ///
    /// # Errors
    /// [`VolumeError::Setting`] for unknown names and wrong values.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), VolumeError> {
        let wrong = |reason: String| VolumeError::Setting { option: name.to_owned(), reason };
        match name {
            "overlay-opacity" => self.opacity = values::opacity(value).map_err(wrong)?,
            "overlay-outline" => self.outline = Some(values::outline(value).map_err(wrong)?),
            "overlay-labels" => self.labels = Some(value.parse().map_err(wrong)?),
            _ => return Err(wrong("is no option of overlays".to_owned())),
        }
        Ok(())
    }

    fn shows(&self, label: u64) -> bool {
        label > 0 && self.labels.as_ref().is_none_or(|labels| labels.contains(label))
    }
}

/// Labels over a part of a volume.
#[derive(Debug)]
pub struct Overlay {
    part: VolumePart,
    options: OverlayOptions,
    names: Vec<Label>,
}

impl Overlay {
    /// Selects the labels of a part of a volume: those of its mip level and frame. A single frame is used for
    /// all.
    ///
    /// # Errors
    /// [`VolumeError`] if the labels have other dims, several channels, another number of frames, or lack the
    /// mip level.
    pub fn new(
        input: VolumeInput,
        volume: &VolumePart,
        options: OverlayOptions,
    ) -> Result<Self, VolumeError> {
        let (header, whole, dims) = (input.header(), volume.whole_header(), volume.header().dims);
        if header.channels != 1 {
            return Err(VolumeError::OverlayChannels(header.channels));
        }
        if header.frames != 1 && header.frames != whole.frames {
            return Err(VolumeError::OverlayFrames { overlay: header.frames, volume: whole.frames });
        }
        let frame = if header.frames == 1 { 0 } else { volume.frame() };
        let names = labels_of_part(header, frame, 0);
        let mip_level = if header.dims == dims { 0 } else { volume.mip_level() };
        if mip_level >= input.mip_level_count() {
            return Err(VolumeError::OverlayDims { overlay: header.dims, volume: dims });
        }
        let select = PartOptions::default().with(|o| {
            (o.mip_level, o.frame, o.kind) = (mip_level, frame, Some(VoxelKind::Labels));
        });
        let part = input.select(&select).map_err(VolumeError::of_overlay)?;
        if part.header().dims != dims {
            return Err(VolumeError::OverlayDims { overlay: part.header().dims, volume: dims });
        }
        Ok(Self { part, options, names })
    }

    /// Returns the largest distance of places in millimetres, as [`geometry_difference`] does.
    pub fn geometry_difference(&self, volume: &VolumePart) -> Option<f64> {
        geometry_difference(volume.header(), self.part.header())
    }

    /// Draws the labels of a region over the pixels of its slice, which have the size `wanted`. Also returns
    /// notes, on chosen labels that the slice does not have.
    pub(super) fn over_slice(
        self,
        pixels: &SlicePixels,
        region: &Region,
        plane: SlicePlane,
        wanted: [usize; 2],
        task: &Task<'_>,
    ) -> Result<(SlicePixels, Vec<String>), VolumeError> {
        let Self { part, options, names } = self;
        let size = SlicePlane::stored(plane.normal).size(part.header().dims);
        let numbers = part.read_numbers(region, task).map_err(VolumeError::of_overlay)?;
        check_region(&numbers, region).map_err(VolumeError::of_overlay)?;
        let found: BTreeSet<u64> = numbers.iter().map(|&value| value as u64).collect();
        let absent = options.labels.as_ref().and_then(|labels| {
            labels.without(|range| found.range(range.clone()).next().is_some()).note("this slice")
        });
        let label = |value: f64| if options.shows(value as u64) { value as u64 } else { 0 };
        let labels = Picture::of_plane(numbers, size, plane).map(label).repeated(wanted);
        let drawn = match options.outline {
            Some(width) => outlines(&labels, width),
            None => labels.pixels,
        };
        let base: Vec<[u8; 3]> = match pixels {
            SlicePixels::Grey(pixels) => pixels.iter().map(|&grey| [grey; 3]).collect(),
            SlicePixels::Colors(pixels) => pixels.clone(),
        };
        let over = |(base, label): ([u8; 3], u64)| match label {
            0 => base,
            label => {
                let color = label_color_of(&names, label as f64);
                let mix = |base: u8, color: u8| {
                    (f64::from(base) * (1.0 - options.opacity) + f64::from(color) * options.opacity).round()
                };
                std::array::from_fn(|channel| mix(base[channel], color[channel]) as u8)
            }
        };
        let pixels = SlicePixels::Colors(base.into_iter().zip(drawn).map(over).collect());
        Ok((pixels, absent.into_iter().collect()))
    }

    /// Prepares the rendering of the labels on a device.
    pub(super) fn load(
        self,
        load: &LoadOptions,
        device: Device,
        gpu_memory: Option<u64>,
        task: &Task<'_>,
    ) -> Result<OverlayPainter, VolumeError> {
        let Self { part, options, .. } = self;
        let volume = part.load(load, task).map_err(VolumeError::of_overlay)?;
        let shown = match &options.labels {
            Some(labels) => Some(shown_values(labels, &volume.display())?),
            None => None,
        };
        let absent = match &options.labels {
            Some(labels) => absent_labels(labels, &volume, task)?.note("the volume"),
            None => None,
        };
        let look = LookOptions::default().with(|o| {
            o.mode = Some(RenderMode::Labels);
            if let Some(shown) = shown {
                o.hidden_labels = (1..=u16::MAX).filter(|value| !shown.contains(value)).collect();
            }
        });
        let scene = Scene::new(volume, &look, task)?.with_background([0.0; 4]);
        let focus = scene.camera(task)?.focus;
        let painter = Painter::new(scene, device, gpu_memory, task)?;
        let notes = absent.into_iter().collect();
        Ok(OverlayPainter { painter, focus, opacity: options.opacity as f32, notes })
    }
}

/// Returns the display values of chosen labels.
fn shown_values(labels: &LabelSet, display: &Display) -> Result<BTreeSet<u16>, VolumeError> {
    // No volume has a label above the maximum of its type.
    let most = match display.voxel_type() {
        VoxelType::U8 => u8::MAX.into(),
        VoxelType::I8 => i8::MAX as u64,
        VoxelType::U16 => u16::MAX.into(),
        VoxelType::I16 => i16::MAX as u64,
        VoxelType::I32 => i32::MAX as u64,
        _ => u32::MAX.into(),
    };
    let ranges = labels.0.iter().map(|range| *range.start()..=most.min(*range.end()));
    let count: u64 = ranges.clone().map(|range| range.end().saturating_sub(*range.start())).sum();
    if count > MAX_WIDE_LABELS {
        let reason = format!("{count} labels are too many for a rendering, which shows {MAX_WIDE_LABELS}");
        return Err(VolumeError::Setting { option: "overlay-labels".to_owned(), reason });
    }
    Ok(ranges.flatten().map(|label| label_display(label as u32)).collect())
}

/// Returns the numbers and ranges of which a volume has no label.
fn absent_labels(labels: &LabelSet, volume: &LoadedVolume, task: &Task<'_>) -> Result<LabelSet, VolumeError> {
    let Dims { x, y, z } = volume.dims();
    let mut found = BTreeSet::new();
    let mut values = [0; 64];
    for place in (0..z.div_ceil(4)).flat_map(|z| (0..y.div_ceil(4)).map(move |y| [y, z])) {
        task.check()?;
        for column in 0..x.div_ceil(4) {
            let brick = [column, place[0], place[1]].map(|place| place as u32);
            let [low, high] = volume.bricks().range(brick);
            if low == high {
                found.insert(low);
                continue;
            }
            // (Voxels outside are unspecified.)
            volume.bricks().brick(brick, &mut values);
            for (index, value) in values.iter().enumerate() {
                let at = [4 * column + index % 4, 4 * place[0] + index / 4 % 4, 4 * place[1] + index / 16];
                if at.iter().zip([x, y, z]).all(|(at, side)| *at < side) {
                    found.insert(*value);
                }
            }
        }
    }
    let display = volume.display();
    Ok(labels.without(|range| {
        let one = LabelSet(vec![range.clone()]);
        shown_values(&one, &display).is_ok_and(|shown| !shown.is_disjoint(&found))
    }))
}

/// Returns the labels of pixels with another label at most `width` pixels away along both axes, and 0 for
/// other pixels.
fn outlines(labels: &Picture<u64>, width: usize) -> Vec<u64> {
    let (columns, rows) = (labels.width, labels.height);
    let window = |at: usize, side: usize| at.saturating_sub(width)..side.min(at + width + 1);
    let extent = |values: &mut dyn Iterator<Item = [u64; 2]>| {
        values.fold([u64::MAX, 0], |[low, high], [a, b]| [low.min(a), high.max(b)])
    };
    let along_rows: Vec<[u64; 2]> = (0..rows * columns)
        .map(|place| {
            let (x, row) = (place % columns, place / columns * columns);
            extent(&mut window(x, columns).map(|x| [labels.pixels[row + x]; 2]))
        })
        .collect();
    let is_edge = |place: usize| {
        let (x, y) = (place % columns, place / columns);
        let [low, high] = extent(&mut window(y, rows).map(|y| along_rows[y * columns + x]));
        low < high
    };
    labels.pixels.iter().enumerate().map(|(place, &label)| if is_edge(place) { label } else { 0 }).collect()
}

/// The renderings of labels over those of a volume.
#[derive(Debug)]
pub(super) struct OverlayPainter {
    painter: Painter,
    focus: Option<Focus>,
    opacity: f32,
    notes: Vec<String>,
}

impl OverlayPainter {
    /// Returns notes, on chosen labels that the volume does not have.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns a focus on the labels.
    pub const fn focus(&self) -> Option<&Focus> {
        self.focus.as_ref()
    }

    /// Draws the labels over a rendering of the same view.
    pub fn over(
        &mut self,
        mut base: Rendering,
        view: &View,
        task: &Task<'_>,
    ) -> Result<Rendering, RenderError> {
        let labels = self.painter.render(view, task)?;
        base.statistics += labels.statistics;
        for (pixel, label) in base.pixels.iter_mut().zip(&labels.pixels) {
            *pixel = over(*label, self.opacity, *pixel);
        }
        Ok(base)
    }
}

/// Returns a colour at an opacity over another one. Alpha is straight.
fn over(color: [u8; 4], opacity: f32, base: [u8; 4]) -> [u8; 4] {
    let front = opacity * f32::from(color[3]) / 255.0;
    if front == 0.0 {
        return base;
    }
    let behind = (1.0 - front) * f32::from(base[3]) / 255.0;
    let alpha = front + behind;
    let channel =
        |i: usize| ((f32::from(color[i]) * front + f32::from(base[i]) * behind) / alpha).round() as u8;
    [channel(0), channel(1), channel(2), (alpha * 255.0).round() as u8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_numbers_and_ranges() {
        let set: LabelSet = "1, 3,7-9".parse().expect("a set");
        let shown: Vec<u64> = (0..12).filter(|&label| set.contains(label)).collect();
        assert_eq!(shown, [1, 3, 7, 8, 9]);
        for bad in ["", "0", "a", "3-1", "1,", "-1", "1-2-3"] {
            assert!(bad.parse::<LabelSet>().is_err(), "{bad}");
        }
        let mut options = OverlayOptions::default();
        for (name, value) in [("overlay-opacity", "0.25"), ("overlay-outline", "2"), ("overlay-labels", "4")]
        {
            options.set(name, value).expect(name);
        }
        assert_eq!(
            (options.opacity, options.outline, options.shows(4), options.shows(5)),
            (0.25, Some(2), true, false)
        );
        for (name, value) in [("overlay-opacity", "1.5"), ("overlay-outline", "0"), ("overlay", "a")] {
            assert!(options.set(name, value).is_err(), "{name}");
        }
    }

    #[test]
    fn labels_above_the_maximum_of_a_type_are_no_others() {
        let set: LabelSet = "100,200,40000,3000000000".parse().expect("a set");
        for (voxel_type, count) in
            [(VoxelType::U8, 2), (VoxelType::I8, 1), (VoxelType::U16, 3), (VoxelType::I16, 2)]
        {
            let display = Display::new(voxel_type, VoxelKind::Labels, 0.0, 0.0);
            let shown = shown_values(&set, &display).expect("display values");
            assert!(shown.contains(&100) && shown.len() == count, "{voxel_type}: {shown:?}");
        }
        let display = |voxel_type| Display::new(voxel_type, VoxelKind::Labels, 0.0, 0.0);
        let found = [VoxelType::I32, VoxelType::U32]
            .map(|voxel_type| shown_values(&set, &display(voxel_type)).expect("display values").len());
        assert_eq!(found, [3, 4]);
    }

    #[test]
    fn outlines_are_inside_of_labels() {
        #[rustfmt::skip]
        let pixels = vec![
            0, 0, 0, 0, 0, 0,
            0, 5, 5, 5, 5, 0,
            0, 5, 5, 5, 5, 0,
            0, 5, 5, 5, 5, 6,
            0, 5, 5, 5, 5, 6,
        ];
        let labels = Picture { width: 6, height: 5, pixels };
        #[rustfmt::skip]
        let want = [
            0, 0, 0, 0, 0, 0,
            0, 5, 5, 5, 5, 0,
            0, 5, 0, 0, 5, 0,
            0, 5, 0, 0, 5, 6,
            0, 5, 0, 0, 5, 6,
        ];
        assert_eq!(outlines(&labels, 1), want);
        assert_eq!(outlines(&labels, 2), labels.pixels);
        // The edge of the image is no edge of a label.
        let all = Picture { width: 3, height: 2, pixels: vec![4; 6] };
        assert_eq!(outlines(&all, 1), [0; 6]);
    }

    #[test]
    fn colours_are_mixed_by_opacity() {
        assert_eq!(over([200, 100, 0, 255], 0.25, [0, 100, 200, 255]), [50, 100, 150, 255]);
        assert_eq!(over([200, 100, 0, 255], 0.5, [9, 9, 9, 0]), [200, 100, 0, 128]);
        assert_eq!(over([200, 100, 0, 0], 0.5, [9, 8, 7, 6]), [9, 8, 7, 6]);
        assert_eq!(over([200, 100, 0, 255], 1.0, [9, 8, 7, 255]), [200, 100, 0, 255]);
    }
}
