/* offsets.c: makes objects with work units: the offsets that load balancing and intervals take. */
#include "case.h"

#include <stdlib.h>

/* Returns the number of work units of object k. The seed chooses the distribution of the units over the objects. */
static int64_t object_items(int64_t k, int64_t n, uint64_t seed)
{
    const int64_t number = (int64_t)(test_random(seed * 7 + 1, (uint64_t)k) >> 1);

    switch (seed % 6) {
    case 0: /* each object has a few units, some have none */
        return number % 8;
    case 1: /* one each */
        return 1;
    case 2: /* long runs of objects have none, then some have many */
        return k % 300 == 299 ? number % 900 : 0;
    case 3: /* one object in the middle has nearly all units */
        return k == 40 ? n - n / 10 : number % 3;
    case 4: /* each has about fifty */
        return number % 100;
    default: /* one object has all units; it comes after some objects without units */
        return k < 70 ? 0 : n;
    }
}

int64_t case_add_offsets(case_problem *problem, const element *kind, int64_t **offsets)
{
    enum { NONE_AT_END = 45 };
    const int64_t n = problem->n;
    int64_t *numbers = NULL;
    int64_t room = 0;
    int64_t count = 0;
    int64_t sum = 0;

    for (int64_t rest = problem->seed % 2 ? NONE_AT_END : 0; sum < n || rest > 0; rest -= sum == n, count++) {
        if (count + 2 > room) {
            room = 2 * room + 64;
            numbers = realloc(numbers, (size_t)room * sizeof *numbers);
            if (!numbers) abort();
        }
        const int64_t items = object_items(count, n, problem->seed);
        numbers[count] = sum;
        sum = items < n - sum ? sum + items : n;
    }
    if (!numbers) numbers = calloc(1, sizeof *numbers);
    if (!numbers) abort();
    numbers[count] = n;

    case_input *input = &problem->inputs[problem->input_count];
    case_add_input(problem, kind, FROM_BUFFER, count, 2, ORDER_RANDOM);
    for (int64_t k = 0; k < count; k++) kind->from_integer(numbers[k] + kind->zero, case_at(kind, input->data, k));
    case_add_input(problem, &element_int32, FROM_COUNTING, n, 0, ORDER_RANDOM);
    *offsets = numbers;
    return count;
}
