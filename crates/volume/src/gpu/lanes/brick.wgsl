// A brick of 4×4×4 voxels decoded by 32 lanes: docs/volume-format.md, section 5. The twin of
// src/brick/decode.rs.
//
// A lane has voxels `lane` and `lane + 32`. The kernel has one of the ballots and one of the `same`.
// needs: ../format/bits.wgsl, ../format/sets.wgsl, ../format/box.wgsl, ../format/header.wgsl, staged.wgsl
// needs: planes.wgsl, planes_of_lanes.wgsl, values.wgsl, undo.wgsl

// The lane's two values, 0..=range, of the brick of this range whose bytes start at byte `start` of the
// payload: voxels `lane` and `lane + 32`, x fastest, without the brick's minimum. `inside` has the number of
// its voxels along each axis in the volume; the values of others are unspecified. All lanes call it together,
// with the same start, range and box. It may be called again at once.
fn decode_brick(lane: u32, start: u32, range: u32, inside: vec3u) -> vec2u {
    var header = Header();
    var codes = vec2u(0u);
    let voxels_inside = box_of(inside);
    let code_count = count(voxels_inside);
    let first_word = start >> 2u;
    // The staged words of the previous brick may still be read.
    workgroupBarrier();
    if lane == 0u {
        steps_end = 1u;
    }
    // A brick of one value has no bytes. The header is within the first words, and contains their number.
    if range > 0u {
        stage(lane, first_word, 0u, LANES);
    }
    workgroupBarrier();
    if range > 0u {
        header = read_header((start & 3u) * 8u, range, code_count);
        stage(lane, first_word, LANES, most_words(header));
    }
    workgroupBarrier();
    if same(lane, range) > 0u {
        codes = read_codes(lane, header, voxels_inside, code_count);
    }
    let decoded = undo_all(lane, header.predictor, codes, header.largest);
    return vec2u(look_up(header, range, decoded.x), look_up(header, range, decoded.y));
}

// Words that the brick takes at most, and two for reads that go past its end.
fn most_words(header: Header) -> u32 {
    // For each code: bits in the planes, of which a half step has one more, and a remainder.
    let most_k = split(header.base + (1u << header.delta_bits) - 1u).x;
    // The first value's upper bits, and the rest of a byte.
    return ((header.end + 32u + 7u + VOXELS * (most_ones(header) + 2u + most_k)) >> 5u) + 3u;
}

// The codes of the lane's two voxels. That of the brick's first voxel is its value.
fn read_codes(lane: u32, header: Header, voxels_inside: vec2u, code_count: u32) -> vec2u {
    // Where in the order of codes the lane's voxels are.
    let is_sorted = header.predictor == SORTED;
    let places = vec2u(
        place_of(voxels_inside, lane, is_sorted),
        place_of(voxels_inside, lane + LANES, is_sorted),
    );
    let levels = read_levels(header, 0u, code_count);

    // Reads the upper bits of the first value; its lower bits are in the place of a remainder.
    let first_bits = width(header.largest);
    let first_high_bits = first_bits - min(first_bits, first_k(levels));
    let first_high = bits(header.end, first_high_bits);

    begin_planes(lane, places);
    let planes_end = read_planes(header, levels, header.end + first_high_bits);

    // Remainders start with a whole byte; each group has eight of its k bits.
    let remainders = (planes_end + 7u) & 0xfffffff8u;
    let low = low_bits(levels, places.x);
    let other_low = low_bits(levels, places.y);
    let k = vec2u(low.k, other_low.k);
    let starts = remainders + vec2u(low.k_before, other_low.k_before) * 8u + (places & vec2u(7u)) * k;
    let remainder = vec2u(bits(starts.x, k.x), bits(starts.y, k.y));
    var codes = (own_ones << k) | remainder;
    if lane == 0u {
        codes.x = remainder.x | (first_high << first_k(levels));
    }
    return codes;
}
