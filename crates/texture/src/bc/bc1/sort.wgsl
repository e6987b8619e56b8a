// Sorts sixteen keys without branches, all in registers: columns of four, then merged in pairs by bitonic
// networks.

struct Keys {
    first: vec4<i32>,
    second: vec4<i32>,
    third: vec4<i32>,
    fourth: vec4<i32>,
}

// Sorts keys that ascend and then descend, or descend and then ascend.
fn straighten(keys: vec4<i32>) -> vec4<i32> {
    let low = min(keys.xy, keys.zw);
    let high = max(keys.xy, keys.zw);
    return vec4(min(low.x, low.y), max(low.x, low.y), min(high.x, high.y), max(high.x, high.y));
}

struct Eight {
    low: vec4<i32>,
    high: vec4<i32>,
}

// Merges two sorted fours.
fn merge_fours(a: vec4<i32>, b: vec4<i32>) -> Eight {
    return Eight(straighten(min(a, b.wzyx)), straighten(max(a, b.wzyx)));
}

fn sort(keys: Keys) -> Keys {
    // The columns, each from `a` to `d`.
    let low0 = min(keys.first, keys.second);
    let high0 = max(keys.first, keys.second);
    let low1 = min(keys.third, keys.fourth);
    let high1 = max(keys.third, keys.fourth);
    let a = min(low0, low1);
    let d = max(high0, high1);
    let inner0 = max(low0, low1);
    let inner1 = min(high0, high1);
    let b = min(inner0, inner1);
    let c = max(inner0, inner1);
    let left = merge_fours(vec4(a.x, b.x, c.x, d.x), vec4(a.y, b.y, c.y, d.y));
    let right = merge_fours(vec4(a.z, b.z, c.z, d.z), vec4(a.w, b.w, c.w, d.w));
    // The lower eight keys, and the upper eight, each bitonic.
    let low_low = min(left.low, right.high.wzyx);
    let low_high = min(left.high, right.low.wzyx);
    let high_low = max(left.low, right.high.wzyx);
    let high_high = max(left.high, right.low.wzyx);
    return Keys(
        straighten(min(low_low, low_high)),
        straighten(max(low_low, low_high)),
        straighten(min(high_low, high_high)),
        straighten(max(high_low, high_high)),
    );
}
