// Isosurfaces: the twin of iso.rs. Needs sample.wgsl, space.wgsl and shade.wgsl.

fn cast_ray(lane: u32, ray: Ray) -> vec4f {
    var k = next_sample(ray, ray.first);
    var found = NONE;
    loop {
        let now = least(lane, k);
        if now == NONE {
            break;
        }
        let is_now = k == now;
        let sampled = sample(lane, ray_at(ray, now), is_now);
        if is_now {
            samples += 1u;
            k = next_sample(ray, now + 1u);
            if sampled >= view.threshold {
                found = now;
                k = NONE;
            }
        }
    }
    let is_found = found != NONE;
    var above = ray_at(ray, found);
    let is_first = found == ray.first;
    var below = select(ray_at(ray, found - 1u), above, is_first);
    var gradient = vec3i(0);
    // First halvings of the way from the sample before, then the gradient where that ends.
    for (var i = 0u; i < HALVINGS + 6u; i++) {
        let is_halving = i < HALVINGS;
        let j = i - HALVINGS;
        let axis = vec3i(vec3u(j >> 1u) == vec3u(0u, 1u, 2u));
        let side = select(axis, -axis, (j & 1u) == 1u);
        let middle = (below + above) >> vec3u(1u);
        let position = select(above + side * 65536, middle, is_halving);
        let is_wanted = is_found && !(is_halving && is_first);
        let sampled = sample(lane, position, is_wanted);
        samples += u32(is_wanted);
        if !is_halving {
            gradient += side * i32(sampled);
        } else if is_wanted {
            let is_above = sampled >= view.threshold;
            above = select(above, middle, is_above);
            below = select(middle, below, is_above);
        }
    }
    return select(vec4f(0.0), vec4f(shade(view.color.rgb, gradient, view.fade), 1.0), is_found);
}
