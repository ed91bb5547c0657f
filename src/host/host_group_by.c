/* host_group_by.c: mcl_host_group_by. Each chunk is folded to one element for each of its keys. Elements of one key
 * from different chunks meet in a bucket, where they are folded again. */
#include "host/host_call.h"

#include "moderncl/group_by.h"

#include <stdio.h>
#include <stdlib.h>

enum { KEY_BYTES_MOST = 16, NAME_BYTES = 32, TYPE_TEXT_BYTES = 96, ORDER_TEXT_BYTES = 320 };
enum { AGGREGATES_MOST = MCL__HOST_COLUMNS_MAX - 1 };

/* The type and order for keys of a size that no integer has: structs of bytes, compared byte by byte. */
typedef struct key_bytes {
    char name[NAME_BYTES], type_text[TYPE_TEXT_BYTES], order_text[ORDER_TEXT_BYTES];
    mcl_type type;
    mcl_op before;
} key_bytes;

/* The operators of a column. local folds the caller's elements, and joined combines the folds of chunks. */
typedef struct fold_column {
    mcl_op local, joined;
    const mcl_op *given;
    int is_counted; /* 1 if no values are given, so that ones are folded */
    int place;      /* index of the caller's aggregate */
} fold_column;

/* A call with its operators and inputs. It is allocated on the heap, since it is too large for a small stack. */
typedef struct group_call {
    mcl__host_call base; /* must be the first member: work casts its address to group_call */
    key_bytes bytes;
    fold_column folds[MCL__HOST_COLUMNS_MAX];  /* folds of the columns; column 0 has the keys, and no fold */
    mcl_aggregate aggregates[AGGREGATES_MOST]; /* aggregates of the work to enqueue next, in the caller's order; those
                                                * without out are included, so that their texts are checked */
    int aggregate_count;
} group_call;

/* ---- work ---------------------------------------------------------------------------------------------------- */

static mcl_output out_of(const mcl__channel *channel, const mcl__host_columns *columns, int c, int64_t count)
{
    return columns->types[c] ? mcl_to_buffer(columns->types[c], channel->to[c], 0, count) : (mcl_output){ 0 };
}

static mcl_status group(const mcl__host_call *call, const mcl__channel *channel, mcl__stage stage, int64_t count)
{
    group_call *const own = (group_call *)(uintptr_t)call;
    const int is_first = stage == MCL__STAGE_WHOLE || stage == MCL__STAGE_FIRST;
    const int is_last = stage == MCL__STAGE_WHOLE || stage == MCL__STAGE_LAST;
    const mcl__host_columns *const from = is_first ? &call->in : &call->kept, *const to =
                                                                                  is_last ? &call->out : &call->kept;
    const int64_t one = 1;
    for (int c = 1; c < call->column_count; ++c) {
        const fold_column *const fold = &own->folds[c];
        const int is_one = is_first && fold->is_counted;
        own->aggregates[fold->place] = (mcl_aggregate){
            .values = is_one ? mcl_from_constant(MCL_INT64, &one, count)
                             : mcl_from_buffer(from->types[c], channel->from[c], 0, count),
            .op = stage == MCL__STAGE_WHOLE ? fold->given
                  : is_first                ? &fold->local
                                            : &fold->joined,
            .out = out_of(channel, to, c, count),
        };
    }
    for (int k = 0; k < own->aggregate_count; ++k) own->aggregates[k].values.count = count;
    return mcl_group_by(channel->queue, mcl_from_buffer(call->kept.types[0], channel->from[0], 0, count),
                        out_of(channel, to, 0, count), own->aggregates, own->aggregate_count,
                        mcl_to_slot(MCL_INT64, channel->found, 0), NULL);
}

/* ---- keys ---------------------------------------------------------------------------------------------------- */

/* Gives keys a type and an order, which is the order of groups in mcl_group_by. Signed integers keep their type. Other
 * keys become unsigned integers with the same bits or, in other sizes, structs of bytes. */
static void describe_keys(group_call *call, const mcl_type *type)
{
    key_bytes *const bytes = &call->bytes;
    const size_t size = type->size;
    const mcl_type *bits = size == 1 ? MCL_UINT8 : size == 2 ? MCL_UINT16 : size == 4 ? MCL_UINT32 : MCL_UINT64;
    call->base.before = MCL_LESS;
    if (type->kind == MCL_KIND_SIGNED) bits = type;
    if (size != 1 && size != 2 && size != 4 && size != 8) {
        snprintf(bytes->name, sizeof bytes->name, "mcl_key_bytes_%d", (int)size);
        snprintf(bytes->type_text, sizeof bytes->type_text, "typedef struct { uint8_t at[%d]; } %s;", (int)size,
                 bytes->name);
        snprintf(bytes->order_text, sizeof bytes->order_text,
                 "static inline int mcl_key_bytes_before(%s p, %s q) { for (int k = %d; k > 0; --k)"
                 " if (p.at[k] != q.at[k]) return p.at[k] < q.at[k]; return p.at[0] < q.at[0]; }",
                 bytes->name, bytes->name, (int)size - 1);
        bytes->type = (mcl_type){ .name = bytes->name, .size = size, .alignment = 1, .source = bytes->type_text };
        bytes->before =
            (mcl_op){ .role = MCL_ROLE_ORDER, .expression = "mcl_key_bytes_before(p, q)", .source = bytes->order_text };
        bits = &bytes->type;
        call->base.before = &bytes->before;
    }
    call->base.in.types[0] = call->base.kept.types[0] = bits;
    if (call->base.out.data[0]) call->base.out.types[0] = bits;
}

/* ---- folds --------------------------------------------------------------------------------------------------- */

static mcl_status check_aggregate(const mcl_host_aggregate *of, int k, int64_t count)
{
    char name[NAME_BYTES + 16];
    snprintf(name, sizeof name, "aggregates[%d].values", k);
    if (!of->op) return mcl__fail(MCL_ERROR_ARGUMENT, "aggregates[%d].op is NULL; expected a fold", k);
    if (of->op->role == MCL_ROLE_MEAN)
        return mcl__fail(MCL_ERROR_UNSUPPORTED, "aggregates[%d].op is MCL_MEAN; expected a sum and a count", k);
    if ((of->op->role != 0 && of->op->role != MCL_ROLE_FOLD) || !of->op->expression)
        return mcl__fail(MCL_ERROR_ARGUMENT, "aggregates[%d].op is no fold; expected an operator of MCL_ROLE_FOLD", k);
    if (of->op->combine) return mcl__fail(MCL_ERROR_UNSUPPORTED, "aggregates[%d].op has combine; expected none", k);
    if (of->op->value && of->op->value->size == 0)
        return mcl__fail(MCL_ERROR_UNSUPPORTED,
                         "aggregates[%d].op has the accumulator %s; expected one without an index", k,
                         of->op->value->name ? of->op->value->name : "without a name");
    if (of->value_type) {
        MCL__TRY(mcl__host_check_array(name, of->values, count));
        snprintf(name, sizeof name, "aggregates[%d].value_type", k);
        MCL__TRY(mcl__host_check_type(name, of->value_type));
    } else if (of->values) {
        return mcl__fail(MCL_ERROR_TYPE, "%s is given, and its type is NULL; expected an element type", name);
    }
    snprintf(name, sizeof name, "aggregates[%d].out_type", k);
    return of->out ? mcl__host_check_type(name, of->out_type) : MCL_OK;
}

static void plan_fold(group_call *call, const mcl_host_aggregate *of, int place)
{
    const int c = call->base.column_count++;
    fold_column *const fold = &call->folds[c];
    const mcl_type *const element = of->value_type ? of->value_type : MCL_INT64;
    const mcl_type *partial = mcl_op_accumulator(of->op, element, &of->out_type, 1);
    if (partial->kind == MCL_KIND_FLOAT && partial->size == 2) partial = MCL_FLOAT;
    fold->given = of->op;
    fold->place = place;
    fold->is_counted = !of->value_type;
    fold->local = *of->op;
    if (partial != (of->op->value ? of->op->value : element)) fold->local.value = partial;
    fold->joined = fold->local;
    fold->joined.extract = NULL;
    fold->joined.value = partial;
    call->base.in.types[c] = of->value_type;
    call->base.in.data[c] = (unsigned char *)(uintptr_t)of->values;
    call->base.kept.types[c] = partial;
    call->base.out.types[c] = of->out_type;
    call->base.out.data[c] = of->out;
}

/* Plans the column of an aggregate. An aggregate without out gets no column, since its values are not needed. */
static void plan_aggregate(group_call *call, const mcl_host_aggregate *of, int place)
{
    static const unsigned char zero[MCL_VALUE_BYTES_MAX];
    const mcl_type *const element = of->value_type ? of->value_type : MCL_INT64;
    if (of->out)
        plan_fold(call, of, place);
    else
        call->aggregates[place] = (mcl_aggregate){ .values = mcl_from_constant(element, zero, 0), .op = of->op };
}

/* ---- the call ------------------------------------------------------------------------------------------------ */

/* Checks that no output overlaps an input, another output or the scratch. */
static mcl_status check_memory(const group_call *call, int64_t capacity)
{
    const mcl__host_call *const base = &call->base;
    mcl__host_memory in[MCL__HOST_COLUMNS_MAX], out[MCL__HOST_COLUMNS_MAX];
    for (int c = 0; c < base->column_count; ++c) {
        const mcl_type *const from = base->in.types[c], *const to = base->out.types[c];
        in[c] =
            (mcl__host_memory){ c ? "values" : "keys", base->in.data[c], from ? (size_t)base->count * from->size : 0 };
        out[c] = (mcl__host_memory){ c ? "an aggregate's out" : "out_keys", base->out.data[c],
                                     to ? (size_t)capacity * to->size : 0 };
    }
    return mcl__host_check_memory(base->room, in, base->column_count, out, base->column_count, 0);
}

static mcl_status check(group_call *call, const mcl_type *key_type, const mcl_host_aggregate *aggregates,
                        int aggregate_count)
{
    const int64_t count = call->base.count;
    MCL__TRY(mcl__host_check_room(call->base.room));
    MCL__TRY(mcl__host_check_count("count", count));
    MCL__TRY(mcl__host_check_count("capacity", call->base.out_capacity));
    MCL__TRY(mcl__host_check_type("key_type", key_type));
    if (key_type->size > KEY_BYTES_MOST)
        return mcl__fail(MCL_ERROR_TYPE, "key_type has keys of %zu bytes; expected 1 to %d", key_type->size,
                         (int)KEY_BYTES_MOST);
    MCL__TRY(mcl__host_check_array("keys", call->base.in.data[0], count));
    if (aggregate_count < 0 || aggregate_count > AGGREGATES_MOST || (aggregate_count > 0 && !aggregates))
        return mcl__fail(MCL_ERROR_ARGUMENT, "aggregate_count is %d and aggregates is %s; expected 0 to %d aggregates",
                         aggregate_count, aggregates ? "given" : "NULL", (int)AGGREGATES_MOST);
    for (int k = 0; k < aggregate_count; ++k) MCL__TRY(check_aggregate(&aggregates[k], k, count));
    return MCL_OK;
}

static mcl_status group_all(group_call *call, const mcl_type *key_type, const mcl_host_aggregate *aggregates,
                            int aggregate_count)
{
    const int64_t capacity = call->base.out_capacity;
    MCL__TRY(check(call, key_type, aggregates, aggregate_count));
    describe_keys(call, key_type);
    call->aggregate_count = aggregate_count;
    for (int k = 0; k < aggregate_count; ++k) plan_aggregate(call, &aggregates[k], k);
    MCL__TRY(check_memory(call, capacity));
    MCL__TRY(mcl__host_run(&call->base));
    if (capacity == 0 || call->base.out_count <= capacity) return MCL_OK;
    return mcl__fail(MCL_ERROR_CAPACITY, "capacity is %lld; expected %lld or more", (long long)capacity,
                     (long long)call->base.out_count);
}

mcl_status mcl_host_group_by(const mcl_host_room *room, const mcl_type *key_type, const void *keys, int64_t count,
                             const mcl_host_aggregate *aggregates, int aggregate_count, void *out_keys,
                             int64_t capacity, int64_t *group_count)
{
    mcl__function_is("mcl_host_group_by");
    group_call *const call = calloc(1, sizeof *call);
    if (!call) return mcl__fail(MCL_ERROR_MEMORY, "host memory for the call is exhausted");
    call->base = (mcl__host_call){ .room = room,
                                   .work = group,
                                   .column_count = 1,
                                   .folds = 1,
                                   .count = count,
                                   .second_begin = count,
                                   .out_capacity = capacity,
                                   .in = { .data = { (unsigned char *)(uintptr_t)keys } },
                                   .out = { .data = { out_keys } } };
    const mcl_status status = group_all(call, key_type, aggregates, aggregate_count);
    if (group_count && (status == MCL_OK || status == MCL_ERROR_CAPACITY)) *group_count = call->base.out_count;
    free(call);
    return status;
}
