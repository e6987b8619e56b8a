//! Syntax of the values of options about volumes.

use crate::failure::Failure;
use brickwork_formats::SliceFormat;
use brickwork_volume::{BrickSize, Dims, Profile, Region, VoxelType};

pub use brickwork_toolkit::volume::values::{outline, spacing, window};

/// Parses three numbers, separated by `x` or commas.
fn three<T: std::str::FromStr + Copy>(text: &str) -> Option<[T; 3]> {
    let numbers: Option<Vec<T>> = text.split(['x', ',']).map(|n| n.trim().parse().ok()).collect();
    numbers?.try_into().ok()
}

/// Parses `512x512x361`.
pub fn dims(text: &str) -> Result<Dims, String> {
    let [x, y, z] = three(text).ok_or("expected three sizes, such as 512x512x361")?;
    let dims = Dims::new(x, y, z);
    dims.byte_count(4).map_err(|error| error.to_string())?;
    Ok(dims)
}

/// Parses the name of a profile, such as `guthe2016`.
pub fn profile(text: &str) -> Result<Profile, String> {
    let found = Profile::ALL.iter().copied().find(|profile| profile.name() == text);
    found.ok_or_else(|| {
        format!(
            "expected one of {}",
            Profile::ALL.iter().map(|item| item.name()).collect::<Vec<_>>().join(", ")
        )
    })
}

/// Parses `png` or `tiff`.
pub fn slices(text: &str) -> Result<SliceFormat, String> {
    match text {
        "png" => Ok(SliceFormat::Png),
        "tif" | "tiff" => Ok(SliceFormat::Tiff),
        _ => Err("expected png or tiff".to_owned()),
    }
}

/// Value of `--brick`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brick {
    /// The size that gives the smallest file.
    Auto,
    /// The given size.
    Of(BrickSize),
}

/// Parses `auto`, `4`, `8` or `flat`.
pub fn brick(text: &str) -> Result<Brick, String> {
    match text {
        "auto" => Ok(Brick::Auto),
        "4" => Ok(Brick::Of(BrickSize::Four)),
        "8" => Ok(Brick::Of(BrickSize::Eight)),
        "flat" => Ok(Brick::Of(BrickSize::Flat)),
        _ => Err("expected auto, 4, 8 or flat".to_owned()),
    }
}

/// Start of a range, and its end if one is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part(pub usize, pub Option<usize>);

/// Parses the name of a type, such as `u16`, or another program's name for it, such as `uint16`.
pub fn voxel_type(text: &str) -> Result<VoxelType, String> {
    let name = match text.to_ascii_lowercase().as_str() {
        "uint8" | "uchar" | "byte" => "u8",
        "int8" | "schar" => "i8",
        "uint16" | "ushort" => "u16",
        "int16" | "short" => "i16",
        "uint32" | "uint" => "u32",
        "int32" | "int" => "i32",
        "uint64" => "u64",
        "int64" => "i64",
        "float16" | "half" => "f16",
        "float32" | "float" => "f32",
        "float64" | "double" => "f64",
        _ => text,
    };
    let found = VoxelType::ALL.iter().copied().find(|t| t.name() == name);
    found.ok_or_else(|| {
        format!(
            "expected one of {}",
            VoxelType::ALL.iter().map(|item| item.name()).collect::<Vec<_>>().join(", ")
        )
    })
}

/// Parses `10..20`, `10..`, `..` or `5`.
pub fn part(text: &str) -> Result<Part, String> {
    let parse = || {
        let text = text.trim();
        let Some((start, end)) = text.split_once("..") else {
            let index: usize = text.parse().ok()?;
            return Some(Part(index, Some(index.checked_add(1)?)));
        };
        let start = if start.is_empty() { 0 } else { start.parse().ok()? };
        Some(Part(start, if end.is_empty() { None } else { Some(end.parse().ok()?) }))
    };
    parse().ok_or_else(|| "expected from..to or an index, such as 10..20 or 5".into())
}

/// Range along each axis, before the volume's dims are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts([Part; 3]);

/// Parses three ranges, separated by commas.
pub fn parts(text: &str) -> Result<Parts, String> {
    let parts: Result<Vec<_>, _> = text.split(',').map(part).collect();
    let parts = parts.ok().and_then(|parts| parts.try_into().ok());
    parts.map(Parts).ok_or_else(|| "expected three ranges or indices, such as 10..20,0..64,5".into())
}

impl Parts {
    /// Returns the region of a volume of `dims`.
    ///
    /// # Errors
    /// [`Failure`] if it is empty or extends beyond the volume.
    pub fn region(&self, dims: Dims) -> Result<Region, Failure> {
        let part = |i: usize, side| {
            let Part(start, end) = self.0[i];
            start..end.unwrap_or(side)
        };
        let region = Region { x: part(0, dims.x), y: part(1, dims.y), z: part(2, dims.z) };
        region.check(dims).map_err(Failure::usage)?;
        Ok(region)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_volume::Spacing;

    #[test]
    fn regions_are_ranges_or_indices() {
        let dims = Dims::new(30, 64, 9);
        let region = parts("10..20,..,5").expect("a region").region(dims).expect("inside");
        assert_eq!(region, Region { x: 10..20, y: 0..64, z: 5..6 });
        assert!(parts("10..20,0..64,9").expect("a region").region(dims).is_err());
        for bad in ["", "1,2", "1,2,3,4", "a,1,1", "-1,1,1"] {
            assert!(parts(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn windows_have_two_ends() {
        assert_eq!((window("-2..3.5"), window("-2,3.5")), (Ok([-2.0, 3.5]), Ok([-2.0, 3.5])));
        for bad in ["3..2", "NaN..2", "1", "-inf..inf", "0..1e400"] {
            assert!(window(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn types_have_the_names_of_other_programs() {
        for &named in VoxelType::ALL {
            let name = named.name();
            let long = name.replace('u', "uint").replace('f', "float");
            let long = if name.starts_with('i') { name.replace('i', "int") } else { long };
            assert_eq!((voxel_type(name), voxel_type(&long)), (Ok(named), Ok(named)));
        }
        assert_eq!(voxel_type("Double"), Ok(VoxelType::F64));
        assert!(voxel_type("u128").is_err());
    }

    #[test]
    fn spacing_is_finite_and_above_zero() {
        assert_eq!(spacing("0.34,0.5,2"), Ok(Spacing { x: 0.34, y: 0.5, z: 2.0 }));
        for bad in ["0,1,1", "1,-1,1", "1,1,nan", "inf,1,1", "1,1e-320,1", "1,1"] {
            assert!(spacing(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn dims_are_three_counts() {
        assert_eq!(dims("512x512x361"), Ok(Dims::new(512, 512, 361)));
        assert_eq!(dims("512,512,361"), Ok(Dims::new(512, 512, 361)));
        for bad in ["512x512", "0x1x1", "axbxc", "99999999999x99999999999x1"] {
            assert!(dims(bad).is_err(), "{bad}");
        }
    }
}
