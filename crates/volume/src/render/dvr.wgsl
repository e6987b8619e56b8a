// Direct volume rendering: the twin of dvr.rs.
// needs: picture.wgsl, rays.wgsl, sample.wgsl, space.wgsl, shade.wgsl, transfer.wgsl

fn cast_ray(lane: u32, ray: Ray) -> vec4f {
    var color = bitcast<vec3f>(kept.numbers.xyz);
    var transmittance = bitcast<f32>(kept.numbers.w);
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
        let position = ray_at(ray, now);
        var entry = vec4f(0.0);
        var gradient = vec3i(0);
        var is_wanted = is_now;
        // The sample, and if it shows in any lane its six neighbours.
        for (var i = 0u; i < 7u; i++) {
            let axis = vec3i(vec3u(i - 1u) / 2u == vec3u(0u, 1u, 2u));
            let side = select(select(-axis, axis, (i & 1u) == 1u), vec3i(0), i == 0u);
            let sampled = sample(lane, position + side * 65536, is_wanted);
            samples += u32(is_wanted);
            if i == 0u {
                if is_now && !is_blocked {
                    entry = transfer(sampled);
                }
                is_wanted = entry.w > 0.0;
                if least(lane, select(NONE, 0u, is_wanted)) == NONE {
                    break;
                }
            } else {
                gradient += side * i32(sampled);
            }
        }
        if is_wanted && !is_blocked {
            let lit = shade(entry.rgb, gradient, view.fade);
            let through = exp2_minus(entry.w * step_length(ray.direction));
            color += transmittance * (1.0 - through) * lit;
            transmittance *= through;
        }
        if is_now && is_blocked {
            kept.sample = now;
            k = NONE;
        } else if is_now {
            k = NONE;
            next = select(now + 1u, NONE, transmittance < LEAST_TRANSMITTANCE);
        }
    }
    kept.numbers = vec4u(bitcast<vec3u>(color), bitcast<u32>(transmittance));
    return vec4f(color, 1.0 - transmittance);
}
