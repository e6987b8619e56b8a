// A brick of 4×4×4 voxels decoded by one thread, row by row: docs/volume-format.md, section 5. The twin of
// src/brick/decode.rs.
//
// Where many bricks are to be decoded, nothing is gained by threads that share one: this takes a sixth of the
// instructions of brick.wgsl, no workgroup memory and no barriers. Needs bits.wgsl, sets.wgsl, box.wgsl,
// header.wgsl, planes.wgsl and predict.wgsl, and from the kernel `payload(i)`, `weights_at(i)` (see
// brick.wgsl) and `put_row(row, values)`, which takes four values of the brick, without its minimum: those of
// row 4z + y.

// The word of the payload in which the brick starts. Positions are bits from there on.
var<private> first_word: u32;

// How many ones each of 64 codes has: digit i of all of them.
var<private> digit_0: vec2u;
var<private> digit_1: vec2u;
var<private> digit_2: vec2u;
var<private> digit_3: vec2u;
var<private> digit_4: vec2u;
var<private> digit_5: vec2u;
var<private> digit_6: vec2u;
// Whether a code has sixteen or more.
var<private> has_many_ones: bool;
// The ones of step 1.
var<private> half_ones: vec2u;

fn bits(position: u32, count: u32) -> u32 {
    let word = first_word + (position >> 5u);
    return bits_of(vec2u(payload(word), payload(word + 1u)), position, count);
}

// Ones that are among those before: with the n-th, digit i changes where n is a multiple of 2^i.
fn tally(step: u32, ones: vec2u) {
    if step == 1u {
        half_ones = ones;
        return;
    }
    let n = max(step, 1u);
    digit_0 ^= ones;
    digit_1 ^= select(ones, vec2u(0u), vec2<bool>((n & 1u) != 0u));
    if (n & 3u) == 0u {
        digit_2 ^= ones;
        digit_3 ^= select(ones, vec2u(0u), vec2<bool>((n & 7u) != 0u));
        if (n & 15u) == 0u {
            digit_4 ^= ones;
            digit_5 ^= select(ones, vec2u(0u), vec2<bool>((n & 31u) != 0u));
            digit_6 ^= select(ones, vec2u(0u), vec2<bool>((n & 63u) != 0u));
        }
    }
}

// Adds the ones of step 1.
fn finish_tally() {
    let of_1 = digit_0 & half_ones;
    digit_0 ^= half_ones;
    let of_2 = digit_1 & of_1;
    digit_1 ^= of_1;
    let of_3 = digit_2 & of_2;
    digit_2 ^= of_2;
    let of_4 = digit_3 & of_3;
    digit_3 ^= of_3;
    let of_5 = digit_4 & of_4;
    digit_4 ^= of_4;
    let of_6 = digit_5 & of_5;
    digit_5 ^= of_5;
    digit_6 ^= of_6;
    has_many_ones = any((digit_4 | digit_5 | digit_6) != vec2u(0u));
}

// Reads a bit for each code of `asked`, and returns those whose bit is set.
fn read_plane(position: u32, asked: vec2u) -> vec2u {
    let word = first_word + (position >> 5u);
    let middle = payload(word + 1u);
    let low = bits_from(vec2u(payload(word), middle), position);
    if count(asked) <= 2u {
        // As in a brick's last planes: the first's bit, and the other's.
        let first = vec2u(asked.x & (~asked.x + 1u), select(0u, asked.y & (~asked.y + 1u), asked.x == 0u));
        return select(vec2u(0u), first, vec2<bool>((low & 1u) != 0u))
            | select(vec2u(0u), asked ^ first, vec2<bool>((low & 2u) != 0u));
    }
    // The bits of all, as far as there are any; then those of the first 32 codes and of the others.
    let plane = vec2u(low, bits_from(vec2u(middle, payload(word + 2u)), position));
    let of_first = countOneBits(asked.x);
    let unread = vec2u(plane.x, select(bits_from(plane, of_first), plane.y, of_first == 32u));
    if all((asked | vec2u(1u, 0u)) == vec2u(0xffffffffu)) {
        return vec2u(unread.x << (32u - of_first), unread.y);
    }
    return spread(unread, asked);
}

// Which bits of two words move up by some power of two on their way to places.
struct Moves {
    moving: vec2u,
    // The places of bits that have not moved so far yet, and below these the gaps that are left.
    places: vec2u,
    gaps: vec2u,
}

fn moves_by(distance: u32, places: vec2u, gaps: vec2u) -> Moves {
    // Where an odd number of gaps lies below.
    var odd = gaps ^ (gaps << vec2u(1u));
    odd ^= odd << vec2u(2u);
    odd ^= odd << vec2u(4u);
    odd ^= odd << vec2u(8u);
    odd ^= odd << vec2u(16u);
    let moving = odd & places;
    return Moves(moving, (places ^ moving) | (moving >> vec2u(distance)), gaps & ~odd);
}

fn moved(bits_of: vec2u, moving: vec2u, distance: u32) -> vec2u {
    return (bits_of & ~moving) | ((bits_of << vec2u(distance)) & moving);
}

// The lowest bits of two words, in order, at these places of each.
fn spread(bits_of: vec2u, places: vec2u) -> vec2u {
    let by_1 = moves_by(1u, places, ~places << vec2u(1u));
    let by_2 = moves_by(2u, by_1.places, by_1.gaps);
    let by_4 = moves_by(4u, by_2.places, by_2.gaps);
    let by_8 = moves_by(8u, by_4.places, by_4.gaps);
    let by_16 = moves_by(16u, by_8.places, by_8.gaps);
    var spread = moved(bits_of, by_16.moving, 16u);
    spread = moved(spread, by_8.moving, 8u);
    spread = moved(spread, by_4.moving, 4u);
    spread = moved(spread, by_2.moving, 2u);
    return moved(spread, by_1.moving, 1u) & places;
}

// Where in the order of codes those of a row's four voxels are.
fn places_of(row: u32, voxels_inside: vec2u, is_sorted: bool) -> vec4u {
    if all(voxels_inside == vec2u(0xffffffffu)) {
        let rows = weights_at(PLACES + (row >> 1u) + select(0u, VOXELS / 8u, is_sorted));
        return (vec4u(select(rows.x, rows.y, (row & 1u) == 1u)) >> vec4u(0u, 8u, 16u, 24u)) & vec4u(63u);
    }
    return vec4u(
        place_of(voxels_inside, row * 4u, is_sorted),
        place_of(voxels_inside, row * 4u + 1u, is_sorted),
        place_of(voxels_inside, row * 4u + 2u, is_sorted),
        place_of(voxels_inside, row * 4u + 3u, is_sorted),
    );
}

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

// The code at this place of the order, of so many ones; of the first only the lower bits.
fn code_at(levels: Levels, remainders: u32, place: u32, ones: u32) -> u32 {
    let low = low_bits(levels, place);
    let position = remainders + low.k_before * 8u + (place & 7u) * low.k;
    let word = first_word + (position >> 5u);
    let remainder = bits_from(vec2u(payload(word), payload(word + 1u)), position);
    return (ones << low.k) | (remainder & ((1u << low.k) - 1u));
}

fn dot_4(weight: u32, values: vec4u) -> u32 {
    let products = bitcast<vec4u>(unpack4xI8(weight)) * values;
    return products.x + products.y + products.z + products.w;
}

// Decodes the brick of this range whose bytes start at byte `start` of the payload. `inside` are its voxels
// along each axis that lie in the volume; the values of others are unspecified. A brick of one value, with
// range 0, has no bytes.
fn decode_rows(start: u32, range: u32, inside: vec3u) {
    first_word = start >> 2u;
    var header = Header();
    var levels = Levels();
    let voxels_inside = box_of(inside);
    let code_count = count(voxels_inside);
    var first_high = 0u;
    var remainders = 0u;
    if range > 0u {
        header = read_header((start & 3u) * 8u, range, code_count);
        levels = read_levels(header, 0u, code_count);
        // The upper bits of the first value, whose lower ones lie where a remainder would.
        let first_bits = width(header.largest);
        let first_high_bits = first_bits - min(first_bits, first_k(levels));
        first_high = bits(header.end, first_high_bits) << first_k(levels);
        digit_0 = vec2u(0u);
        digit_1 = vec2u(0u);
        digit_2 = vec2u(0u);
        digit_3 = vec2u(0u);
        digit_4 = vec2u(0u);
        digit_5 = vec2u(0u);
        digit_6 = vec2u(0u);
        half_ones = vec2u(0u);
        // Remainders start with a whole byte; each group has eight of its k bits.
        remainders = (read_planes(header, levels, header.end + first_high_bits) + 7u) & 0xfffffff8u;
        finish_tally();
    }
    let is_sorted = header.predictor == SORTED;
    let is_wide = header.largest >= WIDE;
    // Predictor 0 predicts 0; of narrow bricks that leaves a code as it is.
    let keeps_codes = is_wide && header.predictor == 0u;
    let table = header.predictor * 8u + select(0u, WIDE_WEIGHTS, is_wide);
    // The rows decoded before, the last first. Those in front of a row are 1, 4 and 5 back.
    var back_1 = vec4u(0u);
    var back_2 = vec4u(0u);
    var back_3 = vec4u(0u);
    var back_4 = vec4u(0u);
    var back_5 = vec4u(0u);
    for (var row = 0u; row < 16u; row++) {
        var values = vec4u(0u);
        if range > 0u {
            let places = places_of(row, voxels_inside, is_sorted);
            let ones = ones_at(places);
            var codes = vec4u(
                code_at(levels, remainders, places.x, ones.x),
                code_at(levels, remainders, places.y, ones.y),
                code_at(levels, remainders, places.z, ones.z),
                code_at(levels, remainders, places.w, ones.w),
            );
            codes.x |= select(0u, first_high, row == 0u);
            // By which neighbours there are; of one that is not there the weight is 0, whatever the value.
            let class_of = table + select(0u, 2u, (row & 3u) != 0u) + select(0u, 4u, row >= 4u);
            let edge = weights_at(class_of);
            let weight = weights_at(class_of + 1u);
            var sum = dot_4(edge.x, vec4u(0u, back_1.x, back_4.x, 0u))
                + dot_4(edge.y, vec4u(0u, back_5.x, 0u, header.largest));
            let keeps_first = keeps_codes || row == 0u;
            values.x = select(undo(sum, codes.x, header.largest), codes.x, keeps_first);
            sum = dot_4(weight.x, vec4u(values.x, back_1.y, back_4.y, back_1.x))
                + dot_4(weight.y, vec4u(back_4.x, back_5.y, back_5.x, header.largest));
            values.y = select(undo(sum, codes.y, header.largest), codes.y, keeps_codes);
            sum = dot_4(weight.x, vec4u(values.y, back_1.z, back_4.z, back_1.y))
                + dot_4(weight.y, vec4u(back_4.y, back_5.z, back_5.y, header.largest));
            values.z = select(undo(sum, codes.z, header.largest), codes.z, keeps_codes);
            sum = dot_4(weight.x, vec4u(values.z, back_1.w, back_4.w, back_1.z))
                + dot_4(weight.y, vec4u(back_4.z, back_5.w, back_5.z, header.largest));
            values.w = select(undo(sum, codes.w, header.largest), codes.w, keeps_codes);
            back_5 = back_4;
            back_4 = back_3;
            back_3 = back_2;
            back_2 = back_1;
            back_1 = values;
            if header.has_dictionary {
                values = vec4u(
                    look_up(header, range, values.x),
                    look_up(header, range, values.y),
                    look_up(header, range, values.z),
                    look_up(header, range, values.w),
                );
            }
        }
        put_row(row, values);
    }
}
