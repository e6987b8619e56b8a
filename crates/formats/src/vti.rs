//! VTI: images of VTK's XML formats
//! (<https://docs.vtk.org/en/latest/vtk_file_formats/vtkxml_file_format.html>).
//!
//! The reader takes images of one piece. It reads an array of the piece's point data, or else of its cell
//! data: the one that `Scalars` names, or the first that is not `vtkGhostType`. Arrays have 1 to 4
//! components. A voxel is a point, or a cell, whose centre is half a spacing from the point. The data may be
//! text, base64 in place or appended, or raw and appended; all but text may be compressed by zlib.

mod stream;

use crate::{
    FormatError, Note, OpenedVolume, UnwritableFeature, VolumeFormat, VtiFeature, WriteError, XmlFault,
    header::{
        format_header::set_metadata,
        geometry::Field,
        header_text::short,
        xml::{bad, geometry, numbers, text},
    },
    opened::source::Source,
    streams::reopening_reader::ReopeningReader,
};
use brickwork_volume::{BufReadSeek, ByteOrder, Cancellable, Dims, Header, Spacing, Task, VoxelType};
use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};
use std::{
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::Path,
};
use stream::{Encoding, Layout};

/// Maximum number of bytes of one tag, or of the text between two tags.
const MAX_EVENT: u64 = 1 << 20;

/// Opens a file, and reads its header.
///
/// # Errors
/// [`FormatError`].
pub fn open(path: &Path, task: &Task<'_>) -> Result<OpenedVolume, FormatError> {
    open_source(Source::File(path.to_owned()), None, task)
}

/// Opens a file, of which the array of this name is read, if one is given.
///
/// # Errors
/// [`FormatError`].
pub(crate) fn open_source(
    source: Source,
    array: Option<&str>,
    task: &Task<'_>,
) -> Result<OpenedVolume, FormatError> {
    let (header, layout, notes) = read_header(&mut Cancellable::new(source.open()?, task), array)?;
    let order = if layout.encoding == Encoding::Text { ByteOrder::Little } else { layout.order };
    let (files, voxel_type) = (source.files(), header.voxel_type);
    let byte_count = header.raw_bytes()?;
    let voxels = ReopeningReader::new(move || {
        let mut file = BufReader::with_capacity(1 << 20, source.open()?);
        file.seek(SeekFrom::Start(layout.offset))?;
        stream::open(Box::new(file), &layout, voxel_type, byte_count)
    });
    let volume = OpenedVolume::from_files(VolumeFormat::Vti, header, order, voxels, files);
    Ok(OpenedVolume { notes, ..volume })
}

/// Fields of `<VTKFile>` and `<ImageData>` that the reader needs.
#[derive(Default)]
struct Fields {
    order: ByteOrder,
    word_bytes: usize,
    packed: bool,
    extent: Option<[i64; 6]>,
    origin: [f64; 3],
    spacing: Option<[f64; 3]>,
    orientation: Option<[f64; 9]>,
    scalars: Option<String>,
    array: Option<Array>,
    /// Name of the array to read, if the caller chooses one.
    wanted: Option<String>,
    /// Names of all arrays of points and cells.
    names: Vec<String>,
}

/// Maximum number of names of arrays that are kept.
const MAX_NAMES: usize = 64;

/// Array that marks points and cells as copies or hidden.
const GHOSTS: &str = "vtkGhostType";

/// Section of an array: point data or cell data.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Points,
    Cells,
}

/// Array that contains the voxels.
struct Array {
    section: Section,
    name: String,
    voxel_type: VoxelType,
    channels: usize,
    encoding: Encoding,
    /// Start of the array, in the file or in the appended data.
    offset: u64,
}

fn read_header(
    file: &mut dyn BufReadSeek,
    wanted: Option<&str>,
) -> Result<(Header, Layout, Vec<Note>), FormatError> {
    let mut reader = Reader::from_reader(file.take(MAX_EVENT));
    let wanted = wanted.map(str::to_owned);
    let mut fields = Fields { word_bytes: 4, wanted, ..Fields::default() };
    let (mut buffer, mut section, mut in_file, mut in_image) = (Vec::new(), None, false, false);
    let appended = loop {
        buffer.clear();
        reader.get_mut().set_limit(MAX_EVENT);
        let at = reader.buffer_position();
        let event = reader.read_event_into(&mut buffer);
        let is_empty = matches!(event, Ok(Event::Empty(_)));
        match event {
            Ok(Event::Start(tag) | Event::Empty(tag)) => match tag.name().0 {
                "VTKFile" => {
                    in_file = true;
                    fields.file(&tag)?;
                }
                "ImageData" if in_file => {
                    in_image = true;
                    fields.image(&tag)?;
                }
                _ if !in_image => return Err(FormatError::Other("VTI")),
                "Piece" => fields.piece(&tag)?,
                name @ ("PointData" | "CellData") => {
                    let opened = if name == "CellData" { Section::Cells } else { Section::Points };
                    section = Some(opened).filter(|_| !is_empty);
                    fields.scalars = text(&tag, "Scalars")?;
                }
                "DataArray" => {
                    let wanted = match section {
                        Some(section) => fields.array(&tag, section)?,
                        None => false,
                    };
                    if !is_empty && text(&tag, "format")?.as_deref() != Some("appended") {
                        let inner = reader.get_mut().get_mut();
                        if wanted && let Some(array) = &mut fields.array {
                            array.offset = inner.stream_position()?;
                        }
                        skip_text(inner)?;
                    }
                }
                "AppendedData" => {
                    let raw = match text(&tag, "encoding")?.as_deref() {
                        Some("raw") => true,
                        Some("base64") => false,
                        _ => return Err(bad(&tag, "encoding")),
                    };
                    let inner = reader.get_mut().get_mut();
                    break Some((raw, underscore(inner)?));
                }
                _ => {}
            },
            Ok(Event::End(tag)) if matches!(tag.name().0, "PointData" | "CellData") => section = None,
            Ok(Event::Eof) if reader.get_ref().limit() > 0 => break None,
            Err(_) | Ok(Event::Eof) if reader.get_ref().limit() == 0 => return Err(FormatError::Long),
            Err(_) if !in_image => return Err(FormatError::Other("VTI")),
            Err(error) => return Err(XmlFault::Syntax(error.to_string()).at(at)),
            Ok(_) => {}
        }
    };
    if !in_image {
        return Err(FormatError::Other("VTI"));
    }
    fields.finish(appended)
}

impl Fields {
    fn file(&mut self, tag: &BytesStart<'_>) -> Result<(), FormatError> {
        if text(tag, "type")?.as_deref() != Some("ImageData") {
            return Err(FormatError::Other("VTI"));
        }
        self.order = match text(tag, "byte_order")?.as_deref() {
            None | Some("LittleEndian") => ByteOrder::Little,
            Some("BigEndian") => ByteOrder::Big,
            _ => return Err(bad(tag, "byte_order")),
        };
        self.word_bytes = match text(tag, "header_type")?.as_deref() {
            None | Some("UInt32") => 4,
            Some("UInt64") => 8,
            _ => return Err(bad(tag, "header_type")),
        };
        self.packed = match text(tag, "compressor")?.as_deref() {
            None | Some("") => false,
            Some("vtkZLibDataCompressor") => true,
            Some(other) => return Err(VtiFeature::Compressor(short(other)).into()),
        };
        Ok(())
    }

    fn image(&mut self, tag: &BytesStart<'_>) -> Result<(), FormatError> {
        self.extent = Some(numbers(tag, "WholeExtent")?.ok_or_else(|| bad(tag, "WholeExtent"))?);
        self.origin = geometry(tag, "Origin")?.map_or([0.0; 3], |(_, origin)| origin);
        if let Some((text, spacing)) = geometry::<3>(tag, "Spacing")? {
            for length in spacing {
                Field { name: "Spacing", text: &text }.length(length)?;
            }
            self.spacing = Some(spacing);
        }
        if let Some((text, d)) = geometry::<9>(tag, "Direction")? {
            // The file stores the directions as columns.
            let directions = [d[0], d[3], d[6], d[1], d[4], d[7], d[2], d[5], d[8]];
            Field { name: "Direction", text: &text }.check_orientation(&directions)?;
            self.orientation = Some(directions);
        }
        Ok(())
    }

    fn piece(&self, tag: &BytesStart<'_>) -> Result<(), FormatError> {
        match numbers(tag, "Extent")? {
            None => Err(bad(tag, "Extent")),
            some if some == self.extent => Ok(()),
            Some(_) => Err(VtiFeature::Pieces.into()),
        }
    }

    /// Keeps the array and returns true if it is the one to read.
    fn array(&mut self, tag: &BytesStart<'_>, section: Section) -> Result<bool, FormatError> {
        let name = text(tag, "Name")?.unwrap_or_default();
        if self.names.len() < MAX_NAMES {
            self.names.push(short(&name));
        }
        // Points are preferred to cells, and any other array to VTK's own marks of ghosts.
        let has_one = self.array.as_ref().is_some_and(|array| match array.name == GHOSTS {
            true => name == GHOSTS,
            false => array.section == section || section == Section::Cells || name == GHOSTS,
        });
        let is_other = match (&self.wanted, &self.scalars) {
            (Some(wanted), _) => *wanted != name,
            (None, scalars) => scalars.as_ref().is_some_and(|scalars| *scalars != name),
        };
        if has_one || is_other {
            return Ok(false);
        }
        let voxel_type = match text(tag, "type")?.as_deref() {
            Some("UInt8") => VoxelType::U8,
            Some("Int8") => VoxelType::I8,
            Some("UInt16") => VoxelType::U16,
            Some("Int16") => VoxelType::I16,
            Some("UInt32") => VoxelType::U32,
            Some("Int32") => VoxelType::I32,
            Some("Float32") => VoxelType::F32,
            Some("UInt64") => VoxelType::U64,
            Some("Int64") => VoxelType::I64,
            Some("Float64") => VoxelType::F64,
            Some(other) => return Err(VtiFeature::Type(short(other)).into()),
            None => return Err(bad(tag, "type")),
        };
        let channels = match text(tag, "NumberOfComponents")? {
            None => 1,
            Some(count) => count.trim().parse().map_err(|_| bad(tag, "NumberOfComponents"))?,
        };
        let (encoding, offset) = match text(tag, "format")?.as_deref() {
            Some("ascii") => (Encoding::Text, 0),
            Some("binary") => (Encoding::Base64, 0),
            Some("appended") => {
                let [offset] = numbers(tag, "offset")?.ok_or_else(|| bad(tag, "offset"))?;
                (Encoding::Raw, offset)
            }
            _ => return Err(bad(tag, "format")),
        };
        self.array = Some(Array { section, name, voxel_type, channels, encoding, offset });
        Ok(true)
    }

    fn finish(self, appended: Option<(bool, u64)>) -> Result<(Header, Layout, Vec<Note>), FormatError> {
        let array = match (self.array, self.wanted) {
            (Some(array), _) => array,
            (None, Some(name)) => return Err(FormatError::NoArray { name, found: self.names }),
            (None, None) => return Err(FormatError::Missing("DataArray")),
        };
        let extent = self.extent.ok_or(FormatError::Missing("WholeExtent"))?;
        let is_cells = array.section == Section::Cells;
        let side = |i: usize| {
            let side = i128::from(extent[2 * i + 1]) - i128::from(extent[2 * i]) + 1;
            // There is a cell between two points; one plane of points counts as one of cells.
            let side = if is_cells && side > 1 { side - 1 } else { side };
            usize::try_from(side).unwrap_or(if side < 0 { 0 } else { usize::MAX })
        };
        let dims = Dims::new(side(0), side(1), side(2));
        let mut header = Header::new(array.voxel_type, dims).with(|header| header.channels = array.channels);
        header.raw_bytes()?;
        if let Some([x, y, z]) = self.spacing {
            header.spacing = Spacing { x, y, z };
        }
        if let Some(orientation) = self.orientation {
            header.orientation = orientation;
        }
        // The origin is the position of index (0, 0, 0). The extent may start at another index.
        header.origin = self.origin;
        let steps = [header.spacing.x, header.spacing.y, header.spacing.z];
        for i in 0..3 {
            for j in 0..3 {
                let has_extent = extent[2 * i + 1] > extent[2 * i];
                let half = if is_cells && has_extent { 0.5 } else { 0.0 };
                header.origin[j] += (extent[2 * i] as f64 + half) * steps[i] * header.orientation[3 * i + j];
            }
        }
        if !array.name.is_empty() {
            set_metadata(&mut header, serde_json::json!({ "vti": { "Name": array.name } }));
        }
        let taken = short(&array.name);
        let mut names = self.names;
        // Only one of the same name is read.
        names.iter().position(|name| *name == taken).map(|index| names.remove(index));
        let notes = (!names.is_empty()).then_some(Note::OtherArrays { names, taken });
        let (mut encoding, mut offset) = (array.encoding, array.offset);
        if encoding == Encoding::Raw {
            let (raw, start) = appended.ok_or(FormatError::Missing("AppendedData"))?;
            if !raw {
                encoding = Encoding::Base64;
            }
            offset = offset.saturating_add(start);
        }
        let (packed, word_bytes, order) = (self.packed, self.word_bytes, self.order);
        let layout = Layout { offset, encoding, packed, word_bytes, order };
        Ok((header, layout, notes.into_iter().collect()))
    }
}

/// Skips to the next tag.
fn skip_text(file: &mut dyn BufRead) -> io::Result<()> {
    loop {
        let bytes = file.fill_buf()?;
        let found = bytes.iter().position(|&b| b == b'<');
        let count = found.unwrap_or(bytes.len());
        if count == 0 {
            return Ok(());
        }
        file.consume(count);
    }
}

/// Skips white space and the underscore before appended data. Returns the start of the data.
fn underscore(file: &mut dyn BufReadSeek) -> Result<u64, FormatError> {
    let mut byte = [b' '];
    let mut limited = (&mut *file).take(MAX_EVENT);
    while byte[0].is_ascii_whitespace() {
        limited.read_exact(&mut byte)?;
    }
    if byte != *b"_" {
        return Err(XmlFault::NoUnderscore.at(file.stream_position()? - 1));
    }
    Ok(file.stream_position()?)
}

/// Writes the part of the file before the voxels. Raw little-endian voxels must follow, and then
/// [`write_end`].
///
/// # Errors
/// [`WriteError::Unsupported`] for several frames; [`WriteError::Volume`] for an invalid header, or an error
/// of `sink`.
pub fn write_header(header: &Header, sink: &mut dyn Write) -> Result<(), WriteError> {
    let byte_count = header.raw_bytes()?;
    if header.frames > 1 {
        return Err(WriteError::Unsupported {
            format: "VTI",
            what: UnwritableFeature::Frames(header.frames),
            instead: "NRRD, MetaImage and NIfTI do",
        });
    }
    let name = match header.voxel_type {
        VoxelType::U8 => "UInt8",
        VoxelType::I8 => "Int8",
        VoxelType::U16 => "UInt16",
        VoxelType::I16 => "Int16",
        VoxelType::U32 => "UInt32",
        VoxelType::I32 => "Int32",
        // (Half floats are widened first.)
        VoxelType::F32 | VoxelType::F16 => "Float32",
        VoxelType::U64 => "UInt64",
        VoxelType::I64 => "Int64",
        VoxelType::F64 => "Float64",
    };
    let joined = |numbers: &[f64]| numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
    let channels = match header.channels {
        1 => String::new(),
        count => format!(" NumberOfComponents=\"{count}\""),
    };
    let Dims { x, y, z } = header.dims;
    let extent = format!("0 {} 0 {} 0 {}", x - 1, y - 1, z - 1);
    let o = &header.orientation;
    let direction = joined(&[o[0], o[3], o[6], o[1], o[4], o[7], o[2], o[5], o[8]]);
    let origin = joined(&header.origin);
    let spacing = joined(&[header.spacing.x, header.spacing.y, header.spacing.z]);
    write!(
        sink,
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
         <ImageData WholeExtent=\"{extent}\" Origin=\"{origin}\" Spacing=\"{spacing}\" \
         Direction=\"{direction}\">\n\
         <Piece Extent=\"{extent}\">\n<PointData Scalars=\"voxels\">\n\
         <DataArray type=\"{name}\" Name=\"voxels\"{channels} format=\"appended\" offset=\"0\"/>\n\
         </PointData>\n</Piece>\n</ImageData>\n<AppendedData encoding=\"raw\">\n_",
    )?;
    sink.write_all(&byte_count.to_le_bytes())?;
    Ok(())
}

/// Writes the part of the file after the voxels.
///
/// # Errors
/// Errors of `sink`.
pub fn write_end(sink: &mut dyn Write) -> io::Result<()> {
    sink.write_all(b"\n</AppendedData>\n</VTKFile>\n")
}
