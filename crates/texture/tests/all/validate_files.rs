//! Files for the tests of `validate`: correct ones of any format, with parts that a test replaces.

use brickwork_texture::{
    BlockFormat, Task, Texture, TextureDesc,
    container::{ContainerFormat, DdsHeader, TextureWriteOptions},
};
use ktx2::{Format, dfd::Basic};

/// A block of ASTC of one colour: a void extent.
pub const SOLID_ASTC: [u8; 16] = [0xfc, 0xfd, 255, 255, 255, 255, 255, 255, 1, 2, 3, 4, 5, 6, 7, 8];

/// Returns an `.astc` file of 4×4 blocks of one colour.
pub fn astc([width, height]: [u8; 2]) -> Vec<u8> {
    let header = [0x13, 0xab, 0xa1, 0x5c, 4, 4, 1, width, 0, 0, height, 0, 0, 1, 0, 0];
    let count = usize::from(width.div_ceil(4)) * usize::from(height.div_ceil(4));
    [header.as_slice(), &SOLID_ASTC.repeat(count)].concat()
}

/// Parts of a KTX2 file.
pub struct Ktx2 {
    pub format: u32,
    pub type_size: u32,
    pub size: [u32; 3],
    pub layers: u32,
    pub faces: u32,
    pub levels: u32,
    pub scheme: u32,
    /// Descriptor blocks, without `dfdTotalSize`.
    pub descriptor: Vec<u8>,
    /// `dfdTotalSize`, if it is wrong.
    pub total_size: Option<u32>,
    pub pairs: Vec<u8>,
    pub global: Vec<u8>,
    /// Level data, the largest mip level first.
    pub data: Vec<Vec<u8>>,
    pub uncompressed: Vec<u64>,
    /// Bytes between the padding and the level data.
    pub shift: usize,
    alignment: usize,
}

impl Ktx2 {
    /// Returns a file of 8×8 texels, or 8×8×8 if blocks are 3D, with one mip level.
    pub fn of(format: Format) -> Self {
        let (basic, type_size) = Basic::from_format(format).unwrap();
        let sides = basic.texel_block_dimensions.map(|side| usize::from(side.get()));
        let depth = if sides[2] > 1 { 8 } else { 0 };
        let counts = [8, 8, depth.max(1)];
        let blocks: usize =
            counts.iter().zip(sides).map(|(&count, side)| usize::div_ceil(count, side)).product();
        let bytes = usize::from(basic.bytes_planes[0]);
        let fields = basic.to_vec();
        let mut descriptor = vec![0, 0, 0, 0, 2, 0, 0, 0];
        descriptor[6..8].copy_from_slice(&(fields.len() as u16 + 8).to_le_bytes());
        descriptor.extend(fields);
        let is_astc = format!("{format:?}").starts_with("ASTC_");
        let block = if is_astc { SOLID_ASTC.to_vec() } else { vec![7; bytes] };
        let alignment = (1..).map(|n| n * bytes).find(|n| n % 4 == 0).unwrap();
        Self {
            format: format.value(),
            type_size,
            size: [8, 8, depth as u32],
            layers: 0,
            faces: 1,
            levels: 1,
            scheme: 0,
            descriptor,
            total_size: None,
            pairs: pairs(&[(b"KTXwriter", b"ab\0")]),
            global: Vec::new(),
            data: vec![block.repeat(blocks)],
            uncompressed: vec![(blocks * bytes) as u64],
            shift: 0,
            alignment,
        }
    }

    /// Adds a mip level of `bytes` bytes.
    pub fn add_level(&mut self, bytes: usize) {
        self.data.push(vec![7; bytes]);
        self.uncompressed.push(bytes as u64);
    }

    /// Makes a chain of BC7 of 8×8 texels complete.
    pub fn mips(&mut self) {
        self.levels = 4;
        (0..3).for_each(|_| self.add_level(16));
    }

    /// Returns the file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut head = Vec::from(ktx2::MAGIC);
        let [width, height, depth] = self.size;
        let words = [self.format, self.type_size, width, height, depth, self.layers, self.faces, self.levels];
        head.extend(words.iter().chain([&self.scheme]).flat_map(|word| word.to_le_bytes()));
        let levels = self.levels.max(1) as usize;
        let descriptor_at = 80 + 24 * levels;
        let descriptor_len = 4 + self.descriptor.len();
        let pairs_at = descriptor_at + descriptor_len;
        let mut at = pairs_at + self.pairs.len();
        let pairs_at = if self.pairs.is_empty() { 0 } else { pairs_at };
        for word in [descriptor_at, descriptor_len, pairs_at, self.pairs.len()] {
            head.extend((word as u32).to_le_bytes());
        }
        let global_at = if self.global.is_empty() { 0 } else { at.next_multiple_of(8) };
        head.extend((global_at as u64).to_le_bytes());
        head.extend((self.global.len() as u64).to_le_bytes());
        at = at.max(global_at + self.global.len());
        let alignment = if self.scheme == 0 { self.alignment } else { 1 };
        let mut positions = Vec::new();
        at = at.next_multiple_of(alignment) + self.shift;
        for data in self.data.iter().rev() {
            positions.push(at);
            at = (at + data.len()).next_multiple_of(alignment);
        }
        for level in 0..levels {
            let level = level.min(self.data.len() - 1);
            let position = positions[self.data.len() - 1 - level] as u64;
            let entry = [position, self.data[level].len() as u64, self.uncompressed[level]];
            head.extend(entry.iter().flat_map(|word| word.to_le_bytes()));
        }
        head.extend(self.total_size.unwrap_or(descriptor_len as u32).to_le_bytes());
        head.extend(&self.descriptor);
        head.extend(&self.pairs);
        if !self.global.is_empty() {
            head.resize(global_at, 0);
            head.extend(&self.global);
        }
        for (data, position) in self.data.iter().rev().zip(positions) {
            head.resize(position, 0);
            head.extend(data);
        }
        head
    }
}

/// Returns key/value data.
pub fn pairs(pairs: &[(&[u8], &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (key, value) in pairs {
        bytes.extend((key.len() as u32 + 1 + value.len() as u32).to_le_bytes());
        bytes.extend([key, &[0][..], value].concat());
        bytes.resize(bytes.len().next_multiple_of(4), 0);
    }
    bytes
}

/// Returns `file` with other bytes at some positions.
pub fn patched(mut file: Vec<u8>, changes: &[(usize, u8)]) -> Vec<u8> {
    for &(at, byte) in changes {
        file[at] = byte;
    }
    file
}

/// Returns a DDS file of 8×8 texels with two mip levels.
pub fn dds(format: BlockFormat, header: DdsHeader) -> Vec<u8> {
    let desc = TextureDesc::new_2d(format, 8, 8).with_mip_levels(2);
    let texture = Texture::new(desc, vec![3; desc.data_bytes() as usize]).unwrap();
    let options = TextureWriteOptions::default().with(|o| o.dds_header = header);
    let mut file = Vec::new();
    texture.write(&mut file, ContainerFormat::Dds, &options, &Task::new()).unwrap();
    file
}

/// Returns a DDS file of 3×2 RGBA texels with masks.
pub fn masked_dds() -> Vec<u8> {
    let mut words = [0u32; 31];
    (words[0], words[1], words[2], words[3], words[4]) = (124, 0x100f, 2, 3, 12);
    (words[18], words[19], words[21]) = (32, 0x41, 32);
    words[22..26].copy_from_slice(&[0xff, 0xff00, 0xff_0000, 0xff00_0000]);
    words[26] = 0x1000;
    let mut file = b"DDS ".to_vec();
    file.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    file.extend([9; 24]);
    file
}
