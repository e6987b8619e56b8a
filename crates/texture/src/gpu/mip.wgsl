// Computes 8-bit texels of the next mip level, each the mean of the texels that it covers. One thread per
// texel. The result is the same as in mips/eight_bits.rs, with the same integers. The kernel contains
// source_rgba8.wgsl, and either mip_one_word.wgsl or mip_two_words.wgsl, which define `mean`.
// needs: mip_params.wgsl, transfer.wgsl

// See `table` of mips/transfer.rs.
@group(0) @binding(3) var<storage, read> table: array<u32>;

// Texels of a side that a texel covers: `count` texels and their weights.
struct Taps {
    count: u32,
    weights: vec3<u32>,
}

fn taps(index: u32, side: u32) -> Taps {
    if side == 1u {
        return Taps(1u, vec3(1u, 0u, 0u));
    }
    if (side & 1u) == 0u {
        return Taps(2u, vec3(1u, 1u, 0u));
    }
    let half = side / 2u;
    return Taps(3u, vec3(half - index, half, index + 1u));
}

fn weight(of_taps: Taps, at: u32) -> u32 {
    return select(select(of_taps.weights.z, of_taps.weights.y, at == 1u), of_taps.weights.x, at == 0u);
}

// Light of red, green and blue, each times alpha if colours are weighted by alpha, and alpha. These are below
// 255 · 65536, so below 2^24.
fn summand(position: vec2<u32>, by_alpha: bool) -> vec4<u32> {
    let texel = texel_at(position);
    let light = vec3(table[texel & 255u], table[(texel >> 8u) & 255u], table[(texel >> 16u) & 255u]);
    let alpha = texel >> 24u;
    return vec4(light * select(1u, alpha, by_alpha), alpha);
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let at = (group.y * groups.x + group.x) * 64u + thread;
    if at >= params.size.x * params.size.y {
        return;
    }
    let place = vec2(at % params.size.x, at / params.size.x);
    let columns = taps(params.first.x + place.x, params.side.x);
    let rows = taps(params.first.y + place.y, params.side.y);
    let corner = 2u * place;
    let found = mean(columns, rows, corner);
    let rgb = vec3(value_of(found.x), value_of(found.y), value_of(found.z));
    texels[at] = rgb.x | (rgb.y << 8u) | (rgb.z << 16u) | (found.w << 24u);
}
