// A whole brick of 4×4×4 voxels in Morton order without a dictionary and with a range below 65,536, decoded
// by one thread, a slice at a time: docs/volume-format.md, section 5. The twin of src/brick/decode.rs.
//
// Most bricks are of this kind. Others are decoded by one_thread.wgsl. The kernel has `payload(i)`,
// `row_weights(i)` and `put_rows(i, first, second)`, and calls `stage_weights` before a barrier.
// needs: ../format/bits.wgsl, ../format/header.wgsl, ../format/predict.wgsl
// needs: planes_of_thread.wgsl

// Bits of the 64 from the start of a brick. (A header without a dictionary, of a narrow brick, has up to 52
// bits with the first value's upper ones.)
fn header_bits(head: vec2u, position: u32, count: u32) -> u32 {
    let low = position & 31u;
    let joined = (head.x >> low) + head.y * (2u << (~position & 31u));
    return select(joined, head.y >> low, position >= 32u) & ((1u << count) - 1u);
}

// How many ones each of 32 codes has, from their binary digits. Byte `i` of word `c` is that of code 8i + c.
struct Ones {
    first: vec4u,
    last: vec4u,
}

fn ones_of(is_later: bool) -> Ones {
    var low = vec4u(digit_0.x, digit_1.x, digit_2.x, digit_3.x);
    var high = vec4u(digit_4.x, digit_5.x, digit_6.x, 0u);
    if is_later {
        low = vec4u(digit_0.y, digit_1.y, digit_2.y, digit_3.y);
        high = vec4u(digit_4.y, digit_5.y, digit_6.y, 0u);
    }
    // Nibbles, then pairs of bits, then bits are exchanged.
    return Ones(
        exchanged((low & vec4u(0x0f0f0f0fu)) | ((high << vec4u(4u)) & vec4u(0xf0f0f0f0u))),
        exchanged(((low >> vec4u(4u)) & vec4u(0x0f0f0f0fu)) | (high & vec4u(0xf0f0f0f0u))),
    );
}

fn exchanged(rows: vec4u) -> vec4u {
    let even = (rows.xy & vec2u(0x33333333u)) | ((rows.zw << vec2u(2u)) & vec2u(0xccccccccu));
    let odd = ((rows.xy >> vec2u(2u)) & vec2u(0x33333333u)) | (rows.zw & vec2u(0xccccccccu));
    let a = vec2u(even.x, odd.x);
    let b = vec2u(even.y, odd.y);
    let first = (a & vec2u(0x55555555u)) | ((b << vec2u(1u)) & vec2u(0xaaaaaaaau));
    let second = ((a >> vec2u(1u)) & vec2u(0x55555555u)) | (b & vec2u(0xaaaaaaaau));
    return vec4u(first.x, second.x, first.y, second.y);
}

// A value from its code, from the weighted sum of its neighbours and the largest value, plus ROUNDING, and
// from that largest value (section 5.5; as undo_narrow, with fewer operations that only half of a GPU does).
fn value_of(code: u32, sum: u32, largest: u32) -> u32 {
    let prediction = bitcast<i32>(sum) >> 4u;
    let size = bitcast<i32>((code + 1u) >> 1u);
    let sign = 1 - 2 * bitcast<i32>(code & 1u);
    let value = select(bitcast<u32>(sign * size + prediction), code, prediction < size);
    return select(value, largest - code, prediction > bitcast<i32>(largest) - size);
}

// The weights of narrow bricks: four entries per predictor, two for its first slice and two for later ones.
// (A slice reads two entries. In a storage buffer, NAK checks the bounds of each of their words.)
const STAGED_WEIGHTS = 64u;
const_assert STAGED_WEIGHTS <= THREADS;
var<workgroup> staged_weights: array<vec4u, STAGED_WEIGHTS>;

// Copies the weights to workgroup memory. All threads of the workgroup call it before a barrier.
fn stage_weights(thread: u32) {
    if thread < STAGED_WEIGHTS {
        staged_weights[thread] = row_weights(thread);
    }
}

// The weights of a voxel's neighbours, with the largest value's share and ROUNDING.
struct Weights {
    near: vec4u,
    far: vec3u,
    rest: u32,
}

fn weights_of(packed: vec2u, largest: u32) -> Weights {
    let far = bitcast<vec4u>(unpack4xI8(packed.y));
    return Weights(bitcast<vec4u>(unpack4xI8(packed.x)), far.xyz, far.w * largest + ROUNDING);
}

// Rows of values before a row: the last, that of the same y in the slice before, and that before it. One that
// does not exist has weights of 0, and any contents.
struct Nearby {
    north: vec4u,
    up: vec4u,
    up_north: vec4u,
}

// The weighted sum of the neighbours that are known before a row is.
fn sum_of(weights_there: Weights, n: u32, u: u32, nw: u32, uw: u32, un: u32, unw: u32) -> u32 {
    var sum = weights_there.far.z * unw + weights_there.rest;
    sum = weights_there.far.y * un + sum;
    sum = weights_there.far.x * uw + sum;
    sum = weights_there.near.w * nw + sum;
    sum = weights_there.near.z * u + sum;
    return weights_there.near.y * n + sum;
}

fn undo_four(codes: vec4u, edge: Weights, inner: Weights, by: Nearby, largest: u32) -> vec4u {
    let n = by.north;
    let u = by.up;
    let un = by.up_north;
    let edge_sum = edge.far.y * un.x + (edge.near.z * u.x + (edge.near.y * n.x + edge.rest));
    let x = value_of(codes.x, edge_sum, largest);
    let y = value_of(codes.y, inner.near.x * x + sum_of(inner, n.y, u.y, n.x, u.x, un.y, un.x), largest);
    let z = value_of(codes.z, inner.near.x * y + sum_of(inner, n.z, u.z, n.y, u.y, un.z, un.y), largest);
    let w = value_of(codes.w, inner.near.x * z + sum_of(inner, n.w, u.w, n.z, u.z, un.w, un.z), largest);
    return vec4u(x, y, z, w);
}

// The same for the first row of a slice, which has no neighbours along y. The brick's first voxel has its
// value for a code.
fn undo_first(codes: vec4u, is_first: bool, edge: Weights, inner: Weights, up: vec4u, largest: u32) -> vec4u {
    let x = select(value_of(codes.x, edge.near.z * up.x + edge.rest, largest), codes.x, is_first);
    let sums = up.yzw * inner.near.z + up.xyz * inner.far.x + vec3u(inner.rest);
    let y = value_of(codes.y, inner.near.x * x + sums.x, largest);
    let z = value_of(codes.z, inner.near.x * y + sums.y, largest);
    let w = value_of(codes.w, inner.near.x * z + sums.z, largest);
    return vec4u(x, y, z, w);
}

// The codes, or values, of two rows.
struct TwoRows {
    first: vec4u,
    second: vec4u,
}

// The codes of two rows, which are codes 0 to 3 or, with `place` 4, 4 to 7 of two groups. In bytes 0 and 1 of
// the other parameters are those of the groups: how many ones each code has, k, and the sum of k before.
fn codes_of_two(ones: vec4u, k_of_both: u32, before_both: u32, place: u32, remainders: u32) -> TwoRows {
    let k = vec2u(k_of_both & 255u, (k_of_both >> 8u) & 255u);
    let before = vec2u(before_both & 255u, (before_both >> 8u) & 255u);
    let position = before * 8u + place * k + vec2u(remainders);
    let at = (position >> vec2u(5u)) + vec2u(first_word);
    let low = position & vec2u(31u);
    let up = vec2u(2u) << (~position & vec2u(31u));
    let middle = vec2u(payload(at.x + 1u), payload(at.y + 1u));
    let stream = (vec2u(payload(at.x), payload(at.y)) >> low) + middle * up;
    var later = stream >> (2u * k);
    if max(k.x, k.y) > 8u {
        let next = (middle >> low) + vec2u(payload(at.x + 2u), payload(at.y + 2u)) * up;
        later = select(later | (next << (vec2u(32u) - 2u * k)), next, k == vec2u(16u));
    }
    let power = vec2u(1u) << k;
    let below_power = power - vec2u(1u);
    let left = vec4u(stream.x, stream.x >> k.x, later.x, later.x >> k.x) & vec4u(below_power.x);
    let right = vec4u(stream.y, stream.y >> k.y, later.y, later.y >> k.y) & vec4u(below_power.y);
    let left_codes = (ones & vec4u(255u)) * power.x + left;
    let right_codes = ((ones >> vec4u(8u)) & vec4u(255u)) * power.y + right;
    return TwoRows(vec4u(left_codes.xy, right_codes.xy), vec4u(left_codes.zw, right_codes.zw));
}

// Decodes the brick of this range, not 0, whose bytes start at byte `start` of the payload.
fn decode_whole(start: u32, range: u32) {
    first_word = start >> 2u;
    let shift = (start & 3u) * 8u;
    let head = bits_of_64(shift);
    let predictor = head.x & 15u;
    // The least Rice level, and bits of a difference from it.
    let width_of_range = width(range);
    let base_start = 4u + u32(range > 1u);
    let base_bits = width(2u * width_of_range - 1u);
    let base = extractBits(head.x, base_start, base_bits);
    let of_delta = extractBits(head.x, base_start + base_bits, min(base_bits, 2u));
    let deltas = base_start + base_bits + min(base_bits, 2u);
    // Levels of eight groups, in two times four bytes, as in header.wgsl.
    let stored = header_bits(head, deltas, 8u * of_delta);
    let fields = vec2u(stored, stored >> (4u * of_delta));
    let mask = vec2u((1u << of_delta) - 1u);
    var rice_levels = vec2u(base * EACH_BYTE) + (fields & mask);
    rice_levels += ((fields >> vec2u(of_delta)) & mask) << vec2u(8u);
    rice_levels += ((fields >> vec2u(2u * of_delta)) & mask) << vec2u(16u);
    rice_levels += ((fields >> vec2u(3u * of_delta)) & mask) << vec2u(24u);
    let is_coded = ((rice_levels + vec2u(127u * EACH_BYTE)) >> vec2u(7u)) & vec2u(EACH_BYTE);
    let below_one = rice_levels - is_coded;
    let k_of_all = (below_one >> vec2u(1u)) & vec2u(63u * EACH_BYTE);
    let sums = k_of_all * EACH_BYTE;
    let k_before = sums - k_of_all + vec2u(0u, (sums.x >> 24u) * EACH_BYTE);
    var coded = is_coded * 255u;
    coded.x &= 0xfffffffeu;
    let half_step = ((below_one & vec2u(EACH_BYTE)) * 255u) & coded;
    // The upper bits of the first value; its lower bits are in the place of a remainder.
    let first_k = k_of_all.x & 255u;
    let high_bits = width_of_range - min(width_of_range, first_k);
    let levels_end = deltas + 8u * of_delta;
    let first_high = header_bits(head, levels_end, high_bits) << first_k;
    let below = max(base, 1u) - 1u;
    let codes_end = range >> (below >> 1u);
    let cap = min(codes_end - min(codes_end, below & 1u), MAX_ONES);
    // Remainders start with a whole byte; each group has eight of its k bits.
    let remainders = (read_planes(shift + levels_end + high_bits, coded, half_step, cap) + 7u) & 0xfffffff8u;

    // The slice before.
    var back_0 = vec4u(0u);
    var back_1 = vec4u(0u);
    var back_2 = vec4u(0u);
    var back_3 = vec4u(0u);
    var ones: Ones;
    for (var z = 0u; z < 4u; z++) {
        if (z & 1u) == 0u {
            ones = ones_of(z >= 2u);
        }
        // In four bytes those of four groups, of which codes 0 to 3 or 4 to 7 are the slice.
        let of_codes = select(ones.first, ones.last, (z & 1u) != 0u);
        let k = select(k_of_all.x, k_of_all.y, z >= 2u);
        let before = select(k_before.x, k_before.y, z >= 2u);
        let place = (z & 1u) << 2u;
        var first = codes_of_two(of_codes, k, before, place, remainders);
        let last = codes_of_two(of_codes >> vec4u(16u), k >> 16u, before >> 16u, place, remainders);
        first.first.x |= select(0u, first_high, z == 0u);
        let slice = predictor * 4u + select(0u, 2u, z > 0u);
        let of_first = staged_weights[slice];
        let of_later = staged_weights[slice + 1u];
        let edge = weights_of(of_later.xy, range);
        let inner = weights_of(of_later.zw, range);
        let first_edge = weights_of(of_first.xy, range);
        let first_inner = weights_of(of_first.zw, range);
        let row_0 = undo_first(first.first, z == 0u, first_edge, first_inner, back_0, range);
        let row_1 = undo_four(first.second, edge, inner, Nearby(row_0, back_1, back_0), range);
        put_rows(2u * z, row_0, row_1);
        let row_2 = undo_four(last.first, edge, inner, Nearby(row_1, back_2, back_1), range);
        let row_3 = undo_four(last.second, edge, inner, Nearby(row_2, back_3, back_2), range);
        put_rows(2u * z + 1u, row_2, row_3);
        back_0 = row_0;
        back_1 = row_1;
        back_2 = row_2;
        back_3 = row_3;
    }
}
