// Costs of endpoints, and the resulting clusters of a block's texels (assign.rs). The kernel binds `texels`:
// rows of four, with red in the lowest byte and the class in the highest.
//
// For each texel, the code computes by how much the other entries are cheaper than the first. The first
// entry's cost is linear in the sum of the texels. Sums of channels come in pairs, a + 4096 b, where a has 12
// bits including its sign. All are integers below 2^24, or such integers times 256.
//
// Nothing here is a loop. This keeps the texels in registers. It also does not count towards the 65,535 loop
// iterations after which lavapipe stops a thread.
// needs: lanes.wgsl, palette.wgsl, nearest.wgsl, clusters.wgsl, total.wgsl

// True if texels may be left out.
override MASKED = true;

// True if any palette has three colours and black. In the palettes of three colours alone, the fourth entry
// repeats the first, and no texel prefers it.
override BLACK = true;

// Returns a mode other than FOUR, as a constant where possible.
fn three_mode(mode: u32) -> u32 {
    return select(THREE, mode, BLACK);
}

fn has_fourth(mode: u32) -> bool {
    return BLACK || mode == FOUR;
}

// Red and green of each texel, and blue of two texels, in the lower bits of 2^23. A mask makes a float of the
// lower byte, or of the upper one times 256.
var<private> red_green: array<u32, 16>;
var<private> blue: array<u32, 8>;

// Red, green, blue and again red of each texel.
var<private> words: array<u32, 16>;

const TWO_23 = 0x4b000000u;
const LOWER_BYTE = 0xffff00ffu;
const UPPER_BYTE = 0xffffff00u;

// Texels that are left out, a bit each; and true if any texel is transparent.
var<private> out: u32;
var<private> transparent: bool;
var<private> done: bool;

// Sums of the other texels: red with blue, and green with their number, both times 256.
var<private> totals: vec2<f32>;

// Returns both sums of each pair.
fn unpair(sums: vec2<f32>) -> vec4<f32> {
    let upper = floor((sums + vec2(2048.0, 524288.0)) * vec2(1.0 / 4096.0, 1.0 / 1048576.0));
    return vec4((sums - vec2(4096.0, 1048576.0) * upper) * vec2(1.0, 1.0 / 256.0), upper);
}

fn is_out(t: u32) -> bool {
    return MASKED && extractBits(out, t, 1u) != 0u;
}

// Takes a row of the block's texels. Adds those that count to `sums`: red and blue, green and their number.
fn take_row(row: u32, texels: vec4<u32>, sums: ptr<function, vec2<u32>>) {
    let first = 4u * row;
    let all = (texels & vec4(0xffffffu)) | (texels << vec4(24u));
    words[first] = all.x;
    words[first + 1u] = all.y;
    words[first + 2u] = all.z;
    words[first + 3u] = all.w;
    let lower = (texels & vec4(0xffffu)) | vec4(TWO_23);
    red_green[first] = lower.x;
    red_green[first + 1u] = lower.y;
    red_green[first + 2u] = lower.z;
    red_green[first + 3u] = lower.w;
    let blues = (texels.xz >> vec2(16u)) & vec2(0xffu);
    let other_blues = (texels.yw >> vec2(8u)) & vec2(0xff00u);
    blue[2u * row] = blues.x | other_blues.x | TWO_23;
    blue[2u * row + 1u] = blues.y | other_blues.y | TWO_23;
    let kinds = texels >> vec4(24u);
    let are_out = kinds != vec4(CLASS_OPAQUE);
    transparent = transparent || any(kinds == vec4(CLASS_TRANSPARENT));
    let bits = select(vec4(0u), vec4(1u, 2u, 4u, 8u), are_out);
    out |= (bits.x | bits.y | bits.z | bits.w) << first;
    let red_blue = select(texels & vec4(0xff00ffu), vec4(0u), are_out);
    let green_count = select(((texels >> vec4(8u)) & vec4(0xffu)) | vec4(0x10000u), vec4(0u), are_out);
    *sums += vec2(red_blue.x + red_blue.y, green_count.x + green_count.y);
    *sums += vec2(red_blue.z + red_blue.w, green_count.z + green_count.w);
}

// Takes the block whose first row is at this position. (The sums use integers. Compilers would keep floats of
// the same texels in registers.)
fn take_block(at: u32) {
    var sums = vec2(0u);
    let first = texels[at];
    done = (first.x >> 24u) == CLASS_DONE;
    take_row(0u, first, &sums);
    take_row(1u, texels[at + 1u], &sums);
    take_row(2u, texels[at + 2u], &sums);
    take_row(3u, texels[at + 3u], &sums);
    let count = f32(sums.y >> 16u);
    let red_green = vec2<f32>(sums & vec2(0xffffu)) - vec2(count * CENTER);
    let blue_count = vec2(f32(sums.x >> 16u) - count * CENTER, count);
    totals = (red_green + 4096.0 * blue_count) * vec2(1.0, 256.0);
}

// Returns the centred channels of texel `t`: green times 256, and also blue if `t` is odd.
fn texel(t: u32) -> vec3<f32> {
    let bits = vec3(red_green[t], red_green[t], blue[t >> 1u])
        & vec3(LOWER_BYTE, UPPER_BYTE, select(LOWER_BYTE, UPPER_BYTE, is_odd(t)));
    let zero = vec3(8388608.0 + CENTER, 8388608.0 + 256.0 * CENTER, 8388608.0 + unit(t) * CENTER);
    return bitcast<vec3<f32>>(bits) - zero;
}

fn is_odd(t: u32) -> bool {
    return (t & 1u) != 0u;
}

// Returns the value of one unit of blue in `texel`.
fn unit(t: u32) -> f32 {
    return select(1.0, 256.0, is_odd(t));
}

// Extra cost of the second, third and fourth entry over the first.
struct Differences {
    red: vec3<f32>,
    green: vec3<f32>,
    blue: vec3<f32>,
    constant: vec3<f32>,
}

fn differences(p: Planes) -> Differences {
    let more1 = p.slope1 - p.slope0;
    let more2 = p.slope2 - p.slope0;
    let more3 = p.slope3 - p.slope0;
    return Differences(
        vec3(more1.x, more2.x, more3.x),
        vec3(more1.y, more2.y, more3.y) * (1.0 / 256.0),
        vec3(more1.z, more2.z, more3.z),
        p.constant.yzw - vec3(p.constant.x),
    );
}

// Returns these differences for one texel; 0 for texels that are left out.
fn differences_of(d: Differences, x: vec3<f32>, t: u32) -> vec3<f32> {
    let all = ((d.constant + x.x * d.red) + x.y * d.green) + x.z * (d.blue * (1.0 / unit(t)));
    return select(all, vec3(0.0), is_out(t));
}

// Returns the cost of all texels with the first entry.
fn cost_of_first(slope0: vec3<f32>, constant: f32) -> i32 {
    let sums = vec4<i32>(unpair(totals));
    let slope = vec3<i32>(slope0);
    return sums.w * i32(constant) + sums.x * slope.x + (sums.y * slope.y + sums.z * slope.z);
}

fn least_of(mode: u32, more: vec3<f32>) -> f32 {
    let least = min(min(more.x, 0.0), more.y);
    return select(least, min(least, more.z), has_fourth(mode));
}

fn least_of_texel(mode: u32, d: Differences, t: u32) -> f32 {
    return least_of(mode, differences_of(d, texel(t), t));
}

fn with_four(before: Total, mode: u32, d: Differences, t: u32) -> Total {
    var total = before;
    total = with_cost(total, least_of_texel(mode, d, t));
    total = with_cost(total, least_of_texel(mode, d, t + 1u));
    total = with_cost(total, least_of_texel(mode, d, t + 2u));
    return with_cost(total, least_of_texel(mode, d, t + 3u));
}

// Returns the cost of endpoints if every texel takes its nearest colour.
fn cost_of(mode: u32, ends: Endpoints) -> i32 {
    let p = planes(palette(mode, ends));
    let d = differences(p);
    var total = Total(0.0, cost_of_first(p.slope0, p.constant.x));
    total = with_four(total, mode, d, 0u);
    total = with_four(total, mode, d, 4u);
    total = with_four(total, mode, d, 8u);
    total = with_four(total, mode, d, 12u);
    return whole(total);
}

struct Assigned {
    cost: i32,
    clusters: Clusters,
}

// Reduction of the texels' cost, and the sums of the texels that take the second entry, the third or fourth,
// and the fourth.
struct Adding {
    total: Total,
    second: vec2<f32>,
    upper: vec2<f32>,
    fourth: vec2<f32>,
}

fn assign_texel(found: ptr<function, Adding>, mode: u32, d: Differences, t: u32) {
    let x = texel(t);
    let more = differences_of(d, x, t);
    let pairs = vec2(x.x + x.z * (4096.0 / unit(t)), x.y + 1048576.0);
    let lower = min(more.x, 0.0);
    let upper = select(more.y, min(more.y, more.z), has_fourth(mode));
    let is_upper = upper < lower;
    (*found).total = with_cost((*found).total, min(lower, upper));
    // (`&` rather than `&&`, which would be branches.)
    (*found).second += select(0.0, 1.0, !is_upper & (more.x < 0.0)) * pairs;
    (*found).upper += select(0.0, 1.0, is_upper) * pairs;
    (*found).fourth += select(0.0, 1.0, has_fourth(mode) & is_upper & (more.z < more.y)) * pairs;
}

fn assign_four(found: ptr<function, Adding>, mode: u32, d: Differences, t: u32) {
    assign_texel(found, mode, d, t);
    assign_texel(found, mode, d, t + 1u);
    assign_texel(found, mode, d, t + 2u);
    assign_texel(found, mode, d, t + 3u);
}

// Returns the same cost, with the clusters.
fn assign(mode: u32, ends: Endpoints) -> Assigned {
    let p = planes(palette(mode, ends));
    let d = differences(p);
    var found = Adding(Total(0.0, cost_of_first(p.slope0, p.constant.x)), vec2(0.0), vec2(0.0), vec2(0.0));
    assign_four(&found, mode, d, 0u);
    assign_four(&found, mode, d, 4u);
    assign_four(&found, mode, d, 8u);
    assign_four(&found, mode, d, 12u);
    let sums0 = unpair(totals - found.second - found.upper);
    let sums1 = unpair(found.second);
    let sums2 = unpair(found.upper - found.fourth);
    let sums3 = unpair(found.fourth);
    let counts = vec4(sums0.w, sums1.w, sums2.w, sums3.w);
    return Assigned(whole(found.total), Clusters(counts, sums0.xyz, sums1.xyz, sums2.xyz, sums3.xyz));
}
