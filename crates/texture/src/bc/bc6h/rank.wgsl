// Ranks the partitions of each block by the moments of their subsets (rank.rs). One thread per partition, two
// blocks per workgroup.
// needs: params.wgsl, numbers.wgsl, moments.wgsl, texel.wgsl, ../visible.wgsl

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> rankings: array<u32>;

// Texels of both blocks: their values and 1, products with red, other products; 0 outside the image.
var<workgroup> texels: array<vec4<f32>, 32>;
var<workgroup> of_red: array<vec3<f32>, 32>;
var<workgroup> others: array<vec3<f32>, 32>;
var<workgroup> keys: array<u32, 64>;
// Partitions in order.
var<workgroup> ranked: array<u32, 64>;

fn moments_of(first: u32, subset: u32) -> Moments {
    var moments = Moments(0.0, vec3(0.0), vec3(0.0), vec3(0.0));
    for (var rest = subset; rest != 0u; rest &= rest - 1u) {
        let at = first + countTrailingZeros(rest);
        moments.count += texels[at].w;
        moments.sums = keep3(moments.sums + texels[at].xyz);
        moments.of_red = keep3(moments.of_red + of_red[at]);
        moments.others = keep3(moments.others + others[at]);
    }
    return moments;
}

// Returns an estimate of the squared error of a line through texels.
fn line_error(moments: Moments) -> f32 {
    let matrix = covariance_of(moments);
    let axis = scaled(matrix.row);
    let image = product_of(matrix, axis);
    let all = keep(keep(matrix.of_red.x + matrix.others.x) + matrix.others.z);
    let along = min(quotient(dot3(image, image), max(dot3(axis, image), TINY)), all);
    return keep(keep(all - along) + keep(along * INDEX_SHARE));
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let half_group = thread >> 5u;
    let shape = thread & 31u;
    let wanted = params.first_block + 2u * (group.y * groups.x + group.x) + half_group;
    let block = min(wanted, params.end_block - 1u);
    if shape < 16u {
        let x = point_of(block, shape, texel_of(block, 16u));
        let is_visible = extractBits(visible_texels(block), shape, 1u) != 0u;
        let at = 16u * half_group + shape;
        texels[at] = select(vec4(0.0), vec4(x, 1.0), is_visible);
        of_red[at] = select(vec3(0.0), keep3(x.xxx * x), is_visible);
        others[at] = select(vec3(0.0), keep3(x.yyz * x.yzz), is_visible);
    }
    workgroupBarrier();
    let all = moments_of(16u * half_group, 0xffffu);
    let second = moments_of(16u * half_group, tables[SECOND + shape] & 0xffffu);
    let first = Moments(
        all.count - second.count,
        keep3(all.sums - second.sums),
        keep3(all.of_red - second.of_red),
        keep3(all.others - second.others),
    );
    let error = keep(line_error(first) + line_error(second));
    let key = select(0u, bitcast<u32>(error) & ~31u, error > 0.0) | shape;
    keys[thread] = key;
    workgroupBarrier();
    var before = 0u;
    for (var other = 0u; other < 32u; other++) {
        before += select(0u, 1u, keys[32u * half_group + other] < key);
    }
    ranked[32u * half_group + before] = shape;
    workgroupBarrier();
    if wanted < params.end_block && shape < 2u {
        let at = 32u * half_group + 4u * shape;
        rankings[2u * block + shape] =
            ranked[at] | (ranked[at + 1u] << 8u) | (ranked[at + 2u] << 16u) | (ranked[at + 3u] << 24u);
    }
}
