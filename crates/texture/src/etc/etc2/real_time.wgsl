// Colours in real time: real_time.rs and real_time_paint.rs, with finish.rs and pack.rs.
// needs: ../../real_time/texels.wgsl, ../numbers.wgsl, real_time_paint.wgsl, real_time_finish.wgsl

// Sums of channels of the texels of each thread's block.
var<workgroup> block_totals: array<f32, 1024>;

fn texel_total(t: u32) -> f32 {
    return block_totals[64u * t + own];
}

// Texels that have an error, one bit each.
var<private> counted: u32;
// Texels that are transparent.
var<private> transparent: u32;

fn weight_of(t: u32) -> f32 {
    return f32((counted >> t) & 1u);
}

fn is_punched() -> bool {
    return HAS_ALPHA != 0u && transparent != 0u;
}

fn keep3(x: vec3<f32>) -> vec3<f32> {
    return keep(vec4(x, 0.0)).xyz;
}

fn channels(t: u32) -> vec3<f32> {
    return bytes(block_texel(t)).xyz;
}

// Returns codes as bytes, which take fewer registers.
fn packed(codes: vec3<f32>) -> u32 {
    let words = vec3<u32>(codes);
    return words.x | (words.y << 8u) | (words.z << 16u);
}

fn unpacked(codes: u32) -> vec3<f32> {
    return bytes(codes).xyz;
}

fn five(codes: vec3<f32>) -> vec3<f32> {
    return codes * 8.0 + floor(codes * 0.25);
}

// Codes of a block as bytes: two colours, or three of planar blocks. The halves' tables are bytes, too; the
// first one is the distance in T and H blocks.
struct Found {
    cost: f32,
    mode: u32,
    flip: u32,
    first: u32,
    second: u32,
    third: u32,
    tables: u32,
}

const FIRST_MODIFIERS = vec2(MODIFIER_WORDS[0], MODIFIER_WORDS[1]);
const LAST_MODIFIERS = vec2(MODIFIER_WORDS[2], MODIFIER_WORDS[3]);
const FIRST_TABLE_LIMITS =
    vec4(TABLE_LIMITS[0], TABLE_LIMITS[1], TABLE_LIMITS[2], TABLE_LIMITS[3]);

const INDIVIDUAL = 0u;
const DIFFERENTIAL = 1u;
const T_MODE = 2u;
const H_MODE = 3u;
const PLANAR = 4u;

// Returns the encoding with the smaller error.
fn better(a: Found, b: Found) -> Found {
    if b.cost < a.cost {
        return b;
    }
    return a;
}

// Returns small and large modifiers of a table. Where a block has transparent texels, small ones are 0.
fn modifiers_of(table: u32) -> vec2<f32> {
    let words = select(FIRST_MODIFIERS, LAST_MODIFIERS, vec2(table >= 4u));
    let modifiers = vec2<f32>((words >> vec2(8u * (table & 3u))) & vec2(255u));
    return select(modifiers, vec2(0.0, modifiers.y), vec2(is_punched(), false));
}

// Returns the differential block of one colour: the base colour and the modifier whose sum is nearest.
fn solid(color: vec3<f32>) -> Found {
    var found = Found(MOST, DIFFERENTIAL, 0u, 0u, 0u, 0u, 0u);
    let count = f32(countOneBits(counted));
    for (var i = 0u; i < 32u; i++) {
        let modifiers = modifiers_of(i >> 2u);
        let size = select(modifiers.x, modifiers.y, (i & 1u) != 0u);
        let modifier = select(size, -size, (i & 2u) != 0u);
        let codes = clamp(floor(keep3((color - modifier) * FIVE_RATE) + 0.5), vec3(0.0), vec3(31.0));
        let error = clamp(five(codes) + modifier, vec3(0.0), vec3(255.0)) - color;
        let cost = dot(error, error) * count;
        if cost < found.cost {
            found = Found(cost, DIFFERENTIAL, 0u, packed(codes), packed(codes), 0u, (i >> 2u) * 0x101u);
        }
    }
    return found;
}

// Returns the errors of planes in each channel.
fn plane_costs(origin: vec3<f32>, right: vec3<f32>, below: vec3<f32>) -> vec3<f32> {
    let start = plane_value(origin);
    let across = (plane_value(right) - start) * 0.25;
    let down = (plane_value(below) - start) * 0.25;
    var costs = vec3(0.0);
    for (var t = 0u; t < unknown(16u); t++) {
        let value = across * f32(t & 3u) + (down * f32(t >> 2u) + (start + 0.5));
        let error = channels(t) - clamp(floor(value), vec3(0.0), vec3(255.0));
        costs += error * error * weight_of(t);
    }
    return costs;
}

const PLANE_MOST = vec3(63.0, 127.0, 63.0);

fn plane_value(codes: vec3<f32>) -> vec3<f32> {
    return codes * vec3(4.0, 2.0, 4.0) + floor(codes * vec3(0.0625, 0.015625, 0.0625));
}

fn plane_codes(ends: vec3<f32>) -> vec3<f32> {
    let scale = vec3(SIX_PLANE_RATE, SEVEN_PLANE_RATE, SIX_PLANE_RATE);
    return clamp(floor(keep3(ends * scale) + 0.5), vec3(0.0), PLANE_MOST);
}

// Returns the planar block by least squares, and after steps of its codes.
fn planes() -> Found {
    var sums = vec3(0.0);
    var across = vec3(0.0);
    var down = vec3(0.0);
    for (var t = 0u; t < unknown(16u); t++) {
        let x = channels(t);
        sums += x;
        across += x * (2.0 * f32(t & 3u) - 3.0);
        down += x * (2.0 * f32(t >> 2u) - 3.0);
    }
    // The values at the first texel and four texels to the right and below, times 80.
    let start = sums * 5.0 - (across + down) * 3.0;
    let end = start + across * 8.0;
    var origin = plane_codes(start);
    var right = plane_codes(end);
    let error = plane_value(right) * 80.0 - end;
    var below = plane_codes(start + down * 8.0 - error * CORRECTED);
    var costs = plane_costs(origin, right, below);
    for (var step = 0u; step < unknown(PLANE_STEPS); step++) {
        let change = select(1.0, -1.0, (step & 1u) != 0u);
        let place = step >> 1u;
        let a = clamp(origin + select(0.0, change, place == 0u), vec3(0.0), PLANE_MOST);
        let b = clamp(right + select(0.0, change, place == 1u), vec3(0.0), PLANE_MOST);
        let c = clamp(below + select(0.0, change, place == 2u), vec3(0.0), PLANE_MOST);
        let changed = plane_costs(a, b, c);
        let is_better = changed < costs;
        origin = select(origin, a, is_better);
        right = select(right, b, is_better);
        below = select(below, c, is_better);
        costs = min(costs, changed);
    }
    let cost = select(costs.x + costs.y + costs.z, MOST, is_punched());
    return Found(cost, PLANAR, 0u, packed(origin), packed(right), packed(below), 0u);
}

// Sums of a half: left, right, upper or lower.
struct Half {
    index: u32,
    sum: vec3<f32>,
    square: f32,
    count: f32,
    // 1 / count.
    reciprocal: f32,
}

// Returns texel `i` of 8 of a h.
fn half_texel(index: u32, i: u32) -> u32 {
    let upright = (i & 1u) + 4u * (i >> 1u) + 2u * (index & 1u);
    return select(upright, i + 8u * (index & 1u), index >= 2u);
}

fn half_of(index: u32) -> Half {
    var h = Half(index, vec3(0.0), 0.0, 0.0, 0.0);
    for (var i = 0u; i < unknown(8u); i++) {
        let t = half_texel(index, i);
        let weight = weight_of(t);
        let x = channels(t) * weight;
        h.sum += x;
        h.square += dot(x, x);
        h.count += weight;
    }
    h.reciprocal = one_over(h.count);
    return h;
}

// Four tables from `first` on, their modifiers as bytes, and the sums of those that the texels take.
struct Tables {
    first: u32,
    small: u32,
    large: u32,
    sums: vec4<f32>,
}

// Returns four of eight bytes.
fn four_bytes(low: u32, high: u32, first: u32) -> u32 {
    let bits = 8u * (first & 3u);
    let both = select((low >> bits) | (high << (32u - max(bits, 1u))), low, bits == 0u);
    return select(both, high, first >= 4u);
}

fn fit_tables(h: Half) -> Tables {
    let total = h.sum.x + h.sum.y + h.sum.z;
    var distance = 0.0;
    for (var i = 0u; i < unknown(8u); i++) {
        let t = half_texel(h.index, i);
        distance += abs(texel_total(t) * h.count - total) * weight_of(t);
    }
    let is_higher = FIRST_TABLE_LIMITS * (h.count * h.count) < vec4(distance);
    let higher = select(vec4(0u), vec4(1u), is_higher);
    let first = higher.x + higher.y + higher.z + higher.w;
    let small_word = select(four_bytes(FIRST_MODIFIERS.x, LAST_MODIFIERS.x, first), 0u, is_punched());
    let large_word = four_bytes(FIRST_MODIFIERS.y, LAST_MODIFIERS.y, first);
    let small = bytes(small_word);
    let large = bytes(large_word);
    let limit = (small + large) * h.count * 1.5;
    var sums = vec4(0.0);
    for (var round = 0u; round < LEVEL; round++) {
        let shift = sums * 3.0 - total;
        sums = vec4(0.0);
        for (var i = 0u; i < unknown(8u); i++) {
            let t = half_texel(h.index, i);
            let offset = texel_total(t) * h.count + shift;
            let modifier = select(small, large, abs(offset) > limit);
            sums += select(modifier, -modifier, offset < vec4(0.0)) * weight_of(t);
        }
    }
    return Tables(first, small_word, large_word, sums);
}

// Best codes of a half, and its table.
struct Choice {
    cost: f32,
    codes: u32,
    table: u32,
    // Sum of the modifiers that the texels take.
    sum: f32,
}

// Smallest and largest codes of a h.
struct Limits {
    least: vec3<f32>,
    greatest: vec3<f32>,
}

// Returns the error of a half whose colours may be clamped.
fn clamped_cost(h: Half, base: vec3<f32>, small: f32, large: f32) -> f32 {
    let a = clamp(base + small, vec3(0.0), vec3(255.0));
    let b = clamp(base + large, vec3(0.0), vec3(255.0));
    let c = clamp(base - small, vec3(0.0), vec3(255.0));
    let d = clamp(base - large, vec3(0.0), vec3(255.0));
    var cost = 0.0;
    for (var i = 0u; i < unknown(8u); i++) {
        let t = half_texel(h.index, i);
        let x = channels(t);
        let errors = vec4(dot(x - a, x - a), dot(x - b, x - b), dot(x - c, x - c), dot(x - d, x - d));
        cost += min(min(errors.x, errors.y), min(errors.z, errors.w)) * weight_of(t);
    }
    return cost;
}

// Returns the 8-bit values of codes.
fn values_of(codes: vec4<f32>, is_four: bool) -> vec4<f32> {
    return select(codes * 8.0 + floor(codes * 0.25), codes * 17.0, is_four);
}

fn codes_of(sum: f32, tables: Tables, rate: f32, least: f32, greatest: f32) -> vec4<f32> {
    return clamp(floor(keep((sum - tables.sums) * rate) + 0.5), vec4(least), vec4(greatest));
}

// Returns the table with the smallest error, and its codes between limits.
fn rounded(h: Half, tables: Tables, limits: Limits, is_four: bool) -> Choice {
    let rate = keep(vec4(h.reciprocal * select(FIVE_RATE, FOUR_RATE, is_four))).x;
    var red = codes_of(h.sum.x, tables, rate, limits.least.x, limits.greatest.x);
    var green = codes_of(h.sum.y, tables, rate, limits.least.y, limits.greatest.y);
    var blue = codes_of(h.sum.z, tables, rate, limits.least.z, limits.greatest.z);
    var costs = vec4(h.square);
    var totals = vec4(0.0);
    // Bits of the tables that clamp a colour.
    var clamps = 0u;
    {
        let red_values = values_of(red, is_four);
        let green_values = values_of(green, is_four);
        let blue_values = values_of(blue, is_four);
        costs += red_values * (red_values * h.count - 2.0 * h.sum.x);
        costs += green_values * (green_values * h.count - 2.0 * h.sum.y);
        costs += blue_values * (blue_values * h.count - 2.0 * h.sum.z);
        totals = red_values + green_values + blue_values;
        let large = bytes(tables.large);
        let is_low = min(min(red_values, green_values), blue_values) < large;
        let is_high = vec4(255.0) - large < max(max(red_values, green_values), blue_values);
        let bits = select(vec4(0u), vec4(1u, 2u, 4u, 8u), is_low | is_high);
        clamps = bits.x | bits.y | bits.z | bits.w;
    }
    let small = bytes(tables.small);
    let large = bytes(tables.large);
    for (var i = 0u; i < unknown(8u); i++) {
        let t = half_texel(h.index, i);
        let d = 2.0 * abs(texel_total(t) - totals);
        let least = min(small * (3.0 * small - d), large * (3.0 * large - d));
        costs += least * weight_of(t);
    }
    if LEVEL > 1u {
        // One table after the other, which the vectors are rotated to.
        for (var i = 0u; i < unknown(4u); i++) {
            if (clamps & (1u << i)) != 0u {
                let codes = vec3(red.x, green.x, blue.x);
                let base = select(five(codes), codes * 17.0, vec3(is_four));
                let place = 8u * i;
                let modifiers = vec2<f32>((vec2(tables.small, tables.large) >> vec2(place)) & vec2(255u));
                costs.x = clamped_cost(h, base, modifiers.x, modifiers.y);
            }
            costs = costs.yzwx;
            red = red.yzwx;
            green = green.yzwx;
            blue = blue.yzwx;
        }
    }
    let low = select(0u, 1u, costs.y < costs.x);
    let high = select(2u, 3u, costs.w < costs.z);
    let at = select(low, high, min(costs.z, costs.w) < min(costs.x, costs.y));
    let codes = vec3(component(red, at), component(green, at), component(blue, at));
    return Choice(component(costs, at), packed(codes), tables.first + at, component(tables.sums, at));
}

// Returns other codes of a half for a table.
fn rounded_again(h: Half, old: Choice, limits: Limits, is_four: bool) -> Choice {
    let rate = keep(vec4(h.reciprocal * select(FIVE_RATE, FOUR_RATE, is_four))).x;
    let codes = clamp(floor(keep3((h.sum - old.sum) * rate) + 0.5), limits.least, limits.greatest);
    let base = select(five(codes), codes * 17.0, vec3(is_four));
    let total = base.x + base.y + base.z;
    let terms = base * (base * h.count - 2.0 * h.sum);
    var cost = h.square + terms.x + terms.y + terms.z;
    let modifiers = modifiers_of(old.table);
    for (var i = 0u; i < unknown(8u); i++) {
        let t = half_texel(h.index, i);
        let errors = modifiers * (3.0 * modifiers - 2.0 * abs(texel_total(t) - total));
        cost += min(errors.x, errors.y) * weight_of(t);
    }
    return Choice(cost, packed(codes), old.table, old.sum);
}

// Returns codes of a half that is too far from the other: for its table at level 1, else for all four.
fn nearer(h: Half, tables: Tables, old: Choice, limits: Limits, is_four: bool) -> Choice {
    if LEVEL > 1u {
        return rounded(h, tables, limits, is_four);
    }
    return rounded_again(h, old, limits, is_four);
}

fn pair(flip: u32, mode: u32, first: Choice, second: Choice) -> Found {
    let tables = first.table | (second.table << 8u);
    return Found(first.cost + second.cost, mode, flip, first.codes, second.codes, 0u, tables);
}

// Returns the best individual or differential block of this direction.
fn halves(flip: u32) -> Found {
    var a: Half;
    var b: Half;
    var tables_a: Tables;
    var tables_b: Tables;
    var first: Choice;
    var second: Choice;
    let fives = Limits(vec3(0.0), vec3(31.0));
    for (var side = 0u; side < unknown(2u); side++) {
        a = b;
        tables_a = tables_b;
        first = second;
        b = half_of(2u * flip + side);
        tables_b = fit_tables(b);
        second = rounded(b, tables_b, fives, false);
    }
    let difference = unpacked(second.codes) - unpacked(first.codes);
    if all(difference >= vec3(-4.0)) && all(difference <= vec3(3.0)) {
        return pair(flip, DIFFERENTIAL, first, second);
    }
    // The second half near the first one, the reverse, and codes of 4 bits.
    var found: Found;
    var four_a: Choice;
    for (var i = 0u; i < unknown(4u - 2u * HAS_ALPHA); i++) {
        var h = a;
        var tables = tables_a;
        var old = first;
        if i == 0u || i == 3u {
            h = b;
            tables = tables_b;
            old = second;
        }
        var limits = Limits(vec3(0.0), vec3(15.0));
        if i == 0u {
            let codes = unpacked(first.codes);
            limits = Limits(max(codes - 4.0, vec3(0.0)), min(codes + 3.0, vec3(31.0)));
        } else if i == 1u {
            let codes = unpacked(second.codes);
            limits = Limits(max(codes - 3.0, vec3(0.0)), min(codes + 4.0, vec3(31.0)));
        }
        let choice = nearer(h, tables, old, limits, i >= 2u);
        if i == 0u {
            found = pair(flip, DIFFERENTIAL, first, choice);
        } else if i == 1u {
            found = better(found, pair(flip, DIFFERENTIAL, choice, second));
        } else if i == 2u {
            four_a = choice;
        } else {
            found = better(found, pair(flip, INDIVIDUAL, four_a, choice));
        }
    }
    return found;
}

// Returns the block of the colours of the kept texels.
fn encode_colors(visible: u32) -> vec2<u32> {
    let color = block_texel(0u) & 0xffffffu;
    var low_alpha = 0u;
    var is_solid = true;
    for (var t = 0u; t < unknown(16u); t++) {
        let texel = block_texel(t);
        let x = bytes(texel);
        block_totals[64u * t + own] = x.x + x.y + x.z;
        low_alpha |= select(0u, 1u << t, (texel >> 24u) < OPAQUE_FROM);
        is_solid &= (texel & 0xffffffu) == color;
    }
    transparent = select(0u, visible & low_alpha, HAS_ALPHA != 0u);
    counted = visible & ~transparent;
    var found = planes();
    if is_solid {
        found = better(solid(bytes(color).xyz), found);
    }
    for (var flip = 0u; flip < unknown(2u); flip++) {
        found = better(found, halves(flip));
    }
    if LEVEL > 1u && !is_punched() {
        found = better(found, paint());
    }
    return finish(found);
}
