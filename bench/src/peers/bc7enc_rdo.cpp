// bc7enc_rdo behind C functions: its encoders, and its optimisation of given blocks on one thread.

// Every header of the standard library that its sources include, before the macros below.
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

// The optimisation of BC1 prints its parameters, and is a private function of the encoder.
#define printf(...) ((void)0)
#define private public
#include "rdo_bc_encoder.cpp"

// Settings besides the program's defaults: colours as the exact decoder rounds them, no transparent texels for
// black, and for BC7 the option -e, which only the encoder uses.
static rdo_bc::rdo_bc_params brickwork_settings(int format) {
    rdo_bc::rdo_bc_params params;
    params.m_dxgi_format = (DXGI_FORMAT)format;
    params.m_bc1_mode = rgbcx::bc1_approx_mode::cBC1IdealRound4;
    params.m_use_bc1_3color_mode_for_black = false;
    params.m_rdo_multithreading = false;
    params.m_bc7enc_reduce_entropy = true;
    return params;
}

static utils::image_u8 brickwork_image(const unsigned char *texels, unsigned width, unsigned height) {
    utils::image_u8 image(width, height);
    memcpy((void *)&image.get_pixels()[0], texels, 4 * (size_t)width * height);
    return image;
}

// As rdo_bc_encoder::init(), which also makes the tables again.
static bool brickwork_start(
    rdo_bc::rdo_bc_encoder &encoder, const utils::image_u8 &image, const rdo_bc::rdo_bc_params &params
) {
    encoder.m_pOrig_source_image = &image;
    encoder.m_params = params;
    return encoder.init_source_image();
}

extern "C" void brickwork_bc7enc_init() {
    rgbcx::init(rgbcx::bc1_approx_mode::cBC1IdealRound4);
    bc7enc_compress_block_init();
}

// Encodes whole blocks of RGBA, row by row. The format is a number of DXGI. Returns 0 if it cannot.
extern "C" int brickwork_bc7enc_encode(
    int format, const unsigned char *texels, unsigned width, unsigned height, unsigned char *blocks
) {
    const utils::image_u8 image = brickwork_image(texels, width, height);
    rdo_bc::rdo_bc_encoder encoder;
    if (!brickwork_start(encoder, image, brickwork_settings(format)) || !encoder.init_encoder_params() ||
        !encoder.encode_texture()) {
        return 0;
    }
    memcpy(blocks, encoder.get_blocks(), encoder.get_total_blocks_size_in_bytes());
    return 1;
}

// Optimises the blocks of an image. The window is in bytes. Returns 0 if it cannot.
extern "C" int brickwork_bc7enc_optimize(
    int format, float lambda, unsigned window, const unsigned char *texels, unsigned width, unsigned height,
    unsigned char *blocks
) {
    const utils::image_u8 image = brickwork_image(texels, width, height);
    rdo_bc::rdo_bc_params params = brickwork_settings(format);
    params.m_rdo_lambda = lambda;
    params.m_lookback_window_size = window;
    params.m_custom_lookback_window_size = true;
    rdo_bc::rdo_bc_encoder encoder;
    if (!brickwork_start(encoder, image, params)) {
        return 0;
    }
    memcpy((void *)encoder.get_blocks(), blocks, encoder.get_total_blocks_size_in_bytes());
    if (!encoder.postprocess_rdo()) {
        return 0;
    }
    memcpy(blocks, encoder.get_blocks(), encoder.get_total_blocks_size_in_bytes());
    return 1;
}
