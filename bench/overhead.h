/* overhead.h: the share of a call's time that the driver takes. */
#ifndef BENCH_OVERHEAD_H
#define BENCH_OVERHEAD_H

/* Puts clocks around the driver functions that calls use, before anything touches the driver. */
void overhead_watch_driver(void);

/* Reset and return the time inside those functions since the last reset, in milliseconds, less what the clocks
 * themselves take. */
void overhead_reset(void);
double overhead_driver_ms(void);

#endif
