// Endpoints improved by steps of single codes (`ClimbParts` of fit.rs). One thread per part of a chosen
// candidate.
// needs: params.wgsl, part.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<u32>;
@group(0) @binding(2) var<storage, read> texels: array<u32>;
@group(0) @binding(3) var<storage, read> infos: array<u32>;
@group(0) @binding(4) var<storage, read> choices: array<u32>;
@group(0) @binding(5) var<storage, read> chosen: array<u32>;
@group(0) @binding(6) var<storage, read_write> fits: array<u32>;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let at = (group.y * groups.x + group.x) * 64u + thread;
    let per_block = params.climbs * 3u;
    let block = params.first_block + at / per_block;
    if block >= params.end_block {
        return;
    }
    let slot = chosen[block * params.climbs + (at % per_block) / 3u];
    let number = at % 3u;
    if slot == NONE {
        return;
    }
    let choice = choices[block * params.all_slots + slot];
    let mode = choice & 255u;
    if number >= select(subset_count(mode), 2u, mode == 4u || mode == 5u) {
        return;
    }
    let info = infos[block];
    let coding = coding_of(kind_of(choice, number, info));
    let part = part_of(block, choice, number, info, coding);
    let to = 3u * (3u * (block * params.all_slots + slot) + number);
    var best = Best(f32(fits[to]), Ends(unpack_codes(fits[to + 1u]), unpack_codes(fits[to + 2u])));
    let step = select(2.0, 1.0, coding.p_bits == 0u);
    for (var sweep = 0u; sweep < params.sweeps; sweep++) {
        var improved = false;
        for (var step_number = 0u; step_number < 6u * coding.channels; step_number++) {
            let c = step_number / 6u;
            let turn = step_number % 6u;
            // (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)
            let change = select(-step, step, (turn & 1u) == 0u);
            let channel = select(vec4(0.0), vec4(change), vec4(0u, 1u, 2u, 3u) == vec4(c));
            var ends = best.ends;
            if turn < 2u || turn >= 4u {
                ends.a += channel;
            }
            if turn >= 2u {
                ends.b += channel;
            }
            let low = min(ends.a[c], ends.b[c]);
            let high = max(ends.a[c], ends.b[c]);
            if low >= 0.0 && high <= coding.last_code {
                improved = offer(&best, error_of(coding, part, ends), ends) || improved;
            }
        }
        if !improved {
            break;
        }
    }
    fits[to] = u32(best.error);
    fits[to + 1u] = pack_codes(best.ends.a, part.mask);
    fits[to + 2u] = pack_codes(best.ends.b, part.mask);
}
