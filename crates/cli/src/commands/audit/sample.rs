//! Sample of the texels of a large picture.
//!
//! Tiles of 32×32 texels on a lattice, evenly over the picture, so that at most 4 Mi texels are measured.
//! Rows of the lattice are shifted against each other, or a periodic picture could hide between its columns.
//! Tiles at the right and lower edge that are not whole are left out.

use brickwork_image::image_file::{Picture, Texels};
use brickwork_toolkit::texture::TextureJobError;

/// Maximum number of texels that are measured. More make the PSNR more exact and the audit slower.
pub(super) const MAX_TEXELS: u64 = 1 << 22;

/// Sides of a tile: whole blocks, and few seams for the encoder.
const TILE: u32 = 32;

/// Tiles in a row of the sample.
const ACROSS: usize = 64;

/// Checks that a picture and its sample fit into memory together.
///
/// # Errors
/// [`TextureJobError::Memory`], which names the input.
pub(super) fn check_memory(picture: &Picture, max_memory: u64, name: &str) -> Result<(), TextureJobError> {
    let texel_count = u64::from(picture.width) * u64::from(picture.height);
    let all_bytes = picture.texels.byte_count() as u64;
    let texel_bytes = all_bytes / texel_count.max(1);
    let needed = all_bytes.saturating_add(MAX_TEXELS * texel_bytes);
    if texel_count > MAX_TEXELS && needed > max_memory {
        return Err(TextureJobError::Memory { input: name.to_owned(), needed, limit: max_memory });
    }
    Ok(())
}

/// Replaces the texels of a large picture by a sample of at most [`MAX_TEXELS`]. Returns true if it did.
pub(super) fn reduce(picture: &mut Picture) -> bool {
    reduce_to(picture, MAX_TEXELS)
}

fn reduce_to(picture: &mut Picture, max_texels: u64) -> bool {
    let [width, height] = [picture.width, picture.height];
    if u64::from(width) * u64::from(height) <= max_texels {
        return false;
    }
    let sides = [TILE.min(width), TILE.min(height)];
    let tiles = tiles(width / sides[0], height / sides[1], max_texels / u64::from(sides[0] * sides[1]));
    let across = ACROSS.min(tiles.len());
    let tiles = &tiles[..tiles.len() / across * across];
    let layout = Layout { width: width as usize, sides: sides.map(|side| side as usize), across, tiles };
    picture.texels = match &picture.texels {
        Texels::Grey8(texels) => Texels::Grey8(layout.gather(texels)),
        Texels::Rgb8(texels) => Texels::Rgb8(layout.gather(texels)),
        Texels::Rgba8(texels) => Texels::Rgba8(layout.gather(texels)),
        Texels::Grey16(texels) => Texels::Grey16(layout.gather(texels)),
        Texels::Rgb16(texels) => Texels::Rgb16(layout.gather(texels)),
        Texels::Rgba16(texels) => Texels::Rgba16(layout.gather(texels)),
        Texels::RgbF16(texels) => Texels::RgbF16(layout.gather(texels)),
        Texels::RgbaF16(texels) => Texels::RgbaF16(layout.gather(texels)),
        Texels::RgbF32(texels) => Texels::RgbF32(layout.gather(texels)),
        Texels::RgbaF32(texels) => Texels::RgbaF32(layout.gather(texels)),
        _ => return false,
    };
    picture.width = across as u32 * sides[0];
    picture.height = (tiles.len() / across) as u32 * sides[1];
    true
}

/// Returns at most `wanted` tiles, but at least one, of `columns` × `rows`.
fn tiles(columns: u32, rows: u32, wanted: u64) -> Vec<[usize; 2]> {
    let all = u64::from(columns) * u64::from(rows);
    let step = all.div_ceil(wanted.max(1)).max(1);
    // Odd and near the golden section, so that tiles of neighbouring rows are far apart.
    let shift = (step * 5 / 8) | 1;
    let tile = |index: u64| {
        let (row, column) = (index / u64::from(columns), index % u64::from(columns));
        [((column + row * shift) % u64::from(columns)) as usize, row as usize]
    };
    (0..all.div_ceil(step)).map(|number| tile(number * step)).collect()
}

/// Positions of the tiles in the picture and in the sample.
struct Layout<'a> {
    /// Width of the picture.
    width: usize,
    sides: [usize; 2],
    /// Tiles in a row of the sample.
    across: usize,
    tiles: &'a [[usize; 2]],
}

impl Layout<'_> {
    fn gather<T: Copy>(&self, texels: &[T]) -> Vec<T> {
        let [width, height] = self.sides;
        let mut sample = Vec::with_capacity(self.tiles.len() * width * height);
        for row in self.tiles.chunks(self.across) {
            for y in 0..height {
                for [column, tile_row] in row {
                    let start = (tile_row * height + y) * self.width + column * width;
                    sample.extend_from_slice(&texels[start..start + width]);
                }
            }
        }
        sample
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_base::Task;
    use brickwork_image::image_file::ImageReadOptions;
    use brickwork_texture::pictures::read;
    use std::io::Cursor;

    /// Returns a picture with texels of 16 bits that count from 0.
    fn picture(width: u32, height: u32) -> Picture {
        let mut file = format!("P5 {width} {height} 65535\n").into_bytes();
        file.extend((0..width * height).flat_map(|i| (i as u16).to_be_bytes()));
        read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap()
    }

    #[test]
    fn samples_are_whole_tiles_of_the_whole_picture() {
        let mut large = picture(260, 200);
        assert!(!reduce_to(&mut large, 260 * 200));
        assert!(reduce_to(&mut large, 12 * 1024));
        assert_eq!((large.width, large.height), (32 * 12, 32));
        let Texels::Grey16(texels) = &large.texels else { panic!("{:?}", large.texels) };
        assert!(texels.chunks(32).all(|row| row.windows(2).all(|pair| pair[0] + 1 == pair[1])));
        let starts: Vec<_> = texels[..32 * 12].chunks(32).map(|tile| usize::from(tile[0])).collect();
        let count = |of: fn(usize) -> usize| {
            starts.iter().map(|&start| of(start)).collect::<std::collections::BTreeSet<_>>().len()
        };
        // Two tiles of each of six rows, in all eight columns.
        assert_eq!((count(|start| start % 260), count(|start| start / 260)), (8, 6));
    }

    #[test]
    fn thin_pictures_have_thin_tiles() {
        let mut thin = picture(5, 9000);
        assert!(reduce_to(&mut thin, 8000));
        let tiles = thin.width / 5;
        assert_eq!((thin.width % 5, thin.height), (0, 32));
        assert_eq!(thin.texels.texel_count() as u32, tiles * 5 * 32);
        assert!((40..=50).contains(&tiles), "{tiles}");
    }

    #[test]
    fn tiles_of_neighbouring_rows_differ() {
        let tiles = tiles(64, 64, 256);
        assert_eq!(tiles.len(), 256);
        let columns: std::collections::BTreeSet<_> = tiles.iter().map(|tile| tile[0]).collect();
        assert_eq!(columns.len(), 64);
    }
}
