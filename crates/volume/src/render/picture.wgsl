// A rendering, 8×4 pixels per workgroup of 32 lanes. What a ray sees is in the file of its mode.
// needs: rays.wgsl, display.wgsl, shade.wgsl

struct View {
    rays: Rays,
    light: Light,
    background: vec4f,
    // For isosurfaces.
    color: vec4f,
    display: DisplayParams,
    // What `looks` holds: transfer entries or visible labels, then from these words on what cells and blocks
    // show.
    cells: u32,
    blocks: u32,
    transfer_first: u32,
    transfer_shift: u32,
    transfer_span: u32,
    threshold: u32,
    fade: f32,
    // The first of the tiles of this dispatch, and tiles in a row of them.
    first_tile: u32,
    tiles_of_row: u32,
    // From one tile to the next.
    tile_step: u32,
    // Where in `picture` counts are added up, two words each; 0 if nowhere.
    statistics: u32,
    // Where in `picture` the sums of channels are, two words per pixel; 0 for one channel alone.
    sums: u32,
    @align(16) paging: Paging,
}

// Where in `picture` is what some_pages.wgsl keeps.
struct Paging {
    // Eight words per pixel.
    rays: u32,
    // By page: 0, or one more than its slot.
    slots: u32,
    // A bit per page: requested and missing; requested.
    missing: u32,
    asked: u32,
    // How many rays wait for pages.
    waiting: u32,
    // Pages in a buffer, and words in a page.
    buffer_pages: u32,
    page_words: u32,
    // Whether rays start here.
    is_first: u32,
}

// A ray that waits for pages.
struct Kept {
    // The sample that it waits at; NONE if it waits for nothing.
    sample: u32,
    // State that the mode keeps.
    phase: u32,
    numbers: vec4u,
}

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> records: array<vec2u>;
@group(0) @binding(2) var<storage, read> tables: array<u32>;
@group(0) @binding(3) var<uniform> view: View;
@group(0) @binding(4) var<storage, read> looks: array<u32>;
@group(0) @binding(5) var<storage, read_write> picture: array<atomic<u32>>;

// Point at which a ray continues, and point at which it stopped.
var<private> kept: Kept;

// The corners of the lane's cell of eight voxels, which `gather` finds: in a word two along x, the first in
// the lower half; the words by y, then z. (They are in registers while bricks are decoded.)
var<private> corners: vec4u;

fn lower_half(word: u32, value: u32) -> u32 {
    return insertBits(word, value, 0u, 16u);
}

fn upper_half(word: u32, value: u32) -> u32 {
    return insertBits(word, value, 16u, 16u);
}

// Samples taken by this lane.
var<private> samples: u32;

fn run(group: u32, lane: u32) {
    empty_cache();
    let tile = view.first_tile + group * view.tile_step;
    let x = 8u * (tile % view.tiles_of_row) + (lane & 7u);
    let y = 4u * (tile / view.tiles_of_row) + (lane >> 3u);
    let is_there = x < view.rays.width && y < view.rays.height;
    var ray = ray_of(x, y);
    if !is_there {
        ray.first = ray.end;
    }
    let pixel = y * view.rays.width + x;
    kept = Kept(ray.first, 0u, vec4u(0u, 0u, 0u, bitcast<u32>(1.0)));
    if is_there {
        take_kept(pixel);
    }
    let is_wanted = is_there && kept.sample != NONE;
    let color = cast_ray(lane, ray);
    if is_wanted && kept.sample == NONE {
        atomicStore(&picture[pixel], over(sum_of(pixel, color), view.background));
    }
    if is_wanted {
        keep(pixel);
    }
    if view.statistics != 0u {
        add(0u, samples);
        add(1u, requests);
        add(2u, misses);
        add(3u, select(0u, decoded_bricks, lane == 0u));
    }
}

// Adds a colour to those of the channels before, at most to 1, and returns the sum. It has 16 bits: the twin
// of `added` in cast.rs.
fn sum_of(pixel: u32, color: vec4f) -> vec4f {
    if view.sums == 0u {
        return color;
    }
    let at = view.sums + 2u * pixel;
    let before = vec4f(
        unpack2x16unorm(atomicLoad(&picture[at])),
        unpack2x16unorm(atomicLoad(&picture[at + 1u])),
    );
    let sum = before + color;
    let words = vec2u(pack2x16unorm(sum.rg), pack2x16unorm(sum.ba));
    atomicStore(&picture[at], words.x);
    atomicStore(&picture[at + 1u], words.y);
    return vec4f(unpack2x16unorm(words.x), unpack2x16unorm(words.y));
}

// Adds to one of the counts of 64 bits.
fn add(number: u32, count: u32) {
    let at = view.statistics + 2u * number;
    if count > 0u {
        let before = atomicAdd(&picture[at], count);
        if before + count < before {
            atomicAdd(&picture[at + 1u], 1u);
        }
    }
}

// A colour multiplied by its alpha, over a background of straight alpha, as 8 bits of straight alpha.
fn over(color: vec4f, background: vec4f) -> u32 {
    let behind = (1.0 - color.a) * background.a;
    let alpha = color.a + behind;
    var scale = 0.0;
    if alpha > 0.0 {
        scale = 1.0 / alpha;
    }
    let straight = (color.rgb + behind * background.rgb) * scale;
    let eight_bits = vec4u(clamp(vec4f(straight, alpha) * 255.0 + 0.5, vec4f(0.0), vec4f(255.0)));
    return eight_bits.r | (eight_bits.g << 8u) | (eight_bits.b << 16u) | (eight_bits.a << 24u);
}
