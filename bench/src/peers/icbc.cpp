// ICBC behind C functions. Compiled once for each of its decoders, in a namespace of its own (build.rs), since
// its tables are global.

#define icbc BRICKWORK_SPACE
#define ICBC_IMPLEMENTATION
#include "icbc.h"

extern "C" void BRICKWORK_INIT() {
    icbc::init(icbc::BRICKWORK_DECODER);
}

extern "C" int BRICKWORK_SIMD() {
    return ICBC_SIMD;
}

// Whole blocks of opaque RGBA, row by row.
extern "C" void BRICKWORK_ENCODE(
    int level, const unsigned char *texels, unsigned width, unsigned height, unsigned char *blocks
) {
    const float channels[3] = {1, 1, 1};
    float weights[16];
    for (float &weight : weights) {
        weight = 1;
    }
    for (unsigned y = 0; y < height; y += 4) {
        for (unsigned x = 0; x < width; x += 4, blocks += 8) {
            ICBC_ALIGN float colors[64];
            for (unsigned t = 0; t < 16; t++) {
                const unsigned char *texel = texels + 4 * ((y + t / 4) * width + x + t % 4);
                for (unsigned c = 0; c < 3; c++) {
                    colors[4 * t + c] = texel[c] / 255.0f;
                }
                colors[4 * t + 3] = 1;
            }
            icbc::compress_bc1((icbc::Quality)level, colors, weights, channels, true, false, blocks);
        }
    }
}
