//! The volumes of a folder, each `NAME.raw.zst` or `NAME.raw` beside `NAME.json`.

use super::tiles;
use anyhow::{Context as _, Result, bail, ensure};
use brickwork_volume::{Dims, Voxel, VoxelKind};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A volume that was not read yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub name: String,
    pub dims: Dims,
    /// The type's name in NumPy.
    pub dtype: String,
    pub kind: VoxelKind,
    voxel_bytes: usize,
    path: PathBuf,
}

/// The voxels of a volume, x fastest.
pub enum Voxels {
    U8(Vec<u8>),
    U16(Vec<u16>),
    I16(Vec<i16>),
    F32(Vec<f32>),
}

/// A voxel that every codec written in Rust takes.
pub trait Sample: Voxel + pco::data_types::Number + Into<f64> {
    /// The type's name in NumPy.
    const DTYPE: &str;
}

impl Sample for u8 {
    const DTYPE: &str = "uint8";
}

impl Sample for u16 {
    const DTYPE: &str = "uint16";
}

impl Sample for i16 {
    const DTYPE: &str = "int16";
}

impl Sample for f32 {
    const DTYPE: &str = "float32";
}

/// Calls `$body` with `$slice` standing for the typed voxels.
macro_rules! with_voxels {
    ($voxels:expr, $slice:ident => $body:expr) => {
        match $voxels {
            $crate::volumes::volume::Voxels::U8($slice) => $body,
            $crate::volumes::volume::Voxels::U16($slice) => $body,
            $crate::volumes::volume::Voxels::I16($slice) => $body,
            $crate::volumes::volume::Voxels::F32($slice) => $body,
        }
    };
}
pub(super) use with_voxels;

/// Returns the volumes of `folder` by name: only `names`, unless there are none.
pub fn list(folder: &Path, names: &[String]) -> Result<Vec<Entry>> {
    let context = || format!("cannot read {}", folder.display());
    let mut entries = Vec::new();
    for file in fs::read_dir(folder).with_context(context)? {
        let path = file.with_context(context)?.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if names.is_empty() || names.contains(&name) {
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            entries.push(Entry::new(name, &text, &path).with_context(|| path.display().to_string())?);
        }
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    if let Some(name) = names.iter().find(|name| !entries.iter().any(|entry| entry.name == **name)) {
        bail!("{} has no volume {name}", folder.display());
    }
    ensure!(!entries.is_empty(), "{} has no volumes, NAME.raw.zst beside NAME.json", folder.display());
    Ok(entries)
}

impl Entry {
    /// Returns the volume that the sidecar at `path` describes; `json` is its text.
    fn new(name: String, json: &str, path: &Path) -> Result<Self> {
        let json: serde_json::Value = serde_json::from_str(json)?;
        let side = |i: usize| {
            let side = json["dims_xyz"][i].as_u64().and_then(|side| usize::try_from(side).ok());
            side.with_context(|| format!("dims_xyz[{i}] is missing"))
        };
        let dtype = json["dtype"].as_str().context("dtype is missing")?.to_owned();
        let voxel_bytes = match dtype.as_str() {
            u8::DTYPE => 1,
            u16::DTYPE | i16::DTYPE => 2,
            f32::DTYPE => 4,
            other => bail!("dtype {other} is none of uint8, uint16, int16, float32"),
        };
        ensure!(json["channels"].as_u64().unwrap_or(1) == 1, "volumes of one channel only");
        let dims = Dims::new(side(0)?, side(1)?, side(2)?);
        dims.byte_count(voxel_bytes)?;
        let (packed, raw) = (path.with_extension("raw.zst"), path.with_extension("raw"));
        let path = if !packed.exists() && raw.exists() { raw } else { packed };
        let is_labels = json["kind"].as_str().is_some_and(|kind| kind.starts_with("labels"));
        let kind = if is_labels { VoxelKind::Labels } else { VoxelKind::Intensity };
        Ok(Self { name, dims, dtype, kind, voxel_bytes, path })
    }

    pub fn byte_count(&self) -> usize {
        self.dims.x * self.dims.y * self.dims.z * self.voxel_bytes
    }

    /// Returns the raw bytes, least significant first.
    pub fn bytes(&self) -> Result<Vec<u8>> {
        let name = || self.path.display().to_string();
        let file = fs::read(&self.path).with_context(name)?;
        let bytes = match self.path.extension() == Some("zst".as_ref()) {
            true => zstd::decode_all(&file[..]).with_context(name)?,
            false => file,
        };
        let (have, need) = (bytes.len(), self.byte_count());
        ensure!(have == need, "{} holds {have} bytes, {} needs {need}", name(), self.dims);
        Ok(bytes)
    }

    pub fn read(&self) -> Result<Voxels> {
        self.voxels(self.bytes()?)
    }

    /// Returns copies of this volume side by side, of at most `byte_count` raw bytes, and their voxels. Each
    /// axis has the same number of copies; the last copies along z are cut off. A volume that has so many
    /// bytes itself is returned unchanged.
    pub fn read_tiled(&self, byte_count: u64) -> Result<(Self, Voxels)> {
        let one = self.byte_count() as u64;
        if one >= byte_count {
            return Ok((self.clone(), self.read()?));
        }
        let across = (2..).find(|across: &u64| one.saturating_mul(across.saturating_pow(3)) >= byte_count);
        let across = usize::try_from(across.context("too many copies")?)?;
        let tiled =
            Self { dims: tiles::dims(self.dims, self.byte_count(), across, byte_count)?, ..self.clone() };
        let mut bytes = Vec::with_capacity(tiled.byte_count());
        tiles::write(&self.bytes()?, self.dims, tiled.dims, &mut bytes)?;
        let voxels = tiled.voxels(bytes)?;
        Ok((tiled, voxels))
    }

    /// Returns raw bytes as voxels.
    fn voxels(&self, bytes: Vec<u8>) -> Result<Voxels> {
        ensure!(cfg!(target_endian = "little"), "raw volumes are read on little-endian machines only");
        Ok(match self.dtype.as_str() {
            u8::DTYPE => Voxels::U8(bytes),
            u16::DTYPE => Voxels::U16(bytemuck::pod_collect_to_vec(&bytes)),
            i16::DTYPE => Voxels::I16(bytemuck::pod_collect_to_vec(&bytes)),
            _ => Voxels::F32(bytemuck::pod_collect_to_vec(&bytes)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sidecars_are_read_and_faults_named() {
        let entry = |json| Entry::new("a".into(), json, Path::new("folder/a.json"));
        let good = entry(r#"{"dims_xyz": [3, 4, 5], "dtype": "uint16", "channels": 1}"#).unwrap();
        assert_eq!((good.dims, good.byte_count()), (Dims::new(3, 4, 5), 120));
        assert_eq!(good.path, Path::new("folder/a.raw.zst"));
        let fault = |json| entry(json).unwrap_err().to_string();
        assert!(fault(r#"{"dims_xyz": [3, 4], "dtype": "uint16"}"#).contains("dims_xyz[2]"));
        assert!(fault(r#"{"dims_xyz": [3, 4, 5], "dtype": "float64"}"#).contains("float64"));
        assert!(fault(r#"{"dims_xyz": [3, 4, 0], "dtype": "uint8"}"#).contains("zero"));
        assert!(fault(r#"{"dims_xyz": [3, 4, 5], "dtype": "uint8", "channels": 3}"#).contains("one channel"));
    }

    #[test]
    fn the_volumes_of_the_repository_are_found_by_name() {
        let folder = crate::paths::root().join("test-data/volumes");
        let names: Vec<_> = list(&folder, &[]).unwrap().into_iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["aal", "hydrogen_f32"]);
        let one = list(&folder, &["hydrogen_f32".into()]).unwrap();
        assert!(matches!(one[0].read().unwrap(), Voxels::F32(voxels) if voxels.len() == 64 * 64 * 64));
        assert!(list(&folder, &["bunnies".into()]).unwrap_err().to_string().contains("bunnies"));
    }

    #[test]
    fn a_tiled_volume_has_copies_along_each_axis() {
        let folder = crate::paths::root().join("test-data/volumes");
        let one = list(&folder, &["hydrogen_f32".into()]).unwrap().remove(0);
        let Voxels::F32(voxels) = one.read().unwrap() else { panic!("{}", one.dtype) };
        // One MiB each: eight copies, of which four have 32 slices.
        let (tiled, Voxels::F32(copies)) = one.read_tiled(6 << 20).unwrap() else { panic!("{}", one.dtype) };
        assert_eq!((tiled.dims, copies.len()), (Dims::new(128, 128, 96), 128 * 128 * 96));
        for (x, y, z) in [(0, 0, 0), (63, 5, 63), (64, 5, 63), (70, 127, 64), (127, 64, 95)] {
            let copy = copies[x + 128 * (y + 128 * z)];
            assert_eq!(
                copy.to_bits(),
                voxels[x % 64 + 64 * (y % 64 + 64 * (z % 64))].to_bits(),
                "{x} {y} {z}"
            );
        }
        let (same, _) = one.read_tiled(1 << 20).unwrap();
        assert_eq!(same, one);
    }
}
