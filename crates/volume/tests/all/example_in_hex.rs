//! The example of docs/volume-format.md, byte for byte.

use crate::slow_decoder;
use brickwork_volume::{BwvOptions, Dims, Header, Task, VolumeView, VoxelType, encode};

const DIMS: Dims = Dims::new(8, 4, 4);

fn voxels() -> Vec<u8> {
    let voxel = |i| {
        let (x, y, z) = DIMS.position(i);
        let more = if (x, y, z) == (6, 2, 1) { 5 } else { 0 };
        if x < 4 { 7 } else { (20 + 3 * x + y * y + z + more) as u8 }
    };
    (0..8 * 4 * 4).map(voxel).collect()
}

/// Returns the bytes of the table in a section of a specification.
pub fn printed(text: &str, section: &str) -> Vec<u8> {
    let (_, example) = text.split_once(section).expect("the section");
    let (example, _) = example.split_once("\n## ").expect("a section after it");
    let mut bytes = Vec::new();
    for row in example.lines().filter(|line| line.matches('|').count() == 4) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let Ok(at) = cells[1].parse::<usize>() else { continue };
        assert_eq!(at, bytes.len(), "{row}");
        bytes.extend(cells[2].split(' ').map(|byte| u8::from_str_radix(byte, 16).expect("hex")));
    }
    bytes
}

/// Returns the bytes of the specification's example.
fn example() -> Vec<u8> {
    printed(include_str!("../../../../docs/volume-format.md"), "## 8. An example")
}

#[test]
fn the_example_of_the_specification_is_what_is_written() {
    let mut file = Vec::new();
    let voxels = voxels();
    let view = VolumeView::new(&voxels, DIMS).expect("the right length");
    encode(view, &Header::new(VoxelType::U8, DIMS), &BwvOptions::default(), &mut file, &Task::new())
        .expect("memory");
    let printed = example();
    let differs = file.iter().zip(&printed).position(|(byte, printed)| byte != printed);
    assert!(file == printed, "from byte {differs:?} on; written is {file:02X?}");
}

#[test]
fn the_example_of_the_specification_holds_what_it_says() {
    let volume = slow_decoder::decode(&example());
    assert!(volume.levels[0].iter().copied().eq(voxels().into_iter().map(u64::from)));
}
