/* options.c: reads the command line with popt, as the tools do. */
#include "options.h"

#include "command_line.h"

#include <stdio.h>
#include <stdlib.h>

enum { SIDE_MAX = 16384, TRIANGLES_MAX = 100000000, BOUNCES_MAX = 64 };

static int in_range(const char *name, int value, int low, int high)
{
    if (value >= low && value <= high) return 1;
    fprintf(stderr, "renderer: %s is %d; it must be from %d to %d\n", name, value, low, high);
    return 0;
}

int options_read(options *read, int count, const char **words)
{
    char after = '\0';
    *read = (options){ .width = 640, .height = 360, .samples = 16, .frames = 1, .triangles = 20000, .bounces = 8 };
    const struct poptOption table[] = {
        OPTION("device", POPT_ARG_STRING, &read->device, "the device, as moderncl-info names it", "DEVICE"),
        OPTION("size", POPT_ARG_STRING, &read->size_text, "the picture's size (640x360)", "WxH"),
        OPTION("samples", POPT_ARG_INT, &read->samples, "paths of each pixel (16)", "N"),
        OPTION("bounces", POPT_ARG_INT, &read->bounces, "rays of a path, without those to lights (8)", "N"),
        OPTION("mesh", POPT_ARG_STRING, &read->mesh, "a file that assimp reads, instead of the lake", "FILE"),
        OPTION("triangles", POPT_ARG_INT, &read->triangles, "about how many the lake has (20000)", "N"),
        OPTION("frames", POPT_ARG_INT, &read->frames, "frames, 24 a second; the tree is built for each", "N"),
        OPTION("out", POPT_ARG_STRING, &read->out, "the picture; of many frames, each with its number", "FILE.png"),
        OPTION("check", POPT_ARG_NONE, &read->wants_check, "compare with plain loops on the host", NULL),
        OPTION("megakernel", POPT_ARG_NONE, &read->has_megakernel, "each path in one kernel, without the library",
               NULL),
        OPTION("replay", POPT_ARG_NONE, &read->wants_replay, "record the frame once and replay it", NULL),
        OPTION("stats", POPT_ARG_NONE, &read->wants_stats, "print times and rates as JSON", NULL),
        OPTIONS_END,
    };
    if (command_line_read("renderer", table, count, words, NULL, NULL)) return -1;
    if (read->size_text && sscanf(read->size_text, "%dx%d%c", &read->width, &read->height, &after) != 2) {
        fprintf(stderr, "renderer: --size %s is no size; expected WxH, as 640x360\n", read->size_text);
        return -1;
    }
    return in_range("the width", read->width, 1, SIDE_MAX) && in_range("the height", read->height, 1, SIDE_MAX) &&
                   in_range("--samples", read->samples, 1, 1 << 20) && in_range("--frames", read->frames, 1, 1 << 20) &&
                   in_range("--bounces", read->bounces, 1, BOUNCES_MAX) &&
                   in_range("--triangles", read->triangles, 2000, TRIANGLES_MAX)
               ? 0
               : -1;
}

void options_free(options *freed)
{
    free(freed->device);
    free(freed->size_text);
    free(freed->mesh);
    free(freed->out);
}
