/* split.c: random calls of multisplit.h, by an expression, then by splitters; then of splitters.h. */
#include "fuzz.h"

/* indices of numbers: number of buckets, how they are found, number of outputs with elements */
enum { BUCKETS = 0, MODE = 1, MOVED = 2 };
enum { BY_INDEX, BY_ELEMENT, BY_NOTHING, MODES };

/* Makes the operator. For floats and structs only some expressions are tried. */
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

/* Expects elements in the buckets that a function returns. */
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

/* Returns the index of the splitters. Sequences: keys, perhaps values, splitters, perhaps positions. BUCKETS is one
 * more than splitters. */
enum { HAS_POSITIONS = 3 };

static int splitters_at(const call *c)
{
    return (int)c->numbers[MOVED];
}

/* Draws ascending indices. Some are below 0, and some past the end. */
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

/* Returns the input of positions. An input of zero bytes means no positions here, so a call that must be refused gets a
 * text in it. */
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

/* ---- samples -------------------------------------------------------------------------------------------- */

enum { STRIDE, FIRST };

static void sample_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);

    c->numbers[STRIDE] = draw_chance(&c->shape, 20) ? 1 + draw_below(&c->shape, 5000) : 1 + draw_below(&c->shape, 9);
    c->numbers[FIRST] = draw_chance(&c->shape, 50) ? 0 : draw_below(&c->shape, 1000000);
    input_any(c, 0, of, draw_size(c), FILL_ANY);
    const int64_t samples = (c->sequences[0].bound + c->numbers[STRIDE] - 1) / c->numbers[STRIDE];
    output_new(c, 0, of, draw_room(c, samples), -1);
    output_new(c, 1, draw_chance(&c->shape, 50) ? &kind_int32 : &kind_int64, draw_room(c, samples), -1);
}

/* Returns the second output, which may be all zero. An output that was made wrong in this way stays wrong. */
static mcl_output second_of(const call *c)
{
    mcl_output out = c->out[1];

    if (!out.type) out.capacity = -1;
    return out;
}

static mcl_status sample_run(mcl_queue *queue, call *c)
{
    return mcl_splitters_sample(queue, c->in[0], c->numbers[STRIDE], c->numbers[FIRST], c->out[0], second_of(c),
                                c->options_given);
}

/* Expects samples. By the header a sample is any index of its stretch, the same in each run. So the kernel's hash is
 * repeated here. */
static void sample_reference(call *c)
{
    const int64_t count = c->sequences[0].count, stride = c->numbers[STRIDE], first = c->numbers[FIRST];

    for (int64_t s = 0; s * stride < count; s++) {
        const int64_t begin = s * stride, length = count - begin < stride ? count - begin : stride;
        uint64_t h = ((uint64_t)(first + begin) + 1) * UINT64_C(0x9E3779B97F4A7C15);
        h = (h ^ h >> 32) * UINT64_C(0xD6E8FEB86659FD93);
        const int64_t index = begin + (int64_t)((h ^ h >> 32) % (uint64_t)length);
        output_expect_at(c, 0, s, element_at(&c->sequences[0], index));
        expect_number(c, 1, s, first + index);
    }
}

/* Draws a call. Sequences: samples, shares, perhaps positions. */
static void choose_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);
    const kind *position = draw_chance(&c->shape, 50) ? &kind_int32 : &kind_int64;

    c->numbers[MOVED] = 1;
    c->numbers[HAS_POSITIONS] = draw_chance(&c->shape, 50);
    input_any(c, 0, of, draw_size(c), FILL_ANY);
    sequence *const shares = sequence_begin(c, 1, draw_kind(&c->shape, KINDS_INDEX), 1 + draw_below(&c->shape, 60), 0);
    const int64_t most = draw_chance(&c->data, 50) ? 4 : 1000000000;
    for (int64_t k = 0; k < shares->bound; k++)
        integer_to(shares->of, draw_chance(&c->data, 30) ? -1 : draw_below(&c->data, most),
                   shares->data + (size_t)k * shares->of->type->size);
    sequence_finish(c, 1);
    if (c->numbers[HAS_POSITIONS]) input_carried(c, 2, position, 0);
    output_new(c, 0, of, draw_room(c, shares->bound - 1), -1);
    if (c->numbers[HAS_POSITIONS]) output_new(c, 1, position, draw_room(c, shares->bound - 1), -1);
}

static mcl_status choose_run(mcl_queue *queue, call *c)
{
    const mcl_output none = { 0 };

    return mcl_splitters_choose(queue, c->in[0], positions_of(c), c->in[1], c->out[0],
                                c->numbers[HAS_POSITIONS] ? second_of(c) : none, c->options_given);
}

static uint64_t share_at(const call *c, int64_t k)
{
    const int64_t share = integer_of(c->sequences[1].of, element_at(&c->sequences[1], k));

    return share < 0 ? 0 : (uint64_t)share;
}

static void choose_reference(call *c)
{
    const int64_t count = c->sequences[0].count, parts = c->sequences[1].bound;
    uint64_t total = 0, before = 0;
    int bits = 0;

    for (int64_t k = 0; k < parts; k++) total += share_at(c, k);
    while (total >> bits >> 31) bits++;
    for (int64_t k = 0; k + 1 < parts && total > 0 && count > 0; k++) {
        before += share_at(c, k);
        const uint64_t index = (uint64_t)count * (before >> bits) / (total >> bits);
        const int64_t chosen = index < (uint64_t)count ? (int64_t)index : count - 1;
        output_expect_at(c, 0, k, element_at(&c->sequences[0], chosen));
        if (c->numbers[HAS_POSITIONS]) output_expect_at(c, 1, k, element_at(&c->sequences[2], chosen));
    }
}

const operation split_operations[] = {
    { "mcl_multisplit", MAY_LACK_OUTPUTS, split_draw, split_run, split_reference },
    { "mcl_multisplit_pairs", MAY_LACK_OUTPUTS, split_pairs_draw, split_pairs_run, split_reference },
    { "mcl_multisplit_by_splitters", MAY_LACK_OUTPUTS, splitters_draw, splitters_run, splitters_reference },
    { "mcl_multisplit_by_splitters_pairs", MAY_LACK_OUTPUTS, splitters_pairs_draw, splitters_pairs_run,
      splitters_reference },
    { "mcl_splitters_sample", 0, sample_draw, sample_run, sample_reference },
    { "mcl_splitters_choose", 0, choose_draw, choose_run, choose_reference },
    { NULL, 0, NULL, NULL, NULL },
};
