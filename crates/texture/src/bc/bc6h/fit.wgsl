// Fits endpoints of one subset or of a partition in the most promising modes (fit.rs). One thread per fit.
// needs: params.wgsl, line.wgsl, codings.wgsl, start.wgsl, candidate.wgsl, store.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<vec2<u32>>;
// Partitions of each block, one byte each, the most promising first.
@group(0) @binding(3) var<storage, read> rankings: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read_write> candidates: array<u32>;

fn fit_of(block: u32, subset: Subset, extension: vec2<f32>) -> Fit {
    let middle = texel_of(block, 16u);
    var ends = start_of(block, subset, extension);
    var sums = Sums();
    for (var turn = 0u; turn < params.rounds; turn++) {
        let line = line_of(subset, ends);
        sums = Sums();
        for (var rest = subset.members; rest != 0u; rest &= rest - 1u) {
            let t = countTrailingZeros(rest);
            let texel = texel_at(block, t);
            let index = round(clamped(subset, t, place_on(line, subset, texel)));
            sums = with_texel(sums, texel, vec3<f32>(texel_of(block, t) - middle), weight_of(subset, index));
        }
        ends = regression(sums, vec3<f32>(middle));
    }
    return fit_from(sums, ends);
}

fn growth(fit: Fit, x: vec3<f32>, y: vec3<f32>) -> vec3<f32> {
    let both = keep3(fit.both * keep3(x * y));
    let of_x = keep3(fit.first * keep3(x * x));
    return keep3(keep3(of_x + (both + both)) + keep3(fit.second * keep3(y * y)));
}

struct Quantized {
    codes: Codes,
    // Estimated growth of the error in each channel.
    growth: vec3<f32>,
}

// Returns codes for a subset's endpoints. The second makes up for the rounding of the first, then the first
// for the second, within the limits of differences from `base`, the codes of the block's first endpoint.
fn quantized(coding: Coding, fit: Fit, number: u32, base: vec3<f32>) -> Quantized {
    let is_first = number == 0u;
    let nearest = codes_of(coding, fit.ends.a);
    let first = select(within_reach(coding, nearest, base), nearest, is_first);
    let start = select(base, first, is_first);
    let off = keep3(values_of(coding, first) - fit.ends.a);
    let wanted = select(keep3(fit.ends.b + keep3(fit.second_of_first * off)), vec3(0.0), fit.is_empty);
    let second = within_reach(coding, codes_of(coding, wanted), start);
    let second_off = keep3(values_of(coding, second) - fit.ends.b);
    let error = growth(fit, off, second_off);
    let free = codes_of(coding, keep3(fit.ends.a + keep3(fit.first_of_second * second_off)));
    let other = select(within_reach(coding, free, start), free, is_first);
    let other_error = growth(fit, keep3(values_of(coding, other) - fit.ends.a), second_off);
    // The first subset's first endpoint is the base: it moves only as far as the second allows.
    let is_stuck = vec3(is_first) & is_out_of_reach(coding, second, other);
    let is_better = (other_error < error) & !is_stuck;
    return Quantized(Codes(select(first, other, is_better), second), select(error, other_error, is_better));
}

// Returns a key that is ordered by the error, with the mode in its lowest bits.
fn key_of(error: f32, mode: u32) -> u32 {
    return select(0u, bitcast<u32>(error) & ~15u, error > 0.0) | mode;
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
    // Number of the extension, after all of one subset those of each partition.
    let number = params.whole_first + at % params.parts;
    var shape = WHOLE;
    var extension = number;
    if number >= params.whole_end {
        let place = (number - params.whole_end) / params.extensions;
        extension = (number - params.whole_end) % params.extensions;
        if place < params.known && extension < params.known_extensions {
            return;
        }
        shape = (rankings[block][place >> 2u] >> (8u * (place & 3u))) & 255u;
    }
    let lengths = vec2(table(EXTENSIONS + 2u * extension), table(EXTENSIONS + 2u * extension + 1u));
    let count = subset_count(shape);
    var fits: array<Fit, 2>;
    for (var k = 0u; k < count; k++) {
        let fit = fit_of(block, subset_of(block, shape, k), lengths);
        if k == 0u {
            fits[0] = fit;
        } else {
            fits[1] = fit;
        }
    }
    var keys = vec2(NO_KEY);
    let first_mode = select(0u, ONE_SUBSET, shape == WHOLE);
    let end_mode = select(ONE_SUBSET, MODE_COUNT, shape == WHOLE);
    for (var mode = first_mode; mode < end_mode; mode++) {
        let coding = limited(block, coding_of(mode));
        var base = vec3(0.0);
        var error = 0.0;
        for (var k = 0u; k < count; k++) {
            var fit = fits[0];
            if k != 0u {
                fit = fits[1];
            }
            let found = quantized(coding, fit, k, base);
            error = keep(keep(keep(error + found.growth.x) + found.growth.y) + found.growth.z);
            base = found.codes.a;
        }
        let key = key_of(error, mode);
        keys = vec2(min(keys.x, key), min(keys.y, max(keys.x, key)));
    }
    let to = place_of(block, params.to_slot + number);
    var least = NO_ERROR;
    for (var i = 0u; i < params.modes; i++) {
        let mode = select(keys.y, keys.x, i == 0u) & 15u;
        let coding = limited(block, coding_of(mode));
        var codes: array<Codes, 2>;
        var error = 0.0;
        for (var k = 0u; k < count; k++) {
            var fit = fits[0];
            if k != 0u {
                fit = fits[1];
            }
            let of_subset = quantized(coding, fit, k, codes[0].a).codes;
            if k == 0u {
                codes[0] = of_subset;
            } else {
                codes[1] = of_subset;
            }
            if params.measures != 0u {
                error = keep(error + subset_error(block, subset_of(block, shape, k), coding, of_subset));
            }
        }
        if error < keep(least * SMALLER) {
            least = error;
            store_error(to, error, mode, shape);
            store_codes(to, 0u, codes[0]);
            store_codes(to, 1u, codes[1]);
        }
    }
}
