/* generate.h: writes the parts of a program's text that depend on its spec. Patterns contain $1, $2, $3 for names.
 * Users' texts are never part of a pattern. */
#ifndef MODERNCL_GENERATE_H
#define MODERNCL_GENERATE_H

#include "program/program.h"

void mcl__generate_fill(mcl__text *out, const char *pattern, const char *one, const char *two, const char *three);

/* Writes a #line mark that gives the next line its own number in the assembled text, which MCL_DUMP_SOURCE writes. */
void mcl__generate_mark(mcl__text *out);

/* A user's expression. mcl__generate_expression writes the body of a function around it, without the opening brace. The
 * body unpacks the owner's bindings from the parameter mcl_bound, and returns the expression's value. In the compiler's
 * messages the file name is <owner: part>. */
typedef struct mcl__expression {
    const char *owner;
    const char *part;
    const char *text;
    const mcl_binding *bindings;
    int binding_count;
    int is_truth; /* 1 if the function returns 0 for zero, and 1 for any other value */
} mcl__expression;
void mcl__generate_expression(mcl__text *out, const mcl__expression *expression);

/* Return the name of a type in the text: mcl__value_text for a value in the kernel, mcl__memory_text for an element in
 * memory. */
const char *mcl__value_text(const mcl_type *type);
const char *mcl__memory_text(const mcl_type *type);
int mcl__is_half(const mcl_type *type);
int mcl__is_indexed(const mcl_type *type);
int mcl__is_number(const mcl_type *type);

/* Writes a macro that says whether type name has vectors, and the type of the vectors. */
void mcl__generate_vector_type(mcl__text *out, const char *name, const mcl_type *element, int has_vectors);

/* generate_spec.c. Writes everything between the dialect and the kernel file. */
void mcl__generate_spec(const mcl__spec *spec, mcl__text *out);
/* generate_op.c. Writes the functions of one operator. */
void mcl__generate_op(mcl__text *out, const mcl__spec *spec, int number);

/* own_names.c. Keeps names of users' sources apart from the library's, in the text from begin on. file: the kernel
 * file, which comes after the text. A user's function gets this prefix where a function of the library's has its name.
 * A user's macro is defined in users' texts alone. */
#define MCL__OWN_NAMES "mcl_own_"
void mcl__own_names(mcl__text *out, size_t begin, const char *file);
/* Appends a sentence where the compiler's log says that a user's type has the name of a type of the library's. */
void mcl__own_types_tell(const mcl__spec *spec, const char *log, mcl__text *out);

#endif
