// Indices of two subsets with three bits each, without the highest bits of the anchors' indices
// (bc7/real_time_two.rs).

// Returns bits without the bit at `place`.
fn without_bit(bits: u32, place: u32) -> u32 {
    return (bits & ((1u << place) - 1u)) | ((bits >> (place + 1u)) << place);
}

// Returns the last two words of a block with 46 bits of indices at its end, without its other bits. `found`
// has those of eight texels, then those of the others; bits 16 to 19 of the key are the second anchor.
fn index_words(key: u32, found: vec2<u32>) -> vec2<u32> {
    let anchor = (key >> 16u) & 15u;
    let is_late = anchor > 7u;
    let place = 3u * (anchor & 7u) + 2u;
    let low = without_bit(select(without_bit(found.x, place), found.x, is_late), 2u);
    let high = select(found.y, without_bit(found.y, place), is_late);
    return vec2(low << 18u, (low >> 14u) | (high << select(8u, 9u, is_late)));
}
