/* read_examples.c: reads files as the examples do. The first byte says whether the rest is CSV or dpkg's status
 * file. */
#define _POSIX_C_SOURCE 200809L
#include "reader.h"

#include <stdio.h>

static FILE *silence;

/* The examples report each bad line, which this silences. */
#undef stderr
#define stderr silence
#define main join_csv_main
#include "join_csv.c"
#undef main
#include "packages_status.c"

static void read_csv(const char *path)
{
    const settings wanted = { .column = "id" };
    const settings strict = { .column = "name", .strings = 1, .strict = 1 };
    table read = { .path = path };
    if (table_read(&read, &wanted)) {
        REQUIRE(read.columns > 0 && read.key < read.columns && read.rows >= 0);
        size_t bytes = 0;
        for (int64_t k = 0; k < (read.rows + 1) * read.columns; k++) bytes += strlen(read.fields[k]);
        REQUIRE(bytes < INT32_MAX);
    }
    table_free(&read);
    read = (table){ .path = path };
    if (table_read(&read, &strict)) REQUIRE(read.skipped == 0);
    table_free(&read);
}

static void read_status(const char *path)
{
    package_list list = { 0 };
    if (packages_read(path, &list))
        for (int k = 0; k < list.count; k++)
            REQUIRE(list.items[k].name[0] && list.items[k].section && list.items[k].kibibytes >= 0);
    packages_free(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!silence) silence = fopen("/dev/null", "w");
    if (size == 0) return 0;
    const char *const path = reader_file(data + 1, size - 1);
    if (data[0] % 2 == 0)
        read_csv(path);
    else
        read_status(path);
    return 0;
}
