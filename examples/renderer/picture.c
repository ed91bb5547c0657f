/* picture.c: writes pictures by libpng's simplified interface. */
#include "picture.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>

int picture_write(const char *path, const uint32_t *pixels, int width, int height)
{
    const size_t count = (size_t)width * (size_t)height;
    png_image image = { .version = PNG_IMAGE_VERSION,
                        .width = (png_uint_32)width,
                        .height = (png_uint_32)height,
                        .format = PNG_FORMAT_RGB };
    unsigned char *const bytes = malloc(3 * count);
    if (!bytes) {
        fprintf(stderr, "renderer: no memory for %s\n", path);
        return -1;
    }
    for (size_t k = 0; k < count; ++k)
        for (int channel = 0; channel < 3; ++channel)
            bytes[3 * k + (size_t)channel] = (unsigned char)(pixels[k] >> 8 * channel);
    const int fine = png_image_write_to_file(&image, path, 0, bytes, 0, NULL);
    if (!fine) fprintf(stderr, "renderer: %s: %s\n", path, image.message);
    free(bytes);
    return fine ? 0 : -1;
}
