/* kernel_texts.c: the text of every program, built on the fake backend for types of all sizes.
 * usage: kernel_texts cuda|opencl FOLDER [WORDS] (WORDS: only calls whose name has them) */
#include "fake_backend.h"
#include "fake_calls.h"
#include "pieces/piece_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { WRITTEN_ELEMENTS = 6 }; /* elements of 4, 8, 12, 16 and 64 bytes are written in all variants */

static const struct {
    const char *name;
    mcl_options options;
    int is_checked_only; /* 1 where the variant is no GPU's default: it must compile but may spill */
} variants[] = {
    /* the first variant is for every element; the others are for the first element, since they change little else */
    { "plain", { 0 }, 0 },
    { "deterministic-index64", { .flags = MCL_DETERMINISTIC | MCL_INDEX_64 }, 0 },
    /* few elements, since a CPU's own tiles take a GPU's compiler minutes */
    { "serial", { .tile_threads = 1, .tile_items = 8 }, 1 },
    /* not whole sub-groups: sums of all work-items are in work-group memory, to which the tile is clamped */
    { "odd", { .tile_threads = 1000, .tile_items = 31 }, 1 },
    /* not for an H200, since its compiler takes minutes for this variant */
    { "small", { .tile_threads = 32, .tile_items = 1 }, 0 },
    { "flat", { .tile_threads = 1024, .tile_items = 1 }, 0 },
};
enum {
    VARIANT_COUNT = sizeof variants / sizeof variants[0],
    VARIANTS_OF_ALL = 1,
    VARIANTS_OF_DEFAULT_TILES = 2,
    VARIANTS_OF_H200 = 4
};

static int variants_of(const bench *at)
{
    const mcl__sub_group_path path = at->queue->context->limits.sub_group_path;
    if (at->element != fake_elements) return VARIANTS_OF_ALL;
    if (fake_default_tiles) return VARIANTS_OF_DEFAULT_TILES;
    return path == MCL__SUB_GROUP_CUDA || path == MCL__SUB_GROUP_PTX ? VARIANTS_OF_H200 : VARIANT_COUNT;
}

static mcl_status write_element(bench *at)
{
    const int variant_count = variants_of(at);
    if (at->element->type->kind == MCL_KIND_FLOAT && !at->queue->context->limits.has_double) return MCL_OK;
    for (int variant = 0; variant < variant_count; ++variant) {
        at->options = &variants[variant].options;
        fake_checks_only = variants[variant].is_checked_only;
        for (int call = 0; call < fake_call_count; ++call) {
            (void)snprintf(fake_label, sizeof fake_label, "%s-%s-%s", fake_calls[call].name, at->element->name,
                           variants[variant].name);
            MCL__TRY(fake_calls[call].run(at));
        }
    }
    return MCL_OK;
}

/* Writes the kernels of tests/kernels, in the tiles that their tests use. */
static mcl_status write_pieces(mcl_queue *queue)
{
    mcl_status status = MCL_OK;
    for (int k = 0; k < 2 * PIECE_TEXTS && status == MCL_OK; ++k) {
        const piece_text text = (piece_text)(k / 2);
        const int serial = k % 2;
        if (serial && fake_default_tiles) continue;
        const mcl_options options = piece_tile(text, serial);
        const mcl_kernel kernel = piece_kernel(text, serial);
        mcl_tile tile;
        fake_checks_only = serial;
        (void)snprintf(fake_label, sizeof fake_label, "pieces-%d-%s", (int)text, serial ? "serial" : "plain");
        status = mcl_kernel_tile(queue, &kernel, &options, &tile);
    }
    return status;
}

/* Writes the group mapping's sort by buckets for keys where no device chooses it. */
static mcl_status write_buckets(bench *at)
{
    static const mcl_options plain = { 0 };
    mcl_status status = mcl_context_load_tuning(mcl_queue_context(at->queue), TEST_GOLDEN_DIR "/parameters_buckets");
    at->options = &plain;
    fake_checks_only = 0;
    for (int i = 0; i < WRITTEN_ELEMENTS && status == MCL_OK; ++i) {
        at->element = &fake_elements[i];
        if (at->element->type->kind == MCL_KIND_FLOAT && !at->queue->context->limits.has_double) continue;
        (void)snprintf(fake_label, sizeof fake_label, "bucket-sort-%s-plain", at->element->name);
        status = call_radix_sort_keys(at);
        (void)snprintf(fake_label, sizeof fake_label, "bucket-pairs-%s-plain", at->element->name);
        if (status == MCL_OK) status = call_radix_sort_pairs(at);
    }
    return status;
}

static mcl_status write_all(mcl_context *context)
{
    bench at = { 0 };
    mcl_status status = mcl_queue_create_preparing(context, &at.queue);
    for (int i = 0; i < BUFFERS && status == MCL_OK; ++i)
        status = mcl_buffer_create(context, (size_t)(2 * COUNT + 1) * 64, NULL, &at.buffers[i]);
    for (int i = 0; i < WRITTEN_ELEMENTS && status == MCL_OK; ++i) {
        at.element = &fake_elements[i];
        status = write_element(&at);
    }
    if (status == MCL_OK) status = write_pieces(at.queue);
    if (status == MCL_OK) status = write_buckets(&at);
    for (int i = 0; i < BUFFERS; ++i) mcl_buffer_release(at.buffers[i]);
    mcl_queue_release(at.queue);
    return status;
}

int main(int count, char **arguments)
{
    if (count < 3 || count > 6 || count == 5) {
        fprintf(stderr, "usage: kernel_texts cuda|opencl|processor|sub_groups_N|GPU FOLDER [WORDS [PART PARTS]]\n"
                        "GPU: gen9, gen12lp, dg2, pvc, gfx906, gfx90a, gfx1030, gfx1100\n");
        return 2;
    }
    const mcl_status status = fake_texts_write(count, arguments, write_all);
    if (status == MCL_OK)
        printf("kernel_texts: %d programs, %d do not compile\n", fake_program_count, fake_failed_count);
    return status != MCL_OK || fake_failed_count > 0;
}
