// One prediction undone (section 5.5).

// A value from its code and the weighted sum of its neighbours and the range.
fn undo(unsigned_sum: u32, code: u32, range: u32) -> u32 {
    let folded = (code >> 1u) ^ (0u - (code & 1u));
    let largest = i32(range);
    let prediction = clamp((bitcast<i32>(unsigned_sum) + 8) >> 4u, 0, largest);
    let both = min(prediction, largest - prediction);
    let signed_code = i32(code);
    let past = select(signed_code - both, both - signed_code, 2 * prediction > largest);
    let narrow = u32(prediction + select(bitcast<i32>(folded), past, signed_code > 2 * both));
    return select(narrow, unsigned_sum + folded, range >= WIDE);
}
