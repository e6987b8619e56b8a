// T and H blocks: real_time_paint.rs. A part of real_time.wgsl.

// A group of texels.
struct Group {
    sum: vec3<f32>,
    count: f32,
}

// Returns the mean colour in steps of 1 / `steps`, rounded.
fn mean_of(group: Group, steps: f32) -> vec3<f32> {
    let rate = keep(vec4(one_over(group.count) * steps)).x;
    return floor(keep3(group.sum * rate) + 0.5);
}

fn group_of(texels: u32) -> Group {
    var group = Group(vec3(0.0), f32(countOneBits(texels)));
    for (var t = 0u; t < unknown(16u); t++) {
        group.sum += channels(t) * f32((texels >> t) & 1u);
    }
    return group;
}

// Returns the texels of the second of two groups, along the diagonal of the bounding box.
fn along_diagonal(mean: vec3<f32>) -> u32 {
    var low = vec3(255.0);
    var high = vec3(0.0);
    for (var t = 0u; t < unknown(16u); t++) {
        let x = channels(t);
        low = min(low, x);
        high = max(high, x);
    }
    let range = high - low;
    // The channel with the widest range determines which channels fall while it rises.
    let is_green = range.x < range.y;
    let is_blue = max(range.x, range.y) < range.z;
    var covariance = vec3(0.0);
    for (var t = 0u; t < unknown(16u); t++) {
        let apart = channels(t) - mean;
        covariance += apart * select(select(apart.x, apart.y, is_green), apart.z, is_blue);
    }
    let axis = select(range, -range, covariance < vec3(0.0));
    var texels = 0u;
    for (var t = 0u; t < unknown(16u); t++) {
        texels |= select(0u, 1u << t, dot(channels(t) - mean, axis) > 0.0);
    }
    return texels & counted;
}

// Errors that each distance adds, from the shortest one on.
struct Added {
    low: vec4<f32>,
    high: vec4<f32>,
}

// Returns the best T or H block of a block without transparent texels.
fn paint() -> Found {
    let everything = group_of(counted);
    var seconds = along_diagonal(mean_of(everything, 1.0));
    var second = group_of(seconds);
    var first = Group(everything.sum - second.sum, everything.count - second.count);
    var is_illegal = first.count < 1.0 || second.count < 1.0;
    // Texels that are nearer to the second mean.
    let of_first = mean_of(first, 1.0);
    let of_second = mean_of(second, 1.0);
    let doubles = (of_second - of_first) * 2.0;
    let limit = dot(of_second, of_second) - dot(of_first, of_first);
    seconds = 0u;
    var square = 0.0;
    for (var t = 0u; t < unknown(16u); t++) {
        let x = channels(t);
        seconds |= select(0u, 1u << t, limit < dot(x, doubles));
        square += dot(x, x) * weight_of(t);
    }
    seconds &= counted;
    second = group_of(seconds);
    first = Group(everything.sum - second.sum, everything.count - second.count);
    is_illegal = is_illegal || first.count < 1.0 || second.count < 1.0;
    let first_codes = mean_of(first, FOUR_RATE);
    let second_codes = mean_of(second, FOUR_RATE);
    let first_color = first_codes * 17.0;
    let second_color = second_codes * 17.0;
    // The error of the two colours alone.
    let errors = first_color * (first_color * first.count - 2.0 * first.sum)
        + second_color * (second_color * second.count - 2.0 * second.sum);
    let of_colors = square + errors.x + errors.y + errors.z;
    let first_base = first_color.x + first_color.y + first_color.z;
    let second_base = second_color.x + second_color.y + second_color.z;
    // What each distance adds: if the first group has it, the second, or both.
    let distances = Added(bytes(FIRST_DISTANCES), bytes(LAST_DISTANCES));
    let nothing = vec4(0.0);
    var to_first = Added(nothing, nothing);
    var to_second = Added(nothing, nothing);
    var to_both = Added(nothing, nothing);
    for (var t = 0u; t < unknown(16u); t++) {
        let weight = weight_of(t);
        let is_second = ((seconds >> t) & 1u) != 0u;
        let offset = abs(texel_total(t) - select(first_base, second_base, is_second));
        let low = distances.low * (3.0 * distances.low - 2.0 * offset);
        let high = distances.high * (3.0 * distances.high - 2.0 * offset);
        to_both.low += low * weight;
        to_both.high += high * weight;
        let low_of_three = min(low, nothing) * weight;
        let high_of_three = min(high, nothing) * weight;
        to_first.low += select(low_of_three, nothing, is_second);
        to_first.high += select(high_of_three, nothing, is_second);
        to_second.low += select(nothing, low_of_three, is_second);
        to_second.high += select(nothing, high_of_three, is_second);
    }
    let places = vec3(256.0, 16.0, 1.0);
    let first_number = dot(first_codes, places);
    let second_number = dot(second_codes, places);
    var cost = MOST;
    var mode = T_MODE;
    var distance = 0u;
    var is_swapped = false;
    for (var i = 0u; i < unknown(8u); i++) {
        if to_second.low.x < cost {
            cost = to_second.low.x;
            mode = T_MODE;
            distance = i;
            is_swapped = false;
        }
        if to_first.low.x < cost {
            cost = to_first.low.x;
            mode = T_MODE;
            distance = i;
            is_swapped = true;
        }
        // Equal colours of an H block allow only odd distances. Others have an order for each.
        let is_odd = (i & 1u) != 0u;
        if to_both.low.x < cost && (is_odd || first_number != second_number) {
            cost = to_both.low.x;
            mode = H_MODE;
            distance = i;
            is_swapped = (first_number < second_number) == is_odd;
        }
        to_first = after_first(to_first);
        to_second = after_first(to_second);
        to_both = after_first(to_both);
    }
    return Found(
        select(cost + of_colors, MOST, is_illegal),
        mode,
        0u,
        packed(select(first_codes, second_codes, vec3(is_swapped))),
        packed(select(second_codes, first_codes, vec3(is_swapped))),
        0u,
        distance,
    );
}

// Returns the errors without the first one. (Vectors with a variable index are in memory.)
fn after_first(added: Added) -> Added {
    return Added(vec4(added.low.yzw, added.high.x), added.high.yzwx);
}
