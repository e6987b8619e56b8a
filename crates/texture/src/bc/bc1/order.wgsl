// The first stage of cluster fit (bc/order.rs, range_fit.rs): texels in the order of their projections on the
// principal axis. One thread per ordering and block: an ordering of all texels, and where black is wanted two
// of the texels that are not darker than 128 or 32 256ths of the mean. The first one also finds the range
// fit.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
// 16 per block, red in the lowest byte, the class in the highest.
@group(0) @binding(2) var<storage, read> texels: array<u32>;
// 16 per ordering: sorted texels. The highest byte of the first is how many there are; 0 if there is nothing
// to do.
@group(0) @binding(3) var<storage, read_write> sorted: array<u32>;
// Cost and endpoints of the range fit of each block.
@group(0) @binding(4) var<storage, read_write> ranged: array<vec2<u32>>;

var<private> packed: array<u32, 16>;

fn texel(t: u32) -> vec3<f32> {
    return centered(packed[t]);
}

struct Counted {
    count: f32,
    sum: vec3<f32>,
    by: Normalizer,
}

// How many texels are outside a mask, their sum, and how they are normalized.
fn count_texels(out: u32) -> Counted {
    var count = 0.0;
    var sum = vec3(0.0);
    var low = vec3(CENTER);
    var high = vec3(-CENTER);
    for (var t = 0u; t < 16u; t++) {
        if extractBits(out, t, 1u) == 0u {
            let x = texel(t);
            count += 1.0;
            sum += x;
            low = min(low, x);
            high = max(high, x);
        }
    }
    return Counted(count, sum, normalizer(count, sum, low, high));
}

fn covariance(by: Normalizer, out: u32) -> Covariance {
    var matrix = Covariance(vec3(0.0), vec3(0.0));
    for (var t = 0u; t < 16u; t++) {
        if extractBits(out, t, 1u) == 0u {
            let y = normalized(by, texel(t));
            matrix.square += y * y;
            matrix.mixed += y.xxy * y.yzz;
        }
    }
    return shortened(matrix);
}

// Puts a texel into the cluster selected by the cuts that it is past: index 0, 2, 3, 1 from the first
// endpoint on.
fn put(found: ptr<function, Clusters>, x: vec3<f32>, past: vec3<bool>) {
    let steps = select(vec3(0.0), vec3(1.0), past);
    // Whether it is past none, one, two or all; the cuts need not be ascending, so these are sums and
    // differences.
    let one = vec4(1.0 - steps.x, steps.z, steps.x - steps.y, steps.y - steps.z);
    (*found).count += one;
    (*found).sum0 += one.x * x;
    (*found).sum1 += one.y * x;
    (*found).sum2 += one.z * x;
    (*found).sum3 += one.w * x;
}

// Range fit (range_fit.rs): the thirds' Voronoi cells on the axis, then on the line through the rounded
// endpoints.
fn range_fit(all: Counted, axis: vec3<f32>) -> Endpoints {
    var low = 16777216.0;
    var high = -16777216.0;
    for (var t = 0u; t < 16u; t++) {
        let projection = dot(normalized(all.by, texel(t)), axis);
        low = min(low, projection);
        high = max(high, projection);
    }
    var found = no_clusters();
    for (var t = 0u; t < 16u; t++) {
        let x = texel(t);
        let at = 6.0 * dot(normalized(all.by, x), axis);
        put(&found, x, vec3(low * 5.0 + high, (low + high) * 3.0, high * 5.0 + low) < vec3(at));
    }
    let ends = fit(FOUR, false, found, mean(all.sum, 16.0));

    let colors = palette(FOUR, ends);
    let line = shorten((colors[1] - colors[0]) * params.rule.weight.xyz);
    let along = vec4(dot(line, colors[0]), dot(line, colors[1]), dot(line, colors[2]), dot(line, colors[3]));
    found = no_clusters();
    for (var t = 0u; t < 16u; t++) {
        let x = texel(t);
        put(&found, x, along.xzw + along.zwy < vec3(2.0 * dot(line, x)));
    }
    return fit(FOUR, true, found, ends);
}

// Those darker than `parts` of the mean.
fn dark_texels(all: Counted, out: u32, parts: f32) -> u32 {
    let total = all.sum.x + all.sum.y + all.sum.z + all.count * (3.0 * CENTER);
    let bound = total * parts;
    var dark = 0u;
    for (var t = 0u; t < 16u; t++) {
        let value = texel(t);
        let sum = value.x + value.y + value.z + 3.0 * CENTER;
        if sum * all.count < bound && extractBits(out, t, 1u) == 0u {
            dark |= 1u << t;
        }
    }
    return dark;
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
    let mine = 16u * task;
    sorted[mine] = 0u;
    var out = 0u;
    var transparent = false;
    for (var t = 0u; t < 16u; t++) {
        packed[t] = texels[16u * block + t];
        let kind = packed[t] >> 24u;
        out |= select(0u, 1u << t, kind != CLASS_OPAQUE);
        transparent = transparent || kind == CLASS_TRANSPARENT;
    }
    if (packed[0] >> 24u) == CLASS_DONE {
        return;
    }
    var all = count_texels(out);
    if ordering > 0u {
        let dark = dark_texels(all, out, select(0.125, 0.5, ordering == 1u));
        if dark == 0u || transparent || (params.range_only != 0u && out == 0u) {
            return;
        }
        out |= dark;
        all = count_texels(out);
    }
    let matrix = covariance(all.by, out);
    var axis = first_axis(matrix);
    for (var step = 0u; step < AXIS_STEPS; step++) {
        if step == RANGE_AXIS_STEPS && out == 0u {
            let ends = range_fit(all, axis);
            ranged[block] = vec2(bitcast<u32>(cost_of(FOUR, ends, 0u)), pack_ends(ends));
            if params.range_only != 0u {
                return;
            }
        }
        axis = next_axis(matrix, axis);
    }
    // Brute force: a texel's rank is the number of keys below its own.
    var keys: array<i32, 16>;
    for (var t = 0u; t < 16u; t++) {
        let projection = dot(normalized(all.by, texel(t)), axis);
        let left_out = extractBits(out, t, 1u) != 0u;
        keys[t] = select(i32(projection) << 4u, 2147483631, left_out) + i32(t);
    }
    for (var t = 0u; t < 16u; t++) {
        var rank = 0u;
        for (var other = 0u; other < 16u; other++) {
            rank += select(0u, 1u, keys[other] < keys[t]);
        }
        let count = select(0u, u32(all.count) << 24u, rank == 0u);
        sorted[mine + rank] = (packed[t] & 0xffffffu) | count;
    }
}
