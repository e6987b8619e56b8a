//! `brickwork volume convert` and `compare`.

use crate::common::{Folder, send_signal};
use brickwork_image::image_file::{PngTexels, write_png};
use brickwork_texture::{ColorSpace, Task};
#[cfg(unix)]
use nix::sys::signal::Signal;
use std::{
    fs,
    io::Write as _,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

/// Raw voxels of 23×9×70 i16: more than a slab of bricks, with every kind of byte.
fn voxels() -> Vec<u8> {
    let voxel = |i: i32| ((i * i / 7) ^ (i << 3)) as i16;
    (0..23 * 9 * 70).flat_map(|i| voxel(i).to_le_bytes()).collect()
}

const SHAPE: [&str; 4] = ["--dims", "23x9x70", "--type", "i16"];

fn words<'a>(text: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    text.split(' ').chain(more.iter().copied()).collect()
}

/// A folder with the voxels as `a.raw` and, with a spacing, as `a.bwv`.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.raw", &voxels());
    let convert = words("volume convert a.raw -o a.bwv --spacing 1,2,0.5", &SHAPE);
    assert!(folder.run(&convert).ok().starts_with("a.raw → a.bwv  23×9×70 i16  "));
    folder
}

#[test]
fn every_format_becomes_every_other() {
    let folder = folder();
    let formats = ["bwv", "nrrd", "mha", "nii", "nii.gz", "vti", "raw"];
    for from in formats {
        let source = format!("from.{from}");
        folder.run(&["volume", "convert", "a.bwv", "-o", &source]).ok();
        let shape = if from == "raw" { &SHAPE[..] } else { &[] };
        for to in formats {
            let target = format!("to.{to}");
            folder.run(&words(&format!("volume convert {source} -o {target} --force"), shape)).ok();
            let shape = if to == "raw" { &SHAPE[..] } else { &[] };
            let ran = folder.run(&words(&format!("volume convert {target} -o - --quiet"), shape));
            assert!(ran.exit == Some(0) && ran.stdout == voxels(), "{from} to {to}");
            if from != "raw" && to != "raw" {
                folder.run(&["volume", "encode", &target, "-o", "back.bwv", "--force"]).ok();
                let info = folder.run(&["volume", "info", "back.bwv", "--json"]).json();
                assert_eq!(info["spacing"], serde_json::json!([1.0, 2.0, 0.5]), "{from} to {to}");
            }
        }
    }
    // What is decoded is what is converted, and bricks of another size hold the same.
    folder.run(&["volume", "decode", "a.bwv", "-o", "decoded.vti"]).ok();
    assert!(folder.read("decoded.vti") == folder.read("from.vti"));
    folder.run(&["volume", "convert", "a.bwv", "--brick", "8", "-o", "b.bwv"]).ok();
    let brick = folder.run(&["volume", "info", "b.bwv", "--json"]).json()["brick"].clone();
    assert_eq!(brick, serde_json::json!([8, 8, 8]));
    folder.run(&["volume", "compare", "b.bwv", "a.bwv", "--exact"]).ok();
    // A region may be written as a .bwv file too.
    folder.run(&["volume", "extract", "a.bwv", "--region", "..,1..9,3..70", "-o", "part.bwv"]).ok();
    let info = folder.run(&["volume", "info", "part.bwv", "--json"]).json();
    assert_eq!((&info["dims"], &info["origin"]), (&vec![23, 8, 67].into(), &vec![0.0, 2.0, 1.5].into()));
    folder.run(&["volume", "decode", "part.bwv", "-o", "part.raw"]).ok();
    let slices =
        voxels()[3 * 9 * 46..].chunks(9 * 46).flat_map(|slice| slice[46..].to_vec()).collect::<Vec<_>>();
    assert!(folder.read("part.raw") == slices);
}

#[test]
fn raw_voxels_may_follow_a_header() {
    let folder = folder();
    folder.write("headed.raw", &[b"anything".to_vec(), voxels()].concat());
    let convert = words("volume convert headed.raw -o b.bwv --offset 8 --dims 23,9,70 --type int16", &[]);
    folder.run(&convert).ok();
    folder.run(&["volume", "compare", "a.bwv", "b.bwv", "--exact"]).ok();
    let piped = words("volume convert - -o c.bwv --offset 8", &SHAPE);
    assert_eq!(folder.run_with(&piped, &folder.read("headed.raw")).exit, Some(0));
    folder.run(&["volume", "compare", "a.bwv", "c.bwv", "--exact"]).ok();
    let short = words("volume convert headed.raw -o d.bwv --offset 9", &SHAPE);
    folder.run(&short).fails(3, &["headed.raw: expected 28980 bytes of voxels, but there are 28979"]);
    folder
        .run(&["volume", "convert", "a.bwv", "-o", "d.nrrd", "--offset", "8"])
        .fails(1, &["--offset are for raw"]);
}

#[test]
fn nrrd_and_metaimage_are_compressed_on_request() {
    let folder = folder();
    for (name, magic) in [("a.nrrd", &b"encoding: gzip\n"[..]), ("a.mha", b"CompressedData = True\n")] {
        folder.run(&["volume", "convert", "a.bwv", "--compress", "-o", name]).ok();
        let file = folder.read(name);
        assert!(file.windows(magic.len()).any(|part| part == magic) && file.len() < voxels().len(), "{name}");
        folder.run(&["volume", "decode", "a.bwv", "--compress", "-o", name, "--force"]).ok();
        assert!(folder.read(name) == file, "{name}");
        folder.run(&["volume", "compare", name, "a.bwv", "--exact"]).ok();
        // As from a pipe.
        folder.write("cut", &file[..file.len() - 2000]);
        fs::rename(folder.path("cut"), folder.path(&format!("cut.{}", &name[2..]))).unwrap();
        let cut = folder.run(&["volume", "encode", &format!("cut.{}", &name[2..]), "-o", "cut.bwv"]);
        assert_eq!(cut.exit, Some(3), "{cut:?}");
    }
    for (name, reason) in [("b.nii", "name the file .nii.gz"), ("b.raw", "is for .nrrd and .mha files")] {
        folder.run(&["volume", "convert", "a.bwv", "--compress", "-o", name]).fails(1, &[name, reason]);
    }
    let part = ["volume", "extract", "a.bwv", "--region", "..,..,3", "--compress", "-o", "part.nrrd"];
    folder.run(&part).ok();
    assert!(folder.names().iter().all(|name| name != "cut.bwv" && name != "b.nii" && name != "b.raw"));
}

/// Two hundred million zeros in a file of a few hundred bytes or kilobytes, of eight voxels.
#[test]
fn bombs_are_refused_at_the_first_byte_too_many() {
    let folder = Folder::new();
    let zeros = vec![0; 1 << 20];
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..200 {
        gzip.write_all(&zeros).unwrap();
        zlib.write_all(&zeros).unwrap();
    }
    let nrrd = b"NRRD0004\ntype: uint8\ndimension: 3\nsizes: 2 2 2\nencoding: gzip\n\n".to_vec();
    let mha = b"ObjectType = Image\nNDims = 3\nDimSize = 2 2 2\nCompressedData = True\n\
                ElementType = MET_UCHAR\nElementDataFile = LOCAL\n"
        .to_vec();
    folder.write("bomb.nrrd", &[nrrd, gzip.finish().unwrap()].concat());
    folder.write("bomb.mha", &[mha, zlib.finish().unwrap()].concat());
    for name in ["bomb.nrrd", "bomb.mha"] {
        let ran = folder.run(&["volume", "encode", name]);
        ran.fails(3, &[name, "expected 8 bytes of voxels, but there are more"]);
    }
    assert_eq!(folder.names(), ["bomb.mha", "bomb.nrrd"]);
}

#[test]
fn slices_pipes_and_other_byte_orders_are_read() {
    let folder = Folder::new();
    fs::create_dir(folder.path("s")).unwrap();
    let slice = |z: u8| (0..12).map(|i| i * 20 + z).collect::<Vec<u8>>();
    for z in 0..3 {
        let mut png = Vec::new();
        write_png(&mut png, 4, 3, PngTexels::Grey8(&slice(z)), ColorSpace::Srgb, &Task::new()).unwrap();
        folder.write(&format!("s/{z}.png"), &png);
    }
    folder.run(&["volume", "convert", "s", "-o", "s.raw"]).ok();
    assert_eq!(folder.read("s.raw"), [slice(0), slice(1), slice(2)].concat());
    folder.run(&["volume", "compare", "s", "s.raw", "--exact"]).ok();

    let big = ["--dims", "2x1x2", "--type", "i16", "--big-endian"];
    let ran = folder.run_with(&words("volume convert - -o - --quiet", &big), &[0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!((ran.exit, ran.stdout), (Some(0), vec![1, 0, 3, 2, 5, 4, 7, 6]));
    let short = folder.run_with(&words("volume convert - -o x.nrrd", &big), &[0, 1, 2]);
    short.fails(3, &["standard input: expected 8 bytes of voxels, but there are 3"]);
    folder
        .run(&words("volume convert s -o x.nrrd", &big))
        .fails(1, &["s: the file describes its own voxels"]);
    assert_eq!(folder.names(), ["s", "s.raw"]);
}

/// Also 64 bits, which are stored as two halves.
#[test]
fn big_endian_numbers_of_every_width_are_turned() {
    let folder = Folder::new();
    for (name, bytes) in [("u8", 1), ("i16", 2), ("u32", 4), ("f32", 4), ("u64", 8), ("i64", 8), ("f64", 8)] {
        // No NaN: the highest byte of a number stays small.
        let number = |i: usize| (0..bytes).map(move |byte| ((i * 37 + byte * 61) % 120) as u8);
        let little: Vec<u8> = (0..60).flat_map(number).collect();
        let big: Vec<u8> = little.chunks(bytes).flat_map(|number| number.iter().rev().copied()).collect();
        folder.write("big.raw", &big);
        let encode =
            format!("volume encode big.raw --dims 5x4x3 --type {name} --big-endian -o a.bwv --force");
        folder.run(&words(&encode, &[])).ok();
        folder.run(&words("volume decode a.bwv -o a.raw --force", &[])).ok();
        assert_eq!(folder.read("a.raw"), little, "{name}");
    }
}

#[test]
fn volumes_are_compared() {
    let folder = folder();
    let same = folder.run(&["volume", "compare", "a.bwv", "a.raw"]);
    assert_eq!(same.ok(), "a.bwv ↔ a.raw  23×9×70 i16\nall voxels are equal\n");
    let mut other = voxels();
    // Voxel 5, 1, 2 by one, and the last by 256.
    other[2 * (5 + 23 * (1 + 9 * 2))] ^= 1;
    let last = other.len() - 1;
    other[last] ^= 1;
    folder.write("b.raw", &other);
    let text = folder.run(&["volume", "compare", "a.bwv", "b.raw"]);
    for line in
        ["different       2 of 14490 voxels, 0.014 %", "first           5, 1, 2", "max difference  256"]
    {
        assert!(text.ok().contains(line), "{text:?}");
    }
    let json = folder.run(&["volume", "compare", "b.raw", "a.bwv", "--json"]).json();
    assert_eq!((&json["equal"], &json["different"]), (&false.into(), &2.into()));
    assert!((json["mean_difference"].as_f64().unwrap() - 257.0 / 14490.0).abs() < 1e-12);
    let psnr = 10.0 * (65535f64.powi(2) * 14490.0 / (65536.0 + 1.0)).log10();
    assert!((json["psnr"].as_f64().unwrap() - psnr).abs() < 1e-9);
    let exact = folder.run(&["volume", "compare", "a.bwv", "b.raw", "--exact", "--quiet"]);
    exact.fails(7, &["b.raw: differs in 2 voxels"]);
    let raws = words("volume compare a.raw b.raw --exact --quiet", &SHAPE);
    folder.run(&raws).fails(7, &["b.raw: differs in 2 voxels"]);
    let ran = folder.run_with(&["volume", "compare", "-", "a.bwv", "--exact"], &voxels());
    assert_eq!(ran.ok(), "standard input ↔ a.bwv  23×9×70 i16\nall voxels are equal\n");
}

#[test]
fn what_cannot_be_compared_is_told() {
    let folder = folder();
    folder.run(&["volume", "extract", "a.bwv", "--region", "..,..,1..70", "-o", "part.nrrd"]).ok();
    let ran = folder.run(&["volume", "compare", "a.bwv", "part.nrrd", "--json"]);
    ran.fails(7, &["a.bwv, part.nrrd: 23×9×70 i16 and 23×9×69 i16 cannot be compared"]);
    assert!(ran.stdout.is_empty());
    let other_type = ["volume", "compare", "a.bwv", "a.raw", "--type", "u16"];
    folder.run(&other_type).fails(7, &["23×9×70 i16 and 23×9×70 u16"]);
    folder.run(&["volume", "compare", "a.raw", "a.raw"]).fails(1, &["a.raw", "--dims"]);
    folder.run(&["volume", "compare", "-", "-"]).fails(1, &["only one"]);
    folder.write("short.raw", &voxels()[..1000]);
    let short = folder.run(&["volume", "compare", "a.bwv", "short.raw"]);
    short.fails(3, &["short.raw: expected 28980 bytes of voxels, but there are 1000"]);
    folder.run(&["volume", "compare", "a.bwv", "none.nrrd"]).fails(2, &["none.nrrd"]);
}

#[test]
fn damage_leaves_no_file() {
    let folder = folder();
    let mut damaged = folder.read("a.bwv");
    damaged[300] ^= 1;
    folder.write("d.bwv", &damaged);
    folder.run(&["volume", "convert", "a.bwv", "-o", "c.nii.gz"]).ok();
    let packed = folder.read("c.nii.gz");
    folder.write("c.nii.gz", &packed[..packed.len() / 2]);
    let before = folder.names();
    for (input, reason) in [("d.bwv", "chunk 0"), ("c.nii.gz", "damaged or cut short")] {
        for output in ["x.nrrd", "x.vti", "x.nii.gz", "x.bwv", "x.raw"] {
            let ran = folder.run(&["volume", "convert", input, "-o", output]);
            ran.fails(3, &[&format!("{input}: "), reason]);
        }
        folder.run(&["volume", "compare", input, "a.raw"]).fails(3, &[input, reason]);
    }
    folder.run(&["volume", "info", "d.bwv", "--statistics"]).fails(3, &["d.bwv: chunk 0"]);
    assert_eq!(folder.names(), before);
}

#[test]
fn outputs_that_are_refused() {
    let folder = folder();
    folder
        .run(&["volume", "convert", "a.bwv", "-o", "a.bwv", "--force"])
        .fails(2, &["a.bwv", "input file too"]);
    folder.run(&["volume", "convert", "a.bwv", "-o", "a.raw"]).fails(2, &["a.raw", "--force"]);
    for name in ["x.mhd", "x.raw.gz", "x.hdr", "x.mgz", "x.h5", "x.nrd", "x.txt"] {
        folder
            .run(&["volume", "convert", "a.bwv", "-o", name])
            .fails(5, &[name, "cannot write this format", ".nii.gz"]);
        folder.run(&["volume", "decode", "a.bwv", "-o", name]).fails(5, &[name]);
    }
    folder.run(&["volume", "convert", "a.bwv", "-o", "x/", "--raw"]).fails(1, &["x/", "a folder"]);
    folder
        .run(&["volume", "convert", "a.bwv", "-o", "x.vti", "--brick", "8"])
        .fails(1, &["x.vti", "--brick"]);
    // The file of voxels beside a header is an input, too.
    let header = "NDims = 3\nDimSize = 23 9 70\nElementType = MET_SHORT\nElementDataFile = a.raw\n";
    folder.write("h.mhd", header.as_bytes());
    let onto = folder.run(&["volume", "convert", "h.mhd", "-o", "a.raw", "--force"]);
    onto.fails(2, &["a.raw", "input file too"]);
    assert!(folder.read("a.raw") == voxels());
    assert_eq!(folder.names(), ["a.bwv", "a.raw", "h.mhd"]);
}

#[test]
fn numpy_arrays_are_written() {
    let folder = folder();
    folder.run(&["volume", "convert", "a.bwv", "-o", "b.npy"]).ok();
    let array = folder.read("b.npy");
    let header = "{'descr': '<i2', 'fortran_order': False, 'shape': (70, 9, 23), }";
    assert!(array[10..].starts_with(header.as_bytes()) && array[128..] == voxels());
    folder.run(&["volume", "compare", "a.bwv", "b.npy"]).ok();
    folder.run(&["volume", "extract", "a.bwv", "--region", "..,..,7", "-o", "c.npy"]).ok();
    assert_eq!(folder.read("c.npy").len(), 128 + 23 * 9 * 2);
}

#[test]
fn raw_voxels_have_known_names_or_are_requested() {
    let folder = folder();
    for name in ["b.bin", "b.dat", "b"] {
        folder.run(&["volume", "decode", "a.bwv", "-o", name]).ok();
        assert!(folder.read(name) == voxels(), "{name}");
    }
    for name in ["b.npy", "b.nrrd"] {
        folder.run(&["volume", "convert", "a.bwv", "--raw", "-o", name]).ok();
        assert!(folder.read(name) == voxels(), "{name}");
    }
    folder.run(&words("volume extract a.bwv --region ..,..,1 --raw -o part.x", &[])).ok();
    assert!(folder.read("part.x") == voxels()[23 * 9 * 2..23 * 9 * 4]);
    folder.run(&["volume", "decode", "a.bwv", "--raw", "--force"]).ok();
    assert!(folder.read("a.raw") == voxels() && !folder.names().contains(&"a.nrrd".to_owned()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_blamed_on_the_output() {
    let folder = folder();
    for input in ["a.bwv", "a.raw"] {
        let shape = if input == "a.raw" { &SHAPE[..] } else { &[] };
        let ran = folder.run(&words(&format!("volume convert {input} -o /dev/full"), shape));
        ran.fails(2, &["/dev/full: No space left on device"]);
        for output in ["x.nrrd", "x.bwv", "x.nii.gz"] {
            // A limit on the size of files simulates a full disk: 1 block of 512 or 1024 bytes.
            let shape = shape.join(" ");
            let script = format!("ulimit -f 1; exec \"$0\" volume convert {input} -o {output} {shape}");
            let output_of = folder.shell(&script).output().unwrap();
            let stderr = String::from_utf8(output_of.stderr).unwrap();
            assert_eq!(output_of.status.code(), Some(2), "{stderr}");
            assert!(stderr.contains(&format!("{output}: File too large")), "{stderr}");
        }
    }
    assert_eq!(folder.names(), ["a.bwv", "a.raw"]);
}

#[cfg(unix)]
#[test]
fn a_killed_conversion_leaves_no_file() {
    let folder = Folder::new();
    for output in ["x.nrrd", "x.bwv"] {
        let words = words("volume convert - --dims 1000x1000x900 --type u8 -o", &[output]);
        let mut child = folder.command(&words).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        // Less than it waits for, so that it cannot be done.
        pipe.write_all(&vec![7; 3 << 20]).unwrap();
        let start = Instant::now();
        while !folder.names().iter().any(|name| name.starts_with(".brickwork-")) {
            assert!(start.elapsed() < Duration::from_secs(60), "no temporary file");
            thread::sleep(Duration::from_millis(5));
        }
        send_signal(&child, Signal::SIGTERM);
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert!(folder.names().is_empty(), "{:?}", folder.names());
    }
}
