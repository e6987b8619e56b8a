//! `brickwork volume`.

use crate::common::{Folder, test_data};

/// The raw voxels of the labels in test-data, 181×217×181 u8.
fn labels() -> Vec<u8> {
    let packed = std::fs::read(test_data("volumes/aal.raw.zst")).unwrap();
    zstd::decode_all(packed.as_slice()).unwrap()
}

const LABELS: [&str; 4] = ["--dims", "181x217x181", "--type", "u8"];

#[test]
fn a_volume_goes_there_and_back() {
    let folder = Folder::new();
    let raw = labels();
    folder.write("a.raw", &raw);
    let mut words = vec!["volume", "encode", "a.raw"];
    words.extend(LABELS);
    let ran = folder.run(&words);
    assert!(ran.ok().starts_with("a.raw → a.bwv  181×217×181 u8"));
    assert!(ran.ok().contains("bricks of 8×8×8, the smallest of a sample: 4×4×4 0."), "{ran:?}");
    folder.run(&words).fails(2, &["a.bwv: already exists", "--force"]);
    words.extend(["--threads", "2", "-o"]);
    for (brick, name) in [("4", "4.bwv"), ("8", "8.bwv"), ("flat", "flat.bwv"), ("auto", "auto.bwv")] {
        folder.run(&[&words[..], &[name, "--brick", brick]].concat()).ok();
    }
    assert!(folder.read("auto.bwv") == folder.read("a.bwv") && folder.read("8.bwv") == folder.read("a.bwv"));
    assert!(folder.read("8.bwv").len() < folder.read("4.bwv").len());
    for file in ["4.bwv", "8.bwv", "flat.bwv"] {
        assert!(folder.run(&["volume", "verify", file]).ok().contains("sound"));
        folder.run(&["volume", "decode", file, "-o", "back.raw", "--force"]).ok();
        assert!(folder.read("back.raw") == raw);
        let ran = folder.run(&["volume", "decode", file, "-o", "-", "--quiet"]);
        assert!(ran.exit == Some(0) && ran.stdout == raw);
    }
}

#[test]
fn nrrd_and_metaimage_keep_what_they_say() {
    let folder = Folder::new();
    folder.write("a.raw", &labels());
    let mut words = vec!["volume", "encode", "a.raw", "--spacing", "1,2,0.5"];
    words.extend(LABELS);
    folder.run(&words).ok();
    for name in ["b.nrrd", "b.mha"] {
        folder.run(&["volume", "decode", "a.bwv", "-o", name]).ok();
        let bwv = format!("{name}.bwv");
        folder.run(&["volume", "encode", name, "-o", &bwv]).ok();
        let info = folder.run(&["volume", "info", &bwv, "--json"]).json();
        assert_eq!(info["spacing"], serde_json::json!([1.0, 2.0, 0.5]), "{name}");
        assert_eq!(info["dims"], serde_json::json!([181, 217, 181]), "{name}");
        folder.run(&["volume", "decode", &bwv, "-o", "back.raw", "--force"]).ok();
        assert!(folder.read("back.raw") == labels(), "{name}");
    }
    // A separate header and voxels, the most significant byte first.
    folder.write("be.raw", &[0, 1, 0, 2, 255, 254]);
    let header = "NDims = 3\nDimSize = 3 1 1\nElementByteOrderMSB = True\nElementType = MET_SHORT\n\
                  ElementDataFile = be.raw\n";
    folder.write("be.mhd", header.as_bytes());
    folder.run(&["volume", "encode", "be.mhd"]).ok();
    folder.run(&["volume", "decode", "be.bwv", "-o", "le.raw"]).ok();
    assert_eq!(folder.read("le.raw"), [1, 0, 2, 0, 254, 255]);
}

#[test]
fn parts_and_slices() {
    let folder = Folder::new();
    let raw: Vec<u8> = (0..20 * 10 * 5).map(|i| (i % 251) as u8).collect();
    folder.write("a.raw", &raw);
    folder.run(&["volume", "encode", "a.raw", "--dims", "20x10x5", "--type", "u8"]).ok();
    folder.run(&["volume", "extract", "a.bwv", "--region", "3..7,2,..", "-o", "part.raw"]).ok();
    let want: Vec<u8> =
        (0..5).flat_map(|z| (3..7).map(move |x| x + 20 * (2 + 10 * z))).map(|i| raw[i]).collect();
    assert_eq!(folder.read("part.raw"), want);
    folder
        .run(&["volume", "extract", "a.bwv", "--region", "0..21,2,2", "-o", "b.raw"])
        .fails(1, &["0..21", "20×10×5"]);
    folder.run(&["volume", "slice", "a.bwv", "--axis", "y", "--index", "3", "-o", "s.png"]).ok();
    assert_eq!(&folder.read("s.png")[16..24], [0, 0, 0, 20, 0, 0, 0, 5]);
    folder.run(&["volume", "slice", "a.bwv", "--index", "5", "-o", "t.png"]).fails(1, &["the last is 4"]);
}

#[test]
fn what_makes_no_sense_is_refused_and_leaves_no_file() {
    let folder = Folder::new();
    folder.write("a.raw", &[1; 999]);
    folder.run(&["volume", "encode", "a.raw"]).fails(1, &["a.raw", "--dims"]);
    let with = |dims: &'static str| ["volume", "encode", "a.raw", "--type", "u8", "--dims", dims];
    folder.run(&with("10x10x10")).fails(3, &["a.raw: expected 1000 bytes of voxels, but there are 999"]);
    folder.run(&with("3x3x3")).fails(3, &["expected 27 bytes of voxels, but there are more"]);
    let vast = ["volume", "info", "a.raw", "--type", "u8", "--dims", "65536x4294967295x1"];
    folder.run(&vast).fails(3, &["a.raw: expected 281474976645120 bytes of voxels, but there are 999"]);
    assert_eq!(folder.run(&with("999999999x999999999x99")).exit, Some(1));
    folder.write("b.nrrd", b"NRRD0004\ntype: block\n");
    folder.run(&["volume", "encode", "b.nrrd"]).fails(5, &["b.nrrd: the type \"block\" is not supported"]);
    folder
        .run(&[&with("9x37x3")[..], &["--levels", "8"]].concat())
        .fails(1, &["8 levels: 9×37×3 has 1 to 7"]);
    folder.run(&[&with("9x37x3")[..], &["--channels", "256"]].concat()).fails(1, &["256 channels: 1 to 255"]);
    let eight = ["--brick", "8", "--profile", "guthe2016"];
    folder.run(&[&with("9x37x3")[..], &eight].concat()).fails(1, &["only has bricks of 4×4×4 voxels"]);
    folder.run(&["volume", "info", "a.raw"]).fails(1, &["a.raw: raw voxels need a description"]);
    folder.run(&["volume", "verify", "a.raw"]).fails(3, &["a.raw: not a .bwv file"]);
    let extract = ["extract", "b.nrrd", "--region", "1,1,1", "-o", "s.raw"];
    for words in [&extract[..], &["verify", "b.nrrd"], &["decode", "b.nrrd"]] {
        let ran = folder.run(&[&["volume"], words].concat());
        ran.fails(
            3,
            &["b.nrrd: is of the format nrrd, not a .bwv file (`brickwork volume encode b.nrrd` makes"],
        );
    }
    for spacing in ["0,1,1", "1,nan,1", "1,1,inf", "-1,1,1"] {
        let ran = folder.run(&[&with("9x37x3")[..], &["--spacing", spacing]].concat());
        assert_eq!(ran.exit, Some(1), "{ran:?}");
        ran.says(&["expected three finite numbers above 0, such as 0.34,0.34,0.5"]);
    }
    let encode = [&with("9x37x3")[..], &["-o", "part.mha"]].concat();
    folder
        .run(&encode)
        .fails(1, &["part.mha: this command writes .bwv files (`volume convert` writes other"]);
    folder.run(&["volume", "slice", "a.bwv", "-o", "s.jpg"]).fails(1, &["s.jpg: this command writes .png"]);
    assert_eq!(folder.names(), ["a.raw", "b.nrrd"]);
}

#[test]
fn slices_without_a_number_say_so() {
    let folder = Folder::new();
    folder.write("a.raw", &[f32::NAN; 4].map(f32::to_le_bytes).concat());
    folder.run(&["volume", "encode", "a.raw", "--dims", "2x2x1", "--type", "f32"]).ok();
    let ran = folder.run(&["volume", "slice", "a.bwv", "-o", "s.PNG"]);
    assert!(ran.ok().contains("2×2, no finite value"), "{ran:?}");
    let ran = folder.run(&["volume", "slice", "a.bwv", "-o", "s.png", "--force", "--json"]).json();
    assert_eq!(ran["window"], serde_json::Value::Null);
    folder.run(&["volume", "render", "a.bwv", "-o", "s.jpg"]).fails(1, &["s.jpg: this command writes .png"]);
}

#[test]
fn truncated_tiff_and_vti_files_are_invalid() {
    let folder = Folder::new();
    folder.write("a.raw", &[7; 60]);
    folder.run(&["volume", "convert", "a.raw", "--dims", "5x4x3", "--type", "u8", "-o", "a.vti"]).ok();
    let file = folder.read("a.vti");
    let start = file.windows(2).position(|two| two == b"\n_").unwrap() + 2;
    folder.write("cut.vti", &file[..start + 4]);
    folder.run(&["volume", "encode", "cut.vti"]).fails(3, &["cut.vti: the file ends too soon"]);
    folder.write("cut.tif", b"II*\0\x08\0\0\0\x05");
    folder.run(&["volume", "encode", "cut.tif"]).fails(3, &["cut.tif: the file ends too soon"]);
}

#[test]
fn a_flipped_bit_is_found_and_named() {
    let folder = Folder::new();
    let raw: Vec<u8> = (0..20 * 10 * 5).map(|i| (i * i % 251) as u8).collect();
    let mut words =
        vec!["volume", "encode", "-", "-o", "a.bwv", "--dims", "20x10x5", "--type", "u8", "--quiet"];
    assert_eq!(folder.run_with(&words, &raw).exit, Some(0));
    let mut file = folder.read("a.bwv");
    file[300] ^= 4;
    folder.write("b.bwv", &file);
    folder
        .run(&["volume", "verify", "b.bwv", "--quiet"])
        .fails(3, &["b.bwv: chunk 0 at byte 184 is damaged"]);
    folder.run(&["volume", "decode", "b.bwv", "-o", "b.raw"]).fails(3, &["b.bwv: chunk 0"]);
    words[4] = "c.bwv";
    let short = folder.run_with(&words, &raw[..500]);
    short.fails(3, &["standard input: expected 1000 bytes of voxels, but there are 500"]);
    assert_eq!(folder.names(), ["a.bwv", "b.bwv"]);
}

/// Two frames of two channels with smaller mip levels, in both profiles; what is selected of them.
#[test]
fn channels_frames_and_levels_are_kept_and_selected() {
    let folder = Folder::new();
    let raw: Vec<u8> = (0..2 * 2 * 6 * 4 * 2).map(|i| (i * 7 % 100) as u8).collect();
    folder.write("a.raw", &raw);
    for profile in ["bricks", "guthe2016", "guthe2016-second-level"] {
        let shape = ["--dims", "6x4x2", "--type", "u8", "--channels", "2", "--frames", "2"];
        let coding = ["--levels", "3", "--profile", profile, "--force", "--json"];
        let ran = folder.run(&[&["volume", "encode", "a.raw"][..], &shape, &coding].concat());
        let report: serde_json::Value = serde_json::from_str(ran.ok()).expect("JSON");
        assert_eq!((&report["channels"], &report["levels"]), (&2.into(), &3.into()));
        assert_eq!(report["profile"], profile);
        folder.run(&["volume", "verify", "a.bwv", "--quiet"]).ok();
        folder.run(&["volume", "decode", "a.bwv", "-o", "b.raw", "--force"]).ok();
        assert!(folder.read("b.raw") == raw);
        // Channel 1 of frame 1 at half the size: means of up to eight, rounded.
        let what = ["--level", "1", "--frames", "1", "--channel", "1", "-o", "c.raw", "--force"];
        folder.run(&[&["volume", "decode", "a.bwv"][..], &what].concat()).ok();
        let voxel = |x: usize, y: usize, z: usize| u32::from(raw[1 + 2 * (x + 6 * (y + 4 * (z + 2)))]);
        let mean = |x: usize, y: usize| {
            let eight = (0..8).map(|i| voxel(2 * x + i % 2, 2 * y + i / 2 % 2, i / 4));
            ((eight.sum::<u32>() + 4) / 8) as u8
        };
        let want: Vec<u8> = (0..6).map(|i| mean(i % 3, i / 3)).collect();
        assert_eq!(folder.read("c.raw"), want);
        folder
            .run(&["volume", "decode", "a.bwv", "--level", "3", "-o", "d.raw"])
            .fails(1, &["a.bwv: level 3: the volume has levels 0 to 2"]);
        folder
            .run(&["volume", "slice", "a.bwv", "--frame", "2", "-o", "d.png"])
            .fails(1, &["a.bwv: frame 2: the volume has frames 0 to 1"]);
    }
    // A voxel of a smaller mip level is in the middle of the voxels that it represents.
    let shape = ["--dims", "6x4x4", "--type", "u16", "--levels", "2", "--spacing", "2,3,4", "-o", "e.bwv"];
    folder.run(&[&["volume", "encode", "a.raw"][..], &shape].concat()).ok();
    folder.run(&["volume", "decode", "e.bwv", "--level", "1", "-o", "e.mha"]).ok();
    let header = String::from_utf8_lossy(&folder.read("e.mha")).into_owned();
    assert!(header.contains("Offset = 1 1.5 2\n") && header.contains("ElementSpacing = 4 6 8\n"), "{header}");
}

/// The README's text about volumes equals the program's output for a file of this repository. A line without
/// the time and the speed at its end, which commands print that take over a second.
fn without_pace(line: &str) -> &str {
    if line.ends_with("B/s") { line.rsplit_once("  ").map_or(line, |(text, _)| text) } else { line }
}

#[test]
fn the_readme_shows_what_happens() {
    let readme = std::fs::read_to_string(test_data("../README.md")).unwrap();
    let section = readme.split("## Volumes\n").nth(1).unwrap().split("| files |").next().unwrap();
    let example: Vec<&str> = section.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    let folder = Folder::new();
    let packed = std::fs::read(test_data("volumes/aal.raw.zst")).unwrap();
    folder.write("aal.raw", &zstd::decode_all(packed.as_slice()).unwrap());
    assert_eq!(example[0], "$ zstd -d test-data/volumes/aal.raw.zst -o aal.raw");
    let mut commands = 0;
    for part in example[1..].chunk_by(|_, next| !next.starts_with('$')) {
        let words: Vec<&str> = part[0].strip_prefix("$ brickwork ").unwrap().split(' ').collect();
        let output = folder.run(&words);
        let lines: Vec<&str> = output.ok().lines().map(without_pace).collect();
        assert_eq!(lines, part[1..], "{words:?}");
        commands += 1;
    }
    assert_eq!(commands, 5);
}

#[test]
fn labels_are_not_averaged() {
    let folder = Folder::new();
    folder.write("a.raw", &[9, 9, 9, 200, 7, 7, 200, 200]);
    let shape = ["--dims", "2x2x2", "--type", "u8", "--levels", "2", "--labels"];
    folder.run(&[&["volume", "encode", "a.raw"][..], &shape].concat()).ok();
    folder.run(&["volume", "decode", "a.bwv", "--level", "1", "-o", "b.raw"]).ok();
    assert_eq!(folder.read("b.raw"), [9]);
    let info = folder.run(&["volume", "info", "a.bwv"]);
    assert!(info.ok().contains("labels"));
}
