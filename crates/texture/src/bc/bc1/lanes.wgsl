// Palettes, costs and least squares of one block: the stages of lanes.rs, assign.rs and fit.rs, in the same numbers.
// Every float is an integer below 2^24, or such a one times a constant, rounded once; so it does not matter whether a
// compiler fuses multiplications and additions.
//
// The kernel that this is joined to gives:
//   fn texel(t: u32) -> vec3<f32>   the centred texel t
//   params: Params, tables: array<f32>, texels: array<u32>

struct Interpolant {
    k0: vec4<f32>,
    k1: vec4<f32>,
    bias: vec4<f32>,
    scale: vec4<f32>,
    // Added to the bias where the second operand is below the first.
    falling: vec4<f32>,
}

// One value a channel; w is not used.
struct Rule {
    top: vec4<f32>,
    widen: vec4<f32>,
    weight: vec4<f32>,
    endpoint: Interpolant,
    third: Interpolant,
    half: Interpolant,
}

struct Params {
    rule: Rule,
    // Square roots of the weights, the greatest being 1.
    stretch: vec4<f32>,
    blocks: u32,
    three_color: u32,
    transparent_black: u32,
    // Where the first block goes, how many are in a row, and how far rows lie apart, in blocks.
    first: u32,
    columns: u32,
    pitch: u32,
    // Orderings of the texels, and families of encodings, that are looked at.
    orderings: u32,
    families: u32,
    // How far this quality goes: see Effort in encode.rs.
    starts: u32,
    rounds: u32,
    restarts: u32,
    // Whether blocks whose texels all count get a range fit and no more.
    range_only: u32,
    // The first block of this dispatch, where blocks are shared out over several.
    first_block: u32,
}

const FOUR = 0u;
const THREE = 1u;
const THREE_BLACK = 2u;

struct Endpoints {
    a: vec3<f32>,
    b: vec3<f32>,
}

alias Palette = array<vec3<f32>, 4>;

// Texels that share an index. sum and count of index 0, 1, 2, 3.
struct Clusters {
    count: vec4<f32>,
    sum0: vec3<f32>,
    sum1: vec3<f32>,
    sum2: vec3<f32>,
    sum3: vec3<f32>,
}

struct Best {
    cost: i32,
    ends: Endpoints,
}

const NO_COST = 2147483647u;

fn no_best() -> Best {
    return Best(i32(NO_COST), Endpoints(vec3(0.0), vec3(0.0)));
}

// Takes the encoding where its cost is lower.
fn offer(best: ptr<function, Best>, cost: i32, ends: Endpoints) {
    if cost < (*best).cost {
        *best = Best(cost, ends);
    }
}

fn no_clusters() -> Clusters {
    return Clusters(vec4(0.0), vec3(0.0), vec3(0.0), vec3(0.0), vec3(0.0));
}

// Families of encodings that are searched apart: four colours, three, and three and black of either ordering.
fn mode_of(family: u32) -> u32 {
    return min(family, THREE_BLACK);
}

fn ordering_of(family: u32) -> u32 {
    return max(family, 1u) - 1u;
}

// Whether a block is searched for encodings of a family: one with transparent texels only for three colours.
fn is_wanted(block: u32, family: u32) -> bool {
    var transparent = false;
    for (var t = 0u; t < 16u; t++) {
        transparent = transparent || (texels[16u * block + t] >> 24u) == CLASS_TRANSPARENT;
    }
    if (texels[16u * block] >> 24u) == CLASS_DONE {
        return false;
    }
    return select(family != 1u || params.three_color != 0u, family == 1u, transparent);
}

// The centred channels of a texel, red in the lowest byte.
fn centered(packed: u32) -> vec3<f32> {
    return vec3<f32>(vec3(packed, packed >> 8u, packed >> 16u) & vec3(255u)) - vec3(CENTER);
}

fn operand(code: vec3<f32>) -> vec3<f32> {
    return floor(code * params.rule.widen.xyz);
}

// The four colours' two inner ones are (third(a, b), third(b, a)), the three colours' is half(a, b).
fn third_value(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    let rule = params.rule.third;
    let sum = a * rule.k0.xyz + (b * rule.k1.xyz + rule.bias.xyz) + select(vec3(0.0), rule.falling.xyz, b < a);
    return floor(sum * rule.scale.xyz);
}

fn half_value(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    let rule = params.rule.half;
    let sum = a * rule.k0.xyz + (b * rule.k1.xyz + rule.bias.xyz) + select(vec3(0.0), rule.falling.xyz, b < a);
    return floor(sum * rule.scale.xyz);
}

fn endpoint_value(a: vec3<f32>) -> vec3<f32> {
    let rule = params.rule.endpoint;
    return floor((a * rule.k0.xyz + rule.bias.xyz) * rule.scale.xyz);
}

// The centred palette. In mode THREE the last entry is the first again: no texel prefers it.
fn palette(mode: u32, ends: Endpoints) -> Palette {
    let a = operand(ends.a);
    let b = operand(ends.b);
    let first = endpoint_value(a);
    let second = endpoint_value(b);
    if mode == FOUR {
        return Palette(first, second, third_value(a, b), third_value(b, a));
    }
    let last = select(vec3(-CENTER), first, mode == THREE);
    return Palette(first, second, half_value(a, b), last);
}

// A palette as the error sees it: cost = x . slope + constant.
struct Planes {
    slope0: vec3<f32>,
    slope1: vec3<f32>,
    slope2: vec3<f32>,
    slope3: vec3<f32>,
    constant: vec4<f32>,
}

fn planes(colors: Palette) -> Planes {
    let w0 = colors[0] * params.rule.weight.xyz;
    let w1 = colors[1] * params.rule.weight.xyz;
    let w2 = colors[2] * params.rule.weight.xyz;
    let w3 = colors[3] * params.rule.weight.xyz;
    let constant = vec4(dot(colors[0], w0), dot(colors[1], w1), dot(colors[2], w2), dot(colors[3], w3));
    return Planes(-2.0 * w0, -2.0 * w1, -2.0 * w2, -2.0 * w3, constant);
}

fn costs(p: Planes, x: vec3<f32>) -> vec4<f32> {
    return vec4(dot(x, p.slope0), dot(x, p.slope1), dot(x, p.slope2), dot(x, p.slope3)) + p.constant;
}

// The index with the least cost; the lower one where two are as low.
fn nearest(c: vec4<f32>) -> u32 {
    let lower = select(0u, 1u, c.y < c.x);
    let upper = select(2u, 3u, c.w < c.z);
    return select(lower, upper, min(c.z, c.w) < min(c.x, c.y));
}

// What follows goes over the texels without a loop, in fours: then they are in registers, and lavapipe, which stops a
// thread's loops after 65,535 rounds in all, counts none.

fn cost_of_texel(p: Planes, t: u32, out: u32) -> i32 {
    let c = costs(p, texel(t));
    return select(i32(min(min(c.x, c.y), min(c.z, c.w))), 0, extractBits(out, t, 1u) != 0u);
}

fn cost_of_four(p: Planes, t: u32, out: u32) -> i32 {
    return cost_of_texel(p, t, out) + cost_of_texel(p, t + 1u, out)
        + (cost_of_texel(p, t + 2u, out) + cost_of_texel(p, t + 3u, out));
}

// The cost of endpoints when every texel outside the mask `out` takes its nearest colour.
fn cost_of(mode: u32, ends: Endpoints, out: u32) -> i32 {
    let p = planes(palette(mode, ends));
    return cost_of_four(p, 0u, out) + cost_of_four(p, 4u, out)
        + (cost_of_four(p, 8u, out) + cost_of_four(p, 12u, out));
}

struct Assigned {
    cost: i32,
    clusters: Clusters,
}

fn assign_texel(found: ptr<function, Assigned>, p: Planes, t: u32, out: u32) {
    let x = texel(t);
    let c = costs(p, x);
    let counts = extractBits(out, t, 1u) == 0u;
    let one = select(vec4(0.0), vec4(1.0), (vec4(nearest(c)) == vec4(0u, 1u, 2u, 3u)) & vec4(counts));
    (*found).cost += select(0, i32(min(min(c.x, c.y), min(c.z, c.w))), counts);
    (*found).clusters.count += one;
    (*found).clusters.sum0 += one.x * x;
    (*found).clusters.sum1 += one.y * x;
    (*found).clusters.sum2 += one.z * x;
    (*found).clusters.sum3 += one.w * x;
}

fn assign_four(found: ptr<function, Assigned>, p: Planes, t: u32, out: u32) {
    assign_texel(found, p, t, out);
    assign_texel(found, p, t + 1u, out);
    assign_texel(found, p, t + 2u, out);
    assign_texel(found, p, t + 3u, out);
}

// The same, and the clusters.
fn assign(mode: u32, ends: Endpoints, out: u32) -> Assigned {
    let p = planes(palette(mode, ends));
    var found = Assigned(0, no_clusters());
    assign_four(&found, p, 0u, out);
    assign_four(&found, p, 4u, out);
    assign_four(&found, p, 8u, out);
    assign_four(&found, p, 12u, out);
    return found;
}

// Error of texels of one index, less a constant, for a value of each channel.
fn part(count: f32, sum: vec3<f32>, value: vec3<f32>) -> vec3<f32> {
    return value * (count * value - 2.0 * sum);
}

// Least squares for the indices of the clusters; then, where `exact`, the best of the four code pairs around it,
// channel by channel, else the nearest codes. `old` where the indices determine no endpoints.
fn fit(mode: u32, exact: bool, clusters: Clusters, old: Endpoints) -> Endpoints {
    let four = mode == FOUR;
    let parts = select(2.0, 3.0, four);
    var n = clusters.count;
    var sum3 = clusters.sum3;
    if !four {
        // Texels of index 3 are black or transparent whatever the endpoints.
        n.w = 0.0;
        sum3 = vec3(0.0);
    }
    let shares = select(vec4(2.0, 0.0, 1.0, 0.0), vec4(3.0, 0.0, 2.0, 1.0), four);
    let count = n.x + n.y + n.z + n.w;
    let weight = dot(n, shares);
    let square = dot(n, shares * shares);
    let determinant = count * square - weight * weight;
    if determinant < 1.0 {
        return old;
    }
    let at = u32(determinant);
    let scale_5 = tables[CODE_SCALES_5 + at];
    let scale = vec3(scale_5, tables[CODE_SCALES_6 + at], scale_5);
    let sum = clusters.sum0 + clusters.sum1 + clusters.sum2 + sum3;
    let weighted = shares.x * clusters.sum0 + shares.z * clusters.sum2 + shares.w * sum3;
    let offset = determinant * CENTER;
    let a = ((square - parts * weight) * sum + ((parts * count - weight) * weighted + vec3(offset))) * scale;
    let b = (square * sum + (vec3(offset) - weight * weighted)) * scale;
    let top = params.rule.top.xyz;
    if !exact {
        return Endpoints(clamp(round(a), vec3(0.0), top), clamp(round(b), vec3(0.0), top));
    }
    let last = top - vec3(1.0);
    let a0 = clamp(floor(a), vec3(0.0), last);
    let b0 = clamp(floor(b), vec3(0.0), last);
    var ends = Endpoints(a0, b0);
    var least = vec3(16777216.0);
    for (var i = 0u; i < 4u; i++) {
        let code_a = a0 + vec3(f32(i >> 1u));
        let code_b = b0 + vec3(f32(i & 1u));
        let at_a = operand(code_a);
        let at_b = operand(code_b);
        var cost = part(n.x, clusters.sum0, endpoint_value(at_a)) + part(n.y, clusters.sum1, endpoint_value(at_b));
        if four {
            cost += part(n.z, clusters.sum2, third_value(at_a, at_b)) + part(n.w, sum3, third_value(at_b, at_a));
        } else {
            cost += part(n.z, clusters.sum2, half_value(at_a, at_b));
        }
        let better = cost < least;
        least = min(least, cost);
        ends.a = select(ends.a, code_a, better);
        ends.b = select(ends.b, code_b, better);
    }
    return ends;
}

// Both endpoints at the mean of `count` >= 1 texels.
fn mean(sum: vec3<f32>, count: f32) -> Endpoints {
    let at = u32(count);
    let scale_5 = tables[CODE_SCALES_5 + at];
    let codes = round((sum + vec3(count * CENTER)) * vec3(scale_5, tables[CODE_SCALES_6 + at], scale_5));
    return Endpoints(codes, codes);
}

// Endpoints a move away.
fn moved(ends: Endpoints, index: u32) -> Endpoints {
    let at = MOVES + 6u * index;
    let top = params.rule.top.xyz;
    let a = ends.a + vec3(tables[at], tables[at + 1u], tables[at + 2u]);
    let b = ends.b + vec3(tables[at + 3u], tables[at + 4u], tables[at + 5u]);
    return Endpoints(clamp(a, vec3(0.0), top), clamp(b, vec3(0.0), top));
}

// How channel values become normalized ones: (count * x - sum) * scale, rounded.
struct Normalizer {
    count: f32,
    sum: vec3<f32>,
    scale: vec3<f32>,
}

fn normalized(by: Normalizer, x: vec3<f32>) -> vec3<f32> {
    return round((x * by.count - by.sum) * by.scale);
}

// 2^(bits - exponent of value), for value >= 1.
fn power_scale(value: f32, bits: u32) -> f32 {
    return bitcast<f32>((254u + bits - (bitcast<u32>(value) >> 23u)) << 23u);
}

fn greatest_of(v: vec3<f32>) -> f32 {
    return max(max(v.x, v.y), v.z);
}

// Scales a vector so that its greatest component has 11 bits.
fn shorten(v: vec3<f32>) -> vec3<f32> {
    return round(v * power_scale(max(1.0, greatest_of(abs(v))), 10u));
}

fn normalizer(count: f32, sum: vec3<f32>, low: vec3<f32>, high: vec3<f32>) -> Normalizer {
    let greatest = max(1.0, max(greatest_of(high * count - sum), greatest_of(sum - low * count)));
    return Normalizer(count, sum, power_scale(greatest, 0u) * NORMAL_HALF * params.stretch.xyz);
}

// Covariance of normalized values, upper triangle.
struct Covariance {
    square: vec3<f32>,
    // rg, rb, gb
    mixed: vec3<f32>,
}

fn shortened(matrix: Covariance) -> Covariance {
    let scale = power_scale(max(1.0, greatest_of(matrix.square)), 10u);
    return Covariance(round(matrix.square * scale), round(matrix.mixed * scale));
}

// Where the power method starts: the column of the greatest variance.
fn first_axis(matrix: Covariance) -> vec3<f32> {
    let s = matrix.square;
    if max(s.x, s.y) < s.z {
        return vec3(matrix.mixed.y, matrix.mixed.z, s.z);
    }
    if s.x < s.y {
        return vec3(matrix.mixed.x, s.y, matrix.mixed.z);
    }
    return vec3(s.x, matrix.mixed.x, matrix.mixed.y);
}

fn next_axis(matrix: Covariance, v: vec3<f32>) -> vec3<f32> {
    return shorten(vec3(
        dot(v, vec3(matrix.square.x, matrix.mixed.x, matrix.mixed.y)),
        dot(v, vec3(matrix.mixed.x, matrix.square.y, matrix.mixed.z)),
        dot(v, vec3(matrix.mixed.y, matrix.mixed.z, matrix.square.z)),
    ));
}

// The weight of each texel of a clustering and the clusters' sums follow from three cuts, i | j << 5 | k << 10, and
// the prefix sums there.
fn clusters_of(
    mode: u32,
    cuts: u32,
    count: f32,
    all: vec3<f32>,
    at_i: vec3<f32>,
    at_j: vec3<f32>,
    at_k: vec3<f32>,
) -> Clusters {
    let i = f32(cuts & 31u);
    let j = f32((cuts >> 5u) & 31u);
    let k = f32(cuts >> 10u);
    if mode == FOUR {
        return Clusters(vec4(i, count - k, j - i, k - j), at_i, all - at_k, at_j - at_i, at_k - at_j);
    }
    return Clusters(vec4(i, count - j, j - i, 0.0), at_i, all - at_j, at_j - at_i, vec3(0.0));
}

// 1 / D of the clustering with these cuts: see cluster_fit.rs.
fn gain(mode: u32, count: u32, i: u32, j: u32, k: u32) -> f32 {
    var weight = i + j + k;
    var square = 5u * i + 3u * j + k;
    if mode != FOUR {
        weight = i + j;
        square = 3u * i + j;
    }
    return tables[GAINS + count * square - weight * weight];
}

// Where a block's two words go.
fn place(block: u32) -> u32 {
    return 2u * (params.first + (block / params.columns) * params.pitch + block % params.columns);
}

fn pack(codes: vec3<f32>) -> u32 {
    let c = vec3<u32>(codes);
    return c.x << 11u | c.y << 5u | c.z;
}

fn pack_ends(ends: Endpoints) -> u32 {
    return pack(ends.a) | pack(ends.b) << 16u;
}

fn unpack_ends(packed: u32) -> Endpoints {
    let bits = vec3(packed) >> vec3(11u, 5u, 0u);
    let codes = vec3(31u, 63u, 31u);
    return Endpoints(vec3<f32>(bits & codes), vec3<f32>((bits >> vec3(16u)) & codes));
}

// What becomes of the best encoding: the endpoints in the order that selects its mode, and the palette they then have.
struct Finished {
    endpoints: u32,
    colors: Palette,
}

fn finish(mode: u32, found: Endpoints) -> Finished {
    let a = pack(found.a);
    let b = pack(found.b);
    // Four colours need c0 > c1, three c0 <= c1. Equal endpoints mean three colours whatever was wanted: all entries
    // are alike then, and of equals the first is taken.
    var ends = found;
    var endpoints = a | b << 16u;
    if select(b < a, a < b, mode == FOUR) {
        ends = Endpoints(ends.b, ends.a);
        endpoints = b | a << 16u;
    }
    return Finished(endpoints, palette(mode, ends));
}
