// Labels: the twin of labels.rs and `label_color` in look.rs. The kernel has `gather`.
// needs: picture.wgsl, rays.wgsl, space.wgsl, shade.wgsl

fn is_visible(label: u32) -> bool {
    return ((looks[label >> 5u] >> (label & 31u)) & 1u) != 0u;
}

fn cast_ray(lane: u32, ray: Ray) -> vec4f {
    // The sample that met a label, which a ray that waited may have found before.
    var found = kept.sample;
    var is_found = kept.phase != 0u && found != NONE;
    var label = kept.numbers.x;
    var position = ray_at(ray, found);
    // Next sample of the ray. (There is one call of `next_sample`, so that it is compiled once.)
    var next = select(kept.sample, NONE, is_found);
    var k = NONE;
    kept.sample = NONE;
    // Distribution of visible voxels around the position.
    var gradient = vec3i(0);
    // Runs until all lanes have found a label or left the volume, and then for the voxels around. (There is
    // one loop, so that `gather` is compiled once.)
    var i = 0u;
    loop {
        if next != NONE {
            k = next_sample(ray, next);
            next = NONE;
        }
        let now = least(lane, k);
        let is_search = now != NONE;
        if !is_search && i == NEIGHBOURS {
            break;
        }
        var voxel = ray_at(ray, now) >> vec3u(16u);
        var is_wanted = k == now;
        let moved = vec3i(vec3u(i % 5u, i / 5u % 5u, i / 25u)) - 2;
        if !is_search {
            voxel = (position >> vec3u(16u)) + moved;
            is_wanted = is_found && all(voxel >= vec3i(0)) && all(voxel < vec3i(shape.voxels));
            i += 1u;
        }
        gather(lane, vec3u(voxel), false, is_wanted);
        samples += u32(is_wanted);
        let shows_here = is_wanted && is_visible(corners.x & 0xffffu);
        if is_wanted && is_blocked {
            k = NONE;
            kept.sample = select(found, now, is_search);
        } else if is_wanted && is_search {
            k = NONE;
            next = now + 1u;
            if shows_here {
                is_found = true;
                found = now;
                position = ray_at(ray, now);
                label = corners.x & 0xffffu;
                next = NONE;
            }
        } else if shows_here {
            let d = 256 * moved + 128 - ((position >> vec3u(8u)) & vec3i(255));
            let w = (640 * 640 - d * d) >> vec3u(12u);
            let dw = (d * w) >> vec3u(6u);
            gradient += vec3i(dw.x * w.y * w.z, w.x * dw.y * w.z, w.x * w.y * dw.z);
        }
    }
    kept.phase = u32(is_found);
    kept.numbers.x = label;
    let lit = shade(vec3f(label_color(label)) / 255.0, gradient, 0.0);
    return select(vec4f(0.0), vec4f(lit, 1.0), is_found);
}

// Three numbers of 0 to 255.
fn label_color(label: u32) -> vec3u {
    let hue = ((label * GOLDEN_SECTION) & 0xffffu) * 6u;
    let part = hue >> 16u;
    let rest = (hue >> 8u) & 255u;
    let shade_number = label % 3u;
    let value = select(select(SHADES[2], SHADES[1], shade_number == 1u), SHADES[0], shade_number == 0u);
    let strength = label / 3u % 3u;
    let saturation = select(select(STRENGTHS[2], STRENGTHS[1], strength == 1u), STRENGTHS[0], strength == 0u);
    let low = value * (255u - saturation) / 255u;
    let rising = low + (value - low) * rest / 255u;
    let falling = value - (value - low) * rest / 255u;
    switch part {
        case 0u: { return vec3u(value, rising, low); }
        case 1u: { return vec3u(falling, value, low); }
        case 2u: { return vec3u(low, value, rising); }
        case 3u: { return vec3u(low, falling, value); }
        case 4u: { return vec3u(rising, low, value); }
        default: { return vec3u(value, low, falling); }
    }
}
