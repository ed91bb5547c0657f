/* test_own_names.c: users' functions, macros and bindings that have the names of the library's, or of each other's
 * texts. */
#include "support/arrays.h"
#include "support/devices.h"

#include <stdio.h>
#include <string.h>

enum { COUNT = 100, LEAST = 40 };

/* Names of a parameter's function, of what the host writes for operands, of a function that kernels call, and a name
 * that the library does not have. */
static const char *const names[] = { "keep", "before", "load_in", "input_in", "highest_bit", "mine" };

/* Ways to define a name. Each makes a number of a number. */
static const char *const sources[] = {
    "static inline int %s(const int a) { return a; }",
    "/* %s( */\nstatic int\n%s (int a)\n{\n    return a;\n}\nstatic inline int other(int a) { return %s(a); }",
    "#define %s(a) (a)\n",
    "#define %s( \\\n    a) (a)\n#define count 7\n#define TILE_SIZE \"#define 3\"\n",
};
enum { SOURCES = sizeof sources / sizeof *sources };

static void write_source(char *text, size_t capacity, const char *pattern, const char *name)
{
    (void)snprintf(text, capacity, pattern, name, name, name);
}

/* Keeps the numbers from LEAST on, and sorts them by a call of the name. */
static void check(int device, const char *name, const char *source, const mcl_options *options)
{
    mcl_queue *queue = test_device_at(device)->queue;
    char test[64], order[64];
    int32_t numbers[COUNT], stored[COUNT], count = -1;

    for (int k = 0; k < COUNT; k++) numbers[k] = COUNT - 1 - k;
    mcl_buffer *in = ARRAY_OF(device, numbers), *out = array_empty(device, sizeof stored);
    (void)snprintf(test, sizeof test, "%s(x) >= %d", name, LEAST);
    (void)snprintf(order, sizeof order, "%s(p) < %s(q)", name, name);
    const mcl_op keep = { .role = MCL_ROLE_TEST, .expression = test, .source = source };
    const mcl_op before = { .role = MCL_ROLE_ORDER, .expression = order, .source = source };
    test_ok(mcl_compact(queue, mcl_from_buffer(MCL_INT32, in, 0, COUNT), mcl_to_buffer(MCL_INT32, out, 0, COUNT), &keep,
                        mcl_to_host(MCL_INT32, &count), options));
    ck_assert_int_eq(count, COUNT - LEAST);
    test_ok(mcl_sort(queue, mcl_from_buffer(MCL_INT32, out, 0, count), mcl_to_buffer(MCL_INT32, in, 0, COUNT), &before,
                     options));
    ARRAY_READ(device, in, stored);
    for (int k = 0; k < count; k++) ck_assert_int_eq(stored[k], LEAST + k);
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}

START_TEST(functions_and_macros_may_have_names_of_the_library)
{
    static const mcl_options serial = { .tile_threads = 1, .tile_items = 64 };
    char source[256];

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        write_source(source, sizeof source, sources[k % SOURCES], names[k]);
        check(_i, names[k], source, &serial);
    }
    write_source(source, sizeof source, sources[0], "before");
    check(_i, "before", source, NULL);
}
END_TEST

/* Macros that a source ends itself, or does not define, do not come back: the binding of the name is seen. A member
 * keeps the name that a function has, too. */
START_TEST(bindings_and_members_keep_their_names)
{
    static const char *const ended[] = {
        "#define limit 5\nstatic inline int own(int a) { return a + limit - limit; }\n#undef limit\n",
        "#if 0\n#define limit 5\n#endif\nstatic inline int own(int a) { return a; }\n",
        "typedef struct { int keep; } held;\nstatic inline int keep(held h) { return h.keep; }\n"
        "static inline int own(int a) { held h; h.keep = a; return keep(h); }\n",
    };
    mcl_queue *queue = test_device_at(_i)->queue;
    const int32_t limit = 3, zero = 0;
    for (size_t k = 0; k < sizeof ended / sizeof *ended; k++) {
        const mcl_op test = { .role = MCL_ROLE_TEST,
                              .expression = "own(x) < limit",
                              .source = ended[k],
                              .binding_count = 1,
                              .bindings = { mcl_binding_value("limit", MCL_INT32, &limit) } };
        int32_t count = 0;
        test_ok(mcl_compact(queue, mcl_from_counting(MCL_INT32, &zero, 8), (mcl_output){ 0 }, &test,
                            mcl_to_host(MCL_INT32, &count), NULL));
        ck_assert_int_eq(count, limit);
    }
}
END_TEST

/* A name that begins with a part of the other operator's own name. */
START_TEST(names_of_two_operators_are_kept_apart)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    const int32_t low = 2, high = 5, zero = 0;
    const mcl_op first = { .role = MCL_ROLE_TEST,
                           .expression = "x < second_limit",
                           .binding_count = 1,
                           .bindings = { mcl_binding_value("second_limit", MCL_INT32, &low) } };
    const mcl_op second = { .role = MCL_ROLE_TEST,
                            .expression = "x < limit",
                            .binding_count = 1,
                            .bindings = { mcl_binding_value("limit", MCL_INT32, &high) } };
    int32_t counts[3] = { 0 };

    test_ok(mcl_partition_three(queue, mcl_from_counting(MCL_INT32, &zero, 8), (mcl_output){ 0 }, (mcl_output){ 0 },
                                (mcl_output){ 0 }, &first, &second, mcl_to_host(MCL_INT32, counts), NULL));
    ck_assert(counts[0] == 2 && counts[1] == 3 && counts[2] == 3);
}
END_TEST

/* The sentence has the name that the user wrote. */
START_TEST(a_mistake_is_told_with_the_users_name)
{
    static const mcl_op keep = { .role = MCL_ROLE_TEST,
                                 .expression = "keep(x, 3)",
                                 .source = "static inline int keep(const int a) { return a; }" };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = array_empty(_i, 64), *out = array_empty(_i, 64);

    test_fails(mcl_compact(queue, mcl_from_buffer(MCL_INT32, in, 0, 8), mcl_to_buffer(MCL_INT32, out, 0, 8), &keep,
                           mcl_to_nowhere(), NULL),
               MCL_ERROR_BUILD, "mcl_compact|the expression of keep does not compile|keep(x, 3)");
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

/* clang-format off */
MCL_SOURCE(map_slot_source,
typedef struct { int32_t a; } map_slot;
)
/* clang-format on */
static const mcl_type map_slot_type = MCL_TYPE(map_slot, map_slot_source);

/* The compiler's words alone would be of a file that the user does not know. */
START_TEST(a_type_with_a_name_of_the_library_is_told)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    const mcl_map_config config = { .key = &map_slot_type };
    mcl_buffer *keys = array_empty(_i, 64);
    mcl_map *map;

    test_ok(mcl_map_create(mcl_queue_context(queue), &config, &map));
    test_fails(mcl_map_insert(queue, map, mcl_from_buffer(&map_slot_type, keys, 0, 8), (mcl_input){ 0 }, NULL),
               MCL_ERROR_BUILD, "mcl_map_insert: the library's own text has a type named map_slot; expected another");
    mcl_map_release(map);
    mcl_buffer_release(keys);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, functions_and_macros_may_have_names_of_the_library, device);
    test_add(tcase, bindings_and_members_keep_their_names, device);
    test_add(tcase, names_of_two_operators_are_kept_apart, device);
    test_add(tcase, a_type_with_a_name_of_the_library_is_told, device);
    test_add(tcase, a_mistake_is_told_with_the_users_name, device);
}

int main(void)
{
    return test_main("own_names", add);
}
