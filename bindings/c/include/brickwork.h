/* Brickwork: textures in block formats (BC1 to BC7, ETC2, EAC, ASTC) and plain formats from texels, and back;
   DDS, KTX2 and .astc.

   docs/c.md is the guide: building, linking, examples. These rules hold for every function:

   - A function that can fail returns a brickwork_status. BRICKWORK_OK is 0. For any other status,
     brickwork_last_error returns a text, and memory that the call was to fill has unspecified contents. Bad
     files do not end the process, nor do bad arguments, but pointers are checked only for null, alignment and
     impossible sizes. If the system has no memory left, the process may end.
   - A handle (brickwork_options, brickwork_texture, brickwork_task, brickwork_device, brickwork_buffer) is
     created by a function with a parameter of type `handle **`, and ended by its `_free` function. If its
     creation fails, it is set to NULL. All `_free` functions ignore NULL.
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

/* ---- Formats ------------------------------------------------------------------------------------------ */

/* Block format, the storage of 4x4 texels in 8 or 16 bytes, or plain format, that of one texel. */
typedef uint32_t brickwork_format;
enum {
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
    BRICKWORK_FORMAT_RG11B10F = 31,
    /* ETC2: RGB, 8 bytes; with 1-bit alpha, 8 bytes; with 8-bit alpha, 16 bytes. GPUs encode ETC2, EAC and
       ASTC in real time only, otherwise the CPU does. */
    BRICKWORK_FORMAT_ETC2 = 32,
    BRICKWORK_FORMAT_ETC2_A1 = 33,
    BRICKWORK_FORMAT_ETC2_A8 = 34,
    /* EAC, one channel of 11 bits in 0..1, 8 bytes; signed: in -1..1. Two channels: 16 bytes. */
    BRICKWORK_FORMAT_EAC_R11 = 35,
    BRICKWORK_FORMAT_EAC_R11S = 36,
    BRICKWORK_FORMAT_EAC_RG11 = 37,
    BRICKWORK_FORMAT_EAC_RG11S = 38,
    /* ASTC with a low dynamic range: RGB with optional alpha, 16 bytes for blocks of this size. Sizes other
       than 4x4 are only decoded. */
    BRICKWORK_FORMAT_ASTC_4X4 = 39,
    BRICKWORK_FORMAT_ASTC_5X4 = 40,
    BRICKWORK_FORMAT_ASTC_5X5 = 41,
    BRICKWORK_FORMAT_ASTC_6X5 = 42,
    BRICKWORK_FORMAT_ASTC_6X6 = 43,
    BRICKWORK_FORMAT_ASTC_8X5 = 44,
    BRICKWORK_FORMAT_ASTC_8X6 = 45,
    BRICKWORK_FORMAT_ASTC_8X8 = 46,
    BRICKWORK_FORMAT_ASTC_10X5 = 47,
    BRICKWORK_FORMAT_ASTC_10X6 = 48,
    BRICKWORK_FORMAT_ASTC_10X8 = 49,
    BRICKWORK_FORMAT_ASTC_10X10 = 50,
    BRICKWORK_FORMAT_ASTC_12X10 = 51,
    BRICKWORK_FORMAT_ASTC_12X12 = 52
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

/* Colour space of the stored numbers. Automatic: linear. */
typedef uint32_t brickwork_color_space;
enum {
    BRICKWORK_COLOR_SPACE_AUTO = 0,
    BRICKWORK_COLOR_SPACE_SRGB = 1,
    BRICKWORK_COLOR_SPACE_LINEAR = 2
};

/* Interpretation of alpha. Automatic: straight if the format has alpha, else opaque. */
typedef uint32_t brickwork_alpha_mode;
enum {
    BRICKWORK_ALPHA_AUTO = 0,
    BRICKWORK_ALPHA_OPAQUE = 1,
    BRICKWORK_ALPHA_STRAIGHT = 2,
    BRICKWORK_ALPHA_PREMULTIPLIED = 3
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
    BRICKWORK_CONTAINER_KTX2 = 2,
    /* .astc files: one 2D image of ASTC, without mip levels. */
    BRICKWORK_CONTAINER_ASTC = 3
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

/* Options of an encoder, by name. NULL means the defaults. A call takes the options as they are when it
   starts. They are those of the program's `encode` and of rule files, except for options of the output file,
   and some about the list of images. brickwork_option_name lists all, and `brickwork encode --help` describes
   them. The most used:

   | name                   | value                                                     | default        |
   |------------------------|-----------------------------------------------------------|----------------|
   | format                 | bc1 to bc7, etc2, eac-r11, astc, a plain format such as   | bc1            |
   |                        | rgba8, a name of DXGI or Vulkan, or auto: the block       |                |
   |                        | format that suits the image                               |                |
   | family                 | bc, astc, etc2: auto, which is then the default of        | bc             |
   |                        | format, chooses among its formats                         |                |
   | quality                | ultrafast, fast, normal, high, best                       | normal         |
   | mips                   | none, all, or a maximum number, including the image       | none           |
   | kind                   | color, normal, data, one-channel, hdr                     | auto           |
   | color-space            | srgb, linear                                              | auto           |
   | layout                 | layers, faces, slices: what the images are                | layers         |
   | levels                 | number of mip levels that the images contain              | 1              |
   | swizzle                | sources of red, green, blue and alpha, such as bgra       | rgba           |
   | channels               | channels that other images replace, such as g,a:b         | none           |
   | roughness-from-normals | (a flag) the last image is a normal map                   | off            |
   | premultiply            | (a flag) multiply colours by alpha                        | off            |
   | premultiplied          | (a flag) colours are multiplied by alpha already          | off            |
   | resize, max-size       | 512x256 or 50%; maximum of both sides                     | the image's    |
   | keep-coverage          | reference of the alpha test, 0 to 1                       | off            |
   | rdo                    | squared error that one saved bit may cost, 0 to 100       | off            |

   Without color-space, the colour space is that of the file. Texels in memory are sRGB if they have 8 bits
   and the format has an sRGB form, else linear. Alpha is straight unless an option states otherwise. */
typedef struct brickwork_options brickwork_options;

/* Creates options with their defaults. */
brickwork_status brickwork_options_create(brickwork_options **options);

/* Sets an option, in place of an earlier value; the order does not matter. `value` is NULL for flags, and may
   be NULL for options whose value is optional, such as mips (all). "false" restores the default. A wrong name
   or value is an error, and the earlier value stays. Options that exclude or need each other, or that the
   format ignores, are errors of the call that encodes. */
brickwork_status brickwork_options_set(brickwork_options *options, const char *name, const char *value);

/* Ends options that no call uses. */
void brickwork_options_free(brickwork_options *options);

/* Returns the number of options; for each, its name, values and help. Values are texts such as
   "layers|faces|slices". Brackets, as in "[N|all|none]", mean that `value` may be NULL. Flags have no values:
   NULL. For an index past the end, all are NULL. The texts stay valid. */
size_t brickwork_option_count(void);
const char *brickwork_option_name(size_t index);
const char *brickwork_option_values(size_t index);
const char *brickwork_option_help(size_t index);

/* Returns the size of a texture of image_count images of width x height texels before it is encoded: the
   bytes of all blocks or plain texels, and the memory of the encoder, which includes them. Copies of images,
   and the second texture that target-psnr and target-size keep, are extra. UINT64_MAX if a number does not
   fit. Either pointer may be NULL. The format is not auto. */
brickwork_status brickwork_encode_size(const brickwork_options *options, uint32_t width, uint32_t height,
                                       size_t image_count, uint64_t *texture_bytes, uint64_t *memory_bytes);

/* Encodes images. Their number decides the number of layers, cubes or slices. The order is layer by layer; in
   a layer, face by face; in a face, mip level by mip level; in a mip level, slice by slice. An image for each
   of `channels` follows, in the order red, green, blue, alpha, then the normal map of roughness-from-normals.
   If `device` is NULL, the CPU encodes. `task` may be NULL.

   Texels are read where they are. Options that choose the format or change images, such as kind, swizzle and
   resize, copy them; single floats then become half floats, unless the format stores single floats. Alpha of
   texels that are not copied is not examined: an image with an alpha channel is straight, even if all texels
   are opaque. For images without meaningful alpha, set swizzle to rgb1. */
brickwork_status brickwork_encode(const brickwork_options *options, const brickwork_image *images,
                                  size_t image_count, const brickwork_device *device,
                                  const brickwork_task *task, brickwork_texture **texture);

/* Encodes an image file (PNG, JPEG, TGA, EXR and others), or the first image of a DDS or KTX2 file.
   max_memory is the limit in bytes for texels and all that is made of them; 0 means 4 GiB. */
brickwork_status brickwork_encode_file(const brickwork_options *options, const char *path,
                                       uint64_t max_memory, const brickwork_device *device,
                                       const brickwork_task *task, brickwork_texture **texture);

/* Encodes files in the order of the images of brickwork_encode. max_memory is the limit for all together. */
brickwork_status brickwork_encode_files(const brickwork_options *options, const char *const *paths,
                                        size_t path_count, uint64_t max_memory,
                                        const brickwork_device *device, const brickwork_task *task,
                                        brickwork_texture **texture);

/* Encodes one image to `blocks`, row by row. blocks_bytes is brickwork_image_bytes. Options of mip levels,
   layout and colour space, and dither, are checked against each other, and have no effect; format auto and
   options that change images are errors. After an error, the contents of `blocks` are unspecified. */
brickwork_status brickwork_encode_blocks(const brickwork_options *options, const brickwork_image *image,
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
    /* Texels of a block; 1 of plain texels. */
    uint32_t block_width;
    uint32_t block_height;
    /* Numbers of the format in VkFormat, DXGI_FORMAT (0 for ETC2, EAC, ASTC) and MTLPixelFormat. */
    uint32_t vulkan_format;
    uint32_t dxgi_format;
    uint32_t metal_format;
    /* Sources of red, green, blue and alpha for shaders (KTXswizzle): four of the letters r, g, b, a, 0 and
       1, the first in the lowest byte. Usually rgba. An application that uploads the texture sets them in
       its view. brickwork_texture_decode does not apply them. */
    uint32_t swizzle;
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
   Set struct_size to sizeof(brickwork_texture_desc). The fields faces and those from block_bytes on are not
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

/* Returns the blocks or plain texels of one face of one mip level, with all slices. Rows of blocks have no
   padding. docs/c.md has the extents and rows that copies to a GPU need. */
brickwork_status brickwork_texture_get_blocks(const brickwork_texture *texture, uint32_t layer, uint32_t face,
                                              uint32_t mip_level, const void **blocks, size_t *blocks_bytes);

/* Returns all blocks or plain texels: layer by layer; in a layer, face by face; in a face, mip level by mip
   level; in a mip level, slice by slice; in a slice, row by row. */
brickwork_status brickwork_texture_get_data(const brickwork_texture *texture, const void **blocks,
                                            size_t *blocks_bytes);

/* Returns the number of notes, and their texts: facts that a user may not expect, such as conversions of
   colours, channels that the format rounds, and faults of the file that the reader tolerated. */
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
