/* multimap.c: random calls of multimap.h. Each makes a multimap, inserts entries, does one more step and looks at the
 * multimap. */
#include "fuzz.h"

#include <string.h>

enum { KEYS, VALUES, PROBES, SECOND, SECOND_VALUES };
enum { ROWS, ROW_VALUES, OFFSETS };
enum { ROWS_MAX = 20000 };

static const kind *draw_cell(stream *from)
{
    static const kind *const kinds[] = { &kind_int32,  &kind_uint32, &kind_float, &kind_int64,
                                         &kind_uint64, &kind_double, &kind_affine };

    return kinds[draw_below(from, 7)];
}

/* Draws keys: numbers below a universe, spread over all of their bits. */
static void draw_keys(call *c, int k, const kind *of, int64_t count, int64_t universe)
{
    sequence *keys = sequence_begin(c, k, of, count, 1);

    for (int64_t i = 0; i < keys->bound; i++) {
        unsigned char *at = keys->data + (size_t)i * of->type->size;
        memset(at, 0, of->type->size);
        integer_to(of, draw_below(&c->data, universe), at);
    }
    if (k != PROBES) sequence_heat(c, keys); /* not for probes, since their rows would be too many */
    sequence_finish(c, k);
}

static int64_t key_at(const call *c, int k, int64_t i)
{
    return integer_of(c->sequences[k].of, element_at(&c->sequences[k], i));
}

/* Draws two lots of entries, and probes. There are few different keys, unless that makes more rows than the test
 * takes. */
static void draw_of(call *c, const kind *value)
{
    const kind *key = draw_cell(&c->shape);
    const int64_t first = draw_size(c);
    const int64_t second = draw_size(c);
    const int64_t probes = draw_size(c);
    const int64_t least = (first + second) * probes / ROWS_MAX + 1;
    const int64_t universe = draw_chance(&c->data, 30) ? least : least + draw_below(&c->data, 2 * first + 5);
    const mcl_multimap_config config = { .key = key->type,
                                         .value = value ? value->type : NULL,
                                         .capacity = draw_chance(&c->data, 50) ? 0 : draw_between(&c->data, 1, 3000) };

    draw_keys(c, KEYS, key, first, universe);
    input_carried(c, VALUES, value ? value : &kind_int32, KEYS);
    draw_keys(c, PROBES, key, probes, universe + 3);
    draw_keys(c, SECOND, key, second, universe + 1);
    input_carried(c, SECOND_VALUES, value ? value : &kind_int32, SECOND);
    if (mcl_multimap_create(c->w->context, &config, &c->multimap) != MCL_OK) {
        c->multimap = NULL;
        doubt(c, "no multimap on this device");
    }
}

static void multimap_draw(call *c)
{
    draw_of(c, draw_kind(&c->shape, KINDS_ANY));
}

static mcl_status enter(mcl_queue *queue, call *c, int keys, const mcl_options *options)
{
    return mcl_multimap_insert(queue, c->multimap, c->in[keys], c->in[keys + 1], options);
}

/* Expects the entries of a probe among one lot, each at the next row. Returns the next row. */
static int64_t expect_entries(call *c, int lot, int64_t probe, int64_t row, int64_t limit)
{
    for (int64_t i = 0; i < c->sequences[lot].count; i++) {
        if (key_at(c, lot, i) != key_at(c, PROBES, probe)) continue;
        unsigned char index[8];
        integer_to(c->out_kind[ROWS], probe, index);
        if (row < limit) output_expect_at(c, ROWS, row, index);
        if (row < limit) output_expect_at(c, ROW_VALUES, row, element_at(&c->sequences[lot + 1], i));
        row++;
    }
    return row;
}

static int64_t count_of(const call *c, int lot, int64_t probe)
{
    int64_t count = 0;

    for (int64_t i = 0; i < c->sequences[lot].count; i++) count += key_at(c, lot, i) == key_at(c, PROBES, probe);
    return count;
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

static void retrieve_draw(call *c)
{
    int64_t rows = 0;

    multimap_draw(c);
    for (int64_t k = 0; k < c->sequences[PROBES].count; k++) rows += count_of(c, KEYS, k) + count_of(c, SECOND, k);
    for (int k = ROWS; k <= ROW_VALUES; k++) {
        const kind *index = draw_chance(&c->shape, 50) ? &kind_int32 : &kind_int64;
        const int64_t capacity = draw_chance(&c->data, 30) ? draw_below(&c->data, rows + 4) : rows;
        output_new(c, k, k == ROWS ? index : c->sequences[VALUES].of, capacity, -1);
    }
    output_new(c, OFFSETS, draw_chance(&c->shape, 50) ? &kind_int32 : &kind_int64,
               draw_room(c, c->sequences[PROBES].bound), -1);
    count_new(c, 0, 1);
}

/* Calls insert and retrieve. In half of the calls the entries are put in order between them. */
static mcl_status retrieve_run(mcl_queue *queue, call *c)
{
    mcl_status status = enter(queue, c, KEYS, &c->steps);

    if (status == MCL_OK && c->number % 2)
        status = mcl_multimap_retrieve_all(queue, c->multimap, (mcl_output){ 0 }, (mcl_output){ 0 }, mcl_to_nowhere(),
                                           &c->steps);
    if (status == MCL_OK) status = enter(queue, c, SECOND, &c->steps);
    if (status != MCL_OK) return status;
    return mcl_multimap_retrieve(queue, c->multimap, c->in[PROBES], c->out[ROWS], c->out[ROW_VALUES], c->out[OFFSETS],
                                 c->result[0], c->options_given);
}

static void retrieve_reference(call *c)
{
    const int64_t rows_limit = output_capacity(c, ROWS);
    const int64_t values_limit = output_capacity(c, ROW_VALUES);
    const int64_t limit = rows_limit < values_limit ? rows_limit : values_limit;
    int64_t row = 0;

    for (int64_t k = 0; k < c->sequences[PROBES].count; k++) {
        unsigned char offset[8];
        integer_to(c->out_kind[OFFSETS], row, offset);
        output_expect_at(c, OFFSETS, k, offset);
        row = expect_entries(c, KEYS, k, row, limit);
        row = expect_entries(c, SECOND, k, row, limit);
    }
    result_expect_count(c, 0, row);
    expect_capacity(c, 0, row, limit);
}

/* ---- count, erase, insert --------------------------------------------------------------------------------------- */

static void count_draw(call *c)
{
    static const kind *const kinds[] = { &kind_int32, &kind_uint32, &kind_int64 };

    draw_of(c, draw_chance(&c->shape, 50) ? NULL : draw_kind(&c->shape, KINDS_ANY));
    output_new(c, 0, kinds[draw_below(&c->shape, 3)], draw_room(c, c->sequences[PROBES].bound), -1);
}

/* Enters keys. A multiset does not get the drawn values. */
static mcl_status enter_keys(mcl_queue *queue, call *c, int keys, const mcl_options *options)
{
    const mcl_status status = mcl_multimap_insert(queue, c->multimap, c->in[keys], c->in[keys + 1], options);

    if (status != MCL_ERROR_ARGUMENT || !strstr(mcl_last_error(), "the map is a set")) return status;
    return mcl_multimap_insert(queue, c->multimap, c->in[keys], (mcl_input){ 0 }, options);
}

static mcl_status count_run(mcl_queue *queue, call *c)
{
    const mcl_status status = enter_keys(queue, c, KEYS, &c->steps);

    if (status != MCL_OK) return status;
    return mcl_multimap_count(queue, c->multimap, c->in[PROBES], c->out[0], c->options_given);
}

static void expect_count(call *c, int64_t k, int64_t count)
{
    unsigned char stored[8];

    integer_to(c->out_kind[0], count, stored);
    output_expect_at(c, 0, k, stored);
}

static void count_reference(call *c)
{
    for (int64_t k = 0; k < c->sequences[PROBES].count; k++) expect_count(c, k, count_of(c, KEYS, k));
}

static mcl_status insert_run(mcl_queue *queue, call *c)
{
    mcl_status status = enter_keys(queue, c, KEYS, &c->steps);

    if (status == MCL_OK && c->number % 2)
        status = mcl_multimap_count(queue, c->multimap, c->in[PROBES], c->out[0], &c->steps);
    if (status == MCL_OK) status = enter_keys(queue, c, SECOND, c->options_given);
    if (status != MCL_OK) return status;
    return mcl_multimap_count(queue, c->multimap, c->in[PROBES], c->out[0], &c->steps);
}

static void insert_reference(call *c)
{
    for (int64_t k = 0; k < c->sequences[PROBES].count; k++)
        expect_count(c, k, count_of(c, KEYS, k) + count_of(c, SECOND, k));
}

static mcl_status erase_run(mcl_queue *queue, call *c)
{
    mcl_status status = enter_keys(queue, c, KEYS, &c->steps);

    if (status == MCL_OK) status = mcl_multimap_erase(queue, c->multimap, c->in[SECOND], c->options_given);
    if (status != MCL_OK) return status;
    return mcl_multimap_count(queue, c->multimap, c->in[PROBES], c->out[0], &c->steps);
}

static void erase_reference(call *c)
{
    for (int64_t k = 0; k < c->sequences[PROBES].count; k++)
        expect_count(c, k, count_of(c, SECOND, k) > 0 ? 0 : count_of(c, KEYS, k));
}

/* ---- all entries ------------------------------------------------------------------------------------------------ */

static void size_draw(call *c)
{
    multimap_draw(c);
    count_new(c, 0, 1);
}

static mcl_status size_run(mcl_queue *queue, call *c)
{
    mcl_status status = enter(queue, c, KEYS, &c->steps);

    if (status == MCL_OK && c->number % 2) status = mcl_multimap_clear(queue, c->multimap, &c->steps);
    if (status == MCL_OK) status = enter(queue, c, SECOND, &c->steps);
    if (status != MCL_OK) return status;
    return mcl_multimap_size(queue, c->multimap, c->result[0], c->options_given);
}

static void size_reference(call *c)
{
    result_expect_count(c, 0, c->sequences[SECOND].count + (c->number % 2 ? 0 : c->sequences[KEYS].count));
}

static void all_draw(call *c)
{
    size_draw(c);
    for (int k = 0; k < 2; k++) {
        int64_t capacity = c->sequences[KEYS].count;
        if (draw_chance(&c->data, 30)) capacity = draw_below(&c->data, capacity + 4);
        output_new(c, k, c->sequences[k].of, capacity, -1);
    }
}

static mcl_status all_run(mcl_queue *queue, call *c)
{
    const mcl_status status = enter(queue, c, KEYS, &c->steps);

    if (status != MCL_OK) return status;
    return mcl_multimap_retrieve_all(queue, c->multimap, c->out[0], c->out[1], c->result[0], c->options_given);
}

/* Expects all entries. The order of keys is open. */
static void all_reference(call *c)
{
    const int64_t count = c->sequences[KEYS].count;
    const int64_t keys = output_capacity(c, 0);
    const int64_t values = output_capacity(c, 1);
    const int64_t limit = keys < values ? keys : values;

    for (int k = 0; k < 2; k++)
        if (!c->left_out[k]) output_any_at(c, k, 0, count < limit ? count : limit);
    result_expect_count(c, 0, count);
    expect_capacity(c, 0, count, limit);
}

enum { SEVERAL = NO_SPOILING | NO_SCRATCH };
const operation multimap_operations[] = {
    { "mcl_multimap_retrieve", SEVERAL | MAY_LACK_OUTPUTS, retrieve_draw, retrieve_run, retrieve_reference },
    { "mcl_multimap_count", SEVERAL, count_draw, count_run, count_reference },
    { "mcl_multimap_insert", SEVERAL, count_draw, insert_run, insert_reference },
    { "mcl_multimap_erase", SEVERAL, count_draw, erase_run, erase_reference },
    { "mcl_multimap_size", SEVERAL, size_draw, size_run, size_reference },
    { "mcl_multimap_retrieve_all", SEVERAL | MAY_LACK_OUTPUTS, all_draw, all_run, all_reference },
    { NULL, 0, NULL, NULL, NULL },
};
