//! Copies a Zarr array by windows, in part of its chunks: `copy_zarr FROM TO`. The folders are read and
//! written as a whole. The tests of the Python package compare the copies of its arrays.

use std::{
    error::Error,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};
use zarrs::{
    array::{Array, ArrayBytes, ArraySubset},
    storage::{
        ListableStorageTraits as _, ReadableStorageTraits as _, StoreKey, WritableStorageTraits as _,
        store::MemoryStore,
    },
};
use zarrs_brickwork as _;

/// Sides of a window along the last three axes. No chunk has such sides.
const SIDES: [u64; 3] = [40, 27, 50];

fn main() -> Result<(), Box<dyn Error>> {
    let folders: Vec<OsString> = std::env::args_os().skip(1).collect();
    let [from, to] = &folders[..] else { return Err("usage: copy_zarr FROM TO".into()) };
    let (source, target) = (Arc::new(MemoryStore::new()), Arc::new(MemoryStore::new()));
    load(Path::new(from), Path::new(from), &source)?;
    let from = Array::open(source, "/")?;
    let copy = Array::new_with_metadata(target.clone(), "/", from.metadata().clone())?;
    copy.store_metadata()?;
    for window in windows(from.shape()) {
        let voxels: ArrayBytes<'static> = from.retrieve_array_subset(&window)?;
        copy.store_array_subset(&window, voxels)?;
    }
    save(&target, &PathBuf::from(to))
}

/// Returns windows that cover an array.
fn windows(shape: &[u64]) -> Vec<ArraySubset> {
    let mut corners = vec![Vec::new()];
    let sides: Vec<u64> = (0..shape.len()).map(|axis| side(axis, shape.len())).collect();
    for (&length, &side) in shape.iter().zip(&sides) {
        let along = |corner: &Vec<u64>| {
            let corner = corner.clone();
            (0..length).step_by(side as usize).map(move |at| [&corner[..], &[at]].concat())
        };
        corners = corners.iter().flat_map(along).collect();
    }
    let window = |corner: &Vec<u64>| {
        let ranges: Vec<_> =
            (0..shape.len()).map(|axis| corner[axis]..shape[axis].min(corner[axis] + sides[axis])).collect();
        ArraySubset::new_with_ranges(&ranges)
    };
    corners.iter().map(window).collect()
}

/// Returns the side of windows along an axis.
fn side(axis: usize, axes: usize) -> u64 {
    (axis + 3).checked_sub(axes).map_or(1, |last| SIDES[last])
}

/// Reads the files of a folder.
fn load(folder: &Path, root: &Path, store: &MemoryStore) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            load(&path, root, store)?;
        } else {
            let parts: Vec<_> = path.strip_prefix(root)?.iter().map(|part| part.to_string_lossy()).collect();
            store.set(&StoreKey::new(parts.join("/"))?, fs::read(&path)?.into())?;
        }
    }
    Ok(())
}

/// Writes the files of a folder.
fn save(store: &MemoryStore, folder: &Path) -> Result<(), Box<dyn Error>> {
    for key in store.list()? {
        let path = folder.join(key.as_str());
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, store.get(&key)?.unwrap_or_default())?;
    }
    Ok(())
}
