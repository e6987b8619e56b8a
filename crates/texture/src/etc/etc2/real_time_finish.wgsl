// Indices and words of the best encoding: finish.rs and pack.rs. A part of real_time.wgsl.

// Returns the block.
fn finish(found: Found) -> vec2<u32> {
    return big_endian(vec2(head(found), low_word(found)));
}

fn low_word(found: Found) -> u32 {
    if found.mode == PLANAR {
        let right = vec3<u32>(unpacked(found.second));
        let below = vec3<u32>(unpacked(found.third));
        return (right.y << 25u) | (right.z << 19u) | (below.x << 13u) | (below.y << 6u) | below.z;
    }
    let distances = select(FIRST_DISTANCES, LAST_DISTANCES, (found.tables & 4u) != 0u);
    let distance = component(bytes(distances), found.tables & 3u);
    var word = 0u;
    for (var side = 0u; side < 2u; side++) {
        let codes = unpacked(select(found.first, found.second, side == 1u));
        let modifiers = modifiers_of((found.tables >> (8u * side)) & 255u);
        let base = select(five(codes), codes * 17.0, vec3(found.mode == INDIVIDUAL));
        // The four colours: a base colour plus an offset each.
        var bases = base;
        var last_bases = base;
        var offsets = vec4(modifiers, -modifiers);
        if found.mode == T_MODE || found.mode == H_MODE {
            let is_h = found.mode == H_MODE;
            bases = unpacked(found.first) * 17.0;
            last_bases = unpacked(found.second) * 17.0;
            let of_h = vec4(distance, -distance, distance, -distance);
            offsets = select(vec4(0.0, distance, 0.0, -distance), of_h, vec4(is_h));
        }
        let middle = select(last_bases, bases, vec3(found.mode == H_MODE));
        let a = clamp(bases + offsets.x, vec3(0.0), vec3(255.0));
        let b = clamp(middle + offsets.y, vec3(0.0), vec3(255.0));
        let c = clamp(last_bases + offsets.z, vec3(0.0), vec3(255.0));
        let d = clamp(last_bases + offsets.w, vec3(0.0), vec3(255.0));
        for (var i = 0u; i < unknown(8u); i++) {
            let t = half_texel(2u * found.flip + side, i);
            let x = channels(t);
            var index = 0u;
            var least = dot(x - a, x - a);
            var error = dot(x - b, x - b);
            index = select(index, 1u, error < least);
            least = min(least, error);
            error = dot(x - c, x - c);
            index = select(index, 0x10000u, error < least);
            least = min(least, error);
            error = dot(x - d, x - d);
            index = select(index, 0x10001u, error < least);
            if HAS_ALPHA != 0u {
                index = select(index, 0x10000u, ((transparent >> t) & 1u) != 0u);
            }
            word |= index << (4u * (t & 3u) + (t >> 2u));
        }
    }
    return word;
}

// Returns the word of the mode and the codes.
fn head(found: Found) -> u32 {
    let first = vec3<u32>(unpacked(found.first));
    let second = vec3<u32>(unpacked(found.second));
    let tables = vec2(found.tables & 255u, found.tables >> 8u);
    let opaque_bit = select(2u, 0u, is_punched());
    if found.mode == PLANAR {
        let word = (first.x << 25u) | ((first.y >> 6u) << 24u) | ((first.y & 63u) << 17u);
        let blue = ((first.z >> 5u) << 16u) | (((first.z >> 3u) & 3u) << 11u) | ((first.z & 7u) << 7u);
        let right = ((second.x >> 1u) << 2u) | (second.x & 1u);
        return staying(staying(overflowing(word | blue | right, 8u), 24u), 16u) | 2u;
    }
    if found.mode == T_MODE {
        let word = ((first.x >> 2u) << 27u) | ((first.x & 3u) << 24u) | (first.y << 20u) | (first.z << 16u);
        let other = (second.x << 12u) | (second.y << 8u) | (second.z << 4u);
        let distance = ((tables.x >> 1u) << 2u) | (tables.x & 1u);
        return overflowing(word | other | distance, 24u) | opaque_bit;
    }
    if found.mode == H_MODE {
        let word = (first.x << 27u) | ((first.y >> 1u) << 24u) | ((first.y & 1u) << 20u);
        let blue = ((first.z >> 3u) << 19u) | ((first.z & 7u) << 15u);
        let other = (second.x << 11u) | (second.y << 7u) | (second.z << 3u);
        let distance = ((tables.x >> 2u) << 2u) | ((tables.x >> 1u) & 1u);
        return staying(overflowing(word | blue | other | distance, 16u), 24u) | opaque_bit;
    }
    let both = (tables.x << 5u) | (tables.y << 2u) | found.flip;
    if found.mode == INDIVIDUAL {
        let fours = (first << vec3(28u, 20u, 12u)) | (second << vec3(24u, 16u, 8u));
        return fours.x | fours.y | fours.z | both;
    }
    let difference = (second - first) & vec3(7u);
    let fives = (first << vec3(27u, 19u, 11u)) | (difference << vec3(24u, 16u, 8u));
    return fives.x | fives.y | fives.z | both | opaque_bit;
}

// Returns the word with the byte at `shift` completed so that its channel overflows.
fn overflowing(word: u32, shift: u32) -> u32 {
    let sum = ((word >> (shift + 3u)) & 3u) + ((word >> shift) & 3u);
    return word | (select(0xe0u, 4u, sum < 4u) << shift);
}

// Returns the word with bit 7 of the byte at `shift` set so that its channel does not overflow.
fn staying(word: u32, shift: u32) -> u32 {
    return word | (((word >> (shift + 2u)) & 1u) << (shift + 7u));
}
