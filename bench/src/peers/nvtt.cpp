// nvtt's encoder of BC6H (ZOH) behind a C function.

#include "bc6h/tile.h"
#include "bc6h/zoh.h"
#include "nvmath/Vector.inl"

// Whole blocks of RGBA in half floats, row by row. The format is a global variable of ZOH.
extern "C" void brickwork_nvtt_encode(
    int is_signed, const unsigned short *texels, unsigned width, unsigned height, unsigned char *blocks
) {
    ZOH::Utils::FORMAT = is_signed ? ZOH::SIGNED_F16 : ZOH::UNSIGNED_F16;
    for (unsigned y = 0; y < height; y += 4) {
        for (unsigned x = 0; x < width; x += 4, blocks += 16) {
            ZOH::Tile tile(4, 4);
            for (unsigned t = 0; t < 16; t++) {
                const unsigned short *texel = texels + 4 * ((y + t / 4) * width + x + t % 4);
                nv::Vector3 &color = tile.data[t / 4][t % 4];
                color.x = ZOH::Tile::half2float(texel[0]);
                color.y = ZOH::Tile::half2float(texel[1]);
                color.z = ZOH::Tile::half2float(texel[2]);
                tile.importance_map[t / 4][t % 4] = 1;
            }
            ZOH::compress(tile, (char *)blocks);
        }
    }
}
