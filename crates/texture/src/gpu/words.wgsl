// 64-bit integers, as two words.

// Four integers, each of two words.
struct Wide {
    low: vec4<u32>,
    high: vec4<u32>,
}

fn plus(a: Wide, b: Wide) -> Wide {
    let low = a.low + b.low;
    return Wide(low, a.high + b.high + vec4<u32>(low < a.low));
}

fn minus(a: Wide, b: Wide) -> Wide {
    return Wide(a.low - b.low, a.high - b.high - vec4<u32>(a.low < b.low));
}

fn times(a: Wide, b: vec4<u32>) -> Wide {
    let half = vec4(16u);
    let mask = vec4(65535u);
    let a0 = a.low & mask;
    let a1 = a.low >> half;
    let b0 = b & mask;
    let b1 = b >> half;
    let p01 = a0 * b1;
    let p10 = a1 * b0;
    let middle = ((a0 * b0) >> half) + (p01 & mask) + (p10 & mask);
    return Wide(a.low * b, a1 * b1 + (p01 >> half) + (p10 >> half) + (middle >> half) + a.high * b);
}
