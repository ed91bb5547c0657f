/* main.c: renders pictures by paths of light.
 *
 *     renderer --device opencl:portable --size 640x360 --samples 64 --out picture.png
 *
 * The renderer owns its context, queue, buffers and kernels; the library sorts, compacts and reduces in them. */
#include "check.h"
#include "frame.h"
#include "mesh.h"
#include "options.h"
#include "picture.h"
#include "progress.h"
#include "stats.h"

#include "geometry.cl.h"
#include "lbvh.cl.h"
#include "megakernel.cl.h"
#include "shading.cl.h"
#include "tone.cl.h"
#include "trace.cl.h"
#include "wavefront.cl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES_A_SECOND = 24, SAMPLES_AHEAD = 4 };

static int build(device *on)
{
    const char *const parts[] = { geometry_cl, shading_cl, lbvh_cl, trace_cl, wavefront_cl, megakernel_cl, tone_cl };
    return device_build(on, parts, sizeof parts / sizeof parts[0]);
}

static int wait_for(mcl_event *event, stats *measured)
{
    const double begun = seconds_worked();
    const int failed = device_status(mcl_event_wait(event));
    stats_waited(measured, seconds_worked() - begun);
    return failed;
}

/* All samples of a frame. The host waits for none of them, but is at most SAMPLES_AHEAD ahead of the device. */
static int render_samples(const frame *of, const options *as, progress *shown, stats *measured)
{
    mcl_event *done[SAMPLES_AHEAD] = { NULL };
    int failed = 0;
    for (int sample = 0; sample < as->samples && !failed; ++sample) {
        mcl_event **const event = &done[sample % SAMPLES_AHEAD];
        if (*event) failed = wait_for(*event, measured);
        mcl_event_release(*event);
        *event = NULL;
        failed = failed || frame_sample(of) || device_status(mcl_event_record(of->on->queue, event));
        progress_step(shown);
    }
    for (int k = 0; k < SAMPLES_AHEAD; ++k) mcl_event_release(done[k]);
    return failed;
}

/* picture.png; of several frames picture-0000.png and so on. */
static int write_picture(const frame *of, const options *as, int number)
{
    char file[4096];
    const char *const slash = strrchr(as->out, '/'), *const dot = strrchr(slash ? slash : as->out, '.');
    const int stem = dot ? (int)(dot - as->out) : (int)strlen(as->out);
    uint32_t *const picture = calloc((size_t)as->width * (size_t)as->height, sizeof *picture);
    if (!picture) return device_failed("calloc", as->width);
    if (as->frames > 1)
        snprintf(file, sizeof file, "%.*s-%04d%s", stem, as->out, number, dot ? dot : "");
    else
        snprintf(file, sizeof file, "%s", as->out);
    const int failed = frame_picture(of, picture) || picture_write(file, picture, as->width, as->height);
    free(picture);
    return failed;
}

static int render_frame(const frame *of, const options *as, int number, progress *shown, stats *measured)
{
    stats_begin(measured, of);
    const int failed = frame_begin(of, number, (float)number / FRAMES_A_SECOND) ||
                       render_samples(of, as, shown, measured) || frame_end(of, as->samples);
    stats_enqueued(measured);
    return failed || device_finish(of->on) || (as->wants_stats && stats_end(measured, of)) ? -1 : 0;
}

static int render(frame *of, const options *as)
{
    progress shown = progress_begin((int64_t)(as->frames + (as->wants_stats ? WARM_FRAMES : 0)) * as->samples);
    stats measured = { 0 };
    const int is_timed = of->on->is_timed;
    int failed = 0;
    of->on->is_timed = 0;
    for (int k = 0; k < WARM_FRAMES && as->wants_stats && !failed; ++k)
        failed = render_frame(of, as, 0, &shown, &measured);
    of->on->is_timed = is_timed;
    failed = failed || (as->wants_replay && frame_record(of));
    for (int number = 0; number < as->frames && !failed; ++number) {
        failed = render_frame(of, as, number, &shown, &measured);
        if (!failed && as->out) failed = write_picture(of, as, number);
    }
    progress_end(&shown);
    if (!failed && as->wants_stats) stats_print(&measured, of);
    return failed;
}

static int run_on(device *on, const options *as, const scene *of)
{
    frame made;
    if (build(on) || frame_open(&made, on, of, as->has_megakernel)) return 1;
    int failed = render(&made, as);
    frame_close(&made);
    if (!failed && as->wants_check) failed = check_all(on, of, as);
    return failed ? 1 : 0;
}

static int run(const options *as)
{
    device on;
    scene of;
    if (as->mesh ? mesh_load(&of, as->mesh) : scene_make(&of, as->triangles)) {
        scene_free(&of);
        return 1;
    }
    of.set.bounces = as->bounces;
    of.set.light_sampling = 1;
    scene_size(&of, as->width, as->height);
    int failed = 1;
    if (device_open(&on, as->device, as->wants_stats && !as->wants_replay) == 0) {
        failed = run_on(&on, as, &of);
        device_close(&on);
    }
    scene_free(&of);
    return failed;
}

int main(int count, char **words)
{
    options as;
    const int failed = options_read(&as, count, (const char **)words) ? 2 : run(&as);
    options_free(&as);
    return failed;
}
