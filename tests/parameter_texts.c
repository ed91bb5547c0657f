/* parameter_texts.c: the text of every program that a small parameter of a call can make, by the fake backend: its
 * numbers (fake_parameters.c), and the tiles of every row of tuning and of callers. usage: parameter_texts DEVICE
 * FOLDER [WORDS [PART PARTS]] (WORDS: only calls whose name has them) */
#include "fake_backend.h"
#include "fake_parameters.h"
#include "tuning/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All different tiles of the built-in rows, after tiles that a caller may choose. */
static const mcl__tile tiles[] = {
    { 0, 0 },   { 1, 1 },    { 1, 31 },  { 1, 256 }, { 2, 1 },    { 2, 31 },    { 3, 5 },    { 8, 3 },    { 31, 7 },
    { 32, 1 },  { 32, 31 },  { 33, 1 },  { 48, 9 },  { 64, 1 },   { 64, 31 },   { 96, 5 },   { 100, 13 }, { 128, 2 },
    { 256, 1 }, { 256, 31 }, { 384, 2 }, { 512, 1 }, { 512, 31 }, { 1000, 31 }, { 1023, 1 }, { 1024, 1 }, { 1024, 31 },
#define ANY_BYTES 0
#define ROW(operation, device, element_bytes, threads, items) { threads, items },
#include "tuning/tuning_table.inc"
#undef ROW
#undef ANY_BYTES
};
enum { TILE_COUNT = sizeof tiles / sizeof tiles[0] };

static int is_new(int place)
{
    for (int k = 0; k < place; ++k)
        if (tiles[k].threads == tiles[place].threads && tiles[k].items == tiles[place].items) return 0;
    return 1;
}

/* Returns MCL_OK for a call that is refused, since it makes no text. */
static mcl_status settle(mcl_status status)
{
    if (status == MCL_OK || status == MCL_ERROR_UNSUPPORTED) return MCL_OK;
    fprintf(stderr, "%s: %s\n", fake_label, mcl_last_error());
    ++fake_failed_count;
    return MCL_OK;
}

static int is_wanted(void)
{
    return !fake_wanted || strstr(fake_label, fake_wanted) != NULL;
}

static mcl_status write_calls(bench *at, const char *tile)
{
    for (int call = 0; call < fake_call_count; ++call) {
        (void)snprintf(fake_label, sizeof fake_label, "%s-%s-%s", fake_calls[call].name, at->element->name, tile);
        if (is_wanted()) MCL__TRY(settle(fake_calls[call].run(at)));
    }
    return MCL_OK;
}

static mcl_status write_walk(bench *at, const walk *of, const char *tile)
{
    static numbers list;
    list.count = 0;
    of->list(at, &list);
    for (int k = 0; k < list.count; ++k) {
        (void)snprintf(fake_label, sizeof fake_label, "%s-%lld-%s-%s", of->name, (long long)list.list[k],
                       at->element->name, tile);
        if (is_wanted()) MCL__TRY(settle(of->run(at, list.list[k])));
    }
    return MCL_OK;
}

static mcl_status write_tile(bench *at, mcl__tile tile)
{
    char name[32];
    static mcl_options options; /* static, since calls find it by a pointer in at */
    options = (mcl_options){ .tile_threads = tile.threads, .tile_items = tile.items };
    (void)snprintf(name, sizeof name, "%dx%d", tile.threads, tile.items);
    at->options = &options;
    fake_checks_only = 1;
    for (int wide = 0; wide < (tile.threads ? 1 : 2); ++wide) {
        options.flags = wide ? MCL_INDEX_64 : 0;
        if (wide) (void)strncat(name, "-wide", sizeof name - strlen(name) - 1);
        MCL__TRY(write_calls(at, name));
        for (int k = 0; k < walk_count; ++k) MCL__TRY(write_walk(at, &walks[k], name));
    }
    return MCL_OK;
}

static mcl_status write_all(mcl_context *context)
{
    bench at = { 0 };
    mcl_status status = mcl_queue_create_preparing(context, &at.queue);
    for (int i = 0; i < BUFFERS && status == MCL_OK; ++i)
        status = mcl_buffer_create(context, (size_t)2 * MANY * 64, NULL, &at.buffers[i]);
    if (status == MCL_OK) status = mcl_buffer_create(context, (size_t)16 * MANY * COLUMN_BYTES, NULL, &at.wide);
    for (int place = 0; place < TILE_COUNT && status == MCL_OK; ++place) {
        for (int k = 0; k < fake_element_count && is_new(place) && status == MCL_OK; ++k) {
            at.element = &fake_elements[k];
            status = write_tile(&at, tiles[place]);
        }
    }
    mcl_buffer_release(at.wide);
    for (int i = 0; i < BUFFERS; ++i) mcl_buffer_release(at.buffers[i]);
    mcl_queue_release(at.queue);
    return status;
}

int main(int count, char **arguments)
{
    if (count < 3 || count > 6 || count == 5) {
        fprintf(stderr, "usage: parameter_texts DEVICE FOLDER [WORDS [PART PARTS]]\n");
        return 2;
    }
    const mcl_status status = fake_texts_write(count, arguments, write_all);
    printf("parameter_texts: %d programs, %d fail\n", fake_program_count, fake_failed_count);
    return status != MCL_OK || fake_failed_count > 0;
}
