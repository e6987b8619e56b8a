// Step 2 in registers, one thread per block: see constant_first.wgsl.
// needs: ../palette.wgsl, ../nearest.wgsl, ../best.wgsl, ../words.wgsl, lsdxt.wgsl, block.wgsl

override REFINEMENTS = 1u;

struct Gathered {
    cost: i32,
    buckets: Buckets,
}

// Adds a texel's error to the bucket of its nearest colour: to every bucket, times 1 or 0.
fn gather_texel(to: ptr<function, Gathered>, colors: Palette, p: Planes, t: u32) {
    let x = texel(t);
    let c = costs(p, x);
    let is_in = (vec4(nearest(c)) == vec4(0u, 1u, 2u, 3u)) & vec4(!left_out(t));
    let one = select(vec4(0.0), vec4(1.0), is_in);
    (*to).cost += select(i32(min(min(c.x, c.y), min(c.z, c.w))), 0, left_out(t));
    (*to).buckets[0] += vec4(x - colors[0], 1.0) * one.x;
    (*to).buckets[1] += vec4(x - colors[1], 1.0) * one.y;
    (*to).buckets[2] += vec4(x - colors[2], 1.0) * one.z;
    (*to).buckets[3] += vec4(x - colors[3], 1.0) * one.w;
}

fn gather_four(to: ptr<function, Gathered>, colors: Palette, p: Planes, t: u32) {
    gather_texel(to, colors, p, t);
    gather_texel(to, colors, p, t + 1u);
    gather_texel(to, colors, p, t + 2u);
    gather_texel(to, colors, p, t + 3u);
}

fn run_step(group: u32, thread: u32) {
    let block = group * 64u + thread;
    if is_done(block) {
        return;
    }
    load_block(block);
    let mode = block_mode(transparent);
    var ends = unpack_ends(blocks[place(block)]);
    var best = no_best();
    for (var round = 0u; round <= REFINEMENTS; round++) {
        let colors = palette(mode, ends);
        let p = planes(colors);
        var found = Gathered(0, Buckets(vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0)));
        gather_four(&found, colors, p, 0u);
        gather_four(&found, colors, p, 4u);
        gather_four(&found, colors, p, 8u);
        gather_four(&found, colors, p, 12u);
        if found.cost >= best.cost {
            break;
        }
        best = Best(found.cost, ends);
        ends = corrected(mode, ends, colors, found.buckets);
    }
    blocks[place(block)] = pack_ends(best.ends);
}
