/* picture.h: writes pictures. */
#ifndef RENDERER_PICTURE_H
#define RENDERER_PICTURE_H

#include <stdint.h>

/* A PNG of four bytes a pixel: red, green, blue, and one that is left out. Returns 0, or -1 after a sentence. */
int picture_write(const char *path, const uint32_t *pixels, int width, int height);

#endif
