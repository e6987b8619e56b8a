//! Textures: their properties, data and files.

use crate::{
    buffer::Buffer,
    names::{self, ALPHA_MODES, COLOR_SPACES, CONTAINERS, DDS_HEADERS, FORMATS, KINDS, value},
    pointer::{Bytes, Handle, In, InStruct, NewHandle, Out, Text},
    status::{Failure, Status, guarded},
    structs::{Desc, WriteConfig},
    task::{self, Task},
};
use brickwork_base::ErrorKind;
use brickwork_texture::{
    self as library, ApiFormat, TextureDesc, TextureKind,
    container::{TextureReadOptions, TextureWriteOptions},
};
use std::{
    ffi::{CString, c_char},
    fs::File,
    io::Cursor,
    ptr,
};

/// Highest level of Zstandard.
const MAX_ZSTD_LEVEL: u32 = 22;

/// `brickwork_texture`
#[derive(Debug)]
pub struct Texture {
    texture: library::Texture,
    notes: Vec<CString>,
}

impl Texture {
    /// Returns the handle of a texture.
    pub fn new(texture: library::Texture) -> Self {
        Self::with_notes::<String>(texture, &[])
    }

    /// Returns the handle of a texture, with notes on its encoding after those on its file.
    pub fn with_notes<N: ToString>(texture: library::Texture, notes: &[N]) -> Self {
        let note = |note: String| CString::new(note.replace('\0', " ")).unwrap_or_default();
        let of_file = texture.notes().iter().cloned();
        let notes = of_file.chain(notes.iter().map(ToString::to_string)).map(note).collect();
        Self { texture, notes }
    }

    /// Returns the texture.
    pub fn texture(&self) -> &library::Texture {
        &self.texture
    }
}

impl From<&TextureDesc> for Desc {
    fn from(desc: &TextureDesc) -> Self {
        let [block_width, block_height] = desc.format.block_extent();
        let number = |format: Option<ApiFormat>| format.map_or(0, |format| format.number);
        Self {
            struct_size: size_of::<Self>() as u32,
            format: names::number(FORMATS, desc.format),
            kind: names::number(KINDS, desc.kind),
            width: desc.width,
            height: desc.height,
            depth: desc.depth,
            layers: desc.layers,
            faces: desc.faces(),
            mip_levels: desc.mip_levels,
            color_space: names::number(COLOR_SPACES, Some(desc.color_space)),
            alpha_mode: names::number(ALPHA_MODES, Some(desc.alpha_mode)),
            block_bytes: desc.format.block_bytes() as u32,
            data_bytes: desc.data_bytes(),
            block_width,
            block_height,
            vulkan_format: desc.vulkan_format().number,
            dxgi_format: number(desc.dxgi_format()),
            metal_format: number(desc.metal_format()),
            swizzle: desc.swizzle.letters().bytes().rev().fold(0, |all, letter| all << 8 | u32::from(letter)),
        }
    }
}

impl Desc {
    /// Returns the library's form of a description by the caller.
    fn checked(&self) -> Result<TextureDesc, Failure> {
        let format = value(FORMATS, self.format, "format")?;
        let desc = match value(KINDS, self.kind, "kind")? {
            TextureKind::Cube if self.width != self.height => {
                return Err(Failure::argument("the faces of a cube are not square"));
            }
            TextureKind::Cube => TextureDesc::new_cube(format, self.width),
            TextureKind::D3 => TextureDesc::new_3d(format, self.width, self.height, self.depth),
            // The enum may grow.
            _ => TextureDesc::new_2d(format, self.width, self.height),
        };
        if desc.kind != TextureKind::D3 && self.depth != 1 {
            return Err(Failure::argument(format!("depth is {}, expected 1", self.depth)));
        }
        let color_space = value(COLOR_SPACES, self.color_space, "color_space")?;
        let alpha_mode = value(ALPHA_MODES, self.alpha_mode, "alpha_mode")?;
        let desc = desc.with_layers(self.layers).with_mip_levels(self.mip_levels);
        let desc = desc.with_color_space(color_space.unwrap_or(desc.color_space));
        let desc = desc.with_alpha_mode(alpha_mode.unwrap_or(desc.alpha_mode));
        desc.check()?;
        Ok(desc)
    }
}

/// Creates a texture from blocks or plain texels.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_texture_create(
    desc: InStruct<Desc>,
    blocks: Bytes,
    blocks_bytes: usize,
    mut texture: NewHandle<Texture>,
) -> Status {
    guarded(|| {
        texture.fill("texture", || {
            let desc = desc.required("desc")?.checked().map_err(|failure| failure.within("desc"))?;
            let (needed, given) = (desc.data_bytes(), blocks_bytes as u64);
            if needed != given {
                return Err(library::TextureError::DataLength { needed, given }.into());
            }
            let blocks = blocks.get(blocks_bytes, "blocks")?;
            let mut data = Vec::new();
            let no_memory = |_| Failure::of(ErrorKind::Limit, format!("{needed} bytes of memory are needed"));
            data.try_reserve_exact(blocks.len()).map_err(no_memory)?;
            data.extend_from_slice(blocks);
            Ok(Texture::new(library::Texture::new(desc, data)?))
        })
    })
}

fn read_options(max_memory: u64) -> TextureReadOptions {
    let options = TextureReadOptions::default();
    if max_memory == 0 { options } else { options.with(|o| o.max_memory = max_memory) }
}

/// Reads a DDS or KTX2 file.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_texture_open(
    path: Text,
    max_memory: u64,
    task: In<Task>,
    mut texture: NewHandle<Texture>,
) -> Status {
    guarded(|| {
        texture.fill("texture", || {
            let path = path.path("path")?;
            let read = task::run(&task, |task| {
                let file = File::open(path).map_err(|error| Failure::of(ErrorKind::of_io(&error), error))?;
                Ok(library::Texture::read(file, &read_options(max_memory), task)?)
            });
            read.map(Texture::new).map_err(|failure| failure.within(path.display()))
        })
    })
}

/// Reads a DDS or KTX2 file in memory.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_texture_read(
    bytes: Bytes,
    byte_count: usize,
    max_memory: u64,
    task: In<Task>,
    mut texture: NewHandle<Texture>,
) -> Status {
    guarded(|| {
        texture.fill("texture", || {
            let file = Cursor::new(bytes.get(byte_count, "bytes")?);
            let read = |task: &brickwork_base::Task<'_>| {
                Ok(library::Texture::read(file, &read_options(max_memory), task)?)
            };
            task::run(&task, read).map(Texture::new)
        })
    })
}

/// Sets the defaults of a writer.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_write_config_init(mut config: Out<WriteConfig>, struct_size: usize) -> Status {
    guarded(|| {
        let size = size_of::<WriteConfig>() as u32;
        config.put_sized(
            WriteConfig { struct_size: size, dds_header: 0, zstd_level: 0 },
            struct_size,
            "config",
        )
    })
}

fn write_options(config: &InStruct<WriteConfig>) -> Result<TextureWriteOptions, Failure> {
    let Some(config) = config.get("config")? else { return Ok(TextureWriteOptions::default()) };
    let header = value(DDS_HEADERS, config.dds_header, "config: dds_header")?;
    let level = config.zstd_level;
    if level > MAX_ZSTD_LEVEL {
        let text = format!("config: zstd_level is {level}, expected a number from 0 to {MAX_ZSTD_LEVEL}");
        return Err(Failure::argument(text));
    }
    let level = (level > 0).then_some(level as i32);
    Ok(TextureWriteOptions::default().with(|o| {
        o.dds_header = header;
        o.zstd = level;
    }))
}

/// Writes a file.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_texture_save(
    texture: In<Texture>,
    path: Text,
    config: InStruct<WriteConfig>,
    task: In<Task>,
) -> Status {
    guarded(|| {
        let texture = texture.required("texture")?.texture();
        let (path, options) = (path.path("path")?, write_options(&config)?);
        let saved = task::run(&task, |task| Ok(texture.save_with(path, &options, task)?));
        saved.map_err(|failure| failure.within(path.display()))
    })
}

/// Writes a file to memory.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_texture_write(
    texture: In<Texture>,
    container: u32,
    config: InStruct<WriteConfig>,
    task: In<Task>,
    mut buffer: NewHandle<Buffer>,
) -> Status {
    guarded(|| {
        buffer.fill("buffer", || {
            let texture = texture.required("texture")?.texture();
            let container = value(CONTAINERS, container, "container")?;
            let options = write_options(&config)?;
            task::run(&task, |task| {
                let mut bytes = Vec::new();
                texture.write(&mut bytes, container, &options, task)?;
                Ok(Buffer(bytes))
            })
        })
    })
}

/// Returns the properties of a texture.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_texture_get_desc(
    texture: In<Texture>,
    mut desc: Out<Desc>,
    struct_size: usize,
) -> Status {
    guarded(|| {
        let texture = texture.required("texture")?;
        desc.put_sized(Desc::from(texture.texture.desc()), struct_size, "desc")
    })
}

/// Returns the blocks or plain texels of an image.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_texture_get_blocks(
    texture: In<Texture>,
    layer: u32,
    face: u32,
    mip_level: u32,
    mut blocks: Out<Bytes>,
    mut blocks_bytes: Out<usize>,
) -> Status {
    guarded(|| {
        let image = texture.required("texture")?.texture.image(layer, face, mip_level)?;
        blocks_bytes.check("blocks_bytes")?;
        blocks.put(Bytes::of(image), "blocks")?;
        blocks_bytes.put(image.len(), "blocks_bytes")
    })
}

/// Returns all blocks or plain texels.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_texture_get_data(
    texture: In<Texture>,
    mut blocks: Out<Bytes>,
    mut blocks_bytes: Out<usize>,
) -> Status {
    guarded(|| {
        let data = texture.required("texture")?.texture.data();
        blocks_bytes.check("blocks_bytes")?;
        blocks.put(Bytes::of(data), "blocks")?;
        blocks_bytes.put(data.len(), "blocks_bytes")
    })
}

/// Returns the number of notes.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_texture_note_count(texture: In<Texture>) -> usize {
    texture.lenient().map_or(0, |texture| texture.notes.len())
}

/// Returns a note, or null.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_texture_note(texture: In<Texture>, index: usize) -> *const c_char {
    let note = texture.lenient().and_then(|texture| texture.notes.get(index));
    note.map_or(ptr::null(), |note| note.as_ptr())
}

/// Ends the handle.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_texture_free(texture: Handle<Texture>) {
    texture.free();
}
