//! Images of half floats.

use anyhow::{Context as _, Result, bail, ensure};
use brickwork_image::image_file::{self, Texels};
use brickwork_texture::{Task, half::f16};
use std::{
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
};

/// An image of half floats whose sides are multiples of 4, as several peers require.
pub struct Picture {
    /// File name without its extension.
    pub name: String,
    pub width: u32,
    pub height: u32,
    /// Red, green, blue and alpha, which BC6H does not store.
    pub texels: Vec<[f16; 4]>,
}

impl Picture {
    fn open(path: &Path, is_signed: bool) -> Result<Self> {
        let file = BufReader::new(File::open(path)?);
        let picture = image_file::read(file, None, &Default::default(), &Task::new())?;
        let (width, height) = (picture.width, picture.height);
        ensure!(width % 4 == 0 && height % 4 == 0, "{width}×{height} texels: not multiples of 4");
        let mut texels: Vec<[f16; 4]> = match picture.texels {
            Texels::RgbF16(texels) => texels.into_iter().map(|[r, g, b]| [r, g, b, f16::ONE]).collect(),
            Texels::RgbaF16(texels) => texels,
            _ => bail!("not an image of half floats"),
        };
        for value in texels.as_flattened_mut() {
            // Peers do not expect them: see the page.
            let is_outside = value.is_nan() || (!is_signed && value.is_sign_negative());
            *value = if is_outside { f16::ZERO } else { value.clamp(f16::MIN, f16::MAX) };
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, width, height, texels })
    }

    /// Returns the number of blocks.
    pub fn block_count(&self) -> usize {
        self.texels.len() / 16
    }
}

/// Reads the EXR files of `directory` in the order of their names, only the first `limit` if given.
pub fn read_directory(directory: &Path, limit: Option<usize>, is_signed: bool) -> Result<Vec<Picture>> {
    let entries = std::fs::read_dir(directory).with_context(|| directory.display().to_string())?;
    let paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>()?;
    let mut paths: Vec<_> =
        paths.into_iter().filter(|path| path.extension() == Some("exr".as_ref())).collect();
    paths.sort();
    paths.truncate(limit.unwrap_or(usize::MAX));
    ensure!(!paths.is_empty(), "there is no EXR file in {}", directory.display());
    paths
        .iter()
        .map(|path| Picture::open(path, is_signed).with_context(|| path.display().to_string()))
        .collect()
}
