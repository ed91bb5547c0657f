/* split.c: random calls of multisplit.h: by an expression, then by splitters. */
#include "fuzz.h"

enum { BUCKETS = 0, MODE = 1, MOVED = 2 }; /* numbers: how many buckets, how they are found, outputs of elements */
enum { BY_INDEX, BY_ELEMENT, BY_NOTHING, MODES };

/* Of floats and of structs only some expressions are tried. */
static void bucket_new(call *c, const kind *of)
{
    static const char *const of_integers[MODES] = { "i * 7 % 300 - 20", "x % 40", "3" };
    int mode = (int)draw_below(&c->shape, MODES);

    if (mode == BY_ELEMENT && of->traits & (KIND_FLOAT | KIND_STRUCT | KIND_HALF)) mode = BY_INDEX;
    c->numbers[MODE] = mode;
    c->numbers[BUCKETS] = draw_chance(&c->shape, 30) ? 256 : 1 + draw_below(&c->shape, 256);
    c->ops[0] = (mcl_op){ .role = MCL_ROLE_INDEX, .expression = of_integers[mode] };
    c->op_given[0] = &c->ops[0];
    c->op_count = 1;
}

static int64_t bucket_of(const call *c, int64_t k)
{
    const sequence *in = &c->sequences[0];
    int64_t number = 3;

    if (c->numbers[MODE] == BY_INDEX) number = k * 7 % 300 - 20;
    if (c->numbers[MODE] == BY_ELEMENT) {
        number = integer_of(in->of, element_at(in, k));
        number = in->of->type->kind == MCL_KIND_UNSIGNED ? (int64_t)((uint64_t)number % 40) : number % 40;
    }
    return number >= 0 && number < c->numbers[BUCKETS] ? number : c->numbers[BUCKETS] - 1;
}

static void split_any_draw(call *c, int has_values)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);
    const kind *value = has_values ? draw_kind(&c->shape, KINDS_ANY) : NULL;

    bucket_new(c, of);
    c->numbers[MOVED] = 1 + has_values;
    input_any(c, 0, of, draw_size(c), FILL_ANY);
    if (has_values) input_carried(c, 1, value, 0);
    output_new(c, 0, of, draw_room(c, c->sequences[0].bound), -1);
    if (has_values) output_new(c, 1, value, draw_room(c, c->sequences[0].bound), -1);
    for (int k = 1 + has_values; k < 3 + has_values; k++)
        output_new(c, k, draw_kind(&c->shape, KINDS_INDEX), draw_room(c, c->numbers[BUCKETS] + 1), -1);
}

static void split_draw(call *c)
{
    split_any_draw(c, 0);
}

static void split_pairs_draw(call *c)
{
    split_any_draw(c, 1);
}

static mcl_status split_run(mcl_queue *queue, call *c)
{
    return mcl_multisplit(queue, c->in[0], c->out[0], c->op_given[0], (int)c->numbers[BUCKETS], c->out[1], c->out[2],
                          c->options_given);
}

static mcl_status split_pairs_run(mcl_queue *queue, call *c)
{
    return mcl_multisplit_pairs(queue, c->in[0], c->in[1], c->out[0], c->out[1], c->op_given[0],
                                (int)c->numbers[BUCKETS], c->out[2], c->out[3], c->options_given);
}

static void expect_number(call *c, int k, int64_t index, int64_t number)
{
    unsigned char bytes[8];

    integer_to(c->out_kind[k], number, bytes);
    output_expect_at(c, k, index, bytes);
}

/* What is expected of elements in the buckets that a function gives. */
static void split_expect(call *c, int64_t (*bucket)(const call *c, int64_t k))
{
    const int64_t buckets = c->numbers[BUCKETS], count = c->sequences[0].count;
    const int moved = (int)c->numbers[MOVED];
    int64_t counts[256] = { 0 }, next[257] = { 0 };

    for (int64_t k = 0; k < count; k++) counts[bucket(c, k)]++;
    for (int64_t b = 0; b < buckets; b++) {
        next[b + 1] = next[b] + counts[b];
        expect_number(c, moved, b, next[b]);
        expect_number(c, moved + 1, b, counts[b]);
    }
    expect_number(c, moved, buckets, count);
    for (int64_t k = 0; k < count; k++) {
        const int64_t to = next[bucket(c, k)]++;
        for (int m = 0; m < moved; m++) output_expect_at(c, m, to, element_at(&c->sequences[m], k));
    }
}

static void split_reference(call *c)
{
    split_expect(c, bucket_of);
}

/* ---- by splitters --------------------------------------------------------------------------------------- */

/* Sequences: keys, maybe values, then splitters, maybe positions. BUCKETS is one more than splitters. */
enum { HAS_POSITIONS = 3 };

static int splitters_at(const call *c)
{
    return (int)c->numbers[MOVED];
}

/* Ascending indices, some below 0 and some past the end. */
static void positions_draw(call *c, int k, int64_t count)
{
    sequence *const of = sequence_begin(c, k, draw_chance(&c->shape, 50) ? &kind_int32 : &kind_int64, count, 0);
    const int64_t step = 1 + 2 * c->sequences[0].bound / (count + 1);
    int64_t position = -step;

    for (int64_t j = 0; j < count; j++, position += draw_below(&c->shape, step + 1))
        integer_to(of->of, position, of->data + (size_t)j * of->of->type->size);
    sequence_finish(c, k);
}

static void splitters_any_draw(call *c, int has_values)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);
    const kind *value = has_values ? draw_kind(&c->shape, KINDS_ANY) : NULL;
    const int64_t splitters = draw_chance(&c->shape, 20) ? 255 : draw_below(&c->shape, 40);
    const int k = 1 + has_values;

    c->by = order_new(c, 0, of);
    c->numbers[MOVED] = k;
    c->numbers[BUCKETS] = splitters + 1;
    c->numbers[HAS_POSITIONS] = draw_chance(&c->shape, 50);
    input_any(c, 0, of, draw_size(c), draw_chance(&c->shape, 50) ? FILL_FEW : FILL_ANY);
    if (has_values) input_carried(c, 1, value, 0);
    sequence_begin(c, k, of, splitters, 0);
    sequence_sorted(c, k, &c->by, 0);
    sequence_finish(c, k);
    if (c->numbers[HAS_POSITIONS]) positions_draw(c, k + 1, splitters);
    output_new(c, 0, of, draw_room(c, c->sequences[0].bound), -1);
    if (has_values) output_new(c, 1, value, draw_room(c, c->sequences[0].bound), -1);
    for (int j = k; j < k + 2; j++)
        output_new(c, j, draw_kind(&c->shape, KINDS_INDEX), draw_room(c, splitters + 2), -1);
}

static void splitters_draw(call *c)
{
    splitters_any_draw(c, 0);
}

static void splitters_pairs_draw(call *c)
{
    splitters_any_draw(c, 1);
}

/* An input of zeroes is wrong elsewhere, and says here that there are no positions: it gets a text, to be wrong. */
static mcl_input positions_of(const call *c)
{
    mcl_input positions = { 0 };

    if (!c->numbers[HAS_POSITIONS]) return positions;
    positions = c->in[splitters_at(c) + 1];
    if (!positions.type) positions.expression = "0";
    return positions;
}

static mcl_status splitters_run(mcl_queue *queue, call *c)
{
    return mcl_multisplit_by_splitters(queue, c->in[0], c->out[0], c->in[1], positions_of(c), c->op_given[0], c->out[1],
                                       c->out[2], c->options_given);
}

static mcl_status splitters_pairs_run(mcl_queue *queue, call *c)
{
    return mcl_multisplit_by_splitters_pairs(queue, c->in[0], c->in[1], c->out[0], c->out[1], c->in[2], positions_of(c),
                                             c->op_given[0], c->out[2], c->out[3], c->options_given);
}

static int64_t bucket_between(const call *c, int64_t k)
{
    const sequence *splitters = &c->sequences[splitters_at(c)], *positions = splitters + 1;
    const void *x = element_at(&c->sequences[0], k);
    int64_t bucket = 0;

    for (int64_t s = 0; s < c->numbers[BUCKETS] - 1; s++) {
        const void *splitter = element_at(splitters, s);
        if (order_before(&c->by, x, splitter)) continue;
        const int is_earlier = c->numbers[HAS_POSITIONS] && !order_before(&c->by, splitter, x) &&
                               k < integer_of(positions->of, element_at(positions, s));
        bucket += !is_earlier;
    }
    return bucket;
}

static void splitters_reference(call *c)
{
    split_expect(c, bucket_between);
}

const operation split_operations[] = {
    { "mcl_multisplit", MAY_LACK_OUTPUTS, split_draw, split_run, split_reference },
    { "mcl_multisplit_pairs", MAY_LACK_OUTPUTS, split_pairs_draw, split_pairs_run, split_reference },
    { "mcl_multisplit_by_splitters", MAY_LACK_OUTPUTS, splitters_draw, splitters_run, splitters_reference },
    { "mcl_multisplit_by_splitters_pairs", MAY_LACK_OUTPUTS, splitters_pairs_draw, splitters_pairs_run,
      splitters_reference },
    { NULL, 0, NULL, NULL, NULL },
};
