// Labels: the twin of labels.rs and `label_color` in look.rs. Needs space.wgsl, shade.wgsl and a file with
// `gather`.

fn is_visible(label: u32) -> bool {
    return ((looks[label >> 5u] >> (label & 31u)) & 1u) != 0u;
}

// The label of a voxel, for lanes that want it. All lanes call it together.
fn label_at(lane: u32, voxel: vec3u, is_wanted: bool) -> u32 {
    gather(lane, voxel, false, is_wanted);
    return corners_near.x;
}

fn cast_ray(lane: u32, ray: Ray) -> vec4f {
    var k = next_sample(ray, ray.first);
    var found = NONE;
    var label = 0u;
    loop {
        let now = least(lane, k);
        if now == NONE {
            break;
        }
        let is_now = k == now;
        let found_label = label_at(lane, vec3u(ray_at(ray, now)) >> vec3u(16u), is_now);
        if is_now {
            samples += 1u;
            k = next_sample(ray, now + 1u);
            if is_visible(found_label) {
                found = now;
                label = found_label;
                k = NONE;
            }
        }
    }
    let is_found = found != NONE;
    let gradient = occupancy_gradient(lane, ray_at(ray, found), is_found);
    let lit = shade(vec3f(label_color(label)) / 255.0, gradient, 0.0);
    return select(vec4f(0.0), vec4f(lit, 1.0), is_found);
}

// How visible voxels lie around a position.
fn occupancy_gradient(lane: u32, position: vec3i, is_wanted: bool) -> vec3i {
    let place = (position >> vec3u(8u)) & vec3i(255);
    let middle = position >> vec3u(16u);
    var sums = vec3i(0);
    for (var i = 0u; i < 125u; i++) {
        let moved = vec3i(vec3u(i % 5u, i / 5u % 5u, i / 25u)) - 2;
        let voxel = middle + moved;
        let is_inside = all(voxel >= vec3i(0)) && all(voxel < vec3i(shape.voxels));
        let asks = is_wanted && is_inside;
        let label = label_at(lane, vec3u(voxel), asks);
        samples += u32(asks);
        if asks && is_visible(label) {
            let d = 256 * moved + 128 - place;
            let w = (640 * 640 - d * d) >> vec3u(12u);
            let dw = (d * w) >> vec3u(6u);
            sums += vec3i(dw.x * w.y * w.z, w.x * dw.y * w.z, w.x * w.y * dw.z);
        }
    }
    return sums;
}

// Three numbers of 0 to 255.
fn label_color(label: u32) -> vec3u {
    let hue = ((label * 40503u) & 0xffffu) * 6u;
    let part = hue >> 16u;
    let rest = (hue >> 8u) & 255u;
    let value = select(select(200u, 255u, label % 3u == 1u), 235u, label % 3u == 0u);
    let row = label / 3u % 3u;
    let saturation = select(select(200u, 120u, row == 1u), 165u, row == 0u);
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
