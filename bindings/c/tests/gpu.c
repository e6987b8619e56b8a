/* The best GPU gives the bytes of the CPU. Without a GPU, this reports that it was skipped; it fails if the
   environment variable BRICKWORK_REQUIRE_GPU is set. It compiles as C99 and as C++17. */

#include <brickwork.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 64 };

static int failed(const char *step)
{
    fprintf(stderr, "%s: %s\n", step, brickwork_last_error());
    return EXIT_FAILURE;
}

int main(void)
{
    static unsigned char texels[SIDE * SIDE * 3];
    brickwork_options *options = NULL;
    brickwork_image image = {texels, sizeof texels, 0, SIDE, SIDE, BRICKWORK_CHANNEL_U8, 3};
    brickwork_device *device = NULL;
    brickwork_texture *textures[2] = {NULL, NULL};
    const void *blocks[2] = {NULL, NULL};
    size_t sizes[2] = {0, 0};
    int i, same;

    if (brickwork_device_open("gpu", &device) != BRICKWORK_OK) {
        printf("skipped: %s\n", brickwork_last_error());
        return getenv("BRICKWORK_REQUIRE_GPU") ? EXIT_FAILURE : EXIT_SUCCESS;
    }
    for (i = 0; i < SIDE * SIDE * 3; i++)
        texels[i] = (unsigned char)(i * i / 97);
    if (brickwork_options_create(&options) != BRICKWORK_OK ||
        brickwork_options_set(options, "mips", NULL) != BRICKWORK_OK)
        return failed("options");
    for (i = 0; i < 2; i++) {
        if (brickwork_encode(options, &image, 1, i == 0 ? NULL : device, NULL, &textures[i]) != BRICKWORK_OK)
            return failed("encode");
        if (brickwork_texture_get_data(textures[i], &blocks[i], &sizes[i]) != BRICKWORK_OK)
            return failed("blocks");
    }
    same = sizes[0] == sizes[1] && memcmp(blocks[0], blocks[1], sizes[0]) == 0;
    printf("%s: %s\n", brickwork_device_name(device), same ? "the bytes of the CPU" : "other bytes");
    for (i = 0; i < 2; i++)
        brickwork_texture_free(textures[i]);
    brickwork_options_free(options);
    brickwork_device_free(device);
    return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
