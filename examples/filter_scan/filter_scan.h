/* filter_scan.h: an account's statement: the bookings in a span of days, each with the balance after it. */
#ifndef FILTER_SCAN_H
#define FILTER_SCAN_H

#include <moderncl/moderncl.h>

/* One text for the host and the device, which knows the types and functions from here. */
/* clang-format off */
MCL_SOURCE(statement_source,
typedef struct booking {
    int32_t day;
    int32_t cents; /* negative: paid */
    int32_t partner;
} booking;
typedef struct balance {
    int64_t count;
    int64_t cents;
} balance;
typedef struct entry {
    int64_t cents; /* of all bookings up to this one */
    int32_t booking;
    int32_t partner;
} entry;
static inline balance balance_of(const booking x, const int32_t first_day, const int32_t end_day)
{
    balance made;
    made.count = x.day >= first_day && x.day < end_day;
    made.cents = made.count ? x.cents : 0;
    return made;
}
static inline balance balance_add(const balance p, const balance q)
{
    balance sum;
    sum.count = p.count + q.count;
    sum.cents = p.cents + q.cents;
    return sum;
}
static inline balance balance_zero(void)
{
    balance made;
    made.count = made.cents = 0;
    return made;
}
static inline entry entry_of(const booking x, const int64_t place, const balance now)
{
    entry made;
    made.cents = now.cents;
    made.booking = (int32_t)place;
    made.partner = x.partner;
    return made;
}
)
/* clang-format on */

extern const mcl_type booking_type, balance_type, entry_type;

/* Entries for the bookings from first_day on and before end_day, in their order. Does not wait.
 * total: receives one balance: of all of them, and their number, also where out has room for fewer.
 * tile_threads: 0, or 1 for the serial mapping, or a group's. */
mcl_status filter_scan(mcl_queue *queue, mcl_input bookings, int32_t first_day, int32_t end_day, mcl_output out,
                       mcl_output total, int tile_threads);

#endif
