//! glTF files: their images, the uses of these, and the bytes of those within the file or its buffers.
//!
//! Source: Khronos, *glTF 2.0 Specification*, sections 3.6 (buffers), 3.8 (images) and 4.4 (binary glTF).

use super::{
    error::{AuditError, ModelFault},
    uri::{self, UriFault},
    uses::{Uses, uses_of},
};
use crate::report::{AuditFinding, AuditRule, AuditedModel, EmbeddedImage};
use brickwork_base::Task;
use brickwork_toolkit::batch::{ByteStream, Input};
use serde_json::Value;
use std::{
    io::{self, Read, Seek as _, SeekFrom},
    path::{Path, PathBuf},
};

/// Bytes of memory that each `{`, `[`, `,` and `:` of JSON counts for, also within strings. An object of one
/// entry takes the most: it has two such marks, and a node of 11 entries.
const MARK_BYTES: u64 = 400;

/// Copies of the JSON in memory: the text, in a buffer that grows to at most twice its size, and the strings.
const TEXT_COPIES: u64 = 4;

/// Bytes that are read between two checks for cancellation.
const STEP_BYTES: u64 = 1 << 22;

const GLB_MAGIC: &[u8] = b"glTF";
const GLB_VERSION: u32 = 2;
const GLB_HEADER_BYTES: u64 = 12;
const CHUNK_HEADER_BYTES: u64 = 8;

/// The location of a glTF file.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub input: Input,
    /// The folder that is audited. URIs lead to no file outside of it, except through symbolic links in it.
    pub root: PathBuf,
    /// The glTF file's folder, relative to `root`.
    pub below: PathBuf,
}

/// A glTF file that was parsed.
pub(super) struct Model {
    place: Place,
    document: Document,
    /// The second chunk of binary glTF, which is buffer 0.
    chunk: Option<Chunk>,
    pub uses: Vec<Uses>,
}

/// Part of a file, in bytes.
#[derive(Clone, Copy)]
struct Chunk {
    start: u64,
    length: u64,
}

/// The parts of glTF that are examined.
#[derive(Default, serde::Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Document {
    images: Vec<Image>,
    textures: Vec<Value>,
    materials: Vec<Value>,
    buffer_views: Vec<BufferView>,
    buffers: Vec<Buffer>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Image {
    uri: Option<String>,
    buffer_view: Option<usize>,
    name: Option<String>,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct BufferView {
    buffer: usize,
    #[serde(default)]
    byte_offset: u64,
    byte_length: u64,
}

#[derive(serde::Deserialize)]
struct Buffer {
    uri: Option<String>,
}

/// An image that is a separate file.
pub(super) struct Reference {
    pub image: usize,
    pub path: PathBuf,
}

impl Model {
    /// Reads and parses a glTF file, binary or not.
    ///
    /// # Errors
    /// [`AuditError`], which names the file.
    pub fn read(place: Place, max_memory: u64, task: &Task<'_>) -> Result<Self, AuditError> {
        let mut stream = place.input.open(max_memory, task)?;
        let failed = |fault: ModelFault| AuditError::of_model(place.input.name(), fault);
        let (json, chunk) = json_of(&mut *stream, max_memory, task).map_err(failed)?;
        task.check()?;
        let mut document: Document =
            serde_json::from_slice(&json).map_err(|error| failed(ModelFault::Json(error)))?;
        let uses = uses_of(&document.materials, &document.textures, document.images.len());
        (document.materials, document.textures) = (Vec::new(), Vec::new());
        Ok(Self { place, document, chunk, uses })
    }

    /// Returns the images that are separate files below the folder, and the report, which names those that do
    /// not exist.
    pub fn references(&self) -> (Vec<Reference>, AuditedModel) {
        let (mut references, mut findings, mut embedded) = (Vec::new(), Vec::new(), 0);
        let mut found = |rule, image: usize, reason: &str| {
            let message = format!("image {image}: {reason}");
            findings.push(AuditFinding { rule, image: image as u64, message });
        };
        for (index, (image, uses)) in self.document.images.iter().zip(&self.uses).enumerate() {
            match (&image.uri, image.buffer_view) {
                (Some(uri), _) if uri::is_data(uri) => embedded += 1,
                (None, Some(_)) => embedded += 1,
                (None, None) => found(AuditRule::Empty, index, "has neither a URI nor a buffer view"),
                (Some(uri), _) => match self.path_of(uri) {
                    Ok(path) if path.is_file() => references.push(Reference { image: index, path }),
                    Ok(_) => found(AuditRule::Missing, index, &format!("{uri} does not exist")),
                    Err(fault) => {
                        let (rule, reason) = reason_of(fault);
                        found(rule, index, &format!("{uri} {reason}"));
                    }
                },
            }
            if uses.contradict() {
                let properties = uses.properties.join(", ");
                let reason = format!("used in contradictory ways: {properties}");
                found(AuditRule::Contradiction, index, &reason);
            } else if uses.properties.is_empty() {
                found(AuditRule::Unused, index, "no material uses it");
            }
        }
        let (file, images) = (self.place.input.name(), self.document.images.len() as u64);
        (references, AuditedModel { file, images, embedded, findings })
    }

    /// Returns the images within the file or its buffers.
    pub fn embedded(&self) -> Vec<EmbeddedImage> {
        let is_embedded =
            |image: &Image| image.uri.as_deref().map_or(image.buffer_view.is_some(), uri::is_data);
        let images = self.document.images.iter().enumerate();
        let images = images.filter(|(_, image)| is_embedded(image));
        images.map(|(index, image)| EmbeddedImage { index: index as u64, name: image.name.clone() }).collect()
    }

    /// Returns the buffer view that contains an image; none for an image with a URI.
    pub fn view_of(&self, image: usize) -> Option<usize> {
        self.document.images.get(image).filter(|image| image.uri.is_none())?.buffer_view
    }

    /// Returns the length in bytes of all URIs, which may contain data.
    pub fn uri_bytes(&self) -> u64 {
        let Document { images, buffers, .. } = &self.document;
        let of_buffers = buffers.iter().map(|buffer| &buffer.uri);
        let uris = images.iter().map(|image| &image.uri).chain(of_buffers);
        uris.flatten().map(|uri| uri.len() as u64).sum()
    }

    /// Returns the bytes of an image within the file or its buffers.
    ///
    /// # Errors
    /// [`ModelFault`] if they cannot be read, or are more than `max_memory`.
    pub fn bytes_of(&self, image: usize, max_memory: u64, task: &Task<'_>) -> Result<Vec<u8>, ModelFault> {
        let Some(image) = self.document.images.get(image) else {
            return Err(ModelFault::NoElement(format!("image {image}")));
        };
        if let Some(uri) = &image.uri {
            return uri::data(uri).ok_or(ModelFault::DataUri);
        }
        let number = image.buffer_view.unwrap_or_default();
        let Some(view) = self.document.buffer_views.get(number) else {
            return Err(ModelFault::NoElement(format!("buffer view {number}")));
        };
        let Some(buffer) = self.document.buffers.get(view.buffer) else {
            return Err(ModelFault::NoElement(format!("buffer {}", view.buffer)));
        };
        let end = view.byte_offset.saturating_add(view.byte_length);
        let check = |available: u64| {
            if end > available {
                let part = format!("buffer view {number}");
                return Err(ModelFault::Ends { part, needed: end, available });
            }
            if view.byte_length > max_memory {
                return Err(ModelFault::Memory { needed: view.byte_length, limit: max_memory });
            }
            Ok(())
        };
        let (input, chunk) = match &buffer.uri {
            Some(uri) if uri::is_data(uri) => {
                check(uri::data_length(uri).ok_or(ModelFault::DataUri)?)?;
                return uri::data_part(uri, view.byte_offset..end).ok_or(ModelFault::DataUri);
            }
            Some(uri) => {
                let named =
                    |reason: &str| ModelFault::Buffer(format!("buffer {}: {uri} {reason}", view.buffer));
                let path = self.path_of(uri).map_err(|fault| named(reason_of(fault).1))?;
                if !path.is_file() {
                    return Err(named("does not exist"));
                }
                (Input::File(path), Chunk { start: 0, length: u64::MAX })
            }
            None => {
                let chunk = self.chunk.filter(|_| view.buffer == 0).ok_or_else(|| {
                    ModelFault::Buffer(format!("buffer {} has neither a URI nor a chunk", view.buffer))
                })?;
                (self.place.input.clone(), chunk)
            }
        };
        let mut stream = input.open(max_memory, task).map_err(ModelFault::File)?;
        let length = stream.seek(SeekFrom::End(0))?.saturating_sub(chunk.start);
        check(chunk.length.min(length))?;
        stream.seek(SeekFrom::Start(chunk.start + view.byte_offset))?;
        Ok(read_bytes(&mut *stream, view.byte_length, task)?)
    }

    fn path_of(&self, uri: &str) -> Result<PathBuf, UriFault> {
        uri::path_of(uri, &self.place.root, &self.place.below)
    }
}

/// Returns the rule that a URI violates, and the reason after the URI.
fn reason_of(fault: UriFault) -> (AuditRule, &'static str) {
    match fault {
        UriFault::Absolute => (AuditRule::NotAPath, "is not a relative path; it is not read"),
        UriFault::Outside => (AuditRule::Outside, "is outside of the folder; it is not read"),
        UriFault::NoName => (AuditRule::NotAPath, "is not the name of a file"),
    }
}

/// Returns the JSON of a glTF file, and the second chunk if it is binary.
fn json_of(
    stream: &mut dyn ByteStream,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<(Vec<u8>, Option<Chunk>), ModelFault> {
    let file_bytes = stream.seek(SeekFrom::End(0))?;
    stream.seek(SeekFrom::Start(0))?;
    let mut magic = Vec::new();
    (&mut *stream).take(4).read_to_end(&mut magic)?;
    let (start, length, chunk) = if magic == GLB_MAGIC {
        let start = GLB_HEADER_BYTES + CHUNK_HEADER_BYTES;
        if file_bytes < start {
            let part = "the header of binary glTF".to_owned();
            return Err(ModelFault::Ends { part, needed: start, available: file_bytes });
        }
        let version = u32_of(stream)?;
        if version != GLB_VERSION {
            return Err(ModelFault::Version(version));
        }
        let _file_length = u32_of(stream)?;
        let (length, name) = (u64::from(u32_of(stream)?), u32_of(stream)?);
        if &name.to_le_bytes() != b"JSON" {
            return Err(ModelFault::FirstChunk);
        }
        if start + length > file_bytes {
            let (part, needed) = ("the JSON".to_owned(), start + length);
            return Err(ModelFault::Ends { part, needed, available: file_bytes });
        }
        stream.seek(SeekFrom::Start(start + length))?;
        (start, length, second_chunk(stream, start + length, file_bytes)?)
    } else {
        (0, file_bytes, None)
    };
    let check = |needed: u64| {
        if needed > max_memory {
            return Err(ModelFault::Memory { needed, limit: max_memory });
        }
        Ok(())
    };
    let text_bytes = length.saturating_mul(TEXT_COPIES);
    check(text_bytes)?;
    stream.seek(SeekFrom::Start(start))?;
    let json = read_bytes(stream, length, task)?;
    let is_mark = |byte: &&u8| matches!(**byte, b'{' | b'[' | b',' | b':');
    let mark_count = json.iter().filter(is_mark).count() as u64;
    check(text_bytes.saturating_add(mark_count.saturating_mul(MARK_BYTES)))?;
    Ok((json, chunk))
}

/// Returns the next `count` bytes; fewer at the end of the stream.
fn read_bytes(stream: &mut dyn ByteStream, count: u64, task: &Task<'_>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        task.check().map_err(io::Error::other)?;
        let step = STEP_BYTES.min(count - bytes.len() as u64);
        if (&mut *stream).take(step).read_to_end(&mut bytes)? == 0 {
            return Ok(bytes);
        }
    }
}

/// Returns the chunk whose header is at `position`, if it has binary data. A chunk that ends beyond the file
/// is found when its bytes are needed.
fn second_chunk(
    stream: &mut dyn ByteStream,
    position: u64,
    file_bytes: u64,
) -> Result<Option<Chunk>, ModelFault> {
    if position + CHUNK_HEADER_BYTES > file_bytes {
        return Ok(None);
    }
    let (length, name) = (u64::from(u32_of(stream)?), u32_of(stream)?);
    let chunk = Chunk { start: position + CHUNK_HEADER_BYTES, length };
    Ok((&name.to_le_bytes() == b"BIN\0").then_some(chunk))
}

fn u32_of(stream: &mut dyn ByteStream) -> io::Result<u32> {
    let mut bytes = [0; 4];
    stream.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

/// True for the name of a glTF file.
pub(super) fn is_model(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| {
        super::MODEL_EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    use brickwork_base::ErrorKind;
    use serde_json::json;
    use std::fs;

    /// Returns binary glTF with these chunks.
    fn glb(json: &[u8], binary: &[u8]) -> Vec<u8> {
        let chunk =
            |name: &[u8; 4], bytes: &[u8]| [&(bytes.len() as u32).to_le_bytes()[..], name, bytes].concat();
        [b"glTF\x02\0\0\0\0\0\0\0".to_vec(), chunk(b"JSON", json), chunk(b"BIN\0", binary)].concat()
    }

    fn read(folder: &Path, name: &str, max_memory: u64) -> Result<Model, AuditError> {
        let input = Input::File(folder.join("sub").join(name));
        let place = Place { input, root: folder.to_owned(), below: "sub".into() };
        Model::read(place, max_memory, &Task::new())
    }

    #[test]
    fn images_are_found_in_files_buffers_and_data_uris() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("sub")).unwrap();
        fs::write(path("a b.png"), b"").unwrap();
        fs::write(path("sub/data.bin"), [9; 20]).unwrap();
        let in_buffer = format!("data:application/octet-stream;base64,{}", STANDARD.encode([4, 5, 6]));
        let json = json!({
            "images": [
                { "uri": "../a%20b.png" }, { "uri": "lost.png" }, { "uri": "../../x.png" },
                { "uri": "data:image/png;base64,AAEC", "name": "Inline" },
                { "bufferView": 0, "mimeType": "image/png" }, { "bufferView": 1 }, { "bufferView": 2 },
                { "bufferView": 3 }, { "bufferView": 9 }, {}, { "uri": "file:///a.png" },
                { "uri": "data:image/png;base64,!" }, { "bufferView": 4 }
            ],
            "textures": [{ "source": 0 }, { "source": 4 }],
            "materials": [{ "normalTexture": { "index": 0 }, "emissiveTexture": { "index": 1 } },
                          { "normalTexture": { "index": 1 } }],
            "bufferViews": [
                { "buffer": 0, "byteOffset": 2, "byteLength": 3 }, { "buffer": 1, "byteLength": 4 },
                { "buffer": 2, "byteOffset": 1, "byteLength": 2 },
                { "buffer": 0, "byteOffset": 6, "byteLength": u64::MAX }, { "buffer": 3, "byteLength": 1 }
            ],
            "buffers": [
                { "byteLength": 8 }, { "uri": "data.bin" }, { "uri": in_buffer }, { "uri": "../../x.bin" }
            ],
            "other": [1, 2, { "a": null }]
        });
        fs::write(path("sub/m.glb"), glb(json.to_string().as_bytes(), &[0, 1, 2, 3, 4, 5, 6, 7])).unwrap();
        let model = read(folder.path(), "m.glb", 1 << 20).unwrap();
        let (references, report) = model.references();
        let references: Vec<_> = references.into_iter().map(|found| (found.image, found.path)).collect();
        assert_eq!(references, [(0, path("a b.png"))]);
        assert_eq!((report.images, report.embedded), (13, 8));
        let found = |rule| report.findings.iter().filter(|found| found.rule == rule).collect::<Vec<_>>();
        assert_eq!(found(AuditRule::Missing)[0].message, "image 1: lost.png does not exist");
        let outside = "image 2: ../../x.png is outside of the folder; it is not read";
        assert_eq!(found(AuditRule::Outside)[0].message, outside);
        let absolute = "image 10: file:///a.png is not a relative path; it is not read";
        assert_eq!(found(AuditRule::NotAPath)[0].message, absolute);
        assert_eq!(found(AuditRule::Empty)[0].image, 9);
        let contradiction = "image 4: used in contradictory ways: emissiveTexture, normalTexture";
        assert_eq!(found(AuditRule::Contradiction)[0].message, contradiction);
        assert_eq!(found(AuditRule::Unused).len(), 11);
        assert_eq!(model.embedded()[0], EmbeddedImage { index: 3, name: Some("Inline".to_owned()) });

        let bytes = |image: usize| model.bytes_of(image, 1 << 20, &Task::new());
        assert_eq!(bytes(3).unwrap(), [0, 1, 2]);
        assert_eq!(bytes(4).unwrap(), [2, 3, 4]);
        assert_eq!(bytes(5).unwrap(), [9; 4]);
        assert_eq!(bytes(6).unwrap(), [5, 6]);
        let reason = |image: usize| bytes(image).unwrap_err().to_string();
        assert_eq!(reason(7), format!("buffer view 3 ends at byte {}, but there are only 8", u64::MAX));
        assert_eq!(reason(8), "there is no buffer view 9");
        assert_eq!(reason(11), "the data URI is not valid Base64");
        assert_eq!(reason(12), "buffer 3: ../../x.bin is outside of the folder; it is not read");
        assert_eq!(model.bytes_of(4, 2, &Task::new()).unwrap_err().kind(), ErrorKind::Limit);
    }

    #[test]
    fn damaged_models_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("sub")).unwrap();
        let sound = glb(b"{}", b"");
        let mut first_chunk = sound.clone();
        first_chunk[16..20].copy_from_slice(b"BIN\0");
        for (bytes, kind, words) in [
            (b"{".to_vec(), ErrorKind::Invalid, "not glTF: EOF while parsing an object at line 1 column 1"),
            (b"{\"images\": 7}".to_vec(), ErrorKind::Invalid, "expected a sequence at line 1 column 12"),
            (b"glTF\x01\0\0\0            ".to_vec(), ErrorKind::Unsupported, "binary glTF version 1"),
            (sound[..21].to_vec(), ErrorKind::Invalid, "the JSON ends at byte 22, but there are only 21"),
            (
                sound[..10].to_vec(),
                ErrorKind::Invalid,
                "the header of binary glTF ends at byte 20, but there are only 10",
            ),
            (first_chunk, ErrorKind::Invalid, "at byte 16"),
            (b"[".repeat(2000), ErrorKind::Invalid, "not glTF"),
            (b"[".repeat(20_000), ErrorKind::Limit, "needs 7.8 MiB of memory, above the limit of 1 MiB"),
            (b" ".repeat(300_000), ErrorKind::Limit, "needs 1.2 MiB of memory"),
        ] {
            fs::write(folder.path().join("sub/m.glb"), bytes).unwrap();
            let error = read(folder.path(), "m.glb", 1 << 20).err().unwrap();
            assert_eq!(error.kind(), kind, "{error}");
            assert!(error.to_string().contains(words), "{error}");
        }
        fs::write(folder.path().join("sub/m.glb"), sound).unwrap();
        assert!(read(folder.path(), "m.glb", 1 << 20).unwrap().embedded().is_empty());
    }

    /// Strings take less memory than objects.
    #[test]
    fn long_data_uris_are_read() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("sub")).unwrap();
        let uri = format!("data:image/png;base64,{}", STANDARD.encode(vec![7u8; 180_000]));
        let json = json!({ "images": [{ "uri": uri }] }).to_string();
        fs::write(folder.path().join("sub/m.gltf"), &json).unwrap();
        let model = read(folder.path(), "m.gltf", 1 << 20).unwrap();
        assert_eq!(model.uri_bytes(), uri.len() as u64);
        assert_eq!(model.bytes_of(0, 1 << 20, &Task::new()).unwrap(), vec![7u8; 180_000]);
        let error = read(folder.path(), "m.gltf", 4 * json.len() as u64).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    }
}
