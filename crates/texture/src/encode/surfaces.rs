//! Images from which a texture is encoded.

use crate::{EncodeError, Image, ImageIndex, SurfaceError, TextureDesc};
use std::fmt;

/// Images of a texture, in the order of its blocks: layer by layer; in a layer, face by face; in a face, mip
/// level by mip level; in a mip level, slice by slice.
///
/// `From<&image>` converts a single image. [`list`](Self::list) takes images in memory. [`each`](Self::each)
/// takes a function that loads one at a time.
///
/// ```
/// use brickwork_texture::{
///     BlockFormat, EncodeOptions, Encoder, ImageView, Surfaces, Task, TextureDesc, encode_texture,
/// };
///
/// let faces: Vec<Vec<[u8; 4]>> = (0..6).map(|face| vec![[40 * face, 90, 20, 255]; 64]).collect();
/// let faces = faces.iter().map(|texels| ImageView::new(texels, 8, 8)).collect::<Result<Vec<_>, _>>()?;
/// let desc = TextureDesc::new_cube(BlockFormat::Bc1, 8).with_full_mips();
/// let surfaces = Surfaces::list(&faces);
/// let cube = encode_texture(&Encoder::default(), surfaces, &desc, &EncodeOptions::default(), &Task::new())?;
/// assert_eq!(cube.data().len(), 6 * 8 * (4 + 1 + 1 + 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Only the images of mip level 0 are used, and the other levels are made from them.
/// [`with_mip_levels`](Self::with_mip_levels) changes that.
pub struct Surfaces<'a> {
    load: Box<Load<'a>>,
    /// Number of images, if it is known.
    count: Option<usize>,
    mip_levels: u32,
}

type Load<'a> = dyn FnMut(ImageIndex) -> Result<Box<dyn Image + 'a>, SurfaceError> + 'a;

impl fmt::Debug for Surfaces<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Surfaces")
            .field("count", &self.count)
            .field("mip_levels", &self.mip_levels)
            .finish_non_exhaustive()
    }
}

impl<'a, I: Image> From<&'a I> for Surfaces<'a> {
    fn from(image: &'a I) -> Self {
        Self::from(image as &dyn Image)
    }
}

impl<'a> From<&'a (dyn Image + 'a)> for Surfaces<'a> {
    fn from(image: &'a (dyn Image + 'a)) -> Self {
        Self::in_memory(std::iter::once(image))
    }
}

impl<'a> Surfaces<'a> {
    /// Returns images in memory, in the order of the texture's blocks.
    pub fn list<I: Image>(images: &'a [I]) -> Self {
        Self::in_memory(images.iter().map(|image| image as &dyn Image))
    }

    /// Returns images that `load` loads. The encoder requests each image once, in order. It keeps at most
    /// three at a time: neighbouring slices of a 3D texture.
    pub fn each(load: impl FnMut(ImageIndex) -> Result<Box<dyn Image + 'a>, SurfaceError> + 'a) -> Self {
        Self { load: Box::new(load), count: None, mip_levels: 1 }
    }

    fn in_memory(mut images: impl ExactSizeIterator<Item = &'a (dyn Image + 'a)> + 'a) -> Self {
        let count = Some(images.len());
        let next =
            move |_| Ok(Box::new(images.next().expect("`check` counted the images")) as Box<dyn Image>);
        Self { count, ..Self::each(next) }
    }

    /// Sets the number of mip levels that the images cover, starting with the largest. The others are made
    /// from the last of these. 0 counts as 1, and a number above the texture's counts as all. Default: 1.
    #[must_use]
    pub fn with_mip_levels(self, mip_levels: u32) -> Self {
        Self { mip_levels, ..self }
    }

    /// Returns the number of mip levels that the images of a texture cover: at least 1.
    pub(super) fn mip_levels_of(&self, desc: &TextureDesc) -> u32 {
        self.mip_levels.clamp(1, desc.mip_levels)
    }

    /// Checks that the number of images is the number that the texture needs.
    pub(super) fn check(&self, desc: &TextureDesc) -> Result<(), EncodeError> {
        let slices = (0..self.mip_levels_of(desc)).map(|level| u64::from(desc.mip_level_size(level)[2]));
        let needed = desc.face_count().saturating_mul(slices.sum());
        match self.count {
            Some(given) if given as u64 != needed => Err(EncodeError::SurfaceCount { needed, given }),
            _ => Ok(()),
        }
    }

    /// Returns the next image, which is the one at `index`.
    pub(super) fn next(&mut self, index: ImageIndex) -> Result<Box<dyn Image + 'a>, EncodeError> {
        (self.load)(index).map_err(|error| EncodeError::Surface { index, error })
    }
}
