/* step.h: recognises inputs that mcl_from_step makes with equal elements. */
#ifndef MODERNCL_STEP_H
#define MODERNCL_STEP_H

#include "moderncl/values.h"

/* Returns 1 where mcl_from_step has made the input with a step of 0, so that all elements are equal. */
int mcl__steps_by_zero(const mcl_input *input);

#endif
