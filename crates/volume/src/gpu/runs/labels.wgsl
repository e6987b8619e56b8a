// Label bricks: bricks of 8×8×8 with few labels, whose codes name labels (docs/volume-format.md, section
// 5.6).
//
// A lane has groups `2 * lane` and `2 * lane + 1`, the codes of places `16 * lane` to `16 * lane + 15`. All
// lanes read the flags of groups, in workgroup memory, and find their entries by counts of bits. They also
// read all bit planes, from the payload, to find their bits in the next one.
// needs: ../format/bits.wgsl, ../format/sets.wgsl, ../format/header.wgsl, ../lanes/staged.wgsl
// needs: ../lanes/values.wgsl, undo_runs.wgsl, runs.wgsl

// True for the header of a brick with a range above 0, if it is that of a label brick.
fn is_label_brick(header: Header) -> bool {
    let all_ones = (1u << width(2u * width(header.largest) - 1u)) - 1u;
    let has_ones = (header.base == all_ones) & (header.delta_bits == min(all_ones, 3u));
    return has_ones & (header.largest <= MAX_LABEL);
}

// Puts the codes of a label brick, and its first value, where their voxels are. All lanes call it together
// after `put_in_order`.
fn read_labels(lane: u32, first_word: u32, header: Header, code_count: u32, runs: u32) {
    // The lists of groups end within twice the words that are staged for the header.
    stage(lane, first_word, LANES, 2u * LANES);
    for (var voxel = lane; voxel < 64u * runs; voxel += LANES) {
        values[voxel] = 0u;
    }
    workgroupBarrier();
    // The first value and the flags of runs, the latter only if there are several.
    let value_bits = width(header.largest);
    let head = bits(header.deltas, 32u);
    let first = extractBits(head, 0u, value_bits);
    var at = header.deltas + value_bits;
    let run_count = (code_count + 63u) >> 6u;
    let marked_runs = select(1u, head >> value_bits, run_count > 1u);
    at += select(0u, run_count, run_count > 1u);
    // A bit for each group.
    var marked = vec2u(0u);
    for (var run = 0u; run < run_count; run++) {
        if ((marked_runs >> run) & 1u) == 1u {
            let groups = bits(at, 8u) << (8u * (run & 3u));
            marked |= select(vec2u(0u, groups), vec2u(groups, 0u), run < 4u);
            at += 8u;
        }
    }
    // A bit for each marked group, and for each of these that is not a single.
    let group_count = count(marked);
    let others = flags(at, group_count);
    at += group_count;
    let other_count = count(others);
    let masks = flags(at, other_count);
    at += other_count;
    let mask_count = count(masks);
    let singles_start = at;
    let pairs_start = singles_start + 3u * (group_count - other_count);
    let masks_start = pairs_start + 5u * (other_count - mask_count);
    // Groups before the lane's: marked ones, among these no singles, among these no pairs.
    var marked_before = count(marked & first_of(2u * lane));
    var others_before = count(others & first_of(marked_before));
    var masks_before = count(masks & first_of(others_before));
    let own_masks = masks_start + 8u * masks_before;
    // Codes above 0 of singles and pairs: those before the lane's, and all.
    var of_short = vec2u(marked_before, group_count) + vec2u(others_before, other_count)
        - 2u * vec2u(masks_before, mask_count);
    // The lane's codes above 0, a bit each.
    var alive = 0u;
    for (var group = 2u * lane; group < min(2u * lane + 2u, 8u * run_count); group++) {
        if bit_of(marked, group) == 1u {
            let is_other = bit_of(others, marked_before);
            let is_mask = is_other & bit_of(masks, others_before);
            let of_single = singles_start + 3u * (marked_before - others_before);
            let of_pair = pairs_start + 5u * (others_before - masks_before);
            let of_mask = masks_start + 8u * masks_before;
            let entry = bits(select(select(of_single, of_pair, is_other == 1u), of_mask, is_mask == 1u), 8u);
            let codes = select(single_or_pair(entry, is_other == 1u), entry, is_mask == 1u);
            alive |= codes << (8u * (group & 1u));
            marked_before += 1u;
            others_before += is_other;
            masks_before += is_mask;
        }
    }
    // The list of masks is read like a bit plane, because its ones are also counted; to these, the codes of
    // singles and pairs are added. All codes above 0 are at least 1.
    var all_are = 0xffffffffu;
    var start = masks_start;
    var own = own_masks;
    var end = masks_start + 8u * mask_count;
    for (var label = 1u; label <= header.largest; label++) {
        let plane = scan(first_word, start, own, end);
        var ones = bits_from(plane.own, own) | all_are;
        var left = alive;
        alive = 0u;
        while left != 0u {
            let code = firstTrailingBit(left);
            left &= left - 1u;
            let place = 16u * lane + code;
            if (ones & 1u) == 1u && place < code_count {
                alive |= 1u << code;
                values[coded[place]] = label;
            }
            ones >>= 1u;
        }
        start = end;
        own = end + plane.before + of_short.x;
        end += plane.all + of_short.y;
        if start == end {
            break;
        }
        of_short = vec2u(0u);
        all_are = 0u;
    }
    if lane == 0u {
        values[0] = first;
    }
}

// The next bits, up to 64.
fn flags(position: u32, bit_count: u32) -> vec2u {
    let word = position >> 5u;
    let middle = staged[word + 1u];
    let low = bits_from(vec2u(staged[word], middle), position);
    return vec2u(low, bits_from(vec2u(middle, staged[word + 2u]), position)) & first_of(bit_count);
}

// The code of a single, or the two of a pair, a bit each, from an entry that starts with the code's position
// or the pair's number.
fn single_or_pair(entry: u32, is_pair: bool) -> u32 {
    let number = entry & 31u;
    // The first numbers of pairs by their second code.
    let low = vec3<bool>(number >= 1u, number >= 3u, number >= 6u);
    let high = vec3<bool>(number >= 10u, number >= 15u, number >= 21u);
    let sums = vec3u(low) + vec3u(high);
    let second = 1u + sums.x + sums.y + sums.z;
    // (Numbers above 27 are damaged.)
    let first = (number - ((second * (second - 1u)) >> 1u)) & 7u;
    return select(1u << (entry & 7u), (1u << first) | (1u << second), is_pair);
}

// The bits between two positions, and among them those from a third position on.
struct Scan {
    // How many ones are before the third position, and in all.
    before: u32,
    all: u32,
    // The words with the third position and after it.
    own: vec2u,
}

fn scan(first_word: u32, start: u32, own: u32, end: u32) -> Scan {
    var found = Scan();
    for (var word = start >> 5u; 32u * word < end; word++) {
        let ones = payload(first_word + word) & bits_below(word, end) & ~bits_below(word, start);
        found.all += countOneBits(ones);
        found.before += countOneBits(ones & bits_below(word, own));
        if word == own >> 5u {
            found.own.x = ones;
        }
        if word == (own >> 5u) + 1u {
            found.own.y = ones;
        }
    }
    return found;
}

// The bits of a word below a position.
fn bits_below(word: u32, position: u32) -> u32 {
    let bit_count = max(position, 32u * word) - 32u * word;
    return select((1u << (bit_count & 31u)) - 1u, 0xffffffffu, bit_count >= 32u);
}

// The value of a code: a label that is predicted by votes of neighbours, or another.
fn undo_label(turn: Turn, code: u32, range: u32) -> u32 {
    let at = turn.voxel;
    let weight = brick_weights[turn.class_of];
    let near = unpack4xI8(weight.x);
    let far = unpack4xI8(weight.y);
    // W, N and U.
    let labels = vec3u(values[at - BACKS[0]], values[at - BACKS[1]], values[at - BACKS[2]]);
    var votes = votes_for(labels, labels.x, near.x);
    votes += votes_for(labels, labels.y, near.y);
    votes += votes_for(labels, labels.z, near.z);
    votes += votes_for(labels, values[at - BACKS[3]], near.w);
    votes += votes_for(labels, values[at - BACKS[4]], far.x);
    votes += votes_for(labels, values[at - BACKS[5]], far.y);
    votes += votes_for(labels, values[at - BACKS[6]], far.z);
    votes += votes_for(labels, range, far.w);
    // The most votes, and among equal ones the smallest label. Labels are below 32, also those of damaged
    // bricks.
    let is_there = (vec3u(turn.class_of) & vec3u(1u, 2u, 4u)) != vec3u(0u);
    let keys = select(vec3i(NO_VOTES), 32 * votes - vec3i(labels), is_there);
    let predicted = bitcast<u32>(-max(max(keys.x, keys.y), keys.z)) & 31u;
    return select(code - u32(code <= predicted), predicted, code == 0u);
}

// Below any sum of votes.
const NO_VOTES = -100000;

// The votes of a neighbour of this label for three others.
fn votes_for(labels: vec3u, label: u32, weight: i32) -> vec3i {
    return select(vec3i(0), vec3i(weight), labels == vec3u(label));
}
