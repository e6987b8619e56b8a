//! ZIP archives of Zarr folders, and archives that are wrong on purpose.

use super::*;
use crate::{
    OpenError, OpenedVolume, VolumeFormat, VolumeOpenOptions, VolumePipe, ZarrOptions, is_zarr,
    open_zarr_levels, verify_zarr, write_zarr, write_zarr_archive,
};
use brickwork_volume::{ByteOrder, Dims, Header, VoxelStream, VoxelType};
use rawzip::{ZipArchiveWriter, ZipDataWriter, path::EntryPath};
use serde_json::json;
use std::{
    fs,
    io::{Cursor, Write as _},
    path::Path,
};

/// The kind of the library's errors; that of `std::io` is imported above.
use brickwork_base::ErrorKind as Kind;

const STORE: CompressionMethod = CompressionMethod::STORE;
const DEFLATE: CompressionMethod = CompressionMethod::DEFLATE;

/// An archive in the making.
struct Zip(ZipArchiveWriter<Vec<u8>>);

impl Zip {
    fn new() -> Self {
        Self(ZipArchiveWriter::new(Vec::new()))
    }

    fn add(&mut self, name: &str, method: CompressionMethod, bytes: &[u8]) {
        self.add_entry(name, method, false, bytes);
    }

    fn add_entry(&mut self, name: &str, method: CompressionMethod, is_encrypted: bool, bytes: &[u8]) {
        let file = self.0.new_file(EntryPath::verbatim(name.as_bytes())).compression_method(method);
        let (mut entry, config) = file.encrypted(is_encrypted).start().unwrap();
        let descriptor = if method == DEFLATE {
            let encoder = flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::best());
            let mut writer: ZipDataWriter<_> = config.wrap(encoder);
            writer.write_all(bytes).unwrap();
            let (encoder, descriptor) = writer.finish().unwrap();
            encoder.finish().unwrap();
            descriptor
        } else {
            let mut writer = config.wrap(&mut entry);
            writer.write_all(bytes).unwrap();
            writer.finish().unwrap().1
        };
        entry.finish(descriptor).unwrap();
    }

    fn bytes(self) -> Vec<u8> {
        self.0.finish().unwrap()
    }
}

/// Returns an archive of a folder, with `root` before the names.
fn zipped(folder: &Path, root: &str, method: CompressionMethod) -> Vec<u8> {
    let mut zip = Zip::new();
    zip.0.set_comment(r#"{"ome":{"version":"0.5","zipFile":{"centralDirectory":{"jsonFirst":true}}}}"#);
    if !root.is_empty() {
        zip.0.new_dir(root).create().unwrap();
        zip.add("__MACOSX/._a", STORE, b"of a Mac");
        zip.add("readme.txt", method, b"of a person");
    }
    for entry in walkdir::WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.unwrap();
        let key = entry.path().strip_prefix(folder).unwrap().to_str().unwrap();
        if entry.file_type().is_file() {
            zip.add(&format!("{root}{key}"), method, &fs::read(entry.path()).unwrap());
        } else if !key.is_empty() {
            zip.0.new_dir(format!("{root}{key}/").as_str()).create().unwrap();
        }
    }
    zip.bytes()
}

/// Returns the archive with all sizes and offsets in ZIP64's fields.
fn zip64(zip: &[u8]) -> Vec<u8> {
    let u16_at = |at: usize| usize::from(u16::from_le_bytes([zip[at], zip[at + 1]]));
    let u32_at = |at: usize| u64::from(u32::from_le_bytes(*zip[at..].first_chunk().unwrap()));
    let end = zip.windows(4).rposition(|word| word == b"PK\x05\x06").unwrap();
    let directory = u32_at(end + 16) as usize;
    let (mut out, mut at) = (zip[..directory].to_vec(), directory);
    while at < end {
        let (name, extra, comment) = (u16_at(at + 28), u16_at(at + 30), u16_at(at + 32));
        assert_eq!((extra, comment), (0, 0));
        let mut record = zip[at..at + 46 + name].to_vec();
        for field in [20, 24, 42] {
            record[field..field + 4].fill(0xff);
        }
        record[30..32].copy_from_slice(&28u16.to_le_bytes());
        record.extend([1, 0, 24, 0]);
        for field in [24, 20, 42] {
            record.extend(u32_at(at + field).to_le_bytes());
        }
        out.extend(record);
        at += 46 + name;
    }
    let record = out.len() as u64;
    out.extend(b"PK\x06\x06");
    out.extend(44u64.to_le_bytes());
    out.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    for _ in 0..2 {
        out.extend((u16_at(end + 8) as u64).to_le_bytes());
    }
    out.extend((record - directory as u64).to_le_bytes());
    out.extend((directory as u64).to_le_bytes());
    out.extend(b"PK\x06\x07\0\0\0\0");
    out.extend(record.to_le_bytes());
    out.extend([1, 0, 0, 0]);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([0xff; 12]);
    out.extend(&zip[end + 20..]);
    out
}

fn open_levels(path: &Path, max_memory: Option<u64>) -> Result<Vec<OpenedVolume>, OpenError> {
    let options = VolumeOpenOptions::default().with(|o| o.max_memory = max_memory);
    let (first, mut smaller) = open_zarr_levels(path, &options, &Task::new())?;
    smaller.insert(0, first);
    Ok(smaller)
}

fn bytes_of(volume: &mut OpenedVolume) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    volume.voxels.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns a volume of two levels, and options for small chunks, with or without shards.
fn group(is_sharded: bool) -> (OpenedVolume, ZarrOptions) {
    let header = Header::new(VoxelType::U16, Dims::new(40, 20, 30)).with(|header| {
        header.mip_levels = 2;
        header.spacing.z = 2.0;
    });
    let bytes: Vec<u8> = (0..header.raw_bytes().unwrap()).map(|i| (i * i / 7 % 251) as u8).collect();
    let voxels = VoxelStream::Rewindable(Box::new(Cursor::new(bytes)));
    let (format, order, files, notes) = (VolumeFormat::Raw, ByteOrder::Little, Vec::new(), Vec::new());
    let options = ZarrOptions::default().with(|o| {
        o.chunk = Dims::cube(8);
        o.shard = is_sharded.then_some(Dims::cube(16));
    });
    (OpenedVolume { format, header, order, voxels, files, notes }, options)
}

fn write_group(folder: &Path, is_sharded: bool) {
    let (volume, options) = group(is_sharded);
    write_zarr(volume, folder, &options, &Task::new()).unwrap();
}

/// Writes an array of version 2 whose chunks are plain bytes.
fn write_v2(folder: &Path) {
    let array = json!({
        "zarr_format": 2, "shape": [4, 6, 8], "chunks": [2, 3, 8], "dtype": "|u1", "order": "C",
        "fill_value": 9, "filters": null, "compressor": null,
    });
    fs::write(folder.join(".zarray"), array.to_string()).unwrap();
    fs::write(folder.join(".zattrs"), r#"{"units": "K"}"#).unwrap();
    for (key, start) in [("0.0.0", 1), ("1.0.0", 70), ("1.1.0", 130)] {
        fs::write(folder.join(key), (start..start + 48).collect::<Vec<u8>>()).unwrap();
    }
}

#[test]
fn archives_are_read_as_folders_are() {
    let around = tempfile::tempdir().unwrap();
    let path = |name: &str| around.path().join(name);
    let folders = ["v2", "chunks", "shards"].map(&path);
    folders.iter().for_each(|folder| fs::create_dir(folder).unwrap());
    write_v2(&folders[0]);
    write_group(&folders[1], false);
    write_group(&folders[2], true);
    for folder in &folders {
        let mut expected = open_levels(folder, None).unwrap();
        let voxels: Vec<Vec<u8>> = expected.iter_mut().map(|level| bytes_of(level).unwrap()).collect();
        let check = verify_zarr(folder, &Task::new()).unwrap();
        for (root, method) in [("", STORE), ("", DEFLATE), ("a.zarr/", STORE), ("a.zarr/", DEFLATE)] {
            let plain = zipped(folder, root, method);
            for zip in [zip64(&plain), [&b"#!/bin/sh\n"[..], &plain].concat(), plain] {
                let what = format!("{folder:?} {root} {method:?}");
                fs::write(path("a.ozx"), &zip).unwrap();
                let mut levels = open_levels(&path("a.ozx"), None).unwrap();
                assert_eq!(levels.len(), voxels.len(), "{what}");
                for (index, (level, expected)) in levels.iter_mut().zip(&expected).enumerate() {
                    assert_eq!((&level.header, level.order), (&expected.header, expected.order), "{what}");
                    assert_eq!((level.format, &level.notes), (VolumeFormat::Zarr, &expected.notes), "{what}");
                    assert!(bytes_of(level).unwrap() == voxels[index], "{what}: level {index}");
                }
                assert_eq!(verify_zarr(&path("a.ozx"), &Task::new()).unwrap(), check, "{what}");
            }
        }
    }
}

#[test]
fn content_decides_and_pipes_are_held() {
    let around = tempfile::tempdir().unwrap();
    let path = |name: &str| around.path().join(name);
    write_v2(around.path());
    let zip = zipped(around.path(), "", DEFLATE);
    let expected = bytes_of(&mut open_levels(around.path(), None).unwrap()[0]).unwrap();
    let options = VolumeOpenOptions::default();
    for name in ["a.zip", "a.zarr.zip", "a.ozx", "a.ZARR.ZIP", "a"] {
        fs::write(path(name), &zip).unwrap();
        assert!(is_zarr(&path(name), &options), "{name}");
        let mut volume = crate::open(path(name), &options, &Task::new()).unwrap();
        assert_eq!(volume.files, [path(name)]);
        assert!(bytes_of(&mut volume).unwrap() == expected, "{name}");
    }
    let pipe = VolumePipe::new(Cursor::new(zip.clone())).unwrap();
    let mut volume = pipe.open(&options, &Task::new()).unwrap();
    assert_eq!((volume.format, volume.files.len()), (VolumeFormat::Zarr, 0));
    assert!(bytes_of(&mut volume).unwrap() == expected);
    let options = options.with(|o| o.max_memory = Some(zip.len() as u64 - 1));
    let error = VolumePipe::new(Cursor::new(zip)).unwrap().open(&options, &Task::new()).unwrap_err();
    assert_eq!(error.kind(), Kind::Limit);
    // A level of a pipe.
    let folder = tempfile::tempdir().unwrap();
    write_group(folder.path(), true);
    let options = VolumeOpenOptions::default().with(|o| o.mip_level = 1);
    let pipe = VolumePipe::new(Cursor::new(zipped(folder.path(), "", STORE))).unwrap();
    let mut level = pipe.open(&options, &Task::new()).unwrap();
    let mut expected = open_levels(folder.path(), None).unwrap().pop().unwrap();
    assert!(bytes_of(&mut level).unwrap() == bytes_of(&mut expected).unwrap());
}

/// Returns an archive of the array of `write_v2`, without the files that `leave_out` starts with.
fn array_without(leave_out: &str) -> Zip {
    let folder = tempfile::tempdir().unwrap();
    write_v2(folder.path());
    let mut zip = Zip::new();
    for key in [".zarray", ".zattrs", "0.0.0", "1.0.0", "1.1.0"] {
        if leave_out.is_empty() || !key.starts_with(leave_out) {
            zip.add(key, STORE, &fs::read(folder.path().join(key)).unwrap());
        }
    }
    zip
}

/// Returns the error of opening or reading an archive.
fn error_of(bytes: &[u8]) -> (Kind, String) {
    let around = tempfile::tempdir().unwrap();
    let path = around.path().join("a.ozx");
    fs::write(&path, bytes).unwrap();
    match open_levels(&path, None) {
        Err(error) => (error.kind(), error.to_string()),
        Ok(mut levels) => {
            let failed = bytes_of(&mut levels[0]).expect_err("an error");
            let error = failed.to_string();
            let check = verify_zarr(&path, &Task::new()).unwrap();
            assert_eq!(check.errors, std::slice::from_ref(&error));
            (Kind::of_io(&failed), error)
        }
    }
}

#[test]
fn wrong_archives_are_refused_by_name_and_reason() {
    let invalid = |bytes: &[u8], words: &str| {
        let (kind, said) = error_of(bytes);
        assert!(kind == Kind::Invalid && said == words, "{said}");
    };
    let unsupported = |bytes: &[u8], words: &str| {
        let (kind, said) = error_of(bytes);
        assert!(kind == Kind::Unsupported && said == format!("{words} is not supported"), "{said}");
    };
    let with = |name: &str| {
        let mut zip = array_without("");
        zip.add(name, STORE, b"x");
        zip.bytes()
    };
    // Names.
    for name in ["../a", "/etc/passwd", "a/../b", "a//b", "./a", "a\\b", "c:/a", "a\nb"] {
        let shown = name.escape_debug();
        let words = format!("{shown}: the name of the entry is not a path within the archive");
        invalid(&with(name), &words);
    }
    invalid(&with("0.0.0"), "0.0.0: is the name of two entries");
    let mut bytes = with("abc");
    let at = bytes.windows(3).rposition(|name| name == b"abc").unwrap();
    bytes[at] = 0xff;
    invalid(&bytes, "\u{fffd}bc: the name of the entry is not UTF-8");
    // Not an archive, one that is cut off, and other numbers of entries.
    let missing = "central directory: is missing: the file is not a ZIP archive, or is cut off";
    invalid(b"not an archive", missing);
    let good = array_without("").bytes();
    invalid(&good[..good.len() - 30], missing);
    invalid(b"", missing);
    let end = good.len() - 22;
    let mut bytes = good.clone();
    bytes[end + 8..end + 12].copy_from_slice(&[6, 0, 6, 0]);
    invalid(&bytes, "central directory: has 5 entries, but states 6");
    // Overlapping entries: the last one's header is that of the first.
    let mut bytes = good.clone();
    let last = good.windows(4).rposition(|word| word == b"PK\x01\x02").unwrap();
    bytes[last + 42..last + 46].fill(0);
    let (kind, said) = error_of(&bytes);
    assert_eq!(kind, Kind::Invalid);
    assert!(said.ends_with(": extends into the next entry of the archive"), "{said}");
    let mut bytes = good.clone();
    for field in [20, 24] {
        bytes[last + field..last + field + 4].copy_from_slice(&1_000_000u32.to_le_bytes());
    }
    invalid(&bytes, "1.1.0: extends into the next entry of the archive");
    // A header beyond the file; at another place; with a long name that hides the next entry.
    let mut bytes = good.clone();
    bytes[last + 42..last + 46].copy_from_slice(&0x7fff_ffff_u32.to_le_bytes());
    invalid(&bytes, "1.1.0: extends into the next entry of the archive");
    let header = good.windows(4).rposition(|word| word == b"PK\x03\x04").unwrap();
    let mut bytes = good.clone();
    bytes[header] = 0;
    invalid(&bytes, "1.1.0: its header: Invalid signature: expected 0x04034b50, got 0x04034b00");
    let mut bytes = good.clone();
    bytes[header + 26] = 200;
    invalid(&bytes, "1.1.0: extends into the next entry of the archive");
    // Damage.
    let mut bytes = good;
    bytes[header + 40] ^= 1;
    invalid(&bytes, "1.1.0: the checksum differs");
    bytes[last + 24] = 47;
    invalid(&bytes, "1.1.0: is stored in 48 bytes, and has 47");
    let mut zip = array_without("1.1.0");
    zip.add("1.1.0", DEFLATE, &[7; 48]);
    let mut bytes = zip.bytes();
    let header = bytes.windows(4).rposition(|word| word == b"PK\x03\x04").unwrap();
    bytes[header + 35] = 0xff;
    let (_, said) = error_of(&bytes);
    assert!(said.starts_with("1.1.0: deflate: "), "{said}");
    // Entries that are not read.
    let mut zip = array_without(".zarray");
    zip.add_entry(".zarray", STORE, true, b"{}");
    unsupported(&zip.bytes(), r#"the encrypted entry ".zarray" of a ZIP archive"#);
    let mut zip = array_without(".zarray");
    zip.add(".zarray", CompressionMethod::ZSTD, b"{}");
    let words = r#"the entry ".zarray" of a ZIP archive, compressed by ZSTD,"#;
    unsupported(&zip.bytes(), words);
    // Archives of something else, or of too much.
    let mut zip = Zip::new();
    for name in ["scan/1.dcm", "scan/2.dcm", "zarr.txt"] {
        zip.add(name, STORE, b"x");
    }
    let words = "a ZIP archive without zarr.json, .zarray or .zgroup (its members: scan, zarr.txt)";
    unsupported(&zip.bytes(), words);
    unsupported(&Zip::new().bytes(), "a ZIP archive without zarr.json, .zarray or .zgroup (its members: )");
    let mut zip = Zip::new();
    for name in ["a/.zarray", "b/zarr.json", "c/d"] {
        zip.add(name, STORE, b"x");
    }
    unsupported(&zip.bytes(), "a ZIP archive of several Zarr folders (a/, b/)");
}

#[test]
fn links_are_not_followed() {
    let mut zip = array_without("1.1.0");
    let file = zip.0.new_file("1.1.0").unix_permissions(0o120_777);
    let (mut entry, config) = file.start().unwrap();
    let mut writer = config.wrap(&mut entry);
    writer.write_all(b"/etc/passwd").unwrap();
    let (_, descriptor) = writer.finish().unwrap();
    entry.finish(descriptor).unwrap();
    assert_eq!(error_of(&zip.bytes()), (Kind::Invalid, "1.1.0: is a link".to_owned()));
}

#[test]
fn bombs_stop_at_the_limit() {
    let mut zip = array_without("1.1.0");
    zip.add("1.1.0", DEFLATE, &vec![0; 1 << 26]);
    let mut bytes = zip.bytes();
    assert!(bytes.len() < 1 << 17);
    let said = "1.1.0: has 67108864 bytes, more than the 65632 that it can need";
    assert_eq!(error_of(&bytes).1, said);
    // A smaller size is stated.
    let last = bytes.windows(4).rposition(|word| word == b"PK\x01\x02").unwrap();
    bytes[last + 24..last + 28].copy_from_slice(&48u32.to_le_bytes());
    assert_eq!(error_of(&bytes).1, "1.1.0: unpacks to more than the 48 bytes that are stated");
    bytes[last + 24..last + 28].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(error_of(&bytes).1.starts_with("1.1.0: has 4294967295 bytes"));
    // Metadata.
    let mut zip = array_without(".zarray");
    zip.add(".zarray", DEFLATE, &vec![b' '; (1 << 24) + 1]);
    assert_eq!(
        error_of(&zip.bytes()).1,
        ".zarray: has 16777217 bytes, more than the 16777216 that it can need"
    );
}

#[test]
fn compressed_shards_are_held_within_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    write_group(folder.path(), true);
    let expected = bytes_of(&mut open_levels(folder.path(), None).unwrap()[0]).unwrap();
    let path = folder.path().join("a.ozx");
    fs::write(&path, zipped(&folder.path().join("0"), "", DEFLATE)).unwrap();
    let largest = walkdir::WalkDir::new(folder.path().join("0/c")).into_iter().flatten();
    let largest = largest.filter(|entry| entry.file_type().is_file());
    let largest = largest.map(|entry| entry.metadata().unwrap().len()).max().unwrap();
    // One shard is held at a time.
    let mut level = open_levels(&path, Some(4 * largest)).unwrap().remove(0);
    assert!(bytes_of(&mut level).unwrap() == expected);
    let mut level = open_levels(&path, Some(4 * largest - 4)).unwrap().remove(0);
    let said = bytes_of(&mut level).unwrap_err().to_string();
    assert!(said.contains(&format!("{}", 4 * largest)), "{said}");
    // Half of the three quarters for a chunk: 1024 bytes of voxels, three times.
    let error = open_levels(&path, Some(8190)).unwrap_err();
    assert_eq!(error.kind(), Kind::Limit);
    assert!(error.to_string().contains("8192"), "{error}");
    // A shard that would never fit.
    let mut zip = Zip::new();
    zip.add("zarr.json", STORE, &fs::read(folder.path().join("0/zarr.json")).unwrap());
    zip.add("c/0/0/0", DEFLATE, &[0; 100]);
    let mut bytes = zip.bytes();
    let last = bytes.windows(4).rposition(|word| word == b"PK\x01\x02").unwrap();
    bytes[last + 24..last + 28].copy_from_slice(&((1u32 << 28) + 1).to_le_bytes());
    fs::write(&path, bytes).unwrap();
    let said = bytes_of(&mut open_levels(&path, None).unwrap()[0]).unwrap_err().to_string();
    assert!(said.starts_with("the shard \"c/0/0/0\", compressed as an entry"), "{said}");
}

#[test]
fn more_entries_than_16_bits_count() {
    let around = tempfile::tempdir().unwrap();
    let path = around.path().join("a.ozx");
    let mut zip = array_without("");
    for index in 0..70_000 {
        zip.add(&format!("other/{index}"), STORE, b"");
    }
    fs::write(&path, zip.bytes()).unwrap();
    write_v2(around.path());
    let expected = bytes_of(&mut open_levels(around.path(), None).unwrap()[0]).unwrap();
    assert!(bytes_of(&mut open_levels(&path, None).unwrap()[0]).unwrap() == expected);
    let notes = verify_zarr(&path, &Task::new()).unwrap().notes;
    assert_eq!(notes.len(), 1, "a folder that is no chunk: {notes:?}");
}

/// No damage panics, or makes voxels that a checksum would refuse.
#[test]
fn damage_is_an_error_or_not_seen() {
    let folder = tempfile::tempdir().unwrap();
    write_v2(folder.path());
    let read = |bytes: Vec<u8>| -> Result<Vec<u8>, String> {
        let archive =
            Archive::open(Box::new(bytes), None, &Task::new()).map_err(|error| error.to_string())?;
        let read = |key| archive.read(key).map_err(|error| error.to_string());
        Ok([read(".zarray")?, read("0.0.0")?].into_iter().flatten().flatten().collect())
    };
    for method in [STORE, DEFLATE] {
        let plain = zipped(folder.path(), "", method);
        for zip in [zip64(&plain), plain] {
            let good = read(zip.clone()).unwrap();
            for at in 0..zip.len() {
                for flip in [0x01, 0x80, 0xff] {
                    let mut damaged = zip.clone();
                    damaged[at] ^= flip;
                    // Names and the end record can hide entries.
                    if let Ok(bytes) = read(damaged) {
                        assert!(good.ends_with(&bytes) || good.starts_with(&bytes), "{at}");
                    }
                }
                assert!(read(zip[..at].to_vec()).map_or(true, |bytes| bytes == good), "{at}");
            }
        }
    }
}

#[test]
fn written_archives_are_those_of_the_standard() {
    let around = tempfile::tempdir().unwrap();
    let (folder, path) = (around.path().join("a.zarr"), around.path().join("a.ozx"));
    fs::create_dir(&folder).unwrap();
    for is_sharded in [false, true] {
        fs::remove_dir_all(&folder).unwrap();
        fs::create_dir(&folder).unwrap();
        write_group(&folder, is_sharded);
        let mut sink = Vec::new();
        let (volume, options) = group(is_sharded);
        let task = Task::new();
        let written = write_zarr_archive(volume, &mut sink, around.path(), &options, &task).unwrap();
        assert_eq!(written.file_bytes, sink.len() as u64);
        // The same files.
        let archive = Arc::new(Archive::open(Box::new(sink.clone()), None, &Task::new()).unwrap());
        let files = walkdir::WalkDir::new(&folder).into_iter().flatten();
        let files = files.filter(|entry| entry.file_type().is_file());
        let keys: Vec<String> = files
            .map(|entry| entry.path().strip_prefix(&folder).unwrap().to_str().unwrap().to_owned())
            .collect();
        assert_eq!(archive.entries.len(), keys.len());
        for key in &keys {
            assert!(archive.read(key).unwrap().unwrap() == fs::read(folder.join(key)).unwrap(), "{key}");
        }
        // Metadata first, breadth first, nothing compressed; with the comment.
        let mut entries: Vec<_> = archive.entries.iter().collect();
        entries.sort_by_key(|(_, entry)| entry.start);
        let names: Vec<&str> = entries.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names[..3], ["zarr.json", "0/zarr.json", "1/zarr.json"]);
        assert!(names[3..].is_sorted_by_key(|name| name.starts_with("1/")), "{names:?}");
        assert!(entries.iter().all(|(_, entry)| entry.method == STORE));
        assert!(
            sink.ends_with(br#"{"ome":{"version":"0.5","zipFile":{"centralDirectory":{"jsonFirst":true}}}}"#)
        );
        fs::write(&path, &sink).unwrap();
        let [mut a, mut b] = [&path, &folder].map(|path| open_levels(path, None).unwrap());
        for (a, b) in a.iter_mut().zip(&mut b) {
            assert_eq!((&a.header, &a.notes), (&b.header, &b.notes));
            assert!(bytes_of(a).unwrap() == bytes_of(b).unwrap());
        }
        // Threads do not change the bytes: the chunks of a shard are in C order, without gaps.
        for key in keys.iter().filter(|key| is_sharded && !key.ends_with(".json")) {
            let shard = fs::read(folder.join(key)).unwrap();
            let (chunks, index) = shard.split_at(shard.len() - (8 * 16 + 4));
            let words = index.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
            let words: Vec<u64> = words.collect();
            let stored = words.as_chunks::<2>().0.iter().filter(|entry| entry[0] != u64::MAX);
            let end = stored.fold(0, |end, [offset, size]| {
                assert_eq!(*offset, end, "{key}");
                end + size
            });
            assert_eq!(end, chunks.len() as u64, "{key}");
        }
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let (volume, options) = group(is_sharded);
        let mut again = Vec::new();
        let write = || write_zarr_archive(volume, &mut again, around.path(), &options, &Task::new());
        one.install(write).unwrap();
        assert!(again == sink);
    }
    // Nothing is left beside the archive.
    assert_eq!(fs::read_dir(around.path()).unwrap().count(), 2);
}
