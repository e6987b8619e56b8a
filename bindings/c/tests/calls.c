/* Calls of every function, right and wrong ones. A wrong call returns a status and a text. `.ci/c` runs this
   with AddressSanitizer. It compiles as C99 and as C++17. */

#include <brickwork.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned failures;

/* Checks the status of a call and, if `text` is not NULL, that the error contains it. */
static void expect(int line, brickwork_status expected, brickwork_status found, const char *text)
{
    const char *error = brickwork_last_error();

    if (found != expected || (text && !strstr(error, text))) {
        fprintf(stderr, "line %d: status %d, expected %d; \"%s\", expected \"%s\"\n", line, (int)found,
                (int)expected, error, text ? text : "");
        failures++;
    }
}

#define OK(call) expect(__LINE__, BRICKWORK_OK, call, NULL)
#define BAD(call, text) expect(__LINE__, BRICKWORK_ERROR_ARGUMENT, call, text)
#define FAILS(status, call, text) expect(__LINE__, BRICKWORK_ERROR_##status, call, text)
#define THAT(condition) expect(__LINE__, BRICKWORK_OK, (condition) ? BRICKWORK_OK : -1, NULL)

/* A file of this repository, in whose root the tests run. */
static const char CMYK[] = "crates/texture/tests/data/image_file/cmyk.jpg";

enum { WIDTH = 13, HEIGHT = 10, TEXELS = WIDTH * HEIGHT };

static unsigned char bytes[TEXELS * 4 + 64];
static uint16_t words[TEXELS * 4];
static float floats[TEXELS * 4];
static unsigned char blocks[1024];

static brickwork_image image_of(const void *data, size_t data_bytes, brickwork_channel_type type,
                                uint32_t channel_count)
{
    brickwork_image image;

    image.data = data;
    image.data_bytes = data_bytes;
    image.row_bytes = 0;
    image.width = WIDTH;
    image.height = HEIGHT;
    image.channel_type = type;
    image.channel_count = channel_count;
    return image;
}

static brickwork_image_mut target_of(void *data, size_t data_bytes, brickwork_channel_type type)
{
    brickwork_image_mut image;

    image.data = data;
    image.data_bytes = data_bytes;
    image.row_bytes = 0;
    image.width = WIDTH;
    image.height = HEIGHT;
    image.channel_type = type;
    image.reserved = 0;
    return image;
}

/* Returns options: names and values with spaces between them, and `-` for NULL. */
static brickwork_options *options_of(const char *settings)
{
    brickwork_options *options = NULL;
    char name[32], value[32];
    int length = 0;

    OK(brickwork_options_create(&options));
    for (; sscanf(settings, "%31s %31s%n", name, value, &length) == 2; settings += length)
        OK(brickwork_options_set(options, name, strcmp(value, "-") ? value : NULL));
    THAT(*settings == 0);
    return options;
}

static void versions_and_names(void)
{
    brickwork_format format = 0;
    uint64_t size = 0;

    THAT(brickwork_version() == BRICKWORK_VERSION);
    THAT(strcmp(brickwork_version_text(), "0.1.0") == 0);
    THAT(strcmp(brickwork_last_error(), "") == 0);
    THAT(strcmp(brickwork_status_text(BRICKWORK_ERROR_IO), "reading or writing failed") == 0);
    THAT(strcmp(brickwork_status_text(-7), "unknown status") == 0);
    THAT(strcmp(brickwork_format_name(BRICKWORK_FORMAT_BC6HS), "bc6hs") == 0);
    THAT(brickwork_format_name(0) == NULL);
    OK(brickwork_format_from_name("DXGI_FORMAT_BC7_UNORM_SRGB", &format));
    THAT(format == BRICKWORK_FORMAT_BC7);
    OK(brickwork_format_from_name("RGBA8", &format));
    THAT(format == BRICKWORK_FORMAT_RGBA8);
    THAT(strcmp(brickwork_format_name(BRICKWORK_FORMAT_RG11B10F), "rg11b10f") == 0);
    BAD(brickwork_format_from_name("bc9", &format), "bc9");
    BAD(brickwork_format_from_name("\xff\xfe", &format), "name is not UTF-8");
    BAD(brickwork_format_from_name(NULL, &format), "name is null");
    BAD(brickwork_format_from_name("bc1", NULL), "format is null");
    OK(brickwork_image_bytes(BRICKWORK_FORMAT_BC7, 5, 4, &size));
    THAT(size == 32);
    OK(brickwork_image_bytes(BRICKWORK_FORMAT_RGBA16F, 5, 4, &size));
    THAT(size == 160);
    OK(brickwork_image_bytes(BRICKWORK_FORMAT_BC7, UINT32_MAX, UINT32_MAX, &size));
    THAT(size == UINT64_MAX);
    BAD(brickwork_image_bytes(99, 5, 4, &size), "format is 99");
    BAD(brickwork_image_bytes(1, 5, 4, NULL), "image_bytes is null");
}

static void images(void)
{
    brickwork_options *options = options_of("format bc7 quality fast");
    brickwork_image image = image_of(bytes, TEXELS * 4, BRICKWORK_CHANNEL_U8, 4);
    const brickwork_image *odd;
    brickwork_texture *texture = NULL;
    uint32_t type;

    for (type = BRICKWORK_CHANNEL_U8; type <= BRICKWORK_CHANNEL_F32; type++) {
        const void *data = type == 1 ? (const void *)bytes : type == 4 ? (const void *)floats : words;
        size_t channel = type == 1 ? 1 : type == 4 ? 4 : 2;
        uint32_t count;

        for (count = 1; count <= 4; count++) {
            brickwork_image each = image_of(data, TEXELS * count * channel, type, count);
            OK(brickwork_encode(options, &each, 1, NULL, NULL, &texture));
            brickwork_texture_free(texture);
            each.data_bytes--;
            BAD(brickwork_encode(options, &each, 1, NULL, NULL, &texture), "texels are needed");
            THAT(texture == NULL);
        }
    }
    OK(brickwork_encode(NULL, &image, 1, NULL, NULL, &texture));
    brickwork_texture_free(texture);
    BAD(brickwork_encode(options, NULL, 1, NULL, NULL, &texture), "images is null");
    BAD(brickwork_encode(options, &image, 0, NULL, NULL, &texture), "images has no elements");
    BAD(brickwork_encode(options, &image, 1, NULL, NULL, NULL), "texture is null");
    BAD(brickwork_encode(options, &image, SIZE_MAX, NULL, NULL, &texture), "memory ends before");
    odd = (const brickwork_image *)(const void *)((const char *)&image + 1);
    BAD(brickwork_encode(options, odd, 1, NULL, NULL, &texture), "images is not aligned");
    image.row_bytes = WIDTH * 4 + 2;
    BAD(brickwork_encode(options, &image, 1, NULL, NULL, &texture), "images[0]: 54 bytes from row to row");
    image.row_bytes = WIDTH * 4 - 4;
    BAD(brickwork_encode(options, &image, 1, NULL, NULL, &texture), "stride");
    image.row_bytes = SIZE_MAX - 3;
    BAD(brickwork_encode(options, &image, 1, NULL, NULL, &texture), "texels are needed");
    image.row_bytes = 0;
    image.data_bytes = SIZE_MAX;
    BAD(brickwork_encode(options, &image, 1, NULL, NULL, &texture), "memory ends before");
    image.data_bytes = TEXELS * 4;
    image.data = NULL;
    BAD(brickwork_encode(options, &image, 1, NULL, NULL, &texture), "data is null");
    image.data = bytes;
    image.width = 0;
    BAD(brickwork_encode(options, &image, 1, NULL, NULL, &texture), "the image has no texels");
    image.width = UINT32_MAX;
    BAD(brickwork_encode(options, &image, 1, NULL, NULL, &texture), "texels are needed");
    image.width = WIDTH;
    image.channel_count = 5;
    BAD(brickwork_encode(options, &image, 1, NULL, NULL, &texture), "channel_count is 5");
    image.channel_count = 4;
    image.channel_type = 0;
    BAD(brickwork_encode(options, &image, 1, NULL, NULL, &texture), "channel_type is 0");
    image = image_of((const char *)words + 1, TEXELS * 8 - 1, BRICKWORK_CHANNEL_U16, 3);
    BAD(brickwork_encode(options, &image, 1, NULL, NULL, &texture), "multiple of 2");
    brickwork_options_free(options);
}

/* Sets an option and encodes an image, which fails with a text. */
static void expect_bad(int line, const char *settings, const char *name, const char *value, const char *text)
{
    brickwork_image image = image_of(bytes, TEXELS * 4, BRICKWORK_CHANNEL_U8, 4);
    brickwork_options *options = options_of(settings);
    brickwork_texture *texture = NULL;
    brickwork_status status = brickwork_options_set(options, name, value);

    if (status == BRICKWORK_OK)
        status = brickwork_encode(options, &image, 1, NULL, NULL, &texture);
    expect(line, BRICKWORK_ERROR_ARGUMENT, status, text);
    THAT(texture == NULL);
    brickwork_options_free(options);
}

#define BAD_OPTION(settings, name, value, text) expect_bad(__LINE__, settings, name, value, text)

static void named_options(void)
{
    brickwork_options *options = NULL;
    uint64_t texture_bytes = 0, memory_bytes = 0;
    size_t i, found = 0;

    for (i = 0; i < brickwork_option_count(); i++) {
        const char *name = brickwork_option_name(i), *values = brickwork_option_values(i);

        THAT(strlen(name) > 0 && strlen(brickwork_option_help(i)) > 0);
        found += strcmp(name, "layout") == 0 && strcmp(values, "layers|faces|slices") == 0;
        found += strcmp(name, "dither") == 0 && values == NULL;
    }
    THAT(found == 2 && brickwork_option_name(i) == NULL && brickwork_option_values(i) == NULL);
    THAT(brickwork_option_help(SIZE_MAX) == NULL);

    BAD_OPTION("", "qualty", "fast", "there is no option \"qualty\"; did you mean \"quality\"?");
    BAD_OPTION("", "linear", NULL, "set \"color-space\" to \"linear\"");
    BAD_OPTION("", "zstd", "9", "there is no option \"zstd\"");
    BAD_OPTION("", "quality", NULL, "quality needs a value");
    BAD_OPTION("", "quality", "slow", "quality: ");
    BAD_OPTION("", "format", "bc9", "bc9");
    BAD_OPTION("", "weights", "1,0,1", "weights: \"1,0,1\": expected");
    BAD_OPTION("", "dither", "2", "dither: \"2\": expected true or false");
    BAD_OPTION("", "\xff", NULL, "name is not UTF-8");
    BAD_OPTION("", "rdo", "\xff", "rdo is not UTF-8");
    BAD_OPTION("", NULL, NULL, "name is null");
    BAD_OPTION("format bc7 modes 1,6", "real-time", "1", "modes and real-time exclude each other");
    BAD_OPTION("rdo 2", "target-psnr", "40", "rdo and target-psnr exclude each other");
    BAD_OPTION("levels 2 format bc7", "resize", "50%", "levels and resize exclude each other");
    BAD_OPTION("format bc3", "modes", "1,6", "modes is for bc7, not ");
    BAD_OPTION("format bc3", "keep-coverage", NULL, "keep-coverage needs mip levels");
    BAD_OPTION("", "roughness-channel", "g", "roughness-channel needs roughness-from-normals");
    BAD_OPTION("format bc4", "color-space", "srgb", "bc4 has no sRGB variant");
    BAD_OPTION("format bc7 kind data", "premultiply", NULL, "premultiply is for colours, not data");
    BAD_OPTION("", "layout", "faces", "images[0]: the faces of a cube are square");
    BAD_OPTION("", "levels", "2", "images[0]: 1 input does not fit the mip levels of layers");
    BAD_OPTION("", "channels", "g", "channels are packed into one image, each from one other");
    BAD_OPTION("mips all format bc7", "roughness-from-normals", NULL, "images[0]: ");
    BAD(brickwork_options_create(NULL), "options is null");
    BAD(brickwork_options_set(NULL, "rdo", "2"), "options is null");

    /* A wrong value keeps the earlier one. */
    options = options_of("format bc3 mips all dither false");
    BAD(brickwork_options_set(options, "format", "bc9"), "bc9");
    OK(brickwork_encode_size(options, WIDTH, HEIGHT, 1, &texture_bytes, &memory_bytes));
    THAT(texture_bytes == 16 * (4 * 3 + 2 * 2 + 1 + 1) && memory_bytes > texture_bytes);
    OK(brickwork_encode_size(options, WIDTH, HEIGHT, 3, &texture_bytes, NULL));
    THAT(texture_bytes == 3 * 16 * (4 * 3 + 2 * 2 + 1 + 1));
    OK(brickwork_encode_size(options, UINT32_MAX, UINT32_MAX, 1, &texture_bytes, NULL));
    THAT(texture_bytes == UINT64_MAX);
    BAD(brickwork_encode_size(options, 0, 1, 1, NULL, NULL), "a side of the texture is 0");
    BAD(brickwork_encode_size(options, 4, 4, SIZE_MAX, NULL, NULL), "inputs");
    BAD(brickwork_encode_size(options, 4, 4, 0, NULL, NULL), "inputs");
    OK(brickwork_options_set(options, "resize", "4x4"));
    OK(brickwork_encode_size(options, WIDTH, HEIGHT, 1, &texture_bytes, NULL));
    THAT(texture_bytes == 16 * 3);
    OK(brickwork_options_set(options, "layout", "slices"));
    OK(brickwork_encode_size(options, WIDTH, HEIGHT, 4, &texture_bytes, NULL));
    THAT(texture_bytes == 16 * (4 + 2 + 1));
    OK(brickwork_options_set(options, "format", "auto"));
    BAD(brickwork_encode_size(options, WIDTH, HEIGHT, 1, &texture_bytes, NULL), "format is auto");
    brickwork_options_free(options);
}

/* An array of two cubes with mip levels, through both containers. */
static void textures(void)
{
    brickwork_options *options = options_of("quality fast layout faces mips all");
    brickwork_image faces[12];
    brickwork_texture *texture = NULL, *other = NULL;
    brickwork_texture_desc desc, read;
    brickwork_buffer *buffer = NULL;
    brickwork_write_config writer;
    brickwork_image_mut target;
    brickwork_image_index index = {1, 5, 1, 0};
    const void *data = NULL, *data2 = NULL;
    size_t size = 0, size2 = 0;
    unsigned i, container;

    for (i = 0; i < 12; i++) {
        faces[i] = image_of(bytes + i, 8 * 8 * 4, BRICKWORK_CHANNEL_U8, 4);
        faces[i].width = faces[i].height = 8;
    }
    BAD(brickwork_encode(options, faces, 11, NULL, NULL, &texture), "six faces, and 11 inputs are given");
    OK(brickwork_encode(options, faces, 12, NULL, NULL, &texture));
    brickwork_options_free(options);
    OK(brickwork_texture_get_desc(texture, &desc, sizeof desc));
    THAT(desc.struct_size == sizeof desc && desc.format == BRICKWORK_FORMAT_BC1);
    THAT(desc.kind == BRICKWORK_KIND_CUBE && desc.faces == 6 && desc.layers == 2 && desc.mip_levels == 4);
    THAT(desc.color_space == BRICKWORK_COLOR_SPACE_SRGB && desc.alpha_mode == BRICKWORK_ALPHA_STRAIGHT);
    THAT(desc.width == 8 && desc.height == 8 && desc.depth == 1 && desc.block_bytes == 8);
    /* VK_FORMAT_BC1_RGBA_SRGB_BLOCK, DXGI_FORMAT_BC1_UNORM_SRGB, MTLPixelFormatBC1_RGBA_sRGB */
    THAT(desc.vulkan_format == 134 && desc.dxgi_format == 72 && desc.metal_format == 131);
    THAT(desc.block_width == 4 && desc.block_height == 4);
    /* rgba */
    THAT(desc.swizzle == 0x61626772);
    OK(brickwork_texture_get_data(texture, &data, &size));
    THAT(size == 12 * (4 + 1 + 1 + 1) * 8 && desc.data_bytes == size);
    OK(brickwork_texture_get_blocks(texture, 1, 5, 0, &data2, &size2));
    THAT(size2 == 32 && data2 == (const char *)data + 11 * 7 * 8);
    BAD(brickwork_texture_get_blocks(texture, 2, 0, 0, &data2, &size2), "there is no layer 2");
    BAD(brickwork_texture_get_blocks(texture, 0, 6, 0, &data2, &size2), "there is no face 6");
    BAD(brickwork_texture_get_blocks(texture, 0, 0, 4, &data2, &size2), "there is no mip level 4");
    BAD(brickwork_texture_get_blocks(texture, 0, 0, 0, NULL, &size2), "blocks is null");
    BAD(brickwork_texture_get_blocks(texture, 0, 0, 0, &data2, NULL), "blocks_bytes is null");
    BAD(brickwork_texture_get_data(NULL, &data2, &size2), "texture is null");
    BAD(brickwork_texture_get_desc(texture, &read, sizeof read - 8), "desc has 72 bytes");
    BAD(brickwork_texture_get_desc(texture, NULL, sizeof read), "desc is null");

    OK(brickwork_write_config_init(&writer, sizeof writer));
    writer.zstd_level = 3;
    for (container = BRICKWORK_CONTAINER_DDS; container <= BRICKWORK_CONTAINER_KTX2; container++) {
        OK(brickwork_texture_write(texture, container, &writer, NULL, &buffer));
        brickwork_texture_free(texture);
        data = brickwork_buffer_data(buffer);
        size = brickwork_buffer_bytes(buffer);
        OK(brickwork_texture_read(data, size, 0, NULL, &other));
        FAILS(INVALID, brickwork_texture_read(data, size - 1, 0, NULL, &texture), "truncated");
        /* The failed call has set the handle to NULL. */
        THAT(texture == NULL);
        FAILS(LIMIT, brickwork_texture_read(data, size, 99, NULL, &texture), "the limit is 99");
        OK(brickwork_texture_get_desc(other, &read, sizeof read));
        THAT(memcmp(&read, &desc, sizeof desc) == 0);
        THAT(brickwork_texture_note_count(other) == 0 && brickwork_texture_note(other, 0) == NULL);
        texture = other;
        brickwork_buffer_free(buffer);
    }
    writer.zstd_level = 23;
    BAD(brickwork_texture_write(texture, 2, &writer, NULL, &buffer), "zstd_level is 23");
    writer.zstd_level = 0;
    writer.dds_header = BRICKWORK_DDS_HEADER_LEGACY;
    FAILS(UNSUPPORTED, brickwork_texture_write(texture, 1, &writer, NULL, &buffer), "not supported");
    THAT(buffer == NULL && brickwork_buffer_data(buffer) == NULL && brickwork_buffer_bytes(buffer) == 0);
    writer.struct_size = 8;
    BAD(brickwork_texture_write(texture, 2, &writer, NULL, &buffer), "brickwork_write_config_init");
    FAILS(UNSUPPORTED, brickwork_texture_write(texture, BRICKWORK_CONTAINER_ASTC, NULL, NULL, &buffer),
          "an .astc file cannot contain bc");
    BAD(brickwork_texture_write(texture, 4, NULL, NULL, &buffer), "container is 4");
    FAILS(UNSUPPORTED, brickwork_texture_save(texture, "no-folder/a.png", NULL, NULL), "no-folder/a.png: ");
    FAILS(IO, brickwork_texture_save(texture, "no-folder/a.dds", NULL, NULL), "no-folder/a.dds: ");
    BAD(brickwork_texture_save(texture, NULL, NULL, NULL), "path is null");
    FAILS(IO, brickwork_texture_open("no-folder/a.dds", 0, NULL, &other), "no-folder/a.dds: ");
    FAILS(INVALID, brickwork_texture_read("abcd", 4, 0, NULL, &other), "neither DDS, KTX2 nor .astc");
    FAILS(INVALID, brickwork_texture_read("", 0, 0, NULL, &other), "neither DDS, KTX2 nor .astc");
    BAD(brickwork_texture_read(NULL, 4, 0, NULL, &other), "bytes is null");

    target = target_of(bytes, sizeof bytes, BRICKWORK_CHANNEL_U8);
    BAD(brickwork_texture_decode(texture, &index, 0, &target, NULL), "the image is 4×4 texels");
    target.width = target.height = 4;
    OK(brickwork_texture_decode(texture, &index, 0, &target, NULL));
    BAD(brickwork_texture_decode(texture, &index, 9, &target, NULL), "rounding_rule");
    index.slice = 1;
    BAD(brickwork_texture_decode(texture, &index, 0, &target, NULL), "there is no slice 1");
    BAD(brickwork_texture_decode(texture, NULL, 0, NULL, NULL), "image is null");
    brickwork_texture_free(texture);

    OK(brickwork_texture_create(&desc, blocks, (size_t)desc.data_bytes, &texture));
    brickwork_texture_free(texture);
    BAD(brickwork_texture_create(&desc, blocks, (size_t)desc.data_bytes - 1, &texture), "needs 672 bytes");
    desc.height = 4;
    BAD(brickwork_texture_create(&desc, blocks, size, &texture), "desc: the faces of a cube");
    desc.struct_size = 0;
    BAD(brickwork_texture_create(&desc, blocks, 0, &texture), "set it to sizeof");
}

/* Checks the plain texels of a texture, and ends it. */
static void expect_texels(int line, brickwork_texture *texture, const void *expected, size_t expected_bytes)
{
    const void *data = NULL;
    size_t size = 0;

    expect(line, BRICKWORK_OK, brickwork_texture_get_data(texture, &data, &size), NULL);
    if (size != expected_bytes || memcmp(data, expected, size) != 0) {
        fprintf(stderr, "line %d: other texels, in %lu bytes\n", line, (unsigned long)size);
        failures++;
    }
    brickwork_texture_free(texture);
}

/* Ends options, and returns other ones. */
static brickwork_options *renewed(brickwork_options *options, const char *settings)
{
    brickwork_options_free(options);
    return options_of(settings);
}

/* Options that change images, with plain texels, which show the changes. */
static void options_of_images(void)
{
    enum { SIDE = 2 };
    static const unsigned char texels[] = {10, 20, 30, 255, 40, 50, 60, 128, 70, 80, 90, 0, 1, 2, 3, 255};
    static const unsigned char greys[] = {5, 6, 7, 8};
    static const unsigned char swizzled[] = {30, 0, 10, 255, 60, 0, 40, 255, 90, 0, 70, 255, 3, 0, 1, 255};
    static const unsigned char packed[] = {10, 5, 30, 30, 40, 6, 60, 60, 70, 7, 90, 90, 1, 8, 3, 3};
    static const unsigned char product[] = {10, 20, 30, 255, 20, 25, 30, 128, 0, 0, 0, 0, 1, 2, 3, 255};
    static const unsigned char flipped[] = {10, 235, 30, 255, 40, 205, 60, 128,
                                            70, 175, 90, 0,   1,  253, 3,  255};
    static const unsigned char given[] = {10, 20, 30, 255, 40, 50, 60, 128, 70, 80, 90, 0, 1, 2, 3, 255,
                                          9, 8, 7, 6};
    static const unsigned char level[] = {9, 8, 7, 6};
    static const float singles[] = {1.0f / 3.0f, 1e-10f, 123456.79f, 0.5f};
    static const uint16_t wide[] = {1000, 2000, 3000, 65535};
    static const float moved[] = {123456.79f, 1e-10f, 1.0f / 3.0f, 0.5f};
    brickwork_options *base = options_of("format rgba8"), *options = NULL;
    brickwork_image all[3];
    brickwork_texture *texture = NULL;
    brickwork_texture_desc desc;
    brickwork_image_mut target;
    const char *paths[] = {"no-folder/a.png", NULL};
    unsigned char decoded[SIDE * SIDE * 4];
    uint16_t halves[4];
    const void *data = NULL;
    size_t size = 0;

    all[0] = image_of(texels, sizeof texels, BRICKWORK_CHANNEL_U8, 4);
    all[1] = image_of(greys, sizeof greys, BRICKWORK_CHANNEL_U8, 1);
    all[2] = all[0];
    all[0].width = all[0].height = all[1].width = all[1].height = all[2].width = all[2].height = SIDE;

    OK(brickwork_encode(base, all, 1, NULL, NULL, &texture));
    OK(brickwork_texture_get_desc(texture, &desc, sizeof desc));
    THAT(desc.format == BRICKWORK_FORMAT_RGBA8 && desc.block_bytes == 4 && desc.data_bytes == sizeof texels);
    THAT(desc.color_space == BRICKWORK_COLOR_SPACE_SRGB && desc.alpha_mode == BRICKWORK_ALPHA_STRAIGHT);
    target = target_of(decoded, sizeof decoded, BRICKWORK_CHANNEL_U8);
    target.width = target.height = SIDE;
    OK(brickwork_texture_decode(texture, NULL, 0, &target, NULL));
    THAT(memcmp(decoded, texels, sizeof texels) == 0);
    expect_texels(__LINE__, texture, texels, sizeof texels);
    OK(brickwork_encode_blocks(base, all, blocks, sizeof texels, NULL, NULL));
    THAT(memcmp(blocks, texels, sizeof texels) == 0);
    OK(brickwork_decode_blocks(BRICKWORK_FORMAT_RGBA8, texels, sizeof texels, 0, &target, NULL));
    THAT(memcmp(decoded, texels, sizeof texels) == 0);

    options = renewed(options, "format rgba8 swizzle b0r1");
    OK(brickwork_encode(options, all, 1, NULL, NULL, &texture));
    expect_texels(__LINE__, texture, swizzled, sizeof swizzled);
    BAD(brickwork_encode_blocks(options, all, blocks, sizeof texels, NULL, NULL), "brickwork_encode");

    options = renewed(options, "format rgba8 channels g,a:b");
    OK(brickwork_encode(options, all, 3, NULL, NULL, &texture));
    OK(brickwork_texture_get_desc(texture, &desc, sizeof desc));
    THAT(desc.color_space == BRICKWORK_COLOR_SPACE_LINEAR);
    expect_texels(__LINE__, texture, packed, sizeof packed);
    all[1].width = 1;
    BAD(brickwork_encode(options, all, 3, NULL, NULL, &texture), "images[1]: has 1×2 texels, but images[0]");
    all[1].width = SIDE;

    options = renewed(options, "format rgba8 premultiply - color-space linear");
    OK(brickwork_encode(options, all, 1, NULL, NULL, &texture));
    OK(brickwork_texture_get_desc(texture, &desc, sizeof desc));
    THAT(desc.alpha_mode == BRICKWORK_ALPHA_PREMULTIPLIED);
    expect_texels(__LINE__, texture, product, sizeof product);

    /* Premultiplied texels stay as they are. */
    options = renewed(options, "format rgba8 premultiplied -");
    OK(brickwork_encode(options, all, 1, NULL, NULL, &texture));
    OK(brickwork_texture_get_desc(texture, &desc, sizeof desc));
    THAT(desc.alpha_mode == BRICKWORK_ALPHA_PREMULTIPLIED);
    expect_texels(__LINE__, texture, texels, sizeof texels);

    options = renewed(options, "format rgba8 normal-flip-y -");
    OK(brickwork_encode(options, all, 1, NULL, NULL, &texture));
    expect_texels(__LINE__, texture, flipped, sizeof flipped);

    options = renewed(options, "format rgba8 levels 2");
    all[1] = image_of(level, sizeof level, BRICKWORK_CHANNEL_U8, 4);
    all[1].width = all[1].height = 1;
    OK(brickwork_encode(options, all, 2, NULL, NULL, &texture));
    expect_texels(__LINE__, texture, given, sizeof given);

    options = renewed(options, "format rgba8 resize 50%");
    OK(brickwork_encode(options, all, 1, NULL, NULL, &texture));
    OK(brickwork_texture_get_desc(texture, &desc, sizeof desc));
    THAT(desc.width == 1 && desc.height == 1);
    brickwork_texture_free(texture);

    /* Roughness: the same image without and with the spread of normals that differ. */
    options = renewed(options, "format r8 mips - roughness-from-normals -");
    all[0] = image_of(greys, sizeof greys, BRICKWORK_CHANNEL_U8, 1);
    all[1] = image_of(swizzled, sizeof swizzled, BRICKWORK_CHANNEL_U8, 4);
    all[0].width = all[0].height = all[1].width = all[1].height = SIDE;
    OK(brickwork_encode(options, all, 2, NULL, NULL, &texture));
    OK(brickwork_texture_get_data(texture, &data, &size));
    THAT(size == 5 && memcmp(data, greys, 4) == 0 && ((const unsigned char *)data)[4] > 8);
    brickwork_texture_free(texture);

    /* 128 of 255 is 0.2158 of light, in half floats. */
    options = renewed(options, "format rgba16f convert-oetf linear");
    all[0] = image_of(texels + 7, 1, BRICKWORK_CHANNEL_U8, 1);
    all[0].width = all[0].height = 1;
    OK(brickwork_encode(options, all, 1, NULL, NULL, &texture));
    OK(brickwork_texture_get_data(texture, &data, &size));
    THAT(size == sizeof halves);
    memcpy(halves, data, sizeof halves);
    THAT(halves[0] == 0x32e8 && halves[2] == halves[0] && halves[3] == 0x3c00);
    brickwork_texture_free(texture);

    /* Formats that store single floats keep them. */
    options = renewed(options, "format rgba32f swizzle bgra");
    all[1] = image_of(singles, sizeof singles, BRICKWORK_CHANNEL_F32, 4);
    all[1].width = all[1].height = 1;
    OK(brickwork_encode(options, all + 1, 1, NULL, NULL, &texture));
    expect_texels(__LINE__, texture, moved, sizeof moved);

    /* 16 bits are rounded to 8, which is a note. */
    options = renewed(options, "format rgba8 swizzle bgra");
    all[1] = image_of(wide, sizeof wide, BRICKWORK_CHANNEL_U16, 4);
    all[1].width = all[1].height = 1;
    OK(brickwork_encode(options, all + 1, 1, NULL, NULL, &texture));
    THAT(brickwork_texture_note_count(texture) == 1);
    THAT(strstr(brickwork_texture_note(texture, 0), "16-bit channels are rounded") != NULL);
    brickwork_texture_free(texture);

    options = renewed(options, "format auto");
    OK(brickwork_encode(options, all, 1, NULL, NULL, &texture));
    OK(brickwork_texture_get_desc(texture, &desc, sizeof desc));
    THAT(desc.format == BRICKWORK_FORMAT_BC4);
    brickwork_texture_free(texture);
    BAD(brickwork_encode_blocks(options, all, blocks, 8, NULL, NULL), "format is auto");

    FAILS(IO, brickwork_encode_files(base, paths, 1, 0, NULL, NULL, &texture), "no-folder/a.png: ");
    BAD(brickwork_encode_files(base, paths, 2, 0, NULL, NULL, &texture), "paths[1] is null");
    BAD(brickwork_encode_files(base, NULL, 1, 0, NULL, NULL, &texture), "paths is null");
    brickwork_options_free(base);
    brickwork_options_free(options);
}

/* Blocks by themselves, with gaps between rows, which stay as they are. */
static void single_images(void)
{
    brickwork_options *options = options_of("format bc6hs quality fast");
    brickwork_image image = image_of(floats, sizeof floats, BRICKWORK_CHANNEL_F32, 3);
    brickwork_image_mut target = target_of(floats, sizeof floats, BRICKWORK_CHANNEL_F32);
    uint64_t size = 0;
    unsigned i;

    for (i = 0; i < TEXELS * 4; i++)
        floats[i] = -2.5f;
    OK(brickwork_image_bytes(BRICKWORK_FORMAT_BC6HS, WIDTH, HEIGHT, &size));
    OK(brickwork_encode_blocks(options, &image, blocks, (size_t)size, NULL, NULL));
    BAD(brickwork_encode_blocks(options, &image, blocks, (size_t)size - 1, NULL, NULL), "192 bytes");
    BAD(brickwork_encode_blocks(options, &image, NULL, (size_t)size, NULL, NULL), "blocks is null");
    BAD(brickwork_encode_blocks(options, NULL, blocks, (size_t)size, NULL, NULL), "image is null");
    brickwork_options_free(options);
    memset(floats, 0, sizeof floats);
    OK(brickwork_decode_blocks(BRICKWORK_FORMAT_BC6HS, blocks, (size_t)size, 0, &target, NULL));
    for (i = 0; i < TEXELS; i++)
        THAT(floats[4 * i] < -2.4f && floats[4 * i + 2] > -2.6f && floats[4 * i + 3] == 1.0f);
    target = target_of(words, sizeof words, BRICKWORK_CHANNEL_F16);
    OK(brickwork_decode_blocks(BRICKWORK_FORMAT_BC6HS, blocks, (size_t)size, 0, &target, NULL));
    THAT(words[0] == 0xc100 && words[3] == 0x3c00);
    target.data_bytes -= 1;
    BAD(brickwork_decode_blocks(BRICKWORK_FORMAT_BC6HS, blocks, (size_t)size, 0, &target, NULL), "image: ");
    target.reserved = 1;
    BAD(brickwork_decode_blocks(BRICKWORK_FORMAT_BC6HS, blocks, 192, 0, &target, NULL), "reserved is 1");
    memset(bytes, 7, sizeof bytes);
    target = target_of(bytes, (WIDTH + 1) * 4 * HEIGHT - 4, BRICKWORK_CHANNEL_U8);
    target.row_bytes = (WIDTH + 1) * 4;
    OK(brickwork_decode_blocks(BRICKWORK_FORMAT_BC6HS, blocks, (size_t)size, 0, &target, NULL));
    THAT(bytes[0] == 0 && bytes[3] == 255 && bytes[4 * WIDTH] == 7 && bytes[4 * WIDTH + 4] == 0);
    BAD(brickwork_decode_blocks(BRICKWORK_FORMAT_BC1, blocks, (size_t)size, 0, &target, NULL), "96 bytes");
    BAD(brickwork_decode_blocks(BRICKWORK_FORMAT_BC1, NULL, 96, 0, &target, NULL), "blocks is null");
}

static brickwork_status in_callback = BRICKWORK_OK;

static void on_progress(void *user, brickwork_stage stage, uint64_t done, uint64_t total)
{
    uint64_t size;

    in_callback = brickwork_image_bytes(BRICKWORK_FORMAT_BC1, 4, 4, &size);
    THAT(stage == BRICKWORK_STAGE_ENCODING && done <= total);
    ++*(unsigned *)user;
}

static void tasks_and_devices(void)
{
    brickwork_options *options = options_of("quality fast");
    brickwork_image image = image_of(bytes, TEXELS * 4, BRICKWORK_CHANNEL_U8, 4);
    brickwork_task_config task_config;
    brickwork_task *task = NULL;
    brickwork_texture *texture = NULL;
    brickwork_device *device = NULL;
    unsigned calls = 0, threads;

    OK(brickwork_task_config_init(&task_config, sizeof task_config));
    task_config.on_progress = on_progress;
    task_config.user = &calls;
    for (threads = 0; threads < 3; threads++) {
        task_config.threads = threads;
        OK(brickwork_task_create(&task_config, &task));
        calls = 0;
        OK(brickwork_encode(options, &image, 1, NULL, task, &texture));
        brickwork_texture_free(texture);
        THAT(calls == 3 && in_callback == BRICKWORK_ERROR_ARGUMENT);
        brickwork_task_cancel(task);
        FAILS(CANCELLED, brickwork_encode(options, &image, 1, NULL, task, &texture), "cancelled");
        brickwork_task_free(task);
    }
    task_config.threads = 1u << 30;
    BAD(brickwork_task_create(&task_config, &task), "threads is 1073741824");
    task_config.struct_size = 1;
    BAD(brickwork_task_create(&task_config, &task), "brickwork_task_config_init");
    BAD(brickwork_task_create(NULL, NULL), "task is null");
    brickwork_task_cancel(NULL);

    OK(brickwork_device_open("cpu", &device));
    THAT(strncmp(brickwork_device_name(device), "CPU", 3) == 0);
    OK(brickwork_task_create(NULL, &task));
    OK(brickwork_encode(options, &image, 1, device, task, &texture));
    brickwork_texture_free(texture);
    brickwork_device_free(device);
    brickwork_task_free(task);
    BAD(brickwork_device_open("", &device), "choice is empty");
    FAILS(IO, brickwork_encode_file(options, "no-folder/a.png", 0, NULL, NULL, &texture), "no-folder/a.png");
    /* What the reader does to colours is a note. */
    OK(brickwork_encode_file(options, CMYK, 0, NULL, NULL, &texture));
    THAT(brickwork_texture_note_count(texture) > 0);
    THAT(strstr(brickwork_texture_note(texture, 0), "cmyk.jpg: CMYK is converted") != NULL);
    brickwork_texture_free(texture);
    brickwork_options_free(options);

    brickwork_options_free(NULL);
    brickwork_texture_free(NULL);
    brickwork_task_free(NULL);
    brickwork_device_free(NULL);
    brickwork_buffer_free(NULL);
    THAT(strcmp(brickwork_device_name(NULL), "CPU") == 0);
}

int main(void)
{
    versions_and_names();
    images();
    named_options();
    textures();
    options_of_images();
    single_images();
    tasks_and_devices();
    if (failures)
        fprintf(stderr, "%u failures\n", failures);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
