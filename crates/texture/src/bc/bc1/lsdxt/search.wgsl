// Step 3 (search.rs): every combination of codes within a radius. THREADS threads share a block; each takes
// every THREADSth combination of a pair of red codes and a pair of green codes and tries all pairs of blue
// codes with it. The candidate with the lowest error wins, the lowest number among equals, and only if that
// is below the error so far. The variant's parts define:
//   fn prepare(block: u32, slot: u32, lane: u32, usable: bool)
//   fn add_red_and_green(colors: Palette)        what follows is about these codes of red and green
//   fn least_total() -> i32                      their error alone
//   fn total(blue_pair: u32, slot: u32) -> i32   their error and that of a pair of blue codes
//   fn take_winner(thread: u32, lane: u32, best: Candidate) -> Candidate
//     the block's, in the thread with lane 0
//   GROUP   threads of a workgroup
// They may read texels from `first_texel` on.
// needs: ../lanes.wgsl, ../palette.wgsl, ../words.wgsl, lsdxt.wgsl, block.wgsl

override SIDE = 3u;
override THREADS = 16u;
// True if texels may be left out; otherwise no block has three colours.
override MASKED = true;

struct Candidate {
    error: i32,
    number: u32,
}

var<private> mode: u32;
// Index of the block's first texel, which compilers cannot know in advance. Texels are thus read again for
// each pair of codes of red and green, instead of staying in registers.
var<private> first_texel: u32;
var<private> center: Endpoints;

fn better(a: Candidate, b: Candidate) -> bool {
    return a.error < b.error || (a.error == b.error && a.number < b.number);
}

// The steps of a pair of codes from the centre.
fn step_of(pair: u32) -> vec2<f32> {
    return vec2<f32>(vec2(pair / SIDE, pair % SIDE)) - vec2(f32(SIDE / 2u));
}

// The colours of the candidate that is these steps away in each channel.
fn near_colors(red: vec2<f32>, green: vec2<f32>, blue: vec2<f32>) -> Palette {
    let top = params.rule.top.xyz;
    return palette(mode, Endpoints(
        clamp(center.a + vec3(red.x, green.x, blue.x), vec3(0.0), top),
        clamp(center.b + vec3(red.y, green.y, blue.y), vec3(0.0), top),
    ));
}

fn blue_values(pair: u32) -> vec4<f32> {
    let colors = near_colors(vec2(0.0), vec2(0.0), step_of(pair));
    return vec4(colors[0].z, colors[1].z, colors[2].z, colors[3].z);
}

fn squared(value: vec4<f32>, x: f32, weight: f32) -> vec4<f32> {
    let difference = value - vec4(x);
    return difference * weight * difference;
}

fn run_step(group: u32, thread: u32) {
    let slot = thread / THREADS;
    let lane = thread % THREADS;
    let block = params.first_block + group * (GROUP / THREADS) + slot;
    let usable = !is_done(block);
    let pairs = SIDE * SIDE;
    if usable {
        load_block(block);
        mode = select(FOUR, block_mode(transparent), MASKED);
        center = unpack_ends(blocks[place(block)]);
    }
    prepare(block, slot, lane, usable);
    var best = Candidate(2147483647, NONE);
    if usable {
        let none = vec2(0.0);
        first_texel = 16u * block;
        add_red_and_green(near_colors(none, none, none));
        best.error = total(pairs / 2u, slot);
        for (var both = lane; both < pairs * pairs; both += THREADS) {
            first_texel = 16u * block + (both >> (7u * params.block_rows));
            // (The same for red and green of the centre.)
            center = unpack_ends(blocks[place(block)]);
            add_red_and_green(near_colors(step_of(both / pairs), step_of(both % pairs), none));
            // Blue cannot lower the error.
            if least_total() >= best.error {
                continue;
            }
            for (var blue = 0u; blue < pairs; blue++) {
                let error = total(blue, slot);
                if error < best.error {
                    best = Candidate(error, both * pairs + blue);
                }
            }
        }
    }
    best = take_winner(thread, lane, best);
    if usable && lane == 0u {
        blocks[place(block) + 1u] = best.number;
    }
}
