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

#[test]
fn points_of_transfer_functions_are_physical() {
    let folder = folder();
    // A negative slope, too: the points change their order.
    let mha = folder.read("a.mha");
    let text = String::from_utf8_lossy(&mha[..mha.len() - 8]).replace("Slope = 2", "Slope = -2");
    folder.write("b.mha", &[text.as_bytes(), &mha[mha.len() - 8..]].concat());
    let write = |name: &str, field: &str, points: [(f64, &str, f64); 3]| {
        let points = points.map(|(value, color, opacity)| {
            format!(r#"{{ "value": {value}, "color": "{color}", "opacity": {opacity} }}"#)
        });
        folder.write(name, format!("{{ {field}\"points\": [{}] }}", points.join(", ")).as_bytes());
    };
    for (input, slope) in [("a.mha", 2.0), ("b.mha", -2.0)] {
        let points = [(-300.0, "#ff0000", 0.1), (350.0, "#00ff00", 0.5), (900.0, "#0000ff", 0.9)];
        let mut stored = points.map(|(value, color, opacity)| -> (f64, &str, f64) {
            ((value + 2048.0) / slope, color, opacity)
        });
        stored.sort_by(|a, b| a.0.total_cmp(&b.0));
        write("physical.json", r#""values": "physical", "#, points);
        write("plain.json", "", points);
        write("stored.json", r#""values": "stored", "#, stored);
        write("plain-stored.json", "", stored);
        let render = |file: &str, more: &[&str], is_noted: bool| {
            let words = ["volume", "render", input, "--transfer", file, "-o", "p.png", "--force"];
            let ran = folder.run(&[&words[..], &["--size", "32x32", "--device", "cpu"], more].concat());
            assert_eq!(ran.exit, Some(0), "{file}: {}", ran.stderr);
            assert_eq!(
                ran.stderr.contains("its field \"values\" states"),
                is_noted,
                "{file}: {}",
                ran.stderr
            );
            folder.read("p.png")
        };
        let want = render("physical.json", &[], false);
        assert!(render("plain.json", &[], true) == want && render("stored.json", &[], false) == want);
        assert!(render("plain-stored.json", &["--stored"], false) == want);
        assert!(render("physical.json", &["--stored"], false) == want);
        assert!(render("plain-stored.json", &[], true) != want);
    }
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
    // Letters of the patient's sides change the picture.
    assert!(slice(&["--axis", "z", "--marks"]).3 != slice(&["--axis", "z"]).3);
    // In a volume without a patient, nothing is up, and nothing is a millimetre without a spacing.
    folder.write("b.raw", voxels.as_flattened());
    let raw = ["--dims", "2x2x2", "--type", "i16", "-o", "a.bwv", "--force"];
    folder.run(&[&["volume", "encode", "b.raw"][..], &raw].concat()).ok();
    assert_eq!(slice(&["--axis", "y"]), (2, 2, None, vec![0, 0, 255, 255]));
    // Pixels of 200 nm.
    folder.run(&[&["volume", "encode", "b.raw", "--spacing", "200,200,200nm"][..], &raw].concat()).ok();
    assert_eq!(slice(&["--axis", "y"]).2, Some((5_000_000, 5_000_000)));
    let marked = folder.run(&["volume", "slice", "a.bwv", "--marks", "-o", "m.png"]);
    marked.fails(1, &["no directions to left, back and head are stated"]);
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

/// Pixels of a PNG, and the numbers per pixel.
fn pixels(png: &[u8]) -> (Vec<u8>, usize) {
    let mut png = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut pixels = vec![0; png.output_buffer_size().unwrap()];
    png.next_frame(&mut pixels).unwrap();
    (pixels, png.info().color_type.samples())
}

/// However a scan is stored, its slices look the same.
#[test]
fn planes_of_the_patient_do_not_depend_on_the_storage() {
    let folder = Folder::new();
    let voxel = |x: usize, y: usize, z: usize| (x * 50 + y * 10 + z) as u8;
    let header = |sizes: &str, directions: &str, origin: &str| {
        format!(
            "NRRD0005\ntype: uint8\ndimension: 3\nspace: LPS\nsizes: {sizes}\n\
             space directions: {directions}\nspace origin: {origin}\nencoding: raw\n\n"
        )
    };
    let mut axial = header("3 4 5", "(1,0,0) (0,2,0) (0,0,3)", "(0,0,0)").into_bytes();
    for z in 0..5 {
        axial.extend((0..4).flat_map(|y| (0..3).map(move |x| voxel(x, y, z))));
    }
    // Rows run to the back, columns down, slices to the right.
    let mut sagittal = header("4 5 3", "(0,2,0) (0,0,-3) (-1,0,0)", "(2,0,12)").into_bytes();
    for x in (0..3).rev() {
        sagittal.extend((0..5).rev().flat_map(|z| (0..4).map(move |y| voxel(x, y, z))));
    }
    folder.write("axial.nrrd", &axial);
    folder.write("sagittal.nrrd", &sagittal);
    for (axis, indices) in [("axial", ["1", "3"]), ("coronal", ["1", "1"]), ("sagittal", ["0", "2"])] {
        let slice = |name: &str, index: &str| {
            let words = ["volume", "slice", name, "--axis", axis, "--index", index, "-o", "s.png", "--force"];
            folder.run(&[&words[..], &["--window", "0..255"]].concat()).ok();
            pixels(&folder.read("s.png")).0
        };
        let (a, b) = (slice("axial.nrrd", indices[0]), slice("sagittal.nrrd", indices[1]));
        assert_eq!(a, b, "{axis}");
        let first = match axis {
            "axial" => voxel(0, 0, 1),
            "coronal" => voxel(0, 1, 4),
            _ => voxel(0, 0, 4),
        };
        assert_eq!(a[0], first, "{axis}");
    }
}

/// The window that a DICOM file states counts, and small values are white in MONOCHROME1.
#[test]
fn dicom_states_how_slices_look() {
    let folder = Folder::new();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../formats/test-data/trouble/w27_monochrome1/002.dcm");
    let one = std::fs::read(source).unwrap();
    let place = |bytes: &[u8]| one.windows(bytes.len()).position(|found| found == bytes).unwrap();
    let mut two = one.clone();
    two[place(b"MONOCHROME1") + 10] = b'2';
    let window =
        [&[0x28, 0, 0x50, 0x10][..], b"DS\x04\x00400 ", &[0x28, 0, 0x51, 0x10], b"DS\x04\x00201 "].concat();
    let at = place(&[0xe0, 0x7f, 0x10, 0]);
    let windowed = [&two[..at], &window, &two[at..]].concat();
    for (name, bytes) in [("one.dcm", &one), ("two.dcm", &two), ("windowed.dcm", &windowed)] {
        folder.write(name, bytes);
    }
    let slice = |name: &str, more: &[&str]| {
        let words = [&["volume", "slice", name, "-o", "s.png", "--force", "--json"][..], more].concat();
        let report = folder.run(&words).json();
        (pixels(&folder.read("s.png")).0, report["window"].clone())
    };
    let (dark, bright) = (slice("two.dcm", &[]).0, slice("one.dcm", &[]).0);
    assert!(dark.iter().zip(&bright).all(|(a, b)| a.abs_diff(255 - b) <= 1), "{dark:?} {bright:?}");
    assert!(dark.iter().max() == Some(&255) && dark.iter().min() == Some(&0));
    let (stated, window) = slice("windowed.dcm", &[]);
    assert_eq!(window, json!([299.5, 499.5]));
    assert_eq!(stated, slice("two.dcm", &["--window", "299.5,499.5"]).0);
}

/// Greys follow the sigmoid that a DICOM file states. Default windows and looks leave out its padding.
#[test]
fn sigmoids_and_padding_of_dicom_count() {
    let folder = Folder::new();
    let inputs = concat!(env!("CARGO_MANIFEST_DIR"), "/../formats/test-data/trouble/");
    for (from, to) in [("f31_sigmoid.dcm", "sigmoid"), ("f22_pixel_padding", "padding")] {
        folder.run(&["volume", "encode", &format!("{inputs}{from}"), "-o", &format!("{to}.bwv")]).ok();
        folder
            .run(&[
                "volume",
                "encode",
                &format!("{to}.bwv"),
                "--rescale",
                "-o",
                &format!("{to}2.bwv"),
                "--quiet",
            ])
            .ok();
    }
    folder.run(&["volume", "slice", "sigmoid.bwv", "--pixels", "-o", "s.png"]).ok();
    assert_eq!(pixels(&folder.read("s.png")).0[12..], [25, 45, 77, 119, 162, 199, 224, 238]);
    let words =
        ["volume", "slice", "sigmoid.bwv", "--window", "-160..240", "--pixels", "-o", "s.png", "--force"];
    folder.run(&words).ok();
    assert_eq!(pixels(&folder.read("s.png")).0[12..16], [0, 29, 74, 119]);
    for name in ["padding.bwv", "padding2.bwv"] {
        let window = folder.run(&["volume", "slice", name, "-o", "p.png", "--force", "--json"]).json();
        let [low, high] = [0, 1].map(|end| window["window"][end].as_f64().unwrap());
        assert!((-1020.0..-1015.0).contains(&low) && (55.0..=59.0).contains(&high), "{low} {high}");
        let words =
            ["volume", "render", name, "-o", "r.png", "--force", "--size", "32x24", "--device", "cpu"];
        let report = folder.run(&[&words[..], &["--json"]].concat()).json();
        assert_eq!(report["transfer"], "ct-skin", "{report}");
    }
}

/// Labels have the colours that a segmentation states.
#[test]
fn segments_have_their_colours() {
    let folder = Folder::new();
    let header = "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 4 1 1\nencoding: raw\n\
                  Segment0_ID:=a\nSegment0_Name:=liver\nSegment0_LabelValue:=7\nSegment0_Color:=1 0.5 0\n\n";
    folder.write("a.seg.nrrd", &[header.as_bytes(), &[0, 7, 7, 9]].concat());
    folder.run(&["volume", "encode", "a.seg.nrrd", "-o", "a.bwv"]).ok();
    for name in ["a.seg.nrrd", "a.bwv"] {
        let text = folder.run(&["volume", "slice", name, "-o", "s.png", "--force"]);
        assert!(text.ok().contains("labels"), "{text:?}");
        let (pixels, samples) = pixels(&folder.read("s.png"));
        assert_eq!((samples, &pixels[..9]), (3, &[0, 0, 0, 255, 128, 0, 255, 128, 0][..]), "{name}");
        assert!(pixels[9..] != [0; 3]);
        let info = folder.run(&["volume", "info", name]);
        assert!(info.ok().contains("7 liver"), "{info:?}");
    }
}

/// Options of `render` are physical values, as those of `slice`.
#[test]
fn renderings_take_physical_values() {
    let folder = Folder::new();
    let header = "ObjectType = Image\nNDims = 3\nDimSize = 8 8 8\nElementType = MET_USHORT\n\
                  ElementToIntensityFunctionSlope = -2\nElementToIntensityFunctionOffset = 2048\n\
                  ElementDataFile = LOCAL\n";
    let voxels: Vec<u8> = (0..512u16).flat_map(|i| (i % 8 * 200 + i / 64 * 60).to_le_bytes()).collect();
    folder.write("a.mha", &[header.as_bytes(), &voxels].concat());
    let render = |more: &[&str]| {
        let words =
            ["volume", "render", "a.mha", "-o", "p.png", "--force", "--size", "32x24", "--device", "cpu"];
        folder.run(&[&words[..], more].concat()).ok();
        folder.read("p.png")
    };
    let physical = render(&["--iso", "48"]);
    assert!(physical == render(&["--iso", "1000", "--stored"]));
    assert!(physical != render(&["--iso", "48", "--stored"]));
    let physical = render(&["--mode", "mip", "--window", "-400..1648"]);
    assert!(physical == render(&["--mode", "mip", "--window", "200,1224", "--stored"]));
}

/// Returns the path of a DICOM series of PET, whose slopes differ from slice to slice.
fn pet(name: &str) -> String {
    format!("{}/../formats/test-data/trouble/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks().0.iter().map(|float| f32::from_le_bytes(*float)).collect()
}

/// A ball, of which all slices have the same stored numbers: these are a cylinder.
#[test]
fn slopes_by_slice_count_in_renderings_and_levels() {
    let (folder, pet) = (Folder::new(), pet("f01_pet_slopes"));
    let info = folder.run(&["volume", "info", &pet]);
    let line = "  physical       stored × (0.00448695189 to 0.0305185095) + 0, by slice\n";
    assert!(info.ok().contains(line), "{info:?}");
    folder.run(&["volume", "encode", &pet, "-o", "a.bwv"]).ok();
    folder.run(&["volume", "convert", &pet, "--rescale", "-o", "physical.nrrd"]).ok();
    let render = |name: &str, more: &[&str]| {
        let words = ["volume", "render", name, "-o", "p.png", "--force", "--size", "32x24"];
        folder.run(&[&words[..], &["--device", "cpu"], more].concat()).ok();
        folder.read("p.png")
    };
    for more in [&["--mode", "mip"][..], &[], &["--iso", "400"], &["--mode", "mip", "--window", "0..500"]] {
        let physical = render("physical.nrrd", more);
        assert!(render(&pet, more) == physical && render("a.bwv", more) == physical, "{more:?}");
        if !more.contains(&"--iso") {
            assert!(render("a.bwv", &[more, &["--stored"]].concat()) != physical, "{more:?}");
        }
    }
    // Points of one kind cannot be turned into the other.
    for (kind, more) in [("stored", &[][..]), ("physical", &["--stored"])] {
        let points = r#"{ "value": 0, "color": "black", "opacity": 0 },
                        { "value": 400, "color": "white", "opacity": 1 }"#;
        folder.write("t.json", format!(r#"{{ "values": "{kind}", "points": [{points}] }}"#).as_bytes());
        let words = ["volume", "render", &pet, "-o", "t.png", "--size", "8x8", "--transfer", "t.json"];
        let ran = folder.run(&[&words[..], &["--force"], more].concat());
        ran.fails(1, &["transfer", "its values are", kind, "slopes differ by slice"]);
        let other = if more.is_empty() { &["--stored"][..] } else { &[] };
        folder.run(&[&words[..], &["--device", "cpu", "--force"], other].concat()).ok();
    }
    for [command, output] in [["encode", "b.bwv"], ["convert", "b.bwv"]] {
        let ran = folder.run(&["volume", command, &pet, "-o", output, "--levels", "2"]);
        ran.fails(5, &["slopes or intercepts differ from slice to slice", "--rescale"]);
    }
    folder.run(&["volume", "encode", &pet, "--rescale", "--levels", "2", "-o", "b.bwv"]).ok();
    folder.run(&["volume", "convert", "b.bwv", "--level", "1", "-o", "half.raw"]).ok();
    let half = floats(&folder.read("half.raw"));
    let largest = half.chunks(7 * 7).map(|slice| slice.iter().fold(0.0, |a: f32, b| a.max(*b)).round());
    assert_eq!(largest.take(6).collect::<Vec<_>>(), [195.0, 496.0, 833.0, 924.0, 677.0, 328.0]);
}

/// Two frames of three slices, each with its own slope.
#[test]
fn frames_of_slices_have_their_own_slopes() {
    let (folder, pet) = (Folder::new(), pet("f02_pet_dynamic_slopes"));
    // A note names the field by which frames differ.
    folder.run(&["volume", "encode", &pet, "-o", "a.bwv", "--quiet"]).ok();
    for name in [&pet, "a.bwv"] {
        let ran = folder.run(&["volume", "convert", name, "--rescale", "-o", "a.raw", "--force"]);
        assert!(!ran.stderr.contains("neither slope"), "{ran:?}");
        assert_eq!(ran.exit, Some(0), "{ran:?}");
        let firsts: Vec<f32> = floats(&folder.read("a.raw")).chunks(20).map(|slice| slice[0]).collect();
        assert_eq!(firsts, [0.0, 75.0, 200.0, 450.0, 700.0, 1000.0]);
        let info = folder.run(&["volume", "info", name]);
        let text = info.text();
        assert!(text.contains("  physical       stored × (0.5 to 2) + 0, by slice\n"), "{text}");
        assert!(text.contains("  frames         60 s apart\n"), "{text}");
    }
    folder.run(&["volume", "convert", "a.bwv", "--rescale", "-o", "physical.nrrd", "--quiet"]).ok();
    let picture = |words: &[&str], name: &str| {
        let words = [&["volume"], words, &[name, "-o", "p.png", "--force", "--quiet"]].concat();
        folder.run(&words).ok();
        folder.read("p.png")
    };
    for frame in ["0", "1"] {
        for index in ["0", "2"] {
            let slice = ["slice", "--frame", frame, "--index", index, "--window", "0..1000"];
            let physical = picture(&slice, "physical.nrrd");
            assert!([&pet, "a.bwv"].map(|name| picture(&slice, name) == physical) == [true; 2], "{slice:?}");
        }
        let render = ["render", "--frame", frame, "--size", "32x24", "--device", "cpu", "--mode", "mip"];
        let physical = picture(&render, "physical.nrrd");
        assert!([&pet, "a.bwv"].map(|name| picture(&render, name) == physical) == [true; 2], "{render:?}");
    }
}

/// A slice that takes more memory than allowed is refused before it is read.
#[test]
fn planes_of_a_patient_need_known_directions() {
    let folder = Folder::new();
    folder.write("a.raw", &[7; 24]);
    let slice = ["volume", "slice", "a.raw", "--dims", "2x3x4", "--type", "u8", "-o", "s.png", "--axis"];
    for axis in ["axial", "coronal", "sagittal"] {
        let ran = folder.run(&[&slice[..], &[axis]].concat());
        assert_eq!(ran.exit, Some(1), "{ran:?}");
        ran.says(&["a.raw", "choose axis x, y or z, without marks"]);
    }
    folder.run(&[&slice[..], &["y"]].concat()).ok();
}

#[test]
fn slices_of_bwv_files_keep_to_the_limit() {
    let folder = Folder::new();
    folder.write("a.raw", &[7; 512 * 512]);
    folder.run(&["volume", "encode", "a.raw", "--dims", "512x512x1", "--type", "u8", "-o", "a.bwv"]).ok();
    let slice = ["volume", "slice", "a.bwv", "-o", "s.png", "--max-memory"];
    folder.run(&[&slice[..], &["1MiB"]].concat()).fails(4, &["a.bwv: takes 5767168 bytes"]);
    folder.run(&[&slice[..], &["8MiB"]].concat()).ok();
    // In true proportions a row of voxels is 1000 rows of pixels.
    let flat = ["volume", "encode", "a.raw", "--dims", "512x512x1", "--type", "u8", "--spacing", "1x1x1000"];
    folder.run(&[&flat[..], &["-o", "b.bwv"]].concat()).ok();
    let slice = ["volume", "slice", "b.bwv", "--axis", "x", "-o", "t.png", "--max-memory"];
    folder.run(&[&slice[..], &["1MiB"]].concat()).fails(4, &["b.bwv: takes 1545728 bytes"]);
    folder.run(&[&slice[..], &["2MiB"]].concat()).ok();
}
