//! Statistics of volumes and labels.

use crate::common::Folder;
use serde_json::{Value, json};

/// A slice of 4×1 u16 with the values 0 to 3 times 100 HU, a pixel 2 mm wide, and its labels.
fn folder() -> Folder {
    let folder = Folder::new();
    let header = "ObjectType = Image\nNDims = 3\nDimSize = 4 1 1\nElementType = MET_USHORT\n\
                  ElementSpacing = 2 1 3\nElementToIntensityFunctionSlope = 2\n\
                  ElementToIntensityFunctionOffset = -2048\nElementDataFile = LOCAL\n";
    let voxels = [1024u16, 1074, 1124, 1174].map(u16::to_le_bytes);
    folder.write("a.mha", &[header.as_bytes(), voxels.as_flattened()].concat());
    folder.run(&["volume", "encode", "a.mha"]).ok();
    folder.write("labels.raw", &[0, 7, 7, 1]);
    folder.line("volume encode labels.raw --dims 4x1x1 --type u8 --labels -o labels.bwv").ok();
    folder
}

#[test]
fn values_are_physical_or_stored() {
    let folder = folder();
    for name in ["a.mha", "a.bwv"] {
        let report = folder.run(&["volume", "stats", name, "--percentiles", "0,50,90", "--json"]).json();
        let values = &report["parts"][0]["values"];
        assert_eq!(
            (&values["minimum"], &values["maximum"], &values["mean"], &values["count"]),
            (&json!(0.0), &json!(300.0), &json!(150.0), &json!(4))
        );
        // (150² + 50²) · 2 / 4
        assert_eq!(values["deviation"], json!(12_500f64.sqrt()));
        let percentiles = json!([
            { "percent": 0.0, "value": 0.0 },
            { "percent": 50.0, "value": 150.0 },
            { "percent": 90.0, "value": 270.0 }
        ]);
        assert_eq!(values["percentiles"], percentiles);
        let stored = folder.run(&["volume", "stats", name, "--stored", "--json"]).json();
        assert_eq!(stored["parts"][0]["values"]["mean"], json!(1099.0));
    }
    let text = folder.line("volume stats a.bwv --percentiles 50 --histogram 3 --range 0..300");
    let lines: Vec<_> = text.ok().lines().collect();
    assert_eq!(lines[0], "a.bwv  4×1×1 u16");
    assert_eq!(lines[3..6], ["  maximum        300", "  mean           150", "  deviation      111.8034"]);
    assert_eq!(lines[6], "  50 %           150");
    let bar = "█".repeat(20);
    assert_eq!(lines[8..10], [format!("    0             1  {bar}"), format!("  100             1  {bar}")]);
}

#[test]
fn labels_have_places_and_values() {
    let folder = folder();
    let words = ["volume", "stats", "a.bwv", "--labels", "labels.bwv", "--percentiles", "none", "--json"];
    let report = folder.run(&words).json();
    let labels = report["parts"][0]["labels"].as_array().expect("labels");
    let at = |index: usize, key: &str| labels[index][key].clone();
    assert_eq!((at(0, "label"), at(1, "label"), at(1, "voxel_count")), (json!(1), json!(7), json!(2)));
    assert_eq!((at(1, "volume_mm3"), at(1, "region")), (json!(12.0), json!([[1, 3], [0, 1], [0, 1]])));
    assert_eq!((at(1, "centroid"), at(1, "position")), (json!([1.5, 0.0, 0.0]), json!([3.0, 0.0, 0.0])));
    assert_eq!(labels[1]["values"]["mean"], json!(150.0));
    let own = folder.run(&["volume", "stats", "labels.bwv", "--json"]).json();
    assert_eq!(own["parts"][0]["labels"][1]["voxel_count"], json!(2));
    assert_eq!(own["parts"][0]["labels"][1]["values"], Value::Null);
    let text = folder.line("volume stats a.bwv --labels labels.bwv --percentiles 50");
    let text = text.ok();
    assert!(text.contains("label  voxels  mm³  region"), "{text}");
    assert!(text.contains("    7       2   12  1..3,0..1,0..1"), "{text}");
}

#[test]
fn pipes_and_threads_give_the_same_numbers() {
    let folder = Folder::new();
    let floats: Vec<u8> = (0..60_000u32).flat_map(|i| ((i * 7919 % 60_000) as f32).to_le_bytes()).collect();
    folder.write("a.raw", &floats);
    folder.line("volume convert a.raw --dims 40x50x30 --type f32 -o a.nrrd").ok();
    let expected = folder.line("volume stats a.nrrd --json --threads 1").json()["parts"].clone();
    // 0 to 59999, of which the median is 29999.5.
    assert_eq!(expected[0]["values"]["percentiles"][3]["value"], json!(29_999.5));
    assert_eq!(folder.line("volume stats a.nrrd --json --threads 3").json()["parts"], expected);
    let piped = folder.run_with(&["volume", "stats", "-", "--json"], &folder.read("a.nrrd"));
    assert_eq!(piped.json()["parts"], expected);
    // One pass.
    let report = folder.line("volume stats a.nrrd --percentiles none --histogram 2 --range 0..30000 --json");
    assert_eq!(report.json()["parts"][0]["histogram"]["counts"], json!([15_000, 15_001]));
}

#[test]
fn what_does_not_fit_is_named() {
    let folder = folder();
    folder.write("other.raw", &[1; 6]);
    folder.line("volume convert other.raw --dims 3x2x1 --type u8 -o other.nrrd").ok();
    let said = ["other.nrrd, a.bwv", "the labels have 3×2×1 voxels, the volume 4×1×1"];
    folder.line("volume stats a.bwv --labels other.nrrd").fails(1, &said);
    folder.write("half.raw", 0.5f32.to_le_bytes().repeat(4).as_slice());
    folder.line("volume convert half.raw --dims 4x1x1 --type f32 -o half.nrrd").ok();
    folder.line("volume stats a.bwv --labels half.nrrd").fails(3, &["half.nrrd", "0.5 at 0, 0, 0"]);
    folder.line("volume stats a.bwv --frame 3").fails(1, &["a.bwv", "frame 3: the volume has only frame 0"]);
    folder.line("volume stats a.bwv --level 1").fails(1, &["a.bwv", "level 1"]);
    folder.line("volume stats a.bwv --histogram 0").fails(1, &["1 to 1048576 bins"]);
    folder.line("volume stats a.bwv --labels -").fails(1, &["--labels"]);
}

#[test]
fn labels_elsewhere_are_noted() {
    let folder = folder();
    let header = "ObjectType = Image\nNDims = 3\nDimSize = 4 1 1\nElementType = MET_UCHAR\n\
                  ElementSpacing = 2 1 3\nOffset = 0 5 0\nElementDataFile = LOCAL\n";
    folder.write("moved.mha", &[header.as_bytes(), &[1, 1, 0, 0]].concat());
    let ran = folder.line("volume stats a.bwv --labels moved.mha");
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("moved.mha") && ran.stderr.contains("5.000 mm"), "{ran:?}");
}
