/* Brickwork: textures in block formats (BC1 to BC7) and plain formats from texels, and back; DDS and KTX2.

   docs/c.md is the guide: building, linking, examples. These rules hold for every function:

   - A function that can fail returns a brickwork_status. BRICKWORK_OK is 0. For any other status,
     brickwork_last_error returns a text. Bad arguments and bad files do not end the process.
   - A handle (brickwork_texture, brickwork_task, brickwork_device, brickwork_buffer) is created by a function
     with a parameter of type `handle **`, and ended by its `_free` function. If its creation fails, it is set
     to NULL. All `_free` functions ignore NULL.
   - Pointers that the library returns (blocks, names, notes) belong to the handle from which they come, and
     are valid until it is ended. Texts end with 0 and are UTF-8.
   - Paths are UTF-8 on Windows, and bytes as the system takes them elsewhere.
   - The library keeps no pointer that it receives, except those of brickwork_task_config.
   - Functions may be called on any thread. Several calls may use the same handle at the same time, except
     that nothing may use a handle while or after it is ended.
   - Memory that the library writes must not overlap memory that it reads.
   - A struct that starts with struct_size is set by its `_init` function, with sizeof of the struct.
     The library refuses the struct of another version's header.

   Licence: MIT or Apache-2.0, at your option. */

#ifndef BRICKWORK_H
#define BRICKWORK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this header. Until 1.0.0, a new minor version may change the interface. */
#define BRICKWORK_VERSION_MAJOR 0
#define BRICKWORK_VERSION_MINOR 1
#define BRICKWORK_VERSION_PATCH 0
#define BRICKWORK_VERSION \
    ((BRICKWORK_VERSION_MAJOR << 16) | (BRICKWORK_VERSION_MINOR << 8) | BRICKWORK_VERSION_PATCH)

/* Returns the library's version, in the form of BRICKWORK_VERSION. */
uint32_t brickwork_version(void);

/* Returns the library's version as text, such as "0.1.0". */
const char *brickwork_version_text(void);

/* ---- Status ------------------------------------------------------------------------------------------- */

/* Result of a function. */
typedef int32_t brickwork_status;
enum {
    BRICKWORK_OK = 0,
    /* An argument is impossible: change the call. */
    BRICKWORK_ERROR_ARGUMENT = 1,
    /* A file breaks its format's rules or ends too soon. */
    BRICKWORK_ERROR_INVALID = 2,
    /* A file is valid but not supported, or a container cannot represent the texture. */
    BRICKWORK_ERROR_UNSUPPORTED = 3,
    /* The call needs more memory than its limit allows or the machine has. */
    BRICKWORK_ERROR_LIMIT = 4,
    /* A file could not be read or written. */
    BRICKWORK_ERROR_IO = 5,
    /* The GPU failed, or there is none. */
    BRICKWORK_ERROR_DEVICE = 6,
    /* brickwork_task_cancel was called. */
    BRICKWORK_ERROR_CANCELLED = 7,
    /* A fault of the library. Handles stay usable. */
    BRICKWORK_ERROR_INTERNAL = 8
};

/* Returns the text of the last error on the calling thread; empty if there was none. It is valid until the
   next error on this thread. */
const char *brickwork_last_error(void);

/* Returns a short text for a status, such as "invalid file". It is always valid. */
const char *brickwork_status_text(brickwork_status status);

/* ---- Formats and options ------------------------------------------------------------------------------ */

/* Block format, the storage of 4x4 texels in 8 or 16 bytes, or plain format, that of one texel. */
typedef uint32_t brickwork_format;
enum {
    /* The block format that suits the images. Only for brickwork_encode, _encode_file and _encode_files. */
    BRICKWORK_FORMAT_AUTO = 0,
    /* RGB with optional 1-bit alpha, 8 bytes. */
    BRICKWORK_FORMAT_BC1 = 1,
    /* RGB with explicit 4-bit alpha, 16 bytes. */
    BRICKWORK_FORMAT_BC2 = 2,
    /* RGB with interpolated alpha, 16 bytes. */
    BRICKWORK_FORMAT_BC3 = 3,
    /* One channel in 0..1, 8 bytes; signed: in -1..1. */
    BRICKWORK_FORMAT_BC4 = 4,
    BRICKWORK_FORMAT_BC4S = 5,
    /* Two channels in 0..1, 16 bytes; signed: in -1..1. */
    BRICKWORK_FORMAT_BC5 = 6,
    BRICKWORK_FORMAT_BC5S = 7,
    /* RGB half floats, unsigned or signed, 16 bytes. */
    BRICKWORK_FORMAT_BC6H = 8,
    BRICKWORK_FORMAT_BC6HS = 9,
    /* RGB with optional alpha, 16 bytes. */
    BRICKWORK_FORMAT_BC7 = 10,
    /* Plain formats: channels and their bits, the lower byte first. They store 0..1, and -1..1 with S. The
       CPU encodes them. */
    BRICKWORK_FORMAT_R8 = 11,
    BRICKWORK_FORMAT_R8S = 12,
    BRICKWORK_FORMAT_RG8 = 13,
    BRICKWORK_FORMAT_RG8S = 14,
    BRICKWORK_FORMAT_RGBA8 = 15,
    BRICKWORK_FORMAT_RGBA8S = 16,
    BRICKWORK_FORMAT_BGRA8 = 17,
    BRICKWORK_FORMAT_R16 = 18,
    BRICKWORK_FORMAT_R16S = 19,
    BRICKWORK_FORMAT_RG16 = 20,
    BRICKWORK_FORMAT_RG16S = 21,
    BRICKWORK_FORMAT_RGBA16 = 22,
    BRICKWORK_FORMAT_RGBA16S = 23,
    /* Half floats and single floats. */
    BRICKWORK_FORMAT_R16F = 24,
    BRICKWORK_FORMAT_RG16F = 25,
    BRICKWORK_FORMAT_RGBA16F = 26,
    BRICKWORK_FORMAT_R32F = 27,
    BRICKWORK_FORMAT_RG32F = 28,
    BRICKWORK_FORMAT_RGBA32F = 29,
    /* Three floats of at least 0 in 4 bytes: of 9 bits with a shared exponent, or of 11, 11 and 10 bits. */
    BRICKWORK_FORMAT_RGB9E5 = 30,
    BRICKWORK_FORMAT_RG11B10F = 31
};

/* Trade-off between time and quality. A higher quality never gives a larger error. */
typedef uint32_t brickwork_quality;
enum {
    BRICKWORK_QUALITY_ULTRAFAST = 1,
    BRICKWORK_QUALITY_FAST = 2,
    BRICKWORK_QUALITY_NORMAL = 3,
    BRICKWORK_QUALITY_HIGH = 4,
    BRICKWORK_QUALITY_BEST = 5
};

/* Shape of a texture. */
typedef uint32_t brickwork_kind;
enum {
    /* One image, or an array of images if there are several layers. */
    BRICKWORK_KIND_2D = 1,
    /* Six square faces per layer, in the order +X, -X, +Y, -Y, +Z, -Z. */
    BRICKWORK_KIND_CUBE = 2,
    /* Slices, whose number is halved at each mip level. */
    BRICKWORK_KIND_3D = 3
};

/* Colour space of the stored numbers. Automatic: linear for normals; that of the file; for texels in memory,
   sRGB if they have 8 bits and the format has sRGB, else linear. */
typedef uint32_t brickwork_color_space;
enum {
    BRICKWORK_COLOR_SPACE_AUTO = 0,
    BRICKWORK_COLOR_SPACE_SRGB = 1,
    BRICKWORK_COLOR_SPACE_LINEAR = 2
};

/* Interpretation of alpha. Automatic: that of the file; for texels in memory, straight if texels and format
   have alpha, else opaque. */
typedef uint32_t brickwork_alpha_mode;
enum {
    BRICKWORK_ALPHA_AUTO = 0,
    BRICKWORK_ALPHA_OPAQUE = 1,
    BRICKWORK_ALPHA_STRAIGHT = 2,
    BRICKWORK_ALPHA_PREMULTIPLIED = 3
};

/* Filter of mip levels. Automatic: Kaiser for 2D textures from quality normal on, else box; box for BC6H,
   real time, cubes and 3D textures. */
typedef uint32_t brickwork_mip_filter;
enum {
    BRICKWORK_MIP_FILTER_AUTO = 0,
    BRICKWORK_MIP_FILTER_BOX = 1,
    BRICKWORK_MIP_FILTER_TRIANGLE = 2,
    BRICKWORK_MIP_FILTER_KAISER = 3,
    BRICKWORK_MIP_FILTER_MITCHELL = 4,
    BRICKWORK_MIP_FILTER_CATMULL_ROM = 5,
    BRICKWORK_MIP_FILTER_LANCZOS3 = 6
};

/* Texels past an edge, as the filter of mip levels reads them. */
typedef uint32_t brickwork_mip_wrap;
enum {
    BRICKWORK_MIP_WRAP_CLAMP = 0,
    BRICKWORK_MIP_WRAP_REPEAT = 1,
    BRICKWORK_MIP_WRAP_MIRROR = 2
};

/* Rule by which a decoder rounds. Real: as Direct3D and Khronos define values. */
typedef uint32_t brickwork_rounding_rule;
enum {
    BRICKWORK_ROUNDING_REAL = 0,
    BRICKWORK_ROUNDING_EXACT = 1,
    BRICKWORK_ROUNDING_TRUNC = 2,
    BRICKWORK_ROUNDING_NVIDIA = 3,
    BRICKWORK_ROUNDING_AMD = 4,
    BRICKWORK_ROUNDING_INTEL = 5
};

/* Levels of BC7 in real time: mode 6 only. */
typedef uint32_t brickwork_real_time;
enum {
    BRICKWORK_REAL_TIME_OFF = 0,
    BRICKWORK_REAL_TIME_1 = 1,
    BRICKWORK_REAL_TIME_2 = 2
};

/* Error that the encoder of BC6H minimises. Automatic: pattern if unsigned, log if signed. */
typedef uint32_t brickwork_bc6h_metric;
enum {
    BRICKWORK_BC6H_METRIC_AUTO = 0,
    BRICKWORK_BC6H_METRIC_PATTERN = 1,
    BRICKWORK_BC6H_METRIC_LOG = 2
};

/* Content of images. Automatic: colours, or what follows from other options. */
typedef uint32_t brickwork_usage;
enum {
    BRICKWORK_USAGE_AUTO = 0,
    BRICKWORK_USAGE_COLOR = 1,
    /* Normal maps, for BC5, BC7 and plain formats of 8 bits. They are linear, and their mip levels have
       vectors of length 1. If all texels have the same blue, z is computed from x and y. */
    BRICKWORK_USAGE_NORMALS = 2,
    /* Numbers, such as packed masks: linear, with alpha as a channel like the others. Those of files are
       kept, even if they are multiplied by alpha. */
    BRICKWORK_USAGE_DATA = 3,
    /* One channel, red: BC4 if the format is automatic. */
    BRICKWORK_USAGE_ONE_CHANNEL = 4
};

/* Source of a channel: a channel of an image, 0 or 1. None: the option is off. */
typedef uint32_t brickwork_source;
enum {
    BRICKWORK_SOURCE_NONE = 0,
    BRICKWORK_SOURCE_RED = 1,
    BRICKWORK_SOURCE_GREEN = 2,
    BRICKWORK_SOURCE_BLUE = 3,
    BRICKWORK_SOURCE_ALPHA = 4,
    BRICKWORK_SOURCE_ZERO = 5,
    BRICKWORK_SOURCE_ONE = 6
};

/* Rounding of sides to powers of two. */
typedef uint32_t brickwork_power_of_two;
enum {
    BRICKWORK_POWER_OF_TWO_OFF = 0,
    BRICKWORK_POWER_OF_TWO_NEAREST = 1,
    BRICKWORK_POWER_OF_TWO_UP = 2,
    BRICKWORK_POWER_OF_TWO_DOWN = 3
};

/* Type of a channel. Integers mean 0 to 1. Channels have the machine's byte order. */
typedef uint32_t brickwork_channel_type;
enum {
    BRICKWORK_CHANNEL_U8 = 1,
    BRICKWORK_CHANNEL_U16 = 2,
    /* Half floats (IEEE 754, 16 bits). */
    BRICKWORK_CHANNEL_F16 = 3,
    BRICKWORK_CHANNEL_F32 = 4
};

/* File format of textures. */
typedef uint32_t brickwork_container;
enum {
    BRICKWORK_CONTAINER_DDS = 1,
    BRICKWORK_CONTAINER_KTX2 = 2
};

/* Header of DDS files. Automatic: legacy if a reader gets the same texture back from it, else DX10. */
typedef uint32_t brickwork_dds_header;
enum {
    BRICKWORK_DDS_HEADER_AUTO = 0,
    BRICKWORK_DDS_HEADER_LEGACY = 1,
    BRICKWORK_DDS_HEADER_DX10 = 2
};

/* Stage of a call. A call may have several, and stages of later versions may have other numbers. */
typedef uint32_t brickwork_stage;
enum {
    BRICKWORK_STAGE_READING = 1,
    BRICKWORK_STAGE_ENCODING = 2,
    BRICKWORK_STAGE_DECODING = 3,
    BRICKWORK_STAGE_WRITING = 4,
    /* Mip levels are filtered. */
    BRICKWORK_STAGE_PREPARING = 5,
    /* The error is measured, for a target. */
    BRICKWORK_STAGE_COMPARING = 6
};

/* Returns the short name of a format, such as "bc7"; NULL for a number that is no format. */
const char *brickwork_format_name(brickwork_format format);

/* Finds a format by its short name, or its name of DXGI or Vulkan, ignoring case. */
brickwork_status brickwork_format_from_name(const char *name, brickwork_format *format);

/* Returns the size in bytes of the blocks or plain texels of an image of width x height texels; UINT64_MAX if
   the number does not fit. */
brickwork_status brickwork_image_bytes(brickwork_format format, uint32_t width, uint32_t height,
                                       uint64_t *image_bytes);

/* ---- Images ------------------------------------------------------------------------------------------- */

/* Texels that an encoder reads: rows from top to bottom, texels from left to right. This struct never
   changes. */
typedef struct brickwork_image {
    /* First texel, aligned to the size of a channel. */
    const void *data;
    /* Bytes at `data`. The last row need not be padded. */
    size_t data_bytes;
    /* Bytes from the start of a row to the start of the next, a multiple of the texel's; 0 means no gaps. */
    size_t row_bytes;
    uint32_t width;
    uint32_t height;
    brickwork_channel_type channel_type;
    /* 1 (grey), 2 (red, green), 3 (RGB) or 4 (RGBA). */
    uint32_t channel_count;
} brickwork_image;

/* RGBA texels that a decoder writes; fields as above. This struct never changes. */
typedef struct brickwork_image_mut {
    void *data;
    size_t data_bytes;
    size_t row_bytes;
    uint32_t width;
    uint32_t height;
    brickwork_channel_type channel_type;
    /* 0. */
    uint32_t reserved;
} brickwork_image_mut;

/* Index of an image in a texture. This struct never changes. */
typedef struct brickwork_image_index {
    uint32_t layer;
    uint32_t face;
    uint32_t mip_level;
    uint32_t slice;
} brickwork_image_index;

/* ---- Tasks: progress, cancellation, threads ----------------------------------------------------------- */

/* Connects a call to the caller. Every long call takes one, or NULL. Several calls may share it. If its
   `threads` is 2 or more, they run one after another. */
typedef struct brickwork_task brickwork_task;

/* Reports progress: `done` of `total` units of a stage; 0 if the total is unknown. Calls come from any
   thread; those of a task never overlap. It may call no function of the library except
   brickwork_task_cancel. It must return: an exception ends the process; longjmp is undefined behaviour. */
typedef void (*brickwork_progress_fn)(void *user, brickwork_stage stage, uint64_t done, uint64_t total);

typedef struct brickwork_task_config {
    uint32_t struct_size;
    /* 0: a thread per CPU core, shared by all tasks of the process. 1: only the calling thread, which needs a
       stack of 2 MiB. Other numbers: threads of the task. Results do not depend on it. Default: 0. */
    uint32_t threads;
    /* Called with `user` as its first argument; may be NULL. Default: NULL. */
    brickwork_progress_fn on_progress;
    void *user;
} brickwork_task_config;

/* Sets the defaults. struct_size is sizeof(brickwork_task_config). */
brickwork_status brickwork_task_config_init(brickwork_task_config *config, size_t struct_size);

/* Creates a task. If `config` is NULL, it has the defaults. */
brickwork_status brickwork_task_create(const brickwork_task_config *config, brickwork_task **task);

/* Cancels all calls with this task, running and future ones: they return BRICKWORK_ERROR_CANCELLED. May be
   called on any thread, in the callback, and in a signal handler. NULL is ignored. */
void brickwork_task_cancel(brickwork_task *task);

/* Ends a task that no call uses. */
void brickwork_task_free(brickwork_task *task);

/* ---- Devices ------------------------------------------------------------------------------------------ */

/* Device that encodes. The blocks are the same on every device. Calls with a GPU wait for each other. */
typedef struct brickwork_device brickwork_device;

/* Opens a device. `choice` is "auto" or NULL (a hardware GPU if there is one and it saves time, else the
   CPU), "cpu", "gpu" (the best GPU), or the number or part of the name of a GPU. */
brickwork_status brickwork_device_open(const char *choice, brickwork_device **device);

/* Returns the device's name. For "auto", this opens the GPU. NULL means the CPU. */
const char *brickwork_device_name(const brickwork_device *device);

/* Ends a device that no call uses. Compiled kernels are kept in the user's cache folder. */
void brickwork_device_free(brickwork_device *device);

/* ---- Encoding ----------------------------------------------------------------------------------------- */

/* A texture: blocks or plain texels of all layers, faces and mip levels, with their description. It never
   changes. */
typedef struct brickwork_texture brickwork_texture;

/* Options of an encoder. The comments state the defaults. */
typedef struct brickwork_encode_config {
    uint32_t struct_size;
    /* BC1. */
    brickwork_format format;
    /* Normal. */
    brickwork_quality quality;
    /* 2D. */
    brickwork_kind kind;
    /* Array layers, 1. A cube counts as one. */
    uint32_t layers;
    /* Slices of a 3D texture, 1. */
    uint32_t depth;
    /* Mip levels, including the largest; 0 means all down to 1x1. With options that change images, at most
       these. 1. */
    uint32_t mip_levels;
    /* Mip levels among the images, including the largest. The others are made. 1. */
    uint32_t given_mip_levels;
    /* Automatic. */
    brickwork_mip_filter mip_filter;
    /* Past the left and right edges, and past the upper and lower ones. Clamp. */
    brickwork_mip_wrap mip_wrap_x;
    brickwork_mip_wrap mip_wrap_y;
    /* Automatic. Options that change images need an automatic alpha mode: straight, and premultiplied by
       `premultiply`. */
    brickwork_color_space color_space;
    brickwork_alpha_mode alpha_mode;
    /* Minimum alpha of visible texels, 1 to 255, whose share mip levels keep; 0 means off. 0. */
    uint32_t keep_coverage;
    /* 1 if images are normal maps, whose mip levels have vectors of length 1. 0. */
    uint32_t normals;
    /* Rule of the decoder for which errors are measured. Real. */
    brickwork_rounding_rule rounding_rule;
    /* Weights of squared errors, at least 1 each, with a sum of at most 256. 1, 1, 1. */
    uint32_t weight_red;
    uint32_t weight_green;
    uint32_t weight_blue;
    /* 1 if errors of colours of BC2 and BC3 are weighted by alpha. 0. */
    uint32_t weigh_by_alpha;
    /* Rate-distortion optimisation of BC1, BC3, BC4, BC5 and BC7: the squared error that one saved bit may
       cost, 0 to 100. 0, which is off. */
    float rdo_lambda;
    /* BC1: alpha below which texels become transparent, 0 to 255; 0 makes all opaque. 128. */
    uint32_t bc1_alpha_threshold;
    /* BC1: 1 if opaque blocks may have the three-colour mode. 1. */
    uint32_t bc1_three_color;
    /* Automatic. GPUs encode with the automatic one only. */
    brickwork_bc6h_metric bc6h_metric;
    /* BC7: off. */
    brickwork_real_time bc7_real_time;
    /* 1 if alpha is a channel like the others: it does not weight colours of mip levels. 0. */
    uint32_t alpha_is_data;
    /* 1 if colours are dithered to the values of endpoints of BC1 to BC3, or to 8 bits for other formats than
       BC6H. brickwork_encode_blocks ignores it. 0. */
    uint32_t dither;

    /* BC1: 1 if dark texels may become transparent black, which decodes with alpha 0. 0. */
    uint32_t bc1_transparent_black;
    /* BC7: a bit for each mode from 0 to 7 that blocks may have; 0 means all. 0. */
    uint32_t bc7_modes;

    /* Options that change images before they are encoded, or between mip levels, as the program's `encode`
       has them. Texels in memory are then copied, and options that do not fit each other are errors. Single
       floats become half floats, unless the format stores single floats. Texels of 8 bits are sRGB, if the
       format has sRGB or a transfer function is stated; others are linear. */

    /* Automatic. */
    brickwork_usage usage;
    /* Sources of red, green, blue and alpha; none means the channel itself. None. */
    brickwork_source swizzle_red;
    brickwork_source swizzle_green;
    brickwork_source swizzle_blue;
    brickwork_source swizzle_alpha;
    /* Channels of other images of the same size that replace channels of the image, before the swizzle: up to
       alpha. The other images follow it, one for each channel that is packed, in the order red, green, blue,
       alpha. Numbers are moved unchanged. With colours among them, the result is data unless its usage is
       stated. None. */
    brickwork_source pack_red;
    brickwork_source pack_green;
    brickwork_source pack_blue;
    brickwork_source pack_alpha;
    /* Transfer function of the images' numbers, in place of that of the file, or a gamma: light is the number
       raised to this power, from 0.1 to 10. Numbers with a gamma are converted to sRGB, or to linear light
       for floats and formats without sRGB. Automatic; 0, which means none. */
    brickwork_color_space assign_oetf;
    float assign_gamma;
    /* Colour space to which numbers are converted; automatic keeps them. Automatic. */
    brickwork_color_space convert_oetf;
    /* 1 if colours are multiplied by alpha: light if the texture is sRGB. 0. */
    uint32_t premultiply;
    /* Width and height, or percentage; 0 keeps the size. Then the maximum of both sides, rounding to powers
       of two, and 1 for rounding to multiples of 4. 0, off. */
    uint32_t resize_width;
    uint32_t resize_height;
    float resize_percent;
    uint32_t max_size;
    brickwork_power_of_two power_of_two;
    uint32_t multiple_of_4;
    /* Normal maps: 1 if green is inverted. 0. */
    uint32_t normal_flip_y;
    /* Height of white in texels if images are heights, red or grey, of which normal maps are made; 0 means
       that they are not. 0. */
    float from_height;
    /* 1 if the spread of a normal map is added to the roughness of mip levels (Toksvig). The normal map, of
       any size, is the last image. The result is data unless its usage is stated. Then the channel of the
       roughness. 0, red. */
    uint32_t roughness_from_normals;
    brickwork_source roughness_channel;
    /* Formats of floats: magnitude to which brighter colours are clamped; 0 means none. 0. */
    float max_value;
    /* BC1, BC3, BC4, BC5, BC7: targets for which rdo_lambda is searched; 0 means none. At most one of: PSNR
       in dB, percent of the size of the blocks after Deflate without optimisation, bytes of them. 0. */
    float target_psnr;
    float target_percent;
    uint32_t target_bytes;
} brickwork_encode_config;

/* Sets the defaults. struct_size is sizeof(brickwork_encode_config). */
brickwork_status brickwork_encode_config_init(brickwork_encode_config *config, size_t struct_size);

/* Returns the size of a texture of images of width x height texels before it is encoded: the bytes of all
   blocks or plain texels, and the memory that the encoder takes, these included and copies of images not.
   UINT64_MAX if a number does not fit. Either pointer may be NULL. */
brickwork_status brickwork_encode_size(const brickwork_encode_config *config, uint32_t width, uint32_t height,
                                       uint64_t *texture_bytes, uint64_t *memory_bytes);

/* Encodes images. The first determines the size of the texture. The order is layer by layer; in a layer, face
   by face; in a face, mip level by mip level; in a mip level, slice by slice. Images of packed channels
   follow, then a normal map. If `device` is NULL, the CPU encodes. `task` may be NULL. */
brickwork_status brickwork_encode(const brickwork_encode_config *config, const brickwork_image *images,
                                  size_t image_count, const brickwork_device *device,
                                  const brickwork_task *task, brickwork_texture **texture);

/* Encodes an image file (PNG, JPEG, TGA, EXR and others) as a 2D texture. max_memory is the limit for its
   texels in bytes, with options that change images for all that is made of them, too; 0 means 4 GiB. Integers
   with another tone curve or other primaries than those of sRGB, by gAMA, cHRM or cICP chunks or an ICC
   profile, are converted to sRGB; PQ and HLG to linear light, or to sRGB if the format has it. Numbers stay
   with alpha_is_data, normals or a color_space, and for formats of integers without sRGB. */
brickwork_status brickwork_encode_file(const brickwork_encode_config *config, const char *path,
                                       uint64_t max_memory, const brickwork_device *device,
                                       const brickwork_task *task, brickwork_texture **texture);

/* Encodes image files to a texture of any kind. They are in the order of the images of brickwork_encode:
   those of the texture, those of packed channels, a normal map. max_memory is the limit in bytes for all of
   them together and what is made of them; 0 means 4 GiB. The alpha mode of `config` is automatic. */
brickwork_status brickwork_encode_files(const brickwork_encode_config *config, const char *const *paths,
                                        size_t path_count, uint64_t max_memory,
                                        const brickwork_device *device, const brickwork_task *task,
                                        brickwork_texture **texture);

/* Encodes one image to `blocks`, row by row. blocks_bytes is brickwork_image_bytes. Mip levels, shape, colour
   space and alpha mode of `config` are not used; options that change images are errors. After an error, the
   contents of `blocks` are unspecified. */
brickwork_status brickwork_encode_blocks(const brickwork_encode_config *config, const brickwork_image *image,
                                         void *blocks, size_t blocks_bytes, const brickwork_device *device,
                                         const brickwork_task *task);

/* ---- Textures and their files ------------------------------------------------------------------------- */

/* Properties of a texture. */
typedef struct brickwork_texture_desc {
    uint32_t struct_size;
    brickwork_format format;
    brickwork_kind kind;
    /* Size of mip level 0. depth is 1 unless the texture is 3D. */
    uint32_t width;
    uint32_t height;
    uint32_t depth;
    uint32_t layers;
    /* 6 for cubes, else 1. */
    uint32_t faces;
    uint32_t mip_levels;
    brickwork_color_space color_space;
    brickwork_alpha_mode alpha_mode;
    /* Bytes of a block, 8 or 16, or of a plain texel, 1 to 16. */
    uint32_t block_bytes;
    /* Bytes of all blocks or plain texels. */
    uint64_t data_bytes;
} brickwork_texture_desc;

/* Options of a writer. */
typedef struct brickwork_write_config {
    uint32_t struct_size;
    /* DDS: automatic. */
    brickwork_dds_header dds_header;
    /* KTX2: level of Zstandard, 1 (fast) to 22 (small); 0 means no compression. 0. */
    uint32_t zstd_level;
} brickwork_write_config;

/* Bytes that the library returns. */
typedef struct brickwork_buffer brickwork_buffer;

/* Creates a texture from blocks or plain texels in the order of brickwork_texture_get_data. They are copied.
   Set struct_size to sizeof(brickwork_texture_desc). The fields faces, block_bytes and data_bytes are not
   used. An automatic colour space is linear; an automatic alpha mode is straight if the format has alpha,
   else opaque. */
brickwork_status brickwork_texture_create(const brickwork_texture_desc *desc, const void *blocks,
                                          size_t blocks_bytes, brickwork_texture **texture);

/* Reads a DDS or KTX2 file. max_memory is the limit in bytes; 0 means 4 GiB. */
brickwork_status brickwork_texture_open(const char *path, uint64_t max_memory, const brickwork_task *task,
                                        brickwork_texture **texture);

/* Reads a DDS or KTX2 file in memory. */
brickwork_status brickwork_texture_read(const void *bytes, size_t byte_count, uint64_t max_memory,
                                        const brickwork_task *task, brickwork_texture **texture);

/* Writes a file, as DDS or KTX2 by its extension. It exists completely or not at all; an existing one is
   replaced. If `config` is NULL, it has the defaults. */
brickwork_status brickwork_texture_save(const brickwork_texture *texture, const char *path,
                                        const brickwork_write_config *config, const brickwork_task *task);

/* Writes a file to memory. */
brickwork_status brickwork_texture_write(const brickwork_texture *texture, brickwork_container container,
                                         const brickwork_write_config *config, const brickwork_task *task,
                                         brickwork_buffer **buffer);

/* Sets the defaults. struct_size is sizeof(brickwork_write_config). */
brickwork_status brickwork_write_config_init(brickwork_write_config *config, size_t struct_size);

/* Returns the properties. struct_size is sizeof(brickwork_texture_desc). */
brickwork_status brickwork_texture_get_desc(const brickwork_texture *texture, brickwork_texture_desc *desc,
                                            size_t struct_size);

/* Returns the blocks or plain texels of one face of one mip level, with all slices. */
brickwork_status brickwork_texture_get_blocks(const brickwork_texture *texture, uint32_t layer, uint32_t face,
                                              uint32_t mip_level, const void **blocks, size_t *blocks_bytes);

/* Returns all blocks or plain texels: layer by layer; in a layer, face by face; in a face, mip level by mip
   level; in a mip level, slice by slice; in a slice, row by row. */
brickwork_status brickwork_texture_get_data(const brickwork_texture *texture, const void **blocks,
                                            size_t *blocks_bytes);

/* Returns the number of notes, and their texts: conversions of colours and faults of the file that the reader
   tolerated; of an encoding by brickwork_encode_files or with options that change images, also facts that a
   user may not expect, such as channels that the format rounds. */
size_t brickwork_texture_note_count(const brickwork_texture *texture);
const char *brickwork_texture_note(const brickwork_texture *texture, size_t index);

/* Ends a texture. */
void brickwork_texture_free(brickwork_texture *texture);

/* Returns the bytes of a buffer. */
const void *brickwork_buffer_data(const brickwork_buffer *buffer);
size_t brickwork_buffer_bytes(const brickwork_buffer *buffer);

/* Ends a buffer. */
void brickwork_buffer_free(brickwork_buffer *buffer);

/* ---- Decoding ----------------------------------------------------------------------------------------- */

/* Decodes one image of a texture; the first one if `index` is NULL. `image` has the size of its mip level.
   Floats are clamped to 0..1 for integer channels; signed numbers of plain formats become 0..1. */
brickwork_status brickwork_texture_decode(const brickwork_texture *texture,
                                          const brickwork_image_index *index,
                                          brickwork_rounding_rule rounding_rule,
                                          const brickwork_image_mut *image, const brickwork_task *task);

/* Decodes the blocks or plain texels of an image. blocks_bytes is brickwork_image_bytes. rounding_rule is not
   used for plain texels. */
brickwork_status brickwork_decode_blocks(brickwork_format format, const void *blocks, size_t blocks_bytes,
                                         brickwork_rounding_rule rounding_rule,
                                         const brickwork_image_mut *image, const brickwork_task *task);

#ifdef __cplusplus
}
#endif

#endif
