/* transform.c: random calls of transform.h. */
#include "fuzz.h"

#include <string.h>

/* ---- mcl_transform -------------------------------------------------------------------------------------- */

static void transform_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);
    const int in_place = draw_chance(&c->shape, 20);

    input_any(c, 0, of, draw_size(c), (fill)draw_below(&c->data, FILL_COUNT));
    output_new(c, 0, of, draw_room(c, c->sequences[0].bound), in_place ? 0 : -1);
}

static mcl_status transform_run(mcl_queue *queue, call *c)
{
    return mcl_transform(queue, c->in[0], c->out[0], c->options_given);
}

static void transform_reference(call *c)
{
    output_expect(c, 0, c->sequences[0].data, c->sequences[0].count);
}

/* ---- mcl_scatter, mcl_scatter_flagged ------------------------------------------------------------------------ */

enum { VALUES, INDICES, FLAGS };

static int64_t number_in(const call *c, int k, int64_t i)
{
    return integer_of(c->sequences[k].of, element_at(&c->sequences[k], i));
}

/* Draws a permutation of more indices than there are values; some lie outside the output. Repeated indices make only
 * values unspecified. */
static void indices_draw(call *c, const kind *of)
{
    sequence *indices = sequence_follow(c, INDICES, of, VALUES);
    const int64_t outside = draw_chance(&c->data, 30) ? -draw_between(&c->data, 1, 100) : 0;
    const int repeats = draw_chance(&c->data, 10);
    const size_t size = of->type->size;

    for (int64_t k = 0; k < indices->bound; k++) integer_to(of, k + outside, indices->data + (size_t)k * size);
    for (int64_t k = indices->bound - 1; k > 0; k--) {
        unsigned char spare[8];
        unsigned char *at = indices->data + (size_t)k * size;
        unsigned char *other = indices->data + (size_t)draw_below(&c->data, k + 1) * size;
        memcpy(spare, at, size);
        memcpy(at, other, size);
        memcpy(other, spare, size);
    }
    if (repeats) fill_elements(&c->data, of, FILL_ANY, indices->data, indices->bound);
    c->numbers[0] = outside;
    c->numbers[1] = repeats;
    sequence_finish(c, INDICES);
}

static void scatter_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);
    const kind *index_kind = draw_kind(&c->shape, KINDS_INDEX);

    input_any(c, VALUES, of, draw_size(c), FILL_ANY);
    indices_draw(c, index_kind);
    output_new(c, 0, of, draw_below(&c->data, c->sequences[VALUES].bound + 20), -1);
    c->broken = (int)c->numbers[1];
    if (c->numbers[0]) c->expect = EXPECT_EITHER; /* with MCL_VALIDATE */
    for (int64_t k = 0; k < c->sequences[INDICES].bound; k++)
        if (number_in(c, INDICES, k) >= c->out[0].capacity) c->expect = EXPECT_EITHER;
}

static mcl_status scatter_run(mcl_queue *queue, call *c)
{
    return mcl_scatter(queue, c->in[VALUES], c->in[INDICES], c->out[0], c->options_given);
}

static void scatter_reference(call *c)
{
    for (int64_t k = 0; k < c->sequences[VALUES].count; k++)
        if (c->in_count <= FLAGS || number_in(c, FLAGS, k))
            output_expect_at(c, 0, number_in(c, INDICES, k), element_at(&c->sequences[VALUES], k));
}

static void scatter_flagged_draw(call *c)
{
    const kind *flag_kind = draw_kind(&c->shape, KINDS_INTEGER);

    scatter_draw(c);
    sequence *flags = sequence_follow(c, FLAGS, flag_kind, VALUES);
    fill_elements(&c->data, flag_kind, FILL_FEW, flags->data, flags->bound);
    sequence_finish(c, FLAGS);
}

static mcl_status scatter_flagged_run(mcl_queue *queue, call *c)
{
    return mcl_scatter_flagged(queue, c->in[VALUES], c->in[INDICES], c->in[FLAGS], c->out[0], c->options_given);
}

/* ---- mcl_random ----------------------------------------------------------------------------------------- */

static void random_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_INTEGER);

    output_new(c, 0, of, draw_size(c), -1);
    c->numbers[0] = (int64_t)draw(&c->data);
    c->numbers[1] = draw_chance(&c->data, 50) ? draw_below(&c->data, 1000) : (int64_t)(draw(&c->data) >> 2);
    c->numbers[2] = draw_between(&c->data, 0, 50);
    c->numbers[3] = c->numbers[2] + (draw_chance(&c->data, 90) ? draw_between(&c->data, 0, 60) : -1);
    integer_to(of, c->numbers[2], c->values[0]);
    integer_to(of, c->numbers[3], c->values[1]);
    if (c->numbers[3] < c->numbers[2] && order_key(of, c->values[1]) < order_key(of, c->values[0]))
        refuse(c, "high below low");
}

static mcl_status random_run(mcl_queue *queue, call *c)
{
    return mcl_random(queue, c->out[0], (uint64_t)c->numbers[0], c->numbers[1], c->values[0], c->values[1],
                      c->options_given);
}

/* Mixes bits by the finaliser of SplitMix64. */
static uint64_t mixed(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Returns the number at a position of a seed's sequence, by the split of SplitMix64. */
static uint64_t number_of(uint64_t seed, uint64_t position)
{
    const uint64_t step = UINT64_C(0x9E3779B97F4A7C15);
    uint64_t gamma = mixed(seed + 2 * step) | 1;
    int changes = 0;

    for (int bit = 0; bit < 63; bit++) changes += (int)((gamma >> bit ^ gamma >> (bit + 1)) & 1);
    changes += (int)(gamma >> 63);
    if (changes < 24) gamma ^= UINT64_C(0xAAAAAAAAAAAAAAAA);
    return mixed(mixed(seed + step) + (position + 1) * gamma);
}

/* Returns the high 64 bits of r * span, by digits of 32 bits. */
static uint64_t scaled(uint64_t r, uint64_t span)
{
    const uint64_t digits[] = { r & UINT32_MAX, r >> 32 };
    const uint64_t by[] = { span & UINT32_MAX, span >> 32 };
    const uint64_t middle = digits[1] * by[0] + (digits[0] * by[0] >> 32);
    const uint64_t other = digits[0] * by[1] + (middle & UINT32_MAX);

    return digits[1] * by[1] + (middle >> 32) + (other >> 32);
}

static void random_reference(call *c)
{
    unsigned char element[8];

    for (int64_t k = 0; k < c->out[0].capacity; k++) {
        const uint64_t low = (uint64_t)integer_of(c->out_kind[0], c->values[0]);
        const uint64_t span = (uint64_t)integer_of(c->out_kind[0], c->values[1]) - low + 1;
        const uint64_t r = number_of((uint64_t)c->numbers[0], (uint64_t)c->numbers[1] + (uint64_t)k);
        integer_to(c->out_kind[0], (int64_t)(low + (span ? scaled(r, span) : r)), element);
        output_expect_at(c, 0, k, element);
    }
}

const operation transform_operations[] = {
    { "mcl_transform", REPLACES_OWN, transform_draw, transform_run, transform_reference },
    { "mcl_scatter", 0, scatter_draw, scatter_run, scatter_reference },
    { "mcl_scatter_flagged", 0, scatter_flagged_draw, scatter_flagged_run, scatter_reference },
    { "mcl_random", 0, random_draw, random_run, random_reference },
    { NULL, 0, NULL, NULL, NULL },
};
