// One prediction undone (section 5.5).

// A step up or down from its code: odd codes are steps down.
fn unfold(code: u32) -> i32 {
    return bitcast<i32>((code >> 1u) ^ (0u - (code & 1u)));
}

const ROUNDING = 8u;

// A value of a brick that is not wide, from its code, and from the weighted sum of its neighbours and the
// range, plus ROUNDING.
fn undo_narrow(sum: u32, code: u32, range: u32) -> u32 {
    // Where a step as large in the other direction would leave the range, a code counts from that end.
    let step = unfold(code);
    let size = abs(step);
    let prediction = bitcast<i32>(sum) >> 4u;
    let value = select(u32(prediction + step), code, prediction < size);
    return select(value, range - code, prediction > i32(range) - size);
}

// The same for any brick, from the sum alone.
fn undo(sum: u32, code: u32, range: u32) -> u32 {
    return select(undo_narrow(sum + ROUNDING, code, range), sum + u32(unfold(code)), range >= WIDE);
}
