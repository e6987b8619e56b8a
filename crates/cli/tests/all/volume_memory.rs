//! Memory of `brickwork volume`: limits, and what happens without enough of it.

use crate::common::{Folder, Ran};

/// 256×256×64 u8, a slab of which is 512 KiB with flat bricks, 2 MiB with those of 4×4×4, 4 with 8×8×8.
const SHAPE: [&str; 4] = ["--dims", "256x256x64", "--type", "u8"];

fn folder() -> Folder {
    let folder = Folder::new();
    let voxels: Vec<u8> = (0..256u32 * 256 * 64).map(|i| (i.wrapping_mul(i) >> 9) as u8).collect();
    folder.write("a.raw", &voxels);
    folder
}

#[test]
fn slabs_shrink_to_the_limit_or_are_refused() {
    let folder = folder();
    let encode = |more: &[&str]| {
        let words =
            [&["volume", "encode", "a.raw", "-o", "a.bwv", "--force", "--json"], &SHAPE[..], more].concat();
        folder.run(&words)
    };
    for (limit, sides) in [("2MiB", [4, 4, 4]), ("2047K", [16, 16, 1]), ("512K", [16, 16, 1])] {
        let report = encode(&["--max-memory", limit]).json();
        let brick = report["brick"].clone();
        let slab_fits = |brick: &serde_json::Value| *brick == serde_json::json!(sides);
        // The sample may prefer the flat one of two sizes that fit.
        assert!(slab_fits(&brick) || brick == serde_json::json!([16, 16, 1]), "{limit}: {brick}");
        folder.run(&[&["volume", "compare", "a.bwv", "a.raw"][..], &["--exact"]].concat()).ok();
    }
    std::fs::remove_file(folder.path("a.bwv")).unwrap();
    for (more, need) in [(["--brick", "8"], 4 << 20), (["--brick", "4"], 2 << 20)] {
        let ran = encode(&[&more[..], &["--max-memory", "1M"]].concat());
        let need = format!(
            "takes {need} bytes of memory, more than the 1048576 allowed (raise it with --max-memory)"
        );
        ran.fails(4, &["a.raw", &need]);
    }
    encode(&["--max-memory", "511K"]).fails(4, &["takes 524288 bytes"]);
    let convert = [&["volume", "convert", "a.raw", "-o", "b.nrrd"], &SHAPE[..]].concat();
    let said = "--brick, --levels and --labels are for .bwv and .ozx files and .zarr folders";
    folder.run(&[&convert[..], &["--brick", "4"]].concat()).fails(1, &[said]);
    assert_eq!(folder.names(), ["a.raw"]);
}

/// A meta element of a short file that says it has four gigabytes.
#[test]
fn dicom_elements_are_no_longer_than_the_file() {
    let folder = Folder::new();
    let mut file =
        [vec![0; 128], b"DICM\x02\0\x10\0UN\0\0\xF0\xFF\xFF\xFF1.2.840.10008.1.2.1\0".to_vec()].concat();
    file.resize(1300, 0);
    folder.write("a.dcm", &file);
    let ran = folder.run(&["volume", "encode", "a.dcm"]);
    ran.fails(3, &["a.dcm: the file has 1300 bytes, expected 4294967424"]);
}

/// CRC-32C, bit by bit.
#[cfg(target_os = "linux")]
fn crc32c(parts: &[&[u8]]) -> u32 {
    !parts.concat().iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| crc >> 1 ^ if crc & 1 == 1 { 0x82f6_3b78 } else { 0 })
    })
}

/// A file of four million chunks of one value (docs/volume-format.md), most of which is the index.
#[cfg(target_os = "linux")]
#[test]
fn chunks_are_verified_in_little_memory() {
    const CHUNKS: usize = 2000;
    let folder = Folder::new();
    folder.write("a.raw", &[0; 32 * 32 * 32]);
    let encode = "volume encode a.raw --dims 32x32x32 --type u8 --brick 4 -o a.bwv";
    folder.run(&encode.split(' ').collect::<Vec<_>>()).ok();
    let file = folder.read("a.bwv");
    let number = |at: usize| u32::from_le_bytes(*file[at..].first_chunk().unwrap()) as usize;
    let mut header = file[..184 + number(176)].to_vec();
    let sides = [32 * CHUNKS as u64, 32 * CHUNKS as u64, 32];
    header[16..40].copy_from_slice(sides.map(u64::to_le_bytes).as_flattened());
    let crc = crc32c(&[&header[..180], &header[184..]]).to_le_bytes();
    header[180..184].copy_from_slice(&crc);
    let mut index = vec![0; 8];
    index.extend((header.len() as u64).to_le_bytes());
    index.resize(8 + 16 + 10 * CHUNKS * CHUNKS, 0);
    let mut footer = [header.len() as u64, index.len() as u64].map(u64::to_le_bytes).concat();
    footer.extend(crc32c(&[&index]).to_le_bytes());
    footer.extend(crc32c(&[&crc, &footer]).to_le_bytes());
    footer.extend(b"BWV end\n");
    folder.write("b.bwv", &[header, index, footer].concat());
    // The limit is for data: the size of the program's code depends on the profile.
    let script = "ulimit -d 180000; \"$0\" volume verify b.bwv --threads 2";
    let ran = Ran::of(folder.shell(script).output().unwrap());
    assert_eq!(ran.ok(), "b.bwv: sound, 4000000 chunks\n");
}

/// Slabs of 4 GiB where the system gives 1.5.
#[cfg(target_os = "linux")]
#[test]
fn without_enough_memory_a_failure_is_reported_and_no_file_is_left() {
    let folder = Folder::new();
    let encode = "volume encode - --dims 16384x16384x16 --type u8 --brick 4 --threads 1 -o a.bwv";
    let script = format!("ulimit -v 1500000; head -c 4294967296 /dev/zero | \"$0\" {encode}");
    let ran = Ran::of(folder.shell(&script).output().unwrap());
    ran.fails(4, &["standard input: 4294967296 bytes of memory are not available"]);
    assert!(folder.names().is_empty());
}
