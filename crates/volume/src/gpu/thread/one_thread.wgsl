// A brick of 4×4×4 voxels decoded by one thread, row by row: docs/volume-format.md, section 5. The twin of
// src/brick/decode.rs.
//
// Where many bricks are to be decoded, nothing is gained by threads that share one: this takes a tenth of the
// instructions of brick.wgsl, no workgroup memory and no barriers. The kernel has `payload(i)`;
// `weights_at(i)` (see undo.wgsl); `row_weights(i)`, entries 2i and 2i + 1 of the same table: the weights of
// a row's first voxel and of the others; and `put_rows(i, first, second)`, which takes eight values of the
// brick, without its minimum: rows 2i and 2i + 1 of the 16, 4z + y. Values have no more than VALUE_BITS.
// needs: ../format/bits.wgsl, ../format/sets.wgsl, ../format/box.wgsl, ../format/header.wgsl
// needs: planes_of_thread.wgsl, ../format/predict.wgsl

// Where in the order of codes those of a row's four voxels are, in a byte each.
fn places_of(row: u32, voxels_inside: vec2u, is_sorted: bool) -> u32 {
    if all(voxels_inside == vec2u(0xffffffffu)) {
        let rows = weights_at(PLACES + (row >> 1u) + select(0u, VOXELS / 8u, is_sorted));
        return select(rows.x, rows.y, (row & 1u) == 1u);
    }
    // (That compilers do not know the end keeps them from unrolling the loop.)
    var places = 0u;
    for (var i = 0u; i < 3u + min(voxels_inside.x, 1u); i++) {
        places = (places >> 8u) | (place_of(voxels_inside, row * 4u + i, is_sorted) << 24u);
    }
    return places;
}

// Whether a code has sixteen ones or more.
var<private> has_many_ones: bool;

fn bits_at(digit: vec2u, places: vec4u) -> vec4u {
    let words = select(vec4u(digit.x), vec4u(digit.y), places >= vec4u(32u));
    return (words >> (places & vec4u(31u))) & vec4u(1u);
}

// How many ones the codes at these places have.
fn ones_at(places: vec4u) -> vec4u {
    var ones = bits_at(digit_0, places) | (bits_at(digit_1, places) << vec4u(1u))
        | (bits_at(digit_2, places) << vec4u(2u)) | (bits_at(digit_3, places) << vec4u(3u));
    if has_many_ones {
        ones |= (bits_at(digit_4, places) << vec4u(4u)) | (bits_at(digit_5, places) << vec4u(5u))
            | (bits_at(digit_6, places) << vec4u(6u));
    }
    return ones;
}

// Returns the code at this position of the order, with this number of ones; for the first, only the lower
// bits.
fn code_at(levels: Levels, remainders: u32, place: u32, ones: u32) -> u32 {
    let low = low_bits(levels, place);
    let position = remainders + low.k_before * 8u + (place & 7u) * low.k;
    return (ones << low.k) | (bits_from(words_at(position), position) & ((1u << low.k) - 1u));
}

// The codes of two rows, or their values.
struct Rows {
    first: vec4u,
    second: vec4u,
}

// The codes with this digit at places 0 and 1, and 8 and 9: a bit in each byte, of 0, 8, 1 and 9.
fn pairs_of(digit: u32) -> u32 {
    let four = digit & 0x303u;
    return (four | (four << 15u)) & EACH_BYTE;
}

// How many ones the codes at these places have, of which the digits begin at `place`.
fn ones_of_pairs(is_later: bool, place: u32) -> u32 {
    var ones = pairs_of(select(digit_3.x, digit_3.y, is_later) >> place);
    if has_many_ones {
        ones |= pairs_of(select(digit_4.x, digit_4.y, is_later) >> place) << 1u;
        ones |= pairs_of(select(digit_5.x, digit_5.y, is_later) >> place) << 2u;
        ones |= pairs_of(select(digit_6.x, digit_6.y, is_later) >> place) << 3u;
    }
    ones = ones * 2u + pairs_of(select(digit_2.x, digit_2.y, is_later) >> place);
    ones = ones * 2u + pairs_of(select(digit_1.x, digit_1.y, is_later) >> place);
    return ones * 2u + pairs_of(select(digit_0.x, digit_0.y, is_later) >> place);
}

// The remainders, of `k` bits up to 16, of four codes, which start at this position.
fn four_remainders(position: u32, k: u32) -> vec4u {
    let word = first_word + (position >> 5u);
    let middle = payload(word + 1u);
    let low = bits_from(vec2u(payload(word), middle), position);
    let high = bits_from(vec2u(middle, payload(word + 2u)), position);
    let third = select(bits_from(vec2u(low, high), 2u * k), high, k == 16u);
    return vec4u(low, low >> k, third, third >> k) & vec4u((1u << k) - 1u);
}

// The codes of rows 2i and 2i + 1 of a whole brick in Morton order, in which they are two times four: at the
// same place of two groups. They have no more than 16 bits.
fn codes_in_groups(levels: Levels, remainders: u32, i: u32) -> Rows {
    let is_later = i >= 4u;
    let group = (i & 1u) << 4u;
    let place = (i & 2u) << 1u;
    let k_of_both = select(levels.k.x, levels.k.y, is_later) >> group;
    let before_both = select(levels.k_before.x, levels.k_before.y, is_later) >> group;
    let k = vec2u(k_of_both & 255u, (k_of_both >> 8u) & 255u);
    let before = vec2u(before_both & 255u, (before_both >> 8u) & 255u);
    let position = vec2u(remainders) + before * 8u + place * k;
    let left = four_remainders(position.x, k.x);
    let right = four_remainders(position.y, k.y);
    let ones_0 = ones_of_pairs(is_later, group + place);
    let ones_1 = ones_of_pairs(is_later, group + place + 2u);
    return Rows(
        vec4u(
            ((ones_0 & 255u) << k.x) | left.x,
            (((ones_0 >> 16u) & 255u) << k.x) | left.y,
            (((ones_0 >> 8u) & 255u) << k.y) | right.x,
            ((ones_0 >> 24u) << k.y) | right.y,
        ),
        vec4u(
            ((ones_1 & 255u) << k.x) | left.z,
            (((ones_1 >> 16u) & 255u) << k.x) | left.w,
            (((ones_1 >> 8u) & 255u) << k.y) | right.z,
            ((ones_1 >> 24u) << k.y) | right.w,
        ),
    );
}

// The codes of rows 2i and 2i + 1 of any brick.
fn codes_one_by_one(header: Header, levels: Levels, remainders: u32, voxels_inside: vec2u, i: u32) -> Rows {
    let is_sorted = header.predictor == SORTED;
    var rows = Rows();
    // (That compilers do not know the end keeps them from unrolling the loop.)
    for (var row = 2u * i; row < 2u * i + 1u + min(header.largest, 1u); row++) {
        let bytes = places_of(row, voxels_inside, is_sorted);
        let places = (vec4u(bytes) >> vec4u(0u, 8u, 16u, 24u)) & vec4u(255u);
        let ones = ones_at(places);
        rows.first = rows.second;
        rows.second = vec4u(
            code_at(levels, remainders, places.x, ones.x),
            code_at(levels, remainders, places.y, ones.y),
            code_at(levels, remainders, places.z, ones.z),
            code_at(levels, remainders, places.w, ones.w),
        );
    }
    return rows;
}

// The values at these places of the brick's dictionary. The first is 0, the last the range.
fn look_up_four(header: Header, range: u32, values: vec4u) -> vec4u {
    let inner = (max(values, vec4u(1u)) - vec4u(1u)) * header.entry_bits + vec4u(header.entries);
    let entries = vec4u(
        bits(inner.x, header.entry_bits),
        bits(inner.y, header.entry_bits),
        bits(inner.z, header.entry_bits),
        bits(inner.w, header.entry_bits),
    );
    let upper = select(entries, vec4u(range), values >= vec4u(header.largest));
    return select(upper, vec4u(0u), values == vec4u(0u));
}

// Codes that are steps up or down by as much. The brick's first voxel has its value for a code.
fn fold(steps: vec4u, is_first: bool) -> vec4u {
    let codes = (steps << vec4u(1u)) ^ bitcast<vec4u>(bitcast<vec4i>(steps) >> vec4u(31u));
    return vec4u(select(codes.x, steps.x, is_first), codes.yzw);
}

// A value from its code, from its neighbours as the weights have them, and from the largest value.
fn undo_one(code: u32, weights: vec2u, near: vec4u, far: vec3u, largest: u32) -> u32 {
    let of_near = bitcast<vec4u>(unpack4xI8(weights.x));
    let of_far = bitcast<vec4u>(unpack4xI8(weights.y));
    var sum = of_far.w * largest;
    if VALUE_BITS <= 16u {
        sum += ROUNDING;
    }
    sum = of_far.x * far.x + sum;
    sum = of_far.y * far.y + sum;
    sum = of_far.z * far.z + sum;
    sum = of_near.w * near.w + sum;
    sum = of_near.z * near.z + sum;
    sum = of_near.y * near.y + sum;
    sum = of_near.x * near.x + sum;
    if VALUE_BITS <= 16u {
        return undo_narrow(sum, code, largest);
    }
    return undo(sum, code, largest);
}

// The rows one, four and five before a row. A row that does not exist has weights of 0, and any contents.
struct RowsBefore {
    back_1: vec4u,
    back_4: vec4u,
    back_5: vec4u,
}

// The values of a row from its codes. The brick's first voxel has its value for a code.
fn undo_row(codes: vec4u, is_first: bool, weights: vec4u, before: RowsBefore, largest: u32) -> vec4u {
    let b1 = before.back_1;
    let b4 = before.back_4;
    let b5 = before.back_5;
    let edge = undo_one(codes.x, weights.xy, vec4u(0u, b1.x, b4.x, 0u), vec3u(0u, b5.x, 0u), largest);
    let x = select(edge, codes.x, is_first);
    let y = undo_one(codes.y, weights.zw, vec4u(x, b1.y, b4.y, b1.x), vec3u(b4.x, b5.y, b5.x), largest);
    let z = undo_one(codes.z, weights.zw, vec4u(y, b1.z, b4.z, b1.y), vec3u(b4.y, b5.z, b5.y), largest);
    let w = undo_one(codes.w, weights.zw, vec4u(z, b1.w, b4.w, b1.z), vec3u(b4.z, b5.w, b5.z), largest);
    return vec4u(x, y, z, w);
}

// Decodes the brick of this range whose bytes start at byte `start` of the payload. `inside` has the number
// of its voxels along each axis in the volume; the values of others are unspecified. A brick of one value,
// with range 0, has no bytes and is none for this.
fn decode_rows(start: u32, range: u32, inside: vec3u) {
    first_word = start >> 2u;
    let voxels_inside = box_of(inside);
    let code_count = count(voxels_inside);
    let header = read_header((start & 3u) * 8u, range, code_count);
    let levels = read_levels(header, 0u, code_count);
    // Reads the upper bits of the first value; its lower bits are in the place of a remainder.
    let first_bits = width(header.largest);
    let first_high_bits = first_bits - min(first_bits, first_k(levels));
    let first_high = bits(header.end, first_high_bits) << first_k(levels);
    let planes_start = header.end + first_high_bits;
    let planes_end = read_planes(planes_start, levels.coded, levels.half_step, most_ones(header));
    has_many_ones = any((digit_4 | digit_5 | digit_6) != vec2u(0u));
    // Remainders start with a whole byte; each group has eight of its k bits.
    let remainders = (planes_end + 7u) & 0xfffffff8u;
    let is_whole = all(voxels_inside == vec2u(0xffffffffu));
    let is_in_groups = is_whole && header.predictor != SORTED && header.largest < 65536u;
    let is_wide = VALUE_BITS > 16u && header.largest >= WIDE;
    // Predictor 0 predicts 0; of narrow bricks that leaves a code as it is, of wide ones this does.
    let keeps_codes = is_wide && header.predictor == 0u;
    let table = (header.predictor * 8u + select(0u, WIDE_WEIGHTS, is_wide)) / 2u;
    // The rows decoded before, the last first.
    var back_1 = vec4u(0u);
    var back_2 = vec4u(0u);
    var back_3 = vec4u(0u);
    var back_4 = vec4u(0u);
    var back_5 = vec4u(0u);
    // The rows of a slice after its first.
    var later_weights = vec4u(0u);
    for (var i = 0u; i < 8u; i++) {
        var rows: Rows;
        if is_in_groups {
            rows = codes_in_groups(levels, remainders, i);
        } else {
            rows = codes_one_by_one(header, levels, remainders, voxels_inside, i);
        }
        rows.first.x |= select(0u, first_high, i == 0u);
        if keeps_codes {
            rows = Rows(fold(rows.first, i == 0u), fold(rows.second, false));
        }
        var weights = later_weights;
        if (i & 1u) == 0u {
            let slice = table + select(0u, 2u, i >= 2u);
            weights = row_weights(slice);
            later_weights = row_weights(slice + 1u);
        }
        let before = RowsBefore(back_1, back_4, back_5);
        rows.first = undo_row(rows.first, i == 0u, weights, before, header.largest);
        let between = RowsBefore(rows.first, back_3, back_4);
        rows.second = undo_row(rows.second, false, later_weights, between, header.largest);
        back_5 = back_3;
        back_4 = back_2;
        back_3 = back_1;
        back_2 = rows.first;
        back_1 = rows.second;
        if header.has_dictionary {
            rows = Rows(look_up_four(header, range, rows.first), look_up_four(header, range, rows.second));
        }
        put_rows(i, rows.first, rows.second);
    }
}
