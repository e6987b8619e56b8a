// First stage of cluster fit (bc/order.rs, range_fit.rs): texels in the order of their projections on the
// principal axis. One thread per ordering and block. One ordering has all texels. Where black is wanted, two
// more omit the texels that are darker than 128 or 32 256ths of the mean. The first ordering also finds the
// range fit. With OTHER_AXES, the orderings are those of all texels along other axes.
// needs: params.wgsl, lanes.wgsl, families.wgsl, palette.wgsl, nearest.wgsl, clusters.wgsl, fit.wgsl
// needs: axis.wgsl, other_axes.wgsl, running.wgsl, sort.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
// Four rows per block, of texels with red in the lowest byte and the class in the highest.
@group(0) @binding(2) var<storage, read> texels: array<vec4<u32>>;
// Sixteen per ordering: the sums of the first 1, 2, .., 16 sorted texels (running.wgsl). The state in the
// first is 0 if there is nothing to do.
@group(0) @binding(3) var<storage, read_write> sorted: array<vec4<u32>>;
// Cost and endpoints of the range fit of each block.
@group(0) @binding(4) var<storage, read_write> ranged: array<vec2<u32>>;

// The following functions iterate over the rows in loops that are not unrolled, and read the rows each time.
// Few texels are therefore in registers.

// The block's first row.
var<private> first_row: u32;

// Returns a mask with some of a row's texels.
fn mask_of(are_in: vec4<bool>, row: u32) -> u32 {
    let bits = select(vec4(0u), vec4(1u, 2u, 4u, 8u), are_in);
    return (bits.x | bits.y | bits.z | bits.w) << (4u * row);
}

// Returns true for each texel of a row that is in a mask.
fn is_in(mask: u32, row: u32) -> vec4<bool> {
    return ((vec4(mask >> (4u * row)) >> vec4(0u, 1u, 2u, 3u)) & vec4(1u)) != vec4(0u);
}

struct Counted {
    count: f32,
    sum: vec3<f32>,
    low: vec3<f32>,
    high: vec3<f32>,
}

fn count_texel(found: ptr<function, Counted>, word: u32, counts: bool) {
    let x = centered(word);
    (*found).count += select(0.0, 1.0, counts);
    (*found).sum += select(vec3(0.0), x, counts);
    (*found).low = select((*found).low, min((*found).low, x), counts);
    (*found).high = select((*found).high, max((*found).high, x), counts);
}

// Returns the number of texels outside a mask, their sum and their bounds.
fn count_texels(out: u32) -> Counted {
    var found = Counted(0.0, vec3(0.0), vec3(CENTER), vec3(-CENTER));
    for (var row = 0u; row < params.block_rows; row++) {
        let words = texels[first_row + row];
        let counts = !is_in(out, row);
        count_texel(&found, words.x, counts.x);
        count_texel(&found, words.y, counts.y);
        count_texel(&found, words.z, counts.z);
        count_texel(&found, words.w, counts.w);
    }
    return found;
}

fn add_products(matrix: ptr<function, Covariance>, y: vec3<f32>, counts: bool) {
    (*matrix).square += select(vec3(0.0), y * y, counts);
    (*matrix).mixed += select(vec3(0.0), y.xxy * y.yzz, counts);
}

fn covariance(by: Normalizer, out: u32) -> Covariance {
    var matrix = Covariance(vec3(0.0), vec3(0.0));
    for (var row = 0u; row < params.block_rows; row++) {
        let words = texels[first_row + row];
        let counts = !is_in(out, row);
        add_products(&matrix, normalized(by, centered(words.x)), counts.x);
        add_products(&matrix, normalized(by, centered(words.y)), counts.y);
        add_products(&matrix, normalized(by, centered(words.z)), counts.z);
        add_products(&matrix, normalized(by, centered(words.w)), counts.w);
    }
    return shortened(matrix);
}

// Returns the positions of a row's texels on the axis.
fn projections(by: Normalizer, axis: vec3<f32>, words: vec4<u32>) -> vec4<f32> {
    return vec4(
        dot(normalized(by, centered(words.x)), axis),
        dot(normalized(by, centered(words.y)), axis),
        dot(normalized(by, centered(words.z)), axis),
        dot(normalized(by, centered(words.w)), axis),
    );
}

// Puts a texel into the cluster selected by the cuts that it is past: index 0, 2, 3, 1, starting from the
// first endpoint.
fn put(found: ptr<function, Clusters>, x: vec3<f32>, past: vec3<bool>) {
    let steps = select(vec3(0.0), vec3(1.0), past);
    // True if it is past none, one, two or all. The cuts need not be ascending, so these are sums and
    // differences.
    let one = vec4(1.0 - steps.x, steps.z, steps.x - steps.y, steps.y - steps.z);
    (*found).count += one;
    (*found).sum0 += one.x * x;
    (*found).sum1 += one.y * x;
    (*found).sum2 += one.z * x;
    (*found).sum3 += one.w * x;
}

fn put_four(found: ptr<function, Clusters>, words: vec4<u32>, at: vec4<f32>, borders: vec3<f32>) {
    put(found, centered(words.x), borders < vec3(at.x));
    put(found, centered(words.y), borders < vec3(at.y));
    put(found, centered(words.z), borders < vec3(at.z));
    put(found, centered(words.w), borders < vec3(at.w));
}

// Range fit (range_fit.rs): the thirds' Voronoi cells on the axis, then on the line through the rounded
// endpoints.
fn range_fit(by: Normalizer, sum: vec3<f32>, axis: vec3<f32>) -> Endpoints {
    var lows = vec4(16777216.0);
    var highs = vec4(-16777216.0);
    for (var row = 0u; row < params.block_rows; row++) {
        let at = projections(by, axis, texels[first_row + row]);
        lows = min(lows, at);
        highs = max(highs, at);
    }
    let low = min(min(lows.x, lows.y), min(lows.z, lows.w));
    let high = max(max(highs.x, highs.y), max(highs.z, highs.w));
    var found = no_clusters();
    for (var row = 0u; row < params.block_rows; row++) {
        let words = texels[first_row + row];
        let borders = vec3(low * 5.0 + high, (low + high) * 3.0, high * 5.0 + low);
        put_four(&found, words, 6.0 * projections(by, axis, words), borders);
    }
    let ends = fit(FOUR, false, found, mean(sum, 16.0));

    let colors = palette(FOUR, ends);
    let line = shorten((colors[1] - colors[0]) * params.rule.weight.xyz);
    let along = vec4(dot(line, colors[0]), dot(line, colors[1]), dot(line, colors[2]), dot(line, colors[3]));
    found = no_clusters();
    for (var row = 0u; row < params.block_rows; row++) {
        let words = texels[first_row + row];
        let at = vec4(
            dot(line, centered(words.x)),
            dot(line, centered(words.y)),
            dot(line, centered(words.z)),
            dot(line, centered(words.w)),
        );
        put_four(&found, words, 2.0 * at, along.xzw + along.zwy);
    }
    return fit(FOUR, true, found, ends);
}

// Returns the cost of endpoints of four colours if all texels count.
fn cost_of_range(ends: Endpoints) -> i32 {
    let p = planes(palette(FOUR, ends));
    var cost = 0;
    for (var row = 0u; row < params.block_rows; row++) {
        let words = texels[first_row + row];
        cost += least_cost(p, centered(words.x)) + least_cost(p, centered(words.y))
            + (least_cost(p, centered(words.z)) + least_cost(p, centered(words.w)));
    }
    return cost;
}

// Returns the texels darker than `parts` of the mean.
fn dark_texels(all: Counted, out: u32, parts: f32) -> u32 {
    let total = all.sum.x + all.sum.y + all.sum.z + all.count * (3.0 * CENTER);
    let bound = total * parts;
    var dark = 0u;
    for (var row = 0u; row < params.block_rows; row++) {
        let words = texels[first_row + row];
        let red = words & vec4(255u);
        let green = (words >> vec4(8u)) & vec4(255u);
        let blue = (words >> vec4(16u)) & vec4(255u);
        let is_dark = vec4<f32>(red + green + blue) * all.count < vec4(bound);
        dark |= mask_of(is_dark & !is_in(out, row), row);
    }
    return dark;
}

const LEFT_OUT = 2147483631;

// Returns the sort keys of a row's texels: their projections, with their numbers in the lowest four bits.
// Texels in the mask come last.
fn keys(by: Normalizer, axis: vec3<f32>, out: u32, row: u32) -> vec4<i32> {
    let at = vec4<i32>(projections(by, axis, texels[first_row + row]));
    let numbers = vec4<i32>(vec4(4u * row) + vec4(0u, 1u, 2u, 3u));
    return select(at << vec4(4u), vec4(LEFT_OUT), is_in(out, row)) + numbers;
}

// Adds four sorted texels with these keys to the sums, and writes the sums.
fn put_sorted(sums: ptr<function, Running>, by: Normalizer, in_order: vec4<i32>, at: u32, state: u32) {
    put_texel(sums, by, in_order.x, at, state);
    put_texel(sums, by, in_order.y, at + 1u, state);
    put_texel(sums, by, in_order.z, at + 2u, state);
    put_texel(sums, by, in_order.w, at + 3u, state);
}

fn put_texel(sums: ptr<function, Running>, by: Normalizer, key: i32, at: u32, state: u32) {
    let t = u32(key) & 15u;
    let x = centered(texels[first_row + (t >> 2u)][t & 3u]);
    // Those left out have larger keys.
    let counts = key < LEFT_OUT;
    (*sums).normalized += select(vec3(0.0), normalized(by, x), counts);
    (*sums).centered += select(vec3(0.0), x, counts);
    sorted[at] = packed_sums(*sums, state);
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let task = (group.y * groups.x + group.x) * 64u + thread;
    let block = task % params.blocks;
    let ordering = task / params.blocks;
    if ordering >= params.orderings {
        return;
    }
    first_row = 4u * block;
    sorted[16u * task] = vec4(0u);
    var out = 0u;
    var transparent = false;
    for (var row = 0u; row < params.block_rows; row++) {
        let kinds = texels[first_row + row] >> vec4(24u);
        out |= mask_of(kinds != vec4(CLASS_OPAQUE), row);
        transparent = transparent || any(kinds == vec4(CLASS_TRANSPARENT));
    }
    if (texels[first_row].x >> 24u) == CLASS_DONE {
        return;
    }
    var all = count_texels(out);
    if ordering > 0u && !OTHER_AXES {
        let dark = dark_texels(all, out, select(0.125, 0.5, ordering == 1u));
        if dark == 0u || transparent || (params.range_only != 0u && out == 0u) {
            return;
        }
        out |= dark;
        all = count_texels(out);
    }
    let by = normalizer(all.count, all.sum, all.low, all.high);
    let matrix = covariance(by, out);
    var axis = first_axis(matrix);
    for (var step = 0u; step < AXIS_STEPS; step++) {
        if step == RANGE_AXIS_STEPS && out == 0u && !OTHER_AXES {
            let ends = range_fit(by, all.sum, axis);
            ranged[block] = vec2(bitcast<u32>(cost_of_range(ends)), pack_ends(ends));
            if params.range_only != 0u {
                return;
            }
        }
        axis = next_axis(matrix, axis);
    }
    if OTHER_AXES {
        axis = other_axis(matrix, axis, ordering);
    }
    let in_order = sort(Keys(
        keys(by, axis, out, 0u),
        keys(by, axis, out, 1u),
        keys(by, axis, out, 2u),
        keys(by, axis, out, 3u),
    ));
    let state = u32(all.count) | select(0u, HIDDEN, transparent);
    var sums = Running(vec3(0.0), vec3(0.0));
    put_sorted(&sums, by, in_order.first, 16u * task, state);
    put_sorted(&sums, by, in_order.second, 16u * task + 4u, state);
    put_sorted(&sums, by, in_order.third, 16u * task + 8u, state);
    put_sorted(&sums, by, in_order.fourth, 16u * task + 12u, state);
}
