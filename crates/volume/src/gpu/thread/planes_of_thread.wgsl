// The bit planes of a brick of 4×4×4 read by one thread (section 5.2): how many ones each of 64 codes has, as
// binary digits of all of them. The twin of src/brick/decode.rs.
// needs: ../format/bits.wgsl, ../format/header.wgsl

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
// Whether a code has sixteen or more.
var<private> has_many_ones: bool;

fn words_at(position: u32) -> vec2u {
    let word = first_word + (position >> 5u);
    return vec2u(payload(word), payload(word + 1u));
}

fn bits(position: u32, count: u32) -> u32 {
    return bits_of(words_at(position), position, count);
}

// Reads the bit planes that start at this position, and returns where they end.
fn read_planes(header: Header, levels: Levels, start: u32) -> u32 {
    let cap = most_ones(header);
    digit_0 = vec2u(0u);
    digit_1 = vec2u(0u);
    digit_2 = vec2u(0u);
    digit_3 = vec2u(0u);
    digit_4 = vec2u(0u);
    digit_5 = vec2u(0u);
    digit_6 = vec2u(0u);
    // Bit plane 0, if there are any; then, with a half step, quotients 0 and 1 share the zero, and one bit
    // distinguishes them; then the other bit planes, each of those whose bit was set in the one before.
    var asked = select(vec2u(0u), levels.coded, cap > 0u);
    var now = vec2u(0u);
    var half_ones = vec2u(0u);
    var end = start;
    var plane = 0u;
    loop {
        let ones = read_plane(end, asked);
        end += count(asked);
        let is_half = plane == 1u;
        half_ones = select(half_ones, ones | (levels.half_step & now), is_half);
        now = select(ones, now, is_half);
        tally(max(plane, 1u), select(ones, vec2u(0u), is_half));
        asked = select(now, levels.half_step & ~now, plane == 0u);
        if (plane > 0u) & ((plane >= cap) | (count(asked) <= 2u)) {
            break;
        }
        plane++;
    }
    if plane < cap {
        end = read_last_planes(end, now, plane, cap);
    }
    add(half_ones);
    has_many_ones = any((digit_4 | digit_5 | digit_6) != vec2u(0u));
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
        digit_6 ^= ones & vec2u(min(n & 63u, 1u) - 1u);
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

// The first of these.
fn first_of_two(codes: vec2u) -> vec2u {
    return vec2u(codes.x & (~codes.x + 1u), select(0u, codes.y & (~codes.y + 1u), codes.x == 0u));
}

// Reads the bit planes of up to two codes, which have had `n` ones, and returns where these end.
fn read_last_planes(start: u32, codes: vec2u, n: u32, cap: u32) -> u32 {
    let first = first_of_two(codes);
    var end = start;
    // Those left, by how many bits a plane has, which of them are left, a bit each, and how many ones they
    // have; and how many the first and the other have had in the end.
    var left = (1u << count(codes)) - 1u;
    var ones = n;
    var ends = vec2u(n);
    loop {
        if left == 0u {
            break;
        }
        let alive = countOneBits(left);
        // Bit planes with only ones, as far as 32 bits show them.
        let stream = bits_from(words_at(end), end);
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
    change(first, ends.x ^ n, codes ^ first, ends.y ^ n);
    return end;
}

// The numbers of these two codes change in these digits.
fn change(first: vec2u, of_first: u32, other: vec2u, of_other: u32) {
    digit_0 ^= (first * (of_first & 1u)) | (other * (of_other & 1u));
    digit_1 ^= (first * ((of_first >> 1u) & 1u)) | (other * ((of_other >> 1u) & 1u));
    digit_2 ^= (first * ((of_first >> 2u) & 1u)) | (other * ((of_other >> 2u) & 1u));
    digit_3 ^= (first * ((of_first >> 3u) & 1u)) | (other * ((of_other >> 3u) & 1u));
    if (of_first | of_other) >= 16u {
        digit_4 ^= (first * ((of_first >> 4u) & 1u)) | (other * ((of_other >> 4u) & 1u));
        digit_5 ^= (first * ((of_first >> 5u) & 1u)) | (other * ((of_other >> 5u) & 1u));
        digit_6 ^= (first * ((of_first >> 6u) & 1u)) | (other * ((of_other >> 6u) & 1u));
    }
}

// Reads a bit for each code of `asked`, and returns those whose bit is set.
fn read_plane(position: u32, asked: vec2u) -> vec2u {
    // 64 bits; from these on those of the first 32 codes, and those of the others.
    let word = first_word + (position >> 5u);
    let middle = payload(word + 1u);
    let plane = vec2u(
        bits_from(vec2u(payload(word), middle), position),
        bits_from(vec2u(middle, payload(word + 2u)), position),
    );
    let of_first = countOneBits(asked.x);
    return spread(vec2u(plane.x, select(bits_from(plane, of_first), plane.y, of_first == 32u)), asked);
}

// The lowest bits of two words, in order, at these places of each.
fn spread(ordered: vec2u, places: vec2u) -> vec2u {
    // Those of each byte, at its lowest places: after as many bits as the bytes below it take.
    let before_1 = countOneBits(places & vec2u(0xffu));
    let before_2 = countOneBits(places & vec2u(0xffffu));
    let before_3 = countOneBits(places & vec2u(0xffffffu));
    var bytes = ordered & vec2u(0xffu);
    bytes |= ((ordered >> before_1) << vec2u(8u)) & vec2u(0xff00u);
    bytes |= ((ordered >> before_2) << vec2u(16u)) & vec2u(0xff0000u);
    bytes |= (ordered >> before_3) << vec2u(24u);
    // Within bytes, bits move up by four, two and one.
    let by_1 = moves_by(1u, places, (~places << vec2u(1u)) & vec2u(0xfefefefeu));
    let by_2 = moves_by(2u, by_1.places, by_1.gaps);
    let by_4 = moves_by(4u, by_2.places, by_2.gaps);
    bytes = moved(bytes, by_4.moving, 4u);
    bytes = moved(bytes, by_2.moving, 2u);
    return moved(bytes, by_1.moving, 1u) & places;
}

// Which bits of bytes move up by some power of two on their way to places.
struct Moves {
    moving: vec2u,
    // The places of bits that have not moved so far yet, and below these the gaps that are left.
    places: vec2u,
    gaps: vec2u,
}

fn moves_by(distance: u32, places: vec2u, gaps: vec2u) -> Moves {
    // Marks the bits with an odd number of gaps below them in the byte.
    var odd = gaps ^ ((gaps << vec2u(1u)) & vec2u(0xfefefefeu));
    odd ^= (odd << vec2u(2u)) & vec2u(0xfcfcfcfcu);
    odd ^= (odd << vec2u(4u)) & vec2u(0xf0f0f0f0u);
    let moving = odd & places;
    return Moves(moving, (places ^ moving) | (moving >> vec2u(distance)), gaps & ~odd);
}

fn moved(bits_of: vec2u, moving: vec2u, distance: u32) -> vec2u {
    return (bits_of & ~moving) | ((bits_of << vec2u(distance)) & moving);
}
