// A texture over the whole image.

@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var nearest: sampler;

struct Corner {
    @builtin(position) clip: vec4<f32>,
    @location(0) place: vec2<f32>,
}

@vertex
fn cover(@builtin(vertex_index) index: u32) -> Corner {
    let place = vec2(f32(index & 1u), f32(index >> 1u)) * 2.0;
    return Corner(vec4(place.x * 2.0 - 1.0, 1.0 - place.y * 2.0, 0.0, 1.0), place);
}

@fragment
fn show(at: Corner) -> @location(0) vec4<f32> {
    return textureSample(picture, nearest, at.place);
}
