//! The volumes of a folder, each `NAME.raw.zst` beside `NAME.json`.

use brickwork_volume::{Dims, VoxelKind};
use std::{env, fs, path::PathBuf};

/// Raw bytes of a volume, and the fields of its sidecar.
pub struct Volume {
    pub name: String,
    pub dims: Dims,
    /// `uint8`, `uint16` or `float32`.
    pub voxel_type: String,
    pub kind: VoxelKind,
    pub bytes: Vec<u8>,
}

/// Returns the volumes that the command line names: a folder, then names; all volumes if there are no names.
pub fn volumes() -> impl Iterator<Item = Volume> {
    let mut arguments = env::args().skip(1);
    let folder = PathBuf::from(arguments.next().expect("a folder"));
    let wanted: Vec<String> = arguments.collect();
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("a folder")
        .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".json")?.to_owned()))
        .filter(|name| wanted.is_empty() || wanted.contains(name))
        .collect();
    names.sort();
    names.into_iter().map(move |name| {
        let path = folder.join(&name);
        let json = fs::read(path.with_extension("json")).expect("a sidecar");
        let json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
        let side = |i: usize| json["dims_xyz"][i].as_u64().expect("dims") as usize;
        let is_labels = json["kind"].as_str().is_some_and(|kind| kind.starts_with("labels"));
        let packed = fs::File::open(path.with_extension("raw.zst")).expect("the volume");
        Volume {
            name,
            dims: Dims::new(side(0), side(1), side(2)),
            voxel_type: json["dtype"].as_str().expect("a type").to_owned(),
            kind: if is_labels { VoxelKind::Labels } else { VoxelKind::Intensity },
            bytes: zstd::decode_all(packed).expect("zstd"),
        }
    })
}
