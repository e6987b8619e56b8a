// One channel in real time: real_time.rs, with values.rs and pack.rs.
// needs: ../../real_time/texels.wgsl, ../numbers.wgsl

const FIRST_TABLES = vec4(TABLE_WORDS[0], TABLE_WORDS[1], TABLE_WORDS[2], TABLE_WORDS[3]);
const LAST_TABLES = vec4(TABLE_WORDS[4], TABLE_WORDS[5], TABLE_WORDS[6], TABLE_WORDS[7]);

// Rows of a block: targets of its texels, or their weights, 1 for texels inside the image, else 0.
struct Rows {
    a: vec4<f32>,
    b: vec4<f32>,
    c: vec4<f32>,
    d: vec4<f32>,
}

// Base, multiplier and table.
struct Candidate {
    cost: f32,
    base: f32,
    multiplier: f32,
    table: u32,
}

fn total_of(rows: Rows) -> f32 {
    let sums = rows.a + rows.b + rows.c + rows.d;
    return sums.x + sums.y + sums.z + sums.w;
}

// Returns the reaches of a table in steps of the scale.
fn reaches(table: u32) -> vec4<f32> {
    let words = select(FIRST_TABLES, LAST_TABLES, vec4(table >= 8u));
    let at = (table >> 1u) & 3u;
    let word = select(select(words.x, words.y, at == 1u), select(words.z, words.w, at == 3u), at >= 2u);
    let digits = vec4(word >> (16u * (table & 1u))) >> vec4(0u, 4u, 8u, 12u);
    return vec4<f32>(digits & vec4(15u)) + 0.5;
}

fn scale_of(multiplier: f32) -> f32 {
    return max(multiplier * UNIT, 1.0);
}

fn center_of(base: f32, scale: f32) -> f32 {
    return base * UNIT + OFFSET - scale * 0.5;
}

fn base_of(center: f32, scale: f32) -> f32 {
    return clamp(floor((center + scale * 0.5 - OFFSET) * INVERSE + 0.5), FIRST_BASE, LAST_BASE);
}

// Returns the multiplier whose values have the range of the texels.
fn multiplier_of(range: f32, last_reach: f32) -> f32 {
    let reach = 2.0 * last_reach;
    let steps = keep(vec4(range * (one_over(reach) * INVERSE))).x;
    let least = select(1.0, LEAST_MULTIPLIER, range < 2.0 * reach);
    return min(max(floor(steps + 0.5), least), 15.0);
}

// Center, ends and reach of a candidate's values.
struct Line {
    center: f32,
    bottom: f32,
    top: f32,
    reach: vec4<f32>,
}

fn line_of(base: f32, scale: f32, reach: vec4<f32>) -> Line {
    let center = center_of(base, scale);
    // Ends that no value is clamped to are far away.
    let bottom = select(-8192.0, BOTTOM, center - reach.w < BOTTOM);
    let top = select(8192.0, TOP, TOP < center + reach.w);
    return Line(center, bottom, top, reach);
}

fn row_error(line: Line, t: vec4<f32>) -> vec4<f32> {
    let squares = line.reach * line.reach;
    let doubles = -2.0 * line.reach;
    let d = abs(t - line.center);
    let near = min(d * doubles.x + squares.x, d * doubles.y + squares.y);
    let far = min(d * doubles.z + squares.z, d * doubles.w + squares.w);
    let end = min(line.top - t, t - line.bottom);
    return min(d * d + min(near, far), end * end);
}

// Returns the squared error of a candidate.
fn error_of(t: Rows, weights: Rows, line: Line) -> f32 {
    return total_of(Rows(
        row_error(line, t.a) * weights.a,
        row_error(line, t.b) * weights.b,
        row_error(line, t.c) * weights.c,
        row_error(line, t.d) * weights.d,
    ));
}

// Returns the distances of a row's texels from their values.
fn row_rest(line: Line, t: vec4<f32>) -> vec4<f32> {
    let offset = t - line.center;
    let d = abs(offset);
    let limits = (line.reach.xyz + line.reach.yzw) * 0.5;
    var r = select(vec4(line.reach.x), vec4(line.reach.y), d > vec4(limits.x));
    r = select(r, vec4(line.reach.z), d > vec4(limits.y));
    r = select(r, vec4(line.reach.w), d > vec4(limits.z));
    return offset - select(r, -r, offset < vec4(0.0));
}

// Returns the base that fits the indices of a candidate best, if no value is clamped.
fn fitted_base(t: Rows, weights: Rows, line: Line, scale: f32, reciprocal: f32) -> f32 {
    let sum = total_of(Rows(
        row_rest(line, t.a) * weights.a,
        row_rest(line, t.b) * weights.b,
        row_rest(line, t.c) * weights.c,
        row_rest(line, t.d) * weights.d,
    ));
    return base_of(line.center + keep(vec4(sum * reciprocal)).x, scale);
}

// Returns the indices of a row.
fn row_indices(line: Line, t: vec4<f32>) -> vec4<u32> {
    let above = min(vec4(line.center) + line.reach, vec4(TOP));
    let below = max(vec4(line.center) - line.reach, vec4(BOTTOM));
    let is_below = t < vec4(line.center);
    var least = abs(select(t - above.x, below.x - t, is_below));
    var place = vec4(0u);
    var distance = abs(select(t - above.y, below.y - t, is_below));
    place = select(place, vec4(1u), distance < least);
    least = min(least, distance);
    distance = abs(select(t - above.z, below.z - t, is_below));
    place = select(place, vec4(2u), distance < least);
    least = min(least, distance);
    distance = abs(select(t - above.w, below.w - t, is_below));
    place = select(place, vec4(3u), distance < least);
    least = min(least, distance);
    // A value clamped towards the center may be nearer, although it is on the other side.
    let other = select(t - below.x, above.x - t, is_below);
    let side = select(vec4(4u), vec4(0u), is_below);
    return select(place + side, vec4(4u) - side, other < least);
}

// Returns the targets of a row of texels.
fn row_targets(bit: u32, y: u32) -> vec4<f32> {
    let t = 4u * y;
    let x = vec4(block_texel(t), block_texel(t + 1u), block_texel(t + 2u), block_texel(t + 3u));
    return floor(vec4<f32>((x >> vec4(bit)) & vec4(255u)) * TARGET_SCALE + TARGET_OFFSET);
}

fn row_weights(visible: u32, y: u32) -> vec4<f32> {
    return vec4<f32>((vec4(visible >> (4u * y)) >> vec4(0u, 1u, 2u, 3u)) & vec4(1u));
}

// Returns the block of the channel that starts at bit `bit` of the kept texels.
fn encode_channel(bit: u32, visible: u32) -> vec2<u32> {
    let t = Rows(row_targets(bit, 0u), row_targets(bit, 1u), row_targets(bit, 2u), row_targets(bit, 3u));
    let weights = Rows(
        row_weights(visible, 0u),
        row_weights(visible, 1u),
        row_weights(visible, 2u),
        row_weights(visible, 3u),
    );
    let lows = min(min(t.a, t.b), min(t.c, t.d));
    let highs = max(max(t.a, t.b), max(t.c, t.d));
    let least = min(min(lows.x, lows.y), min(lows.z, lows.w));
    let greatest = max(max(highs.x, highs.y), max(highs.z, highs.w));
    let middle = (least + greatest) * 0.5;
    var best = Candidate(MOST, 0.0, 1.0, 0u);
    for (var table = 0u; table < 16u; table++) {
        let reach = reaches(table);
        let multiplier = multiplier_of(greatest - least, reach.w);
        let scale = scale_of(multiplier);
        let base = base_of(middle, scale);
        let cost = error_of(t, weights, line_of(base, scale, reach * scale));
        if cost < best.cost {
            best = Candidate(cost, base, multiplier, table);
        }
    }
    if LEVEL > 1u {
        let reciprocal = one_over(total_of(weights));
        let start = best.multiplier;
        let reach = reaches(best.table);
        for (var step = 0u; step < 3u; step++) {
            let multiplier = clamp(start + f32(step) - 1.0, LEAST_MULTIPLIER, 15.0);
            let scale = scale_of(multiplier);
            let line = line_of(base_of(middle, scale), scale, reach * scale);
            let fitted = fitted_base(t, weights, line, scale, reciprocal);
            for (var place = 0u; place < 3u; place++) {
                // The fitted base, one less, one more.
                let moved = fitted + select(0.0, f32(place) * 2.0 - 3.0, place > 0u);
                let base = clamp(moved, FIRST_BASE, LAST_BASE);
                let cost = error_of(t, weights, line_of(base, scale, reach * scale));
                if cost < best.cost {
                    best = Candidate(cost, base, multiplier, best.table);
                }
            }
        }
    }
    let scale = scale_of(best.multiplier);
    let line = line_of(best.base, scale, reaches(best.table) * scale);
    // Columns of four indices, the first one in the highest bits.
    var columns = row_indices(line, t.a);
    columns = columns * 8u + row_indices(line, t.b);
    columns = columns * 8u + row_indices(line, t.c);
    columns = columns * 8u + row_indices(line, t.d);
    let high = (columns.x << 12u) | columns.y;
    let low = (columns.z << 12u) | columns.w;
    let base = u32(i32(best.base)) << 24u;
    let head = base | (u32(best.multiplier) << 20u) | (best.table << 16u);
    return big_endian(vec2(head | (high >> 8u), (high << 24u) | low));
}
