// Isosurfaces: the twin of iso.rs.
// needs: picture.wgsl, rays.wgsl, sample.wgsl, space.wgsl, shade.wgsl

fn cast_ray(lane: u32, ray: Ray) -> vec4f {
    // The sample that reached the surface, which a ray that waited may have found before, or NONE.
    var found = select(NONE, kept.sample, kept.phase != 0u);
    // Next sample of the ray. (There is one call of `next_sample`, so that it is compiled once.)
    var next = select(NONE, kept.sample, kept.phase == 0u);
    var k = NONE;
    kept.sample = NONE;
    // Positions around the surface; the same where it is that of the first sample.
    var above = ray_at(ray, found);
    var below = select(ray_at(ray, found - 1u), above, found == ray.first);
    // Runs until all lanes have found their surface or left the volume. Then come a number of halvings of the
    // way from the previous sample, and six samples around the end. (There is one loop, so that `sample` is
    // compiled once.)
    var i = 0u;
    loop {
        if next != NONE {
            k = next_sample(ray, next);
            next = NONE;
        }
        let now = least(lane, k);
        let is_search = now != NONE;
        if !is_search && i == HALVINGS + 6u {
            break;
        }
        let is_halving = i < HALVINGS;
        let j = i - HALVINGS;
        let axis = vec3i(vec3u(j >> 1u) == vec3u(0u, 1u, 2u));
        let side = select(axis, -axis, (j & 1u) == 1u);
        let middle = (below + above) >> vec3u(1u);
        var position = ray_at(ray, now);
        var is_wanted = k == now;
        if !is_search && i == HALVINGS {
            // From here on it is the gradient (which has no separate registers).
            below = vec3i(0);
        }
        if !is_search {
            position = select(above + side * 65536, middle, is_halving);
            is_wanted = found != NONE && !(is_halving && all(below == above));
            i += 1u;
        }
        let sampled = sample(lane, position, is_wanted);
        samples += u32(is_wanted);
        let is_above = sampled >= view.threshold;
        if is_wanted && is_blocked {
            k = NONE;
            kept.sample = select(found, now, is_search);
        } else if is_wanted && is_search {
            k = NONE;
            next = now + 1u;
            if is_above {
                found = now;
                above = position;
                below = select(ray_at(ray, now - 1u), position, now == ray.first);
                next = NONE;
            }
        } else if is_wanted && is_halving {
            above = select(above, middle, is_above);
            below = select(middle, below, is_above);
        } else if is_wanted {
            below += side * i32(sampled);
        }
    }
    let is_found = found != NONE;
    kept.phase = u32(is_found);
    // Not the value before, which would occupy registers until now.
    kept.numbers = vec4u(0u);
    return select(vec4f(0.0), vec4f(shade(view.color.rgb, below, view.fade), 1.0), is_found);
}
