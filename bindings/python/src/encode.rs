//! Encoding of arrays and picture files, with the options of the program's `encode`.

use crate::{errors, settings::options_of, texels::Texels, texture::Texture, work::Work};
use brickwork_texture::Image;
use brickwork_toolkit::{
    device::{DeviceChoice, Devices},
    texture::{ChannelPacking, PictureChannel, PictureSource, encode_sources, values},
};
use pyo3::{exceptions::PyValueError, prelude::*};
use std::{num::NonZero, path::PathBuf};

/// An image, from Python.
enum Source<'py> {
    Array(Texels<'py>),
    File(PathBuf),
}

impl<'py> Source<'py> {
    /// Returns an array of texels, or the path of a file.
    fn new(source: &Bound<'py, PyAny>) -> PyResult<Self> {
        match source.extract::<PathBuf>() {
            Ok(path) => Ok(Self::File(path)),
            Err(_) => Texels::new(source).map(Self::Array),
        }
    }

    /// Returns the image of an array; none for a file.
    fn image(&self) -> PyResult<Option<Box<dyn Image + '_>>> {
        match self {
            Self::Array(texels) => texels.image().map(Some),
            Self::File(_) => Ok(None),
        }
    }
}

/// Encodes images: arrays of the shape (height, width, channels), or paths of picture files. First come the
/// image and its mip levels, `levels` of them; then the images of `channels`, which are pairs of a channel
/// that is packed and a channel of its image; then a normal map, if there is `roughness`. `names` are the
/// names of the images for errors. `settings` are keys of rules and their values.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "called only by the package, by keyword")]
#[pyo3(signature = (sources, names, settings, *, channels, levels, roughness, max_memory, threads,
    progress))]
pub fn encode(
    py: Python<'_>,
    sources: Vec<Bound<'_, PyAny>>,
    names: Vec<String>,
    settings: Vec<(String, String)>,
    channels: Vec<(String, String)>,
    levels: u32,
    roughness: bool,
    max_memory: u64,
    threads: Option<NonZero<usize>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Texture> {
    let mut options = options_of(&settings)?;
    options.packing = packing_of(&channels)?;
    options.given_mip_levels = levels;
    options.roughness_from_normals = roughness;
    options.metrics = false;
    let options = options.with_derived_use();
    let sources = sources.iter().map(Source::new).collect::<PyResult<Vec<_>>>()?;
    let images = sources.iter().map(Source::image).collect::<PyResult<Vec<_>>>()?;
    let pictures = sources.iter().zip(&images).filter_map(|(source, image)| match source {
        Source::File(path) => Some(PictureSource::File(path)),
        Source::Array(_) => image.as_deref().map(PictureSource::Image),
    });
    let (pictures, names) = (pictures.collect::<Vec<_>>(), &names[..]);
    let devices =
        Devices::open(DeviceChoice::Cpu).map_err(|error| errors::of_kind(error.kind(), error.to_string()))?;
    let work = Work { threads, progress, byte_count: u64::MAX };
    let encoded = work.run(py, |task| {
        let encoded = encode_sources(&options, &pictures, names, &devices, max_memory, task);
        encoded.map(|encoded| Texture::new(encoded.texture, encoded.notes.iter().map(ToString::to_string)))
    })?;
    encoded.map_err(errors::of_job)
}

/// Returns the packing of pairs of a channel that is packed and a channel of its image.
fn packing_of(channels: &[(String, String)]) -> PyResult<ChannelPacking> {
    let channel = |name: &str| -> PyResult<PictureChannel> {
        let channel = values::roughness_channel(name);
        channel.map_err(|reason| PyValueError::new_err(format!("channels: \"{name}\": {reason}")))
    };
    channels.iter().try_fold(ChannelPacking::new(), |packing, (packed, source)| {
        Ok(packing.with_channel(channel(packed)?, channel(source)?))
    })
}
