//! Values of a slice that are black and white.

use brickwork_volume::Header;
use serde_json::Value;

/// Share of the values that are black, and of those that are white, if nothing states a window.
const CUT: f64 = 0.005;

/// Window that a file states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stated {
    /// Values that are black and white; of a sigmoid, those half a width from its centre.
    pub ends: [f64; 2],
    /// True if the greys follow a sigmoid, not a line.
    pub is_sigmoid: bool,
}

/// Returns the window that DICOM states for a slice of a frame: WindowCenter and WindowWidth, in physical
/// values, and VOILUTFunction (PS3.3, C.11.2.1.2 and C.11.2.1.3). If there are several, the first is used.
pub fn stated(header: &Header, frame: usize, slice: usize) -> Option<Stated> {
    let metadata: Value = serde_json::from_str(&header.metadata).ok()?;
    let (place, count) = (frame * header.dims.z + slice, header.frames * header.dims.z);
    let number = |name: &str| first_of(&metadata["dicom"][name], place, count);
    let (center, width) = (number("WindowCenter")?, number("WindowWidth")?);
    let function = match &metadata["dicom"]["VOILUTFunction"] {
        Value::Array(items) => items.get(place).and_then(Value::as_str),
        other => other.as_str(),
    };
    let function = function.map_or("LINEAR", str::trim);
    let (center, width, least) = match function {
        "SIGMOID" | "LINEAR_EXACT" => (center, width, f64::MIN_POSITIVE),
        _ => (center - 0.5, width - 1.0, 0.0),
    };
    (center.is_finite() && width.is_finite() && width >= least)
        .then(|| Stated {
            ends: [center - width / 2.0, center + width / 2.0],
            is_sigmoid: function == "SIGMOID",
        })
        .filter(|Stated { ends: [low, high], .. }| low < high)
}

/// Returns the grey of a value in a sigmoid window, 0 to 1.
pub fn sigmoid([low, high]: [f64; 2], value: f64) -> f64 {
    1.0 / (1.0 + (-4.0 * (value - (low + high) / 2.0) / (high - low)).exp())
}

/// True if small values are white: MONOCHROME1.
pub fn is_inverted(header: &Header) -> bool {
    let metadata: Value = serde_json::from_str(&header.metadata).unwrap_or_default();
    let interpretation = &metadata["dicom"]["PhotometricInterpretation"];
    interpretation.as_str().is_some_and(|text| text.trim() == "MONOCHROME1")
}

/// Returns the number in a field: a single number, one per slice, or the first of several.
fn first_of(value: &Value, slice: usize, slice_count: usize) -> Option<f64> {
    match value {
        Value::Array(items) if items.len() == slice_count && slice_count > 1 => {
            first_of(items.get(slice)?, slice, 0)
        }
        Value::Array(items) => first_of(items.first()?, slice, 0),
        other => other.as_f64(),
    }
}

/// Returns the window without the smallest and the largest values, or `None` if no value is finite.
pub fn suited_to(values: &[f64]) -> Option<[f64; 2]> {
    let mut finite: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    if finite.is_empty() {
        return None;
    }
    let last = finite.len() - 1;
    let cut = (last as f64 * CUT) as usize;
    let mut at = |index: usize| *finite.select_nth_unstable_by(index, f64::total_cmp).1;
    let window = [at(cut), at(last - cut)];
    // If the window is empty, only a few values differ from the others. The full range shows them.
    if window[0] < window[1] { Some(window) } else { Some([at(0), at(last)]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_volume::{Dims, VoxelType};

    fn header(metadata: &str) -> Header {
        Header::new(VoxelType::I16, Dims::new(4, 4, 3)).with(|header| header.metadata = metadata.to_owned())
    }

    #[test]
    fn dicom_states_a_window() {
        let of = |metadata: &str, slice| stated(&header(metadata), 0, slice).map(|window| window.ends);
        let one = r#"{"dicom":{"WindowCenter":40.0,"WindowWidth":401.0}}"#;
        assert_eq!(of(one, 1), Some([-160.5, 239.5]));
        let several = r#"{"dicom":{"WindowCenter":[40.0,500.0],"WindowWidth":[401.0,2001.0]}}"#;
        assert_eq!(of(several, 1), Some([-160.5, 239.5]));
        let by_slice = r#"{"dicom":{"WindowCenter":[40,50,60],"WindowWidth":[[11,2],[21,2],[31,2]]}}"#;
        assert_eq!(of(by_slice, 2), Some([44.5, 74.5]));
        let by_frame = r#"{"dicom":{"WindowCenter":[1,2,3,40,50,60],"WindowWidth":[9,9,9,11,21,31]}}"#;
        let frames = header(by_frame).with(|header| header.frames = 2);
        assert_eq!(stated(&frames, 1, 2).map(|window| window.ends), Some([44.5, 74.5]));
        let exact = r#"{"dicom":{"WindowCenter":0.5,"WindowWidth":0.5,"VOILUTFunction":"LINEAR_EXACT"}}"#;
        assert_eq!(of(exact, 0), Some([0.25, 0.75]));
        let sigmoid = r#"{"dicom":{"WindowCenter":40,"WindowWidth":400,"VOILUTFunction":"SIGMOID "}}"#;
        let want = Stated { ends: [-160.0, 240.0], is_sigmoid: true };
        assert_eq!(stated(&header(sigmoid), 0, 0), Some(want));
        let greys = [-184.0, 40.0, 306.0].map(|value| (255.0 * super::sigmoid(want.ends, value)).round());
        assert_eq!(greys, [25.0, 128.0, 238.0]);
        for none in
            ["", r#"{"dicom":{"WindowCenter":40.0}}"#, r#"{"dicom":{"WindowCenter":40,"WindowWidth":0}}"#]
        {
            assert_eq!(of(none, 0), None, "{none}");
        }
        assert!(is_inverted(&header(r#"{"dicom":{"PhotometricInterpretation":"MONOCHROME1 "}}"#)));
        assert!(!is_inverted(&header(one)));
    }

    #[test]
    fn outliers_are_left_out() {
        let mut values: Vec<f64> = (0..1000).map(f64::from).collect();
        values.extend([-1e9, 1e9, f64::NAN, f64::INFINITY]);
        let [low, high] = suited_to(&values).expect("finite values");
        assert!((0.0..10.0).contains(&low) && (990.0..1000.0).contains(&high), "{low} {high}");
        let mut spike = vec![7.0; 10_000];
        spike.push(8.0);
        assert_eq!(suited_to(&spike), Some([7.0, 8.0]));
        assert_eq!(suited_to(&[f64::NAN]), None);
    }
}
