// First stage of cluster fit (order.wgsl) with several threads per ordering and block. Sums over the texels
// are reduced and ranks are found in parallel. The results are those of the stage with one thread.
//
// group_shared.wgsl or group_subgroup.wgsl passes the values of a block's first 16 threads to all its
// threads. All threads call both functions at once, with `buffer` alternating between 0 and 1:
//   fn sums(buffer: u32, a: vec4<i32>, b: vec4<i32>) -> array<vec4<i32>, 2>
//   fn least(buffer: u32, a: vec4<i32>, b: vec4<i32>) -> array<vec4<i32>, 2>
// needs: group.wgsl, group_assign.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
@group(0) @binding(2) var<storage, read> texels: array<u32>;
@group(0) @binding(3) var<storage, read_write> sorted: array<u32>;
@group(0) @binding(4) var<storage, read_write> ranged: array<vec2<u32>>;

var<workgroup> keys: array<i32, 16 * BLOCKS>;

struct Counted {
    count: f32,
    sum: vec3<f32>,
    by: Normalizer,
}

fn count_texels(out: u32) -> Counted {
    let t = lane & 15u;
    let x = texel(t);
    let counts = !has_texel(out, t);
    let sum = vec4<f32>(sums(0u, select(vec4(0), vec4(vec3<i32>(x), 1), counts), vec4(0))[0]);
    let low_x = vec4(vec3<i32>(select(vec3(CENTER), x, counts)), 0);
    let high_x = vec4(vec3<i32>(select(vec3(CENTER), -x, counts)), 0);
    let bounds = least(1u, low_x, high_x);
    let by = normalizer(sum.w, sum.xyz, vec3<f32>(bounds[0].xyz), -vec3<f32>(bounds[1].xyz));
    return Counted(sum.w, sum.xyz, by);
}

// Returns the texels darker than `parts` of the mean. Each thread examines all texels: few images need this.
fn dark_texels(out: u32, parts: f32) -> u32 {
    var count = 0.0;
    var total = 0.0;
    for (var t = 0u; t < 16u; t++) {
        let value = texel(t);
        let counts = !has_texel(out, t);
        count += select(0.0, 1.0, counts);
        total += select(0.0, value.x + value.y + value.z + 3.0 * CENTER, counts);
    }
    var dark = 0u;
    for (var t = 0u; t < 16u; t++) {
        let value = texel(t);
        let sum = value.x + value.y + value.z + 3.0 * CENTER;
        if sum * count < total * parts && !has_texel(out, t) {
            dark |= 1u << t;
        }
    }
    return dark;
}

// Returns cost and endpoints of the range fit (order.wgsl) of a block whose texels all count.
fn range_fit(all: Counted, axis: vec3<f32>) -> vec2<u32> {
    let x = texel(lane & 15u);
    let projection = dot(normalized(all.by, x), axis);
    let bounds = least(1u, vec4(i32(projection), -i32(projection), 0, 0), vec4(0))[0];
    let low = f32(bounds.x);
    let high = -f32(bounds.y);
    var borders = vec3(low * 5.0 + high, (low + high) * 3.0, high * 5.0 + low);
    var position = 6.0 * projection;
    var ends = mean(all.sum, 16.0);
    for (var round = 0u; round < 2u; round++) {
        if round == 1u {
            let colors = palette(FOUR, ends);
            let line = shorten((colors[1] - colors[0]) * params.rule.weight.xyz);
            let ends_along = vec2(dot(line, colors[0]), dot(line, colors[1]));
            let along = vec4(ends_along, dot(line, colors[2]), dot(line, colors[3]));
            borders = along.xzw + along.zwy;
            position = 2.0 * dot(line, x);
        }
        let steps = select(vec3(0.0), vec3(1.0), borders < vec3(position));
        let one = vec4(1.0 - steps.x, steps.z, steps.x - steps.y, steps.y - steps.z);
        let outer = sums(0u, vec4<i32>(one.x * vec4(x, 1.0)), vec4<i32>(one.y * vec4(x, 1.0)));
        let inner = sums(1u, vec4<i32>(one.z * vec4(x, 1.0)), vec4<i32>(one.w * vec4(x, 1.0)));
        let of_0 = vec4<f32>(outer[0]);
        let of_1 = vec4<f32>(outer[1]);
        let of_2 = vec4<f32>(inner[0]);
        let of_3 = vec4<f32>(inner[1]);
        let found = Clusters(vec4(of_0.w, of_1.w, of_2.w, of_3.w), of_0.xyz, of_1.xyz, of_2.xyz, of_3.xyz);
        ends = fit(FOUR, round == 1u, found, ends);
    }
    let cost = cost_of_texel(planes(palette(FOUR, ends)), lane & 15u, 0u);
    return vec2(bitcast<u32>(sums(0u, vec4(cost, 0, 0, 0), vec4(0))[0].x), pack_ends(ends));
}

fn order_block(group: u32, thread: u32) {
    take_place(thread);
    // Threads without a task participate, because all must reach the barriers, but write nothing.
    let task = group * BLOCKS + slot;
    let block = task % params.blocks;
    let ordering = task / params.blocks;
    load_texels(block);
    workgroupBarrier();
    let kinds = classes();
    let is_open = ordering < params.orderings && !kinds.done;
    let range_only = params.range_only != 0u && kinds.out == 0u;
    var out = kinds.out;
    var is_wanted = is_open && !range_only;
    if ordering > 0u {
        let dark = dark_texels(out, select(0.125, 0.5, ordering == 1u));
        is_wanted = is_wanted && dark != 0u && !kinds.transparent;
        out |= dark;
    }
    let all = count_texels(out);
    let y = select(normalized(all.by, texel(lane & 15u)), vec3(0.0), has_texel(out, lane & 15u));
    let products = sums(0u, vec4(vec3<i32>(y * y), 0), vec4(vec3<i32>(y.xxy * y.yzz), 0));
    let matrix = shortened(Covariance(vec3<f32>(products[0].xyz), vec3<f32>(products[1].xyz)));
    var axis = first_axis(matrix);
    var range_axis = axis;
    for (var step = 0u; step < AXIS_STEPS; step++) {
        range_axis = select(range_axis, axis, step == RANGE_AXIS_STEPS);
        axis = next_axis(matrix, axis);
    }
    let found = range_fit(all, range_axis);
    if is_open && ordering == 0u && kinds.out == 0u && lane == 0u {
        ranged[block] = found;
    }

    // Brute force: a texel's rank is the number of keys below its own.
    if lane < 16u {
        let projection = dot(normalized(all.by, texel(lane)), axis);
        let left_out = has_texel(out, lane);
        keys[16u * slot + lane] = select(i32(projection) << 4u, 2147483631, left_out) + i32(lane);
    }
    workgroupBarrier();
    if lane < 16u && ordering < params.orderings {
        var rank = 0u;
        for (var other = 0u; other < 16u; other++) {
            rank += select(0u, 1u, keys[16u * slot + other] < keys[16u * slot + lane]);
        }
        let count = select(0u, u32(all.count) << 24u, rank == 0u && is_wanted);
        sorted[16u * task + rank] = (packed[16u * slot + lane] & 0xffffffu) | count;
    }
}
