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
CHECK(BRICKWORK_FORMAT_AUTO == 0);
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
CHECK(BRICKWORK_QUALITY_ULTRAFAST == 1);
CHECK(BRICKWORK_QUALITY_FAST == 2);
CHECK(BRICKWORK_QUALITY_NORMAL == 3);
CHECK(BRICKWORK_QUALITY_HIGH == 4);
CHECK(BRICKWORK_QUALITY_BEST == 5);
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
CHECK(BRICKWORK_MIP_FILTER_AUTO == 0);
CHECK(BRICKWORK_MIP_FILTER_BOX == 1);
CHECK(BRICKWORK_MIP_FILTER_TRIANGLE == 2);
CHECK(BRICKWORK_MIP_FILTER_KAISER == 3);
CHECK(BRICKWORK_MIP_FILTER_MITCHELL == 4);
CHECK(BRICKWORK_MIP_FILTER_CATMULL_ROM == 5);
CHECK(BRICKWORK_MIP_FILTER_LANCZOS3 == 6);
CHECK(BRICKWORK_MIP_WRAP_CLAMP == 0);
CHECK(BRICKWORK_MIP_WRAP_REPEAT == 1);
CHECK(BRICKWORK_MIP_WRAP_MIRROR == 2);
CHECK(BRICKWORK_ROUNDING_REAL == 0);
CHECK(BRICKWORK_ROUNDING_EXACT == 1);
CHECK(BRICKWORK_ROUNDING_TRUNC == 2);
CHECK(BRICKWORK_ROUNDING_NVIDIA == 3);
CHECK(BRICKWORK_ROUNDING_AMD == 4);
CHECK(BRICKWORK_ROUNDING_INTEL == 5);
CHECK(BRICKWORK_REAL_TIME_OFF == 0);
CHECK(BRICKWORK_REAL_TIME_1 == 1);
CHECK(BRICKWORK_REAL_TIME_2 == 2);
CHECK(BRICKWORK_BC6H_METRIC_AUTO == 0);
CHECK(BRICKWORK_BC6H_METRIC_PATTERN == 1);
CHECK(BRICKWORK_BC6H_METRIC_LOG == 2);
CHECK(BRICKWORK_USAGE_AUTO == 0);
CHECK(BRICKWORK_USAGE_COLOR == 1);
CHECK(BRICKWORK_USAGE_NORMALS == 2);
CHECK(BRICKWORK_USAGE_DATA == 3);
CHECK(BRICKWORK_USAGE_ONE_CHANNEL == 4);
CHECK(BRICKWORK_SOURCE_NONE == 0);
CHECK(BRICKWORK_SOURCE_RED == 1);
CHECK(BRICKWORK_SOURCE_GREEN == 2);
CHECK(BRICKWORK_SOURCE_BLUE == 3);
CHECK(BRICKWORK_SOURCE_ALPHA == 4);
CHECK(BRICKWORK_SOURCE_ZERO == 5);
CHECK(BRICKWORK_SOURCE_ONE == 6);
CHECK(BRICKWORK_POWER_OF_TWO_OFF == 0);
CHECK(BRICKWORK_POWER_OF_TWO_NEAREST == 1);
CHECK(BRICKWORK_POWER_OF_TWO_UP == 2);
CHECK(BRICKWORK_POWER_OF_TWO_DOWN == 3);
CHECK(BRICKWORK_CHANNEL_U8 == 1);
CHECK(BRICKWORK_CHANNEL_U16 == 2);
CHECK(BRICKWORK_CHANNEL_F16 == 3);
CHECK(BRICKWORK_CHANNEL_F32 == 4);
CHECK(BRICKWORK_CONTAINER_DDS == 1);
CHECK(BRICKWORK_CONTAINER_KTX2 == 2);
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

CHECK(sizeof(brickwork_encode_config) == 224);
CHECK(offsetof(brickwork_encode_config, struct_size) == 0);
CHECK(offsetof(brickwork_encode_config, format) == 4);
CHECK(offsetof(brickwork_encode_config, quality) == 8);
CHECK(offsetof(brickwork_encode_config, kind) == 12);
CHECK(offsetof(brickwork_encode_config, layers) == 16);
CHECK(offsetof(brickwork_encode_config, depth) == 20);
CHECK(offsetof(brickwork_encode_config, mip_levels) == 24);
CHECK(offsetof(brickwork_encode_config, given_mip_levels) == 28);
CHECK(offsetof(brickwork_encode_config, mip_filter) == 32);
CHECK(offsetof(brickwork_encode_config, mip_wrap_x) == 36);
CHECK(offsetof(brickwork_encode_config, mip_wrap_y) == 40);
CHECK(offsetof(brickwork_encode_config, color_space) == 44);
CHECK(offsetof(brickwork_encode_config, alpha_mode) == 48);
CHECK(offsetof(brickwork_encode_config, keep_coverage) == 52);
CHECK(offsetof(brickwork_encode_config, normals) == 56);
CHECK(offsetof(brickwork_encode_config, rounding_rule) == 60);
CHECK(offsetof(brickwork_encode_config, weight_red) == 64);
CHECK(offsetof(brickwork_encode_config, weight_green) == 68);
CHECK(offsetof(brickwork_encode_config, weight_blue) == 72);
CHECK(offsetof(brickwork_encode_config, weigh_by_alpha) == 76);
CHECK(offsetof(brickwork_encode_config, rdo_lambda) == 80);
CHECK(offsetof(brickwork_encode_config, bc1_alpha_threshold) == 84);
CHECK(offsetof(brickwork_encode_config, bc1_three_color) == 88);
CHECK(offsetof(brickwork_encode_config, bc6h_metric) == 92);
CHECK(offsetof(brickwork_encode_config, bc7_real_time) == 96);
CHECK(offsetof(brickwork_encode_config, alpha_is_data) == 100);
CHECK(offsetof(brickwork_encode_config, dither) == 104);
CHECK(offsetof(brickwork_encode_config, bc1_transparent_black) == 108);
CHECK(offsetof(brickwork_encode_config, bc7_modes) == 112);
CHECK(offsetof(brickwork_encode_config, usage) == 116);
CHECK(offsetof(brickwork_encode_config, swizzle_red) == 120);
CHECK(offsetof(brickwork_encode_config, swizzle_green) == 124);
CHECK(offsetof(brickwork_encode_config, swizzle_blue) == 128);
CHECK(offsetof(brickwork_encode_config, swizzle_alpha) == 132);
CHECK(offsetof(brickwork_encode_config, pack_red) == 136);
CHECK(offsetof(brickwork_encode_config, pack_green) == 140);
CHECK(offsetof(brickwork_encode_config, pack_blue) == 144);
CHECK(offsetof(brickwork_encode_config, pack_alpha) == 148);
CHECK(offsetof(brickwork_encode_config, assign_oetf) == 152);
CHECK(offsetof(brickwork_encode_config, assign_gamma) == 156);
CHECK(offsetof(brickwork_encode_config, convert_oetf) == 160);
CHECK(offsetof(brickwork_encode_config, premultiply) == 164);
CHECK(offsetof(brickwork_encode_config, resize_width) == 168);
CHECK(offsetof(brickwork_encode_config, resize_height) == 172);
CHECK(offsetof(brickwork_encode_config, resize_percent) == 176);
CHECK(offsetof(brickwork_encode_config, max_size) == 180);
CHECK(offsetof(brickwork_encode_config, power_of_two) == 184);
CHECK(offsetof(brickwork_encode_config, multiple_of_4) == 188);
CHECK(offsetof(brickwork_encode_config, normal_flip_y) == 192);
CHECK(offsetof(brickwork_encode_config, from_height) == 196);
CHECK(offsetof(brickwork_encode_config, roughness_from_normals) == 200);
CHECK(offsetof(brickwork_encode_config, roughness_channel) == 204);
CHECK(offsetof(brickwork_encode_config, max_value) == 208);
CHECK(offsetof(brickwork_encode_config, target_psnr) == 212);
CHECK(offsetof(brickwork_encode_config, target_percent) == 216);
CHECK(offsetof(brickwork_encode_config, target_bytes) == 220);
void check_brickwork_encode_config(brickwork_encode_config *value);
void check_brickwork_encode_config(brickwork_encode_config *value)
{
    uint32_t *struct_size = &value->struct_size;
    uint32_t *format = &value->format;
    uint32_t *quality = &value->quality;
    uint32_t *kind = &value->kind;
    uint32_t *layers = &value->layers;
    uint32_t *depth = &value->depth;
    uint32_t *mip_levels = &value->mip_levels;
    uint32_t *given_mip_levels = &value->given_mip_levels;
    uint32_t *mip_filter = &value->mip_filter;
    uint32_t *mip_wrap_x = &value->mip_wrap_x;
    uint32_t *mip_wrap_y = &value->mip_wrap_y;
    uint32_t *color_space = &value->color_space;
    uint32_t *alpha_mode = &value->alpha_mode;
    uint32_t *keep_coverage = &value->keep_coverage;
    uint32_t *normals = &value->normals;
    uint32_t *rounding_rule = &value->rounding_rule;
    uint32_t *weight_red = &value->weight_red;
    uint32_t *weight_green = &value->weight_green;
    uint32_t *weight_blue = &value->weight_blue;
    uint32_t *weigh_by_alpha = &value->weigh_by_alpha;
    float *rdo_lambda = &value->rdo_lambda;
    uint32_t *bc1_alpha_threshold = &value->bc1_alpha_threshold;
    uint32_t *bc1_three_color = &value->bc1_three_color;
    uint32_t *bc6h_metric = &value->bc6h_metric;
    uint32_t *bc7_real_time = &value->bc7_real_time;
    uint32_t *alpha_is_data = &value->alpha_is_data;
    uint32_t *dither = &value->dither;
    uint32_t *bc1_transparent_black = &value->bc1_transparent_black;
    uint32_t *bc7_modes = &value->bc7_modes;
    uint32_t *usage = &value->usage;
    uint32_t *swizzle_red = &value->swizzle_red;
    uint32_t *swizzle_green = &value->swizzle_green;
    uint32_t *swizzle_blue = &value->swizzle_blue;
    uint32_t *swizzle_alpha = &value->swizzle_alpha;
    uint32_t *pack_red = &value->pack_red;
    uint32_t *pack_green = &value->pack_green;
    uint32_t *pack_blue = &value->pack_blue;
    uint32_t *pack_alpha = &value->pack_alpha;
    uint32_t *assign_oetf = &value->assign_oetf;
    float *assign_gamma = &value->assign_gamma;
    uint32_t *convert_oetf = &value->convert_oetf;
    uint32_t *premultiply = &value->premultiply;
    uint32_t *resize_width = &value->resize_width;
    uint32_t *resize_height = &value->resize_height;
    float *resize_percent = &value->resize_percent;
    uint32_t *max_size = &value->max_size;
    uint32_t *power_of_two = &value->power_of_two;
    uint32_t *multiple_of_4 = &value->multiple_of_4;
    uint32_t *normal_flip_y = &value->normal_flip_y;
    float *from_height = &value->from_height;
    uint32_t *roughness_from_normals = &value->roughness_from_normals;
    uint32_t *roughness_channel = &value->roughness_channel;
    float *max_value = &value->max_value;
    float *target_psnr = &value->target_psnr;
    float *target_percent = &value->target_percent;
    uint32_t *target_bytes = &value->target_bytes;
    (void)struct_size;
    (void)format;
    (void)quality;
    (void)kind;
    (void)layers;
    (void)depth;
    (void)mip_levels;
    (void)given_mip_levels;
    (void)mip_filter;
    (void)mip_wrap_x;
    (void)mip_wrap_y;
    (void)color_space;
    (void)alpha_mode;
    (void)keep_coverage;
    (void)normals;
    (void)rounding_rule;
    (void)weight_red;
    (void)weight_green;
    (void)weight_blue;
    (void)weigh_by_alpha;
    (void)rdo_lambda;
    (void)bc1_alpha_threshold;
    (void)bc1_three_color;
    (void)bc6h_metric;
    (void)bc7_real_time;
    (void)alpha_is_data;
    (void)dither;
    (void)bc1_transparent_black;
    (void)bc7_modes;
    (void)usage;
    (void)swizzle_red;
    (void)swizzle_green;
    (void)swizzle_blue;
    (void)swizzle_alpha;
    (void)pack_red;
    (void)pack_green;
    (void)pack_blue;
    (void)pack_alpha;
    (void)assign_oetf;
    (void)assign_gamma;
    (void)convert_oetf;
    (void)premultiply;
    (void)resize_width;
    (void)resize_height;
    (void)resize_percent;
    (void)max_size;
    (void)power_of_two;
    (void)multiple_of_4;
    (void)normal_flip_y;
    (void)from_height;
    (void)roughness_from_normals;
    (void)roughness_channel;
    (void)max_value;
    (void)target_psnr;
    (void)target_percent;
    (void)target_bytes;
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

CHECK(sizeof(brickwork_texture_desc) == 56);
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
brickwork_status brickwork_encode_config_init(
    brickwork_encode_config *,
    size_t);
brickwork_status brickwork_encode_size(
    const brickwork_encode_config *,
    uint32_t,
    uint32_t,
    uint64_t *,
    uint64_t *);
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
    const brickwork_encode_config *,
    const brickwork_image *,
    size_t,
    const brickwork_device *,
    const brickwork_task *,
    brickwork_texture **);
brickwork_status brickwork_encode_blocks(
    const brickwork_encode_config *,
    const brickwork_image *,
    void *,
    size_t,
    const brickwork_device *,
    const brickwork_task *);
brickwork_status brickwork_encode_file(
    const brickwork_encode_config *,
    const char *,
    uint64_t,
    const brickwork_device *,
    const brickwork_task *,
    brickwork_texture **);
brickwork_status brickwork_encode_files(
    const brickwork_encode_config *,
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
