// A brick of several runs of 64 codes decoded by 32 lanes: 8×8×8 voxels, or 16×16×1 (docs/volume-format.md,
// section 5). The twin of src/brick/decode.rs.
//
// A lane has codes `lane` and `lane + 32` of each run. Bit planes are read run by run, then the remainders of
// all; codes go where their voxels are, and there predictions are undone in place. The kernel has one of the
// ballots, one of the `same`, and eight.wgsl with labels.wgsl, or flat.wgsl.
// needs: ../format/bits.wgsl, ../format/sets.wgsl, ../format/header.wgsl, ../lanes/staged.wgsl
// needs: ../lanes/planes.wgsl, ../lanes/planes_of_lanes.wgsl, ../lanes/values.wgsl, undo_runs.wgsl

// What is known of each code before its remainder, in the order of codes: its voxel (9 bits), its quotient
// (7), the k of its group (5), and the sum of k over the groups before (11).
var<workgroup> coded: array<u32, VOXELS>;

// How many runs there are, or 0 if the brick has one value; and the same except for label bricks, whose runs
// have no bit planes. (That compilers do not know it keeps them from unrolling loops, which takes them long.)
var<workgroup> runs_end: vec2u;

// State of the last decoded brick, for `own_values`.
var<private> brick_header: Header;
var<private> brick_range: u32;

// Decodes the brick of this range whose bytes start at byte `start` of the payload. `inside` has the number
// of its voxels along each axis in the volume; the values of others are unspecified. All lanes of the
// workgroup call it together, those of one brick with the same start, range and box. It may be called again
// at once.
fn decode_all(lane: u32, start: u32, range: u32, inside: vec3u) {
    let first_word = start >> 2u;
    // A brick of one value has no bytes.
    let code_count = select(0u, inside.x * inside.y * inside.z, range > 0u);
    var header = Header();
    first_staged = 0u;
    // The staged words of the previous brick may still be read.
    workgroupBarrier();
    if lane == 0u {
        steps_end = 1u;
        runs_end = vec2u(0u);
    }
    // The header is within the first words.
    if code_count > 0u {
        stage(lane, first_word, 0u, LANES);
    }
    workgroupBarrier();
    var is_label = false;
    if code_count > 0u {
        header = read_header((start & 3u) * 8u, range, code_count);
        is_label = is_label_brick(header);
        if lane == 0u {
            runs_end = vec2u(RUNS, select(RUNS, 0u, is_label));
        }
    }
    // (Whether it is a label brick is known to be the same for all lanes only from here on.)
    let all_runs = workgroupUniformLoad(&runs_end);
    let runs = all_runs.y;
    var first_k = 0u;
    var first_high = 0u;
    var at = 0u;
    if code_count > 0u {
        put_in_order(lane, header.predictor == SORTED && !is_label, inside, code_count, all_runs.x);
        // Reads the upper bits of the first value; its lower bits are in the place of a remainder.
        first_k = split(header.base + bits(header.deltas, header.delta_bits)).x;
        let first_bits = width(header.largest);
        let first_high_bits = first_bits - min(first_bits, first_k);
        first_high = bits(header.end, first_high_bits);
        at = header.end + first_high_bits;
    }
    // Bit planes, of which a code has one more than ones where there are half steps.
    let plane_words = ((64u * (most_ones(header) + 2u) + 31u) >> 5u) + 3u;
    let places = vec2u(lane, lane + LANES);
    var k_before = 0u;
    for (var run = 0u; run < runs; run++) {
        let has_codes = 64u * run < code_count;
        let window = at >> 5u;
        workgroupBarrier();
        if has_codes {
            first_staged = LANES;
            stage(lane, first_word + window, 0u, plane_words);
        }
        workgroupBarrier();
        if has_codes {
            first_staged = 0u;
            let levels = read_levels(header, run, code_count);
            // Words are found by their place in the brick.
            first_staged = LANES - window;
            begin_planes(lane, places);
            at = read_planes(header, levels, at);
            let low = low_bits(levels, places.x);
            let other_low = low_bits(levels, places.y);
            let k = vec2u(low.k, other_low.k) & vec2u(31u);
            let before = vec2u(k_before) + vec2u(low.k_before, other_low.k_before);
            let found = (own_ones << vec2u(9u)) | (k << vec2u(16u)) | (before << vec2u(21u));
            coded[64u * run + lane] |= found.x;
            coded[64u * run + lane + LANES] |= found.y;
            k_before += k_sum(levels);
        }
    }
    first_staged = 0u;
    if runs < all_runs.x {
        read_labels(lane, first_word, header, code_count, all_runs.x);
    }
    // Remainders start with a whole byte; each group has eight of its k bits.
    let remainders = (at + 7u) & 0xfffffff8u;
    let is_wide = header.largest >= WIDE;
    for (var place = lane; place < 64u * runs; place += LANES) {
        if place < code_count {
            let known = coded[place];
            let k = extractBits(known, 16u, 5u);
            let position = remainders + 8u * (known >> 21u) + (place & 7u) * k;
            let word = first_word + (position >> 5u);
            let remainder = bits_of(vec2u(payload(word), payload(word + 1u)), position, k);
            var code = (extractBits(known, 9u, 7u) << k) | remainder;
            if place == 0u {
                code = remainder | (first_high << (first_k & 31u));
            } else if header.predictor == 1u && !is_wide {
                code = header.largest - code;
            }
            values[known & 511u] = code;
        }
    }
    undo_runs(lane, header.predictor, header.largest, is_label);
    brick_header = header;
    brick_range = range;
}

// The values of voxels `voxel` and `voxel + 32`, x fastest, of the lanes' brick decoded last, without its
// minimum.
fn own_values(voxel: u32) -> vec2u {
    if brick_range == 0u {
        return vec2u(0u);
    }
    return vec2u(
        look_up(brick_header, brick_range, values[voxel]),
        look_up(brick_header, brick_range, values[voxel + LANES]),
    );
}

// Which voxel each code is of, as far as there are codes: the voxels inside, in Morton order or sorted.
fn put_in_order(lane: u32, is_sorted: bool, inside: vec3u, code_count: u32, runs: u32) {
    var before = 0u;
    for (var run = 0u; run < runs; run++) {
        let first = voxel_at(64u * run + lane, is_sorted);
        let second = voxel_at(64u * run + lane + LANES, is_sorted);
        var is_inside = vec2u(0xffffffffu);
        if code_count < VOXELS {
            is_inside = ballot(lane, vec2<bool>(lies_in(first, inside), lies_in(second, inside)));
        }
        let lower = (1u << lane) - 1u;
        let places = vec2u(before) + vec2u(
            countOneBits(is_inside.x & lower),
            countOneBits(is_inside.x) + countOneBits(is_inside.y & lower),
        );
        if ((is_inside.x >> lane) & 1u) == 1u {
            coded[places.x] = first;
        }
        if ((is_inside.y >> lane) & 1u) == 1u {
            coded[places.y] = second;
        }
        before += count(is_inside);
    }
}

fn lies_in(voxel: u32, inside: vec3u) -> bool {
    let place = vec3u(voxel % BRICK.x, voxel / BRICK.x % BRICK.y, voxel / (BRICK.x * BRICK.y));
    return all(place < inside);
}

// The voxel of a code of a whole brick: the tables behind the predictors' weights, four to an entry.
fn voxel_at(place: u32, is_sorted: bool) -> u32 {
    let i = place + select(0u, VOXELS, is_sorted);
    let four = weights_at(ORDERS + (i >> 2u));
    return extractBits(select(four.x, four.y, (i & 2u) != 0u), 16u * (i & 1u), 16u);
}
