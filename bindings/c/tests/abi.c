/* Checks that brickwork.h declares the functions, structs and numbers of the library. It compiles only if
   they agree, as C and as C++. Written by `UPDATE=1 cargo test -p brickwork-c`. */

#include "brickwork.h"
#include <stddef.h>

#define CHECK_ON(condition, line) typedef char check_##line[(condition) ? 1 : -1]
#define CHECK_AT(condition, line) CHECK_ON(condition, line)
#define CHECK(condition) CHECK_AT(condition, __LINE__)

CHECK(BRICKWORK_VERSION_MAJOR == 0);
CHECK(BRICKWORK_VERSION_MINOR == 1);
CHECK(BRICKWORK_VERSION_PATCH == 0);

CHECK(BRICKWORK_OK == 0);
CHECK(BRICKWORK_ERROR_ARGUMENT == 1);
CHECK(BRICKWORK_ERROR_INVALID == 2);
CHECK(BRICKWORK_ERROR_UNSUPPORTED == 3);
CHECK(BRICKWORK_ERROR_LIMIT == 4);
CHECK(BRICKWORK_ERROR_IO == 5);
CHECK(BRICKWORK_ERROR_DEVICE == 6);
CHECK(BRICKWORK_ERROR_CANCELLED == 7);
CHECK(BRICKWORK_ERROR_INTERNAL == 8);
CHECK(BRICKWORK_FORMAT_BC1 == 1);
CHECK(BRICKWORK_FORMAT_BC2 == 2);
CHECK(BRICKWORK_FORMAT_BC3 == 3);
CHECK(BRICKWORK_FORMAT_BC4 == 4);
CHECK(BRICKWORK_FORMAT_BC4S == 5);
CHECK(BRICKWORK_FORMAT_BC5 == 6);
CHECK(BRICKWORK_FORMAT_BC5S == 7);
CHECK(BRICKWORK_FORMAT_BC6H == 8);
CHECK(BRICKWORK_FORMAT_BC6HS == 9);
CHECK(BRICKWORK_FORMAT_BC7 == 10);
CHECK(BRICKWORK_FORMAT_R8 == 11);
CHECK(BRICKWORK_FORMAT_R8S == 12);
CHECK(BRICKWORK_FORMAT_RG8 == 13);
CHECK(BRICKWORK_FORMAT_RG8S == 14);
CHECK(BRICKWORK_FORMAT_RGBA8 == 15);
CHECK(BRICKWORK_FORMAT_RGBA8S == 16);
CHECK(BRICKWORK_FORMAT_BGRA8 == 17);
CHECK(BRICKWORK_FORMAT_R16 == 18);
CHECK(BRICKWORK_FORMAT_R16S == 19);
CHECK(BRICKWORK_FORMAT_RG16 == 20);
CHECK(BRICKWORK_FORMAT_RG16S == 21);
CHECK(BRICKWORK_FORMAT_RGBA16 == 22);
CHECK(BRICKWORK_FORMAT_RGBA16S == 23);
CHECK(BRICKWORK_FORMAT_R16F == 24);
CHECK(BRICKWORK_FORMAT_RG16F == 25);
CHECK(BRICKWORK_FORMAT_RGBA16F == 26);
CHECK(BRICKWORK_FORMAT_R32F == 27);
CHECK(BRICKWORK_FORMAT_RG32F == 28);
CHECK(BRICKWORK_FORMAT_RGBA32F == 29);
CHECK(BRICKWORK_FORMAT_RGB9E5 == 30);
CHECK(BRICKWORK_FORMAT_RG11B10F == 31);
CHECK(BRICKWORK_FORMAT_ETC2 == 32);
CHECK(BRICKWORK_FORMAT_ETC2_A1 == 33);
CHECK(BRICKWORK_FORMAT_ETC2_A8 == 34);
CHECK(BRICKWORK_FORMAT_EAC_R11 == 35);
CHECK(BRICKWORK_FORMAT_EAC_R11S == 36);
CHECK(BRICKWORK_FORMAT_EAC_RG11 == 37);
CHECK(BRICKWORK_FORMAT_EAC_RG11S == 38);
CHECK(BRICKWORK_FORMAT_ASTC_4X4 == 39);
CHECK(BRICKWORK_FORMAT_ASTC_5X4 == 40);
CHECK(BRICKWORK_FORMAT_ASTC_5X5 == 41);
CHECK(BRICKWORK_FORMAT_ASTC_6X5 == 42);
CHECK(BRICKWORK_FORMAT_ASTC_6X6 == 43);
CHECK(BRICKWORK_FORMAT_ASTC_8X5 == 44);
CHECK(BRICKWORK_FORMAT_ASTC_8X6 == 45);
CHECK(BRICKWORK_FORMAT_ASTC_8X8 == 46);
CHECK(BRICKWORK_FORMAT_ASTC_10X5 == 47);
CHECK(BRICKWORK_FORMAT_ASTC_10X6 == 48);
CHECK(BRICKWORK_FORMAT_ASTC_10X8 == 49);
CHECK(BRICKWORK_FORMAT_ASTC_10X10 == 50);
CHECK(BRICKWORK_FORMAT_ASTC_12X10 == 51);
CHECK(BRICKWORK_FORMAT_ASTC_12X12 == 52);
CHECK(BRICKWORK_KIND_2D == 1);
CHECK(BRICKWORK_KIND_CUBE == 2);
CHECK(BRICKWORK_KIND_3D == 3);
CHECK(BRICKWORK_COLOR_SPACE_AUTO == 0);
CHECK(BRICKWORK_COLOR_SPACE_SRGB == 1);
CHECK(BRICKWORK_COLOR_SPACE_LINEAR == 2);
CHECK(BRICKWORK_ALPHA_AUTO == 0);
CHECK(BRICKWORK_ALPHA_OPAQUE == 1);
CHECK(BRICKWORK_ALPHA_STRAIGHT == 2);
CHECK(BRICKWORK_ALPHA_PREMULTIPLIED == 3);
CHECK(BRICKWORK_ROUNDING_REAL == 0);
CHECK(BRICKWORK_ROUNDING_EXACT == 1);
CHECK(BRICKWORK_ROUNDING_TRUNC == 2);
CHECK(BRICKWORK_ROUNDING_NVIDIA == 3);
CHECK(BRICKWORK_ROUNDING_AMD == 4);
CHECK(BRICKWORK_ROUNDING_INTEL == 5);
CHECK(BRICKWORK_CHANNEL_U8 == 1);
CHECK(BRICKWORK_CHANNEL_U16 == 2);
CHECK(BRICKWORK_CHANNEL_F16 == 3);
CHECK(BRICKWORK_CHANNEL_F32 == 4);
CHECK(BRICKWORK_CONTAINER_DDS == 1);
CHECK(BRICKWORK_CONTAINER_KTX2 == 2);
CHECK(BRICKWORK_CONTAINER_ASTC == 3);
CHECK(BRICKWORK_DDS_HEADER_AUTO == 0);
CHECK(BRICKWORK_DDS_HEADER_LEGACY == 1);
CHECK(BRICKWORK_DDS_HEADER_DX10 == 2);
CHECK(BRICKWORK_STAGE_READING == 1);
CHECK(BRICKWORK_STAGE_ENCODING == 2);
CHECK(BRICKWORK_STAGE_DECODING == 3);
CHECK(BRICKWORK_STAGE_WRITING == 4);
CHECK(BRICKWORK_STAGE_PREPARING == 5);
CHECK(BRICKWORK_STAGE_COMPARING == 6);

CHECK(sizeof(brickwork_image) == 40);
CHECK(offsetof(brickwork_image, data) == 0);
CHECK(offsetof(brickwork_image, data_bytes) == 8);
CHECK(offsetof(brickwork_image, row_bytes) == 16);
CHECK(offsetof(brickwork_image, width) == 24);
CHECK(offsetof(brickwork_image, height) == 28);
CHECK(offsetof(brickwork_image, channel_type) == 32);
CHECK(offsetof(brickwork_image, channel_count) == 36);
void check_brickwork_image(brickwork_image *value);
void check_brickwork_image(brickwork_image *value)
{
    const void **data = &value->data;
    size_t *data_bytes = &value->data_bytes;
    size_t *row_bytes = &value->row_bytes;
    uint32_t *width = &value->width;
    uint32_t *height = &value->height;
    uint32_t *channel_type = &value->channel_type;
    uint32_t *channel_count = &value->channel_count;
    (void)data;
    (void)data_bytes;
    (void)row_bytes;
    (void)width;
    (void)height;
    (void)channel_type;
    (void)channel_count;
}

CHECK(sizeof(brickwork_image_mut) == 40);
CHECK(offsetof(brickwork_image_mut, data) == 0);
CHECK(offsetof(brickwork_image_mut, data_bytes) == 8);
CHECK(offsetof(brickwork_image_mut, row_bytes) == 16);
CHECK(offsetof(brickwork_image_mut, width) == 24);
CHECK(offsetof(brickwork_image_mut, height) == 28);
CHECK(offsetof(brickwork_image_mut, channel_type) == 32);
CHECK(offsetof(brickwork_image_mut, reserved) == 36);
void check_brickwork_image_mut(brickwork_image_mut *value);
void check_brickwork_image_mut(brickwork_image_mut *value)
{
    void **data = &value->data;
    size_t *data_bytes = &value->data_bytes;
    size_t *row_bytes = &value->row_bytes;
    uint32_t *width = &value->width;
    uint32_t *height = &value->height;
    uint32_t *channel_type = &value->channel_type;
    uint32_t *reserved = &value->reserved;
    (void)data;
    (void)data_bytes;
    (void)row_bytes;
    (void)width;
    (void)height;
    (void)channel_type;
    (void)reserved;
}

CHECK(sizeof(brickwork_image_index) == 16);
CHECK(offsetof(brickwork_image_index, layer) == 0);
CHECK(offsetof(brickwork_image_index, face) == 4);
CHECK(offsetof(brickwork_image_index, mip_level) == 8);
CHECK(offsetof(brickwork_image_index, slice) == 12);
void check_brickwork_image_index(brickwork_image_index *value);
void check_brickwork_image_index(brickwork_image_index *value)
{
    uint32_t *layer = &value->layer;
    uint32_t *face = &value->face;
    uint32_t *mip_level = &value->mip_level;
    uint32_t *slice = &value->slice;
    (void)layer;
    (void)face;
    (void)mip_level;
    (void)slice;
}

CHECK(sizeof(brickwork_write_config) == 12);
CHECK(offsetof(brickwork_write_config, struct_size) == 0);
CHECK(offsetof(brickwork_write_config, dds_header) == 4);
CHECK(offsetof(brickwork_write_config, zstd_level) == 8);
void check_brickwork_write_config(brickwork_write_config *value);
void check_brickwork_write_config(brickwork_write_config *value)
{
    uint32_t *struct_size = &value->struct_size;
    uint32_t *dds_header = &value->dds_header;
    uint32_t *zstd_level = &value->zstd_level;
    (void)struct_size;
    (void)dds_header;
    (void)zstd_level;
}

CHECK(sizeof(brickwork_task_config) == 24);
CHECK(offsetof(brickwork_task_config, struct_size) == 0);
CHECK(offsetof(brickwork_task_config, threads) == 4);
CHECK(offsetof(brickwork_task_config, on_progress) == 8);
CHECK(offsetof(brickwork_task_config, user) == 16);
void check_brickwork_task_config(brickwork_task_config *value);
void check_brickwork_task_config(brickwork_task_config *value)
{
    uint32_t *struct_size = &value->struct_size;
    uint32_t *threads = &value->threads;
    brickwork_progress_fn *on_progress = &value->on_progress;
    void **user = &value->user;
    (void)struct_size;
    (void)threads;
    (void)on_progress;
    (void)user;
}

CHECK(sizeof(brickwork_texture_desc) == 80);
CHECK(offsetof(brickwork_texture_desc, struct_size) == 0);
CHECK(offsetof(brickwork_texture_desc, format) == 4);
CHECK(offsetof(brickwork_texture_desc, kind) == 8);
CHECK(offsetof(brickwork_texture_desc, width) == 12);
CHECK(offsetof(brickwork_texture_desc, height) == 16);
CHECK(offsetof(brickwork_texture_desc, depth) == 20);
CHECK(offsetof(brickwork_texture_desc, layers) == 24);
CHECK(offsetof(brickwork_texture_desc, faces) == 28);
CHECK(offsetof(brickwork_texture_desc, mip_levels) == 32);
CHECK(offsetof(brickwork_texture_desc, color_space) == 36);
CHECK(offsetof(brickwork_texture_desc, alpha_mode) == 40);
CHECK(offsetof(brickwork_texture_desc, block_bytes) == 44);
CHECK(offsetof(brickwork_texture_desc, data_bytes) == 48);
CHECK(offsetof(brickwork_texture_desc, block_width) == 56);
CHECK(offsetof(brickwork_texture_desc, block_height) == 60);
CHECK(offsetof(brickwork_texture_desc, vulkan_format) == 64);
CHECK(offsetof(brickwork_texture_desc, dxgi_format) == 68);
CHECK(offsetof(brickwork_texture_desc, metal_format) == 72);
CHECK(offsetof(brickwork_texture_desc, swizzle) == 76);
void check_brickwork_texture_desc(brickwork_texture_desc *value);
void check_brickwork_texture_desc(brickwork_texture_desc *value)
{
    uint32_t *struct_size = &value->struct_size;
    uint32_t *format = &value->format;
    uint32_t *kind = &value->kind;
    uint32_t *width = &value->width;
    uint32_t *height = &value->height;
    uint32_t *depth = &value->depth;
    uint32_t *layers = &value->layers;
    uint32_t *faces = &value->faces;
    uint32_t *mip_levels = &value->mip_levels;
    uint32_t *color_space = &value->color_space;
    uint32_t *alpha_mode = &value->alpha_mode;
    uint32_t *block_bytes = &value->block_bytes;
    uint64_t *data_bytes = &value->data_bytes;
    uint32_t *block_width = &value->block_width;
    uint32_t *block_height = &value->block_height;
    uint32_t *vulkan_format = &value->vulkan_format;
    uint32_t *dxgi_format = &value->dxgi_format;
    uint32_t *metal_format = &value->metal_format;
    uint32_t *swizzle = &value->swizzle;
    (void)struct_size;
    (void)format;
    (void)kind;
    (void)width;
    (void)height;
    (void)depth;
    (void)layers;
    (void)faces;
    (void)mip_levels;
    (void)color_space;
    (void)alpha_mode;
    (void)block_bytes;
    (void)data_bytes;
    (void)block_width;
    (void)block_height;
    (void)vulkan_format;
    (void)dxgi_format;
    (void)metal_format;
    (void)swizzle;
}

#ifdef __cplusplus
extern "C" {
#endif

size_t brickwork_buffer_bytes(
    const brickwork_buffer *);
const void *brickwork_buffer_data(
    const brickwork_buffer *);
void brickwork_buffer_free(
    brickwork_buffer *);
brickwork_status brickwork_decode_blocks(
    uint32_t,
    const void *,
    size_t,
    uint32_t,
    const brickwork_image_mut *,
    const brickwork_task *);
brickwork_status brickwork_texture_decode(
    const brickwork_texture *,
    const brickwork_image_index *,
    uint32_t,
    const brickwork_image_mut *,
    const brickwork_task *);
void brickwork_device_free(
    brickwork_device *);
const char *brickwork_device_name(
    const brickwork_device *);
brickwork_status brickwork_device_open(
    const char *,
    brickwork_device **);
brickwork_status brickwork_encode(
    const brickwork_options *,
    const brickwork_image *,
    size_t,
    const brickwork_device *,
    const brickwork_task *,
    brickwork_texture **);
brickwork_status brickwork_encode_blocks(
    const brickwork_options *,
    const brickwork_image *,
    void *,
    size_t,
    const brickwork_device *,
    const brickwork_task *);
brickwork_status brickwork_encode_file(
    const brickwork_options *,
    const char *,
    uint64_t,
    const brickwork_device *,
    const brickwork_task *,
    brickwork_texture **);
brickwork_status brickwork_encode_files(
    const brickwork_options *,
    const char *const *,
    size_t,
    uint64_t,
    const brickwork_device *,
    const brickwork_task *,
    brickwork_texture **);
brickwork_status brickwork_format_from_name(
    const char *,
    uint32_t *);
const char *brickwork_format_name(
    uint32_t);
brickwork_status brickwork_image_bytes(
    uint32_t,
    uint32_t,
    uint32_t,
    uint64_t *);
brickwork_status brickwork_encode_size(
    const brickwork_options *,
    uint32_t,
    uint32_t,
    size_t,
    uint64_t *,
    uint64_t *);
size_t brickwork_option_count(
    void);
const char *brickwork_option_help(
    size_t);
const char *brickwork_option_name(
    size_t);
const char *brickwork_option_values(
    size_t);
brickwork_status brickwork_options_create(
    brickwork_options **);
void brickwork_options_free(
    brickwork_options *);
brickwork_status brickwork_options_set(
    brickwork_options *,
    const char *,
    const char *);
const char *brickwork_last_error(
    void);
const char *brickwork_status_text(
    brickwork_status);
void brickwork_task_cancel(
    brickwork_task *);
brickwork_status brickwork_task_config_init(
    brickwork_task_config *,
    size_t);
brickwork_status brickwork_task_create(
    const brickwork_task_config *,
    brickwork_task **);
void brickwork_task_free(
    brickwork_task *);
brickwork_status brickwork_texture_create(
    const brickwork_texture_desc *,
    const void *,
    size_t,
    brickwork_texture **);
void brickwork_texture_free(
    brickwork_texture *);
brickwork_status brickwork_texture_get_blocks(
    const brickwork_texture *,
    uint32_t,
    uint32_t,
    uint32_t,
    const void * *,
    size_t *);
brickwork_status brickwork_texture_get_data(
    const brickwork_texture *,
    const void * *,
    size_t *);
brickwork_status brickwork_texture_get_desc(
    const brickwork_texture *,
    brickwork_texture_desc *,
    size_t);
const char *brickwork_texture_note(
    const brickwork_texture *,
    size_t);
size_t brickwork_texture_note_count(
    const brickwork_texture *);
brickwork_status brickwork_texture_open(
    const char *,
    uint64_t,
    const brickwork_task *,
    brickwork_texture **);
brickwork_status brickwork_texture_read(
    const void *,
    size_t,
    uint64_t,
    const brickwork_task *,
    brickwork_texture **);
brickwork_status brickwork_texture_save(
    const brickwork_texture *,
    const char *,
    const brickwork_write_config *,
    const brickwork_task *);
brickwork_status brickwork_texture_write(
    const brickwork_texture *,
    uint32_t,
    const brickwork_write_config *,
    const brickwork_task *,
    brickwork_buffer **);
uint32_t brickwork_version(
    void);
const char *brickwork_version_text(
    void);
brickwork_status brickwork_write_config_init(
    brickwork_write_config *,
    size_t);

#ifdef __cplusplus
}
#endif

int main(void)
{
    return 0;
}
