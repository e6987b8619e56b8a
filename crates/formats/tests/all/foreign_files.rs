//! Files of other programs that were once read wrongly or refused: `test-data/trouble`, from f03 on. All were
//! constructed from public bug reports.

use brickwork_formats::{
    OpenError, OpenedVolume, VolumeFormat, VolumeOpenOptions, VolumePipe, VolumeWriteOptions, open, rescale,
    write_volume,
};
use brickwork_volume::{ByteOrder, Dims, ErrorKind, Header, Task, VoxelKind, VoxelType};
use std::{
    io::Cursor,
    path::{Path, PathBuf},
};

fn trouble(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/test-data/trouble")).join(name)
}

fn open_file(path: &Path) -> Result<OpenedVolume, OpenError> {
    open(path, &VolumeOpenOptions::default(), &Task::new())
}

fn raw(volume: OpenedVolume) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    write_volume(volume, VolumeFormat::Raw, &VolumeWriteOptions::default(), &mut bytes, &Task::new())
        .map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// Returns the volume and its voxels in little-endian bytes.
fn read(path: &Path) -> Result<(OpenedVolume, Vec<u8>), String> {
    let opened = || open_file(path).map_err(|error| error.to_string());
    Ok((opened()?, raw(opened()?)?))
}

fn notes(volume: &OpenedVolume) -> Vec<String> {
    volume.notes.iter().map(ToString::to_string).collect()
}

fn words(bytes: &[u8]) -> Vec<u16> {
    bytes.as_chunks::<2>().0.iter().map(|word| u16::from_le_bytes(*word)).collect()
}

/// `numpy.load` yields equal arrays for both orders: shape z, y, x.
#[test]
fn fortran_order_is_the_order_of_the_file_alone() {
    let path = trouble("f15_fortran.npy");
    let file = std::fs::read(&path).expect("a file");
    let pipe = VolumePipe::new(Cursor::new(file.clone())).expect("memory");
    let piped = pipe.open(&VolumeOpenOptions::default(), &Task::new()).expect("an array");
    assert_eq!(piped.header.dims, Dims::new(6, 5, 4));
    let (volume, bytes) = read(&path).expect("an array");
    assert_eq!((volume.header.dims, volume.order), (Dims::new(6, 5, 4), ByteOrder::Little));
    assert_eq!(words(&bytes), (0..120).collect::<Vec<u16>>());
    assert_eq!(raw(piped).expect("memory"), bytes);
    let more = VolumePipe::new(Cursor::new([&file[..], b"x"].concat())).expect("memory");
    let more = more.open(&VolumeOpenOptions::default(), &Task::new()).expect("an array");
    assert!(notes(&more)[0].starts_with("1 bytes after the voxels"), "{:?}", notes(&more));
    assert_eq!(raw(more).expect("memory"), bytes);
    let folder = tempfile::tempdir().expect("a folder");
    let cut = folder.path().join("cut.npy");
    std::fs::write(&cut, &file[..file.len() - 1]).expect("a file");
    let error = open_file(&cut).expect_err("a byte is missing");
    assert_eq!(error.to_string(), "expected 240 bytes of voxels, but there are 239");
}

fn spacing(header: &Header) -> [f64; 3] {
    [header.spacing.x, header.spacing.y, header.spacing.z]
}

/// Returns a number of a tag in a little-endian TIFF file of one directory, and its position.
fn tag(file: &[u8], wanted: u16) -> (u32, usize) {
    let long = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes"));
    let short = |at: usize| u16::from_le_bytes(file[at..at + 2].try_into().expect("two bytes"));
    let directory = long(4) as usize;
    let entries = (0..usize::from(short(directory))).map(|i| directory + 2 + 12 * i);
    let entry = entries.into_iter().find(|&entry| short(entry) == wanted).expect("the tag");
    (long(entry + 8), entry + 8)
}

#[test]
fn planes_of_metamorph_are_slices_or_frames() {
    let path = trouble("f04_metamorph.stk");
    let (volume, bytes) = read(&path).expect("a stack");
    assert_eq!((volume.header.dims, volume.header.voxel_type), (Dims::new(6, 5, 4), VoxelType::U16));
    assert_eq!(spacing(&volume.header), [0.00025, 0.00025, 0.0015]);
    assert_eq!(words(&bytes), (0..120).map(|i| 7 * i).collect::<Vec<u16>>());
    assert_eq!(notes(&volume), [""; 0]);
    // Without distances, planes of different times are frames: 250 ms apart.
    let folder = tempfile::tempdir().expect("a folder");
    let other = folder.path().join("a.stk");
    let file = std::fs::read(&path).expect("a file");
    let planes = tag(&file, 33629).0 as usize;
    let mut times = file.clone();
    for plane in 0..4 {
        times[planes + 24 * plane..][..4].fill(0);
        times[planes + 24 * plane + 12..][..4].copy_from_slice(&(250 * plane as u32).to_le_bytes());
    }
    std::fs::write(&other, &times).expect("a file");
    let (volume, bytes) = read(&other).expect("a stack");
    let header = &volume.header;
    assert_eq!((header.dims, header.frames, header.frame_spacing), (Dims::new(6, 5, 1), 4, 0.25));
    assert_eq!(words(&bytes), (0..120).map(|i| 7 * i).collect::<Vec<u16>>());
    // Uneven distances are noted, and those of another unit along x are converted.
    let mut uneven = file.clone();
    uneven[planes + 48] = 30;
    let unit = file.windows(2).position(|pair| pair == b"um").expect("the unit");
    uneven[unit..unit + 2].copy_from_slice(b"nm");
    std::fs::write(&other, &uneven).expect("a file");
    let volume = open_file(&other).expect("a stack");
    assert_eq!(spacing(&volume.header), [0.25e-6, 0.25e-6, 0.0015]);
    assert!(notes(&volume)[0].contains("UIC2Tag has different distances"), "{:?}", notes(&volume));
    // Wavelengths, compressed planes, and values outside the file.
    let mut waves = file.clone();
    waves[tag(&file, 33630).0 as usize] ^= 1;
    let mut packed = file.clone();
    let compression = tag(&file, 259).1;
    packed[compression..compression + 2].copy_from_slice(&5u16.to_le_bytes());
    // Two pages cannot hold four planes. (A copy of the directory follows.)
    let directory = u32::from_le_bytes(file[4..8].try_into().expect("four bytes")) as usize;
    let entry_count = usize::from(u16::from_le_bytes([file[directory], file[directory + 1]]));
    let mut pages = file.clone();
    let second = (pages.len() as u32).to_le_bytes();
    let end = directory + 2 + 12 * entry_count;
    pages.extend(file[directory..end + 4].to_vec());
    pages[end..end + 4].copy_from_slice(&second);
    let mut outside = file.clone();
    let at = tag(&file, 33629).1;
    outside[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    for (file, kind, reason) in [
        (waves, ErrorKind::Unsupported, "a MetaMorph stack of several wavelengths"),
        (packed, ErrorKind::Unsupported, "a MetaMorph stack of 4 planes that are compressed"),
        (pages, ErrorKind::Unsupported, "a MetaMorph stack of 4 planes that are compressed"),
        (outside, ErrorKind::Invalid, "the file of a MetaMorph stack has 632 bytes"),
    ] {
        std::fs::write(&other, file).expect("a file");
        let error = open_file(&other).expect_err(reason);
        assert!(error.to_string().contains(reason) && error.kind() == kind, "{error}");
    }
}

#[test]
fn features_of_tiff_are_named() {
    for (name, reason) in [
        ("f33_image_depth.tif", "a page of 16 planes (ImageDepth)"),
        ("f26_zstd.tif", "a page compressed by Zstandard (compression 50000)"),
        ("f26_lerc.tif", "a page compressed by LERC (compression 34887)"),
    ] {
        let error = open_file(&trouble(name)).expect_err(name);
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{name}");
        assert!(error.to_string().contains(reason), "{error}");
    }
}

#[test]
fn a_line_of_imagej_is_slope_and_intercept() {
    let path = trouble("f14_imagej_signed.tif");
    let volume = open_file(&path).expect("a stack");
    let line = volume.header.rescaling().and_then(|line| line.uniform()).expect("a line");
    assert_eq!((line.slope, line.intercept), (1.0, -32768.0));
    let physical = rescale(volume, &Task::new()).expect("voxels");
    assert_eq!((physical.header.voxel_type, physical.header.rescaling()), (VoxelType::I16, None));
    let bytes = raw(physical).expect("voxels");
    let values: Vec<i16> = bytes.as_chunks::<2>().0.iter().map(|b| i16::from_le_bytes(*b)).collect();
    assert_eq!(values, (0..40).map(|i| 10 * i - 200).collect::<Vec<i16>>());
    // Other functions are noted, a slope of 0 is refused.
    let folder = tempfile::tempdir().expect("a folder");
    let other = folder.path().join("a.tif");
    let file = std::fs::read(&path).expect("a file");
    let with = |old: &[u8], new: &[u8]| {
        let at = file.windows(old.len()).position(|bytes| bytes == old).expect("the text");
        let mut changed = file.clone();
        changed[at..at + old.len()].copy_from_slice(new);
        std::fs::write(&other, changed).expect("a file");
        open_file(&other)
    };
    let volume = with(b"cf=0", b"cf=3").expect("a stack");
    assert!(volume.header.rescaling().is_none());
    assert!(notes(&volume)[0].contains("calibration function 3"), "{:?}", notes(&volume));
    let error = with(b"c1=1.0", b"c1=0.0").expect_err("a slope of 0").to_string();
    assert!(error.contains("c1") && error.contains("zero"), "{error}");
}

#[test]
fn unknown_sizes_of_ome_are_those_that_are_known() {
    let volume = open_file(&trouble("f13_ome_no_z_size.ome.tif")).expect("a stack");
    assert_eq!(spacing(&volume.header), [0.0005; 3]);
    let notes = notes(&volume);
    assert!(
        matches!(&notes[..], [note] if note.contains("z is unknown: it is taken as 0.0005 mm")),
        "{notes:?}"
    );
}

#[test]
fn slices_of_imagej_have_a_spacing() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["s0.tif", "s1.tif", "s2.tif"] {
        std::fs::copy(trouble("f30_imagej_slices").join(name), folder.path().join(name)).expect("a file");
    }
    let (volume, bytes) = read(folder.path()).expect("slices");
    assert_eq!((volume.header.dims, bytes.len()), (Dims::new(6, 5, 3), 90));
    assert_eq!(spacing(&volume.header), [0.00025, 0.00025, 0.002]);
    assert_eq!(notes(&volume), [""; 0]);
    // Another distance in one file is noted.
    let path = folder.path().join("s1.tif");
    let mut file = std::fs::read(&path).expect("a file");
    let at = file.windows(11).position(|bytes| bytes == b"spacing=2.0").expect("the text");
    file[at + 8] = b'3';
    std::fs::write(&path, file).expect("a file");
    let volume = open_file(folder.path()).expect("slices");
    assert_eq!(spacing(&volume.header), [0.00025, 0.00025, 0.002]);
    assert!(notes(&volume)[0].starts_with("s1.tif states other distances"), "{:?}", notes(&volume));
}

#[test]
fn tiles_of_lzw_are_read_at_once() {
    let (volume, bytes) = read(&trouble("f03_lzw_tiles.tif")).expect("tiles");
    assert_eq!((volume.header.dims, volume.header.voxel_type), (Dims::new(64, 64, 2), VoxelType::U8));
    assert!(bytes.iter().all(|&byte| byte == 7) && bytes.len() == 8192);
}

#[test]
fn an_intent_of_labels_makes_labels() {
    let path = trouble("f17_label_intent.nii");
    assert_eq!(open_file(&path).expect("labels").header.kind, VoxelKind::Labels);
    let folder = tempfile::tempdir().expect("a folder");
    let other = folder.path().join("a.nii");
    let mut file = std::fs::read(&path).expect("a file");
    file[68..70].copy_from_slice(&0u16.to_le_bytes());
    std::fs::write(&other, file).expect("a file");
    assert_eq!(open_file(&other).expect("intensities").header.kind, VoxelKind::Intensity);
}

#[test]
fn arrays_that_are_left_out_are_named() {
    let (volume, bytes) = read(&trouble("f18_two_arrays.vti")).expect("an array");
    assert_eq!((volume.header.voxel_type, words(&bytes)), (VoxelType::I16, (0..60).collect::<Vec<u16>>()));
    assert_eq!(notes(&volume), ["the array \"temperature\" is read; left out: pressure"]);
}

#[test]
fn the_time_of_the_first_frame_is_noted() {
    let (volume, bytes) = read(&trouble("f16_sitk_4d.nrrd")).expect("frames");
    let header = &volume.header;
    assert_eq!((header.dims, header.frames, header.frame_spacing), (Dims::new(6, 5, 4), 3, 0.5));
    assert_eq!((header.origin, bytes.len()), ([10.0, 20.0, 30.0], 720));
    assert_eq!(notes(&volume), ["space origin: the first frame is at 7 s; this time is not kept"]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.mha");
    let text = "NDims = 4\nDimSize = 1 1 1 2\nElementSpacing = 1 1 1 0.5\nOffset = 1 2 3 7\n\
                ElementType = MET_UCHAR\nElementDataFile = LOCAL\nab";
    std::fs::write(&path, text).expect("a file");
    let volume = open_file(&path).expect("frames");
    assert_eq!((volume.header.origin, volume.header.frame_spacing), ([1.0, 2.0, 3.0], 0.5));
    assert_eq!(notes(&volume), ["Offset: the first frame is at 7 s; this time is not kept"]);
}

/// The time between frames that is unknown in the source stays unknown.
#[test]
fn an_unknown_time_stays_unknown() {
    let folder = tempfile::tempdir().expect("a folder");
    let header = Header::new(VoxelType::U8, Dims::new(6, 5, 4)).with(|header| header.frames = 2);
    for (format, name) in [
        (VolumeFormat::Nrrd, "a.nrrd"),
        (VolumeFormat::MetaImage, "a.mha"),
        (VolumeFormat::Nifti, "a.nii"),
        (VolumeFormat::Bwv, "a.bwv"),
    ] {
        for step in [0.0, 1.0, 0.5] {
            let path = folder.path().join(name);
            let voxels = brickwork_volume::VoxelStream::Once(Box::new(Cursor::new(vec![7; 240])));
            let volume = OpenedVolume {
                format: VolumeFormat::Raw,
                header: header.clone().with(|header| header.frame_spacing = step),
                order: ByteOrder::Little,
                voxels,
                files: Vec::new(),
                notes: Vec::new(),
            };
            let file = std::fs::File::create(&path).expect("a file");
            write_volume(volume, format, &VolumeWriteOptions::default(), file, &Task::new()).expect("a disk");
            let found = open_file(&path).expect("our own file").header;
            assert_eq!((found.frames, found.frame_spacing), (2, step), "{name}");
            assert!(!found.metadata.contains("unknown"), "{}", found.metadata);
        }
    }
}

#[test]
fn the_voxels_of_a_pair_name_it() {
    for name in ["f27_pair.img", "f27_pair.hdr"] {
        let (volume, bytes) = read(&trouble(name)).expect("a pair");
        assert_eq!((volume.format, bytes.len()), (VolumeFormat::Nifti, 48), "{name}");
        assert_eq!(volume.files, [trouble("f27_pair.hdr"), trouble("f27_pair.img")], "{name}");
    }
    assert_eq!(VolumeFormat::detect(&trouble("f27_pair.img")).expect("a file"), VolumeFormat::Nifti);
    // The header of ENVI is text, and a description is one of raw voxels.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.img");
    std::fs::write(&path, [0; 48]).expect("a file");
    std::fs::write(folder.path().join("a.hdr"), "ENVI\nsamples = 4\n".repeat(40)).expect("a file");
    assert!(matches!(open_file(&path), Err(OpenError::Undescribed)));
    let described = brickwork_formats::RawLayout::new(VoxelType::U8, Dims::new(48, 1, 1));
    let options = VolumeOpenOptions::default().with(|o| o.raw = described);
    let volume = open(trouble("f27_pair.img"), &options, &Task::new()).expect("raw voxels");
    assert_eq!(volume.format, VolumeFormat::Raw);
}

#[test]
fn a_long_of_metaimage_has_four_bytes() {
    let (volume, bytes) = read(&trouble("f28_met_long.mha")).expect("a volume");
    assert_eq!((volume.header.dims, volume.header.voxel_type), (Dims::new(4, 3, 2), VoxelType::I32));
    let values: Vec<i32> = bytes.as_chunks::<4>().0.iter().map(|b| i32::from_le_bytes(*b)).collect();
    assert_eq!(values, (0..24).map(|i| 1000 * i).collect::<Vec<i32>>());
}

#[test]
fn pointers_to_files_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    for (text, reason) in [
        ("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n", "Git LFS"),
        ("/annex/objects/MD5E-s123--4d7a.nii.gz\n", "git-annex"),
    ] {
        for name in ["a.nii.gz", "a.tif", "a.dcm", "a.bwv", "a.mha", "a"] {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("a file");
            let error = open_file(&path).expect_err(name).to_string();
            assert!(error.contains(reason) && error.contains("run `git"), "{name}: {error}");
        }
    }
}
