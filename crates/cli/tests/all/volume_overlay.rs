//! Labels over slices and renderings.

use crate::common::Folder;
use serde_json::json;
use std::io::Cursor;

/// A volume of 4×2×1 u8, and labels 1 and 2 of the same dims.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.raw", &[0, 100, 200, 255, 0, 100, 200, 255]);
    folder.line("volume convert a.raw --dims 4x2x1 --type u8 -o a.nrrd").ok();
    // Colours as 3D Slicer states them: label 1 is (255, 0, 102).
    let header = "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 4 2 1\nencoding: raw\n\
                  Segment0_LabelValue:=1\nSegment0_Name:=one\nSegment0_Color:=1 0 0.4\n\n";
    folder.write("labels.nrrd", &[header.as_bytes(), &[1, 1, 2, 0, 0, 1, 0, 0]].concat());
    folder
}

pub fn pixels(folder: &Folder, name: &str) -> Vec<[u8; 3]> {
    let mut png = png::Decoder::new(Cursor::new(folder.read(name))).read_info().unwrap();
    let mut pixels = vec![0; png.output_buffer_size().unwrap()];
    png.next_frame(&mut pixels).unwrap();
    pixels.as_chunks::<3>().0.to_vec()
}

#[test]
fn slices_mix_the_colours_of_labels() {
    let folder = folder();
    let slice = "volume slice a.nrrd --window 0..255 --overlay labels.nrrd --overlay-opacity 0.25";
    let report = folder.line(&format!("{slice} --overlay-labels 1 -o a.png --json")).json();
    assert_eq!((&report["overlay"], &report["window"]), (&json!("labels.nrrd"), &json!([0.0, 255.0])));
    // A quarter of (255, 0, 102), three quarters of the grey.
    let want = [[64, 0, 26], [139, 75, 101], [200; 3], [255; 3], [0; 3], [139, 75, 101], [200; 3], [255; 3]];
    assert_eq!(pixels(&folder, "a.png"), want);
    folder.line(&format!("{slice} -o b.png --quiet")).ok();
    let both = pixels(&folder, "b.png");
    assert!(both[2] != [200; 3] && both[..2] == want[..2] && both[3..] == want[3..], "{both:?}");
    // All of label 2, and the pixels of label 1 beside others.
    folder.line(&format!("{slice} --overlay-outline 1 -o c.png --quiet")).ok();
    assert_eq!(pixels(&folder, "c.png"), both);
}

#[test]
fn renderings_show_labels_inside_the_volume() {
    let folder = Folder::new();
    let (mut voxels, mut labels) = (vec![0u8; 16 * 16 * 16], vec![0u8; 16 * 16 * 16]);
    for (i, (voxel, label)) in voxels.iter_mut().zip(&mut labels).enumerate() {
        let middle =
            |from: usize, to: usize| [i % 16, i / 16 % 16, i / 256].iter().all(|at| (from..to).contains(at));
        *voxel = if middle(3, 13) { 200 } else { 0 };
        *label = if middle(6, 10) { 5 } else { 0 };
    }
    folder.write("a.raw", &voxels);
    folder.write("labels.raw", &labels);
    folder.line("volume encode a.raw --dims 16x16x16 --type u8").ok();
    folder.line("volume convert labels.raw --dims 16x16x16 --type u8 -o labels.nii").ok();
    let render = |more: &str, name: &str| {
        let words = format!("volume render a.bwv --iso 100 --size 33x33 -o {name} --json {more}");
        let report = folder.line(words.trim()).json();
        (report["overlay"].clone(), pixels(&folder, name))
    };
    let (none, plain) = render("", "a.png");
    let (overlay, covered) = render("--overlay labels.nii --overlay-opacity 1", "b.png");
    assert_eq!((none, overlay), (json!(null), json!("labels.nii")));
    let changed: Vec<usize> = (0..33 * 33).filter(|&i| plain[i] != covered[i]).collect();
    // The middle has the label's colour, and only an inner part changed.
    assert!(changed.contains(&(16 * 33 + 16)) && changed.len() < 33 * 33 / 4, "{}", changed.len());
    let (_, half) = render("--overlay labels.nii", "c.png");
    for i in changed {
        for channel in 0..3 {
            let mean = (f32::from(plain[i][channel]) + f32::from(covered[i][channel])) / 2.0;
            assert!((f32::from(half[i][channel]) - mean).abs() <= 0.5, "{i}");
        }
    }
    assert_eq!(render("--overlay labels.nii --overlay-labels 1-4,6", "d.png").1, plain);
}

#[test]
fn what_does_not_fit_is_named() {
    let folder = folder();
    folder.write("b.raw", &[1; 6]);
    folder.line("volume convert b.raw --dims 3x2x1 --type u8 -o b.nrrd").ok();
    // A file whose header is right, and whose chunk before index and footer is not.
    folder.line("volume encode labels.nrrd --labels -o damaged.bwv").ok();
    let mut damaged = folder.read("damaged.bwv");
    let chunk = damaged.len() - 74;
    damaged[chunk] ^= 255;
    folder.write("damaged.bwv", &damaged);
    // The labels without an extension, which names of images may lack, too.
    folder.write("labels", &folder.read("labels.nrrd"));
    for verb in ["slice", "render"] {
        let said = ["b.nrrd, a.nrrd", "the overlay has 3×2×1 voxels, the volume 4×2×1"];
        folder.line(&format!("volume {verb} a.nrrd --overlay b.nrrd -o o.png")).fails(1, &said);
        let over = format!("volume {verb} a.nrrd --overlay labels -o labels --force");
        folder.line(&over).fails(2, &["labels: is an input file too"]);
        let lost = format!("volume {verb} a.nrrd --overlay lost.nrrd -o o.png");
        folder.line(&lost).fails(2, &["lost.nrrd: "]);
        let failed = folder.line(&format!("volume {verb} a.nrrd --overlay damaged.bwv -o o.png"));
        assert!(failed.stderr.contains("error: damaged.bwv: chunk 0 "), "{failed:?}");
        assert_eq!(failed.exit, Some(3), "{failed:?}");
    }
    // 8 voxels of 43 bytes, 8 pixels of 38.
    let limited = folder.line("volume slice a.nrrd --overlay labels.nrrd -o o.png --max-memory 400");
    limited.fails(4, &["a.nrrd", "648 bytes", "400"]);
    folder.line("volume slice a.nrrd --overlay - -o o.png").fails(1, &["--overlay"]);
    let said = folder.line("volume slice a.nrrd --overlay labels.nrrd --overlay-labels 0 -o o.png");
    assert!(said.exit == Some(1) && said.stderr.contains("1,3,7-9"), "{said:?}");
    let inputs = ["a.nrrd", "a.raw", "b.nrrd", "b.raw", "damaged.bwv", "labels", "labels.nrrd"];
    assert_eq!(folder.names(), inputs);
}

/// Voxels of labels as little-endian numbers of a type.
fn numbers(labels: &[f64], voxel_type: &str) -> Vec<u8> {
    let bytes = |&label: &f64| match voxel_type {
        "u8" | "i8" => vec![label as i16 as u8],
        "u16" | "i16" => (label as i32 as u16).to_le_bytes().to_vec(),
        "u32" | "i32" => (label as i64 as u32).to_le_bytes().to_vec(),
        "u64" | "i64" => (label as i64).to_le_bytes().to_vec(),
        "f32" => (label as f32).to_le_bytes().to_vec(),
        _ => label.to_le_bytes().to_vec(),
    };
    labels.iter().flat_map(bytes).collect()
}

/// A folder with a volume of 8×8×8 voxels of value 100, and labels 7 and 100 in a type, as `labels.nrrd` and
/// `labels.bwv`.
fn of_type(voxel_type: &str, change: impl Fn(usize, f64) -> f64) -> Folder {
    let folder = Folder::new();
    folder.write("a.raw", &(0..512).map(|i| (i % 8 * 30) as u8).collect::<Vec<_>>());
    folder.line("volume encode a.raw --dims 8x8x8 --type u8").ok();
    let labels: Vec<f64> = (0..512).map(|i| change(i, if i % 8 < 4 { 7.0 } else { 100.0 })).collect();
    folder.write("labels.raw", &numbers(&labels, voxel_type));
    let shape = format!("--dims 8x8x8 --type {voxel_type}");
    folder.line(&format!("volume convert labels.raw {shape} -o labels.nrrd")).ok();
    folder.line(&format!("volume encode labels.raw {shape} --labels -o labels.bwv")).ok();
    folder
}

#[test]
fn labels_have_one_colour_in_every_type() {
    let mut found = Vec::new();
    for voxel_type in ["u8", "i8", "u16", "i16", "u32", "i32", "f32", "u64", "i64", "f64"] {
        let folder = of_type(voxel_type, |_, label| label);
        let render = "--size 33x33 --device cpu --force --quiet -o";
        folder.line(&format!("volume render a.bwv --overlay labels.nrrd {render} a.png")).ok();
        folder
            .line(&format!("volume render a.bwv --overlay labels.bwv --overlay-labels 7 {render} b.png"))
            .ok();
        folder.line(&format!("volume render labels.bwv {render} c.png")).ok();
        folder.line("volume slice labels.bwv --quiet -o d.png").ok();
        let all = ["a.png", "b.png", "c.png", "d.png"].map(|name| pixels(&folder, name));
        // (The colour of label 7 in renderings is darker by its lighting.)
        let [red, green, blue] = all[3][0].map(f64::from);
        let is_of_seven = |&[r, g, b]: &[u8; 3]| {
            let lit = f64::from(g) / green;
            lit > 0.3 && (f64::from(r) - lit * red).abs() < 2.0 && (f64::from(b) - lit * blue).abs() < 2.0
        };
        assert!(all[2].iter().filter(|pixel| is_of_seven(pixel)).count() > 50, "{voxel_type}");
        found.push((voxel_type, all));
    }
    for (voxel_type, all) in &found[1..] {
        assert!(*all == found[0].1, "{voxel_type}");
    }
}

#[test]
fn what_is_no_label_is_refused_everywhere() {
    for (voxel_type, number, reason) in [
        ("f32", 0.5, "the label 0.5 at 3, 2, 4 is not an integer"),
        ("f64", 0.5, "the label 0.5 at 3, 2, 4 is not an integer"),
        ("i16", -1.0, "the label -1 at 3, 2, 4 is negative"),
        ("i64", -1.0, "the label -1 at 3, 2, 4 is negative"),
    ] {
        let folder = of_type(voxel_type, |i, label| if i == 4 * 64 + 2 * 8 + 3 { number } else { label });
        let render = "--size 33x33 --device cpu -o";
        for words in [
            format!("render a.bwv --overlay labels.nrrd {render} a.png"),
            format!("render labels.bwv {render} a.png"),
            format!("render labels.nrrd --labels {render} a.png"),
            "slice a.bwv --index 4 --overlay labels.bwv -o a.png".to_owned(),
            "slice labels.bwv --index 4 -o a.png".to_owned(),
        ] {
            folder.line(&format!("volume {words}")).fails(3, &["labels.", reason]);
        }
        let stats = folder.line("volume stats a.bwv --labels labels.nrrd");
        // (Negative labels can be measured.)
        if number < 0.0 {
            stats.ok();
        } else {
            stats.fails(3, &["labels.nrrd", reason]);
        }
    }
}

#[test]
fn absent_labels_are_noted() {
    let folder = of_type("u8", |_, label| label);
    let choices = [("7,9", "label 9 is not in"), ("1-3,9,90-100", "labels 1-3, 9 are not in")];
    for (choice, note) in choices {
        let options = format!("a.bwv --overlay labels.nrrd --overlay-labels {choice} --force -o a.png");
        let slice = folder.line(&format!("volume slice {options}"));
        slice.says(&[&format!("labels.nrrd: {note} this slice of the overlay")]);
        let render = folder.line(&format!("volume render {options} --size 33x33 --device cpu"));
        render.says(&[&format!("labels.nrrd: {note} the volume of the overlay")]);
    }
    let none = folder.line("volume slice a.bwv --overlay labels.nrrd --overlay-labels 7 --force -o a.png");
    assert!(!none.stderr.contains("note"), "{none:?}");
}
