//! OME-TIFF: a page for each channel of each slice, uncompressed
//! (<https://docs.openmicroscopy.org/ome-model/latest/ome-tiff/specification.html>). All directories precede
//! the voxels, so that a file is written from its start to its end. Files of 4 GiB or more are BigTIFF.

use crate::{UnwritableFeature, WriteError, streams::planes::OneChannel};
use brickwork_volume::{Header, VolumeWriteError, VoxelType};
use std::{
    fmt::Write as _,
    io::{self, Write},
};

/// Alignment of the first page's voxels.
const ALIGNMENT: u64 = 16;

/// Spacing, in millimetres, below which micrometres are written, the unit of microscopy. It affects only the
/// unit that viewers show.
const MICROSCOPIC: f64 = 0.05;

const SHORT: u16 = 3;
const LONG: u16 = 4;
const ASCII: u16 = 2;
const RATIONAL: u16 = 5;
const LONG8: u16 = 16;

/// Returns the voxel type's name in OME's schema; `None` for types that it does not have.
const fn type_name(voxel_type: VoxelType) -> Option<&'static str> {
    match voxel_type {
        VoxelType::U8 => Some("uint8"),
        VoxelType::I8 => Some("int8"),
        VoxelType::U16 => Some("uint16"),
        VoxelType::I16 => Some("int16"),
        VoxelType::U32 => Some("uint32"),
        VoxelType::I32 => Some("int32"),
        // (Half floats are widened first.)
        VoxelType::F32 | VoxelType::F16 => Some("float"),
        VoxelType::F64 => Some("double"),
        VoxelType::U64 | VoxelType::I64 => None,
    }
}

/// Writes what precedes the voxels: header, directories and text.
///
/// # Errors
/// [`WriteError::Unsupported`] for integers of 64 bits, and for sides of 2³² and more;
/// [`WriteError::Volume`] from `sink`.
pub fn write_header(header: &Header, mut sink: &mut dyn Write) -> Result<(), WriteError> {
    let Some(name) = type_name(header.voxel_type) else {
        return Err(WriteError::Unsupported {
            format: "OME-TIFF",
            what: UnwritableFeature::Voxels { voxel_type: header.voxel_type, channels: header.channels },
            instead: "NRRD and MetaImage do",
        });
    };
    let layout = Layout::of(header, text(header, name))?;
    let mut out = io::BufWriter::with_capacity(1 << 16, &mut sink);
    layout.write(&mut out)?;
    out.flush()?;
    Ok(())
}

/// Returns OME's description in XML.
fn text(header: &Header, type_name: &str) -> String {
    let dims = header.dims;
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\
         <OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
         xsi:schemaLocation=\"http://www.openmicroscopy.org/Schemas/OME/2016-06 \
         http://www.openmicroscopy.org/Schemas/OME/2016-06/ome.xsd\">\
         <Image ID=\"Image:0\"><Pixels ID=\"Pixels:0\" DimensionOrder=\"XYCZT\" Type=\"{type_name}\" \
         BigEndian=\"false\" SizeX=\"{}\" SizeY=\"{}\" SizeC=\"{}\" SizeZ=\"{}\" SizeT=\"{}\"",
        dims.x, dims.y, header.channels, dims.z, header.frames
    );
    let spacing = [header.spacing.x, header.spacing.y, header.spacing.z];
    let is_small = spacing.iter().all(|&length| length < MICROSCOPIC);
    let micrometres = spacing.map(|length| micrometres(length).filter(|_| is_small));
    let (lengths, unit) = match micrometres {
        [Some(x), Some(y), Some(z)] => ([x, y, z], "&#181;m"),
        _ => (spacing, "mm"),
    };
    for (axis, length) in ["X", "Y", "Z"].into_iter().zip(lengths) {
        let _ = write!(xml, " PhysicalSize{axis}=\"{length}\" PhysicalSize{axis}Unit=\"{unit}\"");
    }
    if header.frame_spacing > 0.0 {
        let _ = write!(xml, " TimeIncrement=\"{}\" TimeIncrementUnit=\"s\"", header.frame_spacing);
    }
    xml.push('>');
    let names = header.channel_names();
    for channel in 0..header.channels {
        let name = names.get(channel).map(|name| format!(" Name=\"{}\"", escaped(name))).unwrap_or_default();
        let _ = write!(xml, "<Channel ID=\"Channel:0:{channel}\"{name} SamplesPerPixel=\"1\"/>");
    }
    let pages = dims.z.saturating_mul(header.frames).saturating_mul(header.channels);
    let _ = write!(xml, "<TiffData IFD=\"0\" PlaneCount=\"{pages}\"/></Pixels></Image></OME>");
    xml
}

/// Returns a text as an attribute in ASCII. Control characters, which XML 1.0 does not have, become spaces.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '<' | '>' | '&' | '"' => escaped += &format!("&#{};", u32::from(letter)),
            ' '..='~' => escaped.push(letter),
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped += &format!("&#{};", u32::from(letter)),
        }
    }
    escaped
}

/// Returns the number of micrometres that reads as exactly this number of millimetres, if there is one.
fn micrometres(millimetres: f64) -> Option<f64> {
    // The decimal point moves in the shortest text.
    let text = format!("{millimetres:e}");
    let (digits, exponent) = text.split_once('e')?;
    let moved: f64 = format!("{digits}e{}", exponent.parse::<i32>().ok()? + 3).parse().ok()?;
    (moved / 1e3 == millimetres).then_some(moved)
}

/// Place of everything in the file.
struct Layout {
    text: Vec<u8>,
    width: u32,
    height: u32,
    bits: u16,
    sample_format: u16,
    page_count: u64,
    page_bytes: u64,
    is_big: bool,
}

impl Layout {
    fn of(header: &Header, text: String) -> Result<Self, WriteError> {
        let side = |side: usize| {
            u32::try_from(side).map_err(|_| WriteError::Unsupported {
                format: "OME-TIFF",
                what: UnwritableFeature::Side(side),
                instead: "NRRD and MetaImage do",
            })
        };
        let raw_bytes = header.raw_bytes()?;
        let page_count = (header.dims.z * header.frames * header.channels) as u64;
        let mut text = text.into_bytes();
        text.push(0);
        let mut layout = Self {
            text,
            width: side(header.dims.x)?,
            height: side(header.dims.y)?,
            bits: header.voxel_type.bit_count() as u16,
            sample_format: match header.voxel_type {
                VoxelType::U8 | VoxelType::U16 | VoxelType::U32 | VoxelType::U64 => 1,
                VoxelType::I8 | VoxelType::I16 | VoxelType::I32 | VoxelType::I64 => 2,
                VoxelType::F16 | VoxelType::F32 | VoxelType::F64 => 3,
            },
            page_count,
            page_bytes: raw_bytes / page_count,
            is_big: false,
        };
        layout.is_big = layout.voxels_at().saturating_add(raw_bytes) > u64::from(u32::MAX);
        Ok(layout)
    }

    const fn head_bytes(&self) -> u64 {
        if self.is_big { 16 } else { 8 }
    }

    /// Size of a directory; the first has one entry more, for the text.
    fn directory_bytes(&self, index: u64) -> u64 {
        let entries = ENTRIES + u64::from(index == 0);
        if self.is_big { 16 + 20 * entries } else { 6 + 12 * entries }
    }

    /// Offset of a directory, or of the end of the last.
    fn directory_at(&self, index: u64) -> u64 {
        let first = if index > 0 { self.directory_bytes(0) } else { 0 };
        let others = self.directory_bytes(1).saturating_mul(index.saturating_sub(1));
        self.head_bytes().saturating_add(first).saturating_add(others)
    }

    /// Offset of the resolution, which the text follows.
    fn resolution_at(&self) -> u64 {
        self.directory_at(self.page_count)
    }

    fn text_at(&self) -> u64 {
        self.resolution_at().saturating_add(8)
    }

    fn voxels_at(&self) -> u64 {
        let end = self.text_at().saturating_add(self.text.len() as u64);
        end.checked_next_multiple_of(ALIGNMENT).unwrap_or(u64::MAX)
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.is_big {
            out.write_all(b"II\x2b\0\x08\0\0\0")?;
        } else {
            out.write_all(b"II\x2a\0")?;
        }
        self.write_offset(self.head_bytes(), out)?;
        for index in 0..self.page_count {
            self.write_directory(index, out)?;
        }
        // One voxel for each unit, without a unit.
        out.write_all(&[1u32.to_le_bytes(), 1u32.to_le_bytes()].concat())?;
        out.write_all(&self.text)?;
        let padding = self.voxels_at() - self.text_at() - self.text.len() as u64;
        out.write_all(&[0; ALIGNMENT as usize][..padding as usize])
    }

    /// Writes a number of the size of offsets.
    fn write_offset(&self, offset: u64, out: &mut dyn Write) -> io::Result<()> {
        let size = if self.is_big { 8 } else { 4 };
        out.write_all(&offset.to_le_bytes()[..size])
    }

    fn write_directory(&self, index: u64, out: &mut dyn Write) -> io::Result<()> {
        let offset = if self.is_big { LONG8 } else { LONG };
        let text = (index == 0).then_some((270, ASCII, self.text.len() as u64, self.text_at()));
        // BigTIFF has room for the resolution in its entry.
        let resolution = if self.is_big { 1 | 1 << 32 } else { self.resolution_at() };
        let entries: [(u16, u16, u64, u64); ENTRIES as usize] = [
            (256, LONG, 1, self.width.into()),
            (257, LONG, 1, self.height.into()),
            (258, SHORT, 1, self.bits.into()),
            // No compression; the smallest number is black.
            (259, SHORT, 1, 1),
            (262, SHORT, 1, 1),
            (273, offset, 1, self.voxels_at() + index * self.page_bytes),
            (277, SHORT, 1, 1),
            (278, LONG, 1, self.height.into()),
            (279, offset, 1, self.page_bytes),
            (282, RATIONAL, 1, resolution),
            (283, RATIONAL, 1, resolution),
            (296, SHORT, 1, 1),
            (339, SHORT, 1, self.sample_format.into()),
        ];
        let count = ENTRIES + u64::from(text.is_some());
        out.write_all(&count.to_le_bytes()[..if self.is_big { 8 } else { 2 }])?;
        for (tag, kind, count, value) in
            entries[..5].iter().copied().chain(text).chain(entries[5..].iter().copied())
        {
            out.write_all(&tag.to_le_bytes())?;
            out.write_all(&kind.to_le_bytes())?;
            self.write_offset(count, out)?;
            self.write_offset(value, out)?;
        }
        let next = if index + 1 < self.page_count { self.directory_at(index + 1) } else { 0 };
        self.write_offset(next, out)
    }
}

/// Bytes of voxels that are split at a time.
const PIECE_BYTES: usize = 1 << 16;

/// Number of entries of a directory without a text.
const ENTRIES: u64 = 13;

/// Writer of voxels whose channels are side by side, as pages of one channel.
pub struct Pages<'a> {
    sink: &'a mut dyn Write,
    header: &'a Header,
    slice_bytes: usize,
    slice: Vec<u8>,
}

impl<'a> Pages<'a> {
    /// Takes memory for a slice.
    ///
    /// # Errors
    /// [`VolumeWriteError::Memory`].
    pub fn new(header: &'a Header, sink: &'a mut dyn Write) -> Result<Self, WriteError> {
        let wanted = header.raw_bytes()? / (header.dims.z * header.frames) as u64;
        let slice_bytes = usize::try_from(wanted).map_err(|_| VolumeWriteError::Memory(wanted))?;
        let mut slice = Vec::new();
        slice.try_reserve_exact(slice_bytes).map_err(|_| VolumeWriteError::Memory(wanted))?;
        Ok(Self { sink, header, slice_bytes, slice })
    }
}

impl Write for Pages<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(self.slice_bytes - self.slice.len());
        self.slice.extend_from_slice(&bytes[..count]);
        if self.slice.len() == self.slice_bytes {
            for channel in 0..self.header.channels {
                let mut page = OneChannel::new(&mut *self.sink, self.header, channel);
                self.slice.chunks(PIECE_BYTES).try_for_each(|piece| page.write_all(piece))?;
            }
            self.slice.clear();
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OpenedVolume, VolumeFormat, VolumeWriteOptions, open, write_volume};
    use brickwork_volume::{ByteOrder, Dims, Spacing, Task, VoxelStream};
    use std::io::Cursor;

    /// Checks the format of numbers of each type by another reader.
    #[test]
    fn every_type_but_those_of_64_bits_is_stated() {
        use tiff::tags::Tag::{BitsPerSample, SampleFormat};
        for (voxel_type, bits, format) in [
            (VoxelType::U8, 8, 1),
            (VoxelType::I8, 8, 2),
            (VoxelType::U16, 16, 1),
            (VoxelType::I16, 16, 2),
            (VoxelType::U32, 32, 1),
            (VoxelType::I32, 32, 2),
            (VoxelType::F32, 32, 3),
            (VoxelType::F64, 64, 3),
        ] {
            let mut head = Vec::new();
            write_header(&Header::new(voxel_type, Dims::new(1, 1, 1)), &mut head).expect("memory");
            let mut decoder = tiff::decoder::Decoder::new(Cursor::new(&head)).expect("a TIFF file");
            let mut tag = |tag| decoder.get_tag_u64(tag).expect("a number");
            assert_eq!((tag(BitsPerSample), tag(SampleFormat)), (bits, format), "{voxel_type}");
        }
    }

    #[test]
    fn channels_and_frames_are_pages_of_grey() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.ome.tif");
        for (channels, frames) in [(1, 1), (4, 1), (1, 3), (3, 2)] {
            let header = Header::new(VoxelType::U16, Dims::new(3, 2, 2)).with(|header| {
                header.channels = channels;
                header.frames = frames;
                header.frame_spacing = if frames > 1 { 0.25 } else { 0.0 };
                header.spacing = Spacing { x: 0.0002, y: 0.0003, z: 0.001 };
                let names = ["DAPI", "<α\" & β>", "", "d"];
                header.metadata =
                    serde_json::json!({ "zarr": { "channel_names": names[..channels] } }).to_string();
            });
            let count = 12 * channels * frames;
            let numbers: Vec<u8> = (0..count as u16).flat_map(u16::to_le_bytes).collect();
            let volume = OpenedVolume {
                format: VolumeFormat::Raw,
                header: header.clone(),
                order: ByteOrder::Little,
                voxels: VoxelStream::Once(Box::new(Cursor::new(numbers.clone()))),
                files: Vec::new(),
                notes: Vec::new(),
            };
            let mut file = Vec::new();
            write_volume(volume, VolumeFormat::Tiff, &VolumeWriteOptions::default(), &mut file, &Task::new())
                .expect("memory");
            // The pages are at the end: all channels of a slice, then the next slice.
            let want: Vec<u8> = (0..2 * frames)
                .flat_map(|slice| (0..channels).map(move |channel| (slice, channel)))
                .flat_map(|(slice, channel)| (0..6).map(move |i| (6 * slice + i) * channels + channel))
                .flat_map(|i| (i as u16).to_le_bytes())
                .collect();
            assert!(file.ends_with(&want), "{channels} {frames}");
            let text = String::from_utf8_lossy(&file);
            assert!(text.contains("PhysicalSizeX=\"0.2\" PhysicalSizeXUnit=\"&#181;m\""), "{text}");
            std::fs::write(&path, &file).expect("a file");
            let read = open(&path, &Default::default(), &Task::new()).expect("our own file");
            assert_eq!((read.header.spacing, read.header.frames), (header.spacing, frames));
            assert_eq!(read.header.frame_spacing, header.frame_spacing);
            assert_eq!(read.header.channel_names(), ["DAPI", "<α\" & β>", "", "d"][..channels]);
            assert!(
                text.contains("<Channel ID=\"Channel:0:0\" Name=\"DAPI\" SamplesPerPixel=\"1\"/>"),
                "{text}"
            );
            assert!(channels < 2 || text.contains("Name=\"&#60;&#945;&#34; &#38; &#946;&#62;\""), "{text}");
            let mut back = Vec::new();
            write_volume(read, VolumeFormat::Raw, &VolumeWriteOptions::default(), &mut back, &Task::new())
                .expect("our own file");
            assert!(back == numbers, "{channels} {frames}");
        }
    }

    /// Checks that the last page ends where the file does, by another reader, around the end of classic TIFF.
    #[test]
    fn files_beyond_4_gib_are_bigtiff() {
        for (slices, is_big) in [(255, false), (256, true), (700, true)] {
            let header = Header::new(VoxelType::U8, Dims::new(4096, 4096, slices));
            let mut head = Vec::new();
            write_header(&header, &mut head).expect("memory");
            assert_eq!(head[2], if is_big { 43 } else { 42 });
            let end = head.len() as u64 + header.raw_bytes().expect("a shape");
            let mut decoder = tiff::decoder::Decoder::new(Cursor::new(&head)).expect("a TIFF file");
            for page in 0..slices {
                let mut tag = |tag| decoder.get_tag_u64(tag).expect("a number");
                let (at, count) = (tag(tiff::tags::Tag::StripOffsets), tag(tiff::tags::Tag::StripByteCounts));
                assert_eq!((at, count), (head.len() as u64 + ((page as u64) << 24), 1 << 24));
                assert_eq!(decoder.more_images(), page + 1 < slices);
                if page + 1 < slices {
                    decoder.next_image().expect("a page");
                } else {
                    assert_eq!(at + count, end);
                }
            }
        }
    }

    #[test]
    fn integers_of_64_bits_are_refused() {
        let header = Header::new(VoxelType::I64, Dims::new(1, 1, 1));
        let error = write_header(&header, &mut Vec::new()).expect_err("no such type");
        assert_eq!(error.to_string(), "OME-TIFF does not hold voxels that are i64; NRRD and MetaImage do");
    }

    #[test]
    fn micrometres_read_as_the_same_millimetres() {
        // 1e-4 ÷ 1000 is not the float nearest to 1e-7.
        assert_eq!([0.0002, 0.3, 1e-7].map(micrometres), [Some(0.2), Some(300.0), None]);
    }
}
