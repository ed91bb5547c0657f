/* overhead.h: the share of a call's time that the driver takes. */
#ifndef BENCH_OVERHEAD_H
#define BENCH_OVERHEAD_H

/* Puts clocks around the driver functions that calls use. It must come before any use of the driver. */
void overhead_watch_driver(void);

/* Reset and return the time that has passed inside those driver functions, in milliseconds. The time that the clocks
 * take is taken off. */
void overhead_reset(void);
double overhead_driver_ms(void);

#endif
