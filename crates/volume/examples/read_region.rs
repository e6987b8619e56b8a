//! Reads the middle slice of a `.bwv` file of `u16` voxels: `cargo run --example read_region -- FILE`

use brickwork_volume::{Region, Task, VolumeFile, VolumeReadError};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test-data/bwv/u16.bwv");

fn middle_slice(path: &str) -> Result<String, VolumeReadError> {
    let file = VolumeFile::open(path)?;
    let middle = file.dims().z / 2;
    let region = Region { z: middle..middle + 1, ..Region::all(file.dims()) };
    let voxels: &[u16] = &file.read(&region, &Task::new())?;
    let mean = voxels.iter().map(|&voxel| f64::from(voxel)).sum::<f64>() / voxels.len() as f64;
    Ok(format!("{} voxels at {region}, their mean is {mean:.3}", voxels.len()))
}

fn main() -> Result<(), VolumeReadError> {
    println!("{}", middle_slice(std::env::args().nth(1).as_deref().unwrap_or(FILE))?);
    Ok(())
}

#[test]
fn it_reads_the_slice() {
    assert_eq!(middle_slice(FILE).unwrap(), "273 voxels at 0..21,0..13,4..5, their mean is 9444.158");
}
