// Lit shapes on a floor of tiles. World: x right, y up, z away from the viewer.

struct Vertex {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) color: vec3<f32>,
    // 0: plain, 1: stripes, 2: tiles.
    @location(3) pattern: f32,
}

struct Fragment {
    @builtin(position) clip: vec4<f32>,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) color: vec3<f32>,
    @location(3) @interpolate(flat) pattern: f32,
    @location(4) @interpolate(flat) eye: vec3<f32>,
}

// The position of the viewer in frame 0, and the step to the next.
const EYE = vec3(0.0, 2.6, -6.0);
const STEP = vec3(0.25, 0.05, 0.0);
const FORWARD = vec3(0.0, -0.28, 0.96);
const UP = vec3(0.0, 0.96, 0.28);
// Half the height visible at distance 1, and the aspect ratio.
const HALF = 0.48;
const ASPECT = 1.5;
const NEAR = 1.0;
const FAR = 60.0;
const LIGHT = vec3(-0.48, 0.64, -0.6);
const SKY = vec3(0.38, 0.55, 0.78);

@vertex
fn project(vertex: Vertex, @builtin(instance_index) frame: u32) -> Fragment {
    let eye = EYE + f32(frame) * STEP;
    let from_eye = vertex.position - eye;
    let depth = dot(from_eye, FORWARD);
    let screen = vec2(from_eye.x / ASPECT, dot(from_eye, UP)) / HALF;
    let clip = vec4(screen, (depth - NEAR) * FAR / (FAR - NEAR), depth);
    return Fragment(clip, vertex.position, vertex.normal, vertex.color, vertex.pattern, eye);
}

@fragment
fn shade(at: Fragment) -> @location(0) vec4<f32> {
    let normal = normalize(at.normal);
    let to_eye = normalize(at.eye - at.position);
    var color = at.color;
    let stripes = 0.5 + 0.5 * sin(14.0 * (at.position.x + 0.6 * at.position.y));
    color *= select(1.0, 0.55 + 0.45 * smoothstep(0.4, 0.6, stripes), at.pattern == 1.0);
    let tile = i32(floor(at.position.x)) + i32(floor(at.position.z));
    color *= select(1.0, 0.45, at.pattern == 2.0 && (tile & 1) == 0);
    let diffuse = max(dot(normal, LIGHT), 0.0);
    let half_way = normalize(LIGHT + to_eye);
    let gloss = 0.5 * pow(max(dot(normal, half_way), 0.0), 48.0);
    let shine = vec3(gloss * select(1.0, 0.1, at.pattern == 2.0));
    let lit = color * (0.1 * (1.5 + normal.y) + 0.9 * diffuse) + shine;
    let haze = smoothstep(8.0, 32.0, distance(at.eye, at.position));
    return vec4(mix(lit, SKY, haze), 1.0);
}
