// The cost of endpoints, and the clusters they make (assign.rs), of a block's texels. Needs nearest.wgsl,
// clusters.wgsl, total.wgsl, and `texels`, rows of four with red in the lowest byte and the class in the
// highest.
//
// Of each texel it is counted what the other entries cost less than the first one, whose cost is linear in
// the texels' sum. Sums of channels come in pairs, a + 4096 b, where a has 12 bits with its sign: all are
// integers below 2^24.
//
// Nothing here is a loop: this keeps the texels in registers, and does not count towards the 65,535 loop
// iterations after which lavapipe stops a thread.

// Whether texels may be left out.
override MASKED = true;

var<private> packed: array<u32, 16>;

// Texels that are left out, a bit each, and whether any is transparent.
var<private> out: u32;
var<private> transparent: bool;

// Sums of the others: red with blue, green with how many there are.
var<private> totals: vec2<f32>;

fn pairs_of(x: vec3<f32>) -> vec2<f32> {
    return vec2(x.x + 4096.0 * x.z, x.y + 4096.0);
}

// Both sums of each pair.
fn unpair(sums: vec2<f32>) -> vec4<f32> {
    let upper = floor((sums + vec2(2048.0)) * (1.0 / 4096.0));
    return vec4(sums - 4096.0 * upper, upper);
}

fn is_out(t: u32) -> bool {
    return MASKED && extractBits(out, t, 1u) != 0u;
}

// Takes a row of the block's texels, and adds those that count to `sums`: red and blue, green and how many.
fn take_row(row: u32, words: vec4<u32>, sums: ptr<function, vec2<u32>>) {
    let first = 4u * row;
    packed[first] = words.x;
    packed[first + 1u] = words.y;
    packed[first + 2u] = words.z;
    packed[first + 3u] = words.w;
    let kinds = words >> vec4(24u);
    let are_out = kinds != vec4(CLASS_OPAQUE);
    transparent = transparent || any(kinds == vec4(CLASS_TRANSPARENT));
    let bits = select(vec4(0u), vec4(1u, 2u, 4u, 8u), are_out);
    out |= (bits.x | bits.y | bits.z | bits.w) << first;
    let red_blue = select(words & vec4(0xff00ffu), vec4(0u), are_out);
    let green_count = select(((words >> vec4(8u)) & vec4(0xffu)) | vec4(0x10000u), vec4(0u), are_out);
    *sums += vec2(red_blue.x + red_blue.y, green_count.x + green_count.y);
    *sums += vec2(red_blue.z + red_blue.w, green_count.z + green_count.w);
}

// Takes the block whose first row is there. (The sums are taken of integers: floats of the same texels would
// be kept in registers.)
fn take_block(at: u32) {
    var sums = vec2(0u);
    take_row(0u, texels[at], &sums);
    take_row(1u, texels[at + 1u], &sums);
    take_row(2u, texels[at + 2u], &sums);
    take_row(3u, texels[at + 3u], &sums);
    let count = f32(sums.y >> 16u);
    let red_green = vec2<f32>(sums & vec2(0xffffu)) - vec2(count * CENTER);
    totals = red_green + 4096.0 * vec2(f32(sums.x >> 16u) - count * CENTER, count);
}

// What the other entries cost more than the first.
struct Differences {
    slope1: vec3<f32>,
    slope2: vec3<f32>,
    slope3: vec3<f32>,
    constant: vec3<f32>,
}

fn differences(p: Planes) -> Differences {
    let constant = p.constant.yzw - vec3(p.constant.x);
    return Differences(p.slope1 - p.slope0, p.slope2 - p.slope0, p.slope3 - p.slope0, constant);
}

fn along(x: vec3<f32>, slope: vec3<f32>, constant: f32) -> f32 {
    return ((constant + x.x * slope.x) + x.y * slope.y) + x.z * slope.z;
}

// The second, third and fourth entry's difference; 0 of texels that are left out.
fn differences_of(d: Differences, x: vec3<f32>, t: u32) -> vec3<f32> {
    let all = vec3(
        along(x, d.slope1, d.constant.x),
        along(x, d.slope2, d.constant.y),
        along(x, d.slope3, d.constant.z),
    );
    return select(all, vec3(0.0), is_out(t));
}

// The cost of all texels with the first entry.
fn cost_of_first(p: Planes) -> i32 {
    let sums = vec4<i32>(unpair(totals));
    let slope = vec3<i32>(p.slope0);
    return sums.w * i32(p.constant.x) + sums.x * slope.x + (sums.y * slope.y + sums.z * slope.z);
}

fn least_of(more: vec3<f32>) -> f32 {
    return min(min(more.y, more.z), min(more.x, 0.0));
}

fn least_of_texel(d: Differences, t: u32) -> f32 {
    return least_of(differences_of(d, centered(packed[t]), t));
}

fn with_four(before: Total, d: Differences, t: u32) -> Total {
    var total = before;
    total = with_cost(total, least_of_texel(d, t));
    total = with_cost(total, least_of_texel(d, t + 1u));
    total = with_cost(total, least_of_texel(d, t + 2u));
    return with_cost(total, least_of_texel(d, t + 3u));
}

// The cost of endpoints when every texel takes its nearest colour.
fn cost_of(mode: u32, ends: Endpoints) -> i32 {
    let p = planes(palette(mode, ends));
    let d = differences(p);
    var total = Total(0.0, cost_of_first(p));
    total = with_four(total, d, 0u);
    total = with_four(total, d, 4u);
    total = with_four(total, d, 8u);
    total = with_four(total, d, 12u);
    return whole(total);
}

struct Assigned {
    cost: i32,
    clusters: Clusters,
}

// What the texels cost less, and the sums of those that take the second, third and fourth entry.
struct Adding {
    total: Total,
    of1: vec2<f32>,
    of2: vec2<f32>,
    of3: vec2<f32>,
}

fn assign_texel(found: ptr<function, Adding>, d: Differences, t: u32) {
    let x = centered(packed[t]);
    let more = differences_of(d, x, t);
    // (`&` and not `&&`, which would be branches.)
    let is_upper = min(more.y, more.z) < min(more.x, 0.0);
    let is_fourth = more.z < more.y;
    let pairs = pairs_of(x);
    (*found).total = with_cost((*found).total, least_of(more));
    (*found).of1 += select(0.0, 1.0, !is_upper & (more.x < 0.0)) * pairs;
    (*found).of2 += select(0.0, 1.0, is_upper & !is_fourth) * pairs;
    (*found).of3 += select(0.0, 1.0, is_upper & is_fourth) * pairs;
}

fn assign_four(found: ptr<function, Adding>, d: Differences, t: u32) {
    assign_texel(found, d, t);
    assign_texel(found, d, t + 1u);
    assign_texel(found, d, t + 2u);
    assign_texel(found, d, t + 3u);
}

// The same, with the clusters.
fn assign(mode: u32, ends: Endpoints) -> Assigned {
    let p = planes(palette(mode, ends));
    let d = differences(p);
    var found = Adding(Total(0.0, cost_of_first(p)), vec2(0.0), vec2(0.0), vec2(0.0));
    assign_four(&found, d, 0u);
    assign_four(&found, d, 4u);
    assign_four(&found, d, 8u);
    assign_four(&found, d, 12u);
    let sums0 = unpair(totals - found.of1 - found.of2 - found.of3);
    let sums1 = unpair(found.of1);
    let sums2 = unpair(found.of2);
    let sums3 = unpair(found.of3);
    let counts = vec4(sums0.w, sums1.w, sums2.w, sums3.w);
    return Assigned(whole(found.total), Clusters(counts, sums0.xyz, sums1.xyz, sums2.xyz, sums3.xyz));
}
