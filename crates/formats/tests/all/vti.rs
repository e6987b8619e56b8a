//! VTI files of every encoding, sound and damaged.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use brickwork_formats::{FormatError, OpenedVolume, VolumeOpenOptions, vti};
use brickwork_volume::{ByteOrder, Dims, Header, Spacing, Task, VoxelStream, VoxelType};
use std::{io::Read as _, io::Write as _};

const DIMS: Dims = Dims::new(7, 5, 3);

/// Returns the voxels as bytes.
fn voxels(order: ByteOrder) -> Vec<u8> {
    let voxels = (0..105i16).map(|i| i * 301 - 15000);
    let bytes: Vec<_> = match order {
        ByteOrder::Little => voxels.map(i16::to_le_bytes).collect(),
        ByteOrder::Big => voxels.map(i16::to_be_bytes).collect(),
    };
    bytes.concat()
}

fn words(words: &[u64], word_bytes: usize, order: ByteOrder) -> Vec<u8> {
    let word = |&word: &u64| match order {
        ByteOrder::Little => word.to_le_bytes()[..word_bytes].to_vec(),
        ByteOrder::Big => word.to_be_bytes()[8 - word_bytes..].to_vec(),
    };
    words.iter().flat_map(word).collect()
}

/// Returns the counts, and the voxels after them.
fn data(packed: bool, word_bytes: usize, order: ByteOrder) -> (Vec<u8>, Vec<u8>) {
    let voxels = voxels(order);
    if !packed {
        return (words(&[voxels.len() as u64], word_bytes, order), voxels);
    }
    let blocks: Vec<Vec<u8>> = voxels
        .chunks(64)
        .map(|block| {
            let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(block).unwrap();
            encoder.finish().unwrap()
        })
        .collect();
    let mut counts = vec![blocks.len() as u64, 64, voxels.len() as u64 % 64];
    counts.extend(blocks.iter().map(|block| block.len() as u64));
    (words(&counts, word_bytes, order), blocks.concat())
}

/// Returns a file as VTK writes it, with another array before the voxels.
fn file(encoding: &str, packed: bool, word_bytes: usize, order: ByteOrder) -> Vec<u8> {
    let (mut counts, data) = data(packed, word_bytes, order);
    let base64 = if packed {
        STANDARD.encode(&counts) + &STANDARD.encode(&data)
    } else {
        STANDARD.encode([counts.as_slice(), &data].concat())
    };
    let (format, inside, appended) = match encoding {
        "raw" => {
            counts.extend_from_slice(&data);
            ("appended\" offset=\"3", String::new(), Some(("raw", [b"<&\xff".to_vec(), counts].concat())))
        }
        "appended" => {
            let text = format!("AAAA{base64}").into_bytes();
            ("appended\" offset=\"4", String::new(), Some(("base64", text)))
        }
        "binary" => ("binary", format!("\n          {base64}\n        "), None),
        _ => {
            let numbers = (0..105i16).map(|i| format!("\n {}", i * 301 - 15000));
            ("ascii", numbers.collect(), None)
        }
    };
    let order = if order == ByteOrder::Big { "BigEndian" } else { "LittleEndian" };
    let compressor = if packed { " compressor=\"vtkZLibDataCompressor\"" } else { "" };
    let mut file = format!(
        "<?xml version=\"1.0\"?>\n<!-- one of ours -->\n\
         <VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"{order}\" \
         header_type=\"UInt{}\"{compressor}>\n\
         <ImageData WholeExtent=\"2 8 0 4 -1 1\" Origin=\"10 20 30\" Spacing=\"0.5 1 2\" \
         Direction=\"0 -1 0 1 0 0 0 0 1\">\n\
         <Piece Extent=\"2 8 0 4 -1 1\"><PointData Scalars=\"ct &amp; more\">\n\
         <DataArray type=\"Float64\" Name=\"other\" format=\"ascii\">{}</DataArray>\n\
         <DataArray type=\"Int16\" Name=\"ct &amp; more\" format=\"{format}\" RangeMin=\"0\">\
         {inside}</DataArray>\n\
         </PointData><CellData></CellData></Piece></ImageData>\n",
        8 * word_bytes,
        "1.5 ".repeat(400_000),
    )
    .into_bytes();
    if let Some((encoding, appended)) = appended {
        file.extend_from_slice(format!("<AppendedData encoding=\"{encoding}\">\n   _").as_bytes());
        file.extend_from_slice(&appended);
        file.extend_from_slice(b"\n</AppendedData>\n");
    }
    file.extend_from_slice(b"</VTKFile>\n");
    file
}

fn read(file: &[u8]) -> Result<(Header, ByteOrder, Vec<u8>), FormatError> {
    let mut path = tempfile::NamedTempFile::new().unwrap();
    path.write_all(file).unwrap();
    let OpenedVolume { header, order, voxels, .. } = vti::open(path.path(), &Task::new())?;
    let VoxelStream::Rewindable(mut voxels) = voxels else { panic!("a file can be read again") };
    let mut first = [0; 5];
    voxels.read_exact(&mut first)?;
    voxels.rewind()?;
    let mut bytes = Vec::new();
    voxels.read_to_end(&mut bytes)?;
    Ok((header, order, bytes))
}

#[test]
fn every_encoding_is_read() {
    for encoding in ["raw", "appended", "binary", "ascii"] {
        for packed in [false, true] {
            for word_bytes in [4, 8] {
                for order in [ByteOrder::Little, ByteOrder::Big] {
                    let name = format!("{encoding} {packed} {word_bytes} {order:?}");
                    let (header, read_order, bytes) =
                        read(&file(encoding, packed, word_bytes, order)).expect(&name);
                    assert!(bytes == voxels(read_order), "{name}");
                    assert_eq!(header.dims, DIMS, "{name}");
                    assert_eq!(header.spacing, Spacing { x: 0.5, y: 1.0, z: 2.0 });
                    // The directions are columns: x runs along (0, 1, 0).
                    assert_eq!(header.orientation, [0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
                    assert_eq!(header.origin, [10.0, 21.0, 28.0]);
                    assert_eq!(header.metadata, "{\"vti\":{\"Name\":\"ct & more\"}}");
                }
            }
        }
    }
}

fn sample(voxel_type: VoxelType, channels: usize) -> Header {
    let mut header = Header::new(voxel_type, DIMS);
    header.channels = channels;
    header.spacing = Spacing { x: 0.5, y: 0.25, z: 2.0 };
    header.origin = [1.5, -2.0, 3.0];
    header.orientation = [0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    header
}

#[test]
fn what_is_written_is_read() {
    for voxel_type in VoxelType::ALL.iter().copied().filter(|&t| t != VoxelType::F16) {
        for channels in [1, 2, 3, 4, 60] {
            let header = sample(voxel_type, channels);
            let mut bytes = Vec::new();
            vti::write_header(&header, &mut bytes).unwrap();
            let count = 105 * voxel_type.byte_count() * channels;
            let voxels: Vec<u8> = (0..count).map(|i| (i * 7) as u8).collect();
            bytes.extend_from_slice(&voxels);
            vti::write_end(&mut bytes).unwrap();
            let (read, order, back) = read(&bytes).unwrap();
            assert_eq!(read.with(|header| header.metadata = String::new()), header);
            assert!(order == ByteOrder::Little && back == voxels);
        }
    }
}

#[test]
fn several_frames_are_not_written() {
    let mut bytes = Vec::new();
    let header = sample(VoxelType::I16, 1).with(|header| header.frames = 5);
    let error = vti::write_header(&header, &mut bytes).unwrap_err().to_string();
    assert_eq!(error, "VTI does not hold 5 frames; NRRD, MetaImage and NIfTI do");
    assert!(vti::write_header(&sample(VoxelType::I16, 256), &mut bytes).is_err());
    assert!(bytes.is_empty());
}

#[test]
fn marks_of_ghosts_are_no_voxels_beside_other_arrays() {
    let array = |name: &str, number: u8| {
        let numbers = format!("{number} ").repeat(8);
        format!("<DataArray type=\"UInt8\" Name=\"{name}\" format=\"ascii\">{numbers}</DataArray>")
    };
    let first = |points: &str, cells: &str| {
        let file = format!(
            "<VTKFile type=\"ImageData\"><ImageData WholeExtent=\"0 7 0 0 0 0\">\
             <Piece Extent=\"0 7 0 0 0 0\">\
             <PointData>{points}</PointData><CellData>{cells}</CellData></Piece></ImageData></VTKFile>"
        );
        read(file.as_bytes()).expect("an array").2[0]
    };
    let (ghosts, rho) = (array("vtkGhostType", 9), array("rho", 1));
    let both = [[ghosts.clone(), rho.clone()].concat(), [rho.clone(), ghosts.clone()].concat()];
    for both in &both {
        assert_eq!((first(both, ""), first("", both), first(both, &array("other", 2))), (1, 1, 1));
    }
    assert_eq!((first(&ghosts, &rho), first(&rho, &ghosts)), (1, 1));
    assert_eq!((first(&ghosts, ""), first("", &ghosts)), (9, 9));
}

#[test]
fn an_array_is_chosen_by_its_name() {
    let array = |name: &str, number: u8| {
        format!("<DataArray type=\"UInt8\" Name=\"{name}\" format=\"ascii\">{number} {number}</DataArray>")
    };
    let file = format!(
        "<VTKFile type=\"ImageData\"><ImageData WholeExtent=\"0 1 0 0 0 0\">\
         <Piece Extent=\"0 1 0 0 0 0\">\
         <PointData Scalars=\"pressure\">{}{}</PointData><CellData>{}</CellData></Piece></ImageData>\
         </VTKFile>",
        array("pressure", 1),
        array("velocity", 2),
        array("cells", 3)
    );
    let folder = tempfile::tempdir().unwrap();
    let [path, raw] = ["a.vti", "a.nrrd"].map(|name| folder.path().join(name));
    std::fs::write(&path, file).unwrap();
    let of = |array: Option<&str>| {
        let options = VolumeOpenOptions::default().with(|o| o.array = array.map(str::to_owned));
        brickwork_formats::open(&path, &options, &Task::new())
    };
    for (array, number, left_out) in [
        (None, 1, "the array \"pressure\" is read; left out: velocity, cells"),
        (Some("velocity"), 2, "the array \"velocity\" is read; left out: pressure, cells"),
        (Some("cells"), 3, "the array \"cells\" is read; left out: pressure, velocity"),
    ] {
        let mut volume = of(array).unwrap();
        let mut bytes = Vec::new();
        volume.voxels.read_to_end(&mut bytes).unwrap();
        assert_eq!((bytes[0], volume.notes[0].to_string().as_str()), (number, left_out));
    }
    let error = of(Some("heat")).unwrap_err();
    assert_eq!(error.kind(), brickwork_volume::ErrorKind::Argument);
    assert_eq!(error.to_string(), "there is no array \"heat\": pressure, velocity, cells");
    std::fs::write(&raw, "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 1 1 2\nencoding: raw\n\nab").unwrap();
    let options = VolumeOpenOptions::default().with(|o| o.array = Some("a".to_owned()));
    let error = brickwork_formats::open(&raw, &options, &Task::new()).unwrap_err();
    assert_eq!(error.to_string(), "NRRD files have no arrays by name; VTI files have");
}

#[test]
fn numbers_of_64_bits_are_read_from_text() {
    for (name, numbers, want) in [
        ("UInt64", ["18446744073709551615", "0"], [u64::MAX, 0]),
        ("Int64", ["-9223372036854775808", "-1"], [1 << 63, u64::MAX]),
        ("Float64", ["-0.1", "1e300"], [(-0.1f64).to_bits(), 1e300f64.to_bits()]),
    ] {
        let text = format!(
            "<VTKFile type=\"ImageData\"><ImageData WholeExtent=\"0 0 0 0 0 0\">\
             <Piece Extent=\"0 0 0 0 0 0\">\
             <PointData><DataArray type=\"{name}\" NumberOfComponents=\"2\" format=\"ascii\">{}</DataArray>\
             </PointData></Piece></ImageData></VTKFile>",
            numbers.join(" ")
        );
        let (header, _, bytes) = read(text.as_bytes()).unwrap();
        assert_eq!((header.channels, header.dims), (2, Dims::new(1, 1, 1)));
        assert_eq!(bytes, want.map(u64::to_le_bytes).concat(), "{name}");
    }
}

#[test]
fn files_that_make_no_sense_are_refused() {
    let good = file("ascii", false, 4, ByteOrder::Little);
    let text = String::from_utf8(good).unwrap();
    for (old, new, reason) in [
        ("type=\"ImageData\"", "type=\"PolyData\"", "not a VTI file"),
        ("<VTKFile", "VTKFile", "not a VTI file"),
        ("type=\"Int16\"", "type=\"Bit\"", "the type \"Bit\" is not supported"),
        ("type=\"Int16\"", "type=\"UInt8\"", "\"-15000\" is not a number of type u8"),
        ("UInt32", "UInt16", "<VTKFile header_type=\"UInt16\"> is not allowed"),
        ("WholeExtent=\"2 8", "WholeExtent=\"2 x", "<ImageData WholeExtent=\"2 x 0 4 -1 1\"> is not allowed"),
        ("Piece Extent=\"2 8", "Piece Extent=\"2 5", "an image in several pieces is not supported"),
        ("Scalars=\"ct", "Scalars=\"mr", "the header has no field \"DataArray\""),
        (
            "format=\"ascii\" RangeMin",
            "format=\"appended\" offset=\"0\" RangeMin",
            "no field \"AppendedData\"",
        ),
        ("format=\"ascii\" RangeMin", "RangeMin", "<DataArray format=\"\"> is not allowed"),
        ("2 8 0 4 -1 1", "2 1 0 4 -1 1", "has a side of zero voxels"),
        ("2 8 0 4 -1 1", "-9223372036854775808 9223372036854775807 0 4 -1 1", "machine can address"),
        ("</Piece>", "</Pie>", "expected `</Piece>`"),
        ("RangeMin=\"0\"", "NumberOfComponents=\"256\"", "256 channels: 1 to 255 are supported"),
        ("RangeMin=\"0\"", "NumberOfComponents=\"0\"", "0 channels: 1 to 255 are supported"),
        ("RangeMin=\"0\"", "NumberOfComponents=\"x\"", "<DataArray NumberOfComponents=\"x\"> is not allowed"),
    ] {
        assert!(text.contains(old), "{old}");
        let error = read(text.replace(old, new).as_bytes()).expect_err(new).to_string();
        assert!(error.contains(reason), "{error}\n{reason}");
    }
    let endless = text.replace("one of ours", &"-".repeat(2 << 20));
    assert!(matches!(read(endless.as_bytes()), Err(FormatError::Long)));
}

#[test]
fn a_damaged_file_is_an_error_or_other_voxels_never_a_panic() {
    for (encoding, packed) in [("raw", false), ("raw", true), ("appended", true), ("binary", false)] {
        let mut good = file(encoding, packed, 8, ByteOrder::Little);
        // The long array before the voxels is removed.
        let long = good.windows(4).position(|part| part == b"1.5 ").unwrap();
        good.drain(long..long + 4 * 400_000);
        let text = b"</DataArray>\n<DataArray type=\"Int16\"";
        let start = good.windows(text.len()).position(|part| part == text).unwrap();
        for at in start..good.len() {
            for bit in [0, 6] {
                let mut damaged = good.clone();
                damaged[at] ^= 1 << bit;
                let _ = read(&damaged);
            }
            if at % 3 == 0 {
                let read = read(&good[..at]);
                let whole = read.is_ok_and(|(_, _, bytes)| bytes.len() == voxels(ByteOrder::Little).len());
                assert!(!whole || at + 40 > good.len() || encoding == "binary", "{encoding} cut at {at}");
            }
        }
    }
    // Counts exceed the number of bytes.
    let good = file("raw", true, 8, ByteOrder::Little);
    let at = good.windows(4).position(|part| part == b"_<&\xff").unwrap() + 4;
    for word in 0..4 {
        let mut bad = good.clone();
        bad[at + 8 * word..][..8].copy_from_slice(&(u64::MAX / 64).to_le_bytes());
        assert!(read(&bad).is_err(), "{word}");
    }
}
