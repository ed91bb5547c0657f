/* expected.c: notes what a call with a fault must return, or may return. */
#include "fuzz.h"

#include <stdio.h>

void refuse(call *c, const char *what)
{
    c->expect = EXPECT_REFUSED;
    snprintf(c->spoiled, sizeof c->spoiled, "%s", what);
}

void doubt(call *c, const char *what)
{
    if (c->expect != EXPECT_REFUSED) c->expect = EXPECT_EITHER;
    c->broken = 1;
    snprintf(c->spoiled, sizeof c->spoiled, "%s", what);
}
