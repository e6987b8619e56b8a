// Decoded bricks that 32 lanes share: the cache of Guthe & Goesele 2016, section 4.2. It is fully
// associative; an entry's tag is in the lane of its number, the bricks are in workgroup memory. The kernel
// has `decode_brick`, one of the `least` and one of the `same`.
// needs: picture.wgsl, rays.wgsl, display.wgsl, ../gpu/region/resident.wgsl

// Voxels `i` and `i + 32` of an entry are the halves of one word.
var<workgroup> cached: array<u32, ENTRIES * LANES>;

// The brick in the entry of this lane's number.
var<private> tag: u32;

// A bit per entry, the same in all lanes: used since these were last cleared; of these decoded since.
var<private> used: u32;
var<private> fresh: u32;

// True if the lane requested a brick whose page is not bound.
var<private> is_blocked: bool;

// The requests, by lanes and bricks, the waits for a brick, and bricks decoded.
var<private> requests: u32;
var<private> misses: u32;
var<private> decoded_bricks: u32;

const ALL_ENTRIES = 0xffffffffu >> (32u - ENTRIES);

fn empty_cache() {
    tag = NONE;
    used = 0u;
    fresh = 0u;
}

// The entry with the brick of this number, which all lanes have the same, or NONE if its page is not bound.
// All lanes call it together.
fn entry_of(lane: u32, number: u32) -> u32 {
    let hits = ballot(lane, vec2<bool>(tag == number, false)).x;
    if hits != 0u {
        let entry = firstTrailingBit(hits);
        used |= 1u << entry;
        return entry;
    }
    let along = shape.bricks;
    let row = number / along.x;
    let layer = row / along.y;
    let brick = find_brick(vec3u(number - row * along.x, row - layer * along.y, layer));
    // Whether its page is bound; whether it has bytes.
    let state = same(lane, u32(brick.is_bound) | (u32(brick.range > 0u) << 1u));
    if (state & 1u) == 0u {
        return NONE;
    }
    // The first entry not used; where all are, those not decoded since this last happened become free.
    if used == ALL_ENTRIES {
        used = select(fresh, 0u, fresh == ALL_ENTRIES);
        fresh = 0u;
    }
    let entry = firstTrailingBit(~used);
    used |= 1u << entry;
    fresh |= 1u << entry;
    if lane == entry {
        tag = number;
    }
    var values_there = vec2u(0u);
    if (state & 2u) != 0u {
        values_there = decode_brick(lane, brick.start, brick.range, brick.inside);
        decoded_bricks += 1u;
    } else {
        // Other lanes may still read the previous contents.
        workgroupBarrier();
    }
    let ordinals = ordinals_of(values_there + vec2u(brick.minimum), layer);
    let shown = vec2u(display(ordinals.x), display(ordinals.y));
    cached[entry * LANES + lane] = shown.x | (shown.y << 16u);
    workgroupBarrier();
    return entry;
}

// The voxel of the entry's brick in this column, row and layer.
fn cached_voxel(entry: u32, voxel: vec3u) -> u32 {
    let within = voxel & vec3u(3u);
    let i = within.x + 4u * within.y + 16u * (within.z & 1u);
    return (cached[entry * LANES + i] >> ((within.z & 2u) << 3u)) & 0xffffu;
}

// Finds the voxel, or where a cell of eight is interpolated these and the next ones along each axis, for
// lanes that want them. All lanes call it together. Those outside the volume, which have no weight, are
// anything.
fn gather(lane: u32, voxel: vec3u, is_cell: bool, is_wanted: bool) {
    let along = shape.bricks;
    let place = voxel >> vec3u(2u);
    let base = place.x + along.x * (place.y + along.y * place.z);
    // The axes along which the cell is in two bricks; and these, a bit per combination.
    let is_across = vec3<bool>(is_cell) & ((voxel & vec3u(3u)) == vec3u(3u)) & (place + vec3u(1u) < along);
    let across = u32(is_across.x) | (u32(is_across.y) << 1u) | (u32(is_across.z) << 2u);
    var pending = select(0u, 1u, is_wanted);
    pending |= select(0u, pending << 1u, is_across.x);
    pending |= select(0u, pending << 2u, is_across.y);
    pending |= select(0u, pending << 4u, is_across.z);
    requests += countOneBits(pending);
    loop {
        // The first of the bricks that any lane still wants: if a lane wants it, it is the lane's first, too.
        var part = 0u;
        var own = NONE;
        if pending != 0u {
            part = firstTrailingBit(pending);
            own = base + (part & 1u) + along.x * ((part >> 1u) & 1u) + along.x * along.y * (part >> 2u);
        }
        let number = least(lane, own);
        if number == NONE {
            break;
        }
        let decoded_before = decoded_bricks;
        let entry = entry_of(lane, number);
        if own == number && entry == NONE {
            pending &= pending - 1u;
            is_blocked = true;
        } else if own == number {
            pending &= pending - 1u;
            misses += decoded_bricks - decoded_before;
            // The corners in this brick.
            if part == (0u & across) {
                corners.x = lower_half(corners.x, cached_voxel(entry, voxel));
            }
            if is_cell {
                if part == (1u & across) {
                    corners.x = upper_half(corners.x, cached_voxel(entry, voxel + vec3u(1u, 0u, 0u)));
                }
                if part == (2u & across) {
                    corners.y = lower_half(corners.y, cached_voxel(entry, voxel + vec3u(0u, 1u, 0u)));
                }
                if part == (3u & across) {
                    corners.y = upper_half(corners.y, cached_voxel(entry, voxel + vec3u(1u, 1u, 0u)));
                }
                if part == (4u & across) {
                    corners.z = lower_half(corners.z, cached_voxel(entry, voxel + vec3u(0u, 0u, 1u)));
                }
                if part == (5u & across) {
                    corners.z = upper_half(corners.z, cached_voxel(entry, voxel + vec3u(1u, 0u, 1u)));
                }
                if part == (6u & across) {
                    corners.w = lower_half(corners.w, cached_voxel(entry, voxel + vec3u(0u, 1u, 1u)));
                }
                if part == (7u & across) {
                    corners.w = upper_half(corners.w, cached_voxel(entry, voxel + vec3u(1u)));
                }
            }
        }
    }
}
