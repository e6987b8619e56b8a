// Writes fields of a block, from its lowest bit on.

// Block that is being written, and its current number of bits.
var<private> words: vec4<u32>;
var<private> length: u32;

fn put(value: u32, count: u32) {
    let word = length >> 5u;
    let shift = length & 31u;
    let low = value << shift;
    let high = select(0u, value >> ((32u - shift) & 31u), shift > 0u);
    let places = vec4(0u, 1u, 2u, 3u);
    words |= select(vec4(0u), vec4(low), places == vec4(word));
    words |= select(vec4(0u), vec4(high), places == vec4(word + 1u));
    length += count;
}
