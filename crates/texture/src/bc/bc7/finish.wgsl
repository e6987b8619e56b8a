// Writes the best candidate as a block (`IndexParts` of fit.rs, pack.rs). One thread per block.
// needs: params.wgsl, part.wgsl, slots.wgsl, ../put.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<u32>;
@group(0) @binding(2) var<storage, read> texels: array<u32>;
@group(0) @binding(3) var<storage, read> infos: array<u32>;
@group(0) @binding(4) var<storage, read> choices: array<u32>;
@group(0) @binding(5) var<storage, read> fits: array<u32>;
@group(0) @binding(6) var<storage, read_write> errors: array<i32>;
@group(0) @binding(7) var<storage, read_write> blocks: array<u32>;

// Endpoints in the order of their indices; and the indices, four bits each at the texel's position.
struct Packed {
    error: f32,
    a: u32,
    b: u32,
    indices: vec2<u32>,
}

fn indexed(part: Part, coding: Coding, a: u32, b: u32) -> Packed {
    let ends = Ends(unpack_codes(a), unpack_codes(b));
    let line = line_of(coding, part, ends);
    var packed = Packed(0.0, a, b, vec2(0u));
    var exchanged = false;
    for (var t = 0u; t < part.count; t++) {
        let values = channels_of(part, t);
        let guess = index_of(coding, line, arranged(part, values));
        var index = guess;
        var least = texel_error(part, line, values, weight_of(coding, guess));
        if params.exact != 0u {
            for (var side = 0u; side < 2u; side++) {
                let other = clamp(guess + select(1.0, -1.0, side == 0u), 0.0, coding.last_index);
                let error = texel_error(part, line, values, weight_of(coding, other));
                index = select(index, other, error < least);
                least = min(least, error);
            }
        }
        packed.error += least;
        if t == 0u {
            exchanged = index > coding.last_index * 0.5;
        }
        let place = place_of(part, t);
        let nibble = u32(select(index, coding.last_index - index, exchanged)) << (4u * (place & 7u));
        packed.indices |= select(vec2(nibble, 0u), vec2(0u, nibble), place >= 8u);
    }
    if exchanged {
        packed.a = b;
        packed.b = a;
    }
    return packed;
}

fn index_at(indices: vec2<u32>, t: u32) -> u32 {
    return (select(indices.x, indices.y, t >= 8u) >> (4u * (t & 7u))) & 15u;
}

// Writes sixteen indices of `bits` bits each. Those of the anchors lack the highest bit.
fn put_indices(indices: vec2<u32>, bits: u32, anchors: u32) {
    for (var t = 0u; t < 16u; t++) {
        put(index_at(indices, t), bits - ((anchors >> t) & 1u));
    }
}

fn put_single(texel: u32) {
    put(1u << 5u, 8u);
    for (var c = 0u; c < 3u; c++) {
        let ends = tables[SINGLE_COLORS + extractBits(texel, 8u * c, 8u)];
        put(ends & 255u, 7u);
        put(ends >> 8u, 7u);
    }
    put(texel >> 24u, 8u);
    put(texel >> 24u, 8u);
    put_indices(vec2(0x11111111u), 2u, 1u);
    put_indices(vec2(0u), 2u, 1u);
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let block = params.first_block + (group.y * groups.x + group.x) * 64u + thread;
    if block >= params.end_block {
        return;
    }
    words = vec4(0u);
    length = 0u;
    let info = infos[block];
    let to = 4u * (params.first + (block / params.columns) * params.pitch + block % params.columns);
    if (info & IS_SINGLE) != 0u {
        put_single(texels[16u * block]);
        for (var word = 0u; word < 4u; word++) {
            blocks[to + word] = words[word];
        }
        return;
    }
    var least = 0x7fffffff;
    var slot = 0u;
    for (var other = 0u; other < params.all_slots; other++) {
        let error = error_of_slot(block, other);
        if error < least {
            least = error;
            slot = other;
        }
    }
    let at = block * params.all_slots + slot;
    let choice = choices[at];
    let mode = choice & 255u;
    let shape = (choice >> 8u) & 255u;
    let count = part_count(choice);
    var parts = array<Packed, 3>();
    var error = 0;
    var anchors = 0u;
    for (var number = 0u; number < count; number++) {
        let coding = coding_of(kind_of(choice, number, info));
        let part = part_of(block, choice, number, info, coding);
        let fit = 9u * at + 3u * number;
        let packed = indexed(part, coding, fits[fit + 1u], fits[fit + 2u]);
        error += i32(packed.error);
        if number == 0u {
            parts[0] = packed;
        } else if number == 1u {
            parts[1] = packed;
        } else {
            parts[2] = packed;
        }
    }
    let fields = tables[LAYOUTS + mode];
    let color_bits = fields & 15u;
    let alpha_bits = (fields >> 4u) & 15u;
    let p_bits = (fields >> 8u) & 3u;
    let index_bits = (fields >> 12u) & 15u;
    put(1u << mode, mode + 1u);
    put(shape, (fields >> 16u) & 15u);
    if mode == 4u || mode == 5u {
        let exchanged = choice >> 24u;
        put((choice >> 16u) & 255u, 2u);
        put(exchanged, (fields >> 20u) & 1u);
        for (var c = 0u; c < 3u; c++) {
            put(extractBits(parts[0].a, 8u * c, 8u), color_bits);
            put(extractBits(parts[0].b, 8u * c, 8u), color_bits);
        }
        put(parts[1].a & 255u, alpha_bits);
        put(parts[1].b & 255u, alpha_bits);
        put_indices(select(parts[0].indices, parts[1].indices, exchanged != 0u), index_bits, 1u);
        let second_bits = fields >> 24u;
        put_indices(select(parts[1].indices, parts[0].indices, exchanged != 0u), second_bits, 1u);
    } else {
        if mode == 6u && (info & HAS_ALPHA) == 0u {
            parts[0].a |= 0xff000000u;
            parts[0].b |= 0xff000000u;
        }
        let shift = min(p_bits, 1u);
        for (var c = 0u; c < select(3u, 4u, alpha_bits > 0u); c++) {
            for (var number = 0u; number < count; number++) {
                let part = select_part(parts[0], parts[1], parts[2], number);
                put(extractBits(part.x, 8u * c, 8u) >> shift, color_bits);
                put(extractBits(part.y, 8u * c, 8u) >> shift, color_bits);
            }
        }
        var indices = vec2(0u);
        for (var number = 0u; number < count; number++) {
            let part = select_part(parts[0], parts[1], parts[2], number);
            if p_bits > 0u {
                put(part.x & 1u, 1u);
            }
            if p_bits == 1u {
                put(part.y & 1u, 1u);
            }
            indices |= part.zw;
            anchors |= 1u << (subset_of(mode, shape, number) >> 16u);
        }
        put_indices(indices, index_bits, anchors);
    }
    if params.is_second != 0u && errors[block] <= error {
        return;
    }
    errors[block] = error;
    for (var word = 0u; word < 4u; word++) {
        blocks[to + word] = words[word];
    }
}

fn select_part(first: Packed, second: Packed, third: Packed, number: u32) -> vec4<u32> {
    if number == 0u {
        return vec4(first.a, first.b, first.indices);
    }
    if number == 1u {
        return vec4(second.a, second.b, second.indices);
    }
    return vec4(third.a, third.b, third.indices);
}
