//! Names and colours of labels that a segmentation states.

use brickwork_volume::{
    Header,
    render::{label_color, label_display},
};
use serde_json::Value;
use std::collections::BTreeMap;

/// A label of a segmentation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Label {
    /// Layer of a segmentation with overlapping segments: its channel, or its frame if there are more than
    /// four layers.
    pub layer: u64,
    /// Value of its voxels.
    pub value: u64,
    /// Name; empty if there is none.
    pub name: String,
    /// Red, green and blue; the colour from [`label_color`] if none is stated.
    pub color: [u8; 3],
}

/// Returns the colour of a label without a stated one: that of renderings.
fn generated(label: u64) -> [u8; 3] {
    label_color(label_display(label as u32))
}

/// Maximum number of segments in a file.
const MAX_SEGMENTS: usize = 1 << 16;

/// Returns the labels that the metadata describes, in the order of their layers and values: segments of 3D
/// Slicer's `.seg.nrrd` and of DICOM, and colours of a palette.
pub fn labels(header: &Header) -> Vec<Label> {
    let metadata: Value = serde_json::from_str(&header.metadata).unwrap_or_default();
    if let Some(segments) = metadata["dicom"]["segments"].as_array() {
        return of_dicom(segments);
    }
    for source in ["tiff", "images"] {
        if let Some(colors) = metadata[source]["palette"].as_array() {
            return of_palette(colors);
        }
    }
    let keys = &metadata["nrrd"]["keys"];
    let text = |index: usize, name: &str| keys[format!("Segment{index}_{name}")].as_str();
    let mut labels = BTreeMap::new();
    for index in 0..MAX_SEGMENTS {
        let (value, name, color) = (text(index, "LabelValue"), text(index, "Name"), text(index, "Color"));
        if value.is_none() && name.is_none() && color.is_none() {
            break;
        }
        // Older files number their segments.
        let value = value.map_or(Some(index as u64 + 1), |value| value.trim().parse().ok());
        let Some(value) = value else { continue };
        let parts: Vec<f64> =
            color.unwrap_or_default().split_whitespace().filter_map(|part| part.parse().ok()).collect();
        let color = match parts[..] {
            [red, green, blue] => {
                [red, green, blue].map(|part| (part * 255.0).round().clamp(0.0, 255.0) as u8)
            }
            _ => generated(value),
        };
        let name = name.unwrap_or_default().trim().to_owned();
        let layer = text(index, "Layer").and_then(|layer| layer.trim().parse().ok()).unwrap_or(0);
        labels.entry((layer, value)).or_insert(Label { layer, value, name, color });
    }
    labels.into_values().collect()
}

fn of_dicom(segments: &[Value]) -> Vec<Label> {
    let label = |segment: &Value| {
        let (layer, value) = (segment["layer"].as_u64()?, segment["value"].as_u64()?);
        let name = segment["name"].as_str().unwrap_or_default().to_owned();
        let color = generated(if value == 1 { layer.saturating_add(1) } else { value });
        Some(Label { layer, value, name, color })
    };
    segments.iter().filter_map(label).collect()
}

fn of_palette(colors: &[Value]) -> Vec<Label> {
    let label = |(value, color): (usize, &Value)| {
        let color = u32::from_str_radix(color.as_str()?, 16).ok()?.to_be_bytes();
        let (layer, name) = (0, String::new());
        Some(Label { layer, value: value as u64, name, color: [color[1], color[2], color[3]] })
    };
    colors.iter().enumerate().filter_map(label).collect()
}

/// Returns the labels of one frame and channel of the volume.
#[cfg(feature = "files")]
pub fn labels_of_part(header: &Header, frame: usize, channel: usize) -> Vec<Label> {
    let mut labels = labels(header);
    if labels.iter().any(|label| label.layer > 0) {
        let layer = if header.channels > 1 { channel } else { frame };
        labels.retain(|label| label.layer == layer as u64);
    }
    labels
}

/// Returns the colour of a voxel with a label. It is black for 0, negative numbers and numbers with a
/// fraction, which [`read_slice`](super::super::read_slice) refuses.
#[cfg(feature = "files")]
pub fn label_color_of(labels: &[Label], value: f64) -> [u8; 3] {
    if !(value >= 1.0 && value.fract() == 0.0) {
        return [0; 3];
    }
    let stated = labels.binary_search_by_key(&(value as u64), |label| label.value);
    stated.map_or_else(|_| generated(value as u64), |index| labels[index].color)
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_volume::{Dims, VoxelType};

    #[test]
    fn segments_have_names_and_colours() {
        let metadata = r#"{"nrrd":{"keys":{
            "Segment0_LabelValue":"7","Segment0_Name":"liver","Segment0_Color":"1 0.5 0",
            "Segment1_LabelValue":"3","Segment1_Name":"bone","Segment1_Color":"none"}}}"#;
        let header = Header::new(VoxelType::U8, Dims::new(1, 1, 1));
        let header = header.with(|header| header.metadata = metadata.to_owned());
        let labels = labels(&header);
        let names: Vec<_> = labels.iter().map(|label| (label.value, label.name.as_str())).collect();
        assert_eq!(names, [(3, "bone"), (7, "liver")]);
        assert_eq!(label_color_of(&labels, 7.0), [255, 128, 0]);
        assert_eq!(label_color_of(&labels, 3.0), label_color(3));
        assert_eq!((label_color_of(&labels, 0.0), label_color_of(&labels, f64::NAN)), ([0; 3], [0; 3]));
    }

    #[test]
    fn dicom_and_palettes_have_labels() {
        let of = |metadata: &str| {
            let header = Header::new(VoxelType::U8, Dims::new(1, 1, 1));
            labels(&header.with(|header| header.metadata = metadata.to_owned()))
        };
        let segments = of(r#"{"dicom":{"segments":[{"layer":0,"value":1,"name":"liver"},
            {"layer":1,"value":1,"name":"spleen"}]}}"#);
        let names: Vec<_> = segments.iter().map(|label| (label.layer, label.name.as_str())).collect();
        assert_eq!(names, [(0, "liver"), (1, "spleen")]);
        assert_ne!(segments[0].color, segments[1].color);
        for metadata in
            [r#"{"tiff":{"palette":["000000","ff8001"]}}"#, r#"{"images":{"palette":["000000","ff8001"]}}"#]
        {
            assert_eq!(label_color_of(&of(metadata), 1.0), [255, 128, 1], "{metadata}");
        }
    }

    #[test]
    fn layers_have_labels_of_their_own() {
        let metadata = r#"{"nrrd":{"keys":{
            "Segment0_LabelValue":"1","Segment0_Layer":"0","Segment0_Name":"liver","Segment0_Color":"1 0 0",
            "Segment1_LabelValue":"1","Segment1_Layer":"1",
            "Segment1_Name":"cyst","Segment1_Color":"0 0 1"}}}"#;
        let header = |channels, frames| {
            Header::new(VoxelType::U8, Dims::new(1, 1, 1)).with(|header| {
                (header.channels, header.frames) = (channels, frames);
                header.metadata = metadata.to_owned();
            })
        };
        assert_eq!(labels(&header(2, 1)).len(), 2);
        assert_eq!(label_color_of(&labels_of_part(&header(2, 1), 0, 0), 1.0), [255, 0, 0]);
        assert_eq!(label_color_of(&labels_of_part(&header(2, 1), 0, 1), 1.0), [0, 0, 255]);
        assert_eq!(label_color_of(&labels_of_part(&header(1, 2), 1, 0), 1.0), [0, 0, 255]);
    }
}
