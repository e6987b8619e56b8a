// Regions of a resident volume as numbers: what its voxels are, x fastest. The kernel has pages.
// needs: resident.wgsl

struct Region {
    // The first brick, and how many along each axis.
    first: vec3u,
    // Rows of a brick. (Compilers that do not know it unroll no loop over them.)
    rows: u32,
    count: vec3u,
    // Numbers from one row to the next, and from one slice to the next.
    row: u32,
    slice: u32,
    // The first of the region's bricks that this dispatch decodes.
    start: u32,
    // Bits of a number, or of a word of 64: 8, 16 or 32.
    number_bits: u32,
    // Bits that are flipped to convert an ordinal to a number.
    flipped: u32,
    // 1 if ordinals are those of floats; 2 if they are the lower words of those, whose upper ones are
    // written.
    is_float: u32,
    // The first of the pages that are bound; bricks of others are left out.
    first_page: u32,
    // Words of a number: 1, or of 64 bits 2, and which of them is written.
    words: u32,
    word: u32,
}

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> records: array<vec2u>;
@group(0) @binding(2) var<storage, read> tables: array<u32>;
@group(0) @binding(3) var<uniform> region: Region;

fn bind_page(number: u32) -> bool {
    page = number - region.first_page;
    return page < PAGES;
}

fn number_of(ordinal: u32) -> u32 {
    let is_negative = (region.is_float == 1u) & ((ordinal >> (region.number_bits - 1u)) == 0u);
    return ordinal ^ select(region.flipped, 0xffffffffu >> (32u - region.number_bits), is_negative);
}
