// Code shared by the kernels of LSDxt: the arithmetic of first.rs and refine.rs, channels side by side.
//
// A block's two words in `blocks` carry it from step to step: the endpoints a | b << 16, and the number of
// the candidate that won the search. enter.wgsl or enter_subgroup.wgsl calls what each step defines:
//   fn run_step(group: u32, thread: u32)   what one thread of a workgroup does
// needs: ../params.wgsl, ../lanes.wgsl, ../palette.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
// 16 per block, red in the lowest byte, the class in the highest.
@group(0) @binding(2) var<storage, read> texels: array<u32>;
// Two words per block.
@group(0) @binding(3) var<storage, read_write> blocks: array<u32>;

const NONE = 0xffffffffu;

fn counts(packed: u32) -> bool {
    return (packed >> 24u) == CLASS_OPAQUE;
}

// Returns the mode of a block, from one bit per texel that is 1 if the texel is transparent.
fn block_mode(transparent: u32) -> u32 {
    return select(FOUR, THREE, transparent != 0u);
}

fn is_done(block: u32) -> bool {
    return block >= params.blocks || (texels[16u * block] >> 24u) == CLASS_DONE;
}

// Data about a block for step 1. `rank` is the rank of the largest unique value, `ranked` the sum of rank *
// value.
struct Seen {
    rank: vec3<f32>,
    sum: vec3<f32>,
    ranked: vec3<f32>,
    range: vec3<f32>,
    // n * sum(x * y) - sum(x) * sum(y) of red and green, red and blue, green and blue.
    covariance: vec3<f32>,
}

// Returns the endpoints of step 1.
fn first_ends(seen: Seen) -> Endpoints {
    let more = seen.rank + vec3(2.0);
    let count = (seen.rank + vec3(1.0)) * more;
    let at = vec3<u32>(count);
    let green_scale = tables[CODE_SCALES_6 + at.y];
    let scale = vec3(tables[CODE_SCALES_5 + at.x], green_scale, tables[CODE_SCALES_5 + at.z]);
    let middle = seen.sum * more + count * CENTER;
    let rise = (seen.ranked + seen.ranked - seen.rank * seen.sum) * 3.0;
    let top = params.rule.top.xyz;
    let low = clamp(round((middle - rise) * scale), vec3(0.0), top);
    let high = clamp(round((middle + rise) * scale), vec3(0.0), top);

    let falls = seen.covariance < vec3(0.0);
    let blue_widest = max(seen.range.x, seen.range.y) < seen.range.z;
    let green_widest = seen.range.x < seen.range.y && !blue_widest;
    let green = select(falls.x, falls.y != falls.z, blue_widest);
    let blue = select(falls.y, falls.x != falls.z, green_widest);
    let exchange = vec3(false, green, blue);
    return Endpoints(select(low, high, exchange), select(high, low, exchange));
}

// Errors of the texels that have an index: x, y, z are their sums, w is their number.
alias Buckets = array<vec4<f32>, 4>;

// Returns the mean of a bucket in 16ths, and 1 if it is used.
fn mean_error(bucket: vec4<f32>) -> vec4<f32> {
    return vec4(round(bucket.xyz * tables[MEAN_SCALES + u32(bucket.w)]), min(bucket.w, 1.0));
}

// Returns the endpoints of these colours minus the error in the buckets; unchanged if all texels have one
// index.
fn corrected(mode: u32, ends: Endpoints, colors: Palette, buckets: Buckets) -> Endpoints {
    let four = mode == FOUR;
    let parts = select(2.0, 3.0, four);
    let shares = select(vec3(2.0, 1.0, 0.0), vec3(3.0, 2.0, 1.0), four);
    let e0 = mean_error(buckets[0]);
    let e1 = mean_error(buckets[1]);
    let e2 = mean_error(buckets[2]);
    let e3 = mean_error(buckets[3]);
    // Sums of errors; w has sums of ones.
    let sum = e0 + e1 + e2 + e3;
    let weighted = e0 * shares.x + e2 * shares.y + e3 * shares.z;
    let weight = weighted.w;
    let square = e0.w * shares.x * shares.x + e2.w * shares.y * shares.y + e3.w * shares.z * shares.z;
    let determinant = sum.w * square - weight * weight;
    if determinant < 1.0 {
        return ends;
    }
    let at = u32(determinant);
    let scale_5 = tables[CODE_SCALES_5 + at] * 0.0625;
    let scale = vec3(scale_5, tables[CODE_SCALES_6 + at] * 0.0625, scale_5);
    let a = (square - parts * weight) * sum.xyz + (parts * sum.w - weight) * weighted.xyz;
    let b = square * sum.xyz - weight * weighted.xyz;
    let whole = determinant * 16.0;
    let top = params.rule.top.xyz;
    return Endpoints(
        clamp(round(((colors[0] + vec3(CENTER)) * whole + a) * scale), vec3(0.0), top),
        clamp(round(((colors[1] + vec3(CENTER)) * whole + b) * scale), vec3(0.0), top),
    );
}
