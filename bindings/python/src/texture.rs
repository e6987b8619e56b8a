//! Textures, and blocks of single images.

use crate::{
    errors,
    save::save,
    texels::{Texels, TexelsMut},
    work::Work,
};
use brickwork_texture::{
    self as texture, BlockFormat, ColorSpace, EncodeError, EncodeOptions, Encoder, ErrorKind, Image,
    ImageIndex, MipFilter, RoundingRule, Task, TextureDesc,
    container::{ContainerError, ContainerFormat, TextureWriteOptions},
    decode_into, encode_texture,
    image_file::{self, ImageReadError, ImageReadOptions, PictureUse},
    metrics,
};
use brickwork_toolkit::texture::{FormatChoice, TextureOptions};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};
use std::{
    fs::File,
    io::{BufReader, Cursor, Write},
    num::{NonZero, NonZeroU8},
    path::{Path, PathBuf},
    str::FromStr,
};

/// A block-compressed texture.
#[pyclass(frozen)]
#[derive(Debug)]
pub struct Texture(texture::Texture);

/// Choices of an encoder.
struct Choices {
    format: BlockFormat,
    options: EncodeOptions,
    mips: bool,
    srgb: Option<bool>,
}

impl Choices {
    /// Encodes an image with the color space and alpha of `desc`.
    fn encode(
        &self,
        image: &dyn Image,
        desc: TextureDesc,
        task: &Task<'_>,
    ) -> Result<texture::Texture, EncodeError> {
        let desc = desc.with_color_space(self.color_space().unwrap_or(desc.color_space));
        let desc = if self.mips { desc.with_full_mips() } else { desc };
        encode_texture(&Encoder::default(), image, &desc, &self.options, task)
    }

    /// Returns the stated colour space.
    fn color_space(&self) -> Option<ColorSpace> {
        self.srgb.map(|is_srgb| if is_srgb { ColorSpace::Srgb } else { ColorSpace::Linear })
    }

    /// Returns the options of the reader.
    fn read_options(&self) -> ImageReadOptions {
        let usage = if self.options.alpha_is_data() { PictureUse::Data } else { PictureUse::Unknown };
        TextureOptions::new()
            .with_format(FormatChoice::of(self.format))
            .with_usage(usage)
            .with_color_space(self.color_space())
            .read_options(ImageReadOptions::new().max_memory())
    }
}

/// Encodes an array of the shape (height, width, channels), or a picture file.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "called only by the package, by keyword")]
#[pyo3(signature = (source, *, format, quality, mips, srgb, normals, alpha_is_data, dither, keep_coverage,
    mip_filter, threads, progress))]
pub fn encode(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    format: &str,
    quality: &str,
    mips: bool,
    srgb: Option<bool>,
    normals: bool,
    alpha_is_data: bool,
    dither: bool,
    keep_coverage: Option<f64>,
    mip_filter: Option<&str>,
    threads: Option<NonZero<usize>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Texture> {
    let format = named::<BlockFormat>(format)?;
    if normals && srgb == Some(true) {
        return Err(PyValueError::new_err("normals are not colours: srgb is true"));
    }
    let options = EncodeOptions::new()
        .with_quality(named(quality)?)
        .with_normals(normals)
        .with_alpha_is_data(alpha_is_data)
        .with_dither(dither)
        .with_keep_coverage(keep_coverage.map(alpha_of).transpose()?)
        .with_mip_filter(mip_filter.map(named::<MipFilter>).transpose()?);
    let srgb = srgb.or(normals.then_some(false));
    let choices = Choices { format, options, mips, srgb };
    if let Ok(path) = source.extract::<PathBuf>() {
        let work = Work { threads, progress, byte_count: u64::MAX };
        return work.run(py, |task| encode_file(&path, &choices, task))?.map(Texture);
    }
    let texels = Texels::new(source)?;
    let image = texels.image()?;
    let is_color = matches!(texels, Texels::U8(_)) && format.has_srgb();
    let desc = TextureDesc::of_image(&*image, format).with_color_space(if is_color {
        ColorSpace::Srgb
    } else {
        ColorSpace::Linear
    });
    let work = Work { threads, progress, byte_count: u64::MAX };
    let encoded = work.run(py, |task| choices.encode(&*image, desc, task))?;
    encoded.map(Texture).map_err(|error| errors::of_kind(error.kind(), error.to_string()))
}

/// Returns the alpha of a reference from 0 to 1, at least 1 of 255.
fn alpha_of(reference: f64) -> PyResult<NonZeroU8> {
    let is_valid = reference > 0.0 && reference <= 1.0;
    let alpha = NonZeroU8::new((255.0 * reference).round().max(1.0) as u8);
    alpha.filter(|_| is_valid).ok_or_else(|| {
        PyValueError::new_err(format!("keep_coverage is {reference}, expected a number above 0 and up to 1"))
    })
}

fn encode_file(path: &Path, choices: &Choices, task: &Task<'_>) -> PyResult<texture::Texture> {
    let file = File::open(path).map_err(|error| errors::of_io(error, Some(path)))?;
    let extension = path.extension().map(|extension| extension.to_string_lossy());
    let options = choices.read_options();
    let picture = image_file::read(BufReader::new(file), extension.as_deref(), &options, task);
    let picture = picture.map_err(|error| match error {
        ImageReadError::Io(error) => errors::of_io(error, Some(path)),
        error => errors::of_kind(error.kind(), format!("{}: {error}", path.display())),
    })?;
    let image = picture.view().map_err(|error| errors::of_kind(error.kind(), error.to_string()))?;
    let desc = picture.texture_desc(choices.format, &choices.options);
    choices
        .encode(&*image, desc, task)
        .map_err(|error| errors::of_kind(error.kind(), format!("{}: {error}", path.display())))
}

/// Opens a DDS or KTX2 file.
#[pyfunction]
pub fn open_texture(py: Python<'_>, path: PathBuf) -> PyResult<Texture> {
    let work = Work { threads: NonZero::new(1), progress: None, byte_count: u64::MAX };
    let texture = work.run(py, |task| texture::Texture::open(&path, task))?;
    with_blocks(texture.map_err(|error| of_container(error, &path))?)
}

/// Returns a texture that was read.
///
/// # Errors
/// An exception unless the texture has blocks.
fn with_blocks(texture: texture::Texture) -> PyResult<Texture> {
    let format = texture.desc().format;
    if format.block().is_none() {
        let text = format!("the texture has plain texels ({format}); only block formats are supported");
        return Err(errors::of_kind(ErrorKind::Unsupported, text));
    }
    Ok(Texture(texture))
}

#[pymethods]
impl Texture {
    /// Texture in the bytes of a KTX2 file.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        let texture = texture::Texture::read(Cursor::new(bytes), &Default::default(), &Task::new());
        with_blocks(texture.map_err(|error| errors::of_kind(error.kind(), error.to_string()))?)
    }

    /// Bytes of a KTX2 file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut bytes = Vec::new();
        let (container, options) = (ContainerFormat::Ktx2, TextureWriteOptions::default());
        let written = self.0.write(&mut bytes, container, &options, &Task::new());
        written.map_err(|error| errors::of_kind(error.kind(), error.to_string()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Name of the block format.
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

    /// Blocks of a face of a mip level.
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

    /// Size of all blocks in bytes.
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

    /// Writes a DDS or KTX2 file, whole or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf, overwrite: bool) -> PyResult<()> {
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let Some(container) = ContainerFormat::of_extension(&extension) else {
            let error = ContainerError::UnknownExtension { extension: extension.into_owned() };
            return Err(PyValueError::new_err(format!("{}: {error}", path.display())));
        };
        let (options, byte_count) = (TextureWriteOptions::default(), self.0.data().len() as u64);
        let write = |writer: &mut dyn Write, task: &Task<'_>| self.0.write(writer, container, &options, task);
        save(py, &path, overwrite, byte_count, write, |error| of_container(error, &path))
    }
}

/// Size of an image's blocks in bytes.
#[pyfunction]
pub fn block_bytes(format: &str, width: u32, height: u32) -> PyResult<u64> {
    Ok(named::<BlockFormat>(format)?.image_bytes(width, height))
}

/// Channel type to which a format decodes, as NumPy's name.
#[pyfunction]
pub fn decoded_type(format: &str) -> PyResult<&'static str> {
    let is_float = matches!(named(format)?, BlockFormat::Bc6hUfloat | BlockFormat::Bc6hSfloat);
    Ok(if is_float { "float16" } else { "uint8" })
}

/// Encodes an array of the shape (height, width, channels) to blocks.
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
    let format = named::<BlockFormat>(format)?;
    let options = EncodeOptions::new().with_quality(named(quality)?);
    let texels = Texels::new(array)?;
    let image = texels.image()?;
    let mut blocks = blocks.try_readwrite()?;
    let blocks = blocks.as_slice_mut()?;
    let work = Work { threads, progress, byte_count: u64::MAX };
    work.run(py, |task| Encoder::default().encode_into(&*image, format, &options, blocks, task))?
        .map_err(|error| errors::of_kind(error.kind(), error.to_string()))
}

/// Decodes blocks to an array of the shape (height, width, 4).
#[pyfunction]
#[pyo3(signature = (blocks, out, *, format, threads))]
pub fn decode_blocks(
    py: Python<'_>,
    blocks: PyReadonlyArray1<'_, u8>,
    out: &Bound<'_, PyAny>,
    format: &str,
    threads: Option<NonZero<usize>>,
) -> PyResult<()> {
    let format = named::<BlockFormat>(format)?;
    let mut texels = TexelsMut::new(out)?;
    let (mut image, byte_count) = texels.image()?;
    let blocks = blocks.as_slice()?;
    let work = Work { threads, progress: None, byte_count };
    work.run(py, |task| decode_into(format, blocks, RoundingRule::default(), &mut image, task))?
        .map_err(|error| errors::of_kind(error.kind(), error.to_string()))
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
