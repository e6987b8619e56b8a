/* Encodes an image file, or a generated image, to a KTX2 file with mip levels:

       encode OUTPUT.ktx2 [INPUT.png]

   It compiles as C99 and as C++17. */

#include <brickwork.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 256 };

/* Prints the error of the last call. */
static int failed(const char *step, brickwork_status status)
{
    fprintf(stderr, "%s: %s: %s\n", step, brickwork_status_text(status), brickwork_last_error());
    return EXIT_FAILURE;
}

/* Encodes red and green ramps on blue, with a transparent corner. */
static brickwork_status encode_ramps(const brickwork_options *options, brickwork_texture **texture)
{
    unsigned char *texels = (unsigned char *)malloc((size_t)SIDE * SIDE * 4);
    brickwork_image image;
    brickwork_status status;
    unsigned x, y;

    if (!texels)
        return BRICKWORK_ERROR_LIMIT;
    for (y = 0; y < SIDE; y++) {
        for (x = 0; x < SIDE; x++) {
            unsigned char *texel = texels + ((size_t)y * SIDE + x) * 4;
            texel[0] = (unsigned char)x;
            texel[1] = (unsigned char)y;
            texel[2] = 90;
            texel[3] = x + y < 64 ? 0 : 255;
        }
    }
    image.data = texels;
    image.data_bytes = (size_t)SIDE * SIDE * 4;
    image.row_bytes = 0;
    image.width = SIDE;
    image.height = SIDE;
    image.channel_type = BRICKWORK_CHANNEL_U8;
    image.channel_count = 4;
    status = brickwork_encode(options, &image, 1, NULL, NULL, texture);
    free(texels);
    return status;
}

int main(int argument_count, char **arguments)
{
    static const char *const settings[][2] = {{"format", "bc7"}, {"quality", "fast"}, {"mips", "all"}};
    brickwork_options *options = NULL;
    brickwork_texture *texture = NULL;
    brickwork_texture_desc desc;
    brickwork_status status;
    size_t i;

    if (argument_count < 2 || argument_count > 3) {
        fprintf(stderr, "usage: %s OUTPUT.ktx2 [INPUT]\n", arguments[0]);
        return EXIT_FAILURE;
    }
    status = brickwork_options_create(&options);
    for (i = 0; i < sizeof settings / sizeof settings[0] && status == BRICKWORK_OK; i++)
        status = brickwork_options_set(options, settings[i][0], settings[i][1]);
    if (status != BRICKWORK_OK)
        return failed("options", status);

    if (argument_count == 3)
        status = brickwork_encode_file(options, arguments[2], 0, NULL, NULL, &texture);
    else
        status = encode_ramps(options, &texture);
    brickwork_options_free(options);
    if (status != BRICKWORK_OK)
        return failed("encode", status);

    status = brickwork_texture_save(texture, arguments[1], NULL, NULL);
    if (status == BRICKWORK_OK)
        status = brickwork_texture_get_desc(texture, &desc, sizeof desc);
    brickwork_texture_free(texture);
    if (status != BRICKWORK_OK)
        return failed("save", status);
    printf("%s: %s, %ux%u, %u mip levels, %lu bytes of blocks\n", arguments[1],
           brickwork_format_name(desc.format), (unsigned)desc.width, (unsigned)desc.height,
           (unsigned)desc.mip_levels, (unsigned long)desc.data_bytes);
    return EXIT_SUCCESS;
}
