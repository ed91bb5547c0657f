/* packages_relations.h: who needs whom among the installed packages, as joins on the device. */
#ifndef PACKAGES_RELATIONS_H
#define PACKAGES_RELATIONS_H

#include "packages_status.h"

#include <moderncl/moderncl.h>

/* Prints the installed packages that no other one depends on, and the dependencies that no installed package meets.
 * *same: 1 where both are what plain C loops find. */
mcl_status relations_show(mcl_context *context, mcl_queue *queue, const package_list *packages, int *same);

#endif
