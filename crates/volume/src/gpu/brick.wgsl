// Decodes one brick of 4×4×4 voxels with 32 lanes: docs/volume-format.md, section 5. The twin of src/brick/decode.rs.
//
// A lane has voxels `lane` and `lane + 32`. Nothing here depends on subgroups: what all lanes must know goes through
// workgroup memory.

const LANES = 32u;
const WIDE = 16777216u;
const MAX_ONES = 63u;
const SORTED = 15u;
// Where in `weights` the order of sorted codes starts.
const ORDER = 128u;

struct Job {
    // Byte of `words` where the brick starts.
    start: u32,
    // Its range; 0 for a brick of one value, which has no bytes.
    range: u32,
    minimum: u32,
    // Its place in `voxels`, in bricks.
    place: u32,
}

@group(0) @binding(0) var<storage, read> words: array<u32>;
@group(0) @binding(1) var<storage, read> jobs: array<Job>;
// Weights by predictor and class, eight signed bytes each; then the voxels of sorted codes, a byte each.
@group(0) @binding(2) var<storage, read> weights: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> voxels: array<u32>;

var<workgroup> gathered: array<atomic<u32>, 2>;
var<workgroup> alive: vec2u;
var<workgroup> values: array<u32, 64>;

// The word in which the brick starts; positions are bits from there on.
var<private> first_word: u32;

fn bits(position: u32, count: u32) -> u32 {
    let word = first_word + (position >> 5u);
    let shift = position & 31u;
    var value = words[word] >> shift;
    if shift > 0u {
        value |= words[word + 1u] << (32u - shift);
    }
    return select(value & ((1u << (count & 31u)) - 1u), value, count >= 32u);
}

fn width(value: u32) -> u32 {
    return 32u - countLeadingZeros(value);
}

// k and t of a level.
fn split(level: u32) -> vec2u {
    let below = max(level, 1u) - 1u;
    return vec2u(below >> 1u, below & 1u);
}

fn below(lane: u32) -> u32 {
    return (1u << lane) - 1u;
}

// Reads a bit for each voxel of `asked`, which all lanes have the same, and returns the voxels whose bit is set.
fn plane(lane: u32, position: u32, asked: vec2u) -> vec2u {
    if lane < 2u {
        atomicStore(&gathered[lane], 0u);
    }
    workgroupBarrier();
    if (asked.x >> lane & 1u) == 1u {
        let rank = countOneBits(asked.x & below(lane));
        atomicOr(&gathered[0], bits(position + rank, 1u) << lane);
    }
    if (asked.y >> lane & 1u) == 1u {
        let rank = countOneBits(asked.x) + countOneBits(asked.y & below(lane));
        atomicOr(&gathered[1], bits(position + rank, 1u) << lane);
    }
    workgroupBarrier();
    if lane == 0u {
        alive = vec2u(atomicLoad(&gathered[0]), atomicLoad(&gathered[1]));
    }
    return workgroupUniformLoad(&alive);
}

fn count(voxels_of: vec2u) -> u32 {
    return countOneBits(voxels_of.x) + countOneBits(voxels_of.y);
}

fn is_in(voxels_of: vec2u, lane: u32) -> vec2u {
    return vec2u(voxels_of.x >> lane & 1u, voxels_of.y >> lane & 1u);
}

// The voxel of sorted code `i`.
fn sorted(i: u32) -> u32 {
    let eight = weights[ORDER + (i >> 3u)];
    return select(eight.x, eight.y, (i & 4u) != 0u) >> ((i & 3u) * 8u) & 255u;
}

// How many steps it takes from the first voxel to voxel `i`.
fn distance_of(i: u32) -> u32 {
    return (i & 3u) + (i >> 2u & 3u) + (i >> 4u);
}

// The value `back` voxels before voxel `i`, if `there`.
fn before(i: u32, back: u32, there: bool) -> u32 {
    return select(0u, values[(i - back) & 63u], there);
}

// The value of voxel `i`, whose neighbours are known, from its code.
fn undo(i: u32, predictor: u32, code: u32, range: u32) -> u32 {
    let x = (i & 3u) != 0u;
    let y = (i & 12u) != 0u;
    let z = (i & 48u) != 0u;
    let w = before(i, 1u, x);
    let n = before(i, 4u, y);
    let u = before(i, 16u, z);
    let nw = before(i, 5u, x && y);
    let uw = before(i, 17u, x && z);
    let un = before(i, 20u, y && z);
    let unw = before(i, 21u, x && y && z);
    let axes = u32(x) | u32(y) << 1u | u32(z) << 2u;
    if range >= WIDE {
        var wanted = 7u;
        switch predictor {
            case 0u: { return code; }
            case 3u: { wanted = 1u; }
            case 4u: { wanted = 2u; }
            case 5u: { wanted = 4u; }
            case 6u: { wanted = 3u; }
            case 7u: { wanted = 5u; }
            case 8u: { wanted = 6u; }
            default: {}
        }
        var left = wanted & axes;
        if left == 0u {
            left = 1u << firstTrailingBit(axes);
        }
        var sum = 0u;
        switch left {
            case 1u: { sum = w; }
            case 2u: { sum = n; }
            case 3u: { sum = w + n - nw; }
            case 4u: { sum = u; }
            case 5u: { sum = w + u - uw; }
            case 6u: { sum = n + u - un; }
            default: { sum = w + n + u - nw - uw - un + unw; }
        }
        return sum + ((code >> 1u) ^ (0u - (code & 1u)));
    }
    if predictor == 0u {
        return code;
    }
    if predictor == 1u {
        return range - code;
    }
    let weight = weights[predictor * 8u + axes];
    let low = unpack4xI8(weight.x);
    let high = unpack4xI8(weight.y);
    let near = low * vec4i(i32(w), i32(n), i32(u), i32(nw));
    let far = high * vec4i(i32(uw), i32(un), i32(unw), i32(range));
    let sum = near.x + near.y + near.z + near.w + far.x + far.y + far.z + far.w;
    let prediction = clamp((sum + 8) >> 4u, 0, i32(range));
    let both = min(prediction, i32(range) - prediction);
    let signed_code = i32(code);
    let folded = (signed_code >> 1u) ^ -(signed_code & 1);
    let past = select(signed_code - both, both - signed_code, 2 * prediction > i32(range));
    return u32(prediction + select(folded, past, signed_code > 2 * both));
}

@compute @workgroup_size(32)
fn main(
    @builtin(workgroup_id) id: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = id.x + id.y * groups.x;
    if number >= arrayLength(&jobs) {
        return;
    }
    let job = jobs[number];
    let out = job.place * 64u + lane;
    if job.range == 0u {
        voxels[out] = job.minimum;
        voxels[out + LANES] = job.minimum;
        return;
    }
    first_word = job.start >> 2u;
    var position = (job.start & 3u) * 8u;

    // The header.
    let predictor = bits(position, 4u);
    let base_bits = select(5u, 6u, job.range >= 65536u);
    let base = bits(position + 4u, base_bits);
    let delta_bits = bits(position + 4u + base_bits, 2u);
    let has_palette = bits(position + 6u + base_bits, 1u) == 1u;
    position += 7u + base_bits;
    var largest = job.range;
    var palette = 0u;
    let entry_bits = width(job.range);
    if has_palette {
        largest = bits(position, 4u) + 1u;
        palette = position + 4u;
        position = palette + (largest - 1u) * entry_bits;
    }
    let deltas = position;
    position += 8u * delta_bits;

    // Levels: the lane's two voxels', and what all must know.
    var active_voxels = vec2u(0u);
    var half_voxels = vec2u(0u);
    var ks = vec2u(0u);
    var before_ks = vec2u(0u);
    var level_of = vec2u(0u);
    var k_sum = 0u;
    var first_k = 0u;
    for (var g = 0u; g < 8u; g++) {
        let level = base + bits(deltas + g * delta_bits, delta_bits);
        let k_t = split(level);
        let voxels_of = 255u << (8u * (g & 3u));
        let masks = vec2u(select(0u, voxels_of, g < 4u), select(voxels_of, 0u, g < 4u));
        active_voxels |= select(vec2u(0u), masks, level > 0u);
        half_voxels |= select(vec2u(0u), masks, k_t.y == 1u);
        if g == 0u {
            first_k = k_t.x;
        }
        if g == lane >> 3u {
            ks.x = k_t.x;
            before_ks.x = k_sum;
            level_of.x = level;
        }
        if g == (lane >> 3u) + 4u {
            ks.y = k_t.x;
            before_ks.y = k_sum;
            level_of.y = level;
        }
        k_sum += k_t.x;
    }
    active_voxels.x &= 0xfffffffeu;
    half_voxels &= active_voxels;

    let first_bits = width(largest);
    let first_high_bits = first_bits - min(first_bits, first_k);
    let first_high = bits(position, first_high_bits);
    position += first_high_bits;

    // Planes.
    let base_k_t = split(base);
    let codes_end = select(largest, 0xffffffffu, largest >= WIDE) >> base_k_t.x;
    let cap = min(codes_end - min(codes_end, base_k_t.y), MAX_ONES);
    var quotients = vec2u(0u);
    var now = vec2u(0u);
    if cap > 0u {
        now = plane(lane, position, active_voxels);
        position += count(active_voxels);
        quotients += is_in(now, lane);
    }
    let near_voxels = half_voxels & ~now;
    let apart = plane(lane, position, near_voxels);
    position += count(near_voxels);
    quotients += is_in(apart, lane) + is_in(half_voxels & now, lane);
    for (var i = 1u; i < cap; i++) {
        if count(now) == 0u {
            break;
        }
        let asked = now;
        now = plane(lane, position, asked);
        position += count(asked);
        quotients += is_in(now, lane);
    }

    // Remainders.
    let remainders = (position + 7u) & 0xfffffff8u;
    let places = remainders + before_ks * 8u + (lane & 7u) * ks;
    var codes = vec2u(
        quotients.x << ks.x | bits(places.x, ks.x),
        quotients.y << ks.y | bits(places.y, ks.y),
    );
    if lane == 0u {
        codes.x = bits(places.x, ks.x) | first_high << first_k;
        values[0] = codes.x;
    }

    // Step by step, all voxels whose neighbours are known.
    let first_place = select(lane, sorted(lane), predictor == SORTED);
    let second_place = select(lane + LANES, sorted(lane + LANES), predictor == SORTED);
    let distances = vec2u(distance_of(first_place), distance_of(second_place));
    for (var distance = 1u; distance < 10u; distance++) {
        workgroupBarrier();
        if distances.x == distance {
            values[first_place] = undo(first_place, predictor, codes.x, largest);
        }
        if distances.y == distance {
            values[second_place] = undo(second_place, predictor, codes.y, largest);
        }
    }
    workgroupBarrier();
    var result = vec2u(values[lane], values[lane + LANES]);
    if has_palette {
        let inner = min(result, vec2u(largest)) - min(result, vec2u(1u));
        let entries = vec2u(bits(palette + inner.x * entry_bits, entry_bits), bits(palette + inner.y * entry_bits, entry_bits));
        result = select(select(entries, vec2u(job.range), result >= vec2u(largest)), vec2u(0u), result == vec2u(0u));
    }
    voxels[out] = job.minimum + result.x;
    voxels[out + LANES] = job.minimum + result.y;
}
