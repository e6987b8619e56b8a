// Blocks of one part, at level 2 also of two: mod.rs.
// needs: ../../real_time/texels.wgsl, sums.wgsl, weights.wgsl, pack.wgsl

// Returns targets of the endpoints of the line through all texels.
fn line_ends(sums: Sums, range: Range) -> Ends {
    let axis = axis_of(sums, 16.0);
    var low = dot(axis, centered(0u));
    var high = low;
    for (var t = 1u; t < 16u; t++) {
        let place = dot(axis, centered(t));
        low = min(low, place);
        high = max(high, place);
    }
    let scale = scale_of(range, low, high);
    var moments = Moments(0.0, 0.0, vec4(0.0));
    for (var t = 0u; t < 16u; t++) {
        let x = centered(t);
        moments = with_texel(moments, weight_in_span(range, scale, dot(axis, x)), x);
    }
    return fitted(moments, sums.total, 16.0);
}

// Result for one part, and the sums for a regression.
struct OnePart {
    coded: Coded,
    weights: Weights,
    moments: Moments,
}

// Codes a part. One endpoint must have the alpha of opaque texels.
fn one_part(given: Ends, has_alpha: bool, has_opaque: bool, visible: u32) -> OnePart {
    var targets = given;
    var found: OnePart;
    var range = RANGE_24;
    if has_alpha {
        range = RANGE_12;
        let is_second = targets.a.w < targets.b.w;
        targets.a.w = select(targets.a.w, 1020.0, has_opaque && !is_second);
        targets.b.w = select(targets.b.w, 1020.0, has_opaque && is_second);
        found.coded = code_part(targets, WITH_ALPHA);
    } else {
        found.coded = code_part(targets, ONE_PART);
    }
    let line = line_of(range, found.coded.ends);
    for (var t = 0u; t < 16u; t++) {
        let x = centered(t);
        if LEVEL > 1u || has_alpha {
            let weight = better_weight(range, line, x);
            found.weights.packed |= code_at(t, weight.code);
            found.weights.error += select(0.0, weight.error, is_in(visible, t));
            if LEVEL > 1u {
                found.moments = with_texel(found.moments, weight.w, x);
            }
        } else {
            found.weights.packed |= code_at(t, nearest_code(range, line, x));
        }
    }
    return found;
}

// Four of the patterns.
fn four_patterns(number: u32) -> vec4<u32> {
    var four = vec4(PATTERNS[0], PATTERNS[1], PATTERNS[2], PATTERNS[3]);
    four = select(four, vec4(PATTERNS[4], PATTERNS[5], PATTERNS[6], PATTERNS[7]), number == 1u);
    four = select(four, vec4(PATTERNS[8], PATTERNS[9], PATTERNS[10], PATTERNS[11]), number == 2u);
    four = select(four, vec4(PATTERNS[12], PATTERNS[13], PATTERNS[14], PATTERNS[15]), number == 3u);
    return select(four, vec4(PATTERNS[16], PATTERNS[17], PATTERNS[18], PATTERNS[19]), number == 4u);
}

// Returns the estimated error of a part (patterns.rs).
fn estimate(sums: Sums, count: f32) -> f32 {
    let found = widest(sums, count);
    let row = found.row;
    let squares = keep(keep(keep(row.x * row.x) + keep(row.y * row.y)) + keep(row.z * row.z));
    let rest = keep(found.whole - keep(squares * reciprocal(max(found.largest, 1.0))));
    return keep(keep(rest + found.whole * SHARE) * reciprocal(count));
}

// Returns the pattern with the smallest estimated error.
fn choose(all: Sums) -> u32 {
    var chosen = 0u;
    var least = 0.0;
    for (var number = 0u; number < PATTERN_COUNT / 4u; number++) {
        var four = four_patterns(number);
        for (var i = 0u; i < 4u; i++) {
            let mask = four.x & 0xffffu;
            let count = f32(countOneBits(mask));
            let second = sums_of(mask);
            let error = keep(estimate(less(all, second), 16.0 - count) + estimate(second, count));
            if chosen == 0u || error < least {
                least = error;
                chosen = four.x;
            }
            four = four.yzwx;
        }
    }
    return chosen;
}

struct TwoParts {
    words: vec4<u32>,
    error: f32,
}

// Returns the best block of two parts, and its error.
fn two_parts(all: Sums, visible: u32) -> TwoParts {
    let chosen = choose(all);
    let of_second = sums_of(chosen & 0xffffu);
    let of_first = less(all, of_second);
    let count = f32(countOneBits(chosen & 0xffffu));
    let first_axis = axis_of(of_first, 16.0 - count);
    let second_axis = axis_of(of_second, count);
    // Low and high of both parts.
    var low = vec2(MOST);
    var high = vec2(-MOST);
    for (var t = 0u; t < 16u; t++) {
        let is_second = is_in(chosen, t);
        let place = dot(select(first_axis, second_axis, is_second), centered(t));
        let wanted = vec2(!is_second, is_second);
        low = select(low, min(low, vec2(place)), wanted);
        high = select(high, max(high, vec2(place)), wanted);
    }
    let first_scale = scale_of(RANGE_6, low.x, high.x);
    let second_scale = scale_of(RANGE_6, low.y, high.y);
    var first = Moments(0.0, 0.0, vec4(0.0));
    var second = first;
    for (var t = 0u; t < 16u; t++) {
        let is_second = is_in(chosen, t);
        let x = centered(t);
        let place = dot(select(first_axis, second_axis, is_second), x);
        let w = weight_in_span(RANGE_6, select(first_scale, second_scale, is_second), place);
        if is_second {
            second = with_texel(second, w, x);
        } else {
            first = with_texel(first, w, x);
        }
    }
    let first_coded = code_part(fitted(first, of_first.total, 16.0 - count), OF_TWO);
    let second_coded = code_part(fitted(second, of_second.total, count), OF_TWO);
    let first_line = line_of(RANGE_6, first_coded.ends);
    let second_line = line_of(RANGE_6, second_coded.ends);
    var weights = Weights(vec3(0u), 0.0);
    for (var t = 0u; t < 16u; t++) {
        var line = first_line;
        if is_in(chosen, t) {
            line = second_line;
        }
        let weight = better_weight(RANGE_6, line, centered(t));
        weights.packed |= code_at(t, weight.code);
        weights.error += select(0.0, weight.error, is_in(visible, t));
    }
    let words = two_part_words(chosen, first_coded.codes, second_coded.codes, weights.packed);
    return TwoParts(words, weights.error);
}

// Returns the block of the kept texels. The error of texels that are not visible does not count.
fn encode_block(visible: u32) -> vec4<u32> {
    let texel = block_texel(0u);
    var differences = 0u;
    var alphas = 0xffffffffu;
    var greatest = 0u;
    for (var t = 0u; t < 16u; t++) {
        let other = block_texel(t);
        differences |= texel ^ other;
        alphas &= other;
        greatest = max(greatest, other >> 24u);
    }
    if differences == 0u {
        // One colour.
        let channels = ((vec4(texel) >> vec4(0u, 8u, 16u, 24u)) & vec4(255u)) * 257u;
        let colors = channels.xz | (channels.yw << vec2(16u));
        return vec4(0xfffffdfcu, 0xffffffffu, colors);
    }
    let has_alpha = alphas >> 24u != 255u;
    let has_opaque = greatest == 255u;
    var range = RANGE_24;
    if has_alpha {
        range = RANGE_12;
    }
    let sums = sums_of(0xffffu);
    var best = one_part(line_ends(sums, range), has_alpha, has_opaque, visible);
    if LEVEL > 1u {
        let again = one_part(fitted(best.moments, sums.total, 16.0), has_alpha, has_opaque, visible);
        if again.weights.error < best.weights.error {
            best = again;
        }
    }
    if has_alpha {
        return alpha_words(best.coded, best.weights.packed);
    }
    if LEVEL > 1u {
        let two = two_parts(sums, visible);
        if two.error < best.weights.error {
            return two.words;
        }
    }
    return one_part_words(best.coded, best.weights.packed);
}
