//! The images that are encoded, in memory.

use anyhow::{Context, Result, bail, ensure};
use brickwork_texture::BlockFormat;
use std::path::{Path, PathBuf};

/// An image. The sides of those from files are multiples of 4, as several peers require.
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub texels: Vec<[u8; 4]>,
}

impl Picture {
    fn open(path: &Path, is_opaque: bool) -> Result<Self> {
        let mut image = image::open(path)?.into_rgba8();
        if is_opaque {
            image.pixels_mut().for_each(|pixel| pixel.0[3] = 255);
        }
        let (width, height) = image.dimensions();
        ensure!(
            width > 0 && height > 0 && width % 4 == 0 && height % 4 == 0,
            "{width}×{height} texels: some peers only take multiples of 4"
        );
        let texels = image.pixels().map(|pixel| pixel.0).collect();
        Ok(Self { width, height, texels })
    }

    /// Returns the texels as bytes: red, green, blue, alpha.
    pub fn bytes(&self) -> &[u8] {
        self.texels.as_flattened()
    }

    /// Returns the number of texels.
    pub fn texel_count(&self) -> usize {
        self.texels.len()
    }

    /// Returns the size of the image's blocks in bytes.
    pub fn block_bytes(&self, format: BlockFormat) -> usize {
        format.image_bytes(self.width, self.height) as usize
    }

    /// Returns the image with sides that are multiples of 4. The last column and the last row are repeated.
    pub fn whole_blocks(&self) -> Self {
        let [width, height] = [self.width, self.height].map(|side| side.next_multiple_of(4));
        let texel = |i: u32| {
            let (x, y) = ((i % width).min(self.width - 1), (i / width).min(self.height - 1));
            self.texels[(y * self.width + x) as usize]
        };
        Self { width, height, texels: (0..width * height).map(texel).collect() }
    }
}

/// True if no texel of these images is translucent.
pub fn are_opaque(pictures: &[Picture]) -> bool {
    pictures.iter().all(|picture| picture.texels.iter().all(|texel| texel[3] == 255))
}

/// Reads the PNG files of `directory` in the order of their names, only the first `limit` if given. Alpha
/// becomes 255 if they are to be opaque.
pub fn read_directory(directory: &Path, limit: Option<usize>, is_opaque: bool) -> Result<Vec<Picture>> {
    let paths = std::fs::read_dir(directory)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>, _>>())
        .with_context(|| format!("cannot list {}", directory.display()))?;
    let mut paths: Vec<_> = paths
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("png")))
        .collect();
    paths.sort();
    paths.truncate(limit.unwrap_or(usize::MAX));
    if paths.is_empty() {
        bail!("there is no PNG file in {}", directory.display());
    }
    let open = |path: &PathBuf| {
        Picture::open(path, is_opaque).with_context(|| format!("cannot use {}", path.display()))
    };
    paths.iter().map(open).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_column_and_row_are_repeated() {
        let texels = (0..6).map(|i| [i, 0, 0, 255]).collect();
        let whole = Picture { width: 3, height: 2, texels }.whole_blocks();
        let reds: Vec<_> = whole.texels.iter().map(|texel| texel[0]).collect();
        assert_eq!((whole.width, whole.height), (4, 4));
        assert_eq!(reds, [0, 1, 2, 2, 3, 4, 5, 5, 3, 4, 5, 5, 3, 4, 5, 5]);
    }
}
