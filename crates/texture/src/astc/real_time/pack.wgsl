// Words of blocks (pack.rs).

// Returns the packing of five trits, given with two bits each.
fn trits(t: u32) -> u32 {
    let first = t & 3u;
    let second = (t >> 2u) & 3u;
    let third = (t >> 4u) & 3u;
    let fourth = (t >> 6u) & 3u;
    let fifth = t >> 8u;
    var low = (third << 4u) | (second << 2u) | first;
    if third == 2u {
        low = select((second << 4u) | (first << 2u) | 3u, first | 12u, second == 2u);
    }
    if fifth == 2u {
        let both = ((low >> 2u) << 5u) | (low & 3u) | 28u;
        return select((fourth << 7u) | 96u | low, both, fourth == 2u);
    }
    return (fifth << 7u) | (fourth << 5u) | low;
}

// Returns a group of five values of `bits` bits, given with five bits each, and a trit.
fn group_of(bits: u32, low: u32, packed: u32) -> u32 {
    return (low & 31u) | ((packed & 3u) << bits)
        | (((low >> 5u) & 31u) << (bits + 2u)) | ((packed & 12u) << (2u * bits))
        | (((low >> 10u) & 31u) << (2u * bits + 4u)) | ((packed & 16u) << (3u * bits))
        | (((low >> 15u) & 31u) << (3u * bits + 5u)) | ((packed & 96u) << (4u * bits))
        | (((low >> 20u) & 31u) << (4u * bits + 7u)) | ((packed & 128u) << (5u * bits));
}

// Returns a value at a bit of the four words.
fn placed(value: u32, at: u32) -> vec4<u32> {
    let shift = at & 31u;
    let word = vec4(at >> 5u);
    let low = select(vec4(0u), vec4(value << shift), word == vec4(0u, 1u, 2u, 3u));
    let high = vec4((value >> 1u) >> (31u - shift));
    return low | select(vec4(0u), high, word + 1u == vec4(0u, 1u, 2u, 3u));
}

// Returns the words with the weights of 3 * 2^bits levels.
fn weight_words(packed: vec3<u32>, bits: u32) -> vec4<u32> {
    let last = (3u << (bits - 1u)) - 1u;
    var words = vec4(0u);
    for (var g = 0u; g < 4u; g++) {
        var low = 0u;
        var trit = 0u;
        for (var i = 0u; i < min(5u, 16u - 5u * g); i++) {
            let t = 5u * g + i;
            let word = select(select(packed.x, packed.y, t >= 6u), packed.z, t >= 12u);
            let code = (word >> (5u * (t % 6u))) & 31u;
            let number = last - (code >> 1u);
            let thirds = (number * 11u) >> 5u;
            low |= ((thirds << 1u) | (code & 1u)) << (5u * i);
            trit |= (number - 3u * thirds) << (2u * i);
        }
        words |= placed(group_of(bits, low, trits(trit)), g * (5u * bits + 8u));
    }
    return reverseBits(words.wzyx);
}

// Returns the lower `bits` bits of five codes, five bits each, and their trits, two bits each.
fn split(codes: array<u32, 5>, bits: u32) -> vec2<u32> {
    let mask = (1u << bits) - 1u;
    let low = (codes[0] & mask) | ((codes[1] & mask) << 5u) | ((codes[2] & mask) << 10u)
        | ((codes[3] & mask) << 15u) | ((codes[4] & mask) << 20u);
    let trit = (codes[0] >> bits) | ((codes[1] >> bits) << 2u) | ((codes[2] >> bits) << 4u)
        | ((codes[3] >> bits) << 6u) | ((codes[4] >> bits) << 8u);
    return vec2(low, trits(trit));
}

fn one_part_words(coded: Coded, packed: vec3<u32>) -> vec4<u32> {
    let a = vec4<u32>(coded.codes.a);
    let b = vec4<u32>(coded.codes.b);
    let five = a.x | (b.x << 6u) | (a.y << 12u) | (b.y << 18u) | (a.z << 24u);
    let mode = MODE_24 | ((8u + coded.is_offset) << 13u);
    return vec4(mode, 0u, 0u, 0u) | placed(five, 17u) | placed(b.z, 47u) | weight_words(packed, 3u);
}

fn alpha_words(coded: Coded, packed: vec3<u32>) -> vec4<u32> {
    let a = vec4<u32>(coded.codes.a);
    let b = vec4<u32>(coded.codes.b);
    let first = split(array(a.x, b.x, a.y, b.y, a.z), 5u);
    let second = split(array(b.z, a.w, b.w, 0u, 0u), 5u);
    // The first group has 33 bits.
    return vec4(MODE_12 | (12u << 13u), 0u, 0u, 0u)
        | placed(group_of(5u, first.x, first.y), 17u) | placed(first.y >> 7u, 49u)
        | placed(group_of(5u, second.x, second.y), 50u) | weight_words(packed, 2u);
}

fn two_part_words(chosen: u32, first: Ends, second: Ends, packed: vec3<u32>) -> vec4<u32> {
    let a = vec4<u32>(first.a);
    let b = vec4<u32>(first.b);
    let c = vec4<u32>(second.a);
    let d = vec4<u32>(second.b);
    let x = split(array(a.x, b.x, a.y, b.y, a.z), 3u);
    let y = split(array(b.z, c.x, d.x, c.y, d.y), 3u);
    let z = split(array(c.z, d.z, 0u, 0u, 0u), 3u);
    let mode = MODE_6 | (1u << 11u) | ((chosen >> 16u) << 13u) | (8u << 25u);
    return vec4(mode, 0u, 0u, 0u) | placed(group_of(3u, x.x, x.y), 29u)
        | placed(group_of(3u, y.x, y.y), 52u) | placed(group_of(3u, z.x, z.y), 75u)
        | weight_words(packed, 1u);
}
