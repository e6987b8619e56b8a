// The bit planes of a brick of 4×4×4 read by one thread (section 5.2): how many ones each of 64 codes has, as
// binary digits of all of them. The twin of src/brick/decode.rs.
//
// From the plane on that has no more than 32 bits, only the codes that are left are counted, in one word. In
// the end their digits are spread to their places.
// needs: ../format/bits.wgsl, ../format/sets.wgsl, ../format/spread.wgsl

// The word of the payload in which the brick starts. Positions are bits from there on.
var<private> first_word: u32;

// Digit i of all 64 numbers.
var<private> digit_0: vec2u;
var<private> digit_1: vec2u;
var<private> digit_2: vec2u;
var<private> digit_3: vec2u;
var<private> digit_4: vec2u;
var<private> digit_5: vec2u;
var<private> digit_6: vec2u;
// Digit i of the numbers of the codes that are left. (Bit planes give a code at most 63 ones, and a half step
// adds one. Only `add` sets digit 6.)
const_assert MAX_ONES < 64u;
var<private> left_0: u32;
var<private> left_1: u32;
var<private> left_2: u32;
var<private> left_3: u32;
var<private> left_4: u32;
var<private> left_5: u32;

fn words_at(position: u32) -> vec2u {
    let word = first_word + (position >> 5u);
    return vec2u(payload(word), payload(word + 1u));
}

fn bits(position: u32, count: u32) -> u32 {
    return bits_of(words_at(position), position, count);
}

// 64 bits from a position on.
fn bits_of_64(position: u32) -> vec2u {
    let word = first_word + (position >> 5u);
    let low = position & 31u;
    let up = 2u << (~position & 31u);
    let middle = payload(word + 1u);
    return vec2u((payload(word) >> low) + middle * up, (middle >> low) + payload(word + 2u) * up);
}

fn bits_of_32(position: u32) -> u32 {
    let word = first_word + (position >> 5u);
    let low = position & 31u;
    return (payload(word) >> low) + payload(word + 1u) * (2u << (~position & 31u));
}

// 64 bits without the first `n` of up to 32.
fn bits_after(bits_there: vec2u, n: u32) -> u32 {
    let low = n & 31u;
    return select((bits_there.x >> low) + bits_there.y * (2u << (~n & 31u)), bits_there.y, n == 32u);
}

// Reads a bit for each code of `asked`, and returns those whose bit is set.
fn plane_of(position: u32, asked: vec2u) -> vec2u {
    let plane = bits_of_64(position);
    return spread(vec2u(plane.x, bits_after(plane, countOneBits(asked.x))), asked);
}

// Reads the bit planes that start at this position, and returns where they end.
fn read_planes(start: u32, coded: vec2u, half_step: vec2u, cap: u32) -> u32 {
    // Bit plane 0. The first code has no bit; it gets the bit before the plane, which is masked.
    let plane = bits_of_64(start - 1u);
    var now = plane & coded;
    if any((coded | vec2u(1u, 0u)) != vec2u(0xffffffffu)) {
        let ordered = vec2u((plane.x >> 1u) | (plane.y << 31u), plane.y >> 1u);
        now = spread(vec2u(ordered.x, bits_after(ordered, countOneBits(coded.x))), coded);
    }
    var end = start + count(coded);
    if cap == 0u {
        now = vec2u(0u);
        end = start;
    }
    // With a half step, quotients 0 and 1 share the zero, and one bit distinguishes them.
    let undecided = half_step & ~now;
    let half_ones = plane_of(end, undecided) | (half_step & now);
    end += count(undecided);
    digit_0 = now;
    digit_1 = vec2u(0u);
    digit_2 = vec2u(0u);
    digit_3 = vec2u(0u);
    digit_4 = vec2u(0u);
    digit_5 = vec2u(0u);
    digit_6 = vec2u(0u);
    var alive = count(now);
    var n = 1u;
    loop {
        if (n >= cap) | (alive <= 32u) {
            break;
        }
        now = plane_of(end, now);
        end += alive;
        alive = count(now);
        n++;
        tally(n, now);
    }
    if n < cap {
        end = planes_of_left(end, now, alive, n, cap);
    }
    add(half_ones);
    return end;
}

// Ones that are among those before: with the n-th, digit i changes where n is a multiple of 2^i.
fn tally(n: u32, ones: vec2u) {
    digit_0 ^= ones;
    digit_1 ^= ones & vec2u((n & 1u) - 1u);
    digit_2 ^= ones & vec2u(min(n & 3u, 1u) - 1u);
    digit_3 ^= ones & vec2u(min(n & 7u, 1u) - 1u);
    if (n & 15u) == 0u {
        digit_4 ^= ones;
        digit_5 ^= ones & vec2u(min(n & 31u, 1u) - 1u);
    }
}

// Adds one to each of these.
fn add(half_ones: vec2u) {
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
}

// Reads the planes of these codes, up to 32, which have had `n` ones, and returns where they end.
fn planes_of_left(start: u32, codes: vec2u, code_count: u32, ones: u32, cap: u32) -> u32 {
    var n = ones;
    var end = start;
    left_0 = 0u - (n & 1u);
    left_1 = 0u - ((n >> 1u) & 1u);
    left_2 = 0u - ((n >> 2u) & 1u);
    left_3 = 0u - ((n >> 3u) & 1u);
    left_4 = 0u - ((n >> 4u) & 1u);
    left_5 = 0u - ((n >> 5u) & 1u);
    var alive = code_count;
    var now = 0xffffffffu >> ((32u - alive) & 31u);
    loop {
        if (n >= cap) | (alive <= 2u) {
            break;
        }
        now = spread_32(bits_of_32(end), now);
        end += alive;
        alive = countOneBits(now);
        n++;
        tally_left(now);
    }
    if (n < cap) & (alive > 0u) {
        end = read_last(end, now, n, cap);
    }
    let moves = moves_to(codes);
    let of_first = countOneBits(codes.x);
    digit_0 = (digit_0 & ~codes) | spread_left(left_0, of_first, moves);
    digit_1 = (digit_1 & ~codes) | spread_left(left_1, of_first, moves);
    digit_2 = (digit_2 & ~codes) | spread_left(left_2, of_first, moves);
    digit_3 = (digit_3 & ~codes) | spread_left(left_3, of_first, moves);
    if (left_4 | left_5) != 0u {
        digit_4 = (digit_4 & ~codes) | spread_left(left_4, of_first, moves);
        digit_5 = (digit_5 & ~codes) | spread_left(left_5, of_first, moves);
    }
    return end;
}

fn spread_left(digit: u32, of_first: u32, moves: AllMoves) -> vec2u {
    return spread_by(vec2u(digit, select(digit >> (of_first & 31u), 0u, of_first == 32u)), moves);
}

// Adds one to the number of ones of each of these. (In one word, carries take fewer operations than the
// masks of `tally`.)
fn tally_left(ones: u32) {
    let of_2 = left_0 & ones;
    left_0 ^= ones;
    let of_4 = left_1 & of_2;
    left_1 ^= of_2;
    let of_8 = left_2 & of_4;
    left_2 ^= of_4;
    let of_16 = left_3 & of_8;
    left_3 ^= of_8;
    if of_16 != 0u {
        let of_32 = left_4 & of_16;
        left_4 ^= of_16;
        left_5 ^= of_32;
    }
}

// As `read_last_planes`, for one or two codes.
fn read_last(start: u32, codes: u32, n: u32, cap: u32) -> u32 {
    let first = codes & (~codes + 1u);
    var end = start;
    var left = (1u << countOneBits(codes)) - 1u;
    var ones = n;
    var ends = vec2u(n);
    loop {
        if left == 0u {
            break;
        }
        let alive = countOneBits(left);
        // Bit planes with only ones, as far as 32 bits show them.
        let stream = bits_of_32(end);
        let zero = countTrailingZeros(~stream);
        let planes = min(zero >> (alive - 1u), cap - ones);
        ones += planes;
        end += planes * alive;
        ends = select(ends, vec2u(ones), (vec2u(left) & vec2u(1u, 2u)) != vec2u(0u));
        // One more, in which a code gets a zero, or both do. (Where all have had as many ones as there may
        // be, there is none.)
        let is_last = ones < cap && zero < 32u;
        let plane = (stream >> (planes * alive)) & (2u * alive - 1u);
        end += select(0u, alive, is_last);
        if is_last {
            // The plane of one that is left alone is 0.
            left = select(0u, plane, alive == 2u);
            ones += u32(left != 0u);
        } else if ones >= cap {
            left = 0u;
        }
    }
    let changed = ends ^ vec2u(n);
    let other = codes ^ first;
    left_0 ^= (first * (changed.x & 1u)) | (other * (changed.y & 1u));
    left_1 ^= (first * ((changed.x >> 1u) & 1u)) | (other * ((changed.y >> 1u) & 1u));
    left_2 ^= (first * ((changed.x >> 2u) & 1u)) | (other * ((changed.y >> 2u) & 1u));
    left_3 ^= (first * ((changed.x >> 3u) & 1u)) | (other * ((changed.y >> 3u) & 1u));
    if (changed.x | changed.y) >= 16u {
        left_4 ^= (first * ((changed.x >> 4u) & 1u)) | (other * ((changed.y >> 4u) & 1u));
        left_5 ^= (first * ((changed.x >> 5u) & 1u)) | (other * ((changed.y >> 5u) & 1u));
    }
    return end;
}
