// Sum of costs over a block's texels. It uses floats where they are exact, because conversions to integers
// are slow.

// True if the weights are so small that sums over a block are below 2^24.
override LIGHT = false;

struct Total {
    light: f32,
    whole: i32,
}

fn with_cost(total: Total, cost: f32) -> Total {
    if LIGHT {
        return Total(total.light + cost, total.whole);
    }
    return Total(total.light, total.whole + i32(cost));
}

fn whole(total: Total) -> i32 {
    return total.whole + i32(total.light);
}
