//! NIfTI in and out of `brickwork volume`.

use crate::common::{Folder, test_data};
use brickwork_base::testing;
use std::process::Output;

/// Files that nibabel wrote are read, and what is decoded from them nibabel reads as the same volume.
#[test]
fn nibabel_and_brickwork_understand_each_other() {
    let Some(python) = testing::python("nibabel") else { return };
    let folder = Folder::new();
    let script = |words: &[&str]| {
        let mut all = vec![concat!(env!("CARGO_MANIFEST_DIR"), "/tests/nibabel_nifti.py")];
        all.extend(words);
        let Output { status, stdout, stderr } = python(&all);
        let said = String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
        assert!(status.success(), "{words:?}: {said}");
        said
    };
    let path = |name: &str| folder.path(name).to_str().unwrap().to_owned();
    let names = script(&["write", &path("")]);
    assert_eq!(names.lines().count(), 26);
    // Compared by one process: Python takes most of a second to load nibabel.
    let mut list = String::new();
    for name in names.lines() {
        let encoded = folder.run(&["volume", "encode", name, "-o", "a.bwv", "--force"]);
        let note = "brickwork: note: unknown.nii: pixdim[4] has no unit (xyzt_units): its number is taken as \
                    seconds\n";
        assert_eq!(encoded.stderr, if name == "unknown.nii" { note } else { "" });
        assert_eq!(encoded.exit, Some(0));
        for end in [".nii", ".nii.gz"] {
            let back = format!("back of {name}{end}");
            folder.run(&["volume", "decode", "a.bwv", "-o", &back]).ok();
            list += &format!("{}\t{}\n", path(name), path(&back));
        }
        let part = format!("part of {name}.nii");
        folder.run(&["volume", "extract", "a.bwv", "--region", "1,1..3,2..4", "-o", &part]).ok();
        list += &format!("{}\t{}\t1\t2\t1\t3\t2\t4\n", path(name), path(&part));
    }
    assert_eq!(list.lines().count(), 3 * 26);
    folder.write("list", list.as_bytes());
    script(&["compare", &path("list")]);
}

#[test]
fn a_packed_volume_is_the_one_that_is_not_packed() {
    let folder = Folder::new();
    let raw = zstd::decode_all(std::fs::read(test_data("volumes/aal.raw.zst")).unwrap().as_slice()).unwrap();
    folder.write("a.raw", &raw);
    let shape = ["--dims", "181x217x181", "--type", "u8"];
    folder.run(&[&["volume", "encode", "a.raw"][..], &shape].concat()).ok();
    for name in ["b.nii", "c.nii.gz"] {
        folder.run(&["volume", "decode", "a.bwv", "-o", name]).ok();
        folder.run(&["volume", "encode", name]).ok();
        folder.run(&["volume", "decode", &format!("{}.bwv", &name[..1]), "-o", "back.raw", "--force"]).ok();
        assert!(folder.read("back.raw") == raw, "{name}");
    }
    // The packed file is read twice too: one rank table serves the whole volume.
    assert!(folder.read("b.bwv") == folder.read("c.bwv"));
    folder
        .run(&["volume", "encode", "c.nii.gz", "--type", "u8", "--force"])
        .fails(1, &["describes its own voxels"]);
    let packed = folder.read("c.nii.gz");
    folder.write("cut.nii.gz", &packed[..packed.len() / 2]);
    let cut = folder.run(&["volume", "encode", "cut.nii.gz"]);
    cut.fails(3, &["cut.nii.gz: the gzip stream is damaged or cut short after"]);
    let file = folder.read("b.nii");
    let mut other = file.clone();
    other[70..74].copy_from_slice(&[0, 6, 128, 0]);
    folder.write("f128.nii", &other);
    let failed = folder.run(&["volume", "encode", "f128.nii"]);
    failed.fails(5, &["f128.nii: datatype 1536 (f128) is not supported"]);
    folder.write("short.nii", &file[..file.len() - 1]);
    folder
        .run(&["volume", "encode", "short.nii"])
        .fails(3, &["expected 7109137 bytes of voxels, but there are 7109136"]);
    // A header whose image is missing names the image.
    other = file[..352].to_vec();
    other[344..348].copy_from_slice(b"ni1\0");
    folder.write("lone.hdr", &other);
    folder.run(&["volume", "encode", "lone.hdr"]).fails(2, &["lone.img"]);
}
