// Blocks of one subset in real time (real_time.rs), and lines through texels (real_time_line.rs). One thread
// per block. The kernel contains `encode_block` and `whole_choice`.
// needs: params.wgsl, halves.wgsl, coding.wgsl, level.wgsl, ../power_scale.wgsl, ../visible.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> texels: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read_write> blocks: array<vec4<u32>>;

const LAST = 15.0;

struct Block {
    // Middle of each channel's range.
    middle: vec3<f32>,
    // Factor from differences from the middle to the integers among which places are found.
    scale: f32,
    // Largest magnitude of endpoints as 16-bit values, for signed halves.
    limit: f32,
    // One bit for each texel in the image: only those have an error.
    visible: u32,
}

// Ends of a line as 16-bit values.
struct Ends {
    a: vec3<f32>,
    b: vec3<f32>,
}

// Sums over some texels of the integers among which places are found: of channels, of their squares, of red
// and green, green and blue, blue and red.
struct Moments {
    count: f32,
    sums: vec3<f32>,
    squares: vec3<f32>,
    mixed: vec3<f32>,
}

// Texels of a subset: their number, its inverse, and the sums of their values less the middle; sums of their
// places, of squared places, and of places times values.
struct Members {
    count: f32,
    part: f32,
    totals: vec3<f32>,
    weight: f32,
    square: f32,
    weighted: vec3<f32>,
}

// Line between two endpoints, for indices and errors.
struct Line {
    // Value of the first endpoint, plus 1/2 for rounding, and change for each 1/64 of weight.
    base: vec3<f32>,
    step: vec3<f32>,
    // Change from the first to the second endpoint, and the product of the first and that: integers.
    along: vec3<f32>,
    origin: f32,
    // Indices per product with `along`.
    scale: f32,
}

// A mode, the distance of two codes' values, and its inverse.
struct Choice {
    mode: u32,
    step: f32,
    inverse: f32,
}

// Encoding with one subset. The mode is the place among those of one subset. Indices have four bits.
struct Whole {
    mode: u32,
    codes: Codes,
    indices: vec2<u32>,
    error: f32,
}

// Finite values of each thread's texels. (In private memory they would be in scratch memory, because loops
// index them.)
var<workgroup> block_texels: array<vec2<u32>, 1024>;

// The thread's number in its workgroup.
var<private> own: u32;

fn value_at(t: u32) -> vec3<f32> {
    let words = bitcast<vec2<i32>>(block_texels[64u * t + own]);
    return vec3<f32>(vec3(extractBits(words.x, 0u, 16u), words.x >> 16u, extractBits(words.y, 0u, 16u)));
}

// Returns the integers among which places are found.
fn scaled_at(block: Block, t: u32) -> vec3<f32> {
    return round((value_at(t) - block.middle) * block.scale);
}

// Returns the sums with `count` more texels; `x` is 0 if that is 0.
fn with_texel(m: Moments, x: vec3<f32>, count: f32) -> Moments {
    return Moments(m.count + count, m.sums + x, m.squares + x * x, m.mixed + x * x.yzx);
}

// Returns the row of the covariance matrix with the greatest variance, after one step of the power method.
fn axis_of(m: Moments) -> vec3<f32> {
    let v = m.squares * m.count - m.sums * m.sums;
    let mixed = m.mixed * m.count - m.sums * m.sums.yzx;
    let red = vec3(v.x, mixed.x, mixed.z);
    let green = vec3(mixed.x, v.y, mixed.y);
    let blue = vec3(mixed.z, mixed.y, v.z);
    let of_two = max(v.x, v.y);
    var row = select(red, green, v.y > v.x);
    row = select(row, blue, v.z > of_two);
    let scale = power_scale(max(max(of_two, v.z), 1.0), 10u);
    row = round(row * scale);
    let turned =
        vec3(dot(round(red * scale), row), dot(round(green * scale), row), dot(round(blue * scale), row));
    let size = abs(turned);
    return round(turned * power_scale(max(max(size.x, size.y), max(size.z, 1.0)), 8u));
}

// Returns that end of a range of projections that is nearer to the anchor's, and places, 0 to `last`, per
// difference from it.
fn directed(range: vec2<f32>, anchor: f32, last: f32) -> vec2<f32> {
    let is_turned = range.x + range.y < anchor + anchor;
    let scale = keep(reciprocal(max(range.y - range.x, 1.0)) * last);
    return select(vec2(range.x, scale), vec2(range.y, -scale), is_turned);
}

// Returns the ends of the line that best fits places from 0 to `last`.
fn fitted(block: Block, m: Members, last: f32) -> Ends {
    let inverse = reciprocal(max(m.square * m.count - m.weight * m.weight, 1.0));
    let slope = keep3((keep3(m.count * m.weighted) - keep3(m.weight * m.totals)) * inverse);
    let first = keep3(keep3(m.totals - keep3(slope * m.weight)) * m.part);
    let end = keep3(first + keep3(slope * last));
    return Ends(widened(keep3(first + block.middle)), widened(keep3(end + block.middle)));
}

// Returns a 16-bit value among the integers.
fn place_of(block: Block, value: vec3<f32>) -> vec3<f32> {
    // Halves are rounded to zero, so half a unit below a value becomes its half on average.
    let bias = select(vec3(0.5), vec3(-0.5), vec3(SIGNED) & (value < vec3(0.0)));
    let at = (value * FINISH - bias - block.middle) * block.scale;
    return round(clamp(at, vec3(-FARTHEST), vec3(FARTHEST)));
}

fn line_of(block: Block, ends: Ends, last: f32) -> Line {
    let start = place_of(block, ends.a);
    let along = place_of(block, ends.b) - start;
    let scale = keep(reciprocal(max(dot(along, along), 1.0)) * last);
    return Line(ends.a + 0.5, (ends.b - ends.a) * (1.0 / 64.0), along, dot(start, along), scale);
}

fn index_at(block: Block, line: Line, t: u32, highest: f32) -> f32 {
    let along = dot(scaled_at(block, t), line.along) - line.origin;
    return round(clamp(along * line.scale, 0.0, highest));
}

// Returns the squared error of a texel at a weight, if it is in the image.
fn error_at(block: Block, line: Line, t: u32, weight: f32) -> f32 {
    // At most 16 bits before the point and 6 after it: exact.
    let found = finished(floor(line.step * weight + line.base));
    let value = value_at(t);
    var errors = found - value;
    if SIGNED {
        errors = level_of(found) - level_of(value);
    }
    return select(0.0, dot3(errors, errors), extractBits(block.visible, t, 1u) != 0u);
}

// Returns the numbers of codes without differences.
fn coding_of_choice(block: Block, choice: Choice) -> Coding {
    let offset = select(choice.step * 0.5, 0.0, choice.step < 1.5);
    let top = select(65536.0, 32768.0, SIGNED) * choice.inverse - 1.0;
    let limited = clamp(floor(keep(block.limit - offset) * choice.inverse), 0.0, top);
    let end = select(top, limited, SIGNED);
    return Coding(choice.step, choice.inverse, offset, top, end, vec3(0.0), vec3(0.0));
}

// Encodes with one subset, from the ends of a line.
fn whole_of(block: Block, ends: Ends) -> Whole {
    let distance = abs(ends.a - ends.b);
    let choice = whole_choice(max(distance.x, max(distance.y, distance.z)));
    let coding = coding_of_choice(block, choice);
    let codes = Codes(codes_of(coding, ends.a), codes_of(coding, ends.b));
    let line = line_of(block, Ends(values_of(coding, codes.a), values_of(coding, codes.b)), LAST);
    var indices = vec2(0u);
    var error = 0.0;
    for (var i = 0u; i < 16u; i++) {
        let t = 15u - i;
        // The first index lacks its highest bit.
        let index = index_at(block, line, t, select(LAST, 7.0, t == 0u));
        let nibble = u32(index) << (4u * (t & 7u));
        indices |= select(vec2(nibble, 0u), vec2(0u, nibble), t >= 8u);
        if LEVEL > 1u {
            // The weight is 64·index/15, to nearest.
            error = keep(error + error_at(block, line, t, floor((index * 64.0 + 7.5) * (1.0 / LAST))));
        }
    }
    return Whole(choice.mode, codes, indices, error);
}

// Returns integers in two's complement.
fn bits_of(codes: vec3<f32>) -> vec3<u32> {
    return bitcast<vec3<u32>>(vec3<i32>(codes));
}

// Returns a block's words: the mode, the first endpoint's lowest ten bits, ten bits for each channel of the
// second, indices. Those ten bits end with the first endpoint's other bits in reverse.
fn words_of_whole(found: Whole) -> vec4<u32> {
    let a = bits_of(found.codes.a);
    let b = bits_of(found.codes.b);
    // Bits of differences.
    var lowest = select(1023u, 511u, found.mode == 1u);
    lowest = select(select(lowest, 255u, found.mode == 2u), 15u, found.mode == 3u);
    let first = a & vec3(1023u);
    let stored = (b - select(a, vec3(0u), found.mode == 0u)) & vec3(lowest);
    let second = stored | ((reverseBits(a) >> vec3(12u)) & vec3(1023u - lowest));
    return vec4(
        (3u + 4u * found.mode) | (first.x << 5u) | (first.y << 15u) | (first.z << 25u),
        (first.z >> 7u) | (second.x << 3u) | (second.y << 13u) | (second.z << 23u),
        (second.z >> 9u) | ((found.indices.x & 7u) << 1u) | (found.indices.x & 0xfffffff0u),
        found.indices.y,
    );
}

// All texels: their moments, axis, and the sums of their values less the middle.
struct Texels {
    moments: Moments,
    axis: vec3<f32>,
    totals: vec3<f32>,
}

fn all_texels(block: Block) -> Texels {
    var m = Moments(0.0, vec3(0.0), vec3(0.0), vec3(0.0));
    var totals = vec3(0.0);
    for (var t = 0u; t < 16u; t++) {
        m = with_texel(m, scaled_at(block, t), 1.0);
        totals += value_at(t) - block.middle;
    }
    return Texels(m, axis_of(m), totals);
}

// Returns the line through all texels.
fn line_through(block: Block, all: Texels) -> Ends {
    let anchor = dot(scaled_at(block, 0u), all.axis);
    var range = vec2(anchor);
    for (var t = 1u; t < 16u; t++) {
        let projection = dot(scaled_at(block, t), all.axis);
        range = vec2(min(range.x, projection), max(range.y, projection));
    }
    let start = directed(range, anchor, LAST);
    var members = Members(16.0, 1.0 / 16.0, all.totals, 0.0, 0.0, vec3(0.0));
    for (var t = 0u; t < 16u; t++) {
        let at = round((dot(scaled_at(block, t), all.axis) - start.x) * start.y);
        members.weight += at;
        members.square += at * at;
        members.weighted += at * (value_at(t) - block.middle);
    }
    return fitted(block, members, LAST);
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let number = params.first_block + (group.y * groups.x + group.x) * 64u + thread;
    if number >= params.end_block {
        return;
    }
    own = thread;
    var low = vec3(0x7fff);
    var high = vec3(-0x7fff);
    for (var t = 0u; t < 16u; t++) {
        let words = texels[16u * number + t];
        let value = finite(vec3(words.x & 0xffffu, words.x >> 16u, words.y & 0xffffu));
        low = min(low, value);
        high = max(high, value);
        block_texels[64u * t + own] = packed(value);
    }
    let widths = high - low;
    let widest = max(max(widths.x, widths.y), max(widths.z, 1));
    let largest = max(max(high, -low), vec3(0));
    let most = max(largest.x, max(largest.y, largest.z));
    let limit = f32(min(most + min(most >> 1u, MARGIN), LARGEST));
    let block = Block(
        vec3<f32>((low + high) >> vec3(1u)),
        power_scale(f32(widest), PLACE_BITS),
        widened(vec3(limit)).x,
        visible_texels(number),
    );
    let to = params.first + (number / params.columns) * params.pitch + number % params.columns;
    blocks[to] = encode_block(block);
}
