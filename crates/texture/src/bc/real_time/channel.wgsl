// One channel in real time: channel.rs.
// needs: ../numbers.wgsl, sixteen.wgsl

// Indices of eight places: 0 is index 1, 7 is index 0, any other k is 8 - k.
fn eight_indices(places: u32) -> u32 {
    let ones = 0x249249u;
    let b0 = places & ones;
    let b1 = (places >> 1u) & ones;
    let b2 = (places >> 2u) & ones;
    // -k bit by bit, but indices 0 and 1 change places.
    let n1 = b1 ^ b0;
    let n2 = b2 ^ (b1 | b0);
    let n0 = b0 ^ (ones & ~(n1 | n2));
    return n0 | (n1 << 1u) | (n2 << 2u);
}

fn is_kept(value: f32, end: f32) -> bool {
    return KEEPS_ENDS != 0u && value == end;
}

// Returns the block of the channel that starts at bit `bit`.
fn encode_channel(words: Words, bit: u32) -> vec2<u32> {
    let x = bytes_at(words, bit);
    let low = least(x);
    let high = greatest(x);
    let sum_of_all = sum(x);
    // Errors are those of the nearest codes.
    var codes = x;
    if IS_SIGNED != 0u && LEVEL > 1u {
        codes = Sixteen(
            round(x.a * CODES_PER_BYTE),
            round(x.b * CODES_PER_BYTE),
            round(x.c * CODES_PER_BYTE),
            round(x.d * CODES_PER_BYTE),
        );
    }
    let start = scaled(x, CHANNEL_PARTS, -(low * (CHANNEL_PARTS - 1.0) + high));
    var at = places_of(start, keep(reciprocal(max(high - low, 1.0)) * CHANNEL_FIRST_SCALE), 7.0);
    var best = round(vec2(low, high) * CODES_PER_BYTE);
    var halves = digits_of(at, 8.0);
    var least_error = 0x7fffffff;
    for (var round_of_fit = 0u; round_of_fit < LEVEL; round_of_fit++) {
        let weight = sum(at);
        let square = dot_of(at, at);
        let weighted = dot_of(at, x);
        let determinant = square * 16.0 - weight * weight;
        let scale = keep(reciprocal(max(determinant, 1.0)) * CODES_PER_BYTE);
        let of_a = square * sum_of_all - weight * weighted;
        let of_b = 7.0 * (weighted * 16.0 - weight * sum_of_all) + of_a;
        let a = select(round(clamp(of_a * scale, 0.0, TOP)), 0.0, is_kept(low, 0.0));
        let b = select(round(clamp(of_b * scale, 0.0, TOP)), TOP, is_kept(high, TOP));
        let span = b - a;
        let place_scale = keep(reciprocal(max(span, 1.0)) * PLACES);
        at = places_of(scaled(x, BYTE_UNITS, -(a * CODE_UNITS)), place_scale, 7.0);
        var error = 0;
        if LEVEL > 1u {
            // 49 times the error.
            let from_a = i32(dot_of(codes, codes) + a * (a * 16.0 - 2.0 * sum(codes)));
            let offsets = scaled(codes, 1.0, -a);
            let whole = i32(span);
            error = from_a * 49 + whole * (whole * i32(dot_of(at, at)) - 14 * i32(dot_of(at, offsets)));
        }
        if span > 0.0 && error < least_error {
            best = vec2(a, b);
            halves = digits_of(at, 8.0);
            least_error = error;
        }
    }
    let indices = vec2(eight_indices(u32(halves.x)), eight_indices(u32(halves.y)));
    let ends = vec2<u32>(vec2<i32>(best) - STORED_OFFSET) & vec2(255u);
    return vec2(
        ends.y | (ends.x << 8u) | (indices.x << 16u),
        (indices.x >> 16u) | (indices.y << 8u),
    );
}
