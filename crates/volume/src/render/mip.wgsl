// Maximum intensity projection: the twin of mip.rs.
// needs: picture.wgsl, rays.wgsl, sample.wgsl, space.wgsl, shows_larger.wgsl, transfer.wgsl

fn cast_ray(lane: u32, ray: Ray) -> vec4f {
    largest = kept.numbers.x;
    // Next sample of the ray. (There is one call of `next_sample`, so that it is compiled once.)
    var next = kept.sample;
    var k = NONE;
    kept.sample = NONE;
    loop {
        if next != NONE {
            k = next_sample(ray, next);
            next = NONE;
        }
        let now = least(lane, k);
        if now == NONE {
            break;
        }
        let is_now = k == now;
        let sampled = sample(lane, ray_at(ray, now), is_now);
        if is_now && is_blocked {
            kept.sample = now;
            k = NONE;
        } else if is_now {
            samples += 1u;
            largest = max(largest, sampled);
            k = NONE;
            next = now + 1u;
        }
    }
    kept.numbers.x = largest;
    return select(vec4f(0.0), vec4f(transfer(largest).rgb, 1.0), ray.first < ray.end);
}
