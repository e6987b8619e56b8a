//! Small files that claim a lot, read in little memory by a child process: an allocation of the claimed size
//! would end it.

use crate::{
    claimed_tiff::{many_values, wide_jpeg, wide_tile},
    dicom_file::{element, start},
};
use brickwork_formats::{VolumeOpenOptions, open};
use brickwork_volume::{Task, read_frame};
use std::{env, io, process::Command};

/// Address space of the child in KiB.
const MEMORY: u32 = 300_000;

/// Name of the variable with the path that the child reads.
const PATH: &str = "BRICKWORK_TEST_CLAIM";

/// A DICOM file with a million frames in one fragment of RLE.
fn frames() -> Vec<u8> {
    let number = |number, value: u16| element(0x28, number, b"US", &value.to_le_bytes());
    let pixels = [&[0xe0, 0x7f, 0x10, 0, b'O', b'B', 0, 0, 0xff, 0xff, 0xff, 0xff][..], &item(0), &item(0)];
    [
        start("1.2.840.10008.1.2.5", 1),
        number(2, 1),
        element(0x28, 4, b"CS", b"MONOCHROME2"),
        element(0x28, 8, b"IS", b"1048576 "),
        number(0x10, 1),
        number(0x11, 1),
        number(0x100, 8),
        number(0x101, 8),
        number(0x102, 7),
        number(0x103, 0),
        pixels.concat(),
        item(0xdd),
    ]
    .concat()
}

/// An empty item, or the end of a sequence.
fn item(kind: u8) -> Vec<u8> {
    [[0xfe, 0xff, kind, 0xe0], [0; 4]].concat()
}

/// Headers of every format of volumes.
fn headers() -> Vec<(&'static str, Vec<u8>)> {
    let nrrd = |more: &str| format!("NRRD0004\ntype: uint8\n{more}\n\n12345678").into_bytes();
    let mut mgh = [1i32, 30000, 30000, 30000, 1, 0].map(i32::to_be_bytes).concat();
    mgh.resize(300, 0);
    let mut nifti = vec![0; 400];
    nifti[..4].copy_from_slice(&348i32.to_le_bytes());
    nifti[40..48].copy_from_slice(&[3i16, 30000, 30000, 30000].map(i16::to_le_bytes).concat());
    nifti[70..74].copy_from_slice(&[2i16, 8].map(i16::to_le_bytes).concat());
    nifti[108..112].copy_from_slice(&352f32.to_le_bytes());
    nifti[344..348].copy_from_slice(b"n+1\0");
    let numpy = "{'descr': '|u1', 'fortran_order': False, 'shape': (30000, 30000, 30000), }";
    let numpy =
        [b"\x93NUMPY\x01\0".as_slice(), &(numpy.len() as u16).to_le_bytes(), numpy.as_bytes(), b"123"];
    let vti = "<VTKFile type=\"ImageData\" byte_order=\"LittleEndian\" compressor=\"vtkZLibDataCompressor\">\
               <ImageData WholeExtent=\"0 29999 0 29999 0 29999\"><PointData Scalars=\"a\">\
               <DataArray type=\"UInt8\" Name=\"a\" format=\"appended\" offset=\"0\"/></PointData>\
               </ImageData><AppendedData encoding=\"raw\">_";
    let sizes = "DimSize = 30000 30000 30000";
    let meta = format!("NDims = 3\n{sizes}\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n1");
    let blocks = [900_000_000u32, 30000, 30000].map(u32::to_le_bytes).concat();
    let mut mrc = [30000i32, 30000, 30000, 2, 0, 0, 0, 1, 1, 1].map(i32::to_le_bytes).concat();
    mrc.resize(1030, 0);
    mrc[64..76].copy_from_slice(&[3i32, 2, 1].map(i32::to_le_bytes).concat());
    mrc[208..216].copy_from_slice(b"MAP \x44\x44\0\0");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    io::Write::write_all(&mut packed, &mrc).expect("memory");
    let packed = packed.finish().expect("memory");
    vec![
        ("a.mrc", mrc),
        ("a.mrc.gz", packed),
        // A window of Zstandard of 2²⁷ bytes.
        ("a.nii.zst", vec![0x28, 0xB5, 0x2F, 0xFD, 0, 17 << 3, 0x41, 0, 0]),
        ("raw.nrrd", nrrd("dimension: 3\nsizes: 30000 30000 30000\nencoding: raw")),
        ("text.nrrd", nrrd("dimension: 3\nsizes: 30000 30000 30000\nencoding: ascii")),
        (
            "frames.nrrd",
            nrrd("dimension: 4\nsizes: 2000000000 2 2 2\nkinds: list domain domain domain\nencoding: raw"),
        ),
        ("a.mha", meta.into_bytes()),
        ("a.mgh", mgh),
        ("a.nii", nifti),
        ("a.npy", numpy.concat()),
        ("a.vti", [vti.as_bytes(), &blocks].concat()),
        ("frames.dcm", frames()),
        ("tile.tif", wide_tile()),
        ("jpeg.tif", wide_jpeg()),
        ("values.tif", many_values()),
    ]
}

/// Reads the file that the parent names, which must be an error. Without one, nothing is tested.
#[test]
fn the_file_of_the_parent_is_refused() {
    let Some(path) = env::var_os(PATH) else { return };
    let opened = || open(&path, &VolumeOpenOptions::default(), &Task::new());
    let Ok(mut volume) = opened() else { return };
    let copied = io::copy(&mut volume.voxels, &mut io::sink());
    assert!(copied.is_err() || copied.is_ok_and(|count| count < 1000));
    let volume = opened().expect("a header");
    assert!(read_frame(volume.voxels, volume.order, &volume.header, 0, &Task::new()).is_err());
}

#[test]
fn no_memory_is_taken_for_voxels_that_are_not_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = env::current_exe().expect("this program");
    let mut failed = Vec::new();
    for (name, file) in headers() {
        let path = folder.path().join(name);
        std::fs::write(&path, file).expect("a file");
        let test = "claims::the_file_of_the_parent_is_refused";
        let script = format!("ulimit -v {MEMORY}; exec \"$0\" --exact {test} --test-threads 1");
        let child = Command::new("sh")
            .args(["-c", &script])
            .arg(&program)
            .env(PATH, &path)
            .output()
            .expect("a shell");
        // A name that matches no test succeeds, too.
        let has_run = String::from_utf8_lossy(&child.stdout).contains("1 passed");
        if !child.status.success() || !has_run {
            failed.push((name, String::from_utf8_lossy(&child.stderr).into_owned()));
        }
    }
    assert_eq!(failed, []);
}
