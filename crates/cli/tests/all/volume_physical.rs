//! Physical values: shown, used by windows, applied on request, and never lost in silence.

use crate::common::Folder;
use serde_json::json;

/// A slice of 4×1 u16, of which 1024 is 0 HU.
fn folder() -> Folder {
    let folder = Folder::new();
    let header = "ObjectType = Image\nNDims = 3\nDimSize = 4 1 1\nElementType = MET_USHORT\n\
                  ElementToIntensityFunctionSlope = 2\nElementToIntensityFunctionOffset = -2048\n\
                  ElementDataFile = LOCAL\n";
    let voxels = [0u16, 1024, 1224, 4095].map(u16::to_le_bytes);
    folder.write("a.mha", &[header.as_bytes(), voxels.as_flattened()].concat());
    folder.run(&["volume", "encode", "a.mha"]).ok();
    folder
}

#[test]
fn info_and_windows_know_physical_values() {
    let folder = folder();
    let info = folder.run(&["volume", "info", "a.bwv"]);
    assert!(info.ok().contains("  physical       stored × 2 − 2048\n"), "{info:?}");
    let info = folder.run(&["volume", "info", "a.bwv", "--json"]).json();
    assert_eq!(info["rescale"], json!({ "slope": 2.0, "intercept": -2048.0, "unit": null }));
    let ran = folder.run(&["volume", "slice", "a.bwv", "-o", "all.png", "--json"]).json();
    assert_eq!((&ran["window"], &ran["unit"]), (&json!([-2048.0, 6142.0]), &json!(null)));
    // 0 to 400 is 1024 to 1224 as stored: black, black, white, white.
    folder.run(&["volume", "slice", "a.bwv", "--window", "0,400", "-o", "window.png"]).ok();
    folder.run(&["volume", "encode", "a.mha", "--rescale", "-o", "b.bwv"]).ok();
    folder.run(&["volume", "slice", "b.bwv", "--window", "0,400", "-o", "rescaled.png"]).ok();
    assert!(folder.read("window.png") == folder.read("rescaled.png"));
    folder.run(&["volume", "slice", "a.bwv", "--window", "0,401", "-o", "other.png"]).ok();
    assert!(folder.read("window.png") != folder.read("all.png"));
    let info = folder.run(&["volume", "info", "b.bwv", "--json"]).json();
    assert_eq!((&info["voxel_type"], &info["rescale"]), (&json!("i16"), &json!(null)));
}

/// Two slices of 2×2 i16, the upper one bright, 1 mm apart along x, 2 along y and 4 along z.
#[test]
fn slices_have_true_proportions_and_the_head_up() {
    let folder = Folder::new();
    let header = "ObjectType = Image\nNDims = 3\nDimSize = 2 2 2\nElementType = MET_SHORT\n\
                  ElementSpacing = 1 2 4\nAnatomicalOrientation = RAI\nElementDataFile = LOCAL\n";
    let voxels = [0i16, 0, 0, 0, 500, 500, 500, 500].map(i16::to_le_bytes);
    folder.write("a.mha", &[header.as_bytes(), voxels.as_flattened()].concat());
    folder.run(&["volume", "encode", "a.mha"]).ok();
    let slice = |more: &[&str]| {
        let words = [&["volume", "slice", "a.bwv", "-o", "s.png", "--force", "--json"][..], more].concat();
        let report = folder.run(&words).json();
        let mut png = png::Decoder::new(std::io::Cursor::new(folder.read("s.png"))).read_info().unwrap();
        let mut pixels = vec![0; png.output_buffer_size().unwrap()];
        png.next_frame(&mut pixels).unwrap();
        let size = png.info().pixel_dims.map(|dims| (dims.xppu, dims.yppu));
        assert_eq!(
            (report["width"].as_u64(), report["height"].as_u64()),
            (Some(png.info().width.into()), Some(png.info().height.into()))
        );
        (png.info().width, png.info().height, size, pixels)
    };
    let (width, height, size, pixels) = slice(&["--axis", "y"]);
    assert_eq!((width, height, size), (2, 8, Some((1000, 1000))));
    // Four pixels of each slice, mixed between their centres; the head is up.
    assert_eq!(pixels.chunks(2).map(|row| row[0]).collect::<Vec<_>>(), [255, 255, 223, 159, 96, 32, 0, 0]);
    let (width, height, size, pixels) = slice(&["--axis", "y", "--pixels"]);
    assert_eq!((width, height, size, pixels), (2, 2, Some((1000, 250)), vec![0, 0, 255, 255]));
    let (width, height, size, _) = slice(&["--axis", "x"]);
    assert_eq!((width, height, size), (2, 4, Some((500, 500))));
    let (width, height, ..) = slice(&["--axis", "z"]);
    assert_eq!((width, height), (2, 4));
    // In a volume without a patient, nothing is up, and nothing is a millimetre.
    folder.write("b.raw", voxels.as_flattened());
    let raw = ["--dims", "2x2x2", "--type", "i16", "-o", "a.bwv", "--force"];
    folder.run(&[&["volume", "encode", "b.raw"][..], &raw].concat()).ok();
    assert_eq!(slice(&["--axis", "y"]), (2, 2, None, vec![0, 0, 255, 255]));
}

#[test]
fn physical_values_are_applied_or_said_to_be_lost() {
    let folder = folder();
    let values = [-2048i16, 0, 400, 6142].map(i16::to_le_bytes).as_flattened().to_vec();
    for words in ["convert a.mha", "convert a.bwv", "decode a.bwv", "extract a.bwv --region ..,..,.."] {
        let words: Vec<&str> = ["volume"].into_iter().chain(words.split(' ')).collect();
        folder.run(&[&words[..], &["--rescale", "-o", "a.raw", "--force"]].concat()).ok();
        assert!(folder.read("a.raw") == values, "{words:?}");
        for (name, what) in [("b.nrrd", "NRRD"), ("b.vti", "VTI"), ("b.raw", "raw voxels")] {
            let ran = folder.run(&[&words[..], &["-o", name, "--force"]].concat());
            assert_eq!((ran.exit, ran.stderr.lines().count()), (Some(0), 1), "{ran:?}");
            let lost = format!("{what} cannot hold the rescale slope 2 and intercept -2048");
            ran.says(&["brickwork: note: ", words[2], &lost, "--rescale"]);
            folder.run(&[&words[..], &["-o", name, "--force", "--quiet"]].concat()).ok();
        }
    }
    // These formats hold it.
    for name in ["c.nii", "c.nii.gz", "c.mha", "c.bwv"] {
        folder.run(&["volume", "convert", "a.bwv", "-o", name]).ok();
        folder.run(&["volume", "convert", name, "--rescale", "-o", "c.raw", "--force"]).ok();
        assert!(folder.read("c.raw") == values, "{name}");
    }
    let ran = folder.run(&["volume", "convert", "b.nrrd", "--rescale", "-o", "d.nrrd"]);
    assert_eq!(ran.exit, Some(0));
    ran.says(&["note: b.nrrd: neither slope nor intercept is known"]);
}
