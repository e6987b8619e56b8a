//! The axes of an array as those of a volume, and their scale.

use super::fault::fault;
use crate::{Axis, AxisOrder, FormatError, ZarrFeature};
use brickwork_volume::MAX_CHANNELS;
use serde_json::Value;

/// Description of an axis.
#[derive(Clone, Debug, Default)]
pub struct AxisText {
    pub name: Option<String>,
    /// Type by OME-Zarr: `space`, `time`, `channel`.
    pub kind: Option<String>,
    /// Unit; empty if there is none.
    pub unit: String,
}

impl AxisText {
    /// Returns the axis of a name.
    pub fn named(name: Option<String>) -> Self {
        Self { name, ..Self::default() }
    }

    /// Reads an axis of `multiscales`: an object, or in version 0.3 a name.
    pub fn of_json(axis: &Value) -> Self {
        let text = |key: &str| axis[key].as_str().map(str::to_owned);
        let name = axis.as_str().map(str::to_owned).or_else(|| text("name"));
        Self { name, kind: text("type"), unit: text("unit").unwrap_or_default() }
    }

    fn is(&self, kind: &str, names: [&str; 2]) -> bool {
        let name = self.name.as_deref().unwrap_or_default().to_lowercase();
        self.kind.as_deref() == Some(kind) || self.kind.is_none() && names.contains(&name.as_str())
    }
}

/// Returns the meaning of the axes of an array of this shape. Axes without names are z, y and x, before them
/// frames, and after them channels; four axes end with at most four channels. Up to three axes with other
/// names are z, y and x, too.
///
/// # Errors
/// [`ZarrFeature::Axes`] if they are not those of a volume.
pub fn axes_of(texts: &[AxisText], shape: &[u64]) -> Result<Vec<Axis>, ZarrFeature> {
    let unsupported = || {
        let names =
            texts.iter().map(|axis| axis.name.as_deref().unwrap_or("?")).collect::<Vec<_>>().join(", ");
        let sides = shape.iter().map(ToString::to_string).collect::<Vec<_>>().join("×");
        let names: String = names.chars().take(80).collect();
        let most = format!("t, c of at most {MAX_CHANNELS}, z, y and x are read");
        ZarrFeature::Axes(format!("{names} of {sides} ({most})"))
    };
    let count = shape.len();
    let mut axes = vec![None; count];
    if texts.iter().all(|axis| axis.name.is_none() && axis.kind.is_none()) {
        let sides: Vec<usize> =
            shape.iter().map(|&side| usize::try_from(side).unwrap_or(usize::MAX)).collect();
        if let Some(order) = AxisOrder::of_shape(&sides) {
            axes = order.axes().iter().copied().map(Some).collect();
        }
    }
    for (axis, text) in axes.iter_mut().zip(texts) {
        if text.is("time", ["t", "time"]) {
            *axis = Some(Axis::Frame);
        } else if text.is("channel", ["c", "channel"]) {
            *axis = Some(Axis::Channel);
        }
    }
    let space: Vec<usize> = (0..count).filter(|&axis| axes[axis].is_none()).collect();
    let name = |axis: usize| texts[axis].name.as_deref().unwrap_or_default().to_lowercase();
    let by_name = |axis: &usize| match name(*axis).as_str() {
        "z" => Some(Axis::Z),
        "y" => Some(Axis::Y),
        "x" => Some(Axis::X),
        _ => None,
    };
    let named: Option<Vec<Axis>> = space.iter().map(by_name).collect();
    let in_order = [Axis::Z, Axis::Y, Axis::X];
    let named = match named {
        Some(named) => named,
        None if space.len() <= 3 => in_order[3 - space.len()..].to_vec(),
        None => return Err(unsupported()),
    };
    // In `lat, lon, z`, the order contradicts the name.
    let is_contradicted =
        |(axis, meaning): (&usize, &Axis)| by_name(axis).is_some_and(|stated| stated != *meaning);
    if space.iter().zip(&named).any(is_contradicted) {
        return Err(unsupported());
    }
    for (axis, meaning) in space.into_iter().zip(named) {
        axes[axis] = Some(meaning);
    }
    let axes: Vec<Axis> = axes.into_iter().flatten().collect();
    let is_twice = |(index, axis): (usize, &Axis)| axes[..index].contains(axis);
    let has_space = axes.iter().any(|axis| !matches!(axis, Axis::Frame | Axis::Channel));
    let channels = side_of(&axes, shape, Axis::Channel);
    if axes.iter().enumerate().any(is_twice) || !has_space || channels > MAX_CHANNELS as u64 {
        return Err(unsupported());
    }
    Ok(axes)
}

/// Returns the length of the array along an axis; 1 if it has no such axis.
pub fn side_of(axes: &[Axis], shape: &[u64], axis: Axis) -> u64 {
    axes.iter().position(|&found| found == axis).map_or(1, |at| shape[at])
}

/// Scale and translation of each axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    pub scale: Vec<f64>,
    pub translation: Vec<f64>,
}

impl Scale {
    /// Returns the identity for arrays of `count` axes.
    pub fn identity(count: usize) -> Self {
        Self { scale: vec![1.0; count], translation: vec![0.0; count] }
    }

    /// Applies `coordinateTransformations`, which may be absent, of the metadata with the key `key`.
    ///
    /// # Errors
    /// [`FormatError::Zarr`] for other transformations than scale, translation and identity, and for a wrong
    /// count of numbers or numbers that are not finite.
    pub fn apply(&mut self, key: &str, transformations: &Value) -> Result<(), FormatError> {
        let invalid = |text: &str| fault(key, format!("coordinateTransformations: {text}"));
        let list = match transformations {
            Value::Null => return Ok(()),
            Value::Array(list) => list,
            _ => return Err(invalid("is not a list")),
        };
        for transformation in list {
            let kind = transformation["type"].as_str().unwrap_or_default();
            if kind == "identity" {
                continue;
            }
            if kind != "scale" && kind != "translation" {
                return Err(invalid(&format!("the type {:?} is not supported", super::array::short(kind))));
            }
            let numbers = transformation[kind].as_array().map(|numbers| numbers.iter().map(Value::as_f64));
            let numbers: Option<Vec<f64>> = numbers.and_then(Iterator::collect);
            let numbers = numbers.filter(|numbers| numbers.iter().all(|number| number.is_finite()));
            let numbers = numbers.filter(|numbers| numbers.len() == self.scale.len());
            let numbers = numbers.ok_or_else(|| {
                invalid(&format!("a {kind} has other values than {} finite numbers", self.scale.len()))
            })?;
            for (axis, number) in numbers.into_iter().enumerate() {
                if kind == "scale" {
                    self.scale[axis] *= number;
                    self.translation[axis] *= number;
                } else {
                    self.translation[axis] += number;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Axis::{Channel, Frame, X, Y, Z};
    use serde_json::json;

    fn axes(names: &[&str], shape: &[u64]) -> Result<Vec<Axis>, ZarrFeature> {
        let texts: Vec<_> = names.iter().map(|name| AxisText::named(Some((*name).to_owned()))).collect();
        axes_of(&texts, shape)
    }

    #[test]
    fn names_and_shapes_tell_the_axes() {
        assert_eq!(axes(&["t", "c", "z", "y", "x"], &[2, 3, 4, 5, 6]).unwrap(), [Frame, Channel, Z, Y, X]);
        assert_eq!(axes(&["x", "Y", "z"], &[4, 5, 6]).unwrap(), [X, Y, Z]);
        assert_eq!(axes(&["y", "x"], &[4, 5]).unwrap(), [Y, X]);
        assert_eq!(axes(&["depth", "row", "column"], &[4, 5, 6]).unwrap(), [Z, Y, X]);
        assert_eq!(axes(&["z", "lat", "lon"], &[4, 5, 6]).unwrap(), [Z, Y, X]);
        for (shape, want) in [
            (&[9][..], &[X][..]),
            (&[2, 2, 2], &[Z, Y, X]),
            (&[7, 8, 9, 4], &[Z, Y, X, Channel]),
            (&[7, 8, 9, 5], &[Frame, Z, Y, X]),
            (&[6, 7, 8, 9, 3], &[Frame, Z, Y, X, Channel]),
            (&[6, 7, 8, 9, 30], &[Frame, Z, Y, X, Channel]),
        ] {
            assert_eq!(axes_of(&vec![AxisText::default(); shape.len()], shape).unwrap(), want, "{shape:?}");
        }
        for (names, shape) in [
            (&["c", "z", "y", "x"][..], &[256, 4, 4, 4][..]),
            (&["t", "t", "y", "x"], &[2, 2, 2, 2]),
            (&["t", "c"], &[2, 2]),
            (&["a", "b", "d", "e"], &[2, 2, 2, 2]),
            (&["lat", "lon", "z"], &[2, 2, 2]),
        ] {
            let error = axes(names, shape).unwrap_err().to_string();
            assert!(error.contains(&names.join(", ")), "{error}");
        }
        assert!(axes_of(&vec![AxisText::default(); 6], &[2; 6]).is_err());
    }

    #[test]
    fn transformations_follow_each_other() {
        let mut scale = Scale::identity(2);
        let list = json!([
            { "type": "scale", "scale": [2.0, 3] }, { "type": "translation", "translation": [1, -1] },
            { "type": "identity" }
        ]);
        scale.apply("zarr.json", &list).unwrap();
        scale.apply("zarr.json", &json!([{ "type": "scale", "scale": [10, 1] }])).unwrap();
        assert_eq!(scale, Scale { scale: vec![20.0, 3.0], translation: vec![10.0, -1.0] });
        for list in [
            json!([{ "type": "scale", "scale": [1] }]),
            json!([{ "type": "scale", "scale": [1, "2"] }]),
            json!([{ "type": "affine" }]),
            json!({}),
            json!([7]),
        ] {
            let error = scale.apply("zarr.json", &list).unwrap_err().to_string();
            assert!(error.starts_with("zarr.json: coordinateTransformations: "), "{error}");
        }
    }
}
