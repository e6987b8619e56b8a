// One texel per thread, 4 blocks per workgroup (the paper's section 4): for steps 1 and 2. Workgroup memory
// holds one array per channel, 68 words apart rather than 64: threads that read one texel of four channels or
// two blocks at a time then never access two words of one bank (the paper's figure 3).

const STRIDE = 68u;

// Channels of values in step 1, of errors in step 2; there the fourth holds ones.
var<workgroup> words: array<f32, 272>;
// In step 1, flags: the texel counts, and the channels in which its value occurs for the first time. In step
// 2, its class, later the index of its nearest colour, or 4.
var<workgroup> kinds: array<u32, 64>;

fn put(thread: u32, value: vec3<f32>) {
    words[thread] = value.x;
    words[STRIDE + thread] = value.y;
    words[2u * STRIDE + thread] = value.z;
}
