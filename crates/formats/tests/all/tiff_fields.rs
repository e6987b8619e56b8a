//! TIFF stacks whose fields decide: shapes of tifffile in pages of colours, Zeiss's private tag, and
//! resolutions. The files are made here, field by field.

use brickwork_formats::{OpenedVolume, VolumeOpenOptions, open};
use brickwork_volume::{Dims, Task};
use std::{fs::File, io::Read as _};

/// Types of fields.
const BYTE: u16 = 1;
const ASCII: u16 = 2;
const SHORT: u16 = 3;
const LONG: u16 = 4;
const RATIONAL: u16 = 5;

/// A page of bytes: tags, types and values of its fields, and the voxels in strips of one size.
#[derive(Clone)]
struct Page {
    fields: Vec<(u16, u16, Vec<u8>)>,
    voxels: Vec<u8>,
    strip_count: usize,
}

fn shorts(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn longs(numbers: impl Iterator<Item = usize>) -> Vec<u8> {
    numbers.flat_map(|number| (number as u32).to_le_bytes()).collect()
}

impl Page {
    /// A page with samples side by side, or in planes.
    fn new([width, height]: [u16; 2], samples: u16, in_planes: bool, voxels: Vec<u8>) -> Self {
        let mut fields = Vec::new();
        for (tag, value) in [
            (256, width),
            (257, height),
            (259, 1),
            (262, if samples > 1 { 2 } else { 1 }),
            (277, samples),
            (278, height),
            (284, if in_planes { 2 } else { 1 }),
        ] {
            fields.push((tag, SHORT, shorts(&[value])));
        }
        fields.push((258, SHORT, shorts(&vec![8; samples.into()])));
        if samples > 3 {
            fields.push((338, SHORT, shorts(&[2])));
        }
        Self { fields, voxels, strip_count: if in_planes { samples.into() } else { 1 } }
    }

    fn with(mut self, tag: u16, kind: u16, value: impl Into<Vec<u8>>) -> Self {
        self.fields.push((tag, kind, value.into()));
        self
    }
}

fn file(pages: &[Page]) -> Vec<u8> {
    let mut file = b"II*\0\0\0\0\0".to_vec();
    let mut link = 4;
    for Page { fields, voxels, strip_count } in pages {
        let (start, strip) = (file.len(), voxels.len() / strip_count);
        file.extend(voxels);
        let mut fields = fields.clone();
        fields.push((273, LONG, longs((0..*strip_count).map(|i| start + i * strip))));
        fields.push((279, LONG, longs((0..*strip_count).map(|_| strip))));
        fields.sort();
        let mut directory = shorts(&[fields.len() as u16]);
        for (tag, kind, mut value) in fields {
            let size = match kind {
                SHORT => 2,
                LONG => 4,
                RATIONAL => 8,
                _ => 1,
            };
            directory.extend([shorts(&[tag, kind]), longs([value.len() / size].into_iter())].concat());
            if value.len() > 4 {
                let at = longs([file.len()].into_iter());
                file.extend(value);
                value = at;
            }
            value.resize(4, 0);
            directory.extend(value);
        }
        let at = longs([file.len()].into_iter());
        file[link..link + 4].copy_from_slice(&at);
        file.extend(directory);
        link = file.len();
        file.extend([0; 4]);
    }
    file
}

/// The volume of a file of this name, and its voxels.
fn read(name: &str, pages: &[Page]) -> Result<(OpenedVolume, Vec<u8>), String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, file(pages)).expect("a file");
    let opened = open(&path, &VolumeOpenOptions::default(), &Task::new());
    let mut volume = opened.map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    volume.voxels.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok((volume, bytes))
}

fn notes(volume: &OpenedVolume) -> Vec<String> {
    volume.notes.iter().map(ToString::to_string).collect()
}

fn counted(count: usize) -> Vec<u8> {
    (0..count).map(|i| i as u8).collect()
}

/// By default, tifffile takes 3 or 4 slices for the planes of a page of colours, and 3 or 4 columns for its
/// samples.
#[test]
fn named_axes_count_more_than_colours() {
    /// Channels, sides and frames.
    fn shape(volume: &OpenedVolume) -> [usize; 5] {
        let header = &volume.header;
        [header.channels, header.dims.x, header.dims.y, header.dims.z, header.frames]
    }
    // Pages of 5×2 with numbers in the order of the file.
    let read = |text: &str, samples: u16, in_planes: bool, page_count: usize| {
        let byte_count = 10 * usize::from(samples);
        let page = |index: usize| {
            let voxels = (0..byte_count).map(|i| (byte_count * index + i) as u8).collect();
            Page::new([5, 2], samples, in_planes, voxels)
        };
        let mut pages: Vec<Page> = (0..page_count).map(page).collect();
        pages[0] = pages[0].clone().with(270, ASCII, format!("{text}\0"));
        read("a.tif", &pages).expect(text)
    };
    for samples in [3, 4] {
        let (count, text) =
            (usize::from(samples), |axes| format!("{{\"shape\": [{samples}, 2, 5], \"axes\": \"{axes}\"}}"));
        let (volume, bytes) = read(&text("ZYX"), samples, true, 1);
        assert_eq!((shape(&volume), bytes), ([1, 5, 2, count, 1], counted(10 * count)));
        let (volume, bytes) = read(&text("TYX"), samples, true, 1);
        assert_eq!((shape(&volume), bytes), ([1, 5, 2, 1, count], counted(10 * count)));
        let (volume, bytes) = read(&text("CYX"), samples, true, 1);
        assert_eq!((shape(&volume), &bytes[..3]), ([count, 5, 2, 1, 1], &[0, 10, 20][..]));
    }
    let (volume, bytes) = read(r#"{"shape": [2, 3, 2, 5], "axes": "TZYX"}"#, 3, true, 2);
    assert_eq!((shape(&volume), bytes), ([1, 5, 2, 3, 2], counted(60)));
    // Channels, with the slices of each in a page.
    let (volume, bytes) = read(r#"{"shape": [2, 3, 2, 5], "axes": "CZYX"}"#, 3, true, 2);
    assert_eq!((shape(&volume), &bytes[..4]), ([2, 5, 2, 3, 1], &[0, 30, 1, 31][..]));
    // Without names, planes are colours.
    let (volume, _) = read(r#"{"shape": [3, 2, 5]}"#, 3, true, 1);
    assert_eq!(shape(&volume), [3, 5, 2, 1, 1]);
    // Samples are columns, columns of the page are rows, and its rows are slices.
    let (volume, bytes) = read(r#"{"shape": [2, 5, 3], "axes": "ZYX"}"#, 3, false, 1);
    assert_eq!((shape(&volume), bytes), ([1, 3, 5, 2, 1], counted(30)));
    let (volume, bytes) = read(r#"{"shape": [2, 2, 5, 3], "axes": "TZYX"}"#, 3, false, 2);
    assert_eq!((shape(&volume), bytes), ([1, 3, 5, 2, 2], counted(60)));
    let (volume, bytes) = read(r#"{"shape": [2, 5, 3], "axes": "YXS"}"#, 3, false, 1);
    assert_eq!((shape(&volume), bytes), ([3, 5, 2, 1, 1], counted(30)));
}

/// The page of a part is that of the file.
#[test]
fn an_error_names_the_page_of_a_part() {
    let text = "{\"shape\": [2, 3, 2, 5], \"axes\": \"TZYX\"}\0";
    let first = Page::new([5, 2], 3, true, counted(30)).with(270, ASCII, text);
    // JPEG without an image.
    let mut second = Page::new([5, 2], 3, true, counted(30));
    second.fields.retain(|field| field.0 != 259);
    let error = read("a.tif", &[first, second.with(259, SHORT, shorts(&[7]))]).map(drop).expect_err("a page");
    assert!(error.contains("page 2: "), "{error}");
    // Images are not pages.
    let text = "{\"shape\": [70, 3, 2, 5], \"axes\": \"TZYX\"}\0";
    let page = Page::new([5, 2], 3, true, counted(30)).with(270, ASCII, text);
    let error = read("a.tif", &[page]).map(drop).expect_err("a page");
    assert!(error.contains("a stack of 210 images in 1 pages"), "{error}");
}

/// Channels in different pages are read by turns.
#[test]
fn a_page_of_parts_is_read_once_for_each_channel() {
    let page = |start: u8| {
        let voxels = (0..200 * 2 * 50 * 3).map(|i| start + (i / (200 * 50 * 3)) as u8).collect();
        Page::new([50, 400], 3, false, voxels)
    };
    let text = "{\"shape\": [2, 400, 50, 3], \"axes\": \"CZYX\"}\0";
    let pages = [page(0).with(270, ASCII, text), page(10)];
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.tif");
    std::fs::write(&path, file(&pages)).expect("a file");
    let mut volume = open(&path, &VolumeOpenOptions::default(), &Task::new()).expect("two channels");
    let header = &volume.header;
    assert_eq!((header.channels, header.dims), (2, Dims::new(3, 50, 400)));
    let mut slice = vec![0; 2 * 50 * 3];
    volume.voxels.read_exact(&mut slice).expect("a slice");
    // What is not in memory is lost.
    File::options().write(true).open(&path).and_then(|file| file.set_len(0)).expect("a file");
    for _ in 1..400 {
        volume.voxels.read_exact(&mut slice).expect("a slice");
    }
    assert_eq!(slice[..4], [1, 11, 1, 11]);
}

/// Zeiss's CZ_LSMINFO, of sizes along x, y, z, channels and time, distances in metres, and seconds.
fn zeiss([slices, frames]: [u32; 2], distances: [f64; 3], interval: f64) -> Vec<u8> {
    let mut info = longs([0x0400_494c, 512, 2, 1, slices as usize, 1, frames as usize, 1, 1, 1].into_iter());
    info.extend(distances.map(f64::to_le_bytes).concat());
    info.resize(112, 0);
    info.extend(interval.to_le_bytes());
    info.resize(512, 0);
    info
}

#[test]
fn stacks_of_zeiss_have_distances_and_times() {
    let open = |sizes: [u32; 2], info: Vec<u8>| {
        let mut pages = Vec::new();
        for index in 0..6u8 {
            let page = Page::new([2, 1], 1, false, vec![index; 2]);
            pages.push(page.with(254, LONG, longs([0].into_iter())));
            pages.push(Page::new([1, 1], 1, false, vec![99]).with(254, LONG, longs([1].into_iter())));
        }
        pages[0] = pages[0].clone().with(34412, BYTE, info);
        let name = if sizes[0] == 6 { "a.lsm" } else { "a.tif" };
        let (volume, bytes) = read(name, &pages).expect("six pages");
        assert_eq!(bytes, (0..12).map(|i| i / 2).collect::<Vec<u8>>());
        (volume.header.clone(), notes(&volume))
    };
    let left_out = "left out: 6 thumbnails among the pages".to_owned();
    for sizes in [[6, 1], [3, 2]] {
        let (header, notes) = open(sizes, zeiss(sizes, [0.25e-6, 0.5e-6, 2e-6], 1.5));
        assert_eq!((header.dims, header.frames), (Dims::new(2, 1, sizes[0] as usize), sizes[1] as usize));
        let spacing = [header.spacing.x, header.spacing.y, header.spacing.z];
        assert_eq!((spacing, notes), ([0.00025, 0.0005, 0.002], vec![left_out.clone()]));
        assert_eq!(header.frame_spacing, if sizes[1] > 1 { 1.5 } else { 0.0 });
    }
    // Sizes that the pages contradict, and an unknown distance.
    let (header, notes) = open([6, 1], zeiss([4, 2], [0.25e-6, 0.5e-6, 0.0], 1.5));
    assert_eq!((header.dims.z, header.frames, header.spacing.z), (6, 1, 0.00025));
    assert!(notes[0].contains("along z is unknown: it is taken as 0.00025 mm"), "{notes:?}");
    let want = "CZ_LSMINFO states 4 slices and 2 frames, but the pages are 6: all are taken as slices";
    assert!(notes.iter().any(|note| note == want), "{notes:?}");
    // Bytes of another program, or too few.
    for info in [vec![7; 512], zeiss([6, 1], [1e-6; 3], 0.0)[..100].to_vec()] {
        assert_eq!(open([6, 1], info).0.spacing.x, 1.0);
    }
}

#[test]
fn a_resolution_is_noted_unless_it_is_that_of_a_screen() {
    let open = |unit: u16, x: u32, y: u32| {
        let ratio = |number: u32| longs([number as usize, 10].into_iter());
        let page = Page::new([2, 1], 1, false, vec![1, 2])
            .with(282, RATIONAL, ratio(x))
            .with(283, RATIONAL, ratio(y))
            .with(296, SHORT, shorts(&[unit]));
        let (volume, _) = read("a.tif", &[page]).expect("a page");
        assert_eq!([volume.header.spacing.x, volume.header.spacing.y], [1.0; 2]);
        notes(&volume)
    };
    let note = |x: f64, y: f64| {
        vec![format!("XResolution and YResolution state {x} x {y} mm between pixels, which is not used")]
    };
    assert_eq!(open(3, 1000, 500), note(0.1, 0.2));
    assert_eq!(open(2, 508, 254), note(0.5, 1.0));
    // 72 and 300 per inch, also in centimetres; no unit; no number.
    for (unit, number) in [(2, 720), (2, 3000), (3, 283), (3, 1181), (1, 50), (3, 0)] {
        assert_eq!(open(unit, number, number), Vec::<String>::new(), "{unit} {number}");
    }
}

/// Slices have their resolution only for its note.
#[test]
fn a_slice_whose_resolution_is_no_number_is_read() {
    let page = Page::new([2, 1], 1, false, vec![1, 2]);
    for page in [page.clone().with(282, SHORT, shorts(&[72])), page.with(296, ASCII, "inch\0")] {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a1.tif", "a2.tif"] {
            std::fs::write(folder.path().join(name), file(std::slice::from_ref(&page))).expect("a file");
        }
        let volume = open(folder.path(), &VolumeOpenOptions::default(), &Task::new()).expect("two slices");
        assert_eq!((volume.header.dims, volume.notes), (Dims::new(2, 1, 2), Vec::new()));
    }
}

#[test]
fn pages_in_another_order_than_their_numbers_are_noted() {
    let open = |numbers: [u16; 3]| {
        let page = |number: u16| {
            Page::new([2, 1], 1, false, vec![number as u8; 2]).with(297, SHORT, shorts(&[number, 3]))
        };
        let (volume, voxels) = read("a.tif", &numbers.map(page)).expect("three pages");
        assert_eq!(voxels, numbers.map(|number| [number as u8; 2]).as_flattened());
        notes(&volume)
    };
    let none: [&str; 0] = [];
    assert_eq!(open([0, 1, 2]), none);
    assert_eq!(open([0, 0, 0]), none);
    assert_eq!(open([2, 0, 1]), ["PageNumber states another order than that of the pages, which is read"]);
}
