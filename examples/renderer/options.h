/* options.h: the command line. */
#ifndef RENDERER_OPTIONS_H
#define RENDERER_OPTIONS_H

typedef struct options {
    char *device;
    char *size_text;
    char *mesh;
    char *out;
    int width, height;
    int samples;
    int frames;
    int triangles;
    int bounces;
    int wants_check, has_megakernel, wants_replay, wants_stats;
} options;

/* Returns 0, or -1 after a sentence on stderr. */
int options_read(options *read, int count, const char **words);
void options_free(options *freed);

#endif
