/* demo_join.c: the demonstration of the relational joins. */
#include "demo.h"

#include <stdio.h>

enum { COUNT = 30, ROWS = COUNT * COUNT };

/* Returns a key's text, or --- where a row has no key. */
static const char *key_text(const int32_t *keys, int32_t index, char text[16])
{
    if (index < 0) return "---";
    snprintf(text, 16, "%d", keys[index]);
    return text;
}

static mcl_status print_rows(demo *at, const char *name, mcl_buffer *a_rows, mcl_buffer *b_rows, int64_t count,
                             const int32_t *a, const int32_t *b)
{
    int32_t a_index[ROWS];
    int32_t b_index[ROWS];
    char text[2][16];

    DEMO_TRY(mcl_buffer_read(at->queue, a_rows, 0, sizeof *a_index * (size_t)count, a_index));
    DEMO_TRY(mcl_buffer_read(at->queue, b_rows, 0, sizeof *b_index * (size_t)count, b_index));
    printf("\n%s (%d items):\noutput   (aIndex, bIndex) : (aKey, bKey)\n", name, (int)count);
    printf("----------------------------------------\n");
    for (int k = 0; k < count; k++)
        printf("%3d      (%6d, %6d) : (%4s, %4s)\n", k, a_index[k], b_index[k], key_text(a, a_index[k], text[0]),
               key_text(b, b_index[k], text[1]));
    return MCL_OK;
}

mcl_status demo_join(demo *at)
{
    mcl_twister twister;
    int32_t a[COUNT];
    int32_t b[COUNT];
    mcl_buffer *a_keys;
    mcl_buffer *b_keys;
    mcl_buffer *a_rows;
    mcl_buffer *b_rows;
    int64_t count;

    demo_stream(&twister, 1750);
    demo_sorted_ints(&twister, a, COUNT, 100, 130);
    demo_sorted_ints(&twister, b, COUNT, 100, 130);
    DEMO_TRY(demo_buffer(at, sizeof a, a, &a_keys));
    DEMO_TRY(demo_buffer(at, sizeof b, b, &b_keys));
    DEMO_TRY(demo_buffer(at, sizeof(int32_t) * ROWS, NULL, &a_rows));
    DEMO_TRY(demo_buffer(at, sizeof(int32_t) * ROWS, NULL, &b_rows));
    printf("RELATIONAL JOINS DEMONSTRATION\n\nA keys:\n");
    DEMO_TRY(demo_print_ints(at, a_keys, COUNT, 4));
    printf("\nB keys:\n");
    DEMO_TRY(demo_print_ints(at, b_keys, COUNT, 4));
    const mcl_input left = mcl_from_buffer(MCL_INT32, a_keys, 0, COUNT);
    const mcl_input right = mcl_from_buffer(MCL_INT32, b_keys, 0, COUNT);
    const mcl_output out_a = mcl_to_buffer(MCL_INT32, a_rows, 0, ROWS);
    const mcl_output out_b = mcl_to_buffer(MCL_INT32, b_rows, 0, ROWS);

    DEMO_TRY(
        mcl_join(at->queue, MCL_JOIN_INNER, left, right, out_a, out_b, MCL_LESS, mcl_to_host(MCL_INT64, &count), NULL));
    DEMO_TRY(print_rows(at, "Inner-join", a_rows, b_rows, count, a, b));
    DEMO_TRY(
        mcl_join(at->queue, MCL_JOIN_OUTER, left, right, out_a, out_b, MCL_LESS, mcl_to_host(MCL_INT64, &count), NULL));
    return print_rows(at, "Outer-join", a_rows, b_rows, count, a, b);
}
