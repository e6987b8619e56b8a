/* Encodes a large image, and cancels when a tenth is done. The program fails unless the call stops early.

   It compiles as C99 and as C++17. */

#include <brickwork.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 2048 };

/* State of the callback. A task calls it once at a time, so no lock is needed. */
typedef struct {
    brickwork_task *task;
    double done;
} progress;

static void on_progress(void *user, brickwork_stage stage, uint64_t done, uint64_t total)
{
    progress *seen = (progress *)user;
    double part = total > 0 ? (double)done / (double)total : 0;

    if (stage != BRICKWORK_STAGE_ENCODING)
        return;
    if (part > seen->done)
        seen->done = part;
    if (part >= 0.1)
        brickwork_task_cancel(seen->task);
}

int main(void)
{
    brickwork_options *options = NULL;
    brickwork_task_config task_config;
    brickwork_image image;
    brickwork_texture *texture = NULL;
    progress seen = {NULL, 0};
    unsigned char *texels = (unsigned char *)malloc((size_t)SIDE * SIDE);
    brickwork_status status;
    size_t i;

    if (!texels)
        return EXIT_FAILURE;
    for (i = 0; i < (size_t)SIDE * SIDE; i++)
        texels[i] = (unsigned char)(i * i >> 7);
    image.data = texels;
    image.data_bytes = (size_t)SIDE * SIDE;
    image.row_bytes = SIDE;
    image.width = SIDE;
    image.height = SIDE;
    image.channel_type = BRICKWORK_CHANNEL_U8;
    image.channel_count = 1;

    brickwork_task_config_init(&task_config, sizeof task_config);
    task_config.threads = 2;
    task_config.on_progress = on_progress;
    task_config.user = &seen;
    status = brickwork_task_create(&task_config, &seen.task);
    if (status == BRICKWORK_OK)
        status = brickwork_options_create(&options);
    if (status == BRICKWORK_OK)
        status = brickwork_options_set(options, "format", "bc4");
    if (status == BRICKWORK_OK)
        status = brickwork_encode(options, &image, 1, NULL, seen.task, &texture);
    printf("%s at %.0f %%\n", brickwork_status_text(status), 100 * seen.done);

    brickwork_texture_free(texture);
    brickwork_options_free(options);
    brickwork_task_free(seen.task);
    free(texels);
    return status == BRICKWORK_ERROR_CANCELLED && seen.done < 0.9 ? EXIT_SUCCESS : EXIT_FAILURE;
}
