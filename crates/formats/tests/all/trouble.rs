//! Files that other programs, or once this one, read wrongly: `test-data/trouble`, a case each. All were
//! constructed from public bug reports.

#[cfg(feature = "dicom")]
use crate::dicom_file::element;
use brickwork_formats::{
    Note, OpenedVolume, SeriesChoice, VolumeFormat, VolumeOpenOptions, VolumeWriteOptions, open, write_volume,
};
use brickwork_volume::Task;
use std::path::PathBuf;

fn path(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/test-data/trouble")).join(name)
}

/// Returns the volume with its voxels, or the text of the error.
fn read(name: &str) -> Result<(OpenedVolume, Vec<u8>), String> {
    let opened = || open(path(name), &VolumeOpenOptions::default(), &Task::new());
    let mut bytes = Vec::new();
    let (options, task) = (VolumeWriteOptions::default(), Task::new());
    let volume = opened().map_err(|error| error.to_string())?;
    write_volume(volume, VolumeFormat::Raw, &options, &mut bytes, &task)
        .map_err(|error| error.to_string())?;
    Ok((opened().map_err(|error| error.to_string())?, bytes))
}

/// Expected result of a file.
enum Want {
    /// A volume.
    Read { dims: [usize; 3], spacing: [f64; 3], origin: [f64; 3], notes: &'static [&'static str] },
    /// An error with all of these in its text.
    Refused(&'static [&'static str]),
}

const fn read_as(dims: [usize; 3], spacing: [f64; 3], origin: [f64; 3]) -> Want {
    Want::Read { dims, spacing, origin, notes: &[] }
}

const DIMS: [usize; 3] = [7, 6, 5];
/// Spacing of the DICOM series.
#[cfg(feature = "dicom")]
const STEPS: [f64; 3] = [0.5, 0.5, 2.5];
#[cfg(feature = "dicom")]
const PLACE: [f64; 3] = [10.0, 20.0, 30.0];
/// Spacing of the sheared sform.
const NIFTI_STEPS: [f64; 3] = [2.0024984394500787, 3.0166206257996713, 4.004996878900157];

#[test]
fn each_file_gives_what_it_must() {
    let cases = [
        ("w01_imagej_um_no_spacing.tif", read_as([8, 8, 5], [0.00025, 0.00025, 0.001], [0.0; 3])),
        ("w02_nrrd_space_units_um.nrrd", read_as(DIMS, [0.0005, 0.0005, 0.002], [0.001, 0.002, 0.003])),
        #[cfg(feature = "dicom")]
        ("w03_dcm_pixelspacing_comma.dcm", Want::Refused(&["PixelSpacing", "0,5\\\\0,5", "not a number"])),
        #[cfg(feature = "dicom")]
        ("w03_dcm_position_comma", Want::Refused(&["0.dcm", "ImagePositionPatient", "10,5", "not a number"])),
        // Slices of nuclear medicine may be stacked against the normal: the last is the first along it.
        #[cfg(feature = "dicom")]
        ("w04_nm_negative_spacing_between_slices.dcm", read_as(DIMS, [0.5, 0.5, 3.0], [10.0, 20.0, 18.0])),
        #[cfg(feature = "dicom")]
        (
            "w05_dcm_pixelspacing_zero",
            Want::Refused(&["000.dcm", "PixelSpacing", "0\\\\0", "not above zero"]),
        ),
        ("w05_mha_spacing_zero.mha", Want::Refused(&["ElementSpacing", "0 0.5 2", "not above zero"])),
        #[cfg(feature = "dicom")]
        (
            "w06_dcm_pixelspacing_differs",
            Want::Refused(&["PixelSpacing", "0.5", "000.dcm", "0.6", "004.dcm"]),
        ),
        #[cfg(feature = "dicom")]
        (
            "w07_dcm_imagerpixelspacing_only",
            Want::Read {
                dims: DIMS,
                spacing: [0.3, 0.2, 2.5],
                origin: [10.0, 20.0, 30.0],
                notes: &["the spacing is ImagerPixelSpacing, on the detector"],
            },
        ),
        ("w08_mha_elementsize_only.mha", read_as(DIMS, [0.5, 0.5, 2.0], [1.0, 2.0, 3.0])),
        ("w09_nrrd_axis_mins.nrrd", read_as(DIMS, [0.5, 0.6, 2.0], [10.25, 20.3, 31.0])),
        #[cfg(feature = "dicom")]
        (
            "r02_dcm_two_series",
            Want::Refused(&[
                "2 series",
                "0: 5 slices of 7x6, 1.2.826.",
                "(000.dcm)",
                "1: 1 slice",
                "(005.dcm)",
            ]),
        ),
        #[cfg(feature = "dicom")]
        (
            "r03_dcm_folder_with_sr",
            Want::Read { dims: DIMS, spacing: STEPS, origin: PLACE, notes: &["no voxels: sr.dcm"] },
        ),
        #[cfg(feature = "dicom")]
        (
            "r04_dcm_missing_slice",
            Want::Refused(&["001.dcm and 002.dcm are 5 mm apart", "slices 2.5 mm", "a slice is missing"]),
        ),
        #[cfg(feature = "dicom")]
        (
            "r05_dcm_same_file_twice",
            Want::Read { dims: DIMS, spacing: STEPS, origin: PLACE, notes: &["copies of other files: 005"] },
        ),
        #[cfg(feature = "dicom")]
        (
            "r05_dcm_two_echoes",
            Want::Read {
                dims: DIMS,
                spacing: STEPS,
                origin: PLACE,
                notes: &["differ in EchoTime: they are 2 frames"],
            },
        ),
        #[cfg(feature = "dicom")]
        (
            "m01_enhanced_two_stacks.dcm",
            Want::Refused(&["2 series", "stack \"1\", 3 slices", "stack \"2\", 2 slices"]),
        ),
        // The position is that of the mosaic around the same centre: half of the other tile to the right and
        // down.
        #[cfg(feature = "dicom")]
        ("w26_siemens_mosaic.dcm", read_as([7, 6, 4], STEPS, [11.75, 21.5, 30.0])),
        ("r09_sequence_6_frames.seq.nrrd", read_as(DIMS, [0.5, 0.5, 2.0], [1.0, 2.0, 3.0])),
        #[cfg(feature = "dicom")]
        ("r06_dcm_no_preamble", read_as(DIMS, STEPS, PLACE)),
        #[cfg(feature = "dicom")]
        (
            "r06_dcm_padded_pixeldata",
            Want::Read { dims: DIMS, spacing: STEPS, origin: PLACE, notes: &["bytes after the voxels"] },
        ),
        ("r07_mha_2d.mha", read_as([7, 6, 1], [1.0; 3], [0.0; 3])),
        ("r08_mhd_headersize_minus1.mhd", read_as(DIMS, [0.5, 0.5, 2.0], [1.0, 2.0, 3.0])),
        ("r08_mhd_pattern.mhd", read_as(DIMS, [0.5, 0.5, 2.0], [1.0, 2.0, 3.0])),
        ("r09_nhdr_byteskip_minus1.nhdr", read_as(DIMS, [0.5, 0.5, 2.0], [1.0, 2.0, 3.0])),
        ("r10_gzip_trailing_zeros.nii.gz", read_as(DIMS, NIFTI_STEPS, [-10.0, -20.0, 30.0])),
        (
            "r10_nrrd_trailing_bytes.nrrd",
            Want::Read {
                dims: DIMS,
                spacing: [0.5, 0.5, 2.0],
                origin: [1.0, 2.0, 3.0],
                notes: &["100 bytes after the voxels"],
            },
        ),
        ("r14_vti_celldata.vti", read_as([6, 5, 4], [0.5, 0.5, 2.0], [1.25, 2.25, 4.0])),
        ("w25_png_slices_gap", Want::Refused(&["s#.png has no number 6 to 8"])),
        ("r15_not_gzipped.nii.gz", read_as(DIMS, NIFTI_STEPS, [-10.0, -20.0, 30.0])),
    ];
    let mut wrong = Vec::new();
    for (name, want) in cases {
        match (want, read(name)) {
            (Want::Read { dims, spacing, origin, notes }, Ok((volume, bytes))) => {
                let header = &volume.header;
                let have = [header.dims.x, header.dims.y, header.dims.z];
                let steps = [header.spacing.x, header.spacing.y, header.spacing.z];
                let is_near = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
                if have != dims || !is_near(steps, spacing) || !is_near(header.origin, origin) {
                    wrong.push(format!("{name}: {have:?} {steps:?} {:?}", header.origin));
                }
                let said: Vec<String> = volume.notes.iter().map(ToString::to_string).collect();
                if said.len() != notes.len()
                    || said.iter().zip(notes).any(|(said, note)| !said.contains(note))
                {
                    wrong.push(format!("{name}: notes {said:?}"));
                }
                if bytes.len() as u64 != header.raw_bytes().expect("a shape") {
                    wrong.push(format!("{name}: {} bytes", bytes.len()));
                }
            }
            (Want::Refused(parts), Err(error)) => {
                if !parts.iter().all(|part| error.contains(part)) {
                    wrong.push(format!("{name}: {error}"));
                }
            }
            (Want::Read { .. }, Err(error)) => wrong.push(format!("{name}: {error}")),
            (Want::Refused(_), Ok((volume, _))) => {
                wrong.push(format!("{name} is read, with {:?}", volume.header.spacing));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Keeps gradients, measurement frame and kinds, through `.bwv` and back.
#[test]
fn what_diffusion_needs_survives() {
    let folder = tempfile::tempdir().expect("a folder");
    let through = |from: PathBuf, name: &str, format| {
        let volume = open(from, &VolumeOpenOptions::default(), &Task::new()).expect("sound");
        let (to, options) = (folder.path().join(name), VolumeWriteOptions::default());
        let file = std::fs::File::create(&to).expect("a file");
        write_volume(volume, format, &options, file, &Task::new()).expect("a disk");
        to
    };
    let name = "w24_nrrd_dwmri_keys.nrrd";
    let bwv = through(path(name), "a.bwv", VolumeFormat::Bwv);
    let back = through(bwv, "a.nrrd", VolumeFormat::Nrrd);
    let lines = |path| {
        let bytes = std::fs::read(path).expect("a file");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let header = text.split("\n\n").next().expect("a header");
        // This is another name of the type.
        let mut lines: Vec<String> = header.lines().map(|line| line.replace("short", "int16")).collect();
        lines.sort();
        lines
    };
    assert_eq!(lines(back), lines(path(name)));
}

fn open_with(name: &str, options: &VolumeOpenOptions) -> Result<OpenedVolume, String> {
    open(path(name), options, &Task::new()).map_err(|error| error.to_string())
}

/// Chooses one of several series or stacks, by its index or its identifier.
#[cfg(feature = "dicom")]
#[test]
fn one_of_several_series_is_chosen() {
    let of = |name, text: &str| {
        open_with(name, &VolumeOpenOptions::default().with(|o| o.series = Some(SeriesChoice::of(text))))
    };
    let depth = |text| of("r02_dcm_two_series", text).map(|volume| volume.header.dims.z);
    assert_eq!((depth("0"), depth("1")), (Ok(5), Ok(1)));
    assert_eq!(depth("1.2.826.0.1.3680043.8.498.21747605944575015285487420929375473255"), Ok(1));
    let error = depth("2").expect_err("two series");
    assert!(error.contains("no single series matches 2") && error.contains("1: 1 slice"), "{error}");
    for (index, depth, y) in [("0", 3, 20.0), ("1", 2, 200.0)] {
        let header = of("m01_enhanced_two_stacks.dcm", index).expect("a stack").header;
        assert_eq!((header.dims.z, header.origin), (depth, [10.0, y, 30.0]));
    }
}

/// Reads the tiles of a mosaic as slices, row by row of tiles, also at several times.
#[cfg(feature = "dicom")]
#[test]
fn tiles_of_a_mosaic_are_slices() {
    let (_, bytes) = read("w26_siemens_mosaic.dcm").expect("four tiles");
    let numbers: Vec<u16> = bytes.as_chunks::<2>().0.iter().map(|word| u16::from_le_bytes(*word)).collect();
    // These are the first number of each slice's first row and the last number of its last row.
    let ends: Vec<[u16; 2]> = numbers.chunks(42).map(|slice| [slice[0], slice[41]]).collect();
    assert_eq!(ends, [[0, 517], [554, 71], [108, 625], [662, 179]]);
    // A second time has another acquisition.
    let file = std::fs::read(path("w26_siemens_mosaic.dcm")).expect("a file");
    let instance =
        file.windows(6).position(|bytes| bytes == [0x20, 0, 0x13, 0, b'I', b'S']).expect("a number");
    let folder = tempfile::tempdir().expect("a folder");
    for time in 0..3u8 {
        let mut acquisition = [0x20, 0, 0x12, 0, b'I', b'S', 2, 0, b'1', b' '];
        acquisition[8] += time;
        let file = [&file[..instance], &acquisition, &file[instance..]].concat();
        std::fs::write(folder.path().join(format!("{time}.dcm")), file).expect("a file");
    }
    let volume = open(folder.path(), &VolumeOpenOptions::default(), &Task::new()).expect("three times");
    assert_eq!((volume.header.dims.z, volume.header.frames), (4, 3), "{:?}", volume.notes);
}

/// A mosaic is read as a whole.
#[cfg(feature = "dicom")]
#[test]
fn a_mosaic_counts_with_all_its_tiles() {
    let image_bytes = 2 * 2 * 7 * 2 * 6;
    let open = |limit| {
        open_with(
            "w26_siemens_mosaic.dcm",
            &VolumeOpenOptions::default().with(|o| o.max_memory = Some(limit)),
        )
    };
    assert!(open(image_bytes).is_ok());
    let error = open(image_bytes - 1).expect_err("an image of four tiles");
    assert!(error.contains("takes 336 bytes of memory"), "{error}");
}

/// Reads the frames of a sequence, which are the fastest axis in the file.
#[test]
fn frames_of_a_sequence_follow_each_other() {
    let name = "r09_sequence_6_frames.seq.nrrd";
    let (volume, bytes) = read(name).expect("a sequence");
    assert_eq!((volume.header.frames, volume.header.channels), (6, 1));
    let file = std::fs::read(path(name)).expect("a file");
    let stored = &file[file.len() - 6 * 210 * 2..];
    for (frame, numbers) in bytes.chunks_exact(420).enumerate() {
        for (place, number) in numbers.chunks_exact(2).enumerate() {
            assert_eq!(number, &stored[(place * 6 + frame) * 2..][..2]);
        }
    }
}

/// Notes bytes after the voxels of listed files.
#[test]
fn bytes_after_listed_voxels_are_noted() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in [("a1.raw", &b"xab"[..]), ("a2.raw", b"xcdef")] {
        std::fs::write(folder.path().join(name), bytes).expect("a file");
    }
    let head = "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 2 1 2\nencoding: raw\nbyte skip: 1\n";
    let text = format!("{head}data file: a%d.raw 1 2 1\n\n");
    let volume = opened(folder.path(), "a.nhdr", text.as_bytes()).expect("two files");
    assert_eq!(volume.notes, [Note::BytesAfterVoxels { count: 2 }]);
}

/// Skips lines before the voxels, in the file of the header and in a separate one.
#[test]
fn lines_before_voxels_are_skipped() {
    let folder = tempfile::tempdir().expect("a folder");
    let head = "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 2 1 1\nencoding: raw\nline skip: 2\n";
    std::fs::write(folder.path().join("a.raw"), b"one\ntwo\nxab").expect("a file");
    for (text, want) in [
        (format!("{head}\none\ntwo\nab"), Ok("ab")),
        (format!("{head}data file: a.raw\nbyte skip: 1\n\n"), Ok("ab")),
        (format!("{head}data file: a.raw\nbyte skip: -1\n\n"), Ok("ab")),
        (format!("{head}\none\n"), Err("ends within the lines to skip")),
    ] {
        let found = opened(folder.path(), "a.nrrd", text.as_bytes()).map(|mut volume| {
            let mut bytes = String::new();
            std::io::Read::read_to_string(&mut volume.voxels, &mut bytes).expect("two bytes");
            bytes
        });
        match (found, want) {
            (Ok(found), Ok(want)) => assert_eq!(found, want, "{text}"),
            (Err(error), Err(want)) => assert!(error.contains(want), "{error}"),
            (found, _) => panic!("{text}: {found:?}"),
        }
    }
}

/// Leaves out missing slices on request, with a note.
#[test]
fn gaps_are_joined_on_request() {
    let options = VolumeOpenOptions::default().with(|o| o.allow_gaps = true);
    let cases = [
        ("w25_png_slices_gap", 12, 1.0, "s#.png has no number 6 to 8"),
        #[cfg(feature = "dicom")]
        ("r04_dcm_missing_slice", 4, 2.5, "between 001.dcm and 002.dcm"),
    ];
    for (name, depth, step, note) in cases {
        let volume = open_with(name, &options).expect("slices");
        let header = &volume.header;
        assert_eq!((header.dims.z, header.spacing.z), (depth, step), "{name}");
        let [said] = &volume.notes[..] else { panic!("{:?}", volume.notes) };
        assert!(said.to_string().contains(note), "{said}");
    }
}

fn copied(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (from, to) in files {
        let to = folder.path().join(to);
        std::fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        std::fs::copy(path(from), to).expect("a file");
    }
    folder
}

/// Leaves out masks and previews among slices.
#[test]
fn names_of_another_kind_are_not_mixed_in() {
    let slice = |index: usize| format!("w25_png_slices_gap/s{index:03}.png");
    let names: Vec<(String, String)> = (0..4)
        .map(|index| (slice(index), format!("s{index:03}.png")))
        .chain((0..2).map(|index| (slice(index), format!("s{index:03}_mask.png"))))
        .collect();
    let files = |count: usize| -> Vec<(&str, &str)> {
        names.iter().take(count).map(|(from, to)| (from.as_str(), to.as_str())).collect()
    };
    let folder = copied(&files(5));
    let open = |options: VolumeOpenOptions| {
        open(folder.path(), &options, &Task::new()).map_err(|error| error.to_string())
    };
    let volume = open(VolumeOpenOptions::default()).expect("slices");
    assert_eq!(volume.header.dims.z, 4);
    let [said] = &volume.notes[..] else { panic!("{:?}", volume.notes) };
    assert_eq!(said.to_string(), "left out, as their names differ from s#.png: s000_mask.png");
    // There are as many masks as slices.
    for name in ["s000.png", "s003.png"] {
        std::fs::remove_file(folder.path().join(name)).expect("a file");
    }
    std::fs::copy(path(&slice(2)), folder.path().join("s001_mask.png")).expect("a file");
    let error = open(VolumeOpenOptions::default()).expect_err("two kinds");
    assert!(error.contains("0: s#.png (2); 1: s#_mask.png (2)"), "{error}");
    let chosen = |text| open(VolumeOpenOptions::default().with(|o| o.series = Some(SeriesChoice::of(text))));
    assert_eq!(chosen("s#_mask.png").expect("two masks").header.dims.z, 2);
    assert!(chosen("s#_nothing.png").expect_err("no such").contains("no slices of the names"));
    // The most frequent pattern of names is no majority.
    let hexadecimal = ["s00.png", "s01.png", "s0a.png", "s0b.png"];
    let names: Vec<_> = hexadecimal.iter().enumerate().map(|(index, to)| (slice(index), *to)).collect();
    let folder = copied(&names.iter().map(|(from, to)| (from.as_str(), *to)).collect::<Vec<_>>());
    let error = brickwork_formats::open(folder.path(), &VolumeOpenOptions::default(), &Task::new())
        .expect_err("no majority");
    assert!(error.to_string().contains("0: s#.png (2)"), "{error}");
    // A second number counts channels.
    let grid: Vec<(String, String)> = (0..3)
        .flat_map(|z| (0..2).map(move |c| (z, c)))
        .map(|(z, c)| (slice(z), format!("z{z}_c{c}.png")))
        .collect();
    let files: Vec<(&str, &str)> = grid.iter().map(|(from, to)| (from.as_str(), to.as_str())).collect();
    let folder = copied(&files);
    let error =
        brickwork_formats::open(folder.path(), &VolumeOpenOptions::default(), &Task::new()).expect_err("two");
    assert!(error.to_string().contains("0: z#_c0.png (3); 1: z#_c1.png (3)"), "{error}");
}

/// Reads a disc: a DICOMDIR beside folders of files whose names have no extension.
#[cfg(feature = "dicom")]
#[test]
fn nested_folders_are_searched() {
    let name = |index: usize| format!("w27_monochrome1/{index:03}.dcm");
    let names: Vec<(String, String)> =
        (0..5).map(|index| (name(index), format!("DICOM/S{}/IM{index}", index % 2))).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|(from, to)| (from.as_str(), to.as_str())).collect();
    files.push(("r03_dcm_folder_with_sr/sr.dcm", "DICOMDIR"));
    let folder = copied(&files);
    for path in [folder.path().to_owned(), folder.path().join("DICOMDIR")] {
        let volume = open(&path, &VolumeOpenOptions::default(), &Task::new()).expect("slices");
        assert_eq!((volume.header.dims.z, volume.notes.len()), (5, 0), "{}", path.display());
    }
}

fn opened(folder: &std::path::Path, name: &str, bytes: &[u8]) -> Result<OpenedVolume, String> {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("a file");
    open(path, &VolumeOpenOptions::default(), &Task::new()).map_err(|error| error.to_string())
}

/// Checks an element of an unknown representation: it has a length of four bytes, for which the reader
/// allocates memory.
#[cfg(feature = "dicom")]
#[test]
fn a_meta_element_is_not_longer_than_its_file() {
    let folder = tempfile::tempdir().expect("a folder");
    for representation in [b"ZZ", b"UN", b"OB", b"\0\0"] {
        let element = [&[2, 0, 2, 0], &representation[..], &[0, 0, 0xF0, 0xFF, 0xFF, 0xFF]].concat();
        let length = (element.len() as u32).to_le_bytes();
        for preamble in [0, 128] {
            let file =
                [&vec![0; preamble], &b"DICM\x02\0\0\0UL\x04\0"[..], &length, &element, &[0; 1500]].concat();
            let error = opened(folder.path(), "a.dcm", &file).expect_err("a file of 2 kB");
            assert!(error.contains("the file has"), "{error}");
        }
    }
}

/// Returns a DICOM file of one slice with one more element before its voxels.
#[cfg(feature = "dicom")]
fn with_element(element: &[u8]) -> Vec<u8> {
    let file = std::fs::read(path("w27_monochrome1/000.dcm")).expect("a file");
    let voxels = [0xe0, 0x7f, 0x10, 0, b'O', b'W'];
    let at = file.windows(6).position(|bytes| bytes == voxels).expect("voxels");
    [&file[..at], element, &file[at..]].concat()
}

/// Refuses numbers that are present but unusable, in every field of the geometry and of physical values.
#[cfg(feature = "dicom")]
#[test]
fn numbers_of_dicom_are_usable_or_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for (group, number, text, field, reason) in [
        (0x28, 0x1053, "1,5", "RescaleSlope", "not a number"),
        (0x28, 0x1053, "0", "RescaleSlope", "zero"),
        (0x28, 0x1052, "N/A", "RescaleIntercept", "not a number"),
        (0x28, 0x30, "0.5", "PixelSpacing", "expected 2 numbers"),
        (0x28, 0x30, "N/A", "PixelSpacing", "not a number"),
        (0x18, 0x50, "2,5", "SliceThickness", "not a number"),
        (0x18, 0x50, "-2.5", "SliceThickness", "below zero"),
        (0x18, 0x88, "inf", "SpacingBetweenSlices", "not a finite number"),
        (0x20, 0x32, "1\\2", "ImagePositionPatient", "expected 3 numbers"),
        (0x20, 0x37, "2\\0\\0\\0\\1\\0", "ImageOrientationPatient", "not a direction of length 1"),
    ] {
        let file = with_element(&element(group, number, b"DS", text.as_bytes()));
        let error = opened(folder.path(), "a.dcm", &file).expect_err(text);
        assert!(error.contains(field) && error.contains(reason), "{text}: {error}");
    }
    let file = with_element(&element(0x28, 0x1053, b"DS", b"1.5"));
    opened(folder.path(), "a.dcm", &file).expect("a slope");
}

/// Refuses lengths beyond the end of the file in every group, before memory is allocated.
#[cfg(feature = "dicom")]
#[test]
fn an_element_is_not_longer_than_its_file() {
    let folder = tempfile::tempdir().expect("a folder");
    for (group, number) in [(0x9u16, 0x1001u16), (0x10, 0x10), (0x29, 0x1010)] {
        for representation in [b"UN", b"OB", b"UT"] {
            let head = [group.to_le_bytes(), number.to_le_bytes(), *representation, [0; 2]].concat();
            let file = with_element(&[&head[..], &0x7000_0000u32.to_le_bytes()].concat());
            let error = opened(folder.path(), "a.dcm", &file).expect_err("a file of 1 kB");
            assert!(error.contains("the file has"), "{error}");
        }
    }
}

/// Takes the sign of a distance between slices as a direction in nuclear medicine alone.
#[cfg(feature = "dicom")]
#[test]
fn a_negative_distance_counts_by_its_size() {
    let mut file = std::fs::read(path("w04_nm_negative_spacing_between_slices.dcm")).expect("a file");
    let modality = file.windows(4).position(|bytes| bytes == b"\x02\0NM").expect("a modality");
    file[modality + 2..][..2].copy_from_slice(b"MR");
    let folder = tempfile::tempdir().expect("a folder");
    let header = opened(folder.path(), "a.dcm", &file).expect("frames").header;
    assert_eq!((header.spacing.z, header.origin), (3.0, PLACE));
}

/// Reads a sample of 2·10⁹ voxels in a row, in parts.
#[test]
fn a_wide_volume_that_is_not_there_is_an_error() {
    let header = b"NRRD0004\ntype: uint8\ndimension: 3\nsizes: 2000000000 50 50\nencoding: gzip\n\n";
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, b"abc").expect("memory");
    let folder = tempfile::tempdir().expect("a folder");
    let file = [&header[..], &packed.finish().expect("memory")].concat();
    let volume = opened(folder.path(), "a.nrrd", &file).expect("a header");
    let options = VolumeWriteOptions::default();
    let error = write_volume(volume, VolumeFormat::Bwv, &options, std::io::sink(), &Task::new());
    assert!(error.is_err());
}

/// Refuses a pipe in place of a file: reading it could wait for ever.
#[cfg(unix)]
#[test]
fn voxels_are_in_a_regular_file() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["pipe.raw", "pipe1"] {
        nix::unistd::mkfifo(&folder.path().join(name), nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    }
    for name in ["pipe.raw", "pipe%d 1 1 1", "LIST\npipe.raw"] {
        let header =
            format!("NDims = 3\nDimSize = 2 1 1\nElementType = MET_UCHAR\nElementDataFile = {name}\n");
        let error = opened(folder.path(), "a.mhd", header.as_bytes()).expect_err("a pipe");
        assert!(error.contains("is not a regular file"), "{error}");
    }
}
