// Signed numbers of 64 bits in two words, as WGSL has none: sums of 32-bit voxels, and Haar's numbers of
// them, take up to 36.

struct Wide {
    low: u32,
    high: u32,
}

fn add(a: Wide, b: Wide) -> Wide {
    let low = a.low + b.low;
    return Wide(low, a.high + b.high + u32(low < a.low));
}

fn subtract(a: Wide, b: Wide) -> Wide {
    return Wide(a.low - b.low, a.high - b.high - u32(a.low < b.low));
}

// ⌊a / 2⌋.
fn halved(a: Wide) -> Wide {
    return Wide((a.low >> 1u) | (a.high << 31u), bitcast<u32>(bitcast<i32>(a.high) >> 1u));
}
