// Rays as integers: the twin of rays.rs.

struct Rays {
    origin: vec3i,
    planes: u32,
    origin_x: vec3i,
    width: u32,
    origin_y: vec3i,
    height: u32,
    dir: vec3i,
    dir_x: vec3i,
    dir_y: vec3i,
    dims: vec3u,
}

struct Ray {
    start: vec3i,
    direction: vec3i,
    // The first sample in the volume, and the one after the last.
    first: u32,
    end: u32,
}

const NONE = 0xffffffffu;

fn ray_of(px: u32, py: u32) -> Ray {
    let rays = view.rays;
    let right = vec3i(i32(px));
    let down = vec3i(i32(py));
    let start = rays.origin + right * rays.origin_x + down * rays.origin_y;
    let direction = (rays.dir + right * rays.dir_x + down * rays.dir_y) >> vec3u(10u);
    let x = samples_inside(start.x, direction.x, rays.dims.x << 16u);
    let y = samples_inside(start.y, direction.y, rays.dims.y << 16u);
    let z = samples_inside(start.z, direction.z, rays.dims.z << 16u);
    return Ray(start, direction, max(max(x.x, y.x), z.x), min(min(min(x.y, y.y), z.y), rays.planes));
}

fn ray_at(ray: Ray, k: u32) -> vec3i {
    return ray.start + ray.direction * vec3i(i32(k));
}

// a / b rounded up; 0 of 0.
fn divided_up(a: u32, b: u32) -> u32 {
    return select((a - 1u) / b + 1u, 0u, a == 0u);
}

// Returns the absolute value; 2³¹ for the smallest number.
fn size_of(number: i32) -> u32 {
    return select(u32(number), 0u - u32(number), number < 0);
}

// The samples from the first to that after the last in 0..side.
fn samples_inside(start: i32, along: i32, side: u32) -> vec2u {
    let last = side - 1u;
    let is_before = start < 0;
    let is_after = start > i32(last);
    if along == 0 {
        return select(vec2u(0u, NONE), vec2u(0u), is_before || is_after);
    }
    let size = size_of(along);
    if along > 0 {
        let first = select(0u, divided_up(size_of(start), size), is_before);
        return select(vec2u(first, (last - u32(start)) / size + 1u), vec2u(0u), is_after);
    }
    let first = select(0u, divided_up(u32(start) - last, size), is_after);
    return select(vec2u(first, u32(start) / size + 1u), vec2u(0u), is_before);
}
