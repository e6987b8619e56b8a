// Endpoints by regression from several starts (`FitParts` of fit.rs). One thread per part of a candidate.
// needs: params.wgsl, ../numbers.wgsl, ../power_scale.wgsl, part.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<u32>;
@group(0) @binding(2) var<storage, read> texels: array<u32>;
@group(0) @binding(3) var<storage, read> infos: array<u32>;
@group(0) @binding(4) var<storage, read> choices: array<u32>;
@group(0) @binding(5) var<storage, read_write> fits: array<u32>;

fn moments_of(coding: Coding, part: Part, ends: Ends) -> Moments {
    let line = line_of(coding, part, ends);
    var moments = Moments(0.0, 0.0, 0.0, vec4(0.0));
    for (var t = 0u; t < part.count; t++) {
        let values = channels_of(part, t);
        let x = arranged(part, values);
        let weight = weight_of(coding, index_of(coding, line, x));
        moments.error += texel_error(part, line, values, weight);
        moments.weight += weight;
        moments.square += weight * weight;
        moments.products += weight * x;
    }
    return moments;
}

fn regression(part: Part, moments: Moments, otherwise: Ends) -> Ends {
    let n = f32(part.count);
    let w = moments.weight;
    let determinant = n * moments.square - w * w;
    if determinant < 1.0 {
        return otherwise;
    }
    let inverse = reciprocal(determinant) * 16.0;
    let one_of_n = reciprocal(max(n, 1.0));
    let numerators = n * moments.products - w * part.sum;
    var ends = otherwise;
    for (var c = 0u; c < 4u; c++) {
        let slope = keep(numerators[c] * inverse);
        let a = round(keep(part.sum[c] * 16.0 - round(keep(w * slope))) * one_of_n);
        let b = a + round(slope * 64.0);
        ends.a[c] = clamp(a, 0.0, 4080.0);
        ends.b[c] = clamp(b, 0.0, 4080.0);
    }
    return ends;
}

fn greatest_of(v: vec4<f32>) -> f32 {
    return max(max(v.x, v.y), max(v.z, v.w));
}

// Returns the extent of the texels along their principal axis, in 16ths.
fn extent(part: Part) -> Ends {
    let n = f32(part.count);
    var matrix = mat4x4<f32>();
    for (var t = 0u; t < part.count; t++) {
        let x = texel(part, t);
        matrix += mat4x4<f32>(x * x.x, x * x.y, x * x.z, x * x.w);
    }
    let s = part.sum;
    matrix = matrix * n - mat4x4<f32>(s * s.x, s * s.y, s * s.z, s * s.w);
    let variances = vec4(matrix[0].x, matrix[1].y, matrix[2].z, matrix[3].w);
    let scale = power_scale(max(1.0, greatest_of(variances)), 10u);
    for (var c = 0u; c < 4u; c++) {
        matrix[c] = round(matrix[c] * scale);
    }
    var axis = matrix[0];
    var variance = matrix[0].x;
    if variance < matrix[1].y {
        axis = matrix[1];
        variance = matrix[1].y;
    }
    if variance < matrix[2].z {
        axis = matrix[2];
        variance = matrix[2].z;
    }
    if variance < matrix[3].w {
        axis = matrix[3];
    }
    for (var step = 0u; step < AXIS_STEPS; step++) {
        let next =
            vec4(dot(axis, matrix[0]), dot(axis, matrix[1]), dot(axis, matrix[2]), dot(axis, matrix[3]));
        axis = round(next * power_scale(max(1.0, greatest_of(abs(next))), 10u));
    }
    let mean = round(s * reciprocal(max(n, 1.0)));
    var low = 16777216.0;
    var high = -16777216.0;
    for (var t = 0u; t < part.count; t++) {
        let along = dot(texel(part, t), axis);
        low = min(low, along);
        high = max(high, along);
    }
    if part.count == 0u {
        low = 0.0;
        high = 0.0;
    }
    let middle = dot(mean, axis);
    let inverse = keep(reciprocal(max(dot(axis, axis), 1.0)) * 16384.0);
    low = round((low - middle) * inverse);
    high = round((high - middle) * inverse);
    return Ends(
        clamp(round(low * axis * (1.0 / 1024.0)) + mean * 16.0, vec4(0.0), vec4(4080.0)),
        clamp(round(high * axis * (1.0 / 1024.0)) + mean * 16.0, vec4(0.0), vec4(4080.0)),
    );
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let at = (group.y * groups.x + group.x) * 64u + thread;
    let per_block = params.slots * params.parts;
    let block = params.first_block + at / per_block;
    if block >= params.end_block {
        return;
    }
    let slot = params.first_slot + (at % per_block) / params.parts;
    let number = at % params.parts;
    let choice = choices[block * params.all_slots + slot];
    let mode = choice & 255u;
    if choice == NONE || number >= select(subset_count(mode), 2u, mode == 4u || mode == 5u) {
        return;
    }
    let info = infos[block];
    let coding = coding_of(kind_of(choice, number, info));
    let part = part_of(block, choice, number, info, coding);
    let whole = extent(part);
    var best = Best(16777216.0, whole);
    for (var start = 0u; start < params.starts; start++) {
        let skipped = coding.starts + 3u * start;
        if tables[skipped] == 0u {
            continue;
        }
        let step = whole.b - whole.a;
        var ends = Ends(
            clamp(whole.a - round(step * table(skipped + 1u)), vec4(0.0), vec4(4080.0)),
            clamp(whole.b + round(step * table(skipped + 2u)), vec4(0.0), vec4(4080.0)),
        );
        for (var turn = 0u; turn <= params.rounds; turn++) {
            let codes = quantized(coding, part, ends);
            if turn == params.rounds {
                offer(&best, error_of(coding, part, codes), codes);
            } else {
                let moments = moments_of(coding, part, codes);
                offer(&best, moments.error, codes);
                ends = regression(part, moments, ends);
            }
        }
        if params.try_p_bits != 0u && (coding.p_bits == 1u || coding.p_bits == 2u) {
            for (var p = 0u; p < 4u; p++) {
                let bits = vec2(f32(p >> 1u), f32(p & 1u));
                if coding.p_bits == 1u || bits.x == bits.y {
                    let codes = codes_of(coding, ends, bits);
                    offer(&best, error_of(coding, part, codes), codes);
                }
            }
        }
    }
    let to = 3u * (3u * (block * params.all_slots + slot) + number);
    fits[to] = u32(best.error);
    fits[to + 1u] = pack_codes(best.ends.a, part.mask);
    fits[to + 2u] = pack_codes(best.ends.b, part.mask);
}
