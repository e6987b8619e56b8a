// Levels 2 and 3 of real time: one subset or two (real_time_two.rs). The kernel contains `choice_of_two`.
// needs: real_time.wgsl, ../index_words.wgsl, ../put.wgsl

@group(0) @binding(3) var<storage, read> tables: array<u32>;

const LAST_OF_TWO = 7.0;

// Codes of each thread's endpoints as they are stored, channel by channel.
var<workgroup> stored_codes: array<u32, 768>;

// Words of a block, and its error.
struct Found {
    words: vec4<u32>,
    error: f32,
}

// Returns the keys of the two partitions nearest to the sides of the mean, the nearest first.
fn nearest_partitions(block: Block, all: Texels) -> vec2<u32> {
    let center = dot(all.axis, all.moments.sums);
    var sides = 0u;
    for (var t = 0u; t < 16u; t++) {
        let is_past = dot(scaled_at(block, t), all.axis) * 16.0 > center;
        sides |= select(0u, 1u << t, is_past);
    }
    var found = vec2(0xffffffffu);
    for (var number = 0u; number < WHOLE; number++) {
        let entry = tables[SECOND + number];
        let count = countOneBits((sides ^ entry) & 0xffffu);
        let key = (min(count, 16u - count) << 26u) | (number << 20u) | entry;
        found = vec2(min(found.x, key), min(found.y, max(found.x, key)));
    }
    return found & vec2(0x3ffffffu);
}

// Stores the codes of an endpoint, less those of the first.
fn store_codes(endpoint: u32, codes: vec3<f32>, base: vec3<f32>) {
    let bits = bits_of(codes - base);
    stored_codes[192u * endpoint + own] = bits.x;
    stored_codes[192u * endpoint + 64u + own] = bits.y;
    stored_codes[192u * endpoint + 128u + own] = bits.z;
}

// Returns the words of a block, from the mode's prefix and the places of its fields: `fields` of params.rs.
fn words_of_two(mode: u32, first: Codes, second: Codes, key: u32, indices: vec2<u32>) -> vec4<u32> {
    let fields = tables[LAYOUTS + mode];
    let base = select(vec3(0.0), first.a, (fields & 256u) != 0u);
    store_codes(0u, first.a, vec3(0.0));
    store_codes(1u, first.b, base);
    store_codes(2u, second.a, base);
    store_codes(3u, second.b, base);
    words = vec4(0u);
    length = 0u;
    put(fields & 31u, (fields >> 5u) & 7u);
    let end = FIELDS + (fields >> 20u);
    for (var place = FIELDS + ((fields >> 9u) & 2047u); place < end; place++) {
        // Channel, endpoint, first bit and number of bits.
        let field = tables[place];
        let stored = stored_codes[64u * (3u * ((field >> 2u) & 3u) + (field & 3u)) + own];
        let count = field >> 8u;
        put(extractBits(stored, (field >> 4u) & 15u, count), count);
    }
    put(key >> 20u, 5u);
    let last = index_words(key, indices);
    return words | vec4(0u, 0u, last);
}

// Returns the block with the partition of this key, if its error is smaller than that of `best`; else `best`.
fn better_of(best: Found, block: Block, all: Texels, key: u32) -> Found {
    // 16, which no compiler knows: unrolled loops would keep all texels in registers.
    let end = 16u + params.zero;
    var second = Moments(0.0, vec3(0.0), vec3(0.0), vec3(0.0));
    var totals = vec3(0.0);
    for (var t = 0u; t < end; t++) {
        let count = f32((key >> t) & 1u);
        second = with_texel(second, scaled_at(block, t) * count, count);
        totals += (value_at(t) - block.middle) * count;
    }
    let first = Moments(
        16.0 - second.count,
        all.moments.sums - second.sums,
        all.moments.squares - second.squares,
        all.moments.mixed - second.mixed,
    );
    let first_axis = axis_of(first);
    let second_axis = axis_of(second);
    var low = vec2(FAR);
    var high = vec2(-FAR);
    for (var t = 0u; t < end; t++) {
        let is_second = ((key >> t) & 1u) != 0u;
        let projection = dot(scaled_at(block, t), select(first_axis, second_axis, is_second));
        let used = vec2(!is_second, is_second);
        low = min(low, select(vec2(FAR), vec2(projection), used));
        high = max(high, select(vec2(-FAR), vec2(projection), used));
    }
    let anchor = (key >> 16u) & 15u;
    let of_first = dot(scaled_at(block, 0u), first_axis);
    let of_second = dot(scaled_at(block, anchor), second_axis);
    let first_start = directed(vec2(low.x, high.x), of_first, LAST_OF_TWO);
    let second_start = directed(vec2(low.y, high.y), of_second, LAST_OF_TWO);
    var a = Members(first.count, reciprocal(first.count), all.totals - totals, 0.0, 0.0, vec3(0.0));
    var b = Members(second.count, reciprocal(second.count), totals, 0.0, 0.0, vec3(0.0));
    for (var t = 0u; t < end; t++) {
        let is_second = ((key >> t) & 1u) != 0u;
        let start = select(first_start, second_start, is_second);
        let projection = dot(scaled_at(block, t), select(first_axis, second_axis, is_second));
        let at = round((projection - start.x) * start.y);
        let places = select(vec2(at, 0.0), vec2(0.0, at), is_second);
        let value = value_at(t) - block.middle;
        a.weight += places.x;
        a.square += places.x * places.x;
        a.weighted += places.x * value;
        b.weight += places.y;
        b.square += places.y * places.y;
        b.weighted += places.y * value;
    }
    let of_a = fitted(block, a, LAST_OF_TWO);
    let of_b = fitted(block, b, LAST_OF_TWO);
    let farthest = max(abs(of_a.b - of_a.a), max(abs(of_b.a - of_a.a), abs(of_b.b - of_a.a)));
    let choice = choice_of_two(farthest);
    let coding = coding_of_choice(block, choice);
    let first_codes = Codes(codes_of(coding, of_a.a), codes_of(coding, of_a.b));
    let second_codes = Codes(codes_of(coding, of_b.a), codes_of(coding, of_b.b));
    let first_ends = Ends(values_of(coding, first_codes.a), values_of(coding, first_codes.b));
    let second_ends = Ends(values_of(coding, second_codes.a), values_of(coding, second_codes.b));
    let first_line = line_of(block, first_ends, LAST_OF_TWO);
    let second_line = line_of(block, second_ends, LAST_OF_TWO);
    var indices = vec2(0u);
    var error = 0.0;
    for (var i = 0u; i < end; i++) {
        let t = 15u - i;
        let is_second = ((key >> t) & 1u) != 0u;
        let line = Line(
            select(first_line.base, second_line.base, is_second),
            select(first_line.step, second_line.step, is_second),
            select(first_line.along, second_line.along, is_second),
            select(first_line.origin, second_line.origin, is_second),
            select(first_line.scale, second_line.scale, is_second),
        );
        let index = index_at(block, line, t, select(LAST_OF_TWO, 3.0, t == 0u || t == anchor));
        let bits = u32(index) << (3u * (t & 7u));
        indices |= select(vec2(bits, 0u), vec2(0u, bits), t >= 8u);
        // The weight is 64·index/7, to nearest.
        error = keep(error + error_at(block, line, t, floor((index * 64.0 + 3.5) * (1.0 / LAST_OF_TWO))));
    }
    if error < keep(best.error * SMALLER) {
        return Found(words_of_two(choice.mode, first_codes, second_codes, key, indices), error);
    }
    return best;
}

// Returns the ends of the line that best fits an encoding's indices.
fn refitted(block: Block, all: Texels, found: Whole) -> Ends {
    var members = Members(16.0, 1.0 / 16.0, all.totals, 0.0, 0.0, vec3(0.0));
    for (var t = 0u; t < 16u; t++) {
        let at = f32((select(found.indices.x, found.indices.y, t >= 8u) >> (4u * (t & 7u))) & 15u);
        members.weight += at;
        members.square += at * at;
        members.weighted += at * (value_at(t) - block.middle);
    }
    return fitted(block, members, LAST);
}

fn encode_block(block: Block) -> vec4<u32> {
    let all = all_texels(block);
    var whole = whole_of(block, line_through(block, all));
    if LEVEL > 2u {
        let other = whole_of(block, refitted(block, all, whole));
        if other.error < keep(whole.error * SMALLER) {
            whole = other;
        }
    }
    var best = Found(words_of_whole(whole), whole.error);
    let keys = nearest_partitions(block, all);
    for (var i = 0u; i < ROUNDS; i++) {
        best = better_of(best, block, all, keys[i]);
    }
    return best.words;
}
