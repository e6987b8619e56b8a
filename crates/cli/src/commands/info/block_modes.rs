//! Modes of BC6H and BC7 blocks: their numbers, and an image of them.

use crate::report::ModeCounts;
use brickwork_base::{Cancelled, Stage, Task};
use brickwork_texture::{
    BlockFormat, Texture,
    bc::{bc6h, bc7},
};
use brickwork_toolkit::texture::TextureJobError;
use std::sync::Arc;

/// Names and colours in sRGB of BC7's modes in [`BlockModes::picture`], from mode 0. Green and blue have two
/// subsets, red and orange three. Violet and pink store one channel separately.
static BC7_COLORS: [(&str, [u8; 3]); 8] = [
    ("red", [214, 39, 40]),
    ("green", [44, 160, 44]),
    ("orange", [255, 150, 30]),
    ("blue", [31, 119, 220]),
    ("violet", [130, 70, 190]),
    ("pink", [240, 140, 210]),
    ("grey", [190, 190, 190]),
    ("yellow", [235, 220, 60]),
];

/// The same for BC6H, from mode 1. The last four have one subset.
static BC6H_COLORS: [(&str, [u8; 3]); 14] = [
    ("red", [214, 39, 40]),
    ("orange", [255, 150, 30]),
    ("brown", [140, 86, 40]),
    ("olive", [150, 150, 30]),
    ("lime", [160, 220, 60]),
    ("green", [44, 160, 44]),
    ("dark green", [0, 90, 50]),
    ("teal", [0, 140, 140]),
    ("cyan", [60, 210, 230]),
    ("blue", [31, 119, 220]),
    ("grey", [190, 190, 190]),
    ("yellow", [235, 220, 60]),
    ("pink", [240, 140, 210]),
    ("violet", [130, 70, 190]),
];

/// Colour of blocks without a valid mode, which decode to transparent black.
const NO_MODE_COLOR: [u8; 3] = [0; 3];

/// Number of blocks between two checks for cancellation.
const BLOCKS_AT_A_TIME: usize = 1 << 16;

/// The modes of the blocks of a texture in BC6H or BC7.
#[derive(Clone, Debug)]
pub struct BlockModes {
    texture: Arc<Texture>,
}

/// Image of a property of blocks: their modes or endpoints.
#[derive(Clone, Debug)]
pub struct BlockPicture {
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// `width` × `height` texels in sRGB, row by row.
    pub texels: Vec<[u8; 3]>,
}

impl BlockModes {
    /// Returns the modes of a texture, or `None` if its format is neither BC6H nor BC7.
    pub fn of_texture(texture: impl Into<Arc<Texture>>) -> Option<Self> {
        let texture = texture.into();
        use BlockFormat::{Bc6hSfloat, Bc6hUfloat, Bc7};
        let has_modes = matches!(texture.desc().format.block(), Some(Bc6hSfloat | Bc6hUfloat | Bc7));
        has_modes.then_some(Self { texture })
    }

    /// Returns the names of the modes' colours in [`picture`](Self::picture) and the colours, and the number
    /// of the first mode.
    pub fn colors(&self) -> (&'static [(&'static str, [u8; 3])], u8) {
        if self.texture.desc().format == BlockFormat::Bc7 { (&BC7_COLORS, 0) } else { (&BC6H_COLORS, 1) }
    }

    /// Returns the place of a block's mode, from 0; `None` without a valid mode.
    fn place(&self, block: &[u8; 16]) -> Option<usize> {
        match self.texture.desc().format.block() {
            Some(BlockFormat::Bc7) => bc7::block_mode(block).map(usize::from),
            _ => bc6h::block_mode(block).map(|mode| usize::from(mode) - 1),
        }
    }

    /// Returns the number of blocks of each mode, in all images of the texture. The task reports
    /// [`Stage::Analyzing`] in blocks.
    ///
    /// # Errors
    /// [`Cancelled`] if the task is cancelled.
    pub fn counts(&self, task: &Task<'_>) -> Result<ModeCounts, Cancelled> {
        let (colors, first) = self.colors();
        let mut counts = ModeCounts { first, modes: vec![0; colors.len()], none: 0 };
        let blocks = self.texture.data().as_chunks::<16>().0;
        for (index, part) in blocks.chunks(BLOCKS_AT_A_TIME).enumerate() {
            task.check()?;
            task.report(Stage::Analyzing, (index * BLOCKS_AT_A_TIME) as u64, blocks.len() as u64);
            for block in part {
                match self.place(block) {
                    Some(place) => counts.modes[place] += 1,
                    None => counts.none += 1,
                }
            }
        }
        Ok(counts)
    }

    /// Returns the texture's first image with each block in the [colour](Self::colors) of its mode. The
    /// task reports [`Stage::Rendering`] in rows of texels.
    ///
    /// # Errors
    /// [`TextureJobError::OutOfMemory`], in which the input is called `name`, or
    /// [`TextureJobError::Cancelled`].
    pub fn picture(&self, name: &str, task: &Task<'_>) -> Result<BlockPicture, TextureJobError> {
        let (desc, (colors, _)) = (self.texture.desc(), self.colors());
        let (width, height) = (desc.width, desc.height);
        let columns = width.div_ceil(4) as usize;
        let blocks = self.texture.data().as_chunks::<16>().0;
        let count = width as usize * height as usize;
        let mut texels = Vec::new();
        texels
            .try_reserve_exact(count)
            .map_err(|_| TextureJobError::OutOfMemory { input: name.to_owned(), needed: count as u64 * 3 })?;
        for y in 0..height as usize {
            task.check()?;
            task.report(Stage::Rendering, y as u64, height.into());
            for x in 0..width as usize {
                let place = blocks.get(y / 4 * columns + x / 4).and_then(|block| self.place(block));
                texels.push(place.map_or(NO_MODE_COLOR, |place| colors[place].1));
            }
        }
        Ok(BlockPicture { width, height, texels })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_texture::TextureDesc;

    #[test]
    fn modes_are_counted_and_drawn() {
        // Modes 0 and 6, and a block without a mode.
        let mut data = vec![0; 48];
        (data[0], data[16]) = (1, 1 << 6);
        let desc = TextureDesc::new_2d(BlockFormat::Bc7, 9, 1);
        let modes = BlockModes::of_texture(Texture::new(desc, data).unwrap()).unwrap();
        assert_eq!(
            modes.counts(&Task::new()).unwrap(),
            ModeCounts { first: 0, modes: vec![1, 0, 0, 0, 0, 0, 1, 0], none: 1 }
        );
        let picture = modes.picture("a.dds", &Task::new()).unwrap();
        let [red, grey] = [BC7_COLORS[0].1, BC7_COLORS[6].1];
        assert_eq!(
            picture.texels,
            [[red; 4], [grey; 4]].concat().into_iter().chain([[0; 3]]).collect::<Vec<_>>()
        );
        // BC6H: modes 1 and 11 (prefixes 00 and 00011), and a reserved one.
        let mut data = vec![0; 48];
        (data[16], data[32]) = (3, 19);
        let desc = TextureDesc::new_2d(BlockFormat::Bc6hUfloat, 12, 4);
        let modes = BlockModes::of_texture(Texture::new(desc, data).unwrap()).unwrap();
        let counts = modes.counts(&Task::new()).unwrap();
        assert_eq!((counts.first, counts.modes[0], counts.modes[10], counts.none), (1, 1, 1, 1));
        let picture = modes.picture("a.dds", &Task::new()).unwrap();
        assert_eq!(picture.texels[4..9], [[190; 3], [190; 3], [190; 3], [190; 3], [0; 3]]);
        let texture = Texture::new(TextureDesc::new_2d(BlockFormat::Bc1, 4, 4), vec![0; 8]).unwrap();
        assert!(BlockModes::of_texture(texture).is_none());
    }
}
