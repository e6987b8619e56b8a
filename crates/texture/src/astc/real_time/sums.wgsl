// Texels, and their sums (texels.rs). Blocks without alpha have an alpha of 255 in all texels, which changes
// no number of the other channels.
// needs: ../../real_time/texels.wgsl, ../../bc/numbers.wgsl

// Returns the centred channels of a texel.
fn centered(t: u32) -> vec4<f32> {
    return bytes(block_texel(t)) - 128.0;
}

fn is_in(mask: u32, t: u32) -> bool {
    return extractBits(mask, t, 1u) != 0u;
}

// Sums of channels, of their squares, and of products: red with the others, green with blue and alpha, blue
// with alpha.
struct Sums {
    total: vec4<f32>,
    squares: vec4<f32>,
    first: vec3<f32>,
    others: vec3<f32>,
}

fn sums_of(mask: u32) -> Sums {
    var sums = Sums(vec4(0.0), vec4(0.0), vec3(0.0), vec3(0.0));
    var rest = mask;
    while rest != 0u {
        let x = centered(countTrailingZeros(rest));
        rest &= rest - 1u;
        sums.total += x;
        sums.squares += x * x;
        sums.first += x.x * x.yzw;
        sums.others += x.yyz * x.zww;
    }
    return sums;
}

fn less(all: Sums, other: Sums) -> Sums {
    return Sums(
        all.total - other.total,
        all.squares - other.squares,
        all.first - other.first,
        all.others - other.others,
    );
}

// The row of the covariance with the largest diagonal element, this element, and the sum of them all. Numbers
// are multiplied by the square of the number of texels.
struct Widest {
    row: vec4<f32>,
    largest: f32,
    whole: f32,
}

fn widest(sums: Sums, n: f32) -> Widest {
    let s = sums.total;
    let variances = n * sums.squares - s * s;
    let first = n * sums.first - s.x * s.yzw;
    let others = n * sums.others - s.yyz * s.zww;
    var found = Widest(
        vec4(variances.x, first),
        variances.x,
        variances.x + variances.y + variances.z + variances.w,
    );
    if found.largest < variances.y {
        found.largest = variances.y;
        found.row = vec4(first.x, variances.y, others.xy);
    }
    if found.largest < variances.z {
        found.largest = variances.z;
        found.row = vec4(first.y, others.x, variances.z, others.z);
    }
    if found.largest < variances.w {
        found.largest = variances.w;
        found.row = vec4(first.z, others.yz, variances.w);
    }
    return found;
}

// Returns the direction of texels.
fn axis_of(sums: Sums, n: f32) -> vec4<f32> {
    let found = widest(sums, n);
    return round(found.row * (reciprocal(max(found.largest, 1.0)) * 256.0));
}
