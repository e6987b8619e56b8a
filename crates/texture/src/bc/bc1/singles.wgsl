// Single moves (moves.rs), which come first: one code up or down. climb.wgsl has `try_moves`.
//
// A step up and the same step down are tried together: if the first helps, the second would only lead back.
// They change one channel of the palette, so both share the cost of the others.
// needs: lanes.wgsl, palette.wgsl, total.wgsl, assign.wgsl, best.wgsl

// Extra cost of entries over the first, by entry: in the moving channel and in the two after it.
struct Pair {
    up: vec3<f32>,
    down: vec3<f32>,
    next: vec3<f32>,
    last: vec3<f32>,
    constant: vec3<f32>,
    // Change of the constant for the code down.
    step: vec3<f32>,
}

// Returns channel `c`, which is known only at run time. A copy of all this for each channel would keep every
// texel's channels in registers.
fn channel(v: vec3<f32>, c: u32) -> f32 {
    return select(select(v.x, v.y, c == 1u), v.z, c == 2u);
}

fn channel_of(colors: Palette, c: u32) -> vec4<f32> {
    return vec4(channel(colors[0], c), channel(colors[1], c), channel(colors[2], c), channel(colors[3], c));
}

// Returns the differences of the other entries' values from the first entry's.
fn more_than_first(values: vec4<f32>) -> vec3<f32> {
    return values.yzw - vec3(values.x);
}

struct Totals {
    up: Total,
    down: Total,
}

// Shift distances of a texel for the moving channel and the next, and for the last.
struct Shifts {
    first: u32,
    last: u32,
}

fn add_texel(found: ptr<function, Totals>, mode: u32, pair: Pair, shifts: Shifts, t: u32) {
    let two = words[t] >> shifts.first;
    let bits = (vec3(two, two, words[t] >> shifts.last) & vec3(0xffu, 0xff00u, 0xffu)) | vec3(TWO_23);
    // The next channel times 256.
    let zero = vec3(8388608.0 + CENTER, 8388608.0 + 256.0 * CENTER, 8388608.0 + CENTER);
    let x = bitcast<vec3<f32>>(bits) - zero;
    let stay = (pair.constant + x.y * pair.next) + x.z * pair.last;
    let up = least_of(mode, stay + x.x * pair.up);
    let down = least_of(mode, (stay + pair.step) + x.x * pair.down);
    let is_left_out = is_out(t);
    (*found).up = with_cost((*found).up, select(up, 0.0, is_left_out));
    (*found).down = with_cost((*found).down, select(down, 0.0, is_left_out));
}

fn add_four(found: ptr<function, Totals>, mode: u32, pair: Pair, shifts: Shifts, t: u32) {
    add_texel(found, mode, pair, shifts, t);
    add_texel(found, mode, pair, shifts, t + 1u);
    add_texel(found, mode, pair, shifts, t + 2u);
    add_texel(found, mode, pair, shifts, t + 3u);
}

// Tries the code of channel `c` of the first or second endpoint, one up and one down.
fn try_code(mode: u32, best: ptr<function, Best>, of_first: bool, c: u32) {
    let ends = (*best).ends;
    let step = select(vec3(0.0), vec3(1.0), vec3(c) == vec3(0u, 1u, 2u));
    let step_a = select(vec3(0.0), step, of_first);
    let step_b = step - step_a;
    let top = params.rule.top.xyz;
    let above = Endpoints(min(ends.a + step_a, top), min(ends.b + step_b, top));
    let below = Endpoints(max(ends.a - step_a, vec3(0.0)), max(ends.b - step_b, vec3(0.0)));

    let next = select(c + 1u, 0u, c == 2u);
    let last = select(c - 1u, 2u, c == 0u);
    let weight = -2.0 * params.rule.weight.xyz;
    let colors = palette(mode, above);
    let up = channel_of(colors, c);
    let down = channel_of(palette(mode, below), c);
    let stay1 = channel_of(colors, next);
    let stay2 = channel_of(colors, last);
    let slope_up = channel(weight, c) * up;
    let slope_down = channel(weight, c) * down;
    let slope1 = channel(weight, next) * stay1;
    let slope2 = channel(weight, last) * stay2;
    // (A slope is even.)
    let constant = -0.5 * (stay1 * slope1 + stay2 * slope2 + up * slope_up);
    let to_down = -0.5 * (down * slope_down - up * slope_up);
    let pair = Pair(
        more_than_first(slope_up),
        more_than_first(slope_down),
        more_than_first(slope1) * (1.0 / 256.0),
        more_than_first(slope2),
        more_than_first(constant),
        more_than_first(to_down),
    );
    let sums = unpair(totals);
    let of_c = i32(channel(sums.xyz, c));
    let stays = i32(slope1.x) * i32(channel(sums.xyz, next)) + i32(slope2.x) * i32(channel(sums.xyz, last));
    let first_up = i32(constant.x) * i32(sums.w) + i32(slope_up.x) * of_c;
    let first_down = i32(constant.x + to_down.x) * i32(sums.w) + i32(slope_down.x) * of_c;
    var found = Totals(Total(0.0, stays + first_up), Total(0.0, stays + first_down));
    let shifts = Shifts(8u * c, 8u * last);
    add_four(&found, mode, pair, shifts, 0u);
    add_four(&found, mode, pair, shifts, 4u);
    add_four(&found, mode, pair, shifts, 8u);
    add_four(&found, mode, pair, shifts, 12u);
    let cost_up = whole(found.up);
    let before = (*best).cost;
    offer(best, cost_up, above);
    if cost_up >= before {
        offer(best, whole(found.down), below);
    }
}

// Tries all single moves, each from the current endpoints.
fn try_singles(mode: u32, best: ptr<function, Best>) {
    if FALLING && mode != FOUR {
        // A step of one channel may exchange the endpoints, and with them another channel's half.
        try_moves(mode, best, SINGLE_MOVE_COUNT);
        return;
    }
    for (var code = 0u; code < 6u; code++) {
        try_code(mode, best, code < 3u, code % 3u);
    }
}
