//! TIFF stacks whose pages are channels, slices and frames: ImageJ's and OME's.

use brickwork_formats::{FormatError, VolumeFormat, VolumeOpenOptions, VolumePipe, open, tiff_stack};
use brickwork_volume::{Dims, ErrorKind, Header, Task, VoxelStream};
use std::io::{Cursor, Read as _};
use tiff::{
    encoder::{Rational, TiffEncoder, colortype::Gray8},
    tags::Tag,
};

/// Returns a file of `count` pages of 2×1. Each page has its number, and its number plus one hundred. The
/// first page has the description.
fn file(description: &str, count: u8, resolution: Option<(u32, u32)>) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
    for page in 0..count {
        let mut image = encoder.new_image::<Gray8>(2, 1).unwrap();
        if page == 0 {
            image.encoder().write_tag(Tag::ImageDescription, description).unwrap();
        }
        if let Some((n, d)) = resolution {
            image.encoder().write_tag(Tag::XResolution, Rational { n, d }).unwrap();
            image.encoder().write_tag(Tag::YResolution, Rational { n: 2 * n, d }).unwrap();
        }
        image.write_data(&[page, 100 + page]).unwrap();
    }
    bytes.into_inner()
}

/// Returns the volume of a file. Reads its voxels twice, and once from a pipe.
fn read(file: &[u8]) -> Result<(Header, Vec<u8>), FormatError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tif");
    std::fs::write(&path, file).unwrap();
    let mut volume = tiff_stack::open(&path, &Task::new())?;
    let mut bytes = Vec::new();
    volume.voxels.read_to_end(&mut bytes)?;
    let VoxelStream::Rewindable(voxels) = &mut volume.voxels else { panic!("a file") };
    voxels.rewind()?;
    let mut again = Vec::new();
    voxels.read_to_end(&mut again)?;
    assert_eq!(bytes, again);
    let pipe = VolumePipe::new(Cursor::new(file.to_vec())).unwrap();
    assert_eq!(pipe.format(), VolumeFormat::Tiff);
    let mut piped = pipe.open(&VolumeOpenOptions::default(), &Task::new()).unwrap();
    let mut again = Vec::new();
    piped.voxels.read_to_end(&mut again)?;
    assert_eq!((&piped.header, &again), (&volume.header, &bytes));
    Ok((volume.header, bytes))
}

fn refused(file: &[u8], reason: &str) {
    let error = read(file).expect_err(reason).to_string();
    assert!(error.contains(reason), "{error}\n{reason}");
}

#[test]
fn imagej_says_what_pages_are_and_how_far_apart() {
    let text = "ImageJ=1.54f\nimages=12\nchannels=2\nslices=3\nframes=2\nhyperstack=true\nunit=\\u00B5m\n\
                spacing=0.5\nfinterval=250\ntunit=msec\nloop=false\n";
    let (header, voxels) = read(&file(text, 12, Some((4, 1)))).unwrap();
    assert_eq!((header.dims, header.channels, header.frames), (Dims::new(2, 1, 3), 2, 2));
    let spacing = [header.spacing.x, header.spacing.y, header.spacing.z];
    assert_eq!(spacing, [0.001 / 4.0, 0.001 / 8.0, 0.0005]);
    assert_eq!(header.frame_spacing, 0.25);
    // Channels are side by side: the pages of both, and then those of the next slice.
    assert_eq!(voxels[..8], [0, 1, 100, 101, 2, 3, 102, 103]);
    assert_eq!(voxels[20..], [10, 11, 110, 111]);

    // An older file has only slices, and no unit.
    let (header, voxels) = read(&file("ImageJ=1.31a\nimages=4\nspacing=2\n", 4, Some((4, 1)))).unwrap();
    assert_eq!((header.dims.z, header.spacing.x, header.spacing.z), (4, 0.25, 2.0));
    assert_eq!(voxels, [0, 100, 1, 101, 2, 102, 3, 103]);

    // The origin is in voxels.
    let text = "ImageJ=1.53t\nimages=4\nslices=4\nunit=mm\nspacing=2\nxorigin=2.0\nyorigin=-1\nzorigin=1.5\n";
    let (header, _) = read(&file(text, 4, Some((2, 1)))).unwrap();
    assert_eq!(header.origin, [-1.0, 0.25, -3.0]);
    refused(&file("ImageJ=1.53t\nimages=4\nxorigin=a\n", 4, None), "xorigin");

    // The field ResolutionUnit: none, inches, where 72 per inch are unknown, and centimetres.
    let in_unit = |unit: u8, resolution| {
        let mut file = file("ImageJ=1.31a\nimages=4\nspacing=2\n", 4, Some(resolution));
        let field = [0x28, 1, 3, 0, 1, 0, 0, 0];
        let places = file.windows(8).enumerate().filter(|(_, bytes)| *bytes == field);
        let places: Vec<usize> = places.map(|(place, _)| place).collect();
        assert!(!places.is_empty());
        places.into_iter().for_each(|place| file[place + 8] = unit);
        let spacing = read(&file).unwrap().0.spacing;
        [spacing.x, spacing.y, spacing.z]
    };
    assert_eq!(in_unit(1, (4, 1)), [0.25, 0.125, 2.0]);
    assert_eq!(in_unit(2, (2, 1)), [12.7, 6.35, 50.8]);
    assert_eq!(in_unit(2, (72, 1)), [1.0, 1.0, 2.0]);
    assert_eq!(in_unit(3, (4, 1)), [2.5, 1.25, 20.0]);

    refused(&file("ImageJ=1.54f\nimages=400\n", 4, None), "a stack of 400 images in 4 pages");
    let odd = "ImageJ=1.54f\nimages=4\nchannels=3\nslices=1\nframes=1\n";
    refused(&file(odd, 4, None), "3 channels, 1 slices and 1 frames in 4 pages");
    // The product overflows.
    let vast = "ImageJ=1.54f\nimages=4\nchannels=8589934592\nframes=8589934592\n";
    refused(&file(vast, 4, None), "0 slices and 8589934592 frames in 4 pages");
    let many = "ImageJ=1.54f\nimages=5\nchannels=5\nslices=1\nframes=1\n";
    let (header, voxels) = read(&file(many, 5, None)).unwrap();
    assert_eq!((header.channels, voxels), (5, vec![0, 1, 2, 3, 4, 100, 101, 102, 103, 104]));
}

/// Reads each channel of stacks and of voxels, also of more channels than volumes have.
#[test]
fn one_channel_of_many_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let stack = "ImageJ=1.54f\nimages=30\nchannels=5\nslices=3\nframes=2\nhyperstack=true\n";
    let pages = file(stack, 30, None);
    let texels: Vec<u8> = (0..24).collect();
    let mut colors = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut colors).unwrap();
    encoder.write_image::<tiff::encoder::colortype::RGB8>(4, 2, &texels).unwrap();
    let nrrd = b"NRRD0004\ntype: uint8\ndimension: 4\nsizes: 3 4 2 1\nkinds: vector domain domain domain\n\
                 encoding: raw\n\n";
    let nrrd = [&nrrd[..], &texels].concat();
    for (name, bytes, channels) in
        [("a.tif", &pages, 5), ("b.tif", colors.get_ref(), 3), ("c.nrrd", &nrrd, 3)]
    {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        for channel in 0..channels {
            let options = VolumeOpenOptions::default().with(|o| o.channel = Some(channel));
            let want: Vec<u8> = match name {
                "a.tif" => (0..6).map(|place| 5 * place + channel as u8).flat_map(|p| [p, 100 + p]).collect(),
                _ => texels.iter().skip(channel).step_by(3).copied().collect(),
            };
            let pipe =
                VolumePipe::new(Cursor::new(bytes.clone())).unwrap().open(&options, &Task::new()).unwrap();
            for mut volume in [open(&path, &options, &Task::new()).unwrap(), pipe] {
                assert_eq!(volume.header.channels, 1, "{name}");
                assert_eq!(volume.header.frames, if name == "a.tif" { 2 } else { 1 });
                let mut found = Vec::new();
                volume.voxels.read_to_end(&mut found).unwrap();
                assert_eq!(found, want, "{name}, channel {channel}");
                if let VoxelStream::Rewindable(voxels) = &mut volume.voxels {
                    voxels.rewind().unwrap();
                    found.clear();
                    voxels.read_to_end(&mut found).unwrap();
                    assert_eq!(found, want, "{name}, channel {channel}, again");
                }
            }
        }
        let options = VolumeOpenOptions::default().with(|o| o.channel = Some(channels));
        let error = open(&path, &options, &Task::new()).expect_err("no such channel");
        assert!(
            error.to_string().starts_with(&format!("channel {channels}: the volume has channels 0 to")),
            "{error}"
        );
        assert_eq!(error.kind(), ErrorKind::Argument);
    }
}

/// Refuses channels of pages that have several samples, also if one is chosen.
#[test]
fn channels_of_colours_are_refused() {
    let text = ome("SizeC=\"6\" SizeZ=\"1\" SizeT=\"1\" DimensionOrder=\"XYCZT\"", "");
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
    for _ in 0..2 {
        let mut image = encoder.new_image::<tiff::encoder::colortype::RGB8>(2, 1).unwrap();
        image.encoder().write_tag(Tag::ImageDescription, text.as_str()).unwrap();
        image.write_data(&[1, 2, 3, 4, 5, 6]).unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tif");
    std::fs::write(&path, bytes.into_inner()).unwrap();
    for channel in [None, Some(0), Some(4)] {
        let options = VolumeOpenOptions::default().with(|o| o.channel = channel);
        let error = open(&path, &options, &Task::new()).expect_err("six channels").to_string();
        assert!(error.contains("a stack of 2 channels of 3 samples"), "{error}");
    }
}

fn ome(pixels: &str, inner: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\
         <OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\"><Image ID=\"Image:0\">\
         <Pixels ID=\"Pixels:0\" Type=\"uint8\" SizeX=\"2\" SizeY=\"1\" {pixels}>{inner}</Pixels>\
         </Image></OME>"
    )
}

/// The unit of the microscope's stage is no length.
#[test]
fn unknown_units_of_ome_are_noted() {
    let pixels = "DimensionOrder=\"XYZCT\" SizeC=\"1\" SizeZ=\"2\" SizeT=\"1\" PhysicalSizeX=\"3\" \
                  PhysicalSizeXUnit=\"reference frame\"";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tif");
    std::fs::write(&path, file(&ome(pixels, ""), 2, None)).unwrap();
    let volume = tiff_stack::open(&path, &Task::new()).unwrap();
    let want =
        "PhysicalSizeXUnit has the unknown unit \"reference frame\": its numbers are taken as they are";
    assert_eq!((volume.notes[0].to_string().as_str(), volume.header.spacing.x), (want, 3.0));
}

#[test]
fn ome_says_the_order_of_pages() {
    // Page of channel c, slice z, frame t, in the order of the file.
    type Page = fn(u8, u8, u8) -> u8;
    let cases: [(&str, Page); 3] = [
        ("XYZCT", |c, z, t| z + 3 * (c + 2 * t)),
        ("XYCZT", |c, z, t| c + 2 * (z + 3 * t)),
        ("XYTCZ", |c, z, t| t + 2 * (c + 2 * z)),
    ];
    for (order, page) in cases {
        let pixels = format!(
            "DimensionOrder=\"{order}\" SizeC=\"2\" SizeZ=\"3\" SizeT=\"2\" PhysicalSizeX=\"0.5\" \
             PhysicalSizeY=\"500\" PhysicalSizeYUnit=\"nm\" PhysicalSizeZ=\"2\" PhysicalSizeZUnit=\"mm\" \
             TimeIncrement=\"500\" TimeIncrementUnit=\"ms\""
        );
        let (header, voxels) = read(&file(&ome(&pixels, ""), 12, None)).unwrap();
        assert_eq!((header.dims, header.channels, header.frames), (Dims::new(2, 1, 3), 2, 2));
        assert_eq!([header.spacing.x, header.spacing.y, header.spacing.z], [0.0005, 0.0005, 2.0]);
        assert_eq!(header.frame_spacing, 0.5);
        let mut want = Vec::new();
        for (t, z) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)] {
            for x in [0, 100] {
                want.extend([x + page(0, z, t), x + page(1, z, t)]);
            }
        }
        assert_eq!(voxels, want, "{order}");
    }
}

#[test]
fn ome_may_name_each_page() {
    let pixels = "DimensionOrder=\"XYZCT\" SizeC=\"1\" SizeZ=\"3\" SizeT=\"1\"";
    let data = |z: usize, page: usize, file: &str| {
        format!("<TiffData FirstZ=\"{z}\" IFD=\"{page}\"><UUID FileName=\"{file}\">u</UUID></TiffData>")
    };
    let backwards = data(0, 2, "a.tif") + &data(1, 1, "a.tif") + &data(2, 0, "a.tif");
    let (_, voxels) = read(&file(&ome(pixels, &backwards), 3, None)).unwrap();
    assert_eq!(voxels, [2, 102, 1, 101, 0, 100]);
    let (_, voxels) = read(&file(&ome(pixels, "<TiffData/>"), 3, None)).unwrap();
    assert_eq!(voxels, [0, 100, 1, 101, 2, 102]);
    let run = "<TiffData FirstZ=\"1\" IFD=\"0\" PlaneCount=\"2\"/><TiffData IFD=\"2\"/>";
    let (_, voxels) = read(&file(&ome(pixels, run), 3, None)).unwrap();
    assert_eq!(voxels, [2, 102, 0, 100, 1, 101]);

    let spread = data(0, 0, "a.tif") + &data(1, 0, "b.tif");
    refused(&file(&ome(pixels, &spread), 3, None), "an OME-TIFF series of several files");
    let short = data(0, 0, "a.tif") + &data(1, 1, "a.tif");
    refused(&file(&ome(pixels, &short), 3, None), "without the page of channel 0, slice 2, frame 0");
    refused(&file(&ome(pixels, ""), 4, None), "1 channels, 3 slices and 1 frames in 4 pages");
    refused(&file(&ome(&pixels.replace("XYZCT", "XYZZT"), ""), 3, None), "the DimensionOrder \"XYZZT\"");
    refused(&file(&ome(&pixels.replace("\"3\"", "\"three\""), ""), 3, None), "SizeZ=\"three\"");
    refused(&file("<OME><Image></Wrong>", 3, None), "byte ");
    refused(
        &file(&ome(pixels, "").replace("</OME>", "<Pixels/></OME>"), 3, None),
        "an OME-TIFF file of 2 images",
    );
    let twice = data(0, 0, "a.tif") + &data(1, 1, "a.tif") + &data(2, 2, "a.tif") + &data(2, 2, "a.tif");
    refused(&file(&ome(pixels, &twice), 3, None), "names planes twice");
    // These steps would overflow.
    let long = pixels.replace("XYZCT", &format!("XYZCT{}", "Z".repeat(60)));
    refused(&file(&ome(&long, ""), 3, None), "the DimensionOrder \"XYZCTZZ");
    // This is the largest number.
    let vast = pixels.replace("SizeC=\"1\"", "SizeC=\"18446744073709551615\"");
    refused(&file(&ome(&vast, ""), 3, None), "slices and 1 frames in 3 pages");
}
