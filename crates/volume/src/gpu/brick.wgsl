// A brick of 4×4×4 voxels decoded by the 32 lanes of a workgroup: docs/volume-format.md, section 5. The twin
// of src/brick/decode.rs.
//
// A lane has voxels `lane` and `lane + 32`. Nothing here depends on subgroups: what all lanes must know goes
// through workgroup memory. Needs bits.wgsl, box.wgsl, header.wgsl, planes.wgsl and undo.wgsl.

// Puts the brick of this range whose bytes start at byte `start` of `words` into `values`: 64 numbers of
// 0..=range, x fastest, without the brick's minimum. `inside` are its voxels along each axis that lie in the
// volume; the values of others are unspecified. All lanes call it together with the same start, range and
// box; when it returns, each may read all of `values`, and it may be called again after a barrier.
fn decode_brick(lane: u32, start: u32, range: u32, inside: vec3u) {
    if range == 0u {
        // A brick of one value has no bytes.
        values[lane] = 0u;
        values[lane + LANES] = 0u;
        workgroupBarrier();
        return;
    }
    first_word = start >> 2u;
    let voxels_inside = box_of(inside);
    let code_count = count(voxels_inside);
    let header = read_header((start & 3u) * 8u, range, code_count);
    // Where in the order of codes the lane's voxels are.
    let is_sorted = header.predictor == SORTED;
    let places = vec2u(
        place_of(voxels_inside, morton(lane), is_sorted),
        place_of(voxels_inside, morton(lane + LANES), is_sorted),
    );
    let levels = read_levels(header, places, code_count);

    // The upper bits of the first value, whose lower ones lie where a remainder would.
    let first_bits = width(header.largest);
    let first_high_bits = first_bits - min(first_bits, levels.first_k);
    let first_high = bits(header.end, first_high_bits);

    let quotients = read_quotients(header, levels, lane, places, header.end + first_high_bits);

    // Remainders start with a whole byte; each group has eight of its k bits.
    let remainders = (quotients.end + 7u) & 0xfffffff8u;
    let starts = remainders + levels.k_before * 8u + (places & vec2u(7u)) * levels.k;
    var codes = vec2u(
        (quotients.of_lane.x << levels.k.x) | bits(starts.x, levels.k.x),
        (quotients.of_lane.y << levels.k.y) | bits(starts.y, levels.k.y),
    );
    if lane == 0u {
        codes.x = bits(starts.x, levels.k.x) | (first_high << levels.first_k);
    }

    undo_all(lane, header.predictor, codes, header.largest);
    if header.has_dictionary {
        values[lane] = look_up(header, range, values[lane]);
        values[lane + LANES] = look_up(header, range, values[lane + LANES]);
        workgroupBarrier();
    }
}
