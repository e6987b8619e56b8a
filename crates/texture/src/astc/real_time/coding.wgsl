// Endpoints to codes and back (coding.rs).

// Two colours.
struct Ends {
    a: vec4<f32>,
    b: vec4<f32>,
}

fn exchanged(ends: Ends, is_exchanged: bool) -> Ends {
    return Ends(select(ends.a, ends.b, is_exchanged), select(ends.b, ends.a, is_exchanged));
}

// Endpoints, their codes, 1 if the odd codes are offsets, and the loss.
struct Coded {
    ends: Ends,
    codes: Ends,
    is_offset: u32,
    loss: f32,
}

struct Level {
    code: vec4<f32>,
    level: vec4<f32>,
}

const ONE_PART = 0u;
const OF_TWO = 1u;
const WITH_ALPHA = 2u;

// Returns the codes nearest to targets in quarters.
fn nearest(target_color: vec4<f32>, kind: u32) -> Level {
    if kind == ONE_PART {
        let code = clamp(round(target_color * SCALE_64), vec4(0.0), vec4(63.0));
        return Level(code, code * 4.0 + floor(code * (1.0 / 16.0)));
    }
    let is_high = target_color > vec4(510.0);
    let folded = select(target_color, 1020.0 - target_color, is_high);
    let with_alpha = kind == WITH_ALPHA;
    let scaled = folded * select(SCALE_24, SCALE_96, with_alpha);
    let place = clamp(round(scaled), vec4(0.0), vec4(select(11.0, 47.0, with_alpha)));
    let thirds = floor((place + 0.5) * THIRD);
    let low = select(
        place * 11.0,
        floor((place * 11.0 + (floor(thirds * 0.25) - thirds)) * 0.25),
        vec4(with_alpha),
    );
    let code = (place - 3.0 * thirds) * select(8.0, 32.0, with_alpha) + 2.0 * thirds;
    return Level(select(code, code + 1.0, is_high), select(low, 255.0 - low, is_high));
}

// Returns the loss of decoded endpoints.
fn loss_of(ends: Ends, targets: Ends) -> f32 {
    let a = ends.a * 4.0 - targets.a;
    let b = ends.b * 4.0 - targets.b;
    return dot(a, a) + dot(b, a + b);
}

fn sum(color: vec4<f32>) -> f32 {
    return color.x + color.y + color.z;
}

// Returns a target moved against half of the error of the other endpoint.
fn opposite(target_color: vec4<f32>, other: vec4<f32>, other_target: vec4<f32>) -> vec4<f32> {
    return target_color + floor((other_target - other * 4.0) * 0.5);
}

fn direct(targets: Ends, kind: u32) -> Coded {
    let a = nearest(targets.a, kind);
    // Opaque endpoints stay so.
    let moved = vec4(opposite(targets.b, a.level, targets.a).xyz, targets.b.w);
    let b = nearest(moved, kind);
    let ends = Ends(a.level, b.level);
    let is_reversed = sum(b.level) < sum(a.level);
    let codes = exchanged(Ends(a.code, b.code), is_reversed);
    return Coded(exchanged(ends, is_reversed), codes, 0u, loss_of(ends, targets));
}

// Returns red and green of `color`, and the others of `other`.
fn red_green(color: vec4<f32>, other: vec4<f32>) -> vec4<f32> {
    return vec4(color.xy, other.zw);
}

// Blue contraction.
fn contracted(color: vec4<f32>) -> vec4<f32> {
    return red_green(floor((color + color.z) * 0.5), color);
}

// Returns targets of red and green before blue contraction.
fn before(target_color: vec4<f32>, blue: f32) -> vec4<f32> {
    return target_color * 2.0 + (2.0 - blue * 4.0);
}

fn direct_contracted(targets: Ends, kind: u32) -> Coded {
    let blue_a = nearest(targets.a, kind);
    let blue_b = nearest(opposite(targets.b, blue_a.level, targets.a), kind);
    let both_a = nearest(before(targets.a, blue_a.level.z), kind);
    let stored_a = red_green(both_a.level, blue_a.level);
    let moved = opposite(targets.b, contracted(stored_a), targets.a);
    let both_b = nearest(before(moved, blue_b.level.z), kind);
    let stored_b = red_green(both_b.level, blue_b.level);
    let ends = Ends(contracted(stored_a), contracted(stored_b));
    let of_a = sum(stored_a);
    let of_b = sum(stored_b);
    let codes = Ends(red_green(both_b.code, blue_b.code), red_green(both_a.code, blue_a.code));
    let is_reversed = of_b < of_a;
    return Coded(
        exchanged(ends, is_reversed),
        exchanged(codes, is_reversed),
        0u,
        select(loss_of(ends, targets), INVALID, of_a == of_b),
    );
}

// Code, base, and 1 if its top bit is set.
struct Base {
    code: vec4<f32>,
    base: vec4<f32>,
    top: vec4<f32>,
}

fn base_of(target_color: vec4<f32>) -> Base {
    let top = select(vec4(0.0), vec4(1.0), target_color > vec4(510.0));
    let rest = clamp(target_color - top * 512.0, vec4(0.0), vec4(508.0));
    let code = round(rest * SCALE_BASE);
    return Base(code, top * 128.0 + (code * 2.0 + floor(code * (1.0 / 32.0))), top);
}

// Returns the codes nearest to offsets, and these.
fn offset_of(target_offset: vec4<f32>, top: vec4<f32>) -> Level {
    let half = clamp(round((target_offset - top * 4.0) * 0.125), vec4(-16.0), vec4(15.0));
    let code = top * 32.0 + select(half, half + 32.0, half < vec4(0.0));
    return Level(code, half * 2.0 + top);
}

fn offsets(given: Ends) -> Coded {
    let targets = exchanged(given, sum(given.b) < sum(given.a));
    let a = base_of(targets.a);
    let b = offset_of(opposite(targets.b, a.base, targets.a) - a.base * 4.0, a.top);
    let ends = Ends(a.base, clamp(a.base + b.level, vec4(0.0), vec4(255.0)));
    let loss = select(loss_of(ends, targets), INVALID, sum(b.level) < 0.0);
    return Coded(ends, Ends(a.code, b.code), 1u, loss);
}

// Returns the sum of a colour before blue contraction, for a comparison.
fn sum_before(color: vec4<f32>) -> f32 {
    return 2.0 * (color.x + color.y) - color.z;
}

fn offsets_contracted(given: Ends) -> Coded {
    let targets = exchanged(given, sum_before(given.b) < sum_before(given.a));
    let blue = base_of(targets.b);
    let of_blue = opposite(targets.a, blue.base, targets.b) - blue.base * 4.0;
    let blue_offset = offset_of(of_blue, blue.top);
    let both = base_of(before(targets.b, blue.base.z));
    let stored_b = red_green(both.base, blue.base);
    let moved = opposite(targets.a, contracted(stored_b), targets.b);
    let blue_of_a = blue.base.z + blue_offset.level.z;
    let both_offset = offset_of(before(moved, blue_of_a) - both.base * 4.0, both.top);
    let levels = red_green(both_offset.level, blue_offset.level);
    let ends = Ends(
        clamp(contracted(stored_b + levels), vec4(0.0), vec4(255.0)),
        clamp(contracted(stored_b), vec4(0.0), vec4(255.0)),
    );
    return Coded(
        ends,
        Ends(red_green(both.code, blue.code), red_green(both_offset.code, blue_offset.code)),
        1u,
        select(INVALID, loss_of(ends, targets), sum(levels) < 0.0),
    );
}

// Returns the best codes of a part. Alpha does not count, but in blocks with alpha.
fn code_part(given: Ends, kind: u32) -> Coded {
    var targets = given;
    if kind == WITH_ALPHA {
        return direct(targets, kind);
    }
    targets.a.w = 1020.0;
    targets.b.w = 1020.0;
    var best = direct(targets, kind);
    var other = direct_contracted(targets, kind);
    if other.loss < best.loss {
        best = other;
    }
    if kind == ONE_PART {
        other = offsets(targets);
        if other.loss < best.loss {
            best = other;
        }
        other = offsets_contracted(targets);
        if other.loss < best.loss {
            best = other;
        }
    }
    return best;
}
