//! Zarr folders as inputs and outputs of `brickwork volume`.

use crate::common::Folder;
use brickwork_base::testing;
use serde_json::json;
use std::fs;

/// A folder with a volume of 40×20×30 u16 as `a.nrrd`.
fn folder() -> Folder {
    let folder = Folder::new();
    let voxels = (0..40 * 20 * 30u32).flat_map(|i| ((i % 40 * 90 + i / 800 * i % 61) as u16).to_le_bytes());
    folder.write("a.raw", &voxels.collect::<Vec<_>>());
    folder.line("volume convert a.raw --dims 40x20x30 --type u16 --spacing 0.5,0.5,0.5 -o a.nrrd").ok();
    folder
}

#[test]
fn zarr_folders_are_volumes_like_others() {
    let folder = folder();
    folder.line("volume encode a.nrrd --levels 2").ok();
    let written = folder.line("volume convert a.nrrd -o a.zarr --levels 2 --chunk 16x16x16 --shard 32x32x32");
    assert!(written.ok().starts_with("a.nrrd → a.zarr  40×20×30 u16  "), "{written:?}");
    assert_eq!(folder.names(), ["a.bwv", "a.nrrd", "a.raw", "a.zarr"]);
    let info = folder.line("volume info a.zarr --json").json();
    assert_eq!((&info["format"], &info["dims"]), (&json!("zarr"), &json!([40, 20, 30])));
    assert_eq!(info["levels"], json!(2));
    let shown = folder.line("volume info a.zarr");
    let text = shown.ok();
    assert!(text.contains("  levels         2, the smallest 20×10×15\n"), "{text}");
    assert!(text.contains("  spacing        0.5, 0.5, 0.5 mm\n"), "{text}");
    assert_eq!((&info["spacing"], &info["files"]), (&json!([0.5, 0.5, 0.5]), &json!(6)));
    let zarr = &info["metadata"]["zarr"];
    assert_eq!(
        (&zarr["levels"], &zarr["chunk"]),
        (&json!([[30, 20, 40], [15, 10, 20]]), &json!([16, 16, 16]))
    );
    assert_eq!((&zarr["axes"], &zarr["sharded"]), (&json!(["z", "y", "x"]), &json!(true)));
    assert!(folder.line("volume info a.zarr").ok().contains("  format         Zarr, 6 files\n"));
    assert_eq!(folder.line("volume verify a.zarr").ok(), "a.zarr: sound, 14 chunks\n");
    folder.line("volume compare a.nrrd a.zarr --exact").ok();
    // A mip level, from both.
    folder.line("volume decode a.bwv --level 1 -o b.nrrd").ok();
    folder.line("volume convert a.zarr --level 1 -o c.nrrd").ok();
    folder.line("volume encode a.bwv --level 1 -o d.bwv").ok();
    for name in ["c.nrrd", "d.bwv"] {
        folder.run(&["volume", "compare", "b.nrrd", name, "--exact"]).ok();
    }
    for verb in ["render --size 32x24", "slice"] {
        for name in ["a.bwv", "a.zarr"] {
            folder.line(&format!("volume {verb} {name} --level 1 -o {name}.png --force")).ok();
            let png = folder.read(&format!("{name}.png"));
            assert!(png == folder.read("a.bwv.png"), "{verb} {name}");
        }
    }
}

/// z is kept until x and y have reached its spacing. Slices are means of four voxels.
#[test]
fn levels_of_anisotropic_volumes() {
    let folder = Folder::new();
    let voxels: Vec<u16> = (0..8 * 6 * 4u32).map(|i| (i * i % 997) as u16).collect();
    folder.write("a.raw", &voxels.iter().flat_map(|voxel| voxel.to_le_bytes()).collect::<Vec<_>>());
    let spacing = "--dims 8x6x4 --type u16 --spacing 0.0002,0.0002,0.001";
    folder.line(&format!("volume convert a.raw {spacing} -o a.ome.zarr --levels 4")).ok();
    let info = folder.line("volume info a.ome.zarr --json").json();
    let levels = json!([[4, 6, 8], [4, 3, 4], [4, 2, 2], [2, 1, 1]]);
    assert_eq!(info["metadata"]["zarr"]["levels"], levels);
    folder.line("volume convert a.ome.zarr --level 1 -o b.nrrd").ok();
    let mean = |index: usize| {
        let (x, y, z) = (index % 4 * 2, index / 4 % 3 * 2, index / 12);
        let sum: u32 = [(0, 0), (1, 0), (0, 1), (1, 1)]
            .into_iter()
            .map(|(right, down)| u32::from(voxels[(z * 6 + y + down) * 8 + x + right]))
            .sum();
        ((sum + 2) / 4) as u16
    };
    let means: Vec<u8> = (0..48).flat_map(|index| mean(index).to_le_bytes()).collect();
    assert!(folder.read("b.nrrd").ends_with(&means));
    let info = folder.line("volume info b.nrrd --json").json();
    assert_eq!((&info["dims"], &info["spacing"]), (&json!([4, 3, 4]), &json!([0.0004, 0.0004, 0.001])));
    assert_eq!(info["origin"], json!([0.0001, 0.0001, 0.0]));
    // The name without its whole extension.
    folder.line("volume encode a.ome.zarr").ok();
    assert_eq!(folder.names(), ["a.bwv", "a.ome.zarr", "a.raw", "b.nrrd"]);
    // Levels of .bwv files have half of all sides.
    folder.line("volume encode a.ome.zarr --levels 2 --force").ok();
    folder.line("volume decode a.bwv --level 1 -o c.nrrd").ok();
    assert_eq!(folder.line("volume info c.nrrd --json").json()["dims"], json!([4, 3, 2]));
}

/// An archive has the same volume, levels and faults as the folder.
#[test]
fn archives_are_volumes_like_folders() {
    let folder = folder();
    let chunks = "--levels 2 --chunk 16x16x16 --shard 32x32x32";
    folder.line(&format!("volume convert a.nrrd -o a.zarr {chunks}")).ok();
    let written = folder.line(&format!("volume convert a.nrrd -o a.ozx {chunks}"));
    assert!(written.ok().starts_with("a.nrrd → a.ozx  40×20×30 u16  "), "{written:?}");
    assert_eq!(folder.names(), ["a.nrrd", "a.ozx", "a.raw", "a.zarr"]);
    let [mut archive, plain] =
        ["a.ozx", "a.zarr"].map(|name| folder.line(&format!("volume info {name} --json")).json());
    let file_bytes = folder.read("a.ozx").len();
    assert_eq!((&archive["files"], &archive["file_bytes"]), (&json!(1), &json!(file_bytes)));
    for field in ["file", "files", "file_bytes"] {
        archive[field] = plain[field].clone();
    }
    assert_eq!(archive, plain);
    assert_eq!(folder.line("volume verify a.ozx").ok(), "a.ozx: sound, 14 chunks\n");
    folder.line("volume compare a.ozx a.nrrd --exact").ok();
    folder.line("volume encode a.ozx -o a.bwv").ok();
    folder.line("volume compare a.bwv a.nrrd --exact").ok();
    for name in ["a.zarr", "a.ozx"] {
        folder.line(&format!("volume convert {name} --level 1 -o {name}.nrrd")).ok();
        folder.line(&format!("volume render {name} --size 32x24 --level 1 -o {name}.png")).ok();
    }
    assert!(folder.read("a.ozx.nrrd") == folder.read("a.zarr.nrrd"));
    assert!(folder.read("a.ozx.png") == folder.read("a.zarr.png"));
    // Under another name, and from a pipe.
    fs::copy(folder.path("a.ozx"), folder.path("b.zip")).unwrap();
    folder.line("volume compare b.zip a.nrrd --exact").ok();
    let piped = folder.run_with(&["volume", "convert", "-", "-o", "c.nrrd"], &folder.read("a.ozx"));
    piped.ok();
    assert!(folder.read("c.nrrd").ends_with(&folder.read("a.raw")));
    let render = ["volume", "render", "-", "--size", "32x24", "--level", "1", "-o", "c.png"];
    folder.run_with(&render, &folder.read("a.ozx")).ok();
    assert!(folder.read("c.png") == folder.read("a.zarr.png"));
    // The whole file or nothing, and replaced only by request.
    folder.line("volume convert a.nrrd -o a.ozx").fails(2, &["a.ozx", "--force"]);
    folder.line("volume convert a.nrrd -o a.ozx --force").ok();
    folder.line("volume convert a.nrrd -o d.ozx --max-memory 1K").fails(4, &["raise it with --max-memory"]);
    assert!(!folder.path("d.ozx").exists());
    // Mistakes.
    let other = ["a.ozx: is of the format zarr, not a .bwv file", "`brickwork volume encode a.ozx`"];
    folder.line("volume extract a.ozx --region 0,0,0 -o c.nrrd").fails(3, &other);
    let mut bytes = folder.read("b.zip");
    bytes.truncate(bytes.len() - 100);
    folder.write("b.ozx", &bytes);
    folder.line("volume info b.ozx").fails(3, &["b.ozx: central directory: is missing", "cut off"]);
    folder.line("volume verify b.ozx").fails(3, &["b.ozx: central directory: is missing", "cut off"]);
    folder.write("c.zip", b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    folder.line("volume info c.zip").fails(5, &["c.zip: a ZIP archive without zarr.json"]);
    folder.line("volume info c.zip --dims 22x1x1 --type u8").ok();
}

#[test]
fn damage_is_found_and_named() {
    let folder = folder();
    folder.line("volume convert a.nrrd -o a.zarr").ok();
    let chunk = "a.zarr/0/c/0/0/0";
    let mut bytes = folder.read(chunk);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    folder.write(chunk, &bytes);
    let words = ["a.zarr: 0/c/0/0/0: ", "codec brickwork: "];
    folder.line("volume verify a.zarr").fails(3, &words);
    folder.line("volume convert a.zarr -o b.nrrd").fails(3, &words);
    fs::remove_file(folder.path(chunk)).unwrap();
    assert_eq!(folder.line("volume verify a.zarr").ok(), "a.zarr: sound, 1 chunk, 1 not stored\n");
    let json = folder.line("volume verify a.zarr --json").json();
    assert_eq!((json["chunks"].as_u64(), json["missing"].as_u64()), (Some(1), Some(1)));
    fs::remove_file(folder.path("a.zarr/0/zarr.json")).unwrap();
    folder.line("volume info a.zarr").fails(3, &["a.zarr: 0: is a dataset of multiscales, but not an array"]);
    assert_eq!(folder.names(), ["a.nrrd", "a.raw", "a.zarr"]);
}

#[test]
fn mistakes_are_explained() {
    let folder = folder();
    let chunks = "--chunk and --shard are for .zarr folders and .ozx files";
    folder.line("volume convert a.nrrd -o b.nrrd --chunk 8x8x8").fails(1, &[chunks]);
    let shards = "volume convert a.nrrd -o b.zarr --chunk 16x16x16 --shard 24x16x16";
    folder.line(shards).fails(1, &["shards of 24×16×16 do not consist of whole chunks of 16×16×16"]);
    folder.line("volume convert a.nrrd -o b.zarr --profile guthe2016").fails(1, &["--profile is for .bwv"]);
    folder.line("volume convert a.nrrd -o b.zarr --max-memory 1K").fails(4, &["raise it with --max-memory"]);
    assert_eq!(folder.names(), ["a.nrrd", "a.raw"]);
    folder.line("volume convert a.nrrd -o b.zarr").ok();
    folder.line("volume convert a.nrrd -o b.zarr --force").fails(2, &["b.zarr", "not empty"]);
    folder
        .line("volume convert b.zarr --level 1 -o c.nrrd")
        .fails(1, &["b.zarr: level 1: the volume has only level 0"]);
    folder
        .line("volume convert a.nrrd --level 1 -o c.nrrd")
        .fails(1, &["a.nrrd: level 1: the volume has only level 0"]);
    let other = ["b.zarr: is of the format zarr, not a .bwv file", "`brickwork volume encode b.zarr`"];
    folder.line("volume extract b.zarr --region 0,0,0 -o c.nrrd").fails(3, &other);
    folder.line("volume info none.zarr").fails(2, &["none.zarr"]);
    folder.write("b.zarr/zarr.json", br#"{"zarr_format": 3, "node_type": "group"}"#);
    let group = ["a Zarr group without multiscales (its members: 0)", "such as b.zarr/0"];
    folder.line("volume info b.zarr").fails(5, &group);
    folder.line("volume compare b.zarr/0 a.nrrd --exact").ok();
}

#[test]
fn arrays_of_zarr_python_are_read() {
    let Some(python) = testing::python("zarr.codecs, numcodecs, numpy") else { return };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/zarr_peer.py");
    let folder = Folder::new();
    let path = folder.path("");
    let output = python(&[script, env!("CARGO_BIN_EXE_brickwork"), path.to_str().unwrap()]);
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    println!("{said}");
}
