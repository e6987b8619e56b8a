//! Volumes of any format for `info` and `slice`, from pipes, as folders of slices, and many at a time.

use crate::common::Folder;
use std::fs;

/// 23×9×12 i16, every kind of byte.
fn voxels() -> Vec<u8> {
    (0..23 * 9 * 12i32).flat_map(|i| (((i * i / 7) ^ (i << 3)) as i16).to_le_bytes()).collect()
}

/// A folder with these voxels in every format that is written, with a spacing.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.raw", &voxels());
    let shape = ["--dims", "23x9x12", "--type", "i16", "--spacing", "1,2,0.5"];
    for name in ["a.bwv", "a.nrrd", "a.mha", "a.nii", "a.nii.gz", "a.vti"] {
        folder.run(&[&["volume", "convert", "a.raw", "-o", name][..], &shape].concat()).ok();
    }
    folder
}

const FORMATS: [&str; 6] = ["a.bwv", "a.nrrd", "a.mha", "a.nii", "a.nii.gz", "a.vti"];

#[test]
fn any_format_comes_through_a_pipe() {
    let folder = folder();
    for name in FORMATS {
        let file = folder.read(name);
        let ran = folder.run_with(&["volume", "convert", "-", "-o", "-", "--quiet"], &file);
        assert!(ran.exit == Some(0) && ran.stdout == voxels(), "{name}: {ran:?}");
        folder.run_with(&["volume", "encode", "-", "-o", "b.bwv", "--force"], &file).ok();
        folder.run(&["volume", "compare", "a.bwv", "b.bwv", "--exact"]).ok();
        folder.run_with(&["volume", "compare", "-", "a.raw", "--exact"], &file).ok();
        let json = folder.run_with(&["volume", "info", "-", "--json"], &file).json();
        assert_eq!(json["dims"], serde_json::json!([23, 9, 12]), "{name}");
        assert_eq!(json["spacing"], serde_json::json!([1.0, 2.0, 0.5]), "{name}");
    }
    folder.run_with(&["volume", "verify", "-"], &folder.read("a.bwv")).ok();
    let decoded = folder.run_with(&["volume", "decode", "-"], &folder.read("a.bwv"));
    assert!(decoded.stdout == voxels());
    // Raw voxels need a description, and a header alone is no volume.
    folder.run_with(&["volume", "info", "-"], &voxels()).fails(1, &["standard input: raw voxels need"]);
    folder.write(
        "a.nhdr",
        b"NRRD0004\ntype: uint8\ndimension: 3\nsizes: 1 1 2\nencoding: raw\ndata file: a.raw\n\n",
    );
    let header = folder.read("a.nhdr");
    folder.run_with(&["volume", "info", "-"], &header).fails(5, &["its voxels in another file"]);
    // What must be held whole takes no more memory than allowed.
    let vti = folder.read("a.vti");
    for command in ["compare - a.bwv", "convert - -o b.nrrd", "encode - -o b.bwv", "render - -o b.png"] {
        let words = format!("volume {command} --max-memory 1KiB");
        let ran = folder.run_with(&words.split(' ').collect::<Vec<_>>(), &vti);
        ran.fails(4, &["standard input: takes", "raise it with --max-memory"]);
    }
}

#[test]
fn any_format_is_described_and_shown() {
    let folder = folder();
    for name in FORMATS {
        let text = folder.run(&["volume", "info", name]);
        assert!(text.ok().contains("23×9×12 i16") && text.ok().contains("1, 2, 0.5"), "{name}");
        folder.run(&["volume", "encode", name, "-o", "same.bwv", "--force"]).ok();
        folder.run(&["volume", "slice", "same.bwv", "--axis", "y", "-o", "want.png", "--force"]).ok();
        folder.run(&["volume", "slice", name, "--axis", "y", "-o", "have.png", "--force"]).ok();
        assert!(folder.read("have.png") == folder.read("want.png"), "{name}");
    }
    for (axis, index) in [("x", "22"), ("x", "0"), ("z", "3"), ("y", "8")] {
        let slice = |input: &str, output: &str| {
            let arguments =
                ["volume", "slice", input, "--axis", axis, "--index", index, "-o", output, "--force"];
            folder.run(&arguments).ok();
            folder.read(output)
        };
        assert!(slice("a.bwv", "want.png") == slice("a.nrrd", "have.png"), "{axis} {index}");
    }
    let raw = ["volume", "slice", "a.raw", "--dims", "23x9x12", "--type", "i16", "-o", "raw.png", "--pixels"];
    folder.run(&raw).ok();
    folder.run(&["volume", "slice", "a.nrrd", "--level", "1", "-o", "x.png"]).fails(1, &["a.nrrd: level 1"]);
    folder.run(&["volume", "slice", "a.nrrd", "--frame", "1", "-o", "x.png"]).fails(1, &["a.nrrd: frame 1"]);
    folder
        .run(&["volume", "slice", "a.nrrd", "--channel", "1", "-o", "x.png"])
        .fails(1, &["a.nrrd: channel 1"]);
    folder.run(&["volume", "info", "a.nrrd", "--statistics"]).fails(1, &["--statistics is for .bwv files"]);
    folder.run(&["volume", "info", "a.raw"]).fails(1, &["a.raw: raw voxels need"]);
    for name in ["a.xyz", "README.md"] {
        folder.write(name, b"no volume");
        let words = [name, "the file has no known format", "NIfTI", "Analyze", "MGH", "NumPy"];
        folder.run(&["volume", "info", name]).fails(1, &words);
    }
    for (name, words) in [
        ("a.vtk", ["the legacy format of VTK", ".vti"]),
        ("a.npz", ["an archive of NumPy arrays", "numpy.save"]),
        ("a.H5", ["HDF5", ".npy"]),
        ("a.czi", ["a format of a microscope", "bfconvert"]),
        ("a.nd2", ["a format of a microscope", "OME-TIFF"]),
        ("a.mnc.gz", ["MINC", "mnc2nii"]),
    ] {
        folder.write(name, b"no volume");
        folder.run(&["volume", "info", name]).fails(5, &[&[name][..], &words].concat());
    }
}

#[test]
fn frames_and_channels_of_other_formats_are_shown() {
    let folder = Folder::new();
    let voxels: Vec<u8> = (0..3 * 2 * 2 * 2 * 2).map(|i| i * 5).collect();
    folder.write("a.raw", &voxels);
    let shape = ["--dims", "3x2x2", "--type", "u8", "--channels", "2", "--frames", "2"];
    for name in ["a.bwv", "a.nrrd"] {
        folder.run(&[&["volume", "convert", "a.raw", "-o", name][..], &shape].concat()).ok();
    }
    for (frame, channel) in [("0", "0"), ("1", "0"), ("0", "1"), ("1", "1")] {
        let slice = |input: &str| {
            let more =
                ["--frame", frame, "--channel", channel, "-o", "s.png", "--force", "--window", "0,255"];
            folder.run(&[&["volume", "slice", input][..], &more].concat()).ok();
            folder.read("s.png")
        };
        assert!(slice("a.bwv") == slice("a.nrrd"), "{frame} {channel}");
    }
}

#[test]
fn volumes_become_folders_of_slices() {
    let folder = Folder::new();
    let voxels: Vec<u8> = (0..7 * 5 * 12u32).flat_map(|i| ((i * 97) as u16).to_le_bytes()).collect();
    folder.write("a.raw", &voxels);
    folder.run(&["volume", "encode", "a.raw", "--dims", "7x5x12", "--type", "u16"]).ok();
    let names = |path: &str| {
        let names = fs::read_dir(folder.path(path)).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    };
    for (arguments, ending) in [
        (&["decode", "a.bwv", "-o", "png/"][..], "png"),
        (&["decode", "a.bwv", "-o", "tif/", "--slices", "tiff"], "tif"),
        (&["convert", "a.bwv", "-o", "converted/"], "png"),
    ] {
        let arguments = [&["volume"], arguments].concat();
        let path = arguments[4];
        folder.run(&arguments).ok();
        let want: Vec<_> = (0..12).map(|z| format!("slice_{z:04}.{ending}")).collect();
        assert_eq!(names(path), want);
        folder.run(&["volume", "compare", path, "a.bwv", "--exact"]).ok();
        // Nothing is written over other files, nor left behind.
        folder.run(&arguments).fails(2, &["the folder is not empty", "new or empty folder"]);
        assert_eq!(names(path), want);
    }
    assert!(folder.names().iter().all(|name| !name.starts_with('.')), "{:?}", folder.names());
    // An empty folder takes them, and a region is written as well.
    fs::create_dir(folder.path("empty")).unwrap();
    let region = ["volume", "extract", "a.bwv", "--region", "1..4,..,2..4", "-o", "empty"];
    let ran = folder.run(&region);
    ran.says(&["not written: position"]);
    assert!(ran.text().contains("3×5×2"));
    assert_eq!(names("empty"), ["slice_0000.png", "slice_0001.png"]);

    folder.run(&["volume", "decode", "a.bwv", "-o", "none/x/"]).fails(2, &["none does not exist"]);
    let frames = ["--dims", "7x5x6", "--type", "u16", "--frames", "2"];
    folder.run(&[&["volume", "convert", "a.raw", "-o", "f/"][..], &frames].concat()).fails(5, &["2 frames"]);
    let floats = ["--dims", "7x5x6", "--type", "f32"];
    folder
        .run(&[&["volume", "convert", "a.raw", "-o", "f/", "--slices", "png"][..], &floats].concat())
        .fails(5, &["PNG does not hold voxels that are f32; TIFF does"]);
    assert!(!folder.path("f").exists());
    folder.run(&[&["volume", "convert", "a.raw", "-o", "f/"][..], &floats].concat()).ok();
    assert_eq!(names("f").len(), 6);
    folder
        .run(&["volume", "decode", "a.bwv", "-o", "b.nrrd", "--slices", "png"])
        .fails(1, &["--slices is for folders"]);
    // What slices cannot hold is said.
    assert_eq!(folder.names().iter().filter(|name| name.ends_with(".tmp")).count(), 0);
}

#[test]
fn many_files_are_verified_at_once() {
    let folder = folder();
    folder.write("b.bwv", &folder.read("a.bwv"));
    let mut damaged = folder.read("a.bwv");
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    folder.write("damaged.bwv", &damaged);
    let ran = folder.run(&["volume", "verify", "a.bwv", "b.bwv"]);
    assert_eq!(ran.ok(), "a.bwv: sound, 1 chunk\nb.bwv: sound, 1 chunk\n");
    let ran = folder.run(&["volume", "verify", "a.bwv", "damaged.bwv", "none.bwv", "b.bwv"]);
    assert_eq!(ran.exit, Some(3));
    assert!(ran.stderr.contains("damaged.bwv: ") && ran.stderr.contains("none.bwv: "), "{ran:?}");
    assert!(ran.text().contains("a.bwv: sound") && ran.text().contains("b.bwv: sound"), "{ran:?}");
    assert!(ran.text().contains("damaged.bwv: damaged, 1 error in 1 chunk\n"), "{ran:?}");
    let ran = folder.run(&["volume", "verify", "none.bwv", "damaged.bwv", "--json"]);
    assert_eq!(ran.exit, Some(2));
    let files = ran.json()["files"].clone();
    assert_eq!((&files[0]["error"]["exit_code"], &files[1]["sound"]), (&2.into(), &false.into()));
}
