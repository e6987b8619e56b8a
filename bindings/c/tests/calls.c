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

static brickwork_encode_config config_of(brickwork_format format)
{
    brickwork_encode_config config;

    OK(brickwork_encode_config_init(&config, sizeof config));
    config.format = format;
    config.quality = BRICKWORK_QUALITY_FAST;
    return config;
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
    brickwork_encode_config config = config_of(BRICKWORK_FORMAT_BC7);
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
            OK(brickwork_encode(&config, &each, 1, NULL, NULL, &texture));
            brickwork_texture_free(texture);
            each.data_bytes--;
            BAD(brickwork_encode(&config, &each, 1, NULL, NULL, &texture), "texels are needed");
            THAT(texture == NULL);
        }
    }
    BAD(brickwork_encode(NULL, &image, 1, NULL, NULL, &texture), "config is null");
    BAD(brickwork_encode(&config, NULL, 1, NULL, NULL, &texture), "images is null");
    BAD(brickwork_encode(&config, &image, 0, NULL, NULL, &texture), "images has no elements");
    BAD(brickwork_encode(&config, &image, 1, NULL, NULL, NULL), "texture is null");
    BAD(brickwork_encode(&config, &image, SIZE_MAX, NULL, NULL, &texture), "memory ends before");
    odd = (const brickwork_image *)(const void *)((const char *)&image + 1);
    BAD(brickwork_encode(&config, odd, 1, NULL, NULL, &texture), "images is not aligned");
    image.row_bytes = WIDTH * 4 + 2;
    BAD(brickwork_encode(&config, &image, 1, NULL, NULL, &texture), "images[0]: 54 bytes from row to row");
    image.row_bytes = WIDTH * 4 - 4;
    BAD(brickwork_encode(&config, &image, 1, NULL, NULL, &texture), "stride");
    image.row_bytes = SIZE_MAX - 3;
    BAD(brickwork_encode(&config, &image, 1, NULL, NULL, &texture), "texels are needed");
    image.row_bytes = 0;
    image.data_bytes = SIZE_MAX;
    BAD(brickwork_encode(&config, &image, 1, NULL, NULL, &texture), "memory ends before");
    image.data_bytes = TEXELS * 4;
    image.data = NULL;
    BAD(brickwork_encode(&config, &image, 1, NULL, NULL, &texture), "data is null");
    image.data = bytes;
    image.width = 0;
    BAD(brickwork_encode(&config, &image, 1, NULL, NULL, &texture), "a side of the texture is 0");
    image.width = UINT32_MAX;
    BAD(brickwork_encode(&config, &image, 1, NULL, NULL, &texture), "texels are needed");
    image.width = WIDTH;
    image.channel_count = 5;
    BAD(brickwork_encode(&config, &image, 1, NULL, NULL, &texture), "channel_count is 5");
    image.channel_count = 4;
    image.channel_type = 0;
    BAD(brickwork_encode(&config, &image, 1, NULL, NULL, &texture), "channel_type is 0");
    image = image_of((const char *)words + 1, TEXELS * 8 - 1, BRICKWORK_CHANNEL_U16, 3);
    BAD(brickwork_encode(&config, &image, 1, NULL, NULL, &texture), "multiple of 2");
}

static void configs(void)
{
    brickwork_encode_config config = config_of(BRICKWORK_FORMAT_BC3);
    brickwork_image image = image_of(bytes, TEXELS * 4, BRICKWORK_CHANNEL_U8, 4);
    brickwork_texture *texture = NULL;
    uint64_t texture_bytes = 0, memory_bytes = 0;

#define CONFIG(field, value, text) \
    do { \
        brickwork_encode_config changed = config; \
        changed.field = value; \
        BAD(brickwork_encode(&changed, &image, 1, NULL, NULL, &texture), text); \
        THAT(texture == NULL); \
    } while (0)

    CONFIG(struct_size, 0, "config->struct_size is 0, this library expects 224: call brickwork_encode");
    CONFIG(struct_size, sizeof config + 4, "struct_size");
    CONFIG(format, 32, "config: format is 32, expected a number from 1 to 31");
    CONFIG(quality, 6, "quality");
    CONFIG(kind, 4, "kind");
    CONFIG(kind, BRICKWORK_KIND_CUBE, "not square");
    CONFIG(layers, 0, "layers");
    CONFIG(layers, 3, "made of 3 images, 1 are given");
    CONFIG(layers, UINT32_MAX, "1 are given");
    CONFIG(depth, 2, "depth");
    CONFIG(mip_levels, 5, "5 mip levels");
    CONFIG(given_mip_levels, 2, "given_mip_levels is 2, mip_levels 1");
    CONFIG(mip_filter, 7, "mip_filter");
    CONFIG(mip_wrap_x, 3, "mip_wrap_x");
    CONFIG(mip_wrap_y, 3, "mip_wrap_y");
    CONFIG(color_space, 3, "color_space");
    CONFIG(alpha_mode, 4, "alpha_mode");
    CONFIG(keep_coverage, 256, "keep_coverage is 256");
    CONFIG(normals, 2, "normals");
    CONFIG(rounding_rule, 6, "rounding_rule");
    CONFIG(weight_green, 0, "weights are 1, 0 and 1");
    CONFIG(weight_blue, 255, "weights");
    CONFIG(weigh_by_alpha, 9, "weigh_by_alpha");
    CONFIG(rdo_lambda, -1.0f, "rdo_lambda is -1");
    CONFIG(bc1_alpha_threshold, 1000, "bc1_alpha_threshold");
    CONFIG(alpha_is_data, 2, "alpha_is_data");
    CONFIG(dither, 2, "dither");
    CONFIG(bc1_three_color, 2, "bc1_three_color");
    CONFIG(bc6h_metric, 3, "bc6h_metric");
    CONFIG(bc7_real_time, 3, "bc7_real_time");
    CONFIG(bc1_transparent_black, 2, "bc1_transparent_black");
    CONFIG(bc7_modes, 15, "bc7_modes is 0,1,2,3: modes 0 to 3 store no alpha");
    CONFIG(bc7_modes, 256, "bc7_modes is 256");
    CONFIG(usage, 5, "usage");
    CONFIG(swizzle_blue, 7, "swizzle_blue is 7, expected a number from 0 to 6");
    CONFIG(pack_alpha, BRICKWORK_SOURCE_ZERO, "pack_alpha is 5, expected a number from 0 to 4");
    CONFIG(pack_alpha, BRICKWORK_SOURCE_RED, "made of 2 images, 1 are given");
    CONFIG(assign_oetf, 3, "assign_oetf");
    CONFIG(assign_gamma, 11.0f, "assign_gamma is 11: ");
    CONFIG(convert_oetf, 3, "convert_oetf");
    CONFIG(premultiply, 2, "premultiply");
    CONFIG(resize_width, 4, "resize_width and resize_height is 4x0: ");
    CONFIG(resize_percent, -1.0f, "resize_percent is -1: ");
    CONFIG(power_of_two, 4, "power_of_two");
    CONFIG(multiple_of_4, 2, "multiple_of_4");
    CONFIG(normal_flip_y, 1, "normal maps need the format");
    CONFIG(from_height, 1e9f, "from_height is 1000000000: ");
    CONFIG(roughness_from_normals, 1, "made of 2 images, 1 are given");
    CONFIG(roughness_channel, 0, "roughness_channel is 0, expected a number from 1 to 4");
    CONFIG(max_value, 2.0f, "images[0]: max_value is for bc6h");
    CONFIG(max_value, 70000.0f, "max_value is 70000: ");
    CONFIG(target_psnr, 101.0f, "target_psnr is 101: ");
    CONFIG(target_percent, 101.0f, "target_percent is 101: ");
    BAD(brickwork_encode_config_init(NULL, sizeof config), "config is null");
    BAD(brickwork_encode_config_init(&config, 4), "config has 4 bytes, this library expects 224");
    config.premultiply = 1;
    CONFIG(usage, BRICKWORK_USAGE_DATA, "images[0]: premultiply is for colours, not data");
    CONFIG(alpha_mode, BRICKWORK_ALPHA_STRAIGHT, "alpha_mode is 2, expected 0");
    CONFIG(keep_coverage, 128, "premultiply and keep_coverage exclude each other");
    config.premultiply = 0;
    config.assign_gamma = 2.2f;
    CONFIG(assign_oetf, 1, "assign_oetf and assign_gamma exclude each other");
    config.assign_gamma = 0.0f;
    config.target_psnr = 40.0f;
    CONFIG(target_bytes, 100, "target_psnr, target_percent and target_bytes exclude each other");
    config.target_psnr = 0.0f;

    config.mip_levels = 0;
    OK(brickwork_encode_size(&config, WIDTH, HEIGHT, &texture_bytes, &memory_bytes));
    THAT(texture_bytes == 16 * (4 * 3 + 2 * 2 + 1 + 1) && memory_bytes > texture_bytes);
    OK(brickwork_encode_size(&config, UINT32_MAX, UINT32_MAX, &texture_bytes, NULL));
    THAT(texture_bytes == UINT64_MAX);
    BAD(brickwork_encode_size(&config, 0, 1, NULL, NULL), "a side of the texture is 0");
    config.resize_width = config.resize_height = 4;
    OK(brickwork_encode_size(&config, WIDTH, HEIGHT, &texture_bytes, NULL));
    THAT(texture_bytes == 16 * 3);
    config.resize_width = config.resize_height = 0;
    config.format = BRICKWORK_FORMAT_AUTO;
    BAD(brickwork_encode_size(&config, WIDTH, HEIGHT, &texture_bytes, NULL), "format is automatic");
    config.format = BRICKWORK_FORMAT_BC4;
    config.color_space = BRICKWORK_COLOR_SPACE_SRGB;
    BAD(brickwork_encode(&config, &image, 1, NULL, NULL, &texture), "color_space is sRGB");
}

/* An array of two cubes with mip levels, through both containers. */
static void textures(void)
{
    brickwork_encode_config config = config_of(BRICKWORK_FORMAT_BC1);
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
    config.kind = BRICKWORK_KIND_CUBE;
    config.layers = 2;
    config.mip_levels = 0;
    BAD(brickwork_encode(&config, faces, 11, NULL, NULL, &texture), "12 images, 11 are given");
    OK(brickwork_encode(&config, faces, 12, NULL, NULL, &texture));
    OK(brickwork_texture_get_desc(texture, &desc, sizeof desc));
    THAT(desc.struct_size == sizeof desc && desc.format == BRICKWORK_FORMAT_BC1);
    THAT(desc.kind == BRICKWORK_KIND_CUBE && desc.faces == 6 && desc.layers == 2 && desc.mip_levels == 4);
    THAT(desc.color_space == BRICKWORK_COLOR_SPACE_SRGB && desc.alpha_mode == BRICKWORK_ALPHA_STRAIGHT);
    THAT(desc.width == 8 && desc.height == 8 && desc.depth == 1 && desc.block_bytes == 8);
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
    BAD(brickwork_texture_get_desc(texture, &read, sizeof read - 8), "desc has 48 bytes");
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
    BAD(brickwork_texture_write(texture, 3, NULL, NULL, &buffer), "container is 3");
    FAILS(UNSUPPORTED, brickwork_texture_save(texture, "no-folder/a.png", NULL, NULL), "no-folder/a.png: ");
    FAILS(IO, brickwork_texture_save(texture, "no-folder/a.dds", NULL, NULL), "no-folder/a.dds: ");
    BAD(brickwork_texture_save(texture, NULL, NULL, NULL), "path is null");
    FAILS(IO, brickwork_texture_open("no-folder/a.dds", 0, NULL, &other), "no-folder/a.dds: ");
    FAILS(INVALID, brickwork_texture_read("abcd", 4, 0, NULL, &other), "neither DDS nor KTX2");
    FAILS(INVALID, brickwork_texture_read("", 0, 0, NULL, &other), "neither DDS nor KTX2");
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
    brickwork_encode_config base = config_of(BRICKWORK_FORMAT_RGBA8), config;
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

    OK(brickwork_encode(&base, all, 1, NULL, NULL, &texture));
    OK(brickwork_texture_get_desc(texture, &desc, sizeof desc));
    THAT(desc.format == BRICKWORK_FORMAT_RGBA8 && desc.block_bytes == 4 && desc.data_bytes == sizeof texels);
    THAT(desc.color_space == BRICKWORK_COLOR_SPACE_SRGB && desc.alpha_mode == BRICKWORK_ALPHA_STRAIGHT);
    target = target_of(decoded, sizeof decoded, BRICKWORK_CHANNEL_U8);
    target.width = target.height = SIDE;
    OK(brickwork_texture_decode(texture, NULL, 0, &target, NULL));
    THAT(memcmp(decoded, texels, sizeof texels) == 0);
    expect_texels(__LINE__, texture, texels, sizeof texels);
    OK(brickwork_encode_blocks(&base, all, blocks, sizeof texels, NULL, NULL));
    THAT(memcmp(blocks, texels, sizeof texels) == 0);
    OK(brickwork_decode_blocks(base.format, texels, sizeof texels, 0, &target, NULL));
    THAT(memcmp(decoded, texels, sizeof texels) == 0);

    config = base;
    config.swizzle_red = BRICKWORK_SOURCE_BLUE;
    config.swizzle_green = BRICKWORK_SOURCE_ZERO;
    config.swizzle_blue = BRICKWORK_SOURCE_RED;
    config.swizzle_alpha = BRICKWORK_SOURCE_ONE;
    OK(brickwork_encode(&config, all, 1, NULL, NULL, &texture));
    expect_texels(__LINE__, texture, swizzled, sizeof swizzled);
    BAD(brickwork_encode_blocks(&config, all, blocks, sizeof texels, NULL, NULL), "brickwork_encode");

    config = base;
    config.pack_green = BRICKWORK_SOURCE_RED;
    config.pack_alpha = BRICKWORK_SOURCE_BLUE;
    OK(brickwork_encode(&config, all, 3, NULL, NULL, &texture));
    OK(brickwork_texture_get_desc(texture, &desc, sizeof desc));
    THAT(desc.color_space == BRICKWORK_COLOR_SPACE_LINEAR);
    expect_texels(__LINE__, texture, packed, sizeof packed);
    all[1].width = 1;
    BAD(brickwork_encode(&config, all, 3, NULL, NULL, &texture), "images[1]: has 1×2 texels, but images[0]");
    all[1].width = SIDE;

    config = base;
    config.premultiply = 1;
    config.color_space = BRICKWORK_COLOR_SPACE_LINEAR;
    OK(brickwork_encode(&config, all, 1, NULL, NULL, &texture));
    OK(brickwork_texture_get_desc(texture, &desc, sizeof desc));
    THAT(desc.alpha_mode == BRICKWORK_ALPHA_PREMULTIPLIED);
    expect_texels(__LINE__, texture, product, sizeof product);

    config = base;
    config.normal_flip_y = 1;
    OK(brickwork_encode(&config, all, 1, NULL, NULL, &texture));
    expect_texels(__LINE__, texture, flipped, sizeof flipped);

    config = base;
    config.given_mip_levels = 2;
    config.mip_levels = 2;
    all[1] = image_of(level, sizeof level, BRICKWORK_CHANNEL_U8, 4);
    all[1].width = all[1].height = 1;
    OK(brickwork_encode(&config, all, 2, NULL, NULL, &texture));
    expect_texels(__LINE__, texture, given, sizeof given);

    config = base;
    config.resize_percent = 50.0f;
    OK(brickwork_encode(&config, all, 1, NULL, NULL, &texture));
    OK(brickwork_texture_get_desc(texture, &desc, sizeof desc));
    THAT(desc.width == 1 && desc.height == 1);
    brickwork_texture_free(texture);

    /* Roughness: the same image without and with the spread of normals that differ. */
    config = base;
    config.format = BRICKWORK_FORMAT_R8;
    config.mip_levels = 0;
    config.roughness_from_normals = 1;
    all[0] = image_of(greys, sizeof greys, BRICKWORK_CHANNEL_U8, 1);
    all[1] = image_of(swizzled, sizeof swizzled, BRICKWORK_CHANNEL_U8, 4);
    all[0].width = all[0].height = all[1].width = all[1].height = SIDE;
    OK(brickwork_encode(&config, all, 2, NULL, NULL, &texture));
    OK(brickwork_texture_get_data(texture, &data, &size));
    THAT(size == 5 && memcmp(data, greys, 4) == 0 && ((const unsigned char *)data)[4] > 8);
    brickwork_texture_free(texture);

    /* 128 of 255 is 0.2158 of light, in half floats. */
    config = base;
    config.format = BRICKWORK_FORMAT_RGBA16F;
    config.convert_oetf = BRICKWORK_COLOR_SPACE_LINEAR;
    all[0] = image_of(texels + 7, 1, BRICKWORK_CHANNEL_U8, 1);
    all[0].width = all[0].height = 1;
    OK(brickwork_encode(&config, all, 1, NULL, NULL, &texture));
    OK(brickwork_texture_get_data(texture, &data, &size));
    THAT(size == sizeof halves);
    memcpy(halves, data, sizeof halves);
    THAT(halves[0] == 0x32e8 && halves[2] == halves[0] && halves[3] == 0x3c00);
    brickwork_texture_free(texture);

    /* Formats that store single floats keep them. */
    config = base;
    config.format = BRICKWORK_FORMAT_RGBA32F;
    config.swizzle_red = BRICKWORK_SOURCE_BLUE;
    config.swizzle_blue = BRICKWORK_SOURCE_RED;
    all[1] = image_of(singles, sizeof singles, BRICKWORK_CHANNEL_F32, 4);
    all[1].width = all[1].height = 1;
    OK(brickwork_encode(&config, all + 1, 1, NULL, NULL, &texture));
    expect_texels(__LINE__, texture, moved, sizeof moved);

    /* 16 bits are rounded to 8, which is a note. */
    config = base;
    config.swizzle_red = BRICKWORK_SOURCE_BLUE;
    config.swizzle_blue = BRICKWORK_SOURCE_RED;
    all[1] = image_of(wide, sizeof wide, BRICKWORK_CHANNEL_U16, 4);
    all[1].width = all[1].height = 1;
    OK(brickwork_encode(&config, all + 1, 1, NULL, NULL, &texture));
    THAT(brickwork_texture_note_count(texture) == 1);
    THAT(strstr(brickwork_texture_note(texture, 0), "16-bit channels are rounded") != NULL);
    brickwork_texture_free(texture);

    config = base;
    config.format = BRICKWORK_FORMAT_AUTO;
    OK(brickwork_encode(&config, all, 1, NULL, NULL, &texture));
    OK(brickwork_texture_get_desc(texture, &desc, sizeof desc));
    THAT(desc.format == BRICKWORK_FORMAT_BC4);
    brickwork_texture_free(texture);
    BAD(brickwork_encode_blocks(&config, all, blocks, 8, NULL, NULL), "format is automatic");

    FAILS(IO, brickwork_encode_files(&base, paths, 1, 0, NULL, NULL, &texture), "no-folder/a.png: ");
    BAD(brickwork_encode_files(&base, paths, 2, 0, NULL, NULL, &texture), "paths[1] is null");
    BAD(brickwork_encode_files(&base, NULL, 1, 0, NULL, NULL, &texture), "paths is null");
    base.layers = 3;
    BAD(brickwork_encode_files(&base, paths, 1, 0, NULL, NULL, &texture), "made of 3 images, 1 are given");
    base.alpha_mode = BRICKWORK_ALPHA_OPAQUE;
    BAD(brickwork_encode_files(&base, paths, 1, 0, NULL, NULL, &texture), "alpha_mode");
}

/* Blocks by themselves, with gaps between rows, which stay as they are. */
static void single_images(void)
{
    brickwork_encode_config config = config_of(BRICKWORK_FORMAT_BC6HS);
    brickwork_image image = image_of(floats, sizeof floats, BRICKWORK_CHANNEL_F32, 3);
    brickwork_image_mut target = target_of(floats, sizeof floats, BRICKWORK_CHANNEL_F32);
    uint64_t size = 0;
    unsigned i;

    for (i = 0; i < TEXELS * 4; i++)
        floats[i] = -2.5f;
    OK(brickwork_image_bytes(BRICKWORK_FORMAT_BC6HS, WIDTH, HEIGHT, &size));
    OK(brickwork_encode_blocks(&config, &image, blocks, (size_t)size, NULL, NULL));
    BAD(brickwork_encode_blocks(&config, &image, blocks, (size_t)size - 1, NULL, NULL), "192 bytes");
    BAD(brickwork_encode_blocks(&config, &image, NULL, (size_t)size, NULL, NULL), "blocks is null");
    BAD(brickwork_encode_blocks(&config, NULL, blocks, (size_t)size, NULL, NULL), "image is null");
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
    brickwork_encode_config config = config_of(BRICKWORK_FORMAT_BC1);
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
        OK(brickwork_encode(&config, &image, 1, NULL, task, &texture));
        brickwork_texture_free(texture);
        THAT(calls == 3 && in_callback == BRICKWORK_ERROR_ARGUMENT);
        brickwork_task_cancel(task);
        FAILS(CANCELLED, brickwork_encode(&config, &image, 1, NULL, task, &texture), "cancelled");
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
    OK(brickwork_encode(&config, &image, 1, device, task, &texture));
    brickwork_texture_free(texture);
    brickwork_device_free(device);
    brickwork_task_free(task);
    BAD(brickwork_device_open("", &device), "choice is empty");
    FAILS(IO, brickwork_encode_file(&config, "no-folder/a.png", 0, NULL, NULL, &texture), "no-folder/a.png");
    /* What the reader does to colours is a note. */
    OK(brickwork_encode_file(&config, CMYK, 0, NULL, NULL, &texture));
    THAT(brickwork_texture_note_count(texture) > 0);
    THAT(strstr(brickwork_texture_note(texture, 0), "cmyk.jpg: CMYK is converted") != NULL);
    brickwork_texture_free(texture);
    config.layers = 2;
    BAD(brickwork_encode_file(&config, "a.png", 0, NULL, NULL, &texture), "one layer");

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
    configs();
    textures();
    options_of_images();
    single_images();
    tasks_and_devices();
    if (failures)
        fprintf(stderr, "%u failures\n", failures);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
