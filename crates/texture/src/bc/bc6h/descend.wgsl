// Lowers the errors of candidates by steps of codes (descend.rs). One thread per candidate.
// needs: params.wgsl, line.wgsl, codings.wgsl, candidate.wgsl, store.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> candidates: array<u32>;

// Returns a vector's component.
fn component(v: vec3<f32>, c: u32) -> f32 {
    return select(select(v.x, v.y, c == 1u), v.z, c == 2u);
}

fn is_no_code(coding: Coding, codes: vec2<f32>) -> bool {
    let bottom = select(0.0, -coding.end, SIGNED);
    return any(codes < vec2(bottom)) || any(codes > vec2(coding.end));
}

// Returns true if the difference of a code from the base cannot be stored.
fn is_far(least: f32, code: f32, base: f32) -> bool {
    let difference = code - base;
    return difference < least || difference > -least - 1.0;
}

// Returns true, for each subset, if the codes of a step cannot be stored. The second subset's new codes must
// suit the old base, and its old and new codes a new base, so that each subset may step or stay.
fn are_impossible(
    coding: Coding,
    c: u32,
    base_moves: bool,
    first: Codes,
    second: Codes,
    new_first: Codes,
    new_second: Codes,
    is_two: bool,
) -> vec2<bool> {
    let least = component(coding.least, c);
    let base = component(first.a, c);
    let of_first = vec2(component(new_first.a, c), component(new_first.b, c));
    let of_second = vec2(component(new_second.a, c), component(new_second.b, c));
    let old_second = vec2(component(second.a, c), component(second.b, c));
    let is_left = is_far(least, of_second.x, of_first.x)
        || is_far(least, of_second.y, of_first.x)
        || is_far(least, old_second.x, of_first.x)
        || is_far(least, old_second.y, of_first.x);
    return vec2(
        is_no_code(coding, of_first)
            || is_far(least, of_first.y, of_first.x)
            || (is_two && base_moves && is_left),
        is_no_code(coding, of_second) || is_far(least, of_second.x, base) || is_far(least, of_second.y, base),
    );
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let at = (group.y * groups.x + group.x) * 64u + thread;
    let block = params.first_block + at / params.parts;
    if block >= params.end_block {
        return;
    }
    let slot = at % params.parts;
    let from_place = place_of(block, params.from_slot + slot);
    let to = place_of(block, params.to_slot + slot);
    let old_error = candidates[from_place];
    let mode = mode_at(from_place);
    let shape = shape_at(from_place);
    let coding = limited(block, coding_of(mode));
    let count = subset_count(shape);
    let old_first = codes_at(from_place, 0u);
    let old_second = codes_at(from_place, 1u);
    var first = old_first;
    var second = old_second;
    var errors = vec2(0.0);
    // The first evaluation is that of the codes themselves.
    let steps = 9u * params.lengths;
    var improved = true;
    for (var step = 0u; step <= params.sweeps * steps; step++) {
        let place = (step + steps - 1u) % steps;
        if step > 0u && place == 0u {
            if !improved {
                break;
            }
            improved = false;
        }
        let c = (place / params.lengths) % 3u;
        let direction = place / (3u * params.lengths);
        let length = select(table(LENGTHS + place % params.lengths), 0.0, step == 0u);
        let unit = select(vec3(0.0), vec3(length), vec3(0u, 1u, 2u) == vec3(c));
        let of_a = table(DIRECTIONS + 2u * direction);
        let of_b = table(DIRECTIONS + 2u * direction + 1u);
        let new_first = Codes(first.a + of_a * unit, first.b + of_b * unit);
        let new_second = Codes(second.a + of_a * unit, second.b + of_b * unit);
        let impossible =
            are_impossible(coding, c, of_a != 0.0, first, second, new_first, new_second, count == 2u);
        for (var k = 0u; k < count; k++) {
            var codes = new_first;
            if k != 0u {
                codes = new_second;
            }
            let error = subset_error(block, subset_of(block, shape, k), coding, codes);
            let is_first = k == 0u;
            let old = select(errors.y, errors.x, is_first);
            let is_allowed = !select(impossible.y, impossible.x, is_first);
            let is_better = step == 0u || (is_allowed && error < keep(old * SMALLER));
            improved = improved || (is_better && step > 0u);
            if is_better && is_first {
                errors.x = error;
                first = codes;
            } else if is_better {
                errors.y = error;
                second = codes;
            }
        }
    }
    let error = keep(errors.x + errors.y);
    let is_better = error < keep(bitcast<f32>(old_error) * SMALLER);
    if !is_better {
        first = old_first;
        second = old_second;
    }
    store_error(to, select(bitcast<f32>(old_error), error, is_better), mode, shape);
    store_codes(to, 0u, first);
    store_codes(to, 1u, second);
}
