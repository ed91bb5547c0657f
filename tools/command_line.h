/* command_line.h: reads the command line of the tools and of moderncl-bench. */
#ifndef MODERNCL_COMMAND_LINE_H
#define MODERNCL_COMMAND_LINE_H

#include <popt.h>

/* A line of a table of options. value is the name that --help gives the option's argument; NULL where it has none. */
#define OPTION(name, kind, place, help, value) { name, '\0', kind, place, 0, help, value }

/* The last line of each table of options. */
#define OPTIONS_END                                                                                                    \
    { "version", '\0', POPT_ARG_NONE, NULL, COMMAND_LINE_VERSION, "Show the version", NULL },                          \
        POPT_AUTOHELP POPT_TABLEEND

/* A tool's exit status where the command line is wrong or the device cannot be opened. After a later failure the status
 * is 1. */
enum { COMMAND_LINE_WRONG = 2 };

/* The value that popt gives for --version; a table's own options give 0. */
enum { COMMAND_LINE_VERSION = 1 };

/* Reads the options of the table and up to one word beside them. *word gets this word, to be freed, or NULL without
 * one. Where word is NULL, only options are allowed. usage: the text that --help prints after the program's name; NULL:
 * [OPTION...]. Returns 0, or -1 after a sentence on stderr. Ends the program after --help and --version. */
int command_line_read(const char *program, const struct poptOption *table, int count, const char **words,
                      const char *usage, char **word);

/* Prints on stderr, from now on, what the library passes over, for example a cache folder that it cannot use. Failures
 * are reported where they occur. program: a string constant. */
void command_line_tell_passed_over(const char *program);

/* Flushes stdout. Returns status. Where stdout could not be written and status is 0, it returns 1 after a sentence on
 * stderr. */
int command_line_end(const char *program, int status);

/* Returns the width of the longest name. name(0), name(1) ... give the names, and NULL after the last. */
int column_width(const char *(*name)(int index));

#endif
