/* settings.c: the settings of the command line, and their defaults. */
#include "fuzz.h"

#include <string.h>

settings the_settings = { .serial = 1,
                          .seed = 1,
                          .processes = 1,
                          .threads = 1,
                          .calls = 250,
                          .only = -1,
                          .hang_seconds = 90,
                          .findings_max = 20 };

int is_skipped(const char *class_name)
{
    for (int k = 0; k < the_settings.skip_count; k++)
        if (strcmp(the_settings.skips[k], class_name) == 0) return 1;
    return 0;
}

int is_skipped_for(const call *c, const char *class_name)
{
    const size_t length = strlen(class_name);

    for (int k = 0; k < the_settings.skip_count; k++) {
        const char *skip = the_settings.skips[k];
        if (strncmp(skip, class_name, length) == 0 && skip[length] == ':' && strstr(c->op->name, skip + length + 1))
            return 1;
    }
    return is_skipped(class_name);
}
