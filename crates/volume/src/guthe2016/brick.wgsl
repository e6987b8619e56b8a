// A brick of the profile guthe2016 decoded by 32 lanes (docs/volume-format.md, section 6). The twin of
// brick.rs, rbuc.rs and transform.rs.
//
// A lane has voxels `lane` and `lane + 32`. The kernel has one of the ballots.
// needs: wide.wgsl, ../gpu/lanes/staged.wgsl, ../gpu/lanes/values.wgsl, ../gpu/lanes/distance.wgsl

// Haar's numbers: these are the upper words of `values`.
var<workgroup> upper_values: array<u32, VOXELS>;

// One past the last step of Haar's transform that the brick takes, or 0.
var<workgroup> haar_end: u32;

// Two codes, of up to 40 bits, or two signed numbers.
struct Two {
    low: vec2u,
    high: vec2u,
}

// The lane's two values, 0..=range, of the brick of this range; its widths and codes start at byte `start` of
// the payload, with the byte of its transform. All lanes call it together. It may be called again at once. A
// brick that no encoder writes is one of zeros. (`inside` has the number of its voxels in the volume; all are
// decoded.)
fn decode_brick(lane: u32, start: u32, range: u32, inside: vec3u) -> vec2u {
    let first_word = start >> 2u;
    let position = (start & 3u) * 8u;
    // The staged words of the previous brick may still be read.
    workgroupBarrier();
    if lane == 0u {
        steps_end = 1u;
        haar_end = 0u;
    }
    // A brick of one value has no bytes.
    if range > 0u {
        stage(lane, first_word, 0u, LANES);
    }
    workgroupBarrier();
    let head = select(0u, bits(position, 8u), range > 0u);
    let transform = head >> 4u;
    // Bits of a width, and the widths of the groups of eight codes.
    let of_width = min(head & 15u, MOST_OF_WIDTH);
    var is_sound = (head & 15u) <= MOST_OF_WIDTH && transform <= HAAR;
    let groups = vec2u(morton(lane), morton(lane + LANES)) >> vec2u(3u);
    var widths = vec2u(0u);
    var before = vec2u(0u);
    var sum = 0u;
    for (var g = 0u; g < 8u; g++) {
        let stored = bits(position + 8u + g * of_width, of_width);
        let width_of_group = min(stored, MOST_WIDTH);
        is_sound &= stored <= MOST_WIDTH;
        before = select(before, vec2u(sum), groups == vec2u(g));
        widths = select(widths, vec2u(width_of_group), groups == vec2u(g));
        sum += width_of_group;
    }
    let code_bits = position + 8u + 8u * of_width;
    if range > 0u {
        stage(lane, first_word, LANES, ((code_bits + 8u * sum) >> 5u) + 2u);
    }
    workgroupBarrier();
    // (Of a brick of one value, bits are those of another brick, or none: of 0 bits each.)
    let within = vec2u(morton(lane), morton(lane + LANES)) & vec2u(7u);
    let starts = vec2u(code_bits) + 8u * before + within * widths;
    let codes = Two(
        vec2u(bits(starts.x, min(widths.x, 32u)), bits(starts.y, min(widths.y, 32u))),
        vec2u(
            bits(starts.x + 32u, max(widths.x, 32u) - 32u),
            bits(starts.y + 32u, max(widths.y, 32u) - 32u),
        ),
    );
    let gradient = undo_gradient(lane, transform == GRADIENT, codes, range);
    let haar = undo_haar(lane, transform == HAAR, codes, range);
    // Codes of other transforms are in 0..=range, as values are.
    var own = codes;
    if transform == HAAR {
        own = haar;
    }
    let is_beyond = ((own.high != vec2u(0u)) | (own.low > vec2u(range))) & vec2<bool>(transform != GRADIENT);
    let beyond = ballot(lane, is_beyond);
    is_sound &= (beyond.x | beyond.y) == 0u;
    let plain = select(own.low, vec2u(range) - own.low, transform == SUBTRACT_MAX);
    let values_of = select(plain, gradient, transform == GRADIENT);
    return select(vec2u(0u), values_of, is_sound);
}

// The place in Morton order of voxel `i`, x fastest.
fn morton(i: u32) -> u32 {
    return (i & 0x21u) | ((i >> 1u) & 2u) | ((i >> 2u) & 4u) | ((i << 2u) & 8u) | ((i << 1u) & 16u);
}

// The value whose place among 0..=range around the prediction is the code, which may be up to 2^40 where no
// encoder wrote it; the nearest there is.
fn unfold(low: u32, high: u32, prediction: u32, range: u32) -> u32 {
    let above = range - prediction;
    let both = min(prediction, above);
    let near = prediction + ((low >> 1u) ^ (0u - (low & 1u)));
    let far = select(low, 0xffffffffu, high > 0u) - both;
    let past = select(prediction + min(far, above), prediction - min(far, prediction), prediction > above);
    return select(near, past, high > 0u || low > 2u * both);
}

// The value at `i` of the brick, or 0.
fn neighbour(i: u32, back: u32, is_there: bool) -> Wide {
    return Wide(select(0u, values[i - back], is_there), 0u);
}

// The prediction of voxel `i`: the gradient of the neighbours that are there, within 0..=range.
fn gradient_at(i: u32, range: u32) -> u32 {
    let x = (i & 3u) != 0u;
    let y = (i & 12u) != 0u;
    let z = (i & 48u) != 0u;
    var sum = add(add(neighbour(i, 1u, x), neighbour(i, 4u, y)), neighbour(i, 16u, z));
    sum = add(sum, neighbour(i, 21u, x & y & z));
    sum = subtract(sum, neighbour(i, 5u, x & y));
    sum = subtract(sum, neighbour(i, 17u, x & z));
    sum = subtract(sum, neighbour(i, 20u, y & z));
    let largest = select(min(sum.low, range), range, sum.high > 0u);
    return select(largest, 0u, (sum.high >> 31u) == 1u);
}

// The values of the lane's two voxels, if wanted, step by step those whose neighbours are known.
fn undo_gradient(lane: u32, is_wanted: bool, codes: Two, range: u32) -> vec2u {
    var own = codes.low;
    if is_wanted && lane == 0u {
        own.x = unfold(codes.low.x, codes.high.x, range >> 1u, range);
        values[0] = own.x;
        steps_end = 10u;
    }
    // The second voxel is two slices after the first, so at most one of them is active in a step.
    let turn = distance_of(lane);
    let end = workgroupUniformLoad(&steps_end);
    for (var distance = 1u; distance < end; distance++) {
        workgroupBarrier();
        let is_second = distance == turn + 2u;
        if is_wanted & ((distance == turn) | is_second) {
            let i = select(lane, lane + LANES, is_second);
            let low = select(codes.low.x, codes.low.y, is_second);
            let high = select(codes.high.x, codes.high.y, is_second);
            let value = unfold(low, high, gradient_at(i, range), range);
            values[i] = value;
            own = select(vec2u(value, own.y), vec2u(own.x, value), is_second);
        }
    }
    return own;
}

// A code as a signed number: 0, −1, 1, −2, 2, …
fn to_signed(low: u32, high: u32) -> Wide {
    let sign = 0u - (low & 1u);
    let number = halved(Wide(low, high));
    return Wide(number.low ^ sign, number.high ^ sign);
}

fn put(i: u32, number: Wide) {
    values[i] = number.low;
    upper_values[i] = number.high;
}

fn got(i: u32) -> Wide {
    return Wide(values[i], upper_values[i]);
}

// The values of the lane's two voxels, if wanted: averages and differences become values on the lines along
// z, y and x, of the cube of two values along each axis at the corner, then of the whole brick.
fn undo_haar(lane: u32, is_wanted: bool, codes: Two, range: u32) -> Two {
    if is_wanted {
        var first = to_signed(codes.low.x, codes.high.x);
        if lane == 0u {
            // Around half the range; codes past twice that are values themselves.
            let is_value = codes.high.x > 0u || codes.low.x > 2u * (range >> 1u);
            first = Wide(codes.low.x, codes.high.x);
            if !is_value {
                first = Wide(unfold(codes.low.x, 0u, range >> 1u, range), 0u);
            }
            haar_end = 6u;
        }
        put(lane, first);
        put(lane + LANES, to_signed(codes.low.y, codes.high.y));
    }
    let end = workgroupUniformLoad(&haar_end);
    for (var step = 0u; step < end; step++) {
        // Two halves of each line, of this number of values: averages, differences.
        let log_half = select(0u, 1u, step >= 3u);
        let axis = 2u - step % 3u;
        let stride = 1u << (2u * axis);
        // A lane has a pair: which of a line, and which line, by its places along the two other axes.
        let pair = lane & log_half;
        let line = lane >> log_half;
        let side = 2u << log_half;
        let along = vec2u(line & (side - 1u), line >> (log_half + 1u));
        let start = along.x * select(1u, 4u, axis == 0u) + along.y * select(16u, 4u, axis == 2u);
        let is_pair = is_wanted & (along.y < side);
        let average = got(start + pair * stride);
        let difference = got(start + ((1u << log_half) + pair) * stride);
        let second = subtract(average, halved(difference));
        workgroupBarrier();
        if is_pair {
            put(start + 2u * pair * stride, add(second, difference));
            put(start + (2u * pair + 1u) * stride, second);
        }
        workgroupBarrier();
    }
    let x = got(lane);
    let y = got(lane + LANES);
    return Two(vec2u(x.low, y.low), vec2u(x.high, y.high));
}
