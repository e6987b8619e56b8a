//! Spacing, directions and origin, from the fields that state them.

use super::{
    axes::{Axes, MAX_AXES},
    wrong,
};
use crate::{
    FormatError, GeometryFault, Note,
    header::{
        geometry::{Field, cross, number},
        header_text::short,
        parts_note::missing_units,
        units::{self, Scale, Unit},
    },
    words::digits,
};
use brickwork_volume::{Header, Spacing, space_signs};
use serde_json::{Map, Value};

/// A vector, or `none`.
type Vector = Option<Vec<f64>>;

/// Fields of the geometry, as text.
#[derive(Default)]
pub struct Place {
    spacings: Option<String>,
    directions: Option<String>,
    origin: Option<String>,
    mins: Option<String>,
    maxs: Option<String>,
    units: Option<String>,
    space_units: Option<String>,
}

impl Place {
    /// Takes a field. Returns true if it is one of the geometry.
    pub fn take(&mut self, field: &str, value: &str) -> bool {
        let place = match field {
            "spacings" => &mut self.spacings,
            "space directions" => &mut self.directions,
            "space origin" => &mut self.origin,
            "axis mins" | "axismins" => &mut self.mins,
            "axis maxs" | "axismaxs" => &mut self.maxs,
            "units" => &mut self.units,
            "space units" => &mut self.space_units,
            _ => return false,
        };
        *place = Some(value.to_owned());
        true
    }

    /// Returns whether each of `count` axes has a direction; `None` if the file has no directions.
    pub fn have_directions(&self, count: usize) -> Result<Option<Vec<bool>>, FormatError> {
        let directions = self.directions(count)?;
        Ok(directions.map(|all| all.iter().map(Option::is_some).collect()))
    }

    fn directions(&self, count: usize) -> Result<Option<Vec<Vector>>, FormatError> {
        let Some(text) = &self.directions else { return Ok(None) };
        let field = Field { name: "space directions", text };
        let directions = vectors(field)?;
        if directions.len() != count {
            return Err(wrong(field.name, format!("for {} axes of {count}", directions.len())));
        }
        Ok(Some(directions))
    }

    /// Sets spacing, directions and origin of `header`, in millimetres and seconds. In the kept fields,
    /// `others`, known units are replaced.
    pub fn finish(
        &self,
        axes: &Axes,
        sizes: &[usize],
        others: &mut Map<String, Value>,
        header: &mut Header,
    ) -> Result<Vec<Note>, FormatError> {
        let count = sizes.len();
        let mut notes = Vec::new();
        let units = Units::of(self, axes, count, &mut notes)?;
        let directions = self.directions(count)?;
        let space = others.get("space").and_then(Value::as_str).unwrap_or_default();
        let signs = space_signs(space).unwrap_or([1.0; 3]);
        let centers = others.get("centers").or_else(|| others.get("centerings")).and_then(Value::as_str);
        let centers = centers.map(str::to_owned);
        // Later fields override earlier ones.
        let mut spacing = [1.0; 3];
        self.scalars(axes, sizes, centers.as_deref(), &units, &mut spacing, header)?;
        if let Some(directions) = &directions {
            vector_place(axes, directions, signs, &units, &mut spacing, header)?;
        }
        header.spacing = Spacing { x: spacing[0], y: spacing[1], z: spacing[2] };
        if let Some(text) = &self.origin {
            let field = Field { name: "space origin", text };
            let mut origin = vector(field, text)?;
            // SimpleITK writes the time of the first frame there.
            if let (Some(_), [_, _, _, time]) = (axes.frames, origin.as_mut_slice())
                && *time != 0.0
            {
                let seconds = digits(field.finite(units.time.of(*time))?);
                notes.push(Note::TimeOffset { field: "space origin", seconds });
                *time = 0.0;
            }
            let bad = || field.refused(GeometryFault::Count(3));
            let origin = in_space(&origin, axes).ok_or_else(bad)?;
            let origin = turned(origin, signs);
            for (j, part) in origin.into_iter().enumerate() {
                header.origin[j] = field.finite(units.of_world(axes, j)?.of(part))?;
            }
        }
        if let Some(text) = others.get("thicknesses").and_then(Value::as_str) {
            let text = thicknesses(text, count, axes, &units)?;
            others.insert("thicknesses".to_owned(), text.into());
        }
        Units::keep(self, axes, others);
        Ok(notes)
    }

    /// Sets spacing and origin axis by axis.
    fn scalars(
        &self,
        axes: &Axes,
        sizes: &[usize],
        centers: Option<&str>,
        units: &Units,
        spacing: &mut [f64; 3],
        header: &mut Header,
    ) -> Result<(), FormatError> {
        let count = sizes.len();
        let spacings = list("spacings", self.spacings.as_deref(), count)?;
        let mins = list("axis mins", self.mins.as_deref(), count)?;
        let maxs = list("axis maxs", self.maxs.as_deref(), count)?;
        // NaN means unknown.
        let known = |list: &Option<(Field<'_>, Vec<f64>)>, axis: usize| {
            list.as_ref().map(|(_, numbers)| numbers[axis]).filter(|number| !number.is_nan())
        };
        let centers: Vec<&str> = centers.unwrap_or_default().split_whitespace().collect();
        for i in 0..axes.space_count {
            let (axis, scale) = (axes.x + i, units.of_axis(axes.x + i));
            let mut step = match (&spacings, known(&spacings, axis)) {
                (Some((field, _)), Some(step)) => Some(field.length(scale.of(step))?),
                _ => None,
            };
            let (min, max) = (known(&mins, axis), known(&maxs, axis));
            let mut is_node = centers.get(axis).is_some_and(|center| *center == "node");
            if let (Some((field, _)), Some(min), Some(max)) = (&maxs, min, max) {
                let extent = scale.of(max) - scale.of(min);
                let steps = |is_node: bool| extent / (sizes[axis] - usize::from(is_node)) as f64;
                let is_step = |found: f64, step: f64| (found - step).abs() <= 1e-3 * step.abs();
                match step {
                    // The file does not state the centring; the spacing decides.
                    Some(step) if centers.get(axis).is_none_or(|center| *center == "???") => {
                        is_node = (steps(true) - step).abs() < (steps(false) - step).abs();
                        if !is_step(steps(is_node), step) {
                            return Err(field.refused(GeometryFault::Contradiction));
                        }
                    }
                    Some(step) if !is_step(steps(is_node), step) => {
                        return Err(field.refused(GeometryFault::Contradiction));
                    }
                    Some(_) => {}
                    None => step = Some(field.length(steps(is_node))?),
                }
            }
            spacing[i] = step.unwrap_or(1.0);
            // The origin is the centre of the first cell, which starts at the minimum.
            let half = if is_node { 0.0 } else { spacing[i] / 2.0 };
            match (&mins, &maxs, min, max) {
                (Some((field, _)), _, Some(min), _) => {
                    header.origin[i] = field.finite(scale.of(min) + half)?
                }
                (_, Some((field, _)), None, Some(max)) => {
                    let whole = spacing[i] * (sizes[axis] - 1) as f64;
                    header.origin[i] = field.finite(scale.of(max) - half - whole)?;
                }
                _ => {}
            }
        }
        if let (Some(axis), Some((field, _))) = (axes.frames, &spacings)
            && let Some(step) = known(&spacings, axis)
        {
            header.frame_spacing = field.duration(units.time.of(step))?;
        }
        Ok(())
    }
}

/// Returns the thicknesses of samples along all axes in millimetres and seconds, as text.
fn thicknesses(text: &str, count: usize, axes: &Axes, units: &Units) -> Result<String, FormatError> {
    let (_, numbers) =
        list("thicknesses", Some(text), count)?.unwrap_or((Field { name: "", text }, Vec::new()));
    let mut texts = Vec::new();
    for (axis, number) in numbers.into_iter().enumerate() {
        let scale = if Some(axis) == axes.frames {
            units.time
        } else if (axes.x..axes.x + axes.space_count).contains(&axis) {
            units.of_thickness(axis)?
        } else {
            Scale::ONE
        };
        // NaN is unknown.
        texts.push(if number.is_nan() { "nan".to_owned() } else { scale.of(number).to_string() });
    }
    Ok(texts.join(" "))
}

/// Returns a number per axis, finite or not.
fn list<'a>(
    name: &'a str,
    text: Option<&'a str>,
    count: usize,
) -> Result<Option<(Field<'a>, Vec<f64>)>, FormatError> {
    let Some(text) = text else { return Ok(None) };
    let field = Field { name, text };
    let numbers = field.any_numbers(' ')?;
    if numbers.len() != count {
        return Err(wrong(name, format!("for {} axes of {count}", numbers.len())));
    }
    Ok(Some((field, numbers)))
}

/// Sets spacing and directions from vectors.
fn vector_place(
    axes: &Axes,
    directions: &[Vector],
    signs: [f64; 3],
    units: &Units,
    spacing: &mut [f64; 3],
    header: &mut Header,
) -> Result<(), FormatError> {
    let name = "space directions";
    let mut unit_vectors = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for (i, direction) in directions[axes.x..][..axes.space_count].iter().enumerate() {
        let bad = || wrong(name, format!("{} for axis {}", shown(direction.as_deref()), axes.x + i + 1));
        let parts = direction.as_deref().and_then(|parts| in_space(parts, axes)).ok_or_else(bad)?;
        let mut parts = turned(parts, signs);
        for (j, part) in parts.iter_mut().enumerate() {
            *part = units.of_direction(axes.x + i, j).of(*part);
        }
        let [a, b, c] = parts;
        spacing[i] = (a * a + b * b + c * c).sqrt();
        if !spacing[i].is_normal() {
            return Err(bad());
        }
        unit_vectors[i] = parts.map(|part| part / spacing[i]);
    }
    if axes.space_count == 2 {
        let normal = cross(unit_vectors[0], unit_vectors[1]);
        let length = normal.iter().map(|part| part * part).sum::<f64>().sqrt();
        unit_vectors[2] = normal.map(|part| part / length);
    }
    Field { name, text: &all_shown(directions) }.check_span(unit_vectors)?;
    header.orientation.copy_from_slice(unit_vectors.as_flattened());
    match axes.frames.and_then(|axis| directions[axis].as_deref()) {
        None => {}
        Some(other @ &[0.0, 0.0, 0.0, step]) => {
            let text = shown(Some(other));
            header.frame_spacing = Field { name, text: &text }.duration(units.time.of(step))?;
        }
        Some(other) => return Err(wrong(name, format!("{} for the axis of time", shown(Some(other))))),
    }
    Ok(())
}

/// Returns the spatial part of a vector. A slice in a plane may have two numbers; a fourth number, for time,
/// must be 0.
fn in_space(vector: &[f64], axes: &Axes) -> Option<[f64; 3]> {
    match *vector {
        [a, b, c] | [a, b, c, 0.0] => Some([a, b, c]),
        [a, b] if axes.space_count == 2 => Some([a, b, 0.0]),
        _ => None,
    }
}

/// Conversion of numbers to millimetres and seconds.
struct Units {
    /// Scale of each axis of the array.
    axes: Vec<Scale>,
    /// Scale of each axis of the world.
    world: Option<Vec<Scale>>,
    time: Scale,
}

impl Units {
    fn of(place: &Place, axes: &Axes, count: usize, notes: &mut Vec<Note>) -> Result<Self, FormatError> {
        let own = place.units.as_deref().map(names);
        let world = place.space_units.as_deref().map(names);
        if let Some(names) = own.as_ref().filter(|names| names.len() != count) {
            return Err(wrong("units", format!("for {} axes of {count}", names.len())));
        }
        let dimension = axes.space_count + usize::from(axes.frames.is_some());
        // The world of a slice has two or three axes, that of frames three or four.
        if let Some(names) = world.as_ref().filter(|n| n.len() != dimension && n.len() != 3) {
            return Err(wrong("space units", format!("for {} axes of {dimension}", names.len())));
        }
        let own_of_space = own.as_ref().and_then(|names| names.get(axes.x..axes.x + axes.space_count));
        for (field, names) in [("units", own_of_space), ("space units", world.as_deref())] {
            let names = names.unwrap_or_default().iter().map(String::as_str);
            let pairs: Vec<_> = ["x", "y", "z"].into_iter().zip(names).collect();
            notes.extend(missing_units(field, &pairs).map(Note::Parts));
        }
        let mut scale_of = |field, name: &str, unit: Unit| {
            let unknown = Note::UnknownUnit { field, unit: short(name) };
            if unit == Unit::Unknown && !notes.contains(&unknown) {
                notes.push(unknown);
            }
            unit.scale()
        };
        let is_space = |axis: usize| (axes.x..axes.x + axes.space_count).contains(&axis);
        let scales = (0..count).map(|axis| match own.as_ref().map(|names| names[axis].as_str()) {
            Some(name) if is_space(axis) => scale_of("units", name, units::length(name)),
            _ => Scale::ONE,
        });
        let scales = scales.collect();
        let own_time = axes.frames.and_then(|axis| own.as_ref()?.get(axis)).filter(|name| !name.is_empty());
        let time = match (own_time, world.as_ref().and_then(|names| names.get(3))) {
            (Some(name), _) => scale_of("units", name, units::time(name)),
            (None, Some(name)) => scale_of("space units", name, units::time(name)),
            (None, None) => Scale::ONE,
        };
        let world = world.map(|names| {
            names.iter().take(3).map(|name| scale_of("space units", name, units::length(name))).collect()
        });
        Ok(Self { axes: scales, world, time })
    }

    fn of_axis(&self, axis: usize) -> Scale {
        self.axes[axis]
    }

    /// The unit of the thickness along an axis of space.
    fn of_thickness(&self, axis: usize) -> Result<Scale, FormatError> {
        match self.world.as_deref() {
            Some([first, rest @ ..]) if rest.iter().all(|scale| scale == first) => Ok(*first),
            Some([_, ..]) => Err(wrong("thicknesses", "in a space of different units".to_owned())),
            _ => Ok(self.axes[axis]),
        }
    }

    /// Returns the unit of part `j` of an axis' direction.
    fn of_direction(&self, axis: usize, j: usize) -> Scale {
        match &self.world {
            Some(world) => world.get(j).copied().unwrap_or(Scale::ONE),
            None => self.axes[axis],
        }
    }

    /// Returns the unit of part `j` of the origin. If the world has no units, all axes of space must have the
    /// same one.
    fn of_world(&self, axes: &Axes, j: usize) -> Result<Scale, FormatError> {
        match &self.world {
            Some(world) => Ok(world.get(j).copied().unwrap_or(Scale::ONE)),
            None => {
                let all = &self.axes[axes.x..][..axes.space_count];
                if all.iter().any(|scale| *scale != all[0]) {
                    return Err(wrong("units", "different along the axes of an origin".to_owned()));
                }
                Ok(all[0])
            }
        }
    }

    /// Keeps the units of the header: millimetres, or the name of an unknown unit.
    fn keep(place: &Place, axes: &Axes, others: &mut Map<String, Value>) {
        let (own, first) = (place.units.as_deref().map(names), axes.x);
        let Some((all, first)) =
            place.space_units.as_deref().map(|text| (names(text), 0)).or(own.map(|all| (all, first)))
        else {
            return;
        };
        let name = |j: usize| {
            let name = all.get(first + j).map(String::as_str);
            name.filter(|name| j < axes.space_count && units::length(name) == Unit::Unknown).unwrap_or("mm")
        };
        let text = format!("\"{}\" \"{}\" \"{}\"", name(0), name(1), name(2));
        others.insert("space units".to_owned(), text.into());
    }
}

/// Returns the names of units: quoted, or separated by white space, as some programs write them.
fn names(text: &str) -> Vec<String> {
    if text.contains('"') {
        return text.split('"').skip(1).step_by(2).map(str::to_owned).take(MAX_AXES + 1).collect();
    }
    text.split_whitespace().map(str::to_owned).take(MAX_AXES + 1).collect()
}

/// Returns a vector as headers write it.
fn shown(vector: Option<&[f64]>) -> String {
    let Some(vector) = vector else { return "none".to_owned() };
    let numbers: Vec<_> = vector.iter().map(f64::to_string).collect();
    format!("({})", numbers.join(","))
}

fn all_shown(vectors: &[Vector]) -> String {
    vectors.iter().map(|vector| shown(vector.as_deref())).collect::<Vec<_>>().join(" ")
}

/// Reads vectors that are separated by white space, which may also occur within them: `(1, 0, 0) none
/// (0,1,0)`.
fn vectors(field: Field<'_>) -> Result<Vec<Vector>, FormatError> {
    let mut rest = field.text.trim();
    let mut vectors = Vec::new();
    while !rest.is_empty() && vectors.len() <= MAX_AXES {
        let end = if rest.starts_with('(') { rest.find(')').map(|at| at + 1) } else { None };
        let end = end.or_else(|| rest.find(char::is_whitespace)).unwrap_or(rest.len());
        let (item, after) = rest.split_at(end);
        vectors.push(if item == "none" { None } else { Some(vector(field, item)?) });
        rest = after.trim_start();
    }
    Ok(vectors)
}

/// Reads a vector: `(a,b,c)`.
fn vector(field: Field<'_>, text: &str) -> Result<Vec<f64>, FormatError> {
    let inner = text.trim().strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let inner = inner.ok_or_else(|| field.refused(GeometryFault::NotANumber))?;
    let read = |part: &str| number(part).ok_or_else(|| field.refused(GeometryFault::NotANumber));
    inner.split(',').map(|part| field.finite(read(part)?)).collect()
}

/// Multiplies `vector` by [`space_signs`]. Zero keeps its sign.
pub(super) fn turned(vector: [f64; 3], signs: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| if vector[i] == 0.0 { vector[i] } else { vector[i] * signs[i] })
}
