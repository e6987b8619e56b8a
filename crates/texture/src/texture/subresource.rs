//! Parts of a texture that applications upload to a GPU.

use super::Texture;

/// One face of one mip level, with all slices of a 3D texture: what one upload copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Subresource<'a> {
    /// Array layer.
    pub layer: u32,
    /// Face of a cube, in the order +X, −X, +Y, −Y, +Z, −Z; else 0.
    pub face: u32,
    /// Mip level; 0 is the largest.
    pub mip_level: u32,
    /// Width, height and depth in texels, each at least 1: the extent of a copy in Vulkan and Metal.
    pub size: [u32; 3],
    /// `size`, of which width and height are rounded up to whole blocks: the extent of a copy in WebGPU and
    /// wgpu, and of a placed footprint in Direct3D 12. In WebGPU, textures of blocks need a mip level 0 whose
    /// two extents are equal.
    pub copy_size: [u32; 3],
    /// Bytes from a row of blocks, or of plain texels, to the next: `data` has no padding. Copies from
    /// buffers in WebGPU and wgpu, and placed footprints, need rows at multiples of 256 bytes.
    pub row_bytes: u64,
    /// Rows of blocks, or of plain texels, of a slice.
    pub row_count: u32,
    /// Blocks or plain texels: slice by slice; in a slice, row by row.
    pub data: &'a [u8],
}

impl Texture {
    /// Returns all parts that are uploaded, in the order of the data: layer by layer; in a layer, face by
    /// face; in a face, mip level by mip level. This is the order of subresources in Direct3D.
    ///
    /// ```
    /// use brickwork_texture::{BlockFormat, Texture, TextureDesc};
    ///
    /// let desc = TextureDesc::new_2d(BlockFormat::Bc7, 10, 6).with_full_mips();
    /// let texture = Texture::new(desc, vec![0; desc.data_bytes() as usize])?;
    /// let parts: Vec<_> = texture.subresources().collect();
    /// assert_eq!((parts.len(), parts[1].size), (4, [5, 3, 1]));
    /// assert_eq!(parts[1].copy_size, [8, 4, 1]);
    /// // Two blocks of 16 bytes in one row.
    /// assert_eq!((parts[1].row_bytes, parts[1].row_count, parts[1].data.len()), (32, 1, 32));
    /// # Ok::<(), brickwork_texture::TextureError>(())
    /// ```
    pub fn subresources(&self) -> impl Iterator<Item = Subresource<'_>> {
        let desc = self.desc;
        let [block_width, block_height] = desc.format.block_extent();
        let faces = (0..desc.layers).flat_map(move |layer| (0..desc.faces()).map(move |face| (layer, face)));
        faces.flat_map(move |(layer, face)| {
            (0..desc.mip_levels).map(move |mip_level| {
                let size = desc.mip_level_size(mip_level);
                let [columns, rows] = [size[0].div_ceil(block_width), size[1].div_ceil(block_height)];
                Subresource {
                    layer,
                    face,
                    mip_level,
                    size,
                    // A file may state any size below 2³².
                    copy_size: [
                        columns.saturating_mul(block_width),
                        rows.saturating_mul(block_height),
                        size[2],
                    ],
                    row_bytes: u64::from(columns) * desc.format.block_bytes() as u64,
                    row_count: rows,
                    data: &self.data[desc.image_range(layer, face, mip_level)],
                }
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AstcFootprint, BlockFormat, PlainFormat, TextureDesc};

    /// Layer, face and mip level; size; bytes of a row, rows, bytes.
    type Part = ([u32; 3], [u32; 3], [u64; 3]);

    /// Returns the parts of a texture whose bytes are their own places, modulo 251.
    fn checked(desc: TextureDesc) -> Vec<Part> {
        let data: Vec<u8> = (0..desc.data_bytes()).map(|place| (place % 251) as u8).collect();
        let texture = Texture::new(desc, data.clone()).unwrap();
        let mut start = 0;
        let mut parts = Vec::new();
        for part in texture.subresources() {
            assert_eq!(part.data, &data[start..start + part.data.len()]);
            start += part.data.len();
            let rows = part.row_bytes * u64::from(part.row_count) * u64::from(part.size[2]);
            assert_eq!(part.data.len() as u64, rows, "{part:?}");
            let index = [part.layer, part.face, part.mip_level];
            let bytes = [part.row_bytes, part.row_count.into(), part.data.len() as u64];
            parts.push((index, part.size, bytes));
        }
        assert_eq!(start, data.len());
        parts
    }

    #[test]
    fn parts_are_in_the_order_of_the_data() {
        let cubes = TextureDesc::new_cube(BlockFormat::Bc1, 9).with_layers(2).with_mip_levels(2);
        let parts = checked(cubes);
        assert_eq!(parts.len(), 2 * 6 * 2);
        assert_eq!(parts[2 * 7 + 1], ([1, 1, 1], [4, 4, 1], [8, 1, 8]));
        assert_eq!(parts[0], ([0, 0, 0], [9, 9, 1], [24, 3, 72]));
        let volume = TextureDesc::new_3d(PlainFormat::Rg8Unorm, 5, 3, 4).with_full_mips();
        assert_eq!(checked(volume)[1], ([0, 0, 1], [2, 1, 2], [4, 1, 8]));
        let copy_sizes = |desc: TextureDesc| -> Vec<_> {
            let texture = Texture::new(desc, vec![0; desc.data_bytes() as usize]).unwrap();
            texture.subresources().map(|part| part.copy_size).collect()
        };
        let bc7 = TextureDesc::new_2d(BlockFormat::Bc7, 12, 4).with_full_mips();
        assert_eq!(copy_sizes(bc7), [[12, 4, 1], [8, 4, 1], [4, 4, 1], [4, 4, 1]]);
        assert_eq!(copy_sizes(volume)[1], [2, 1, 2]);
        let astc = TextureDesc::new_2d(BlockFormat::Astc(AstcFootprint::B8x5), 17, 11);
        assert_eq!(checked(astc)[0], ([0, 0, 0], [17, 11, 1], [48, 3, 144]));
        assert_eq!(copy_sizes(astc), [[24, 15, 1]]);
    }
}
