// Counts and sums of the texels that share an index (`Clusters` of assign.rs).

// Texels of indices 0, 1, 2, 3.
struct Clusters {
    count: vec4<f32>,
    sum0: vec3<f32>,
    sum1: vec3<f32>,
    sum2: vec3<f32>,
    sum3: vec3<f32>,
}

fn no_clusters() -> Clusters {
    return Clusters(vec4(0.0), vec3(0.0), vec3(0.0), vec3(0.0), vec3(0.0));
}
