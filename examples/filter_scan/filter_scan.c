/* filter_scan.c: the call on the kernels of filter_scan.cl. */
#include "filter_scan.h"

#include "filter_scan.cl.h"

#define MEMBER(type, name) { #name, offsetof(type, name) }
static const mcl_member entry_members[] = { MEMBER(entry, cents), MEMBER(entry, booking), MEMBER(entry, partner) };

const mcl_type booking_type = MCL_TYPE(booking, statement_source);
const mcl_type balance_type = MCL_TYPE(balance, statement_source);
/* With its members' places checked too, when the kernel is built. */
const mcl_type entry_type = {
    .name = "entry",
    .size = sizeof(entry),
    .alignment = MCL_ALIGNOF(entry),
    .source = statement_source,
    .member_count = 3,
    .members = entry_members,
    .kind = MCL_KIND_STRUCT,
};

enum { CLEAR, TILES };

static const mcl_tile_row rows[] = {
    { .device = "gpu", .threads = 128, .items = 7 },
    { .device = "cpu", .threads = 64, .items = 4 },
    { .threads = 1, .items = 4096 },
};

static mcl_kernel describe(const mcl_op *fold, int look_back)
{
    return (mcl_kernel){
        .name = "filter_scan.cl",
        .text = filter_scan_cl,
        .operation = "filter_scan",
        .passes = { [CLEAR] = { "filter_clear", "state:array ticket:array index_type" },
                    [TILES] = { "filter_tiles", "env in out total limit:index_type state:array ticket:array" } },
        .operators = { { "fold", MCL_ROLE_FOLD, fold, &booking_type, &balance_type } },
        .inputs = { { "in", &booking_type } },
        .outputs = { { "out", &entry_type }, { "total", &balance_type } },
        .defines = { { "LOOK_BACK", look_back } },
        .rows = rows,
        .row_count = sizeof rows / sizeof rows[0],
        .local_bytes = 64,
        .local_bytes_per_thread = sizeof(balance),
        .local_bytes_per_item = sizeof(booking),
        .index_bits = 32,
    };
}

mcl_status filter_scan(mcl_queue *queue, mcl_input bookings, int32_t first_day, int32_t end_day, mcl_output out,
                       mcl_output total, int tile_threads)
{
    mcl_op fold = { .role = MCL_ROLE_FOLD,
                    .expression = "balance_add(p, q)",
                    .identity = "balance_zero()",
                    .value = &balance_type,
                    .extract = "balance_of(x, first_day, end_day)",
                    .binding_count = 2 };
    fold.bindings[0] = mcl_binding_value("first_day", MCL_INT32, &first_day);
    fold.bindings[1] = mcl_binding_value("end_day", MCL_INT32, &end_day);
    const mcl_options options = { .tile_threads = tile_threads };
    mcl_device_info info;
    mcl_tile tile;
    mcl_status status = mcl_context_info(mcl_queue_context(queue), &info);
    if (status != MCL_OK) return status;
    const mcl_kernel kernel = describe(&fold, info.look_back);
    status = mcl_kernel_tile(queue, &kernel, &options, &tile);
    if (status != MCL_OK) return status;

    /* a tile publishes its balance in words of 32 bits beside their state; tile 0 stores the total of nothing too */
    int64_t tiles = mcl_tile_groups(&tile, bookings.count);
    if (tiles == 0 || !info.look_back) tiles = 1;
    const int64_t words = tiles * (int64_t)(sizeof(balance) / sizeof(int32_t));
    const size_t scratch[] = { (size_t)words * sizeof(int64_t), sizeof(int32_t) };
    const mcl_argument state = mcl_argument_scratch(0), ticket = mcl_argument_scratch(1);
    const mcl_launch launches[] = {
        { CLEAR, mcl_tile_groups(&tile, words), { state, ticket, mcl_argument_index(words) } },
        { TILES,
          tiles,
          { mcl_argument_input(&bookings), mcl_argument_output(&out), mcl_argument_output(&total),
            mcl_argument_index(out.capacity), state, ticket } },
    };
    return mcl_kernel_launch(queue, &kernel, launches, 2, scratch, 2, &options);
}
