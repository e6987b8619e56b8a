//! Textures, and blocks or plain texels of single images.

use crate::{
    errors,
    save::save,
    settings::options_of,
    texels::{Texels, TexelsMut},
    work::Work,
};
use brickwork_texture::{
    self as texture, ChannelType, ColorSpace, EncodeOptions, Encoder, ImageIndex, RoundingRule, Task,
    TextureFormat,
    container::{ContainerError, ContainerFormat, TextureWriteOptions},
    decode_into, decode_plain_into, decoded_channels, encode_plain, metrics,
};
use brickwork_toolkit::report::alpha_mode_name;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};
use std::{
    io::{Cursor, Write},
    num::NonZero,
    path::{Path, PathBuf},
    str::FromStr,
};

/// A texture of blocks or plain texels, and notes on its file or its encoding.
#[pyclass(frozen)]
#[derive(Debug)]
pub struct Texture(texture::Texture, Vec<String>);

impl Texture {
    /// Returns a texture with notes on its encoding, after those on its file.
    pub fn new(texture: texture::Texture, notes: impl IntoIterator<Item = String>) -> Self {
        let notes = texture.notes().iter().cloned().chain(notes).collect();
        Self(texture, notes)
    }
}

/// Opens a DDS or KTX2 file.
#[pyfunction]
pub fn open_texture(py: Python<'_>, path: PathBuf) -> PyResult<Texture> {
    let work = Work { threads: NonZero::new(1), progress: None, byte_count: u64::MAX };
    let texture = work.run(py, |task| texture::Texture::open(&path, task))?;
    texture.map(|texture| Texture::new(texture, [])).map_err(|error| of_container(error, &path))
}

#[pymethods]
impl Texture {
    /// Texture in the bytes of a KTX2 file.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        let texture = texture::Texture::read(Cursor::new(bytes), &Default::default(), &Task::new());
        texture
            .map(|texture| Self::new(texture, []))
            .map_err(|error| errors::of_kind(error.kind(), error.to_string()))
    }

    /// Bytes of a KTX2 file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut bytes = Vec::new();
        let (container, options) = (ContainerFormat::Ktx2, TextureWriteOptions::default());
        let written = self.0.write(&mut bytes, container, &options, &Task::new());
        written.map_err(|error| errors::of_kind(error.kind(), error.to_string()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Notes: faults of the file that its reader tolerated, and facts about the encoding.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.1.clone()
    }

    /// Name of the format.
    #[getter]
    fn format(&self) -> &'static str {
        self.0.desc().format.name()
    }

    /// Width, height, depth, layers and faces, mip levels.
    #[getter]
    fn counts(&self) -> (u32, u32, u32, u32, u32, u32) {
        let desc = self.0.desc();
        (desc.width, desc.height, desc.depth, desc.layers, desc.faces(), desc.mip_levels)
    }

    /// Width, height and depth of a mip level.
    fn mip_level_size(&self, mip_level: u32) -> [u32; 3] {
        self.0.desc().mip_level_size(mip_level)
    }

    /// True for sRGB.
    #[getter]
    fn srgb(&self) -> bool {
        self.0.desc().color_space == ColorSpace::Srgb
    }

    /// Interpretation of alpha: "opaque", "straight" or "premultiplied".
    #[getter]
    fn alpha_mode(&self) -> &'static str {
        alpha_mode_name(self.0.desc().alpha_mode)
    }

    /// Blocks or plain texels of a face of a mip level.
    fn blocks<'py>(
        &self,
        py: Python<'py>,
        layer: u32,
        face: u32,
        level: u32,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let blocks = self.0.image(layer, face, level);
        blocks
            .map(|blocks| PyBytes::new(py, blocks))
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Size of all blocks or plain texels in bytes.
    #[getter]
    fn byte_count(&self) -> usize {
        self.0.data().len()
    }

    /// Decodes one image to an array of the shape (height, width, 4).
    #[pyo3(signature = (out, *, layer, face, mip_level, slice, threads))]
    #[expect(clippy::too_many_arguments, reason = "called only by the package, by keyword")]
    fn decode_into(
        &self,
        py: Python<'_>,
        out: &Bound<'_, PyAny>,
        layer: u32,
        face: u32,
        mip_level: u32,
        slice: u32,
        threads: Option<NonZero<usize>>,
    ) -> PyResult<()> {
        let mut texels = TexelsMut::new(out)?;
        let (mut image, byte_count) = texels.image()?;
        let index = ImageIndex { layer, face, mip_level, slice };
        let work = Work { threads, progress: None, byte_count };
        work.run(py, |task| self.0.decode_into(index, RoundingRule::default(), &mut image, task))?
            .map_err(|error| errors::of_kind(error.kind(), error.to_string()))
    }

    /// Writes a DDS or KTX2 file, whole or not at all. `settings` are keys of rules and their values.
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        overwrite: bool,
        settings: Vec<(String, String)>,
    ) -> PyResult<()> {
        let options = options_of(&settings)?;
        let container = options
            .container_of(Some(&path))
            .map_err(|error| PyValueError::new_err(format!("{}: {error}", path.display())))?;
        let byte_count = self.0.data().len() as u64;
        let options = TextureWriteOptions::default().with(|o| {
            o.dds_header = options.dds_header;
            o.zstd = options.zstd;
        });
        let write = |writer: &mut dyn Write, task: &Task<'_>| self.0.write(writer, container, &options, task);
        save(py, &path, overwrite, byte_count, write, |error| of_container(error, &path))
    }
}

/// Size of an image's blocks or plain texels in bytes.
#[pyfunction]
pub fn block_bytes(format: &str, width: u32, height: u32) -> PyResult<u64> {
    Ok(named::<TextureFormat>(format)?.image_bytes(width, height))
}

/// Width and height of a block in texels; 1 for plain formats.
#[pyfunction]
pub fn block_extent(format: &str) -> PyResult<[u32; 2]> {
    Ok(named::<TextureFormat>(format)?.block_extent())
}

/// Channel type to which a format decodes, as NumPy's name.
#[pyfunction]
pub fn decoded_type(format: &str) -> PyResult<&'static str> {
    Ok(match decoded_channels(named(format)?) {
        ChannelType::U8 => "uint8",
        ChannelType::U16 => "uint16",
        ChannelType::F16 => "float16",
        ChannelType::F32 => "float32",
    })
}

/// Encodes an array of the shape (height, width, channels) to blocks or plain texels.
#[pyfunction]
#[pyo3(signature = (array, blocks, *, format, quality, threads, progress))]
pub fn encode_blocks(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    blocks: &Bound<'_, PyArray1<u8>>,
    format: &str,
    quality: &str,
    threads: Option<NonZero<usize>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    let format = named::<TextureFormat>(format)?;
    let mut options = EncodeOptions::default();
    options.quality = named(quality)?;
    let texels = Texels::new(array)?;
    let image = texels.image()?;
    let mut blocks = blocks.try_readwrite()?;
    let blocks = blocks.as_slice_mut()?;
    let work = Work { threads, progress, byte_count: u64::MAX };
    let encode = |task: &Task<'_>| match format {
        TextureFormat::Block(format) => {
            Encoder::default().encode_into(&*image, format, &options, blocks, task)
        }
        TextureFormat::Plain(format) => encode_plain(&*image, format, blocks, task),
    };
    work.run(py, encode)?.map_err(|error| errors::of_kind(error.kind(), error.to_string()))
}

/// Decodes blocks or plain texels to an array of the shape (height, width, 4).
#[pyfunction]
#[pyo3(signature = (blocks, out, *, format, threads))]
pub fn decode_blocks(
    py: Python<'_>,
    blocks: PyReadonlyArray1<'_, u8>,
    out: &Bound<'_, PyAny>,
    format: &str,
    threads: Option<NonZero<usize>>,
) -> PyResult<()> {
    let format = named::<TextureFormat>(format)?;
    let mut texels = TexelsMut::new(out)?;
    let (mut image, byte_count) = texels.image()?;
    let blocks = blocks.as_slice()?;
    let work = Work { threads, progress: None, byte_count };
    let decode = |task: &Task<'_>| match format {
        TextureFormat::Block(format) => {
            decode_into(format, blocks, RoundingRule::default(), &mut image, task)
        }
        TextureFormat::Plain(format) => decode_plain_into(format, blocks, &mut image, task),
    };
    work.run(py, decode)?.map_err(|error| errors::of_kind(error.kind(), error.to_string()))
}

/// Mean square errors of red, green, blue and alpha, and SSIM.
#[pyfunction]
#[pyo3(signature = (a, b, *, threads))]
pub fn compare_images(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    threads: Option<NonZero<usize>>,
) -> PyResult<([f64; 4], Option<f64>)> {
    let (a, b) = (Texels::new(a)?, Texels::new(b)?);
    let (a, b) = (a.image()?, b.image()?);
    let work = Work { threads, progress: None, byte_count: u64::MAX };
    let found = work.run(py, |task| metrics::compare(&*a, &*b, task))?;
    let found = found.map_err(|error| errors::of_kind(error.kind(), error.to_string()))?;
    Ok((found.mse, found.ssim))
}

fn named<T: FromStr<Err: ToString>>(name: &str) -> PyResult<T> {
    name.parse().map_err(|error: T::Err| PyValueError::new_err(error.to_string()))
}

fn of_container(error: ContainerError, path: &Path) -> PyErr {
    match error {
        ContainerError::Io(error) => errors::of_io(error, Some(path)),
        error => errors::of_kind(error.kind(), format!("{}: {error}", path.display())),
    }
}
