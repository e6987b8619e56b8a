// Proposes the other candidates of each block (estimate.rs, encode.rs). One workgroup per block, one thread
// per partition.
// needs: params.wgsl, ../numbers.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<u32>;
@group(0) @binding(2) var<storage, read> texels: array<u32>;
@group(0) @binding(3) var<storage, read> infos: array<u32>;
@group(0) @binding(4) var<storage, read> fits: array<u32>;
@group(0) @binding(5) var<storage, read_write> choices: array<u32>;

// Channels of the texels, rotated.
var<workgroup> turned: array<vec4<f32>, 16>;
// Keys of partitions in modes 0, 1 (or 7), 2 and 3.
var<workgroup> keys: array<vec4<i32>, 64>;

const NO_KEY = 0x7fffffff;

struct Sums {
    sum: vec4<f32>,
    squares: vec4<f32>,
    // First times second, third, fourth.
    first: vec3<f32>,
    // Second times third and fourth, third times fourth.
    others: vec3<f32>,
}

fn sums_of(subset: u32) -> Sums {
    var sums = Sums(vec4(0.0), vec4(0.0), vec3(0.0), vec3(0.0));
    var rest = subset;
    while rest != 0u {
        let x = turned[countTrailingZeros(rest)];
        rest &= rest - 1u;
        sums.sum += x;
        sums.squares += x * x;
        sums.first += x.x * x.yzw;
        sums.others += x.yyz * x.zww;
    }
    return sums;
}

// Returns the residual after a regression, and all of the variance (times 4).
fn spread(sums: Sums, count: u32) -> vec2<f32> {
    let n = f32(count);
    let s = sums.sum;
    let variances = n * sums.squares - s * s;
    let first = n * sums.first - s.x * s.yzw;
    let others = n * sums.others - s.yyz * s.zww;
    let whole = variances.x + variances.y + variances.z + variances.w;
    var largest = variances.x;
    var row = vec4(variances.x, first);
    if largest < variances.y {
        largest = variances.y;
        row = vec4(first.x, variances.y, others.xy);
    }
    if largest < variances.z {
        largest = variances.z;
        row = vec4(first.y, others.x, variances.z, others.z);
    }
    if largest < variances.w {
        largest = variances.w;
        row = vec4(first.z, others.yz, variances.w);
    }
    var squares = keep(row.x * row.x);
    squares = keep(squares + keep(row.y * row.y));
    squares = keep(squares + keep(row.z * row.z));
    squares = keep(squares + keep(row.w * row.w));
    let left = max(keep(whole - keep(squares * reciprocal(max(largest, 1.0)))), 0.0);
    let one_of_n = table(FOUR_OF + count);
    return vec2(keep(left * one_of_n), keep(whole * one_of_n));
}

fn key_of(spread: vec2<f32>, mode: u32, shape: u32) -> i32 {
    let losses = LOSSES + 2u * mode;
    let estimate = keep(spread.x + keep(spread.y * table(losses))) + table(losses + 1u);
    return (i32(estimate) << 8u) | i32(shape);
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = min(params.first_block + group.y * groups.x + group.x, params.end_block - 1u);
    let info = infos[block];
    let has_alpha = (info & HAS_ALPHA) != 0u;
    let at = block * params.all_slots;
    let first_choice = choices[at];
    // The error of the first candidate.
    var error = 0;
    let first_mode = first_choice & 255u;
    for (var part = 0u; part < select(select(1u, 2u, first_mode != 6u), 0u, first_choice == NONE); part++) {
        error += i32(fits[9u * at + 3u * part]);
    }
    let is_two = (info & IS_TWO) != 0u;
    let limit = select(params.limit, 0, is_two);
    let is_wanted = error > limit && first_choice != NONE;
    if thread < 16u {
        let packed = texels[16u * block + thread];
        let x = vec4<f32>((vec4(packed) >> vec4(0u, 8u, 16u, 24u)) & vec4(255u)) - 128.0;
        turned[thread] = vec4(
            round((x.x + x.y + x.z) * TURN_GREY),
            round((x.x - x.z) * TURN_RED),
            round((x.y + x.y - x.x - x.z) * TURN_GREEN),
            select(0.0, x.w, has_alpha),
        );
    }
    workgroupBarrier();
    var found = vec4(NO_KEY);
    if is_wanted {
        let all = sums_of(0xffffu);
        if thread < params.two {
            let subset = tables[TWO_SUBSETS + thread] & 0xffffu;
            let second = sums_of(subset);
            let rest = Sums(
                all.sum - second.sum,
                all.squares - second.squares,
                all.first - second.first,
                all.others - second.others,
            );
            let count = countOneBits(subset);
            let spreads = vec2(spread(second, count) + spread(rest, 16u - count));
            if has_alpha {
                found.y = key_of(spreads, 7u, thread);
            } else {
                found.y = key_of(spreads, 1u, thread);
                found.w = key_of(spreads, 3u, thread);
            }
        }
        if thread < params.three && !has_alpha {
            let subsets = tables[THREE_SUBSETS + thread];
            let of_second = even_bits(subsets);
            let of_third = even_bits(subsets >> 1u);
            let second = sums_of(of_second);
            let third = sums_of(of_third);
            let rest = Sums(
                all.sum - second.sum - third.sum,
                all.squares - second.squares - third.squares,
                all.first - second.first - third.first,
                all.others - second.others - third.others,
            );
            let counts = countOneBits(vec2(of_second, of_third));
            var spreads = spread(rest, 16u - counts.x - counts.y);
            spreads = spreads + spread(second, counts.x);
            spreads = spreads + spread(third, counts.y);
            if thread < 16u {
                found.x = key_of(spreads, 0u, thread);
            }
            found.z = key_of(spreads, 2u, thread);
        }
    }
    keys[thread] = found;
    workgroupBarrier();
    if !is_wanted {
        return;
    }
    // Numbers of more promising partitions: among all, and in mode 1 (or 7) among the first 16 and 32.
    var before = vec4(0u);
    var before_of_first = vec2(0u);
    for (var other = 0u; other < 64u; other++) {
        let is_less = keys[other] < found;
        before += vec4<u32>(is_less);
        before_of_first += vec2<u32>(vec2(is_less.y) & (vec2(other) < vec2(16u, 32u)));
    }
    var tries = params.tries;
    var modes = vec4(0u, 1u, 2u, 3u);
    if has_alpha {
        tries = vec4(0u, params.tries_with_alpha, 0u, 0u);
        modes.y = 7u;
    }
    // Slots of modes 0 and 1 (or 7), of the first partitions, of modes 2 and 3.
    let offset = vec4(1u, 1u + tries.x, 3u + tries.x + tries.y, 3u + tries.x + tries.y + tries.z);
    for (var i = 0u; i < 4u; i++) {
        if found[i] != NO_KEY && before[i] < tries[i] {
            choices[at + offset[i] + before[i]] = choice_of(modes[i], thread, 0u, 0u);
        }
    }
    for (var i = 0u; i < 2u; i++) {
        let of_first = 16u << i;
        if params.two > of_first && thread < of_first && before_of_first[i] == 0u
            && tries.y > 0u && before.y >= tries.y {
            choices[at + offset.y + tries.y + i] = choice_of(modes.y, thread, 0u, 0u);
        }
    }
    if thread == 0u {
        var rotation = select(1u, 0u, has_alpha || is_two);
        var end = 4u;
        if params.separate == 0u || (params.separate < 3u && !has_alpha) {
            end = select(rotation, 1u, has_alpha || is_two);
        }
        var slot = at + offset.w + tries.w;
        let with_four = (params.modes & 16u) != 0u && (has_alpha || params.separate == 3u);
        for (; rotation < end; rotation++) {
            if (params.modes & 32u) != 0u {
                choices[slot] = choice_of(5u, 0u, rotation, 0u);
            }
            if params.separate == 1u && rotation > 0u {
                slot += 1u;
                continue;
            }
            if with_four {
                choices[slot + 1u] = choice_of(4u, 0u, rotation, 0u);
                choices[slot + 2u] = choice_of(4u, 0u, rotation, 1u);
            }
            slot += 3u;
        }
    }
}
