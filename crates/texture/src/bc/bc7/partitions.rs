//! Partitions: the subset of each texel.
//!
//! Source: the Khronos Data Format Specification 1.4, section 20 (BPTC), compared with the decoders bcdec_rs
//! and texture2ddecoder. Its table of anchors for two subsets names texel 2 for partition 35; the OpenGL
//! extension ARB_texture_compression_bptc, both decoders and hardware have texel 8 (KhronosGroup/DataFormat,
//! issue 28).

/// The subset of texel t is bit t.
pub(crate) const TWO_SUBSETS: [u16; 64] = [
    0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8,
    0xff00, 0xfff0, 0xf000, 0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce, 0x088c, 0x3110,
    0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c, 0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696,
    0xa55a, 0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660, 0x0272, 0x04e4, 0x4e40, 0x2720,
    0xc936, 0x936c, 0x39c6, 0x639c, 0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
];

/// The subset of texel t is in bits 2t and 2t + 1.
pub(crate) const THREE_SUBSETS: [u32; 64] = [
    0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050,
    0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250,
    0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
    0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200,
    0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
    0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
    0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414, 0x96960000,
    0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
];

/// Anchor of the second of two subsets. The first subset's anchor is texel 0.
pub(crate) const TWO_ANCHORS: [u8; 64] = [
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2, 8, 2, 2, 8, 8, 15, 2, 8, 2, 2, 8,
    8, 2, 2, 15, 15, 6, 8, 2, 8, 15, 15, 2, 8, 2, 2, 2, 15, 15, 6, 6, 2, 6, 8, 15, 15, 2, 2, 15, 15, 15, 15,
    15, 2, 2, 15,
];

/// Anchors of the second and of the third of three subsets.
pub(crate) const THREE_ANCHORS: [[u8; 64]; 2] = [
    [
        3, 3, 15, 15, 8, 3, 15, 15, 8, 8, 6, 6, 6, 5, 3, 3, 3, 3, 8, 15, 3, 3, 6, 10, 5, 8, 8, 6, 8, 5, 15,
        15, 8, 15, 3, 5, 6, 10, 8, 15, 15, 3, 15, 5, 15, 15, 15, 15, 3, 15, 5, 5, 5, 8, 5, 10, 5, 10, 8, 13,
        15, 12, 3, 3,
    ],
    [
        15, 8, 8, 3, 15, 15, 3, 8, 15, 15, 15, 15, 15, 15, 15, 8, 15, 8, 15, 3, 15, 8, 15, 8, 3, 15, 6, 10,
        15, 15, 10, 8, 15, 3, 15, 10, 10, 8, 9, 10, 6, 15, 8, 15, 3, 6, 6, 8, 15, 3, 15, 15, 15, 15, 15, 15,
        15, 15, 15, 15, 3, 15, 15, 8,
    ],
];

/// Returns the anchors of a partition's subsets.
pub(crate) const fn anchors(subsets: usize, partition: usize) -> [u8; 3] {
    match subsets {
        1 => [0; 3],
        2 => [0, TWO_ANCHORS[partition], 0],
        _ => [0, THREE_ANCHORS[0][partition], THREE_ANCHORS[1][partition]],
    }
}

/// Returns the texels of each subset of a partition.
pub(crate) const fn subsets(subsets: usize, partition: usize) -> [u16; 3] {
    match subsets {
        1 => [0xffff, 0, 0],
        2 => [!TWO_SUBSETS[partition], TWO_SUBSETS[partition], 0],
        _ => {
            let second = even_bits(THREE_SUBSETS[partition]);
            let third = even_bits(THREE_SUBSETS[partition] >> 1);
            [!(second | third), second, third]
        }
    }
}

/// Returns every second bit, from the lowest on.
const fn even_bits(bits: u32) -> u16 {
    let mut x = bits & 0x5555_5555;
    x = (x | x >> 1) & 0x3333_3333;
    x = (x | x >> 2) & 0x0f0f_0f0f;
    x = (x | x >> 4) & 0x00ff_00ff;
    (x | x >> 8) as u16
}

/// Returns the positions of a set's texels, four bits each, padded with the last one. The `anchor` comes
/// first if it is among them.
pub(crate) const fn order(texels: u16, anchor: u8) -> u64 {
    let mut order = 0;
    let mut count = 0;
    let mut last = 0;
    let mut rest = texels;
    if texels >> anchor & 1 != 0 {
        order = anchor as u64;
        last = order;
        count = 1;
        rest &= !(1 << anchor);
    }
    while rest != 0 {
        last = rest.trailing_zeros() as u64;
        rest &= rest - 1;
        order |= last << (4 * count);
        count += 1;
    }
    while count < 16 {
        order |= last << (4 * count);
        count += 1;
    }
    order
}

/// [`order`] of every subset of every partition, for one to three subsets.
pub(crate) static ORDERS: [[[u64; 3]; 64]; 3] = {
    let mut orders = [[[0; 3]; 64]; 3];
    let mut count = 1;
    while count <= 3 {
        let mut partition = 0;
        while partition < 64 {
            let (subsets, anchors) = (subsets(count, partition), anchors(count, partition));
            let mut subset = 0;
            while subset < count {
                orders[count - 1][partition][subset] = order(subsets[subset], anchors[subset]);
                subset += 1;
            }
            partition += 1;
        }
        count += 1;
    }
    orders
};
