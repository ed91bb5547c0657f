/* folds.c: the operators of reductions and scans, each with the same operator on the host. */
#include "fuzz.h"

#include <string.h>

enum {
    FOLD_ADD,
    FOLD_MIN,
    FOLD_MAX,
    FOLD_OR,
    FOLD_AND,
    FOLD_XOR,
    FOLD_WIDE,
    FOLD_AFFINE,
    FOLD_FIRST,
    FOLD_LAST,
    FOLD_BOUND,
    FOLD_MAX_INDEX,
    FOLD_MIN_INDEX,
    FOLDS
};

/* Returns the accumulator of a kind of integers with integer results. It has the wider type's bytes and the elements'
 * sign. */
static const kind *widened(const kind *in, const kind *out)
{
    static const kind *const kinds[] = {
        &kind_int16, &kind_int32, &kind_int64, &kind_uint16, &kind_uint32, &kind_uint64
    };
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const int same_sign = (kinds[k]->traits & KIND_UNSIGNED) == (in->traits & KIND_UNSIGNED);
        if (same_sign && kinds[k]->type->size == out->type->size && out->type->size > in->type->size) return kinds[k];
    }
    return in;
}

enum { STREAM_REALS = 4000 };

/* Draws a fold of floats, to a wider result, or with NaN and signed zeros. It uses a separate stream, so that other
 * calls stay as they were. */
static void fold_reals(const call *c, fold *made)
{
    stream shape = stream_of(c->shape.state, STREAM_REALS, 0);
    stream data = stream_of(c->data.state, STREAM_REALS, 0);
    const int is_float = made->in->traits & KIND_FLOAT || (made->mode <= FOLD_MAX && draw_chance(&shape, 40));
    const int is_wide_sum = made->mode > FOLD_MAX && c->w->info.has_double && draw_chance(&shape, 20);

    if (is_wide_sum) {
        made->mode = FOLD_ADD; /* the only fold that shows the type in which floats were added */
        made->in = &kind_float;
    }
    if (!is_float && !is_wide_sum) return;
    if (!(made->in->traits & KIND_FLOAT)) {
        made->in = made->value = made->out = &kind_float;
        made->how = FILL_SMALL;
    }
    if (is_wide_sum || (made->in->type == MCL_FLOAT && c->w->info.has_double && draw_chance(&shape, 40))) {
        made->out = made->value = &kind_double;
        made->how = FILL_LARGE;
    } else if (made->mode != FOLD_ADD && draw_chance(&data, 50)) {
        made->how = draw_chance(&data, 50) ? FILL_ENDS : FILL_ENDS_NEGATIVE;
    }
}

static void fold_plain(call *c, int k, fold *made)
{
    static const mcl_op *const built_in[] = { MCL_ADD, MCL_MIN, MCL_MAX, MCL_OR, MCL_AND, MCL_XOR };
    const kind *of = draw_kind(&c->shape, made->mode > FOLD_MAX ? KINDS_INTEGER : KINDS_NUMBER);

    if (of->traits & KIND_HALF) of = &kind_float;
    made->in = made->value = made->out = of;
    made->how = made->mode > FOLD_MAX ? FILL_ANY : FILL_SMALL;
    if (of->traits & KIND_INTEGER && draw_chance(&c->shape, 40)) {
        made->out = draw_kind(&c->shape, KINDS_INTEGER);
        made->value = widened(of, made->out);
        made->how = draw_chance(&c->data, 50) ? FILL_ANY : made->how;
    }
    fold_reals(c, made);
    c->op_given[k] = built_in[made->mode];
}

static void fold_of_one(call *c, int k, fold *made)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);

    if (of->traits & KIND_HALF) of = &kind_float;
    made->in = made->value = made->out = of;
    made->how = FILL_ANY;
    made->has_identity = 0;
    c->ops[k].expression = made->mode == FOLD_FIRST ? "p" : "q";
}

static void fold_affine(call *c, int k, fold *made)
{
    made->in = made->value = made->out = &kind_affine;
    made->how = FILL_ANY;
    c->ops[k].source = "static inline fuzz_affine fuzz_then(const fuzz_affine p, const fuzz_affine q)"
                       "{ fuzz_affine r; r.key = (int32_t)((uint32_t)p.key * (uint32_t)q.key);"
                       " r.term = p.term * (uint32_t)q.key + q.term; return r; }"
                       "static inline fuzz_affine fuzz_one(void) { fuzz_affine r; r.key = 1; r.term = 0; return r; }";
    c->ops[k].expression = "fuzz_then(p, q)";
    c->ops[k].identity = "fuzz_one()";
}

fold fold_new(call *c, int k)
{
    fold made = { .mode = (int)draw_below(&c->shape, FOLDS), .has_identity = 1 };
    const int32_t modulus = 1009;

    c->ops[k] = (mcl_op){ .role = MCL_ROLE_FOLD };
    c->op_given[k] = &c->ops[k];
    if (k >= c->op_count) c->op_count = k + 1;
    switch (made.mode) {
    case FOLD_WIDE:
        made.in = draw_chance(&c->shape, 50) ? &kind_int8 : &kind_int32;
        made.value = made.out = &kind_int64;
        made.how = FILL_ANY;
        c->ops[k] = (mcl_op){ .role = MCL_ROLE_FOLD,
                              .expression = "p + q",
                              .identity = "0",
                              .value = MCL_INT64,
                              .extract = "x * 2 + i % 3",
                              .commutative = 1 };
        if (made.in == &kind_int32) c->ops[k].extract = "(int64_t)x * 2 + i % 3";
        break;
    case FOLD_BOUND:
        made.in = made.value = made.out = &kind_uint32;
        made.how = FILL_SMALL;
        c->ops[k] =
            (mcl_op){ .role = MCL_ROLE_FOLD, .expression = "(p + q) % modulus", .identity = "0", .binding_count = 1 };
        c->ops[k].bindings[0] = mcl_binding_value("modulus", MCL_INT32, &modulus);
        break;
    case FOLD_MAX_INDEX:
    case FOLD_MIN_INDEX:
        made.in = draw_kind(&c->shape, KINDS_INTEGER);
        made.value = &kind_indexed;
        made.out = draw_kind(&c->shape, KINDS_INDEX);
        made.how = draw_chance(&c->data, 50) ? FILL_ANY : FILL_FEW;
        c->op_given[k] = made.mode == FOLD_MAX_INDEX ? MCL_MAX_INDEX : MCL_MIN_INDEX;
        break;
    case FOLD_AFFINE:
        fold_affine(c, k, &made);
        break;
    case FOLD_FIRST:
    case FOLD_LAST:
        fold_of_one(c, k, &made);
        break;
    default:
        fold_plain(c, k, &made);
        break;
    }
    return made;
}

/* ---- on the host ---------------------------------------------------------------------------------------- */

static double real_of(const kind *of, const void *element)
{
    float narrow;
    double wide;

    memcpy(&narrow, element, sizeof narrow);
    if (of->type == MCL_FLOAT) return (double)narrow;
    memcpy(&wide, element, sizeof wide);
    return wide;
}

static void real_to(const kind *of, double value, void *element)
{
    const float narrow = (float)value;

    if (of->type == MCL_FLOAT)
        memcpy(element, &narrow, sizeof narrow);
    else
        memcpy(element, &value, sizeof value);
}

/* Converts an element to an accumulator. */
static void widen(const fold *by, const void *x, void *v)
{
    unsigned char element[MCL_VALUE_BYTES_MAX];

    memcpy(element, x, by->in->type->size);
    if (by->value == by->in)
        memcpy(v, element, by->in->type->size);
    else if (by->value->traits & KIND_FLOAT)
        real_to(by->value, real_of(by->in, element), v);
    else
        integer_to(by->value, integer_of(by->in, element), v);
}

void fold_extract(const fold *by, const void *x, int64_t i, void *v)
{
    if (by->value == &kind_indexed) {
        integer_to(&kind_int64, order_key(by->in, x), v);
        integer_to(&kind_int64, i, (unsigned char *)v + 8);
    } else if (by->mode == FOLD_WIDE)
        integer_to(by->value, integer_of(by->in, x) * 2 + i % 3, v);
    else
        widen(by, x, v);
}

static void affine_plus(const void *p, const void *q, void *out)
{
    uint32_t a[2];
    uint32_t b[2];

    memcpy(a, p, sizeof a);
    memcpy(b, q, sizeof b);
    a[1] = a[1] * b[0] + b[1];
    a[0] *= b[0];
    memcpy(out, a, sizeof a);
}

static uint64_t integers_plus(const fold *by, const void *p, const void *q)
{
    const uint64_t a = (uint64_t)integer_of(by->value, p);
    const uint64_t b = (uint64_t)integer_of(by->value, q);

    switch (by->mode) {
    case FOLD_OR:
        return a | b;
    case FOLD_AND:
        return a & b;
    case FOLD_XOR:
        return a ^ b;
    case FOLD_BOUND:
        return (a + b) % 1009;
    default:
        return a + b;
    }
}

static int is_identity(const fold *by, const void *v)
{
    unsigned char identity[MCL_VALUE_BYTES_MAX];

    fold_identity(by, identity);
    return memcmp(v, identity, by->value->type->size) == 0;
}

void fold_plus(const fold *by, const void *p, const void *q, void *out)
{
    const size_t size = by->value->type->size;

    if (by->how >= FILL_ENDS && (is_identity(by, p) || is_identity(by, q))) {
        memmove(out, is_identity(by, p) ? q : p, size); /* a minimum of NaN alone is NaN */
    } else if (by->mode == FOLD_FIRST) {
        memmove(out, p, size);
    } else if (by->mode == FOLD_LAST) {
        memmove(out, q, size);
    } else if (by->mode == FOLD_AFFINE) {
        affine_plus(p, q, out);
    } else if (by->mode == FOLD_MIN || by->mode == FOLD_MIN_INDEX) {
        memmove(out, order_key(by->value, q) < order_key(by->value, p) ? q : p, size);
    } else if (by->mode == FOLD_MAX || by->mode == FOLD_MAX_INDEX) {
        memmove(out, order_key(by->value, q) > order_key(by->value, p) ? q : p, size);
    } else if (by->value->traits & KIND_FLOAT) {
        real_to(by->value, real_of(by->value, p) + real_of(by->value, q), out);
    } else {
        integer_to(by->value, (int64_t)integers_plus(by, p, q), out);
    }
}

static void extreme(const kind *of, int highest, void *v)
{
    const int bits = (int)of->type->size * 8;
    const uint64_t ones = bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
    const uint64_t infinity = of->type == MCL_FLOAT ? UINT64_C(0x7f800000) : UINT64_C(0x7ff0000000000000);
    uint64_t value = highest ? ones : 0;

    if (of->traits & KIND_FLOAT)
        value = highest ? infinity : infinity | UINT64_C(1) << (bits - 1);
    else if (!(of->traits & KIND_UNSIGNED))
        value = highest ? ones >> 1 : (ones >> 1) + 1;
    integer_to(of, (int64_t)value, v);
}

void fold_identity(const fold *by, void *v)
{
    memset(v, by->mode == FOLD_AND || by->value == &kind_indexed ? 0xff : 0, by->value->type->size);
    if (by->mode == FOLD_AFFINE) integer_to(&kind_affine, 1, v);
    if (by->mode == FOLD_MIN || by->mode == FOLD_MAX) extreme(by->in, by->mode == FOLD_MIN, v);
    if (by->mode <= FOLD_XOR) widen(by, v, v); /* these folds convert it as they convert elements */
}

void fold_store(const fold *by, const void *v, void *out)
{
    if (by->value == &kind_indexed)
        integer_to(by->out, integer_of(&kind_int64, (const unsigned char *)v + 8), out);
    else if (by->out != by->value)
        integer_to(by->out, integer_of(by->value, v), out);
    else
        memmove(out, v, by->out->type->size);
}

void fold_initial(call *c, const fold *by)
{
    if (!draw_chance(&c->data, 35) || by->value == &kind_indexed) return;
    fill_elements(&c->data, by->mode == FOLD_WIDE ? by->value : by->in, by->how, c->initial, 1);
    c->options.initial = c->initial;
}

int fold_begin(const fold *by, const call *c, void *begin)
{
    if (c->options.initial) {
        if (by->mode == FOLD_WIDE)
            memcpy(begin, c->initial, by->value->type->size);
        else
            widen(by, c->initial, begin);
        return 1;
    }
    if (by->has_identity) fold_identity(by, begin);
    return by->has_identity;
}
